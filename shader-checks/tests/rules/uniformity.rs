//! Barriers and subgroup operations under lane-dependent control.

use super::{bad, good};

const ALONE: &str = "some lanes of a workgroup only";

#[test]
fn uniform_control_is_fine() {
    for condition in [
        "params.count > 3u",
        "TUNED == 4u",
        "whole.workgroup_id.x > 0u",
        "whole.num_workgroups.x > 1u",
        "size > num",
        "input[params.step] == 7u",
        "workgroupUniformLoad(&shared_word) == 7u",
        "arrayLength(&input) > 3u",
    ] {
        good(
            "",
            &format!("if {condition} {{ workgroupBarrier(); output[0] = subgroupAdd(inv); }}"),
        );
    }
}

#[test]
fn lanes_depend_on_these() {
    for condition in [
        "lane.index == 0u",
        "inv == 0u",
        "id == 0u",
        "input[lane.index] == 7u",
        "output[0] == 7u",
        "shared_words[0] == 7u",
        "shared_word == 7u",
        "atomicLoad(&total) == 7u",
        "atomicAdd(&total, 1u) == 7u",
        "subgroupAdd(inv) == inv",
        "subgroupBroadcastFirst(inv) == inv",
        "(lane.index + params.count) * 2u == 8u",
        "select(params.count, 1u, lane.index == 0u) == 1u",
        "vec2(params.count, lane.index).y == 1u",
        "min(lane.index, params.count) == 1u",
    ] {
        bad(ALONE, "", &format!("if {condition} {{ workgroupBarrier(); }}"));
    }
}

#[test]
fn everything_that_takes_all_lanes() {
    for operation in [
        "workgroupBarrier();",
        "storageBarrier();",
        "output[0] = workgroupUniformLoad(&shared_word);",
        "output[0] = subgroupMax(inv);",
        "output[0] = subgroupExclusiveAdd(inv);",
        "output[0] = subgroupBallot(true).x;",
        "output[0] = subgroupShuffle(inv, inv);",
        "output[0] = subgroupBroadcast(inv, 0u);",
        "output[0] = quadSwapX(inv);",
    ] {
        good("", operation);
        bad(ALONE, "", &format!("if lane.index < 7u {{ {operation} }}"));
        bad(ALONE, "", &format!("if lane.index < 7u {{ }} else {{ {operation} }}"));
    }
}

#[test]
fn lanes_join_again() {
    good("", "if lane.index < 7u { output[0] = 1u; } workgroupBarrier();");
    good("", "switch lane.index { case 1u: { output[0] = 1u; } default: {} } workgroupBarrier();");
    good(
        "",
        "for (var i = 0u; i < params.count; i++) { if lane.index == i { break; } }
         workgroupBarrier();",
    );
    good(
        "fn f(index: u32) -> u32 { if index == 0u { return 1u; } return 2u; }",
        "output[0] = f(lane.index); workgroupBarrier();",
    );
    good("", "if params.count == 3u { return; } workgroupBarrier();");
}

#[test]
fn lanes_that_left_are_missed() {
    bad(ALONE, "", "if lane.index == 0u { return; } workgroupBarrier();");
    let round = |leave: &str| {
        format!(
            "for (var i = 0u; i < params.count; i++) {{
                 if lane.index == i {{ {leave} }}
                 workgroupBarrier();
             }}"
        )
    };
    bad(ALONE, "", &round("break;"));
    bad(ALONE, "", &round("continue;"));
    bad(ALONE, "", &round("return;"));
    // The barrier comes before the break, but in the next round after it.
    bad(
        ALONE,
        "",
        "for (var i = 0u; i < params.count; i++) {
             workgroupBarrier();
             if lane.index == i { break; }
         }",
    );
    // A `continue` is over when the next round begins; a `break` is not.
    good(
        "",
        "for (var i = 0u; i < params.count; i++) {
             workgroupBarrier();
             if lane.index == i { continue; }
             output[i] = 1u;
         }",
    );
    bad(
        ALONE,
        "",
        "for (var i = 0u; i < params.count; i++) {
             if lane.index == i { return; }
         }
         workgroupBarrier();",
    );
}

#[test]
fn loops_by_lane() {
    bad(ALONE, "", "for (var i = lane.index; i < LANES; i += 32u) { workgroupBarrier(); }");
    bad(
        ALONE,
        "",
        "var i = lane.index;
         loop { workgroupBarrier(); continuing { i += 1u; break if i >= 9u; } }",
    );
}

