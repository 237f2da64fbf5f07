//! Calls as most are: of all that a buffer holds, in the way and the mechanism that the device chooses.

use super::{
    input::Input,
    material::{Make, ordinary},
    questions::Question,
    run::Run,
    scans, selections,
    subjects::combining,
};
use crate::algebra::{element::ElementType, operator_type::OperatorType};

/// Lengths of one block, of several, and of so many that a block has several rounds.
const LENS: [usize; 3] = [300, 20_001, 300_001];

/// Asks what people reach for first of f32s, sums of the other scalars of a word or two, and scans and selections.
pub(super) async fn run(run: &mut Run) {
    for element in ElementType::ALL {
        if element.size_bytes() < 4 || element.is_vector() {
            continue;
        }
        let make: Make = match element {
            ElementType::F32 => ordinary,
            _ => |bits| bits & 0x3fff_ffff,
        };
        let is_first = |operator| {
            let of_floats = [
                OperatorType::Mean,
                OperatorType::Min,
                OperatorType::Max,
                OperatorType::ArgMin,
                OperatorType::ArgMax,
                OperatorType::Norm,
                OperatorType::Variance,
            ];
            let is_float = element == ElementType::F32;
            operator == OperatorType::Sum || is_float && of_floats.contains(&operator)
        };
        let subjects = combining(element).into_iter().filter(|subject| is_first(subject.operator));
        let questions: Vec<_> =
            subjects.map(|subject| Question::as_usual(subject).in_mechanism(0)).collect();
        for len in LENS {
            run.ask(&Input::of("usual elements", len, 7, make), &questions).await;
        }
        run.flush().await;
    }
    scans::usual(run).await;
    selections::usual(run).await;
}
