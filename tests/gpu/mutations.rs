//! Shaders broken on purpose: the library's self-test must see it.
//!
//! Each mutation changes one place of one file, or a few places that belong together. The self-test, which passes with the real
//! shaders, must find wrong results with each mutated one: on the device as it is, or, where the mutation matters only to devices
//! that add floats in another way, that have other parameters, or that have more elements, on one of these, which tests make of it.

use crate::{Case, device::Gpu, exact, floats, products};
use gridfold::{SelfTest, SelfTestReport, Variant, shader::Sources};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

#[derive(Clone, Copy)]
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

/// What DXC would make of the kernels if they copied a whole struct: it reads the source, which is overwritten meanwhile.
const DXC_MUTATIONS: &[Mutation] = &[
    mutation(
        "fold_blocks.wgsl",
        "range = range_include_rows(range, rows);\n            lane = fold_rows(lane, rows);",
        "range = range_include_rows(range, next);\n            lane = fold_rows(lane, next);",
    ),
    mutation(
        "exact/reduce.wgsl",
        "window_add(lane_index, window, group,",
        "window_add(lane_index, window, next,",
    ),
    mutation(
        "exact/reduce_pairs.wgsl",
        "pairs_window_add(lane_index, window, pairs)",
        "pairs_window_add(lane_index, window, next)",
    ),
];

const MUTATIONS: &[Mutation] = &[
    mutation("fold_blocks.wgsl", "extent.begin <= at && at < extent.end", "at < extent.end"),
    mutation("fold_blocks.wgsl", "at < extent.end {", "at <= extent.end {"),
    mutation("fold_blocks.wgsl", "extent.begin <= at && at < extent.end", "extent.begin <= at"),
    mutation(
        "fold_blocks.wgsl",
        "CARRIES && i == 0u && blocks_begin < job_begin(workgroup)",
        "false",
    ),
    mutation("fold_blocks.wgsl", "if group_end < body_end {", "if false {"),
    mutation("fold_blocks.wgsl", "- 1u)) == 0u || group_end >= end", "- 1u)) == 0u"),
    mutation("fold_blocks.wgsl", "count += 1u;", "count = 1u;"),
    mutation("fold_blocks.wgsl", "            lane = lane_identity();\n", ""),
    mutation("fold_blocks.wgsl", "block_keep(count,", "block_keep(0u,"),
    mutation("fold_blocks.wgsl", "min(end, job_vec_end(workgroup))", "(end + 4095u)"),
    mutation("fold_blocks.wgsl", "load4(index + 3u * ROW_ITEMS)", "load4(index + 2u * ROW_ITEMS)"),
    mutation("fold_blocks.wgsl", "            lane = fold_rows(lane, rows);\n", ""),
    // Only the order changes: what integers do not notice.
    mutation("fold_blocks.wgsl", "acc4_lift(rows.row1)", "acc4_lift(rows.row1.yxzw)"),
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
    mutation("fold_partials.wgsl", "at < partials.count", "at + 1u < partials.count"),
    mutation(
        "fold_partials.wgsl",
        "partial_row_load(partials, at + ROW_ITEMS),",
        "acc4_identity(),",
    ),
    mutation("result.wgsl", "(params.result_index, total)", "(0u, total)"),
    mutation("total_partial.wgsl", "partial_store(block, total)", "partial_store(0u, total)"),
    mutation("operator/min_f32.wgsl", "const NAN_KEY = 0u;", "const NAN_KEY = 0xffffffffu;"),
    mutation("operator/f32_key.wgsl", "bits ^ (negative | F32_SIGN_BIT)", "bits ^ F32_SIGN_BIT"),
    mutation("operator/product_f32.wgsl", "rest == half && (kept & 1u) == 1u", "rest == half"),
    mutation("operator/product_f32.wgsl", "rest > half ||", ""),
    mutation("operator/product_f32.wgsl", "product - (halved << 23u)", "product"),
    mutation("operator/product_f32.wgsl", "a.exponent_high + b.exponent_high + carry", "0u"),
    mutation("deliver_workgroups.wgsl", "total_store(first_block + i,", "total_store(first_block,"),
    mutation("deliver_workgroups.wgsl", "return out_of_range;", "return 0u;"),
    mutation("deliver_workgroups.wgsl", "if i < count", "if i + 1u < count"),
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
        "deliver_subgroups.wgsl",
        "subgroup_invocation_id == 0u",
        "lane_index_of(workgroup, invocation) == 0u",
    ),
    only(Variant::Subgroup, "operator/min_subgroup.wgsl", "subgroupMin", "subgroupMax"),
    // One of each file that has none above.
    mutation(
        "single_pass.wgsl",
        "before + 1u == params.workgroups",
        "workgroup.workgroup_id.x == 0u",
    ),
    mutation("single_pass.wgsl", "        atomicStore(&scratch.delivered, 0u);\n", ""),
    mutation("total_single.wgsl", "block == FOLD", "block != FOLD"),
    mutation("total_result.wgsl", "    result_store(total);\n", ""),
    mutation("total_accumulator.wgsl", "    accumulate(total);\n", ""),
    mutation("total_job.wgsl", "(block, total)", "(0u, total)"),
    mutation("fold.wgsl", "params.partial_count", "min(params.partial_count, 1u)"),
    mutation("fold_jobs.wgsl", "jobs[i].partial_count", "1u"),
    mutation("reduce.wgsl", "    fold_blocks(workgroup, invocation);\n", ""),
    mutation("reduce_jobs.wgsl", "    fold_blocks(workgroup, invocation);\n", ""),
    mutation("job_launch.wgsl", "return params.base;", "return params.base + 1u;"),
    mutation("job_table.wgsl", "workgroup.workgroup_id.x].base", "0].base"),
    mutation("element/f32.wgsl", "> F32_INFINITY_BITS", ">= F32_INFINITY_BITS"),
    mutation("element/i32.wgsl", "-2147483648", "0"),
    mutation("element/u32.wgsl", "return word;", "return word & 0x7fffffffu;"),
    mutation("operator/acc_element.wgsl", "return value;", "return value + value;"),
    mutation("operator/sum.wgsl", "a + b", "a | b"),
    mutation("operator/product.wgsl", "Elem(1)", "Elem(0)"),
    mutation("operator/min.wgsl", "ELEM_MAX", "ELEM_MIN"),
    mutation("operator/max.wgsl", "ELEM_MIN", "ELEM_MAX"),
    mutation("operator/max_f32.wgsl", "NAN_KEY = 0xffffffffu", "NAN_KEY = 0u"),
    mutation("operator/max_abs.wgsl", "max(a, b)", "a | b"),
    mutation("operator/count.wgsl", "(1u, 0u", "(1u, 1u"),
    mutation("operator/sum_two_words.wgsl", "a.x + b.x;", "a.x;"),
    mutation(
        "operator/sum_two_words_atomic.wgsl",
        "atomicAdd(&accumulator[0]",
        "atomicMax(&accumulator[0]",
    ),
    mutation(
        "element/f32.wgsl",
        "select(bits & ~F32_SIGN_BIT, F32_CANONICAL_NAN_BITS",
        "select(bits, F32_CANONICAL_NAN_BITS",
    ),
    mutation("element/i32.wgsl", "value < 0i", "false"),
    mutation("result.wgsl", "result[first + i]", "result[first]"),
    mutation("operator/bit_and.wgsl", "a & b", "a | b"),
    mutation("operator/bit_or.wgsl", "a | b", "a ^ b"),
    mutation("operator/bit_xor.wgsl", "a ^ b", "a | b"),
    mutation("operator/f32_multiply.wgsl", "* bitcast<f32>(b)", "* (1.0 + bitcast<f32>(b))"),
    mutation("operator/sum_f32_unchecked.wgsl", "+ bitcast<f32>(b)", "- bitcast<f32>(b)"),
    mutation("operator/sum_f32_software.wgsl", "f32_add(a, b)", "f32_add(a, a)"),
    only(
        Variant::Subgroup,
        "subgroup_reduce_builtin.wgsl",
        "subgroup_invocation_id < width",
        "true",
    ),
    only(Variant::Subgroup, "operator/sum_subgroup.wgsl", "subgroupAdd", "subgroupMax"),
    only(Variant::Subgroup, "operator/product_subgroup.wgsl", "subgroupMul", "subgroupAdd"),
    only(Variant::Subgroup, "operator/max_subgroup.wgsl", "subgroupMax", "subgroupMin"),
    only(Variant::Subgroup, "operator/bit_and_subgroup.wgsl", "subgroupAnd", "subgroupOr"),
    only(Variant::Subgroup, "operator/bit_or_subgroup.wgsl", "subgroupOr", "subgroupXor"),
    only(Variant::Subgroup, "operator/bit_xor_subgroup.wgsl", "subgroupXor", "subgroupOr"),
];

