//! What is asked of selections: both mechanisms, every kind of mask and size of element, a predicate, launches that go on from others, strides, outputs of several slices;
//! and, of single slices, single passes.

use super::{
    material::mix,
    outputs::{LEN, Outputs},
    questions::Question,
    run::Run,
    slot::LABEL,
    subjects::U32_COUNT,
    tally::Claim,
};
use crate::{
    algebra::{
        element::{Bits, Bool, Element},
        flag::Flag,
    },
    cpu,
    custom::expression::Predicate,
    device::{
        buffer::{self, GpuSlice},
        context::Context,
        readback::{Readback, Source, Staging},
    },
    error::Error,
    reduce::inputs::Input,
    select::{compaction::Compaction, compactor::Compactor},
    way::{Strategy, Variant, policy::Policy},
};

/// Where the second slice of elements begins, and that of flags.
const CUTS: [usize; 2] = [5003, 7013];
const POLICY: Policy = Policy { min_rows: 4, max_workgroups: 2048 };

/// What is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Select,
    Partition,
    Positions,
    Unique,
    RunLengths,
    RunBegins,
}

/// How it is done. What goes in a single pass is in one piece.
#[derive(Clone, Copy, Debug)]
struct Way {
    variant: Variant,
    strategy: Strategy,
}

impl Way {
    fn is_single(self) -> bool {
        self.strategy == Strategy::SinglePass
    }

    /// Where the second slice begins, if there is one: else behind all.
    fn cut(self, cut: usize) -> usize {
        if self.is_single() { LEN } else { cut }
    }
}

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    run.flush().await;
    for strategy in [Strategy::TwoPass, Strategy::SinglePass] {
        if strategy == Strategy::SinglePass && !run.capabilities().coherent_memory {
            continue;
        }
        for variant in [Variant::Subgroup, Variant::WorkgroupMemory] {
            if variant == Variant::Subgroup && run.capabilities().subgroups.is_none() {
                continue;
            }
            ask_all(run, Way { variant, strategy }).await;
        }
    }
}

/// Asks what lies as most does, in the way that the device chooses.
pub(super) async fn usual(run: &mut Run) {
    let strategy = match run.capabilities().coherent_memory {
        true => Strategy::SinglePass,
        false => Strategy::TwoPass,
    };
    let way = Way { variant: Variant::Auto, strategy };
    ask::<u32, Bool>(run, Kind::Select, way).await;
    ask::<u32, u32>(run, Kind::Unique, way).await;
    ask::<u32, u32>(run, Kind::RunLengths, way).await;
    ask_if(run, Kind::Select, way).await;
}

async fn ask_all(run: &mut Run, way: Way) {
    // Partitions have no single pass.
    let kinds = [Kind::Select, Kind::Positions, Kind::Partition];
    let kinds = if way.is_single() { &kinds[..2] } else { &kinds[..] };
    for &kind in kinds {
        by_masks::<u32>(run, kind, way).await;
    }
    by_masks::<u64>(run, Kind::Select, way).await;
    // Elements that share words with others.
    by_masks::<u8>(run, Kind::Select, way).await;
    by_masks::<u16>(run, Kind::Select, way).await;
    // Elements of more words than kernels hold.
    by_masks::<[u32; 3]>(run, Kind::Select, way).await;
    if !way.is_single() {
        ask::<u16, u32>(run, Kind::Partition, way).await;
        ask::<[f32; 4], u32>(run, Kind::Partition, way).await;
    }
    for kind in [Kind::Unique, Kind::RunLengths, Kind::RunBegins] {
        ask::<u8, u32>(run, kind, way).await;
        ask::<u16, u32>(run, kind, way).await;
        ask::<u32, u32>(run, kind, way).await;
        ask::<u64, u32>(run, kind, way).await;
        ask::<[u32; 3], u32>(run, kind, way).await;
        ask::<[i32; 4], u32>(run, kind, way).await;
    }
    for &kind in kinds {
        ask_if(run, kind, way).await;
    }
}

