//! Reductions of segments on a device: [`SegmentedReducer`].

use crate::{
    algebra::{element::Element, precision::Precision},
    device::{
        buffer::GpuSlice,
        context::Context,
        error_scope,
        extent::{Extent, WORD_BYTES},
        pool::Memory,
        readback::Staging,
    },
    dispatch::{
        recording::{Part, Recording, Resources},
        windows::View,
    },
    error::{Error, PrepareError, SegmentError},
    reduce::{
        counted::add_told,
        inputs::{AnyOperator, Input, spec_of},
    },
    segments::{
        before::BeforePlan,
        layout::{Layout, Segments},
        plan::SegmentPlan,
        planner::{GroupBlocks, Places, SegmentProblem, view_of},
        prepared::PreparedSegments,
    },
    wgsl::program::Program,
};
use std::{borrow::Cow, marker::PhantomData};

/// Reduces each segment of a sequence of elements of type `T` by the operator `Op`, on the device of a [`Context`]: rows, what lies along axes,
/// what is between offsets, or what belongs to a group, as [`Segments`] say.
///
/// **Each result has the bits of a reduction of its segment alone**, as a [`Reducer`](crate::Reducer) gives them, on every device and on the
/// CPU, whatever lies around the segment. Places are counted from the segment's first element. An empty segment has the result of nothing:
/// what [`Operator::finish`](crate::Operator::finish) makes of the identity. The time follows elements and segments, however long segments
/// are.
///
/// Elements are of all types but masks of bits. They lie in one slice without gaps, which one binding spans. Options are taken by value. A
/// segmented reducer holds no GPU object of its own.
#[derive(Clone, Debug)]
#[doc(alias("DeviceSegmentedReduce", "reduceat"))]
pub struct SegmentedReducer<T, Op> {
    context: Context,
    precision: Precision,
    program: Option<Program>,
    label: Cow<'static, str>,
    algebra: PhantomData<fn(T) -> Op>,
}

