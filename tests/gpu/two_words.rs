//! Elements of 64 bits, which are two words on a device: against plain loops.

use crate::{
    Case,
    device::Gpu,
    inputs::{offsets, several_slices, upload},
    recording::{download, output},
    support::{Element, data::mix, same_bits},
};
use gridfold::{
    Batch, BitAnd, BitOr, BitXor, Count, Error, Executor, GpuSlice, Max, MaxAbs, Min, Operator,
    Policy, Precision, PrepareError, Product, Reducer, Strategy, Sum, Variant,
};

macro_rules! for_every_operator_of_two_words {
    ($function:ident($($argument:expr),*)) => {{
        for_every_operator_of_two_words!(of i64 $function($($argument),*));
        for_every_operator_of_two_words!(of u64 $function($($argument),*));
        $function::<f64, Sum>($($argument),*);
        $function::<f64, Min>($($argument),*);
        $function::<f64, Max>($($argument),*);
        $function::<f64, MaxAbs>($($argument),*);
        $function::<f64, Count>($($argument),*);
    }};
    (of $element:ident $function:ident($($argument:expr),*)) => {
        $function::<$element, Sum>($($argument),*);
        $function::<$element, Product>($($argument),*);
        $function::<$element, Min>($($argument),*);
        $function::<$element, Max>($($argument),*);
        $function::<$element, MaxAbs>($($argument),*);
        $function::<$element, Count>($($argument),*);
        $function::<$element, BitAnd>($($argument),*);
        $function::<$element, BitOr>($($argument),*);
        $function::<$element, BitXor>($($argument),*);
    };
}

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("64-bit elements, lengths and strategies", |gpu, variant| {
            for_every_operator_of_two_words!(lengths(gpu, variant));
        }),
        Case::tier2("64-bit elements, from any word of a buffer on", |gpu, variant| {
            for_every_operator_of_two_words!(any_word(gpu, variant));
        }),
        Case::tier2("64-bit elements, slices", |gpu, variant| {
            for_every_operator_of_two_words!(slices(gpu, variant));
            offsets::<u64, _>(gpu, variant, Sum);
            several_slices::<i64, _>(gpu, variant, Sum);
        }),
        Case::tier2("64-bit elements, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| for_every_operator_of_two_words!(windows(gpu, variant));
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier2("64-bit elements, a batch", batch),
        Case::tier2("64-bit elements, results at any word of an input's buffer", shared_buffer),
        Case::tier2("64-bit elements, arrays and host slices", |gpu, _| {
            for_every_operator_of_two_words!(arrays(gpu));
        }),
    ]
}

/// An operator of 64-bit integers, once more.
trait Plain<T: Element>: Default + Operator<T> + Copy {
    /// An element, of one that may be any: such that the result tells whether it is there.
    fn element(any: u64) -> u64;
    fn plain(values: &[T]) -> Self::Out;
}

macro_rules! plain {
    ($($operator:ident: $make:expr, |$values:ident| $plain:expr;)*) => {$(
        plain!(of i64 $operator: $make, |$values| $plain);
        plain!(of u64 $operator: $make, |$values| $plain);
    )*};
    (of $element:ident $operator:ident: $make:expr, |$values:ident| $plain:expr) => {
        impl Plain<$element> for $operator {
            fn element(any: u64) -> u64 {
                let make: fn(u64) -> u64 = $make;
                make(any)
            }
            fn plain($values: &[$element]) -> <Self as Operator<$element>>::Out {
                $plain
            }
        }
    };
}

plain! {
    Sum: |any| any, |x| x.iter().fold(0, |a, &b| a.wrapping_add(b));
    // Odd, so that it does not become 0.
    Product: |any| any | 1, |x| x.iter().fold(1, |a, &b| a.wrapping_mul(b));
    Min: |any| any, |x| x.iter().copied().min().unwrap_or_default();
    Max: |any| any, |x| x.iter().copied().max().unwrap_or_default();
    MaxAbs: |any| any, |x| {
        let largest = x.iter().map(|&a| i128::from(a).unsigned_abs()).max().unwrap_or(0);
        u64::try_from(largest).expect("at most 2^63, or an element")
    };
    Count: |any| any, |x| x.iter().filter(|&&a| a != 0).count() as u64;
    // Few bits are missing, or there.
    BitAnd: |any| !few_bits(any), |x| x.iter().fold(!0, |a, &b| a & b);
    BitOr: few_bits, |x| x.iter().fold(0, |a, &b| a | b);
    BitXor: |any| any, |x| x.iter().fold(0, |a, &b| a ^ b);
}

