//! The planner of segments, from numbers alone: (SegmentProblem, Capabilities) → SegmentPlan.

mod in_windows;

use crate::{
    algebra::{element::ElementType, operator::OperatorSpec, precision::Precision},
    axes::Grid,
    device::{
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        extent::Extent,
    },
    dispatch::{plan::Dispatch, windows::View},
    error::PrepareError,
    reduce::{blocks::narrow, checks::check_capabilities, ways::arithmetic_of},
    segments::{
        before::{BeforePlan, Order},
        chunks::{LOG2_CHUNK_ITEMS, joins_chunks},
        group_blocks::{GroupBlocks, GroupLaunch},
        plan::SegmentPlan,
        seams::Seams,
        views::{UNREAD, view_of},
        windows::Held,
    },
    way::Mechanism,
    wgsl::{
        kernel::Kernel,
        params::Params,
        program::Program,
        shader::{Constants, ShaderKey},
    },
};

/// A workgroup takes as many chunks or segments as these, or more: one for each lane.
const MIN_LOG2_BLOCK_ITEMS: u32 = 8;
/// By offsets a workgroup searches for its first segment and its last one, which takes longer than a few chunks do. So it takes up to
/// as many as these, where that makes so many workgroups.
const SEARCHED_LOG2_BLOCK_ITEMS: u32 = 12;
const SEARCHED_WORKGROUPS: u64 = 2048;

/// What is to be reduced.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentProblem<'a> {
    pub(super) spec: &'static OperatorSpec,
    /// Whether sums are rounded once.
    pub(super) is_exact: bool,
    /// The operator's text, if it is a user's own.
    pub(super) program: Option<Program>,
    /// Elements, of which one binding has all, or windows. Of groups in one pass none: their launches have them.
    pub(super) input: Extent,
    /// Where they are.
    pub(super) held: Held<'a>,
    pub(super) places: Places<'a>,
    /// Which element comes where.
    pub(super) order: Order,
    pub(super) segments: u64,
    /// Elements of the longest segment whose result is of use, or more. Places that say how long segments are do not need it.
    pub(super) longest: u64,
    /// The word of the output's binding that results begin at.
    pub(super) result_index: u32,
}

/// Where segments are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places<'a> {
    /// With the binding of an order, or of a table of axes, if there is one.
    Grid(Grid, Option<View>),
    /// As these say, of this type.
    Offsets(Extent, ElementType),
    /// The same, and there is no offset behind the last segment.
    Begins(Extent, ElementType),
    /// As those in a buffer of the device's own say.
    Own(View, ElementType),
    /// Elements have numbers of their groups.
    Groups(&'a GroupBlocks),
}

impl SegmentPlan {
    pub(super) fn new(
        problem: SegmentProblem<'_>,
        before: Option<BeforePlan>,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let SegmentProblem { spec, input, places, segments, .. } = problem;
        input.check(spec.element.size_bytes())?;
        check_capabilities(capabilities)?;
        let max_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let fits = |needed_bytes: u64| match needed_bytes > max_bytes.min(BINDING_BYTES_CAP) {
            true => {
                let max_binding_bytes = max_bytes.min(BINDING_BYTES_CAP);
                Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes })
            }
            false => Ok(()),
        };
        // With what may be before the first result in the binding.
        let result_bytes = 4 * u64::from(spec.out_words);
        fits(
            segments
                .saturating_mul(result_bytes)
                .saturating_add(4 * u64::from(problem.result_index)),
        )?;
        let arithmetic = arithmetic_of(spec, Precision::Reproducible, capabilities);
        let left = match places {
            Places::Groups(blocks) => blocks.launches.first().map(|launch| launch.elements),
            _ => problem.held.view(spec.element, input, capabilities)?,
        };
        let right = match places {
            Places::Grid(_, order) => order,
            Places::Offsets(offsets, element) | Places::Begins(offsets, element) => {
                view_of(element, offsets, capabilities)?
            }
            Places::Own(view, _) => Some(view),
            // What comes after the only pass reads none of both.
            Places::Groups(blocks) => blocks.launches.first().map(|launch| launch.numbers),
        };
        let planner = Planner { problem, left, right, max_workgroups: capabilities.max_workgroups };
        let key = |kernel| {
            let mechanism = Mechanism::WorkgroupMemory;
            match problem.program {
                Some(program) => ShaderKey::of_program(kernel, program, mechanism, arithmetic),
                None => ShaderKey::new(kernel, spec.operator, spec.element, mechanism, arithmetic),
            }
        };
        let dispatches = if segments == 0 { Vec::new() } else { planner.dispatches(key) };
        let totals = if segments == 0 { 0 } else { planner.totals_of(planner.levels()) };
        let (len, alone, seams) = (input.len, Vec::new(), Seams::default());
        let plan =
            Self { spec, len, segments, arithmetic, dispatches, alone, before, seams, totals };
        fits(plan.scratch_bytes())?;
        plan.check_avoided(capabilities)?;
        Ok(plan)
    }
}

