//! What there is before segments are reduced: offsets of lengths, and of groups with their elements one group after another, which the device makes, and
//! tables of axes.

use crate::{
    algebra::{
        element::ElementType,
        operator::{Arithmetic, Operator, OperatorSpec},
        operator_type::OperatorType,
        operators::Sum,
    },
    device::{
        buffer,
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        context::Context,
        extent::{Extent, WORD_BYTES},
        pool::Memory,
    },
    dispatch::{
        plan::Dispatch,
        recording::{Part, Recording, Resources},
        windows::{Inputs, View, windows},
    },
    error::{PrepareError, SegmentError},
    reduce::blocks::narrow,
    scan::plan::{ScanPlan, ScanProblem},
    segments::{
        axes_table::{AxesShape, AxesTable},
        layout::Numbers,
    },
    way::{Mechanism, Strategy, Variant},
    wgsl::{
        kernel::{Kernel, OrderPass},
        params::Params,
        shader::{Constants, ShaderKey},
    },
};

/// A workgroup takes as many elements as these, at least. Where it counts groups, it has several elements for each, so that counts are not as many
/// as elements.
const MIN_LOG2_BLOCK_ITEMS: u32 = 10;
const LOG2_ITEMS_OF_GROUP: u32 = 2;
/// The shader has counts of 16 bits.
const MAX_LOG2_GROUP_ITEMS: u32 = 15;
const WANTED_WORKGROUPS: u64 = 2048;

/// Which element of the input is which of the sequence that segments are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Each is where it is in memory.
    InMemory,
    /// As the binding of offsets says, from a word of it on.
    Listed {
        /// The word.
        first: u32,
    },
    /// As a table of axes says, which is that binding.
    Axes(AxesShape),
}

impl Order {
    /// What dispatches are told: flags, and `right_base`.
    pub(super) fn told(self) -> (u32, u32) {
        match self {
            Self::InMemory => (0, 0),
            Self::Listed { first } => (Params::HAS_ORDER, first),
            Self::Axes(axes) => (Params::HAS_AXES, axes.kept),
        }
    }
}

/// What is dispatched before segments are reduced, and what it leaves for them: offsets, and elements in their order behind them, in one buffer. Or a table of
/// axes, which takes no dispatch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BeforePlan {
    first: Vec<Dispatch>,
    scan: Option<ScanPlan>,
    last: Vec<Dispatch>,
    /// What the first dispatches leave for the scan. 0 if that is of the caller's lengths.
    counts_bytes: u64,
    /// What segments bind.
    pub(super) view: View,
    /// The type of the offsets there.
    offset_type: ElementType,
    /// Which element comes where.
    order: Order,
    /// Where elements are in the buffer that segments bind, if they are moved.
    moved: Option<Extent>,
    /// What segments bind, if the host knows it.
    table: Vec<u32>,
}

impl BeforePlan {
    /// Offsets from 0 on, of as many bits as lengths have.
    pub(super) fn of_lengths(
        lengths: &Numbers,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let item_bytes = lengths.element.size_bytes();
        let size_bytes = ((lengths.extent.len + 1) * item_bytes).next_multiple_of(16);
        let spec = match lengths.element {
            ElementType::U64 => const { &<Sum as Operator<u64>>::SPEC },
            _ => const { &<Sum as Operator<u32>>::SPEC },
        };
        let output = Extent { len: lengths.extent.len, ..own(size_bytes, item_bytes) };
        let scan = scan_of(spec, lengths.extent, output, true, capabilities)?;
        let view = whole(size_bytes, None, capabilities)?;
        let (first, last) = (Vec::new(), Vec::new());
        let scan = Some(scan);
        Ok(Self {
            first,
            scan,
            last,
            counts_bytes: 0,
            view,
            offset_type: lengths.element,
            order: Order::InMemory,
            moved: None,
            table: Vec::new(),
        })
    }

