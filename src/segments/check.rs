//! Offsets on the device, looked at by the host.

use crate::{
    algebra::offset::Offset,
    axes::Rising,
    device::{
        buffer::GpuSlice,
        context::Context,
        readback::{Readback, submit_copy},
    },
    error::{Error, PrepareError, SegmentError},
    segments::layout::Segments,
};

/// Bytes that come to the host at once.
const PART_BYTES: u64 = 4 << 20;

impl Segments {
    /// Copies offsets from the device to the host, and looks at each: they must not decrease, and none may exceed `len`, the number of elements. A reduction
    /// does not look. If offsets decrease, its results mean nothing. Check offsets from other sources once.
    ///
    /// The offsets need `wgpu::BufferUsages::COPY_SRC`. With [`Segments::begins`] pass only as many as its count says.
    ///
    /// # Errors
    ///
    /// [`SegmentError::Offset`] tells which offset is the first wrong one, [`PrepareError::Usage`] what the buffer lacks; [`Error::Read`] if the
    /// device fails.
    pub async fn check_offsets<O: Offset + Into<u64>>(
        context: &Context,
        offsets: &GpuSlice<O>,
        len: u64,
    ) -> Result<(), Error> {
        let mut rising = Rising::new(len);
        for part in parts(context, offsets)? {
            let (readback, _) = submit(context, &part, rising)?;
            rising = readback.await?.map_err(PrepareError::from)?;
        }
        Ok(())
    }

    /// [`Segments::check_offsets`], blocking.
    ///
    /// ```
    /// use gridfold::{Executor, Segments};
    ///
    /// let executor = Executor::auto();
    /// let Some(context) = executor.context() else { return Ok(()) };
    /// let offsets = executor.upload(&[0u32, 3, 2])?;
    /// let offsets = &offsets.gpu_slices().expect("on a GPU")[0];
    /// let error = Segments::check_offsets_blocking(context, offsets, 5).unwrap_err();
    /// assert!(error.to_string().contains("offset 2 is 2, where 3 to 5 would do"));
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Segments::check_offsets`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn check_offsets_blocking<O: Offset + Into<u64>>(
        context: &Context,
        offsets: &GpuSlice<O>,
        len: u64,
    ) -> Result<(), Error> {
        let mut rising = Rising::new(len);
        for part in parts(context, offsets)? {
            let (readback, submission) = submit(context, &part, rising)?;
            rising = readback.wait_submitted(submission)?.map_err(PrepareError::from)?;
        }
        Ok(())
    }
}

/// The slice in parts that are copied at once.
fn parts<O: Offset>(
    context: &Context,
    offsets: &GpuSlice<O>,
) -> Result<Vec<GpuSlice<O>>, PrepareError> {
    offsets.require_usage("offsets", wgpu::BufferUsages::COPY_SRC)?;
    let most_bytes = PART_BYTES.min(context.capabilities().max_buffer_bytes / 2);
    let stride_bytes = offsets.extent().stride_bytes.unwrap_or(O::TYPE.size_bytes());
    let most = (most_bytes / stride_bytes).max(1);
    let begins = (0..offsets.len()).step_by(usize::try_from(most).unwrap_or(usize::MAX));
    begins.map(|begin| Ok(offsets.slice(begin..offsets.len().min(begin + most))?)).collect()
}

/// Copies a part, and looks at it.
fn submit<O: Offset + Into<u64>>(
    context: &Context,
    part: &GpuSlice<O>,
    rising: Rising,
) -> Result<(Readback<Result<Rising, SegmentError>>, wgpu::SubmissionIndex), PrepareError> {
    let stride_bytes = part.extent().stride_bytes.unwrap_or(O::TYPE.size_bytes());
    let step = usize::try_from(stride_bytes).unwrap_or(usize::MAX);
    let look = move |copied: &[u8]| {
        let offsets = copied
            .chunks(step)
            .map(|chunk| bytemuck::pod_read_unaligned::<O>(&chunk[..size_of::<O>()]).into());
        rising.then(offsets)
    };
    Ok(submit_copy(context, "gridfold offsets", part.buffer(), part.bytes(), look)?)
}
