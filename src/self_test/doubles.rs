//! What is asked of f64s, by the device or in integers. What kernels do with them is what they do with other elements of two words, or in
//! order: so each operator meets one kernel, most often that for many lists at once, and sums meet more.

use super::{
    battery::together,
    input::Input,
    material::{mix, ordinary},
    questions::{Question, Subject},
    run::Run,
    subjects::{
        F64_COUNT, F64_DOT, F64_MAX, F64_MAX_ABS, F64_MEAN, F64_MIN, F64_NORM, F64_PRODUCT,
        F64_SAMPLE_VARIANCE, F64_SUM, F64_SUM_OF_SQUARES, F64_VARIANCE,
    },
};

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    few_elements(run).await;
    roots_and_quotients(run).await;
    many_elements(run).await;
    pairs(run).await;
    variances(run).await;
}

/// An operator in the one mechanism that it is asked in, unless everything is wanted.
fn in_turn(run: &Run, subject: Subject) -> Question {
    let question = Question::two_pass(subject);
    let is_even = (subject.operator.kind() as usize
        + usize::from(subject.operator.options().sample))
    .is_multiple_of(2);
    if run.wants_everything() { question } else { question.in_mechanism(usize::from(is_even)) }
}

/// A sum in either mechanism.
fn sums() -> [Question; 2] {
    [0, 1].map(|mechanism| Question::two_pass(F64_SUM).in_mechanism(mechanism))
}

pub(super) const ONE: u64 = 1023 << 52;
pub(super) const INFINITY: u64 = 2047 << 52;
pub(super) const NEGATIVE: u64 = 1 << 63;

/// Whose words carry, borrow, round and are told from others at all ends of their range.
pub(super) const SPECIAL: [u64; 27] = [
    0,
    NEGATIVE,
    1,
    NEGATIVE | 1,
    2,
    3,
    0xffff_ffff,
    0x1_0000_0000,
    NEGATIVE | 0xffff_ffff,
    (1 << 52) - 1,
    1 << 52,
    (1 << 52) + 1,
    (2 << 52) - 1,
    // 2^-54, 2^-53 and next to it.
    969 << 52,
    970 << 52,
    (970 << 52) + 1,
    ONE,
    ONE | NEGATIVE,
    ONE + 1,
    (ONE + 0xffff_ffff) | NEGATIVE,
    (1024 << 52) - 1,
    // Half a unit of the largest.
    1993 << 52,
    INFINITY - 1,
    (INFINITY - 1) | NEGATIVE,
    INFINITY,
    INFINITY | NEGATIVE,
    INFINITY + 1,
];

pub(super) fn words(elements: &[u64]) -> Vec<u32> {
    bytemuck::pod_collect_to_vec(elements)
}

/// Makes an f64's bits of a number.
pub(super) type Make = fn(u32) -> u64;

/// A sign, an exponent field from `low` on, and a fraction.
fn with_field(number: u32, low: u32, fields: u32) -> u64 {
    let bits = mix(number);
    let high = bits & 0x800f_ffff | (low + (bits >> 20 & 2047) % fields) << 20;
    u64::from(high) << 32 | u64::from(mix(!bits))
}

/// Few bits, so that there are ties.
fn few_bits(number: u32, low: u32, fields: u32) -> u64 {
    with_field(number, low, fields) & 0xfffc_0000_0000_0003
}

pub(super) const KINDS: [(&str, Make); 12] = [
    ("ordinary f64s", |number| with_field(number, 1003, 32)),
    ("f64s of few bits", |number| few_bits(number, 960, 120)),
    ("finite f64s", |number| with_field(number, 0, 2047)),
    ("any f64s", |number| with_field(number, 0, 2048)),
    ("subnormal f64s", |number| with_field(number, 0, 1)),
    ("subnormal and barely normal f64s", |number| few_bits(number, 0, 3)),
    ("f64s around 2^-969", |number| with_field(number, 52, 4)),
    ("f64s around 2^-969 of few bits", |number| few_bits(number, 52, 4)),
    ("f64s around 2^983", |number| with_field(number, 2004, 4)),
    ("huge f64s", |number| with_field(number, 2042, 5)),
    // Their sums are infinite, and not NaN.
    ("huge positive f64s", |number| with_field(number, 2042, 5) & !NEGATIVE),
    ("ordinary f64s, some not", |number| match number % 3001 {
        1000 => 1,
        2000 => INFINITY,
        _ => with_field(number, 1003, 32),
    }),
];

