//! Expressions over elements of less than a word, and of 64 bits: on devices as on the CPU.

#[path = "../custom/random_wide.rs"]
mod random_wide;

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    map::{
        expect, expect_exact, expect_pairs,
        random::{Random, words},
        upload,
    },
    selections::selects,
    support::expression_vectors::{ExpressionVector, Visit, visit_all},
};
use gridfold::{
    ArgMax, ArgMin, ArgMinMax, Batch, BitXor, Bool, Count, Executor, GpuSlice, HostSlices, Map,
    Map2, MapElement, Mapped, Max, MaxAbs, Mean, Min, MinMax, Nan, Norm, Operator, Precision,
    Predicate, Product, Reducer, Strategy, Sum, SumWide, Variance, Variant,
};
use half::{bf16, f16};
use random_wide::{wide_expression, wides};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("maps of narrow elements", narrow),
        Case::tier1(VULKAN, "maps of narrow elements, strided", strided),
        Case::tier2("maps of 64 bits", wide),
        Case::tier2("maps of 64 bits, every operator", wide_operators),
        Case::tier2("maps of 64 bits, random expressions", |gpu, variant| {
            random_expressions(gpu, variant, 9);
        }),
        Case::tier2("maps of 64 bits, long expressions", long_expressions),
        Case::tier1(BOTH, "predicates of 64 bits", wide_predicates),
        Case::tier1(BOTH, "predicates of 8 and 16 bits", narrow_predicates),
        Case::tier1(BOTH, "predicates with parameters", parameters),
        Case::tier2("maps of every type, vectors", vectors),
        Case::tier2("maps, extrema of some", extrema_of_some),
        Case::tier1(BOTH, "maps, extrema of none", extrema_of_none),
        Case::tier2("maps, places", places),
        Case::tier2("maps, means of some", means),
        Case::tier2("maps of components", components),
        Case::tier2("maps of components, in software", |gpu, variant| {
            components(&crate::floats::in_software(gpu), variant);
        }),
        Case::tier1(VULKAN, "maps of components, strided", strided_components),
        Case::tier2("maps of components, exact results", exact_components)
            .only(Variant::WorkgroupMemory),
        Case::tier1(VULKAN, "maps of components, small windows", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 5;
            });
            let small = small.expect("a device with lower limits");
            small.check(|gpu| components_in_windows(gpu, variant)).expect("no errors");
        }),
        Case::tier1(BOTH, "predicates of components", component_predicates),
    ]
}

fn narrow(gpu: &Gpu, variant: Variant) {
    let bytes: Vec<u8> = bytemuck::cast_slice(&words(&mut Random(3), 3001)).to_vec();
    narrow_of::<u8, _>(gpu, variant, &bytes, "x * 300u + i", Sum);
    narrow_of::<i8, _>(gpu, variant, bytemuck::cast_slice(&bytes), "x << 24u", SumWide);
    let flags: Vec<Bool> = bytes.iter().map(|byte| Bool::from_byte(byte & 3)).collect();
    narrow_of::<Bool, _>(gpu, variant, &flags, "x ^ (i & 1u)", Sum);
    let halves: &[u16] = &bytemuck::pod_collect_to_vec::<u8, u16>(&bytes);
    narrow_of::<u16, _>(gpu, variant, halves, "x * 0x10001u", SumWide);
    narrow_of::<i16, _>(gpu, variant, bytemuck::cast_slice(halves), "x * -3", Min);
    // Finite ones, so that sums tell something.
    let finite: Vec<u16> = halves.iter().map(|bits| bits & 0xbfff).collect();
    narrow_of::<f16, _>(gpu, variant, bytemuck::cast_slice(&finite), "x * 0.1 + 1e-6", Sum);
    narrow_of::<bf16, _>(gpu, variant, bytemuck::cast_slice(&finite), "x * x - 0.5", Sum);
}

/// Of one input and of two, whole and where places in words are odd.
fn narrow_of<T: MapElement, Op: Operator<T::Wide> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
    text: &str,
    op: Op,
) {
    let map = Map::<T>::new(text).and_then(|map| map.only_where("i % 5u != 1u")).expect(text);
    let len = elements.len();
    for cuts in [&[0, len][..], &[1, 3, 700], &[3, 500, 501, len - 1]] {
        expect::<T, _>(gpu, variant, &map, elements, cuts, text, op);
    }
    let pairs = Map2::<T>::new(&text.replacen('x', "(x + y)", 1)).or_else(|_| Map2::new("x"));
    let reversed: Vec<T> = elements.iter().rev().copied().collect();
    let pairs = pairs.expect("an expression of pairs");
    expect_pairs::<T, _>(gpu, variant, &pairs, &elements[1..len - 1], &reversed[2..], op);
}

