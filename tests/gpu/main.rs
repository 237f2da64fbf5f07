//! Every case on every adapter in every variant; the adapter and the variant are in the test's name.

#[macro_use]
mod operators;

mod atomics;
mod axes;
mod batch;
mod collectives;
mod components;
mod counted;
mod custom;
mod custom_scans;
mod custom_segments;
mod device;
mod differences;
mod distances;
mod dot;
mod doubles;
mod dynamic;
mod emulated;
mod errors;
mod exact;
mod exact_f64_segments;
mod exact_segments;
mod examples;
mod extrema;
mod fences;
#[path = "../support/float_check.rs"]
mod float_check;
mod floats;
mod groups;
mod histograms;
mod host_slices;
mod inputs;
mod lengths;
mod loss;
mod manners;
mod map;
mod map3;
mod map_types;
mod mask_scans;
mod masks;
mod material;
mod moments;
mod mutations;
mod narrow;
mod noticed;
#[path = "../exact/oracle.rs"]
#[expect(dead_code, reason = "the tests of exact results use the rest")]
mod oracle;
mod pairwise;
mod parts;
mod precision;
mod products;
mod random;
mod readbacks;
mod recording;
mod results;
mod scan_operators;
mod scan_rows;
mod scan_single_pass;
mod scan_statistics;
mod scans;
mod segment_inputs;
mod segment_windows;
mod segments;
mod select_single_pass;
mod selections;
mod self_test;
mod short_batches;
mod single_pass;
mod specials;
mod subgroups;
#[path = "../support/mod.rs"]
mod support;
#[path = "../../shader-checks/src/tokens.rs"]
#[expect(dead_code, unused_imports, reason = "shader-checks uses the rest, and tests it")]
mod tokens;
mod two_words;
mod vectors;

use device::Gpu;
use gridfold::{Capabilities, Variant, wgpu};
use libtest_mimic::{Arguments, Failed, Trial};
use noticed::Noticed;
use std::{
    cell::Cell,
    process::ExitCode,
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant},
};

// The oracle's.
const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;

type Run = Arc<dyn Fn(&Gpu, Variant) + Send + Sync>;

/// Cases that share a device, and so compile a shader once. Not all do: drivers in software need megabytes for each pipeline.
const CASES_PER_DEVICE: usize = 40;

/// When a case runs. `GRIDFOLD_TEST_TIER=1` leaves tier 2 out, and sweeps run if asked for alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tier {
    /// On each commit, on the driver in software of each of these backends.
    One(&'static [wgpu::Backend]),
    /// Before a release, on every driver, and on GPUs.
    Two,
    /// Many minutes on drivers in software: ignored, unless asked for by `--include-ignored`.
    Sweep,
}

/// What kernels compute, and what a validation layer sees.
const VULKAN: &[wgpu::Backend] = &[wgpu::Backend::Vulkan];
/// What backends see, too: how inputs lie, encoders, buffers, errors.
const BOTH: &[wgpu::Backend] = &[wgpu::Backend::Vulkan, wgpu::Backend::Gl];
/// Cases for which one driver is enough: this one has less to do than Vulkan's.
const OPENGL: &[wgpu::Backend] = &[wgpu::Backend::Gl];

/// A case, to be run on an adapter in a variant.
struct Case {
    name: String,
    run: Run,
    tier: Tier,
    /// The variant that it is for; `None` for all.
    only: Option<Variant>,
    /// What a device has to have.
    needs: fn(&Capabilities) -> bool,
    /// The mutations that it has to notice.
    noticed: Option<Arc<Noticed>>,
}

