//! Modules of users' kernels with collectives: of each operator, of flags, of several types of values.

#[path = "../../tests/support/collectives.rs"]
#[expect(dead_code, reason = "barriers are counted on devices")]
mod kernels;

use gridfold::{
    Capabilities, ElementType, OperatorType, SubgroupSizes, Variant, wgpu,
    wgsl::{Collectives, CollectivesError},
};

/// A device with everything that collectives can use.
pub fn device(max_subgroup_size: u32) -> (Capabilities, wgpu::Limits) {
    let mut capabilities = Capabilities::default();
    capabilities.subgroups = Some(SubgroupSizes { min: 4, max: max_subgroup_size });
    capabilities.coherent_memory = true;
    let limits = wgpu::Limits {
        max_compute_invocations_per_workgroup: 1024,
        max_compute_workgroup_size_x: 1024,
        max_compute_workgroup_storage_size: 32768,
        ..wgpu::Limits::defaults()
    };
    (capabilities, limits)
}

/// Of what kinds totals have text of their own where subgroups have one size.
const KNOWN: [(OperatorType, ElementType); 3] = [
    (OperatorType::Sum, ElementType::F32),
    (OperatorType::Max, ElementType::I32),
    (OperatorType::Sum, ElementType::U64),
];

/// What entry points take.
const PARAMETERS: &str = "fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation)";
/// What they take with subgroups on DX12, as docs/collectives.md says.
const FOR_DX12: &str = "fn main(workgroup: gridfold_Workgroup, invocation: gridfold_Invocation, \
                        @builtin(num_subgroups) num_subgroups: u32)";

/// The modules' names and texts, for workgroups of these sizes.
///
/// # Panics
///
/// If one can't be made.
pub fn all(sizes: &[u32]) -> Vec<(String, String)> {
    let mut modules = Vec::new();
    for &size in sizes {
        for variant in [Variant::Subgroup, Variant::WorkgroupMemory] {
            for sound_floats in [true, false] {
                let (mut capabilities, limits) = device(if size == 64 { 32 } else { 128 });
                capabilities.sound_floats = sound_floats;
                let collectives = || {
                    Collectives::of(&capabilities, &limits)
                        .workgroup_size(size)
                        .items_per_lane(4)
                        .variant(variant)
                };
                let mut add = |what: String, text: Result<String, CollectivesError>| {
                    let way = ["", ", floats in software"][usize::from(!sound_floats)];
                    let name =
                        format!("collectives of {size} lanes, {what}, {}{way}", variant.name());
                    let text = text.expect("there are such collectives");
                    let text = match variant {
                        Variant::Subgroup => text.replacen(PARAMETERS, FOR_DX12, 1),
                        _ => text,
                    };
                    modules.push((name, text));
                };
                for (operator, element) in kernels::operators() {
                    let computes =
                        operator.spec(element).is_some_and(|spec| spec.computes_floats());
                    if sound_floats || computes {
                        let text = kernels::operator_kernel(collectives(), operator, element);
                        add(format!("{operator} {element}"), text);
                    }
                }
                if sound_floats && variant == Variant::Subgroup && size.is_power_of_two() {
                    let one = SubgroupSizes { min: 32, max: 32 };
                    for (operator, element) in KNOWN {
                        let collectives = collectives().subgroup_sizes(one);
                        let text = kernels::operator_kernel(collectives, operator, element);
                        add(format!("{operator} {element}, all subgroups of 32"), text);
                    }
                }
                if sound_floats {
                    add("flags".to_owned(), kernels::flags_kernel(collectives()));
                    for item in kernels::ITEMS {
                        let text = kernels::items_kernel(collectives(), item);
                        add(format!("shuffles of {}", item.0), text);
                        let text = kernels::exchange_kernel(collectives(), item);
                        add(format!("exchanges of {}", item.0), text);
                    }
                    for item in kernels::LONG_ITEMS {
                        let text = kernels::items_kernel(collectives(), item);
                        add(format!("shuffles of {}", item.0), text);
                    }
                    let (sum, f32) = (OperatorType::Sum, ElementType::F32);
                    add("tiles".to_owned(), kernels::tiles_kernel(collectives(), sum, f32));
                    let text = kernels::tile_flags_kernel(collectives());
                    add("flags and values of tiles".to_owned(), text);
                    for item in ["u32", "i32", "f32", "u64", "i64", "f64"] {
                        add(format!("sorts of {item}"), kernels::sort_kernel(collectives(), item));
                    }
                    add("a user's affine".to_owned(), kernels::affine_kernel(collectives()));
                    add("a user's words".to_owned(), kernels::words_kernel(collectives()));
                    add("a ticket".to_owned(), kernels::ticket_kernel(collectives(), sum, f32));
                }
            }
        }
    }
    modules
}
