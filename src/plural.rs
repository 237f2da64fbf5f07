//! Numbers of things, in words.

/// "1 block", "2 blocks", "2 dispatches".
pub(crate) fn count(number: u64, noun: &str) -> String {
    let ending = match (number, noun.ends_with("ch")) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{number} {noun}{ending}")
}
