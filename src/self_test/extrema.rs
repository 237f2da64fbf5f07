//! What is asked of both extrema at once, of where they are, of what is counted, and of sums of magnitudes: each file of shaders once, as
//! one operator or another that shares it, and places wherever elements lie.

use super::{
    battery::{is_of_a_group, together},
    input::Input,
    material::{FRACTION, Make, SIGN, ordinary, power, small_integers, special, words},
    questions::{Question, Restriction, Subject},
    run::Run,
    subjects::{combining, subject},
};
use crate::algebra::{element::ElementType, operator_type::OperatorType, options::NanRule};

const ARG_MAX: Subject = subject::<f32>(OperatorType::ArgMax);
const U32_ARG_MIN_LAST: Subject = subject::<u32>(OperatorType::ArgMin.last());
const U8_ARG_MAX: Subject = subject::<u8>(OperatorType::ArgMax);
const MOMENTS: Subject = subject::<f32>(OperatorType::Moments);
const COUNT: Subject = subject::<f32>(OperatorType::Count);

/// Asks it all.
pub(super) async fn run(run: &mut Run) {
    let elements = ElementType::ALL.into_iter().filter(|element| element.size_bytes() >= 4);
    for (turn, element) in elements.enumerate() {
        every_operator(run, element, turn).await;
    }
    every_kernel(run).await;
}

/// Of an element type: all, if everything is wanted.
fn subjects(element: ElementType, wants_everything: bool) -> impl Iterator<Item = Subject> {
    let few: Vec<OperatorType> = match element {
        ElementType::F32 => vec![
            OperatorType::ArgMax,
            OperatorType::ArgMin.nan(NanRule::Ignore),
            OperatorType::Min.nan(NanRule::Total),
            OperatorType::CountNan,
            OperatorType::Any,
            OperatorType::All,
            OperatorType::L1Norm,
            OperatorType::Sum.nan(NanRule::Ignore),
            OperatorType::Mean.nan(NanRule::Ignore),
            OperatorType::Moments,
            OperatorType::BriefMoments,
        ],
        ElementType::F64 => vec![
            OperatorType::Max.nan(NanRule::Total),
            OperatorType::MinMax,
            OperatorType::Mean.nan(NanRule::Ignore),
            OperatorType::Moments,
            OperatorType::BriefMoments,
        ],
        ElementType::U32 => vec![OperatorType::ArgMin.last()],
        ElementType::I64 => vec![OperatorType::ArgMinMax.last()],
        ElementType::U64 => vec![OperatorType::ArgMax],
        _ => vec![OperatorType::MinMax],
    };
    combining(element).into_iter().filter(move |Subject { operator, .. }| match wants_everything {
        true => is_of_a_group(*operator),
        false => few.contains(operator),
    })
}

