//! What a [`Reducer`](super::reducer::Reducer) does, whatever the types of its elements and results: compiled once, and not for every operator
//! and element.

use crate::{
    algebra::{
        acc_words::Words, element::ElementType, operator::OperatorSpec, precision::Precision,
    },
    cpu::fold::Raw,
    custom::expression::{Expression, MapElement},
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
        inputs::{Inputs, spec_of},
        plan::Plan,
        prepared::{AnyPrepared, Timed},
        problem::Problem,
        reduction::Reduction,
        work::{Destination, Work},
    },
    way::{Strategy, Variant, policy::Policy},
    wgsl::{kernel::Stored, params::Params, program::Program},
};
use std::borrow::Cow;

/// What plans depend on, beyond operator, inputs and device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) variant: Variant,
    pub(crate) strategy: Strategy,
    pub(crate) precision: Precision,
    pub(crate) policy: Option<Policy>,
    pub(crate) program: Option<Program>,
    /// How to find the place, for an extremum from which a predicate may leave out every element.
    pub(crate) place: Option<OfPlace>,
    /// How many places a result has that are not the caller's: they tell whether there is a value.
    pub(crate) places: u32,
    /// The parameters of an expression, if it has some.
    pub(crate) arguments: Option<[u32; Params::ARGUMENTS]>,
    /// Of an exact result: of how many elements it is, if not of all.
    pub(crate) kept: Option<u64>,
}

/// How to find an extremum with its place: no element has the place of none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OfPlace {
    program: Program,
    /// The words of the result if no element counts. `None` if only a place tells.
    neutral: Option<Words>,
}

/// Words of a place's number, before the element.
const NUMBER_WORDS: u32 = 2;

#[derive(Clone, Debug)]
pub(crate) struct AnyReducer {
    pub(crate) context: Context,
    pub(crate) settings: Settings,
    pub(crate) label: Cow<'static, str>,
    /// What the operator's type tells. A program may be another.
    pub(crate) of_type: OperatorSpec,
}

impl AnyReducer {
    /// A reducer that chooses variant and strategy by itself.
    pub(crate) fn new(context: &Context, of_type: &OperatorSpec) -> Self {
        let label = Cow::Borrowed("gridfold reduce");
        Self { context: context.clone(), settings: Settings::default(), label, of_type: *of_type }
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
        let place = expression.program_of_place(spec)?;
        let place = place.map(|(program, neutral)| OfPlace { program, neutral });
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

    /// The reducer that finds an extremum with its place, where that tells whether there is one. It takes longer: a device computes the places.
    pub(crate) fn with_place(&self) -> Cow<'_, Self> {
        let Some(OfPlace { program, .. }) = &self.settings.place else {
            return Cow::Borrowed(self);
        };
        let of_type = OperatorSpec { operator: self.of_type.operator, ..*program.spec() };
        let places = (of_type.out_words - self.of_type.out_words) / NUMBER_WORDS;
        // No atomics combine places, and whether they are needed depends on the data.
        let strategy = match self.settings.strategy {
            strategy if strategy.is_atomic() => Strategy::Auto,
            strategy => strategy,
        };
        let program = Some(program.clone());
        let settings = Settings { program, place: None, places, strategy, ..self.settings.clone() };
        Cow::Owned(Self { of_type, settings, ..self.clone() })
    }

