//! What expressions make of the elements of three inputs, on devices and on the CPU: the same bits, wherever the elements lie.

use crate::{
    BOTH, Case, OPENGL, VULKAN,
    device::Gpu,
    map::{
        bits, ordinary,
        random::{Random, words},
        upload,
    },
    scans::{read, read_all, slice_of, unwritten},
    support::data,
};
use gridfold::{
    AdapterName, ArgMax, ArgMinMax, Batch, BitXor, Bool, Count, Counted, Error, Executor, GpuSlice,
    HostSlices, Map3, MapElement, Mapped, Max, Mean, Min, MinMax, Nan, Norm, Operator, Policy,
    Precision, PrepareError, Reducer, Strategy, Sum, SumWide, Variance, Variant,
    half::{bf16, f16},
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("maps of three, slices", slices),
        Case::tier1(VULKAN, "maps of three, vectors", vectors),
        Case::tier2("maps of three, strided", strided),
        Case::tier2("maps of three, every type", types),
        Case::tier2("maps of three, operators", operators),
        Case::tier2("maps of three, in software", |gpu, variant| {
            slices(&crate::floats::in_software(gpu), variant);
        }),
        Case::tier1(BOTH, "maps of three, small windows", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 5;
            });
            let check = |gpu: &Gpu| windows(gpu, variant);
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(BOTH, "maps of three, where a kernel binds four buffers", |gpu, variant| {
            let small = gpu.with_limits(|limits| limits.max_storage_buffers_per_shader_stage = 4);
            let check = |gpu: &Gpu| four_buffers(gpu, variant);
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier2("maps of three, exact results", exact).only(Variant::WorkgroupMemory),
        Case::tier1(BOTH, "maps of three, one buffer for all", one_buffer),
        Case::tier1(BOTH, "maps of three, batches and counts", batches_and_counts),
        Case::tier1(OPENGL, "maps of three, arrays and slices of host memory", arrays)
            .only(Variant::WorkgroupMemory),
        Case::tier1(VULKAN, "maps of three, functions of one's own", functions),
        Case::tier1(OPENGL, "maps of three, lengths that differ", lengths)
            .only(Variant::WorkgroupMemory),
    ]
}

/// The elements between the first cut and the last one, in as many slices.
fn cut<T: MapElement>(whole: &GpuSlice<T>, cuts: &[usize]) -> Vec<GpuSlice<T>> {
    let part = |ends: &[usize]| whole.slice(ends[0] as u64..ends[1] as u64).expect("within");
    cuts.windows(2).map(part).collect()
}

fn reducer<T: MapElement, Op: Operator<T::Wide>>(
    gpu: &Gpu,
    variant: Variant,
    map: &Map3<T>,
    op: Op,
) -> Reducer<(T, T, T), Mapped<Op>> {
    Reducer::<_, Mapped<_>>::map3(&gpu.context, map, op).expect("a map").variant(variant)
}

/// Each input from buffers of its own, cut in its own way, by every strategy.
fn expect<T: MapElement, Op: Operator<T::Wide> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    map: &Map3<T>,
    inputs: [&[T]; 3],
    cuts: [&[usize]; 3],
    op: Op,
) {
    let [x, y, z] = [0, 1, 2].map(|input| cut(&upload(gpu, inputs[input]), cuts[input]));
    let [a, b, c] = [0, 1, 2].map(|input: usize| {
        let cuts = cuts[input];
        &inputs[input][cuts[0]..cuts[cuts.len() - 1]]
    });
    let wanted = Executor::cpu().reduce_map3(map, a, b, c, op).expect("reduces").value;
    let strategies = match gpu.capabilities().coherent_memory {
        true => &[Strategy::Auto, Strategy::TwoPass, Strategy::SinglePass][..],
        false => &[Strategy::Auto, Strategy::TwoPass],
    };
    for &strategy in strategies {
        let reducer = reducer::<T, _>(gpu, variant, map, op).strategy(strategy);
        let reducer = reducer.policy(Policy { min_rows: 4, max_workgroups: 7 });
        let found = reducer.reduce_blocking((&x, &y, &z)).expect("reduces");
        assert_eq!(
            bits::<T::Wide, Op>(found),
            bits::<T::Wide, Op>(wanted),
            "{} of {} {} cut at {cuts:?}, {strategy:?}: {found:?}, on the CPU {wanted:?}",
            op.spec().operator,
            a.len(),
            T::TYPE,
        );
    }
}

