//! Histograms of files: what NumPy counts, what is written, and what is refused.

mod support;

use std::fs;
use support::{Files, gridfold, header, json, stderr, stdout};

fn npy(descr: &str, len: usize, elements: &[u8]) -> Vec<u8> {
    let shape = format!("({len},)");
    [header(1, &format!("'{descr}'"), "False", &shape), elements.to_vec()].concat()
}

fn bytes_of<const N: usize>(values: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    values.into_iter().flatten().collect()
}

fn floats(files: &Files) -> String {
    let values = [0.0f32, 0.5, 1.0, 1.0, -0.0, 2.0, 3.5, 4.0, 4.5, f32::NAN, f32::INFINITY];
    files.add("floats.npy", &npy("<f4", values.len(), &bytes_of(values.map(f32::to_le_bytes))))
}

#[test]
fn a_table() {
    let files = Files::new();
    let arguments = ["histogram", &floats(&files), "--bins", "4", "--range", "0:4"];
    let output = gridfold(&[&arguments[..], &["--adapter", "cpu"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let (first, rest) = text.split_once('\n').expect("lines");
    assert!(first.starts_with("11 float32 in 4 bins, 3 in none, on cpu/"), "{first}");
    assert_eq!(rest, "[0, 1) 3\n[1, 2) 2\n[2, 3) 1\n[3, 4] 2\n");
}

#[test]
fn the_range_is_that_of_finite_elements() {
    let files = Files::new();
    let found = json(&gridfold(&[
        "histogram",
        &floats(&files),
        "--bins",
        "3",
        "--adapter",
        "cpu",
        "--json",
    ]));
    assert_eq!(found["edges"], serde_json::json!(["0", "1.5", "3", "4.5"]));
    assert_eq!(found["counts"], serde_json::json!([5, 1, 3]));
    assert_eq!(found["outside"], 2);
    assert_eq!((&found["dtype"], &found["len"]), (&"float32".into(), &11.into()));
    // Of nothing as NumPy's, and of what does not fit a float64.
    let nothing = files.add("nothing.npy", &npy("<f8", 0, &[]));
    let found = json(&gridfold(&["histogram", &nothing, "--bins", "2", "--json"]));
    assert_eq!(found["edges"], serde_json::json!(["0", "0.5", "1"]));
    let large = [i64::MAX, i64::MIN + 1, 5].map(i64::to_le_bytes);
    let large = files.add("large.npy", &npy("<i8", 3, &bytes_of(large)));
    let found = json(&gridfold(&["histogram", &large, "--bins", "2", "--json"]));
    assert_eq!(found["counts"], serde_json::json!([1, 2]));
}

#[test]
fn edges_and_files() {
    let files = Files::new();
    let bytes = files.add("bytes.npy", &npy("|u1", 6, &[0, 3, 3, 7, 200, 255]));
    let edges = bytes_of([0.0f64, 3.0, 200.0, 255.5].map(f64::to_le_bytes));
    let edges = files.add("edges.npy", &npy("<f8", 4, &edges));
    let (out, svg) = (files.path("counts.npy"), files.path("counts.svg"));
    let output = gridfold(&[
        "histogram",
        &bytes,
        "--edges",
        &edges,
        "--out",
        out.to_str().expect("text"),
        "--svg",
        svg.to_str().expect("text"),
        "--adapter",
        "cpu",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // What is in a file is not printed, too.
    let text = stdout(&output);
    assert!(text.starts_with("6 uint8 in 3 bins, 0 in none, on cpu/"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    let counts = fs::read(&out).expect("it was written");
    let own = bytes_of([1u64, 3, 2].map(u64::to_le_bytes));
    assert!(counts.ends_with(&own) && counts.starts_with(b"\x93NUMPY"));
    let svg = fs::read_to_string(svg).expect("it was written");
    assert!(svg.contains("6 uint8 in 3 bins, 0 in none"), "{svg}");
}

#[test]
fn weights() {
    let files = Files::new();
    let floats = floats(&files);
    // Sums beyond 32 bits, and a negative one. The last three are in no bin.
    let large = 2_000_000_000i32;
    let weights = [large, large, large, large, large, -5, 1, 1, large, 7, 7];
    let weights = bytes_of(weights.map(i32::to_le_bytes));
    let weights = files.add("weights.npy", &npy("<i4", 11, &weights));
    let arguments = ["histogram", &floats, "--bins", "2", "--range", "0:4", "--weights", &weights];
    let out = files.path("sums.npy");
    let to_out = ["--out", out.to_str().expect("text")];
    let output = gridfold(&[&arguments[..], &to_out, &["--adapter", "cpu"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let sums = bytes_of([10_000_000_000i64, -3].map(i64::to_le_bytes));
    assert!(fs::read(&out).expect("it was written").ends_with(&sums));
    let output = gridfold(&[&arguments[..], &["--adapter", "cpu"]].concat());
    let text = stdout(&output);
    assert!(text.ends_with("\n[0, 2) 10000000000\n[2, 4]          -3\n"), "{text}");
    let halves = bytes_of((0u8..11).map(|i| (f32::from(i) / 2.0).to_le_bytes()));
    let halves = files.add("halves.npy", &npy("<f4", 11, &halves));
    let arguments = ["histogram", &floats, "--bins", "2", "--range", "0:4", "--weights", &halves];
    let found = json(&gridfold(&[&arguments[..], &["--json", "--adapter", "cpu"]].concat()));
    assert_eq!(found["sums"], serde_json::json!(["5", "9"]));
    assert_eq!(found["counts"], serde_json::json!([5, 3]));
    let few = files.add("few.npy", &npy("<f4", 1, &[0; 4]));
    let arguments = ["histogram", &floats, "--bins", "2", "--weights", &few];
    let output = gridfold(&arguments);
    assert!(!output.status.success() && stderr(&output).contains("few.npy"), "{output:?}");
}

/// Integers that float64s can't tell apart are counted as the integers that they are.
#[test]
fn large_integers() {
    let files = Files::new();
    let low = 1_700_000_000_000_000_000i64;
    let numbers = bytes_of([0, 100, 200, 300, 400].map(|it| (low + it).to_le_bytes()));
    let numbers = files.add("ns.npy", &npy("<i8", 5, &numbers));
    let edges = bytes_of([low, low + 100, low + 101].map(i64::to_le_bytes));
    let edges = files.add("edges.npy", &npy("<i8", 3, &edges));
    let range = format!("{}:{}", low + 1, low + 301);
    for (options, edges, counts) in [
        (&["--bins", "3"][..], &[0, 134, 267, 400][..], &[2, 1, 2][..]),
        (&["--bins", "2", "--range", &range], &[1, 151, 301], &[1, 2]),
        (&["--edges", &edges], &[0, 100, 101], &[1, 1]),
    ] {
        let call = [&["histogram", &numbers, "--json", "--adapter", "cpu"][..], options].concat();
        let found = json(&gridfold(&call));
        assert_eq!(found["counts"], serde_json::json!(counts), "{options:?}");
        let edges: Vec<String> = edges.iter().map(|edge| (low + edge).to_string()).collect();
        assert_eq!(found["edges"], serde_json::json!(edges), "{options:?}");
    }
    let far = files
        .add("far.npy", &npy("<f8", 2, &bytes_of([-1.7e308f64, 1.7e308].map(f64::to_le_bytes))));
    for (file, bins, words) in [
        (&numbers, "401", "401 bins from 1.7e18 to 1.7000000000000005e18 are so narrow"),
        (&far, "2", "far.npy has numbers from -1.7e308 to 1.7e308, which are further apart"),
    ] {
        let output = gridfold(&["histogram", file, "--bins", bins, "--adapter", "cpu"]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn what_is_refused() {
    let files = Files::new();
    let values = floats(&files);
    let falling = bytes_of([2i32, 1].map(i32::to_le_bytes));
    let falling = files.add("falling.npy", &npy("<i4", 2, &falling));
    let missing = files.path("none/counts.svg");
    let missing = missing.to_str().expect("text");
    for (arguments, status, expected) in [
        (vec!["--bins", "0"], 2, "give one at least"),
        (vec!["--bins", "-3"], 2, "give a whole number from 1 on"),
        (vec!["--bins", "1e3"], 2, "give a whole number from 1 on"),
        (vec!["--bins", "2000000"], 2, "are more than the 1048576"),
        (vec!["--bins", "3", "--range", "2:1"], 2, "a low end that is not above"),
        (vec!["--bins", "3", "--range", "0"], 2, "give two numbers"),
        (vec!["--edges", &falling], 2, "edge 1 is 1, after 2"),
        (vec!["--edges", &falling, "--bins", "3"], 2, "cannot be used with"),
        (vec![], 2, "required"),
        (vec!["--bins", "3", "--svg", missing], 1, "give --svg"),
        (vec!["--bins", "3", "--out", missing, "--svg", missing], 2, "give --svg another path"),
    ] {
        let output = gridfold(&[&["histogram", &values][..], &arguments].concat());
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}

/// Both files are whole before one has its name.
#[test]
fn failures_replace_nothing() {
    let files = Files::new();
    let values = floats(&files);
    let (out, svg) = (files.add("counts.npy", b"as it was"), files.add("counts.svg", b"it, too"));
    let (missing, folder) = (files.path("none/counts"), files.path(""));
    let [missing, folder] = [&missing, &folder].map(|path| path.to_str().expect("text"));
    for (out, svg, advice) in [
        (&*out, missing, "give --svg the path"),
        (&*out, folder, "(is a directory): give --svg the path"),
        (missing, &*svg, "give --out"),
        (folder, &*svg, "give --out"),
    ] {
        let call = ["histogram", &values, "--bins", "3", "--out", out, "--svg", svg];
        let output = gridfold(&call);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains(advice), "{}", stderr(&output));
    }
    assert_eq!(fs::read(&out).expect("it is there"), b"as it was");
    assert_eq!(fs::read(&svg).expect("it is there"), b"it, too");
    assert_eq!(files.names().len(), 3, "{:?}", files.names());
    // What was there is replaced as a whole.
    let output = gridfold(&["histogram", &values, "--bins", "3", "--out", &out, "--svg", &svg]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(fs::read(&out).expect("it is there").starts_with(b"\x93NUMPY"));
    assert!(fs::read_to_string(&svg).expect("it is there").contains("</svg>"));
}
