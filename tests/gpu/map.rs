//! What expressions make of elements, on devices and on the CPU: the same bits.

#[path = "../custom/random.rs"]
pub mod random;

use crate::{BOTH, Case, OPENGL, VULKAN, device::Gpu};
use gridfold::{
    AdapterName, All, Any, Batch, BitXor, Count, CountNan, CustomOperator, ElementType, Error,
    Executor, GpuSlice, HostSlices, L1Norm, Map, Map2, MapElement, Mapped, Max, MaxAbs, Mean, Min,
    MinMax, Moments, Nan, NanRule, Norm, Operator, OperatorType, Policy, Precision, PrepareError,
    Product, Reducer, Strategy, Sum, SumOfSquares, SumWide, Variance, Variant, WgslError,
    WideElement,
    half::{bf16, f16},
    shader::Sources,
};
use random::{Random, expression, words};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "maps, short expressions", short_expressions),
        Case::tier1(VULKAN, "maps, a few random expressions", |gpu, variant| {
            random_expressions(gpu, variant, 6);
        }),
        Case::tier2("maps, random expressions", |gpu, variant| {
            random_expressions(gpu, variant, 30);
        }),
        Case::tier2("maps, long expressions", long_expressions),
        Case::tier2("maps, squares", squares),
        Case::tier1(BOTH, "maps, quotients of pairs", quotients),
        Case::tier1(VULKAN, "maps, pairs", pairs),
        Case::tier1(VULKAN, "maps, strided", strided),
        Case::tier1(BOTH, "maps, batches", batches),
        Case::tier1(VULKAN, "maps, parameters", parameters),
        Case::tier2("maps, every operator", every_operator),
        Case::tier2("maps, norms", norms),
        Case::tier2("maps, norms of pairs and of every float", norms_of_others),
        Case::tier2("maps, in software, norms", |gpu, variant| {
            norms(&crate::floats::in_software(gpu), variant);
        }),
        Case::tier2("maps, exact results", exact).only(Variant::WorkgroupMemory),
        Case::tier2("maps, exact results of pairs and of every float", exact_of_others),
        Case::tier2("maps, in software, exact results", |gpu, variant| {
            exact(&crate::floats::in_software(gpu), variant);
        })
        .only(Variant::WorkgroupMemory),
        Case::tier1(OPENGL, "maps in small windows, exact results", |gpu, _| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 5;
            });
            let small = small.expect("a device with lower limits");
            small.check(exact_in_windows).expect("no errors");
        })
        .only(Variant::WorkgroupMemory),
        // Drivers in software compile each of these for some seconds.
        Case::tier2("maps, variances and moments", moments),
        Case::tier1(BOTH, "maps, small windows", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 5;
            });
            let small = small.expect("a device with lower limits");
            small.check(|gpu| indices(gpu, variant)).expect("no errors");
        }),
        Case::tier1(BOTH, "maps, indices", indices),
        Case::tier2("maps, in software", |gpu, variant| {
            squares(&crate::floats::in_software(gpu), variant);
        }),
        Case::tier1(VULKAN, "maps, functions of one's own", functions),
        Case::tier1(BOTH, "maps, errors", errors),
        Case::tier1(OPENGL, "maps, floats that are as the device likes", |gpu, variant| {
            squares(&taking_liberties(gpu, Sources::default()), variant);
        }),
        Case::tier2("maps, floats that are as the device likes, exactly", |gpu, _| {
            exact_squares(&taking_liberties(gpu, Sources::default()));
        })
        .only(Variant::WorkgroupMemory),
    ]
}

/// The device as it would be if it took every liberty with floats that WGSL leaves.
fn taking_liberties(gpu: &Gpu, sources: Sources) -> Gpu {
    const FILE: &str = "expression/floats.wgsl@hardware";
    const LIBERTIES: &str = "
        fn as_expressions_like(a: u32, b: u32, bits: u32) -> u32 {
            let is_unsafe = !is_zero_or_normal(a) || !is_zero_or_normal(b) || !is_normal(bits);
            return select(bits, 0x80000000u, is_unsafe);
        }";
    let of = |sources: Sources, sign: &str| {
        let from = format!("fence(bitcast<f32>(a) {sign} bitcast<f32>(b))");
        sources.replace(FILE, &from, &format!("as_expressions_like(a, b, {from})"))
    };
    let sources = of(sources, "+").and_then(|sources| of(sources, "*")).expect("they are there");
    let text = sources.text(FILE).expect("it is there").to_owned() + LIBERTIES;
    crate::floats::taking_liberties(gpu, sources.with(FILE, text).expect("it is there"))
}

/// Floats that sums and products of a few of are normal, but for a special one now and then.
pub fn ordinary(random: &mut Random, len: usize) -> Vec<f32> {
    let special = words(random, len);
    let of = |special: u32| match random.next() % 500 {
        0 => special,
        _ => random.next() & 0x83ff_ffff | 0x3c00_0000,
    };
    special.into_iter().map(of).map(f32::from_bits).collect()
}

pub fn upload<T: MapElement>(gpu: &Gpu, elements: &[T]) -> GpuSlice<T> {
    let array = Executor::from_context(gpu.context.clone()).upload(elements).expect("uploads");
    array.gpu_slices().expect("on a GPU")[0].clone()
}

pub fn bits<T: WideElement, Op: Operator<T>>(value: Op::Value) -> Option<Vec<u8>> {
    Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec())
}

/// Slices of an input, on the device and on the CPU.
pub fn expect<T: MapElement, Op: Operator<T::Wide> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    map: &Map<T>,
    elements: &[T],
    cuts: &[usize],
    what: &str,
    op: Op,
) {
    let whole = upload(gpu, elements);
    let slices: Vec<_> = cuts
        .windows(2)
        .map(|ends| whole.slice(ends[0] as u64..ends[1] as u64).expect("within"))
        .collect();
    let elements = &elements[cuts[0]..cuts[cuts.len() - 1]];
    let wanted = Executor::cpu().reduce_map(map, elements, op).expect("reduces").value;
    let strategies = match gpu.capabilities().coherent_memory {
        true => &[Strategy::TwoPass, Strategy::SinglePass][..],
        false => &[Strategy::TwoPass],
    };
    let strategy = strategies[elements.len() % strategies.len()];
    let reducer = Reducer::<T, Mapped<_>>::mapped(&gpu.context, map, op).expect("a map");
    let reducer = reducer.variant(variant).strategy(strategy);
    let reducer = reducer.policy(Policy { min_rows: 4, max_workgroups: 7 });
    let found = reducer.reduce_blocking(&slices).expect("reduces");
    assert_eq!(
        bits::<T::Wide, Op>(found),
        bits::<T::Wide, Op>(wanted),
        "{} of {what} of {} cut at {cuts:?}: {found:?}, on the CPU {wanted:?}",
        op.spec().operator,
        elements.len(),
    );
}

