//! Collectives on the command line.

mod support;

use gridfold::{
    Capabilities, ElementType, Max, OperatorType, SubgroupSizes, Sum, Variant,
    wgpu::Limits,
    wgsl::{Collective, Collectives},
};
use support::*;

fn text(arguments: &[&str]) -> String {
    let output = gridfold(&[&["wgsl"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    stdout(&output).to_owned()
}

#[test]
fn the_text_is_the_librarys() {
    let printed = text(&[
        "--workgroup-size",
        "96",
        "--operator",
        "sum:f32",
        "--operator",
        "top=max:u32",
        "--with",
        "reduce,vote",
        "--mechanism",
        "workgroup-memory",
        "--prefix",
        "mine",
        "--zero",
        "frame.nil",
    ]);
    let source = Collectives::of(&Capabilities::default(), &Limits::defaults())
        .workgroup_size(96)
        .operator::<f32, _>("sum", Sum)
        .operator::<u32, _>("top", Max)
        .with([Collective::Reduce, Collective::Vote])
        .prefix("mine")
        .zero("frame.nil")
        .source()
        .expect("there is a text");
    let (needs, rest) = printed.split_once("\n\n").expect("a comment comes first");
    assert_eq!(rest, source);
    assert!(needs.lines().all(|line| line.starts_with("// ")), "{needs}");
    assert!(!needs.contains("enable subgroups;"), "{needs}");
    for line in [
        "// Takes 416 bytes of workgroup memory.",
        "// The kernel's uniform holds 0 in frame.nil, a u32.",
        "//   sum_workgroup_reduce_all: 8",
        "//   mine_workgroup_any: 5",
    ] {
        assert!(needs.lines().any(|found| found == line), "{line}\n{needs}");
    }
}

#[test]
fn subgroups_are_the_default() {
    let printed = text(&["--operator", "bit-or:u64", "--with", "scan", "--subgroup-size", "32"]);
    let mut capabilities = Capabilities::default();
    capabilities.subgroups = Some(SubgroupSizes { min: 4, max: 32 });
    let source = Collectives::of(&capabilities, &Limits::defaults())
        .variant(Variant::Subgroup)
        .operator_type(OperatorType::BitOr, ElementType::U64, "bit_or")
        .with([Collective::Scan])
        .source()
        .expect("there is a text");
    assert!(printed.ends_with(&source), "{printed}");
    for line in [
        "\n// Needs subgroups",
        "\n// Subgroups have at most 32 lanes.\n",
        "\n// In browsers the module begins with: enable subgroups; (",
    ] {
        assert!(printed.contains(line), "{line}\n{printed}");
    }
}

#[test]
fn sorts_and_tickets_have_what_was_asked_for() {
    let printed = text(&[
        "--operator",
        "sum:u64",
        "--with",
        "sort,ticket",
        "--items-per-lane",
        "16",
        "--ticket",
        "frame.totals",
        "--workgroup-bytes",
        "32768",
    ]);
    for part in [
        "// Takes 16400 bytes of workgroup memory.\n",
        "// Workgroups deliver totals to frame.totals: delivered, an atomic<u32> that is 0, and partials, 2 atomic<u32>s for each.",
        "//   gridfold_f32_workgroup_sort_pairs: 80\n",
        "const gridfold_ITEMS_PER_LANE = 16u;",
        "atomicAdd(&frame.totals.delivered,",
        "fn sum_device_reduce(",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
}

#[test]
fn wrong_calls_are_refused() {
    for (arguments, advice) in [
        (&["--with", "reduce", "--workgroup-size", "0"][..], "take 1 to 1024"),
        (&["--with", "reduce", "--operator", "sum"], "give an operator and a type"),
        (&["--with", "reduce", "--operator", "add:f32"], "no operator add: there are sum, product"),
        (&["--with", "reduce", "--operator", "sum:f31"], "no element type f31: there are f32"),
        (&["--with", "reduce", "--operator", "sum:u8"], "there are no collectives of sum of u8"),
        (&["--with", "sort", "--items-per-lane", "0"], "take 1 to 32"),
        (&["--with", "fold"], "there are these: reduce, scan"),
        (&["--with", "reduce", "--prefix", "1"], "take ASCII letters"),
        (&["--with", "reduce", "--mechanism", "auto"], "there are these: subgroup"),
        (&[], "--with"),
    ] {
        let output = gridfold(&[&["wgsl"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(stderr(&output).contains(advice), "{arguments:?}: {}", stderr(&output));
    }
}
