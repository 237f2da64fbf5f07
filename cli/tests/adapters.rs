//! `gridfold reduce` on adapters: the same bits as on the CPU, in both variants, by every strategy that keeps
//! them. Other commands: the same files. And `gridfold ladder`.
//!
//! `GRIDFOLD_TEST_ADAPTERS` names the adapters, as selectors with commas between them, or is `none`.
//! Without it every adapter is tested that the program lists as usable.

#[path = "support/commands.rs"]
mod commands;
#[path = "support/ladder.rs"]
mod ladder;
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::{process::Output, sync::Arc};
use support::*;

const VARIANTS: [&str; 2] = ["subgroup", "workgroup-memory"];
const ORDERED: [&str; 6] = ["sum", "product", "min", "max", "max-abs", "count"];
const ALL: [&str; 9] =
    ["sum", "product", "min", "max", "bit-and", "bit-or", "bit-xor", "max-abs", "count"];
/// The operators that integers have atomics for: their sums, products and counts are of 64 bits.
const BY_ATOMICS: [&str; 6] = ["min", "max", "bit-and", "bit-or", "bit-xor", "max-abs"];
/// The operators that floats have atomics for.
const FLOATS_BY_ATOMICS: [&str; 4] = ["sum", "min", "max", "max-abs"];
const STRATEGIES: [&str; 3] = ["two-pass", "workgroup-atomic", "subgroup-atomic"];

/// A file, the operators to reduce it by, and the strategies by which they give the CPU's bits.
struct Case {
    name: &'static str,
    file: String,
    operators: &'static [&'static str],
    precision: &'static str,
    strategies: &'static [&'static str],
}

/// An adapter, as the program and as the tests' names have it.
struct Adapter {
    selector: String,
    name: String,
}

