//! What a [`SegmentedReducer`](super::segmented_reducer::SegmentedReducer) does, whatever the types of its elements and results: compiled once, and
//! not for every operator and element.

use crate::{
    algebra::{element::ElementType, operator::OperatorSpec, precision::Precision},
    axes::Grid,
    custom::any_operator::AnyOperator,
    device::{
        buffer::AnySlice,
        context::Context,
        error_scope,
        extent::Extent,
        pool::Memory,
        readback::{Readback, submit_alone},
    },
    dispatch::recording::{Part, Recording, Resources},
    error::{PrepareError, SegmentError},
    reduce::{
        any_reducer::{AnyReducer, Settings},
        blocks::narrow,
        counted::add_told,
        inputs::{AnyInput, spec_of, total_len},
        work::Destination,
    },
    segments::{
        before::{BeforePlan, Order},
        bound::Bound,
        group_blocks::GroupBlocks,
        layout::{Layout, Segments},
        pieces::{MAX_ALONE, Pieces, Room, are_few_and_long, check_alone, part_of, slices_of},
        plan::SegmentPlan,
        planner::{Places, SegmentProblem},
        windows::Windows,
    },
    wgsl::{kernel::Stored, program::Program},
};
#[cfg(not(target_arch = "wasm32"))]
use crate::{device::extent::WORD_BYTES, error::Error};
use std::{borrow::Cow, ops::Range};

#[derive(Clone, Debug)]
pub(crate) struct AnySegmentedReducer {
    pub(super) context: Context,
    pub(super) precision: Precision,
    pub(super) program: Option<Program>,
    pub(super) label: Cow<'static, str>,
    /// What the operator's type tells. A program may be another.
    pub(super) of_type: OperatorSpec,
}

/// Segments with everything allocated.
pub(super) struct AnyPrepared {
    pub(crate) plan: SegmentPlan,
    pub(super) recording: Recording,
    /// As many results are written.
    pub(super) segments: u64,
}

impl AnySegmentedReducer {
    /// A reducer of segments by an operator.
    pub(crate) fn new(context: &Context, of_type: OperatorSpec) -> Self {
        Self {
            context: context.clone(),
            precision: Precision::default(),
            program: None,
            label: Cow::Borrowed("gridfold segments"),
            of_type,
        }
    }

