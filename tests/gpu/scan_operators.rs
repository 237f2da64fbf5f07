//! Scans by operators whose results depend on NaNs, on how many elements there are, or on squares: against the CPU, and against reductions of the
//! same elements.

use crate::{
    Case, VULKAN,
    device::Gpu,
    scans::{assert_same, doubles, kinds, near_one, numbers, on_cpu, read, slice_of, unwritten},
};
use gridfold::{
    All, Any, ArgMax, ArgMin, CountNan, Element, L1Norm, Max, Mean, Min, MinMax, Nan, Norm,
    Operator, Policy, PrepareError, Reducer, Scan, Scanner, Strategy, Sum, SumOfSquares, Variant,
    half::{bf16, f16},
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("scans by operators, NaNs", |gpu, variant| {
            let floats = with_nans(20_001);
            let nan = f32::from_bits(0xffc0_0001);
            check::<f32, _>(gpu, variant, &floats, nan, Min.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &floats, -0.0, Max.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &floats, 1.5, Min.nan(Nan::Total));
            check::<f32, _>(gpu, variant, &floats, nan, Max.nan(Nan::Total));
            check::<f32, _>(gpu, variant, &floats, nan, Sum.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &floats, nan, CountNan);
            check::<f32, _>(gpu, variant, &floats, nan, Mean.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &floats, -3.5, Mean.nan(Nan::Ignore));
        }),
        Case::tier2("scans by operators, NaNs of other sizes", |gpu, variant| {
            let floats = with_nans(9001);
            let wide: Vec<f64> = floats.iter().map(|&x| 1.1 * f64::from(x)).collect();
            check::<f64, _>(gpu, variant, &wide, f64::NAN, Sum.nan(Nan::Ignore));
            check::<f64, _>(gpu, variant, &wide, f64::NAN, Min.nan(Nan::Total));
            let halves: Vec<f16> = floats.iter().map(|&x| f16::from_f32(x)).collect();
            check::<f16, _>(gpu, variant, &halves, f16::NAN, Sum.nan(Nan::Ignore));
            check::<f16, _>(gpu, variant, &halves, f16::ONE, Mean.nan(Nan::Ignore));
            check::<f16, _>(gpu, variant, &halves, f16::NAN, Max.nan(Nan::Total));
            let halves: Vec<bf16> = floats.iter().map(|&x| bf16::from_f32(x)).collect();
            check::<bf16, _>(gpu, variant, &halves, bf16::NAN, CountNan);
            check::<bf16, _>(gpu, variant, &halves, bf16::NAN, Mean.nan(Nan::Ignore));
        }),
        Case::tier2("scans by operators, all NaN", |gpu, variant| {
            let nans = vec![f32::from_bits(0x7f80_0001); 9001];
            check::<f32, _>(gpu, variant, &nans, nans[0], Min.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &nans, 1.0, Max.nan(Nan::Total));
            check::<f32, _>(gpu, variant, &nans, nans[0], Sum.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &nans, nans[0], Mean.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &nans, -0.0, Mean.nan(Nan::Ignore));
        }),
        Case::tier2("scans by operators, any and all", any_and_all),
        Case::tier2("scans by operators, places", |gpu, variant| {
            places::<f32, _>(gpu, variant, &few_values(20_001), ArgMin);
            places::<f32, _>(gpu, variant, &few_values(20_001), ArgMax.last());
            places::<f32, _>(gpu, variant, &with_nans(9001), ArgMax);
            places::<f32, _>(gpu, variant, &with_nans(9001), ArgMin.nan(Nan::Ignore).last());
            places::<f32, _>(gpu, variant, &with_nans(9001), ArgMax.nan(Nan::Total));
            places::<f32, _>(gpu, variant, &vec![f32::NAN; 9001], ArgMin.nan(Nan::Ignore));
            let words: Vec<u32> = numbers(20_001).into_iter().map(|x| x >> 24).collect();
            places::<u32, _>(gpu, variant, &words, ArgMin.last());
            let bytes: Vec<u8> = words.iter().map(|x| x.to_le_bytes()[0]).collect();
            places::<u8, _>(gpu, variant, &bytes, ArgMax);
            let wide: Vec<u64> = words.iter().map(|&x| u64::from(x) << 40).collect();
            places::<u64, _>(gpu, variant, &wide, ArgMax.last());
            places::<f64, _>(gpu, variant, &doubles(9001), ArgMin);
            let halves: Vec<f16> = few_values(9001).into_iter().map(f16::from_f32).collect();
            places::<f16, _>(gpu, variant, &halves, ArgMin.nan(Nan::Total).last());
        }),
        Case::tier2("scans by operators, both extrema", |gpu, variant| {
            check::<f32, _>(gpu, variant, &near_one(20_001), -3.5, MinMax);
            check::<f32, _>(gpu, variant, &hostile(9001), 1e38, MinMax);
            check::<f32, _>(gpu, variant, &with_nans(9001), f32::NAN, MinMax);
            check::<f32, _>(gpu, variant, &with_nans(20_001), f32::NAN, MinMax.nan(Nan::Ignore));
            check::<f32, _>(gpu, variant, &with_nans(20_001), -f32::NAN, MinMax.nan(Nan::Total));
            let words = numbers(20_001);
            check::<u32, _>(gpu, variant, &words, 1 << 31, MinMax);
            let bytes: Vec<i8> = words.iter().map(|x| x.to_le_bytes()[3].cast_signed()).collect();
            check::<i8, _>(gpu, variant, &bytes, 3, MinMax);
            let halves: Vec<f16> = near_one(9001).into_iter().map(f16::from_f32).collect();
            check::<f16, _>(gpu, variant, &halves, f16::NAN, MinMax.nan(Nan::Ignore));
            both_extrema::<f32>(gpu, variant, &near_one(20_001), 1.0);
            both_extrema::<u32>(gpu, variant, &words, 5);
            let wide: Vec<u64> = words.iter().map(|&x| u64::from(x) << 9 ^ u64::from(x)).collect();
            both_extrema::<u64>(gpu, variant, &wide, 1 << 40);
            let signed: Vec<i64> = wide.iter().map(|x| (x << 23).cast_signed()).collect();
            both_extrema::<i64>(gpu, variant, &signed, -5);
            both_extrema::<f64>(gpu, variant, &doubles(9001), 1e-5);
        }),
        Case::tier1(VULKAN, "scans by operators, means", |gpu, variant| {
            check::<f32, _>(gpu, variant, &near_one(20_001), -3.5, Mean);
            check::<f32, _>(gpu, variant, &hostile(9001), 1e38, Mean);
            let halves: Vec<f16> = near_one(9001).into_iter().map(f16::from_f32).collect();
            check::<f16, _>(gpu, variant, &halves, f16::ONE, Mean);
        }),
        Case::tier2("scans by operators, squares and magnitudes", |gpu, variant| {
            check::<f32, _>(gpu, variant, &near_one(30_001), -3.5, SumOfSquares);
            check::<f32, _>(gpu, variant, &near_one(30_001), -3.5, L1Norm);
            check::<f32, _>(gpu, variant, &near_one(9001), -3.5, Norm);
            let halves: Vec<bf16> = near_one(9001).into_iter().map(bf16::from_f32).collect();
            check::<bf16, _>(gpu, variant, &halves, bf16::ONE, SumOfSquares);
        }),
        // Drivers in software compile these for long.
        Case::tier2("scans by operators, f64", |gpu, variant| {
            check::<f64, _>(gpu, variant, &doubles(9001), 1e-5, Mean);
            let mut missing = doubles(9001);
            missing.iter_mut().step_by(7).for_each(|x| *x = f64::NAN);
            check::<f64, _>(gpu, variant, &missing, 1e-5, Mean.nan(Nan::Ignore));
            check::<f64, _>(gpu, variant, &missing, f64::NAN, Mean.nan(Nan::Ignore));
            check::<f64, _>(gpu, variant, &doubles(9001), -3.5, Norm);
            check::<f64, _>(gpu, variant, &doubles(9001), -3.5, L1Norm);
            check::<f64, _>(gpu, variant, &doubles(20_001), -3.5, SumOfSquares);
            let small: Vec<f64> = doubles(20_001).into_iter().map(|x| x * 1e-160).collect();
            both_ways::<f64, _>(gpu, variant, &small, 1e-161, SumOfSquares);
            let large: Vec<f64> = doubles(20_001).into_iter().map(|x| x * 1e152).collect();
            both_ways::<f64, _>(gpu, variant, &large, 1e153, SumOfSquares);
        }),
        Case::tier2("scans by operators, values that the device is not right for", unsafe_values),
        Case::tier2("scans by operators, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                check::<f32, _>(gpu, variant, &near_one(33_000), 0.5, Mean);
                check::<f32, _>(gpu, variant, &with_nans(33_000), 0.5, Mean.nan(Nan::Ignore));
                check::<u32, _>(gpu, variant, &vec![1; 33_000], 1, All);
                check::<u32, _>(gpu, variant, &numbers(33_000), 1 << 31, MinMax);
                both_extrema::<f64>(gpu, variant, &doubles(20_001), 1e-5);
                places::<f32, _>(gpu, variant, &few_values(33_000), ArgMin);
                places::<u64, _>(gpu, variant, &(0..20_001).collect::<Vec<_>>(), ArgMax.last());
                check::<f32, _>(gpu, variant, &near_one(33_000), 0.5, SumOfSquares);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier2("scans by operators, in place", in_place),
        Case::tier2("scans by operators, the last result is the reduction's", |gpu, variant| {
            let floats = with_nans(20_001);
            last::<f32, _>(gpu, variant, &floats, Min.nan(Nan::Ignore));
            last::<f32, _>(gpu, variant, &floats, Max.nan(Nan::Total));
            last::<f32, _>(gpu, variant, &floats, Sum.nan(Nan::Ignore));
            last::<f32, _>(gpu, variant, &floats, CountNan);
            last::<f32, _>(gpu, variant, &near_one(20_001), MinMax);
            last::<f32, _>(gpu, variant, &floats, MinMax.nan(Nan::Ignore));
            last::<f32, _>(gpu, variant, &floats, Mean.nan(Nan::Ignore));
            last::<f32, _>(gpu, variant, &floats, Any);
            last::<f32, _>(gpu, variant, &floats, All);
            last::<f32, _>(gpu, variant, &near_one(20_001), Mean);
            last::<f32, _>(gpu, variant, &near_one(20_001), SumOfSquares);
            last::<f32, _>(gpu, variant, &near_one(20_001), Norm);
            last::<f32, _>(gpu, variant, &near_one(20_001), L1Norm);
        }),
    ]
}

