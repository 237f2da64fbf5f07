//! The tests that need an adapter, on each driver.

use crate::{
    adapter,
    columns::aligned,
    command::is_ci,
    drivers::{DRIVERS, Driver},
    mpi,
    packages::{Distribution, install_with_apt},
    plan::{Times, tier_on},
};
use serde_json::Value;
use std::{
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// Which tier of `tests/gpu` runs.
const TIER: &str = "GRIDFOLD_TEST_TIER";

/// How long a driver may take in CI, without `--long`. One that hangs fails then, behind what it printed. With half an hour for the other steps it is less than
/// CI's 90 minutes, which would end all without a word.
const MOST_TIME: Duration = Duration::from_secs(57 * 60);

/// A driver that is there and is what it must be.
pub struct Ready {
    pub driver: &'static Driver,
    adapter: String,
}

/// Makes sure that the drivers are there, installing what is missing.
///
/// # Errors
///
/// A sentence, if one is not there or is not what it must be.
pub fn provide(drivers: &[&'static Driver], yes: bool) -> Result<Vec<Ready>, String> {
    let mut missing = Vec::new();
    for driver in drivers {
        if find(driver)?.is_none() {
            println!("{} is missing.", driver.name);
            missing.push(*driver);
        }
    }
    if !missing.is_empty() {
        let distribution = Distribution::here();
        if let Some(driver) = missing.iter().find(|driver| !driver.is_packaged(distribution)) {
            return Err(format!(
                "{} can't be installed from here: install what Debian calls {}, or leave it out of \
                 `--drivers`",
                driver.name, driver.packages
            ));
        }
        install_with_apt(&packages_of(&missing), yes)?;
    }
    drivers
        .iter()
        .map(|&driver| match find(driver)? {
            Some(adapter) => Ok(Ready { driver, adapter }),
            None => Err(format!(
                "{} is not found, although its packages are installed: {}",
                driver.name, driver.packages
            )),
        })
        .collect()
}

/// The drivers that are there. It says which are not.
///
/// # Errors
///
/// A sentence, if one is not what it must be.
pub fn found(drivers: &[&'static Driver]) -> Result<Vec<Ready>, String> {
    let mut all = Vec::new();
    for &driver in drivers {
        match find(driver)? {
            Some(adapter) => all.push(Ready { driver, adapter }),
            None => println!("{} is not there, and is left out: {}", driver.name, driver.packages),
        }
    }
    Ok(all)
}

fn packages_of(drivers: &[&Driver]) -> String {
    let mut packages: Vec<&str> =
        drivers.iter().flat_map(|driver| driver.packages.split(' ')).collect();
    packages.sort_unstable();
    packages.dedup();
    packages.join(" ")
}

/// The name of the driver's adapter, unless the adapter or the validation layer is missing.
fn find(driver: &Driver) -> Result<Option<String>, String> {
    let adapters = adapter::list(driver.environment())?;
    if driver.validated && !greets(driver)? {
        return Ok(None);
    }
    adapter_of(driver, &adapters).map_err(|problem| format!("{}: {problem}", driver.name))
}

fn adapter_of(driver: &Driver, adapters: &[Value]) -> Result<Option<String>, String> {
    let selected =
        |adapter: &&Value| adapter::full_name(adapter).to_lowercase().starts_with(driver.selector);
    let Some(adapter) = adapters.iter().find(selected) else {
        return Ok(None);
    };
    let name = adapter::full_name(adapter);
    if adapter["usable"] != true {
        return Err(format!("{name} is not usable: {}", adapter["problem"]));
    }
    let sizes = &adapter["subgroup_sizes"];
    let as_it_must_be = match driver.subgroup_size {
        Some(size) => sizes["min"] == size && sizes["max"] == size,
        None => sizes.is_null(),
    };
    if !as_it_must_be {
        let size = driver.subgroup_size.map_or("null".to_owned(), |size| size.to_string());
        return Err(format!("the subgroup size of {name} must be {size}, and it reports {sizes}"));
    }
    Ok(Some(name))
}

/// Whether the validation layer says that it is active.
fn greets(driver: &Driver) -> Result<bool, String> {
    let program = adapter::program("adapters")?.envs(driver.greeting_environment());
    let (status, said) = program.end()?;
    judge_greeting(status.success(), &said)
}

fn judge_greeting(lived: bool, said: &str) -> Result<bool, String> {
    let is_message = said.contains("Khronos Validation Layer Active");
    // Newer layers print it without sending a message.
    let is_print = said.contains("CURRENT-VALIDATION-ENABLED");
    if !is_message && !is_print {
        Ok(false)
    } else if !said.to_lowercase().contains("synchronization") {
        Err(format!("the validation layer does not check synchronization: {said}"))
    } else if is_message && lived {
        Err(format!("the validation layer's messages do not end a program: {said}"))
    } else {
        Ok(true)
    }
}

/// Runs the tests on each driver, and prints a table of what came out.
///
/// Two drivers run at a time: Mesa compiles one shader of a process after another, however many threads ask, so one driver keeps little more than a core
/// busy. All tests together (`long`) take a driver gigabytes, so of these one does.
///
/// # Errors
///
/// A sentence, if tests failed on a driver or did not run.
pub fn run(ready: &[Ready], long: bool) -> Result<(), String> {
    let waiting = Mutex::new(ready.iter().enumerate());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some((place, ready)) = next() {
            let row = Row::of(ready, long);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((place, row));
        }
    };
    thread::scope(|scope| {
        for _ in 0..if long { 1 } else { 2 } {
            scope.spawn(work);
        }
    });
    let mut rows = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|&(place, _)| place);
    let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
    let mut times = Times::read()?;
    for row in rows.iter().filter(|row| row.outcome.is_ok()) {
        times.set(&tier_on(if long { "2" } else { "1" }, row.driver), row.time);
    }
    times.save()?;
    let head =
        ["driver", "adapter", "subgroup size", "passed", "failed", "ignored", "seconds", "result"];
    let head = head.map(str::to_owned);
    let cells: Vec<_> = [head].into_iter().chain(rows.iter().map(Row::cells)).collect();
    println!("\n{}", aligned(&cells, 8).join("\n"));
    // Once more: what was printed above may be thousands of lines away, or cut off.
    for row in rows.iter().filter(|row| !row.tests.failures.is_empty()) {
        println!("\nfailures on {}:\n{}", row.driver, row.tests.failures.join("\n"));
    }
    let problems: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(format!("{}: {}", row.driver, row.outcome.as_ref().err()?)))
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// A driver's line in the table.
struct Row {
    driver: &'static str,
    adapter: String,
    subgroup_size: Option<u32>,
    tests: Tests,
    time: Duration,
    outcome: Result<(), String>,
}

impl Row {
    fn of(ready: &Ready, long: bool) -> Self {
        let Ready { driver, adapter } = ready;
        println!("\n-- {}: {adapter}", driver.name);
        let mut command = mpi::workspace("test", "--no-fail-fast")
            .envs(driver.environment())
            .env(adapter::CHOICE, driver.selector)
            .env("GRIDFOLD_TEST_SLOWEST", "10");
        let programs = if long { DRIVERS[0].programs } else { driver.programs };
        for program in programs {
            command = command.arg("--test").arg(program);
        }
        if !long {
            command = command.env(TIER, "1");
        }
        command = command.arg("--");
        if driver.one_by_one {
            command = command.arg("--test-threads=1");
        }
        if cfg!(target_os = "linux") && is_ci() && !long {
            command = command.within(MOST_TIME);
        }
        let mut tests = Tests::default();
        let start = Instant::now();
        let outcome =
            command.run_seen(|line| tests.see(line)).and_then(|()| tests.judge(programs.len()));
        Self {
            driver: driver.name,
            adapter: adapter.clone(),
            subgroup_size: driver.subgroup_size,
            tests,
            time: start.elapsed(),
            outcome,
        }
    }

    fn cells(&self) -> [String; 8] {
        let Tests { passed, failed, ignored, .. } = self.tests;
        [
            self.driver.to_owned(),
            self.adapter.clone(),
            self.subgroup_size.map_or("none".to_owned(), |size| size.to_string()),
            passed.to_string(),
            failed.to_string(),
            ignored.to_string(),
            format!("{:.0}", self.time.as_secs_f64()),
            if self.outcome.is_ok() { "ok" } else { "FAILED" }.to_owned(),
        ]
    }
}

/// What test programs said of their tests.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tests {
    programs: usize,
    passed: u64,
    failed: u64,
    ignored: u64,
    /// What the programs said of the tests that failed, up to a bound.
    failures: Vec<String>,
    /// Whether a program is listing them.
    lists_failures: bool,
}

