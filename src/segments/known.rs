//! Segments that the host knows, by an operator's specification alone; and words in another order, which are segments of one word each.

use crate::{
    algebra::{
        element::ElementType,
        operator::{Operator, OperatorSpec},
        operators::BitOr,
    },
    axes::Grid,
    device::{
        buffer,
        capabilities::Capabilities,
        context::Context,
        extent::{Extent, WORD_BYTES},
        pool::Memory,
    },
    dispatch::recording::{Part, Recording, Resources},
    error::PrepareError,
    segments::{
        before::Order,
        plan::SegmentPlan,
        planner::{Places, SegmentProblem},
        views::whole,
        windows::Held,
    },
};

/// Segments between offsets in host memory, of elements that one binding spans.
#[derive(Clone, Debug)]
pub(crate) struct KnownSegments {
    pub(crate) spec: &'static OperatorSpec,
    /// Whether sums are rounded once.
    pub(crate) is_exact: bool,
    /// Of the elements.
    pub(crate) buffer: wgpu::Buffer,
    /// The first segment's first element. Elements follow one another.
    pub(crate) begin_bytes: u64,
    /// In elements, from 0 on. There are two at least, and they never fall.
    pub(crate) offsets: Vec<u32>,
    /// Elements of the longest segment whose result is of use. Results of longer ones mean nothing.
    pub(crate) longest: u64,
}

impl KnownSegments {
    /// How many there are.
    pub(crate) fn segments(&self) -> u64 {
        (self.offsets.len() as u64).saturating_sub(1)
    }

    /// What they do, if the results begin at this word of their binding.
    pub(crate) fn plan(
        &self,
        result_index: u32,
        capabilities: &Capabilities,
    ) -> Result<SegmentPlan, PrepareError> {
        let (last, count) = (self.offsets.last().copied(), self.offsets.len() as u64);
        // Whatever is bound is a buffer, too.
        let offsets = whole(WORD_BYTES * count, capabilities)?;
        let problem = SegmentProblem {
            spec: self.spec,
            is_exact: self.is_exact,
            program: None,
            input: Extent {
                buffer_bytes: self.buffer.size(),
                offset_bytes: self.begin_bytes,
                len: last.unwrap_or(0).into(),
                stride_bytes: None,
                bits: None,
            },
            held: Held::Slice(0),
            places: Places::Own(offsets, ElementType::U32),
            order: Order::InMemory,
            segments: self.segments(),
            longest: self.longest,
            result_index,
        };
        SegmentPlan::new(problem, None, capabilities)
    }

    /// Adds the dispatches of a plan of theirs. The offsets come to the device at once.
    pub(crate) fn add_to(
        &self,
        context: &Context,
        recording: &mut Recording,
        plan: &SegmentPlan,
        result: Part<'_>,
    ) -> Result<(), PrepareError> {
        add(context, recording, plan, &self.buffer, &self.offsets, result)
    }
}

/// The plan that writes as many words as `order` has: each is the one of the input's that the order says.
pub(crate) fn plan_in_order(
    input_words: u64,
    order_words: u64,
    result_index: u32,
    capabilities: &Capabilities,
) -> Result<SegmentPlan, PrepareError> {
    let order = whole(WORD_BYTES * order_words, capabilities)?;
    let input = whole(WORD_BYTES * input_words, capabilities)?;
    let problem = SegmentProblem {
        // Of one word it makes that word.
        spec: const { &<BitOr as Operator<u32>>::SPEC },
        is_exact: false,
        program: None,
        input: Extent {
            buffer_bytes: input.size_bytes,
            offset_bytes: 0,
            len: input_words,
            stride_bytes: None,
            bits: None,
        },
        held: Held::Slice(0),
        places: Places::Grid(Grid { groups: order_words, items: 1, step: 1 }, Some(order)),
        order: Order::Listed { first: 0 },
        segments: order_words,
        longest: 1,
        result_index,
    };
    SegmentPlan::new(problem, None, capabilities)
}

/// Adds the dispatches of such plans. The numbers, which are offsets or an order, come to the device at once.
pub(crate) fn add(
    context: &Context,
    recording: &mut Recording,
    plan: &SegmentPlan,
    elements: &wgpu::Buffer,
    numbers: &[u32],
    result: Part<'_>,
) -> Result<(), PrepareError> {
    let label = recording.label().to_owned();
    let bytes: &[u8] = bytemuck::cast_slice(numbers);
    let size_bytes = bytes.len().next_multiple_of(16) as u64;
    let usage = wgpu::BufferUsages::STORAGE;
    let numbers = buffer::create_filled(context.device(), &label, size_bytes, usage, bytes)?;
    let size_bytes = plan.scratch_bytes();
    let scratch = context.pool().scratch(Memory::Own, &label, size_bytes, false)?;
    let resources = Resources {
        left: &[elements],
        right: &[&numbers],
        third: &[],
        scratch: Some(Part::first(&scratch, size_bytes)),
        accumulator: None,
        result: Some(result),
    };
    recording.add(context, &plan.dispatches, resources, Memory::Own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wgsl::params::{Params, SegmentParams};

    #[test]
    fn words_come_in_one_dispatch() {
        let capabilities = Capabilities::default();
        let plan = plan_in_order(1000, 300, 3, &capabilities).expect("it can be done");
        let [dispatch] = &plan.dispatches[..] else { panic!("{plan}") };
        assert_eq!(dispatch.workgroups, 2);
        assert_eq!(dispatch.left.map(|view| view.size_bytes), Some(4000));
        assert_eq!(dispatch.right.map(|view| view.size_bytes), Some(1200));
        let Params { result_index, flags, own, .. } = dispatch.params;
        let SegmentParams { segments, segment_items, .. } = own.segments();
        assert_eq!((segments, result_index, segment_items), (300, 3, 1));
        assert_eq!(flags, Params::HAS_ORDER);
        let small = Capabilities { max_binding_bytes: 2048, ..capabilities };
        let error = plan_in_order(1000, 300, 3, &small).expect_err("no binding spans the words");
        assert!(matches!(error, PrepareError::BindingTooSmall { .. }), "{error}");
    }
}
