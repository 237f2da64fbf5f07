//! The test vectors of scans, which `tests/vectors/scans.py` wrote.

use super::{data, data::mix, f64_data};
use gridfold::{Element, Operator, OperatorType, Scan};

/// A line of the vectors: what a scan must give.
#[derive(Clone, Copy, Debug)]
pub struct ScanVector {
    element: &'static str,
    pub operator: OperatorType,
    /// A generator's name, or `listed:` and the elements' bits.
    data: &'static str,
    seed: u32,
    pub len: usize,
    is_inclusive: bool,
    initial: Option<u64>,
    /// Of all results.
    pub digest: u32,
}

impl ScanVector {
    /// What is scanned.
    pub fn elements<T: Element>(&self) -> Vec<T> {
        assert_eq!(self.element, T::TYPE.name());
        if self.element == "f64" {
            let elements = f64_data::generate(self.data, self.seed, self.len);
            return elements
                .iter()
                .map(|x| bytemuck::pod_read_unaligned(bytemuck::bytes_of(x)))
                .collect();
        }
        let elements = data::elements(self.data, self.seed, self.len);
        elements.iter().map(|x| bytemuck::pod_read_unaligned(bytemuck::bytes_of(x))).collect()
    }

    /// Which scan.
    pub fn scan<T: Element>(&self) -> Scan<T> {
        let scan = if self.is_inclusive { Scan::inclusive() } else { Scan::exclusive() };
        let initial =
            |bits: u64| bytemuck::pod_read_unaligned(&bits.to_le_bytes()[..size_of::<T>()]);
        self.initial.map_or(scan, |bits| scan.initial(initial(bits)))
    }
}

/// The lines of an operator on a type.
pub fn scan_vectors<T: Element, Op: Operator<T>>(op: Op) -> Vec<ScanVector> {
    let lines = include_str!("../vectors/scans.txt").lines();
    let vectors: Vec<ScanVector> = lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).unwrap_or_else(|| panic!("not a vector: {line}")))
        .filter(|vector| vector.operator == op.spec().operator && vector.element == T::TYPE.name())
        .collect();
    assert!(vectors.len() >= 4, "only {} vectors of {:?}", vectors.len(), op.spec());
    vectors
}

fn parse(line: &'static str) -> Option<ScanVector> {
    let fields: Vec<&str> = line.split(' ').collect();
    let [element, operator, data, seed, len, kind, initial, digest] = fields[..] else {
        return None;
    };
    Some(ScanVector {
        element,
        operator: OperatorType::ALL.iter().copied().find(|known| known.name() == operator)?,
        data,
        seed: seed.parse().ok()?,
        len: len.parse().ok()?,
        is_inclusive: kind == "inclusive",
        initial: match initial {
            "none" => None,
            bits => Some(u64::from_str_radix(bits, 16).ok()?),
        },
        digest: u32::from_str_radix(digest.strip_prefix("0x")?, 16).ok()?,
    })
}

/// Of all results' words.
pub fn digest<Out: bytemuck::Pod>(results: &[Out]) -> u32 {
    let bytes: &[u8] = bytemuck::cast_slice(results);
    bytes.chunks_exact(4).fold(0, |digest, word| {
        mix(digest ^ bytemuck::pod_read_unaligned::<u32>(word)).wrapping_add(0x9e37_79b9)
    })
}
