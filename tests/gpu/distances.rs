//! How far apart two sequences are, and how alike: on devices as an independent script says, and as on the CPU.

use crate::{
    Case,
    device::Gpu,
    support::{data, f64_data},
};
use gridfold::{Executor, Variant};
use half::{bf16, f16};

pub fn cases() -> Vec<Case> {
    // Executors choose the variant themselves.
    let case = Case::tier2("distances and similarities", |gpu, _| {
        are_the_vectors(gpu);
        are_the_vectors_of_f64s(gpu);
        are_the_cpus(gpu);
    });
    vec![case.only(Variant::WorkgroupMemory)]
}

/// Of arrays, and now and then of slices of host memory.
fn are_the_vectors(gpu: &Gpu) {
    let executor = Executor::from_context(gpu.context.clone());
    let mut lens = 0;
    let lines = include_str!("../vectors/distances.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [question, kind, seed, len, bits] = fields[..] else { panic!("{line}") };
        let len = len.parse().expect(line);
        let left = data::elements(kind, seed.parse().expect(line), len);
        let mut right = left.clone();
        right.rotate_left(len.min(1));
        let is_distance = question == "squared-distance";
        let check = |found: f32| assert_eq!(format!("{:#010x}", found.to_bits()), bits, "{line}");
        let [x, y] = [&left, &right].map(|side| executor.upload(side).expect("uploads"));
        let found = match is_distance {
            true => x.squared_distance(&y),
            false => x.cosine_similarity(&y),
        };
        check(found.expect("two arrays"));
        if len == 1000 {
            let found = match is_distance {
                true => executor.squared_distance(&left, &right),
                false => executor.cosine_similarity(&left, &right),
            };
            check(found.expect("two slices"));
        }
        lens += len;
    }
    assert!(lens > 0, "there are no vectors");
}

fn are_the_vectors_of_f64s(gpu: &Gpu) {
    let executor = Executor::from_context(gpu.context.clone());
    let mut lens = 0;
    let lines = include_str!("../vectors/distances_f64.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [question, kind, seed, len, bits] = fields[..] else { panic!("{line}") };
        let len = len.parse().expect(line);
        // The CPU has asked for all. These are long enough for more than one round, and short.
        if ![3, 1000, 4097].contains(&len) {
            continue;
        }
        let left = f64_data::generate(kind, seed.parse().expect(line), len);
        let mut right = left.clone();
        right.rotate_left(1);
        let [x, y] = [&left, &right].map(|side| executor.upload(side).expect("uploads"));
        let found = match question {
            "squared-distance" => x.squared_distance(&y),
            _ => x.cosine_similarity(&y),
        };
        assert_eq!(format!("{:#018x}", found.expect("two arrays").to_bits()), bits, "{line}");
        lens += len;
    }
    assert!(lens > 0, "there are no vectors");
}

/// Of many blocks.
fn are_the_cpus(gpu: &Gpu) {
    let executor = Executor::from_context(gpu.context.clone());
    let (left, right) =
        (data::generate("signed", 3, 100_003), data::generate("uniform", 4, 100_003));
    let ask = |executor: &Executor| {
        let answers =
            [executor.squared_distance(&left, &right), executor.cosine_similarity(&left, &right)];
        answers.map(|answer| answer.expect("two slices").to_bits())
    };
    assert_eq!(ask(&executor), ask(&Executor::cpu()));
    macro_rules! of_16_bits {
        ($($element:ident)*) => {$(
            let [x, y] = [&left, &right]
                .map(|side| side.iter().map(|&x| $element::from_f32(x)).collect::<Vec<_>>());
            let ask = |executor: &Executor| {
                let [x, y] = [&x, &y].map(|side| executor.upload(side).expect("uploads"));
                [x.squared_distance(&y), x.cosine_similarity(&y)]
                    .map(|answer| answer.expect("two arrays").to_bits())
            };
            assert_eq!(ask(&executor), ask(&Executor::cpu()));
        )*};
    }
    of_16_bits!(f16 bf16);
    let bytes: Vec<u8> = left.iter().map(|x| x.to_bits().to_le_bytes()[0]).collect();
    let ask = |executor: &Executor| {
        executor.squared_distance(&bytes[1..], &bytes[..bytes.len() - 1]).expect("two slices")
    };
    assert_eq!(ask(&executor), ask(&Executor::cpu()));
}
