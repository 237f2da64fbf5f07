//! The summary: each primitive on each adapter, compared with the CPU to the bit.

use super::{TIMED_RUNS, conclude, floats};
use crate::{
    Outcome,
    adapters::{device_type, no_adapter},
    error::sentence,
    progress::during,
    stdout,
};
use comfy_table::{CellAlignment, Table, presets};
use gridfold::{
    AdapterName, Array, Bins, Compaction, Compactor, Context, DeviceTimer, Executor, GpuSlice,
    Histogram, ListedAdapter, Predicate, ReadError, Reducer, Scanner, SegmentedReducer, Segments,
    Sum, wgpu,
    wgpu::{Backend, DeviceType},
};
use std::{
    io::Write,
    panic::resume_unwind,
    thread,
    time::{Duration, Instant},
};

/// Elements on a GPU, and on the CPU and drivers in software. Whole rows.
const GPU_LEN: usize = 1 << 25;
const CPU_LEN: usize = 1 << 20;
/// Elements of a segment.
const ROW: usize = 1 << 10;
const PREDICATE: &str = "x > 1.0";
/// Characters of an adapter's name at most.
const NAME_WIDTH: usize = 16;

/// The rows that are shown for each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Primitive {
    Reduction,
    Scan,
    Selection,
    Segments,
    Histogram,
}

impl Primitive {
    const ALL: [Self; 5] =
        [Self::Reduction, Self::Scan, Self::Selection, Self::Segments, Self::Histogram];

    fn name(self) -> &'static str {
        match self {
            Self::Reduction => "reduction: sum",
            Self::Scan => "scan: sums",
            Self::Selection => "selection: x > 1",
            Self::Segments => "segments: sums",
            Self::Histogram => "histogram",
        }
    }
}

/// All words of a result, and a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    words: Vec<u32>,
    told: String,
}

/// A result, and how fast it came.
struct Measured {
    found: Found,
    time: Duration,
    is_device_time: bool,
}

/// A primitive at a place.
struct Row {
    place: String,
    primitive: Primitive,
    len: usize,
    outcome: Result<Measured, String>,
    expected: Result<Found, String>,
}

pub fn run(listed: &[(usize, ListedAdapter)], is_chosen: bool) -> Outcome {
    let mut stdout = stdout();
    let mut places = vec![(Executor::cpu(), CPU_LEN)];
    for (_, listed) in listed {
        match listed.open() {
            Ok(executor) => {
                let is_software = listed.adapter().get_info().device_type == DeviceType::Cpu;
                places.push((executor, if is_software { CPU_LEN } else { GPU_LEN }));
            }
            Err(error) => {
                writeln!(
                    stdout,
                    "{} ({}): skipped, {}",
                    listed.name(),
                    device_type(listed),
                    sentence(&error)
                )?;
            }
        }
    }
    if places.len() == 1 && !is_chosen {
        writeln!(stdout, "{}", no_adapter())?;
    }
    let longest = places.iter().map(|(_, len)| *len).max().unwrap_or(CPU_LEN);
    let words = floats(longest, &mut fastrand::Rng::with_seed(1));
    let values: Vec<f32> = words.into_iter().map(f32::from_bits).collect();
    let rows: Vec<Row> =
        places.iter().flat_map(|(executor, len)| rows(executor, &values[..*len])).collect();
    for line in table(&rows).lines() {
        writeln!(stdout, "{}", line.trim_end())?;
    }
    writeln!(
        stdout,
        "\nElements are float32. Times are the best of {TIMED_RUNS}, on the device; times marked ~ were taken on the host.\n\
         `gridfold demo --all` shows every operator of every type."
    )?;
    let wrong = rows.iter().filter(|row| !row.is_right()).count();
    conclude(wrong, rows.len(), places.len() > 1, &mut stdout)
}

