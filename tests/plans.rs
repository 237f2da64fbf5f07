//! Plans, for devices made up by hand: no GPU is needed.

use gridfold::{
    AtomicScope, Avoided, Capabilities, DeviceClass, ElementType, Ending, Launch, Mechanism,
    OperatorSpec, OperatorType, Plan, Policy, Precision, PrepareError, RightPart, SliceError,
    Strategy, SubgroupSizes, Variant,
    plan::{Extent, Problem},
    shader::{ExactOutput, Kernel, ShaderKey},
    tree::{Blocks, MAX_LEN},
};
use proptest::prelude::*;

fn capabilities(subgroups: Option<(u32, u32)>) -> Capabilities {
    let mut capabilities = Capabilities::default();
    capabilities.subgroups = subgroups.map(|(min, max)| SubgroupSizes { min, max });
    capabilities
}

/// Devices that the project has no access to, with what their drivers report.
fn devices() -> Vec<(&'static str, Capabilities)> {
    let device = |subgroups, max_binding_bytes, binding_alignment_bytes| {
        let mut capabilities = capabilities(subgroups);
        capabilities.max_binding_bytes = max_binding_bytes;
        capabilities.binding_alignment_bytes = binding_alignment_bytes;
        capabilities
    };
    let mut nothing_to_spare = device(None, 1 << 18, 256);
    nothing_to_spare.max_buffer_bytes = 1 << 20;
    nothing_to_spare.max_workgroups = 16;
    vec![
        ("Apple", device(Some((4, 64)), 1 << 30, 256)),
        ("Intel", device(Some((8, 32)), 128 << 20, 64)),
        ("AMD", device(Some((32, 64)), 128 << 20, 32)),
        ("Qualcomm", device(Some((64, 128)), 128 << 20, 256)),
        ("NVIDIA", device(Some((32, 32)), (1 << 31) - 4, 32)),
        ("WebGPU defaults", capabilities(None)),
        ("nothing to spare", nothing_to_spare),
    ]
}

fn problem(slices: Vec<Extent>) -> Problem {
    Problem {
        element: ElementType::F32,
        operator: OperatorType::Sum,
        slices,
        right_slices: Vec::new(),
        output_shares_input: false,
        variant: Variant::Auto,
        strategy: Strategy::Auto,
        precision: Precision::default(),
    }
}

fn whole(len: u64) -> Extent {
    Extent { buffer_bytes: len * 4, offset_bytes: 0, len }
}

fn pairs(slices: Vec<Extent>, right_slices: Vec<Extent>) -> Problem {
    Problem { operator: OperatorType::Dot, right_slices, ..problem(slices) }
}

/// A slice `offset` elements from the begin of its buffer, and `spare` from its end.
fn extent((offset, len, spare): (u64, u64, u64)) -> Extent {
    Extent { buffer_bytes: (offset + len + spare) * 4, offset_bytes: offset * 4, len }
}

/// Whether nothing is rounded before the end, and no order kept.
fn is_exact(problem: &Problem) -> bool {
    match problem.operator {
        OperatorType::Sum => {
            problem.element == ElementType::F32 && problem.precision == Precision::Exact
        }
        _ => spec(problem).is_always_exact(),
    }
}

fn spec(problem: &Problem) -> &'static OperatorSpec {
    problem.operator.spec(problem.element).expect("it has a plan")
}

/// What a launch has of an input.
struct Part {
    slice: usize,
    binding_offset_bytes: u64,
    binding_bytes: u64,
    base: u32,
}

