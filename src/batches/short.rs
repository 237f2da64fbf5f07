//! Reductions of short inputs in one buffer: where they are many, they become segments between offsets, of which a workgroup has many.
//!
//! A *gap* between two inputs is a segment, too, whose result nobody takes. So results may come in another order than the batch's, and with
//! others between them: then they come to a *room* of the batch's own, and a last dispatch brings all words to their places.

use crate::{
    algebra::{
        element::ElementType, operator::OperatorSpec, operator_type::OperatorType,
        precision::Precision,
    },
    device::{
        buffer,
        capabilities::{Capabilities, DeviceClass},
        context::Context,
        extent::WORD_BYTES,
    },
    dispatch::recording::{Part, Recording},
    error::PrepareError,
    reduce::{
        any_reducer::{AnyReducer, Settings},
        inputs::AnyInput,
        plan::ROUND_ITEMS,
    },
    segments::known::{KnownSegments, add, plan_in_order},
};
use std::collections::HashMap;

// When reductions become segments. Else each has a workgroup at least, or dispatches of its own. On drivers in software
// each workgroup takes microseconds, whatever it has to do: there segments are faster from the fewest reductions to the longest mean, without gaps
// (`cargo bench --bench batches`, benches/records/lavapipe-two-cores-batches.txt). Gaps were not measured.

/// Elements of an input at most: a workgroup takes as many at a time.
const MAX_INPUT_ITEMS: u64 = ROUND_ITEMS;
/// The mean of inputs' elements at most.
const MAX_MEAN_ITEMS: u64 = 1024;
/// Gaps have at most as many elements as inputs have, or so many for each input, if these are more.
const GAP_ITEMS: u64 = 64;
/// Reductions at least: segments may take some dispatches more, and other pipelines.
const MIN_REDUCTIONS: usize = 64;
/// The same on GPUs. They have thousands of workgroups at work at once, which take no longer than those dispatches.
/// On an NVIDIA H100 4096 inputs took 0.8 to 1.1 of the time when they were segments, and 20 000 half of it (`cargo bench --bench batches`,
/// benches/records/nvidia-h100-batches.txt). Fewer were not measured as segments.
const MIN_REDUCTIONS_ON_GPUS: usize = 4096;

/// Reductions that may become segments. Each of them is among the batch's others, too.
#[derive(Debug, Default)]
pub(super) struct Short {
    groups: Vec<Group>,
    group_of: HashMap<GroupKey, usize>,
    /// The one that was added to last.
    last: usize,
}

/// What segments have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct GroupKey {
    buffer: wgpu::Buffer,
    operator: OperatorType,
    element: ElementType,
    is_exact: bool,
    /// Where in an element's bytes inputs begin, if elements are counted from the buffer's beginning.
    rest_bytes: u64,
}

#[derive(Debug)]
struct Group {
    key: GroupKey,
    spec: &'static OperatorSpec,
    inputs: Vec<ShortInput>,
    /// Those of them that share no dispatch else.
    singles: usize,
}

#[derive(Clone, Copy, Debug)]
struct ShortInput {
    /// In elements, from where in the buffer the first whole one begins.
    begin: u64,
    len: u64,
    /// Where the result goes: the first word of it.
    index: u32,
}

/// The operator of reductions by this reducer, if they may become segments.
pub(super) fn spec_of_segments(reducer: &AnyReducer) -> Option<&'static OperatorSpec> {
    let settings = reducer.settings();
    let precision = settings.precision;
    // What else is asked for has to do with workgroups, or is a text of the user's.
    let is_plain = *settings == Settings { precision, ..Settings::default() };
    let of_type = reducer.of_type();
    let spec = of_type.operator.spec(of_type.element).filter(|_| is_plain)?;
    spec.has_segments_at(precision).then_some(spec)
}

impl Short {
    /// Adds a reduction, if it may become a segment.
    pub(super) fn add(
        &mut self,
        reducer: &AnyReducer,
        inputs: &AnyInput,
        index: u32,
        is_single: bool,
    ) {
        let ([slice], []) = (&inputs.left[..], &inputs.right[..]) else { return };
        let Some(spec) = spec_of_segments(reducer) else { return };
        let extent = slice.extent();
        if slice.is_strided() || extent.bits.is_some() || extent.len > MAX_INPUT_ITEMS {
            return;
        }
        let precision = reducer.settings().precision;
        let element = reducer.element();
        let element_bytes = element.size_bytes();
        let rest_bytes = extent.offset_bytes % element_bytes;
        let is_exact = precision == Precision::Exact && !spec.order_free;
        let is_last = self.groups.get(self.last).is_some_and(|Group { key, .. }| {
            (key.operator, key.element) == (spec.operator, element)
                && (key.is_exact, key.rest_bytes) == (is_exact, rest_bytes)
                && key.buffer == *slice.buffer()
        });
        if !is_last {
            let key = GroupKey {
                buffer: slice.buffer().clone(),
                operator: spec.operator,
                element,
                is_exact,
                rest_bytes,
            };
            self.last = *self.group_of.entry(key.clone()).or_insert_with(|| {
                self.groups.push(Group { key, spec, inputs: Vec::new(), singles: 0 });
                self.groups.len() - 1
            });
        }
        let group = &mut self.groups[self.last];
        group.inputs.push(ShortInput {
            begin: extent.offset_bytes / element_bytes,
            len: extent.len,
            index,
        });
        group.singles += usize::from(is_single);
    }

