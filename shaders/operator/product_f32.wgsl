// Products of f32s, as f32_product.wgsl@factors makes them.
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

// Products of f32s, component by component, as f32_product.wgsl@factors makes them.
@if(components) struct Acc {
    flags: Elem,
    significands: Elem,
    exponents_low: Elem,
    exponents_high: Elem,
}

@if(components) alias Total = Acc;

@if(components) const ACC_WORDS = 4u * COMPONENTS;
@if(components) const SHUFFLED_WORDS = ACC_WORDS;
@if(components) const OUT_WORDS = COMPONENTS;

@if(components) fn op_identity() -> Acc {
    return Acc(Elem(0u), Elem(ONE_BITS), Elem(0u), Elem(0u));
}

@if(components) fn component_of(acc: Acc, i: u32) -> Factor {
    return Factor(acc.flags[i], acc.significands[i], acc.exponents_low[i], acc.exponents_high[i]);
}

@if(components) fn op_lift(bits: Elem) -> Acc {
    var acc = op_identity();
    for (var i = 0u; i < COMPONENTS; i++) {
        let factor = factor_of(bits[i]);
        acc.flags[i] = factor.flags;
        acc.significands[i] = factor.significand;
        acc.exponents_low[i] = factor.exponent_low;
        acc.exponents_high[i] = factor.exponent_high;
    }
    return acc;
}

@if(components) fn op_combine(a: Acc, b: Acc) -> Acc {
    var acc = op_identity();
    for (var i = 0u; i < COMPONENTS; i++) {
        let factor = factors_product(component_of(a, i), component_of(b, i));
        acc.flags[i] = factor.flags;
        acc.significands[i] = factor.significand;
        acc.exponents_low[i] = factor.exponent_low;
        acc.exponents_high[i] = factor.exponent_high;
    }
    return acc;
}

@if(components) fn op_finish(total: Acc, len: vec2<u32>) -> array<u32, OUT_WORDS> {
    var words: array<u32, OUT_WORDS>;
    for (var i = 0u; i < COMPONENTS; i++) {
        words[i] = factor_bits(component_of(total, i));
    }
    return words;
}

@if(components) fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < COMPONENTS; i++) {
        words[4u * i] = acc.flags[i];
        words[4u * i + 1u] = acc.significands[i];
        words[4u * i + 2u] = acc.exponents_low[i];
        words[4u * i + 3u] = acc.exponents_high[i];
    }
    return words;
}

@if(components) fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    var all = words;
    var acc = op_identity();
    for (var i = 0u; i < COMPONENTS; i++) {
        acc.flags[i] = all[4u * i];
        acc.significands[i] = all[4u * i + 1u];
        acc.exponents_low[i] = all[4u * i + 2u];
        acc.exponents_high[i] = all[4u * i + 3u];
    }
    return acc;
}
