//! Plans, for devices made up by hand: no GPU is needed.

use gridfold::{
    Avoided, Capabilities, DeviceClass, Dispatch, ElementType, Map3, Mechanism, NanRule,
    OperatorType, Policy, Precision, PrepareError, SliceError, Strategy, SubgroupSizes, Sum,
    Variant, View,
    order::MAX_LEN,
    plan::{
        AtomicScope, Ending, Extent, LEVELS, Problem, ROUND_ITEMS, ReductionPlan, WORKGROUP_SIZE,
    },
    shader::{Constants, Kernel, Params, ReductionParams},
    wgpu,
};
use proptest::{prelude::*, strategy::Strategy as Values};

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
        program: None,
        element: ElementType::F32,
        operator: OperatorType::Sum,
        slices,
        right_slices: Vec::new(),
        third_slices: Vec::new(),
        output_offset_bytes: 0,
        output_shares_input: false,
        variant: Variant::Auto,
        strategy: Strategy::Auto,
        precision: Precision::default(),
        is_counted: false,
    }
}

fn whole(len: u64) -> Extent {
    Extent { buffer_bytes: len * 4, offset_bytes: 0, len, stride_bytes: None, bits: None }
}

fn pairs(slices: Vec<Extent>, right_slices: Vec<Extent>) -> Problem {
    Problem { operator: OperatorType::Dot, right_slices, ..problem(slices) }
}

/// Of which an expression makes numbers.
fn triples(slices: Vec<Extent>, right_slices: Vec<Extent>, third_slices: Vec<Extent>) -> Problem {
    let program = Map3::<f32>::new("x * y - z").and_then(|map| map.program(Sum));
    let program = Some(program.expect("an expression"));
    Problem { program, right_slices, third_slices, ..problem(slices) }
}

/// Whether the result comes from a dispatch that reads no input.
fn is_apart(problem: &Problem, capabilities: &Capabilities) -> bool {
    let binds_five = capabilities.max_storage_buffers > 4;
    problem.output_shares_input || (problem.program.is_some() && !binds_five)
}

/// Words of 32 bits of an element.
fn words_of(element: ElementType) -> u64 {
    element.size_bytes() / 4
}

/// A slice `offset` elements from the begin of its buffer, and `spare` from its end.
fn extent((offset, len, spare): (u64, u64, u64)) -> Extent {
    Extent {
        buffer_bytes: (offset + len + spare) * 4,
        offset_bytes: offset * 4,
        len,
        stride_bytes: None,
        bits: None,
    }
}

/// Whether nothing is rounded before the end, and no order kept.
fn is_exact(problem: &Problem) -> bool {
    let is_exact = problem.precision == Precision::Exact;
    let takes_nans = problem.operator.nan_rule() == NanRule::Propagate;
    let has_kernel = match problem.operator.without_options() {
        // Without NaNs it is exact at every level.
        OperatorType::Variance => is_exact || !takes_nans,
        OperatorType::Sum
        | OperatorType::Mean
        | OperatorType::SumOfSquares
        | OperatorType::Norm
        | OperatorType::Dot => is_exact && takes_nans,
        _ => false,
    };
    has_kernel && problem.element == ElementType::F32
}

/// The dispatches that read elements.
fn launches(plan: &ReductionPlan) -> impl Iterator<Item = &Dispatch> {
    plan.dispatches.iter().filter(|dispatch| dispatch.left.is_some())
}

/// The position in the whole sequence that a launch's positions are counted from.
fn origin_of(params: &Params) -> u64 {
    params.own.reduction().first_block() << params.log2_block_items
}

/// The positions in the whole sequence that each launch takes.
fn positions(plan: &ReductionPlan) -> Vec<[u64; 2]> {
    let of =
        |params: &Params| [params.begin, params.end].map(|at| origin_of(params) + u64::from(at));
    launches(plan).map(|launch| of(&launch.params)).collect()
}

/// Fails if the device can't have the binding, or if it does not have the elements of the launch.
fn check_view(
    view: View,
    base: u32,
    slices: &[Extent],
    launch: &Dispatch,
    capabilities: &Capabilities,
) {
    let Dispatch { params, shader, .. } = launch;
    let words = words_of(shader.element);
    let slice = slices[view.slice];
    assert_eq!(view.offset_bytes % capabilities.binding_alignment_bytes, 0);
    assert!(view.size_bytes <= capabilities.max_binding_bytes);
    assert!(view.offset_bytes + view.size_bytes <= slice.buffer_bytes);
    assert!(view.size_bytes > 0 && view.size_bytes.is_multiple_of(4));
    let slice_begin: u64 = slices[..view.slice].iter().map(|slice| slice.len).sum();
    // The first and the last element are the slice's, and so are all between.
    for at in [params.begin, params.end - 1] {
        let word = first_word(launch, base, at);
        assert!(word + words <= view.size_bytes / 4);
        let position = origin_of(params) + u64::from(at);
        assert!((slice_begin..slice_begin + slice.len).contains(&position));
        let byte = view.offset_bytes + word * 4;
        assert_eq!(byte, slice.offset_bytes + (position - slice_begin) * words * 4);
    }
}

/// The word of the binding that an element begins at, as the shaders have it.
fn first_word(launch: &Dispatch, base: u32, at: u32) -> u64 {
    let words = u32::try_from(words_of(launch.shader.element)).expect("one or two");
    at.wrapping_mul(words).wrapping_add(base).into()
}

/// Fails if a load of four elements leaves the binding, or if elements are loaded one by one that need not be.
fn check_vectors(launch: &Dispatch, view: View, slice: Extent) {
    let Params { begin, end, vec_end, base, .. } = launch.params;
    if launch.right.is_some() {
        // Words have no places in a vector.
        assert_eq!((launch.constants, vec_end), (Constants::None, end), "{launch:?}");
        return;
    }
    assert!(vec_end <= end);
    let words = words_of(launch.shader.element);
    // All groups of four begin where this one does, in a vector.
    let group = begin.next_multiple_of(4);
    let shift = match (first_word(launch, base, group) % 4, words) {
        (0, _) => 0,
        (2, 2) => 2,
        _ => 4,
    };
    if shift == 4 {
        assert_eq!(vec_end, end, "{launch:?}");
    } else {
        // Groups of four below vec_end lie in whole vectors.
        let last_group = vec_end / 4 * 4;
        if last_group >= begin + 4 {
            let last_words = first_word(launch, base, last_group - 4) + 4 * (words - 1);
            let last_vector = if shift == 0 { last_words / 4 } else { last_words / 4 + 1 };
            assert!(last_vector < view.size_bytes / 16);
        }
        // At most the last few elements can't be loaded in groups of four.
        if slice.buffer_bytes.is_multiple_of(16) {
            assert!(vec_end.max(begin) + 4 > end, "{launch:?}");
        }
    }
    let is_whole = |at: u32| u64::from(at).is_multiple_of(ROUND_ITEMS);
    let edges = !is_whole(begin) || !is_whole(end) || vec_end < end;
    let constants = match launch.shader.kernel {
        // Exact sums have no pipeline for the middle of a vector.
        Kernel::ExactReduce if shift == 2 => Constants::Exact { shift: 4, edges },
        Kernel::ExactReduce => Constants::Exact { shift, edges },
        _ => Constants::Shift(shift),
    };
    assert_eq!(launch.constants, constants);
}

