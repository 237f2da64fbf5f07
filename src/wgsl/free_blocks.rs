//! Which shader files fold blocks of operators that have no order.

use crate::{algebra::element::ElementType, wgsl::shader::ShaderKey};

impl ShaderKey {
    /// Those of how a lane folds its vectors.
    pub(super) fn free_block_files(&self) -> &'static [&'static str] {
        if self.operator.tells_places() && !self.has_map() {
            &["reduce/free_block.wgsl", "reduce/gather.wgsl@places"]
        } else if self.counts_bytes() {
            &[
                "reduce/free_block.wgsl",
                "reduce/gather.wgsl@gathered_accs",
                "reduce/gather.wgsl@counts",
                "reduce/items_count.wgsl@bytes",
            ]
        } else if self.lifts_counts() {
            &[
                "reduce/free_block.wgsl",
                "reduce/gather.wgsl@gathered_accs",
                "reduce/gather.wgsl@counts",
                "reduce/items_count.wgsl@elements",
            ]
        } else {
            &[
                "reduce/free_block.wgsl",
                "reduce/gather.wgsl@gathered_accs",
                "reduce/gather.wgsl@accs",
            ]
        }
    }

    /// Whether an accumulator is a number of 64 bits, and that of an element so small that those of a round fit 32 bits.
    fn lifts_counts(&self) -> bool {
        self.has_part("operator/count.wgsl") || self.has_part("operator/count.wgsl@bits_count")
    }

    /// The same of elements of a byte, where what is counted are these.
    fn counts_bytes(&self) -> bool {
        let is_byte = matches!(self.element, ElementType::Bool | ElementType::I8 | ElementType::U8);
        is_byte && self.has_part("operator/count.wgsl") && !self.has_map()
    }
}
