//! What operators of expressions take, and the error about operands of other types.
//!
//! naga finds these, too, but tells them in its own terms, by the numbers that it gives to operations.

use super::graph::{NAMES, Type};
use crate::{
    custom::source::{Place, Source},
    error::WgslError,
};
use naga::{BinaryOperator, Span, UnaryOperator, front::wgsl::ParseError};
use std::ops::Range;

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

const fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::U32 | Type::I64 | Type::U64)
}

/// What stands for an operand that is too long to be shown.
const UNSHOWN: &str = "an operand";

/// An operand as it is written, and its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand<'t> {
    text: &'t str,
    /// Where it is written: not known of the element, the index and parameters, of which naga knows where they are declared.
    range: Option<[usize; 2]>,
    ty: Type,
}

impl<'t> Operand<'t> {
    /// What has a name alone.
    pub(super) fn named(text: &'t str, ty: Type) -> Self {
        Self { text, range: None, ty }
    }

    /// What is written there.
    pub(super) fn written(source: Source<'t>, span: Span, ty: Type) -> Self {
        let range = range_of(source, span);
        let range = range.map(|[begin, end]| [begin, end_of_call(source.text, begin, end)]);
        let text = range.and_then(|[begin, end]| source.text.get(begin..end)).unwrap_or_default();
        let text = text.trim();
        let is_shown = !text.is_empty() && text.len() <= MAX_SHOWN && !text.contains('\n');
        Self { text: if is_shown { text } else { UNSHOWN }, range, ty }
    }
}

/// The bytes of the user's text that a span has.
fn range_of(source: Source<'_>, span: Span) -> Option<[usize; 2]> {
    let range = span.to_range()?;
    let [begin, end] = [range.start, range.end].map(|at| at.checked_sub(source.begin));
    Some([begin?, end?]).filter(|&[begin, end]| begin <= end && end <= source.text.len())
}

/// Of a call naga tells the name alone: this is where its arguments end.
fn end_of_call(text: &str, begin: usize, end: usize) -> usize {
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let behind = text.get(end..).unwrap_or_default();
    if !text.get(begin..end).is_some_and(is_name) || !behind.starts_with('(') {
        return end;
    }
    let mut depth = 0;
    for (at, c) in behind.char_indices() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return end + at + 1;
        }
    }
    end
}

/// Whether an operator asks which of two numbers is less.
pub(super) const fn is_order(op: BinaryOperator) -> bool {
    use BinaryOperator as Op;
    matches!(op, Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual)
}

