// What a lane gets: 64 bits, the low word first.
alias Outcome = vec2<u32>;

fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return vec2<u32>(words[0], words[1]);
}
