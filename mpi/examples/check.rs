//! Checks reductions over the ranks of a job: `mpirun -n 3 cargo run -p gridfold-mpi --example check`, with any number of ranks. Ranks
//! have different executors: GRIDFOLD_MPI_ADAPTERS has their selectors, by commas, which they take in turn; without it all are CPUs.
//! Ends with an error if a result has other bits than one executor gives. Cuts between ranks are random: GRIDFOLD_MPI_SEED has another seed
//! than 1. With the argument `error`, `panic` or `kill` the last rank fails, or is killed, and the job must end.

use gridfold::{
    ArgMax, Bool, Element, Executor, Max, Mean, Operator, Precision, Product, Scan, Sum, SumWide,
    Variance,
    half::{bf16, f16},
};
use gridfold_mpi::{Ranks, RanksError, or_end_job};
use mpi::topology::{Communicator, SimpleCommunicator};
use std::{cell::Cell, error::Error, ops::Range};

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI has been initialized before")?;
    let world = universe.world();
    or_end_job(&world, || match std::env::args().nth(1).as_deref() {
        None => check_all(&world),
        Some(way) => fail(&world, way),
    });
    Ok(())
}

/// The last rank fails between two calls, before the one that the others wait in.
fn fail(world: &SimpleCommunicator, way: &str) -> Result<(), Box<dyn Error>> {
    let ranks = Ranks::new(world, Executor::cpu());
    ranks.all_reduce::<f32, _>(&[1.0], Sum)?;
    if world.rank() + 1 == world.size() {
        assert_ne!(way, "panic");
        if way == "kill" {
            // A shell has this command also where there is no program of the name.
            std::process::Command::new("sh").args(["-c", "kill -9 $PPID"]).status()?;
        }
        return Err("it was asked to fail".into());
    }
    ranks.all_reduce::<f32, _>(&[1.0], Sum)?;
    Ok(())
}

fn check_all(world: &SimpleCommunicator) -> Result<(), Box<dyn Error>> {
    let rank = world.rank().unsigned_abs() as usize;
    let selectors = std::env::var("GRIDFOLD_MPI_ADAPTERS").unwrap_or_else(|_| "cpu".to_owned());
    let selectors: Vec<&str> = selectors.split(',').collect();
    let executor = Executor::with_adapter(selectors[rank % selectors.len()])?;
    let seed = std::env::var("GRIDFOLD_MPI_SEED").map_or(Ok(1), |seed| seed.parse())?;
    let job = &Job { world, executor: executor.clone(), seed: Cell::new(seed) };
    // Few kernels of each device: what ranks exchange depends on the operator, not on the device, and drivers compile for long.
    let on_cpu = &Job { executor: Executor::cpu(), seed: job.seed.clone(), ..*job };
    for len in [0, 1, 5, 1000, 40_001] {
        let floats: Vec<f32> = (0..len).map(float).collect();
        let doubles: Vec<f64> = floats.iter().map(|&x| f64::from(x).sin()).collect();
        let integers: Vec<i64> = floats.iter().map(|x| x.to_bits().into()).collect();
        let words: Vec<u32> = floats.iter().map(|x| x.to_bits()).collect();
        for precision in [Precision::Reproducible, Precision::Exact] {
            check::<f32, _>(job, precision, &floats, Sum);
        }
        check::<i64, _>(job, Precision::Reproducible, &integers, ArgMax);
        check_scan::<f32, _>(job, &floats, 0.3, Sum);
        check::<f32, _>(on_cpu, Precision::Exact, &floats, Mean);
        check::<f32, _>(on_cpu, Precision::Reproducible, &floats, Variance);
        check::<f32, _>(on_cpu, Precision::Reproducible, &floats, Max);
        check::<f32, _>(on_cpu, Precision::Reproducible, &floats, Product);
        check::<f64, _>(on_cpu, Precision::Reproducible, &doubles, Sum);
        check::<i64, _>(on_cpu, Precision::Reproducible, &integers, Sum);
        check_scan::<f32, _>(on_cpu, &floats, -0.5, Product);
        check_scan::<f64, _>(on_cpu, &doubles, 0.3, Sum);
        check_scan::<u32, _>(on_cpu, &words, 5, SumWide);
    }
    every_operator(on_cpu);
    // All ranks hear that one of them has no part, and that parts are no sequence.
    let last = world.size() - 1;
    let first = if world.rank() == last { 1 << 41 } else { 0 };
    let failed = Ranks::new(world, executor).first(first);
    let is_named = |error| matches!(error, RanksError::Rank { rank, .. } if rank == last);
    assert!(failed.all_reduce::<f32, _>(&[1.0], Sum).is_err_and(is_named));
    assert!(failed.exclusive_scan::<f32, _>(&[1.0], Sum).is_err_and(is_named));
    let gap = 5 * u64::from(world.rank().unsigned_abs());
    let apart = Ranks::new(world, Executor::cpu()).first(gap);
    // There are no exact scans of floats.
    let exact = Ranks::new(world, Executor::cpu().precision(Precision::Exact));
    let refused = exact.scan::<f32, _>(Scan::inclusive(), &[1.0], Sum);
    assert!(matches!(refused, Err(RanksError::Rank { rank: 0, .. })), "{refused:?}");
    let parts = apart.all_reduce::<f32, _>(&[1.0], Sum);
    assert_eq!(matches!(parts, Err(RanksError::Parts(_))), last > 0, "{parts:?}");
    let ranks = world.size();
    let nowhere = apart.reduce::<f32, _>(ranks, &[1.0], Sum);
    assert_eq!(nowhere, Err(RanksError::NoRank { root: ranks, ranks }));
    if world.rank() == 0 {
        println!("all right on {ranks} ranks: {}", selectors.join(", "));
    }
    Ok(())
}