// Finite, so that they can be compared, and their sums are.
plain!(of f64 Sum: |any| any & !(1 << 62), |x| pairwise(x));
plain!(of f64 Min: |any| any & !(1 << 62), |x| x.iter().copied().fold(f64::INFINITY, f64::min));
plain!(of f64 Max: |any| any & !(1 << 62), |x| x.iter().copied().fold(f64::NEG_INFINITY, f64::max));
plain!(of f64 MaxAbs: |any| any & !(1 << 62), |x| x.iter().fold(0.0, |a, b| f64::max(a, b.abs())));
plain!(of f64 Count: |any| any & !(1 << 62), |x| x.iter().filter(|&&a| a != 0.0).count() as u64);

/// The left fold of the runs' totals, the longest first.
fn pairwise(values: &[f64]) -> f64 {
    fn run_total(run: &[f64]) -> f64 {
        match run {
            [element] => *element,
            _ => run_total(&run[..run.len() / 2]) + run_total(&run[run.len() / 2..]),
        }
    }
    let (mut total, mut rest) = (None, values);
    while let Some(level) = rest.len().checked_ilog2() {
        let (run, later) = rest.split_at(1 << level);
        total = Some(total.map_or(run_total(run), |total: f64| total + run_total(run)));
        rest = later;
    }
    total.unwrap_or(0.0)
}

fn few_bits(any: u64) -> u64 {
    if any % 1000 == 1 { 1 << (any >> 58) } else { 0 }
}

/// Elements whose words are often at an end of their range or in its middle, so that carries and borrows go from word to
/// word, and comparisons look at both.
fn make<T: Element, Op: Plain<T>>(len: usize, seed: u32) -> Vec<T> {
    const ENDS: [u32; 8] =
        [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];
    let word = |bits: u32| match bits % 3 {
        0 => ENDS[(bits >> 8) as usize % ENDS.len()],
        _ => mix(bits),
    };
    let element = |number: u32| {
        let bits = mix(number.wrapping_add(mix(seed)));
        let any = u64::from(word(bits)) | u64::from(word(mix(!bits))) << 32;
        bytemuck::cast_slice(&[Op::element(any)])[0]
    };
    (0..).take(len).map(element).collect()
}

/// Every way that a variant allows for the operator, at any precision.
fn ways<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    op: Op,
) -> Vec<Reducer<T, Op>> {
    let mut ways = vec![Strategy::Auto, Strategy::TwoPass];
    if gpu.capabilities().coherent_memory {
        ways.push(Strategy::SinglePass);
    }
    let reducer = |strategy| Reducer::new(&gpu.context, op).variant(variant).strategy(strategy);
    ways.into_iter().map(|strategy| reducer(strategy).policy(Policy::DEFAULT)).collect()
}

fn expect<T: Element, Op: Plain<T>>(
    gpu: &Gpu,
    variant: Variant,
    slices: &[GpuSlice<T>],
    values: &[T],
    what: &str,
) {
    let expected = Op::value(Op::plain(values), values.len() as u64);
    for reducer in ways::<T, _>(gpu, variant, Op::default()) {
        let reduction = reducer.measure_blocking(slices).expect("reduces");
        assert_eq!(
            reduction.value,
            expected,
            "{} {}, {what}, {}",
            Op::SPEC.operator,
            T::TYPE,
            reduction.plan
        );
    }
}

fn lengths<T: Element, Op: Plain<T>>(gpu: &Gpu, variant: Variant) {
    for (len, seed) in [0, 1, 2, 5, 300, 4095, 4096, 4097, 12_289, 100_003].into_iter().zip(0..) {
        let values = make::<T, Op>(len, seed);
        expect::<T, Op>(gpu, variant, &[upload(gpu, &values)], &values, &format!("{len}"));
    }
    let input = upload(gpu, &make::<T, Op>(5, 0));
    for strategy in [Strategy::WorkgroupAtomic, Strategy::SubgroupAtomic] {
        for precision in [Precision::Unordered, Precision::Reproducible] {
            let reducer = Reducer::<T, _>::new(&gpu.context, Op::default()).strategy(strategy);
            let refused = reducer.precision(precision).reduce_blocking(&input);
            assert!(matches!(refused, Err(Error::Prepare(PrepareError::StrategyUnfit { .. }))));
        }
    }
}

