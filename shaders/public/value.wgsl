// A lane's value as an accumulator, and an accumulator of so many lanes as the result.

fn acc_of(value: Value) -> Acc {
    return op_lift(elem_of(value));
}

fn outcome_of(total: Acc, lanes: u32) -> Outcome {
    return outcome_of_words(op_finish(total, vec2<u32>(lanes, 0u)));
}
