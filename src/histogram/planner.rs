//! The planner of histograms, from numbers alone: (HistogramProblem, Capabilities) → HistogramPlan.

use crate::{
    algebra::{element::ElementType, operator::Arithmetic, operator_type::OperatorType},
    bins::{BinKeys, Bins},
    device::{
        capabilities::{BINDING_BYTES_CAP, Capabilities, DeviceClass},
        extent::Extent,
    },
    dispatch::{
        plan::{Dispatch, check_avoided},
        windows::{Inputs, View, Window, max_window_items, windows},
    },
    error::{HistogramError, PrepareError},
    histogram::{even::EvenPlaces, plan::HistogramPlan},
    order::MAX_LEN,
    reduce::{
        blocks::narrow,
        checks::{check_capabilities, total_len},
    },
    way::{Mechanism, policy::Policy},
    wgsl::{
        histogram::HistogramPass,
        kernel::Kernel,
        params::{HistogramParams, Params},
        shader::{Constants, ShaderKey},
    },
};

/// What is to be counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistogramProblem<'a> {
    pub(super) element: ElementType,
    pub(super) slices: &'a [Extent],
    pub(super) bins: &'a Bins,
    /// Whether it is written which bin each element is in. Else they are counted.
    pub(super) is_of_numbers: bool,
    /// Words of a count, or of a number.
    pub(super) count_words: u32,
    /// The word of the output's binding that counts begin at.
    pub(super) result_index: u32,
}

/// Words that a workgroup clears, at least.
const LOG2_CLEARED_WORDS: u32 = 12;
/// A workgroup has as many elements for each of its bins, so that it takes longer to count them than to add the counts to the totals.
const ITEMS_OF_BIN: u32 = 4;
/// Counts of a bin in workgroup memory: beyond these, lanes seldom wait for one another.
const MAX_LOG2_COPIES: u32 = 5;

impl HistogramPlan {
    pub(super) fn new(
        problem: HistogramProblem<'_>,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let HistogramProblem { element, slices, bins, is_of_numbers, count_words, result_index } =
            problem;
        for slice in slices {
            slice.check(element.size_bytes())?;
        }
        check_capabilities(capabilities)?;
        let len = total_len(slices);
        if len > MAX_LEN {
            return Err(PrepareError::TooLong { len });
        }
        if count_words == 1 && len > u32::MAX.into() && !is_of_numbers {
            return Err(HistogramError::NarrowCounts { len }.into());
        }
        // Elements that are in no bin have numbers, too: then no key is between these.
        let none = BinKeys { firsts: vec![u64::MAX], last: 0 };
        let keys = bins.keys(element).or(is_of_numbers.then_some(none)).filter(|_| len > 0);
        let edge_words = keys.as_ref().map_or_else(Vec::new, |keys| edge_words(keys, element));
        let mut dispatches = match is_of_numbers {
            true => Vec::new(),
            false => vec![clear(problem, capabilities)],
        };
        if let Some(keys) = &keys {
            let planner = Planner::new(problem, keys, capabilities);
            let windows = planner.windows(capabilities)?;
            dispatches.extend(windows.iter().map(|window| planner.dispatch(window)));
        }
        let count_bits = 32 * count_words;
        let bins = bins.len();
        let plan = Self { element, len, bins, is_of_numbers, count_bits, dispatches, edge_words };
        let max_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let max_binding_bytes = max_bytes.min(BINDING_BYTES_CAP);
        let items = if is_of_numbers { len } else { bins };
        let count_bytes = 4 * (u64::from(result_index) + u64::from(count_words) * items);
        let needed_bytes = count_bytes.max(plan.edge_bytes());
        if needed_bytes > max_binding_bytes {
            return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
        }
        check_avoided(&plan.dispatches, capabilities)?;
        Ok(plan)
    }
}

