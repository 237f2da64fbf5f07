//! Which elements are whose: [`Segments`].

use crate::{axes::Grid, device::buffer::GpuSlice, error::SegmentError};

/// How a sequence falls into segments, each of which is reduced as if it were alone.
///
/// ```no_run
/// # fn example(context: &gridfold::Context, values: gridfold::wgpu::Buffer, offsets: gridfold::wgpu::Buffer,
/// #     sums: gridfold::wgpu::Buffer) -> Result<(), gridfold::Error> {
/// use gridfold::{GpuSlice, SegmentedReducer, Segments, Sum};
///
/// let segments = Segments::offsets(&GpuSlice::whole(&offsets));
/// SegmentedReducer::<f32, Sum>::new(context).reduce_blocking(&values, &segments, &GpuSlice::whole(&sums))?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Segments(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Rows(u64),
    Axis { shape: Vec<u64>, axis: usize },
    Offsets(GpuSlice<u32>),
}

/// The same for as many elements as there are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout<'a> {
    Grid(Grid),
    Offsets(&'a GpuSlice<u32>),
}

impl Segments {
    /// Rows of `row_len` elements, one after another.
    pub fn rows(row_len: u64) -> Self {
        Self(Kind::Rows(row_len))
    }

    /// What lies along one axis of an array in row-major order, where the last axis varies fastest. There is a result for each place of the
    /// other axes, in row-major order, too: of an array of 2 × 3 × 4 elements axis 1 has 8 segments of 3 elements.
    pub fn axis(shape: &[u64], axis: usize) -> Self {
        Self(Kind::Axis { shape: shape.to_vec(), axis })
    }

    /// Segment i has the elements from `offsets[i]` on, and ends before `offsets[i + 1]`: so there is one offset more than there are segments.
    /// Segments may be empty. Elements before the first offset and from the last one on belong to none. The offsets stay on the device.
    /// Any buffer with `wgpu::BufferUsages::STORAGE` will do, also with strides.
    ///
    /// Offsets that lie behind the elements are taken for the elements' end, and a segment that ends before it begins for an empty one.
    /// Where offsets fall, results mean nothing. Nothing outside of the elements, and of the results, is read or written in any case.
    pub fn offsets(offsets: &GpuSlice<u32>) -> Self {
        Self(Kind::Offsets(offsets.clone()))
    }

    /// For so many elements.
    pub(super) fn of(&self, len: u64) -> Result<Layout<'_>, SegmentError> {
        Ok(match &self.0 {
            Kind::Rows(row_len) => Layout::Grid(Grid::of_rows(len, *row_len)?),
            Kind::Axis { shape, axis } => Layout::Grid(Grid::of_axis(len, shape, *axis)?),
            Kind::Offsets(offsets) => Layout::Offsets(offsets),
        })
    }
}

impl Layout<'_> {
    /// How many segments there are.
    pub(super) fn segments(self) -> u64 {
        match self {
            Self::Grid(grid) => grid.segments().unwrap_or(u64::MAX),
            Self::Offsets(offsets) => offsets.len().saturating_sub(1),
        }
    }
}
