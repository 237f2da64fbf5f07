use super::*;
use crate::{
    algebra::element::{Bits, Bool},
    device::{capabilities::SubgroupSizes, extent::Extent},
    select::{compaction::Slices, masks::Mask},
};

fn slices(lens: &[u64], item_bytes: u64) -> Slices {
    let mut slices = Slices::default();
    for &len in lens {
        let buffer_bytes = (len * item_bytes).next_multiple_of(16) + 16;
        let extent = Extent { buffer_bytes, offset_bytes: 0, len, stride_bytes: None, bits: None };
        slices.extents.push(extent);
        slices.bytes.push(0..len * item_bytes);
    }
    slices
}

/// Of elements of 32 bits in slices of such lengths, to one output with room for so many.
fn problem(kind: Kind, input: &[u64], room: u64) -> Compaction {
    let has_lengths = matches!(kind, Kind::RunLengths | Kind::RunBegins);
    Compaction {
        kind,
        element: ElementType::U32,
        input: slices(if kind == Kind::Positions { &[] } else { input }, 4),
        mask: None,
        predicate: None,
        arguments: None,
        output: slices(&[room], if kind == Kind::Positions { 8 } else { 4 }),
        lengths: has_lengths.then(|| slices(&[room], 8)),
        numbers: ElementType::U64,
        begin: 0,
        counted: None,
    }
}

fn flagged(kind: Kind, input: &[u64], room: u64, mut mask: Mask) -> Compaction {
    let len: u64 = input.iter().sum();
    let items = if mask.is_of_bits() { len.div_ceil(32) } else { len };
    let item_bytes = if mask.flag_bytes == 1 { 1 } else { 4 };
    mask.extents = slices(&[items], item_bytes).extents;
    Compaction { mask: Some(mask), ..problem(kind, input, room) }
}

fn masks() -> [Mask; 3] {
    [Mask::new::<u32>(&[]), Mask::new::<Bool>(&[]), Mask::new::<Bits>(&[])]
}

const COUNT: CountPlace = CountPlace { word: 0, is_apart: true };

fn plan(problem: &Compaction, capabilities: &Capabilities) -> Result<CompactionPlan, PrepareError> {
    CompactionPlan::new(problem, COUNT, Way::default(), capabilities)
}

/// Both passes have the same launches, which are all of the elements, in order, and entries of their own; parts are all of the output.
fn check(plan: &CompactionPlan, problem: &Compaction, capabilities: &Capabilities) {
    let (totals, counts) = plan.totals.split_last().expect("there are totals");
    assert_eq!((totals.shader.kernel, totals.workgroups), (Kernel::CountTotals, 1));
    let of_all = totals.params.own.selection();
    let (mut position, mut block) = (0, 0);
    for (index, count) in counts.iter().enumerate() {
        let (params, own) = (count.params, count.params.own.selection());
        let begin = u64::from(own.position_high) << 32 | u64::from(own.position_low);
        assert_eq!(begin, position, "{plan}");
        position += u64::from(params.end);
        assert_eq!(u64::from(params.blocks), u64::from(params.end).div_ceil(plan.block_items));
        assert_eq!(count.workgroups, params.blocks);
        assert!(count.workgroups <= capabilities.max_workgroups);
        assert_eq!(own.entries_of_blocks, of_all.entries_of_blocks + block);
        assert_eq!(own.entries_before, of_all.entries_before + block);
        block += params.blocks;
        assert_eq!(params.flags & Params::ENDS != 0, index + 1 == counts.len());
        assert_eq!(params.flags & Params::RESUMES != 0, index > 0);
        for entry in [own.entry_of_all, own.last_item_before, own.last_item] {
            assert!(16 * (u64::from(entry) + 1) <= plan.scratch_bytes());
        }
    }
    assert_eq!((position, block), (problem.len(), totals.params.blocks), "{plan}");
    // Nothing's entry, the totals, what is before blocks, and all.
    assert_eq!(of_all.entries_of_blocks, 1);
    assert_eq!(of_all.entries_before, 1 + block);
    assert_eq!(of_all.entry_of_all, 1 + 2 * block);
    let mut item = 0;
    for part in &plan.parts {
        assert_eq!(part.dispatches.len(), counts.len());
        for (last, count) in part.dispatches.iter().zip(counts) {
            let own = last.params.own.selection();
            let first = u64::from(own.first_output_high) << 32 | u64::from(own.first_output_low);
            assert_eq!((first, last.params.end), (item, count.params.end));
            assert_eq!(last.workgroups, count.workgroups);
        }
        item += part
            .dispatches
            .first()
            .map_or(0, |last| u64::from(last.params.own.selection().output_items));
        assert!(part.output.size_bytes <= capabilities.max_binding_bytes);
    }
    assert!(item == problem.room() || counts.is_empty(), "{plan}");
    for view in plan.dispatches().flat_map(|dispatch| [dispatch.left, dispatch.right]).flatten() {
        assert!(view.size_bytes <= capabilities.max_binding_bytes);
        assert_eq!(view.offset_bytes % capabilities.binding_alignment_bytes, 0);
    }
}

