//! Passes over elements in windows, and the copies that fill seams.

use crate::{
    algebra::{
        element::{ElementType, Packing},
        operator::{Operator, OperatorSpec},
        operators::BitOr,
    },
    axes::Grid,
    device::{
        capabilities::Capabilities,
        extent::{Extent, WORD_BYTES},
    },
    dispatch::plan::Dispatch,
    error::{PrepareError, SegmentError},
    reduce::blocks::narrow,
    segments::{
        before::Order,
        plan::SegmentPlan,
        planner::{Places, Planner, SegmentProblem},
        seams::Seams,
        windows::{CHUNK_ITEMS, Held, SeamPart, Window, Windows},
    },
    wgsl::{params::Params, shader::ShaderKey},
};

impl Planner<'_> {
    /// A pass: over elements in windows a dispatch for each.
    pub(super) fn passes(
        &self,
        shader: ShaderKey,
        level: u32,
        parts: u64,
        next: u32,
    ) -> Vec<Dispatch> {
        let makes_chunks = shader.kernel.makes_chunks();
        let windows = match self.problem.held {
            Held::Windows(windows) if level == 0 || !makes_chunks => windows,
            _ => return vec![self.dispatch(shader, level, parts, next)],
        };
        let dispatches = windows.iter().filter_map(|window| {
            let own = Planner { left: Some(window.view), ..*self };
            let parts = match makes_chunks {
                true => window.end / CHUNK_ITEMS - window.begin / CHUNK_ITEMS,
                false => parts,
            };
            let dispatch = (parts > 0).then(|| own.dispatch(shader, level, parts, next))?;
            let params = self.params_in(window, dispatch.params);
            let params = match makes_chunks {
                true => {
                    let first = narrow(window.begin / CHUNK_ITEMS);
                    Params { begin: first, end: first + params.end, ..params }
                }
                false => {
                    let first = narrow(window.begin);
                    // What ends with the elements is in the last one.
                    let is_last = window.end == self.problem.input.len;
                    let items = if is_last { u32::MAX } else { narrow(window.end) - first };
                    let flags = params.flags | Params::IN_WINDOW;
                    Params { flags, initial_low: first, initial_high: items, ..params }
                }
            };
            Some(Dispatch { params, ..dispatch })
        });
        dispatches.collect()
    }

    /// Parameters by which positions of the sequence are places in the window's binding.
    fn params_in(&self, window: &Window, params: Params) -> Params {
        let first = narrow(window.begin);
        // Where element 0 would be. Added to a position, that wraps around to the place.
        let before = |of_first: u32, step: u32| of_first.wrapping_sub(first.wrapping_mul(step));
        let element = self.problem.spec.element;
        let (base, head_bytes) = match window.view.stride_bytes {
            Some(stride_bytes) => (params.base, before(params.head_bytes, stride_bytes)),
            None => {
                let words = narrow(element.size_bytes() / WORD_BYTES);
                let step = if element.is_vector() { words } else { 1 };
                (before(params.base, step), params.head_bytes)
            }
        };
        let vec_end = match params.vec_end {
            0 => 0,
            vec_end => vec_end.saturating_add(first).min(params.len_low),
        };
        Params { base, head_bytes, vec_end, ..params }
    }
}

impl Windows {
    /// What fills the seams. The elements have so many slices.
    pub(in crate::segments) fn seams(
        &self,
        element: ElementType,
        slices: usize,
        capabilities: &Capabilities,
    ) -> Result<Seams, PrepareError> {
        let mut copies = Vec::new();
        for part in &self.parts {
            copies.extend(copy_of(element, slices, part, capabilities)?);
        }
        Ok(Seams { copies, bytes: self.seam_bytes })
    }
}

/// What copies part of a slice: a segment for each element, or for each word, of it alone, by an operator that leaves it as it is.
fn copy_of(
    element: ElementType,
    slices: usize,
    part: &SeamPart,
    capabilities: &Capabilities,
) -> Result<Vec<Dispatch>, PrepareError> {
    let item_bytes = element.size_bytes();
    let (spec, items): (&'static OperatorSpec, u64) = match (element.packing(), item_bytes) {
        (Packing::Bytes, _) => (const { &<BitOr as Operator<u8>>::SPEC }, 1),
        (Packing::Halves, _) => (const { &<BitOr as Operator<u16>>::SPEC }, 1),
        (_, 8) => (const { &<BitOr as Operator<u64>>::SPEC }, 1),
        // All words of elements that follow one another.
        _ if item_bytes == WORD_BYTES || part.extent.stride_bytes.is_none() => {
            (const { &<BitOr as Operator<u32>>::SPEC }, item_bytes / WORD_BYTES)
        }
        _ => return Err(SegmentError::Input { slices }.into()),
    };
    let segments = items * part.extent.len;
    let problem = SegmentProblem {
        spec,
        is_exact: false,
        program: None,
        input: Extent { len: segments, ..part.extent },
        held: Held::Slice(part.slice),
        places: Places::Grid(Grid { groups: segments, items: 1, step: 1 }, None),
        order: Order::InMemory,
        segments,
        longest: 1,
        result_index: narrow(part.at),
    };
    Ok(SegmentPlan::new(problem, None, capabilities)?.dispatches)
}
