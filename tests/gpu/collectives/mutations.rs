//! Shaders of collectives broken on purpose: the tests of collectives must see it.

use super::{check, flags, items, kernels, own, range, ticket, tiles};
use crate::{Case, Tier, VULKAN, device::Gpu, noticed::Noticed, quietly};
use gridfold::{
    DeviceClass, MaxAbs, Min, Product, Sum, SumWide, Variant, shader::Sources, wgpu,
    wgsl::Collective,
};
use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A test that has to fail.
type Check = fn(&Gpu, Variant);

struct Mutation {
    /// Which variant has the file; `None` for both.
    variant: Option<Variant>,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    check: Check,
}

const fn both(file: &'static str, from: &'static str, to: &'static str, check: Check) -> Mutation {
    Mutation { variant: None, file, from, to, check }
}

const fn shuffled(
    file: &'static str,
    from: &'static str,
    to: &'static str,
    check: Check,
) -> Mutation {
    Mutation { variant: Some(Variant::Subgroup), file, from, to, check }
}

const fn in_memory(
    file: &'static str,
    from: &'static str,
    to: &'static str,
    check: Check,
) -> Mutation {
    Mutation { variant: Some(Variant::WorkgroupMemory), file, from, to, check }
}

const SUMS: Check = |gpu, variant| check::<f32, _>(gpu, variant, &[33, 64], Sum);
const SUMS_OF_MANY: Check = |gpu, variant| check::<f32, _>(gpu, variant, &[256], Sum);
const RANGES: Check = range::careful_where_needed;
const PRODUCTS: Check = |gpu, variant| check::<f32, _>(gpu, variant, &[64], Product);
const PRODUCTS_OF_MANY: Check = |gpu, variant| check::<f32, _>(gpu, variant, &[256], Product);
const INTEGERS: Check = |gpu, variant| check::<u32, _>(gpu, variant, &[33, 64, 256], Sum);
const SIGNED: Check = |gpu, variant| check::<i32, _>(gpu, variant, &[33], Min);
const WORDS: Check = |gpu, variant| check::<u64, _>(gpu, variant, &[33, 64], Product);
const WIDE: Check = |gpu, variant| check::<i32, _>(gpu, variant, &[33], SumWide);
const MAGNITUDES: Check = |gpu, variant| check::<i32, _>(gpu, variant, &[33], MaxAbs);
const FLAGS: Check = |gpu, variant| flags(gpu, variant, &[33, 64, 256]);
const U32: Check = |gpu, variant| shuffles(gpu, variant, ("u32", Collective::Shuffle));
const I32: Check = |gpu, variant| shuffles(gpu, variant, ("i32", Collective::Shuffle));
const F32: Check = |gpu, variant| shuffles(gpu, variant, ("f32", Collective::Shuffle));
const PAIRS: Check = |gpu, variant| shuffles(gpu, variant, ("u32x2", Collective::ShuffleWide));
const TRIPLES: Check = |gpu, variant| shuffles(gpu, variant, ("u32x3", Collective::ShuffleWide));
const QUADS: Check = |gpu, variant| shuffles(gpu, variant, ("u32x4", Collective::ShuffleWide));
const SEVENS: Check = |gpu, variant| shuffles(gpu, variant, ("u32x7", Collective::ShuffleWide));
const EXCHANGES: Check = |gpu, variant| {
    items::exchanges(gpu, variant, ("u32x2", Collective::ShuffleWide), &[(33, 5), (64, 8)])
};
const FLOAT_EXCHANGES: Check = |gpu, variant| {
    items::exchanges(gpu, variant, ("f32", Collective::Shuffle), &[(33, 5), (64, 8)])
};
const SORTS: Check = |gpu, variant| items::sorts(gpu, variant, "u32", &[(33, 3, 6), (64, 4, 32)]);
const SIGNED_SORTS: Check = |gpu, variant| items::sorts(gpu, variant, "i32", &[(64, 4, 32)]);
const FLOAT_SORTS: Check = |gpu, variant| items::sorts(gpu, variant, "f32", &[(64, 4, 32)]);
const WIDE_SORTS: Check =
    |gpu, variant| items::sorts(gpu, variant, "u64", &[(33, 3, 38), (64, 4, 64)]);
