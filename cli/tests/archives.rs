//! Arrays of `.npz` files: how they are named, and what is said of those that are damaged or no arrays.

mod support;

use std::io::{Cursor, Write};
use support::*;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// An archive as numpy.savez writes it.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in members {
        writer.start_file(*name, stored).expect("memory");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

fn sum(file: &str) -> std::process::Output {
    gridfold(&["reduce", file, "--op", "sum", "--adapter", "cpu", "--json"])
}

#[track_caller]
fn assert_sum(file: &str, value: &str) {
    assert_eq!(json(&sum(file))["value"], value, "{file}");
}

/// One sentence that says it in these words, where a part of the path is left out.
#[track_caller]
fn assert_says(file: &str, status: i32, words: &str) {
    let output = sum(file);
    let sentence = stderr(&output);
    assert_eq!(output.status.code(), Some(status), "{file}: {sentence}");
    assert!(sentence.contains(words) && sentence.lines().count() == 1, "{file}: {sentence}");
}

#[test]
fn names_may_have_colons() {
    let files = Files::new();
    let (one, two, three) = (f4([1.0]), f4([2.0]), f4([3.0]));
    let members: [(&str, &[u8]); 3] =
        [("a:b.npy", &one), ("x.npz:y.npy", &two), ("d/e.npy", &three)];
    let file = files.add("several.npz", &archive(&members));
    assert_sum(&format!("{file}:a:b"), "1");
    assert_sum(&format!("{file}:a:b.npy"), "1");
    assert_sum(&format!("{file}:x.npz:y"), "2");
    assert_sum(&format!("{file}:d/e"), "3");
    let words = "several.npz can't be used: it has no array \"a\": choose one of a:b, x.npz:y, d/e, as FILE.npz:ARRAY";
    assert_says(&format!("{file}:a"), 2, words);
    // A path, with a colon itself or in a folder, and with what could be another archive's name.
    let only = archive(&[("a:b.npy", &one)]);
    std::fs::create_dir(files.path("fol:der.npz:x")).expect("a folder");
    for name in ["we:ird.npz", "p.npz:q.npz", "fol:der.npz:x/a.npz"] {
        let file = files.add(name, &only);
        assert_sum(&file, "1");
        assert_sum(&format!("{file}:a:b"), "1");
    }
    // The longest name of a file that is there: its array would be called so, too.
    let file = files.add("p.npz", &archive(&[("q.npz.npy", &two), ("r.npz.npy", &three)]));
    assert_sum(&format!("{file}:q.npz"), "1");
    assert_sum(&format!("{file}:q.npz.npy"), "2");
    assert_sum(&format!("{file}:r.npz"), "3");
    // A file that is no archive, and is called so.
    let plain = files.add("p.npz:s", &three);
    assert_sum(&plain, "3");
    let missing = files.path("missing.npz:x:y");
    let words = "missing.npz can't be opened";
    assert_says(missing.to_str().expect("text"), 1, words);
}

#[test]
fn members_that_are_no_arrays() {
    let files = Files::new();
    let npy = f4([1.0, 2.0]);
    let mut text = header(1, "'<U5'", "False", "(1,)");
    text.extend([0; 20]);
    let members: [(&str, &[u8]); 5] = [
        ("noise.npy", b"this is no array"),
        ("none.npy", b""),
        ("short.npy", &npy[..npy.len() - 3]),
        ("header.npy", &npy[..60]),
        ("text.npy", &text),
    ];
    let file = files.add("odd.npz", &archive(&members));
    for (member, words) in [
        ("noise", "it does not begin like an .npy file: write it with numpy.save"),
        ("none", "it is empty: write it with numpy.save"),
        ("short", "it ends after 5 of 8 bytes of elements: copy or write it again"),
        ("header", "it ends within its header: copy or write it again"),
        (
            "text",
            "its elements are text of type \"<U5\": make numbers of them, for example with array.astype(\"<f8\")",
        ),
    ] {
        let words = format!("odd.npz:{member} can't be used: {words}");
        assert_says(&format!("{file}:{member}"), 1, &words);
    }
    // The name of what needs no name is told, too.
    let file = files.add("only.npz", &archive(&[("text.npy", &text)]));
    assert_says(&file, 1, "only.npz:text can't be used: its elements are text");
    let file = files.add("notes.npz", &archive(&[("notes.txt", b"to do")]));
    assert_says(&file, 1, "notes.npz:notes.txt can't be used: it does not begin like an .npy file");
    let file = files.add("nothing.npz", &archive(&[]));
    assert_says(&file, 2, "nothing.npz can't be used: it has no arrays");
}

