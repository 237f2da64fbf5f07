//! Scans and selections of files: what they write, and what they leave where they fail.

mod support;
#[path = "support/written.rs"]
mod written;

use std::fs;
use support::{Files, gridfold, stderr, stdout};
use written::{bytes_of, header_text, npy, read, run};

#[test]
fn scans() {
    let files = Files::new();
    let floats = [1.5f32, -2.0, 4.0].map(f32::to_le_bytes);
    let floats = files.add("f.npy", &npy("<f4", 3, &bytes_of(floats)));
    let found = run(&files, &["scan", &floats, "--op", "sum"]);
    let wanted = bytes_of([1.5f32, -0.5, 3.5].map(f32::to_le_bytes));
    assert_eq!(found, (header_text("<f4", 3), wanted));
    let found = run(&files, &["scan", &floats, "--op", "max", "--exclusive"]);
    let wanted = bytes_of([f32::NEG_INFINITY, 1.5, 1.5].map(f32::to_le_bytes));
    assert_eq!(found, (header_text("<f4", 3), wanted));

    // Of a big-endian file, and of narrow elements.
    let big =
        files.add("big.npy", &npy(">u4", 2, &bytes_of([7u32, u32::MAX].map(u32::to_be_bytes))));
    let found = run(&files, &["scan", &big, "--op", "sum"]);
    assert_eq!(found, (header_text("<u4", 2), bytes_of([7u32, 6].map(u32::to_le_bytes))));
    let found = run(&files, &["scan", &big, "--op", "sum", "--wide"]);
    let wanted = bytes_of([7u64, 7 + u64::from(u32::MAX)].map(u64::to_le_bytes));
    assert_eq!(found, (header_text("<u8", 2), wanted));
    let narrow = files.add("narrow.npy", &npy("|i1", 3, &[0x80, 1, 0x7f]));
    let found = run(&files, &["scan", &narrow, "--op", "sum"]);
    assert_eq!(found, (header_text("<i4", 3), bytes_of([-128i32, -127, 0].map(i32::to_le_bytes))));
    let found = run(&files, &["scan", &narrow, "--op", "count", "--exclusive"]);
    assert_eq!(found, (header_text("<u8", 3), bytes_of([0u64, 1, 2].map(u64::to_le_bytes))));
}

