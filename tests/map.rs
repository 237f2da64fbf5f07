//! Expressions over elements, without a GPU: their values on the CPU, and what is refused and where.

#[path = "support/data.rs"]
#[expect(dead_code, reason = "of the pairwise order's vectors only the generators are used")]
mod data;
#[path = "map/mistakes.rs"]
mod mistakes;
#[path = "custom/random.rs"]
mod random;

use gridfold::{
    All, Any, ArgMinMax, BitXor, Count, CountNan, CustomOperator, Error, Executor, L1Norm, Map,
    Map2, Map3, MapElement, Mapped, Max, MaxAbs, Mean, Min, MinMax, Moments, Nan, Norm, Operator,
    Partial, Precision, Predicate, PrepareError, Product, StreamError, Sum, SumOfSquares, Variance,
    WgslError,
    half::{bf16, f16},
};
use random::{Random, expression, words};

/// What an expression over words is of one of them.
fn value(map: &Map<u32>, word: u32) -> u32 {
    Executor::cpu().reduce_map::<u32, _>(map, &[word], BitXor).expect("a value").value
}

/// Compares an expression over words with what it should be, for numbers of all kinds.
fn check(text: &str, wanted: impl Fn(u32) -> u32) {
    let map = Map::<u32>::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    for word in words(&mut Random(1), 500) {
        let (found, wanted) = (value(&map, word), wanted(word));
        assert_eq!(found, wanted, "{text} of {word:#x}: {found:#x}, not {wanted:#x}");
    }
}

/// The same of floats, of which every NaN is one.
fn check_float(text: &str, wanted: impl Fn(f32) -> f32) {
    let of_words = text.replace('x', "bitcast<f32>(x)").replace("mabitcast<f32>(x)(", "max(");
    check(&format!("bitcast<u32>({of_words})"), |word| {
        let wanted = wanted(f32::from_bits(word));
        if wanted.is_nan() { 0x7fc0_0000 } else { wanted.to_bits() }
    });
}

#[test]
fn floats_are_ieee_754s() {
    check_float("x + 1.5", |x| x + 1.5);
    check_float("x - 1e-40f", |x| x - 1e-40);
    check_float("x * x", |x| x * x);
    check_float("x * 1e-30f", |x| x * 1e-30);
    check_float("x - x", |x| x - x);
    check_float("(x + 1e30f) * x - 3.0", |x| (x + 1e30) * x - 3.0);
    check_float("x * x + x", |x| x * x + x);
    check_float("x / 3.0", |x| x / 3.0);
    check_float("1e-39f / x", |x| 1e-39 / x);
    check_float("x / (x + 1.0)", |x| x / (x + 1.0));
    check_float("x / 0.0", |x| x / 0.0);
    check_float("x / -4.0 + x / 1e-38f", |x| x / -4.0 + x / 1e-38);
    check_float("min(x, 1.0)", |x| if x.is_nan() { x } else { x.min(1.0) });
    check_float("max(x, -1.0)", |x| if x.is_nan() { x } else { x.max(-1.0) });
    check_float("select(1.0, 2.0, x < 0.5)", |x| if x < 0.5 { 2.0 } else { 1.0 });
    check_float("select(1.0, 2.0, x == 0.0)", |x| if x == 0.0 { 2.0 } else { 1.0 });
    check_float("select(1.0, 2.0, x != x)", |x| if x.is_nan() { 2.0 } else { 1.0 });
    check_float("select(1.0, 2.0, x >= -1.0 && !(x > 7.0))", |x| {
        if (-1.0..=7.0).contains(&x) { 2.0 } else { 1.0 }
    });
    // The sign and the rest of a NaN stay, where nothing is computed.
    check("bitcast<u32>(-bitcast<f32>(x))", |word| word ^ 1 << 31);
    check("bitcast<u32>(abs(bitcast<f32>(x)))", |word| word & 0x7fff_ffff);
    // −0 is below +0.
    check("bitcast<u32>(min(0.0, -bitcast<f32>(x * 0u)))", |_| 1 << 31);
}

#[test]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "so it is in WGSL"
)]
fn conversions_saturate_and_round() {
    check("u32(bitcast<f32>(x))", |word| f32::from_bits(word) as u32);
    check("bitcast<u32>(i32(bitcast<f32>(x)))", |word| {
        (f32::from_bits(word) as i32).cast_unsigned()
    });
    check("bitcast<u32>(f32(x))", |word| (word as f32).to_bits());
    check("bitcast<u32>(f32(i32(x)))", |word| (word.cast_signed() as f32).to_bits());
    check("u32(bool(bitcast<f32>(x)))", |word| u32::from(f32::from_bits(word) != 0.0));
    check("bitcast<u32>(f32(bool(x)))", |word| f32::from(u8::from(word != 0)).to_bits());
}

#[test]
fn integers_wrap_and_never_trap() {
    check("x + 0xfffffff0u", |x| x.wrapping_add(0xffff_fff0));
    check("x * x - 3u", |x| x.wrapping_mul(x).wrapping_sub(3));
    check("1000u / x", |x| 1000u32.checked_div(x).unwrap_or(1000));
    check("1000u % x", |x| 1000u32.checked_rem(x).unwrap_or(0));
    let signed = |of: fn(i32) -> i32| move |x: u32| of(x.cast_signed()).cast_unsigned();
    check(
        "bitcast<u32>(bitcast<i32>(0x80000000u) / i32(x))",
        signed(|x| if x == 0 { i32::MIN } else { i32::MIN.wrapping_div(x) }),
    );
    check("bitcast<u32>(i32(x) % -7)", signed(|x| x.wrapping_rem(-7)));
    check("bitcast<u32>(-i32(x))", signed(i32::wrapping_neg));
    check("bitcast<u32>(abs(i32(x)))", signed(i32::wrapping_abs));
    check("bitcast<u32>(i32(x) >> 5u)", signed(|x| x >> 5));
    check("x >> (x & 31u) | x << 3u ^ ~x", |x| (x >> (x & 31)) | ((x << 3) ^ !x));
    check("1u << x", |x| 1u32.wrapping_shl(x));
    check("countOneBits(x) + countLeadingZeros(x) * 100u + countTrailingZeros(x) * 10000u", |x| {
        x.count_ones() + x.leading_zeros() * 100 + x.trailing_zeros() * 10_000
    });
    check("reverseBits(x)", u32::reverse_bits);
    check("clamp(x, 10u, 50u)", |x| x.clamp(10, 50));
    check("u32(x > 5u || x == 3u && true)", |x| u32::from(x > 5 || x == 3));
}

/// Literals are of the type that the expression needs, and what is constant is computed once, on the host.
#[test]
fn constants_are_computed_as_wgsl_says() {
    check_float("x * (1.0 / 3.0) + 2", |x| x * (1.0 / 3.0) + 2.0);
    check("(x\n + 1) * 2", |x| x.wrapping_add(1).wrapping_mul(2));
}