#[test]
fn every_device_gets_a_sound_plan() {
    let nothing_to_spare = Capabilities {
        max_binding_bytes: 1 << 18,
        max_buffer_bytes: 1 << 33,
        max_workgroups: 16,
        ..Capabilities::default()
    };
    let subgroups = Some(SubgroupSizes { min: 4, max: 64 });
    let large = Capabilities { subgroups, max_binding_bytes: 1 << 30, ..Capabilities::default() };
    for capabilities in [Capabilities::default(), large, nothing_to_spare] {
        for len in [0, 1, 4096, 4097, (1 << 20) + 3] {
            let input = [len / 3, len - len / 3];
            let of_runs = [Kind::Unique, Kind::RunLengths, Kind::RunBegins]
                .map(|kind| problem(kind, &input, len / 2 + 1));
            let by_masks = [Kind::Select, Kind::Partition, Kind::Positions].map(|kind| {
                masks().map(|mask| flagged(kind, &input, len.next_multiple_of(32), mask))
            });
            for problem in of_runs.iter().chain(by_masks.as_flattened()) {
                let plan = plan(problem, &capabilities).expect("plans");
                check(&plan, problem, &capabilities);
                let expected = match capabilities.subgroups {
                    Some(_) => Mechanism::Subgroup,
                    None => Mechanism::WorkgroupMemory,
                };
                assert_eq!(plan.mechanism, expected);
            }
        }
    }
}

#[test]
fn what_cannot_be_selected() {
    let capabilities = Capabilities::default();
    let too_long = [
        problem(Kind::Unique, &[MAX_LEN, 1], 100),
        problem(Kind::RunLengths, &[MAX_LEN + 1], 100),
        flagged(Kind::Select, &[1, MAX_LEN], 100, Mask::new::<u32>(&[])),
    ];
    for problem in &too_long {
        let error = plan(problem, &capabilities).expect_err("it is refused");
        assert!(matches!(error, PrepareError::TooLong { len } if len == MAX_LEN + 1), "{error}");
    }
    // The flags alone.
    for mask in masks() {
        let problem = flagged(Kind::Positions, &[MAX_LEN + 32], 100, mask);
        let error = plan(&problem, &capabilities).expect_err("it is refused");
        assert!(matches!(error, PrepareError::TooLong { len } if len == MAX_LEN + 32), "{error}");
    }
    let problem = problem(Kind::Unique, &[100], 100);
    let way = Way { variant: Variant::Subgroup, ..Way::default() };
    let by_subgroups = CompactionPlan::new(&problem, COUNT, way, &capabilities);
    assert!(matches!(by_subgroups, Err(PrepareError::NoSubgroups)), "{by_subgroups:?}");
    let policy = Some(Policy { min_rows: 3, max_workgroups: 1 });
    let way = Way { policy, ..Way::default() };
    let of_policy = CompactionPlan::new(&problem, COUNT, way, &capabilities);
    assert!(matches!(of_policy, Err(PrepareError::Policy { .. })), "{of_policy:?}");
}