const WIDE_SIGNED_SORTS: Check = |gpu, variant| items::sorts(gpu, variant, "i64", &[(64, 4, 64)]);
const WIDE_FLOAT_SORTS: Check = |gpu, variant| items::sorts(gpu, variant, "f64", &[(64, 4, 64)]);
const TILES: Check = |gpu, variant| tiles::operators::<f32, _>(gpu, variant, Sum);
const TILE_FLAGS: Check = tiles::flags_and_values;
const OWN: Check =
    |gpu, variant| own(gpu, variant, &kernels::affine(), kernels::affine_kernel, &[33, 64]);
const TICKETS: Check = |gpu, variant| ticket::check::<u64, _>(gpu, variant, &ticket::FEW, Sum);

// Text for subgroups of any size: the device's own text knows the size, if there is one.
const ANY_SUMS: Check =
    |gpu, variant| check::<f32, _>(&gpu.with_told_subgroups(4, 128), variant, &[256], Sum);
const ANY_RANGES: Check =
    |gpu, variant| range::careful_where_needed(&gpu.with_told_subgroups(4, 128), variant);
const ANY_INTEGERS: Check =
    |gpu, variant| check::<u32, _>(&gpu.with_told_subgroups(4, 128), variant, &[64, 256], Sum);

fn shuffles(gpu: &Gpu, variant: Variant, item: (&str, Collective)) {
    items::shuffles(gpu, variant, item, &items::FEW_SHUFFLES);
}

/// Of subgroups' totals.
const OTHER_HALF: &str = "KNOWN_SUBGROUPS - begin";

