//! Many short inputs in a batch, which become segments: the same bits as one by one, and other dispatches.

use crate::{
    BOTH, Case,
    device::Gpu,
    floats::{MATERIAL, in_software},
    inputs::upload,
    support::{data::mix, elements, same_bits},
};
use gridfold::{
    ArgMin, Batch, BitXor, Bool, Count, Dot, Element, Executor, GpuSlice, Max, Mean, Min, MinMax,
    Norm, Operator, Policy, Precision, PrepareError, Product, Reducer, Results, Strategy, Sum,
    Ticket, Variance, Variant,
    half::{bf16, f16},
    wgpu,
};
use std::{ops::Range, slice};

/// Reductions that become segments on any device.
const MANY: usize = 4100;
/// The same where each would have dispatches of its own.
const FEW: usize = 70;
/// Dispatches for inputs of up to 300 elements, whose results are in their places: one for chunks of chunks, one for results.
const IN_PLACE: usize = 2;
/// The same, and the one that brings results to their places.
const MOVED: usize = 3;

/// Reducers are those without options, which choose their variant: so one run sees it.
pub fn cases() -> Vec<Case> {
    let case = |name: &str, run: fn(&Gpu)| {
        Case::tier1(BOTH, format!("short inputs in a batch, {name}"), move |gpu, _| run(gpu))
            .only(Variant::WorkgroupMemory)
    };
    vec![
        case("in any order", any_order),
        case("operators and types", operators),
        case("f32 sums of anything", |gpu| {
            anything(gpu);
            anything(&in_software(gpu));
        }),
        case("exact results", exact),
        case("that stay as they are", as_ever),
        case("with others", with_others),
        case("recorded again", again),
        case("in a buffer of the caller's", in_the_callers),
        Case::tier2("short inputs in a batch, few workgroups in a dispatch", |gpu, _| {
            let small = gpu
                .with_limits(|limits| limits.max_compute_workgroups_per_dimension = 3)
                .expect("a device with a lower limit");
            small.check(any_order).expect("no errors");
        })
        .only(Variant::WorkgroupMemory),
    ]
}

/// One after another: most are of a few elements, some of none, and some of more than a chunk of a chunk.
fn adjacent(count: usize, gap: usize) -> Vec<Range<usize>> {
    let mut begin = 5;
    (0..count)
        .map(|number| {
            let random = mix(u32::try_from(number).expect("a few")) as usize;
            let len = if number % 500 == 3 { 300 } else { random % 20 };
            let part = begin..begin + len;
            begin += len + if gap > 0 { random / 32 % gap } else { 0 };
            part
        })
        .collect()
}

/// The same, each once, in another order.
fn shuffled(parts: &[Range<usize>]) -> Vec<Range<usize>> {
    (0..parts.len()).map(|number| parts[number * 1009 % parts.len()].clone()).collect()
}

fn slice_of<T: Element>(slice: &GpuSlice<T>, part: &Range<usize>) -> GpuSlice<T> {
    slice.slice(part.start as u64..part.end as u64).expect("within")
}

/// What a batch gave out, and what is expected for it.
struct Asked<T: Element, Op: Operator<T>> {
    reducer: Reducer<T, Op>,
    precision: Precision,
    slice: GpuSlice<T>,
    parts: Vec<Range<usize>>,
    tickets: Vec<Ticket<Op::Out, Op::Value>>,
}

impl<T: Element, Op: Operator<T> + Default> Asked<T, Op> {
    fn new(gpu: &Gpu, slice: &GpuSlice<T>, parts: &[Range<usize>], precision: Precision) -> Self {
        Self {
            reducer: Reducer::new(&gpu.context, Op::default()).precision(precision),
            precision,
            slice: slice.clone(),
            parts: parts.to_vec(),
            tickets: Vec::new(),
        }
    }

    fn add(&mut self, batch: &mut Batch, number: usize) {
        let part = slice_of(&self.slice, &self.parts[number]);
        self.tickets.push(batch.add(&self.reducer, part).expect("adds"));
    }

    fn add_all(&mut self, batch: &mut Batch) {
        (0..self.parts.len()).for_each(|number| self.add(batch, number));
    }

