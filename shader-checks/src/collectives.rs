//! Modules of users' kernels with collectives: of each operator, of flags, of several types of values.

#[path = "../../tests/support/collectives.rs"]
#[expect(dead_code, reason = "barriers are counted on devices")]
mod kernels;

use gridfold::{
    Capabilities, ElementType, OperatorType, SubgroupSizes, Variant, wgpu,
    wgsl::{Collectives, CollectivesError},
};

/// Lanes of the workgroups that there are modules for: one, whole subgroups, partial ones, a power of two and none, of few lanes and of many.
/// Tests on devices have more.
pub const SIZES: [u32; 7] = [1, 33, 64, 95, 128, 256, 1000];

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

/// A module's name and its text.
type Module = (String, String);

/// Workgroups of a size, whose lanes exchange values in one way.
#[derive(Clone, Copy, Debug)]
struct Way {
    size: u32,
    variant: Variant,
    sound_floats: bool,
}

impl Way {
    fn collectives(self) -> Collectives {
        let (mut capabilities, limits) = device(max_subgroup_size(self.size));
        capabilities.sound_floats = self.sound_floats;
        Collectives::of(&capabilities, &limits)
            .workgroup_size(self.size)
            .items_per_lane(items_per_lane(self.size))
            .variant(self.variant)
    }

    fn module(self, what: &str, text: Result<String, CollectivesError>) -> Module {
        let Self { size, variant, sound_floats } = self;
        let way = if sound_floats { "" } else { ", floats in software" };
        let name = format!("collectives of {size} lanes, {what}, {}{way}", variant.name());
        let text = text.expect("there are such collectives");
        let text = match variant {
            Variant::Subgroup => text.replacen(PARAMETERS, FOR_DX12, 1),
            _ => text,
        };
        (name, text)
    }
}

/// The largest subgroup, which decides how lanes vote: each way is seen with whole subgroups and with partial ones.
const fn max_subgroup_size(size: u32) -> u32 {
    match size {
        33 | 64 | 256 => 32,
        _ => 128,
    }
}

/// Items of a lane: odd numbers, few, and as many as make places in memory meet.
const fn items_per_lane(size: u32) -> u32 {
    match size {
        1 | 128 | 256 => 8,
        33 | 1000 => 3,
        95 => 2,
        _ => 4,
    }
}

/// The modules' names and texts, for workgroups of these sizes.
///
/// # Panics
///
/// If one can't be made.
pub fn all(sizes: &[u32]) -> Vec<(String, String)> {
    let mut modules = Vec::new();
    for &size in sizes {
        for variant in [Variant::Subgroup, Variant::WorkgroupMemory] {
            let way = Way { size, variant, sound_floats: true };
            modules.extend(of_operators(way));
            modules.extend(of_values(way));
            modules.extend(of_workgroups(way));
            if variant == Variant::WorkgroupMemory {
                modules.extend(of_groups(way));
            } else if size.is_power_of_two() {
                modules.extend(of_known_sizes(way));
            }
        }
    }
    modules
}

/// The operators with a text of their own: wide sums and products of 64 bits are sums and products.
fn operators() -> impl Iterator<Item = (OperatorType, ElementType)> {
    kernels::operators().into_iter().filter(|(operator, element)| {
        let is_wide = matches!(*operator, OperatorType::SumWide | OperatorType::ProductWide);
        !is_wide || matches!(element, ElementType::I32 | ElementType::U32)
    })
}

fn computes_floats(operator: OperatorType, element: ElementType) -> bool {
    operator.spec(element).is_some_and(|spec| spec.computes_floats())
}

fn of_operators(way: Way) -> Vec<Module> {
    let mut modules = Vec::new();
    for (operator, element) in operators() {
        // f64s are always computed in integers.
        let also = computes_floats(operator, element) && element != ElementType::F64;
        let in_software = also.then_some(Way { sound_floats: false, ..way });
        for way in [way].into_iter().chain(in_software) {
            let text = kernels::operator_kernel(way.collectives(), operator, element);
            modules.push(way.module(&format!("{operator} {element}"), text));
        }
    }
    for (operator, element) in &KNOWN[..2] {
        let text = kernels::tiles_kernel(way.collectives(), *operator, *element);
        modules.push(way.module(&format!("tiles of {operator} {element}"), text));
    }
    modules.push(way.module("a user's affine", kernels::affine_kernel(way.collectives())));
    modules.push(way.module("a user's words", kernels::words_kernel(way.collectives())));
    modules
}

