//! Collectives in users' kernels: each function against the same on the CPU, for workgroups of many sizes.

use crate::{
    BOTH, Case, VULKAN,
    device::Gpu,
    inputs::upload,
    recording::download,
    recording::output,
    support::{Element, data::mix},
};
use gridfold::{
    BitAnd, BitOr, BitXor, Count, CustomOperator, ElementType, GpuSlice, Max, MaxAbs, Min,
    Operator, OperatorType, Product, ProductWide, SubgroupSizes, Sum, SumWide, Variant, wgpu,
    wgsl::{Collective, Collectives, CollectivesError, twin},
};

mod emulated;
mod items;
#[path = "../support/collectives.rs"]
mod kernels;
mod mutations;
mod range;
mod ticket;
mod tiles;

use kernels::SIZES;

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // What has a tree of its own in each way: in order, by a built-in, of several words.
    let few = [
        (OperatorType::Sum, ElementType::F32),
        (OperatorType::Max, ElementType::I32),
        (OperatorType::Sum, ElementType::U64),
    ];
    for (operator, element) in kernels::operators() {
        let name = format!("collectives of {operator} {element}");
        let check = move |sizes: &'static [u32]| {
            move |gpu: &Gpu, variant| check_operator(gpu, variant, operator, element, sizes)
        };
        if few.contains(&(operator, element)) {
            cases.push(Case::tier1(BOTH, format!("{name}, every size"), check(&SIZES)));
        } else {
            cases.push(Case::tier2(format!("{name}, every size"), check(&SIZES)));
            cases.push(Case::tier2(name, check(&[33, 128])));
        }
    }
    cases.push(Case::tier1(BOTH, "collectives of flags", |gpu, variant| {
        flags(gpu, variant, &SIZES)
    }));
    cases.extend(mutations::cases());
    cases.extend(emulated::cases());
    cases.extend(range::cases());
    cases.push(Case::tier1(BOTH, "collectives of own operators", |gpu, variant| {
        own(gpu, variant, &kernels::affine(), kernels::affine_kernel, &[33, 64, 256]);
        own(gpu, variant, &kernels::words(), kernels::words_kernel, &[33, 64, 256]);
    }));
    cases.push(Case::tier2("collectives of own operators, every size", |gpu, variant| {
        own(gpu, variant, &kernels::affine(), kernels::affine_kernel, &SIZES);
        own(gpu, variant, &kernels::words(), kernels::words_kernel, &SIZES);
    }));
    cases.push(Case::tier1(BOTH, "collectives: the last workgroup's total", |gpu, variant| {
        ticket::check::<f32, _>(gpu, variant, &ticket::FEW, Sum);
        ticket::check::<u64, _>(gpu, variant, &ticket::FEW, Sum);
        ticket::own(gpu, variant, &[(33, 100), (64, 37)]);
    }));
    cases.push(Case::tier2(
        "collectives: the last workgroup's total, every size",
        |gpu, variant| {
            let sizes = SIZES.map(|size| (size, 7));
            ticket::check::<f32, _>(gpu, variant, &sizes, Sum);
            ticket::own(gpu, variant, &sizes);
        },
    ));
    // Text for subgroups of any size, where the device has one size, which its own text knows.
    let any_size = Case::tier2("collectives, text for any size of subgroups", |gpu, variant| {
        let gpu = gpu.with_told_subgroups(4, 128);
        check::<f32, _>(&gpu, variant, &[64, 256, 1024], Sum);
        check::<u32, _>(&gpu, variant, &[64, 256, 1024], Max);
        range::careful_where_needed(&gpu, variant);
    });
    cases.push(any_size.only(Variant::Subgroup));
    // And text for another size than the device has.
    let other_size =
        Case::tier1(VULKAN, "collectives, text for another size of subgroups", |gpu, variant| {
            let sizes = gpu.capabilities().subgroups.expect("it has some");
            let other = if sizes.max == 128 { 64 } else { 2 * sizes.max };
            let gpu = gpu.with_told_subgroups(other, other);
            check::<f32, _>(&gpu, variant, &[64, 256, 1024], Sum);
            check::<i32, _>(&gpu, variant, &[64, 256], Max);
            check::<u64, _>(&gpu, variant, &[256], Sum);
        });
    cases.push(other_size.only(Variant::Subgroup));
    cases.push(Case::tier1(VULKAN, "collectives: sorts of u32", |gpu, variant| {
        items::sorts(gpu, variant, "u32", &[(33, 3, 6), (64, 32, 32), (256, 8, 32)]);
    }));
    cases.push(Case::tier1(VULKAN, "collectives: sorts of 64 bits", |gpu, variant| {
        items::sorts(gpu, variant, "f64", &[(33, 3, 38), (64, 8, 64)]);
    }));
    cases.push(Case::tier1(VULKAN, "collectives of tiles", |gpu, variant| {
        tiles::operators::<f32, _>(gpu, variant, Sum);
        tiles::operators::<i32, _>(gpu, variant, Max);
        tiles::flags_and_values(gpu, variant);
    }));
    cases.push(Case::tier2("collectives: sorts of 64 bits, more sizes", |gpu, variant| {
        items::sorts(gpu, variant, "u64", &items::WIDE_SORTS);
        items::sorts(gpu, variant, "i64", &[(64, 4, 64)]);
    }));
    for item in ["u32", "i32", "f32"] {
        let name = format!("collectives: sorts of {item}, every size");
        cases.push(Case::tier2(name, move |gpu, variant| {
            items::sorts(gpu, variant, item, &items::SORTS);
        }));
    }
    for item in kernels::ITEMS {
        cases.push(Case::tier2(
            format!("collectives: exchanges of {}", item.0),
            move |gpu, variant| items::exchanges(gpu, variant, item, &items::EXCHANGES),
        ));
    }
    cases.push(Case::tier1(BOTH, "collectives: shuffles and exchanges", |gpu, variant| {
        let item = ("u32x2", Collective::ShuffleWide);
        items::shuffles(gpu, variant, item, &items::FEW_SHUFFLES);
        items::exchanges(gpu, variant, item, &[(33, 5), (64, 8)]);
        let item = ("u32x7", Collective::ShuffleWide);
        items::shuffles(gpu, variant, item, &items::FEW_SHUFFLES[1..3]);
    }));
    cases.push(Case::tier2("collectives have as many barriers as they say", barriers));
    for item in kernels::ITEMS {
        cases.push(Case::tier2(
            format!("collectives: shuffles of {}", item.0),
            move |gpu, variant| {
                items::shuffles(gpu, variant, item, &items::SHUFFLES);
            },
        ));
    }
    cases.push(Case::tier2("collectives: shuffles of long values", |gpu, variant| {
        for item in kernels::LONG_ITEMS {
            items::shuffles(gpu, variant, item, &items::FEW_SHUFFLES);
        }
    }));
    cases
}

