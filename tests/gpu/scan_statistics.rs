//! Scans whose results or accumulators have many words: variances and moments, both places at once, and elements of several components.

use crate::{
    Case, VULKAN,
    device::Gpu,
    scan_operators::{few_values, last},
    scans::{
        assert_same, doubles, near_one, numbers, on_cpu, read, slice_of, takes_initial, unwritten,
    },
};
use gridfold::{
    ArgMinMax, BitXor, Bounds, BriefMoments, Count, Element, Executor, HostSlices, Max, MaxAbs,
    Mean, Min, Moments, Nan, Operator, Policy, Product, Scan, Scanner, Strategy, Sum, SumWide,
    Variance, Variant,
    half::{bf16, f16},
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("scans, variances", |gpu, variant| {
            check::<f32, _>(gpu, variant, &near_one(20_001), Variance);
            check::<f32, _>(gpu, variant, &hostile(9001), Variance.sample());
            check::<f32, _>(gpu, variant, &[1e8, 1e8 + 8.0, 1e8 - 24.0].repeat(3000), Variance);
            let halves: Vec<f16> = near_one(9001).into_iter().map(f16::from_f32).collect();
            check::<f16, _>(gpu, variant, &halves, Variance);
            last::<f32, _>(gpu, variant, &near_one(20_001), Variance);
        }),
        Case::tier2("scans, moments", |gpu, variant| {
            check::<f32, _>(gpu, variant, &near_one(9001), BriefMoments);
            check::<f32, _>(gpu, variant, &hostile(9001), BriefMoments);
            check::<f32, _>(gpu, variant, &with_nan(near_one(9001)), Moments);
            let halves: Vec<bf16> = near_one(9001).into_iter().map(bf16::from_f32).collect();
            check::<bf16, _>(gpu, variant, &halves, BriefMoments);
            last::<f32, _>(gpu, variant, &near_one(9001), Moments);
        }),
        // Drivers in software compile these for long.
        Case::tier2("scans, variances and moments of f64", |gpu, variant| {
            check::<f64, _>(gpu, variant, &doubles(20_001), Variance.sample());
            check::<f64, _>(gpu, variant, &doubles(9001), BriefMoments);
            check::<f64, _>(gpu, variant, &doubles(9001), Moments);
        }),
        Case::tier2("scans, both places", |gpu, variant| {
            check::<f32, _>(gpu, variant, &near_one(20_001), ArgMinMax);
            check::<f32, _>(gpu, variant, &few_values(20_001), ArgMinMax.last());
            check::<f32, _>(gpu, variant, &with_nan(few_values(9001)), ArgMinMax.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &with_nan(few_values(9001)), ArgMinMax.nan(Nan::Total));
            let wide: Vec<u64> =
                numbers(20_001).iter().map(|&x| u64::from(x >> 25) << 40).collect();
            check::<u64, _>(gpu, variant, &wide, ArgMinMax);
            let bytes: Vec<u8> = numbers(20_001).iter().map(|x| x.to_le_bytes()[3]).collect();
            check::<u8, _>(gpu, variant, &bytes, ArgMinMax.last());
        }),
        Case::tier2("scans, several components", |gpu, variant| {
            let floats = near_one(60_003);
            check::<[f32; 3], _>(gpu, variant, floats.as_chunks().0, Sum);
            check::<[f32; 3], _>(gpu, variant, &floats.as_chunks().0[..9001], Bounds);
            let signed: Vec<i32> = numbers(36_004).iter().map(|word| word.cast_signed()).collect();
            check::<[i32; 4], _>(gpu, variant, &signed.as_chunks().0[..9001], SumWide);
            check::<[i32; 2], _>(gpu, variant, &signed.as_chunks().0[..9001], Max);
        }),
        Case::tier2("scans, several components, by other operators", |gpu, variant| {
            let floats = near_one(60_003);
            check::<[f32; 2], _>(gpu, variant, &floats.as_chunks().0[..9001], Mean);
            check::<[f32; 4], _>(gpu, variant, &floats.as_chunks().0[..9001], Product);
            check::<[f32; 2], _>(gpu, variant, &floats.as_chunks().0[..9001], Count);
            let words = numbers(60_003);
            check::<[u32; 3], _>(gpu, variant, words.as_chunks().0, Min);
            check::<[u32; 2], _>(gpu, variant, &words.as_chunks().0[..9001], BitXor);
            let signed: Vec<i32> = words.iter().map(|word| word.cast_signed()).collect();
            check::<[i32; 3], _>(gpu, variant, &signed.as_chunks().0[..9001], MaxAbs);
        }),
        Case::tier2("scans of many words, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                check::<f32, _>(gpu, variant, &near_one(33_000), Variance);
                check::<f32, _>(gpu, variant, &with_nan(near_one(9001)), BriefMoments);
                check::<f32, _>(gpu, variant, &few_values(20_001), ArgMinMax);
                check::<[f32; 3], _>(gpu, variant, near_one(30_003).as_chunks().0, Sum);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(VULKAN, "scans of many words, more blocks than a row", |gpu, variant| {
            let elements = near_one(300 * 4096 + 5);
            let input = slice_of(gpu, &elements, 0, 0);
            let output = unwritten::<f32>(gpu, elements.len(), 4, 0);
            let scanner = Scanner::<f32, _>::new(&gpu.context, Variance).variant(variant);
            let scanner = scanner.policy(Policy { min_rows: 4, max_workgroups: 2048 });
            scanner.scan_blocking(&input, &output).expect("scans");
            let wanted = on_cpu::<f32, _>(Scan::inclusive(), &elements, Variance);
            assert_same(&read(gpu, &output), &wanted, || "variances".to_owned());
        }),
        Case::tier1(VULKAN, "scans, values of executors", values).only(Variant::WorkgroupMemory),
    ]
}

