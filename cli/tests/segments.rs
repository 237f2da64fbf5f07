//! Results of axes and of segments: what is written, and what is printed.

mod support;
#[path = "support/written.rs"]
mod written;

use support::{Files, gridfold, header, stderr, stdout};
use written::{bytes_of, header_text, npy, read, run};

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

    // But places in several axes are C's, of several extrema the first.
    let places = bytes_of([5.0f32, 7.0, 1.0, 9.0, 1.0, 1.0].map(f32::to_le_bytes));
    let places = files.add("places.npy", &of_shape("<f4", "True", "(2, 3)", &places));
    for (axes, wanted) in [("0,1", 1u64), ("1,0", 1)] {
        let found = run(&files, &["reduce", &places, "--op", "arg-min", "--axis", axes]);
        assert_eq!(found, (text("<i8", "False", "()"), wanted.to_le_bytes().to_vec()));
    }

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

/// Both extrema are a last axis of two.
#[test]
fn several_numbers_of_a_segment() {
    let files = Files::new();
    let text = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}")
    };
    let floats = |numbers: &[f32]| bytes_of(numbers.iter().map(|x| x.to_le_bytes()));
    let places = |numbers: &[i64]| bytes_of(numbers.iter().map(|x| x.to_le_bytes()));
    let elements = floats(&[3.0, -1.0, 2.0, 0.0, 7.0, f32::NAN]);
    let of_order = |order: &str| [header(1, "'<f4'", order, "(2, 3)"), elements.clone()].concat();
    let (c, fortran) = (of_order("False"), of_order("True"));
    let (c, fortran) = (files.add("c.npy", &c), files.add("fortran.npy", &fortran));
    let found = run(&files, &["reduce", &c, "--op", "min-max", "--axis", "1"]);
    let nan = f32::from_bits(0x7fc0_0000);
    assert_eq!(found, (text("<f4", "False", "(2, 2)"), floats(&[-1.0, 3.0, nan, nan])));
    let found = run(&files, &["reduce", &c, "--op", "arg-min-max", "--axis", "0"]);
    assert_eq!(found, (text("<i8", "False", "(3, 2)"), places(&[1, 0, 0, 1, 1, 1])));
    // All minima come first, where the last axis varies slowest.
    let found = run(&files, &["reduce", &fortran, "--op", "min-max", "--axis", "0"]);
    let wanted = floats(&[-1.0, 0.0, nan, 3.0, 2.0, nan]);
    assert_eq!(found, (text("<f4", "True", "(3, 2)"), wanted));
    let arguments = ["reduce", &c, "--op", "min-max", "--axis", "0,1", "--keepdims"];
    let found = run(&files, &arguments);
    assert_eq!(found, (text("<f4", "False", "(1, 1, 2)"), floats(&[nan, nan])));

    let offsets = files.add("offsets.npy", &npy("|u1", 3, &[1, 1, 3]));
    let integers =
        files.add("i.npy", &npy("<i2", 3, &bytes_of([5i16, -7, 0].map(i16::to_le_bytes))));
    let lines = |op: &str| {
        let call = ["reduce", &integers, "--op", op, "--segments", &offsets, "--adapter", "cpu"];
        stdout(&gridfold(&call)).to_owned()
    };
    // Of nothing the neutral elements, and no place.
    assert_eq!(
        lines("min-max"),
        "2147483647 (0x7fffffff) and -2147483648 (0x80000000)\n-7 (0xfffffff9) and 0 (0x00000000)\n"
    );
    let nowhere = "-1 (0xffffffffffffffff)";
    let wanted =
        format!("{nowhere} and {nowhere}\n0 (0x0000000000000000) and 1 (0x0000000000000001)\n");
    assert_eq!(lines("arg-min-max"), wanted);
    assert_eq!(lines("any"), "false (0x00)\ntrue (0x01)\n");
    assert_eq!(lines("max-abs"), "0 (0x00000000)\n7 (0x00000007)\n");
}

#[test]
fn other_results_of_axes() {
    let files = Files::new();
    let floats = [3.0f32, f32::NAN, -0.0, 0.0, -7.0, 1.0].map(f32::to_le_bytes);
    let bytes = [header(1, "'<f4'", "False", "(3, 2)"), bytes_of(floats)].concat();
    let file = files.add("f.npy", &bytes);
    let of = |op: &str| run(&files, &["reduce", &file, "--op", op, "--axis", "0"]);
    assert_eq!(of("all"), (header_text("|b1", 2), vec![0, 0]));
    assert_eq!(of("any"), (header_text("|b1", 2), vec![1, 1]));
    let counts = bytes_of([0u64, 1].map(u64::to_le_bytes));
    assert_eq!(of("count-nan"), (header_text("<u8", 2), counts));
    let norms = [10.0, f32::from_bits(0x7fc0_0000)].map(f32::to_le_bytes);
    assert_eq!(of("l1-norm"), (header_text("<f4", 2), bytes_of(norms)));
}