/// Means, norms, flags, and NaNs by each rule.
#[test]
fn scans_by_other_operators() {
    let files = Files::new();
    let floats = [3.0f32, -4.0, f32::NAN, 5.0].map(f32::to_le_bytes);
    let nans = files.add("nans.npy", &npy("<f4", 4, &bytes_of(floats)));
    let nan = f32::from_bits(0x7fc0_0000);
    let calls: [(&[&str], [f32; 4]); 8] = [
        (&["--op", "sum"], [3.0, -1.0, nan, nan]),
        (&["--op", "sum", "--nan", "ignore"], [3.0, -1.0, -1.0, 4.0]),
        (&["--op", "mean", "--nan", "ignore"], [3.0, -0.5, -0.5, 4.0 / 3.0]),
        (&["--op", "min", "--nan", "ignore"], [3.0, -4.0, -4.0, -4.0]),
        (&["--op", "max", "--nan", "ignore"], [3.0, 3.0, 3.0, 5.0]),
        (&["--op", "max", "--nan", "total"], [3.0, 3.0, nan, nan]),
        (&["--op", "min", "--nan", "total"], [3.0, -4.0, -4.0, -4.0]),
        (&["--op", "max"], [3.0, 3.0, nan, nan]),
    ];
    for (arguments, wanted) in calls {
        let found = run(&files, &[&["scan", &*nans], arguments].concat());
        let wanted = bytes_of(wanted.map(f32::to_le_bytes));
        assert_eq!(found, (header_text("<f4", 4), wanted), "{arguments:?}");
    }
    let found = run(&files, &["scan", &nans, "--op", "count-nan", "--exclusive"]);
    assert_eq!(found, (header_text("<u8", 4), bytes_of([0u64, 0, 0, 1].map(u64::to_le_bytes))));

    let floats = [3.0f32, -4.0, 0.0, 5.0].map(f32::to_le_bytes);
    let floats = files.add("floats.npy", &npy("<f4", 4, &bytes_of(floats)));
    for (op, wanted) in [
        ("mean", [3.0f32, -0.5, -1.0 / 3.0, 1.0]),
        ("sum-of-squares", [9.0, 25.0, 25.0, 50.0]),
        ("norm", [3.0, 5.0, 5.0, 50.0f32.sqrt()]),
        ("l1-norm", [3.0, 7.0, 7.0, 12.0]),
    ] {
        let found = run(&files, &["scan", &floats, "--op", op]);
        assert_eq!(found, (header_text("<f4", 4), bytes_of(wanted.map(f32::to_le_bytes))), "{op}");
    }
    // Of places, where they are.
    let indices =
        |places: [i64; 4]| (header_text("<i8", 4), bytes_of(places.map(i64::to_le_bytes)));
    for (file, arguments, wanted) in [
        (&floats, &["--op", "arg-min"][..], [0i64, 1, 1, 1]),
        (&floats, &["--op", "arg-max", "--exclusive"], [-1, 0, 0, 0]),
        (&nans, &["--op", "arg-max", "--nan", "ignore"], [0, 0, 0, 3]),
        (&nans, &["--op", "arg-max"], [0, 0, 2, 2]),
    ] {
        let found = run(&files, &[&["scan", &**file], arguments].concat());
        assert_eq!(found, indices(wanted), "{arguments:?}");
    }
    let found = run(&files, &["scan", &floats, "--op", "variance"]);
    let wanted = [0.0f32, 12.25, 74.0 / 9.0, 11.5].map(f32::to_le_bytes);
    assert_eq!(found, (header_text("<f4", 4), bytes_of(wanted)));
    let found = run(&files, &["scan", &floats, "--op", "all"]);
    assert_eq!(found, (header_text("|b1", 4), vec![1, 1, 0, 0]));
    let found = run(&files, &["scan", &floats, "--op", "any", "--exclusive"]);
    assert_eq!(found, (header_text("|b1", 4), vec![0, 1, 1, 1]));
    let integers = files.add("integers.npy", &npy("|u1", 3, &[1, 0, 2]));
    let found = run(&files, &["scan", &integers, "--op", "all", "--nan", "ignore", "--exclusive"]);
    assert_eq!(found, (header_text("|b1", 3), vec![1, 1, 0]));
}

#[test]
fn differences() {
    let files = Files::new();
    let floats = [1.5f32, -2.0, -2.0, f32::NAN].map(f32::to_le_bytes);
    let floats = files.add("f.npy", &npy("<f4", 4, &bytes_of(floats)));
    let found = run(&files, &["difference", &floats]);
    let wanted = [1.5f32, -3.5, 0.0, f32::from_bits(0x7fc0_0000)].map(f32::to_le_bytes);
    assert_eq!(found, (header_text("<f4", 4), bytes_of(wanted)));
    let doubles =
        files.add("d.npy", &npy(">f8", 2, &bytes_of([0.5f64, 2.0].map(f64::to_be_bytes))));
    let found = run(&files, &["difference", &doubles]);
    assert_eq!(found, (header_text("<f8", 2), bytes_of([0.5f64, 1.5].map(f64::to_le_bytes))));
    let wide = files.add("w.npy", &npy("<u8", 2, &bytes_of([5u64, 3].map(u64::to_le_bytes))));
    let found = run(&files, &["difference", &wide]);
    assert_eq!(found, (header_text("<u8", 2), bytes_of([5, u64::MAX - 1].map(u64::to_le_bytes))));

    // Widened.
    let narrow = files.add("narrow.npy", &npy("|i1", 3, &[0x80, 0x7f, 0xff]));
    let found = run(&files, &["difference", &narrow]);
    assert_eq!(
        found,
        (header_text("<i4", 3), bytes_of([-128i32, 255, -128].map(i32::to_le_bytes)))
    );
    let nothing = files.add("nothing.npy", &npy("<i8", 0, &[]));
    assert_eq!(run(&files, &["difference", &nothing]), (header_text("<i8", 0), vec![]));
}

