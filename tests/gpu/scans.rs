//! Scans: against the vectors, and against the CPU wherever input and output lie.

use crate::{
    BOTH, Case, OPENGL, VULKAN,
    device::Gpu,
    support::{
        data::mix,
        scan_vectors::{digest, scan_vectors},
    },
};
use bytemuck::Pod;
use gridfold::{
    All, ArgMinMax, BitAnd, BitXor, Bits, Bool, Count, Element, Error, Executor, GpuSlice, Input,
    L1Norm, Max, MaxAbs, Mean, Min, Nan, Operator, OperatorType, Policy, PrepareError, Product,
    ProductWide, Reducer, Scan, Scanner, Strategy, Sum, SumOfSquares, SumWide, Variance, Variant,
    half::{bf16, f16},
    wgpu,
};
use std::fmt::Debug;

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(VULKAN, "scans, vectors of u32 and i32", |gpu, variant| {
            vectors::<u32, _>(gpu, variant, Sum);
            vectors::<i32, _>(gpu, variant, Sum);
            vectors::<u32, _>(gpu, variant, SumWide);
            vectors::<i32, _>(gpu, variant, SumWide);
            vectors::<u32, _>(gpu, variant, Product);
            vectors::<i32, _>(gpu, variant, Min);
            vectors::<u32, _>(gpu, variant, Max);
            vectors::<u32, _>(gpu, variant, BitXor);
        }),
        Case::tier1(BOTH, "scans, vectors of f32", |gpu, variant| {
            vectors::<f32, _>(gpu, variant, Sum);
            vectors::<f32, _>(gpu, variant, Product);
            vectors::<f32, _>(gpu, variant, Min);
            vectors::<f32, _>(gpu, variant, Max);
        }),
        Case::tier1(BOTH, "scans, vectors of f64", |gpu, variant| {
            vectors::<f64, _>(gpu, variant, Sum)
        }),
        Case::tier1(BOTH, "scans, lengths around rows, rounds and blocks", |gpu, variant| {
            lengths::<u32, _>(gpu, variant, numbers, Sum);
            lengths::<f32, _>(gpu, variant, near_one, Sum);
        }),
        Case::tier2("scans, every operator and type", every_operator),
        Case::tier2("scans, some operators and types", some_operators),
        Case::tier1(OPENGL, "scans, from any place to any place", |gpu, variant| {
            places::<f32, _>(gpu, variant, near_one, Sum);
            places::<u32, _>(gpu, variant, numbers, SumWide);
            places::<u8, _>(gpu, variant, bytes, Sum);
            places::<f64, _>(gpu, variant, doubles, Sum);
        }),
        Case::tier1(VULKAN, "scans in place", |gpu, variant| {
            in_place::<f32, _>(gpu, variant, near_one, Sum);
            in_place::<i32, _>(gpu, variant, signed, Min);
            in_place::<u64, _>(gpu, variant, wide_numbers, Sum);
            in_place::<f32, _>(gpu, variant, near_one, Product);
        }),
        Case::tier1(BOTH, "scans, slices cut anywhere", |gpu, variant| {
            slices::<f32, _>(gpu, variant, near_one, Sum);
            slices::<u32, _>(gpu, variant, numbers, Sum);
            slices::<f32, _>(gpu, variant, near_one, Product);
            slices::<u16, _>(gpu, variant, halves, SumWide);
        }),
        Case::tier1(BOTH, "scans, windows over a buffer", |gpu, variant| {
            let small = gpu.with_limits(|limits| {
                limits.max_storage_buffer_binding_size = (1 << 15) + 16;
                limits.max_compute_workgroups_per_dimension = 2;
            });
            let check = |gpu: &Gpu| {
                windows::<u32, _>(gpu, variant, numbers, SumWide);
                windows::<f32, _>(gpu, variant, near_one, Sum);
            };
            small.expect("a device with lower limits").check(check).expect("no errors");
        }),
        Case::tier1(BOTH, "scans, values that the device is not right for", unsafe_values),
        Case::tier1(BOTH, "scans, strided elements", strided),
        Case::tier1(BOTH, "scans, recorded again and again", recorded_again),
        Case::tier1(BOTH, "scans that are refused", refused).only(Variant::WorkgroupMemory),
        Case::tier1(OPENGL, "scans of arrays", arrays).only(Variant::WorkgroupMemory),
    ]
}

