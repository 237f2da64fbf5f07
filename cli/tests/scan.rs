//! Scans and selections of files: what they write, and what they leave where they fail.

mod support;

use std::{fs, path::Path};
use support::{Files, gridfold, header, stderr, stdout};

/// The header's text, and the bytes behind it.
fn read(path: &Path) -> (String, Vec<u8>) {
    let bytes = fs::read(path).expect("it was written");
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(end % 64, 0);
    let text = String::from_utf8(bytes[10..end].to_vec()).expect("text");
    (text.trim().to_owned(), bytes[end..].to_vec())
}

fn npy(descr: &str, len: usize, elements: &[u8]) -> Vec<u8> {
    let shape = format!("({len},)");
    [header(1, &format!("'{descr}'"), "False", &shape), elements.to_vec()].concat()
}

fn header_text(descr: &str, len: usize) -> String {
    format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len},), }}")
}

fn bytes_of<const N: usize>(values: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    values.into_iter().flatten().collect()
}

/// Runs a call that writes `out.npy`, on the CPU.
fn run(files: &Files, arguments: &[&str]) -> (String, Vec<u8>) {
    let out = files.path("out.npy");
    let out_text = out.to_str().expect("text");
    let output = gridfold(&[arguments, &["--adapter", "cpu", "--out", out_text]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains(", on cpu/"), "{}", stdout(&output));
    read(&out)
}

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
fn axes_and_segments() {
    let files = Files::new();
    let of_shape = |descr: &str, order: &str, shape: &str, elements: &[u8]| {
        [header(1, &format!("'{descr}'"), order, shape), elements.to_vec()].concat()
    };
    let text = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}")
    };
    let numbers = bytes_of((0..24).map(|x: i16| x.to_be_bytes()));
    let cube = files.add("cube.npy", &of_shape(">i2", "False", "(2, 3, 4)", &numbers));
    let sums = |numbers: &[i64]| bytes_of(numbers.iter().map(|x| x.to_le_bytes()));
    for axis in ["1", "-2"] {
        let found = run(&files, &["reduce", &cube, "--op", "sum", "--axis", axis]);
        let wanted = sums(&[12, 15, 18, 21, 48, 51, 54, 57]);
        assert_eq!(found, (text("<i8", "False", "(2, 4)"), wanted));
    }
    let found = run(&files, &["reduce", &cube, "--op", "max", "--axis", "2"]);
    let wanted = bytes_of([3i32, 7, 11, 15, 19, 23].map(i32::to_le_bytes));
    assert_eq!(found, (text("<i4", "False", "(2, 3)"), wanted));

    // In Fortran's order the first axis varies fastest, also of the results.
    let floats = bytes_of([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes));
    let fortran = files.add("fortran.npy", &of_shape("<f4", "True", "(2, 3)", &floats));
    let found = run(&files, &["reduce", &fortran, "--op", "mean", "--axis", "0"]);
    let wanted = bytes_of([1.5f32, 3.5, 5.5].map(f32::to_le_bytes));
    assert_eq!(found, (text("<f4", "True", "(3,)"), wanted));
    let found = run(&files, &["reduce", &fortran, "--op", "sum", "--axis", "1"]);
    let wanted = bytes_of([9.0f32, 12.0].map(f32::to_le_bytes));
    assert_eq!(found, (text("<f4", "True", "(2,)"), wanted));

    // Empty segments have the results of nothing.
    let row = files.add("row.npy", &npy("<f4", 6, &floats));
    let found = run(&files, &["reduce", &row, "--op", "sum", "--axis", "0"]);
    assert_eq!(found, (text("<f4", "False", "()"), 21f32.to_le_bytes().to_vec()));
    let offsets = files.add("offsets.npy", &npy("<i8", 4, &sums(&[1, 1, 4, 6])));
    let found = run(&files, &["reduce", &row, "--op", "min", "--segments", &offsets]);
    let wanted = bytes_of([f32::INFINITY, 2.0, 5.0].map(f32::to_le_bytes));
    assert_eq!(found, (header_text("<f4", 3), wanted));
    let narrow = files.add("narrow.npy", &npy("|u1", 2, &[0, 6]));
    let arguments = ["reduce", &row, "--op", "sum", "--segments", &narrow, "--adapter", "cpu"];
    let output = gridfold(&[&arguments[..], &["--precision", "exact"]].concat());
    assert_eq!(stdout(&output), "21 (0x41a80000)\n", "{}", stderr(&output));
}

