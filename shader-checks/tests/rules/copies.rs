//! Copies of structs and arrays whose source is written while they are in use, or not.

use super::{DECLARATIONS, bad, good, text};
use shader_checks::{copies, translate::Parsed};

/// Structs, a private variable, and functions that do something with them.
const COPIES: &str = "
    struct S { a: u32, b: u32 }
    struct Pair { first: S, second: S }
    struct Row { words: array<u32, 4>, count: u32 }
    var<private> kept: S;
    var<private> kept_too: S;
    var<workgroup> shared_struct: S;
    @group(0) @binding(4) var<storage, read_write> structs: array<S>;
    fn load(i: u32) -> S { return S(input[i], input[i + 1u]); }
    fn use_of(s: S) -> u32 { return s.a ^ s.b; }
    fn keep(i: u32) { kept = load(i); }
    fn keep_later(i: u32) { keep(i); }
";

/// Statements that know `next`, a variable, and `pair`, `row` and `words`.
fn body(statements: &str) -> String {
    format!(
        "var next = load(lane.index);
         var pair = Pair(load(lane.index), load(lane.index + 2u));
         var row: Row;
         var words: array<u32, 4>;
         {statements}"
    )
}

/// The lines of all copies that are wrong.
fn lines(functions: &str, statements: &str) -> Vec<String> {
    let text = text(&format!("{COPIES}{functions}"), &body(statements));
    let parsed = Parsed::new(&text).unwrap_or_else(|error| panic!("{error}"));
    copies::check(&parsed.module, &text).into_iter().map(|finding| finding.text).collect()
}

#[track_caller]
fn right(functions: &str, statements: &str) {
    let lines = lines(functions, statements);
    assert!(lines.is_empty(), "{functions} {statements}: {lines:?}");
}

#[track_caller]
fn wrong(functions: &str, statements: &str) {
    assert!(!lines(functions, statements).is_empty(), "accepted: {functions} {statements}");
}

/// The rule is one of all.
#[test]
fn all_rules_have_it() {
    let loads = "for (var i = 0u; i < 3u; i++) { let old = next; next = load(i); output[i] = use_of(old); }";
    bad("copied whole from a variable that is written", COPIES, &body(loads));
    good(COPIES, &body(&loads.replace("old = next", "old = S(next.a, next.b)")));
}

#[test]
fn copies_of_structs() {
    wrong("", "let old = next; next = load(3u); output[0] = use_of(old);");
    wrong("", "let old = next; next.a = 3u; output[0] = use_of(old);");
    wrong("", "let old = next; next.a = 3u; output[0] = old.a;");
    wrong("", "let old = next; next.a = 3u; output[lane.index] = old.a + 1u;");
    wrong("", "let old = next; next.a = 3u; if old.a == 1u { output[0] = 1u; }");
    wrong("", "let old = next; next.a = 3u; output[old.a] = 1u;");
    wrong("", "let old = next; next.a = 3u; atomicAdd(&total, old.a);");
    wrong("", "let old = next; next.a = 3u; output[0] = output[old.a];");
    wrong(
        "",
        "let old = next; next.a = 3u; switch old.a { case 1u: { output[0] = 1u; } default: {} }",
    );
    wrong("", "let old = next; next.a = 3u; let sum = old.a + 1u; output[0] = sum;");
    // Used before, or never.
    right("", "let old = next; output[0] = use_of(old); next = load(3u);");
    right("", "let old = next; output[0] = old.a; next.a = old.b;");
    right("", "let old = next; next = load(3u);");
    // Written before.
    right("", "next = load(3u); let old = next; output[0] = use_of(old);");
    // Another variable is written.
    right("", "let old = next; pair.first = load(3u); output[0] = use_of(old);");
    right("", "next = load(use_of(next)); output[0] = next.a;");
}

#[test]
fn copies_by_members() {
    right("", "let old = S(next.a, next.b); next = load(3u); output[0] = use_of(old);");
    right("", "let old = next.a; next = load(3u); output[0] = old;");
    right(
        "",
        "let first = S(pair.first.a, pair.first.b); pair = Pair(first, first);
         pair.first = load(3u); output[0] = pair.second.a;",
    );
    // Of what is written as one.
    right("", "var v = vec4(lane.index); let old = v; v.x = 3u; output[0] = old.x;");
}