/// Around tiles, rounds and blocks, and cut differently.
const CUTS: [[&[usize]; 3]; 9] = [
    [&[0, 0], &[5, 5], &[7, 7]],
    [&[0, 1], &[2, 3], &[1, 2]],
    [&[3, 66], &[0, 63], &[1, 64]],
    [&[1, 1025], &[0, 1000, 1024], &[2, 3, 1026]],
    [&[0, 4096], &[0, 4096], &[0, 4096]],
    [&[1, 4098], &[2, 700, 4099], &[0, 4000, 4097]],
    [&[5, 9, 4100, 8200], &[0, 8195], &[3, 8190, 8198]],
    [&[0, 5000, 5000, 20_003], &[0, 4999, 20_003], &[0, 1, 12_288, 20_000, 20_003]],
    [&[3, 20_003], &[0, 7, 20_000], &[2, 16_000, 16_001, 20_002]],
];

/// Floats of which sums and products are no NaNs, but some subnormal.
fn calm(random: &mut Random, len: usize) -> Vec<f32> {
    let of = |x: f32| if x.abs() < 1e9 { x.clamp(-9.0, 9.0) } else { 1e-39 };
    ordinary(random, len).into_iter().map(of).collect()
}

fn slices(gpu: &Gpu, variant: Variant) {
    let mut random = Random(71);
    let [x, y, z] = [(); 3].map(|()| ordinary(&mut random, 20_003));
    let [a, b, c] = [(); 3].map(|()| calm(&mut random, 20_003));
    // Not symmetric: an input in another's place shows.
    let map = Map3::<f32>::new("x * y * z - z + y * 0.5 * f32(i & 3u)").expect("an expression");
    for cuts in CUTS {
        expect::<f32, _>(gpu, variant, &map, [&x, &y, &z], cuts, Sum);
        expect::<f32, _>(gpu, variant, &map, [&a, &b, &c], cuts, Sum);
    }
    let [x, y, z] = [(); 3].map(|()| words(&mut random, 20_003));
    let map = Map3::<u32>::with_parameters("(x ^ p) * y + (z >> 3u) * i", &[("p", 77)]);
    let map = map.expect("an expression");
    for cuts in CUTS {
        expect::<u32, _>(gpu, variant, &map, [&x, &y, &z], cuts, Sum);
    }
    let map =
        map.parameter("p", 0x8000_0001).and_then(|map| map.only_where("z > y && i % 3u != 1u"));
    let map = map.expect("a predicate");
    expect::<u32, _>(gpu, variant, &map, [&x, &y, &z], CUTS[7], BitXor);
    // Of each place by itself, so that no NaN hides another.
    let [x, y, z] =
        [&x, &y, &z].map(|input| input.iter().copied().map(f32::from_bits).collect::<Vec<f32>>());
    let map = Map3::<f32>::new("x * y + z").expect("an expression");
    for at in (0..150).step_by(7) {
        let cuts: &[usize] = &[at, at + 1];
        expect::<f32, _>(gpu, variant, &map, [&x, &y, &z], [cuts; 3], Sum);
    }
}

/// Against what an independent script wrote.
fn vectors(gpu: &Gpu, variant: Variant) {
    let lines = include_str!("../vectors/three_inputs.txt").lines();
    let mut count = 0;
    for line in lines.filter(|line| !line.starts_with('#')) {
        let (head, text) = line.split_once(" | ").expect(line);
        let fields: Vec<&str> = head.split(' ').collect();
        let [kind, seed, len, wanted] = fields[..] else { panic!("{line}") };
        let len: usize = len.parse().expect(line);
        if len == 0 {
            continue;
        }
        let x = data::elements(kind, seed.parse().expect(line), len);
        let [mut y, mut z] = [x.clone(), x.clone()];
        y.rotate_left(1 % len.max(1));
        z.rotate_left(2 % len.max(1));
        let map = Map3::<f32>::new(text).expect(line);
        let [x, y, z] = [&x, &y, &z].map(|input| upload(gpu, input));
        let found = reducer::<f32, _>(gpu, variant, &map, Sum).reduce_blocking((&x, &y, &z));
        let found = format!("{:#010x}", found.expect("reduces").to_bits());
        assert_eq!(found, wanted, "{line}");
        count += 1;
    }
    assert_eq!(count, 240);
}