fn strided(gpu: &Gpu, variant: Variant) {
    let bytes: Vec<u8> = bytemuck::cast_slice(&words(&mut Random(4), 3000)).to_vec();
    let whole = upload(gpu, &bytes);
    let of = |offset: usize| {
        let len = (bytes.len() - offset).div_ceil(3);
        let slice = GpuSlice::<u8>::strided(whole.buffer(), offset as u64, 3, len as u64);
        let elements: Vec<u8> = bytes[offset..].iter().step_by(3).copied().collect();
        (slice.expect("within"), elements)
    };
    let ((left, left_bytes), (right, right_bytes)) = (of(0), of(0));
    let map = Map::<u8>::new("x * i").expect("an expression");
    let reducer = Reducer::<u8, Mapped<_>>::mapped(&gpu.context, &map, Sum).expect("a map");
    let found = reducer.variant(variant).reduce_blocking(&left).expect("reduces");
    let wanted = Executor::cpu().reduce_map(&map, &left_bytes, Sum).expect("reduces").value;
    assert_eq!(found, wanted);
    let map = Map2::<u8>::new("x * (y + i)").expect("an expression");
    let reducer = Reducer::<_, Mapped<_>>::map2(&gpu.context, &map, Sum).expect("a map");
    let found = reducer.variant(variant).reduce_blocking((&left, &right)).expect("reduces");
    let wanted = Executor::cpu().reduce_map2(&map, &left_bytes, &right_bytes, Sum);
    assert_eq!(found, wanted.expect("reduces").value);
}

fn wide(gpu: &Gpu, variant: Variant) {
    let unsigned = wides(&mut Random(5), 5003);
    let signed: Vec<i64> = unsigned.iter().map(|bits| bits.cast_signed()).collect();
    let doubles: Vec<f64> = unsigned.iter().map(|&bits| f64::from_bits(bits)).collect();
    let cuts: [&[usize]; 2] = [&[0, 5003], &[3, 700, 700, 5001]];
    for text in ["x * x + u64(i)", "x / (x >> 32u) ^ x % 1000"] {
        let map = Map::<u64>::new(text).expect(text);
        cuts.iter()
            .for_each(|cuts| expect::<u64, _>(gpu, variant, &map, &unsigned, cuts, text, Sum));
    }
    // With constants that Mesa's compiler would refuse.
    let constants = "x + i64(i32(109lu) % 7) + i64(bitcast<f32>(i32(84li & 183li)) * 1e38)";
    for text in ["abs(x) * -3 >> 2u", "i64(f64(x) * 0.5)", constants] {
        let map = Map::<i64>::new(text).and_then(|map| map.only_where("x < 3000000000"));
        let map = map.expect(text);
        cuts.iter().for_each(|cuts| expect::<i64, _>(gpu, variant, &map, &signed, cuts, text, Sum));
    }
    for text in ["x * 0.1 + 1e-308", "f64(f32(x)) / x"] {
        let map = Map::<f64>::new(text).and_then(|map| map.only_where("x > -3.0"));
        let map = map.expect(text);
        expect::<f64, _>(gpu, variant, &map, &doubles, &[0, 5003], text, Count);
        // Few at a time, so that no NaN hides another.
        for at in (0..70).step_by(7) {
            expect::<f64, _>(gpu, variant, &map, &doubles, &[at, at + 1], text, Sum);
        }
    }
    let calm: Vec<f64> = (0..5003).map(|i| f64::from(i % 977) * 0.37 - 100.0).collect();
    let map = Map::<f64>::new("x * x * 0.1").expect("an expression");
    cuts.iter().for_each(|cuts| expect::<f64, _>(gpu, variant, &map, &calm, cuts, "squares", Sum));
    let reversed: Vec<f64> = calm.iter().rev().copied().collect();
    let distance = Map2::<f64>::new("(x - y) * (x - y)").expect("an expression");
    expect_pairs::<f64, _>(gpu, variant, &distance, &calm, &reversed, Sum);
    let product = Map2::<i64>::new("x * y - i64(i)").expect("an expression");
    expect_pairs::<i64, _>(gpu, variant, &product, &signed, &signed[..], Sum);
    let map =
        Map::<u64>::with_parameters("x * factor + offset", &[("factor", 3), ("offset", 1 << 40)]);
    let map = map.expect("parameters");
    expect::<u64, _>(gpu, variant, &map, &unsigned, &[0, 5003], "parameters", Sum);
    let map = map.parameter("factor", u64::MAX - 1).expect("a parameter");
    expect::<u64, _>(gpu, variant, &map, &unsigned, &[0, 9, 5003], "parameters", Sum);
}

fn wide_operators(gpu: &Gpu, variant: Variant) {
    let calm: Vec<f64> = (0..3001).map(|i| f64::from(i % 977) * 0.37 - 100.0).collect();
    let map = Map::<f64>::new("x * 1.25 - 0.3").expect("an expression");
    expect::<f64, _>(gpu, variant, &map, &calm, &[1, 3001], "a line", Min);
    expect::<f64, _>(gpu, variant, &map, &calm, &[1, 3001], "a line", MinMax);
    expect::<f64, _>(gpu, variant, &map, &calm, &[1, 3001], "a line", Product);
    expect::<f64, _>(gpu, variant, &map, &calm, &[1, 3001], "a line", Mean);
    expect::<f64, _>(gpu, variant, &map, &calm, &[1, 3001], "a line", Variance);
    let signed: Vec<i64> =
        wides(&mut Random(6), 3001).iter().map(|bits| bits.cast_signed()).collect();
    let map = Map::<i64>::new("x / 3 - i64(i)").expect("an expression");
    expect::<i64, _>(gpu, variant, &map, &signed, &[1, 3001], "a line", Max);
    expect::<i64, _>(gpu, variant, &map, &signed, &[1, 3001], "a line", Product);
    expect::<i64, _>(gpu, variant, &map, &signed, &[1, 3001], "a line", MaxAbs);
    let own = Map::<u64>::wgsl(
        "fn map(x: vec2<u32>, i: u32) -> vec2<u32> { return vec2<u32>(x.y ^ i, x.x); }",
        |x, i| x.rotate_left(32) ^ u64::from(i),
    );
    let unsigned = wides(&mut Random(8), 3001);
    let own = own.expect("a function");
    expect::<u64, _>(gpu, variant, &own, &unsigned, &[1, 3001], "a function", Sum);
}

