//! `gridfold stats`: its numbers are those of `gridfold reduce`, and its histograms have all elements.

mod support;

use serde_json::{Value, json};
use std::fs;
use support::{
    Files, command, f4, gridfold, gridfold_with_input, header, i4, json, npy, stderr, stdout,
    vector,
};

fn stats(bytes: &[u8]) -> Value {
    json(&gridfold_with_input(&["stats", "-", "--adapter", "cpu", "--json"], bytes))
}

fn reduce(bytes: &[u8], op: &str) -> Value {
    json(&gridfold_with_input(&["reduce", "-", "--op", op, "--adapter", "cpu", "--json"], bytes))
}

fn file(descr: &str, len: usize, elements: &[u8]) -> Vec<u8> {
    [header(1, &format!("'{descr}'"), "False", &format!("({len},)")), elements.to_vec()].concat()
}

/// Numbers and places as `gridfold reduce` has them.
fn assert_as_reduced(bytes: &[u8], statistics: &[&str]) {
    let found = stats(bytes);
    for op in statistics {
        let wanted = reduce(bytes, op);
        let own = &found[op.replace('-', "_")];
        assert_eq!(
            (&own["value"], &own["bits"]),
            (&wanted["value"], &wanted["bits"]),
            "{op}: {found}"
        );
    }
    for (name, op) in [("min", "arg-min"), ("max", "arg-max")] {
        let wanted = reduce(bytes, op);
        let own = &found[name];
        assert_eq!(
            (&own["index"], &own["element"], &own["bits"]),
            (&wanted["value"], &wanted["element"], &wanted["bits"]),
            "{op}: {found}"
        );
    }
}

#[test]
fn numbers_are_those_of_reductions() {
    let variances = ["mean", "variance", "sample-variance"];
    assert_as_reduced(&f4([3.0, -4.5, 1e10, 7.25, -4.5, 0.1, -0.0]), &variances);
    assert_as_reduced(&f4([3.0, f32::NAN, 1.0]), &variances);
    assert_as_reduced(&f4([f32::INFINITY, 1.0]), &variances);
    let doubles = [0.1f64, -7.0, 1e200, 3.5].map(f64::to_le_bytes).concat();
    assert_as_reduced(&file("<f8", 4, &doubles), &variances);
    let halves = [0x3c00u16, 0xc400, 0x3555].map(u16::to_be_bytes).concat();
    assert_as_reduced(&file(">f2", 3, &halves), &variances);
    // There are no variances of integers elsewhere.
    assert_as_reduced(&i4([7, -9, i32::MAX, -9]), &["mean"]);
    let large = [u64::MAX, u64::MAX - 1, u64::MAX].map(u64::to_le_bytes).concat();
    assert_as_reduced(&file("<u8", 3, &large), &["mean"]);
    assert_as_reduced(&file("|i1", 3, &[0x80, 0x7f, 0x80]), &["mean"]);
    assert_as_reduced(&file("|b1", 3, &[0, 1, 1]), &["mean"]);
}

#[test]
fn all_of_it_is_told() {
    let found = stats(&f4([2.0, 4.0, 4.0, 10.0]));
    let value = |name: &str| found[name]["value"].as_str().expect("a number").to_owned();
    assert_eq!(
        ["mean", "variance", "sample_variance", "standard_deviation"].map(value),
        ["5", "9", "12", "3"]
    );
    assert_eq!(value("skewness").parse(), Ok(24.0f64 / 27.0));
    assert_eq!(value("kurtosis").parse(), Ok((81.0f64 + 1.0 + 1.0 + 625.0) / 4.0 / 81.0));
    assert_eq!(
        (&found["dtype"], &found["len"], &found["nans"]),
        (&json!("float32"), &json!(4), &json!(0))
    );
    assert_eq!(found["adapter"]["backend"], "cpu");
    let call = ["stats", "-", "--adapter", "cpu"];
    let output = gridfold_with_input(&call, &f4([2.0, 4.0, 4.0, 10.0]));
    let text = stdout(&output);
    assert!(text.starts_with("mean                5 (0x40a00000)\n"), "{text}");
    assert!(text.contains("max                 3: 10 (0x41200000)\n"), "{text}");
    assert!(text.contains("of 4 float32, of which 0 are NaN, on cpu/"), "{text}");

    let found = stats(&f4([1.0, f32::NAN, f32::NAN]));
    assert_eq!((&found["nans"], &found["mean"]["value"]), (&json!(2), &json!("NaN")));
    assert_eq!(found["min"]["index"], "1");
    let found = stats(&f4([]));
    assert_eq!((&found["min"], &found["skewness"]["value"]), (&Value::Null, &json!("NaN")));
    let found = stats(&i4([5, 5]));
    assert_eq!(
        (&found["variance"]["value"], &found["kurtosis"]["value"]),
        (&json!("0"), &json!("NaN"))
    );
}

