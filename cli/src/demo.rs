//! `gridfold demo`: primitives on every adapter, or every operator, compared with the CPU to the bit.

mod primitives;

use crate::{
    Outcome,
    adapters::{device_type, no_adapter},
    error::{Error, sentence},
    operators::{Answer, Reduced},
    progress::Steps,
    stdout,
};
use comfy_table::{CellAlignment, Table, presets};
use gridfold::{
    Array, DynOperator, ElementType, Executor, ListedAdapter, OperatorSpec, OperatorType,
    Precision, PrepareError, selector, wgpu::DeviceType,
};
use rayon::prelude::*;
use std::{
    collections::HashMap,
    io::{self, Write},
    time::{Duration, Instant},
};

/// Elements that a GPU reduces: 64 MiB of words, more than most GPUs' caches hold. The CPU reduces as many, to compare.
const GPU_LEN: usize = 1 << 24;
/// Elements that the CPU and drivers in software reduce.
const CPU_LEN: usize = 1 << 20;
/// Reductions that are timed, after one that is not: that one makes the pipelines.
const TIMED_RUNS: usize = 5;

/// Where the demonstration runs.
struct Place {
    executor: Executor,
    len: usize,
}

/// A reduction at a place.
struct Row {
    place: usize,
    operator: OperatorType,
    element: ElementType,
    precision: Precision,
    len: usize,
    outcome: Result<Measured, String>,
}

/// A result, whether it is the CPU's, and how fast it came.
struct Measured {
    reduced: Reduced,
    /// What the CPU has, if that is different.
    expected_instead: Option<Option<Answer>>,
    time: Duration,
    is_device_time: bool,
}

/// Every operator of every type if `all`, else each primitive once; on all adapters, or on the one that is asked for.
pub fn run(adapter: Option<&str>, all: bool) -> Outcome {
    let listed = listed(adapter)?;
    if !all {
        return primitives::run(&listed, adapter.is_some());
    }
    let mut stdout = stdout();
    let places = places(&listed, adapter.is_some(), &mut stdout)?;
    let rows = rows(&places, &operators());
    for (index, place) in places.iter().enumerate() {
        writeln!(stdout, "\n{}", place.executor.name())?;
        let rows = rows.iter().filter(|row| row.place == index);
        for line in table(rows).lines() {
            writeln!(stdout, "{}", line.trim_end())?;
        }
    }
    writeln!(
        stdout,
        "\nTimes are the best of {TIMED_RUNS}, on the device; those marked ~ were taken on the host.\n\
         A plan is so many blocks of so many elements: `gridfold reduce FILE --op sum --explain` says more."
    )?;
    let wrong = rows.iter().filter(|row| !row.is_right()).count();
    conclude(wrong, rows.len(), places.len() > 1, &mut stdout)
}

/// Says whether the results agree.
fn conclude(wrong: usize, all: usize, has_gpus: bool, out: &mut impl Write) -> Outcome {
    if wrong > 0 {
        writeln!(out, "{wrong} of {all} results are missing or differ from the CPU's.")?;
        out.flush()?;
        return Err(Error::Disagreement { wrong, all });
    }
    if has_gpus {
        writeln!(out, "All {all} results agree with the CPU's to the bit.")?;
    } else {
        writeln!(out, "All {all} results are the CPU's own: there is no adapter to compare.")?;
    }
    Ok(out.flush()?)
}

/// The adapters to show, with their indices: all of them, or the one that is asked for, or none for the CPU.
fn listed(adapter: Option<&str>) -> Result<Vec<(usize, ListedAdapter)>, Error> {
    let is_cpu = adapter.is_some_and(|selector| selector.trim().eq_ignore_ascii_case("cpu"));
    if is_cpu {
        return Ok(Vec::new());
    }
    let mut all: Vec<_> = Executor::adapters().into_iter().enumerate().collect();
    let Some(selector) = adapter else { return Ok(all) };
    let names: Vec<_> = all.iter().map(|(_, listed)| listed.name().clone()).collect();
    let index = selector::select(&names, selector).map_err(gridfold::Error::from)?;
    Ok(vec![all.swap_remove(index)])
}