/// Which are a loop over their operations.
fn long_expressions(gpu: &Gpu, variant: Variant) {
    let elements = wides(&mut Random(22), 2000);
    let part = "bitcast<f64>(x) * 0.7 + f64(x % 1000) / bitcast<f64>(x) - ";
    let text = format!("bitcast<u64>({}0.5) ^ (x / 7 + u64(f32(i)))", part.repeat(10));
    let map = Map::<u64>::new(&text).and_then(|map| map.only_where("x % 3 != 1"));
    expect::<u64, _>(gpu, variant, &map.expect(&text), &elements, &[0, 1999], "long words", BitXor);
    // Nothing reads a divisor that became a factor.
    let divisors: String = (1..180).map(|power| format!(" / 0x1p{power}")).collect();
    let text = format!("bitcast<u64>(bitcast<f64>(x){divisors} + 1)");
    let map = Map::<u64>::new(&text).expect(&text);
    expect::<u64, _>(gpu, variant, &map, &elements, &[0, 700], "divisors", BitXor);
    let text = format!("{}0.5 < 1e10", part.repeat(9));
    let predicate = Predicate::new(&text).expect(&text);
    selects(gpu, variant, &predicate, &elements, |bits, _| {
        let x = f64::from_bits(bits);
        let rest = f64::from(u16::try_from(bits % 1000).expect("three digits")) / x;
        let sum = (1..9).fold(x * 0.7 + rest, |sum, _| sum - x * 0.7 + rest);
        sum - 0.5 < 1e10
    });
}

/// Of 64 bits, so that every bit counts, whatever it stands for.
fn random_expressions(gpu: &Gpu, variant: Variant, rounds: u32) {
    for round in 0..rounds {
        let mut random = Random(7000 + round);
        let elements = wides(&mut random, 2000);
        let ty = ["u64", "f64", "i64"][round as usize % 3];
        let text = wide_expression(&mut random, ty, 1 + round % 3);
        let text = if ty == "u64" { text } else { format!("bitcast<u64>({text})") };
        let predicate = wide_expression(&mut random, "bool", 1);
        let map = Map::<u64>::new(&text).and_then(|map| map.only_where(&predicate));
        let map = map.unwrap_or_else(|error| panic!("{text} where {predicate}: {error}"));
        let what = format!("{text} where {predicate}");
        expect::<u64, _>(gpu, variant, &map, &elements, &[0, 17, 1997], &what, BitXor);
    }
}

fn wide_predicates(gpu: &Gpu, variant: Variant) {
    let unsigned = wides(&mut Random(9), 9001);
    let doubles: Vec<f64> = unsigned.iter().map(|&bits| f64::from_bits(bits)).collect();
    let signed: Vec<i64> = unsigned.iter().map(|bits| bits.cast_signed()).collect();
    let predicate = Predicate::new("x % 3 == 1 && i > 77u").expect("valid");
    selects(gpu, variant, &predicate, &unsigned, |x, i| x % 3 == 1 && i > 77);
    let predicate = Predicate::new("x / 5 < -1000").expect("valid");
    selects(gpu, variant, &predicate, &signed, |x, _| x / 5 < -1000);
    let predicate = Predicate::new("x * 0.5 > 1e-300").expect("valid");
    selects(gpu, variant, &predicate, &doubles, |x, _| x * 0.5 > 1e-300);
}

/// Elements that are widened before a predicate takes them, and copied as they are.
fn narrow_predicates(gpu: &Gpu, variant: Variant) {
    let words = words(&mut Random(12), 9001);
    let bytes: Vec<u8> = words.iter().map(|x| x.to_le_bytes()[2]).collect();
    let predicate = Predicate::new("x % 3u == 1u && i > 77u").expect("valid");
    selects(gpu, variant, &predicate, &bytes, |x, i| x % 3 == 1 && i > 77);
    let signed: Vec<i8> = bytes.iter().map(|x| x.cast_signed()).collect();
    let predicate = Predicate::new("x / 5 < -9").expect("valid");
    selects(gpu, variant, &predicate, &signed, |x, _| x / 5 < -9);
    let halves: Vec<u16> = words.iter().map(|x| u16::try_from(x >> 16).expect("16 bits")).collect();
    let predicate = Predicate::new("(x & 0x8001u) == 1u").expect("valid");
    selects(gpu, variant, &predicate, &halves, |x, _| x & 0x8001 == 1);
    let signed: Vec<i16> = halves.iter().map(|x| x.cast_signed()).collect();
    let predicate = Predicate::new("x < -300 || i < 3u").expect("valid");
    selects(gpu, variant, &predicate, &signed, |x, i| x < -300 || i < 3);
    let floats: Vec<f16> = halves.iter().map(|&bits| f16::from_bits(bits)).collect();
    let predicate = Predicate::new("x * 0.5 > 1e-6 || x != x").expect("valid");
    selects(gpu, variant, &predicate, &floats, |x, _| f32::from(x) * 0.5 > 1e-6 || x.is_nan());
    let floats: Vec<bf16> = halves.iter().map(|&bits| bf16::from_bits(bits)).collect();
    let predicate = Predicate::new("x + 1.0 < 2.5").expect("valid");
    selects(gpu, variant, &predicate, &floats, |x, _| f32::from(x) + 1.0 < 2.5);
}

