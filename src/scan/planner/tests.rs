use super::*;
use crate::{
    algebra::{element::ElementType, operator_type::OperatorType},
    device::{
        capabilities::{Capabilities, SubgroupSizes},
        extent::Extent,
    },
};

fn extents(lens: &[u64], item_bytes: u64) -> Vec<Extent> {
    let whole = |&len: &u64| Extent {
        buffer_bytes: (len * item_bytes).next_multiple_of(16) + 16,
        offset_bytes: 0,
        len,
        stride_bytes: None,
        bits: None,
    };
    lens.iter().map(whole).collect()
}

fn problem(operator: OperatorType, input: &[u64], output: &[u64]) -> ScanProblem {
    let spec = operator.spec(ElementType::U32).expect("there is such an operator");
    ScanProblem {
        spec: *spec,
        program: None,
        slices: extents(input, 4),
        output_slices: extents(output, out_bytes(spec)),
        in_place: false,
        is_inclusive: true,
        first: 0,
        initial: None,
        variant: Variant::Auto,
        strategy: Strategy::Auto,
        policy: None,
    }
}

fn devices() -> Vec<Capabilities> {
    let nothing_to_spare = Capabilities {
        max_binding_bytes: 1 << 18,
        max_buffer_bytes: 1 << 33,
        max_workgroups: 16,
        ..Capabilities::default()
    };
    let subgroups = Some(SubgroupSizes { min: 4, max: 64 });
    let large = Capabilities { subgroups, max_binding_bytes: 1 << 30, ..Capabilities::default() };
    vec![Capabilities::default(), large, nothing_to_spare]
}

/// Launches are all of the sequence, in order, each in blocks that it shares with no other but the one it begins in; and bindings are the
/// device's.
fn check(plan: &ScanPlan, problem: &ScanProblem, capabilities: &Capabilities) {
    let last_passes: Vec<_> =
        plan.dispatches.iter().filter(|dispatch| dispatch.right.is_some()).collect();
    let mut position = problem.first;
    for (index, dispatch) in last_passes.iter().enumerate() {
        let params = dispatch.params;
        let origin = u64::from(params.own.scan().first_block) << params.log2_block_items;
        assert_eq!(origin + u64::from(params.begin), position, "{plan}");
        position = origin + u64::from(params.end);
        assert_eq!(u64::from(params.blocks), u64::from(params.end).div_ceil(plan.block_items));
        assert_eq!(dispatch.workgroups, params.blocks);
        assert!(dispatch.workgroups <= capabilities.max_workgroups);
        let is_last = index + 1 == last_passes.len();
        assert_eq!(params.flags & Params::ENDS != 0, is_last);
        assert_eq!(params.flags & Params::RESUMES != 0, index > 0 || problem.first > 0);
        let slices = [(dispatch.left, &problem.slices), (dispatch.right, &problem.output_slices)];
        for (view, slices) in slices {
            let Some(view) = view else { continue };
            assert!(view.size_bytes <= capabilities.max_binding_bytes);
            assert_eq!(view.offset_bytes % capabilities.binding_alignment_bytes, 0);
            assert!(view.offset_bytes + view.size_bytes <= slices[view.slice].buffer_bytes);
        }
        let scratch = u64::from(params.own.scan().partials) + 2 * u64::from(params.blocks) + 1;
        let needed = 4 * (1 + scratch * u64::from(plan.spec.acc_words()));
        assert!(!dispatch.shader.kernel.uses_scratch() || needed <= plan.scratch_bytes());
    }
    assert_eq!(position, problem.first + plan.len, "{plan}");
    assert_eq!(plan.len, total_len(&problem.slices));
}

#[test]
fn every_device_gets_a_sound_plan() {
    for capabilities in devices() {
        for len in [0, 1, 4096, 4097, (1 << 20) + 3, 1 << 23] {
            for operator in [OperatorType::Sum, OperatorType::SumWide] {
                let cuts = [len / 3, len - len / 3];
                for (input, output) in [(&[len][..], &[len][..]), (&cuts, &[len]), (&[len], &cuts)]
                {
                    let problem = problem(operator, input, output);
                    let plan = ScanPlan::new(&problem, &capabilities);
                    check(&plan.expect("plans"), &problem, &capabilities);
                }
            }
        }
        let after =
            ScanProblem { first: 12_345, ..problem(OperatorType::Sum, &[50_000], &[50_000]) };
        check(&ScanPlan::new(&after, &capabilities).expect("plans"), &after, &capabilities);
    }
}

