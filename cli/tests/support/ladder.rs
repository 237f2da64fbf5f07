//! `gridfold ladder` on an adapter: every rung has the CPU's results, or says why it was not run.

use crate::{assert_refused, has_subgroups, support::*};
use libtest_mimic::Failed;
use serde_json::Value;

/// Of one workgroup and of several, with whole vectors and without, of several levels; and with rows of workgroups, the last of
/// which is too long, whether a workgroup takes 256 elements or 512.
pub const LENS: [u64; 9] = [1, 2, 3, 255, 256, 257, 1000, 65_537, 600_065];

/// Those that go without no subgroups.
const OF_SUBGROUPS: [&str; 6] = ["7", "8", "9", "10", "11", "B2"];

fn ladder(selector: &str, len: &str) -> Value {
    let call = ["ladder", "--adapter", selector, "--len", len, "--rounds", "1", "--json"];
    json(&gridfold(&[&call[..], &["--no-studies"]].concat()))
}

pub fn climb(selector: &str, len: u64) -> Result<(), Failed> {
    let report = ladder(selector, &len.to_string());
    assert_eq!(report["len"], len);
    assert_eq!(report["copy_is_right"], true);
    assert!(report["copy_gb_per_s"].as_f64() > Some(0.0), "{report}");
    let rungs = report["rungs"].as_array().expect("an array");
    assert_eq!(report["studies"].as_array().map(Vec::len), Some(0));
    let numbers: Vec<&str> =
        rungs.iter().map(|rung| rung["number"].as_str().expect("a text")).collect();
    let ladder = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
    assert_eq!(numbers, [&ladder[..], &["A1", "A2", "B1", "B2"]].concat());

    let runs = |rung: &&Value| rung["not_run"].is_null();
    let not_run: Vec<&Value> =
        rungs.iter().filter(|rung| !runs(rung)).map(|rung| &rung["number"]).collect();
    if has_subgroups(selector) {
        assert!(not_run.is_empty(), "{not_run:?}");
    } else {
        assert_eq!(not_run, OF_SUBGROUPS);
    }
    for rung in rungs.iter().filter(runs) {
        assert_eq!(rung["is_right"], true, "{rung}");
        for field in ["work", "steps", "ns", "rounds"] {
            assert!(rung[field].as_u64() > Some(0), "{field} of {rung}");
        }
        for field in ["gb_per_s", "share_of_copy", "share_of_gridfold"] {
            assert!(rung[field].as_f64() > Some(0.0), "{field} of {rung}");
        }
        // Slow drivers may run less.
        let is_whole = rung["len"] == len;
        assert_eq!(rung["is_shortened"], !is_whole, "{rung}");
        assert!(is_whole || rung["len"].as_u64() < Some(len), "{rung}");
        assert!(is_whole || len > 1 << 16, "{rung}");
    }

    // What they are right about is no trifle, and the same for all.
    let sum = |rung: &Value| -> f64 {
        let results = rung["results"].as_array().expect("an array");
        results.iter().map(|result| result.as_f64().expect("a number")).sum()
    };
    let of_all = rungs.iter().find(|rung| rung["number"] == "15").map(sum).expect("gridfold");
    assert!(of_all.fract() == 0.0 && of_all > 0.0 && of_all < 16_777_216.0, "{of_all}");
    for rung in rungs.iter().filter(runs).filter(|rung| rung["len"] == len) {
        let is_of_structs = ["13", "14", "A1", "A2"].iter().any(|&other| rung["number"] == other);
        if !is_of_structs {
            assert_eq!(sum(rung), of_all, "{rung}");
        } else if rung["number"] == "13" || rung["number"] == "14" {
            let fields = rung["results"].as_array().map(Vec::len);
            assert_eq!(fields, Some(3), "{rung}");
            assert!(!len.is_multiple_of(3) || sum(rung) == of_all, "{rung}");
        }
    }
    Ok(())
}

/// What collectives cost, what occupancy does, and products: with numbers, or a reason why there are none.
pub fn studies(selector: &str) -> Result<(), Failed> {
    let call = ["ladder", "--adapter", selector, "--len", "70001", "--rounds", "1", "--json"];
    let report = json(&gridfold(&call));
    let studies = report["studies"].as_array().expect("an array");
    let has_subgroups = has_subgroups(selector);
    let mut runs = [0; 3];
    for study in studies {
        let kind = ["cost", "occupancy", "product"].iter().position(|kind| study["study"] == *kind);
        let kind = kind.unwrap_or_else(|| panic!("{study}"));
        if let Some(reason) = study["not_run"].as_str() {
            let is_of_subgroups = study["mechanism"] == "subgroup";
            // A barrier of storage is a fence of the device where naga writes one.
            let has_fences = ["vulkan", "dx12"].iter().any(|backend| selector.starts_with(backend));
            let may_be_missing = (is_of_subgroups && !has_subgroups)
                || (!has_fences && reason.contains("fences of the whole device"))
                || kind == 1;
            assert!(may_be_missing || reason.contains("several sizes"), "{study}");
            continue;
        }
        runs[kind] += 1;
        assert_eq!(study["is_right"], true, "{study}");
        assert!(study["ns"].as_u64() > Some(0), "{study}");
        let numbers: &[&str] = match kind {
            0 => &["ns_per_call"],
            1 => &["gb_per_s", "share_of_copy"],
            _ => &["gb_per_s", "gflop_per_s"],
        };
        for number in numbers {
            assert!(study[number].as_f64() > Some(0.0), "{number} of {study}");
        }
    }
    // With workgroup memory everything runs, and with the limits of WebGPU most sizes.
    assert!(runs[0] >= 16 && runs[1] >= 12 && runs[2] >= 2, "{runs:?}");
    Ok(())
}

/// Lengths as powers, and too long ones; the table, and the chart.
pub fn options(selector: &str) -> Result<(), Failed> {
    assert_eq!(ladder(selector, "2^10")["len"], 1024);
    let output = gridfold(&["ladder", "--adapter", selector, "--len", "2^40"]);
    assert_refused(&output, "1099511627776 elements are more than");

    let files = Files::new();
    let svg = &*files.add("ladder.svg", b"as it was");
    // Another name of the same file, in whose place a new one comes.
    let old = files.path("old.svg");
    std::fs::hard_link(svg, &old)?;
    let call = ["ladder", "--adapter", selector, "--len", "1000", "--rounds", "2", "--svg"];
    let output = gridfold(&[&call[..], &[svg]].concat());
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    for words in [
        "one atomic per element",
        "contention",
        "bank conflicts",
        "15 gridfold",
        "What a collective costs",
        "Occupancy and spilling",
        "Products of matrices",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(!text.contains("  WRONG"), "{text}");
    let are_missing = text.contains("not run: the device has no subgroups");
    assert_eq!(are_missing, !has_subgroups(selector), "{text}");
    let chart = std::fs::read_to_string(svg)?;
    for words in ["<svg", "15 gridfold", "a copy", "1000 elements"] {
        assert!(chart.contains(words), "{words}");
    }
    assert_eq!(std::fs::read(old)?, b"as it was");

    let output = gridfold(&[&call[..], &["no such folder/ladder.svg"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let sentence = stderr(&output).lines().last().unwrap_or_default();
    assert!(sentence.contains("give --svg the path of a file in another folder"), "{sentence}");
    Ok(())
}