/// Fails if the device can't have the binding, or if it does not have the elements of the launch, of which the first
/// position is `origin`.
fn check_part(
    part: &Part,
    slices: &[Extent],
    origin: u64,
    launch: &Launch,
    capabilities: &Capabilities,
) {
    let slice = slices[part.slice];
    assert_eq!(part.binding_offset_bytes % capabilities.binding_alignment_bytes, 0);
    assert!(part.binding_bytes <= capabilities.max_binding_bytes);
    assert!(part.binding_offset_bytes + part.binding_bytes <= slice.buffer_bytes);
    assert!(part.binding_bytes > 0 && part.binding_bytes.is_multiple_of(4));
    let slice_begin: u64 = slices[..part.slice].iter().map(|slice| slice.len).sum();
    // The first and the last element are the slice's, and so are all between.
    for position in [launch.begin, launch.end - 1] {
        let word = u64::from(position.wrapping_add(part.base));
        assert!(word < part.binding_bytes / 4);
        let position = origin + u64::from(position);
        assert!((slice_begin..slice_begin + slice.len).contains(&position));
        let byte = part.binding_offset_bytes + word * 4;
        assert_eq!(byte, slice.offset_bytes + (position - slice_begin) * 4);
    }
}

/// What a launch of the shader does, in numbers: each block's range, and the words it loads. Fails if a
/// load leaves the binding, if a block is resumed that was not suspended, or an element or a pair is missed or
/// loaded twice.
fn check(plan: &Plan, problem: &Problem, capabilities: &Capabilities) {
    let block_items = plan.blocks.block_items();
    let is_exact = is_exact(problem);
    let mut next = 0;
    let mut suspended = false;
    for launch in &plan.launches {
        assert!(launch.workgroups >= 1 && launch.workgroups <= capabilities.max_workgroups);
        // The launch goes on where the one before ended.
        let origin = u64::from(launch.first_block) * block_items;
        assert_eq!(origin + u64::from(launch.begin), next);
        assert_eq!(launch.begin != 0, suspended);
        next = origin + u64::from(launch.end);
        assert_eq!(launch.workgroups, launch.blocks.div_ceil(plan.workgroup_blocks));
        let last_block_end = u64::from(launch.blocks) * block_items;
        assert!(u64::from(launch.end) <= last_block_end);
        assert!(u64::from(launch.end) > last_block_end - block_items);
        suspended = u64::from(launch.end) < last_block_end && next < plan.len;
        // Exact sums have no lanes to suspend.
        assert_eq!(launch.suspends, suspended && !is_exact);
        let &Launch { slice, binding_offset_bytes, binding_bytes, base, .. } = launch;
        let left = Part { slice, binding_offset_bytes, binding_bytes, base };
        check_part(&left, &problem.slices, origin, launch, capabilities);
        assert_eq!(launch.right.is_some(), spec(problem).inputs == 2);
        if let Some(RightPart { slice, binding_offset_bytes, binding_bytes, base, .. }) =
            launch.right
        {
            let right = Part { slice, binding_offset_bytes, binding_bytes, base };
            check_part(&right, &problem.right_slices, origin, launch, capabilities);
        }
        // Groups of four below vec_end lie in whole vectors.
        let last_group = launch.vec_end / 4 * 4;
        if last_group >= launch.begin + 4 {
            let word = u64::from((last_group - 4).wrapping_add(launch.base));
            let last_vector = if launch.shift() == 0 { word / 4 } else { word / 4 + 1 };
            assert!(last_vector < launch.binding_bytes / 16);
        }
        // Without edges the shader loads every group whole, without carries it keeps no lanes.
        if !launch.has_edges() {
            assert!(launch.begin.is_multiple_of(4096) && launch.end.is_multiple_of(4096));
            assert_eq!(launch.vec_end, launch.end);
        }
        assert_eq!(launch.carries(), launch.begin != 0 || launch.suspends);
        // At most the last few elements can't be loaded in groups of four.
        assert!(launch.vec_end <= launch.end);
        if problem.slices[launch.slice].buffer_bytes.is_multiple_of(16) {
            assert!(launch.vec_end.max(launch.begin) + 4 > launch.end, "{launch:?}");
        }
    }
    assert_eq!(next, plan.len);
    assert!(!suspended);
    let float_add = capabilities.float_atomics
        && problem.operator == OperatorType::Sum
        && problem.element == ElementType::F32;
    let ending = match problem.strategy {
        _ if is_exact => Ending::Exact,
        Strategy::WorkgroupAtomic => Ending::Atomic { scope: AtomicScope::Workgroup, float_add },
        Strategy::SubgroupAtomic => Ending::Atomic { scope: AtomicScope::Subgroup, float_add },
        _ if plan.blocks.count == 1 && !problem.output_shares_input => Ending::SingleBlock,
        Strategy::SinglePass if plan.blocks.count > 1 && !problem.output_shares_input => {
            Ending::LastWorkgroup
        }
        _ => Ending::Fold,
    };
    assert_eq!(plan.ending, ending);
}

