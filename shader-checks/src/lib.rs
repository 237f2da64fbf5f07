//! What is checked of gridfold's shaders without a GPU.
//!
//! - [`modules`]: which modules there are, every permutation and the start-up probe;
//! - [`collectives`]: users' kernels with collectives, and [`examples`]: those of the programs in `examples/`;
//! - [`translate`]: each of them in the languages of the devices that can select it;
//! - [`check`]: rules that neither naga nor a driver checks, by the module's meaning ([`flow`], [`uses`]):
//!   [`uniformity`], [`loops`], [`float_literals`], [`fences`], [`copies`];
//! - [`early_returns`]: a rule for what FXC may compile alone;
//! - [`cover`]: the pipelines of which every check and every compiler sees every seam, by [`tokens`];
//! - [`accepted`]: what other compilers accepted. The program of this crate asks them; `cargo xtask check-shaders`
//!   provides them and runs it;
//! - [`record`]: what they said of everything, some commits ago.

pub mod accepted;
pub mod collectives;
pub mod copies;
pub mod cover;
pub mod early_returns;
pub mod examples;
pub mod fences;
pub mod finding;
pub mod float_literals;
pub mod flow;
pub mod loops;
pub mod modules;
pub mod record;
pub mod tokens;
pub mod translate;
pub mod uniformity;
pub mod uses;

use finding::Finding;

/// What the rules have to say of a module.
#[derive(Debug, Default)]
pub struct Report {
    /// What is wrong; sorted, and nothing twice.
    pub findings: Vec<Finding>,
    /// Loops that end when a compare-exchange succeeded. A pipeline of such a module should keep
    /// wgpu's loop counters.
    pub compare_exchange_loops: Vec<Finding>,
}

/// Checks a valid module, before its pipeline constants are filled in, by every rule.
pub fn check(module: &naga::Module, source: &str) -> Report {
    let mut report =
        Report { findings: float_literals::check(module, source), ..Report::default() };
    report.findings.extend(fences::check(module, source));
    report.findings.extend(copies::check(module, source));
    for activation in flow::follow(module) {
        report.findings.extend(uniformity::check(module, source, &activation));
        let loops = loops::check(module, source, &activation);
        report.findings.extend(loops.findings);
        report.compare_exchange_loops.extend(loops.compare_exchange);
    }
    for findings in [&mut report.findings, &mut report.compare_exchange_loops] {
        findings.sort();
        findings.dedup();
    }
    report
}