/// Fails if the kernels have not the room for the blocks of a launch, or for one of them, that folding them in order takes.
fn check_room(launch: &Dispatch, capabilities: &Capabilities) {
    let log2_block_items = launch.params.log2_block_items;
    let log2_span = launch.params.own.reduction().log2_span;
    let max_nodes = 2048 / u64::from(launch.shader.acc_words().max(2));
    // A node for each block of a span.
    assert!(1 << log2_span <= max_nodes, "{launch:?}");
    // A node for each team's part of a round.
    let smallest_team = match (launch.shader.mechanism, capabilities.subgroups) {
        (Mechanism::Subgroup, Some(sizes)) => sizes.min,
        _ => WORKGROUP_SIZE,
    };
    let rounds = (1 << log2_block_items) / ROUND_ITEMS;
    assert!(rounds * u64::from(WORKGROUP_SIZE / smallest_team) <= max_nodes, "{launch:?}");
}

/// What dispatches do, in numbers. Fails if a load leaves its binding, an element or a pair is missed or loaded twice, a
/// launch does not go on from the state that the one before has left, or the kernels have no room for what they are told.
fn check(plan: &ReductionPlan, problem: &Problem, capabilities: &Capabilities) {
    let is_exact = is_exact(problem);
    let is_by_atomics = matches!(plan.ending, Ending::Exact | Ending::Atomic { .. });
    let may_be_alone = !is_by_atomics && !is_apart(problem, capabilities);
    let count = launches(plan).count();
    let scratch_bytes = plan.scratch_bytes();
    let mut next = 0;
    let mut state = None;
    for (number, launch) in launches(plan).enumerate() {
        let params = &launch.params;
        let own = params.own.reduction();
        let is_ordered = !is_by_atomics
            && !plan.spec.order_free
            && launch.shader.arithmetic != gridfold::Arithmetic::Unchecked;
        let block_items = 1u64 << params.log2_block_items;
        assert!(block_items <= plan.block_items);
        assert_eq!(launch.workgroups, params.blocks);
        assert_eq!(params.block, 0);
        assert!(launch.workgroups >= 1 && launch.workgroups <= capabilities.max_workgroups);
        assert_eq!(plan.len, u64::from(own.len_low) | (u64::from(own.len_high) << 32));
        // The launch goes on where the one before ended, in the block that it ended in.
        let origin = origin_of(params);
        assert_eq!(origin + u64::from(params.begin), next);
        assert!(u64::from(params.begin) < block_items && params.begin < params.end);
        next = origin + u64::from(params.end);
        let blocks_end = u64::from(params.blocks) * block_items;
        assert!(u64::from(params.end) <= blocks_end);
        assert!(u64::from(params.end) > blocks_end - block_items);
        // Kernels go past the last position by some rounds.
        assert!(params.end <= 1 << 31 && blocks_end <= 1 << 31);
        // Its blocks lie in one span, and in no half of it.
        let span_blocks = 1 << own.log2_span;
        assert!(own.first_node + params.blocks <= span_blocks);
        assert!(own.first_node < span_blocks.div_ceil(2));
        assert!(span_blocks == 1 || own.first_node + params.blocks > span_blocks / 2);
        let is_tree = count == 1 && plan.len.is_power_of_two() && plan.len >= 4;
        let flags = [
            (number + 1 == count, Params::ENDS),
            (number > 0, Params::RESUMES),
            (is_tree, Params::IS_TREE),
            (params.blocks == 1 && may_be_alone, Params::ALONE),
        ];
        let flags = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum::<u32>();
        assert_eq!(params.flags, flags, "{launch:?}");

        let left = launch.left.expect("it reads");
        check_view(left, params.base, &problem.slices, launch, capabilities);
        check_vectors(launch, left, problem.slices[left.slice]);
        assert_eq!(launch.slice, Some(left.slice));
        let is_of_three = problem.program.is_some();
        assert_eq!(launch.right.is_some(), problem.operator == OperatorType::Dot || is_of_three);
        assert_eq!(launch.third.is_some(), is_of_three);
        if let Some(right) = launch.right {
            check_view(right, own.right_base, &problem.right_slices, launch, capabilities);
        }
        if let Some(third) = launch.third {
            check_view(third, own.third_base, &problem.third_slices, launch, capabilities);
        }
        if is_ordered {
            check_room(launch, capabilities);
        }
        // States take turns, before the partials.
        let accs = if is_ordered { LEVELS } else { 1 };
        let mut states = [own.state_before, own.state_after];
        assert!(state.is_none_or(|state| state == own.state_before));
        state = Some(own.state_after);
        states.sort_unstable();
        assert!(states[0] + accs <= states[1] && states[1] + accs <= own.partials);
        if launch.shader.kernel.storage_bindings().iter().any(|&(it, _)| it as u32 == 3) {
            let accs = u64::from(own.partials) + u64::from(params.blocks);
            let needed_bytes = (1 + accs * u64::from(launch.shader.acc_words())) * 4;
            assert!((needed_bytes..=capabilities.max_binding_bytes).contains(&scratch_bytes));
        }
    }
    assert_eq!(next, plan.len);
    check_kernels(plan);
    let float_add = capabilities.float_atomics
        && problem.operator == OperatorType::Sum
        && problem.element == ElementType::F32;
    let has_one_block = count == 1 && launches(plan).all(|launch| launch.workgroups == 1);
    let ending = match problem.strategy {
        _ if is_exact => Ending::Exact,
        Strategy::WorkgroupAtomic => Ending::Atomic { scope: AtomicScope::Workgroup, float_add },
        Strategy::SubgroupAtomic => Ending::Atomic { scope: AtomicScope::Subgroup, float_add },
        _ if has_one_block && !is_apart(problem, capabilities) => Ending::SingleBlock,
        Strategy::SinglePass
            if !is_apart(problem, capabilities)
                && launches(plan).any(|launch| launch.workgroups > 1) =>
        {
            Ending::LastWorkgroup
        }
        // A launch of several blocks has a fold. Where all have one block, each ends itself.
        _ if launches(plan).all(|launch| launch.params.flags & Params::ALONE != 0) && count > 0 => {
            Ending::SingleBlock
        }
        _ => Ending::Fold,
    };
    assert_eq!(plan.ending, ending);
}

