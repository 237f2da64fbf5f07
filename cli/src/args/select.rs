//! The arguments of selections.

use super::{GivenDtype, parameter};
use clap::{ArgGroup, Args};
use std::path::PathBuf;

/// Which elements are selected.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("selected").args(["mask", "predicate"]).required(true))]
pub struct Which {
    /// A file of as many bools or integers of any type: elements are selected where these are not 0.
    #[arg(long, value_name = "FILE")]
    pub mask: Option<PathBuf>,
    /// Which elements are selected, as "x > 0.5": an expression as `gridfold reduce` takes it for --where, whose value is a bool, but
    /// the index i counts in the file's order. Elements of less than 32 bits are widened to float32, or to integers of 32 bits.
    #[arg(long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub predicate: Option<String>,
    /// A name for a number in --where, as limit=0.5. Up to four, and of 64 bits up to two. Of floats inf, -inf and nan are numbers, too; one that is too large
    /// for the elements' type is refused.
    #[arg(long = "parameter", value_name = "NAME=VALUE", value_parser = parameter, conflicts_with = "mask")]
    pub parameters: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub struct SelectArguments {
    /// A file as `gridfold reduce` takes it, of any of its element types. It is read in chunks.
    pub file: PathBuf,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read. New files of them say what this file says.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    #[command(flatten)]
    pub which: Which,
    /// Write the positions of the selected elements, from 0, in the file's order, as uint64s.
    #[arg(long)]
    pub positions: bool,
    /// The file to write: an array of one dimension, of the same element type. It is written beside, and renamed once it is whole.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// auto (for files that is the CPU), cpu, an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one,
    /// such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
}

#[derive(Debug, Args)]
pub struct PartitionArguments {
    /// A file as `gridfold reduce` takes it, of any of its element types. It is read in chunks.
    pub file: PathBuf,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read. New files of them say what this file says.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    #[command(flatten)]
    pub which: Which,
    /// The file of the selected elements to write: an array of one dimension, of the same element type. Both files are written beside, and
    /// renamed once they are whole.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The file of the others to write.
    #[arg(long, value_name = "FILE")]
    pub rest: PathBuf,
    /// auto (for files that is the CPU), cpu, an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one,
    /// such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
}

#[derive(Debug, Args)]
pub struct UniqueArguments {
    /// A file as `gridfold reduce` takes it, of any of its element types. It is read in chunks. Elements are equal if their bits are.
    pub file: PathBuf,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read. New files of them say what this file says.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    /// The file to write: an array of one dimension, of the same element type. It is written beside, and renamed once it is whole.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// auto (for files that is the CPU), cpu, an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one,
    /// such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
}

#[derive(Debug, Args)]
pub struct RunLengthsArguments {
    /// A file as `gridfold reduce` takes it, of any of its element types. It is read in chunks. Elements are equal if their bits are.
    pub file: PathBuf,
    /// What the elements are, if the file does not say: bf16, as which two bytes or uint16s are read. New files of them say what this file says.
    #[arg(long, value_enum)]
    pub dtype: Option<GivenDtype>,
    /// The file of values to write: an array of one dimension, of the same element type. Both files are written beside, and renamed once
    /// they are whole.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The file of lengths to write: as many uint64s.
    #[arg(long, value_name = "FILE")]
    pub lengths: PathBuf,
    /// auto (for files that is the CPU), cpu, an index from `gridfold adapters`, or a part of backend/name/driver that matches exactly one,
    /// such as vulkan/llvmpipe. OpenGL's adapter of a device that another backend has, too, is
    /// meant by gl/... alone.
    #[arg(long, default_value = "auto")]
    pub adapter: String,
}