#[test]
fn every_device_gets_a_sound_plan() {
    for (name, capabilities) in devices() {
        for len in [0, 1, 4096, 4097, 1 << 20, (1 << 26) + 3, 1 << 32, MAX_LEN] {
            let problem = problem(vec![whole(len)]);
            let plan = Plan::new(&problem, &capabilities, None);
            let plan = plan.unwrap_or_else(|error| panic!("{name}, {len}: {error}"));
            // 2^40 elements take millions of small windows.
            check(&plan, &problem, &capabilities);
            assert_eq!(plan.blocks, Blocks::of(len));
            let expected = match capabilities.subgroups {
                Some(_) => Mechanism::Subgroup,
                None => Mechanism::WorkgroupMemory,
            };
            assert_eq!(plan.mechanism, expected, "{name}");
        }
    }
}

#[test]
fn the_order_depends_on_the_length_alone() {
    for len in [5000, 1 << 22, (1 << 26) + 3] {
        let mut blocks = Vec::new();
        for (_, capabilities) in devices() {
            for variant in [Variant::Auto, Variant::WorkgroupMemory] {
                for min_rows in [4, 64] {
                    let problem = Problem { variant, ..problem(vec![whole(len)]) };
                    let policy = Policy { min_rows, max_workgroups: 100 };
                    let plan = Plan::new(&problem, &capabilities, Some(policy)).expect("plans");
                    blocks.push(plan.blocks);
                }
            }
        }
        assert!(blocks.iter().all(|&b| b == Blocks::of(len)));
    }
}

/// What was measured on NVIDIA's GPUs is for them, and needs coherent memory.
#[test]
fn a_single_pass_where_it_was_measured() {
    for device_class in [DeviceClass::Nvidia, DeviceClass::Cpu, DeviceClass::Other] {
        for coherent_memory in [false, true] {
            let mut capabilities = capabilities(Some((32, 32)));
            capabilities.device_class = device_class;
            capabilities.coherent_memory = coherent_memory;
            let plan = Plan::new(&problem(vec![whole(1 << 24)]), &capabilities, None);
            let plan = plan.expect("plans");
            let is_single = device_class == DeviceClass::Nvidia && coherent_memory;
            let expected = if is_single { Strategy::SinglePass } else { Strategy::TwoPass };
            assert_eq!(plan.strategy(), expected, "{device_class:?}");
            assert_eq!(plan.blocks, Blocks::of(1 << 24));
            let workgroups = match device_class {
                DeviceClass::Nvidia => 512,
                // 16 rows of two blocks.
                DeviceClass::Cpu => 1024,
                _ => 2048,
            };
            assert_eq!(plan.launches[0].workgroups, workgroups, "{device_class:?}");
        }
    }
}

/// A batch binds whole buffers, so what is loaded four at a time must not depend on where a binding begins.
#[test]
fn bindings_begin_with_a_vector() {
    let mut capabilities = capabilities(None);
    capabilities.binding_alignment_bytes = 4;
    let slice = Extent { buffer_bytes: 4097 * 4, offset_bytes: 4, len: 4096 };
    let plan = Plan::new(&problem(vec![slice]), &capabilities, None).expect("plans");
    assert_eq!(plan.launches[0].binding_offset_bytes, 0);
    assert!(plan.launches[0].shift() == 1 && plan.launches[0].has_edges(), "{plan}");
}