/// Which kernel comes after which.
fn check_kernels(plan: &ReductionPlan) {
    let mut dispatches = plan.dispatches.iter().peekable();
    while let Some(dispatch) = dispatches.next() {
        let is_last = dispatches.peek().is_none();
        match dispatch.shader.kernel {
            // Its partials are folded before anything else is done, by one workgroup that is told the same.
            Kernel::Reduce | Kernel::ReducePairs if dispatch.params.flags & Params::ALONE != 0 => {
                assert_eq!(dispatch.workgroups, 1);
            }
            Kernel::Reduce | Kernel::ReducePairs | Kernel::ReduceTriplesToPartials => {
                let fold = dispatches.next().expect("a fold");
                assert_eq!(fold.shader.kernel, Kernel::Fold);
                assert_eq!((fold.params, fold.workgroups), (dispatch.params, 1));
                assert_eq!(fold.left, None);
            }
            Kernel::ReduceAndFold | Kernel::ReducePairsAndFold => assert!(dispatch.workgroups > 1),
            Kernel::Fold => {
                // Of nothing.
                assert_eq!((plan.dispatches.len(), plan.len, dispatch.params.blocks), (1, 0, 0));
                assert_eq!(dispatch.params.flags, Params::ENDS);
            }
            Kernel::ExactReduce | Kernel::ExactPairs | Kernel::ReduceToAccumulator { .. } => {
                assert!(!is_last);
            }
            Kernel::Finish | Kernel::ExactFinish { .. } => assert!(is_last),
            kernel => panic!("{}", kernel.name()),
        }
    }
}

#[test]
fn every_device_gets_a_sound_plan() {
    for (name, capabilities) in devices() {
        // Plans of millions of small windows take gigabytes.
        let longest = if name == "nothing to spare" { 1 << 33 } else { MAX_LEN };
        for len in [0, 1, 4096, 4097, 1 << 20, (1 << 26) + 3, 1 << 32, longest] {
            let problem = problem(vec![whole(len)]);
            let plan = ReductionPlan::new(&problem, &capabilities, None);
            let plan = plan.unwrap_or_else(|error| panic!("{name}, {len}: {error}"));
            check(&plan, &problem, &capabilities);
            let expected = match capabilities.subgroups {
                Some(_) => Mechanism::Subgroup,
                None => Mechanism::WorkgroupMemory,
            };
            assert_eq!(plan.mechanism, expected, "{name}");
        }
    }
}

/// How blocks are cut changes no bits, so every operator's blocks are as the policy wants them; of an order that smaller teams
/// have to keep they are as large as there is room for.
#[test]
fn blocks_follow_the_policy() {
    let block_items = |operator, subgroups, len, min_rows, max_workgroups| {
        let problem = Problem { operator, ..problem(vec![whole(len)]) };
        let capabilities = capabilities(subgroups);
        let policy = Policy { min_rows, max_workgroups };
        let plan = ReductionPlan::new(&problem, &capabilities, Some(policy)).expect("plans");
        check(&plan, &problem, &capabilities);
        plan.block_items
    };
    for operator in [OperatorType::Sum, OperatorType::Max] {
        for subgroups in [None, Some((32, 32))] {
            assert_eq!(block_items(operator, subgroups, 1 << 20, 16, 10), 1 << 17);
            assert_eq!(block_items(operator, subgroups, 1 << 20, 16, 2048), 1 << 14);
            assert_eq!(block_items(operator, subgroups, 5000, 4, 1), 1 << 13);
        }
    }
    let largest = |operator, subgroups| block_items(operator, subgroups, 1 << 25, 1 << 15, 1);
    assert_eq!(largest(OperatorType::Max, None), 1 << 25);
    assert_eq!(largest(OperatorType::Sum, None), 1 << 22);
    assert_eq!(largest(OperatorType::Sum, Some((32, 32))), 1 << 19);
    assert_eq!(largest(OperatorType::Sum, Some((8, 32))), 1 << 17);
    assert_eq!(largest(OperatorType::Sum, Some((4, 64))), 1 << 16);
    // Accumulators of four words.
    assert_eq!(largest(OperatorType::Product, Some((4, 64))), 1 << 15);
}

/// What was measured on NVIDIA's GPUs is for them, and needs coherent memory.
#[test]
fn a_single_pass_where_it_was_measured() {
    for device_class in [DeviceClass::Nvidia, DeviceClass::Cpu, DeviceClass::Other] {
        for coherent_memory in [false, true] {
            let mut capabilities = capabilities(Some((32, 32)));
            capabilities.device_class = device_class;
            capabilities.coherent_memory = coherent_memory;
            let plan = ReductionPlan::new(&problem(vec![whole(1 << 24)]), &capabilities, None);
            let plan = plan.expect("plans");
            let is_single = device_class == DeviceClass::Nvidia && coherent_memory;
            let expected = if is_single { Strategy::SinglePass } else { Strategy::TwoPass };
            assert_eq!(plan.strategy(), expected, "{device_class:?}");
            let workgroups = match device_class {
                DeviceClass::Nvidia => 512,
                // 16 rows.
                DeviceClass::Cpu => 1024,
                // As many blocks as a workgroup has room for.
                _ => 1024,
            };
            assert_eq!(plan.dispatches[0].workgroups, workgroups, "{device_class:?}");
        }
    }
}

/// A batch binds whole buffers, so what is loaded four at a time must not depend on where a binding begins.
#[test]
fn bindings_begin_with_a_vector() {
    let mut capabilities = capabilities(None);
    capabilities.binding_alignment_bytes = 4;
    let slice = Extent {
        buffer_bytes: 4097 * 4,
        offset_bytes: 4,
        len: 4096,
        stride_bytes: None,
        bits: None,
    };
    let plan = ReductionPlan::new(&problem(vec![slice]), &capabilities, None).expect("plans");
    let [launch] = &plan.dispatches[..] else { panic!("a single block: {plan}") };
    assert_eq!(launch.left.expect("it reads").offset_bytes, 0);
    assert_eq!(launch.constants, Constants::ANY_SHIFT);
    // These are loaded word by word.
    assert_eq!((launch.params.base, launch.params.vec_end), (1, 4096));
    let slice = Extent { offset_bytes: 0, len: 4097, ..slice };
    let plan = ReductionPlan::new(&problem(vec![slice]), &capabilities, None).expect("plans");
    let launch = &plan.dispatches[0];
    assert_eq!((launch.constants, launch.params.base), (Constants::Shift(0), 0));
    // The last vector begins in the buffer, and does not end there.
    assert_eq!(launch.params.vec_end, 4096);
}

