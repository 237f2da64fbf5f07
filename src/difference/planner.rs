//! The planner of differences: (Problem, Capabilities) → DifferencePlan.
//!
//! A block needs the element before it. The last elements of all blocks are kept before any difference is written, where these take the elements'
//! places, and where the element before is in another launch's binding.

use crate::{
    algebra::{
        element::{ElementType, Packing},
        operator_type::OperatorType,
        precision::Precision,
    },
    device::capabilities::{Capabilities, DeviceClass},
    difference::plan::{DifferencePlan, Problem},
    dispatch::{
        plan::{Dispatch, check_avoided},
        windows::{Inputs, Window, max_window_items, windows},
    },
    error::PrepareError,
    order::MAX_LEN,
    reduce::{blocks::narrow, ways::arithmetic_of},
    way::{Mechanism, policy::Policy},
    wgsl::{
        kernel::Kernel,
        lanes::Lanes,
        params::{DifferenceParams, Params},
        shader::{Constants, ShaderKey},
    },
};

/// The type whose sums the differences are: signed integers have the bits of unsigned ones.
fn summed(element: ElementType) -> ElementType {
    match element {
        ElementType::I32 => ElementType::U32,
        ElementType::I64 => ElementType::U64,
        other => other,
    }
}

/// No row was measured.
fn default_policy(class: DeviceClass) -> Policy {
    match class {
        DeviceClass::Cpu => Policy { min_rows: 16, max_workgroups: 2048 },
        _ => Policy::DEFAULT,
    }
}

impl DifferencePlan {
    pub(super) fn new(
        problem: &Problem,
        capabilities: &Capabilities,
    ) -> Result<Self, PrepareError> {
        let Problem { element, in_place, .. } = *problem;
        let len = problem.slices.iter().map(|slice| slice.len).sum();
        if len > MAX_LEN {
            return Err(PrepareError::TooLong { len });
        }
        let policy = problem.policy.unwrap_or(default_policy(capabilities.device_class));
        if !policy.is_within_bounds() {
            return Err(PrepareError::Policy { policy });
        }
        let launch_items = len.min(max_window_items(element, capabilities));
        let wanted = launch_items.div_ceil(policy.max_workgroups.into()).next_power_of_two();
        let log2_block_items = wanted.max(u64::from(policy.min_rows) * 1024).ilog2();
        let inputs = Inputs {
            element,
            left: &problem.slices,
            right: Some(&problem.output_slices),
            right_bytes: element.size_bytes(),
            third: None,
        };
        let max_items = u64::from(capabilities.max_workgroups) << log2_block_items;
        let launches = windows(inputs, capabilities, |begin, end, _| end.min(begin + max_items))?;
        let launches: Vec<_> =
            launches.into_iter().filter(|launch| launch.begin < launch.end).collect();
        let planner = Planner::new(problem, launches, log2_block_items, capabilities);
        let (dispatches, entries) = planner.dispatches();
        let block_items = 1 << log2_block_items;
        let plan = Self { element, len, in_place, block_items, dispatches, entries };
        let max_binding_bytes = capabilities.max_binding_bytes.min(capabilities.max_buffer_bytes);
        let needed_bytes = plan.scratch_bytes();
        if needed_bytes > max_binding_bytes {
            return Err(PrepareError::BindingTooSmall { max_binding_bytes, needed_bytes });
        }
        check_avoided(&plan.dispatches, capabilities)?;
        Ok(plan)
    }
}

struct Planner<'a> {
    problem: &'a Problem,
    launches: Vec<Window>,
    log2_block_items: u32,
    ends: ShaderKey,
    differences: ShaderKey,
}

impl<'a> Planner<'a> {
    fn new(
        problem: &'a Problem,
        launches: Vec<Window>,
        log2_block_items: u32,
        capabilities: &Capabilities,
    ) -> Self {
        let element = summed(problem.element);
        // That differences of floats are rounded as sums are.
        let spec = OperatorType::Sum.spec(element).expect("these elements have sums");
        let arithmetic = arithmetic_of(spec, Precision::Reproducible, capabilities);
        let key = |kernel, element| {
            let mechanism = Mechanism::WorkgroupMemory;
            ShaderKey::new(kernel, OperatorType::Sum, element, mechanism, arithmetic)
        };
        let of_words = match element.packing() {
            Packing::TwoWords => ElementType::U64,
            _ => ElementType::U32,
        };
        let ends = key(Kernel::BlockEnds, of_words);
        let differences = key(Kernel::Differences, element);
        Self { problem, launches, log2_block_items, ends, differences }
    }

    fn blocks_of(&self, launch: &Window) -> u32 {
        narrow((launch.end - launch.begin).div_ceil(1 << self.log2_block_items))
    }

    /// All dispatches, and the entries of scratch memory that they take.
    fn dispatches(&self) -> (Vec<Dispatch>, u64) {
        let in_place = self.problem.in_place;
        let mut first_entry = 1;
        let mut last = Vec::new();
        let mut ends = Vec::new();
        for (index, launch) in self.launches.iter().enumerate() {
            let blocks = self.blocks_of(launch);
            let params = self.params(index, launch, first_entry);
            first_entry += blocks;
            let dispatch = |shader, constants, left, right, workgroups| Dispatch {
                shader,
                constants,
                params,
                left,
                right,
                third: None,
                slice: Some(launch.left.slice),
                workgroups,
            };
            let left = Some(launch.left);
            let groups = blocks.div_ceil(Lanes::USUAL.count);
            ends.push(dispatch(self.ends.clone(), Constants::None, left, None, groups));
            let constants = Constants::Difference { in_place };
            let left = left.filter(|_| !in_place);
            last.push(dispatch(self.differences.clone(), constants, left, launch.right, blocks));
        }
        // A single block has none before it. Blocks of a launch that is not overwritten read the element before.
        let is_needed = self.launches.len() > 1 || (in_place && first_entry > 2);
        if !is_needed {
            ends.clear();
        }
        ends.extend(last);
        (ends, first_entry.into())
    }

    fn params(&self, index: usize, launch: &Window, first_entry: u32) -> Params {
        let output = launch.right.expect("there is an output");
        let element_bytes = narrow(self.problem.element.size_bytes());
        Params {
            end: narrow(launch.end - launch.begin),
            base: launch.left.head_bytes / 4,
            stride_bytes: launch.left.stride_bytes.unwrap_or(element_bytes),
            log2_block_items: self.log2_block_items,
            blocks: self.blocks_of(launch),
            flags: if index > 0 { Params::RESUMES } else { 0 },
            own: DifferenceParams { output_base: output.head_bytes / 4, first_entry }.into(),
            ..Params::default()
        }
    }
}
