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
    wgsl::{
        params::{Params, SegmentParams},
        shader::ShaderKey,
    },
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
            let dispatch = (parts > 0).then(|| own.dispatch(shader.clone(), level, parts, next))?;
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
                    let items = narrow(window.end) - first + u32::from(is_last);
                    let own = params.own.segments();
                    let own = SegmentParams { window_begin: first, window_items: items, ..own };
                    let flags = params.flags | Params::IN_WINDOW;
                    Params { flags, own: own.into(), ..params }
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
            None => (before(params.base, element.words()), params.head_bytes),
        };
        let vec_end = match params.vec_end {
            0 => 0,
            vec_end => vec_end.saturating_add(first).min(params.own.segments().elements),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        algebra::operator_type::OperatorType,
        segments::{chunks::LOG2_CHUNK_ITEMS, layout::Segments},
        wgsl::shader::Constants,
    };

    /// Sums between offsets, and what fills seams. Bindings have 1024 words.
    fn planned(element: ElementType, slices: &[Extent]) -> (SegmentPlan, Seams) {
        let capabilities = Capabilities { max_binding_bytes: 4096, ..Capabilities::default() };
        let windows = Windows::of_slices(element, slices, &capabilities).expect("it can be cut");
        let (held, input) = windows.held(0, slices[0]);
        let offsets =
            Extent { buffer_bytes: 44, offset_bytes: 0, len: 11, stride_bytes: None, bits: None };
        let problem = SegmentProblem {
            spec: OperatorType::Sum.spec(element).expect("there is one"),
            is_exact: false,
            program: None,
            input,
            held,
            places: Places::Offsets(offsets, ElementType::U32),
            order: Order::InMemory,
            segments: 10,
            longest: input.len,
            result_index: 0,
        };
        let plan = SegmentPlan::new(problem, None, &capabilities).expect("a plan");
        (plan, windows.seams(element, slices.len(), &capabilities).expect("copies"))
    }

    fn slice(offset_bytes: u64, len: u64, stride_bytes: Option<u64>, item_bytes: u64) -> Extent {
        let span_bytes = len * stride_bytes.unwrap_or(item_bytes);
        let buffer_bytes = (offset_bytes + span_bytes).next_multiple_of(4);
        Extent { buffer_bytes, offset_bytes, len, stride_bytes, bits: None }
    }

    fn of_chunks(plan: &SegmentPlan, level: u32) -> Vec<Params> {
        let chunks = plan.dispatches.iter().filter(|dispatch| {
            dispatch.shader.kernel.makes_chunks()
                && dispatch.params.own.segments().level == level * LOG2_CHUNK_ITEMS
        });
        chunks.map(|dispatch| dispatch.params).collect()
    }

    fn of_results(plan: &SegmentPlan) -> Vec<Params> {
        let results =
            plan.dispatches.iter().filter(|dispatch| !dispatch.shader.kernel.makes_chunks());
        results.map(|dispatch| dispatch.params).collect()
    }

    #[test]
    fn a_binding_takes_dispatches_as_ever() {
        let (plan, seams) = planned(ElementType::F32, &[slice(12, 900, None, 4)]);
        assert_eq!((plan.dispatches.len(), seams.copies.len()), (2, 0));
        for Dispatch { params, .. } in &plan.dispatches {
            // Only such a pass has all chunks of sixteen.
            let joins = Params::HAS_OFFSETS | Params::JOINS_CHUNKS;
            let flags = if params.own.segments().level < 8 { joins } else { Params::HAS_OFFSETS };
            assert_eq!((params.begin, params.base, params.flags), (0, 3, flags));
            let own = params.own.segments();
            assert_eq!((own.segment_items, own.segment_step), (0, 1));
        }
    }

    #[test]
    fn windows_take_dispatches_of_their_own() {
        let (plan, seams) = planned(ElementType::F32, &[slice(12, 2500, None, 4)]);
        assert!(seams.copies.is_empty());
        let chunks = of_chunks(&plan, 0);
        let places: Vec<_> = chunks.iter().map(|params| (params.begin, params.end)).collect();
        // Bindings begin at multiples of 256 bytes.
        assert_eq!(places, [(0, 62), (62, 122), (122, 156)]);
        // Of the higher level all at once.
        let places: Vec<_> =
            of_chunks(&plan, 1).iter().map(|params| (params.begin, params.end)).collect();
        assert_eq!(places, [(0, 9)]);
        let results = of_results(&plan);
        let windows: Vec<_> = results
            .iter()
            .map(|params| (params.own.segments().window_begin, params.own.segments().window_items))
            .collect();
        // And the end of the elements.
        assert_eq!(windows, [(0, 992), (992, 960), (1952, 549)]);
        for Dispatch { params, left, shader, .. } in &plan.dispatches {
            let is_told = params.flags & Params::IN_WINDOW != 0;
            let makes_chunks = shader.kernel.makes_chunks();
            assert_eq!(params.flags & Params::HAS_LENGTHS, 0);
            let own = params.own.segments();
            assert_eq!((is_told, own.elements), (!makes_chunks, 2500));
            let begin = match makes_chunks {
                true if own.level > 0 => continue,
                true => 16 * params.begin,
                false => own.window_begin,
            };
            let head_bytes = left.expect("a view").head_bytes;
            assert_eq!(4 * params.base.wrapping_add(begin), head_bytes, "{begin}");
            assert!(params.vec_end > begin + 500 && params.vec_end <= 2500, "{begin}");
        }
        let (plan, _) = planned(ElementType::F32x3, &[slice(0, 700, None, 12)]);
        let params = of_chunks(&plan, 0)[1];
        let first = params.base.wrapping_add(3 * 16 * params.begin);
        assert_eq!(4 * first, plan.dispatches[1].left.expect("a view").head_bytes);
        let (plan, _) = planned(ElementType::U8, &[slice(1, 9000, Some(3), 1)]);
        let params = of_chunks(&plan, 0)[1];
        let first = params.head_bytes.wrapping_add(3 * 16 * params.begin);
        assert_eq!(first, plan.dispatches[1].left.expect("a view").head_bytes);
        assert_eq!(params.base, 0);
    }

    #[test]
    fn seams_are_filled_by_elements_as_they_are() {
        let halves = |len| slice(2, len, None, 2);
        let (plan, seams) = planned(ElementType::F16, &[halves(40), halves(60)]);
        let copied: Vec<_> = seams
            .copies
            .iter()
            .map(|copy| {
                let segments = copy.params.own.segments().segments;
                (copy.shader.element, segments, copy.params.result_index)
            })
            .collect();
        // From 16 to 48, and fifteen more: each half has a word.
        assert_eq!(copied, [(ElementType::U16, 24, 0), (ElementType::U16, 23, 24)]);
        assert_eq!(seams.bytes, 4 * 48);
        let seam = &plan.dispatches[1];
        assert_eq!(seam.left.map(|view| view.slice), Some(2));
        assert_eq!((seam.constants, seam.params.stride_bytes), (Constants::STRIDED, 4));
        let points = |len| slice(0, len, None, 12);
        let (_, seams) = planned(ElementType::F32x3, &[points(40), points(60)]);
        let copied: Vec<_> = seams
            .copies
            .iter()
            .map(|copy| (copy.shader.element, copy.params.own.segments().segments))
            .collect();
        assert_eq!(copied, [(ElementType::U32, 72), (ElementType::U32, 69)]);
    }

    #[test]
    fn grids_and_groups_have_no_windows() {
        let capabilities = Capabilities { max_binding_bytes: 4096, ..Capabilities::default() };
        let segments = Segments::rows(10);
        let layout = segments.of(3000).expect("rows");
        let slices = [slice(0, 3000, None, 4)];
        let windows = Windows::of(&layout, ElementType::F32, &slices, &capabilities);
        assert!(windows.expect("none").windows.is_empty());
    }
}
