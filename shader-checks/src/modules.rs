//! Which modules there are.

use crate::{
    collectives::{self, SIZES},
    examples,
    translate::{Parsed, Specialized, Values},
};
use gridfold::{
    ArgMax, Arithmetic, CustomOperator, Map, Map2, Map3, Mean, Mechanism, Norm, Predicate, Sum,
    shader::{Constants, Kernel, Probe, Selected, ShaderKey, Sources},
    wgsl::Collectives,
};
use gridfold_ladder::{
    modules::{self as ladder, FloatAtomics, Module},
    studies,
};
use std::collections::BTreeSet;

/// The text of a module, its entry point, and the pipeline constants that it is used with.
#[derive(Clone, Debug)]
pub struct Shader {
    /// The library's own kernel, if it is one, of which no expression and no user's operator is a part.
    pub key: Option<ShaderKey>,
    /// As in labels and errors.
    pub name: String,
    /// WGSL.
    pub text: String,
    /// The entry point's name.
    pub entry_point: &'static str,
    /// Every set of constants.
    pub constants: Vec<Values>,
    /// Whether the library has wgpu add counters to the module's loops, which end them.
    pub loop_counters: bool,
    /// Whether its results are promised to the bit, so that its float operations need fences. The ladder's kernels add floats of
    /// which every sum is exact, in whatever order: fences would change nothing but how well they show what they are about.
    pub promises_bits: bool,
    /// Whether it is of `gridfold ladder`.
    pub is_of_ladder: bool,
}

