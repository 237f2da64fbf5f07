//! Every case on every adapter in every variant; the adapter and the variant are in the test's name.

#[macro_use]
mod operators;

mod atomics;
mod batch;
mod device;
mod dot;
mod emulated;
mod errors;
mod exact;
mod fences;
#[path = "../support/float_check.rs"]
mod float_check;
mod floats;
mod host_slices;
mod inputs;
mod lengths;
mod loss;
mod manners;
mod material;
mod mutations;
#[path = "../exact/oracle.rs"]
#[expect(dead_code, reason = "the tests of exact results use the rest")]
mod oracle;
mod pairwise;
mod precision;
mod products;
mod random;
mod recording;
mod self_test;
mod single_pass;
mod specials;
mod subgroups;
#[path = "../support/mod.rs"]
mod support;
mod vectors;

use device::Gpu;
use gridfold::{Capabilities, Variant};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{cell::Cell, process::ExitCode, sync::Arc};

// The oracle's.
const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;

type Run = Arc<dyn Fn(&Gpu, Variant) + Send + Sync>;

/// How long a case takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    Short,
    /// Minutes on slow drivers: can be left out there.
    Long,
    /// Many minutes on drivers in software: ignored, unless asked for by `--include-ignored`.
    Sweep,
}

/// A case, to be run on an adapter in a variant.
struct Case {
    name: String,
    run: Run,
    effort: Effort,
    /// The variant that it is for; `None` for all.
    only: Option<Variant>,
    /// What a device has to have.
    needs: fn(&Capabilities) -> bool,
}

impl Case {
    fn new(name: impl Into<String>, run: impl Fn(&Gpu, Variant) + Send + Sync + 'static) -> Self {
        Self {
            name: name.into(),
            run: Arc::new(run),
            effort: Effort::Short,
            only: None,
            needs: |_| true,
        }
    }

    /// A case that takes minutes on slow drivers, and can be left out there.
    fn long(name: impl Into<String>, run: impl Fn(&Gpu, Variant) + Send + Sync + 'static) -> Self {
        Self { effort: Effort::Long, ..Self::new(name, run) }
    }

    /// A case that takes many minutes on drivers in software, and runs if it is asked for.
    fn sweep(name: impl Into<String>, run: impl Fn(&Gpu, Variant) + Send + Sync + 'static) -> Self {
        Self { effort: Effort::Sweep, ..Self::new(name, run) }
    }

    /// The same case for one variant.
    fn only(self, variant: Variant) -> Self {
        Self { only: Some(variant), ..self }
    }

    /// The same case for devices that have something.
    fn needs(self, needs: fn(&Capabilities) -> bool) -> Self {
        Self { needs, ..self }
    }
}

fn cases() -> Vec<Case> {
    let mut cases = lengths::cases();
    cases.extend(inputs::cases());
    cases.extend(host_slices::cases());
    cases.extend(recording::cases());
    cases.extend(atomics::cases());
    cases.extend(batch::cases());
    cases.extend(manners::cases());
    cases.extend(emulated::cases());
    cases.extend(fences::cases());
    cases.extend(exact::cases());
    cases.extend(dot::cases());
    cases.extend(pairwise::cases());
    cases.extend(precision::cases());
    cases.extend(products::cases());
    cases.extend(self_test::cases());
    cases.extend(single_pass::cases());
    cases.extend(specials::cases());
    cases.extend(subgroups::cases());
    cases.extend(random::cases());
    cases.extend(vectors::cases());
    cases.extend(errors::cases());
    cases.extend(loss::cases());
    cases.extend(material::cases());
    cases.extend(mutations::cases());
    cases
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `body`, whose panics are expected, without printing them.
fn quietly<R>(body: impl FnOnce() -> R) -> R {
    QUIET.set(true);
    let result = body();
    QUIET.set(false);
    result
}

fn main() -> ExitCode {
    let print_panic = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !QUIET.get() {
            print_panic(panic);
        }
    }));
    env_logger::Builder::from_env(env_logger::Env::new().default_filter_or("error,wgpu_hal=off"))
        .init();
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>, String> {
    let adapters = device::adapters_under_test()?;
    let ignores_long_cases = ignores_long_cases()?;
    let mut trials = Vec::new();
    for listed in &adapters.listed {
        let adapter = listed.name().to_string();
        let gpu = match Gpu::open(listed.adapter()) {
            Ok(gpu) => gpu,
            Err(message) => {
                let name = format!("[{adapter}] can't be used: {message}");
                let fails = Trial::test(name, move || Err(Failed::from(message)));
                trials.push(fails.with_ignored_flag(!adapters.asked_for));
                continue;
            }
        };
        for variant in gpu.variants() {
            let is_for = |case: &Case| {
                case.only.is_none_or(|only| only == variant) && (case.needs)(gpu.capabilities())
            };
            for case in cases().into_iter().filter(is_for) {
                let gpu = gpu.clone();
                let name = format!("[{adapter}] [{}] {}", variant.name(), case.name);
                let trial = Trial::test(name, move || {
                    gpu.check(|gpu| (case.run)(gpu, variant)).map_err(Failed::from)
                });
                trials.push(trial.with_ignored_flag(match case.effort {
                    Effort::Short => false,
                    Effort::Long => ignores_long_cases,
                    Effort::Sweep => true,
                }));
            }
        }
    }
    if trials.iter().all(|trial| trial.has_ignored_flag()) && !adapters.asked_for {
        let problems: Vec<&str> = trials.iter().map(Trial::name).collect();
        return Err(format!(
            "no adapter can be used: run `cargo xtask test`, which installs a software driver, or set \
             GRIDFOLD_TEST_ADAPTERS=none to test without GPU\n{}",
            problems.join("\n")
        ));
    }
    Ok(trials)
}

/// Whether `GRIDFOLD_TEST_LONG` says so. Then `--include-ignored` runs them nevertheless.
fn ignores_long_cases() -> Result<bool, String> {
    match std::env::var("GRIDFOLD_TEST_LONG").as_deref() {
        Err(_) => Ok(false),
        Ok("ignored") => Ok(true),
        Ok(other) => {
            Err(format!("GRIDFOLD_TEST_LONG is {other:?}: it can be \"ignored\", or not be set"))
        }
    }
}
