//! Wrong calls and bad files: the exit status, and one sentence on standard error.

mod support;

use std::process::{Output, Stdio};
use support::*;

/// A failure: its exit status, nothing on standard output, one sentence with `part` in it.
#[track_caller]
fn assert_fails(output: &Output, status: i32, part: &str) {
    let sentence = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{sentence}");
    assert_eq!(stdout(output), "");
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    assert!(sentence.starts_with("gridfold: "), "{sentence}");
    assert!(sentence.contains(part), "\"{part}\" is not in {sentence}");
}

fn sum_of(npy: &[u8]) -> Output {
    gridfold_with_input(&["reduce", "-", "--op", "sum", "--adapter", "cpu"], npy)
}

#[track_caller]
fn assert_bad_file(npy: &[u8], part: &str) {
    assert_fails(&sum_of(npy), 1, part);
}

#[test]
fn wrong_calls() {
    let files = Files::new();
    let file = &*files.add("a.npy", &f4([1.0]));
    let calls: [(&[&str], &str); 41] = [
        (&["reduce"], "<FILE>"),
        (&["reduce", file], "--op"),
        (&["reduce", file, "--op"], "--op"),
        (
            &["reduce", file, "--op", "median"],
            "sum, product, min, max, min-max, arg-min, arg-min-last",
        ),
        (&["reduce", file, "--op", "bit_and"], "'bit_and'"),
        (&["reduce", file, "--op", "sum_of_squares"], "sum-of-squares"),
        (&["reduce", file, "--op", "sum", "--variant", "warp"], "workgroup-memory"),
        (&["reduce", file, "--op", "sum", "--strategy", "x"], "two-pass"),
        (&["reduce", file, "--op", "sum", "--precision", "x"], "unordered, reproducible, exact"),
        (&["reduce", file, "--op", "sum", "--fast"], "--fast"),
        (&["reduce", file, "b.npy", "--op", "sum"], "leave b.npy out, or choose dot"),
        (&["reduce", file, "b.npy", "--op", "sum", "--where", "x > 0.0"], "by --map what becomes"),
        (
            &["reduce", file, "--op", "sum", "--map", "1.0 + sin(x)"],
            "--map can't be taken: line 1, column 7: there is no `sin",
        ),
        (
            &["reduce", file, "--op", "sum", "--map", "x +"],
            "--map can't be taken: line 1, column 4",
        ),
        (
            &["reduce", file, "--op", "sum", "--where", "x"],
            "--where can't be taken: line 1, column 1: the expression is of type `f32`: a predicate is a bool, so compare",
        ),
        (
            &["reduce", file, "--op", "sum", "--where", "x > 1u"],
            "line 1, column 3: `>` takes numbers of one type, but x is f32 and 1u is u32: write 1.0 or 1",
        ),
        (
            &["reduce", file, "--op", "sum", "--where", "1 < x < 3"],
            "line 1, column 7: `<` takes numbers of one type, but 1 < x is bool and 3 is i32: compare twice, as in 1 < x && x < 3",
        ),
        (
            &["reduce", file, "--op", "sum", "--where", "x == 1 || 2"],
            "line 1, column 8: `||` takes two bools, but 2 is i32: compare, as in 2 != 0",
        ),
        (
            &["reduce", file, "--op", "sum", "--map", "x // 2"],
            "line 1, column 3: expressions have no `//`: write `/`, which rounds quotients of integers toward zero",
        ),
        (
            &["reduce", file, "--op", "sum", "--map", "x * s", "--parameter", "s=1e40"],
            "the parameter `s` is too large for the elements' type: give a smaller number, or inf",
        ),
        (
            &["reduce", file, "--op", "sum", "--map", "x * s", "--parameter", "s=-1e40"],
            "is too large for the elements' type",
        ),
        (
            &["select", file, "--where", "x > s", "--parameter", "s=1e40", "--out", "o.npy"],
            "is too large for the elements' type",
        ),
        (
            &["reduce", file, "--op", "sum", "--map", "x * s", "--parameter", "s=big"],
            "the parameter `s` has no value of the elements' type: give a decimal number of it",
        ),
        (
            &["reduce", file, "--op", "sum", "--map", "x * 2", "--parameter", "scale=2"],
            "the parameter `scale` is in no expression: leave it out, or write it in one",
        ),
        (
            &["reduce", file, "--op", "sum", "--map", "i"],
            "make it `f32`, as by `f32(...)`, or a bool, which counts as 1 or 0",
        ),
        (
            &["reduce", file, file, "--op", "dot", "--map", "x + y"],
            "a.npy: there is no dot of expressions of float32: choose sum, with --map \"x * y\"",
        ),
        (
            &["reduce", file, "--op", "arg-min-last", "--where", "x > 0.0"],
            "can't leave out elements",
        ),
        (
            &["reduce", file, "--op", "product", "--map", "x", "--precision", "exact"],
            "a.npy: there is no exact product of float32: leave --precision out",
        ),
        (&["reduce", file, "b.npy", "c.npy", "--op", "dot"], "c.npy"),
        (&["reduce", "--op", "sum"], "<FILE>"),
        (&["frobnicate"], "frobnicate"),
        (&["adapters", "--xml"], "--xml"),
        (&["ladder", "--len"], "--len"),
        (&["ladder", "--len", "0"], "give a number from 1 on, or 2^25"),
        (&["ladder", "--len", "3^2"], "give a number from 1 on, or 2^25"),
        (&["ladder", "--rounds", "0"], "give a number from 1 to 100000"),
        (&["ladder", "--svg"], "see gridfold ladder --help"),
        (&["ladder", "a.npy"], "a.npy"),
        (&["ladder", "--adapter", "cpu"], "the ladder is for GPUs"),
        (&["check", "--adapter", "cpu"], "check tests a GPU, and --adapter cpu finds none"),
        (&["check", "--all", "7"], "see gridfold check --help"),
    ];
    for (arguments, part) in calls {
        assert_fails(&gridfold(arguments), 2, part);
    }
}

