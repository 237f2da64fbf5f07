//! Operators of a user's own, without a GPU: what is refused and where, and twins on the CPU.

#[path = "custom/examples.rs"]
mod examples;

use examples::Example;
use gridfold::{
    Bits, CustomOperator, Element, Error, Executor, OperatorType, Precision, PrepareError, Scan,
    WgslError, wgsl::twin,
};

fn check<T: Element, A: Copy, Out>(example: &Example<T, A, Out>, elements: &[T])
where
    Out: gridfold::CustomOut,
{
    let executor = Executor::cpu();
    for len in [0, 1, 2, 3, 7, 64, 1000, elements.len()] {
        let elements = &elements[..len];
        let found = executor.reduce(elements, example.operator.clone()).expect("it has a twin");
        assert_eq!(found.value, example.result(elements), "{} of {len}", example.name);
        assert_eq!(found.adapter.backend, "cpu");
        let array = executor.upload(elements).expect("uploads");
        let of_array = array.reduce(example.operator.clone()).expect("it has a twin");
        assert_eq!(of_array.value, found.value);
    }
    segments(example, elements);
    examples::check_segments(&Executor::cpu(), example, elements);
}

/// Each is a reduction of its elements, of slices and of arrays.
fn segments<T: Element, A: Copy, Out>(example: &Example<T, A, Out>, elements: &[T])
where
    Out: gridfold::CustomOut,
{
    let executor = Executor::cpu();
    let operator = &example.operator;
    let offsets = [2u32, 2, 3, 40, 41, 900];
    let wanted: Vec<Out> = offsets
        .windows(2)
        .map(|ends| example.result(&elements[ends[0] as usize..ends[1] as usize]))
        .collect();
    let found = executor.reduce_segments(elements, &offsets, operator.clone());
    assert_eq!(found.expect("it has a twin"), wanted, "segments by {}", example.name);
    let array = executor.upload(&elements[..900]).expect("uploads");
    assert_eq!(array.reduce_segments(&offsets, operator.clone()).expect("reduces"), wanted);
    assert!(array.reduce_segments(&[], operator.clone()).expect("nothing").is_empty());
    let falling = array.reduce_segments(&[3, 2], operator.clone()).expect_err("they fall");
    assert!(matches!(falling, Error::Prepare(PrepareError::Segments(_))), "{falling}");

    let shape = [10, 9, 10];
    let wanted: Vec<Out> = (0..100)
        .map(|segment| {
            let own = elements[..900].iter().skip(segment / 10 * 90 + segment % 10);
            example.result(&own.step_by(10).take(9).copied().collect::<Vec<_>>())
        })
        .collect();
    let found = executor.reduce_axis(&elements[..900], &shape, 1, operator.clone());
    assert_eq!(found.expect("it has a twin"), wanted, "an axis by {}", example.name);
    assert_eq!(array.reduce_axis(&shape, 1, operator.clone()).expect("reduces"), wanted);
    let wrong = array.reduce_axis(&shape, 3, operator.clone()).expect_err("no such axis");
    assert!(matches!(wrong, Error::Prepare(PrepareError::Segments(_))), "{wrong}");
}

#[test]
fn twins_reduce_on_the_cpu() {
    let words: Vec<u32> = (0..5000u32).map(|i| i.wrapping_mul(0x9e37_79b9) ^ i >> 3).collect();
    check(&examples::affine(), &words);
    check(&examples::matrix(), &words);
    check(&examples::matrix_of_four(), &words);
    let sixes: Vec<u32> = words.iter().map(|word| word % 1000 * 6).collect();
    check(&examples::gcd(), &sixes);
    let bytes: Vec<u8> = words.iter().map(|word| word.to_le_bytes()[1]).collect();
    check(&examples::hash(), &bytes);
    let few: Vec<i32> = bytes.iter().map(|byte| i32::from(byte % 2)).collect();
    check(&examples::longest_run(), &few);
    let floats: Vec<f32> = bytes.iter().map(|&byte| f32::from(byte) - 127.5).collect();
    check(&examples::extent(), &floats);
    let triples: Vec<[u32; 3]> = words.as_chunks().0.to_vec();
    check(&examples::components(), &triples);
    let long: Vec<u64> = words.iter().map(|&word| u64::from(word) << 20).collect();
    check(&examples::words(), &long);
}

