//! The fences in SPIR-V: of float operations there are additions, subtractions and multiplications alone,
//! and each is fenced as in WGSL.
//!
//! A literal number may be taken for the value of that number. Then a fenced operation is refused, but
//! none without a fence accepted.

use std::collections::{HashMap, HashSet};

/// Words of a module before its instructions.
const HEADER: usize = 5;

/// Numbers of instructions, and of a storage class.
mod op {
    pub const EXT_INST: u32 = 12;
    pub const TYPE_FLOAT: u32 = 22;
    pub const TYPE_VECTOR: u32 = 23;
    pub const CONSTANT: u32 = 43;
    pub const FUNCTION: u32 = 54;
    pub const FUNCTION_PARAMETER: u32 = 55;
    pub const FUNCTION_CALL: u32 = 57;
    pub const VARIABLE: u32 = 59;
    pub const LOAD: u32 = 61;
    pub const ACCESS_CHAIN: u32 = 65;
    pub const VECTOR_SHUFFLE: u32 = 79;
    pub const COMPOSITE_CONSTRUCT: u32 = 80;
    pub const COMPOSITE_EXTRACT: u32 = 81;
    pub const U_CONVERT: u32 = 113;
    pub const BITCAST: u32 = 124;
    pub const I_ADD: u32 = 128;
    pub const F_ADD: u32 = 129;
    pub const F_SUB: u32 = 131;
    pub const F_MUL: u32 = 133;
    pub const SELECT: u32 = 169;
    pub const BITWISE_XOR: u32 = 198;
    pub const ATOMIC_LOAD: u32 = 227;
    pub const ATOMIC_EXCHANGE: u32 = 229;
    pub const ATOMIC_F_ADD_EXT: u32 = 6035;

    pub const UNIFORM: u32 = 2;
}

/// What may have a float as its result, without rounding it.
const MOVES: [u32; 11] = [
    op::FUNCTION,
    op::FUNCTION_PARAMETER,
    op::FUNCTION_CALL,
    op::VECTOR_SHUFFLE,
    op::COMPOSITE_CONSTRUCT,
    op::COMPOSITE_EXTRACT,
    op::BITCAST,
    op::SELECT,
    op::ATOMIC_LOAD,
    op::ATOMIC_EXCHANGE,
    op::ATOMIC_F_ADD_EXT,
];

/// How many float operations a module has, all of which are fenced.
///
/// # Errors
///
/// What is not fenced, or no such operation.
pub fn operations(words: &[u32]) -> Result<usize, String> {
    let module = Module::new(words)?;
    let mut count = 0;
    for instruction in &module.instructions {
        let is_float = instruction.words.first().is_some_and(|ty| module.floats.contains(ty));
        if !is_float || MOVES.contains(&instruction.op) {
            continue;
        }
        let result = instruction.words[1];
        if !matches!(instruction.op, op::F_ADD | op::F_SUB | op::F_MUL) {
            return Err(format!("%{result} is a float, by instruction {}", instruction.op));
        }
        if !module.is_fenced(result) {
            return Err(format!("%{result} is a float operation without a fence"));
        }
        count += 1;
    }
    Ok(count)
}

/// An instruction, and its words but the first.
struct Instruction<'w> {
    op: u32,
    words: &'w [u32],
}

#[derive(Default)]
struct Module<'w> {
    /// Those in functions.
    instructions: Vec<Instruction<'w>>,
    /// The types that are floats or vectors of them.
    floats: HashSet<u32>,
    zeros: HashSet<u32>,
    uniforms: HashSet<u32>,
    /// The parameters of each function.
    parameters: HashMap<u32, Vec<u32>>,
}