/// Those of the sizes that the device has.
/// Results by segments, on the host.
type OfSegments<T, Op> = fn(&[T], &[bool], Op) -> Vec<<Op as Operator<T>>::Out>;

fn sizes_of(gpu: &Gpu, sizes: &[u32]) -> Vec<u32> {
    let most = gpu.device().limits().max_compute_invocations_per_workgroup;
    sizes.iter().copied().filter(|&size| size <= most).collect()
}

/// Collectives for the device, or for what is told of it.
fn collectives_of(gpu: &Gpu) -> Collectives {
    let collectives = Collectives::new(&gpu.context);
    match gpu.told_subgroups {
        // In memory the largest one stands for a subgroup.
        Some(sizes) => collectives.subgroup_sizes(sizes).subgroup_size(sizes.max),
        None => collectives,
    }
}

/// What lanes got: for each slot the pairs of words, by lane.
type Slots = Vec<Vec<[u32; 2]>>;

fn pipeline(gpu: &Gpu, text: &str) -> wgpu::ComputePipeline {
    let device = gpu.device();
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("collectives"),
        source: wgpu::ShaderSource::Wgsl(emulated::with_lanes(text).into()),
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("collectives"),
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    })
}

fn run(
    gpu: &Gpu,
    pipeline: &wgpu::ComputePipeline,
    size: u32,
    slots: usize,
    params: [u32; 3],
    input: &[u32],
) -> Slots {
    let words = 2 * slots * size as usize;
    let params = device_uniform(gpu, params);
    let input: GpuSlice<u32> = upload(gpu, input);
    let output: GpuSlice<u32> = output(gpu, &vec![0xdead_beef_u32; words]);
    let bind_group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: params.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: input.buffer().as_entire_binding() },
            wgpu::BindGroupEntry { binding: 2, resource: output.buffer().as_entire_binding() },
        ],
    });
    let mut encoder = gpu.encoder();
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
    gpu.submit(encoder);
    let words: Vec<u32> = download(gpu, &output);
    let slots = words.chunks_exact(2 * size as usize);
    slots.map(|slot| slot.as_chunks().0.to_vec()).collect()
}

