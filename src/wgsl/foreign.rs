//! What a text has that only other languages read as it is meant.

use super::text::{Kind, Token, tokens};

/// Words and signs of other languages, and what to write in WGSL.
const FOREIGN: [(&str, &str); 7] = [
    ("and", "`&&`"),
    ("or", "`||`"),
    ("not", "`!`"),
    ("True", "`true`"),
    ("False", "`false`"),
    ("**", "a product, as `x * x`"),
    ("=", "`==` to compare"),
];

/// The byte of the first of these in a value, which one it is, and what to write.
pub(crate) fn foreign(text: &str) -> Option<(usize, &'static str, &'static str)> {
    let found = |token: Token<'_>| {
        let before = text[..token.at].chars().next_back();
        let behind = &text[token.at + token.text.len()..];
        let is_of_another =
            before.is_some_and(|c| "=<>!+-*/%&|^".contains(c)) || behind.starts_with('=');
        let is_here = |name: &str| match name {
            "**" => token.is("*") && behind.starts_with('*'),
            "=" => token.is("=") && !is_of_another,
            _ => token.is(name),
        };
        let &(name, instead) = FOREIGN.iter().find(|(name, _)| is_here(name))?;
        Some((token.at, name, instead))
    };
    tokens(text).into_iter().find_map(found)
}

/// The byte of a comment that does not end.
pub(crate) fn endless_comment(text: &str) -> Option<usize> {
    let last = tokens(text).pop().filter(|token| token.kind == Kind::Comment)?;
    // What comes behind it is part of it.
    let behind = tokens(&[last.text, "*/"].concat()).first().map_or(0, |token| token.text.len());
    (last.text.starts_with("/*") && behind > last.text.len()).then_some(last.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_other_languages_have_is_found() {
        let found = |text| foreign(text).map(|(at, name, _)| (at, name));
        assert_eq!(found("x > 1 and x < 2"), Some((6, "and")));
        assert_eq!(found("not (x == 1)"), Some((0, "not")));
        assert_eq!(found("x ** 2"), Some((2, "**")));
        assert_eq!(found("x = 1"), Some((2, "=")));
        for text in ["x == 1 || x <= 2 && x >= 3", "x != 4", "x += 1", "android /* = */ + or_x"] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn comments_end() {
        for text in ["x /* a */", "x /* /* */ */", "x // /*", "/**/ x", "x", ""] {
            assert_eq!(endless_comment(text), None, "{text}");
        }
        for text in ["x /* a", "x /*", "x /*/", "x /* /* */"] {
            assert_eq!(endless_comment(text), Some(2), "{text}");
        }
    }
}