/// Every primitive at a place. All are prepared before the first one runs, and threads do it side by side, because a driver may take a second for each. On
/// other backends than these two a thread that waits for another one's compilation may give up.
fn rows(executor: &Executor, values: &[f32]) -> Vec<Row> {
    let name = executor.name();
    let array = executor.context().map(|context| (context, executor.upload(values)));
    let prepared = during(&format!("preparing on {}", name.name), || {
        let prepare = |primitive| {
            let ready = array.as_ref().map(|(context, array)| match array {
                Ok(array) => prepare(primitive, executor, context, array),
                Err(error) => Err(error.clone()),
            });
            (ready, on_cpu(primitive, values))
        };
        let backend = executor.context().map(|context| context.device().adapter_info().backend);
        if !matches!(backend, Some(Backend::Vulkan | Backend::Metal)) {
            return Primitive::ALL.map(prepare);
        }
        thread::scope(|scope| {
            let threads = Primitive::ALL.map(|primitive| scope.spawn(move || prepare(primitive)));
            threads.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    });
    let prepared = Primitive::ALL.into_iter().zip(prepared);
    let row = |(primitive, (ready, expected)): (Primitive, (Option<Result<Ready<'_>, _>>, _))| {
        let outcome = during(&format!("{} on {}", primitive.name(), name.name), || {
            match (ready, executor.context()) {
                (Some(ready), Some(context)) => ready?.run(context),
                _ => timed_on_cpu(primitive, values),
            }
        });
        Row {
            place: short_name(&name),
            primitive,
            len: values.len(),
            outcome: outcome.map_err(|error| sentence(&error)),
            expected: Result::map_err(expected, |error: gridfold::Error| sentence(&error)),
        }
    };
    prepared.map(row).collect()
}

fn short_name(name: &AdapterName) -> String {
    let name = match name.backend == name.name {
        true => name.name.clone(),
        false => format!("{}/{}", name.backend, name.name),
    };
    match name.char_indices().nth(NAME_WIDTH) {
        None => name,
        Some(_) => name.chars().take(NAME_WIDTH - 1).chain(['…']).collect(),
    }
}

fn bins() -> Result<Bins, gridfold::Error> {
    Ok(Bins::even(256, -2.0..=2.0)?)
}

fn of_floats(values: &[f32], told: String) -> Found {
    Found { words: values.iter().map(|value| value.to_bits()).collect(), told }
}

fn of_totals(values: &[f32]) -> Found {
    of_floats(values, values.last().map_or("none".to_owned(), |last| format!("{last:?}")))
}

fn of_selected(values: &[f32]) -> Found {
    of_floats(values, format!("{} elements", values.len()))
}

fn of_segments(values: &[f32]) -> Found {
    of_floats(values, format!("{} results", values.len()))
}

fn of_counts(counts: &[u64]) -> Found {
    let most = counts.iter().max().copied().unwrap_or(0);
    Found { words: bytemuck::pod_collect_to_vec(counts), told: format!("{most} in a bin") }
}

fn on_cpu(primitive: Primitive, values: &[f32]) -> Result<Found, gridfold::Error> {
    let cpu = Executor::cpu();
    Ok(match primitive {
        Primitive::Reduction => {
            let sum = cpu.sum(values)?;
            of_floats(&[sum], format!("{sum:?}"))
        }
        Primitive::Scan => of_totals(&cpu.inclusive_scan(values, Sum)?),
        Primitive::Selection => of_selected(&cpu.select_if(values, PREDICATE)?),
        Primitive::Segments => {
            let shape = [values.len() / ROW, ROW].map(|size| size as u64);
            of_segments(&cpu.reduce_axis(values, &shape, 1, Sum)?)
        }
        Primitive::Histogram => of_counts(&cpu.histogram(values, &bins()?)?),
    })
}

fn timed_on_cpu(primitive: Primitive, values: &[f32]) -> Result<Measured, gridfold::Error> {
    let mut found = on_cpu(primitive, values)?;
    let mut time = Duration::MAX;
    for _ in 0..TIMED_RUNS {
        let begin = Instant::now();
        found = on_cpu(primitive, values)?;
        time = time.min(begin.elapsed());
    }
    Ok(Measured { found, time, is_device_time: false })
}

/// A primitive that is prepared on a device.
struct Ready<'a> {
    record: Box<dyn Fn(&mut wgpu::ComputePass<'_>) + Send + 'a>,
    /// Reads the results of the last run.
    read: Box<dyn FnOnce() -> Result<Found, gridfold::Error> + Send + 'a>,
}

impl Ready<'_> {
    /// Runs it several times.
    fn run(self, context: &Context) -> Result<Measured, gridfold::Error> {
        let (time, is_device_time) = timed(context, &*self.record)?;
        Ok(Measured { found: (self.read)()?, time, is_device_time })
    }
}

fn prepare<'a>(
    primitive: Primitive,
    executor: &Executor,
    context: &'a Context,
    array: &Array<f32>,
) -> Result<Ready<'a>, gridfold::Error> {
    let input = array.gpu_slices().unwrap_or_default();
    let len = usize::try_from(array.len()).expect("they were in memory");
    let floats = |len: usize| executor.upload(&vec![0.0f32; len]);
    Ok(match primitive {
        Primitive::Reduction => {
            let sum = floats(1)?;
            let prepared = Reducer::<f32, _>::new(context, Sum).prepare(input, whole(&sum)?)?;
            Ready {
                record: Box::new(move |pass| prepared.record_in(pass)),
                read: Box::new(move || {
                    let sum = sum.download()?;
                    Ok(of_floats(&sum, format!("{:?}", sum[0])))
                }),
            }
        }
        Primitive::Scan => {
            let totals = floats(len)?;
            let output = totals.gpu_slices().unwrap_or_default();
            let prepared = Scanner::<f32, _>::new(context, Sum).prepare(input, output)?;
            Ready {
                record: Box::new(move |pass| prepared.record_in(pass)),
                read: Box::new(move || Ok(of_totals(&totals.download()?))),
            }
        }
        Primitive::Selection => {
            let (kept, count) = (floats(len)?, executor.upload(&[0u64])?);
            let predicate = Predicate::<f32>::new(PREDICATE)?;
            let output = kept.gpu_slices().unwrap_or_default();
            let select = Compaction::select_if(input, &predicate, output)?;
            let prepared = Compactor::new(context).prepare(&select, whole(&count)?)?;
            Ready {
                record: Box::new(move |pass| prepared.record_in(pass)),
                read: Box::new(move || {
                    let count = usize::try_from(count.download()?[0]).unwrap_or(len).min(len);
                    Ok(of_selected(&kept.download()?[..count]))
                }),
            }
        }
        Primitive::Segments => {
            let sums = floats(len / ROW)?;
            let rows = Segments::rows(ROW as u64);
            let reducer = SegmentedReducer::<f32, _>::new(context, Sum);
            let prepared = reducer.prepare(input, &rows, whole(&sums)?)?;
            Ready {
                record: Box::new(move |pass| prepared.record_in(pass)),
                read: Box::new(move || Ok(of_segments(&sums.download()?))),
            }
        }
        Primitive::Histogram => {
            let bins = bins()?;
            let counts = executor.upload(&vec![0u64; 256])?;
            let histogram = Histogram::<f32>::new(context);
            let prepared = histogram.prepare(input, &bins, whole(&counts)?)?;
            Ready {
                record: Box::new(move |pass| prepared.record_in(pass)),
                read: Box::new(move || Ok(of_counts(&counts.download()?))),
            }
        }
    })
}