fn main() {
    let arguments = Arguments::from_args();
    let files = Files::new();
    let cases = Arc::new(cases(&files));
    let mut trials = Vec::new();
    let adapters = adapters();
    for adapter in &adapters {
        if adapter.name.starts_with("gl/llvmpipe") {
            let name = format!("without_compute::{}", adapter.name);
            trials.push(Trial::test(name, without_compute));
        }
        let (selector, name) = (adapter.selector.clone(), format!("silence::{}", adapter.name));
        trials.push(Trial::test(name, move || silence(&selector)));
        let (selector, name) = (adapter.selector.clone(), format!("options::{}", adapter.name));
        trials.push(Trial::test(name, move || options(&selector)));
        let (selector, name) = (adapter.selector.clone(), format!("exact::{}", adapter.name));
        trials.push(Trial::test(name, move || exact_sums(&selector)));
        let (selector, name) = (adapter.selector.clone(), format!("types::{}", adapter.name));
        trials.push(Trial::test(name, move || every_type(&selector)));
        let (selector, name) = (adapter.selector.clone(), format!("means::{}", adapter.name));
        trials.push(Trial::test(name, move || means_of_integers(&selector)));
        #[cfg(target_os = "linux")]
        {
            let (selector, name) = (adapter.selector.clone(), format!("memory::{}", adapter.name));
            trials.push(Trial::test(name, move || memory(&selector)));
        }
        let (selector, name) = (adapter.selector.clone(), format!("statistics::{}", adapter.name));
        trials.push(Trial::test(name, move || statistics(&selector)));
        let (selector, name) = (adapter.selector.clone(), format!("commands::{}", adapter.name));
        trials.push(Trial::test(name, move || commands::write_the_same(&selector)));
        let (selector, name) = (adapter.selector.clone(), format!("check::{}", adapter.name));
        trials.push(Trial::test(name, move || check(&selector)));
        for len in ladder::LENS {
            let (selector, name) = (adapter.selector.clone(), &adapter.name);
            let name = format!("ladder of {len}::{name}");
            trials.push(Trial::test(name, move || ladder::climb(&selector, len)));
        }
        let (selector, name) = (adapter.selector.clone(), format!("ladder::{}", adapter.name));
        trials.push(Trial::test(name, move || ladder::options(&selector)));
        let (selector, name) =
            (adapter.selector.clone(), format!("ladder studies::{}", adapter.name));
        trials.push(Trial::test(name, move || ladder::studies(&selector)));
        for variant in VARIANTS {
            for index in 0..cases.len() {
                for &strategy in cases[index].strategies {
                    if contradict(strategy, variant) {
                        continue;
                    }
                    let (selector, cases) = (adapter.selector.clone(), Arc::clone(&cases));
                    let case = cases[index].name;
                    let name = format!("{case}::{}::{variant}::{strategy}", adapter.name);
                    trials.push(Trial::test(name, move || {
                        compare(&selector, variant, strategy, &cases[index])
                    }));
                }
            }
        }
    }
    if trials.is_empty() {
        // Listed as ignored, so that the silence is not taken for a success.
        let name = "no adapter was asked for or found: nothing is compared with the CPU";
        trials.push(Trial::test(name, || Ok(())).with_ignored_flag(true));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    drop(files);
    conclusion.exit();
}

fn adapters() -> Vec<Adapter> {
    match std::env::var("GRIDFOLD_TEST_ADAPTERS") {
        Ok(selectors) if selectors == "none" => Vec::new(),
        Ok(selectors) => selectors
            .split(',')
            .map(|selector| Adapter { selector: selector.to_owned(), name: selector.to_owned() })
            .collect(),
        Err(_) => {
            let listed = json(&gridfold(&["adapters", "--json"]));
            let listed = listed.as_array().expect("an array");
            let usable = listed.iter().filter(|adapter| adapter["usable"] == true);
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            usable
                .map(|adapter| Adapter {
                    selector: adapter["index"].to_string(),
                    name: format!("{}/{}", text(&adapter["backend"]), text(&adapter["name"])),
                })
                .collect()
        }
    }
}

/// Lengths of one block and of many, with a rest that fills no vector.
fn cases(files: &Files) -> Vec<Case> {
    let mut random = 1u32;
    // A step of a generator by George Marsaglia.
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random
    };
    let mut file = |name: &str, descr: &str, len: usize, bits: &dyn Fn(u32) -> u32| {
        let mut npy = header(1, &format!("'{descr}'"), "False", &format!("({len},)"));
        let words = if descr.ends_with('8') { 2 } else { 1 };
        npy.extend((0..len * words).flat_map(|_| bits(next()).to_le_bytes()));
        files.add(name, &npy)
    };
    // From ½ to 2, of either sign.
    let float = |random: u32| random & 0x80ff_ffff | 0x3f00_0000;
    // ±½, ±1 and ±2, whose sums are exact in any order.
    let exact = |random: u32| random & 0x8000_0000 | (126 + random % 3) << 23;
    let odd = |random: u32| random | 1;
    let f4 = file("f4", "<f4", 100_003, &float);
    let case = |name, file, operators, strategies| {
        let precision = "reproducible";
        Case { name, file, operators, precision, strategies }
    };
    // By atomics float sums have no order. These are the same in any.
    let unordered = |case| Case { precision: "unordered", ..case };
    let f4_exact = file("f4-exact", "<f4", 100_003, &exact);
    let i4 = file("i4", "<i4", 100_003, &odd);
    let u4 = file("u4", "<u4", 100_003, &odd);
    let f4_empty = file("f4-empty", "<f4", 0, &float);
    let u4_empty = file("u4-empty", "<u4", 0, &odd);
    vec![
        case("float32", f4.clone(), &ORDERED[..], &STRATEGIES[..1]),
        case("float32_extremes", f4, &FLOATS_BY_ATOMICS[1..], &STRATEGIES[1..]),
        unordered(case("float32_exact", f4_exact, &FLOATS_BY_ATOMICS, &STRATEGIES[1..])),
        case("float32_short", file("f4-short", "<f4", 5, &float), &ORDERED, &STRATEGIES[..1]),
        case("float32_empty", f4_empty.clone(), &ORDERED, &STRATEGIES[..1]),
        unordered(case("float32_empty_atomic", f4_empty, &FLOATS_BY_ATOMICS, &STRATEGIES[1..])),
        case("int32", i4.clone(), &ALL, &STRATEGIES[..1]),
        case("int32_atomic", i4, &BY_ATOMICS, &STRATEGIES[1..]),
        case("uint32", u4.clone(), &ALL, &STRATEGIES[..1]),
        case("uint32_atomic", u4, &BY_ATOMICS, &STRATEGIES[1..]),
        case("int64", file("i8", "<i8", 50_001, &odd), &ALL, &STRATEGIES[..1]),
        case("uint64", file("u8", "<u8", 50_001, &odd), &ALL, &STRATEGIES[..1]),
        case("uint32_empty", u4_empty.clone(), &ALL, &STRATEGIES[..1]),
        case("uint32_empty_atomic", u4_empty, &BY_ATOMICS, &STRATEGIES[1..]),
    ]
}