/// A literal is of the type that it meets, through whatever is made of literals alone.
#[test]
fn literals_take_the_type_that_they_meet() {
    macro_rules! check {
        ($($element:ident, $text:literal of $x:expr => $wanted:expr;)*) => {$(
            let map = Map::<$element>::new($text).unwrap_or_else(|error| panic!("{}: {error}", $text));
            let found = Executor::cpu().reduce_map::<$element, _>(&map, &[$x], Sum).expect("adds").value;
            let wanted: $element = $wanted;
            assert_eq!(found.to_le_bytes(), wanted.to_le_bytes(), "{}: {found}, not {wanted}", $text);
        )*};
    }
    check! {
        f64, "x * select(0.1, 0.2, x > 0.0)" of 2.0 => 2.0 * 0.2;
        f64, "select(0.1, 0.2, x > 0.0) * x" of -2.0 => -2.0 * 0.1;
        f64, "x + -(select(0.1, max(0.2, select(0.3, 7, x < 0)), x > 0))" of 2.0 => 2.0 - 0.3;
        f64, "clamp(x, 0.1, 0.7 - 0.4)" of 2.0 => 0.7 - 0.4;
        f64, "min(0.1, x)" of 2.0 => 0.1;
        f64, "f64(select(0.1, 0.2, x > 0.0))" of 2.0 => 0.2;
        f64, "select(0.1, 0.2, x > 0.0)" of 2.0 => 0.2;
        f64, "select(1, x, x < 0.0) / 3" of 2.0 => 1.0 / 3.0;
        f64, "abs(select(-0.1, 0.5, x < 0.0)) + x" of 0.0 => 0.1;
        f64, "f64(f32(select(0.1, 0.2, x > 0.0)))" of 2.0 => f64::from(0.2f32);
        f64, "f64(select(0.1, 0.2, x > 0.0) == 0.2)" of 2.0 => 1.0;
        f32, "x * select(0.1, 0.2, x > 0.0)" of 2.0 => 2.0 * 0.2;
        f32, "16777217" of 0.0 => 16_777_216.0;
        i64, "x + select(1, 9223372036854775806, x > 0)" of 1 => i64::MAX;
        i64, "x + -9223372036854775808" of 0 => i64::MIN;
        i64, "x & ~(1 << i)" of -1 => -2;
        u64, "x & ~7" of u64::MAX => !7;
        u64, "x + select(0, 18446744073709551615, x == 0)" of 0 => u64::MAX;
        u64, "select(1, 9223372036854775808, x > 9223372036854775808)" of u64::MAX => 1 << 63;
        u64, "countOneBits(255lu)" of 1 => 8;
        u64, "countLeadingZeros(select(1, 2, x > 0)) + x" of 0 => 63;
        u32, "max(x, select(3000000000, 7, x > 0)) - 1" of 0 => 2_999_999_999;
        u32, "x + (1 << 31)" of 1 => (1 << 31) + 1;
        i32, "i32(f64(x) * select(0.5, 0.25, x < 0))" of 1000 => 500;
        i32, "7 / 2 + x" of 0 => 3;
        i32, "i32(2.75) + x" of 0 => 2;
        i32, "x + -2147483648" of 0 => i32::MIN;
        f32, "6 / 2 * x" of 1.0 => 3.0;
        f32, "f32(i32(select(1, 3, x > 0) / 2)) * x" of 1.0 => 1.0;
    }
    // A quotient of integers is none of floats.
    let error = Map::<f32>::new("select(1, 3, x > 0) / 2 * x").map(|_| ()).expect_err("an i32");
    assert!(matches!(error, WgslError::Operands { .. }), "{error}");
}

#[test]
fn every_element_has_its_index() {
    let values: Vec<u32> = (0..100_000).collect();
    let executor = Executor::cpu();
    let same = Map::<u32>::new("x == i").expect("a predicate");
    assert_eq!(executor.reduce_map(&same, &values, Count).expect("counts").value, 100_000);
    let even = Map::<u32>::new("x").and_then(|map| map.only_where("i % 2u == 0u"));
    let even = even.and_then(|map| map.only_where("i < 10u")).expect("an expression");
    assert_eq!(executor.reduce_map(&even, &values, Sum).expect("sums").value, 20);
}

#[test]
fn operators_take_what_expressions_make() {
    let executor = Executor::cpu();
    let values = [1.0f32, -2.0, 3.0, -4.5];
    let doubled = Map::<f32>::new("2.0 * x").expect("an expression");
    let reduce = |map: &Map<f32>| executor.reduce_map(map, &values, Sum);
    assert_eq!(reduce(&doubled).expect("sums").value, -5.0);
    assert_eq!(executor.reduce_map(&doubled, &values, Mean).expect("a mean").value, -1.25);
    assert_eq!(
        executor.reduce_map(&doubled, &values, Min).expect("there is one").value,
        Some(-9.0)
    );
    assert_eq!(executor.reduce_map::<f32, _>(&doubled, &[], Max).expect("nothing").value, None);
    let positive = doubled.clone().only_where("x > 0.0").expect("a predicate");
    assert_eq!(reduce(&positive).expect("sums").value, 8.0);
    let product = executor.reduce_map(&positive, &values, Product).expect("a product");
    assert_eq!(product.value, 12.0);
    let array = executor.upload(&values).expect("uploads");
    assert_eq!(array.reduce_map(&positive, Sum).expect("sums").value, 8.0);
    let map = Map2::<f32>::new("(x - y) * (x - y)").expect("an expression");
    let other = executor.upload(&[0.0, -2.0, 1.0, -4.0]).expect("uploads");
    assert_eq!(array.reduce_map2(&map, &other, Sum).expect("sums").value, 5.25);
    let short = executor.reduce_map2::<f32, _>(&map, &values, &[1.0], Sum).expect_err("unequal");
    assert!(matches!(short, Error::Prepare(PrepareError::LengthMismatch { left: 4, right: 1 })));
    assert_eq!(executor.count_if(&[3i32, -1, 7], "x > 0").expect("counts"), 2);
    assert_eq!(executor.sum_if(&[3i32, -1, 7], "x > 0").expect("sums"), 10);
    assert_eq!(array.count_if("x > 0.0 || i == 1u").expect("counts"), 3);
    assert_eq!(array.sum_if("x > 0.0 || i == 1u").expect("sums"), 2.0);
    let above = Predicate::<f32>::with_parameters("x > limit || i == 1u", &[("limit", 2.0)]);
    let above = above.expect("a predicate");
    assert_eq!(array.count_if(&above).expect("counts"), 2);
    assert_eq!(array.sum_if(&above).expect("sums"), 1.0);
    let above = above.parameter("limit", -5.0).expect("a parameter");
    assert_eq!(executor.count_if(&values, &above).expect("counts"), 4);
    assert_eq!(executor.sum_if(&values, &above).expect("sums"), -2.5);
    // A narrow element is widened, and so is a parameter.
    let large = Predicate::<u8>::with_parameters("x * one >= 100u", &[("one", 1)]);
    let large = large.expect("a predicate");
    assert_eq!(executor.sum_if(&[200u8, 100, 3], &large).expect("sums"), 300);
    let error = array.count_if(" x").expect_err("no bool");
    assert!(matches!(error, Error::Wgsl(WgslError::Value { line: 1, column: 2, .. })), "{error}");
    let exact = executor.precision(Precision::Exact);
    let error = exact.reduce_map(&doubled, &values, Product).expect_err("it rounds");
    assert!(matches!(error, Error::Prepare(PrepareError::Imprecise { .. })), "{error}");
    assert_eq!(exact.reduce_map(&doubled, &values, Sum).expect("adds").value, -5.0);
    assert_eq!(exact.reduce_map(&doubled, &values, Max).expect("any level").value, Some(6.0));
}