fn device_uniform(gpu: &Gpu, [zero, width, by]: [u32; 3]) -> wgpu::Buffer {
    let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 16,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.context.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(&[zero, width, by, 0]));
    buffer
}

fn check_operator(
    gpu: &Gpu,
    variant: Variant,
    operator: OperatorType,
    element: ElementType,
    sizes: &[u32],
) {
    macro_rules! find {
        ($($operator:ident [$($element:ident)*])*) => {
            match (operator, element) {
                $($((OperatorType::$operator, <$element as gridfold::Element>::TYPE) => {
                    check::<$element, _>(gpu, variant, sizes, $operator);
                })*)*
                _ => panic!("no collectives of {operator} {element}"),
            }
        };
    }
    find! {
        Sum [f32 f64 i32 u32 i64 u64]
        Product [f32 f64 i32 u32 i64 u64]
        Min [f32 f64 i32 u32 i64 u64]
        Max [f32 f64 i32 u32 i64 u64]
        MaxAbs [f32 f64 i32 u32 i64 u64]
        Count [f32 f64 i32 u32 i64 u64]
        SumWide [i32 u32 i64 u64]
        ProductWide [i32 u32 i64 u64]
        BitAnd [i32 u32 i64 u64]
        BitOr [i32 u32 i64 u64]
        BitXor [i32 u32 i64 u64]
    }
}

