//! Reductions and scans over the ranks of an MPI job: each rank has a part of a sequence, on its GPU or in its memory, and all of them get the
//! result, with the bits that one machine would give, for any number of ranks, and any cuts between them.
//!
//! ```no_run
//! use gridfold::Sum;
//! use gridfold_mpi::{Ranks, executor_of_rank, or_end_job};
//!
//! let universe = mpi::initialize().ok_or("MPI has been initialized before")?;
//! let world = universe.world();
//! or_end_job(&world, || {
//!     let ranks = Ranks::new(&world, executor_of_rank(&world));
//!     let values = vec![0.1f32; 1000]; // this rank's part
//!     println!("{}", ranks.all_reduce::<f32, _>(&values, Sum)?);
//!     Ok(())
//! });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Ranks exchange [`Partial`]s: by one exclusive scan of the lengths, which tells each rank where its part begins, and one gather of a
//! bounded number of bytes from each rank, [`Partial::max_bytes`] and four more.
//!
//! [`Ranks::scan`] gives each rank the results of its own elements. It takes one number more of each, which tells of failures.
//!
//! # Ranks that fail
//!
//! A rank that can't reduce its part sends that, and all ranks have the error. A rank that ends before it calls a collective sends
//! nothing, and MPI would have the others wait forever. [`or_end_job`] ends all of them.