/// Types that do not go together are told in words: the operator with its place, its operands with their types, and what to write.
#[test]
fn types_that_do_not_go_together() {
    let check = |error: WgslError, text: &str, (line, column): (u32, u32), says: &str| {
        let WgslError::Operands { line: at_line, column: at_column, .. } = error else {
            panic!("{text}: {error:?}")
        };
        assert_eq!((at_line, at_column), (line, column), "{text}: {error}");
        let wanted = format!("line {line}, column {column}: {says}");
        assert_eq!(error.to_string(), wanted, "{text}");
    };
    let one = "takes numbers of one type, but";
    for (text, at, says) in [
        ("x > 1u", (1, 3), format!("`>` {one} x is f32 and 1u is u32: write 1.0 or 1")),
        ("1i <= x", (1, 4), format!("`<=` {one} 1i is i32 and x is f32: write 1.0 or 1")),
        ("x > 0.5 && x < 2u", (1, 14), format!("`<` {one} x is f32 and 2u is u32: write 2.0 or 2")),
        ("x +\n  2 *\n x * i", (3, 4), String::new()),
        ("(x) * (i)", (1, 5), format!("`*` {one} x is f32 and i is u32: convert, as by f32(i), which rounds from 2^24 on")),
        ("x % 2u > 0", (1, 3), format!("`%` {one} x is f32 and 2u is u32: write 2.0 or 2")),
        ("(x > 1) + x", (1, 9), format!("`+` {one} x > 1 is bool and x is f32: convert, as by f32(x > 1)")),
        ("x == (x > 1)", (1, 3), "`==` takes two values of one type, but x is f32 and x > 1 is bool: convert, as by f32(x > 1)".to_owned()),
        ("x & x", (1, 3), "`&` takes two integers or bools of one type, but x is f32: convert, as by i32(x), which drops fractions".to_owned()),
        ("i << x", (1, 3), "`<<` takes an integer and a u32, but x is f32: convert, as by u32(x), which drops fractions".to_owned()),
        ("x << i", (1, 3), "`<<` takes an integer and a u32, but x is f32 and i is u32: convert, as by i32(x), which drops fractions".to_owned()),
        ("x > 1 || i", (1, 7), "`||` takes two bools, but i is u32: compare, as in i != 0".to_owned()),
        ("!x", (1, 1), "`!` takes a bool, but x is f32: compare, as in x != 0".to_owned()),
        ("f32(-i)", (1, 5), "`-` takes a number with a sign, but i is u32: convert, as by i32(i), which wraps from 2^31 on".to_owned()),
        ("~x", (1, 1), "`~` takes an integer, but x is f32: convert, as by i32(x), which drops fractions".to_owned()),
        ("select(0.0, x, i)", (1, 1), "`select` takes two values of one type, and a bool, but i is u32: compare, as in i != 0".to_owned()),
    ] {
        let error = Map::<f32>::new(text).map(|_| ()).expect_err(text);
        match says.is_empty() {
            false => check(error, text, at, &says),
            true => {
                let WgslError::Operands { line, column, .. } = error else {
                    panic!("{text}: {error:?}")
                };
                assert_eq!((line, column), at, "{text}: {error}");
            }
        }
    }
    // Functions, too.
    for (text, says) in [
        (
            "max(x, i)",
            "`max` takes numbers of one type, but x is f32 and i is u32: convert, as by f32(i), which rounds from 2^24 on",
        ),
        (
            "x + min(1u, x)",
            "`min` takes numbers of one type, but 1u is u32 and x is f32: write 1.0 or 1",
        ),
        (
            "f32(countOneBits(x))",
            "`countOneBits` takes an integer, but x is f32: convert, as by i32(x), which drops fractions",
        ),
        (
            "select(x, 1u, x > 0)",
            "`select` takes two values of one type, and a bool, but x is f32 and 1u is u32: write 1.0 or 1",
        ),
    ] {
        let error = Map::<f32>::new(text).map(|_| ()).expect_err(text);
        assert!(matches!(error, WgslError::Operands { line: 1, .. }), "{text}: {error:?}");
        assert!(error.to_string().ends_with(says), "{text}: {error}");
    }
    // Of other elements, and of predicates.
    let error = Predicate::<i64>::new("x > 1.5lf").expect_err("an f64");
    let says = "`>` takes numbers of one type, but x is i64 and 1.5lf is f64: convert, as by f64(x), which rounds from 2^53 on";
    check(error, "x > 1.5lf", (1, 3), says);
    let error = Predicate::<i32>::new("x > 0.5").expect_err("a float");
    let says = "`>` takes numbers of one type, but x is i32 and 0.5 is f64: convert, as by f64(x)";
    check(error, "x > 0.5", (1, 3), says);
    // What other languages read as it is meant.
    for (text, column, sign, found) in [
        (
            "0.5 < x < 2.5",
            9,
            "<",
            "0.5 < x is bool and 2.5 is f32: compare twice, as in 1 < x && x < 3",
        ),
        (
            "(0.5 < x) <= x",
            11,
            "<=",
            "0.5 < x is bool and x is f32: compare twice, as in 1 < x && x < 3",
        ),
        ("(x > 1) < (x > 2)", 9, "<", "x > 1 is bool and x > 2 is bool: convert, as by u32(x > 1)"),
    ] {
        let error = Predicate::<f32>::new(text).expect_err(text);
        let says = format!("`{sign}` takes numbers of one type, but {found}");
        check(error, text, (1, column), &says);
    }
    let of_bits = "takes two integers or bools of one type";
    for (text, column, says) in [
        (
            "x & 1 == 0",
            3,
            format!(
                "`&` {of_bits}, but x is i32 and 1 == 0 is bool: comparisons bind tighter than &, so write as in (x & 1) == 0"
            ),
        ),
        (
            "(x == 4 | 1)",
            9,
            format!(
                "`|` {of_bits}, but x == 4 is bool and 1 is i32: comparisons bind tighter than |, so write as in (x | 1) == 0"
            ),
        ),
        (
            "x & (x == 0)",
            3,
            format!("`&` {of_bits}, but x is i32 and x == 0 is bool: convert, as by i32(x == 0)"),
        ),
    ] {
        let error = Predicate::<i32>::new(text).expect_err(text);
        check(error, text, (1, column), &says);
    }
    Predicate::<i32>::new("(x & 1) == 0").expect("as advised");
    let error = Predicate::<f32>::new("x^2 > 1").expect_err("a float");
    let says = error.to_string();
    assert!(says.ends_with("so for a square write x * x"), "{says}");
    let error = Map::<u32>::new("x").and_then(|map| map.only_where("i < 3i")).expect_err("an i32");
    check(
        error,
        "i < 3i",
        (1, 3),
        "`<` takes numbers of one type, but i is u32 and 3i is i32: write 3",
    );
    let error = Map::<[f32; 2]>::new("x.x * 2u").map(|_| ()).expect_err("a u32");
    check(
        error,
        "x.x * 2u",
        (1, 5),
        "`*` takes numbers of one type, but x.x is f32 and 2u is u32: write 2.0 or 2",
    );
    // What is advised is right.
    for text in [
        "x > 1.0",
        "x > 1",
        "x > 0.5 && x < 2",
        "(x) * f32(i) > 0",
        "f32(x > 1) + x > 1",
        "f32(max(x, f32(i))) != 0",
    ] {
        Predicate::<f32>::new(text).expect(text);
    }
    Predicate::<i64>::new("f64(x) > 1.5lf").expect("both are f64s");
    let error = Predicate::<f32>::new("max(x, (x - 1)) > 1u").expect_err("a u32");
    check(
        error,
        "max",
        (1, 17),
        "`>` takes numbers of one type, but max(x, (x - 1)) is f32 and 1u is u32: write 1.0 or 1",
    );
    // Long operands are not repeated.
    let long = format!("({}) * i", ["x"; 30].join(" + "));
    let error = Map::<f32>::new(&long).map(|_| ()).expect_err("a u32");
    assert!(error.to_string().contains("an operand is f32 and i is u32"), "{error}");
}