/// Any bits.
fn hostile(len: usize) -> Vec<f32> {
    numbers(len).into_iter().map(f32::from_bits).map(|x| if x.is_nan() { 0.5 } else { x }).collect()
}

/// A NaN far behind the first element.
fn with_nan(mut elements: Vec<f32>) -> Vec<f32> {
    let place = elements.len() / 2 + 3;
    elements[place] = f32::NAN;
    elements
}

/// Around rows, rounds and blocks; results from any word on; of one slice and of two.
fn check<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, elements: &[T], op: Op) {
    let lens = [1, 2, 5, 255, 257, 1029, 4096, 8191, 8200, elements.len()];
    for (number, len) in lens.into_iter().enumerate() {
        let len = len.min(elements.len());
        let elements = &elements[..len];
        let slices = match number % 2 {
            0 => vec![slice_of(gpu, elements, 0, 16)],
            _ => vec![
                slice_of(gpu, &elements[..len / 3], 4, 4),
                slice_of(gpu, &elements[len / 3..], 8, 0),
            ],
        };
        let exclusive = match takes_initial::<T, _>(op) {
            true => Scan::exclusive().initial(elements[len - 1]),
            false => Scan::exclusive(),
        };
        for (shift, scan) in [Scan::inclusive(), exclusive].into_iter().enumerate() {
            let wanted = on_cpu::<T, _>(scan, elements, op);
            let output = unwritten::<Op::Out>(gpu, len, 4 * shift, 16);
            let scanner = Scanner::<T, _>::new(&gpu.context, op).variant(variant).kind(scan);
            // What such scans do not go in.
            let scanner = match gpu.capabilities().coherent_memory {
                true => scanner.strategy(Strategy::SinglePass),
                false => scanner,
            };
            let scanner = scanner.policy(Policy { min_rows: 4, max_workgroups: 2048 });
            scanner.scan_blocking(&slices[..], &output).expect("scans");
            let plan = scanner.plan(&slices[..], &output).expect("plans");
            assert_eq!(plan.strategy, Strategy::TwoPass);
            assert_same(&read(gpu, &output), &wanted, || format!("{scan:?}, {plan}"));
        }
    }
}

/// What calls that return a value report, of the elements so far.
fn values(gpu: &Gpu, _: Variant) {
    let executor = Executor::from_context(gpu.context.clone());
    let elements = with_nan(few_values(5001));
    let array = executor.upload(&elements).expect("uploads");
    let statistics = array.scan_values(Scan::inclusive(), BriefMoments).expect("scans");
    let places = array.scan_values(Scan::exclusive(), ArgMinMax).expect("scans");
    assert_eq!((statistics.len(), places.len()), (5001, 5001));
    for len in [0, 1, 2, 1000, 2503, 2504, 5000] {
        let before = array.slice(0..len).expect("within");
        let wanted = before.arg_min_max().expect("reduces");
        let at = usize::try_from(len).expect("short");
        assert_eq!(format!("{:?}", places[at]), format!("{wanted:?}"), "{len}");
        let own = array.slice(0..len + 1).expect("within").brief_moments().expect("reduces");
        assert_eq!(format!("{:?}", statistics[at]), format!("{own:?}"), "{len}");
    }
    let on_device = executor.host_slices(HostSlices::OnDevice);
    let found = on_device.scan_values(Scan::inclusive(), &elements[..100], Variance);
    let wanted = Executor::cpu().scan_values(Scan::inclusive(), &elements[..100], Variance);
    let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(found.expect("scans")), bits(wanted.expect("scans")));
}