/// Of many magnitudes.
fn float(number: u32) -> f32 {
    let bits = number.wrapping_mul(0x9e37_79b1).rotate_left(11).wrapping_mul(0x85eb_ca6b);
    f32::from_bits(bits & 0x807f_ffff | (120 + bits % 12) << 23)
}

/// What all checks are of.
struct Job<'w> {
    world: &'w SimpleCommunicator,
    executor: Executor,
    /// All ranks have the same.
    seed: Cell<u32>,
}

impl Job<'_> {
    /// A random number, the same on all ranks.
    fn random(&self) -> usize {
        let seed = self.seed.get().wrapping_add(0x9e37_79b9);
        self.seed.set(seed);
        let mixed = (seed ^ seed >> 16).wrapping_mul(0x7feb_352d);
        let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x846c_a68b);
        (mixed ^ mixed >> 16) as usize
    }

    /// Where this rank's part is. One of four cuts is where another one is: so some ranks have nothing.
    fn share(&self, len: usize) -> Range<usize> {
        let [rank, ranks] =
            [self.world.rank(), self.world.size()].map(|number| number.unsigned_abs() as usize);
        let mut ends = vec![0, len];
        for _ in 1..ranks {
            let same = self.random().is_multiple_of(4);
            let end = if same { ends[ends.len() / 2] } else { self.random() % (len + 1) };
            ends.push(end);
        }
        ends.sort_unstable();
        ends[rank]..ends[rank + 1]
    }
}

fn check<T: Element, Op: Operator<T> + Copy>(
    job: &Job<'_>,
    precision: Precision,
    all: &[T],
    op: Op,
) {
    let executor = job.executor.clone().precision(precision);
    let one = Executor::cpu().precision(precision);
    let wanted = one.reduce(all, op).expect("the CPU does not fail").value;
    let own = job.share(all.len());
    let over_ranks = Ranks::new(job.world, executor.clone());
    let mine = &all[own.clone()];
    let is_root = job.world.rank() == 0;
    // Debug tells floats apart to the bit, but for NaNs, of which there is one.
    let text = |value: &Op::Value| format!("{value:?}");
    let found = over_ranks.all_reduce::<T, _>(mine, op).expect("all ranks have a part");
    assert_eq!(text(&found), text(&wanted), "{:?}, {} elements", op.spec(), all.len());
    let found = over_ranks.reduce(0, mine, op).expect("all ranks have a part");
    assert_eq!(found.as_ref().map(text), is_root.then(|| text(&wanted)));
    let before = over_ranks.exclusive_scan(mine, op).expect("all ranks have a part");
    let wanted = one.reduce_part(&all[..own.start], 0, op).expect("the CPU does not fail");
    assert_eq!(before, wanted);
    let up_to = over_ranks.inclusive_scan(mine, op).expect("all ranks have a part");
    let wanted = one.reduce_part(&all[..own.end], 0, op).expect("the CPU does not fail");
    assert_eq!(up_to, wanted);
    let with_first = Ranks::new(job.world, executor).first(own.start as u64);
    assert_eq!(with_first.inclusive_scan(mine, op), Ok(wanted));
}

