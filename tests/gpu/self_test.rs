//! The library's self-test: it passes on every device that the tests have, also on such as are made up of this one, reaches
//! every shader that the device can select, and what it would find can be turned off.

use crate::{
    Case, VULKAN, device::Gpu, exact, floats, inputs::upload, products, support::elements,
};
use gridfold::{
    Arithmetic, Avoided, Batch, CreateError, ElementType, Error, Mechanism, NanRule, OperatorType,
    Plan, Policy, Precision, PrepareError, Reducer, SelfTest, SelfTestProgress, SelfTestReport,
    Strategy, Sum, Variance, Variant,
    shader::{Constants, Kernel, ShaderKey, Sources},
};
use std::{
    collections::{BTreeSet, HashSet},
    sync::{Arc, Mutex},
};

pub fn cases() -> Vec<Case> {
    // It is of both variants.
    let often = |name: &str, run: fn(&Gpu)| {
        Case::tier1(VULKAN, name, move |gpu, _| run(gpu)).only(Variant::WorkgroupMemory)
    };
    let rarely = |name: &str, run: fn(&Gpu)| {
        Case::tier2(name, move |gpu, _| run(gpu)).only(Variant::WorkgroupMemory)
    };
    vec![
        often("self-test", passes),
        rarely("self-test, thorough", passes_thoroughly),
        rarely("self-test, floats in software", |gpu| {
            let software = floats::in_software(gpu);
            passes_for(
                &software,
                &["operator/sum_f32.wgsl@software", "operator/f32_multiply.wgsl@software"],
            );
        }),
        rarely("self-test, exact sums in software", |gpu| {
            let software = floats::in_software(gpu);
            let report = passes_for(&software, &["exact/window.wgsl@none"]);
            assert!(report.shader_keys().any(|key| key.arithmetic == Arithmetic::Software));
        }),
        rarely("self-test, a device that takes every liberty", |gpu| {
            let gpu = floats::taking_liberties(gpu, Sources::default());
            passes_for(&gpu, &["operator/sum_f32.wgsl", "exact/window.wgsl@f32"]);
        }),
        rarely("self-test, one copy of exact accumulators", |gpu| {
            let gpu = exact::with_one_copy(gpu, Sources::default());
            passes_for(&gpu, &["exact/accumulator.wgsl@copies"]);
        }),
        rarely("self-test, sums of products that move often", |gpu| {
            let gpu = products::with_few_groups(gpu, Sources::default());
            passes_for(&gpu, &["exact/product.wgsl@sums"]);
        }),
        often("self-test, a wrong kernel is in the report", wrong_kernel),
        often("what is avoided has others in its place", avoided),
        often("what is avoided in every way is an error", nothing_left),
        rarely("self-test, without subgroups or a single pass", without_some),
        rarely("self-test, small buffers", small_buffers),
        Case::sweep("self-test of everything", |gpu, _| {
            let report = SelfTest::new(&gpu.context).everything().run_blocking();
            assert!(report.passed(), "{report}");
        })
        .only(Variant::WorkgroupMemory),
    ]
}

/// It passes, asks few pipelines, counts the others, and says how far it has come.
fn passes(gpu: &Gpu) {
    let last = Arc::new(Mutex::new(None));
    let told = Arc::clone(&last);
    let tell = move |progress: SelfTestProgress| {
        *told.lock().expect("no panic") =
            Some((progress.compiled, progress.compared, progress.all));
    };
    let report = SelfTest::new(&gpu.context).on_progress(tell).run_blocking();
    assert!(report.passed(), "{report}");
    assert_eq!(report.unfinished, None);
    let pipelines = report.pipelines().count();
    let all = Some((pipelines, pipelines, pipelines));
    assert_eq!(*last.lock().expect("no panic"), all);
    assert!(pipelines <= MAX_BRIEF_PIPELINES && report.not_asked > pipelines, "{report}");
    assert!(report.to_string().contains(" like them were not."), "{report}");
    // Each kernel in each mechanism, operator, element type and value of a constant that the device can select.
    let asked: HashSet<(ShaderKey, Constants)> = report.pipelines().collect();
    for key in ShaderKey::all().filter(|key| can_select(gpu, key)) {
        let has = |has: &dyn Fn(&ShaderKey) -> bool| asked.iter().any(|(asked, _)| has(asked));
        assert!(
            has(&|asked| (asked.kernel, asked.mechanism) == (key.kernel, key.mechanism)),
            "{key}"
        );
        let may_miss = is_of_a_group(key.operator);
        assert!(may_miss || has(&|asked| asked.operator == key.operator), "{key}");
        assert!(has(&|asked| asked.element == key.element), "{key}");
        for constants in Constants::all(key.kernel, key.element) {
            assert!(asked.iter().any(|&(_, asked)| asked == constants), "{key}{constants}");
        }
    }
    // Two devices share the questions, and none is lost.
    let files = &["difference/differences.wgsl"];
    let beside = gpu.with_limits(|_| {}).expect("another device");
    let alone = SelfTest::new(&gpu.context).only_files(files).run_blocking();
    let shared =
        SelfTest::new(&gpu.context).only_files(files).beside(&beside.context).run_blocking();
    assert!(shared.wrong.is_empty() && shared.results == alone.results, "{shared}\n{alone}");
    assert_eq!(shared.pipelines().collect::<HashSet<_>>(), alone.pipelines().collect());
}