/// Looks at every pipeline of these modules: at the constants, and the module with them filled in.
///
/// # Errors
///
/// The first that there is, with the pipeline's name.
pub fn pipelines(
    shaders: &[Shader],
    mut look: impl FnMut(&Shader, Values, &Specialized<'_>) -> Result<(), String>,
) -> Result<(), String> {
    for shader in shaders {
        let about = |error: String| format!("{}: {error}", shader.name);
        let parsed = Parsed::new(&shader.text).map_err(about)?;
        for &constants in &shader.constants {
            parsed
                .specialize(shader.entry_point, constants, shader.loop_counters)
                .and_then(|module| look(shader, constants, &module))
                .map_err(|error| about(format!("{constants}: {error}")))?;
        }
    }
    Ok(())
}

/// Lanes of the workgroups whose kernels with collectives are in the cover: whole subgroups, and others.
pub const SIZES_OF_SEAMS: [u32; 3] = [64, 95, 1000];

/// Every module that the library may create of its own files, some with users' operators, those of `gridfold ladder`, users' kernels
/// with collectives, and those of the examples.
pub fn all() -> Vec<Shader> {
    modules(&SIZES, in_turn)
}

/// All of them with every set of constants, but collectives of three sizes of workgroups alone.
pub fn with_seams() -> Vec<Shader> {
    modules(&SIZES_OF_SEAMS, |keys, _| {
        let all = Constants::all(keys[0].kernel, keys[0].element).into_iter();
        let with_each = |constants| keys.iter().map(move |key| values(key, constants));
        all.flat_map(with_each).collect()
    })
}

fn modules(sizes: &[u32], constants: impl Fn(&[ShaderKey], usize) -> Vec<Values>) -> Vec<Shader> {
    let sources = Sources::default();
    let kernels = ShaderKey::modules().enumerate().map(|(number, keys)| {
        let key = keys[0].clone();
        Shader {
            name: key.to_string(),
            text: sources.compose(&key),
            entry_point: key.kernel.entry_point(),
            constants: constants(&keys, number),
            loop_counters: key.exchanges(),
            promises_bits: key.arithmetic != Arithmetic::Unchecked,
            is_of_ladder: false,
            key: Some(key),
        }
    });
    let probes = Probe::ALL.into_iter().map(|probe| Shader {
        key: None,
        name: probe.entry_point().to_owned(),
        text: sources.probe(probe),
        entry_point: probe.entry_point(),
        constants: vec![Constants::None.into()],
        loop_counters: false,
        promises_bits: true,
        is_of_ladder: false,
    });
    let collectives = collectives::all(sizes).into_iter().map(|(name, text)| Shader {
        key: None,
        name,
        text,
        entry_point: "main",
        constants: vec![Constants::None.into()],
        // Users' modules are made with wgpu's default.
        loop_counters: true,
        promises_bits: true,
        is_of_ladder: false,
    });
    let mapped = expressions().map(of_expression);
    let others =
        of_users().chain(mapped).chain(of_the_ladder()).chain(collectives).chain(of_examples());
    let others = others.chain(of_studies()).chain(long_expressions());
    kernels.chain(others).chain(probes).collect()
}

fn of_expression((name, key): (&'static str, ShaderKey)) -> Shader {
    Shader {
        key: None,
        name: format!("{}, {name}, {}, {:?}", key.kernel.name(), key.mechanism, key.arithmetic),
        text: Sources::default().compose(&key),
        entry_point: key.kernel.entry_point(),
        constants: some_constants(&key),
        loop_counters: key.has_own_loops(),
        promises_bits: true,
        is_of_ladder: false,
    }
}

fn values(key: &ShaderKey, constants: Constants) -> Values {
    Values { constants, of: Some((key.operator, key.element)) }
}

/// Every set of a kernel's constants. Operators and element types that share the text take turns: of so many other kernels each has some.
fn in_turn(keys: &[ShaderKey], number: usize) -> Vec<Values> {
    let all = Constants::all(keys[0].kernel, keys[0].element).into_iter();
    let turns = keys.iter().cycle().skip(number);
    all.zip(turns).map(|(constants, key)| values(key, constants)).collect()
}

/// Every set of an expression's constants, or one if its elements have two words: DXC takes a minute for each of these.
fn some_constants(key: &ShaderKey) -> Vec<Values> {
    let all = Constants::all(key.kernel, key.element).into_iter().map(Values::from);
    let number = if key.element.size_bytes() > 4 { 1 } else { usize::MAX };
    all.take(number).collect()
}

/// Sums of expressions, with a name each, and selections by a predicate. Those of two words are few.
pub fn expressions() -> impl Iterator<Item = (&'static str, ShaderKey)> {
    const RIGHT: &str = "the examples are right";
    use Arithmetic::{Hardware, Software};
    use Mechanism::{Subgroup, WorkgroupMemory};
    let each = [
        (Subgroup, Hardware),
        (Subgroup, Software),
        (WorkgroupMemory, Hardware),
        (WorkgroupMemory, Software),
    ];
    let once = &each[1..3];
    let of_one = Map::<f32>::new("x * x + abs(f32(i) - 0.5) / max(x, f32(abs(-i32(i)) / 3))")
        .and_then(|map| map.program(Sum));
    let of_two = Map2::<f32>::new("(x - y) * (x - y)")
        .and_then(|map| map.only_where("x < y || (i & 3u) != 0u && !(bool(y) == (y != y))"))
        .and_then(|map| map.program(Sum));
    let of_doubles =
        Map::<f64>::new("x * x / f64(f32(x)) + f64(i64(x))").and_then(|map| map.program(Sum));
    let of_squares = Map::<f32>::new("x * x + f32(i)").and_then(|map| map.program(Norm));
    let of_differences = Map2::<f32>::new("x - y").and_then(|map| map.program(Mean));
    let of_places = Map::<i64>::new("x * 3li + i64(f32(i))").and_then(|map| map.program(ArgMax));
    let of_bytes = Map2::<u8>::new("x * y").and_then(|map| map.program(Sum));
    let predicate = Predicate::<f32>::new("x * x - 0.5 < abs(x) / f32(i) && (i & 1u) == 0u")
        .and_then(|predicate| predicate.program());
    let of_two_words = Predicate::<f64>::new("x * x < 0.5 || (i & 1u) == 0u")
        .and_then(|predicate| predicate.program());
    let of_parts = Predicate::<i16>::new("x * 3 < 5 && (i & 1u) == 0u")
        .and_then(|predicate| predicate.program());
    let of_components = Map::<[f32; 3]>::new("x.x * x.x + x.z").and_then(|map| map.program(Norm));
    let of_two_components =
        Map2::<[i32; 2]>::new("x.x * y.y - x.y * y.x").and_then(|map| map.program(Sum));
    let of_four = Predicate::<[u32; 4]>::new("x.x < x.w || (i & 1u) == 0u")
        .and_then(|predicate| predicate.program());
    let of_three = Map3::<f32>::new("x * y * z - f32(i)")
        .and_then(|map| map.only_where("z > 0.0"))
        .and_then(|map| map.program(Sum));
    let of_three_bytes = Map3::<u8>::new("x * y - z").and_then(|map| map.program(Sum));
    let of_three_halves = Map3::<i16>::new("x * y - z").and_then(|map| map.program(ArgMax));
    let of_three_doubles = Map3::<f64>::new("x - y * z").and_then(|map| map.program(Sum));
    let of_three_components =
        Map3::<[i32; 2]>::new("x.x * y.y - z.x").and_then(|map| map.program(Sum));
    let counts = &each[2..];
    let programs = [
        ("an expression", Kernel::Reduce, of_one, each.as_slice()),
        ("an expression of pairs", Kernel::ReducePairs, of_two, &each),
        ("an expression of doubles", Kernel::Reduce, of_doubles.clone(), once),
        ("an expression, exactly", Kernel::ExactReduce, of_squares, &each[2..]),
        ("an expression of pairs, exactly", Kernel::ExactPairs, of_differences, &each[2..3]),
        ("an expression of doubles, exactly", Kernel::ExactReduce, of_doubles, &each[2..3]),
        ("an expression for places", Kernel::Reduce, of_places, once),
        ("an expression of bytes", Kernel::ReducePairs, of_bytes, once),
        ("an expression of components", Kernel::Reduce, of_components.clone(), once),
        ("an expression of components, exactly", Kernel::ExactReduce, of_components, &each[2..3]),
        ("pairs of components", Kernel::ReducePairs, of_two_components, once),
        ("an expression of three", Kernel::ReducePairs, of_three.clone(), &each),
        ("an expression of three", Kernel::ReducePairsAndFold, of_three.clone(), once),
        ("an expression of three", Kernel::ReduceTriplesToPartials, of_three.clone(), once),
        ("an expression of three, exactly", Kernel::ExactPairs, of_three, &each[2..3]),
        ("three of bytes", Kernel::ReducePairs, of_three_bytes, once),
        ("three of halves, for places", Kernel::ReducePairs, of_three_halves, once),
        ("three of doubles", Kernel::ReducePairs, of_three_doubles, &each[2..3]),
        ("three of components", Kernel::ReducePairs, of_three_components, &each[2..3]),
        ("a predicate of components", Kernel::CountWhere, of_four, &each[3..]),
        ("a predicate", Kernel::CountWhere, predicate.clone(), counts),
        ("a predicate", Kernel::SelectWhere, predicate.clone(), &each),
        ("a predicate", Kernel::SelectSinglePass { what: Selected::Where }, predicate, once),
        ("a predicate of doubles", Kernel::CountWhere, of_two_words, &each[3..]),
        ("a predicate of halves", Kernel::SelectWhere, of_parts, counts),
    ];
    let keys = programs.map(|(name, kernel, program, ways)| {
        let program = program.expect(RIGHT);
        let key = |&(mechanism, arithmetic): &_| {
            (name, ShaderKey::of_program(kernel, &program, mechanism, arithmetic))
        };
        ways.iter().map(key).collect::<Vec<_>>()
    });
    keys.into_iter().flatten()
}

/// Expressions that devices compute by a loop over their operations.
pub fn long_expressions() -> Vec<Shader> {
    const RIGHT: &str = "the examples are right";
    let floats = "x * 0.7 + select(x / 3, min(x, f32(i)), x < 0.5) - ".repeat(9) + "x * 1e-30";
    let floats = Map::<f32>::new(&floats)
        .and_then(|map| map.only_where("x * x + 1.0 != 2.0"))
        .and_then(|map| map.program(Sum));
    let words = "bitcast<f64>(x) * 0.7 + f64(x % 1000) / bitcast<f64>(x) - ".repeat(7);
    let words = Predicate::<u64>::new(&format!("{words}0.5 < 1e10 || (x / 7 + u64(f32(i))) > 9"))
        .and_then(|predicate| predicate.program());
    let programs = [
        ("a long expression", Kernel::Reduce, floats),
        ("a long predicate", Kernel::CountWhere, words),
    ];
    let ways = [
        (Mechanism::Subgroup, Arithmetic::Software),
        (Mechanism::WorkgroupMemory, Arithmetic::Hardware),
    ];
    let keys = programs.into_iter().flat_map(|(name, kernel, program)| {
        let program = program.expect(RIGHT);
        ways.map(|(mechanism, arithmetic)| {
            (name, ShaderKey::of_program(kernel, &program, mechanism, arithmetic))
        })
    });
    keys.map(of_expression).collect()
}

/// Kernels with operators of users' own: with an order, with an order and a large accumulator or components, and without.
fn of_users() -> impl Iterator<Item = Shader> {
    const RIGHT: &str = "the examples are right";
    let affine = include_str!("../../tests/custom/affine.wgsl");
    let affine = CustomOperator::<u32, [u32; 2]>::ordered(affine).expect(RIGHT);
    let longest_run = include_str!("../../tests/custom/longest_run.wgsl");
    let longest_run = CustomOperator::<i32, [u32; 2]>::ordered(longest_run).expect(RIGHT);
    let words = include_str!("../../tests/custom/words.wgsl");
    let words = CustomOperator::<u64, u64>::commutative(words).expect(RIGHT);
    let matrices = include_str!("../../tests/custom/matrices.wgsl");
    let matrices = CustomOperator::<[u32; 4], [u32; 4]>::ordered(matrices).expect(RIGHT);
    let reductions = &[Kernel::Reduce, Kernel::Fold];
    let scans = &[Kernel::ScanCarries, Kernel::ScanRows];
    let small_scans = &[Kernel::ScanRounds, Kernel::ScanSinglePass];
    let segments = &[Kernel::SegmentChunks, Kernel::SegmentResults];
    let programs: [(_, _, &[&[Kernel]]); 4] = [
        ("affine", affine.program(), &[reductions, scans, small_scans, segments]),
        ("longest run", longest_run.program(), &[reductions, scans]),
        ("matrices", matrices.program(), &[scans]),
        ("words", words.program(), &[reductions]),
    ];
    let mut keys = Vec::new();
    for (name, program, kernels) in programs {
        for &kernel in kernels.iter().copied().flatten() {
            for mechanism in [Mechanism::Subgroup, Mechanism::WorkgroupMemory] {
                let key = ShaderKey::of_program(kernel, &program, mechanism, Arithmetic::Hardware);
                // Some have one module for both.
                let own = (name, key);
                if !keys.contains(&own) {
                    keys.push(own);
                }
            }
        }
    }
    keys.into_iter().map(|(name, key)| Shader {
        key: None,
        // The program's number depends on what there was before.
        name: format!("{}, a user's {name}, {}, {}", key.kernel.name(), key.element, key.mechanism),
        text: Sources::default().compose(&key),
        entry_point: key.kernel.entry_point(),
        constants: Constants::all(key.kernel, key.element).into_iter().map(Values::from).collect(),
        loop_counters: key.has_own_loops(),
        promises_bits: false,
        is_of_ladder: false,
    })
}

/// Examples' kernels, whose own floats are as devices have them.
fn of_examples() -> impl Iterator<Item = Shader> {
    examples::all().map(|example| Shader {
        key: None,
        name: example.name,
        text: example.text,
        entry_point: example.entry_point,
        constants: vec![Constants::None.into()],
        loop_counters: true,
        promises_bits: false,
        is_of_ladder: false,
    })
}

/// The ladder's studies.
fn of_studies() -> impl Iterator<Item = Shader> {
    let (capabilities, limits) = collectives::device(128);
    let costs = studies::VARIANTS.into_iter().flat_map(move |variant| {
        let collectives = Collectives::of(&capabilities, &limits).variant(variant);
        studies::COSTS.iter().map(move |cost| {
            let text = cost.text(collectives.clone()).expect("there are such collectives");
            (format!("ladder study, {}, {}", cost.name, variant.name()), text)
        })
    });
    // Some differ in a constant alone.
    let mut texts = BTreeSet::new();
    let occupancies = studies::OCCUPANCIES.iter().filter_map(move |study| {
        let text = study.text();
        texts.insert(text.clone()).then(|| (format!("ladder study, {}", study.name), text))
    });
    costs.chain(occupancies).map(|(name, text)| Shader {
        key: None,
        name,
        text,
        entry_point: "main",
        constants: vec![Constants::None.into()],
        loop_counters: true,
        promises_bits: false,
        is_of_ladder: true,
    })
}

/// The ladder's, in both ways if they add floats atomically.
fn of_the_ladder() -> impl Iterator<Item = Shader> {
    let ways = |module: &'static Module| {
        let native = module.adds_floats().then_some((FloatAtomics::Native, ", adding floats"));
        [(FloatAtomics::Exchange, "")].into_iter().chain(native).map(move |way| (module, way))
    };
    ladder::ALL.iter().copied().flat_map(ways).flat_map(|(module, (float_atomics, suffix))| {
        let fold = module.has_fold().then_some(Module::FOLD);
        [Module::MAIN].into_iter().chain(fold).map(move |entry_point| Shader {
            key: None,
            name: format!("ladder {}, {entry_point}{suffix}", module.name),
            text: module.compose(float_atomics),
            entry_point,
            constants: vec![Constants::None.into()],
            // The program has no unsafe code, so wgpu adds them to all of its loops.
            loop_counters: true,
            promises_bits: false,
            is_of_ladder: true,
        })
    })
}