#[test]
fn damaged_members() {
    let files = Files::new();
    let (a, b) = (f4([1.0, 2.0]), f4([3.0]));
    let whole = archive(&[("a.npy", &a), ("b.npy", &b)]);
    let place = whole.windows(6).position(|bytes| bytes == b"\x93NUMPY").expect("an array");
    let mut damaged = whole.clone();
    damaged[place + 128] ^= 1;
    let file = files.add("damaged.npz", &damaged);
    let words = "damaged.npz:a can't be used: it is damaged in the archive (its checksum is another): copy or write the archive again";
    assert_says(&format!("{file}:a"), 1, words);
    assert_sum(&format!("{file}:b"), "3");
    // Without what says where it is.
    let mut moved = whole.clone();
    moved[..4].copy_from_slice(b"XXXX");
    let file = files.add("moved.npz", &moved);
    assert_says(
        &format!("{file}:a"),
        1,
        "moved.npz can't be used: its array \"a\" is not where it should be",
    );
    assert_sum(&format!("{file}:b"), "3");
    let file = files.add("cut.npz", &whole[..whole.len() / 2]);
    assert_says(&format!("{file}:a"), 1, "cut.npz can't be used: it is no whole zip archive");
    let file = files.add("empty.npz", b"");
    assert_says(&file, 1, "empty.npz can't be used: it is empty: copy it again");
    let deflated = include_bytes!("golden/deflated.npz");
    let mut damaged = deflated.to_vec();
    // The first block's kind, which there is not.
    let name = damaged.windows(11).position(|bytes| bytes == b"weights.npy").expect("an array");
    let extra = usize::from(u16::from_le_bytes([damaged[name - 2], damaged[name - 1]]));
    damaged[name + 11 + extra] |= 6;
    let file = files.add("deflated.npz", &damaged);
    let words =
        "deflated.npz:weights can't be used: it is damaged in the archive (corrupt deflate stream)";
    assert_says(&format!("{file}:weights"), 1, words);
}

/// The bytes say what a file is, as for `numpy.load`.
#[test]
fn names_do_not_say_what_a_file_is() {
    let files = Files::new();
    let (one, two) = (f4([1.0]), f4([2.0]));
    let npz = archive(&[("a.npy", &one)]);
    for name in ["a.zip", "A.NPZ", "a.npy", "a"] {
        assert_sum(&files.add(name, &npz), "1");
    }
    let several = files.add("several", &archive(&[("a.npy", &one), ("b.npy", &two)]));
    assert_sum(&format!("{several}:b"), "2");
    assert_says(&several, 2, "it has several arrays: choose one of a, b");
    assert_sum(&files.add("array.npz", &two), "2");
    // Arrays without the extension, where there are no others.
    let bare = files.add("bare.npz", &archive(&[("folder/", b""), ("x", &two)]));
    assert_sum(&bare, "2");
    assert_sum(&format!("{bare}:x"), "2");
    let both = files.add("both.npz", &archive(&[("x", &one), ("x.npy", &two), ("notes", b"")]));
    assert_sum(&both, "2");
    assert_sum(&format!("{both}:x"), "1");
    assert_sum(&format!("{both}:x.npy"), "2");
    // Nothing is looked for in a pipe, which can't be read twice.
    let words = "it is a zip archive, which can't be read from a pipe: give the path of a file";
    let output = gridfold_with_input(&["reduce", "-", "--op", "sum", "--adapter", "cpu"], &npz);
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
}

/// An array that is written is in no archive, and goes to no pipe.
#[test]
fn outputs_are_files_of_arrays() {
    let files = Files::new();
    let file = files.add("a.npy", &f4([1.0, 2.0]));
    let path = files.path("out.npz");
    let npz = path.to_str().expect("text");
    for (out, words) in [
        (
            npz,
            "out.npz has the name of an archive, and an array is written: give --out the path of an .npy file",
        ),
        ("-", "--out - names no file: give the path of one, as ./- for a file of that name"),
    ] {
        let output = gridfold(&["scan", &file, "--op", "sum", "--out", out, "--adapter", "cpu"]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert!(!path.exists());
}

/// However their paths are written: nothing is written then.
#[test]
fn two_outputs_are_two_files() {
    let files = Files::new();
    let values = files.add("values.npy", &f4([1.0, 1.0, 2.0]));
    let out = files.add("out.npy", b"as it was");
    std::fs::create_dir(files.path("folder")).expect("a folder");
    let again = files.path("folder/../out.npy").to_str().expect("text").to_owned();
    for (arguments, option) in [
        (vec!["reduce", &values, "--op", "sum", "--by-runs", &values], "--keys-out"),
        (vec!["run-lengths", &values], "--lengths"),
        (vec!["partition", &values, "--where", "x > 1.0"], "--rest"),
        (vec!["histogram", &values, "--bins", "2"], "--svg"),
    ] {
        let outputs = ["--out", &out, option, &again, "--adapter", "cpu"];
        let output = gridfold(&[&arguments[..], &outputs].concat());
        assert_eq!(output.status.code(), Some(2), "{option}: {}", stderr(&output));
        let advice = format!("give {option} another path");
        assert!(stderr(&output).contains(&advice), "{}", stderr(&output));
        assert_eq!(std::fs::read(&out).expect("it is there"), b"as it was");
    }
}
