//! WGSL as tokens and declarations, without comments: what a change to a comment leaves as it is.

/// The tokens of a text. Two texts that mean different things have different ones.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else {
            let length = token(rest, first);
            tokens.push(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a comment that may have others in it.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        at += match rest {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of the token that a text begins with.
fn token(text: &str, first: char) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if first.is_ascii_digit() {
        // Also `1.5`, and the sign of `1e-3`.
        let mut before = first;
        let is_hexadecimal = text.starts_with("0x");
        return length_while(text, |c| {
            let exponent = if is_hexadecimal { ['p', 'P'] } else { ['e', 'E'] };
            let is_sign = matches!(c, '+' | '-') && exponent.contains(&before);
            before = c;
            is_word(c) || c == '.' || is_sign
        });
    }
    if is_word(first) {
        return length_while(text, is_word);
    }
    // Operators as long as they stand together: `a & &b` is not `a && b`.
    let is_operator = |c: char| "+-*/%&|^~!<>=".contains(c);
    if is_operator(first) {
        let length = length_while(text, is_operator);
        let comment = |begin: &str| text[..length].find(begin);
        return comment("//").into_iter().chain(comment("/*")).min().unwrap_or(length);
    }
    first.len_utf8()
}

fn length_while(text: &str, mut belongs: impl FnMut(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// A declaration of a module: a function, a type, a variable, a constant, or a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration<'t> {
    /// None of directives and assertions.
    pub name: Option<&'t str>,
    /// Whether it is a pipeline constant.
    pub is_override: bool,
    /// All of it.
    pub tokens: Vec<&'t str>,
}

/// The declarations of a text, in their order.
pub fn declarations(text: &str) -> Vec<Declaration<'_>> {
    let mut declarations = Vec::new();
    let mut depth = 0;
    let mut own = Vec::new();
    for token in tokens(text) {
        own.push(token);
        match token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(token, ";" | "}") {
            let tokens = std::mem::take(&mut own);
            if tokens != [";"] {
                declarations.push(declaration(tokens));
            }
        }
    }
    declarations
}

fn declaration(tokens: Vec<&str>) -> Declaration<'_> {
    let keyword = tokens.iter().position(|token| {
        matches!(*token, "fn" | "struct" | "var" | "const" | "override" | "alias")
    });
    let name = keyword.and_then(|at| {
        // `var<storage, read_write> name`.
        let behind = match tokens.get(at + 1) {
            Some(&"<") => at + 1 + tokens[at..].iter().position(|&token| token == ">")?,
            _ => at + 1,
        };
        tokens.get(behind).copied()
    });
    let is_override = keyword.is_some_and(|at| tokens[at] == "override");
    Declaration { name, is_override, tokens }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_are_no_tokens() {
        let text = "/* a /* b */ c */ let x = 1.5e-3 + 0x1p-2f; // x\nif (a<=b&&c) { x += y/z; }";
        let found = tokens(text).join(" ");
        assert_eq!(found, "let x = 1.5e-3 + 0x1p-2f ; if ( a <= b && c ) { x += y / z ; }");
        assert_eq!(tokens("a/**/b //"), ["a", "b"]);
        assert_eq!(tokens("a +/*// x */ b"), ["a", "+", "b"]);
        assert_eq!(tokens("a//\nb"), tokens("a b"));
        assert_ne!(tokens("a & &b"), tokens("a && b"));
        assert_ne!(tokens("1-x"), tokens("1e-x"));
        assert_eq!(tokens("é/* never closed"), ["é"]);
    }

    #[test]
    fn declarations_have_names() {
        let text = "enable subgroups; struct S { a: u32, b: array<u32, 4> } ; const N = 4u;
            @group(0) @binding(1) var<storage, read_write> out: array<u32>; var<private> p: S;
            @id(3) override WORDS: u32 = 1u; alias Word = u32; const_assert N > 1u;
            @compute @workgroup_size(N, 1) fn main() { for (;;) { break; } }";
        let found: Vec<_> = declarations(text).iter().map(|it| (it.name, it.is_override)).collect();
        let named = |name| (Some(name), false);
        let wanted = [
            (None, false),
            named("S"),
            named("N"),
            named("out"),
            named("p"),
            (Some("WORDS"), true),
            named("Word"),
            (None, false),
            named("main"),
        ];
        assert_eq!(found, wanted);
    }
}
