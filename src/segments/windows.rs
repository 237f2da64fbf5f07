//! Elements between offsets on the device that no binding spans, or that lie in several slices: in windows.
//!
//! A pass over elements reads chunks, or what is in no chunk: at most sixteen neighbours from an element on. So windows of a slice overlap by fifteen elements,
//! and each neighbourhood lies whole in the window that it begins in. Where slices meet, elements of both are copied side by side: to a seam, which is a window,
//! too.

use crate::{
    algebra::element::ElementType,
    device::{
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        extent::{Extent, WORD_BYTES},
    },
    dispatch::windows::{Inputs, View, windows_from},
    error::{PrepareError, SegmentError},
    segments::{
        chunks::LOG2_CHUNK_ITEMS,
        layout::Layout,
        views::{view_of, whole},
    },
};
use std::ops::Range;

pub(super) const CHUNK_ITEMS: u64 = 1 << LOG2_CHUNK_ITEMS;

/// Elements at most: kernels have positions of 32 bits, and look at some behind the last one.
const MOST_ELEMENTS: u64 = (1 << 32) - 2 * CHUNK_ITEMS;

/// Where a problem's elements are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Held<'a> {
    /// In this slice, of which one binding has all.
    Slice(usize),
    /// In these, which have all chunks.
    Windows(&'a [Window]),
}

impl Held<'_> {
    /// The first binding, if there are elements: these are `input`, if one slice has them.
    pub(super) fn view(
        self,
        element: ElementType,
        input: Extent,
        capabilities: &Capabilities,
    ) -> Result<Option<View>, PrepareError> {
        match self {
            Self::Slice(slice) => {
                let view = view_of(element, input, capabilities)?;
                Ok(view.map(|view| View { slice, ..view }))
            }
            Self::Windows(windows) => Ok(windows.first().map(|window| window.view)),
        }
    }
}

/// Positions of the sequence, and a binding that has all neighbourhoods of elements that begin at one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// A multiple of a chunk's elements.
    pub(super) begin: u64,
    /// So is this, but for the last window, which ends with the elements.
    pub(super) end: u64,
    /// From the element at `begin` on.
    pub(super) view: View,
}

/// Elements between offsets, in windows.
#[derive(Debug, Default)]
pub(super) struct Windows {
    /// None, if one binding of a slice has all elements.
    pub(super) windows: Vec<Window>,
    /// What seams have: parts of slices, in order.
    pub(super) parts: Vec<SeamPart>,
    /// Of the buffer that has the seams.
    pub(super) seam_bytes: u64,
    len: u64,
    /// The first slice that the next seam may have elements of, and the position that it begins at: seams come in order.
    near: (usize, u64),
}

/// Elements of a slice that a seam has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeamPart {
    pub(super) slice: usize,
    /// The elements.
    pub(super) extent: Extent,
    /// Where they are copied to: a word of the seams' buffer. A narrow element has a word.
    pub(super) at: u64,
}

impl Windows {
    /// Of slices, each with an element at least. None, if where segments are is not on the device, or not in the elements' order.
    pub(super) fn of(
        layout: &Layout<'_>,
        element: ElementType,
        slices: &[Extent],
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        match layout {
            Layout::Offsets(_) | Layout::Begins(..) | Layout::Lengths(_) => {
                Self::of_slices(element, slices, capabilities)
            }
            Layout::Grid(_) | Layout::Apart(..) | Layout::Groups(..) => Ok(Self::default()),
        }
    }

    pub(super) fn of_slices(
        element: ElementType,
        slices: &[Extent],
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        slices.iter().try_for_each(|slice| slice.check(element.size_bytes()))?;
        let len = slices.iter().map(|slice| slice.len).sum();
        if len > MOST_ELEMENTS {
            return Err(SegmentError::Positions { len, most: MOST_ELEMENTS }.into());
        }
        let mut all = Self { len, ..Self::default() };
        // Behind the last position that windows so far have.
        let mut done = 0;
        let mut begin = 0;
        for (slice, &extent) in slices.iter().enumerate() {
            let end = begin + extent.len;
            let own = chunks_within(begin..end, len);
            if !own.is_empty() {
                all.add_seam(element, slices, done..own.start);
                all.add_slice(element, slice, (begin, extent), &own, capabilities)?;
                done = own.end;
            }
            begin = end;
        }
        all.add_seam(element, slices, done..len);
        all.end_seams(element, slices.len(), capabilities)?;
        match (&all.windows[..], slices) {
            ([_], [_]) => Ok(Self::default()),
            _ => Ok(all),
        }
    }

