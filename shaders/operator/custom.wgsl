// An operator of a user's own. The user's functions come with names that begin with `user_`; beside them stands what depends on the
// user's types: `Acc`, which is words, and what makes them of values and values of them (src/custom/glue.rs).
alias Total = Acc;
const SHUFFLED_WORDS = ACC_WORDS;
fn missing_bits() -> u32 {
    return 0u;
}

fn op_identity() -> Acc {
    return acc_from_user(user_identity());
}

fn op_lift(value: Elem) -> Acc {
    return acc_from_user(user_lift(bitcast<UserElem>(value)));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return acc_from_user(user_combine(acc_to_user(a), acc_to_user(b)));
}

fn op_finish(total: Total, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return out_from_user(user_finish(acc_to_user(total)));
}
