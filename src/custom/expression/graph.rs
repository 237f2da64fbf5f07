//! Expressions as they are understood: operations on numbers, each with a type.

use crate::algebra::element::ElementType;

/// What expressions call the elements of their inputs.
pub(super) const NAMES: [&str; 3] = ["x", "y", "z"];

/// What a word means, or two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// The bits of an f32.
    F32,
    I32,
    U32,
    /// The bits of an f64.
    F64,
    I64,
    U64,
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
            Self::F64 => "f64",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::Bool => "bool",
        }
    }

    /// The type of a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [Self::F32, Self::I32, Self::U32, Self::F64, Self::I64, Self::U64, Self::Bool];
        all.into_iter().find(|ty| ty.name() == name)
    }

    /// That of elements, once they are loaded: of 32 bits or 64.
    pub(super) const fn of(element: ElementType) -> Self {
        match element {
            ElementType::F32 => Self::F32,
            ElementType::I32 => Self::I32,
            ElementType::F64 => Self::F64,
            ElementType::I64 => Self::I64,
            ElementType::U64 => Self::U64,
            _ => Self::U32,
        }
    }

    /// Whether it has 64 bits: two words.
    pub(super) const fn is_wide(self) -> bool {
        matches!(self, Self::F64 | Self::I64 | Self::U64)
    }

    pub(super) const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
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
    /// To the nearest value of another type. Of those of 64 bits there are conversions of integers to integers, to floats from integers of 64 bits,
    /// between floats, to integers of 64 bits from f64s, and from bools.
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
    /// Its bits.
    Literal(u64),
    /// The element of an input, or, where it has several, a component of it.
    X(Option<usize>),
    Y(Option<usize>),
    Z(Option<usize>),
    /// The element's place in the whole sequence, modulo 2^32.
    Index,
    /// What comes with each call: from which of its words on.
    Argument(usize),
    /// What the user's function makes of the elements of so many inputs, and of their index, if it takes one.
    Own {
        inputs: u32,
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

impl Operation {
    /// Whether a kernel gives it: an element, the index, a parameter, or the result of the user's function.
    pub(super) fn is_input(self) -> bool {
        !matches!(self, Self::Literal(_) | Self::Unary(..) | Self::Binary(..) | Self::Select { .. })
    }

    pub(super) fn operands(self) -> Vec<Value> {
        match self {
            Self::Unary(_, a) => vec![a],
            Self::Binary(_, a, b) => vec![a, b],
            Self::Select { condition, accept, reject } => vec![condition, accept, reject],
            _ => Vec::new(),
        }
    }

    /// The same operation on the values 0, 1 and 2.
    pub(super) fn of_first_values(self) -> Self {
        match self {
            Self::Unary(op, _) => Self::Unary(op, 0),
            Self::Binary(op, ..) => Self::Binary(op, 0, 1),
            Self::Select { .. } => Self::Select { condition: 0, accept: 1, reject: 2 },
            other => other,
        }
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) operation: Operation,
    pub(super) ty: Type,
}

/// Values, each after those that it is made of; equal ones are one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    pub(super) fn of(nodes: Vec<Node>) -> Self {
        Self { nodes }
    }

    /// A value, as it is. `add` computes operations of literals.
    pub(super) fn insert(&mut self, operation: Operation, ty: Type) -> Value {
        let node = Node { operation, ty };
        // They are few, most of the time, and each call on the CPU copies them: a map would take longer.
        self.nodes.iter().position(|known| *known == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    pub(super) fn ty(&self, value: Value) -> Type {
        self.nodes[value].ty
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn has(&self, ty: Type) -> bool {
        self.nodes.iter().any(|node| node.ty == ty)
    }

    /// Whether some value may depend on the element's place.
    pub(super) fn reads_index(&self) -> bool {
        let is_index = |node: &Node| {
            matches!(node.operation, Operation::Index | Operation::Own { takes_index: true, .. })
        };
        self.nodes.iter().any(is_index)
    }

    /// Whether it adds or multiplies f32s, which not every device does as it should.
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