const NO_GRID: Grid = Grid { groups: 0, items: 0, step: 1 };

/// What a plan's dispatches are made of.
struct Planner<'a> {
    problem: SegmentProblem<'a>,
    left: Option<View>,
    /// Offsets, an order, or a table of axes.
    right: Option<View>,
    max_workgroups: u32,
}

impl Planner<'_> {
    /// The items of a level, of all segments: those of level 0 are the elements.
    fn items(&self, level: u32) -> u64 {
        let log2 = LOG2_CHUNK_ITEMS * level;
        match self.problem.places {
            Places::Grid(grid, _) => self.problem.segments * (grid.items >> log2),
            Places::Groups(blocks) => self.problem.segments * (blocks.grid().items >> log2),
            _ => self.problem.input.len >> log2,
        }
    }

    /// Levels above that of elements.
    fn levels(&self) -> u32 {
        let longest = match self.problem.places {
            Places::Grid(grid, _) => grid.items,
            Places::Groups(blocks) => blocks.grid().items,
            _ => self.problem.longest,
        };
        longest.checked_ilog2().unwrap_or(0) / LOG2_CHUNK_ITEMS
    }

    /// The totals in scratch memory of so many levels, from the first one above the elements on. Where chunks are joined that one has none
    /// there. The last pass, which comes down from the highest level, looks for none: each row's digit of that level is 0.
    fn totals_of(&self, levels: u32) -> u64 {
        let first = if self.joins() { 2 } else { 1 };
        (first..=levels).map(|level| self.items(level)).sum()
    }

    fn joins(&self) -> bool {
        match self.problem.places {
            Places::Grid(Grid { items, step, .. }, _) => {
                joins_chunks(items, step, self.acc_words())
                    && !matches!(self.problem.order, Order::Listed { .. })
            }
            _ => false,
        }
    }

    /// Words of an accumulator.
    fn acc_words(&self) -> u32 {
        let SegmentProblem { spec, is_exact, .. } = self.problem;
        let exact = spec.exact_segments().filter(|_| is_exact);
        narrow(exact.unwrap_or(&spec.combining).identity.len() as u64)
    }

    /// Elements that are neighbours, if segments are of such runs, each from a multiple of as many on: of rows all of a row.
    fn run(&self) -> Option<u64> {
        match (self.problem.places, self.problem.order) {
            (Places::Grid(Grid { items, step: 1, .. }, _), Order::InMemory) => Some(items),
            (Places::Grid(Grid { step: 1, .. }, _), Order::Axes(axes)) => Some(axes.run),
            _ => None,
        }
    }

    fn dispatches(&self, key: impl Fn(Kernel) -> ShaderKey) -> Vec<Dispatch> {
        let levels = self.levels();
        let (chunks, results) = match self.problem.is_exact {
            true => (Kernel::ExactSegmentChunks, Kernel::ExactSegmentResults),
            false => (Kernel::SegmentChunks, Kernel::SegmentResults),
        };
        let mut dispatches = Vec::new();
        let mut level = 0;
        // Groups have the totals of the first level already.
        if let Places::Groups(blocks) = self.problem.places {
            let launches = blocks.launches.iter();
            let shader = key(Kernel::GroupTotals);
            dispatches.extend(launches.map(|launch| self.group_totals(shader, blocks, launch)));
            level = 1;
        }
        while level < levels {
            let next = if level == 0 && self.joins() { level + 2 } else { level + 1 };
            let lanes = match self.problem.places {
                // Each has four chunks.
                Places::Grid(Grid { step: 2.., .. }, _) if next > level + 1 => 4 * self.items(next),
                _ => self.items(level + 1),
            };
            dispatches.extend(self.passes(key(chunks), level, lanes, next));
            level = next;
        }
        dispatches.extend(self.passes(key(results), levels, self.problem.segments, levels));
        dispatches
    }

    /// What the only pass over elements in groups has of one binding.
    fn group_totals(
        &self,
        shader: ShaderKey,
        blocks: &GroupBlocks,
        launch: &GroupLaunch,
    ) -> Dispatch {
        let (left, right) = (Some(launch.elements), Some(launch.numbers));
        let own = Planner { left, right, ..*self };
        let dispatch = own.dispatch(shader, 0, launch.items.into(), 1);
        let copies = GroupBlocks::LOCAL_WORDS / (shader.acc_words() * dispatch.params.partials);
        let params = Params {
            log2_block_items: blocks.log2_block_items,
            blocks: launch.blocks,
            span: blocks.count,
            state_after: dispatch.params.state_after + launch.first,
            log2_span: copies.ilog2().min(GroupBlocks::MAX_LOG2_COPIES),
            ..dispatch.params
        };
        Dispatch { params, workgroups: launch.blocks, ..dispatch }
    }

    /// A pass over the items of a level, of which each lane takes some of `parts`. It leaves the items of the level `next`.
    fn dispatch(&self, shader: ShaderKey, level: u32, parts: u64, next: u32) -> Dispatch {
        let SegmentProblem { spec, input, places, order, segments, result_index, .. } =
            self.problem;
        let wanted = parts.div_ceil(self.max_workgroups.into()).next_power_of_two().ilog2();
        let is_searched = !matches!(places, Places::Grid(..) | Places::Groups(..))
            && shader.kernel.makes_chunks();
        let searched = match is_searched {
            true => (parts / SEARCHED_WORKGROUPS).checked_ilog2().unwrap_or(0),
            false => 0,
        };
        let log2_block_items =
            wanted.max(searched.min(SEARCHED_LOG2_BLOCK_ITEMS)).max(MIN_LOG2_BLOCK_ITEMS);
        let blocks = narrow(parts.div_ceil(1 << log2_block_items));
        let (grid, offsets_flags, offset_bytes) = match places {
            Places::Grid(grid, _) => (grid, 0, 4),
            Places::Groups(blocks) => (blocks.grid(), 0, 4),
            Places::Offsets(_, element) | Places::Own(_, element) => {
                (NO_GRID, Params::HAS_OFFSETS, element.size_bytes())
            }
            Places::Begins(_, element) => {
                (NO_GRID, Params::HAS_OFFSETS | Params::HAS_BEGINS, element.size_bytes())
            }
        };
        let (order_flag, right_base) = order.told();
        let joins_flag = if next > level + 1 { Params::JOINS_CHUNKS } else { 0 };
        let wide_flag = if offset_bytes == 8 { Params::HAS_WIDE_OFFSETS } else { 0 };
        let head_bytes = self.left.map_or(0, |view| view.head_bytes);
        // Elements with gaps between them are loaded one by one, and found by bytes.
        let stride_bytes = self.left.and_then(|view| view.stride_bytes);
        let item_bytes = narrow(spec.element.size_bytes());
        // Elements of several components are found by words.
        let index_bytes = if spec.element.is_vector() { 4 } else { item_bytes };
        let with_vectors = shader.kernel.makes_chunks()
            && stride_bytes.is_none()
            && self.run().is_some_and(|items| {
                head_bytes.is_multiple_of(16)
                    && (items * spec.element.size_bytes()).is_multiple_of(16)
            });
        let constants = match stride_bytes {
            Some(_) => Constants::STRIDED,
            None => Constants::of_segments(spec.element, head_bytes / 4, with_vectors),
        };
        let vec_end = self.vec_end(constants, item_bytes);
        let may_be_apart =
            order_flag != 0 || grid.step != 1 || shader.kernel == Kernel::GroupTotals;
        let constants = if may_be_apart { constants } else { constants.together() };
        let params = Params {
            end: narrow(parts),
            vec_end,
            base: if stride_bytes.is_some() { 0 } else { head_bytes / index_bytes },
            head_bytes: stride_bytes.map_or(0, |_| head_bytes),
            stride_bytes: stride_bytes.unwrap_or(0),
            log2_block_items,
            blocks,
            log2_span: LOG2_CHUNK_ITEMS * level,
            flags: offsets_flags | wide_flag | order_flag | joins_flag,
            right_base,
            partials: narrow(segments),
            state_before: narrow(self.totals_of(level.saturating_sub(1))),
            state_after: narrow(self.totals_of(next.saturating_sub(1))),
            result_index,
            len_low: narrow(input.len),
            right_head_bytes: self.right.map_or(0, |view| view.head_bytes),
            right_stride_bytes: match order {
                Order::Axes(axes) => axes.all,
                _ => self.right.map_or(0, |view| view.stride_bytes.unwrap_or(narrow(offset_bytes))),
            },
            initial_low: narrow(grid.items),
            initial_high: narrow(grid.step),
            ..Params::default()
        };
        Dispatch {
            shader,
            constants,
            params,
            left: self.left,
            // Where there are no offsets, something is bound that nothing reads.
            right: Some(self.right.unwrap_or(UNREAD)),
            third: None,
            slice: None,
            workgroups: blocks,
        }
    }

    /// Elements that lie in whole vectors of the binding. Those of two words are told where vectors begin, which varies from segment to
    /// segment if they begin at an odd word: they are loaded one by one, and so are
    /// those with gaps between them.
    fn vec_end(&self, constants: Constants, item_bytes: u32) -> u32 {
        let one_by_one = matches!(constants, Constants::Shift(1) | Constants::STRIDED);
        let Some(view) = self.left.filter(|_| !one_by_one) else { return 0 };
        let whole_bytes = view.size_bytes / 16 * 16;
        let readable_bytes = whole_bytes.saturating_sub(view.head_bytes.into());
        narrow((readable_bytes / u64::from(item_bytes)).min(self.problem.input.len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        algebra::operator_type::OperatorType, axes::Axes, segments::axes_table::AxesTable,
    };

    /// Of rows of so many elements: the words of scratch memory, and where each pass finds its totals and leaves others.
    fn rows(row_len: u64, segments: u64, is_exact: bool) -> (u64, Vec<[u32; 2]>) {
        let len = row_len * segments;
        let spec = OperatorType::Variance.spec(ElementType::F32).expect("there is one");
        let input =
            Extent { buffer_bytes: 4 * len, offset_bytes: 0, len, stride_bytes: None, bits: None };
        let problem = SegmentProblem {
            spec,
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
        let plan = SegmentPlan::new(problem, None, &Capabilities::default()).expect("a plan");
        let places = plan.dispatches.iter().map(|dispatch| &dispatch.params);
        let places = places.map(|params| [params.state_before, params.state_after]).collect();
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

    /// Columns whose chunks are joined: four for each lane, where accumulators are small.
    #[test]
    fn chunks_of_columns_are_joined() {
        let of = |operator: OperatorType, items: u64, is_exact| {
            let len = 3 * items * 100;
            let input = Extent {
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
                (dispatch.params.end, joins, dispatch.params.state_after)
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
        assert_eq!(plan.pipelines().count(), plan.dispatches.len());
        for dispatch in &plan.dispatches {
            let Params { flags, right_base, right_stride_bytes, .. } = dispatch.params;
            assert_eq!(flags & !Params::JOINS_CHUNKS, Params::HAS_AXES);
            // 3 and 5 are as one.
            assert_eq!((right_base, right_stride_bytes), (1, 3));
            assert_eq!(dispatch.right.map(|view| view.size_bytes), Some(32));
        }
        // Totals of chunks are joined, as those of rows are.
        let places = plan.dispatches.iter().map(|dispatch| &dispatch.params);
        let places: Vec<_> = places
            .map(|params| (params.log2_span, params.initial_low, params.initial_high))
            .collect();
        assert_eq!(places, [(0, 4096, 1), (8, 4096, 1), (12, 4096, 1)]);
        assert_eq!(plan.dispatches[0].params.flags & Params::JOINS_CHUNKS, Params::JOINS_CHUNKS);
    }

    #[test]
    fn axes_apart_have_vectors_where_all_runs_begin_with_one() {
        let constants =
            |element, run| along(element, &[16, 3, run], &[0, 2]).dispatches[0].constants;
        for run in [16, 20, 64, 100] {
            assert_eq!(constants(ElementType::F32, run), Constants::Shift(0), "{run}");
        }
        for run in [17, 18, 49] {
            assert_eq!(constants(ElementType::F32, run), Constants::ANY_SHIFT, "{run}");
        }
        assert_eq!(constants(ElementType::F64, 18), Constants::Shift(0));
        assert_eq!(constants(ElementType::F64, 17), Constants::ANY_SHIFT);
        // Fewer neighbours than a chunk has, and none.
        assert_eq!(constants(ElementType::F32, 12), Constants::ANY_SHIFT);
        let plan = along(ElementType::F32, &[16, 3, 16, 4], &[0, 2]);
        assert_eq!(plan.dispatches[0].constants, Constants::ANY_SHIFT);
        let Params { initial_low, initial_high, flags, .. } = plan.dispatches[0].params;
        // A segment has sixteen chunks, which are joined.
        let wanted = Params::HAS_AXES | Params::JOINS_CHUNKS;
        assert_eq!((initial_low, initial_high, flags), (256, 12, wanted));
    }
}