/// A long block behind the last binding would have the device wait for one workgroup.
#[test]
fn what_is_behind_a_binding_has_short_blocks() {
    let mut capabilities = capabilities(Some((32, 32)));
    capabilities.max_binding_bytes = (1 << 31) - 4;
    let launches_of = |element, slices: Vec<Extent>| {
        let problem = Problem { element, ..problem(slices) };
        let plan = ReductionPlan::new(&problem, &capabilities, None).expect("plans");
        check(&plan, &problem, &capabilities);
        let blocks = launches(&plan).map(|launch| launch.params.log2_block_items);
        positions(&plan).into_iter().zip(blocks).collect::<Vec<_>>()
    };
    let end = 1 << 29;
    let cut = end - 4096;
    let launches = launches_of(ElementType::U32, vec![whole(end)]);
    assert_eq!(launches, [([0, cut], 18), ([cut, end], 12)]);
    // Where elements have an order, the first launch has no part of a block.
    let cut = end - (1 << 19);
    let launches = launches_of(ElementType::F32, vec![whole(end)]);
    assert_eq!(launches, [([0, cut], 19), ([cut, end], 12)]);
    // A short slice on both sides of a place where long runs meet is two launches.
    let (begin, rest) = (end - 64, 1 << 19);
    let launches = launches_of(ElementType::F32, vec![whole(begin), whole(rest)]);
    let last = begin + rest;
    assert_eq!(launches, [([0, begin], 19), ([begin, end], 12), ([end, last], 12)]);
    let launches = launches_of(ElementType::U32, vec![whole(begin), whole(rest)]);
    assert_eq!(launches, [([0, begin], 18), ([begin, last], 12)]);
}

/// A launch has no more blocks than it should, although none can be longer.
#[test]
fn long_inputs_are_launches_of_a_few_blocks() {
    let mut capabilities = capabilities(Some((32, 32)));
    capabilities.max_binding_bytes = (1 << 31) - 4;
    let policy = Policy { min_rows: 4, max_workgroups: 512 };
    let launches_of = |element, slices: Vec<Extent>| {
        let problem = Problem { element, ..problem(slices) };
        let plan = ReductionPlan::new(&problem, &capabilities, Some(policy)).expect("plans");
        check(&plan, &problem, &capabilities);
        let blocks = launches(&plan).map(|launch| launch.params.log2_block_items);
        positions(&plan).into_iter().zip(blocks).collect::<Vec<_>>()
    };
    let half = 1 << 28;
    let longest = |len: u64| launches_of(ElementType::F32, vec![whole(len)]);
    assert_eq!(longest(half), [([0, half], 19)]);
    assert_eq!(longest(2 * half), [([0, half], 19), ([half, 2 * half], 19)]);
    // A few more blocks are no other launch.
    let more = half + (8 << 19);
    assert_eq!(longest(more), [([0, more], 19)]);
    // A block of f64s is no longer in bytes.
    let of_doubles = |len: u64| extent((0, len, 0));
    let bytes = Extent { buffer_bytes: 8 * half, ..of_doubles(half) };
    let launches = launches_of(ElementType::F64, vec![bytes]);
    assert_eq!(launches, [([0, half / 2], 18), ([half / 2, half], 18)]);
}

/// The span of a launch is the shortest that it is in, and no longer than a workgroup has room for.
#[test]
fn launches_are_within_spans() {
    let spans = |operator, blocks: &[u64]| {
        let slices = blocks.iter().map(|blocks| extent((0, blocks * 4096, 0))).collect();
        let problem = Problem { operator, ..problem(slices) };
        let policy = Policy { min_rows: 4, max_workgroups: 2048 };
        let plan = ReductionPlan::new(&problem, &capabilities(None), Some(policy)).expect("plans");
        check(&plan, &problem, &capabilities(None));
        let of = |params: Params| {
            let ReductionParams { span, log2_span, first_node, .. } = params.own.reduction();
            [span, log2_span, first_node, params.blocks]
        };
        launches(&plan).map(|launch| of(launch.params)).collect::<Vec<_>>()
    };
    for operator in [OperatorType::Sum, OperatorType::Max] {
        assert_eq!(
            spans(operator, &[3, 1, 4, 2, 3]),
            [[0, 2, 0, 3], [3, 0, 0, 1], [1, 2, 0, 4], [4, 1, 0, 2], [1, 3, 2, 3]],
        );
        assert_eq!(spans(operator, &[3, 2]), [[0, 2, 0, 3], [0, 3, 3, 2]]);
    }
    // In order a launch has a span of 1024 blocks at most, so others are cut.
    assert_eq!(spans(OperatorType::Max, &[1000, 100]), [[0, 10, 0, 1000], [0, 11, 1000, 100]]);
    assert_eq!(
        spans(OperatorType::Sum, &[1000, 100]),
        [[0, 10, 0, 1000], [31, 5, 8, 24], [8, 7, 0, 76]],
    );
}

/// Results begin within their binding, which begins at a multiple of the device's alignment.
#[test]
fn results_within_a_binding() {
    for (output_offset_bytes, expected) in [(0, 0), (12, 3), (256, 0), (1028, 1)] {
        let problem = Problem { output_offset_bytes, ..problem(vec![whole(9001)]) };
        let plan = ReductionPlan::new(&problem, &capabilities(None), None).expect("plans");
        let indices = plan.dispatches.iter().map(|dispatch| dispatch.params.result_index);
        assert!(indices.eq([expected; 2]), "{plan}");
    }
}