pub fn numbers(len: usize) -> Vec<u32> {
    (0..u32::try_from(len).expect("short")).map(mix).collect()
}

fn signed(len: usize) -> Vec<i32> {
    numbers(len).into_iter().map(u32::cast_signed).collect()
}

fn wide_numbers(len: usize) -> Vec<u64> {
    numbers(len).into_iter().map(|x| u64::from(x) << 32 | u64::from(mix(x))).collect()
}

fn bytes(len: usize) -> Vec<u8> {
    numbers(len).into_iter().map(|x| x.to_le_bytes()[1]).collect()
}

fn halves(len: usize) -> Vec<u16> {
    bytes(2 * len).chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// Of either sign, with exponents from -8 to 7: sums round in another way wherever their order is another.
pub fn near_one(len: usize) -> Vec<f32> {
    numbers(len)
        .into_iter()
        .map(|x| f32::from_bits((x & 0x807f_ffff) | ((119 + (mix(x) & 15)) << 23)))
        .collect()
}

pub fn doubles(len: usize) -> Vec<f64> {
    near_one(len).into_iter().map(|x| 1.1 * f64::from(x)).collect()
}

/// A slice of a buffer, which begins some elements and bytes behind the buffer's beginning, and ends so many bytes before its end.
pub fn slice_of<T: Pod>(gpu: &Gpu, elements: &[T], before: usize, after: usize) -> GpuSlice<T> {
    let content: &[u8] = bytemuck::cast_slice(elements);
    let words = (before + content.len()).next_multiple_of(4) + after;
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: words.max(16) as u64,
        usage: wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: true,
    });
    let mut all = vec![0xa5; words.max(16)];
    all[before..before + content.len()].copy_from_slice(content);
    buffer.get_mapped_range_mut(..).expect("it is mapped").copy_from_slice(&all);
    buffer.unmap();
    GpuSlice::new(&buffer, before as u64, elements.len() as u64).expect("within")
}

/// The whole buffer of a slice.
pub fn read_all<T: Pod>(gpu: &Gpu, slice: &GpuSlice<T>) -> Vec<u8> {
    let buffer = slice.buffer();
    let staging = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: buffer.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.encoder();
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    gpu.submit(encoder);
    staging.map_async(wgpu::MapMode::Read, .., |result| result.expect("maps"));
    gpu.device().poll(wgpu::PollType::wait_indefinitely()).expect("polls");
    staging.get_mapped_range(..).expect("it is mapped").to_vec()
}

/// The slice's elements, after the bytes around them were found as they were made.
pub fn read<T: Pod>(gpu: &Gpu, slice: &GpuSlice<T>) -> Vec<T> {
    let all = read_all(gpu, slice);
    let begin = usize::try_from(slice.offset_bytes()).expect("small");
    let end = begin + usize::try_from(slice.len()).expect("small") * size_of::<T>();
    assert!(
        all[..begin].iter().all(|&byte| byte == 0xa5),
        "something before the slice was written"
    );
    assert!(all[end..].iter().all(|&byte| byte == 0xa5), "something behind the slice was written");
    bytemuck::pod_collect_to_vec(&all[begin..end])
}

pub fn unwritten<T: Pod>(gpu: &Gpu, len: usize, before: usize, after: usize) -> GpuSlice<T> {
    slice_of(gpu, &vec![bytemuck::Zeroable::zeroed(); len], before, after)
}

