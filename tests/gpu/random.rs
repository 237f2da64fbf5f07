//! Properties, over random inputs.

use crate::{
    Case, atomics,
    device::Gpu,
    float_check::FloatCase,
    inputs::{expect, upload},
    support::Element,
};
use gridfold::{GpuSlice, Operator, Variant};
use proptest::{collection::vec, prelude::*, test_runner::TestRunner};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for_every_operator!(add_property(&mut cases));
    cases.push(Case::tier2("f32 results, random bytes, against big integers", floats));
    cases
}

fn add_property<T: Element, Op: Operator<T> + Copy>(cases: &mut Vec<Case>, op: Op) {
    let name = format!("{} {}, random values, cuts and slices", op.spec().operator, T::TYPE);
    cases.push(Case::tier2(name, move |gpu, variant| {
        for_random_cuts::<T>(&|values, cuts| holds::<T, _>(gpu, variant, values, cuts, op));
    }));
}

/// Compiled once for each type, and not for each operator.
fn for_random_cuts<T: Element>(holds: &dyn Fn(&[T], &[prop::sample::Index])) {
    let values = vec(any::<u32>().prop_map(T::from_random), 0..9000);
    runner(24)
        .run(&(values, vec(any::<prop::sample::Index>(), 0..4)), |(values, cuts)| {
            holds(&values, &cuts);
            Ok(())
        })
        .expect("the property holds");
}

/// With a fixed seed: a failure is the same tomorrow. Fuzzing is another program's work.
fn runner(cases: u32) -> TestRunner {
    TestRunner::new_with_rng(
        ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() },
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    )
}

/// What the fuzz target `floats` does.
fn floats(gpu: &Gpu, variant: Variant) {
    runner(30)
        .run(&vec(any::<u8>(), 17..300), |bytes| {
            let case = FloatCase::from_bytes(&bytes).expect("long enough");
            case.check(Some((&gpu.context, variant)));
            Ok(())
        })
        .expect("they agree");
}

fn holds<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    values: &[T],
    cuts: &[prop::sample::Index],
    op: Op,
) {
    // One buffer, in which the values lie in slices one after another.
    let mut filled = vec![T::filler()];
    filled.extend(values);
    let whole = upload(gpu, &filled);
    let mut bounds: Vec<u64> = cuts.iter().map(|cut| cut.index(values.len() + 1) as u64).collect();
    bounds.extend([0, values.len() as u64]);
    bounds.sort_unstable();
    let slices: Vec<GpuSlice<T>> = bounds
        .windows(2)
        .map(|bounds| whole.slice(1 + bounds[0]..1 + bounds[1]).expect("within"))
        .collect();
    expect::<T, _>(gpu, variant, &slices, values, &format!("slices at {bounds:?}"), op);

    if op.spec().order_free {
        atomics::expect::<T, _>(gpu, variant, &*slices, values, op);
    }
}
