//! What other languages have, and what to write in place of it.

/// Signs, longer ones first where one begins another.
const SIGNS: [(&str, &str); 51] = [
    ("**", "a product, as `x * x`"),
    (
        "//",
        "`/`, which rounds quotients of integers toward zero and those of floats to the nearest float: there are no comments",
    ),
    ("/*", "the expression alone, without comments"),
    ("*/", "the expression alone, without comments"),
    ("#", "the expression alone, without comments"),
    ("===", "`==`"),
    ("!==", "`!=`"),
    ("<>", "`!=`"),
    ("=>", "`>=`"),
    ("=<", "`<=`"),
    ("<=>", "`<`, `==` or `>`"),
    (":=", "the value alone"),
    ("->", "the value alone"),
    ("++", "`x + 1`"),
    ("--", "`x - 1`, or with a blank between them `- -x`"),
    ("<<=", "the value alone, as `x << 1`"),
    (">>=", "the value alone, as `x >> 1`"),
    ("+=", "the value alone, as `x + 1`"),
    ("-=", "the value alone, as `x - 1`"),
    ("*=", "the value alone, as `x * 2`"),
    ("/=", "the value alone, as `x / 2`"),
    ("%=", "the value alone, as `x % 2`"),
    ("&=", "the value alone, as `x & 1`"),
    ("|=", "the value alone, as `x | 1`"),
    ("^=", "the value alone, as `x ^ 1`"),
    ("=", "`==` to compare"),
    (";", "one expression alone"),
    ("?", "`select(otherwise, value, condition)`"),
    (":", "`select(otherwise, value, condition)`"),
    ("{", "`(`"),
    ("}", "`)`"),
    ("@", "a product, as `x * y`"),
    ("$", "the name alone"),
    ("`", "the expression alone, without quotes"),
    ("\"", "the expression alone, without quotes"),
    ("'", "the expression alone, without quotes"),
    ("\\", "the whole without it: lines need no sign where they end"),
    ("\u{201c}", "the expression alone, without quotes"),
    ("\u{201d}", "the expression alone, without quotes"),
    ("\u{2018}", "the expression alone, without quotes"),
    ("\u{2019}", "the expression alone, without quotes"),
    ("\u{2212}", "`-`"),
    ("\u{2013}", "`-`"),
    ("\u{d7}", "`*`"),
    ("\u{b7}", "`*`"),
    ("\u{f7}", "`/`"),
    ("\u{2264}", "`<=`"),
    ("\u{2265}", "`>=`"),
    ("\u{2260}", "`!=`"),
    ("\u{b2}", "a product, as `x * x`"),
    ("\u{b3}", "a product, as `x * x * x`"),
];

/// Words, in any letters.
const WORDS: [(&str, &str); 34] = [
    ("and", "`&&`"),
    ("or", "`||`"),
    ("not", "`!`"),
    ("xor", "`^`, or `!=` of bools"),
    ("true", "`true`"),
    ("false", "`false`"),
    ("mod", "`%`"),
    ("div", "`/`, which rounds quotients of integers toward zero"),
    ("in", "comparisons, as `x == 1 || x == 2`"),
    ("is", "`==`"),
    ("if", "`select(otherwise, value, condition)`"),
    ("else", "`select(otherwise, value, condition)`"),
    ("then", "`select(otherwise, value, condition)`"),
    ("for", "what is made of one element"),
    ("lambda", "the value alone"),
    ("return", "the value alone"),
    ("let", "the value alone"),
    ("var", "the value alone"),
    ("const", "the value alone"),
    ("nan", NAN),
    ("inf", INFINITY),
    ("infinity", INFINITY),
    ("pi", "3.141592653589793"),
    ("none", NAN),
    ("null", NAN),
    ("x", "`x`"),
    ("y", "`y`"),
    ("z", "`z`"),
    ("i", "`i`"),
    ("mean", WHOLE),
    ("sum", WHOLE),
    ("prod", WHOLE),
    ("product", WHOLE),
    ("any", WHOLE),
];

const NAN: &str = "`x != x`, which is true of NaNs alone";
const INFINITY: &str =
    "`bitcast<f32>(0x7f800000u)`, or as an f64 `bitcast<f64>(0x7ff0000000000000lu)`";
const WHOLE: &str = "what becomes of one element: the operator takes all of them together";

/// Functions, and types that are called as such.
const FUNCTIONS: [(&str, &str); 38] = [
    ("pow", "a product, as `x * x`"),
    ("power", "a product, as `x * x`"),
    ("square", "a product, as `x * x`"),
    ("where", "`select(otherwise, value, condition)`"),
    ("ifelse", "`select(otherwise, value, condition)`"),
    ("clip", "`clamp(x, low, high)`"),
    ("minimum", "`min(x, y)`"),
    ("fmin", "`min(x, y)`"),
    ("maximum", "`max(x, y)`"),
    ("fmax", "`max(x, y)`"),
    ("absolute", "`abs(x)`"),
    ("fabs", "`abs(x)`"),
    ("isnan", "`x != x`"),
    ("sign", "`select(select(0, 1, x > 0), -1, x < 0)`"),
    (
        "trunc",
        "`f32(i32(x))`, or of an f64 `f64(i64(x))`, where it is not larger than these integers",
    ),
    ("logical_and", "`&&`"),
    ("logical_or", "`||`"),
    ("logical_not", "`!`"),
    ("popcount", "`countOneBits(x)`"),
    ("bit_count", "`countOneBits(x)`"),
    ("remainder", "`%`, of integers"),
    ("fmod", "`%`, of integers"),
    ("float", "`f32(x)`"),
    ("single", "`f32(x)`"),
    ("float32", "`f32(x)`"),
    ("double", "`f64(x)`"),
    ("float64", "`f64(x)`"),
    ("int", "`i32(x)`"),
    ("int32", "`i32(x)`"),
    ("int64", "`i64(x)`"),
    ("long", "`i64(x)`"),
    ("unsigned", "`u32(x)`"),
    ("uint", "`u32(x)`"),
    ("uint32", "`u32(x)`"),
    ("uint64", "`u64(x)`"),
    ("bool_", "`bool(x)`"),
    ("astype", "`f32(x)`, and so on"),
    ("view", "`bitcast<u32>(x)`"),
];

fn find(
    table: &[(&'static str, &'static str)],
    is_it: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    table.iter().find(|(name, _)| is_it(name)).map(|&(_, instead)| instead)
}

/// The longest of these signs that a text begins with, and what to write.
pub(super) fn sign(text: &str) -> Option<(&'static str, &'static str)> {
    let begun = SIGNS.into_iter().filter(|(sign, _)| text.starts_with(sign));
    begun.max_by_key(|(sign, _)| sign.len())
}

/// What to write for a word.
pub(super) fn word(name: &str) -> Option<&'static str> {
    let is_it = |known: &str| known.eq_ignore_ascii_case(name);
    find(&WORDS, is_it).or_else(|| find(&FUNCTIONS, |known| known == name))
}

/// What to write for a call.
pub(super) fn function(name: &str) -> Option<&'static str> {
    find(&FUNCTIONS, |known| known == name)
        .or_else(|| find(&WORDS, |known| known.eq_ignore_ascii_case(name)))
}