/// A short array lies in one slice.
fn whole<T: gridfold::Element>(array: &Array<T>) -> Result<&GpuSlice<T>, gridfold::Error> {
    let first = array.gpu_slices().and_then(<[_]>::first);
    first.ok_or_else(|| ReadError::DeviceLost.into())
}

/// The best time of several passes, and whether the device took it. The first pass does not count.
fn timed(
    context: &Context,
    record: &dyn Fn(&mut wgpu::ComputePass<'_>),
) -> Result<(Duration, bool), gridfold::Error> {
    let timer = DeviceTimer::new(context)?;
    let (mut on_host, mut on_device) = (Duration::MAX, None);
    for run in 0..=TIMED_RUNS {
        let mut encoder = context.device().create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("demo"),
            timestamp_writes: timer.as_ref().map(DeviceTimer::timestamp_writes),
        });
        record(&mut pass);
        drop(pass);
        let readback = match &timer {
            Some(timer) => Some(timer.record_readback(&mut encoder)?),
            None => None,
        };
        let begin = Instant::now();
        context.queue().submit([encoder.finish()]);
        let time = match readback {
            Some(readback) => readback.wait_blocking()?,
            None => {
                let waited = context.device().poll(wgpu::PollType::wait_indefinitely());
                waited.map_err(|_| ReadError::DeviceLost)?;
                None
            }
        };
        if run > 0 {
            on_host = on_host.min(begin.elapsed());
            on_device = on_device.into_iter().chain(time).min();
        }
    }
    Ok((on_device.unwrap_or(on_host), on_device.is_some()))
}

