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
    let wanted = bytes_of([3i16, 7, 11, 15, 19, 23].map(i16::to_le_bytes));
    assert_eq!(found, (text("<i2", "False", "(2, 3)"), wanted));

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
    // Exact norms, where squares are too large or too small for a float32.
    let [huge, tiny] = [227u32, 27].map(|exponent| f32::from_bits(exponent << 23));
    let sides = [3.0 * huge, 4.0 * huge, 5.0 * tiny, 12.0 * tiny].map(f32::to_le_bytes);
    let sides = files.add("sides.npy", &of_shape("<f4", "False", "(2, 2)", &bytes_of(sides)));
    let arguments = ["reduce", &sides, "--op", "norm", "--axis", "1", "--precision", "exact"];
    let wanted = bytes_of([5.0 * huge, 13.0 * tiny].map(f32::to_le_bytes));
    assert_eq!(run(&files, &arguments), (text("<f4", "False", "(2,)"), wanted));
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
        files.add("lengths.npy", &npy("<i2", 3, &bytes_of([2i16, 0, 4].map(i16::to_le_bytes))));
    let found = run(&files, &["reduce", &row, "--op", "sum", "--lengths", &lengths]);
    assert_eq!(found, wanted(&[3.0, 0.0, 18.0]));
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
        "32767 (0x7fff) and -32768 (0x8000)\n-7 (0xfff9) and 0 (0x0000)\n"
    );
    let nowhere = "-1 (0xffffffffffffffff)";
    let wanted =
        format!("{nowhere} and {nowhere}\n0 (0x0000000000000000) and 1 (0x0000000000000001)\n");
    assert_eq!(lines("arg-min-max"), wanted);
    assert_eq!(lines("any"), "false (0x00)\ntrue (0x01)\n");
    assert_eq!(lines("max-abs"), "0 (0x0000)\n7 (0x0007)\n");
}

/// A number of a type, as a file has it.
fn bytes_as(descr: &str, numbers: &[i64]) -> Vec<u8> {
    let size = usize::from(descr.as_bytes()[2] - b'0');
    let of_one = |number: &i64| {
        let mut bytes = number.to_le_bytes()[..size].to_vec();
        if descr.starts_with('>') {
            bytes.reverse();
        }
        bytes
    };
    numbers.iter().flat_map(of_one).collect()
}

/// Of integers the results are what NumPy's are, and of nothing the end of the type.
#[test]
fn extrema_and_bits_have_the_files_type() {
    let files = Files::new();
    let offsets = files.add("offsets.npy", &npy("|u1", 4, &[0, 2, 2, 3]));
    let keys = files.add("keys.npy", &npy("|u1", 3, &[7, 7, 2]));
    // The type of results, that of magnitudes, the ends, and two elements beside a 5.
    for (descr, own, magnitude, [low, high], [a, c]) in [
        ("|i1", "|i1", "|u1", [-128, 127], [-128, -1]),
        ("|u1", "|u1", "|u1", [0, 255], [128, 255]),
        ("<i2", "<i2", "<u2", [-32768, 32767], [-32768, -1]),
        (">i2", "<i2", "<u2", [-32768, 32767], [-32768, -1]),
        ("<u2", "<u2", "<u2", [0, 65535], [0x8000, 0xffff]),
        (">u2", "<u2", "<u2", [0, 65535], [0x8000, 0xffff]),
        ("<i4", "<i4", "<u4", [i32::MIN.into(), i32::MAX.into()], [i32::MIN.into(), -1]),
        ("<u4", "<u4", "<u4", [0, u32::MAX.into()], [1 << 31, u32::MAX.into()]),
        ("<i8", "<i8", "<u8", [i64::MIN, i64::MAX], [i64::MIN, -1]),
    ] {
        let file = files.add("numbers.npy", &npy(descr, 3, &bytes_as(descr, &[a, 5, c])));
        // Of two elements, of nothing, and of the third.
        for (op, out, two, nothing, one) in [
            ("min", own, a.min(5), high, c),
            ("max", own, a.max(5), low, c),
            ("bit-and", own, a & 5, -1, c),
            ("bit-or", own, a | 5, 0, c),
            ("bit-xor", own, a ^ 5, 0, c),
            ("max-abs", magnitude, a.wrapping_abs(), 0, c.wrapping_abs()),
        ] {
            let call = ["reduce", &file, "--op", op, "--segments", &offsets];
            let wanted = (header_text(out, 3), bytes_as(out, &[two, nothing, one]));
            assert_eq!(run(&files, &call), wanted, "{op} of {descr}");
            let call = ["reduce", &file, "--op", op, "--by", &keys];
            let wanted = (header_text(out, 2), bytes_as(out, &[one, two]));
            assert_eq!(run(&files, &call), wanted, "{op} of {descr}");
        }
        let call = ["reduce", &file, "--op", "min-max", "--axis", "0"];
        let (least, largest) = (a.min(5).min(c), a.max(5).max(c));
        let wanted = (header_text(own, 2), bytes_as(own, &[least, largest]));
        assert_eq!(run(&files, &call), wanted, "min-max of {descr}");
        // Sums have 64 bits.
        let call = ["reduce", &file, "--op", "sum", "--axis", "0", "--keepdims"];
        let wide = if own.contains('u') { "<u8" } else { "<i8" };
        let sum = a.wrapping_add(5).wrapping_add(c);
        let wanted = (header_text(wide, 1), bytes_as(wide, &[sum]));
        assert_eq!(run(&files, &call), wanted, "sum of {descr}");
    }
    let bytes = files.add("bytes.npy", &npy("|i1", 3, &[0x80, 5, 0xff]));
    let lines = |op: &str| {
        let call = ["reduce", &bytes, "--op", op, "--segments", &offsets, "--adapter", "cpu"];
        stdout(&gridfold(&call)).to_owned()
    };
    assert_eq!(lines("min"), "-128 (0x80)\n127 (0x7f)\n-1 (0xff)\n");
    assert_eq!(lines("max-abs"), "128 (0x80)\n0 (0x00)\n1 (0x01)\n");
}