/// Lists the adapters, and opens those that can be used. The CPU comes first.
fn places(
    listed: &[(usize, ListedAdapter)],
    is_chosen: bool,
    out: &mut impl Write,
) -> io::Result<Vec<Place>> {
    let mut places = vec![Place { executor: Executor::cpu(), len: CPU_LEN }];
    writeln!(out, "Adapters:")?;
    for (index, listed) in listed {
        write!(out, "{index}: {} ({})", listed.name(), device_type(listed))?;
        match listed.open() {
            Ok(executor) => {
                writeln!(out)?;
                places.push(Place { executor, len: len_for(listed) });
            }
            Err(error) => writeln!(out, ", skipped: {}", sentence(&error))?,
        }
    }
    if places.len() == 1 && !is_chosen {
        writeln!(out, "none\n{}", no_adapter())?;
    }
    out.flush()?;
    Ok(places)
}

fn len_for(listed: &ListedAdapter) -> usize {
    match listed.adapter().get_info().device_type {
        DeviceType::Cpu => CPU_LEN,
        _ => GPU_LEN,
    }
}

fn rows(places: &[Place], operators: &[DynOperator]) -> Vec<Row> {
    let reductions: usize = operators.iter().map(|operator| levels(operator.spec()).len()).sum();
    let all = places.len() * reductions;
    let steps = Steps::new(&format!("{all} reductions"));
    let mut rows = Vec::new();
    // One type after the other, so that the data of only one is in memory.
    for (element, seed) in ElementType::ALL.into_iter().zip(1..) {
        let of_type: Vec<_> =
            operators.iter().copied().filter(|by| by.spec().element == element).collect();
        if of_type.is_empty() {
            continue;
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let show = |done, kind: &str| steps.show(done, all, kind);
        demonstrate(places, show, &mut rows, &of_type, |words| match element {
            ElementType::F32 => floats(words, &mut random),
            ElementType::F64 => doubles(words, &mut random),
            _ => integers(words, &mut random).collect(),
        });
    }
    steps.finish();
    rows
}

/// Those of one input.
fn operators() -> Vec<DynOperator> {
    let is_shown = |spec: &OperatorSpec| spec.inputs == 1 && is_shown(spec.element);
    DynOperator::all().filter(|operator| is_shown(operator.spec())).collect()
}

/// Narrow elements are reduced as the words that they are widened to, components as numbers alone.
fn is_shown(element: ElementType) -> bool {
    element.size_bytes() >= 4 && !element.is_vector() && element != ElementType::Bits
}

/// The levels at which an operator is shown: reproducible, and exact where that is another result.
fn levels(spec: &OperatorSpec) -> Vec<Precision> {
    let levels = [Precision::Reproducible, Precision::Exact];
    let mut kept: Vec<_> =
        levels.into_iter().filter_map(|level| level.kept_by(spec.operator, spec.element)).collect();
    kept.dedup();
    kept
}

/// Pairs of ±x and ±1/x from ½ to 2, so that the product keeps near ±1 however many there are.
fn floats(len: usize, random: &mut fastrand::Rng) -> Vec<u32> {
    let mut values = Vec::with_capacity(len + 1);
    while values.len() < len {
        let x = (random.f32() + 1.0) * if random.bool() { 1.0 } else { -1.0 };
        values.extend([x, 1.0 / x].map(f32::to_bits));
    }
    values.truncate(len);
    values
}

/// The words of such pairs of `f64`s.
fn doubles(words: usize, random: &mut fastrand::Rng) -> Vec<u32> {
    let mut values = Vec::with_capacity(words / 2 + 1);
    while values.len() < words / 2 {
        let x = (random.f64() + 1.0) * if random.bool() { 1.0 } else { -1.0 };
        values.extend([x, 1.0 / x]);
    }
    bytemuck::pod_collect_to_vec(&values[..words / 2])
}

/// The words of integers. Odd, so that the product does not vanish, with bit 1 clear, so that `or` does not say all bits.
fn integers(words: usize, random: &mut fastrand::Rng) -> impl Iterator<Item = u32> {
    (0..words).map(|_| random.u32(..) & !2 | 1)
}

/// Reduces one type's elements, as words, everywhere, by operators of that type.
fn demonstrate(
    places: &[Place],
    show: impl Fn(usize, &str),
    rows: &mut Vec<Row>,
    operators: &[DynOperator],
    make: impl FnOnce(usize) -> Vec<u32>,
) {
    let element = operators[0].spec().element;
    let longest = places.iter().map(|place| place.len).max().unwrap_or(0);
    show(rows.len(), &format!("making {longest} {element}"));
    let words = usize::try_from(element.size_bytes()).expect("a few") / size_of::<u32>();
    let values = make(longest * words);
    let mut references = HashMap::new();
    for (index, place) in places.iter().enumerate() {
        let values = &values[..place.len * words];
        let array = place.executor.context().map(|_| place.executor.upload(values));
        let with_levels = |operator: DynOperator| {
            levels(operator.spec()).into_iter().map(move |precision| (operator, precision))
        };
        let reductions: Vec<_> = operators.iter().copied().flat_map(with_levels).collect();
        let kind = format!("{} {element} on {}", place.len, place.executor.name().name);
        if let Some(Ok(array)) = &array {
            show(rows.len(), &format!("compiling reductions of {kind}"));
            // On every core. If one fails, it fails again below, and the table says why.
            reductions.par_iter().with_max_len(1).for_each(|&(by, precision)| {
                let _ = on_gpu(&place.executor, by, precision, array);
            });
        }
        for (by, precision) in reductions {
            let operator = by.spec().operator;
            show(rows.len(), &format!("reducing {kind}"));
            let reference = references
                .entry((operator, precision, place.len))
                .or_insert_with(|| on_cpu(by, precision, values).map(|reduced| reduced.value));
            let outcome = match (&*reference, &array) {
                (Ok(expected), None) => measure(expected, || on_cpu(by, precision, values)),
                (Ok(expected), Some(Ok(array))) => {
                    measure(expected, || on_gpu(&place.executor, by, precision, array))
                }
                (Err(error), _) | (_, Some(Err(error))) => Err(error.clone()),
            };
            // The CPU alone has these results, and shows them above.
            if matches!(outcome, Err(gridfold::Error::Prepare(PrepareError::NoExactKernel { .. })))
            {
                continue;
            }
            rows.push(Row {
                place: index,
                operator,
                element,
                precision,
                len: place.len,
                outcome: outcome.map_err(|error| sentence(&error)),
            });
        }
    }
}

fn on_cpu(
    by: DynOperator,
    precision: Precision,
    words: &[u32],
) -> Result<Reduced, gridfold::Error> {
    let executor = Executor::cpu().precision(precision);
    Ok(Reduced::of(by.reduce(&executor, &[bytemuck::cast_slice(words)])?))
}

fn on_gpu(
    executor: &Executor,
    by: DynOperator,
    precision: Precision,
    array: &Array<u32>,
) -> Result<Reduced, gridfold::Error> {
    let context = executor.context().expect("arrays are on a GPU here");
    let slices = array.gpu_slices().expect("on a GPU");
    Ok(Reduced::of(by.on(context).precision(precision).measure_blocking(&[slices])?))
}

/// Reduces several times: the best time, and the first result that is not the expected one, if any.
fn measure(
    expected: &Option<Answer>,
    reduce: impl Fn() -> Result<Reduced, gridfold::Error>,
) -> Result<Measured, gridfold::Error> {
    let mut results = vec![reduce()?];
    let mut on_host = Duration::MAX;
    for _ in 0..TIMED_RUNS {
        let begin = Instant::now();
        results.push(reduce()?);
        on_host = on_host.min(begin.elapsed());
    }
    let on_device = results[1..].iter().filter_map(|reduced| reduced.device_time).min();
    let wrong = results.iter().position(|reduced| reduced.value != *expected);
    Ok(Measured {
        reduced: results.swap_remove(wrong.unwrap_or(0)),
        expected_instead: wrong.map(|_| expected.clone()),
        time: on_device.unwrap_or(on_host),
        is_device_time: on_device.is_some(),
    })
}

impl Row {
    fn is_right(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|measured| measured.expected_instead.is_none())
    }

    fn cells(&self) -> Vec<String> {
        let Self { operator, element, precision, len, .. } = self;
        let mut cells =
            vec![operator.to_string(), element.to_string(), precision.to_string(), len.to_string()];
        match &self.outcome {
            Ok(Measured { reduced, expected_instead, time, is_device_time }) => {
                let decimal = |value: &Option<Answer>| {
                    value.as_ref().map_or("none".to_owned(), Answer::decimal)
                };
                let bytes = *len as f64 * element.size_bytes() as f64;
                let mark = if *is_device_time { "" } else { "~" };
                cells.extend([
                    decimal(&reduced.value),
                    format!("{mark}{:.3} ms", time.as_secs_f64() * 1e3),
                    format!("{mark}{:.1}", bytes / time.as_secs_f64() / 1e9),
                    reduced.plan.clone(),
                    match expected_instead {
                        None => "as on the CPU".to_owned(),
                        Some(value) => format!("WRONG: the CPU has {}", decimal(value)),
                    },
                ]);
            }
            Err(problem) => cells.extend([
                "MISSING".to_owned(),
                String::new(),
                String::new(),
                String::new(),
                problem.clone(),
            ]),
        }
        cells
    }
}

