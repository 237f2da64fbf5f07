//! `gridfold reduce` on the CPU: values, JSON, formats of files.

mod support;

use serde_json::{Value, json};
use support::*;

/// Reduces a file's bytes on the CPU, to JSON.
fn reduce(npy: &[u8], op: &str) -> Value {
    json(&gridfold_with_input(&["reduce", "-", "--op", op, "--adapter", "cpu", "--json"], npy))
}

#[track_caller]
fn assert_value(npy: &[u8], op: &str, value: &str, bits: &str) {
    let report = reduce(npy, op);
    assert_eq!((&report["value"], &report["bits"]), (&json!(value), &json!(bits)), "{op}");
}

#[test]
fn json_has_every_field() {
    let files = Files::new();
    let file = files.add("a.npy", &f4([1.5, 2.5, -1.0]));
    let mut report =
        json(&gridfold(&["reduce", &file, "--op", "sum", "--adapter", "cpu", "--json"]));
    let total_ns = report["total_ns"].take();
    assert!(total_ns.as_u64().is_some_and(|ns| ns > 0), "{total_ns}");
    let plan = report["plan"].take();
    assert!(plan.as_str().is_some_and(|plan| plan.starts_with("cpu, ")), "{plan}");
    let driver = format!("gridfold {}", env!("CARGO_PKG_VERSION"));
    let expected = json!({
        "op": "sum",
        "dtype": "float32",
        "len": 3,
        "precision": "reproducible",
        "value": "3",
        "bits": "0x40400000",
        "adapter": { "backend": "cpu", "name": "cpu", "driver": driver },
        "plan": null,
        "device_ns": null,
        "total_ns": null,
    });
    assert_eq!(report, expected);
}

#[test]
fn explanations_are_a_field_of_json() {
    let npy = u4([1, 2]);
    let report = json(&gridfold_with_input(
        &["reduce", "-", "--op", "max", "--adapter", "cpu", "--json", "--explain"],
        &npy,
    ));
    let explanation = report["explanation"].as_str().expect("a text");
    let expected = "The CPU folds 2 elements on up to ";
    assert!(explanation.starts_with(expected), "{explanation}");
    assert_eq!(reduce(&npy, "max").get("explanation"), None);
}

