//! What is asked of exact sums and means of f64s. A sum shows 53 bits of thousands: so in most lists everything but the smallest
//! element cancels, and a wrong bit anywhere shows.

use super::{
    battery::together,
    doubles::{INFINITY, KINDS, NEGATIVE, ONE, SPECIAL, words},
    input::Input,
    material::mix,
    questions::{Question, Restriction},
    run::Run,
    subjects::{F64_MEAN, F64_SUM},
};

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    few_elements(run).await;
    means(run).await;
    fields_side_by_side(run).await;
    moving_windows(run).await;
    full_windows(run).await;
    specials_anywhere(run).await;
    places(run).await;
}

const SUM: Question = Question::exact(F64_SUM);
const MEAN: Question = Question::exact(F64_MEAN);

const FRACTION: u64 = (1 << 52) - 1;

/// 2^(field - 1023).
fn power(field: u32) -> u64 {
    u64::from(field) << 52
}

/// Elements with fields by their numbers and some bits: with all bits, with any, with few, and with none.
fn list(len: u32, seed: u32, field: impl Fn(u32, u32) -> u32) -> Vec<u64> {
    let element = |i| {
        let bits = mix(i + seed);
        let any = u64::from(bits) << 32 | u64::from(mix(!bits));
        let fraction = [FRACTION, any & FRACTION, 1, 0][i as usize % 4];
        (any & NEGATIVE) | power(field(i, mix(bits))) | fraction
    };
    (0..len).map(element).collect()
}

/// With their opposites, in other lanes, and one element that is left of all.
fn cancelling(mut elements: Vec<u64>, left: u64) -> Vec<u32> {
    let opposites = elements.iter().map(|element| element ^ NEGATIVE);
    let mut opposites: Vec<u64> = opposites.collect();
    opposites.rotate_left(elements.len() / 3);
    elements.extend(opposites);
    elements.push(left);
    words(&elements)
}

/// All elements in one workgroup.
const fn in_one_workgroup(question: Question) -> Question {
    question.policy(2048, 1)
}

/// Carries, borrows, ties, and what is far below them; results that are subnormal or infinite.
async fn few_elements(run: &mut Run) {
    let mut parts = vec![(Vec::new(), SUM), (Vec::new(), MEAN)];
    for (i, a) in SPECIAL.into_iter().enumerate() {
        parts.extend([(words(&[a]), SUM), (words(&[a]), MEAN)]);
        parts.extend(SPECIAL[i..].iter().map(|&b| (words(&[a, b]), SUM)));
    }
    for top in [300, 1100, 2040] {
        for distance in (1..top - 54).step_by(83) {
            for last_bit in [0, power(top - 52)] {
                let rest = power(top - 53 - distance);
                for rest in [rest, rest | NEGATIVE, 0] {
                    let list = [power(top), last_bit, power(top - 53), rest];
                    parts.push((words(&list), SUM));
                }
            }
        }
    }
    let (largest, half_a_unit) = (INFINITY - 1, power(2046 - 53));
    for list in [
        vec![largest, largest, largest | NEGATIVE],
        vec![largest, half_a_unit],
        vec![largest, half_a_unit, 1 | NEGATIVE],
        vec![NEGATIVE, NEGATIVE],
        vec![1 | NEGATIVE; 7],
        vec![ONE, ONE | NEGATIVE, 3],
        vec![largest | NEGATIVE; 900],
    ] {
        parts.push((words(&list), SUM));
    }
    together(run, "exact sums of few f64s", &parts).await;
}

/// Quotients of many lengths, ties, and what is next to them.
async fn means(run: &mut Run) {
    let mut parts = Vec::new();
    for len in [1, 2, 3, 5, 6, 7, 12, 25, 64, 641] {
        for (number, first) in (0..).zip([1, 2, 3, FRACTION, FRACTION + 3, INFINITY - 1]) {
            let mut list = vec![0; len];
            (list[0], list[len - 1]) = (first, power(50 + 300 * number) | NEGATIVE);
            parts.push((words(&list), MEAN));
            parts.push((words(&vec![first; len]), MEAN));
            list[len - 1] = 0;
            parts.push((words(&list), MEAN));
            list[0] |= NEGATIVE;
            parts.push((words(&list), MEAN));
        }
    }
    // q + 1/6, q and q - 1/6, where q, of 54 bits, is halfway between two f64s.
    for i in 0..20 {
        let whole =
            f64::from_bits(power(1075 + 9) | u64::from(mix(i)) << 20 | u64::from(mix(!i)) >> 12);
        let scale = f64::from_bits(power(700 + 30 * i));
        for sixth in [1.0, 0.0, -1.0] {
            let list = [whole, whole, whole, 768.0, sixth, 0.0].map(|x| (x * scale).to_bits());
            parts.push((words(&list), MEAN));
        }
    }
    together(run, "exact means of few f64s", &parts).await;
}

/// Each of two fields beside the other: those that windows begin and end with, and others.
async fn fields_side_by_side(run: &mut Run) {
    let mut parts = Vec::new();
    for top in [1, 2, 27, 28, 29, 32, 33, 64, 500, 1023, 1055, 2015, 2041, 2042, 2043, 2044, 2046] {
        for distance in [0, 1, 26, 27, 28, 29, 31, 32, 33, 63, 64] {
            let bottom = top - distance.min(top - 1);
            let fields = |i, _| if i % 7 == 3 { top } else { bottom };
            let elements = list(300, 1000 * top + distance, fields);
            // Subnormal.
            let left =
                if distance.is_multiple_of(3) { 5 | NEGATIVE } else { power(bottom) | 0x123 };
            parts.push((cancelling(elements, left), SUM));
        }
    }
    together(run, "f64s of two fields", &parts).await;
}