async fn by_masks<T: Element>(run: &mut Run, kind: Kind, way: Way) {
    ask::<T, u32>(run, kind, way).await;
    ask::<T, Bool>(run, kind, way).await;
    ask::<T, Bits>(run, kind, way).await;
}

async fn ask<T: Element, M: Mask>(run: &mut Run, kind: Kind, way: Way) {
    let bytes = 3 * LEN as u64 * T::TYPE.size_bytes();
    if !has_room(run, bytes) {
        return;
    }
    let context = run.options.context.clone();
    let input = format!("{kind:?} of {LEN} {} by {}", T::TYPE, M::TYPE);
    let answer = answer::<T, M>(run, &context, kind, way).await;
    tell(run, way.strategy, input, answer);
}

async fn ask_if(run: &mut Run, kind: Kind, way: Way) {
    if !has_room(run, 12 * LEN as u64) {
        return;
    }
    let context = run.options.context.clone();
    let answer = answer_if(run, &context, kind, way).await;
    tell(run, way.strategy, format!("{kind:?} of {LEN} f32 by a predicate"), answer);
}

/// Whether the next is to be asked.
fn has_room(run: &mut Run, bytes: u64) -> bool {
    if run.is_over() {
        return false;
    }
    let has_room = bytes.max(8 * LEN as u64) <= run.capabilities().max_buffer_bytes;
    run.tally.left_out += usize::from(!has_room);
    has_room
}

fn tell(run: &mut Run, strategy: Strategy, input: String, answer: Result<Option<Answer>, Error>) {
    let question = Question { strategy, ..Question::as_usual(U32_COUNT) };
    match answer {
        Ok(None) => {}
        Ok(Some(Answer { claim, found })) => {
            let claim = Claim { question, input, strategy, ..claim };
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
            // No component alone tells all from each other, and two of them tell none.
            let words = match T::TYPE.is_vector() {
                true => [word & 1, 5, word >> 1, 9],
                false => [word, !word, 0, 0],
            };
            bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&words)[..size_of::<T>()])
        })
        .collect()
}

/// Two slices in one buffer, or a single one, with the stride, from a word on.
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
    let mut slices = vec![slice(0, cut)?];
    if cut < all.len() {
        slices.push(slice(cut, all.len())?);
    }
    Ok(Input::from(slices))
}

/// A mask, cut somewhere, or nowhere. Bits have no stride.
trait Mask: Flag {
    fn of(
        context: &Context,
        flags: &[bool],
        cut: usize,
        stride: usize,
    ) -> Result<(Input<Self>, Vec<Self>), Error>;
}

impl Mask for u32 {
    fn of(
        context: &Context,
        flags: &[bool],
        cut: usize,
        stride: usize,
    ) -> Result<(Input<Self>, Vec<Self>), Error> {
        mask_of(context, flags, cut, stride)
    }
}

impl Mask for Bool {
    fn of(
        context: &Context,
        flags: &[bool],
        cut: usize,
        stride: usize,
    ) -> Result<(Input<Self>, Vec<Self>), Error> {
        mask_of(context, flags, cut, stride)
    }
}

fn mask_of<M: Flag>(
    context: &Context,
    flags: &[bool],
    cut: usize,
    stride: usize,
) -> Result<(Input<M>, Vec<M>), Error> {
    let all = items(flags.iter().map(|&flag| if flag { 0x8101_0141 } else { 0 }));
    Ok((slices_of(context, &all, cut, stride)?, all))
}

/// From the mask's 5th bit on, so that slices begin within words.
impl Mask for Bits {
    fn of(
        context: &Context,
        flags: &[bool],
        cut: usize,
        _: usize,
    ) -> Result<(Input<Self>, Vec<Self>), Error> {
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
        let (begin, rest) = (5 + cut as u64, (flags.len() - cut) as u64);
        let mut slices = vec![GpuSlice::bits(&buffer, 5, cut as u64)?];
        if rest > 0 {
            slices.push(GpuSlice::bits(&buffer, begin, rest)?);
        }
        Ok((Input::from(slices), words(flags).into_iter().map(Bits).collect()))
    }
}

