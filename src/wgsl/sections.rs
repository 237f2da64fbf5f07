//! Sections of shader files: declarations that only some modules take.
//!
//! In a file a declaration may begin with `@if(name)`, as in WESL. It is then in the section of that name, and all others are in the one
//! without a name. A module lists sections: `operator/key.wgsl@f32`, and `operator/key.wgsl` for the one without a name.

use std::{borrow::Cow, collections::BTreeMap};

/// The texts of a file's sections, by their names in lists.
///
/// It goes by lines: a declaration begins a line, and ends with a line that begins without a space and ends in `;` or `}`.
/// Comments and blank lines go with the declaration below them, so none stands behind a declaration on its last line, or at the file's end.
pub(super) fn sections(
    file: &'static str,
    text: &'static str,
) -> BTreeMap<Cow<'static, str>, Cow<'static, str>> {
    let mut sections = BTreeMap::new();
    if !text.lines().any(|line| line.starts_with("@if(")) {
        sections.insert(file.into(), text.into());
        return sections;
    }
    let mut above = String::new();
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        if line.starts_with("//") || line.trim().is_empty() {
            above.push_str(line);
            continue;
        }
        let (name, first) = match line.strip_prefix("@if(") {
            None => (Cow::from(file), line),
            Some(rest) => {
                let (section, first) = rest.split_once(") ").expect("a declaration behind `@if`");
                (Cow::from([file, "@", section].concat()), first)
            }
        };
        let section: &mut Cow<'_, str> = sections.entry(name).or_default();
        let section = section.to_mut();
        section.push_str(&above);
        above.clear();
        section.push_str(first);
        if !ends_declaration(line) {
            for line in lines.by_ref() {
                section.push_str(line);
                if ends_declaration(line) {
                    break;
                }
            }
        }
    }
    debug_assert!(above.trim().is_empty(), "{file} ends with a comment");
    sections
}

fn ends_declaration(line: &str) -> bool {
    !line.starts_with(' ') && line.trim_end().ends_with([';', '}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_in_their_sections() {
        let text = "// The file.\n\n// Of all.\nconst N = 1u;\n\n// Of a.\n@if(a) fn f(\n    x: u32,\n) -> u32 {\n    return x;\n}\n\
            \n@if(b) fn f() {}\n@if(a) alias T = u32;\nfn g() {\n    f();\n}\n";
        let found = sections("file.wgsl", text);
        let found: Vec<_> =
            found.iter().map(|(name, text)| (name.as_ref(), text.as_ref())).collect();
        assert_eq!(
            found,
            [
                ("file.wgsl", "// The file.\n\n// Of all.\nconst N = 1u;\nfn g() {\n    f();\n}\n"),
                (
                    "file.wgsl@a",
                    "\n// Of a.\nfn f(\n    x: u32,\n) -> u32 {\n    return x;\n}\nalias T = u32;\n"
                ),
                ("file.wgsl@b", "\nfn f() {}\n"),
            ]
        );
        assert_eq!(sections("one.wgsl", "fn f() {}\n").len(), 1);
    }
}