    /// Some are also reduced alone: all would take drivers in software long.
    fn check(&self, results: &Results, values: &[T]) {
        let cpu = Executor::cpu().precision(self.precision);
        for (number, (&ticket, part)) in self.tickets.iter().zip(&self.parts).enumerate() {
            let found = Op::out(results.get(ticket).expect("its own"));
            let wanted = cpu.reduce(&values[part.clone()], Op::default()).expect("reduces").value;
            let what = format!("{} of {}, {number}: {part:?}", Op::SPEC.operator, T::TYPE);
            assert!(same_bits(found, Op::out(wanted)), "{what}, on the CPU");
            if number % 199 == 3 {
                let alone = self.reducer.reduce_blocking(slice_of(&self.slice, part));
                assert!(same_bits(found, Op::out(alone.expect("reduces"))), "{what}, alone");
            }
        }
    }
}

/// Reduces parts of `slice`, which holds `values`, in so many dispatches, or in one more if results are exact: these accumulators are too large for
/// a workgroup to join chunks.
fn check<T: Element, Op: Operator<T> + Default>(
    gpu: &Gpu,
    (slice, values): (&GpuSlice<T>, &[T]),
    parts: &[Range<usize>],
    precision: Precision,
    dispatches: usize,
    op: Op,
) {
    let dispatches = dispatches + usize::from(precision == Precision::Exact);
    let mut asked = Asked::<T, Op>::new(gpu, slice, parts, precision);
    let batch = || Batch::new(&gpu.context);
    let mut prepared = batch();
    asked.add_all(&mut prepared);
    let prepared = prepared.prepare().expect("prepares");
    assert_eq!(prepared.dispatches(), dispatches, "{} of {}", op.spec().operator, T::TYPE);
    let mut encoder = gpu.encoder();
    let readback = prepared.record_readback(&mut encoder).expect("records");
    gpu.submit(encoder);
    asked.check(&readback.wait_blocking().expect("reads"), values);
    // And where the results go straight to the host.
    asked.tickets.clear();
    let mut submitted = batch();
    asked.add_all(&mut submitted);
    asked.check(&submitted.reduce_blocking().expect("reduces"), values);
}

fn any_order(gpu: &Gpu) {
    let values = elements::<f32>(90_000);
    let slice = upload(gpu, &values);
    let input = (&slice, &values[..]);
    let keeps = Precision::Reproducible;
    let parts = adjacent(MANY, 0);
    check::<f32, _>(gpu, input, &parts, keeps, IN_PLACE, Sum);
    check::<f32, _>(gpu, input, &shuffled(&parts), keeps, MOVED, Sum);
    let reversed: Vec<_> = parts.iter().rev().cloned().collect();
    check::<f32, _>(gpu, input, &reversed, keeps, MOVED, Sum);
    let apart = adjacent(MANY, 5);
    assert!(apart.last().expect("there are many").end < values.len());
    check::<f32, _>(gpu, input, &apart, keeps, MOVED, Sum);
    check::<f32, _>(gpu, input, &shuffled(&apart), keeps, MOVED, Sum);
    // Long gaps: of a few elements each, but one is longer than any input.
    let mut rows: Vec<_> = (0..MANY).map(|row| 11 * row..11 * row + 2).collect();
    rows[MANY - 1] = values.len() - 300..values.len();
    check::<f32, _>(gpu, input, &rows, keeps, MOVED, Sum);
    // Nothing, wherever it is.
    let mut empty = parts.clone();
    empty.extend([0..0, 3..3, 90_000..90_000, parts[3].start + 7..parts[3].start + 7]);
    check::<f32, _>(gpu, input, &empty, keeps, MOVED, Sum);
    let mut only = vec![17..17; MANY];
    only.push(20..320);
    check::<f32, _>(gpu, input, &only, keeps, MOVED, Min);
    // Shorter than a chunk: a dispatch.
    let short: Vec<_> = (0..MANY).map(|row| 4 * row..4 * row + 4).collect();
    check::<f32, _>(gpu, input, &short, keeps, 1, Sum);
}