/// Files without a mutation, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("accumulator.wgsl", "a declaration"),
    ("jobs.wgsl", "a declaration"),
    ("scratch_memory.wgsl", "a declaration"),
    (
        "scratch_memory_coherent.wgsl",
        "a declaration: without its attribute a device is wrong by chance",
    ),
    ("exact/accumulator_copies.wgsl", "constants, which the host has, too"),
    ("exact/specials.wgsl", "constants, which every file takes from there"),
    ("exact/two_complement.wgsl", "mutated where it is called"),
    ("exact/units_squares.wgsl", "constants, of which other files' mutations show what they do"),
    ("exact/variance_population.wgsl", "of the length, as exact/variance_sample.wgsl is"),
    ("operator/acc_word.wgsl", "it changes nothing"),
    ("operator/sum_f32_bits.wgsl", "what it mends no device here does"),
    (
        "operator/any_range.wgsl",
        "all is in range: operator/sum_f32.wgsl has mutations of what it stands for",
    ),
    ("more_passes.wgsl", "it is empty"),
    ("entry_memory.wgsl", "a call"),
    ("entry_subgroup.wgsl", "a call"),
    ("workgroup_builtins.wgsl", "as the device has them"),
    (
        "subgroup_builtins.wgsl",
        "as the device has them: the emulation of subgroups takes its place",
    ),
    ("params.wgsl", "a declaration, and the fence: tests/gpu/fences.rs is of it"),
    ("probe_lanes.wgsl", "a probe"),
    ("probe_floats.wgsl", "a probe"),
];