/// Refuses operands that a binary operator does not take. In a chain the first one is what another operator found that asks for an order.
pub(super) fn check_binary(
    source: Source<'_>,
    op: BinaryOperator,
    span: Span,
    operands: [Operand<'_>; 2],
    is_chain: bool,
) -> Result<(), WgslError> {
    use BinaryOperator as Op;
    let (takes, sign) = match op {
        Op::Add => (Takes::Numbers, "+"),
        Op::Subtract => (Takes::Numbers, "-"),
        Op::Multiply => (Takes::Numbers, "*"),
        Op::Divide => (Takes::Numbers, "/"),
        Op::Modulo => (Takes::Numbers, "%"),
        Op::Equal => (Takes::Values, "=="),
        Op::NotEqual => (Takes::Values, "!="),
        Op::Less => (Takes::Numbers, "<"),
        Op::LessEqual => (Takes::Numbers, "<="),
        Op::Greater => (Takes::Numbers, ">"),
        Op::GreaterEqual => (Takes::Numbers, ">="),
        Op::And => (Takes::IntegersOrBools, "&"),
        Op::InclusiveOr => (Takes::IntegersOrBools, "|"),
        Op::ExclusiveOr => (Takes::Integers, "^"),
        Op::LogicalAnd => (Takes::Bools, "&&"),
        Op::LogicalOr => (Takes::Bools, "||"),
        Op::ShiftLeft => (Takes::Distance, "<<"),
        Op::ShiftRight => (Takes::Distance, ">>"),
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
    let place = between(source, sign, operands, span);
    let mut error = refused(takes, sign, place, &operands);
    // As of `1 < x < 3`, which other languages read as it is meant.
    let is_chain = is_chain && is_order(op) && right != Type::Bool;
    let better = match op {
        _ if is_chain => Some("compare twice, as in 1 < x && x < 3".to_owned()),
        Op::ExclusiveOr if operands.iter().any(|operand| operand.ty.is_float()) => {
            Some("^ is exclusive or of bits, so for a square write x * x".to_owned())
        }
        Op::And | Op::InclusiveOr | Op::ExclusiveOr
            if operands.iter().any(|operand| is_bare_comparison(source, operand)) =>
        {
            Some(format!("comparisons bind tighter than {sign}, so write as in (x {sign} 1) == 0"))
        }
        _ => None,
    };
    if let (Some(better), WgslError::Operands { advice, .. }) = (better, &mut error) {
        *advice = better;
    }
    Err(error)
}

/// Whether an operand is a comparison without parentheses, as the right one of `x & 1 == 0`, which C reads in the same way.
fn is_bare_comparison(source: Source<'_>, operand: &Operand<'_>) -> bool {
    let Some([begin, end]) = operand.range else { return false };
    let part = |range: Range<usize>| source.text.get(range).unwrap_or_default().trim();
    let (before, own, behind) = (part(0..begin), part(begin..end), part(end..source.text.len()));
    let is_in_parentheses =
        own.starts_with('(') || (before.ends_with('(') && behind.starts_with(')'));
    operand.ty == Type::Bool && own.contains(['=', '<', '>']) && !is_in_parentheses
}

/// Refuses an operand that a unary operator does not take.
pub(super) fn check_unary(
    source: Source<'_>,
    op: UnaryOperator,
    span: Span,
    operand: Operand<'_>,
) -> Result<(), WgslError> {
    let ty = operand.ty;
    let (takes, sign, is_right) = match op {
        UnaryOperator::Negate => {
            (Takes::SignedNumber, "-", !matches!(ty, Type::U32 | Type::U64 | Type::Bool))
        }
        UnaryOperator::LogicalNot => (Takes::Bool, "!", ty == Type::Bool),
        UnaryOperator::BitwiseNot => (Takes::Integer, "~", is_integer(ty)),
    };
    match is_right {
        true => Ok(()),
        false => Err(refused(takes, sign, source.place(Some(span)), &[operand])),
    }
}

/// Refuses what is behind a `&&` or `||` of this span, and is no bool: what is before it was looked at.
pub(super) fn check_behind(
    source: Source<'_>,
    span: Span,
    operand: Operand<'_>,
) -> Result<(), WgslError> {
    if operand.ty == Type::Bool {
        return Ok(());
    }
    let [begin, end] = range_of(source, span).unwrap_or_default();
    let end = operand.range.map_or(end, |[begin, _]| begin);
    let text = source.text.get(begin..end).unwrap_or_default();
    let found = ["&&", "||"].map(|sign| text.rfind(sign).map(|at| (at, sign)));
    let (at, sign) = found.into_iter().flatten().max().unwrap_or((0, "&&"));
    let place = Place::of(source.text, begin + at);
    Err(refused(Takes::Bools, sign, place, &[operand]))
}

/// Refuses a `select` of other types: what is chosen from, in its order, and what by.
pub(super) fn check_select(
    source: Source<'_>,
    span: Span,
    from: [Operand<'_>; 2],
    condition: Operand<'_>,
) -> Result<(), WgslError> {
    let place = source.place(Some(span));
    if from[0].ty != from[1].ty {
        return Err(refused(Takes::Choice, "select", place, &from));
    }
    match condition.ty {
        Type::Bool => Ok(()),
        _ => Err(refused(Takes::Choice, "select", place, &[condition])),
    }
}

/// The same about what naga refuses while it reads `whole`, which has the text: functions' arguments, and distances of shifts. `None` about all else.
pub(super) fn of_parsing(source: Source<'_>, whole: &str, error: &ParseError) -> Option<WgslError> {
    let message = error.message();
    let labels: Vec<(Span, &str)> = error.labels().collect();
    let operand = |&(span, label): &(Span, &str)| {
        let ty = type_in(label)?;
        Some(match range_of(source, span) {
            Some(_) => Operand::written(source, span, ty),
            None => Operand::named(whole.get(span.to_range()?)?, ty),
        })
    };
    let &(first, _) = labels.first()?;
    let place = source.place(Some(first));
    if message.starts_with("inconsistent type passed as argument") {
        let [_, argument, before] = &labels[..] else { return None };
        let operands = [operand(before)?, operand(argument)?];
        return Some(refused(Takes::Numbers, quoted(message)?, place, &operands));
    }
    if message.starts_with("wrong type passed as argument") {
        let [_, argument] = &labels[..] else { return None };
        let function = quoted(message)?;
        let is_of_bits = function.starts_with("count") || function == "reverseBits";
        let takes = if is_of_bits { Takes::Integer } else { Takes::Numbers };
        return Some(refused(takes, function, place, &[operand(argument)?]));
    }
    if message.starts_with("type mismatch for reject and accept values") {
        let [reject, accept] = &labels[..] else { return None };
        let operands = [operand(reject)?, operand(accept)?];
        return Some(refused(Takes::Choice, "select", place, &operands));
    }
    if message.starts_with("automatic conversions cannot convert elements of") {
        // The first label is the whole shift's.
        let [_, distance] = &labels[..] else { return None };
        let distance = operand(distance)?;
        let [begin, end] = range_of(source, first)?;
        let text = source.text.get(begin..distance.range.map_or(end, |[begin, _]| begin))?;
        let signs = ["<<", ">>"].into_iter();
        let (at, sign) = signs.filter_map(|sign| Some((text.rfind(sign)?, sign))).max()?;
        return Some(refused(
            Takes::Distance,
            sign,
            Place::of(source.text, begin + at),
            &[distance],
        ));
    }
    None
}

/// The error about what naga finds no definition of: an element of an input that an expression has not, or any other name.
pub(super) fn of_unknown_name(
    source: Source<'_>,
    inputs: u32,
    error: &ParseError,
) -> Option<WgslError> {
    if !error.message().starts_with("no definition in scope for identifier") {
        return None;
    }
    let (span, _) = error.labels().next()?;
    let name = source.written(span)?;
    let Place { line, column } = source.place(Some(span));
    let number = NAMES.iter().position(|&known| known == name);
    let Some(number) = number.filter(|&number| number >= inputs as usize) else {
        return Some(WgslError::UnknownName { line, column, name: name.to_owned() });
    };
    let name = NAMES[number];
    let call = match number {
        2 => {
            "give it three inputs by gridfold::Map3 and reduce_map3, or in the program as three files"
        }
        _ => "give it two inputs by gridfold::Map2 and reduce_map2, or in the program as two files",
    };
    Some(WgslError::NoInput { line, column, name, call })
}

/// What a message has between the last two of its backticks.
fn quoted(message: &str) -> Option<&str> {
    message.rsplit('`').nth(1)
}

/// The type that a label of naga's ends with, or names before a comma.
fn type_in(label: &str) -> Option<Type> {
    let (_, rest) = label.split_once("type ")?;
    let name = rest.split([',', ' ']).next()?.trim_matches('`');
    let all = [Type::F32, Type::I32, Type::U32, Type::F64, Type::I64, Type::U64, Type::Bool];
    all.into_iter().find(|ty| ty.name() == name)
}

/// Where a sign stands between its operands: else where all begins. What is no more than a name, or in parentheses, has no sign.
fn between(source: Source<'_>, sign: &str, operands: [Operand<'_>; 2], whole: Span) -> Place {
    let [begin, end] = range_of(source, whole).unwrap_or_default();
    let [left, right] = operands.map(|operand| operand.range);
    let from = left.map_or(begin, |[_, end]| end);
    let to = right.map_or(end, |[begin, _]| begin);
    let found = source.text.get(from..to).and_then(|text| text.find(sign));
    Place::of(source.text, found.map_or(begin, |at| from + at))
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
        format!("convert, as by {}({})", ty.name(), text(operand))
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

    #[test]
    fn types_that_naga_names() {
        assert_eq!(type_in("argument #2 has type u32"), Some(Type::U32));
        assert_eq!(type_in("argument #2 has type `u32`"), Some(Type::U32));
        assert_eq!(type_in("this argument has type f32, which constrains others"), Some(Type::F32));
        assert_eq!(type_in("reject value of type `bool`"), Some(Type::Bool));
        assert_eq!(type_in("this expression has type i32"), Some(Type::I32));
        assert_eq!(type_in("has type `{AbstractFloat}`"), None);
        assert_eq!(type_in(""), None);
    }
}