/// Every kernel, operator and shader file is in it.
fn passes_thoroughly(gpu: &Gpu) {
    let report = SelfTest::new(&gpu.context).thorough().run_blocking();
    assert!(report.passed(), "{report}");
    assert_eq!((report.unfinished.as_deref(), report.not_asked), (None, 0));
    assert_every_operator(&report);
    let reached: BTreeSet<&str> = report.shader_keys().flat_map(|key| key.files()).collect();
    let missed: BTreeSet<&str> = ShaderKey::all()
        .filter(|key| can_select(gpu, key))
        .flat_map(|key| key.files())
        .filter(|file| !reached.contains(file))
        .collect();
    assert!(missed.is_empty(), "not reached: {missed:?}");
    assert_constants(gpu, &report);
}

/// Pipelines of a brief self-test at most.
const MAX_BRIEF_PIPELINES: usize = 230;

/// Pipelines of a thorough self-test at most: compiling them is most of its time. The operators on f64s, whose arithmetic no other type
/// shares, have some 45 of them, exact ones included; some forty are of narrow and of strided elements, and of sums and products in 64 bits,
/// and as many of elements of several components and of masks; some twenty are of extrema by keys, and of what is counted, some sixty of
/// scans, fifty of selections and differences, of which selections write through both mechanisms, fourteen of segments, five of where these are, thirty of exact ones, of strides in them and of groups in one pass, sixteen of histograms, and twelve of moments. Selections in a
/// single pass and those of narrow elements have 84, those of elements of more than two words 25, because each kernel meets each kind of mask and size of element; scans by other operators, brief moments and bounds some thirty.
/// Segments whose elements follow one another have some twenty of their own. Exact sums and means of segments of f64s have some ten, and scans by variances, moments, places
/// and of components some twenty.
const MAX_PIPELINES: usize = 850;

/// Every kernel meets each value of its constants, and so do both mechanisms; in few pipelines.
fn assert_constants(gpu: &Gpu, report: &SelfTestReport) {
    let pipelines: HashSet<(ShaderKey, Constants)> = report.pipelines().collect();
    assert!(pipelines.len() <= MAX_PIPELINES, "{} pipelines", pipelines.len());
    // What adds floats plays no part in where they lie.
    let kernel = |key: &ShaderKey| match key.kernel {
        Kernel::ReduceToAccumulator { scope, .. } => {
            Kernel::ReduceToAccumulator { scope, float_add: false }
        }
        kernel => kernel,
    };
    let reached: HashSet<(Kernel, Constants)> =
        pipelines.iter().map(|(key, constants)| (kernel(key), *constants)).collect();
    let reached_by: HashSet<(Mechanism, Constants)> =
        pipelines.iter().map(|(key, constants)| (key.mechanism, *constants)).collect();
    let mut missed = BTreeSet::new();
    for key in ShaderKey::all().filter(|key| can_select(gpu, key)) {
        for constants in Constants::all(key.kernel, key.element) {
            if !reached.contains(&(kernel(&key), constants)) {
                missed.insert(format!("{}{constants}", key.kernel.name()));
            }
            if !reached_by.contains(&(key.mechanism, constants)) {
                missed.insert(format!("{}{constants}", key.mechanism));
            }
        }
    }
    assert!(missed.is_empty(), "not reached: {missed:?}");
}

