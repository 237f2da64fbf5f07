//! Barriers that depend on the result of a function with several `return`s.

use super::text;
use shader_checks::{early_returns, translate::Parsed};

/// The functions that a shader's findings name.
#[track_caller]
fn found(functions: &str, body: &str) -> Vec<String> {
    let text = text(functions, body);
    let parsed = Parsed::new(&text).unwrap_or_else(|error| panic!("{error}"));
    let findings = early_returns::check(&parsed.module, &text);
    findings.into_iter().map(|finding| finding.function).collect()
}

#[track_caller]
fn good(functions: &str, body: &str) {
    assert_eq!(found(functions, body), [""; 0], "{functions} {body}");
}

#[track_caller]
fn bad(guilty: &[&str], functions: &str, body: &str) {
    assert_eq!(found(functions, body), guilty, "{functions} {body}");
}

const EARLY: &str = "fn early(n: u32) -> u32 { if n == 0u { return 1u; } return 2u * n; }";
const LATE: &str = "fn late(n: u32) -> u32 { var m = 2u * n; if n == 0u { m = 1u; } return m; }";

#[test]
fn what_nothing_depends_on() {
    good(EARLY, "output[0] = early(params.count); workgroupBarrier();");
    good(EARLY, "if lane.index < early(params.count) { output[0] = 1u; } workgroupBarrier();");
    good(EARLY, "for (var i = 0u; i < early(3u); i++) { output[i] = i; } storageBarrier();");
    // Without a result nothing can depend on it.
    let leaves = "fn leaves(n: u32) { if n == 0u { return; } output[0] = n; }";
    good(leaves, "leaves(params.count); workgroupBarrier();");
}

#[test]
fn a_single_return() {
    good(LATE, "if late(params.count) == 1u { workgroupBarrier(); }");
    good(LATE, "for (var i = 0u; i < late(params.count); i++) { workgroupBarrier(); }");
}

#[test]
fn constants_decide_which_return_it_is() {
    let barrier = "if early(params.count) == 1u { workgroupBarrier(); }";
    let by = |condition: &str| {
        format!(
            "const IS = LANES > 7u;
             fn early(n: u32) -> u32 {{ if {condition} {{ return 2u * n; }} return n; }}"
        )
    };
    for condition in ["IS", "!IS", "WARP == 32u"] {
        good(&by(condition), barrier);
    }
    for condition in ["n == 7u", "IS && n == 7u", "params.step == 7u"] {
        bad(&["early"], &by(condition), barrier);
    }
    let within = "fn early(n: u32) -> u32 {
        if LANES > 7u { if n == 7u { return 1u; } return 2u; }
        return n;
    }";
    bad(&["early"], within, barrier);
}

#[test]
fn every_barrier() {
    for barrier in [
        "workgroupBarrier();",
        "storageBarrier();",
        "output[0] = workgroupUniformLoad(&shared_word);",
    ] {
        bad(&["early"], EARLY, &format!("if early(params.count) == 1u {{ {barrier} }}"));
        bad(&["early"], EARLY, &format!("if early(params.count) == 1u {{ return; }} {barrier}"));
    }
}

#[test]
fn returns_in_loops_and_switches() {
    let by = |body: &str| format!("fn early(n: u32) -> u32 {{ {body} }}");
    let barrier = "if early(params.count) == 1u { workgroupBarrier(); }";
    for body in [
        "for (var i = 0u; i < n; i++) { if input[i] == 0u { return i; } } return n;",
        "switch n { case 1u: { return 1u; } default: {} } return n;",
        "if n == 0u { return 1u; } else { return 2u; }",
    ] {
        bad(&["early"], &by(body), barrier);
    }
    let in_the_end =
        "var m = n; for (var i = 0u; i < n; i++) { if input[i] == 0u { m = i; break; } } return m;";
    good(&by(in_the_end), barrier);
}

#[test]
fn through_variables_and_calls() {
    bad(&["early"], EARLY, "let n = early(params.count); if n + 1u == 2u { workgroupBarrier(); }");
    bad(
        &["early"],
        EARLY,
        "var n = 0u; if early(params.count) == 1u { n = 1u; } if n == 1u { workgroupBarrier(); }",
    );
    bad(
        &["early"],
        EARLY,
        "for (var i = 0u; i < early(params.count); i++) { workgroupBarrier(); }",
    );
    let waits = "fn waits(n: u32) { if n == 1u { workgroupBarrier(); } }";
    bad(&["early"], &format!("{EARLY} {waits}"), "waits(early(params.count));");
    let passes_on = "fn passes_on(n: u32) -> u32 { return early(n) + 1u; }";
    bad(
        &["early"],
        &format!("{EARLY} {passes_on}"),
        "if passes_on(params.count) == 2u { workgroupBarrier(); }",
    );
    let both = "fn both(n: u32) -> u32 { if n == 7u { return early(n); } return 3u; }";
    bad(
        &["early", "both"],
        &format!("{EARLY} {both}"),
        "if both(params.count) == 2u { workgroupBarrier(); }",
    );
    good(
        &format!("{EARLY} {LATE}"),
        "output[0] = early(params.count); if late(params.count) == 1u { workgroupBarrier(); }",
    );
}
