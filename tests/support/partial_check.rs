//! Any bytes, read as parts: for a test, and for the fuzz target `partial`.

use gridfold::{
    ArgMax, Bool, Bounds, BriefMoments, Count, Element, Executor, Max, Mean, Min, Moments, Nan,
    Operator, Partial, PartialError, Product, Sum, SumWide, Variance,
};

/// Reads the bytes as a part of each of many kinds. Whether it was one.
pub fn check(bytes: &[u8]) -> bool {
    macro_rules! any_of {
        ($($element:ty: $($operator:expr),*;)*) => {
            false $($(| check_as::<$element, _>(bytes, $operator))*)*
        };
    }
    any_of! {
        f32: Sum, Mean, Mean.nan(Nan::Ignore), Product, Variance, Variance.nan(Nan::Ignore), Moments, BriefMoments, Min, Count, ArgMax;
        f64: Sum, Mean, Product, Variance, Variance.nan(Nan::Ignore), Moments, BriefMoments, Max;
        [f32; 3]: Bounds;
        i64: Sum, ArgMax;
        u32: SumWide;
        Bool: Count;
    }
}

/// Reads the bytes as a part of this kind. If it is one, these are its only bytes, it merges, and it has a result if it begins at 0.
pub fn check_as<T: Element, Op: Operator<T>>(bytes: &[u8], op: Op) -> bool {
    let Ok(part) = Partial::<T, Op>::from_bytes(bytes) else { return false };
    assert_eq!(part.to_bytes(), bytes, "{part:?}");
    assert!(bytes.len() <= Partial::<T, Op>::max_bytes(), "{part:?}");
    let range = part.range();
    assert_eq!(part.finish().is_ok(), range.start == 0, "{part:?}");
    let executor = Executor::cpu().precision(part.precision());
    let nothing = executor.reduce_part::<T, _>(&[], range.end, op).expect("the CPU does not fail");
    // The bytes may be of other options.
    let merged = match part.merge(&nothing) {
        Err(PartialError::Operators { .. }) => return true,
        merged => merged.expect("neighbours"),
    };
    assert_eq!(merged.range(), range);
    assert_eq!(Partial::from_bytes(&merged.to_bytes()), Ok(merged));
    true
}
