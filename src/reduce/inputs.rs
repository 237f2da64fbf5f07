//! What reductions read: the slices of one input, of two, or of three.

use crate::{
    algebra::{
        element::Element,
        operator::{Operator, OperatorSpec, PairOperator, sealed},
        operators::Dot,
    },
    device::buffer::{AnySlice, GpuSlice},
    error::PrepareError,
    wgsl::program::Program,
};
use half::{bf16, f16};
use std::{fmt, ops::Range};

/// Any operator: of one input ([`Operator`]), or of two ([`crate::Dot`]). Sealed.
pub trait AnyOperator<T: Element>:
    sealed::Sealed + Copy + fmt::Debug + Send + Sync + 'static
{
    /// The description for plans and kernels, without options.
    const SPEC: OperatorSpec;
    /// The same, with the value's options.
    fn spec(&self) -> OperatorSpec {
        Self::SPEC
    }
    /// What it reads: an [`Input`], [`crate::Pairs`], or [`crate::Triples`].
    type Inputs: Into<Inputs>;
    /// What the GPU writes to an output buffer.
    type Out: bytemuck::Pod + Send + Sync + fmt::Debug + PartialEq;
    /// What calls that return a value return.
    type Value: Copy + Send + Sync + fmt::Debug + PartialEq + 'static;

    /// The result of reducing `len` elements, or pairs of them, as calls that return a value report it.
    fn value(out: Self::Out, len: u64) -> Self::Value;
}

impl<T: Element, Op: Operator<T>> AnyOperator<T> for Op {
    const SPEC: OperatorSpec = <Op as Operator<T>>::SPEC;
    fn spec(&self) -> OperatorSpec {
        Operator::<T>::spec(self)
    }
    type Inputs = Input<T>;
    type Out = <Op as Operator<T>>::Out;
    type Value = <Op as Operator<T>>::Value;
    fn value(out: Self::Out, len: u64) -> Self::Value {
        <Op as Operator<T>>::value(out, len)
    }
}

macro_rules! of_pairs {
    ($($element:ident)*) => {$(
        impl AnyOperator<$element> for Dot {
            const SPEC: OperatorSpec = <Self as PairOperator<$element>>::SPEC;
            type Inputs = Pairs<$element>;
            type Out = <Self as PairOperator<$element>>::Total;
            type Value = <Self as PairOperator<$element>>::Total;
            fn value(out: Self::Out, _len: u64) -> Self::Value {
                out
            }
        }
    )*};
}

of_pairs!(f32 f64 f16 bf16);

/// An operator of two inputs, on devices and on the CPU. Sealed.
pub trait OfPairs<T: Element>:
    PairOperator<T>
    + AnyOperator<
        T,
        Inputs = Pairs<T>,
        Out = <Self as PairOperator<T>>::Total,
        Value = <Self as PairOperator<T>>::Total,
    >
{
}

impl<T: Element, Op> OfPairs<T> for Op where
    Op: PairOperator<T>
        + AnyOperator<
            T,
            Inputs = Pairs<T>,
            Out = <Op as PairOperator<T>>::Total,
            Value = <Op as PairOperator<T>>::Total,
        >
{
}

/// The description of an operator, whose element and results are of these types.
pub(crate) fn spec_of_types<T: Element, Op: AnyOperator<T>>(op: Op) -> OperatorSpec {
    const {
        let out_bytes = 4 * Op::SPEC.out_words as usize;
        assert!(size_of::<Op::Out>() == out_bytes, "results have whole words");
    }
    op.spec()
}

/// What plans and kernels have to know of an operator: of a user's own, the type alone does not tell.
///
/// # Errors
///
/// [`PrepareError::Unsupported`] if it is a user's own, and nothing tells.
pub(crate) fn spec_of<'a>(
    of_type: &OperatorSpec,
    program: Option<&'a Program>,
) -> Result<&'a OperatorSpec, PrepareError> {
    let OperatorSpec { operator, element, .. } = *of_type;
    let spec = match program {
        Some(program) => Some(program.spec()),
        None => operator.spec(element),
    };
    spec.ok_or(PrepareError::Unsupported { operator, element })
}