#[test]
fn forced_variants() {
    let forced = |variant, subgroups| {
        let problem = Problem { variant, ..problem(vec![whole(10)]) };
        ReductionPlan::new(&problem, &capabilities(subgroups), None).map(|plan| plan.mechanism)
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
        ReductionPlan::new(&problem, &capabilities, None)
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
    let error = ReductionPlan::new(&problem, &capabilities(None), None);
    assert!(matches!(error, Err(PrepareError::StrategyUnfit { .. })), "{error:?}");
    problem.precision = Precision::Unordered;
    let error = ReductionPlan::new(&problem, &capabilities(None), None);
    assert!(matches!(error, Err(PrepareError::NoSubgroups)), "{error:?}");
    // Exact results need none, whatever the variant.
    let exact = Problem {
        strategy: Strategy::Auto,
        variant: Variant::Subgroup,
        precision: Precision::Exact,
        ..problem
    };
    let plan = ReductionPlan::new(&exact, &capabilities(None), None).expect("plans");
    assert_eq!((plan.ending, plan.mechanism), (Ending::Exact, Mechanism::WorkgroupMemory));
    // A caller that did not ask does not get them.
    for (_, capabilities) in devices() {
        for len in [0, 1, 4096, 1 << 20] {
            let problem = Problem { strategy: Strategy::Auto, ..self::problem(vec![whole(len)]) };
            let plan = ReductionPlan::new(&problem, &capabilities, None).expect("plans");
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
                        let Ok(usual) = ReductionPlan::new(&problem, &capabilities, None) else {
                            continue;
                        };
                        let is_avoided = |plan: &ReductionPlan| {
                            plan.shaders().any(|key| {
                                key.kernel.name() == kernel
                                    && mechanism.is_none_or(|mechanism| mechanism == key.mechanism)
                            })
                        };
                        match ReductionPlan::new(&problem, &avoiding, None) {
                            Ok(plan) => {
                                assert!(!is_avoided(&plan), "{name}: {plan} has {kernel}");
                                assert_eq!(plan == usual, !is_avoided(&usual), "{name}: {plan}");
                                // The same elements in the same order.
                                assert_eq!(positions(&plan), positions(&usual), "{name}: {plan}");
                                assert_eq!(plan.block_items, usual.block_items, "{name}: {plan}");
                                // What the caller forces is not replaced.
                                if strategy != Strategy::Auto {
                                    let forced = [strategy, usual.strategy()];
                                    assert!(forced.contains(&plan.strategy()), "{name}: {plan}");
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

/// FXC refuses single passes of scans and selections. Those of reductions it compiles, so they stay.
#[test]
fn reductions_go_in_a_single_pass_where_fxc_compiles() {
    let info = wgpu::AdapterInfo::new(wgpu::DeviceType::Other, wgpu::Backend::Dx12);
    let coherent = wgpu::Features::MEMORY_DECORATION_COHERENT;
    let fxc = Capabilities::from_parts(&info, coherent, &wgpu::Limits::defaults());
    assert!(!fxc.avoided.is_empty());
    let sum = Problem { strategy: Strategy::SinglePass, ..problem(vec![whole(100_003)]) };
    let plan = ReductionPlan::new(&sum, &fxc, None).expect("plans");
    assert_eq!(plan.ending, Ending::LastWorkgroup);
}

/// Whether devices have an atomic for the operator, whose accumulator is one word.
fn has_atomic(operator: OperatorType, element: ElementType) -> bool {
    // Whatever the rule for NaNs is.
    let is_extremum = matches!(
        operator.without_options(),
        OperatorType::Min | OperatorType::Max | OperatorType::MaxAbs
    );
    let is_listed = matches!(
        operator,
        OperatorType::Sum | OperatorType::BitAnd | OperatorType::BitOr | OperatorType::BitXor
    );
    (is_listed || is_extremum) && element.size_bytes() <= 4 && element != ElementType::Bits
}

/// Atomics of everything else are refused, and the advice is such as helps.
#[test]
fn atomics_are_of_one_word() {
    let slice = Extent {
        buffer_bytes: 1 << 20,
        offset_bytes: 0,
        len: 9000,
        stride_bytes: None,
        bits: None,
    };
    let levels = [Precision::Unordered, Precision::Reproducible];
    let mut counts = [0; 2];
    for (&operator, element) in
        OperatorType::ALL.iter().flat_map(|it| ElementType::ALL.map(|element| (it, element)))
    {
        // Without NaNs it is exact at every level.
        if operator.without_options() == OperatorType::Variance
            && operator.nan_rule() == NanRule::Ignore
        {
            continue;
        }
        let (is_of_pairs, has_atomic) =
            (operator == OperatorType::Dot, has_atomic(operator, element));
        let scopes = [
            (Strategy::WorkgroupAtomic, AtomicScope::Workgroup),
            (Strategy::SubgroupAtomic, AtomicScope::Subgroup),
        ];
        for ((strategy, scope), asked) in
            scopes.into_iter().flat_map(|scope| levels.map(|level| (scope, level)))
        {
            let Some(kept) = asked.kept_by(operator, element) else { continue };
            let is_rounded =
                matches!(element, ElementType::F32 | ElementType::F16 | ElementType::BF16)
                    && operator == OperatorType::Sum;
            assert_eq!(
                kept == Precision::Unordered,
                is_rounded && asked == Precision::Unordered,
                "{operator} of {element}"
            );
            let problem = Problem {
                element,
                operator,
                strategy,
                precision: asked,
                right_slices: if is_of_pairs { vec![slice] } else { Vec::new() },
                ..problem(vec![slice])
            };
            let plan = ReductionPlan::new(&problem, &capabilities(Some((32, 32))), None);
            let what = format!("{asked} {operator} of {element} by {strategy:?}");
            if has_atomic && kept != Precision::Reproducible {
                let ending = plan.map(|plan| plan.ending);
                let expected = Ending::Atomic { scope, float_add: false };
                assert_eq!(ending.ok(), Some(expected), "{what}");
                counts[0] += 1;
            } else {
                let Err(PrepareError::StrategyUnfit { fitting, looser, .. }) = plan else {
                    panic!("{what}: {plan:?}")
                };
                assert_eq!(fitting, [Strategy::Auto, Strategy::TwoPass], "{what}");
                // Sums of floats alone come by atomics if their bits may change.
                assert_eq!(looser, has_atomic.then_some(Precision::Unordered), "{what}");
                counts[1] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
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
        let plan = ReductionPlan::new(&problem, capabilities, None).expect("plans");
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
    let error = ReductionPlan::new(&too_long, &capabilities(None), None).expect_err("too long");
    assert!(matches!(error, PrepareError::TooLong { len } if len == MAX_LEN + 1));
    let unsupported = Problem { operator: OperatorType::BitXor, ..problem(vec![]) };
    let error = ReductionPlan::new(&unsupported, &capabilities(None), None).expect_err("not f32");
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
    let plan = ReductionPlan::new(&problem, &capabilities(None), None).expect("plans");
    let stretches: Vec<_> = launches(&plan)
        .zip(positions(&plan))
        .map(|(launch, [begin, end])| {
            let [left, right] =
                [launch.left, launch.right].map(|view| view.expect("of both").slice);
            (begin, end - begin, left, right)
        })
        .collect();
    assert_eq!(stretches, [(0, 10, 0, 0), (10, 4990, 0, 1), (5000, 10, 2, 1)]);
    check(&plan, &problem, &capabilities(None));
    assert_eq!(plan.ending, Ending::Fold);
    let exact = Problem { precision: Precision::Exact, ..problem.clone() };
    let exact = ReductionPlan::new(&exact, &capabilities(None), None).expect("plans");
    assert_eq!((exact.ending, positions(&exact)), (Ending::Exact, positions(&plan)));
    assert!(plan.explain().starts_with("dot of 5010 pairs of f32, "), "{}", plan.explain());
}

#[test]
fn a_launch_for_each_stretch_of_three_slices() {
    let problem = triples(
        vec![extent((1, 5000, 0)), extent((0, 0, 7)), extent((100, 10, 0))],
        vec![extent((0, 10, 0)), extent((3, 5000, 2))],
        vec![extent((7, 10, 1)), extent((0, 990, 0)), extent((0, 4009, 0)), extent((2, 1, 0))],
    );
    let plan = ReductionPlan::new(&problem, &capabilities(None), None).expect("plans");
    let stretches: Vec<_> = launches(&plan)
        .zip(positions(&plan))
        .map(|(launch, [begin, end])| {
            let views = [launch.left, launch.right, launch.third];
            (begin, end - begin, views.map(|view| view.expect("of all").slice))
        })
        .collect();
    let wanted = [
        (0, 10, [0, 0, 0]),
        (10, 990, [0, 1, 1]),
        (1000, 4000, [0, 1, 2]),
        (5000, 9, [2, 1, 2]),
        (5009, 1, [2, 1, 3]),
    ];
    assert_eq!(stretches, wanted);
    check(&plan, &problem, &capabilities(None));
    let exact = Problem { precision: Precision::Exact, ..problem.clone() };
    let exact_plan = ReductionPlan::new(&exact, &capabilities(None), None).expect("plans");
    assert_eq!((exact_plan.ending, positions(&exact_plan)), (Ending::Exact, positions(&plan)));
    check(&exact_plan, &exact, &capabilities(None));
    assert!(plan.explain().starts_with("sum of 5010 triples of f32, "), "{}", plan.explain());
}

/// If any input has gaps, each is told where it begins and how far its elements are apart.
#[test]
fn strides_of_three_slices() {
    let gaps = |stride_bytes: u32, offset_bytes| Extent {
        buffer_bytes: 1 << 16,
        offset_bytes,
        len: 1000,
        stride_bytes: Some(stride_bytes.into()),
        bits: None,
    };
    let whole = Extent {
        buffer_bytes: 1 << 16,
        offset_bytes: 8,
        len: 1000,
        stride_bytes: None,
        bits: None,
    };
    for (slices, wanted) in [
        ([gaps(12, 0), whole, whole], [[0, 12], [8, 4], [8, 4]]),
        ([whole, gaps(20, 4), whole], [[8, 4], [4, 20], [8, 4]]),
        ([whole, whole, gaps(8, 12)], [[8, 4], [8, 4], [12, 8]]),
        ([gaps(8, 16), gaps(12, 20), gaps(16, 24)], [[16, 8], [20, 12], [24, 16]]),
    ] {
        let [x, y, z] = slices.map(|slice| vec![slice]);
        let plan = ReductionPlan::new(&triples(x, y, z), &capabilities(None), None).expect("plans");
        let launch = launches(&plan).next().expect("there is one");
        let Params { base, head_bytes, stride_bytes, .. } = launch.params;
        let own = launch.params.own.reduction();
        let found = [
            [head_bytes, stride_bytes],
            [own.right_head_bytes, own.right_stride_bytes],
            [own.third_base, own.third_stride_bytes],
        ];
        assert_eq!((launch.constants, base), (Constants::STRIDED, 0));
        assert_eq!(found, wanted);
    }
}

#[test]
fn triples_of_different_lengths() {
    for [x, y, z] in [[1, 1, 0], [0, 1, 1], [1, 0, 1], [4096, 4096, 4097], [1, 2, 3]] {
        let problem = triples(vec![whole(x)], vec![whole(y)], vec![whole(z)]);
        let error =
            ReductionPlan::new(&problem, &capabilities(None), None).expect_err("not of one length");
        let PrepareError::LengthMismatchOfThree { x: found, y: right, z: third } = error else {
            panic!("{error}");
        };
        assert_eq!([found, right, third], [x, y, z]);
    }
    let outside =
        Extent { buffer_bytes: 4, offset_bytes: 0, len: 2, stride_bytes: None, bits: None };
    let problem = triples(vec![whole(2)], vec![whole(2)], vec![outside]);
    let error = ReductionPlan::new(&problem, &capabilities(None), None).expect_err("past the end");
    assert!(matches!(error, PrepareError::Slice(SliceError::PastBuffer { .. })), "{error}");
}

/// A kernel of three inputs that writes the result binds five.
#[test]
fn three_inputs_where_a_kernel_binds_four_buffers() {
    for (max_storage_buffers, strategies) in [
        (4, [Ending::Fold, Ending::Fold, Ending::Fold]),
        (5, [Ending::SingleBlock, Ending::Fold, Ending::LastWorkgroup]),
    ] {
        let mut capabilities = capabilities(None);
        capabilities.max_storage_buffers = max_storage_buffers;
        capabilities.coherent_memory = true;
        let plans = [
            (100, Strategy::SinglePass),
            (100_000, Strategy::TwoPass),
            (100_000, Strategy::SinglePass),
        ];
        for ((len, strategy), ending) in plans.into_iter().zip(strategies) {
            let [x, y, z] = [(); 3].map(|()| vec![whole(len)]);
            let problem = Problem { strategy, ..triples(x, y, z) };
            let plan = ReductionPlan::new(&problem, &capabilities, None).expect("plans");
            assert_eq!(plan.ending, ending, "{plan}");
            check(&plan, &problem, &capabilities);
            for dispatch in &plan.dispatches {
                let binds = dispatch.shader.storage_bindings().count();
                assert!(binds <= max_storage_buffers as usize, "{}", dispatch.shader);
            }
        }
    }
}

#[test]
fn pairs_of_different_lengths() {
    for (left, right) in [(1, 0), (0, 1), (4096, 4097), (MAX_LEN, MAX_LEN + 1)] {
        let problem = pairs(vec![whole(left)], vec![whole(right)]);
        let error = ReductionPlan::new(&problem, &capabilities(None), None).expect_err("no pairs");
        let is_expected = matches!(error, PrepareError::LengthMismatch { left: l, right: r } if (l, r) == (left, right));
        assert!(is_expected, "{error}");
    }
    let too_long = pairs(vec![whole(MAX_LEN + 1)], vec![whole(MAX_LEN + 1)]);
    let error = ReductionPlan::new(&too_long, &capabilities(None), None).expect_err("too long");
    assert!(matches!(error, PrepareError::TooLong { len } if len == MAX_LEN + 1), "{error}");
    let outside =
        Extent { buffer_bytes: 4, offset_bytes: 0, len: 2, stride_bytes: None, bits: None };
    let problem = pairs(vec![whole(2)], vec![outside]);
    let error = ReductionPlan::new(&problem, &capabilities(None), None).expect_err("past the end");
    assert!(matches!(error, PrepareError::Slice(SliceError::PastBuffer { .. })), "{error}");
}

#[test]
fn every_device_gets_a_sound_plan_of_pairs() {
    for (name, capabilities) in devices() {
        for len in [0, 1, 4096, 4097, (1 << 26) + 3, 1 << 32] {
            let problem = pairs(vec![whole(len)], vec![extent((1, len, 0))]);
            let plan = ReductionPlan::new(&problem, &capabilities, None);
            let plan = plan.unwrap_or_else(|error| panic!("{name}, {len}: {error}"));
            check(&plan, &problem, &capabilities);
        }
    }
}

#[test]
fn plans_in_words() {
    let plan = |len, subgroups| {
        ReductionPlan::new(&problem(vec![whole(len)]), &capabilities(subgroups), None)
            .expect("plans")
    };
    assert_eq!(
        plan(1 << 20, Some((8, 32))).to_string(),
        "two-pass, subgroup 8 to 32, 256 x 4096, 2 dispatches"
    );
    assert_eq!(plan(100, None).to_string(), "two-pass, workgroup-memory, 1 x 4096");
    // A launch of one block needs no second dispatch, wherever it ends.
    let slices = problem(vec![whole(4096), whole(1)]);
    let slices = ReductionPlan::new(&slices, &capabilities(None), None).expect("plans");
    assert_eq!(slices.to_string(), "two-pass, workgroup-memory, 2 x 4096, 2 dispatches");
    let words = plan(1 << 26, Some((32, 32))).explain();
    for part in [
        "2048 blocks of 32768 elements (8 rounds of 4096)",
        "subgroups of 32 by shuffles, pairwise",
        "2 launches in a row",
        "folds 2048 partials",
    ] {
        assert!(words.contains(part), "{words}");
    }
    assert!(plan(0, None).explain().contains("the result of nothing"));
    assert!(plan(100, None).explain().contains("no second pass"));
}

/// Devices that have little of everything, so that slices take several bindings and dispatches.
fn small_devices() -> impl Values<Value = Capabilities> {
    let alignments = prop::sample::select(vec![32u64, 64, 256]);
    let bindings = prop::sample::select(vec![1u64 << 18, (1 << 18) + 52, 1 << 20]);
    (alignments, bindings, 1u32..40).prop_map(|(alignment, max_binding_bytes, max_workgroups)| {
        let mut capabilities = capabilities(Some((8, 8)));
        capabilities.binding_alignment_bytes = alignment;
        capabilities.max_binding_bytes = max_binding_bytes;
        capabilities.max_workgroups = max_workgroups;
        capabilities.coherent_memory = true;
        capabilities
    })
}

proptest! {
    #[test]
    fn any_slices_on_any_device(
        slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..6),
        mut capabilities in small_devices(),
        output_shares_input: bool,
        strategy in prop::sample::select(Strategy::ALL.to_vec()),
        precision in prop::sample::select(Precision::ALL.to_vec()),
        float_atomics: bool,
    ) {
        let slices: Vec<Extent> = slices.into_iter().map(extent).collect();
        capabilities.float_atomics = float_atomics;
        let problem = Problem { output_shares_input, strategy, precision, ..problem(slices) };
        let plan = ReductionPlan::new(&problem, &capabilities, None);
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

    /// Which begin at any word, also of several in one binding.
    #[test]
    fn any_slices_of_two_words_on_any_device(
        slices in prop::collection::vec((0u64..300, 0u64..100_000, 0u64..9), 0..6),
        element in prop::sample::select(vec![ElementType::I64, ElementType::U64]),
        operator in prop::sample::select(vec![OperatorType::Sum, OperatorType::Max]),
        capabilities in small_devices(),
        strategy in prop::sample::select(Strategy::ALL.to_vec()),
    ) {
        let extent = |(offset, len, spare)| {
            let buffer_bytes = (offset + 2 * len + spare) * 4;
            Extent { buffer_bytes, offset_bytes: offset * 4, len, stride_bytes: None, bits: None }
        };
        let slices: Vec<Extent> = slices.into_iter().map(extent).collect();
        let problem = Problem { element, operator, strategy, ..problem(slices) };
        let plan = ReductionPlan::new(&problem, &capabilities, None);
        let is_atomic = matches!(strategy, Strategy::WorkgroupAtomic | Strategy::SubgroupAtomic);
        // No device has an atomic of two words.
        if is_atomic {
            prop_assert!(matches!(plan, Err(PrepareError::StrategyUnfit { .. })), "{plan:?}");
        } else {
            check(&plan.expect("plans"), &problem, &capabilities);
        }
    }

    #[test]
    fn any_pairs_on_any_device(
        slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..6),
        right_slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..6),
        capabilities in small_devices(),
        output_shares_input: bool,
        strategy in
            prop::sample::select(vec![Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass]),
        precision in prop::sample::select(Precision::ALL.to_vec()),
    ) {
        let mut slices: Vec<Extent> = slices.into_iter().map(extent).collect();
        let mut right_slices: Vec<Extent> = right_slices.into_iter().map(extent).collect();
        // As many elements on either side.
        let len = |slices: &[Extent]| slices.iter().map(|slice| slice.len).sum::<u64>();
        let (left_len, right_len) = (len(&slices), len(&right_slices));
        slices.push(extent((1, right_len.saturating_sub(left_len), 0)));
        right_slices.push(extent((0, left_len.saturating_sub(right_len), 1)));
        let mut capabilities = capabilities;
        capabilities.coherent_memory = true;
        let pairs = pairs(slices, right_slices);
        let problem = Problem { output_shares_input, strategy, precision, ..pairs };
        let plan = ReductionPlan::new(&problem, &capabilities, None);
        if precision == Precision::Exact && strategy != Strategy::Auto {
            prop_assert!(matches!(plan, Err(PrepareError::StrategyUnfit { .. })), "{plan:?}");
        } else {
            let plan = plan.expect("plans");
            check(&plan, &problem, &capabilities);
            prop_assert_eq!(plan.len, left_len.max(right_len));
        }
    }
}

proptest! {
    #[test]
    fn any_triples_on_any_device(
        slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..5),
        right_slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..5),
        third_slices in prop::collection::vec((0u64..300, 0u64..200_000, 0u64..9), 0..5),
        mut capabilities in small_devices(),
        max_storage_buffers in 4u32..6,
        output_shares_input: bool,
        strategy in
            prop::sample::select(vec![Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass]),
        precision in prop::sample::select(Precision::ALL.to_vec()),
    ) {
        let mut all = [slices, right_slices, third_slices]
            .map(|slices| slices.into_iter().map(extent).collect::<Vec<_>>());
        // As many elements of each.
        let len = |slices: &Vec<Extent>| slices.iter().map(|slice| slice.len).sum::<u64>();
        let longest = all.iter().map(len).max().expect("of three");
        for (offset, slices) in (0..).zip(&mut all) {
            let rest = longest - len(slices);
            slices.push(extent((offset, rest, 2 - offset)));
        }
        capabilities.max_storage_buffers = max_storage_buffers;
        let [x, y, z] = all;
        let problem =
            Problem { output_shares_input, strategy, precision, ..triples(x, y, z) };
        let plan = ReductionPlan::new(&problem, &capabilities, None);
        if precision == Precision::Exact && strategy != Strategy::Auto {
            prop_assert!(matches!(plan, Err(PrepareError::StrategyUnfit { .. })), "{plan:?}");
        } else {
            let plan = plan.expect("plans");
            check(&plan, &problem, &capabilities);
            prop_assert_eq!(plan.len, longest);
        }
    }
}

/// Devices and slices that can't be, among others that can.
mod made_up {
    use super::*;

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
            Extent { buffer_bytes, offset_bytes, len, stride_bytes: None, bits: None }
        });
        let sound = (0u64..1000, 0u64..70_000, 0u64..99).prop_map(|(offset, len, spare)| Extent {
            buffer_bytes: (offset + len) * 4 + spare,
            offset_bytes: offset * 4,
            len,
            stride_bytes: None,
            bits: None,
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
            if let Ok(plan) = ReductionPlan::new(&problem, &capabilities, Some(policy)) {
                check(&plan, &problem, &capabilities);
            }
        }
    }

    #[test]
    fn each_by_its_name() {
        let plan = |change: &dyn Fn(&mut Capabilities), extent| {
            let mut capabilities = capabilities(None);
            change(&mut capabilities);
            ReductionPlan::new(&problem(vec![extent]), &capabilities, None).map(|_| ())
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
        let outside =
            Extent { buffer_bytes: 4, offset_bytes: 0, len: 2, stride_bytes: None, bits: None };
        let error = plan(&|_| (), outside).expect_err("past the end");
        assert!(matches!(error, PrepareError::Slice(SliceError::PastBuffer { .. })), "{error}");
        let misaligned =
            Extent { buffer_bytes: 8, offset_bytes: 2, len: 1, stride_bytes: None, bits: None };
        let error = plan(&|_| (), misaligned).expect_err("between elements");
        assert!(matches!(error, PrepareError::Slice(SliceError::Misaligned { .. })), "{error}");
        // Too small for a vector at any place, and for partials.
        let error = plan(&|c| c.max_binding_bytes = 64, whole(9)).expect_err("too small");
        let is_expected = matches!(
            error,
            PrepareError::BindingTooSmall { max_binding_bytes: 64, needed_bytes: 272 }
        );
        assert!(is_expected, "{error}");
        let error = plan(&|c| c.max_buffer_bytes = 300, whole(9001)).expect_err("too small");
        let is_expected = matches!(
            error,
            PrepareError::BindingTooSmall { max_binding_bytes: 300, needed_bytes: 352 }
        );
        assert!(is_expected, "{error}");
        // More than a binding ever is: what is more is not used.
        plan(&|c| c.max_binding_bytes = u64::MAX, whole(1 << 33)).expect("plans");
    }
}

/// Numbers of a launch of groups: the first pass, the one between, and the last one. Where it begins and ends.
fn check_groups([launch, between, last]: [&Dispatch; 3], max_nodes: u32) -> [u64; 2] {
    let (params, groups) = (launch.params, between.params);
    let [own, own_groups, own_last] =
        [launch, between, last].map(|dispatch| dispatch.params.own.reduction());
    assert_eq!(launch.shader.kernel, Kernel::Reduce);
    assert_eq!((launch.workgroups, params.begin), (params.blocks, 0));
    assert_eq!(u64::from(params.end), u64::from(params.blocks) << params.log2_block_items);
    let begin = origin_of(&params);
    assert_eq!(between.shader.kernel, Kernel::FoldToPartials);
    assert_eq!((between.left, between.workgroups), (None, groups.blocks));
    assert!(1 << own_groups.log2_span <= max_nodes && groups.blocks <= max_nodes);
    let mut told = groups;
    told.blocks = params.blocks;
    told.own = ReductionParams { log2_span: own.log2_span, ..own_groups }.into();
    assert_eq!(told, params, "groups are told what else the launch is");
    assert_eq!(groups.blocks << own_groups.log2_span, params.blocks);
    assert_eq!((last.shader.kernel, last.left, last.workgroups), (Kernel::Fold, None, 1));
    let Params { log2_block_items, blocks, .. } = last.params;
    let ReductionParams { log2_span, first_node, partials, .. } = own_last;
    assert_eq!(log2_block_items, params.log2_block_items + own_groups.log2_span);
    assert_eq!((blocks, partials), (groups.blocks, own.partials + params.blocks));
    assert!(first_node + blocks <= 1 << log2_span && 1 << log2_span <= max_nodes);
    assert_eq!(origin_of(&last.params), begin, "its blocks are groups");
    assert_eq!(last.params.end, params.end);
    [begin, begin + u64::from(params.end)]
}

/// A workgroup has room for few accumulators of moments. Long launches take a pass more, so that they are few.
#[test]
fn long_launches_of_large_accumulators_fold_partials_twice() {
    let mut nvidia = capabilities(Some((32, 32)));
    nvidia.device_class = DeviceClass::Nvidia;
    nvidia.coherent_memory = true;
    let devices = [nvidia, capabilities(Some((4, 64))), capabilities(None)];
    let lists = [
        vec![1 << 18],
        vec![1 << 20],
        vec![(1 << 24) + 5],
        vec![1 << 28],
        vec![(1 << 28) + 12_345],
        vec![3, 1 << 22, 7, (1 << 25) + 1],
    ];
    for (operator, max_nodes) in [(OperatorType::Moments, 64), (OperatorType::BriefMoments, 128)] {
        for (capabilities, lens) in
            devices.iter().flat_map(|it| lists.iter().map(move |lens| (it, lens)))
        {
            let slices = lens.iter().map(|&len| whole(len)).collect();
            let problem = Problem { operator, ..problem(slices) };
            let plan = ReductionPlan::new(&problem, capabilities, None).expect("plans");
            let (mut next, mut of_groups, mut count) = (0, 0, 0);
            let mut dispatches = &plan.dispatches[..];
            while let [launch, rest @ ..] = dispatches {
                let [begin, end] = match rest {
                    [between, last, rest @ ..]
                        if between.shader.kernel == Kernel::FoldToPartials =>
                    {
                        dispatches = rest;
                        let range = check_groups([launch, between, last], max_nodes);
                        of_groups += range[1] - range[0];
                        range
                    }
                    _ => {
                        let folds = rest.first().filter(|it| it.shader.kernel == Kernel::Fold);
                        dispatches = &rest[usize::from(folds.is_some())..];
                        [launch.params.begin, launch.params.end]
                            .map(|at| origin_of(&launch.params) + u64::from(at))
                    }
                };
                assert_eq!(begin, next, "{plan}");
                (next, count) = (end, count + 1);
            }
            assert_eq!(next, plan.len);
            // Drivers compile one first pass, which is not a single pass.
            let waits = |it: &Dispatch| it.shader.kernel.needs_coherent_memory();
            assert!(of_groups == 0 || !plan.dispatches.iter().any(waits), "{plan}");
            let accs = plan
                .dispatches
                .iter()
                .map(|it| it.params.own.reduction().partials + it.params.blocks);
            let accs = u64::from(accs.max().expect("there are some"));
            let words = u64::from(plan.dispatches[0].shader.acc_words());
            assert!(plan.scratch_bytes() >= 4 * (1 + accs * words));
            // What is left is less than the least launch of groups, for each slice.
            let left = plan.len - of_groups;
            assert!(left <= 1 << 20 || plan.len <= 1 << 19, "{left} of {plan}");
            // Blocks of the smallest subgroups are short.
            assert!(count <= 20, "{count} launches: {plan}");
            let counted = Problem { is_counted: true, strategy: Strategy::TwoPass, ..problem };
            let plan = ReductionPlan::new(&counted, capabilities, None).expect("plans");
            assert!(plan.shaders().all(|shader| shader.kernel != Kernel::FoldToPartials));
        }
    }
}
