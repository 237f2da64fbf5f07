//! Kernels that call every collective, for tests on devices and of the texts.

use gridfold::{
    CustomOperator, ElementType, OperatorType, Sum,
    wgsl::{Collective, Collectives, CollectivesError, CollectivesRequirements},
};

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("collectives/", $name, ".wgsl"))
    };
}

/// Lanes of workgroups: partial subgroups, whole ones, and several levels of them.
pub const SIZES: [u32; 11] = [1, 31, 32, 33, 64, 95, 96, 128, 256, 1000, 1024];

/// The operators that have collectives, with the elements.
pub fn operators() -> Vec<(OperatorType, ElementType)> {
    use {ElementType as E, OperatorType as Op};
    let all = [E::F32, E::F64, E::I32, E::U32, E::I64, E::U64];
    let integers = [E::I32, E::U32, E::I64, E::U64];
    let of = |operator, elements: &[ElementType]| {
        elements.iter().map(|&element| (operator, element)).collect::<Vec<_>>()
    };
    let of_all = [Op::Sum, Op::Product, Op::Min, Op::Max, Op::MaxAbs, Op::Count];
    let of_integers = [Op::SumWide, Op::ProductWide, Op::BitAnd, Op::BitOr, Op::BitXor];
    let of_all = of_all.map(|operator| of(operator, &all));
    let of_integers = of_integers.map(|operator| of(operator, &integers));
    of_all.into_iter().chain(of_integers).flatten().collect()
}

/// The types of values in exchanges.
pub const ITEMS: [(&str, Collective); 6] = [
    ("u32", Collective::Shuffle),
    ("i32", Collective::Shuffle),
    ("f32", Collective::Shuffle),
    ("u32x2", Collective::ShuffleWide),
    ("u32x3", Collective::ShuffleWide),
    ("u32x4", Collective::ShuffleWide),
];

/// Those in shuffles that are no vectors.
pub const LONG_ITEMS: [(&str, Collective); 2] =
    [("u32x7", Collective::ShuffleWide), ("u32x16", Collective::ShuffleWide)];

/// A module that calls every collective of an operator.
pub fn operator_kernel(
    collectives: Collectives,
    operator: OperatorType,
    element: ElementType,
) -> Result<String, CollectivesError> {
    let collectives = collectives.operator_type(operator, element, "op");
    let (value, outcome) = types(operator, element);
    of_operator(collectives, value, outcome)
}

/// A module in which the last workgroup finishes.
pub fn ticket_kernel(
    collectives: Collectives,
    operator: OperatorType,
    element: ElementType,
) -> Result<String, CollectivesError> {
    let collectives = collectives.operator_type(operator, element, "op").ticket("totals");
    let source = collectives.with([Collective::Ticket]).source()?;
    let (value, outcome) = types(operator, element);
    Ok([source.as_str(), file!("ticket"), value, outcome].join("\n"))
}

/// The same of [`affine`].
pub fn own_ticket_kernel(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives.operator("op", affine()).ticket("totals");
    let source = collectives.with([Collective::Ticket]).source()?;
    Ok([source.as_str(), file!("ticket"), file!("value_u32"), file!("outcome_affine")].join("\n"))
}

/// The texts of what lanes pass, and of what they get.
fn types(operator: OperatorType, element: ElementType) -> (&'static str, &'static str) {
    let value = match element {
        ElementType::F32 => file!("value_f32"),
        ElementType::I32 => file!("value_i32"),
        ElementType::U32 => file!("value_u32"),
        _ => file!("value_two_words"),
    };
    let outcome = match (operator, element) {
        (OperatorType::Count | OperatorType::SumWide | OperatorType::ProductWide, _) => {
            file!("outcome_two_words")
        }
        (OperatorType::MaxAbs, ElementType::I32) | (_, ElementType::U32) => file!("outcome_u32"),
        (_, ElementType::I32) => file!("outcome_i32"),
        (_, ElementType::F32) => file!("outcome_f32"),
        _ => file!("outcome_two_words"),
    };
    (value, outcome)
}

/// A module that calls what an operator has of tiles, and in first lanes alone.
pub fn tiles_kernel(
    collectives: Collectives,
    operator: OperatorType,
    element: ElementType,
) -> Result<String, CollectivesError> {
    let collectives = collectives
        .operator_type(operator, element, "op")
        .with([Collective::Reduce, Collective::SegmentedReduce]);
    let (value, outcome) = types(operator, element);
    let source = collectives.source()?;
    Ok([source.as_str(), file!("bindings"), file!("tiles"), value, outcome].join("\n"))
}

/// A module that sums floats of a workgroup, again and again.
pub fn repeated_kernel(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives.operator::<f32, _>("op", Sum).with([Collective::Reduce]);
    Ok([&collectives.source()?, file!("bindings"), file!("repeated")].join("\n"))
}

/// A module that calls the collectives of flags and of values that tiles have.
pub fn tile_flags_kernel(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives.with([
        Collective::Vote,
        Collective::Rank,
        Collective::Match,
        Collective::ShuffleWide,
        Collective::Compact,
    ]);
    Ok([&collectives.source()?, file!("bindings"), file!("tile_flags")].join("\n"))
}

/// A module that calls every collective of flags.
pub fn flags_kernel(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives.list("list_length").with([
        Collective::Vote,
        Collective::Rank,
        Collective::Match,
        Collective::Append,
    ]);
    Ok([&collectives.source()?, file!("bindings"), file!("flags")].join("\n"))
}

