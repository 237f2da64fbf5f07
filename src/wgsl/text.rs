//! WGSL as declarations: where things are in a text, what it declares for the whole module, and other names in place of these.
//!
//! It reads words, numbers and signs, and nothing of what they mean: enough to split a text at module scope, and to rename what is declared
//! there, so that neither the users' names nor the library's meet. A local variable of such a name is renamed, too, wherever it is used, so
//! nothing changes in meaning; members of structs and attributes keep their names.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Sign,
    Space,
    Comment,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// The byte where it begins.
    pub(super) at: usize,
}

impl Token<'_> {
    pub(super) fn is(self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign) && self.text == text
    }

    pub(super) fn is_code(self) -> bool {
        !matches!(self.kind, Kind::Space | Kind::Comment)
    }
}

/// WGSL's line breaks, which end a comment in `//`.
fn is_line_break(c: char) -> bool {
    matches!(c, '\u{a}'..='\u{d}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// WGSL's blanks; two of them are marks of direction.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}')
}

/// All of a text, token after token.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = |is_of: &dyn Fn(char) -> bool| rest.find(|c| !is_of(c)).unwrap_or(rest.len());
        let (kind, end) = if rest.starts_with("//") {
            (Kind::Comment, rest.find(is_line_break).unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (Kind::Comment, comment_len(rest))
        } else if is_blank(first) {
            (Kind::Space, length(&is_blank))
        } else if first.is_ascii_digit() {
            (Kind::Number, length(&is_word))
        } else if is_word(first) {
            (Kind::Word, length(&is_word))
        } else {
            (Kind::Sign, first.len_utf8())
        };
        tokens.push(Token { kind, text: &rest[..end], at: text.len() - rest.len() });
        rest = &rest[end..];
    }
    tokens
}

/// Bytes of the comment in `/*` that a text begins with. Such comments nest.
fn comment_len(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Something declared at module scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// What it declares.
    pub(crate) name: String,
    /// It is a function.
    pub(crate) is_function: bool,
    /// Its text, with the comment right above.
    pub(crate) text: String,
}

/// The declarations of a text.
pub(crate) fn declarations(text: &str) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut begin = Vec::new();
    let mut depth = 0u32;
    let mut has_code = false;
    for token in tokens(text) {
        // A blank line ends a comment that is of no declaration.
        let is_gap = token.kind == Kind::Space && token.text.matches('\n').count() > 1;
        if is_gap && !has_code {
            begin.clear();
            continue;
        }
        if begin.is_empty() && token.kind == Kind::Space {
            continue;
        }
        begin.push(token);
        has_code |= token.is_code();
        match token.text {
            "{" | "(" | "[" if token.kind == Kind::Sign => depth += 1,
            "}" | ")" | "]" if token.kind == Kind::Sign => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && has_code && (token.is(";") || token.is("}")) {
            found.extend(declaration(&begin));
            begin.clear();
            has_code = false;
        }
    }
    found
}