impl<'w> Module<'w> {
    fn new(words: &'w [u32]) -> Result<Self, String> {
        let mut module = Self::default();
        let mut rest = words.get(HEADER..).ok_or("SPIR-V without a header")?;
        let mut function = None;
        while let Some(&first) = rest.first() {
            let length = first as usize >> 16;
            let instruction = rest.get(..length).and_then(<[u32]>::split_first);
            let (_, words) = instruction.ok_or("an instruction of SPIR-V without an end")?;
            rest = &rest[length..];
            match (first & 0xffff, words) {
                (op::TYPE_FLOAT, &[id, ..]) => {
                    module.floats.insert(id);
                }
                (op::TYPE_VECTOR, &[id, component, _]) if module.floats.contains(&component) => {
                    module.floats.insert(id);
                }
                (op::CONSTANT, &[_, id, 0]) => {
                    module.zeros.insert(id);
                }
                (op::VARIABLE, &[_, id, op::UNIFORM, ..]) => {
                    module.uniforms.insert(id);
                }
                (op::FUNCTION, &[_, id, ..]) => {
                    function = Some(id);
                    module.parameters.insert(id, Vec::new());
                }
                (op::FUNCTION_PARAMETER, &[_, id]) => {
                    let function = function.ok_or("a parameter of no function in SPIR-V")?;
                    module.parameters.entry(function).or_default().push(id);
                }
                _ => {}
            }
            if function.is_some() {
                module.instructions.push(Instruction { op: first & 0xffff, words });
            }
        }
        Ok(module)
    }

    /// The instruction that makes a value: its result stands in its second word, and before all uses.
    fn maker(&self, value: u32) -> Option<&Instruction<'w>> {
        self.instructions.iter().find(|instruction| instruction.words.get(1) == Some(&value))
    }

    /// The instructions that use a value.
    fn users(&self, value: u32) -> impl Iterator<Item = &Instruction<'w>> {
        let makes = move |instruction: &&Instruction<'w>| instruction.words.get(1) == Some(&value);
        let uses = move |instruction: &&Instruction<'w>| {
            let mut words = instruction.words.iter().enumerate();
            // The number of an instruction of another list is no value.
            words.any(|(at, &word)| word == value && !(instruction.op == op::EXT_INST && at == 3))
        };
        self.instructions.iter().skip_while(move |other| !makes(other)).skip(1).filter(uses)
    }

    /// Whether nothing is done with a float but fence it.
    fn is_fenced(&self, value: u32) -> bool {
        self.users(value).all(|user| match *user {
            Instruction { op: op::BITCAST, words: &[_, bits, _] } => self.are_fenced(bits),
            Instruction { op: op::FUNCTION_CALL, words: &[_, _, function, ref arguments @ ..] } => {
                let parameters = &self.parameters[&function];
                let mut given = arguments.iter().zip(parameters);
                given.all(|(&argument, &parameter)| argument != value || self.is_fenced(parameter))
            }
            _ => false,
        })
    }

    /// Whether nothing is done with bits but add `zero` to them, or combine them with it by an exclusive or.
    fn are_fenced(&self, bits: u32) -> bool {
        self.users(bits).all(|user| match *user {
            Instruction { op: op::I_ADD | op::BITWISE_XOR, words: &[_, _, left, right] } => {
                self.is_zero(if left == bits { right } else { left })
            }
            _ => false,
        })
    }

    /// Whether it is loaded from the beginning of a uniform, or a vector of such, or a wider integer.
    fn is_zero(&self, value: u32) -> bool {
        match self.maker(value) {
            Some(Instruction { op: op::LOAD, words: [_, _, pointer] }) => {
                self.is_first_of_uniform(*pointer)
            }
            // Of integers twice as wide it is the low half.
            Some(Instruction { op: op::U_CONVERT, words: [_, _, narrow] }) => self.is_zero(*narrow),
            Some(Instruction { op: op::COMPOSITE_CONSTRUCT, words: [_, _, parts @ ..] }) => {
                parts.iter().all(|&part| self.is_zero(part))
            }
            _ => false,
        }
    }

    fn is_first_of_uniform(&self, pointer: u32) -> bool {
        if self.uniforms.contains(&pointer) {
            return true;
        }
        match self.maker(pointer) {
            Some(Instruction { op: op::ACCESS_CHAIN, words: [_, _, base, indices @ ..] }) => {
                indices.iter().all(|index| self.zeros.contains(index))
                    && self.is_first_of_uniform(*base)
            }
            _ => false,
        }
    }
}