#[test]
fn other_results_have_the_files_type() {
    let files = Files::new();
    let offsets = files.add("offsets.npy", &npy("|u1", 4, &[0, 2, 2, 3]));
    let flags = files.add("flags.npy", &npy("|b1", 3, &[1, 0, 1]));
    let of =
        |file: &str, op: &str| run(&files, &["reduce", file, "--op", op, "--segments", &offsets]);
    for (op, wanted) in [("min", [0, 1, 1]), ("max", [1, 0, 1]), ("bit-xor", [1, 0, 1])] {
        assert_eq!(of(&flags, op), (header_text("|b1", 3), wanted.to_vec()), "{op}");
    }
    let halves = |halves: [u16; 3]| bytes_of(halves.map(u16::to_le_bytes));
    let file = files.add("halves.npy", &npy("<f2", 3, &halves([0x3800, 0xc000, 0x3c00])));
    let wanted = halves([0xc000, 0x7c00, 0x3c00]);
    assert_eq!(of(&file, "min"), (header_text("<f2", 3), wanted));
    let sums = bytes_of([-1.5f32, 0.0, 1.0].map(f32::to_le_bytes));
    assert_eq!(of(&file, "sum"), (header_text("<f4", 3), sums));
    let file = files.add("nan.npy", &npy("<f2", 3, &halves([0x7e01, 0x3800, 0x3800])));
    let wanted = halves([0x7e00, 0xfc00, 0x3800]);
    assert_eq!(of(&file, "max"), (header_text("<f2", 3), wanted));
    // NumPy has no name for it: results are called what the file calls its elements.
    for descr in ["<u2", "<V2"] {
        let file = files.add("bf16.npy", &npy(descr, 3, &halves([0x3f80, 0xc000, 0x7f80])));
        let call = ["reduce", &file, "--dtype", "bf16", "--op", "max", "--segments", &offsets];
        let wanted = halves([0x3f80, 0xff80, 0x7f80]);
        assert_eq!(run(&files, &call), (header_text(descr, 3), wanted));
    }
}

