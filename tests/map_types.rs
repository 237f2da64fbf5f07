//! Expressions over elements of every type, without a GPU: against the vectors that an independent script made by NumPy, and what is refused.

#[path = "support/data.rs"]
#[expect(dead_code, reason = "of the pairwise order's vectors only the generator is used")]
mod data;
#[path = "support/expression_vectors.rs"]
mod expression_vectors;
#[path = "support/f64_data.rs"]
#[expect(dead_code, reason = "of the f64s' vectors only the generators are used")]
mod f64_data;

use expression_vectors::{ExpressionVector, Visit, visit_all};
use gridfold::{
    All, Any, ArgMax, ArgMin, BitXor, Bool, Count, CountNan, Error, Executor, Map, Map2,
    MapElement, Max, Mean, Min, Operator, Place, Precision, Predicate, Sum, SumWide, WgslError,
    half::{bf16, f16},
};

struct OnCpu;

impl Visit for OnCpu {
    fn visit<T: MapElement, Op: Operator<T::Wide>>(&mut self, vector: &ExpressionVector, op: Op) {
        let reduction = Executor::cpu().reduce_map(&vector.map::<T>(), &vector.elements(), op);
        vector.check(Op::out(reduction.expect("reduces").value).expect("of some"));
    }
}

#[test]
fn expressions_are_numpys() {
    visit_all(&mut OnCpu);
}

#[test]
fn narrow_elements_are_widened() {
    let executor = Executor::cpu();
    let bytes = [200u8, 100, 3];
    assert_eq!(executor.sum_if(&bytes, "x >= 100u").expect("a sum"), 300);
    assert_eq!(executor.count_if(&bytes, "x * x == 9").expect("a count"), 1);
    let map = Map::<u8>::with_parameters("x * scale", &[("scale", 1000)]).expect("valid");
    let largest = executor.reduce_map(&map, &bytes, Max).expect("reduces");
    assert_eq!(largest.value, Some(200_000));
    let halves = [0.5, -2.0, 7.0].map(f16::from_f32);
    let squares = Map::<f16>::new("x * x").expect("valid");
    assert_eq!(executor.reduce_map(&squares, &halves, Sum).expect("reduces").value, 53.25);
    let flags = [true, false, true].map(Bool::from);
    assert_eq!(executor.positions_if(&flags, "x == 1").expect("finds"), [0, 2]);
    assert_eq!(executor.select_if(&[-3i8, 5, 7], "x > 4").expect("selects"), [5, 7]);
    let left = Map2::<i8>::new("x * y").expect("valid");
    let dot = executor.reduce_map2::<i8, _>(&left, &[100, -100], &[100, 100], Sum);
    assert_eq!(dot.expect("reduces").value, 0);
    let doubled = Map::<u8>::wgsl("fn map(x: u32) -> u32 { return 2u * x; }", |x, _| 2 * x);
    let sum = executor.reduce_map(&doubled.expect("valid"), &bytes, Sum);
    assert_eq!(sum.expect("reduces").value, 606);
}

#[test]
fn numbers_of_64_bits() {
    let executor = Executor::cpu();
    let big = [1i64 << 40, -3, 1 << 41];
    assert_eq!(executor.sum_if(&big, "x > 1000").expect("a sum"), 3i64 << 40);
    assert_eq!(executor.select_if(&big, "x < 0").expect("selects"), [-3]);
    let map = Map::<f64>::with_parameters("x * scale + offset", &[("scale", 0.1), ("offset", 1.0)]);
    let map = map.expect("valid");
    let sum = executor.reduce_map::<f64, _>(&map, &[3.0], Sum).expect("reduces").value;
    assert_eq!(sum.to_bits(), (3.0f64 * 0.1 + 1.0).to_bits());
    // In 32 bits there are numbers of 64 on the way.
    let mean = Map2::<u32>::new("u32((u64(x) + u64(y)) / 2)").expect("valid");
    let found = executor.reduce_map2::<u32, _>(&mean, &[u32::MAX], &[u32::MAX - 2], Max);
    assert_eq!(found.expect("reduces").value, Some(u32::MAX - 1));
    // The sign of zero is that of IEEE-754.
    let zeros = Map::<f64>::new("1.0 / (x + x)").expect("valid");
    for (zero, wanted) in [(0.0, f64::INFINITY), (-0.0, f64::NEG_INFINITY)] {
        let found = executor.reduce_map::<f64, _>(&zeros, &[zero], Max).expect("reduces").value;
        assert_eq!(found, Some(wanted));
    }
}

