//! The planner of segments, from numbers alone: (SegmentProblem, Capabilities) → SegmentPlan.

use crate::{
    algebra::{element::ElementType, operator::OperatorSpec, precision::Precision},
    axes::Grid,
    device::{
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        extent::Extent,
    },
    dispatch::{
        plan::Dispatch,
        windows::{Inputs, View, windows},
    },
    error::PrepareError,
    reduce::{
        checks::check_capabilities,
        planner::{arithmetic_of, narrow},
    },
    segments::{before::BeforePlan, plan::SegmentPlan},
    way::Mechanism,
    wgsl::{
        kernel::Kernel,
        params::Params,
        program::Program,
        shader::{Constants, ShaderKey},
    },
};

/// The logarithm of the shader's `CHUNK_ITEMS`.
pub(super) const LOG2_CHUNK_ITEMS: u32 = 4;
/// A workgroup takes as many chunks or segments as these, or more: one for each lane.
const MIN_LOG2_BLOCK_ITEMS: u32 = 8;
/// By offsets a workgroup searches for its first segment and its last one, which takes longer than a few chunks do. So it takes up to
/// as many as these, where that makes so many workgroups.
const SEARCHED_LOG2_BLOCK_ITEMS: u32 = 12;
const SEARCHED_WORKGROUPS: u64 = 2048;

/// What is to be reduced.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentProblem {
    pub(super) spec: &'static OperatorSpec,
    /// Whether sums are rounded once.
    pub(super) is_exact: bool,
    /// The operator's text, if it is a user's own.
    pub(super) program: Option<Program>,
    /// Elements, of which one binding has all.
    pub(super) input: Extent,
    /// Which slice they are in.
    pub(super) slice: usize,
    pub(super) places: Places,
    /// Which element comes where, from a word of the places' binding on: [`Params::HAS_ORDER`], or 0, and the word.
    pub(super) order: (u32, u32),
    pub(super) segments: u64,
    /// Elements of the longest segment whose result is of use, or more. Places that say how long segments are do not need it.
    pub(super) longest: u64,
    /// The word of the output's binding that results begin at.
    pub(super) result_index: u32,
}

/// Where segments are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Places {
    /// With the binding of an order, if there is one.
    Grid(Grid, Option<View>),
    /// As these say, of this type.
    Offsets(Extent, ElementType),
    /// The same, and there is no offset behind the last segment.
    Begins(Extent, ElementType),
    /// As those in a buffer of the device's own say.
    Own(View, ElementType),
    /// Elements have these numbers of their groups.
    Groups(Extent, GroupBlocks),
}

impl SegmentPlan {
    pub(super) fn new(
        problem: SegmentProblem,
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
        let left = view_of(spec.element, input, capabilities)?;
        let left = left.map(|view| View { slice: problem.slice, ..view });
        let right = match places {
            Places::Grid(_, order) => order,
            Places::Offsets(offsets, element) | Places::Begins(offsets, element) => {
                view_of(element, offsets, capabilities)?
            }
            Places::Own(view, _) => Some(view),
            Places::Groups(numbers, _) => view_of(ElementType::U32, numbers, capabilities)?,
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
        let (len, alone) = (input.len, Vec::new());
        let plan = Self { spec, len, segments, arithmetic, dispatches, alone, before, totals };
        fits(plan.scratch_bytes())?;
        plan.check_avoided(capabilities)?;
        Ok(plan)
    }
}

/// How the only pass over elements in groups takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroupBlocks {
    groups: u32,
    log2_block_items: u32,
    /// Each a workgroup's.
    count: u32,
}

impl GroupBlocks {
    /// The shader's `LOCAL_WORDS`.
    const LOCAL_WORDS: u32 = 4088;
    /// Accumulators of a group are at most as many as lanes of usual subgroups.
    const MAX_LOG2_COPIES: u32 = 5;
    const MIN_LOG2_ITEMS: u32 = 12;
    /// Totals of groups are fewer than elements.
    const LOG2_ITEMS_OF_GROUP: u32 = 2;
    const WANTED: u32 = 2048;

    /// `None` where groups go another way: by an operator without atomics, with too many accumulators, or of nothing.
    pub(super) fn of(
        spec: &OperatorSpec,
        groups: u32,
        len: u64,
        capabilities: &Capabilities,
    ) -> Option<Self> {
        let words = u64::from(groups) * u64::from(spec.acc_words());
        let fits = (1..=u64::from(Self::LOCAL_WORDS)).contains(&words);
        if !spec.has_group_totals() || !fits || len == 0 {
            return None;
        }
        let log2 = |items: u64| items.next_power_of_two().ilog2();
        let workgroups = u64::from(capabilities.max_workgroups.min(Self::WANTED));
        let log2_block_items = log2(len.div_ceil(workgroups))
            .max(log2(groups.into()) + Self::LOG2_ITEMS_OF_GROUP)
            .max(Self::MIN_LOG2_ITEMS);
        let count = narrow(len.div_ceil(1 << log2_block_items));
        Some(Self { groups, log2_block_items, count })
    }

    /// A total of each block is as those of sixteen elements are elsewhere.
    fn grid(self) -> Grid {
        let items = u64::from(self.count) << LOG2_CHUNK_ITEMS;
        Grid { groups: self.groups.into(), items, step: 1 }
    }
}

