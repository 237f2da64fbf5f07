//! What a self-test asks: which reduction, of which elements, in which way.

use super::{
    input::Input,
    slot::{LABEL, Slot},
};
use crate::{
    algebra::{
        element::ElementType, operator::OperatorSpec, operator_type::OperatorType,
        precision::Precision,
    },
    batches::{batch::Batch, jobs},
    device::{
        buffer::AnySlice,
        context::Context,
        extent::{Extent, WORD_BYTES},
        pool::Memory,
    },
    error::PrepareError,
    reduce::{
        any_reducer::{AnyReducer, Settings},
        inputs::AnyInput,
        plan::ReductionPlan,
        problem::Problem,
        work::Work,
    },
    way::{Mechanism, Strategy, Variant, policy::Policy},
    wgsl::kernel::Stored,
};
use std::ops::Range;

/// What the device does as if it had less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restriction {
    None,
    /// Bindings of so few bytes that an input takes several.
    SmallBindings,
    /// So few workgroups in a dispatch that an input takes several.
    FewWorkgroups,
}

/// What is to come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Wanted {
    Value,
    /// The words of an exact result's accumulator.
    Accumulator,
}

/// A way to reduce an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) subject: Subject,
    pub(super) precision: Precision,
    pub(super) strategy: Strategy,
    pub(super) wanted: Wanted,
    /// `None` for the device's own.
    pub(super) policy: Option<Policy>,
    pub(super) restriction: Restriction,
    /// Only in the mechanism of this number, modulo how many the device has.
    pub(super) mechanism: Option<usize>,
    /// How often, for what may go wrong once in a while.
    pub(super) repeats: u32,
    /// Whether the result goes to the buffer of the left input, behind it.
    pub(super) shares_buffer: bool,
}

/// Small blocks, on every device.
const SMALL_BLOCKS: Policy = Policy::DEFAULT;

impl Question {
    const fn new(subject: Subject, precision: Precision, strategy: Strategy) -> Self {
        Self {
            subject,
            precision,
            strategy,
            wanted: Wanted::Value,
            policy: Some(SMALL_BLOCKS),
            restriction: Restriction::None,
            mechanism: None,
            repeats: 1,
            shares_buffer: false,
        }
    }

    pub(super) const fn two_pass(subject: Subject) -> Self {
        Self::new(subject, Precision::Reproducible, Strategy::TwoPass)
    }

    /// Several times, because a race shows once in a while.
    pub(super) const fn single_pass(subject: Subject) -> Self {
        Self::new(subject, Precision::Reproducible, Strategy::SinglePass).times(4)
    }

    /// As the device does it where nothing is asked for.
    pub(super) const fn as_usual(subject: Subject) -> Self {
        let question = Self::new(subject, Precision::Reproducible, Strategy::Auto);
        Self { policy: None, ..question }
    }

    /// In any order, by workgroups' or subgroups' atomics.
    pub(super) const fn atomic(subject: Subject, strategy: Strategy) -> Self {
        Self::new(subject, Precision::Unordered, strategy)
    }

    /// In any order.
    pub(super) const fn unordered(subject: Subject) -> Self {
        Self::new(subject, Precision::Unordered, Strategy::TwoPass)
    }

    pub(super) const fn exact(subject: Subject) -> Self {
        let question = Self::new(subject, Precision::Exact, Strategy::Auto);
        Self { policy: Some(Policy::EXACT), ..question }
    }

    pub(super) const fn accumulator(subject: Subject) -> Self {
        Self { wanted: Wanted::Accumulator, ..Self::exact(subject) }
    }

    pub(super) const fn policy(self, min_rows: u32, max_workgroups: u32) -> Self {
        Self { policy: Some(Policy { min_rows, max_workgroups }), ..self }
    }

    pub(super) const fn within(self, restriction: Restriction) -> Self {
        Self { restriction, ..self }
    }

    pub(super) const fn in_mechanism(self, number: usize) -> Self {
        Self { mechanism: Some(number), ..self }
    }

    pub(super) const fn times(self, repeats: u32) -> Self {
        Self { repeats, ..self }
    }

    /// Into the buffer of an input that has room for a result.
    pub(super) const fn sharing_a_buffer(self) -> Self {
        Self { shares_buffer: true, ..self }
    }

