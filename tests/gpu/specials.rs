//! Values of f32 with rules of their own.

use crate::{BOTH, Case, device::Gpu, inputs::upload};
use gridfold::{Max, Min, Operator, Product, Reducer, Sum, Variant};

const NAN: u32 = 0x7fc0_0000;
const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;
const MAX: u32 = 0x7f7f_ffff;
const SMALLEST: u32 = 1;
const SMALLEST_NORMAL: u32 = 0x0080_0000;
const ONE: u32 = 0x3f80_0000;

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "f32 minima and maxima of special values", extrema),
        Case::tier1(BOTH, "f32 products of special values", products),
        Case::tier1(BOTH, "f32 sums of special values", sums),
    ]
}

/// Reduces the values alone, and among many neutral ones, at either end and in the middle.
fn expect<Op: Operator<f32, Out = f32> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    bits: &[u32],
    neutral: u32,
    result: u32,
    op: Op,
) {
    let reducer = Reducer::<f32, _>::new(&gpu.context, op).variant(variant);
    let values: Vec<f32> = bits.iter().map(|&bits| f32::from_bits(bits)).collect();
    for (before, after) in [(0, 0), (5000, 0), (0, 5000), (4096, 4097)] {
        let mut padded = vec![f32::from_bits(neutral); before];
        padded.extend(&values);
        padded.resize(padded.len() + after, f32::from_bits(neutral));
        let value = reducer.reduce_blocking(upload(gpu, &padded)).expect("reduces");
        let found = Op::out(value).expect("not empty").to_bits();
        assert_eq!(
            found,
            result,
            "{} of {bits:x?} between {before} and {after} of {neutral:#x}: {found:#x}, expected \
             {result:#x}",
            op.spec().operator,
        );
    }
}

pub fn extrema(gpu: &Gpu, variant: Variant) {
    let min = |bits: &[u32], result| expect(gpu, variant, bits, INF, result, Min);
    let max = |bits: &[u32], result| expect(gpu, variant, bits, INF | NEG, result, Max);
    for nan in [NAN, NAN | NEG, 0x7f80_0001, 0xffff_ffff] {
        min(&[nan], NAN);
        max(&[nan], NAN);
        min(&[ONE, nan, INF | NEG], NAN);
        max(&[ONE, nan, INF], NAN);
    }
    min(&[0, NEG], NEG);
    max(&[0, NEG], 0);
    min(&[NEG, 0], NEG);
    max(&[NEG, NEG], NEG);
    min(&[INF], INF);
    max(&[INF | NEG], INF | NEG);
    min(&[ONE, INF | NEG], INF | NEG);
    max(&[ONE, INF], INF);
    // Subnormals are told apart.
    min(&[SMALLEST + 1, SMALLEST], SMALLEST);
    max(&[SMALLEST, SMALLEST + 1, NEG | SMALLEST], SMALLEST + 1);
    min(&[NEG | SMALLEST, NEG | (SMALLEST + 1), 0], NEG | (SMALLEST + 1));
    max(&[NEG | SMALLEST, NEG | (SMALLEST + 1)], NEG | SMALLEST);
}

pub fn products(gpu: &Gpu, variant: Variant) {
    let product = |bits: &[u32], result| expect(gpu, variant, bits, ONE, result, Product);
    product(&[NAN, ONE], NAN);
    product(&[0xffff_ffff, 0], NAN);
    product(&[0, INF], NAN);
    product(&[NEG, ONE, INF | NEG], NAN);
    product(&[INF, ONE | NEG], INF | NEG);
    product(&[INF | NEG, ONE | NEG], INF);
    product(&[0, ONE | NEG], NEG);
    product(&[NEG, NEG], 0);
    product(&[MAX, MAX], INF);
    product(&[MAX, MAX | NEG, ONE], INF | NEG);
    // Nothing overflows or underflows midway.
    product(&[MAX, MAX, SMALLEST_NORMAL, SMALLEST_NORMAL], 0x417f_fffe);
    product(&[SMALLEST, 0x7f00_0000], 0x3480_0000);
    // Subnormal results: exact, ties to even, and too small.
    product(&[SMALLEST, ONE], SMALLEST);
    product(&[SMALLEST_NORMAL, 0x3f00_0000], 0x0040_0000);
    product(&[3, 0x3f00_0000], 2);
    product(&[1, 0x3f00_0000], 0);
    product(&[5, 0x3f00_0000], 2);
    product(&[7, 0x3f00_0000 | NEG], 4 | NEG);
    product(&[1, 0x3f00_0001], 1);
    product(&[SMALLEST, SMALLEST | NEG], NEG);
    product(&[0x00ff_ffff, 0x3f00_0000], SMALLEST_NORMAL);
}

/// Sums that are the same whether or not a device keeps subnormals.
pub fn sums(gpu: &Gpu, variant: Variant) {
    let sum = |bits: &[u32], result| expect(gpu, variant, bits, 0, result, Sum);
    sum(&[0, 0], 0);
    sum(&[NEG, NEG], 0);
    sum(&[ONE, ONE | NEG], 0);
    sum(&[NAN], NAN);
    sum(&[0xffff_ffff, ONE], NAN);
    sum(&[INF, INF | NEG], NAN);
    sum(&[INF, ONE], INF);
    sum(&[MAX, MAX], INF);
}
