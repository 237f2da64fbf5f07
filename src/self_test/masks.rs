//! Questions of masks: bits of words, of which the first and the last have others, too.

use super::{
    questions::{Asked, Subject},
    slot::Slot,
    subjects::subject,
};
use crate::{
    algebra::{element::Bits, operator_type::OperatorType, precision::Precision},
    cpu::table,
    device::{
        buffer::{AnySlice, GpuSlice},
        pool::Memory,
    },
    error::PrepareError,
    reduce::{inputs::Input, work::Work},
};
use std::ops::Range;

pub(super) const MASK_COUNT: Subject = mask(OperatorType::Count);
pub(super) const MASK_MIN: Subject = mask(OperatorType::Min);
pub(super) const MASK_MAX: Subject = mask(OperatorType::Max);

/// Bits of the first word before a mask, and of the last one behind it.
pub(super) const BITS_AROUND_MASK: [u32; 2] = [5, 9];

const fn mask(operator: OperatorType) -> Subject {
    Subject {
        prepare: Some(prepare_mask),
        expect: expect_mask,
        has_batches: false,
        ..subject::<Bits>(operator)
    }
}

/// The bits of a mask, counted from the first one of its first word.
fn mask_range(words: u64) -> Range<u64> {
    let [before, behind] = BITS_AROUND_MASK.map(u64::from);
    before..(32 * words).saturating_sub(behind).max(before)
}

fn prepare_mask(asked: &Asked, slot: &Slot) -> Result<Work, PrepareError> {
    let reducer = asked.reducer();
    let output = AnySlice::new(slot.buffer(), reducer.out_bytes(), slot.offset_bytes(), 1)?;
    let words = asked.ranges.iter().map(|range| range.end).max().unwrap_or(0);
    let Range { start, end } = mask_range(words);
    let input = GpuSlice::bits(&asked.left, 32 * asked.offsets[0] + start, end - start)?;
    let inputs = Input::from(input).into_any();
    Ok(reducer.prepare(&inputs, &output, Memory::Pooled)?.work)
}

fn expect_mask(subject: &Subject, _: Precision, words: &[u32], _: &[u32], _: usize) -> Vec<u32> {
    let range = mask_range(words.len() as u64);
    let bit = |number: u64| words[usize::try_from(number / 32).expect("a word")] >> (number % 32);
    // All bits but the lowest are such that they change nothing.
    let others = if subject.operator == OperatorType::Min { !1 } else { 0 };
    let own: Vec<u32> = range.clone().map(|number| bit(number) & 1 | others).collect();
    let fold = table::find(subject.operator, subject.element).expect("masks have it");
    let total = fold.total([bytemuck::cast_slice(&own), &[]], true);
    let mut out = vec![0; fold.spec().out_words as usize];
    fold.finish(&total, range.end - range.start, &mut out);
    out
}
