//! Inputs as bindings see them: a run of elements that one binding of each input spans is a window.

use crate::{
    algebra::element::ElementType,
    device::{
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        extent::{Extent, WORD_BYTES},
    },
    error::PrepareError,
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
    /// Words of the binding before the window's first element. Elements of two words may begin at any word.
    pub head_words: u32,
}

/// Positions in the whole sequence that one binding of each input spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) left: View,
    pub(crate) right: Option<View>,
}

/// The inputs of a problem: one, or two of the same length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs<'a> {
    pub(crate) element: ElementType,
    pub(crate) left: &'a [Extent],
    pub(crate) right: Option<&'a [Extent]>,
}

/// Cuts inputs into windows. `cut` is told where a window begins, where it has to end, and where the elements end that it
/// could have if it had not to; it may choose an earlier end.
pub(crate) fn windows(
    inputs: Inputs<'_>,
    capabilities: &Capabilities,
    cut: impl Fn(u64, u64, u64) -> u64,
) -> Result<Vec<Window>, PrepareError> {
    let element_bytes = inputs.element.size_bytes();
    // Vectors are counted from a binding's beginning, and in a batch from the buffer's: so both begin with one.
    let alignment = capabilities.binding_alignment_bytes.max(16);
    let max_bytes = max_window_bytes(capabilities)?;
    let mut windows = Vec::new();
    for run in runs(inputs) {
        let mut begin = run.begin;
        while begin < run.end {
            let place = |placed: Placed| placed.place(begin, element_bytes, alignment);
            let head_bytes = run.right.map_or(0, |right| place(right).1).max(place(run.left).1);
            let latest_end = run.end.min(begin + (max_bytes - head_bytes) / element_bytes);
            let end = cut(begin, latest_end, run.end);
            let view = |placed: Placed| placed.view(begin, end - begin, element_bytes, alignment);
            windows.push(Window { begin, end, left: view(run.left), right: run.right.map(view) });
            begin = end;
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
struct Run {
    begin: u64,
    end: u64,
    left: Placed,
    right: Option<Placed>,
}

/// A slice, and where in its input it begins.
#[derive(Clone, Copy)]
struct Placed {
    slice: usize,
    extent: Extent,
    begin: u64,
}

impl Placed {
    fn end(self) -> u64 {
        self.begin + self.extent.len
    }

    /// Where a binding that has the slice from `position` on begins, and how much it has before, in bytes.
    fn place(self, position: u64, element_bytes: u64, alignment: u64) -> (u64, u64) {
        let byte = self.extent.offset_bytes + (position - self.begin) * element_bytes;
        let offset_bytes = byte / alignment * alignment;
        (offset_bytes, byte - offset_bytes)
    }

    /// With the vector that the last element lies in.
    fn view(self, position: u64, items: u64, element_bytes: u64, alignment: u64) -> View {
        let (offset_bytes, head_bytes) = self.place(position, element_bytes, alignment);
        let needed_bytes = (head_bytes + items * element_bytes).next_multiple_of(16);
        let rest_bytes = self.extent.buffer_bytes - offset_bytes;
        View {
            slice: self.slice,
            offset_bytes,
            size_bytes: needed_bytes.min(rest_bytes & !3),
            head_words: u32::try_from(head_bytes / WORD_BYTES).expect("alignments are small"),
        }
    }
}

/// The longest runs, in order.
fn runs(inputs: Inputs<'_>) -> impl Iterator<Item = Run> {
    let alone = inputs.right.is_none().then(|| placed(inputs.left)).into_iter().flatten();
    let alone = alone.map(|left| Run { begin: left.begin, end: left.end(), left, right: None });
    alone.chain(inputs.right.into_iter().flat_map(move |right| pairs(inputs.left, right)))
}

fn pairs(left: &[Extent], right: &[Extent]) -> Vec<Run> {
    let lefts = placed(left);
    let mut runs = Vec::new();
    let mut rights = placed(right).filter(|right| right.extent.len > 0).peekable();
    for left in lefts {
        let mut begin = left.begin;
        while begin < left.end() {
            let &right = rights.peek().expect("both inputs have the same length");
            let end = left.end().min(right.end());
            runs.push(Run { begin, end, left, right: Some(right) });
            rights.next_if(|right| right.end() == end);
            begin = end;
        }
    }
    runs
}

fn placed(slices: &[Extent]) -> impl Iterator<Item = Placed> {
    let mut end = 0;
    slices.iter().enumerate().map(move |(slice, &extent)| {
        let begin = end;
        end += extent.len;
        Placed { slice, extent, begin }
    })
}