/// Also where the buffer ends within a vector.
fn any_word<T: Element, Op: Plain<T>>(gpu: &Gpu, variant: Variant) {
    for before in 0..6 {
        for len in [1, 2, 3, 5, 300, 4096, 8193] {
            for after in [0, 1 + before % 3] {
                let values = make::<T, Op>(len, 20);
                let words: &[u32] = bytemuck::cast_slice(&values);
                let filler = [u32::filler(); 6];
                let buffer = upload(gpu, &[&filler[..before], words, &filler[..after]].concat());
                let offset_bytes = before as u64 * 4;
                let slice = GpuSlice::new(buffer.buffer(), offset_bytes, len as u64);
                let what = format!("{len} after {before} words, before {after}");
                expect::<T, Op>(gpu, variant, &[slice.expect("within")], &values, &what);
            }
        }
    }
    let buffer = upload(gpu, &[0u32; 9]);
    assert!(GpuSlice::<T>::new(buffer.buffer(), 2, 1).is_err(), "within a word");
    assert!(GpuSlice::<T>::new(buffer.buffer(), 8, 4).is_err(), "past the end by a word");
}

/// Slices of one buffer, which begin at even and at odd words.
fn slices<T: Element, Op: Plain<T>>(gpu: &Gpu, variant: Variant) {
    for lengths in [&[3, 4096, 0, 1, 8190, 5][..], &[12_288, 4096], &[100, 20_000, 7]] {
        let mut values = Vec::new();
        let mut words = vec![u32::filler()];
        let mut places = Vec::new();
        for (&len, gap) in lengths.iter().zip(0..) {
            let part = make::<T, Op>(len, 30 + gap);
            words.extend((0..gap).map(|_| u32::filler()));
            places.push((words.len() as u64 * 4, len as u64));
            words.extend(bytemuck::cast_slice::<T, u32>(&part));
            values.extend(part);
        }
        let buffer = upload(gpu, &words);
        let slices: Vec<GpuSlice<T>> = places
            .iter()
            .map(|&(place, len)| GpuSlice::new(buffer.buffer(), place, len).expect("within"))
            .collect();
        expect::<T, Op>(gpu, variant, &slices, &values, &format!("slices of {lengths:?}"));
    }
}

/// A binding has 4096 elements, or less.
fn windows<T: Element, Op: Plain<T>>(gpu: &Gpu, variant: Variant) {
    let values = make::<T, Op>(20_003, 40);
    let words: &[u32] = bytemuck::cast_slice(&values);
    for before in 0..4 {
        let buffer = upload(gpu, &[&[u32::filler(); 4][..before], words].concat());
        let offset_bytes = before as u64 * 4;
        let slice = GpuSlice::new(buffer.buffer(), offset_bytes, 20_003).expect("within");
        let plan = Reducer::<T, _>::new(&gpu.context, Op::default()).plan(&slice).expect("plans");
        assert!(plan.dispatches.len() >= 5, "{plan}");
        expect::<T, Op>(gpu, variant, &[slice], &values, &format!("windows from word {before}"));
    }
}

/// Elements from even and from odd words on, with results of one word between theirs.
fn batch(gpu: &Gpu, variant: Variant) {
    batch_of_f64s(gpu, variant);
    let values = make::<i64, Sum>(30_000, 50);
    let words: &[u32] = bytemuck::cast_slice(&values);
    let buffer = upload(gpu, &[&[u32::filler()], words, &[u32::filler()]].concat());
    let slice = |range: &std::ops::Range<usize>| {
        let place = 4 + 8 * range.start as u64;
        GpuSlice::<i64>::new(buffer.buffer(), place, range.len() as u64).expect("within")
    };
    let sum = Reducer::<i64, _>::new(&gpu.context, Sum).variant(variant);
    let min = Reducer::<i64, _>::new(&gpu.context, Min).variant(variant);
    let of_words = Reducer::<u32, _>::new(&gpu.context, Sum).variant(variant);
    let mut batch = Batch::new(&gpu.context);
    let mut tickets = Vec::new();
    for range in [0..10, 7..7, 16..5016, 8191..30_000, 29_999..30_000] {
        let sum = batch.add(&sum, slice(&range)).expect("adds");
        let word = buffer.slice(1..6).expect("within");
        let of_words = batch.add(&of_words, &word).expect("adds");
        tickets.push((sum, of_words, batch.add(&min, slice(&range)).expect("adds"), range));
    }
    // From an even word on other bits are an element.
    let even = GpuSlice::<i64>::new(buffer.buffer(), 8, 20_000).expect("within");
    let even = batch.add(&sum, even).expect("adds");
    let results = batch.reduce_blocking().expect("reduces");
    let of_words = words[..5].iter().fold(0u32, |a, &b| a.wrapping_add(b));
    for (sum, word, min, range) in tickets {
        let values = &values[range.clone()];
        assert_eq!(results.get(sum).expect("its own"), Sum::plain(values), "{range:?}");
        assert_eq!(results.get(word).expect("its own"), of_words, "{range:?}");
        assert_eq!(results.get(min).expect("its own"), values.iter().copied().min(), "{range:?}");
    }
    let shifted: Vec<i64> = bytemuck::pod_collect_to_vec(&words[1..40_001]);
    assert_eq!(results.get(even).expect("its own"), Sum::plain(&shifted));
}

