//! What is asked of segments: between offsets and along axes, of lengths, by begins and in groups, of elements at odd words, and of values that the
//! device is not right for.

use super::{
    doubles,
    material::{mix, ordinary},
    questions::{Question, Subject},
    run::Run,
    slot::LABEL,
    subjects::{
        F16_SUM, F64_MEAN, F64_SUM, I32_MIN, MEAN, NORM, SAMPLE_VARIANCE, SUM, SUM_OF_SQUARES,
        U8_SUM, U64_SUM, VARIANCE,
    },
    tally::Claim,
};
use crate::{
    algebra::{operator::OperatorSpec, precision::Precision},
    axes::Grid,
    cpu::{self, table},
    device::{
        buffer::{self, AnySlice, GpuSlice},
        readback::{Readback, Source, Staging},
    },
    dispatch::plan::Plan,
    error::{Error, PrepareError},
    reduce::counted::CountSlice,
    segments::{any_segmented::AnySegmentedReducer, layout::Segments},
    way::Strategy,
    wgsl::shader::{Constants, ShaderKey},
};

/// The bytes of what nothing has written.
const FILLER: u8 = 0x5a;

/// Where segments are.
#[derive(Clone, Copy, Debug)]
enum Places<'a> {
    Offsets(&'a [u32]),
    WideOffsets(&'a [u64]),
    /// As many of these as the number says.
    Begins(&'a [u64], u32),
    Lengths(&'a [u32]),
    Groups(&'a [u32], u32),
    /// Along the middle one of three axes.
    Middle([u64; 3]),
    /// Along some axes of a shape, which others lie between.
    Apart(&'a [u64], &'a [usize]),
}

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    run.flush().await;
    let integers: Vec<u32> = (0..12_000).map(mix).collect();
    let floats: Vec<u32> = integers.iter().map(|&bits| ordinary(bits)).collect();
    let mut hostile = floats.clone();
    // Subnormal numbers, in chunks of each level and in none, and two that overflow together.
    for place in [30, 500, 900, 5000, 9990] {
        hostile[place] = 3;
        hostile[place + 1] = 0x8000_0005;
    }
    hostile[7000] = 0x7f7f_ffff;
    hostile[7001] = 0x7f7f_ffff;
    // Whole chunks of subnormal numbers.
    let mut tiny = hostile.clone();
    for bits in &mut tiny[700..1600] {
        *bits &= 0x807f_ffff;
    }
    // Short ones, empty ones, two long ones, and elements of none around them.
    let mut offsets = vec![5];
    let lens = (0..70).chain([0, 0, 4500, 1, 16, 255, 0, 1021]).chain((0..40).map(|i| mix(i) % 24));
    for len in lens {
        offsets.push(offsets[offsets.len() - 1] + len);
    }
    let between = Places::Offsets(&offsets);
    let middle = Places::Middle([3, 300, 5]);
    // With columns of whole chunks of chunks, and others.
    for places in [
        between,
        middle,
        Places::Middle([40, 70, 1]),
        Places::Middle([1, 7, 600]),
        Places::Middle([3, 512, 7]),
        Places::Middle([2, 256, 23]),
    ] {
        ask(run, SUM, &floats, 0, places).await;
        ask(run, SUM, &hostile, 3, places).await;
    }
    // Rows of whole chunks of chunks, which begin with vectors, and which do not.
    let rows = Places::Middle([9, 768, 1]);
    for from in [0, 3] {
        ask(run, SUM, &floats, from, rows).await;
        ask(run, SUM, &tiny, from, rows).await;
    }
    ask(run, SUM_OF_SQUARES, &tiny, 0, rows).await;
    for from in 0..4 {
        ask(run, U64_SUM, &integers, from, Places::Offsets(&offsets[..70])).await;
    }
    ask(run, U64_SUM, &integers, 1, middle).await;
    ask(run, U64_SUM, &integers, 1, Places::Middle([7, 768, 1])).await;
    let far = 7 << 32;
    let wide: Vec<u64> =
        offsets.iter().map(|&offset| offset.into()).chain([far, far + 3]).collect();
    ask(run, SUM, &hostile, 0, Places::WideOffsets(&wide)).await;
    // Some of them, all of them, and none.
    let begins = &wide[40..110];
    for count in [60, 90, 0] {
        ask(run, SUM, &floats, 0, Places::Begins(begins, count)).await;
    }
    // Each workgroup makes several results, and the last workgroup fewer.
    let many: Vec<u64> = (0..700).map(|i| 13 * i).collect();
    ask(run, SUM, &floats, 0, Places::Begins(&many, 401)).await;
    let lengths: Vec<u32> = offsets.windows(2).map(|pair| pair[1] - pair[0]).collect();
    ask(run, SUM, &floats, 0, Places::Lengths(&lengths)).await;
    // Some of no group. Some groups have none, and one has most.
    let of_number = |bits: u32| if bits.is_multiple_of(3) { 17 } else { (bits >> 8) % 70 };
    let numbers: Vec<u32> = (0..12_000).map(|i| of_number(mix(i + 5))).collect();
    ask(run, SUM, &floats, 1, Places::Groups(&numbers, 67)).await;
    ask(run, SUM, &hostile, 0, Places::Groups(&numbers, 4096)).await;
    // In one pass.
    let groups = Places::Groups(&numbers, 67);
    ask(run, U64_SUM, &integers, 1, Places::Groups(&numbers[..6000], 67)).await;
    ask(run, I32_MIN, &integers, 0, groups).await;
    along_axes(run, &floats, &hostile, &integers).await;
    // In several slices, which end within chunks, and in front of some that are in none.
    let from = First { word: 1, gap_words: 0, cuts: &[960, 3007, 5001, 5003] };
    for places in [between, Places::Begins(begins, 60)] {
        ask_of(run, SUM, &hostile, from, places, Precision::Reproducible).await;
    }
    ask(run, SUM_OF_SQUARES, &hostile, 0, between).await;
    ask(run, VARIANCE, &hostile, 0, between).await;
    ask(run, VARIANCE, &floats, 1, middle).await;
    // Rounded once. Of all exponents, and of subnormal numbers.
    let far = |&bits: &u32| match bits & 0x7f80_0000 {
        0x7f80_0000 => bits ^ 0x4000_0000,
        _ => bits,
    };
    let mut all: Vec<u32> = integers.iter().map(far).collect();
    // What one adds the next one takes away, but for a subnormal number between them.
    for place in (0..6000).step_by(3) {
        all[place + 1] = 1 + all[place] % 3;
        all[place + 2] = all[place] ^ 0x8000_0000;
    }
    for (place, special) in [(700, 0x7f80_0000), (1501, 0xff80_0000), (5003, 0x7fc0_0001)] {
        all[place] = special;
    }
    for places in [between, middle] {
        ask_by(run, SUM, &all, 1, places, Precision::Exact).await;
        ask_by(run, SUM, &hostile, 0, places, Precision::Exact).await;
        ask_by(run, MEAN, &all, 0, places, Precision::Exact).await;
    }
    let rows = Places::Middle([9, 768, 1]);
    ask_by(run, SUM, &hostile, 0, rows, Precision::Exact).await;
    // Some words apart, by each kernel that loads elements.
    for precision in [Precision::Reproducible, Precision::Exact] {
        let from = First { word: 1, gap_words: 2, cuts: &[] };
        for places in [middle, between] {
            ask_of(run, SUM, &hostile[..5000], from, places, precision).await;
        }
    }
    let from = First { word: 3, gap_words: 4, cuts: &[] };
    let few = Places::Groups(&numbers[..4000], 67);
    ask_of(run, I32_MIN, &integers[..4000], from, few, Precision::Reproducible).await;
    ask_of(run, U8_SUM, &integers[..1000], from, few, Precision::Reproducible).await;
    for places in [middle, between] {
        ask_of(run, U8_SUM, &integers[..1200], from, places, Precision::Reproducible).await;
        ask_of(run, F16_SUM, &integers[..2400], from, places, Precision::Exact).await;
    }
    let stairs = stairs(&integers);
    for places in [between, middle] {
        let exact = Precision::Exact;
        ask_by(run, SUM_OF_SQUARES, &stairs, 1, places, exact).await;
        ask_by(run, NORM, &all, 0, places, exact).await;
        ask_by(run, VARIANCE, &stairs, 0, places, exact).await;
        ask_by(run, SAMPLE_VARIANCE, &hostile, 0, places, exact).await;
    }
    ask_by(run, SUM_OF_SQUARES, &stairs, 0, rows, Precision::Exact).await;
    exact_doubles(run, &integers, &offsets, &numbers).await;
}

/// Exact sums and means of f64s, whose sums have limbs of their own: of all exponents, which mostly cancel; of similar ones, with zeros; of subnormal ones.
async fn exact_doubles(run: &mut Run, integers: &[u32], offsets: &[u32], numbers: &[u32]) {
    let of = |make: &dyn Fn(u32, u64) -> u64| -> Vec<u32> {
        let pairs = (0..).zip(integers.chunks_exact(2));
        let bits = pairs.map(|(i, pair)| make(i, u64::from(pair[1]) << 32 | u64::from(pair[0])));
        doubles::words(&bits.collect::<Vec<_>>())
    };
    let sign = 1u64 << 63;
    let infinity = 0x7ff0_0000_0000_0000;
    let fraction = sign | 0x000f_ffff_ffff_ffff;
    let pair = |i: u32| &integers[2 * (i / 2 * 2) as usize..][..2];
    let far = of(&|i, bits| match i {
        901 | 2502 => infinity | (bits & sign),
        4003 => infinity | (bits >> 20) | 1,
        _ => {
            let first = u64::from(pair(i)[1] & 0xbfff_ffff) << 32 | u64::from(pair(i)[0]);
            if i % 2 == 0 { first } else { first ^ sign ^ (bits >> 62) }
        }
    });
    let near = of(&|i, bits| match bits % 9 {
        0 => bits & sign,
        _ => (bits & fraction) | u64::from(1000 + i % 23) << 52,
    });
    let tiny = of(&|_, bits| bits & (fraction | 1 << 52));
    let exact = Precision::Exact;
    let between = Places::Offsets(&offsets[..100]);
    let rows = Places::Middle([7, 768, 1]);
    let apart = Places::Apart(&[6, 9, 4, 3, 8], &[1, 3]);
    for (words, from) in [(&far, 0), (&near, 1), (&tiny, 2)] {
        for places in [between, Places::Middle([3, 300, 5]), rows, apart] {
            ask_by(run, F64_SUM, words, from, places, exact).await;
        }
        ask_by(run, F64_MEAN, words, from, between, exact).await;
    }
    // There are more segments than a workgroup has lanes.
    let short = Places::Middle([600, 3, 1]);
    ask_by(run, F64_SUM, &near, 1, short, exact).await;
    // As many as there are elements of each; some words apart.
    ask_by(run, F64_SUM, &far, 0, Places::Groups(&numbers[..6000], 67), exact).await;
    let from = First { word: 2, gap_words: 2, cuts: &[] };
    ask_of(run, F64_SUM, &near, from, Places::Middle([3, 300, 5]), exact).await;
    // Powers of two, of both signs, that have a limb of their own above those of the elements, or are nothing but a sign above zeros. And a tie that a number
    // far below it breaks.
    for field in [32u32, 992, 1983] {
        let power = [0, field << 20];
        let less = [0, 0x8000_0000 | power[1]].repeat(8192 + 16 + 1);
        let tie = doubles::words(&[1023u64 << 52, 970 << 52, u64::from(field & 511) << 52]);
        let elements = [less, power.repeat(8192), tie].concat();
        let lens = Places::Lengths(&[8192, 16, 1, 8192, 3]);
        ask_by(run, F64_SUM, &elements, 0, lens, exact).await;
    }
    // The first chunk's limbs are below the next chunks', which cancel.
    let chunks = |chunk: usize| {
        let of = |bits: u64| vec![bits; chunk];
        [of(53 << 52), of(1900 << 52), of(1900 << 52 | sign)].concat()
    };
    let elements = doubles::words(&[chunks(4096), chunks(16)].concat());
    let lens = Places::Lengths(&[3 * 4096, 3 * 16]);
    ask_by(run, F64_SUM, &elements, 0, lens, exact).await;
}

/// Runs that chunks lie in, that end within chunks, and that are shorter. Of whole chunks of chunks, and of none. With one axis that remains, with
/// several, and with one of these behind all others.
async fn along_axes(run: &mut Run, floats: &[u32], hostile: &[u32], integers: &[u32]) {
    for (shape, axes) in [
        (&[20, 23, 24][..], &[2, 0][..]),
        (&[32, 3, 64], &[0, 2]),
        (&[5, 3, 6, 2, 7], &[0, 2, 4]),
        (&[6, 9, 4, 3, 8], &[1, 3]),
        (&[5, 3, 2, 4, 2, 3, 2], &[0, 2, 4, 6]),
    ] {
        ask(run, SUM, floats, 1, Places::Apart(shape, axes)).await;
        ask(run, SUM, hostile, 0, Places::Apart(shape, axes)).await;
    }
    let apart = Places::Apart(&[6, 9, 4, 3, 8], &[1, 3]);
    ask(run, U64_SUM, integers, 1, apart).await;
    ask(run, U64_SUM, integers, 0, Places::Apart(&[5, 4, 3, 2, 40], &[0, 2, 4])).await;
    ask_by(run, SUM, hostile, 0, apart, Precision::Exact).await;
    let with_vectors = Places::Apart(&[32, 3, 64], &[0, 2]);
    ask_by(run, SUM, hostile, 0, with_vectors, Precision::Exact).await;
}

/// Fifteen of nearly the same size, then others: so sums of them, and of their squares, reach each of an accumulator's limbs, and carry to each. Some
/// are powers of two, and some are not finite.
fn stairs(integers: &[u32]) -> Vec<u32> {
    let of = |(i, &bits): (u32, &u32)| {
        let exponent = 20 + 24 * (i / 15 % 7) + (mix(bits) & 15);
        let kept = if i % 7 == 3 { 0x8000_0000 } else { 0x807f_ffff };
        (bits & kept) | (exponent << 23)
    };
    let mut all: Vec<u32> = (0..).zip(integers).map(of).collect();
    for (place, special) in [(733, 0x7f80_0000), (1530, 0xff80_0000), (5030, 0x7fc0_0001)] {
        all[place] = special;
    }
    all
}

async fn ask(run: &mut Run, subject: Subject, words: &[u32], from: usize, places: Places<'_>) {
    ask_by(run, subject, words, from, places, Precision::Reproducible).await;
}

async fn ask_by(
    run: &mut Run,
    subject: Subject,
    words: &[u32],
    from: usize,
    places: Places<'_>,
    precision: Precision,
) {
    let from = First { word: from, gap_words: 0, cuts: &[] };
    ask_of(run, subject, words, from, places, precision).await;
}

/// The word that elements begin at, what lies between them, and where slices meet.
#[derive(Clone, Copy)]
struct First {
    word: usize,
    gap_words: usize,
    /// Elements that one slice ends at, and another begins; in rising order.
    cuts: &'static [u64],
}

async fn ask_of(
    run: &mut Run,
    subject: Subject,
    words: &[u32],
    from: First,
    places: Places<'_>,
    precision: Precision,
) {
    if run.is_over() {
        return;
    }
    let First { word, gap_words, cuts } = from;
    let bytes = 4 * (word + (1 + gap_words) * words.len()).next_multiple_of(4) as u64;
    if bytes > run.capabilities().max_buffer_bytes {
        run.tally.left_out += 1;
        return;
    }
    let question =
        Question { strategy: Strategy::TwoPass, precision, ..Question::as_usual(subject) };
    let what = match places {
        Places::Offsets(offsets) => format!("{} offsets", offsets.len()),
        Places::WideOffsets(offsets) => format!("{} offsets of 64 bits", offsets.len()),
        Places::Begins(begins, count) => format!("{count} of {} begins", begins.len()),
        Places::Lengths(lengths) => format!("{} lengths", lengths.len()),
        Places::Groups(numbers, groups) => format!("{groups} groups of {}", numbers.len()),
        Places::Middle(_) | Places::Apart(..) => format!("{places:?}"),
    };
    let apart = if gap_words == 0 { "" } else { ", strided" };
    let slices = if cuts.is_empty() { String::new() } else { format!(", cut at {cuts:?}") };
    let input = format!("segments by {what}, from word {word}{apart}{slices}");
    match answer(run, subject.spec(), words, from, places, precision).await {
        Ok(None) => {}
        Ok(Some((plan, found, expected))) => {
            let claim = Claim {
                plan: plan.to_string(),
                pipelines: pipelines(&plan, places),
                expected,
                ..Claim::without_plan(question, input)
            };
            run.tally.compare(claim, Ok(found));
        }
        // Totals of exact sums take more than the elements do.
        Err(Error::Prepare(PrepareError::BindingTooSmall { .. })) => run.tally.left_out += 1,
        Err(error) => run.failed([Claim::without_plan(question, input)], &error),
    }
}

fn pipelines(plan: &Plan, places: Places<'_>) -> Vec<(ShaderKey, Constants)> {
    let counted = matches!(places, Places::Begins(..));
    let counted = counted.then_some((CountSlice::shader(), Constants::None));
    counted.into_iter().chain(plan.pipelines()).collect()
}

/// The plan, the results' words, and the CPU's. `None` where they are not asked for.
async fn answer(
    run: &mut Run,
    spec: &'static OperatorSpec,
    words: &[u32],
    First { word: from, gap_words, cuts }: First,
    places: Places<'_>,
    precision: Precision,
) -> Result<Option<(Plan, Vec<u32>, Vec<u32>)>, Error> {
    let context = run.options.context.clone();
    let usage = wgpu::BufferUsages::STORAGE;
    let item_bytes = spec.element.size_bytes();
    let item_len = usize::try_from(item_bytes).expect("a few");
    let bytes: &[u8] = bytemuck::cast_slice(words);
    let len = bytes.len() / item_len;
    let filled = |bytes: &[u8]| {
        let size_bytes = bytes.len().next_multiple_of(16) as u64;
        buffer::create_filled(context.device(), LABEL, size_bytes, usage, bytes)
    };
    let mut content = vec![0; 4 * from];
    for element in bytes.chunks(item_len) {
        content.extend_from_slice(element);
        content.extend(0x7f80_0000u32.to_ne_bytes().repeat(gap_words));
    }
    let (stride_bytes, first_byte) = (item_bytes + 4 * gap_words as u64, 4 * from as u64);
    let content = filled(&content)?;
    let whole = AnySlice::placed(&content, item_bytes, first_byte, len as u64, Some(stride_bytes))?;
    let slice = |words: &[u32]| -> Result<_, Error> {
        let numbers = filled(bytemuck::cast_slice(words))?;
        Ok(GpuSlice::<u32>::new(&numbers, 0, words.len() as u64)?)
    };
    let wide_slice = |numbers: &[u64]| -> Result<_, Error> {
        let content = filled(bytemuck::cast_slice(numbers))?;
        Ok(GpuSlice::<u64>::new(&content, 0, numbers.len() as u64)?)
    };
    let between = |begin: u64, end: u64| {
        let [begin, end] =
            [begin, end].map(|place| usize::try_from(place).unwrap_or(usize::MAX).min(len));
        (begin..end).collect()
    };
    // The places of each segment's elements.
    let (segments, input, own): (_, _, Vec<Vec<usize>>) = match places {
        Places::Offsets(offsets) => {
            let own = offsets.windows(2).map(|pair| between(pair[0].into(), pair[1].into()));
            (Segments::offsets(&slice(offsets)?), whole, own.collect())
        }
        Places::WideOffsets(offsets) => {
            let own = offsets.windows(2).map(|pair| between(pair[0], pair[1]));
            (Segments::offsets(&wide_slice(offsets)?), whole, own.collect())
        }
        Places::Begins(begins, count) => {
            let begins_slice = wide_slice(begins)?;
            let begins = &begins[..begins.len().min(count as usize)];
            let ends = begins.iter().skip(1).copied().chain([len as u64]);
            let own = begins.iter().zip(ends).map(|(&begin, end)| between(begin, end));
            (Segments::begins(&begins_slice, &slice(&[count])?), whole, own.collect())
        }
        Places::Lengths(lengths) => {
            let own = lengths.iter().scan(0, |end, &length| {
                let begin = *end;
                *end += u64::from(length);
                Some(between(begin, *end))
            });
            (Segments::lengths(&slice(lengths)?), whole, own.collect())
        }
        Places::Groups(numbers, groups) => {
            let mut own = vec![Vec::new(); groups as usize];
            for (&number, element) in numbers.iter().zip(0..len) {
                if let Some(group) = own.get_mut(number as usize) {
                    group.push(element);
                }
            }
            (Segments::groups(&slice(numbers)?, groups), whole, own)
        }
        Places::Apart(shape, axes) => {
            let count: u64 = shape.iter().product();
            let along: u64 = axes.iter().map(|&axis| shape[axis]).product();
            let mut own = vec![Vec::new(); usize::try_from(count / along).expect("small")];
            for (number, element) in (0..count).zip(0..len) {
                let (mut rest, mut segment, mut segments) = (number, 0, 1);
                for (axis, &size) in shape.iter().enumerate().rev() {
                    if !axes.contains(&axis) {
                        segment += segments * (rest % size);
                        segments *= size;
                    }
                    rest /= size;
                }
                own[usize::try_from(segment).expect("small")].push(element);
            }
            (Segments::axes(shape, axes), whole.slice(0..count)?, own)
        }
        Places::Middle(shape) => {
            let count = shape.iter().product();
            let Grid { groups, items, step } =
                Grid::of_axis(count, &shape, 1).map_err(PrepareError::from)?;
            let column = |group: u64, first: u64| {
                let at = |item: u64| (group * items + item) * step + first;
                (0..items).map(|item| usize::try_from(at(item)).expect("small")).collect()
            };
            let groups = (0..groups).flat_map(|group| (0..step).map(move |first| (group, first)));
            let own = groups.map(|(group, first)| column(group, first)).collect();
            (Segments::axis(&shape, 1), whole.slice(0..count)?, own)
        }
    };
    let count = match places {
        Places::Begins(begins, _) => begins.len(),
        _ => own.len(),
    };
    let result_bytes = 4 * u64::from(spec.out_words);
    let out_bytes = count as u64 * result_bytes;
    let size_bytes = (4 + out_bytes).next_multiple_of(16);
    let usage = usage | wgpu::BufferUsages::COPY_SRC;
    // Those of no segment stay as they are.
    let filler = vec![FILLER; usize::try_from(size_bytes).expect("small")];
    let output = buffer::create_filled(context.device(), LABEL, size_bytes, usage, &filler)
        .map_err(PrepareError::from)?;
    let results = AnySlice::new(&output, result_bytes, 4, count as u64)?;
    let reducer = AnySegmentedReducer::new(&context, *spec).precision(precision);
    let ends = cuts.iter().copied().chain([input.len()]);
    let slices = [0].into_iter().chain(cuts.iter().copied()).zip(ends);
    let input: Vec<_> =
        slices.map(|(begin, end)| input.slice(begin..end)).collect::<Result<_, _>>()?;
    let plan = Plan::from(reducer.validate(&input, &segments, &results)?.plan);
    if !run.is_wanted(&pipelines(&plan, places)) {
        return Ok(None);
    }
    let mut encoder = context.create_encoder(LABEL)?;
    reducer.record(&mut encoder, &input, &segments, &results)?;
    let staging = Staging::allocate(&context, out_bytes)?;
    let source = Source { buffer: &output, offset_bytes: 4, size_bytes: out_bytes };
    let readback: Readback<Vec<u32>> =
        staging.record(&context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    let found = readback.await?;
    let fold = table::find(spec.operator, spec.element).expect("it is defined");
    let mut expected = Vec::new();
    for own in own {
        let elements = own.iter().flat_map(|&place| &bytes[place * item_len..][..item_len]);
        let elements: Vec<u8> = elements.copied().collect();
        // As aligned as any element.
        let mut aligned = vec![0u64; elements.len().div_ceil(8)];
        let bytes = &mut bytemuck::cast_slice_mut(&mut aligned)[..elements.len()];
        bytes.copy_from_slice(&elements);
        let mut out = vec![0; spec.out_words as usize];
        cpu::reduce_inputs(fold, precision, &[[&*bytes, &[]]], &mut out)?;
        expected.extend(out);
    }
    expected.resize(found.len(), u32::from_ne_bytes([FILLER; 4]));
    Ok(Some((plan, found, expected)))
}
