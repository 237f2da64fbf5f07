//! Selections of arrays, and of slices in host memory.

use crate::{
    algebra::{element::Element, flag::Flag},
    cpu,
    device::{buffer::GpuSlice, context::Context},
    error::{Error, PrepareError},
    executor::{Executor, array::Array, host::HostSlices},
    select::{compaction::Compaction, compactor::Compactor},
};

impl Executor {
    /// The elements whose flags are set, in order. A mask is of `u32`s or [`Bool`](crate::Bool)s, a flag for each element, or of
    /// [`Bits`](crate::Bits), 32 flags each.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.select(&[2.5f32, -1.0, 7.0], &[1u32, 0, 1])?, [2.5, 7.0]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// All selections of slices run on the CPU, unless [`HostSlices::OnDevice`] says otherwise. Then elements and results have room on the
    /// device.
    ///
    /// # Errors
    ///
    /// [`PrepareError::MaskLength`] if elements and flags are not as many, [`PrepareError::OutOfMemory`]; on a GPU as of
    /// [`Executor::upload`], [`Array::select`] and [`Array::download`].
    #[doc(alias("compact", "copy_if", "filter", "DeviceSelect"))]
    pub fn select<T: Element, M: Flag>(&self, values: &[T], mask: &[M]) -> Result<Vec<T>, Error> {
        match self.selects_on_device() {
            true => self.upload_once(values)?.select(&self.upload(mask)?)?.download(),
            false => Ok(cpu::select(values, mask)?),
        }
    }

    /// The elements whose flags are set, and behind them the others, both in order; and how many are set.
    ///
    /// # Errors
    ///
    /// As [`Executor::select`].
    #[doc(alias("DevicePartition"))]
    pub fn partition<T: Element, M: Flag>(
        &self,
        values: &[T],
        mask: &[M],
    ) -> Result<(Vec<T>, u64), Error> {
        if !self.selects_on_device() {
            return Ok(cpu::partition(values, mask)?);
        }
        let (parted, count) = self.upload_once(values)?.partition(&self.upload(mask)?)?;
        Ok((parted.download()?, count))
    }

    /// The positions of the flags that are set, from 0: `argwhere`.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// assert_eq!(executor.positions(&[gridfold::Bits(0b1001)])?, [0, 3]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::select`].
    #[doc(alias("nonzero", "argwhere"))]
    pub fn positions<M: Flag>(&self, mask: &[M]) -> Result<Vec<u64>, Error> {
        match self.selects_on_device() {
            true => self.upload_once(mask)?.positions()?.download(),
            false => Ok(cpu::positions(mask)?),
        }
    }

    /// The first element of each run of equal ones, as `uniq` does: of sorted values each one once. Elements are equal if their bits are.
    ///
    /// # Errors
    ///
    /// As [`Executor::select`].
    pub fn unique<T: Element>(&self, values: &[T]) -> Result<Vec<T>, Error> {
        match self.selects_on_device() {
            true => self.upload_once(values)?.unique()?.download(),
            false => Ok(cpu::unique(values)?),
        }
    }

    /// The first element of each run of equal ones, and the runs' lengths: run-length encoding.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let (values, lengths) = executor.run_lengths(&[7u32, 7, 7, 1, 7])?;
    /// assert_eq!((values, lengths), (vec![7, 1, 7], vec![3, 1, 1]));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Executor::select`].
    #[doc(alias("run_length_encode", "DeviceRunLengthEncode"))]
    pub fn run_lengths<T: Element>(&self, values: &[T]) -> Result<(Vec<T>, Vec<u64>), Error> {
        if !self.selects_on_device() {
            return Ok(cpu::run_lengths(values)?);
        }
        let (values, lengths) = self.upload_once(values)?.run_lengths()?;
        Ok((values.download()?, lengths.download()?))
    }

    pub(super) fn selects_on_device(&self) -> bool {
        self.host_slices == HostSlices::OnDevice && self.context().is_some()
    }
}

