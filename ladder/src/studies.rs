//! Studies beside the ladder: what each collective costs, what occupancy and spilling do to rung 12, and products of matrices.
//!
//! A study of a cost is a file in `ladder/studies` with a function `call`, and a line here, with the same on the CPU.

use gridfold::{
    Mechanism, Sum, Variant,
    wgsl::{Collective, Collectives, CollectivesError, twin},
};

/// Lanes of a workgroup, where that is not what the study is about.
pub const LANES: u32 = 256;
/// Items of each lane that are exchanged and sorted.
const ITEMS: u32 = 8;
/// What kernels with subgroups take for DX12, as the documentation of collectives says.
const FOR_DX12: &str = ", @builtin(num_subgroups) num_subgroups: u32";

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../studies/", $name, ".wgsl"))
    };
}

/// What a collective costs.
#[derive(Debug)]
pub struct Cost {
    /// What is called.
    pub name: &'static str,
    text: &'static str,
    collective: Option<Collective>,
    /// Whether the results depend on the size of a subgroup.
    pub is_of_subgroups: bool,
    /// What a call brings each lane, of all lanes' values, and the size of a subgroup.
    on_cpu: fn(&[u32], usize) -> Vec<u32>,
    /// What else it adds to the total.
    adds: fn(&[u32]) -> u32,
}

const fn cost(
    name: &'static str,
    text: &'static str,
    collective: Collective,
    is_of_subgroups: bool,
    on_cpu: fn(&[u32], usize) -> Vec<u32>,
) -> Cost {
    Cost { name, text, collective: Some(collective), is_of_subgroups, on_cpu, adds: |_| 0 }
}

/// Of a collective that counts entries in the total, and gives each a place, which is left out.
const fn of_entries(name: &'static str, text: &'static str) -> Cost {
    Cost {
        adds: |lanes| twin::count(&flags(lanes)),
        ..cost(name, text, Collective::Append, false, |lanes, _| lanes.to_vec())
    }
}

fn same<T: Clone>(value: T, lanes: &[u32]) -> Vec<T> {
    vec![value; lanes.len()]
}

/// Flags without a pattern.
fn flags(lanes: &[u32]) -> Vec<bool> {
    lanes.iter().map(|value| value.wrapping_mul(2_246_822_519) >> 31 == 1).collect()
}

/// What a lane makes of its items.
fn digests(items: &[u32]) -> Vec<u32> {
    let digest = |items: &[u32]| {
        items.iter().fold(0u32, |sum, item| sum.wrapping_mul(3).wrapping_add(*item))
    };
    items.chunks(ITEMS as usize).map(digest).collect()
}

fn items(lanes: &[u32], item: impl Fn(u32) -> u32) -> Vec<u32> {
    lanes.iter().flat_map(|value| (0..ITEMS).map(|i| value.wrapping_add(i))).map(item).collect()
}

