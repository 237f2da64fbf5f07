//! Masks of a bit for each flag: against vectors that NumPy made, and bit by bit.

use crate::{
    BOTH, Case,
    device::Gpu,
    inputs::upload,
    support::{
        data::mix,
        mask_vectors::{MaskVector, mask_vectors},
    },
};
use gridfold::{
    Batch, Bits, Bool, Count, Executor, GpuSlice, Max, Min, Operator, Policy, Reducer, SliceError,
    Strategy, Variant,
};

pub fn cases() -> Vec<Case> {
    vec![
        Case::tier1(BOTH, "masks, vectors", vectors),
        Case::tier2("masks, from any bit to any bit", |gpu, variant| {
            any_bits(gpu, variant, count, Count);
            any_bits(gpu, variant, all, Min);
            any_bits(gpu, variant, any, Max);
        }),
        Case::tier2("masks, several of them, and windows", several),
        Case::tier2("masks, a batch, arrays, and words of structs", elsewhere),
        Case::tier2("masks that are none", refused).only(Variant::WorkgroupMemory),
    ]
}

fn reducer<Op: Operator<Bits>>(gpu: &Gpu, variant: Variant, op: Op) -> Reducer<Bits, Op> {
    Reducer::new(&gpu.context, op).variant(variant).policy(Policy::DEFAULT)
}

/// Each vector in one of the strategies, with other bits behind it in some.
fn vectors(gpu: &Gpu, variant: Variant) {
    let mut strategies = vec![Strategy::Auto, Strategy::TwoPass];
    if gpu.capabilities().coherent_memory {
        strategies.push(Strategy::SinglePass);
    }
    for (number, vector) in mask_vectors().into_iter().enumerate() {
        let mut words = vector.words();
        words.resize(words.len() + number % 4, 0x5a5a_5a5a);
        let buffer = upload(gpu, &words);
        let MaskVector { first, len, .. } = vector;
        let mask = GpuSlice::bits(buffer.buffer(), first, len).expect("within");
        let strategy = strategies[number % strategies.len()];
        let found = reducer(gpu, variant, Count).strategy(strategy).reduce_blocking(&mask);
        assert_eq!(found.expect("reduces"), vector.count, "{vector:?}");
        let found = reducer(gpu, variant, Min).strategy(strategy).reduce_blocking(&mask);
        assert_eq!(found.expect("reduces"), vector.all, "{vector:?}");
        let found = reducer(gpu, variant, Max).strategy(strategy).reduce_blocking(&mask);
        assert_eq!(found.expect("reduces"), vector.any, "{vector:?}");
    }
}

pub fn bits_of(words: &[u32]) -> Vec<bool> {
    words.iter().flat_map(|word| (0..32).map(move |bit| word >> bit & 1 == 1)).collect()
}

pub fn count(bits: &[bool]) -> u64 {
    bits.iter().map(|&bit| u64::from(bit)).sum()
}

fn all(bits: &[bool]) -> Option<Bool> {
    (!bits.is_empty()).then(|| bits.iter().all(|&bit| bit).into())
}

fn any(bits: &[bool]) -> Option<Bool> {
    (!bits.is_empty()).then(|| bits.iter().any(|&bit| bit).into())
}

/// Words that are all 0, all 1, or neither, so that the bits around a mask would be noticed.
pub fn words(number: u32, len: u32) -> Vec<u32> {
    let of = |h: u32| [0, u32::MAX, h][number as usize % 3];
    let mut words: Vec<u32> = (0..len).map(|index| of(mix(index + 100 * number))).collect();
    // The other way round at both ends.
    for end in [0, words.len() - 1] {
        words[end] ^= mix(number) & mix(!number);
    }
    words
}

fn any_bits<Op: Operator<Bits> + Copy>(
    gpu: &Gpu,
    variant: Variant,
    expected: fn(&[bool]) -> Op::Value,
    op: Op,
) {
    for number in 0..240 {
        let h = mix(number);
        let words = words(number, [1, 2, 3, 6, 130, 4200][number as usize % 6]);
        let bits = bits_of(&words);
        let first = h as usize % bits.len().min(200);
        let end = bits.len() - (h >> 16) as usize % (bits.len() - first).min(70);
        let buffer = upload(gpu, &words);
        let (at, len) = (first as u64, (end - first) as u64);
        let mask = GpuSlice::bits(buffer.buffer(), at, len).expect("within");
        let found = reducer(gpu, variant, op).reduce_blocking(&mask).expect("reduces");
        assert_eq!(found, expected(&bits[first..end]), "bits {first} to {end}, {number}");
        for executor in [Executor::from_context(gpu.context.clone()), Executor::cpu()] {
            let found = executor.reduce_bits(&words, at..at + len, op).expect("reduces");
            assert_eq!(found.value, expected(&bits[first..end]), "bits {first} to {end}, {number}");
        }
    }
}

