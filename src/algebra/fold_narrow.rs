//! Folds of narrow integers on the CPU, as loops that compilers make vector instructions of, of as many lanes as there are elements
//! in a vector.

/// Bytes of the accumulators of a fold: four vectors of the narrowest instructions.
const BYTES: usize = 64;

/// Folds that keep to the element's own width.
pub(crate) trait Lanes: Copy {
    /// Folds `elements` in any order.
    fn in_lanes(elements: &[Self], identity: Self, combine: impl Fn(Self, Self) -> Self) -> Self;
}

macro_rules! lanes {
    ($($element:ident)*) => {$(
        impl Lanes for $element {
            #[inline]
            fn in_lanes(
                elements: &[Self],
                identity: Self,
                combine: impl Fn(Self, Self) -> Self,
            ) -> Self {
                let mut accumulators = [identity; BYTES / size_of::<$element>()];
                let (groups, rest) = elements.as_chunks();
                for group in groups {
                    for (acc, &element) in accumulators.iter_mut().zip::<&[Self; BYTES / size_of::<$element>()]>(group) {
                        *acc = combine(*acc, element);
                    }
                }
                accumulators.iter().chain(rest).fold(identity, |a, &b| combine(a, b))
            }
        }
    )*};
}

lanes!(i8 u8 i16 u16);

/// Lanes of sums, and of counts.
const SUMS: usize = 32;
/// Elements of a lane whose sum fits 16 bits, of bytes, and whose count fits 8.
const ROUNDS: usize = 128;

/// The sum of `elements`: of at most [`ROUNDS`] in each lane by `add`, and of these by `merge`.
#[inline]
pub(crate) fn sum<T: Copy, Partial: Copy + Default, Total: Default>(
    elements: &[T],
    add: impl Fn(Partial, T) -> Partial,
    merge: impl Fn(Total, Partial) -> Total,
) -> Total {
    let mut total = Total::default();
    for block in elements.chunks(SUMS * ROUNDS) {
        let (groups, rest) = block.as_chunks::<SUMS>();
        let mut partials = [Partial::default(); SUMS];
        for group in groups {
            for (partial, &element) in partials.iter_mut().zip(group) {
                *partial = add(*partial, element);
            }
        }
        let rest = rest.iter().map(|&element| add(Partial::default(), element));
        total = partials.into_iter().chain(rest).fold(total, &merge);
    }
    total
}

/// How many elements there are of which something is so.
#[inline]
pub(crate) fn count<T: Copy>(elements: &[T], is_so: impl Fn(T) -> bool) -> u64 {
    sum(elements, |a: u8, b| a + u8::from(is_so(b)), |a: u64, b| a + u64::from(b))
}
