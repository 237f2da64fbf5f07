//! Files of bfloat16s, by `--dtype bf16`, in every command that takes a file.

mod support;
#[path = "support/written.rs"]
mod written;

use support::{Files, gridfold, json, stderr, stdout};
use written::{bytes_of, header_text, npy, read, run};

const BF16: [&str; 2] = ["--dtype", "bf16"];

/// 1, 2, 2, −3, NaN and 0.5.
const WORDS: [u16; 6] = [0x3f80, 0x4000, 0x4000, 0xc040, 0x7fc1, 0x3f00];

/// As uint16s in both orders of bytes, and as NumPy writes those of ml_dtypes. With each what its header says.
fn inputs(files: &Files) -> [(String, &'static str); 4] {
    let little = bytes_of(WORDS.map(u16::to_le_bytes));
    let big = bytes_of(WORDS.map(u16::to_be_bytes));
    [
        (files.add("little.npy", &npy("<u2", 6, &little)), "<u2"),
        (files.add("big.npy", &npy(">u2", 6, &big)), ">u2"),
        (files.add("opaque.npy", &npy("<V2", 6, &little)), "<V2"),
        (files.add("unordered.npy", &npy("|V2", 6, &little)), "<V2"),
    ]
}

/// A file of elements that are copied: it says what its input says.
fn copied<const N: usize>(descr: &str, words: [u16; N]) -> (String, Vec<u8>) {
    let bytes = match descr {
        ">u2" => bytes_of(words.map(u16::to_be_bytes)),
        _ => bytes_of(words.map(u16::to_le_bytes)),
    };
    (header_text(descr, N), bytes)
}

#[test]
fn scans_and_differences_are_float32s() {
    let files = Files::new();
    let floats = |floats: [f32; 6]| (header_text("<f4", 6), bytes_of(floats.map(f32::to_le_bytes)));
    let nan = f32::from_bits(0x7fc0_0000);
    for (file, _) in inputs(&files) {
        let of = |call: &[&str]| run(&files, &[&[call[0], &file], &call[1..], &BF16].concat());
        assert_eq!(of(&["scan", "--op", "sum"]), floats([1.0, 3.0, 5.0, 2.0, nan, nan]));
        let found = of(&["scan", "--op", "min", "--nan", "ignore"]);
        assert_eq!(found, floats([1.0, 1.0, 1.0, -3.0, -3.0, -3.0]));
        let places = bytes_of([0i64, 1, 1, 1, 4, 4].map(i64::to_le_bytes));
        assert_eq!(of(&["scan", "--op", "arg-max"]), (header_text("<i8", 6), places));
        assert_eq!(of(&["difference"]), floats([1.0, 1.0, 0.0, -5.0, nan, nan]));
    }
}

#[test]
fn elements_are_copied_as_they_are() {
    let files = Files::new();
    let mask = files.add("mask.npy", &npy("|b1", 6, &[0, 1, 0, 1, 1, 0]));
    let other = files.path("other.npy");
    let other_text = other.to_str().expect("text");
    for (file, descr) in inputs(&files) {
        let of = |call: &[&str]| run(&files, &[&[call[0], &file], &call[1..], &BF16].concat());
        assert_eq!(of(&["select", "--mask", &mask]), copied(descr, [0x4000, 0xc040, 0x7fc1]));
        // Its values count, and not its bits.
        assert_eq!(of(&["select", "--where", "x < 0.75"]), copied(descr, [0xc040, 0x3f00]));
        let positions = bytes_of([3u64, 5].map(u64::to_le_bytes));
        let found = of(&["select", "--where", "x < 0.75", "--positions"]);
        assert_eq!(found, (header_text("<u8", 2), positions));
        let found = of(&["partition", "--where", "x > 1.5", "--rest", other_text]);
        assert_eq!(found, copied(descr, [0x4000, 0x4000]));
        assert_eq!(read(&other), copied(descr, [0x3f80, 0xc040, 0x7fc1, 0x3f00]));
        let firsts = copied(descr, [0x3f80, 0x4000, 0xc040, 0x7fc1, 0x3f00]);
        assert_eq!(of(&["unique"]), firsts);
        assert_eq!(of(&["run-lengths", "--lengths", other_text]), firsts);
        let lengths = bytes_of([1u64, 2, 1, 1, 1].map(u64::to_le_bytes));
        assert_eq!(read(&other), (header_text("<u8", 5), lengths));
    }
}

/// What was written is read again.
#[test]
fn results_say_what_the_file_says() {
    let files = Files::new();
    let offsets = files.add("offsets.npy", &npy("|u1", 3, &[0, 3, 4]));
    let again = files.path("out.npy");
    let again = again.to_str().expect("text");
    for (file, descr) in inputs(&files) {
        let call = ["reduce", &file, "--op", "max", "--segments", &offsets];
        let found = run(&files, &[&call[..], &BF16].concat());
        // Results have this machine's order.
        let wanted = if descr == "<V2" { "<V2" } else { "<u2" };
        assert_eq!(found, copied(wanted, [0x4000, 0xc040]));
        let call = ["reduce", again, "--op", "min", "--adapter", "cpu", "--json"];
        assert_eq!(json(&gridfold(&[&call[..], &BF16].concat()))["value"], "-3");
    }
}

#[test]
fn histograms_and_statistics() {
    let files = Files::new();
    let edges =
        files.add("edges.npy", &npy("<i4", 3, &bytes_of([-4i32, 1, 3].map(i32::to_le_bytes))));
    let weights = files.add(
        "weights.npy",
        &npy("<u2", 6, &bytes_of([1u16, 2, 3, 4, 5, 0x3f80].map(u16::to_le_bytes))),
    );
    for (file, _) in inputs(&files) {
        let call = ["histogram", &file, "--edges", &edges, "--weights", &weights];
        let found = json(&gridfold(&[&call[..], &BF16, &["--json", "--adapter", "cpu"]].concat()));
        assert_eq!((&found["dtype"], &found["outside"]), (&"bfloat16".into(), &1.into()));
        assert_eq!(found["counts"], serde_json::json!([2, 3]));
        // Weights are of their own type.
        assert_eq!(found["sums"], serde_json::json!(["16260", "6"]));
        let call = ["stats", &file, "--json", "--adapter", "cpu"];
        let found = json(&gridfold(&[&call[..], &BF16].concat()));
        assert_eq!((&found["dtype"], &found["nans"]), (&"bfloat16".into(), &1.into()));
    }
}

/// Without the option, with it where it says something wrong, and of files beside.
#[test]
fn what_is_refused() {
    let files = Files::new();
    let [_, _, (opaque, _), _] = inputs(&files);
    let floats = files.add("floats.npy", &npy("<f4", 1, &[0; 4]));
    let six = files.add("six.npy", &npy("<f4", 6, &[0; 24]));
    let (out, rest) = (files.path("o.npy"), files.path("r.npy"));
    let [out, rest] = [&out, &rest].map(|path| path.to_str().expect("text"));
    let calls: [&[&str]; 7] = [
        &["scan", "--op", "sum", "--out", out],
        &["difference", "--out", out],
        &["select", "--where", "x > 0.0", "--out", out],
        &["partition", "--where", "x > 0.0", "--out", out, "--rest", rest],
        &["unique", "--out", out],
        &["run-lengths", "--out", out, "--lengths", rest],
        &["histogram", "--bins", "3"],
    ];
    let fails = |call: &[&str], part: &str| {
        let output = gridfold(&[call, &["--adapter", "cpu"]].concat());
        assert_eq!(output.status.code(), Some(1), "{call:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(part), "{call:?}: {}", stderr(&output));
    };
    for call in calls {
        let of = |file| [&[call[0], file], &call[1..]].concat();
        fails(
            &of(&opaque),
            "opaque.npy can't be used: its elements are two bytes of no type that NumPy knows: give --dtype bf16",
        );
        fails(
            &[&of(&floats)[..], &BF16].concat(),
            "its elements are float32, not the two bytes of a bfloat16: leave --dtype out",
        );
    }
    // The option is not theirs, so they need another way out.
    for call in [
        &["select", &*six, "--mask", &opaque, "--out", out][..],
        &["reduce", &six, "--op", "sum", "--flags", &opaque],
        &["histogram", &six, "--bins", "3", "--weights", &opaque],
        &["histogram", &six, "--edges", &opaque],
    ] {
        fails(
            call,
            "opaque.npy can't be used: its elements are two bytes of no type that NumPy knows: make numbers of them",
        );
    }
}