impl Row {
    fn is_right(&self) -> bool {
        match (&self.outcome, &self.expected) {
            (Ok(measured), Ok(expected)) => measured.found == *expected,
            _ => false,
        }
    }

    fn cells(&self) -> [String; 7] {
        let (place, len) = (self.place.clone(), self.len.to_string());
        let name = self.primitive.name().to_owned();
        let problem = |problem: &String| problem.clone();
        match (&self.outcome, &self.expected) {
            (Ok(Measured { found, time, is_device_time }), Ok(expected)) => {
                let mark = if *is_device_time { "" } else { "~" };
                let bytes = (self.len * size_of::<f32>()) as f64;
                let check = match found == expected {
                    true => "as on the CPU".to_owned(),
                    false => format!("WRONG: the CPU has {}", expected.told),
                };
                let time_ms = format!("{mark}{:.3} ms", time.as_secs_f64() * 1e3);
                let speed = format!("{:.2}", bytes / time.as_secs_f64() / 1e9);
                [place, name, len, found.told.clone(), time_ms, speed, check]
            }
            (Err(error), _) | (_, Err(error)) => {
                let none = String::new;
                [place, name, len, "MISSING".to_owned(), none(), none(), problem(error)]
            }
        }
    }
}

/// A row for each primitive and place. A place has its name in its first row.
fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header([
        "adapter",
        "primitive",
        "length",
        "result",
        "time",
        "GB/s",
        "check",
    ]);
    let mut last = "";
    for row in rows {
        let mut cells = row.cells();
        if row.place == last && row.primitive != Primitive::ALL[0] {
            cells[0].clear();
        }
        last = &row.place;
        table.add_row(cells);
    }
    for column in 2..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With three adapters, and names of any length.
    #[test]
    fn the_summary_fits_a_screen() {
        let long = |backend: &str| AdapterName {
            backend: backend.to_owned(),
            name: "an adapter whose name is longer than anyone likes to read".to_owned(),
            driver: "a driver".to_owned(),
        };
        let names = [AdapterName::cpu(), long("vulkan"), long("gl")];
        let found = Found { words: vec![1], told: "33554432 elements".to_owned() };
        let row = |(name, primitive): (&AdapterName, Primitive)| Row {
            place: short_name(name),
            primitive,
            len: GPU_LEN,
            outcome: Ok(Measured {
                found: found.clone(),
                time: Duration::from_micros(123_456),
                is_device_time: false,
            }),
            expected: Ok(found.clone()),
        };
        let each = names.iter().flat_map(|name| Primitive::ALL.map(|primitive| (name, primitive)));
        let rows: Vec<Row> = each.map(row).collect();
        assert!(rows.iter().all(Row::is_right));
        let table = table(&rows);
        let lines: Vec<String> = table.lines().collect();
        // And four more lines below.
        assert_eq!(lines.len(), 1 + rows.len());
        assert!(lines.len() + 4 <= 24, "{} lines", lines.len());
        for line in lines {
            assert!(line.trim_end().chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn another_result_is_wrong() {
        let found = |word| Found { words: vec![word], told: word.to_string() };
        let measured = Measured { found: found(1), time: Duration::MAX, is_device_time: true };
        let row = Row {
            place: "a".to_owned(),
            primitive: Primitive::Scan,
            len: 1,
            outcome: Ok(measured),
            expected: Ok(found(2)),
        };
        assert!(!row.is_right());
        assert_eq!(row.cells()[6], "WRONG: the CPU has 2");
        let lost = Row { outcome: Err("lost".to_owned()), ..row };
        assert!(!lost.is_right());
        assert_eq!(lost.cells()[3], "MISSING");
    }

    #[test]
    fn each_primitive_finds_something() {
        let words = floats(4 * ROW, &mut fastrand::Rng::with_seed(2));
        let values: Vec<f32> = words.into_iter().map(f32::from_bits).collect();
        let lens = Primitive::ALL.map(|primitive| {
            on_cpu(primitive, &values).expect("the CPU has no errors").words.len()
        });
        assert_eq!((lens[0], lens[1], lens[3], lens[4]), (1, 4 * ROW, 4, 512));
        assert!((ROW / 2..2 * ROW).contains(&lens[2]), "{lens:?}");
    }
}
