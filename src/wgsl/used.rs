//! Finds the declarations that a module uses.

use crate::wgsl::text::{Declaration, declarations};
use std::collections::{BTreeSet, HashMap};

/// The declarations of `parts` that an entry point or `own` names, or what these name, and so on. Overrides stay, so that the parts alone say
/// which constants a pipeline has.
pub(super) fn used(parts: &str, own: &str) -> String {
    let parts = declarations(parts);
    let own = declarations(own);
    let roots = parts.iter().filter(|it| it.is_entry_point() || it.is_override());
    let roots = roots.map(|it| it.name.clone()).chain(own.iter().flat_map(Declaration::names));
    let reached = reached(&parts, roots);
    let used = parts.iter().filter(|it| reached.contains(it.name.as_str()));
    used.map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// The names of declarations that are among `roots`, or that these declarations name, and so on. A local variable of such a name counts as a use.
pub(crate) fn reached(
    declarations: &[Declaration],
    roots: impl IntoIterator<Item = String>,
) -> BTreeSet<&str> {
    let places: HashMap<_, _> = declarations.iter().map(|it| (it.name.as_str(), it)).collect();
    let mut reached = BTreeSet::new();
    let mut open: Vec<String> = roots.into_iter().collect();
    while let Some(name) = open.pop() {
        if let Some(&declaration) = places.get(name.as_str())
            && reached.insert(declaration.name.as_str())
        {
            open.extend(declaration.names());
        }
    }
    reached
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
