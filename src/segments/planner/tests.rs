use super::*;
use crate::{algebra::operator_type::OperatorType, axes::Axes, segments::axes_table::AxesTable};

/// Of rows of so many `f32`s.
fn plan_of_rows(
    operator: OperatorType,
    row_len: u64,
    segments: u64,
    is_exact: bool,
    capabilities: &Capabilities,
) -> SegmentPlan {
    let len = row_len * segments;
    let input =
        Extent { buffer_bytes: 4 * len, offset_bytes: 0, len, stride_bytes: None, bits: None };
    let problem = SegmentProblem {
        spec: operator.spec(ElementType::F32).expect("there is one"),
        is_exact,
        program: None,
        input,
        held: Held::Slice(0),
        places: Places::Grid(Grid { groups: segments, items: row_len, step: 1 }, None),
        order: Order::InMemory,
        segments,
        longest: row_len,
        result_index: 0,
    };
    SegmentPlan::new(problem, None, capabilities).expect("a plan")
}

/// Of rows of so many elements: the words of scratch memory, and where each pass finds its totals and leaves others.
fn rows(row_len: u64, segments: u64, is_exact: bool) -> (u64, Vec<[u32; 2]>) {
    let capabilities = Capabilities::default();
    let plan = plan_of_rows(OperatorType::Variance, row_len, segments, is_exact, &capabilities);
    let places = plan.dispatches.iter().map(|dispatch| &dispatch.params);
    let places = places.map(|params| {
        let SegmentParams { totals, next_totals, .. } = params.own.segments();
        [totals, next_totals]
    });
    let places = places.collect();
    (plan.scratch_bytes() / 4, places)
}

#[test]
fn joined_chunks_have_no_scratch_memory() {
    let words = |totals: u64, acc_words: u64| (1 + totals * acc_words).next_multiple_of(4);
    for (is_exact, acc_words) in [(true, 31), (false, 3)] {
        let rows = |row_len| rows(row_len, 3, is_exact);
        // The first pass leaves totals of chunks, or of sixteen of them.
        assert_eq!(rows(255), (words(3 * 15, acc_words), vec![[0, 0], [0, 0]]));
        assert_eq!(rows(256), (words(3, acc_words), vec![[0, 0], [0, 0]]));
        assert_eq!(rows(257), (words(3 * 17, acc_words), vec![[0, 0], [0, 48], [48, 48]]));
        let three = vec![[0, 0], [0, 96], [96, 96]];
        assert_eq!(rows(8192), (words(3 * (32 + 2), acc_words), three));
        let four = vec![[0, 0], [0, 816], [816, 867], [867, 867]];
        assert_eq!(rows(69_632), (words(3 * (272 + 17 + 1), acc_words), four));
    }
    assert_eq!(rows(0, 3, true).1, [[0, 0]]);
}

/// Few results that may have chunks have a workgroup each; many, and those without chunks, have a lane each.
#[test]
fn few_results_are_spread() {
    let of_device = |row_len, segments, capabilities: &Capabilities| {
        let plan = plan_of_rows(OperatorType::Sum, row_len, segments, false, capabilities);
        let last = plan.dispatches.last().expect("a dispatch of results");
        (last.params.log2_block_items, last.workgroups)
    };
    let of = |row_len, segments| of_device(row_len, segments, &Capabilities::default());
    assert_eq!(of(1000, 1), (0, 1));
    assert_eq!(of(1000, 300), (0, 300));
    assert_eq!(of(1000, 511), (0, 511));
    assert_eq!(of(1000, 512), (1, 256));
    assert_eq!(of(1000, 4096), (4, 256));
    assert_eq!(of(20, 1 << 17), (8, 512));
    assert_eq!(of(15, 300), (8, 2));
    // A device that takes fewer workgroups in a dispatch.
    let small = Capabilities { max_workgroups: 100, ..Capabilities::default() };
    assert_eq!(of_device(1000, 300, &small), (2, 75));
}

/// Columns whose chunks are joined: four for each lane, where accumulators are small.
#[test]
fn chunks_of_columns_are_joined() {
    let of = |operator: OperatorType, items: u64, is_exact| {
        let len = 3 * items * 100;
        let input =
            Extent { buffer_bytes: 4 * len, offset_bytes: 0, len, stride_bytes: None, bits: None };
        let problem = SegmentProblem {
            spec: operator.spec(ElementType::F32).expect("there is one"),
            is_exact,
            program: None,
            input,
            held: Held::Slice(0),
            places: Places::Grid(Grid { groups: 3, items, step: 100 }, None),
            order: Order::InMemory,
            segments: 300,
            longest: items,
            result_index: 0,
        };
        let plan = SegmentPlan::new(problem, None, &Capabilities::default()).expect("a plan");
        let passes = plan.dispatches.iter().map(|dispatch| {
            let joins = dispatch.params.flags & Params::JOINS_CHUNKS != 0;
            (dispatch.params.end, joins, dispatch.params.own.segments().next_totals)
        });
        (passes.collect::<Vec<_>>(), plan.totals)
    };
    let sums = of(OperatorType::Sum, 512, false);
    assert_eq!(sums, (vec![(2400, true, 0), (300, false, 0)], 600));
    let sums = of(OperatorType::Sum, 500, false);
    assert_eq!(sums, (vec![(9300, false, 0), (300, false, 9300), (300, false, 9300)], 9600));
    let (passes, totals) = of(OperatorType::Sum, 512, true);
    assert_eq!((passes[0], totals), ((9600, false, 0), 9600 + 600));
    let (passes, totals) = of(OperatorType::Variance, 512, false);
    assert_eq!((passes[0], totals), ((2400, true, 0), 600));
}