impl Case {
    fn of(
        tier: Tier,
        name: impl Into<String>,
        run: impl Fn(&Gpu, Variant) + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            run: Arc::new(run),
            tier,
            only: None,
            needs: |_| true,
            noticed: None,
        }
    }

    /// A case for each commit, on some drivers. In tier 1 a case of all variants runs in one.
    fn tier1(
        on: &'static [wgpu::Backend],
        name: impl Into<String>,
        run: impl Fn(&Gpu, Variant) + Send + Sync + 'static,
    ) -> Self {
        Self::of(Tier::One(on), name, run)
    }

    /// A case for releases, and for GPUs.
    fn tier2(name: impl Into<String>, run: impl Fn(&Gpu, Variant) + Send + Sync + 'static) -> Self {
        Self::of(Tier::Two, name, run)
    }

    /// A case that takes many minutes on drivers in software, and runs if it is asked for.
    fn sweep(name: impl Into<String>, run: impl Fn(&Gpu, Variant) + Send + Sync + 'static) -> Self {
        Self::of(Tier::Sweep, name, run)
    }

    /// The same case for one variant.
    fn only(self, variant: Variant) -> Self {
        Self { only: Some(variant), ..self }
    }

    /// The same case, about mutations: in tier 1 if these are new.
    fn noticing(self, noticed: Noticed) -> Self {
        Self { tier: noticed.tier(self.tier), noticed: Some(Arc::new(noticed)), ..self }
    }

    /// The same case for devices that have something.
    fn needs(self, needs: fn(&Capabilities) -> bool) -> Self {
        Self { needs, ..self }
    }
}

fn cases() -> Vec<Case> {
    let all = [
        // First, because it takes longest.
        self_test::cases(),
        inputs::cases(),
        host_slices::cases(),
        readbacks::cases(),
        recording::cases(),
        results::cases(),
        scans::cases(),
        scan_operators::cases(),
        scan_rows::cases(),
        scan_single_pass::cases(),
        scan_statistics::cases(),
        mask_scans::cases(),
        segments::cases(),
        segment_inputs::cases(),
        segment_windows::cases(),
        groups::cases(),
        axes::cases(),
        exact_segments::cases(),
        exact_f64_segments::cases(),
        histograms::cases(),
        selections::cases(),
        select_single_pass::cases(),
        differences::cases(),
        counted::cases(),
        batch::cases(),
        short_batches::cases(),
        custom::cases(),
        custom_scans::cases(),
        custom_segments::cases(),
        map::cases(),
        map3::cases(),
        map_types::cases(),
        distances::cases(),
        dynamic::cases(),
        manners::cases(),
        exact::cases(),
        dot::cases(),
        precision::cases(),
        errors::cases(),
        loss::cases(),
        examples::cases(),
        parts::cases(),
        lengths::cases(),
        atomics::cases(),
        collectives::cases(),
        emulated::cases(),
        fences::cases(),
        products::cases(),
        single_pass::cases(),
        specials::cases(),
        subgroups::cases(),
        random::cases(),
        pairwise::cases(),
        vectors::cases(),
        moments::cases(),
        two_words::cases(),
        narrow::cases(),
        extrema::cases(),
        components::cases(),
        masks::cases(),
        doubles::cases(),
        material::cases(),
        mutations::cases(),
    ];
    all.into_iter().flatten().collect()
}

/// How long each case took that has run.
static TIMES: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