    /// The reducer for a first read.
    fn for_first_read(&self) -> Cow<'_, Self> {
        match &self.settings.place {
            Some(OfPlace { neutral: None, .. }) => self.with_place(),
            _ => Cow::Borrowed(self),
        }
    }

    /// The reducer for a second read, if the first result is that of no elements, or an element like it.
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

    /// What the operator's type tells.
    pub(crate) fn of_type(&self) -> &OperatorSpec {
        &self.of_type
    }

    /// The operator, which a type alone does not tell of a program.
    pub(crate) fn spec(&self) -> Result<&OperatorSpec, PrepareError> {
        spec_of(&self.of_type, self.settings.program.as_ref())
    }

    /// Whether an expression has parameters, which are those of a dispatch.
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
        inputs: &Inputs,
        output: (u64, bool),
        stored: Stored,
    ) -> Result<Plan, PrepareError> {
        self.plan_by(self.settings.strategy, inputs, output, stored, false)
    }

    pub(super) fn plan_by(
        &self,
        strategy: Strategy,
        inputs: &Inputs,
        (output_offset_bytes, output_shares_input): (u64, bool),
        stored: Stored,
        is_counted: bool,
    ) -> Result<Plan, PrepareError> {
        let &Settings { variant, precision, policy, ref program, arguments, kept, .. } =
            &self.settings;
        // A type alone does not tell what a program does.
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
        let plan = Plan::for_output(&problem, self.context.capabilities(), policy, stored);
        let mut plan = plan.map_err(|error| error.of_operator(of_type.operator))?;
        if let Some(arguments) = arguments {
            for dispatch in &mut plan.dispatches {
                dispatch.params = dispatch.params.with_arguments(arguments);
            }
        }
        if let Some(len) = kept {
            for dispatch in &mut plan.dispatches {
                dispatch.params = dispatch.params.with_len(len);
            }
        }
        Ok(plan)
    }

    /// The plan for a batch, whose dispatches may become those of many reductions: in two passes, unless something else is
    /// asked for.
    pub(crate) fn plan_jobs(&self, inputs: &Inputs) -> Result<Plan, PrepareError> {
        let strategy = match self.settings.strategy {
            Strategy::Auto | Strategy::SinglePass if !self.is_exact() => Strategy::TwoPass,
            strategy => strategy,
        };
        self.plan_by(strategy, inputs, (0, false), Stored::Value, false)
    }

    /// The plan for inputs whose result takes `items` items of `output`.
    pub(crate) fn validate(
        &self,
        inputs: &Inputs,
        output: &AnySlice,
        items: u64,
        stored: Stored,
    ) -> Result<Plan, PrepareError> {
        let shares_input = check_slices(inputs, output, items)?;
        self.plan_inputs(inputs, (output.offset_bytes(), shares_input), stored)
    }

    pub(crate) fn prepare_work(
        &self,
        plan: Plan,
        inputs: &Inputs,
        destination: Destination<'_>,
        memory: Memory,
    ) -> Result<Work, PrepareError> {
        Work::prepare(&self.context, plan, self.label.clone(), inputs, destination, memory)
    }

    pub(crate) fn prepare(
        &self,
        inputs: &Inputs,
        output: &AnySlice,
        memory: Memory,
    ) -> Result<AnyPrepared, PrepareError> {
        let plan = self.validate(inputs, output, 1, Stored::Value)?;
        let work = self.prepare_work(plan, inputs, Destination::first_of(output), memory)?;
        let context = self.context.clone();
        let places = self.settings.places;
        Ok(AnyPrepared { context, work, output: output.clone(), places })
    }

    /// Into an output of its own.
    pub(crate) fn prepare_own_output(
        &self,
        inputs: &Inputs,
        memory: Memory,
    ) -> Result<AnyPrepared, PrepareError> {
        let output = self.context.pool().output(self.out_bytes())?;
        self.prepare(inputs, &self.output_in(&output), memory)
    }

    /// The reduction and what brings its result to the host, where kernels write to it or where it is copied to.
    pub(super) fn prepare_staged(
        &self,
        inputs: &Inputs,
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
        inputs: &Inputs,
    ) -> Result<(Readback<Timed>, wgpu::SubmissionIndex, Plan), PrepareError> {
        let prepared = self.prepare_own_output(inputs, Memory::Pooled)?;
        let timer = DeviceTimer::new(&self.context)?;
        let mut encoder = self.context.create_encoder(&self.label)?;
        let steps = 0..prepared.work.plan.dispatches.len();
        let readback = prepared.record_end(&mut encoder, steps, timer.as_ref())?;
        Ok((readback, self.context.submit(encoder)?, prepared.work.plan))
    }

    /// The timed result, with its plan and adapter.
    pub(crate) fn reduction(&self, timed: &Timed, plan: &Plan) -> Reduction<Raw> {
        let mut explanation = plan.explain();
        if self.settings.places > 0 {
            explanation += "\nThe device finds the place only to tell whether any element counts.";
        }
        Reduction {
            value: timed.value.clone(),
            adapter: self.context.adapter().clone(),
            plan: plan.to_string(),
            explanation,
            device_time: timed.device_time,
        }
    }

    /// Reduces, and tells how.
    pub(super) async fn measure(&self, inputs: &Inputs) -> Result<Reduction<Raw>, Error> {
        let any = self.for_first_read();
        let (readback, _, plan) = any.submit_timed(inputs)?;
        let first = readback.await?;
        let Some(again) = self.for_second_read(&first.value) else {
            return Ok(any.reduction(&first, &plan));
        };
        let (readback, _, plan) = again.submit_timed(inputs)?;
        Ok(again.reduction(&readback.await?, &plan))
    }

    /// The same, blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn measure_blocking(&self, inputs: &Inputs) -> Result<Reduction<Raw>, Error> {
        let any = self.for_first_read();
        let (readback, submission, plan) = any.submit_timed(inputs)?;
        let first = readback.wait_submitted(submission)?;
        let Some(again) = self.for_second_read(&first.value) else {
            return Ok(any.reduction(&first, &plan));
        };
        let (readback, submission, plan) = again.submit_timed(inputs)?;
        Ok(again.reduction(&readback.wait_submitted(submission)?, &plan))
    }

    /// Reduces, without a plan and a time.
    pub(super) async fn reduce(&self, inputs: &Inputs) -> Result<Raw, Error> {
        let first = self.for_first_read().submit(inputs)?.0.await?;
        match self.for_second_read(&first) {
            Some(again) => Ok(again.submit(inputs)?.0.await?),
            None => Ok(first),
        }
    }

    /// The same, blocking.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn reduce_blocking(&self, inputs: &Inputs) -> Result<Raw, Error> {
        let wait = |any: &Self| {
            let (readback, submission) = any.submit(inputs)?;
            Ok::<_, Error>(readback.wait_submitted(submission)?)
        };
        let first = wait(&self.for_first_read())?;
        self.for_second_read(&first).map_or(Ok(first), |again| wait(&again))
    }

    fn submit(
        &self,
        inputs: &Inputs,
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
        inputs: &Inputs,
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
    inputs: &Inputs,
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