fn compare(selector: &str, variant: &str, strategy: &str, case: &Case) -> Result<(), Failed> {
    for op in case.operators {
        let precision = ["--precision", case.precision];
        let call = ["reduce", &case.file, "--op", op, "--json", "--explain"];
        let call = [&call[..], &precision, &["--adapter"]].concat();
        let cpu = json(&gridfold(&[&call[..], &["cpu"]].concat()));
        let forced = ["--variant", variant, "--strategy", strategy];
        let output = gridfold(&[&call[..], &[selector], &forced].concat());
        // Without subgroups the variant must be refused, in so many words, whatever the operator.
        if variant == "subgroup" && output.status.code() == Some(2) && !has_subgroups(selector) {
            assert_refused(&output, "--variant subgroup needs subgroups");
            return Ok(());
        }
        let gpu = json(&output);
        for field in ["op", "dtype", "len", "precision", "value", "bits"] {
            assert_eq!(gpu[field], cpu[field], "{field} of {op}: {gpu}");
        }
        assert_ne!(gpu["adapter"]["name"], "cpu");
        let plan = gpu["plan"].as_str().expect("a text");
        assert!(plan.starts_with(&format!("{strategy}, {variant}")), "{plan}");
        assert!(gpu["device_ns"].is_null() || gpu["device_ns"].as_u64() > Some(0), "{gpu}");
        assert!(gpu["total_ns"].as_u64() > Some(0), "{gpu}");
        assert!(gpu["explanation"].as_str().is_some_and(|text| text.contains(op)), "{gpu}");
    }
    Ok(())
}

/// Whether the strategy needs what the variant goes without.
fn contradict(strategy: &str, variant: &str) -> bool {
    (strategy, variant) == ("subgroup-atomic", "workgroup-memory")
}

/// A strategy that needs subgroups, alone and with a variant that goes without them.
fn options(selector: &str) -> Result<(), Failed> {
    let files = Files::new();
    let file = files.add("three.npy", &u4([1, 2, 3]));
    let call = ["reduce", &file, "--op", "max", "--json", "--adapter", selector];
    let strategy = [&call[..], &["--strategy", "subgroup-atomic"]].concat();
    let output = gridfold(&strategy);
    if has_subgroups(selector) {
        assert_eq!(json(&output)["value"], "3");
    } else {
        assert_refused(&output, "--strategy subgroup-atomic needs subgroups, which");
    }
    let output = gridfold(&[&strategy[..], &["--variant", "workgroup-memory"]].concat());
    assert_refused(
        &output,
        "--strategy subgroup-atomic needs subgroups, which --variant workgroup-memory goes without",
    );
    Ok(())
}

/// The self-test passes, and the report has all that a reader wants to know.
fn check(selector: &str) -> Result<(), Failed> {
    let output = gridfold(&["check", "--json", "--adapter", selector]);
    // It shows at once what it does, and a line for each kernel.
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(shown.contains("checking "), "{shown}");
    for step in ["compiled", "compared"] {
        assert!(shown.contains(&format!(": {step} fold, workgroup-memory\n")), "{shown}");
    }
    let report = json(&output);
    assert!(report["pipelines_not_asked"].as_u64() > Some(0), "{report:#}");
    assert_eq!(report["passed"], true, "{report:#}");
    assert_eq!(report["unfinished"], Value::Null, "{report:#}");
    assert_eq!(report["wrong"], serde_json::json!([]));
    assert!(report["results"].as_u64() > Some(1000) && report["total_ns"].as_u64() > Some(0));
    for name in ["backend", "name", "driver"] {
        assert!(report["adapter"][name].is_string(), "{report:#}");
    }
    assert_eq!(report["subgroup_sizes"].is_object(), has_subgroups(selector));
    assert_eq!(report["shader_model"].is_string(), report["adapter"]["backend"] == "dx12");
    let kernels = report["kernels"].as_array().expect("an array");
    assert!(kernels.len() > 10, "{report:#}");
    for kernel in kernels {
        let is_asked = kernel["results"].as_u64() > Some(0);
        assert_ne!(is_asked, kernel["unused"].is_string(), "{kernel:#}");
        assert_eq!(is_asked, kernel["operators"] != serde_json::json!([]), "{kernel:#}");
    }
    Ok(())
}

