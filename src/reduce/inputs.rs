//! The slices that calls read: of one input, of two, or of three.

use crate::{
    algebra::{
        element::Element,
        operator::{Items, Operator, OperatorSpec},
    },
    device::buffer::{AnySlice, GpuSlice},
    error::PrepareError,
    wgsl::program::Program,
};
use std::{marker::PhantomData, ops::Range};

/// The description of an operator, whose element and results are of these types.
pub(crate) fn spec_of_types<I: Items, Op: Operator<I>>(op: &Op) -> OperatorSpec {
    const {
        let out_bytes = 4 * Op::SPEC.out_words as usize;
        assert!(size_of::<Op::Out>() == out_bytes, "results have whole words");
    }
    op.spec()
}

/// An operator's description, for plans and kernels. A user's own operator has it in its program.
///
/// # Errors
///
/// [`PrepareError::Unsupported`] if it is a user's own, without a program.
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

/// The items that a call reads: elements `T`, pairs `(T, T)` or triples `(T, T, T)`.
///
/// Make an input of elements from a [`GpuSlice`], from a `&wgpu::Buffer` (all of it), from an [`crate::Array`] on a GPU by
/// [`crate::Array::gpu_slices`], or from several slices, which are read as one sequence. Each slice is a dispatch of its own: gather thousands of tiny
/// ones into one buffer first, if you can.
///
/// Make an input of pairs or triples from two or three of these in brackets. They may be cut in any way, and may share buffers.
#[derive(Clone, Debug, PartialEq)]
pub struct Input<I> {
    any: AnyInput,
    items: PhantomData<fn() -> I>,
}

/// An [`Input`] without the type of its items.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AnyInput {
    pub(crate) left: Vec<AnySlice>,
    /// Without slices, if there is one input.
    pub(crate) right: Vec<AnySlice>,
    /// Without slices, if there are two.
    pub(crate) third: Vec<AnySlice>,
}

impl<T: bytemuck::Pod> From<GpuSlice<T>> for Input<T> {
    fn from(slice: GpuSlice<T>) -> Self {
        [slice].into_iter().collect()
    }
}

impl<T: bytemuck::Pod> From<&GpuSlice<T>> for Input<T> {
    fn from(slice: &GpuSlice<T>) -> Self {
        slice.clone().into()
    }
}

impl<T: bytemuck::Pod> From<&wgpu::Buffer> for Input<T> {
    fn from(buffer: &wgpu::Buffer) -> Self {
        GpuSlice::whole(buffer).into()
    }
}

impl<T: bytemuck::Pod> From<Vec<GpuSlice<T>>> for Input<T> {
    fn from(slices: Vec<GpuSlice<T>>) -> Self {
        slices.into_iter().collect()
    }
}

impl<T: bytemuck::Pod> From<&[GpuSlice<T>]> for Input<T> {
    fn from(slices: &[GpuSlice<T>]) -> Self {
        slices.iter().cloned().collect()
    }
}

impl<T: bytemuck::Pod> From<&Vec<GpuSlice<T>>> for Input<T> {
    fn from(slices: &Vec<GpuSlice<T>>) -> Self {
        slices.as_slice().into()
    }
}

impl<T: bytemuck::Pod, const N: usize> From<[GpuSlice<T>; N]> for Input<T> {
    fn from(slices: [GpuSlice<T>; N]) -> Self {
        slices.into_iter().collect()
    }
}

impl<T: bytemuck::Pod, const N: usize> From<&[GpuSlice<T>; N]> for Input<T> {
    fn from(slices: &[GpuSlice<T>; N]) -> Self {
        slices.as_slice().into()
    }
}

impl<T: bytemuck::Pod> FromIterator<GpuSlice<T>> for Input<T> {
    fn from_iter<I: IntoIterator<Item = GpuSlice<T>>>(slices: I) -> Self {
        Self::of(slices.into_iter().map(GpuSlice::into_any).collect())
    }
}

impl<I: Clone> From<&Input<I>> for Input<I> {
    fn from(input: &Input<I>) -> Self {
        input.clone()
    }
}

impl<T: Element, X: Into<Input<T>>, Y: Into<Input<T>>> From<(X, Y)> for Input<(T, T)> {
    fn from((x, y): (X, Y)) -> Self {
        let (left, right) = (x.into().into_slices(), y.into().into_slices());
        Self { any: AnyInput { left, right, third: Vec::new() }, items: PhantomData }
    }
}

impl<T, X, Y, Z> From<(X, Y, Z)> for Input<(T, T, T)>
where
    T: Element,
    X: Into<Input<T>>,
    Y: Into<Input<T>>,
    Z: Into<Input<T>>,
{
    fn from((x, y, z): (X, Y, Z)) -> Self {
        let Input { any, .. } = Input::<(T, T)>::from((x, y));
        Self { any: AnyInput { third: z.into().into_slices(), ..any }, items: PhantomData }
    }
}

impl<I> Input<I> {
    /// Length in items, over all slices: the first input's, where there are several. Calls refuse inputs of different lengths.
    pub fn len(&self) -> u64 {
        self.any.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slices, without the type of items.
    pub(crate) fn into_any(self) -> AnyInput {
        self.any
    }
}

impl<T: bytemuck::Pod> Input<T> {
    /// Slices of elements of this type.
    pub(crate) fn of(left: Vec<AnySlice>) -> Self {
        Self { any: AnyInput { left, ..AnyInput::default() }, items: PhantomData }
    }

    pub(crate) fn slices(&self) -> &[AnySlice] {
        &self.any.left
    }

    pub(crate) fn into_slices(self) -> Vec<AnySlice> {
        self.any.left
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

/// The part of `range` in each slice, by their lengths.
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

impl AnyInput {
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
    use half::{bf16, f16};

    fn check<I: Items, Op: Operator<I>>(op: Op) {
        let spec = op.spec();
        assert_eq!(spec.operator.spec(I::Element::TYPE), Some(&spec));
        assert_eq!(spec.element, I::Element::TYPE);
        assert_eq!(spec.inputs, I::INPUTS);
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
                $($(check::<($two_element, $two_element), _>($two);)*)*
                $($(check::<$of_element, _>(crate::operator!($of $choice));)*)*
            };
        }
        crate::operators!(checks!());
    }
}