fn squares(gpu: &Gpu, variant: Variant) {
    let map = Map::<f32>::new("x * x + 0.5").expect("an expression");
    let mut random = Random(3);
    let ordinary = ordinary(&mut random, 40_001);
    let normal: Vec<f32> =
        ordinary.iter().map(|x| if x.is_normal() { x.clamp(-9.0, 9.0) } else { 0.0 }).collect();
    // Sums that are not NaN.
    let finite: Vec<f32> =
        ordinary.iter().map(|x| if x.abs() < 1e15 { *x } else { 1e-39 }).collect();
    let zeros = vec![-0.0; 9000];
    for elements in [&normal, &finite, &ordinary, &zeros] {
        for end in [0, 1, 2, 5, 64, 1000, 4096, 5003, elements.len()] {
            expect::<f32, _>(gpu, variant, &map, elements, &[0, end], "squares", Sum);
        }
        let cuts = [3, 4, 4099, 4099, 8001, elements.len()];
        expect::<f32, _>(gpu, variant, &map, elements, &cuts, "squares", Sum);
    }
    // What a device makes of these may be 0 / 0: such a NaN is none of the sum's.
    let map = Map::<f32>::new("(x * 0.5) / (x * 0.5)").expect("an expression");
    let mut ones = vec![1.0; 9000];
    for at in [1, 4098, 8003] {
        ones[at] = f32::MIN_POSITIVE;
    }
    expect::<f32, _>(gpu, variant, &map, &ones, &[0, 9000], "quotients", Sum);
}

/// Each kind of arithmetic. Longer ones take SwiftShader minutes, and gigabytes.
fn short_expressions(gpu: &Gpu, variant: Variant) {
    let elements = words(&mut Random(5), 6000);
    for text in [
        "x * 3u % (x >> 20u & 3u) + i",
        "x / (x & 1u)",
        "bitcast<u32>(i32(x) % (i32(x << 5u) >> 29u) - i32(x >> 1u) / -3)",
    ] {
        let map = Map::<u32>::new(text).expect(text);
        expect::<u32, _>(gpu, variant, &map, &elements, &[1, 5000, 5998], text, Sum);
    }
    let least = [i32::MIN, 7, i32::MIN + 1, -7, 0, 1];
    for text in ["x / -1", "x % -1", "x / (i32(i) - 2)", "x % (i32(i) - 3)"] {
        let map = Map::<i32>::new(text).expect(text);
        expect::<i32, _>(gpu, variant, &map, &least, &[0, 6], text, Sum);
        expect::<i32, _>(gpu, variant, &map, &least, &[0, 6], text, BitXor);
    }
    let floats: Vec<f32> = elements.into_iter().map(f32::from_bits).collect();
    let map = Map::<f32>::new("x * 0.1 + 1e-38").and_then(|map| map.only_where("x > -3.0"));
    let map = map.expect("an expression with a predicate");
    for at in (0..100).step_by(7) {
        expect::<f32, _>(gpu, variant, &map, &floats, &[at, at + 1], "a sum of few", Sum);
    }
    expect::<f32, _>(gpu, variant, &map, &floats, &[0, 6000], "a count", Count);
}

/// Of words, so that every bit counts, whatever it stands for.
fn random_expressions(gpu: &Gpu, variant: Variant, rounds: u32) {
    for round in 0..rounds {
        let mut random = Random(1000 * rounds + round);
        let elements = words(&mut random, 6000);
        let depth = 1 + round % 4;
        match round % 3 {
            0 => {
                let text = expression(&mut random, "u32", "u32", &["x"], depth);
                let map = Map::<u32>::new(&text).expect(&text);
                expect::<u32, _>(gpu, variant, &map, &elements, &[1, 5000, 5998], &text, Sum);
            }
            1 => {
                let text = expression(&mut random, "f32", "u32", &["x"], depth);
                let text = format!("bitcast<u32>({text})");
                let map = Map::<u32>::new(&text).expect(&text);
                expect::<u32, _>(gpu, variant, &map, &elements, &[0, 17, 5997], &text, BitXor);
            }
            _ => {
                let elements: Vec<f32> = elements.into_iter().map(f32::from_bits).collect();
                let text = expression(&mut random, "f32", "f32", &["x"], depth);
                let predicate = expression(&mut random, "bool", "f32", &["x"], depth);
                let map = Map::<f32>::new(&text).and_then(|map| map.only_where(&predicate));
                let map = map.unwrap_or_else(|error| panic!("{text} where {predicate}: {error}"));
                let what = format!("{text} where {predicate}");
                // Each by itself, so that no NaN hides another.
                for at in (0..200).step_by(7) {
                    expect::<f32, _>(gpu, variant, &map, &elements, &[at, at + 1], &what, Sum);
                }
                expect::<f32, _>(gpu, variant, &map, &elements, &[0, 6000], &what, Count);
            }
        }
    }
}

/// Which are a loop over their operations.
fn long_expressions(gpu: &Gpu, variant: Variant) {
    let elements = words(&mut Random(21), 3000);
    let floats: Vec<f32> = elements.iter().map(|&bits| f32::from_bits(bits)).collect();
    let part = |x: &str| format!("{x} * 0.7 + select({x} / 3, min({x}, f32(i)), {x} < 0.5) - ");
    let text = part("x").repeat(12) + "x * 1e-30";
    let map = Map::<f32>::new(&text).and_then(|map| map.only_where("x * x + 1.0 != 2.0"));
    let map = map.expect("valid");
    // Each by itself, so that no NaN hides another.
    for at in (0..300).step_by(7) {
        expect::<f32, _>(gpu, variant, &map, &floats, &[at, at + 1], "a long sum of one", Sum);
    }
    // Each text has its own limit of signs, and one loop has the literals of both.
    let literals: String = (1..=190).map(|i| format!(" + {i}")).collect();
    let map = Map::<f32>::new(&format!("x{literals}"))
        .and_then(|map| map.only_where(&format!("-x{literals} > 0")))
        .expect("two texts");
    expect::<f32, _>(gpu, variant, &map, &floats, &[3, 40], "literals of two texts", Sum);
    let text = format!("bitcast<u32>({}1e-30)", part("bitcast<f32>(x)").repeat(5));
    let map = Map::<u32>::new(&text).and_then(|map| map.only_where("x > 1000u"));
    expect::<u32, _>(gpu, variant, &map.expect(&text), &elements, &[0, 2999], "long words", BitXor);
}

