//! Users' kernels with collectives: devices that can select them, and whether all functions are in one. permutations.rs has the rules and the
//! languages.

use shader_checks::{collectives, translate::Parsed};

/// Whole subgroups of a known size, of others, and partial ones.
const SIZES: [u32; 2] = [64, 95];

#[test]
fn native_devices_can_select_them() {
    let modules = collectives::all(&SIZES);
    assert!(!modules.is_empty());
    for (name, text) in modules {
        let parsed = Parsed::new(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(parsed.needs_subgroups(), name.contains(", subgroup"), "{name}");
        let constants = gridfold::shader::Constants::None;
        let module = parsed.specialize("main", constants, true).expect("it has no constants");
        assert!(module.is_for_metal() && module.is_for_dx12(), "{name}");
    }
}

/// Every function of the public files is in some module, so that all of them are checked.
#[test]
fn they_have_all_files() {
    let texts: Vec<String> = collectives::all(&SIZES).into_iter().map(|(_, text)| text).collect();
    let sources = gridfold::shader::Sources::default();
    let names = gridfold::shader::Sources::file_names().filter(|name| name.starts_with("public/"));
    let mut count = 0;
    for name in names {
        let text = sources.text(name).expect("it is there");
        // Without names, which differ.
        for line in text.lines().filter(|line| line.starts_with("fn ")) {
            let function = line["fn ".len()..].split('(').next().expect("a name");
            let declared = ["_", function, "("].concat();
            let body = text.split_once(line).expect("it has the line").1;
            let body = body.split_once("\n}").expect("it ends").0;
            let longest =
                body.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|word| word.len());
            let longest = longest.unwrap_or_default();
            let is_in = |text: &String| text.contains(&declared) && text.contains(longest);
            assert!(texts.iter().any(is_in), "{name}: {function}");
            count += 1;
        }
    }
    assert!(count > 0);
}