/// Each result is what a reduction of the same elements gives, also by an operator that rounds.
#[test]
fn twins_scan_on_the_cpu() {
    let executor = Executor::cpu();
    let words: Vec<u32> = (0..300u32).map(|i| i.wrapping_mul(0x9e37_79b9) ^ i >> 3).collect();
    let mixed = |a: u32, b: u32| a.rotate_left(5).wrapping_mul(0x85eb_ca6b) ^ b;
    let neither = CustomOperator::<u32, u32>::ordered(include_str!("custom/gcd.wgsl"));
    let neither = neither.expect("it is right").with_twin(
        [0, 0],
        |x| [1, x],
        move |[some, a]: [u32; 2], [other, b]: [u32; 2]| match (some, other) {
            (1, 1) => [1, mixed(a, b)],
            (1, _) => [1, a],
            _ => [other, b],
        },
        |[_, total]| total,
    );
    let reduced =
        |elements: &[u32]| executor.reduce(elements, neither.clone()).expect("reduces").value;
    let prefixes: Vec<u32> = (0..=words.len()).map(|len| reduced(&words[..len])).collect();
    for len in [0, 1, 2, 3, 64, 129, 300] {
        let scan = |scan| executor.scan(scan, &words[..len], neither.clone()).expect("scans");
        assert_eq!(scan(Scan::inclusive()), prefixes[1..=len]);
        assert_eq!(scan(Scan::exclusive()), prefixes[..len]);
        let array = executor.upload(&words[..len]).expect("uploads");
        let of_array = array.scan(Scan::inclusive(), neither.clone()).expect("scans");
        assert_eq!(of_array.download().expect("downloads"), prefixes[1..=len]);
    }
    // Before the runs of the pairwise order: of three elements a pair and one.
    let found = executor.scan(Scan::inclusive().initial(9), &[1, 2, 3], neither.clone());
    let [first, pair] = [mixed(9, 1), mixed(9, mixed(1, 2))];
    assert_eq!(found.expect("scans"), [first, pair, mixed(pair, 3)]);
    check_scans(&examples::matrix(), &words);
    check_scans(&examples::maps(), words.as_chunks().0);
    check_scans(&examples::matrices(), words.as_chunks().0);
}

fn check_scans<T: Element, A: Copy, Out: Element>(example: &Example<T, A, Out>, elements: &[T]) {
    for scan in [Scan::inclusive(), Scan::exclusive(), Scan::exclusive().initial(elements[5])] {
        let found = Executor::cpu().scan(scan, elements, example.operator.clone()).expect("scans");
        assert_eq!(found, example.scan(scan, elements), "{scan:?} by {}", example.name);
    }
}

/// So many elements that each of several threads has some.
#[test]
fn twins_work_in_threads() {
    let words: Vec<u32> = (0..1 << 21).map(|i: u32| i.wrapping_mul(0x9e37_79b9) ^ i >> 3).collect();
    let (affine, gcd) = (examples::affine(), examples::gcd());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads start");
    pool.install(|| {
        let executor = Executor::cpu();
        let reduced = executor.reduce(&words, affine.operator.clone()).expect("reduces").value;
        assert_eq!(reduced, affine.result(&words));
        let divisor = executor.reduce(&words[1..], gcd.operator.clone()).expect("reduces").value;
        assert_eq!(divisor, gcd.result(&words[1..]));
        for scan in [Scan::inclusive(), Scan::exclusive().initial(7)] {
            let found = executor.scan(scan, &words, affine.operator.clone()).expect("scans");
            assert!(found == affine.scan(scan, &words), "{scan:?}");
        }
        let segments = [0, 5, 1 << 21];
        let found = executor.reduce_segments(&words, &segments, affine.operator.clone());
        assert_eq!(found.expect("reduces"), [&words[..5], &words[5..]].map(|it| affine.result(it)));
        let mut rest = &words[..];
        let streamed = executor.reduce_stream::<u32, _, std::convert::Infallible>(
            1 << 21,
            affine.operator.clone(),
            |_, part| {
                let now;
                (now, rest) = rest.split_at(part.len());
                part.copy_from_slice(now);
                Ok(())
            },
        );
        assert_eq!(streamed.expect("reduces").value, reduced);
    });
}

