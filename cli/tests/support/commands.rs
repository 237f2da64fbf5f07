//! Commands that write files, on an adapter: the same files as from the CPU.

use crate::support::*;
use libtest_mimic::Failed;
use std::fs;

/// Numbers without a pattern, above zero and below.
fn words(len: u32) -> impl Iterator<Item = u32> {
    (0..len).map(|i| {
        let mixed = i.wrapping_mul(0x9e37_79b1);
        mixed ^ mixed >> 15
    })
}

fn add(files: &Files, name: &str, descr: &str, shape: &str, words: &[u32]) -> String {
    let mut npy = header(1, &format!("'{descr}'"), "False", shape);
    npy.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    files.add(name, &npy)
}

/// Each once, on few elements: it is the adapter that they are given, and what they make of what it returns.
pub fn write_the_same(selector: &str) -> Result<(), Failed> {
    let files = Files::new();
    // Floats of many sizes below 2.
    let floats: Vec<u32> = words(3000).map(|word| word & 0xbfff_ffff).collect();
    let row = add(&files, "row.npy", "<f4", "(3000,)", &floats);
    let table = add(&files, "table.npy", "<f4", "(30, 100)", &floats);
    // Runs of seven, and keys that come again.
    let keys: Vec<u32> = (0..3000).map(|i| i / 7 % 5).collect();
    let keys = add(&files, "keys.npy", "<i4", "(3000,)", &keys);
    let offsets = add(&files, "offsets.npy", "<u4", "(5,)", &[0, 1, 1, 700, 3000]);
    let bytes = add(&files, "bytes.npy", "|i1", "(30, 100)", &floats[..750]);
    let short = add(&files, "short.npy", "<u2", "(3000,)", &floats[..1500]);
    let wide = add(&files, "wide.npy", "<i8", "(30, 50)", &floats);
    let [out, other] = ["out.npy", "other.npy"].map(|name| {
        files.path(name).into_os_string().into_string().expect("temporary paths are text")
    });
    // With the option of the second file that it writes, if it does.
    for (call, option) in [
        (vec!["scan", &row, "--op", "sum"], None),
        (vec!["difference", &row], None),
        (vec!["select", &row, "--where", "x > 0.001"], None),
        (vec!["partition", &row, "--where", "x * x < 0.1"], Some("--rest")),
        (vec!["unique", &keys], None),
        (vec!["run-lengths", &keys], Some("--lengths")),
        (vec!["histogram", &row, "--bins", "20", "--range", "-2:2"], None),
        (vec!["reduce", &table, "--op", "sum", "--axis", "0"], None),
        (vec!["reduce", &row, "--op", "sum", "--by", &keys], Some("--keys-out")),
        (vec!["reduce", &row, "--op", "sum", "--segments", &offsets], None),
        (vec!["reduce", &bytes, "--op", "min-max", "--axis", "0"], None),
        (vec!["reduce", &bytes, "--op", "mean", "--axis", "1"], None),
        (vec!["reduce", &short, "--op", "max", "--segments", &offsets], None),
        (vec!["reduce", &short, "--op", "mean", "--by", &keys], None),
        (vec!["reduce", &wide, "--op", "mean", "--axis", "1"], None),
    ] {
        let mut outputs = vec![("--out", &*out)];
        outputs.extend(option.map(|option| (option, &*other)));
        let (told, found) = run(&call, selector, &outputs);
        // Else the CPU's would be compared with its own.
        assert!(!told.contains(", on cpu/"), "{call:?}: {told}");
        let (told, wanted) = run(&call, "cpu", &outputs);
        assert!(told.contains(", on cpu/"), "{call:?}: {told}");
        assert!(found == wanted, "{call:?} on {selector} writes other files than on the CPU");
    }
    Ok(())
}

/// What a call tells, and the files that it writes. They are taken away, so that no call is credited with another one's.
fn run(call: &[&str], adapter: &str, outputs: &[(&str, &str)]) -> (String, Vec<Vec<u8>>) {
    let to: Vec<&str> = outputs.iter().flat_map(|&(option, path)| [option, path]).collect();
    let output = gridfold(&[call, &to[..], &["--adapter", adapter]].concat());
    assert_eq!(output.status.code(), Some(0), "{call:?} on {adapter}: {}", stderr(&output));
    let written = outputs.iter().map(|(_, path)| {
        let bytes = fs::read(path).expect("it was written");
        fs::remove_file(path).expect("it is there");
        bytes
    });
    (stdout(&output).to_owned(), written.collect())
}
