//! The command line.

mod select;

pub use select::{
    PartitionArguments, RunLengthsArguments, SelectArguments, UniqueArguments, Which,
};

use crate::{
    histogram::HistogramArguments, operators::OFFERED, scan::SCANNED, wgsl::WgslArguments,
};
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

impl Arguments {
    /// Whether the command looks for adapters.
    pub fn opens_adapters(&self) -> bool {
        match &self.command {
            Some(
                Command::Reduce(ReduceArguments { adapter, .. })
                | Command::Stats(StatsArguments { adapter, .. })
                | Command::Scan(ScanArguments { adapter, .. })
                | Command::Difference(DifferenceArguments { adapter, .. })
                | Command::Select(SelectArguments { adapter, .. })
                | Command::Partition(PartitionArguments { adapter, .. })
                | Command::Unique(UniqueArguments { adapter, .. })
                | Command::RunLengths(RunLengthsArguments { adapter, .. })
                | Command::Histogram(HistogramArguments { adapter, .. })
                | Command::Demo { adapter: Some(adapter), .. },
            ) => !adapter.trim().eq_ignore_ascii_case("cpu"),
            Some(Command::Wgsl(_) | Command::Completions { .. } | Command::Man { .. }) => false,
            _ => true,
        }
    }
}

const ENVIRONMENT: &str = "Exit status: 0 if all went well, 2 for a wrong call, 1 for a failed run.\n\
     Environment: RUST_LOG says what is logged (such as gridfold=info), WGPU_BACKEND which backends are \
     searched for adapters (such as vulkan).";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Reduce, scan, select and count made-up data on every adapter, and compare the results with the CPU's. It runs without a
    /// command, too.
    Demo {
        /// Go to this adapter alone: an index, or a part of backend/name/driver, or `cpu` for none. OpenGL's adapter of a device that another backend has, too, is
        /// meant by gl/... alone.
        #[arg(long, value_name = "ADAPTER")]
        adapter: Option<String>,
        /// Reduce by every operator of one array, for every type. This takes minutes on a driver in software.
        #[arg(long)]
        all: bool,
    },
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
    /// Tell mean, variances, skewness, kurtosis, extrema and NaNs of an .npy file's elements, which are read once.
    Stats(StatsArguments),
    /// Write the running totals of an .npy file's elements to another one.
    Scan(ScanArguments),
    /// Write the differences of an .npy file's neighbouring elements to another one.
    Difference(DifferenceArguments),
    /// Write the elements of an .npy file that a mask or an expression selects, or their positions, to another one.
    Select(SelectArguments),
    /// Write the elements of an .npy file that a mask or an expression selects to another one, and all others to a third one.
    Partition(PartitionArguments),
    /// Write the first element of each run of equal ones of an .npy file to another one.
    Unique(UniqueArguments),
    /// Write the first element of each run of equal ones of an .npy file to another one, and the runs' lengths to a third one.
    RunLengths(RunLengthsArguments),
    /// Count the elements of an .npy file bin by bin.
    Histogram(HistogramArguments),
    /// Climb the ladder of reduction kernels on a GPU, from one atomic per element to gridfold: what each changes, why it
    /// helps, and how fast it is beside a copy and beside gridfold.
    Ladder(LadderArguments),
    /// Print collectives as WGSL, to put before a kernel of your own: reductions, scans, shuffles and votes of a workgroup's lanes.
    Wgsl(WgslArguments),
    /// Print a script that completes this program's calls in a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in roff, of the program or of one of its commands.
    Man {
        /// The command.
        command: Option<String>,
    },
}

