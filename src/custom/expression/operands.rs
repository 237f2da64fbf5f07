//! What operators of expressions take, and the error about operands of other types.

use super::graph::{NAMES, Type};
use crate::{custom::source::Place, error::WgslError};

/// What is shown of an operand at most, in bytes.
const MAX_SHOWN: usize = 40;

/// What an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Numbers,
    Values,
    Integers,
    IntegersOrBools,
    Bools,
    /// An integer, and by how many bits it is moved.
    Distance,
    SignedNumber,
    Bool,
    Integer,
    /// Two of one type, and which of them it is.
    Choice,
}

impl Takes {
    const fn words(self) -> &'static str {
        match self {
            Self::Numbers => "numbers of one type",
            Self::Values => "two values of one type",
            Self::Integers => "two integers of one type",
            Self::IntegersOrBools => "two integers or bools of one type",
            Self::Bools => "two bools",
            Self::Distance => "an integer and a u32",
            Self::SignedNumber => "a number with a sign",
            Self::Bool => "a bool",
            Self::Integer => "an integer",
            Self::Choice => "two values of one type, and a bool",
        }
    }
}

pub(super) const fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::U32 | Type::I64 | Type::U64)
}

/// What stands for an operand that is too long to be shown.
const UNSHOWN: &str = "an operand";

/// An operand as it is written, and its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand<'t> {
    pub(super) text: &'t str,
    pub(super) ty: Type,
    /// It is a comparison without parentheses, as the right one of `x & 1 == 0`, which C reads in the same way.
    pub(super) is_bare_comparison: bool,
}

/// A text as errors show it.
pub(super) fn shown(text: &str) -> &str {
    let is_shown = !text.is_empty() && text.len() <= MAX_SHOWN && !text.contains('\n');
    if is_shown { text } else { UNSHOWN }
}

/// Whether a function is of an integer's bits.
pub(super) fn is_of_bits(function: &str) -> bool {
    function.starts_with("count") || function == "reverseBits"
}

/// Refuses operands that a binary operator does not take. In a chain the first one is what another operator found that asks for an order.
pub(super) fn check_binary(
    place: Place,
    sign: &str,
    operands: [Operand<'_>; 2],
    is_chain: bool,
) -> Result<(), WgslError> {
    let takes = match sign {
        "==" | "!=" => Takes::Values,
        "&" | "|" => Takes::IntegersOrBools,
        "^" => Takes::Integers,
        "&&" | "||" => Takes::Bools,
        "<<" | ">>" => Takes::Distance,
        _ => Takes::Numbers,
    };
    let [left, right] = operands.map(|operand| operand.ty);
    let is_right = match takes {
        Takes::Numbers => left == right && left != Type::Bool,
        Takes::Integers => left == right && is_integer(left),
        Takes::IntegersOrBools => left == right && (is_integer(left) || left == Type::Bool),
        Takes::Bools => (left, right) == (Type::Bool, Type::Bool),
        Takes::Distance => is_integer(left) && right == Type::U32,
        _ => left == right,
    };
    if is_right {
        return Ok(());
    }
    // Of bools those are told that are none.
    let wrong: Vec<Operand<'_>> = match takes {
        Takes::Bools => operands.into_iter().filter(|operand| operand.ty != Type::Bool).collect(),
        Takes::Distance if is_integer(left) => vec![operands[1]],
        _ => operands.to_vec(),
    };
    let mut error = refused(takes, sign, place, &wrong);
    let better = match sign {
        // As of `1 < x < 3`, which other languages read as it is meant.
        "<" | "<=" | ">" | ">=" if is_chain && right != Type::Bool => {
            Some("compare twice, as in 1 < x && x < 3".to_owned())
        }
        "^" if operands.iter().any(|operand| operand.ty.is_float()) => {
            Some("^ is exclusive or of bits, so for a square write x * x".to_owned())
        }
        "&" | "|" | "^" if operands.iter().any(|operand| operand.is_bare_comparison) => {
            Some(format!("comparisons bind tighter than {sign}, so write as in (x {sign} 1) == 0"))
        }
        _ => None,
    };
    if let (Some(better), WgslError::Operands { advice, .. }) = (better, &mut error) {
        *advice = better;
    }
    Err(error)
}

