//! Results that are no elements: of another type, or of several words. Against plain loops.

use crate::{
    BOTH, Case,
    atomics::strategies,
    device::Gpu,
    inputs::upload,
    support::{Element, data::mix},
};
use gridfold::{
    Batch, Count, Executor, GpuSlice, Items, MaxAbs, Operator, OperatorType, Policy, Precision,
    Reducer, Strategy, Sum, Variant, shader::Sources,
};

const LENGTHS: [usize; 7] = [0, 1, 5, 1000, 4097, 12_289, 100_003];

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "max-abs and count of f32, against plain loops", |gpu, variant| {
            check(gpu, variant, float, |a| if a.is_nan() { NAN } else { a.to_bits() & !SIGN });
        }),
        Case::tier1(BOTH, "max-abs and count of i32, against plain loops", |gpu, variant| {
            check(gpu, variant, integer, |a| a.unsigned_abs());
        }),
        Case::tier1(BOTH, "max-abs and count of u32, against plain loops", |gpu, variant| {
            check(gpu, variant, |bits| integer(bits).cast_unsigned(), |a| a);
        }),
        Case::tier1(BOTH, "max-abs of special values", special_values),
        Case::tier1(BOTH, "counts beyond 2^32", large_counts),
        Case::tier1(BOTH, "a batch, results of different sizes", batch),
        Case::tier1(BOTH, "a count into a buffer, from any word on", any_word),
    ]
}

const NAN: u32 = 0x7fc0_0000;
const SIGN: u32 = 0x8000_0000;

/// Zeros of both signs, subnormals, and others; hardly ever a NaN.
fn float(bits: u32) -> f32 {
    f32::from_bits(match bits % 5 {
        0 => bits & SIGN,
        1 => bits & 0x807f_ffff,
        _ => bits & 0xfeff_ffff,
    })
}

fn integer(bits: u32) -> i32 {
    match bits % 5 {
        0 => 0,
        1 if bits.is_multiple_of(3) => i32::MIN,
        _ => bits.cast_signed() >> (bits % 31),
    }
}

fn reducers<I: Items, Op: Operator<I> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    op: Op,
) -> Vec<Reducer<I, Op>> {
    let mut ways = vec![Strategy::Auto, Strategy::TwoPass];
    if gpu.capabilities().coherent_memory {
        ways.push(Strategy::SinglePass);
    }
    if op.spec().operator == OperatorType::MaxAbs {
        ways.extend(strategies(variant));
    }
    let reducer = |strategy| Reducer::new(&gpu.context, op).variant(variant).strategy(strategy);
    ways.into_iter().map(|strategy| reducer(strategy).policy(Policy::DEFAULT)).collect()
}

/// Both operators, on the GPU by every strategy and at every level, and on the CPU.
fn check<T: Element>(gpu: &Gpu, variant: Variant, make: fn(u32) -> T, magnitude: fn(T) -> u32)
where
    MaxAbs: Operator<T>,
    Count: Operator<T, Out = u64, Value = u64>,
{
    let of = |out| bytemuck::pod_read_unaligned::<u32>(bytemuck::bytes_of(&out));
    for (len, seed) in LENGTHS.into_iter().zip(0..) {
        let elements: Vec<T> =
            (0..len).zip(0..).map(|(_, i): (_, u32)| make(mix(i + 1000 * seed))).collect();
        let mut largest = 0;
        let mut count = 0u64;
        for &element in &elements {
            largest = largest.max(magnitude(element));
            count += u64::from(magnitude(element) != 0);
        }
        let input = upload(gpu, &elements);
        for precision in Precision::ALL {
            let cpu = Executor::cpu().precision(precision);
            let value = cpu.max_abs(&elements).expect("the CPU can't fail");
            assert_eq!(MaxAbs::out(value).map(of), Some(largest), "{len} on the CPU");
            assert_eq!(
                cpu.count(&elements).expect("the CPU can't fail"),
                count,
                "{len} on the CPU"
            );
            for reducer in reducers::<T, _>(gpu, variant, MaxAbs) {
                let reduction = reducer.precision(precision).measure_blocking(&input);
                let reduction = reduction.expect("reduces");
                let found = MaxAbs::out(reduction.value).map(of);
                assert_eq!(found, Some(largest), "{len}, {}", reduction.plan);
            }
            for reducer in reducers::<T, _>(gpu, variant, Count) {
                let reduction = reducer.precision(precision).measure_blocking(&input);
                let reduction = reduction.expect("reduces");
                assert_eq!(reduction.value, count, "{len}, {}", reduction.plan);
            }
        }
        let executor = Executor::from_context(gpu.context.clone());
        assert_eq!(executor.count(&elements).expect("reduces"), count);
        let array = executor.upload(&elements).expect("uploads");
        assert_eq!(array.count().expect("reduces"), count);
        assert_eq!(MaxAbs::out(array.max_abs().expect("reduces")).map(of), Some(largest));
    }
}