#[test]
fn bit_operators_are_for_integers() {
    for op in ["bit-and", "bit-or", "bit-xor"] {
        let output =
            gridfold_with_input(&["reduce", "-", "--op", op, "--adapter", "cpu"], &f4([1.0]));
        let part = format!("{op} is not defined for float32: choose one of sum, product, min, max");
        assert_fails(&output, 2, &part);
    }
}

#[test]
fn statistics_are_for_floats() {
    for op in ["sum-of-squares", "norm", "variance", "sample-variance"] {
        let output =
            gridfold_with_input(&["reduce", "-", "--op", op, "--adapter", "cpu"], &i4([1]));
        let part = format!("{op} is not defined for int32: choose one of sum, product, min, max");
        assert_fails(&output, 2, &part);
    }
}

/// Each names the file, its type, and a way out.
#[test]
fn what_there_is_not_names_the_file() {
    let files = Files::new();
    let doubles = &*files.add("doubles.npy", &f8([1.0]));
    let out = files.path("out.npy");
    let out = out.to_str().expect("temporary paths are text");
    let calls: [(&[&str], &str); 3] = [
        (
            &["scan", doubles, "--op", "bit-or", "--out", out, "--adapter", "cpu"],
            "doubles.npy: there is no scan by bit-or of float64: choose one of sum, product",
        ),
        (
            &["reduce", doubles, "--op", "bit-or", "--axis", "0"],
            "doubles.npy: bit-or is not defined for float64: choose one of sum, product",
        ),
        (
            &["reduce", doubles, "--op", "bit-or", "--where", "x > 0.5"],
            "doubles.npy: there is no bit-or of expressions of float64: leave --map and --where out",
        ),
    ];
    for (call, part) in calls {
        assert_fails(&gridfold(call), 2, part);
    }
}