impl<T: Element> Array<T> {
    /// The elements whose flags are set, in order, as an array of the same executor. It keeps the memory of as many elements as this one has.
    ///
    /// ```
    /// let executor = gridfold::Executor::auto();
    /// let (values, mask) = (executor.upload(&[3u32, 1, 4])?, executor.upload(&[0u32, 1, 1])?);
    /// assert_eq!(values.select(&mask)?.download()?, [1, 4]);
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PrepareError::MaskLength`] if elements and flags are not as many, [`PrepareError::DifferentExecutors`] if the mask is of another
    /// one, [`PrepareError::OutOfMemory`]; on a GPU [`PrepareError::NoSelection`] of [`Bits`](crate::Bits) as elements, and as of
    /// [`Compactor::run_blocking`].
    #[doc(alias("compact", "copy_if", "filter", "DeviceSelect"))]
    pub fn select<M: Flag>(&self, mask: &Array<M>) -> Result<Self, Error> {
        match self.with_mask(mask)? {
            None => {
                let selected = self.on_cpu(|all| mask.on_cpu(|mask| cpu::select(all, mask)));
                Ok(Self::on_host(selected?, self.result_precision()))
            }
            Some((context, input, mask)) => {
                let output = Self::unwritten(context, self.len(), self.result_precision())?;
                let to = output.gpu_slices().unwrap_or_default();
                self.selected(context, &output, &Compaction::select::<T, M>(input, mask, to))
            }
        }
    }

    /// The elements whose flags are set, and behind them the others, both in order; and how many are set.
    ///
    /// # Errors
    ///
    /// As [`Array::select`].
    #[doc(alias("DevicePartition"))]
    pub fn partition<M: Flag>(&self, mask: &Array<M>) -> Result<(Self, u64), Error> {
        match self.with_mask(mask)? {
            None => {
                let parted = self.on_cpu(|all| mask.on_cpu(|mask| cpu::partition(all, mask)));
                let (parted, count) = parted?;
                Ok((Self::on_host(parted, self.result_precision()), count))
            }
            Some((context, input, mask)) => {
                let output = Self::unwritten(context, self.len(), self.result_precision())?;
                let to = output.gpu_slices().unwrap_or_default();
                let compaction = Compaction::partition::<T, M>(input, mask, to);
                let count = self.compactor(context).run_blocking(&compaction)?;
                Ok((output, count))
            }
        }
    }

    /// The first element of each run of equal ones, as an array of the same executor, as [`Executor::unique`] says.
    ///
    /// # Errors
    ///
    /// As [`Array::select`].
    pub fn unique(&self) -> Result<Self, Error> {
        let Some((context, input)) = self.on_gpu() else {
            return Ok(Self::on_host(self.on_cpu(cpu::unique)?, self.result_precision()));
        };
        let output = Self::unwritten(context, self.len(), self.result_precision())?;
        let to = output.gpu_slices().unwrap_or_default();
        self.selected(context, &output, &Compaction::unique::<T>(input, to))
    }

    /// The first element of each run of equal ones, and the runs' lengths, as arrays of the same executor.
    ///
    /// # Errors
    ///
    /// As [`Array::select`].
    #[doc(alias("run_length_encode", "DeviceRunLengthEncode"))]
    pub fn run_lengths(&self) -> Result<(Self, Array<u64>), Error> {
        let precision = self.result_precision();
        let Some((context, input)) = self.on_gpu() else {
            let (values, lengths) = self.on_cpu(cpu::run_lengths)?;
            return Ok((Self::on_host(values, precision), Array::on_host(lengths, precision)));
        };
        let values = Self::unwritten(context, self.len(), precision)?;
        let lengths = Array::<u64>::unwritten(context, self.len(), precision)?;
        let to = values.gpu_slices().unwrap_or_default();
        let lengths_to = lengths.gpu_slices().unwrap_or_default();
        let compaction = Compaction::run_lengths::<T, u64>(input, to, lengths_to);
        let count = self.compactor(context).run_blocking(&compaction)?;
        Ok((values.slice(0..count)?, lengths.slice(0..count)?))
    }

    pub(super) fn compactor(&self, context: &Context) -> Compactor {
        Compactor::new(context).strategy(self.strategy)
    }

    /// What was selected, of the output.
    pub(super) fn selected<Out: Element>(
        &self,
        context: &Context,
        output: &Array<Out>,
        compaction: &Compaction,
    ) -> Result<Array<Out>, Error> {
        let count = self.compactor(context).run_blocking(compaction)?;
        Ok(output.slice(0..count)?)
    }

    /// Where both are, on a GPU. `None` on the CPU.
    pub(super) fn with_mask<'a, M: Element>(
        &'a self,
        mask: &'a Array<M>,
    ) -> Result<Option<OnGpu<'a, T, M>>, PrepareError> {
        match (self.on_gpu(), mask.on_gpu()) {
            (None, None) => Ok(None),
            (Some((context, input)), Some((other, mask))) if context.is(other) => {
                Ok(Some((context, input, mask)))
            }
            _ => Err(PrepareError::DifferentExecutors {
                left: self.adapter().to_string(),
                right: mask.adapter().to_string(),
            }),
        }
    }
}

impl<M: Flag> Array<M> {
    /// The positions of the flags that are set, from 0, as an array of the same executor: `argwhere`.
    ///
    /// # Errors
    ///
    /// As [`Array::select`].
    #[doc(alias("nonzero", "argwhere"))]
    pub fn positions(&self) -> Result<Array<u64>, Error> {
        let precision = self.result_precision();
        let Some((context, mask)) = self.on_gpu() else {
            return Ok(Array::on_host(self.on_cpu(cpu::positions)?, precision));
        };
        let flags = self.len() * if M::BYTES == 0 { 32 } else { 1 };
        let output = Array::<u64>::unwritten(context, flags, precision)?;
        let to = output.gpu_slices().unwrap_or_default();
        self.selected(context, &output, &Compaction::positions::<M, u64>(mask, to))
    }
}

/// Elements and a mask on a GPU.
pub(super) type OnGpu<'a, T, M> = (&'a Context, &'a [GpuSlice<T>], &'a [GpuSlice<M>]);