/// All costs. The first is of the loop alone.
pub const COSTS: [Cost; 24] = [
    Cost {
        name: "nothing, the loop alone",
        text: text!("nothing"),
        collective: None,
        is_of_subgroups: false,
        on_cpu: |lanes, _| lanes.to_vec(),
        adds: |_| 0,
    },
    cost(
        "subgroup: reduce_all of u32",
        text!("subgroup_reduce"),
        Collective::Reduce,
        true,
        |lanes, size| {
            twin::in_groups(lanes, size, |group| {
                same(twin::reduce_all::<u32, _>(group, Sum), group)
            })
        },
    ),
    cost(
        "subgroup: inclusive_scan of u32",
        text!("subgroup_scan"),
        Collective::Scan,
        true,
        |lanes, size| twin::in_groups(lanes, size, |group| twin::inclusive_scan(group, Sum)),
    ),
    cost(
        "subgroup: count of votes",
        text!("subgroup_vote"),
        Collective::Vote,
        true,
        |lanes, size| twin::in_groups(lanes, size, |group| same(twin::count(&flags(group)), group)),
    ),
    cost("subgroup: rank", text!("subgroup_rank"), Collective::Rank, true, |lanes, size| {
        twin::in_groups(lanes, size, |group| twin::rank(&flags(group)))
    }),
    cost(
        "subgroup: shuffle_xor",
        text!("subgroup_shuffle"),
        Collective::Shuffle,
        true,
        |lanes, size| twin::in_groups(lanes, size, |group| twin::shuffle_xor(group, 1)),
    ),
    cost(
        "subgroup: match of 8 bits",
        text!("subgroup_match"),
        Collective::Match,
        true,
        |lanes, size| {
            let ballots = twin::in_groups(lanes, size, |group| twin::matching(group, 8));
            ballots.iter().map(|words| words[0]).collect()
        },
    ),
    cost(
        "subgroup: segmented_reduce of u32",
        text!("subgroup_segmented_reduce"),
        Collective::SegmentedReduce,
        true,
        |lanes, size| {
            twin::in_groups(lanes, size, |group| {
                let heads: Vec<bool> = group.iter().map(|value| value & 7 == 0).collect();
                twin::segmented_reduce::<u32, _>(group, &heads, Sum)
            })
        },
    ),
    cost(
        "subgroup: compact",
        text!("subgroup_compact"),
        Collective::Compact,
        true,
        |lanes, size| twin::in_groups(lanes, size, |group| twin::compact(group, &flags(group)).0),
    ),
    of_entries("subgroup: append", text!("subgroup_append")),
    cost(
        "tile of 4: reduce_all of u32",
        text!("tile_reduce"),
        Collective::Reduce,
        false,
        |lanes, _| {
            twin::in_groups(lanes, 4, |group| same(twin::reduce_all::<u32, _>(group, Sum), group))
        },
    ),
    cost(
        "workgroup: shuffle",
        text!("workgroup_shuffle"),
        Collective::Shuffle,
        false,
        |lanes, _| {
            let sources: Vec<u32> = lanes.iter().map(|value| value % LANES).collect();
            twin::shuffle(lanes, &sources)
        },
    ),
    cost(
        "workgroup: reduce_all of u32",
        text!("workgroup_reduce"),
        Collective::Reduce,
        false,
        |lanes, _| same(twin::reduce_all::<u32, _>(lanes, Sum), lanes),
    ),
    cost(
        "workgroup: reduce_all of f32",
        text!("workgroup_reduce_f32"),
        Collective::Reduce,
        false,
        // Whole numbers, whose sums are exact.
        |lanes, _| same(lanes.iter().map(|value| 1 + (value >> 28)).sum(), lanes),
    ),
    cost(
        "workgroup: inclusive_scan of u32",
        text!("workgroup_scan"),
        Collective::Scan,
        false,
        |lanes, _| twin::inclusive_scan::<u32, _>(lanes, Sum),
    ),
    cost(
        "workgroup: count of votes",
        text!("workgroup_vote"),
        Collective::Vote,
        false,
        |lanes, _| same(twin::count(&flags(lanes)), lanes),
    ),
    cost("workgroup: rank", text!("workgroup_rank"), Collective::Rank, false, |lanes, _| {
        twin::rank(&flags(lanes))
    }),
    cost(
        "workgroup: compact",
        text!("workgroup_compact"),
        Collective::Compact,
        false,
        |lanes, _| twin::compact(lanes, &flags(lanes)).0,
    ),
    cost(
        "workgroup: segmented_reduce of u32",
        text!("workgroup_segmented_reduce"),
        Collective::SegmentedReduce,
        false,
        |lanes, _| {
            let heads: Vec<bool> = lanes.iter().map(|value| value & 7 == 0).collect();
            twin::segmented_reduce::<u32, _>(lanes, &heads, Sum)
        },
    ),
    of_entries("workgroup: append", text!("workgroup_append")),
    cost(
        "workgroup: to_striped of 8 items",
        text!("workgroup_exchange"),
        Collective::Exchange,
        false,
        |lanes, _| digests(&twin::to_striped(&items(lanes, |item| item), lanes.len())),
    ),
    cost(
        "workgroup: sort of 8 keys",
        text!("workgroup_sort"),
        Collective::Sort,
        false,
        |lanes, _| {
            let keys = items(lanes, |item| item.wrapping_mul(2_246_822_519));
            digests(&twin::sort(&keys, 32, |key| key))
        },
    ),
    cost(
        "workgroup: sort of 8 pairs",
        text!("workgroup_sort_pairs"),
        Collective::Sort,
        false,
        |lanes, _| {
            let keys = items(lanes, |item| item.wrapping_mul(2_246_822_519));
            let pairs: Vec<(u32, u32)> = keys.into_iter().zip(items(lanes, |item| item)).collect();
            let sorted = twin::sort(&pairs, 32, |(key, _)| key);
            digests(&sorted.iter().map(|(key, value)| key ^ value).collect::<Vec<_>>())
        },
    ),
    // Of all workgroups: their totals are as many times one of them.
    cost(
        "dispatch: reduce of u32, one call",
        text!("device_reduce"),
        Collective::Ticket,
        false,
        |lanes, _| same(lanes.iter().map(|value| value & 0xfff).sum(), lanes),
    ),
];

