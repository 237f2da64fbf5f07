//! Scans of masks of bits, of which each word has a result: against counts of the flags, one by one.

use crate::{
    Case, OPENGL,
    device::Gpu,
    inputs::upload,
    masks::{bits_of, count, words},
    scans::{assert_same, read, slice_of, unwritten},
    support::data::mix,
};
use gridfold::{
    Bits, Count, Counted, Executor, GpuSlice, Max, Min, Operator, OperatorType, Policy, Scan,
    Scanner, Strategy, Variant,
};
use std::ops::Range;

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier2("scans of masks, from any bit to any bit", |gpu, variant| {
            scans(gpu, variant, Count);
            scans(gpu, variant, Min);
            scans(gpu, variant, Max);
        }),
        Case::tier1(OPENGL, "scans of masks, several, windows, and pieces", elsewhere),
    ]
}

/// Words whose results change late: all ones to the last but a few for `Min`, zeros for `Max`, any for `Count`. What is around a mask is the other
/// way round.
fn scanned<Op: Operator<Bits>>(number: u32, range: Range<usize>, len: u32, op: Op) -> Vec<u32> {
    let mut words: Vec<u32> = match op.spec().operator {
        OperatorType::Min => vec![u32::MAX; len as usize],
        OperatorType::Max => vec![0; len as usize],
        _ => words(number, len),
    };
    let flip = |words: &mut [u32], bit: usize| words[bit / 32] ^= 1 << (bit % 32);
    (0..range.start).chain(range.end..32 * len as usize).for_each(|bit| flip(&mut words, bit));
    if !range.is_empty() && !number.is_multiple_of(5) {
        let place = mix(number) as usize % (2 * range.len());
        flip(&mut words, range.start + place.min(range.len() - 1));
    }
    words
}

/// Word by word, as no code of the library does it.
fn scan_of<Op: Operator<Bits>>(
    bits: &[bool],
    range: Range<usize>,
    is_inclusive: bool,
    initial: Option<Bits>,
    op: Op,
) -> Vec<u64> {
    let fold = |before: u64, flags: &[bool]| match op.spec().operator {
        OperatorType::Min => before.min(flags.iter().all(|&flag| flag).into()),
        OperatorType::Max => before.max(flags.iter().any(|&flag| flag).into()),
        _ => before + count(flags),
    };
    let nothing = u64::from(op.spec().operator == OperatorType::Min);
    let mut before = initial
        .map_or(nothing, |initial| fold(nothing, &bits_of(bytemuck::cast_slice(&[initial]))));
    let mut results = Vec::new();
    let mut begin = range.start;
    while begin < range.end {
        let end = (begin / 32 * 32 + 32).min(range.end);
        let after = fold(before, &bits[begin..end]);
        results.push(if is_inclusive { after } else { before });
        (before, begin) = (after, end);
    }
    results
}

fn read_outs<Op: Operator<Bits>>(gpu: &Gpu, output: &GpuSlice<Op::Out>) -> Vec<u64> {
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&read(gpu, output));
    let join = |out: &[u32]| out.iter().rev().fold(0, |high, &word| high << 32 | u64::from(word));
    words.chunks(size_of::<Op::Out>() / 4).map(join).collect()
}

/// A result for each word, of the bits of the mask alone, from any bit to any bit.
fn scans<Op: Operator<Bits> + Copy>(gpu: &Gpu, variant: Variant, op: Op) {
    let is_coherent = gpu.capabilities().coherent_memory;
    let strategies = [Strategy::TwoPass, Strategy::SinglePass];
    let strategies = if is_coherent { &strategies[..] } else { &strategies[..1] };
    let mut single_passes = 0;
    for number in 0..60 {
        let h = mix(number);
        let among = |shift: u32, count: usize| (h >> shift) as usize % count;
        let len = [1, 2, 5, 1030, 9000, 20_001][number as usize % 6];
        let first = among(0, (32 * len as usize).min(200));
        let end = 32 * len as usize - among(16, (32 * len as usize - first).min(70));
        let words = scanned(number, first..end, len, op);
        let buffer = upload(gpu, &words);
        let mask = GpuSlice::bits(buffer.buffer(), first as u64, (end - first) as u64);
        let mask = mask.expect("within");
        let results = usize::try_from(mask.len()).expect("few");
        // One that changes nothing, and one that does.
        let nothing = Bits(if Op::SPEC.operator == OperatorType::Min { u32::MAX } else { 0 });
        let initial = [None, None, Some(nothing), Some(Bits(0xff00))][among(9, 4)];
        let is_inclusive = among(12, 2) == 0;
        let kind = if is_inclusive { Scan::inclusive() } else { Scan::exclusive() };
        let kind = initial.map_or(kind, |initial| kind.initial(initial));
        let wanted = scan_of(&bits_of(&words), first..end, is_inclusive, initial, op);
        for &strategy in strategies {
            let output = unwritten::<Op::Out>(gpu, results, [0, 0, 16, 4][among(5, 4)], 16);
            let scanner = Scanner::<Bits, _>::new(&gpu.context, op).variant(variant).kind(kind);
            let scanner = scanner.strategy(strategy).policy(Policy::DEFAULT);
            scanner.scan_blocking(&mask, &output).expect("scans");
            let plan = scanner.plan(&mask, &output).expect("plans");
            single_passes += usize::from(plan.strategy == Strategy::SinglePass);
            let found = read_outs::<Op>(gpu, &output);
            assert_same(&found, &wanted, || format!("{plan}, bits {first} to {end}, {kind:?}"));
        }
    }
    assert_eq!(single_passes > 5, is_coherent, "{single_passes} single passes");
}

