//! The test vectors of narrow elements, of integers, of magnitudes and of what is counted. `tests/vectors/narrow.py` wrote them, and says
//! what is in a line.

use super::data::mix;
use gridfold::{DynOperator, Element, ElementType, Executor, Operator, OperatorType, Precision};

/// A line of the vectors: what a reduction must give.
#[derive(Clone, Copy, Debug)]
pub struct NarrowVector {
    pub operator: OperatorType,
    pub element: ElementType,
    pub precision: Precision,
    kind: &'static str,
    seed: u32,
    pub len: usize,
    /// The result as a device writes it; `None` for the minimum or maximum of nothing.
    pub bits: Option<u64>,
    /// The same as the line has it: all that moments tell.
    pub told: &'static str,
}

/// Every line of the vectors of an operator and a type.
pub fn vectors_of(operator: OperatorType, element: ElementType) -> Vec<NarrowVector> {
    let vectors: Vec<_> =
        all().filter(|v| (v.operator, v.element) == (operator, element)).collect();
    assert!(vectors.len() >= 6, "only {} vectors of {operator} {element}", vectors.len());
    vectors
}

/// Whether there are vectors of an operator and a type: `tests/vectors.rs` holds that every cell of the table has some, here or elsewhere.
pub fn has_vectors_of(operator: OperatorType, element: ElementType) -> bool {
    all().any(|vector| (vector.operator, vector.element) == (operator, element))
}

fn all() -> impl Iterator<Item = NarrowVector> {
    include_str!("../vectors/narrow.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")))
}

fn parse(line: &'static str) -> Option<NarrowVector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [operator, element, level, kind, seed, len, bits] = fields[..] else { return None };
    Some(NarrowVector {
        operator: OperatorType::ALL.iter().copied().find(|known| known.name() == operator)?,
        element: ElementType::ALL.into_iter().find(|known| known.name() == element)?,
        precision: Precision::ALL.into_iter().find(|known| known.name() == level)?,
        kind,
        seed: seed.parse().ok()?,
        len: len.parse().ok()?,
        bits: match bits.strip_prefix("0x") {
            _ if bits.contains(',') => None,
            Some(digits) => Some(u64::from_str_radix(digits, 16).ok()?),
            None if bits == "none" => None,
            None => return None,
        },
        told: bits,
    })
}

impl NarrowVector {
    /// What is reduced.
    pub fn elements<T: Element>(&self) -> Vec<T> {
        let width = 8 * size_of::<T>();
        let bytes = (0..).take(self.len).flat_map(|index: u32| {
            let bits = self.bits_of(mix(index.wrapping_add(self.seed)), width as u64);
            bits.to_le_bytes().into_iter().take(width / 8)
        });
        bytemuck::pod_collect_to_vec(&bytes.collect::<Vec<u8>>())
    }

    /// The right side of a dot product: the elements, rotated by one place.
    pub fn right_elements<T: Element>(&self) -> Vec<T> {
        let mut elements = self.elements();
        elements.rotate_left(self.len.min(1));
        elements
    }

    fn bits_of(&self, h: u32, width: u64) -> u64 {
        let any = u64::from(h) | u64::from(mix(h)) << 32;
        let one = if h % 1500 == 1 { 1 << (u64::from(h >> 8) % width) } else { 0 };
        let high = u64::from(h >> 16);
        // Where the exponent is, the least field, and how many there are.
        let (place, lowest, exponents) = match self.element {
            ElementType::F16 => (10, 8, 15),
            ElementType::F64 => (52, 1003, 32),
            ElementType::F32 => (23, 107, 32),
            _ => (7, 107, 32),
        };
        let sign = 1 << (width - 1);
        let sign_and_fraction = any & (sign | ((1 << place) - 1));
        match self.kind {
            "any" => any,
            "odd" => any | 1,
            "few" => one,
            "most" => !one,
            "sparse" if h.is_multiple_of(7) => any,
            "sparse" => 0,
            "subnormal" => sign_and_fraction,
            "some_nan" if h % 700 == 1 => sign_and_fraction | (sign - (1 << place)) | 1,
            "finite" | "some_nan" => sign_and_fraction | (lowest + high % exponents) << place,
            "holes" if h % 1500 == 1 => 0,
            "holes" => any | 1,
            "zeros" => any & sign,
            other => panic!("no elements are {other}"),
        }
    }

    /// The result, in the type that a device writes.
    pub fn out<Out: bytemuck::Pod>(&self) -> Option<Out> {
        let bytes = self.bits?.to_le_bytes();
        Some(bytemuck::pod_read_unaligned(&bytes[..size_of::<Out>()]))
    }
}

/// The result of no elements, as a device writes it.
pub fn out_of_nothing<T: Element, Op: Operator<T>>(op: Op) -> Op::Out {
    let operator = DynOperator::new(op.spec().operator, T::TYPE).expect("it is defined");
    let precision = match op.spec().has_segments() {
        true => Precision::Reproducible,
        false => Precision::Exact,
    };
    let nothing = operator.reduce(&Executor::cpu().precision(precision), &[&[]]);
    let nothing = nothing.expect("the CPU does not fail").value;
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(nothing.words()))
}