#[test]
fn what_is_refused_is_told_with_its_place() {
    let error = |text: &str| Map::<f32>::new(text).map(|_| ()).expect_err(text);
    for (text, line, column, what) in [
        ("sin(x)", 1, 1, "sin(x)"),
        ("1.0 +\n  sqrt(x) * 2.0", 2, 3, "sqrt(x)"),
        ("x % 2.0", 1, 1, "x % 2.0"),
        ("x + vec2<f32>(x, x).y", 1, 5, "vec2<f32>(x, x)"),
        ("fma(x, x, x)", 1, 1, "fma(x, x, x)"),
        ("x * sin(1.0)", 1, 5, "sin"),
    ] {
        match error(text) {
            WgslError::Unsupported { line: at_line, column: at_column, what: found } => {
                assert_eq!((at_line, at_column), (line, column), "{text}");
                // Of a call it is the name alone.
                assert!(what.starts_with(&*found) && !found.is_empty(), "{text}: {found}");
            }
            error => panic!("{text}: {error:?}"),
        }
    }
    for (text, column, message) in [
        ("x + w", 5, "there is no `w`: an expression has the element `x`"),
        ("x + yy", 5, "there is no `yy`"),
        ("x + ä", 5, "there is no `ä`"),
        ("x and x", 3, "expressions have no `and`: write `&&`"),
        ("x ** 2", 3, "expressions have no `**`: write a product, as `x * x`"),
        ("f32(x = 1)", 7, "expressions have no `=`: write `==` to compare"),
    ] {
        let told = error(text).to_string();
        assert!(told.starts_with(&format!("line 1, column {column}: {message}")), "{told}");
    }
    let named = Map::<f32>::with_parameters("x + not", &[("not", 1.0)]);
    named.expect("a parameter may have any name of WGSL's");
    assert_eq!(error("i"), WgslError::Value { line: 1, column: 1, found: "u32", wanted: "f32" });
    let no_bool = |text| Map::<f32>::new("x").and_then(|map| map.only_where(text));
    let predicate = no_bool("\n  x + 1.0").expect_err("no bool");
    assert_eq!(predicate, WgslError::Value { line: 2, column: 3, found: "f32", wanted: "bool" });
    assert!(predicate.to_string().starts_with("line 2, column 3: "), "{predicate}");
    let long: String = (0..2000).map(|i| format!(" + x * {i}.5")).collect();
    let nested = |depth: usize| format!("{}x{}", "(".repeat(depth), ")".repeat(depth));
    for long in [format!("x{long}"), "x + ".repeat(3999) + "x", "-".repeat(1_000_000), nested(9999)]
    {
        assert!(matches!(error(&long), WgslError::TooLong { .. }));
    }
    // The longest ones take no more of the stack than every thread has.
    let choices = |count| format!("{}1{}", "select(0, ".repeat(count), ", x > 0)".repeat(count));
    for longest in [
        "x + ".repeat(200) + "x",
        nested(100),
        "- ".repeat(200) + "x",
        "- ".repeat(199) + "1",
        "f32(".repeat(100) + "x" + &")".repeat(100),
        format!("x * ({})", choices(39)),
        format!("x * ({}{})", "1 - ".repeat(30), choices(33)),
    ] {
        let read = move || Map::<f32>::new(&longest).map(|_| ());
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(read);
        thread.expect("starts").join().expect("does not overflow").expect("an expression");
    }
}

/// Against what an independent script wrote.
#[test]
fn distances_are_the_vectors() {
    let executor = Executor::cpu();
    let mut questions = [0, 0];
    let lines = include_str!("vectors/distances.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [question, kind, seed, len, bits] = fields[..] else { panic!("{line}") };
        let len = len.parse().expect(line);
        let left = data::elements(kind, seed.parse().expect(line), len);
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
            assert_eq!(format!("{:#010x}", found.expect("two slices").to_bits()), bits, "{line}");
        }
    }
    assert_eq!(questions, [72, 72]);
    let error = executor.squared_distance(&[1.0f32], &[]).expect_err("unequal");
    assert!(matches!(error, Error::Prepare(PrepareError::LengthMismatch { .. })), "{error}");
    assert!(executor.cosine_similarity(&[1.0f32], &[]).is_err());
}

#[test]
fn parameters_are_numbers_that_come_with_a_call() {
    let executor = Executor::cpu();
    let values = [1.0f32, -2.0, 3.0, 1e-40];
    let sum = |map: &Map<f32>| executor.reduce_map(map, &values, Sum).expect("sums").value;
    let literal = |text: &str| sum(&Map::new(text).expect(text));
    let map = Map::<f32>::with_parameters("x * a / b - c", &[("a", 1.5), ("b", 3.0), ("c", -0.1)]);
    let map = map.expect("an expression");
    assert_eq!(sum(&map), literal("x * 1.5 / 3.0 + 0.1"));
    let other = map.clone().parameter("b", -7.0).and_then(|map| map.parameter("c", 1e30));
    assert_eq!(sum(&other.expect("parameters")), literal("x * 1.5 / -7.0 - 1e30"));
    let positive = map.only_where("x > c").expect("a predicate").parameter("c", 0.0);
    assert_eq!(sum(&positive.expect("a parameter")), 1.5 / 3.0 + 1.5);
    // Another value makes no other kernel.
    let program = |shift: u32| {
        let map = Map::<u32>::with_parameters("x >> shift", &[("shift", shift)]);
        map.and_then(|map| map.program(Sum)).expect("a program")
    };
    assert_eq!(program(3), program(4));
    // Squares of these are equal, and exact norms are not.
    let norm = |text: &str| Map::<f32>::new(text).and_then(|map| map.program(Norm));
    assert_ne!(norm("1e-30f + x * 0").ok(), None);
    assert_ne!(norm("min(1e-30f, 2e-30f)").ok(), norm("max(1e-30f, 2e-30f)").ok());
    let pairs = Map2::<i32>::with_parameters("x * p + y * q + i32(i)", &[("p", 2), ("q", -1)]);
    let pairs = pairs.expect("an expression");
    let found = executor.reduce_map2::<i32, _>(&pairs, &[1, 2, 3], &[10, 20, 30], Sum);
    assert_eq!(found.expect("sums").value, 12 - 60 + 3);

    let error = |parameters: &[(&str, f32)]| match Map::<f32>::with_parameters("x", parameters) {
        Err(WgslError::Parameter { name, what }) => (name, what),
        other => panic!("{parameters:?}: {other:?}"),
    };
    for name in ["x", "y", "z", "i", "", "a b", "1a", "a: f32, b", "\u{e4}"] {
        assert_eq!(error(&[(name, 1.0)]).0, name);
    }
    assert!(error(&[("a", 1.0), ("a", 2.0)]).1.contains("is there twice"));
    let five = ["a", "b", "c", "d", "e"].map(|name| (name, 0.0));
    assert_eq!(error(&five).0, "e");
    let unknown = Map::<f32>::new("x").expect("an expression").parameter("a", 1.0);
    assert!(matches!(unknown, Err(WgslError::Parameter { .. })));
    let wrong = Map::<f32>::with_parameters("x +\n b", &[("a", 1.0)]).expect_err("no b");
    assert!(matches!(wrong, WgslError::UnknownName { line: 2, column: 2, .. }), "{wrong}");
}

