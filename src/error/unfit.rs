//! What to do about a strategy that does not fit.

use crate::{algebra::precision::Precision, way::Strategy};

/// What would do in its place, in words.
pub(super) fn instead(fitting: &[Strategy], looser: Option<&Precision>) -> String {
    let strategies = fitting.iter().map(|strategy| format!("Strategy::{strategy:?}"));
    let precision = looser.map(|looser| match looser {
        Precision::Unordered => {
            "Precision::Unordered if the bits may change from run to run".to_owned()
        }
        looser => format!("Precision::{looser:?}"),
    });
    let ways: Vec<String> = strategies.chain(precision).collect();
    match &ways[..] {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        // Of lengths on the device.
        [] => "a length that the host knows".to_owned(),
        ways => ways.concat(),
    }
}