/// What [`barriers_kernel`] calls, in its order, from the second slot on.
pub const COUNTED: [&str; 27] = [
    "free_subgroup_reduce_all",
    "free_workgroup_reduce_all",
    "ordered_workgroup_reduce_all",
    "ordered_subgroup_inclusive_scan",
    "ordered_workgroup_exclusive_scan",
    "gridfold_subgroup_ballot",
    "gridfold_workgroup_any",
    "gridfold_workgroup_rank",
    "gridfold_u32_subgroup_shuffle",
    "gridfold_u32_workgroup_broadcast",
    "gridfold_subgroup_lane",
    "ordered_workgroup_segmented_reduce",
    "free_subgroup_segmented_inclusive_scan",
    "gridfold_u32_workgroup_compact",
    "gridfold_u32_subgroup_compact",
    "gridfold_u32_workgroup_before",
    "gridfold_workgroup_append",
    "gridfold_subgroup_append",
    "gridfold_subgroup_match",
    "gridfold_u32x2_workgroup_to_striped",
    "gridfold_i32_workgroup_sort",
    "gridfold_f32_workgroup_sort_pairs",
    "gridfold_f64_workgroup_sort",
    "gridfold_u64_workgroup_sort_pairs",
    "gridfold_tile_rank",
    "gridfold_nth_set_bit",
    "gridfold_u32x2_tile_compact",
];

/// A module that counts the barriers of calls, and what the collectives say of these.
pub fn barriers_kernel(
    collectives: Collectives,
) -> Result<(String, CollectivesRequirements), CollectivesError> {
    let collectives = collectives
        .operator::<u32, _>("free", Sum)
        .operator::<f32, _>("ordered", Sum)
        .list("list_length")
        .items_per_lane(2)
        .with(Collective::ALL.into_iter().filter(|&one| one != Collective::Ticket));
    let source = collectives.source()?;
    let source = source.replace("workgroupBarrier()", "counted_barrier()").replace(
        "return workgroupUniformLoad(",
        "barriers += 2u;\n    return workgroupUniformLoad(",
    );
    Ok(([&source, file!("bindings"), file!("barriers")].join("\n"), collectives.requirements()?))
}

/// A module that calls every shuffle of values of a type.
pub fn items_kernel(
    collectives: Collectives,
    (item, collective): (&str, Collective),
) -> Result<String, CollectivesError> {
    let collectives = collectives.with([collective, Collective::Compact]);
    let collectives = match LONG_ITEMS.iter().any(|one| one.0 == item) {
        true => collectives.words(words_of(item)),
        false => collectives,
    };
    of_item(&collectives, file!("items"), item)
}

/// A module that exchanges several items of each lane.
pub fn exchange_kernel(
    collectives: Collectives,
    (item, collective): (&str, Collective),
) -> Result<String, CollectivesError> {
    let collectives = collectives.with([collective, Collective::Exchange]);
    of_item(&collectives, file!("exchange"), item)
}

/// A module that sorts keys of a type, and pairs.
pub fn sort_kernel(collectives: Collectives, item: &str) -> Result<String, CollectivesError> {
    let sort = if item.ends_with("64") { Collective::SortWide } else { Collective::Sort };
    of_item(&collectives.with([sort]), file!("sort"), item)
}

/// Words of an item of a type.
pub fn words_of(item: &str) -> u32 {
    item.strip_prefix("u32x").map_or(1, |words| words.parse().expect("a number"))
}

fn of_item(
    collectives: &Collectives,
    kernel: &str,
    item: &str,
) -> Result<String, CollectivesError> {
    let items = match item {
        "u32" => file!("item_u32"),
        "i32" => file!("item_i32"),
        "f32" => file!("item_f32"),
        "u32x2" => file!("item_u32x2"),
        "u32x3" => file!("item_u32x3"),
        "u32x4" => file!("item_u32x4"),
        "u64" | "i64" | "f64" => file!("key_two_words"),
        _ => file!("item_words"),
    };
    let kernel = kernel.replace("ITEM_", &[item, "_"].concat());
    let items = items.replace("WORDS = 7u", &format!("WORDS = {}u", words_of(item)));
    Ok([&collectives.source()?, file!("bindings"), &kernel, &items].join("\n"))
}

/// An operator of a user's own in which the order counts: maps x -> factor * x + offset, one after another.
pub fn affine() -> CustomOperator<u32, [u32; 2]> {
    let text = include_str!("../custom/affine.wgsl");
    CustomOperator::ordered(text).expect("the text is right").with_twin(
        [1u32, 0],
        |x: u32| [x | 1, x ^ 0x9e37_79b9],
        |a, b| [a[0].wrapping_mul(b[0]), a[1].wrapping_mul(b[0]).wrapping_add(b[1])],
        |total| total,
    )
}

/// Another one, of two words, in which it does not.
pub fn words() -> CustomOperator<u64, u64> {
    let text = include_str!("../custom/words.wgsl");
    CustomOperator::commutative(text).expect("the text is right").with_twin(
        0u64,
        |x| x,
        |a, b| a ^ b,
        |total| total,
    )
}

/// A module that calls every collective of [`affine`].
pub fn affine_kernel(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives.operator("op", affine());
    of_operator(collectives, file!("value_u32"), file!("outcome_affine"))
}

/// A module that calls every collective of [`words`].
pub fn words_kernel(collectives: Collectives) -> Result<String, CollectivesError> {
    let collectives = collectives.operator("op", words());
    of_operator(collectives, file!("value_two_words"), file!("outcome_two_words"))
}

fn of_operator(
    collectives: Collectives,
    value: &str,
    outcome: &str,
) -> Result<String, CollectivesError> {
    let collectives =
        collectives.with([Collective::Reduce, Collective::Scan, Collective::SegmentedReduce]);
    Ok([&collectives.source()?, file!("bindings"), file!("operator"), value, outcome].join("\n"))
}