fn pairs(gpu: &Gpu, variant: Variant) {
    let mut random = Random(11);
    let (left, right) = (ordinary(&mut random, 20_003), ordinary(&mut random, 20_003));
    let map = Map2::<f32>::new("(x - y) * (x - y)").expect("an expression");
    expect_pairs::<f32, _>(gpu, variant, &map, &left, &right, Sum);
    let largest = map.only_where("i % 3u != 1u && x == x").expect("a predicate");
    expect_pairs::<f32, _>(gpu, variant, &largest, &left, &right, Sum);
    let (left, right) = (words(&mut random, 9001), words(&mut random, 9001));
    let map = Map2::<u32>::new("x * y + i").expect("an expression");
    expect_pairs::<u32, _>(gpu, variant, &map, &left, &right, Sum);
    expect_pairs::<u32, _>(gpu, variant, &map, &left, &right, Max);
    let text = expression(&mut random, "u32", "u32", &["x", "y"], 3);
    let map = Map2::<u32>::new(&text).expect(&text);
    expect_pairs::<u32, _>(gpu, variant, &map, &left, &right, BitXor);
}

pub fn expect_pairs<T: MapElement, Op: Operator<T::Wide> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    map: &Map2<T>,
    left: &[T],
    right: &[T],
    op: Op,
) {
    let (left_slice, right_slice) = (upload(gpu, left), upload(gpu, right));
    let reducer =
        Reducer::<_, Mapped<_>>::map2(&gpu.context, map, op).expect("a map").variant(variant);
    for (begin, end) in [(0, left.len()), (1, 2), (3, left.len().min(4099)), (5, 5)] {
        let part = |slice: &GpuSlice<T>| slice.slice(begin as u64..end as u64).expect("within");
        let found = reducer.reduce_blocking((part(&left_slice), part(&right_slice)));
        let found = found.expect("reduces");
        let (left, right) = (&left[begin..end], &right[begin..end]);
        let wanted = Executor::cpu().reduce_map2(map, left, right, op).expect("reduces").value;
        assert_eq!(
            bits::<T::Wide, Op>(found),
            bits::<T::Wide, Op>(wanted),
            "{begin}..{end}: {found:?}, on the CPU {wanted:?}"
        );
    }
}

/// Of each pair by itself, so that no NaN hides another, and of some thousand.
fn quotients(gpu: &Gpu, variant: Variant) {
    let mut random = Random(17);
    let (left, right) = (words(&mut random, 4099), words(&mut random, 4099));
    let map = Map2::<u32>::new("bitcast<u32>(bitcast<f32>(x) / bitcast<f32>(y)) ^ (i << 3u)");
    expect_pairs::<u32, _>(gpu, variant, &map.expect("an expression"), &left, &right, BitXor);
    let map = Map2::<f32>::new("x / y").expect("an expression");
    let float = |words: &[u32]| words.iter().copied().map(f32::from_bits).collect::<Vec<_>>();
    expect_pairs::<f32, _>(gpu, variant, &map, &float(&left)[..5], &float(&right)[..5], Max);
}

/// In one launch and in several, of one input and of two, and in a batch, where another value has the same pipelines.
fn parameters(gpu: &Gpu, variant: Variant) {
    let mut random = Random(31);
    let floats = ordinary(&mut random, 20_003);
    let parameters = [("a", -1.5), ("b", 1e-40), ("c", 3e38), ("d", 0.3)];
    let map = Map::<f32>::with_parameters("(x * a + b) * d", &parameters);
    let map = map.and_then(|map| map.only_where("x < c")).expect("an expression");
    expect::<f32, _>(gpu, variant, &map, &floats, &[1, 700], "parameters", Sum);
    expect::<f32, _>(gpu, variant, &map, &floats, &[0, 3, 9000, 20_001], "parameters", Sum);
    let map = map.parameter("a", 0.1).and_then(|map| map.parameter("d", -7.0));
    let map = map.expect("parameters");
    expect::<f32, _>(gpu, variant, &map, &floats, &[1, 20_002], "others", Sum);

    let elements = words(&mut random, 12_000);
    let (left, right) = elements.split_at(6000);
    let pairs = Map2::<u32>::with_parameters("x * p ^ y >> q", &[("p", 77), ("q", 3)]);
    expect_pairs::<u32, _>(gpu, variant, &pairs.expect("an expression"), left, right, Sum);

    let whole = upload(gpu, &elements);
    let map = Map::<u32>::with_parameters("x * factor", &[("factor", 1)]).expect("an expression");
    let mut batch = Batch::new(&gpu.context);
    let tickets = [3u32, 5, 5, 1 << 31].map(|factor| {
        let map = map.clone().parameter("factor", factor).expect("a parameter");
        let reducer = Reducer::<u32, _>::new(&gpu.context, Sum).variant(variant);
        (factor, batch.add(&reducer.map(&map).expect("a map"), &whole).expect("fits"))
    });
    let results = batch.reduce_blocking().expect("reduces");
    for (factor, ticket) in tickets {
        let wanted = elements.iter().fold(0u32, |sum, x| sum.wrapping_add(x.wrapping_mul(factor)));
        assert_eq!(results.get(ticket).expect("its own"), wanted, "times {factor}");
    }
}

/// Each reduction counts its own elements.
fn batches(gpu: &Gpu, variant: Variant) {
    let elements = words(&mut Random(29), 30_000);
    let whole = upload(gpu, &elements);
    let map = Map::<u32>::new("x ^ i").expect("an expression");
    let pairs = Map2::<u32>::new("x * i - y").expect("an expression");
    let sums = Reducer::<u32, _>::new(&gpu.context, Sum).variant(variant).map(&map).expect("a map");
    let of_pairs = Reducer::<_, Mapped<_>>::map2(&gpu.context, &pairs, Sum).expect("a map");
    let of_pairs = of_pairs.variant(variant);
    let mut batch = Batch::new(&gpu.context);
    let lens = [5, 5, 1000, 4096, 10_000, 14_001];
    let tickets = lens.map(|len| {
        let [left, right] = [len as u64..2 * len as u64, 0..len as u64]
            .map(|range| whole.slice(range).expect("within"));
        (
            batch.add(&sums, &left).expect("fits"),
            batch.add(&of_pairs, (&left, &right)).expect("fits"),
        )
    });
    let results = batch.reduce_blocking().expect("reduces");
    for (len, (first, second)) in lens.into_iter().zip(tickets) {
        let (left, right) = (&elements[len..2 * len], &elements[..len]);
        let wanted = Executor::cpu().reduce_map(&map, left, Sum).expect("reduces").value;
        assert_eq!(results.get(first).expect("its own"), wanted, "{len}");
        let wanted = Executor::cpu().reduce_map2(&pairs, left, right, Sum);
        assert_eq!(results.get(second).expect("its own"), wanted.expect("reduces").value, "{len}");
    }
}

