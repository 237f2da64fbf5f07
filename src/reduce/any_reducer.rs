//! A [`Reducer`](super::reducer::Reducer) without the types of its elements and results: compiled once, and not for every operator
//! and element.

use crate::{
    algebra::{
        acc_words::Words, element::ElementType, operator::OperatorSpec,
        operator_type::OperatorType, precision::Precision,
    },
    cpu::fold::Raw,
    custom::{
        any_operator::AnyOperator,
        expression::{Expression, MapElement},
    },
    device::{
        buffer::AnySlice,
        context::Context,
        error_scope,
        extent::WORD_BYTES,
        pool::Memory,
        readback::{Readback, Staging},
        timer::DeviceTimer,
    },
    error::{Error, PrepareError, WgslError},
    reduce::{
        inputs::{AnyInput, spec_of},
        plan::ReductionPlan,
        prepared::{AnyPrepared, Timed},
        problem::Problem,
        reduction::{NUMBER_WORDS, Reduction},
        work::{Destination, Work},
    },
    way::{Strategy, Variant, policy::Policy},
    wgsl::{kernel::Stored, params::Params, program::Program},
};
use std::borrow::Cow;

/// The caller's choices for plans, beyond operator, inputs and device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) variant: Variant,
    pub(crate) strategy: Strategy,
    pub(crate) precision: Precision,
    pub(crate) policy: Option<Policy>,
    pub(crate) program: Option<Program>,
    /// How to find the place, for an extremum from which a predicate may leave out every element.
    pub(crate) place: Option<PlaceProgram>,
    /// How many places a result has that the caller does not see. They say whether there is a value.
    pub(crate) hidden_places: u32,
    /// The parameters of an expression, if it has some.
    pub(crate) arguments: Option<[u32; Params::ARGUMENTS]>,
    /// How many elements an exact result has, if not all.
    pub(crate) kept: Option<u64>,
}

/// How a device finds an extremum with its place. No element has the place of none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlaceProgram {
    program: Program,
    /// The words of a first result that leaves open whether any element counts. `None` if every result does.
    neutral: Option<Words>,
}

#[derive(Clone, Debug)]
pub(crate) struct AnyReducer {
    pub(crate) context: Context,
    pub(crate) settings: Settings,
    pub(crate) label: Cow<'static, str>,
    /// The description that the operator's type has. A program may have another.
    pub(crate) of_type: OperatorSpec,
}

impl AnyReducer {
    /// A reducer that chooses variant and strategy by itself.
    pub(crate) fn new(context: &Context, of_type: &OperatorSpec) -> Self {
        let label = Cow::Borrowed("gridfold reduce");
        Self { context: context.clone(), settings: Settings::default(), label, of_type: *of_type }
    }