pub fn assert_same<T: Pod + Debug>(found: &[T], wanted: &[T], what: impl FnOnce() -> String) {
    assert_eq!(found.len(), wanted.len());
    // Millions are compared as a whole, and only where some differ one by one.
    if bytemuck::cast_slice::<T, u8>(found) == bytemuck::cast_slice::<T, u8>(wanted) {
        return;
    }
    let bytes = |x: &T| bytemuck::bytes_of(x).to_vec();
    let differs = |(a, b): (&T, &T)| bytes(a) != bytes(b);
    if let Some(place) = found.iter().zip(wanted).position(differs) {
        let (found, wanted) = (found[place], wanted[place]);
        panic!("{}: {found:?}, not {wanted:?}, at {place}", what());
    }
}

/// In two passes.
fn scanner<T: Element, Op: Operator<T>>(gpu: &Gpu, variant: Variant, op: Op) -> Scanner<T, Op> {
    Scanner::new(&gpu.context, op).variant(variant).strategy(Strategy::TwoPass)
}

/// In two passes, and in a single one where the device can.
fn scanners<T: Element, Op: Operator<T>>(
    gpu: &Gpu,
    variant: Variant,
    op: Op,
) -> Vec<Scanner<T, Op>> {
    let in_two = scanner(gpu, variant, op);
    let in_one = in_two.clone().strategy(Strategy::SinglePass);
    if gpu.context.capabilities().coherent_memory { vec![in_two, in_one] } else { vec![in_two] }
}

pub fn on_cpu<T: Element, Op: Operator<T>>(scan: Scan<T>, elements: &[T], op: Op) -> Vec<Op::Out> {
    Executor::cpu().scan(scan, elements, op).expect("there is memory")
}

fn vectors<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    for vector in scan_vectors::<T, _>(op) {
        let elements = vector.elements::<T>();
        let input = slice_of(gpu, &elements, 0, 0);
        let output = unwritten::<Op::Out>(gpu, elements.len(), 0, 0);
        for scanner in scanners::<T, _>(gpu, variant, op) {
            let scanner = scanner.kind(vector.scan());
            scanner.scan_blocking(&input, &output).expect("scans");
            let found = read(gpu, &output);
            if digest(&found) != vector.digest {
                let wanted = on_cpu::<T, _>(vector.scan(), &elements, op);
                assert_same(&found, &wanted, || format!("{vector:?}"));
                panic!("neither the CPU nor the device has the results of {vector:?}");
            }
        }
    }
}

/// Both kinds, with an initial value and without.
/// Whether a value may come before all elements.
pub fn takes_initial<T: Element, Op: Operator<T>>(op: Op) -> bool {
    let operator = op.spec().operator;
    let is_variance = operator.without_options() == OperatorType::Variance;
    !operator.tells_places() && !operator.keeps_order() && !is_variance
}

pub fn kinds<T: Element>(initial: T) -> [Scan<T>; 4] {
    let [inclusive, exclusive] = [Scan::inclusive(), Scan::exclusive()];
    [inclusive, exclusive, inclusive.initial(initial), exclusive.initial(initial)]
}

fn lengths<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    make: fn(usize) -> Vec<T>,
    op: Op,
) {
    let around = |len: usize| [len - 1, len, len + 1];
    let mut lens = vec![0, 1, 2, 3, 4, 5, 7, 15, 16, 17, 33, 127, 129, 1000];
    lens.extend(
        [1 << 10, 1 << 11, 1 << 12, 1 << 13, 3 << 12, 1 << 14, 1 << 15, 1 << 16]
            .map(around)
            .concat(),
    );
    lens.extend([100_003, 300_001]);
    let elements = make(300_001);
    for (number, &len) in lens.iter().enumerate() {
        let input = slice_of(gpu, &elements[..len], 0, 0);
        for (number, scan) in kinds(elements[7]).into_iter().enumerate().skip(number % 2).step_by(2)
        {
            let output = unwritten::<Op::Out>(gpu, len, 0, 16 * (number % 2));
            let wanted = on_cpu::<T, _>(scan, &elements[..len], op);
            let mut all = scanners::<T, _>(gpu, variant, op);
            all.push(all[0].clone().policy(Policy { min_rows: 4, max_workgroups: 2048 }));
            for scanner in all {
                let scanner = scanner.kind(scan);
                scanner.scan_blocking(&input, &output).expect("scans");
                let plan = scanner.plan(&input, &output).expect("plans");
                assert_same(&read(gpu, &output), &wanted, || format!("{scan:?} of {len}, {plan}"));
            }
        }
    }
}

