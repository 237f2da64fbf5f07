use super::*;
use crate::algebra::operators::{Count, Max, Sum};
use crate::custom::operator::CustomOperator;
use crate::wgsl::text::declarations;

fn device() -> Collectives {
    let subgroups = Some(SubgroupSizes { min: 8, max: 32 });
    let capabilities = Capabilities { subgroups, coherent_memory: true, ..Capabilities::default() };
    Collectives::of(&capabilities, &wgpu::Limits::defaults())
}

fn everything() -> Collectives {
    device().operator::<f32, _>("sum", Sum).operator::<u32, _>("top", Max).with(Collective::ALL)
}

#[test]
fn wrong_questions_have_no_text() {
    let wrong = |collectives: Collectives| {
        let error = collectives.source().expect_err("there is something wrong");
        assert_eq!(collectives.requirements().expect_err("as for the source"), error);
        error
    };
    let name = |name: &str| CollectivesError::NotAName { name: name.to_owned() };
    for size in [0, 257, 1025] {
        assert_eq!(
            wrong(everything().workgroup_size(size)),
            CollectivesError::WorkgroupSize { size, max: 256 }
        );
    }
    for size in [0, 2, 24, 256] {
        assert_eq!(
            wrong(everything().subgroup_size(size)),
            CollectivesError::SubgroupSize { size }
        );
    }
    assert_eq!(wrong(everything().prefix("")), name(""));
    assert_eq!(wrong(everything().prefix("a-b")), name("a-b"));
    assert_eq!(wrong(everything().operator::<u32, _>("2nd", Sum)), name("2nd"));
    assert_eq!(wrong(everything().zero("params. zero")), name("params. zero"));
    assert_eq!(wrong(everything().zero("params.")), name("params."));
    assert!(matches!(
        wrong(everything().operator::<u32, _>("sum", Count)),
        CollectivesError::Clash { .. }
    ));
    let none =
        CollectivesError::NoSuchOperator { operator: OperatorType::Sum, element: ElementType::U8 };
    assert_eq!(wrong(everything().operator::<u8, _>("bytes", Sum)), none);
    let no_subgroups = Collectives::of(&Capabilities::default(), &wgpu::Limits::defaults());
    assert_eq!(wrong(no_subgroups.variant(Variant::Subgroup)), CollectivesError::NoSubgroups);
    for (min, max) in [(32, 8), (2, 32), (8, 256), (8, 24)] {
        let sizes = SubgroupSizes { min, max };
        assert_eq!(
            wrong(everything().subgroup_sizes(sizes)),
            CollectivesError::SubgroupSizes { sizes }
        );
    }
    for items in [0, 33] {
        assert_eq!(
            wrong(everything().items_per_lane(items)),
            CollectivesError::ItemsPerLane { items }
        );
    }
    for words in [0, 17] {
        assert_eq!(wrong(everything().words(7).words(words)), CollectivesError::Words { words });
    }
    let no_fences = Collectives::of(&Capabilities::default(), &wgpu::Limits::defaults());
    assert_eq!(wrong(no_fences.with([Collective::Ticket])), CollectivesError::NoFences);
    assert_eq!(wrong(everything().ticket("a..b")), name("a..b"));
}

#[test]
fn memory_is_limited() {
    let limits =
        wgpu::Limits { max_compute_workgroup_storage_size: 4096, ..wgpu::Limits::defaults() };
    let collectives = Collectives::of(&Capabilities::default(), &limits)
        .with([Collective::ShuffleWide])
        .workgroup_size(256);
    assert_eq!(collectives.requirements().expect("it fits").workgroup_bytes, 4096);
    let error = collectives.with([Collective::Rank]).source().expect_err("too much");
    assert_eq!(error, CollectivesError::WorkgroupMemory { needed: 4096 + 32, max: 4096 });
}

#[test]
fn subgroups_that_are_scattered_do_not_serve() {
    let subgroups = Some(SubgroupSizes { min: 32, max: 32 });
    let mut capabilities = Capabilities { subgroups, ..Capabilities::default() };
    let mechanism = |capabilities: &Capabilities| {
        Collectives::of(capabilities, &wgpu::Limits::defaults()).mechanism()
    };
    assert_eq!(mechanism(&capabilities), Ok(Mechanism::Subgroup));
    capabilities.lanes_in_order = false;
    assert_eq!(mechanism(&capabilities), Ok(Mechanism::WorkgroupMemory));
}

#[test]
fn names_begin_as_they_should() {
    let source = everything()
        .prefix("mine")
        .zero("frame.constants.nil")
        .list("memory")
        .source()
        .expect("text");
    let names: Vec<String> =
        declarations(&source).into_iter().map(|declaration| declaration.name).collect();
    assert!(!names.is_empty());
    for name in &names {
        assert!(["mine_", "sum_", "top_"].iter().any(|start| name.starts_with(start)), "{name}");
    }
    assert!(source.contains("+ frame.constants.nil;"));
    // The kernel's own, although the collectives have a `memory`, too.
    assert!(source.contains("atomicAdd(&memory,") && source.contains("mine_memory["));
    let functions = everything().prefix("mine").requirements().expect("they can be").functions;
    for function in functions {
        assert!(names.contains(&function.name), "{}", function.name);
    }
}