/// All elements in one binding, if there are any.
pub(super) fn view_of(
    element: ElementType,
    slice: Extent,
    capabilities: &Capabilities,
) -> Result<Option<View>, PrepareError> {
    let inputs = Inputs { element, left: &[slice], right: None, right_bytes: 0 };
    let windows = windows(inputs, capabilities, |_, end, _| end)?;
    match windows[..] {
        [] => Ok(None),
        [window] => Ok(Some(window.left)),
        _ => Err(PrepareError::BindingTooSmall {
            max_binding_bytes: capabilities.max_binding_bytes.min(BINDING_BYTES_CAP),
            needed_bytes: slice.span_bytes(element.size_bytes()).unwrap_or(u64::MAX),
        }),
    }
}

const NO_GRID: Grid = Grid { groups: 0, items: 0, step: 1 };

/// What a plan's dispatches are made of.
struct Planner {
    problem: SegmentProblem,
    left: Option<View>,
    /// Offsets, or an order, or both.
    right: Option<View>,
    max_workgroups: u32,
}

impl Planner {
    /// The items of a level, of all segments: those of level 0 are the elements.
    fn items(&self, level: u32) -> u64 {
        let log2 = LOG2_CHUNK_ITEMS * level;
        match self.problem.places {
            Places::Grid(grid, _) => self.problem.segments * (grid.items >> log2),
            Places::Groups(_, blocks) => self.problem.segments * (blocks.grid().items >> log2),
            _ => self.problem.input.len >> log2,
        }
    }

    /// Levels above that of elements.
    fn levels(&self) -> u32 {
        let longest = match self.problem.places {
            Places::Grid(grid, _) => grid.items,
            Places::Groups(_, blocks) => blocks.grid().items,
            _ => self.problem.longest,
        };
        longest.checked_ilog2().unwrap_or(0) / LOG2_CHUNK_ITEMS
    }

    /// The totals of so many levels, from the first one above the elements on.
    fn totals_of(&self, levels: u32) -> u64 {
        (1..=levels).map(|level| self.items(level)).sum()
    }

    /// The elements of a segment, if segments are rows: elements in a row, the same number of each.
    fn rows(&self) -> Option<u64> {
        match self.problem.places {
            Places::Grid(Grid { items, step: 1, .. }, _) if self.problem.order.0 == 0 => {
                Some(items)
            }
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
        if let Places::Groups(_, blocks) = self.problem.places {
            dispatches.push(self.group_totals(key(Kernel::GroupTotals), blocks));
            level = 1;
        }
        while level < levels {
            // Where chunks' totals are in chunks themselves, all of them, nothing else needs them.
            let are_joined = |items: u64| items.is_multiple_of(1 << (2 * LOG2_CHUNK_ITEMS));
            let joins = level == 0 && self.rows().is_some_and(are_joined);
            let next = if joins { level + 2 } else { level + 1 };
            dispatches.push(self.dispatch(key(chunks), level, self.items(level + 1), next));
            level = next;
        }
        dispatches.push(self.dispatch(key(results), levels, self.problem.segments, levels));
        dispatches
    }

    /// The only pass over elements in groups.
    fn group_totals(&self, shader: ShaderKey, blocks: GroupBlocks) -> Dispatch {
        let dispatch = self.dispatch(shader, 0, self.problem.input.len, 1);
        let copies = GroupBlocks::LOCAL_WORDS / (shader.acc_words() * dispatch.params.partials);
        let params = Params {
            log2_block_items: blocks.log2_block_items,
            blocks: blocks.count,
            log2_span: copies.ilog2().min(GroupBlocks::MAX_LOG2_COPIES),
            ..dispatch.params
        };
        Dispatch { params, workgroups: blocks.count, ..dispatch }
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
            Places::Groups(_, blocks) => (blocks.grid(), 0, 4),
            Places::Offsets(_, element) | Places::Own(_, element) => {
                (NO_GRID, Params::HAS_OFFSETS, element.size_bytes())
            }
            Places::Begins(_, element) => {
                (NO_GRID, Params::HAS_OFFSETS | Params::HAS_BEGINS, element.size_bytes())
            }
        };
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
            && self.rows().is_some_and(|items| {
                head_bytes.is_multiple_of(16)
                    && (items * spec.element.size_bytes()).is_multiple_of(16)
            });
        let constants = match stride_bytes {
            Some(_) => Constants::STRIDED,
            None => Constants::of_segments(spec.element, head_bytes / 4, with_vectors),
        };
        let params = Params {
            end: narrow(parts),
            vec_end: self.vec_end(constants, item_bytes),
            base: if stride_bytes.is_some() { 0 } else { head_bytes / index_bytes },
            head_bytes: stride_bytes.map_or(0, |_| head_bytes),
            stride_bytes: stride_bytes.unwrap_or(0),
            log2_block_items,
            blocks,
            log2_span: LOG2_CHUNK_ITEMS * level,
            flags: offsets_flags | wide_flag | order.0 | joins_flag,
            right_base: order.1,
            partials: narrow(segments),
            state_before: narrow(self.totals_of(level.saturating_sub(1))),
            state_after: narrow(self.totals_of(next.saturating_sub(1))),
            result_index,
            len_low: narrow(input.len),
            right_head_bytes: self.right.map_or(0, |view| view.head_bytes),
            right_stride_bytes: self
                .right
                .map_or(0, |view| view.stride_bytes.unwrap_or(narrow(offset_bytes))),
            initial_low: narrow(grid.items),
            initial_high: narrow(grid.step),
            ..Params::default()
        };
        // Where there are no offsets, something is bound that nothing reads.
        let unread = View {
            slice: 0,
            offset_bytes: 0,
            size_bytes: 16,
            head_bytes: 0,
            stride_bytes: None,
            bits: None,
        };
        Dispatch {
            shader,
            constants,
            params,
            left: self.left,
            right: Some(self.right.unwrap_or(unread)),
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