#[test]
fn a_dot_product_is_of_two_files() {
    let files = Files::new();
    let two = &*files.add("two.npy", &f4([1.0, 2.0]));
    let three = &*files.add("three.npy", &f4([1.0, 2.0, 3.0]));
    let integers = &*files.add("integers.npy", &i4([1, 2]));
    let missing = files.path("missing.npy");
    let missing = missing.to_str().expect("temporary paths are text");
    let calls: [(&[&str], i32, &str); 9] = [
        (&[two], 2, "dot takes two files: give a second one"),
        (&[two, two, two], 2, "dot takes two files: leave"),
        (&[two, two, two], 2, "choose sum, with --map \"x * y * z\""),
        (&["-", "-"], 2, "two files are standard input"),
        (&[two, three], 2, "three.npy (3,): give arrays of one shape"),
        (&[two, three], 2, "two.npy has the shape (2,)"),
        (&[two, integers], 2, "integers.npy of int32: convert one of the arrays"),
        (&[integers, integers], 2, "dot is not defined for int32: choose one of"),
        (&[two, missing], 1, "missing.npy can't be opened"),
    ];
    for (paths, status, part) in calls {
        // Before any adapter is looked for.
        let call = [&["reduce"], paths, &["--op", "dot", "--adapter", "no such adapter"]].concat();
        assert_fails(&gridfold(&call), status, part);
    }
    let npy = f4([1.0, 2.0]);
    let cut = &*files.add("cut.npy", &npy[..npy.len() - 1]);
    for paths in [[two, cut], [cut, two]] {
        let call = [&["reduce"], &paths[..], &["--op", "dot", "--adapter", "cpu"]].concat();
        assert_fails(&gridfold(&call), 1, "cut.npy can't be used");
    }
}

/// Elements are paired place by place: arrays of other shapes are refused, whatever calls pair them.
#[test]
fn paired_arrays_have_one_shape_and_order() {
    let files = Files::new();
    let add = |name, descr, order, shape| {
        let elements = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
        let mut npy = header(1, descr, order, shape);
        npy.extend(elements.iter().flat_map(|element| element.to_le_bytes()));
        files.add(name, &npy)
    };
    let c = &*add("c.npy", "'<f4'", "False", "(2, 3)");
    let other = &*add("other.npy", "'<f4'", "False", "(3, 2)");
    let flat = &*add("flat.npy", "'<f4'", "True", "(1, 6)");
    let vector = &*add("vector.npy", "'<f4'", "False", "(6,)");
    let fortran = &*add("fortran.npy", "'<f4'", "True", "(2, 3)");
    let other_fortran = &*add("f2.npy", "'<f4'", "True", "(3, 2)");
    let keys = &*add("keys.npy", "'<i4'", "False", "(3, 2)");
    let dot = |a, b| gridfold(&["reduce", a, b, "--op", "dot", "--adapter", "cpu"]);
    for (a, b) in [(c, fortran), (fortran, c)] {
        assert_fails(&dot(a, b), 2, "in different orders");
    }
    for (a, b) in [(c, other), (c, flat), (flat, vector), (fortran, other_fortran)] {
        assert_fails(&dot(a, b), 2, "give arrays of one shape");
    }
    let both = "c.npy has the shape (2, 3) and";
    let out = files.path("out.npy");
    let out = out.to_str().expect("text");
    for call in [
        &["reduce", c, other, "--op", "dot"][..],
        &["reduce", c, other, "--op", "sum", "--map", "x * y"],
        &["reduce", c, keys, "--op", "sum", "--map", "x * y"],
        &["reduce", c, "--op", "sum", "--by", keys],
        &["reduce", c, "--op", "sum", "--by-runs", keys],
        &["reduce", c, "--op", "sum", "--flags", keys],
        &["select", c, "--mask", keys, "--out", out],
        &["partition", c, "--mask", keys, "--out", out, "--rest", &format!("{out}2")],
        &["histogram", c, "--bins", "2", "--weights", other],
    ] {
        let words = if call.contains(&keys) && call.contains(&"--map") {
            "convert one of the arrays"
        } else {
            both
        };
        assert_fails(&gridfold(call), 2, words);
    }
    for (a, b) in [(c, c), (flat, flat), (fortran, fortran)] {
        assert!(stdout(&dot(a, b)).starts_with("91 ("), "{a} and {b}");
    }
}

/// The help that has the option, and what was meant.
#[test]
fn wrong_options_point_to_their_help() {
    let part = "see gridfold reduce --help";
    assert_fails(&gridfold(&["reduce", "a.npy", "--op", "std"]), 2, part);
    let output = gridfold(&["reduce", "a.npy", "--op", "sum", "--presicion", "exact"]);
    assert_fails(&output, 2, part);
    assert_fails(&output, 2, "tip: a similar argument exists: '--precision'");
    assert_fails(&gridfold(&["redcue"]), 2, "see gridfold --help");
    // No tip about a file, unless there is one of that name.
    let output = gridfold(&["reduce", "a.npy", "--op", "sum", "--xml"]);
    assert_fails(&output, 2, "unexpected argument '--xml' found; see gridfold reduce --help");
    let files = Files::new();
    files.add("--xml.npy", b"");
    let output = command(&["stats", "--xml.npy"]).current_dir(files.path("")).output();
    let tip = "tip: to pass '--xml.npy' as a value, use '-- --xml.npy'";
    assert_fails(&output.expect("the program starts"), 2, tip);
}