#[test]
fn variables_remember() {
    good("", "var n = 0u; n += params.count; if n == 3u { workgroupBarrier(); }");
    bad(ALONE, "", "var n = 0u; n = lane.index; if n == 3u { workgroupBarrier(); }");
    // What is stored is uniform; whether it is stored is not.
    bad(
        ALONE,
        "",
        "var n = 0u; if lane.index == 3u { n = 1u; } if n == 1u { workgroupBarrier(); }",
    );
    bad(
        ALONE,
        "",
        "var a: array<u32, 4>; a[lane.index & 1u] = 1u; if a[0] == 1u { storageBarrier(); }",
    );
    bad(ALONE, "", "var v = vec2(0u); v.y = inv; if v.x == 1u { storageBarrier(); }");
    // Only in the second round.
    bad(
        ALONE,
        "",
        "var n = 0u;
         for (var i = 0u; i < params.count; i++) {
             if n == 1u { workgroupBarrier(); }
             n = lane.index;
         }",
    );
    // Lanes leave in different rounds, so they counted differently.
    bad(
        ALONE,
        "",
        "var n = 0u;
         for (var i = 0u; i < params.count; i++) {
             n += 1u;
             if lane.index == i { break; }
         }
         if n == 2u { workgroupBarrier(); }",
    );
}

#[test]
fn through_calls() {
    let barrier = "fn f() { workgroupBarrier(); }";
    good(barrier, "f();");
    bad(ALONE, barrier, "if lane.index == 0u { f(); }");
    bad(ALONE, &format!("{barrier} fn g() {{ f(); }}"), "if lane.index == 0u { g(); }");
    let guarded = "fn f(n: u32) { if n == 0u { workgroupBarrier(); } }";
    good(guarded, "f(params.count);");
    bad(ALONE, guarded, "f(params.count); f(lane.index);");
    let doubled = "fn f(n: u32) -> u32 { return 2u * n; }";
    good(doubled, "if f(params.count) == 0u { workgroupBarrier(); } output[0] = f(lane.index);");
    bad(ALONE, doubled, "if f(lane.index) == 0u { workgroupBarrier(); }");
    // The value is uniform; which return gives it is not.
    let chosen = "fn f(n: u32) -> u32 { if n == 0u { return 1u; } return 2u; }";
    bad(ALONE, chosen, "if f(lane.index) == 1u { workgroupBarrier(); }");
    // A struct of the caller's own making has the built-ins' types, but not their values.
    bad(
        ALONE,
        "fn f(whole: Whole) { if whole.workgroup_id.x == 0u { workgroupBarrier(); } }",
        "f(whole); f(Whole(vec3(lane.index), vec3(1u)));",
    );
}

#[test]
fn short_circuits_are_control() {
    good("", "if params.count == 1u && subgroupAny(inv == 0u) { output[0] = 1u; }");
    bad(ALONE, "", "if lane.index == 1u && subgroupAny(inv == 0u) { output[0] = 1u; }");
    bad(ALONE, "", "if lane.index == 1u || subgroupAny(inv == 0u) { output[0] = 1u; }");
}

#[test]
fn switches() {
    good("", "switch params.count { case 1u: { workgroupBarrier(); } default: {} }");
    bad(ALONE, "", "switch lane.index { case 1u: { workgroupBarrier(); } default: {} }");
}

#[test]
fn operands_that_lanes_share() {
    let by = "goes by a number that may differ between lanes";
    good("", "output[0] = subgroupShuffleXor(inv, params.step);");
    bad(by, "", "output[0] = subgroupShuffleXor(inv, lane.index);");
    bad(by, "", "output[0] = subgroupShuffleDown(inv, lane.index);");
    good("", "output[0] = subgroupShuffle(inv, lane.index);");
    good("", "output[0] = workgroupUniformLoad(&shared_words[params.step]);");
    bad(by, "", "output[0] = workgroupUniformLoad(&shared_words[lane.index]);");
}

#[test]
fn pointers_are_not_followed() {
    bad(
        "a pointer is a parameter",
        "fn f(p: ptr<function, u32>) { *p = 1u; }",
        "var n = 0u; f(&n);",
    );
}
