//! f32 sums and products in the pairwise order as it is defined: by recursion, and not by way of the library's CPU.

use crate::{
    BOTH, Case,
    device::Gpu,
    floats::{MATERIAL, Make, in_software},
    inputs::upload,
    support::data::mix,
};
use gridfold::{GpuSlice, Operator, Policy, Product, Reducer, Strategy, Sum, Variant};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "the pairwise order, lengths", lengths),
        Case::tier2("the pairwise order, every cut of few elements", every_cut),
        Case::tier1(BOTH, "the pairwise order, random cuts", |gpu, variant| {
            random_cuts(gpu, variant, 40)
        }),
        Case::tier2("the pairwise order, in software", |gpu, variant| {
            every_cut(&in_software(gpu), variant);
            random_cuts(&in_software(gpu), variant, 10);
        }),
        Case::tier2("the pairwise order, small windows", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 5;
            });
            let small = small.expect("a device with lower limits");
            small.check(|gpu| random_cuts(gpu, variant, 20)).expect("no errors");
        }),
    ]
}

/// What combines pairwise, and what becomes of it.
trait Pairwise: Default + Operator<f32, Value = f32> {
    type Total: Copy;
    fn of_one(element: f32) -> Self::Total;
    fn of_both(left: Self::Total, right: Self::Total) -> Self::Total;
    fn result(total: Option<Self::Total>) -> f32;
}

/// A run's total: of a power of two of elements.
fn run<Op: Pairwise>(elements: &[f32]) -> Op::Total {
    match *elements {
        [element] => Op::of_one(element),
        _ => {
            let (left, right) = elements.split_at(elements.len() / 2);
            Op::of_both(run::<Op>(left), run::<Op>(right))
        }
    }
}

/// S(n): the runs that the elements fall into, the longest first.
fn defined<Op: Pairwise>(elements: &[f32]) -> u32 {
    let mut total = None;
    let mut rest = elements;
    while !rest.is_empty() {
        let (longest, others) = rest.split_at(1 << rest.len().ilog2());
        let next = run::<Op>(longest);
        total = Some(total.map_or(next, |total| Op::of_both(total, next)));
        rest = others;
    }
    let result = Op::result(total);
    if result.is_nan() { 0x7fc0_0000 } else { result.to_bits() }
}

impl Pairwise for Sum {
    type Total = f32;

    fn of_one(element: f32) -> f32 {
        element
    }

    fn of_both(left: f32, right: f32) -> f32 {
        left + right
    }

    fn result(total: Option<f32>) -> f32 {
        // Not -0.
        total.unwrap_or(0.0) + 0.0
    }
}

/// A significand in [1, 2) or (-2, -1], and an exponent; or what has none.
#[derive(Clone, Copy)]
struct Scaled {
    significand: f32,
    exponent: i32,
    /// The product of elements that are 0, infinite or NaN, if there are any.
    special: f32,
}

impl Pairwise for Product {
    type Total = Scaled;

    fn of_one(element: f32) -> Scaled {
        let sign = 1f32.copysign(element);
        if element == 0.0 || !element.is_finite() {
            return Scaled { significand: sign, exponent: 0, special: element.abs() };
        }
        // Subnormal numbers are normal in f64.
        let bits = f64::from(element).to_bits();
        let exponent = i32::try_from(bits >> 52 & 0x7ff).expect("11 bits") - 1023;
        let significand = f64::from_bits(bits & !(0x7ff << 52) | 1023 << 52);
        #[expect(clippy::cast_possible_truncation, reason = "it has 24 bits")]
        let significand = significand as f32;
        Scaled { significand, exponent, special: 1.0 }
    }

    fn of_both(left: Scaled, right: Scaled) -> Scaled {
        let product = left.significand * right.significand;
        let is_large = product.abs() >= 2.0;
        Scaled {
            significand: if is_large { product / 2.0 } else { product },
            exponent: left.exponent + right.exponent + i32::from(is_large),
            special: left.special * right.special,
        }
    }

    fn result(total: Option<Scaled>) -> f32 {
        let Some(Scaled { significand, exponent, special }) = total else { return 1.0 };
        if special != 1.0 {
            return special.copysign(significand);
        }
        // Exact, and then rounded once.
        let power = 2f64.powi(exponent.clamp(-500, 500));
        #[expect(clippy::cast_possible_truncation, reason = "the one rounding")]
        let rounded = (f64::from(significand) * power) as f32;
        rounded
    }
}

fn values(make: Make, seed: u32, len: u32) -> Vec<f32> {
    (0..len).map(|i| f32::from_bits(make(mix(seed.wrapping_add(i))))).collect()
}

/// One kind of each that hardware adds as it should, and some that it may not; and what orders other than this one show in.
fn kinds() -> Vec<(&'static str, Make)> {
    let mut kinds = MATERIAL.to_vec();
    kinds.push(("1 and 2^-24", |bits| {
        f32::to_bits(if bits % 7 == 0 { 1.0 } else { 2f32.powi(-24) })
    }));
    kinds.push(("1e20", |_| 1e20f32.to_bits()));
    kinds.push(("1.1", |_| 1.1f32.to_bits()));
    kinds.push(("ordinary, few subnormal", |bits| {
        if bits.is_multiple_of(9000) { bits & 0x807f_ffff } else { 110 << 23 | bits & 0x87ff_ffff }
    }));
    kinds
}