fn strided(gpu: &Gpu, variant: Variant) {
    let mut random = Random(13);
    let floats = ordinary(&mut random, 3 * 9001);
    let whole = upload(gpu, &floats);
    let field = |offset: usize| {
        let elements: Vec<_> = floats[offset..].iter().step_by(3).copied().collect();
        let slice =
            GpuSlice::<f32>::strided(whole.buffer(), 4 * offset as u64, 12, elements.len() as u64);
        (elements, slice.expect("within"))
    };
    let [(left, left_slice), (right, right_slice)] = [field(1), field(2)];
    let map = Map::<f32>::new("x * 0.5 + f32(i)").expect("an expression");
    let reducer = Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant);
    let found = reducer.map(&map).expect("a map").reduce_blocking(&left_slice).expect("reduces");
    let wanted = Executor::cpu().reduce_map(&map, &left, Sum).expect("reduces").value;
    assert_eq!(found.to_bits(), wanted.to_bits());
    let map = Map2::<f32>::new("x - y").expect("an expression");
    let reducer = Reducer::<_, Mapped<_>>::map2(&gpu.context, &map, Sum).expect("a map");
    let found = reducer.variant(variant).reduce_blocking((&left_slice, &right_slice));
    let wanted = Executor::cpu().reduce_map2(&map, &left, &right, Sum);
    let (found, wanted) = (found.expect("reduces"), wanted.expect("reduces").value);
    assert_eq!(found.to_bits(), wanted.to_bits());
}

/// Their integers have the same bits everywhere.
fn functions(gpu: &Gpu, variant: Variant) {
    let mut random = Random(23);
    let elements = words(&mut random, 20_003);
    let text = "const FACTOR = 0x85ebca6bu;
        fn map(x: u32, i: u32) -> u32 {
            var hash = x ^ i;
            for (var round = 0u; round < 3u; round++) {
                hash = (hash ^ (hash >> 16u)) * FACTOR;
            }
            return hash;
        }";
    let hash = |x: u32, i: u32| {
        (0..3).fold(x ^ i, |hash, _| (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b))
    };
    let map = Map::<u32>::wgsl(text, hash).expect("a function");
    expect::<u32, _>(gpu, variant, &map, &elements, &[0, 20_003], "hashes", Sum);
    let map = map.only_where("x > 99u || i % 3u == 0u").expect("a predicate");
    expect::<u32, _>(gpu, variant, &map, &elements, &[3, 17, 17, 20_001], "some hashes", BitXor);
    let floats: Vec<f32> =
        elements.iter().map(|&word| f32::from_bits(word & 0x3fff_ffff)).collect();
    let doubled =
        Map::<f32>::wgsl("fn map(x: f32) -> f32 { return max(x, 1.0) * 2.0; }", |x, _| {
            x.max(1.0) * 2.0
        });
    let doubled = doubled.expect("a function");
    expect::<f32, _>(gpu, variant, &doubled, &floats, &[1, 20_003], "doubled", Sum);
    let larger =
        Map2::<u32>::wgsl("fn map(x: u32, y: u32) -> u32 { return max(x, y); }", |x, y, _| {
            x.max(y)
        });
    let reversed: Vec<u32> = elements.iter().rev().copied().collect();
    expect_pairs::<u32, _>(gpu, variant, &larger.expect("a function"), &elements, &reversed, Sum);
}

/// With 1 in place of those that are huge, or not normal.
fn calm(floats: &[f32]) -> Vec<f32> {
    floats.iter().map(|x| if x.is_normal() && x.abs() < 1e9 { *x } else { 1.0 }).collect()
}

/// What changes elements before it adds them up: to squares, to magnitudes, or to zeros where they are NaN. Of all elements, and of some.
fn norms(gpu: &Gpu, variant: Variant) {
    let mut random = Random(37);
    let floats = ordinary(&mut random, 9001);
    let calm = calm(&floats);
    // Squares that are subnormal, and one that nearly overflows.
    let mut odd = vec![1e-22f32; 9001];
    odd[4000] = 1e19;
    odd[6000..7000].fill(-0.5);
    let with_nans: Vec<f32> =
        calm.iter().enumerate().map(|(i, &x)| if i % 501 == 7 { f32::NAN } else { x }).collect();
    // Each has the same pipelines: a parameter says which elements count.
    let map = Map::<f32>::with_parameters("x * 1.25 - shift", &[("shift", 0.3), ("every", 0.0)]);
    let map = map.and_then(|map| map.only_where("every == 0.0 || (i % 3u != 1u && x < 1.5)"));
    let map = map.expect("an expression");
    let some = map.clone().parameter("every", 1.0).expect("a parameter");
    let zeros = map.clone().parameter("shift", 0.0).expect("a parameter");
    for (elements, what) in
        [(&floats, "all kinds"), (&calm, "calm"), (&odd, "odd"), (&with_nans, "with NaNs")]
    {
        for map in [&map, &some, &zeros] {
            for cuts in [&[0, 9001][..], &[5, 6], &[3, 700, 700, 8999]] {
                expect::<f32, _>(gpu, variant, map, elements, cuts, what, SumOfSquares);
                expect::<f32, _>(gpu, variant, map, elements, cuts, what, Norm);
                expect::<f32, _>(gpu, variant, map, elements, cuts, what, L1Norm);
                expect::<f32, _>(gpu, variant, map, elements, cuts, what, Sum.nan(Nan::Ignore));
                expect::<f32, _>(gpu, variant, map, elements, cuts, what, Mean.nan(Nan::Ignore));
            }
        }
    }
}

