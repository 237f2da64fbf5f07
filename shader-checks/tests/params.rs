//! The shaders' `struct Params` has the words that the host writes, in their order.

use gridfold::shader::{
    CountParams, DifferenceParams, GroupParams, HistogramParams, Kernel, Own, PARAMS_BYTES, Params,
    ReductionParams, ScanParams, SegmentParams, SelectionParams, ShaderKey, Sources,
};
use shader_checks::translate::Parsed;
use std::collections::BTreeMap;

/// Names in the order of their fields, as `Debug` writes them.
fn names(text: &str) -> Vec<String> {
    let fields = text.split(['{', ',', '}']).filter_map(|field| field.split_once(": "));
    fields.map(|(name, _)| name.trim().to_owned()).collect()
}

fn names_of(own: Own) -> Vec<String> {
    let mut all = names(&format!("{:?}", Params::default()));
    assert_eq!(all.pop().as_deref(), Some("own"));
    all.extend(names(&format!("{own:?}")));
    all
}

/// The parameters that the host gives a kernel.
fn own_of(kernel: Kernel) -> Own {
    match kernel {
        Kernel::CountedParams => CountParams::default().into(),
        Kernel::GroupTotals | Kernel::Order { .. } => GroupParams::default().into(),
        Kernel::Histogram { .. } => HistogramParams::default().into(),
        _ if kernel.is_scan() => ScanParams::default().into(),
        _ if kernel.is_selection() => SelectionParams::default().into(),
        _ if kernel.is_of_segments() => SegmentParams::default().into(),
        _ if kernel.is_of_differences() => DifferenceParams::default().into(),
        _ => ReductionParams::default().into(),
    }
}

/// A key of each kernel.
fn keys() -> impl Iterator<Item = ShaderKey> {
    let keys = ShaderKey::all().map(|key| (key.kernel, key));
    keys.collect::<BTreeMap<_, _>>().into_values()
}

/// The members of the module's `Params`, which are words without gaps.
fn members(module: &naga::Module) -> Vec<String> {
    let params = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Params"));
    let naga::TypeInner::Struct { members, span } = &params.expect("there is one").1.inner else {
        panic!("Params is no struct");
    };
    assert_eq!(*span as usize, 4 * members.len());
    assert!(*span as usize <= PARAMS_BYTES);
    let member = |(place, member): (u32, &naga::StructMember)| {
        let is_word = naga::TypeInner::Scalar(naga::Scalar::U32);
        assert_eq!(module.types[member.ty].inner, is_word);
        assert_eq!(member.offset, 4 * place);
        member.name.clone().expect("it has a name")
    };
    (0..).zip(members).map(member).collect()
}

#[test]
fn each_word_of_the_uniform_is_where_the_host_writes_it() {
    for key in keys() {
        let Parsed { module, .. } = Parsed::new(&Sources::default().compose(&key)).expect("parses");
        assert_eq!(members(&module), names_of(own_of(key.kernel)), "{key}");
        let uniform = module.global_variables.iter().map(|(_, variable)| variable);
        let uniform = uniform.filter(|variable| variable.space == naga::AddressSpace::Uniform);
        let types: Vec<_> = uniform.map(|variable| &module.types[variable.ty].name).collect();
        assert_eq!(types, [&Some("Params".to_owned())], "{key}");
    }
}

/// A job in a table is made of words one after another, in the order of the members.
#[test]
fn each_word_of_a_job_is_where_the_host_writes_it() {
    let mut tables = 0;
    for key in keys() {
        let Parsed { module, .. } = Parsed::new(&Sources::default().compose(&key)).expect("parses");
        let functions = module.functions.iter().map(|(_, function)| function);
        for function in functions.filter(|it| it.name.as_deref() == Some("params_of_words")) {
            tables += 1;
            let composed = function.expressions.iter().find_map(|(_, it)| match it {
                naga::Expression::Compose { components, .. } => Some(components),
                _ => None,
            });
            let places = composed.expect("it makes them").iter().map(|&component| {
                match function.expressions[component] {
                    naga::Expression::AccessIndex { index, .. } => index,
                    ref other => panic!("{other:?}"),
                }
            });
            let places: Vec<_> = places.collect();
            assert_eq!(places, (0..).take(members(&module).len()).collect::<Vec<u32>>(), "{key}");
            assert_eq!(4 * places.len(), PARAMS_BYTES, "{key}");
        }
    }
    assert_eq!(tables, 3);
}

/// The host writes words in the order of the fields.
#[test]
fn words_are_in_the_order_of_fields() {
    let own = ReductionParams {
        first_bits: 16,
        last_bits: 17,
        right_base: 18,
        right_head_bytes: 19,
        right_stride_bytes: 20,
        third_base: 21,
        third_stride_bytes: 22,
        first_node: 23,
        span: 24,
        log2_span: 25,
        partials: 26,
        state_before: 27,
        state_after: 28,
        len_low: 29,
        len_high: 30,
        jobs: 31,
    };
    let params = Params {
        zero: 0,
        begin: 1,
        end: 2,
        vec_end: 3,
        base: 4,
        head_bytes: 5,
        stride_bytes: 6,
        argument_0: 7,
        argument_1: 8,
        argument_2: 9,
        argument_3: 10,
        log2_block_items: 11,
        blocks: 12,
        block: 13,
        flags: 14,
        result_index: 15,
        own: own.into(),
    };
    assert_eq!(params.words().to_vec(), (0..32).collect::<Vec<u32>>());
    let fields: Vec<_> = format!("{params:?}").split(": ").skip(1).map(str::to_owned).collect();
    let values = fields.iter().filter_map(|text| text.split([',', ' ']).next()?.parse().ok());
    assert_eq!(values.collect::<Vec<u32>>(), (0..32).collect::<Vec<u32>>());
}

/// The shaders' flags have the bits that the host sets.
#[test]
fn flags_are_the_hosts() {
    for key in keys() {
        let text = Sources::default().compose(&key);
        for (name, flag) in [("ENDS", Params::ENDS), ("HAS_LENGTHS", Params::HAS_LENGTHS)] {
            let found = text.lines().find_map(|line| {
                let value = line.strip_prefix(&format!("const FLAG_{name} = "))?;
                value.strip_suffix("u;")?.parse().ok()
            });
            assert!(found.is_none_or(|found: u32| found == flag), "{key}");
        }
    }
}
