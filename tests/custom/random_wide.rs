//! Random expressions over numbers of 64 bits, and elements that they may go wrong with.

use super::Random;

/// The bits of numbers of all kinds: as floats, subnormal, infinite and NaN among them; as integers, small and large.
pub fn wides(random: &mut Random, len: usize) -> Vec<u64> {
    const SPECIAL: [u64; 26] = [
        0,
        1 << 63,
        1,
        1 << 63 | 1,
        0x000f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
        0x8010_0000_0000_0000,
        0x3ff0_0000_0000_0000,
        0xbff0_0000_0000_0000,
        0x3fef_ffff_ffff_ffff,
        0x7fef_ffff_ffff_ffff,
        0xffef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0xfff0_0000_0000_0000,
        0x7ff8_0000_0000_0000,
        0xfff8_0000_0000_1234,
        0x7ff0_0000_0000_0001,
        // 2^63 and 2^64.
        0x43e0_0000_0000_0000,
        0xc3e0_0000_0000_0000,
        0x43f0_0000_0000_0000,
        0xffff_ffff_ffff_ffff,
        0x7fff_ffff_ffff_ffff,
        0x0000_0000_ffff_ffff,
        0xffff_ffff_0000_0000,
        1 << 32,
        2,
    ];
    let mut bits = move || u64::from(random.next()) << 32 | u64::from(random.next());
    (0..len)
        .map(|_| {
            let (any, choice) = (bits(), bits());
            match choice % 6 {
                0 => SPECIAL[(choice >> 8) as usize % SPECIAL.len()],
                // f64s near 1, and near the ends of the range of f32s.
                1 => (any & 0x800f_ffff_ffff_ffff) | (0x3fe0_0000_0000_0000 + (choice >> 62 << 52)),
                2 => any & 0x801f_ffff_ffff_ffff | 0x3800_0000_0000_0000,
                3 => any % 100,
                4 => any >> (choice >> 58),
                _ => any,
            }
        })
        .collect()
}

/// An expression of type `ty` over `x`, a u64, and over `i`.
pub fn wide_expression(random: &mut Random, ty: &str, depth: u32) -> String {
    if depth == 0 {
        return leaf(random, ty);
    }
    let mut part = |ty: &str| {
        let depth = random.next() % depth;
        wide_expression(random, ty, depth)
    };
    let (a, b) = (part(ty), part(ty));
    let (double, other, signed, unsigned) = (part("f64"), part("f64"), part("i64"), part("u64"));
    let (condition, float, word, int) = (part("bool"), part("f32"), part("u32"), part("i32"));
    let (other_signed, other_unsigned) = (part("i64"), part("u64"));
    let choice = random.next();
    let pick = |of: &[String]| of[choice as usize % of.len()].clone();
    match ty {
        "f64" => pick(&[
            format!("({a} + {b})"),
            format!("({a} - {b})"),
            format!("({a} * {b})"),
            format!("({a} / {b})"),
            format!("({a} / 0.25lf)"),
            format!("({a} + 1.5lf)"),
            format!("min({a}, {b})"),
            format!("max({a}, {b})"),
            format!("abs({a})"),
            format!("(-{a})"),
            format!("clamp({a}, -2.5lf, 1e10lf)"),
            format!("select({a}, {b}, {condition})"),
            format!("f64({signed})"),
            format!("f64({unsigned})"),
            format!("f64({float})"),
            format!("f64({word})"),
            format!("f64({int})"),
            format!("f64({condition})"),
            format!("bitcast<f64>({unsigned})"),
        ]),
        "bool" => pick(&[
            format!("({double} < {other})"),
            format!("({double} >= {other})"),
            format!("({double} == {double})"),
            format!("({double} != {other})"),
            format!("({signed} > {other_signed})"),
            format!("({signed} <= {other_signed})"),
            format!("({unsigned} < {other_unsigned})"),
            format!("({unsigned} == {other_unsigned})"),
            format!("({unsigned} <= 77lu)"),
            format!("({a} && !{b})"),
            format!("bool({double})"),
            format!("bool({unsigned})"),
        ]),
        "f32" => pick(&[
            format!("f32({double})"),
            format!("f32({signed})"),
            format!("f32({unsigned})"),
            format!("({a} * {b})"),
            format!("({a} + {b})"),
        ]),
        "u32" => pick(&[
            format!("u32({double})"),
            format!("u32({unsigned})"),
            format!("bitcast<u32>({float})"),
            format!("({a} ^ {b})"),
        ]),
        "i32" => {
            pick(&[format!("i32({double})"), format!("i32({signed})"), format!("({a} - {b})")])
        }
        _ => {
            let (u, to_self) = if ty == "u64" { ("lu", "u64") } else { ("li", "i64") };
            pick(&[
                format!("({a} + {b})"),
                format!("({a} - {b})"),
                format!("({a} * {b})"),
                format!("({a} / {b})"),
                format!("({a} % {b})"),
                format!("({a} & {b})"),
                format!("({a} | {b})"),
                format!("({a} ^ {b})"),
                format!("(~{a})"),
                format!("({a} << {word})"),
                format!("({a} >> {word})"),
                format!("min({a}, {b})"),
                format!("max({a}, 3{u})"),
                format!("abs({a})"),
                format!("countOneBits({a})"),
                format!("countLeadingZeros({a})"),
                format!("countTrailingZeros({a})"),
                format!("reverseBits({a})"),
                format!("select({a}, {b}, {condition})"),
                format!("{to_self}({double})"),
                format!("{to_self}({float})"),
                format!("{to_self}({word})"),
                format!("{to_self}({int})"),
                format!("{to_self}({condition})"),
                format!("bitcast<{to_self}>({double})"),
                format!("{to_self}({signed})"),
            ])
        }
    }
}

fn leaf(random: &mut Random, ty: &str) -> String {
    if random.next().is_multiple_of(8) && ty != "bool" {
        return format!("{ty}(i)");
    }
    match ty {
        "bool" => "((x & 2) != 0)".to_owned(),
        "u64" => "x".to_owned(),
        "i64" | "f64" if random.next().is_multiple_of(2) => format!("bitcast<{ty}>(x)"),
        _ => format!("{ty}(x)"),
    }
}