#[test]
fn arrays() {
    wrong("", "let old = words; words[1] = 3u; output[0] = old[1];");
    wrong("", "let old = words; words[lane.index & 3u] = 3u; output[0] = old[0];");
    wrong("", "let old = words; words[0] = 3u; output[0] = old[lane.index & 3u];");
    wrong("", "let old = row; row.words[1] = 3u; output[0] = old.words[1];");
    wrong("", "let old = row.words; row.words[1] = 3u; output[0] = old[1];");
    wrong(
        "",
        "var all: array<S, 4>; let old = all[input[0] & 3u]; all[1].a = 3u; output[0] = old.a;",
    );
    right("", "let old = words[1]; words[1] = 3u; output[0] = old;");
    right("", "let old = array(words[0], words[1]); words[1] = 3u; output[0] = old[1];");
}

/// Numbers in the shader tell parts apart.
#[test]
fn other_parts() {
    right("", "let old = pair.first; pair.second = load(3u); output[0] = use_of(old);");
    right("", "let old = pair.first; pair.second.a = 3u; output[0] = use_of(old);");
    wrong("", "let old = pair.first; pair = Pair(load(3u), load(4u)); output[0] = use_of(old);");
    wrong("", "let old = pair.first; pair.first.a = 3u; output[0] = use_of(old);");
    wrong("", "let old = pair; pair.second.a = 3u; output[0] = use_of(old.first);");
    let four = "var all: array<S, 4>;";
    right("", &format!("{four} let old = all[1]; all[2].a = 3u; output[0] = use_of(old);"));
    wrong("", &format!("{four} let old = all[1]; all[1].a = 3u; output[0] = use_of(old);"));
    wrong("", &format!("{four} let old = all[1]; all[inv & 3u].a = 3u; output[0] = use_of(old);"));
    wrong("", &format!("{four} let old = all[inv & 3u]; all[1].a = 3u; output[0] = use_of(old);"));
}

/// What is computed from a copy may be written where it is used, unless it has a name.
#[test]
fn computed_values() {
    right("", "let old = next; let a = old.a; next.a = 3u; output[0] = a;");
    right("", "let old = next; let s = S(old.b, old.a); next.a = 3u; output[0] = use_of(s);");
    right("", "let old = next; let sum = old.a + old.b; next.a = 3u; output[0] = sum;");
    wrong("", "let old = next; next.a = 3u; output[0] = use_of(S(old.b, old.a));");
    // A place is not computed before something is there loaded or stored.
    wrong("", "let old = next; let p = &output[old.a]; next.a = 3u; *p = 3u;");
    wrong("", "let old = next; let p = &output[old.a]; next.a = 3u; output[0] = *p;");
    right("", "let old = next; let p = &output[old.a]; *p = 3u; next.a = 3u;");
    // A part of the copy, or what has it, is still the copy.
    wrong("", "let old = pair; let part = old.first; pair.first.a = 3u; output[0] = use_of(part);");
    wrong(
        "",
        "let old = next; let two = Pair(old, load(3u)); next.a = 3u; output[0] = two.first.a;",
    );
    wrong(
        "",
        "let old = next; let two = Pair(load(3u), old); next.a = 3u; output[0] = use_of(two.second);",
    );
    wrong("", "let old = next; let same = old; next.a = 3u; output[0] = use_of(same);");
}

/// All numbers are taken before the store.
#[test]
fn stores_of_what_is_copied() {
    right("", "let old = next; next = S(old.b, old.a); output[0] = next.a;");
    right("", "let old = next; next = old; output[0] = next.a;");
    right(
        "",
        "pair = Pair(pair.second, pair.first); output[0] = pair.first.a; pair.first.a = 3u; output[1] = pair.second.a;",
    );
    right(
        "",
        "let old = words; words = array(old[1], old[0], old[3], old[2]); output[0] = words[0];",
    );
    right("", "let old = pair; pair.first = old.second; output[0] = pair.first.a;");
    wrong("", "let old = pair; pair.first = old.second; pair.second = old.first;");
}