/// A single block behind the last binding would have the device wait for one workgroup. Where the order is fixed, suspending
/// lanes takes longer.
#[test]
fn the_last_launch_has_no_block_to_itself() {
    let mut capabilities = capabilities(Some((32, 32)));
    capabilities.max_binding_bytes = (1 << 31) - 4;
    let float_problem = problem(vec![whole(1 << 29)]);
    let plan = Plan::new(&float_problem, &capabilities, None).expect("plans");
    assert!(plan.launches.iter().all(|launch| !launch.carries()), "{plan}");
    let problem = Problem { element: ElementType::U32, ..float_problem };
    let plan = Plan::new(&problem, &capabilities, None).expect("plans");
    let [first, last] = &plan.launches[..] else { panic!("two launches: {plan}") };
    assert!(first.suspends && first.end.is_multiple_of(4096) && !first.has_edges());
    assert!(last.end - last.begin <= 4096, "{last:?}");
}

#[test]
fn order_free_operators_follow_the_policy() {
    let problem = Problem { operator: OperatorType::Max, ..problem(vec![whole(1 << 20)]) };
    let policy = Policy { min_rows: 16, max_workgroups: 10 };
    let plan = Plan::new(&problem, &capabilities(None), Some(policy)).expect("plans");
    assert_eq!(plan.blocks, Blocks { rows: 128, count: 8 });
}

#[test]
fn forced_variants() {
    let forced = |variant, subgroups| {
        let problem = Problem { variant, ..problem(vec![whole(10)]) };
        Plan::new(&problem, &capabilities(subgroups), None).map(|plan| plan.mechanism)
    };
    let mechanism = forced(Variant::WorkgroupMemory, Some((32, 32))).expect("always there");
    assert_eq!(mechanism, Mechanism::WorkgroupMemory);
    assert_eq!(forced(Variant::Subgroup, Some((4, 64))).expect("there"), Mechanism::Subgroup);
    let error = forced(Variant::Subgroup, None).expect_err("not there");
    assert!(matches!(error, PrepareError::NoSubgroups));
}

#[test]
fn strategies_with_atomics() {
    let atomic = |operator, strategy, variant, float_atomics| {
        let precision = Precision::Unordered;
        let problem =
            Problem { operator, strategy, variant, precision, ..problem(vec![whole(10)]) };
        let mut capabilities = capabilities(Some((32, 32)));
        capabilities.float_atomics = float_atomics;
        Plan::new(&problem, &capabilities, None)
    };
    let (workgroup, subgroup) = (Strategy::WorkgroupAtomic, Strategy::SubgroupAtomic);
    // A single block, too: what is asked for is done.
    let plan = atomic(OperatorType::Sum, workgroup, Variant::Auto, true).expect("plans");
    let scope = AtomicScope::Workgroup;
    assert_eq!(plan.ending, Ending::Atomic { scope, float_add: true });
    assert_eq!(plan.to_string(), "workgroup-atomic, subgroup 32, 1 x 4096, 2 dispatches");
    assert!(!plan.is_reproducible());
    assert!(plan.explain().contains("from run to run"), "{}", plan.explain());
    let plan = atomic(OperatorType::Max, subgroup, Variant::Auto, true).expect("plans");
    let scope = AtomicScope::Subgroup;
    assert_eq!(plan.ending, Ending::Atomic { scope, float_add: false });
    assert!(plan.is_reproducible());
    assert!(!plan.explain().contains("from run to run"), "{}", plan.explain());
    let plan = atomic(OperatorType::Sum, subgroup, Variant::Subgroup, false).expect("plans");
    assert_eq!(plan.ending, Ending::Atomic { scope, float_add: false });
    assert_eq!(plan.mechanism, Mechanism::Subgroup);

    let error = atomic(OperatorType::Sum, subgroup, Variant::WorkgroupMemory, false);
    assert!(matches!(error, Err(PrepareError::Contradiction { .. })), "{error:?}");
    let mut problem = Problem { strategy: subgroup, ..problem(vec![whole(10)]) };
    let error = Plan::new(&problem, &capabilities(None), None);
    assert!(matches!(error, Err(PrepareError::StrategyUnfit { .. })), "{error:?}");
    problem.precision = Precision::Unordered;
    let error = Plan::new(&problem, &capabilities(None), None);
    assert!(matches!(error, Err(PrepareError::NoSubgroups)), "{error:?}");
    // Exact results need none, whatever the variant.
    let exact = Problem {
        strategy: Strategy::Auto,
        variant: Variant::Subgroup,
        precision: Precision::Exact,
        ..problem
    };
    let plan = Plan::new(&exact, &capabilities(None), None).expect("plans");
    assert_eq!((plan.ending, plan.mechanism), (Ending::Exact, Mechanism::WorkgroupMemory));
    // Nobody gets them who did not ask.
    for (_, capabilities) in devices() {
        for len in [0, 1, 4096, 1 << 20] {
            let problem = Problem { strategy: Strategy::Auto, ..self::problem(vec![whole(len)]) };
            let plan = Plan::new(&problem, &capabilities, None).expect("plans");
            assert!(plan.is_reproducible());
        }
    }
}

