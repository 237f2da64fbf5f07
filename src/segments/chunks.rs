//! Chunks: as many neighbours of a segment as one lane takes.

use crate::wgsl::kernel::Kernel;

/// The logarithm of the shader's `CHUNK_ITEMS`.
pub(super) const LOG2_CHUNK_ITEMS: u32 = 4;

/// Whether the first level's chunks are all in chunks themselves, of segments of so many elements, each so many from the next, and workgroups have
/// memory for such accumulators. Their totals are then joined there, and nothing else needs them.
pub(super) fn joins_chunks(items: u64, step: u64, acc_words: u32) -> bool {
    let most_words = if step == 1 { Kernel::MOST_ROW_WORDS } else { Kernel::MOST_JOINED_WORDS };
    items > 0 && items.is_multiple_of(1 << (2 * LOG2_CHUNK_ITEMS)) && acc_words <= most_words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{element::ElementType, operator_type::OperatorType, precision::Precision};

    #[test]
    fn chunks_are_joined_where_memory_has_their_totals() {
        assert!(joins_chunks(256, 1, 31) && joins_chunks(512, 9, 4));
        assert!(!joins_chunks(256, 1, 32) && !joins_chunks(256, 2, 5));
        assert!(!joins_chunks(0, 1, 1) && !joins_chunks(255, 1, 1));
    }

    /// Each kind has accumulators but the last.
    #[test]
    fn accumulators_of_exact_segments_are_joined_but_those_of_doubles() {
        let words = |operator: OperatorType, element| {
            let spec = operator.spec(element).expect("there is one");
            let combining = spec.exact_segments()?;
            assert!(spec.has_segments_at(Precision::Exact));
            Some(combining.identity.len())
        };
        let (f32, f64) = (ElementType::F32, ElementType::F64);
        let of_f32 = [OperatorType::Sum, OperatorType::SumOfSquares, OperatorType::Variance];
        assert_eq!(of_f32.map(|operator| words(operator, f32)), [11, 21, 31].map(Some));
        let of_f64 = [OperatorType::Sum, OperatorType::Mean, OperatorType::Norm];
        assert_eq!(of_f64.map(|operator| words(operator, f64)), [Some(68), Some(68), None]);
        let most = usize::try_from(Kernel::MOST_ROW_WORDS).expect("a few");
        assert!((31..68).contains(&most));
    }
}