/// Of the arithmetic of floats.
const FLOAT_MUTATIONS: &[Mutation] = &[
    // Which sums hardware may add. The devices of these tests do as they like with all others.
    mutation("operator/sum_f32.wgsl", "range.low >= 0x18ffffffu", "range.low >= 0x16ffffffu"),
    mutation("operator/sum_f32.wgsl", "range.low >= 0x18ffffffu", "range.low >= 0u"),
    mutation("operator/sum_f32.wgsl", "range.high < 0xd6000000u", "range.high <= 0xff000000u"),
    mutation("operator/sum_f32.wgsl", "range.high < 0xd6000000u", "range.high < 0xff000000u"),
    mutation("operator/sum_f32.wgsl", "min(less_one.z, less_one.w)", "less_one.z"),
    mutation("operator/sum_f32.wgsl", "min(less_one.x, less_one.y)", "less_one.y"),
    mutation("operator/sum_f32.wgsl", "max(doubled.z, doubled.w)", "doubled.z"),
    mutation("operator/sum_f32.wgsl", "max(range.high, high)", "high"),
    mutation("operator/sum_f32.wgsl", "Range(min(range.low, low),", "Range(low,"),
    mutation("operator/sum_f32.wgsl", "min(range.low, doubled - 1u)", "range.low"),
    mutation("operator/sum_f32.wgsl", "max(range.high, doubled)", "range.high"),
    mutation("lane.wgsl", "range_include_acc4(even, lane.row1)", "even"),
    mutation("lane.wgsl", "range_include_acc4(range, lane.row0)", "range"),
    mutation("lane.wgsl", "range_include_acc(range, accs.x)", "range"),
    mutation("fold_blocks.wgsl", "range = range_include_lane(range, lane);", ""),
    mutation("fold_blocks.wgsl", "range = range_include_lane(range, rows);", ""),
    mutation("fold_blocks.wgsl", "range = range_include_rows(range, rows);", ""),
    mutation("fold_blocks.wgsl", "range_include_elems(even, rows.row1)", "even"),
    mutation("fold_blocks.wgsl", "var lane = start;", "var lane = lane_identity();"),
    mutation(
        "fold_blocks.wgsl",
        "block_refold(start, max(begin, at), block_end,",
        "block_refold(start, begin, end,",
    ),
    mutation(
        "fold_blocks.wgsl",
        "lane = lane_combine_any(lane, rows",
        "lane = fold_rows_within(lane, rows",
    ),
    mutation("fold_blocks.wgsl", "deliver_carefully(block + i, refolded, lane_index);", ""),
    mutation("fold_partials.wgsl", "range_include_lane(range_start(), lane)", "range_start()"),
    mutation("fold_partials.wgsl", "deliver_carefully(partials.block, lane, lane_index);", ""),
    mutation("range_flag.wgsl", "CHECKS_RANGE && !is_safe", "false"),
    mutation("range_flag.wgsl", "1u << i", "1u"),
    mutation(
        "range_flag.wgsl",
        "return workgroupUniformLoad(",
        "return 0u & workgroupUniformLoad(",
    ),
    mutation("careful.wgsl", "op_combine_any(a.z, b.z)", "op_combine_any(a.z, b.w)"),
    mutation("careful.wgsl", "other.row3, other.row0)", "other.row0, other.row0)"),
    mutation("careful.wgsl", "(rows.row0, rows.row2)", "(rows.row0, rows.row3)"),
    mutation(
        "careful.wgsl",
        "op_combine_any(op_combine_any(total.x, total.y), op_combine_any(total.z, total.w))",
        "op_combine_any(op_combine_any(op_combine_any(total.x, total.y), total.z), total.w)",
    ),
    mutation("careful.wgsl", "reverseBits(lane_index) >> 24u", "lane_index"),
    mutation("careful.wgsl", "half > 0u", "half > 1u"),
    mutation("careful.wgsl", "careful_accs[lane_index + half]", "careful_accs[lane_index]"),
    mutation("careful.wgsl", "total_store(block, total)", "total_store(0u, total)"),
    // Additions in integers.
    mutation("operator/f32_add.wgsl", "(a & ~F32_SIGN_BIT) < (b & ~F32_SIGN_BIT)", "false"),
    mutation("operator/f32_add.wgsl", "((a ^ b) & F32_SIGN_BIT) != 0u", "false"),
    mutation(
        "operator/f32_add.wgsl",
        "select(0u, F32_HIDDEN_BIT, magnitude",
        "select(F32_HIDDEN_BIT, F32_HIDDEN_BIT, magnitude",
    ),
    mutation("operator/f32_add.wgsl", "select(larger, F32_CANONICAL_NAN_BITS, is_nan)", "larger"),
    mutation(
        "operator/f32_add.wgsl",
        "magnitude > F32_INFINITY_BITS\n            || (subtracts && smaller_magnitude == F32_INFINITY_BITS)",
        "false",
    ),
    mutation("operator/f32_add.wgsl", "smaller_magnitude == F32_INFINITY_BITS", "false"),
    mutation("operator/f32_add.wgsl", "max(magnitude >> 23u, 1u)", "(magnitude >> 23u)"),
    mutation(
        "operator/f32_add.wgsl",
        "max(smaller_magnitude >> 23u, 1u)",
        "(smaller_magnitude >> 23u)",
    ),
    mutation("operator/f32_add.wgsl", "1u), 31u)", "1u), 255u)"),
    mutation("operator/f32_add.wgsl", "(addend >> shift) | rest_below", "addend >> shift"),
    mutation("operator/f32_add.wgsl", "(sum >> 1u) | (sum & 1u)", "sum >> 1u"),
    mutation("operator/f32_add.wgsl", "exponent += 1u;", ""),
    mutation(
        "operator/f32_add.wgsl",
        "min(countLeadingZeros(sum) - 5u, exponent - 1u)",
        "countLeadingZeros(sum) - 5u",
    ),
    mutation("operator/f32_add.wgsl", "exponent -= up;", ""),
    mutation("operator/f32_add.wgsl", "rest > 4u ||", ""),
    mutation("operator/f32_add.wgsl", "rest == 4u && (kept & 1u) == 1u", "rest == 4u"),
    mutation("operator/f32_add.wgsl", "min(bits, F32_INFINITY_BITS)", "bits"),
    mutation("operator/f32_add.wgsl", "sum == 0u", "false"),
    // Multiplications in integers.
    mutation("operator/f32_multiply_software.wgsl", "low < low_product", "false"),
    mutation("operator/f32_multiply_software.wgsl", "(middle >> 16u) + carry", "carry"),
    mutation("operator/f32_multiply_software.wgsl", "high >= 0x8000u", "high > 0x8000u"),
    mutation("operator/f32_multiply_software.wgsl", "rest > half ||", ""),
    mutation(
        "operator/f32_multiply_software.wgsl",
        "rest == half && (kept & 1u) == 1u",
        "rest == half",
    ),
    mutation("operator/f32_multiply_software.wgsl", "(kept & 1u) == 1u", "false"),
];

