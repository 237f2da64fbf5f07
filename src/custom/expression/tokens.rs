//! Words, numbers and signs of an expression.

use super::foreign;
use crate::{custom::source::Place, error::WgslError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Sign,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// The byte where it begins.
    pub(super) at: usize,
}

impl Token<'_> {
    pub(super) fn is(self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }

    pub(super) fn end(self) -> usize {
        self.at + self.text.len()
    }
}

/// Signs that expressions have.
const SIGNS: [&str; 25] = [
    "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^", "<",
    ">", "!", "~", "(", ")", "[", "]", ",",
];

fn is_of_word(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || c == '_'
}

/// All of a text. A sign that only other languages have is refused here, wherever it is: nothing behind it can mean what it seems to.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, WgslError> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let is_behind_value = tokens.last().is_some_and(|before| {
            before.end() == at && (before.kind != Kind::Sign || before.is(")") || before.is("]"))
        });
        let begins_fraction = first == '.' && !is_behind_value;
        let (kind, len) = if is_of_word(first) && !first.is_ascii_digit() {
            (Kind::Word, rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()))
        } else if first.is_ascii_digit()
            || begins_fraction && rest[1..].starts_with(|c: char| c.is_ascii_digit())
        {
            (Kind::Number, number_len(rest))
        } else {
            (Kind::Sign, sign_len(text, rest)?)
        };
        tokens.push(Token { kind, text: &rest[..len], at });
        rest = rest[len..].trim_start();
    }
    Ok(tokens)
}

/// Bytes of the number that a text begins with, and of the letters right behind it.
fn number_len(text: &str) -> usize {
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let begins_exponent = |c: char| c.eq_ignore_ascii_case(if is_hex { &'p' } else { &'e' });
    let mut before = ' ';
    let end = text.find(|c| {
        let is_sign = matches!(c, '+' | '-') && begins_exponent(before);
        before = c;
        !(is_of_word(c) || c == '.' || is_sign)
    });
    end.unwrap_or(text.len())
}

/// Bytes of the sign that a text ends with, from `rest` on.
fn sign_len(text: &str, rest: &str) -> Result<usize, WgslError> {
    let known = SIGNS
        .into_iter()
        .chain(["."])
        .filter(|sign| rest.starts_with(sign))
        .map(str::len)
        .max()
        .unwrap_or(0);
    let Place { line, column } = Place::of(text, text.len() - rest.len());
    if let Some((found, instead)) = foreign::sign(rest).filter(|(found, _)| found.len() > known) {
        let (found, instead) = (found.to_owned(), instead.to_owned());
        return Err(WgslError::Foreign { line, column, found, instead });
    }
    match (known, rest.chars().next()) {
        (0, Some(first)) => {
            let message = format!("expressions have no `{}`: leave it out", first.escape_debug());
            Err(WgslError::Invalid { line, column, message })
        }
        _ => Ok(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_texts() {
        let of = |text| tokens(text).expect(text).iter().map(|it| it.text).collect::<Vec<_>>();
        assert_eq!(of("x<=-1e-5f*.5"), ["x", "<=", "-", "1e-5f", "*", ".5"]);
        assert_eq!(of("0x1p-3+y.z>>2u"), ["0x1p-3", "+", "y", ".", "z", ">>", "2u"]);
        assert_eq!(of(" 1.-2.5.x\n"), ["1.", "-", "2.5.x"]);
        assert_eq!(of("0xe-1"), ["0xe", "-", "1"]);
        assert_eq!(of("x.5"), ["x", ".", "5"]);
        assert_eq!(of(" \u{a0}\u{2028}"), [""; 0]);
    }
}