fn parameters(gpu: &Gpu, variant: Variant) {
    let elements = words(&mut Random(10), 9001);
    let text = "(x ^ a) % b == c && i != d";
    let all = [("a", 77), ("b", 5), ("c", 2), ("d", 100)];
    let predicate = Predicate::<u32>::with_parameters(text, &all).expect("parameters");
    selects(gpu, variant, &predicate, &elements, |x, i| (x ^ 77) % 5 == 2 && i != 100);
    let predicate = predicate.parameter("b", 3).and_then(|it| it.parameter("d", 4));
    let predicate = predicate.expect("parameters");
    selects(gpu, variant, &predicate, &elements, |x, i| (x ^ 77) % 3 == 2 && i != 4);
    let wide = wides(&mut Random(11), 4001);
    let ends = [("low", 1 << 33), ("high", u64::MAX - 5)];
    let predicate = Predicate::<u64>::with_parameters("x > low && x < high", &ends);
    selects(gpu, variant, &predicate.expect("parameters"), &wide, |x, _| {
        x > 1 << 33 && x < u64::MAX - 5
    });
}

struct OnDevice<'a>(&'a Gpu, Variant);

impl Visit for OnDevice<'_> {
    fn visit<T: MapElement, Op: Operator<T::Wide>>(&mut self, vector: &ExpressionVector, op: Op) {
        let elements = vector.elements::<T>();
        if elements.len() == 1 {
            return;
        }
        let reducer = Reducer::<T, Mapped<_>>::mapped(&self.0.context, &vector.map(), op);
        let reducer = reducer.expect("a map").variant(self.1);
        let found = reducer.reduce_blocking(upload(self.0, &elements)).expect("reduces");
        vector.check(Op::out(found).expect("of some"));
    }
}

fn vectors(gpu: &Gpu, variant: Variant) {
    visit_all(&mut OnDevice(gpu, variant));
}

/// Extrema of some elements, of NaNs alone, and of none.
fn extrema_of_some(gpu: &Gpu, variant: Variant) {
    let floats: Vec<f32> = words(&mut Random(43), 9001).into_iter().map(f32::from_bits).collect();
    let cuts: [&[usize]; 3] = [&[0, 9001], &[5, 6], &[3, 700, 700, 8999]];
    // Some, NaNs alone, and none.
    for (limit, end) in [(-1.5, 8000.0), (-f32::INFINITY, 9001.0), (9.0, 0.0)] {
        let map = Map::<f32>::with_parameters("x * 0.5", &[("limit", limit), ("end", end)]);
        let text = "!(x >= limit) && f32(i) < end";
        let map = map.and_then(|map| map.only_where(text)).expect(text);
        for cuts in cuts {
            expect::<f32, _>(gpu, variant, &map, &floats, cuts, text, Min);
            expect::<f32, _>(gpu, variant, &map, &floats, cuts, text, Max.nan(Nan::Ignore));
            expect::<f32, _>(gpu, variant, &map, &floats, cuts, text, MinMax);
        }
        expect::<f32, _>(gpu, variant, &map, &floats, cuts[2], text, Min.nan(Nan::Total));
        expect::<f32, _>(gpu, variant, &map, &floats, cuts[2], text, MinMax.nan(Nan::Ignore));
    }
    // Output buffers get what the operators write of no elements.
    let none = Map::<f32>::new("x").and_then(|map| map.only_where("false")).expect("valid");
    let whole = upload(gpu, &floats);
    let executor = Executor::from_context(gpu.context.clone());
    macro_rules! written {
        ($operator:expr) => {{
            let reducer = Reducer::<f32, _>::new(&gpu.context, $operator).variant(variant);
            let results = executor.upload(&[7.0f32; 2]).expect("uploads");
            let buffer = results.gpu_slices().expect("on a GPU")[0].buffer();
            let output = GpuSlice::new(buffer, 0, 1).expect("within");
            let mut encoder = gpu.encoder();
            let reducer = reducer.map(&none).expect("valid");
            reducer.record(&mut encoder, &whole, &output).expect("records");
            gpu.submit(encoder);
            results.download().expect("reads")
        }};
    }
    assert_eq!((written!(Min)[0], written!(Max)[0]), (f32::INFINITY, f32::NEG_INFINITY));
    assert_eq!(written!(MinMax), [f32::INFINITY, f32::NEG_INFINITY]);
    assert!(written!(Min.nan(Nan::Ignore))[0].is_nan());
    assert!(written!(MinMax.nan(Nan::Total)).into_iter().all(f32::is_nan));
    let largest = [i64::MAX; 3000];
    let first = Map::<i64>::new("x").and_then(|map| map.only_where("i < 5u")).expect("valid");
    expect::<i64, _>(gpu, variant, &first, &largest, &[0, 3000], "the largest", Min);
    expect::<i64, _>(gpu, variant, &first, &largest, &[0, 3000], "the largest", MinMax);
    let bytes: Vec<u8> = floats.iter().map(|x| x.to_bits().to_le_bytes()[3]).collect();
    let map = Map::<u8>::new("(x ^ 77u) * 3u").and_then(|map| map.only_where("x > 250u"));
    let map = map.expect("a predicate");
    expect::<u8, _>(gpu, variant, &map, &bytes, &[1, 3000, 9001], "bytes", Max);
    expect::<u8, _>(gpu, variant, &map, &[3; 900], &[0, 900], "no bytes", Max);
}

