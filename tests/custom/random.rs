//! Random expressions, and elements that they may go wrong with.

/// Numbers without a pattern.
pub struct Random(pub u32);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9);
        let mixed = (self.0 ^ self.0 >> 16).wrapping_mul(0x85eb_ca6b);
        let mixed = (mixed ^ mixed >> 13).wrapping_mul(0xc2b2_ae35);
        mixed ^ mixed >> 16
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.next() as usize % of.len()]
    }
}

/// The words of numbers of all kinds: as floats, subnormal, infinite and NaN among them; as integers, small and large.
pub fn words(random: &mut Random, len: usize) -> Vec<u32> {
    const SPECIAL: [u32; 24] = [
        0,
        1 << 31,
        1,
        0x8000_0001,
        0x007f_ffff,
        0x0080_0000,
        0x8080_0000,
        0x00ff_ffff,
        0x3f80_0000,
        0xbf80_0000,
        0x3f7f_ffff,
        0x7f7f_ffff,
        0xff7f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0xffc0_1234,
        0x7f80_0001,
        0x4f00_0000,
        0xcf00_0000,
        0x4f80_0000,
        0x7fff_ffff,
        0xffff_ffff,
        2,
    ];
    (0..len)
        .map(|_| {
            let bits = random.next();
            match random.next() % 4 {
                0 => random.one_of(&SPECIAL),
                // Near 1.
                1 => bits & 0x83ff_ffff | 0x3c00_0000,
                2 => bits % 100,
                _ => bits,
            }
        })
        .collect()
}

/// An expression of type `ty`, over `x` and, if `of` has it, `y`, both of type `element`, and over `i`.
pub fn expression(random: &mut Random, ty: &str, element: &str, of: &[&str], depth: u32) -> String {
    if depth == 0 {
        return leaf(random, ty, element, of);
    }
    let mut part = |ty: &str| {
        let depth = random.next() % depth;
        expression(random, ty, element, of, depth)
    };
    let (a, b) = (part(ty), part(ty));
    let (float, signed, unsigned, condition) =
        (part("f32"), part("i32"), part("u32"), part("bool"));
    let (other_float, other_signed) = (part("f32"), part("i32"));
    let choice = random.next();
    let pick = |of: &[String]| of[choice as usize % of.len()].clone();
    match ty {
        "f32" => pick(&[
            format!("({a} + {b})"),
            format!("({a} - {b})"),
            format!("({a} * {b})"),
            format!("({a} * {a})"),
            format!("({a} / {b})"),
            format!("({a} / 3f)"),
            format!("min({a}, {b})"),
            format!("max({a}, {b})"),
            format!("abs({a})"),
            format!("(-{a})"),
            format!("clamp({a}, -2.5f, 1e10f)"),
            format!("select({a}, {b}, {condition})"),
            format!("f32({signed})"),
            format!("f32({unsigned})"),
            format!("f32({condition})"),
            format!("bitcast<f32>({unsigned})"),
            format!("({a} + 1.5f)"),
        ]),
        "bool" => pick(&[
            format!("({float} < {other_float})"),
            format!("({float} >= {other_float})"),
            format!("({float} == {float})"),
            format!("({float} != {other_float})"),
            format!("({signed} > {other_signed})"),
            format!("({unsigned} <= 77u)"),
            format!("({a} && {b})"),
            format!("({a} || {b})"),
            format!("({a} != {b})"),
            format!("(!{a})"),
            format!("bool({float})"),
            format!("bool({unsigned})"),
        ]),
        _ => {
            let (u, to_self) = if ty == "u32" { ("u", "u32") } else { ("i", "i32") };
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
                format!("({a} << ({unsigned} & 31u))"),
                format!("({a} >> ({unsigned} & 31u))"),
                format!("min({a}, {b})"),
                format!("max({a}, 3{u})"),
                format!("abs({a})"),
                format!("countOneBits({a})"),
                format!("countLeadingZeros({a})"),
                format!("countTrailingZeros({a})"),
                format!("reverseBits({a})"),
                format!("select({a}, {b}, {condition})"),
                format!("{to_self}({float})"),
                format!("bitcast<{to_self}>({float})"),
                format!("{to_self}({condition})"),
                format!("{to_self}({unsigned})"),
                format!("bitcast<{to_self}>({signed})"),
            ])
        }
    }
}

fn leaf(random: &mut Random, ty: &str, element: &str, of: &[&str]) -> String {
    let name = random.one_of(of);
    if random.next().is_multiple_of(8) && ty != "bool" {
        return match ty {
            "f32" => "f32(i)".to_owned(),
            _ => format!("{ty}(i)"),
        };
    }
    match ty {
        "bool" if element == "f32" => format!("({name} < 0.75f)"),
        "bool" => format!("(({name} & 2) != 0)"),
        _ if ty == element => name.to_owned(),
        _ if random.next().is_multiple_of(2) => format!("{ty}({name})"),
        _ => format!("bitcast<{ty}>({name})"),
    }
}
