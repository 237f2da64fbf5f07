// Sums of 64 bits, one for each component.
struct Acc {
    low: Elem,
    high: Elem,
}

alias Total = Acc;

const ACC_WORDS = 2u * COMPONENTS;
const SHUFFLED_WORDS = ACC_WORDS;
const OUT_WORDS = ACC_WORDS;

fn op_identity() -> Acc {
    return Acc(Elem(0u), Elem(0u));
}

fn op_combine(a: Acc, b: Acc) -> Acc {
    let low = a.low + b.low;
    let carry = select(Elem(0u), Elem(1u), low < a.low);
    return Acc(low, a.high + b.high + carry);
}

// The words of each component, one after another.
fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {
    var words: array<u32, ACC_WORDS>;
    for (var i = 0u; i < COMPONENTS; i++) {
        words[2u * i] = acc.low[i];
        words[2u * i + 1u] = acc.high[i];
    }
    return words;
}

fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {
    var all = words;
    var acc = op_identity();
    for (var i = 0u; i < COMPONENTS; i++) {
        acc.low[i] = all[2u * i];
        acc.high[i] = all[2u * i + 1u];
    }
    return acc;
}

// Integers as numbers of 64 bits: signs go on through the high words.
@if(lift) fn op_lift(value: Elem) -> Acc {
    return Acc(value, select(Elem(0u), Elem(0u) - (value >> Elem(31u)), NUMBERS == SIGNED));
}

// Tells whether each component is not 0. A float's -0 is 0.
@if(count) fn op_lift(value: Elem) -> Acc {
    let bits = select(value, value << Elem(1u), NUMBERS == FLOATS);
    return Acc(min(bits, Elem(1u)), Elem(0u));
}