/// Every way to read a result says that there is none. An output buffer holds the neutral element.
fn extrema_of_none(gpu: &Gpu, variant: Variant) {
    let none = Map::<i32>::new("x").and_then(|map| map.only_where("x > 100")).expect("valid");
    let (executor, elements) = (Executor::from_context(gpu.context.clone()), [7i32; 5000]);
    let (on_device, in_chunks) =
        (executor.clone().host_slices(HostSlices::OnDevice), executor.clone().chunk_bytes(1 << 12));
    let array = executor.upload(&elements).expect("uploads");
    let found = array.reduce_map(&none, Min).expect("reduces");
    assert_eq!(found.value, None);
    assert!(found.explanation.ends_with("whether any element counts."), "{}", found.explanation);
    let some = array.reduce_map(&Map::new("x").expect("an expression"), Min).expect("reduces");
    assert_eq!(some.value, Some(7));
    assert!(!some.explanation.contains("counts"), "{}", some.explanation);
    for executor in [on_device, in_chunks.host_slices(HostSlices::OnDevice)] {
        let found = executor.reduce_map(&none, &elements, MinMax).expect("reduces");
        assert_eq!((found.value, found.adapter), (None, gpu.context.adapter().clone()));
        assert!(
            found.explanation.ends_with("whether any element counts."),
            "{}",
            found.explanation
        );
        let found = executor.reduce_map(&none, &[i32::MAX; 5000], Min).expect("reduces");
        assert_eq!(found.value, Some(i32::MAX));
    }
    let whole = upload(gpu, &elements);
    let min = Reducer::<i32, _>::new(&gpu.context, Min).variant(variant).map(&none).expect("valid");
    assert_eq!(min.measure_blocking(&whole).expect("reduces").value, None);
    let mut encoder = gpu.encoder();
    let readback = min.record_readback(&mut encoder, &whole).expect("records");
    let output = executor.upload(&[0i32; 3]).expect("uploads");
    let slice = &output.gpu_slices().expect("on a GPU")[0];
    min.record(&mut encoder, &whole, slice).expect("records");
    let both = Reducer::<i32, _>::new(&gpu.context, MinMax).variant(variant).map(&none);
    let pair = GpuSlice::<[i32; 2]>::new(slice.buffer(), 4, 1).expect("within");
    both.expect("valid").record(&mut encoder, &whole, &pair).expect("records");
    gpu.context.queue().submit([encoder.finish()]);
    assert_eq!(readback.wait_blocking().expect("reads"), None);
    assert_eq!(output.download().expect("reads"), [i32::MAX, i32::MAX, i32::MIN]);
    let mut batch = Batch::new(&gpu.context);
    let ticket = batch.add(&min, &whole).expect("adds");
    let results = batch.reduce_blocking().expect("reduces");
    assert_eq!(results.get(ticket).expect("its own"), Some(i32::MAX));
    assert_eq!(pollster::block_on(min.reduce(&whole)).expect("reduces"), None);
    assert_eq!(pollster::block_on(min.measure(&whole)).expect("reduces").value, None);
    let largest = upload(gpu, &[i32::MAX; 5000]);
    assert_eq!(min.reduce_blocking(&largest).expect("reduces"), Some(i32::MAX));
    let min = min.strategy(Strategy::WorkgroupAtomic);
    let some = upload(gpu, &[7, 101, 300]);
    assert_eq!(min.reduce_blocking(&some).expect("reduces"), Some(101));
    assert_eq!(min.reduce_blocking(&whole).expect("reduces"), None);
}