/// One or several slices, reduced as one sequence.
///
/// Made from a [`GpuSlice`], a `&wgpu::Buffer` (all of it), an [`crate::Array`] on a GPU by
/// [`crate::Array::gpu_slices`], or several slices. Each slice is a dispatch of its own: gather thousands
/// of tiny ones into one buffer first, if you can.
#[derive(Clone, Debug, PartialEq)]
pub struct Input<T>(pub(crate) Vec<GpuSlice<T>>);

impl<T: bytemuck::Pod> From<GpuSlice<T>> for Input<T> {
    fn from(slice: GpuSlice<T>) -> Self {
        Self(vec![slice])
    }
}

impl<T: bytemuck::Pod> From<&GpuSlice<T>> for Input<T> {
    fn from(slice: &GpuSlice<T>) -> Self {
        Self(vec![slice.clone()])
    }
}

impl<T: bytemuck::Pod> From<&wgpu::Buffer> for Input<T> {
    fn from(buffer: &wgpu::Buffer) -> Self {
        Self(vec![GpuSlice::whole(buffer)])
    }
}

impl<T: bytemuck::Pod> From<Vec<GpuSlice<T>>> for Input<T> {
    fn from(slices: Vec<GpuSlice<T>>) -> Self {
        Self(slices)
    }
}

impl<T: bytemuck::Pod> From<&[GpuSlice<T>]> for Input<T> {
    fn from(slices: &[GpuSlice<T>]) -> Self {
        Self(slices.to_vec())
    }
}

impl<T: bytemuck::Pod> From<&Vec<GpuSlice<T>>> for Input<T> {
    fn from(slices: &Vec<GpuSlice<T>>) -> Self {
        Self(slices.clone())
    }
}

impl<T: bytemuck::Pod, const N: usize> From<[GpuSlice<T>; N]> for Input<T> {
    fn from(slices: [GpuSlice<T>; N]) -> Self {
        Self(slices.into())
    }
}

impl<T: bytemuck::Pod, const N: usize> From<&[GpuSlice<T>; N]> for Input<T> {
    fn from(slices: &[GpuSlice<T>; N]) -> Self {
        Self(slices.to_vec())
    }
}

impl<T: bytemuck::Pod> FromIterator<GpuSlice<T>> for Input<T> {
    fn from_iter<I: IntoIterator<Item = GpuSlice<T>>>(slices: I) -> Self {
        Self(slices.into_iter().collect())
    }
}

impl<T: bytemuck::Pod> From<&Input<T>> for Input<T> {
    fn from(input: &Input<T>) -> Self {
        input.clone()
    }
}

