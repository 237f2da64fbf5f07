//! Bounding boxes, and centroids: of elements of several components, in one read.

use crate::algebra::{
    element::ElementType,
    operator::{Combining, Operator, OperatorSpec, part},
    operator_type::OperatorType,
    operators::{ANY_RANGE, F32_ADD, Max, Mean, Min, NO_RANGE},
};

/// The bounding box of points, and their centroid, in one read: of elements of two to four `f32`s what [`struct@crate::Min`], [`struct@crate::Max`] and
/// [`struct@crate::Mean`] find, with the same bits. A NaN makes its component NaN in all three, and no other one. No elements give `None`.
///
/// In an output buffer it is the smallest of each component, the largest of each, and the means; of nothing ∞, −∞ and NaN.
///
/// ```
/// use gridfold::{BoundingBox, Executor};
///
/// let points = [[0.0f32, 1.0, -2.0], [4.0, 0.0, 2.0]];
/// let found = Executor::auto().bounds(&points)?;
/// let expected =
///     BoundingBox { min: [0.0, 0.0, -2.0], max: [4.0, 1.0, 2.0], centroid: [2.0, 0.5, 0.0] };
/// assert_eq!(found, Some(expected));
/// # Ok::<(), gridfold::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("aabb", "centroid"))]
pub struct Bounds;

/// The result of [`Bounds`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBox<V> {
    /// The smallest of each component.
    pub min: V,
    /// The largest of each component.
    pub max: V,
    /// The mean of each component.
    pub centroid: V,
}

/// Those of no elements, of so many words.
const fn identity<const WORDS: usize>() -> [u32; WORDS] {
    const OF_ONE: [u32; 3] = [
        <Mean as Operator<f32>>::SPEC.combining.identity[0],
        <Min as Operator<f32>>::SPEC.combining.identity[0],
        <Max as Operator<f32>>::SPEC.combining.identity[0],
    ];
    let mut words = [0; WORDS];
    let mut i = 0;
    while i < WORDS {
        words[i] = OF_ONE[3 * i / WORDS];
        i += 1;
    }
    words
}

/// What bounds are for elements of several components. `None` where they are not defined.
pub(super) const fn spec(
    operator: OperatorType,
    element: ElementType,
) -> Option<&'static OperatorSpec> {
    match (operator, element) {
        (OperatorType::Bounds, ElementType::F32x2) => {
            Some(const { &<Bounds as Operator<[f32; 2]>>::SPEC })
        }
        (OperatorType::Bounds, ElementType::F32x3) => {
            Some(const { &<Bounds as Operator<[f32; 3]>>::SPEC })
        }
        (OperatorType::Bounds, ElementType::F32x4) => {
            Some(const { &<Bounds as Operator<[f32; 4]>>::SPEC })
        }
        _ => None,
    }
}

macro_rules! bounds {
    ($($vector:ident of $components:literal)*) => {$(
        impl Operator<[f32; $components]> for Bounds {
            const SPEC: OperatorSpec = OperatorSpec {
                operator: OperatorType::Bounds,
                element: ElementType::$vector,
                inputs: 1,
                out_words: 3 * $components,
                order_free: false,
                computes_floats: true,
                combining: Combining {
                    identity: &identity::<{ 3 * $components }>(),
                    parts: &[
                        part!("operator/vector_bounds.wgsl"),
                        part!("operator/vector_bounds.wgsl@hardware"),
                        part!("operator/vector_bounds.wgsl@of_" $components),
                        part!("operator/vector_bounds.wgsl@range"),
                        F32_ADD,
                        part!("operator/key.wgsl@f32"),
                        part!("operator/f32_mean.wgsl"),
                        part!("operator/f32_round.wgsl"),
                    ],
                    software: Some(&[
                        part!("operator/vector_bounds.wgsl"),
                        part!("operator/vector_bounds.wgsl@software"),
                        ANY_RANGE,
                        NO_RANGE,
                        F32_ADD,
                        part!("operator/key.wgsl@f32"),
                        part!("operator/f32_mean.wgsl"),
                        part!("operator/f32_round.wgsl"),
                    ]),
                    ..Combining::NONE
                },
                exact: None,
            };
            type Out = [[f32; $components]; 3];
            type Value = Option<BoundingBox<[f32; $components]>>;
            fn value([min, max, centroid]: Self::Out, len: u64) -> Self::Value {
                (len > 0).then_some(BoundingBox { min, max, centroid })
            }
            fn out(value: Self::Value) -> Option<Self::Out> {
                value.map(|BoundingBox { min, max, centroid }| [min, max, centroid])
            }
        }
    )*};
}

bounds! {
    F32x2 of 2
    F32x3 of 3
    F32x4 of 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;

    fn bits(components: [f32; 3]) -> [u32; 3] {
        components.map(f32::to_bits)
    }

    #[test]
    fn they_are_what_each_operator_says() {
        let cpu = Executor::cpu();
        let float = |i: u32| (i.wrapping_mul(0x9e37_79b1) >> 9) as f32 / 3.0 - 1e6;
        let mut points: Vec<[f32; 3]> =
            (0..10_000).map(|i| [0, 1, 2].map(|component| float(3 * i + component))).collect();
        for nan_at in [None, Some(77)] {
            if let Some(at) = nan_at {
                points[at][1] = f32::NAN;
            }
            for len in [1, 2, 3, 7, 100, 4096, 4097, 10_000] {
                let points = &points[..len];
                let found = cpu.bounds(points).expect("the CPU does not fail").expect("a box");
                let min = cpu.min(points).expect("the CPU does not fail").expect("an element");
                let max = cpu.max(points).expect("the CPU does not fail").expect("an element");
                let mean = cpu.mean(points).expect("the CPU does not fail");
                assert_eq!(bits(found.min), bits(min), "{len}");
                assert_eq!(bits(found.max), bits(max), "{len}");
                assert_eq!(bits(found.centroid), bits(mean), "{len}");
                let out = <Bounds as Operator<[f32; 3]>>::out(Some(found)).expect("a box");
                let again = <Bounds as Operator<[f32; 3]>>::value(out, len as u64);
                assert_eq!(again.map(|found| bits(found.centroid)), Some(bits(mean)));
            }
        }
        assert_eq!(cpu.bounds::<[f32; 3]>(&[]).expect("the CPU does not fail"), None);
    }
}
