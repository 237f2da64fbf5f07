//! What a self-test asks about: operators of elements, and what is special in them.

use super::{
    questions::{Accumulate, Asked, Subject},
    slot::Slot,
};
use crate::{
    algebra::{
        accumulator::ExactOperator,
        element::{Bool, Element, ElementType},
        operator::{Items, Operator, OperatorSpec},
        operator_type::OperatorType,
        operators::*,
        options::NanRule,
        precision::Precision,
    },
    cpu::{self, table},
    device::{buffer::GpuSlice, pool::Memory},
    error::PrepareError,
    exact,
    reduce::{reducer::Reducer, work::Work},
};
use half::{bf16, f16};
use std::iter;

fn prepare_accumulator<I: Items<Element = f32>, Op: ExactOperator + Operator<I> + Default>(
    asked: &Asked,
    slot: &Slot,
) -> Result<Work, PrepareError> {
    let output = GpuSlice::new(slot.buffer(), slot.offset_bytes(), slot.words())?;
    let reducer = Reducer::<I, Op>::of(asked.reducer(), Op::default());
    reducer.accumulator_work(&asked.inputs()?, &output, Memory::Own)
}

/// The CPU's result of all elements but the first ones, which are skipped. No elements have the result that devices write.
fn expect(
    subject: &Subject,
    precision: Precision,
    left: &[u32],
    right: &[u32],
    skipped: usize,
) -> Vec<u32> {
    let fold = table::find(subject.operator, subject.element).expect("all subjects are defined");
    let item_bytes = usize::try_from(subject.element.size_bytes()).expect("a few");
    // As aligned as any element.
    let mut copies = [Vec::new(), Vec::new()];
    let inputs = iter::zip([left, right], &mut copies).map(|(words, copy): (_, &mut Vec<u64>)| {
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let all = bytes.len() / item_bytes * item_bytes;
        let bytes = &bytes[all.min(skipped * item_bytes)..all];
        copy.resize(bytes.len().div_ceil(8), 0);
        let copied = &mut bytemuck::cast_slice_mut(copy)[..bytes.len()];
        copied.copy_from_slice(bytes);
        &*copied
    });
    let inputs: Vec<&[u8]> = inputs.collect();
    let mut out = vec![0; fold.spec().out_words as usize];
    match cpu::reduce_inputs(fold, precision, &[[inputs[0], inputs[1]]], &mut out) {
        Ok(_) => out,
        Err(_) => Vec::new(),
    }
}

pub(super) const fn subject<T: Element>(operator: OperatorType) -> Subject {
    subject_of(operator, T::TYPE)
}

const fn subject_of(operator: OperatorType, element: ElementType) -> Subject {
    Subject { operator, element, prepare: None, expect, accumulate: None, has_batches: true }
}

const fn exact_subject<Op: ExactOperator + Operator<f32> + Default>(
    operator: OperatorType,
    expect: fn(&[u32], &[u32]) -> Vec<u32>,
) -> Subject {
    let accumulate = Accumulate { prepare: prepare_accumulator::<f32, Op>, expect };
    Subject { accumulate: Some(accumulate), ..subject::<f32>(operator) }
}

fn sum_of(words: &[u32], _: &[u32]) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(&exact::sum(bytemuck::cast_slice(words)).to_bytes())
}

fn squares_of(words: &[u32], _: &[u32]) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(&exact::squares(bytemuck::cast_slice(words)).to_bytes())
}

fn moments_of(words: &[u32], _: &[u32]) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(&exact::moments(bytemuck::cast_slice(words)).to_bytes())
}

fn moments_of_numbers(words: &[u32], _: &[u32]) -> Vec<u32> {
    let moments = exact::moments_of_numbers(bytemuck::cast_slice(words));
    bytemuck::pod_collect_to_vec(&moments.to_bytes())
}

fn products_of(left: &[u32], right: &[u32]) -> Vec<u32> {
    let dot = exact::dot(bytemuck::cast_slice(left), bytemuck::cast_slice(right));
    dot.map_or(Vec::new(), |dot| bytemuck::pod_collect_to_vec(&dot.to_bytes()))
}

