//! Shaders broken on purpose: the library's self-test must see it.
//!
//! Each mutation changes one place of one file, or a few places that belong together. The self-test, which passes with the real
//! shaders, must find wrong results with each mutated one: on the device as it is, or, where the mutation matters only to devices
//! that add floats in another way, that have other parameters, or that have more elements, on one of these, which tests make of it.

use crate::{Case, device::Gpu, exact, floats, products};
use gridfold::{DeviceClass, SelfTest, SelfTestReport, Variant, shader::Sources};
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
        "reduce/ordered_block.wgsl",
        "let rows = Rows(\n            items_copy(next.row0),\n            items_copy(next.row1),\n            items_copy(next.row2),\n            items_copy(next.row3),\n        );\n        if round + 1u < rounds.whole_end {\n            next = round_load(job, block_begin + (round + 1u) * ROUND_ITEMS, workgroup, invocation);\n        }\n",
        "if round + 1u < rounds.whole_end {\n            next = round_load(job, block_begin + (round + 1u) * ROUND_ITEMS, workgroup, invocation);\n        }\n        let rows = Rows(\n            items_copy(next.row0),\n            items_copy(next.row1),\n            items_copy(next.row2),\n            items_copy(next.row3),\n        );\n",
    ),
    mutation(
        "reduce/free_block.wgsl",
        "let rows = Rows(\n            items_copy(next.row0),\n            items_copy(next.row1),\n            items_copy(next.row2),\n            items_copy(next.row3),\n        );\n        if round + 1u < rounds.whole_end {\n            next = round_load(job, block_begin + (round + 1u) * ROUND_ITEMS, workgroup, invocation);\n        }\n",
        "if round + 1u < rounds.whole_end {\n            next = round_load(job, block_begin + (round + 1u) * ROUND_ITEMS, workgroup, invocation);\n        }\n        let rows = Rows(\n            items_copy(next.row0),\n            items_copy(next.row1),\n            items_copy(next.row2),\n            items_copy(next.row3),\n        );\n",
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
    mutation("collective/acc.wgsl", "if takes_b {", "if !takes_b {"),
    mutation(
        "collective/acc.wgsl",
        "op_combine(op_combine(accs.x, accs.y), op_combine(accs.z, accs.w))",
        "op_combine(op_combine(op_combine(accs.x, accs.y), accs.z), accs.w)",
    ),
    mutation(
        "collective/acc.wgsl",
        "op_combine(op_combine(accs.x, accs.y), op_combine(accs.z, accs.w))",
        "op_combine(op_combine(accs.x, accs.z), op_combine(accs.y, accs.w))",
    ),
    mutation(
        "collective/acc.wgsl",
        "op_combine(op_combine(accs.x, accs.y), op_combine(accs.z, accs.w))",
        "op_combine(op_combine(accs.x, accs.y), op_combine(accs.z, accs.z))",
    ),
    only(Variant::Subgroup, "collective/acc_shuffle.wgsl", "i < ACC_WORDS", "i < 1u"),
    only(
        Variant::Subgroup,
        "collective/acc_shuffle.wgsl",
        "subgroupShuffleXor(words[i], mask)",
        "subgroupShuffleXor(words[0], mask)",
    ),
    mutation(
        "collective/nodes.wgsl",
        "op_combine(nodes[first + 2u], nodes[first + 3u])",
        "op_combine(nodes[first + 1u], nodes[first + 3u])",
    ),
    mutation(
        "collective/nodes.wgsl",
        "op_combine(nodes[first], nodes[first + 1u]),\n        op_combine(nodes[first + 2u], nodes[first + 3u]),",
        "op_combine(nodes[first], nodes[first + 2u]),\n        op_combine(nodes[first + 1u], nodes[first + 3u]),",
    ),
    mutation("collective/nodes.wgsl", "count <= WORKGROUP_SIZE", "count < WORKGROUP_SIZE"),
    mutation("collective/nodes.wgsl", "count == 2u * WORKGROUP_SIZE", "false"),
    mutation(
        "collective/nodes.wgsl",
        "op_combine(nodes[2u * lane_index], nodes[2u * lane_index + 1u])",
        "op_combine(nodes[lane_index], nodes[lane_index + WORKGROUP_SIZE])",
    ),
    mutation(
        "collective/nodes.wgsl",
        "nodes_reduce4(4u * lane_index)",
        "nodes_reduce4(lane_index)",
    ),
    only(
        Variant::Subgroup,
        "collective/subgroup_reduce_builtin.wgsl",
        "subgroup_invocation_id < width",
        "true",
    ),
    only(
        Variant::Subgroup,
        "collective/subgroup_reduce_shuffle.wgsl",
        "mask < width",
        "2u * mask < width",
    ),
    only(
        Variant::Subgroup,
        "collective/subgroup_reduce_shuffle.wgsl",
        "var mask = 1u; mask < width; mask <<= 1u",
        "var mask = width >> 1u; mask > 0u; mask >>= 1u",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_reduce_memory.wgsl",
        "acc4_reduce(values)",
        "values.x",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_reduce_memory.wgsl",
        "count > 1u; count >>= 2u",
        "count > 4u; count >>= 2u",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_reduce_memory.wgsl",
        "nodes_reduce4(read_at + 4u * invocation.local_invocation_index)",
        "nodes_reduce4(read_at + invocation.local_invocation_index)",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_reduce_memory.wgsl",
        "        workgroupBarrier();\n        let write_at",
        "        let write_at",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_reduce_memory.wgsl",
        "    workgroupBarrier();\n    return",
        "    return",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_reduce_memory.wgsl",
        "        read_at = write_at;\n",
        "",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_reduce_memory.wgsl",
        "var read_at = MAX_NODES;",
        "var read_at = 0u;",
    ),
    only(
        Variant::Subgroup,
        "collective/team_reduce_subgroup.wgsl",
        "(lane & 1u) != 0u",
        "(lane & 2u) != 0u",
    ),
    only(
        Variant::Subgroup,
        "collective/team_reduce_subgroup.wgsl",
        "(lane & 2u) != 0u, 2u",
        "(lane & 1u) != 0u, 2u",
    ),
    only(
        Variant::Subgroup,
        "collective/team_reduce_subgroup.wgsl",
        "let even = halve(values.x, values.z, takes_upper, 1u);\n    let odd = halve(values.y, values.w, takes_upper, 1u);",
        "let even = halve(values.x, values.y, takes_upper, 1u);\n    let odd = halve(values.z, values.w, takes_upper, 1u);",
    ),
    only(
        Variant::Subgroup,
        "collective/team_reduce_subgroup.wgsl",
        "values.w, takes_upper, 1u",
        "values.z, takes_upper, 1u",
    ),
    only(
        Variant::Subgroup,
        "collective/team_reduce_subgroup.wgsl",
        "mask < size",
        "2u * mask < size",
    ),
    only(
        Variant::Subgroup,
        "collective/team_reduce_subgroup.wgsl",
        "var mask = 4u",
        "var mask = 8u",
    ),
    only(
        Variant::Subgroup,
        "collective/team_reduce_subgroup.wgsl",
        "total = op_combine(total, acc_shuffle_xor(total, 2u));\n    return op_combine(total, acc_shuffle_xor(total, 1u));",
        "total = op_combine(total, acc_shuffle_xor(total, 1u));\n    return op_combine(total, acc_shuffle_xor(total, 2u));",
    ),
    only(
        Variant::Subgroup,
        "collective/team_reduce_subgroup.wgsl",
        "acc_select(upper, lower, takes_upper)",
        "acc_select(lower, upper, takes_upper)",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/workgroup_memory.wgsl",
        "return 4u * team_lane + i;",
        "return i * team_size + team_lane;",
    ),
    only(Variant::WorkgroupMemory, "collective/workgroup_memory.wgsl", "left > 1u;", "left > 2u;"),
    only(
        Variant::WorkgroupMemory,
        "collective/workgroup_memory.wgsl",
        "nodes[2u * lane_index], nodes[2u * lane_index + 1u]",
        "nodes[lane_index], nodes[lane_index + left / 2u]",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/workgroup_memory.wgsl",
        "if lane_index < left {",
        "if lane_index < left / 2u {",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/workgroup_memory.wgsl",
        "        workgroupBarrier();\n        if lane_index < left / 2u",
        "        if lane_index < left / 2u",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/workgroup_memory.wgsl",
        "        nodes[0] = total;\n",
        "",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/workgroup_memory.wgsl",
        "nodes_reduce(WORKGROUP_SIZE, ",
        "nodes_reduce(WORKGROUP_SIZE / 2u, ",
    ),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "return i * team_size + team_lane;",
        "return 4u * team_lane + i;",
    ),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "left > 1u; left >>=",
        "left > 128u; left >>=",
    ),
    only(Variant::Subgroup, "collective/workgroup_subgroup.wgsl", "min(size, left)", "size"),
    only(Variant::Subgroup, "collective/workgroup_subgroup.wgsl", "if left > size {", "if false {"),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "subgroup_id < (left >> log2_size)",
        "subgroup_id == 0u",
    ),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "nodes[lane_index & ((left >> log2_size) - 1u)]",
        "nodes[0]",
    ),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "            workgroupBarrier();\n            total = nodes",
        "            total = nodes",
    ),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "subgroup_reduce_all(value, size, subgroup_invocation_id)",
        "subgroup_reduce_all(value, size / 2u, subgroup_invocation_id)",
    ),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "nodes[subgroup_id_of(invocation)] = total",
        "nodes[0] = total",
    ),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "    }\n    workgroupBarrier();\n    return nodes_reduce(",
        "    }\n    return nodes_reduce(",
    ),
    only(
        Variant::Subgroup,
        "collective/workgroup_subgroup.wgsl",
        "WORKGROUP_SIZE >> firstLeadingBit(size)",
        "1u",
    ),
    mutation("memory/input.wgsl", "vec4<u32>(low.y, low.z, low.w, high.x)", "low"),
    mutation("memory/input.wgsl", "vec4<u32>(low.z, low.w, high.x, high.y)", "high"),
    mutation("memory/input.wgsl", "vec4<u32>(low.w, high.x, high.y, high.z)", "low"),
    mutation("memory/result.wgsl", "result[index + i]", "result[i]"),
    mutation("memory/result.wgsl", "i < OUT_WORDS", "i < 1u"),
    mutation("reduce/ordered_end.wgsl", "vec2<u32>(job.len_low,", "vec2<u32>(job.end,"),
    mutation("memory/scratch.wgsl", "index * ACC_WORDS + i", "index + i"),
    mutation(
        "memory/scratch.wgsl",
        "var words: array<u32, ACC_WORDS>;\n    for (var i = 0u; i < ACC_WORDS",
        "var words: array<u32, ACC_WORDS>;\n    for (var i = 0u; i < 1u",
    ),
    mutation("reduce/and_fold.wgsl", "before + 1u == job.blocks", "job.block + 1u == job.blocks"),
    mutation("reduce/and_fold.wgsl", "        atomicStore(&scratch.delivered, 0u);\n", ""),
    mutation("reduce/and_fold.wgsl", "job.partials + job.block", "job.partials"),
    mutation("reduce/and_fold.wgsl", "if job.block + 1u == job.blocks {", "if false {"),
    mutation(
        "reduce/and_fold.wgsl",
        "launch_end(job, total, false,",
        "launch_end(job, total, true,",
    ),
    mutation("reduce/finish.wgsl", "        accumulator[i] = identity[i];\n", ""),
    mutation("reduce/finish.wgsl", "i < ACC_WORDS", "i < 1u"),
    mutation("reduce/fold.wgsl", "op_identity(), false", "op_identity(), true"),
    mutation("reduce/fold.wgsl", "    runs_clear(job, lane_index);\n", ""),
    mutation(
        "reduce/free_block.wgsl",
        "acc4_combine(accs, acc4_combine(even, odd))",
        "acc4_combine(even, odd)",
    ),
    mutation("reduce/free_block.wgsl", "items_lift(rows.row2))", "items_lift(rows.row0))"),
    mutation("reduce/free_block.wgsl", "if round + 1u < rounds.whole_end {", "if false {"),
    mutation("reduce/free_block.wgsl", "(round + 1u) * ROUND_ITEMS", "round * ROUND_ITEMS"),
    mutation("reduce/free_block.wgsl", "i < edges", "i + 1u < edges"),
    mutation(
        "reduce/free_block.wgsl",
        "row_at < end; row_at += ROW_ITEMS",
        "row_at < end; row_at += 2u * ROW_ITEMS",
    ),
    mutation("reduce/free_block.wgsl", "row_at + 4u * lane_index", "row_at + lane_index"),
    mutation("reduce/free_block.wgsl", "edge_round(rounds, i)", "edge_round(rounds, 0u)"),
    mutation("reduce/free_block.wgsl", "op_combine(a.w, b.w)", "op_combine(a.w, b.z)"),
    mutation(
        "reduce/free_block.wgsl",
        "block_begin + rounds.whole_begin * ROUND_ITEMS",
        "block_begin",
    ),
    mutation("reduce/free_end.wgsl", "i < job.blocks", "i + 1u < job.blocks"),
    mutation("reduce/free_end.wgsl", "i += WORKGROUP_SIZE", "i += 2u * WORKGROUP_SIZE"),
    mutation("reduce/free_end.wgsl", "if !is_only_block {", "if true {"),
    mutation("reduce/free_end.wgsl", "(job.flags & FLAG_RESUMES) != 0u", "false"),
    mutation("reduce/free_end.wgsl", "(job.flags & FLAG_ENDS) != 0u", "true"),
    mutation(
        "reduce/free_end.wgsl",
        "scratch_store(job.state_after, all)",
        "scratch_store(job.state_before, all)",
    ),
    mutation("reduce/job_launch.wgsl", "params.blocks - 1u - min(", "0u * min("),
    mutation("reduce/job_table.wgsl", "workgroup.workgroup_id.x]", "0]"),
    mutation("reduce/ordered.wgsl", "2048u >> (32u", "1024u >> (32u"),
    mutation(
        "reduce/ordered.wgsl",
        "    workgroupBarrier();\n    return false;",
        "    return false;",
    ),
    mutation("reduce/ordered_block.wgsl", "if round + 1u < rounds.whole_end {", "if false {"),
    mutation("reduce/ordered_block.wgsl", "(round + 1u) * ROUND_ITEMS", "round * ROUND_ITEMS"),
    mutation(
        "reduce/ordered_block.wgsl",
        "block_begin + rounds.whole_begin * ROUND_ITEMS",
        "block_begin",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "node_store(round * teams + team_id,",
        "node_store(team_id,",
    ),
    only(
        Variant::Subgroup,
        "reduce/ordered_block.wgsl",
        "node_store(round * teams + team_id,",
        "node_store(round * teams,",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "acc4_reduce(items_lift(rows.row1)),\n            acc4_reduce(items_lift(rows.row2)),",
        "acc4_reduce(items_lift(rows.row2)),\n            acc4_reduce(items_lift(rows.row1)),",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "acc4_reduce(items_lift(rows.row3))",
        "acc4_reduce(items_lift(rows.row2))",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "let is_short = is_tree && job.end",
        "let is_short = job.end",
    ),
    mutation("reduce/ordered_block.wgsl", "edge_count(rounds) == 0u && (is_tree", "(is_tree"),
    mutation(
        "reduce/ordered_block.wgsl",
        "(is_tree || rounds.end - rounds.begin == rounds_of_block)",
        "true",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "nodes_reduce(rounds.end * teams",
        "nodes_reduce(rounds_of_block * teams",
    ),
    only(
        Variant::Subgroup,
        "reduce/ordered_block.wgsl",
        "firstLeadingBit(teams), lane_index)",
        "0u, lane_index)",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "first + 4u * tile_index(1u,",
        "first + 4u * tile_index(0u,",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "acc4_reduce(items_lift(rows.row1)), at1 < job.end)",
        "acc4_reduce(items_lift(rows.row2)), at1 < job.end)",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "items_lift(rows.row3)), at3 < job.end)",
        "items_lift(rows.row3)), true)",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "node_store(team_id_of(workgroup, invocation), totals",
        "node_store(1u, totals",
    ),
    mutation(
        "reduce/careful_block.wgsl",
        "ROUND_STEPS * edge_count(rounds) + 1u",
        "ROUND_STEPS * max(edge_count(rounds), 1u) - ROUND_STEPS + 1u",
    ),
    mutation(
        "reduce/careful_block.wgsl",
        "edge_round(rounds, (max(step, 1u) - 1u) / ROUND_STEPS)",
        "rounds.begin + (max(step, 1u) - 1u) / ROUND_STEPS",
    ),
    mutation("reduce/careful_block.wgsl", "row_at + ROW_ITEMS <= job.begin", "row_at <= job.begin"),
    mutation(
        "reduce/careful_block.wgsl",
        "job.end <= row_at ||",
        "job.end <= row_at + ROW_ITEMS ||",
    ),
    mutation("reduce/careful_block.wgsl", "let row_at = at + row * ROW_ITEMS;", "let row_at = at;"),
    mutation("reduce/careful_block.wgsl", "var levels = 8u;", "var levels = 7u;"),
    mutation("reduce/careful_block.wgsl", "var level = 2u;", "var level = 3u;"),
    mutation(
        "reduce/careful_block.wgsl",
        "span_up(span_from(job, row_at, ROW_ITEMS), level)",
        "span_up(span_from(job, row_at, ROW_ITEMS), 3u)",
    ),
    only(Variant::Subgroup, "reduce/careful_block.wgsl", "levels = log2_teams;", "levels = 0u;"),
    only(Variant::Subgroup, "reduce/careful_block.wgsl", "rounds.whole_end << log2_teams", "0u"),
    only(
        Variant::Subgroup,
        "reduce/careful_block.wgsl",
        "log2_stride = log2_teams;",
        "log2_stride = 0u;",
    ),
    mutation("reduce/careful_block.wgsl", "levels = log2_rounds;", "levels = 0u;"),
    mutation("reduce/careful_block.wgsl", "level = LOG2_ROUND_ITEMS;", "level = 0u;"),
    mutation(
        "reduce/careful_block.wgsl",
        "span_up(span_from(job, block_begin, 1u << job.log2_block_items), level)",
        "Span(0u, 1u << log2_rounds)",
    ),
    mutation("reduce/careful_block.wgsl", "levels = 2u;", "levels = 1u;"),
    mutation("reduce/careful_block.wgsl", "level = 10u;", "level = 9u;"),
    mutation(
        "reduce/careful_block.wgsl",
        "span_up(span_from(job, at, ROUND_ITEMS), level)",
        "Span(0u, 4u)",
    ),
    mutation(
        "reduce/careful_block.wgsl",
        "nodes[first + lane_index] = quad_combine(job, row_at,",
        "nodes[first + lane_index] = quad_combine(job, at,",
    ),
    mutation(
        "reduce/careful_block.wgsl",
        "nodes[round << log2_teams] = nodes[first];",
        "nodes[round << log2_teams] = nodes[0];",
    ),
    mutation(
        "reduce/careful_block.wgsl",
        "nodes[MAX_NODES + WORKGROUP_SIZE + row] = nodes[first];",
        "nodes[MAX_NODES + WORKGROUP_SIZE] = nodes[first];",
    ),
    mutation(
        "reduce/careful_block.wgsl",
        "select(0u, span.begin - first, span.begin > first && span.begin - first < 4u)",
        "0u",
    ),
    mutation("reduce/careful_block.wgsl", "span.begin - first < 4u", "span.begin - first < 3u"),
    mutation(
        "reduce/careful_block.wgsl",
        "select(0u, span.end - first, span.end > first && span.end - first < 4u)",
        "0u",
    ),
    mutation("reduce/careful_block.wgsl", "span.end - first < 4u", "span.end - first < 3u"),
    mutation("reduce/careful_block.wgsl", "if begin == 1u {", "if false {"),
    mutation("reduce/careful_block.wgsl", "odd = runs_before[0];", "odd = runs_before[1];"),
    mutation("reduce/careful_block.wgsl", "if begin == 3u {", "if false {"),
    mutation("reduce/careful_block.wgsl", "if end == 1u {", "if false {"),
    mutation("reduce/careful_block.wgsl", "if end == 3u {", "if false {"),
    mutation("reduce/careful_block.wgsl", "runs_after[0] = odd;", "runs_after[0] = even;"),
    mutation("reduce/careful_block.wgsl", "if begin >= 2u {", "if begin == 2u {"),
    mutation("reduce/careful_block.wgsl", "if begin >= 2u {", "if begin == 3u {"),
    mutation("reduce/careful_block.wgsl", "if end >= 2u {", "if end == 2u {"),
    mutation("reduce/careful_block.wgsl", "if end >= 2u {", "if end == 3u {"),
    mutation("reduce/careful_block.wgsl", "right = items.w;", "right = items.z;"),
    mutation(
        "reduce/careful_block.wgsl",
        "acc_select(first_half, combined, i == 2u)",
        "acc_select(even, combined, i == 2u)",
    ),
    mutation("reduce/ordered_end.wgsl", "if !(is_tree && is_only_block) {", "if !is_only_block {"),
    mutation(
        "reduce/ordered_end.wgsl",
        "if is_only_block {\n            if lane_index",
        "if true {\n            if lane_index",
    ),
    mutation("reduce/ordered_end.wgsl", "if is_tree && (!is_unsafe", "if (!is_unsafe"),
    mutation("reduce/ordered_end.wgsl", "(!is_unsafe || job.blocks == 1u)", "!is_unsafe"),
    mutation("reduce/ordered_end.wgsl", "i < job.blocks;", "i + 1u < job.blocks;"),
    mutation("reduce/ordered_end.wgsl", "i += WORKGROUP_SIZE", "i += 2u * WORKGROUP_SIZE"),
    mutation(
        "reduce/ordered_end.wgsl",
        "scratch_load(job.partials + i)",
        "scratch_load(job.partials + job.first_node + i)",
    ),
    mutation(
        "reduce/ordered_end.wgsl",
        "nodes[job.first_node + i] = partial;",
        "nodes[i] = partial;",
    ),
    mutation(
        "reduce/ordered_end.wgsl",
        "lane_index < job.log2_block_items && ((job.end",
        "lane_index + 1u < job.log2_block_items && ((job.end",
    ),
    mutation(
        "reduce/ordered_end.wgsl",
        "        runs_after[lane_index] = scratch_load(job.state_after + lane_index);\n",
        "",
    ),
    mutation(
        "reduce/ordered_end.wgsl",
        "job.first_node + (job.end >> job.log2_block_items)",
        "(job.end >> job.log2_block_items)",
    ),
    mutation("reduce/ordered_end.wgsl", "Span(job.first_node, end)", "Span(0u, end)"),
    mutation(
        "reduce/ordered_end.wgsl",
        "job.log2_span, job.log2_block_items, span",
        "0u, job.log2_block_items, span",
    ),
    mutation(
        "reduce/ordered_end.wgsl",
        "job.log2_span, job.log2_block_items, span",
        "job.log2_span, LOG2_ROUND_ITEMS, span",
    ),
    mutation("reduce/ordered_end.wgsl", "(end >> job.log2_span) != 0u", "false"),
    mutation(
        "reduce/ordered_end.wgsl",
        "(job.flags & FLAG_ENDS) == 0u && lane_index < LEVELS",
        "(job.flags & FLAG_ENDS) == 0u && lane_index < 20u",
    ),
    mutation(
        "reduce/ordered_end.wgsl",
        "scratch_store(job.state_after + lane_index",
        "scratch_store(job.state_before + lane_index",
    ),
    mutation(
        "reduce/ordered_end.wgsl",
        "let level = job.log2_block_items + job.log2_span;",
        "let level = job.log2_block_items;",
    ),
    mutation(
        "reduce/ordered_end.wgsl",
        "select(select(0u, 1u, is_done), LEVELS - level, resumes)",
        "select(0u, 1u, is_done)",
    ),
    mutation("reduce/ordered_end.wgsl", "runs_after[at] = runs_before[at];", ""),
    mutation("reduce/ordered_end.wgsl", "((job.span >> i) & 1u) == 1u", "false"),
    mutation("reduce/ordered_end.wgsl", "if rises && !combines {", "if !combines {"),
    mutation(
        "reduce/ordered_end.wgsl",
        "            if rises && !combines {\n                runs_after[at] = total;",
        "            if rises && !combines {\n                runs_after[level] = total;",
    ),
    mutation("reduce/ordered_end.wgsl", "firstLeadingBit(bits_low)", "firstTrailingBit(bits_low)"),
    mutation("reduce/ordered_end.wgsl", "+ countOneBits(low)", "+ max(countOneBits(low), 1u) - 1u"),
    mutation("reduce/ordered_end.wgsl", "combines = !is_first;", "combines = true;"),
    mutation("reduce/ordered_end.wgsl", "                is_first = false;\n", ""),
    mutation(
        "reduce/ordered_end.wgsl",
        "acc_select(run, total, i >= up_steps)",
        "acc_select(total, run, i >= up_steps)",
    ),
    mutation("reduce/ordered_end.wgsl", "acc_select(total, op_identity(), is_first)", "total"),
    mutation("reduce/rounds.wgsl", "max(job.begin, block_begin) - block_begin", "0u"),
    mutation("reduce/rounds.wgsl", "min(job.end - block_begin, block_items)", "block_items"),
    mutation("reduce/rounds.wgsl", "min(max(job.vec_end, block_begin) - block_begin, end)", "end"),
    mutation("reduce/rounds.wgsl", "(end + ROUND_ITEMS - 1u) >>", "end >>"),
    mutation("reduce/rounds.wgsl", "(begin + ROUND_ITEMS - 1u) >>", "begin >>"),
    mutation(
        "reduce/rounds.wgsl",
        "max(vec_end >> LOG2_ROUND_ITEMS, whole_begin)",
        "vec_end >> LOG2_ROUND_ITEMS",
    ),
    mutation("reduce/rounds.wgsl", "(rounds.end - rounds.whole_end)", "0u"),
    mutation("reduce/rounds.wgsl", "round >= rounds.whole_begin)", "false)"),
    only(Variant::Subgroup, "reduce/rounds.wgsl", "16u * team_size * team;", "0u;"),
    mutation("reduce/rounds.wgsl", "tile_index(3u", "tile_index(2u"),
    mutation("reduce/load_elements.wgsl", "job.begin <= at && at < job.end", "at < job.end"),
    mutation("reduce/load_elements.wgsl", "job.begin <= at && at < job.end", "job.begin <= at"),
    mutation("reduce/load_elements.wgsl", "job.begin <= at && at + 4u", "at + 4u"),
    mutation("reduce/load_elements.wgsl", "min(job.end, job.vec_end)", "job.end"),
    mutation("reduce/load_elements.wgsl", "item_load(job, at + 3u)", "item_load(job, at + 2u)"),
    mutation("reduce/load_elements.wgsl", "elem_load(at + job.base)", "elem_load(at)"),
    mutation("reduce/load_squares.wgsl", "quad_load(at + job.base)", "quad_load(at)"),
    mutation("reduce/load_squares.wgsl", "elem_load(at + job.base)", "elem_load(at)"),
    mutation("reduce/load_squares.wgsl", "product(items.w, items.w)", "product(items.w, items.z)"),
    mutation(
        "reduce/load_pairs.wgsl",
        "let right = at + job.right_base;",
        "let right = at + job.base;",
    ),
    mutation(
        "reduce/load_pairs.wgsl",
        "let left = at + job.base;",
        "let left = at + job.right_base;",
    ),
    mutation("reduce/load_pairs.wgsl", "right_words[at + job.right_base]", "right_words[at]"),
    mutation("reduce/load_pairs.wgsl", "left_words[at + job.base]", "left_words[at]"),
    mutation("reduce/load_pairs.wgsl", "right_words[right + 3u]", "right_words[right + 2u]"),
    mutation("reduce/load_pairs.wgsl", "left_words[left + 1u]", "left_words[left]"),
    mutation(
        "reduce/load_pairs.wgsl",
        "product(items.left.z, items.right.z)",
        "product(items.left.z, items.right.y)",
    ),
    mutation(
        "reduce/load_pairs.wgsl",
        "Items(items.left, items.right)",
        "Items(items.left, items.left)",
    ),
    mutation("reduce/load_factors.wgsl", "min(job.end, job.vec_end)", "job.end"),
    mutation("reduce/load_factors.wgsl", "&& at + i < job.end", ""),
    mutation("reduce/load_factors.wgsl", "right[i] = factors.y;", "right[i] = factors.x;"),
    mutation("reduce/load_factors.wgsl", "i < 4u + nothing", "i < 3u + nothing"),
    mutation("reduce/load_factors.wgsl", "left[i & 3u], right", "left[0], right"),
    mutation("reduce/runs.wgsl", "(job.flags & FLAG_RESUMES) != 0u &&", "false &&"),
    mutation("reduce/runs.wgsl", "lane_index < LEVELS", "lane_index < 20u"),
    mutation(
        "reduce/runs.wgsl",
        "scratch_load(job.state_before + lane_index)",
        "scratch_load(job.state_before)",
    ),
    mutation("reduce/runs.wgsl", "min(max(job.begin, at) - at, count)", "0u"),
    mutation("reduce/runs.wgsl", "min(max(job.end, at) - at, count)", "count"),
    mutation("reduce/runs.wgsl", "span.end >> level)", "(span.end + (1u << level) - 1u) >> level)"),
    mutation("reduce/runs.wgsl", "((place >> up) - 1u) << up", "(place >> up) << up"),
    mutation(
        "reduce/runs.wgsl",
        "    workgroupBarrier();\n    if lane_index < levels && ((span.begin",
        "    if lane_index < levels && ((span.begin",
    ),
    mutation("reduce/runs.wgsl", "((span.begin >> lane_index) & 1u) == 1u", "false"),
    mutation("reduce/runs.wgsl", "runs_before[level + lane_index]", "runs_before[lane_index]"),
    only(
        Variant::Subgroup,
        "reduce/runs.wgsl",
        "(run_before(span.begin, lane_index) << log2_stride)",
        "run_before(span.begin, lane_index)",
    ),
    mutation(
        "reduce/runs.wgsl",
        "firstLeadingBit(max(span.end, 1u))",
        "firstLeadingBit(max(span.end, 2u) - 1u)",
    ),
    mutation(
        "reduce/runs.wgsl",
        "        workgroupBarrier();\n        let pairs",
        "        let pairs",
    ),
    mutation("reduce/runs.wgsl", "span.end >> (up + 1u);", "(span.end + 1u) >> (up + 1u);"),
    mutation("reduce/runs.wgsl", "i += WORKGROUP_SIZE", "i += 2u * WORKGROUP_SIZE"),
    mutation("reduce/runs.wgsl", "if span.begin < end {", "if true {"),
    only(
        Variant::Subgroup,
        "reduce/runs.wgsl",
        "(i << (up + 1u + log2_stride))",
        "(i << (up + 1u))",
    ),
    only(Variant::Subgroup, "reduce/runs.wgsl", "(1u << (up + log2_stride))", "(1u << up)"),
    mutation("reduce/runs.wgsl", "((span.end >> lane_index) & 1u) == 1u", "false"),
    mutation("reduce/runs.wgsl", "runs_after[level + lane_index] =", "runs_after[lane_index] ="),
    only(
        Variant::Subgroup,
        "reduce/runs.wgsl",
        "(run_before(span.end, lane_index) << log2_stride)",
        "run_before(span.end, lane_index)",
    ),
    mutation(
        "reduce/runs.wgsl",
        "lane_index < job.log2_block_items &&",
        "lane_index + 1u < job.log2_block_items &&",
    ),
    mutation(
        "reduce/runs.wgsl",
        "scratch_store(job.state_after + lane_index, runs_after[lane_index]);",
        "",
    ),
    only(
        Variant::Subgroup,
        "reduce/to_accumulator_subgroups.wgsl",
        "subgroup_invocation_id == 0u",
        "lane_index_of(workgroup, invocation) == 0u",
    ),
    only(
        Variant::Subgroup,
        "reduce/to_accumulator_subgroups.wgsl",
        "subgroup_reduce_all(value, size,",
        "subgroup_reduce_all(value, size / 2u,",
    ),
    mutation("reduce/to_accumulator_workgroups.wgsl", "        accumulate(total);\n", ""),
    mutation("reduce/to_partials.wgsl", "job.partials + job.block", "job.partials"),
    mutation(
        "reduce/to_partials.wgsl",
        "if job.block + 1u == job.blocks {",
        "if job.block == 0u {",
    ),
    mutation("reduce/to_result.wgsl", "true, workgroup", "false, workgroup"),
    // Of operators.
    mutation("operator/min_f32.wgsl", "const NAN_KEY = 0u;", "const NAN_KEY = 0xffffffffu;"),
    mutation("operator/f32_key.wgsl", "bits ^ (negative | F32_SIGN_BIT)", "bits ^ F32_SIGN_BIT"),
    mutation("operator/product_f32.wgsl", "rest == half && (kept & 1u) == 1u", "rest == half"),
    mutation("operator/product_f32.wgsl", "rest > half ||", ""),
    mutation("operator/product_f32.wgsl", "product - (halved << 23u)", "product"),
    mutation("operator/product_f32.wgsl", "a.exponent_high + b.exponent_high + carry", "0u"),
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
    only(Variant::Subgroup, "operator/min_subgroup.wgsl", "subgroupMin", "subgroupMax"),
    // One of each file that has none above.
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
    mutation("element/two_words.wgsl", "a.y == b.y && a.x < b.x", "a.x < b.x"),
    mutation("element/i64.wgsl", "a ^ ELEM_SIGN, b ^ ELEM_SIGN", "a, b"),
    mutation("element/i64.wgsl", "~value.y", "value.y"),
    mutation("element/u64.wgsl", "two_words_less(a, b)", "two_words_less(b, a)"),
    mutation("element/load_word.wgsl", "elem_from_word(words.w)", "elem_from_word(words.z)"),
    mutation("element/load_two_words.wgsl", "SHIFT & 1u", "0u"),
    mutation("element/load_two_words.wgsl", "high.xy, high.zw", "high.zw, high.zw"),
    mutation("operator/acc_two_words.wgsl", "Acc(words[0], words[1])", "Acc(words[1], words[0])"),
    mutation("operator/lift_element.wgsl", "return value;", "return value.yx;"),
    mutation("operator/product_two_words.wgsl", "a.x * b.y + a.y * b.x", "a.x * b.y"),
    mutation("operator/product_two_words.wgsl", "+ (second >> 16u)", ""),
    mutation("operator/min_two_words.wgsl", "ELEM_MAX", "ELEM_MIN"),
    mutation("operator/max_two_words.wgsl", "ELEM_MIN", "ELEM_MAX"),
    mutation("operator/max_abs_two_words.wgsl", "elem_magnitude(value)", "value"),
    mutation("operator/sum_two_words.wgsl", "low < a.x", "low <= a.x"),
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
    mutation("operator/bit_and.wgsl", "a & b", "a | b"),
    mutation("operator/bit_or.wgsl", "a | b", "a ^ b"),
    mutation("operator/bit_xor.wgsl", "a ^ b", "a | b"),
    mutation("operator/lift_f32.wgsl", "return bits;", "return bits & ~F32_SIGN_BIT;"),
    mutation("operator/sum_f32_identity.wgsl", "return 0u;", "return 0x3f800000u;"),
    mutation("operator/products_f32.wgsl", "* bitcast<f32>(b)", "* (1.0 + bitcast<f32>(b))"),
    mutation("operator/f32_multiply.wgsl", "* bitcast<f32>(b)", "* (1.0 + bitcast<f32>(b))"),
    mutation("operator/sum_f32_unchecked.wgsl", "+ bitcast<f32>(b)", "- bitcast<f32>(b)"),
    mutation("operator/sum_f32_software.wgsl", "f32_add(a, b)", "f32_add(a, a)"),
    only(Variant::Subgroup, "operator/sum_subgroup.wgsl", "subgroupAdd", "subgroupMax"),
    only(Variant::Subgroup, "operator/product_subgroup.wgsl", "subgroupMul", "subgroupAdd"),
    only(Variant::Subgroup, "operator/max_subgroup.wgsl", "subgroupMax", "subgroupMin"),
    only(Variant::Subgroup, "operator/bit_and_subgroup.wgsl", "subgroupAnd", "subgroupOr"),
    only(Variant::Subgroup, "operator/bit_or_subgroup.wgsl", "subgroupOr", "subgroupXor"),
    only(Variant::Subgroup, "operator/bit_xor_subgroup.wgsl", "subgroupXor", "subgroupOr"),
];