/// A single pass where it was measured to be faster, and where it is asked for and can be; then it has one dispatch.
#[test]
fn a_single_pass_where_it_can_be() {
    let nvidia = Capabilities {
        device_class: DeviceClass::Nvidia,
        coherent_memory: true,
        max_binding_bytes: 1 << 31,
        max_buffer_bytes: 1 << 31,
        ..Capabilities::default()
    };
    let strategy = |problem: &ScanProblem, capabilities: &Capabilities| {
        let plan = ScanPlan::new(problem, capabilities).expect("plans");
        check(&plan, problem, capabilities);
        assert_eq!(plan.strategy == Strategy::SinglePass, plan.dispatches.len() == 1);
        plan.strategy
    };
    let sums = |len| problem(OperatorType::Sum, &[len], &[len]);
    for len in [1 << 20, 1 << 26, 1 << 28] {
        assert_eq!(strategy(&sums(len), &nvidia), Strategy::SinglePass);
    }
    let other = Capabilities { device_class: DeviceClass::Other, ..nvidia.clone() };
    assert_eq!(strategy(&sums(1 << 20), &other), Strategy::TwoPass);
    let asked = |len| ScanProblem { strategy: Strategy::SinglePass, ..sums(len) };
    assert_eq!(strategy(&asked(1 << 20), &other), Strategy::SinglePass);
    let in_place = ScanProblem { in_place: true, ..asked(1 << 20) };
    assert_eq!(strategy(&in_place, &nvidia), Strategy::TwoPass);
    let incoherent = Capabilities { coherent_memory: false, ..nvidia };
    let error = ScanPlan::new(&asked(1 << 20), &incoherent).expect_err("it is refused");
    assert!(matches!(error, PrepareError::NoCoherentMemory), "{error}");
}

/// FXC refuses that kernel, so it is in no plan where FXC compiles, whatever is asked for. Where DXC does, it is.
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
        |plan: &ScanPlan| plan.dispatches.iter().any(|one| one.shader.kernel.looks_back());
    for strategy in [Strategy::Auto, Strategy::SinglePass] {
        for variant in [Variant::Auto, Variant::WorkgroupMemory] {
            let sums = problem(OperatorType::Sum, &[1 << 20], &[1 << 20]);
            let problem = ScanProblem { strategy, variant, ..sums };
            let plan = ScanPlan::new(&problem, &dxc).expect("plans");
            assert!(looks_back(&plan), "{plan}");
            let plan = ScanPlan::new(&problem, &fxc).expect("plans");
            check(&plan, &problem, &fxc);
            assert!(!looks_back(&plan), "{plan}");
            let asked = ScanProblem { strategy: Strategy::TwoPass, ..problem };
            assert_eq!(plan, ScanPlan::new(&asked, &fxc).expect("plans"));
        }
    }
}

#[test]
fn what_cannot_be_scanned() {
    let refused = |problem: &ScanProblem| {
        ScanPlan::new(problem, &Capabilities::default()).expect_err("it is refused")
    };
    let sums = |len| problem(OperatorType::Sum, &[len], &[len]);
    let error = refused(&problem(OperatorType::Sum, &[MAX_LEN, 1], &[MAX_LEN, 1]));
    assert!(matches!(error, PrepareError::TooLong { len } if len == MAX_LEN + 1), "{error}");
    let error = refused(&ScanProblem { first: MAX_LEN, ..sums(1) });
    assert!(matches!(error, PrepareError::TooLong { len } if len == MAX_LEN + 1), "{error}");
    let error = refused(&ScanProblem { variant: Variant::Subgroup, ..sums(100) });
    assert!(matches!(error, PrepareError::NoSubgroups), "{error}");
    let error = refused(&ScanProblem { strategy: Strategy::WorkgroupAtomic, ..sums(100) });
    let told = "there is no exact scan by sum of u32 with the strategy workgroup-atomic: use";
    assert!(error.to_string().starts_with(told), "{error}");
    let policy = Some(Policy { min_rows: 3, max_workgroups: 1 });
    let error = refused(&ScanProblem { policy, ..sums(100) });
    assert!(matches!(error, PrepareError::Policy { .. }), "{error}");
}
