//! What goes wrong while a result comes back.

/// What to do about a lost device.
pub(super) const RECOVERY: &str = "make a new device and a new context, and fill new buffers; nothing of the lost \
                        one can be used again";

/// A result can't be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The encoder that the readback was recorded into was dropped.
    #[error("the encoder with this readback was dropped without being submitted: submit it")]
    Dropped,
    /// The encoder that the readback was recorded into is not submitted yet.
    #[error("the encoder with this readback is not submitted yet: submit it before waiting")]
    NotSubmitted,
    /// wgpu rejected the submission: its error went to the caller's error scope or handler.
    #[error(
        "wgpu rejected the submission with this readback, so there is no result: see wgpu's error, mend \
         what it names (a buffer that is mapped or destroyed, for example), and submit again"
    )]
    Rejected,
    /// The device is lost, and the result with it.
    #[error("the device is lost: {RECOVERY}")]
    DeviceLost,
    /// The device could not be polled, for example because a callback of the caller's panicked meanwhile,
    /// or the result could not be mapped.
    #[error(
        "the result can't be read ({0}): reduce again, or make a new device if that fails, too"
    )]
    Map(String),
    /// The ticket is another batch's.
    #[error("another batch has given out the ticket: ask that batch's results")]
    ForeignTicket,
}
