//! The inputs, and what is asked of each.
//!
//! Each kernel compiles to several pipelines, and drivers in software take long to compile one. So an input is reduced by all operators
//! only if everything is wanted. Else every kernel meets both mechanisms, every place in a vector where an input can begin, and some
//! operators; every operator and element type goes through some kernels, with the next one in the other mechanism, or from
//! another place on; and sums, which need an order, through all. Cuts of an input, which need no pipeline, are all asked.

use super::{
    input::Input,
    masks::{BITS_AROUND_MASK, MASK_COUNT, MASK_MAX, MASK_MIN},
    material::{
        FLOATS, FRACTION, Make, SIGN, hardly_any_bits, mix, near_one, nearly_all_bits, odd,
        ordinary, power, small_integers, special, words,
    },
    questions::{Question, Restriction, Subject},
    run::Run,
    subjects::{
        BF16_DOT, BF16_NORM, BF16_SUM, BOOL_COUNT, COUNT, DOT, F16_DOT, F16_MAX, F16_SUM,
        F32X2_BOUNDS, F32X2_SUM, F32X3_BOUNDS, F32X3_MIN, F32X3_SUM, F32X4_BOUNDS, F32X4_MAX,
        F32X4_MEAN, I8_MIN, I16_MAX, I32_MIN, I32X2_MAX, I32X3_MIN, I32X4_SUM, MAX, MAX_ABS, MEAN,
        MIN, NAN_SAMPLE_VARIANCE, NAN_VARIANCE, NORM, OF_COMPONENTS, PRODUCT, SAMPLE_VARIANCE,
        STATISTICS, SUM, SUM_OF_SQUARES, U8_SUM, U16_SUM_WIDE, U32_COUNT, U32_SUM, U32X2_SUM,
        U32X3_MAX, U32X4_MIN, U64_SUM, VARIANCE, combining,
    },
};
use crate::{
    algebra::{element::ElementType, operator_type::OperatorType, options::NanRule},
    way::Strategy,
};

pub(super) const ATOMICS: [Strategy; 2] = [Strategy::WorkgroupAtomic, Strategy::SubgroupAtomic];

/// Asks everything.
pub(super) async fn run(run: &mut Run) {
    integers(run).await;
    places(run).await;
    several_dispatches(run).await;
    lengths(run).await;
    runs(run).await;
    shared_buffers(run).await;
    many_blocks(run).await;
    atomics(run).await;
    batches(run).await;
    any_floats(run).await;
    outliers(run).await;
    unsafe_rounds(run).await;
    special_values(run).await;
    statistics(run).await;
    products(run).await;
    variances(run).await;
    pairs(run).await;
    exact_results(run).await;
    exact_windows(run).await;
    exact_products(run).await;
    exact_ties(run).await;
    long_inputs(run).await;
    two_words(run).await;
    narrow(run).await;
}

/// Of f32, in their order.
fn in_order(subjects: &[Subject]) -> Vec<Question> {
    let ways = [Question::two_pass, single_pass_once, Question::as_usual];
    subjects.iter().flat_map(|&subject| ways.map(|way| way(subject))).collect()
}

/// For what is no race.
const fn single_pass_once(subject: Subject) -> Question {
    Question::single_pass(subject).times(1)
}

/// The ways of an operator to the same bits in any order.
fn in_any_order(subject: Subject) -> Vec<Question> {
    let mut questions = vec![
        Question::two_pass(subject),
        Question::single_pass(subject),
        Question::unordered(subject),
        Question::unordered(subject).policy(16, 2048),
    ];
    if subject.spec().ends_by_atomics() {
        questions.extend(ATOMICS.map(|strategy| Question::atomic(subject, strategy)));
    }
    questions
}

/// What is named, or all of it.
fn chosen<T: Clone>(run: &Run, named: &[T], all: &[T]) -> Vec<T> {
    if run.wants_everything() { all.to_vec() } else { named.to_vec() }
}

/// A question in the mechanism of this number, because another would only be more to compile; in both if everything is wanted.
fn in_one_mechanism(run: &Run, question: Question, mechanism: usize) -> Question {
    if run.wants_everything() { question } else { question.in_mechanism(mechanism) }
}

/// One question in one mechanism, the next in the other; all in both if everything is wanted.
fn in_turn<const N: usize>(run: &Run, questions: [Question; N]) -> [Question; N] {
    let mut mechanisms = 0..;
    questions.map(|question| in_one_mechanism(run, question, mechanisms.next().unwrap_or(0)))
}

/// A statistic in a mechanism of its own: its kernels are those of sums.
fn in_its_mechanism(run: &Run, question: Question) -> Question {
    in_one_mechanism(run, question, usize::from(question.subject == NORM))
}

/// From none to several blocks, whole ones and others; of one round, and of several.
async fn lengths(run: &mut Run) {
    for len in [0, 1, 3, 300, 4097, 20_001] {
        let input = Input::of("ordinary floats", len, 1, ordinary);
        let mut questions = in_order(&[SUM]);
        if run.wants_everything() || matches!(len, 300 | 20_001) {
            questions
                .extend(in_turn(run, [PRODUCT, MAX, MIN, MAX_ABS, COUNT].map(Question::two_pass)));
        }
        if run.wants_everything() || len == 20_001 {
            questions.push(in_one_mechanism(run, Question::two_pass(PRODUCT), 1));
            let products = [single_pass_once(PRODUCT), Question::as_usual(PRODUCT)];
            questions.extend(products.map(|question| in_one_mechanism(run, question, 0)));
            questions.extend(in_turn(run, [MAX, MIN].map(Question::single_pass)));
            questions.push(in_its_mechanism(run, Question::two_pass(NORM)));
        }
        run.ask(&input, &questions).await;
    }
    // Powers of two, from those that are shorter than a round to those of several blocks.
    for len in [2, 64, 1024, 2048, 4096, 8192, 65_536] {
        let input = Input::of("ordinary floats", len, 1, ordinary);
        let questions = [Question::two_pass(SUM), Question::two_pass(SUM).policy(16, 2048)];
        run.ask(&input, &questions).await;
        run.ask(&input, &[in_one_mechanism(run, single_pass_once(SUM), len)]).await;
        let product = Question::two_pass(PRODUCT).policy(16, 2048);
        run.ask(&input, &[in_one_mechanism(run, product, 0)]).await;
    }
    // Hundreds of workgroups, of which the last one folds.
    let [floats, integers] = [
        Input::of("ordinary floats", 1_100_001, 2, ordinary),
        Input::of("odd integers", 1_100_001, 2, odd),
    ];
    run.ask(&floats, &[Question::single_pass(SUM).times(8)]).await;
    run.ask(&integers, &[Question::single_pass(U32_SUM).times(8)]).await;
    let input = Input::of("ordinary floats", 100_003, 2, ordinary);
    for subject in chosen(run, &[SUM], &combining(ElementType::F32)) {
        let questions = [
            Question::two_pass(subject).policy(16, 2048),
            Question::two_pass(subject).policy(4, 7),
            Question::single_pass(subject).policy(16, 2048),
            Question::single_pass(subject).policy(4, 7),
        ];
        run.ask(&input, &questions).await;
    }
    let questions = [
        Question::two_pass(MIN).policy(16, 2048).in_mechanism(0),
        Question::single_pass(MIN).policy(4, 7).in_mechanism(1),
    ];
    run.ask(&input, &questions).await;
}

/// Where launches begin and end: within a vector, a row, a round and a block of several rounds, and between them; and among
/// blocks that are siblings, or are not. All in one place of a buffer, so that there are few pipelines.
async fn runs(run: &mut Run) {
    let vectors = (0..4).flat_map(|first| (first..first + 5).map(move |second| [first, second]));
    for cuts in vectors {
        let input = Input::of("ordinary floats", 13, 60, ordinary).cut(&cuts);
        run.ask(&input, &[in_one_mechanism(run, Question::two_pass(SUM), cuts[0])]).await;
    }
    let cuts: [(usize, &[usize]); 31] = [
        // Of rows, and of rounds.
        (4200, &[1023]),
        (4200, &[1024]),
        (4200, &[1025, 1030]),
        (4200, &[1100, 2900]),
        (4200, &[2048, 3072]),
        (4200, &[3071, 4097]),
        (8192, &[4095]),
        (8192, &[2047, 6145]),
        (12_288, &[4096]),
        (12_288, &[8192]),
        (12_289, &[5000, 6000]),
        // Of blocks of four rounds: whole ones, of some rounds, and of parts of rounds.
        (12_288, &[]),
        (16_384, &[]),
        (20_480, &[]),
        (30_000, &[]),
        (49_152, &[]),
        (65_537, &[]),
        (16_384, &[12_288]),
        (20_480, &[4096, 12_288]),
        (30_000, &[5000, 14_000]),
        (30_000, &[7000, 16_384, 20_480]),
        (65_536, &[16_384, 16_389]),
        (65_537, &[49_152]),
        // Of blocks: the runs of them that wait are one, two or three, and more go on where some of them end.
        (57_355, &[20_480, 24_576]),
        (57_355, &[12_288, 28_672]),
        (57_355, &[12_288, 16_384]),
        (57_355, &[16_484, 49_152]),
        (57_355, &[8192, 12_288, 32_763, 49_152]),
        (57_355, &[4096, 8192, 28_673]),
        (57_355, &[28_672, 32_768, 36_864]),
        (200_003, &[98_304, 131_072]),
    ];
    for (number, (len, cuts)) in cuts.into_iter().enumerate() {
        let input = Input::of("ordinary floats", len, 61, ordinary).cut(cuts);
        let ways = [
            Question::two_pass(SUM),
            Question::two_pass(SUM).policy(16, 2048),
            single_pass_once(SUM).policy(16, 2048),
            single_pass_once(SUM),
        ];
        for (turn, question) in ways.into_iter().enumerate() {
            run.ask(&input, &[in_one_mechanism(run, question, number + turn)]).await;
        }
        let product = Question::two_pass(PRODUCT).policy(16, 2048);
        run.ask(&input, &[in_one_mechanism(run, product, 0)]).await;
        // Without an order each element counts, in blocks with an edge on either side.
        let input = Input::of("odd integers", len, 62, odd).cut(cuts);
        let question = Question::two_pass(U32_SUM).policy(16, 2048);
        run.ask(&input, &[in_one_mechanism(run, question, number)]).await;
    }
}