    /// Offsets of each group, and behind them the elements, one group after another. Those that are less than a word have a word each.
    pub(super) fn of_groups(
        numbers: &[Numbers],
        element: ElementType,
        elements: Extent,
        groups: u32,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let numbers = match numbers {
            [] => None,
            [numbers] => view_of(numbers.element, numbers.extent, capabilities)?,
            _ => return Err(SegmentError::Input { slices: numbers.len() }.into()),
        };
        let numbers = numbers.unwrap_or(NO_NUMBERS);
        let len = elements.len;
        let log2_len = |items: u64| items.next_power_of_two().ilog2();
        let wanted = log2_len(len.div_ceil(WANTED_WORKGROUPS))
            .max(log2_len(groups.into()) + LOG2_ITEMS_OF_GROUP);
        let log2_block_items = wanted.clamp(MIN_LOG2_BLOCK_ITEMS, MAX_LOG2_GROUP_ITEMS);
        let blocks = len.div_ceil(1 << log2_block_items);
        // One more, behind all of them.
        let entries = u64::from(groups) * blocks + 1;
        let order_first = entries.next_multiple_of(4);
        let counts_bytes = 4 * order_first;
        let item_bytes = element.size_bytes().max(WORD_BYTES);
        let size_bytes = counts_bytes + item_bytes * len;
        let view = whole(size_bytes, Some(4 * blocks), capabilities)?;
        let right = view_of(element, elements, capabilities)?.unwrap_or(NO_NUMBERS);
        let counts = Extent { len: entries, ..own(counts_bytes, 0) };
        let places = Extent { len: entries, ..own(view.size_bytes, 0) };
        let spec = const { &<Sum as Operator<u32>>::SPEC };
        let scan = scan_of(spec, counts, places, false, capabilities)?;
        let max_workgroups = capabilities.max_workgroups;
        let dispatches = |pass| -> Vec<Dispatch> {
            let launches = (0..blocks).step_by(max_workgroups as usize);
            let launch = launches.map(|first| {
                let own = narrow((blocks - first).min(max_workgroups.into()));
                let params = Params {
                    end: narrow(len),
                    base: numbers.head_bytes / 4,
                    stride_bytes: numbers.stride_bytes.unwrap_or(4),
                    right_base: narrow(order_first),
                    log2_block_items,
                    blocks: own,
                    first_node: narrow(first),
                    span: narrow(blocks),
                    partials: groups,
                    right_head_bytes: right.head_bytes,
                    right_stride_bytes: right.stride_bytes.unwrap_or(narrow(element.size_bytes())),
                    initial_low: narrow(item_bytes / WORD_BYTES),
                    ..Params::default()
                };
                dispatch(pass, params, numbers, right)
            });
            launch.collect()
        };
        let stride_bytes = (element.size_bytes() < WORD_BYTES).then_some(WORD_BYTES);
        Ok(Self {
            first: dispatches(OrderPass::GroupCounts),
            scan: Some(scan),
            last: dispatches(OrderPass::GroupItems),
            counts_bytes,
            view,
            offset_type: ElementType::U32,
            order: Order::InMemory,
            moved: Some(Extent { len, stride_bytes, ..own(view.size_bytes, counts_bytes) }),
            table: Vec::new(),
        })
    }

    /// A table of axes that are apart.
    pub(super) fn of_axes(
        axes: &AxesTable,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        Ok(Self {
            first: Vec::new(),
            scan: None,
            last: Vec::new(),
            counts_bytes: 0,
            view: whole(WORD_BYTES * axes.words().len() as u64, None, capabilities)?,
            offset_type: ElementType::U32,
            order: Order::Axes(axes.shape()),
            moved: None,
            table: axes.words().to_vec(),
        })
    }

    /// The type of the offsets that it makes.
    pub(super) fn offset_type(&self) -> ElementType {
        self.offset_type
    }

    /// Which element comes where.
    pub(super) fn order(&self) -> Order {
        self.order
    }

    /// Where elements are in the buffer that segments bind, if that is not where they were.
    pub(super) fn moved(&self) -> Option<Extent> {
        self.moved
    }

    /// Every dispatch, in order.
    pub(super) fn dispatches(&self) -> impl Iterator<Item = &Dispatch> {
        let scan = self.scan.iter().flat_map(|scan| &scan.dispatches);
        self.first.iter().chain(scan).chain(&self.last)
    }

