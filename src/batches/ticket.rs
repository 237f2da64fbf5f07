//! What is to be found where in a batch's results: [`Ticket`] and [`Results`].

use crate::error::ReadError;

/// A key to one of a batch's [`Results`]: a result `Out` on the device, which is a value `V` on the host.
#[derive(Debug)]
pub struct Ticket<Out, V> {
    pub(crate) batch: u64,
    pub(crate) index: u32,
    pub(crate) len: u64,
    pub(crate) value: fn(Out, u64) -> V,
}

impl<Out, V> Clone for Ticket<Out, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Out, V> Copy for Ticket<Out, V> {}

impl<Out, V> Ticket<Out, V> {
    /// The first word of [`crate::PreparedBatch::results`] that the result is written to. Results follow one another in the order in
    /// which their tickets were given out, each with as many words of 32 bits as `Out` has.
    pub fn index(&self) -> u32 {
        self.index
    }
}

/// The values of a batch, on the host.
#[derive(Clone, Debug)]
pub struct Results {
    pub(crate) batch: u64,
    pub(crate) words: Vec<u32>,
}

impl Results {
    /// All results' words.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// A value.
    ///
    /// # Errors
    ///
    /// [`ReadError::ForeignTicket`] if another batch has given out the ticket.
    pub fn get<Out: bytemuck::Pod, V>(&self, ticket: Ticket<Out, V>) -> Result<V, ReadError> {
        let rest = usize::try_from(ticket.index).ok().and_then(|first| self.words.get(first..));
        let words = rest.and_then(|words| words.get(..size_of::<Out>() / 4));
        match words.map(bytemuck::cast_slice) {
            Some(bytes) if ticket.batch == self.batch => {
                Ok((ticket.value)(bytemuck::pod_read_unaligned(bytes), ticket.len))
            }
            _ => Err(ReadError::ForeignTicket),
        }
    }
}