    /// Whether nothing but workgroup memory can do it.
    pub(super) fn is_exact(self) -> bool {
        let Subject { operator, element, .. } = self.subject;
        self.precision.kept_by(operator, element) == Some(Precision::Exact)
            && self.subject.spec().exact.is_some()
    }
}

/// Prepares a reduction into a slot.
type Prepare = fn(&Asked, &Slot) -> Result<Work, PrepareError>;

/// The words that the CPU has of the left and of the right elements behind so many.
pub(super) type Expect = fn(&Subject, Precision, &[u32], &[u32], usize) -> Vec<u32>;

/// An operator and its element type, with what is special in them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    pub(super) operator: OperatorType,
    pub(super) element: ElementType,
    /// As [`Asked::prepare_value`], of elements that are no whole words.
    pub(super) prepare: Option<Prepare>,
    /// What the CPU makes of the words, but for so many elements at their beginning.
    pub(super) expect: Expect,
    /// The same for accumulators, where there are such.
    pub(super) accumulate: Option<Accumulate>,
    /// Whether batches have it.
    pub(super) has_batches: bool,
}

impl Subject {
    pub(super) fn spec(&self) -> &'static OperatorSpec {
        self.operator.spec(self.element).expect("subjects are of operators that there are")
    }
}

impl PartialEq for Subject {
    fn eq(&self, other: &Self) -> bool {
        self.spec() == other.spec()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulate {
    pub(super) prepare: Prepare,
    pub(super) expect: fn(&[u32], &[u32]) -> Vec<u32>,
}

/// A question to a device.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) context: Context,
    pub(super) question: Question,
    pub(super) mechanism: Mechanism,
    pub(super) left: wgpu::Buffer,
    pub(super) right: wgpu::Buffer,
    /// What is reduced before, so that memory holds nothing that is right for this.
    pub(super) spoiler: Option<wgpu::Buffer>,
    /// Words before the first in either buffer.
    pub(super) offsets: [u64; 2],
    pub(super) ranges: Vec<Range<u64>>,
    /// From one element to the next, where they do not follow one another.
    pub(super) stride_bytes: Option<u64>,
    /// The place behind the elements in the left buffer, where the result goes there.
    pub(super) room: Option<Slot>,
}

impl Asked {
    /// A reducer by the question's operator, of its elements.
    pub(super) fn reducer(&self) -> AnyReducer {
        let Question { subject, precision, strategy, policy, .. } = self.question;
        let variant = variant(self.mechanism);
        AnyReducer {
            context: self.context.clone(),
            settings: Settings { variant, strategy, precision, policy, ..Settings::default() },
            label: LABEL.into(),
            of_type: *subject.spec(),
        }
    }

    /// Prepares the reduction of the slices of a buffer, or of two, into a slot.
    pub(super) fn prepare_value(&self, slot: &Slot) -> Result<Work, PrepareError> {
        let reducer = self.reducer();
        let (buffer, offset_bytes) = (slot.buffer(), slot.offset_bytes());
        let output = AnySlice::new(buffer, reducer.out_bytes(), offset_bytes, 1)?;
        Ok(reducer.prepare(&self.inputs()?, &output, Memory::Pooled)?.work)
    }

    /// How a range of a buffer's words is reduced, and whether a batch does it together with others.
    pub(super) fn plan(&self, range: Range<u64>) -> Result<(ReductionPlan, bool), PrepareError> {
        let (reducer, inputs) = (self.reducer(), self.part(range)?);
        let plan = reducer.plan_inputs(&inputs, (0, false), Stored::Value)?;
        let is_shared = jobs::are_shared(&plan, &reducer, &inputs);
        Ok((plan, is_shared))
    }

    /// Adds the reduction of a range of a buffer's words to a batch, and returns its place.
    pub(super) fn add_to(&self, batch: &mut Batch, range: Range<u64>) -> Result<u32, PrepareError> {
        Ok(batch.add_any(&self.reducer(), self.part(range)?)?.0)
    }

    fn part(&self, range: Range<u64>) -> Result<AnyInput, PrepareError> {
        let item_bytes = self.question.subject.element.size_bytes();
        let offset_bytes = (self.offsets[0] + range.start) * WORD_BYTES;
        let len = (range.end - range.start) * WORD_BYTES / item_bytes;
        let left = vec![AnySlice::new(&self.left, item_bytes, offset_bytes, len)?];
        Ok(AnyInput { left, ..AnyInput::default() })
    }

