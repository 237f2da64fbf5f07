//! What of a selection's inputs and outputs bindings span.

use crate::{
    algebra::element::ElementType,
    device::{capabilities::Capabilities, extent::Extent},
    dispatch::windows::{Inputs, View, windows},
    error::PrepareError,
    select::{
        compaction::{Compaction, Kind},
        masks::Mask,
    },
};

/// What one launch takes.
#[derive(Clone, Copy)]
pub(super) struct Launch {
    pub(super) begin: u64,
    pub(super) end: u64,
    /// The elements.
    pub(super) left: Option<View>,
    /// The flags, and where in the binding the first one is: in words, bytes or bits.
    pub(super) mask: Option<(View, u32)>,
}

/// Part of the output, in items.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) begin: u64,
    pub(super) end: u64,
    pub(super) output: View,
    pub(super) lengths: Option<View>,
}

/// Where a launch ends, that no grid is too long.
fn latest_end(begin: u64, log2_block_items: u32, capabilities: &Capabilities) -> u64 {
    begin + (u64::from(capabilities.max_workgroups) << log2_block_items)
}

/// What a selection's launches take, in their order.
pub(super) fn launches_of(
    problem: &Compaction,
    log2_block_items: u32,
    capabilities: &Capabilities,
) -> Result<Vec<Launch>, PrepareError> {
    match (&problem.mask, problem.kind) {
        (Some(mask), Kind::Positions) => launches_of_flags(mask, log2_block_items, capabilities),
        _ => launches_of_elements(problem, log2_block_items, capabilities),
    }
}

fn launches_of_elements(
    problem: &Compaction,
    log2_block_items: u32,
    capabilities: &Capabilities,
) -> Result<Vec<Launch>, PrepareError> {
    let by_bits = problem.mask.as_ref().filter(|mask| mask.is_of_bits());
    let bit_slices = by_bits.map(Mask::bit_slices);
    let slice_of = |begin: u64| {
        bit_slices.iter().flatten().find(|slice| slice.begin <= begin && begin < slice.end())
    };
    let beside = problem.mask.as_ref().filter(|mask| !mask.is_of_bits());
    let inputs = Inputs {
        element: problem.element,
        left: &problem.input.extents,
        right: beside.map(|mask| &mask.extents[..]),
        right_bytes: beside.map_or(0, |mask| mask.flag_bytes.into()),
        third: None,
    };
    let windows = windows(inputs, capabilities, |begin, end, _| {
        let end = end.min(latest_end(begin, log2_block_items, capabilities));
        slice_of(begin).map_or(end, |slice| end.min(slice.latest_end(begin, capabilities)))
    })?;
    let launches = windows.into_iter().map(|window| {
        let bits = || Some(slice_of(window.begin)?.view(window.begin, window.end, capabilities));
        let flags = window.right.map(|view| (view, first_flag(view, inputs.right_bytes)));
        Launch {
            begin: window.begin,
            end: window.end,
            left: Some(window.left),
            mask: flags.or_else(bits),
        }
    });
    Ok(launches.filter(|launch| launch.begin < launch.end).collect())
}

fn launches_of_flags(
    mask: &Mask,
    log2_block_items: u32,
    capabilities: &Capabilities,
) -> Result<Vec<Launch>, PrepareError> {
    let mut launches = Vec::new();
    if mask.is_of_bits() {
        for slice in mask.bit_slices() {
            let mut begin = slice.begin;
            while begin < slice.end() {
                let end = slice.latest_end(begin, capabilities).min(latest_end(
                    begin,
                    log2_block_items,
                    capabilities,
                ));
                let mask = Some(slice.view(begin, end, capabilities));
                launches.push(Launch { begin, end, left: None, mask });
                begin = end;
            }
        }
        return Ok(launches);
    }
    let element = if mask.flag_bytes == 1 { ElementType::Bool } else { ElementType::U32 };
    let inputs = Inputs::of_one(element, &mask.extents);
    let windows = windows(inputs, capabilities, |begin, end, _| {
        end.min(latest_end(begin, log2_block_items, capabilities))
    })?;
    launches.extend(windows.into_iter().filter(|window| window.begin < window.end).map(|window| {
        let mask = Some((window.left, first_flag(window.left, mask.flag_bytes.into())));
        Launch { begin: window.begin, end: window.end, left: None, mask }
    }));
    Ok(launches)
}

fn first_flag(view: View, flag_bytes: u64) -> u32 {
    if flag_bytes == 1 { view.head_bytes } else { view.head_bytes / 4 }
}

/// Parts of the output that one binding spans, or one of each output.
pub(super) fn parts(
    problem: &Compaction,
    capabilities: &Capabilities,
) -> Result<Vec<Part>, PrepareError> {
    let (output, lengths) = problem.outputs();
    let lengths: Option<&[Extent]> = lengths.as_ref().map(|lengths| &lengths.extents[..]);
    let inputs = Inputs {
        element: problem.output_element(),
        left: &output.extents,
        right: lengths,
        right_bytes: problem.numbers.size_bytes(),
        third: None,
    };
    let windows = windows(inputs, capabilities, |_, end, _| end)?;
    let parts = windows.into_iter().filter(|window| window.begin < window.end);
    Ok(parts
        .map(|window| Part {
            begin: window.begin,
            end: window.end,
            output: window.left,
            lengths: window.right,
        })
        .collect())
}
