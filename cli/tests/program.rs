//! The demonstration, the list of adapters and the help.

mod support;

use support::*;

/// The demonstration's rows.
const PRIMITIVES: [&str; 5] = ["reduction", "scan", "selection", "segments", "histogram"];

fn adapters() -> Vec<serde_json::Value> {
    let listed = json(&gridfold(&["adapters", "--json"]));
    listed.as_array().expect("an array").clone()
}

/// Every place has every row once. Three places fit a screen.
fn assert_demonstrated(text: &str, places: usize) {
    for primitive in PRIMITIVES {
        let is_row = |line: &&str| line.ends_with("as on the CPU") && line.contains(primitive);
        assert_eq!(text.lines().filter(is_row).count(), places, "{primitive}\n{text}");
    }
    let lines = text.lines().count();
    assert!(lines <= 9 + 5 * places, "{lines} lines\n{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 105), "{text}");
}

#[test]
fn the_demonstration_reduces_on_every_adapter() {
    let usable: Vec<_> =
        adapters().into_iter().filter(|adapter| adapter["usable"] == true).collect();
    let output = gridfold(&[]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}\n{}", stderr(&output));
    assert_demonstrated(text, usable.len() + 1);
    for adapter in &usable {
        let part = |key: &str| adapter[key].as_str().expect("a text");
        let name = format!("{}/{}", part("backend"), part("name"));
        // Long names are cut.
        let begin: String = name.chars().take(15).collect();
        assert!(text.contains(&begin), "{name}\n{text}");
    }
    let results = PRIMITIVES.len() * (usable.len() + 1);
    let last = text.lines().last().expect("a last line");
    assert!(last.starts_with(&format!("All {results} results ")), "{last}");
}

#[test]
fn the_demonstration_goes_without_adapters() {
    let output = command(&["demo", "--adapter", "cpu"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_demonstrated(stdout(&output), 1);
    assert!(!stdout(&output).contains("apt install"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
}

/// A misspelt backend hides all adapters.
#[test]
fn a_variable_that_hides_adapters_is_named() {
    for (value, call, status) in [
        ("vulkn", &["adapters"][..], 0),
        ("", &["demo"], 0),
        ("vulkn", &["check"], 2),
        ("vulkn", &["reduce", "a.npy", "--op", "sum", "--adapter", "llvmpipe"], 2),
        ("vulkn", &["ladder"], 2),
    ] {
        let files = Files::new();
        files.add("a.npy", &f4([1.0]));
        let mut command = command(call);
        let output = command.env("WGPU_BACKEND", value).current_dir(files.path("")).output();
        let output = output.expect("the program starts");
        let text = format!("{}{}", stdout(&output), stderr(&output));
        let words =
            format!("WGPU_BACKEND is {value:?}, and no other backend is searched: unset it");
        assert!(text.contains(&words), "{call:?}: {text}");
        assert_eq!(output.status.code(), Some(status), "{text}");
    }
}

#[test]
fn without_a_driver_the_demonstration_runs_on_the_cpu_and_says_how_to_get_one() {
    // A backend that this platform does not have.
    let backend = if cfg!(windows) { "metal" } else { "dx12" };
    let output = command(&["demo"]).env("WGPU_BACKEND", backend).output().expect("it starts");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}\n{}", stderr(&output));
    assert_demonstrated(text, 1);
    assert!(text.contains("apt install mesa-vulkan-drivers"), "{text}");
    let last = text.lines().last().expect("a last line");
    let all = PRIMITIVES.len();
    let expected = format!("All {all} results are the CPU's own: there is no adapter to compare.");
    assert_eq!(last, expected);
    assert_eq!(stderr(&output), "");

    let output = command(&["adapters"]).env("WGPU_BACKEND", backend).output().expect("it starts");
    assert!(stdout(&output).contains("apt install mesa-vulkan-drivers"), "{}", stdout(&output));
    let output =
        command(&["adapters", "--json"]).env("WGPU_BACKEND", backend).output().expect("it starts");
    assert_eq!(json(&output), serde_json::json!([]));

    let arguments = ["reduce", "-", "--op", "sum", "--json"];
    let files = Files::new();
    let input = std::fs::File::open(files.add("a.npy", &f4([1.0]))).expect("a file");
    let mut command = command(&arguments);
    let output = command.env("WGPU_BACKEND", backend).stdin(input).output().expect("it starts");
    assert_eq!(json(&output)["adapter"]["name"], "cpu");
}

#[test]
fn adapters_have_every_field() {
    let text = gridfold(&["adapters"]);
    assert_eq!(text.status.code(), Some(0), "{}", stderr(&text));
    for (index, adapter) in adapters().iter().enumerate() {
        assert_eq!(adapter["index"], index);
        for field in ["backend", "name", "driver", "device_type"] {
            assert!(adapter[field].is_string(), "{field} of {adapter}");
        }
        let usable = adapter["usable"].as_bool().expect("true or false");
        assert_eq!(adapter["problem"].is_null(), usable, "{adapter}");
        let sizes = &adapter["subgroup_sizes"];
        assert!(sizes.is_null() || sizes["min"].as_u64() <= sizes["max"].as_u64(), "{adapter}");
        assert!(adapter["timestamps"].is_boolean(), "{adapter}");
        let numbers =
            ["max_binding_bytes", "max_buffer_bytes", "binding_alignment_bytes", "max_workgroups"];
        for field in numbers {
            assert!(adapter[field].is_u64(), "{field} of {adapter}");
        }
        let title = format!(
            "{index}: {}/{}/",
            adapter["backend"].as_str().expect("a text"),
            adapter["name"].as_str().expect("a text"),
        );
        assert!(stdout(&text).contains(&title), "{title}");
    }
}

#[test]
fn completions_and_manual_pages_name_options() {
    for (arguments, part) in [
        (&["completions", "bash"][..], "--precision"),
        (&["completions", "fish"], "ladder"),
        (&["man"], "gridfold\\-reduce"),
        (&["man", "reduce"], "\\-\\-precision"),
    ] {
        let output = gridfold(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(stdout(&output).contains(part), "{arguments:?}: {part}");
        assert_eq!(stderr(&output), "");
    }
    let output = gridfold(&["man", "fold"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no command fold: choose one of demo, adapters"));
}

#[test]
fn help_and_version_go_to_standard_output() {
    for arguments in
        [&["--help"][..], &["help"], &["reduce", "--help"], &["ladder", "--help"], &["--version"]]
    {
        let output = gridfold(arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(!stdout(&output).is_empty());
        assert_eq!(stderr(&output), "");
    }
    let help = gridfold(&["reduce", "--help"]);
    for word in [
        "--op",
        "--adapter",
        "--precision",
        "--variant",
        "--strategy",
        "--explain",
        "device_ns",
        "float32",
    ] {
        assert!(stdout(&help).contains(word), "{word}");
    }
    let help = gridfold(&["ladder", "--help"]);
    for word in ["--len", "--adapter", "--rounds", "--svg", "--json", "below 2^24", "is_shortened"]
    {
        assert!(stdout(&help).contains(word), "{word}");
    }
    assert!(stdout(&help).contains("driver in software if there is no GPU"));
}

/// Without a GPU the ladder takes a driver in software, and says which. Without that there is nothing to climb.
#[test]
fn the_ladder_needs_no_gpu() {
    let call = ["ladder", "--len", "1000", "--rounds", "1", "--no-studies", "--json"];
    let output = gridfold(&call);
    let adapters = adapters();
    let usable = || adapters.iter().filter(|adapter| adapter["usable"] == true);
    let has_gpu = usable().any(|adapter| adapter["device_type"] != "software");
    match usable().find(|adapter| adapter["device_type"] == "software") {
        _ if has_gpu => {
            json(&output);
            assert_eq!(stderr(&output), "");
        }
        Some(software) => {
            assert_eq!(json(&output)["adapter"]["name"], software["name"]);
            let name = software["name"].as_str().expect("a text");
            let said = stderr(&output);
            assert!(said.contains("there is no GPU") && said.contains(name), "{said}");
        }
        None => assert_eq!(output.status.code(), Some(2), "{}", stderr(&output)),
    }
    let backend = if cfg!(windows) { "metal" } else { "dx12" };
    let output = command(&call).env("WGPU_BACKEND", backend).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("mesa-vulkan-drivers"), "{}", stderr(&output));
}

/// To such a socket each write is a message.
#[cfg(target_os = "linux")]
#[test]
fn many_lines_take_few_writes() {
    use std::{os::fd::OwnedFd, os::unix::net::UnixDatagram, time::Duration};
    let files = Files::new();
    let all: u16 = 5000;
    let shape = format!("({all}, 1)");
    let of_shape =
        |descr: &str, bytes: Vec<u8>| [header(1, descr, "False", &shape), bytes].concat();
    let values = (0..all).flat_map(|x| f32::from(x).to_le_bytes()).collect();
    let values = files.add("values.npy", &of_shape("'<f4'", values));
    let keys = (0..all).flat_map(u16::to_le_bytes).collect();
    let keys = files.add("keys.npy", &of_shape("'<u2'", keys));
    let bins = all.to_string();
    let reduce = ["reduce", &values, "--op", "sum"];
    let histogram = ["histogram", &values, "--bins", &bins];
    for arguments in [
        [&reduce[..], &["--axis", "1"]].concat(),
        [&reduce[..], &["--by", &keys]].concat(),
        histogram.to_vec(),
        [&histogram[..], &["--json"]].concat(),
    ] {
        let (near, far) = UnixDatagram::pair().expect("two sockets");
        near.set_read_timeout(Some(Duration::from_millis(100))).expect("a time");
        let mut child = command(&arguments).stdout(OwnedFd::from(far)).spawn().expect("it starts");
        let (mut lines, mut writes) = (0, 0);
        let mut message = vec![0; 1 << 16];
        // Such a socket has no end: nothing more comes once the program has ended.
        let status = loop {
            let status = child.try_wait().expect("it can be asked");
            while let Ok(bytes) = near.recv(&mut message) {
                lines += message[..bytes].iter().filter(|&&byte| byte == b'\n').count();
                writes += 1;
            }
            if let Some(status) = status {
                break status;
            }
        };
        assert!(status.success() && lines >= usize::from(all), "{lines} lines: {arguments:?}");
        assert!(writes < lines / 50, "{writes} writes of {lines} lines: {arguments:?}");
    }
}
