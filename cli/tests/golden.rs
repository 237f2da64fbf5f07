//! `gridfold reduce` on files that NumPy made, against what NumPy makes of them: `cli/tests/golden/make.py` writes both.

mod support;

use std::{fs, path::Path};
use support::*;

fn directory() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

#[test]
fn results_are_numpys() {
    let expected = fs::read_to_string(directory().join("expected.txt")).expect("NumPy's results");
    let mut lines = 0;
    let mut wrong = Vec::new();
    for line in expected.lines() {
        let [file, op, dtype, bits] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line} has four words")
        };
        let path = directory().join(file).into_os_string().into_string().expect("paths are text");
        let call = ["reduce", &path, "--op", op, "--adapter", "cpu", "--json"];
        let option: &[&str] = if dtype == "bfloat16" { &["--dtype", "bf16"] } else { &[] };
        let output = gridfold(&[&call[..], option].concat());
        assert_eq!(stderr(&output), "", "{line}");
        let report = json(&output);
        if (&report["dtype"], &report["bits"]) != (&dtype.into(), &bits.into()) {
            wrong.push(format!("{line}, found {} {}", report["dtype"], report["bits"]));
        }
        lines += 1;
    }
    assert!(wrong.is_empty(), "{} of {lines}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(lines > 200, "only {lines} results");
}

#[test]
fn members_that_are_not_there() {
    let path =
        |name: &str| directory().join(name).into_os_string().into_string().expect("paths are text");
    for archive in ["stored.npz", "deflated.npz"] {
        let lists = "choose one of weights, counts, mask, as FILE.npz:ARRAY";
        for (member, part) in [(":weight", "it has no array \"weight\""), ("", "several arrays")] {
            let file = format!("{}{member}", path(archive));
            let output = gridfold(&["reduce", &file, "--op", "sum", "--adapter", "cpu"]);
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(
                stderr(&output).contains(part) && stderr(&output).contains(lists),
                "{}",
                stderr(&output)
            );
            assert!(stderr(&output).contains(archive) && stderr(&output).lines().count() == 1);
        }
        // By the name of the file in the archive, too.
        let file = format!("{}:mask.npy", path(archive));
        assert_eq!(
            json(&gridfold(&["reduce", &file, "--op", "min", "--adapter", "cpu", "--json"]))["value"],
            "false"
        );
    }
    let missing = format!("{}:a", path("missing.npz"));
    let output = gridfold(&["reduce", &missing, "--op", "sum", "--adapter", "cpu"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("missing.npz can't be opened"), "{}", stderr(&output));
    // One array needs no name.
    let single =
        gridfold(&["reduce", &path("single.npz"), "--op", "count", "--adapter", "cpu", "--json"]);
    assert_eq!(json(&single)["len"], 9);
}

#[test]
fn damaged_archives() {
    let files = Files::new();
    let bytes = fs::read(directory().join("deflated.npz")).expect("NumPy's file");
    let reduce = |bytes: &[u8]| {
        let file = files.add("damaged.npz", bytes);
        let output =
            gridfold(&["reduce", &format!("{file}:mask"), "--op", "sum", "--adapter", "cpu"]);
        (output.status.code(), stderr(&output).to_owned())
    };
    assert_eq!(reduce(&bytes).0, Some(0));
    let (status, text) = reduce(&bytes[..bytes.len() - 30]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("damaged.npz can't be used: it is no whole zip archive"), "{text}");
    let (status, text) = reduce(b"no archive at all");
    assert_eq!((status, text.lines().count()), (Some(1), 1), "{text}");
    // A bit of each byte in turn: an error, or a part of the file that has nothing to do with the array.
    let mut refused = 0;
    for place in (0..bytes.len()).step_by(5) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        let (status, text) = reduce(&damaged);
        assert!(matches!(status, Some(0..=2)), "{place}: {text}");
        assert!(!text.contains("panicked") && text.lines().count() <= 1, "{place}: {text}");
        refused += u32::from(status != Some(0));
    }
    assert!(refused > 20, "{refused}");
    // A stored array has no form that damage would spoil, but a checksum.
    let mut stored = fs::read(directory().join("single.npz")).expect("NumPy's file");
    let place = stored.windows(6).position(|bytes| bytes == b"\x93NUMPY").expect("an array") + 128;
    stored[place] ^= 1;
    let file = files.add("single.npz", &stored);
    let output = gridfold(&["reduce", &file, "--op", "sum", "--adapter", "cpu"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("its checksum is another"), "{}", stderr(&output));
}

/// 3 GB, where a process may have 300 MB. (Of addresses: each thread has some for its stack.)
#[test]
#[cfg(target_os = "linux")]
fn files_larger_than_memory() {
    let files = Files::new();
    let npy = header(1, "'<u4'", "False", "(805306368,)");
    let path = files.add("large.npy", &npy);
    let file = fs::File::options().write(true).open(&path).expect("a file");
    file.set_len(npy.len() as u64 + (3 << 30)).expect("a file with a hole");
    for op in ["sum", "max", "mean"] {
        // Address space is what is limited, and glibc's arenas take 64 MB of it for each thread, without any memory.
        let limited = format!(
            "ulimit -v 300000 && MALLOC_ARENA_MAX=1 RAYON_NUM_THREADS=4 exec {} reduce {path} --op {op} --adapter cpu --json",
            env!("CARGO_BIN_EXE_gridfold")
        );
        let output = std::process::Command::new("sh").args(["-c", &limited]).output();
        let output = output.expect("a shell");
        assert_eq!((stderr(&output), &json(&output)["value"]), ("", &"0".into()));
    }
}

/// It is long enough to be read in several parts, and is cut once the first part is on its way.
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_shrinks() {
    let files = Files::new();
    let npy = header(1, "'<u4'", "False", "(1073741824,)");
    let path = files.add("shrinks.npy", &npy);
    let file = fs::File::options().write(true).open(&path).expect("a file");
    file.set_len(npy.len() as u64 + (4 << 30)).expect("a file with a hole");
    let mut child = command(&["reduce", &path, "--op", "max", "--adapter", "cpu"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Once it has opened the file, it has read its size.
    let descriptors = format!("/proc/{}/fd", child.id());
    let has_opened = || {
        let Ok(entries) = fs::read_dir(&descriptors) else { return false };
        entries
            .flatten()
            .any(|entry| fs::read_link(entry.path()).is_ok_and(|file| file == Path::new(&path)))
    };
    while !has_opened() {
        assert!(child.try_wait().expect("a child").is_none(), "it has not ended before");
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    file.set_len(npy.len() as u64 + 1000).expect("a shorter file");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stderr(&output).contains("it became shorter while it was read"), "{}", stderr(&output));
}