    /// What becomes segments, in a batch whose results have so many words: also of few reductions, if `takes_few`.
    pub(super) fn choose(
        &self,
        words: u32,
        takes_few: bool,
        capabilities: &Capabilities,
    ) -> AsSegments {
        let chosen = |group: &Group| group.choose(takes_few, capabilities);
        let mut chosen: Vec<Chosen> = self.groups.iter().filter_map(chosen).collect();
        let mut room = Room::of(&chosen, words, capabilities);
        if room.as_ref().is_some_and(|room| room.check(words, capabilities).is_err()) {
            chosen.retain(|chosen| chosen.in_place.is_some());
            room = None;
        }
        AsSegments { chosen, words, room }
    }
}

impl Group {
    fn choose(&self, takes_few: bool, capabilities: &Capabilities) -> Option<Chosen> {
        let is_cpu = capabilities.device_class == DeviceClass::Cpu;
        let least = match takes_few {
            true => 1,
            // Several dispatches for each take longer anywhere.
            false if is_cpu || self.singles >= MIN_REDUCTIONS => MIN_REDUCTIONS,
            false => MIN_REDUCTIONS_ON_GPUS,
        };
        if self.inputs.len() < least {
            return None;
        }
        let Layout { begin, offsets, numbers, longest } = Layout::of(&self.inputs)?;
        let GroupKey { ref buffer, element, is_exact, rest_bytes, .. } = self.key;
        let segments = KnownSegments {
            spec: self.spec,
            is_exact,
            buffer: buffer.clone(),
            begin_bytes: begin * element.size_bytes() + rest_bytes,
            offsets,
            longest,
        };
        // Wherever in a binding the results will begin.
        segments.plan(words_of_alignment(capabilities), capabilities).ok()?;
        let indices: Vec<u32> = self.inputs.iter().map(|input| input.index).collect();
        let first = indices[0];
        let are_in_place = numbers.len() as u64 == segments.segments()
            && (0..).zip(&numbers).all(|(place, &number)| place == number)
            && numbers.iter().zip(&indices).all(|(&number, &index)| {
                u64::from(index)
                    == u64::from(first) + u64::from(number) * u64::from(self.spec.out_words)
            });
        let in_place = are_in_place.then_some(first);
        Some(Chosen { segments, numbers, indices, in_place })
    }
}

/// The words from one place where bindings may begin to the next.
fn words_of_alignment(capabilities: &Capabilities) -> u32 {
    let alignment_bytes = capabilities.binding_alignment_bytes.max(16);
    u32::try_from(alignment_bytes / WORD_BYTES).expect("alignments are small")
}

/// Segments of inputs.
#[derive(Debug, PartialEq, Eq)]
struct Layout {
    /// Where the first one begins, which offsets are counted from.
    begin: u64,
    offsets: Vec<u32>,
    /// Each input's segment.
    numbers: Vec<u32>,
    /// Of inputs.
    longest: u64,
}

impl Layout {
    /// `None` if inputs overlap, or if segments are not sure to be better.
    fn of(inputs: &[ShortInput]) -> Option<Self> {
        let count = inputs.len() as u64;
        let items: u64 = inputs.iter().map(|input| input.len).sum();
        if items > MAX_MEAN_ITEMS * count {
            return None;
        }
        let mut sorted: Vec<usize> = (0..inputs.len()).collect();
        sorted.sort_by_key(|&at| (inputs[at].begin, inputs[at].len));
        let begin = sorted.iter().map(|&at| inputs[at]).find(|input| input.len > 0)?.begin;
        let mut end = begin;
        let mut gaps = 0;
        let mut offsets = vec![0];
        let mut numbers = vec![0; inputs.len()];
        let mut empty = Vec::new();
        for at in sorted {
            let input = inputs[at];
            // Empty inputs have the same result wherever they are.
            if input.len == 0 && input.begin != end {
                empty.push(at);
                continue;
            }
            if input.begin > end {
                gaps += input.begin - end;
                offsets.push(u32::try_from(input.begin - begin).ok()?);
            } else if input.begin < end {
                return None;
            }
            numbers[at] = u32::try_from(offsets.len() - 1).ok()?;
            end = input.begin + input.len;
            offsets.push(u32::try_from(end - begin).ok()?);
        }
        if gaps > items.max(GAP_ITEMS * count) {
            return None;
        }
        if !empty.is_empty() {
            let number = u32::try_from(offsets.len() - 1).ok()?;
            offsets.push(offsets[offsets.len() - 1]);
            for at in empty {
                numbers[at] = number;
            }
        }
        let longest = inputs.iter().map(|input| input.len).max().unwrap_or(0);
        Some(Self { begin, offsets, numbers, longest })
    }
}