/// A sum that cancels, exactly; and what is refused because it would not be exact, or not reproducible.
fn exact_sums(selector: &str) -> Result<(), Failed> {
    let files = Files::new();
    let mut npy = header(1, "'<f4'", "False", "(20001,)");
    let values = (0..10_000u16).flat_map(|i| {
        let x = f32::from(i) * 1e25;
        [x, -x]
    });
    // In the pairwise order no two that cancel are neighbours.
    npy.extend([0.1].into_iter().chain(values).flat_map(f32::to_le_bytes));
    let file = files.add("cancelling.npy", &npy);
    let call = ["reduce", &file, "--json", "--adapter", selector];
    let with = |more: &[&str]| gridfold(&[&call[..], more].concat());
    let sum = json(&with(&["--op", "sum", "--precision", "exact"]));
    assert_eq!((&sum["value"], &sum["precision"]), (&"0.1".into(), &"exact".into()), "{sum}");
    assert!(sum["plan"].as_str().is_some_and(|plan| plan.starts_with("exact, ")), "{sum}");
    let rounded = json(&with(&["--op", "sum"]));
    assert_ne!(rounded["value"], "0.1", "{rounded}");

    assert_refused(
        &with(&["--op", "product", "--precision", "exact"]),
        &format!("{file}: there is no exact product of float32: leave --precision out"),
    );
    assert_refused(
        &with(&["--op", "sum", "--precision", "exact", "--strategy", "two-pass"]),
        "--strategy two-pass can't give exact results: leave it out, or choose workgroup-atomic",
    );
    assert_refused(
        &with(&["--op", "sum", "--strategy", "workgroup-atomic"]),
        "--strategy workgroup-atomic can't give reproducible results: leave it out, or add \
         --precision unordered",
    );
    for (op, reason) in [("product", "is never unordered"), ("count", "no atomic combines")] {
        assert_refused(
            &with(&["--op", op, "--strategy", "workgroup-atomic"]),
            &format!(
                "--strategy workgroup-atomic can't give the {op} of float32, which {reason}: leave it out"
            ),
        );
    }
    Ok(())
}

/// Files that NumPy made, of every type and in both orders of bytes: the device that is asked for makes what NumPy makes of them.
fn every_type(selector: &str) -> Result<(), Failed> {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let expected = std::fs::read_to_string(directory.join("expected.txt"))?;
    let mut types = std::collections::BTreeSet::new();
    for line in expected.lines() {
        let [file, op, dtype, bits] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line} has four words")
        };
        if !["sum", "max", "mean"].contains(&op) {
            continue;
        }
        let path = directory.join(file).into_os_string().into_string().expect("paths are text");
        let call = ["reduce", &path, "--op", op, "--adapter", selector, "--json"];
        let option: &[&str] = if dtype == "bfloat16" { &["--dtype", "bf16"] } else { &[] };
        let found = json(&gridfold(&[&call[..], option].concat()));
        assert_eq!((&found["dtype"], &found["bits"]), (&dtype.into(), &bits.into()), "{line}");
        assert_ne!(found["adapter"]["backend"], "cpu", "{line}");
        types.insert(dtype.to_owned());
    }
    assert_eq!(types.len(), 13, "{types:?}");
    Ok(())
}