#[test]
fn people_read_the_value_first() {
    let arguments = ["reduce", "-", "--op", "sum", "--adapter", "cpu"];
    let output = gridfold_with_input(&arguments, &i4([40, 2]));
    let text = stdout(&output);
    assert!(
        text.starts_with("42 (0x000000000000002a), the sum modulo 2^64 of 2 int32, on cpu/cpu/"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1);
    assert_eq!(stderr(&output), "");

    let output = gridfold_with_input(&[&arguments[..], &["--explain"]].concat(), &i4([40, 2]));
    assert!(stdout(&output).lines().count() >= 2, "{}", stdout(&output));

    let output = gridfold_with_input(&["reduce", "-", "--op", "min", "--adapter", "cpu"], &i4([]));
    assert!(stdout(&output).starts_with("no value, the min of 0 int32"), "{}", stdout(&output));
}

#[test]
fn expressions_are_reduced() {
    let npy = f4([0.5, -2.0, 3.0]);
    let call = |op: &str, options: &[&str], npy: &[u8]| {
        let call = ["reduce", "-", "--op", op, "--adapter", "cpu", "--json"];
        json(&gridfold_with_input(&[&call[..], options].concat(), npy))
    };
    let report = call("sum", &["--map", "x * x", "--where", "x > 0.0"], &npy);
    assert_eq!((&report["map"], &report["where"]), (&json!("x * x"), &json!("x > 0.0")));
    assert_eq!((&report["value"], &report["precision"]), (&json!("9.25"), &json!("reproducible")));
    for (op, options, npy, value) in [
        ("sum", &["--map", "x * x"][..], &npy, "13.25"),
        ("sum", &["--where", "x > 0.0"], &npy, "3.5"),
        ("count", &["--where", "x > 0.0 && i > 0u"], &npy, "1"),
        ("min", &["--map", "abs(x) + f32(i)"], &npy, "0.5"),
        ("mean", &["--map", "x + 0.5", "--precision", "unordered"], &npy, "1"),
        ("max", &["--map", "-x"], &i4([5, -7]), "7"),
        // Of 32 bits each, and of 64 together.
        ("sum", &["--map", "x + 1"], &i4([i32::MAX, i32::MIN]), "-4294967295"),
        ("sum", &["--map", "x"], &u4([u32::MAX, u32::MAX]), "8589934590"),
        ("product", &["--map", "x * 2"], &u4([1 << 30, 7]), "30064771072"),
        // Of some elements; and of 64 bits.
        ("mean", &["--where", "x > 0.0"], &npy, "1.75"),
        ("arg-min", &["--where", "x > 0.0 && i > 0u"], &npy, "2"),
        ("arg-max", &["--map", "-x"], &npy, "1"),
        ("norm", &["--map", "x * 2.0 + 1.0"], &npy, "7.8740077"),
        ("sum-of-squares", &["--map", "x - 1.0", "--where", "x < 1.0"], &npy, "9.25"),
        ("l1-norm", &["--map", "x - 1.0"], &npy, "5.5"),
        ("sum", &["--nan", "ignore", "--map", "x / x"], &f4([0.0, -2.0, 6.0]), "2"),
        ("mean", &["--nan", "ignore", "--map", "(x + 2.0) / (x + 2.0)"], &npy, "1"),
        (
            "sum",
            &["--nan", "ignore", "--map", "(x + 2.0) / (x + 2.0)", "--where", "i != 2u"],
            &npy,
            "1",
        ),
        ("variance", &["--map", "x * 2.0"], &f4([0.5, -2.0, 2.0, -0.5]), "8.5"),
        ("norm", &["--map", "x - 0.5"], &f8([3.5, -3.5]), "5"),
        (
            "sum",
            &["--map", "x * 0.1", "--where", "x < 10"],
            &f8([1.0, 2.0, 50.0]),
            "0.30000000000000004",
        ),
        (
            "mean",
            &["--map", "x * scale", "--parameter", "scale=0.1"],
            &f8([3.0]),
            "0.30000000000000004",
        ),
        // Literals are of the type that they meet.
        ("sum", &["--map", "x * select(0.1, 0.2, x > 0.0)"], &f8([2.0]), "0.4"),
        ("sum", &["--map", "x * -max(0.1, select(-0.2, 0.0, x > 0.0))"], &f8([2.0]), "-0.2"),
        // Of integers quotients round toward zero, and NumPy's do not.
        ("min", &["--map", "x / 3"], &i4([-7, 7, 10]), "-2"),
        ("min", &["--map", "x % 3"], &i4([-7, 7, 10]), "-1"),
        ("sum", &["--map", "x % 3"], &i4([-7, 7, 10]), "1"),
        ("sum", &["--map", "(x % 3 + 3) % 3"], &i4([-7, 7, 10]), "4"),
        ("sum", &["--map", "x >> 1"], &i4([-7, 7, 10]), "4"),
        ("count", &["--where", "x < limit", "--parameter", "limit=inf"], &npy, "3"),
        ("count", &["--where", "x > limit", "--parameter", "limit=nan"], &npy, "0"),
    ] {
        let report = call(op, options, npy);
        assert_eq!(report["value"], *value, "{op} {options:?}");
    }
    // What does not round.
    for (op, options, npy, value) in [
        ("sum", &["--map", "x * 2.0"][..], &f4([1e20, 1.5, -1e20]), "3"),
        ("mean", &["--map", "x * 2.0", "--where", "i < 3u"], &f4([1e20, 1.5, -1e20, 7.0]), "1"),
        ("norm", &["--map", "x - 1.0"], &f8([1e200 + 1.0, 1.0]), "1e200"),
        ("variance", &["--where", "x > 0.0"], &npy, "1.5625"),
        // Of 1, 3 and 8: a quotient of zeros is NaN.
        (
            "sample-variance",
            &["--nan", "ignore", "--map", "x * (x - 2.0) / (x - 2.0)"],
            &f4([1.0, 2.0, 3.0, f32::NAN, 8.0]),
            "13",
        ),
        (
            "variance",
            &["--nan", "ignore", "--map", "x * (x - 2.0) / (x - 2.0)", "--where", "x < 8.0"],
            &f8([1.0, 2.0, 3.0, f64::NAN, 8.0]),
            "1",
        ),
    ] {
        let report = call(op, &[options, &["--precision", "exact"]].concat(), npy);
        assert_eq!((&report["value"], &report["precision"]), (&json!(value), &json!("exact")));
    }
    let report = call("sample-variance", &["--map", "2.0 * x", "--where", "x > 0.0"], &npy);
    assert_eq!((&report["value"], &report["precision"]), (&json!("12.5"), &json!("exact")));
    let files = Files::new();
    let (left, right) = (files.add("a.npy", &npy), files.add("b.npy", &f4([1.0, 2.0, 2.5])));
    let map = "abs(x - y)";
    let pairs = ["reduce", &left, &right, "--op", "max", "--map", map, "--adapter", "cpu"];
    let output = gridfold(&pairs);
    let text = stdout(&output);
    let expected = "4 (0x40800000), the max of `abs(x - y)` of 3 float32, on cpu/cpu/";
    assert!(text.starts_with(expected), "{text}");
    let pairs = [&pairs[..4], &["sum"], &pairs[5..], &["--where", "x > 2.0"]].concat();
    let output = gridfold(&pairs);
    let text = stdout(&output);
    let expected = "0.5 (0x3f000000), the reproducible sum of `abs(x - y)` of 3 float32 where `x > 2.0`, on cpu";
    assert!(text.starts_with(expected), "{text}");
}

/// Each is called by its own name, and is in its own place.
#[test]
fn expressions_of_three_files() {
    let files = Files::new();
    let (x, y) =
        (files.add("x.npy", &f4([0.5, -2.0, 3.0])), files.add("y.npy", &f4([2.0, 1.0, 4.0])));
    let z = files.add("z.npy", &f4([10.0, 3.0, 0.25]));
    let call = |files: &[&str], options: &[&str]| {
        gridfold(&[&["reduce"], files, options, &["--adapter", "cpu"]].concat())
    };
    let text = |files: &[&str], options: &[&str]| stdout(&call(files, options)).to_owned();
    let found = text(&[&x, &y, &z], &["--op", "sum", "--map", "x * y * z"]);
    let expected = "7 (0x40e00000), the reproducible sum of `x * y * z` of 3 float32, on cpu/cpu/";
    assert!(found.starts_with(expected), "{found}");
    let found = text(&[&x, &y, &z], &["--op", "max", "--map", "x - y * z", "--where", "z < 5.0"]);
    assert!(found.starts_with("2 (0x40000000), the max of `x - y * z`"), "{found}");
    let piped = ["reduce", &x, "-", &z, "--op", "min", "--map", "y - z", "--adapter", "cpu"];
    let output = gridfold_with_input(&piped, &f4([2.0, 1.0, 4.0]));
    let found = stdout(&output);
    assert!(found.starts_with("-8 (0xc1000000), the min of `y - z`"), "{found}");
    // Means of integers read the files several times.
    let [a, b, c] = [[1, 2, 3], [4, 5, 7], [7, 8, 10]].map(i4);
    let [a, b, c] =
        [("a.npy", a), ("b.npy", b), ("c.npy", c)].map(|(name, npy)| files.add(name, &npy));
    let options = ["--op", "mean", "--map", "x * y - z", "--where", "z != 8"];
    let found = text(&[&a, &b, &c], &options);
    assert!(found.starts_with("4 "), "{found}");

    let short = files.add("short.npy", &f4([1.0, 2.0]));
    for (files, options, part) in [
        (
            &[&*x, &y, &short][..],
            &["--op", "sum", "--map", "x * y * z"][..],
            "short.npy (2,): give arrays of one shape",
        ),
        (
            &[&*x, &y, &a],
            &["--op", "sum", "--map", "x * y * z"],
            "a.npy of int32: convert one of the arrays",
        ),
        (&[&*x, &y, &z], &["--op", "sum"], "sum takes one file"),
        (
            &[&*x, &y],
            &["--op", "sum", "--map", "x * z"],
            "there is no input `z` here: give three files",
        ),
        (&[&*x, "-", "-"], &["--op", "sum", "--map", "x * z"], "two files are standard input"),
    ] {
        let output = call(files, options);
        let found = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{found}");
        assert!(found.contains(part), "{found}");
    }
}

#[test]
fn every_operator_of_f4() {
    let npy = f4([0.1, 0.2, -3.0, 4.0]);
    // By the fixed order: (0.1 + 0.2) + (-3 + 4), each rounded to f32.
    assert_value(&npy, "sum", "1.3", "0x3fa66666");
    assert_value(&npy, "min", "-3", "0xc0400000");
    assert_value(&npy, "max", "4", "0x40800000");
    assert_value(&f4([1.5, -2.0, 0.25]), "product", "-0.75", "0xbf400000");
}

#[test]
fn every_level_of_precision() {
    // 1 is lost beside 1e30.
    let cancelling = f4([1e30, 1.0, -1e30]);
    for (precision, value, bits) in [
        (&[][..], "0", "0x00000000"),
        (&["--precision", "unordered"], "0", "0x00000000"),
        (&["--precision", "reproducible"], "0", "0x00000000"),
        (&["--precision", "exact"], "1", "0x3f800000"),
    ] {
        let call = ["reduce", "-", "--op", "sum", "--adapter", "cpu", "--json", "--explain"];
        let report = json(&gridfold_with_input(&[&call[..], precision].concat(), &cancelling));
        assert_eq!((&report["value"], &report["bits"]), (&json!(value), &json!(bits)));
        let level = precision.last().unwrap_or(&"reproducible");
        assert_eq!(report["precision"], *level);
        let plan = report["plan"].as_str().expect("a text");
        assert_eq!(plan.starts_with("cpu, exact, "), *level == "exact", "{plan}");
        let explanation = report["explanation"].as_str().expect("a text");
        assert_eq!(explanation.contains("without rounding"), *level == "exact", "{explanation}");
    }
}

#[test]
fn statistics_of_f4() {
    let npy = f4([3.0, -4.0, 1e20, -1e20, 5.0, 0.0]);
    // 4 / 6; 50 + 2e40; its root. In order -1 + 0 + 5; and a square that overflows.
    for (op, exact, in_order) in [
        ("mean", ["0.6666667", "0x3f2aaaab"], ["0.6666667", "0x3f2aaaab"]),
        ("sum-of-squares", ["inf", "0x7f800000"], ["inf", "0x7f800000"]),
        ("norm", ["1.4142136e20", "0x60f553b3"], ["inf", "0x7f800000"]),
    ] {
        let [value, bits] = in_order;
        assert_value(&npy, op, value, bits);
        let call =
            ["reduce", "-", "--op", op, "--adapter", "cpu", "--json", "--precision", "exact"];
        let report = json(&gridfold_with_input(&call, &npy));
        assert_eq!([&report["value"], &report["bits"]], exact.map(|text| json!(text)).each_ref());
    }
    let npy = f4([16_777_215.0, 16_777_213.0, 16_777_211.0]);
    assert_value(&npy, "variance", "2.6666667", "0x402aaaab");
    assert_value(&npy, "sample-variance", "4", "0x40800000");
    assert_value(&f4([3.0, -4.0]), "sum-of-squares", "25", "0x41c80000");
    assert_value(&f4([3.0, -4.0]), "norm", "5", "0x40a00000");
    for (op, value, bits) in [
        ("mean", "NaN", "0x7fc00000"),
        ("sum-of-squares", "0", "0x00000000"),
        ("norm", "0", "0x00000000"),
        ("variance", "NaN", "0x7fc00000"),
        ("sample-variance", "NaN", "0x7fc00000"),
    ] {
        assert_value(&f4([]), op, value, bits);
    }
}

#[test]
fn the_dot_product_of_two_files() {
    let files = Files::new();
    let left = files.add("left.npy", &f4([1e30, 1.0, -1e30, 0.5]));
    let right = files.add("right.npy", &f4([1e30, 3.0, 1e30, -0.5]));
    for (precision, level, value, bits) in [
        (&[][..], "reproducible", "NaN", "0x7fc00000"),
        (&["--precision", "unordered"], "reproducible", "NaN", "0x7fc00000"),
        (&["--precision", "exact"], "exact", "2.75", "0x40300000"),
    ] {
        let call =
            ["reduce", &left, &right, "--op", "dot", "--adapter", "cpu", "--json", "--explain"];
        let report = json(&gridfold(&[&call[..], precision].concat()));
        assert_eq!((&report["value"], &report["bits"]), (&json!(value), &json!(bits)));
        assert_eq!((&report["op"], &report["dtype"]), (&json!("dot"), &json!("float32")));
        assert_eq!((&report["len"], &report["precision"]), (&json!(4), &json!(level)));
        let plan = report["plan"].as_str().expect("a text");
        assert_eq!(plan.starts_with("cpu, exact, "), level == "exact", "{plan}");
        let explanation = report["explanation"].as_str().expect("a text");
        assert_eq!(explanation.contains("without rounding"), level == "exact", "{explanation}");
    }
    // One of them from a pipe, either way round; and a file with itself.
    for paths in [["-", &right], [&right, "-"]] {
        let options = ["--op", "dot", "--adapter", "cpu", "--precision", "exact"];
        let call = [&["reduce"], &paths[..], &options].concat();
        let output = gridfold_with_input(&call, &f4([1e30, 1.0, -1e30, 0.5]));
        let text = stdout(&output);
        assert!(
            text.starts_with("2.75 (0x40300000), the exact dot of 4 float32, on cpu"),
            "{text}"
        );
    }
    let call = ["reduce", &right, &right, "--op", "dot", "--adapter", "cpu", "--json"];
    assert_eq!(json(&gridfold(&call))["value"], "inf");
    let nothing = files.add("nothing.npy", &f4([]));
    let call = ["reduce", &nothing, &nothing, "--op", "dot", "--adapter", "cpu", "--json"];
    assert_eq!(json(&gridfold(&call))["value"], "0");
}

#[test]
fn what_is_exact_anyway_says_so() {
    for (npy, op) in [(f4([1.5, 0.5]), "min"), (i4([3, 4]), "product"), (u4([3, 4]), "bit-xor")] {
        assert_eq!(reduce(&npy, op)["precision"], "exact", "{op}");
    }
    for op in ["product", "mean", "sum-of-squares", "norm", "variance", "sample-variance"] {
        assert_eq!(reduce(&f4([1.5, 0.5]), op)["precision"], "reproducible", "{op}");
    }
}

#[test]
fn every_operator_of_i4() {
    let npy = i4([i32::MAX, 1, -6, 12]);
    // In 64 bits nothing wraps.
    assert_value(&npy, "sum", "2147483654", "0x0000000080000006");
    assert_value(&npy, "product", "-154618822584", "0xffffffdc00000048");
    assert_value(&npy, "min", "-6", "0xfffffffa");
    assert_value(&npy, "max", "2147483647", "0x7fffffff");
    assert_value(&npy, "bit-and", "0", "0x00000000");
    assert_value(&npy, "bit-or", "-1", "0xffffffff");
    // 0x7fffffff ^ 1 = 0x7ffffffe; ^ 0xfffffffa = 0x80000004; ^ 0xc = 0x80000008.
    assert_value(&npy, "bit-xor", "-2147483640", "0x80000008");
}

#[test]
fn every_operator_of_u4() {
    let npy = u4([u32::MAX, 3, 6]);
    assert_value(&npy, "sum", "4294967304", "0x0000000100000008");
    assert_value(&npy, "product", "77309411310", "0x00000011ffffffee");
    assert_value(&npy, "min", "3", "0x00000003");
    assert_value(&npy, "max", "4294967295", "0xffffffff");
    assert_value(&npy, "bit-and", "2", "0x00000002");
    assert_value(&npy, "bit-or", "4294967295", "0xffffffff");
    assert_value(&npy, "bit-xor", "4294967290", "0xfffffffa");
}

#[test]
fn extrema_and_where_they_are() {
    let report = reduce(&i4([3, -8, 5, -8, 5]), "min-max");
    assert_eq!(report["value"], json!(["-8", "5"]));
    assert_eq!(report["bits"], json!(["0xfffffff8", "0x00000005"]));
    assert_eq!(report.get("element"), None);
    for (op, index, element, bits) in [
        ("arg-min", "1", "-8", "0xfffffff8"),
        ("arg-max", "2", "5", "0x00000005"),
        ("arg-min-last", "3", "-8", "0xfffffff8"),
        ("arg-max-last", "4", "5", "0x00000005"),
    ] {
        let report = reduce(&i4([3, -8, 5, -8, 5]), op);
        let found = [&report["value"], &report["element"], &report["bits"]];
        assert_eq!(found, [index, element, bits].map(|text| json!(text)).each_ref(), "{op}");
    }
    let report = reduce(&f4([1.0, f32::NAN, -0.0, 0.0, f32::NAN]), "arg-min-max");
    assert_eq!(report["value"], json!(["1", "1"]));
    assert_eq!(report["element"], json!(["NaN", "NaN"]));
    let report = reduce(&f4([0.0, -0.0]), "arg-min");
    assert_eq!((&report["value"], &report["element"]), (&json!("1"), &json!("-0")));
    // Of the file's type.
    let bytes = [header(1, "'|i1'", "False", "(3,)"), vec![1, 0x80, 0]].concat();
    let report = reduce(&bytes, "arg-min");
    let found = [&report["value"], &report["element"], &report["bits"]];
    assert_eq!(found, ["1", "-128", "0x80"].map(|text| json!(text)).each_ref());
    let nothing = reduce(&i4([]), "arg-max");
    assert_eq!((&nothing["value"], nothing.get("element")), (&json!(null), None));
    let call = ["reduce", "-", "--op", "arg-min-max", "--adapter", "cpu"];
    let output = gridfold_with_input(&call, &i4([3, -8, 5]));
    let text = stdout(&output);
    let expected = "1: -8 (0xfffffff8) and 2: 5 (0x00000005), the arg-min-max of 3 int32, on cpu";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn what_is_counted() {
    let npy = f4([0.0, -0.0, 3.0, f32::NAN, -4.0]);
    assert_value(&npy, "any", "true", "0x0000000000000001");
    assert_value(&npy, "all", "false", "0x0000000000000000");
    assert_value(&npy, "count-nan", "1", "0x0000000000000001");
    assert_value(&f4([3.0, -4.0]), "l1-norm", "7", "0x40e00000");
    assert_value(&i4([0, 0]), "any", "false", "0x0000000000000000");
    assert_value(&i4([]), "all", "true", "0x0000000000000001");
}

#[test]
fn nans_by_choice() {
    let npy = f4([3.0, f32::NAN, -4.0, -f32::NAN]);
    let of = |op: &str, rule: &str| {
        let call = ["reduce", "-", "--op", op, "--nan", rule, "--adapter", "cpu", "--json"];
        json(&gridfold_with_input(&call, &npy))
    };
    for (op, propagated, ignored, total) in [
        ("min", "NaN", "-4", "NaN"),
        ("max", "NaN", "3", "NaN"),
        ("arg-min", "1", "2", "3"),
        ("arg-max", "1", "0", "1"),
    ] {
        let values = ["propagate", "ignore", "total"].map(|rule| of(op, rule)["value"].clone());
        assert_eq!(values, [propagated, ignored, total].map(|text| json!(text)), "{op}");
    }
    assert_eq!(of("min", "total")["bits"], "0xffc00000");
    assert_eq!(of("min-max", "ignore")["value"], json!(["-4", "3"]));
    assert_eq!(
        (&of("sum", "ignore")["value"], &of("sum", "propagate")["value"]),
        (&json!("-1"), &json!("NaN"))
    );
    assert_eq!(of("variance", "ignore")["value"], "12.25");
    assert_eq!(of("sample-variance", "ignore")["value"], "24.5");
    assert_eq!(of("variance", "ignore")["precision"], "exact");
    assert_eq!(of("variance", "propagate")["value"], "NaN");
    let call = ["reduce", "-", "--op", "sum", "--nan", "total", "--adapter", "cpu"];
    let output = gridfold_with_input(&call, &npy);
    assert!(stderr(&output).ends_with("rule for NaNs: leave --nan out\n"), "{}", stderr(&output));
    // What does it is named, where it does it.
    let refused = |op: &str| {
        let call = ["reduce", "-", "--op", op, "--nan", "ignore", "--adapter", "cpu"];
        stderr(&gridfold_with_input(&call, &npy)).to_owned()
    };
    let norm = refused("norm");
    let advice = "norm has no such rule for NaNs: leave --nan out, or leave NaNs out by --where \"x == x\"\n";
    assert!(norm.ends_with(advice), "{norm}");
    assert!(refused("count-nan").ends_with("leave --nan out\n"), "{}", refused("count-nan"));
    for op in ["norm", "product", "sum-of-squares", "l1-norm", "max-abs"] {
        assert!(refused(op).contains("--where"), "{op}: {}", refused(op));
        let call = ["reduce", "-", "--op", op, "--where", "x == x", "--adapter", "cpu", "--json"];
        assert_ne!(json(&gridfold_with_input(&call, &npy))["value"], "NaN", "{op}");
    }
    // Integers have none.
    let call = ["reduce", "-", "--op", "min", "--nan", "ignore", "--adapter", "cpu", "--json"];
    assert_eq!(json(&gridfold_with_input(&call, &i4([3, -4])))["value"], "-4");
}

/// Numbers are those of C's order, and so is what comes first.
#[test]
fn places_in_fortrans_order() {
    // In Fortran's order 3 x 2 x 2: [i, j, k] is at i + 3 j + 6 k.
    let elements = [0, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0];
    let bytes: Vec<u8> = elements.iter().flat_map(|x: &i32| x.to_le_bytes()).collect();
    let npy = [header(1, "'<i4'", "True", "(3, 2, 1, 2)"), bytes].concat();
    // [1, 0, 0] and [0, 0, 1], which in C's order are at 4 and at 1.
    let report = reduce(&npy, "arg-max");
    assert_eq!((&report["value"], &report["element"]), (&json!("1"), &json!("9")));
    assert_eq!(reduce(&npy, "arg-max-last")["value"], "4");
    assert_eq!(reduce(&npy, "arg-min-max")["value"], json!(["0", "1"]));
    assert_eq!(reduce(&npy, "max")["value"], "9");
    let empty = header(1, "'<i4'", "True", "(3, 0, 5)");
    assert_eq!(reduce(&empty, "arg-max")["value"], json!(null));
}

#[test]
fn elements_of_a_byte() {
    let of_bytes = |descr: &str, bytes: &[u8]| {
        let shape = format!("({},)", bytes.len());
        let mut npy = header(1, &format!("'{descr}'"), "False", &shape);
        npy.extend(bytes);
        npy
    };
    for descr in ["|i1", "<i1"] {
        let npy = of_bytes(descr, &[0x80, 0x7f, 0xff, 0, 1, 0x80]);
        assert_value(&npy, "sum", "-129", "0xffffffffffffff7f");
        assert_value(&npy, "min", "-128", "0x80");
        assert_value(&npy, "max-abs", "128", "0x80");
        assert_value(&npy, "count", "5", "0x0000000000000005");
        assert_eq!(reduce(&npy, "sum")["dtype"], "int8");
    }
    for descr in ["|u1", "<u1"] {
        let npy = of_bytes(descr, &[0x80, 0x7f, 0xff, 0, 1]);
        assert_value(&npy, "sum", "511", "0x00000000000001ff");
        assert_value(&npy, "bit-xor", "1", "0x01");
        assert_eq!(reduce(&npy, "sum")["dtype"], "uint8");
    }
    // More than are read at once.
    let bytes: Vec<u8> = (0..=255).cycle().take(256 * 3000 + 7).collect();
    let sum = 3000 * (255 * 256 / 2) + 21;
    assert_value(&of_bytes("|u1", &bytes), "sum", &sum.to_string(), &format!("{sum:#018x}"));
    // The last one is missing.
    let mut npy = of_bytes("|u1", &[1; 1000]);
    npy.pop();
    let call = ["reduce", "-", "--op", "sum", "--adapter", "cpu"];
    let output = gridfold_with_input(&call, &npy);
    assert!(stderr(&output).contains("it ends after 999 of 1000 bytes"), "{}", stderr(&output));
}

#[test]
fn means_of_integers() {
    // 2^62 and 2^62 + 1, twice: more than 64 bits together.
    let large: Vec<u8> =
        [1i64 << 62, (1 << 62) + 1].repeat(2).iter().flat_map(|x| x.to_le_bytes()).collect();
    let npy = [header(1, "'<i8'", "False", "(4,)"), large].concat();
    assert_value(&npy, "mean", "4.611686018427388e18", "0x43d0000000000000");
    assert_value(&i4([1, 2, -4]), "mean", "-0.3333333333333333", "0xbfd5555555555555");
    assert_value(&u4([]), "mean", "NaN", "0x7ff8000000000000");
    let report = reduce(&i4([1, 2]), "mean");
    assert_eq!((&report["precision"], &report["dtype"]), (&json!("exact"), &json!("int32")));
}

/// Of what expressions make of all elements, or of those that count. A file is read several times, and a pipe is kept.
#[test]
fn means_of_integers_by_expressions() {
    let wide = |descr: &str, words: [u64; 4]| {
        let npy = header(1, &format!("'{descr}'"), "False", "(4,)");
        [npy, words.map(u64::to_le_bytes).concat()].concat()
    };
    let bytes = |descr: &str, bytes: [u8; 4]| {
        [header(1, &format!("'{descr}'"), "False", "(4,)"), bytes.to_vec()].concat()
    };
    let signed = wide("<i8", [i64::MIN, i64::MAX, 5, -7].map(i64::cast_unsigned));
    let unsigned = wide("<u8", [u64::MAX, u64::MAX, 1, 0]);
    let files = Files::new();
    let of = |npy: &[u8], options: &[&str]| {
        let call = ["--op", "mean", "--adapter", "cpu", "--json"];
        let call = [&call[..], options].concat();
        let file = files.add("a.npy", npy);
        let of_file = json(&gridfold(&[&["reduce", &file], &call[..]].concat()));
        let of_pipe = json(&gridfold_with_input(&[&["reduce", "-"], &call[..]].concat(), npy));
        assert_eq!(of_file["bits"], of_pipe["bits"], "{options:?}");
        assert_eq!(of_file["precision"], "exact");
        of_pipe["value"].as_str().expect("a text").to_owned()
    };
    for (npy, options, value) in [
        (&i4([1, 2, -4]), &["--map", "x * 2"][..], "-0.6666666666666666"),
        (&i4([1, 2, -4]), &["--where", "x > 0"], "1.5"),
        (&i4([1, 2, -4]), &["--where", "x > 9"], "NaN"),
        (&i4([1, 2, -4]), &["--map", "x > 0"], "0.6666666666666666"),
        (&i4([1, 2, -4]), &["--where", "x > a", "--parameter", "a=1"], "2"),
        (&i4([1, 2, -4]), &["--map", "x + i32(i)", "--where", "i != 1u"], "-0.5"),
        // Products wrap in 32 bits, and sums in none.
        (&i4([i32::MAX; 3]), &["--map", "x * 3"], "2147483645"),
        (&u4([u32::MAX; 3]), &["--map", "x"], "4294967295"),
        (&bytes("|u1", [1, 200, 3, 255]), &["--where", "x > 2u"], "152.66666666666666"),
        (&bytes("|i1", [1, 200, 3, 255]), &["--map", "-x"], "13.25"),
        (&bytes("|b1", [1, 0, 1, 1]), &["--where", "i > 0u"], "0.6666666666666666"),
        (&signed, &["--where", "x < 0li"], "-4611686018427388000"),
        (&signed, &["--map", "x"], "-0.75"),
        (&signed, &["--map", "x", "--where", "x > 0li"], "4611686018427388000"),
        (&unsigned, &["--map", "x"], "9223372036854776000"),
        (&unsigned, &["--where", "x > 0lu"], "12297829382473034000"),
    ] {
        let found = of(npy, options);
        let [found, wanted] = [&*found, value].map(|text| text.parse::<f64>().expect("a number"));
        assert_eq!(found.to_bits(), wanted.to_bits(), "{options:?}: {found}");
    }
    // Of pairs, too.
    let [left, right] = [[7, 0, -3], [2, 5, 1]].map(i4);
    let (left, right) = (files.add("left.npy", &left), files.add("right.npy", &right));
    let call = ["reduce", &left, &right, "--op", "mean", "--map", "x * y", "--where", "y > 1"];
    let output = gridfold(&[&call[..], &["--adapter", "cpu"]].concat());
    let text = stdout(&output);
    let wanted =
        "7 (0x401c000000000000), the exact mean of `x * y` of 3 int32 where `y > 1`, on cpu/";
    assert!(text.starts_with(wanted), "{text}{}", stderr(&output));
    // What is wrong is told as it was written.
    let call = ["reduce", "-", "--op", "mean", "--map", "x + sin(x)", "--adapter", "cpu"];
    let output = gridfold_with_input(&call, &signed);
    assert_eq!(output.status.code(), Some(2));
    let part = "--map can't be taken: line 1, column 5: there is no `sin`";
    assert!(stderr(&output).contains(part), "{}", stderr(&output));
}

/// Elements that only may not count are still of the file's type.
#[test]
fn extrema_of_elements_that_count() {
    let of = |descr: &str, bytes: &[u8], options: &[&str]| {
        let len = bytes.len() / usize::from(descr.as_bytes()[2] - b'0');
        let npy = [header(1, &format!("'{descr}'"), "False", &format!("({len},)")), bytes.to_vec()];
        let call = ["reduce", "-", "--adapter", "cpu", "--json"];
        let report = json(&gridfold_with_input(&[&call[..], options].concat(), &npy.concat()));
        let text = |name: &str| report[name].as_str().unwrap_or_default().to_owned();
        [text("value"), text("element"), text("bits")]
    };
    let bytes = [5, 0xfd, 7];
    for (descr, options, wanted) in [
        ("|i1", &["--op", "min", "--where", "x > 0"][..], ["5", "", "0x05"]),
        ("|i1", &["--op", "min"], ["-3", "", "0xfd"]),
        ("|u1", &["--op", "max", "--where", "x > 0u"], ["253", "", "0xfd"]),
        ("|i1", &["--op", "arg-min", "--where", "x != 5"], ["1", "-3", "0xfd"]),
        ("|i1", &["--op", "bit-or", "--where", "x > 0"], ["7", "", "0x07"]),
        ("|i1", &["--op", "max-abs", "--where", "x < 0"], ["3", "", "0x03"]),
        ("|b1", &["--op", "min", "--where", "i == 1u"], ["true", "", "0x01"]),
        // None counts.
        ("|i1", &["--op", "max", "--where", "x > 100"], ["", "", ""]),
        ("|u1", &["--op", "min", "--where", "x > 255u"], ["", "", ""]),
        ("|u1", &["--op", "min-max", "--where", "x > 255u"], ["", "", ""]),
        // These are others.
        ("|i1", &["--op", "min", "--map", "x"], ["-3", "", "0xfffffffd"]),
        ("|i1", &["--op", "sum", "--where", "x > 0"], ["12", "", "0x000000000000000c"]),
    ] {
        assert_eq!(of(descr, &bytes, options), wanted, "{descr} {options:?}");
    }
    let halves = [0x2e66u16, 0xbc00].map(u16::to_le_bytes).concat();
    let found = of("<f2", &halves, &["--op", "max", "--where", "x < 0.5"]);
    assert_eq!(found, ["0.1", "", "0x2e66"]);
    let largest = i32::MAX.to_le_bytes();
    let found = of("<i4", &largest, &["--op", "min", "--where", "x > 5"]);
    assert_eq!(found, ["2147483647", "", "0x7fffffff"]);
    assert_eq!(of("<i4", &largest, &["--op", "min", "--where", "x < 5"]), [""; 3]);
}

#[test]
fn sixteen_bits_of_a_float() {
    let half = |descr: &str, words: [u16; 3]| {
        let mut npy = header(1, descr, "False", "(3,)");
        npy.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        npy
    };
    let npy = half("'<f2'", [0x2e66, 0xbc00, 0x7bff]);
    assert_value(&npy, "min", "-1", "0xbc00");
    // As NumPy writes 65504: the shortest decimal that is nearer to it than to any other.
    assert_value(&npy, "max", "65500", "0x7bff");
    // 0.0999755859375 - 1 + 65504, as float32s.
    assert_value(&npy, "sum", "65503.1", "0x477fdf1a");
    assert_value(&half("'<f2'", [0x7e01, 0, 0]), "max", "NaN", "0x7e00");
    for descr in ["'<u2'", "'<V2'", "'|V2'"] {
        let npy = half(descr, [0x3dcd, 0xbf80, 0x4049]);
        let call = ["reduce", "-", "--dtype", "bf16", "--op", "max", "--adapter", "cpu", "--json"];
        let report = json(&gridfold_with_input(&call, &npy));
        assert_eq!((&report["value"], &report["bits"]), (&json!("3.14"), &json!("0x4049")));
        assert_eq!(report["dtype"], "bfloat16");
    }
}

#[test]
fn magnitudes_and_counts() {
    let npy = f4([3.5, -7.25, -0.0, f32::MIN_POSITIVE]);
    assert_value(&npy, "max-abs", "7.25", "0x40e80000");
    assert_value(&npy, "count", "3", "0x0000000000000003");
    assert_value(&f4([1.0, -f32::NAN]), "max-abs", "NaN", "0x7fc00000");
    assert_value(&i4([i32::MIN, 5, 0]), "max-abs", "2147483648", "0x80000000");
    assert_value(&u4([u32::MAX, 0]), "max-abs", "4294967295", "0xffffffff");
    assert_value(&u4([]), "max-abs", "0", "0x00000000");
    assert_value(&u4([]), "count", "0", "0x0000000000000000");
    let call = ["reduce", "-", "--op", "count", "--adapter", "cpu"];
    let text = gridfold_with_input(&call, &f4([1.0, 0.0]));
    assert!(stdout(&text).starts_with("1 (0x0000000000000001), the count of 2 float32"));
}

#[test]
fn decimals_are_the_shortest_that_read_back() {
    for (element, value, bits) in [
        (0.1f32, "0.1", "0x3dcccccd"),
        (16_777_216.0, "16777216", "0x4b800000"),
        (1e10, "10000000000", "0x501502f9"),
        (f32::MAX, "3.4028235e38", "0x7f7fffff"),
        (f32::MIN_POSITIVE, "1.1754944e-38", "0x00800000"),
        (f32::from_bits(1), "1e-45", "0x00000001"),
        (-0.0, "-0", "0x80000000"),
        (0.0, "0", "0x00000000"),
        (f32::INFINITY, "inf", "0x7f800000"),
        (f32::NEG_INFINITY, "-inf", "0xff800000"),
        (f32::from_bits(0xffc0_1234), "NaN", "0x7fc00000"),
    ] {
        assert_value(&f4([element]), "max", value, bits);
        assert_value(&f4([element, element]), "min", value, bits);
    }
}

#[test]
fn special_values() {
    assert_value(&f4([-0.0, 0.0]), "min", "-0", "0x80000000");
    assert_value(&f4([-0.0, 0.0]), "max", "0", "0x00000000");
    assert_value(&f4([-0.0, -0.0]), "sum", "0", "0x00000000");
    assert_value(&f4([1.0, f32::NAN, 2.0]), "min", "NaN", "0x7fc00000");
    assert_value(&f4([f32::INFINITY, f32::NEG_INFINITY]), "sum", "NaN", "0x7fc00000");
    assert_value(&f4([f32::INFINITY, -2.0]), "product", "-inf", "0xff800000");
}

#[test]
fn integers_of_two_words() {
    let u8 = |elements: &[u64]| {
        let npy = header(1, "'<u8'", "False", &format!("({},)", elements.len()));
        [npy, elements.iter().flat_map(|element| element.to_le_bytes()).collect()].concat()
    };
    let i8 = |elements: &[i64]| {
        let npy = header(1, "'<i8'", "False", &format!("({},)", elements.len()));
        [npy, elements.iter().flat_map(|element| element.to_le_bytes()).collect()].concat()
    };
    let unsigned = u8(&[0xffff_ffff, 1, u64::MAX, 1 << 40]);
    for (op, value, bits) in [
        ("sum", "1103806595071", "0x00000100ffffffff"),
        ("min", "1", "0x0000000000000001"),
        ("max", "18446744073709551615", "0xffffffffffffffff"),
        ("bit-xor", "18446742969902956545", "0xfffffeff00000001"),
        ("count", "4", "0x0000000000000004"),
    ] {
        assert_value(&unsigned, op, value, bits);
    }
    let signed = i8(&[-3, i64::MIN, 5]);
    for (op, value, bits) in [
        ("min", "-9223372036854775808", "0x8000000000000000"),
        ("max", "5", "0x0000000000000005"),
        ("max-abs", "9223372036854775808", "0x8000000000000000"),
        ("sum", "-9223372036854775806", "0x8000000000000002"),
    ] {
        assert_value(&signed, op, value, bits);
    }
    assert_eq!(reduce(&signed, "sum")["dtype"], "int64");
    let sum = ["reduce", "-", "--op", "sum", "--adapter", "cpu"];
    let text = gridfold_with_input(&sum, &unsigned);
    let expected =
        "1103806595071 (0x00000100ffffffff), the sum modulo 2^64 of 4 uint64, on cpu/cpu/";
    assert!(stdout(&text).starts_with(expected), "{}", stdout(&text));
}

#[test]
fn nothing_gives_the_identity_or_null() {
    for (op, value, bits) in [
        ("sum", "0", "0x0000000000000000"),
        ("product", "1", "0x0000000000000001"),
        ("bit-and", "4294967295", "0xffffffff"),
        ("bit-or", "0", "0x00000000"),
        ("bit-xor", "0", "0x00000000"),
    ] {
        assert_value(&u4([]), op, value, bits);
    }
    for op in ["min", "max"] {
        for npy in [f4([]), i4([]), u4([])] {
            let report = reduce(&npy, op);
            assert_eq!((&report["value"], &report["bits"]), (&Value::Null, &Value::Null));
            assert_eq!(report["len"], 0);
        }
    }
}

#[test]
fn every_header_version_order_and_shape() {
    let elements = [1u32, 2, 3, 4, 5, 6].map(u32::to_le_bytes);
    for version in 1..=3 {
        for order in ["False", "True"] {
            for shape in ["(6,)", "(2, 3)", "(1, 6, 1, 1)"] {
                let report = reduce(&npy(header(version, "'<u4'", order, shape), elements), "sum");
                assert_eq!((&report["value"], &report["len"]), (&json!("21"), &json!(6)));
                assert_eq!(report["dtype"], "uint32");
            }
        }
        let scalar = npy(header(version, "'<i4'", "False", "()"), [(-7i32).to_le_bytes()]);
        let report = reduce(&scalar, "sum");
        assert_eq!((&report["value"], &report["len"]), (&json!("-7"), &json!(1)));
        assert_eq!(report["dtype"], "int32");
        for shape in ["(0,)", "(3, 0, 2)", "(9223372036854775807, 0, 9223372036854775807)"] {
            let report = reduce(&header(version, "'<f4'", "False", shape), "sum");
            assert_eq!((&report["value"], &report["len"]), (&json!("0"), &json!(0)), "{shape}");
        }
    }
}

/// NumPy leaves them alone too: several arrays may follow each other in a stream.
#[test]
fn bytes_after_the_elements_are_left_alone() {
    let mut npy = u4([1, 2]);
    npy.extend(b"more");
    assert_value(&npy, "sum", "3", "0x0000000000000003");
}

#[test]
fn a_file_and_a_pipe_give_the_same() {
    // Longer than is read at once.
    let len = 1_000_003u32;
    let mut npy = header(1, "'<u4'", "False", &format!("({len},)"));
    npy.extend((0..len).flat_map(u32::to_le_bytes));
    let files = Files::new();
    let file = files.add("long.npy", &npy);
    let from_file =
        json(&gridfold(&["reduce", &file, "--op", "sum", "--adapter", "cpu", "--json"]));
    let from_pipe = reduce(&npy, "sum");
    // 1000003 · 1000002 / 2, more than 32 bits have.
    let expected = u64::from(len) * u64::from(len - 1) / 2;
    for report in [from_file, from_pipe] {
        assert_eq!(report["value"], expected.to_string());
        assert_eq!(report["len"], len);
    }
}