fn special_values(gpu: &Gpu, variant: Variant) {
    let expect = |bits: &[u32], max_abs: u32, count: u64| {
        let values: Vec<f32> = bits.iter().map(|&bits| f32::from_bits(bits)).collect();
        let input = upload(gpu, &values);
        for reducer in reducers::<f32, _>(gpu, variant, MaxAbs) {
            let found = reducer.reduce_blocking(&input).expect("reduces").to_bits();
            assert_eq!(found, max_abs, "{bits:x?}: {found:#x}");
        }
        for reducer in reducers::<f32, _>(gpu, variant, Count) {
            assert_eq!(reducer.reduce_blocking(&input).expect("reduces"), count, "{bits:x?}");
        }
        let cpu = Executor::cpu();
        assert_eq!(cpu.max_abs(&values).expect("the CPU can't fail").to_bits(), max_abs);
        assert_eq!(cpu.count(&values).expect("the CPU can't fail"), count);
    };
    let (inf, one) = (0x7f80_0000, 0x3f80_0000);
    expect(&[SIGN], 0, 0);
    expect(&[0, SIGN, SIGN | 1], 1, 1);
    expect(&[one, SIGN | one, SIGN | (one + 1)], one + 1, 3);
    expect(&[one, SIGN | inf], inf, 2);
    for nan in [NAN, SIGN | NAN, 0x7f80_0001, 0xffff_ffff] {
        expect(&[nan], NAN, 1);
        expect(&[inf, 0, nan, SIGN | inf], NAN, 3);
    }
}

/// With a shader that counts each element for nearly 2^28, so that low words wrap around: but not those of the sixteen elements that a lane
/// has of a round.
fn large_counts(gpu: &Gpu, variant: Variant) {
    const EACH: u64 = 0x0fff_ffff;
    let lift = format!("select({EACH}u, 0u, elem_is_zero");
    let sources =
        Sources::default().replace("operator/count.wgsl", "select(1u, 0u, elem_is_zero", &lift);
    let gpu = gpu.with_shaders(sources.expect("it is there")).expect("a context");
    for len in LENGTHS {
        let input = upload(&gpu, &vec![7u32; len]);
        for reducer in reducers::<u32, _>(&gpu, variant, Count) {
            let reduction = reducer.measure_blocking(&input).expect("reduces");
            assert_eq!(reduction.value, len as u64 * EACH, "{len}, {}", reduction.plan);
        }
    }
}