/// What the device finds, and the CPU.
async fn answer<T: Element, M: Mask>(
    run: &mut Run,
    context: &Context,
    kind: Kind,
    way: Way,
) -> Result<Option<Answer>, Error> {
    let mut words: Vec<u32> = (0..13_001).map(|i| mix(mix(i) % 5 + i / 40)).collect();
    // Runs go over the beginning of the second launch, and begin not with each of the first elements.
    (words[1], words[CUTS[0]]) = (words[0], words[CUTS[0] - 1]);
    let all: Vec<T> = items(words.iter().copied());
    let flags: Vec<bool> =
        (0..13_001).map(|i| mix(i + 7).is_multiple_of(3) || i / 3000 == 1).collect();
    let input = slices_of(context, &all, way.cut(CUTS[0]), if M::BYTES == 1 { 3 } else { 1 })?;
    // Through subgroups bytes of flags that follow one another are loaded in another way.
    let mask_stride = if kind == Kind::Select && M::BYTES == 1 { 1 } else { 2 };
    let (mask, mask_items) = M::of(context, &flags, way.cut(CUTS[1]), mask_stride)?;
    let item_bytes = match kind {
        Kind::Positions => 8,
        _ => T::TYPE.size_bytes(),
    };
    let outputs = Outputs::new(context, item_bytes, way.is_single())?;
    // Each kind is asked for numbers of either size.
    let is_short = M::BYTES == 1 || T::TYPE.size_bytes() == 2;
    let numbers = |numbers: &[u64]| match is_short {
        true => numbers.iter().map(|&number| u32::try_from(number).expect("few")).collect(),
        false => words_of(numbers),
    };
    let compaction = match kind {
        Kind::Select => Compaction::select::<T, M>(input, mask, outputs.values()?),
        Kind::Partition => Compaction::partition::<T, M>(input, mask, outputs.values()?),
        Kind::Positions if is_short => {
            Compaction::positions::<M, u32>(mask, Outputs::numbers(&outputs.output)?)
        }
        Kind::Positions => {
            Compaction::positions::<M, u64>(mask, Outputs::numbers(&outputs.output)?)
        }
        Kind::Unique => Compaction::unique::<T>(input, outputs.values()?),
        Kind::RunLengths if is_short => {
            let lengths = Outputs::numbers(&outputs.lengths)?;
            Compaction::run_lengths::<T, u32>(input, outputs.values()?, lengths)
        }
        Kind::RunLengths => {
            let lengths = Outputs::numbers(&outputs.lengths)?;
            Compaction::run_lengths::<T, u64>(input, outputs.values()?, lengths)
        }
        Kind::RunBegins if is_short => {
            let begins = Outputs::numbers(&outputs.lengths)?;
            Compaction::run_begins::<T, u32>(input, outputs.values()?, begins)
        }
        Kind::RunBegins => {
            let begins = Outputs::numbers(&outputs.lengths)?;
            Compaction::run_begins::<T, u64>(input, outputs.values()?, begins)
        }
    };
    let (selected, lengths, count) = match kind {
        Kind::Select => {
            let selected = cpu::select(&all, &mask_items)?;
            (words_of(&selected), Vec::new(), selected.len() as u64)
        }
        Kind::Positions => {
            let found = cpu::positions(&mask_items)?;
            (numbers(&found), Vec::new(), found.len() as u64)
        }
        Kind::Partition => {
            let (parted, count) = cpu::partition(&all, &mask_items)?;
            (words_of(&parted), Vec::new(), count)
        }
        Kind::Unique => {
            let unique = cpu::unique(&all)?;
            (words_of(&unique), Vec::new(), unique.len() as u64)
        }
        Kind::RunLengths => {
            let (values, lengths) = cpu::run_lengths(&all)?;
            (words_of(&values), numbers(&lengths), values.len() as u64)
        }
        Kind::RunBegins => {
            let (values, begins) = cpu::run_begins(&all)?;
            (words_of(&values), numbers(&begins), values.len() as u64)
        }
    };
    found(run, context, way, &compaction, &outputs, Wanted { count, selected, lengths }).await
}

/// True of zeros and the smallest subnormals, whose halves are 0. A device that flushes subnormals is not right for others. What is behind the elements
/// is zero on many devices.
const PREDICATE: &str = "x * 0.5 == 0.0 || i % 3u == 1u";