macro_rules! check_all {
    (
        $gpu:ident, $variant:ident
        one input { $($verb:ident $operator:ident $name:literal [$($element:ident)*] $doc:literal)* }
        two inputs $two:tt
        options { $($of:ident $choice:tt [$($of_element:ident)*])* }
    ) => {
        $($(scanned::<$element, _>($gpu, $variant, gridfold::$operator);)*)*
        $($(scanned::<$of_element, _>($gpu, $variant, gridfold::operator!($of $choice));)*)*
    };
}

/// By all operators but those that are exact alone.
fn scanned<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    match op.spec().scans() {
        true => one_operator(gpu, variant, op),
        false => no_scan(op),
    }
}

fn no_scan<T: Element, Op: Operator<T> + Copy>(op: Op) {
    let scan = Executor::cpu().inclusive_scan(&material::<T>(3), op);
    assert!(matches!(scan, Err(Error::Prepare(PrepareError::NoScan { .. }))), "{:?}", op.spec());
}

fn every_operator(gpu: &Gpu, variant: Variant) {
    gridfold::operators!(check_all!(gpu, variant));
    one_operator::<Bits, _>(gpu, variant, Count);
    one_operator::<Bits, _>(gpu, variant, Min);
    one_operator::<Bits, _>(gpu, variant, Max);
}

/// Each operator, or a twin of its, of one type; and each size of elements.
fn some_operators(gpu: &Gpu, variant: Variant) {
    one_operator::<u64, _>(gpu, variant, Sum);
    one_operator::<f16, _>(gpu, variant, Sum);
    one_operator::<i16, _>(gpu, variant, Max);
    one_operator::<u8, _>(gpu, variant, SumWide);
    one_operator::<u32, _>(gpu, variant, BitXor);
    one_operator::<i64, _>(gpu, variant, MaxAbs);
    one_operator::<f32, _>(gpu, variant, Product);
    one_operator::<Bool, _>(gpu, variant, Count);
    one_operator::<f32, _>(gpu, variant, Mean);
    one_operator::<f16, _>(gpu, variant, SumOfSquares);
    one_operator::<f64, _>(gpu, variant, L1Norm);
    one_operator::<i16, _>(gpu, variant, All);
    one_operator::<f32, _>(gpu, variant, Min.nan(Nan::Total));
    one_operator::<u32, _>(gpu, variant, ArgMinMax);
    one_operator::<f16, _>(gpu, variant, Variance);
}

/// Bytes of any values, of which floats are no huge ones.
fn material<T: Element>(len: usize) -> Vec<T> {
    let bytes: Vec<u8> =
        numbers(len * size_of::<T>()).into_iter().map(|x| x.to_le_bytes()[2]).collect();
    let floats = near_one(len);
    let of_floats = |size: usize| match T::TYPE.name() {
        "f32" => bytemuck::cast_slice(&floats).to_vec(),
        "f64" => bytemuck::cast_slice(&doubles(len)).to_vec(),
        "f16" => floats.iter().flat_map(|&x| f16::from_f32(x).to_le_bytes()).collect(),
        "bf16" => floats.iter().flat_map(|&x| bf16::from_f32(x).to_le_bytes()).collect(),
        _ => bytes[..len * size].to_vec(),
    };
    bytemuck::pod_collect_to_vec(&of_floats(size_of::<T>()))
}