#[test]
fn selections() {
    let files = Files::new();
    let big = bytes_of([1u16, 1, 0x102, 3].map(u16::to_be_bytes));
    let values = files.add("values.npy", &npy(">u2", 4, &big));
    for (descr, mask) in [
        ("|b1", vec![1, 0, 1, 0]),
        ("|u1", vec![9, 0, 255, 0]),
        ("<i4", bytes_of([-1i32, 0, 256, 0].map(i32::to_le_bytes))),
        (">u4", bytes_of([1u32, 0, 256, 0].map(u32::to_be_bytes))),
        ("|i1", vec![0x80, 0, 1, 0]),
        ("<i2", bytes_of([-1i16, 0, 256, 0].map(i16::to_le_bytes))),
        (">u2", bytes_of([1u16, 0, 256, 0].map(u16::to_be_bytes))),
        ("<i8", bytes_of([1i64, 0, 1 << 40, 0].map(i64::to_le_bytes))),
        (">u8", bytes_of([1u64, 0, 1 << 40, 0].map(u64::to_be_bytes))),
    ] {
        let mask = files.add("mask.npy", &npy(descr, 4, &mask));
        let found = run(&files, &["select", &values, "--mask", &mask]);
        let wanted = bytes_of([1u16, 0x102].map(u16::to_be_bytes));
        assert_eq!(found, (header_text(">u2", 2), wanted), "{descr}");
    }
    let doubles = bytes_of([0.5f64, -0.0, 3.0, 4.0].map(f64::to_le_bytes));
    let doubles = files.add("doubles.npy", &npy("<f8", 4, &doubles));
    let mask = files.add("mask.npy", &npy("|b1", 4, &[0, 1, 0, 1]));
    let found = run(&files, &["select", &doubles, "--mask", &mask]);
    assert_eq!(found, (header_text("<f8", 2), bytes_of([-0.0f64, 4.0].map(f64::to_le_bytes))));
}

#[test]
fn selections_by_expressions() {
    let files = Files::new();
    let floats = [0.25f32, f32::NAN, -3.0, 1e-40, 7.5];
    let values = files.add("f.npy", &npy("<f4", 5, &bytes_of(floats.map(f32::to_le_bytes))));
    let found = run(&files, &["select", &values, "--where", "x > 0.0 || x != x"]);
    let wanted = bytes_of([0.25f32, f32::NAN, 1e-40, 7.5].map(f32::to_le_bytes));
    assert_eq!(found, (header_text("<f4", 4), wanted));
    let found = run(&files, &["select", &values, "--where", "-x > 0.0", "--positions"]);
    assert_eq!(found, (header_text("<u8", 1), 2u64.to_le_bytes().to_vec()));

    // As they are in the file, and widened for the expression.
    let big = bytes_of([1i16, -1, 300, -300].map(i16::to_be_bytes));
    let values = files.add("i.npy", &npy(">i2", 4, &big));
    let found = run(&files, &["select", &values, "--where", "x < 0 || i == 2u"]);
    let wanted = bytes_of([-1i16, 300, -300].map(i16::to_be_bytes));
    assert_eq!(found, (header_text(">i2", 3), wanted));
    let doubles = bytes_of([0.5f64, -0.0, 1e300].map(f64::to_be_bytes));
    let values = files.add("d.npy", &npy(">f8", 3, &doubles));
    let found = run(&files, &["select", &values, "--where", "x * 0.1 > 0", "--positions"]);
    assert_eq!(found, (header_text("<u8", 2), bytes_of([0u64, 2].map(u64::to_le_bytes))));
    let longs = bytes_of([1i64 << 40, -1, 7].map(i64::to_le_bytes));
    let values = files.add("l.npy", &npy("<i8", 3, &longs));
    let found = run(&files, &["select", &values, "--where", "x % 2 == 1 || x > 10000000000"]);
    let wanted = bytes_of([1i64 << 40, 7].map(i64::to_le_bytes));
    assert_eq!(found, (header_text("<i8", 2), wanted));

    // By numbers with names.
    let call = ["select", &values, "--where", "x % by == 1 || x > limit", "--parameter", "by=2"];
    let found = run(&files, &[&call[..], &["--parameter", "limit=10000000000"]].concat());
    let wanted = bytes_of([1i64 << 40, 7].map(i64::to_le_bytes));
    assert_eq!(found, (header_text("<i8", 2), wanted));
    let halves = bytes_of([0x3800u16, 0xc000, 0x3c00].map(u16::to_le_bytes));
    let halves = files.add("h.npy", &npy("<f2", 3, &halves));
    let call = ["select", &halves, "--where", "x > limit", "--parameter", "limit=-1.5"];
    let found = run(&files, &[&call[..], &["--positions"]].concat());
    assert_eq!(found, (header_text("<u8", 2), bytes_of([0u64, 2].map(u64::to_le_bytes))));

    let bools = files.add("b.npy", &npy("|b1", 3, &[0, 1, 1]));
    let found = run(&files, &["select", &bools, "--where", "x == 1u", "--positions"]);
    assert_eq!(found, (header_text("<u8", 2), bytes_of([1u64, 2].map(u64::to_le_bytes))));
    let found = run(&files, &["select", &bools, "--mask", &bools, "--positions"]);
    assert_eq!(found, (header_text("<u8", 2), bytes_of([1u64, 2].map(u64::to_le_bytes))));
}

