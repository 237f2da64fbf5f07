//! What there is before segments are reduced: offsets of lengths, and of groups, whose elements the device moves to memory of their own, and tables of axes.

use crate::{
    algebra::{
        element::ElementType,
        operator::{Arithmetic, Operator, OperatorSpec},
        operator_type::OperatorType,
        operators::Sum,
    },
    device::{
        buffer,
        capabilities::Capabilities,
        context::Context,
        extent::{Extent, WORD_BYTES},
        pool::Memory,
    },
    dispatch::{
        plan::Dispatch,
        recording::{Part, Recording, Resources},
        windows::View,
    },
    error::{PrepareError, SegmentError},
    reduce::blocks::narrow,
    scan::plan::{ScanPlan, ScanProblem},
    segments::{
        axes_table::{AxesShape, AxesTable},
        group_room::GroupRoom,
        layout::Numbers,
        views::whole,
    },
    way::{Mechanism, Strategy, Variant},
    wgsl::{
        kernel::{Kernel, OrderPass},
        params::{GroupParams, Params},
        shader::{Constants, ShaderKey},
    },
};

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
    /// The flag that tells it to dispatches.
    pub(super) fn flag(self) -> u32 {
        match self {
            Self::InMemory => 0,
            Self::Listed { .. } => Params::HAS_ORDER,
            Self::Axes(_) => Params::HAS_AXES,
        }
    }
}

/// Dispatches before segments are reduced, and the offsets that they leave; for groups, the moved elements, too. Or a table of axes, which takes no
/// dispatch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BeforePlan {
    first: Vec<Dispatch>,
    scan: Option<ScanPlan>,
    last: Vec<Dispatch>,
    /// The binding of segments' offsets, or of a table. Where elements are moved, the first dispatches leave as many bytes of counts for the scan.
    pub(super) view: View,
    /// The type of the offsets there.
    offset_type: ElementType,
    /// Which element comes where.
    order: Order,
    /// Where the last dispatches leave elements, if they move them: in a buffer of these bytes.
    moved: Option<Extent>,
    /// The table, which the host knows.
    table: Vec<u32>,
}

/// Buffers that segments bind.
pub(super) struct Made {
    /// The buffer of offsets, or of a table.
    pub(super) places: wgpu::Buffer,
    /// The buffer of elements, if they are moved.
    pub(super) moved: Option<wgpu::Buffer>,
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
        let view = whole(size_bytes, capabilities)?;
        let (first, last) = (Vec::new(), Vec::new());
        let scan = Some(scan);
        Ok(Self {
            first,
            scan,
            last,
            view,
            offset_type: lengths.element,
            order: Order::InMemory,
            moved: None,
            table: Vec::new(),
        })
    }

    /// Offsets of each group, and the elements, one group after another.
    pub(super) fn of_groups(
        numbers: &[Numbers],
        element: ElementType,
        elements: Extent,
        groups: u32,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let numbers = match numbers {
            [] => None,
            [numbers] => Some(numbers.extent),
            _ => return Err(SegmentError::Input { slices: numbers.len() }.into()),
        };
        let room = GroupRoom::of(element, elements, numbers, groups, capabilities)?;
        let GroupRoom { numbers, blocks, log2_block_items, .. } = room;
        let (right, len) = (room.elements, elements.len);
        let item_bytes = element.size_bytes().max(WORD_BYTES);
        // Counts become places, each in a buffer of its own.
        let entries = Extent { len: room.entries, ..own(room.counts.size_bytes, 0) };
        let spec = const { &<Sum as Operator<u32>>::SPEC };
        let scan = scan_of(spec, entries, entries, false, capabilities)?;
        let max_workgroups = capabilities.max_workgroups;
        let dispatches = |pass| -> Vec<Dispatch> {
            let launches = (0..blocks).step_by(max_workgroups as usize);
            let launch = launches.map(|first| {
                let own = narrow((blocks - first).min(max_workgroups.into()));
                let told = GroupParams {
                    groups,
                    numbers_head_bytes: numbers.head_bytes,
                    numbers_stride_bytes: numbers.stride_bytes.unwrap_or(4),
                    first_block: narrow(first),
                    all_blocks: narrow(blocks),
                    item_words: narrow(item_bytes / WORD_BYTES),
                    ..GroupParams::default()
                };
                let params = Params {
                    end: narrow(len),
                    head_bytes: right.head_bytes,
                    stride_bytes: right.stride_bytes.unwrap_or(narrow(element.size_bytes())),
                    log2_block_items,
                    blocks: own,
                    own: told.into(),
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
            // Offsets are the places of the first block.
            view: View { stride_bytes: Some(narrow(4 * blocks)), ..room.counts },
            offset_type: ElementType::U32,
            order: Order::InMemory,
            moved: Some(Extent { len, stride_bytes, ..own(room.moved.size_bytes, 0) }),
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
            view: whole(WORD_BYTES * axes.words().len() as u64, capabilities)?,
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

    /// Where elements are in a buffer of their own, if they are moved.
    pub(super) fn moved(&self) -> Option<Extent> {
        self.moved
    }

    /// Every dispatch, in order.
    pub(super) fn dispatches(&self) -> impl Iterator<Item = &Dispatch> {
        let scan = self.scan.iter().flat_map(|scan| &scan.dispatches);
        self.first.iter().chain(scan).chain(&self.last)
    }

    /// Adds the dispatches, which may move `elements`.
    pub(super) fn add_to(
        &self,
        context: &Context,
        recording: &mut Recording,
        numbers: &[Numbers],
        elements: &[&wgpu::Buffer],
        memory: Memory,
    ) -> Result<Made, PrepareError> {
        let label = recording.label().to_owned();
        let device = context.device();
        let (size_bytes, storage) = (self.view.size_bytes, wgpu::BufferUsages::STORAGE);
        if !self.table.is_empty() {
            let bytes = bytemuck::cast_slice(&self.table);
            let places = buffer::create_filled(device, &label, size_bytes, storage, bytes)?;
            return Ok(Made { places, moved: None });
        }
        let create = |size_bytes| buffer::create(device, &label, size_bytes, storage);
        let (places, counts, moved) = match self.moved {
            // The first offset is 0, and nothing writes it.
            None => {
                let zeros = &[0; 16];
                let places = buffer::create_filled(device, &label, size_bytes, storage, zeros)?;
                (places, None, None)
            }
            // Kernels write each count that they read. Nothing writes the last count, which adds to no place.
            Some(Extent { buffer_bytes, .. }) => {
                let (places, counts) = (create(size_bytes)?, create(size_bytes)?);
                (places, Some(counts), Some(create(buffer_bytes)?))
            }
        };
        let numbers: Vec<_> = numbers.iter().map(|numbers| &numbers.buffer).collect();
        let resources = Resources {
            left: &numbers,
            right: &[],
            third: &[],
            scratch: counts.as_ref().map(Part::whole),
            accumulator: None,
            result: None,
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
            let right: &[_] = &[&places];
            let left = &left[..];
            let resources = Resources { left, right, scratch, ..resources };
            recording.add(context, &scan.dispatches, resources, memory)?;
        }
        let resources = Resources {
            right: elements,
            scratch: Some(Part::whole(&places)),
            result: moved.as_ref().map(Part::whole),
            ..resources
        };
        recording.add(context, &self.last, resources, memory)?;
        Ok(Made { places, moved })
    }
}

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
        spec: *spec,
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