/// No plan has what is avoided; what it has instead is sound; and nothing but that is an error.
#[test]
fn what_is_avoided_is_in_no_plan() {
    let kernels = Kernel::ALL.map(Kernel::name);
    let mechanisms = [None, Some(Mechanism::Subgroup), Some(Mechanism::WorkgroupMemory)];
    let (mut replaced, mut refused) = (0, 0);
    for (name, mut capabilities) in devices() {
        capabilities.coherent_memory = true;
        capabilities.device_class = DeviceClass::Nvidia;
        for (kernel, mechanism) in
            kernels.iter().flat_map(|&kernel| mechanisms.map(|mechanism| (kernel, mechanism)))
        {
            let mut avoiding = capabilities.clone();
            let reason = "made up".into();
            avoiding.avoided = vec![Avoided { kernel: Some(kernel.into()), mechanism, reason }];
            for operator in [OperatorType::Sum, OperatorType::Max, OperatorType::Variance] {
                for len in [0, 300, 9001, 100_003] {
                    for strategy in [Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass] {
                        let problem = Problem { operator, strategy, ..problem(vec![whole(len)]) };
                        let Ok(usual) = Plan::new(&problem, &capabilities, None) else { continue };
                        let is_avoided = |plan: &Plan| {
                            ShaderKey::of_plan(plan, ExactOutput::Value).any(|key| {
                                key.kernel.name() == kernel
                                    && mechanism.is_none_or(|mechanism| mechanism == key.mechanism)
                            })
                        };
                        match Plan::new(&problem, &avoiding, None) {
                            Ok(plan) => {
                                assert!(!is_avoided(&plan), "{name}: {plan} has {kernel}");
                                assert_eq!(plan == usual, !is_avoided(&usual), "{name}: {plan}");
                                // The same elements in the same order.
                                assert_eq!(plan.launches, usual.launches, "{name}: {plan}");
                                assert_eq!(plan.blocks, usual.blocks, "{name}: {plan}");
                                // What the caller forces is not replaced.
                                if strategy != Strategy::Auto {
                                    assert_eq!(plan.strategy(), usual.strategy(), "{name}: {plan}");
                                }
                                replaced += usize::from(plan != usual);
                            }
                            Err(PrepareError::Avoided { kernel: found, .. }) => {
                                assert!(is_avoided(&usual), "{name}: {usual}, without {kernel}");
                                assert_eq!(found, kernel);
                                refused += 1;
                            }
                            Err(error) => panic!("{name}, without {kernel}: {error}"),
                        }
                    }
                }
            }
        }
    }
    assert!(replaced > 100 && refused > 100, "{replaced} {refused}");
}