/// Of exact results. They have one variant.
const EXACT_MUTATIONS: &[Mutation] = &[
    mutation("exact/reduce.wgsl", "window_flush(lane_index, window);", ""),
    mutation(
        "exact/reduce.wgsl",
        "if at + ROW_GROUP_ITEMS < end",
        "if at + 2u * ROW_GROUP_ITEMS < end",
    ),
    mutation("exact/group.wgsl", "min(end, params.vec_end)", "(end + 4095u)"),
    mutation("exact/group.wgsl", "begin <= at && at < end", "at < end"),
    mutation("exact/group.wgsl", "begin <= at && at < end", "begin <= at"),
    mutation("exact/group.wgsl", "begin <= at && at + ROW_GROUP_ITEMS", "at + ROW_GROUP_ITEMS"),
    // Windows. The devices of these tests do as they like with subnormal numbers and infinities.
    mutation("exact/window.wgsl", "MIN_TOP = 44u", "MIN_TOP = 42u"),
    mutation("exact/window.wgsl", "MAX_TOP = 252u", "MAX_TOP = 253u"),
    mutation("exact/window.wgsl", "MAX_COUNT = 1008u", "MAX_COUNT = 1024u"),
    mutation("exact/window.wgsl", "(top + 2u) << 23u", "(top + 1u) << 23u"),
    mutation("exact/window.wgsl", "((top - 20u) << 23u)", "((top - 19u) << 23u)"),
    mutation("exact/window.wgsl", "0x00400000u", "0u"),
    mutation("exact/window.wgsl", "((top - 20u) << 24u) - 1u", "((top - 22u) << 24u) - 1u"),
    mutation(
        "exact/window.wgsl",
        "range.high < ((top - 1u) << 24u)",
        "range.high < ((top + 1u) << 24u)",
    ),
    mutation("exact/window.wgsl", "vec4<u32>((top - 20u) << 24u)", "vec4<u32>((top - 22u) << 24u)"),
    mutation("exact/window.wgsl", "< (19u << 24u)", "< (21u << 24u)"),
    mutation("exact/window.wgsl", "max(max(a, b), max(c, d))", "max(max(a, b), c)"),
    mutation(
        "exact/window.wgsl",
        "min(min(a - one, b - one), min(c - one, d - one))",
        "min(a - one, b - one)",
    ),
    mutation(
        "exact/window.wgsl",
        "max(max(above.x, above.y), max(above.z, above.w))",
        "max(above.x, above.y)",
    ),
    mutation(
        "exact/window.wgsl",
        "(group.load2 << one) - low, (group.load3 << one) - low",
        "(group.load2 << one) - low, (group.load2 << one) - low",
    ),
    mutation(
        "exact/window.wgsl",
        "window.count * upper_anchor(window.top)",
        "upper_anchor(window.top)",
    ),
    mutation(
        "exact/window.wgsl",
        "window.count * lower_anchor(window.top)",
        "lower_anchor(window.top)",
    ),
    mutation("exact/window.wgsl", "- bitcast<f32>(kept)", "- bitcast<f32>(upper)"),
    mutation("exact/window.wgsl", "window.count + 4u", "window.count + 3u"),
    mutation("exact/window.wgsl", "&& window.count < MAX_COUNT", ""),
    mutation("exact/window.wgsl", "&& old.count < MAX_COUNT", ""),
    mutation("exact/window.wgsl", "holds = window.failures == 0u", "holds = true"),
    mutation("exact/window.wgsl", "old.lower, old.count, 0u", "old.lower, 0u, 0u"),
    mutation("exact/window.wgsl", "window_flush(lane_index, old);", ""),
    mutation("exact/window.wgsl", "window.failures = max(old.failures, 1u);", ""),
    mutation("exact/group.wgsl", "vector_load(place, 3u)", "vector_load(place, 0u)"),
    mutation("exact/group.wgsl", "at + 4u * lane_index", "at"),
    mutation("exact/group.wgsl", "place.first + row * ROW_ITEMS", "place.first"),
    mutation("exact/window.wgsl", "window.top + 2u, upper", "window.top + 1u, upper"),
    mutation("exact/window.wgsl", "window.top - 20u, lower", "window.top - 19u, lower"),
    mutation("exact/window.wgsl", "deposit_group(lane_index, place);", ""),
    mutation("exact/window.wgsl", "(negative << 3u) | (position >> 5u)", "position >> 5u"),
    mutation("exact/window.wgsl", "select(value, 0u - value, negative == 1u)", "value"),
    mutation("exact/no_window.wgsl", "row < 4u", "row < 3u"),
    mutation("exact/no_window.wgsl", "rest.load3, rest.load0)", "rest.load2, rest.load0)"),
    mutation("exact/deposit_group.wgsl", "row < 4u", "row < 3u"),
    mutation("exact/cells.wgsl", "atomicStore(&cells_low[i + lane_index], 0u);", ""),
    mutation("exact/cells.wgsl", "atomicStore(&cells_high[i + lane_index], 0u);", ""),
    mutation("exact/cells.wgsl", "atomicStore(&cell_overflows[lane_index], 0u);", ""),
    mutation("exact/cells.wgsl", "atomicStore(&specials, 0u);", ""),
    mutation("exact/cells.wgsl", "atomicOr(&specials, flags)", "atomicStore(&specials, flags)"),
    mutation(
        "exact/cells.wgsl",
        "(magnitude >> 1u) >> (31u - shift)",
        "magnitude >> (31u - shift)",
    ),
    mutation("exact/cells.wgsl", "(magnitude.high << shift)", "magnitude.high"),
    mutation("exact/cells.wgsl", "low_before + deposit.low < deposit.low", "false"),
    mutation("exact/cells.wgsl", "a_before + a_high < a_high", "false"),
    mutation("exact/cells.wgsl", "b_before + b_high < b_high", "false"),
    mutation("exact/cells.wgsl", "deposit_high(deposit, high) + high < high", "false"),
    mutation(
        "exact/cells.wgsl",
        "&cell_overflows[deposit.at / SETS], 1u",
        "&cell_overflows[0], 1u",
    ),
    mutation("exact/cells.wgsl", "            note_overflow(b);\n", ""),
    mutation("exact/cells.wgsl", "let a_before = deposit_high(a, a_high);", "let a_before = 0u;"),
    mutation("exact/cells.wgsl", "0u - magnitude, cell_is_negative(cell)", "magnitude, false"),
    mutation("exact/cells.wgsl", "cell_digit(cell) + digit", "cell_digit(cell) + (digit & 3u)"),
    mutation("exact/cells.wgsl", "digit == 5u", "false"),
    mutation("exact/cells.wgsl", "digit >= 2u", "digit >= 3u"),
    mutation("exact/cells.wgsl", "i < SETS; i++", "i < SETS / 2u; i++"),
    mutation("exact/cells.wgsl", "i < CELLS * CELL_DIGITS", "i < LANES"),
    mutation("exact/cells.wgsl", "accumulate_specials(copy, atomicLoad(&specials));", ""),
    mutation("exact/specials_of.wgsl", "max(magnitudes.z, magnitudes.w)", "magnitudes.z"),
    mutation("exact/specials_of.wgsl", "> F32_INFINITY_BITS", "> 0x7fffffffu"),
    mutation("exact/specials_of.wgsl", "bits >= F32_SIGN_BIT", "false"),
    mutation("exact/specials_of.wgsl", "| special_of(elements.w)", ""),
    mutation("exact/element_parts.wgsl", "select(0u, bits, is_finite(bits))", "bits"),
    mutation("exact/deposit_element.wgsl", "0xfe000000u", "0xff000000u"),
    mutation("exact/deposit_element.wgsl", "| HIDDEN_BIT, is_normal(bits)", ", is_normal(bits)"),
    mutation(
        "exact/deposit_element.wgsl",
        "select(0u, 8u, negative), 1u",
        "select(0u, 8u, negative), 0u",
    ),
    mutation("exact/deposit_element.wgsl", "select(0u, 8u, negative)", "0u"),
    mutation("exact/deposit_element.wgsl", "0u - fraction, is_negative(bits)", "fraction, false"),
    mutation(
        "exact/deposit_element.wgsl",
        "extractBits(bits, 23u, 5u)",
        "extractBits(bits, 23u, 4u)",
    ),
    mutation("exact/deposit_element.wgsl", "&& is_normal(elements.w)", ""),
    mutation("exact/deposit_element.wgsl", "+ subnormal_value(elements.w)", ""),
    mutation(
        "exact/deposit_element.wgsl",
        "deposit_of_normal(lane_index, elements.y),",
        "deposit_of_normal(lane_index, elements.x),",
    ),
    mutation("exact/deposit_square.wgsl", "2u * parts.position", "parts.position"),
    mutation("exact/deposit_square.wgsl", "position % BINADES_OF_CELL", "position % 8u"),
    mutation("exact/deposit_squares.wgsl", "& vec4<u32>(~F32_SIGN_BIT)", ""),
    mutation("exact/deposit_squares.wgsl", "finite_or_zero(elements.z)", "elements.z"),
    mutation("exact/deposit_moments.wgsl", "select(0u, ELEMENTS_CELLS, parts.is_negative)", "0u"),
    mutation("exact/deposit_moments.wgsl", "SQUARES_CELLS + sign_cell", "sign_cell"),
    mutation("exact/deposit_moments.wgsl", "!all_finite(elements)", "false"),
    mutation("exact/product.wgsl", "(middle >> 20u)", "0u"),
    mutation("exact/product.wgsl", "select(0u, 1u, low < part)", "0u"),
    mutation("exact/product_sums.wgsl", "WINDOW_BINADES + 1u, W", "WINDOW_BINADES, W"),
    mutation("exact/product_sums.wgsl", "MAX_FIRST = 230u", "MAX_FIRST = 233u"),
    mutation("exact/product_sums.wgsl", "WINDOW_BINADES = 16u", "WINDOW_BINADES = 17u"),
    mutation(
        "exact/product_sums.wgsl",
        "(lower >> DIGIT_BITS) & DIGIT_MASK",
        "lower >> DIGIT_BITS",
    ),
    mutation("exact/product_sums.wgsl", "2u * DIGIT_BITS - place", "2u * DIGIT_BITS"),
    mutation("exact/product_sums.wgsl", "a.order3 + b.order3", "a.order3"),
    mutation("exact/product_sums.wgsl", "orders.order2 & 0xffff", "orders.order2 & 0x7fff"),
    mutation(
        "exact/product_sums.wgsl",
        "orders.order1 >> 16u",
        "(orders.order1 & 0x7fffffff) >> 16u",
    ),
    mutation("exact/product_sums.wgsl", "sums.groups + 1u", "sums.groups"),
    mutation("exact/product_sums.wgsl", "8 * sums.upper.order2", "sums.upper.order2"),
    mutation("exact/product_sums.wgsl", "+ (order3 >> DIGIT_BITS)", ""),
    mutation("exact/product_sums.wgsl", "8 * sums.upper.order4 +", ""),
    mutation("exact/product_sums.wgsl", "carried(sums).rest < 0", "false"),
    mutation("exact/product_sums.wgsl", "sign_cell = CELLS / 2u;", ""),
    mutation("exact/product_sums.wgsl", "digits[2] | (digits[3]", "digits[2] | (digits[1]"),
    mutation("exact/product_sums.wgsl", "position + 4u * DIGIT_BITS", "position + 3u * DIGIT_BITS"),
    mutation("exact/product_sums.wgsl", "rest >> (32u - DIGIT_BITS)", "0u"),
    mutation(
        "exact/window_squares.wgsl",
        "orders.low_high + digits.low * digits.high",
        "orders.low_high",
    ),
    mutation("exact/window_squares.wgsl", "max(places2, places3)", "places2"),
    mutation("exact/window_squares.wgsl", "(group.load3), places3", "(group.load3), places2"),
    mutation(
        "exact/product_sums.wgsl",
        "vec4<u32>(), are_zero(elements));\n}\n\n// A sig",
        "significands(elements), are_zero(elements));\n}\n\n// A sig",
    ),
    mutation("exact/window_pairs.wgsl", "max(left2.places, left3.places)", "left2.places"),
    mutation("exact/window_pairs.wgsl", "max(right0.places, right1.places)", "right0.places"),
    mutation(
        "exact/window_pairs.wgsl",
        "pairs.right2, left2, right2",
        "pairs.right1, left2, right2",
    ),
    mutation("exact/window_squares.wgsl", "2 * orders.low_middle", "orders.low_middle"),
    mutation("exact/window_squares.wgsl", "2 * orders.middle_high", "orders.middle_high"),
    mutation("exact/window_squares.wgsl", "+ orders.middle_middle", ""),
    mutation(
        "exact/window_squares.wgsl",
        "(significands.w, places.w)",
        "(significands.w, places.z)",
    ),
    mutation(
        "exact/window_squares.wgsl",
        "                deposit_elements(lane_index, rest.load0);\n",
        "",
    ),
    mutation("exact/window_squares.wgsl", "rest.load3, rest.load0", "rest.load2, rest.load0"),
    mutation("exact/window_squares.wgsl", "            window_flush(lane_index, window);\n", ""),
    mutation("exact/window_squares.wgsl", "            window.sums = no_product_sums();\n", ""),
    mutation("exact/window_squares.wgsl", "2u * (window.first - 1u)", "2u * window.first"),
    mutation("exact/window_pairs.wgsl", "rest.left0 ^ rest.right0", "rest.left0"),
    mutation("exact/window_pairs.wgsl", "sign * magnitude.middle", "magnitude.middle"),
    mutation("exact/window_pairs.wgsl", "+ x.middle * y.low", ""),
    mutation("exact/window_pairs.wgsl", "+ x.high * y.low", ""),
    mutation(
        "exact/window_pairs.wgsl",
        "x.middle * y.high + x.high * y.middle",
        "2 * x.middle * y.high",
    ),
    mutation(
        "exact/window_pairs.wgsl",
        "largest_of(max(left.places, right.places))",
        "largest_of(left.places)",
    ),
    mutation(
        "exact/window_pairs.wgsl",
        "vec2<u32>(x.places.z, y.places.z)",
        "vec2<u32>(x.places.z, y.places.y)",
    ),
    mutation(
        "exact/window_pairs.wgsl",
        "                deposit_products(lane_index, rest.left0, rest.right0);\n",
        "",
    ),
    mutation(
        "exact/window_pairs.wgsl",
        "            pairs_window_flush(lane_index, window);\n",
        "",
    ),
    mutation("exact/window_pairs.wgsl", "            window.sums = no_product_sums();\n", ""),
    mutation("exact/window_pairs.wgsl", "window.left_first - 1u +", "window.left_first +"),
    mutation("exact/units_sum.wgsl", "cell >= 8u", "false"),
    mutation("exact/units_sum.wgsl", "2u * (cell & 7u)", "cell & 7u"),
    mutation("exact/units_sum.wgsl", "HAS_HALF_UNITS = true", "HAS_HALF_UNITS = false"),
    mutation("exact/units_moments.wgsl", "40u + element_cell", "39u + element_cell"),
    mutation("exact/finish.wgsl", "i + 1u == LIMBS", "false"),
    mutation("exact/value_products.wgsl", "149u", "148u"),
    mutation("exact/accumulator.wgsl", "!overflows(before, addend)", "true"),
    mutation("exact/accumulator.wgsl", "at < DIGITS; at += 2u", "at < DIGITS; at += 1u"),
    mutation("exact/accumulator.wgsl", "atomicOr", "atomicMax"),
    mutation(
        "exact/accumulator.wgsl",
        "workgroup_index % COPIES",
        "workgroup_index % (COPIES + 1u)",
    ),
    mutation("exact/element_parts.wgsl", "is_normal << 23u", "1u << 23u"),
    mutation("exact/element_parts.wgsl", "field - is_normal", "field"),
    mutation("exact/element_parts.wgsl", "bits >= F32_SIGN_BIT", "false"),
    mutation("exact/product.wgsl", "x_high * y_low + x_low * y_high", "2u * x_high * y_high"),
    mutation("exact/finish.wgsl", "accumulator[copy * COPY_WORDS + word] = 0u;", ""),
    mutation("exact/finish.wgsl", "word <= DIGITS", "word < DIGITS"),
    mutation("exact/finish.wgsl", "copy < COPIES", "copy < COPIES / 2u"),
    mutation("exact/finish.wgsl", "flags |= value", "flags = value"),
    mutation("exact/finish.wgsl", "upper_sums[2u * i] + arithmetic", "arithmetic"),
    mutation(
        "exact/finish.wgsl",
        "upper_sums[2u * i] + arithmetic_high(low)",
        "upper_sums[2u * i]",
    ),
    mutation("exact/finish.wgsl", "upper_sums[2u * i + 1u] +", ""),
    mutation("exact/finish.wgsl", "+ arithmetic_high(high)", ""),
    mutation("exact/accumulator.wgsl", "accumulator[copy + DIGITS]", "accumulator[DIGITS + 1u]"),
    mutation("exact/finish.wgsl", "bitcast<u32>(bitcast<i32>(value) >> 16u)", "value >> 16u"),
    mutation("exact/store_accumulator.wgsl", "= specials", "= 0u"),
    mutation("exact/store_accumulator.wgsl", "= params.len_low", "= 0u"),
    mutation("exact/store_moments.wgsl", "limbs[SQUARES_LIMBS + i]", "limbs[i]"),
    mutation("exact/store_moments.wgsl", "SUM_LIMBS + 3u + i", "SUM_LIMBS + 4u + i"),
    mutation("exact/store_value.wgsl", "result[params.result_index]", "result[0]"),
    mutation("exact/round.wgsl", "specials == SPECIAL_INFINITY", "false"),
    mutation("exact/round.wgsl", "specials == SPECIAL_NEGATIVE_INFINITY", "false"),
    mutation("exact/round.wgsl", "flip & 1u", "0u"),
    mutation("exact/round.wgsl", "select(0u, carry, limb == 0u)", "0u"),
    mutation("exact/round.wgsl", "i + 2u < index", "i + 3u < index"),
    mutation("exact/round.wgsl", "(rest | (bottom << shift)) != 0u", "rest != 0u"),
    mutation("exact/round.wgsl", "(rest | (bottom << shift)) != 0u", "(rest | bottom) != 0u"),
    mutation("exact/round.wgsl", "index >= 1u", "true"),
    mutation("exact/round.wgsl", "index >= 2u", "true"),
    mutation("exact/round.wgsl", "|| leading.has_rest", ""),
    mutation("exact/round.wgsl", "|| leading.low != 0u", ""),
    mutation("exact/round.wgsl", "(below << 1u) != 0u ||", ""),
    mutation("exact/round.wgsl", "(kept & 1u) == 1u", "true"),
    mutation("exact/round.wgsl", "(kept & 1u) == 1u", "false"),
    mutation("exact/round.wgsl", "dropped > 64u", "dropped >= 64u"),
    mutation("exact/round.wgsl", "dropped > 64u", "dropped > 65u"),
    mutation("exact/round.wgsl", "0u, dropped == 64u", "0u, false"),
    mutation(
        "exact/round.wgsl",
        "max(max(leading.place, 23u) - 23u, unit_place)",
        "max(leading.place, 23u) - 23u",
    ),
    mutation(
        "exact/round.wgsl",
        "min((field << 23u) + kept + select(0u, 1u, up), F32_INFINITY_BITS)",
        "(field << 23u) + kept",
    ),
    mutation("exact/divide.wgsl", "bits - 2u) - 1u", "bits - 2u)"),
    mutation("exact/divide.wgsl", "(rest.y << 1u) | (rest.x >> 31u)", "rest.y << 1u"),
    mutation("exact/divide.wgsl", "(rest.z << 1u) | (rest.y >> 31u)", "rest.z << 1u"),
    mutation("exact/divide.wgsl", "quotient == 0u && fits", "fits"),
    mutation(
        "exact/divide.wgsl",
        "any(rest != vec3<u32>()) || any_below(max(at, 1u) - 1u)",
        "any(rest != vec3<u32>())",
    ),
    mutation(
        "exact/divide.wgsl",
        "any(rest != vec3<u32>()) || any_below(max(at, 1u) - 1u)",
        "any_below(max(at, 1u) - 1u)",
    ),
    mutation(
        "exact/divide.wgsl",
        "return Leading(high, 0u, place, any(rest != vec3<u32>()));",
        "return Leading(high, 0u, place, false);",
    ),
    mutation("exact/divide.wgsl", "return a.z > b.z;", "return a.z < b.z;"),
    mutation("exact/divide.wgsl", "return a.y > b.y;", "return a.y < b.y;"),
    mutation("exact/divide.wgsl", "a.x >= b.x", "a.x > b.x"),
    mutation("exact/divide.wgsl", "(y == 0u && borrow_x == 1u)", "false"),
    mutation("exact/divide.wgsl", "y - borrow_x", "y"),
    mutation("exact/divide.wgsl", "- borrow_y", ""),
    mutation("exact/divide.wgsl", "i < (end >> 5u)", "i + 1u < (end >> 5u)"),
    mutation("exact/divide.wgsl", "((1u << (end & 31u)) - 1u)", "0u"),
    mutation("exact/value_sum.wgsl", "take_sign(0u)", "false"),
    mutation("exact/value_sum.wgsl", "specials != 0u", "false"),
    mutation("exact/value_mean.wgsl", "(params.len_low | params.len_high) == 0u", "false"),
    mutation("exact/value_mean.wgsl", "divisor), 1u)", "divisor), 0u)"),
    mutation(
        "exact/value_mean.wgsl",
        "params.len_low, params.len_high, 0u",
        "params.len_low, 0u, 0u",
    ),
    mutation("exact/value_norm.wgsl", "(radicand.place & 1u) == 0u", "false"),
    mutation("exact/value_norm.wgsl", "has_rest = has_rest || (low & 1u) == 1u;", ""),
    mutation("exact/value_norm.wgsl", "has_rest = has_rest || (rest_low | rest_high) != 0u;", ""),
    mutation("exact/value_norm.wgsl", "rest_low >= trial_low", "rest_low > trial_low"),
    mutation("exact/value_variance.wgsl", "addend < carry", "false"),
    mutation("exact/value_variance.wgsl", "sum < addend", "false"),
    mutation("exact/value_variance.wgsl", "carry = product.y +", "carry ="),
    mutation("exact/value_variance.wgsl", "(middle >> 16u) + (other >> 16u)", "(middle >> 16u)"),
    mutation("exact/value_variance.wgsl", "+ (low >> 16u)", ""),
    mutation("exact/value_variance.wgsl", "is_empty || specials", "specials"),
    mutation("exact/value_variance.wgsl", "|| specials != 0u", ""),
    mutation("exact/value_variance.wgsl", "|| all(degrees == vec2<u32>())", ""),
    mutation("exact/value_variance.wgsl", "    take_sign(SQUARES_LIMBS);\n", ""),
    mutation("exact/value_variance.wgsl", "add_multiple(1u, params.len_high);", ""),
    mutation("exact/value_variance.wgsl", "add_multiple(i, sum[i]);", ""),
    mutation("exact/value_variance.wgsl", "i < SUM_LIMBS);", "i + 1u < SUM_LIMBS);"),
    mutation("exact/value_variance.wgsl", "across.x < other.x", "false"),
    mutation("exact/value_variance.wgsl", "let across = other +", "let across = vec2<u32>() +"),
    mutation("exact/value_variance.wgsl", "select(0u, 1u, y < across.x)", "0u"),
    mutation("exact/value_variance.wgsl", "+ params.len_high * degrees.y", ""),
    mutation("exact/value_variance.wgsl", "        limbs[i] = 0u;\n", ""),
    mutation("exact/value_variance.wgsl", "i < SQUARES_LIMBS);", "true);"),
    mutation("exact/value_variance.wgsl", "150u", "149u"),
    mutation("exact/variance_sample.wgsl", "params.len_low - 1u", "params.len_low"),
    mutation("exact/deposit_product.wgsl", "((left ^ right) >> 31u)", "(left >> 31u)"),
    mutation(
        "exact/deposit_product.wgsl",
        "is_finite(left) && is_finite(right)",
        "is_finite(left)",
    ),
    mutation(
        "exact/deposit_product.wgsl",
        "is_finite(left) && is_finite(right)",
        "is_finite(right)",
    ),
    mutation(
        "exact/deposit_product.wgsl",
        "all_finite(left) && all_finite(right)",
        "all_finite(left)",
    ),
    mutation("exact/deposit_product.wgsl", "x.position + y.position", "2u * x.position"),
    mutation("exact/deposit_product.wgsl", "position % BINADES_OF_CELL", "position % 8u"),
    mutation("exact/deposit_product.wgsl", "max(x, y) > F32_INFINITY_BITS", "false"),
    mutation("exact/deposit_product.wgsl", "min(x, y) == 0u", "false"),
    mutation("exact/deposit_product.wgsl", "(left ^ right) & F32_SIGN_BIT", "left & F32_SIGN_BIT"),
    mutation("exact/deposit_product.wgsl", "| special_of_pair(left.z, right.z)", ""),
    mutation("exact/product.wgsl", "select(0u, 1u, part < (middle << 12u))", "0u"),
    mutation("exact/units_products.wgsl", "cell >= 32u", "false"),
    mutation("exact/units_products.wgsl", "cell & 31u", "cell"),
    mutation(
        "exact/reduce_pairs.wgsl",
        "lane_index + params.right_base",
        "lane_index + params.base",
    ),
    mutation("exact/reduce_pairs.wgsl", "at + ROW_GROUP_ITEMS <= end {", "at <= end {"),
    mutation(
        "exact/reduce_pairs.wgsl",
        "right_load4_whole(right + 3u",
        "right_load4_whole(right + 2u",
    ),
    mutation(
        "exact/reduce_pairs.wgsl",
        "left_words[index + 2u * LANES]",
        "left_words[index + LANES]",
    ),
    mutation("exact/reduce_pairs.wgsl", "pairs_window_flush(lane_index, window);", ""),
    mutation("exact/reduce_pairs.wgsl", "end + params.right_base", "end + params.base"),
    mutation(
        "exact/reduce_pairs.wgsl",
        "left_words[min(index, end - 1u)], index < end",
        "left_words[index], true",
    ),
    mutation(
        "exact/reduce_pairs.wgsl",
        "right_load4(right + 3u * ROW_ITEMS",
        "right_load4(right + 2u * ROW_ITEMS",
    ),
    mutation("exact/reduce_pairs.wgsl", "max(params.begin, block_begin)", "block_begin"),
    mutation("exact/window_pairs.wgsl", "load < 4u", "load < 3u"),
];

