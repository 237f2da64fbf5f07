//! What people of other languages write: where it is, and what to write in place of it.

use gridfold::{Map, Map2, Predicate, WideElement};

/// Checks what is said of a text.
fn check<T: WideElement>((text, column, says): (&str, u32, &str)) {
    let error = Map::<T>::new(text).map(|_| ()).expect_err(text).to_string();
    assert!(error.starts_with(&format!("line 1, column {column}: ")), "{text}: {error}");
    assert!(error.contains(says), "{text}: {error}");
}

#[test]
fn mistakes_are_told_with_what_to_write() {
    let of_floats = [
        (
            "x / 2 // a half",
            7,
            "no `//`: write `/`, which rounds quotients of integers toward zero",
        ),
        ("x /* a half */ / 2", 3, "no `/*`: write the expression alone"),
        ("x ** 2", 3, "no `**`: write a product, as `x * x`"),
        ("x * * x", 5, "a value is missing before `*`"),
        ("x) + (x", 2, "this `)` closes nothing"),
        ("x); } fn f() { let y = (1", 3, "no `;`: write one expression alone"),
        (
            "(x + 1",
            7,
            "the text ends too early: write `)`, which closes the `(` of line 1, column 1",
        ),
        ("(x]", 3, "does not close the `(`"),
        ("x +", 4, "the text ends too early: a value is missing behind `+`"),
        ("", 1, "the text is empty: write an expression"),
        ("x && x", 3, "`&&` takes two bools, but x is f32: compare, as in x != 0"),
        ("x || x", 3, "`||` takes two bools, but x is f32: compare, as in x != 0"),
        ("x > 1 AND x < 2", 7, "no `AND`: write `&&`"),
        ("not x > 1", 1, "no `not`: write `!`"),
        ("x[0]", 2, "a number has no elements: leave `[0]` out"),
        ("x if x > 0 else 0", 3, "no `if`: write `select(otherwise, value, condition)`"),
        ("x > 0 ? 1 : 0", 7, "no `?`: write `select(otherwise, value, condition)`"),
        ("x ^ 2", 3, "for a square write x * x"),
        ("abs x", 1, "`abs` is a function: write abs(x)"),
        ("X", 1, "no `X`: write `x`"),
        ("x = 1", 3, "no `=`: write `==`"),
        ("x += 1", 3, "no `+=`: write the value alone, as `x + 1`"),
        ("x++", 2, "no `++`: write `x + 1`"),
        ("--x", 1, "no `--`: write `x - 1`, or with a blank between them `- -x`"),
        ("+x", 1, "no `+`: write a value without a sign"),
        ("x <> 1", 3, "no `<>`: write `!=`"),
        ("np.abs(x)", 1, "no `np.abs`: write `abs(x)`"),
        ("np.where(x > 0, x, 0)", 4, "no `where`: write `select(otherwise, value, condition)`"),
        ("np.sqrt(x)", 4, "there is no `sqrt` in expressions, which have the same bits everywhere"),
        ("log10(x)", 1, "there is no `log10` in expressions"),
        ("pow(x, 2)", 1, "no `pow`: write a product"),
        ("x.abs()", 3, "there is no `abs`"),
        ("x.y", 3, "a number has none"),
        ("isnan(x)", 1, "no `isnan`: write `x != x`"),
        ("x == nan", 6, "no `nan`: write `x != x`"),
        ("x < inf", 5, "no `inf`: write `bitcast<f32>(0x7f800000u)`"),
        (".5x", 1, "`.5x` is no number: write .5 * x"),
        ("2x", 1, "`2x` is no number: write 2 * x"),
        ("2 x", 3, "no operator between `2` and `x`: write one, as in `2 * x`"),
        ("x(2)", 1, "`x` is no function: write a product"),
        ("1_000 * x", 1, "`1_000` is no number: write 1000"),
        ("007 * x", 1, "`007` begins with a 0: write 7"),
        ("x + 0b101", 5, "`0b101` is no number: write 5"),
        ("x + 0o17", 5, "`0o17` is no number: write 15"),
        ("0x + x", 1, "`0x` has no digits: write 0, or digits behind `0x`"),
        ("\"x\"", 1, "no `\"`: write the expression alone, without quotes"),
        ("x \u{2212} 1", 3, "no `\u{2212}`: write `-`"),
        ("x\u{b2}", 2, "no `\u{b2}`: write a product"),
        ("x \u{2265} 1", 3, "no `\u{2265}`: write `>=`"),
        ("1,5 * x", 2, "write numbers with a point, as 1.5"),
        ("x, x", 2, "expressions have a `,` between a function's values alone"),
        ("max(x)", 1, "`max` takes 2 values, not 1: write max(x, y)"),
        ("max(x, 1, 2)", 1, "or max(max(x, y), z)"),
        ("select(x, 1)", 1, "`select` takes 3 values, not 2"),
        ("true + 1", 6, "true is bool and 1 is i32"),
        ("float(x)", 1, "no `float`: write `f32(x)`"),
        ("(int)x", 2, "no `int`: write `i32(x)`"),
        ("{x}", 1, "no `{`: write `(`"),
        ("@x", 1, "no `@`"),
        ("# x", 1, "no `#`"),
        ("return x", 1, "no `return`: write the value alone"),
        ("sum(x)", 1, "no `sum`: write what becomes of one element"),
        ("x \u{7} 1", 3, "expressions have no `\\u{7}`: leave it out"),
        // Meanings that would change without a word.
        ("1 / 2 * x", 1, "1 / 2 is a quotient of integers, whose fraction is dropped"),
        ("x * (7 % 4 / 2)", 6, "whose fraction is dropped: write one of them with a point"),
        ("x * (1 / 2 + 0.5)", 12, "1 / 2 + 0.5 is a quotient of integers"),
        ("f32(x > 0 && 1 / 2 == 0.5)", 14, "1 / 2 is a quotient of integers"),
        ("x * 1e40", 5, "1e40 is no f32, which has 3.4028235e38 at most"),
        ("x * -1e400", 5, "-1e400 is no f32"),
        ("bitcast<f64>(x)", 1, "bitcast<f64> takes as many bits as it gives, but x is f32"),
        ("x * i", 3, "convert, as by f32(i), which rounds from 2^24 on"),
    ];
    of_floats.into_iter().for_each(check::<f32>);
    let of_integers = [
        ("x + 3000000000", 5, "3000000000 is no i32, which has -2147483648 to 2147483647"),
        ("x / 0", 3, "there is no division by zero"),
        ("x % (1 - 1)", 3, "there is no division by zero"),
        ("x << 32", 3, "32 bits are too many: of i32 write 0 to 31"),
        ("x * 0.5", 3, "x is i32 and 0.5 is f64: convert, as by f64(x)"),
        ("x + 1UL", 5, "`1UL` is no number: write 1lu"),
        ("countOneBits(255lu)", 1, "of type `u64`: make it `i32`"),
    ];
    of_integers.into_iter().for_each(check::<i32>);
    check::<u32>(("x + -1", 5, "-1 is no u32, which has 0 to 4294967295"));
    check::<u64>(("x + 18446744073709551616", 5, "is no u64, which has 0 to 18446744073709551615"));
    check::<i64>(("f32(x)", 1, "of type `f32`: make it `i64`"));
    check::<f64>(("x * 1e400", 5, "1e400 is no f64"));
    let lines = Map::<f32>::new("x\r\n + 1\n y").map(|_| ()).expect_err("two values");
    assert!(lines.to_string().starts_with("line 3, column 2: there is no operator"), "{lines}");
    let pairs = Map2::<f32>::new("x - Y").map(|_| ()).expect_err("an upper one");
    assert!(pairs.to_string().contains("write `y`"), "{pairs}");
    let predicate = Predicate::<f32>::new("1 < x < 3").map(|_| ()).expect_err("a chain");
    assert!(predicate.to_string().contains("compare twice"), "{predicate}");
}

/// Whatever is in a text, it is an expression or an error.
#[test]
fn no_text_ends_the_program() {
    let parts = [
        "x", "1", "0.5", "1e", "0x", "(", ")", "[", "]", ",", ".", "+", "-", "--", "*", "//", "/*",
        "<", "<<", "&&", "|", "!", "~", "select(", "max(", "bitcast<", "u32", ">(", "i", "f32(",
        "\n", " ", "\u{2212}", "\u{e9}", "e5", "lu", "y",
    ];
    let mut random = super::Random(5);
    for _ in 0..20_000 {
        let len = random.next() % 12;
        let mut text = String::new();
        for _ in 0..len {
            text += parts[random.next() as usize % parts.len()];
        }
        // An error has its place within the text.
        if let Err(error) = Map::<f64>::new(&text) {
            assert!(!error.to_string().is_empty());
        }
        drop(Predicate::<u32>::new(&text));
        drop(Map::<[f32; 2]>::new(&text));
    }
}