/// Windows that hold all, that move, and that hold nothing.
async fn moving_windows(run: &mut Run) {
    type Field = fn(u32, u32) -> u32;
    let kinds: [(&str, Field); 9] = [
        ("of a binade", |_, _| 1023),
        ("of 28 binades", |_, bits| 1000 + bits % 28),
        ("of 36 binades", |_, bits| 1000 + bits % 36),
        (
            "of few binades, some much smaller",
            |_, bits| if bits.is_multiple_of(61) { 300 } else { 1023 },
        ),
        (
            "of few binades, some much larger",
            |_, bits| if bits.is_multiple_of(61) { 1900 } else { 1023 },
        ),
        ("that grow", |i, _| 1 + i / 5),
        ("that shrink", |i, _| 2046 - i / 5),
        ("that jump up and down", |i, bits| {
            bits % 4 + if (i / 4096).is_multiple_of(2) { 900 } else { 1200 }
        }),
        ("of any size", |_, bits| bits % 2047),
    ];
    for (seed, (what, field)) in (0..).zip(kinds) {
        for (len, left) in [(10_000, 7), (150, power(1) | 1)] {
            let elements = cancelling(list(len, 20_000 * seed, field), left);
            run.ask(&Input::new(format!("f64s {what}"), elements), &[SUM]).await;
        }
    }
    // Zeros, which are in every window, and nothing else for a while.
    let mut elements = list(10_000, 1, |_, bits| 1000 + bits % 9);
    elements
        .iter_mut()
        .filter(|element| **element % 4 == 1)
        .for_each(|element| *element = NEGATIVE);
    elements[4096..8192].fill(0);
    run.ask(&Input::new("f64s and zeros", cancelling(elements, 3)), &[SUM]).await;
    for (seed, (what, make)) in (0..).zip(KINDS) {
        let elements: Vec<u64> = (40_000 * seed..).map(make).take(9000).collect();
        run.ask(&Input::new(what, words(&elements)), &[SUM, MEAN]).await;
    }
}

/// So many for a lane that sums are moved to the cells, of the largest that a window holds; and cells that overflow.
async fn full_windows(run: &mut Run) {
    for sign in [0, NEGATIVE] {
        let mut elements = vec![ONE; 4096];
        elements.resize(9 << 16, power(1023 + 4) | FRACTION | sign);
        let input = Input::new("ones, then f64s of 4 binades above", words(&elements));
        run.ask(&input, &[in_one_workgroup(SUM)]).await;
        // With the highest shift in a cell. Their neighbours let no window hold them.
        let elements = list(8192, 2, |i, _| if i.is_multiple_of(2) { 1023 } else { 3 });
        let all_bits = |(i, element): (usize, u64)| match i % 2 {
            0 => power(1023) | FRACTION | sign,
            _ => element,
        };
        let elements: Vec<u64> = elements.into_iter().enumerate().map(all_bits).collect();
        run.ask(&Input::new("f64s of two cells", words(&elements)), &[in_one_workgroup(SUM)]).await;
    }
}

/// Infinities and NaNs that meet, in one lane, in a workgroup, and far away.
async fn specials_anywhere(run: &mut Run) {
    let negative = INFINITY | NEGATIVE;
    let mut parts = Vec::new();
    for pair in [
        [INFINITY, INFINITY],
        [INFINITY, negative],
        [negative, negative],
        [negative, ONE],
        [INFINITY + 1, INFINITY],
        [negative, (INFINITY + (1 << 32)) | NEGATIVE],
    ] {
        for place in [8, 1024, 8500] {
            let mut list = vec![ONE; 9000];
            (list[7], list[place]) = (pair[0], pair[1]);
            parts.extend([(words(&list), SUM), (words(&list), MEAN)]);
        }
    }
    together(run, "f64s, two of them special", &parts).await;
}

/// Anywhere in a buffer, in several, in several bindings, and in more workgroups than the accumulator has copies.
async fn places(run: &mut Run) {
    let of_len = |len: u32| cancelling(list(len, 77, |_, bits| 1000 + bits % 50), 1);
    for offset in 0..4 {
        for len in [2047, 4096] {
            let input = Input::new("ordinary f64s", of_len(len)).at(offset);
            run.ask(&input.clone().followed_by(7), &[SUM]).await;
            run.ask(&input, &[SUM]).await;
        }
        // Nothing but whole groups.
        let elements = list(8192, 5, |_, bits| 1000 + bits % 20);
        run.ask(&Input::new("ordinary f64s", words(&elements)).at(offset), &[SUM]).await;
    }
    let input = Input::new("ordinary f64s", of_len(15_000));
    run.ask(&input.clone().cut(&[8, 10_000, 40_004]), &[SUM, MEAN]).await;
    let input = Input::new("ordinary f64s", of_len(75_000));
    let restrictions = [Restriction::SmallBindings, Restriction::FewWorkgroups];
    run.ask(&input, &restrictions.map(|restriction| SUM.within(restriction))).await;
    run.ask(&input, &[SUM.policy(4, 40)]).await;
}