/// Along axes of a shape: the plan of sums.
fn along(element: ElementType, shape: &[u64], axes: &[usize]) -> SegmentPlan {
    let len = shape.iter().product();
    let Axes::Apart { rows, sides } = Axes::of(len, shape, axes).expect("such axes") else {
        panic!("{axes:?} of {shape:?} are as one")
    };
    let table = AxesTable::of(rows, &sides);
    let capabilities = Capabilities::default();
    let before = BeforePlan::of_axes(&table, &capabilities).expect("a table");
    let problem = SegmentProblem {
        spec: OperatorType::Sum.spec(element).expect("there is one"),
        is_exact: false,
        program: None,
        input: Extent {
            buffer_bytes: element.size_bytes() * len,
            offset_bytes: 0,
            len,
            stride_bytes: None,
            bits: None,
        },
        held: Held::Slice(0),
        places: Places::Grid(table.grid(rows), Some(before.view)),
        order: before.order(),
        segments: rows.groups,
        longest: rows.items,
        result_index: 0,
    };
    SegmentPlan::new(problem, Some(before), &capabilities).expect("a plan")
}

#[test]
fn axes_apart_take_no_dispatch_before() {
    let plan = along(ElementType::F32, &[64, 3, 5, 64], &[0, 3]);
    assert_eq!(plan.all().count(), plan.dispatches.len());
    for dispatch in &plan.dispatches {
        let flags = dispatch.params.flags;
        let SegmentParams { kept_axes, all_axes, .. } = dispatch.params.own.segments();
        assert_eq!(flags & !Params::JOINS_CHUNKS, Params::HAS_AXES);
        // 3 and 5 are as one.
        assert_eq!((kept_axes, all_axes), (1, 3));
        assert_eq!(dispatch.right.map(|view| view.size_bytes), Some(32));
    }
    // Totals of chunks are joined, as those of rows are.
    let places = plan.dispatches.iter().map(|dispatch| dispatch.params.own.segments());
    let places: Vec<_> =
        places.map(|own| (own.level, own.segment_items, own.segment_step)).collect();
    assert_eq!(places, [(0, 4096, 1), (8, 4096, 1), (12, 4096, 1)]);
    assert_eq!(plan.dispatches[0].params.flags & Params::JOINS_CHUNKS, Params::JOINS_CHUNKS);
}

#[test]
fn axes_apart_have_vectors_where_all_runs_begin_with_one() {
    let constants = |element, run| along(element, &[16, 3, run], &[0, 2]).dispatches[0].constants;
    for run in [16, 20, 64, 100] {
        assert_eq!(constants(ElementType::F32, run), Constants::Shift(0).of_rows(), "{run}");
    }
    for run in [17, 18, 49] {
        assert_eq!(constants(ElementType::F32, run), Constants::ANY_SHIFT.of_rows(), "{run}");
    }
    assert_eq!(constants(ElementType::F64, 18), Constants::Shift(0).of_rows());
    assert_eq!(constants(ElementType::F64, 17), Constants::ANY_SHIFT.of_rows());
    // Fewer neighbours than a chunk has, and none.
    assert_eq!(constants(ElementType::F32, 12), Constants::ANY_SHIFT.of_rows());
    let plan = along(ElementType::F32, &[16, 3, 16, 4], &[0, 2]);
    assert_eq!(plan.dispatches[0].constants, Constants::ANY_SHIFT.of_rows());
    let flags = plan.dispatches[0].params.flags;
    let SegmentParams { segment_items, segment_step, .. } =
        plan.dispatches[0].params.own.segments();
    // A segment has sixteen chunks, which are joined.
    let wanted = Params::HAS_AXES | Params::JOINS_CHUNKS;
    assert_eq!((segment_items, segment_step, flags), (256, 12, wanted));
}