/// Of what an expression makes of elements, all of them or some: the places are those in the whole sequence.
fn places(gpu: &Gpu, variant: Variant) {
    let floats: Vec<f32> = words(&mut Random(41), 9001).into_iter().map(f32::from_bits).collect();
    let cuts: [&[usize]; 4] = [&[0, 9001], &[5, 6], &[3, 700, 700, 8999], &[1, 5000, 9000]];
    let map = Map::<f32>::new("x * x - 3.0").expect("an expression");
    cuts.iter().for_each(|cuts| expect::<f32, _>(gpu, variant, &map, &floats, cuts, "all", ArgMin));
    expect::<f32, _>(gpu, variant, &map, &floats, cuts[2], "all", ArgMax.last());
    let some = map.clone().only_where("x < -1.5 && i % 7u != 0u").expect("a predicate");
    cuts.iter()
        .for_each(|cuts| expect::<f32, _>(gpu, variant, &some, &floats, cuts, "some", ArgMin));
    expect::<f32, _>(gpu, variant, &some, &floats, cuts[2], "some", ArgMinMax.nan(Nan::Ignore));
    expect::<f32, _>(gpu, variant, &some, &floats, cuts[0], "some", ArgMax.nan(Nan::Total));
    // None of them, and elements that are what stands for none.
    let none = map.only_where("false").expect("a predicate");
    cuts.iter()
        .for_each(|cuts| expect::<f32, _>(gpu, variant, &none, &floats, cuts, "none", ArgMinMax));
    let least = [i32::MIN; 5000];
    let last = Map::<i32>::new("x").and_then(|map| map.only_where("i > 4444u"));
    let last = last.expect("a predicate");
    expect::<i32, _>(gpu, variant, &last, &least, &[0, 5000], "the least", ArgMax);
    expect::<i32, _>(gpu, variant, &last, &least, &[0, 2500, 5000], "the least", ArgMin);
    let bytes: Vec<u8> = floats.iter().map(|x| x.to_bits().to_le_bytes()[3]).collect();
    let map = Map::<u8>::new("(x ^ 77u) * 3u").and_then(|map| map.only_where("x > 100u"));
    let map = map.expect("a predicate");
    expect::<u8, _>(gpu, variant, &map, &bytes, &[1, 3000, 9001], "bytes", ArgMax);
    let doubles: Vec<f64> = wides(&mut Random(42), 5001).into_iter().map(f64::from_bits).collect();
    let map = Map::<f64>::new("x * 0.5").and_then(|map| map.only_where("x < 1e200"));
    let map = map.expect("a predicate");
    expect::<f64, _>(gpu, variant, &map, &doubles, &[0, 5001], "doubles", ArgMax);
    let pairs = Map2::<f32>::new("x - y").and_then(|map| map.only_where("y > 0.5"));
    let reversed: Vec<f32> = floats.iter().rev().copied().collect();
    expect_pairs::<f32, _>(gpu, variant, &pairs.expect("a predicate"), &floats, &reversed, ArgMin);
}

fn means(gpu: &Gpu, variant: Variant) {
    let calm: Vec<f32> = (0..20_001).map(|i| (i % 977) as f32 * 0.37 - 100.0).collect();
    let cuts: [&[usize]; 4] = [&[0, 20_001], &[5, 6], &[3, 700, 700, 19_999], &[1, 5000, 9000]];
    // With parameters, so that all have the same pipelines.
    let none = [("low", f32::NEG_INFINITY), ("first", 0.0), ("last", 1e9)];
    let map = Map::<f32>::with_parameters("x * 0.5", &none);
    let map = map.and_then(|map| {
        map.only_where("!(x <= low) && f32(i) >= first && f32(i) < last && i % 3u != 1u")
    });
    let map = map.expect("a predicate");
    let of = |name: &str, value: f32| map.clone().parameter(name, value).expect("a parameter");
    for map in [&map, &of("low", 0.0), &of("first", 1e6), &of("last", 1.0)] {
        cuts.iter().for_each(|cuts| expect::<f32, _>(gpu, variant, map, &calm, cuts, "some", Mean));
    }
    // Zeros of either sign, subnormal numbers, and NaNs, which count where they are chosen.
    let mut odd = calm.clone();
    odd.splice(..1000, [-0.0; 1000]);
    odd.splice(7000..8000, [1e-39; 1000]);
    odd[11_000] = f32::NAN;
    odd[13_000] = f32::INFINITY;
    for map in [&map, &of("low", 0.0), &of("last", 9000.0), &of("first", 14_000.0)] {
        expect::<f32, _>(gpu, variant, map, &odd, &[0, 20_001], "odd ones", Mean);
        expect::<f32, _>(gpu, variant, map, &odd, &[1, 4100, 12_000, 20_000], "odd ones", Mean);
    }
    let doubles: Vec<f64> = calm.iter().map(|&x| f64::from(x) / 3.0).collect();
    let map = Map::<f64>::new("x * x").and_then(|map| map.only_where("x > 0.0"));
    expect::<f64, _>(
        gpu,
        variant,
        &map.expect("a predicate"),
        &doubles,
        &[2, 9001],
        "doubles",
        Mean,
    );
    let halves: Vec<f16> = calm.iter().map(|&x| f16::from_f32(x)).collect();
    let map = Map::<f16>::new("x").and_then(|map| map.only_where("x > 0.0")).expect("a predicate");
    expect::<f16, _>(gpu, variant, &map, &halves, &[2, 9001], "halves", Mean);
}

/// Elements of so many words each, of all kinds.
fn words_of<const COMPONENTS: usize>(seed: u32, len: usize) -> Vec<[u32; COMPONENTS]> {
    let words = words(&mut Random(seed), COMPONENTS * len);
    words.chunks_exact(COMPONENTS).map(|it| it.try_into().expect("as many")).collect()
}

/// Points whose coordinates say which they are, so that no other one does.
fn points<const COMPONENTS: usize>(len: usize) -> Vec<[f32; COMPONENTS]> {
    let coordinate = |i: usize| ((i * 7919) % 10_007) as f32 * 0.37 - 1800.0;
    (0..len).map(|at| std::array::from_fn(|i| coordinate(COMPONENTS * at + i))).collect()
}