/// On the device that is asked for, whatever the integers are: the CPU's bits.
fn means_of_integers(selector: &str) -> Result<(), Failed> {
    let files = Files::new();
    let mut random = fastrand::Rng::with_seed(3);
    let mut check = |descr: &str, options: &[&str]| {
        let size = usize::from(descr.as_bytes()[2] - b'0');
        let mut npy = header(1, &format!("'{descr}'"), "False", "(3001,)");
        // Half of the widest are near one end, so that their sum has more than 64 bits.
        let of_one = |number| if number % 2 == 0 { random.u64(..) } else { u64::MAX >> 1 };
        npy.extend((0..3001).map(of_one).flat_map(|word: u64| word.to_le_bytes()[..size].to_vec()));
        let file = files.add("integers.npy", &npy);
        let call = ["reduce", &file, "--op", "mean", "--json", "--explain", "--adapter"];
        let on = |adapter| json(&gridfold(&[&call[..], &[adapter], options].concat()));
        let (cpu, gpu) = (on("cpu"), on(selector));
        for field in ["op", "dtype", "len", "precision", "value", "bits"] {
            assert_eq!(gpu[field], cpu[field], "{field} of {descr} {options:?}: {gpu}");
        }
        assert_eq!(gpu["precision"], "exact");
        assert_ne!(gpu["adapter"]["backend"], "cpu", "{descr} {options:?}");
        let explanation = gpu["explanation"].as_str().expect("a text");
        assert!(explanation.contains("The host divides the exact sum"), "{explanation}");
    };
    for descr in ["|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"] {
        check(descr, &[]);
    }
    check("|i1", &["--where", "x > 3"]);
    check("<u2", &["--map", "x * x"]);
    check("<i4", &["--map", "x / 3", "--where", "i % 3u == 1u"]);
    check("<i8", &["--map", "x ^ 7li", "--where", "x > 3li"]);
    check("<u8", &["--where", "x > 9223372036854775807lu"]);
    Ok(())
}

/// 3 GB take no more memory than 300 MB, less what a few bytes take with the same driver.
#[cfg(target_os = "linux")]
fn memory(selector: &str) -> Result<(), Failed> {
    let files = Files::new();
    let file = |name, len: u64| -> Result<String, Failed> {
        let npy = header(1, "'|u1'", "False", &format!("({len},)"));
        let path = files.add(name, &npy);
        let file = std::fs::File::options().write(true).open(&path)?;
        file.set_len(npy.len() as u64 + len)?;
        Ok(path)
    };
    let [few, many] =
        [file("few", 1000)?, file("many", 3 << 30)?].map(|file| peak(selector, &file));
    let (few, many) = (few?, many?);
    assert!(many - few.min(many) < 200_000, "{few} kB for a few bytes, {many} kB for 3 GB");
    Ok(())
}

