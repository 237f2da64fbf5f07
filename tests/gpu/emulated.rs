//! Subgroup sizes that no driver in software has: every kernel with workgroup memory in place of the
//! subgroup operations, at a chosen size, with lanes scattered over the workgroup.

use crate::{
    Case, atomics,
    device::Gpu,
    floats, inputs, scan_single_pass, select_single_pass, selections,
    support::{Element, elements},
};
use gridfold::{
    Min, Moments, Operator, OperatorType, Product, Reducer, Sum, Variant, shader::Sources, wgpu,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The built-ins that operators call, each in the terms of its accumulators, and those of a kernel that has its own.
const OF_OPERATORS: [(&str, &str); 4] = [
    ("operator/integer.wgsl@subgroup", include_str!("emulated/integer_subgroup.wgsl")),
    ("operator/extremum.wgsl@subgroup", include_str!("emulated/max_subgroup.wgsl")),
    ("operator/extremum.wgsl@both_subgroup", include_str!("emulated/min_max_subgroup.wgsl")),
    ("select/rows.wgsl@subgroups", include_str!("emulated/rows_subgroup.wgsl")),
];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Compiling takes most of the time: every size gets some kernels, and one size every kernel, before all do.
    for size in [4, 8, 16, 32, 64, 128] {
        cases.push(case(size, "some kernels", some_kernels));
    }
    for size in [4, 64, 128] {
        cases.push(case(size, "selections", |gpu| {
            selections::every_kind::<u32>(gpu, Variant::Subgroup, 9001);
            selections::every_kind::<u64>(gpu, Variant::Subgroup, 4097);
            if gpu.capabilities().coherent_memory {
                select_single_pass::every_kind::<u32>(gpu, Variant::Subgroup, 9001);
                select_single_pass::every_kind::<u64>(gpu, Variant::Subgroup, 8193);
            }
        }));
    }
    for size in [4, 64, 128] {
        cases.push(case(size, "scans", |gpu| {
            if gpu.capabilities().coherent_memory {
                scan_single_pass::some_kinds(gpu, Variant::Subgroup);
            }
        }));
    }
    // Whose workgroups have 64 lanes.
    for size in [8, 64] {
        cases.push(case(size, "large accumulators", |gpu| check::<f32, _>(gpu, Moments)));
    }
    cases.push(case(64, "every kernel", every_kernel));
    for size in [32, 128] {
        cases.push(case(size, "every kernel", every_kernel));
    }
    cases.push(case(64, "special values", |gpu| atomics::specials(gpu, Variant::Subgroup)));
    // What not all lanes of a workgroup, or partials, have.
    cases.push(case(4, "outliers", |gpu| floats::outliers(gpu, Variant::Subgroup)));
    cases.push(case(128, "outliers", |gpu| floats::outliers(gpu, Variant::Subgroup)));
    let found_out =
        Case::tier2("emulated subgroups find divergence and wrong sizes out", found_out);
    cases.push(found_out.only(Variant::Subgroup));
    cases
}

fn case(size: u32, what: &str, check: fn(&Gpu)) -> Case {
    let name = format!("emulated subgroups of {size}, {what}");
    let case = Case::tier2(name, move |gpu, _| check(&emulated(gpu, size, Sources::default())));
    case.only(Variant::Subgroup)
}

/// The device with emulated subgroups.
fn emulated(gpu: &Gpu, size: u32, sources: Sources) -> Gpu {
    let builtins = include_str!("emulated_subgroup_builtins.wgsl");
    let reduce =
        sources.text("collective/subgroup_reduce.wgsl@builtin").expect("it is there").to_owned();
    let reductions = reduce + include_str!("emulated_subgroup_reductions.wgsl");
    let sources = sources
        .with("collective/subgroup_builtins.wgsl", builtins.to_owned())
        .and_then(|sources| sources.with("collective/subgroup_reduce.wgsl@builtin", reductions))
        .and_then(|sources| {
            let chosen = format!("const EMULATED_SIZE = {size}u;");
            sources.replace(
                "collective/subgroup_builtins.wgsl",
                "const EMULATED_SIZE = 32u;",
                &chosen,
            )
        });
    let lanes = [
        ("lanes.wgsl@of_256", "const EMULATED_LANES = WORKGROUP_SIZE;\n"),
        ("lanes.wgsl@of_64", "const EMULATED_LANES = WORKGROUP_SIZE;\n"),
        ("probe/lanes.wgsl", "const EMULATED_LANES = PROBE_LANES;\n"),
    ];
    let sources = OF_OPERATORS.iter().chain(&lanes).fold(
        sources.expect("they are there"),
        |sources, (file, text)| {
            let own = sources.text(file).expect("it is there").to_owned();
            sources.with(file, own + text).expect("it is there")
        },
    );
    // The start-up probe passes, too, or the plans would go without subgroups.
    gpu.with_shaders(sources).expect("a context")
}