pub fn cases() -> Vec<Case> {
    // The self-test is of both variants.
    let only = |case: Case| case.only(Variant::WorkgroupMemory);
    let mut cases = vec![
        only(Case::new("self-test, a mutation for every shader file", |_, _| {
            assert_every_file_has_one();
        })),
        only(Case::long("self-test, reads of a copy that are reads of its source", |gpu, _| {
            every_one_fails(gpu, DXC_MUTATIONS);
        })),
    ];
    // A case for each file: a sweep takes long, and one may want a part of it.
    for (file, mutations) in by_file(MUTATIONS) {
        let name = format!("self-test, every mutated {file}");
        cases.push(only(Case::long(name, move |gpu, _| every_one_fails(gpu, &mutations))));
    }
    let sweeps = by_file(FLOAT_MUTATIONS).into_iter().chain(by_file(EXACT_MUTATIONS));
    for (file, mutations) in sweeps {
        let name = format!("self-test, every mutated {file} of floats and exact results");
        cases.push(only(Case::sweep(name, move |gpu, _| every_one_fails(gpu, &mutations))));
    }
    cases
}

/// Every shader file has a mutation, or a reason not to have one.
fn assert_every_file_has_one() {
    let all = [DXC_MUTATIONS, MUTATIONS, FLOAT_MUTATIONS, EXACT_MUTATIONS].concat();
    for file in Sources::file_names() {
        let is_mutated = all.iter().any(|mutation| mutation.file == file);
        let is_left_out =
            WITHOUT.iter().any(|&(without, reason)| without == file && !reason.is_empty());
        assert!(is_mutated != is_left_out, "{file}: mutated {is_mutated}, left out {is_left_out}");
    }
}

