//! The command line.

use clap::{
    Args, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use gridfold::{OperatorType, Precision, Strategy, Variant};
use std::path::PathBuf;

/// Reductions (sum, product, min, max, mean, variance, norm, dot product, bit operations) on any GPU, with the same bits on
/// every device and on the CPU.
#[derive(Debug, Parser)]
#[command(name = "gridfold", version, after_help = ENVIRONMENT)]
pub struct Arguments {
    /// Without a command, the demonstration runs.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const ENVIRONMENT: &str = "Exit status: 0 if all went well, 2 for a wrong call, 1 for a failed run.\n\
     Environment: RUST_LOG says what is logged (such as gridfold=info), WGPU_BACKEND which backends are \
     searched for adapters (such as vulkan).";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Reduce made-up data on every adapter by every operator of one array, float32 sums also exactly, and compare the results
    /// with the CPU's.
    Demo,
    /// List the adapters.
    Adapters {
        /// Print a JSON array with an object for each adapter.
        #[arg(long)]
        json: bool,
    },
    /// Find out whether everything is right on a GPU: run every kernel that it can select, and compare the results with the
    /// CPU's. The report is for pasting.
    Check(CheckArguments),
    /// Reduce all elements of an .npy file to one, or pairs of those of two files.
    Reduce(ReduceArguments),
    /// Climb the ladder of reduction kernels on a GPU, from one atomic per element to gridfold: what each changes, why it
    /// helps, and how fast it is beside a copy and beside gridfold.
    Ladder(LadderArguments),
}

#[derive(Debug, Args)]
#[command(after_help = CHECK)]
pub struct CheckArguments {
    /// auto (the best GPU), an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one, such
    /// as vulkan/llvmpipe.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
    /// Run every operator and element type through every kernel: minutes on a driver in software.
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

const CHECK: &str = "Most of the time goes into compiling shaders. On a driver in software it takes about a minute the first time, and 10 to \
     20 s later; on a GPU some ten seconds, then two or three. If it hangs or crashes, RUST_LOG=gridfold=debug tells what was compiled \
     last. (What wgpu's OpenGL backend says about XDG_RUNTIME_DIR means nothing.)\n\n\
     Each line is one kernel in one of its mechanisms: with subgroups, or with workgroup memory alone. A result usually passes through \
     several kernels, and a wrong one is counted against all of them. The suspects are the fewest kernels that explain all that is \
     wrong.\n\n\
     The JSON object:\n  \
     passed, gridfold (the version), adapter (an object of backend, name and driver),\n  \
     shader_model, compiler (of DX12, as far as wgpu tells; else null),\n  \
     subgroup_sizes (an object of min and max, or null), sound_floats, float_atomics, coherent_memory, max_buffer_bytes, \
     max_binding_bytes, binding_alignment_bytes, os, arch,\n  \
     avoided (an array of objects of kernel, mechanism and reason: what is not used on this device),\n  \
     kernels (an array of objects of kernel, mechanism, strategies, operators, results, wrong, and unused: why, or null),\n  \
     wrong (an array of objects of op, element, precision, input, plan, kernels, expected and found (words), and problem; 100 of \
     them at most), suspects, results, wrong_results (how many), left_out, unfinished (why, or null), total_ns";

#[derive(Debug, Args)]
#[command(after_help = LADDER)]
pub struct LadderArguments {
    /// How many float32 elements, as a number or as 2^25.
    #[arg(long, default_value = "2^25", value_parser = length)]
    pub len: u64,
    /// auto (the best GPU), an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one, such
    /// as vulkan/llvmpipe.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
    /// Rounds in which everything is timed once, at most; fewer if they take long.
    #[arg(long, default_value_t = 31, value_parser = rounds)]
    pub rounds: usize,
    /// Draw a chart of all bandwidths, with that of the copy as a line, into an SVG file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

const LADDER: &str = "Each rung is a file in ladder/shaders, whose head tells what it is about.\n\n\
     The elements are whole numbers whose sum is below 2^24, so all partial sums are exact in any order, and every \
     result must be the CPU's to the bit; one that is not is marked, and makes the program fail. Rungs that would take more \
     than 0.25 s are run on fewer elements, and say so. Inputs take turns, so that caches serve no repeats of those that are longer than a cache. Times are \
     medians of rounds in which everything is run once. They are of the device, from the first dispatch to the last; \
     clearing a total beforehand is not timed. GB/s are of bytes that are wanted; those of the copy, of as many bytes, \
     are read and written. The rungs' loops keep the loop counters that wgpu puts in; gridfold's do not.\n\n\
     W is how many additions all invocations perform together, S the longest chain of additions that wait for one another \
     (atomics to one word are such a chain), W/S how many could be under way at a time.\n\n\
     The JSON object:\n  \
     adapter (an object of backend, name and driver), len,\n  \
     float_atomics (native or compare-exchange), subgroup_sizes (an object of min and max, or null),\n  \
     copy_gb_per_s, copy_ns, copy_is_right,\n  \
     rungs (an array of objects: number, name, about, not_run (why, or null), and of those that were run len, is_shortened, work, \
     steps, ns, is_device_time, rounds, gb_per_s, share_of_copy, share_of_gridfold, results (of the first input), is_right)";

/// A number from 1 on, or a power of two such as 2^25.
fn length(text: &str) -> Result<u64, String> {
    let len = match text.split_once('^') {
        Some(("2", exponent)) => {
            exponent.parse().ok().and_then(|exponent| 1u64.checked_shl(exponent))
        }
        Some(_) => None,
        None => text.parse().ok(),
    };
    len.filter(|&len| len > 0).ok_or_else(|| "give a number from 1 on, or 2^25".to_owned())
}

fn rounds(text: &str) -> Result<usize, String> {
    let rounds = text.parse().ok().filter(|rounds| (1..=100_000).contains(rounds));
    rounds.ok_or_else(|| "give a number from 1 to 100000".to_owned())
}

#[derive(Debug, Args)]
#[command(after_help = JSON)]
pub struct ReduceArguments {
    /// A file as numpy.save writes it, of little-endian float32, int32, uint32, int64 or uint64, or of int8 or uint8, in any
    /// shape; - for standard input. Elements are taken in the file's order.
    pub file: PathBuf,
    /// A second file, of as many elements, in the same order: for --op dot, and only for that.
    pub other_file: Option<PathBuf>,
    /// The operator. Integer sums and products wrap, also those of int8 and uint8 at 32 bits; max-abs is the largest magnitude, count the
    /// number of elements that are not 0; bit-and, bit-or and bit-xor are for integers only. mean, sum-of-squares, norm
    /// (the square root of that), variance, sample-variance (the divisor is the length less one) and dot (of two files)
    /// are for float32 only.
    #[arg(long, value_parser = operators_by_name())]
    pub op: OperatorType,
    /// auto (whatever is fastest: for files that is the CPU, as a rule), cpu, an index from `gridfold adapters`, or a
    /// part of backend/name/driver that matches exactly one, such as vulkan/llvmpipe.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
    /// What the bits may depend on, for sum, product, mean, sum-of-squares, norm and dot of float32; all others are exact.
    /// unordered: however the device adds, and the bits may change from run to run (of sum and product; the others are reproducible
    /// then). reproducible: the elements and their order alone. exact: the true value, rounded once.
    #[arg(long, default_value = Precision::default().name(), value_parser = precisions_by_name())]
    pub precision: Precision,
    /// How invocations of a workgroup combine. Changes no bit of the result, unless that is unordered.
    #[arg(long, default_value = Variant::Auto.name(), value_parser = variants_by_name())]
    pub variant: Variant,
    /// How workgroups combine. Changes no bit of the result, unless that is unordered: strategies that do not keep
    /// the precision are refused.
    #[arg(long, default_value = Strategy::Auto.name(), value_parser = strategies_by_name())]
    pub strategy: Strategy,
    /// Tell in words what was done.
    #[arg(long)]
    pub explain: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

const JSON: &str = "The JSON object:\n  \
     op, dtype (float32, int32, uint32, int64, uint64, int8 or uint8: of the file's elements), len,\n  \
     precision (unordered, reproducible or exact: what the result promises, at least what was asked for),\n  \
     value (a string, the shortest decimal that reads back to the same value, NaN, inf or -inf; null for \
     the min or max of nothing),\n  \
     bits (the result's bit pattern, 0x and 8 digits, or 16 of a count and of 64-bit integers; null where value is),\n  \
     adapter (an object of backend, name and driver; the name is cpu for the CPU),\n  \
     plan (what was done, in a line),\n  \
     device_ns (time on the device; null where it can't be measured),\n  \
     total_ns (time from the elements in host memory to the value there: with upload and, on a GPU, \
     making the pipelines),\n  \
     explanation (with --explain: what was done, in words)";

fn operators_by_name() -> impl TypedValueParser<Value = OperatorType> {
    by_name(OperatorType::ALL, OperatorType::name)
}

fn precisions_by_name() -> impl TypedValueParser<Value = Precision> {
    by_name(&Precision::ALL, Precision::name)
}

fn variants_by_name() -> impl TypedValueParser<Value = Variant> {
    by_name(&[Variant::Auto, Variant::Subgroup, Variant::WorkgroupMemory], Variant::name)
}

fn strategies_by_name() -> impl TypedValueParser<Value = Strategy> {
    by_name(&Strategy::ALL, Strategy::name)
}

/// Takes the name of one of `all`.
fn by_name<T: Copy + Send + Sync>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&item| name(item))).map(move |text| {
        let item = all.iter().find(|&&item| name(item) == text);
        *item.expect("clap lets through only names of these")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_numbers_or_powers_of_two() {
        for (text, len) in
            [("1", 1), ("1000", 1000), ("2^0", 1), ("2^25", 1 << 25), ("2^63", 1 << 63)]
        {
            assert_eq!(length(text), Ok(len), "{text}");
        }
        for text in
            ["", "0", "-1", "2^", "2^64", "2^-1", "3^2", "^3", "2^2^2", "1e6", "1_000", " 1"]
        {
            assert!(length(text).is_err(), "{text}");
        }
    }
}