/// Calls that take the library's operators alone.
#[test]
fn own_operators_have_no_parts_and_expressions() {
    let (executor, gcd) = (Executor::cpu(), examples::gcd().operator);
    let map = gridfold::Map::<u32>::new("x + 1u").expect("an expression");
    let errors = [
        executor.reduce_part(&[1], 0, gcd.clone()).map(|_| ()).expect_err("a part"),
        executor.stream::<u32, _>(gcd.clone()).map(|_| ()).expect_err("a stream"),
        executor.reduce_map(&map, &[1], gcd).map(|_| ()).expect_err("an expression"),
    ];
    for error in errors {
        assert!(matches!(error, Error::Prepare(PrepareError::OwnOperator)), "{error}");
    }
}

#[test]
fn the_cpu_says_what_it_can_not_do() {
    let operator = CustomOperator::<u32, u32>::commutative(include_str!("custom/gcd.wgsl"));
    let operator = operator.expect("it is right");
    let error = Executor::cpu().reduce(&[1], operator.clone()).expect_err("it has no twin");
    assert!(matches!(error, Error::Prepare(PrepareError::NoTwin)), "{error}");
    let error = Executor::cpu().scan(Scan::inclusive(), &[1], operator.clone());
    let error = error.expect_err("it has no twin");
    assert!(matches!(error, Error::Prepare(PrepareError::NoTwin)), "{error}");
    let exact = Executor::cpu().precision(Precision::Exact);
    let gcd = examples::gcd().operator;
    let errors = [
        exact.reduce(&[1], gcd.clone()).map(|_| ()).expect_err("not exact"),
        exact.scan(Scan::inclusive(), &[1], gcd.clone()).map(|_| ()).expect_err("not exact"),
    ];
    for error in errors {
        let is_expected = matches!(
            error,
            Error::Prepare(PrepareError::Imprecise { operator: OperatorType::Custom, .. })
        );
        assert!(is_expected, "{error}");
    }
}

/// What is wrong with an operator on f32s whose results are f32s.
fn error_of(text: &str) -> WgslError {
    CustomOperator::<f32, f32>::ordered(text).map(|_| ()).expect_err(text)
}

const IDENTITY: &str = "fn identity() -> f32 { return 0.0; }\n";

/// With a right identity in the first line.
fn error_below(text: &str) -> WgslError {
    error_of(&[IDENTITY, text].concat())
}

#[test]
fn what_is_no_wgsl_is_told_with_its_place() {
    for (text, line, column, says) in [
        ("fn combine(a: f32, b: f32) -> f32 { return a + ; }", 2, 48, "expected"),
        ("fn combine(a: f32, b: f32) -> f32 {\n    return a + ä;\n}", 3, 16, "ä"),
        ("fn combine(a: f32, b: f32) -> f32 { return a & b; }", 2, 44, "nd"),
        ("fn combine(a: f32, b: f32) -> f32 { return 1u; }", 2, 44, "return"),
        ("fn combine(a: f32, b: f32) -> f32 { return combine(a, b); }", 2, 4, "recursive"),
    ] {
        let error = error_below(text);
        let WgslError::Invalid { line: at_line, column: at_column, message } = &error else {
            panic!("{text}: {error:?}")
        };
        assert_eq!((*at_line, *at_column), (line, column), "{text}: {error}");
        assert!(message.contains(says), "{text}: {message}");
    }
}