/// Results that go to a buffer of the input: from a second dispatch, also where there is a single block.
async fn shared_buffers(run: &mut Run) {
    let ways = |subject| {
        let both = [Question::two_pass(subject), Question::as_usual(subject)];
        both.map(Question::sharing_a_buffer)
    };
    let lists: [(usize, &[usize]); 7] = [
        (1, &[]),
        (300, &[]),
        (4096, &[]),
        (20_001, &[]),
        // Launches of a block each, and of blocks; one of nothing.
        (300, &[100, 150]),
        (12_288, &[4096, 4096, 8192]),
        (20_001, &[300, 9000]),
    ];
    for (len, cuts) in lists {
        let floats = Input::of("ordinary floats", len, 67, ordinary).with_room().cut(cuts);
        let integers = Input::of("odd integers", len, 68, odd).with_room().cut(cuts);
        let mut questions = ways(SUM).to_vec();
        let product = in_one_mechanism(run, Question::two_pass(PRODUCT), 0);
        // Of two words.
        let count = in_one_mechanism(run, Question::two_pass(COUNT), 0);
        let others = [product, count, Question::exact(SUM)];
        questions.extend(others.map(Question::sharing_a_buffer));
        run.ask(&floats, &questions).await;
        let atomic = Question::atomic(U32_SUM, ATOMICS[0]).sharing_a_buffer();
        run.ask(&integers, &[&ways(U32_SUM)[..], &[atomic]].concat()).await;
    }
    // Floats of every kind; and such as hardware can be trusted with, but not with their sum.
    let mut inputs = vec![
        Input::new("large floats", vec![power(127 + 86); 2]),
        Input::new("large floats", vec![power(127 + 80); 4096]),
        Input::new("floats with a subnormal difference", vec![power(25) | 1, power(25) | SIGN]),
    ];
    for (what, make) in FLOATS {
        inputs.extend([2, 300, 4096, 8192].map(|len| Input::of(what, len, 69, make)));
    }
    let product = in_one_mechanism(run, Question::two_pass(PRODUCT), 0);
    let questions = [Question::two_pass(SUM), product].map(Question::sharing_a_buffer);
    for input in inputs {
        run.ask(&input.with_room(), &questions).await;
    }
}

/// More blocks than a workgroup has lanes: as many nodes as there is room for, and spans that are not whole.
async fn many_blocks(run: &mut Run) {
    // Of one size, so that each order has a sum of its own, most often.
    let mut floats = words(1536 * 4096, 63, near_one);
    for (number, blocks) in [256, 512, 1024].into_iter().enumerate() {
        for first in [0, 512] {
            let floats = floats[first * 4096..][..blocks * 4096].to_vec();
            let input = Input::new("floats from 1/2 to 2", floats);
            run.ask(&input, &[Question::two_pass(SUM)]).await;
            run.ask(&input, &[in_one_mechanism(run, single_pass_once(SUM), number)]).await;
            run.flush().await;
        }
    }
    floats.truncate(1024 * 4096);
    // Runs of high levels wait, and some of low ones.
    floats.extend(words(300_000, 64, ordinary));
    let input = Input::new("ordinary floats", floats).cut(&[(1 << 22) + 5]);
    run.ask(&input, &[Question::two_pass(SUM)]).await;
    run.flush().await;
    let len = 700 * 4096 + 5;
    let input = Input::of("ordinary floats", len, 65, ordinary);
    run.ask(&input, &[Question::two_pass(SUM)]).await;
    run.ask(&input.cut(&[600 * 4096]), &[Question::two_pass(SUM)]).await;
    run.flush().await;
    // All of them rounds of a block or two.
    let input = Input::of("ordinary floats", 1 << 20, 66, ordinary);
    run.ask(&input, &[Question::two_pass(SUM).policy(4, 1)]).await;
}

/// What sums of integers and of floats are asked where elements lie somewhere else; single passes in the mechanism of this number.
/// Integers show whether each element is there once, and are soon compiled; floats also show the order.
fn somewhere(run: &Run, number: usize, with_floats: bool) -> [Vec<Question>; 2] {
    let ways = |subject: Subject| {
        let single_pass = in_one_mechanism(run, Question::single_pass(subject), number);
        [Question::two_pass(subject), single_pass]
    };
    let integers =
        chosen(run, &[U32_SUM], &combining(ElementType::U32)).into_iter().flat_map(ways).collect();
    let named: &[Subject] = if with_floats { &[SUM] } else { &[] };
    let floats =
        chosen(run, named, &combining(ElementType::F32)).into_iter().flat_map(ways).collect();
    [integers, floats]
}

/// Ways that need pipelines which nothing else does: one after another in one mechanism, then the other.
fn one_each(run: &Run, questions: &[Question], first: usize) -> Vec<Question> {
    let in_turn = |(turn, &question)| in_one_mechanism(run, question, first + turn);
    questions.iter().enumerate().map(in_turn).collect()
}

/// Anywhere in a buffer, to its end; in one slice and in several, which begin and end anywhere.
async fn places(run: &mut Run) {
    for offset in 1..6 {
        for len in [300, 12_288, 12_289] {
            // To the end of their buffer, or not.
            let rest = offset % 2 * 7;
            let input = Input::of("odd integers", len, 3, odd);
            let input = input.at(offset).followed_by(rest);
            let floats = Input::of("ordinary floats", len, 4, ordinary);
            let floats = floats.at(offset).followed_by(rest);
            if run.wants_everything() || (len == 12_289 && offset == 3) {
                let [integers, floats_too] = somewhere(run, offset, true);
                run.ask(&input, &one_each(run, &integers, 0)).await;
                run.ask(&floats, &one_each(run, &floats_too, 1)).await;
            } else {
                run.ask(&input, &[in_one_mechanism(run, Question::two_pass(U32_SUM), offset)])
                    .await;
            }
            // Squares have loads of their own.
            if offset % 2 == 0 {
                let squares = Question::two_pass(SUM_OF_SQUARES);
                run.ask(&floats, &[in_its_mechanism(run, squares)]).await;
            }
        }
    }
    let cuts: [&[usize]; 5] = [
        &[4096, 8192],
        // Within a block, and in its middle.
        &[100, 150, 200],
        &[4, 4096, 4100, 12_288],
        // Slices of nothing, one after another.
        &[3, 3, 4096, 4097, 4097, 12_287],
        &[5, 20_000],
    ];
    for (number, cuts) in cuts.into_iter().enumerate() {
        for len in [300, 20_001] {
            if cuts.last().is_some_and(|&last| last > len) {
                continue;
            }
            let [integers, floats] = somewhere(run, number, cuts.len() != 2);
            run.ask(&Input::of("odd integers", len, 5, odd).cut(cuts), &integers).await;
            let input = Input::of("ordinary floats", len, 6, ordinary).cut(cuts);
            run.ask(&input, &floats).await;
            // Accumulators of several words wait in the same way.
            if cuts.len() == 4 {
                let products = [Question::two_pass(PRODUCT), Question::single_pass(PRODUCT)];
                let products = products.map(|question| in_one_mechanism(run, question, 0));
                run.ask(&input, &products).await;
            }
        }
    }
}

/// More than a binding spans, or a dispatch can have workgroups for.
async fn several_dispatches(run: &mut Run) {
    let several = [
        (Restriction::SmallBindings, 16_384),
        (Restriction::SmallBindings, 53_249),
        (Restriction::FewWorkgroups, 53_249),
    ];
    for (number, (restriction, len)) in several.into_iter().enumerate() {
        for offset in chosen(run, &[0], &[0, 1]) {
            let with_floats = offset == 0 && len > 16_384;
            let questions = somewhere(run, number, with_floats);
            let [mut integers, mut floats] = questions.map(|questions| {
                questions.into_iter().map(|q| q.within(restriction)).collect::<Vec<_>>()
            });
            // And blocks of several bindings.
            let large_blocks = Question::two_pass(U32_SUM).policy(32, 2048).within(restriction);
            integers.push(in_one_mechanism(run, large_blocks, number));
            let input = Input::of("odd integers", len, 7, odd).at(offset);
            run.ask(&input, &integers).await;
            floats.push(Question::exact(SUM).within(restriction));
            let input = Input::of("ordinary floats", len, 8, ordinary).at(offset);
            run.ask(&input, &floats).await;
        }
        let pairs =
            Input::of("ordinary floats", len, 8, ordinary).with("seed 9", words(len, 9, ordinary));
        let questions = [Question::exact(DOT), Question::two_pass(DOT), single_pass_once(DOT)];
        run.ask(&pairs, &questions.map(|question| question.within(restriction))).await;
    }
}

/// Elements that tell an operator from others, and do not bring its result to an end.
fn integers_for(operator: OperatorType, len: usize) -> Input {
    let (what, make): (_, Make) = match operator {
        OperatorType::BitAnd => ("nearly all bits", nearly_all_bits),
        OperatorType::BitOr => ("hardly any bits", hardly_any_bits),
        OperatorType::Count => ("integers, some of them 0", |bits| bits * (bits >> 31)),
        _ => ("odd integers", odd),
    };
    Input::of(what, len, 10, make)
}

/// Two passes if `number` is even, else a single one, which has a pipeline less; where the device has none, always two.
fn a_way(run: &Run, subject: Subject, number: usize) -> Question {
    let two_pass = Question::two_pass(subject);
    let single_pass = Question::single_pass(subject);
    if number % 2 == 1 && run.has_way(single_pass) { single_pass } else { two_pass }
}

/// Whether what one operator is asked says much of others: extrema by keys, and counts of other kinds. extrema.rs asks these.
pub(super) fn is_of_a_group(operator: OperatorType) -> bool {
    operator.tells_places()
        || operator.nan_rule() != NanRule::Propagate
        || matches!(
            operator,
            OperatorType::MinMax
                | OperatorType::L1Norm
                | OperatorType::Moments
                | OperatorType::BriefMoments
                | OperatorType::Any
                | OperatorType::All
                | OperatorType::CountNan
        )
}