#[test]
fn partitions() {
    let files = Files::new();
    let rest = files.path("rest.npy");
    let rest_text = rest.to_str().expect("text");
    let big = bytes_of([1i16, -1, 300, -300].map(i16::to_be_bytes));
    let values = files.add("i.npy", &npy(">i2", 4, &big));
    let mask = files.add("m.npy", &npy("|b1", 4, &[0, 1, 0, 1]));
    for which in [["--where", "x < 0"], ["--mask", &mask]] {
        let arguments = [&["partition", &values, "--rest", rest_text][..], &which].concat();
        let wanted = |of: [i16; 2]| (header_text(">i2", 2), bytes_of(of.map(i16::to_be_bytes)));
        assert_eq!(run(&files, &arguments), wanted([-1, -300]));
        assert_eq!(read(&rest), wanted([1, 300]));
        fs::remove_file(&rest).expect("it is there");
    }
    let doubles = bytes_of([0.5f64, -0.0, 3.0, 4.0].map(f64::to_le_bytes));
    let doubles = files.add("d.npy", &npy("<f8", 4, &doubles));
    let found = run(&files, &["partition", &doubles, "--mask", &mask, "--rest", rest_text]);
    assert_eq!(found, (header_text("<f8", 2), bytes_of([-0.0f64, 4.0].map(f64::to_le_bytes))));
    let wanted = bytes_of([0.5f64, 3.0].map(f64::to_le_bytes));
    assert_eq!(read(&rest), (header_text("<f8", 2), wanted));
    // All, and none.
    let found = run(&files, &["partition", &values, "--where", "true", "--rest", rest_text]);
    assert_eq!(found, (header_text(">i2", 4), big));
    assert_eq!(read(&rest), (header_text(">i2", 0), vec![]));
}

#[test]
fn runs() {
    let files = Files::new();
    let values = bytes_of([5i64, 5, -1, -1, -1, 5].map(i64::to_le_bytes));
    let values = files.add("values.npy", &npy("<i8", 6, &values));
    let wanted = (header_text("<i8", 3), bytes_of([5i64, -1, 5].map(i64::to_le_bytes)));
    assert_eq!(run(&files, &["unique", &values]), wanted);
    let lengths = files.path("lengths.npy");
    let lengths_text = lengths.to_str().expect("text");
    assert_eq!(run(&files, &["run-lengths", &values, "--lengths", lengths_text]), wanted);
    let wanted = (header_text("<u8", 3), bytes_of([2u64, 3, 1].map(u64::to_le_bytes)));
    assert_eq!(read(&lengths), wanted);
    let bytes = files.add("bytes.npy", &npy("|u1", 5, &[3, 3, 0, 0, 200]));
    assert_eq!(run(&files, &["unique", &bytes]), (header_text("|u1", 3), vec![3, 0, 200]));
    let nothing = files.add("nothing.npy", &npy("<f4", 0, &[]));
    assert_eq!(run(&files, &["unique", &nothing]), (header_text("<f4", 0), vec![]));
}