fn check<T: Special, Op: Operator<T> + Copy>(gpu: &Gpu, variant: Variant, sizes: &[u32], op: Op) {
    for size in sizes_of(gpu, sizes) {
        let collectives = collectives_of(gpu).workgroup_size(size).variant(variant);
        let text = kernels::operator_kernel(collectives, op.spec().operator, T::TYPE)
            .expect("there are such collectives");
        let pipeline = pipeline(gpu, &text);
        for (round, seed) in [(0, 7), (1, 77)] {
            // In the second round some values are special.
            let lanes: Vec<T> = (0..size)
                .map(|lane| T::value(mix(seed << 16 | lane), round == 1 && lane % 5 == 2))
                .collect();
            let input: Vec<u32> = lanes.iter().flat_map(pair_of).collect();
            let (width, by) = [(4, 2), (2, 5)][round];
            let slots = run(gpu, &pipeline, size, 17, [0, width, by], &input);
            let subgroup = slots[0][0][0] as usize;
            let width = width as usize;
            let same = |group: &[T]| vec![twin::reduce_all::<T, _>(group, op); group.len()];
            let heads = heads(size, by);
            let segments = |of: OfSegments<T, Op>| -> Vec<Op::Out> {
                let groups = lanes.chunks(subgroup).zip(heads.chunks(subgroup));
                groups.flat_map(|(lanes, heads)| of(lanes, heads, op)).collect()
            };
            let inclusive = |lanes: &[T]| twin::inclusive_scan(lanes, op);
            let exclusive = |lanes: &[T]| twin::exclusive_scan(lanes, op);
            let expected = [
                twin::in_groups(&lanes, subgroup, same),
                twin::in_groups(&lanes, width, same),
                same(&lanes),
                twin::in_groups(&lanes, subgroup, inclusive),
                twin::in_groups(&lanes, subgroup, exclusive),
                twin::in_groups(&lanes, width, inclusive),
                twin::in_groups(&lanes, width, exclusive),
                inclusive(&lanes),
                exclusive(&lanes),
                same(&lanes),
                segments(twin::segmented_reduce::<T, Op>),
                segments(twin::segmented_inclusive_scan::<T, Op>),
                segments(twin::segmented_exclusive_scan::<T, Op>),
                twin::segmented_reduce::<T, _>(&lanes, &heads, op),
                twin::segmented_inclusive_scan::<T, _>(&lanes, &heads, op),
                twin::segmented_exclusive_scan::<T, _>(&lanes, &heads, op),
            ];
            for (slot, (found, expected)) in slots[1..].iter().zip(expected).enumerate() {
                let expected: Vec<[u32; 2]> = expected.iter().map(pair_of).collect();
                assert_eq!(
                    *found,
                    expected,
                    "{} {}, slot {}, {size} lanes, subgroups of {subgroup}, round {round}",
                    op.spec().operator,
                    T::TYPE,
                    slot + 1
                );
            }
        }
    }
}

/// An operator of a user's own: in the same places as the library's.
fn own<T: Special, Out: gridfold::CustomOut>(
    gpu: &Gpu,
    variant: Variant,
    operator: &CustomOperator<T, Out>,
    kernel: fn(Collectives) -> Result<String, CollectivesError>,
    sizes: &[u32],
) {
    let reduce = |lanes: &[T]| twin::reduce_all(lanes, operator.clone());
    let same = |group: &[T]| vec![reduce(group); group.len()];
    let inclusive = |group: &[T]| twin::inclusive_scan(group, operator.clone());
    let exclusive = |group: &[T]| twin::exclusive_scan(group, operator.clone());
    for size in sizes_of(gpu, sizes) {
        let collectives = collectives_of(gpu).workgroup_size(size).variant(variant);
        let pipeline = pipeline(gpu, &kernel(collectives).expect("there are such collectives"));
        let lanes: Vec<T> = (0..size).map(|lane| T::value(mix(lane), false)).collect();
        let input: Vec<u32> = lanes.iter().flat_map(pair_of).collect();
        let (width, by) = (4, 3);
        let slots = run(gpu, &pipeline, size, 17, [0, width, by], &input);
        let subgroup = slots[0][0][0] as usize;
        let width = width as usize;
        let heads = heads(size, by);
        let all = |of: &dyn Fn(&[T]) -> Vec<Out>| {
            [twin::in_groups(&lanes, subgroup, of), twin::in_groups(&lanes, width, of), of(&lanes)]
        };
        let segments = [
            twin::segmented_reduce(&lanes, &heads, operator.clone()),
            twin::segmented_inclusive_scan(&lanes, &heads, operator.clone()),
            twin::segmented_exclusive_scan(&lanes, &heads, operator.clone()),
        ];
        // The slots of subgroups, tiles and the workgroup; and of its segments.
        let places =
            [([1, 2, 3], all(&same)), ([4, 6, 8], all(&inclusive)), ([5, 7, 9], all(&exclusive))];
        let places = places.into_iter().flat_map(|(slots, all)| slots.into_iter().zip(all));
        for (slot, expected) in places.chain([14, 15, 16].into_iter().zip(segments)) {
            let expected: Vec<[u32; 2]> = expected.iter().map(pair_of).collect();
            assert_eq!(slots[slot], expected, "slot {slot}, {size} lanes of {subgroup}");
        }
    }
}