impl<T: bytemuck::Pod> Input<T> {
    /// Length in elements, over all slices.
    pub fn len(&self) -> u64 {
        self.0.iter().fold(0, |sum, slice| sum.saturating_add(slice.len()))
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The parts of consecutive slices that `range`, counted over all of them, covers.
pub(crate) fn parts<T: bytemuck::Pod>(
    slices: &[GpuSlice<T>],
    range: Range<u64>,
) -> impl Iterator<Item = (&GpuSlice<T>, Range<u64>)> {
    slices.iter().zip(part_ranges(slices.iter().map(GpuSlice::len), range)).filter_map(filled)
}

/// [`parts`], whatever elements are.
pub(crate) fn any_parts(
    slices: &[AnySlice],
    range: Range<u64>,
) -> impl Iterator<Item = (&AnySlice, Range<u64>)> {
    slices.iter().zip(part_ranges(slices.iter().map(AnySlice::len), range)).filter_map(filled)
}

fn filled<S>((slice, part): (S, Range<u64>)) -> Option<(S, Range<u64>)> {
    (!part.is_empty()).then_some((slice, part))
}

/// What `range` covers of each slice, by their lengths.
fn part_ranges(
    lens: impl Iterator<Item = u64>,
    range: Range<u64>,
) -> impl Iterator<Item = Range<u64>> {
    let mut slice_begin = 0;
    lens.map(move |len| {
        let begin = range.start.saturating_sub(slice_begin).min(len);
        let end = range.end.saturating_sub(slice_begin).min(len);
        slice_begin += len;
        begin..end
    })
}

/// Two inputs, of which the elements at the same places are paired. Each is made from what an [`Input`] can be made from, and
/// both may have slices of the same buffer, cut in any way.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs<T> {
    left: Input<T>,
    right: Input<T>,
}

impl<T: Element, L: Into<Input<T>>, R: Into<Input<T>>> From<(L, R)> for Pairs<T> {
    fn from((left, right): (L, R)) -> Self {
        Self { left: left.into(), right: right.into() }
    }
}

/// Three inputs, of which the elements at the same places go together. Each is made from what an [`Input`] can be made from, and
/// all may have slices of the same buffer, cut in any way.
#[derive(Clone, Debug, PartialEq)]
pub struct Triples<T> {
    x: Input<T>,
    y: Input<T>,
    z: Input<T>,
}

impl<T, X, Y, Z> From<(X, Y, Z)> for Triples<T>
where
    T: Element,
    X: Into<Input<T>>,
    Y: Into<Input<T>>,
    Z: Into<Input<T>>,
{
    fn from((x, y, z): (X, Y, Z)) -> Self {
        Self { x: x.into(), y: y.into(), z: z.into() }
    }
}

/// The inputs of a reduction, whatever its operator and the type of elements.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    pub(crate) left: Vec<AnySlice>,
    /// Without slices, if there is one input.
    pub(crate) right: Vec<AnySlice>,
    /// Without slices, if there are two.
    pub(crate) third: Vec<AnySlice>,
}

impl<T: bytemuck::Pod> Input<T> {
    pub(crate) fn into_any(self) -> Vec<AnySlice> {
        self.0.into_iter().map(GpuSlice::into_any).collect()
    }
}

impl<T: bytemuck::Pod> From<Input<T>> for Inputs {
    fn from(left: Input<T>) -> Self {
        Self { left: left.into_any(), ..Self::default() }
    }
}

impl<T: bytemuck::Pod> From<Pairs<T>> for Inputs {
    fn from(Pairs { left, right }: Pairs<T>) -> Self {
        Self { left: left.into_any(), right: right.into_any(), ..Self::default() }
    }
}

impl<T: bytemuck::Pod> From<Triples<T>> for Inputs {
    fn from(Triples { x, y, z }: Triples<T>) -> Self {
        Self { left: x.into_any(), right: y.into_any(), third: z.into_any() }
    }
}

impl Inputs {
    /// The slices of all.
    pub(crate) fn slices(&self) -> impl Iterator<Item = &AnySlice> {
        self.left.iter().chain(&self.right).chain(&self.third)
    }

    /// Length in elements of the first.
    pub(crate) fn len(&self) -> u64 {
        total_len(&self.left)
    }
}

/// Elements of all slices together.
pub(crate) fn total_len(slices: &[AnySlice]) -> u64 {
    slices.iter().fold(0, |sum, slice| sum.saturating_add(slice.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{element::Bool, operators::*};

    fn check<T: Element, Op: AnyOperator<T>>(op: Op) {
        let spec = op.spec();
        assert_eq!(spec.operator.spec(T::TYPE), Some(&spec));
        assert_eq!(spec.element, T::TYPE);
        assert_eq!(spec.out_words as usize * 4, size_of::<Op::Out>(), "{spec:?}");
    }

    #[test]
    fn specifications_are_their_operators() {
        macro_rules! checks {
            (
                one input { $($verb:ident $one:ident $name:literal [$($element:ident)*] $doc:literal)* }
                two inputs {
                    $($two_verb:ident $two:ident $two_name:literal [$($two_element:ident)*] $two_doc:literal)*
                }
                options { $($of:ident $choice:tt [$($of_element:ident)*])* }
            ) => {
                $($(check::<$element, _>($one);)*)*
                $($(check::<$two_element, _>($two);)*)*
                $($(check::<$of_element, _>(crate::operator!($of $choice));)*)*
            };
        }
        crate::operators!(checks!());
    }
}