const ONCE: Way = Way { variant: Variant::Auto, strategy: Strategy::SinglePass, policy: None };

fn coherent() -> Capabilities {
    let subgroups = Some(SubgroupSizes { min: 4, max: 64 });
    Capabilities { subgroups, coherent_memory: true, ..Capabilities::default() }
}

/// One dispatch, a workgroup for each block, and room for what they tell each other.
#[test]
fn a_single_pass_where_it_can_be() {
    for len in [1u64, 8192, 8193, (1 << 20) + 3] {
        let of_runs = [Kind::Unique, Kind::RunLengths, Kind::RunBegins]
            .map(|kind| problem(kind, &[len], len / 2 + 1));
        let by_masks = [Kind::Select, Kind::Positions]
            .map(|kind| masks().map(|mask| flagged(kind, &[len], len.next_multiple_of(32), mask)));
        for problem in of_runs.iter().chain(by_masks.as_flattened()) {
            let count = CountPlace { word: 5, is_apart: true };
            let plan = CompactionPlan::new(problem, count, ONCE, &coherent()).expect("plans");
            assert_eq!(plan.strategy, Strategy::SinglePass, "{plan}");
            let all: Vec<_> = plan.dispatches().collect();
            let [once] = all[..] else { panic!("{plan}") };
            let blocks = problem.len().div_ceil(8192);
            assert_eq!(u64::from(once.workgroups), blocks, "{plan}");
            assert_eq!(u64::from(once.params.blocks), blocks, "{plan}");
            assert_eq!(once.params.log2_block_items, 13, "{plan}");
            let own = once.params.own.selection();
            assert_eq!((own.count_word, once.params.flags), (5, Params::ENDS), "{plan}");
            assert_eq!(u64::from(own.output_items), problem.room(), "{plan}");
            assert_eq!(once.shader.mechanism, Mechanism::Subgroup);
            // A lengths' pass tells where the last run began, too.
            let words = if problem.kind == Kind::RunLengths { 2 } else { 1 };
            let totals = blocks + blocks / 64 + blocks / 4096;
            assert_eq!(plan.progress_bytes(), 4 * (4 + 4 * words * totals), "{plan}");
            assert_eq!(plan.scratch_bytes(), 0, "{plan}");
        }
    }
}