fn operators(gpu: &Gpu) {
    let words = elements::<u32>(60_000);
    let slice = upload(gpu, &words);
    let (buffer, bytes): (_, &[u8]) = (slice.buffer(), bytemuck::cast_slice(&words));
    /// Elements that begin at an odd word, or at an odd one of themselves.
    fn of<T: Element>(buffer: &wgpu::Buffer, bytes: &[u8]) -> (GpuSlice<T>, Vec<T>) {
        let begin = size_of::<T>().min(4);
        let len = (bytes.len() - begin) / size_of::<T>();
        let values = bytemuck::pod_collect_to_vec(&bytes[begin..begin + len * size_of::<T>()]);
        (GpuSlice::new(buffer, begin as u64, len as u64).expect("within"), values)
    }
    macro_rules! check {
        ($($element:ty: $($operator:ident)+;)+) => {$(
            let (slice, values) = of::<$element>(buffer, bytes);
            // There are fewer elements of two words: the other inputs are empty.
            let (count, dispatches) = if size_of::<$element>() > 4 { (2600, MOVED) } else { (MANY, IN_PLACE) };
            let mut parts = adjacent(count, 0);
            parts.resize(MANY, 0..0);
            let keeps = Precision::Reproducible;
            $(check::<$element, _>(gpu, (&slice, &values), &parts, keeps, dispatches, $operator);)+
        )+};
    }
    check! {
        u32: Sum Count ArgMin;
        i32: Min MinMax Product;
        f32: ArgMin Mean Norm;
        u64: Sum ArgMin;
        f64: Sum;
        u8: Sum Max;
        i16: ArgMin;
        f16: Sum;
        bf16: Mean;
    }
    let bools: Vec<Bool> = words.iter().map(|word| Bool::from(word % 3 == 0)).collect();
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("bools"),
        size: 60_000,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(&bools));
    let slice = GpuSlice::<Bool>::whole(&buffer);
    let parts = shuffled(&adjacent(MANY, 3));
    check::<Bool, _>(gpu, (&slice, &bools), &parts, Precision::Reproducible, MOVED, Count);
}

fn anything(gpu: &Gpu) {
    let per_kind = 3500;
    let values: Vec<f32> = MATERIAL
        .iter()
        .flat_map(|(_, make)| (0..per_kind).map(|i| f32::from_bits(make(mix(i)))))
        .collect();
    let slice = upload(gpu, &values);
    let parts = adjacent(MANY, 0);
    check::<f32, _>(gpu, (&slice, &values), &parts, Precision::Reproducible, IN_PLACE, Sum);
}

fn exact(gpu: &Gpu) {
    let values = elements::<f32>(90_000);
    let slice = upload(gpu, &values);
    let input = (&slice, &values[..]);
    let parts = adjacent(FEW, 3);
    let exact = Precision::Exact;
    check::<f32, _>(gpu, input, &parts, exact, MOVED, Sum);
    check::<f32, _>(gpu, input, &shuffled(&parts), exact, MOVED, Variance);
    check::<f32, _>(gpu, input, &adjacent(FEW, 0), exact, IN_PLACE, Norm);
    let doubles = elements::<f64>(9000);
    let of_doubles = (&upload(gpu, &doubles), &doubles[..]);
    check::<f64, _>(gpu, of_doubles, &shuffled(&parts), exact, MOVED, Sum);
    check::<f64, _>(gpu, of_doubles, &adjacent(FEW, 0), exact, IN_PLACE, Mean);
    let rows = |len: usize| -> Vec<_> { (0..FEW).map(|row| len * row..len * (row + 1)).collect() };
    check::<f32, _>(gpu, input, &rows(1024), exact, IN_PLACE, Sum);
    // Longer ones have dispatches of their own.
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).precision(exact);
    let mut batch = Batch::new(&gpu.context);
    for part in rows(1025) {
        batch.add(&sum, slice_of(&slice, &part)).expect("adds");
    }
    assert!(batch.prepare().expect("prepares").dispatches() >= FEW);
}

/// Dispatches of a batch of sums with a reducer that has an option, and so is no segments'.
fn dispatches_as_ever(gpu: &Gpu, slice: &GpuSlice<f32>, parts: &[Range<usize>]) -> usize {
    let mut batch = Batch::new(&gpu.context);
    let sum = Reducer::<f32, _>::new(&gpu.context, Sum).strategy(Strategy::TwoPass);
    for part in parts {
        batch.add(&sum, slice_of(slice, part)).expect("adds");
    }
    batch.prepare().expect("prepares").dispatches()
}

