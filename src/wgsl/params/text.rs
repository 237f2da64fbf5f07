//! The sections of params.wgsl that are written from the words.

use super::{COMMON, FLAGS, Named, Own, Params};
use std::fmt::Write;

/// Each section: the `Params` of each primitive, and one without any's own words; the flags; a row of a table, which is a reduction's `Params`; and where in
/// `Params` each word is.
pub(in crate::wgsl) fn texts() -> impl Iterator<Item = (&'static str, String)> {
    let structs = Own::ALL.iter().map(|&(section, about, own)| (section, structure(about, own)));
    let common = ("params.wgsl@common", structure(&[" Parameters of any dispatch."], &[]));
    structs.chain([
        common,
        ("params.wgsl@flags", flags()),
        ("params.wgsl@table", table()),
        ("params.wgsl@places", places()),
    ])
}

/// The comment, each line behind an indent.
fn comment(text: &mut String, indent: &str, lines: &[&str]) {
    for line in lines {
        text.extend([indent, "//", line, "\n"]);
    }
}

/// `struct Params`: the common words, and a primitive's own.
fn structure(about: &[&str], own: &[Named]) -> String {
    let mut text = String::new();
    comment(&mut text, "", about);
    text.push_str("struct Params {\n");
    for (name, lines) in COMMON.iter().chain(own) {
        comment(&mut text, "    ", lines);
        text.extend(["    ", name, ": u32,\n"]);
    }
    text.push_str("}\n");
    text
}

/// `FLAG_*`.
fn flags() -> String {
    let mut text = String::new();
    for ((name, lines), bit) in FLAGS {
        comment(&mut text, "", lines);
        // A string takes all that is written.
        _ = writeln!(text, "const FLAG_{name} = {}u;", 1u32 << bit);
    }
    text
}

/// `params_of_words`.
fn table() -> String {
    let words: String =
        (0..Params::WORDS).map(|word| format!("        words[{word}],\n")).collect();
    format!(
        "// Words of a row of a table that has `Params`.\nconst PARAM_WORDS = {}u;\n
fn params_of_words(words: array<u32, PARAM_WORDS>) -> Params {{
    return Params(\n{words}    );\n}}\n",
        Params::WORDS
    )
}

/// `PARAM_*` and the like: the place of each word in `Params`.
fn places() -> String {
    let mut text =
        format!("// Where each parameter is.\nconst PARAM_WORDS = {}u;\n", Params::WORDS);
    let mut write = |prefix: &str, first: usize, words: &[Named]| {
        for (place, (name, _)) in (first..).zip(words) {
            let (prefix, name) = (prefix.to_uppercase(), name.to_uppercase());
            _ = writeln!(text, "const {prefix}_{name} = {place}u;");
        }
    };
    write("param", 0, COMMON);
    for (section, _, own) in Own::ALL {
        let (_, prefix) = section.split_once('@').expect("a section");
        write(prefix, COMMON.len(), own);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_fit() {
        for (section, _, own) in Own::ALL {
            assert!(COMMON.len() + own.len() <= Params::WORDS, "{section}");
        }
        // A table's rows are made of all words.
        let (_, _, reduction) = Own::ALL[0];
        assert_eq!(COMMON.len() + reduction.len(), Params::WORDS);
    }

    #[test]
    fn flags_have_bits_of_their_own() {
        for (place, ((name, _), bit)) in (0..).zip(FLAGS) {
            assert_eq!(place, *bit, "{name}");
        }
    }
}