#[test]
fn branches() {
    // The same way.
    wrong("", "let old = next; if lane.index == 1u { next = load(3u); } output[0] = use_of(old);");
    wrong(
        "",
        "let old = next; if lane.index == 1u { } else { next = load(3u); } output[0] = use_of(old);",
    );
    wrong("", "let old = next; if lane.index == 1u { next = load(3u); output[0] = use_of(old); }");
    wrong("", "if lane.index == 1u { let old = next; next = load(3u); output[0] = use_of(old); }");
    wrong("", "let old = next; { next = load(3u); } output[0] = use_of(old);");
    // Another way.
    right(
        "",
        "let old = next; if lane.index == 1u { next = load(3u); } else { output[0] = use_of(old); }",
    );
    right(
        "",
        "let old = next; if lane.index == 1u { next = load(3u); return; } output[0] = use_of(old);",
    );
}

#[test]
fn switches() {
    let switch = |one: &str, other: &str| {
        format!(
            "let old = next;
             switch lane.index {{ case 1u: {{ {one} }} case 2u, 3u: {{ {other} }} default: {{}} }}"
        )
    };
    right("", &switch("next = load(3u);", "output[0] = use_of(old);"));
    right("", &switch("output[0] = use_of(old);", "next = load(3u);"));
    wrong("", &switch("", "next = load(3u); output[0] = use_of(old);"));
    wrong("", &(switch("next = load(3u);", "") + "output[0] = use_of(old);"));
    wrong("", &(switch("", "next = load(3u);") + "output[0] = use_of(old);"));
    let leaves = "if input[0] == 1u { next = load(3u); break; } output[1] = 3u;";
    wrong("", &(switch(leaves, "") + "output[0] = use_of(old);"));
    right("", &switch(&format!("{leaves} output[0] = use_of(old);"), ""));
    // Leaves the switch, and not the loop around it.
    wrong(
        "",
        "let old = next;
         for (var i = 0u; i < 9u; i++) {
             switch input[i] { case 1u: { next = load(3u); break; } default: {} }
             output[0] = use_of(old);
             return;
         }",
    );
    right(
        "",
        "let old = next;
         for (var i = 0u; i < 9u; i++) {
             if input[i] == 1u { next = load(3u); break; }
             switch input[i] { case 2u: { break; } default: {} }
             output[0] = use_of(old);
         }",
    );
}

#[test]
fn loops() {
    // Made anew in each round.
    wrong(
        "",
        "for (var i = 0u; i < 3u; i++) { let old = next; next.a = i; output[i] = use_of(old); }",
    );
    right(
        "",
        "for (var i = 0u; i < 3u; i++) { let old = next; output[i] = use_of(old); next.a = i; }",
    );
    // Made once.
    wrong(
        "",
        "let old = next; for (var i = 0u; i < 3u; i++) { output[i] = use_of(old); next.a = i; }",
    );
    wrong(
        "",
        "let old = next;
         for (var i = 0u; i < 3u; i++) {
             for (var j = 0u; j < 3u; j++) { output[j] = use_of(old); }
             for (var j = 0u; j < 3u; j++) { next.a = j; }
         }",
    );
    right(
        "",
        "for (var i = 0u; i < 3u; i++) {
             let old = next;
             for (var j = 0u; j < 3u; j++) { output[j] = use_of(old); }
             for (var j = 0u; j < 3u; j++) { next.a = j; }
         }",
    );
    // Used after.
    wrong(
        "",
        "let old = next; for (var i = 0u; i < 3u; i++) { next.a = i; } output[0] = use_of(old);",
    );
    right(
        "",
        "let old = next; output[0] = use_of(old); for (var i = 0u; i < 3u; i++) { next.a = i; }",
    );
    right(
        "",
        "for (var i = 0u; i < 3u; i++) { next.a = i; } let old = next; output[0] = use_of(old);",
    );
}

