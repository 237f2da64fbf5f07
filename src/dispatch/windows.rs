//! Inputs as bindings see them: a run of elements that one binding of each input spans is a window.

use crate::{
    algebra::element::{ElementType, Packing},
    device::{
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        extent::{BitMasks, Extent, WORD_BYTES},
    },
    error::PrepareError,
    wgsl::shader::Constants,
};

/// What a binding has of an input slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Which slice of the input.
    pub slice: usize,
    /// Where in the slice's buffer the binding begins, in bytes.
    pub offset_bytes: u64,
    /// Its size in bytes. Below 16 no vector can be bound, and none is loaded.
    pub size_bytes: u64,
    /// Bytes of the binding before the window's first element. It may begin at any word, or part of one that it fits.
    pub head_bytes: u32,
    /// From one element to the next in bytes, where they do not follow one another.
    pub stride_bytes: Option<u32>,
    /// Of words of bits, those of the window's first and last word that are the input's.
    pub bits: Option<BitMasks>,
}

impl View {
    /// Whole words of the first buffer, which hold no elements of an input that is cut into windows.
    pub(crate) const fn of_words(offset_bytes: u64, size_bytes: u64) -> Self {
        Self { slice: 0, offset_bytes, size_bytes, head_bytes: 0, stride_bytes: None, bits: None }
    }

    /// Where in a vector of the binding groups of elements begin, in bytes, if the window begins with the one of this number.
    pub(crate) fn place_in_vector(self, begin: u32, element: ElementType) -> u32 {
        let element_bytes = u32::try_from(element.size_bytes()).expect("a few");
        self.head_bytes.wrapping_sub(begin.wrapping_mul(element_bytes)) % 16
    }
}

impl View {
    /// `SHIFT`: whether groups of elements begin with a vector of the binding.
    pub(crate) fn shift(self, begin: u32, element: ElementType) -> u32 {
        match self.place_in_vector(begin, element) {
            _ if self.stride_bytes.is_some() && element.packing().is_narrow() => {
                Constants::STRIDED_PLACE
            }
            _ if self.stride_bytes.is_some() => Constants::ANY_PLACE,
            0 => 0,
            8 if element.packing() == Packing::TwoWords => Constants::MIDDLE_PLACE,
            _ => Constants::ANY_PLACE,
        }
    }

    /// The position below which every group of four of so many elements, from position `begin` on, can be loaded at a time by a kernel with
    /// such a `SHIFT`. Word by word all can.
    pub(crate) fn vec_end(self, begin: u32, items: u64, element: ElementType) -> u64 {
        match self.shift(begin, element) {
            Constants::ANY_PLACE | Constants::STRIDED_PLACE => u64::from(begin) + items,
            _ => self.vectors_end(begin, items, element),
        }
    }

    /// The position below which every such group lies in whole vectors of the binding. A group that begins within a vector needs the next one,
    /// too. Strided elements are loaded one by one.
    pub(crate) fn vectors_end(self, begin: u32, items: u64, element: ElementType) -> u64 {
        let end = u64::from(begin) + items;
        if self.stride_bytes.is_some() {
            return end;
        }
        let element_bytes = element.size_bytes();
        let whole_bytes = self.size_bytes / 16 * 16;
        let unreadable_bytes = match self.place_in_vector(begin, element) {
            0 => 0,
            place => 16 - place,
        };
        let readable_bytes = whole_bytes.saturating_sub(unreadable_bytes.into());
        let readable_end = (readable_bytes + u64::from(begin) * element_bytes)
            .saturating_sub(self.head_bytes.into())
            / element_bytes;
        readable_end.min(end)
    }
}

/// Positions in the whole sequence that one binding of each input spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) left: View,
    pub(crate) right: Option<View>,
    pub(crate) third: Option<View>,
}

