//! How many invocations a workgroup has, and what goes with it: the shader's `lanes.wgsl`.

use crate::algebra::operator::OperatorSpec;

/// What a kernel's workgroups are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lanes {
    /// Invocations: the shader's `WORKGROUP_SIZE`.
    pub(crate) count: u32,
    /// Of what they load at a time: the shader's `LOG2_ROUND_ITEMS`.
    pub(crate) log2_round_items: u32,
    /// Words of the totals that a workgroup has room for: the shader's `NODES_WORDS`.
    nodes_words: u32,
    /// The shader file.
    pub(crate) file: &'static str,
}

impl Lanes {
    /// Those of all kernels of the library's own operators, but for moments with extrema and places.
    pub(crate) const USUAL: Self =
        Self { count: 256, log2_round_items: 12, nodes_words: 2048, file: "lanes.wgsl@of_256" };
    /// Those of large accumulators.
    pub(crate) const FEW: Self =
        Self { count: 64, log2_round_items: 10, nodes_words: 1024, file: "lanes.wgsl@of_64" };
    /// Words of an accumulator for which usual workgroups have memory, at most, if totals have an order,
    const MAX_USUAL_WORDS: u32 = 5;
    /// and if they have none: then there is one for each invocation.
    const MAX_USUAL_FREE_WORDS: u32 = 8;

    /// Those that fit the workgroup memory of every device.
    pub(crate) const fn of(acc_words: u32, order_free: bool) -> Self {
        let max_words = if order_free { Self::MAX_USUAL_FREE_WORDS } else { Self::MAX_USUAL_WORDS };
        if acc_words <= max_words { Self::USUAL } else { Self::FEW }
    }

    /// Whether workgroups have room for so few totals that long launches take a pass more, which folds partials to fewer.
    pub(crate) fn folds_to_partials(spec: &OperatorSpec) -> bool {
        !spec.order_free && Self::of(spec.acc_words(), false) == Self::FEW
    }

    /// The shader's `MAX_NODES`: totals that a workgroup has room for, where they have an order.
    pub(crate) fn max_nodes(self, acc_words: u32) -> u32 {
        self.nodes_words / acc_words.max(2).next_power_of_two()
    }
}