#[test]
fn ways_out_of_loops() {
    let around = |round: &str, after: &str| {
        format!("let old = next; for (var i = 0u; i < 9u; i++) {{ {round} }} {after}")
    };
    // Whoever writes does not come back.
    right("", &around("if input[i] == 1u { next.a = i; break; } output[i] = use_of(old);", ""));
    right(
        "",
        &around(
            "if input[i] == 1u { next.a = i; return; } output[i] = use_of(old);",
            "output[0] = use_of(old);",
        ),
    );
    // But comes to what is after.
    wrong("", &around("if input[i] == 1u { next.a = i; break; }", "output[0] = use_of(old);"));
    wrong("", &around("if input[i] == 1u { next.a = i; continue; } output[i] = use_of(old);", ""));
    // In the same round only at the end.
    right(
        "",
        "for (var i = 0u; i < 9u; i++) {
             let old = next;
             if input[i] == 1u { next.a = i; continue; }
             output[i] = use_of(old);
         }",
    );
    wrong(
        "",
        "var i = 0u;
         loop {
             if i >= 9u { break; }
             let old = next;
             if input[i] == 1u { next.a = i; continue; }
             continuing { i++; output[i] = use_of(old); }
         }",
    );
    // The loop's own condition.
    let last = |body: &str| {
        format!("loop {{ let old = next; {body} continuing {{ break if old.a == 3u; }} }}")
    };
    wrong("", &last("next.a = 4u;"));
    right("", &last("output[0] = next.a;"));
    let again = format!("for (var i = 0u; i < 9u; i++) {{ {} next.a = 3u; }}", last(""));
    right("", &again);
    wrong(
        "",
        "let old = next; var i = 0u;
         loop { next.a = i; continuing { i++; break if i >= 9u; } }
         output[0] = use_of(old);",
    );
}

/// Each `break` and `continue` is of the innermost loop, or `switch`.
#[test]
fn ways_out_of_nested_loops() {
    let write_and_break = "if input[i] == 1u { next.a = i; break; }";
    let write_and_continue = "if input[i] == 1u { next.a = i; continue; }";
    let inner_loop = "for (var j = 0u; j < 9u; j++) { output[j] = j; }";
    let inner_switch = "switch input[i] { case 2u: { break; } default: {} }";
    let used = "output[i] = use_of(old);";
    let outer = |round: &str| format!("for (var i = 0u; i < 9u; i++) {{ {round} }}");
    for inner in [inner_loop, inner_switch] {
        let round = format!("{write_and_break} {inner}");
        right("", &format!("let old = next; {}", outer(&format!("{round} {used}"))));
        wrong("", &format!("let old = next; {} output[0] = use_of(old);", outer(&round)));
    }
    wrong(
        "",
        &format!("let old = next; {}", outer(&format!("{used} {write_and_continue} {inner_loop}"))),
    );
    let uses_in_loop = "for (var j = 0u; j < 9u; j++) { output[j] = use_of(old); }";
    right("", &outer(&format!("let old = next; {write_and_continue} {uses_in_loop}")));
    // Always left with a new copy.
    right(
        "",
        "var old: S;
         loop { old = next; if input[0] == 1u { break; } next.a = 3u; }
         output[0] = old.a;",
    );
}

#[test]
fn variables_from_variables() {
    wrong("", "var old = next; next.a = 3u; output[0] = old.a;");
    wrong("", "var old = next; next.a = 3u; output[0] = use_of(old);");
    wrong("", "var old: S; old = next; next.a = 3u; output[0] = old.a;");
    wrong("", "var old = next; old.b = 1u; next.a = 3u; output[0] = old.a;");
    wrong("", "var old = next; var older = old; next.a = 3u; output[0] = older.a;");
    wrong("", "var old = next; let same = old; next.a = 3u; output[0] = use_of(same);");
    wrong("", "pair.first = next; next.a = 3u; output[0] = pair.first.a;");
    wrong("", "var old = pair.first; pair.first.a = 3u; output[0] = old.a;");
    wrong("", "pair = Pair(next, load(3u)); next.a = 3u; output[0] = pair.first.a;");
    wrong(
        "",
        "var old: S; for (var i = 0u; i < 3u; i++) { output[i] = old.a; old = next; next.a = i; }",
    );
    wrong("", "var old = next; next.a = 3u; if old.a == 3u { output[0] = 1u; }");
    // By members.
    right("", "var old = S(next.a, next.b); next.a = 3u; output[0] = old.a;");
    right("", "let copy = next; var old = S(copy.a, copy.b); next.a = 3u; output[0] = old.a;");
    // Overwritten, or not read any more.
    right("", "var old = next; next.a = 3u; old = load(1u); output[0] = old.a;");
    wrong("", "var old = next; next.a = 3u; old.a = 1u; output[0] = old.a;");
    right("", "var old = next; output[0] = old.a; next.a = 3u;");
    right("", "for (var i = 0u; i < 3u; i++) { var old = next; output[i] = old.a; next.a = i; }");
    // The copy is changed, not its source.
    right("", "var old = next; old.a = 3u; output[0] = next.a; output[1] = old.a;");
}