/// Elements with gaps between them, and the slice that has them.
fn field<T: MapElement>(
    all: &GpuSlice<T>,
    elements: &[T],
    first: usize,
    step: usize,
) -> (Vec<T>, GpuSlice<T>) {
    let size = size_of::<T>() as u64;
    let field: Vec<T> = elements[first..].iter().step_by(step).copied().collect();
    let (offset_bytes, stride_bytes) = (first as u64 * size, step as u64 * size);
    let slice = GpuSlice::strided(all.buffer(), offset_bytes, stride_bytes, field.len() as u64);
    (field, slice.expect("within"))
}

/// Each input with gaps, and all of them, each with its own.
fn strided_of<T: MapElement, Op: Operator<T::Wide> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
    text: &str,
    op: Op,
) {
    let map = Map3::<T>::new(text).expect(text);
    let whole = upload(gpu, elements);
    let reducer = reducer::<T, _>(gpu, variant, &map, op);
    for steps in [[3, 1, 1], [1, 3, 1], [1, 1, 3], [2, 3, 5], [1, 5, 2]] {
        let fields = [(0, steps[0]), (5, steps[1]), (7, steps[2])]
            .map(|(first, step)| field(&whole, elements, first, step));
        let len = fields.iter().map(|(field, _)| field.len()).min().expect("of three");
        for [begin, end] in [[0, len], [4, 9], [3, len - 3]] {
            let [x, y, z] = [0, 1, 2].map(|input: usize| {
                fields[input].1.slice(begin as u64..end as u64).expect("within")
            });
            let [a, b, c] = [0, 1, 2].map(|input: usize| &fields[input].0[begin..end]);
            let found = reducer.reduce_blocking((&x, &y, &z)).expect("reduces");
            let wanted = Executor::cpu().reduce_map3(&map, a, b, c, op);
            let wanted = wanted.expect("reduces").value;
            assert_eq!(
                bits::<T::Wide, Op>(found),
                bits::<T::Wide, Op>(wanted),
                "{} by {steps:?}, {begin}..{end}: {found:?}, on the CPU {wanted:?}",
                T::TYPE,
            );
        }
    }
}

fn strided(gpu: &Gpu, variant: Variant) {
    let mut random = Random(73);
    let floats = calm(&mut random, 27_004);
    strided_of::<f32, _>(gpu, variant, &floats, "x * y - z", Sum);
    let words = words(&mut random, 27_004);
    let bytes: &[u8] = bytemuck::cast_slice(&words);
    strided_of::<u8, _>(gpu, variant, &bytes[..20_000], "x * y + z * i", Sum);
    let halves: &[i16] = bytemuck::cast_slice(&words);
    strided_of::<i16, _>(gpu, variant, &halves[..20_000], "x * y - z", Sum);
    let wides: &[i64] = &words.chunks_exact(2).map(i64_of).collect::<Vec<_>>();
    strided_of::<i64, _>(gpu, variant, wides, "x * y - z", Sum);
    let points: &[[i32; 3]] = bytemuck::cast_slice(&words[..27_003]);
    strided_of::<[i32; 3], _>(gpu, variant, points, "x.x * y.z - z.y", Sum);
}

fn i64_of(words: &[u32]) -> i64 {
    (u64::from(words[1]) << 32 | u64::from(words[0])).cast_signed()
}