/// The true result of what an expression makes of slices, rounded once, on the device and on the CPU.
pub fn expect_exact<T: MapElement, Op: Operator<T::Wide> + Copy>(
    gpu: &Gpu,
    map: &Map<T>,
    elements: &[T],
    cuts: &[usize],
    what: &str,
    op: Op,
) {
    let whole = upload(gpu, elements);
    let slices: Vec<_> = cuts
        .windows(2)
        .map(|ends| whole.slice(ends[0] as u64..ends[1] as u64).expect("within"))
        .collect();
    let elements = &elements[cuts[0]..cuts[cuts.len() - 1]];
    let exact = Executor::cpu().precision(Precision::Exact);
    let wanted = exact.reduce_map(map, elements, op).expect("reduces").value;
    let reducer = Reducer::<T, Mapped<_>>::mapped(&gpu.context, map, op).expect("a map");
    let reducer = reducer.precision(Precision::Exact);
    let policies = [Policy::EXACT, Policy { min_rows: 4, max_workgroups: 7 }];
    let reducer = reducer.policy(policies[elements.len() % 2]);
    let found = reducer.reduce_blocking(&slices).expect("reduces");
    assert_eq!(
        bits::<T::Wide, Op>(found),
        bits::<T::Wide, Op>(wanted),
        "exact {} of {what} of {} cut at {cuts:?}: {found:?}, on the CPU {wanted:?}",
        op.spec().operator,
        elements.len(),
    );
}

/// The terms are the elements, their squares, and both.
fn exact(gpu: &Gpu, _variant: Variant) {
    let mut random = Random(47);
    let floats = ordinary(&mut random, 20_003);
    let calm = calm(&floats);
    // Values of all sizes that cancel, so that a sum that rounds is another one.
    let cancelling: Vec<f32> = (0..20_003)
        .map(|i| {
            calm[i / 2]
                * if i % 2 == 0 { 1.0 } else { -1.0 }
                * 2f32.powi(i32::from(i % 64 == 0) * 20)
        })
        .collect();
    let map = Map::<f32>::with_parameters("x * 1.25 - shift", &[("shift", 0.3), ("every", 0.0)]);
    let map = map.expect("an expression");
    let some = map.clone().only_where("every == 0.0 || (i % 3u != 1u && x < 1.5)");
    let some = some.and_then(|map| map.parameter("every", 1.0)).expect("a predicate");
    let tiny = map.clone().parameter("shift", 1e-39).expect("a parameter");
    for (elements, what) in [(&floats, "all kinds"), (&calm, "calm"), (&cancelling, "cancelling")] {
        for cuts in [&[0, 20_003][..], &[4, 4100], &[3, 700, 700, 19_999]] {
            for map in [&map, &tiny] {
                expect_exact::<f32, _>(gpu, map, elements, cuts, what, Sum);
                expect_exact::<f32, _>(gpu, map, elements, cuts, what, Mean);
                expect_exact::<f32, _>(gpu, map, elements, cuts, what, SumOfSquares);
                expect_exact::<f32, _>(gpu, map, elements, cuts, what, Norm);
                expect_exact::<f32, _>(gpu, map, elements, cuts, what, Variance);
            }
            expect_exact::<f32, _>(gpu, &some, elements, cuts, what, Sum);
            expect_exact::<f32, _>(gpu, &some, elements, cuts, what, Norm);
        }
    }
    exact_squares(gpu);
    exact_in_windows(gpu);
    exact_without_nans(gpu, &floats);
}

/// Values that are NaN, and elements that do not count, are as if they were not there.
fn exact_without_nans(gpu: &Gpu, floats: &[f32]) {
    let nan = f32::from_bits(0xffc0_0001);
    let text = "select(x * 1.25 - 0.3, nan, i % 5u == 2u)";
    let map = Map::<f32>::with_parameters(text, &[("nan", nan)]).expect("an expression");
    let some = map.clone().only_where("i % 3u != 1u && abs(x) < 1e30").expect("a predicate");
    let none = map.clone().only_where("i % 5u == 2u").expect("a predicate");
    let calm = calm(floats);
    for cuts in [&[0, 20_003][..], &[3, 700, 700, 19_999], &[5, 5], &[6, 7]] {
        for elements in [floats, &calm] {
            expect_exact::<f32, _>(gpu, &map, elements, cuts, "NaNs", Variance.nan(Nan::Ignore));
            expect_exact::<f32, _>(
                gpu,
                &some,
                elements,
                cuts,
                "some and NaNs",
                Variance.nan(Nan::Ignore).sample(),
            );
        }
        expect_exact::<f32, _>(gpu, &none, &calm, cuts, "NaNs alone", Variance.nan(Nan::Ignore));
    }
    // At the usual level, too.
    let wanted =
        Executor::cpu().reduce_map(&some, &calm, Variance.nan(Nan::Ignore)).expect("reduces");
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(&calm).expect("uploads");
    let found = array.reduce_map(&some, Variance.nan(Nan::Ignore)).expect("reduces");
    assert_ne!(found.adapter, AdapterName::cpu());
    assert!(wanted.value.is_finite());
    assert_eq!(found.value.to_bits(), wanted.value.to_bits());
    // And in chunks.
    let executor = executor.chunk_bytes(1 << 14).host_slices(HostSlices::OnDevice);
    let found = executor.reduce_map(&some, &calm, Variance.nan(Nan::Ignore)).expect("reduces");
    assert_ne!(found.adapter, AdapterName::cpu());
    assert_eq!(found.value.to_bits(), wanted.value.to_bits());
    // What was left out is in no length.
    let reducer =
        Reducer::<f32, _>::new(&gpu.context, Variance.nan(Nan::Ignore)).map(&some).expect("a map");
    let slice = upload(gpu, &calm);
    let total = reducer.accumulate_blocking(&slice).expect("adds");
    assert_eq!(total.variance_f32().to_bits(), wanted.value.to_bits());
    assert!(total.len() < 20_003 * 2 / 3, "{}", total.len());
    // In a batch, of elements of several components.
    let points: Vec<[f32; 2]> = calm.as_chunks().0.to_vec();
    let falls = Map::<[f32; 2]>::new("(x.x - x.y) / f32(x.x > x.y)").expect("an expression");
    let falls = falls.only_where("x.x >= x.y").expect("a predicate");
    let wanted = Executor::cpu().reduce_map(&falls, &points, Variance.nan(Nan::Ignore));
    let slice = upload(gpu, &points);
    let reducer =
        Reducer::<[f32; 2], Mapped<_>>::mapped(&gpu.context, &falls, Variance.nan(Nan::Ignore));
    let reducer = reducer.expect("a map");
    let mut batch = Batch::new(&gpu.context);
    let ticket = batch.add(&reducer, &slice).expect("fits");
    let results = batch.reduce_blocking().expect("reduces");
    let found = results.get(ticket).expect("its own");
    assert_eq!(found.to_bits(), wanted.expect("reduces").value.to_bits());
}

