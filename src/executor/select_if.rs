//! Selections by a predicate, of arrays and of slices in host memory.

use crate::{
    algebra::element::Bits,
    cpu,
    custom::expression::{IntoPredicate, MapElement, Predicate},
    error::{Error, PrepareError},
    executor::{Executor, array::Array},
    partial::end_of,
    room::reserve,
    select::compaction::Compaction,
};

impl Executor {
    /// Selects the `values`, in order, for which a predicate over `x` and `i` is true, as [`Predicate`] says.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.select_if(&[2.5f32, -1.0, 7.0], "x > 0.0")?, [2.5, 7.0]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// A predicate is a text, or a [`Predicate`], which may have parameters. Elements of less than a word are widened for it, and of several components it takes
    /// these, as `x.z`. It runs where [`Executor::select`] does.
    ///
    /// # Errors
    ///
    /// [`Error::Wgsl`], with line and column of the predicate; as [`Executor::select`].
    #[doc(alias("copy_if", "filter", "DeviceSelect::If"))]
    pub fn select_if<T: MapElement>(
        &self,
        values: &[T],
        predicate: impl IntoPredicate<T>,
    ) -> Result<Vec<T>, Error> {
        let predicate = &predicate.into_predicate()?;
        if self.selects_on_device() {
            return self.upload_once(values)?.select_if(predicate)?.download();
        }
        Ok(cpu::select(values, &flags(values, predicate, 0)?)?)
    }

    /// Puts the `values` first for which a predicate is true, and behind them the others, both in order; and how many the first are.
    ///
    /// # Errors
    ///
    /// As [`Executor::select_if`].
    #[doc(alias("DevicePartition::If"))]
    pub fn partition_if<T: MapElement>(
        &self,
        values: &[T],
        predicate: impl IntoPredicate<T>,
    ) -> Result<(Vec<T>, u64), Error> {
        let predicate = &predicate.into_predicate()?;
        if self.selects_on_device() {
            let (parted, count) = self.upload_once(values)?.partition_if(predicate)?;
            return Ok((parted.download()?, count));
        }
        Ok(cpu::partition(values, &flags(values, predicate, 0)?)?)
    }

    /// The positions, from 0, of those of `values` for which a predicate is true: `argwhere`.
    ///
    /// # Errors
    ///
    /// As [`Executor::select_if`].
    #[doc(alias("find_if", "argwhere", "flatnonzero"))]
    pub fn positions_if<T: MapElement>(
        &self,
        values: &[T],
        predicate: impl IntoPredicate<T>,
    ) -> Result<Vec<u64>, Error> {
        let predicate = &predicate.into_predicate()?;
        if self.selects_on_device() {
            return self.upload_once(values)?.positions_if(predicate)?.download();
        }
        Ok(positions(values, predicate, 0)?)
    }

    /// [`Executor::positions_if`] of values that go on where a part of the sequence ends: positions, and the index `i`, are counted from `begin` on. So a
    /// sequence may be larger than memory.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.positions_if_from(&[2.5f32, -1.0, 7.0], 100, "x > 0.0 && i > 100u")?, [102]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::positions_if`]; [`PrepareError::TooLong`] of positions beyond 2^40.
    #[doc(alias("find_if", "argwhere", "flatnonzero"))]
    pub fn positions_if_from<T: MapElement>(
        &self,
        values: &[T],
        begin: u64,
        predicate: impl IntoPredicate<T>,
    ) -> Result<Vec<u64>, Error> {
        let predicate = &predicate.into_predicate()?;
        end_of(begin, values.len() as u64)?;
        if self.selects_on_device() {
            return self.upload_once(values)?.positions_from(begin, predicate)?.download();
        }
        Ok(positions(values, predicate, begin)?)
    }
}

