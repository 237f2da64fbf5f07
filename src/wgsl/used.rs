//! Finds the declarations that a module uses.

use crate::wgsl::text::{Declaration, declarations};
use std::collections::{BTreeSet, HashMap};

/// A declaration, and what is known of it once it is read.
#[derive(Debug)]
pub(super) struct Known {
    declaration: Declaration,
    names: BTreeSet<String>,
    /// It is an entry point, or an override: these stay, so that the parts alone say which constants a pipeline has.
    is_root: bool,
}

/// Reads a text.
pub(super) fn known(text: &str) -> Vec<Known> {
    let of = |declaration: Declaration| Known {
        names: declaration.names(),
        is_root: declaration.is_entry_point() || declaration.is_override(),
        declaration,
    };
    declarations(text).into_iter().map(of).collect()
}

/// The text of the declarations that an entry point or `own` names, or that these name, and so on.
pub(super) fn used<'a>(parts: impl Iterator<Item = &'a Known> + Clone, own: &str) -> String {
    let own: Vec<_> = declarations(own).iter().map(Declaration::names).collect();
    let roots = parts.clone().filter(|it| it.is_root).map(|it| it.declaration.name.as_str());
    let roots = roots.chain(own.iter().flatten().map(String::as_str));
    let reached = reached(parts.clone().map(|it| (it.declaration.name.as_str(), &it.names)), roots);
    let used = parts.filter(|it| reached.contains(it.declaration.name.as_str()));
    used.map(|it| it.declaration.text.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// The declarations, each with the names in it, that are among `roots`, or that these name, and so on. A local variable of a declaration's name counts
/// as a use.
pub(crate) fn reached<'a>(
    declarations: impl Iterator<Item = (&'a str, &'a BTreeSet<String>)>,
    roots: impl Iterator<Item = &'a str>,
) -> BTreeSet<&'a str> {
    let names: HashMap<_, _> = declarations.collect();
    let mut reached = BTreeSet::new();
    let mut open: Vec<_> = roots.collect();
    while let Some(name) = open.pop() {
        if let Some(others) = names.get(name)
            && reached.insert(name)
        {
            open.extend(others.iter().map(String::as_str));
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
        let parts = known(parts);
        let text = used(parts.iter(), "fn of_user() {\n    own_uses();\n}\n");
        let names: Vec<_> = declarations(&text).into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["O", "A", "B", "S", "f", "own_uses", "main"]);
    }
}
