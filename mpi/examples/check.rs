//! Checks reductions over the ranks of a job: `mpirun -n 3 cargo run -p gridfold-mpi --example check`, with any number of ranks. Ranks
//! have different executors: GRIDFOLD_MPI_ADAPTERS has their selectors, by commas, which they take in turn; without it all are CPUs.
//! Ends with an error if a result has other bits than one executor gives. With the argument `error` or `panic` the last rank fails, and
//! the job must end.

use gridfold::{ArgMax, Element, Executor, Max, Mean, Operator, Precision, Product, Sum, Variance};
use gridfold_mpi::{Ranks, RanksError, or_end_job};
use mpi::topology::{Communicator, SimpleCommunicator};
use std::{error::Error, ops::Range};

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI has been initialized before")?;
    let world = universe.world();
    or_end_job(&world, || match std::env::args().nth(1).as_deref() {
        None => check_all(&world),
        Some(way) => fail(&world, way),
    });
    Ok(())
}

/// The last rank fails before it calls what the others wait in.
fn fail(world: &SimpleCommunicator, way: &str) -> Result<(), Box<dyn Error>> {
    if world.rank() + 1 == world.size() {
        assert_ne!(way, "panic");
        return Err("it was asked to fail".into());
    }
    Ranks::new(world, Executor::cpu()).all_reduce::<f32, Sum>(&[1.0])?;
    Ok(())
}

fn check_all(world: &SimpleCommunicator) -> Result<(), Box<dyn Error>> {
    let rank = world.rank().unsigned_abs() as usize;
    let selectors = std::env::var("GRIDFOLD_MPI_ADAPTERS").unwrap_or_else(|_| "cpu".to_owned());
    let selectors: Vec<&str> = selectors.split(',').collect();
    let executor = Executor::with_adapter(selectors[rank % selectors.len()])?;
    for len in [0, 1, 5, 1000, 40_001] {
        let floats: Vec<f32> = (0..len).map(float).collect();
        for precision in [Precision::Reproducible, Precision::Exact] {
            check::<f32, Sum>(world, &executor, precision, &floats);
        }
        check::<f32, Mean>(world, &executor, Precision::Exact, &floats);
        check::<f32, Variance>(world, &executor, Precision::Reproducible, &floats);
        check::<f32, Max>(world, &executor, Precision::Reproducible, &floats);
        check::<f32, Product>(world, &executor, Precision::Reproducible, &floats);
        let doubles: Vec<f64> = floats.iter().map(|&x| f64::from(x).sin()).collect();
        check::<f64, Sum>(world, &executor, Precision::Reproducible, &doubles);
        let integers: Vec<i64> = floats.iter().map(|x| x.to_bits().into()).collect();
        check::<i64, Sum>(world, &executor, Precision::Reproducible, &integers);
        check::<i64, ArgMax>(world, &executor, Precision::Reproducible, &integers);
    }
    // All ranks hear that one of them has no part, and that parts are no sequence.
    let last = world.size() - 1;
    let first = if world.rank() == last { 1 << 41 } else { 0 };
    let failed = Ranks::new(world, executor).first(first);
    let is_named = |error| matches!(error, RanksError::Rank { rank, .. } if rank == last);
    assert!(failed.all_reduce::<f32, Sum>(&[1.0]).is_err_and(is_named));
    assert!(failed.exclusive_scan::<f32, Sum>(&[1.0]).is_err_and(is_named));
    let gap = 5 * u64::from(world.rank().unsigned_abs());
    let apart = Ranks::new(world, Executor::cpu()).first(gap);
    let parts = apart.all_reduce::<f32, Sum>(&[1.0]);
    assert_eq!(matches!(parts, Err(RanksError::Parts(_))), last > 0, "{parts:?}");
    let ranks = world.size();
    let nowhere = apart.reduce::<f32, Sum>(ranks, &[1.0]);
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

/// Where a rank's part is: the second rank has nothing, the first little, and the others about the same.
fn share(len: usize, rank: usize, ranks: usize) -> Range<usize> {
    let end = |rank: usize| match rank {
        0 => 0,
        _ if rank == ranks => len,
        1 | 2 => len / 7,
        _ => len / 7 + (len - len / 7) * (rank - 2) / (ranks - 2),
    };
    end(rank)..end(rank + 1)
}

fn check<T: Element, Op: Operator<T>>(
    world: &SimpleCommunicator,
    executor: &Executor,
    precision: Precision,
    all: &[T],
) {
    let [rank, ranks] = [world.rank(), world.size()].map(|number| number.unsigned_abs() as usize);
    let executor = executor.clone().precision(precision);
    let one = Executor::cpu().precision(precision);
    let wanted = one.reduce::<T, Op>(all).expect("the CPU does not fail").value;
    let own = share(all.len(), rank, ranks);
    let over_ranks = Ranks::new(world, executor.clone());
    let mine = &all[own.clone()];
    // Debug tells floats apart to the bit, but for NaNs, of which there is one.
    let text = |value: &Op::Value| format!("{value:?}");
    let found = over_ranks.all_reduce::<T, Op>(mine).expect("all ranks have a part");
    assert_eq!(text(&found), text(&wanted), "{:?}, {} elements", Op::SPEC, all.len());
    let found = over_ranks.reduce::<T, Op>(0, mine).expect("all ranks have a part");
    assert_eq!(found.as_ref().map(text), (rank == 0).then(|| text(&wanted)));
    let before = over_ranks.exclusive_scan::<T, Op>(mine).expect("all ranks have a part");
    let wanted = one.reduce_part::<T, Op>(&all[..own.start], 0).expect("the CPU does not fail");
    assert_eq!(before, wanted);
    let up_to = over_ranks.inclusive_scan::<T, Op>(mine).expect("all ranks have a part");
    let wanted = one.reduce_part::<T, Op>(&all[..own.end], 0).expect("the CPU does not fail");
    assert_eq!(up_to, wanted);
    let with_first = Ranks::new(world, executor).first(own.start as u64);
    assert_eq!(with_first.inclusive_scan::<T, Op>(mine), Ok(wanted));
}
