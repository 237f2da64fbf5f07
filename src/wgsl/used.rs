//! The declarations that a module uses, out of all that its parts have.

use crate::wgsl::text::{declarations, tokens};
use std::collections::HashMap;

/// The declarations of `parts` that an entry point or `own` names, or what these name, and so on. Overrides stay, so that the parts alone say
/// which constants a pipeline has. A local variable of a declaration's name counts as a use.
pub(super) fn used(parts: &str, own: &str) -> String {
    let declarations = declarations(parts);
    let places: HashMap<_, _> =
        declarations.iter().enumerate().map(|(at, it)| (it.name.as_str(), at)).collect();
    let mut is_used = vec![false; declarations.len()];
    let roots = declarations.iter().filter(|it| it.is_entry_point() || it.is_override());
    let mut waiting = vec![own];
    waiting.extend(roots.map(|it| it.text.as_str()));
    while let Some(text) = waiting.pop() {
        for token in tokens(text).into_iter().filter(|token| token.is_code()) {
            if let Some(&at) = places.get(token.text)
                && !std::mem::replace(&mut is_used[at], true)
            {
                waiting.push(&declarations[at].text);
            }
        }
    }
    let used = declarations.iter().zip(is_used).filter(|&(_, is_used)| is_used);
    used.map(|(it, _)| it.text.as_str()).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_what_it_uses() {
        let parts = "override O: bool = false;\nconst A = 1u;\nconst B = A;\n// Of C.\nconst C = 2u;\nstruct S {\n    a: u32,\n}\n\
            fn f(s: S) -> u32 {\n    return s.a + B; // C\n}\nfn unused() -> u32 {\n    return f(S(C));\n}\n\
            fn own_uses() {}\n@compute @workgroup_size(1) fn main() {\n    f(S(1u));\n}\n";
        let text = used(parts, "fn of_user() {\n    own_uses();\n}\n");
        let names: Vec<_> = declarations(&text).into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["O", "A", "B", "S", "f", "own_uses", "main"]);
    }
}