fn by_file(mutations: &[Mutation]) -> BTreeMap<&'static str, Vec<Mutation>> {
    let mut by_file = BTreeMap::<_, Vec<_>>::new();
    for &mutation in mutations {
        by_file.entry(mutation.file).or_default().push(mutation);
    }
    by_file
}

fn every_one_fails(gpu: &Gpu, mutations: &[Mutation]) {
    let has_subgroups = gpu.capabilities().subgroups.is_some();
    let reached = |mutation: &&Mutation| match mutation.file {
        "operator/sum_f32_atomic.wgsl" => gpu.capabilities().float_atomics,
        "single_pass.wgsl" | "total_single.wgsl" => gpu.capabilities().coherent_memory,
        _ => mutation.variant != Some(Variant::Subgroup) || has_subgroups,
    };
    let survivors: Vec<String> = mutations
        .iter()
        .filter(reached)
        .filter_map(|mutation| {
            let Mutation { file, from, to, .. } = mutation;
            let start = std::time::Instant::now();
            let noticed = notice(gpu, mutation);
            let seconds = start.elapsed().as_secs_f64();
            log::info!("{file}: \"{from}\" → \"{to}\": {noticed:?}, {seconds:.1} s");
            noticed.err().map(|problem| format!("{file}: \"{from}\" → \"{to}\": {problem}"))
        })
        .collect();
    assert!(survivors.is_empty(), "{}", survivors.join("\n"));
}