#[derive(Debug, Args)]
#[command(after_help = CHECK)]
pub struct CheckArguments {
    /// auto (the best GPU), an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one, such
    /// as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
    /// Ask every pipeline, and each operator in every kernel: two minutes on an NVIDIA H200, far longer on a driver in software.
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

const CHECK: &str = "It asks every kernel and operator: the pipelines of usual calls, and of the others one of each kind. The report counts \
     others like them; --all asks those, and each operator in every kernel. Most of the time goes into compiling, on every core: 9 s on an NVIDIA H200 with 16 cores, some 70 s on lavapipe with two. \
     A later run is faster if the driver keeps what it compiled. Standard error shows how far it has come. \
     If it hangs or crashes, RUST_LOG=gridfold=debug tells what was compiled last.\n\n\
     Each line is one kernel in one of its mechanisms: with subgroups, or with workgroup memory alone. A result usually passes through \
     several kernels, and a wrong one is counted against all of them. The suspects are the fewest kernels that explain all that is \
     wrong.\n\n\
     The JSON object:\n  \
     passed, gridfold (the version), adapter (an object of backend, name and driver),\n  \
     shader_model, compiler (of DX12, as far as wgpu tells; else null),\n  \
     subgroup_sizes (an object of min and max, or null), sound_floats, sound_doubles, float_atomics, coherent_memory, \
     max_buffer_bytes, max_binding_bytes, binding_alignment_bytes, os, arch,\n  \
     avoided (an array of objects of kernel, mechanism and reason: what is not used on this device),\n  \
     kernels (an array of objects of kernel, mechanism, strategies, operators, results, wrong, and unused: why, or null),\n  \
     wrong (an array of objects of op, element, precision, input, plan, kernels, expected and found (words), and problem; 100 of \
     them at most), suspects, results, wrong_results (how many), left_out, pipelines_not_asked, unfinished (why, or null), total_ns";

#[derive(Debug, Args)]
#[command(after_help = LADDER)]
pub struct LadderArguments {
    /// How many float32 elements, as a number or as 2^25. Without it, 2^25 on a GPU, and 2^20 on a driver in software.
    #[arg(long, value_parser = length, allow_negative_numbers = true)]
    pub len: Option<u64>,
    /// auto (the best GPU, or a driver in software if there is no GPU), an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one, such
    /// as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
    /// Rounds in which everything is timed once, at most; fewer if they take long.
    #[arg(long, default_value_t = 31, value_parser = rounds, allow_negative_numbers = true)]
    pub rounds: usize,
    /// Draw a chart of all bandwidths, with that of the copy as a line, into an SVG file. It is written beside, and renamed once it is whole.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Leave out the studies: what collectives cost, occupancy and spilling, and products of matrices.
    #[arg(long)]
    pub no_studies: bool,
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
     Studies follow, in ladder/studies: what a call of each collective costs, with subgroups and with workgroup memory alone; rung 12 \
     with workgroups of 32 to 1024 invocations, with workgroup memory as ballast, and with an array that spills; and products of matrices.\n\n\
     The JSON object:\n  \
     adapter (an object of backend, name and driver), len,\n  \
     float_atomics (native or compare-exchange), subgroup_sizes (an object of min and max, or null),\n  \
     copy_gb_per_s, copy_ns, copy_is_right,\n  \
     rungs (an array of objects: number, name, about, not_run (why, or null), and of those that were run len, is_shortened, work, \
     steps, ns, is_device_time, rounds, gb_per_s, share_of_copy, share_of_gridfold, results (of the first input), is_right),\n  \
     studies (an array of objects: study (cost, occupancy or product), name, mechanism (subgroup, workgroup-memory or null), not_run, and of \
     those that were run ns, is_device_time, is_right, and, or null, ns_per_call, gb_per_s, share_of_copy, gflop_per_s)";

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
    /// A file as numpy.save writes it, of numbers or bools, in any shape and either byte order, but not of complex numbers; or an array
    /// of an .npz file, as FILE.npz:ARRAY; - for standard input. Elements are taken in the file's order, or, where they are numbered, in C's. The file is
    /// read in chunks, so it may be larger than memory.
    pub file: PathBuf,
    /// A second file, of as many elements, in the same order: for --op dot, and for --map, and only for these.
    pub other_file: Option<PathBuf>,
    /// A third file, likewise: for --map, and only for that.
    pub third_file: Option<PathBuf>,
    /// The operator. Integer sums and products are of 64 bits, and wrap; max-abs is the largest magnitude, count the
    /// number of elements that are not 0; bit-and, bit-or and bit-xor are for integers and bools only. A mean of integers is a float64,
    /// rounded once. sum-of-squares, norm (the square root of that), l1-norm (the sum of magnitudes), count-nan, dot (of two files),
    /// variance and sample-variance (the divisor is the length less one) are for floats only. min-max gives two numbers; arg-min,
    /// arg-max and arg-min-max say where they are, in C's order, and which elements: of several the first, or with -last the last. A
    /// file in Fortran's order is read whole for that, and for the index in --map and --where.
    #[arg(long, value_parser = by_name(&OFFERED, OperatorType::name))]
    pub op: OperatorType,
    /// What elements become before they are reduced, as "x * x": an expression of WGSL over the element x and its index i (a u32, in C's order), with +, -, *, /,
    /// min, max, abs, clamp, select, comparisons, bits and conversions. Of two files x and y are the elements of each, of three x, y and z. Elements of less than
    /// 32 bits are widened to float32, or to integers of 32 bits. Of integers / rounds toward zero, and % has the sign of what is divided: -7 / 3 is -2, and -7 % 3 is -1,
    /// where NumPy has -3 and 2. Every operator but dot takes it (the sum of "x * y" is a dot product, that of "x * y * z" one with weights). The result has the same
    /// bits on every device. A mean of integers may read the files two or three times, and keeps what comes through a pipe in memory for that.
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub map: Option<String>,
    /// Which elements count, as "x > 0.5": an expression as of --map, whose value is a bool. In sums, means, norms, counts, products, extrema and the like,
    /// not in the last of several places. If no element counts, an extremum has no value. Variances are exact then, and the CPU's. Without --map
    /// minima, maxima and bits are still of the file's type.
    #[arg(long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub predicate: Option<String>,
    /// A name for a number in --map and --where, as scale=0.5. Up to four, and of 64 bits up to two. Of floats inf, -inf and nan are numbers, too; one that is
    /// too large for the elements' type is refused.
    #[arg(long = "parameter", value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameters: Vec<(String, String)>,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    /// What NaNs are, for min, max, min-max, arg-min, arg-max and arg-min-max, and for sum, mean, variance and sample-variance. propagate: one of
    /// them makes the result NaN. ignore: no elements, as in NumPy's nanmin, nanmean and nanvar; variances are exact then. total: elements in
    /// IEEE-754's total order, for extrema alone.
    #[arg(long, value_enum, default_value_t = NanRule::Propagate)]
    pub nan: NanRule,
    /// auto (whatever is fastest: for files that is the CPU, as a rule), cpu, an index from `gridfold adapters`, or a
    /// part of backend/name/driver that matches exactly one, such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
    /// What the bits may depend on, for sum, product, mean, sum-of-squares, norm, variance, sample-variance and dot of floats; all others
    /// are exact. Exact results of float64, but sums and means, the CPU computes, whatever the adapter.
    /// unordered: however the device adds, and the bits may change from run to run (of sums of floats of 32 bits or less; the others are
    /// reproducible then). reproducible: the elements and their order alone. exact: the true value, rounded once.
    #[arg(long, default_value = Precision::default().name(), value_parser = precisions_by_name())]
    pub precision: Precision,
    /// How invocations of a workgroup combine. Changes no bit of the result, unless that is unordered.
    #[arg(long, default_value = Variant::Auto.name(), value_parser = variants_by_name())]
    pub variant: Variant,
    /// How workgroups combine. Changes no bit of the result, unless that is unordered: strategies that do not keep
    /// the precision are refused, and so are atomics of what no atomic of 32 bits combines.
    #[arg(long, default_value = Strategy::Auto.name(), value_parser = strategies_by_name())]
    pub strategy: Strategy,
    /// Reduce along this axis of the array, from 0, or from the last one as -1; or along several, as 0,2: a result for each place of the other axes.
    /// Each has the bits and the type of a reduction of its elements alone. arg-min and arg-max tell places only, counted
    /// within the segment, or -1 of nothing. Of min-max and arg-min-max the results have a last axis more, of two. any and all are bools. A minimum
    /// of nothing is the largest number of the type, infinity of floats, but with --nan ignore or total a NaN.
    /// A second file, --map, --where, --parameter, --variant, --strategy, --explain and --json are for a single result of a whole file, and do not go
    /// with this.
    #[arg(
        long,
        value_name = "K",
        group = "many",
        allow_hyphen_values = true,
        value_delimiter = ',',
        value_parser = axis
    )]
    pub axis: Option<Vec<i64>>,
    /// With --axis, the results keep the axes, of one place each.
    #[arg(long, requires = "axis")]
    pub keepdims: bool,
    /// Reduce each segment: a file of integers of one more than there are. A segment has the elements from one offset on, and ends before the
    /// next. Elements before the first offset, and from the last one on, are in no segment. As with --axis.
    #[arg(long, value_name = "OFFSETS", group = "many")]
    pub segments: Option<PathBuf>,
    /// Reduce segments of these lengths, one after another: a file of integers, which add up to as many as there are elements. As with --axis.
    #[arg(long, value_name = "LENGTHS", group = "many")]
    pub lengths: Option<PathBuf>,
    /// Reduce segments that begin where a mask of bools is set, of as many as there are elements. Those before the first one are in no segment. As with
    /// --axis.
    #[arg(long, value_name = "MASK", group = "many")]
    pub flags: Option<PathBuf>,
    /// Reduce the elements of equal keys, wherever they are, as GROUP BY does: a file of as many integers or bools. There is a result for each key, the
    /// least key first. As with --axis.
    #[arg(long, value_name = "KEYS", group = "many")]
    pub by: Option<PathBuf>,
    /// Reduce each run of equal keys: a file of as many of any type. A key that comes again later begins another run. As with --axis.
    #[arg(long, value_name = "KEYS", group = "many")]
    pub by_runs: Option<PathBuf>,
    /// With --by or --by-runs and --out, the file to write the results' keys to. Keys of less than 32 bits become as wide.
    #[arg(long, value_name = "FILE", requires = "out", conflicts_with_all = ["axis", "segments", "lengths", "flags"])]
    pub keys_out: Option<PathBuf>,
    /// With --axis, --segments and the like, the file to write. It is written beside, and renamed once it is whole. Without, each result is a line, of
    /// keys behind its key.
    #[arg(long, value_name = "FILE", requires = "many")]
    pub out: Option<PathBuf>,
    /// Tell in words what was done.
    #[arg(long)]
    pub explain: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = STATS)]
