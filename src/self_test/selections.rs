//! What is asked of selections: every kind of mask and size of element, launches that go on from others, strides, outputs of several slices.

use super::{
    material::mix,
    questions::{Question, U32_COUNT},
    run::Run,
    slot::LABEL,
    tally::Claim,
};
use crate::{
    algebra::{
        element::{Bits, Bool, Element},
        flag::Flag,
    },
    cpu,
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        readback::{Readback, Source, Staging},
    },
    error::Error,
    reduce::inputs::Input,
    select::{compaction::Compaction, compactor::Compactor},
    way::{Strategy, policy::Policy},
};

/// Elements: three blocks of four rows, and a part of a row.
const LEN: usize = 13_001;
/// Where the second slice of elements begins, and that of flags.
const CUTS: [usize; 2] = [5003, 7013];
/// The last slice of outputs has these.
const LAST_ITEMS: u64 = 500;
const POLICY: Policy = Policy { min_rows: 4, max_workgroups: 2048 };

/// What is selected.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Select,
    Partition,
    Positions,
    Unique,
    RunLengths,
}

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    run.flush().await;
    for kind in [Kind::Select, Kind::Positions, Kind::Partition] {
        by_masks::<u32>(run, kind).await;
    }
    by_masks::<u64>(run, Kind::Select).await;
    for kind in [Kind::Unique, Kind::RunLengths] {
        ask::<u32, u32>(run, kind).await;
        ask::<u64, u32>(run, kind).await;
    }
}

async fn by_masks<T: Element>(run: &mut Run, kind: Kind) {
    ask::<T, u32>(run, kind).await;
    ask::<T, Bool>(run, kind).await;
    ask::<T, Bits>(run, kind).await;
}

async fn ask<T: Element, M: Mask>(run: &mut Run, kind: Kind) {
    if run.is_over() {
        return;
    }
    let bytes = 3 * LEN as u64 * T::TYPE.size_bytes();
    if bytes.max(8 * LEN as u64) > run.capabilities().max_buffer_bytes {
        run.tally.left_out += 1;
        return;
    }
    let question = Question { strategy: Strategy::TwoPass, ..Question::as_usual(U32_COUNT) };
    let input = format!("{kind:?} of {LEN} {} by {}", T::TYPE, M::TYPE);
    let context = run.options.context.clone();
    match answer::<T, M>(run, &context, kind).await {
        Ok(None) => {}
        Ok(Some(Answer { claim, found })) => {
            let claim = Claim { question, input, strategy: Strategy::TwoPass, ..claim };
            run.tally.compare(claim, Ok(found));
        }
        Err(error) => run.failed([Claim::without_plan(question, input)], &error),
    }
}

struct Answer {
    claim: Claim,
    found: Vec<u32>,
}

/// Items of a type, of words that are few enough to come several times in a row.
fn items<T: Element>(words: impl Iterator<Item = u32>) -> Vec<T> {
    words
        .map(|word| {
            let bytes: Vec<u8> = [word.to_le_bytes(), (!word).to_le_bytes()].concat();
            bytemuck::pod_read_unaligned(&bytes[..size_of::<T>()])
        })
        .collect()
}

/// Two slices in one buffer, with the stride, from a word on.
fn slices_of<T: Element>(
    context: &Context,
    all: &[T],
    cut: usize,
    stride: usize,
) -> Result<Input<T>, Error> {
    let item_bytes = size_of::<T>();
    let mut bytes = vec![0x5a; 4];
    for item in all {
        bytes.extend_from_slice(bytemuck::bytes_of(item));
        bytes.resize(bytes.len() + (stride - 1) * item_bytes, 0x5a);
    }
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let size_bytes = bytes.len() as u64;
    let usage = wgpu::BufferUsages::STORAGE;
    let buffer = buffer::create_filled(context.device(), LABEL, size_bytes, usage, &bytes)?;
    let stride_bytes = (stride * item_bytes) as u64;
    let slice = |begin: usize, end: usize| {
        let offset_bytes = 4 + begin as u64 * stride_bytes;
        GpuSlice::<T>::strided(&buffer, offset_bytes, stride_bytes, (end - begin) as u64)
    };
    Ok(Input(vec![slice(0, cut)?, slice(cut, all.len())?]))
}

/// A mask of two slices.
trait Mask: Flag {
    fn of(context: &Context, flags: &[bool]) -> Result<(Input<Self>, Vec<Self>), Error>;
}

impl Mask for u32 {
    fn of(context: &Context, flags: &[bool]) -> Result<(Input<Self>, Vec<Self>), Error> {
        strided_mask(context, flags)
    }
}

impl Mask for Bool {
    fn of(context: &Context, flags: &[bool]) -> Result<(Input<Self>, Vec<Self>), Error> {
        strided_mask(context, flags)
    }
}

fn strided_mask<M: Flag>(context: &Context, flags: &[bool]) -> Result<(Input<M>, Vec<M>), Error> {
    let all = items(flags.iter().map(|&flag| if flag { 0x8101_0141 } else { 0 }));
    Ok((slices_of(context, &all, CUTS[1], 2)?, all))
}