/// Files without a mutation, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("memory/accumulator.wgsl", "a declaration"),
    ("memory/no_scratch.wgsl", "it is for kernels that do not call it"),
    ("reduce/no_unsafe_tiles.wgsl", "functions that do nothing"),
    ("reduce/free.wgsl", "a size, and functions that do nothing"),
    ("memory/scratch_memory.wgsl", "a declaration"),
    (
        "memory/scratch_memory_coherent.wgsl",
        "a declaration: without its attribute a device is wrong by chance",
    ),
    ("exact/accumulator_copies.wgsl", "constants, which the host has, too"),
    ("exact/specials.wgsl", "constants, which every file takes from there"),
    ("exact/two_complement.wgsl", "mutated where it is called"),
    ("exact/units_squares.wgsl", "constants, of which other files' mutations show what they do"),
    ("exact/variance_population.wgsl", "of the length, as exact/variance_sample.wgsl is"),
    ("operator/acc_word.wgsl", "it changes nothing"),
    ("operator/sum_f32_finish.wgsl", "what it mends no device here does"),
    ("memory/input_pairs.wgsl", "declarations"),
    (
        "operator/any_range.wgsl",
        "all is in range: operator/range_f32.wgsl has mutations of what it stands for",
    ),
    ("reduce/entry_memory.wgsl", "a call"),
    ("reduce/entry_subgroup.wgsl", "a call"),
    ("collective/workgroup_builtins.wgsl", "as the device has them"),
    (
        "collective/subgroup_builtins.wgsl",
        "as the device has them: the emulation of subgroups takes its place",
    ),
    ("params.wgsl", "a declaration, and the fence: tests/gpu/fences.rs is of it"),
    ("probe/lanes.wgsl", "a probe"),
    ("probe/floats.wgsl", "a probe"),
];

