//! Loops that end, and others.

use super::{bad, good, report};

const ENDLESS: &str = "no uniform bound and step";

#[test]
fn bounded_loops() {
    for head in [
        "var i = 0u; i < 4u; i++",
        "var i = 0u; i < params.count; i += 2u",
        "var i = 0u; params.count > i; i = 1u + i",
        "var i = 0u; i <= TUNED; i += WARP",
        "var i = lane.index; i < LANES; i += WARP",
        "var i = LANES / 2u; i > 0u; i >>= 1u",
        "var i = 1u; i < size; i <<= 1u",
        "var i = LANES >> countTrailingZeros(size); i > 1u; i >>= countTrailingZeros(size)",
        "var i = id; i < num; i += size",
        "var i = 8i; i >= 0i; i -= 1i",
    ] {
        good("", &format!("for ({head}) {{ output[lane.index] = u32(i); }}"));
    }
    good("", "var i = 0u; while i < params.count { i += 1u; }");
    good("", "var i = 0u; loop { if i >= 9u { break; } output[i] = 1u; i++; }");
    good(
        "",
        "var i = 0u; loop { output[i] = 1u; continuing { i++; break if i >= params.count; } }",
    );
    good("", "for (var i = 0u; i < 4u; i++) { for (var j = 0u; j < i; j++) { output[i] = j; } }");
    good("", "for (var i = 0u; i < 4u; i++) { if output[i] == 1u { continue; } output[i] = 1u; }");
    good(
        "",
        "let n = params.count; for (var i = 0u; i < n; i++) { if output[i] == 1u { break; } }",
    );
}

/// As far as a constant, from a place that each lane has of its own.
#[test]
fn loops_from_anywhere() {
    let carry = "fn carry(first: u32) {
        for (var at = first; at < LANES; at += 2u) {
            if atomicAdd(&total, 1u) != 7u { break; }
        }
    }";
    good(carry, "carry(lane.index);");
    good(carry, "carry(output[lane.index]);");
    good(carry, "if lane.index < 7u { carry(lane.index); }");
    bad(ENDLESS, &carry.replace("at < LANES", "at < LANES + first"), "carry(lane.index);");
    bad(ENDLESS, &carry.replace("at += 2u", "at += first"), "carry(lane.index);");
    // Lanes that are through do not wait.
    let waits = carry.replace("atomicAdd(&total, 1u)", "workgroupUniformLoad(&shared_word)");
    bad("some lanes of a workgroup only", &waits, "carry(lane.index);");
}

/// A function that returns at its end alone gives lanes that came together the same bound, though others did not come.
#[test]
fn bounds_from_functions() {
    let bound = "fn bound(n: u32) -> u32 { return n >> 8u; }";
    let alone = "if lane.index < 7u {
        let n = bound(params.count);
        for (var i = 0u; i < n; i++) { output[i] = i; }
    }";
    good(bound, alone);
    bad(ENDLESS, bound, &alone.replace("params.count", "lane.index"));
    let chosen = "fn bound(n: u32) -> u32 { if n == 0u { return 1u; } return 2u; }";
    bad(ENDLESS, chosen, &alone.replace("params.count", "lane.index"));
}

#[test]
fn loops_that_may_not_end() {
    for head in [
        // No bound, or none that all lanes share.
        "var i = 0u; ; i++",
        "var i = 0u; i < output[0]; i++",
        "var i = 0u; i < lane.index; i++",
        "var i = 0u; i < atomicLoad(&total); i++",
        // Nothing changes, or not enough.
        "var i = 0u; i < 4u; ",
        "var i = 0u; i < 4u; i += 0u",
        "var i = 1u; i < 4u; i *= 1u",
        "var i = 0u; i < 4u; i <<= 1u",
        "var i = 0u; i < 4u; i += lane.index",
        "var i = 0u; i < 4u; i += output[0]",
        // Perhaps nothing.
        "var i = 0u; i < 4u; i += params.step",
        "var i = 0u; i < 4u; i += TUNED",
        "var i = 9u; i > 0u; i >>= params.step",
        "var i = 9u; i > 0u; i >>= size",
        "var i = 9u; i > 0u; i >>= firstLeadingBit(num)",
        "var i = params.count; i < 4u; i <<= 1u",
        // The shift stays at 0, or at -1.
        "var i = 9u; i >= params.count; i >>= 1u",
        "var i = 9i; i > -1i; i >>= 1u",
        // The wrong way.
        "var i = 0u; i < 4u; i--",
        "var i = 9u; i > 4u; i++",
        "var i = 9i; i > 4i; i -= -1i",
        "var i = 9u; i > 4u; i <<= 1u",
        // Always true, or met only by luck.
        "var i = 9u; i >= 0u; i--",
        "var i = 0u; i != params.count; i += 2u",
        // A bound that moves along.
        "var i = 0u; i < i + 1u; i++",
    ] {
        bad(ENDLESS, "", &format!("for ({head}) {{ output[0] = 1u; }}"));
    }
    bad(ENDLESS, "", "loop { if output[0] == 1u { break; } }");
    bad(ENDLESS, "", "while atomicLoad(&total) == 0u { }");
}