impl Cost {
    /// The kernel, and before it its collectives.
    ///
    /// # Errors
    ///
    /// Where the device has no such collectives.
    pub fn text(&self, collectives: Collectives) -> Result<String, CollectivesError> {
        let collectives = collectives
            .workgroup_size(LANES)
            .items_per_lane(ITEMS)
            .list("total")
            .operator::<u32, _>("sum", Sum)
            .operator::<f32, _>("float", Sum)
            .with(self.collective);
        let has_subgroups = collectives.mechanism()? == Mechanism::Subgroup;
        let kernel = text!("costs").replace(FOR_DX12, if has_subgroups { FOR_DX12 } else { "" });
        Ok([collectives.source()?.as_str(), self.text, &kernel].join("\n"))
    }

    /// Calls of a workgroup in a dispatch, where others have so many: the last workgroup finishes once.
    pub fn rounds(&self, most: u32) -> u32 {
        if self.finishes() { 1 } else { most }
    }

    /// Whether workgroups deliver totals to a buffer at binding 2.
    pub fn finishes(&self) -> bool {
        self.collective == Some(Collective::Ticket)
    }

    /// What all lanes of so many workgroups add up to.
    pub fn expected(&self, workgroups: u32, rounds: u32, subgroup_size: u32) -> u32 {
        let mut lanes: Vec<u32> = (0..LANES).map(|lane| lane.wrapping_mul(2_654_435_761)).collect();
        let mut added = 0u32;
        for round in 0..rounds {
            let values: Vec<u32> = lanes.iter().map(|value| value.wrapping_add(round)).collect();
            added = added.wrapping_add((self.adds)(&values));
            let results = (self.on_cpu)(&values, subgroup_size as usize);
            let next = |(lane, result): (u32, u32)| {
                result.wrapping_mul(2_246_822_519).wrapping_add(lane.wrapping_mul(40503))
            };
            lanes = (0u32..).zip(results).map(next).collect();
        }
        let sum = lanes.into_iter().fold(added, u32::wrapping_add);
        sum.wrapping_mul(workgroups)
    }
}