#[test]
fn means_and_places_of_some() {
    let executor = Executor::cpu();
    let values = [0.5f32, -2.0, 3.0, f32::NAN];
    let of = |predicate: &str| {
        Map::<f32>::new("x * 2.0").and_then(|map| map.only_where(predicate)).expect(predicate)
    };
    let mean = |predicate: &str, values: &[f32]| {
        executor.reduce_map(&of(predicate), values, Mean).expect("reduces").value
    };
    assert_eq!(mean("x > 0.0", &values), 3.5);
    assert_eq!(mean("x > 0.0 && i > 0u", &values), 6.0);
    assert_eq!(mean("x == 0.0", &[-0.0, 1.0]).to_bits(), 0);
    for (predicate, values) in [("x < -5.0", &values[..]), ("i > 1u", &values), ("true", &[])] {
        assert_eq!(mean(predicate, values).to_bits(), 0x7fc0_0000, "{predicate}");
    }
    let least = |predicate: &str| {
        executor.reduce_map(&of(predicate), &values, ArgMin).expect("reduces").value
    };
    assert_eq!(least("x > 0.0"), Some(Place { index: 0, element: 1.0 }));
    assert_eq!(least("i == 2u"), Some(Place { index: 2, element: 6.0 }));
    assert_eq!(least("x == 7.0"), None);
    // In a sequence that is made in several parts.
    let bytes: Vec<u8> = (0..200_000u32).map(|i| i.to_le_bytes()[0] ^ 3).collect();
    let far = Map::<u8>::new("x").and_then(|map| map.only_where("i > 150000u")).expect("valid");
    let found = executor.reduce_map(&far, &bytes, ArgMax).expect("reduces").value;
    let wanted = (150_001..200_000).find(|&i| bytes[i] == 255).expect("there is one") as u64;
    assert_eq!(found, Some(Place { index: wanted, element: 255 }));
    let error = executor.reduce_map(&of("x > 0.0"), &values, ArgMin.last());
    assert!(matches!(error, Err(Error::Wgsl(WgslError::NoNeutral { .. }))), "{error:?}");
}

/// Elements of several components, by the same in Rust.
#[test]
fn components() {
    let executor = Executor::cpu();
    let words = |seed| data::generate("signed", seed, 3000);
    let points: Vec<[f32; 3]> =
        words(5).chunks(3).map(|it| it.try_into().expect("three")).collect();
    let map = Map::<[f32; 3]>::new("x.x * x.x + x.y * x.y + x.z * x.z").expect("valid");
    let lengths: Vec<f32> = points.iter().map(|[x, y, z]| x * x + y * y + z * z).collect();
    let found = executor.reduce_map(&map, &points, Sum).expect("reduces").value;
    assert_eq!(found.to_bits(), executor.sum(&lengths).expect("a sum").to_bits());
    let farthest = executor.reduce_map(&map, &points, ArgMax).expect("reduces").value;
    assert_eq!(farthest, executor.arg_max(&lengths).expect("a maximum"));
    let exact = executor.clone().precision(Precision::Exact);
    let found = exact.reduce_map(&map, &points, Sum).expect("reduces").value;
    assert_eq!(found.to_bits(), exact.sum(&lengths).expect("a sum").to_bits());

    let is_above = |it: &&[f32; 3]| it[2] > 0.0;
    let above: Vec<[f32; 3]> = points.iter().filter(is_above).copied().collect();
    assert_eq!(executor.count_if(&points, "x.z > 0.0").expect("counts"), above.len() as u64);
    assert_eq!(executor.select_if(&points, "x.z > 0.0").expect("selects"), above);
    let positions = executor.positions_if(&points, "x.z > 0.0").expect("finds");
    let wanted = (0..).zip(&points).filter(|(_, it)| it[2] > 0.0).map(|(i, _)| i);
    assert_eq!(positions, wanted.collect::<Vec<u64>>());

    // Each component of each type, in many parts.
    let quads: Vec<[u32; 4]> = (0..100_000).map(|i| [i, 3 * i + 1, !i, i << 7]).collect();
    for (component, name) in ["x", "y", "z", "w"].into_iter().enumerate() {
        let map = Map::<[u32; 4]>::new(&format!("x.{name} ^ i")).expect("valid");
        let found = executor.reduce_map(&map, &quads, Sum).expect("reduces").value;
        let all = (0u32..).zip(&quads).map(|(i, it)| it[component] ^ i);
        assert_eq!(found, all.fold(0, u32::wrapping_add), "{name}");
    }
    let signed = [[3i32, -5], [i32::MIN, 1]];
    let map = Map::<[i32; 2]>::with_parameters("x.x / d - x.y", &[("d", -2)]).expect("valid");
    let found = executor.reduce_map(&map, &signed, Sum).expect("reduces").value;
    assert_eq!(found, 4 + ((1 << 30) - 1));
    let area = Map2::<[f32; 2]>::new("x.x * y.y - x.y * y.x").expect("valid");
    let found = executor.reduce_map2::<[f32; 2], _>(&area, &[[2.0, 1.0]], &[[3.0, 7.0]], Sum);
    assert_eq!(found.expect("reduces").value, 11.0);
}