pub(super) const MAX_ABS: Subject = subject::<f32>(OperatorType::MaxAbs);
pub(super) const COUNT: Subject = subject::<f32>(OperatorType::Count);
pub(super) const U32_COUNT: Subject = subject::<u32>(OperatorType::Count);
pub(super) const EVERY: Subject = subject::<f32>(OperatorType::All);
pub(super) const U32_SUM: Subject = subject::<u32>(OperatorType::Sum);
pub(super) const U64_SUM: Subject = subject::<u64>(OperatorType::Sum);
pub(super) const I32_MIN: Subject = subject::<i32>(OperatorType::Min);
pub(super) const SUM: Subject = exact_subject::<Sum>(OperatorType::Sum, sum_of);
pub(super) const PRODUCT: Subject = subject::<f32>(OperatorType::Product);
pub(super) const MIN: Subject = subject::<f32>(OperatorType::Min);
pub(super) const MAX: Subject = subject::<f32>(OperatorType::Max);
pub(super) const MEAN: Subject = exact_subject::<Mean>(OperatorType::Mean, sum_of);
pub(super) const SUM_OF_SQUARES: Subject =
    exact_subject::<SumOfSquares>(OperatorType::SumOfSquares, squares_of);
pub(super) const NORM: Subject = exact_subject::<Norm>(OperatorType::Norm, squares_of);
pub(super) const VARIANCE: Subject = exact_subject::<Variance>(OperatorType::Variance, moments_of);
pub(super) const U32_ARG_MIN: Subject = subject::<u32>(OperatorType::ArgMin);
pub(super) const BRIEF_MOMENTS: Subject = subject::<f32>(OperatorType::BriefMoments);
pub(super) const SAMPLE_VARIANCE: Subject =
    exact_subject::<Variance>(OperatorType::Variance.sample(), moments_of);
pub(super) const NAN_VARIANCE: Subject =
    exact_subject::<Variance>(OperatorType::Variance.nan(NanRule::Ignore), moments_of_numbers);
pub(super) const NAN_SAMPLE_VARIANCE: Subject = exact_subject::<Variance>(
    OperatorType::Variance.nan(NanRule::Ignore).sample(),
    moments_of_numbers,
);
pub(super) const DOT: Subject = Subject {
    accumulate: Some(Accumulate {
        prepare: prepare_accumulator::<(f32, f32), Dot>,
        expect: products_of,
    }),
    ..dot::<f32>()
};
pub(super) const F16_DOT: Subject = dot::<f16>();
pub(super) const BF16_DOT: Subject = dot::<bf16>();

const fn dot<T: Element>() -> Subject
where
    Dot: Operator<(T, T)>,
{
    Subject {
        operator: OperatorType::Dot,
        element: T::TYPE,
        prepare: None,
        expect,
        accumulate: None,
        has_batches: false,
    }
}

pub(super) const U8_SUM: Subject = subject::<u8>(OperatorType::Sum);
pub(super) const I8_MIN: Subject = subject::<i8>(OperatorType::Min);
pub(super) const U16_SUM_WIDE: Subject = subject::<u16>(OperatorType::SumWide);
pub(super) const I16_MAX: Subject = subject::<i16>(OperatorType::Max);
pub(super) const BOOL_COUNT: Subject = subject::<Bool>(OperatorType::Count);
pub(super) const F16_SUM: Subject = subject::<f16>(OperatorType::Sum);
pub(super) const F16_MAX: Subject = subject::<f16>(OperatorType::Max);
pub(super) const BF16_SUM: Subject = subject::<bf16>(OperatorType::Sum);
pub(super) const BF16_NORM: Subject = subject::<bf16>(OperatorType::Norm);

