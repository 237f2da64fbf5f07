//! Files that the program writes: whole or not at all, and nothing else is touched.

mod support;

use std::{
    fs, io,
    path::Path,
    process::{Child, Stdio},
};
use support::*;

/// A call that writes `out`, of a file of two numbers.
fn scan<'a>(input: &'a str, out: &'a str) -> [&'a str; 8] {
    ["scan", input, "--op", "sum", "--out", out, "--adapter", "cpu"]
}

#[track_caller]
fn assert_fails(call: &[&str], words: &str) {
    let output = gridfold(call);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
}

#[track_caller]
fn assert_works(call: &[&str]) {
    let output = gridfold(call);
    assert_eq!(output.status.code(), Some(0), "{call:?}: {}", stderr(&output));
}

/// Containers give the same process number to several programs, and others may guess it.
#[test]
#[cfg(unix)]
fn a_guessed_name_is_not_followed() {
    let files = Files::new();
    let input = files.add("a.npy", &f4([1.0, 2.0]));
    let victim = files.add("victim", b"as it was");
    let out = files.path("p.npy");
    let out = out.to_str().expect("text");
    // The shell becomes the program, and keeps its number.
    let script = r#"ln -s "$1" "$2.$$.part" && ln -s "$1" "$2.part" && shift 2 && exec "$@""#;
    let program = env!("CARGO_BIN_EXE_gridfold");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, "sh", &victim, out, program]).args(scan(&input, out));
    let output = shell.output().expect("a shell");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read(&victim).expect("it is there"), b"as it was");
    assert!(fs::symlink_metadata(out).expect("it was written").is_file());
}

/// Each has a file of its own until it is whole.
#[test]
fn runs_at_the_same_time_write_whole_files() {
    let files = Files::new();
    let array = |len: usize, element: f32| {
        let mut npy = header(1, "'<f4'", "False", &format!("({len},)"));
        npy.extend(std::iter::repeat_n(element.to_le_bytes(), len).flatten());
        npy
    };
    let inputs = [array(3 << 20, 1.0), array(2 << 20, 2.0)];
    let inputs = [files.add("ones.npy", &inputs[0]), files.add("twos.npy", &inputs[1])];
    let wanted = inputs.each_ref().map(|input| {
        let out = format!("{input}.max");
        assert_works(&["scan", input, "--op", "max", "--out", &out, "--adapter", "cpu"]);
        fs::read(out).expect("it was written")
    });
    let out = files.path("out.npy");
    let out = out.to_str().expect("text");
    for _ in 0..3 {
        let run = |input: &String| {
            let call = ["scan", input, "--op", "max", "--out", out, "--adapter", "cpu"];
            command(&call).stdout(Stdio::null()).spawn().expect("the program starts")
        };
        let ends = |mut child: Child| child.wait().expect("it ends").success();
        assert!(inputs.each_ref().map(run).map(ends).iter().all(|&it| it));
        let found = fs::read(out).expect("it was written");
        assert!(wanted.contains(&found), "{} bytes of neither run", found.len());
    }
}

/// The file that was there stays, and nothing stands beside it. Elsewhere, and where the file system has no files without names, a killed run leaves one.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn killed_runs_leave_nothing() {
    use std::{io::Write, os::unix::fs::OpenOptionsExt};

    const O_TMPFILE: i32 = 0o20_200_000;
    let files = Files::new();
    let unnamed = fs::File::options().write(true).custom_flags(O_TMPFILE).open(files.path(""));
    let out = files.add("out.npy", b"as it was");
    let mut child = command(&scan("-", &out)).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let npy = header(1, "'<f4'", "False", "(1000000000,)");
    stdin.write_all(&npy).expect("it reads the header");
    // More than a pipe holds: when this is written, the program reads elements, and the output has begun.
    stdin.write_all(&vec![0; 1 << 22]).expect("it reads elements");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(fs::read(&out).expect("it is there"), b"as it was");
    let names = files.names();
    let (left, own) = names.split_at(names.len() - 1);
    assert_eq!(own, ["out.npy"]);
    assert!(left.iter().all(|name| name.starts_with(".out.npy.")), "{names:?}");
    assert_eq!(left.len(), usize::from(unnamed.is_err()), "{names:?}");
}

#[test]
#[cfg(unix)]
fn files_keep_their_modes() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let files = Files::new();
    let input = files.add("a.npy", &f4([1.0, 2.0]));
    let mode = |path: &str| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    let out = files.add("out.npy", b"");
    for bits in [0o600, 0o640, 0o666, 0o755] {
        fs::set_permissions(&out, fs::Permissions::from_mode(bits)).expect("it is ours");
        assert_works(&scan(&input, &out));
        assert_eq!(mode(&out), bits);
    }
    let new = files.path("new.npy");
    let new = new.to_str().expect("text");
    assert_works(&scan(&input, new));
    // Files of the test have the same mask.
    assert_eq!(mode(new), mode(&input));

    // No folder's permissions replace those of the file.
    fs::set_permissions(&out, fs::Permissions::from_mode(0o444)).expect("it is ours");
    let before = fs::read(&out).expect("it is there");
    assert_fails(
        &scan(&input, &out),
        "out.npy can't be written (it is write-protected): give --out",
    );
    assert_eq!(fs::read(&out).expect("it is there"), before);

    // A link stays, also if it leads nowhere yet.
    let (link, other) = (files.path("link.npy"), files.path("other.npy"));
    symlink("other.npy", &link).expect("a link");
    let link_text = link.to_str().expect("text");
    assert_works(&scan(&input, link_text));
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert!(fs::read(&other).expect("it was written").starts_with(b"\x93NUMPY"));
    fs::remove_file(&other).expect("it is there");
    symlink("link.npy", &other).expect("a link");
    assert_fails(&scan(&input, link_text), "more than 40 links");
}