/// An exchange takes the place of an atomic addition of floats.
#[test]
fn float_atomics_that_are_avoided() {
    let mut capabilities = capabilities(None);
    capabilities.float_atomics = true;
    let kernel = Some("reduce to accumulator by workgroups, adding floats".into());
    let problem = Problem {
        strategy: Strategy::WorkgroupAtomic,
        precision: Precision::Unordered,
        ..problem(vec![whole(9001)])
    };
    let float_add = |capabilities: &Capabilities| {
        let plan = Plan::new(&problem, capabilities, None).expect("plans");
        let Ending::Atomic { float_add, .. } = plan.ending else { panic!("{plan}") };
        float_add
    };
    assert!(float_add(&capabilities));
    capabilities.avoided = vec![Avoided { kernel, mechanism: None, reason: "made up".into() }];
    assert!(!float_add(&capabilities));
}

#[test]
fn problems_that_cannot_be() {
    let too_long = problem(vec![whole(MAX_LEN), whole(1)]);
    let error = Plan::new(&too_long, &capabilities(None), None).expect_err("too long");
    assert!(matches!(error, PrepareError::TooLong { len } if len == MAX_LEN + 1));
    let unsupported = Problem { operator: OperatorType::BitXor, ..problem(vec![]) };
    let error = Plan::new(&unsupported, &capabilities(None), None).expect_err("not f32");
    assert!(matches!(
        error,
        PrepareError::Unsupported { operator: OperatorType::BitXor, element: ElementType::F32 }
    ));
}

#[test]
fn a_launch_for_each_stretch_of_two_slices() {
    let problem = pairs(
        vec![extent((1, 5000, 0)), extent((0, 0, 7)), extent((100, 10, 0))],
        vec![extent((0, 10, 0)), extent((3, 5000, 2))],
    );
    let plan = Plan::new(&problem, &capabilities(None), None).expect("plans");
    let stretches: Vec<_> = plan
        .launches
        .iter()
        .map(|launch| {
            let right = launch.right.expect("of two inputs");
            let begin =
                u64::from(launch.first_block) * plan.blocks.block_items() + u64::from(launch.begin);
            (begin, launch.end - launch.begin, launch.slice, right.slice)
        })
        .collect();
    assert_eq!(stretches, [(0, 10, 0, 0), (10, 4990, 0, 1), (5000, 10, 2, 1)]);
    check(&plan, &problem, &capabilities(None));
    assert_eq!(plan.ending, Ending::Exact);
    assert!(plan.explain().starts_with("dot of 5010 pairs of f32, "), "{}", plan.explain());
}

#[test]
fn pairs_of_different_lengths() {
    for (left, right) in [(1, 0), (0, 1), (4096, 4097), (MAX_LEN, MAX_LEN + 1)] {
        let problem = pairs(vec![whole(left)], vec![whole(right)]);
        let error = Plan::new(&problem, &capabilities(None), None).expect_err("no pairs");
        let is_expected = matches!(error, PrepareError::LengthMismatch { left: l, right: r } if (l, r) == (left, right));
        assert!(is_expected, "{error}");
    }
    let too_long = pairs(vec![whole(MAX_LEN + 1)], vec![whole(MAX_LEN + 1)]);
    let error = Plan::new(&too_long, &capabilities(None), None).expect_err("too long");
    assert!(matches!(error, PrepareError::TooLong { len } if len == MAX_LEN + 1), "{error}");
    let outside = Extent { buffer_bytes: 4, offset_bytes: 0, len: 2 };
    let problem = pairs(vec![whole(2)], vec![outside]);
    let error = Plan::new(&problem, &capabilities(None), None).expect_err("past the end");
    assert!(matches!(error, PrepareError::Slice(SliceError::PastBuffer { .. })), "{error}");
}

#[test]
fn every_device_gets_a_sound_plan_of_pairs() {
    for (name, capabilities) in devices() {
        for len in [0, 1, 4096, 4097, (1 << 26) + 3, 1 << 32] {
            let problem = pairs(vec![whole(len)], vec![extent((1, len, 0))]);
            let plan = Plan::new(&problem, &capabilities, None);
            let plan = plan.unwrap_or_else(|error| panic!("{name}, {len}: {error}"));
            check(&plan, &problem, &capabilities);
        }
    }
}