/// Of every size, from every place in a vector.
fn types(gpu: &Gpu, variant: Variant) {
    let mut random = Random(79);
    let words = words(&mut random, 12_288);
    let cuts: [[&[usize]; 3]; 2] = [
        [&[0, 5000], &[3, 1000, 5003], &[1, 5001]],
        [&[13, 4108, 6013], &[2, 6002], &[5, 8, 6005]],
    ];
    fn of<T: MapElement, Op: Operator<T::Wide> + Copy>(
        gpu: &Gpu,
        variant: Variant,
        elements: &[T],
        text: &str,
        cuts: [&[usize]; 3],
        op: Op,
    ) {
        let map = Map3::<T>::new(text).expect(text);
        let reversed: Vec<T> = elements.iter().rev().copied().collect();
        let mut rotated = elements.to_vec();
        rotated.rotate_left(elements.len() / 3);
        expect::<T, _>(gpu, variant, &map, [elements, &reversed, &rotated], cuts, op);
    }
    let bytes: &[u8] = bytemuck::cast_slice(&words[..2000]);
    let signed_bytes: &[i8] = bytemuck::cast_slice(&words[..2000]);
    let halves: &[u16] = bytemuck::cast_slice(&words[..4000]);
    let floats: Vec<f16> = halves.iter().map(|&half| f16::from_bits(half & 0xbfff)).collect();
    let brains: Vec<bf16> = halves.iter().map(|&half| bf16::from_bits(half & 0xbfff)).collect();
    let flags: Vec<Bool> = bytes.iter().map(|&byte| Bool::from(byte & 1 == 1)).collect();
    let wides: Vec<i64> = words.chunks_exact(2).map(i64_of).collect();
    let doubles: Vec<f64> = words.iter().map(|&word| f64::from(word.cast_signed()) / 3.0).collect();
    let pair = |word: &u32| {
        let [a, b, ..] = word.to_le_bytes();
        [f32::from(a) * 0.37 - 40.0, f32::from(b) * 1e-3]
    };
    let pairs: Vec<[f32; 2]> = words.iter().map(pair).collect();
    let four = |word: &u32| [0, 7, 14, 21].map(|by| word.rotate_left(by));
    let fours: Vec<[u32; 4]> = words.iter().map(four).collect();
    for cuts in cuts {
        of::<u8, _>(gpu, variant, bytes, "x * y - z * i", cuts, Sum);
        of::<i8, _>(gpu, variant, signed_bytes, "x * y - z", cuts, SumWide);
        of::<u16, _>(gpu, variant, halves, "(x * y) ^ z", cuts, Max);
        of::<f16, _>(gpu, variant, &floats, "x * y - z", cuts, Sum);
        of::<bf16, _>(gpu, variant, &brains, "x * y - z", cuts, Min);
        of::<Bool, _>(gpu, variant, &flags, "x + y * 2u + z * 4u", cuts, Sum);
        of::<i64, _>(gpu, variant, &wides, "x * y - z", cuts, Sum);
        of::<f64, _>(gpu, variant, &doubles, "x * y - z", cuts, Sum);
        of::<[f32; 2], _>(gpu, variant, &pairs, "x.x * y.y - z.x * z.y", cuts, Sum);
        of::<[u32; 4], _>(gpu, variant, &fours, "x.w * y.z + z.y", cuts, BitXor);
    }
}

fn operators(gpu: &Gpu, variant: Variant) {
    let mut random = Random(83);
    let [x, y, z] = [(); 3].map(|()| {
        let of = |x: f32| if x.is_normal() && x.abs() < 1e9 { x } else { 0.25 };
        ordinary(&mut random, 9001).into_iter().map(of).collect::<Vec<_>>()
    });
    let inputs = [&x[..], &y, &z];
    let cuts: [&[usize]; 3] = [&[3, 8999], &[0, 700, 8996], &[5, 5000, 9001]];
    let map = Map3::<f32>::new("x * y - z").expect("an expression");
    let some = map.clone().only_where("z > 0.0 && i % 5u != 2u").expect("a predicate");
    for map in [&map, &some] {
        expect::<f32, _>(gpu, variant, map, inputs, cuts, Mean);
        expect::<f32, _>(gpu, variant, map, inputs, cuts, Norm);
        expect::<f32, _>(gpu, variant, map, inputs, cuts, Max);
        expect::<f32, _>(gpu, variant, map, inputs, cuts, Count);
        expect::<f32, _>(gpu, variant, map, inputs, cuts, ArgMax);
        expect::<f32, _>(gpu, variant, map, inputs, cuts, Mean.nan(Nan::Ignore));
    }
    expect::<f32, _>(gpu, variant, &map, inputs, cuts, MinMax);
    expect::<f32, _>(gpu, variant, &some, inputs, cuts, ArgMinMax);
}