    /// A reducer by an operator without its types.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn by(context: &Context, operator: &AnyOperator) -> Self {
        Self::new(context, operator.spec()).program(operator.program())
    }

    /// The same with what a user's own operator has brought.
    pub(crate) fn program(self, program: Option<Program>) -> Self {
        Self { settings: Settings { program, ..self.settings }, ..self }
    }

    /// The same with another promise of results.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn precision(self, precision: Precision) -> Self {
        Self { settings: Settings { precision, ..self.settings }, ..self }
    }

    /// The reducer of an expression's values by an operator.
    pub(crate) fn with_expression<E: MapElement>(
        self,
        expression: &Expression<E>,
        spec: &OperatorSpec,
    ) -> Result<Self, WgslError> {
        // Also where the operator is hidden in the type of an expression's reducer.
        if self.settings.program.is_some() || spec.operator == OperatorType::Custom {
            return Err(WgslError::MappedTwice);
        }
        let place = expression.program_of_place(spec)?;
        let place = place.map(|(program, neutral)| PlaceProgram { program, neutral });
        let any = self.with_program(expression.program_of(spec)?, expression);
        Ok(Self { settings: Settings { place, ..any.settings }, ..any })
    }

    /// The reducer of an expression's values by a program of it.
    pub(crate) fn with_program<E: MapElement>(
        self,
        program: Program,
        expression: &Expression<E>,
    ) -> Self {
        let (program, arguments) = (Some(program), expression.arguments());
        Self { settings: Settings { program, arguments, ..self.settings }, ..self }
    }

    /// The reducer that also finds an extremum's place, if a predicate may leave out every element. Its kernels take longer.
    pub(crate) fn with_place(&self) -> Cow<'_, Self> {
        let Some(PlaceProgram { program, .. }) = &self.settings.place else {
            return Cow::Borrowed(self);
        };
        let of_type = OperatorSpec { operator: self.of_type.operator, ..*program.spec() };
        let hidden_places = (of_type.out_words - self.of_type.out_words) / NUMBER_WORDS;
        // No atomics combine places. The data decides whether a place is needed, so the caller could not ask for another strategy.
        let strategy = match self.settings.strategy {
            strategy if strategy.is_atomic() => Strategy::Auto,
            strategy => strategy,
        };
        let program = Some(program.clone());
        let settings =
            Settings { program, place: None, hidden_places, strategy, ..self.settings.clone() };
        Cow::Owned(Self { of_type, settings, ..self.clone() })
    }

    /// The reducer for a first read.
    fn for_first_read(&self) -> Cow<'_, Self> {
        match &self.settings.place {
            Some(PlaceProgram { neutral: None, .. }) => self.with_place(),
            _ => Cow::Borrowed(self),
        }
    }

    /// The reducer for a second read, if the first result leaves open whether any element counts.
    fn for_second_read(&self, first: &Raw) -> Option<Cow<'_, Self>> {
        let neutral = self.settings.place.as_ref()?.neutral.as_ref()?;
        (*neutral == first.words).then(|| self.with_place())
    }

    /// The context that the reducer was made from.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The label of passes and buffers.
    pub(crate) fn label_text(&self) -> &str {
        &self.label
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn element(&self) -> ElementType {
        self.of_type.element
    }

    /// The size of a result in an output buffer.
    pub(crate) fn out_bytes(&self) -> u64 {
        u64::from(self.of_type.out_words) * WORD_BYTES
    }

    /// The description that the operator's type has.
    pub(crate) fn of_type(&self) -> &OperatorSpec {
        &self.of_type
    }

    /// The operator. A program may have another than the type.
    pub(crate) fn spec(&self) -> Result<&OperatorSpec, PrepareError> {
        spec_of(&self.of_type, self.settings.program.as_ref())
    }

    /// Whether an expression has parameters.
    pub(crate) fn has_arguments(&self) -> bool {
        self.settings.arguments.is_some()
    }

    /// Whether there is an expression between the elements and the operator.
    pub(super) fn is_mapped(&self) -> bool {
        self.settings.program.as_ref().is_some_and(|program| !program.is_operator())
    }

    pub(super) fn is_exact(&self) -> bool {
        let kept = self.settings.precision.kept_of(&self.of_type);
        kept == Some(Precision::Exact) && self.of_type.exact.is_some()
    }

    pub(crate) fn plan_inputs(
        &self,
        inputs: &AnyInput,
        output: (u64, bool),
        stored: Stored,
    ) -> Result<ReductionPlan, PrepareError> {
        self.plan_by(self.settings.strategy, inputs, output, stored, false)
    }

    pub(super) fn plan_by(
        &self,
        strategy: Strategy,
        inputs: &AnyInput,
        (output_offset_bytes, output_shares_input): (u64, bool),
        stored: Stored,
        is_counted: bool,
    ) -> Result<ReductionPlan, PrepareError> {
        let &Settings { variant, precision, policy, ref program, arguments, kept, .. } =
            &self.settings;
        // A program may have another operator than the type.
        let own = program.as_ref().map(Program::spec);
        let (of_type, element) = (&self.of_type, self.of_type.element);
        let operator = own.unwrap_or(of_type).operator;
        let spec = own.or_else(|| operator.spec(element));
        // Without one, elements of several components have results of as many.
        let has_size = |spec: &OperatorSpec| own.is_some() || spec.out_words == of_type.out_words;
        if !spec.is_some_and(|spec| spec.inputs == of_type.inputs && has_size(spec)) {
            return Err(PrepareError::Unsupported { operator, element });
        }
        let extents = |slices: &[AnySlice]| slices.iter().map(AnySlice::extent).collect();
        let problem = Problem {
            element,
            operator,
            program: program.clone(),
            slices: extents(&inputs.left),
            right_slices: extents(&inputs.right),
            third_slices: extents(&inputs.third),
            output_offset_bytes,
            output_shares_input,
            variant,
            strategy,
            precision,
            is_counted,
        };
        let plan = ReductionPlan::for_output(&problem, self.context.capabilities(), policy, stored);
        let mut plan = plan.map_err(|error| error.of_operator(of_type.operator))?;
        if let Some(arguments) = arguments {
            for dispatch in &mut plan.dispatches {
                dispatch.params = dispatch.params.with_arguments(arguments);
            }
        }
        if let Some(len) = kept {
            for dispatch in &mut plan.dispatches {
                let own = dispatch.params.own.reduction();
                dispatch.params.own = own.with_len(len).into();
            }
        }
        Ok(plan)
    }

    /// The plan for a batch, whose dispatches many reductions may share: in two passes, unless something else is
    /// asked for.
    pub(crate) fn plan_jobs(&self, inputs: &AnyInput) -> Result<ReductionPlan, PrepareError> {
        let strategy = match self.settings.strategy {
            Strategy::Auto | Strategy::SinglePass if !self.is_exact() => Strategy::TwoPass,
            strategy => strategy,
        };
        let plan = |strategy| self.plan_by(strategy, inputs, (0, false), Stored::Value, false);
        match plan(strategy) {
            Err(PrepareError::Avoided { .. }) => plan(self.settings.strategy),
            planned => planned,
        }
    }

    /// The plan for inputs whose result takes `items` items of `output`.
    pub(crate) fn validate(
        &self,
        inputs: &AnyInput,
        output: &AnySlice,
        items: u64,
        stored: Stored,
    ) -> Result<ReductionPlan, PrepareError> {
        let shares_input = check_slices(inputs, output, items)?;
        self.plan_inputs(inputs, (output.offset_bytes(), shares_input), stored)
    }

    pub(crate) fn prepare_work(
        &self,
        plan: ReductionPlan,
        inputs: &AnyInput,
        destination: Destination<'_>,
        memory: Memory,
    ) -> Result<Work, PrepareError> {
        Work::prepare(&self.context, plan, self.label.clone(), inputs, destination, memory)
    }

    pub(crate) fn prepare(
        &self,
        inputs: &AnyInput,
        output: &AnySlice,
        memory: Memory,
    ) -> Result<AnyPrepared, PrepareError> {
        let plan = self.validate(inputs, output, 1, Stored::Value)?;
        let work = self.prepare_work(plan, inputs, Destination::first_of(output), memory)?;
        let context = self.context.clone();
        let hidden_places = self.settings.hidden_places;
        Ok(AnyPrepared { context, work, output: output.clone(), hidden_places })
    }

    /// Into an output of its own.
    pub(crate) fn prepare_own_output(
        &self,
        inputs: &AnyInput,
        memory: Memory,
    ) -> Result<AnyPrepared, PrepareError> {
        let output = self.context.pool().output(self.out_bytes())?;
        self.prepare(inputs, &self.output_in(&output), memory)
    }

    /// The reduction, and the staging buffer that its result is written or copied to.
    pub(super) fn prepare_staged(
        &self,
        inputs: &AnyInput,
    ) -> Result<(AnyPrepared, Staging), PrepareError> {
        match Staging::allocate_written(&self.context, self.out_bytes())? {
            Some(staging) => {
                let output = self.output_in(staging.buffer());
                Ok((self.prepare(inputs, &output, Memory::Pooled)?, staging))
            }
            None => {
                let prepared = self.prepare_own_output(inputs, Memory::Pooled)?;
                Ok((prepared, Staging::allocate_own(&self.context, self.out_bytes())?))
            }
        }
    }

    fn submit_timed(
        &self,
        inputs: &AnyInput,
    ) -> Result<(Readback<Timed>, wgpu::SubmissionIndex, ReductionPlan), PrepareError> {
        let prepared = self.prepare_own_output(inputs, Memory::Pooled)?;
        let timer = DeviceTimer::new(&self.context)?;
        let mut encoder = self.context.create_encoder(&self.label)?;
        let steps = 0..prepared.work.plan.dispatches.len();
        let readback = prepared.record_end(&mut encoder, steps, timer.as_ref())?;
        Ok((readback, self.context.submit(encoder)?, prepared.work.plan))
    }

    /// The timed result, with its plan and adapter.
    pub(crate) fn reduction(&self, timed: Timed, plan: &ReductionPlan) -> Reduction<Raw> {
        let mut explanation = plan.explain();
        if self.settings.hidden_places > 0 {
            explanation += "\nThe device finds the place only to tell whether any element counts.";
        }
        Reduction {
            value: timed.value,
            adapter: self.context.adapter().clone(),
            plan: plan.to_string(),
            explanation,
            device_time: timed.device_time,
        }
    }

    /// Reduces, in two reads if the first one leaves open whether any element counts. The plan and the time are the last one's.
    pub(super) async fn measure(&self, inputs: &AnyInput) -> Result<Reduction<Raw>, Error> {
        let read = async |any: &Self| {
            let (readback, _, plan) = any.submit_timed(inputs)?;
            Ok::<_, Error>(any.reduction(readback.await?, &plan))
        };
        let first = read(&self.for_first_read()).await?;
        match self.for_second_read(&first.value) {
            Some(again) => read(&again).await,
            None => Ok(first),
        }
    }

    /// [`AnyReducer::measure`], blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn measure_blocking(&self, inputs: &AnyInput) -> Result<Reduction<Raw>, Error> {
        let read = |any: &Self| {
            let (readback, submission, plan) = any.submit_timed(inputs)?;
            Ok::<_, Error>(any.reduction(readback.wait_submitted(submission)?, &plan))
        };
        let first = read(&self.for_first_read())?;
        match self.for_second_read(&first.value) {
            Some(again) => read(&again),
            None => Ok(first),
        }
    }

    /// [`AnyReducer::measure`], without a plan and a time.
    pub(super) async fn reduce(&self, inputs: &AnyInput) -> Result<Raw, Error> {
        let first = self.for_first_read().submit(inputs)?.0.await?;
        match self.for_second_read(&first) {
            Some(again) => Ok(again.submit(inputs)?.0.await?),
            None => Ok(first),
        }
    }

    /// [`AnyReducer::reduce`], blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn reduce_blocking(&self, inputs: &AnyInput) -> Result<Raw, Error> {
        let read = |any: &Self| {
            let (readback, submission) = any.submit(inputs)?;
            Ok::<_, Error>(readback.wait_submitted(submission)?)
        };
        let first = read(&self.for_first_read())?;
        match self.for_second_read(&first) {
            Some(again) => read(&again),
            None => Ok(first),
        }
    }

    fn submit(
        &self,
        inputs: &AnyInput,
    ) -> Result<(Readback<Raw>, wgpu::SubmissionIndex), PrepareError> {
        let (prepared, staging) = self.prepare_staged(inputs)?;
        let mut encoder = self.context.create_encoder(&self.label)?;
        let readback = prepared.record_to(staging, &mut encoder, |raw| raw);
        Ok((readback, self.context.submit(encoder)?))
    }

    /// Allocates, and appends the reduction to an encoder.
    pub(crate) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: &AnyInput,
        output: &AnySlice,
    ) -> Result<(), PrepareError> {
        let prepared = self.prepare(inputs, output, Memory::Pooled)?;
        error_scope::ensure_not_lost(self.context.device(), &self.label)?;
        prepared.record(encoder);
        Ok(())
    }

    fn output_in(&self, buffer: &wgpu::Buffer) -> AnySlice {
        AnySlice::whole(buffer, self.out_bytes())
    }
}

/// Whether the output is in a buffer of the inputs.
pub(super) fn check_slices(
    inputs: &AnyInput,
    output: &AnySlice,
    items: u64,
) -> Result<bool, PrepareError> {
    for slice in inputs.slices() {
        slice.require_usage("input", wgpu::BufferUsages::STORAGE)?;
    }
    output.require_usage("output", wgpu::BufferUsages::STORAGE)?;
    let written = match output.slice(0..items) {
        Ok(written) => written.bytes(),
        Err(_) => return Err(PrepareError::ShortOutput { len: output.len(), needed: items }),
    };
    let shares_buffer = |slice: &AnySlice| slice.buffer() == output.buffer();
    let overlaps = |slice: &AnySlice| {
        let read = slice.bytes();
        shares_buffer(slice) && read.start.max(written.start) < read.end.min(written.end)
    };
    if let Some(slice) = inputs.slices().position(overlaps) {
        return Err(PrepareError::OutputWithinInput { slice });
    }
    Ok(inputs.slices().any(shares_buffer))
}
