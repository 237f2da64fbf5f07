//! Sums of a workgroup, where a quicker way takes values in a range: it takes no others.

use super::{collectives_of, kernels, pair_of, pipeline, run, sizes_of};
use crate::{Case, VULKAN, device::Gpu, support::data::mix};
use gridfold::{ElementType, OperatorType, Sum, Variant, wgsl::twin};

/// What the quicker way adds, in the text, and in one that is wrong.
const QUICK: &str = "= op_op_combine(total,";
const WRONG: &str = "= 1u + op_op_combine(total,";

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "collectives: sums in and out of range", careful_where_needed)
            .only(Variant::Subgroup),
        Case::tier1(VULKAN, "collectives: sums, call after call", call_after_call)
            .only(Variant::Subgroup),
    ]
}

/// With a quicker way that gives wrong sums: they are there if all values are in range, and else right.
pub fn careful_where_needed(gpu: &Gpu, variant: Variant) {
    let power = |exponent: i32| 2f32.powi(exponent);
    let outside = [
        f32::from_bits(1),
        f32::MIN_POSITIVE,
        -power(-103),
        power(114),
        f32::MAX,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    let inside = [0.0, -0.0, -power(-102), power(114).next_down(), 1.0];
    for size in sizes_of(gpu, &[64, 256, 1024]) {
        let collectives = collectives_of(gpu).workgroup_size(size).variant(variant);
        let text = kernels::operator_kernel(collectives, OperatorType::Sum, ElementType::F32)
            .expect("there are such collectives");
        if !gpu.capabilities().sound_floats {
            assert!(!text.contains(QUICK), "there is no adder to be quicker with");
            continue;
        }
        assert!(text.contains(QUICK), "the quicker way is there");
        let pipeline = pipeline(gpu, &text.replace(QUICK, WRONG));
        let last = size as usize - 1;
        // Of any subgroup, and of any lane of one.
        for place in [0, 1, 31, 32, last / 2, last] {
            for special in inside.into_iter().chain(outside) {
                let mut lanes = vec![1.5f32; size as usize];
                lanes[place] = special;
                let input: Vec<u32> = lanes.iter().flat_map(pair_of).collect();
                let slots = run(gpu, &pipeline, size, 17, [0, 4, 2], &input);
                let expected = pair_of(&twin::reduce_all::<f32, _>(&lanes, Sum));
                let is_inside = inside.iter().any(|one| one.to_bits() == special.to_bits());
                for (lane, found) in slots[3].iter().enumerate() {
                    assert_eq!(
                        *found != expected,
                        is_inside,
                        "{special:e} in lane {place} of {size}: lane {lane} has {found:x?}, and {expected:x?} is right"
                    );
                }
            }
        }
    }
}

/// Each call has its own lanes' values, and only those that have one out of range take the longer way.
pub fn call_after_call(gpu: &Gpu, variant: Variant) {
    const CALLS: u32 = 24;
    let is_careful = |call: u32| call % 5 == 2 || call % 5 == 3;
    for size in sizes_of(gpu, &[16, 64, 256]) {
        let collectives = collectives_of(gpu).workgroup_size(size).variant(variant);
        let text = kernels::repeated_kernel(collectives).expect("there are such collectives");
        let calls: Vec<Vec<f32>> = (0..CALLS)
            .map(|call| {
                let value = |lane| (1.0 + mix(call << 16 | lane) as f32) / 1024.0;
                let mut lanes: Vec<f32> = (0..size).map(value).collect();
                if is_careful(call) {
                    lanes[(mix(call) % size) as usize] = f32::from_bits(1 + call);
                }
                lanes
            })
            .collect();
        let input: Vec<u32> = calls.iter().flatten().map(|value| value.to_bits()).collect();
        let run = |text: &str| {
            let pipeline = pipeline(gpu, text);
            run(gpu, &pipeline, size, CALLS as usize, [0, 0, CALLS], &input)
        };
        let expected: Vec<[u32; 2]> =
            calls.iter().map(|lanes| pair_of(&twin::reduce_all::<f32, _>(lanes, Sum))).collect();
        let check = |text: &str, is_right: &dyn Fn(u32) -> bool| {
            for ((call, found), expected) in (0..).zip(run(text)).zip(&expected) {
                assert!(
                    found.iter().all(|found| (found == expected) == is_right(call)),
                    "call {call} of {size} lanes: {found:x?}, and {expected:x?} is right"
                );
            }
        };
        check(&text, &|_| true);
        if gpu.capabilities().sound_floats {
            assert!(text.contains(QUICK), "the quicker way is there");
            check(&text.replace(QUICK, WRONG), &is_careful);
        }
    }
}
