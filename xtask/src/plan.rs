//! `cargo xtask test --plan`: which cases of `tests/gpu` each tier runs on which driver, and how long that took when it was run last.

use crate::{
    adapter,
    columns::aligned,
    command::build_dir,
    drivers::{DRIVERS, Driver},
    files::{read, write},
    matrix::Ready,
    mpi,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::Duration,
};

/// Makes the test program print a line for each case, and run none.
const PLAN: &str = "GRIDFOLD_TEST_PLAN";

/// A case in a variant, as it is on one driver.
struct Case {
    name: String,
    tier: Tier,
    /// Whether the driver has what the case needs.
    fits: bool,
    /// Whether tier 1 runs it.
    is_in_tier_1: bool,
}

#[derive(PartialEq)]
enum Tier {
    One,
    Two,
    Sweep,
}

impl Case {
    fn parse(line: &str) -> Option<Self> {
        let [what, tier, name] = line.split('\t').collect::<Vec<_>>()[..] else {
            return None;
        };
        let tier = match tier {
            "1" => Tier::One,
            "2" => Tier::Two,
            "sweep" => Tier::Sweep,
            _ => return None,
        };
        let (fits, is_in_tier_1) = (what != "unfit", what == "run");
        Some(Self { name: name.to_owned(), tier, fits, is_in_tier_1 })
    }
}

/// The cases on each of these drivers.
pub struct Plan {
    rows: Vec<(&'static str, Vec<Case>)>,
}

impl Plan {
    /// Asks the test program, which it builds if need be.
    ///
    /// # Errors
    ///
    /// A sentence, if it has no plan.
    pub fn of(ready: &[Ready]) -> Result<Self, String> {
        let row = |ready: &Ready| {
            let driver = ready.driver;
            let said = mpi::workspace("test", "--quiet --test gpu")
                .envs(driver.environment())
                .env(adapter::CHOICE, driver.selector)
                .env("GRIDFOLD_TEST_TIER", "1")
                .env(PLAN, "1")
                .output()?;
            let cases: Vec<_> = said.lines().filter_map(Case::parse).collect();
            match cases.is_empty() {
                true => Err(format!("tests/gpu has no cases on {}", driver.name)),
                false => Ok((driver.name, cases)),
            }
        };
        ready.iter().map(row).collect::<Result<_, _>>().map(|rows| Self { rows })
    }

    /// Prints the table, the cases that fit none of these drivers, and how many are run by hand.
    ///
    /// # Errors
    ///
    /// As [`Plan::check`].
    pub fn print(&self, times: &Times) -> Result<(), String> {
        let mut table = vec![["tier", "driver", "cases", "seconds, last time"].map(str::to_owned)];
        for (tier, is_of_tier) in [("1", in_tier_1 as fn(&Case) -> bool), ("2", in_tier_2)] {
            for (driver, cases) in &self.rows {
                let count = cases.iter().filter(|case| is_of_tier(case)).count();
                let seconds = times.get(&tier_on(tier, driver));
                let seconds = seconds.map_or("?".to_owned(), |seconds| format!("{seconds:.0}"));
                table.push([tier.to_owned(), (*driver).to_owned(), count.to_string(), seconds]);
            }
        }
        println!("\n{}", aligned(&table, 2).join("\n"));
        let steps: Vec<_> = times.steps().collect();
        if !steps.is_empty() {
            println!("\nsteps, last time: {}", steps.join(", "));
        }
        let fit = self.names(|case| case.fits);
        println!("\nonly on other devices:");
        let unfit = self.names(|case| !fit.contains(bare(&case.name)));
        unfit.iter().for_each(|name| println!("  {name}"));
        let sweeps = self.names(|case| case.tier == Tier::Sweep).len();
        println!("by hand, for hours: {sweeps} sweeps (`cargo test --test gpu -- --ignored`)");
        self.check()
    }

