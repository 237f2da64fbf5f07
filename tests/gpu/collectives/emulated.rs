//! Collectives on subgroups of sizes that no driver in software has: what drivers do in registers, workgroup memory does. And on groups of all sizes
//! that stand for subgroups where there are none.

use super::{
    SIZES, check, check_operator, collectives_of, flags, items, kernels, own, range, ticket, tiles,
};
use crate::{BOTH, Case, Tier, device::Gpu};
use gridfold::{
    BitOr, Capabilities, DeviceClass, Max, Product, Sum, SumWide, Variant, shader::Sources,
    wgsl::Collective,
};

/// What tests' kernels begin with,
const MAIN: &str = "fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation) {";
/// and what stands behind it where subgroups are emulated.
const LANE: &str = "\n    gridfold_emulated_lane = invocation.local_invocation_index;";

/// All sizes of subgroups.
const SUBGROUPS: [u32; 6] = [4, 8, 16, 32, 64, 128];
/// What stands for them in memory elsewhere in the tests.
const IN_MEMORY: u32 = 32;

type Check = fn(&Gpu, Variant);

/// What subgroups' sizes decide about, in workgroups of every size.
const PARTS: [(&str, Check); 4] = [
    ("operators", operators),
    ("own operators", own_operators),
    ("flags and tiles", flags_and_tiles),
    ("shuffles", shuffles),
];
/// The same of what lanes of a subgroup do for their workgroup.
const OF_WORKGROUPS: [(&str, Check); 2] =
    [("sorts and exchanges", sorts_and_exchanges), ("the last workgroup's total", tickets)];

/// Lanes, and items of each, that leave memory for emulated subgroups.
const EXCHANGES: [(u32, u32); SIZES.len()] = {
    let mut all = items::EXCHANGES;
    let mut at = 0;
    while at < all.len() {
        if all[at].0 * all[at].1 > 4096 {
            all[at].1 = 4;
        }
        at += 1;
    }
    all
};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for size in SUBGROUPS {
        cases.push(emulated_case(size, "", Tier::Two, some));
        let few = emulated_case(size, ", a few kernels of every size", Tier::Two, few);
        cases.push(few.needs(is_enough));
        for (what, check) in PARTS.into_iter().chain(OF_WORKGROUPS) {
            let what = format!(", {what}, every size");
            cases.push(emulated_case(size, &what, Tier::Two, check).needs(is_enough));
        }
        let other = emulated_case(size, ", text for other sizes", Tier::Two, text_for_others);
        cases.push(other.needs(is_enough));
        cases.push(emulated_case(size, ", everything", Tier::Sweep, everything));
    }
    for size in SUBGROUPS.into_iter().filter(|&size| size != IN_MEMORY) {
        let what = ", a few kernels of every size";
        let tier = if matches!(size, 4 | 64) { Tier::One(BOTH) } else { Tier::Two };
        cases.push(memory_case(size, what, tier, few_of_subgroups));
        for (what, check) in PARTS {
            let case = memory_case(size, &format!(", {what}, every size"), Tier::Two, check);
            cases.push(case.needs(is_enough));
        }
        cases.push(memory_case(size, ", everything", Tier::Sweep, everything));
    }
    cases
}

/// What is emulated is the same on all drivers in software. One of them has it all.
fn is_enough(capabilities: &Capabilities) -> bool {
    let is_software = capabilities.device_class == DeviceClass::Cpu;
    !is_software || capabilities.subgroups.is_some_and(|sizes| sizes.max == 8)
}

fn emulated_case(size: u32, what: &str, tier: Tier, check: Check) -> Case {
    let name = format!("collectives, emulated subgroups of {size}{what}");
    let case = Case::tier2(name, move |gpu, variant| {
        let gpu = emulated(gpu, size);
        expect_text(&gpu, variant, &format!("const gridfold_EMULATED_SIZE = {size}u;"));
        check(&gpu, variant);
    });
    Case { tier, ..case.only(Variant::Subgroup) }
}

fn memory_case(size: u32, what: &str, tier: Tier, check: Check) -> Case {
    let name = format!("collectives in memory, subgroups of {size}{what}");
    let case = Case::tier2(name, move |gpu, variant| {
        let gpu = gpu.with_told_subgroups(size, size);
        expect_text(&gpu, variant, &format!("const gridfold_SUBGROUP_SIZE = {size}u;"));
        check(&gpu, variant);
    });
    Case { tier, ..case.only(Variant::WorkgroupMemory) }
}

/// What is tested is of the size that it should be of.
fn expect_text(gpu: &Gpu, variant: Variant, expected: &str) {
    let text = kernels::flags_kernel(collectives_of(gpu).workgroup_size(64).variant(variant));
    let text = text.expect("there are such collectives");
    assert!(text.contains(expected), "no {expected} in {text}");
}

fn some(gpu: &Gpu, variant: Variant) {
    check::<f32, _>(gpu, variant, &[95], Sum);
    range::careful_where_needed(gpu, variant);
    range::call_after_call(gpu, variant);
    check::<u32, _>(gpu, variant, &[256], Max);
    flags(gpu, variant, &[96, 256]);
    tiles::operators::<f32, _>(gpu, variant, Sum);
    tiles::flags_and_values(gpu, variant);
    items::shuffles(gpu, variant, ("u32", Collective::Shuffle), &items::FEW_SHUFFLES);
    items::exchanges(gpu, variant, ("u32", Collective::Shuffle), &[(95, 3)]);
    items::sorts(gpu, variant, "u32", &[(95, 2, 32)]);
}

