//! Every seam of the shaders: modules that have it parse, validate, translate to every language whose devices can select them, and keep the rules.
//! With `GRIDFOLD_TEST_SHADERS=all` every permutation does.

use gridfold::{
    Arithmetic, Capabilities, CustomOperator, ElementType, Mechanism, OperatorType, plan,
    shader::{self, Constants, HistogramPass, OrderPass, ShaderKey, Sources},
    wgpu,
};
use shader_checks::{
    accepted::{self, Accepted, Compiler, Module, Questions},
    check, copies,
    cover::{self, Cover, Languages},
    early_returns, fences,
    finding::Finding,
    modules::{self, Shader},
    record,
    tokens::{declarations, tokens},
    translate::{Parsed, Specialized, Translated, Vulkan},
};
use std::{
    collections::{BTreeSet, HashSet},
    env, fs,
    path::Path,
    sync::LazyLock,
};

/// Shaders of which the cover is made.
static CANDIDATES: LazyLock<Vec<Shader>> = LazyLock::new(modules::with_seams);
static COVER: LazyLock<Cover> = LazyLock::new(|| cover::cover(&CANDIDATES));
static SHADERS: LazyLock<Vec<Shader>> =
    LazyLock::new(|| match env::var("GRIDFOLD_TEST_SHADERS").as_deref() {
        Ok("all") => modules::all(),
        Ok(other) => panic!("GRIDFOLD_TEST_SHADERS is {other:?}: it can be \"all\", or not be set"),
        Err(_) => COVER.shaders.clone(),
    });

struct Kernel {
    key: ShaderKey,
    text: String,
    parsed: Parsed,
}

static KERNELS: LazyLock<Vec<Kernel>> = LazyLock::new(|| {
    let kernel = |shader: &Shader| {
        let text = shader.text.clone();
        Some(Kernel { key: shader.key.clone()?, parsed: parse(&text), text })
    };
    // All, for what the host says of a kernel is no seam. To validate them takes less time than to translate them.
    CANDIDATES.iter().filter_map(kernel).collect()
});