/// A length that needs all passes, and one that a workgroup does.
fn one_operator<T: Element, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let input = slice_of(gpu, &material::<T>(1), 0, 0);
    let output = unwritten::<Op::Out>(gpu, 1, 0, 0);
    scanner::<T, _>(gpu, variant, op).plan(&input, &output).expect("there are scans");
    let policy = Policy { min_rows: 4, max_workgroups: 2048 };
    // Drivers in software would compile for minutes: there other cases have single passes, of fewer operators and types.
    let all = |gpu: &Gpu| match gpu.is_software() {
        true => vec![scanner::<T, _>(gpu, variant, op)],
        false => scanners::<T, _>(gpu, variant, op),
    };
    for (len, kind) in [(5000, 0), (9001, 1), (1029, 2), (20_001, 3)] {
        let elements = material::<T>(len);
        let kind = if takes_initial::<T, _>(op) { kind } else { kind % 2 };
        let scan = kinds(elements[3])[kind];
        let input = slice_of(gpu, &elements, 0, 0);
        let output = unwritten::<Op::Out>(gpu, len, 0, 0);
        let wanted = on_cpu::<T, _>(scan, &elements, op);
        for scanner in all(gpu) {
            let scanner = scanner.kind(scan).policy(policy);
            scanner.scan_blocking(&input, &output).expect("scans");
            let plan = scanner.plan(&input, &output).expect("plans");
            assert_same(&read(gpu, &output), &wanted, || format!("{scan:?} of {len}, {plan}"));
        }
    }
}

fn places<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    make: fn(usize) -> Vec<T>,
    op: Op,
) {
    let elements = make(30_000);
    for from in 0..6 {
        for to in 0..5 {
            let len = 20_003 - 1237 * from - 333 * to;
            let elements = &elements[..len];
            let scan = kinds(elements[1])[(from + to) % 4];
            let input = slice_of(gpu, elements, from * size_of::<T>().min(4), 4 * to);
            let output = unwritten::<Op::Out>(gpu, len, 4 * to, 4 * from);
            let wanted = on_cpu::<T, _>(scan, elements, op);
            for scanner in scanners::<T, _>(gpu, variant, op) {
                let scanner = scanner.kind(scan);
                scanner.scan_blocking(&input, &output).expect("scans");
                let plan = scanner.plan(&input, &output).expect("plans");
                assert_same(&read(gpu, &output), &wanted, || format!("{from} to {to}: {plan}"));
            }
        }
    }
}

fn in_place<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    make: fn(usize) -> Vec<T>,
    op: Op,
) {
    let elements = make(60_000);
    for (number, len) in [1, 3, 1000, 4096, 8192, 40_003, 60_000].into_iter().enumerate() {
        for place in 0..4 {
            let elements = &elements[..len];
            let scan = kinds(elements[0])[(number + place) % 4];
            let slice = slice_of(gpu, elements, 4 * place, 4 * (number % 4));
            let output = GpuSlice::<Op::Out>::new(slice.buffer(), slice.offset_bytes(), len as u64);
            let output = output.expect("of the same size");
            scanner::<T, _>(gpu, variant, op)
                .kind(scan)
                .scan_blocking(&slice, &output)
                .expect("scans");
            let wanted = on_cpu::<T, _>(scan, elements, op);
            assert_same(&read(gpu, &output), &wanted, || format!("{scan:?} of {len} at {place}"));
        }
    }
}

