//! Floats of every kind, and devices as this one might be: of which the additions do whatever WGSL lets them, or are integers'
//! throughout.

use crate::{
    device::Gpu,
    inputs::{expect, upload},
    support::{data::mix, elements},
};
use gridfold::{Arithmetic, Reducer, Sum, Variant, shader::Sources};

/// The device as it would be if its additions and products did whatever WGSL lets them where something is subnormal,
/// infinite or NaN, with these shaders. Elsewhere they are the device's own. (But no sum that is out of range is taken for a
/// normal number: no adder does that.)
pub fn taking_liberties(gpu: &Gpu, sources: Sources) -> Gpu {
    const LIBERTIES: &str = "
        fn is_unsafe(bits: u32) -> bool {
            let field = (bits >> 23u) & 255u;
            return field == 255u || (field == 0u && (bits << 1u) != 0u);
        }
        fn or_anything(bits: u32) -> u32 {
            return select(bits, 0x42280000u, is_unsafe(bits));
        }
        fn as_it_likes(a: u32, b: u32, sum: u32) -> u32 {
            if is_unsafe(a) || is_unsafe(b) {
                return 0x42280000u;
            }
            let flushed_or_nan = select(0x80000000u, 0x7f812345u, (sum >> 30u & 1u) == 1u);
            return select(sum, flushed_or_nan, is_unsafe(sum));
        }";
    let sum = "fence(bitcast<f32>(a) + bitcast<f32>(b))";
    let sum_file = "operator/sum_f32.wgsl";
    let vector_files = ["operator/vector_sum_f32.wgsl", "operator/vector_bounds.wgsl@hardware"];
    let window_file = "exact/window.wgsl@f32";
    let product = "fence(bitcast<f32>(a) * bitcast<f32>(b))";
    let product_file = "operator/products.wgsl@f32";
    let moments_file = "operator/moments_f32.wgsl@device";
    let difference = "fence(bitcast<f32>(a) - bitcast<f32>(b))";
    let sources = sources
        .replace(moments_file, sum, &format!("as_it_likes(a, b, {sum})"))
        .and_then(|sources| {
            sources.replace(moments_file, difference, &format!("as_it_likes(a, b, {difference})"))
        })
        .and_then(|sources| {
            sources.replace(moments_file, product, &format!("as_it_likes(a, b, {product})"))
        })
        .and_then(|sources| {
            let text = sources.text(moments_file)?.to_owned() + LIBERTIES;
            sources.with(moments_file, text)
        })
        .and_then(|sources| sources.replace(sum_file, sum, &format!("as_it_likes(a, b, {sum})")))
        // Its modules have sums, too.
        .and_then(|sources| {
            sources.replace(product_file, product, &format!("as_it_likes(a, b, {product})"))
        })
        .and_then(|sources| {
            vector_files.into_iter().try_fold(sources, |sources, file| {
                let text = sources.text(file)?.to_owned() + LIBERTIES;
                let text = text.replacen(sum, &format!("as_it_likes(a, b, {sum})"), 1);
                sources.with(file, text)
            })
        })
        // The results of its other operations are each other's operands.
        .and_then(|sources| sources.replace(window_file, "fence(", "fence_or_anything("))
        .and_then(|sources| {
            let text = sources.text(sum_file)?.to_owned() + LIBERTIES;
            sources.with(sum_file, text)
        })
        .and_then(|sources| {
            let fence = "
                fn fence_or_anything(x: f32) -> u32 { return or_anything(fence(x)); }";
            let text = sources.text(window_file)?.to_owned() + LIBERTIES + fence;
            sources.with(window_file, text)
        });
    let sources = sources.and_then(with_liberties_of_f64s);
    gpu.with_shaders(sources.expect("they are there")).expect("a context")
}

