//! What segments bind of buffers, each in one binding.

use crate::{
    algebra::element::ElementType,
    device::{
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        extent::Extent,
    },
    dispatch::windows::{Inputs, View, windows},
    error::PrepareError,
};

/// A binding that nothing is read of.
pub(super) const UNREAD: View = View::of_words(0, 16);

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

/// A whole buffer of so many bytes, at least.
pub(super) fn whole(bytes: u64, capabilities: &Capabilities) -> Result<View, PrepareError> {
    let max_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
    let max_binding_bytes = max_bytes.min(BINDING_BYTES_CAP);
    let size_bytes = bytes.max(16).next_multiple_of(16);
    if size_bytes > max_binding_bytes {
        return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes: size_bytes });
    }
    Ok(View::of_words(0, size_bytes))
}