#[test]
fn almost_bounded() {
    // The bound, the step, or the variable itself is changed within.
    bad(ENDLESS, "", "var n = 4u; for (var i = 0u; i < n; i++) { n += 1u; }");
    bad(ENDLESS, "", "var s = 4u; for (var i = 0u; i < 9u; i += s) { s >>= 1u; }");
    bad(ENDLESS, "", "for (var i = 0u; i < 9u; i++) { if output[i] == 1u { i = 0u; } }");
    // A step, or a start, that is 0 all the time.
    bad(ENDLESS, "", "var d = 0u; for (var i = 1u; i < 9u; i <<= d) { }");
    bad(ENDLESS, "", "var d = 0u; for (var i = 9u; i > 0u; i -= d) { }");
    bad(ENDLESS, "", "var d = 0u; for (var i = d; i < 9u; i <<= 1u) { }");
    // Another variable than the one that changes.
    bad(ENDLESS, "", "var j = 0u; for (var i = 0u; j < 9u; i++) { }");
    // Some rounds skip the step, or the exit.
    bad(ENDLESS, "", "var i = 0u; while i < 9u { if output[i] == 1u { continue; } i++; }");
    bad(ENDLESS, "", "var i = 0u; while i < 9u { if output[i] == 1u { i++; } }");
    bad(
        ENDLESS,
        "",
        "var i = 0u;
         loop { if output[0] == 1u { continue; } if i >= 9u { break; } continuing { i++; } }",
    );
    bad(
        ENDLESS,
        "",
        "var i = 0u;
         loop { if i >= 9u { if output[0] == 1u { continue; } break; } continuing { i++; } }",
    );
    bad(
        ENDLESS,
        "",
        "var i = 0u;
         loop {
             if i >= 9u { switch output[0] { case 1u: { continue; } default: {} } break; }
             continuing { i++; }
         }",
    );
    bad(
        ENDLESS,
        "",
        "var i = 0u;
         loop {
             if i == 7u { break; } else { if output[0] == 1u { continue; } }
             if i >= 9u { break; }
             continuing { i++; }
         }",
    );
    bad(ENDLESS, "", "for (var i = 0u; ; i++) { if output[i] == 1u { if i >= 9u { break; } } }");
    // Leaves the switch, not the loop.
    bad(ENDLESS, "", "for (var i = 0u; ; i++) { switch i { case 9u: { break; } default: {} } }");
    // The variable as it was before the loop.
    bad(ENDLESS, "", "var i = 0u; let old = i; while old < 9u { i++; }");
    // The inner loop ends, the outer one does not.
    bad(ENDLESS, "", "loop { for (var i = 0u; i < 9u; i++) { } if output[0] == 1u { break; } }");
    // Through a call.
    bad(ENDLESS, "fn f(n: u32) { for (var i = 0u; i < n; i++) { } }", "f(lane.index);");
}

fn exchange(before: &str, round: &str) -> (usize, usize) {
    let report = report("", &format!("{before} loop {{ {round} }}"));
    (report.findings.len(), report.compare_exchange_loops.len())
}

#[test]
fn compare_exchange_loops_are_reported() {
    let again = "let r = atomicCompareExchangeWeak(&total, old, old * 3u);";
    let reported = (0, 1);
    let start = "var old = atomicLoad(&total);";
    assert_eq!(
        exchange(start, &format!("{again} if r.exchanged {{ break; }} old = r.old_value;")),
        reported
    );
    assert_eq!(
        exchange(start, &format!("{again} if r.exchanged {{ return; }} old = r.old_value;")),
        reported
    );
    assert_eq!(
        exchange(
            start,
            &format!("{again} if !r.exchanged {{ }} else {{ break; }} old = r.old_value;")
        ),
        reported
    );
    assert_eq!(
        exchange(
            start,
            &format!("{again} old = r.old_value; continuing {{ break if r.exchanged; }}")
        ),
        reported
    );
    assert_eq!(
        exchange("", &format!("let old = atomicLoad(&total); {again} if r.exchanged {{ break; }}")),
        reported
    );
}

#[test]
fn loops_that_only_look_like_it() {
    let refused = (1, 0);
    let start = "var old = atomicLoad(&total);";
    let again = "let r = atomicCompareExchangeWeak(&total, old, old * 3u);";
    // Compares with what was there once.
    assert_eq!(exchange(start, &format!("{again} if r.exchanged {{ break; }}")), refused);
    assert_eq!(
        exchange("let old = atomicLoad(&total);", &format!("{again} if r.exchanged {{ break; }}")),
        refused
    );
    // A lock: no invocation makes progress while its holder waits.
    assert_eq!(
        exchange(
            "",
            "let r = atomicCompareExchangeWeak(&total, 0u, 1u); if r.exchanged { break; }"
        ),
        refused
    );
    // Leaves on something else.
    assert_eq!(
        exchange(start, &format!("{again} if r.old_value == 3u {{ break; }} old = r.old_value;")),
        refused
    );
    assert_eq!(
        exchange(start, &format!("{again} if !r.exchanged {{ break; }} old = r.old_value;")),
        refused
    );
    // Some rounds do not try.
    assert_eq!(
        exchange(
            start,
            &format!(
                "if output[0] == 1u {{ continue; }} {again} if r.exchanged {{ break; }} old = r.old_value;"
            )
        ),
        refused
    );
    // What was found is changed again.
    assert_eq!(
        exchange(
            start,
            &format!("{again} if r.exchanged {{ break; }} old = r.old_value; old = 1u;")
        ),
        refused
    );
    // An exchange that compares nothing always succeeds, and never leaves.
    assert_eq!(
        exchange("", "output[0] = atomicExchange(&total, 1u);  if output[1] == 1u { break; }"),
        refused
    );
}