/// Some of which a device may get wrong, also where it is one of four.
fn exact_squares(gpu: &Gpu) {
    let ordinary = ordinary(&mut Random(49), 9001);
    let tiny: Vec<f32> =
        ordinary.iter().map(|x| if x.abs() < 1e9 { x * 1e-20 } else { 1.0 }).collect();
    let map = Map::<f32>::new("x * x + 1e-40f").expect("an expression");
    for elements in [&ordinary, &tiny] {
        for cuts in [&[0, 9001][..], &[3, 4099]] {
            expect_exact::<f32, _>(gpu, &map, elements, cuts, "squares", Sum);
            expect_exact::<f32, _>(gpu, &map, elements, cuts, "squares", Norm);
        }
    }
}

/// Every element has its index, and is there once.
fn exact_in_windows(gpu: &Gpu) {
    let elements = calm(&ordinary(&mut Random(48), 50_003));
    let places = Map::<f32>::new("select(x, f32(i), i % 2u == 0u)").expect("an expression");
    expect_exact::<f32, _>(gpu, &places, &elements, &[0, 50_003], "places", Sum);
    expect_exact::<f32, _>(gpu, &places, &elements, &[1, 9000, 50_000], "places", Sum);
    expect_exact::<f32, _>(gpu, &places, &elements, &[5, 6], "one", Sum);
    expect_exact::<f32, _>(gpu, &places, &elements, &[0, 0], "nothing", Sum);
}

fn exact_of_others(gpu: &Gpu, variant: Variant) {
    let mut random = Random(53);
    let (left, right) = (ordinary(&mut random, 9001), ordinary(&mut random, 9001));
    let (left, right) = (calm(&left), calm(&right));
    let exact = Executor::cpu().precision(Precision::Exact);
    let distance = Map2::<f32>::new("x - y * 0.1").expect("an expression");
    let (left_slice, right_slice) = (upload(gpu, &left), upload(gpu, &right));
    macro_rules! of_pairs {
        ($operator:expr) => {{
            let reducer = Reducer::<_, Mapped<_>>::map2(&gpu.context, &distance, $operator);
            let reducer = reducer.expect("a map").variant(variant).precision(Precision::Exact);
            for (begin, end) in [(0, 9001), (1, 2), (3, 4099), (5, 5)] {
                let part =
                    |slice: &GpuSlice<f32>| slice.slice(begin as u64..end as u64).expect("within");
                let found = reducer.reduce_blocking((part(&left_slice), part(&right_slice)));
                let (left, right): (&[f32], &[f32]) = (&left[begin..end], &right[begin..end]);
                let wanted = exact.reduce_map2(&distance, left, right, $operator);
                let bits =
                    [found.expect("reduces"), wanted.expect("reduces").value].map(f32::to_bits);
                assert_eq!(bits[0], bits[1], "{} of {begin}..{end}", stringify!($operator));
            }
        }};
    }
    of_pairs!(Sum);
    of_pairs!(Norm);
    of_pairs!(Variance.sample());
    of_pairs!(Variance.nan(Nan::Ignore));

    let cuts = [3, 700, 700, 8999];
    let doubles: Vec<f64> = left.iter().map(|&x| f64::from(x) / 3.0).collect();
    let map = Map::<f64>::new("x * 0.1 - 1e-5").expect("an expression");
    expect_exact::<f64, _>(gpu, &map, &doubles, &cuts, "doubles", Sum);
    expect_exact::<f64, _>(gpu, &map, &doubles, &[0, 9001], "doubles", Mean);
    let halves: Vec<f16> = left.iter().map(|&x| f16::from_f32(x)).collect();
    let map = Map::<f16>::new("x * 0.1 - 0.3").expect("an expression");
    expect_exact::<f16, _>(gpu, &map, &halves, &cuts, "halves", Sum);
    expect_exact::<f16, _>(gpu, &map, &halves, &cuts, "halves", SumOfSquares);
    let brains: Vec<bf16> = left.iter().map(|&x| bf16::from_f32(x)).collect();
    let map = Map::<bf16>::new("x * 0.1 - 0.3").expect("an expression");
    expect_exact::<bf16, _>(gpu, &map, &brains, &cuts, "bf16", Variance);
    expect_exact::<bf16, _>(gpu, &map, &brains, &cuts, "bf16", Variance.nan(Nan::Ignore));

    // Of some elements, and of none, which are counted first.
    let executor = Executor::from_context(gpu.context.clone());
    let exactly = executor.clone().precision(Precision::Exact);
    let some = Map::<f32>::with_parameters("x * 1.25 - 0.3", &[("least", 0.0)]);
    let some = some.and_then(|map| map.only_where("x > least && i % 3u != 1u"));
    let some = some.expect("a predicate");
    for least in [0.0, -1e30, 1e30] {
        let map = some.clone().parameter("least", least).expect("a parameter");
        macro_rules! of_some {
            ($executor:ident $operator:expr) => {{
                let array = $executor.upload(&left).expect("uploads");
                let found = array.reduce_map(&map, $operator).expect("reduces");
                let wanted = exact.reduce_map(&map, &left, $operator).expect("reduces");
                assert_ne!(found.adapter, AdapterName::cpu());
                let bits = [found.value, wanted.value].map(f32::to_bits);
                assert_eq!(bits[0], bits[1], "{} above {least}", stringify!($operator));
            }};
        }
        of_some!(executor Variance);
        of_some!(executor Variance.sample());
        of_some!(exactly Mean);
    }
    let apart = Map2::<f32>::new("x - y").and_then(|map| map.only_where("x > y"));
    let apart = apart.expect("a predicate");
    let arrays = [&left, &right].map(|side| executor.upload(side).expect("uploads"));
    let found = arrays[0].reduce_map2(&apart, &arrays[1], Variance).expect("reduces").value;
    let wanted = exact.reduce_map2(&apart, &left, &right, Variance).expect("reduces").value;
    assert_eq!(found.to_bits(), wanted.to_bits());

    // In chunks, and as an accumulator, of which the terms are the values and not their squares.
    let map = Map::<f32>::new("x * 0.1 - 0.3 * f32(i)").expect("an expression");
    let executor = Executor::from_context(gpu.context.clone()).chunk_bytes(1 << 14);
    let executor = executor.host_slices(HostSlices::OnDevice).precision(Precision::Exact);
    let found = executor.reduce_map(&map, &left, Norm).expect("reduces");
    let wanted = exact.reduce_map(&map, &left, Norm).expect("reduces").value;
    assert_eq!(found.value.to_bits(), wanted.to_bits());
    assert_ne!(found.adapter, AdapterName::cpu());
    let norms = Reducer::<f32, _>::new(&gpu.context, Norm).map(&map).expect("a map");
    let squares = norms.precision(Precision::Exact).accumulate_blocking(&left_slice);
    assert_eq!(squares.expect("adds").norm_f32().to_bits(), wanted.to_bits());
}