/// How many lines about failures are kept.
const MOST_FAILURE_LINES: usize = 60;

impl Tests {
    /// Adds up the lines `test result: ok. 7 passed; 0 failed; 1 ignored; …`, and keeps what stands between `failures:` and them.
    fn see(&mut self, line: &str) {
        if line == "failures:" {
            self.lists_failures = true;
        } else if line.starts_with("test result: ") {
            self.lists_failures = false;
        } else if self.lists_failures
            && !line.is_empty()
            && self.failures.len() < MOST_FAILURE_LINES
        {
            self.failures.push(line.to_owned());
        }
        let Some(result) = line.strip_prefix("test result: ") else {
            return;
        };
        self.programs += 1;
        for part in result.split(';') {
            let words: Vec<&str> = part.split_whitespace().collect();
            if let [.., number, what] = words[..] {
                let count = number.parse().unwrap_or(0);
                match what {
                    "passed" => self.passed += count,
                    "failed" => self.failed += count,
                    "ignored" => self.ignored += count,
                    _ => {}
                }
            }
        }
    }

    /// No test that failed is not enough: there must have been some.
    fn judge(&self, programs: usize) -> Result<(), String> {
        if self.programs == programs && self.passed > 0 {
            return Ok(());
        }
        Err(format!(
            "{} of {programs} test programs said how it went, and {} tests passed",
            self.programs, self.passed
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::named;
    use serde_json::json;

    fn driver(name: &str) -> &'static Driver {
        named(&[name.to_owned()])[0]
    }

    fn adapter(name: &str, sizes: Value) -> Value {
        json!({
            "backend": "vulkan",
            "name": name,
            "driver": "Mesa",
            "usable": true,
            "subgroup_sizes": sizes,
        })
    }

    #[test]
    fn another_subgroup_size_is_an_error() {
        let lavapipe = |size: u32| adapter("llvmpipe (LLVM)", json!({ "min": size, "max": size }));
        let sixteen = driver("lavapipe-16");
        let name = "vulkan/llvmpipe (LLVM)/Mesa".to_owned();
        assert_eq!(adapter_of(sixteen, &[lavapipe(16)]), Ok(Some(name)));
        assert!(adapter_of(sixteen, &[lavapipe(8)]).is_err());
        assert!(
            adapter_of(sixteen, &[adapter("llvmpipe", json!({ "min": 8, "max": 16 }))]).is_err()
        );
        assert!(adapter_of(sixteen, &[adapter("llvmpipe", Value::Null)]).is_err());
        assert_eq!(adapter_of(sixteen, &[adapter("NVIDIA H200", Value::Null)]), Ok(None));
        assert_eq!(adapter_of(driver("swiftshader"), &[lavapipe(4)]), Ok(None));
    }

    #[test]
    fn subgroups_where_there_must_be_none_are_an_error() {
        let mut opengl = adapter("llvmpipe", Value::Null);
        opengl["backend"] = "gl".into();
        assert!(matches!(adapter_of(driver("opengl"), &[opengl.clone()]), Ok(Some(_))));
        opengl["subgroup_sizes"] = json!({ "min": 8, "max": 8 });
        assert!(adapter_of(driver("opengl"), &[opengl]).is_err());
    }

    #[test]
    fn an_adapter_that_is_not_usable_is_an_error() {
        let mut broken = adapter("llvmpipe", json!({ "min": 8, "max": 8 }));
        broken["usable"] = false.into();
        assert!(adapter_of(driver("lavapipe-8"), &[broken]).is_err());
    }

    #[test]
    fn greetings() {
        let older = "Validation Information: Khronos Validation Layer Active:\n Current Enables: \
                     VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION.";
        assert_eq!(judge_greeting(false, older), Ok(true));
        assert!(judge_greeting(true, older).is_err());
        assert!(judge_greeting(false, "Khronos Validation Layer Active:\n None.").is_err());
        let newer = "[ CURRENT-VALIDATION-ENABLED ]\n  - Core Checks\n  - Synchronization\n";
        assert_eq!(judge_greeting(true, newer), Ok(true));
        assert_eq!(judge_greeting(true, ""), Ok(false));
    }

    #[test]
    fn tests_are_added_up() {
        let mut tests = Tests::default();
        tests.see("test a ... ok");
        let listed = ["---- b ----", "test panicked: left is not right", "    b"];
        for line in ["failures:", "", listed[0], listed[1], "", "failures:", listed[2], ""] {
            tests.see(line);
        }
        tests.see(
            "test result: FAILED. 150 passed; 1 failed; 8 ignored; 0 measured; 0 filtered out",
        );
        tests.see("test result: ok. 0 passed; 0 failed; 6 ignored; 0 measured; 0 filtered out");
        assert!(tests.judge(3).is_err(), "one program is missing");
        tests.see("test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; finished in 1.25s");
        let counted = (tests.programs, tests.passed, tests.failed, tests.ignored);
        assert_eq!(counted, (3, 162, 1, 14));
        assert_eq!(tests.failures, listed);
        assert_eq!(tests.judge(3), Ok(()));
        let nothing = Tests { programs: 3, ..Tests::default() };
        assert!(nothing.judge(3).is_err(), "no test passed");
    }

    #[test]
    fn packages_once() {
        let both = [driver("lavapipe-4"), driver("lavapipe-8")];
        assert_eq!(packages_of(&both), "libvulkan1 mesa-vulkan-drivers vulkan-validationlayers");
    }
}
