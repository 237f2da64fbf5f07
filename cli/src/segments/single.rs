//! What goes with a single result of a whole file alone.

use crate::{Outcome, args::ReduceArguments, error::Error};
use gridfold::{Strategy, Variant};

/// Refuses what goes with a single result alone, of the whole file.
pub(super) fn refuse(arguments: &ReduceArguments) -> Outcome {
    let ReduceArguments { segments, lengths, flags, by, by_runs, .. } = arguments;
    let many = [
        (segments, "--segments"),
        (lengths, "--lengths"),
        (flags, "--flags"),
        (by, "--by"),
        (by_runs, "--by-runs"),
    ];
    let many = many.into_iter().find(|(given, _)| given.is_some()).map_or("--axis", |it| it.1);
    let compute = "compute the array before, and give the file of that";
    let to_out = "leave it out, or reduce the file as a whole; --out writes results to a file";
    let chosen = "leave it out: how segments are reduced is chosen by itself";
    let given = [
        (arguments.other_file.is_some(), "a second file", "give one file"),
        (arguments.map.is_some(), "--map", compute),
        (
            arguments.predicate.is_some(),
            "--where",
            "compute the array before, and give the file of that, or leave NaNs out by --nan ignore",
        ),
        (!arguments.parameters.is_empty(), "--parameter", compute),
        (arguments.variant != Variant::Auto, "--variant", chosen),
        (arguments.strategy != Strategy::Auto, "--strategy", chosen),
        (arguments.explain, "--explain", "leave it out, or reduce the file as a whole"),
        (arguments.json, "--json", to_out),
    ];
    match given.into_iter().find(|&(is_given, ..)| is_given) {
        Some((_, option, advice)) => Err(Error::OfOneResult { option, many, advice }),
        None => Ok(()),
    }
}
