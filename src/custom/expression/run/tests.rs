use super::*;

/// What an operation should make of two numbers.
type Wanted<T, Bits> = (Binary, Box<dyn Fn(T, T) -> Bits>);

/// Zeros, subnormals, what is next to 1, infinities and NaNs with a sign and without, and others; each word with each.
fn pairs() -> Vec<(u32, u32)> {
    let special = [0, 1, 0x007f_ffff, 0x0080_0000, 0x3f7f_ffff, 0x3f80_0000, 0x3f80_0001];
    let special = special.into_iter().chain([0x7f7f_ffff, INFINITY, 0x7f80_0001, CANONICAL_NAN]);
    let others = (1..30u32).map(|i| i.wrapping_mul(0x9e37_79b1));
    let words: Vec<u32> = special.flat_map(|bits| [bits, bits | SIGN]).chain(others).collect();
    let with_all = |&a: &u32| words.iter().map(move |&b| (a, b)).collect::<Vec<_>>();
    words.iter().flat_map(with_all).collect()
}

/// What a loop over lanes makes of pairs, all of which it takes.
fn by_lanes(pairs: &[(u32, u32)], of: impl Fn(&Words, &Words, &mut Words)) -> Vec<u32> {
    let mut found = Vec::new();
    for pairs in pairs.chunks(LANES) {
        let [mut a, mut b, mut to] = [[0; LANES]; 3];
        for (i, &pair) in pairs.iter().enumerate() {
            (a[i], b[i]) = pair;
        }
        of(&a, &b, &mut to);
        found.extend_from_slice(&to[..pairs.len()]);
    }
    found
}

/// The same of words of 64 bits.
fn by_wide_lanes<R: Copy + Default>(
    pairs: &[(u64, u64)],
    of: impl Fn(&Wides, &Wides, &mut [R; LANES]),
) -> Vec<R> {
    let mut found = Vec::new();
    for pairs in pairs.chunks(LANES) {
        let [mut a, mut b] = [[0; LANES]; 2];
        for (i, &pair) in pairs.iter().enumerate() {
            (a[i], b[i]) = pair;
        }
        let mut to = [R::default(); LANES];
        of(&a, &b, &mut to);
        found.extend_from_slice(&to[..pairs.len()]);
    }
    found
}

/// Both the instructions and the integers do of floats what Rust does.
#[test]
fn floats_by_either_way() {
    let pairs = pairs();
    let arithmetic = |of: fn(f32, f32) -> f32| {
        move |a: f32, b: f32| {
            let result = of(a, b);
            if result.is_nan() { CANONICAL_NAN } else { result.to_bits() }
        }
    };
    let extremum = |is_first: fn(f32, f32) -> bool| {
        move |a: f32, b: f32| match (a.is_nan() || b.is_nan(), is_first(a, b)) {
            (true, _) => CANONICAL_NAN,
            (_, true) => a.to_bits(),
            _ => b.to_bits(),
        }
    };
    let operations: [Wanted<f32, u32>; 9] = [
        (Binary::Add, Box::new(arithmetic(|a, b| a + b))),
        (Binary::Subtract, Box::new(arithmetic(|a, b| a - b))),
        (Binary::Multiply, Box::new(arithmetic(|a, b| a * b))),
        (Binary::Divide, Box::new(arithmetic(|a, b| a / b))),
        (Binary::Equal, Box::new(|a, b| mask(a == b))),
        (Binary::Less, Box::new(|a, b| mask(a < b))),
        (Binary::LessEqual, Box::new(|a, b| mask(a <= b))),
        (Binary::Min, Box::new(extremum(|a, b| a.total_cmp(&b).is_le()))),
        (Binary::Max, Box::new(extremum(|a, b| a.total_cmp(&b).is_ge()))),
    ];
    for (op, wanted) in operations {
        for adds_as_ieee in [true, false] {
            let found = by_lanes(&pairs, |a, b, to| of_floats(op, a, b, to, adds_as_ieee));
            for (&(a, b), found) in pairs.iter().zip(found) {
                let wanted = wanted(f32::from_bits(a), f32::from_bits(b));
                assert_eq!(found, wanted, "{op:?} of {a:#x} and {b:#x}, {adds_as_ieee}");
            }
        }
    }
}

/// The same of f64s, whose upper words have the bits of f32s in their places.
#[test]
fn doubles_by_either_way() {
    let of_word = |bits: u32| match bits << 1 {
        0 | 2 => u64::from(bits & SIGN) << 32 | u64::from(bits & 1),
        _ if is_nan(bits) || bits & !SIGN == INFINITY => f64::from(f32::from_bits(bits)).to_bits(),
        _ => u64::from(bits) << 32 | u64::from(bits.reverse_bits()),
    };
    let pairs: Vec<(u64, u64)> =
        pairs().into_iter().map(|(a, b)| (of_word(a), of_word(b))).collect();
    assert!(pairs.iter().any(|&(a, b)| (a, b) == (1, 1 << 63)), "a subnormal and −0");
    let canonical = f64::NAN.to_bits();
    let arithmetic = |of: fn(f64, f64) -> f64| {
        move |a: f64, b: f64| {
            let result = of(a, b);
            if result.is_nan() { canonical } else { result.to_bits() }
        }
    };
    let extremum = |is_first: fn(f64, f64) -> bool| {
        move |a: f64, b: f64| match (a.is_nan() || b.is_nan(), is_first(a, b)) {
            (true, _) => canonical,
            (_, true) => a.to_bits(),
            _ => b.to_bits(),
        }
    };
    let operations: [Wanted<f64, u64>; 6] = [
        (Binary::Add, Box::new(arithmetic(|a, b| a + b))),
        (Binary::Subtract, Box::new(arithmetic(|a, b| a - b))),
        (Binary::Multiply, Box::new(arithmetic(|a, b| a * b))),
        (Binary::Divide, Box::new(arithmetic(|a, b| a / b))),
        (Binary::Min, Box::new(extremum(|a, b| a.total_cmp(&b).is_le()))),
        (Binary::Max, Box::new(extremum(|a, b| a.total_cmp(&b).is_ge()))),
    ];
    for (op, wanted) in operations {
        for adds_as_ieee in [true, false] {
            let found = by_wide_lanes(&pairs, |a, b, to| {
                wide::binary(op, Type::F64, a, b, to, adds_as_ieee);
            });
            for (&(a, b), found) in pairs.iter().zip(found) {
                let wanted = wanted(f64::from_bits(a), f64::from_bits(b));
                assert_eq!(found, wanted, "{op:?} of {a:#x} and {b:#x}, {adds_as_ieee}");
            }
        }
    }
    check_wide_comparisons(&pairs, Type::F64, |a, b| {
        f64::from_bits(a).partial_cmp(&f64::from_bits(b))
    });
}

