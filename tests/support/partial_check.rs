//! Any bytes, read as parts: for a test, and for the fuzz target `partial`.

use gridfold::{
    ArgMax, Bool, Bounds, BriefMoments, Count, Element, Executor, Max, Mean, Min, Moments,
    NanVariance, Operator, Partial, Product, Sum, SumWide, Variance,
};

/// Reads the bytes as a part of each of many kinds. Whether it was one.
pub fn check(bytes: &[u8]) -> bool {
    macro_rules! any_of {
        ($($element:ty: $($operator:ident)*;)*) => {
            false $($(| check_as::<$element, $operator>(bytes))*)*
        };
    }
    any_of! {
        f32: Sum Mean Product Variance NanVariance Moments BriefMoments Min Count ArgMax;
        f64: Sum Mean Product Variance NanVariance Moments BriefMoments Max;
        [f32; 3]: Bounds;
        i64: Sum ArgMax;
        u32: SumWide;
        Bool: Count;
    }
}

/// Reads the bytes as a part of this kind. If it is one, these are its only bytes, it merges, and it has a result if it begins at 0.
pub fn check_as<T: Element, Op: Operator<T>>(bytes: &[u8]) -> bool {
    let Ok(part) = Partial::<T, Op>::from_bytes(bytes) else { return false };
    assert_eq!(part.to_bytes(), bytes, "{part:?}");
    assert!(bytes.len() <= Partial::<T, Op>::max_bytes(), "{part:?}");
    let range = part.range();
    assert_eq!(part.finish().is_ok(), range.start == 0, "{part:?}");
    let executor = Executor::cpu().precision(part.precision());
    let nothing = executor.reduce_part::<T, Op>(&[], range.end).expect("the CPU does not fail");
    let merged = part.merge(&nothing).expect("neighbours");
    assert_eq!(merged.range(), range);
    assert_eq!(Partial::from_bytes(&merged.to_bytes()), Ok(merged));
    true
}