/// What overlaps, is far apart, or is of few.
fn as_ever(gpu: &Gpu) {
    let values = elements::<f32>(400_000);
    let slice = upload(gpu, &values);
    // Empty inputs would have dispatches of their own.
    let mut in_order = adjacent(5000, 0);
    in_order.retain(|part| !part.is_empty());
    assert!(in_order.len() >= MANY);
    // In another order, because results that are brought to their places take a dispatch more.
    let parts = shuffled(&in_order);
    let mut overlapping = parts.clone();
    overlapping[3].end += 1;
    let far: Vec<_> = (0..MANY).map(|row| 90 * row..90 * row + 20).collect();
    let few = shuffled(&in_order[..60]);
    for parts in [overlapping, far, few] {
        let dispatches = dispatches_as_ever(gpu, &slice, &parts);
        assert!(dispatches < MOVED, "{dispatches} do not tell");
        let keeps = Precision::Reproducible;
        check::<f32, _>(gpu, (&slice, &values), &parts, keeps, dispatches, Sum);
    }
    // But for these they are segments.
    check::<f32, _>(gpu, (&slice, &values), &parts, Precision::Reproducible, MOVED, Sum);
    // What was asked for is done.
    let reducer = Reducer::<f32, _>::new(&gpu.context, Sum);
    let variant = reducer.clone().variant(Variant::WorkgroupMemory);
    for reducer in [variant, reducer.policy(Policy::DEFAULT)] {
        let mut batch = Batch::new(&gpu.context);
        for part in &parts {
            batch.add(&reducer, slice_of(&slice, part)).expect("adds");
        }
        let dispatches = batch.prepare().expect("prepares").dispatches();
        assert_eq!(dispatches, dispatches_as_ever(gpu, &slice, &parts));
    }
}

/// Two operators in turn, of two buffers, and reductions that can't be segments.
fn with_others(gpu: &Gpu) {
    let values = elements::<f32>(90_000);
    let (first, second) = (upload(gpu, &values), upload(gpu, &values[1..]));
    let keeps = Precision::Reproducible;
    let parts = adjacent(MANY, 0);
    let moved = shuffled(&adjacent(MANY, 4));
    let mut sums = Asked::<f32, Sum>::new(gpu, &first, &parts, keeps);
    let mut places = Asked::<f32, ArgMin>::new(gpu, &second, &moved, keeps);
    let mut counts = Asked::<f32, Count>::new(gpu, &second, &parts, keeps);
    let mut long = Asked::<f32, Sum>::new(gpu, &first, &[0..40_000, 1..5000], keeps);
    let mut exact = Asked::<f32, Mean>::new(gpu, &first, &[3..900, 0..0], Precision::Exact);
    let dot = Reducer::<(f32, f32), _>::new(&gpu.context, Dot);
    let mut batch = Batch::new(&gpu.context);
    let mut dots = Vec::new();
    for number in 0..MANY {
        sums.add(&mut batch, number);
        places.add(&mut batch, number);
        counts.add(&mut batch, number);
        if number % 3000 == 10 {
            long.add(&mut batch, number / 3000);
            exact.add(&mut batch, number / 3000);
            let part = slice_of(&first, &(number..number + 100));
            dots.push((number, batch.add(&dot, (&part, &part)).expect("adds")));
        }
    }
    assert_eq!(batch.len() as usize, 3 * MANY + 6);
    let prepared = batch.prepare().expect("prepares");
    let mut encoder = gpu.encoder();
    let readback = prepared.record_readback(&mut encoder).expect("records");
    gpu.submit(encoder);
    let results = readback.wait_blocking().expect("reads");
    sums.check(&results, &values);
    places.check(&results, &values[1..]);
    counts.check(&results, &values[1..]);
    long.check(&results, &values);
    exact.check(&results, &values);
    for (number, ticket) in dots {
        let part = &values[number..number + 100];
        let wanted = Executor::cpu().dot(part, part).expect("pairs");
        assert_eq!(results.get(ticket).expect("its own").to_bits(), wanted.to_bits());
    }
}

