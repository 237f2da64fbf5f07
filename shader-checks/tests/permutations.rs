//! Every permutation of the shaders: it parses, validates, translates to every language whose devices
//! can select it, and keeps the rules.

use gridfold::{
    Arithmetic, Capabilities, CustomOperator, ElementType, Mechanism, OperatorType, plan,
    shader::{self, Constants, HistogramPass, OrderPass, ShaderKey, Sources},
    wgpu,
};
use shader_checks::{
    check, copies, early_returns, fences,
    finding::Finding,
    modules::{self, Shader},
    record::{self, Translated},
    translate::{Parsed, Specialized, Vulkan},
};
use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

static SHADERS: LazyLock<Vec<Shader>> = LazyLock::new(modules::all);

struct Kernel {
    key: ShaderKey,
    text: String,
    parsed: Parsed,
}

static KERNELS: LazyLock<Vec<Kernel>> = LazyLock::new(|| {
    let sources = Sources::default();
    let kernel = |key| {
        let text = sources.compose(key);
        Kernel { key, parsed: parse(&text), text }
    };
    ShaderKey::all().map(kernel).collect()
});

#[track_caller]
fn parse(text: &str) -> Parsed {
    Parsed::new(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The kernels that have a file, with the file changed: key, text and module.
fn changed(
    file: &str,
    from: &str,
    to: &str,
) -> impl Iterator<Item = (ShaderKey, String, naga::Module)> {
    let sources = Sources::default().replace(file, from, to).expect("it is there");
    let keys: Vec<ShaderKey> = ShaderKey::all().filter(|key| key.files().contains(&file)).collect();
    assert!(!keys.is_empty(), "{file}");
    keys.into_iter().map(move |key| {
        let text = sources.compose(key);
        let module = parse(&text).module;
        (key, text, module)
    })
}

/// All that is wrong with a shader of the ladder, or an example's, which need no fences.
fn findings_but_fences(module: &naga::Module, text: &str) -> Vec<Finding> {
    let without_fences = fences::check(module, text);
    let mut findings = check(module, text).findings;
    findings.retain(|finding| !without_fences.contains(finding));
    findings
}

/// To every language that has devices which can select the module, where as many float operations as
/// are to have fences have them.
fn check_translated(
    module: &Specialized<'_>,
    translated: &Translated,
    fenced_operations: Option<usize>,
) -> Result<(), String> {
    let subgroups = module.needs_subgroups();
    let check = |found: &dyn Fn() -> Result<usize, String>, text: &str| {
        if let Some(fenced) = fenced_operations {
            assert_eq!(found()?, fenced, "{text}");
        }
        Ok::<_, String>(())
    };
    let check_text =
        |text: &str, language| check(&|| fences::text::operations(text, language), text);
    for words in &translated.spirv {
        check(&|| fences::spirv::operations(words), "SPIR-V")?;
    }
    if let Some(text) = &translated.msl {
        assert!(text.contains("kernel void"));
        // What needs no more than a subgroup's size calls nothing.
        let has_subgroups = text.contains("simd_") || text.contains("_simdgroup");
        assert_eq!(has_subgroups, subgroups, "{text}");
        check_text(text, fences::text::MSL)?;
    }
    if let Some((text, entry_point)) = &translated.hlsl {
        assert!(text.contains(&format!("void {entry_point}(")), "{text}");
        assert_eq!(text.contains("Wave"), subgroups, "{text}");
        check_text(text, fences::text::HLSL)?;
    }
    assert!(!(module.is_for_opengl() && subgroups));
    if module.is_for_opengl() {
        let text = module.glsl()?;
        assert!(text.contains("local_size_x = "), "{text}");
        check_text(&text, fences::text::GLSL)?;
    }
    Ok(())
}

/// And other compilers have seen these translations, and no others.
#[test]
fn every_permutation_translates() {
    let mut count = 0;
    let fingerprint = record::fingerprint_and(&SHADERS, |shader, module, translated| {
        count += 1;
        let fenced = shader.promises_bits.then(|| module.float_operations());
        check_translated(module, translated, fenced)
    })
    .unwrap_or_else(|error| panic!("{error}"));
    // Of operators that share shaders one. In order: 38 operators and types of a word, floats also in software, sums of them also
    // unchecked; and of two words 24 of integers, 8 of f64s in any order, 7 in order, in hardware and in software, 2 variances, and 2 sets of moments.
    // For each, with subgroups and without, 3 modules of a first pass with 5 sets of constants, and a fold; and of many at
    // once 2 modules with 4, and a fold. Seven statistics are as many, and moments, in hardware and in software. Of a word that of
    // a single block has 3, and those of many have 2. Moments are with skewness and kurtosis, and without.
    let in_order = (38 + 2 + 1 + 9 * 2) * 2 * (2 * 5 + 3 + 1 + 2 * 2 + 1)
        + (24 + 8 + 7 * 2 + 2 + 2) * 2 * (3 * 5 + 1 + 2 * 4 + 1);
    // Partials to fewer, with subgroups and without: of moments, with skewness and kurtosis and without, of f32s in hardware and in software and of f64s, and of
    // bounds and products of 2, 3 and 4 f32s in hardware and in software.
    let to_partials = 2 * (2 * (2 + 1) + 2 * 3 * 2);
    // Narrow: 14 operators of 4 integers, 6 of bools, and of 2 floats as many as of f32. They share the folds of others.
    let narrow = (14 * 4 + 6 + 2 * (10 + 2 + 1 + 9 * 2)) * 2 * (3 * 3 + 2 * 2);
    // Of 2, 3 and 4 components: sums, means and products of f32s in hardware and in software; sums, products and 3 operators on bits of
    // integers; extrema and magnitudes of 3 types; counts of floats and of integers, and wide sums of both integers; bounds in hardware and in software. With subgroups and
    // without, 3 modules of a first pass with 3 sets of constants, and a fold.
    let of_components = 3 * (3 * 2 + 2 + 3 + 3 * 3 + 2 + 2 + 2);
    let vectors = of_components * 2 * (3 * 3 + 1);
    // Of masks 3 operators, in the same way.
    let masks = 3 * 2 * (3 * 3 + 1);
    // Dot products in hardware and in software, with subgroups and without: 3 modules of a first pass, also of strided inputs, and a fold, which narrow
    // floats share with f32.
    let in_pairs = 2 * 2 * 2 * (3 * 2 + 1) + 2 * 2 * 2 * 3 * 2;
    // By atomics, but for products and extrema of 64 bits: of workgroups with and without subgroups, and of subgroups; float
    // sums also by another atomic. And the finish. Sums of f64s have 5 sets of constants, too.
    let by_atomics = (37 + 1) * 3 * 5 + 37 + (10 * 4 + 3 + 2 * (6 + 1)) * 3 * 3 + 3 * 5 + 1;
    // A first pass of elements, also in software, squares and moments, also without NaNs, and one of pairs. 9 values, and 4
    // accumulators: those of squares and of products are written in the same way. First passes also of 2 narrow floats.
    // Of f64s a first pass of elements, and 2 values.
    let exact = 5 * 10 + 2 + 9 + 4 + 2 * (5 * 6 + 2) + 10 + 2;
    // Three operators of users' own, with subgroups and without: a first pass with 5 sets of constants, and a fold.
    // And expressions, in hardware and in software: a first pass of elements, and one of pairs, also of strided ones. Of pairs of bytes one each.
    // Of two words two in two ways, with one set of constants. Exactly in hardware and in software with 10, and of pairs and of doubles.
    // Of components one and one of pairs, in two ways, and one exactly.
    let of_exact = 2 * 10 + 2 + 1;
    // Expressions of three inputs: of floats as those of pairs, also folding and exactly; and of bytes, halves, doubles and components.
    let of_three = 24;
    let of_users =
        of_three + 3 * 2 * (5 + 1) + 2 * 2 * (5 + 2) + 2 * 2 + 2 * 2 + of_exact + 2 * 2 + 1;
    // Scans by three of users' own, of which one has components: what is before blocks, and by rows from any place, with strides, or in place. By
    // one of them also by rounds, from vectors, from elsewhere, or in place, and in a single pass, with subgroups and without.
    let scans_of_users = 3 * (1 + 3) + 2 * (3 + 2);
    let segments_of_users = 7 + 3;
    // Scans by the same: what is before blocks; by rounds, with subgroups and without, but for products of floats and what
    // is in software, from vectors, from elsewhere, or in place; and by rows, from any place, with strides, or in place; those of two
    // words are told of 2 odd places. Narrow ones are in no place of their results. In a single pass as by rounds, but never in place.
    // Of floats also by an extremum without NaNs, and in hardware and in software by magnitudes, means, squares and norms: of these magnitudes and squares go
    // by rounds, in hardware, and squares not in a single pass.
    // Means without NaNs are by rows. Of both extrema, of places and of two places: these go by rows, and both extrema of a word at most also by rounds and in
    // a single pass. Two variances and two sets of moments, of a word in hardware and in software, are by rows, and so are all operators of components.
    let of_floats = 1 + 5 * 2;
    let scans_of_words = (28 + 2 + of_floats + 3 * 3 + 2 * (2 + 2)) * (1 + 2 + 1)
        + (27 + 3 + 3) * 2 * (2 + 1)
        + (27 + 2 + 3) * 2 * 2;
    let scans_of_two_words = (18 + 4 + 2 * 2 + of_floats + 3 * 3 + 2 + 2) * (1 + 4 + 3)
        + (18 + 4 + 1 + 3) * 2 * (2 + 1)
        + (18 + 4 + 1 + 2) * 2 * 2;
    let narrow_scans = (14 * 4 + 6 + 2 * (6 + 2 + of_floats + 3 + 2 * (2 + 2))) * 2
        + (12 * 4 + 4 + 2 * (5 + 3 + 1)) * 2 * 2
        + (12 * 4 + 4 + 2 * (5 + 2 + 1)) * 2 * 2;
    let scans_of_components = of_components * (1 + 2 + 1);
    // Of masks by 3 operators, as of words.
    let scans_of_masks = 3 * ((1 + 2 + 1) + 2 * (2 + 1) + 2 * 2);
    let scans =
        scans_of_words + scans_of_two_words + narrow_scans + scans_of_components + scans_of_masks;
    // Selections: counts by 3 kinds of masks, and of runs of elements of 5 sizes, of several components as one; totals; with both mechanisms, in two passes and in one, selections by masks
    // of elements and of positions, and of runs, also with lengths, and with begins.
    let selections = 3 + 5 + 1 + 2 * 2 * (3 * (5 + 1) + 5 + 5 + 5);
    // By a predicate, in hardware and in software: counts, and with both mechanisms selections of elements and of positions; in a single pass in two ways.
    // Selections by another of halves in two ways, and counts by others of doubles and of components.
    let by_predicate = 2 * (1 + 2 * 2) + 2 * 2 + 2 * 2 + 1 + 1;
    // Ends of blocks of elements of 2 sizes. Differences of integers of these, and of floats in hardware and in software, in place or not.
    let differences = 2 + (2 + 2 * 2) * 2;
    // What tells others what a count means. Orders of groups, in two passes.
    let counted = 1 + 2;
    // Segments, of all that has one input, but masks: chunks and results. Those of two words are told whether they begin at an odd one. Chunks of a
    // word and of two are told, too, whether all begin with vectors. All are told of strides, and without these whether elements follow one another.
    // Chunks between offsets, whose elements do, have sets of their own.
    let (of_a_word, of_two_words) = (38 + 2 + 9 * 2, 24 + 8 + 7 * 2 + 2 + 2);
    let of_others = 14 * 4 + 6 + 2 * (10 + 2 + 9 * 2) + of_components;
    let segments = (5 + 2 + 3) * of_a_word + (7 + 3 + 5) * of_two_words + (3 + 2 + 3) * of_others;
    // Exact ones of 3 floats, one of them of a word: chunks of sums, of squares and of both, and two results of each. Of f64s those of sums alone.
    let exact_segments = 3 * ((5 + 2 + 2 * (3 + 2)) + 2 * 3 * 3) + (7 + 3) + 2 * 5;
    // Groups in one pass, by what memory has atomics for: 9 operators of integers, of a word and narrow, 5 of those of two words; 4 of floats of a word
    // and narrow, one of those of two; 3 of bools.
    let groups = 2 * (9 * 2 + 4) + 3 * (5 * 2 + 1) + 2 * (9 * 4 + 2 * 4 + 3);
    // Histograms: of 3 types of a word, 3 of two, which are told of odd places, and 4 of half a word, with few bins and with many, and numbers of
    // bins. Of 3 floats, in even bins. Of 3 types of a byte, and numbers. And what clears them.
    let histograms = 3 * (3 * 3 + 3 * 4 + 4 * 3) + 3 * 3 + 2 * 3 * 3 + 1;
    let probes = 3;
    // 18 modules of the ladder, one with two entry points; 9 of them also with another atomic.
    let ladder = 18 + 1 + 9;
    // Its studies: 24 costs of collectives with subgroups and without, and 6 kernels of occupancy.
    let studies = 24 * 2 + 6;
    // Users' kernels: 6 operators of 6 types, 3 of 4 integers and 2 of 2, those that compute with f32s also in software, 2 of tiles, two operators of users'
    // own, flags, also of tiles, shuffles of 8 types and exchanges of 6, sorts of 6, three tickets, and sums call after call. Of workgroups of 11 sizes, with
    // subgroups and without.
    let of_a_workgroup = 6 * 6 + 3 * 4 + 2 * 2 + 2 + 2 + 2 + 2 + 8 + 6 + 6 + 3 + 1;
    // Where subgroups have one size: of 32 lanes all operators but 3 that compute with floats, a ticket, and sums call after call; of 5 other sizes three
    // operators. Of workgroups of 6 sizes. And in memory four with groups of 5 other sizes, of workgroups of 3.
    let of_one_size = 6 * 6 + 3 * 4 + 2 * 2 - 3 + 2 + 5 * 3;
    let collectives = of_a_workgroup * 2 * 11 + of_one_size * 6 + 4 * 5 * 3;
    // Ten examples, of which three have two entry points and one has three, with subgroups and without.
    let examples = (6 + 3 * 2 + 3) * 2;
    let of_reductions = scans
        + selections
        + by_predicate
        + differences
        + counted
        + segments
        + exact_segments
        + groups
        + histograms
        + in_order
        + to_partials
        + narrow
        + vectors
        + masks
        + in_pairs
        + by_atomics
        + exact;
    assert_eq!(
        count,
        of_reductions
            + of_users
            + scans_of_users
            + segments_of_users
            + probes
            + ladder
            + studies
            + collectives
            + examples
    );
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(record::FILE);
    let text = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        record::is_of(&text, &fingerprint),
        "the shaders, or what naga makes of them, changed since shader-checks/{} was made: run \
         `cargo xtask check-shaders` and commit it",
        record::FILE
    );
    assert!(text.contains(": struct copies: "), "the record does not say whether DXC still errs");
}

#[test]
fn every_permutation_keeps_the_rules() {
    let mut wrong = Vec::new();
    for shader in &*SHADERS {
        let module = parse(&shader.text).module;
        let findings = if shader.is_of_ladder || is_example(shader) {
            findings_but_fences(&module, &shader.text)
        } else {
            let mut findings = check(&module, &shader.text).findings;
            findings.retain(|it| shader.promises_bits || !is_the_unchecked_addition(it));
            findings
        };
        wrong.extend(findings.iter().map(|finding| format!("{}: {finding}", shader.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_expressions_keep_the_rules() {
    let shaders = modules::long_expressions();
    for shader in &shaders {
        assert!(shader.text.contains("expression_words"), "{} is no loop", shader.name);
        let findings = check(&parse(&shader.text).module, &shader.text).findings;
        assert!(findings.is_empty(), "{}: {findings:?}", shader.name);
    }
    let all = modules::pipelines(&shaders, |_, _, module| {
        check_translated(module, &Translated::of(module)?, Some(module.float_operations()))
    });
    all.unwrap_or_else(|error| panic!("{error}"));
}

/// FXC refuses barriers that depend on functions that return early. What gridfold does not avoid there has none.
#[test]
fn fxc_gets_no_early_returns() {
    let info = wgpu::AdapterInfo::new(wgpu::DeviceType::Other, wgpu::Backend::Dx12);
    let coherent = wgpu::Features::MEMORY_DECORATION_COHERENT;
    let fxc = Capabilities::from_parts(&info, coherent, &wgpu::Limits::defaults());
    let avoided: Vec<String> = fxc
        .avoided
        .iter()
        .map(|avoided| format!("{}, ", avoided.kernel.as_deref().expect("one of them")))
        .collect();
    let mut wrong = Vec::new();
    let mut asked = BTreeSet::new();
    for shader in &*SHADERS {
        let parsed = parse(&shader.text);
        if !parsed.is_for_fxc() {
            continue;
        }
        let findings = early_returns::check(&parsed.module, &shader.text);
        match avoided.iter().find(|name| shader.name.starts_with(*name)) {
            None => wrong.extend(findings.iter().map(|found| format!("{}: {found}", shader.name))),
            Some(name) => {
                let found: Vec<&str> = findings.iter().map(|it| &*it.function).collect();
                for function in ["block_take", "look_back", "missing_find"] {
                    assert!(found.contains(&function), "{}: {found:?}", shader.name);
                }
                asked.insert(name);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Scans, and five kinds of selections.
    assert_eq!((asked.len(), avoided.len()), (6, 6));
}

fn is_example(shader: &Shader) -> bool {
    shader.name.starts_with("example ")
}

/// Whether this is that operator/sum_f32_unchecked.wgsl has no fence, and nothing else.
fn is_the_unchecked_addition(finding: &Finding) -> bool {
    finding
        .problem
        .starts_with("a float operation's result goes somewhere else than through a fence")
        && finding.text == "return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));"
}

/// Operators that share a text take turns, and none goes without.
#[test]
fn every_operator_is_translated() {
    let values = SHADERS.iter().flat_map(|shader| &shader.constants);
    let found: BTreeSet<OperatorType> = values.filter_map(|values| values.operator).collect();
    assert!(found.iter().eq(&BTreeSet::from_iter(OperatorType::ALL.iter().copied())), "{found:?}");
}

/// Which shaders promise no bits, and that these have one addition without a fence.
#[test]
fn only_unchecked_sums_go_without_fences() {
    let mut count = 0;
    for Kernel { key, text, parsed } in &*KERNELS {
        let findings = fences::check(&parsed.module, text);
        let is_unchecked = key.arithmetic == Arithmetic::Unchecked;
        assert_eq!(is_unchecked, key.files().contains(&"operator/sum_f32_unchecked.wgsl"), "{key}");
        assert_eq!(findings.len(), usize::from(is_unchecked), "{key}");
        assert!(findings.iter().all(is_the_unchecked_addition), "{key}");
        count += usize::from(is_unchecked);
    }
    // Five modules of a first pass and two folds, with subgroups and without; and by atomics. Of two narrow floats without the folds.
    assert_eq!(count, 7 * 2 + 2 * 3 + 2 * (5 * 2 + 2 * 3));
    for shader in &*SHADERS {
        let is_of_users = shader.name.contains(", a user's") && !shader.name.starts_with("coll");
        let has_own_floats = shader.is_of_ladder || is_of_users || is_example(shader);
        let promises_none = shader.name.ends_with("floats unchecked") || has_own_floats;
        assert_eq!(shader.promises_bits, !promises_none);
    }
}

/// The modules whose pipelines keep wgpu's loop counters are those that need them.
#[test]
fn compare_exchange_loops_keep_their_counters() {
    let mut count = 0;
    for Kernel { key, text, parsed } in &*KERNELS {
        let loops = check(&parsed.module, text).compare_exchange_loops;
        assert_eq!(!loops.is_empty(), key.exchanges(), "{key}");
        count += usize::from(key.exchanges());
    }
    // Sums of four floats, and nine products: of workgroups with and without subgroups, and of subgroups.
    assert_eq!(count, 3 * 13);
    // All of the ladder's keep them.
    let mut ladder = SHADERS.iter().filter(|shader| shader.is_of_ladder);
    assert!(ladder.all(|shader| shader.loop_counters));
}

#[test]
fn mechanisms_need_what_they_say() {
    for Kernel { key, parsed, .. } in &*KERNELS {
        assert_eq!(parsed.needs_subgroups(), key.mechanism == Mechanism::Subgroup, "{key}");
    }
}

#[test]
fn every_file_is_used() {
    let used: BTreeSet<&str> = ShaderKey::all()
        .chain(custom_keys())
        .flat_map(ShaderKey::files)
        .chain(shader::Probe::ALL.into_iter().flat_map(|probe| probe.files().iter().copied()))
        // `they_have_all_files` in collectives.rs asks about these.
        .chain(Sources::file_names().filter(|name| name.starts_with("public/")))
        .collect();
    let listed: BTreeSet<&str> = Sources::file_names().collect();
    assert_eq!(used, listed);
    let mut on_disk = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shaders");
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "wgsl") {
                let name = path.strip_prefix(&root).expect("below the root");
                on_disk.insert(name.to_str().expect("UTF-8").replace('\\', "/"));
            }
        }
    }
    assert!(on_disk.iter().map(String::as_str).eq(listed), "{on_disk:?}");
}

/// The rules see what they should in the ladder, too.
#[test]
fn broken_rungs_are_found_out() {
    let changes = [
        (
            "last_subgroup",
            "let total = subgroupAdd(",
            "if lane < 8u { return; } let total = subgroupAdd(",
        ),
        (
            "sequential",
            "workgroupBarrier();\n        if lane < stride {",
            "if lane < stride { workgroupBarrier();",
        ),
        ("workgroup_atomic", "i += subgroup_size", "i += 0u"),
        ("grid_stride", "round < params.rounds", "vector(round).x >= 0.0"),
    ];
    for (name, from, to) in changes {
        let shader = SHADERS
            .iter()
            .find(|shader| shader.name.starts_with(&format!("ladder {name},")))
            .unwrap_or_else(|| panic!("no rung is {name}"));
        assert!(shader.text.contains(from), "{from}");
        let text = shader.text.replace(from, to);
        let findings = findings_but_fences(&parse(&text).module, &text);
        assert!(!findings.is_empty(), "{to}");
    }
}

#[test]
fn kernels_bind_few_storage_buffers() {
    for Kernel { key, text, .. } in &*KERNELS {
        let declared = text.matches("var<storage").count();
        assert_eq!(declared, key.storage_bindings().count(), "{key}");
        // Plans have a selection's single pass only where a device binds as many as its kernel may.
        let most = match key.kernel {
            shader::Kernel::SelectSinglePass { .. } => 6,
            _ => 4,
        };
        assert!(declared <= most, "{key}");
        assert_eq!(text.matches("var<uniform>").count(), 1, "{key}");
    }
    for (name, key) in modules::expressions() {
        let declared = Sources::default().compose(key).matches("var<storage").count();
        assert_eq!(declared, key.storage_bindings().count(), "{name}, {key}");
        // Of three inputs plans have a kernel that writes the result only where a device binds as many.
        let writes_result = matches!(
            key.kernel,
            shader::Kernel::ReducePairsToResult
                | shader::Kernel::ReducePairsAndFold
                | shader::Kernel::SelectSinglePass { .. }
        );
        assert!(declared <= if writes_result { 5 } else { 4 }, "{name}, {key}");
    }
}

/// What the host keeps in step with the shaders by hand.
#[test]
fn host_and_shaders_agree() {
    for Kernel { key, parsed: Parsed { module, .. }, .. } in &*KERNELS {
        let constant = |name: &str| {
            let found = module.constants.iter().find(|(_, c)| c.name.as_deref() == Some(name));
            let (_, constant) = found.unwrap_or_else(|| panic!("{key} has no {name}"));
            match module.global_expressions[constant.init] {
                naga::Expression::Literal(naga::Literal::U32(value)) => value,
                ref other => panic!("{name} is {other:?}"),
            }
        };
        match key.exact_accumulator() {
            Some(words) => {
                assert_eq!(["DIGITS", "COPIES", "COPY_WORDS"].map(constant), words, "{key}");
            }
            // They combine counts of their own, or nothing.
            None if key.kernel.is_selection() || key.kernel.is_of_differences() => {}
            None if key.kernel.is_of_numbers() || is_of_histograms(*key) => {}
            None => assert_eq!(constant("ACC_WORDS"), key.acc_words(), "{key}"),
        }
        if let shader::Kernel::Histogram { pass } = key.kernel
            && pass != HistogramPass::Clear
        {
            assert_eq!(constant("LOCAL_COUNTS"), pass.local_counts(), "{key}");
            if pass == HistogramPass::Few {
                assert_eq!(constant("LOCAL_EDGES"), HistogramPass::FEW_BINS, "{key}");
            }
        }
        if key.kernel.makes_chunks() {
            assert_eq!(constant("MOST_JOINED_WORDS"), shader::Kernel::MOST_JOINED_WORDS, "{key}");
        }
        if let shader::Kernel::Order { .. } = key.kernel {
            assert_eq!(constant("MAX_GROUPS"), OrderPass::MAX_GROUPS, "{key}");
        }
        // Workgroups of large accumulators are a quarter of the others.
        let is_large = matches!(
            key.operator,
            OperatorType::Moments | OperatorType::BriefMoments | OperatorType::Bounds
        ) || key.kernel.is_of_exact_segments()
            || (key.operator == OperatorType::Product && key.acc_words() > 5)
            // Scans have totals in an order, whatever their operator.
            || (key.kernel.is_scan() && key.acc_words() > 5);
        let share = if is_large { 4 } else { 1 };
        assert_eq!(constant("WORKGROUP_SIZE"), plan::WORKGROUP_SIZE / share);
        assert_eq!(u64::from(constant("ROUND_ITEMS")), plan::ROUND_ITEMS / u64::from(share));
        let params = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Params"));
        let naga::TypeInner::Struct { span, .. } = params.expect("there is one").1.inner else {
            panic!("Params is no struct");
        };
        assert_eq!(span as usize, shader::PARAMS_BYTES);
    }
}

fn is_of_histograms(key: ShaderKey) -> bool {
    matches!(key.kernel, shader::Kernel::Histogram { .. })
}

/// Bytes of workgroup memory, as WebGPU counts.
fn memory(module: &naga::Module) -> u32 {
    let mut layouts = naga::proc::Layouter::default();
    layouts.update(module.to_ctx()).expect("types have sizes");
    let variables = module.global_variables.iter().map(|(_, variable)| variable);
    let shared = variables.filter(|variable| variable.space == naga::AddressSpace::WorkGroup);
    shared.map(|variable| layouts[variable.ty].size.next_multiple_of(16)).sum()
}

/// Kernels with operators of users' own, of all sizes, and with expressions.
fn custom_keys() -> Vec<ShaderKey> {
    let mechanisms = [Mechanism::Subgroup, Mechanism::WorkgroupMemory];
    let mut keys = Vec::new();
    macro_rules! add {
        ($($words:literal)*) => {$({
            let members: String = (0..$words).map(|i| format!("m{i}: u32, ")).collect();
            let text = format!(
                "struct S {{ {members} }}
                 fn identity() -> S {{ return S(); }}
                 fn lift(x: u32) -> S {{ return S(); }}
                 fn combine(a: S, b: S) -> S {{ return a; }}"
            );
            type Operator = CustomOperator<u32, [u32; $words]>;
            for operator in [Operator::ordered(&text), Operator::commutative(&text)] {
                let program = operator.expect("it is right").program();
                let all: &[shader::Kernel] = match $words {
                    1 | 2 => &KERNELS_OF_USERS,
                    _ => &KERNELS_OF_USERS[..4],
                };
                for &kernel in all {
                    let key = |of| ShaderKey::of_program(kernel, program, of, Arithmetic::Hardware);
                    keys.extend(mechanisms.map(key));
                }
            }
        })*};
    }
    add!(1 2 4 5 6 8 9 16);
    keys.extend(modules::expressions().map(|(_, key)| key));
    let matrices = include_str!("../../tests/custom/matrices.wgsl");
    let matrices = CustomOperator::<[u32; 4], [u32; 4]>::ordered(matrices).expect("it is right");
    keys.push(ShaderKey::of_program(
        shader::Kernel::ScanRows,
        matrices.program(),
        Mechanism::WorkgroupMemory,
        Arithmetic::Hardware,
    ));
    keys
}

/// Those with most in workgroup memory. The last ones are of operators of one word or two.
const KERNELS_OF_USERS: [shader::Kernel; 6] = [
    shader::Kernel::ReduceAndFold,
    shader::Kernel::ReduceToResult,
    shader::Kernel::ScanCarries,
    shader::Kernel::ScanRows,
    shader::Kernel::ScanRounds,
    shader::Kernel::ScanSinglePass,
];

#[test]
fn users_operators_fit_the_memory_of_the_others() {
    for key in custom_keys() {
        let parsed = parse(&Sources::default().compose(key));
        let found = memory(&parsed.module);
        let words = key.acc_words();
        assert!(found <= shader::MAX_WORKGROUP_BYTES, "{key}: {found} bytes, {words} words");
    }
}

/// What every device is asked for.
#[test]
fn limits_are_those_of_the_largest_kernels() {
    let bindings = |module: &naga::Module| {
        let variables = module.global_variables.iter();
        variables.filter_map(|(_, variable)| Some(variable.binding?.binding + 1)).max()
    };
    let modules = || KERNELS.iter().map(|kernel| &kernel.parsed.module);
    assert_eq!(modules().map(memory).max(), Some(shader::MAX_WORKGROUP_BYTES));
    // Expressions alone have a third input.
    let expressions = modules::expressions()
        .filter_map(|(_, key)| bindings(&parse(&Sources::default().compose(key)).module));
    assert_eq!(modules().filter_map(bindings).chain(expressions).max(), Some(shader::BINDINGS));
}

#[test]
fn naga_rejects_what_it_should() {
    // The checks above can fail: a seam that is missing, or misspelt, does not validate.
    let key = ShaderKey::all().next().expect("there are some");
    let text = Sources::default()
        .replace("collective/acc.wgsl", "fn acc4_reduce", "fn acc4_reduc")
        .expect("it is there")
        .compose(key);
    assert!(Parsed::new(&text).is_err());
}

/// A constant that the shader lacks, or a value that does not fit, is no permutation.
#[test]
fn constants_must_fit() {
    let text = "override SIZE: u32; @compute @workgroup_size(1) fn main() { _ = SIZE; }";
    let parsed = parse(text);
    assert!(parsed.specialize("main", Constants::None, false).is_err());
}

/// A device's languages are those that it must have, and what it offers is asked of no other.
#[test]
fn float_atomics_are_for_some_devices() {
    let text = "@group(0) @binding(0) var<storage, read_write> total: atomic<f32>;
        @compute @workgroup_size(256) fn main() { atomicAdd(&total, 1.0); }";
    let parsed = parse(text);
    assert!(!parsed.is_for_browsers() && !parsed.needs_subgroups());
    let module = parsed.specialize("main", Constants::None, false).expect("it has none");
    assert!(module.is_for_metal() && !module.is_for_dx12() && !module.is_for_opengl());
    let translated = Translated::of(&module).expect("SPIR-V and MSL");
    assert!(translated.msl.is_some() && translated.hlsl.is_none());
    check_translated(&module, &translated, Some(0)).expect("nothing lost its fence");
}

/// Whatever changes in a shader, or in a translation, changes the fingerprint.
#[test]
fn fingerprints_differ() {
    let of = |shaders: &[Shader]| record::fingerprint(shaders).expect("they translate");
    // The last ones: that is quicker than all of them.
    let shaders = &SHADERS[SHADERS.len() - 2..];
    let original = of(shaders);
    let changed = |change: &dyn Fn(&mut Shader)| {
        let mut shaders = shaders.to_vec();
        change(shaders.last_mut().expect("there are some"));
        of(&shaders)
    };
    assert_eq!(changed(&|_| ()), original);
    assert_ne!(changed(&|shader| shader.text.push(' ')), original);
    assert_ne!(changed(&|shader| shader.constants.clear()), original);
    assert_ne!(changed(&|shader| shader.loop_counters = true), original);
    assert_ne!(of(&shaders[1..]), original);

    let record = format!("made up\n{}\n", record::fingerprint_line(&original));
    assert!(record::is_of(&record, &original));
    assert!(!record::is_of(&record, &of(&shaders[1..])));
    assert!(!record::is_of("", &original));
}

/// wgpu's options arrive in the texts that other compilers are asked about.
#[test]
fn options_are_wgpus() {
    let text = "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
        @compute @workgroup_size(1)
        fn main() { for (var i = 0u; i < words[0]; i++) { words[i] = words[i + 1u]; } }";
    let parsed = parse(text);
    let [plain, counted] = [false, true]
        .map(|counters| parsed.specialize("main", Constants::None, counters).expect("valid"));
    for vulkan in Vulkan::ALL {
        let [plain, counted] =
            [&plain, &counted].map(|module| module.spirv(vulkan).expect("it is"));
        assert!(plain.len() < counted.len());
    }
    assert!(!plain.msl().expect("MSL").contains("loop_bound"));
    assert!(counted.msl().expect("MSL").contains("loop_bound"));
    assert!(!plain.hlsl().expect("HLSL").0.contains("loop_bound"));
    assert!(counted.hlsl().expect("HLSL").0.contains("loop_bound"));
    // Places in buffers: Metal's are checked in the shader, and Vulkan's unless the device does it.
    assert!(plain.msl().expect("MSL").contains("metal::min(unsigned("));
    let [in_shader, by_device] = [false, true].map(|checks_buffers| {
        plain.spirv(Vulkan { checks_buffers, ..Vulkan::ALL[0] }).expect("SPIR-V").len()
    });
    assert!(by_device < in_shader);
}

/// The rules see what they should in the real shaders, too.
#[test]
fn broken_shaders_are_found_out() {
    let key = ShaderKey::all()
        .find(|key| {
            key.mechanism == Mechanism::Subgroup
                && key.operator == OperatorType::Sum
                && key.arithmetic == Arithmetic::Hardware
        })
        .expect("there is one");
    let store = "scratch_store(job.partials + job.block, total);";
    let barrier = "scratch_store(job.partials + job.block, total); storageBarrier();";
    let changes = [
        (store, barrier, barrier),
        ("left >>= log2_size", "left >>= 0u", "left >>= 0u"),
        ("left >>= log2_size", "left >>= size", "left >>= size"),
    ];
    for (from, to, found) in changes {
        let sources = key
            .files()
            .into_iter()
            .find_map(|file| Sources::default().replace(file, from, to))
            .unwrap_or_else(|| panic!("no file has: {from}"));
        let text = sources.compose(key);
        let findings = check(&parse(&text).module, &text).findings;
        assert!(!findings.is_empty(), "{to}");
        assert!(findings.iter().all(|finding| finding.text.contains(found)), "{to}: {findings:?}");
    }
}

/// Each of these copies DXC took for another name of `next`. Nothing else is found.
#[test]
fn old_copies_are_found() {
    const PAIRS: &str = "let pairs = Pairs(
            next.left0,
            next.left1,
            next.left2,
            next.left3,
            next.right0,
            next.right1,
            next.right2,
            next.right3,
        );";
    const ROWS: &str = "let rows = Rows(
            items_copy(next.row0),
            items_copy(next.row1),
            items_copy(next.row2),
            items_copy(next.row3),
        );";
    const GROUP: &str = "let group = Group(
            quad_copy(next.load0),
            quad_copy(next.load1),
            quad_copy(next.load2),
            quad_copy(next.load3),
        );";
    let changes = [
        ("reduce/ordered_block.wgsl", ROWS, "let rows = next;"),
        ("reduce/free_block.wgsl", ROWS, "let rows = next;"),
        ("exact/reduce.wgsl", GROUP, "let group = next;"),
        ("exact/reduce_pairs.wgsl", PAIRS, "let pairs = next;"),
    ];
    for (file, from, to) in changes {
        for (key, text, module) in changed(file, from, to) {
            let findings = copies::check(&module, &text);
            let lines: Vec<&str> = findings.iter().map(|finding| finding.text.as_str()).collect();
            assert_eq!(lines, [to], "{key}");
        }
    }
}

/// A fence that is missing, or that compilers see through, is found in every kernel that has one.
#[test]
fn missing_fences_are_found_out() {
    const SUM: &str = "operator/sum_f32.wgsl";
    const COMPONENTS: &str = "operator/vector_sum_f32.wgsl";
    const OF_BOUNDS: &str = "operator/vector_bounds_hardware.wgsl";
    const PRODUCT: &str = "operator/f32_multiply.wgsl";
    const WINDOW: &str = "exact/window.wgsl";
    const MOMENTS: &str = "operator/moments_f32_device.wgsl";
    const FACTORS: &str = "operator/products_f32.wgsl";
    const NAN_MEAN: &str = "operator/nan_mean_f32_hardware.wgsl";
    // Five first passes and two folds, with subgroups and without, a finish, and two kernels of segments.
    const IN_ORDER: usize = 17;
    // The same without a finish; of two inputs three first passes and a fold.
    const STATISTIC: usize = IN_ORDER - 1;
    const PAIRS: usize = 2 * 4;
    // Sums of squares, norms, dot products.
    const OF_FACTORS: usize = 2 * STATISTIC + PAIRS;
    // Scans: by rounds, with subgroups and without, by rows, and what is before blocks. By products not by rounds.
    const SCANS: usize = 6;
    // As many of magnitudes. Of squares none is in a single pass, and of means and norms they are by rows.
    const SCANS_OF_SQUARES: usize = 4 + 2;
    const OTHER_SCANS: usize = 6 + SCANS_OF_SQUARES + 2;
    const PRODUCT_SCANS: usize = 2;
    const DIFFERENCES: usize = 1;
    // Sums, means, sums of what is counted, and those.
    const SUMS: usize = IN_ORDER + 2 * STATISTIC + OF_FACTORS + SCANS + OTHER_SCANS + DIFFERENCES;
    // Products also by atomics, and of 2, 3 and 4 components: three first passes, two folds, and those of segments and of scans by rows.
    const PRODUCTS: usize = IN_ORDER + 3 + PRODUCT_SCANS + 3 * (2 * (3 + 2) + 2 + PRODUCT_SCANS);
    // And moments, with third and fourth ones, which add f64s, too, and without.
    // The partials of these two are folded twice.
    const FOLDS: usize = 2;
    const SCANS_BY_ROWS: usize = 2;
    const VARIANCES: usize = 4 * (STATISTIC + SCANS_BY_ROWS) + 2 * FOLDS;
    const FOUR_MOMENTS: &str = "operator/four_moments_hardware.wgsl";
    // Sums and means of 2, 3 and 4 components: three first passes and a fold, and those of segments and of scans.
    const VECTORS: usize = 2 * 3 * (2 * (3 + 1) + 2 + SCANS_BY_ROWS);
    // And bounds.
    const BOUNDS: usize = VECTORS / 2 + 3 * FOLDS;
    // Bins of equal width.
    const HISTOGRAMS: usize = 1;
    // Means without NaNs have an adder of their own, and their scans are by rows.
    const NAN_MEANS: usize = STATISTIC + 2;
    // And the windows.
    const ALL: usize = SUMS + PRODUCTS + VARIANCES + NAN_MEANS + VECTORS + BOUNDS + HISTOGRAMS + 1;
    // Of f64s there are as many, and sums by atomics.
    const F64_FENCE: &str = "operator/f64_fence.wgsl";
    const F64_SUM: &str = "operator/sum_f64.wgsl";
    const F64_FACTORS: &str = "operator/products_f64.wgsl";
    const F64_PRODUCT: &str = "operator/f64_significands.wgsl";
    const F64_NAN_MEAN: &str = "operator/nan_mean_f64_hardware.wgsl";
    const SUMS_OF_F64: usize =
        IN_ORDER + 3 + 2 * STATISTIC + OF_FACTORS + SCANS + OTHER_SCANS + DIFFERENCES;
    const PRODUCTS_OF_F64: usize = STATISTIC + PRODUCT_SCANS;
    const ALL_F64: usize = SUMS_OF_F64 + NAN_MEANS + PRODUCTS_OF_F64;
    // Without the fence's part, or the whole of it.
    let changes = [
        ("params.wgsl", "bitcast<u32>(x) + params.zero", "+ params.zero", "", ALL),
        ("params.wgsl", "bitcast<u32>(x) + params.zero", "params.zero", "0u", ALL),
        // A pipeline constant: see `a_pipeline_constant_is_no_fence`.
        (
            "params.wgsl",
            "fn fence(x: f32) -> u32 {\n    return bitcast<u32>(x) + params.zero;",
            "fn fence(x: f32) -> u32 {\n    return bitcast<u32>(x) + params.zero;",
            "override zero = 0u;\nfn fence(x: f32) -> u32 {\n    return bitcast<u32>(x) + zero;",
            ALL,
        ),
        (SUM, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>", SUMS),
        (SUM, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "(b)", "(b) + 0.0", SUMS),
        (NAN_MEAN, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>", NAN_MEANS),
        (NAN_MEAN, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "(b)", "(b) + 0.0", NAN_MEANS),
        (COMPONENTS, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>", VECTORS),
        (OF_BOUNDS, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>", BOUNDS),
        (
            FACTORS,
            "fence(bitcast<f32>(a) * bitcast<f32>(b))",
            "fence",
            "bitcast<u32>",
            OF_FACTORS + SCANS_OF_SQUARES,
        ),
        (PRODUCT, "fence(bitcast<f32>(a) * bitcast<f32>(b))", "fence", "bitcast<u32>", PRODUCTS),
        (MOMENTS, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>", VARIANCES),
        (MOMENTS, "fence(bitcast<f32>(a) - bitcast<f32>(b))", "fence", "bitcast<u32>", VARIANCES),
        (MOMENTS, "fence(bitcast<f32>(a) * bitcast<f32>(b))", "fence", "bitcast<u32>", VARIANCES),
        (
            FOUR_MOMENTS,
            "return f64_of(fence_f64(x))",
            "f64_of(fence_f64(x))",
            "x",
            STATISTIC + FOLDS + SCANS_BY_ROWS,
        ),
        (
            FOUR_MOMENTS,
            "fence_f64(square * wide_scaled",
            "square ",
            "square * square ",
            STATISTIC + FOLDS + SCANS_BY_ROWS,
        ),
        (WINDOW, "fence(bitcast<f32>(element) + upper_anchor)", "fence", "bitcast<u32>", 1),
        (WINDOW, "fence(bitcast<f32>(upper) - upper_anchor)", "fence", "bitcast<u32>", 1),
        (WINDOW, "fence(bitcast<f32>(element) - bitcast<f32>(kept))", "fence", "bitcast<u32>", 1),
        (WINDOW, "fence(bitcast<f32>(rest) + lower_anchor)", "fence", "bitcast<u32>", 1),
        (F64_FENCE, "bitcast<u64>(x) ^ u64(params.zero)", " ^ u64(params.zero)", "", ALL_F64),
        (F64_FENCE, "bitcast<u64>(x) ^ u64(params.zero)", "u64(params.zero)", "0lu", ALL_F64),
        (F64_SUM, "fence_f64(f64_of(a) + f64_of(b))", "(b)", "(b) + f64(0.0)", SUMS_OF_F64),
        (F64_NAN_MEAN, "fence_f64(f64_of(a) + f64_of(b))", "(b)", "(b) + f64(0.0)", NAN_MEANS),
        (
            F64_FACTORS,
            "fence_f64(f64_of(a) * f64_of(b))",
            "(b)",
            "(b) * f64(2.0)",
            OF_FACTORS + SCANS_OF_SQUARES,
        ),
        (F64_PRODUCT, "fence_f64(f64_of(a) * f64_of(b))", "(b)", "(b) * f64(2.0)", PRODUCTS_OF_F64),
    ];
    for (file, text, from, to, expected) in changes {
        let to = text.replace(from, to);
        let mut count = 0;
        for (key, text, module) in changed(file, text, &to) {
            let is_of_another_fence = (key.element == ElementType::F64) != file.contains("f64");
            // Narrow floats have the fences of those that they are widened to.
            let is_narrow = key.element.size_bytes() < 4;
            if key.arithmetic != Arithmetic::Unchecked && !is_of_another_fence && !is_narrow {
                let findings = fences::check(&module, &text);
                assert_eq!(findings.is_empty(), fences::operations(&module) == 0, "{key}: {to}");
                count += usize::from(!findings.is_empty());
            }
        }
        assert_eq!(count, expected, "{to}");
    }
}