/// Every operator on both types, which have the same shaders but for a constant. So each has a mechanism and a way of its own.
async fn integers(run: &mut Run) {
    // The sum of unsigned ones first: what is wrong with all operators is soon found then.
    let input = integers_for(U32_SUM.operator, 20_001);
    let questions = [
        Question::two_pass(U32_SUM),
        Question::two_pass(U32_SUM).policy(16, 2048),
        Question::single_pass(U32_SUM),
        Question::as_usual(U32_SUM),
    ];
    run.ask(&input, &questions).await;
    for len in [0, 1, 300, 4096, 8192] {
        run.ask(&integers_for(U32_SUM.operator, len), &questions[..1]).await;
    }
    for (mechanism, element) in [ElementType::I32, ElementType::U32].into_iter().enumerate() {
        let mut subjects = combining(element);
        subjects.retain(|subject| run.wants_everything() || !is_of_a_group(subject.operator));
        for (number, subject) in subjects.into_iter().enumerate() {
            if run.wants_everything() {
                for len in [0, 5, 300, 8192] {
                    run.ask(&integers_for(subject.operator, len), &in_any_order(subject)).await;
                }
                let input = integers_for(subject.operator, 20_001);
                run.ask(&input, &in_any_order(subject)).await;
                run.ask(&input.at(3).cut(&[3, 5000]), &in_any_order(subject)).await;
            }
            if subject == U32_SUM {
                continue;
            }
            let question = a_way(run, subject, number + mechanism);
            let question = in_one_mechanism(run, question, mechanism);
            // Each in a place of its own, so that kernels meet every place.
            let offset = (number + number / 4) % 4;
            let input = integers_for(subject.operator, 20_001).at(offset);
            run.ask(&input, &[question]).await;
            // What is not there must not be larger, or smaller.
            let one_signed: [(_, Make); 2] = [
                ("negative integers", |bits| bits | SIGN | 1),
                ("positive integers", |bits| bits & !SIGN | 1),
            ];
            if matches!(subject.operator, OperatorType::Max | OperatorType::Min) {
                for (what, make) in one_signed {
                    let input = Input::of(what, 20_001, 15, make).at(offset);
                    run.ask(&input, &[question]).await;
                }
            }
        }
    }
}

fn by_atomics(subject: Subject) -> [Question; 2] {
    ATOMICS.map(|strategy| Question::atomic(subject, strategy))
}

/// By workgroups' atomics, in one mechanism, or by subgroups' if `number` is even and there are such.
fn an_atomic(run: &Run, subject: Subject, number: usize) -> Question {
    let [workgroups, subgroups] = by_atomics(subject);
    if number.is_multiple_of(2) && run.has_way(subgroups) {
        subgroups
    } else {
        in_one_mechanism(run, workgroups, number / 2)
    }
}

/// Totals that meet in memory. Of floats, such as are exact in every order.
async fn atomics(run: &mut Run) {
    for len in [0, 5, 4097, 20_001] {
        let whole = Input::of("small whole numbers", len, 11, small_integers);
        let mut questions = by_atomics(SUM).to_vec();
        questions.push(in_one_mechanism(run, Question::unordered(SUM), 1));
        if len == 20_001 {
            let single_pass = Strategy::SinglePass;
            let question = Question { strategy: single_pass, ..Question::unordered(SUM) };
            questions.push(question.in_mechanism(0));
        }
        run.ask(&whole, &questions).await;
        let [signed, unsigned] = [ElementType::I32, ElementType::U32].map(combining);
        let subjects = unsigned.into_iter().chain(signed).filter(|it| it.spec().ends_by_atomics());
        for (number, subject) in subjects.enumerate() {
            let input = integers_for(subject.operator, len);
            if run.wants_everything() || subject == U32_SUM {
                run.ask(&input, &by_atomics(subject)).await;
            } else if subject.element == ElementType::U32 {
                let question = an_atomic(run, subject, number);
                run.ask(&input.at((number + number / 4) % 4), &[question]).await;
            }
        }
    }
    // Several dispatches into one accumulator.
    let input = Input::of("odd integers", 20_001, 12, odd).cut(&[4100, 12_288]);
    run.ask(&input, &[Question::atomic(U32_SUM, ATOMICS[0])]).await;
}

/// Many reductions in two dispatches.
async fn batches(run: &mut Run) {
    let floats = Input::of("ordinary floats", 30_000, 13, ordinary);
    let subjects = chosen(run, &[SUM, MEAN, NORM, PRODUCT], &combining(ElementType::F32));
    for subject in subjects {
        let parts = [
            0..10,
            16..5016,
            8192..20_001,
            4..300,
            29_000..30_000,
            100..100,
            8..16,
            4096..8192,
            8192..24_576,
            12..12_300,
        ];
        let mut question = Question::two_pass(subject);
        if [MEAN, NORM].contains(&subject) {
            question = in_its_mechanism(run, question);
        } else if subject != SUM {
            question = in_one_mechanism(run, question, 1);
        }
        run.ask_in_a_batch(&floats, &parts.map(|part| (question, part))).await;
    }
    // In sums hardware can't be trusted with.
    let mut wild = floats;
    wild.what = "ordinary floats, and an infinity".to_owned();
    wild.left[9000] = special::INF;
    wild.left[17_000] = 1;
    let squares = in_its_mechanism(run, Question::two_pass(SUM_OF_SQUARES));
    for question in [Question::two_pass(SUM), squares] {
        let parts = [0..300, 8192..9001, 4096..20_001];
        run.ask_in_a_batch(&wild, &parts.map(|part| (question, part))).await;
    }
    // From other places on.
    let subjects = chosen(
        run,
        &[I32_MIN, U32_SUM],
        &[combining(ElementType::I32), combining(ElementType::U32)].concat(),
    );
    for (number, subject) in subjects.into_iter().enumerate() {
        let integers = Input::of("odd integers", 30_000, 14, odd).at(2 + number % 2);
        let question = in_one_mechanism(run, Question::two_pass(subject), number);
        let parts = [0..9001, 8192..8292].map(|part| (question, part));
        run.ask_in_a_batch(&integers, &parts).await;
    }
    // Results of one word and of two.
    let parts = [(U32_COUNT, 0..9001), (U32_SUM, 0..9001), (U32_COUNT, 8..13), (U32_SUM, 8..13)];
    let parts =
        parts.map(|(subject, part)| (in_one_mechanism(run, Question::two_pass(subject), 1), part));
    run.ask_in_a_batch(&integers_for(OperatorType::Count, 30_000).at(1), &parts).await;
}

/// Asks for reductions of many inputs in few dispatches, as some drivers in software take long for each, by kernels for many
/// reductions at once.
pub(super) async fn together(run: &mut Run, what: &str, parts: &[(Vec<u32>, Question)]) {
    // What a binding of any device spans.
    const MAX_WORDS: usize = 1 << 16;
    let (mut all, mut ranges) = (Vec::new(), Vec::new());
    for (words, question) in parts {
        if all.len() + words.len() > MAX_WORDS && !ranges.is_empty() {
            run.ask_in_a_batch(&Input::new(what, std::mem::take(&mut all)), &ranges).await;
            ranges.clear();
        }
        ranges.push((*question, all.len()..all.len() + words.len()));
        all.extend(words);
        // All begin with a vector: that is one pipeline.
        all.resize(all.len().next_multiple_of(4), 0x7fff_ffff);
    }
    run.ask_in_a_batch(&Input::new(what, all), &ranges).await;
}

/// Floats of every kind, in the fixed order and exactly.
async fn any_floats(run: &mut Run) {
    // Those of a list go through one mechanism, or both.
    let in_batches = [
        vec![Question::two_pass(SUM)],
        [PRODUCT, MIN].map(|subject| in_one_mechanism(run, Question::two_pass(subject), 1)).into(),
        vec![in_one_mechanism(run, Question::two_pass(MAX), 0)],
    ];
    let alone = in_turn(run, [COUNT, MAX_ABS].map(Question::two_pass));
    for (index, (what, make)) in FLOATS.into_iter().enumerate() {
        let mut parts = [const { Vec::new() }; 3];
        for len in [2, 3, 300, 5000, 20_001] {
            let seed = u32::try_from(100 * index + len % 100).unwrap_or_default();
            let input = Input::of(what, len, 1000 + seed, make);
            for (parts, questions) in parts.iter_mut().zip(&in_batches) {
                parts.extend(questions.iter().map(|&question| (input.left.clone(), question)));
            }
            let mut questions = vec![Question::exact(SUM)];
            questions.extend(alone);
            questions.extend(STATISTICS.map(Question::exact));
            let accumulators = [SUM, SUM_OF_SQUARES, VARIANCE, NAN_VARIANCE];
            questions.extend(accumulators.map(Question::accumulator));
            let cuts = [len / 5 / 4 * 4, len / 2 / 4 * 4];
            let cut = input.clone().cut(&cuts);
            let mut questions_of_cut = vec![Question::accumulator(SUM)];
            if run.wants_everything() || len == 20_001 {
                questions.extend(in_order(&[SUM]));
                // Runs that wait from one dispatch to the next.
                questions_of_cut.push(in_one_mechanism(run, Question::two_pass(SUM), index));
                let product = Question::two_pass(PRODUCT);
                questions_of_cut.push(in_one_mechanism(run, product, 0));
            }
            run.ask(&input, &questions).await;
            run.ask(&cut, &questions_of_cut).await;
            // Each kind with itself, and with two others.
            for distance in [0, 1, 5] {
                let (other_what, other) = FLOATS[(index + distance) % FLOATS.len()];
                let pairs = input.clone().with(other_what, words(len, 2000 + seed, other));
                run.ask(&pairs, &[Question::exact(DOT), Question::accumulator(DOT)]).await;
            }
        }
        for parts in &parts {
            together(run, what, parts).await;
        }
    }
    let mut sums = Vec::new();
    // Next to each other among others: with a difference that is subnormal, or hardly more.
    for field in 20..28 {
        let mut floats = vec![0; 4097];
        floats[0] = power(field) | 1;
        floats[4096] = power(field) | SIGN;
        sums.push((floats, Question::two_pass(SUM)));
    }
    // Whatever their signs and sizes are, 0 in the end.
    for field in [0, 1, 2, 23, 24, 27, 28, 29, 60, 127, 254] {
        let element = power(field) | 0x0055_5555;
        for pair in [[element, element | SIGN], [element | SIGN, element]] {
            sums.push((pair.to_vec(), Question::two_pass(SUM)));
        }
    }
    together(run, "floats and their negatives", &sums).await;
    // One rounding makes their product: also where it is halfway, or next to 2.
    let mut pairs = vec![[0x3fc0_0000, 0x3faa_aaac], [0x3fc0_0000, 0x3faa_aaaa]];
    pairs.extend((0..100).map(|i| {
        // 14 bits and 13.
        [mix(2 * i) & 0x007f_fc00, mix(2 * i + 1) & 0x007f_f800].map(|bits| special::ONE | bits)
    }));
    let product = in_one_mechanism(run, Question::two_pass(PRODUCT), 1);
    let products: Vec<_> = pairs.into_iter().map(|pair| (pair.to_vec(), product)).collect();
    together(run, "two factors each", &products).await;
}