fn every_kernel(gpu: &Gpu) {
    for_every_operator!(check_usual(gpu));
    // By atomics, which add floats or compare and exchange, too.
    atomics::exact_floats(gpu, Variant::Subgroup);
    // Launches that go on from the one before.
    inputs::several_slices::<f32, _>(gpu, Variant::Subgroup, Sum);
    inputs::several_slices::<i32, _>(gpu, Variant::Subgroup, Sum);
}

fn some_kernels(gpu: &Gpu) {
    check::<f32, _>(gpu, Sum);
    check::<f32, _>(gpu, Product);
    check::<i32, _>(gpu, Min);
}

fn check_usual<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, op: Op) {
    // Subgroups of 128 are larger than its workgroups, and plans know nothing of emulated ones.
    if !matches!(op.spec().operator, OperatorType::Moments | OperatorType::BriefMoments) {
        check::<T, _>(gpu, op);
    }
}

fn check<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, op: Op) {
    // A single block, several, and several without edges.
    for len in [3000, 9001, 8192] {
        let values = elements::<T>(len);
        let input = inputs::upload(gpu, &values);
        inputs::expect::<T, _>(
            gpu,
            Variant::Subgroup,
            std::slice::from_ref(&input),
            &values,
            "emulated",
            op,
        );
        if op.spec().order_free {
            atomics::expect::<T, _>(gpu, Variant::Subgroup, &input, &values, op);
        }
    }
}

/// The emulation notices what it is for.
fn found_out(gpu: &Gpu, variant: Variant) {
    // Operations that only some lanes take part in. Hardware could wait for the others for ever.
    let is_software = gpu.adapter.get_info().device_type == wgpu::DeviceType::Cpu;
    let divergent = [
        (
            "collective/subgroup_reduce.wgsl@builtin",
            "return op_subgroup(acc_select(op_identity(), value, subgroup_invocation_id < width));",
            "if subgroup_invocation_id < width { return op_subgroup(value); } return value;",
        ),
        (
            "collective/workgroup.wgsl@subgroups",
            "total = subgroup_reduce_all(total, min(size, left), subgroup_invocation_id);",
            "if subgroup_id == 0u { total = subgroup_reduce_all(total, min(size, left), \
             subgroup_invocation_id); }",
        ),
    ];
    let others = [
        // A size taken for granted.
        (
            "collective/workgroup.wgsl@subgroups",
            "let size = subgroup_size_of(workgroup);",
            "let size = 8u;",
        ),
        (
            "collective/workgroup.wgsl@subgroups",
            "let size = subgroup_size_of(workgroup);",
            "let size = 32u;",
        ),
        // Lanes taken to lie in a row.
        (
            "collective/workgroup.wgsl@subgroups",
            "let lane_index = lane_index_of(workgroup, invocation);",
            "let lane_index = invocation.local_invocation_id.x;",
        ),
    ];
    for (file, from, to) in divergent.into_iter().filter(|_| is_software).chain(others) {
        let sources = Sources::default().replace(file, from, to).expect("it is there");
        let mistaken = emulated(gpu, 64, sources);
        // Enough partials for several lanes of the fold.
        let values = elements::<f32>(1_000_000);
        let input = inputs::upload(&mistaken, &values);
        let sum = Reducer::<f32, _>::new(&mistaken.context, Sum).variant(variant);
        sum.reduce_blocking(&input)
            .unwrap_or_else(|error| panic!("{to} does not compile: {error}"));
        let noticed = crate::quietly(|| {
            catch_unwind(AssertUnwindSafe(|| {
                inputs::expect::<f32, _>(&mistaken, variant, &[input], &values, "mistaken", Sum);
                check::<u32, _>(&mistaken, Sum);
            }))
        });
        assert!(noticed.is_err(), "not noticed: {file}: {to}");
    }
}