/// A declaration of these tokens; `None` of a directive.
fn declaration(tokens: &[Token<'_>]) -> Option<Declaration> {
    let code: Vec<_> = tokens.iter().filter(|token| token.is_code()).collect();
    let words = ["fn", "struct", "alias", "const", "override", "var"];
    let at = code.iter().position(|token| words.contains(&token.text))?;
    let is_function = code[at].text == "fn";
    let mut rest = code[at + 1..].iter();
    let mut name = rest.next()?;
    if name.is("<") {
        rest.find(|token| token.is(">"))?;
        name = rest.next()?;
    }
    let text = tokens.iter().map(|token| token.text).collect();
    Some(Declaration { name: name.text.to_owned(), is_function, text })
}

impl Declaration {
    /// The same with other names: for each name its new one.
    pub(crate) fn renamed(&self, names: &BTreeMap<String, String>) -> Self {
        let name = names.get(&self.name).unwrap_or(&self.name).clone();
        Self { name, is_function: self.is_function, text: renamed(&self.text, names) }
    }

    /// The type that it is another name of, if it is an alias of an array.
    pub(crate) fn aliased_array(&self) -> Option<Self> {
        let tokens = tokens(&self.text);
        let mut code = tokens.iter().filter(|token| token.is_code());
        let is_alias = code.next()?.is("alias");
        let begin = code.find(|token| token.is("="))?.at + 1;
        let text = self.text[begin..].trim().strip_suffix(';')?;
        (is_alias && text.starts_with("array"))
            .then(|| Self { text: text.to_owned(), ..self.clone() })
    }

    /// The names that it has, its own and those that it uses, if they are declared at module scope.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        each_name(&self.text, |token, is_name| {
            if is_name {
                names.insert(token.to_owned());
            }
        });
        names
    }

    /// The constant's value, if it declares a number, is `value`.
    pub(crate) fn with_number(&self, value: u32) -> Self {
        let mut is_done = false;
        let text = tokens(&self.text).into_iter().map(|token| {
            if token.kind == Kind::Number && !is_done {
                is_done = true;
                return [value.to_string().as_str(), "u"].concat();
            }
            token.text.to_owned()
        });
        Self { text: text.collect(), ..self.clone() }
    }

    /// A pipeline constant as a constant, of this value or of its own.
    pub(crate) fn with_constant(&self, value: Option<f64>) -> Self {
        let is_bool = tokens(&self.text).iter().any(|token| token.is("bool"));
        let value = value.map(|value| match is_bool {
            true => (value != 0.0).to_string(),
            false => format!("{value}u"),
        });
        let mut is_value = false;
        let text = tokens(&self.text).into_iter().map(|token| {
            let is_replaced = is_value && token.is_code();
            is_value = if is_replaced { false } else { is_value || token.is("=") };
            match &value {
                _ if token.is("override") => "const".to_owned(),
                Some(value) if is_replaced => value.clone(),
                _ => token.text.to_owned(),
            }
        });
        Self { text: text.collect(), ..self.clone() }
    }

    /// Whether it is a pipeline constant.
    pub(crate) fn is_override(&self) -> bool {
        tokens(&self.text).iter().find(|token| token.is_code()).is_some_and(|it| it.is("override"))
    }

    /// Whether it is a kernel's entry point.
    pub(super) fn is_entry_point(&self) -> bool {
        self.is_function && tokens(&self.text).iter().any(|token| token.is("compute"))
    }

    /// The words `from`, joined by points, are `to`.
    pub(crate) fn with_path(&self, from: &str, to: &str) -> Self {
        let from: Vec<_> = tokens(from).into_iter().map(|token| token.text).collect();
        let tokens: Vec<_> = tokens(&self.text).into_iter().map(|token| token.text).collect();
        let mut text = String::new();
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at..].starts_with(&from) {
                text.push_str(to);
                at += from.len();
            } else {
                text.push_str(tokens[at]);
                at += 1;
            }
        }
        Self { text, ..self.clone() }
    }
}

/// A text with other names, on the same lines: for each name its new one.
fn renamed(text: &str, names: &BTreeMap<String, String>) -> String {
    let new = |name: &str| names.get(name).map_or(name, String::as_str).to_owned();
    let mut renamed = String::with_capacity(text.len());
    each_name(text, |token, is_name| match is_name {
        true => renamed.push_str(&new(token)),
        false => renamed.push_str(&of_comment(token, &new)),
    });
    renamed
}

/// Calls `see` with each token of a text, and whether it is a name that module scope may have declared.
fn each_name(text: &str, mut see: impl FnMut(&str, bool)) {
    let all = tokens(text);
    let code: Vec<usize> = (0..all.len()).filter(|&at| all[at].is_code()).collect();
    let mut is_name = vec![false; all.len()];
    let mut attribute_ends = 0;
    let mut depth = 0u32;
    // The depth of a struct's members, within one.
    let mut of_members = None;
    for (number, &at) in code.iter().enumerate() {
        let token = all[at];
        let before = number.checked_sub(1).map(|number| all[code[number]]);
        let behind = |count: usize| code.get(number + count).map(|&at| all[at]);
        match token.text {
            "struct" => of_members = Some(depth + 1),
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                of_members = of_members.filter(|&of_members| of_members <= depth);
            }
            "@" => {
                // Its name; and what stands in brackets, if these are words of the attribute's own.
                attribute_ends = number + 2;
                let has_words = ["builtin", "interpolate", "diagnostic"];
                if behind(1).is_some_and(|name| has_words.contains(&name.text)) {
                    let close = code[number..].iter().position(|&at| all[at].is(")"));
                    attribute_ends = close.map_or(code.len(), |close| number + close + 1);
                }
            }
            _ => {}
        }
        let is_member = before.is_some_and(|token| token.is("."))
            || of_members == Some(depth) && behind(1).is_some_and(|token| token.is(":"));
        is_name[at] = token.kind == Kind::Word && !is_member && number >= attribute_ends;
    }
    for (token, is_name) in all.iter().zip(is_name) {
        see(token.text, is_name);
    }
}