/// Sums between offsets, or exact variances, in a binding of so many bytes.
fn between(len: u64, longest: u64, is_exact: bool, max_binding_bytes: u64) -> SegmentPlan {
    let operator = if is_exact { OperatorType::Variance } else { OperatorType::Sum };
    let extent = |len| Extent {
        buffer_bytes: 4 * len,
        offset_bytes: 0,
        len,
        stride_bytes: None,
        bits: None,
    };
    let problem = SegmentProblem {
        spec: operator.spec(ElementType::F32).expect("there is one"),
        is_exact,
        program: None,
        input: extent(len),
        held: Held::Slice(0),
        places: Places::Offsets(extent(9), ElementType::U32),
        order: Order::InMemory,
        segments: 8,
        longest,
        result_index: 0,
    };
    let capabilities = Capabilities { max_binding_bytes, ..Capabilities::default() };
    SegmentPlan::new(problem, None, &capabilities).expect("a plan")
}

/// The first pass over chunks says how long segments are, where passes of its kind come after it.
#[test]
fn passes_are_told_how_long_segments_are() {
    let plan = between(1 << 20, 1 << 20, false, 1 << 27);
    // 2^16 chunks and 2^12, 2^8, 2^4 and 1 of the levels above; a word for 256 of the first ones.
    let totals = (1 << 16) + (1 << 12) + (1 << 8) + (1 << 4) + 1;
    assert_eq!((plan.totals, plan.length_words), (totals, 256));
    assert_eq!(plan.scratch_bytes() / 4, (1 + totals + 256).next_multiple_of(4));
    // Each leaves the items of the second level above, but for the last one.
    assert_eq!(plan.dispatches.len(), 4);
    for dispatch in &plan.dispatches {
        let flags = dispatch.params.flags;
        let own = dispatch.params.own.segments();
        let told = (flags & Params::HAS_LENGTHS != 0, own.log2_length_chunks, own.lengths_begin);
        let wanted = match dispatch.shader.kernel.makes_chunks() {
            true => (true, 8, narrow(totals)),
            false => (false, 0, 0),
        };
        assert_eq!(told, wanted);
    }
    // More chunks than workgroups should have to search for: 2^22.
    let plan = between(1 << 26, 1 << 26, false, 1 << 28);
    assert_eq!(
        (plan.length_words, plan.dispatches[1].params.own.segments().log2_length_chunks),
        (1 << 11, 11)
    );
    // Nothing is as long as a chunk that the first pass leaves to others.
    assert_eq!(between(1 << 20, 4095, false, 1 << 27).length_words, 0);
    assert_eq!(between(1 << 20, 4096, false, 1 << 27).length_words, 256);
    assert_eq!(between(1 << 20, 255, true, 1 << 27).length_words, 0);
    assert_eq!(between(1 << 20, 256, true, 1 << 27).length_words, 256);
}

/// Words that only save time are left out where a binding has no room for them.
#[test]
fn totals_come_before_lengths() {
    // 256 chunks, 16 and 1 of the levels above, of 31 words, and a word before them.
    let needed_bytes = 4 * (1 + 31 * 273);
    let length_words = |bytes| between(1 << 12, 1 << 12, true, bytes).length_words;
    assert_eq!((length_words(needed_bytes), length_words(needed_bytes + 16)), (0, 1));
}

/// By offsets chunks that are in no chunk of the next level keep their totals in scratch memory, where there is room for all.
#[test]
fn chunks_between_offsets_are_joined() {
    let of = |longest, is_exact| {
        let plan = between(1 << 20, longest, is_exact, 1 << 27);
        // Kernels of rows go without what is between offsets.
        let is_of_rows = |own: &Dispatch| matches!(own.constants, Constants::Rows { .. });
        assert!(!plan.dispatches.iter().any(is_of_rows));
        let passes = plan.dispatches.iter().map(|dispatch| {
            let Params { flags, end, .. } = dispatch.params;
            let SegmentParams { level, totals, next_totals, .. } = dispatch.params.own.segments();
            (level, flags & Params::JOINS_CHUNKS != 0, [totals, next_totals], end)
        });
        (passes.collect::<Vec<_>>(), plan.totals)
    };
    let [second, third] = [1 << 16, (1 << 16) + (1 << 12)];
    let passes = vec![
        (0, true, [0, second], 1 << 16),
        (8, false, [second, third], 1 << 8),
        (12, false, [third, third], 8),
    ];
    let totals = (1 << 16) + (1 << 12) + (1 << 8);
    assert_eq!(of(4096, false), (passes, totals));
    let fourth = third + (1 << 8);
    let passes = vec![
        (0, true, [0, second], 1 << 16),
        (8, true, [second, fourth], 1 << 8),
        (16, false, [fourth, fourth], 8),
    ];
    assert_eq!(of(1 << 16, false), (passes, totals + (1 << 4)));
    // Nothing is as long as a chunk of chunks.
    let passes = vec![(0, false, [0, 0], 1 << 16), (4, false, [0, 0], 8)];
    assert_eq!(of(255, false), (passes, 1 << 16));
    // Workgroups have no memory for two turns of large accumulators.
    assert!(of(1 << 16, true).0.iter().all(|&(_, joins, ..)| !joins));
}