use gridfold::{Element, Executor, Operator, Partial, PartialError, Scan, wgpu};
use mpi::{
    collective::SystemOperation,
    topology::Communicator,
    traits::{CommunicatorCollectives, Root},
};
use std::{
    error::Error,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The ranks of a communicator, each with a part of a sequence.
///
/// All ranks call the same methods, with the same types, in the same order, as of any collective of MPI. If a rank can't reduce its part,
/// all ranks get an error that names it (of [`Ranks::reduce`] the root does), and none waits for another.
#[derive(Debug)]
pub struct Ranks<'c, C: Communicator> {
    communicator: &'c C,
    executor: Executor,
    first: Option<u64>,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RanksError {
    /// A rank could not reduce its part.
    #[error("rank {rank} has no part: {message}")]
    Rank {
        /// The rank.
        rank: i32,
        /// What its executor says.
        message: String,
    },
    /// The parts are no sequence: a caller has said where they begin ([`Ranks::first`]), and there is a gap, or an overlap.
    #[error("the ranks' parts are no sequence: {0}")]
    Parts(#[from] PartialError),
    /// The result is for a rank that the job does not have.
    #[error("there is no rank {root}: the job has {ranks}")]
    NoRank {
        /// The rank.
        root: i32,
        /// How many there are.
        ranks: i32,
    },
}

/// What a rank sends in place of a length, if it has no part.
const FAILED: u32 = u32::MAX;
const LENGTH_BYTES: usize = 4;
/// Of a text that says why a rank has no scan.
const REASON_BYTES: usize = 512;

impl<'c, C: Communicator> Ranks<'c, C> {
    /// This rank's part is reduced by `executor`. Ranks may have different ones: GPUs of any make, and CPUs.
    pub fn new(communicator: &'c C, executor: Executor) -> Self {
        Self { communicator, executor, first: None }
    }

    /// Says where this rank's part begins in the whole sequence, where that is known. All ranks say so, or none: without, a part begins
    /// where that of the rank before ends.
    #[must_use]
    pub fn first(self, first: u64) -> Self {
        Self { first: Some(first), ..self }
    }

    /// The result of all ranks' elements, on all ranks.
    ///
    /// # Errors
    ///
    /// [`RanksError`], the same on all ranks.
    pub fn all_reduce<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        op: Op,
    ) -> Result<Op::Value, RanksError> {
        let parts = self.parts_of_all(self.part::<T, _>(values, self.begin(values.len()), op))?;
        Ok(Partial::merge_all(parts)?.finish()?)
    }

    /// The result of all ranks' elements on the rank `root`, and `None` on the others.
    ///
    /// # Errors
    ///
    /// [`RanksError`] on the rank `root`, and on all ranks if there is no such rank.
    pub fn reduce<T: Element, Op: Operator<T>>(
        &self,
        root: i32,
        values: &[T],
        op: Op,
    ) -> Result<Option<Op::Value>, RanksError> {
        let ranks = self.communicator.size();
        if !(0..ranks).contains(&root) {
            return Err(RanksError::NoRank { root, ranks });
        }
        let message = message(self.part::<T, _>(values, self.begin(values.len()), op));
        let process = self.communicator.process_at_rank(root);
        if self.communicator.rank() != root {
            process.gather_into(&message[..]);
            return Ok(None);
        }
        let mut received = self.room_for_all::<T, Op>();
        process.gather_into_root(&message[..], &mut received[..]);
        Ok(Some(Partial::merge_all(parts::<T, Op>(&received)?)?.finish()?))
    }

    /// What the elements of the ranks before this one come to: an exclusive scan over ranks. On the first rank a part of no elements.
    ///
    /// # Errors
    ///
    /// [`RanksError`], the same on all ranks.
    pub fn exclusive_scan<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        op: Op,
    ) -> Result<Partial<T, Op>, RanksError> {
        let first = self.begin(values.len());
        let empty = self.part::<T, _>(&[], first, op.clone());
        let part = self.part::<T, _>(values, first, op);
        // With both, so that all ranks hear if there is no part of nothing.
        let (empty, part) = match (empty, part) {
            (Ok(empty), Ok(part)) => (Some(empty), Ok(part)),
            (Err(error), _) | (_, Err(error)) => (None, Err(error)),
        };
        let mut parts = self.parts_of_all(part)?;
        // All ranks see whether there is a sequence.
        Partial::merge_all(parts.clone())?;
        parts.truncate(self.rank());
        Ok(if parts.is_empty() { Partial::merge_all(empty)? } else { Partial::merge_all(parts)? })
    }

    /// What the elements of the ranks before this one and its own come to: an inclusive scan over ranks.
    ///
    /// # Errors
    ///
    /// [`RanksError`], the same on all ranks.
    pub fn inclusive_scan<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        op: Op,
    ) -> Result<Partial<T, Op>, RanksError> {
        let mut parts =
            self.parts_of_all(self.part::<T, _>(values, self.begin(values.len()), op))?;
        Partial::merge_all(parts.clone())?;
        parts.truncate(self.rank() + 1);
        Ok(Partial::merge_all(parts)?)
    }

    /// A scan of all ranks' elements, inclusive or exclusive: each rank has the results of its own elements, in its memory, with the bits of a
    /// scan of all of them in one piece. All ranks have the same `scan`, of which the initial value comes before all elements.
    ///
    /// ```no_run
    /// # fn example(ranks: &gridfold_mpi::Ranks<'_, impl mpi::topology::Communicator>) -> Result<(), gridfold_mpi::RanksError> {
    /// use gridfold::{Scan, Sum};
    ///
    /// // On the ranks 0, 1, 2: [0.1, 0.2], [0.3, 0.4], [0.5, 0.6].
    /// let sums = ranks.scan::<f32, _>(Scan::inclusive(), &[0.1, 0.2], Sum)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`RanksError`], the same on all ranks.
    pub fn scan<T: Element, Op: Operator<T>>(
        &self,
        scan: Scan<T>,
        values: &[T],
        op: Op,
    ) -> Result<Vec<Op::Out>, RanksError>
    where
        Op::Out: Element,
    {
        let before = self.exclusive_scan(values, op)?;
        self.unless_one_fails(self.executor.scan_after(scan, &before, values))
    }

    /// What this rank has made, if all ranks have made it; else why the first of those that have not has not.
    fn unless_one_fails<R>(&self, made: Result<R, gridfold::Error>) -> Result<R, RanksError> {
        let none = self.communicator.size();
        let own = if made.is_err() { self.communicator.rank() } else { none };
        let mut rank = none;
        self.communicator.all_reduce_into(&own, &mut rank, SystemOperation::min());
        let mut text = [0; REASON_BYTES];
        let made = match made {
            Ok(made) if rank == none => return Ok(made),
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        let len = made.len().min(REASON_BYTES);
        text[..len].copy_from_slice(&made.as_bytes()[..len]);
        self.communicator.process_at_rank(rank).broadcast_into(&mut text[..]);
        let text = String::from_utf8_lossy(&text);
        Err(RanksError::Rank { rank, message: text.trim_end_matches('\0').to_owned() })
    }

    fn rank(&self) -> usize {
        self.communicator.rank().unsigned_abs() as usize
    }

    /// Where this rank's part of so many elements begins.
    fn begin(&self, len: usize) -> u64 {
        self.first.unwrap_or_else(|| {
            let mut before = 0;
            let sum = SystemOperation::sum();
            self.communicator.exclusive_scan_into(&(len as u64), &mut before, sum);
            // MPI leaves it open what the first rank has then.
            if self.communicator.rank() == 0 { 0 } else { before }
        })
    }

    fn part<T: Element, Op: Operator<T>>(
        &self,
        values: &[T],
        first: u64,
        op: Op,
    ) -> Result<Partial<T, Op>, gridfold::Error> {
        self.executor.reduce_part(values, first, op)
    }

    fn room_for_all<T: Element, Op: Operator<T>>(&self) -> Vec<u8> {
        vec![0; self.communicator.size().unsigned_abs() as usize * message_bytes::<T, Op>()]
    }

    fn parts_of_all<T: Element, Op: Operator<T>>(
        &self,
        part: Result<Partial<T, Op>, gridfold::Error>,
    ) -> Result<Vec<Partial<T, Op>>, RanksError> {
        let mut received = self.room_for_all::<T, Op>();
        self.communicator.all_gather_into(&message(part)[..], &mut received[..]);
        parts(&received)
    }
}

