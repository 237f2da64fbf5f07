// What a lane gets.
alias Outcome = u32;

fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return words[0];
}