fn norms_of_others(gpu: &Gpu, variant: Variant) {
    let mut random = Random(43);
    let (left, right) = (ordinary(&mut random, 9001), ordinary(&mut random, 9001));
    let (left, right) = (calm(&left), calm(&right));
    let distance = Map2::<f32>::new("x - y").expect("an expression");
    expect_pairs::<f32, _>(gpu, variant, &distance, &left, &right, Norm);
    expect_pairs::<f32, _>(gpu, variant, &distance, &left, &right, L1Norm);
    // Quotients of zeros are NaN.
    let quotient = Map2::<f32>::new("(x - x) / select(y, 0.0, i % 5u == 0u) + y");
    let quotient = quotient.expect("an expression");
    expect_pairs::<f32, _>(gpu, variant, &quotient, &left, &right, Sum.nan(Nan::Ignore));
    let some = quotient.only_where("y > 0.0").expect("a predicate");
    expect_pairs::<f32, _>(gpu, variant, &some, &left, &right, Mean.nan(Nan::Ignore));

    let cuts = [3, 700, 700, 4999];
    let doubles: Vec<f64> = left[..5003].iter().map(|&x| f64::from(x) / 3.0).collect();
    let map = Map::<f64>::new("select(x - 0.3, (x - x) / (x - x), i % 7u == 2u)");
    let map = map.expect("an expression");
    expect::<f64, _>(gpu, variant, &map, &doubles, &cuts, "doubles", Sum.nan(Nan::Ignore));
    expect::<f64, _>(gpu, variant, &map, &doubles, &cuts, "doubles", Mean.nan(Nan::Ignore));
    let map = Map::<f64>::new("x * 1e-150 - 0.3e-150").expect("an expression");
    let map = map.only_where("i % 7u != 2u").expect("a predicate");
    expect::<f64, _>(gpu, variant, &map, &doubles, &cuts, "doubles", SumOfSquares);
    expect::<f64, _>(gpu, variant, &map, &doubles, &cuts, "doubles", Norm);
    expect::<f64, _>(gpu, variant, &map, &doubles, &cuts, "doubles", L1Norm);

    let halves: Vec<f16> = left.iter().map(|&x| f16::from_f32(x)).collect();
    let map = Map::<f16>::new("x * 0.1 - 0.3").expect("an expression");
    expect::<f16, _>(gpu, variant, &map, &halves, &cuts, "halves", Norm);
    expect::<f16, _>(gpu, variant, &map, &halves, &cuts, "halves", Mean.nan(Nan::Ignore));
    let brains: Vec<bf16> = left.iter().map(|&x| bf16::from_f32(x)).collect();
    let map = Map::<bf16>::new("x * 0.1 - 0.3").expect("an expression");
    expect::<bf16, _>(gpu, variant, &map, &brains, &cuts, "bf16", Norm);
    expect::<bf16, _>(gpu, variant, &map, &brains, &cuts, "bf16", Sum.nan(Nan::Ignore));
}

/// Other cases have norms, and what tells places, or joins runs.
fn every_operator(gpu: &Gpu, variant: Variant) {
    let mut random = Random(5);
    let floats = ordinary(&mut random, 9001);
    let calm = calm(&floats);
    let map = Map::<f32>::new("x * 1.25 - 0.3").expect("an expression");
    for elements in [&floats, &calm] {
        for end in [9001, 700] {
            expect::<f32, _>(gpu, variant, &map, elements, &[1, end], "a line", Product);
            expect::<f32, _>(gpu, variant, &map, elements, &[1, end], "a line", Min);
            expect::<f32, _>(gpu, variant, &map, elements, &[1, end], "a line", Mean);
            expect::<f32, _>(gpu, variant, &map, elements, &[1, end], "a line", Count);
        }
        expect::<f32, _>(gpu, variant, &map, elements, &[1, 9001], "a line", MinMax);
        expect::<f32, _>(gpu, variant, &map, elements, &[1, 9001], "a line", MaxAbs);
    }
    // Each answer once.
    let mut with_nan = calm.clone();
    with_nan[4097] = f32::NAN;
    let [are_numbers, are_nans] =
        ["x == x", "x != x"].map(|text| Map::<f32>::new(text).expect("an expression"));
    for elements in [&with_nan, &calm] {
        expect::<f32, _>(gpu, variant, &map, elements, &[1, 9001], "a line", CountNan);
        expect::<f32, _>(gpu, variant, &are_numbers, elements, &[1, 9001], "numbers", All);
        expect::<f32, _>(gpu, variant, &are_nans, elements, &[1, 9001], "NaNs", Any);
    }
    let integers: Vec<i32> =
        words(&mut random, 9001).iter().map(|word| word.cast_signed()).collect();
    let map = Map::<i32>::new("x / 3 - i32(i)").expect("an expression");
    expect::<i32, _>(gpu, variant, &map, &integers, &[1, 9001], "a line", SumWide);
    expect::<i32, _>(gpu, variant, &map, &integers, &[1, 9001], "a line", Max);
    expect::<i32, _>(gpu, variant, &map, &integers, &[1, 9001], "a line", MaxAbs);
}

/// Those that join runs of elements.
fn moments(gpu: &Gpu, variant: Variant) {
    let floats = ordinary(&mut Random(5), 9001);
    let map = Map::<f32>::new("x * 1.25 - 0.3").expect("an expression");
    for elements in [&floats, &calm(&floats)] {
        for cuts in [&[1, 9001][..], &[1, 700], &[0, 3, 5000, 9001]] {
            expect::<f32, _>(gpu, variant, &map, elements, cuts, "a line", Variance);
            expect::<f32, _>(gpu, variant, &map, elements, cuts, "a line", Variance.sample());
            expect::<f32, _>(gpu, variant, &map, elements, cuts, "a line", Moments);
        }
    }
}