/// The mutations of all files.
const MUTATIONS: &[Mutation] = &[
    both("public/acc.wgsl@memory", "i < ACC_WORDS", "i < 1u", WORDS),
    both(
        "public/acc.wgsl@memory",
        "op_combine_any(total, next)",
        "op_combine_any(next, total)",
        OWN,
    ),
    both("public/acc.wgsl@memory", "done += run", "done = run", SUMS),
    shuffled("public/acc.wgsl@shuffle", "i < ACC_WORDS", "i < 1u", WORDS),
    both(
        "public/append.wgsl",
        "atomicAdd(&list.length, votes_before(WORKGROUP_SIZE))",
        "0u",
        FLAGS,
    ),
    both(
        "public/append.wgsl",
        "atomicAdd(&list.length, ballot_count(votes_of_lanes))",
        "0u",
        FLAGS,
    ),
    shuffled("public/votes.wgsl@ballot_128", "lane & 31u", "lane & 3u", FLAGS),
    shuffled("public/votes.wgsl@ballot_32", "subgroupBallot(flag)", "subgroupBallot(!flag)", FLAGS),
    in_memory("public/place.wgsl@before_memory", "index >= distance", "index > distance", SORTS),
    in_memory("public/place.wgsl@before_memory", "memory[index] - word", "memory[index]", SORTS),
    shuffled(
        "public/place.wgsl@before_subgroups",
        "other < subgroup)",
        "other <= subgroup)",
        SORTS,
    ),
    in_memory("public/rank.wgsl@bits", "rest -= count", "rest = 0u", FLAGS),
    both("public/rank.wgsl@bits", "at += width", "at += 1u", FLAGS),
    both("public/rank.wgsl@bits", "(32u - count) & 31u", "(31u - count) & 31u", TILE_FLAGS),
    both("public/compact.wgsl", "ballot_nth(kept, own)", "ballot_nth(kept, 0u)", U32),
    both("public/compact.wgsl", "keeps, votes_before(index), index)", "keeps, index, index)", U32),
    both("public/compact.wgsl", "begin + source", "source", TILE_FLAGS),
    both("public/digits.wgsl", "sums.x + (sums.y << 16u)", "sums.x", SORTS),
    both("public/digits.wgsl", "counts + (1u << shift)", "counts + 1u", SORTS),
    both("public/digits.wgsl", "min(DIGIT_BITS, end - bit)", "DIGIT_BITS", SORTS),
    both(
        "public/exchange.wgsl",
        "select(blocked, striped, to_striped)",
        "select(striped, blocked, to_striped)",
        EXCHANGES,
    ),
    both("public/exchange.wgsl", "word < ITEM_WORDS", "word < 1u", EXCHANGES),
    both("public/memory.wgsl@fence", "bitcast<u32>(x) +", "~bitcast<u32>(x) +", SUMS),
    both("public/workgroup.wgsl@group_any", "group_lanes(width, invocation)", "width - 1u", SUMS),
    shuffled("public/workgroup.wgsl@group_whole", "lane ^ distance", "lane ^ 1u", INTEGERS),
    shuffled(
        "public/workgroup.wgsl@group_whole",
        "lane + distance, (lane",
        "lane + 1u, (lane",
        TILES,
    ),
    both("public/item.wgsl", "(word & 3u) * WORKGROUP_SIZE + back", "back", TRIPLES),
    both("public/item.wgsl", "four < ITEM_FOURS", "four < 1u", SEVENS),
    both("public/item.wgsl@f32", "bitcast<f32>(packed[0])", "f32(packed[0])", F32),
    both("public/item.wgsl@i32", "bitcast<i32>(packed[0])", "i32(packed[0] >> 1u)", I32),
    in_memory("public/item.wgsl@memory", "& ~(SUBGROUP_SIZE - 1u)", "& SUBGROUP_SIZE", U32),
    shuffled("public/item.wgsl@shuffle", "packed[i] = word", "packed[i & 1u] = word", QUADS),
    both("public/item.wgsl@u32", "return packed[0]", "return ~packed[0]", U32),
    both("public/item.wgsl@u32x2", "packed[0], packed[1]", "packed[1], packed[0]", PAIRS),
    both("public/item.wgsl@u32x3", "packed[1], packed[2]", "packed[1], packed[1]", TRIPLES),
    both("public/item.wgsl@u32x4", "packed[2], packed[3]", "packed[2], packed[2]", QUADS),
    both("public/item.wgsl@words", "return packed;", "return Item();", SEVENS),
    both("public/item.wgsl@items", "item_unpack(packed)", "Item()", EXCHANGES),
    both("public/item.wgsl@items_bits", "return packed[0]", "return ~packed[0]", FLOAT_EXCHANGES),
    both(
        "public/key.wgsl@f32",
        "select(0x80000000u, 0xffffffffu,",
        "select(0x80000000u, 0x80000000u,",
        FLOAT_SORTS,
    ),
    both(
        "public/key.wgsl@i32",
        "bitcast<u32>(value) ^ 0x80000000u",
        "bitcast<u32>(value) ^ 0u",
        SIGNED_SORTS,
    ),
    both("public/key.wgsl@u32", "return value", "return ~value", SORTS),
    both(
        "public/key.wgsl@f64",
        "select(vec2<u32>(0u, 0x80000000u), vec2<u32>(0xffffffffu)",
        "select(vec2<u32>(0u, 0x80000000u), vec2<u32>(0u, 0xffffffffu)",
        WIDE_FLOAT_SORTS,
    ),
    both(
        "public/key.wgsl@i64",
        "value ^ vec2<u32>(0u, 0x80000000u)",
        "value ^ vec2<u32>(0x80000000u, 0u)",
        WIDE_SIGNED_SORTS,
    ),
    both("public/key.wgsl@u64", "return value", "return value.yx", WIDE_SORTS),
    both("public/rank.wgsl@match", "select(~with_bit, with_bit, has_bit)", "with_bit", FLAGS),
    both(
        "public/rank.wgsl@match",
        "ballot_of_tile(same, width,",
        "ballot_of_tile(same, 1u,",
        TILE_FLAGS,
    ),
    both("public/memory.wgsl", "WORKGROUP_SIZE * LANE_WORDS", "LANE_WORDS", U32),
    both(
        "public/workgroup.wgsl@outcome",
        "workgroup_total(value,",
        "workgroup_total(op_identity(),",
        INTEGERS,
    ),
    shuffled(
        "public/workgroup.wgsl@outcome_quick",
        "workgroup_total(value,",
        "workgroup_total(0u,",
        SUMS_OF_MANY,
    ),
    both("public/value.wgsl@outcome_f32", "bitcast<f32>(words[0])", "f32(words[0])", SUMS),
    both(
        "public/value.wgsl@outcome_i32",
        "bitcast<i32>(words[0])",
        "-bitcast<i32>(words[0])",
        SIGNED,
    ),
    both("public/value.wgsl@outcome_own", "return out_to_user(words)", "return UserOut()", OWN),
    both("public/value.wgsl@outcome_two_words", "words[0], words[1]", "words[0], words[0]", WIDE),
    both("public/value.wgsl@outcome_u32", "return words[0]", "return ~words[0]", MAGNITUDES),
    both("public/partials.wgsl", "op_combine_any(total, next)", "next", TICKETS),
    both("public/partials.wgsl", "i < ACC_WORDS", "i < 1u", TICKETS),
    both("public/place.wgsl", "WORKGROUP_SIZE - begin", "width", FLAGS),
    in_memory("public/place.wgsl@memory", "& ~(width - 1u)", "& width", SUMS),
    shuffled("public/place.wgsl@subgroups", "subgroupShuffle(word, lane)", "word", U32),
    both("public/rank.wgsl", "of_lanes & lanes_before(lane)", "of_lanes", FLAGS),
    both(
        "public/rank.wgsl",
        "votes_before(invocation.local_invocation_index)",
        "votes_before(WORKGROUP_SIZE)",
        FLAGS,
    ),
    both(
        "public/reduce.wgsl",
        "group_total(acc_of(value), lanes,",
        "group_total(acc_of(value), 2u,",
        INTEGERS,
    ),
    both(
        "public/scan.wgsl",
        "invocation.local_invocation_index + 1u",
        "invocation.local_invocation_index",
        INTEGERS,
    ),
    both("public/segments.wgsl@segment", "min(end, first + first", "min(end, first", INTEGERS),
    both("public/segments.wgsl@segment", "begin = first + first", "begin = first", INTEGERS),
    both("public/segments.wgsl", "- segment.x + 1u", "- segment.x", INTEGERS),
    both("public/segments.wgsl", "is_head | begins", "is_head", TILES),
    both(
        "public/several.wgsl",
        "ITEMS_PER_LANE * invocation.local_invocation_index + i",
        "invocation.local_invocation_index",
        SORTS,
    ),
    both("public/several.wgsl", "number ^ select", "number & select", SORTS),
    both("public/shuffle.wgsl", "own ^ mask", "own ^ 1u", U32),
    both(
        "public/shuffle.wgsl",
        "value, own + min(delta, MAX_LANES), width",
        "value, own + 1u, width",
        TILE_FLAGS,
    ),
    both("public/sort.wgsl@words", "bit += DIGIT_BITS", "bit += 2u * DIGIT_BITS", SORTS),
    both("public/sort.wgsl@two_words", "min(bits, 64u)", "min(bits, 36u)", WIDE_SORTS),
    both(
        "public/sort.wgsl@two_words",
        "digit_places(high, bit",
        "digit_places(low, bit",
        WIDE_SORTS,
    ),
    both("public/ticket.wgsl", "before + 1u == workgroups", "before == workgroups", TICKETS),
    both(
        "public/ticket.wgsl",
        "atomicStore(&ticket.delivered, 0u)",
        "atomicStore(&ticket.delivered, 1u)",
        TICKETS,
    ),
    in_memory(
        "public/tree.wgsl@memory",
        "acc_load(index - distance), acc_load(index)",
        "acc_load(index), acc_load(index - distance)",
        OWN,
    ),
    shuffled(
        "public/tree.wgsl@subgroups",
        "op_combine_any(left, node)",
        "op_combine_any(node, left)",
        OWN,
    ),
    both("public/value.wgsl", "op_lift(elem_of(value))", "op_identity()", INTEGERS),
    both("public/value.wgsl@f32", "bitcast<u32>(value)", "u32(value)", SUMS),
    both("public/value.wgsl@i32", "bitcast<u32>(value)", "bitcast<u32>(-value)", SIGNED),
    both("public/value.wgsl@two_words", "return value", "return value.yx", WORDS),
    both("public/value.wgsl@u32", "return value", "return value + 1u", INTEGERS),
    both("public/votes.wgsl", "== WORKGROUP_SIZE", "== 1u", FLAGS),
    both("public/votes.wgsl", ">> (begin & 31u)", ">> 0u", TILE_FLAGS),
    both("public/rank.wgsl", "group_lane(min(width,", "group_lane(min(2u,", TILE_FLAGS),
    in_memory("public/votes.wgsl@by_lanes", ">> (begin & 31u)", ">> 0u", FLAGS),
    shuffled("public/votes.wgsl@by_subgroups", "(lane & 31u) == 0u", "(lane & 31u) == 1u", FLAGS),
    both("public/votes.wgsl@memory", "count - min(count, 32u * word)", "count", FLAGS),
    in_memory("public/memory.wgsl@word", "] = word;", "] = 0u;", FLAGS),
    shuffled("public/memory.wgsl@shuffle", "word_of_lane(word, lane)", "word", FLAGS),
    both(
        "public/workgroup.wgsl@any",
        "memory_prefix(0u, WORKGROUP_SIZE,",
        "memory_prefix(0u, WORKGROUP_SIZE - 1u,",
        SUMS,
    ),
    shuffled(
        "public/workgroup.wgsl@whole",
        "acc_store(subgroup, total)",
        "acc_store(0u, total)",
        PRODUCTS_OF_MANY,
    ),
    shuffled(
        "public/workgroup.wgsl@whole_any",
        "any_total(value,",
        "any_total(op_identity(),",
        PRODUCTS,
    ),
    shuffled(
        "public/workgroup.wgsl@whole_quick",
        "op_combine(total,",
        "op_combine(value,",
        ANY_SUMS,
    ),
    shuffled("public/workgroup.wgsl@whole_quick", "subgroup, total", "0u, total", ANY_SUMS),
    shuffled("public/workgroup.wgsl@whole_quick", "any_total(value,", "any_total(0u,", ANY_RANGES),
    shuffled(
        "public/workgroup.wgsl@whole_quick",
        "atomicStore(&out_of_range, OUT_OF_RANGE)",
        "atomicStore(&out_of_range, 0u)",
        ANY_RANGES,
    ),
    shuffled("public/workgroup_known.wgsl", "op_combine(total,", "op_combine(value,", INTEGERS),
    shuffled("public/workgroup_known.wgsl", "index >> KNOWN_LEVELS, total", "0u, total", INTEGERS),
    shuffled("public/workgroup_known.wgsl", "== KNOWN_SUBGROUP_SIZE", "== 0u", RANGES),
    shuffled("public/workgroup_known.wgsl@any", "known_show(total,", "known_show(value,", INTEGERS),
    shuffled(
        "public/workgroup_known.wgsl@quick",
        "(index >> KNOWN_LEVELS)] = total",
        "(index >> KNOWN_LEVELS)] = value",
        SUMS_OF_MANY,
    ),
    shuffled("public/workgroup_known.wgsl@quick", "any_total(value,", "any_total(0u,", RANGES),
    shuffled(
        "public/workgroup_known.wgsl@quick",
        "atomicStore(&out_of_range, OUT_OF_RANGE)",
        "atomicStore(&out_of_range, 0u)",
        RANGES,
    ),
    shuffled("public/workgroup_known.wgsl@quick", OTHER_HALF, "begin", range::call_after_call),
    shuffled("public/memory.wgsl@range", "== OUT_OF_RANGE", "== 2u", RANGES),
    shuffled(
        "public/memory.wgsl@range",
        "atomicStore(&out_of_range, 0u)",
        "atomicStore(&out_of_range, OUT_OF_RANGE)",
        range::call_after_call,
    ),
    shuffled(
        "public/workgroup.wgsl@whole_builtin",
        "acc_store(subgroup, total)",
        "acc_store(0u, total)",
        ANY_INTEGERS,
    ),
];