/// Lanes that begin a segment, as in the kernel.
fn heads(size: u32, by: u32) -> Vec<bool> {
    (0..size).map(|lane| lane.wrapping_mul(2_654_435_761) >> 28 < by).collect()
}

/// A value's words, and 0 where it has one.
fn pair_of<T: bytemuck::Pod>(value: &T) -> [u32; 2] {
    let mut words = [0; 2];
    let bytes = bytemuck::bytes_of(value);
    bytemuck::cast_slice_mut::<u32, u8>(&mut words)[..bytes.len()].copy_from_slice(bytes);
    words
}

/// Values that a device may get wrong.
trait Special: Element {
    fn value(bits: u32, is_special: bool) -> Self;
}

macro_rules! special {
    ($($element:ident: $of:expr;)*) => {$(
        impl Special for $element {
            fn value(bits: u32, is_special: bool) -> Self {
                let of: fn(u32) -> Self = $of;
                if is_special { of(bits) } else { <Self as Element>::from_random(bits) }
            }
        }
    )*};
}

special! {
    // Zeros, subnormals, large ones, infinities and, of few, NaN.
    f32: |bits| match bits % 16 {
        0 => -0.0,
        1 => f32::INFINITY,
        2..5 => f32::from_bits(bits >> 10),
        5..8 => f32::from_bits(0x7f00_0000 | bits >> 10),
        8 => f32::from_bits(bits | 0x7f80_0001),
        _ => 0.0,
    };
    f64: |bits| match bits % 16 {
        0 => -0.0,
        1 => f64::INFINITY,
        2..5 => f64::from_bits(u64::from(bits >> 10) << 20),
        5..8 => f64::from_bits(0x7fe0_0000_0000_0000 | u64::from(bits >> 10)),
        _ => 0.0,
    };
    i32: |bits| if bits % 2 == 0 { i32::MIN } else { 0 };
    u32: |bits| if bits % 2 == 0 { u32::MAX } else { 0 };
    i64: |bits| if bits % 2 == 0 { i64::MIN } else { 0 };
    u64: |bits| if bits % 2 == 0 { u64::MAX } else { 0 };
}