/// They are numbers that are too small, and no options.
#[test]
fn negative_numbers() {
    for (call, option) in [
        (["histogram", "a.npy", "--bins", "-1"], "--bins <N>"),
        (["ladder", "--no-studies", "--len", "-5"], "--len <LEN>"),
        (["ladder", "--no-studies", "--rounds", "-1"], "--rounds <ROUNDS>"),
        (["wgsl", "--with=scan", "--workgroup-size", "-64"], "--workgroup-size <WORKGROUP_SIZE>"),
        (["wgsl", "--with=scan", "--words", "-2"], "--words <NUMBERS>"),
    ] {
        let part = format!("invalid value '{}' for '{option}'", call[3]);
        assert_fails(&gridfold(&call), 2, &part);
    }
}

/// Before any adapter is looked for.
#[test]
fn there_are_no_exact_products_of_floats() {
    let call =
        ["reduce", "-", "--op", "product", "--precision", "exact", "--adapter", "no such adapter"];
    let part =
        "there is no exact product of float32: leave --precision out, or choose another operator";
    assert_fails(&gridfold_with_input(&call, &f4([1.0])), 2, part);
}

#[test]
fn the_cpu_has_no_variants_and_strategies() {
    let npy = f4([1.0]);
    for forced in
        [["--variant", "subgroup"], ["--variant", "workgroup-memory"], ["--strategy", "two-pass"]]
    {
        let call = [&["reduce", "-", "--op", "sum", "--adapter", "cpu"], &forced[..]].concat();
        assert_fails(&gridfold_with_input(&call, &npy), 2, forced[0]);
    }
    for allowed in [["--variant", "auto"], ["--strategy", "auto"]] {
        let call = [&["reduce", "-", "--op", "sum", "--adapter", "cpu"], &allowed[..]].concat();
        assert_eq!(gridfold_with_input(&call, &npy).status.code(), Some(0));
    }
}