/// An argument of a function is no variable.
#[test]
fn arguments() {
    right(
        "fn f(s: S) -> u32 { var rest = s; rest.a = 1u; let old = s; rest = load(3u); return old.a ^ rest.a; }",
        "output[0] = f(next);",
    );
    right(
        "fn f(s: S) -> S { let old = s; return S(old.b, old.a); }",
        "next = f(next); output[0] = next.a;",
    );
    wrong(
        "fn f(s: S) -> u32 { var rest = s; let old = rest; rest.a = 1u; return old.a; }",
        "output[0] = f(next);",
    );
}

#[test]
fn private_variables() {
    wrong("", "let old = kept; kept.a = 3u; output[0] = use_of(old);");
    right("", "let old = kept; output[0] = use_of(old); kept.a = 3u;");
    wrong("", "kept = next; next.a = 3u; output[0] = kept.a;");
    right("", "let old = kept; kept_too.a = 3u; output[0] = use_of(old);");
}

/// Other lanes have these as well, so no lane has another name for them.
#[test]
fn shared_variables() {
    right("", "let old = shared_struct; shared_struct.a = 3u; output[0] = use_of(old);");
    right(
        "",
        "let old = workgroupUniformLoad(&shared_struct); shared_struct.a = 3u; output[0] = use_of(old);",
    );
    right("", "let old = structs[0]; structs[0].a = 3u; output[0] = use_of(old);");
    right("", "shared_struct = next; next.a = 3u; output[0] = shared_struct.a;");
    right("", "structs[0] = next; next.a = 3u; output[0] = structs[0].a;");
    // Stored, they have been used.
    wrong("", "let old = next; next.a = 3u; shared_struct = old;");
    wrong("", "let old = next; next.a = 3u; structs[0] = old;");
}

#[test]
fn calls_that_write() {
    wrong("", "let old = kept; keep(3u); output[0] = use_of(old);");
    wrong("", "let old = kept; keep_later(3u); output[0] = use_of(old);");
    right("", "let old = kept; output[0] = use_of(old); keep_later(3u);");
    right("", "let old = kept_too; keep_later(3u); output[0] = use_of(old);");
    right("", "let old = S(kept.a, kept.b); keep_later(3u); output[0] = use_of(old);");
    // While it has the copy.
    let writes = "fn f(s: S, i: u32) -> u32 { keep(i); return s.a; }";
    wrong(writes, "output[0] = f(kept, 3u);");
    wrong(writes, "output[0] = f(Pair(kept, next).first, 3u);");
    right(writes, "output[0] = f(kept_too, 3u);");
    right(writes, "output[0] = f(S(kept.a, kept.b), 3u);");
    right(writes, "let old = kept; output[0] = f(S(old.b, old.a), 3u);");
}

#[test]
fn calls_that_read() {
    let reads = "fn f() -> u32 { return kept.a; } fn g() -> u32 { return f() + 1u; }";
    wrong(reads, "kept = next; next.a = 3u; output[0] = f();");
    wrong(reads, "kept = next; next.a = 3u; output[0] = g();");
    right(reads, "kept_too = next; next.a = 3u; output[0] = g();");
    right(reads, "kept = next; output[0] = g(); next.a = 3u;");
}

