//! What a [`Scanner`](super::scanner::Scanner) does, whatever the types of its elements and results: compiled once, and not for every operator and
//! element.

use crate::{
    algebra::{narrow::loaded_words, operator::OperatorSpec, precision::Precision},
    cpu::table,
    device::{
        buffer::{self, AnySlice},
        context::Context,
        error_scope::{self, Refusal},
        pool::{self, Memory},
        readback::{Readback, submit_alone},
    },
    dispatch::recording::{Part, Recording, Resources},
    error::PrepareError,
    reduce::{
        counted::{CountSlice, recorded},
        inputs::spec_of,
    },
    scan::{
        output,
        plan::{ScanPlan, ScanProblem, kept_by_scans},
    },
    way::{Strategy, Variant, policy::Policy},
    wgsl::program::Program,
};
use std::borrow::Cow;

#[derive(Clone, Debug)]
pub(crate) struct AnyScanner {
    pub(crate) context: Context,
    pub(crate) is_inclusive: bool,
    pub(crate) initial: Option<Initial>,
    pub(crate) variant: Variant,
    pub(crate) strategy: Strategy,
    pub(crate) precision: Precision,
    pub(crate) policy: Option<Policy>,
    pub(crate) program: Option<Program>,
    pub(crate) label: Cow<'static, str>,
    /// What the operator's type tells. A program may be another.
    pub(crate) of_type: OperatorSpec,
}

/// The words of an initial value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Initial {
    /// As shaders load an element.
    pub(super) loaded: [u32; 4],
    /// As the operator lifts it, where the CPU knows that.
    pub(super) lifted: Option<[u32; 4]>,
}

