//! What each level of precision promises, and what is refused because it would not be kept.

use crate::{
    BOTH, Case,
    atomics::{has_atomic, strategies},
    device::Gpu,
    inputs::upload,
    support::{Element, data::mix, elements, same_bits},
};
use gridfold::{
    ElementType, Error, Executor, Operator, OperatorType, Policy, Precision, PrepareError, Product,
    Reducer, Strategy, Sum, Variant, exact,
};

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::tier1(BOTH, "precision, exact sums in any order", any_order),
        // All variants at once.
        Case::tier1(BOTH, "precision, reproducible in any way", any_way)
            .only(Variant::WorkgroupMemory),
        Case::tier1(BOTH, "precision, strategies that lose the order", lost_order),
        Case::tier1(BOTH, "precision, strategies of exact sums", exact_strategies),
        Case::tier1(BOTH, "precision, there are no exact products of f32", exact_products),
        Case::tier1(BOTH, "precision, executors and arrays", executors)
            .only(Variant::WorkgroupMemory),
    ];
    for_every_order_free_operator!(add_order_free(&mut cases));
    cases
}

fn reducer<T: Element, Op: Operator<T>>(
    gpu: &Gpu,
    variant: Variant,
    precision: Precision,
    op: Op,
) -> Reducer<T, Op> {
    Reducer::new(&gpu.context, op).variant(variant).precision(precision)
}

/// Every element twice, of opposite signs, over 60 binades, and one besides: almost all of a sum cancels.
fn cancelling() -> Vec<f32> {
    let mut values: Vec<f32> = (0..20_000)
        .map(mix)
        .map(|bits| f32::from_bits((bits & 0x007f_ffff) | ((97 + (bits >> 23) % 60) << 23)))
        .flat_map(|x| [x, -x])
        .collect();
    values.push(1.234_567_8);
    values
}

fn shuffled(values: &[f32], seed: u32) -> Vec<f32> {
    let mut numbered: Vec<(u32, f32)> =
        (seed..).map(|number| mix(number.wrapping_mul(0x9e37_79b1))).zip(values.to_vec()).collect();
    numbered.sort_by_key(|&(key, _)| key);
    numbered.into_iter().map(|(_, value)| value).collect()
}

/// Pairs from 1 to 2 and from ½ to 1, whose product is near 1 however many there are.
fn reciprocals() -> Vec<f32> {
    let from_one_to_two = |number| f32::from_bits(0x3f80_0000 | (mix(number) >> 9));
    (0..15_000).map(from_one_to_two).flat_map(|x| [x, x.recip()]).collect()
}

fn any_order(gpu: &Gpu, variant: Variant) {
    let values = cancelling();
    let expected = 1.234_567_8f32.to_bits();
    assert_eq!(exact::sum(&values).to_f32().to_bits(), expected);
    let exact = reducer::<f32, _>(gpu, variant, Precision::Exact, Sum);
    let reproducible = reducer::<f32, _>(gpu, variant, Precision::Reproducible, Sum);
    let mut rounded = Vec::new();
    for seed in [1, 100_000, 200_000] {
        let values = shuffled(&values, seed);
        let input = upload(gpu, &values);
        let sum = exact.reduce_blocking(&input).expect("reduces");
        assert_eq!(sum.to_bits(), expected, "{sum} in order {seed}");
        let sum = reproducible.reduce_blocking(&input).expect("reduces");
        let on_cpu = Executor::cpu().sum(&values).expect("the CPU can't fail");
        assert_eq!(sum.to_bits(), on_cpu.to_bits(), "{sum} in order {seed}");
        rounded.push(sum.to_bits());
    }
    // The orders do differ.
    rounded.sort_unstable();
    rounded.dedup();
    assert_eq!(rounded.len(), 3, "{rounded:x?}");
}

fn any_way(gpu: &Gpu, _: Variant) {
    fn check<Op: Operator<f32> + Copy>(gpu: &Gpu, values: &[f32], op: Op) {
        let expected = Executor::cpu().reduce(values, op).expect("the CPU can't fail").value;
        let mut rotated = values.to_vec();
        rotated.rotate_left(1);
        let other = Executor::cpu().reduce(&rotated, op).expect("the CPU can't fail");
        assert_ne!(other.value, expected, "these show no order");
        let input = upload(gpu, values);
        for variant in gpu.variants() {
            for (min_rows, max_workgroups) in [(4, 2048), (4, 1), (64, 3)] {
                let reducer = reducer::<f32, _>(gpu, variant, Precision::Reproducible, op)
                    .policy(Policy { min_rows, max_workgroups });
                let value = reducer.reduce_blocking(&input).expect("reduces");
                assert!(
                    same_bits(Op::out(value), Op::out(expected)),
                    "{} by {variant:?}, {min_rows} rows at least: {value:?}, expected {expected:?}",
                    op.spec().operator,
                );
                let plan = reducer.plan(&input).expect("plans");
                assert_eq!(plan.precision, Precision::Reproducible);
            }
        }
    }
    check(gpu, &cancelling(), Sum);
    check(gpu, &reciprocals(), Product);
    let plan = Reducer::<f32, _>::new(&gpu.context, Sum).plan(upload(gpu, &[1.0])).expect("plans");
    assert_eq!(plan.precision, Precision::Reproducible, "the default");
}