/// Of each bin the first key, and behind them the last one of all.
fn edge_words(keys: &BinKeys, element: ElementType) -> Vec<u32> {
    let words = element.wide().words();
    let all = keys.firsts.iter().chain([&keys.last]);
    all.flat_map(|&key| [key & 0xffff_ffff, key >> 32].map(narrow).into_iter().take(words as usize))
        .collect()
}

fn key(pass: HistogramPass, element: ElementType) -> ShaderKey {
    let mechanism = Mechanism::WorkgroupMemory;
    let kernel = Kernel::Histogram { pass };
    ShaderKey::new(kernel, OperatorType::Count, element, mechanism, Arithmetic::Hardware)
}

/// The first dispatch.
fn clear(problem: HistogramProblem<'_>, capabilities: &Capabilities) -> Dispatch {
    let words = u64::from(problem.count_words) * problem.bins.len();
    let wanted = words.div_ceil(capabilities.max_workgroups.into()).next_power_of_two().ilog2();
    let log2_block_items = wanted.max(LOG2_CLEARED_WORDS);
    let blocks = narrow(words.div_ceil(1 << log2_block_items));
    Dispatch {
        shader: key(HistogramPass::Clear, ElementType::U32),
        constants: Constants::None,
        params: Params {
            end: narrow(words),
            log2_block_items,
            blocks,
            result_index: problem.result_index,
            own: HistogramParams::default().into(),
            ..Params::default()
        },
        left: None,
        right: None,
        third: None,
        slice: None,
        workgroups: blocks,
    }
}

/// Blocks are as short as this, and beyond these many they grow.
fn policy(class: DeviceClass) -> Policy {
    match class {
        DeviceClass::Cpu => Policy { min_rows: 16, max_workgroups: 2048 },
        _ => Policy { min_rows: 8, max_workgroups: 2048 },
    }
}

/// What a plan's other dispatches are made of.
struct Planner<'a> {
    problem: HistogramProblem<'a>,
    pass: HistogramPass,
    /// How floats find their bins, where these are even.
    places: Option<EvenPlaces>,
    /// Bins that elements can be in.
    bins: u32,
    /// Of these, bins that have counts in workgroup memory.
    local_bins: u32,
    log2_block_items: u32,
}

impl<'a> Planner<'a> {
    fn new(problem: HistogramProblem<'a>, keys: &BinKeys, capabilities: &Capabilities) -> Self {
        let bins = narrow(keys.firsts.len() as u64);
        let is_of_floats = HistogramPass::is_of_floats(problem.element);
        let places = match is_of_floats && !problem.is_of_numbers {
            true => EvenPlaces::new(&problem.bins.edge_values()),
            false => None,
        };
        let pass = match bins {
            _ if problem.is_of_numbers => HistogramPass::Numbers,
            _ if HistogramPass::is_of_bytes(problem.element) => HistogramPass::Bytes,
            _ if places.is_some() => HistogramPass::Even,
            0..=HistogramPass::FEW_BINS => HistogramPass::Few,
            _ => HistogramPass::Many,
        };
        let local_bins = bins.min(pass.local_counts());
        let longest = problem.slices.iter().map(|slice| slice.len).max().unwrap_or(0);
        let launch_items = longest.min(max_window_items(problem.element, capabilities));
        let Policy { min_rows, max_workgroups } = policy(capabilities.device_class);
        let wanted = launch_items.div_ceil(max_workgroups.into()).next_power_of_two().ilog2();
        let least = (min_rows * 1024).max(ITEMS_OF_BIN * local_bins).next_power_of_two().ilog2();
        Self { problem, pass, places, bins, local_bins, log2_block_items: wanted.max(least) }
    }

    /// What launches take.
    fn windows(&self, capabilities: &Capabilities) -> Result<Vec<Window>, PrepareError> {
        let HistogramProblem { element, slices, .. } = self.problem;
        let inputs = Inputs::of_one(element, slices);
        let most_items = u64::from(capabilities.max_workgroups) << self.log2_block_items;
        windows(inputs, capabilities, |begin, end, _| end.min(begin.saturating_add(most_items)))
    }

