//! Expressions as they are understood: operations on words, each with a type.

use std::collections::HashMap;

/// What a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// The bits of an f32.
    F32,
    I32,
    U32,
    /// 0 or 1.
    Bool,
}

impl Type {
    /// WGSL's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::Bool => "bool",
        }
    }
}

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unary {
    Negate,
    /// Of bits, or of a bool.
    Not,
    Abs,
    CountOneBits,
    CountLeadingZeros,
    CountTrailingZeros,
    ReverseBits,
    /// To the nearest value of another type.
    Convert,
    /// The same bits.
    Bitcast,
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Equal,
    Less,
    LessEqual,
    Min,
    Max,
}

/// The number of a value in its graph.
pub(super) type Value = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    /// A word.
    Literal(u32),
    X,
    Y,
    /// The element's place in the whole sequence, modulo 2^32.
    Index,
    /// A word that comes with each call: which of them.
    Argument(usize),
    /// What the user's function makes of the elements, and of their index, if it takes one.
    Own {
        takes_y: bool,
        takes_index: bool,
    },
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    Select {
        condition: Value,
        accept: Value,
        reject: Value,
    },
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) operation: Operation,
    pub(super) ty: Type,
}

/// Values, each after those that it is made of; equal ones are one.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, Value>,
}

impl Graph {
    pub(super) fn add(&mut self, operation: Operation, ty: Type) -> Value {
        let node = Node { operation, ty };
        let next = self.nodes.len();
        let value = *self.known.entry(node).or_insert(next);
        if value == next {
            self.nodes.push(node);
        }
        value
    }

    pub(super) fn ty(&self, value: Value) -> Type {
        self.nodes[value].ty
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether it adds or multiplies floats, which not every device does as it should.
    pub(super) fn computes_floats(&self) -> bool {
        self.nodes.iter().any(Node::is_float_arithmetic)
    }
}

impl Node {
    pub(super) fn is_float_arithmetic(&self) -> bool {
        let is_arithmetic = matches!(
            self.operation,
            Operation::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, ..)
        );
        is_arithmetic && self.ty == Type::F32
    }
}