/// A rank's part, or why there is none, in as many bytes as all ranks' messages have.
fn message<T: Element, Op: Operator<T>>(part: Result<Partial<T, Op>, gridfold::Error>) -> Vec<u8> {
    let (len, bytes) = match part {
        Ok(part) => {
            let bytes = part.to_bytes();
            (u32::try_from(bytes.len()).expect("parts are small"), bytes)
        }
        Err(error) => (FAILED, error.to_string().into_bytes()),
    };
    let mut message = len.to_le_bytes().to_vec();
    message.extend(bytes);
    message.resize(message_bytes::<T, Op>(), 0);
    message
}

fn message_bytes<T: Element, Op: Operator<T>>() -> usize {
    LENGTH_BYTES + Partial::<T, Op>::max_bytes()
}

/// The parts of all ranks.
fn parts<T: Element, Op: Operator<T>>(received: &[u8]) -> Result<Vec<Partial<T, Op>>, RanksError> {
    let of_rank = |(rank, message): (i32, &[u8])| {
        let (len, bytes) = message.split_at(LENGTH_BYTES);
        let len = u32::from_le_bytes(len.try_into().expect("4 bytes"));
        let failure = |message: String| RanksError::Rank { rank, message };
        if len == FAILED {
            let text = String::from_utf8_lossy(bytes);
            return Err(failure(text.trim_end_matches('\0').to_owned()));
        }
        let bytes = bytes.get(..len as usize).unwrap_or_default();
        Partial::from_bytes(bytes).map_err(|error| failure(error.to_string()))
    };
    (0..).zip(received.chunks(message_bytes::<T, Op>())).map(of_rank).collect()
}

/// The executor of this rank: the GPUs of a machine are dealt out to its ranks in turn, and without a GPU, or with one that can't be
/// used, it is the CPU. All ranks call it, as any collective of MPI.
pub fn executor_of_rank(communicator: &impl Communicator) -> Executor {
    let local = communicator.split_shared(communicator.rank()).rank().unsigned_abs() as usize;
    let adapters = Executor::adapters();
    let gpus: Vec<_> = adapters
        .iter()
        .filter(|listed| {
            let info = listed.adapter().get_info();
            info.device_type != wgpu::DeviceType::Cpu && info.backend != wgpu::Backend::Gl
        })
        .collect();
    let gpu = gpus.get(local.checked_rem(gpus.len()).unwrap_or(0));
    gpu.and_then(|listed| listed.open().ok()).unwrap_or_else(Executor::cpu)
}

/// What `program` comes to. If it returns an error, or panics, it is the end of the whole job: the error goes to the standard error, and
/// `MPI_Abort` ends the other ranks, which would wait for this one.
pub fn or_end_job<R>(
    communicator: &impl Communicator,
    program: impl FnOnce() -> Result<R, Box<dyn Error>>,
) -> R {
    let rank = communicator.rank();
    // A panic must not go on through what holds MPI: dropping that waits for all ranks.
    match catch_unwind(AssertUnwindSafe(program)) {
        Ok(Ok(result)) => return result,
        Ok(Err(error)) => eprintln!("rank {rank} ends the job: {error}"),
        Err(_) => eprintln!("rank {rank} ends the job: it has panicked"),
    }
    communicator.abort(1)
}