/// Each component where it alone is looked at, and all of them together: whole, and cut where vectors in memory do not begin.
fn components(gpu: &Gpu, variant: Variant) {
    let cuts: [&[usize]; 4] = [&[0, 5003], &[1, 2], &[3, 700, 700, 5001], &[0, 4096]];
    fn some<T: MapElement>(text: &str) -> Map<T> {
        Map::new(text).and_then(|map| map.only_where("x.y < 900.0")).expect(text)
    }
    let (pairs, triples, quads) = (points::<2>(5003), points::<3>(5003), points::<4>(5003));
    for cuts in cuts {
        let map = some("x.x * x.x + x.y * x.y");
        expect::<[f32; 2], _>(gpu, variant, &map, &pairs, cuts, "pairs", Sum);
        let map = some("x.x * x.x + x.y * x.y + x.z * x.z");
        expect::<[f32; 3], _>(gpu, variant, &map, &triples, cuts, "triples", Sum);
        expect::<[f32; 3], _>(gpu, variant, &map, &triples, cuts, "triples", ArgMax);
        let map = some("x.x * x.w - x.y * x.z");
        expect::<[f32; 4], _>(gpu, variant, &map, &quads, cuts, "quads", Sum);
        expect::<[f32; 4], _>(gpu, variant, &map, &quads, cuts, "quads", Min);
    }
    // One at a time, of words of all kinds.
    for text in ["x.x ^ i", "x.y ^ i", "x.z ^ i", "x.w ^ i"] {
        if let Ok(map) = Map::new(text) {
            expect::<[u32; 2], _>(gpu, variant, &map, &words_of(71, 3001), &[1, 3001], text, Sum);
        }
        if let Ok(map) = Map::new(text) {
            expect::<[u32; 3], _>(gpu, variant, &map, &words_of(72, 3001), &[1, 3001], text, Sum);
        }
        let map = Map::new(text).expect("there are four");
        expect::<[u32; 4], _>(gpu, variant, &map, &words_of(73, 3001), &[1, 3001], text, SumWide);
    }
    // Floats of all kinds, few at a time, so that no NaN hides another.
    let any: Vec<[f32; 3]> =
        words_of(74, 60).into_iter().map(|it| it.map(f32::from_bits)).collect();
    let map = Map::<[f32; 3]>::new("x.z * 0.1 + x.x").expect("an expression");
    for at in (0..60).step_by(3) {
        expect::<[f32; 3], _>(gpu, variant, &map, &any, &[at, at + 1], "any floats", Sum);
    }
    let signed: Vec<[i32; 3]> =
        words_of(75, 4099).into_iter().map(|it| it.map(u32::cast_signed)).collect();
    let map = Map::<[i32; 3]>::with_parameters("min(x.x, x.z) / d - i32(i)", &[("d", 3)]);
    let map = map.expect("an expression");
    expect::<[i32; 3], _>(gpu, variant, &map, &signed, &[0, 4099], "signed", Sum);
    expect::<[i32; 3], _>(gpu, variant, &map, &signed, &[2, 4099], "signed", MaxAbs);
    let area = Map2::<[f32; 2]>::new("x.x * y.y - x.y * y.x").expect("an expression");
    let others: Vec<[f32; 2]> = pairs.iter().rev().map(|&[x, y]| [y, 0.5 * x]).collect();
    expect_pairs::<[f32; 2], _>(gpu, variant, &area, &pairs, &others, Sum);
    let dot = Map2::<[f32; 3]>::new("x.x * y.x + x.y * y.y + x.z * y.z").expect("an expression");
    expect_pairs::<[f32; 3], _>(gpu, variant, &dot, &triples[..5000], &triples[3..], Sum);
    let apart = Map2::<[i32; 3]>::new("x.z - y.x").and_then(|map| map.only_where("y.y > 5"));
    let apart = apart.expect("an expression");
    expect_pairs::<[i32; 3], _>(gpu, variant, &apart, &signed[1..], &signed[..4098], Max);
    let last = Map2::<[u32; 4]>::new("x.w ^ y.z").expect("an expression");
    expect_pairs::<[u32; 4], _>(
        gpu,
        variant,
        &last,
        &words_of(76, 999),
        &words_of(77, 999),
        BitXor,
    );
}

/// Gaps between elements, of one input and of two.
fn strided_components(gpu: &Gpu, variant: Variant) {
    let words = words(&mut Random(78), 20_003);
    let whole = upload(gpu, &words);
    // Of three words, after each of which there are two others.
    let of = |offset: usize| {
        let len = (words.len() - offset - 3) / 5 + 1;
        let offset_bytes = 4 * offset as u64;
        let slice = GpuSlice::<[u32; 3]>::strided(whole.buffer(), offset_bytes, 20, len as u64);
        let elements = words[offset..].chunks(5).take(len);
        let elements: Vec<[u32; 3]> = elements.map(|it| [it[0], it[1], it[2]]).collect();
        (slice.expect("within"), elements)
    };
    let ((left, left_words), (right, right_words)) = (of(1), of(4));
    let len = left_words.len().min(right_words.len());
    let map = Map::<[u32; 3]>::new("(x.x ^ i) + 3u * x.z").expect("an expression");
    let reducer = Reducer::<[u32; 3], Mapped<_>>::mapped(&gpu.context, &map, Sum).expect("a map");
    let found = reducer.variant(variant).reduce_blocking(&left).expect("reduces");
    let wanted = Executor::cpu().reduce_map(&map, &left_words, Sum).expect("reduces");
    assert_eq!(found, wanted.value);
    let map = Map2::<[u32; 3]>::new("x.y * (y.z + i)").expect("an expression");
    let reducer = Reducer::<_, Mapped<_>>::map2(&gpu.context, &map, Sum).expect("a map");
    let first = |slice: &GpuSlice<[u32; 3]>| slice.slice(0..len as u64).expect("within");
    let found = reducer.variant(variant).reduce_blocking((first(&left), first(&right)));
    let wanted = Executor::cpu().reduce_map2(&map, &left_words[..len], &right_words[..len], Sum);
    assert_eq!(found.expect("reduces"), wanted.expect("reduces").value);
}

