//! What says where elements are, and how many: [`Offset`].

use crate::algebra::element::Element;

/// Offsets, lengths and positions on the device: `u32` and `u64`. Of a `u64` offset that has more than 32 bits the device knows that it is more than there
/// are elements. Sealed.
pub trait Offset: Element {}

impl Offset for u32 {}
impl Offset for u64 {}