#[test]
fn scans_offer_what_there_is() {
    let help = gridfold(&["scan", "--help"]);
    let words = stdout(&help).split_whitespace().collect::<Vec<_>>().join(" ");
    let offered = "sum, product, min, max, arg-min, arg-min-last, arg-max, arg-max-last, bit-and, bit-or, bit-xor, max-abs, \
                   count, count-nan, any, all, mean, sum-of-squares, norm, l1-norm, variance, sample-variance]";
    assert!(words.contains(offered), "{words}");
    for op in ["arg-min-max", "moments", "min-max"] {
        assert!(!words.contains(op), "{op}: {words}");
    }
}

/// What fails says what to do, and leaves the outputs as they were, and nothing beside them.
#[test]
fn failures_leave_nothing() {
    let files = Files::new();
    let values = files.add("values.npy", &npy("<f4", 3, &[0; 12]));
    let short = files.add("short.npy", &npy("|b1", 2, &[1, 1]));
    let doubles = files.add("doubles.npy", &npy("<f8", 1, &[0; 8]));
    let behind = files.add("behind.npy", &npy("|u1", 2, &[0, 4]));
    let before = files.add("before.npy", &npy("|u1", 2, &[2, 0]));
    let cut = files.add("cut.npy", &npy("<f4", 3, &[0; 11]));
    let longs = |numbers: [i64; 3]| npy("<i8", 3, &bytes_of(numbers.map(i64::to_le_bytes)));
    let negative = files.add("negative.npy", &longs([0, -3, 3]));
    let large = files.add("large.npy", &longs([0, 3, 1 << 32]));
    let together = files.add("together.npy", &longs([1 << 31, 1 << 31, 0]));
    let out = files.add("out.npy", b"as it was");
    let missing = files.path("missing/out.npy");
    let missing = missing.to_str().expect("text");
    for (arguments, status, part) in [
        (vec!["select", &values, "--mask", &short, "--out", &out], 2, "arrays of one shape"),
        (
            vec!["select", &values, "--mask", &values, "--out", &out],
            2,
            "values.npy has elements of float32, which are no mask: give bools or integers, as mask.astype(\"bool\")",
        ),
        (vec!["select", &values, "--where", "x", "--out", &out], 2, "of type `f32`"),
        (vec!["select", &values, "--where", "sin(x) > 0", "--out", &out], 2, "there is no `sin`"),
        (vec!["select", &doubles, "--where", "x", "--out", &out], 2, "of type `f64`"),
        (vec!["select", &values, "--out", &out], 2, "<--mask <FILE>|--where <EXPRESSION>>"),
        (
            vec!["select", &values, "--where", "x > 0", "--mask", &short, "--out", &out],
            2,
            "cannot be used with",
        ),
        (vec!["scan", &cut, "--op", "sum", "--out", &out], 1, "it ends after 11 of 12"),
        (
            vec!["scan", &values, "--op", "moments", "--out", &out],
            2,
            "sum, product, min, max, arg-min",
        ),
        (
            vec!["scan", &values, "--op", "max-abs", "--nan", "ignore", "--out", &out],
            2,
            "max-abs has no such rule for NaNs: leave --nan out",
        ),
        (
            vec!["scan", &values, "--op", "sum", "--nan", "total", "--out", &out],
            2,
            "sum has no such rule for NaNs: leave --nan out",
        ),
        (
            vec!["scan", &values, "--op", "sample-variance", "--nan", "ignore", "--out", &out],
            2,
            "values.npy: there is no scan by sample-variance without NaNs, for these are exact results alone, which scans do not have: \
             leave --nan out, and take a file without NaNs, as `gridfold select --where \"x == x\"` writes it",
        ),
        (
            vec!["scan", &values, "--op", "sum", "--wide", "--out", &out],
            2,
            "there is none by sum of float32: leave --wide out",
        ),
        (
            vec!["scan", &behind, "--op", "min", "--wide", "--out", &out],
            2,
            "there is none by min of uint8: leave --wide out",
        ),
        (
            vec!["scan", &values, "--op", "bit-or", "--wide", "--out", &out],
            2,
            "there is no scan by bit-or of float32: choose one of sum",
        ),
        (
            vec!["scan", &behind, "--op", "mean", "--out", &out],
            2,
            "behind.npy: there is no scan by mean of uint8: choose",
        ),
        (
            vec!["scan", &values, "--op", "sum", "--out", "-"],
            2,
            "--out - names no file: give the path of one",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--axis", "1", "--out", &out],
            2,
            "values.npy: an array of 1 axes has no axis 1: choose one below 1",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--segments", &values, "--out", &out],
            2,
            "give integers",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--segments", &behind, "--out", &out],
            2,
            "behind.npy: offset 1 is 4, where 0 to 3 would do: give offsets that never fall",
        ),
        (
            vec!["reduce", &values, "--op", "dot", "--axis", "0", "--out", &out],
            2,
            "there is no dot of float32 for each segment or along axes",
        ),
        (
            vec!["reduce", &behind, "--op", "norm", "--axis", "0", "--out", &out],
            2,
            "norm is not defined for uint8",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--segments", &negative, "--out", &out],
            2,
            "offset 1 of ",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--segments", &negative, "--out", &out],
            2,
            "negative.npy is -3: give numbers from 0 to below 2^32",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--segments", &large, "--out", &out],
            2,
            "large.npy is 4294967296: give numbers",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--lengths", &large, "--out", &out],
            2,
            "length 2 of ",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--lengths", &together, "--out", &out],
            2,
            "the end of segment 1 of ",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--axis", "0,-1", "--out", &out],
            2,
            "give each axis once",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--by", &values, "--out", &out],
            2,
            "give integers or bools",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--by", &short, "--out", &out],
            2,
            "arrays of one shape",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--lengths", &behind, "--out", &out],
            2,
            "behind.npy has lengths of 4 elements together, and ",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--lengths", &before, "--out", &out],
            2,
            "values.npy has 3: give lengths that add up to 3, or leave elements out by --segments",
        ),
        (vec!["reduce", &values, "--op", "sum", "--flags", &values, "--out", &out], 2, "no mask"),
        (
            vec![
                "reduce",
                &values,
                "--op",
                "sum",
                "--by",
                &behind,
                "--out",
                &out,
                "--keys-out",
                &out,
            ],
            2,
            "another path",
        ),
        (vec!["reduce", &values, "--op", "sum", "--keepdims", "--out", &out], 2, "--axis"),
        (vec!["reduce", &values, "--op", "sum", "--out", &out], 2, "--axis"),
        (
            vec!["reduce", &values, "--op", "sum", "--axis", "0", "--by", &behind, "--out", &out],
            2,
            "cannot be used with",
        ),
        (vec!["unique", &values, "--out", missing], 1, "give --out the path"),
        (vec!["scan", &values, "--op", "sum", "--out", missing], 1, "give --out the path"),
        (
            vec![
                "reduce",
                &values,
                "--op",
                "sum",
                "--by-runs",
                &values,
                "--out",
                &out,
                "--keys-out",
                missing,
            ],
            1,
            "give --keys-out the path",
        ),
        (
            vec!["select", &values, "--where", "x > a", "--parameter", "a=b", "--out", &out],
            2,
            "the parameter `a` has no value",
        ),
        (
            vec!["select", &values, "--where", "x > 0", "--parameter", "a=1", "--out", &out],
            2,
            "the parameter `a` is in no expression: leave it out, or write it in one",
        ),
        (
            vec!["select", &values, "--where", "x > b", "--parameter", "a=1", "--out", &out],
            2,
            "--where can't be taken",
        ),
        (
            vec!["select", &values, "--mask", &values, "--parameter", "a=1", "--out", &out],
            2,
            "cannot be used with",
        ),
        (vec!["run-lengths", &values, "--out", &out, "--lengths", &out], 2, "another path"),
        (
            vec!["partition", &values, "--where", "x > 1.0", "--out", &out, "--rest", &out],
            2,
            "give --rest another path",
        ),
        (
            vec!["partition", &values, "--where", "x > 1.0", "--out", &out, "--rest", missing],
            1,
            "give --rest the path",
        ),
        (vec!["partition", &values, "--out", &out, "--rest", missing], 2, "--where <EXPRESSION>"),
        (
            vec!["run-lengths", &values, "--out", &out, "--lengths", missing],
            1,
            "give --lengths the path",
        ),
    ] {
        let output = gridfold(&[&arguments[..], &["--adapter", "cpu"]].concat());
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
        assert_eq!(fs::read(&out).expect("it is there"), b"as it was");
    }
    assert!(files.names().iter().all(|name| name.ends_with(".npy")), "{:?}", files.names());
}