/// One element that hardware can't be trusted with, anywhere.
async fn outliers(run: &mut Run) {
    let outliers = [1, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0xff80_0000, 0x7fc0_0001];
    let mut parts = Vec::new();
    for (round, bits) in outliers.into_iter().enumerate() {
        // Their last elements are in each of four rows.
        for (number, len) in [1000, 2048, 4096, 7000, 8192, 30_000].into_iter().enumerate() {
            let mut floats = words(len, 20, ordinary);
            let random = mix(u32::try_from(round * 100_000 + len).unwrap_or_default()) as usize;
            for (turn, place) in [0, random % len, len - 1].into_iter().enumerate() {
                let before = std::mem::replace(&mut floats[place], bits);
                parts.push((floats.clone(), Question::two_pass(SUM)));
                if run.wants_everything() || (number == round && turn == round % 3) {
                    let what = format!("ordinary floats, but {bits:#x} at {place}");
                    let input = Input::new(what, floats.clone());
                    run.ask(&input, &in_order(&[SUM])).await;
                    // Before a launch goes on from another, or after.
                    let cuts = [len / 2 / 4 * 4];
                    run.ask(&input.cut(&cuts), &[Question::two_pass(SUM)]).await;
                }
                floats[place] = before;
            }
        }
    }
    together(run, "ordinary floats, and an outlier each", &parts).await;
}

/// Rounds that hardware can't be trusted with, in blocks of many; and blocks of which all or none is so.
async fn unsafe_rounds(run: &mut Run) {
    let mut parts = Vec::new();
    for bits in [1, special::INF, special::NAN, 0x0080_0000 | SIGN] {
        for places in
            [&[0][..], &[4095], &[3 * 4096 + 2000], &[32_767], &[1, 5 * 4096], &[7 * 4096]]
        {
            for len in [32_768, 32_768 - 100] {
                let mut floats = words(len, 70, ordinary);
                let places = places.iter().filter(|&&place| place < len);
                places.for_each(|&place| floats[place] = bits);
                // In one block.
                parts.push((floats, Question::two_pass(SUM).policy(32, 2048)));
            }
        }
    }
    for element in [special::NAN, special::INF, 3, 0, power(240) | 0x007f_ffff] {
        // A block of them among others, and none among others.
        for others in [0, special::ONE, element] {
            let mut floats = vec![others; 16_384];
            floats[4096..8192].fill(element);
            parts.push((floats, Question::two_pass(SUM)));
        }
    }
    together(run, "ordinary floats, and few others", &parts).await;
    // More tiles than a block has a list for, of a few rounds each, and of many.
    for (len, rows, distance) in [(520 * 4096, 4096, 4096), (128 * 4096, 512, 256)] {
        // Among ordinary floats they would not show.
        let mut floats = vec![0; len];
        for (number, place) in (0..len).step_by(distance).enumerate() {
            floats[place + number % distance] = [1, 3, 0x0080_0000 | SIGN][number % 3];
        }
        let input = Input::new("zeros, and many subnormal", floats);
        let questions = [Question::two_pass(SUM).policy(rows, 2048)];
        run.ask(&input, &questions).await;
        run.ask(&input.cut(&[4096 + 8]), &questions).await;
    }
    // Of more rounds than a word has bits.
    let large_blocks = [Question::two_pass(SUM).policy(256, 2048)];
    for mut floats in [words(64 * 4096, 71, ordinary), vec![0; 64 * 4096]] {
        for (place, bits) in [(4096 + 5, 1), (33 * 4096 + 9, 4), (62 * 4096, 16)] {
            floats[place] = bits;
        }
        let input = Input::new("ordinary floats or zeros, few subnormal", floats);
        run.ask(&input, &large_blocks).await;
        // The second launch begins with a round, or within one that is safe.
        for cut in [5 * 4096, 2 * 4096 + 100] {
            run.ask(&input.clone().cut(&[cut]), &large_blocks).await;
        }
    }
    // Whose small parts are lost, or flushed, where they meet: between blocks, rounds, rows, and elements.
    for (number, distance) in [1, 2, 4, 1024, 2048, 4096, 8192].into_iter().enumerate() {
        let mut floats = vec![0; 16_384];
        (floats[0], floats[distance]) = (power(23), (power(23) + 1) | SIGN);
        let input = Input::new("a subnormal difference", floats);
        let large_block = Question::two_pass(SUM).policy(16, 2048);
        let questions = [
            in_one_mechanism(run, Question::two_pass(SUM), number),
            in_one_mechanism(run, large_block, number + 1),
        ];
        run.ask(&input, &questions).await;
        run.ask(&input.cut(&[distance]), &questions).await;
    }
}

/// Values with rules of their own, alone and among such as change nothing; beside each other, and in different workgroups.
async fn special_values(run: &mut Run) {
    // In the mechanisms that they are asked in anyway.
    for (lists, subject, neutral, mechanism) in [
        (special::EXTREMA, MIN, special::INF, Some(0)),
        (special::EXTREMA, MAX, special::INF | SIGN, Some(1)),
        (special::EXTREMA, COUNT, SIGN, Some(0)),
        (special::EXTREMA, MAX_ABS, SIGN, Some(1)),
        (special::FACTORS, PRODUCT, special::ONE, Some(0)),
        (special::ADDENDS, SUM, 0, None),
    ] {
        let two_pass = Question::two_pass(subject);
        let mut questions =
            vec![mechanism.map_or(two_pass, |number| in_one_mechanism(run, two_pass, number))];
        // Sums in any order have no bits that all devices have.
        let spec = subject.spec();
        if run.wants_everything() && spec.order_free && spec.ends_by_atomics() {
            questions.extend(by_atomics(subject));
        } else if [MIN, MAX].contains(&subject) {
            questions.push(an_atomic(run, subject, mechanism.unwrap_or(0)));
        }
        if run.wants_everything() {
            questions.push(Question::single_pass(subject));
        }
        for list in lists {
            let what = format!("{list:x?} among neutral elements");
            for (before, after) in [(0, 0), (5000, 0), (0, 5000), (4096, 4097)] {
                let floats = [&vec![neutral; before], *list, &vec![neutral; after]].concat();
                run.ask(&Input::new(what.clone(), floats), &questions).await;
            }
            let mut floats = vec![neutral; 9000.max(4099 * list.len())];
            for (i, &bits) in list.iter().enumerate() {
                floats[4099 * i] = bits;
            }
            run.ask(&Input::new(what, floats), &questions).await;
        }
    }
}

/// What sums come to: numbers of elements of few bits and of many, and sums that are special, subnormal, or next to a tie.
async fn statistics(run: &mut Run) {
    let [mean, norm, squares] = [MEAN, NORM, SUM_OF_SQUARES]
        .map(|subject| in_its_mechanism(run, Question::two_pass(subject)));
    let mut parts = Vec::new();
    let of_one = [
        0,
        SIGN,
        1,
        1 | SIGN,
        2,
        3,
        5 | SIGN,
        0x0000_0300,
        0x0040_0000,
        0x007f_ffff,
        0x0080_0000,
        0x00ff_ffff,
        special::ONE,
        special::ONE | SIGN,
        0x3f80_0001,
        0x3fff_ffff,
        0x7f7f_ffff,
        0xff7f_ffff,
        special::INF,
        special::INF | SIGN,
        special::NAN,
        0xffff_ffff,
    ];
    // The sum is one element, divided by lengths that are powers of two, next to them, and odd.
    for len in [0, 1, 2, 3, 4, 5, 6, 7, 11, 25, 63, 65, 127, 641, 1023, 1025] {
        for bits in of_one {
            let mut floats = vec![0; len];
            if let Some(last) = floats.last_mut() {
                *last = bits;
            }
            parts.push((floats, mean));
        }
        // Quotients without a pattern.
        for i in 0..8 {
            let mut floats = vec![0; len.max(1)];
            let bits = mix(i + 100 * u32::try_from(len).unwrap_or_default());
            floats[0] = bits & (SIGN | FRACTION) | power(100);
            parts.push((floats, mean));
        }
    }
    // Means that are subnormal: no others are halfway between two floats.
    for sum in (0..40).chain([0x007f_fffd, 0x007f_ffff, 0x0080_0001, 0x0100_0003]) {
        for len in [2, 4, 6, 12, 40] {
            let mut floats = vec![0; len];
            floats[0] = sum;
            parts.push((floats.clone(), mean));
            floats[0] |= SIGN;
            parts.push((floats, mean));
        }
    }
    together(run, "what few elements come to", &parts).await;
    parts.clear();
    // Roots of all sizes: of one square, and of two.
    for field in (52..192).step_by(3) {
        let bits = mix(field);
        let one = power(field) | bits & FRACTION;
        for other in [0, one, power(field) | mix(bits) & FRACTION] {
            parts.push((vec![one, other | SIGN], norm));
        }
    }
    for bits in of_one {
        parts.push((vec![bits], norm));
    }
    // Whose root is so little above halfway between two floats that 32 bits of it do not show it.
    for pair in [[35, 14], [93, 24], [101, 29], [106, 29], [125, 11], [139, 91], [161, 23]] {
        let floats = pair.map(|x: u16| f32::from(x).to_bits());
        parts.push((floats.to_vec(), norm));
    }
    together(run, "what few squares come to", &parts).await;
    let sums: Vec<_> = of_one.into_iter().map(|bits| (vec![bits, special::ONE], squares)).collect();
    together(run, "what few squares come to", &sums).await;
    // So many elements that their number has more bits than a significand.
    if run.wants_everything() {
        let input = Input::of("ordinary floats", (1 << 24) + 3, 80, ordinary);
        run.ask(&input, &[mean]).await;
        run.flush().await;
    }
    for len in [300, 20_001, 65_536] {
        let input = Input::of("ordinary floats", len, 81, ordinary);
        let questions = [mean, norm, squares.policy(16, 2048)];
        run.ask(&input, &questions).await;
        for subject in [MEAN, SUM_OF_SQUARES, NORM] {
            run.ask(&input, &[in_its_mechanism(run, single_pass_once(subject))]).await;
        }
    }
    let input = Input::of("ordinary floats", 30_000, 82, ordinary).cut(&[5000, 14_001]);
    run.ask(&input, &[norm, mean]).await;
}