#[test]
fn functions_of_ones_own_are_functions() {
    let executor = Executor::cpu();
    let text = "const two = 2.0; fn twice(x: f32) -> f32 { return two * x; }
        fn map(x: f32, i: u32) -> f32 { return twice(x) + f32(i); }";
    let map = Map::<f32>::wgsl(text, |x, i| 2.0 * x + f32::from(u16::try_from(i).expect("few")));
    let map = map.expect("a function");
    let values = [1.0f32, -2.0, 3.5];
    assert_eq!(executor.reduce_map(&map, &values, Sum).expect("sums").value, 8.0);
    let positive = map.only_where("x > 0.0 && i > 0u").expect("a predicate");
    assert_eq!(executor.reduce_map(&positive, &values, Sum).expect("sums").value, 9.0);
    let pairs = Map2::<i32>::wgsl("fn map(x: i32, y: i32) -> i32 { return x % y; }", |x, y, _| {
        x.checked_rem(y).unwrap_or(0)
    });
    let pairs = pairs.expect("a function");
    let found = executor.reduce_map2::<i32, _>(&pairs, &[7, 8, -9], &[4, 5, 0], Max);
    assert_eq!(found.expect("reduces").value, Some(3));

    let error = |text: &str| Map::<u32>::wgsl(text, |x, _| x).map(|_| ()).expect_err(text);
    let missing = error("fn other(x: u32) -> u32 { return x; }");
    assert!(matches!(missing, WgslError::Missing { function: "map", .. }), "{missing}");
    for text in [
        "\nfn map(x: f32) -> u32 { return 1u; }",
        "\nfn map(x: u32) -> f32 { return 1.0; }",
        "\nfn map(x: u32, i: i32) -> u32 { return x; }",
        "\nfn map(x: u32, y: u32, i: u32) -> u32 { return x; }",
        "\nfn map() -> u32 { return 1u; }",
        "\nfn map(x: u32) { }",
    ] {
        let error = error(text);
        let is_wrong = matches!(error, WgslError::Signature { line: 2, function: "map", .. });
        assert!(is_wrong, "{text}: {error}");
    }
    let barrier = error("fn map(x: u32) -> u32 {\n workgroupBarrier(); return x; }");
    assert!(matches!(barrier, WgslError::Forbidden { line: 2, .. }), "{barrier}");
    let invalid = error("fn map(x: u32) -> u32 { return y; }");
    assert!(matches!(invalid, WgslError::Invalid { line: 1, column: 32, .. }), "{invalid}");
}

/// Brings the next elements of each input.
fn fill<'a, const N: usize>(
    inputs: [&'a [f32]; N],
) -> impl FnMut(usize, &mut [f32]) -> Result<(), &'static str> + 'a {
    let mut rest = inputs;
    move |input, part| {
        let now;
        (now, rest[input]) = rest[input].split_at(part.len());
        part.copy_from_slice(now);
        Ok(())
    }
}

/// Parts change no bits, and every element keeps its index.
#[test]
fn elements_may_come_in_parts() {
    // More than the CPU takes at a time.
    let len = (16 << 20) / 4 + 3 * (1 << 14) + 5;
    let left: Vec<f32> = (0..len).map(|i: u32| f32::from_bits(i % 977 + 0x3e00_0000)).collect();
    let right: Vec<f32> = left.iter().rev().copied().collect();
    let executor = Executor::cpu();
    let map = Map::<f32>::new("x * 0.1 + f32(i)").expect("an expression");
    let brought =
        executor.reduce_map_stream::<f32, _, _>(&map, len.into(), Sum, fill([&left, &[]]));
    let brought = brought.expect("sums");
    let wanted = executor.reduce_map(&map, &left, Sum).expect("sums");
    assert_eq!((brought.value, brought.plan), (wanted.value, wanted.plan));
    let map = Map2::<f32>::new("x * y - f32(i)").expect("an expression");
    let brought =
        executor.reduce_map2_stream::<f32, _, _>(&map, len.into(), Sum, fill([&left, &right]));
    let wanted = executor.reduce_map2(&map, &left, &right, Sum).expect("sums");
    assert_eq!(brought.expect("sums").value, wanted.value);
    let fails = |_: usize, _: &mut [f32]| Err("no more");
    let error = executor.reduce_map2_stream::<f32, _, _>(&map, 7, Sum, fails).expect_err("fails");
    assert!(matches!(error, StreamError::Source("no more")), "{error}");
}

/// Each input has its own elements, in its own place, however they come.
#[test]
fn three_inputs() {
    let executor = Executor::cpu();
    let map = Map3::<i32>::new("x * 100 + y * 10 - z + i32(i)").expect("an expression");
    let (x, y, z) = ([1, 2, 3], [4, 5, 6], [7, 8, 9]);
    let wanted = 600 + 150 - 24 + 3;
    assert_eq!(executor.reduce_map3(&map, &x, &y, &z, Sum).expect("sums").value, wanted);
    let arrays = [&x, &y, &z].map(|input| executor.upload(input).expect("uploads"));
    let found = arrays[0].reduce_map3(&map, &arrays[1], &arrays[2], Sum);
    assert_eq!(found.expect("sums").value, wanted);
    let odd = map.only_where("z % 2 == 1 && x < y").expect("a predicate");
    let found = executor.reduce_map3(&odd, &x, &y, &z, Sum).expect("sums").value;
    assert_eq!(found, 133 + 353);
    let scaled = Map3::<f64>::with_parameters("(x - y) * z * scale", &[("scale", 0.5)]);
    let scaled = scaled.and_then(|map| map.parameter("scale", 2.0)).expect("a parameter");
    let found =
        executor.reduce_map3::<f64, _>(&scaled, &[1.0, 5.0], &[0.5, 2.0], &[3.0, -1.0], Max);
    assert_eq!(found.expect("reduces").value, Some(3.0));
    let parts = Map3::<[f32; 2]>::new("x.x * y.y - z.x + z.y").expect("an expression");
    let found = executor.reduce_map3::<[f32; 2], _>(
        &parts,
        &[[2.0, 9.0]],
        &[[9.0, 5.0]],
        &[[1.0, 0.5]],
        Sum,
    );
    assert_eq!(found.expect("sums").value, 9.5);
    let text = "fn map(x: u32, y: u32, z: u32) -> u32 { return x / y - z; }";
    let own = Map3::<u32>::wgsl(text, |x, y, z, _| x / y - z).expect("a function");
    let found = executor.reduce_map3::<u32, _>(&own, &[20, 9], &[4, 3], &[1, 2], Sum);
    assert_eq!(found.expect("sums").value, 5);
    let swapped = "fn map(x: u32, y: u32) -> u32 { return x; }";
    let error = Map3::<u32>::wgsl(swapped, |x, _, _, _| x).expect_err("it takes two");
    assert!(matches!(error, WgslError::Signature { .. }), "{error}");
    assert!(error.to_string().contains("x: u32, y: u32, z: u32, i: u32"), "{error}");

    for [x, y, z] in [[1, 1, 0], [1, 0, 1], [0, 1, 1], [2, 3, 2]] {
        let of = |len: usize| vec![1; len];
        let error = executor.reduce_map3(&odd, &of(x), &of(y), &of(z), Sum);
        let error = error.expect_err("not of one length");
        let Error::Prepare(PrepareError::LengthMismatchOfThree { x: a, y: b, z: c }) = error else {
            panic!("{error}");
        };
        assert_eq!([a, b, c], [x, y, z].map(|len| len as u64));
        let arrays = [x, y, z].map(|len| executor.upload(&of(len)).expect("uploads"));
        assert!(arrays[0].reduce_map3(&odd, &arrays[1], &arrays[2], Sum).is_err());
    }

    // In parts.
    let len = (16 << 20) / 4 + 3 * (1 << 14) + 5;
    let x: Vec<f32> = (0..len).map(|i: u32| f32::from_bits(i % 977 + 0x3e00_0000)).collect();
    let y: Vec<f32> = x.iter().rev().copied().collect();
    let z: Vec<f32> = x.iter().map(|x| 1.0 - x).collect();
    let map = Map3::<f32>::new("x * y - z * f32(i)").expect("an expression");
    let brought =
        executor.reduce_map3_stream::<f32, _, _>(&map, len.into(), Sum, fill([&x, &y, &z]));
    let wanted = executor.reduce_map3(&map, &x, &y, &z, Sum).expect("sums");
    assert_eq!(brought.expect("sums").value.to_bits(), wanted.value.to_bits());
    for failing in 0..3 {
        let fails =
            |input: usize, _: &mut [f32]| if input == failing { Err("no more") } else { Ok(()) };
        let error = executor.reduce_map3_stream::<f32, _, _>(&map, 7, Sum, fails);
        assert!(matches!(error, Err(StreamError::Source("no more"))), "{failing}");
    }
}