/// A group that becomes segments.
#[derive(Debug)]
struct Chosen {
    segments: KnownSegments,
    /// The segment of each reduction.
    numbers: Vec<u32>,
    /// The first word of its result.
    indices: Vec<u32>,
    /// The first word of all results, if they are in the batch's order.
    in_place: Option<u32>,
}

impl Chosen {
    fn words(&self) -> u64 {
        self.segments.segments() * u64::from(self.segments.spec.out_words)
    }
}

/// Where results are before they come to their places: first the batch's words, of which jobs write theirs, then each group's.
#[derive(Debug)]
struct Room {
    /// The first word of each group.
    begins: Vec<u64>,
    words: u64,
}

impl Room {
    /// `None` if all results are written to their places.
    fn of(chosen: &[Chosen], words: u32, capabilities: &Capabilities) -> Option<Self> {
        if chosen.iter().all(|chosen| chosen.in_place.is_some()) {
            return None;
        }
        let alignment = u64::from(words_of_alignment(capabilities));
        let mut next = u64::from(words).next_multiple_of(alignment);
        let begins = chosen.iter().map(|chosen| {
            let begin = next;
            next = (begin + chosen.words()).next_multiple_of(alignment);
            begin
        });
        let begins = begins.collect();
        Some(Self { begins, words: next })
    }

    /// Whether one binding has room for it.
    fn check(&self, words: u32, capabilities: &Capabilities) -> Result<(), PrepareError> {
        let index = words_of_alignment(capabilities);
        plan_in_order(self.words, words.into(), index, capabilities).map(|_| ())
    }

    /// Where in the room each of the batch's words is.
    fn order(&self, chosen: &[Chosen], words: u32) -> Result<Vec<u32>, PrepareError> {
        let too_long = || PrepareError::TooLong { len: self.words };
        let mut order: Vec<u32> = (0..words).collect();
        for (chosen, &begin) in chosen.iter().zip(&self.begins) {
            let begin = u32::try_from(begin).map_err(|_| too_long())?;
            let out_words = chosen.segments.spec.out_words;
            for (&number, &index) in chosen.numbers.iter().zip(&chosen.indices) {
                for word in 0..out_words {
                    order[(index + word) as usize] = begin + number * out_words + word;
                }
            }
        }
        Ok(order)
    }
}

/// What of a batch becomes segments.
#[derive(Debug)]
pub(super) struct AsSegments {
    chosen: Vec<Chosen>,
    /// Of the batch's results.
    words: u32,
    room: Option<Room>,
}

/// Where a batch's results go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home<'a> {
    /// What is bound, up to the last result.
    pub(super) bound: Part<'a>,
    /// The word of it that the results begin at.
    pub(super) first: u32,
}

impl AsSegments {
    /// Whether the result that begins with each word of the batch's is a segment's. `None` if none is.
    pub(super) fn taken(&self) -> Option<Vec<bool>> {
        if self.chosen.is_empty() {
            return None;
        }
        let mut taken = vec![false; self.words as usize];
        for &index in self.chosen.iter().flat_map(|chosen| &chosen.indices) {
            taken[index as usize] = true;
        }
        Some(taken)
    }

    /// Whether any of them reads the buffer.
    pub(super) fn reads(&self, buffer: &wgpu::Buffer) -> bool {
        self.chosen.iter().any(|chosen| chosen.segments.buffer == *buffer)
    }