/// On which device a mutation is noticed, or why it proves nothing.
fn notice(gpu: &Gpu, mutation: &Mutation) -> Result<&'static str, String> {
    let Mutation { file, from, to, .. } = mutation;
    let sources = Sources::default().replace(file, from, to);
    let sources = sources.ok_or_else(|| "there is no such text".to_owned())?;
    // The device as it is; with additions that do all that WGSL lets them; and as it might be.
    type Device = fn(&Gpu, Sources) -> Gpu;
    let devices: [(&str, Device); 5] = [
        ("on the device as it is", |gpu, sources| gpu.with_shaders(sources).expect("a context")),
        ("on a device that takes every liberty", floats::taking_liberties),
        ("in software", floats::in_software_with),
        ("with one copy of exact accumulators", exact::with_one_copy),
        ("with sums of products that move often", products::with_few_groups),
    ];
    let mut asked = 0;
    for (name, device) in devices {
        let is_for_exact_results = name.starts_with("with ");
        if is_for_exact_results && !file.starts_with("exact/") {
            continue;
        }
        let report = self_test(&device(gpu, sources.clone()), file);
        asked += report.results;
        // A mutation that does not compile proves nothing.
        if let Some(problem) = report.wrong.iter().find_map(|wrong| wrong.found.as_ref().err()) {
            return Err(format!("it does not compile: {problem}"));
        }
        if !report.wrong.is_empty() {
            return Ok(name);
        }
    }
    if asked == 0 {
        return Err("no device has it".to_owned());
    }
    // What no self-test has: so many elements.
    let of_the_len = ["exact/value_mean.wgsl", "exact/value_variance.wgsl", "exact/divide.wgsl"];
    if of_the_len.contains(file) || file.starts_with("exact/variance_") {
        let told_of_more = exact::told_of_more(gpu, &sources);
        let check = AssertUnwindSafe(|| exact::many_elements(&told_of_more, Variant::Auto));
        if crate::quietly(|| catch_unwind(check)).is_err() {
            return Ok("with more than 2^32 elements");
        }
    }
    Err("not noticed".to_owned())
}

fn self_test(gpu: &Gpu, file: &str) -> SelfTestReport {
    SelfTest::new(&gpu.context).only_files(&[file]).stops_at_first_wrong().run_blocking()
}