    /// Windows of a slice that begins there: those of its own positions.
    fn add_slice(
        &mut self,
        element: ElementType,
        slice: usize,
        (begin, extent): (u64, Extent),
        own: &Range<u64>,
        capabilities: &Capabilities,
    ) -> Result<(), PrepareError> {
        let end = behind(own.end, self.len);
        let part = [part_of(element, extent, own.start - begin..end - begin)];
        let views =
            windows_from(Inputs::of_one(element, &part), capabilities, |_, end, _| end, whole_to)?;
        let ends = views.iter().skip(1).map(|view| own.start + view.begin).chain([own.end]);
        for (view, end) in views.iter().zip(ends) {
            let begin = own.start + view.begin;
            if !begin.is_multiple_of(CHUNK_ITEMS) || begin >= end {
                // No binding has room for sixteen positions.
                let stride_bytes = extent.stride_bytes.unwrap_or(element.size_bytes());
                let needed_bytes = capabilities.binding_alignment_bytes.max(16)
                    + (2 * CHUNK_ITEMS - 1) * stride_bytes;
                let max_binding_bytes = capabilities.max_binding_bytes.min(BINDING_BYTES_CAP);
                return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
            }
            self.windows.push(Window { begin, end, view: View { slice, ..view.left } });
        }
        Ok(())
    }

    /// The window of positions that are no slice's own. Its view has only where it begins, until all are known.
    fn add_seam(&mut self, element: ElementType, slices: &[Extent], own: Range<u64>) {
        if own.is_empty() {
            return;
        }
        let elements = own.start..behind(own.end, self.len);
        let words = element.size_bytes().div_ceil(WORD_BYTES);
        let first = self.seam_bytes / WORD_BYTES;
        let (skipped, mut begin) = self.near;
        for (slice, &extent) in slices.iter().enumerate().skip(skipped) {
            if begin >= elements.end {
                break;
            }
            let end = begin + extent.len;
            let part = elements.start.max(begin)..elements.end.min(end);
            if part.is_empty() {
                self.near = (slice + 1, end);
            } else {
                let at = first + (part.start - elements.start) * words;
                let extent = part_of(element, extent, part.start - begin..part.end - begin);
                self.parts.push(SeamPart { slice, extent, at });
            }
            begin = end;
        }
        let view = View { slice: slices.len(), ..View::of_words(self.seam_bytes, 0) };
        self.windows.push(Window { begin: own.start, end: own.end, view });
        let bytes = (elements.end - elements.start) * words * WORD_BYTES;
        self.seam_bytes = (self.seam_bytes + bytes).next_multiple_of(16);
    }

    /// Gives each seam its view of a buffer that comes behind all slices.
    fn end_seams(
        &mut self,
        element: ElementType,
        slice: usize,
        capabilities: &Capabilities,
    ) -> Result<(), PrepareError> {
        if self.seam_bytes == 0 {
            return Ok(());
        }
        // Each copy binds all of them.
        whole(self.seam_bytes, capabilities)?;
        for window in self.windows.iter_mut().filter(|window| window.view.slice == slice) {
            let extent = Extent {
                buffer_bytes: self.seam_bytes,
                offset_bytes: window.view.offset_bytes,
                len: behind(window.end, self.len) - window.begin,
                stride_bytes: element.packing().is_narrow().then_some(WORD_BYTES),
                bits: None,
            };
            let view = view_of(element, extent, capabilities)?;
            window.view = View { slice, ..view.expect("a seam has elements") };
        }
        Ok(())
    }

    /// Where elements are, and what is known of them: what a slice has, if there are no windows.
    pub(super) fn held(&self, slice: usize, elements: Extent) -> (Held<'_>, Extent) {
        match &self.windows[..] {
            [] => (Held::Slice(slice), elements),
            // Each slice has been looked at.
            windows => {
                let (buffer_bytes, len) = (u64::MAX, self.len);
                (Held::Windows(windows), Extent { buffer_bytes, len, ..elements })
            }
        }
    }
}

/// The positions of which a slice has the neighbourhoods whole: it has elements from `begin` on. Of one slice all.
fn chunks_within(slice: Range<u64>, len: u64) -> Range<u64> {
    let begin = slice.start.next_multiple_of(CHUNK_ITEMS);
    let end = match slice.end == len {
        true => len,
        false => whole_to(slice.end),
    };
    begin..end
}

/// Where the neighbourhoods end that begin before `end`.
fn behind(end: u64, len: u64) -> u64 {
    len.min(end + CHUNK_ITEMS - 1)
}