#[test]
fn what_an_operator_may_not_do_is_forbidden() {
    let combine = "fn combine(a: f32, b: f32) -> f32 { return a + b; }\n";
    for (text, line, what) in [
        ("@compute @workgroup_size(1) fn main() {}", 3, "an entry point"),
        ("@group(0) @binding(0) var<storage, read> x: array<u32>;", 3, "a binding"),
        ("var<workgroup> x: array<u32, 4>;", 3, "a variable in workgroup memory"),
        ("var<private> x: u32;", 3, "a variable of the module"),
        ("override N: u32 = 1u;", 3, "a pipeline constant"),
        ("fn f() { workgroupBarrier(); }", 3, "a barrier"),
        ("fn f() { if true { loop { storageBarrier(); break; } } }", 3, "a barrier"),
        ("fn f(x: u32) -> u32 { return subgroupAdd(x); }", 3, "a subgroup function"),
        ("fn f(x: u32) -> u32 { return subgroupShuffleXor(x, 1u); }", 3, "a subgroup function"),
        ("fn f(x: f32) -> f32 { return dpdx(x); }", 3, "a derivative"),
        ("fn f(x: ptr<function, u32>) -> u32 { return *x; }", 3, "a pointer as a parameter"),
        ("fn f() { discard; }", 3, "a `discard`"),
    ] {
        let error = error_below(&[combine, text].concat());
        let WgslError::Forbidden { line: at, what: found, .. } = &error else {
            panic!("{text}: {error:?}")
        };
        assert_eq!((*at, *found), (line, what), "{text}: {error}");
    }
    let error = error_of(&["enable f16;\n", IDENTITY, combine].concat());
    assert!(matches!(error, WgslError::Forbidden { line: 1, column: 1, what: "a directive" }));
}

/// Against counters that are taken out one by one.
#[test]
fn packed_counters_are_sums() {
    fn check<const N: usize>(bits: u32, words: &[u32])
    where
        [u32; N]: bytemuck::Pod,
    {
        let operator = CustomOperator::<u32, [u32; N]>::packed_counters(bits).expect("they fit");
        let found = Executor::cpu().reduce(words, operator.clone()).expect("it has a twin").value;
        let mut wanted = [0u32; N];
        for &word in words {
            let mut rest = u64::from(word);
            for sum in &mut wanted {
                *sum = sum.wrapping_add(u32::try_from(rest % (1 << bits)).expect("a counter"));
                rest >>= bits;
            }
        }
        assert_eq!(found, wanted, "{N} of {bits} bits");
    }
    let words: Vec<u32> = (0..999u32).map(|i| i.wrapping_mul(0x9e37_79b9) ^ i << 7).collect();
    check::<5>(6, &words);
    check::<16>(2, &words);
    check::<2>(16, &words);
    check::<1>(32, &words);
    check::<3>(10, &[]);
    let error = |bits| CustomOperator::<u32, [u32; 6]>::packed_counters(bits).expect_err("no room");
    for bits in [0, 6, 1 << 31, u32::MAX] {
        assert_eq!(error(bits), WgslError::Counters { count: 6, bits });
    }
    let many = CustomOperator::<u32, [u32; 32]>::packed_counters(1).expect_err("too many");
    assert_eq!(many, WgslError::Counters { count: 32, bits: 1 });
}