#[test]
fn plans_in_words() {
    let plan = |len, subgroups| {
        Plan::new(&problem(vec![whole(len)]), &capabilities(subgroups), None).expect("plans")
    };
    assert_eq!(
        plan(1 << 20, Some((8, 32))).to_string(),
        "two-pass, subgroup 8 to 32, 256 x 4096, 2 dispatches"
    );
    assert_eq!(plan(100, None).to_string(), "two-pass, workgroup-memory, 1 x 4096");
    let words = plan(1 << 26, Some((32, 32))).explain();
    for part in
        ["2048 blocks of 32768", "subgroups of 32", "2 dispatches in a row", "2048 partials"]
    {
        assert!(words.contains(part), "{words}");
    }
    assert!(plan(0, None).explain().contains("the result of nothing"));
}

proptest! {
    #[test]
    fn any_slices_on_any_device(
        slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..6),
        alignment in prop::sample::select(vec![32u64, 64, 256]),
        max_binding_bytes in prop::sample::select(vec![1u64 << 18, (1 << 18) + 52, 1 << 20]),
        max_workgroups in 1u32..40,
        output_shares_input: bool,
        strategy in prop::sample::select(Strategy::ALL.to_vec()),
        precision in prop::sample::select(Precision::ALL.to_vec()),
        float_atomics: bool,
    ) {
        let slices: Vec<Extent> = slices.into_iter().map(extent).collect();
        let mut capabilities = capabilities(Some((8, 8)));
        capabilities.binding_alignment_bytes = alignment;
        capabilities.max_binding_bytes = max_binding_bytes;
        capabilities.max_workgroups = max_workgroups;
        capabilities.float_atomics = float_atomics;
        capabilities.coherent_memory = true;
        let problem = Problem { output_shares_input, strategy, precision, ..problem(slices) };
        let plan = Plan::new(&problem, &capabilities, None);
        let is_lost = match strategy {
            Strategy::Auto => false,
            Strategy::WorkgroupAtomic => precision == Precision::Reproducible,
            Strategy::SubgroupAtomic => precision != Precision::Unordered,
            _ => precision == Precision::Exact,
        };
        if is_lost {
            prop_assert!(matches!(plan, Err(PrepareError::StrategyUnfit { .. })), "{plan:?}");
        } else {
            check(&plan.expect("plans"), &problem, &capabilities);
        }
    }

    #[test]
    fn any_pairs_on_any_device(
        slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..6),
        right_slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..6),
        alignment in prop::sample::select(vec![32u64, 64, 256]),
        max_binding_bytes in prop::sample::select(vec![1u64 << 18, (1 << 18) + 52, 1 << 20]),
        max_workgroups in 1u32..40,
        output_shares_input: bool,
    ) {
        let mut slices: Vec<Extent> = slices.into_iter().map(extent).collect();
        let mut right_slices: Vec<Extent> = right_slices.into_iter().map(extent).collect();
        // As many elements on either side.
        let len = |slices: &[Extent]| slices.iter().map(|slice| slice.len).sum::<u64>();
        let (left_len, right_len) = (len(&slices), len(&right_slices));
        slices.push(extent((1, right_len.saturating_sub(left_len), 0)));
        right_slices.push(extent((0, left_len.saturating_sub(right_len), 1)));
        let mut capabilities = capabilities(Some((8, 8)));
        capabilities.binding_alignment_bytes = alignment;
        capabilities.max_binding_bytes = max_binding_bytes;
        capabilities.max_workgroups = max_workgroups;
        let problem = Problem { output_shares_input, ..pairs(slices, right_slices) };
        let plan = Plan::new(&problem, &capabilities, None).expect("plans");
        check(&plan, &problem, &capabilities);
        prop_assert_eq!(plan.len, left_len.max(right_len));
    }
}