/// Of input and output, cut in different places.
fn slices<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    make: fn(usize) -> Vec<T>,
    op: Op,
) {
    let len = 50_001;
    let elements = make(len);
    let all_cuts: [(&[usize], &[usize]); 5] = [
        (&[4096], &[]),
        (&[1, 2, 3, 7, 1000, 5000, 5001], &[2, 4097, 9000, 9000]),
        (&[13, 20_000, 20_001], &[1024, 20_000, 40_961]),
        (&[], &[1, 8191, 8192, 50_000]),
        (&[12_345], &[12_345]),
    ];
    for (number, (from, to)) in all_cuts.into_iter().enumerate() {
        let parts = |cuts: &[usize]| {
            let bounds = [&[0], cuts, &[len]].concat();
            bounds.windows(2).map(|bounds| bounds[0]..bounds[1]).collect::<Vec<_>>()
        };
        let input: Input<T> = parts(from)
            .into_iter()
            .enumerate()
            .map(|(i, part)| slice_of(gpu, &elements[part], 4 * (i % 3), 0))
            .collect();
        let outputs: Vec<GpuSlice<Op::Out>> = parts(to)
            .into_iter()
            .enumerate()
            .map(|(i, part)| unwritten(gpu, part.len(), 4 * (i % 2), 0))
            .collect();
        let scan = kinds(elements[2])[number % 4];
        let policy = Policy { min_rows: 4, max_workgroups: 2048 };
        for policy in [policy, Policy { min_rows: 16, ..policy }] {
            let scanner = scanner::<T, _>(gpu, variant, op).kind(scan).policy(policy);
            scanner.scan_blocking(&input, &outputs).expect("scans");
            let found: Vec<Op::Out> = outputs.iter().flat_map(|output| read(gpu, output)).collect();
            let wanted = on_cpu::<T, _>(scan, &elements, op);
            assert_same(&found, &wanted, || format!("{scan:?} of {from:?} to {to:?}, {policy:?}"));
        }
    }
}

fn windows<T: Element, Op: Operator<T> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    make: fn(usize) -> Vec<T>,
    op: Op,
) {
    for len in [8193, 33_000, 70_001] {
        let elements = make(len);
        for scan in kinds(elements[5]) {
            let input = slice_of(gpu, &elements, 8, 0);
            let output = unwritten::<Op::Out>(gpu, len, 0, 0);
            let scanner = scanner::<T, _>(gpu, variant, op).kind(scan);
            let plan = scanner.plan(&input, &output).expect("plans");
            assert!(plan.dispatches.len() >= 4, "{plan}");
            scanner.scan_blocking(&input, &output).expect("scans");
            let wanted = on_cpu::<T, _>(scan, &elements, op);
            assert_same(&read(gpu, &output), &wanted, || format!("{scan:?}, {plan}"));
        }
    }
}

/// Subnormal numbers, infinities, NaNs, and sums that leave the range, anywhere.
fn unsafe_values(gpu: &Gpu, variant: Variant) {
    let policy = Policy { min_rows: 8, max_workgroups: 2048 };
    let scanners = scanners::<f32, _>(gpu, variant, Sum);
    let check = |elements: &[f32], initial: f32, what: &str| {
        for scan in kinds(initial) {
            let input = slice_of(gpu, elements, 0, 0);
            let output = unwritten::<f32>(gpu, elements.len(), 0, 0);
            let wanted = on_cpu::<f32, _>(scan, elements, Sum);
            for scanner in &scanners {
                let scanner = scanner.clone().kind(scan).policy(policy);
                scanner.scan_blocking(&input, &output).expect("scans");
                assert_same(&read(gpu, &output), &wanted, || format!("{scan:?} of {what}"));
            }
        }
    };
    let len = 30_001;
    for special in [1e-45, -1e-39, f32::INFINITY, f32::NAN, 3e38, -3e38, -0.0] {
        for place in [0, 1023, 5000, 9000, 20_479, 29_999] {
            let mut elements = near_one(len);
            elements[place] = special;
            check(&elements, 1e-40, &format!("{special} at {place}"));
        }
    }
    check(&vec![1e20; len], -1e30, "1e20");
    check(&vec![1e34; len], 0.1, "1e34");
    check(&vec![-0.0; len], -0.0, "-0");
    check(&vec![1e-45; len], 1.0, "the smallest number");
    let any: Vec<f32> = numbers(len).into_iter().map(f32::from_bits).collect();
    check(&any, 1e38, "any bits");
    let finite: Vec<f32> = any.iter().map(|x| if x.is_finite() { *x } else { 0.5 }).collect();
    check(&finite, f32::INFINITY, "any finite bits");
    // What is before is next to nothing, or cancels.
    let mut cancelling = near_one(len);
    for pair in cancelling.chunks_exact_mut(2) {
        pair[1] = -pair[0];
    }
    check(&cancelling, 0.0, "pairs that cancel");
    let mut few = vec![0.0; len];
    few[4096] = 1e-38;
    few[4097] = -9e-39;
    check(&few, 0.0, "zeros and two small numbers");
}

