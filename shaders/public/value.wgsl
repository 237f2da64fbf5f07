// A lane's value as an accumulator, and an accumulator of so many lanes as the result.

fn acc_of(value: Value) -> Acc {
    return op_lift(elem_of(value));
}

fn outcome_of(total: Acc, lanes: u32) -> Outcome {
    return outcome_of_words(op_finish(total, vec2<u32>(lanes, 0u)));
}

// What a lane passes.
@if(u32) alias Value = u32;

@if(u32) fn elem_of(value: Value) -> Elem {
    return value;
}

// What a lane passes.
@if(i32) alias Value = i32;

@if(i32) fn elem_of(value: Value) -> Elem {
    return bitcast<u32>(value);
}

// What a lane passes.
@if(f32) alias Value = f32;

@if(f32) fn elem_of(value: Value) -> Elem {
    return bitcast<u32>(value);
}

// What a lane passes: 64 bits, the low word first.
@if(two_words) alias Value = vec2<u32>;

@if(two_words) fn elem_of(value: Value) -> Elem {
    return value;
}

// What a lane gets.
@if(outcome_u32) alias Outcome = u32;

@if(outcome_u32) fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return words[0];
}

// What a lane gets.
@if(outcome_i32) alias Outcome = i32;

@if(outcome_i32) fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return bitcast<i32>(words[0]);
}

// What a lane gets.
@if(outcome_f32) alias Outcome = f32;

@if(outcome_f32) fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return bitcast<f32>(words[0]);
}

// What a lane gets: 64 bits, the low word first.
@if(outcome_two_words) alias Outcome = vec2<u32>;

@if(outcome_two_words) fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return vec2<u32>(words[0], words[1]);
}

// What a lane gets: what the operator's own text makes of a total.
@if(outcome_own) alias Outcome = UserOut;

@if(outcome_own) fn outcome_of_words(words: array<u32, OUT_WORDS>) -> Outcome {
    return out_to_user(words);
}
