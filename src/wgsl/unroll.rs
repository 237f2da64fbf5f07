//! Loops in WGSL, written turn by turn.

use crate::wgsl::text::{Declaration, Kind, Token, tokens};
use std::collections::BTreeMap;

impl Declaration {
    /// The number that it declares as a constant, if it is written as one.
    pub(crate) fn number(&self) -> Option<u32> {
        let code: Vec<_> = tokens(&self.text).into_iter().filter(|token| token.is_code()).collect();
        match code[..] {
            [word, _, equals, value, end] if word.is("const") && equals.is("=") && end.is(";") => {
                number(value)
            }
            _ => None,
        }
    }

    /// Loops from `0u` up to a bound, if that is one of `numbers`, or written as a number, and at most [`MAX_TURNS`]: turn after turn.
    ///
    /// wgpu counts the turns of every loop in users' modules. Then drivers don't unroll loops, and keep arrays that these go through in
    /// memory instead of registers.
    pub(crate) fn unrolled(&self, numbers: &BTreeMap<String, u32>) -> Self {
        Self { text: unrolled(&tokens(&self.text), numbers), ..self.clone() }
    }
}

/// More turns of a loop are not worth their text.
const MAX_TURNS: u32 = 32;

/// The value of a token such as `7u`.
fn number(token: Token<'_>) -> Option<u32> {
    let digits = token.text.strip_suffix('u').filter(|_| token.kind == Kind::Number)?;
    digits.parse().ok()
}

/// As [`Declaration::unrolled`], of tokens.
fn unrolled(all: &[Token<'_>], numbers: &BTreeMap<String, u32>) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < all.len() {
        match counted_loop(&all[at..], numbers) {
            Some(found) => {
                let body = unrolled(&all[at + found.begin..at + found.end], numbers);
                for turn in 0..found.turns {
                    text.push_str(&format!("{{\n    const {} = {turn}u;{body}}}\n", found.counter));
                }
                at += found.end + 1;
            }
            None => {
                text.push_str(all[at].text);
                at += 1;
            }
        }
    }
    text
}

/// A loop of known turns.
struct CountedLoop<'a> {
    counter: &'a str,
    turns: u32,
    /// The tokens between its braces.
    begin: usize,
    end: usize,
}

/// The loop that begins with the first token.
fn counted_loop<'a>(all: &[Token<'a>], numbers: &BTreeMap<String, u32>) -> Option<CountedLoop<'a>> {
    // Most tokens begin none.
    all.first().filter(|token| token.is("for"))?;
    let code: Vec<usize> =
        (0..all.len()).filter(|&at| all[at].is_code()).take(HEAD.len()).collect();
    let head: Vec<Token<'_>> = code.iter().map(|&at| all[at]).collect();
    let [counter, bound] = [*head.get(3)?, *head.get(9)?];
    let is_head = head.iter().zip(HEAD).all(|(token, sign)| match sign {
        "i" => token.text == counter.text,
        "n" => true,
        _ => token.text == sign,
    });
    let turns = number(bound).or_else(|| numbers.get(bound.text).copied())?;
    if !is_head || head.len() < HEAD.len() || turns > MAX_TURNS {
        return None;
    }
    let begin = code[HEAD.len() - 1] + 1;
    let mut depth = 1;
    let is_end = |token: &Token<'_>| {
        depth += if token.is("{") { 1 } else { -i32::from(token.is("}")) };
        depth == 0
    };
    let end = begin + all[begin..].iter().position(is_end)?;
    let leaves = |token: &Token<'_>| token.is("break") || token.is("continue");
    let is_whole = !all[begin..end].iter().any(leaves);
    is_whole.then_some(CountedLoop { counter: counter.text, turns, begin, end })
}

/// What a loop of known turns begins with: `i` is its counter, `n` how many there are.
const HEAD: [&str; 16] =
    ["for", "(", "var", "i", "=", "0u", ";", "i", "<", "n", ";", "i", "+", "+", ")", "{"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wgsl::text::declarations;

    #[test]
    fn loops_of_known_turns_are_unrolled() {
        let numbers = BTreeMap::from([("N".to_owned(), 2)]);
        let unrolled = |text: &str| declarations(text).remove(0).unrolled(&numbers).text;
        let text = "fn f() { for (var i = 0u; i < N; i++) { a[i] = i; } }";
        let turn = |turn| format!("{{\n    const i = {turn}u; a[i] = i; }}\n");
        assert_eq!(unrolled(text), format!("fn f() {{ {}{} }}", turn(0), turn(1)));
        let nested =
            "fn f() { for (var i = 0u; i < 1u; i++) { for (var j = 0u; j < 2u; j++) { a(); } } }";
        assert_eq!(unrolled(nested).matches("a();").count(), 2);
        for kept in [
            "fn f() { for (var i = 0u; i < M; i++) { a[i] = i; } }",
            "fn f() { for (var i = 0u; i < 33u; i++) { a[i] = i; } }",
            "fn f() { for (var i = 1u; i < N; i++) { a[i] = i; } }",
            "fn f() { for (var i = 0u; j < N; i++) { a[i] = i; } }",
            "fn f() { for (var i = 0u; i < N; i += 2u) { a[i] = i; } }",
            "fn f() { for (var i = 0u; i < N; i++) { if b { break; } } }",
            "fn f() { for (var i = 0u; i < N; i++) { if b { continue; } } }",
        ] {
            assert_eq!(unrolled(kept), kept);
        }
    }
}