/// Which are told, with what to call.
#[test]
fn inputs_that_there_are_not() {
    let errors = [
        (Map::<f32>::new("x +\n y").map(|_| ()), 2, 2, "y", "Map2"),
        (Map::<u8>::new("z * x").map(|_| ()), 1, 1, "z", "Map3"),
        (Map2::<i64>::new("x * y * z").map(|_| ()), 1, 9, "z", "Map3"),
        (Map2::<[f32; 3]>::new("x.z * z.x").map(|_| ()), 1, 7, "z", "Map3"),
        (
            Map::<f32>::new("x").and_then(|map| map.only_where("x < y")).map(|_| ()),
            1,
            5,
            "y",
            "Map2",
        ),
        (Predicate::<f32>::new("x < y").map(|_| ()), 1, 5, "y", "Map2"),
    ];
    for (error, wanted_line, wanted_column, wanted_name, wanted_call) in errors {
        let error = error.expect_err("there is no such input");
        let WgslError::NoInput { line, column, name, call } = error else { panic!("{error}") };
        assert_eq!((line, column, name), (wanted_line, wanted_column, wanted_name));
        assert!(call.contains(wanted_call), "{call}");
    }
    // Other names are no inputs.
    for text in ["w", "x1", "x + zz", "z1 * x"] {
        let error = Map::<f32>::new(text).expect_err("no such name");
        assert!(matches!(error, WgslError::UnknownName { .. }), "{text}: {error}");
    }
}

/// Against what an independent script wrote.
#[test]
fn sums_of_three_inputs_are_the_vectors() {
    let executor = Executor::cpu();
    let mut count = 0;
    for line in
        include_str!("vectors/three_inputs.txt").lines().filter(|line| !line.starts_with('#'))
    {
        let (head, text) = line.split_once(" | ").expect(line);
        let fields: Vec<&str> = head.split(' ').collect();
        let [kind, seed, len, bits] = fields[..] else { panic!("{line}") };
        let len: usize = len.parse().expect(line);
        let x = data::elements(kind, seed.parse().expect(line), len);
        let [mut y, mut z] = [x.clone(), x.clone()];
        y.rotate_left(1 % len.max(1));
        z.rotate_left(2 % len.max(1));
        let map = Map3::<f32>::new(text).expect(line);
        let found = executor.reduce_map3(&map, &x, &y, &z, Sum).expect("sums").value;
        assert_eq!(format!("{:#010x}", found.to_bits()), bits, "{line}");
        count += 1;
    }
    assert_eq!(count, 264);
}

/// The bits of what an operator makes of what a map makes of elements, and of the same values as elements.
fn both<T: MapElement, Op: Operator<T::Wide> + Copy>(
    precision: Precision,
    map: &Map<T>,
    elements: &[T],
    values: &[T::Wide],
    op: Op,
) -> [Vec<u8>; 2] {
    let executor = Executor::cpu().precision(precision);
    let mapped = executor.reduce_map(map, elements, op).expect("reduces").value;
    let plain = executor.reduce(values, op).expect("reduces").value;
    [mapped, plain]
        .map(|value| Op::out(value).map_or(Vec::new(), |out| bytemuck::bytes_of(&out).to_vec()))
}

/// What becomes of an element that does not count.
#[derive(Clone, Copy, Debug)]
enum Others<T> {
    /// All count.
    None,
    /// It is as this one.
    Are(T),
    /// It is as if it were not there.
    AreOut,
}