/// Floats whose products a device may not be trusted with, from few binades each: [exponent fields of the left side, and of the right].
const PRODUCT_FIELDS: [[u32; 2]; 12] = [
    // The ends of what is safe, together and apart.
    [75, 75],
    [75, 170],
    [169, 170],
    [60, 90],
    // Products that are subnormal, or barely normal, or much less; and such as overflow, or barely not.
    [63, 63],
    [52, 53],
    [62, 40],
    [1, 126],
    [0, 148],
    [0, 0],
    [190, 190],
    [254, 127],
];

/// Products of every kind.
async fn products(run: &mut Run) {
    let [norm, squares] =
        [NORM, SUM_OF_SQUARES].map(|subject| in_its_mechanism(run, Question::two_pass(subject)));
    let around = |field: u32, bits: u32| {
        let field = (field + bits % 3).saturating_sub(1).min(254);
        (mix(bits) & (SIGN | FRACTION)) | power(field)
    };
    for (number, fields) in PRODUCT_FIELDS.into_iter().enumerate() {
        for len in [600, 20_001] {
            let [left, right] = fields.map(|field| -> Vec<u32> {
                let start = 1000 * field;
                (0..).take(len).map(|i| around(field, mix(start + i))).collect()
            });
            let input = Input::new(format!("floats of fields around {}", fields[0]), left);
            run.ask(&input, &[squares, norm]).await;
            let input = input.with(&format!("around {}", fields[1]), right);
            run.ask(&input, &[Question::two_pass(DOT)]).await;
            let input = input.cut(&[len / 3, len / 3 + 2]);
            run.ask(&input, &[in_one_mechanism(run, Question::two_pass(DOT), number)]).await;
        }
    }
    // All squares subnormal, or nearly so, or even the sums of them; and one that overflows among others that do not.
    let rare: [(&str, Make); 3] = [
        ("floats from 2^-71 to 2^-69", |bits| mix(bits) & (SIGN | FRACTION) | power(56 + bits % 2)),
        ("floats from 2^-64 to 2^-62", |bits| mix(bits) & (SIGN | FRACTION) | power(63 + bits % 2)),
        ("ordinary floats, few from 2^64 on", |bits| {
            let field = if bits.is_multiple_of(3000) { 191 } else { 150 };
            mix(bits) & (SIGN | FRACTION) | power(field)
        }),
    ];
    for (what, make) in rare {
        // In whole rounds, whose ends are not looked at one by one.
        let input = Input::of(what, 16_384, 83, make);
        run.ask(&input, &[squares]).await;
    }
    // Two factors each, in all lanes but one 0: ties of 25 bits and of more, significands that round up to 2.
    for i in 0..60 {
        let x = special::ONE | mix(2 * i) & 0x007f_fc00;
        let y = special::ONE | mix(2 * i + 1) & 0x007f_f800;
        // And where only a few bits of the product are kept.
        for [x_field, y_field] in [[0, 0], [66, 66], [66, 70]] {
            let [x, y] = [x - power(x_field), y - power(y_field)];
            let mut left = vec![0; 80];
            let mut right = vec![0; 80];
            (left[i as usize], right[i as usize]) = (x, y | SIGN);
            let input = Input::new(format!("{x:#x}, else 0"), left).with("another", right);
            run.ask(&input, &[in_one_mechanism(run, Question::two_pass(DOT), i as usize)]).await;
        }
    }
    for (index, (what, make)) in FLOATS.into_iter().enumerate() {
        let seed = 3000 + u32::try_from(index).unwrap_or_default();
        let input = Input::of(what, 20_001, seed, make);
        run.ask(&input, &[squares]).await;
        for distance in [0, 4] {
            let (other_what, other) = FLOATS[(index + distance) % FLOATS.len()];
            let pairs = input.clone().with(other_what, words(20_001, seed + 100, other));
            run.ask(&pairs, &[in_one_mechanism(run, Question::two_pass(DOT), index)]).await;
        }
    }
}

/// Variances: of few elements, of tiles that a device can't be trusted with, and where sequences begin and end.
async fn variances(run: &mut Run) {
    let [variance, sample] = [VARIANCE, SAMPLE_VARIANCE]
        .map(|subject| in_its_mechanism(run, Question::two_pass(subject)));
    let mut parts = Vec::new();
    // From 1000 on in steps of 2^-14: distances are tiny beside the mean.
    let clustered = |bits: u32| 0x447a_0000 + (mix(bits) >> 22);
    for len in (0..=40).chain([63, 64, 65, 127, 255, 256, 257]) {
        let start = 100 * u32::try_from(len).unwrap_or_default();
        let numbers = || (start..).take(len);
        parts.push((numbers().map(ordinary).collect(), variance));
        parts.push((numbers().map(clustered).collect(), variance));
        if len < 12 || len == 64 {
            parts.push((numbers().map(ordinary).collect(), sample));
            // Their squares are subnormal, or less than that; or they overflow.
            for field in [20, 52, 63, 75, 160, 188, 192, 253] {
                let near = |bits| mix(bits) & (SIGN | FRACTION) | power(field + mix(bits + 1) % 2);
                parts.push((numbers().map(near).collect(), variance));
            }
            parts.push((vec![0x3f8c_cccd; len], variance));
        }
    }
    let special = [SIGN, 1, 0x007f_ffff, 0x7f7f_ffff, 0xff7f_ffff, special::INF, special::NAN];
    for bits in special {
        for len in 1..=9 {
            for place in [0, len / 2, len - 1] {
                let mut floats = vec![special::ONE; len];
                floats[place] = bits;
                parts.push((floats.clone(), variance));
                floats[(place + 1) % len] = bits;
                parts.push((floats, variance));
            }
        }
    }
    together(run, "what few distances come to", &parts).await;
    // Negative by a rounding, which is made 0, and not.
    for i in 0..60 {
        let value = special::ONE | mix(i) & FRACTION;
        parts.push((vec![value; 3 + 2 * (i as usize % 20)], variance));
    }
    together(run, "equal elements", &parts).await;
    // Tiles in which all distances, some, or none can be left to the device; and whose elements can't.
    let kinds: [(&str, Make); 10] = [
        ("ordinary floats", ordinary),
        ("floats near 1000", clustered),
        ("floats of about 2^-33", |bits| mix(bits) & (SIGN | FRACTION) | power(94 + bits % 2)),
        ("floats of about 2^-45", |bits| mix(bits) & (SIGN | FRACTION) | power(82 + bits % 2)),
        ("floats of about 2^-61", |bits| mix(bits) & (SIGN | FRACTION) | power(65 + bits % 3)),
        ("floats of about 2^-70", |bits| mix(bits) & (SIGN | FRACTION) | power(57 + bits % 2)),
        ("floats of about 2^-125", |bits| mix(bits) & (SIGN | FRACTION) | power(bits % 3)),
        ("floats of about 2^105", |bits| mix(bits) & (SIGN | FRACTION) | power(231 + bits % 3)),
        ("floats of about 2^62", |bits| mix(bits) & (SIGN | FRACTION) | power(188 + bits % 3)),
        ("zeros, few near 2^-63", |bits| {
            if bits.is_multiple_of(700) { mix(bits) & FRACTION | power(64) } else { 0 }
        }),
    ];
    for (number, (what, make)) in kinds.into_iter().enumerate() {
        let input = Input::of(what, 20_480 + number % 2 * 13, 84, make);
        run.ask(&input, &[variance.policy(16, 2048)]).await;
        // Of several blocks, whose totals are all there is.
        run.ask(&Input::of(what, 32_768, 89, make), &[variance.policy(4, 2048)]).await;
    }
    // Tiles of equal elements, whose totals a device can't be trusted with: their distances are too small, their sums subnormal or
    // infinite. In one block and in several.
    let [tiny, next, huge] = [power(53), power(54), power(127 + 119)];
    for [even, odd] in [[tiny, next], [1, 3], [huge, huge], [huge, huge | SIGN]] {
        let floats = (0..32_768).map(|i| if i / 4096 % 2 == 0 { even } else { odd }).collect();
        let input = Input::new(format!("{even:#x} and {odd:#x} in turn"), floats);
        run.ask(&input, &[variance.policy(4, 2048), variance.policy(16, 2048)]).await;
    }
    for (index, (what, make)) in FLOATS.into_iter().enumerate() {
        let seed = 5000 + u32::try_from(index).unwrap_or_default();
        run.ask(&Input::of(what, 9_001, seed, make), &[variance]).await;
    }
    for len in [300, 1024, 4096, 8192, 65_536, 100_003] {
        let input = Input::of("ordinary floats", len, 85, ordinary);
        let single_pass = in_its_mechanism(run, single_pass_once(VARIANCE));
        run.ask(&input, &[variance, single_pass]).await;
    }
    let outliers = [1, 0x7f7f_ffff, special::INF | SIGN, special::NAN];
    for (bits, place) in outliers.into_iter().zip([0, 4095, 9001, 16_383]) {
        let mut input = Input::of("ordinary floats, and an outlier", 16_384, 86, ordinary);
        input.left[place] = bits;
        run.ask(&input, &[variance.policy(16, 2048)]).await;
    }
    for cuts in [[1, 2], [2, 5], [3, 4], [5, 11]] {
        let input = Input::of("ordinary floats", 13, 87, ordinary).cut(&cuts);
        run.ask(&input, &[variance]).await;
    }
    for cuts in [[1, 4097], [5000, 14_001], [4096, 12_288], [7000, 16_384]] {
        let input = Input::of("ordinary floats", 30_000, 88, ordinary).cut(&cuts);
        run.ask(&input, &[variance]).await;
    }
}

