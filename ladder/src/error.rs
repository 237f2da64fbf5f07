//! Why the ladder can't be climbed.

/// What is wrong. What to do about it depends on the caller, so the texts leave that to the caller.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is only the CPU.
    #[error("the ladder is for GPUs, and there is none, or the CPU was asked for")]
    NeedsGpu,
    /// The elements fit into no binding.
    #[error("{len} elements are more than {adapter} takes at a time")]
    TooLong {
        /// How many were asked for.
        len: u64,
        /// How many there can be.
        most: u64,
        /// The adapter's name.
        adapter: String,
    },
    /// The device did not do what it should.
    #[error("{adapter} refused {what} ({message})")]
    Refused {
        /// The adapter's name.
        adapter: String,
        /// What it was to make or to do.
        what: &'static str,
        /// Its words.
        message: String,
    },
    /// No chart came of the report.
    #[error("the chart can't be drawn ({0})")]
    Draw(#[from] charts::DrawError),
    /// The library's part failed.
    #[error(transparent)]
    Library(#[from] gridfold::Error),
}