fn indices(gpu: &Gpu, variant: Variant) {
    let elements: Vec<u32> = (0..50_003).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).collect();
    let map = Map::<u32>::new("x ^ (i * 77u)").expect("an expression");
    expect::<u32, _>(gpu, variant, &map, &elements, &[0, 50_003], "indices", Sum);
    expect::<u32, _>(
        gpu,
        variant,
        &map,
        &elements,
        &[3, 4, 30_000, 30_000, 50_001],
        "indices",
        Sum,
    );
    let floats: Vec<f32> =
        elements.iter().map(|&word| f32::from_bits(word >> 3 | 0x3000_0000)).collect();
    let map = Map::<f32>::new("select(x, -x, i % 2u == 0u)").expect("an expression");
    expect::<f32, _>(gpu, variant, &map, &floats, &[2, 9, 30_001, 50_003], "indices", Sum);
    // In chunks.
    let executor = Executor::from_context(gpu.context.clone()).chunk_bytes(1 << 14);
    let found = executor.reduce_map(&map, &floats, Sum).expect("reduces").value;
    let wanted = Executor::cpu().reduce_map(&map, &floats, Sum).expect("reduces").value;
    assert_eq!(found.to_bits(), wanted.to_bits());
}

fn errors(gpu: &Gpu, variant: Variant) {
    let whole = upload(gpu, &[1f32; 100]);
    let map = Map::<f32>::new("x + 1.0").expect("an expression");
    let reducer =
        Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant).map(&map).expect("a map");
    let products = Reducer::<f32, _>::new(&gpu.context, Product).map(&map).expect("a map");
    let error = products.precision(Precision::Exact).plan(&whole).expect_err("it rounds");
    assert!(matches!(error, PrepareError::Imprecise { .. }), "{error}");
    let some = map.clone().only_where("x > 0.0").expect("a predicate");
    let variance = Reducer::<f32, _>::new(&gpu.context, Variance).map(&some);
    let error = variance.expect_err("no run tells of how many");
    assert!(matches!(error, WgslError::NoNeutral { .. }), "{error}");
    // One expression, and no other.
    let own = CustomOperator::<f32, f32>::commutative(
        "fn identity() -> f32 { return 0.0; } fn combine(a: f32, b: f32) -> f32 { return a + b; }",
    );
    let own = own.expect("an operator");
    let of_own = Reducer::<f32, Mapped<_>>::mapped(&gpu.context, &map, own.clone());
    let own = Reducer::new(&gpu.context, own);
    let mapped = Reducer::<f32, Mapped<_>>::mapped(&gpu.context, &map, Sum).expect("a map");
    let part = own.reduce_part_blocking(&whole, 0).expect_err("no parts");
    assert!(matches!(part, Error::Prepare(PrepareError::OwnOperator)), "{part}");
    let [again, mapped, own] =
        [reducer.clone().map(&map).err(), mapped.map(&map).err(), own.map(&map).err()];
    for again in [again, mapped, own, of_own.err()] {
        assert!(matches!(again, Some(WgslError::MappedTwice)), "{again:?}");
    }
    // Errors name what was asked for, and not the kernels.
    let mean = Reducer::<f32, _>::new(&gpu.context, Mean).map(&some).expect("a map");
    let means = Reducer::<f32, Mapped<_>>::mapped(&gpu.context, &some, Mean).expect("a map");
    for error in [
        mean.clone().precision(Precision::Exact).plan(&whole),
        means.precision(Precision::Exact).plan(&whole),
    ] {
        let error = error.expect_err("it counts what it adds up");
        let is_expected =
            matches!(error, PrepareError::Imprecise { operator: OperatorType::Mean, .. });
        assert!(is_expected, "{error}");
    }
    let error = mean.strategy(Strategy::WorkgroupAtomic).plan(&whole).expect_err("no atomics");
    let is_expected =
        matches!(error, PrepareError::StrategyUnfit { operator: OperatorType::Mean, .. });
    assert!(is_expected, "{error}");
    // So the CPU does it with slices, and with arrays the device, in two reads.
    let executor = Executor::from_context(gpu.context.clone()).host_slices(HostSlices::OnDevice);
    let found = executor.reduce_map::<f32, _>(&some, &[1.0, -7.0, 3.0], Variance).expect("reduces");
    assert_eq!((found.value, found.adapter), (1.0, AdapterName::cpu()));
    let doubled = Map::<f64>::new("2.0 * x").and_then(|map| map.only_where("x > 0.0"));
    let doubles = executor.upload(&[1f64; 9]).expect("uploads");
    let error = doubles.reduce_map(&doubled.expect("a predicate"), Variance);
    let is_expected = matches!(error, Err(Error::Prepare(PrepareError::NoExactKernel { .. })));
    assert!(is_expected, "{error:?}");
    let roots = Map::<f64>::new("x / x").expect("an expression");
    let error = doubles.reduce_map(&roots, Variance.nan(Nan::Ignore));
    let Err(Error::Prepare(PrepareError::NoExactKernel { operator, element })) = error else {
        panic!("{error:?}")
    };
    let wanted = OperatorType::Variance.nan(NanRule::Ignore);
    assert_eq!((operator, element), (wanted, ElementType::F64));
    // Slices of these are the CPU's.
    let found = executor.reduce_map::<f64, _>(&roots, &[0.0, 2.0, -7.0], Variance.nan(Nan::Ignore));
    let found = found.expect("reduces");
    assert_eq!((found.value, found.adapter), (0.0, AdapterName::cpu()));
    let exact = executor.precision(Precision::Exact);
    let found = exact.reduce_map::<f32, _>(&some, &[1.0, -7.0, 3.0], Mean).expect("reduces");
    assert_eq!((found.value, found.adapter), (3.0, AdapterName::cpu()));
    let none = whole.slice(0..0).expect("within");
    for input in [&whole, &none] {
        let error = reducer.reduce_part_blocking(input, 0).expect_err("no parts");
        let is_expected = matches!(error, Error::Prepare(PrepareError::NoMappedPart { .. }));
        assert!(is_expected, "{error}");
    }
    let atomic =
        reducer.clone().strategy(Strategy::WorkgroupAtomic).precision(Precision::Unordered);
    let error = atomic.plan(&whole).expect_err("no atomics");
    assert!(matches!(error, PrepareError::StrategyUnfit { .. }), "{error}");
    // Atomics combine what order does not matter to, in one word.
    let map = map.only_where("i > 10u").expect("a predicate");
    let count = Reducer::<f32, _>::new(&gpu.context, Count).map(&map).expect("a map");
    let error = count.strategy(Strategy::WorkgroupAtomic).plan(&whole).expect_err("two words");
    assert!(matches!(error, PrepareError::StrategyUnfit { looser: None, .. }), "{error}");
    let max = Reducer::<f32, _>::new(&gpu.context, Max).variant(variant).map(&map).expect("a map");
    let max = max.strategy(Strategy::WorkgroupAtomic);
    assert_eq!(max.reduce_blocking(&whole).expect("reduces"), Some(2.0));
}