#[track_caller]
fn parse(text: &str) -> Parsed {
    Parsed::new(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The kernels of the cover that have a file, with the file changed: key, text and module.
fn changed(
    file: &str,
    from: &str,
    to: &str,
) -> impl Iterator<Item = (ShaderKey, String, naga::Module)> {
    let sources = Sources::default().replace(file, from, to).expect("it is there");
    let of = |shaders: &[Shader]| -> Vec<ShaderKey> {
        let keys = shaders.iter().filter_map(|shader| shader.key.clone());
        keys.filter(|key| key.files().contains(&file)).collect()
    };
    let mut keys = of(&SHADERS);
    // Expressions may cover what kernels of the library's own have, too.
    if keys.is_empty() {
        keys = of(&CANDIDATES);
    }
    assert!(!keys.is_empty(), "{file}");
    keys.into_iter().map(move |key| {
        let text = sources.compose(&key);
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

#[test]
fn every_seam_translates() {
    let all = modules::pipelines(&SHADERS, |shader, _, module| {
        let fenced = shader.promises_bits.then(|| module.float_operations());
        check_translated(module, &Translated::of(module)?, fenced)
    });
    all.unwrap_or_else(|error| panic!("{error}"));
}

/// Tokens say of a module's languages what naga says.
#[test]
fn tokens_say_the_languages() {
    let all = modules::pipelines(&SHADERS, |shader, _, module| {
        let found = Languages::of(tokens(&shader.text).into_iter());
        let wanted = Languages {
            browsers: parse(&shader.text).is_for_browsers(),
            dx12: module.is_for_dx12(),
            metal: module.is_for_metal(),
            opengl: module.is_for_opengl(),
        };
        if found == wanted { Ok(()) } else { Err(format!("{found:?}, but naga: {wanted:?}")) }
    });
    all.unwrap_or_else(|error| panic!("{error}"));
}

/// The committed table is about these shaders. So a seam that is lost shows in a diff.
#[test]
fn the_table_is_of_these_shaders() {
    assert!(
        committed(cover::FILE) == COVER.table(&CANDIDATES),
        "the kernels, or their seams, changed since shader-checks/{} was made: run `cargo xtask check-shaders`, or \
         `cargo run --package shader-checks` for the table alone, and commit it",
        cover::FILE
    );
}

#[test]
fn every_seam_is_covered() {
    let all = cover::seams(&CANDIDATES);
    assert!(all.len() > COVER.pairs + COVER.values);
    assert_eq!(cover::seams(&COVER.shaders), all);
    let fewer = COVER.shaders.iter().skip(1).cloned().collect::<Vec<_>>();
    assert_ne!(cover::seams(&fewer), all, "the first module is for nothing");
}

#[test]
fn compilers_accepted_every_seam() {
    let accepted = Accepted::read(&committed(accepted::FILE));
    let mut missing = Vec::new();
    for compiler in Compiler::ALL {
        let version = accepted.version(compiler);
        let version = version.unwrap_or_else(|| panic!("{} was not asked", compiler.name()));
        let questions = Questions::new(compiler, version);
        for shader in &COVER.shaders {
            let module = Module::of(shader);
            let is_missing =
                |constants: &&_| !accepted.has(compiler, &questions.about(&module, **constants));
            if compiler.sees(module.languages) {
                let constants = shader.constants.iter().filter(is_missing);
                missing.extend(
                    constants.map(|it| format!("{}: {}{it}", compiler.name(), shader.name)),
                );
            }
        }
    }
    assert!(
        missing.is_empty(),
        "the shaders, or what naga makes of them, changed since compilers were asked. Run `cargo xtask check-shaders` and \
         commit shader-checks/{}. They were not asked about {} pipelines:\n{}",
        accepted::FILE,
        missing.len(),
        missing.join("\n")
    );
    // The rule `copies` is for an error that DXC may lose one day.
    assert!(accepted.version(Compiler::Dxc).is_some_and(|it| it.contains("struct copies ")));
}

/// Compilers were asked about everything before a release, and at most so many changes of shaders ago.
#[test]
fn the_record_of_all_is_recent() {
    const MOST: u32 = 30;
    let text = committed(record::FILE);
    let (version, commit) = record::made_for(&text).expect("it says for which commit it was made");
    let again = "run `cargo xtask check-shaders --all`, for an hour, and commit it";
    assert_eq!(
        version,
        env!("CARGO_PKG_VERSION"),
        "{} is of another version: {again}",
        record::FILE
    );
    match record::commits_behind(commit) {
        Some(count) => assert!(count <= MOST, "{} is {count} commits old: {again}", record::FILE),
        None => println!("git does not know commit {commit}: the record's age was not asked"),
    }
}

fn committed(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn every_seam_keeps_the_rules() {
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
fn long_expressions_are_loops() {
    for shader in modules::long_expressions() {
        assert!(shader.text.contains("expression_words"), "{} is no loop", shader.name);
    }
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
    let is_avoided = |shader: &&Shader| avoided.iter().find(|name| shader.name.starts_with(*name));
    let all = CANDIDATES.iter().filter(|shader| is_avoided(shader).is_some());
    for shader in SHADERS.iter().chain(all) {
        let parsed = parse(&shader.text);
        if !parsed.is_for_fxc() {
            continue;
        }
        let findings = early_returns::check(&parsed.module, &shader.text);
        match is_avoided(&shader) {
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

/// Whether this is that operator/sum_f32.wgsl@unchecked has no fence, and nothing else.
fn is_the_unchecked_addition(finding: &Finding) -> bool {
    finding
        .problem
        .starts_with("a float operation's result goes somewhere else than through a fence")
        && finding.text == "return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));"
}

/// Operators share texts, and each has constants.
#[test]
fn every_operator_is_a_candidate() {
    let values = CANDIDATES.iter().flat_map(|shader| &shader.constants);
    let found: BTreeSet<OperatorType> = values.filter_map(|values| Some(values.of?.0)).collect();
    assert!(found.iter().eq(&BTreeSet::from_iter(OperatorType::ALL.iter().copied())), "{found:?}");
}

/// Which shaders promise no bits, and that these have one addition without a fence.
#[test]
fn only_unchecked_sums_go_without_fences() {
    let mut count = 0;
    for Kernel { key, text, parsed } in &*KERNELS {
        let findings = fences::check(&parsed.module, text);
        let is_unchecked = key.arithmetic == Arithmetic::Unchecked;
        assert_eq!(is_unchecked, key.files().contains(&"operator/sum_f32.wgsl@unchecked"), "{key}");
        assert_eq!(findings.len(), usize::from(is_unchecked), "{key}");
        assert!(findings.iter().all(is_the_unchecked_addition), "{key}");
        count += usize::from(is_unchecked);
    }
    assert!(count > 0);
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
    assert!(count > 0);
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
        .flat_map(|key| key.files())
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
    let listed: BTreeSet<_> =
        listed.into_iter().filter_map(|name| name.split('@').next()).collect();
    assert!(on_disk.iter().map(String::as_str).eq(listed), "{on_disk:?}");
}

/// Modules leave out what they do not use, so nothing else would find a declaration that no module uses.
#[test]
fn every_declaration_is_used() {
    let probes = shader::Probe::ALL.map(|probe| Sources::default().probe(probe));
    let texts = CANDIDATES.iter().map(|shader| &shader.text).chain(&probes);
    let used: HashSet<Vec<&str>> =
        texts.flat_map(|text| declarations(text)).map(|it| it.tokens).collect();
    let sources = Sources::default();
    // Other users: collectives, expressions that tests do not write, and a list that is written from all parameters.
    let others = ["public/", "expression/", "operator/range.wgsl@addends", "params.wgsl@places"];
    let own = Sources::file_names().filter(|name| !others.iter().any(|it| name.starts_with(it)));
    let declared = own.flat_map(|name| {
        let declared = declarations(sources.text(name).expect("it is listed"));
        declared.into_iter().map(move |declaration| (name, declaration))
    });
    let unused = declared.filter(|(_, declaration)| !used.contains(&declaration.tokens));
    let unused: Vec<_> = unused.map(|(name, declaration)| (name, declaration.name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

/// `&&` and `||` are branches in the languages of devices, and compilers write out functions a hundred times. `&` and `|` are none, so they
/// stand wherever the second operand takes little time and does nothing else.
#[test]
fn few_conditions_are_lazy() {
    let sources = Sources::default();
    let mut found = 0;
    for name in Sources::file_names() {
        let text = sources.text(name).expect("it is there");
        for (before, line) in std::iter::once("").chain(text.lines()).zip(text.lines()) {
            let code = line.split("//").next().unwrap_or_default();
            if code.contains("&&") || code.contains("||") {
                found += 1;
                assert!(before.contains("// Lazy: "), "{name}: say why not `&` or `|`: {line}");
            }
        }
    }
    assert!(found > 0, "the few that there are");
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
    for Kernel { key, text, parsed } in &*KERNELS {
        let declared = text.matches("var<storage").count();
        let bound: BTreeSet<_> =
            key.storage_bindings().map(|(binding, _)| binding as u32).collect();
        let used = storage_bindings(&parsed.module);
        // Kernels that read elements bind them as vectors and as words, and may use one of both.
        let unused: BTreeSet<_> = bound.difference(&used).copied().collect();
        assert!(used.is_subset(&bound), "{key}");
        assert!(
            unused.is_empty() || unused.is_subset(&BTreeSet::from([1, 2])),
            "{key}: {unused:?}"
        );
        // Plans have a selection's single pass only where a device binds as many as its kernel may.
        let most = match key.kernel {
            shader::Kernel::SelectSinglePass { .. } => 6,
            _ => 4,
        };
        assert!(declared <= most, "{key}");
        assert_eq!(text.matches("var<uniform>").count(), 1, "{key}");
    }
    for (name, key) in modules::expressions() {
        let declared = Sources::default().compose(&key).matches("var<storage").count();
        assert!(declared <= key.storage_bindings().count(), "{name}, {key}");
        // Of three inputs plans have a kernel that writes the result only where a device binds as many.
        let writes_result = matches!(
            key.kernel,
            shader::Kernel::ReducePairs
                | shader::Kernel::ReducePairsAndFold
                | shader::Kernel::SelectSinglePass { .. }
        );
        assert!(declared <= if writes_result { 5 } else { 4 }, "{name}, {key}");
    }
}

/// The host and the shaders agree on these constants. A module has the ones that it uses.
#[test]
fn host_and_shaders_agree() {
    let mut checked = BTreeSet::new();
    for Kernel { key, parsed: Parsed { module, .. }, .. } in &*KERNELS {
        let mut check = |name: &'static str, expected: u32| {
            let found = module.constants.iter().find(|(_, c)| c.name.as_deref() == Some(name));
            let Some((_, constant)) = found else { return };
            let naga::Expression::Literal(naga::Literal::U32(value)) =
                module.global_expressions[constant.init]
            else {
                panic!("{name} is no number");
            };
            assert_eq!(value, expected, "{key}: {name}");
            checked.insert(name);
        };
        match key.exact_accumulator() {
            Some([digits, copies, copy_words]) => {
                check("DIGITS", digits);
                check("COPIES", copies);
                check("COPY_WORDS", copy_words);
            }
            // They combine counts of their own, or nothing.
            None if key.kernel.is_selection() || key.kernel.is_of_differences() => {}
            None if key.kernel.is_of_numbers() || is_of_histograms(key) => {}
            None => check("ACC_WORDS", key.acc_words()),
        }
        if let shader::Kernel::Histogram { pass } = key.kernel
            && pass != HistogramPass::Clear
        {
            check("LOCAL_COUNTS", pass.local_counts());
            if pass == HistogramPass::Few {
                check("LOCAL_EDGES", HistogramPass::FEW_BINS);
            }
        }
        if key.kernel.makes_chunks() {
            check("MOST_JOINED_WORDS", shader::Kernel::MOST_JOINED_WORDS);
        }
        if let shader::Kernel::Order { .. } = key.kernel {
            check("MAX_GROUPS", OrderPass::MAX_GROUPS);
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
        check("WORKGROUP_SIZE", plan::WORKGROUP_SIZE / share);
        check("ROUND_ITEMS", u32::try_from(plan::ROUND_ITEMS).expect("few") / share);
    }
    assert_eq!(checked.len(), 10, "all were met: {checked:?}");
}

/// The numbers of the storage bindings that a module declares.
fn storage_bindings(module: &naga::Module) -> BTreeSet<u32> {
    let variables = module.global_variables.iter().map(|(_, variable)| variable);
    let storage = variables.filter(|it| matches!(it.space, naga::AddressSpace::Storage { .. }));
    storage.filter_map(|it| Some(it.binding?.binding)).collect()
}

fn is_of_histograms(key: &ShaderKey) -> bool {
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
                    let key = |of| ShaderKey::of_program(kernel, &program, of, Arithmetic::Hardware);
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
        &matrices.program(),
        Mechanism::WorkgroupMemory,
        Arithmetic::Hardware,
    ));
    keys
}

/// Those with most in workgroup memory. The last ones are of operators of one word or two.
const KERNELS_OF_USERS: [shader::Kernel; 6] = [
    shader::Kernel::ReduceAndFold,
    shader::Kernel::Reduce,
    shader::Kernel::ScanCarries,
    shader::Kernel::ScanRows,
    shader::Kernel::ScanRounds,
    shader::Kernel::ScanSinglePass,
];

#[test]
fn users_operators_fit_the_memory_of_the_others() {
    for key in custom_keys() {
        let parsed = parse(&Sources::default().compose(&key));
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
        .filter_map(|(_, key)| bindings(&parse(&Sources::default().compose(&key)).module));
    assert_eq!(modules().filter_map(bindings).chain(expressions).max(), Some(shader::BINDINGS));
}

#[test]
fn naga_rejects_what_it_should() {
    // The checks above can fail: a seam that is missing, or misspelt, does not validate.
    let key = ShaderKey::all().next().expect("there are some");
    let text = Sources::default()
        .replace("collective/acc.wgsl", "fn acc4_reduce", "fn acc4_reduc")
        .expect("it is there")
        .compose(&key);
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

/// Whatever changes what a compiler would say changes the question.
#[test]
fn questions_differ() {
    let shader = COVER.shaders.iter().rfind(|shader| shader.text.contains("workgroupBarrier();"));
    let shader = shader.expect("there is one");
    let ask = |shader: &Shader, compiler: Compiler, version: &str| {
        Questions::new(compiler, version).about(&Module::of(shader), shader.constants[0])
    };
    let original = ask(shader, Compiler::Dxc, "1.7");
    let changed = |change: &dyn Fn(&mut Shader)| {
        let mut shader = shader.clone();
        change(&mut shader);
        ask(&shader, Compiler::Dxc, "1.7")
    };
    assert_eq!(changed(&|shader| shader.text.push_str("// A comment /* */\n")), original);
    let barrier = "workgroupBarrier();";
    let shifted = format!("/* A /* comment */ */ {barrier}");
    assert_eq!(changed(&|shader| shader.text = shader.text.replace(barrier, &shifted)), original);
    assert_ne!(changed(&|shader| shader.text = shader.text.replacen(barrier, "", 1)), original);
    assert_ne!(changed(&|shader| shader.text.push(';')), original);
    assert_ne!(changed(&|shader| shader.loop_counters ^= true), original);
    assert_ne!(changed(&|shader| shader.entry_point = "another"), original);
    let others = Constants::Shift(17);
    assert_ne!(changed(&|shader| shader.constants = vec![others.into()]), original);
    assert_ne!(ask(shader, Compiler::Dxc, "1.8"), original);
    assert_ne!(ask(shader, Compiler::Tint, "1.7"), original);

    let mut accepted = Accepted::default();
    accepted.set(Compiler::Dxc, "1.7", [original.clone()].into());
    let read = Accepted::read(&accepted.text());
    assert_eq!(read, accepted);
    assert!(read.has(Compiler::Dxc, &original) && !read.has(Compiler::Tint, &original));
    assert_eq!(read.version(Compiler::Dxc), Some("1.7"));
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
        let text = sources.compose(&key);
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
    const OF_BOUNDS: &str = "operator/vector_bounds.wgsl@hardware";
    const PRODUCT: &str = "operator/f32_multiply.wgsl@hardware";
    const WINDOW: &str = "exact/window.wgsl@f32";
    const MOMENTS: &str = "operator/moments_f32.wgsl@device";
    const FACTORS: &str = "operator/products.wgsl@f32";
    const NAN_MEAN: &str = "operator/nan_mean_floats.wgsl@f32_hardware";
    const FOUR_MOMENTS: &str = "operator/four_moments.wgsl@hardware";
    const F64_FENCE: &str = "operator/f64_round.wgsl@fence";
    const F64_SUM: &str = "operator/sum_f64.wgsl";
    const F64_FACTORS: &str = "operator/products.wgsl@f64";
    const F64_PRODUCT: &str = "operator/f64_round.wgsl@hardware";
    const F64_NAN_MEAN: &str = "operator/nan_mean_floats.wgsl@f64_hardware";
    // Without the fence's part, or the whole of it.
    let changes = [
        ("params.wgsl", "bitcast<u32>(x) + params.zero", "+ params.zero", ""),
        ("params.wgsl", "bitcast<u32>(x) + params.zero", "params.zero", "0u"),
        // A pipeline constant: see `a_pipeline_constant_is_no_fence`.
        (
            "params.wgsl",
            "fn fence(x: f32) -> u32 {\n    return bitcast<u32>(x) + params.zero;",
            "fn fence(x: f32) -> u32 {\n    return bitcast<u32>(x) + params.zero;",
            "override zero = 0u;\nfn fence(x: f32) -> u32 {\n    return bitcast<u32>(x) + zero;",
        ),
        (SUM, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (SUM, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "(b)", "(b) + 0.0"),
        (NAN_MEAN, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (NAN_MEAN, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "(b)", "(b) + 0.0"),
        (COMPONENTS, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (OF_BOUNDS, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (FACTORS, "fence(bitcast<f32>(a) * bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (PRODUCT, "fence(bitcast<f32>(a) * bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (MOMENTS, "fence(bitcast<f32>(a) + bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (MOMENTS, "fence(bitcast<f32>(a) - bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (MOMENTS, "fence(bitcast<f32>(a) * bitcast<f32>(b))", "fence", "bitcast<u32>"),
        (FOUR_MOMENTS, "return f64_of(fence_f64(x))", "f64_of(fence_f64(x))", "x"),
        (FOUR_MOMENTS, "fence_f64(square * wide_scaled", "square ", "square * square "),
        (WINDOW, "fence(bitcast<f32>(element) + upper_anchor)", "fence", "bitcast<u32>"),
        (WINDOW, "fence(bitcast<f32>(upper) - upper_anchor)", "fence", "bitcast<u32>"),
        (WINDOW, "fence(bitcast<f32>(element) - bitcast<f32>(kept))", "fence", "bitcast<u32>"),
        (WINDOW, "fence(bitcast<f32>(rest) + lower_anchor)", "fence", "bitcast<u32>"),
        (F64_FENCE, "bitcast<u64>(x) ^ u64(params.zero)", " ^ u64(params.zero)", ""),
        (F64_FENCE, "bitcast<u64>(x) ^ u64(params.zero)", "u64(params.zero)", "0lu"),
        (F64_SUM, "fence_f64(f64_of(a) + f64_of(b))", "(b)", "(b) + f64(0.0)"),
        (F64_NAN_MEAN, "fence_f64(f64_of(a) + f64_of(b))", "(b)", "(b) + f64(0.0)"),
        (F64_FACTORS, "fence_f64(f64_of(a) * f64_of(b))", "(b)", "(b) * f64(2.0)"),
        (F64_PRODUCT, "fence_f64(f64_of(a) * f64_of(b))", "(b)", "(b) * f64(2.0)"),
    ];
    for (file, text, from, to) in changes {
        let to = text.replace(from, to);
        let mut count = 0;
        for (key, text, module) in changed(file, text, &to) {
            let is_of_another_fence = (key.element == ElementType::F64) != file.contains("f64");
            // Narrow floats have the fences of those that they are widened to.
            let is_narrow = key.element.size_bytes() < 4;
            // A module has the changed text only if it uses it.
            let uses_it = text != Sources::default().compose(&key);
            let is_checked = key.arithmetic != Arithmetic::Unchecked && !is_of_another_fence;
            if uses_it && is_checked && !is_narrow {
                let findings = fences::check(&module, &text);
                assert_eq!(findings.is_empty(), fences::operations(&module) == 0, "{key}: {to}");
                count += usize::from(!findings.is_empty());
            }
        }
        assert!(count > 0, "{to}");
    }
}