/// Sums of f64s, which have an order, from odd words on.
fn batch_of_f64s(gpu: &Gpu, variant: Variant) {
    let values = make::<f64, Sum>(30_000, 80);
    let words: &[u32] = bytemuck::cast_slice(&values);
    let buffer = upload(gpu, &[&[u32::filler()], words].concat());
    let sum = Reducer::<f64, _>::new(&gpu.context, Sum).variant(variant);
    let mut batch = Batch::new(&gpu.context);
    let mut tickets = Vec::new();
    for range in [0..10, 7..7, 16..5016, 8191..30_000, 29_999..30_000] {
        let place = 4 + 8 * range.start as u64;
        let slice = GpuSlice::<f64>::new(buffer.buffer(), place, range.len() as u64);
        tickets.push((batch.add(&sum, slice.expect("within")).expect("adds"), range));
    }
    let results = batch.reduce_blocking().expect("reduces");
    for (ticket, range) in tickets {
        let found = results.get(ticket).expect("its own");
        assert_eq!(found, pairwise(&values[range.clone()]), "{range:?}");
    }
}

/// Where the result lies in a buffer that is also an input.
fn shared_buffer(gpu: &Gpu, variant: Variant) {
    let values = make::<u64, Product>(10_000, 60);
    for place in 19_000..19_004u64 {
        let whole = output(gpu, &values);
        let input = whole.slice(0..9000).expect("within");
        let result = GpuSlice::<u64>::new(whole.buffer(), place * 4, 1).expect("within");
        let reducer = Reducer::<u64, _>::new(&gpu.context, Product).variant(variant);
        let mut encoder = gpu.encoder();
        reducer.record(&mut encoder, &input, &result).expect("records");
        gpu.submit(encoder);
        assert_eq!(download(gpu, &result), [Product::plain(&values[..9000])], "{place}");
        assert_eq!(download(gpu, &input), values[..9000]);
    }
}

/// The one-liners' way, on the device and on the CPU; and slices of host memory, in chunks.
fn arrays<T: Element, Op: Plain<T>>(gpu: &Gpu) {
    let mut values = make::<T, Op>(30_001, 70);
    let on_device = Executor::from_context(gpu.context.clone());
    for executor in [on_device.clone(), Executor::cpu()] {
        let array = executor.upload(&values).expect("uploads");
        let part = array.slice(4097..30_000).expect("within");
        let expect = |values: &[T]| {
            let expected = Op::value(Op::plain(values), values.len() as u64);
            assert_eq!(part.reduce(Op::default()).expect("reduces").value, expected);
        };
        expect(&values[4097..30_000]);
        part.write(3, &[values[0], values[1]]).expect("writes");
        values.copy_within(..2, 4100);
        expect(&values[4097..30_000]);
        let downloaded = array.download().expect("downloads");
        assert!(downloaded.iter().zip(&values).all(|(&a, &b)| same_bits(Some(a), Some(b))));
        assert_eq!(downloaded.len(), values.len());
    }
    let expected = Op::value(Op::plain(&values), values.len() as u64);
    for chunk_bytes in [1 << 14, 1 << 16, 1 << 20] {
        let executor = on_device.clone().chunk_bytes(chunk_bytes);
        assert_eq!(executor.reduce(&values, Op::default()).expect("reduces").value, expected);
    }
}
