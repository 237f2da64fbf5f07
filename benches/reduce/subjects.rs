//! What is measured: sums by length, everything else at a few lengths, and values until they are on the host.

use crate::{
    about::Measurement,
    bench::{Bench, Record, Subject},
};
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, measurement::WallTime};
use gridfold::{
    ArgMax, ArgMin, BitXor, Bool, Count, Dot, Element, Error, Executor, Max, MaxAbs, Mean,
    Mechanism, Min, MinMax, Nan, Norm, Operator, OperatorType, Plan, Precision, PrepareError,
    Prepared, Product, Reducer, Strategy, Sum, SumWide, Variance, Variant,
    half::{bf16, f16},
};
use std::{cell::RefCell, collections::HashMap, hint::black_box};

type Outcome<R = ()> = Result<R, Box<dyn std::error::Error>>;

const STRATEGIES: [Strategy; 4] =
    [Strategy::TwoPass, Strategy::SinglePass, Strategy::WorkgroupAtomic, Strategy::SubgroupAtomic];
const VARIANTS: [(Variant, Mechanism); 2] = [
    (Variant::Subgroup, Mechanism::Subgroup),
    (Variant::WorkgroupMemory, Mechanism::WorkgroupMemory),
];
/// Up to this length the CPU checks what it has not reduced before.
const CHECKED_LEN: u64 = 1 << 12;
/// What unordered results may differ from the CPU's by, as a share: rounding errors of elements near 1.
const TOLERANCE: f32 = 1e-3;

/// Sums at every length: by strategy, precision and variant.
pub fn lengths(bench: &Bench<'_>, criterion: &mut Criterion) -> Outcome {
    let most = if bench.is_gpu() { 28 } else { 22 };
    let logs = || (10..=most).filter(|&log2_len| log2_len % 2 == 0 || log2_len == 25);
    let mut group = bench.group(criterion, "f32 sum");
    let f32_sum = Reducer::<f32, _>::new(bench.context(), Sum);
    let expected = Expected::default();
    let mut reducers = vec![
        (String::from("reproducible"), f32_sum.clone()),
        (
            String::from("reproducible, without subgroups"),
            f32_sum.clone().variant(Variant::WorkgroupMemory),
        ),
        (String::from("exact"), f32_sum.clone().precision(Precision::Exact)),
    ];
    for precision in [Precision::Reproducible, Precision::Unordered] {
        for strategy in STRATEGIES {
            let reducer = f32_sum.clone().precision(precision).strategy(strategy);
            if possible(reducer.plan(bench.input(1 << 10, 0)))?.is_some() {
                reducers.push((format!("{precision}, {}", strategy.name()), reducer));
            }
        }
    }
    for log2_len in logs() {
        for (name, reducer) in &reducers {
            one(bench, &mut group, "f32 sum", name, (reducer, Sum), log2_len, &expected)?;
        }
    }
    group.finish();

    let mut group = bench.group(criterion, "u32 sum");
    let u32_sum = Reducer::<u32, _>::new(bench.context(), Sum);
    let expected = Expected::default();
    let mut reducers = vec![(String::from("auto"), u32_sum.clone())];
    for strategy in STRATEGIES {
        let reducer = u32_sum.clone().strategy(strategy);
        if possible(reducer.plan(bench.input(1 << 10, 0)))?.is_some() {
            reducers.push((strategy.name().into(), reducer));
        }
    }
    for log2_len in logs() {
        for (name, reducer) in &reducers {
            one(bench, &mut group, "u32 sum", name, (reducer, Sum), log2_len, &expected)?;
        }
    }
    group.finish();
    Ok(())
}

/// An operator and an element type of each kind that has kernels or parts of its own, with every precision, strategy and variant, at a
/// few lengths.
pub fn operators(bench: &Bench<'_>, criterion: &mut Criterion) -> Outcome {
    macro_rules! each {
        ($($element:ty: $($operator:expr),*;)*) => {
            $($(operator::<$element, _>(bench, criterion, $operator)?;)*)*
        };
    }
    each! {
        f32: Sum, Product, Min, MaxAbs, MinMax, ArgMin, Count, Sum.nan(Nan::Ignore), Mean, Norm, Variance;
        f64: Sum, Max, Mean;
        u32: Sum, Max, BitXor, SumWide;
        i32: Product, ArgMax;
        u64: Sum;
        u8: Max;
        i16: Max;
        f16: Sum;
        bf16: Sum;
        Bool: Count;
    }
    dot(bench, criterion)
}