/// Pairs: where they lie, how many there are, and one of them that a device can't be trusted with.
async fn pairs(run: &mut Run) {
    let of = |len: usize, seed: u32| {
        let input = Input::of("ordinary floats", len, seed, ordinary);
        input.with("others", words(len, seed + 1, ordinary))
    };
    for len in [0, 1, 3, 300, 4096, 4097, 20_001, 65_536] {
        run.ask(&of(len, 90), &[Question::two_pass(DOT), Question::as_usual(DOT)]).await;
        run.ask(&of(len, 90), &[in_one_mechanism(run, single_pass_once(DOT), len)]).await;
    }
    run.ask(&of(1_100_001, 92), &[Question::single_pass(DOT)]).await;
    run.ask(&of(100_003, 93), &[Question::two_pass(DOT).policy(16, 2048)]).await;
    for offset in 0..4 {
        let pairs = of(12_289, 94).at(offset).followed_by(offset % 2 * 7);
        run.ask(&pairs, &[in_one_mechanism(run, Question::two_pass(DOT), offset)]).await;
        let pairs = of(30_001, 95).at(offset).cut(&[5000, 5000, 20_001]);
        run.ask(&pairs, &[in_one_mechanism(run, Question::two_pass(DOT), offset + 1)]).await;
    }
    for first in 0..5 {
        let pairs = of(13, 96).cut(&[first, first + 3]);
        run.ask(&pairs, &[in_one_mechanism(run, Question::two_pass(DOT), first)]).await;
    }
    let outliers = [1, 0x7f7f_ffff, special::INF | SIGN, special::NAN, 0, SIGN];
    for (number, bits) in outliers.into_iter().enumerate() {
        for (turn, place) in [0, 4095, 9001, 16_383].into_iter().enumerate() {
            for len in [16_384, 16_390] {
                let mut pairs = of(len, 97);
                pairs.what = format!("ordinary floats, but {bits:#x} at {place}");
                let side = if turn % 2 == 0 { &mut pairs.left } else { &mut pairs.right };
                side[place] = bits;
                let large_blocks = Question::two_pass(DOT).policy(16, 2048);
                run.ask(&pairs, &[in_one_mechanism(run, large_blocks, number + turn)]).await;
                let squares = Question::two_pass(SUM_OF_SQUARES).policy(16, 2048);
                run.ask(&pairs, &[in_its_mechanism(run, squares)]).await;
            }
        }
    }
}

/// Infinities and NaNs that meet, places in a buffer, and more workgroups than an accumulator has copies.
async fn exact_results(run: &mut Run) {
    let exactly = |subjects: &[Subject]| -> Vec<Question> {
        subjects.iter().map(|&subject| Question::exact(subject)).collect()
    };
    for len in [0, 1] {
        let input = Input::new("ones", vec![special::ONE; len]);
        run.ask(&input, &exactly(&[SUM])).await;
        run.ask(&input, &exactly(&STATISTICS)).await;
        let pairs = input.clone().with("themselves", input.left.clone());
        run.ask(&pairs, &exactly(&[DOT])).await;
    }
    let (inf, nan, one) = (special::INF, special::NAN, special::ONE);
    let negative = inf | SIGN;
    for [first, second] in [
        [inf, inf],
        [inf, negative],
        [negative, negative],
        [negative, one],
        [nan, inf],
        [negative, nan],
    ] {
        for distance in [1, 1024, 20_000] {
            let mut floats = vec![one; 30_000];
            floats[7] = first;
            floats[7 + distance] = second;
            let ones = vec![one; floats.len()];
            let input = Input::new(format!("ones, {first:#x} and {second:#x}"), floats);
            run.ask(&input, &exactly(&[SUM, MEAN, SUM_OF_SQUARES, NORM, VARIANCE])).await;
            run.ask(&input, &exactly(&[NAN_VARIANCE, NAN_SAMPLE_VARIANCE])).await;
            let accumulators = [SUM, SUM_OF_SQUARES, VARIANCE, NAN_VARIANCE];
            run.ask(&input, &accumulators.map(Question::accumulator)).await;
            run.ask(&input.with("ones", ones), &[Question::accumulator(DOT)]).await;
        }
    }
    // Each kind of element beside each, alone among products of zeros.
    let kinds = [0, 1, one, 0x7f7f_ffff, inf, 0x7f80_0001, nan];
    let kinds = kinds.into_iter().flat_map(|bits| [bits, bits | SIGN]);
    for (x, y) in kinds.clone().flat_map(|x| kinds.clone().map(move |y| (x, y))) {
        let (mut left, mut right) = (vec![0; 1000], vec![SIGN; 1000]);
        let place = if (x ^ y) & 1 == 0 { 0 } else { 700 };
        (left[place], right[place]) = (x, y);
        let pairs =
            Input::new(format!("zeros, but {x:#x} and {y:#x}"), left).with("signed zeros", right);
        run.ask(&pairs, &[Question::exact(DOT), Question::accumulator(DOT)]).await;
        run.ask(&pairs, &[in_one_mechanism(run, Question::two_pass(DOT), place)]).await;
    }
    let finite: Make = |bits| bits & 0xbfff_ffff;
    for offset in 0..5 {
        for len in [4096, 8192, 12_289] {
            // To the end of their buffer, or not.
            for rest in [0, 7] {
                let input = Input::of("finite floats", len, 30, finite);
                let input = input.at(offset).followed_by(rest);
                run.ask(&input, &[Question::exact(SUM), Question::accumulator(SUM)]).await;
            }
        }
    }
    // Different flags in one copy, and in different ones; and nothing is left of them for what comes next.
    let many = Question::accumulator(SUM).policy(4, 40);
    for workgroup in [16, 17] {
        let mut floats = words(150_000, 31, finite);
        floats[5] = inf;
        floats[workgroup * 4096] = negative;
        run.ask(&Input::new("finite floats, two infinities", floats), &[many]).await;
        let mut input = Input::of("finite floats", 150_000, 31, finite);
        run.ask(&input, &[many, Question::accumulator(VARIANCE).policy(4, 40)]).await;
        // NaNs in every copy, in whole vectors and alone, and numbers below 0, whose sum has a sign.
        let or_nan = |(number, bits): (u32, &u32)| match mix(number) % 3 {
            0 => special::NAN | bits,
            _ => bits | SIGN,
        };
        let floats = (0..).zip(&input.left).map(or_nan).collect();
        let with_nans = Input::new("NaNs, and numbers below 0", floats);
        run.ask(&with_nans, &[Question::accumulator(NAN_VARIANCE).policy(4, 40)]).await;
        run.ask(&with_nans, &exactly(&[NAN_VARIANCE, NAN_SAMPLE_VARIANCE])).await;
        input.right = words(150_000, 32, finite);
        run.ask(&input, &[Question::accumulator(DOT).policy(4, 40)]).await;
    }
}

/// All elements in one workgroup.
const fn in_one_workgroup(question: Question) -> Question {
    question.policy(2048, 1)
}

/// Sums in a window: its edges, elements that leave it, more of them than it takes; cells that overflow.
async fn exact_windows(run: &mut Run) {
    // Each exponent beside each other: those that windows begin and end with, and all others.
    for top in (1..255u32).step_by(3) {
        for distance in [0, 1, 2, 16, 17, 18, 19, 20, 21, 41, 42, 43, 44] {
            let bottom = top.saturating_sub(distance);
            let floats: Vec<u32> = (0..600)
                .map(|i| {
                    let bits = mix(i + 1000 * top);
                    let exponent = if i % 7 == 3 { top } else { bottom };
                    // With all bits, with few, and with none.
                    let fraction = [FRACTION, bits & FRACTION, 1, 0][i as usize % 4];
                    (bits & SIGN) | power(exponent) | fraction
                })
                .collect();
            let input = Input::new(format!("fields {top} and {bottom}"), floats);
            run.ask(&input, &[Question::exact(SUM), Question::accumulator(SUM)]).await;
        }
    }
    // A lane's window is full of what is larger than the first elements: of the largest that it holds, or of too large ones.
    for binades in 0..6 {
        for sign in [0, SIGN] {
            let mut floats = vec![special::ONE; 4096];
            floats.resize(1 << 18, power(127 + binades) | FRACTION | sign);
            // Zeros are in every window.
            floats[8192..16_384].fill(0);
            let input = Input::new(format!("ones, then floats of {binades} binades above"), floats);
            run.ask(&input, &[in_one_workgroup(Question::accumulator(SUM))]).await;
        }
    }
    // So many for a lane that sums of parts are moved to the cells, and these overflow. 1 + 2^-19 is split into 1 and the
    // largest lower part that there is.
    for bits in [0x3f80_0010, 0x7f7f_ffff, 1] {
        for sign in [0, SIGN] {
            let input = Input::new(format!("{bits:#x}"), vec![bits | sign; (1 << 21) - 3]);
            run.ask(&input, &[in_one_workgroup(Question::accumulator(SUM))]).await;
        }
    }
    let input = Input::new("the largest floats", vec![0xff7f_ffff; 1 << 20]);
    let questions = [SUM_OF_SQUARES, VARIANCE].map(Question::accumulator).map(in_one_workgroup);
    run.ask(&input, &questions).await;
    run.ask(&input, &[Question::exact(VARIANCE)]).await;

    // A cell of 64 bits overflows, twice: by elements of the first lane, with the highest shift in the cell and all bits.
    const ELEMENTS: usize = 1100;
    for sign in [0, SIGN] {
        let mut floats = vec![0; ELEMENTS.div_ceil(4) * 1024];
        for i in 0..ELEMENTS {
            floats[i / 4 * 1024 + i % 4] = power(95) | FRACTION | sign;
        }
        let input = Input::new("floats of one lane", floats);
        run.ask(&input, &[in_one_workgroup(Question::accumulator(SUM))]).await;
    }
    // By a subnormal, in units of 2^-150: 512 (2^24 - 1) 2^31 and (2^24 - 1) 2^16 are 2^64 - 2^16.
    let mut floats = vec![0; 130 * 1024];
    for vector in floats.chunks_mut(1024).take(128) {
        vector[..4].fill(power(31) | FRACTION);
    }
    floats[128 * 1024] = power(16) | FRACTION;
    floats[129 * 1024] = 0x8000;
    let input = Input::new("small floats, and a subnormal one", floats);
    run.ask(&input, &[in_one_workgroup(Question::accumulator(SUM))]).await;
}