pub(super) const F32X2_SUM: Subject = subject::<[f32; 2]>(OperatorType::Sum);
pub(super) const F32X3_SUM: Subject = subject::<[f32; 3]>(OperatorType::Sum);
pub(super) const F32X4_MEAN: Subject = subject::<[f32; 4]>(OperatorType::Mean);
pub(super) const F32X3_MIN: Subject = subject::<[f32; 3]>(OperatorType::Min);
pub(super) const F32X4_MAX: Subject = subject::<[f32; 4]>(OperatorType::Max);
pub(super) const I32X2_MAX: Subject = subject::<[i32; 2]>(OperatorType::Max);
pub(super) const I32X3_MIN: Subject = subject::<[i32; 3]>(OperatorType::Min);
pub(super) const I32X4_SUM: Subject = subject::<[i32; 4]>(OperatorType::Sum);
pub(super) const U32X2_SUM: Subject = subject::<[u32; 2]>(OperatorType::Sum);
pub(super) const U32X3_MAX: Subject = subject::<[u32; 3]>(OperatorType::Max);
pub(super) const U32X4_MIN: Subject = subject::<[u32; 4]>(OperatorType::Min);
/// Whose accumulators, or what they begin with, are of components alone.
pub(super) const OF_COMPONENTS: [Subject; 9] = [
    subject::<[f32; 3]>(OperatorType::Product),
    subject::<[f32; 4]>(OperatorType::Count),
    subject::<[u32; 2]>(OperatorType::Count),
    subject::<[i32; 2]>(OperatorType::SumWide),
    subject::<[u32; 3]>(OperatorType::SumWide),
    subject::<[f32; 2]>(OperatorType::MaxAbs),
    subject::<[i32; 4]>(OperatorType::MaxAbs),
    subject::<[u32; 3]>(OperatorType::MaxAbs),
    F32X3_BOUNDS,
];
pub(super) const F32X2_BOUNDS: Subject = subject::<[f32; 2]>(OperatorType::Bounds);
pub(super) const F32X3_BOUNDS: Subject = subject::<[f32; 3]>(OperatorType::Bounds);
pub(super) const F32X4_BOUNDS: Subject = subject::<[f32; 4]>(OperatorType::Bounds);

pub(super) const F64_SUM: Subject = subject::<f64>(OperatorType::Sum);
pub(super) const F64_PRODUCT: Subject = subject::<f64>(OperatorType::Product);
pub(super) const F64_MIN: Subject = subject::<f64>(OperatorType::Min);
pub(super) const F64_MAX: Subject = subject::<f64>(OperatorType::Max);
pub(super) const F64_MAX_ABS: Subject = subject::<f64>(OperatorType::MaxAbs);
pub(super) const F64_COUNT: Subject = subject::<f64>(OperatorType::Count);
pub(super) const F64_MEAN: Subject = subject::<f64>(OperatorType::Mean);
pub(super) const F64_SUM_OF_SQUARES: Subject = subject::<f64>(OperatorType::SumOfSquares);
pub(super) const F64_NORM: Subject = subject::<f64>(OperatorType::Norm);
pub(super) const F64_VARIANCE: Subject = subject::<f64>(OperatorType::Variance);
pub(super) const F64_SAMPLE_VARIANCE: Subject = subject::<f64>(OperatorType::Variance.sample());
pub(super) const F64_DOT: Subject =
    Subject { element: ElementType::F64, prepare: None, expect, accumulate: None, ..DOT };

/// Of one input; what is made of sums of elements, of their squares, and of both.
pub(super) const STATISTICS: [Subject; 7] =
    [MEAN, SUM_OF_SQUARES, NORM, VARIANCE, SAMPLE_VARIANCE, NAN_VARIANCE, NAN_SAMPLE_VARIANCE];

/// Of elements of one type, whose accumulators combine.
pub(super) fn combining(element: ElementType) -> Vec<Subject> {
    let has_kernels = |spec: &&OperatorSpec| spec.inputs == 1 && !spec.is_exact_alone();
    let of_type = |operator: &OperatorType| operator.spec(element).filter(has_kernels);
    let specs = OperatorType::ALL.iter().filter_map(of_type);
    specs.map(|spec| subject_of(spec.operator, element)).collect()
}
