//! What groups take whose elements are moved.

use crate::{
    algebra::element::ElementType,
    device::{
        capabilities::Capabilities,
        extent::{Extent, WORD_BYTES},
    },
    dispatch::windows::View,
    error::PrepareError,
    segments::views::{UNREAD, view_of, whole},
};

/// A workgroup takes as many elements as these, at least. Where it counts groups, it has several elements for each, so that counts are not as many
/// as elements.
const MIN_LOG2_BLOCK_ITEMS: u32 = 10;
const LOG2_ITEMS_OF_GROUP: u32 = 2;
/// The shader has counts of 16 bits.
const MAX_LOG2_GROUP_ITEMS: u32 = 15;
const WANTED_WORKGROUPS: u64 = 2048;

/// Blocks of elements in groups, and all bindings of the passes that move elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupRoom {
    /// The numbers of groups.
    pub(super) numbers: View,
    /// The elements, where they are.
    pub(super) elements: View,
    /// Of a block, which is what a workgroup takes.
    pub(super) log2_block_items: u32,
    pub(super) blocks: u64,
    /// A count for each group in each block, and one more behind all of them.
    pub(super) entries: u64,
    /// The counts. Another buffer of this size has the places that a scan makes of them, of which each group's first one is its offset.
    pub(super) counts: View,
    /// The elements, one group after another. Those that are less than a word have a word each.
    pub(super) moved: View,
}

impl GroupRoom {
    /// Of as many numbers as elements. An error if any of it takes more than a binding.
    ///
    /// Fewer groups of the same elements than [`OrderPass::MAX_GROUPS`] have no more counts than so many have.
    ///
    /// [`OrderPass::MAX_GROUPS`]: crate::wgsl::kernel::OrderPass::MAX_GROUPS
    pub(crate) fn of(
        element: ElementType,
        elements: Extent,
        numbers: Option<Extent>,
        groups: u32,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let len = elements.len;
        let log2_len = |items: u64| items.next_power_of_two().ilog2();
        let wanted = log2_len(len.div_ceil(WANTED_WORKGROUPS))
            .max(log2_len(groups.into()) + LOG2_ITEMS_OF_GROUP);
        let log2_block_items = wanted.clamp(MIN_LOG2_BLOCK_ITEMS, MAX_LOG2_GROUP_ITEMS);
        let blocks = len.div_ceil(1 << log2_block_items);
        let entries = u64::from(groups) * blocks + 1;
        let numbers = match numbers {
            None => None,
            Some(numbers) => view_of(ElementType::U32, numbers, capabilities)?,
        };
        Ok(Self {
            numbers: numbers.unwrap_or(UNREAD),
            elements: view_of(element, elements, capabilities)?.unwrap_or(UNREAD),
            log2_block_items,
            blocks,
            entries,
            counts: whole(WORD_BYTES * entries, capabilities)?,
            moved: whole(element.size_bytes().max(WORD_BYTES) * len, capabilities)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wgsl::kernel::OrderPass;

    fn extent(len: u64, item_bytes: u64) -> Extent {
        let buffer_bytes = (len * item_bytes).next_multiple_of(16);
        Extent { buffer_bytes, offset_bytes: 0, len, stride_bytes: None, bits: None }
    }

    fn room(
        element: ElementType,
        len: u64,
        groups: u32,
        max_binding_bytes: u64,
    ) -> Result<GroupRoom, PrepareError> {
        let capabilities = Capabilities { max_binding_bytes, ..Capabilities::default() };
        let numbers = Some(extent(len, WORD_BYTES));
        GroupRoom::of(element, extent(len, element.size_bytes()), numbers, groups, &capabilities)
    }

    /// Bytes of what takes more than a binding.
    fn too_many(room: Result<GroupRoom, PrepareError>) -> Option<u64> {
        match room.err()? {
            PrepareError::BindingTooSmall { needed_bytes, .. } => Some(needed_bytes),
            other => panic!("{other}"),
        }
    }

    /// A copy takes what the elements take, or a word for each. Nothing else is in its binding.
    #[test]
    fn elements_that_a_binding_spans_have_room() {
        for element in [ElementType::F64, ElementType::F32x2] {
            for len in [1, 4096, 4098] {
                let room = room(element, len, 2, 32_784).expect("there is room");
                assert_eq!(room.moved.size_bytes, (8 * len).next_multiple_of(16));
                assert_eq!(room.entries, 2 * len.div_ceil(1024) + 1);
            }
            assert_eq!(too_many(room(element, 4099, 2, 32_784)), Some(32_792));
        }
        let of_bytes = room(ElementType::U8, 8196, 2, 32_784).expect("there is room");
        assert_eq!((of_bytes.moved.size_bytes, of_bytes.elements.size_bytes), (32_784, 8208));
        // The numbers take more, or the elements as they lie.
        assert_eq!(too_many(room(ElementType::U8, 8197, 2, 32_784)), Some(4 * 8197));
        assert_eq!(too_many(room(ElementType::F32x3, 2733, 2, 32_784)), Some(12 * 2733));
    }

    /// Where counts take more than the elements do.
    #[test]
    fn counts_have_a_binding_of_their_own() {
        let of_few = room(ElementType::F32, 100, 4096, 16_400).expect("there is room");
        assert_eq!((of_few.counts.size_bytes, of_few.moved.size_bytes), (16_400, 400));
        assert_eq!(too_many(room(ElementType::F32, 100, 4096, 16_384)), Some(16_400));
        assert!(room(ElementType::F32, 100, 2048, 16_384).is_ok());
    }

    /// An array of more groups goes in passes of so many, and the last pass has fewer.
    #[test]
    fn the_most_groups_have_the_most_counts() {
        for len in [1, 1000, 5000, 8193, 16_384, 100_001, 1 << 22, 1 << 25, 1 << 28] {
            let entries = |groups| {
                let capabilities = Capabilities {
                    max_binding_bytes: 1 << 31,
                    max_buffer_bytes: 1 << 31,
                    ..Capabilities::default()
                };
                let (elements, numbers) = (extent(len, 4), Some(extent(len, 4)));
                let room =
                    GroupRoom::of(ElementType::F32, elements, numbers, groups, &capabilities);
                room.expect("there is room").entries
            };
            let most = entries(OrderPass::MAX_GROUPS);
            for groups in [1, 2, 3, 255, 256, 257, 1024, 2047, 2048, 2049, 4095] {
                assert!(entries(groups) <= most, "{groups} groups of {len}");
            }
        }
    }
}
