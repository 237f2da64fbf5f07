//! How long blocks of a reduction may be, and how many a workgroup has room for.

use crate::{
    algebra::{element::ElementType, operator::OperatorSpec},
    device::capabilities::Capabilities,
    way::{Mechanism, policy::Policy},
    wgsl::{
        lanes::Lanes,
        params::{Params, ReductionParams},
    },
};
use std::ops::RangeInclusive;

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

/// How launches are cut whose blocks are more than a workgroup has room for: a workgroup each makes one partial of a group of blocks, and the last one
/// folds these. Such a launch has whole groups, and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Groups {
    /// Blocks of a group, and groups of a launch at most.
    log2_nodes: u32,
    /// Blocks of a launch whose blocks are shorter than the largest.
    usual_blocks: u64,
    min_log2_block_items: u32,
    max_log2_block_items: u32,
    /// Blocks of a launch at most.
    max_blocks: u64,
}

/// Groups of a launch at least. With fewer, usual launches have short blocks, too, and a pass less.
const MIN_GROUPS: u64 = 4;

impl Groups {
    /// The groups of an operator that has some. Its workgroups have a part of the usual lanes, so blocks are a part of the usual ones, and more.
    pub(super) fn of(
        spec: &OperatorSpec,
        policy: Policy,
        max_log2_block_items: u32,
        capabilities: &Capabilities,
    ) -> Option<Self> {
        let lanes = Lanes::of(spec.acc_words(), false);
        let fewer = Lanes::USUAL.log2_round_items - lanes.log2_round_items;
        let log2_nodes = max_nodes(spec.acc_words()).ilog2();
        // The blocks of long inputs have all that there is room for, and fewer launches are faster: on an NVIDIA H100 moments of 2^28 `f32`s took less time with
        // twice as many blocks, and as long with four times. Moments of 2^24 took more with twice as many. No record was kept.
        let usual_blocks = policy.max_workgroups << fewer;
        let max_blocks = (2 * usual_blocks).min(1 << (2 * log2_nodes));
        let max_blocks = max_blocks.min(capabilities.max_workgroups);
        let usual = (policy.min_rows * 1024).ilog2();
        let groups = Self {
            log2_nodes,
            usual_blocks: usual_blocks.min(max_blocks).into(),
            min_log2_block_items: (usual - fewer).min(max_log2_block_items),
            max_log2_block_items,
            max_blocks: max_blocks.into(),
        };
        (Lanes::folds_to_partials(spec) && groups.max_blocks >= MIN_GROUPS << log2_nodes)
            .then_some(groups)
    }

    /// Whether a device has room for the shortest launch of whole groups that any policy makes.
    pub(crate) fn fit(spec: &OperatorSpec, capabilities: &Capabilities) -> bool {
        let lanes = Lanes::of(spec.acc_words(), false);
        let blocks = MIN_GROUPS * u64::from(max_nodes(spec.acc_words()));
        let bytes = (blocks << lanes.log2_round_items) * spec.element.size_bytes();
        blocks <= capabilities.max_workgroups.into()
            && bytes <= capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes)
    }

    /// The logarithms of blocks' elements that a launch of so many may have, from the one that it should have on.
    fn log2s(self, items: u64) -> RangeInclusive<u32> {
        let wanted = items.div_ceil(self.usual_blocks).next_power_of_two().ilog2();
        wanted.clamp(self.min_log2_block_items, self.max_log2_block_items)
            ..=self.max_log2_block_items
    }

    /// The logarithm of a group's elements.
    fn log2_items(self, log2_block_items: u32) -> u32 {
        log2_block_items + self.log2_nodes
    }

    /// The logarithm of the elements of the blocks that a launch has whole groups of, if it has.
    pub(super) fn log2_block_items(self, begin: u64, end: u64) -> Option<u32> {
        self.log2s(end - begin).find(|&log2| {
            let log2_items = self.log2_items(log2);
            let is_whole = |place: u64| (place >> log2_items) << log2_items == place;
            let blocks = (end - begin) >> log2;
            is_whole(begin)
                && is_whole(end)
                && blocks <= self.max_blocks
                && (MIN_GROUPS..=1 << self.log2_nodes).contains(&((end - begin) >> log2_items))
                && span_blocks(begin, end, log2_items) <= 1 << self.log2_nodes
        })
    }

    /// Where a launch ends that begins at a place and ends before another: behind its last whole group, or before the first, or wherever other launches
    /// do if it has too few.
    pub(super) fn end(self, begin: u64, latest_end: u64) -> Option<u64> {
        let log2_items = self.log2_items(*self.log2s(latest_end - begin).start());
        let first = begin.div_ceil(1 << log2_items);
        let last = latest_end >> log2_items;
        if last < first + MIN_GROUPS {
            return None;
        }
        if first << log2_items > begin {
            return Some(first << log2_items);
        }
        let span_end = ((first >> self.log2_nodes) + 1) << self.log2_nodes;
        let most = first + (self.max_blocks >> self.log2_nodes);
        Some(last.min(span_end).min(most) << log2_items)
    }

    /// The parameters of the pass that folds the partials of each group of a launch; and of the last pass, whose blocks are the groups.
    pub(super) fn folds(self, launch: Params, begin: u64, end: u64) -> [Params; 2] {
        let log2_items = self.log2_items(launch.log2_block_items);
        let blocks = launch.blocks >> self.log2_nodes;
        let (first, span) = (begin >> log2_items, span_blocks(begin, end, log2_items));
        let own = launch.own.reduction();
        let between = ReductionParams { log2_span: self.log2_nodes, ..own };
        let last = ReductionParams {
            first_node: narrow(first % span),
            span: narrow(first / span),
            log2_span: span.ilog2(),
            partials: own.partials + launch.blocks,
            ..own
        };
        let last = Params { log2_block_items: log2_items, blocks, own: last.into(), ..launch };
        [Params { blocks, own: between.into(), ..launch }, last]
    }
}

/// Blocks are at most 2^29 elements and bindings 2^31 bytes. So positions stay below 2^31, and the
/// kernels' loops can go past the last one by some rounds without wrapping around.
pub(crate) fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("positions in a launch, blocks and halves of lengths fit 32 bits")
}
