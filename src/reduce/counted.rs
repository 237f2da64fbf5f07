//! Reductions of as many elements as a number on the device says, and what scans and selections of as many, and as many segments, take.
//!
//! All is planned for the most elements there can be. A first dispatch makes of the number what a plan of as many elements would tell the others, and
//! how many workgroups these have.

use crate::{
    algebra::{
        element::{Element, ElementType},
        operator::Arithmetic,
        operator_type::OperatorType,
        precision::Precision,
    },
    device::{
        buffer::{self, AnySlice, GpuSlice},
        context::Context,
        pool::{Memory, PARAMS_STRIDE_BYTES},
    },
    dispatch::{
        plan::Dispatch,
        recording::{Part, Recording, Resources, TOLD_GRID_BYTES},
        windows::View,
    },
    error::{PrepareError, SliceError},
    reduce::{
        any_reducer::{AnyReducer, Settings, check_slices},
        blocks::narrow,
        inputs::{AnyInput, Input},
        plan::ReductionPlan,
        work::Destination,
    },
    way::{Mechanism, Strategy},
    wgsl::{
        kernel::{HistogramPass, Kernel, Stored},
        lanes::Lanes,
        params::{CountParams, Own, Params, halves},
        shader::{Constants, ShaderKey},
    },
};
use std::{borrow::Cow, collections::BTreeMap, ops::Range};

/// A number on the device: the first item of a slice of `u64`s, as a [`Compactor`](crate::Compactor) writes it, or of `u32`s. Reductions, scans,
/// differences, selections and histograms take it for how many elements there are.
#[derive(Clone, Debug)]
pub struct CountSlice {
    buffer: wgpu::Buffer,
    offset_bytes: u64,
    size_bytes: u64,
    lacks: Option<PrepareError>,
}

impl CountSlice {
    fn new<T: Element>(slice: &GpuSlice<T>) -> Self {
        let lacks = match slice.len() {
            0 => Some(PrepareError::NoCount),
            _ => slice.require_usage("count", wgpu::BufferUsages::STORAGE).err(),
        };
        let buffer = slice.buffer().clone();
        let size_bytes = T::TYPE.size_bytes();
        Self { buffer, offset_bytes: slice.offset_bytes(), size_bytes, lacks }
    }

    /// The number that these bytes are.
    pub(crate) fn number(bytes: &[u8]) -> u64 {
        match bytes.len() {
            4 => bytemuck::pod_read_unaligned::<u32>(bytes).into(),
            _ => bytemuck::pod_read_unaligned(bytes),
        }
    }

    /// Where the number is.
    pub(crate) fn slice(&self) -> Result<AnySlice, SliceError> {
        AnySlice::placed(&self.buffer, self.size_bytes, self.offset_bytes, 1, None)
    }

    /// Refuses what can't be bound, and what would be overwritten by its own result.
    pub(crate) fn check(&self, output: &AnySlice) -> Result<(), PrepareError> {
        match self.is_bound_apart_from(output.buffer(), &output.bytes())? {
            false => Err(PrepareError::OutputAliasing { what: "output" }),
            true => Ok(()),
        }
    }

    /// Whether these bytes of a buffer, which are written, are others. Refuses what can't be bound.
    pub(crate) fn is_bound_apart_from(
        &self,
        buffer: &wgpu::Buffer,
        written: &Range<u64>,
    ) -> Result<bool, PrepareError> {
        if let Some(error) = &self.lacks {
            return Err(error.clone());
        }
        let (begin, end) = (self.offset_bytes, self.offset_bytes + self.size_bytes);
        Ok(self.buffer != *buffer || begin.max(written.start) >= end.min(written.end))
    }

    /// The shader that looks at it.
    pub(crate) fn shader() -> ShaderKey {
        ShaderKey::new(
            Kernel::CountedParams,
            OperatorType::Count,
            ElementType::U32,
            Mechanism::WorkgroupMemory,
            Arithmetic::Hardware,
        )
    }
}

impl From<&GpuSlice<u64>> for CountSlice {
    fn from(slice: &GpuSlice<u64>) -> Self {
        Self::new(slice)
    }
}

impl From<&GpuSlice<u32>> for CountSlice {
    fn from(slice: &GpuSlice<u32>) -> Self {
        Self::new(slice)
    }
}