/// Each is a float64: that of the exact sum, rounded once.
#[test]
fn means_of_integers() {
    let files = Files::new();
    let floats = |numbers: &[f64]| bytes_of(numbers.iter().map(|x| x.to_le_bytes()));
    let numbers = bytes_of([1i8, -128, 3, 4, 5, -1].map(i8::to_le_bytes));
    let of_order = |order: &str| [header(1, "'|i1'", order, "(2, 3)"), numbers.clone()].concat();
    let (c, fortran) = (of_order("False"), of_order("True"));
    let (c, fortran) = (files.add("c.npy", &c), files.add("fortran.npy", &fortran));
    let mean = ["--op", "mean", "--axis"];
    let found = run(&files, &[&["reduce", &c], &mean[..], &["1"]].concat());
    assert_eq!(found, (header_text("<f8", 2), floats(&[-124.0 / 3.0, 8.0 / 3.0])));
    let found = run(&files, &[&["reduce", &c], &mean[..], &["0"]].concat());
    assert_eq!(found, (header_text("<f8", 3), floats(&[2.5, -61.5, 1.0])));
    let found = run(&files, &[&["reduce", &fortran], &mean[..], &["1"]].concat());
    let text = "{'descr': '<f8', 'fortran_order': True, 'shape': (2,), }".to_owned();
    assert_eq!(found, (text, floats(&[3.0, -125.0 / 3.0])));

    // Beyond 64 bits, and where a float64 sum would round twice.
    let offsets = files.add("offsets.npy", &npy("|u1", 4, &[0, 3, 3, 4]));
    let of = |descr: &str, elements: &[u8]| {
        let file = files.add("wide.npy", &npy(descr, 4, elements));
        run(&files, &["reduce", &file, "--op", "mean", "--segments", &offsets])
    };
    let signed = bytes_of([i64::MIN, i64::MIN, -1, i64::MAX].map(i64::to_le_bytes));
    // Python's (-2**64 - 1) / 3.
    let wanted = floats(&[-6.148914691236517e18, f64::NAN, 2f64.powi(63)]);
    assert_eq!(of("<i8", &signed), (header_text("<f8", 3), wanted));
    let unsigned = bytes_of([u64::MAX, u64::MAX, 1, u64::MAX].map(u64::to_be_bytes));
    // (2**65 - 1) / 3.
    let wanted = floats(&[1.2297829382473034e19, f64::NAN, 2f64.powi(64)]);
    assert_eq!(of(">u8", &unsigned), (header_text("<f8", 3), wanted));
    let words = bytes_of([u32::MAX, u32::MAX, 1, 7].map(u32::to_le_bytes));
    let wanted = floats(&[8_589_934_591.0 / 3.0, f64::NAN, 7.0]);
    assert_eq!(of("<u4", &words), (header_text("<f8", 3), wanted));

    let flags = files.add("flags.npy", &npy("|b1", 3, &[1, 0, 1]));
    let keys = files.add("keys.npy", &npy("|u1", 3, &[7, 7, 2]));
    let found = run(&files, &["reduce", &flags, "--op", "mean", "--by", &keys]);
    assert_eq!(found, (header_text("<f8", 2), floats(&[1.0, 0.5])));
    let call = ["reduce", &flags, "--op", "mean", "--by", &keys, "--adapter", "cpu"];
    let lines = "2: 1 (0x3ff0000000000000)\n7: 0.5 (0x3fe0000000000000)\n";
    assert_eq!(stdout(&gridfold(&call)), lines);
}