/// Every element has its index, and is there once.
fn windows(gpu: &Gpu, variant: Variant) {
    let [x, y, z] = [89, 97, 101].map(|seed| words(&mut Random(seed), 50_003));
    let map = Map3::<u32>::new("x * i + (y ^ i) - z").expect("an expression");
    for cuts in [
        [&[0, 50_003][..], &[0, 50_003], &[0, 50_003]],
        [&[1, 9000, 50_000], &[0, 49_999], &[4, 30_000, 30_001, 50_003]],
    ] {
        expect::<u32, _>(gpu, variant, &map, [&x, &y, &z], cuts, Sum);
    }
    let bytes: &[u8] = bytemuck::cast_slice(&x);
    let map = Map3::<u8>::new("x * i + y * 3u - z").expect("an expression");
    let cuts: [&[usize]; 3] = [&[0, 120_000], &[3, 120_003], &[5, 80_000, 120_005]];
    expect::<u8, _>(gpu, variant, &map, [bytes, &bytes[1..], &bytes[2..]], cuts, Sum);
}

/// A kernel that writes the result as well would bind five.
fn four_buffers(gpu: &Gpu, variant: Variant) {
    assert_eq!(gpu.capabilities().max_storage_buffers, 4);
    let mut random = Random(103);
    let [x, y, z] = [(); 3].map(|()| calm(&mut random, 20_003));
    let map = Map3::<f32>::new("x * y - z").expect("an expression");
    for cuts in CUTS {
        expect::<f32, _>(gpu, variant, &map, [&x, &y, &z], cuts, Sum);
    }
    let [a, b, c] = [&x, &y, &z].map(|input| upload(gpu, input));
    let few = |slice: &GpuSlice<f32>| slice.slice(0..100).expect("within");
    let reducer = reducer::<f32, _>(gpu, variant, &map, Sum);
    let plan = reducer.plan((few(&a), few(&b), few(&c))).expect("plans");
    assert_eq!((plan.strategy, plan.dispatches.len()), (Strategy::TwoPass, 2), "{plan}");
    let exact = reducer.precision(Precision::Exact).reduce_blocking((&a, &b, &c));
    let wanted = Executor::cpu().precision(Precision::Exact);
    let wanted = wanted.reduce_map3(&map, &x, &y, &z, Sum).expect("reduces").value;
    assert_eq!(exact.expect("reduces").to_bits(), wanted.to_bits());
}

fn exact(gpu: &Gpu, _variant: Variant) {
    let mut random = Random(107);
    let [x, y, z] = [(); 3].map(|()| calm(&mut random, 9001));
    let map = Map3::<f32>::new("x * y * 1e3 - z").expect("an expression");
    let some = map.clone().only_where("z > 0.0 && i % 5u != 2u").expect("a predicate");
    let cpu = Executor::cpu().precision(Precision::Exact);
    let [a, b, c] = [&x, &y, &z].map(|input| upload(gpu, input));
    macro_rules! of {
        ($($operator:ident $map:ident)*) => {$(
            let reducer = Reducer::<_, Mapped<_>>::map3(&gpu.context, &$map, $operator);
            let reducer = reducer.expect("a map").precision(Precision::Exact);
            for ranges in [[0..9001, 0..9001, 0..9001], [1..2, 2..3, 0..1], [3..4099, 0..4096, 7..4103]] {
                let [first, second, third] = &ranges;
                let part = |slice: &GpuSlice<f32>, range: &std::ops::Range<usize>| {
                    slice.slice(range.start as u64..range.end as u64).expect("within")
                };
                let found =
                    reducer.reduce_blocking((part(&a, first), part(&b, second), part(&c, third)));
                let [x, y, z] = [&x[first.clone()], &y[second.clone()], &z[third.clone()]];
                let wanted = cpu.reduce_map3(&$map, x, y, z, $operator);
                let bits = [found.expect("reduces"), wanted.expect("reduces").value].map(f32::to_bits);
                assert_eq!(bits[0], bits[1], "{} of {ranges:?}", stringify!($operator));
            }
        )*};
    }
    of!(Sum map Norm map Variance map Sum some);
    // Of the elements that count, in two reads.
    let executor = Executor::from_context(gpu.context.clone()).precision(Precision::Exact);
    let [a, b, c] = [&x, &y, &z].map(|input| executor.upload(input).expect("uploads"));
    let found = a.reduce_map3(&some, &b, &c, Variance).expect("reduces");
    let wanted = cpu.reduce_map3(&some, &x, &y, &z, Variance).expect("reduces").value;
    assert_ne!(found.adapter, AdapterName::cpu());
    assert_eq!(found.value.to_bits(), wanted.to_bits());
    let doubles = x.iter().map(|&x| f64::from(x) / 3.0).collect::<Vec<_>>();
    let map = Map3::<f64>::new("x * y - z * 0.1").expect("an expression");
    let slice = upload(gpu, &doubles);
    let reducer = Reducer::<_, Mapped<_>>::map3(&gpu.context, &map, Sum).expect("a map");
    let found = reducer.precision(Precision::Exact).reduce_blocking((&slice, &slice, &slice));
    let wanted = cpu.reduce_map3(&map, &doubles, &doubles, &doubles, Sum);
    assert_eq!(found.expect("reduces").to_bits(), wanted.expect("reduces").value.to_bits());
}