/// Neighbourhoods that begin before this position, a multiple of a chunk's elements, end before `end`, or there.
fn whole_to(end: u64) -> u64 {
    end.saturating_sub(CHUNK_ITEMS - 1) / CHUNK_ITEMS * CHUNK_ITEMS
}

fn part_of(element: ElementType, slice: Extent, part: Range<u64>) -> Extent {
    let stride_bytes = slice.stride_bytes.unwrap_or(element.size_bytes());
    let offset_bytes = slice.offset_bytes + part.start * stride_bytes;
    Extent { offset_bytes, len: part.end - part.start, ..slice }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bindings of so many bytes, at any multiple of 32.
    fn capabilities(max_binding_bytes: u64) -> Capabilities {
        Capabilities { max_binding_bytes, binding_alignment_bytes: 32, ..Capabilities::default() }
    }

    fn slice(offset_bytes: u64, len: u64, stride_bytes: Option<u64>, item_bytes: u64) -> Extent {
        let span_bytes = len * stride_bytes.unwrap_or(item_bytes);
        let buffer_bytes = (offset_bytes + span_bytes).next_multiple_of(4);
        Extent { buffer_bytes, offset_bytes, len, stride_bytes, bits: None }
    }

    fn words(lens: &[u64]) -> Vec<Extent> {
        lens.iter().enumerate().map(|(i, &len)| slice(4 * (i as u64 % 5), len, None, 4)).collect()
    }

    /// What the positions have: those of windows in slices of their own, and those of seams.
    fn ranges(lens: &[u64], max_binding_bytes: u64) -> Vec<(usize, Range<u64>)> {
        let capabilities = capabilities(max_binding_bytes);
        let all = Windows::of_slices(ElementType::F32, &words(lens), &capabilities);
        let all = all.expect("it can be cut");
        all.windows.iter().map(|window| (window.view.slice, window.begin..window.end)).collect()
    }

    /// Windows have each position once, and bindings the neighbourhood of each: the same bytes as the slices, directly, or by a copy.
    fn check(element: ElementType, slices: &[Extent], max_binding_bytes: u64) {
        let item_bytes = element.size_bytes();
        let capabilities = capabilities(max_binding_bytes);
        let all = Windows::of_slices(element, slices, &capabilities).expect("it can be cut");
        let what = format!("{element} in {slices:?}, {max_binding_bytes} bytes");
        // The slice and the byte that each element of the sequence begins at.
        let byte_of = |extent: &Extent, at: u64| {
            extent.offset_bytes + at * extent.stride_bytes.unwrap_or(item_bytes)
        };
        let places: Vec<(usize, u64)> = (0..)
            .zip(slices)
            .flat_map(|(slice, extent)| (0..extent.len).map(move |at| (slice, byte_of(extent, at))))
            .collect();
        let len = places.len() as u64;
        let mut seams = vec![None; usize::try_from(all.seam_bytes / 4).expect("small")];
        for part in &all.parts {
            for at in 0..part.extent.len {
                let word = part.at + at * item_bytes.div_ceil(4);
                let own = &mut seams[usize::try_from(word).expect("small")];
                assert_eq!(own.replace((part.slice, byte_of(&part.extent, at))), None, "{what}");
            }
        }
        if all.windows.is_empty() {
            let view = view_of(element, slices[0], &capabilities).expect("one binding has it");
            assert!(slices.len() == 1 && view.is_some(), "{what}");
            return;
        }
        let mut next = 0;
        for window in &all.windows {
            assert_eq!(window.begin, next, "{what}");
            assert!(window.begin.is_multiple_of(16) && window.begin < window.end, "{what}");
            assert!(window.end.is_multiple_of(16) || window.end == len, "{what}");
            next = window.end;
            let view = window.view;
            assert!(view.size_bytes <= max_binding_bytes, "{what}");
            assert!(view.offset_bytes.is_multiple_of(32), "{what}");
            for at in 0..len.min(window.end + 15) - window.begin {
                let stride_bytes = view.stride_bytes.map_or(item_bytes, u64::from);
                let byte = u64::from(view.head_bytes) + at * stride_bytes;
                assert!(byte + item_bytes <= view.size_bytes, "{what}");
                let byte = view.offset_bytes + byte;
                let found = match slices.get(view.slice) {
                    Some(_) => Some((view.slice, byte)),
                    None => seams[usize::try_from(byte / 4).expect("small")],
                };
                let wanted = places[usize::try_from(window.begin + at).expect("small")];
                assert_eq!(found, Some(wanted), "element {at} of {window:?} of {what}");
            }
        }
        assert_eq!(next, len, "{what}");
    }

    #[test]
    fn windows_of_one_slice_overlap() {
        // 256 bytes have 64 words, and 60 from the second one's place on.
        assert_eq!(ranges(&[64], 256), []);
        assert_eq!(ranges(&[65], 256), [(0, 0..48), (0, 48..65)]);
        assert_eq!(ranges(&[112], 256), [(0, 0..48), (0, 48..112)]);
        assert_eq!(ranges(&[113], 256), [(0, 0..48), (0, 48..96), (0, 96..113)]);
    }

    #[test]
    fn seams_have_what_slices_do_not() {
        // The neighbourhoods of the first sixteen positions end before 31.
        assert_eq!(ranges(&[31, 31], 4096), [(0, 0..16), (2, 16..32), (1, 32..62)]);
        assert_eq!(ranges(&[30, 31], 4096), [(2, 0..32), (1, 32..61)]);
        assert_eq!(ranges(&[32, 31], 4096), [(0, 0..16), (2, 16..32), (1, 32..63)]);
        assert_eq!(ranges(&[33, 31], 4096), [(0, 0..16), (2, 16..48), (1, 48..64)]);
        // The last slice has no position of its own.
        assert_eq!(ranges(&[33, 15], 4096), [(0, 0..16), (2, 16..48)]);
        assert_eq!(ranges(&[1, 2, 3], 4096), [(3, 0..6)]);
        let all = Windows::of_slices(ElementType::F32, &words(&[40, 2, 38]), &capabilities(4096));
        let all = all.expect("it can be cut");
        let parts: Vec<_> =
            all.parts.iter().map(|part| (part.slice, part.extent.len, part.at)).collect();
        // From 16 to 48, and fifteen more.
        assert_eq!(parts, [(0, 24, 0), (1, 2, 24), (2, 21, 26)]);
        assert_eq!(all.seam_bytes, 4 * 48);
    }

    #[test]
    fn neighbourhoods_lie_whole_in_windows() {
        use ElementType::{F32, F32x3, F64, U8, U16};
        let mut state = 7u64;
        let mut choose = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (state >> 33) % below
        };
        for element in [F32, F64, U8, U16, F32x3] {
            let item_bytes = element.size_bytes();
            let part_bytes = item_bytes.min(4);
            for round in 0..150 {
                let count = 1 + choose(5);
                let slices: Vec<_> = (0..count)
                    .map(|_| {
                        let most = [20, 80, 900][usize::try_from(choose(3)).expect("small")];
                        let stride_bytes = match round % 3 {
                            0 => Some(item_bytes + part_bytes * (1 + choose(4))),
                            _ => None,
                        };
                        slice(part_bytes * choose(9), 1 + choose(most), stride_bytes, item_bytes)
                    })
                    .collect();
                check(element, &slices, 4096);
                // They have room for four seams.
                check(element, &slices, 64 + 1024 * item_bytes.div_ceil(4) + 16 * choose(9));
            }
        }
    }

    #[test]
    fn bindings_too_small_for_neighbourhoods() {
        let of = |stride_bytes, max_binding_bytes| {
            let slices = [slice(0, 200, Some(stride_bytes), 4)];
            Windows::of_slices(ElementType::F32, &slices, &capabilities(max_binding_bytes))
        };
        assert!(of(64, 31 * 64).is_ok());
        let error = of(64, 30 * 64).expect_err("no binding has 31");
        let (max_binding_bytes, needed_bytes) = (30 * 64, 32 + 31 * 64);
        let wanted = PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes };
        assert_eq!(error.to_string(), wanted.to_string());
        // All seams take one.
        let slices = words(&vec![20; 40]);
        let all = Windows::of_slices(ElementType::F32, &slices, &capabilities(2048));
        assert!(matches!(all, Err(PrepareError::BindingTooSmall { needed_bytes: 3200, .. })));
    }

    #[test]
    fn positions_have_32_bits() {
        let of = |len: u64| {
            let slices = [slice(0, len / 2, None, 1), slice(0, len - len / 2, None, 1)];
            Windows::of_slices(ElementType::U8, &slices, &Capabilities::default())
        };
        let all = of(MOST_ELEMENTS).expect("it can be cut");
        assert_eq!(all.windows.last().map(|window| window.end), Some(MOST_ELEMENTS));
        let wanted = SegmentError::Positions { len: MOST_ELEMENTS + 1, most: MOST_ELEMENTS };
        let error = of(MOST_ELEMENTS + 1).expect_err("they are too many");
        assert!(matches!(error, PrepareError::Segments(error) if error == wanted));
    }
}