/// Each rank's part of a scan of all elements.
fn check_scan<T: Element, Op: Operator<T, Out: Element> + Copy>(
    job: &Job<'_>,
    all: &[T],
    initial: T,
    op: Op,
) {
    for scan in [Scan::inclusive(), Scan::exclusive().initial(initial)] {
        let own = job.share(all.len());
        let wanted = Executor::cpu().scan(scan, all, op).expect("the CPU does not fail");
        let ranks = Ranks::new(job.world, job.executor.clone());
        let found = ranks.scan(scan, &all[own.clone()], op).expect("all ranks have a part");
        // There are no NaNs, and the zeros of a sum are +0.
        assert_eq!(found, wanted[own], "{scan:?} by {:?}", op.spec());
    }
}

/// Every operator on the first type that it is for, and sums of every type, in every precision. On every type they take minutes to compile.
fn every_operator(job: &Job<'_>) {
    macro_rules! check_operators {
        (
            one input {
                sum Sum $sum:literal [$($summand:ident)*] $sum_doc:literal
                $($verb:ident $operator:ident $name:literal [$($element:ident $($others:ident)*)?] $doc:literal)*
            }
            two inputs $two:tt
            options { $($of:ident $choice:tt [$($of_element:ident $($of_others:ident)*)?])* }
        ) => {
            $(check_operator::<$summand, _>(job, Sum);)*
            $($(check_operator::<$element, _>(job, gridfold::$operator);)?)*
            $($(check_operator::<$of_element, _>(job, gridfold::operator!($of $choice));)?)*
        };
    }
    gridfold::operators!(check_operators!());
}

fn check_operator<T: Make, Op: Operator<T> + Copy>(job: &Job<'_>, op: Op) {
    let all: Vec<T> = (0..300).map(T::make).collect();
    let own = job.share(all.len());
    let (operator, element) = (op.spec().operator, T::TYPE);
    for precision in [Precision::Reproducible, Precision::Exact] {
        if precision.kept_by(operator, element).is_none() {
            continue;
        }
        let one = Executor::cpu().precision(precision);
        // Not `reduce`, of which as many take long to compile. It has the same bits, as the library's tests see.
        let whole = one.reduce_part(&all, 0, op).expect("the CPU does not fail");
        let wanted = whole.finish().expect("it begins at 0");
        let ranks = Ranks::new(job.world, one);
        let found = ranks.all_reduce::<T, _>(&all[own.clone()], op).expect("all ranks have a part");
        assert_eq!(format!("{found:?}"), format!("{wanted:?}"), "{operator} of {element}");
    }
}

/// An element of a number.
trait Make: Element {
    fn make(number: u32) -> Self;
}

macro_rules! make {
    ($($element:ident: $make:expr;)*) => {$(
        impl Make for $element {
            fn make(number: u32) -> Self {
                let make: fn(u32) -> Self = $make;
                make(number)
            }
        }
    )*};
}

make! {
    f32: float;
    f64: |number| f64::from(float(number)) * 1.1;
    f16: |number| f16::from_f32(float(number));
    bf16: |number| bf16::from_f32(float(number));
    i8: |number| i8::from_le_bytes([bytes(number)[2]]);
    u8: |number| bytes(number)[2];
    i16: |number| i16::from_le_bytes([bytes(number)[1], bytes(number)[2]]);
    u16: |number| u16::from_le_bytes([bytes(number)[1], bytes(number)[2]]);
    i32: |number| i32::from_le_bytes(bytes(number));
    u32: |number| u32::from_le_bytes(bytes(number));
    i64: |number| i64::from(float(number).to_bits().cast_signed()) << 20;
    u64: |number| u64::from(float(number).to_bits()) << 20;
    Bool: |number| (bytes(number)[2] > 20).into();
}

fn bytes(number: u32) -> [u8; 4] {
    float(number).to_le_bytes()
}