/// A sum of all elements whose workgroups are made more demanding.
#[derive(Debug)]
pub struct Occupancy {
    /// What is demanded.
    pub name: &'static str,
    texts: [&'static str; 2],
    /// Lanes of a workgroup.
    pub lanes: u32,
    /// The pipeline's constant.
    pub constant: Option<(&'static str, u32)>,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
}

const fn of_size(name: &'static str, lanes: u32) -> Occupancy {
    let texts = ["", text!("workgroup_sizes")];
    let workgroup_bytes = 4 * lanes;
    Occupancy { name, texts, lanes, constant: Some(("LANES", lanes)), workgroup_bytes }
}

const fn with_ballast(name: &'static str, bytes: u32) -> Occupancy {
    let texts = ["", text!("ballast")];
    let constant = Some(("BALLAST_WORDS", bytes / 4));
    Occupancy { name, texts, lanes: LANES, constant, workgroup_bytes: bytes }
}

const fn spilled(name: &'static str, words: &'static str) -> Occupancy {
    let texts = [words, text!("spill")];
    Occupancy { name, texts, lanes: LANES, constant: None, workgroup_bytes: 4 * LANES }
}

/// All of these.
pub const OCCUPANCIES: [Occupancy; 15] = [
    of_size("workgroups of 32", 32),
    of_size("workgroups of 64", 64),
    of_size("workgroups of 128", 128),
    of_size("workgroups of 256", 256),
    of_size("workgroups of 512", 512),
    of_size("workgroups of 1024", 1024),
    with_ballast("1 KiB of workgroup memory", 1 << 10),
    with_ballast("4 KiB of workgroup memory", 4 << 10),
    with_ballast("8 KiB of workgroup memory", 8 << 10),
    with_ballast("16 KiB of workgroup memory", 16 << 10),
    with_ballast("32 KiB of workgroup memory", 32 << 10),
    spilled("an array of 4 words", text!("spilled_4")),
    spilled("an array of 16 words", text!("spilled_16")),
    spilled("an array of 64 words", text!("spilled_64")),
    spilled("an array of 256 words", text!("spilled_256")),
];

impl Occupancy {
    /// WGSL.
    pub fn text(&self) -> String {
        let [words, kernel] = self.texts;
        [words, text!("occupancy"), kernel].join("\n")
    }
}

/// Rows of a matrix on a GPU, where a dispatch has a workgroup for each element, and on drivers in software.
pub const MATRIX_SIZES: [u32; 2] = [240, 64];

/// A product of matrices, by the kernels of examples/matrix_product.
#[derive(Debug)]
pub struct Product {
    /// In a few words.
    pub name: &'static str,
    /// The kernel's name.
    pub entry_point: &'static str,
    /// Workgroups of a dispatch, for so many rows.
    pub workgroups: fn(u32) -> u32,
    /// How many lanes use what one has loaded.
    sharing: u64,
}

impl Product {
    /// Bytes that all lanes load, of matrices with so many rows.
    pub fn loaded_bytes(&self, size: u32) -> u64 {
        2 * 4 * u64::from(size).pow(3) / self.sharing
    }
}

/// Multiplications and additions of a product of matrices with so many rows.
pub fn product_operations(size: u32) -> u64 {
    2 * u64::from(size).pow(3)
}

/// Both.
pub const PRODUCTS: [Product; 2] = [
    Product {
        name: "a workgroup for each element",
        entry_point: "naive",
        workgroups: |size| size * size,
        sharing: 1,
    },
    Product {
        name: "tiles of 8 x 8 elements",
        entry_point: "tiled",
        workgroups: |size| size.div_ceil(8).pow(2),
        sharing: 8,
    },
];

/// The kernels of products, and before them their collectives.
///
/// # Errors
///
/// Where the device has no such collectives.
pub fn products_text(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives
        .workgroup_size(LANES)
        .operator::<f32, _>("inner", Sum)
        .with([Collective::Reduce]);
    let has_subgroups = collectives.mechanism()? == Mechanism::Subgroup;
    let kernel = include_str!("../../examples/matrix_product/kernel.wgsl");
    let kernel = kernel.replace(FOR_DX12, if has_subgroups { FOR_DX12 } else { "" });
    Ok([collectives.source()?, kernel].join("\n"))
}

/// An element of a matrix: a small whole number, so that products are exact.
pub fn matrix_element(index: u32, of: u32) -> f32 {
    f32::from(u8::try_from(index.wrapping_mul(of) % 15).unwrap_or(0)) - 7.0
}

/// An element of the product of the matrices of these two, with so many rows.
pub fn product_element(index: u32, size: u32, [left, right]: [u32; 2]) -> f32 {
    let (row, column) = (index / size, index % size);
    (0..size)
        .map(|i| matrix_element(row * size + i, left) * matrix_element(i * size + column, right))
        .sum()
}

/// The ways in which lanes exchange values.
pub const VARIANTS: [Variant; 2] = [Variant::Subgroup, Variant::WorkgroupMemory];

#[cfg(test)]
mod tests {
    use super::*;
    use gridfold::{Capabilities, wgpu::Limits};
    use std::{fs, path::Path};

    /// Every file is in some study.
    #[test]
    fn every_file_is_used() {
        let mut capabilities = Capabilities::default();
        capabilities.coherent_memory = true;
        let collectives = || Collectives::of(&capabilities, &Limits::defaults());
        let costs = COSTS.iter().map(|cost| cost.text(collectives()).expect("there are such"));
        let texts: Vec<String> = costs.chain(OCCUPANCIES.iter().map(Occupancy::text)).collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("studies");
        for entry in fs::read_dir(root).expect("a folder") {
            let path = entry.expect("an entry").path();
            let file = fs::read_to_string(&path).expect("a text").replace(FOR_DX12, "");
            assert!(texts.iter().any(|text| text.contains(&file)), "{}", path.display());
        }
    }

    /// Values change from round to round, so that no call can be left out.
    #[test]
    fn calls_depend_on_each_other() {
        for cost in &COSTS {
            let sums = [1, 2, 3].map(|rounds| cost.expected(1, rounds, 32));
            assert!(sums[0] != sums[1] && sums[1] != sums[2], "{}", cost.name);
            assert_eq!(cost.expected(3, 2, 32), sums[1].wrapping_mul(3));
        }
    }

    #[test]
    fn products_are_exact() {
        for size in MATRIX_SIZES {
            let most = f32::from(u16::try_from(49 * size).expect("few"));
            assert!(most < 16_777_216.0 && product_element(7, size, [7, 11]).abs() <= most);
            // A dispatch has as many in a dimension.
            assert!(PRODUCTS.iter().all(|product| (product.workgroups)(size) <= 65_535));
        }
    }
}
