//! Scans of more blocks than a row has: the second of three passes goes through several rows of their totals.

use crate::{
    BOTH, Case,
    device::Gpu,
    scans::{assert_same, near_one, numbers, on_cpu, read, slice_of, unwritten},
};
use gridfold::{Element, Operator, Policy, Scan, Scanner, Strategy, Sum, Variant};

/// Elements of the smallest blocks, and blocks of a row.
const BLOCK: usize = 4096;
const ROW: usize = 1024;

pub fn cases() -> Vec<Case> {
    vec![Case::tier1(BOTH, "scans, lengths around a row of blocks", |gpu, variant| {
        let len = (ROW + 9) * BLOCK + 5;
        let words = numbers(len);
        check::<u32, _>(gpu, variant, Scan::inclusive(), &words, Room::Ample, Sum);
        check::<u32, _>(gpu, variant, Scan::exclusive().initial(7), &words, Room::Exact, Sum);
        let whole = &words[..ROW * BLOCK];
        check::<u32, _>(gpu, variant, Scan::inclusive(), whole, Room::Ample, Sum);
        let floats = near_one(len);
        check::<f32, _>(gpu, variant, Scan::inclusive(), &floats, Room::Exact, Sum);
        check::<f32, _>(gpu, variant, Scan::exclusive().initial(0.1), &floats, Room::Ample, Sum);
    })]
}

/// Where the output's buffer ends.
#[derive(Clone, Copy)]
enum Room {
    /// With the last result, which is in no whole vector: as a rule it has a launch of its own, which begins in the second row.
    Exact,
    /// Behind the last vector.
    Ample,
}

fn check<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    scan: Scan<T>,
    elements: &[T],
    room: Room,
    op: Op,
) where
    Op::Out: Element,
{
    let input = slice_of(gpu, elements, 0, 0);
    let after = match room {
        Room::Exact => 0,
        Room::Ample => 16,
    };
    let output = unwritten::<Op::Out>(gpu, elements.len(), 0, after);
    let scanner = Scanner::<T, _>::new(&gpu.context, op).variant(variant).kind(scan);
    let scanner = scanner.strategy(Strategy::TwoPass);
    let scanner = scanner.policy(Policy { min_rows: 4, max_workgroups: 2048 });
    let plan = scanner.plan(&input, &output).expect("plans");
    assert_eq!(plan.block_items, BLOCK as u64, "{plan}");
    assert!(plan.dispatches.len() >= 3, "{plan}");
    scanner.scan_blocking(&input, &output).expect("scans");
    let wanted = on_cpu::<T, _>(scan, elements, op);
    assert_same(&read(gpu, &output), &wanted, || format!("{scan:?}, {plan}"));
}
