//! Literals: numbers as they are written, and as elements of a type.

use super::graph::Type;

/// A number whose type is not decided, unless its letters name one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Integer(i128),
    /// A quotient of integers, whose fraction was dropped.
    Quotient(i128),
    Float(f64),
}

/// What is wrong with a quotient of integers beside floats.
const DROPPED: &str =
    "is a quotient of integers, whose fraction is dropped: write one of them with a point, as 1.0";

/// Reads a number, and the type that its letters name. Else says what is wrong, and what to write.
pub(super) fn read(text: &str) -> Result<(Number, Option<Type>), String> {
    let (digits, letters) = text.split_at(digits_len(text));
    let is_hex = is_hex(digits);
    let has_fraction =
        digits.contains('.') || digits.contains(if is_hex { ['p', 'P'] } else { ['e', 'E'] });
    let ty = match letters {
        "" => None,
        "i" if !has_fraction => Some(Type::I32),
        "u" if !has_fraction => Some(Type::U32),
        "li" if !has_fraction => Some(Type::I64),
        "lu" if !has_fraction => Some(Type::U64),
        "f" => Some(Type::F32),
        "lf" => Some(Type::F64),
        _ => return Err(wrong_letters(text, digits, letters)),
    };
    let number = if has_fraction || ty.is_some_and(Type::is_float) {
        let value = if is_hex { hex_float(digits) } else { digits.parse().ok() };
        Number::Float(
            value.ok_or_else(|| format!("`{text}` has too many digits: write it in decimal"))?,
        )
    } else {
        if digits.len() > 1 && digits.starts_with('0') && !is_hex {
            let plain = digits.trim_start_matches('0');
            let plain = if plain.is_empty() { "0" } else { plain };
            return Err(format!("`{text}` begins with a 0: write {plain}{letters}"));
        }
        if is_hex && digits.len() == 2 {
            return Err(format!("`{text}` has no digits: write 0, or digits behind `{digits}`"));
        }
        let value = match digits.get(2..).filter(|_| is_hex) {
            Some(hex) => i128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        Number::Integer(value.map_err(|_| {
            format!("`{text}` is no number of any type: write a smaller one, or 1e40 and the like")
        })?)
    };
    match ty {
        Some(ty) => number.bits(ty, text).map(|_| (number, Some(ty))),
        None => Ok((number, None)),
    }
}

fn is_hex(digits: &str) -> bool {
    digits.starts_with("0x") || digits.starts_with("0X")
}

/// Bytes of a number without the letters behind it.
fn digits_len(text: &str) -> usize {
    let (mut at, is_digit, exponent): (_, fn(&char) -> bool, _) = match is_hex(text) {
        true => (2, char::is_ascii_hexdigit, ['p', 'P']),
        false => (0, char::is_ascii_digit, ['e', 'E']),
    };
    let digits = |from: usize, is_digit: fn(&char) -> bool| {
        text[from..].chars().take_while(is_digit).count()
    };
    at += digits(at, is_digit);
    if text[at..].starts_with('.') {
        at += 1;
        at += digits(at, is_digit);
    }
    if text[at..].starts_with(exponent) {
        let sign = usize::from(text[at + 1..].starts_with(['+', '-']));
        let len = digits(at + 1 + sign, char::is_ascii_digit);
        at += if len > 0 { 1 + sign + len } else { 0 };
    }
    at
}

/// Of as many digits as a float has.
fn hex_float(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = digits[2..].split_once(['p', 'P']).unwrap_or((&digits[2..], "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let places = i32::try_from(4 * fraction.len()).ok()?;
    let significand = u64::from_str_radix(&[whole, fraction].concat(), 16).ok()?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(places)?;
    #[expect(clippy::cast_precision_loss, reason = "it has 53 bits")]
    let value = (significand < 1 << 53).then_some(significand as f64)?;
    // By two steps: each is exact, but for numbers that are too small.
    let half = exponent.clamp(-2000, 2000) / 2;
    let value =
        value * f64::from(half).exp2() * f64::from(exponent.clamp(-2000, 2000) - half).exp2();
    (value.is_normal() || significand == 0).then_some(value)
}

/// What is wrong with the letters behind a number.
fn wrong_letters(text: &str, digits: &str, letters: &str) -> String {
    let plain = text.replace('_', "");
    let of_radix = |radix| plain.get(2..).and_then(|it| u64::from_str_radix(it, radix).ok());
    let other = match plain.get(..2) {
        Some("0b" | "0B") => of_radix(2),
        Some("0o" | "0O") => of_radix(8),
        _ => None,
    };
    let right = match letters {
        _ if let Some(number) = other => number.to_string(),
        _ if digits_len(&plain) == plain.len() => plain,
        "x" | "y" | "z" => format!("{digits} * {letters}"),
        "U" => format!("{digits}u"),
        "F" => format!("{digits}f"),
        "l" | "L" | "ll" | "LL" => format!("{digits}li"),
        "ul" | "UL" | "lU" | "LU" | "Lu" | "uL" | "ull" | "ULL" | "llu" | "LLU" => {
            format!("{digits}lu")
        }
        _ => {
            format!("{digits} alone, or with i, u, li, lu, f or lf behind it, which name its type")
        }
    };
    format!("`{text}` is no number: write {right}")
}

impl Number {
    /// Its bits as a number of a type that may have it: else says why it is none, by the name of `text`.
    pub(super) fn bits(self, ty: Type, text: &str) -> Result<u64, String> {
        let none = |has: String| Err(format!("{text} is no {}, which has {has}", ty.name()));
        let number = match self {
            Self::Quotient(_) if ty.is_float() => return Err(format!("{text} {DROPPED}")),
            Self::Quotient(value) => Self::Integer(value),
            number => number,
        };
        #[expect(clippy::cast_precision_loss, reason = "the nearest float, as WGSL says")]
        match (number, ty) {
            (Self::Integer(value), Type::F64) => Ok((value as f64).to_bits()),
            (Self::Integer(value), Type::F32) => Ok((value as f32).to_bits().into()),
            (Self::Integer(value), _) => {
                let [least, most] = range(ty);
                if value < least || value > most {
                    return none(format!("{least} to {most}"));
                }
                let is_wide = ty.is_wide();
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is within the type"
                )]
                Ok(if is_wide { value as u64 } else { u64::from(value as u32) })
            }
            (Self::Float(value), Type::F32) => {
                #[expect(clippy::cast_possible_truncation, reason = "the nearest float")]
                let value = value as f32;
                match value.is_finite() {
                    true => Ok(value.to_bits().into()),
                    false => none(format!("{:e} at most", f32::MAX)),
                }
            }
            (Self::Float(value), _) if value.is_finite() => Ok(value.to_bits()),
            (_, _) => none(format!("{:e} at most", f64::MAX)),
        }
    }

    pub(super) const fn is_integer(self) -> bool {
        !matches!(self, Self::Float(_))
    }

    fn integer(self) -> Option<i128> {
        match self {
            Self::Integer(value) | Self::Quotient(value) => Some(value),
            Self::Float(_) => None,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "the nearest float, as WGSL says")]
    fn float(self) -> f64 {
        match self {
            Self::Integer(value) | Self::Quotient(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Integer(value) => Self::Integer(value.wrapping_neg()),
            Self::Quotient(value) => Self::Quotient(value.wrapping_neg()),
            Self::Float(value) => Self::Float(-value),
        }
    }

    /// What an operator makes of two numbers, or why there is none. `None` if it waits for their type.
    pub(super) fn combined(self, sign: &str, other: Self) -> Option<Result<Self, String>> {
        let too_large = || "is too large for every type: write a smaller number".to_owned();
        let by_zero = || "divides by zero: write another divisor".to_owned();
        let is_quotient = [self, other].iter().any(|it| matches!(it, Self::Quotient(_)));
        let (Some(a), Some(b)) = (self.integer(), other.integer()) else {
            let (a, b) = (self.float(), other.float());
            let value = match sign {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" if b == 0.0 => return Some(Err(by_zero())),
                "/" => a / b,
                _ => return None,
            };
            return Some(match value.is_finite() {
                _ if is_quotient => Err(DROPPED.to_owned()),
                true => Ok(Self::Float(value)),
                false => Err(too_large()),
            });
        };
        let distance = || u32::try_from(b).ok().filter(|&distance| distance < 64);
        let drops = sign == "/" && b != 0 && a.wrapping_rem(b) != 0;
        let value = match sign {
            "/" | "%" if b == 0 => return Some(Err(by_zero())),
            "+" => a.checked_add(b),
            "-" => a.checked_sub(b),
            "*" => a.checked_mul(b),
            "/" => a.checked_div(b),
            "%" => a.checked_rem(b),
            "&" => Some(a & b),
            "|" => Some(a | b),
            "^" => Some(a ^ b),
            "<<" => a.checked_mul(1 << distance()?),
            ">>" => Some(a >> distance()?),
            _ => return None,
        };
        let of = if is_quotient || drops { Self::Quotient } else { Self::Integer };
        Some(value.map(of).ok_or_else(too_large))
    }

    /// What a comparison finds.
    pub(super) fn compared(self, sign: &str, other: Self) -> Option<bool> {
        let order = match (self.integer(), other.integer()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ if [self, other].iter().any(|it| matches!(it, Self::Quotient(_))) => return None,
            _ => self.float().partial_cmp(&other.float())?,
        };
        Some(match sign {
            "==" => order.is_eq(),
            "!=" => order.is_ne(),
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            ">=" => order.is_ge(),
            _ => return None,
        })
    }

    /// What a function makes of numbers, if it is the same for all types.
    pub(super) fn called(name: &str, numbers: &[Self]) -> Option<Self> {
        let both = |is_first: bool, a: Self, b: Self| match (a, b) {
            // Zeros have an order that no comparison tells, and so their type decides.
            _ if a.compared("==", b) == Some(true) => None,
            _ if a.is_integer() == b.is_integer() => Some(if is_first { a } else { b }),
            _ => None,
        };
        let min = |a: Self, b: Self| both(a.compared("<", b)?, a, b);
        let max = |a: Self, b: Self| both(a.compared(">", b)?, a, b);
        match (name, numbers) {
            ("abs", &[a]) if a.float().is_sign_negative() => Some(a.negated()),
            ("abs", &[a]) => Some(a),
            ("min", &[a, b]) => min(a, b),
            ("max", &[a, b]) => max(a, b),
            ("clamp", &[a, low, high]) => min(max(a, low)?, high),
            _ => None,
        }
    }
}

/// The least and the largest integer of a type.
fn range(ty: Type) -> [i128; 2] {
    match ty {
        Type::I32 => [i32::MIN.into(), i32::MAX.into()],
        Type::I64 => [i64::MIN.into(), i64::MAX.into()],
        Type::U64 => [0, u64::MAX.into()],
        _ => [0, u32::MAX.into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_wgsl_has_them() {
        let (integer, float) = (Number::Integer, Number::Float);
        for (text, number, ty) in [
            ("0", integer(0), None),
            ("18446744073709551615", integer(u64::MAX.into()), None),
            ("0xffu", integer(255), Some(Type::U32)),
            ("0Xf", integer(15), None),
            ("7i", integer(7), Some(Type::I32)),
            ("7li", integer(7), Some(Type::I64)),
            ("255lu", integer(255), Some(Type::U64)),
            ("1.5", float(1.5), None),
            ("1.", float(1.0), None),
            (".5f", float(0.5), Some(Type::F32)),
            ("1e5f", float(1e5), Some(Type::F32)),
            ("1E-3lf", float(1e-3), Some(Type::F64)),
            ("2f", float(2.0), Some(Type::F32)),
            ("0x1.8p3", float(12.0), None),
            ("0x1p-1022", float(f64::MIN_POSITIVE), None),
            ("0x.8p0f", float(0.5), Some(Type::F32)),
        ] {
            assert_eq!(read(text), Ok((number, ty)), "{text}");
        }
        for (text, says) in [
            ("2x", "write 2 * x"),
            (".5x", "write .5 * x"),
            ("1_000", "write 1000"),
            ("1e", "write 1 alone"),
            ("1.5u", "write 1.5 alone"),
            ("0x1p-3u", "write 0x1p-3 alone"),
            ("1UL", "write 1lu"),
            ("1.0.0", "write 1.0 alone"),
            ("012", "write 12"),
            ("00", "write 0"),
            ("1e40f", "1e40f is no f32, which has 3.4028235e38 at most"),
            ("1e400lf", "1e400lf is no f64"),
            ("4294967296u", "which has 0 to 4294967295"),
            ("0x80000000i", "is no i32, which has -2147483648 to 2147483647"),
            ("0x1p99999", "too many digits"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