/// Every function once, and reductions in each way.
fn few(gpu: &Gpu, variant: Variant) {
    few_of_subgroups(gpu, variant);
    check::<f32, _>(gpu, variant, &[256], Sum);
    check::<u64, _>(gpu, variant, &[64], Sum);
    check::<u32, _>(&gpu.with_told_subgroups(4, 128), variant, &[256], Max);
    items::exchanges(gpu, variant, ("u32x2", Collective::ShuffleWide), &[(33, 5)]);
    items::sorts(gpu, variant, "u32", &[(95, 2, 32)]);
    items::sorts(gpu, variant, "f64", &[(33, 3, 38)]);
    ticket::check::<f32, _>(gpu, variant, &[(64, 7)], Sum);
}

/// Those of what subgroups' sizes decide about.
fn few_of_subgroups(gpu: &Gpu, variant: Variant) {
    // A part of one subgroup of 128 lanes; of others several, the last of which is a part.
    let tile = [(95, 32, 8, 3)];
    check::<f32, _>(gpu, variant, &[95], Sum);
    own(gpu, variant, &kernels::affine(), kernels::affine_kernel, &[95]);
    flags(gpu, variant, &[95]);
    tiles::operators_of::<f32, _>(gpu, variant, &tile, Sum);
    tiles::flags_and_values_of(gpu, variant, &tile);
    items::shuffles(gpu, variant, ("u32x2", Collective::ShuffleWide), &[(95, 5, 8)]);
}

/// Of values of one word and of two, by totals of one, two and four: in each way that reductions go.
fn operators(gpu: &Gpu, variant: Variant) {
    check::<f32, _>(gpu, variant, &SIZES, Sum);
    check::<u32, _>(gpu, variant, &SIZES, Max);
    check::<u64, _>(gpu, variant, &SIZES, Sum);
    check::<i32, _>(gpu, variant, &SIZES, SumWide);
    check::<f32, _>(gpu, variant, &SIZES, Product);
}

fn own_operators(gpu: &Gpu, variant: Variant) {
    own(gpu, variant, &kernels::affine(), kernels::affine_kernel, &SIZES);
    own(gpu, variant, &kernels::words(), kernels::words_kernel, &SIZES);
}

fn flags_and_tiles(gpu: &Gpu, variant: Variant) {
    flags(gpu, variant, &SIZES);
    let numbers = tiles::of_sizes(&SIZES);
    tiles::operators_of::<f32, _>(gpu, variant, &numbers, Sum);
    tiles::operators_of::<i32, _>(gpu, variant, &numbers, Max);
    tiles::flags_and_values_of(gpu, variant, &numbers);
}

fn shuffles(gpu: &Gpu, variant: Variant) {
    for item in [kernels::ITEMS[2], kernels::ITEMS[4], kernels::LONG_ITEMS[0]] {
        items::shuffles(gpu, variant, item, &items::SHUFFLES);
    }
}

fn sorts_and_exchanges(gpu: &Gpu, variant: Variant) {
    items::sorts(gpu, variant, "f32", &items::SORTS);
    items::sorts(gpu, variant, "u64", &items::WIDE_SORTS);
    items::exchanges(gpu, variant, kernels::ITEMS[3], &EXCHANGES);
}

fn tickets(gpu: &Gpu, variant: Variant) {
    let sizes = SIZES.map(|size| (size, 7));
    ticket::check::<f32, _>(gpu, variant, &sizes, Sum);
    ticket::check::<u64, _>(gpu, variant, &sizes, Sum);
    ticket::own(gpu, variant, &sizes);
}

/// Text for subgroups of any size, and text for another size than they have.
fn text_for_others(gpu: &Gpu, variant: Variant) {
    let size = gpu.told_subgroups.expect("it was told").max;
    let any = gpu.with_told_subgroups(4, 128);
    check::<f32, _>(&any, variant, &[64, 95, 256, 1024], Sum);
    check::<u32, _>(&any, variant, &[64, 256, 1024], Max);
    check::<u32, _>(&any, variant, &[64, 256], BitOr);
    check::<u64, _>(&any, variant, &[256], Sum);
    range::careful_where_needed(&any, variant);
    flags(&any, variant, &[95, 256]);
    let other = if size == 128 { 64 } else { 2 * size };
    let other = gpu.with_told_subgroups(other, other);
    check::<f32, _>(&other, variant, &[64, 256, 1024], Sum);
    check::<i32, _>(&other, variant, &[64, 256], Max);
    check::<u64, _>(&other, variant, &[256], Sum);
}

/// Every operator, and every type of values.
fn everything(gpu: &Gpu, variant: Variant) {
    for (operator, element) in kernels::operators() {
        check_operator(gpu, variant, operator, element, &SIZES);
    }
    for item in kernels::ITEMS.into_iter().chain(kernels::LONG_ITEMS) {
        items::shuffles(gpu, variant, item, &items::SHUFFLES);
    }
    for item in kernels::ITEMS {
        items::exchanges(gpu, variant, item, &EXCHANGES);
    }
    for key in ["u32", "i32", "f32"] {
        items::sorts(gpu, variant, key, &items::SORTS);
    }
    for key in ["u64", "i64", "f64"] {
        items::sorts(gpu, variant, key, &items::WIDE_SORTS);
    }
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
    let place = sources.text("public/place.wgsl@subgroups").expect("it is there");
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
    let max = sources.text("operator/extremum.wgsl@subgroup").expect("it is there").to_owned();
    let max = max + include_str!("emulated_max.wgsl");
    let sources = sources
        .with("public/place.wgsl@subgroups", text)
        .and_then(|sources| sources.with("operator/extremum.wgsl@subgroup", max));
    let gpu = gpu.with_shaders(sources.expect("they are there")).expect("a context");
    // The text that is made for one size.
    gpu.with_told_subgroups(size, size)
}
