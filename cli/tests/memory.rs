//! Memory: how much of it commands take, next to their files, and that too little of it is an error. The system limits a program's address space on Linux
//! alone.
#![cfg(target_os = "linux")]

mod support;

use std::{
    fs::{self, File},
    io::Write,
    path::PathBuf,
    process::{Command, Output},
};
use support::{Files, header, stderr};

/// Elements of a file.
const LEN: usize = 1 << 24;
/// Elements after which they come again.
const PART: usize = 1 << 16;
/// What numbers of bytes in limits are multiples of.
const KIB: u64 = 1 << 10;

/// Runs a call of so many KiB of address space. A single thread takes none that depends on the machine.
fn limited(kibibytes: u64, arguments: &[&str]) -> Output {
    let script = format!("ulimit -v {kibibytes} && exec \"$0\" \"$@\"");
    let mut sh = Command::new("sh");
    let call = sh.args(["-c", &script, env!("CARGO_BIN_EXE_gridfold")]).args(arguments);
    // Where memory ends, Rust may wait for itself when it prints a backtrace.
    let call = call.env("RAYON_NUM_THREADS", "1").env("RUST_BACKTRACE", "0");
    call.output().expect("sh is there")
}

/// The least KiB of address space in which a call succeeds, to a sixteenth of a MiB.
fn least(arguments: &[&str]) -> u64 {
    let (mut fails, mut succeeds) = (0, 1 << 20);
    assert!(limited(succeeds, arguments).status.success(), "{arguments:?} takes a GiB");
    while succeeds - fails > 64 {
        let middle = fails.midpoint(succeeds);
        match limited(middle, arguments).status.success() {
            true => succeeds = middle,
            false => fails = middle,
        }
    }
    succeeds
}

/// A file of numbers of a type and a shape, made bit by bit: a test has little memory, too.
fn add(files: &Files, name: &str, descr: &str, order: &str, shape: &str, of: fn(usize) -> u8) {
    let mut file = File::create(files.path(name)).expect("a new file");
    file.write_all(&header(1, &format!("'{descr}'"), order, shape)).expect("it is written");
    let bytes: usize = descr[2..].parse().expect("a number of bytes");
    // The least significant byte comes first.
    let number = |i| [of(i), 0, 0, 0, 0, 0, 0, 0].into_iter().take(bytes);
    let part: Vec<u8> = (0..PART).flat_map(number).collect();
    let len = if shape.starts_with("(0,") { 0 } else { LEN };
    for _ in 0..len / PART {
        file.write_all(&part).expect("it is written");
    }
}

/// Files of the same names in two folders: some with elements, some without.
struct Both {
    full: Files,
    empty: Files,
}

impl Both {
    fn new() -> Self {
        let (full, empty) = (Files::new(), Files::new());
        let random = |i: usize| (i.wrapping_mul(0x9e37_79b9) >> 7).to_le_bytes()[0];
        let add_both = |name: &str, descr: &str, order: &str, rank: usize, of: fn(usize) -> u8| {
            let [shape, none] = match rank {
                1 => ["(16777216,)", "(0,)"],
                _ => ["(1048576, 16)", "(0, 16)"],
            };
            add(&full, name, descr, order, shape, of);
            add(&empty, name, descr, order, none, of);
        };
        add_both("bytes.npy", "|u1", "False", 1, random);
        add_both("floats.npy", "<f8", "False", 1, random);
        add_both("rows.npy", "|u1", "False", 2, random);
        add_both("fortran.npy", "|u1", "True", 2, random);
        add_both("keys.npy", "|i1", "False", 1, |i| (i / 5 % 100).to_le_bytes()[0]);
        add_both("flags.npy", "|b1", "False", 1, |i| u8::from(i % 100 == 0));
        for files in [&full, &empty] {
            let numbers = |numbers: &[u32]| {
                let shape = format!("({},)", numbers.len());
                let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
                [header(1, "'<u4'", "False", &shape), bytes].concat()
            };
            let end = if std::ptr::eq(files, &full) { 1 << 24 } else { 0 };
            files.add("offsets.npy", &numbers(&[0, end / 16, end / 16, end]));
            files.add("lengths.npy", &numbers(&[end / 2, end / 2]));
        }
        Self { full, empty }
    }
}