impl<T: Element, Op: AnyOperator<T, Inputs = Input<T>>> SegmentedReducer<T, Op> {
    /// For the device of `context`.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            precision: Precision::default(),
            program: None,
            label: Cow::Borrowed("gridfold segments"),
            algebra: PhantomData,
        }
    }

    /// The segmented reducer with what the user has brought.
    pub(super) fn with_program(self, program: Program) -> Self {
        Self { program: Some(program), ..self }
    }

    /// Sets the promise of results: [`Precision::Reproducible`], the default, which [`Precision::Unordered`] ones keep, too. Of
    /// operators that round devices make [`Precision::Exact`] sums and means of `f32` and of narrower floats, and no others.
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// The label of passes and buffers, for debuggers.
    #[must_use]
    pub fn label(self, label: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The context that the segmented reducer was made from.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The plan for an input, its segments and an output, without allocating anything.
    ///
    /// # Errors
    ///
    /// As [`SegmentedReducer::prepare`].
    pub fn plan(
        &self,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<SegmentPlan, PrepareError> {
        Ok(self.validate(&input.into(), segments, output)?.plan)
    }

    /// Allocates everything that reducing the segments of `input` to the first items of `output` takes: scratch memory of a fifteenth of as many
    /// accumulators as there are elements. Submits nothing, waits for nothing.
    ///
    /// All need `wgpu::BufferUsages::STORAGE`. Of an output that is longer the rest stays as it is.
    ///
    /// # Errors
    ///
    /// [`PrepareError::Segments`] if there are no such segments, or the output shares a buffer with the elements or the offsets;
    /// [`PrepareError::ShortOutput`] if there is no room for a result of each, [`PrepareError::BindingTooSmall`] if elements, results or
    /// scratch memory take more than a binding, and others as of a reduction. Nothing of the caller's is changed then.
    pub fn prepare(
        &self,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<PreparedSegments<T, Op>, PrepareError> {
        self.prepare_in(&input.into(), segments, output, Memory::Own)
    }

    fn prepare_in(
        &self,
        input: &Input<T>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
        memory: Memory,
    ) -> Result<PreparedSegments<T, Op>, PrepareError> {
        let Validated { plan, output, result, input, layout } =
            self.validate(input, segments, output)?;
        let context = &self.context;
        let mut recording = Recording::empty(self.label.clone());
        if !plan.dispatches.is_empty() {
            let numbers = layout.numbers();
            let own = match &plan.before {
                None => None,
                Some(before) => Some(before.add_to(context, &mut recording, numbers, memory)?),
            };
            let size_bytes = plan.scratch_bytes();
            let scratch = context.pool().scratch(memory, &self.label, size_bytes, false)?;
            let given = numbers.map(|numbers| &numbers.buffer);
            let right = own.as_ref().or(given).unwrap_or(context.no_vectors());
            let resources = Resources {
                left: &input.iter().map(GpuSlice::buffer).collect::<Vec<_>>(),
                right: &[right],
                scratch: Some(Part { buffer: &scratch, offset_bytes: 0, size_bytes }),
                accumulator: None,
                result: Some(Part {
                    buffer: output.buffer(),
                    offset_bytes: result.offset_bytes,
                    size_bytes: result.size_bytes,
                }),
                jobs: None,
            };
            match layout {
                Layout::Begins(_, count) => {
                    let (dispatches, most) = (&plan.dispatches, plan.segments);
                    let told = add_told(context, &mut recording, dispatches, most, count, memory)?;
                    recording.add_told(context, dispatches, resources, &told, 0)?;
                }
                _ => recording.add(context, &plan.dispatches, resources, memory)?,
            }
        }
        if memory == Memory::Own {
            error_scope::ensure_not_lost(context.device(), "a reduction of segments")?;
        }
        Ok(PreparedSegments { plan, recording, output, element: PhantomData })
    }

    /// [`SegmentedReducer::prepare`] and [`PreparedSegments::record`] in one: allocates, and appends to the caller's encoder. Submits
    /// nothing, waits for nothing.
    ///
    /// # Errors
    ///
    /// As [`SegmentedReducer::prepare`]; nothing was recorded then.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(), PrepareError> {
        let prepared = self.prepare_in(&input.into(), segments, output, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        prepared.record(encoder);
        Ok(())
    }

    /// Reduces the segments of `input` to `output`: allocates, submits, and completes when the device is done, under any executor.
    ///
    /// # Errors
    ///
    /// [`Error::Prepare`] before anything is submitted, [`Error::Read`] after.
    pub async fn reduce(
        &self,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(), Error> {
        let (readback, _) = self.submit(&input.into(), segments, output)?;
        Ok(readback.await?)
    }

    /// [`SegmentedReducer::reduce`], blocking.
    ///
    /// # Errors
    ///
    /// As [`SegmentedReducer::reduce`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn reduce_blocking(
        &self,
        input: impl Into<Input<T>>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(), Error> {
        let (readback, submission) = self.submit(&input.into(), segments, output)?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn submit(
        &self,
        input: &Input<T>,
        segments: &Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<(crate::Readback<()>, wgpu::SubmissionIndex), PrepareError> {
        let prepared = self.prepare_in(input, segments, output, Memory::Pooled)?;
        // Of nothing but the proof that the device is done.
        let staging = Staging::allocate(&self.context, 0)?;
        let mut encoder = self.context.create_encoder(&self.label)?;
        prepared.record(&mut encoder);
        let readback = staging.record(&self.context, &mut encoder, &[], |_| ());
        Ok((readback, self.context.submit(encoder)?))
    }

    fn validate<'a>(
        &self,
        input: &Input<T>,
        segments: &'a Segments,
        output: &GpuSlice<Op::Out>,
    ) -> Result<Validated<'a, T, Op::Out>, PrepareError> {
        let spec = spec_of::<T, Op>(self.program)?;
        let (operator, element, precision) = (spec.operator, spec.element, self.precision);
        if !spec.has_segments() && !spec.is_exact_alone() {
            return Err(SegmentError::Element { element }.into());
        }
        // What an operator of the user's own rounds, if anything, is not known.
        if precision == Precision::Exact && self.program.is_some() {
            return Err(PrepareError::Imprecise { operator, element, precision });
        }
        let is_exact = precision == Precision::Exact && !spec.order_free;
        if !spec.has_segments_at(precision) {
            return Err(SegmentError::Inexact { operator, element }.into());
        }
        let filled: Vec<_> = input.0.iter().filter(|slice| !slice.is_empty()).cloned().collect();
        let slice = match &filled[..] {
            [] => None,
            [slice] if !slice.is_strided() => Some(slice.clone()),
            slices => return Err(SegmentError::Input { slices: slices.len() }.into()),
        };
        let usage = wgpu::BufferUsages::STORAGE;
        slice.iter().try_for_each(|slice| slice.require_usage("input", usage))?;
        let layout = segments.of(input.len())?;
        let count = layout.segments();
        if output.is_strided() {
            return Err(PrepareError::StridedOutput);
        }
        output.require_usage("output", usage)?;
        let Ok(output) = output.slice(0..count) else {
            return Err(PrepareError::ShortOutput { len: output.len(), needed: count });
        };
        let is_output = |buffer: &wgpu::Buffer| buffer == output.buffer();
        let reads_output = slice.iter().any(|slice| is_output(slice.buffer()))
            || layout.numbers().is_some_and(|numbers| is_output(&numbers.buffer));
        if count > 0 && reads_output {
            return Err(SegmentError::Aliasing.into());
        }
        if let Layout::Begins(_, count) = layout {
            count.check(&output)?;
        }
        let capabilities = self.context.capabilities();
        let begin = output.offset_bytes();
        let head_bytes = begin % capabilities.binding_alignment_bytes.max(WORD_BYTES);
        let result = Binding {
            offset_bytes: begin - head_bytes,
            size_bytes: head_bytes + output.bytes().end - begin,
        };
        let empty =
            Extent { buffer_bytes: 0, offset_bytes: 0, len: 0, stride_bytes: None, bits: None };
        let blocks = match &layout {
            Layout::Groups(numbers, groups) if self.program.is_none() => {
                let blocks = GroupBlocks::of(spec, *groups, input.len(), capabilities);
                blocks.map(|blocks| Places::Groups(numbers.extent, blocks))
            }
            _ => None,
        };
        let before = match &layout {
            _ if count == 0 || blocks.is_some() => None,
            Layout::Apart(_, sides) => Some(BeforePlan::of_axes(sides, input.len(), capabilities)?),
            Layout::Lengths(lengths) => Some(BeforePlan::of_lengths(lengths, capabilities)?),
            Layout::Groups(numbers, groups) => {
                let view = view_of(numbers.element, numbers.extent, capabilities)?;
                // Of no numbers nothing is read.
                let view = view.unwrap_or(NO_NUMBERS);
                Some(BeforePlan::of_groups(view, input.len(), *groups, capabilities)?)
            }
            _ => None,
        };
        let problem = SegmentProblem {
            spec,
            is_exact,
            program: self.program,
            input: slice.as_ref().map_or(empty, GpuSlice::extent),
            places: blocks.unwrap_or_else(|| match (&layout, &before) {
                (Layout::Grid(grid) | Layout::Apart(grid, _), before) => {
                    Places::Grid(*grid, before.as_ref().map(|before| before.view))
                }
                (Layout::Begins(begins, _), _) => Places::Begins(begins.extent, begins.element),
                (_, Some(before)) => Places::Own(before.view, before.offset_type()),
                (
                    Layout::Offsets(offsets)
                    | Layout::Lengths(offsets)
                    | Layout::Groups(offsets, _),
                    None,
                ) => Places::Offsets(offsets.extent, offsets.element),
            }),
            order: before.as_ref().map_or((0, 0), BeforePlan::order),
            segments: count,
            result_index: u32::try_from(head_bytes / WORD_BYTES).expect("alignments are small"),
        };
        let plan = SegmentPlan::new(problem, before, capabilities)?;
        Ok(Validated { plan, output, result, input: slice, layout })
    }
}

/// A binding of nothing that is read.
const NO_NUMBERS: View = View {
    slice: 0,
    offset_bytes: 0,
    size_bytes: 16,
    head_bytes: 0,
    stride_bytes: None,
    bits: None,
};

/// What can be done.
struct Validated<'a, T, Out> {
    plan: SegmentPlan,
    /// As many items as there are segments.
    output: GpuSlice<Out>,
    result: Binding,
    input: Option<GpuSlice<T>>,
    layout: Layout<'a>,
}

/// What is bound of the output's buffer.
struct Binding {
    offset_bytes: u64,
    size_bytes: u64,
}