/// The first items of an input, as many as a number on the device says when the device comes there, such as a [`Compactor`](crate::Compactor) has written; all, if it
/// says more than there are. So what was selected is reduced without a way to the host and back.
///
/// Calls that prepare or record a reduction, and all of scans, differences and histograms, take it in place of an [`Input`].
/// [`Compaction::counted`](crate::Compaction::counted) makes a selection of as many elements. Results are the same bits as of an input of that length, wherever that is promised. The rest of
/// an output stays as it is. The device reads no other elements. Input, number and output may lie in one buffer, in places of their own.
///
/// Reductions and scans take two passes, of indirect dispatches. Any strategy but [`Strategy::Auto`](crate::Strategy) and [`Strategy::TwoPass`](crate::Strategy) is
/// [`PrepareError::StrategyUnfit`]. So are exact sums, which have accumulators. [`PrepareError::NoCount`] says that there is no number, and
/// [`PrepareError::OutputAliasing`] that an output would take its place.
///
/// ```no_run
/// # fn example(context: &gridfold::Context, encoder: &mut gridfold::wgpu::CommandEncoder, energies: gridfold::wgpu::Buffer,
/// #     kept: gridfold::wgpu::Buffer, count: gridfold::wgpu::Buffer, sum: gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
/// use gridfold::{Compaction, Compactor, Counted, GpuSlice, Predicate, Reducer, Sum};
///
/// let high = Predicate::<f32>::new("x > 0.5")?;
/// let count = GpuSlice::<u64>::new(&count, 0, 1)?;
/// Compactor::new(context).record(encoder, &Compaction::select_if(&energies, &high, &kept)?, &count)?;
/// let sum = GpuSlice::<f32>::whole(&sum);
/// Reducer::<f32, _>::new(context, Sum).record(encoder, Counted::new(&kept, &count), &sum)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Counted<I> {
    pub(crate) input: Input<I>,
    pub(crate) count: Option<CountSlice>,
}

impl<I> Counted<I> {
    /// As many of the first items of `input` as `count` says.
    pub fn new(input: impl Into<Input<I>>, count: impl Into<CountSlice>) -> Self {
        Self { input: input.into(), count: Some(count.into()) }
    }
}

/// All items.
impl<I, X: Into<Input<I>>> From<X> for Counted<I> {
    fn from(input: X) -> Self {
        Self { input: input.into(), count: None }
    }
}

impl AnyReducer {
    pub(crate) fn prepare_counted(
        &self,
        inputs: &AnyInput,
        count: &CountSlice,
        output: &AnySlice,
        memory: Memory,
    ) -> Result<(ReductionPlan, Recording), PrepareError> {
        count.check(output)?;
        let plan = self.plan_counted(inputs, output)?;
        let (context, label) = (self.context(), self.label_text());
        let destination = Destination::first_of(output);
        let mut recording = Recording::empty(label.to_owned().into());
        let told = add_told(context, &mut recording, &plan.dispatches, plan.len, count, memory)?;
        plan.add_to(context, &mut recording, inputs, destination, memory, Some(&told))?;
        Ok((plan, recording))
    }

    /// In two passes, of which the second one reads no input: so there is one of each for every launch.
    fn plan_counted(
        &self,
        inputs: &AnyInput,
        output: &AnySlice,
    ) -> Result<ReductionPlan, PrepareError> {
        let &Settings { strategy, precision, .. } = self.settings();
        let spec = self.spec()?;
        let unfit = |fitting: &'static [Strategy], looser| PrepareError::StrategyUnfit {
            strategy,
            precision: precision.kept_of(spec).unwrap_or(precision),
            what: "counted reduction",
            operator: self.of_type().operator,
            element: self.element(),
            fitting,
            looser,
        };
        if !matches!(strategy, Strategy::Auto | Strategy::TwoPass) {
            return Err(unfit(&[Strategy::Auto, Strategy::TwoPass], None));
        }
        check_slices(inputs, output, 1)?;
        let place = (output.offset_bytes(), true);
        let plan = self.plan_by(Strategy::TwoPass, inputs, place, Stored::Value, true);
        let plan = plan.map_err(|error| match error {
            // An operator that rounds once has an accumulator, whatever the strategy.
            PrepareError::StrategyUnfit { .. } => {
                unfit(&[], (!spec.is_exact_alone()).then_some(Precision::Reproducible))
            }
            error => error,
        })?;
        plan.check_avoided(self.context().capabilities())?;
        Ok(plan)
    }
}