#[test]
fn functions_have_to_fit_each_other() {
    let missing = |text: &str| match error_of(text) {
        WgslError::Missing { function, .. } => function,
        error => panic!("{text}: {error:?}"),
    };
    assert_eq!(missing(""), "combine");
    assert_eq!(missing("fn combine(a: f32, b: f32) -> f32 { return a; }"), "identity");
    let of_u32 =
        "fn identity() -> u32 { return 0u; }\nfn combine(a: u32, b: u32) -> u32 { return a; }\n";
    assert_eq!(missing(of_u32), "lift");
    let signature = |text: &str| match error_of(text) {
        WgslError::Signature { function, line, .. } => (function, line),
        error => panic!("{text}: {error:?}"),
    };
    assert_eq!(signature("\nfn combine(a: f32) -> f32 { return a; }"), ("combine", 2));
    assert_eq!(signature("fn combine(a: f32, b: f32) {}"), ("combine", 1));
    let of_i32 =
        "fn identity() -> i32 { return 0; }\nfn combine(a: f32, b: f32) -> f32 { return a; }";
    assert_eq!(signature(of_i32), ("identity", 1));
    let with = |rest: &str| signature(&[of_u32, rest].concat());
    assert_eq!(with("fn lift(x: u32) -> u32 { return x; }"), ("lift", 3));
    assert_eq!(with("fn lift(x: f32) -> f32 { return x; }"), ("lift", 3));
    let lift = "fn lift(x: f32) -> u32 { return 0u; }\n";
    assert_eq!(with(&[lift, "fn finish(x: f32) -> f32 { return x; }"].concat()), ("finish", 4));
    let error =
        error_of(&[of_u32, lift, "fn finish(x: u32) -> vec2<u32> { return vec2(x); }"].concat());
    let line = 4; // `finish`
    assert_eq!(error, WgslError::ResultSize { line, column: 1, words: 2, bytes: 4 });
}

#[test]
fn accumulators_are_a_few_words() {
    let of = |declared: &str, acc: &str, value: &str| {
        let text = format!(
            "{declared}fn identity() -> {acc} {{ return {value}; }}
             fn lift(x: f32) -> {acc} {{ return {value}; }}
             fn combine(a: {acc}, b: {acc}) -> {acc} {{ return a; }}
             fn finish(a: {acc}) -> f32 {{ return 0.0; }}"
        );
        CustomOperator::<f32, f32>::ordered(&text)
    };
    of("", "bool", "true").expect("a bool is a word");
    of("struct S { a: vec4<i32>, b: vec3<bool>, c: T } struct T { d: f32, e: vec4<u32>, f: vec4<f32> }", "S", "S()")
        .expect("sixteen words");
    let too_large = of(
        "struct S { a: vec4<i32>, b: vec4<i32>, c: vec4<i32>, d: vec4<i32>, e: u32 }",
        "S",
        "S()",
    );
    let error = too_large.expect_err("seventeen words");
    assert!(matches!(error, WgslError::TooLarge { words: 17, max: 16, .. }), "{error:?}");
    // Structs of structs of structs: their words are counted, and not made one by one.
    let doubled = (1..=12).map(|i| format!("struct S{i} {{ a: S{0}, b: S{0} }}\n", i - 1));
    let doubled = doubled.fold("struct S0 { a: u32 }\n".to_owned(), |text, one| text + &one);
    let doubled = doubled + "fn none() -> S12 { var none: S12; return none; }\n";
    let error = of(&doubled, "S12", "none()").expect_err("4096 words");
    assert!(matches!(error, WgslError::TooLarge { words: 4096, .. }), "{error:?}");
    for acc in ["array<u32, 2>", "mat2x2<f32>"] {
        let error = of("", acc, &format!("{acc}()")).expect_err(acc);
        assert!(matches!(error, WgslError::Type { function: "combine", .. }), "{error:?}");
    }
}

#[test]
fn there_are_none_on_bits() {
    let text = "fn identity() -> u32 { return 0u; }
                fn combine(a: u32, b: u32) -> u32 { return a | b; }";
    CustomOperator::<u32, u32>::commutative(text).expect("of words");
    let error = CustomOperator::<Bits, u32>::commutative(text).expect_err("of bits");
    assert_eq!(error, WgslError::OfBits);
}