/// Each with the files that it reads. Those that it writes are `out.npy` and `rest.npy`.
const CALLS: &[(&str, &[&str])] = &[
    ("select bytes.npy --where x>100u --out out.npy", &["bytes.npy"]),
    ("select floats.npy --where x>0.0 --positions --out out.npy", &["floats.npy"]),
    ("select bytes.npy --mask flags.npy --out out.npy", &["bytes.npy", "flags.npy"]),
    ("partition bytes.npy --where i%3u==0u --out out.npy --rest rest.npy", &["bytes.npy"]),
    ("unique bytes.npy --out out.npy", &["bytes.npy"]),
    ("run-lengths keys.npy --out out.npy --lengths rest.npy", &["keys.npy"]),
    ("difference bytes.npy --out out.npy", &["bytes.npy"]),
    ("scan bytes.npy --op max --out out.npy", &["bytes.npy"]),
    ("histogram bytes.npy --bins 50 --range 0:256 --out out.npy", &["bytes.npy"]),
    ("histogram bytes.npy --bins 1000000 --range 0:256", &["bytes.npy"]),
    (
        "histogram bytes.npy --bins 50 --range 0:256 --weights keys.npy --out out.npy",
        &["bytes.npy", "keys.npy"],
    ),
    ("reduce rows.npy --op max --axis 0 --out out.npy", &["rows.npy"]),
    ("reduce rows.npy --op max --axis 1 --out out.npy", &["rows.npy"]),
    ("reduce fortran.npy --op arg-max --axis 0,1 --out out.npy", &["fortran.npy"]),
    ("reduce bytes.npy --op sum --segments offsets.npy --out out.npy", &["bytes.npy"]),
    ("reduce bytes.npy --op mean --lengths lengths.npy --out out.npy", &["bytes.npy"]),
    ("reduce bytes.npy --op max --flags flags.npy --out out.npy", &["bytes.npy", "flags.npy"]),
    ("reduce bytes.npy --op sum --by keys.npy --out out.npy", &["bytes.npy", "keys.npy"]),
    ("reduce bytes.npy --op sum --by-runs keys.npy --out out.npy", &["bytes.npy", "keys.npy"]),
    ("reduce fortran.npy --op arg-max", &["fortran.npy"]),
    ("reduce fortran.npy --op sum --map x*i", &["fortran.npy"]),
    ("stats fortran.npy", &["fortran.npy"]),
];

/// The call in a folder, on the CPU. (Of `x>100u` and the like the shell sees nothing.)
fn call(files: &Files, text: &str) -> Vec<String> {
    let path = |word: &str| match word.ends_with(".npy") {
        true => files.path(word).to_str().expect("text").to_owned(),
        false => word.to_owned(),
    };
    text.split(' ').map(path).chain(["--adapter", "cpu"].map(str::to_owned)).collect()
}

fn words(call: &[String]) -> Vec<&str> {
    call.iter().map(|word| &**word).collect()
}

/// Memory beyond what the call takes without any elements is three times its inputs and outputs at most.
#[test]
fn commands_take_little_memory() {
    let both = Both::new();
    for (text, inputs) in CALLS {
        let own = least(&words(&call(&both.empty, text)));
        let call = call(&both.full, text);
        let enough = limited(1 << 21, &words(&call));
        assert!(enough.status.success(), "{text}: {}", stderr(&enough));
        let outputs = ["out.npy", "rest.npy"].map(|name| both.full.path(name));
        let size = |path: PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
        let written: u64 = outputs.iter().cloned().map(size).sum();
        let read: u64 = inputs.iter().map(|name| size(both.full.path(name))).sum();
        outputs.iter().for_each(|path| _ = fs::remove_file(path));
        let limit = own + 3 * (read + written) / KIB;
        let output = limited(limit, &words(&call));
        assert!(output.status.success(), "{text} in {limit} KiB: {}", stderr(&output));
        outputs.iter().for_each(|path| _ = fs::remove_file(path));
    }
}

/// Wherever memory ends, it is one sentence.
#[test]
fn too_little_memory_is_an_error() {
    let both = Both::new();
    let starts = least(&["--version"]);
    let mut said = 0;
    for (text, _) in CALLS {
        let call = call(&both.full, text);
        for more in [1, 5, 9, 14, 20, 30] {
            let output = limited(starts + more * KIB, &words(&call));
            let sentence = stderr(&output);
            if output.status.success() {
                continue;
            }
            assert_eq!(output.status.code(), Some(1), "{text} in {more} MiB: {sentence}");
            assert_eq!(sentence.lines().count(), 1, "{text} in {more} MiB: {sentence}");
            assert!(sentence.contains("no memory left for"), "{text} in {more} MiB: {sentence}");
            said += 1;
        }
    }
    assert!(said > CALLS.len(), "{said} calls found too little memory");
}