/// Files without a mutation, and why.
const WITHOUT: [(&str, &str); 3] = [
    ("public/append.wgsl@memory", "a variable"),
    ("public/memory.wgsl@quick", "variables"),
    ("public/ticket.wgsl@memory", "a variable"),
];

pub fn cases() -> Vec<Case> {
    let has_one = |_: &Gpu, _| every_file_has_one();
    let only = Variant::WorkgroupMemory;
    let mut cases =
        vec![Case::tier1(VULKAN, "collectives, a mutation for every file", has_one).only(only)];
    // A case for each file and variant.
    let files: BTreeSet<_> = MUTATIONS.iter().map(|mutation| mutation.file).collect();
    for (file, variant) in files
        .into_iter()
        .flat_map(|file| [Variant::WorkgroupMemory, Variant::Subgroup].map(|it| (file, it)))
    {
        let is_of =
            |it: &&Mutation| it.file == file && it.variant.is_none_or(|only| only == variant);
        let mutations: Vec<_> = MUTATIONS.iter().filter(is_of).collect();
        if mutations.is_empty() {
            continue;
        }
        let texts = mutations.iter().map(|mutation| (mutation.from, mutation.to));
        let noticed = Noticed::of(file, Some(variant), texts);
        let name = format!("collectives, every mutated {file}");
        let case = Case::of(Tier::Two, name, move |gpu, variant| {
            every_one_fails(gpu, variant, &mutations);
        });
        cases.push(case.noticing(noticed).only(variant));
    }
    cases
}

