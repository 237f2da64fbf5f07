//! The fences in MSL, HLSL and GLSL, as naga writes them.
//!
//! This reads tokens, and no more of a language than naga uses: a `+`, `-` or `*` is of floats if the name,
//! number or bitcast at either side of it is. Each must be the whole argument of a fence: of a function
//! that is word by word what naga makes of `bitcast<u32>(x) ^ params.zero`. That is less than what WGSL may
//! have: a result with a name of its own, a fence that is no function, and one of vectors are refused.
//!
//! Whether this sees every operation is seen by their number, which is that of the WGSL.

use std::collections::HashSet;

/// What a language calls these things.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    to_bits: &'static str,
    to_float: &'static str,
    zero: &'static str,
}

/// Metal's language.
pub const MSL: Language =
    Language { to_bits: "as_type<uint>", to_float: "as_type<float>", zero: "params.zero" };
/// DX12's language.
pub const HLSL: Language = Language { to_bits: "asuint", to_float: "asfloat", zero: "params.zero" };
/// OpenGL's language.
pub const GLSL: Language = Language {
    to_bits: "floatBitsToUint",
    to_float: "uintBitsToFloat",
    zero: "_group_0_binding_0_cs.zero",
};

/// The words for bitcasts and for `zero` that all languages get here, so that they are one token each.
const TO_BITS: &str = "bits_of_float";
const TO_FLOAT: &str = "float_of_bits";
const ZERO: &str = "uniform_zero";

/// How many float operations a text has, all of which are fenced.
///
/// # Errors
///
/// What is not fenced.
pub fn operations(text: &str, language: Language) -> Result<usize, String> {
    let text = text
        .replace(language.to_bits, TO_BITS)
        .replace(language.to_float, TO_FLOAT)
        .replace(language.zero, ZERO);
    let tokens = tokens(&text);
    let sections = sections(&tokens);
    let fences: HashSet<&str> = sections.iter().filter_map(|section| fence(section)).collect();
    let constants: HashSet<&str> =
        sections.iter().filter(|section| !section.contains(&"{")).flat_map(floats).collect();
    let mut count = 0;
    for section in &sections {
        let mut floats: HashSet<&str> = floats(section).collect();
        floats.extend(&constants);
        let mut calls = HashSet::new();
        for at in 0..section.len() {
            if is_float_operator(section, at, &floats) {
                let call = call_around(section, at).filter(|call| fences.contains(section[*call]));
                // One operation for each.
                if !call.is_some_and(|call| calls.insert(call)) {
                    let around = &section[at.saturating_sub(12)..section.len().min(at + 12)];
                    return Err(format!("no fence: {}", around.join(" ")));
                }
            }
        }
        count += calls.len();
    }
    Ok(count)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Names, numbers, and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            number_length(rest)
        } else {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8())
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// The length of the number that a text begins with, such as `256u`, `1.5` or `1e-20`.
fn number_length(text: &str) -> usize {
    let mut before = ' ';
    let end = text.find(|c| {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
        let is_over = !(is_word(c) || c == '.' || is_sign);
        before = c;
        is_over
    });
    end.unwrap_or(text.len())
}

/// The declarations of the module, functions with their bodies.
fn sections<'a, 't>(tokens: &'a [&'t str]) -> Vec<&'a [&'t str]> {
    let mut depth = 0;
    let ends_section = |token: &&str| {
        match *token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(*token, "}" | ";")
    };
    tokens.split_inclusive(ends_section).collect()
}

/// The names that are declared as floats.
fn floats<'t>(section: &&[&'t str]) -> impl Iterator<Item = &'t str> {
    let declares = |pair: &&[&str]| pair[0] == "float" && pair[1].starts_with(is_word);
    section.windows(2).filter(declares).map(|pair| pair[1])
}

/// The name of a function, if it is a fence.
fn fence<'t>(section: &[&'t str]) -> Option<&'t str> {
    let (["uint", name, "(", "float", x, ..], body) = section.split_at(body_start(section)?) else {
        return None;
    };
    let bits = *body.get(2)?;
    let plain = ["return", TO_BITS, "(", x, ")", "^", bits, ";", "}"];
    let in_parentheses = ["return", "(", TO_BITS, "(", x, ")", "^", bits, ")", ";", "}"];
    let result = body.strip_prefix(&["{", "uint", bits, "=", ZERO, ";"])?;
    (result == plain || result == in_parentheses).then_some(name)
}

fn body_start(section: &[&str]) -> Option<usize> {
    section.iter().position(|&token| token == "{")
}

/// Whether there is a binary operator of floats.
fn is_float_operator(section: &[&str], at: usize, floats: &HashSet<&str>) -> bool {
    if !matches!(section[at], "+" | "-" | "*") || at == 0 || at + 1 == section.len() {
        return false;
    }
    let is_float = |token: &str| {
        let is_number = token.starts_with(|c: char| c.is_ascii_digit());
        floats.contains(token)
            || token == TO_FLOAT
            || (is_number && !token.starts_with("0x") && token.contains(['.', 'e']))
    };
    let before = section[at - 1];
    let left = if before == ")" {
        // What is in parentheses is a bitcast's, if that stands before them.
        opening(section, at - 1).is_some_and(|open| open > 0 && is_float(section[open - 1]))
    } else {
        is_float(before)
    };
    // What follows no operand is a sign.
    let is_binary = before == ")" || before == "]" || before.starts_with(is_word);
    is_binary && before != "return" && (left || is_float(section[at + 1]))
}

/// The parenthesis that the one at `close` closes.
fn opening(section: &[&str], close: usize) -> Option<usize> {
    let mut depth = 0;
    (0..=close).rev().find(|&at| {
        match section[at] {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// The name of the function that is called with the operation at `at`, and no other, as an argument.
fn call_around(section: &[&str], at: usize) -> Option<usize> {
    let mut depth = 0;
    let open = (0..at).rev().find(|&at| {
        match section[at] {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        depth < 0
    })?;
    let before = open.checked_sub(1)?;
    match section[before] {
        // Parentheses around the argument.
        "(" => call_around(section, open),
        word if word.starts_with(is_word) => Some(before),
        _ => None,
    }
}
