//! Why there is no text.

use crate::{
    algebra::{element::ElementType, operator_type::OperatorType},
    device::capabilities::SubgroupSizes,
};

/// Invocations of a workgroup at most.
pub(super) const MAX_WORKGROUP_SIZE: u32 = 1024;

/// What else to do about a workgroup that is too large.
const LARGER_LIMIT: &str = ", or request a device with a larger limit max_compute_invocations_per_workgroup (and \
    max_compute_workgroup_size_x), of at most 1024";

/// There are no collectives of this kind, or not on this device. Nothing was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CollectivesError {
    /// A workgroup of no invocations, or of more than the device allows.
    #[error(
        "this device has no workgroups of {size} invocations: take 1 to {max}{}",
        if *max < MAX_WORKGROUP_SIZE { LARGER_LIMIT } else { "" }
    )]
    WorkgroupSize {
        /// The size asked for.
        size: u32,
        /// The largest.
        max: u32,
    },
    /// The collectives' memory is more than a workgroup of the device has.
    #[error(
        "the collectives take {needed} bytes of workgroup memory, and the device allows {max}: take a smaller workgroup, fewer \
         operators of many words, or a device with a larger limit max_compute_workgroup_storage_size"
    )]
    WorkgroupMemory {
        /// Bytes that they take.
        needed: u32,
        /// Bytes that there are.
        max: u32,
    },
    /// The size of the groups that stand for subgroups.
    #[error("{size} lanes are no subgroup: take a power of two from 4 to 128")]
    SubgroupSize {
        /// The size asked for.
        size: u32,
    },
    /// The sizes of the device's subgroups.
    #[error(
        "subgroups of {sizes} lanes are none: take powers of two from 4 to 128, the smaller first"
    )]
    SubgroupSizes {
        /// The sizes asked for.
        sizes: SubgroupSizes,
    },
    /// The items of a lane.
    #[error("{items} items are not what a lane can have: take 1 to 32")]
    ItemsPerLane {
        /// The number asked for.
        items: u32,
    },
    /// The words of a value.
    #[error("there are no shuffles of values of {words} words: take 1 to 16")]
    Words {
        /// The number asked for.
        words: u32,
    },
    /// Workgroups do not see each other's memory for certain.
    #[error(
        "the last workgroup can finish a reduction only where storage barriers are fences of the whole device, on Vulkan and DX12: use a second \
         dispatch"
    )]
    NoFences,
    /// Subgroups are forced, and the device has none, or its lanes do not lie as collectives take them to.
    #[error(
        "the device was made without wgpu::Features::SUBGROUP, or its subgroups' lanes are not in the order of \
         local_invocation_index: use Variant::Auto or Variant::WorkgroupMemory"
    )]
    NoSubgroups,
    /// A prefix or an operator's name is no name in WGSL, or the path to the zero is none.
    #[error(
        "names of functions cannot begin with {name:?}: take ASCII letters, digits and underscores, with a letter first; for the \
         zero such names joined by points, as params.zero"
    )]
    NotAName {
        /// What was given.
        name: String,
    },
    /// Two declarations would have one name.
    #[error(
        "{name} would be declared twice: give operators names of which none begins with another, or another prefix"
    )]
    Clash {
        /// The name.
        name: String,
    },
    /// The operator has no collectives for elements of this type.
    #[error(
        "there are no collectives of {operator} of {element}: there are those of sum, product, min, max, max-abs, count and bits, of f32, \
         f64, i32, u32, i64 and u64, as far as these operators are defined"
    )]
    NoSuchOperator {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
    },
}
