//! The test vectors of elements of several components. `tests/vectors/components.py` wrote them, and says what is in a line.

use super::data::mix;
use gridfold::{Element, OperatorType};

/// A line of the vectors: what a reduction must give.
#[derive(Clone, Debug)]
pub struct ComponentVector {
    operator: &'static str,
    element: &'static str,
    kind: &'static str,
    seed: u32,
    pub len: usize,
    /// Of each component; `None` for the minimum or maximum of nothing.
    bits: Option<Vec<u32>>,
}

/// Every line of the vectors of an operator and a type.
pub fn component_vectors_of<T: Element>(operator: OperatorType) -> Vec<ComponentVector> {
    let is_wanted = |vector: &ComponentVector| {
        vector.operator == operator.name() && vector.element == T::TYPE.name()
    };
    let vectors: Vec<_> = include_str!("../vectors/components.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")))
        .filter(is_wanted)
        .collect();
    assert!(vectors.len() >= 6, "only {} vectors of {operator} {}", vectors.len(), T::TYPE);
    vectors
}

fn parse(line: &'static str) -> Option<ComponentVector> {
    let mut fields = line.split(' ');
    let [operator, element, kind, seed, len] = [(); 5].map(|()| fields.next());
    let bits: Vec<&str> = fields.collect();
    let hex = |digits: &&str| u32::from_str_radix(digits.strip_prefix("0x")?, 16).ok();
    Some(ComponentVector {
        operator: operator?,
        element: element?,
        kind: kind?,
        seed: seed?.parse().ok()?,
        len: len?.parse().ok()?,
        bits: match bits[..] {
            ["none"] => None,
            _ => Some(bits.iter().map(hex).collect::<Option<_>>()?),
        },
    })
}

impl ComponentVector {
    /// What is reduced.
    pub fn elements<T: Element>(&self) -> Vec<T> {
        let components = size_of::<T>() / 4;
        let bits = |index: u32| {
            let place = index as usize % components;
            self.bits_of(mix(index.wrapping_add(self.seed)), place, components)
        };
        let words: Vec<u32> = (0..).take(self.len * components).map(bits).collect();
        bytemuck::pod_collect_to_vec(&words)
    }

    fn bits_of(&self, h: u32, place: usize, components: usize) -> u32 {
        match (self.kind, h % 4000) {
            ("any", _) => h,
            ("odd", _) => h | 1,
            ("most", _) => !(u32::from(h % 1500 == 1) << ((h >> 8) % 32)),
            ("sparse", _) if !h.is_multiple_of(7) => h & 0x8000_0000,
            ("sparse", _) => h,
            ("near_one", _) => h & 0x807f_ffff | (126 + (h >> 16) % 2) << 23,
            ("specials", 1) if place == components - 1 => 0x7fc0_0001,
            ("specials", 2) if place == components - 1 => 0x7f80_0000,
            ("specials" | "finite", _) if place == 0 && h % 3000 == 1 => h & 0x807f_ffff,
            ("specials" | "finite", _) => h & 0x807f_ffff | (117 + (h >> 16) % 32) << 23,
            (other, _) => panic!("no elements are {other}"),
        }
    }

    /// The result, in the type that a device writes; `None` for the minimum or maximum of nothing.
    pub fn out<Out: bytemuck::Pod>(&self) -> Option<Out> {
        self.bits.as_ref().map(|bits| bytemuck::pod_read_unaligned(bytemuck::cast_slice(bits)))
    }
}
