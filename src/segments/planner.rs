//! The planner of segments, from numbers alone: (SegmentProblem, Capabilities) → SegmentPlan.

mod in_windows;
#[cfg(test)]
mod tests;

use crate::{
    algebra::{element::ElementType, operator::OperatorSpec, precision::Precision},
    axes::Grid,
    device::{
        capabilities::{BINDING_BYTES_CAP, Capabilities},
        extent::Extent,
    },
    dispatch::{
        plan::{Dispatch, check_avoided},
        windows::View,
    },
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
        params::{GroupParams, Params, SegmentParams},
        program::Program,
        shader::{Constants, ShaderKey},
    },
};

/// A workgroup takes as many chunks or segments as these, or more: one for each lane.
const MIN_LOG2_BLOCK_ITEMS: u32 = 8;
/// But results of few segments that may have chunks are spread over as many workgroups as these, up to twice as many: a lane goes through the
/// levels of its segment one after another, and waits for the other lanes of its subgroup, whose segments have other levels.
const SPREAD_WORKGROUPS: u64 = 256;
/// By offsets a workgroup searches for its first segment and its last one, which takes longer than a few chunks do. So it takes up to
/// as many as these, where that makes so many workgroups.
const SEARCHED_LOG2_BLOCK_ITEMS: u32 = 12;
const SEARCHED_WORKGROUPS: u64 = 2048;

/// The segments to be reduced.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentProblem<'a> {
    pub(super) spec: &'a OperatorSpec,
    /// Whether sums are rounded once.
    pub(super) is_exact: bool,
    /// The operator's text, if it is a user's own.
    pub(super) program: Option<&'a Program>,
    /// The elements, in one binding or in windows. Groups in one pass have none here: their launches have them.
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
            // The kernels after the only pass read neither.
            Places::Groups(blocks) => blocks.launches.first().map(|launch| launch.numbers),
        };
        let max_workgroups = capabilities.max_workgroups;
        let planner = Planner { problem, left, right, lengths: None, max_workgroups };
        let key = |kernel| {
            let mechanism = Mechanism::WorkgroupMemory;
            match problem.program {
                Some(program) => ShaderKey::of_program(kernel, program, mechanism, arithmetic),
                None => ShaderKey::new(kernel, spec.operator, spec.element, mechanism, arithmetic),
            }
        };
        let len = input.len;
        let planned = |lengths: Option<LengthWords>| {
            let planner = Planner { lengths, ..planner };
            let dispatches = if segments == 0 { Vec::new() } else { planner.dispatches(key) };
            let totals = if segments == 0 { 0 } else { planner.totals_of(planner.levels()) };
            Self {
                spec: *spec,
                len,
                segments,
                is_exact: problem.is_exact,
                arithmetic,
                dispatches,
                alone: Vec::new(),
                before: before.clone(),
                seams: Seams::default(),
                totals,
                length_words: lengths.map_or(0, |lengths| lengths.words),
            }
        };
        // Without what only saves time, where a binding has no room for it.
        let plan = planned(planner.lengths(key(planner.chunks()).acc_words()));
        let plan = match fits(plan.scratch_bytes()) {
            Ok(()) => plan,
            Err(_) => planned(None),
        };
        fits(plan.scratch_bytes())?;
        check_avoided(plan.all(), capabilities)?;
        Ok(plan)
    }
}

const NO_GRID: Grid = Grid { groups: 0, items: 0, step: 1 };

/// Makes a plan's dispatches.
struct Planner<'a> {
    problem: SegmentProblem<'a>,
    left: Option<View>,
    /// Offsets, an order, or a table of axes.
    right: Option<View>,
    lengths: Option<LengthWords>,
    max_workgroups: u32,
}

/// Words of scratch memory in which the first pass leaves to the passes after it, for each of its workgroups, how long the longest segment of its chunks may
/// be.
#[derive(Clone, Copy)]
struct LengthWords {
    /// The first of these words, behind all totals.
    first: u64,
    words: u64,
    /// Chunks of the first level that have a word together.
    log2_chunks: u32,
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