/// Each operator on each type of a word or two, and each other type: what is done with narrow ones is the same once they are loaded, and with
/// components the same as with scalars. Of extrema by keys, and of what is made of counts and sums of what is counted, each group that shares
/// shaders is asked of some type.
fn assert_every_operator(report: &SelfTestReport) {
    let asked: BTreeSet<(OperatorType, ElementType)> =
        report.kernels.iter().flat_map(|kernel| kernel.operators.iter().copied()).collect();
    for element in ElementType::ALL {
        let is_other =
            element.size_bytes() < 4 || element.is_vector() || element == ElementType::Bits;
        for &operator in OperatorType::ALL {
            let is_asked = asked.contains(&(operator, element));
            let is_known = operator.spec(element).is_some();
            // The CPU has these alone.
            let is_on_cpu = element == ElementType::F64
                && [
                    OperatorType::Variance.nan(NanRule::Ignore),
                    OperatorType::Variance.nan(NanRule::Ignore).sample(),
                ]
                .contains(&operator);
            let may_miss = is_other || is_of_a_group(operator) || is_on_cpu;
            assert!(is_asked == is_known || (may_miss && is_known), "{operator} {element}");
        }
        assert!(asked.iter().any(|&(_, of)| of == element), "{element}");
    }
    for keys in ShaderKey::modules() {
        let own = |key: &ShaderKey| asked.iter().any(|&(of, _)| of == key.operator);
        assert!(keys.iter().any(own), "{}", keys[0]);
    }
}

fn is_of_a_group(operator: OperatorType) -> bool {
    operator.tells_places()
        || operator.nan_rule() != NanRule::Propagate
        || [
            OperatorType::Any,
            OperatorType::All,
            OperatorType::CountNan,
            OperatorType::BriefMoments,
            OperatorType::L1Norm,
            OperatorType::MinMax,
            OperatorType::Moments,
        ]
        .contains(&operator)
}

/// What is not used is excused, and nothing else; every operator is asked in what is left.
fn without_some(gpu: &Gpu) {
    let no_subgroups =
        Avoided { kernel: None, mechanism: Some(Mechanism::Subgroup), reason: "made up".into() };
    let context = gpu.context.avoiding([no_subgroups, avoid("reduce and fold", None)]);
    let report = SelfTest::new(&context.expect("a context")).thorough().run_blocking();
    assert!(report.passed(), "{report}");
    assert_every_operator(&report);
    for kernel in &report.kernels {
        let is_unused =
            kernel.mechanism == Mechanism::Subgroup || kernel.kernel == "reduce and fold";
        let has_no_floats =
            kernel.kernel.ends_with("adding floats") && !gpu.capabilities().float_atomics;
        assert_eq!(kernel.unused.is_some(), is_unused || has_no_floats, "{report}");
    }
    assert!(report.to_string().contains("not used: made up"), "{report}");
    // Nothing is an excuse for a kernel that was left out.
    let context = gpu.context.avoiding([avoid("reduce and fold", None)]).expect("a context");
    let part = SelfTest::new(&context).only_files(&["exact/reduce.wgsl"]).run_blocking();
    assert!(!part.passed() && part.wrong.is_empty(), "{part}");
}

/// What does not fit is left out, and told; every kernel has something that does.
fn small_buffers(gpu: &Gpu) {
    let small = gpu.with_limits(|limits| {
        limits.max_buffer_size = 1 << 21;
        limits.max_storage_buffer_binding_size = 1 << 18;
    });
    let small = small.expect("a device with lower limits");
    small
        .check(|gpu| {
            let report = gpu.context.self_test_blocking();
            assert!(report.passed() && report.left_out > 0, "{report}");
            assert!(report.to_string().contains("left out: "), "{report}");
        })
        .expect("no errors");
}

/// Whether a plan for the device can have a shader.
fn can_select(gpu: &Gpu, key: &ShaderKey) -> bool {
    let capabilities = gpu.capabilities();
    let kernel = match key.kernel {
        kernel if kernel.needs_coherent_memory() => {
            let binds = key.storage_bindings().count();
            capabilities.coherent_memory && binds <= capabilities.max_storage_buffers as usize
        }
        // Floats are not exchanged where there is an atomic addition of them.
        Kernel::ReduceToAccumulator { float_add, .. } => {
            !key.adds_floats() || float_add == capabilities.float_atomics
        }
        _ => true,
    };
    let mechanism = key.mechanism != Mechanism::Subgroup || capabilities.subgroups.is_some();
    let arithmetic = match key.arithmetic {
        _ if !key.computes_floats() => true,
        arithmetic => {
            let is_sound = match key.element {
                ElementType::F64 => capabilities.sound_doubles,
                _ => capabilities.sound_floats,
            };
            is_sound != (arithmetic == Arithmetic::Software)
        }
    };
    kernel && mechanism && arithmetic
}