/// The same of f64s.
fn with_liberties_of_f64s(sources: Sources) -> Option<Sources> {
    const LIBERTIES: &str = "
        const ANYTHING = vec2<u32>(0u, 0x40450000u);
        fn is_unsafe(bits: vec2<u32>) -> bool {
            let field = (bits.y >> 20u) & 2047u;
            return field == 2047u || (field == 0u && ((bits.y << 1u) | bits.x) != 0u);
        }
        fn as_it_likes(a: vec2<u32>, b: vec2<u32>, sum: vec2<u32>) -> vec2<u32> {
            if is_unsafe(a) || is_unsafe(b) {
                return ANYTHING;
            }
            let is_large = ((sum.y >> 30u) & 1u) == 1u;
            let flushed_or_nan =
                select(vec2<u32>(0u, 0x80000000u), vec2<u32>(1u, 0x7ff12345u), is_large);
            return select(sum, flushed_or_nan, is_unsafe(sum));
        }";
    let sum = "fence_f64(f64_of(a) + f64_of(b))";
    let product = "fence_f64(f64_of(a) * f64_of(b))";
    let sum_file = "operator/sum_f64.wgsl";
    let text = sources.text(sum_file)?.to_owned() + LIBERTIES;
    let nan_file = "operator/nan_mean_floats.wgsl@f64_hardware";
    let nan_text = sources.text(nan_file)?.to_owned() + LIBERTIES;
    sources
        .with(sum_file, text)?
        .replace(sum_file, sum, &format!("as_it_likes(a, b, {sum})"))?
        .replace("operator/products.wgsl@f64", product, &format!("as_it_likes(a, b, {product})"))?
        .with(nan_file, nan_text)?
        .replace(nan_file, sum, &format!("as_it_likes(a, b, {sum})"))
}

/// The device as it would be if it failed the start-up probe.
pub fn in_software(gpu: &Gpu) -> Gpu {
    gpu.sibling("in software", || Ok(in_software_with(gpu, Sources::default()))).expect("a context")
}

/// The same, with these shaders.
pub fn in_software_with(gpu: &Gpu, sources: Sources) -> Gpu {
    let wrong = sources
        .replace("probe/floats.wgsl", "answers[lane_index] = sum;", "answers[lane_index] = 7u;")
        .and_then(|sources| {
            let wrong = "answers[lane_index] = vec2<u32>(7u);";
            sources.replace("probe/doubles.wgsl", "answers[lane_index] = sum;", wrong)
        })
        .expect("they are there");
    let failed = gpu.with_shaders(wrong).expect("a context");
    assert!(!failed.capabilities().sound_doubles);
    let plan = Reducer::<f32, _>::new(&failed.context, Sum).plan(upload(&failed, &[1.0f32]));
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

pub const MATERIAL: [(&str, Make); 13] = [
    ("random bits", |bits| bits),
    ("finite", |bits| with_exponent(bits, 0, 255)),
    ("subnormal", |bits| bits & (SIGN | FRACTION)),
    ("subnormal and barely normal", |bits| with_exponent(bits, 0, 3)),
    ("around 2^-102", |bits| with_exponent(bits, 23, 5)),
    ("around 2^-102, their differences subnormal", |bits| with_exponent(bits & 0xff80_0003, 23, 5)),
    ("around 2^87", |bits| with_exponent(bits, 212, 5)),
    ("huge", |bits| with_exponent(bits, 250, 5)),
    ("huge and positive", |bits| with_exponent(bits, 250, 5) & !SIGN),
    ("from 1/2 to 2", |bits| with_exponent(bits, 126, 2)),
    ("signed zeros", |bits| bits & SIGN),
    ("few bits", |bits| with_exponent(bits & 0xff80_000f, 0, 30)),
    ("ordinary, some infinite", |bits| {
        if bits.is_multiple_of(5000) { 0x7f80_0000 } else { with_exponent(bits, 120, 10) }
    }),
];

/// One element that hardware can't be trusted with, anywhere.
pub fn outliers(gpu: &Gpu, variant: Variant) {
    let outliers = [1, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0xff80_0000, 0x7fc0_0001];
    for (round, bits) in outliers.into_iter().enumerate() {
        // Their last elements are in each of four rows.
        for len in [1000, 4096, 7000, 8192, 30_000] {
            let mut values = elements::<f32>(len);
            let random = mix(u32::try_from(round * 100_000 + len).expect("small")) as usize % len;
            for place in [0, random, len - 1] {
                let value = std::mem::replace(&mut values[place], f32::from_bits(bits));
                let input = upload(gpu, &values);
                let what = format!("{bits:#x} at {place}");
                expect::<f32, _>(gpu, variant, std::slice::from_ref(&input), &values, &what, Sum);
                // In a launch that the next one goes on from, or that goes on.
                let cut = len as u64 / 2;
                let parts =
                    [0..cut, cut..len as u64].map(|part| input.slice(part).expect("within"));
                expect::<f32, _>(gpu, variant, &parts, &values, &what, Sum);
                values[place] = value;
            }
        }
    }
}