#[test]
fn several_axes_and_keys() {
    let files = Files::new();
    let text = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}")
    };
    let sums = |numbers: &[i64]| bytes_of(numbers.iter().map(|x| x.to_le_bytes()));
    let numbers = bytes_of((0..24).map(|x: i16| x.to_be_bytes()));
    let cube_of = |order: &str| [header(1, "'>i2'", order, "(2, 3, 4)"), numbers.clone()].concat();
    let cube = files.add("cube.npy", &cube_of("False"));
    // As numpy.arange(24).reshape(2, 3, 4).sum((0, 2)).
    for axes in ["0,2", "-1,0"] {
        let found = run(&files, &["reduce", &cube, "--op", "sum", "--axis", axes]);
        assert_eq!(found, (text("<i8", "False", "(3,)"), sums(&[60, 92, 124])));
    }
    let found = run(&files, &["reduce", &cube, "--op", "sum", "--axis", "0,2", "--keepdims"]);
    assert_eq!(found, (text("<i8", "False", "(1, 3, 1)"), sums(&[60, 92, 124])));
    // As numpy.arange(24).reshape(2, 3, 4, order="F").sum((0, 2)).
    let fortran = files.add("fortran.npy", &cube_of("True"));
    let found = run(&files, &["reduce", &fortran, "--op", "sum", "--axis", "0,2", "--keepdims"]);
    assert_eq!(found, (text("<i8", "True", "(1, 3, 1)"), sums(&[76, 92, 108])));
    let found = run(&files, &["reduce", &cube, "--op", "arg-max", "--axis", "1"]);
    assert_eq!(found, (text("<i8", "False", "(2, 4)"), sums(&[2; 8])));
    let found = run(&files, &["reduce", &cube, "--op", "arg-min", "--axis", "0,1,2"]);
    assert_eq!(found, (text("<i8", "False", "()"), sums(&[0])));

    let floats = bytes_of([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes));
    let row = files.add("row.npy", &npy("<f4", 6, &floats));
    let wanted = |numbers: &[f32]| {
        (header_text("<f4", numbers.len()), bytes_of(numbers.iter().map(|x| x.to_le_bytes())))
    };
    let keys = bytes_of([7i8, -7, 7, 7, -7, 0].map(i8::to_le_bytes));
    let keys = files.add("keys.npy", &npy("|i1", 6, &keys));
    let keys_out = files.path("keys_out.npy");
    let keys_text = keys_out.to_str().expect("text");
    for (option, sums, unique) in [
        ("--by", &[7.0f32, 6.0, 8.0][..], &[-7i32, 0, 7][..]),
        ("--by-runs", &[1.0, 2.0, 7.0, 5.0, 6.0], &[7, -7, 7, -7, 0]),
    ] {
        let arguments = ["reduce", &row, "--op", "sum", option, &keys, "--keys-out", keys_text];
        assert_eq!(run(&files, &arguments), wanted(sums));
        let unique = bytes_of(unique.iter().map(|key| key.to_le_bytes()));
        assert_eq!(read(&keys_out), (header_text("<i4", sums.len()), unique));
    }
    let output = gridfold(&["reduce", &row, "--op", "sum", "--by", &keys, "--adapter", "cpu"]);
    let lines = "-7: 7 (0x40e00000)\n0: 6 (0x40c00000)\n7: 8 (0x41000000)\n";
    assert_eq!(stdout(&output), lines, "{}", stderr(&output));
    let wide = bytes_of([5u64 << 40, 5 << 40, 1, 1, 1, 5 << 40].map(u64::to_le_bytes));
    let wide = files.add("wide.npy", &npy("<u8", 6, &wide));
    assert_eq!(run(&files, &["reduce", &row, "--op", "sum", "--by", &wide]), wanted(&[12.0, 9.0]));
    let runs = run(&files, &["reduce", &row, "--op", "sum", "--by-runs", &row]);
    assert_eq!(runs, wanted(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let lengths =
        files.add("lengths.npy", &npy("<i2", 3, &bytes_of([2i16, 0, 3].map(i16::to_le_bytes))));
    let found = run(&files, &["reduce", &row, "--op", "sum", "--lengths", &lengths]);
    assert_eq!(found, wanted(&[3.0, 0.0, 12.0]));
    let flags = files.add("flags.npy", &npy("|b1", 6, &[0, 1, 0, 0, 1, 0]));
    let found = run(&files, &["reduce", &row, "--op", "max", "--flags", &flags]);
    assert_eq!(found, wanted(&[4.0, 6.0]));
}

/// What fails says what to do, and leaves the outputs as they were, and nothing beside them.
#[test]
fn failures_leave_nothing() {
    let files = Files::new();
    let values = files.add("values.npy", &npy("<f4", 3, &[0; 12]));
    let short = files.add("short.npy", &npy("|b1", 2, &[1, 1]));
    let doubles = files.add("doubles.npy", &npy("<f8", 1, &[0; 8]));
    let behind = files.add("behind.npy", &npy("|u1", 2, &[0, 4]));
    let cut = files.add("cut.npy", &npy("<f4", 3, &[0; 11]));
    let out = files.add("out.npy", b"as it was");
    let missing = files.path("missing/out.npy");
    let missing = missing.to_str().expect("text");
    for (arguments, status, part) in [
        (vec!["select", &values, "--mask", &short, "--out", &out], 2, "of the same length"),
        (vec!["select", &values, "--mask", &values, "--out", &out], 2, "no mask"),
        (vec!["select", &values, "--where", "x", "--out", &out], 2, "of type `f32`"),
        (vec!["select", &values, "--where", "sin(x) > 0", "--out", &out], 2, "there is no `sin`"),
        (vec!["select", &doubles, "--where", "x", "--out", &out], 2, "of type `f64`"),
        (vec!["select", &values, "--out", &out], 2, "--mask"),
        (
            vec!["select", &values, "--where", "x > 0", "--mask", &short, "--out", &out],
            2,
            "cannot be used with",
        ),
        (vec!["scan", &cut, "--op", "sum", "--out", &out], 1, "it ends after 11 of 12"),
        (vec!["scan", &values, "--op", "mean", "--out", &out], 2, "is not defined"),
        (vec!["scan", &values, "--op", "sum", "--wide", "--out", &out], 2, "is not defined"),
        (
            vec!["reduce", &values, "--op", "sum", "--axis", "1", "--out", &out],
            2,
            "choose one below 1",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--segments", &values, "--out", &out],
            2,
            "give integers",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--segments", &behind, "--out", &out],
            2,
            "never fall",
        ),
        (
            vec!["reduce", &values, "--op", "min-max", "--axis", "0", "--out", &out],
            2,
            "is not defined",
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
            "of the same length",
        ),
        (
            vec!["reduce", &values, "--op", "sum", "--lengths", &behind, "--out", &out],
            2,
            "never fall",
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
        (vec!["reduce", &values, "--op", "sum", "--axis", "0", "--json"], 2, "cannot be used with"),
        (vec!["unique", &values, "--out", missing], 1, "can't be written"),
        (vec!["run-lengths", &values, "--out", &out, "--lengths", &out], 2, "another path"),
        (
            vec!["partition", &values, "--where", "x > 1.0", "--out", &out, "--rest", &out],
            2,
            "give --rest another path",
        ),
        (
            vec!["partition", &values, "--where", "x > 1.0", "--out", &out, "--rest", missing],
            1,
            "can't be written",
        ),
        (vec!["partition", &values, "--out", &out, "--rest", missing], 2, "--mask"),
        (vec!["run-lengths", &values, "--out", &out, "--lengths", missing], 1, "can't be written"),
    ] {
        let output = gridfold(&[&arguments[..], &["--adapter", "cpu"]].concat());
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
        assert_eq!(fs::read(&out).expect("it is there"), b"as it was");
    }
    let folder = files.path("");
    let beside = fs::read_dir(folder).expect("a folder").filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().ends_with(".part")
    });
    assert_eq!(beside.count(), 0);
}