#[test]
fn what_goes_in_two_passes_nevertheless() {
    let strategy = |problem: &Compaction, count, way, capabilities: &Capabilities| {
        let plan = CompactionPlan::new(problem, count, way, capabilities).expect("plans");
        assert_eq!(plan.strategy == Strategy::SinglePass, plan.totals.is_empty(), "{plan}");
        assert_eq!(plan.progress_bytes() == 0, plan.strategy == Strategy::TwoPass, "{plan}");
        plan.strategy
    };
    let of = |problem: &Compaction| strategy(problem, COUNT, ONCE, &coherent());
    let words = || Mask::new::<u32>(&[]);
    let select = flagged(Kind::Select, &[20_000], 20_000, words());
    assert_eq!(of(&select), Strategy::SinglePass);
    // It is a default where it was measured alone.
    for way in [Way::default(), Way { strategy: Strategy::TwoPass, ..ONCE }] {
        assert_eq!(strategy(&select, COUNT, way, &coherent()), Strategy::TwoPass);
    }
    let beside = CountPlace { word: 0, is_apart: false };
    assert_eq!(strategy(&select, beside, ONCE, &coherent()), Strategy::TwoPass);
    assert_eq!(of(&flagged(Kind::Partition, &[20_000], 20_000, words())), Strategy::TwoPass);
    assert_eq!(of(&flagged(Kind::Select, &[10_000, 10_000], 20_000, words())), Strategy::TwoPass);
    assert_eq!(of(&flagged(Kind::Select, &[20_000], 0, words())), Strategy::TwoPass);
    assert_eq!(of(&problem(Kind::Unique, &[0], 0)), Strategy::TwoPass);
    let mut two_outputs = problem(Kind::Unique, &[20_000], 0);
    two_outputs.output = slices(&[10_000, 10_000], 4);
    assert_eq!(of(&two_outputs), Strategy::TwoPass);

    let runs = problem(Kind::RunLengths, &[20_000], 20_000);
    let begins = problem(Kind::RunBegins, &[20_000], 20_000);
    let unique = problem(Kind::Unique, &[20_000], 20_000);
    // Without subgroups, kernels of runs load words alone, from one binding.
    for (problem, binds, without_subgroups) in
        [(&select, 5, 5), (&unique, 5, 4), (&runs, 6, 5), (&begins, 6, 5)]
    {
        for (subgroups, binds) in [(coherent().subgroups, binds), (None, without_subgroups)] {
            let with =
                |max_storage_buffers| Capabilities { max_storage_buffers, subgroups, ..coherent() };
            assert_eq!(strategy(problem, COUNT, ONCE, &with(binds)), Strategy::SinglePass);
            assert_eq!(strategy(problem, COUNT, ONCE, &with(binds - 1)), Strategy::TwoPass);
        }
    }
    // More blocks than a grid has, or elements than a binding.
    let grid = Capabilities { max_workgroups: 2, ..coherent() };
    assert_eq!(strategy(&select, COUNT, ONCE, &grid), Strategy::TwoPass);
    let binding = Capabilities { max_binding_bytes: 1 << 16, ..coherent() };
    assert_eq!(strategy(&select, COUNT, ONCE, &binding), Strategy::TwoPass);
}

#[test]
fn other_strategies_are_refused() {
    let problem = problem(Kind::Unique, &[20_000], 20_000);
    let error = |way, capabilities: &Capabilities| {
        CompactionPlan::new(&problem, COUNT, way, capabilities).expect_err("it is refused")
    };
    let incoherent = Capabilities { coherent_memory: false, ..coherent() };
    assert!(matches!(error(ONCE, &incoherent), PrepareError::NoCoherentMemory));
    // What has two passes in any case has them on such a device, too.
    let partition = flagged(Kind::Partition, &[20_000], 20_000, Mask::new::<u32>(&[]));
    let plan = CompactionPlan::new(&partition, COUNT, ONCE, &incoherent).expect("two passes");
    assert_eq!(plan.strategy, Strategy::TwoPass);
    for strategy in [Strategy::WorkgroupAtomic, Strategy::SubgroupAtomic] {
        let error = error(Way { strategy, ..ONCE }, &coherent());
        assert!(matches!(error, PrepareError::StrategyUnfit { what: "selection", .. }), "{error}");
    }
    let way = Way { variant: Variant::Subgroup, ..ONCE };
    let none = Capabilities { subgroups: None, ..coherent() };
    assert!(matches!(error(way, &none), PrepareError::NoSubgroups));
}

/// Of a kernel that is wrong on a device there is the other mechanism's, and then two passes.
#[test]
fn single_passes_that_are_avoided() {
    let problem = problem(Kind::Unique, &[20_000], 20_000);
    let avoid = |mechanism| crate::Avoided {
        kernel: Some(Kernel::SelectSinglePass { what: Selected::Heads }.name().into()),
        mechanism,
        reason: "made up".into(),
    };
    let planned = |avoided: Vec<crate::Avoided>, variant| {
        let capabilities = Capabilities { avoided, ..coherent() };
        let plan = CompactionPlan::new(&problem, COUNT, Way { variant, ..ONCE }, &capabilities);
        let plan = plan.expect("plans");
        (plan.strategy, plan.mechanism)
    };
    let by_subgroups = || vec![avoid(Some(Mechanism::Subgroup))];
    let once = Strategy::SinglePass;
    assert_eq!(planned(by_subgroups(), Variant::Auto), (once, Mechanism::WorkgroupMemory));
    let (strategy, mechanism) = planned(by_subgroups(), Variant::Subgroup);
    assert_eq!((strategy, mechanism), (Strategy::TwoPass, Mechanism::Subgroup));
    assert_eq!(planned(vec![avoid(None)], Variant::Auto).0, Strategy::TwoPass);
}