fn list(make: Make, len: usize, seed: u32) -> Vec<u64> {
    (seed..).map(make).take(len).collect()
}

/// Lists of one element and of two, and some more, in one dispatch.
async fn few_elements(run: &mut Run) {
    let of_pairs =
        [F64_PRODUCT, F64_MIN, F64_MAX, F64_SAMPLE_VARIANCE].map(|subject| in_turn(run, subject));
    let of_one = [F64_MAX_ABS, F64_COUNT, F64_SUM_OF_SQUARES].map(|subject| in_turn(run, subject));
    let mut parts = Vec::new();
    for a in SPECIAL {
        parts.extend(of_one.map(|question| (words(&[a]), question)));
        for b in SPECIAL {
            let pair = words(&[a, b]);
            parts.extend(of_pairs.map(|question| (pair.clone(), question)));
            parts.push((pair, Question::two_pass(F64_SUM).in_mechanism(0)));
        }
    }
    for (seed, (_, make)) in (0..).zip(KINDS) {
        for (i, len) in (0..).zip([2, 2, 2, 2, 3, 5, 7, 300]) {
            let list = words(&list(make, len, 100_000 * seed + 1000 * i));
            let mut questions = of_pairs.iter().chain(&of_one).copied().collect::<Vec<_>>();
            questions.push(Question::two_pass(F64_SUM).in_mechanism(0));
            parts.extend(questions.into_iter().map(|question| (list.clone(), question)));
        }
    }
    together(run, "few f64s", &parts).await;
}

async fn roots_and_quotients(run: &mut Run) {
    let [mean, norm] = [F64_MEAN, F64_NORM].map(|subject| in_turn(run, subject));
    let mut parts = Vec::new();
    // The sum is one element, divided by lengths that are powers of two, next to them, and odd.
    for len in [0, 1, 2, 3, 4, 5, 7, 11, 25, 63, 65, 641] {
        for (number, special) in (0..).zip(SPECIAL) {
            let without_pattern = with_field(number + 100 * len, 900, 200);
            for bits in [special, without_pattern] {
                let mut list = vec![0; len as usize];
                list.iter_mut().take(1).for_each(|first| *first = bits);
                parts.push((words(&list), mean));
            }
        }
    }
    // Means that are subnormal: no others are halfway between two floats.
    for sum in (0..24).chain([(1 << 52) - 3, (1 << 52) - 1, (1 << 52) + 1, (2 << 52) + 3]) {
        for len in [2, 4, 6, 12] {
            for sign in [0, NEGATIVE] {
                let mut list = vec![0; len];
                list[0] = sum | sign;
                parts.push((words(&list), mean));
            }
        }
    }
    for bits in SPECIAL {
        parts.push((words(&[bits]), norm));
    }
    for field in (490..1530).step_by(13) {
        let one = with_field(field, field, 1);
        for other in [0, one, with_field(field + 5000, field, 1)] {
            parts.push((words(&[one, other]), norm));
        }
    }
    together(run, "what few f64s come to", &parts).await;
}

