//! What masks are made of: [`Flag`].

use crate::algebra::element::{Bits, Bool, Element};

/// A mask's elements: `u32` and [`Bool`], of which any value but 0 selects, and [`Bits`], of 32 flags each, the lowest bit first. Sealed.
#[diagnostic::on_unimplemented(note = "a mask has `u32`s, `gridfold::Bool`s or `gridfold::Bits`")]
pub trait Flag: Element {
    /// Bytes of a flag: the shader's `FLAG_BYTES`. 0 stands for bits.
    #[doc(hidden)]
    const BYTES: u32;

    /// Flags of so many elements, at most and at least.
    #[doc(hidden)]
    fn flags(mask: &[Self]) -> (u64, u64) {
        (mask.len() as u64, mask.len() as u64)
    }

    /// The flag of this number.
    #[doc(hidden)]
    fn is_set(mask: &[Self], number: usize) -> bool;
}

impl Flag for u32 {
    const BYTES: u32 = 4;
    fn is_set(mask: &[Self], number: usize) -> bool {
        mask[number] != 0
    }
}

impl Flag for Bool {
    const BYTES: u32 = 1;
    fn is_set(mask: &[Self], number: usize) -> bool {
        mask[number].into()
    }
}

impl Flag for Bits {
    const BYTES: u32 = 0;
    fn flags(mask: &[Self]) -> (u64, u64) {
        let most = 32 * mask.len() as u64;
        // The last word has one flag at least.
        (most.saturating_sub(31), most)
    }
    fn is_set(mask: &[Self], number: usize) -> bool {
        (mask[number / 32].0 >> (number % 32)) & 1 != 0
    }
}
