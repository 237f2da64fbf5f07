// What a lane gets.
alias Outcome = f32;

fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return bitcast<f32>(words[0]);
}
