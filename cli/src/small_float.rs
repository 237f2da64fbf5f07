//! Floats of 16 bits.

/// How the bits of a float of 16 bits are shared out. The highest is the sign.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    fraction_bits: u32,
    /// The exponent of the smallest normal numbers, and of subnormal ones.
    min_exponent: i32,
    infinity: u16,
}

pub const FLOAT16: Format = Format { fraction_bits: 10, min_exponent: -14, infinity: 0x7c00 };
pub const BFLOAT16: Format = Format { fraction_bits: 7, min_exponent: -126, infinity: 0x7f80 };

const SIGN: u16 = 0x8000;

impl Format {
    /// The value, as an f32, which has all of them.
    pub fn decode(self, bits: u16) -> f32 {
        let magnitude = bits & !SIGN;
        let sign = u32::from(bits & SIGN) << 16;
        let field = i32::from(magnitude >> self.fraction_bits);
        if magnitude >= self.infinity {
            let fraction = u32::from(magnitude - self.infinity) << (23 - self.fraction_bits);
            return f32::from_bits(sign | 0x7f80_0000 | fraction);
        }
        let implicit = if field == 0 { 0 } else { 1 << self.fraction_bits };
        let significand = magnitude & ((1 << self.fraction_bits) - 1) | implicit;
        let exponent = self.min_exponent + field.max(1) - 1 - self.fraction_bits.cast_signed();
        // The quantum may be no normal f32: both factors are.
        let half = exponent / 2;
        let value = f32::from(significand) * power_of_two(half) * power_of_two(exponent - half);
        f32::from_bits(value.to_bits() | sign)
    }

    /// The value that is nearest to a float32's, of these bits. A NaN keeps its sign, and what there is room for of its other bits: in the total
    /// order they matter.
    pub fn narrowed(self, bits: u32) -> u16 {
        let value = f32::from_bits(bits);
        if !value.is_nan() {
            return self.encode(value.into());
        }
        let sign = if value.is_sign_negative() { SIGN } else { 0 };
        let fraction = (bits & 0x007f_ffff) >> (23 - self.fraction_bits);
        let fraction = u16::try_from(fraction).expect("less than 16 bits");
        // What has no bit left is a NaN still.
        let quiet = if fraction == 0 { 1 << (self.fraction_bits - 1) } else { 0 };
        sign | self.infinity | fraction | quiet
    }

    /// The nearest value, ties to even; every NaN becomes the quiet one without a sign.
    pub fn encode(self, value: f64) -> u16 {
        let sign = if value.is_sign_negative() { SIGN } else { 0 };
        if value.is_nan() {
            return self.infinity | 1 << (self.fraction_bits - 1);
        }
        let magnitude = value.abs();
        if magnitude.is_infinite() {
            return sign | self.infinity;
        }
        let field = i32::try_from(magnitude.to_bits() >> 52).expect("11 bits");
        let exponent = (field - 1023).max(self.min_exponent);
        let quantum = 2f64.powi(exponent - self.fraction_bits.cast_signed());
        // Below 2^12, and exact: a quantum is a power of two.
        let steps = (magnitude / quantum).round_ties_even();
        let normals = (exponent - self.min_exponent) << self.fraction_bits;
        #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
        let bits = normals + steps as i32;
        sign | u16::try_from(bits).unwrap_or(u16::MAX).min(self.infinity)
    }

    /// The shortest decimal that reads back to the same value.
    pub fn decimal(self, bits: u16) -> String {
        let value = f64::from(self.decode(bits));
        let reads_back = |decimal: &f64| self.encode(*decimal) == bits;
        let shortest = (0..17)
            .map(|digits| format!("{value:.digits$e}").parse().expect("a decimal"))
            .find(reads_back);
        let decimal = format!("{:?}", shortest.unwrap_or(value));
        decimal.strip_suffix(".0").map_or(decimal.clone(), str::to_owned)
    }
}

fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(u32::try_from(exponent + 127).expect("a normal exponent") << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_reads_back() {
        for format in [FLOAT16, BFLOAT16] {
            for bits in 0..=u16::MAX {
                let value = format.decode(bits);
                if value.is_nan() {
                    assert!(bits & !SIGN > format.infinity, "{bits:#x}");
                    assert_eq!(format.decimal(bits), "NaN");
                    assert_eq!(format.narrowed(value.to_bits()), bits);
                } else {
                    assert_eq!(format.encode(value.into()), bits, "{value}");
                    assert_eq!(format.narrowed(value.to_bits()), bits, "{value}");
                    let decimal: f64 = format.decimal(bits).parse().expect("a decimal");
                    assert_eq!(format.encode(decimal), bits, "{decimal}");
                }
            }
        }
    }

    #[test]
    fn known_values() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 2f32.powi(-24)),
            (0x0400, 2f32.powi(-14)),
        ] {
            assert_eq!(FLOAT16.decode(bits).to_bits(), value.to_bits());
        }
        for (bits, value) in
            [(0x3f80, 1.0), (0x0001, f32::from_bits(0x0001_0000)), (0x7f7f, 3.3895314e38)]
        {
            assert_eq!(BFLOAT16.decode(bits).to_bits(), value.to_bits());
        }
        // NaNs: the canonical one, the total order's end, and one whose bits are all below.
        for (bits, half, brain) in [
            (0x7fc0_0000, 0x7e00, 0x7fc0),
            (0xffff_ffff, 0xffff, 0xffff),
            (0xff80_0001, 0xfe00, 0xffc0),
        ] {
            assert_eq!([FLOAT16, BFLOAT16].map(|format| format.narrowed(bits)), [half, brain]);
        }
        // A tie to even, above it, and beyond the largest.
        assert_eq!(FLOAT16.encode(2049.0), 0x6800);
        assert_eq!(FLOAT16.encode(2051.0), 0x6802);
        assert_eq!(FLOAT16.encode(65519.9), 0x7bff);
        assert_eq!(FLOAT16.encode(65520.0), 0x7c00);
        assert_eq!(FLOAT16.decimal(0x2e66), "0.1");
        assert_eq!(FLOAT16.decimal(0x8000), "-0");
    }
}