fn operators_logs(bench: &Bench<'_>) -> &'static [u32] {
    // Without `--bench` nothing is measured: each is asked once, as a test.
    let is_measured = std::env::args().any(|argument| argument == "--bench");
    match (is_measured, bench.is_gpu()) {
        (false, _) => &[16],
        (true, true) => &[20, 26],
        (true, false) => &[12, 16, 20],
    }
}

fn operator<T: Element, Op: Operator<T> + Copy>(
    bench: &Bench<'_>,
    criterion: &mut Criterion,
    op: Op,
) -> Outcome {
    let group_name = format!("{} {}, all", T::TYPE, op.spec().operator);
    let mut group = bench.group(criterion, &group_name);
    let expected = Expected::default();
    for precision in Precision::ALL {
        // Others promise the same as one that is measured.
        if precision.kept_by(op.spec().operator, T::TYPE) != Some(precision) {
            continue;
        }
        for strategy in STRATEGIES {
            for (variant, mechanism) in VARIANTS {
                let reducer = Reducer::<T, _>::new(bench.context(), op)
                    .precision(precision)
                    .strategy(strategy)
                    .variant(variant);
                let plan = reducer.plan(bench.input(1 << 10, 0));
                // Some have but one mechanism, whatever is asked for.
                if possible(plan)?.is_some_and(|plan| plan.mechanism == mechanism) {
                    let name = format!("{precision}, {}, {mechanism}", strategy.name());
                    for &log2_len in operators_logs(bench) {
                        one(
                            bench,
                            &mut group,
                            &group_name,
                            &name,
                            (&reducer, op),
                            log2_len,
                            &expected,
                        )?;
                    }
                }
            }
        }
    }
    group.finish();
    Ok(())
}

fn dot(bench: &Bench<'_>, criterion: &mut Criterion) -> Outcome {
    const GROUP: &str = "f32 dot, all";
    let mut group = bench.group(criterion, GROUP);
    let expected = Expected::default();
    let reducer = Reducer::<(f32, f32), _>::new(bench.context(), Dot);
    for &log2_len in operators_logs(bench) {
        let len = 1 << log2_len;
        // Each second input is a right one.
        let input = |index, part| bench.input::<f32>(len, 2 * index + part);
        let host_input = |index, part| bench.host_input::<f32>(len, 2 * index + part);
        let plan = reducer.plan((input(0, 0), input(0, 1)))?;
        let name = format!("{}, {}, {}", plan.precision, plan.strategy.name(), plan.mechanism);
        let subject = Subject {
            prepare: Box::new(|index, output| {
                Ok(record(reducer.prepare((input(index, 0), input(index, 1)), &output.of()?)?))
            }),
            check: Box::new(|index, words| {
                expected.compare(plan.precision, len, index, words, |index| {
                    let dot = Executor::cpu().dot(host_input(index, 0), host_input(index, 1))?;
                    Ok(vec![dot.to_bits()])
                })
            }),
        };
        let of = Measurement {
            operator: "dot",
            element: plan.element.name(),
            precision: plan.precision.name(),
            strategy: plan.strategy.name(),
            variant: plan.mechanism.to_string(),
            log2_len,
            bytes: 2 * len * plan.element.size_bytes(),
            clock: bench.clock(),
        };
        bench.device_time(&mut group, GROUP, &name, &of, &subject);
    }
    group.finish();
    Ok(())
}

/// One reducer at one length, by the device's clock.
fn one<T: Element, Op: Operator<T> + Copy>(
    bench: &Bench<'_>,
    group: &mut BenchmarkGroup<'_, WallTime>,
    group_name: &str,
    name: &str,
    (reducer, op): (&Reducer<T, Op>, Op),
    log2_len: u32,
    expected: &Expected,
) -> Outcome {
    let len = 1 << log2_len;
    let plan = reducer.plan(bench.input(len, 0))?;
    let precision = plan.precision;
    let subject = Subject {
        prepare: Box::new(move |index, output| {
            Ok(record(reducer.prepare(bench.input(len, index), &output.of()?)?))
        }),
        check: Box::new(|index, words| {
            expected.compare(precision, len, index, words, |index| {
                let executor = Executor::cpu().precision(precision);
                let value = executor.reduce(bench.host_input(len, index), op)?.value;
                let out = Op::out(value).ok_or("there are elements")?;
                Ok(bytemuck::pod_collect_to_vec(bytemuck::bytes_of(&out)))
            })
        }),
    };
    let of = Measurement {
        operator: op.spec().operator.name(),
        element: T::TYPE.name(),
        precision: precision.name(),
        strategy: plan.strategy.name(),
        variant: plan.mechanism.to_string(),
        log2_len,
        bytes: len * T::TYPE.size_bytes(),
        clock: bench.clock(),
    };
    bench.device_time(group, group_name, name, &of, &subject);
    Ok(())
}

fn record<R: 'static>(prepared: Prepared<R>) -> Record {
    Box::new(move |encoder, timestamp_writes| match timestamp_writes {
        Some(writes) => prepared.record_timed(encoder, writes),
        None => prepared.record(encoder),
    })
}