pub struct StatsArguments {
    /// A file as `gridfold reduce` takes it. Elements are taken in the file's order, of a file in Fortran's order in C's, for which it is read whole.
    /// Floats of 16 bits are reduced as float32, integers as float64.
    pub file: PathBuf,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    /// Leave out skewness and kurtosis. All else has the same bits.
    #[arg(long)]
    pub brief: bool,
    /// auto (whatever is fastest: for files that is the CPU, as a rule), cpu, an index from `gridfold adapters`, or a
    /// part of backend/name/driver that matches exactly one, such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone. The results have the same bits on all.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
    /// Draw a histogram into an SVG file: of the finite elements, in 64 even bins, with the mean, one standard deviation on either side of it,
    /// and both extrema. The CPU reads the file a second time for that, chunk by chunk, and a third time if an element is NaN or infinite. The chart is
    /// written beside, and renamed once it is whole.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

const STATS: &str = "Mean, variances and extrema have the bits that `gridfold reduce` gives them. One NaN makes all of them NaN. Of integers the mean is that of \
     the exact sum, rounded once, and the extrema are exact; integers of 64 bits are rounded to float64 for the others. Skewness and kurtosis are \
     those of all there are; the kurtosis of a normal distribution is 3.\n\n\
     The JSON object:\n  \
     dtype (NumPy's name of the file's element type, or bfloat16), len, nans (how many elements are NaN),\n  \
     mean, variance, sample_variance, standard_deviation (the root of the variance), skewness, kurtosis (an object each of value, a string as \
     of `gridfold reduce`, and bits; the last two are not there with --brief),\n  \
     min, max (an object each of index, a string, element and bits: of several the first, in C's order; null of nothing),\n  \
     adapter (an object of backend, name and driver), plan (what was done, in a line),\n  \
     device_ns (time on the device; null where it can't be measured), total_ns (time from the header to the results)";

#[derive(Debug, Args)]
pub struct ScanArguments {
    /// A file as `gridfold reduce` takes it. It is read and written in chunks, so it may be larger than memory. Integers of less than 32 bits,
    /// and floats of 16, are widened to 32. Places count in the file's order.
    pub file: PathBuf,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    /// The operator: sum, product, min, max, arg-min and the like, max-abs, count, any, all, of floats mean, sum-of-squares, norm, l1-norm, variance,
    /// sample-variance and count-nan, or of integers bit-and, bit-or and bit-xor. Each result is what reducing the elements so far gives, to the
    /// bit; of any and all a bool, and of arg-min and the like an int64, which is -1 where there is no element.
    #[arg(long, value_parser = by_name(&SCANNED, OperatorType::name))]
    pub op: OperatorType,
    /// What NaNs are, for min, max, arg-min and the like, sum and mean. propagate: one of them makes all results from there on NaN. ignore: no
    /// elements. total: elements in IEEE-754's total order, not for sum and mean. Variances have no rule but propagate.
    #[arg(long, value_enum, default_value_t = NanRule::Propagate)]
    pub nan: NanRule,
    /// Results are of the elements before their own one, and the first is that of no elements.
    #[arg(long)]
    pub exclusive: bool,
    /// Integer sums and products have 64 bits. Otherwise they have those of the elements, at least 32, and wrap.
    #[arg(long)]
    pub wide: bool,
    /// The file to write: an array of one dimension. It is written beside, and renamed once it is whole.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// auto (for files that is the CPU), cpu, an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one,
    /// such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
}

#[derive(Debug, Args)]
pub struct DifferenceArguments {
    /// A file as `gridfold reduce` takes it. It is read in chunks. Integers of less than 32 bits, and floats of 16, are widened to 32.
    pub file: PathBuf,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    /// The file to write: an array of one dimension, with the first element, and the difference of each other one and that before it. Integers
    /// wrap. It is written beside, and renamed once it is whole.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// auto (for files that is the CPU), cpu, an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one,
    /// such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
}

impl ReduceArguments {
    /// The second file and the third, if there are such.
    pub fn other_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.other_file.iter().chain(&self.third_file)
    }
}