/// Refuses an operand that a unary operator does not take.
pub(super) fn check_unary(place: Place, sign: &str, operand: Operand<'_>) -> Result<(), WgslError> {
    let ty = operand.ty;
    let (takes, is_right) = match sign {
        "-" => (Takes::SignedNumber, !matches!(ty, Type::U32 | Type::U64 | Type::Bool)),
        "!" | "||" => (Takes::Bool, ty == Type::Bool),
        _ => (Takes::Integer, is_integer(ty)),
    };
    match is_right {
        true => Ok(()),
        false => Err(refused(takes, sign, place, &[operand])),
    }
}

/// Refuses operands that a function does not take.
pub(super) fn check_call(
    place: Place,
    function: &str,
    operands: &[Operand<'_>],
) -> Result<(), WgslError> {
    if let ("select", &[reject, accept, condition]) = (function, operands) {
        return match reject.ty == accept.ty {
            true => check_condition(place, condition),
            false => Err(refused(Takes::Choice, function, place, &[reject, accept])),
        };
    }
    let takes = if is_of_bits(function) { Takes::Integer } else { Takes::Numbers };
    let is_right = |operand: &Operand<'_>| match takes {
        Takes::Integer => is_integer(operand.ty),
        _ => operand.ty != Type::Bool && operand.ty == operands[0].ty,
    };
    match operands.iter().find(|operand| !is_right(operand)) {
        None => Ok(()),
        Some(&wrong) if wrong.ty == operands[0].ty => {
            Err(refused(takes, function, place, &[wrong]))
        }
        Some(&wrong) => Err(refused(takes, function, place, &[operands[0], wrong])),
    }
}

/// Refuses what a `select` can't choose by.
pub(super) fn check_condition(place: Place, condition: Operand<'_>) -> Result<(), WgslError> {
    match condition.ty {
        Type::Bool => Ok(()),
        _ => Err(refused(Takes::Choice, "select", place, &[condition])),
    }
}

/// The error about an element of an input that an expression has not.
pub(super) fn no_input(Place { line, column }: Place, input: usize) -> WgslError {
    let call = match input {
        2 => {
            "give it three inputs by gridfold::Map3 and reduce_map3, or in the program as three files"
        }
        _ => "give it two inputs by gridfold::Map2 and reduce_map2, or in the program as two files",
    };
    WgslError::NoInput { line, column, name: NAMES[input], call }
}

fn refused(
    takes: Takes,
    operator: &str,
    Place { line, column }: Place,
    operands: &[Operand<'_>],
) -> WgslError {
    let mut found: Vec<String> = operands
        .iter()
        .map(|operand| format!("{} is {}", operand.text, operand.ty.name()))
        .collect();
    // As of `x & x`.
    found.dedup();
    WgslError::Operands {
        line,
        column,
        operator: operator.to_owned(),
        takes: takes.words(),
        found: found.join(" and "),
        advice: advice(takes, operands),
    }
}

/// What to write in place of what is there.
fn advice(takes: Takes, operands: &[Operand<'_>]) -> String {
    let text = |operand: &Operand<'_>| match operand.text {
        UNSHOWN => "...".to_owned(),
        text => text.to_owned(),
    };
    let by = |ty: Type, operand: &Operand<'_>| {
        let loss = loss(operand.ty, ty).map(|loss| format!(", which {loss}")).unwrap_or_default();
        format!("convert, as by {}({}){loss}", ty.name(), text(operand))
    };
    let is_bool = |operand: &Operand<'_>| operand.ty == Type::Bool;
    if let [left, right] = operands
        && left.ty != right.ty
        && !is_bool(left)
        && !is_bool(right)
        && !matches!(takes, Takes::Bools | Takes::Distance)
    {
        // A literal takes the other's type, once it names none.
        let plain = literal(right.text, left.ty).or_else(|| literal(left.text, right.ty));
        if let Some(plain) = plain {
            return format!("write {plain}");
        }
        return match rank(left.ty) >= rank(right.ty) {
            true => by(left.ty, right),
            false => by(right.ty, left),
        };
    }
    let find = |is_wrong: &dyn Fn(&Operand<'_>) -> bool| {
        operands.iter().find(|operand| is_wrong(operand)).unwrap_or(&operands[0])
    };
    let compare = || format!("compare, as in {} != 0", text(find(&|operand| !is_bool(operand))));
    let number = operands.iter().map(|operand| operand.ty).find(|&ty| ty != Type::Bool);
    match takes {
        Takes::Bools | Takes::Bool => compare(),
        Takes::Choice if operands.len() == 1 => compare(),
        Takes::Distance => match operands {
            [left, _] if !is_integer(left.ty) => by(Type::I32, left),
            [.., distance] => by(Type::U32, distance),
            [] => String::new(),
        },
        Takes::Integers | Takes::IntegersOrBools | Takes::Integer => {
            let ty = number.filter(|&ty| is_integer(ty)).unwrap_or(Type::I32);
            by(ty, find(&|operand| !is_integer(operand.ty)))
        }
        Takes::SignedNumber => {
            let operand = &operands[0];
            by(if operand.ty.is_wide() { Type::I64 } else { Type::I32 }, operand)
        }
        Takes::Numbers | Takes::Values | Takes::Choice => {
            by(number.unwrap_or(Type::U32), find(&is_bool))
        }
    }
}