/// An operator of what an expression makes is the operator of these values, to the bit.
#[test]
fn operators_of_expressions_are_those_of_their_values() {
    macro_rules! check {
        ($precision:ident [$($operator:expr),*] $element:ident in $wide:ident, $elements:expr, $of:expr, $others:expr) => {{
            let elements: &[$element] = $elements;
            let of: fn($wide) -> $wide = $of;
            let others: Others<$wide> = $others;
            let map = Map::<$element>::new("x * 1.25 - 0.3").expect("an expression");
            let map = match others {
                Others::None => map,
                _ => map.only_where("x < 7.0 && i % 3u != 1u").expect("a predicate"),
            };
            for len in [0, 1, 2, 3, 700, 4096, elements.len()] {
                let elements = &elements[..len];
                let value = |(i, &x): (usize, &$element)| {
                    let x = $wide::from(x);
                    let counts = x < 7.0 && i % 3 != 1;
                    match others {
                        Others::Are(other) if !counts => Some(other),
                        Others::AreOut if !counts => None,
                        _ => Some(of(x)),
                    }
                };
                let values: Vec<$wide> = elements.iter().enumerate().filter_map(value).collect();
                $(
                    let precision = Precision::$precision;
                    let [mapped, plain] =
                        both::<$element, _>(precision, &map, elements, &values, $operator);
                    let operator = stringify!($operator);
                    assert_eq!(mapped, plain, "{precision} {operator} of {len}, others {others:?}");
                )*
            }
        }};
    }
    macro_rules! check_all {
        ($element:ident in $wide:ident, $elements:expr) => {{
            let of: fn($wide) -> $wide = |x| {
                let value = x * 1.25 - 0.3;
                if value.is_nan() { $wide::NAN } else { value }
            };
            let elements = $elements;
            check!(
                Reproducible
                [SumOfSquares, Norm, L1Norm, Sum.nan(Nan::Ignore), Mean.nan(Nan::Ignore), Sum, Mean, Variance, Variance.sample(), Moments, MaxAbs]
                $element in $wide, elements, of, Others::None
            );
            check!(
                Reproducible [SumOfSquares, Norm, L1Norm, Sum.nan(Nan::Ignore), Sum]
                $element in $wide, elements, of, Others::Are(0.0)
            );
            check!(
                Reproducible [Mean.nan(Nan::Ignore), Max.nan(Nan::Ignore), Variance.nan(Nan::Ignore), Variance.nan(Nan::Ignore).sample()]
                $element in $wide, elements, of, Others::Are($wide::NAN)
            );
            // What is no number is as if it were not there, at every level.
            check!(
                Reproducible [Variance.nan(Nan::Ignore), Variance.nan(Nan::Ignore).sample()]
                $element in $wide, elements, of, Others::AreOut
            );
            check!(
                Reproducible [Variance.nan(Nan::Ignore), Variance.nan(Nan::Ignore).sample()]
                $element in $wide, elements, of, Others::None
            );
            check!(
                Exact [SumOfSquares, Norm, Sum, Mean, Variance, Variance.sample(), Variance.nan(Nan::Ignore)]
                $element in $wide, elements, of, Others::None
            );
            check!(
                Exact [SumOfSquares, Norm, Sum, Mean, Variance, Variance.sample(), Variance.nan(Nan::Ignore).sample()]
                $element in $wide, elements, of, Others::AreOut
            );
        }};
    }
    // Values that are not NaN as a whole; and with NaNs and infinities among them.
    let any: Vec<f32> = words(&mut Random(51), 9001).into_iter().map(f32::from_bits).collect();
    let calm: Vec<f32> = any.iter().map(|x| if x.abs() < 1e9 { *x } else { 0.75 }).collect();
    let with_nans: Vec<f32> =
        calm.iter().zip(&any).map(|(&x, y)| if y.is_nan() { *y } else { x }).collect();
    assert!(with_nans.iter().any(|x| x.is_nan()) && with_nans.iter().any(|x| x.is_subnormal()));
    for floats in [&any, &calm, &with_nans] {
        check_all!(f32 in f32, floats);
        let doubles: Vec<f64> = floats.iter().map(|&x| f64::from(x) / 3.0).collect();
        check_all!(f64 in f64, &doubles);
        let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
        check_all!(f16 in f32, &halves);
        let brains: Vec<bf16> = floats.iter().map(|&x| bf16::from_f32(x)).collect();
        check_all!(bf16 in f32, &brains);
    }
}

/// Against plain numbers.
#[test]
fn variances_without_nans_of_expressions() {
    let executor = Executor::cpu();
    // Of 1, 3 and 8: a quotient of zeros is NaN.
    let map = Map::<f32>::new("x * (x - 2.0) / (x - 2.0)").expect("an expression");
    let values = [1.0f32, 2.0, 3.0, f32::NAN, 8.0];
    let found =
        executor.reduce_map(&map, &values, Variance.nan(Nan::Ignore).sample()).expect("reduces");
    assert_eq!((found.value, found.plan.starts_with("cpu, exact, ")), (13.0, true));
    let some = map.only_where("x < 8.0 || x == 2.0").expect("a predicate");
    let found = executor.reduce_map(&some, &values, Variance.nan(Nan::Ignore)).expect("reduces");
    assert_eq!(found.value, 1.0);
    let none = some.only_where("i == 1u").expect("a predicate");
    let found = executor.reduce_map(&none, &values, Variance.nan(Nan::Ignore)).expect("reduces");
    assert!(found.value.is_nan());
    let distance = Map2::<f64>::new("(x - y) / f64(i != 1u)").expect("an expression");
    let (left, right) = ([1.0f64, 4.0, 3.0], [0.0, 4.0, -2.0]);
    let found = executor.reduce_map2(&distance, &left, &right, Variance.nan(Nan::Ignore));
    assert_eq!(found.expect("reduces").value, 4.0);
    let points = [[1.0f32, 0.0], [0.0, 0.0], [6.0, 2.0]];
    let ratio = Map::<[f32; 2]>::new("(x.x + x.y) * x.x / x.x").expect("an expression");
    let found = executor.reduce_map(&ratio, &points, Variance.nan(Nan::Ignore)).expect("reduces");
    assert_eq!(found.value, 12.25);
}

/// Against plain numbers.
#[test]
fn norms_of_expressions() {
    let executor = Executor::cpu();
    let map = Map::<f32>::new("x - 1.0").expect("an expression");
    let values = [4.0f32, 5.0, 1.0];
    assert_eq!(executor.reduce_map(&map, &values, Norm).expect("reduces").value, 5.0);
    let squares = executor.reduce_map(&map, &values, SumOfSquares).expect("reduces").value;
    assert_eq!(squares, 25.0);
    let distance = Map2::<f64>::new("x - y").expect("an expression");
    let (left, right) = ([1.0f64, -2.0, 3.0], [2.0, 0.0, 1.0]);
    let found = executor.reduce_map2(&distance, &left, &right, Norm).expect("reduces");
    assert_eq!(found.value, 3.0);
    let found = executor.reduce_map2(&distance, &left, &right, L1Norm).expect("reduces");
    assert_eq!(found.value, 5.0);
    let some = map.only_where("x < 5.0 || i == 7u").expect("a predicate");
    assert_eq!(executor.reduce_map(&some, &values, Norm).expect("reduces").value, 3.0);
    let roots = Map::<f32>::new("x / x").expect("an expression");
    let values = [0.0f32, 2.0, -0.0, 4.0];
    assert_eq!(
        executor.reduce_map(&roots, &values, Sum.nan(Nan::Ignore)).expect("reduces").value,
        2.0
    );
    assert_eq!(
        executor.reduce_map(&roots, &values, Mean.nan(Nan::Ignore)).expect("reduces").value,
        1.0
    );
    let none =
        executor.reduce_map(&roots, &values[..1], Mean.nan(Nan::Ignore)).expect("reduces").value;
    assert_eq!(none.to_bits(), 0x7fc0_0000);
}

/// Variances of some elements are exact, whatever is asked for, and the CPU's.
#[test]
fn variances_of_some_elements() {
    let executor = Executor::cpu();
    let values = [1.0f32, 100.0, 3.0, -50.0];
    let map = Map::<f32>::new("2.0 * x").and_then(|map| map.only_where("i % 2u == 0u"));
    let map = map.expect("a predicate");
    let variance = executor.reduce_map(&map, &values, Variance).expect("reduces");
    assert_eq!(variance.value, 4.0);
    assert!(variance.plan.starts_with("cpu, exact"), "{}", variance.plan);
    let sample = executor.reduce_map(&map, &values, Variance.sample()).expect("reduces").value;
    assert_eq!(sample, 8.0);
    let of_one = executor.reduce_map(&map, &values[..2], Variance.sample()).expect("reduces");
    assert!(of_one.value.is_nan());
    let apart = Map2::<f64>::new("x - y").and_then(|map| map.only_where("x > 0.0"));
    let apart = apart.expect("a predicate");
    let found =
        executor.reduce_map2::<f64, _>(&apart, &[1.0, -1.0, 5.0], &[0.0, 9.0, 2.0], Variance);
    assert_eq!(found.expect("reduces").value, 1.0);
    // Kernels have none of these.
    let error = map.program(Variance).expect_err("no device can");
    assert!(matches!(error, WgslError::NoNeutral { .. }), "{error}");
    assert!(error.to_string().ends_with("which count the elements first"), "{error}");
}

