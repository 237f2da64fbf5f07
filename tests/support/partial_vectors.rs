//! The bytes of parts, which `tests/vectors/partials.py` wrote.

use super::{data, f64_data};
use gridfold::{Element, Operator, Precision};

/// A line: what a part is of, and its bytes.
#[derive(Clone, Debug)]
pub struct PartialVector {
    operator: &'static str,
    element: &'static str,
    pub precision: Precision,
    data: &'static str,
    seed: u32,
    len: usize,
    /// The position of the first element.
    pub first: u64,
    pub bytes: Vec<u8>,
}

impl PartialVector {
    /// What the part is of.
    pub fn elements<T: Element>(&self) -> Vec<T> {
        let read = |bytes: &[u8]| bytemuck::pod_read_unaligned(bytes);
        if self.element == "f64" {
            let elements = f64_data::generate(self.data, self.seed, self.len);
            return elements.iter().map(|x| read(bytemuck::bytes_of(x))).collect();
        }
        let elements = data::generate(self.data, self.seed, self.len);
        elements.iter().map(|x| read(bytemuck::bytes_of(x))).collect()
    }
}

/// The lines of an operator on a type.
pub fn partial_vectors<T: Element, Op: Operator<T>>(op: Op) -> Vec<PartialVector> {
    let vectors: Vec<PartialVector> = all_partial_vectors()
        .filter(|vector| {
            vector.operator == op.spec().operator.name() && vector.element == T::TYPE.name()
        })
        .collect();
    assert!(vectors.len() >= 6, "only {} vectors of {:?}", vectors.len(), op.spec());
    vectors
}

/// All lines.
pub fn all_partial_vectors() -> impl Iterator<Item = PartialVector> {
    let lines = include_str!("../vectors/partials.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")))
}

fn parse(line: &'static str) -> Option<PartialVector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [operator, element, level, data, seed, len, first, bytes] = fields[..] else {
        return None;
    };
    let byte = |digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    Some(PartialVector {
        operator,
        element,
        precision: match level {
            "exact" => Precision::Exact,
            "reproducible" => Precision::Reproducible,
            _ => return None,
        },
        data,
        seed: seed.parse().ok()?,
        len: len.parse().ok()?,
        first: first.parse().ok()?,
        bytes: bytes.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?,
    })
}
