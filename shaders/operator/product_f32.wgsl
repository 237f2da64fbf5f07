// Products of f32s, as f32_factors.wgsl makes them.
alias Acc = Factor;
alias Total = Acc;

const ACC_WORDS = 4u;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = 1u;

fn op_identity() -> Acc {
    return Acc(0u, ONE_BITS, 0u, 0u);
}

fn op_lift(bits: Elem) -> Acc {
    return factor_of(bits);
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    return factors_product(a, b);
}

fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    return array<u32, OUT_WORDS>(factor_bits(total));
}

fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    return array<u32, ACC_WORDS>(
        acc.flags,
        acc.significand,
        acc.exponent_low,
        acc.exponent_high,
    );
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    return Acc(words[0], words[1], words[2], words[3]);
}