fn exact_components(gpu: &Gpu, _variant: Variant) {
    let (pairs, triples) = (points::<2>(9001), points::<3>(9001));
    let map = Map::<[f32; 3]>::new("x.x * x.y - x.z * 1e-3").expect("an expression");
    let some = map.clone().only_where("x.z > -300.0 && i % 3u != 1u").expect("a predicate");
    for cuts in [&[0, 9001][..], &[4, 4100], &[3, 700, 700, 8999]] {
        expect_exact::<[f32; 3], _>(gpu, &map, &triples, cuts, "triples", Sum);
        expect_exact::<[f32; 3], _>(gpu, &some, &triples, cuts, "triples", Norm);
        expect_exact::<[f32; 3], _>(gpu, &map, &triples, cuts, "triples", Variance);
        let map = Map::<[f32; 2]>::new("x.y").expect("an expression");
        expect_exact::<[f32; 2], _>(gpu, &map, &pairs, cuts, "pairs", Mean);
    }
    // Of arrays, in two reads where elements are counted first.
    let on_device = Executor::from_context(gpu.context.clone()).precision(Precision::Exact);
    let on_cpu = Executor::cpu().precision(Precision::Exact);
    let [device, cpu] = [on_device, on_cpu].map(|executor| {
        let array = executor.upload(&triples).expect("uploads");
        let [mean, variance] = [
            array.reduce_map(&some, Mean).expect("reduces").value,
            array.reduce_map(&some, Variance).expect("reduces").value,
        ];
        let other = executor.upload(&triples[..9001]).expect("uploads");
        let dot = Map2::new("x.x * y.z + x.z * y.y").expect("an expression");
        let dot = array.reduce_map2(&dot, &other, Sum).expect("reduces").value;
        [mean, variance, dot].map(f32::to_bits)
    });
    assert_eq!(device, cpu);
}

/// Every element has its index, and is there once.
fn components_in_windows(gpu: &Gpu, variant: Variant) {
    let triples: Vec<[u32; 3]> = words_of(79, 20_003);
    let map = Map::<[u32; 3]>::new("x.x * i + x.z").expect("an expression");
    expect::<[u32; 3], _>(gpu, variant, &map, &triples, &[1, 9000, 20_003], "windows", Sum);
    let floats = points::<3>(20_003);
    let map = Map::<[f32; 3]>::new("x.z * f32(i) + x.y").expect("an expression");
    expect::<[f32; 3], _>(gpu, variant, &map, &floats, &[0, 20_003], "windows", Sum);
    expect_exact::<[f32; 3], _>(gpu, &map, &floats, &[0, 20_003], "windows", Sum);
    let pairs = Map2::<[u32; 3]>::new("x.y ^ (y.z * i)").expect("an expression");
    expect_pairs::<[u32; 3], _>(gpu, variant, &pairs, &triples[1..], &triples[..20_002], Sum);
    let predicate = Predicate::new("x.z > 0x80000000u && i % 3u != 0u").expect("valid");
    selects(gpu, variant, &predicate, &triples, |it, i| it[2] > 1 << 31 && i % 3 != 0);
}

/// Elements, and positions.
fn component_predicates(gpu: &Gpu, variant: Variant) {
    let triples = points::<3>(9001);
    let predicate = Predicate::new("x.z > 0.0 && x.x * 0.5 < 100.0 && i > 7u").expect("valid");
    selects(gpu, variant, &predicate, &triples, |[x, _, z], i| z > 0.0 && x * 0.5 < 100.0 && i > 7);
    let predicate = Predicate::<[i32; 2]>::with_parameters("x.y / d == x.x", &[("d", 3)]);
    let pairs: Vec<[i32; 2]> = (0..9001).map(|i| [i % 7, i % 23]).collect();
    selects(gpu, variant, &predicate.expect("valid"), &pairs, |[x, y], _| y / 3 == x);
    let quads: Vec<[u32; 4]> = words_of(80, 5003);
    let predicate = Predicate::new("(x.w & 3u) == 1u").expect("valid");
    selects(gpu, variant, &predicate, &quads, |it, _| it[3] & 3 == 1);
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(&triples).expect("uploads");
    let wanted = triples.iter().filter(|it| it[2] > 0.0).count() as u64;
    assert_eq!(array.count_if("x.z > 0.0").expect("counts"), wanted);
}
