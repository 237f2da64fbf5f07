//! Exact sums: the same bits as on the CPU, for any elements in any order and cut anyhow, by windows and by
//! integers alone.

use crate::{
    Case,
    device::Gpu,
    floats::{MATERIAL, in_software},
    inputs::upload,
    support::data::mix,
};
use gridfold::{GpuSlice, Precision, Reducer, Sum, Variant, exact};

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("exact sums of anything", |gpu, variant| anything(gpu, variant, 0)),
        Case::new("exact sums of anything, in software", |gpu, variant| {
            anything(&in_software(gpu), variant, 1);
        }),
    ]
}

fn anything(gpu: &Gpu, variant: Variant, seed: u32) {
    for (what, make) in MATERIAL {
        for len in [0, 1, 2, 3, 300, 5000, 4096 * 5, 100_001] {
            let start = mix(seed.wrapping_mul(77) + len);
            let values: Vec<f32> =
                (0..len).map(|i| f32::from_bits(make(mix(start.wrapping_add(i))))).collect();
            let whole = upload(gpu, &values);
            expect(gpu, variant, std::slice::from_ref(&whole), &values, what);
            let cuts = [0, u64::from(len) / 5, u64::from(len) / 2, u64::from(len)];
            let slices: Vec<GpuSlice<f32>> =
                cuts.windows(2).map(|cut| whole.slice(cut[0]..cut[1]).expect("within")).collect();
            expect(gpu, variant, &slices, &values, what);
        }
    }
}

fn expect(gpu: &Gpu, variant: Variant, slices: &[GpuSlice<f32>], values: &[f32], what: &str) {
    let sum = Reducer::<f32, Sum>::new(&gpu.context).variant(variant).precision(Precision::Exact);
    let reduction = sum.measure_blocking(slices).expect("reduces");
    let expected = exact::sum(values).to_f32();
    assert_eq!(
        reduction.value.to_bits(),
        expected.to_bits(),
        "{what}, {} elements in {} slices: {}, expected {expected}; {}",
        values.len(),
        slices.len(),
        reduction.value,
        reduction.plan,
    );
}