    fn dispatch(&self, window: &Window) -> Dispatch {
        let HistogramProblem { element, is_of_numbers, count_words, result_index, .. } =
            self.problem;
        let first = if is_of_numbers { narrow(window.begin) } else { 0 };
        let (left, items) = (window.left, window.end - window.begin);
        let shader = key(self.pass, element);
        let constants = Constants::of_blocks(shader.kernel, left.shift(0, element));
        let vec_end = narrow(left.vec_end(0, items, element));
        let copies = self.pass.local_counts() / self.local_bins;
        let blocks = narrow(items.div_ceil(1 << self.log2_block_items));
        let places = self.places.unwrap_or_default();
        let key_bytes = 4 * u64::from(element.wide().words());
        let own = HistogramParams {
            bins: self.bins,
            // Of one bin there is nothing to look for.
            search_step: self.bins.next_power_of_two() / 2,
            first_local_bin: (self.bins - self.local_bins) / 2,
            local_bins: self.local_bins,
            log2_copies: copies.ilog2().min(MAX_LOG2_COPIES),
            count_words,
            scale: places.scale.to_bits(),
            offset: places.offset.to_bits(),
            first_place: places.begin,
            near_places: places.near,
            log2_bin_places: places.log2_bin,
        };
        let params = Params {
            end: narrow(items),
            vec_end,
            base: if left.stride_bytes.is_some() {
                0
            } else {
                left.head_bytes / element.index_bytes()
            },
            log2_block_items: self.log2_block_items,
            blocks,
            result_index: result_index + first,
            head_bytes: left.stride_bytes.map_or(0, |_| left.head_bytes),
            stride_bytes: left.stride_bytes.unwrap_or(element.told_stride_bytes()),
            own: own.into(),
            ..Params::default()
        };
        let edges =
            View::of_words(0, (key_bytes * (u64::from(self.bins) + 1)).next_multiple_of(16));
        Dispatch {
            shader,
            constants,
            params,
            left: Some(left),
            right: Some(edges),
            third: None,
            slice: Some(left.slice),
            workgroups: blocks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(
        element: ElementType,
        lens: &[u64],
        bins: &Bins,
        capabilities: &Capabilities,
    ) -> Result<HistogramPlan, PrepareError> {
        let bytes = element.size_bytes();
        let extent = |&len: &u64| Extent {
            buffer_bytes: (len * bytes).next_multiple_of(16),
            offset_bytes: 0,
            len,
            stride_bytes: None,
            bits: None,
        };
        let slices: Vec<Extent> = lens.iter().map(extent).collect();
        let problem = HistogramProblem {
            element,
            slices: &slices,
            bins,
            is_of_numbers: false,
            count_words: 2,
            result_index: 3,
        };
        HistogramPlan::new(problem, capabilities)
    }

    fn even(count: u64) -> Bins {
        Bins::even(count, 0.0..=6e4).expect("a range")
    }

    #[test]
    fn every_element_is_in_one_launch() {
        let mut few = Capabilities { max_workgroups: 3, ..Capabilities::default() };
        few.max_binding_bytes = 1 << 18;
        for capabilities in [Capabilities::default(), few] {
            for bins in [1, 1024, 1025, 4096, 20_000] {
                for lens in [&[0][..], &[1], &[5_000_000], &[7, 0, 123_457]] {
                    let found = plan(ElementType::U16, lens, &even(bins), &capabilities);
                    let found = found.expect("there is room");
                    let [clear, launches @ ..] = &found.dispatches[..] else { panic!("{found}") };
                    assert_eq!(u64::from(clear.params.end), 2 * bins);
                    let items: u64 = launches.iter().map(|it| u64::from(it.params.end)).sum();
                    assert_eq!(items, lens.iter().sum::<u64>(), "{found}");
                    for Dispatch { params, workgroups, .. } in &found.dispatches {
                        let room = u64::from(*workgroups) << params.log2_block_items;
                        assert!(u64::from(params.end) <= room && *workgroups == params.blocks);
                        assert!(*workgroups <= capabilities.max_workgroups, "{found}");
                    }
                }
            }
        }
    }

    #[test]
    fn kernels_by_elements_and_bins() {
        // Elements are integers of 16 bits, floats, or bytes.
        let (halves, floats, bytes) = (ElementType::U16, ElementType::F32, ElementType::U8);
        for (element, bins, pass, local, first, log2_copies) in [
            (halves, 1, HistogramPass::Few, 1, 0, 5),
            (halves, 48, HistogramPass::Few, 48, 0, 5),
            (halves, 49, HistogramPass::Few, 49, 0, 4),
            (halves, 97, HistogramPass::Few, 97, 0, 3),
            (halves, 1024, HistogramPass::Few, 1024, 0, 0),
            (halves, 1025, HistogramPass::Many, 1025, 0, 1),
            (halves, 4096, HistogramPass::Many, 4088, 4, 0),
            (halves, 5000, HistogramPass::Many, 4088, 456, 0),
            (floats, 256, HistogramPass::Even, 256, 0, 3),
            (floats, 4096, HistogramPass::Even, 4088, 4, 0),
            (floats, 20_000, HistogramPass::Even, 4088, 7956, 0),
            (floats, 40_000, HistogramPass::Many, 4088, 17_956, 0),
            (bytes, 7, HistogramPass::Bytes, 7, 0, 5),
        ] {
            let found = plan(element, &[1000], &even(bins), &Capabilities::default());
            let found = found.expect("there is room");
            let Dispatch { shader, params, .. } = &found.dispatches[1];
            assert_eq!(shader.kernel, Kernel::Histogram { pass }, "{bins}");
            let own = params.own.histogram();
            assert_eq!((own.local_bins, own.first_local_bin), (local, first), "{bins}");
            assert_eq!(own.log2_copies, log2_copies, "{bins}");
            // Steps reach each bin that has edges, and no more than they must.
            let (step, bins) = (own.search_step, own.bins);
            assert!(bins == 1 || (2 * step >= bins && step < bins), "{bins}");
            assert!(found.edge_bytes() >= 4 * (u64::from(bins) + 1));
        }
        // Of unequal widths.
        let bins = Bins::edges(&[0, 1, 5, 7]).expect("ascending");
        let found = plan(floats, &[1000], &bins, &Capabilities::default()).expect("there is room");
        let kernel = Kernel::Histogram { pass: HistogramPass::Few };
        assert_eq!(found.dispatches[1].shader.kernel, kernel);
    }

    #[test]
    fn bins_that_no_element_is_in_have_no_edges() {
        let bins = Bins::edges(&[-1i64, 5, 1 << 32, 1 << 33]).expect("ascending");
        let found = plan(ElementType::U32, &[100], &bins, &Capabilities::default());
        let found = found.expect("there is room");
        assert_eq!(found.edge_words, [0, 5, u32::MAX]);
        let bins = Bins::edges(&[1i64 << 32, 1 << 33]).expect("ascending");
        let found = plan(ElementType::U8, &[100], &bins, &Capabilities::default());
        let found = found.expect("there is room");
        assert_eq!((found.dispatches.len(), found.edge_bytes()), (1, 0));
        assert_eq!(found.to_string(), "1 bin of 100 elements of u8, counts of 64 bits, 1 dispatch");
    }

    #[test]
    fn what_does_not_fit() {
        let small = Capabilities { max_binding_bytes: 1 << 15, ..Capabilities::default() };
        let found = plan(ElementType::F64, &[100], &even(5000), &small);
        assert!(matches!(found, Err(PrepareError::BindingTooSmall { .. })), "{found:?}");
        let len = MAX_LEN + 1;
        let found = plan(ElementType::U8, &[len], &even(5), &Capabilities::default());
        assert!(matches!(found, Err(PrepareError::TooLong { .. })), "{found:?}");
    }
}