/// Which has the inputs, and the result beside them.
fn one_buffer(gpu: &Gpu, variant: Variant) {
    let map = Map3::<u32>::new("x * y - z + i").expect("an expression");
    let strategies = match gpu.capabilities().coherent_memory {
        true => &[Strategy::TwoPass, Strategy::SinglePass][..],
        false => &[Strategy::TwoPass],
    };
    for &strategy in strategies {
        for len in [1, 100, 4097, 9000] {
            let all = words(&mut Random(109), 3 * len + 5);
            let whole = upload(gpu, &all);
            let part =
                |begin: usize, end: usize| whole.slice(begin as u64..end as u64).expect("within");
            let inputs = (part(1, len + 1), part(len + 2, 2 * len + 2), part(0, len));
            let output = part(3 * len + 3, 3 * len + 4);
            let reducer = reducer::<u32, _>(gpu, variant, &map, Sum).strategy(strategy);
            let mut encoder = gpu.encoder();
            reducer.record(&mut encoder, inputs, &output).expect("records");
            gpu.submit(encoder);
            let (x, y, z) = (&all[1..=len], &all[len + 2..2 * len + 2], &all[..len]);
            let wanted = Executor::cpu().reduce_map3(&map, x, y, z, Sum);
            let mut written = all.clone();
            written[3 * len + 3] = wanted.expect("reduces").value;
            let found: Vec<u32> = bytemuck::pod_collect_to_vec(&read_all(gpu, &output));
            assert_eq!(found[..written.len()], written, "{len}, {strategy:?}");
            // The result must not be written over what is read.
            for at in [0, len + 2] {
                let within = part(at, at + 1);
                let error = reducer
                    .prepare((part(1, len + 1), part(len + 2, 2 * len + 2), part(0, len)), &within);
                let error = error.expect_err("it is an input");
                assert!(matches!(error, PrepareError::OutputWithinInput { .. }), "{error}");
            }
        }
    }
}

fn batches_and_counts(gpu: &Gpu, variant: Variant) {
    let all = words(&mut Random(113), 45_000);
    let whole = upload(gpu, &all);
    let map = Map3::<u32>::new("x * i - (y ^ z)").expect("an expression");
    let reducer = reducer::<u32, _>(gpu, variant, &map, Sum);
    let part =
        |begin: usize, len: usize| whole.slice(begin as u64..(begin + len) as u64).expect("within");
    let wanted = |len: usize| {
        let (x, y, z) = (&all[..len], &all[15_001..15_001 + len], &all[30_000 - 2..][..len]);
        Executor::cpu().reduce_map3(&map, x, y, z, Sum).expect("reduces").value
    };
    let inputs = |len| (part(0, len), part(15_001, len), part(29_998, len));
    let mut batch = Batch::new(&gpu.context);
    let lens = [0, 5, 1000, 4096, 10_000, 14_001];
    let tickets = lens.map(|len| batch.add(&reducer, inputs(len)).expect("fits"));
    let results = batch.reduce_blocking().expect("reduces");
    for (len, ticket) in lens.into_iter().zip(tickets) {
        assert_eq!(results.get(ticket).expect("its own"), wanted(len), "{len}");
    }
    // As many as a number on the device says.
    for len in lens {
        let count = slice_of(gpu, &[len as u64], 0, 0);
        let output = unwritten::<u32>(gpu, 1, 0, 0);
        let mut encoder = gpu.encoder();
        reducer
            .record(&mut encoder, Counted::new(inputs(14_002), &count), &output)
            .expect("records");
        gpu.submit(encoder);
        assert_eq!(read(gpu, &output), [wanted(len)], "{len}");
    }
    reducer.warm_up_blocking().expect("compiles");
}

