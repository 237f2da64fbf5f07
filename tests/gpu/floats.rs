//! f32 sums and products of anything: subnormal, huge, infinite, NaN; by the device's arithmetic and by
//! integers throughout.

use crate::{
    Case,
    device::Gpu,
    inputs::{expect, upload},
    support::{data::mix, elements},
};
use gridfold::{Arithmetic, GpuSlice, Operator, Product, Reducer, Sum, Variant, shader::Sources};

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("f32 sums of anything", |gpu, variant| anything::<Sum>(gpu, variant, 0)),
        Case::new("f32 products of anything", |gpu, variant| anything::<Product>(gpu, variant, 1)),
        Case::new("f32 sums and products of anything, in software", |gpu, variant| {
            let gpu = &in_software(gpu);
            anything::<Sum>(gpu, variant, 2);
            anything::<Product>(gpu, variant, 3);
        }),
        Case::new("f32 sums with one outlier", outliers),
    ]
}

/// The device as it would be if it failed the start-up probe.
pub fn in_software(gpu: &Gpu) -> Gpu {
    let wrong = Sources::default()
        .replace("probe_floats.wgsl", "answers[lane_index] = sum;", "answers[lane_index] = 7u;")
        .expect("it is there");
    let failed = gpu.with_shaders(wrong).expect("a context");
    let plan = Reducer::<f32, Sum>::new(&failed.context).plan(upload(&failed, &[1.0f32]));
    assert_eq!(plan.expect("plans").arithmetic, Arithmetic::Software);
    failed
}

/// Makes a value of 32 random bits.
pub type Make = fn(u32) -> u32;

const SIGN: u32 = 0x8000_0000;
const FRACTION: u32 = 0x007f_ffff;

/// A sign, an exponent from `low` on, and a fraction.
fn with_exponent(bits: u32, low: u32, exponents: u32) -> u32 {
    (bits & (SIGN | FRACTION)) | ((low + (bits >> 23 & 0xff) % exponents) << 23)
}

pub const MATERIAL: [(&str, Make); 11] = [
    ("random bits", |bits| bits),
    ("finite", |bits| with_exponent(bits, 0, 255)),
    ("subnormal", |bits| bits & (SIGN | FRACTION)),
    ("subnormal and barely normal", |bits| with_exponent(bits, 0, 3)),
    ("around 2^-102", |bits| with_exponent(bits, 23, 5)),
    ("around 2^87", |bits| with_exponent(bits, 212, 5)),
    ("huge", |bits| with_exponent(bits, 250, 5)),
    ("huge and positive", |bits| with_exponent(bits, 250, 5) & !SIGN),
    ("signed zeros", |bits| bits & SIGN),
    ("few bits", |bits| with_exponent(bits & 0xff80_000f, 0, 30)),
    ("ordinary, some infinite", |bits| {
        if bits.is_multiple_of(5000) { 0x7f80_0000 } else { with_exponent(bits, 120, 10) }
    }),
];

pub fn anything<Op: Operator<f32>>(gpu: &Gpu, variant: Variant, seed: u32) {
    for (what, make) in MATERIAL {
        for len in [1, 2, 3, 300, 5000, 20_001] {
            let start = mix(seed.wrapping_mul(77) + len);
            let values: Vec<f32> =
                (0..len).map(|i| f32::from_bits(make(mix(start.wrapping_add(i))))).collect();
            let whole = upload(gpu, &values);
            expect::<f32, Op>(gpu, variant, std::slice::from_ref(&whole), &values, what);
            // In slices, whose lanes are suspended and resumed.
            let cuts = [0, u64::from(len) / 5, u64::from(len) / 2, u64::from(len)];
            let slices: Vec<GpuSlice<f32>> =
                cuts.windows(2).map(|cut| whole.slice(cut[0]..cut[1]).expect("within")).collect();
            expect::<f32, Op>(gpu, variant, &slices, &values, what);
        }
    }
}

/// One element that hardware can't be trusted with, anywhere.
fn outliers(gpu: &Gpu, variant: Variant) {
    let outliers = [1, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0xff80_0000, 0x7fc0_0001];
    for (round, bits) in outliers.into_iter().enumerate() {
        for len in [1000, 4096, 8192, 30_000] {
            let mut values = elements::<f32>(len);
            let place = mix(u32::try_from(round * 100_000 + len).expect("small")) as usize % len;
            values[place] = f32::from_bits(bits);
            let input = upload(gpu, &values);
            let what = format!("{bits:#x} at {place}");
            expect::<f32, Sum>(gpu, variant, &[input], &values, &what);
        }
    }
}