/// FXC refuses these kernels, so they are in no plan where FXC compiles, whatever is asked for. Where DXC does, they are.
#[test]
fn two_passes_where_fxc_compiles() {
    let info = wgpu::AdapterInfo {
        vendor: 0x10de,
        ..wgpu::AdapterInfo::new(wgpu::DeviceType::DiscreteGpu, wgpu::Backend::Dx12)
    };
    let coherent = wgpu::Features::MEMORY_DECORATION_COHERENT;
    let limits = wgpu::Limits::defaults();
    let fxc = Capabilities::from_parts(&info, coherent, &limits);
    let dxc = Capabilities::from_parts(&info, coherent | wgpu::Features::SUBGROUP, &limits);
    let looks_back =
        |plan: &CompactionPlan| plan.dispatches().any(|one| one.shader.kernel.looks_back());
    let len = 1 << 20;
    let of_runs = [Kind::Unique, Kind::RunLengths, Kind::RunBegins];
    let of_runs = of_runs.map(|kind| problem(kind, &[len], len));
    let by_masks = [Kind::Select, Kind::Positions]
        .map(|kind| flagged(kind, &[len], len, Mask::new::<u32>(&[])));
    for problem in of_runs.iter().chain(&by_masks) {
        for strategy in [Strategy::Auto, Strategy::SinglePass] {
            for variant in [Variant::Auto, Variant::WorkgroupMemory] {
                let way = Way { strategy, variant, policy: None };
                let plan = |capabilities| CompactionPlan::new(problem, COUNT, way, capabilities);
                let by_dxc = plan(&dxc).expect("plans");
                assert!(looks_back(&by_dxc), "{by_dxc}");
                let by_fxc = plan(&fxc).expect("plans");
                check(&by_fxc, problem, &fxc);
                assert!(!looks_back(&by_fxc), "{by_fxc}");
            }
        }
    }
}

/// A single pass was faster on NVIDIA's GPUs.
#[test]
fn a_single_pass_by_default() {
    let nvidia = Capabilities { device_class: DeviceClass::Nvidia, ..coherent() };
    let apart = Capabilities { coherent_memory: false, ..nvidia.clone() };
    let policy = Some(Policy { min_rows: 4, max_workgroups: 512 });
    let of_policy = Way { policy, ..Way::default() };
    let len = (1 << 22) + 1;
    for (kind, way, capabilities, is_single) in [
        (Kind::Unique, Way::default(), &nvidia, true),
        (Kind::RunBegins, Way::default(), &nvidia, true),
        (Kind::RunLengths, Way::default(), &nvidia, true),
        (Kind::Unique, of_policy, &nvidia, false),
        (Kind::Unique, Way::default(), &apart, false),
        (Kind::Unique, Way::default(), &coherent(), false),
    ] {
        let problem = problem(kind, &[len], len);
        let plan = CompactionPlan::new(&problem, COUNT, way, capabilities).expect("plans");
        assert_eq!(plan.strategy == Strategy::SinglePass, is_single, "{plan}");
    }
    let partition = flagged(Kind::Partition, &[20_000], 20_000, Mask::new::<u32>(&[]));
    let plan = CompactionPlan::new(&partition, COUNT, Way::default(), &nvidia).expect("plans");
    assert_eq!(plan.strategy, Strategy::TwoPass);
}
