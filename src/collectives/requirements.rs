//! What a kernel with collectives needs of a device, and what each call costs.

use crate::device::capabilities::SubgroupSizes;
use std::ops::RangeInclusive;

/// The needs of a kernel with these collectives, beyond its own.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CollectivesRequirements {
    /// Features that the device must have been made with.
    pub features: wgpu::Features,
    /// What WGSL wants before everything else in the module, each a directive such as `enable subgroups;`. Browsers want it. wgpu's own compiler
    /// (naga 30) refuses `enable subgroups;`, and takes the text without it: [`Collectives::source`](crate::wgsl::Collectives::source) has none.
    pub directives: Vec<&'static str>,
    /// The sizes of subgroups that the text is right on: 4, or up to the largest that it was made for. On larger ones results are undefined. `None` if
    /// workgroup memory does the work, which is right on all devices.
    pub subgroup_sizes: Option<SubgroupSizes>,
    /// Invocations of a workgroup, in its first dimension; the others are 1.
    pub workgroup_size: u32,
    /// Bytes of workgroup memory that the collectives take, as WebGPU counts them. All collectives share them.
    pub workgroup_bytes: u32,
    /// The member of the kernel's uniform that has to hold 0, a `u32`, such as `params.zero`; `None` if nothing adds or multiplies floats.
    pub zero: Option<String>,
    /// The kernel's `atomic<u32>` that counts the entries of a list, such as `list.length`; `None` if nothing is appended.
    pub list: Option<String>,
    /// Where workgroups deliver totals; `None` without [`Collective::Ticket`](crate::wgsl::Collective::Ticket).
    pub ticket: Option<CollectivesTicket>,
    /// The functions to call.
    pub functions: Vec<CollectiveFunction>,
}

/// The storage that [`Collectives::ticket`](crate::wgsl::Collectives::ticket) leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectivesTicket {
    /// The path.
    pub path: String,
    /// Words of `partials` for each workgroup.
    pub words: u32,
}

/// A function that kernels can call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectiveFunction {
    /// Its name.
    pub name: String,
    /// The fewest and the most barriers of a call, on subgroups of every size that the text is right on
    /// ([`CollectivesRequirements::subgroup_sizes`]). The number depends on the device's subgroup size, for sums of `f32` also on the lanes' values.
    /// A ticket's calls have more of them in the workgroup that comes last. Call a function with barriers where all invocations of the workgroup
    /// come, and any other where all of the subgroup come.
    pub barriers: RangeInclusive<u32>,
}

impl CollectivesRequirements {
    /// The caller's limits, raised where the collectives need more: those of invocations and workgroup memory. What the kernel itself has
    /// in workgroup memory comes on top.
    pub fn limits(&self, callers: wgpu::Limits) -> wgpu::Limits {
        let raised = |limit: u32, needed: u32| limit.max(needed);
        wgpu::Limits {
            max_compute_invocations_per_workgroup: raised(
                callers.max_compute_invocations_per_workgroup,
                self.workgroup_size,
            ),
            max_compute_workgroup_size_x: raised(
                callers.max_compute_workgroup_size_x,
                self.workgroup_size,
            ),
            max_compute_workgroup_storage_size: raised(
                callers.max_compute_workgroup_storage_size,
                self.workgroup_bytes,
            ),
            ..callers
        }
    }
}