fn flags(gpu: &Gpu, variant: Variant, sizes: &[u32]) {
    // Without subgroups groups of other sizes than 32 stand for them, too. With them a device may say that they are large.
    let groups = |size| match (gpu.told_subgroups, size) {
        (Some(sizes), _) => vec![sizes.max],
        (None, 33 | 95) => vec![32, 8, 128],
        (None, _) => vec![32],
    };
    let sizes = sizes_of(gpu, sizes).into_iter();
    let all = sizes.flat_map(|size| groups(size).into_iter().map(move |group| (size, group)));
    for (size, group) in all {
        let large = gpu.with_told_subgroups(4, 128);
        let gpu = if group == 128 { &large } else { gpu };
        let collectives =
            collectives_of(gpu).workgroup_size(size).subgroup_size(group).variant(variant);
        let text = kernels::flags_kernel(collectives).expect("there are such collectives");
        let pipeline = pipeline(gpu, &text);
        let chances: [fn(u32) -> bool; 4] =
            [|bits| bits.is_multiple_of(2), |_| true, |_| false, |bits| bits.is_multiple_of(37)];
        for chance in chances {
            let flags: Vec<bool> = (0..size).map(|lane| chance(mix(lane))).collect();
            let input: Vec<u32> = flags.iter().map(|&flag| u32::from(flag)).collect();
            let keys: Vec<u32> = (0..size).map(|lane| mix(lane + 9) >> 7).collect();
            let input: Vec<u32> =
                input.iter().zip(&keys).map(|(flag, key)| flag | key << 1).collect();
            let slots = run(gpu, &pipeline, size, 23, [0; 3], &input);
            let subgroup = slots[0][0][0] as usize;
            let whole = |number: u32| vec![[number, 0]; flags.len()];
            let groups = |of: &dyn Fn(&[bool]) -> [u32; 2]| {
                twin::in_groups(&flags, subgroup, |group| vec![of(group); group.len()])
            };
            let single =
                |numbers: Vec<u32>| numbers.into_iter().map(|number| [number, 0]).collect();
            let inverse: Vec<bool> = flags.iter().map(|flag| !flag).collect();
            let expected: [Vec<[u32; 2]>; 14] = [
                groups(&|group| [twin::any(group).into(), 0]),
                groups(&|group| [twin::all(group).into(), 0]),
                groups(&|group| [twin::count(group), 0]),
                groups(&|group| twin::ballot(group)[..2].try_into().expect("two")),
                groups(&|group| twin::ballot(group)[2..].try_into().expect("two")),
                whole(twin::any(&flags).into()),
                whole(twin::all(&flags).into()),
                whole(twin::count(&flags)),
                single(twin::in_groups(&flags, subgroup, twin::rank)),
                single(twin::rank(&flags)),
                single(twin::in_groups(&flags, subgroup, twin::rank)),
                single((0..size).map(|lane| lane / slots[0][0][0]).collect()),
                groups(&|group| [twin::count(&vec![true; group.len()]), 0]),
                whole(twin::any(&inverse).into()),
            ];
            for (slot, (found, expected)) in slots[1..].iter().zip(expected).enumerate() {
                assert_eq!(*found, expected, "slot {}, {size} lanes of {subgroup}", slot + 1);
            }
            let same = |half: usize| -> Vec<[u32; 2]> {
                let groups = twin::in_groups(&keys, subgroup, |keys| twin::matching(keys, 3));
                groups.iter().map(|words| [words[half], words[half + 1]]).collect()
            };
            assert_eq!([&slots[15], &slots[16]], [&same(0), &same(2)], "{size} lanes");
            lists(&slots, &flags, subgroup);
        }
    }
}

/// What was found of ballots, and where lanes appended.
fn lists(slots: &Slots, flags: &[bool], subgroup: usize) {
    for (group, flags) in flags.chunks(subgroup).enumerate() {
        let votes = twin::ballot(flags);
        for (lane, at) in (0u32..).zip(group * subgroup..).take(flags.len()) {
            assert_eq!(slots[17][at][0], twin::ballot_nth(votes, lane));
            // Of the first word alone.
            let in_word = twin::nth_set_bit(votes[0], lane);
            assert_eq!(slots[18][at], [in_word, twin::ballot_count(votes)]);
            assert_eq!(slots[11][at][0], twin::ballot_rank(votes, lane));
        }
    }
    let total = twin::count(flags);
    let lanes = u32::try_from(flags.len()).expect("few");
    let mut places = Vec::new();
    let mut length = 5;
    let inverse: Vec<bool> = flags.iter().map(|flag| !flag).collect();
    let set = twin::append(&mut length, flags);
    let unset = twin::append(&mut length, &inverse);
    for (lane, (set, unset)) in set.into_iter().zip(unset).enumerate() {
        // Lanes without an entry get no place.
        match (set, unset) {
            (Some(place), None) => {
                assert_eq!(slots[19][lane][0], place);
                places.push(slots[21][lane][0]);
            }
            (None, Some(place)) => assert_eq!(slots[20][lane][0], place),
            both => panic!("{both:?}"),
        }
    }
    // Subgroups come in any order, their lanes in theirs.
    let ranks = twin::in_groups(flags, subgroup, twin::rank);
    let begins = slots[21].iter().zip(&ranks).map(|([place, _], rank)| place - rank);
    let begins: Vec<u32> = begins.collect();
    assert!(begins.chunks(subgroup).all(|group| group.iter().all(|begin| *begin == group[0])));
    places.sort_unstable();
    assert!(places.into_iter().eq(5 + lanes..5 + lanes + total));
    assert!(slots[22].iter().all(|[length, _]| *length == 5 + lanes + total));
}