/// Asks about lists with ties, with one sign only, with NaNs, of few elements, of several runs, of fewer than a round, and with none or two
/// that are 0, or are not. Operators and mechanisms take turns.
async fn every_operator(run: &mut Run, element: ElementType, turn: usize) {
    let makes: [Make; 2] = match element {
        ElementType::F32 => [small_integers, |bits| ordinary(bits) | SIGN],
        _ => [|bits| (bits % 3).wrapping_sub(1), |bits| bits | SIGN],
    };
    // With the seed 120 two words are such. With the seed 99 two are among 8192, and none among 4096.
    let few: Make = |bits| u32::from(bits.is_multiple_of(2000));
    let all_but_few: Make = |bits| if bits.is_multiple_of(2000) { 0 } else { bits | 1 };
    // A round, and a block.
    let round = 1024 * usize::try_from(element.size_bytes()).expect("a few");
    let mut lists = vec![
        words(round, 91, makes[0]),
        words(300, 92, makes[1]),
        words(300, 93, positive),
        words(18, 94, makes[0]),
        words(round, 99, few),
        words(round, 99, all_but_few),
        words(round, 120, few),
        words(round, 120, all_but_few),
        // A power of two, less than a round: the identity stands in for elements that are missing, if it is neutral.
        words(512, 100, ordinary),
        // Three runs. The last one has the best elements.
        [words(12, 101, ordinary), vec![power(140) | SIGN, power(140)]].concat(),
    ];
    match element {
        ElementType::F32 => {
            lists.push([words(70, 95, ordinary), vec![special::NAN | SIGN, special::NAN]].concat());
            lists.push(vec![special::INF | SIGN; 20]);
            // Elements far below the largest subnormal number, and such as have distances with subnormal squares.
            lists.push(words(300, 102, |bits| bits & (SIGN | 0x3ff)));
            let small: Make = |bits| (bits & (SIGN | FRACTION)) | power(56 + (bits >> 23) % 4);
            lists.push(words(300, 103, small));
        }
        ElementType::F64 => {
            // The high words of infinities and of a NaN.
            lists.push([words(70, 95, ordinary), vec![1, 0xfff0_0000, 0, 0x7ff0_0000]].concat());
            lists.push(vec![0, 0xfff0_0000, 0, 0xfff0_0000, 0, 0xfff0_0000]);
            lists.push(vec![5, 0, 7, SIGN, 0, SIGN, 0, 0]);
        }
        _ => lists.push(vec![SIGN; 20]),
    }
    let everything = run.wants_everything();
    let has_subgroups = run.capabilities().subgroups.is_some();
    for (number, subject) in subjects(element, everything).enumerate() {
        let is_of_moments = subject.operator.keeps_order();
        // Lanes of a subgroup exchange accumulators as words, and show whether these are right.
        let mechanism = if is_of_moments { 0 } else { number + turn + 1 };
        let question = Question::two_pass(subject);
        let question = match everything {
            true => question,
            false => question.in_mechanism(mechanism),
        };
        let mut parts: Vec<_> = lists.iter().map(|list| (list.clone(), question)).collect();
        // Two whole rounds, and a part of one: so tiles that the device is right for are looked at once more for their places.
        if is_of_moments && element == ElementType::F32 {
            let alike: Make = |bits| (bits & (SIGN | FRACTION)) | power(120 + (bits >> 23) % 8);
            let mut list = words(2500, 106, alike);
            parts.push((list.clone(), question));
            // The extrema are in the second round, in lanes of the first half of a team.
            (list[1024], list[1028]) = (power(129) | SIGN, power(129));
            parts.push((list, question));
        }
        // Where there are no subgroups, several blocks do, by two pipelines more.
        if is_of_moments && !has_subgroups {
            parts.push((words(20_000, 104, ordinary), question));
        }
        together(run, "extrema", &parts).await;
    }
}

/// Numbers that are floats above 0, and integers above 0.
fn positive(bits: u32) -> u32 {
    ordinary(bits) & !SIGN
}

/// What is best is late, so that it matters where blocks, launches and slices begin.
async fn every_kernel(run: &mut Run) {
    let floats = Input::of("ordinary floats", 20_001, 96, ordinary);
    run.ask(&floats, &[Question::two_pass(ARG_MAX).in_mechanism(0)]).await;
    run.ask(&floats.clone().at(1), &[Question::two_pass(ARG_MAX).in_mechanism(0)]).await;
    run.ask(&floats.cut(&[8, 8200]), &[Question::two_pass(ARG_MAX).in_mechanism(0)]).await;
    let integers = Input::of("small integers", 40_003, 97, |bits| bits % 1000 + 7);
    let last = Question::two_pass(U32_ARG_MIN_LAST).in_mechanism(1);
    let windows = [Restriction::SmallBindings, Restriction::FewWorkgroups];
    run.ask(&integers, &windows.map(|restriction| last.within(restriction))).await;
    // A block has several rounds.
    let counted = Question::two_pass(COUNT).in_mechanism(0).policy(16, 2048);
    run.ask(&integers, &[counted]).await;
    // Sixteen neighbours for each lane.
    // More blocks than a workgroup has room for.
    let many = Input::of("ordinary floats", 1 << 18, 105, ordinary);
    run.ask(&many, &[Question::two_pass(MOMENTS).policy(4, 2048)]).await;
    let bytes = Input::of("any bytes", 20_001, 98, |bits| bits & 0x7f7f_7f7f);
    run.ask(&bytes, &[Question::two_pass(U8_ARG_MAX).in_mechanism(0)]).await;
}