fn strided(gpu: &Gpu, variant: Variant) {
    let len = 9001;
    let structs = numbers(3 * len);
    let whole = slice_of(gpu, &structs, 0, 0);
    let field = GpuSlice::<u32>::strided(whole.buffer(), 4, 12, len as u64).expect("within");
    let output = unwritten::<u32>(gpu, len, 0, 0);
    scanner::<u32, _>(gpu, variant, Sum).scan_blocking(&field, &output).expect("scans");
    let elements: Vec<u32> = structs.iter().skip(1).step_by(3).copied().collect();
    let wanted = on_cpu::<u32, _>(Scan::inclusive(), &elements, Sum);
    assert_same(&read(gpu, &output), &wanted, || "strided".to_owned());
}

fn recorded_again(gpu: &Gpu, variant: Variant) {
    let elements = near_one(40_000);
    let input = slice_of(gpu, &elements, 0, 0);
    let outputs = [0, 1, 2].map(|_| unwritten::<f32>(gpu, elements.len(), 0, 0));
    for scanner in scanners::<f32, _>(gpu, variant, Sum) {
        let twice = scanner.prepare(&input, &outputs[0]).expect("prepares");
        // The scan of the scan, too.
        let next = scanner.prepare(&outputs[0], &outputs[1]).expect("prepares");
        for _ in 0..3 {
            let mut encoder = gpu.encoder();
            twice.record(&mut encoder);
            let readback = next.record_readback(&mut encoder).expect("records");
            scanner.record(&mut encoder, &outputs[1], &outputs[2]).expect("records");
            gpu.submit(encoder);
            let found = readback.wait_blocking().expect("results");
            assert_same(&found, &read(gpu, &outputs[1]), || "read back".to_owned());
            let mut wanted = elements.clone();
            for output in &outputs {
                wanted = on_cpu::<f32, _>(Scan::inclusive(), &wanted, Sum);
                assert_same(&read(gpu, output), &wanted, || "scans of scans".to_owned());
            }
        }
        // The last result is the reduction's.
        let sum =
            Reducer::<f32, _>::new(&gpu.context, Sum).variant(variant).reduce_blocking(&input);
        let last = read(gpu, &outputs[0]).pop().expect("there are some");
        assert_eq!(sum.expect("reduces").to_bits(), last.to_bits());
    }
}