/// The most memory that the program has had, in kB.
#[cfg(target_os = "linux")]
fn peak(selector: &str, file: &str) -> Result<u64, Failed> {
    let call = ["reduce", file, "--op", "sum", "--json", "--adapter", selector];
    let mut child = command(&call).stdout(std::process::Stdio::piped()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let report = json(&child.wait_with_output()?);
    assert_eq!(report["value"], "0", "{report}");
    assert_ne!(report["adapter"]["backend"], "cpu", "{report}");
    Ok(peak)
}

/// Of one file and of two, at every level: none is unordered.
fn statistics(selector: &str) -> Result<(), Failed> {
    let files = Files::new();
    let file = |name, seed: u32| {
        let mut npy = header(1, "'<f4'", "False", "(30001,)");
        // Of either sign, and of many sizes, but none whose square overflows.
        let bits = (0..30_001u32).map(|i| (i + seed).wrapping_mul(0x9e37_79b1) & 0xbfff_ffff);
        npy.extend(bits.flat_map(u32::to_le_bytes));
        files.add(name, &npy)
    };
    let (a, b) = (file("a.npy", 0), file("b.npy", 77_777));
    let of_one = ["mean", "sum-of-squares", "norm", "variance", "sample-variance"];
    let calls = of_one.map(|op| vec![&*a, "--op", op]);
    for call in calls.into_iter().chain([vec![&a, &b, "--op", "dot"], vec![&b, &b, "--op", "dot"]])
    {
        for precision in ["unordered", "reproducible", "exact"] {
            let on = |adapter| {
                let common =
                    ["--json", "--explain", "--precision", precision, "--adapter", adapter];
                json(&gridfold(&[&["reduce"], &call[..], &common].concat()))
            };
            let (cpu, gpu) = (on("cpu"), on(selector));
            for field in ["op", "dtype", "len", "precision", "value", "bits"] {
                assert_eq!(gpu[field], cpu[field], "{field} of {call:?}: {gpu}");
            }
            let is_exact = precision == "exact";
            assert_eq!(gpu["precision"], if is_exact { "exact" } else { "reproducible" });
            assert_ne!(gpu["adapter"]["name"], "cpu");
            let plan = gpu["plan"].as_str().expect("a text");
            assert_eq!(plan.starts_with("exact, workgroup-atomic, "), is_exact, "{plan}");
        }
    }
    let dot = ["reduce", &a, &b, "--op", "dot", "--adapter", selector];
    let exactly = [&dot[..], &["--precision", "exact", "--strategy", "two-pass"]].concat();
    assert_refused(
        &gridfold(&exactly),
        "--strategy two-pass can't give exact results: leave it out",
    );
    let by_atomics = [&dot[..], &["--strategy", "workgroup-atomic"]].concat();
    assert_refused(&gridfold(&by_atomics), "--strategy workgroup-atomic");
    Ok(())
}

/// A wrong call. A driver may have something to say, on lines of its own.
#[track_caller]
fn assert_refused(output: &Output, reason: &str) {
    let sentence = stderr(output).lines().last().unwrap_or_default();
    assert_eq!(output.status.code(), Some(2), "{sentence}");
    assert_eq!(stdout(output), "");
    assert!(sentence.starts_with(&format!("gridfold: {reason}")), "{sentence}");
}

/// An OpenGL driver too old for compute shaders, as Mesa can be made to be.
fn without_compute() -> Result<(), Failed> {
    let files = Files::new();
    let file = files.add("one.npy", &u4([1]));
    let output = command(&["reduce", &file, "--op", "sum", "--adapter", "gl/llvmpipe"])
        .envs([("MESA_GL_VERSION_OVERRIDE", "3.3"), ("MESA_GLSL_VERSION_OVERRIDE", "330")])
        .output()
        .expect("the program starts");
    let sentence = stderr(&output).lines().last().unwrap_or_default();
    assert_eq!(output.status.code(), Some(1), "{sentence}");
    assert_eq!(stdout(&output), "");
    let is_expected = sentence.starts_with("gridfold: the adapter gl/llvmpipe")
        && sentence.contains("can't be used (")
        && sentence.ends_with("choose another, \"cpu\", or install a newer driver");
    assert!(is_expected, "{sentence}");
    Ok(())
}

/// Whether the one adapter that a reduction on `selector` names has subgroups.
fn has_subgroups(selector: &str) -> bool {
    let files = Files::new();
    let file = files.add("one.npy", &u4([1]));
    let used = json(&gridfold(&["reduce", &file, "--op", "sum", "--json", "--adapter", selector]));
    let listed = json(&gridfold(&["adapters", "--json"]));
    let same = |adapter: &&Value| {
        ["backend", "name", "driver"].iter().all(|field| adapter[field] == used["adapter"][field])
    };
    let adapter = listed.as_array().expect("an array").iter().find(same);
    !adapter.expect("the adapter that was used is listed")["subgroup_sizes"].is_null()
}

/// Nothing is written to standard error where all goes well, also where there is no screen.
fn silence(selector: &str) -> Result<(), Failed> {
    let files = Files::new();
    let file = files.add("a.npy", &f4([1.5, 2.5]));
    let calls = [
        &["adapters"][..],
        &["reduce", &file, "--op", "sum", "--adapter", selector],
        &["reduce", &file, "--op", "sum", "--adapter", selector, "--strategy", "two-pass"],
        &["reduce", &file, "--op", "sum"],
        &["reduce", &file, &file, "--op", "dot", "--adapter", selector, "--json"],
    ];
    for call in calls {
        for runtime_directory in [None, Some("/run/user/1000")] {
            let mut command = command(call);
            command.env_remove("XDG_RUNTIME_DIR");
            if let Some(directory) = runtime_directory {
                command.env("XDG_RUNTIME_DIR", directory);
            }
            let output = command.output().expect("the program starts");
            assert_eq!(output.status.code(), Some(0), "{call:?}: {}", stderr(&output));
            assert_eq!(stderr(&output), "", "{call:?}");
        }
    }
    Ok(())
}
