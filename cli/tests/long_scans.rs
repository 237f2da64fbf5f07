//! Scans of files of many chunks, which memory need not have room for.
#![cfg(unix)]

mod support;

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
};
use support::{Files, command, gridfold, header, json, stderr, stdout};

/// Elements that are taken at a time.
const CHUNK: usize = 1 << 21;

/// The first results are there before the last elements are.
#[test]
fn results_come_chunk_by_chunk() {
    let len = CHUNK + 5;
    let npy = header(1, "'|u1'", "False", &format!("({len},)"));
    let mut child = command(&["scan", "-", "--op", "arg-max-last", "--out", "/dev/stdout"])
        .args(["--adapter", "cpu"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = child.stdout.take().expect("a pipe");
    // It grows until 250, which is there twice.
    let element = |i: usize| u8::try_from(i.min(250)).expect("a byte") - u8::from(i > 260);
    let elements: Vec<u8> = (0..CHUNK).map(element).collect();
    stdin.write_all(&npy).expect("it reads");
    stdin.write_all(&elements).expect("it reads");
    stdin.flush().expect("it reads");
    let mut results = vec![0; 128 + 8 * CHUNK];
    stdout.read_exact(&mut results).expect("a header, and a chunk's results");
    let index = |results: &[u8], i: usize| {
        i64::from_le_bytes(results[8 * i..][..8].try_into().expect("eight bytes"))
    };
    for (at, wanted) in [(0, 0), (100, 100), (260, 260), (300, 260), (CHUNK - 1, 260)] {
        assert_eq!(index(&results[128..], at), wanted);
    }
    stdin.write_all(&[7, 251, 3, 251, 9]).expect("it reads");
    drop(stdin);
    let mut rest = Vec::new();
    stdout.read_to_end(&mut rest).expect("the rest");
    let end = i64::try_from(CHUNK).expect("small");
    let wanted = [260, end + 1, end + 1, end + 3, end + 3];
    assert_eq!([0, 1, 2, 3, 4].map(|i| index(&rest, i)), wanted);
    assert_eq!(rest.len(), 40);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = "the inclusive scan by arg-max-last of 2097157 uint8, to i64";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}

/// Rounded sums, whose bits are those of reductions, also behind chunks.
#[test]
fn sums_are_those_of_reductions() {
    let len = 2 * CHUNK + 3;
    let mut npy = header(1, "'<f4'", "False", &format!("({len},)"));
    let mut random = fastrand::Rng::with_seed(1);
    npy.extend((0..len).flat_map(|_| (random.f32() - 0.25).to_le_bytes()));
    let files = Files::new();
    let (file, out) = (files.add("long.npy", &npy), files.path("out.npy"));
    for op in ["sum", "mean", "variance", "norm"] {
        let out_text = out.to_str().expect("text");
        let call = ["scan", &file, "--op", op, "--out", out_text, "--adapter", "cpu"];
        let output = gridfold(&call);
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        let results = std::fs::read(&out).expect("it was written");
        let last = results.last_chunk::<4>().expect("results");
        let report = json(&gridfold(&["reduce", &file, "--op", op, "--adapter", "cpu", "--json"]));
        assert_eq!(report["bits"], format!("{:#010x}", u32::from_le_bytes(*last)), "{op}");
    }
}

/// What needs 700 MB as a whole, where a process may have 300. (Of addresses: each thread has some for its stack. glibc would
/// take 64 MB more for the allocations of each, so all share an arena.)
#[test]
#[cfg(target_os = "linux")]
fn memory_is_that_of_a_chunk() {
    let files = Files::new();
    let npy = header(1, "'|u1'", "False", "(16777216,)");
    let path = files.add("large.npy", &npy);
    let file = std::fs::File::options().write(true).open(&path).expect("a file");
    file.set_len(npy.len() as u64 + (1 << 24)).expect("a file with a hole");
    let limited = format!(
        "ulimit -v 300000 && MALLOC_ARENA_MAX=1 RAYON_NUM_THREADS=4 exec {} scan {path} --op arg-min --out /dev/null --adapter cpu",
        env!("CARGO_BIN_EXE_gridfold")
    );
    let output = Command::new("sh").args(["-c", &limited]).output().expect("a shell");
    assert_eq!((stderr(&output), output.status.code()), ("", Some(0)));
}