/// Subgroups of one size have text for it, of which as much is left as there are rounds: and else there are loops.
#[test]
fn one_size_of_subgroups_is_known() {
    let text = |sizes: SubgroupSizes, lanes: u32| {
        let collectives = device()
            .subgroup_sizes(sizes)
            .workgroup_size(lanes)
            .operator::<u32, _>("top", Max)
            .with([Collective::Reduce]);
        let needs = collectives.requirements().expect("there is a text");
        assert_eq!(needs.subgroup_sizes, Some(SubgroupSizes { min: 4, ..sizes }));
        assert_eq!(needs.directives, ["enable subgroups;"]);
        collectives.source().expect("there is a text")
    };
    let one = |size| SubgroupSizes { min: size, max: size };
    for (size, lanes, rounds) in [(32, 256, 1), (32, 32, 0), (64, 256, 1), (8, 256, 2), (4, 256, 3)]
    {
        let text = text(one(size), lanes);
        assert!(text.contains(&format!("KNOWN_SUBGROUP_SIZE = {size}u;")), "{text}");
        let body = text.split_once("fn top_known_rounds(").expect("it is there").1;
        let body = body.split_once("\n}\n").expect("it ends").0;
        assert_eq!(body.matches("top_known_total(").count(), rounds, "{size}, {lanes}: {body}");
        assert!(!body.contains("for ("));
    }
    assert!(!text(SubgroupSizes { min: 4, max: 32 }, 256).contains("KNOWN"));
    assert!(!text(one(32), 96).contains("KNOWN"));
    let in_memory = device().variant(Variant::WorkgroupMemory).with([Collective::Vote]);
    let needs = in_memory.requirements().expect("there is a text");
    assert_eq!((needs.subgroup_sizes, needs.directives.len()), (None, 0));
}

/// A text for subgroups of one size goes another way on smaller ones, on which it is right, too. There a call may have barriers that it has not on that
/// size.
#[test]
fn barriers_are_counted_on_every_size_that_is_right() {
    let barriers = |size: u32, lanes: u32, name: &str| {
        let collectives = device()
            .subgroup_sizes(SubgroupSizes { min: size, max: size })
            .workgroup_size(lanes)
            .operator::<u32, _>("top", Max)
            .operator::<f32, _>("sum", Sum)
            .with([Collective::Reduce, Collective::Scan]);
        let functions = collectives.requirements().expect("there is a text").functions;
        let function = functions.into_iter().find(|function| function.name == name);
        function.expect("it is there").barriers
    };
    // One subgroup, or eight of them, whose totals become two, whose totals become one.
    assert_eq!(barriers(32, 32, "top_workgroup_reduce_all"), 0..=4);
    // All lanes agree on which way to go. One that does not know the size forgets that again.
    assert_eq!(barriers(32, 32, "sum_workgroup_reduce_all"), 2..=2 + 1 + 4);
    // One level, or three.
    assert_eq!(barriers(32, 256, "top_workgroup_reduce_all"), 2..=6);
    assert_eq!(barriers(32, 32, "top_workgroup_inclusive_scan"), 2..=4);
    // There are no smaller ones.
    assert_eq!(barriers(4, 256, "top_workgroup_reduce_all"), 6..=6);
    assert_eq!(barriers(32, 32, "top_subgroup_reduce_all"), 0..=0);
}

/// Sorts take digits as large as memory has room for their counts, and as many items as it has room for.
#[test]
fn sorts_fit_into_memory() {
    let bytes = |lanes: u32, items: u32, max_bytes: u32| {
        let limits = wgpu::Limits {
            max_compute_invocations_per_workgroup: 1024,
            max_compute_workgroup_size_x: 1024,
            max_compute_workgroup_storage_size: max_bytes,
            ..wgpu::Limits::defaults()
        };
        let collectives = Collectives::of(&Capabilities::default(), &limits)
            .workgroup_size(lanes)
            .items_per_lane(items)
            .with([Collective::Sort]);
        let digits = collectives.source().map(|source| {
            let at = source.find("DIGIT_BITS = ").expect("a constant") + "DIGIT_BITS = ".len();
            source[at..].chars().next().and_then(|digit| digit.to_digit(10)).expect("a number")
        });
        (digits, collectives.requirements().map(|needs| needs.workgroup_bytes))
    };
    // 2048 keys in 16 KiB, or pairs; 4096 just fit.
    assert_eq!(bytes(256, 8, 16384), (Ok(4), Ok(4 * 256 * 9)));
    assert_eq!(bytes(256, 16, 16384), (Ok(4), Ok(16384)));
    assert_eq!(bytes(1024, 4, 16384), (Ok(2), Ok(16384)));
    assert_eq!(bytes(1024, 4, 32768), (Ok(3), Ok(4 * 1024 * 5)));
    assert_eq!(bytes(1024, 1, 8192), (Ok(1), Ok(8192)));
    assert_eq!(bytes(1, 32, 16384), (Ok(4), Ok(128)));
    let error = CollectivesError::WorkgroupMemory { needed: 4 * 256 * 17, max: 16384 };
    assert_eq!(bytes(256, 17, 16384), (Err(error.clone()), Err(error)));
}