fn of_values(way: Way) -> Vec<Module> {
    let mut modules = vec![
        way.module("flags", kernels::flags_kernel(way.collectives())),
        way.module("flags and values of tiles", kernels::tile_flags_kernel(way.collectives())),
    ];
    for item in kernels::ITEMS.into_iter().chain(kernels::LONG_ITEMS) {
        let text = kernels::items_kernel(way.collectives(), item);
        modules.push(way.module(&format!("shuffles of {}", item.0), text));
    }
    for item in kernels::ITEMS {
        let text = kernels::exchange_kernel(way.collectives(), item);
        modules.push(way.module(&format!("exchanges of {}", item.0), text));
    }
    for item in ["u32", "i32", "f32", "u64", "i64", "f64"] {
        let text = kernels::sort_kernel(way.collectives(), item);
        modules.push(way.module(&format!("sorts of {item}"), text));
    }
    modules
}

/// Totals of a dispatch, and of workgroups again and again.
fn of_workgroups(way: Way) -> Vec<Module> {
    let ticket = |element| {
        let text = kernels::ticket_kernel(way.collectives(), OperatorType::Sum, element);
        way.module(&format!("a ticket of sum {element}"), text)
    };
    let own = kernels::own_ticket_kernel(way.collectives());
    vec![
        ticket(ElementType::F32),
        ticket(ElementType::U64),
        way.module("a ticket of a user's affine", own),
        way.module("sums, call after call", kernels::repeated_kernel(way.collectives())),
    ]
}

/// Text for subgroups of one size: of all that has one for the most usual size, and of each kind for the others.
fn of_known_sizes(way: Way) -> Vec<Module> {
    let mut modules = Vec::new();
    for size in [4, 8, 16, 32, 64, 128] {
        let sizes = SubgroupSizes { min: size, max: size };
        let collectives = || way.collectives().subgroup_sizes(sizes);
        let mut add = |what: &str, text: Result<String, CollectivesError>| {
            modules.push(way.module(&format!("{what}, all subgroups of {size}"), text));
        };
        for (operator, element) in operators() {
            let is_usual = size == 32 && !computes_floats(operator, element);
            if is_usual || KNOWN.contains(&(operator, element)) {
                let text = kernels::operator_kernel(collectives(), operator, element);
                add(&format!("{operator} {element}"), text);
            }
        }
        if size == 32 {
            let (sum, f32) = (OperatorType::Sum, ElementType::F32);
            add("a ticket of sum f32", kernels::ticket_kernel(collectives(), sum, f32));
            add("sums, call after call", kernels::repeated_kernel(collectives()));
        }
    }
    modules
}

/// What stands for a subgroup in memory, of other sizes than the usual one: larger than the workgroup, whole ones, and a partial one.
fn of_groups(way: Way) -> Vec<Module> {
    let mut modules = Vec::new();
    if !matches!(way.size, 33 | 64 | 95) {
        return modules;
    }
    for size in [4, 8, 16, 64, 128] {
        let collectives = || way.collectives().subgroup_size(size);
        let (sum, f32) = (OperatorType::Sum, ElementType::F32);
        let texts = [
            ("sum f32", kernels::operator_kernel(collectives(), sum, f32)),
            ("flags", kernels::flags_kernel(collectives())),
            ("flags and values of tiles", kernels::tile_flags_kernel(collectives())),
            ("shuffles of u32", kernels::items_kernel(collectives(), kernels::ITEMS[0])),
        ];
        for (what, text) in texts {
            modules.push(way.module(&format!("{what}, groups of {size}"), text));
        }
    }
    modules
}