    /// # Errors
    ///
    /// The cases of tier 1 that none of its drivers runs in tier 1, if all of these are there.
    fn check(&self) -> Result<(), String> {
        let lacks = |driver: &Driver| {
            driver.is_in_tier_1 && !self.rows.iter().any(|(name, _)| *name == driver.name)
        };
        if DRIVERS.iter().any(lacks) {
            return Ok(());
        }
        let run = self.names(in_tier_1);
        let of_tier_1 = self.names(|case| case.tier == Tier::One && case.fits);
        let nowhere: Vec<_> = of_tier_1.difference(&run).copied().collect();
        match nowhere.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "no driver of tier 1 runs these cases of tier 1: {}. Name another backend or variant where they stand, or make them tier 2",
                nowhere.join(", ")
            )),
        }
    }

    fn names(&self, are: impl Fn(&Case) -> bool) -> BTreeSet<&str> {
        let cases = self.rows.iter().flat_map(|(_, cases)| cases);
        cases.filter(|case| are(case)).map(|case| bare(&case.name)).collect()
    }
}

/// A case in all its variants: tier 1 runs it in one of them.
fn bare(name: &str) -> &str {
    name.split_once("] ").map_or(name, |(_, bare)| bare)
}

fn in_tier_1(case: &Case) -> bool {
    case.is_in_tier_1
}

fn in_tier_2(case: &Case) -> bool {
    case.fits && case.tier != Tier::Sweep
}

/// The name of a tier's time on a driver.
pub fn tier_on(tier: &str, driver: &str) -> String {
    format!("tier {tier} on {driver}")
}

/// How long each step took when it was run last, in a file beside what cargo builds.
pub struct Times {
    path: PathBuf,
    seconds: BTreeMap<String, f64>,
}

impl Times {
    /// # Errors
    ///
    /// A sentence, if the file can't be read.
    pub fn read() -> Result<Self, String> {
        let path = build_dir()?.join("test-times.txt");
        let text = if path.exists() { read(&path)? } else { String::new() };
        Ok(Self { path, seconds: parse(&text) })
    }

    pub fn get(&self, name: &str) -> Option<f64> {
        self.seconds.get(name).copied()
    }

    pub fn set(&mut self, name: &str, time: Duration) {
        self.seconds.insert(name.to_owned(), time.as_secs_f64());
    }

    /// # Errors
    ///
    /// A sentence, if the file can't be written.
    pub fn save(&self) -> Result<(), String> {
        let lines = self.seconds.iter().map(|(name, seconds)| format!("{seconds:.1}\t{name}\n"));
        write(&self.path, lines.collect::<String>())
    }

    fn steps(&self) -> impl Iterator<Item = String> {
        let steps = self.seconds.iter().filter(|(name, _)| !name.starts_with("tier "));
        steps.map(|(name, seconds)| format!("{name} {seconds:.0} s"))
    }
}

fn parse(text: &str) -> BTreeMap<String, f64> {
    let line = |line: &str| {
        let (seconds, name) = line.split_once('\t')?;
        Some((name.to_owned(), seconds.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(of_lavapipe: &str, of_opengl: &str) -> Plan {
        let cases = |lines: &str| lines.lines().filter_map(Case::parse).collect();
        Plan { rows: vec![("lavapipe-8", cases(of_lavapipe)), ("opengl", cases(of_opengl))] }
    }

    #[test]
    fn cases_that_run_nowhere_are_an_error() {
        let one = "running 2 tests\nrun\t1\t[subgroup] a\nleft out\t1\t[workgroup-memory] a\nunfit\t2\t[subgroup] b";
        assert_eq!(plan(one, "left out\t1\t[workgroup-memory] a").check(), Ok(()));
        let nowhere = plan(one, "left out\t1\t[workgroup-memory] c").check();
        assert!(nowhere.is_err_and(|problem| problem.contains(": c. ")));
        // Another driver of tier 1 may run it.
        let rows = plan(one, "left out\t1\t[workgroup-memory] c").rows.into_iter().skip(1);
        assert_eq!(Plan { rows: rows.collect() }.check(), Ok(()));
    }

    #[test]
    fn tiers_are_counted() {
        let lines = "run\t1\t[subgroup] a\nleft out\t2\t[subgroup] b\nunfit\t2\t[subgroup] c\nleft out\tsweep\t[subgroup] d";
        let plan = plan(lines, "");
        let count = |is: fn(&Case) -> bool| plan.rows[0].1.iter().filter(|case| is(case)).count();
        assert_eq!((count(in_tier_1), count(in_tier_2)), (1, 2));
    }

    #[test]
    fn times_are_read_again() {
        let times = parse("12.5\ttier 1 on opengl\nno time\n3.0\tbuild\n");
        assert_eq!(times.get(&tier_on("1", "opengl")), Some(&12.5));
        assert_eq!(times.len(), 2);
    }
}