/// The same, but for what is left out.
#[test]
fn in_brief() {
    let brief = |bytes: &[u8]| {
        json(&gridfold_with_input(&["stats", "-", "--brief", "--adapter", "cpu", "--json"], bytes))
    };
    for bytes in [f4([2.0, 4.0, 4.0, 10.0]), f4([1.0, f32::NAN]), f4([]), i4([5, -7, 9])] {
        let (found, all) = (brief(&bytes), stats(&bytes));
        for name in ["skewness", "kurtosis"] {
            assert_eq!(found.get(name), None);
            assert!(all.get(name).is_some());
        }
        for name in ["dtype", "len", "nans", "mean", "variance", "sample_variance"] {
            assert_eq!(found[name], all[name], "{name}");
        }
        for name in ["standard_deviation", "min", "max"] {
            assert_eq!(found[name], all[name], "{name}");
        }
    }
    let call = ["stats", "-", "--brief", "--adapter", "cpu"];
    let output = gridfold_with_input(&call, &f4([2.0, 4.0]));
    let text = stdout(&output);
    assert!(text.starts_with("mean                3 (0x40400000)\n"), "{text}");
    assert!(!text.contains("skewness") && !text.contains("kurtosis"), "{text}");
}

/// Places are C's, and so is the order.
#[test]
fn fortrans_order() {
    let numbers = [1.0f32, 2.0, 0.25, 4.0, 9.0, 6.0].map(f32::to_le_bytes);
    let fortran = npy(header(1, "'<f4'", "True", "(2, 3)"), numbers);
    let c =
        npy(header(1, "'<f4'", "False", "(2, 3)"), [0, 2, 4, 1, 3, 5].map(|i: usize| numbers[i]));
    let [one, other] = [fortran, c].map(|bytes| {
        let mut found = stats(&bytes);
        let object = found.as_object_mut().expect("an object");
        object.remove("total_ns");
        found
    });
    assert_eq!(one, other);
    assert_eq!((&one["min"]["index"], &one["max"]["index"]), (&json!("1"), &json!("2")));
}

fn heights(svg: &str) -> usize {
    svg.lines().filter(|line| line.starts_with("<rect") && line.contains("#0072B2")).count()
}

#[test]
fn histograms() {
    let files = Files::new();
    let svg = files.path("out.svg");
    let svg_text = svg.to_str().expect("text");
    let draw = |input: &str| {
        let call = ["stats", input, "--adapter", "cpu", "--svg", svg_text];
        let output = gridfold(&call);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        fs::read_to_string(&svg).expect("it was written")
    };
    let drawn = draw(&files.add("f.npy", &f4([0.0, 1.0, 1.0, 64.0])));
    assert_eq!(heights(&drawn), 3);
    for mark in ["min 0", "max 64", "mean 16.5", "mean + σ", "4 float32"] {
        assert!(drawn.contains(mark), "{mark}: {drawn}");
    }
    // Twice the same file: what was longer is gone.
    let drawn = draw(&files.add("same.npy", &i4([7, 7])));
    assert_eq!(heights(&drawn), 1);
    assert!(drawn.ends_with("</svg>\n") && drawn.matches("</svg>").count() == 1);
    let drawn = draw(&files.add("nan.npy", &f4([0.0, f32::NAN, f32::INFINITY, 3.0])));
    assert_eq!(heights(&drawn), 2);
    assert!(drawn.contains("2 of 4 float32: 2 are not finite"), "{drawn}");
    assert_eq!(heights(&draw(&files.add("none.npy", &f4([])))), 0);
    let wide = vector("<f4", [f32::MIN, f32::MAX].map(f32::to_le_bytes));
    assert_eq!(heights(&draw(&files.add("wide.npy", &wide))), 2);
}