fn several(gpu: &Gpu, variant: Variant) {
    let words = words(2, 30_000);
    let bits = bits_of(&words);
    let small = gpu.with_limits(|limits| {
        limits.max_storage_buffer_binding_size = (1 << 15) + 16;
        limits.max_compute_workgroups_per_dimension = 2;
    });
    let check = |gpu: &Gpu| {
        let buffer = upload(gpu, &words);
        let ranges = [3..64_003, 7..7, 64_005..64_006, 100_000..959_993, 31..33];
        let mask = |range: &std::ops::Range<usize>| {
            GpuSlice::bits(buffer.buffer(), range.start as u64, range.len() as u64).expect("within")
        };
        let masks: Vec<GpuSlice<Bits>> = ranges.iter().map(mask).collect();
        let plan = reducer(gpu, variant, Count).plan(&masks).expect("plans");
        assert!(plan.dispatches.len() > 5, "{plan}");
        let all: Vec<bool> = ranges.iter().flat_map(|range| bits[range.clone()].to_vec()).collect();
        let found = reducer(gpu, variant, Count).reduce_blocking(&masks).expect("reduces");
        assert_eq!(found, count(&all));
        // Words of a mask: its ends stay with it.
        let whole = &masks[3];
        let parts = [0..1, 1..9000, 9000..whole.len()].map(|range| whole.slice(range));
        let parts = parts.map(|part| part.expect("within"));
        let found = reducer(gpu, variant, Count).reduce_blocking(&parts).expect("reduces");
        assert_eq!(found, count(&bits[100_000..959_993]));
    };
    small.expect("a device with lower limits").check(check).expect("no errors");
}

fn elsewhere(gpu: &Gpu, variant: Variant) {
    let words = words(2, 9000);
    let bits = bits_of(&words);
    let buffer = upload(gpu, &words);
    let mut batch = Batch::new(&gpu.context);
    let ranges = [5..100, 77..200_000, 5..100, 37..132];
    let tickets = ranges.clone().map(|range| {
        let mask = GpuSlice::bits(buffer.buffer(), range.start as u64, range.len() as u64);
        batch.add(&reducer(gpu, variant, Count), mask.expect("within")).expect("adds")
    });
    let results = batch.reduce_blocking().expect("reduces");
    for (ticket, range) in tickets.into_iter().zip(ranges) {
        assert_eq!(results.get(ticket).expect("its own"), count(&bits[range]));
    }
    let whole: Vec<Bits> = words.iter().map(|&word| Bits(word)).collect();
    let executor = Executor::from_context(gpu.context.clone());
    let array = executor.upload(&whole).expect("uploads");
    assert_eq!(array.count().expect("reduces"), count(&bits));
    assert_eq!(executor.chunk_bytes(1 << 12).count(&whole).expect("reduces"), count(&bits));
    // Every third word.
    let strided = GpuSlice::<Bits>::strided(buffer.buffer(), 4, 12, 2999).expect("within");
    let found = reducer(gpu, variant, Count).reduce_blocking(&strided).expect("reduces");
    let thirds = words.chunks(3).take(2999).map(|words| u64::from(words[1].count_ones()));
    assert_eq!(found, thirds.sum());
}

fn refused(gpu: &Gpu, _: Variant) {
    let buffer = upload(gpu, &[0u32; 4]);
    let buffer = buffer.buffer();
    let bits = 8 * buffer.size();
    assert!(GpuSlice::bits(buffer, 3, bits - 3).is_ok());
    for (first, len) in [(3, bits - 2), (bits, 1), (0, u64::MAX), (u64::MAX, 1), (7, u64::MAX - 3)]
    {
        let error = GpuSlice::bits(buffer, first, len).expect_err("past the end");
        assert!(matches!(error, SliceError::PastBuffer { .. }), "{first} {len}: {error}");
    }
    let range = 5..129;
    let error = Executor::cpu().reduce_bits(&[0; 4], range.clone(), Count).expect_err("too long");
    let expected = SliceError::PastSlice { range, len: 128 };
    assert_eq!(error.to_string(), gridfold::Error::from(expected).to_string());
}