impl Window {
    /// The same in two, cut at a place within it. Both have the same bindings.
    pub(crate) fn split(self, place: u64, inputs: Inputs<'_>) -> [Self; 2] {
        let items = place - self.begin;
        let after = |view: View, element_bytes: u64| {
            let stride_bytes = view.stride_bytes.map_or(element_bytes, u64::from);
            let head_bytes = u64::from(view.head_bytes) + items * stride_bytes;
            View { head_bytes: u32::try_from(head_bytes).expect("bindings are small"), ..view }
        };
        // The first word of a mask is in the first one, and the last word in the other one.
        let bits = |has_first| self.left.bits.and_then(|bits| bits.part(has_first, !has_first));
        let left = View { bits: bits(true), ..self.left };
        let rest_left = after(self.left, inputs.element.size_bytes());
        let rest = Self {
            begin: place,
            left: View { bits: bits(false), ..rest_left },
            right: self.right.map(|right| after(right, inputs.right_bytes)),
            third: self.third.map(|third| after(third, inputs.element.size_bytes())),
            ..self
        };
        [Self { end: place, left, ..self }, rest]
    }

    /// Whether the elements of an input do not follow one another.
    pub(crate) fn is_strided(&self) -> bool {
        let views = [Some(self.left), self.right, self.third];
        views.into_iter().flatten().any(|view| view.stride_bytes.is_some())
    }
}

/// The inputs of a problem: one, or two or three of the same length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs<'a> {
    pub(crate) element: ElementType,
    pub(crate) left: &'a [Extent],
    pub(crate) right: Option<&'a [Extent]>,
    /// Bytes of an element of the right one.
    pub(crate) right_bytes: u64,
    /// Only beside a right one. Its elements are as those of the left one.
    pub(crate) third: Option<&'a [Extent]>,
}

impl<'a> Inputs<'a> {
    /// One input.
    pub(crate) const fn of_one(element: ElementType, left: &'a [Extent]) -> Self {
        Self { element, left, right: None, right_bytes: 0, third: None }
    }
}

/// Cuts inputs into windows. `cut` is told where a window begins, where it has to end, and where the elements end that it
/// could have if it had not to; it may choose an earlier end.
pub(crate) fn windows(
    inputs: Inputs<'_>,
    capabilities: &Capabilities,
    cut: impl Fn(u64, u64, u64) -> u64,
) -> Result<Vec<Window>, PrepareError> {
    windows_from(inputs, capabilities, cut, |end| end)
}

/// The same of windows that overlap: after one that ends before its slice does, `next` says where the next one begins, which is an element further on, at
/// least.
pub(crate) fn windows_from(
    inputs: Inputs<'_>,
    capabilities: &Capabilities,
    cut: impl Fn(u64, u64, u64) -> u64,
    next: impl Fn(u64) -> u64,
) -> Result<Vec<Window>, PrepareError> {
    // Vectors are counted from a binding's beginning, and in a batch from the buffer's: so both begin with one.
    let alignment = capabilities.binding_alignment_bytes.max(16);
    let max_bytes = max_window_bytes(capabilities)?;
    let mut windows = Vec::new();
    for run in runs(inputs) {
        let mut begin = run.begin;
        while begin < run.end {
            // Strided elements end with their strides, but for the last one.
            let all = [Some(run.left), run.right, run.third];
            let items = all.into_iter().flatten().map(|placed| {
                (max_bytes - placed.place(begin, alignment).1) / placed.stride_bytes()
            });
            let items = items.min().expect("there is a left one");
            let latest_end = run.end.min(begin + items.max(1));
            let end = cut(begin, latest_end, run.end);
            let view = |placed: Placed| placed.view(begin, end - begin, alignment);
            let (left, right, third) = (view(run.left), run.right.map(view), run.third.map(view));
            windows.push(Window { begin, end, left, right, third });
            begin = if end == run.end { end } else { next(end).max(begin + 1) };
        }
    }
    Ok(windows)
}

/// Elements of a window at most, if it begins where a binding does.
pub(crate) fn max_window_items(element: ElementType, capabilities: &Capabilities) -> u64 {
    max_window_bytes(capabilities).unwrap_or(0) / element.size_bytes()
}

fn max_window_bytes(capabilities: &Capabilities) -> Result<u64, PrepareError> {
    // Vectors are loaded whole, so the last one must be within the binding.
    let max_binding_bytes = capabilities.max_binding_bytes.min(BINDING_BYTES_CAP) & !15;
    let needed_bytes = capabilities.binding_alignment_bytes.max(16) + 16;
    if max_binding_bytes < needed_bytes {
        return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
    }
    Ok(max_binding_bytes)
}

/// Positions in the whole sequence that lie in one slice, or in one of each input.
#[derive(Clone, Copy)]
struct Run {
    begin: u64,
    end: u64,
    left: Placed,
    right: Option<Placed>,
    third: Option<Placed>,
}

