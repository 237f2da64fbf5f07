// What a lane gets.
alias Outcome = i32;

fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return bitcast<i32>(words[0]);
}
