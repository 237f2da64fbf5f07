//! Numbers that stand for a subgroup size.

use super::{bad, good};

const MEETS: &str = "a constant meets a value of the subgroups";

#[test]
fn sizes_by_name() {
    good("", "output[0] = LANES / size + (LANES >> countTrailingZeros(size));");
    good("", "output[0] = clamp(size, 1u, LANES) + min(num, WARP) + max(WARP, size);");
    good("", "output[0] = inv & (size - 1u);");
    good("", "if inv == 0u && id < num { output[id] = size + 1u; }");
    good("", "output[0] = size * TUNED + size % params.step;");
    good("", "output[0] = (id * size + inv) / 32u;");
    good("", "output[0] = (size * id + inv) & 31u;");
    good("const LEAST = 4u;", "output[0] = (id * clamp(size, LEAST, LANES) + inv) & 31u;");
    good(
        "fn lane_of(a: u32, b: u32, c: u32) -> u32 { return a * b + c; }",
        "output[0] = lane_of(id, size, inv) & 31u;",
    );
    good(
        "",
        "for (var mask = 1u; mask < size; mask <<= 1u) { output[0] = subgroupShuffleXor(inv, mask); }",
    );
}

#[test]
fn sizes_by_number() {
    for value in [
        "size - 32u",
        "32u / size",
        "inv & 31u",
        "size >> 5u",
        "5u << size",
        "num * 4u",
        "id % 2u",
        "min(size, 32u)",
        "clamp(size, 4u, LANES)",
        "countTrailingZeros(size) + 3u",
        "size * id + 2u",
        "subgroupAdd(1u) - 32u",
        "countOneBits(subgroupBallot(true).x) - 32u",
        "subgroupMax(inv) + 31u",
        "subgroupShuffle(size, inv) - 8u",
        "u32(size == 32u)",
        "u32(f32(size) < 32.0)",
        "u32(i32(size) != 32i)",
        "(vec2(size) & vec2(31u)).x",
        "select(0u, 1u, inv < 16u)",
    ] {
        bad(MEETS, "", &format!("output[0] = {value};"));
    }
}

#[test]
fn names_do_not_help_where_sizes_are_compared() {
    for value in ["size - WARP", "u32(size == WARP)", "inv & WARP", "size / WARP"] {
        bad(MEETS, "", &format!("output[0] = {value};"));
    }
    bad(MEETS, "const SHIFT = 5u;", "output[0] = inv >> SHIFT;");
}

#[test]
fn numbers_in_disguise() {
    bad(MEETS, "", "var warp = 32u; output[0] = size - warp;");
    bad(MEETS, "", "let half = LANES / 8u; output[0] = size - half;");
    bad(MEETS, "", "var n = 16u; n = n + 16u; output[0] = size - n;");
    bad(MEETS, "fn f(a: u32, b: u32) -> u32 { return a & b; }", "output[0] = f(inv, 31u);");
    bad(MEETS, "fn warp() -> u32 { return 32u; }", "output[0] = size - warp();");
    bad(MEETS, "fn same(a: u32) -> u32 { return a; }", "output[0] = same(size) - 32u;");
    bad(MEETS, "struct S { a: u32, b: u32 }", "let s = S(size, 32u); output[0] = s.a - s.b;");
    bad(MEETS, "", "var n = 0u; if lane.index == 1u { n = size; } output[0] = n - 32u;");
    bad(MEETS, "", "shared_word = size; workgroupBarrier(); output[0] = shared_word - 32u;");
    // The load comes before the store.
    bad(MEETS, "", "output[1] = shared_word - 32u; workgroupBarrier(); shared_word = size;");
    bad(MEETS, "", "atomicStore(&total, size); output[0] = atomicLoad(&total) - 32u;");
    bad(MEETS, "", "switch size { case 32u: { output[0] = 1u; } default: {} }");
    // Almost a lane.
    bad(MEETS, "", "output[0] = (id * inv + size) & 31u;");
    bad(MEETS, "", "output[0] = (id * (size + 1u) + inv) & 31u;");
    bad(MEETS, "", "output[0] = (id * size) & 31u;");
}

#[test]
fn shuffles() {
    good("", "output[0] = subgroupShuffleXor(lane.index, size >> 1u);");
    good("", "output[0] = subgroupBroadcast(lane.index, 0u);");
    good("", "output[0] = quadBroadcast(lane.index, 3u);");
    for operation in [
        "subgroupShuffleXor(lane.index, 16u)",
        "subgroupShuffleXor(lane.index, WARP)",
        "subgroupShuffleDown(lane.index, 2u)",
        "subgroupShuffleUp(lane.index, 2u)",
        "subgroupShuffle(lane.index, 31u)",
        "subgroupBroadcast(lane.index, 3u)",
    ] {
        bad(MEETS, "", &format!("output[0] = {operation};"));
    }
    bad(
        MEETS,
        "",
        "for (var mask = 16u; mask > 0u; mask >>= 1u) { output[0] = subgroupShuffleXor(inv, mask); }",
    );
}
