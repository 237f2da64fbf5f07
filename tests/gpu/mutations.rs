//! Shaders broken on purpose: the tests must see it.
//!
//! Each mutation changes one place of one file. The battery of checks below, which passes with the real
//! shaders, must fail with each mutated one.

use crate::{
    Case, atomics,
    device::Gpu,
    inputs, recording, specials,
    support::{Element, elements},
};
use gridfold::{
    BitAnd, BitOr, BitXor, Executor, Max, Min, Operator, Policy, Product, Reducer, Strategy, Sum,
    Variant, shader::Sources,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

struct Mutation {
    /// Which variant has the file; `None` for both.
    variant: Option<Variant>,
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

const fn mutation(file: &'static str, from: &'static str, to: &'static str) -> Mutation {
    Mutation { variant: None, file, from, to }
}

const fn only(
    variant: Variant,
    file: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mutation {
    Mutation { variant: Some(variant), file, from, to }
}

const MUTATIONS: &[Mutation] = &[
    mutation("reduce.wgsl", "begin <= at && at < end", "at < end"),
    mutation("reduce.wgsl", "begin <= at && at < end", "begin <= at && at <= end"),
    mutation("reduce.wgsl", "begin <= at && at < end", "begin <= at"),
    mutation("reduce.wgsl", "CARRIES && block_begin < params.begin", "false"),
    mutation("reduce.wgsl", "at < body_end; at += ROW_GROUP_ITEMS", "at < body_end; at += 8192u"),
    mutation("reduce.wgsl", "min(end, params.vec_end)", "(end + 4095u)"),
    mutation("reduce.wgsl", "load4(index + 3u * ROW_ITEMS)", "load4(index + 2u * ROW_ITEMS)"),
    mutation("reduce.wgsl", "        lane = fold_rows(lane, next);\n", ""),
    // Only the order changes: what integers do not notice.
    mutation("reduce.wgsl", "acc4_lift(rows.row1)", "acc4_lift(rows.row1.yxzw)"),
    mutation(
        "lane.wgsl",
        "acc4_combine(lane.row0, lane.row2)",
        "acc4_combine(lane.row0, lane.row3)",
    ),
    mutation(
        "lane.wgsl",
        "op_combine(op_combine(total.x, total.y), op_combine(total.z, total.w))",
        "op_combine(op_combine(op_combine(total.x, total.y), total.z), total.w)",
    ),
    mutation("input.wgsl", "vec4<u32>(low.y, low.z, low.w, high.x)", "low"),
    mutation("input.wgsl", "vec4<u32>(low.z, low.w, high.x, high.y)", "high"),
    mutation("input.wgsl", "vec4<u32>(low.w, high.x, high.y, high.z)", "low"),
    mutation("scratch.wgsl", "slot * ACC_WORDS * LANES + lane_index", "lane_index"),
    mutation("scratch.wgsl", "suspend_acc4(lane_index, 12u, lane.row3);", ""),
    mutation(
        "scratch.wgsl",
        "let first = params.resume_offset;",
        "let first = params.suspend_offset;",
    ),
    mutation("fold.wgsl", "at < params.partial_count", "at + 1u < params.partial_count"),
    mutation("fold.wgsl", "row_load(at + ROW_ITEMS),", "acc4_identity(),"),
    mutation("result.wgsl", "result[params.result_index]", "result[0]"),
    mutation("deliver_partial.wgsl", "partial_store(block, total)", "partial_store(0u, total)"),
    mutation("operator/sum_f32.wgsl", "if f32_is_nan(total)", "if false"),
    mutation("operator/min_f32.wgsl", "const NAN_KEY = 0u;", "const NAN_KEY = 0xffffffffu;"),
    mutation("operator/f32_key.wgsl", "bits ^ (negative | F32_SIGN_BIT)", "bits ^ F32_SIGN_BIT"),
    mutation("operator/product_f32.wgsl", "rest == half && (kept & 1u) == 1u", "rest == half"),
    mutation("operator/product_f32.wgsl", "rest > half ||", ""),
    mutation("operator/product_f32.wgsl", "product - (halved << 23u)", "product"),
    mutation("operator/product_f32.wgsl", "a.exponent_high + b.exponent_high + carry", "0u"),
    mutation("deliver_workgroup_atomic.wgsl", "== 0u", "<= 1u"),
    mutation("finish.wgsl", "    accumulator = op_pack(op_identity());\n", ""),
    mutation("operator/sum_atomic.wgsl", "atomicAdd", "atomicMax"),
    mutation("operator/min_atomic.wgsl", "atomicMin", "atomicMax"),
    mutation("operator/max_atomic.wgsl", "atomicMax", "atomicMin"),
    mutation("operator/bit_and_atomic.wgsl", "atomicAnd", "atomicOr"),
    mutation("operator/bit_or_atomic.wgsl", "atomicOr", "atomicXor"),
    mutation("operator/bit_xor_atomic.wgsl", "atomicXor", "atomicOr"),
    mutation("operator/exchange_atomic.wgsl", "seen, combined[0]", "seen, op_pack(total)[0]"),
    mutation("operator/sum_f32_atomic.wgsl", "bitcast<f32>(total)", "-bitcast<f32>(total)"),
    mutation("operator/product_f32_atomic.wgsl", "atomicXor", "atomicOr"),
    mutation("operator/product_f32_atomic.wgsl", "total.flags & FLAGS_SPECIAL", "0u"),
    mutation(
        "operator/product_f32_atomic.wgsl",
        "total.exponent_low + halved",
        "total.exponent_low",
    ),
    mutation("operator/product_f32_atomic.wgsl", "low < halved", "false"),
    mutation("operator/product_f32_atomic.wgsl", "before + low < before", "false"),
    mutation("operator/product_f32_atomic.wgsl", "total.exponent_high + carry", "carry"),
    only(Variant::WorkgroupMemory, "workgroup_reduce_memory.wgsl", "half > 0u", "half > 1u"),
    // Sums neighbours at distance 128 first: another order.
    only(
        Variant::WorkgroupMemory,
        "workgroup_reduce_memory.wgsl",
        "reverseBits(place) >> 24u",
        "place",
    ),
    only(
        Variant::Subgroup,
        "workgroup_reduce_subgroup.wgsl",
        "count > 1u; count >>=",
        "count > 128u; count >>=",
    ),
    only(Variant::Subgroup, "workgroup_reduce_subgroup.wgsl", "lane_index & (count - 1u)", "0u"),
    only(Variant::Subgroup, "subgroup_reduce_shuffle.wgsl", "mask < width", "2u * mask < width"),
    only(
        Variant::Subgroup,
        "subgroup_reduce_shuffle.wgsl",
        "var mask = 1u; mask < width; mask <<= 1u",
        "var mask = width >> 1u; mask > 0u; mask >>= 1u",
    ),
    only(
        Variant::Subgroup,
        "deliver_subgroup_atomic.wgsl",
        "subgroup_invocation_id == 0u",
        "lane_index_of(workgroup, invocation) == 0u",
    ),
    only(Variant::Subgroup, "operator/min_subgroup.wgsl", "subgroupMin", "subgroupMax"),
];

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("the real shaders pass the battery", battery),
        Case::long("every mutated shader fails the battery", |gpu, variant| {
            let reached = |mutation: &&Mutation| {
                mutation.file != "operator/sum_f32_atomic.wgsl" || gpu.capabilities().float_atomics
            };
            let survivors: Vec<String> = MUTATIONS
                .iter()
                .filter(reached)
                .filter(|mutation| mutation.variant.is_none_or(|only| only == variant))
                .filter_map(|mutation| survives(gpu, variant, mutation))
                .collect();
            assert!(survivors.is_empty(), "not noticed:\n{}", survivors.join("\n"));
        }),
    ]
}

/// `Some` description if nothing noticed the mutation.
fn survives(gpu: &Gpu, variant: Variant, mutation: &Mutation) -> Option<String> {
    let Mutation { file, from, to, .. } = mutation;
    let Some(sources) = Sources::default().replace(file, from, to) else {
        return Some(format!("{file} has no \"{from}\""));
    };
    let mutated = match gpu.with_shaders(sources) {
        Ok(mutated) => mutated,
        Err(message) => return Some(format!("{file}: {message}")),
    };
    // It must compile: a mutation that does not proves nothing.
    if let Err(error) = compiles(&mutated, variant) {
        return Some(format!("{file}: \"{to}\" does not compile: {error}"));
    }
    crate::quietly(|| catch_unwind(AssertUnwindSafe(|| battery(&mutated, variant))))
        .is_ok()
        .then(|| format!("{file}: \"{from}\" → \"{to}\""))
}

fn compiles(gpu: &Gpu, variant: Variant) -> Result<(), gridfold::Error> {
    fn reduces<T: Element, Op: Operator<T>>(
        gpu: &Gpu,
        variant: Variant,
        strategy: Strategy,
    ) -> Result<(), gridfold::Error> {
        let reducer = Reducer::<T, Op>::new(&gpu.context).variant(variant).strategy(strategy);
        reducer.reduce_blocking(inputs::upload(gpu, &elements::<T>(5000))).map(drop)
    }
    for strategy in atomics::strategies(variant).into_iter().chain([Strategy::TwoPass]) {
        reduces::<f32, Sum>(gpu, variant, strategy)?;
        reduces::<f32, Product>(gpu, variant, strategy)?;
        reduces::<f32, Min>(gpu, variant, strategy)?;
        reduces::<u32, Sum>(gpu, variant, strategy)?;
    }
    Ok(())
}

/// Few cases that touch every file.
fn battery(gpu: &Gpu, variant: Variant) {
    let values = elements::<i32>(9000);
    atomics::agrees_with_cpu::<i32, Min>(gpu, variant, &values);
    atomics::agrees_with_cpu::<i32, Max>(gpu, variant, &values);
    // Of two blocks: three equal totals are the same by an exclusive or.
    atomics::agrees_with_cpu::<i32, BitOr>(gpu, variant, &values[..8000]);
    atomics::agrees_with_cpu::<i32, BitXor>(gpu, variant, &values);
    atomics::agrees_with_cpu::<i32, Product>(gpu, variant, &values);
    // All bits but those of one element.
    let values: Vec<u32> = (0..9000).map(|i| if i == 4500 { 7 } else { !0 }).collect();
    atomics::agrees_with_cpu::<u32, BitAnd>(gpu, variant, &values);
    atomics::prepared_again(gpu, variant);
    atomics::specials(gpu, variant);
    lengths::<f32, Sum>(gpu, variant);
    lengths::<i32, Min>(gpu, variant);
    inputs::offsets::<f32, Sum>(gpu, variant);
    inputs::several_slices::<f32, Sum>(gpu, variant);
    recording::output_offsets(gpu, variant);
    specials::extrema(gpu, variant);
    specials::products(gpu, variant);
    specials::sums(gpu, variant);
}

fn lengths<T: Element, Op: Operator<T>>(gpu: &Gpu, variant: Variant) {
    for len in [1, 1000, 4096, 20_000] {
        let values = elements::<T>(len);
        let input = inputs::upload(gpu, &values);
        inputs::expect::<T, Op>(gpu, variant, &[input], &values, "lengths");
    }
    // Blocks of more than four rows.
    let values = elements::<u32>(100_003);
    let policy = Policy { min_rows: 16, ..Policy::DEFAULT };
    let sum = Reducer::<u32, Sum>::new(&gpu.context).variant(variant).policy(policy);
    let value = sum.reduce_blocking(inputs::upload(gpu, &values)).expect("reduces");
    assert_eq!(value, Executor::cpu().sum(&values).expect("the CPU can't fail"));
    // More partials than a row holds.
    let values = elements::<T>(1100 * 4096);
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(&values).expect("uploads");
    inputs::expect::<T, Op>(
        gpu,
        variant,
        array.gpu_slices().expect("on a GPU"),
        &values,
        "many partials",
    );
}