/// Words of a slot: the shader's `SLOT_WORDS`, and where in it the launch is, `GRID`.
const SLOT_WORDS: usize = PARAMS_STRIDE_BYTES / 4;
const GRID: usize = 32;
/// The shader's, and of others 0.
const IS_OF_SCAN: u32 = 1;
const IS_OF_CHUNKS: u32 = 2;
const IS_OF_SEGMENTS: u32 = 3;
const IS_OF_SELECTION: u32 = 4;
const IS_OF_TOTALS: u32 = 5;
const IS_OF_SINGLE_PASS: u32 = 6;
const IS_OF_SCAN_TOTALS: u32 = 7;
const _: () = assert!(4 * GRID as u64 == TOLD_GRID_BYTES, "the recording looks elsewhere");
const _: () = assert!(Params::WORDS <= GRID, "a slot has all parameters before the launch");

/// Adds the dispatch that looks at a number, and writes what it means for dispatches that are planned for `len` elements: where it writes that.
pub(crate) fn add_told(
    context: &Context,
    recording: &mut Recording,
    dispatches: &[Dispatch],
    len: u64,
    count: &CountSlice,
    memory: Memory,
) -> Result<wgpu::Buffer, PrepareError> {
    let label = recording.label().to_owned();
    let slots = slots(dispatches);
    let storage = wgpu::BufferUsages::STORAGE;
    let bytes: &[u8] = bytemuck::cast_slice(&slots);
    let size_bytes = bytes.len() as u64;
    let planned = buffer::create_filled(context.device(), &label, size_bytes, storage, bytes)?;
    let usage = storage | wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::INDIRECT;
    let told = buffer::create(context.device(), &label, size_bytes, usage)?;
    let alignment = context.capabilities().binding_alignment_bytes.max(4);
    let head_bytes = count.offset_bytes % alignment;
    let [most_low, most_high] = halves(len);
    let own = CountParams {
        dispatches: narrow(dispatches.len() as u64),
        count_word: narrow(head_bytes / 4),
        count_bytes: narrow(count.size_bytes),
        most_low,
        most_high,
    };
    let dispatch = Dispatch {
        shader: CountSlice::shader(),
        constants: Constants::None,
        params: Params { own: own.into(), ..Params::default() },
        left: Some(View::of_words(0, size_bytes)),
        right: Some(View::of_words(count.offset_bytes - head_bytes, head_bytes + count.size_bytes)),
        third: None,
        slice: None,
        workgroups: 1,
    };
    let resources = Resources {
        left: &[&planned],
        right: &[&count.buffer],
        third: &[],
        scratch: None,
        accumulator: None,
        result: Some(Part::whole(&told)),
    };
    recording.add(context, &[dispatch], resources, memory)?;
    Ok(told)
}

/// The recording of dispatches that are planned for so many elements, or for as many of them as a number on the device says.
pub(crate) fn recorded(
    context: &Context,
    label: Cow<'static, str>,
    dispatches: &[Dispatch],
    (len, count): (u64, Option<&CountSlice>),
    resources: Resources<'_>,
    memory: Memory,
) -> Result<Recording, PrepareError> {
    let Some(count) = count.filter(|_| !dispatches.is_empty()) else {
        return match dispatches.is_empty() {
            true => Ok(Recording::empty(label)),
            false => Recording::prepare(context, label, dispatches, resources, memory),
        };
    };
    let mut recording = Recording::empty(label);
    let told = add_told(context, &mut recording, dispatches, len, count, memory)?;
    recording.add_told(context, dispatches, resources, &told, 0)?;
    Ok(recording)
}

