//! Operations of literals, which are literals: Mesa's lavapipe (22.3) refuses shaders that leave some of them to its compiler, such as conversions of
//! 64-bit integers.

use super::{
    element::LanesMut,
    graph::{Graph, Operation, Type, Value},
    run::{Given, run},
};

impl Graph {
    /// Adds an operation, or the value that it has in any case.
    pub(super) fn add(&mut self, operation: Operation, ty: Type) -> Value {
        if let Operation::Select { condition, accept, reject } = operation
            && let Operation::Literal(bits) = self.nodes()[condition].operation
        {
            return if bits == 0 { reject } else { accept };
        }
        let operation = self.constant(operation, ty).map_or(operation, Operation::Literal);
        self.insert(operation, ty)
    }

    /// The bits of an operation of literals alone.
    fn constant(&self, operation: Operation, ty: Type) -> Option<u64> {
        let operands = operation.operands();
        let nodes = operands.iter().map(|&operand| self.nodes()[operand]);
        let are_literals =
            nodes.clone().all(|node| matches!(node.operation, Operation::Literal(_)));
        if operands.is_empty() || !are_literals {
            return None;
        }
        let mut alone = Self::of(nodes.collect());
        let result = alone.insert(operation.of_first_values(), ty);
        let given =
            Given { load: &|_, _, _| {}, inputs: [None; 3], arguments: &[], own: &|_, _| 0 };
        let (mut word, mut wide) = ([0], [0]);
        let is_wide = ty.is_wide();
        let made = if is_wide { LanesMut::Wides(&mut wide) } else { LanesMut::Words(&mut word) };
        run(&alone, (result, None), &given, 0, made, &mut []);
        Some(if is_wide { wide[0] } else { word[0].into() })
    }
}