/// Ways to the same bits: strategies, and blocks of one round and of more.
fn ways(gpu: &Gpu) -> Vec<(Strategy, Policy)> {
    let strategies = match gpu.capabilities().coherent_memory {
        true => &[Strategy::TwoPass, Strategy::SinglePass][..],
        false => &[Strategy::TwoPass],
    };
    let policies = [(4, 2048), (16, 2048), (4, 3)];
    let policies = policies.map(|(min_rows, max_workgroups)| Policy { min_rows, max_workgroups });
    strategies.iter().flat_map(|&strategy| policies.map(|policy| (strategy, policy))).collect()
}

fn expect<Op: Pairwise>(
    gpu: &Gpu,
    variant: Variant,
    (strategy, policy): (Strategy, Policy),
    slices: &[GpuSlice<f32>],
    values: &[f32],
    what: &str,
) {
    let reducer = Reducer::<f32, _>::new(&gpu.context, Op::default()).variant(variant);
    let reducer = reducer.strategy(strategy).policy(policy);
    let found = reducer.reduce_blocking(slices).expect("reduces");
    let expected = defined::<Op>(values);
    assert_eq!(
        found.to_bits(),
        expected,
        "{} of {} {what}: {found:?}, expected {:?}; {}",
        Op::SPEC.operator,
        values.len(),
        f32::from_bits(expected),
        reducer.plan(slices).expect("plans").explain(),
    );
}

/// All that are short, and those around powers of two.
fn lengths(gpu: &Gpu, variant: Variant) {
    let around = (7..=17).flat_map(|log2| [(1 << log2) - 1, 1 << log2, (1 << log2) + 1]);
    let lengths: Vec<u32> = (0..=70).chain(around).collect();
    let ways = ways(gpu);
    for (number, (what, make)) in kinds().into_iter().enumerate() {
        let values = values(make, 1 << 20, 1 << 17 | 1);
        let whole = upload(gpu, &values);
        // Of each length four kinds.
        let is_its_turn = |len: u32| (len as usize + number).is_multiple_of(4);
        for &len in lengths.iter().filter(|&&len| is_its_turn(len)) {
            let way = ways[(number + len as usize / 4) % ways.len()];
            let slice = [whole.slice(0..len.into()).expect("within")];
            expect::<Sum>(gpu, variant, way, &slice, &values[..len as usize], what);
            if number % 3 == 0 {
                expect::<Product>(gpu, variant, way, &slice, &values[..len as usize], what);
            }
        }
    }
}

/// In two slices: every cut that there is, and around those of rows and rounds.
fn every_cut(gpu: &Gpu, variant: Variant) {
    const LEN: u32 = 70;
    const LONG: u32 = 4096 + 70;
    let way = ways(gpu)[0];
    for (number, (what, make)) in kinds().into_iter().enumerate() {
        for len in [LEN, LONG] {
            let values = values(make, len, len);
            let whole = upload(gpu, &values);
            let around = [1024, 2048, 3072, 4096].into_iter().flat_map(|at| at - 5..at + 6);
            let cuts = (0..=LEN).chain(around).filter(|&cut| cut <= len);
            // Each of some kinds.
            let is_its_turn = |cut: u32| (cut as usize + number).is_multiple_of(5);
            for cut in cuts.filter(|&cut| is_its_turn(cut)) {
                let slices = [0..cut, cut..len];
                let slices = slices
                    .map(|part| whole.slice(part.start.into()..part.end.into()).expect("within"));
                let what = format!("{what}, cut at {cut}");
                expect::<Sum>(gpu, variant, way, &slices, &values, &what);
                if number == 0 || number == 9 {
                    expect::<Product>(gpu, variant, way, &slices, &values, &what);
                }
            }
        }
    }
}

/// Up to six slices, of any lengths, from anywhere on.
fn random_cuts(gpu: &Gpu, variant: Variant, rounds: u32) {
    let kinds = kinds();
    let ways = ways(gpu);
    for round in 0..rounds {
        let random = |number: u32| mix(1000 * round + number);
        let (what, make) = kinds[round as usize % kinds.len()];
        // Of all magnitudes.
        let len = random(0) % (1 << (6 + random(1) % 12)) + 1;
        let offset = random(2) % 9;
        let values = values(make, random(3), offset + len);
        let whole = upload(gpu, &values);
        let mut cuts: Vec<u32> = (0..random(4) % 6).map(|i| random(10 + i) % (len + 1)).collect();
        // Some where blocks begin.
        if random(5).is_multiple_of(2) {
            cuts.iter_mut().for_each(|cut| *cut = *cut / 4096 * 4096);
        }
        cuts.extend([0, len]);
        cuts.sort_unstable();
        let slices: Vec<_> = cuts
            .windows(2)
            .map(|ends| {
                let [begin, end] = [ends[0], ends[1]].map(|end| u64::from(offset + end));
                whole.slice(begin..end).expect("within")
            })
            .collect();
        let values = &values[offset as usize..];
        let what = format!("{what}, from {offset} on, cut at {cuts:?}");
        let way = ways[random(6) as usize % ways.len()];
        expect::<Sum>(gpu, variant, way, &slices, values, &what);
        expect::<Product>(gpu, variant, way, &slices, values, &what);
    }
}