#[test]
fn what_is_refused_of_components() {
    let error = |text: &str| Map::<[f32; 3]>::new(text).expect_err(text);
    for (text, at, what) in [
        ("x", (1, 1), "x"),
        ("x * x", (1, 1), "x"),
        ("1.0 +\n  x.y * abs(x).x", (2, 13), "x"),
        ("x.x + (-x).y", (1, 9), "x"),
        ("x.xy.x", (1, 1), "x.xy"),
    ] {
        let found = error(text);
        let WgslError::Vector { line, column, what: found } = found else { panic!("{found}") };
        assert_eq!(((line, column), found.as_str()), (at, what), "{text}");
    }
    assert!(matches!(error("x.x + (2.0 + x).y"), WgslError::Vector { line: 1, .. }));
    // A component that there is not.
    let missing = error("x.x + x.w");
    assert!(matches!(missing, WgslError::Invalid { line: 1, column: 9, .. }), "{missing}");
    assert!(missing.to_string().contains("a vector has x, y, z and w"), "{missing}");
    let missing = Map::<f32>::new("x.x").expect_err("a number");
    assert!(missing.to_string().contains("a number has none"), "{missing}");
    assert!(matches!(error("dot(x, x)"), WgslError::Unsupported { line: 1, column: 1, .. }));
    assert!(matches!(error("vec2(x.x, x.y).x"), WgslError::Unsupported { .. }));
    assert!(matches!(error("x[i]"), WgslError::Unsupported { .. }));
    let parameter = Map::<[f32; 3]>::with_parameters("a.x", &[("a", 1.0)]).expect_err("a number");
    assert!(matches!(parameter, WgslError::Invalid { .. }), "{parameter}");
    let number = Predicate::<[f32; 3]>::new("x.x").expect_err("a number");
    assert!(matches!(number, WgslError::Value { .. }), "{number}");
    let own = Map::<[f32; 2]>::wgsl("fn map(x: vec2<f32>) -> f32 { return x.x; }", |x, _| x);
    assert_eq!(own.map(|_| ()), Err(WgslError::OfComponents));
}

/// Against what an independent script wrote.
#[test]
fn distances_of_f64s_are_the_vectors() {
    let executor = Executor::cpu();
    let mut questions = [0, 0];
    let lines = include_str!("vectors/distances_f64.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [question, kind, seed, len, bits] = fields[..] else { panic!("{line}") };
        let len = len.parse().expect(line);
        let left = f64_data::generate(kind, seed.parse().expect(line), len);
        let mut right = left.clone();
        right.rotate_left(len.min(1));
        let arrays = [&left, &right].map(|side| executor.upload(side).expect("uploads"));
        let found = match question {
            "squared-distance" => {
                questions[0] += 1;
                [executor.squared_distance(&left, &right), arrays[0].squared_distance(&arrays[1])]
            }
            _ => {
                questions[1] += 1;
                [executor.cosine_similarity(&left, &right), arrays[0].cosine_similarity(&arrays[1])]
            }
        };
        for found in found {
            assert_eq!(format!("{:#018x}", found.expect("two slices").to_bits()), bits, "{line}");
        }
    }
    assert_eq!(questions, [90, 90]);
}