/// The plan, if there is such a one on this device: to be refused for another reason is an error.
fn possible(plan: Result<Plan, PrepareError>) -> Outcome<Option<Plan>> {
    match plan {
        Ok(plan) => Ok(Some(plan)),
        Err(
            PrepareError::StrategyUnfit { .. }
            | PrepareError::Contradiction { .. }
            | PrepareError::NoCoherentMemory
            | PrepareError::NoSubgroups,
        ) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What the CPU makes of inputs.
#[derive(Default)]
struct Expected(RefCell<HashMap<(Precision, u64, u64), Vec<u32>>>);

impl Expected {
    /// Compares a result with the CPU's, if that is known or soon made.
    fn compare(
        &self,
        precision: Precision,
        len: u64,
        index: u64,
        words: &[u32],
        make: impl Fn(u64) -> Outcome<Vec<u32>>,
    ) -> Outcome {
        let key = (precision, len, index);
        let known = self.0.borrow().get(&key).cloned();
        let expected = match known {
            Some(expected) => expected,
            // Some of the others.
            None if index == 0 || (len <= CHECKED_LEN && index.is_multiple_of(16)) => {
                let expected = make(index)?;
                self.0.borrow_mut().insert(key, expected.clone());
                expected
            }
            None => return Ok(()),
        };
        let words = &words[..expected.len()];
        let is_right = if precision == Precision::Unordered {
            let [value, expected] = [words[0], expected[0]].map(f32::from_bits);
            (value - expected).abs() <= expected.abs() * TOLERANCE
        } else {
            words == expected
        };
        if is_right {
            return Ok(());
        }
        Err(format!(
            "input {index} of {len} elements: the result is {words:#x?}, not {expected:#x?}"
        )
        .into())
    }
}

/// Until a value is on the host, by the wall clock, from the call on.
pub fn values(bench: &Bench<'_>, criterion: &mut Criterion) -> Outcome {
    const GROUP: &str = "value on the host";
    let most = if bench.is_gpu() { 28 } else { 22 };
    let context = bench.context();
    let f32_sum = Reducer::<f32, _>::new(context, Sum);
    let exact = f32_sum.clone().precision(Precision::Exact);
    let u32_sum = Reducer::<u32, _>::new(context, Sum);
    let cpu = Executor::cpu();
    let mut group = bench.group(criterion, GROUP);
    for log2_len in (10..=most).step_by(2) {
        let len = 1 << log2_len;
        type Call<'a> = &'a dyn Fn(u64) -> Result<f64, Error>;
        let calls: [(&str, &str, Precision, Call<'_>); 4] = [
            ("f32 sum, reproducible", "f32", Precision::Reproducible, &|index| {
                Ok(f32_sum.reduce_blocking(bench.input(len, index))?.into())
            }),
            ("f32 sum, exact", "f32", Precision::Exact, &|index| {
                Ok(exact.reduce_blocking(bench.input(len, index))?.into())
            }),
            ("u32 sum", "u32", Precision::Exact, &|index| {
                Ok(u32_sum.reduce_blocking(bench.input(len, index))?.into())
            }),
            ("f32 sum, by the CPU from its memory", "f32", Precision::Reproducible, &|index| {
                Ok(cpu.sum(bench.host_input::<f32>(len, index))?.into())
            }),
        ];
        for (name, element, precision, call) in calls {
            let of = Measurement {
                operator: OperatorType::Sum.name(),
                element,
                precision: precision.name(),
                strategy: Strategy::Auto.name(),
                variant: Variant::Auto.name().into(),
                log2_len,
                bytes: len * 4,
                clock: "wall",
            };
            bench.about().add(GROUP, name, &of);
            let executor = Executor::cpu().precision(precision);
            let expected: f64 = match element {
                "u32" => executor.sum(bench.host_input::<u32>(len, 0))?.into(),
                _ => executor.sum(bench.host_input::<f32>(len, 0))?.into(),
            };
            let value = call(0)?;
            if value.to_bits() != expected.to_bits() {
                return Err(format!("{name} of {len} elements: {value}, not {expected}").into());
            }
            group.throughput(Throughput::Bytes(of.bytes));
            let mut index = 0;
            group.bench_function(BenchmarkId::new(name, format!("2^{log2_len}")), |bencher| {
                bench.keep_busy();
                bencher.iter(|| {
                    index += 1;
                    black_box(call(index).expect("it was possible before"))
                });
            });
        }
    }
    group.finish();
    Ok(())
}