    fn slices(&self, buffer: &wgpu::Buffer, offset: u64) -> Result<Vec<AnySlice>, PrepareError> {
        let item_bytes = self.question.subject.element.size_bytes();
        let slice = |range: &Range<u64>| {
            let stride_bytes = self.stride_bytes.unwrap_or(item_bytes);
            let offset_bytes = offset * 4 + range.start * stride_bytes;
            let len = range.end - range.start;
            Ok(AnySlice::placed(buffer, item_bytes, offset_bytes, len, Some(stride_bytes))?)
        };
        self.ranges.iter().map(slice).collect()
    }

    pub(super) fn inputs(&self) -> Result<AnyInput, PrepareError> {
        let [left_offset, right_offset] = self.offsets;
        let left = self.slices(&self.left, left_offset)?;
        let right = match self.question.subject.spec().inputs {
            1 => Vec::new(),
            _ => self.slices(&self.right, right_offset)?,
        };
        Ok(AnyInput { left, right, ..AnyInput::default() })
    }

    /// The same of elements that leave other partials behind.
    pub(super) fn spoiled(&self) -> Option<Self> {
        let left = self.spoiler.clone()?;
        Some(Self { left, spoiler: None, ..self.clone() })
    }

    /// Into the slot, or into the room behind the elements.
    pub(super) fn prepare(&self, slot: &Slot) -> Result<Work, PrepareError> {
        let slot = self.room.as_ref().unwrap_or(slot);
        match (self.question.wanted, self.question.subject.accumulate) {
            (Wanted::Accumulator, Some(accumulate)) => (accumulate.prepare)(self, slot),
            _ => match self.question.subject.prepare {
                Some(prepare) => prepare(self, slot),
                None => self.prepare_value(slot),
            },
        }
    }
}

fn variant(mechanism: Mechanism) -> Variant {
    match mechanism {
        Mechanism::Subgroup => Variant::Subgroup,
        Mechanism::WorkgroupMemory => Variant::WorkgroupMemory,
    }
}

impl Question {
    /// The input and what is special in the question, in words.
    pub(super) fn describe(self, input: &Input) -> String {
        let restriction = match self.restriction {
            Restriction::None => "",
            Restriction::SmallBindings => ", in small bindings",
            Restriction::FewWorkgroups => ", in dispatches of few workgroups",
        };
        let place = if self.shares_buffer { ", into the same buffer" } else { "" };
        input.describe() + restriction + place
    }

    pub(super) fn problem(self, input: &Input, mechanism: Mechanism) -> Problem {
        let Subject { operator, element, .. } = self.subject;
        let [left, right] = [0, 1].map(|side| {
            let buffer_bytes = input.buffer_bytes()[side];
            let offset = input.offsets()[side] as u64;
            let extent = |range: Range<u64>| Extent {
                buffer_bytes,
                offset_bytes: offset * 4
                    + range.start * input.stride_bytes().unwrap_or(element.size_bytes()),
                len: range.end - range.start,
                stride_bytes: input.stride_bytes(),
                bits: None,
            };
            input.ranges(element).into_iter().map(extent).collect()
        });
        Problem {
            program: None,
            element,
            operator,
            slices: left,
            right_slices: if self.subject.spec().inputs == 2 { right } else { Vec::new() },
            third_slices: Vec::new(),
            output_offset_bytes: 0,
            output_shares_input: self.shares_buffer,
            variant: variant(mechanism),
            strategy: self.strategy,
            precision: self.precision,
            is_counted: false,
        }
    }

    /// What the CPU makes of an input.
    pub(super) fn expected(self, input: &Input) -> Vec<u32> {
        match (self.wanted, self.subject.accumulate) {
            (Wanted::Accumulator, Some(accumulate)) => {
                (accumulate.expect)(&input.left, &input.right)
            }
            _ => {
                let Input { right, skipped, .. } = input;
                let left = input.elements(self.subject.element);
                (self.subject.expect)(&self.subject, self.precision, &left, right, *skipped)
            }
        }
    }
}