/// A chart takes the place of another one as a whole, and what fails leaves all as it was.
#[test]
fn charts_replace_others() {
    let files = Files::new();
    let input = files.add("f.npy", &f4([1.0, 2.0]));
    let svg = files.add("out.svg", b"as it was");
    // Another name of the same file.
    let old = files.path("old.svg");
    fs::hard_link(&svg, &old).expect("a link");
    let output = gridfold(&["stats", &input, "--svg", &svg, "--adapter", "no such adapter"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(fs::read(&svg).expect("it is there"), b"as it was");
    let output = gridfold(&["stats", &input, "--svg", &svg, "--adapter", "cpu"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(fs::read_to_string(&svg).expect("it is there").ends_with("</svg>\n"));
    assert_eq!(fs::read(&old).expect("it is there"), b"as it was");
    let folder = fs::read_dir(files.path("")).expect("a folder");
    assert_eq!(folder.count(), 3, "the input, the chart, and the old one");
}

/// A link still leads to the file, which is another one.
#[test]
#[cfg(unix)]
fn charts_by_links() {
    let files = Files::new();
    let input = files.add("f.npy", &f4([1.0, 2.0]));
    let svg = files.add("out.svg", b"as it was");
    let link = files.path("link.svg");
    std::os::unix::fs::symlink(&svg, &link).expect("a link");
    let link_text = link.to_str().expect("text");
    let output = gridfold(&["stats", &input, "--svg", link_text, "--adapter", "cpu"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert!(fs::read_to_string(&svg).expect("it is there").ends_with("</svg>\n"));
}

/// Nothing but the chart is there, also where standard output is a file: standard error has what is told.
#[test]
#[cfg(unix)]
fn charts_on_standard_output() {
    let files = Files::new();
    let input = files.add("f.npy", &f4([1.0, 2.0]));
    let of_stats = ["stats", &input, "--svg", "/dev/stdout", "--adapter", "cpu"];
    let of_bins = ["histogram", &input, "--bins", "2", "--svg", "/dev/stdout", "--adapter", "cpu"];
    let mut by_number = of_stats;
    by_number[3] = "/dev/fd/1";
    let calls =
        [(&of_stats[..], "mean  "), (&by_number, "mean  "), (&of_bins, "2 float32 in 2 bins")];
    for (call, begin) in calls {
        let path = files.path("all.txt");
        let file = fs::File::create(&path).expect("a file");
        let to_file = command(call).stdout(file).output().expect("it starts");
        let to_pipe = gridfold(call);
        let in_file = fs::read_to_string(&path).expect("it was written");
        for (output, text) in [(&to_file, &*in_file), (&to_pipe, stdout(&to_pipe))] {
            assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
            assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"), "{text}");
            assert!(stderr(output).starts_with(begin), "{}", stderr(output));
        }
    }
    #[cfg(target_os = "linux")]
    assert!(fs::symlink_metadata("/dev/stdout").expect("Linux has it").is_symlink());
}

/// A file that is open already gets the chart behind what it has, and is the same file after it.
#[test]
#[cfg(unix)]
fn charts_in_open_files() {
    let files = Files::new();
    let input = files.add("f.npy", &f4([1.0, 2.0]));
    let path = files.path("errors.txt");
    fs::write(&path, "before\n").expect("a file");
    let file = fs::File::options().append(true).open(&path).expect("a file");
    let call = ["stats", &input, "--svg", "/dev/fd/2", "--adapter", "cpu"];
    let output = command(&call).stderr(file).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).starts_with("mean  "), "{output:?}");
    let text = fs::read_to_string(&path).expect("it is there");
    assert!(text.starts_with("before\n<svg") && text.ends_with("</svg>\n"), "{text}");
}

#[test]
fn errors_say_what_to_do() {
    let files = Files::new();
    let path = files.path("out.svg");
    let svg = path.to_str().expect("text");
    let output = gridfold_with_input(&["stats", "-", "--svg", svg], &f4([1.0]));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("give the path of a file"), "{}", stderr(&output));
    assert!(!path.exists());
    // A pipe has nobody at its other end: it is not opened.
    #[cfg(target_os = "linux")]
    {
        let pipe = files.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("coreutils");
        assert!(made.success());
        let output = gridfold(&["stats", pipe.to_str().expect("text"), "--svg", svg]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("a second read of the file"), "{}", stderr(&output));
    }
    let input = files.add("f.npy", &f4([1.0]));
    let output = gridfold(&["stats", &input, "--svg", "/nowhere/out.svg", "--adapter", "cpu"]);
    assert!(stderr(&output).contains("give --svg the path"), "{}", stderr(&output));
    let output = gridfold(&["stats", "/nowhere.npy", "--adapter", "cpu"]);
    assert!(stderr(&output).contains("can't be opened"), "{}", stderr(&output));
}