    /// A reducer by an operator without its types.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn by(context: &Context, operator: &AnyOperator) -> Self {
        Self::new(context, *operator.spec()).program(operator.program())
    }

    /// The same with what a user's own operator has brought.
    pub(crate) fn program(self, program: Option<Program>) -> Self {
        Self { program, ..self }
    }

    /// The same with another promise of results.
    pub(crate) fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// The promise of results.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn result_precision(&self) -> Precision {
        self.precision
    }

    /// The context that the reducer was made from.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn element(&self) -> ElementType {
        self.of_type.element
    }

    /// The size of a result.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn out_bytes(&self) -> u64 {
        u64::from(self.of_type.out_words) * WORD_BYTES
    }

    /// Reduces, and waits until the device is done.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn reduce_blocking(
        &self,
        input: &[AnySlice],
        segments: &Segments,
        output: &AnySlice,
    ) -> Result<(), Error> {
        let (readback, submission) = self.submit(input, segments, output)?;
        Ok(readback.wait_submitted(submission)?)
    }

    fn spec(&self) -> Result<&OperatorSpec, PrepareError> {
        spec_of(&self.of_type, self.program.as_ref())
    }

    pub(super) fn prepare(
        &self,
        input: &[AnySlice],
        segments: &Segments,
        output: &AnySlice,
        memory: Memory,
    ) -> Result<AnyPrepared, PrepareError> {
        let Validated { plan, output, input, pieces, alone, layout } =
            self.validate(input, segments, output)?;
        let context = &self.context;
        let mut recording = Recording::empty(self.label.clone());
        if !plan.dispatches.is_empty() {
            let numbers = layout.numbers();
            let given: Vec<_> = numbers.iter().map(|numbers| &numbers.buffer).collect();
            let left: Vec<_> = input.iter().map(AnySlice::buffer).collect();
            let own = match &plan.before {
                None => None,
                Some(before) => {
                    Some(before.add_to(context, &mut recording, numbers, &left, memory)?)
                }
            };
            let size_bytes = plan.scratch_bytes();
            let scratch = context.pool().scratch(memory, &self.label, size_bytes, false)?;
            let right = match (&own, &given[..]) {
                (Some(own), _) => &[&own.places],
                (None, []) => &[context.no_vectors()],
                (None, given) => given,
            };
            let whole = Part { buffer: &scratch, offset_bytes: 0, size_bytes };
            let seams = plan.seams.add_to(context, &mut recording, &left, whole, memory)?;
            // Behind the slices comes what has their elements in another order.
            let moved = own.as_ref().and_then(|own| own.moved.as_ref());
            let left: Vec<_> = left.into_iter().chain(&seams).chain(moved).collect();
            for Piece { dispatches, result } in pieces {
                let resources = Resources {
                    left: &left,
                    right,
                    third: &[],
                    scratch: Some(whole),
                    accumulator: None,
                    result: Some(Part {
                        buffer: output.buffer(),
                        offset_bytes: result.offset_bytes,
                        size_bytes: result.size_bytes,
                    }),
                };
                let dispatches = &plan.dispatches[dispatches];
                match layout {
                    Layout::Begins(_, count) => {
                        let most = plan.segments;
                        let told =
                            add_told(context, &mut recording, dispatches, most, count, memory)?;
                        recording.add_told(context, dispatches, resources, &told, 0)?;
                    }
                    _ => recording.add(context, dispatches, resources, memory)?,
                }
            }
        }
        for (plan, Alone { inputs, output }) in plan.alone.iter().zip(&alone) {
            let destination = Destination::first_of(output);
            plan.add_to(context, &mut recording, inputs, destination, memory, None)?;
        }
        if memory == Memory::Own {
            error_scope::ensure_not_lost(context.device(), "a reduction of segments")?;
        }
        Ok(AnyPrepared { plan, recording, segments: output.len() })
    }

    pub(crate) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: &[AnySlice],
        segments: &Segments,
        output: &AnySlice,
    ) -> Result<(), PrepareError> {
        let prepared = self.prepare(input, segments, output, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        prepared.recording.record(encoder, None);
        Ok(())
    }

    pub(super) fn submit(
        &self,
        input: &[AnySlice],
        segments: &Segments,
        output: &AnySlice,
    ) -> Result<(Readback<()>, wgpu::SubmissionIndex), PrepareError> {
        let prepared = self.prepare(input, segments, output, Memory::Pooled)?;
        submit_alone(&self.context, &self.label, |encoder| {
            prepared.recording.record(encoder, None);
            Ok(())
        })
    }

    pub(crate) fn validate<'a>(
        &self,
        input: &[AnySlice],
        segments: &'a Segments,
        output: &AnySlice,
    ) -> Result<Validated<'a>, PrepareError> {
        let spec = self.spec()?;
        let (element, is_exact) = (spec.element, self.is_exact(spec));
        self.check_operator(spec)?;
        let len = total_len(input);
        let filled: Vec<_> = input.iter().filter(|slice| !slice.is_empty()).cloned().collect();
        let usage = wgpu::BufferUsages::STORAGE;
        filled.iter().try_for_each(|slice| slice.require_usage("input", usage))?;
        let layout = segments.of(len)?;
        let count = layout.segments();
        let known = matches!(layout, Layout::Grid(_)).then_some([count, len]);
        let are_alone = self.are_alone(spec, known)?;
        if output.is_strided() {
            return Err(PrepareError::StridedOutput);
        }
        output.require_usage("output", usage)?;
        let Ok(output) = output.slice(0..count) else {
            return Err(PrepareError::ShortOutput { len: output.len(), needed: count });
        };
        let is_output = |buffer: &wgpu::Buffer| buffer == output.buffer();
        let reads_output = filled.iter().any(|slice| is_output(slice.buffer()))
            || layout.numbers().iter().any(|numbers| is_output(&numbers.buffer));
        if count > 0 && reads_output {
            return Err(SegmentError::Aliasing.into());
        }
        if let Layout::Begins(_, count) = layout {
            count.check(&output)?;
        }
        let capabilities = self.context.capabilities();
        let extents: Vec<_> = filled.iter().map(AnySlice::extent).collect();
        let blocks = match &layout {
            Layout::Groups(numbers, groups) if self.program.is_none() => {
                let numbers: Vec<_> = numbers.iter().map(|numbers| numbers.extent).collect();
                GroupBlocks::of(spec, *groups, &extents, &numbers, capabilities)?
            }
            _ => None,
        };
        let before = match &layout {
            _ if count == 0 || blocks.is_some() => None,
            Layout::Apart(_, axes) => Some(BeforePlan::of_axes(axes, capabilities)?),
            Layout::Lengths(lengths) => Some(BeforePlan::of_lengths(lengths, capabilities)?),
            Layout::Groups(numbers, groups) => {
                let elements = extents.first().copied().unwrap_or(NO_ELEMENTS);
                Some(BeforePlan::of_groups(numbers, element, elements, *groups, capabilities)?)
            }
            _ => None,
        };
        let order = before.as_ref().map_or(Order::InMemory, BeforePlan::order);
        let moved = before.as_ref().and_then(BeforePlan::moved);
        let places = match (&layout, &before, &blocks) {
            (_, _, Some(blocks)) => Places::Groups(blocks),
            (Layout::Grid(grid) | Layout::Apart(grid, _), before, _) => {
                Places::Grid(*grid, before.as_ref().map(|before| before.view))
            }
            (Layout::Begins(begins, _), ..) => Places::Begins(begins.extent, begins.element),
            (_, Some(before), _) => Places::Own(before.view, before.offset_type()),
            (Layout::Offsets(offsets) | Layout::Lengths(offsets), ..) => {
                Places::Offsets(offsets.extent, offsets.element)
            }
            // Of no group.
            (Layout::Groups(..), ..) => Places::Offsets(NO_ELEMENTS, ElementType::U32),
        };
        let windows = Windows::of(&layout, element, &extents, capabilities)?;
        let cut = match (&layout, &filled[..]) {
            _ if are_alone => Pieces { whole: Vec::new(), split: (0..count).collect() },
            // Launches have the elements, or windows.
            _ if blocks.is_some() || !windows.windows.is_empty() => {
                Pieces { whole: vec![(0..count, 0..0)], split: Vec::new() }
            }
            (Layout::Grid(grid), [_, ..]) => {
                let room = Room::of(spec, is_exact, capabilities);
                Pieces::of_units(element, &extents, *grid, room, capabilities)?.of_grid(*grid)
            }
            (_, [] | [_]) => Pieces { whole: vec![(0..count, 0..len)], split: Vec::new() },
            (_, slices) => return Err(SegmentError::Input { slices: slices.len() }.into()),
        };
        check_alone(cut.split.len() as u64)?;
        let mut whole = cut.whole;
        if whole.is_empty() {
            // Of no segment: what a plan is made of, if all are alone.
            whole.push((0..0, 0..0));
        }
        let mut before = before;
        let mut all: Option<SegmentPlan> = None;
        let mut pieces = Vec::new();
        for (segments, elements) in whole {
            let (slice, part) = part_of(&filled, elements);
            let result = Bound::of(&output.slice(segments.clone())?, capabilities);
            let count = segments.end - segments.start;
            let places = match (places, &layout) {
                (Places::Grid(grid, None), Layout::Grid(_)) => {
                    let groups = count.checked_div(grid.step).unwrap_or(0);
                    Places::Grid(Grid { groups, ..grid }, None)
                }
                (places, _) => places,
            };
            let part = part.as_ref().map_or(NO_ELEMENTS, AnySlice::extent);
            let (slice, part) = moved.map_or((slice, part), |moved| (filled.len(), moved));
            let (held, input) = windows.held(slice, part);
            let problem = SegmentProblem {
                spec,
                is_exact,
                program: self.program.as_ref(),
                input,
                held,
                places,
                order,
                segments: count,
                longest: input.len,
                result_index: result.index,
            };
            let own = SegmentPlan::new(problem, before.take(), capabilities)?;
            let first = all.as_ref().map_or(0, |all| all.dispatches.len());
            pieces.push(Piece { dispatches: first..first + own.dispatches.len(), result });
            all = Some(match all {
                None => own,
                Some(all) => all.and_then(own),
            });
        }
        let mut plan = all.expect("there is a piece at least");
        (plan.len, plan.segments) = (len, count);
        plan.seams = windows.seams(element, filled.len(), capabilities)?;
        let mut alone = Vec::new();
        if let Layout::Grid(grid) = &layout {
            for segment in cut.split {
                let slices = slices_of(&filled, *grid, segment / grid.step, segment % grid.step)?;
                let inputs = AnyInput { left: slices, ..AnyInput::default() };
                let output = output.slice(segment..segment + 1)?;
                let own = self.alone().validate(&inputs, &output, 1, Stored::Value)?;
                own.check_avoided(capabilities)?;
                plan.alone.push(own);
                alone.push(Alone { inputs, output });
            }
        }
        Ok(Validated { plan, output, input: filled, pieces, alone, layout })
    }

    /// Whether each segment is reduced alone, if the host knows where they are: how many, and of how many elements together. So they are where no
    /// accumulator has been made for runs of such exact results; an error if they are more than is done so.
    fn are_alone(
        &self,
        spec: &OperatorSpec,
        known: Option<[u64; 2]>,
    ) -> Result<bool, PrepareError> {
        if spec.has_segments_at(self.precision) {
            let exact = spec.exact_segments().filter(|_| self.is_exact(spec));
            let acc_words = exact.map_or(0, |combining| narrow(combining.identity.len() as u64));
            return Ok(
                known.is_some_and(|[segments, items]| are_few_and_long(acc_words, segments, items))
            );
        }
        let most = spec.exact_kernels().map_or(0, |_| MAX_ALONE);
        match known.is_none_or(|[segments, _]| segments > most) {
            true => {
                let OperatorSpec { operator, element, .. } = *spec;
                Err(SegmentError::Inexact { operator, element, most }.into())
            }
            false => Ok(true),
        }
    }

    /// The same by itself.
    pub(crate) fn known_are_alone(&self, known: Option<[u64; 2]>) -> Result<bool, PrepareError> {
        let spec = self.spec()?;
        self.check_operator(spec)?;
        self.are_alone(spec, known)
    }

    /// Whether elements and numbers of so many groups may lie in any slices.
    pub(crate) fn has_groups_anywhere(&self, groups: u32) -> Result<bool, PrepareError> {
        let spec = self.spec()?;
        self.check_operator(spec)?;
        Ok(self.program.is_none() && GroupBlocks::takes(spec, groups))
    }

    /// What a piece may have.
    pub(crate) fn room(&self) -> Result<Room, PrepareError> {
        let spec = self.spec()?;
        Ok(Room::of(spec, self.is_exact(spec), self.context.capabilities()))
    }

    fn is_exact(&self, spec: &OperatorSpec) -> bool {
        self.precision == Precision::Exact && !spec.order_free
    }

    /// Whether there are such segments at all.
    fn check_operator(&self, spec: &OperatorSpec) -> Result<(), PrepareError> {
        let (operator, element, precision) = (spec.operator, spec.element, self.precision);
        if !spec.has_segments() && !spec.is_exact_alone() {
            return Err(SegmentError::Element { element }.into());
        }
        // What an operator of the user's own rounds, if anything, is not known.
        if precision == Precision::Exact && self.program.is_some() {
            return Err(PrepareError::Imprecise { operator, element, precision });
        }
        Ok(())
    }

    /// What reduces a segment that no binding has, to the same bits.
    pub(crate) fn alone(&self) -> AnyReducer {
        let precision = self.precision.max(Precision::Reproducible);
        AnyReducer {
            context: self.context.clone(),
            settings: Settings { precision, program: self.program.clone(), ..Settings::default() },
            label: self.label.clone(),
            of_type: self.of_type,
        }
    }
}

const NO_ELEMENTS: Extent =
    Extent { buffer_bytes: 0, offset_bytes: 0, len: 0, stride_bytes: None, bits: None };

/// What can be done.
pub(crate) struct Validated<'a> {
    pub(crate) plan: SegmentPlan,
    /// As many items as there are segments.
    output: AnySlice,
    /// The slices that have elements.
    input: Vec<AnySlice>,
    pieces: Vec<Piece>,
    /// As many as the plan has.
    alone: Vec<Alone>,
    layout: Layout<'a>,
}

/// Segments that one binding has.
struct Piece {
    /// Which of the plan's.
    dispatches: Range<usize>,
    result: Bound,
}

/// A segment that no binding has.
struct Alone {
    inputs: AnyInput,
    output: AnySlice,
}