fn elsewhere(gpu: &Gpu, variant: Variant) {
    let words = words(2, 30_000);
    let bits = bits_of(&words);
    let range = 100_005..959_993;
    let wanted = scan_of(&bits, range.clone(), true, None, Count);
    let scanner = |gpu: &Gpu| Scanner::<Bits, _>::new(&gpu.context, Count).variant(variant);
    let check = |gpu: &Gpu| {
        let buffer = upload(gpu, &words);
        let mask = GpuSlice::bits(buffer.buffer(), range.start as u64, range.len() as u64);
        let mask = mask.expect("within");
        // In windows, and where a part of the results is not in whole vectors.
        let output = unwritten::<u64>(gpu, wanted.len(), 0, 0);
        scanner(gpu).scan_blocking(&mask, &output).expect("scans");
        assert_same(&read(gpu, &output), &wanted, || "a mask".to_owned());
        let parts = [0..1, 1..9000, 9000..mask.len()].map(|range| mask.slice(range));
        let parts = parts.map(|part| part.expect("within"));
        scanner(gpu).scan_blocking(&parts, &output).expect("scans");
        assert_same(&read(gpu, &output), &wanted, || "parts of it".to_owned());
        // Where a piece before has been counted, and as far as a number on the device says.
        let before =
            Executor::cpu().reduce_part::<Bits, _>(&[Bits(7); 2], 0, Count).expect("reduces");
        let after = unwritten::<u64>(gpu, wanted.len(), 0, 0);
        scanner(gpu).scan_after_blocking(&before, &mask, &after).expect("scans");
        let after_six: Vec<u64> = wanted.iter().map(|count| count + 6).collect();
        assert_same(&read(gpu, &after), &after_six, || "after a part".to_owned());
        for len in [0, 1, 8999, 9000, mask.len(), mask.len() + 1] {
            let number = upload(gpu, &[u32::try_from(len).expect("few")]);
            let output = unwritten::<u64>(gpu, wanted.len(), 0, 0);
            let mut encoder = gpu.encoder();
            let counted = GpuSlice::<u32>::new(number.buffer(), 0, 1).expect("a number");
            scanner(gpu)
                .record(&mut encoder, Counted::new(&mask, &counted), &output)
                .expect("records");
            gpu.submit(encoder);
            let len = usize::try_from(len).expect("few").min(wanted.len());
            // The last word of as many is whole, if it is not the mask's last one.
            let found = read(gpu, &output);
            let rest = vec![0; wanted.len() - len];
            assert_same(&found, &[&wanted[..len], &rest].concat(), || format!("counted: {len}"));
        }
    };
    check(gpu);
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 15) + 16;
        limits.max_compute_workgroups_per_dimension = 2;
    });
    small.expect("a device with lower limits").check(check).expect("no errors");
    // Over its words, from a bit within one.
    let buffer = slice_of(gpu, &words, 0, 0);
    let mask = GpuSlice::bits(buffer.buffer(), 5, 32 * 30_000 - 9).expect("within");
    let output = GpuSlice::<u32>::new(buffer.buffer(), 0, 30_000).expect("within");
    let scanner = Scanner::<Bits, _>::new(&gpu.context, Max).variant(variant).exclusive();
    scanner.scan_blocking(&mask, &output).expect("scans");
    let wanted = scan_of(&bits, 5..bits.len() - 4, false, None, Max);
    assert_same(&read_outs::<Max>(gpu, &output), &wanted, || "in place".to_owned());
    // Of arrays, and on the CPU.
    let whole: Vec<Bits> = words.iter().map(|&word| Bits(word)).collect();
    let wanted = scan_of(&bits, 0..bits.len(), false, None, Count);
    for executor in [Executor::from_context(gpu.context.clone()), Executor::cpu()] {
        let ranks = executor.upload(&whole).expect("uploads").exclusive_scan(Count);
        let ranks = ranks.expect("scans").download().expect("downloads");
        assert_same(&ranks, &wanted, || "an array".to_owned());
    }
}
