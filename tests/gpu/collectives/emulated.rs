//! Collectives on subgroups of sizes that no driver in software has: what drivers do in registers, workgroup memory does.

use super::{check, flags, items, range, tiles};
use crate::{Case, Effort, device::Gpu};
use gridfold::{Max, Sum, Variant, shader::Sources, wgsl::Collective};

/// What tests' kernels begin with,
const MAIN: &str = "fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {";
/// and what stands behind it where subgroups are emulated.
const LANE: &str = "\n    gridfold_emulated_lane = invocation.local_invocation_index;";

pub fn cases() -> impl Iterator<Item = Case> {
    // Drivers in software have small ones.
    let usual = [32, 128].map(|size| (size, Effort::Usual));
    let long = [4, 8, 16, 64].map(|size| (size, Effort::Long));
    usual.into_iter().chain(long).map(|(size, effort)| {
        let name = format!("collectives, emulated subgroups of {size}");
        let case = Case::new(name, move |gpu, variant| {
            let gpu = emulated(gpu, size);
            check::<f32, Sum>(&gpu, variant, &[95]);
            range::careful_where_needed(&gpu, variant);
            range::call_after_call(&gpu, variant);
            check::<u32, Max>(&gpu, variant, &[256]);
            flags(&gpu, variant, &[96, 256]);
            tiles::operators::<f32, Sum>(&gpu, variant);
            tiles::flags_and_values(&gpu, variant);
            items::shuffles(&gpu, variant, ("u32", Collective::Shuffle), &items::FEW_SHUFFLES);
            items::exchanges(&gpu, variant, ("u32", Collective::Shuffle), &[(95, 3)]);
            items::sorts(&gpu, variant, "u32", &[(95, 2, 32)]);
        });
        Case { effort, ..case.only(Variant::Subgroup) }
    })
}

/// A kernel's text, with what emulated subgroups have to know.
pub fn with_lanes(text: &str) -> String {
    if text.contains("gridfold_emulated_lane") {
        assert!(text.contains(MAIN), "the kernel begins as all do");
        return text.replacen(MAIN, &[MAIN, LANE].concat(), 1);
    }
    text.to_owned()
}

/// The device with emulated subgroups.
fn emulated(gpu: &Gpu, size: u32) -> Gpu {
    let sources = Sources::default();
    let place = sources.text("public/place_subgroup.wgsl").expect("it is there");
    let chosen = format!("const EMULATED_SIZE = {size}u;");
    let changes = [
        ("    @builtin(subgroup_size) driver_subgroup_size: u32,\n", ""),
        ("workgroup.driver_subgroup_size", "EMULATED_SIZE"),
        ("const EMULATED_SIZE = 32u;", &chosen),
    ];
    let mut text = [place, include_str!("emulated.wgsl")].concat();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    // Which file of ballots there is depends on the device.
    let ballot = if size > 32 { "public/ballot_128.wgsl" } else { "public/ballot_32.wgsl" };
    let ballot = sources.text(ballot).expect("it is there").to_owned();
    let max = sources.text("operator/max_subgroup.wgsl").expect("it is there").to_owned();
    let max = max + include_str!("emulated_max.wgsl");
    let sources = sources
        .with("public/place_subgroup.wgsl", text)
        .and_then(|sources| sources.with("public/ballot_32.wgsl", ballot.clone()))
        .and_then(|sources| sources.with("public/ballot_128.wgsl", ballot))
        .and_then(|sources| sources.with("operator/max_subgroup.wgsl", max));
    let gpu = gpu.with_shaders(sources.expect("they are there")).expect("a context");
    // The text that is made for one size.
    gpu.with_told_subgroups(size, size)
}
