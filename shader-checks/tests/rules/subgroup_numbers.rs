//! Numbers that stand for a subgroup size.

use super::{bad, good};
use shader_checks::{check, translate::Parsed};

const MEETS: &str = "a constant meets a value of the subgroups";
const COUNTS_OFF: &str = "a constant counts off lanes";
const TOO_SHORT: &str = "no elements for all the subgroups";

#[test]
fn sizes_by_name() {
    good("", "output[0] = LANES / size + (LANES >> countTrailingZeros(size));");
    good("", "output[0] = clamp(size, 1u, LANES) + min(num, WARP) + max(WARP, size);");
    good("", "output[0] = inv & (size - 1u);");
    good("", "if inv == 0u && id < num { output[id] = size + 1u; }");
    good("", "output[0] = size * TUNED + size % params.step;");
    // A lane is no longer of the subgroups.
    good("", "output[0] = (id * size + inv) * 4u + 32u;");
    good("", "output[0] = (size * id + inv) ^ 31u;");
    good("const LEAST = 4u;", "output[0] = (id * clamp(size, LEAST, LANES) + inv) + 31u;");
    good(
        "fn lane_of(a: u32, b: u32, c: u32) -> u32 { return a * b + c; }",
        "output[0] = lane_of(id, size, inv) + 31u;",
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
        "u32(i32(size) < 32i)",
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
fn lanes_counted_off() {
    good("", "output[0] = reverseBits(lane.index) >> 24u;");
    good("", "output[0] = lane.index & (LANES / size - 1u);");
    good("", "output[0] = lane.index & 1u;");
    good("", "output[0] = (params.count + lane.index) / 32u;");
    for value in [
        "lane.index / 32u",
        "lane.index / WARP",
        "lane.index % 32u",
        "lane.index & 31u",
        "31u & lane.index",
        "lane.index >> 5u",
        "u32(i32(lane.index) / 32i)",
        "extractBits(lane.index, 0u, 5u)",
        "(id * size + inv) / 32u",
        "(size * id + inv) & 31u",
        "lane_of(id, size, inv) & 31u",
    ] {
        bad(
            COUNTS_OFF,
            "fn lane_of(a: u32, b: u32, c: u32) -> u32 { return a * b + c; }",
            &format!("output[0] = {value};"),
        );
    }
    bad(COUNTS_OFF, "", "var place = 0u; place = lane.index; output[0] = place / 32u;");
    bad(
        COUNTS_OFF,
        "",
        "let s = subgroupAdd(lane.index);
         if lane.index % 32u == 0u { shared_words[lane.index / 32u] = s; }",
    );
}

/// Whatever in a module asks for subgroups makes divided lanes suspect.
#[test]
fn lanes_counted_off_without_subgroups() {
    let counts_off = |parameters: &str, functions: &str, statement: &str| {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> output: array<u32>;
            struct Size {{ @builtin(subgroup_size) size: u32 }}
            {functions}
            @compute @workgroup_size(256)
            fn main(@builtin(local_invocation_index) lane: u32, {parameters}) {{
                output[lane / 4u] = lane % 4u;
                {statement}
            }}"
        );
        let parsed = Parsed::new(&text).unwrap_or_else(|error| panic!("{error}"));
        let findings = check(&parsed.module, &text).findings;
        assert!(findings.iter().all(|finding| finding.problem.contains(COUNTS_OFF)), "{text}");
        !findings.is_empty()
    };
    assert!(!counts_off("", "", ""));
    assert!(!counts_off("@builtin(workgroup_id) id: vec3<u32>", "", "output[0] = id.x;"));
    assert!(counts_off("@builtin(subgroup_size) size: u32", "", ""));
    assert!(counts_off("size: Size", "", ""));
    assert!(counts_off("", "", "output[0] = subgroupMax(7u);"));
    assert!(counts_off("", "", "{ output[0] = subgroupBroadcastFirst(7u); }"));
    assert!(counts_off("", "", "output[0] = subgroupBallot(true).x;"));
    assert!(counts_off("", "fn f() -> u32 { return subgroupMax(7u); }", "output[0] = f();"));
}

#[test]
fn arrays_for_all_subgroups() {
    let declare = |words: &str| format!("var<workgroup> totals: array<{words}>;");
    good(&declare("u32, 64"), "totals[id] = 1u;");
    good(&declare("u32, 8"), "totals[lane.index & 1u] = 1u;");
    good(&declare("array<u32, 2>, 64"), "totals[id][lane.index & 1u] = 1u;");
    for declaration in ["u32, 8", "u32, WARP", "u32, 63"] {
        bad(TOO_SHORT, &declare(declaration), "totals[id] = 1u;");
        bad(TOO_SHORT, &declare(declaration), "if id < num { output[0] = totals[num - 1u]; }");
    }
    bad(TOO_SHORT, &declare("array<u32, 8>, 64"), "totals[0][id] = 1u;");
    bad(
        TOO_SHORT,
        "struct Totals { count: u32, words: array<u32, 8> } var<workgroup> totals: Totals;",
        "totals.words[id] = 1u;",
    );
}

#[test]
fn loops_that_count() {
    // Below a value of the subgroups.
    for head in [
        "var mask = 1u; mask < size; mask <<= 1u",
        "var mask = 1u; size > mask; mask <<= 1u",
        "var mask = 2u; mask < min(size, num); mask <<= 1u",
    ] {
        good("", &format!("for ({head}) {{ output[0] = subgroupShuffleXor(inv, mask); }}"));
    }
    good("", "var m = 1u; while m < size { output[0] = subgroupShuffleXor(inv, m); m <<= 1u; }");
    good(
        "",
        "for (var i = 0u; i < 5u; i++) {
             let mask = 1u << i;
             if mask < size { output[0] = subgroupShuffleXor(inv, mask); }
             if mask >= size { break; }
             output[0] = subgroupShuffleXor(inv, mask);
         }",
    );
    good(
        "fn f(value: u32, mask: u32) -> u32 {
             var all = 0u;
             for (var i = 0u; i < 2u; i++) { all += subgroupShuffleXor(value, mask); }
             return all;
         }",
        "for (var mask = 1u; mask < size; mask <<= 1u) { output[0] = f(inv, mask); }",
    );

    // Below something else, or nothing.
    for head in [
        "var mask = 1u; mask < 32u; mask <<= 1u",
        "var mask = 1u; mask < WARP; mask <<= 1u",
        "var mask = 1u; mask < params.count; mask <<= 1u",
        "var mask = 1u; mask <= size; mask <<= 1u",
        "var mask = 1u; mask > size; mask <<= 1u",
    ] {
        // The rule for loops has its own opinion of some.
        let body = format!("for ({head}) {{ output[0] += subgroupShuffleXor(inv, mask); break; }}");
        let findings = super::report("", &body).findings;
        assert!(findings.iter().any(|finding| finding.problem.contains(MEETS)), "{body}");
    }
    bad(
        MEETS,
        "",
        "for (var i = 0u; i < 5u; i++) { output[0] += subgroupShuffleXor(inv, 1u << i); }",
    );
    bad(
        MEETS,
        "fn f(mask: u32) -> u32 { return subgroupShuffleXor(mask, mask); }",
        "for (var mask = 1u; mask < 32u; mask <<= 1u) { output[0] = f(mask); }",
    );
    // Not where the condition holds, or not any more.
    for body in [
        "if mask < size { } output[0] = subgroupShuffleXor(inv, mask);",
        "if mask < size { } else { output[0] = subgroupShuffleXor(inv, mask); }",
        "if mask < size { continue; } output[0] = subgroupShuffleXor(inv, mask);",
        "if mask < size { mask = 16u; output[0] = subgroupShuffleXor(inv, mask); }",
        "if mask >= size { break; } mask = 16u; output[0] = subgroupShuffleXor(inv, mask);",
        "if mask < size { mask = 16u; } else { break; } output[0] = subgroupShuffleXor(inv, mask);",
        "if mask < size {
             for (var i = 0u; i < 4u; i++) { output[0] = subgroupShuffleXor(inv, mask); mask += 1u; }
         }",
    ] {
        let body = format!(
            "var mask = 1u;
             for (var round = 0u; round < 5u; round++) {{ {body} mask <<= 1u; }}"
        );
        bad(MEETS, "", &body);
    }
    bad(
        MEETS,
        "",
        "var m = 1u; while m < size { m <<= 1u; } output[0] = subgroupShuffleXor(inv, m);",
    );
    // In other operators it is a constant.
    bad(MEETS, "", "for (var i = 0u; i < 32u; i++) { output[i] = u32(inv == i); }");
    bad(MEETS, "", "for (var i = 0u; i < 5u; i++) { output[i] = size - (1u << i); }");
    // Without a loop, too.
    bad(MEETS, "", "var m = 1u; m = m + m; output[0] = subgroupShuffleXor(inv, m);");
    bad(MEETS, "", "var m = 1u; m <<= 1u; output[0] = size - m;");
    bad(MEETS, "", "var m = 1u; output[0] = inv & ~m;");
    bad(MEETS, "", "var m = 1u; output[0] = size - countLeadingZeros(m);");
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