#[test]
fn adapters_that_are_not_there() {
    for selector in ["no such adapter", "4000000000", ""] {
        let arguments = ["reduce", "-", "--op", "sum", "--adapter", selector];
        // A driver may have something to say, on lines of its own.
        let output = gridfold_with_input(&arguments, &f4([1.0]));
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
        let last = stderr(&output).lines().last().expect("a sentence");
        assert!(last.starts_with("gridfold: no adapter matches"), "{last}");
        let output = gridfold(&["demo", "--adapter", selector]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let last = stderr(&output).lines().last().expect("a sentence");
        assert!(last.starts_with("gridfold: no adapter matches"), "{last}");
        assert!(last.contains("\"cpu\""), "{last}");
    }
}

#[test]
fn files_that_can_not_be_read() {
    let files = Files::new();
    let missing = files.path("missing.npy");
    let missing = missing.to_str().expect("temporary paths are text");
    let arguments = ["reduce", missing, "--op", "sum", "--adapter", "cpu"];
    assert_fails(&gridfold(&arguments), 1, "missing.npy can't be opened");

    let directory = files.path("");
    let directory = directory.to_str().expect("temporary paths are text");
    assert_fails(
        &gridfold(&["reduce", directory, "--op", "sum", "--adapter", "cpu"]),
        1,
        "can't be opened (is a directory)",
    );
}

#[test]
fn other_files() {
    assert_bad_file(b"", "it is empty: write it with numpy.save");
    assert_bad_file(b"\x93", "does not begin like an .npy file");
    assert_bad_file(b"\x93NUMPX\x01\x00v\x00", "does not begin like an .npy file");
    assert_bad_file(b"PK\x03\x04 this is an .npz file", "it is a zip archive");
    for version in [[0, 0], [1, 1], [4, 0], [255, 255]] {
        let mut npy = f4([1.0]);
        npy[6..8].copy_from_slice(&version);
        assert_bad_file(&npy, &format!("version {}.{}", version[0], version[1]));
    }
}

#[test]
fn headers_cut_off_anywhere() {
    for version in 1..=3 {
        let header = header(version, "'<f4'", "False", "(1,)");
        for cut in 0..header.len() {
            let part = match cut {
                0 => "it is empty",
                1..6 => "does not begin like",
                _ => "ends within its header",
            };
            assert_bad_file(&header[..cut], part);
        }
        assert_bad_file(&header, "ends after 0 of 4 bytes");
    }
}

#[test]
fn elements_cut_off_anywhere() {
    let npy = u4([1, 2, 3]);
    let begin = npy.len() - 12;
    let files = Files::new();
    for cut in 0..12 {
        let part = format!("ends after {cut} of 12 bytes");
        assert_bad_file(&npy[..begin + cut], &part);
        let file = files.add("cut.npy", &npy[..begin + cut]);
        assert_fails(&gridfold(&["reduce", &file, "--op", "sum", "--adapter", "cpu"]), 1, &part);
    }
}

#[test]
fn shapes_beyond_reason() {
    for (shape, part) in [
        // As many bytes as memory could have at most: nothing may be allocated for them in advance.
        ("(2305843009213693951,)", "are more than the 2^40"),
        ("(1099511627776,)", "ends after 0 of 4398046511104 bytes"),
        ("(2305843009213693952,)", "more elements than memory"),
        ("(4294967296, 4294967296)", "more elements than memory"),
        ("(18446744073709551615, 2)", "more elements than memory"),
        ("(18446744073709551616,)", "more elements than memory"),
        ("(-1,)", "negative size"),
        ("(2, -3)", "negative size"),
        ("(-99999999999999999999,)", "negative size"),
        ("(1.5,)", "not made of integers"),
        ("('a',)", "not made of integers"),
        ("[3]", "not a tuple"),
        ("3", "not a tuple"),
        ("None", "not a tuple"),
    ] {
        for version in 1..=3 {
            assert_bad_file(&header(version, "'<f4'", "False", shape), part);
        }
    }
}

/// A pipe does not say how many bytes it has. Whatever is asked of it, nothing is made for elements that are not there.
#[test]
fn a_pipe_that_claims_2_to_the_60th_elements() {
    let files = Files::new();
    let out = files.path("out.npy");
    let out = out.to_str().expect("temporary paths are text");
    let calls: [&[&str]; 15] = [
        &["reduce", "-", "--op", "sum"],
        &["reduce", "-", "--op", "mean"],
        &["reduce", "-", "--op", "arg-min"],
        &["reduce", "-", "--op", "sum", "--map", "x * i"],
        &["reduce", "-", "--op", "max", "--where", "i > 7u"],
        &["reduce", "-", "--op", "mean", "--where", "i > 7u"],
        &["reduce", "-", "--op", "min", "--axis", "0"],
        &["reduce", "-", "--op", "mean", "--axis", "0"],
        &["stats", "-"],
        &["scan", "-", "--op", "sum", "--out", out],
        &["difference", "-", "--out", out],
        &["select", "-", "--where", "x > 0u", "--out", out],
        &["unique", "-", "--out", out],
        &["run-lengths", "-", "--out", out, "--lengths", "lengths.npy"],
        &["histogram", "-", "--bins", "3"],
    ];
    for (order, shape) in [
        ("False", "(1152921504606846976,)"),
        ("True", "(1152921504606846976,)"),
        ("False", "(1073741824, 1073741824)"),
        ("True", "(1073741824, 1073741824)"),
    ] {
        let npy = [header(1, "'|u1'", order, shape), vec![1, 2, 3]].concat();
        for call in calls {
            let output = gridfold_with_input(&[call, &["--adapter", "cpu"]].concat(), &npy);
            let is_of_the_end = stderr(&output).contains("it ends");
            let part = match is_of_the_end {
                true => "it ends after 3 of 1152921504606846976 bytes of elements",
                false => "1152921504606846976 elements are more than the 2^40",
            };
            assert_fails(&output, 1, part);
        }
    }
}

/// As many bytes as elements of two words have.
#[test]
fn shapes_of_wide_elements() {
    for (shape, part) in [
        ("(1152921504606846975,)", "are more than the 2^40"),
        ("(1152921504606846976,)", "more elements than memory"),
    ] {
        assert_bad_file(&header(1, "'<u8'", "False", shape), part);
    }
    let mut npy = header(1, "'<i8'", "False", "(2,)");
    npy.extend([0; 13]);
    assert_bad_file(&npy, "ends after 13 of 16 bytes");
}

#[test]
fn other_elements() {
    let rounds = "round the values with array.astype(\"<f8\"), and write it again";
    let halves = "take array.real or array.imag, convert it with .astype(\"<f4\")";
    let parts = "take array.real or array.imag, convert it with .astype(\"<f8\")";
    let numbers = "make numbers of them, for example with array.astype(\"<f8\")";
    let field = "take one field of the array, such as array[\"x\"]";
    for (descr, found, advice) in [
        ("'<f16'", "of type \"<f16\"", rounds),
        ("'>f16'", "of type \">f16\"", rounds),
        ("'<c8'", "of type \"<c8\"", halves),
        ("'<c16'", "of type \"<c16\"", parts),
        ("'|O'", "Python objects", numbers),
        ("'<U4'", "text of type \"<U4\"", numbers),
        ("'|S9'", "text of type \"|S9\"", numbers),
        ("'|V8'", "of type \"|V8\"", "say what they are, for example with array.view(\"<f4\")"),
        (
            "'<M8[ns]'",
            "times of type \"<M8[ns]\"",
            "take them as integers, with array.astype(\"<i8\")",
        ),
        ("'|F4'", "of type \"|F4\"", numbers),
        // NumPy takes it by the machine that it runs on.
        ("'l'", "of type \"l\"", numbers),
        ("'<'", "of type \"<\"", numbers),
        ("''", "of type \"\"", numbers),
        ("[('x', '<f4'), ('y', '<f4', (2,))]", "structured", field),
        ("7", "structured", field),
    ] {
        let npy = header(1, descr, "False", "(1,)");
        assert_bad_file(&npy, &format!("its elements are {found}: "));
        assert_bad_file(&npy, advice);
    }
    let opaque = header(1, "'|V2'", "False", "(1,)");
    assert_bad_file(&opaque, "two bytes of no type that NumPy knows: give --dtype bf16");
}

#[test]
fn bfloat16_is_two_bytes() {
    let call = ["reduce", "-", "--op", "sum", "--adapter", "cpu", "--dtype", "bf16"];
    let output = gridfold_with_input(&call, &i4([1]));
    assert_fails(&output, 1, "its elements are int32, not the two bytes of a bfloat16");
    let call = ["reduce", "-", "--op", "sum", "--adapter", "cpu", "--dtype", "f32"];
    assert_fails(&gridfold_with_input(&call, &i4([1])), 2, "see gridfold reduce --help");
}

#[test]
fn malformed_headers() {
    for text in [
        "",
        "{",
        "{}",
        "[]",
        "7",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'shape': (1,)}",
        "{'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} trailing",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ((((((1,),),),),),)}",
        "__import__('os').system('true')",
    ] {
        for version in 1..=3 {
            assert_bad_file(&header_of_text(version, text), "its header is malformed");
        }
    }
    let mut not_utf8 = header(3, "'<f4'", "False", "(1,)");
    not_utf8[20] = 0xff;
    assert_bad_file(&not_utf8, "its header is malformed");
}

#[test]
fn headers_beyond_reason() {
    let mut npy = b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec();
    npy.extend([b' '; 100]);
    assert_bad_file(&npy, "claims 4294967295 bytes");
    let brackets = "[".repeat(9000);
    assert_bad_file(&header_of_text(2, &brackets), "its header is malformed");
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_can_not_be_written() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let files = Files::new();
    let file = files.add("a.npy", &f4([1.0]));
    let output = command(&["reduce", &file, "--op", "sum", "--adapter", "cpu"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output();
    assert_fails(&output.expect("the program runs"), 1, "the results can't be written");
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in
        [&["adapters"][..], &["--help"], &["reduce", "-", "--op", "sum", "--adapter", "cpu"]]
    {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let files = Files::new();
        let input = std::fs::File::open(files.add("a.npy", &f4([1.0]))).expect("a file");
        let mut command = command(arguments);
        let child = command.stdin(input).stdout(writer).stderr(Stdio::piped()).spawn();
        let output = child.and_then(|child| child.wait_with_output()).expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(!stderr(&output).contains("gridfold: "), "{}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    }
}