/// Numbers of either sign, zeros of either sign, and NaNs of any bits. The first elements are NaNs.
fn with_nans(len: usize) -> Vec<f32> {
    let near_one = near_one(len);
    numbers(len)
        .into_iter()
        .enumerate()
        .map(|(i, bits)| match bits % 11 {
            _ if i < 3 => f32::from_bits(0xff80_0001 | bits),
            0..2 => f32::from_bits(0x7f80_0001 | bits),
            2 => f32::from_bits(bits & 0x8000_0000),
            _ => near_one[i],
        })
        .collect()
}

/// Any bits but those of NaNs and infinities.
fn hostile(len: usize) -> Vec<f32> {
    let finite = |bits| match f32::from_bits(bits) {
        value if value.is_finite() => value,
        _ => 0.5,
    };
    numbers(len).into_iter().map(finite).collect()
}

fn scanner<T: Element, Op: Operator<T>>(gpu: &Gpu, variant: Variant, op: Op) -> Scanner<T, Op> {
    let scanner = Scanner::<T, _>::new(&gpu.context, op).variant(variant);
    scanner.policy(Policy { min_rows: 4, max_workgroups: 2048 })
}

/// Lengths within a row, around blocks, and all; results that lie in whole vectors, which go by rounds or in a single pass, and others, which go by
/// rows.
fn check<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
    initial: T,
    op: Op,
) {
    let lens = [1, 5, 1029, 4096, 8191, 8200, elements.len()];
    for (number, len) in lens.into_iter().enumerate() {
        let elements = &elements[..len];
        let input = slice_of(gpu, elements, 0, 16);
        for (kind, scan) in kinds(initial).into_iter().enumerate() {
            // All kinds of all elements; of fewer, two.
            if len < 8200 && (kind + number) % 2 == 1 {
                continue;
            }
            let wanted = on_cpu::<T, _>(scan, elements, op);
            for (shift, strategy) in
                [(0, Strategy::TwoPass), (4, Strategy::TwoPass), (0, Strategy::SinglePass)]
            {
                if strategy == Strategy::SinglePass && !gpu.capabilities().coherent_memory {
                    continue;
                }
                let output = unwritten::<Op::Out>(gpu, len, shift, 16);
                let scanner = scanner::<T, _>(gpu, variant, op).kind(scan).strategy(strategy);
                scanner.scan_blocking(&input, &output).expect("scans");
                let plan = scanner.plan(&input, &output).expect("plans");
                assert_same(&read(gpu, &output), &wanted, || format!("{scan:?}, {shift}, {plan}"));
            }
        }
    }
}

