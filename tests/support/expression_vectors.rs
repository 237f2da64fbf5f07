//! The test vectors of expressions over elements of every type. `tests/vectors/expressions.py` wrote them, and says what is in a line.

use super::data::mix;
use gridfold::{
    BitXor, Bool, Count, ElementType, L1Norm, Map, MapElement, Max, Mean, Min, Nan, Norm, Operator,
    Sum, SumOfSquares, half::f16,
};

/// A line of the vectors: what a reduction must give.
#[derive(Clone, Copy, Debug)]
pub struct ExpressionVector {
    element: &'static str,
    operator: &'static str,
    seed: u32,
    len: u32,
    bits: u64,
    pub text: &'static str,
}

/// What is done with each line.
pub trait Visit {
    fn visit<T: MapElement, Op: Operator<T::Wide>>(&mut self, vector: &ExpressionVector, op: Op);
}

/// Every line, by its type and its operator.
pub fn visit_all(visit: &mut impl Visit) {
    let lines = include_str!("../vectors/expressions.txt").lines();
    let vectors: Vec<_> = lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")))
        .collect();
    assert!(vectors.len() >= 90, "only {} vectors", vectors.len());
    for vector in &vectors {
        match (vector.element, vector.operator) {
            ("i8", "sum") => visit.visit::<i8, _>(vector, Sum),
            ("u8", "sum") => visit.visit::<u8, _>(vector, Sum),
            ("u8", "max") => visit.visit::<u8, _>(vector, Max),
            ("u8", "bit-xor") => visit.visit::<u8, _>(vector, BitXor),
            ("bool", "sum") => visit.visit::<Bool, _>(vector, Sum),
            ("i16", "min") => visit.visit::<i16, _>(vector, Min),
            ("i16", "sum") => visit.visit::<i16, _>(vector, Sum),
            ("u16", "sum") => visit.visit::<u16, _>(vector, Sum),
            ("f16", "min") => visit.visit::<f16, _>(vector, Min),
            ("f16", "max") => visit.visit::<f16, _>(vector, Max),
            ("f16", "count") => visit.visit::<f16, _>(vector, Count),
            ("f32", "count") => visit.visit::<f32, _>(vector, Count),
            ("u32", "bit-xor") => visit.visit::<u32, _>(vector, BitXor),
            ("i64", "sum") => visit.visit::<i64, _>(vector, Sum),
            ("i64", "min") => visit.visit::<i64, _>(vector, Min),
            ("i64", "max") => visit.visit::<i64, _>(vector, Max),
            ("i64", "bit-xor") => visit.visit::<i64, _>(vector, BitXor),
            ("u64", "sum") => visit.visit::<u64, _>(vector, Sum),
            ("u64", "bit-xor") => visit.visit::<u64, _>(vector, BitXor),
            ("f16", "norm") => visit.visit::<f16, _>(vector, Norm),
            ("f16", "nan-sum") => visit.visit::<f16, _>(vector, Sum.nan(Nan::Ignore)),
            ("f32", "sum-of-squares") => visit.visit::<f32, _>(vector, SumOfSquares),
            ("f32", "norm") => visit.visit::<f32, _>(vector, Norm),
            ("f32", "l1-norm") => visit.visit::<f32, _>(vector, L1Norm),
            ("f32", "nan-sum") => visit.visit::<f32, _>(vector, Sum.nan(Nan::Ignore)),
            ("f32", "nan-mean") => visit.visit::<f32, _>(vector, Mean.nan(Nan::Ignore)),
            ("f64", "sum-of-squares") => visit.visit::<f64, _>(vector, SumOfSquares),
            ("f64", "norm") => visit.visit::<f64, _>(vector, Norm),
            ("f64", "l1-norm") => visit.visit::<f64, _>(vector, L1Norm),
            ("f64", "nan-sum") => visit.visit::<f64, _>(vector, Sum.nan(Nan::Ignore)),
            ("f64", "nan-mean") => visit.visit::<f64, _>(vector, Mean.nan(Nan::Ignore)),
            ("f64", "max") => visit.visit::<f64, _>(vector, Max),
            ("f64", "count") => visit.visit::<f64, _>(vector, Count),
            _ => panic!("no test is for {vector:?}"),
        }
    }
}

fn parse(line: &'static str) -> Option<ExpressionVector> {
    let (head, text) = line.split_once(" | ")?;
    let mut fields = head.split(' ');
    let mut next = || fields.next();
    Some(ExpressionVector {
        element: next()?,
        operator: next()?,
        seed: next()?.parse().ok()?,
        len: next()?.parse().ok()?,
        bits: u64::from_str_radix(next()?.strip_prefix("0x")?, 16).ok()?,
        text,
    })
}

impl ExpressionVector {
    pub fn map<T: MapElement>(&self) -> Map<T> {
        Map::new(self.text).unwrap_or_else(|error| panic!("{}: {error}", self.text))
    }

    pub fn elements<T: MapElement>(&self) -> Vec<T> {
        let element = |index: u32| {
            let low = mix(index.wrapping_add(self.seed));
            let low = if T::TYPE == ElementType::Bool { low & 1 } else { low };
            let bits = u64::from(mix(low)) << 32 | u64::from(low);
            bytemuck::pod_read_unaligned(&bits.to_le_bytes()[..size_of::<T>()])
        };
        (0..self.len).map(element).collect()
    }

    /// Compares a result.
    pub fn check<Out: bytemuck::Pod>(&self, out: Out) {
        let mut bytes = [0; 8];
        bytes[..size_of::<Out>()].copy_from_slice(bytemuck::bytes_of(&out));
        let found = u64::from_le_bytes(bytes);
        assert_eq!(found, self.bits, "{self:?}: {found:#x}, not {:#x}", self.bits);
    }
}
