//! Groups in one pass: which workgroup takes which elements and numbers, wherever these lie.

use crate::{
    algebra::{element::ElementType, operator::OperatorSpec},
    axes::Grid,
    device::{capabilities::Capabilities, extent::Extent},
    dispatch::windows::{Inputs, View, windows},
    error::PrepareError,
    reduce::blocks::narrow,
    segments::chunks::LOG2_CHUNK_ITEMS,
};

/// How the only pass over elements in groups takes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroupBlocks {
    pub(super) groups: u32,
    pub(super) log2_block_items: u32,
    /// Of all launches. Each is a workgroup's.
    pub(super) count: u32,
    /// One at least.
    pub(super) launches: Vec<GroupLaunch>,
}

/// Elements that one binding has, with their numbers, which another one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroupLaunch {
    pub(super) elements: View,
    pub(super) numbers: View,
    pub(super) items: u32,
    /// Its first block.
    pub(super) first: u32,
    pub(super) blocks: u32,
}

impl GroupBlocks {
    /// The shader's `LOCAL_WORDS`.
    pub(super) const LOCAL_WORDS: u32 = 4088;
    /// Accumulators of a group are at most as many as lanes of usual subgroups.
    pub(super) const MAX_LOG2_COPIES: u32 = 5;
    const MIN_LOG2_ITEMS: u32 = 12;
    /// Totals of groups are fewer than elements.
    const LOG2_ITEMS_OF_GROUP: u32 = 2;
    const WANTED: u32 = 2048;

    /// Whether so many groups go this way, wherever elements and numbers lie.
    pub(super) fn takes(spec: &OperatorSpec, groups: u32) -> bool {
        let words = u64::from(groups) * u64::from(spec.acc_words());
        spec.has_group_totals() && (1..=u64::from(Self::LOCAL_WORDS)).contains(&words)
    }

    /// Of as many numbers as elements, in any slices. `None` where groups go another way: by an operator without atomics, with too many
    /// accumulators, or of nothing.
    pub(super) fn of(
        spec: &OperatorSpec,
        groups: u32,
        elements: &[Extent],
        numbers: &[Extent],
        capabilities: &Capabilities,
    ) -> Result<Option<Self>, PrepareError> {
        let len: u64 = elements.iter().map(|slice| slice.len).sum();
        if !Self::takes(spec, groups) || len == 0 {
            return Ok(None);
        }
        let [element_bytes, number_bytes] =
            [spec.element, ElementType::U32].map(ElementType::size_bytes);
        elements.iter().try_for_each(|slice| slice.check(element_bytes))?;
        numbers.iter().try_for_each(|slice| slice.check(number_bytes))?;
        let log2 = |items: u64| items.next_power_of_two().ilog2();
        let workgroups = u64::from(capabilities.max_workgroups.min(Self::WANTED));
        let log2_block_items = log2(len.div_ceil(workgroups))
            .max(log2(groups.into()) + Self::LOG2_ITEMS_OF_GROUP)
            .max(Self::MIN_LOG2_ITEMS);
        let inputs = Inputs {
            element: spec.element,
            left: elements,
            right: Some(numbers),
            right_bytes: number_bytes,
            third: None,
        };
        let mut launches = Vec::new();
        let mut count = 0;
        for window in windows(inputs, capabilities, |_, end, _| end)? {
            let items = window.end - window.begin;
            let blocks = narrow(items.div_ceil(1 << log2_block_items));
            launches.push(GroupLaunch {
                elements: window.left,
                numbers: window.right.expect("elements have numbers"),
                items: narrow(items),
                first: count,
                blocks,
            });
            count += blocks;
        }
        Ok(Some(Self { groups, log2_block_items, count, launches }))
    }

    /// A total of each block is as those of sixteen elements are elsewhere.
    pub(super) fn grid(&self) -> Grid {
        let items = u64::from(self.count) << LOG2_CHUNK_ITEMS;
        Grid { groups: self.groups.into(), items, step: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::operator_type::OperatorType;

    fn slices(lens: &[u64], item_bytes: u64) -> Vec<Extent> {
        let extent = |&len: &u64| Extent {
            buffer_bytes: len * item_bytes,
            offset_bytes: 0,
            len,
            stride_bytes: None,
            bits: None,
        };
        lens.iter().map(extent).collect()
    }

    /// Launches end where a slice or a binding of either does, and their blocks follow one another.
    #[test]
    fn launches_have_all_elements() {
        let capabilities = Capabilities {
            max_binding_bytes: 40_000,
            binding_alignment_bytes: 32,
            ..Capabilities::default()
        };
        let spec = OperatorType::Max.spec(ElementType::U8).expect("there is one");
        let (bytes, numbers) = (slices(&[30_000, 7000], 1), slices(&[0, 9000, 28_000], 4));
        let blocks = GroupBlocks::of(spec, 9, &bytes, &numbers, &capabilities);
        let blocks = blocks.expect("they are sound").expect("it takes one pass");
        assert_eq!((blocks.groups, blocks.log2_block_items, blocks.count), (9, 12, 12));
        let launches = blocks.launches.iter().map(|launch| {
            let slices = (launch.elements.slice, launch.numbers.slice);
            assert!(launch.numbers.size_bytes <= 40_000, "{launch:?}");
            (slices, launch.items, launch.first, launch.blocks)
        });
        assert_eq!(
            launches.collect::<Vec<_>>(),
            [
                ((0, 1), 9000, 0, 3),
                ((0, 2), 10_000, 3, 3),
                ((0, 2), 10_000, 6, 3),
                ((0, 2), 1000, 9, 1),
                ((1, 2), 7000, 10, 2),
            ]
        );
        let sum = OperatorType::Sum.spec(ElementType::F32).expect("there is one");
        let floats = slices(&[37_000], 4);
        let none = GroupBlocks::of(sum, 9, &floats, &numbers, &capabilities);
        assert_eq!(none.expect("they are sound"), None);
    }
}