/// Devices and slices that can't be, among others that can.
mod made_up {
    use super::*;
    use proptest::strategy::Strategy as Values;

    fn number() -> impl Values<Value = u64> {
        prop_oneof![
            0u64..100,
            (0u32..64).prop_map(|exponent| 1 << exponent),
            (0u32..64).prop_map(|exponent| (1 << exponent) - 1),
            any::<u64>(),
        ]
    }

    /// Not long, as the smallest windows hold four elements, or far too long.
    fn len() -> impl Values<Value = u64> {
        prop_oneof![0u64..70_000, MAX_LEN - 10..=u64::MAX]
    }

    fn extent() -> impl Values<Value = Extent> {
        let any = (number(), number(), len()).prop_map(|(buffer_bytes, offset_bytes, len)| {
            Extent { buffer_bytes, offset_bytes, len }
        });
        let sound = (0u64..1000, 0u64..70_000, 0u64..99).prop_map(|(offset, len, spare)| Extent {
            buffer_bytes: (offset + len) * 4 + spare,
            offset_bytes: offset * 4,
            len,
        });
        prop_oneof![any, sound]
    }

    proptest! {
        #[test]
        fn a_plan_or_an_error(
            slices in prop::collection::vec(extent(), 0..4),
            right_slices in prop::collection::vec(extent(), 0..4),
            is_paired_with_itself: bool,
            numbers in (number(), number(), number(), any::<u32>()),
            operator in prop::sample::select(OperatorType::ALL.to_vec()),
            strategy in prop::sample::select(Strategy::ALL.to_vec()),
            policy in (any::<u32>(), any::<u32>()),
            sound_policy: bool,
        ) {
            let mut capabilities = capabilities(None);
            (
                capabilities.max_binding_bytes,
                capabilities.max_buffer_bytes,
                capabilities.binding_alignment_bytes,
                capabilities.max_workgroups,
            ) = numbers;
            let policy = if sound_policy {
                Policy::DEFAULT
            } else {
                Policy { min_rows: policy.0, max_workgroups: policy.1 }
            };
            let right_slices = if is_paired_with_itself { slices.clone() } else { right_slices };
            let problem = Problem { operator, strategy, right_slices, ..problem(slices) };
            // Errors are as good as plans here.
            if let Ok(plan) = Plan::new(&problem, &capabilities, Some(policy)) {
                check(&plan, &problem, &capabilities);
            }
        }
    }

    #[test]
    fn each_by_its_name() {
        let plan = |change: &dyn Fn(&mut Capabilities), extent| {
            let mut capabilities = capabilities(None);
            change(&mut capabilities);
            Plan::new(&problem(vec![extent]), &capabilities, None).map(|_| ())
        };
        for alignment in [0, 1, 2, 3, 24] {
            let error =
                plan(&|c| c.binding_alignment_bytes = alignment, whole(9)).expect_err("odd");
            let is_expected = matches!(
                error,
                PrepareError::Capability { capability: "binding_alignment_bytes", found } if found == alignment
            );
            assert!(is_expected, "{error}");
        }
        let error = plan(&|c| c.max_workgroups = 0, whole(9)).expect_err("no work can be done");
        let is_expected =
            matches!(error, PrepareError::Capability { capability: "max_workgroups", found: 0 });
        assert!(is_expected, "{error}");
        let outside = Extent { buffer_bytes: 4, offset_bytes: 0, len: 2 };
        let error = plan(&|_| (), outside).expect_err("past the end");
        assert!(matches!(error, PrepareError::Slice(SliceError::PastBuffer { .. })), "{error}");
        let misaligned = Extent { buffer_bytes: 8, offset_bytes: 2, len: 1 };
        let error = plan(&|_| (), misaligned).expect_err("between elements");
        assert!(matches!(error, PrepareError::Slice(SliceError::Misaligned { .. })), "{error}");
        // More than a binding ever is: what is more is not used.
        plan(&|c| c.max_binding_bytes = u64::MAX, whole(1 << 33)).expect("plans");
    }
}
