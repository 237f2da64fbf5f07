//! Which elements are whose: [`Segments`].

use crate::{
    algebra::{
        element::{Element, ElementType},
        offset::Offset,
    },
    axes::{Axes, Grid, check_length},
    device::{
        buffer::{AnySlice, GpuSlice},
        extent::Extent,
    },
    error::{PrepareError, SegmentError},
    reduce::{counted::CountSlice, inputs::Input},
    segments::axes_table::AxesTable,
};
use std::slice;

/// How a sequence falls into segments, each of which is reduced as if it were alone.
///
/// ```no_run
/// # fn example(context: &gridfold::Context, values: gridfold::wgpu::Buffer, offsets: gridfold::wgpu::Buffer,
/// #     sums: gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
/// use gridfold::{GpuSlice, SegmentedReducer, Segments, Sum};
///
/// let segments = Segments::offsets(&GpuSlice::<u32>::whole(&offsets));
/// SegmentedReducer::<f32, _>::new(context, Sum).reduce_blocking(&values, &segments, &GpuSlice::whole(&sums))?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Segments(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Rows(u64),
    Axis { shape: Vec<u64>, axis: usize },
    Axes { shape: Vec<u64>, axes: Vec<usize> },
    Offsets(Numbers),
    Begins(Numbers, CountSlice),
    Lengths(Numbers),
    Groups(Vec<Numbers>, u32),
}

/// A slice of offsets, lengths, or numbers of groups.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    pub(super) buffer: wgpu::Buffer,
    pub(super) extent: Extent,
    pub(super) element: ElementType,
    pub(super) lacks: Option<PrepareError>,
}

impl Numbers {
    fn new<T: Element>(slice: &AnySlice, what: &'static str) -> Self {
        Self {
            buffer: slice.buffer().clone(),
            extent: slice.extent(),
            element: T::TYPE,
            lacks: slice.require_usage(what, wgpu::BufferUsages::STORAGE).err(),
        }
    }
}