/// What goes with one result alone is refused, and why is said.
#[test]
fn options_of_one_result() {
    let files = Files::new();
    let row = files.add("row.npy", &npy("<f4", 3, &[0; 12]));
    let lengths = files.add("lengths.npy", &npy("|u1", 2, &[1, 2]));
    let keys = files.add("keys.npy", &npy("|u1", 3, &[1, 2, 2]));
    let compute = "compute the array before, and give the file of that";
    let chosen = "leave it out: how segments are reduced is chosen by itself";
    let options: [(&[&str], &str); 7] = [
        (&["--map", "x * x"], compute),
        (&["--where", "x > 0.5"], "or leave NaNs out by --nan ignore"),
        (&["--parameter", "a=1"], compute),
        (&["--variant", "subgroup"], chosen),
        (&["--strategy", "two-pass"], chosen),
        (&["--explain"], "leave it out, or reduce the file as a whole"),
        (&["--json"], "--out writes results to a file"),
    ];
    for many in [
        ["--axis", "0"],
        ["--segments", &lengths],
        ["--lengths", &lengths],
        ["--flags", &keys],
        ["--by", &keys],
        ["--by-runs", &keys],
    ] {
        for (option, advice) in options {
            let call = ["reduce", &row, "--op", "sum", "--adapter", "cpu"];
            let output = gridfold(&[&call[..], &many, option].concat());
            let says =
                format!("{} does not go with {}, which makes many results: ", option[0], many[0]);
            let text = stderr(&output);
            assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{text}");
            assert!(text.contains(&says) && text.contains(advice), "{text}");
        }
        let output = gridfold(&[&["reduce", &row, &row, "--op", "sum"], &many[..]].concat());
        let says = format!("a second file does not go with {}", many[0]);
        assert!(stderr(&output).contains(&says), "{}", stderr(&output));
    }
    // What is so anyway.
    let call = ["reduce", &row, "--op", "sum", "--axis", "0", "--adapter", "cpu"];
    let output = gridfold(&[&call[..], &["--variant", "auto", "--strategy", "auto"]].concat());
    assert_eq!(stdout(&output), "0 (0x00000000)\n", "{}", stderr(&output));
    let help = gridfold(&["reduce", "--help"]);
    let words = stdout(&help).split_whitespace().collect::<Vec<_>>().join(" ");
    let says = "A second file, --map, --where, --parameter, --variant, --strategy, --explain and --json are for a single result";
    assert!(words.contains(says), "{words}");
}

/// As results of whole files do.
#[test]
fn results_say_what_they_promise() {
    let files = Files::new();
    let floats = files.add("f.npy", &npy("<f4", 3, &[0; 12]));
    let integers = files.add("i.npy", &npy("<i4", 3, &[0; 12]));
    let out = files.path("out.npy");
    let out = out.to_str().expect("text");
    for (file, options, begins) in [
        (&floats, &["--op", "sum"][..], "1 reproducible results by sum of 3 float32 along an axis"),
        (&floats, &["--op", "sum", "--precision", "exact"], "1 exact results by sum of 3 float32"),
        (&floats, &["--op", "max"], "1 results by max of 3 float32"),
        (&integers, &["--op", "sum"], "1 results by sum-wide of 3 int32"),
        (&integers, &["--op", "mean"], "1 exact results by mean of 3 int32"),
    ] {
        let call = ["reduce", file, "--axis", "0", "--out", out, "--adapter", "cpu"];
        let output = gridfold(&[&call[..], options].concat());
        assert!(stdout(&output).starts_with(begins), "{}{}", stdout(&output), stderr(&output));
    }
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

#[test]
fn axes_that_are_not_there() {
    let files = Files::new();
    let of_shape = |name: &str, shape: &str| {
        let npy = [header(1, "'<f4'", "False", shape), 1f32.to_le_bytes().to_vec()].concat();
        files.add(name, &npy)
    };
    let (number, row) = (of_shape("0.npy", "()"), of_shape("1.npy", "(1,)"));
    for (file, axis, part) in [
        (&number, "0", "a single number has no axes: leave --axis out"),
        (&row, "1", "an array of 1 axes has no axis 1: choose one below 1, or from -1 on"),
        (&row, "a", "an axis is a whole number, as 0 or -1"),
        (&row, "0,", "an axis is a whole number, as 0 or -1"),
    ] {
        let output = gridfold(&["reduce", file, "--op", "sum", "--axis", axis, "--adapter", "cpu"]);
        assert_ne!(output.status.code(), Some(0), "{axis}");
        assert!(stderr(&output).contains(part), "{axis}: {}", stderr(&output));
    }
}

/// One offset bounds no segment. No offset is a mistake.
#[test]
fn few_offsets() {
    let files = Files::new();
    let row = files.add("row.npy", &npy("<f4", 2, &[0; 8]));
    let one = files.add("one.npy", &npy("|u1", 1, &[1]));
    let found = run(&files, &["reduce", &row, "--op", "sum", "--segments", &one]);
    assert_eq!(found, (header_text("<f4", 0), Vec::new()));
    let none = files.add("none.npy", &npy("|u1", 0, &[]));
    let call = ["reduce", &row, "--op", "sum", "--segments", &none, "--adapter", "cpu"];
    let output = gridfold(&call);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let says =
        "none.npy has no offsets: n segments lie between n + 1 of them, so give one at least";
    assert!(stderr(&output).contains(says), "{}", stderr(&output));
}