fn barriers(gpu: &Gpu, variant: Variant) {
    for size in sizes_of(gpu, &[1, 33, 64, 256, 1000]) {
        let collectives = collectives_of(gpu).workgroup_size(size).variant(variant);
        let (text, requirements) = kernels::barriers_kernel(collectives).expect("there are such");
        let pipeline = pipeline(gpu, &text);
        let slots = run(gpu, &pipeline, size, 28, [0; 3], &vec![0; size as usize]);
        for (name, slot) in kernels::COUNTED.into_iter().zip(&slots[1..]) {
            let function = requirements.functions.iter().find(|function| function.name == name);
            let function = function.unwrap_or_else(|| panic!("no function {name}"));
            let said = &function.barriers;
            assert!(
                slot.iter().all(|[barriers, _]| said.contains(barriers)),
                "{name} of {size} lanes says {said:?} and has {slot:?}"
            );
            // Where all subgroups have one size it is the least: no value is out of range.
            let sizes = gpu.capabilities().subgroups.filter(|_| variant == Variant::Subgroup);
            if sizes.is_none_or(|sizes| sizes.min == sizes.max) {
                assert!(slot.iter().all(|[barriers, _]| barriers == said.start()), "{name}");
            }
        }
        // A subnormal value is out of range: there are the most barriers.
        let mut values = vec![0; size as usize];
        values[0] = 1;
        let slots = run(gpu, &pipeline, size, 28, [0; 3], &values);
        let name = "ordered_workgroup_reduce_all";
        let at = kernels::COUNTED.into_iter().position(|one| one == name).expect("it is there");
        let function = requirements.functions.iter().find(|function| function.name == name);
        let said = &function.expect("it is there").barriers;
        let sizes = gpu.capabilities().subgroups.filter(|_| variant == Variant::Subgroup);
        if sizes.is_none_or(|sizes| sizes.min == sizes.max) {
            // The quick way has been left in vain: its flag is cleared, and subgroups' totals go through memory once more.
            let more = match sizes {
                Some(sizes) if text.contains("quick_totals") => 1 + 2 * u32::from(size > sizes.max),
                _ => 0,
            };
            let most = said.start() + more;
            assert!(most <= *said.end(), "{size} lanes: {said:?}, not {most}");
            assert!(slots[at + 1].iter().all(|[barriers, _]| *barriers == most), "{size} lanes");
        }
        if let Some(SubgroupSizes { max, .. }) = sizes.filter(|sizes| sizes.max < 128) {
            barriers_on_smaller_subgroups(gpu, size, 2 * max);
        }
    }
}

/// Where subgroups are smaller than a text was told, it goes another way, and has the barriers that it says nevertheless.
fn barriers_on_smaller_subgroups(gpu: &Gpu, size: u32, told: u32) {
    let collectives = collectives_of(gpu)
        .workgroup_size(size)
        .variant(Variant::Subgroup)
        .subgroup_sizes(SubgroupSizes { min: told, max: told });
    let (text, requirements) = kernels::barriers_kernel(collectives).expect("there are such");
    let pipeline = pipeline(gpu, &text);
    for first in [0, 1] {
        let mut values = vec![0; size as usize];
        values[0] = first;
        let slots = run(gpu, &pipeline, size, 28, [0; 3], &values);
        for (name, slot) in kernels::COUNTED.into_iter().zip(&slots[1..]) {
            let function = requirements.functions.iter().find(|function| function.name == name);
            let said = &function.unwrap_or_else(|| panic!("no function {name}")).barriers;
            assert!(
                slot.iter().all(|[barriers, _]| said.contains(barriers)),
                "{name} of {size} lanes, for subgroups of {told}, says {said:?} and has {slot:?}"
            );
        }
    }
}
