//! Compiling ahead of time.

use crate::{
    algebra::{
        element::Element,
        operator::{Items, Operator},
    },
    batches::{batch::Batch, short::spec_of_segments},
    device::{
        buffer::{self, AnySlice},
        context::Context,
        pool::Memory,
        readback::{Readback, Source, Staging},
    },
    error::{Error, PrepareError},
    reduce::{any_reducer::AnyReducer, inputs::AnyInput, plan::ROUND_ITEMS, reducer::Reducer},
    way::policy::Policy,
};
use std::borrow::Cow;

/// Two blocks of the least elements that a block can have.
const ITEMS: u64 = 2 * ROUND_ITEMS;
/// Nothing; a single block; some blocks, of which one has an edge; whole blocks.
const LENGTHS: [u64; 4] = [0, ROUND_ITEMS / 2 - 1, ITEMS - 1, ITEMS];
/// A chunk of segments.
const SHORT_ITEMS: u64 = 16;
/// Bytes of a vector before the first element, for each pipeline that loads elements of such a size.
const fn places(element_bytes: u64) -> &'static [u64] {
    if element_bytes == 8 { &[0, 4, 8] } else { &[0, 4] }
}

impl Context {
    /// Compiles the pipelines of reductions by an operator: [`Reducer::warm_up`] of a reducer without options.
    ///
    /// ```
    /// # use gridfold::{Executor, Mean};
    /// # let executor = Executor::auto();
    /// # let Some(context) = executor.context() else { return Ok(()) };
    /// context.warm_up_blocking::<f32, _>(Mean)?; // behind a loading screen
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    pub async fn warm_up<T: Element, Op: Operator<T>>(&self, op: Op) -> Result<(), Error> {
        Reducer::<T, _>::new(self, op).warm_up().await
    }

    /// [`Context::warm_up`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Context::warm_up`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn warm_up_blocking<T: Element, Op: Operator<T>>(&self, op: Op) -> Result<(), Error> {
        Reducer::<T, _>::new(self, op).warm_up_blocking()
    }
}

impl<I: Items, Op: Operator<I>> Reducer<I, Op> {
    /// Compiles the pipelines of reductions by this reducer, on their own and in batches, for inputs of any length and alignment. Later
    /// reductions need not wait for the compiler then. It reduces some zeros, because drivers may compile at the first use of a pipeline.
    ///
    /// The context keeps the pipelines. So warm up one reducer for each operator, type and options. What is there already takes no time.
    ///
    /// Outputs in a buffer of the input are not covered if results come in a single pass: they come from other kernels.
    ///
    /// ```
    /// # use gridfold::{Executor, Reducer, Sum};
    /// # let executor = Executor::auto();
    /// # let Some(context) = executor.context() else { return Ok(()) };
    /// let sum = Reducer::<u32, _>::new(context, Sum);
    /// sum.warm_up_blocking()?; // behind a loading screen
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reducer::reduce`].
    pub async fn warm_up(&self) -> Result<(), Error> {
        let (readback, _) = self.submit_warm_up()?;
        Ok(readback.await?)
    }

    /// [`Reducer::warm_up`], blocking.
    ///
    /// # Errors
    ///
    /// As [`Reducer::warm_up`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn warm_up_blocking(&self) -> Result<(), Error> {
        let (readback, submission) = self.submit_warm_up()?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn submit_warm_up(&self) -> Result<(Readback<()>, wgpu::SubmissionIndex), PrepareError> {
        // Which kernels there are does not depend on it.
        let blocks = self.clone().policy(Policy { min_rows: 4, ..Policy::DEFAULT });
        submit(self.any(), blocks.any())
    }
}

const LABEL: &str = "gridfold warm-up";

/// Reduces zeros by a reducer, and by the same with small blocks.
fn submit(
    reducer: &AnyReducer,
    blocks: &AnyReducer,
) -> Result<(Readback<()>, wgpu::SubmissionIndex), PrepareError> {
    let (context, device) = (reducer.context(), reducer.context().device());
    let element_bytes = reducer.element().size_bytes();
    // With room behind the last element, so that it can be loaded with others.
    let size_bytes = ITEMS * element_bytes + 16;
    let zeros = buffer::create(device, LABEL, size_bytes, wgpu::BufferUsages::STORAGE)?;
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let with_place = blocks.with_place();
    let output = buffer::create(device, LABEL, with_place.out_bytes(), usage)?;
    let result_of = |any: &AnyReducer| AnySlice::whole(&output, any.out_bytes());
    let mut encoder = context.create_encoder(LABEL)?;
    let mut batch = Batch::new(context);
    for &offset_bytes in places(element_bytes) {
        for len in LENGTHS {
            let left = vec![AnySlice::new(&zeros, element_bytes, offset_bytes, len)?];
            let beside = |inputs| match reducer.of_type().inputs >= inputs {
                true => left.clone(),
                false => Vec::new(),
            };
            let inputs = AnyInput { right: beside(2), third: beside(3), left };
            blocks.prepare(&inputs, &result_of(blocks), Memory::Pooled)?.record(&mut encoder);
            if let Cow::Owned(any) = &with_place {
                any.prepare(&inputs, &result_of(any), Memory::Pooled)?.record(&mut encoder);
            }
            batch.add_any(blocks, inputs)?;
        }
    }
    batch.prepare()?.record(&mut encoder);
    record_segments(reducer, &zeros, &mut encoder)?;
    let staging = Staging::allocate_own(context, 4)?;
    let source = Source { buffer: &output, offset_bytes: 0, size_bytes: 4 };
    let readback = staging.record(context, &mut encoder, &[source], |_| ());
    Ok((readback, context.submit(encoder)?))
}

/// Of short inputs in a batch: some at once, which are not in the order of their results.
fn record_segments(
    reducer: &AnyReducer,
    zeros: &wgpu::Buffer,
    encoder: &mut wgpu::CommandEncoder,
) -> Result<(), PrepareError> {
    if spec_of_segments(reducer).is_none() {
        return Ok(());
    }
    let element_bytes = reducer.element().size_bytes();
    for first_byte in places(element_bytes) {
        let mut batch = Batch::new(reducer.context()).with_segments_of_few();
        for begin in [SHORT_ITEMS, 0] {
            let offset_bytes = first_byte + begin * element_bytes;
            let slice = AnySlice::new(zeros, element_bytes, offset_bytes, SHORT_ITEMS)?;
            batch.add_any(reducer, AnyInput { left: vec![slice], ..AnyInput::default() })?;
        }
        batch.prepare()?.record(encoder);
    }
    Ok(())
}