    /// Whether a pass over a level joins the totals of chunks that are in chunks of the next level, wherever segments begin. Others stay in scratch memory,
    /// and so does the room for all. A pass over elements in windows has not all chunks of sixteen.
    fn joins_by_offsets(&self, level: u32) -> bool {
        self.is_searched()
            && level + 2 <= self.levels()
            && (level > 0 || matches!(self.problem.held, Held::Slice(_)))
            && self.acc_words() <= Kernel::MOST_JOINED_WORDS
    }

    /// The level whose items a pass over those of another leaves.
    fn next(&self, level: u32) -> u32 {
        match (level == 0 && self.joins()) || self.joins_by_offsets(level) {
            true => level + 2,
            false => level + 1,
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

    fn chunks(&self) -> Kernel {
        match self.problem.is_exact {
            true => Kernel::ExactSegmentChunks,
            false => Kernel::SegmentChunks,
        }
    }

    /// Whether passes over chunks search for the segments that these are of.
    fn is_searched(&self) -> bool {
        !matches!(self.problem.places, Places::Grid(..) | Places::Groups(..))
    }

    /// By offsets a pass over a higher level would look for segments that long where there may be none. It is the first pass that can say so, if it
    /// is a single dispatch.
    fn lengths(&self, acc_words: u32) -> Option<LengthWords> {
        let is_single = matches!(self.problem.held, Held::Slice(_));
        let levels = self.levels();
        let log2_chunks = self.log2_block_items(self.items(1), self.chunks());
        (self.is_searched() && is_single && levels > self.next(0)).then(|| LengthWords {
            first: self.totals_of(levels) * u64::from(acc_words),
            words: self.items(1).div_ceil(1 << log2_chunks),
            log2_chunks,
        })
    }

    /// The share of so many parts that a kernel's workgroup takes.
    fn log2_block_items(&self, parts: u64, kernel: Kernel) -> u32 {
        let log2_share = |workgroups: u64| (parts / workgroups).checked_ilog2().unwrap_or(0);
        let wanted = parts.div_ceil(self.max_workgroups.into()).next_power_of_two().ilog2();
        let least = if !kernel.makes_chunks() && self.levels() > 0 {
            log2_share(SPREAD_WORKGROUPS).min(MIN_LOG2_BLOCK_ITEMS)
        } else if kernel.makes_chunks() && self.is_searched() {
            let searched = log2_share(SEARCHED_WORKGROUPS).min(SEARCHED_LOG2_BLOCK_ITEMS);
            searched.max(MIN_LOG2_BLOCK_ITEMS)
        } else {
            MIN_LOG2_BLOCK_ITEMS
        };
        wanted.max(least)
    }

    fn dispatches(&self, key: impl Fn(Kernel) -> ShaderKey) -> Vec<Dispatch> {
        let levels = self.levels();
        let chunks = self.chunks();
        let results = match self.problem.is_exact {
            true => Kernel::ExactSegmentResults,
            false => Kernel::SegmentResults,
        };
        let mut dispatches = Vec::new();
        let mut level = 0;
        // Groups have the totals of the first level already.
        if let Places::Groups(blocks) = self.problem.places {
            let launches = blocks.launches.iter();
            let shader = key(Kernel::GroupTotals);
            dispatches.extend(launches.map(|launch| self.group_totals(&shader, blocks, launch)));
            level = 1;
        }
        while level < levels {
            let next = self.next(level);
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

    /// A launch of the only pass over elements in groups, in one binding.
    fn group_totals(
        &self,
        shader: &ShaderKey,
        blocks: &GroupBlocks,
        launch: &GroupLaunch,
    ) -> Dispatch {
        let (left, right) = (Some(launch.elements), Some(launch.numbers));
        let own = Planner { left, right, ..*self };
        let dispatch = own.dispatch(shader.clone(), 0, launch.items.into(), 1);
        let told = dispatch.params.own.segments();
        let copies = GroupBlocks::LOCAL_WORDS / (shader.acc_words() * told.segments);
        let groups = GroupParams {
            groups: told.segments,
            numbers_head_bytes: told.offsets_head_bytes,
            numbers_stride_bytes: told.offsets_stride_bytes,
            all_blocks: blocks.count,
            log2_copies: copies.ilog2().min(GroupBlocks::MAX_LOG2_COPIES),
            totals: told.next_totals + launch.first,
            ..GroupParams::default()
        };
        let params = Params {
            log2_block_items: blocks.log2_block_items,
            blocks: launch.blocks,
            own: groups.into(),
            ..dispatch.params
        };
        Dispatch { params, workgroups: launch.blocks, ..dispatch }
    }

    /// A pass over the items of a level, of which each lane takes some of `parts`. It leaves the items of the level `next`.
    fn dispatch(&self, shader: ShaderKey, level: u32, parts: u64, next: u32) -> Dispatch {
        let SegmentProblem { spec, input, places, order, segments, result_index, .. } =
            self.problem;
        let log2_block_items = self.log2_block_items(parts, shader.kernel);
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
        let order_flag = order.flag();
        let joins_flag = if next > level + 1 { Params::JOINS_CHUNKS } else { 0 };
        let lengths = self.lengths.filter(|_| shader.kernel.makes_chunks());
        let lengths_flag = if lengths.is_some() { Params::HAS_LENGTHS } else { 0 };
        let wide_flag = if offset_bytes == 8 { Params::HAS_WIDE_OFFSETS } else { 0 };
        let head_bytes = self.left.map_or(0, |view| view.head_bytes);
        // Elements with gaps between them are loaded one by one, and found by bytes.
        let stride_bytes = self.left.and_then(|view| view.stride_bytes);
        let item_bytes = narrow(spec.element.size_bytes());
        let with_vectors = shader.kernel.makes_chunks()
            && stride_bytes.is_none()
            && self.run().is_some_and(|items| {
                head_bytes.is_multiple_of(16)
                    && (items * spec.element.size_bytes()).is_multiple_of(16)
            });
        let is_narrow = spec.element.packing().is_narrow();
        let constants = match stride_bytes {
            Some(_) if is_narrow => Constants::STRIDED,
            _ => Constants::of_segments(spec.element, with_vectors),
        };
        let vec_end = self.vec_end(item_bytes);
        let may_be_apart = order_flag != 0
            || grid.step != 1
            || stride_bytes.is_some()
            || shader.kernel == Kernel::GroupTotals;
        let constants = if may_be_apart { constants } else { constants.together() };
        let is_of_rows = shader.kernel.makes_chunks() && !self.is_searched();
        let constants = if is_of_rows { constants.of_rows() } else { constants };
        let (kept_axes, all_axes) = match order {
            Order::Axes(axes) => (axes.kept, axes.all),
            _ => (0, 0),
        };
        let own = SegmentParams {
            segments: narrow(segments),
            level: LOG2_CHUNK_ITEMS * level,
            totals: narrow(self.totals_of(level.saturating_sub(1))),
            next_totals: narrow(self.totals_of(next.saturating_sub(1))),
            segment_items: narrow(grid.items),
            segment_step: narrow(grid.step),
            elements: narrow(input.len),
            offsets_head_bytes: self.right.map_or(0, |view| view.head_bytes),
            offsets_stride_bytes: self
                .right
                .map_or(0, |view| view.stride_bytes.unwrap_or(narrow(offset_bytes))),
            order_begin: if let Order::Listed { first } = order { first } else { 0 },
            kept_axes,
            all_axes,
            lengths_begin: lengths.map_or(0, |lengths| narrow(lengths.first)),
            log2_length_chunks: lengths.map_or(0, |lengths| lengths.log2_chunks),
            ..SegmentParams::default()
        };
        let params = Params {
            end: narrow(parts),
            vec_end,
            base: if stride_bytes.is_some() { 0 } else { head_bytes / spec.element.index_bytes() },
            head_bytes: stride_bytes.map_or(0, |_| head_bytes),
            stride_bytes: stride_bytes.unwrap_or(spec.element.told_stride_bytes()),
            log2_block_items,
            blocks,
            flags: offsets_flags | wide_flag | order_flag | joins_flag | lengths_flag,
            result_index,
            own: own.into(),
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

    /// Elements that lie in whole vectors of the binding. Those with gaps between them are loaded one by one.
    fn vec_end(&self, item_bytes: u32) -> u32 {
        let Some(view) = self.left.filter(|view| view.stride_bytes.is_none()) else { return 0 };
        let whole_bytes = view.size_bytes / 16 * 16;
        let readable_bytes = whole_bytes.saturating_sub(view.head_bytes.into());
        narrow((readable_bytes / u64::from(item_bytes)).min(self.problem.input.len))
    }
}