#[test]
fn calls_that_return_copies() {
    let given = "fn f(i: u32, s: S) -> S { return s; }";
    wrong(given, "let same = f(1u, next); next.a = 3u; output[0] = use_of(same);");
    right(given, "let same = f(1u, S(next.a, next.b)); next.a = 3u; output[0] = use_of(same);");
    right(
        given,
        "let old = next; let same = f(1u, S(old.a, old.b)); next.a = 3u; output[0] = use_of(same);",
    );
    right(given, "let same = f(1u, next); output[0] = use_of(same); next.a = 3u;");
    right(given, "next = f(1u, next); next.a = 3u; output[0] = use_of(next);");
    right(
        given,
        "for (var i = 0u; i < 3u; i++) {
             let same = f(i, next);
             output[i] = use_of(same);
             next.a = i;
         }",
    );
    // By the function's own variable, or as a part.
    wrong(
        "fn f(s: S) -> S { var rest = s; if rest.a == 1u { rest.a = 3u; } return rest; }",
        "let same = f(next); next.a = 3u; output[0] = use_of(same);",
    );
    wrong(
        "fn f(s: S) -> Pair { return Pair(load(3u), s); }",
        "let two = f(next); next.b = 3u; output[0] = two.second.b;",
    );
    wrong(
        "fn f(p: Pair) -> S { return p.second; }",
        "let s = f(pair); pair.second.a = 3u; output[0] = s.a;",
    );
    // New ones.
    right(
        "fn f(s: S) -> S { return S(s.b, s.a); }",
        "let made = f(next); next.a = 3u; output[0] = use_of(made);",
    );
    right(
        "fn f() -> S { var made = load(3u); return made; }",
        "let made = f(); next.a = 3u; output[0] = use_of(made);",
    );
    // Of private variables.
    let private = "fn f() -> S { return kept; } fn g() -> S { return f(); }";
    let uses = "kept.a = 3u; output[0] = use_of(old);";
    assert_eq!(lines(private, &format!("\nlet old = f();\n{uses}")), ["let old = f();"]);
    assert_eq!(lines(private, &format!("\nlet old = g();\n{uses}")), ["let old = g();"]);
    right(private, "let old = g(); kept_too.a = 3u; output[0] = use_of(old);");
    wrong(
        "fn f() -> Pair { return Pair(load(3u), kept); }",
        "let old = f(); kept.b = 3u; output[0] = old.second.b;",
    );
}

/// The finding is where the copy is made.
#[test]
fn where_it_is() {
    let end = "\nnext.a = 3u;\noutput[0] = old.a;\nlet fine = next;\noutput[1] = fine.a;";
    assert_eq!(lines("", &format!("\nlet old = next;{end}")), ["let old = next;"]);
    assert_eq!(lines("", &format!("\nvar old = next;{end}")), ["var old = next;"]);
    // naga forgets the place. There may be others of the name, or of a name that begins with it.
    let others = "
        output[2] = input[2];
        let older = next;
        if lane.index == 1u { let old = older; output[3] = old.a; }
        output[4] = older.a;";
    let again = "let old = next; // Here.";
    assert_eq!(lines("", &format!("{others}\n{again}{end}")), [again]);
    let inner = format!("if lane.index == 3u {{\n{again}{end}\n}}");
    assert_eq!(lines("", &format!("{others}\n{inner}")), [again]);
    let longer = format!("let older = next;\n{again}{end}\noutput[2] = older.b;");
    assert!(lines("", &longer).contains(&again.to_owned()));
    let functions = format!(
        "fn f(s: S) -> u32 {{ let old = s; return old.a; }}
         fn g() -> u32 {{ var next: S;\n{again}\nnext.a = 3u; return old.a; }}"
    );
    assert_eq!(lines(&functions, ""), [again]);
    // Without a name, it is by the next statement.
    let found = "output[2] = 3u;\noutput[0] = f(kept);";
    let writes = "fn f(s: S) -> u32 { keep(3u); return s.a; }";
    assert_eq!(lines(writes, found), ["output[0] = f(kept);"]);
    // naga knows the place of a part.
    let found = "var old =\npair.first;\npair.first.a = 3u;\noutput[0] = old.a;";
    assert_eq!(lines("", found), ["pair.first;"]);
    // The copy counts, not the function that returns it.
    let found = "\nlet old = kept;\nlet same = f(old);\nkeep(3u);\noutput[0] = same.a;";
    assert_eq!(lines("fn f(s: S) -> S { return s; }", found), ["let old = kept;"]);
}

/// Another rule refuses pointers as parameters. Here they lead nowhere.
#[test]
fn pointers() {
    let text = format!(
        "{DECLARATIONS}{COPIES}
         fn f(s: ptr<function, S>) -> u32 {{ let old = *s; (*s).a = 3u; return old.a; }}"
    );
    let parsed = Parsed::new(&text).unwrap_or_else(|error| panic!("{error}"));
    assert!(copies::check(&parsed.module, &text).is_empty());
}