/// The same for as many elements as there are.
#[derive(Clone, Debug)]
pub(super) enum Layout<'a> {
    Grid(Grid),
    /// Along axes that are apart: those that remain, then those that segments lie along.
    Apart(Grid, AxesTable),
    Offsets(&'a Numbers),
    Begins(&'a Numbers, &'a CountSlice),
    Lengths(&'a Numbers),
    /// None of the slices is empty.
    Groups(&'a [Numbers], u32),
}

impl Segments {
    /// Rows of `row_len` elements, one after another.
    pub fn rows(row_len: u64) -> Self {
        Self(Kind::Rows(row_len))
    }

    /// Segments along one axis of an array in row-major order, where the last axis varies fastest. There is a result for each place of the
    /// other axes, in row-major order, too: of an array of 2 × 3 × 4 elements axis 1 has 8 segments of 3 elements.
    pub fn axis(shape: &[u64], axis: usize) -> Self {
        Self(Kind::Axis { shape: shape.to_vec(), axis })
    }

    /// Segments along some axes of an array in row-major order, given in any order. There is a result for each place of the other axes. A segment
    /// has its elements in row-major order: of an array of 2 × 3 × 4 elements the axes 0 and 2 have 3 segments of 8 elements.
    ///
    /// Axes next to each other are as one axis, and cost what one does. Where others are between them, the device finds the elements by a table of the axes.
    pub fn axes(shape: &[u64], axes: &[usize]) -> Self {
        Self(Kind::Axes { shape: shape.to_vec(), axes: axes.to_vec() })
    }

    /// Segment i has the elements from `offsets[i]` on, and ends before `offsets[i + 1]`: so there is one offset more than there are segments.
    /// Segments may be empty. Elements before the first offset and from the last one on belong to none. The offsets stay on the device.
    /// Any buffer with `wgpu::BufferUsages::STORAGE` will do, also with strides.
    ///
    /// Offsets that lie behind the elements are taken for the elements' end, and a segment that ends before it begins for an empty one.
    /// Where offsets fall, results mean nothing. Nothing outside of the elements, and of the results, is read or written in any case.
    ///
    /// Elements may lie in any slices, and take any number of bindings, up to 2^32 − 32 elements: a device reduces what one binding has after another, also of a
    /// segment that lies in several, and reads the offsets for each. Where slices meet it copies up to 47 elements, and of slices of less than 46 maybe all. Only
    /// elements of three or four components have no stride then, if they lie in several slices. The results, scratch memory, and what is copied, take one binding
    /// each.
    pub fn offsets<O: Offset>(offsets: &GpuSlice<O>) -> Self {
        Self(Kind::Offsets(Numbers::new::<O>(offsets.any(), "offsets")))
    }

    /// Segment i has the elements from `begins[i]` on, and ends before `begins[i + 1]`. The last one ends with the elements. Elements before the
    /// first segment belong to none. How many segments there are says `count` when the device comes there: so the number never goes to the host.
    /// [`Compaction::run_begins`](crate::Compaction::run_begins) writes such of runs of equal keys, and
    /// [`Compaction::positions`](crate::Compaction::positions) such of flags.
    ///
    /// Results have room for as many as there are items in `begins`; those behind `count` stay as they are. If `count` says more than there are
    /// items, all are segments. Otherwise as [`Segments::offsets`].
    pub fn begins<O: Offset>(begins: &GpuSlice<O>, count: impl Into<CountSlice>) -> Self {
        Self(Kind::Begins(Numbers::new::<O>(begins.any(), "begins"), count.into()))
    }

    /// Segments of these lengths, one after another from the first element on. The device adds them up first, in as many bits as a length has.
    /// Otherwise as [`Segments::offsets`]: what would lie behind the elements is cut.
    pub fn lengths<O: Offset>(lengths: &GpuSlice<O>) -> Self {
        Self(Kind::Lengths(Numbers::new::<O>(lengths.any(), "lengths")))
    }

    /// Element i belongs to group `numbers[i]`, of `groups` groups, at most 4096; to none, if there is no such group. Each group is a segment, of
    /// its elements in their order. The numbers stay on the device.
    ///
    /// Groups may lie in any way, and each result is what a reduction of the group alone gives, to the bit. Integer sums and counts, extrema of numbers of up to
    /// 32 bits, and operators on bits read elements and numbers once, of as many groups as a workgroup has memory for: 4088, or 2044 where results
    /// have 64 bits. Of others two passes over the numbers, with a scan between, copy the elements to memory where one group comes after another. Each takes 4
    /// bytes there at least. Counts of groups in blocks of elements take up to 2 bytes for each element, and 8 for each group, half of them in each of two buffers.
    ///
    /// Where elements and numbers are read once, both may lie in any slices, of any length. Else each of both lies in one slice, which one binding spans. One
    /// binding spans the copy, and one spans each buffer of counts.
    #[doc(alias("group_by", "bincount", "unsorted_segment_sum", "scatter_add"))]
    pub fn groups(numbers: impl Into<Input<u32>>, groups: u32) -> Self {
        let slices = numbers.into().into_slices();
        let filled = slices.iter().filter(|slice| !slice.is_empty());
        let numbers = filled.map(|slice| Numbers::new::<u32>(slice, "numbers of groups"));
        Self(Kind::Groups(numbers.collect(), groups))
    }

    /// For so many elements.
    pub(super) fn of(&self, len: u64) -> Result<Layout<'_>, PrepareError> {
        let layout = match &self.0 {
            Kind::Rows(row_len) => Layout::Grid(Grid::of_rows(len, *row_len)?),
            Kind::Axis { shape, axis } => Layout::Grid(Grid::of_axis(len, shape, *axis)?),
            Kind::Axes { shape, axes } => match Axes::of(len, shape, axes)? {
                Axes::Grid(grid) => Layout::Grid(grid),
                Axes::Apart { rows, sides } => {
                    let table = AxesTable::of(rows, &sides);
                    Layout::Apart(table.grid(rows), table)
                }
            },
            Kind::Offsets(offsets) => Layout::Offsets(offsets),
            Kind::Begins(begins, count) => Layout::Begins(begins, count),
            Kind::Lengths(lengths) => Layout::Lengths(lengths),
            Kind::Groups(numbers, groups) => {
                let given = numbers.iter().map(|numbers| numbers.extent.len).sum();
                check_length("numbers of groups", given, len)?;
                let most = crate::wgsl::kernel::OrderPass::MAX_GROUPS;
                if *groups > most {
                    let (groups, most) = (u64::from(*groups), u64::from(most));
                    return Err(SegmentError::Groups { groups, most }.into());
                }
                Layout::Groups(numbers, *groups)
            }
        };
        match layout.numbers().iter().find_map(|numbers| numbers.lacks.clone()) {
            Some(error) => Err(error),
            None => Ok(layout),
        }
    }
}

impl Layout<'_> {
    /// How many segments there are, or how many there may be.
    pub(super) fn segments(&self) -> u64 {
        match self {
            Self::Grid(grid) | Self::Apart(grid, _) => grid.segments().unwrap_or(u64::MAX),
            Self::Offsets(offsets) => offsets.extent.len.saturating_sub(1),
            Self::Begins(numbers, _) | Self::Lengths(numbers) => numbers.extent.len,
            Self::Groups(_, groups) => u64::from(*groups),
        }
    }

    /// What it reads of the caller's.
    pub(super) fn numbers(&self) -> &[Numbers] {
        match self {
            Self::Grid(_) | Self::Apart(..) => &[],
            Self::Offsets(numbers) | Self::Begins(numbers, _) | Self::Lengths(numbers) => {
                slice::from_ref(numbers)
            }
            Self::Groups(numbers, _) => numbers,
        }
    }
}