/// The exponent field of element number i, of random bits.
type Field = fn(u32, u32) -> u32;

const FIELDS: [(&str, Field); 12] =
    [
        ("floats of a binade", |_, _| 127),
        ("floats of 16 binades", |_, bits| 113 + bits % 16),
        ("floats of 17 binades", |_, bits| 112 + bits % 17),
        ("floats of few binades, some much smaller", |_, bits| {
            if bits.is_multiple_of(61) { 30 } else { 126 }
        }),
        ("floats of few binades, some much larger", |_, bits| {
            if bits.is_multiple_of(61) { 200 } else { 126 }
        }),
        ("floats of 80 binades", |_, bits| 87 + bits % 80),
        ("floats that grow", |i, _| 60 + i / 300),
        ("floats that shrink", |i, _| 200 - i / 300),
        ("floats that jump up and down", |i, bits| {
            bits % 4 + if (i / 5000).is_multiple_of(2) { 100 } else { 140 }
        }),
        ("floats among the largest", |_, bits| 236 + bits % 19),
        ("floats among the smallest", |_, bits| bits % 17),
        ("floats that are 0, or not", |_, bits| bits % 2 * 120),
    ];

/// Sums of products in windows: elements that are in one, leave it, and come back; and where a lane's sums are full.
async fn exact_products(run: &mut Run) {
    let squares = in_one_workgroup(Question::accumulator(SUM_OF_SQUARES));
    let dot = in_one_workgroup(Question::accumulator(DOT));
    let floats = |field: Field, seed: u32, signs: u32| -> Vec<u32> {
        let element = |i: u32| {
            let bits = mix(seed + i);
            let field = field(i, mix(bits));
            (bits & signs) | power(field) | if field == 0 { 0 } else { bits & FRACTION }
        };
        (0..40_000).map(element).collect()
    };
    for (index, (what, field)) in FIELDS.into_iter().enumerate() {
        for signs in [0, SIGN] {
            let mut input = Input::new(what, floats(field, 1, signs));
            run.ask(&input, &[squares]).await;
            // The other side has elements of the same kind, and of another.
            for (_, field) in [FIELDS[index], FIELDS[(index + 5) % FIELDS.len()]] {
                input.right = floats(field, 100_000, signs);
                run.ask(&input, &[dot]).await;
                input.right.iter_mut().for_each(|bits| *bits |= SIGN);
                run.ask(&input, &[dot]).await;
            }
        }
    }
    // All bits, in each place of a window that begins 14 binades below the first elements.
    for field in 113..=128 {
        let mut floats = vec![0x3fc0_0000; 4096];
        floats.resize(9 * 4096, power(field) | FRACTION);
        let negative = floats.iter().map(|bits| bits | SIGN).collect();
        let input = Input::new(format!("all bits in binade {field}"), floats);
        run.ask(&input, &[squares]).await;
        run.ask(&input.with("their negatives", negative), &[dot]).await;
    }
    // Of which the largest sums of digits are made, so many that a lane moves them.
    let mut floats = vec![0x3fc0_0000; 4096];
    floats.resize((1 << 24) + 8192, power(116) | FRACTION);
    let negative = floats.iter().map(|bits| bits | SIGN).collect();
    let input = Input::new("full sums", floats);
    run.ask(&input, &[squares]).await;
    run.ask(&input.with("their negatives", negative), &[dot]).await;
    run.flush().await;
    let mut pairs = Input::of("ordinary floats", 30_001, 40, ordinary);
    pairs.right = words(30_001, 41, ordinary);
    for offset in 0..4 {
        let pairs = pairs.clone().at(offset).followed_by(offset % 2 * 7);
        let pairs = pairs.cut(&[5000, 5000, 20_001]);
        run.ask(&pairs, &[Question::exact(DOT), Question::accumulator(DOT)]).await;
    }
}

/// Halfway between two floats, but for something far below, which is never lost.
async fn exact_ties(run: &mut Run) {
    let float = |value: f32| value.to_bits();
    let sums = [SUM, MEAN].map(Question::exact);
    for top in [60u32, 150, 240] {
        for distance in (1..=top - 25).step_by(7) {
            for last_bit in [0, power(top - 23)] {
                let rest = power(top - 24 - distance);
                for rest in [rest, rest | SIGN, 0] {
                    let floats = vec![power(top), last_bit, power(top - 24), rest];
                    run.ask(&Input::new("a tie", floats), &sums).await;
                }
            }
        }
    }
    // Of so few bits that there is but one limb.
    for top in 2..10 {
        for last_bit in [0, 1 << (top - 1)] {
            let floats = vec![power(top), last_bit, 1 << (top - 2)];
            run.ask(&Input::new("a tie of few bits", floats), &sums[..1]).await;
        }
    }
    // Sums of squares next to halves of the smallest float: 2^-150 is one.
    let squares = [SUM_OF_SQUARES, NORM, VARIANCE].map(Question::exact);
    let tiny: [&[u32]; 8] = [
        &[52],
        &[52, 40],
        &[52, 10],
        &[52, 52, 52],
        &[52, 52, 52, 9],
        &[51],
        &[51, 51],
        &[51, 51, 51],
    ];
    for fields in tiny {
        let floats = fields.iter().map(|&field| power(field)).collect();
        run.ask(&Input::new("tiny squares", floats), &squares).await;
    }
    // Roots halfway between two floats: (3 m)^2 + (4 m)^2 = (5 m)^2, where 5 m is an odd number of 25 bits.
    for i in 0..12 {
        let odd = (mix(i) >> 16) as f32 * 32.0 + 3_355_445.0;
        let scale = f32::from_bits(power(30 + 13 * i));
        let near = (4..13).map(|bits| scale * f32::from_bits(power(127 - bits)));
        for decides in near.chain([0.0, f32::from_bits(1)]) {
            let floats = [3.0 * odd * scale, 4.0 * odd * scale, decides, decides].map(float);
            run.ask(&Input::new("a root's tie", floats.to_vec()), &squares[1..2]).await;
        }
    }
    // Means q + 1/6, q and q - 1/6, where q, of 32 bits, is halfway between two floats.
    for i in 0..20 {
        let upper = f32::from_bits(0x4b00_0000 | mix(i) >> 9) * 512.0;
        let scale = f32::from_bits(power(60 + i));
        for sixth in [1.0, 0.0, -1.0] {
            let floats = [upper, upper, upper, 768.0, sixth, 0.0].map(|x: f32| float(x * scale));
            run.ask(&Input::new("a mean's tie", floats.to_vec()), &sums[1..]).await;
        }
    }
    // Roots and means next to ties.
    let questions = [NORM, MEAN, VARIANCE, SAMPLE_VARIANCE].map(Question::exact);
    for i in 0..100 {
        let near = f32::from_bits(special::ONE + (mix(i) & 0xffff));
        let half_an_ulp = f32::from_bits(0x3380_0000);
        let root = (2.0 * near * half_an_ulp).sqrt();
        for floats in
            [[near, half_an_ulp, root], [near, near, half_an_ulp], [near, f32::from_bits(1), -near]]
        {
            run.ask(&Input::new("next to a tie", floats.map(float).to_vec()), &questions).await;
        }
    }
}

/// So many elements that blocks are larger, one of them with an outlier in a round that is neither its first nor its last; so
/// many workgroups that an accumulator's digits overflow.
async fn long_inputs(run: &mut Run) {
    if run.wants_everything() {
        let input = Input::of("ordinary floats", 1100 * 4096, 50, ordinary);
        for subject in combining(ElementType::F32) {
            let questions = [Question::two_pass(subject), Question::single_pass(subject)];
            run.ask(&input, &questions).await;
        }
        run.flush().await;
    }
    let mut floats = vec![special::ONE; (1 << 24) + 1];
    floats[4096 + 7] = special::INF | SIGN;
    let input = Input::new("ones, and an infinity", floats);
    run.ask(&input, &[Question::two_pass(SUM), Question::single_pass(SUM).times(1)]).await;
    run.flush().await;
    // At the lowest shift of its cell, with all bits of two digits; one of them in each set of cells.
    for sign in [0, SIGN] {
        let mut floats = vec![0; 2100 * 4096];
        for block in floats.chunks_mut(4096) {
            for lane in 0..32 {
                block[4 * lane] = power(64) | FRACTION | sign;
            }
        }
        let input = Input::new("digits of all bits", floats);
        run.ask(&input, &[Question::accumulator(SUM).policy(4, 2048)]).await;
        run.flush().await;
    }
}