/// Of the arithmetic of floats.
const FLOAT_MUTATIONS: &[Mutation] = &[
    // Which rounds and partials are for op_combine_any.
    mutation(
        "reduce/ordered.wgsl",
        "return workgroupUniformLoad(&has_unsafe) != 0u;",
        "workgroupBarrier(); return false;",
    ),
    mutation("reduce/unsafe_tiles.wgsl", "    atomicStore(&has_unsafe, 1u);\n", ""),
    mutation("reduce/unsafe_tiles.wgsl", "1u << (tile & 31u));\n    }", "1u);\n    }"),
    mutation(
        "reduce/unsafe_tiles.wgsl",
        "atomicOr(&unsafe_bits[first + (tile >> 5u)]",
        "atomicOr(&unsafe_bits[first]",
    ),
    mutation(
        "reduce/unsafe_tiles.wgsl",
        "select(0u, UNSAFE_WORDS, range_is_lost(range))",
        "UNSAFE_WORDS",
    ),
    mutation("reduce/unsafe_tiles.wgsl", "            nodes[tile] = op_lost();\n", ""),
    mutation("reduce/unsafe_tiles.wgsl", "place < MAX_LISTED_TILES", "place < 1u"),
    mutation("reduce/unsafe_tiles.wgsl", "count <= MAX_LISTED_TILES", "true"),
    mutation("reduce/unsafe_tiles.wgsl", "turns = (tiles + ", "turns = (tiles - tiles + "),
    mutation("reduce/unsafe_tiles.wgsl", "mine == wanted", "mine != wanted"),
    mutation(
        "reduce/unsafe_tiles.wgsl",
        "left = acc4_select(first_half, combined, i == 2u)",
        "left = combined",
    ),
    mutation("reduce/unsafe_tiles.wgsl", "op_is_right(a.x, b.x, combined.x)", "true"),
    mutation("reduce/unsafe_tiles.wgsl", "        && op_is_right(a.z, b.z, combined.z)\n", ""),
    mutation("reduce/unsafe_tiles.wgsl", "op_is_right(a.w, b.w, combined.w)", "true"),
    mutation("reduce/unsafe_tiles.wgsl", "accs.x, accs.y, i == 1u", "accs.x, accs.y, false"),
    mutation("reduce/unsafe_tiles.wgsl", "accs.z, accs.w, i == 3u", "accs.z, accs.w, true"),
    only(
        Variant::Subgroup,
        "collective/team_combine_subgroup.wgsl",
        "op_combine_any(kept,",
        "op_combine(kept,",
    ),
    only(
        Variant::Subgroup,
        "collective/team_combine_subgroup.wgsl",
        "        if i == 2u {\n            lower = even;\n        }\n",
        "",
    ),
    only(
        Variant::Subgroup,
        "collective/team_combine_subgroup.wgsl",
        "log2_size + 3u - i, i > log2_size",
        "1u, i > log2_size",
    ),
    only(
        Variant::Subgroup,
        "collective/team_combine_subgroup.wgsl",
        "(lane & mask) != 0u",
        "(lane & 1u) != 0u",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_combine_memory.wgsl",
        "op_combine_any(left, right)",
        "op_combine(left, right)",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_combine_memory.wgsl",
        "i < 3u + firstLeadingBit",
        "i < 2u + firstLeadingBit",
    ),
    only(
        Variant::WorkgroupMemory,
        "collective/team_combine_memory.wgsl",
        "let pair = (2u * lane_index)",
        "let pair = lane_index",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "range_include_items(range_start(), rows.row0)",
        "range_start()",
    ),
    mutation("reduce/ordered_block.wgsl", "range_include_items(even, rows.row1)", "even"),
    mutation(
        "reduce/ordered_block.wgsl",
        "range_include_items(range_include_items(even, rows.row1), rows.row3)",
        "range_include_items(even, rows.row1)",
    ),
    mutation(
        "reduce/ordered_block.wgsl",
        "            unsafe_tile_note(round * teams + team_id, range);\n",
        "",
    ),
    mutation("reduce/ordered_block.wgsl", "        unsafe_tile_note(0u, range);\n", ""),
    mutation("reduce/careful_block.wgsl", "op_combine_any(left, right)", "op_combine(left, right)"),
    mutation("reduce/runs.wgsl", "op_combine_any(nodes[left]", "op_combine(nodes[left]"),
    mutation("reduce/ordered_end.wgsl", "        range = range_include_acc(range, partial);\n", ""),
    mutation("reduce/ordered_end.wgsl", "        atomicStore(&has_unsafe, 1u);\n", ""),
    mutation("reduce/ordered_end.wgsl", "(!is_unsafe || job.blocks == 1u)", "true"),
    mutation("reduce/ordered_end.wgsl", "op_combine_any(left, right)", "op_combine(left, right)"),
    // Which sums of any two a device may add.
    mutation("operator/sum_f32.wgsl", "is_zero_or_normal(a) && ", ""),
    mutation("operator/sum_f32.wgsl", "is_zero_or_normal(b) && ", ""),
    mutation("operator/sum_f32.wgsl", "(is_normal(sum) || is_exact_zero)", "true"),
    mutation(
        "operator/sum_f32.wgsl",
        "(is_normal(sum) || is_exact_zero)",
        "is_zero_or_normal(sum)",
    ),
    mutation("operator/sum_f32.wgsl", "doubled >= 0x01000000u && ", ""),
    mutation("operator/sum_f32.wgsl", " && doubled < 0xff000000u", ""),
    // Which sums hardware may add. The devices of these tests do as they like with all others.
    mutation(
        "operator/range_addends.wgsl",
        "range.low >= 0x18ffffffu && range.high < 0xd",
        "range.low >= 0x16ffffffu && range.high < 0xd",
    ),
    mutation(
        "operator/range_addends.wgsl",
        "range.low >= 0x18ffffffu && range.high < 0xd",
        "range.low >= 0u && range.high < 0xd",
    ),
    mutation(
        "operator/range_addends.wgsl",
        "range.low >= 0x18ffffffu && range.high < 0xf1000000u",
        "range.low >= 0x16ffffffu && range.high < 0xf1000000u",
    ),
    mutation("operator/range_addends.wgsl", "range.high < 0xf1000000u", "range.high < 0xff000000u"),
    mutation("operator/range_f32.wgsl", "range.high > 0xff000000u", "range.high >= 0xff000000u"),
    mutation(
        "operator/range_addends.wgsl",
        "range.high < 0xd6000000u",
        "range.high <= 0xff000000u",
    ),
    mutation("operator/range_addends.wgsl", "range.high < 0xd6000000u", "range.high < 0xff000000u"),
    mutation("operator/range_f32.wgsl", "min(less_one.z, less_one.w)", "less_one.z"),
    mutation("operator/range_f32.wgsl", "min(less_one.x, less_one.y)", "less_one.y"),
    mutation("operator/range_f32.wgsl", "max(doubled.z, doubled.w)", "doubled.z"),
    mutation("operator/range_f32.wgsl", "max(range.high, high)", "high"),
    mutation("operator/range_f32.wgsl", "Range(min(range.low, low),", "Range(low,"),
    mutation("operator/range_addends.wgsl", "min(range.low, doubled - 1u)", "range.low"),
    mutation("operator/range_addends.wgsl", "max(range.high, doubled)", "range.high"),
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
    mutation(
        "reduce/load_pairs.wgsl",
        "range_include_elems(range_include_elems(range, items.left), items.right)",
        "range_include_elems(range, items.left)",
    ),
    mutation(
        "reduce/load_pairs.wgsl",
        "range_include_elems(range_include_elems(range, items.left), items.right)",
        "range_include_elems(range, items.right)",
    ),
    mutation(
        "reduce/load_squares.wgsl",
        "return range_include_elems(range, items);",
        "return range;",
    ),
    mutation(
        "reduce/load_elements.wgsl",
        "return range_include_elems(range, items);",
        "return range;",
    ),
    mutation(
        "operator/range_factors.wgsl",
        "range.low >= 0x4bffffffu && range.high < 0xb8",
        "range.low >= 0x3effffffu && range.high < 0xb8",
    ),
    mutation("operator/range_factors.wgsl", "range.high < 0xb8000000u", "range.high < 0xc2000000u"),
    mutation(
        "reduce/unsafe_tiles.wgsl",
        "items_lift_any(rows.row2, nothing)",
        "items_lift(rows.row2)",
    ),
    // Which products are for product_any.
    mutation(
        "operator/range_factors.wgsl",
        "range.low >= 0x4bffffffu && range.high < 0xaa",
        "range.low >= 0x3effffffu && range.high < 0xaa",
    ),
    mutation(
        "operator/range_factors.wgsl",
        "range.low >= 0x4bffffffu && range.high < 0xaa",
        "range.high < 0xaa",
    ),
    mutation("operator/range_factors.wgsl", "range.high < 0xaa000000u", "range.high < 0xc2000000u"),
    mutation("operator/range_factors.wgsl", "range.high < 0xaa000000u", "true"),
    mutation("operator/range_factors.wgsl", "select(0u, range.low, is_safe)", "range.low"),
    mutation("operator/range_factors.wgsl", "doubled - 1u >= 0x18ffffffu && ", ""),
    mutation("operator/range_factors.wgsl", " && doubled < 0xd6000000u", ""),
    mutation("operator/products_f32.wgsl", "is_normal(a) && ", ""),
    mutation("operator/products_f32.wgsl", "is_normal(b) && ", ""),
    mutation("operator/products_f32.wgsl", " && is_normal(by_device)", ""),
    mutation("operator/products_f32.wgsl", "f32_multiply(a, b)", "f32_multiply(a, a)"),
    mutation(
        "operator/products_f32_software.wgsl",
        "fn product(a: Elem, b: Elem) -> Acc {\n    return f32_multiply(a, b)",
        "fn product(a: Elem, b: Elem) -> Acc {\n    return f32_multiply(a, a)",
    ),
    mutation(
        "operator/products_f32_software.wgsl",
        "fn product_any(a: Elem, b: Elem) -> Acc {\n    return f32_multiply(a, b)",
        "fn product_any(a: Elem, b: Elem) -> Acc {\n    return f32_multiply(b, b)",
    ),
    mutation("operator/f32_product.wgsl", "(a ^ b) & F32_SIGN_BIT", "a & F32_SIGN_BIT"),
    mutation("operator/f32_product.wgsl", "larger > F32_INFINITY_BITS ||", ""),
    mutation("operator/f32_product.wgsl", " || smaller == 0u", ""),
    mutation(
        "operator/f32_product.wgsl",
        "larger >= F32_INFINITY_BITS",
        "larger > F32_INFINITY_BITS",
    ),
    mutation("operator/f32_product.wgsl", "if smaller == 0u {", "if false {"),
    mutation("operator/f32_product.wgsl", "+ (low >> 24u)", ""),
    mutation("operator/f32_product.wgsl", "+ (middle >> 12u)", ""),
    mutation("operator/f32_product.wgsl", "((middle & 0xfffu) << 12u)", "0u"),
    mutation("operator/f32_product.wgsl", "let up = countLeadingZeros(high);", "let up = 8u;"),
    mutation("operator/f32_product.wgsl", "(low & ((1u << rest_bits) - 1u)) != 0u", "false"),
    mutation("operator/f32_product.wgsl", "| ((low & 0xffffffu) >> rest_bits)", ""),
    mutation("operator/f32_round.wgsl", "field >= 255", "field >= 256"),
    mutation("operator/f32_round.wgsl", "max(magnitude >> 23u, 1u)", "(magnitude >> 23u)"),
    mutation("operator/f32_round.wgsl", "(countLeadingZeros(significand) - 8u)", "0u"),
    mutation("operator/f32_round.wgsl", "dropped > 32u", "dropped >= 32u"),
    mutation("operator/f32_round.wgsl", ", 0u, dropped == 32u)", ", 0u, false)"),
    mutation("operator/f32_round.wgsl", "|| (kept & 1u) == 1u", ""),
    mutation("operator/f32_round.wgsl", "(below << 1u) != 0u || has_rest", "has_rest"),
    mutation("operator/f32_round.wgsl", "(below << 1u) != 0u || has_rest", "(below << 1u) != 0u"),
    mutation("operator/f32_round.wgsl", "u32(max(field, 1) - 1)", "u32(max(field, 1))"),
    mutation("operator/f32_round.wgsl", "u32(max(1 - max(field, -30), 0))", "0u"),
    mutation("operator/mean_f32_finish.wgsl", "magnitude > F32_INFINITY_BITS || ", ""),
    mutation("operator/mean_f32_finish.wgsl", " || (len.x | len.y) == 0u", ""),
    mutation("operator/mean_f32_finish.wgsl", "if magnitude == F32_INFINITY_BITS {", "if false {"),
    mutation("operator/mean_f32_finish.wgsl", "rest_low >= divisor_low", "rest_low > divisor_low"),
    mutation("operator/mean_f32_finish.wgsl", "i < 27u", "i < 24u"),
    mutation("operator/mean_f32_finish.wgsl", "select(0u, 1u, rest_low < divisor_low)", "0u"),
    mutation("operator/mean_f32_finish.wgsl", "(rest_high | rest_low) != 0u", "false"),
    mutation("operator/mean_f32_finish.wgsl", "(high << 31u)", "0u"),
    mutation(
        "operator/mean_f32_finish.wgsl",
        "sign | mean, 0u, mean == 0u",
        "sign | mean, 0u, false",
    ),
    mutation("operator/mean_f32_finish.wgsl", "| (rest_low >> 31u);", ";"),
    mutation("operator/mean_f32_finish.wgsl", "sign | mean", "mean"),
    mutation("operator/norm_f32_finish.wgsl", "(sum.exponent & 1) == 1", "false"),
    mutation("operator/norm_f32_finish.wgsl", "root.has_rest", "false"),
    mutation("operator/norm_f32_finish.wgsl", "magnitude == F32_INFINITY_BITS || ", ""),
    mutation("operator/norm_f32_finish.wgsl", " || magnitude == 0u", ""),
    mutation("operator/norm_f32_finish.wgsl", "magnitude > F32_INFINITY_BITS", "false"),
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
    mutation("exact/reduce.wgsl", "if at + ROUND_ITEMS < end", "if at + 2u * ROUND_ITEMS < end"),
    mutation("exact/group.wgsl", "min(end, params.vec_end)", "(end + 4095u)"),
    mutation("exact/group.wgsl", "begin <= at && at < end", "at < end"),
    mutation("exact/group.wgsl", "begin <= at && at < end", "begin <= at"),
    mutation("exact/group.wgsl", "begin <= at && at + ROUND_ITEMS", "at + ROUND_ITEMS"),
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
    mutation("exact/cells.wgsl", "i < CELLS * CELL_DIGITS", "i < WORKGROUP_SIZE"),
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
    mutation("exact/value_norm.wgsl", "has_rest = has_rest || found.has_rest;", ""),
    mutation("operator/root.wgsl", "(rest_low | rest_high) != 0u", "false"),
    mutation("operator/root.wgsl", "rest_low >= trial_low", "rest_low > trial_low"),
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
    mutation("exact/reduce_pairs.wgsl", "at + ROUND_ITEMS <= end {", "at <= end {"),
    mutation(
        "exact/reduce_pairs.wgsl",
        "right_load4_whole(right + 3u",
        "right_load4_whole(right + 2u",
    ),
    mutation(
        "exact/reduce_pairs.wgsl",
        "left_words[index + 2u * WORKGROUP_SIZE]",
        "left_words[index + WORKGROUP_SIZE]",
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

/// Every shader file has a mutation, or a reason not to have one; and every mutation is of a text that there is.
fn assert_every_file_has_one() {
    let all = [DXC_MUTATIONS, MUTATIONS, FLOAT_MUTATIONS, EXACT_MUTATIONS].concat();
    let is_stale = |mutation: &&Mutation| {
        Sources::default().replace(mutation.file, mutation.from, mutation.to).is_none()
    };
    let stale: Vec<_> = all.iter().filter(is_stale).map(|stale| (stale.file, stale.from)).collect();
    assert!(stale.is_empty(), "texts that there are not: {stale:#?}");
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
        "reduce/and_fold.wgsl" => gpu.capabilities().coherent_memory,
        // A driver in software looks at each word of a vector: it has those that are in the buffer.
        _ if mutation.from.contains("job.vec_end") => {
            gpu.capabilities().device_class != DeviceClass::Cpu
        }
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
    let of_the_len = [
        "exact/value_mean.wgsl",
        "exact/value_variance.wgsl",
        "exact/divide.wgsl",
        "operator/mean_f32_finish.wgsl",
    ];
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