/// What a conversion loses.
const fn loss(from: Type, to: Type) -> Option<&'static str> {
    match (from, to) {
        (Type::I32 | Type::U32 | Type::I64 | Type::U64, Type::F32) => Some("rounds from 2^24 on"),
        (Type::I64 | Type::U64, Type::F64) => Some("rounds from 2^53 on"),
        (Type::U32, Type::I32) => Some("wraps from 2^31 on"),
        (Type::U64, Type::I64) => Some("wraps from 2^63 on"),
        (Type::I32 | Type::I64, Type::U32 | Type::U64) => Some("wraps below 0"),
        (Type::F32 | Type::F64, Type::I32 | Type::U32 | Type::I64 | Type::U64) => {
            Some("drops fractions")
        }
        _ => None,
    }
}

/// Of two types the one that has most of the other's numbers comes last.
const fn rank(ty: Type) -> u32 {
    match ty {
        Type::Bool => 0,
        Type::U32 => 1,
        Type::I32 => 2,
        Type::U64 => 3,
        Type::I64 => 4,
        Type::F32 => 5,
        Type::F64 => 6,
    }
}

/// A literal as one of another type, in words: `None` if the text is none, or would be none of that type.
fn literal(text: &str, ty: Type) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_literal = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
    if !is_literal || (text.starts_with('-') && matches!(ty, Type::U32 | Type::U64)) {
        return None;
    }
    let is_hex = digits.starts_with("0x") || digits.starts_with("0X");
    let suffixes: &[&str] =
        if is_hex { &["li", "lu", "i", "u"] } else { &["li", "lu", "lf", "i", "u", "f"] };
    let suffix =
        suffixes.iter().find(|suffix| text.ends_with(**suffix)).copied().unwrap_or_default();
    let plain = text.strip_suffix(suffix)?;
    let is_whole = is_hex || plain.trim_start_matches('-').chars().all(|c| c.is_ascii_digit());
    // As `1f`, which without its letter is an integer.
    match (ty.is_float(), is_whole) {
        (true, true) if !is_hex => Some(format!("{plain}.0 or {plain}")),
        (true, _) | (false, true) => Some(plain.to_owned()),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_other_types() {
        for (text, ty, wanted) in [
            ("1u", Type::F32, Some("1.0 or 1")),
            ("-7i", Type::F64, Some("-7.0 or -7")),
            ("1u", Type::I32, Some("1")),
            ("1lu", Type::U32, Some("1")),
            ("2f", Type::I64, Some("2")),
            ("0.5lf", Type::F32, Some("0.5")),
            ("1e3f", Type::F64, Some("1e3")),
            ("0.5f", Type::I32, None),
            ("1e3f", Type::I32, None),
            ("0xffu", Type::I32, Some("0xff")),
            ("0xffu", Type::F32, Some("0xff")),
            ("-1i", Type::U32, None),
            ("x", Type::F32, None),
            ("x1u", Type::F32, None),
            ("1u + 2u", Type::F32, None),
        ] {
            assert_eq!(literal(text, ty).as_deref(), wanted, "{text} as {ty:?}");
        }
    }
}