/// The same by a predicate.
async fn answer_if(
    run: &mut Run,
    context: &Context,
    kind: Kind,
    way: Way,
) -> Result<Option<Answer>, Error> {
    let of = |i: u32| match mix(i) % 5 {
        0 => f32::MIN_POSITIVE.to_bits(),
        1 => (i & 1) << 31,
        2 => mix(i + 5) & 1 << 31 | 1,
        _ => mix(i + 9),
    };
    let words: Vec<u32> = (0..13_001).map(of).collect();
    let is_true = |i: usize| words[i] & !(1 << 31) <= 1 || i % 3 == 1;
    let all: Vec<f32> = words.iter().copied().map(f32::from_bits).collect();
    let input =
        slices_of(context, &all, way.cut(CUTS[0]), if kind == Kind::Partition { 3 } else { 1 })?;
    let predicate = Predicate::<f32>::new(PREDICATE)?;
    let places = |flag: bool| (0..LEN).filter(move |&i| is_true(i) == flag);
    let of_places = |places: &mut dyn Iterator<Item = usize>| places.map(|i| words[i]).collect();
    let count = places(true).count() as u64;
    let (outputs, compaction, selected) = match kind {
        Kind::Positions => {
            let outputs = Outputs::new(context, 8, way.is_single())?;
            let to = Outputs::numbers::<u64>(&outputs.output)?;
            let positions: Vec<u64> = places(true).map(|i| i as u64).collect();
            (outputs, Compaction::positions_if(input, &predicate, to)?, words_of(&positions))
        }
        Kind::Partition => {
            let outputs = Outputs::new(context, 4, way.is_single())?;
            let to = outputs.values()?;
            let parted = of_places(&mut places(true).chain(places(false)));
            (outputs, Compaction::partition_if(input, &predicate, to)?, parted)
        }
        _ => {
            let outputs = Outputs::new(context, 4, way.is_single())?;
            let to = outputs.values()?;
            let selected = of_places(&mut places(true));
            (outputs, Compaction::select_if(input, &predicate, to)?, selected)
        }
    };
    let wanted = Wanted { count, selected, lengths: Vec::new() };
    found(run, context, way, &compaction, &outputs, wanted).await
}

/// What should be there.
struct Wanted {
    count: u64,
    selected: Vec<u32>,
    lengths: Vec<u32>,
}

/// Runs it, if it is asked.
async fn found(
    run: &mut Run,
    context: &Context,
    way: Way,
    compaction: &Compaction,
    outputs: &Outputs,
    wanted: Wanted,
) -> Result<Option<Answer>, Error> {
    let count_slice = GpuSlice::<u64>::new(&outputs.count, 8, 1)?;
    let compactor = Compactor::new(context).variant(way.variant).policy(POLICY);
    let compactor = compactor.strategy(way.strategy);
    let plan = compactor.plan(compaction, &count_slice)?;
    // On devices that bind few buffers some go in two passes, which were asked.
    if plan.strategy != way.strategy {
        return Ok(None);
    }
    let pipelines: Vec<_> = plan.pipelines().collect();
    if !run.is_wanted(&pipelines) {
        return Ok(None);
    }
    let mut encoder = context.create_encoder(LABEL)?;
    compactor.record(&mut encoder, compaction, &count_slice)?;
    let sizes = outputs.sizes;
    let part = |buffer, offset_bytes, size_bytes| Source { buffer, offset_bytes, size_bytes };
    let sources = [
        part(&outputs.count, 8, 8),
        part(&outputs.output, 0, sizes[0]),
        part(&outputs.lengths, 0, sizes[1]),
    ];
    let staging = Staging::allocate(context, 8 + sizes[0] + sizes[1])?;
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &sources, bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    let mut expected = words_of(&[wanted.count]);
    for (words, size_bytes) in [(wanted.selected, sizes[0]), (wanted.lengths, sizes[1])] {
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

/// Behind items of less than a word there are zeros.
fn words_of<T: Element>(items: &[T]) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(items)
}