/// Values of any number of words take as much memory as those of four, and as many more barriers as they have fours.
#[test]
fn long_values_go_four_words_at_a_time() {
    let memory = device().variant(Variant::WorkgroupMemory).words(3).words(5).words(16);
    assert!(!memory.clone().with([Collective::Shuffle]).source().expect("text").contains("u32x"));
    let needs = memory.with([Collective::ShuffleWide, Collective::Compact, Collective::Exchange]);
    let needs = needs.requirements().expect("it fits");
    assert_eq!(needs.workgroup_bytes, 4 * 256 * 8 + 32);
    let barriers = |name: &str| {
        let function = needs.functions.iter().find(|function| function.name == name);
        function.map(|function| function.barriers.clone())
    };
    assert_eq!(barriers("gridfold_u32x4_subgroup_shuffle"), Some(2..=2));
    assert_eq!(barriers("gridfold_u32x5_subgroup_shuffle"), Some(4..=4));
    assert_eq!(barriers("gridfold_u32x16_workgroup_shuffle"), Some(8..=8));
    assert_eq!(barriers("gridfold_u32x16_workgroup_compact"), Some(10..=10));
    assert_eq!(barriers("gridfold_u32x6_subgroup_shuffle"), None);
    // Several of them are vectors.
    assert_eq!(barriers("gridfold_u32x5_workgroup_to_striped"), None);
    let by_subgroups = device().words(5).with([Collective::ShuffleWide]).source().expect("text");
    // To naga's SPIR-V an array and an alias of it are two types, and users have no name for their values' type.
    let takes = "fn gridfold_u32x5_subgroup_shuffle(value: array<u32, gridfold_u32x5_ITEM_WORDS>,";
    assert!(by_subgroups.contains(takes), "{by_subgroups}");
    assert!(!by_subgroups.contains("alias gridfold_u32x5_Item "), "{by_subgroups}");
    assert!(by_subgroups.contains("alias gridfold_u32x2_Item "), "{by_subgroups}");
    assert_eq!(by_subgroups.matches("const i = 4u;").count(), 1);
}

/// Sums have no quick way where that would take more memory than there is.
#[test]
fn quick_sums_give_way_to_sorts() {
    let collectives = |max_bytes| {
        let limits = wgpu::Limits {
            max_compute_workgroup_storage_size: max_bytes,
            ..wgpu::Limits::defaults()
        };
        let capabilities = Capabilities {
            subgroups: Some(SubgroupSizes { min: 32, max: 32 }),
            lanes_in_order: true,
            sound_floats: true,
            ..Capabilities::default()
        };
        Collectives::of(&capabilities, &limits)
            .items_per_lane(16)
            .operator::<f32, _>("sum", Sum)
            .with([Collective::Sort, Collective::Reduce])
    };
    for (max_bytes, is_quick) in [(16384, false), (16384 + 16 + 64, true)] {
        let (source, needs) =
            (collectives(max_bytes).source(), collectives(max_bytes).requirements());
        assert_eq!(source.expect("it fits").contains("out_of_range"), is_quick);
        assert_eq!(needs.expect("it fits").workgroup_bytes, max_bytes);
    }
}

/// The library's loops of few turns are written turn by turn; those of users' own operators stay.
#[test]
fn loops_are_unrolled() {
    let own = CustomOperator::<u32, u32>::commutative(
        "fn identity() -> u32 { return 0u; }
         fn combine(a: u32, b: u32) -> u32 {
             var sum = a;
             for (var i = 0u; i < 2u; i++) { sum += b; }
             return sum;
         }",
    );
    let source = device()
        .operator("own", own.expect("it is sound"))
        .with([Collective::Reduce, Collective::Sort])
        .source()
        .expect("text");
    assert!(!source.contains("i < gridfold_ITEMS_PER_LANE") && source.contains("const i = 7u;"));
    assert!(source.contains("for (var i = 0u; i < 2u; i++)"));
}

/// What is not asked for is not there, and neither is what it stands on.
#[test]
fn there_is_no_more_than_was_asked_for() {
    let collectives = device().operator::<u32, _>("top", Max).with([Collective::Scan]);
    let source = collectives.source().expect("text");
    for absent in ["reduce_all", "fence", "votes", "ballot", "shuffle_up"] {
        assert!(!source.contains(absent), "{absent}");
    }
    let requirements = collectives.requirements().expect("they can be");
    assert_eq!(requirements.zero, None);
    assert_eq!(requirements.features, wgpu::Features::SUBGROUP);
    assert_eq!(requirements.workgroup_bytes, 1024);
    let limits = requirements
        .limits(wgpu::Limits { max_compute_workgroup_storage_size: 16, ..Default::default() });
    assert_eq!(limits.max_compute_workgroup_storage_size, 1024);
    // Numbers that were given are.
    let source = collectives.workgroup_size(95).source().expect("text");
    assert!(source.contains("const gridfold_WORKGROUP_SIZE = 95u;"));
}
