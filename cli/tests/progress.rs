//! What long work shows on a terminal, which `script` of util-linux makes.
#![cfg(target_os = "linux")]

mod support;

use std::process::Command;
use support::{Files, header, stderr, stdout};

const LEN: usize = 5_000_000;
/// What clears a line.
const CLEAR: &str = "\u{1b}[2K";

/// The files of the two parts of a pipe's bytes.
fn parts(files: &Files) -> [String; 2] {
    let npy = header(1, "'<f4'", "False", &format!("({LEN},)"));
    // The first chunk that is read has a part of both.
    let half = vec![0; LEN * 2];
    [files.add("first", &[&npy[..], &half].concat()), files.add("second", &half)]
}

/// What a terminal gets of a line of the shell.
fn on_terminal(line: &str) -> String {
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", line, "/dev/null"])
        .env("TERM", "xterm")
        .env("SHELL", "/bin/sh")
        .env_remove("RUST_LOG")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("script, which util-linux has, starts");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    stdout(&output).to_owned()
}

/// A sum of a pipe that has a pause of so many seconds.
fn sum(parts: &[String; 2], pause: &str) -> String {
    let [first, second] = parts;
    let program = env!("CARGO_BIN_EXE_gridfold");
    format!(
        "{{ cat '{first}'; sleep {pause}; cat '{second}'; }} | '{program}' reduce - --op sum --adapter cpu"
    )
}

#[test]
fn long_work_has_a_bar_on_a_terminal() {
    let files = Files::new();
    let parts = parts(&files);
    let text = on_terminal(&sum(&parts, "1.5"));
    let result = "0 (0x00000000), the reproducible sum of 5000000 float32, on cpu/";
    let (before, _) = text.split_once(result).unwrap_or_else(|| panic!("no result in {text:?}"));
    for part in ["16.00 MiB of 19.07 MiB, ", "19.07 MiB of 19.07 MiB, ", "MiB/s, ", "s left"] {
        assert!(before.contains(part), "{part:?} is not in {before:?}");
    }
    // It is gone before the result comes.
    let behind = before.rsplit("left").next().unwrap_or_default();
    assert!(behind.contains(CLEAR), "{before:?}");
}

#[test]
fn nothing_is_shown_of_short_work_or_elsewhere() {
    let files = Files::new();
    let parts = parts(&files);
    let is_result =
        |text: &str| text.starts_with("0 (0x00000000), the ") && text.lines().count() == 1;
    let few = [header(1, "'<f4'", "False", "(2,)"), vec![0; 8]].concat();
    let few = [files.add("few", &few), files.add("none", &[])];
    let text = on_terminal(&sum(&few, "0"));
    assert!(is_result(&text), "{text:?}");
    let errors = files.path("errors");
    let line = format!("{} 2> '{}'", sum(&parts, "1.5"), errors.display());
    let text = on_terminal(&line);
    assert!(is_result(&text), "{text:?}");
    assert_eq!(std::fs::read(errors).expect("the shell made it"), b"");
    // Nor on a terminal that can't move back.
    let text = on_terminal(&sum(&parts, "1.5").replace("| '", "| TERM=dumb '"));
    assert!(is_result(&text), "{text:?}");
}

/// The bar is gone before a sentence about what went wrong, too.
#[test]
fn errors_follow_on_a_line_of_their_own() {
    let files = Files::new();
    let [first, _] = parts(&files);
    // More than a chunk, but not all that there should be.
    let second = files.add("short", &vec![0; 8_000_000]);
    let text = on_terminal(&format!("{} || true", sum(&[first, second], "1.5")));
    let error = "gridfold: - can't be used: it ends after 18000000 of 20000000 bytes";
    let (before, _) = text.split_once(error).unwrap_or_else(|| panic!("no error in {text:?}"));
    assert!(before.contains("16.00 MiB of 19.07 MiB, "), "{text:?}");
    let behind = before.rsplit("left").next().unwrap_or_default();
    assert!(behind.contains(CLEAR), "{before:?}");
}