/// Floats of 16 bits as the f32s that they are, and integers modulo 2^32 or 2^64.
#[test]
fn distances_of_narrow_elements() {
    let executor = Executor::cpu();
    let floats = data::generate("signed", 3, 2000);
    let (left, right) = floats.split_at(1000);
    macro_rules! as_f32s {
        ($($element:ident)*) => {$(
            let [x, y] = [left, right]
                .map(|side| side.iter().map(|&x| $element::from_f32(x)).collect::<Vec<_>>());
            let [wide_x, wide_y] =
                [&x, &y].map(|side| side.iter().map(|&x| f32::from(x)).collect::<Vec<_>>());
            let found: f32 = executor.squared_distance(&x, &y).expect("two slices");
            let wanted = executor.squared_distance(&wide_x, &wide_y).expect("two slices");
            assert_eq!(found.to_bits(), wanted.to_bits());
            assert_ne!(found, executor.squared_distance(left, right).expect("two slices"));
            let found: f32 = executor.cosine_similarity(&x, &y).expect("two slices");
            let wanted = executor.cosine_similarity(&wide_x, &wide_y).expect("two slices");
            assert_eq!(found.to_bits(), wanted.to_bits());
        )*};
    }
    as_f32s!(f16 bf16);
    let bytes = executor.squared_distance(&[0u8, 255, 7], &[255, 0, 9]).expect("two slices");
    assert_eq!(bytes, 2 * 255 * 255 + 4);
    let signed = executor.squared_distance(&[i8::MIN, 3], &[i8::MAX, 3]).expect("two slices");
    assert_eq!(signed, 255 * 255);
    let wraps = executor.squared_distance(&[1u32 << 31], &[3]).expect("two slices");
    assert_eq!(wraps, (1u32 << 31).wrapping_sub(3).wrapping_pow(2));
    let wide = executor.squared_distance(&[1i64 << 31], &[0]).expect("two slices");
    assert_eq!(wide, 1i64 << 62);
}

#[test]
fn what_is_refused() {
    let three = [("a", 1), ("b", 2), ("c", 3)];
    let error = Map::<u64>::with_parameters("x", &three).expect_err("too many");
    assert!(error.to_string().contains("of 64 bits for two"), "{error}");
    let error = Map::<f64>::new("x % 2.0").expect_err("no remainder of floats");
    assert!(matches!(error, WgslError::Unsupported { line: 1, column: 1, .. }), "{error}");
    let error = Map::<f64>::new("1.0 + sqrt(x)").expect_err("no root");
    assert!(matches!(error, WgslError::Unsupported { line: 1, column: 7, .. }), "{error}");
    let error = Map::<u8>::new("f32(x)").expect_err("it is a u32");
    assert!(error.to_string().contains("make it `u32`"), "{error}");
    let error = Map::<i64>::new("i32(x)").expect_err("it is an i64");
    assert!(error.to_string().contains("make it `i64`"), "{error}");
    let error = Map::<i64>::new("x + 1u").expect_err("types that do not fit");
    assert!(matches!(error, WgslError::Operands { line: 1, column: 3, .. }), "{error}");
    let error = Predicate::<u32>::new("x + 1").expect_err("a number");
    assert!(matches!(error, WgslError::Value { .. }), "{error}");
    let above = Predicate::<u32>::with_parameters("x > limit", &[("limit", 2)]).expect("valid");
    let error = above.parameter("upper", 3).expect_err("no such parameter");
    assert!(matches!(error, WgslError::Parameter { .. }), "{error}");
}

/// Lengths around those of the lanes that operations take at a time, of the blocks that are folded, and of the parts of threads.
fn lens() -> impl Iterator<Item = usize> {
    let edges = [0, 256, 512, 4096, 8192, 3 << 12, 1 << 14, 1 << 16];
    edges.into_iter().flat_map(|edge: usize| edge.saturating_sub(1)..edge + 2).chain([100_003])
}

/// Reduces what an expression makes of elements, and the same that Rust has made of them.
fn check_blocks<T: MapElement, Op: Operator<T::Wide> + Copy>(
    text: &str,
    values: &[T],
    op: Op,
    of: impl Fn(T, u32) -> T::Wide,
) {
    let executor = Executor::cpu();
    let map = Map::<T>::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let made: Vec<T::Wide> = (0..).zip(values).map(|(i, &value)| of(value, i)).collect();
    let bits = |value: Op::Value| Op::out(value).map(|out| bytemuck::bytes_of(&out).to_vec());
    for len in lens().map(|len| len.min(values.len())) {
        let found = executor.reduce_map(&map, &values[..len], op).expect("reduces").value;
        let wanted = executor.reduce(&made[..len], op).expect("reduces").value;
        let what = format!("{:?} of `{text}` of {len} {}", op.spec().operator, T::TYPE);
        assert_eq!(bits(found), bits(wanted), "{what}");
    }
}