/// Bytes of a sum's part are none of an expression's.
#[test]
fn expressions_have_no_parts() {
    let part = Executor::cpu().reduce_part(&[7u8; 3], 0, Sum).expect("it reduces");
    let bytes = part.to_bytes();
    assert!(bytes.len() <= Partial::<u8, Sum>::max_bytes());
    assert_eq!(Partial::<u8, Sum>::from_bytes(&bytes), Ok(part));
    assert_eq!(Partial::<u8, Mapped<Sum>>::max_bytes(), 0);
    assert!(Partial::<u8, Mapped<Sum>>::from_bytes(&bytes).is_err());
    assert!(Partial::<u8, CustomOperator<u8, u32>>::from_bytes(&bytes).is_err());
}

/// Every operator takes an expression of each type in which every kind of number comes up: what kernels are made of is right.
#[test]
fn every_operator_has_kernels_of_expressions() {
    macro_rules! of {
        (f32 $operator:ident $choice:tt) => {
            check::<f32, _>(
                "f32(f64(x * x) * 0.1) + f32(i64(i)) + f32(u64(i))",
                gridfold::operator!($operator $choice),
            )
        };
        (f64 $operator:ident $choice:tt) => {
            check::<f64, _>(
                "f64(f32(x) * 0.5f) + x * x + f64(i64(x)) / f64(u64(i))",
                gridfold::operator!($operator $choice),
            )
        };
        (i32 $operator:ident $choice:tt) => {
            check::<i32, _>("i32(i64(f64(f32(x)) * 0.1) * 3) + i32(i)", gridfold::operator!($operator $choice))
        };
        (u64 $operator:ident $choice:tt) => {
            check::<u64, _>("u64(f64(x) * 0.1) + u64(f64(f32(x) * 0.5f))", gridfold::operator!($operator $choice))
        };
        ($other:ident $operator:ident $choice:tt) => {
            0
        };
    }
    macro_rules! of_every {
        (
            one input {
                $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)*
            }
            two inputs $two:tt
            options { $($of:ident $choice:tt [$($of_element:ident)*])* }
        ) => {
            0 $($(+ of!($element $operator []))*)* $($(+ of!($of_element $of $choice))*)*
        };
    }
    fn check<T: MapElement, Op: Operator<T::Wide> + Copy>(text: &str, op: Op) -> u32 {
        let map = Map::<T>::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let pairs = Map2::<T>::new(&format!("({text}) * y")).expect(text);
        let name = op.spec().name();
        map.program(op).unwrap_or_else(|error| panic!("{name} of {text}: {error}"));
        pairs.program(op).unwrap_or_else(|error| panic!("{name} of pairs, {text}: {error}"));
        1
    }
    let checked = gridfold::operators!(of_every!());
    assert!(checked >= 100, "only {checked}");
}

#[test]
fn some_operators_leave_no_elements_out() {
    let executor = Executor::cpu();
    let map = Map::<f32>::new("x + 1.0").expect("an expression");
    let map = map.only_where("x > 0.0").expect("a predicate");
    for error in [
        executor.reduce_map::<f32, _>(&map, &[1.0], Moments).map(|_| ()).expect_err("it counts"),
        executor
            .reduce_map::<f32, _>(&map, &[1.0], ArgMinMax.last())
            .map(|_| ())
            .expect_err("its first place is that of none"),
    ] {
        assert!(matches!(error, Error::Wgsl(WgslError::NoNeutral { .. })), "{error}");
    }
}

/// What does not count changes no extremum and no answer.
#[test]
fn extrema_leave_elements_out() {
    let executor = Executor::cpu();
    let some = |text: &str| Map::<f32>::new("x").and_then(|map| map.only_where(text)).expect(text);
    let values = [3.0f32, -0.0, f32::NAN, 5.0, -7.0];
    macro_rules! of {
        ($operator:expr, $text:literal) => {
            executor.reduce_map(&some($text), &values, $operator).expect("reduces").value
        };
    }
    assert_eq!(of!(Min, "x > 0.0"), Some(3.0));
    assert_eq!(of!(Max, "x < 0.0"), Some(-7.0));
    assert!(of!(Max, "x < 0.0 || x != x").is_some_and(f32::is_nan));
    assert_eq!(of!(Max.nan(Nan::Ignore), "x < 4.0 || x != x"), Some(3.0));
    let both = of!(MinMax.nan(Nan::Ignore), "x <= 0.0").expect("there are elements");
    assert_eq!((both.min, both.max.to_bits()), (-7.0, 1 << 31));
    let both = of!(MinMax, "x == x").expect("there are elements");
    assert_eq!((both.min, both.max), (-7.0, 5.0));
    assert_eq!((of!(Min.nan(Nan::Total), "x > 3.0"), of!(Max, "x > 3.0")), (Some(5.0), Some(5.0)));
    assert!(of!(Max.nan(Nan::Total), "i < 3u").is_some_and(f32::is_nan));
    // No element counts. NaNs are elements, also where they are ignored.
    assert_eq!((of!(Min, "i > 9u"), of!(Max.nan(Nan::Total), "i > 9u")), (None, None));
    assert_eq!((of!(MinMax, "i > 9u"), of!(Min.nan(Nan::Ignore), "i > 9u")), (None, None));
    assert!(of!(Min.nan(Nan::Ignore), "x != x").is_some_and(f32::is_nan));
    assert!(of!(MinMax.nan(Nan::Ignore), "x != x").is_some_and(|both| both.max.is_nan()));
    assert_eq!(
        (of!(Any, "x == 0.0"), of!(All, "x != 0.0"), of!(All, "x <= 0.0")),
        (false, true, false)
    );
    assert_eq!((of!(CountNan, "i > 1u"), of!(CountNan, "i > 2u")), (1, 0));
    let integers =
        Map::<i32>::new("x").and_then(|map| map.only_where("x > 0")).expect("a predicate");
    let of_integers = |values: &[i32]| {
        let min = executor.reduce_map(&integers, values, Min).expect("reduces").value;
        (min, executor.reduce_map(&integers, values, Max).expect("reduces").value)
    };
    assert_eq!(of_integers(&[4, -1, 9]), (Some(4), Some(9)));
    assert_eq!(of_integers(&[-1]), (None, None));
    assert_eq!(of_integers(&[-1, i32::MAX]), (Some(i32::MAX), Some(i32::MAX)));
    // A single element counts, in the part of any thread.
    for place in [0, 70_000, 299_999] {
        let mut values = vec![-3; 300_000];
        assert_eq!(of_integers(&values), (None, None));
        values[place] = 1;
        assert_eq!(of_integers(&values), (Some(1), Some(1)), "at {place}");
    }
}

/// Random expressions are accepted.
#[test]
fn random_expressions_are_expressions() {
    let mut random = Random(7);
    for round in 0..300u32 {
        let (ty, of) =
            [("u32", &["x"][..]), ("i32", &["x"]), ("f32", &["x"])][(round % 3) as usize];
        let text = expression(&mut random, ty, ty, of, 1 + round % 4);
        let result = match ty {
            "u32" => Map::<u32>::new(&text).map(|_| ()),
            "i32" => Map::<i32>::new(&text).map(|_| ()),
            _ => Map::<f32>::new(&text).map(|_| ()),
        };
        result.unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}
