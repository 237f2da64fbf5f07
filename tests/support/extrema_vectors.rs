//! The test vectors of extrema and of where they are. `tests/vectors/extrema.py` wrote them, and says what is in a line.

use super::data::mix;
use gridfold::{Element, ElementType, NanRule, Operator, OperatorType};

/// A line of the vectors: what extrema of elements there are, and where.
#[derive(Clone, Copy, Debug)]
pub struct ExtremaVector {
    pub element: ElementType,
    kind: &'static str,
    seed: u32,
    pub len: usize,
    /// As devices write them: of the smallest and of the largest.
    bits: [u64; 2],
    first: [u64; 2],
    last: [u64; 2],
    /// Of floats: the same without NaNs, and in the total order.
    without_nans: Option<[[u64; 2]; 3]>,
    in_total: Option<[[u64; 2]; 3]>,
}

/// Whether the vectors have the operator's results.
pub fn is_extremum(operator: OperatorType) -> bool {
    operator.tells_places()
        || operator.without_options() == OperatorType::MinMax
        || operator.nan_rule() != NanRule::Propagate
            && matches!(operator.without_options(), OperatorType::Min | OperatorType::Max)
}

/// Every line of the vectors of a type.
pub fn vectors_of(element: ElementType) -> Vec<ExtremaVector> {
    let lines =
        include_str!("../vectors/extrema.txt").lines().filter(|line| !line.starts_with('#'));
    let all = lines.map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")));
    let vectors: Vec<_> = all.filter(|vector| vector.element == element).collect();
    assert!(vectors.len() >= 30, "only {} vectors of {element}", vectors.len());
    vectors
}

fn parse(line: &'static str) -> Option<ExtremaVector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [element, kind, seed, len, ref found @ ..] = fields[..] else { return None };
    let bits = |bits: &str| u64::from_str_radix(bits.strip_prefix("0x")?, 16).ok();
    let place = |place: &str| place.parse::<u64>().ok();
    let group = |fields: &[&str]| {
        let places = |at: usize| Some([place(fields[at])?, place(fields[at + 1])?]);
        Some([[bits(fields[0])?, bits(fields[1])?], places(2)?, places(4)?])
    };
    let (of_all, by_rules) = found.split_at_checked(6)?;
    let [found, first, last] = group(of_all)?;
    let rules = match by_rules.len() {
        0 => [None, None],
        12 => [Some(group(&by_rules[..6])?), Some(group(&by_rules[6..])?)],
        _ => return None,
    };
    Some(ExtremaVector {
        element: ElementType::ALL.into_iter().find(|known| known.name() == element)?,
        kind,
        seed: seed.parse().ok()?,
        len: len.parse().ok()?,
        bits: found,
        first,
        last,
        without_nans: rules[0],
        in_total: rules[1],
    })
}

impl ExtremaVector {
    /// What is reduced.
    pub fn elements<T: Element>(&self) -> Vec<T> {
        let bytes = (0..).take(self.len).flat_map(|index: u32| {
            self.bits_of(index).to_le_bytes().into_iter().take(size_of::<T>())
        });
        bytemuck::pod_collect_to_vec(&bytes.collect::<Vec<u8>>())
    }

    /// An element, in the lowest bits.
    fn bits_of(&self, index: u32) -> u64 {
        let h = mix(index.wrapping_add(self.seed));
        let width = 8 * self.element.size_bytes();
        let exponent_bits = match self.element {
            ElementType::F32 | ElementType::BF16 => 8,
            ElementType::F64 => 11,
            ElementType::F16 => 5,
            _ => 0,
        };
        let name = self.element.name();
        let (is_float, is_signed) = (exponent_bits > 0, name.starts_with('i'));
        let any = u64::from(h) | u64::from(mix(h)) << 32;
        let sign = 1 << (width - 1);
        let (infinity, one) = match exponent_bits {
            0 => (0, 0),
            bits => {
                let place = width - 1 - bits;
                (((1 << bits) - 1) << place, ((1 << (bits - 1)) - 1) << place)
            }
        };
        let finite = if any & infinity == infinity { one } else { any };
        match self.kind {
            "any" => any,
            "ties" if is_float => [one | sign, sign, 0, one][h as usize % 4],
            "ties" => u64::from(h % 3).wrapping_sub(1),
            "finite" => finite,
            "lowest" if is_float => infinity | sign,
            "lowest" if is_signed => sign,
            "lowest" => 0,
            "highest" if is_float => infinity,
            "highest" if is_signed => !sign,
            "highest" => !0,
            "nans" if h % 5000 == 1 => one,
            "nans" => infinity | any | 1,
            "one_nan" if matches!(index, 700 | 4000) => infinity | sign | 5,
            "one_nan" => finite,
            other => panic!("no elements are {other}"),
        }
    }

    /// What a device writes for the operator.
    pub fn out<T: Element, Op: Operator<T>>(&self, op: Op) -> Op::Out {
        let operator = op.spec().operator;
        let by_rule = |rule: Option<[[u64; 2]; 3]>| rule.expect("of floats");
        let name = operator.name();
        let (end, [bits, first, last]) = if let Some(end) = name.strip_prefix("nan-") {
            (end, by_rule(self.without_nans))
        } else if let Some(end) = name.strip_prefix("total-") {
            (end, by_rule(self.in_total))
        } else {
            (name, [self.bits, self.first, self.last])
        };
        let (end, places) = match end.strip_suffix("-last") {
            Some(end) => (end, last),
            None => (end, first),
        };
        let element_bytes = size_of::<T>().max(4);
        let mut bytes = Vec::new();
        for (which, one) in ["min", "max"].into_iter().enumerate() {
            if end.trim_start_matches("arg-").split('-').any(|word| word == one) {
                if operator.tells_places() {
                    bytes.extend(places[which].to_le_bytes());
                }
                bytes.extend(&bits[which].to_le_bytes()[..element_bytes]);
            }
        }
        bytemuck::pod_read_unaligned(&bytes)
    }
}