/// What comes straight from memory, what is the same for all, and what is computed; by operators with an order, without, and of places.
#[test]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "so it is in WGSL"
)]
fn lengths_around_blocks() {
    let words = || (0..100_003u32).map(|i| i.wrapping_mul(0x9e37_79b1) ^ i >> 3);
    let floats = data::generate("signed", 11, 100_003);
    check_blocks::<f32, _>("x", &floats, Sum, |x, _| x);
    check_blocks::<f32, _>("1.25", &floats, Sum, |_, _| 1.25);
    check_blocks::<f32, _>("f32(i)", &floats, Sum, |_, i| i as f32);
    check_blocks::<f32, _>("x * x - f32(i & 3u)", &floats, Sum, |x, i| x * x - (i & 3) as f32);
    check_blocks::<f32, _>("f32(x > 0.25 && i != 7u)", &floats, Sum, |x, i| {
        f32::from(u8::from(x > 0.25 && i != 7))
    });
    check_blocks::<f32, _>("f32(bitcast<i32>(x) >> 9u) * 0.5", &floats, Sum, |x, _| {
        (x.to_bits().cast_signed() >> 9) as f32 * 0.5
    });
    check_blocks::<f32, _>("x + 0.1", &floats, Mean, |x, _| x + 0.1);
    check_blocks::<f32, _>("max(x, -x)", &floats, Max, |x, _| x.max(-x));
    check_blocks::<f32, _>("x * 3.0", &floats, ArgMax, |x, _| x * 3.0);
    check_blocks::<f32, _>("select(x, 9.0, i % 3u == 0u)", &floats, ArgMin, |x, i| {
        if i % 3 == 0 { 9.0 } else { x }
    });
    let any: Vec<f32> = words().map(f32::from_bits).collect();
    check_blocks::<f32, _>("x", &any, Count, |x, _| x);
    check_blocks::<f32, _>("x", &any, CountNan, |x, _| x);
    check_blocks::<f32, _>("x", &any, Min, |x, _| x);
    check_blocks::<f32, _>("f32(min(x, 2.0) == x)", &any, Count, |x, _| {
        f32::from(u8::from(x <= 2.0))
    });
    let doubles: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
    check_blocks::<f64, _>("x", &doubles, Sum, |x, _| x);
    check_blocks::<f64, _>("x * x + f64(f32(x))", &doubles, Sum, |x, _| {
        x * x + f64::from(x as f32)
    });
    check_blocks::<f64, _>("f64(x > 0.5)", &doubles, Count, |x, _| f64::from(u8::from(x > 0.5)));
    check_blocks::<f64, _>("abs(x)", &doubles, ArgMin, |x, _| x.abs());
    let words: Vec<u32> = words().collect();
    check_blocks::<u32, _>("x", &words, Sum, |x, _| x);
    check_blocks::<u32, _>("x * x", &words, Sum, |x, _| x.wrapping_mul(x));
    check_blocks::<u32, _>("x ^ i", &words, BitXor, |x, i| x ^ i);
    check_blocks::<u32, _>("x | 1u", &words, SumWide, |x, _| x | 1);
    check_blocks::<u32, _>("u32(x == 5u)", &words, Any, |x, _| u32::from(x == 5));
    check_blocks::<u32, _>("x / 2u + 1u", &words, All, |x, _| x / 2 + 1);
    check_blocks::<u32, _>("u32((u64(x) + u64(i)) / 2)", &words, ArgMin, |x, i| {
        ((u64::from(x) + u64::from(i)) / 2) as u32
    });
    let signed: Vec<i32> = words.iter().map(|x| x.cast_signed()).collect();
    check_blocks::<i32, _>("x - 7", &signed, Min, |x, _| x.wrapping_sub(7));
    check_blocks::<i32, _>("x", &signed, ArgMax, |x, _| x);
    let wide: Vec<i64> = signed.iter().map(|&x| i64::from(x) << 20).collect();
    check_blocks::<i64, _>("x * 3 - 1", &wide, Sum, |x, _| x.wrapping_mul(3).wrapping_sub(1));
    check_blocks::<i64, _>("i64(i32(x)) + i64(i)", &wide, Max, |x, i| {
        i64::from(x as i32).wrapping_add(i.into())
    });
    let wide: Vec<u64> = words.iter().map(|&x| u64::from(x) << 31 | 5).collect();
    check_blocks::<u64, _>("x", &wide, Sum, |x, _| x);
    check_blocks::<u64, _>("x >> 3u", &wide, ArgMin, |x, _| x >> 3);
    let bytes: Vec<u8> = words.iter().map(|x| x.to_le_bytes()[2]).collect();
    check_blocks::<u8, _>("x", &bytes, Sum, |x, _| x.into());
    check_blocks::<u8, _>("x * x", &bytes, SumWide, |x, _| u32::from(x) * u32::from(x));
    let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
    check_blocks::<f16, _>("x * x", &halves, Sum, |x, _| f32::from(x) * f32::from(x));
    let points: Vec<[f32; 3]> = floats.windows(3).map(|it| [it[0], it[1], it[2]]).collect();
    check_blocks::<[f32; 3], _>("x.z", &points, Sum, |x, _| x[2]);
    check_blocks::<[f32; 3], _>("x.x * x.y - x.z", &points, Sum, |x, _| x[0] * x[1] - x[2]);
}

