//! Users' kernels with collectives keep the rules, and translate to every language.

use shader_checks::{
    check, collectives, fences,
    translate::{Parsed, Vulkan},
};

/// Sizes that have partial subgroups or none, and are powers of two or not.
const SIZES: [u32; 5] = [1, 33, 64, 95, 1024];

#[test]
fn they_keep_the_rules_and_translate() {
    let modules = collectives::all(&SIZES);
    assert!(!modules.is_empty());
    for (name, text) in modules {
        let parsed = Parsed::new(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        let findings = check(&parsed.module, &text).findings;
        assert!(findings.is_empty(), "{name}: {findings:#?}");
        assert_eq!(parsed.needs_subgroups(), name.contains(", subgroup"), "{name}");
        let fenced = fences::operations(&parsed.module);
        let constants = gridfold::shader::Constants::None;
        let module = parsed.specialize("main", constants, true).expect("it has no constants");
        for vulkan in Vulkan::ALL {
            let words = module.spirv(vulkan).expect("SPIR-V");
            assert_eq!(fences::spirv::operations(&words), Ok(fenced), "{name}");
        }
        assert!(module.is_for_metal() && module.is_for_dx12());
        let texts = [
            (module.msl().expect("MSL"), fences::text::MSL),
            (module.hlsl().expect("HLSL").0, fences::text::HLSL),
        ];
        for (text, language) in texts {
            assert_eq!(fences::text::operations(&text, language), Ok(fenced), "{name}: {text}");
        }
        if module.is_for_opengl() {
            module.glsl().expect("GLSL");
        }
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