/// So many that are equal, and less as they go on: the extrema move, and first and last ones differ.
pub fn few_values(len: usize) -> Vec<f32> {
    numbers(len).into_iter().zip(0u16..).map(|(x, i)| (x % 7) as f32 - f32::from(i / 700)).collect()
}

/// Against the CPU, in launches, at any place; and what has none is refused.
fn places<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, elements: &[T], op: Op) {
    for len in [1, 5, 1029, 4096, 8200, elements.len()] {
        let elements = &elements[..len];
        let half = slice_of(gpu, &elements[..len / 2], 4, 4);
        let input = [half, slice_of(gpu, &elements[len / 2..], 8, 0)];
        for (shift, scan) in [Scan::inclusive(), Scan::exclusive()].into_iter().enumerate() {
            let wanted = on_cpu::<T, _>(scan, elements, op);
            let output = unwritten::<Op::Out>(gpu, len, 4 * shift, 16);
            let scanner = scanner::<T, _>(gpu, variant, op).kind(scan);
            scanner.scan_blocking(&input[..], &output).expect("scans");
            assert_same(&read(gpu, &output), &wanted, || format!("{scan:?} by {:?}", op.spec()));
        }
    }
    let (input, output) =
        (slice_of(gpu, elements, 0, 0), unwritten::<Op::Out>(gpu, elements.len(), 0, 0));
    let from = scanner::<T, _>(gpu, variant, op).kind(Scan::inclusive().initial(elements[0]));
    let error = from.prepare(&input, &output).expect_err("it has no place");
    assert!(matches!(error, PrepareError::NoInitialValue { .. }), "{error}");
}