fn table<'a>(rows: impl Iterator<Item = &'a Row>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header([
        "operator",
        "type",
        "precision",
        "length",
        "result",
        "time",
        "GB/s",
        "plan",
        "check",
    ]);
    for row in rows {
        table.add_row(row.cells());
    }
    for column in 3..7 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn sum(words: &[u32]) -> Result<Reduced, gridfold::Error> {
        let sum = DynOperator::new(OperatorType::Sum, ElementType::U32)?;
        on_cpu(sum, Precision::Exact, words)
    }

    fn row(outcome: Result<Measured, gridfold::Error>) -> Row {
        Row {
            place: 0,
            operator: OperatorType::Sum,
            element: ElementType::U32,
            precision: Precision::Exact,
            len: 2,
            outcome: outcome.map_err(|error| sentence(&error)),
        }
    }

    fn conclusion(rows: &[Row]) -> (Outcome, String) {
        let mut text = Vec::new();
        let wrong = rows.iter().filter(|row| !row.is_right()).count();
        let outcome = conclude(wrong, rows.len(), true, &mut text);
        (outcome, String::from_utf8(text).expect("text"))
    }

    #[test]
    fn equal_results_agree() {
        let reduce = || sum(&[1, 2]);
        let expected = reduce().expect("the CPU has no errors").value;
        let rows = [row(measure(&expected, reduce))];
        let (outcome, text) = conclusion(&rows);
        assert!(outcome.is_ok());
        assert_eq!(text, "All 1 results agree with the CPU's to the bit.\n");
    }

    #[test]
    fn one_wrong_result_among_several_is_found() {
        let reduce = |values: &[u32]| sum(values);
        let expected = reduce(&[1, 2]).expect("the CPU has no errors").value;
        let runs = Cell::new(0);
        let rows = [row(measure(&expected, || {
            runs.set(runs.get() + 1);
            reduce(if runs.get() == 3 { &[1, 3] } else { &[1, 2] })
        }))];
        let cells = rows[0].cells();
        assert_eq!((&*cells[4], &*cells[8]), ("4", "WRONG: the CPU has 3"));
        let (outcome, text) = conclusion(&rows);
        assert!(matches!(outcome, Err(Error::Disagreement { wrong: 1, all: 1 })));
        assert_eq!(text, "1 of 1 results are missing or differ from the CPU's.\n");
    }

    #[test]
    fn a_failed_reduction_is_a_missing_result() {
        let lost = gridfold::ReadError::DeviceLost;
        let rows = [row(measure(&None, || Err(lost.clone().into())))];
        assert_eq!(rows[0].cells()[4], "MISSING");
        assert!(matches!(conclusion(&rows).0, Err(Error::Disagreement { wrong: 1, all: 1 })));
    }

    /// The made-up data must tell a right reduction from one that skips or repeats elements.
    #[test]
    fn results_are_telling() {
        let floats = floats(100_001, &mut fastrand::Rng::with_seed(1));
        let floats: Vec<f32> = floats.into_iter().map(f32::from_bits).collect();
        let product = Executor::cpu().product(&floats).expect("the CPU has no errors");
        assert!((0.25..4.0).contains(&product.abs()), "{product}");
        let integers: Vec<u32> = integers(100_000, &mut fastrand::Rng::with_seed(2)).collect();
        let is_unsigned = |element| matches!(element, ElementType::U32 | ElementType::U64);
        for by in operators().into_iter().filter(|by| is_unsigned(by.spec().element)) {
            let reduced = on_cpu(by, Precision::Exact, &integers);
            let value = reduced.expect("the CPU has no errors").value;
            let decimal = value.expect("there are elements").decimal();
            assert!(
                ![0, u32::MAX.into(), u64::MAX].map(|it| it.to_string()).contains(&decimal),
                "{by:?}"
            );
        }
    }
}