/// The numbers from which the kernel makes parameters.
fn slots(dispatches: &[Dispatch]) -> Vec<u32> {
    let mut slots = vec![0; SLOT_WORDS * dispatches.len().max(1)];
    // Launches that count from their own first element come one behind the other, those of a kernel each.
    let mut ends: BTreeMap<Kernel, u64> = BTreeMap::new();
    for (slot, dispatch) in slots.chunks_mut(SLOT_WORDS).zip(dispatches) {
        let (params, kernel) = (dispatch.params, dispatch.shader.kernel);
        slot[..Params::WORDS].copy_from_slice(&params.words());
        let is_by_itself = kernel.is_of_differences() || matches!(kernel, Kernel::Histogram { .. });
        let origin = match params.own {
            Own::Selection(own) => u64::from(own.position_high) << 32 | u64::from(own.position_low),
            Own::Reduction(own) => own.first_block() << params.log2_block_items,
            Own::Scan(own) => u64::from(own.first_block) << params.log2_block_items,
            _ if is_by_itself => ends.get(&kernel).copied().unwrap_or(0),
            _ => 0,
        };
        let (begin, end) = (origin + u64::from(params.begin), origin + u64::from(params.end));
        ends.insert(kernel, end);
        let is_of_blocks = !matches!(kernel, Kernel::Fold | Kernel::ScanCarries);
        // The first pass of a scan is a reduction's. A histogram is cleared as ever, and its elements, as those of differences, are told as a
        // selection's are.
        let whose = match kernel {
            Kernel::Histogram { pass: HistogramPass::Clear } => IS_OF_CHUNKS,
            _ if is_by_itself => IS_OF_SELECTION,
            _ if kernel.makes_chunks() => IS_OF_CHUNKS,
            _ if kernel.is_of_segments() => IS_OF_SEGMENTS,
            Kernel::CountTotals => IS_OF_TOTALS,
            Kernel::SelectSinglePass { .. } => IS_OF_SINGLE_PASS,
            _ if kernel.is_selection() => IS_OF_SELECTION,
            _ if kernel.is_scan() => IS_OF_SCAN,
            _ if dispatches.iter().any(|other| other.shader.kernel.is_scan()) => IS_OF_SCAN_TOTALS,
            _ => 0,
        };
        slot[GRID..GRID + 4].copy_from_slice([halves(begin), halves(end)].as_flattened());
        slot[GRID + 4] = u32::from(is_of_blocks);
        slot[GRID + 5] = whose;
        // A lane of the first pass of differences takes a block.
        slot[GRID + 6] = match kernel {
            Kernel::BlockEnds => Lanes::USUAL.count.ilog2(),
            _ => 0,
        };
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wgsl::sources::Sources;

    #[test]
    fn the_shader_has_the_same_slots() {
        let sources = Sources::default();
        let text = sources.text("reduce/counted.wgsl").expect("it is there");
        for (name, words) in [
            ("IS_OF_SCAN", IS_OF_SCAN as usize),
            ("IS_OF_CHUNKS", IS_OF_CHUNKS as usize),
            ("IS_OF_SEGMENTS", IS_OF_SEGMENTS as usize),
            ("IS_OF_SELECTION", IS_OF_SELECTION as usize),
            ("IS_OF_TOTALS", IS_OF_TOTALS as usize),
            ("IS_OF_SINGLE_PASS", IS_OF_SINGLE_PASS as usize),
            ("IS_OF_SCAN_TOTALS", IS_OF_SCAN_TOTALS as usize),
            ("SLOT_WORDS", SLOT_WORDS),
            ("GRID", GRID),
        ] {
            assert!(text.contains(&format!("const {name} = {words}u;")), "{name}");
        }
    }

    /// As the shader finds them of all elements.
    #[test]
    fn of_all_elements_differences_have_as_many_workgroups_as_planned() {
        let dispatch = |kernel, blocks: u32, workgroups| {
            let mechanism = Mechanism::WorkgroupMemory;
            let arithmetic = Arithmetic::Hardware;
            let sum = OperatorType::Sum;
            let shader = ShaderKey::new(kernel, sum, ElementType::U32, mechanism, arithmetic);
            let params =
                Params { end: blocks << 12, blocks, log2_block_items: 12, ..Params::default() };
            let constants = Constants::None;
            let [left, right, third] = [None; 3];
            Dispatch { shader, constants, params, left, right, third, slice: None, workgroups }
        };
        for blocks in [1, 255, 256, 257, 1000] {
            let dispatches = [
                dispatch(Kernel::BlockEnds, blocks, blocks.div_ceil(256)),
                dispatch(Kernel::Differences, blocks, blocks),
            ];
            let slots = slots(&dispatches);
            for (slot, dispatch) in slots.chunks(SLOT_WORDS).zip(&dispatches) {
                let log2_blocks = slot[GRID + 6];
                let workgroups = (blocks + (1 << log2_blocks) - 1) >> log2_blocks;
                assert_eq!(workgroups, dispatch.workgroups, "{blocks} blocks");
            }
        }
    }
}