#[test]
fn integers() {
    let pairs = pairs();
    let signed = |a: u32| a.cast_signed();
    type Of = fn(u32, u32) -> u32;
    let of_signed_ones: [(Binary, Of); 5] = [
        (Binary::Equal, |a, b| mask(a == b)),
        (Binary::Less, |a, b| mask(a.cast_signed() < b.cast_signed())),
        (Binary::LessEqual, |a, b| mask(a.cast_signed() <= b.cast_signed())),
        (Binary::Min, |a, b| a.cast_signed().min(b.cast_signed()).cast_unsigned()),
        (Binary::Max, |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned()),
    ];
    for (op, wanted) in of_signed_ones {
        let found = by_lanes(&pairs, |a, b, to| of_signed(op, a, b, to));
        for (&(a, b), found) in pairs.iter().zip(found) {
            assert_eq!(found, wanted(a, b), "{op:?} of {} and {}", signed(a), signed(b));
        }
    }
    let of_unsigned_ones: [(Binary, Of); 5] = [
        (Binary::Equal, |a, b| mask(a == b)),
        (Binary::Less, |a, b| mask(a < b)),
        (Binary::LessEqual, |a, b| mask(a <= b)),
        (Binary::Min, u32::min),
        (Binary::Max, u32::max),
    ];
    for (op, wanted) in of_unsigned_ones {
        let found = by_lanes(&pairs, |a, b, to| of_unsigned(op, a, b, to));
        for (&(a, b), found) in pairs.iter().zip(found) {
            assert_eq!(found, wanted(a, b), "{op:?} of {a} and {b}");
        }
    }
    let wides: Vec<(u64, u64)> = pairs
        .iter()
        .flat_map(|&(a, b)| {
            let [low, high] = [a, b].map(u64::from);
            [(low << 32, high << 32), (low, high), (high << 32 | low, high << 32 | 7)]
        })
        .collect();
    check_wide_comparisons(&wides, Type::U64, |a, b| Some(a.cmp(&b)));
    check_wide_comparisons(&wides, Type::I64, |a, b| Some(a.cast_signed().cmp(&b.cast_signed())));
}

fn check_wide_comparisons(
    pairs: &[(u64, u64)],
    ty: Type,
    order: impl Fn(u64, u64) -> Option<std::cmp::Ordering>,
) {
    for op in [Binary::Equal, Binary::Less, Binary::LessEqual] {
        for adds_as_ieee in [true, false] {
            let found = by_wide_lanes(pairs, |a, b, to| {
                wide::compare(op, ty, a, b, to, adds_as_ieee);
            });
            for (&(a, b), found) in pairs.iter().zip(found) {
                let wanted = order(a, b).is_some_and(|order| match op {
                    Binary::Equal => order.is_eq(),
                    Binary::Less => order.is_lt(),
                    _ => order.is_le(),
                });
                let what = format!("{op:?} of {a:#x} and {b:#x} as {}", ty.name());
                assert_eq!(found, mask(wanted), "{what}, {adds_as_ieee}");
            }
        }
    }
}

/// Operations of literals are literals, with the bits that lanes have.
#[test]
fn constants_are_folded() {
    let cases = [
        (Binary::Multiply, Type::F32, [0x3fc0_0000, 0x4020_0000], Type::F32, 0x4070_0000),
        (Binary::Less, Type::F32, [0x3fc0_0000, 0x4020_0000], Type::Bool, 1),
        (Binary::Subtract, Type::I32, [3, 5], Type::I32, 0xffff_fffe),
        (Binary::Subtract, Type::I64, [3, 5], Type::I64, u64::MAX - 1),
        (Binary::LessEqual, Type::I64, [3, u64::MAX], Type::Bool, 0),
    ];
    for (op, ty, operands, made, wanted) in cases {
        let mut graph = Graph::default();
        let [a, b] = operands.map(|bits| graph.add(Operation::Literal(bits), ty));
        let value = graph.add(Operation::Binary(op, a, b), made);
        let wanted = Node { operation: Operation::Literal(wanted), ty: made };
        assert_eq!(graph.nodes()[value], wanted, "{op:?} of {operands:?} as {}", ty.name());
        // A condition that is known leaves one value.
        let condition = graph.add(Operation::Literal(1), Type::Bool);
        let x = graph.add(Operation::X(None), ty);
        let select = Operation::Select { condition, accept: x, reject: a };
        assert_eq!(graph.add(select, ty), x);
    }
    let mut graph = Graph::default();
    let long = graph.add(Operation::Literal(1 << 32 | 90), Type::U64);
    let word = graph.add(Operation::Unary(Unary::Convert, long), Type::I32);
    assert_eq!(graph.nodes()[word].operation, Operation::Literal(90));
}