/// What is counted, added and found where a predicate is true, of any length; and pairs, each side of which is in memory.
#[test]
fn some_of_lengths_around_blocks() {
    let executor = Executor::cpu();
    let floats = data::generate("signed", 12, 100_003);
    let with_nans: Vec<f32> =
        (0..).zip(&floats).map(|(i, &x)| if i % 5 == 3 { f32::NAN } else { x }).collect();
    let above = Predicate::<f32>::with_parameters("x > limit", &[("limit", 0.125)]);
    let above = above.expect("valid");
    let of = |text: &str| Map::<f32>::new(text).and_then(|map| map.only_where("x > 0.125"));
    let [doubled, same] = ["x * 2.0", "x"].map(|text| of(text).expect(text));
    let product = Map2::<f32>::new("x * y").expect("valid");
    let second = Map2::<f32>::new("y").and_then(|map| map.only_where("x <= y")).expect("valid");
    for len in lens() {
        let (values, other) = (&with_nans[..len], &floats[floats.len() - len..]);
        let is_above = |x: f32| x > 0.125;
        let count = values.iter().filter(|&&x| is_above(x)).count() as u64;
        assert_eq!(executor.count_if(values, "x > 0.125").expect("counts"), count, "{len}");
        assert_eq!(executor.count_if(values, &above).expect("counts"), count, "{len}");
        let kept: Vec<f32> = values.iter().map(|&x| if is_above(x) { x } else { 0.0 }).collect();
        let sum = executor.sum(&kept).expect("a sum");
        assert_eq!(
            executor.sum_if(values, &above).expect("adds").to_bits(),
            sum.to_bits(),
            "{len}"
        );
        let chosen: Vec<f32> = values.iter().copied().filter(|&x| is_above(x)).collect();
        assert_eq!(executor.select_if(values, &above).expect("selects"), chosen, "{len}");
        // Of those that count alone: their number, their places.
        let mean = executor.reduce_map(&doubled, values, Mean).expect("a mean").value;
        let total = executor.sum(&kept.iter().map(|x| x * 2.0).collect::<Vec<_>>());
        let wanted = total.expect("a sum") / count as f32;
        assert!(mean == wanted || mean.is_nan() && count == 0, "{len}: {mean}, not {wanted}");
        let least = executor.reduce_map(&same, values, ArgMin).expect("a minimum").value;
        let wanted = (0..).zip(values).filter(|&(_, &x)| is_above(x)).fold(
            None,
            |least: Option<Place<f32>>, (index, &element)| match least {
                Some(least) if least.element <= element => Some(least),
                _ => Some(Place { index, element }),
            },
        );
        assert_eq!(least, wanted, "{len}");
        let sides = (values, other);
        let products: Vec<f32> = sides.0.iter().zip(sides.1).map(|(x, y)| x * y).collect();
        let found = executor.reduce_map2(&product, values, other, Sum).expect("reduces");
        let wanted = executor.sum(&products).expect("a sum");
        assert_eq!(found.value.to_bits(), wanted.to_bits(), "{len}");
        let seconds: Vec<f32> =
            sides.0.iter().zip(sides.1).map(|(x, &y)| if *x <= y { y } else { 0.0 }).collect();
        let found = executor.reduce_map2(&second, values, other, Sum).expect("reduces");
        assert_eq!(found.value, executor.sum(&seconds).expect("a sum"), "{len}");
    }
}