impl<T: MapElement> Array<T> {
    /// The elements, in order, for which a predicate over `x` and `i` is true, as [`Predicate`] says: as an array of the same executor, which
    /// keeps the memory of as many elements as this one has.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let values = executor.upload(&[3i32, -1, 4])?;
    /// assert_eq!(values.select_if("x > 0 && i > 0u")?.download()?, [4]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Wgsl`], with line and column of the predicate; as [`Array::select`].
    #[doc(alias("copy_if", "filter", "DeviceSelect::If"))]
    pub fn select_if(&self, predicate: impl IntoPredicate<T>) -> Result<Self, Error> {
        let predicate = predicate.into_predicate()?;
        let precision = self.result_precision();
        let Some((context, input)) = self.on_gpu() else {
            let of = |all: &[T]| cpu::select(all, &flags(all, &predicate, 0)?);
            return Ok(Self::on_host(self.on_cpu(of)?, precision));
        };
        let output = Self::unwritten(context, self.len(), precision)?;
        let to = output.gpu_slices().unwrap_or_default();
        self.selected(context, &output, &Compaction::select_if(input, &predicate, to)?)
    }

    /// The elements for which a predicate is true, and behind them the others, both in order; and how many the first are.
    ///
    /// # Errors
    ///
    /// As [`Array::select_if`].
    #[doc(alias("DevicePartition::If"))]
    pub fn partition_if(&self, predicate: impl IntoPredicate<T>) -> Result<(Self, u64), Error> {
        let predicate = predicate.into_predicate()?;
        let precision = self.result_precision();
        let Some((context, input)) = self.on_gpu() else {
            let of = |all: &[T]| cpu::partition(all, &flags(all, &predicate, 0)?);
            let (parted, count) = self.on_cpu(of)?;
            return Ok((Self::on_host(parted, precision), count));
        };
        let output = Self::unwritten(context, self.len(), precision)?;
        let to = output.gpu_slices().unwrap_or_default();
        let compaction = Compaction::partition_if(input, &predicate, to)?;
        let count = self.compactor(context).run_blocking(&compaction)?;
        Ok((output, count))
    }

    /// The positions, from 0, of the elements for which a predicate is true: `argwhere`. As an array of the same executor.
    ///
    /// # Errors
    ///
    /// As [`Array::select_if`].
    #[doc(alias("find_if", "argwhere", "flatnonzero"))]
    pub fn positions_if(&self, predicate: impl IntoPredicate<T>) -> Result<Array<u64>, Error> {
        self.positions_from(0, &predicate.into_predicate()?)
    }

    fn positions_from(&self, begin: u64, predicate: &Predicate<T>) -> Result<Array<u64>, Error> {
        let precision = self.result_precision();
        let Some((context, input)) = self.on_gpu() else {
            let found = self.on_cpu(|all| positions(all, predicate, begin))?;
            return Ok(Array::on_host(found, precision));
        };
        let output = Array::<u64>::unwritten(context, self.len(), precision)?;
        let to = output.gpu_slices().unwrap_or_default();
        self.selected(
            context,
            &output,
            &Compaction::positions_if(input, predicate, to)?.begins_at(begin),
        )
    }
}

/// The positions, counted from `begin` on, of the elements for which a predicate is true, on the CPU.
fn positions<T: MapElement>(
    values: &[T],
    predicate: &Predicate<T>,
    begin: u64,
) -> Result<Vec<u64>, PrepareError> {
    let mut positions = cpu::positions(&flags(values, predicate, begin)?)?;
    positions.iter_mut().for_each(|position| *position += begin);
    Ok(positions)
}

/// A flag for each element, on the CPU. The index is counted from `first` on.
fn flags<T: MapElement>(
    values: &[T],
    predicate: &Predicate<T>,
    first: u64,
) -> Result<Vec<Bits>, PrepareError> {
    let mut flags = Vec::new();
    reserve(&mut flags, values.len().div_ceil(32), "the flags of a selection")?;
    let make = |begin: usize, words: &mut [u32]| {
        #[expect(clippy::cast_possible_truncation, reason = "indices are modulo 2^32")]
        predicate.run(&values[begin..begin + words.len()], (first + begin as u64) as u32, words);
    };
    // Parts begin at multiples of 32.
    cpu::make_parts(values.len(), make, |words| {
        let bits = |words: &[u32]| words.iter().rev().fold(0, |bits, word| bits << 1 | word);
        flags.extend(words.chunks(32).map(|words| Bits(bits(words))));
    });
    Ok(flags)
}