fn again(gpu: &Gpu) {
    let values = elements::<f32>(90_000);
    let slice = upload(gpu, &values);
    for (parts, dispatches) in
        [(adjacent(MANY, 0), IN_PLACE), (shuffled(&adjacent(MANY, 4)), MOVED)]
    {
        let mut asked = Asked::<f32, Sum>::new(gpu, &slice, &parts, Precision::Reproducible);
        let mut batch = Batch::new(&gpu.context);
        asked.add_all(&mut batch);
        let prepared = batch.prepare().expect("prepares");
        assert_eq!(prepared.dispatches(), dispatches);
        for round in 1..4u16 {
            let mut values: Vec<f32> = values.iter().map(|x| x * f32::from(round)).collect();
            values[4321] = f32::INFINITY;
            values[9000] = 1e-40;
            gpu.context.queue().write_buffer(slice.buffer(), 0, bytemuck::cast_slice(&values));
            let mut encoder = gpu.encoder();
            prepared.record(&mut encoder);
            let readback = prepared.record_readback(&mut encoder).expect("records");
            gpu.submit(encoder);
            asked.check(&readback.wait_blocking().expect("reads"), &values);
        }
        gpu.context.queue().write_buffer(slice.buffer(), 0, bytemuck::cast_slice(&values));
    }
}

/// The buffer's other words stay as they are.
fn in_the_callers(gpu: &Gpu) {
    let values = elements::<f32>(90_000);
    let slice = upload(gpu, &values);
    let keeps = Precision::Reproducible;
    for (parts, begins) in [(adjacent(MANY, 0), [0, 1, 67]), (adjacent(MANY, 4), [0, 5, 64])] {
        for first in begins {
            let mut before = Asked::<f32, Max>::new(gpu, &slice, slice::from_ref(&(7..30)), keeps);
            let mut asked = Asked::<f32, Sum>::new(gpu, &slice, &parts, keeps);
            let mut batch = Batch::new(&gpu.context);
            before.add_all(&mut batch);
            asked.add_all(&mut batch);
            let words = u64::from(batch.words());
            let untouched = vec![0xabcd_ef01_u32; usize::try_from(first + words + 3).expect("few")];
            let usage = wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST;
            let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("the caller's"),
                size: 4 * untouched.len() as u64,
                usage,
                mapped_at_creation: false,
            });
            gpu.context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(&untouched));
            let output = GpuSlice::new(&buffer, 4 * first, words + 1).expect("within");
            let prepared = batch.prepare_into(&output).expect("prepares");
            let mut encoder = gpu.encoder();
            {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                prepared.record_in(&mut pass);
            }
            let staging = gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("all of it"),
                size: buffer.size(),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            encoder.copy_buffer_to_buffer(&buffer, 0, &staging, 0, buffer.size());
            encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, .., |_| ());
            let readback = prepared.record_readback(&mut encoder).expect("records");
            gpu.submit(encoder);
            let results = readback.wait_blocking().expect("reads");
            before.check(&results, &values);
            asked.check(&results, &values);
            gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("polls");
            let mapped = staging.get_mapped_range(..).expect("mapped");
            let found: Vec<u32> = bytemuck::pod_collect_to_vec(&mapped);
            let begin = usize::try_from(first).expect("few");
            let end = found.len() - 3;
            assert!(found[..begin].iter().chain(&found[end..]).all(|&word| word == untouched[0]));
        }
    }
    // The elements' buffer takes no results, whatever they become.
    for (precision, count) in [(keeps, MANY), (Precision::Exact, FEW)] {
        let mut asked = Asked::<f32, Sum>::new(gpu, &slice, &adjacent(count, 0), precision);
        let mut batch = Batch::new(&gpu.context);
        asked.add_all(&mut batch);
        let refused = batch.prepare_into(&GpuSlice::whole(slice.buffer()));
        let error = refused.expect_err("it is read");
        assert!(matches!(error, PrepareError::OutputBufferIsInput), "{error}");
    }
    let mut bits = Asked::<u32, BitXor>::new(
        gpu,
        &GpuSlice::whole(slice.buffer()),
        &shuffled(&adjacent(MANY, 0)),
        keeps,
    );
    let mut batch = Batch::new(&gpu.context);
    bits.add_all(&mut batch);
    let words: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
    bits.check(&batch.reduce_blocking().expect("reduces"), &words);
}