/// Elements of two words, from any word of a buffer on: every operator once, and the sum in every kernel.
async fn two_words(run: &mut Run) {
    let subjects = [ElementType::I64, ElementType::U64].into_iter().flat_map(combining);
    let is_asked = |subject: &Subject| run.wants_everything() || !is_of_a_group(subject.operator);
    let subjects: Vec<_> = subjects.filter(is_asked).collect();
    for (number, subject) in subjects.into_iter().enumerate() {
        let input = integers_for(subject.operator, 40_003).at(number % 4);
        let mut questions = vec![in_one_mechanism(run, a_way(run, subject, number / 2), number)];
        if run.wants_everything() {
            questions = in_any_order(subject);
        } else if subject == U64_SUM {
            let single_pass = Question::single_pass(subject).in_mechanism(1);
            questions = vec![Question::two_pass(subject), single_pass];
        }
        run.ask(&input, &questions).await;
    }
    let ends = Input::of("odd integers", 600, 61, odd).at(1);
    run.ask(&ends, &[Question::two_pass(U64_SUM)]).await;
    let input = Input::of("odd integers", 40_003, 62, odd).at(1);
    let several = Question::two_pass(U64_SUM).within(Restriction::SmallBindings);
    run.ask(&input, &[several.in_mechanism(0)]).await;
    // From each word on: these have a pipeline for each. Of several blocks and of one.
    for (first, mechanism) in [(0, 0), (1, 0), (2, 1), (3, 1), (1, 1)] {
        let sum = in_one_mechanism(run, Question::two_pass(U64_SUM), mechanism);
        let parts = [(sum, first..first + 20_000), (sum, first..first + 116)];
        run.ask_in_a_batch(&input, &parts).await;
        let short = Input::of("odd integers", 600, 63, odd).at(first);
        run.ask(&short, &[in_one_mechanism(run, Question::two_pass(U64_SUM), 1)]).await;
    }
    run.ask(&input.cut(&[100, 8192]), &[Question::two_pass(U64_SUM).in_mechanism(1)]).await;
}

/// Two halves of a word each, as f16s or bf16s of both signs, neither infinite nor NaN, and a few that are subnormal.
fn halves(bits: u32) -> u32 {
    if bits.is_multiple_of(100) { bits & !0x7f80_7f80 } else { bits & 0x8fff_8fff | 0x3000_3000 }
}

/// Elements of less than a word, from a word on and from within one on: a few operators of each type, as what is done with elements once
/// they are loaded is the same as with those of a word.
async fn narrow(run: &mut Run) {
    let floats = Input::of("halves of floats", 20_001, 71, halves);
    let bytes = Input::of("any bytes", 20_001, 72, |bits| bits);
    let flags = Input::of("bytes, most of them 0", 9_001, 73, |bits| bits & mix(bits) & mix(!bits));
    let subjects = [
        (U8_SUM, &bytes),
        (I8_MIN, &bytes),
        (BOOL_COUNT, &flags),
        (I16_MAX, &bytes),
        (U16_SUM_WIDE, &bytes),
        (F16_SUM, &floats),
        (BF16_SUM, &floats),
        (F16_MAX, &floats),
        (BF16_NORM, &floats),
    ];
    for (number, (subject, input)) in subjects.into_iter().enumerate() {
        // Of both alignments, in either mechanism.
        let turns = if [U8_SUM, F16_SUM].contains(&subject) {
            0..4
        } else {
            1 - number % 2..2 - number % 2
        };
        for turn in turns {
            let question = in_one_mechanism(run, Question::two_pass(subject), number + turn % 2);
            run.ask(&input.clone().skipping(turn), &[question]).await;
        }
    }
    let pairs = floats.clone().with("other halves of floats", words(20_001, 74, halves));
    let in_order = in_one_mechanism(run, Question::two_pass(F16_DOT), 0);
    for skipped in [0, 1] {
        let questions = [in_order, Question::exact(BF16_DOT)];
        run.ask(&pairs.clone().skipping(skipped), &questions).await;
    }
    run.ask(&floats.clone().skipping(3), &[Question::exact(F16_SUM)]).await;
    let cut = bytes.skipping(3).cut(&[100, 8192]);
    run.ask(&cut, &[in_one_mechanism(run, Question::two_pass(U8_SUM), 0)]).await;
    // Each kernel from within a vector on.
    let [workgroups, subgroups] = by_atomics(U8_SUM);
    let others = [single_pass_once(U8_SUM), workgroups, subgroups];
    let inside = Input::of("any bytes", 20_001, 75, |bits| bits).skipping(5);
    run.ask(&inside, &others.map(|way| way.in_mechanism(0))).await;
    let whole = Input::of("halves of floats", 4097, 76, halves).skipping(2).followed_by(8);
    run.ask(&whole, &[Question::exact(F16_SUM)]).await;
    strided(run).await;
    components(run).await;
    masks(run).await;
    if run.wants_everything() {
        for element in ElementType::ALL.into_iter().filter(|element| element.size_bytes() < 4) {
            for subject in combining(element) {
                for skipped in 0..4 {
                    let questions = [Question::two_pass(subject), Question::as_usual(subject)];
                    run.ask(&floats.clone().skipping(skipped), &questions).await;
                }
            }
        }
    }
}

/// Elements of several components, from any word on: each type once, as what is done with components is done with scalars elsewhere.
async fn components(run: &mut Run) {
    let floats = Input::of("ordinary floats", 30_001, 91, ordinary);
    let any = Input::of("random bits", 30_001, 92, |bits| bits);
    // A few are subnormal.
    let tiny = Input::of("small floats", 30_001, 93, |bits| bits & 0x83ff_ffff);
    let subjects = [
        (F32X2_SUM, &floats),
        (F32X3_SUM, &floats),
        (F32X4_MEAN, &floats),
        (F32X3_SUM, &tiny),
        (F32X2_BOUNDS, &floats),
        (F32X3_BOUNDS, &tiny),
        (F32X3_BOUNDS, &any),
        (F32X4_BOUNDS, &floats),
        // NaNs decide these two, and numbers decide the same ones below.
        (F32X3_MIN, &any),
        (F32X4_MAX, &any),
        (I32X2_MAX, &any),
        (I32X3_MIN, &any),
        (I32X4_SUM, &any),
        (U32X2_SUM, &any),
        (U32X3_MAX, &any),
        (U32X4_MIN, &any),
        (F32X3_MIN, &floats),
        (F32X4_MAX, &floats),
    ];
    for (number, (subject, input)) in subjects.into_iter().enumerate() {
        let question = in_one_mechanism(run, Question::two_pass(subject), number);
        run.ask(&input.clone().at(number % 4), &[question]).await;
    }
    // In a block that is the only one: what blocks come to is folded elsewhere. Many are 0, or the least integer.
    let some = |bits: u32| if bits.is_multiple_of(3) { bits & SIGN } else { bits };
    let some = Input::of("any bits, or one", 30_001, 96, some);
    for (number, subject) in OF_COMPONENTS.into_iter().enumerate() {
        let question = Question::two_pass(subject).policy(16, 2048);
        let input = if subject.operator == OperatorType::Product { &floats } else { &some };
        run.ask(&input.clone().at(number % 4), &[in_one_mechanism(run, question, number)]).await;
    }
    // Positions of vertices.
    let floats = Input::of("ordinary floats", 12 * 2000, 94, ordinary);
    for (words, subject) in [(2, F32X2_SUM), (3, F32X3_SUM), (4, F32X4_MEAN)] {
        let question = in_one_mechanism(run, Question::two_pass(subject), words);
        run.ask(&floats.clone().with_gaps_behind(words, 5).at(1), &[question]).await;
    }
}

/// Bits of words, of which the first and the last have others, too: those are what would be noticed.
async fn masks(run: &mut Run) {
    let [before, behind] = BITS_AROUND_MASK;
    for (number, len) in [1, 9, 20_001, 20_001].into_iter().enumerate() {
        let mut ones = vec![u32::MAX; len];
        ones[0] &= u32::MAX << before;
        ones[len - 1] &= u32::MAX >> behind;
        let zeros: Vec<u32> = ones.iter().map(|word| !word).collect();
        let mut all_but_one = ones.clone();
        all_but_one[len / 2] ^= 1 << 7;
        let any = Input::of("any bits", len, 95, |bits| bits);
        let questions = [
            (MASK_COUNT, any),
            (MASK_MIN, Input::new("ones among zeros", ones)),
            (MASK_MIN, Input::new("ones among zeros, but one", all_but_one)),
            (MASK_MAX, Input::new("zeros among ones", zeros)),
        ];
        for (subject, input) in questions {
            let question = in_one_mechanism(run, Question::two_pass(subject), number);
            run.ask(&input.at(number % 3), &[question]).await;
        }
    }
}

/// Elements that do not follow one another, in every kernel that loads them.
async fn strided(run: &mut Run) {
    for (number, len) in [300, 20_001].into_iter().enumerate() {
        let floats = Input::of("ordinary floats", len, 81, ordinary).with_gaps(2).at(1);
        let ways = [
            Question::two_pass(SUM).in_mechanism(number),
            single_pass_once(SUM).in_mechanism(1),
            Question::exact(SUM),
        ];
        run.ask(&floats, &ways).await;
        let integers = Input::of("odd integers", len, 82, odd).with_gaps(1);
        run.ask(&integers, &by_atomics(U32_SUM).map(|way| way.in_mechanism(1))).await;
    }
    let whole = Input::of("ordinary floats", 8192, 83, ordinary).with_gaps(3);
    run.ask(&whole, &[Question::exact(SUM)]).await;
    for (number, len) in [300, 20_004].into_iter().enumerate() {
        let bytes = Input::of("any bytes", len, 86, |bits| bits).with_gaps(1).at(1);
        let [workgroups, subgroups] = by_atomics(U8_SUM);
        let ways = [
            Question::two_pass(U8_SUM).in_mechanism(number),
            single_pass_once(U8_SUM).in_mechanism(1),
            workgroups.in_mechanism(1),
            subgroups.in_mechanism(1),
        ];
        run.ask(&bytes, &ways).await;
    }
    for len in [300, 8192] {
        let halves = Input::of("halves of floats", len, 87, halves).with_gaps(1);
        run.ask(&halves, &[Question::exact(F16_SUM)]).await;
    }
    for (number, len) in [300, 20_001].into_iter().enumerate() {
        let floats = Input::of("ordinary floats", len, 84, ordinary).with_gaps(2).at(1);
        let pairs = floats.with("others", words(len, 85, ordinary));
        let ways = [
            Question::two_pass(DOT).in_mechanism(number),
            single_pass_once(DOT).in_mechanism(1),
            Question::exact(DOT),
        ];
        run.ask(&pairs, &ways).await;
    }
}