/// What scans by each of them give, on the CPU: of elements of any size.
fn both_extrema<T: Element>(gpu: &Gpu, variant: Variant, elements: &[T], initial: T)
where
    MinMax: Operator<T, Out = [T; 2]>,
    Min: Operator<T, Out = T>,
    Max: Operator<T, Out = T>,
{
    for (shift, scan) in kinds(initial).into_iter().enumerate() {
        let input = slice_of(gpu, elements, 0, 16);
        let output = unwritten::<[T; 2]>(gpu, elements.len(), 4 * shift, 16);
        let least = on_cpu::<T, _>(scan, elements, Min);
        let largest = on_cpu::<T, _>(scan, elements, Max);
        let wanted: Vec<[T; 2]> =
            least.into_iter().zip(largest).map(|(min, max)| [min, max]).collect();
        let scanner = Scanner::<T, _>::new(&gpu.context, MinMax).variant(variant).kind(scan);
        let scanner = scanner.policy(Policy { min_rows: 4, max_workgroups: 2048 });
        scanner.scan_blocking(&input, &output).expect("scans");
        assert_same(&read(gpu, &output), &wanted, || format!("{scan:?} of {}", T::TYPE));
    }
}

/// A zero at places of a lane, a row, a round, a block, and behind them; and none.
fn any_and_all(gpu: &Gpu, variant: Variant) {
    let len = 20_001;
    for place in [0, 2, 1023, 1024, 4095, 4096, 8192, 8199, 20_000, len] {
        let mut flags = vec![3u32; len + 1];
        flags[place] = 0;
        check_one::<u32, _>(gpu, variant, &flags[..len], All);
        let flags: Vec<u32> = flags.iter().map(|&flag| u32::from(flag == 0)).collect();
        check_one::<u32, _>(gpu, variant, &flags[..len], Any);
    }
    let ones = vec![1u32; 9001];
    check::<u32, _>(gpu, variant, &ones, 1, All);
    check::<u32, _>(gpu, variant, &ones, 0, All);
    check::<u32, _>(gpu, variant, &vec![0; 9001], 0, Any);
    check::<u32, _>(gpu, variant, &vec![0; 9001], 1, Any);
    check::<f32, _>(gpu, variant, &near_one(9001), f32::NAN, All);
    check::<u8, _>(gpu, variant, &[255; 9001], 255, All);
    check::<i64, _>(gpu, variant, &[1 << 40; 9001], 1 << 40, All);
}