/// What has to do with some shader files.
fn passes_for(gpu: &Gpu, files: &[&str]) -> SelfTestReport {
    let report = SelfTest::new(&gpu.context).only_files(files).run_blocking();
    assert!(report.wrong.is_empty() && report.unfinished.is_none(), "{report}");
    let reached: BTreeSet<&str> = report.shader_keys().flat_map(|key| key.files()).collect();
    assert!(files.iter().all(|file| reached.contains(file)), "{files:?}: {report}");
    report
}

/// What is wrong is told, with the likely culprit, and is no longer wrong where that is avoided.
fn wrong_kernel(gpu: &Gpu) {
    // There is no such kernel without.
    if !gpu.capabilities().coherent_memory {
        let plan = Reducer::<f32, _>::new(&gpu.context, Sum).strategy(Strategy::SinglePass);
        let refused = plan.plan(upload(gpu, &elements::<f32>(9001)));
        assert!(matches!(refused, Err(PrepareError::NoCoherentMemory)), "{refused:?}");
        return;
    }
    let file = "reduce/and_fold.wgsl";
    let sources = Sources::default().replace(file, "job.partials + job.block", "job.partials");
    let gpu = gpu.with_shaders(sources.expect("it is there")).expect("a context");
    let report = SelfTest::new(&gpu.context).only_files(&[file]).run_blocking();
    assert!(!report.passed() && !report.wrong.is_empty(), "{report}");
    let mut suspects = report.suspects().into_iter().map(|suspect| suspect.kernel);
    assert!(suspects.any(|kernel| kernel == "reduce and fold"), "{report}");
    let text = report.to_string();
    for words in ["WRONG: reproducible sum of", "reduce and fold (", "are WRONG or missing"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let wrong = &report.wrong[0];
    assert!(wrong.found.as_ref().is_ok_and(|found| *found != wrong.expected), "{wrong}");

    let avoided = report.suspects().into_iter().map(|kernel| kernel.avoided("made up"));
    let context = gpu.context.avoiding(avoided).expect("a context");
    let again = SelfTest::new(&context).only_files(&[file, "reduce/fold.wgsl"]).run_blocking();
    assert!(again.wrong.is_empty() && again.results > 0, "{again}");
}

fn avoid(kernel: &'static str, mechanism: Option<Mechanism>) -> Avoided {
    Avoided { kernel: Some(kernel.into()), mechanism, reason: "made up".into() }
}

/// The same bits, by other kernels.
fn avoided(gpu: &Gpu) {
    let values = elements::<f32>(20_001);
    let input = upload(gpu, &values);
    let expected = gridfold::Executor::cpu().sum(&values).expect("the CPU can't fail").to_bits();
    let has_subgroups = gpu.capabilities().subgroups.is_some();
    type Check = fn(&Plan) -> bool;
    let cases: [(&[&'static str], Option<Mechanism>, Check); 3] = [
        (&["reduce and fold"], None, |plan| plan.strategy == Strategy::TwoPass),
        (&["reduce", "reduce and fold"], Some(Mechanism::Subgroup), |plan| {
            plan.mechanism == Mechanism::WorkgroupMemory
        }),
        (&["fold", "reduce and fold"], Some(Mechanism::WorkgroupMemory), |plan| {
            plan.mechanism == Mechanism::Subgroup
        }),
    ];
    for (kernels, mechanism, check) in cases {
        let context = kernels.iter().map(|&kernel| avoid(kernel, mechanism));
        let context = gpu.context.avoiding(context).expect("a context");
        let sum = Reducer::<f32, _>::new(&context, Sum);
        if mechanism == Some(Mechanism::WorkgroupMemory) && !has_subgroups {
            let error = sum.plan(&input).expect_err("nothing is left");
            assert!(matches!(error, PrepareError::Avoided { .. }), "{error}");
            continue;
        }
        let plan = sum.plan(&input).expect("plans");
        assert!(check(&plan), "{kernels:?}: {plan}");
        let value = sum.reduce_blocking(&input).expect("reduces");
        assert_eq!(value.to_bits(), expected, "{kernels:?}");
    }
    // A single block goes in a single pass, if there is one.
    let context = gpu.context.avoiding([avoid("reduce", None)]).expect("a context");
    let has_others = gpu.capabilities().coherent_memory;
    let block = input.slice(0..300).expect("within");
    let of_block = gridfold::Executor::cpu().sum(&values[..300]).expect("the CPU can't fail");
    match Reducer::<f32, _>::new(&context, Sum).reduce_blocking(&block) {
        Ok(sum) => assert!(has_others && sum.to_bits() == of_block.to_bits(), "{sum}"),
        Err(error) => {
            let is_avoided = matches!(error, Error::Prepare(PrepareError::Avoided { .. }));
            assert!(!has_others && is_avoided, "{error}");
        }
    }
    // Reductions of a batch share no dispatch then.
    let contexts = [(&gpu.context, true), (&context, false)];
    for (context, shares) in contexts.into_iter().filter(|&(_, shares)| shares || has_others) {
        let sum = Reducer::<f32, _>::new(context, Sum).policy(Policy::DEFAULT);
        let mut batch = Batch::new(context);
        let tickets = [0, 4].map(|begin| {
            let part = input.slice(begin..begin + 9001).expect("within");
            batch.add(&sum, &part).expect("adds")
        });
        let prepared = batch.prepare().expect("prepares");
        let alone = sum.plan(input.slice(0..9001).expect("within")).expect("plans");
        let expected = if shares { 2 } else { 2 * alone.dispatches.len() };
        assert_eq!(prepared.dispatches(), expected);
        let mut encoder = gpu.encoder();
        let readback = prepared.record_readback(&mut encoder).expect("records");
        gpu.submit(encoder);
        let results = readback.wait_blocking().expect("arrives");
        for (ticket, begin) in tickets.into_iter().zip([0, 4]) {
            let part = &values[begin..begin + 9001];
            let expected = gridfold::Executor::cpu().sum(part).expect("the CPU can't fail");
            assert_eq!(results.get(ticket).expect("its own").to_bits(), expected.to_bits());
        }
    }
}

fn nothing_left(gpu: &Gpu) {
    let input = upload(gpu, &elements::<f32>(9001));
    let is_avoided = |error: &PrepareError, kernel: &str| {
        matches!(error, PrepareError::Avoided { kernel: found, reason }
            if *found == kernel && reason == "made up")
    };
    // No kernel at all.
    let everything = Avoided { kernel: None, mechanism: None, reason: "made up".into() };
    let context = gpu.context.avoiding([everything]).expect("a context");
    let error = Reducer::<f32, _>::new(&context, Sum).reduce_blocking(&input).expect_err("avoided");
    assert!(matches!(error, Error::Prepare(PrepareError::Avoided { .. })), "{error}");
    // What the caller forces is not replaced.
    let context = gpu.context.avoiding([avoid("fold", None)]).expect("a context");
    let sum = Reducer::<f32, _>::new(&context, Sum).strategy(Strategy::TwoPass);
    let sum = sum.policy(Policy::DEFAULT);
    let error = sum.plan(&input).expect_err("avoided");
    assert!(is_avoided(&error, "fold"), "{error}");
    // Neither is there a kernel of any name.
    let error = gpu.context.avoiding([avoid("no such kernel", None)]).expect_err("unknown");
    assert!(
        matches!(&error, CreateError::NoSuchKernel { kernel, mechanism: None } if kernel == "no such kernel"),
        "{error}"
    );
    let finish = avoid("finish", Some(Mechanism::Subgroup));
    let error = gpu.context.avoiding([finish]).expect_err("it has no subgroups");
    assert!(matches!(error, CreateError::NoSuchKernel { .. }), "{error}");
    // There is one way to an exact variance, and one to its accumulator.
    let context = gpu.context.avoiding([avoid("exact finish", None)]).expect("a context");
    let variance = Reducer::<f32, _>::new(&context, Variance).precision(Precision::Exact);
    assert!(is_avoided(&variance.plan(&input).expect_err("avoided"), "exact finish"));
    variance.accumulate_blocking(&input).expect("the accumulator is another kernel's");
    let context = gpu.context.avoiding([avoid("exact accumulator", None)]).expect("a context");
    let variance = Reducer::<f32, _>::new(&context, Variance).precision(Precision::Exact);
    variance.reduce_blocking(&input).expect("its value is another kernel's");
    let Err(Error::Prepare(error)) = variance.accumulate_blocking(&input) else {
        panic!("it is avoided")
    };
    assert!(is_avoided(&error, "exact accumulator"), "{error}");
}