#[test]
fn folders_that_take_no_file() {
    let files = Files::new();
    let input = files.add("a.npy", &f4([1.0, 2.0]));
    let missing = files.path("none/out.npy");
    let words = "none, takes no new file (No such file or directory (os error 2)): give --out the path of a file in another folder";
    assert_fails(&scan(&input, missing.to_str().expect("text")), words);
    let long = files.path(&"x".repeat(250));
    assert_fails(&scan(&input, long.to_str().expect("text")), "its name has more than 247 bytes");
    let folder = files.path("");
    assert_fails(&scan(&input, folder.to_str().expect("text")), "is a directory");
    let new_folder = format!("{}/", files.path("new.npy").display());
    assert_fails(&scan(&input, &new_folder), "is a directory");
    assert_eq!(files.names(), ["a.npy"]);
}

/// What the program says is no part of an array that takes standard output.
#[test]
#[cfg(unix)]
fn standard_output_has_the_array_alone() {
    let files = Files::new();
    let input = files.add("a.npy", &f4([1.0, 2.0]));
    let link = files.path("link.npy");
    std::os::unix::fs::symlink("/dev/stdout", &link).expect("a link");
    for out in ["/dev/stdout", link.to_str().expect("text")] {
        let output = gridfold(&scan(&input, out));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(output.stdout, f4([1.0, 3.0]), "{out}");
        assert!(stderr(&output).contains("scan"), "{}", stderr(&output));
    }
}

/// Where its mode lets this user write nothing, though the folder would let anybody replace it.
#[test]
#[cfg(target_os = "linux")]
fn files_of_others_are_not_replaced() {
    use std::os::unix::{fs::PermissionsExt, process::CommandExt};

    const NOBODY: u32 = 65_534;
    let files = Files::new();
    let input = files.add("a.npy", &f4([1.0, 2.0]));
    let out = files.add("out.npy", &f4([5.0]));
    let open = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the owner sets it");
    };
    open(Path::new(&out), 0o600);
    // Root alone becomes somebody else. The program must be where that one may run it.
    let program = files.path("program");
    fs::copy(env!("CARGO_BIN_EXE_gridfold"), &program).expect("a copy");
    open(&program, 0o755);
    open(&files.path("."), 0o777);
    let mut call = std::process::Command::new(&program);
    call.args(scan(&input, &out)).uid(NOBODY).gid(NOBODY);
    match call.output() {
        Ok(output) => {
            assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
            assert!(stderr(&output).contains("Permission denied"), "{}", stderr(&output));
        }
        Err(error) => assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{error}"),
    }
    assert_eq!(fs::read(&out).expect("it is there"), f4([5.0]));
}

/// Linux has a device that is always full.
#[test]
#[cfg(target_os = "linux")]
fn full_disks() {
    let files = Files::new();
    let input = files.add("a.npy", &f4([1.0, 2.0]));
    assert_fails(&scan(&input, "/dev/full"), "/dev/full can't be written (No space left on device");
    let reduce = ["reduce", &input, "--op", "sum", "--adapter", "cpu"];
    for call in [
        &["--help"][..],
        &["--version"],
        &["scan", "--help"],
        &["completions", "bash"],
        &["man"],
        &["wgsl", "--with", "reduce"],
        &reduce,
        &["stats", &input, "--adapter", "cpu"],
        &["histogram", &input, "--bins", "2", "--adapter", "cpu"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = command(call).stdout(full).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{call:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("No space left on device"), "{}", stderr(&output));
    }
}

/// As `head` does when it has enough: that is no failure, whatever is written.
#[test]
#[cfg(unix)]
fn readers_that_go_away() {
    use std::io::Read;

    let files = Files::new();
    let mut npy = header(1, "'<f4'", "False", "(1000000, 1)");
    npy.resize(npy.len() + 4_000_000, 0);
    let input = files.add("a.npy", &npy);
    for call in [
        &scan(&input, "/dev/stdout")[..],
        &["difference", &input, "--out", "/dev/stdout", "--adapter", "cpu"],
        &["select", &input, "--where", "x == x", "--out", "/dev/stdout", "--adapter", "cpu"],
        &["reduce", &input, "--op", "sum", "--axis", "1", "--adapter", "cpu"],
    ] {
        let mut child = command(call)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut reader = child.stdout.take().expect("a pipe");
        reader.read_exact(&mut [0]).expect("it writes");
        drop(reader);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{call:?}");
    }
}