fn refused(gpu: &Gpu, _: Variant) {
    fn error<R>(result: Result<R, PrepareError>) -> String {
        match result {
            Ok(_) => panic!("it was not refused"),
            Err(error) => format!("{error:?}"),
        }
    }
    let elements = numbers(100);
    let input = slice_of(gpu, &elements, 0, 0);
    let scanner = scanner::<u32, _>(gpu, Variant::Auto, Sum);
    let short = unwritten::<u32>(gpu, 99, 0, 0);
    let found = error(scanner.prepare(&input, &short));
    assert_eq!(found, "ShortOutput { len: 99, needed: 100 }");
    // Another part of the input's buffer.
    let first = input.slice(0..50).expect("within");
    let second = input.slice(50..100).expect("within");
    let found = error(scanner.prepare(&first, &second));
    assert_eq!(found, "ScanAliasing { slice: 0 }");
    let found = error(scanner.prepare(&first, input.slice(1..51).expect("within")));
    assert_eq!(found, "ScanAliasing { slice: 0 }");
    let output = unwritten::<u32>(gpu, 100, 0, 0);
    let overlapping = [output.slice(0..60), output.slice(59..99)].map(|x| x.expect("within"));
    let found = error(scanner.prepare(&input, &overlapping));
    assert_eq!(found, "ScanAliasing { slice: 1 }");
    let strided = GpuSlice::<u32>::strided(output.buffer(), 0, 8, 50).expect("within");
    assert_eq!(error(scanner.prepare(&first, &strided)), "StridedOutput");
    let floats = slice_of(gpu, &near_one(10), 0, 0);
    let results = unwritten::<f32>(gpu, 10, 0, 0);
    let exact = Scanner::<f32, _>::new(&gpu.context, Sum).precision(gridfold::Precision::Exact);
    let found = error(exact.prepare(&floats, &results));
    assert_eq!(found, "NoExactScan { operator: Sum, element: F32 }");
    let exact_alone = Scanner::<f32, _>::new(&gpu.context, Variance.nan(Nan::Ignore));
    assert_eq!(
        error(exact_alone.prepare(&floats, &results)),
        "NoScan { operator: Variance.nan(Nan::Ignore) }"
    );
    let variance = Scanner::<f32, _>::new(&gpu.context, Variance).initial(1.0);
    let found = error(variance.prepare(&floats, &results));
    assert_eq!(found, "NoInitialValue { operator: Variance }");
    let exact = Scanner::<f32, _>::new(&gpu.context, Mean);
    let exact = exact.precision(gridfold::Precision::Exact);
    let found = error(exact.prepare(&floats, &results));
    assert_eq!(found, "NoExactScan { operator: Mean, element: F32 }");
    // Nothing was written, and slices may follow one another.
    assert_eq!(read(gpu, &output), vec![0; 100]);
    let parts = [output.slice(60..100), output.slice(0..60)].map(|x| x.expect("within"));
    scanner.scan_blocking(&input, &parts).expect("scans");
}

fn arrays(gpu: &Gpu, _: Variant) {
    fn check<T: Element, Op: Operator<T> + Copy>(executor: &Executor, elements: &[T], op: Op)
    where
        Op::Out: Element + Debug,
    {
        let array = executor.upload(elements).expect("uploads");
        let wanted = on_cpu::<T, _>(Scan::inclusive(), elements, op);
        let found = array.inclusive_scan(op).expect("scans").download().expect("downloads");
        assert_eq!(found, wanted);
        let found = executor.inclusive_scan(elements, op).expect("scans");
        assert_eq!(found, wanted);
        let wanted = on_cpu::<T, _>(Scan::exclusive(), &elements[3..], op);
        let part = array.slice(3..elements.len() as u64).expect("within");
        let found = part.exclusive_scan(op).expect("scans").download().expect("downloads");
        assert_eq!(found, wanted);
        let none = array.slice(0..0).expect("within").exclusive_scan(op).expect("scans");
        assert!(none.is_empty());
    }
    let executor = Executor::from_context(gpu.context.clone());
    check::<f32, _>(&executor, &near_one(10_001), Sum);
    check::<u32, _>(&executor, &numbers(10_001), SumWide);
    check::<i32, _>(&executor, &signed(101), ProductWide);
    check::<u8, _>(&executor, &bytes(1001), BitAnd);
    check::<i32, _>(&executor, &signed(1001), MaxAbs);
    let flags: Vec<Bool> = numbers(5000).iter().map(|x| (x % 3 == 0).into()).collect();
    check::<Bool, _>(&executor, &flags, Count);
}
