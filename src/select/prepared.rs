//! A selection with everything allocated: [`PreparedCompaction`].

use crate::{
    device::buffer::GpuSlice,
    dispatch::recording::{Recording, records},
    select::plan::CompactionPlan,
};

/// A selection with everything allocated: record it as often as you like.
///
/// Recordings share scratch memory. That is sound in any number of encoders, because the device runs them one after another.
#[derive(Debug)]
pub struct PreparedCompaction {
    pub(super) plan: CompactionPlan,
    pub(super) recording: Recording,
    pub(super) count: GpuSlice<u64>,
    pub(super) room: u64,
}

records!("selection" of [] PreparedCompaction);

impl PreparedCompaction {
    /// The plan.
    pub fn plan(&self) -> &CompactionPlan {
        &self.plan
    }

    /// Where the number of all that was selected is written, also of what the outputs have no room for.
    pub fn count(&self) -> &GpuSlice<u64> {
        &self.count
    }

    /// The number of items for which the outputs have room.
    pub fn room(&self) -> u64 {
        self.room
    }
}
