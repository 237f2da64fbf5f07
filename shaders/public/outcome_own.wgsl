// What a lane gets: what the operator's own text makes of a total.
alias Outcome = UserOut;

fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return out_to_user(words);
}