/// Operators whose results every order gives: at every level they are the CPU's, by any strategy.
fn add_order_free<T: Element, Op: Operator<T> + Copy>(cases: &mut Vec<Case>, op: Op) {
    cases.push(Case::tier2(
        format!("precision, every level of {} {}", op.spec().operator, T::TYPE),
        move |gpu, variant| {
            let values = elements::<T>(30_001);
            let expected = Executor::cpu().reduce(&values, op).expect("the CPU can't fail");
            let input = upload(gpu, &values);
            for precision in Precision::ALL {
                let on_cpu = Executor::cpu().precision(precision).reduce(&values, op);
                assert_eq!(on_cpu.expect("every level").value, expected.value);
                let mut all = vec![Strategy::Auto, Strategy::TwoPass];
                if has_atomic::<T, _>(op) {
                    all.extend(strategies(variant));
                }
                for strategy in all {
                    let reducer = reducer::<T, _>(gpu, variant, precision, op).strategy(strategy);
                    let value = reducer.reduce_blocking(&input).expect("reduces");
                    assert!(
                        same_bits(Op::out(value), Op::out(expected.value)),
                        "{precision} by {strategy:?}: {value:?}, expected {:?}",
                        expected.value,
                    );
                    let plan = reducer.plan(&input).expect("plans");
                    assert_eq!(plan.precision, Precision::Exact, "{plan}");
                }
            }
        },
    ));
}

#[track_caller]
fn assert_unfit<V: std::fmt::Debug>(
    result: Result<V, Error>,
    asked_strategy: Strategy,
    asked_precision: Precision,
) {
    match result.expect_err("refused") {
        Error::Prepare(PrepareError::StrategyUnfit { strategy, precision, .. }) => {
            assert_eq!((strategy, precision), (asked_strategy, asked_precision));
        }
        error => panic!("{error}"),
    }
}

fn lost_order(gpu: &Gpu, variant: Variant) {
    // Sums of these are exact in any order.
    let values: Vec<f32> = (0..9000).map(|i| if mix(i) & 1 == 0 { 1.0 } else { -1.0 }).collect();
    let expected = Executor::cpu().sum(&values).expect("the CPU can't fail");
    let input = upload(gpu, &values);
    for strategy in strategies(variant) {
        let reducer =
            |precision| reducer::<f32, _>(gpu, variant, precision, Sum).strategy(strategy);
        let refused = reducer(Precision::Reproducible).reduce_blocking(&input);
        assert_unfit(refused, strategy, Precision::Reproducible);
        let unordered = reducer(Precision::Unordered);
        let value = unordered.reduce_blocking(&input).expect("accepted");
        assert_eq!(value.to_bits(), expected.to_bits());
        let plan = unordered.plan(&input).expect("plans");
        assert_eq!((plan.precision, plan.strategy), (Precision::Unordered, strategy));
    }
}

fn exact_strategies(gpu: &Gpu, variant: Variant) {
    let values = cancelling();
    let expected = exact::sum(&values).to_f32().to_bits();
    let input = upload(gpu, &values);
    let sum = |strategy| {
        let sum = reducer::<f32, _>(gpu, variant, Precision::Exact, Sum).strategy(strategy);
        sum.reduce_blocking(&input)
    };
    for strategy in [Strategy::Auto, Strategy::WorkgroupAtomic] {
        assert_eq!(sum(strategy).expect("reduces").to_bits(), expected, "{strategy:?}");
    }
    assert_unfit(sum(Strategy::TwoPass), Strategy::TwoPass, Precision::Exact);
    if variant == Variant::Subgroup {
        let strategy = Strategy::SubgroupAtomic;
        assert_unfit(sum(strategy), strategy, Precision::Exact);
    }
}

fn exact_products(gpu: &Gpu, variant: Variant) {
    let values = elements::<f32>(5000);
    let input = upload(gpu, &values);
    let product = reducer::<f32, _>(gpu, variant, Precision::Exact, Product);
    assert_imprecise(product.reduce_blocking(&input));
    for executor in [Executor::cpu(), Executor::from_context(gpu.context.clone())] {
        let executor = executor.precision(Precision::Exact);
        assert_imprecise(executor.product(&values));
    }
}

#[track_caller]
fn assert_imprecise(result: Result<f32, Error>) {
    match result.expect_err("refused") {
        Error::Prepare(PrepareError::Imprecise { operator, element, precision }) => assert_eq!(
            (operator, element, precision),
            (OperatorType::Product, ElementType::F32, Precision::Exact)
        ),
        error => panic!("{error}"),
    }
}

/// One-liners, uploaded arrays, their slices: on a GPU as on the CPU.
fn executors(gpu: &Gpu, _: Variant) {
    let values = [1e30f32, 1.0, -1e30];
    for executor in [Executor::cpu(), Executor::from_context(gpu.context.clone())] {
        let exact = executor.clone().precision(Precision::Exact);
        assert_eq!(executor.sum(&values).expect("reduces"), 0.0);
        assert_eq!(exact.sum(&values).expect("reduces"), 1.0);
        let reduction = exact.reduce(&values, Sum).expect("reduces");
        assert_eq!(reduction.value, 1.0);
        assert!(reduction.plan.contains("exact"), "{}", reduction.plan);
        assert!(reduction.explanation.contains("without rounding"), "{}", reduction.explanation);

        let array = exact.upload(&values).expect("uploads");
        assert_eq!(array.sum().expect("reduces"), 1.0);
        assert_eq!(array.reduce(Sum).expect("reduces").value, 1.0);
        assert_eq!(array.slice(0..3).expect("within").sum().expect("reduces"), 1.0);
        let array = array.precision(Precision::Reproducible);
        assert_eq!(array.sum().expect("reduces"), 0.0);
        assert_eq!(array.precision(Precision::Exact).sum().expect("reduces"), 1.0);
    }
}