/// From the mask's 5th bit on, so that slices begin within words.
impl Mask for Bits {
    fn of(context: &Context, flags: &[bool]) -> Result<(Input<Self>, Vec<Self>), Error> {
        let words = |flags: &[bool]| -> Vec<u32> {
            let word = |bits: &[bool]| {
                bits.iter().enumerate().map(|(bit, &flag)| u32::from(flag) << bit).sum()
            };
            flags.chunks(32).map(word).collect()
        };
        let content = words(&[&[true; 5], flags].concat());
        let bytes: &[u8] = bytemuck::cast_slice(&content);
        let usage = wgpu::BufferUsages::STORAGE;
        let size_bytes = bytes.len().next_multiple_of(16) as u64;
        let buffer = buffer::create_filled(context.device(), LABEL, size_bytes, usage, bytes)?;
        let (cut, len) = (CUTS[1] as u64, flags.len() as u64);
        let slices =
            vec![GpuSlice::bits(&buffer, 5, cut)?, GpuSlice::bits(&buffer, 5 + cut, len - cut)?];
        Ok((Input(slices), words(flags).into_iter().map(Bits).collect()))
    }
}

/// What the device finds, and the CPU.
async fn answer<T: Element, M: Mask>(
    run: &Run,
    context: &Context,
    kind: Kind,
) -> Result<Option<Answer>, Error> {
    let mut words: Vec<u32> = (0..13_001).map(|i| mix(mix(i) % 5 + i / 40)).collect();
    // Runs go over the beginning of the second launch, and begin not with each of the first elements.
    (words[1], words[CUTS[0]]) = (words[0], words[CUTS[0] - 1]);
    let all: Vec<T> = items(words.iter().copied());
    let flags: Vec<bool> =
        (0..13_001).map(|i| mix(i + 7).is_multiple_of(3) || i / 3000 == 1).collect();
    let input = slices_of(context, &all, CUTS[0], if M::BYTES == 1 { 3 } else { 1 })?;
    let (mask, mask_items) = M::of(context, &flags)?;
    let item_bytes = match kind {
        Kind::Positions => 8,
        _ => T::TYPE.size_bytes(),
    };
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let outputs = [item_bytes, 8, 16];
    let sizes = outputs.map(|bytes| (LEN as u64 * bytes).next_multiple_of(16));
    let zeros = vec![0; usize::try_from(sizes[0].max(sizes[1])).expect("small")];
    let create = |size_bytes: u64| {
        let zeros = &zeros[..usize::try_from(size_bytes).expect("small")];
        buffer::create_filled(context.device(), LABEL, size_bytes, usage, zeros)
    };
    let (output, lengths, count) = (create(sizes[0])?, create(sizes[1])?, create(32)?);
    let count_slice = GpuSlice::<u64>::new(&count, 8, 1)?;
    let rest = LEN as u64 - LAST_ITEMS;
    let values = Input(vec![
        GpuSlice::<T>::new(&output, 0, if item_bytes == T::TYPE.size_bytes() { rest } else { 0 })?,
        GpuSlice::<T>::new(&output, rest * T::TYPE.size_bytes(), LAST_ITEMS)?,
    ]);
    let numbers = |buffer: &wgpu::Buffer| GpuSlice::<u64>::new(buffer, 0, LEN as u64);
    let compaction = match kind {
        Kind::Select => Compaction::select::<T, M>(input, mask, values),
        Kind::Partition => Compaction::partition::<T, M>(input, mask, values),
        Kind::Positions => Compaction::positions::<M>(mask, numbers(&output)?),
        Kind::Unique => Compaction::unique::<T>(input, values),
        Kind::RunLengths => Compaction::run_lengths::<T>(input, values, numbers(&lengths)?),
    };
    let compactor = Compactor::new(context).policy(POLICY);
    let plan = compactor.plan(&compaction, &count_slice)?;
    let pipelines: Vec<_> = plan.pipelines().collect();
    if !run.is_wanted(&pipelines) {
        return Ok(None);
    }
    let mut encoder = context.create_encoder(LABEL)?;
    compactor.record(&mut encoder, &compaction, &count_slice)?;
    let part = |buffer, offset_bytes, size_bytes| Source { buffer, offset_bytes, size_bytes };
    let sources = [part(&count, 8, 8), part(&output, 0, sizes[0]), part(&lengths, 0, sizes[1])];
    let staging = Staging::allocate(context, 8 + sizes[0] + sizes[1])?;
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &sources, bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    let (selected, lengths, count) = match kind {
        Kind::Select => (words_of(&cpu::select(&all, &mask_items)?), Vec::new(), None),
        Kind::Positions => {
            let found = cpu::positions(&mask_items)?;
            (words_of(&found), Vec::new(), Some(found.len() as u64))
        }
        Kind::Partition => {
            let (parted, count) = cpu::partition(&all, &mask_items)?;
            (words_of(&parted), Vec::new(), Some(count))
        }
        Kind::Unique => (words_of(&cpu::unique(&all)?), Vec::new(), None),
        Kind::RunLengths => {
            let (values, lengths) = cpu::run_lengths(&all)?;
            (words_of(&values), words_of(&lengths), None)
        }
    };
    let count = count.unwrap_or(4 * selected.len() as u64 / item_bytes);
    let mut expected = words_of(&[count]);
    for (words, size_bytes) in [(selected, sizes[0]), (lengths, sizes[1])] {
        let end = expected.len() + usize::try_from(size_bytes / 4).expect("small");
        expected.extend(words);
        expected.resize(end, 0);
    }
    let question = Question::as_usual(U32_COUNT);
    let claim = Claim {
        plan: plan.to_string(),
        pipelines,
        expected,
        ..Claim::without_plan(question, String::new())
    };
    Ok(Some(Answer { claim, found }))
}

fn words_of<T: Element>(items: &[T]) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(items)
}