/// In a comment, what stands between backticks is code.
fn of_comment(token: &str, new: &impl Fn(&str) -> String) -> String {
    if !token.starts_with("//") && !token.starts_with("/*") {
        return token.to_owned();
    }
    let parts = token.split('`').enumerate();
    let parts =
        parts.map(|(number, part)| if number % 2 == 1 { new(part) } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("`")
}

/// What the names begin with that a user's text declares for the whole module.
pub(crate) const PREFIX: &str = "user_";

/// Gives everything that a valid text declares for the whole module a name that begins with [`PREFIX`], on the same lines. Other names that begin
/// so have it twice, and so none becomes another.
pub(crate) fn with_own_names(text: &str) -> String {
    let declared: BTreeSet<_> = declarations(text).into_iter().map(|one| one.name).collect();
    let mut renamed = String::with_capacity(text.len());
    each_name(text, |token, is_name| {
        if is_name && (declared.contains(token) || token.starts_with(PREFIX)) {
            renamed.push_str(PREFIX);
        }
        renamed.push_str(token);
    });
    renamed
}

/// The byte of the first directive, such as `enable f16;`: they stand before everything else of a module.
pub(crate) fn directive(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut begins = true;
    for token in tokens(text).into_iter().filter(|token| token.is_code()) {
        if depth == 0 && begins && ["enable", "requires", "diagnostic"].contains(&token.text) {
            return Some(token.at);
        }
        depth += match token.text {
            "{" => 1,
            "}" => -1,
            _ => 0,
        };
        begins = matches!(token.text, ";" | "}");
    }
    None
}

/// Whether a text is a name in WGSL that one can go on with.
pub(crate) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// Of the file.\n\n// Of `Pair`.\nstruct Pair {\n    @builtin(size) size: u32,\n    left: size,\n}\n\
        var<workgroup> size: array<u32, 4u>;\nconst N = 7u;\n\n// Uses `size`, which size is not.\nfn f(pair: Pair) -> u32 {\n    \
        let pair = pair.size + size[N]; // `N`\n    return pair;\n}\n@compute @workgroup_size(N) fn g() {}\n";

    #[test]
    fn declarations_are_found() {
        let found = declarations(TEXT);
        let names: Vec<_> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Pair", "size", "N", "f", "g"]);
        assert!(found[0].text.starts_with("// Of `Pair`.\nstruct"));
        assert_eq!(
            found.iter().map(|one| one.is_function).collect::<Vec<_>>(),
            [false, false, false, true, true]
        );
    }

    #[test]
    fn names_change_and_members_do_not() {
        let names = ["Pair", "size", "N", "f"].map(|name| (name.to_owned(), ["a_", name].concat()));
        let renamed: Vec<_> =
            declarations(TEXT).iter().map(|one| one.renamed(&names.clone().into()).text).collect();
        assert_eq!(
            renamed,
            [
                "// Of `a_Pair`.\nstruct a_Pair {\n    @builtin(size) size: u32,\n    left: a_size,\n}",
                "var<workgroup> a_size: array<u32, 4u>;",
                "const a_N = 7u;",
                "// Uses `a_size`, which size is not.\nfn a_f(pair: a_Pair) -> u32 {\n    let pair = pair.size + a_size[a_N]; \
                 // `a_N`\n    return pair;\n}",
                "@compute @workgroup_size(a_N) fn g() {}",
            ]
        );
    }

    #[test]
    fn numbers_and_paths_are_given() {
        let [number, path] = ["const N = 7u * 2u;", "fn f() -> u32 { return x ^ params.zero; }"]
            .map(|text| declarations(text).remove(0));
        assert_eq!(number.with_number(96).text, "const N = 96u * 2u;");
        let [word, flag] = ["// N.\noverride N: u32 = 0u;", "override IS: bool = false;"]
            .map(|text| declarations(text).remove(0));
        assert!(word.is_override() && !number.is_override() && !path.is_override());
        assert_eq!(word.with_constant(Some(2.0)).text, "// N.\nconst N: u32 = 2u;");
        assert_eq!(word.with_constant(None).text, "// N.\nconst N: u32 = 0u;");
        assert_eq!(flag.with_constant(Some(1.0)).text, "const IS: bool = true;");
        assert_eq!(
            path.with_path("params.zero", "a.b.c").text,
            "fn f() -> u32 { return x ^ a.b.c; }"
        );
    }

    #[test]
    fn names_are_names() {
        assert!(["sum", "a", "a_1"].into_iter().all(is_name));
        assert!(!["", "1a", "_a", "a-b", "a b", "ä"].into_iter().any(is_name));
    }

    #[test]
    fn what_is_declared_is_renamed_and_nothing_else() {
        let text = "\
// fn comment
struct Acc { min: u32, Acc_b: vec2<u32> } /* Acc /* nested min */ Acc */
alias V = vec2<u32>;
const k = 0x1fu; const e5f = 1e5f;
fn min(a: Acc, k_: u32) -> Acc { let v = V(a.min, k); return Acc(v.x + max(k_, k), a.Acc_b); }
@must_use fn combine(x: u32) -> u32 { let struct_ = array<u32, 3>(); return min(Acc(x, V()), x).min; }";
        let expected = "\
// fn comment
struct user_Acc { min: u32, Acc_b: vec2<u32> } /* Acc /* nested min */ Acc */
alias user_V = vec2<u32>;
const user_k = 0x1fu; const user_e5f = 1e5f;
fn user_min(a: user_Acc, k_: u32) -> user_Acc { let v = user_V(a.min, user_k); return user_Acc(v.x + max(k_, user_k), a.Acc_b); }
@must_use fn user_combine(x: u32) -> u32 { let struct_ = array<u32, 3>(); return user_min(user_Acc(x, user_V()), x).min; }";
        assert_eq!(with_own_names(text), expected);
        naga::front::wgsl::parse_str(text).expect("it is WGSL");
        naga::front::wgsl::parse_str(expected).expect("and so is this");
    }

    #[test]
    fn no_name_becomes_another() {
        assert_eq!(
            with_own_names("const a = 1; fn f(user_a: i32) -> i32 { return user_a + a; }"),
            "const user_a = 1; fn user_f(user_user_a: i32) -> i32 { return user_user_a + user_a; }"
        );
    }

    #[test]
    fn directives_are_found() {
        assert_eq!(directive("  enable f16;\nfn f() {}"), Some(2));
        assert_eq!(directive("fn f() { } diagnostic(off, derivative_uniformity);"), Some(11));
        assert_eq!(directive("@diagnostic(off, derivative_uniformity) fn f() {}"), None);
        assert_eq!(directive("fn enable() {}"), None);
    }

    /// naga ends such comments in the same places, and so must this: else code would pass for a comment.
    #[test]
    fn every_line_break_ends_a_comment() {
        for end in ["\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let text =
                format!("const a = 1; // a{end}const b = a; fn f() -> i32 {{ return abs(b); }}");
            let own = format!(
                "const user_a = 1; // a{end}const user_b = user_a; fn user_f() -> i32 {{ return abs(user_b); }}"
            );
            assert_eq!(with_own_names(&text), own, "{end:?}");
            naga::front::wgsl::parse_str(&own).expect("it is WGSL");
            assert_eq!(directive(&format!("// a{end}enable f16;")), Some(4 + end.len()), "{end:?}");
        }
        for blank in ["\u{200e}", "\u{200f}"] {
            assert!(tokens(blank).iter().all(|token| token.kind == Kind::Space));
        }
    }
}