/// A slice, and where in its input it begins.
#[derive(Clone, Copy)]
struct Placed {
    slice: usize,
    extent: Extent,
    begin: u64,
    element_bytes: u64,
}

impl Placed {
    fn end(self) -> u64 {
        self.begin + self.extent.len
    }

    /// From one element to the next.
    fn stride_bytes(self) -> u64 {
        self.extent.stride_bytes.unwrap_or(self.element_bytes)
    }

    /// Where a binding that has the slice from `position` on begins, and how much it has before, in bytes.
    fn place(self, position: u64, alignment: u64) -> (u64, u64) {
        let byte = self.extent.offset_bytes + (position - self.begin) * self.stride_bytes();
        let offset_bytes = byte / alignment * alignment;
        (offset_bytes, byte - offset_bytes)
    }

    /// With the vector that the last element lies in.
    fn view(self, position: u64, items: u64, alignment: u64) -> View {
        let (offset_bytes, head_bytes) = self.place(position, alignment);
        let strides = items.saturating_sub(1) * self.stride_bytes();
        let needed_bytes = (head_bytes + strides + self.element_bytes).next_multiple_of(16);
        let rest_bytes = self.extent.buffer_bytes - offset_bytes;
        View {
            slice: self.slice,
            offset_bytes,
            size_bytes: needed_bytes.min(rest_bytes / WORD_BYTES * WORD_BYTES),
            head_bytes: u32::try_from(head_bytes).expect("alignments are small"),
            stride_bytes: self
                .extent
                .stride_bytes
                .map(|bytes| u32::try_from(bytes).expect("strides are checked")),
            bits: self
                .extent
                .bits
                .and_then(|bits| bits.part(position == self.begin, position + items == self.end())),
        }
    }
}

/// The longest runs, in order: each ends where a slice of any input does.
fn runs(inputs: Inputs<'_>) -> Vec<Run> {
    let element_bytes = inputs.element.size_bytes();
    let alone = placed(inputs.left, element_bytes);
    let alone = alone.map(|left| Run {
        begin: left.begin,
        end: left.end(),
        left,
        right: None,
        third: None,
    });
    let mut runs: Vec<Run> = alone.collect();
    if let Some(right) = inputs.right {
        runs = beside(runs, placed(right, inputs.right_bytes), |run, right| Run {
            right: Some(right),
            ..run
        });
    }
    if let Some(third) = inputs.third {
        runs = beside(runs, placed(third, element_bytes), |run, third| Run {
            third: Some(third),
            ..run
        });
    }
    runs
}

/// Runs, cut where slices of one more input end. `with` adds such a slice to a run.
fn beside(
    runs: Vec<Run>,
    others: impl Iterator<Item = Placed>,
    with: impl Fn(Run, Placed) -> Run,
) -> Vec<Run> {
    let mut cut = Vec::new();
    let mut others = others.filter(|other| other.extent.len > 0).peekable();
    for run in runs {
        let mut begin = run.begin;
        while begin < run.end {
            let &other = others.peek().expect("all inputs have the same length");
            let end = run.end.min(other.end());
            cut.push(with(Run { begin, end, ..run }, other));
            others.next_if(|other| other.end() == end);
            begin = end;
        }
    }
    cut
}

fn placed(slices: &[Extent], element_bytes: u64) -> impl Iterator<Item = Placed> {
    let mut end = 0;
    slices.iter().enumerate().map(move |(slice, &extent)| {
        let begin = end;
        end += extent.len;
        Placed { slice, extent, begin, element_bytes }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors that are joined need the next one; words do not.
    #[test]
    fn groups_end_before_vectors_that_are_not_there() {
        let view = |head_bytes| View { head_bytes, ..View::of_words(0, 4096) };
        let ends = |head_bytes, items| {
            let view = view(head_bytes);
            let ends = [View::vec_end, View::vectors_end];
            ends.map(|end| end(view, 0, items, ElementType::F32))
        };
        assert_eq!(ends(0, 1024), [1024, 1024]);
        assert_eq!(ends(4, 1023), [1023, 1020]);
        assert_eq!(ends(12, 1021), [1021, 1020]);
        let doubles = view(8).vec_end(0, 511, ElementType::F64);
        assert_eq!(doubles, 510);
    }
}
