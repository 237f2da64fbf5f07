//! Where a slice in host memory is reduced faster: on the CPU, or on a device, to which it comes all at once or in
//! chunks. In GB/s of the slice's bytes, or of both slices'; from the call to the value.
//!
//! `cargo bench --bench host_slices -- [ADAPTER [LOG2_LENGTH]]`, where ADAPTER is as for `gridfold --adapter` (the
//! default is the best GPU). Each number is of the median of 9 rounds after 1 to warm up, in which contenders take turns.

#[expect(dead_code, reason = "the benches of device time use the rest")]
mod common;

use common::{length, median, uniform};
use gridfold::{Array, Error, Executor, HostSlices, Precision};
use rayon::prelude::*;
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

const ROUNDS: usize = 9;
const CHUNKS_MIB: [u64; 6] = [2, 4, 8, 16, 32, 64];

type Outcome = Result<(), Box<dyn std::error::Error>>;
type Contender<'a> = (String, Box<dyn Fn() -> Result<(), Error> + 'a>);

type OfSlices = fn(&Executor, &[f32], &[f32]) -> Result<(), Error>;
type OfArrays = fn(&Array<f32>, &Array<f32>) -> Result<(), Error>;

/// One call of an executor, or of arrays.
struct Call {
    name: &'static str,
    precision: Precision,
    inputs: usize,
    of_slices: OfSlices,
    of_arrays: OfArrays,
}

macro_rules! calls {
    ($($name:literal $call:ident $precision:ident;)*) => {
        [$(Call {
            name: $name,
            precision: Precision::$precision,
            inputs: 1,
            of_slices: |executor, values, _| executor.$call(values).map(keep),
            of_arrays: |array, _| array.$call().map(keep),
        },)* Call {
            name: "dot",
            precision: Precision::Reproducible,
            ..EXACT_DOT
        }, EXACT_DOT]
    };
}

const EXACT_DOT: Call = Call {
    name: "exact dot",
    precision: Precision::Exact,
    inputs: 2,
    of_slices: |executor, left, right| executor.dot(left, right).map(keep),
    of_arrays: |left, right| left.dot(right).map(keep),
};

fn main() -> Outcome {
    // cargo passes `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let executor = Executor::with_adapter(arguments.next().as_deref().unwrap_or("auto"))?;
    let only_log2_len: Option<u32> = arguments.next().map(|text| text.parse()).transpose()?;
    println!("{}; {} threads of the CPU", executor.name(), rayon::current_num_threads());
    for log2_len in [10, 16, 20, 22, 24, 26] {
        if only_log2_len.is_none_or(|only| only == log2_len) {
            rows(&executor, 1 << log2_len)?;
        }
    }
    Ok(())
}

fn rows(executor: &Executor, len: u32) -> Outcome {
    let values: Vec<f32> = (0..len).into_par_iter().map(uniform).collect();
    let others: Vec<f32> = (0..len).into_par_iter().map(|number| uniform(!number)).collect();
    let len_bytes = f64::from(len) * 4.0;

    println!("\n{} elements", length(len.into()));
    let mut copy = vec![0.0; values.len()];
    let start_of_copy = |copy: &mut Vec<f32>| {
        let start = Instant::now();
        black_box(copy).copy_from_slice(black_box(&values));
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| start_of_copy(&mut copy)).collect();
    drop(copy);
    row("a copy by one thread", &[("host".to_owned(), len_bytes, median(&mut times))]);
    let sum: Contender<'_> = (
        "host".to_owned(),
        Box::new(|| {
            black_box(black_box(&values).par_iter().sum::<f32>());
            Ok(())
        }),
    );
    row("rayon's sum", &medians(&[sum], len_bytes)?);

    let calls = calls! {
        "sum" sum Reproducible;
        "max" max Reproducible;
        "product" product Reproducible;
        "exact sum" sum Exact;
        "mean" mean Reproducible;
        "exact mean" mean Exact;
        "norm" norm Reproducible;
        "exact norm" norm Exact;
        "variance" variance Exact;
    };
    for Call { name, precision, inputs, of_slices, of_arrays } in calls {
        let on_cpu = Executor::cpu().precision(precision);
        let on_device = executor.clone().precision(precision).host_slices(HostSlices::OnDevice);
        let (values, others) = (&values, &others);
        let mut contenders: Vec<Contender<'_>> =
            vec![("cpu".to_owned(), Box::new(move || of_slices(&on_cpu, values, others)))];
        let uploads = on_device.clone();
        contenders.push((
            "upload".to_owned(),
            Box::new(move || {
                let left = uploads.upload(values)?;
                if inputs == 1 {
                    return of_arrays(&left, &left);
                }
                of_arrays(&left, &uploads.upload(others)?)
            }),
        ));
        for mib in CHUNKS_MIB {
            if inputs * values.len() * 4 > usize::try_from(mib << 19)? || mib == CHUNKS_MIB[0] {
                let on_device = on_device.clone().chunk_bytes(mib << 20);
                let stream = move || of_slices(&on_device, values, others);
                contenders.push((format!("{mib} MiB"), Box::new(stream)));
            }
        }
        row(name, &medians(&contenders, inputs as f64 * len_bytes)?);
    }
    Ok(())
}

/// No result is left out of the program.
fn keep<V>(value: V) {
    black_box(value);
}

/// Names, bytes, and median times.
fn medians(
    contenders: &[Contender<'_>],
    bytes: f64,
) -> Result<Vec<(String, f64, Duration)>, Error> {
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..=ROUNDS {
        for ((_, contender), times) in contenders.iter().zip(&mut times) {
            let start = Instant::now();
            contender()?;
            if round > 0 {
                times.push(start.elapsed());
            }
        }
    }
    let median = |((name, _), mut times): (&Contender<'_>, Vec<Duration>)| {
        (name.clone(), bytes, median(&mut times))
    };
    Ok(contenders.iter().zip(times).map(median).collect())
}

fn row(what: &str, cells: &[(String, f64, Duration)]) {
    print!("{what:20}");
    for (name, bytes, time) in cells {
        let gigabytes = bytes / time.as_secs_f64() * 1e-9;
        print!("  {name} {gigabytes:.2} ({:.0} us)", time.as_secs_f64() * 1e6);
    }
    println!();
}
