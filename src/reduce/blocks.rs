//! How long blocks of a reduction may be, and how many a workgroup has room for.

use crate::{
    algebra::element::ElementType, device::capabilities::Capabilities, way::Mechanism,
    wgsl::lanes::Lanes,
};

/// The largest block, in any order: positions stay below 2^31.
pub(crate) const MAX_LOG2_BLOCK_ITEMS: u32 = 29;

/// The largest ordered block of an element type. Elements of 64 bits were slower in longer ones.
pub(super) fn max_log2_block_items_of(element: ElementType) -> u32 {
    match element {
        ElementType::F64 | ElementType::I64 | ElementType::U64 => 18,
        _ => MAX_LOG2_BLOCK_ITEMS,
    }
}

/// Blocks of the smallest span that a launch is in.
pub(super) fn span_blocks(begin: u64, end: u64, log2_block_items: u32) -> u64 {
    let (first, last) = (begin >> log2_block_items, (end - 1) >> log2_block_items);
    ((first ^ last) + 1).next_power_of_two()
}

/// Totals that a workgroup has room for, where they have an order.
pub(super) fn max_nodes(acc_words: u32) -> u32 {
    Lanes::of(acc_words, false).max_nodes(acc_words)
}

/// The largest block that a workgroup has room for, of the smallest teams there can be, if its totals have an order.
pub(crate) fn max_log2_ordered_block_items(
    acc_words: u32,
    mechanism: Mechanism,
    capabilities: &Capabilities,
) -> u32 {
    let lanes = Lanes::of(acc_words, false);
    let teams = match (mechanism, capabilities.subgroups) {
        (Mechanism::Subgroup, Some(sizes)) => lanes.count / sizes.min,
        _ => 1,
    };
    lanes.log2_round_items + (max_nodes(acc_words) / teams).ilog2()
}