/// Says which cases took longest: as many as `GRIDFOLD_TEST_SLOWEST` asks for.
fn print_slowest() {
    let asked_for =
        std::env::var("GRIDFOLD_TEST_SLOWEST").ok().and_then(|count| count.parse().ok());
    let Some(count) = asked_for else {
        return;
    };
    let mut times = TIMES.lock().expect("pushing does not panic");
    times.sort_unstable_by(|left, right| right.cmp(left));
    for (time, name) in times.iter().take(count) {
        println!("{:>8.1} s  {name}", time.as_secs_f64());
    }
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
    let mut plan = Vec::new();
    match trials(&mut plan) {
        Ok(_) if std::env::var_os("GRIDFOLD_TEST_PLAN").is_some() => {
            plan.iter().for_each(|line| println!("{line}"));
            ExitCode::SUCCESS
        }
        Ok(trials) => {
            let code = libtest_mimic::run(&arguments, trials).exit_code();
            print_slowest();
            code
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the trials of all adapters. `plan` gets a line for each case and variant, for `cargo xtask test --plan`: whether the case is
/// run, its tier and its name.
fn trials(plan: &mut Vec<String>) -> Result<Vec<Trial>, String> {
    let adapters = device::adapters_under_test()?;
    let is_tier_1 = is_tier_1()?;
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
        let variants = gpu.variants();
        for &variant in &variants {
            let backend = listed.adapter().get_info().backend;
            // Of both variants tier 1 has the second, where there are subgroups. OpenGL has the other, and the self-test asks every kernel of both.
            let is_last = variants.last() == Some(&variant);
            let is_left_out = |case: &Case| match case.tier {
                Tier::One(on) if is_tier_1 => {
                    !on.contains(&backend) || !(is_last || case.only.is_some())
                }
                Tier::One(_) => false,
                Tier::Two => is_tier_1,
                Tier::Sweep => true,
            };
            let mut shared = Shared::of(listed.adapter());
            let mut count = 0;
            for case in cases() {
                let is_for_device = case.only.is_none_or(|only| only == variant)
                    && (case.needs)(gpu.capabilities());
                let is_ignored = is_left_out(&case);
                let tier = match case.tier {
                    Tier::One(_) => "1",
                    Tier::Two => "2",
                    Tier::Sweep => "sweep",
                };
                let what = match (is_for_device, is_ignored) {
                    (false, _) => "unfit",
                    (true, true) => "left out",
                    (true, false) => "run",
                };
                plan.push(format!("{what}\t{tier}\t[{}] {}", variant.name(), case.name));
                if !is_for_device {
                    continue;
                }
                count += usize::from(!is_ignored);
                if count % CASES_PER_DEVICE == 0 {
                    shared = Shared::of(listed.adapter());
                }
                let shared = shared.clone();
                let name = format!("[{adapter}] [{}] {}", variant.name(), case.name);
                let trial = Trial::test(name.clone(), move || {
                    let start = Instant::now();
                    let gpu = shared.gpu()?;
                    let outcome = gpu.check(|gpu| (case.run)(gpu, variant)).map_err(Failed::from);
                    if let (Some(noticed), Ok(())) = (&case.noticed, &outcome) {
                        noticed.keep(gpu);
                    }
                    TIMES.lock().expect("pushing does not panic").push((start.elapsed(), name));
                    outcome
                });
                trials.push(trial.with_ignored_flag(is_ignored));
            }
        }
    }
    let is_nothing = trials.iter().all(|trial| trial.has_ignored_flag());
    if is_tier_1 && is_nothing && !adapters.listed.is_empty() {
        return Err("tier 1 has no case for these adapters, which are on neither Vulkan nor OpenGL: leave GRIDFOLD_TEST_TIER out"
            .to_owned());
    }
    if is_nothing && !adapters.asked_for {
        let problems: Vec<&str> = trials.iter().map(Trial::name).collect();
        return Err(format!(
            "no adapter can be used: run `cargo xtask test`, which installs a software driver, or set \
             GRIDFOLD_TEST_ADAPTERS=none to test without GPU\n{}",
            problems.join("\n")
        ));
    }
    Ok(trials)
}

/// A device that the first case makes, and the last one drops.
#[derive(Clone)]
struct Shared {
    adapter: wgpu::Adapter,
    gpu: Arc<OnceLock<Result<Gpu, String>>>,
}

impl Shared {
    fn of(adapter: &wgpu::Adapter) -> Self {
        Self { adapter: adapter.clone(), gpu: Arc::default() }
    }

    fn gpu(&self) -> Result<&Gpu, &String> {
        self.gpu.get_or_init(|| Gpu::open(&self.adapter)).as_ref()
    }
}

/// Whether `GRIDFOLD_TEST_TIER` leaves tier 2 out. `--include-ignored` runs it nevertheless.
fn is_tier_1() -> Result<bool, String> {
    match std::env::var("GRIDFOLD_TEST_TIER").as_deref() {
        Ok("1") => Ok(true),
        Err(_) => Ok(false),
        Ok(other) => {
            Err(format!("GRIDFOLD_TEST_TIER is {other:?}: it can be \"1\", or not be set"))
        }
    }
}