fn arrays(gpu: &Gpu, _variant: Variant) {
    let mut random = Random(127);
    let [x, y, z] = [(); 3].map(|()| calm(&mut random, 20_003));
    let map = Map3::<f32>::new("x * y - z * f32(i & 7u)").expect("an expression");
    let wanted = Executor::cpu().reduce_map3(&map, &x, &y, &z, Sum).expect("reduces").value;
    let wanted = wanted.to_bits();
    let executor = Executor::from_context(gpu.context.clone());
    let [a, b, c] = [&x, &y, &z].map(|input| executor.upload(input).expect("uploads"));
    let found = a.reduce_map3(&map, &b, &c, Sum).expect("reduces");
    assert_ne!(found.adapter, AdapterName::cpu());
    assert_eq!(found.value.to_bits(), wanted);
    // In chunks, of which each has a part of every input.
    for chunk_bytes in [1 << 14, 1 << 24] {
        let executor = executor.clone().chunk_bytes(chunk_bytes).host_slices(HostSlices::OnDevice);
        let found = executor.reduce_map3(&map, &x, &y, &z, Sum).expect("reduces");
        assert_ne!(found.adapter, AdapterName::cpu());
        assert_eq!(found.value.to_bits(), wanted);
        let mut rest = [&x[..], &y, &z];
        let found = executor.reduce_map3_stream::<f32, _, ()>(&map, 20_003, Sum, |input, part| {
            let now;
            (now, rest[input]) = rest[input].split_at(part.len());
            part.copy_from_slice(now);
            Ok(())
        });
        let found = found.expect("reduces");
        assert_ne!(found.adapter, AdapterName::cpu());
        assert_eq!(found.value.to_bits(), wanted);
    }
    let elsewhere = Executor::cpu().upload(&z).expect("uploads");
    let error = a.reduce_map3(&map, &b, &elsewhere, Sum).expect_err("of another executor");
    assert!(matches!(error, Error::Prepare(PrepareError::DifferentExecutors { .. })), "{error}");
}

/// Its integers have the same bits everywhere.
fn functions(gpu: &Gpu, variant: Variant) {
    let text =
        "fn map(x: u32, y: u32, z: u32, i: u32) -> u32 { return (x ^ i) * y - (z >> (i & 7u)); }";
    let twin = |x: u32, y: u32, z: u32, i: u32| (x ^ i).wrapping_mul(y).wrapping_sub(z >> (i & 7));
    let map = Map3::<u32>::wgsl(text, twin).expect("a function");
    let [x, y, z] = [131, 137, 139].map(|seed| words(&mut Random(seed), 20_003));
    for cuts in [CUTS[3], CUTS[7]] {
        expect::<u32, _>(gpu, variant, &map, [&x, &y, &z], cuts, Sum);
    }
}

fn lengths(gpu: &Gpu, variant: Variant) {
    let map = Map3::<f32>::new("x * y - z").expect("an expression");
    let whole = upload(gpu, &[1.0f32; 100]);
    let part = |len: u64| whole.slice(0..len).expect("within");
    for [x, y, z] in [[1, 1, 0], [0, 1, 1], [100, 99, 100], [1, 2, 3]] {
        let reducer = reducer::<f32, _>(gpu, variant, &map, Sum);
        let error = reducer.plan((part(x), part(y), part(z))).expect_err("not of one length");
        let PrepareError::LengthMismatchOfThree { x: a, y: b, z: c } = error else {
            panic!("{error}");
        };
        assert_eq!([a, b, c], [x, y, z]);
    }
}