/// An element type that NumPy has no name for.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum GivenDtype {
    Bf16,
}

/// What NaNs are, by choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum NanRule {
    Propagate,
    Ignore,
    Total,
}

const JSON: &str = "The JSON object:\n  \
     op, dtype (NumPy's name of the file's element type, or bfloat16), len,\n  \
     map, where and parameters (the expressions, and names with values; left out where there are none),\n  \
     precision (unordered, reproducible or exact: what the result promises, at least what was asked for),\n  \
     value (a string, the shortest decimal that reads back to the same value, NaN, inf or -inf, true or false; null for \
     the min or max of a file without elements. Of min-max an array of two; of arg-min and its like the index, of arg-min-max an array of two),\n  \
     element (only of arg-min and its like: the element there, as value is elsewhere),\n  \
     bits (the result's, or the element's bit pattern, 0x and two digits for each byte; null where value is. Minima, maxima and bits are of \
     the file's type, or with --map of 32 bits at least, sums and products of 64 bits, or float32 of floats of 16 and 32 bits),\n  \
     adapter (an object of backend, name and driver; the name is cpu for the CPU),\n  \
     plan (what was done, in a line),\n  \
     device_ns (time on the device; null where it can't be measured),\n  \
     total_ns (time from the header to the value: with reading the file, upload and, on a GPU, \
     making the pipelines),\n  \
     explanation (with --explain: what was done, in words)";

fn precisions_by_name() -> impl TypedValueParser<Value = Precision> {
    by_name(&Precision::ALL, Precision::name)
}

fn variants_by_name() -> impl TypedValueParser<Value = Variant> {
    by_name(&[Variant::Auto, Variant::Subgroup, Variant::WorkgroupMemory], Variant::name)
}

fn strategies_by_name() -> impl TypedValueParser<Value = Strategy> {
    by_name(&Strategy::ALL, Strategy::name)
}

/// A name and a value.
fn axis(text: &str) -> Result<i64, &'static str> {
    text.parse().map_err(|_| "an axis is a whole number, as 0 or -1, and several are 0,2")
}

fn parameter(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
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