/// So many that tiles are made again; from odd words on; and in slices, which begin in any place.
async fn many_elements(run: &mut Run) {
    let norm = in_turn(run, F64_NORM);
    for (seed, (what, make)) in (0..).zip(KINDS) {
        let input = Input::new(what, words(&list(make, 9000, 1_000_000 + 20_000 * seed)));
        run.ask(&input, &sums()).await;
        run.ask(&input, &[norm]).await;
    }
    for (seed, len) in (0..).zip([4096, 8192, 20_001]) {
        let input = Input::new("ordinary f64s", words(&list(KINDS[0].1, len, 90_000 * seed)));
        run.ask(&input, &sums()).await;
        run.ask(&input, &[norm]).await;
    }
    // The infinity alone shows that its place is looked at.
    for place in 0..4 {
        let mut elements = list(KINDS[0].1, 4096, 95_000);
        elements[1000 + place] = INFINITY;
        let input = Input::new("ordinary f64s and an infinity", words(&elements));
        run.ask(&input, &[sums()[place % 2]]).await;
    }
    // Factors at the ends of what is safe, and products that are subnormal or infinite.
    for (low, fields) in [(538, 3), (480, 60), (1512, 3), (1500, 40)] {
        let list: Vec<u64> = (0..9000).map(|number| with_field(number, low, fields)).collect();
        run.ask(&Input::new("factors of f64s", words(&list)), &[norm]).await;
    }
    let input = Input::new("ordinary f64s", words(&list(KINDS[0].1, 30_000, 7_000_000)));
    run.ask(&input.cut(&[8, 10_000, 40_004]), &sums()).await;
    // Each word an ordinary float: so is the f64 that they are.
    let input = Input::of("ordinary floats", 40_003, 64, ordinary).at(1);
    run.ask(&input, &[Question::two_pass(F64_SUM).in_mechanism(1)]).await;
}

/// Of two inputs, of which the right one begins at an odd word.
async fn pairs(run: &mut Run) {
    let dot = in_turn(run, F64_DOT);
    for (seed, (what, make)) in (0..).zip(KINDS) {
        for (i, len) in (0..).zip([3, 300, 5001]) {
            let [left, right] =
                [0, 50_000].map(|side| words(&list(make, len, 200_000 * seed + 6000 * i + side)));
            run.ask(&Input::new(what, left).with("others", right), &[dot]).await;
        }
    }
    let [left, right] = [0, 50_000].map(|seed| words(&list(KINDS[0].1, 12_000, seed)));
    let input = Input::new("ordinary f64s", left).with("others", right);
    run.ask(&input.clone().at(1), &[dot]).await;
    run.ask(&input.cut(&[10, 9000]), &[dot]).await;
    // NaN, whatever the other factor is.
    for (a, b) in [(INFINITY, 0), (INFINITY, NEGATIVE), (INFINITY + 1, ONE), (INFINITY, ONE)] {
        let [left, right] = [[a, ONE], [b, 0]].map(|pair| words(&pair));
        run.ask(&Input::new("special f64s", left).with("others", right), &[dot]).await;
    }
}

/// Asks for variances of elements whose distances have subnormal or infinite squares, in runs of every level, and about means far from 0.
async fn variances(run: &mut Run) {
    let variance = in_turn(run, F64_VARIANCE);
    let far_from_0: Make = |number| with_field(number, 1000, 1) & !NEGATIVE | 1 << 51;
    let mut parts = Vec::new();
    for (seed, make) in (0..).zip(KINDS.map(|(_, make)| make).into_iter().chain([far_from_0])) {
        for len in [0, 1, 2, 3, 4, 6, 13, 100, 300] {
            parts.push((words(&list(make, len, 300_000 * seed + 400)), variance));
        }
    }
    for (low, fields) in [(480, 4), (538, 3), (1532, 3)] {
        for len in [2, 7, 65] {
            let list: Vec<u64> = (0..len).map(|number| few_bits(number, low, fields)).collect();
            parts.push((words(&list), variance));
        }
    }
    together(run, "variances of f64s", &parts).await;
    let lists = [KINDS[0], KINDS[2], KINDS[6], KINDS[11], ("f64s of a binade", far_from_0)];
    for (seed, (what, make)) in (0..).zip(lists) {
        let input =
            Input::new(what, words(&list(make, 8192 + 1000 * seed as usize, 500_000 * seed)));
        run.ask(&input, &[variance]).await;
        run.ask(&input.cut(&[8, 6000]), &[variance]).await;
    }
    // A tile is lost to a NaN that no other special value hides.
    let mut with_nan = list(KINDS[0].1, 9000, 7);
    with_nan[5000] = INFINITY + 1;
    run.ask(&Input::new("ordinary f64s, and a NaN", words(&with_nan)), &[variance]).await;
}