    /// The dispatches, behind those that `record_others` records where it is told.
    pub(super) fn record(
        &self,
        context: &Context,
        label: &str,
        home: Home<'_>,
        record_others: impl FnOnce(Home<'_>) -> Result<Recording, PrepareError>,
    ) -> Result<Recording, PrepareError> {
        match &self.room {
            None => self.record_in_place(context, home, record_others(home)?),
            Some(room) => {
                let usage = wgpu::BufferUsages::STORAGE;
                let size_bytes = room.words * WORD_BYTES;
                let buffer = buffer::create(context.device(), label, size_bytes, usage)?;
                let bound = Part::first(&buffer, u64::from(self.words) * WORD_BYTES);
                let recording = record_others(Home { bound, first: 0 })?;
                self.record_in_room(context, home, recording, room, &buffer)
            }
        }
    }

    fn record_in_place(
        &self,
        context: &Context,
        home: Home<'_>,
        mut recording: Recording,
    ) -> Result<Recording, PrepareError> {
        let capabilities = context.capabilities();
        let alignment = u64::from(words_of_alignment(capabilities));
        for chosen in &self.chosen {
            let first = u64::from(home.first) + u64::from(chosen.in_place.unwrap_or(0));
            let head = first % alignment;
            let result = Part {
                buffer: home.bound.buffer,
                offset_bytes: home.bound.offset_bytes + (first - head) * WORD_BYTES,
                size_bytes: (head + chosen.words()) * WORD_BYTES,
            };
            let head = u32::try_from(head).expect("alignments are small");
            let plan = chosen.segments.plan(head, capabilities)?;
            chosen.segments.add_to(context, &mut recording, &plan, result)?;
        }
        Ok(recording)
    }

    fn record_in_room(
        &self,
        context: &Context,
        home: Home<'_>,
        mut recording: Recording,
        room: &Room,
        buffer: &wgpu::Buffer,
    ) -> Result<Recording, PrepareError> {
        let capabilities = context.capabilities();
        for (chosen, begin) in self.chosen.iter().zip(&room.begins) {
            let (offset_bytes, size_bytes) = (begin * WORD_BYTES, chosen.words() * WORD_BYTES);
            let plan = chosen.segments.plan(0, capabilities)?;
            let result = Part { buffer, offset_bytes, size_bytes };
            chosen.segments.add_to(context, &mut recording, &plan, result)?;
        }
        let order = room.order(&self.chosen, self.words)?;
        let plan = plan_in_order(room.words, self.words.into(), home.first, capabilities)?;
        add(context, &mut recording, &plan, buffer, &order, home.bound)?;
        Ok(recording)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(inputs: &[(u64, u64)]) -> Option<Layout> {
        let inputs: Vec<ShortInput> =
            inputs.iter().map(|&(begin, len)| ShortInput { begin, len, index: 0 }).collect();
        Layout::of(&inputs)
    }

    fn laid_out(inputs: &[(u64, u64)]) -> (u64, Vec<u32>, Vec<u32>, u64) {
        let Layout { begin, offsets, numbers, longest } = layout(inputs).expect("it can be done");
        (begin, offsets, numbers, longest)
    }

    #[test]
    fn inputs_become_segments() {
        assert_eq!(laid_out(&[(7, 3), (10, 5)]), (7, vec![0, 3, 8], vec![0, 1], 5));
        assert_eq!(laid_out(&[(10, 5), (7, 3)]), (7, vec![0, 3, 8], vec![1, 0], 5));
        // A gap is a segment that is no input's.
        assert_eq!(laid_out(&[(0, 3), (5, 2)]), (0, vec![0, 3, 5, 7], vec![0, 2], 3));
        // Empty ones between two others, and elsewhere.
        let found = laid_out(&[(0, 3), (3, 0), (3, 0), (3, 2)]);
        assert_eq!(found, (0, vec![0, 3, 3, 3, 5], vec![0, 1, 2, 3], 3));
        let found = laid_out(&[(2, 0), (9, 0), (1, 3), (0, 0), (4, 1)]);
        assert_eq!(found, (1, vec![0, 3, 4, 4], vec![2, 2, 0, 2, 1], 3));
    }

    #[test]
    fn others_do_not() {
        assert_eq!(layout(&[]), None);
        assert_eq!(layout(&[(3, 0), (4, 0)]), None);
        // They overlap, or one is twice there.
        assert_eq!(layout(&[(0, 3), (2, 4)]), None);
        assert_eq!(layout(&[(0, 3), (0, 3)]), None);
        // They are long.
        assert!(layout(&[(0, 1024), (1024, 1024)]).is_some());
        assert_eq!(layout(&[(0, 1024), (1024, 1025)]), None);
        // They are far apart.
        assert!(layout(&[(0, 1), (129, 1)]).is_some());
        assert_eq!(layout(&[(0, 1), (130, 1)]), None);
        assert!(layout(&[(0, 300), (900, 300)]).is_some());
        assert_eq!(layout(&[(0, 300), (901, 300)]), None);
    }
}