#[test]
fn copies_of_what_is_written_meanwhile_are_refused() {
    let of = |body: &str| {
        let text = format!(
            "struct S {{ a: f32, b: f32 }}
             fn identity() -> S {{ return S(); }}
             fn lift(x: f32) -> S {{ return S(x, x); }}
             fn same(s: S) -> S {{ return s; }}
             fn combine(a: S, b: S) -> S {{ {body} }}
             fn finish(s: S) -> f32 {{ return s.a; }}"
        );
        CustomOperator::<f32, f32>::ordered(&text).map(|_| ())
    };
    for wrong in [
        "var s = a; let old = s; s = b; return old;",
        "var s = a; let old = s; s.a = b.a; return S(old.a, s.b);",
        "var s = a; let old = same(s); s = b; return old;",
        "var s = a; var old = s; s = b; return old;",
        "var s = a; var old = a; for (var i = 0; i < 3; i++) { s.a += old.a; old = s; } return old;",
    ] {
        let error = of(wrong).expect_err(wrong);
        assert!(matches!(error, WgslError::Copy { line: 5, .. }), "{wrong}: {error:?}");
    }
    for right in [
        "var s = a; s.a += b.a; return s;",
        "var s = a; s = same(s); s = same(s); return s;",
        "var s = a; let old = S(s.a, s.b); s = b; return old;",
        "var s = a; for (var i = 0; i < 3; i++) { s = same(s); } return s;",
        "var s = a; if b.a > 0.0 { s = b; return s; } return s;",
    ] {
        of(right).expect(right);
    }
}

/// Names that the library's files have, and those of WGSL's own functions.
#[test]
fn a_user_may_take_any_names() {
    CustomOperator::<u32, u32>::commutative(
        "struct Params { nodes: u32, Acc: u32 }
         alias Elem = u32;
         const WORKGROUP_SIZE = 7u;
         fn min(a: Elem, b: Elem) -> Elem { return a + b; }
         fn op_combine(params: Params) -> Elem { return min(params.nodes, params.Acc); }
         fn user_lift() -> u32 { return WORKGROUP_SIZE; }
         fn identity() -> u32 { return 0u; }
         fn combine(a: u32, b: u32) -> u32 { let fence = a; return op_combine(Params(fence, b)); }",
    )
    .expect("it is right");
}

/// Collectives' twins. Numbers that are put behind each other: no other order has the same result.
#[test]
fn own_operators_keep_the_order() {
    let text = include_str!("custom/affine.wgsl");
    let own = CustomOperator::<u32, [u32; 2]>::ordered(text).expect("it is right").with_twin(
        [1u32, 0],
        |digit: u32| [10, digit],
        |a, b| [a[0] * b[0], a[1] * b[0] + b[1]],
        |total| total,
    );
    let without = CustomOperator::<u32, [u32; 2]>::ordered(text).expect("it is right");
    let panics = std::panic::catch_unwind(|| twin::reduce_all(&[1u32], without));
    assert!(panics.is_err(), "there is no twin");
    let lanes = [1, 2, 3, 4, 5];
    let numbers =
        |totals: Vec<[u32; 2]>| -> Vec<u32> { totals.into_iter().map(|total| total[1]).collect() };
    assert_eq!(numbers(twin::inclusive_scan(&lanes, own.clone())), [1, 12, 123, 1234, 12345]);
    assert_eq!(numbers(twin::exclusive_scan(&lanes, own.clone())), [0, 1, 12, 123, 1234]);
    let heads = [false, false, true, false, true];
    assert_eq!(numbers(twin::segmented_reduce(&lanes, &heads, own.clone())), [12, 12, 34, 34, 5]);
    let inclusive = twin::segmented_inclusive_scan(&lanes, &heads, own.clone());
    assert_eq!(numbers(inclusive), [1, 12, 3, 34, 5]);
    let exclusive = twin::segmented_exclusive_scan(&lanes, &heads, own.clone());
    assert_eq!(numbers(exclusive), [0, 1, 0, 3, 0]);
    for size in [0, 1, 2, 3, 9] {
        let total = twin::device_reduce(&lanes, size, own.clone());
        assert_eq!(total, twin::reduce_all(&lanes, own.clone()), "groups of {size}");
    }
}