/// Where in a sequence a scan begins, and how far it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<'a> {
    /// At its beginning.
    First,
    /// There, as far as a number on the device says.
    Counted(&'a CountSlice),
    /// After so many elements, which have left this state: accumulators as the device has them.
    After { first: u64, state: &'a [u32] },
}

impl<'a> Start<'a> {
    /// At the beginning, as far as a number says, if there is one.
    pub(super) fn of(count: Option<&'a CountSlice>) -> Self {
        count.map_or(Self::First, Self::Counted)
    }
}

/// A scan with everything allocated.
pub(super) struct AnyPrepared {
    pub(super) plan: ScanPlan,
    pub(super) recording: Recording,
    /// What is written of the output.
    pub(super) output: Vec<AnySlice>,
}

impl AnyScanner {
    /// An inclusive scan that chooses variant and strategy by itself.
    pub(crate) fn new(context: &Context, of_type: OperatorSpec) -> Self {
        Self {
            context: context.clone(),
            is_inclusive: true,
            initial: None,
            variant: Variant::default(),
            strategy: Strategy::default(),
            precision: Precision::default(),
            policy: None,
            program: None,
            label: Cow::Borrowed("gridfold scan"),
            of_type,
        }
    }

    /// The same, inclusive or not, with an initial value or without.
    pub(crate) fn kind(self, is_inclusive: bool, initial: Option<&[u8]>) -> Self {
        let OperatorSpec { operator, element, .. } = self.of_type;
        let initial = initial.map(|bytes| {
            let fold = table::find(operator, element);
            let lifted = fold.and_then(|fold| {
                let words = fold.write(&fold.lift(bytes));
                let mut all = [0; 4];
                all.get_mut(..words.len())?.copy_from_slice(&words);
                Some(all)
            });
            Initial { loaded: loaded_words(element, bytes), lifted }
        });
        Self { is_inclusive, initial, ..self }
    }

    fn spec(&self) -> Result<&OperatorSpec, PrepareError> {
        spec_of(&self.of_type, self.program.as_ref())
    }

    pub(super) fn prepare(
        &self,
        input: &[AnySlice],
        start: Start<'_>,
        output: &[AnySlice],
        memory: Memory,
    ) -> Result<AnyPrepared, PrepareError> {
        let (plan, output) = match start {
            Start::First => self.validate(0, input, output)?,
            Start::After { first, .. } => self.validate(first, input, output)?,
            // What is told how many blocks there are has two passes.
            Start::Counted(_) => {
                let strategy = self.counted_strategy()?;
                Self { strategy, ..self.clone() }.validate(0, input, output)?
            }
        };
        let count = match start {
            Start::Counted(count) => Some(count),
            Start::First | Start::After { .. } => None,
        };
        for slice in &output {
            count.map_or(Ok(()), |count| count.check(slice))?;
        }
        let context = &self.context;
        let scratch = match plan.scratch_bytes() {
            0 => None,
            size_bytes => Some((self.scratch(start, memory, size_bytes)?, size_bytes)),
        };
        let progress = match plan.progress_bytes() {
            0 => None,
            size_bytes => {
                Some((context.pool().progress(memory, &self.label, size_bytes)?, size_bytes))
            }
        };
        let resources = Resources {
            left: &input.iter().map(AnySlice::buffer).collect::<Vec<_>>(),
            right: &output.iter().map(AnySlice::buffer).collect::<Vec<_>>(),
            third: &[],
            scratch: scratch.as_ref().map(|(buffer, size)| Part::first(buffer, *size)),
            accumulator: progress.as_ref().map(|(buffer, size)| Part::first(buffer, *size)),
            result: None,
        };
        let label = self.label.clone();
        let counted = (plan.len, count);
        let recording = recorded(context, label, &plan.dispatches, counted, resources, memory)?;
        if memory == Memory::Own {
            error_scope::ensure_not_lost(context.device(), "a scan")?;
        }
        Ok(AnyPrepared { plan, recording, output })
    }

    fn scratch(
        &self,
        start: Start<'_>,
        memory: Memory,
        size_bytes: u64,
    ) -> Result<wgpu::Buffer, Refusal> {
        match start {
            Start::First | Start::Counted(_) => {
                self.context.pool().scratch(memory, &self.label, size_bytes, false)
            }
            // No other recording may write to it. It begins with a word that nothing counts in.
            Start::After { state, .. } => {
                let words = [&[0], state].concat();
                let (device, usage) = (self.context.device(), wgpu::BufferUsages::STORAGE);
                let bytes = bytemuck::cast_slice(&words);
                buffer::create_filled(
                    device,
                    &self.label,
                    pool::with_spare(size_bytes),
                    usage,
                    bytes,
                )
            }
        }
    }

    pub(crate) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        input: &[AnySlice],
        start: Start<'_>,
        output: &[AnySlice],
    ) -> Result<(), PrepareError> {
        let prepared = self.prepare(input, start, output, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        prepared.recording.record(encoder, None);
        Ok(())
    }

    pub(super) fn submit(
        &self,
        input: &[AnySlice],
        start: Start<'_>,
        output: &[AnySlice],
    ) -> Result<(Readback<()>, wgpu::SubmissionIndex), PrepareError> {
        let prepared = self.prepare(input, start, output, Memory::Pooled)?;
        submit_alone(&self.context, &self.label, |encoder| {
            prepared.recording.record(encoder, None);
            Ok(())
        })
    }

    fn counted_strategy(&self) -> Result<Strategy, PrepareError> {
        match self.strategy {
            Strategy::Auto | Strategy::TwoPass => Ok(Strategy::TwoPass),
            strategy => {
                let spec = self.spec()?;
                Err(PrepareError::StrategyUnfit {
                    strategy,
                    precision: kept_by_scans(spec),
                    what: "counted scan",
                    operator: spec.operator,
                    element: self.of_type.element,
                    fitting: &[Strategy::Auto, Strategy::TwoPass],
                    looser: None,
                })
            }
        }
    }

    /// The plan, and what is written of the output.
    pub(crate) fn validate(
        &self,
        first: u64,
        input: &[AnySlice],
        output: &[AnySlice],
    ) -> Result<(ScanPlan, Vec<AnySlice>), PrepareError> {
        let spec = self.spec()?;
        PrepareError::check_scan(spec, self.precision, self.initial.is_some())?;
        let (output, in_place) = output::check(input, output)?;
        let problem = ScanProblem {
            spec: *spec,
            program: self.program.clone(),
            slices: input.iter().map(AnySlice::extent).collect(),
            output_slices: output.iter().map(AnySlice::extent).collect(),
            in_place,
            first,
            is_inclusive: self.is_inclusive,
            initial: self.initial.map(|Initial { loaded, lifted }| {
                lifted.filter(|_| spec.takes_lifted_initial()).unwrap_or(loaded)
            }),
            variant: self.variant,
            strategy: self.strategy,
            policy: self.policy,
        };
        Ok((ScanPlan::new(&problem, self.context.capabilities())?, output))
    }
}