fn every_file_has_one() {
    for Mutation { file, from, to, .. } in MUTATIONS {
        let changed = Sources::default().replace(file, from, to);
        assert!(changed.is_some(), "{file} has no \"{from}\"");
    }
    let all: BTreeSet<_> =
        Sources::file_names().filter(|file| file.starts_with("public/")).collect();
    let mutated: BTreeSet<_> = MUTATIONS.iter().map(|mutation| mutation.file).collect();
    let left_out: BTreeSet<_> = WITHOUT.into_iter().map(|(file, _)| file).collect();
    assert_eq!(mutated.intersection(&left_out).next(), None);
    assert_eq!(mutated.union(&left_out).copied().collect::<BTreeSet<_>>(), all);
}

fn every_one_fails(gpu: &Gpu, variant: Variant, mutations: &[&Mutation]) {
    let sizes = gpu.capabilities().subgroups;
    let max_subgroup = sizes.map_or(0, |sizes| sizes.max);
    let has_one_size = sizes.is_some_and(|sizes| sizes.min == sizes.max);
    let is_reached = |mutation: &&&Mutation| match mutation.file {
        "public/votes.wgsl@ballot_32" => variant == Variant::Subgroup && max_subgroup <= 32,
        "public/votes.wgsl@ballot_128" => variant == Variant::Subgroup && max_subgroup > 32,
        "public/ticket.wgsl" | "public/partials.wgsl" => gpu.capabilities().coherent_memory,
        file if file.contains("_known") && !has_one_size => false,
        // A race, which a GPU's subgroups need not lose.
        _ if mutation.from == OTHER_HALF => gpu.capabilities().device_class == DeviceClass::Cpu,
        _ => true,
    };
    let survivors: Vec<String> = mutations
        .iter()
        .filter(is_reached)
        .filter_map(|mutation| {
            let Mutation { file, from, to, check, .. } = mutation;
            check(gpu, variant);
            let sources = Sources::default().replace(file, from, to).expect("the text is there");
            let mutated = gpu.with_shaders(sources).expect("a context");
            let scope = gpu.device().push_error_scope(wgpu::ErrorFilter::Validation);
            let failed =
                quietly(|| catch_unwind(AssertUnwindSafe(|| check(&mutated, variant)))).is_err();
            let problem = match pollster::block_on(scope.pop()) {
                // It proves nothing then.
                Some(error) => format!("it does not compile: {error}"),
                None if failed => return None,
                None => "not noticed".to_owned(),
            };
            Some(format!("{file}: \"{from}\" → \"{to}\": {problem}"))
        })
        .collect();
    assert!(survivors.is_empty(), "{}", survivors.join("\n"));
}