/// Against a loop.
fn check_one<T: Element + Default + PartialEq, Op: Operator<T, Out = u64> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
    op: Op,
) {
    let input = slice_of(gpu, elements, 0, 0);
    let is_all = op.spec().operator == gridfold::OperatorType::All;
    for is_inclusive in [true, false] {
        let mut so_far = is_all;
        let mut wanted = Vec::new();
        for element in elements {
            let before = so_far;
            let is_set = *element != T::default();
            so_far = if is_all { so_far && is_set } else { so_far || is_set };
            wanted.push(u64::from(if is_inclusive { so_far } else { before }));
        }
        let scan = if is_inclusive { Scan::inclusive() } else { Scan::exclusive() };
        let output = unwritten::<u64>(gpu, elements.len(), 0, 0);
        scanner::<T, _>(gpu, variant, op).kind(scan).scan_blocking(&input, &output).expect("scans");
        assert_same(&read(gpu, &output), &wanted, || format!("{scan:?} by {:?}", op.spec()));
    }
}

/// Squares that are subnormal, or 0, or infinite, though their roots are not; sums of them that leave the range; and the like of magnitudes.
fn unsafe_values(gpu: &Gpu, variant: Variant) {
    let len = 20_001;
    for special in [1e-23, -3e-20, 1e-45, 1e19, -2e19, 3e20, f32::INFINITY, f32::NAN, -0.0] {
        for place in [0, 5000, 8192, 12_289] {
            let mut elements = near_one(len);
            elements[place] = special;
            both_ways::<f32, _>(gpu, variant, &elements, 1e-22, SumOfSquares);
            both_ways::<f32, _>(gpu, variant, &elements, 1e-40, L1Norm);
        }
    }
    for value in [1e-23f32, 2e-20, 1e-16, 1e17, 1e19, 1e-45] {
        both_ways::<f32, _>(gpu, variant, &vec![value; len], value, SumOfSquares);
        both_ways::<f32, _>(gpu, variant, &vec![value; len], value, Sum.nan(Nan::Ignore));
    }
    both_ways::<f32, _>(gpu, variant, &hostile(len), 1.0, SumOfSquares);
    both_ways::<f32, _>(gpu, variant, &with_nans(len), 1e-40, Sum.nan(Nan::Ignore));
    both_ways::<f32, _>(gpu, variant, &with_nans(len), 1e-40, Mean.nan(Nan::Ignore));
    // Subnormal sums, and those that overflow, or are of infinities of both signs, in the middle of numbers that are missing.
    for special in [1e-45, 3e38, f32::INFINITY, -0.0] {
        let mut elements = with_nans(len);
        elements[5000..5003].fill(special);
        elements[12_289] = -f32::INFINITY;
        both_ways::<f32, _>(gpu, variant, &elements, special, Mean.nan(Nan::Ignore));
    }
}