fn batch(gpu: &Gpu, variant: Variant) {
    let elements: Vec<i32> = (0..30_000).map(|i| integer(mix(i))).collect();
    let input = upload(gpu, &elements);
    let sum = Reducer::<i32, _>::new(&gpu.context, Sum).variant(variant);
    let count = Reducer::<i32, _>::new(&gpu.context, Count).variant(variant);
    let max_abs = Reducer::<i32, _>::new(&gpu.context, MaxAbs).variant(variant);
    let mut batch = Batch::new(&gpu.context);
    let mut tickets = Vec::new();
    for (begin, end) in [(0, 0), (0, 1), (5, 4101), (8192, 30_000), (0, 30_000)] {
        let slice = input.slice(begin..end).expect("within");
        let count_of = batch.add(&count, &slice).expect("adds");
        let sum_of = batch.add(&sum, &slice).expect("adds");
        // Alone: of several slices, and by atomics.
        let parts = [slice.clone(), input.slice(0..3).expect("within")];
        let count_of_parts = batch.add(&count, &parts).expect("adds");
        let atomic = max_abs.clone().strategy(Strategy::WorkgroupAtomic);
        let by_atomics = batch.add(&atomic, &slice).expect("adds");
        let max_abs_of = batch.add(&max_abs, &slice).expect("adds");
        let first = 7 * u32::try_from(tickets.len()).expect("a few");
        assert_eq!([count_of.index(), sum_of.index()], [first, first + 2]);
        assert_eq!(max_abs_of.index(), first + 6);
        tickets.push((begin..end, count_of, sum_of, count_of_parts, [by_atomics, max_abs_of]));
    }
    assert_eq!(batch.len(), 25);
    let prepared = batch.prepare().expect("prepares");
    assert_eq!(prepared.results().len(), 25 + 2 * 5);
    let mut encoder = gpu.encoder();
    prepared.record(&mut encoder);
    // The number of counts that are not 0, of their words.
    let (_, count_of, ..) = tickets[4];
    let result: GpuSlice<u64> = prepared.result(count_of).expect("its own");
    let words = GpuSlice::<u32>::new(result.buffer(), result.offset_bytes(), 2).expect("within");
    let of_words = Reducer::<u32, _>::new(&gpu.context, Count);
    let of_words = of_words.record_readback(&mut encoder, words).expect("records");
    let readback = prepared.record_readback(&mut encoder).expect("records");
    gpu.submit(encoder);
    let results = readback.wait_blocking().expect("reads");
    assert_eq!(of_words.wait_blocking().expect("reads"), 1);
    for (range, count_of, sum_of, count_of_parts, max_abs_of) in tickets {
        let part = |at: u64| usize::try_from(at).expect("small");
        let elements_of = &elements[part(range.start)..part(range.end)];
        let mut count = 0u64;
        let mut sum = 0i32;
        let mut largest = 0;
        for &element in elements_of {
            count += u64::from(element != 0);
            sum = sum.wrapping_add(element);
            largest = largest.max(element.unsigned_abs());
        }
        let first_three = elements[..3].iter().filter(|&&element| element != 0).count() as u64;
        assert_eq!(results.get(count_of).expect("its own"), count, "{range:?}");
        assert_eq!(results.get(sum_of).expect("its own"), sum, "{range:?}");
        assert_eq!(results.get(count_of_parts).expect("its own"), count + first_three, "{range:?}");
        for ticket in max_abs_of {
            assert_eq!(results.get(ticket).expect("its own"), largest, "{range:?}");
        }
    }
}

/// Also from an odd one on, and in a buffer that is an input.
fn any_word(gpu: &Gpu, variant: Variant) {
    let elements: Vec<u32> = (0..20_000).map(|i| integer(mix(i)).cast_unsigned()).collect();
    let input = upload(gpu, &elements);
    let count = elements.iter().filter(|&&element| element != 0).count() as u64;
    let executor = Executor::from_context(gpu.context.clone());
    for place in 0..6 {
        for reducer in reducers::<u32, _>(gpu, variant, Count) {
            let mut words = vec![0x5ca1_ab1e; 8];
            let output = executor.upload(&words).expect("uploads");
            let buffer = output.gpu_slices().expect("on a GPU")[0].buffer();
            let slice = GpuSlice::<u64>::new(buffer, place as u64 * 4, 1).expect("within");
            let prepared = reducer.prepare(&input, &slice).expect("prepares");
            let mut encoder = gpu.encoder();
            let readback = prepared.record_readback(&mut encoder).expect("records");
            gpu.submit(encoder);
            assert_eq!(readback.wait_blocking().expect("reads"), count, "{place}");
            words[place] = u32::try_from(count).expect("small");
            words[place + 1] = 0;
            assert_eq!(output.download().expect("downloads"), words);
        }
    }
    let array = executor.upload(&elements).expect("uploads");
    let whole = &array.gpu_slices().expect("on a GPU")[0];
    let output = GpuSlice::<u64>::new(whole.buffer(), 19_997 * 4, 1).expect("within");
    let reducer = Reducer::<u32, _>::new(&gpu.context, Count).variant(variant);
    let mut encoder = gpu.encoder();
    let first = whole.slice(0..10_000).expect("within");
    reducer.record(&mut encoder, first, &output).expect("records");
    gpu.submit(encoder);
    let of_first = elements[..10_000].iter().filter(|&&element| element != 0).count();
    let mut expected = elements.clone();
    expected[19_997] = u32::try_from(of_first).expect("small");
    expected[19_998] = 0;
    assert_eq!(array.download().expect("downloads"), expected);
    // Past the end by a word, and within the input.
    assert!(GpuSlice::<u64>::new(whole.buffer(), 19_999 * 4, 1).is_err());
    assert!(GpuSlice::<u64>::new(whole.buffer(), 2, 1).is_err());
    let overlapping = GpuSlice::<u64>::new(whole.buffer(), 9999 * 4, 1).expect("within");
    let first = whole.slice(0..10_000).expect("within");
    assert!(reducer.prepare(first, &overlapping).is_err());
}