    /// Adds the dispatches, which may move `elements`. Gives the buffer that segments bind.
    pub(super) fn add_to(
        &self,
        context: &Context,
        recording: &mut Recording,
        numbers: &[Numbers],
        elements: &[&wgpu::Buffer],
        memory: Memory,
    ) -> Result<wgpu::Buffer, PrepareError> {
        let label = recording.label().to_owned();
        let storage = wgpu::BufferUsages::STORAGE;
        if !self.table.is_empty() {
            let bytes = bytemuck::cast_slice(&self.table);
            let size_bytes = self.view.size_bytes;
            let device = context.device();
            return Ok(buffer::create_filled(device, &label, size_bytes, storage, bytes)?);
        }
        let own = |size_bytes: u64| {
            // What nothing writes is 0.
            buffer::create_filled(context.device(), &label, size_bytes.max(16), storage, &[0; 16])
        };
        let written = own(self.view.size_bytes)?;
        let counts = if self.counts_bytes > 0 { Some(own(self.counts_bytes)?) } else { None };
        let numbers: Vec<_> = numbers.iter().map(|numbers| &numbers.buffer).collect();
        let resources = Resources {
            left: &numbers,
            right: &[],
            third: &[],
            scratch: counts.as_ref().map(Part::whole),
            accumulator: None,
            result: Some(Part::whole(&written)),
            jobs: None,
        };
        recording.add(context, &self.first, resources, memory)?;
        if let Some(scan) = &self.scan {
            let size_bytes = scan.scratch_bytes();
            let scratch = match size_bytes {
                0 => None,
                _ => Some(context.pool().scratch(memory, &label, size_bytes, false)?),
            };
            let left = counts.as_ref().map_or(numbers.clone(), |counts| vec![counts]);
            let scratch =
                scratch.as_ref().map(|buffer| Part { buffer, offset_bytes: 0, size_bytes });
            let right: &[_] = &[&written];
            let (left, result) = (&left[..], None);
            let resources = Resources { left, right, scratch, result, ..resources };
            recording.add(context, &scan.dispatches, resources, memory)?;
        }
        let resources = Resources { right: elements, ..resources };
        recording.add(context, &self.last, resources, memory)?;
        Ok(written)
    }
}

/// All elements in one binding, if there are any.
pub(super) fn view_of(
    element: ElementType,
    slice: Extent,
    capabilities: &Capabilities,
) -> Result<Option<View>, PrepareError> {
    let slices = [slice];
    let inputs = Inputs::of_one(element, &slices);
    let windows = windows(inputs, capabilities, |_, end, _| end)?;
    match windows[..] {
        [] => Ok(None),
        [window] => Ok(Some(window.left)),
        _ => Err(PrepareError::BindingTooSmall {
            max_binding_bytes: capabilities.max_binding_bytes.min(BINDING_BYTES_CAP),
            needed_bytes: slice.span_bytes(element.size_bytes()).unwrap_or(u64::MAX),
        }),
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

fn own(buffer_bytes: u64, offset_bytes: u64) -> Extent {
    Extent { buffer_bytes, offset_bytes, len: 0, stride_bytes: None, bits: None }
}

fn scan_of(
    spec: &'static OperatorSpec,
    input: Extent,
    output: Extent,
    is_inclusive: bool,
    capabilities: &Capabilities,
) -> Result<ScanPlan, PrepareError> {
    let problem = ScanProblem {
        first: 0,
        spec,
        program: None,
        slices: vec![input],
        output_slices: vec![output],
        in_place: false,
        is_inclusive,
        initial: None,
        variant: Variant::default(),
        // The recording has scratch memory alone.
        strategy: Strategy::TwoPass,
        policy: None,
    };
    ScanPlan::new(&problem, capabilities)
}

/// A whole buffer of so many bytes, at least.
pub(super) fn whole(
    bytes: u64,
    stride_bytes: Option<u64>,
    capabilities: &Capabilities,
) -> Result<View, PrepareError> {
    let max_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
    let max_binding_bytes = max_bytes.min(BINDING_BYTES_CAP);
    let size_bytes = bytes.max(16).next_multiple_of(16);
    if size_bytes > max_binding_bytes {
        return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes: size_bytes });
    }
    Ok(View {
        slice: 0,
        offset_bytes: 0,
        size_bytes,
        head_bytes: 0,
        stride_bytes: stride_bytes.map(narrow),
        bits: None,
    })
}

fn dispatch(pass: OrderPass, params: Params, numbers: View, elements: View) -> Dispatch {
    let reads_elements = pass == OrderPass::GroupItems;
    let (operator, element) = (OperatorType::Count, ElementType::U32);
    let (kernel, mechanism) = (Kernel::Order { pass }, Mechanism::WorkgroupMemory);
    Dispatch {
        shader: ShaderKey::new(kernel, operator, element, mechanism, Arithmetic::Hardware),
        constants: Constants::None,
        params,
        left: Some(numbers),
        right: reads_elements.then_some(elements),
        third: None,
        slice: None,
        workgroups: params.blocks,
    }
}