/// By rounds, or in a single pass, of many elements.
fn both_ways<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
    initial: T,
    op: Op,
) {
    let input = slice_of(gpu, elements, 0, 16);
    let output = unwritten::<Op::Out>(gpu, elements.len(), 0, 16);
    for scan in [Scan::inclusive().initial(initial), Scan::exclusive()] {
        let wanted = on_cpu::<T, _>(scan, elements, op);
        let mut strategies = vec![Strategy::TwoPass];
        if gpu.capabilities().coherent_memory {
            strategies.push(Strategy::SinglePass);
        }
        for strategy in strategies {
            let scanner = scanner::<T, _>(gpu, variant, op).kind(scan).strategy(strategy);
            scanner.scan_blocking(&input, &output).expect("scans");
            let plan = scanner.plan(&input, &output).expect("plans");
            // Squares that a device has lost look like zeros: they are tested before.
            let is_of_squares = op.spec().operator == gridfold::OperatorType::SumOfSquares;
            assert!(!is_of_squares || plan.strategy == Strategy::TwoPass, "{plan}");
            assert_same(&read(gpu, &output), &wanted, || format!("{scan:?}, {plan}"));
        }
    }
}

fn in_place(gpu: &Gpu, variant: Variant) {
    fn one<T: Element, Op: Operator<T, Out = T> + Copy>(
        gpu: &Gpu,
        variant: Variant,
        elements: &[T],
        op: Op,
    ) {
        for (place, scan) in kinds(elements[9]).into_iter().enumerate() {
            let slice = slice_of(gpu, elements, 4 * place, 4 * place);
            let scanner = scanner::<T, _>(gpu, variant, op).kind(scan);
            scanner.scan_blocking(&slice, &slice).expect("scans");
            let wanted = on_cpu::<T, _>(scan, elements, op);
            assert_same(&read(gpu, &slice), &wanted, || format!("{scan:?} at {place}"));
        }
    }
    one::<f32, _>(gpu, variant, &near_one(9001), Mean);
    one::<f32, _>(gpu, variant, &near_one(20_003), SumOfSquares);
    one::<f32, _>(gpu, variant, &with_nans(20_003), Sum.nan(Nan::Ignore));
    one::<f32, _>(gpu, variant, &with_nans(9001), Min.nan(Nan::Total));
    one::<f32, _>(gpu, variant, &with_nans(9001), Mean.nan(Nan::Ignore));
    one::<f32, _>(gpu, variant, &near_one(9001), Sum);
}

/// The last result is the reduction's, of the device itself.
pub fn last<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    elements: &[T],
    op: Op,
) {
    let input = slice_of(gpu, elements, 0, 16);
    let output = unwritten::<Op::Out>(gpu, elements.len(), 0, 16);
    scanner::<T, _>(gpu, variant, op).scan_blocking(&input, &output).expect("scans");
    let found = *read(gpu, &output).last().expect("there are some");
    let result = unwritten::<Op::Out>(gpu, 1, 0, 8);
    let mut encoder = gpu.encoder();
    let reducer = Reducer::<T, _>::new(&gpu.context, op).variant(variant);
    reducer.record(&mut encoder, &input, &result).expect("records");
    gpu.submit(encoder);
    assert_same(&[found], &read(gpu, &result), || format!("{:?}", op.spec()));
}
