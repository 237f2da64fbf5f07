//! Expressions as operators have them: [`Mapping`].

use super::{
    Expression, MapElement, Own, WideElement,
    element::{self, Lanes, LanesMut},
    graph::{Binary, Graph, Operation, Type, Unary, Value},
    run, write,
};
use crate::{
    algebra::{
        element::{Element, ElementType},
        operator::{Arithmetic, OperatorSpec},
        operator_type::{OperatorKind, OperatorType},
        options::NanRule,
    },
    custom::source,
    error::WgslError,
    way::Mechanism,
    wgsl::{
        kernel::Kernel,
        params::Params,
        program::{Exact, Numbers, Program},
        shader::ShaderKey,
        sources::Sources,
    },
};

/// An expression, as an operator takes its values.
#[derive(Clone)]
pub(crate) struct Mapping {
    pub(super) graph: Graph,
    pub(super) result: Value,
    /// Whether an element counts, where no element is in the place of one that does not.
    kept: Option<Value>,
    /// Whether an element counts, if the result of none is no value.
    seen: Option<Value>,
    /// As it is in memory.
    element: ElementType,
    inputs: u32,
    pub(super) arguments: [u32; Params::ARGUMENTS],
    own: Option<Own>,
}

/// The values of an expression on the CPU.
pub(crate) struct Made<'a, T> {
    pub(crate) values: &'a mut [T],
    /// For each whether it counts: 1 or 0. Else all do, and this is empty.
    pub(crate) kept: &'a mut [u32],
}

impl Mapping {
    /// With the operator's neutral element, where that is needed.
    pub(super) fn new<T: MapElement>(
        expression: &Expression<T>,
        spec: &OperatorSpec,
    ) -> Result<Self, WgslError> {
        let operator = spec.operator;
        let mut graph = expression.graph.clone();
        let mut result = expression.result;
        let (mut kept, mut seen) = (None, None);
        if let Some(condition) = expression.condition {
            let ty = Expression::<T>::ty();
            seen = place_of(operator).map(|_| condition);
            if let Some(neutral) = neutral(operator, T::Wide::TYPE) {
                let reject = graph.add(Operation::Literal(neutral), ty);
                let chosen = Operation::Select { condition, accept: result, reject };
                result = graph.add(chosen, ty);
            } else if operator == OperatorType::Mean {
                result = addend_of_mean(&mut graph, condition, result, ty);
                kept = Some(condition);
            } else if tells_first_places(operator) || seen.is_some() || operator.is_variance() {
                kept = Some(condition);
            } else {
                return Err(WgslError::NoNeutral { operator });
            }
        }
        let (arguments, own) = (expression.parameters.words(), expression.own.clone());
        let inputs = expression.inputs;
        Ok(Self { graph, result, kept, seen, element: T::TYPE, inputs, arguments, own })
    }

    /// Two programs for the elements for which a condition is true. One counts them, the other is for exact kernels, with 0 in the place of all others.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn programs_of_kept<T: MapElement>(
        expression: &Expression<T>,
        condition: Value,
        spec: &OperatorSpec,
    ) -> Result<[Program; 2], WgslError> {
        let ty = Expression::<T>::ty();
        let mapping = |of: &dyn Fn(&mut Graph) -> Value| {
            let mut graph = expression.graph.clone();
            let result = of(&mut graph);
            let (arguments, own) = (expression.parameters.words(), expression.own.clone());
            let inputs = expression.inputs;
            let element = T::TYPE;
            Self { graph, result, kept: None, seen: None, element, inputs, arguments, own }
        };
        let one = mapping(&|graph| graph.add(Operation::Unary(Unary::Convert, condition), ty));
        let count =
            OperatorType::Count.spec(T::Wide::TYPE).expect("all these elements are counted");
        let value = mapping(&|graph| {
            let reject = graph.add(Operation::Literal(0), ty);
            graph.add(Operation::Select { condition, accept: expression.result, reject }, ty)
        });
        let kernel = value.of_inputs(Kernel::ExactReduce);
        Ok([
            one.program(count)?,
            value.program_of(spec, Exact::This, kernel, &[Mechanism::WorkgroupMemory])?,
        ])
    }

    /// A predicate over the elements of one input.
    pub(super) fn of_predicate(
        graph: Graph,
        result: Value,
        element: ElementType,
        arguments: [u32; Params::ARGUMENTS],
    ) -> Self {
        Self { graph, result, kept: None, seen: None, element, inputs: 1, arguments, own: None }
    }

    /// Whether it has a flag for each element: whether the element counts.
    pub(crate) fn tells_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// Whether the result is no value if no element counts.
    pub(crate) fn may_be_none(&self) -> bool {
        self.seen.is_some()
    }

    /// The program for kernels.
    pub(super) fn program(&self, spec: &OperatorSpec) -> Result<Program, WgslError> {
        // No kernel counts the elements of a run.
        if self.kept.is_some() && spec.operator.is_variance() {
            return Err(WgslError::NoNeutral { operator: spec.operator });
        }
        let both = &[Mechanism::WorkgroupMemory, Mechanism::Subgroup];
        let (kernel, exact_kernel) =
            (self.of_inputs(Kernel::Reduce), self.of_inputs(Kernel::ExactReduce));
        // There are no others; where the CPU alone has such results, a plan is refused.
        if spec.is_exact_alone() {
            let mechanisms = if spec.exact_kernels().is_some() { &both[..1] } else { &[] };
            return self.program_of(spec, Exact::Same, exact_kernel, mechanisms);
        }
        let (prepared, prepared_spec) = self.clone().prepared(*spec);
        let has_exact = prepared_spec.exact_kernels().is_some();
        // Exact sums of squares take the values before they are squared.
        let exact = if has_exact && prepared.result != self.result {
            let exact = self.program_of(spec, Exact::This, exact_kernel, &both[..1])?;
            Exact::Other(exact)
        } else {
            Exact::Same
        };
        let is_same = matches!(exact, Exact::Same);
        let program = prepared.program_of(&prepared_spec, exact, kernel, both)?;
        if has_exact && is_same {
            prepared.program_of(&prepared_spec, Exact::Same, exact_kernel, &both[..1])?;
        }
        Ok(program)
    }

    /// The kernel that does the same with as many inputs.
    fn of_inputs(&self, kernel: Kernel) -> Kernel {
        if self.inputs > 1 { kernel.of_pairs() } else { kernel }
    }

    /// With the operator's own first step, as the square. (An operator on the CPU does that itself.)
    fn prepared(mut self, spec: OperatorSpec) -> (Self, OperatorSpec) {
        let (graph, value) = (&mut self.graph, self.result);
        let ty = graph.ty(value);
        let prepared = match spec.operator {
            // Its kernels count the addends of a mean.
            OperatorType::Mean if self.kept.is_some() => {
                let counting = OperatorType::Mean.nan(NanRule::Ignore).spec(spec.element);
                return (self, counting.copied().unwrap_or(spec));
            }
            OperatorType::SumOfSquares | OperatorType::Norm => {
                graph.add(Operation::Binary(Binary::Multiply, value, value), ty)
            }
            operator if operator == OperatorType::Sum.nan(NanRule::Ignore) => {
                let condition = is_number(graph, value);
                let reject = graph.add(Operation::Literal(0), ty);
                graph.add(Operation::Select { condition, accept: value, reject }, ty)
            }
            operator if operator == OperatorType::Mean.nan(NanRule::Ignore) => {
                let condition = is_number(graph, value);
                addend_of_mean(graph, condition, value, ty)
            }
            _ => return (self, spec),
        };
        let combining = spec.combining_of_squares().unwrap_or(spec.combining);
        (Self { result: prepared, ..self }, OperatorSpec { combining, ..spec })
    }

    /// The same, checked in one of the kernels, by these mechanisms.
    pub(super) fn program_of(
        &self,
        spec: &OperatorSpec,
        exact: Exact,
        kernel: Kernel,
        mechanisms: &[Mechanism],
    ) -> Result<Program, WgslError> {
        let ty = Type::of(self.element.component().wide());
        let has = |ty| self.graph.has(ty);
        let doubles = has(Type::F64);
        let numbers = Numbers {
            floats: has(Type::F32),
            // Beside elements of 64 bits no check says whether the device computes f32s right.
            quick_floats: self.graph.computes_floats() && !ty.is_wide(),
            wides: doubles || has(Type::I64) || has(Type::U64),
            doubles,
        };
        let mut text = write::write(
            &self.graph,
            (self.result, self.kept),
            (ty, self.inputs),
            numbers.quick_floats,
        );
        if let Some(own) = &self.own {
            text += &own.text;
        }
        if let Some(components) = self.element.packing().components() {
            text += &format!("\nconst COMPONENTS = {components}u;\n");
        }
        let own = self.own.is_some();
        let program = Program::map(text, spec, self.element, self.inputs, numbers, own, exact);
        program.check_once(kernel, || {
            for &mechanism in mechanisms {
                for arithmetic in [Arithmetic::Hardware, Arithmetic::Software] {
                    let key = ShaderKey::of_program(kernel, &program, mechanism, arithmetic);
                    source::check_kernel(&Sources::default().compose(&key))?;
                }
            }
            Ok(())
        })?;
        Ok(program)
    }

    /// Computes the expression's values of elements of each input, from an index on. Missing inputs are empty.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn run<T: MapElement, Wide: WideElement>(
        &self,
        inputs: [&[T]; 3],
        first: u32,
        Made { values, kept }: Made<'_, Wide>,
    ) {
        let load = |(input, component): (usize, usize), begin: usize, to: LanesMut<'_>| {
            element::load(inputs[input].get(begin..).unwrap_or_default(), component, to);
        };
        let own = |elements, i| self.own.as_ref().map_or(0, |own| (own.twin)(elements, i));
        let arguments = &self.arguments;
        let given = run::Given { load: &load, inputs: inputs.map(Lanes::of), arguments, own: &own };
        let results = (self.result, self.kept.or(self.seen).filter(|_| !kept.is_empty()));
        run::run(&self.graph, results, &given, first, LanesMut::of(values), kept);
    }
}

/// Whether its place of no elements is no element's.
fn tells_first_places(operator: OperatorType) -> bool {
    operator.tells_places() && !operator.options().last
}

/// The operator that finds an extremum's place, too.
pub(super) fn place_of(operator: OperatorType) -> Option<OperatorType> {
    let place = match operator.kind() {
        OperatorKind::Min => OperatorType::ArgMin,
        OperatorKind::Max => OperatorType::ArgMax,
        OperatorKind::MinMax => OperatorType::ArgMinMax,
        _ => return None,
    };
    Some(place.with(operator.options()))
}

/// Whether a float is no NaN.
fn is_number(graph: &mut Graph, value: Value) -> Value {
    graph.add(Operation::Binary(Binary::Equal, value, value), Type::Bool)
}

/// The addend of a mean that counts its elements: −0 does not count, and is 0 in sums. So no number may be −0.
fn addend_of_mean(graph: &mut Graph, condition: Value, value: Value, ty: Type) -> Value {
    let (bits_ty, sign) = if ty.is_wide() { (Type::U64, 1 << 63) } else { (Type::U32, 1 << 31) };
    let bits = graph.add(Operation::Unary(Unary::Bitcast, value), bits_ty);
    let negative_zero = graph.add(Operation::Literal(sign), bits_ty);
    let is_one = graph.add(Operation::Binary(Binary::Equal, bits, negative_zero), Type::Bool);
    let zero = graph.add(Operation::Literal(0), ty);
    let number = Operation::Select { condition: is_one, accept: zero, reject: value };
    let accept = graph.add(number, ty);
    let reject = graph.add(Operation::Literal(sign), ty);
    graph.add(Operation::Select { condition, accept, reject }, ty)
}

/// The bits of an element that changes no result.
pub(super) fn neutral(operator: OperatorType, element: ElementType) -> Option<u64> {
    let [zero, one, all, least, largest, nan] = match element {
        ElementType::F32 => [0, 0x3f80_0000, 0, 0xff80_0000, 0x7f80_0000, 0x7fc0_0000],
        ElementType::F64 => [0, 0x3ff << 52, 0, 0xfff << 52, 0x7ff << 52, 0x7ff8 << 48],
        ElementType::I32 => [0, 1, -1, i32::MIN, i32::MAX, 0].map(WideElement::wide_bits),
        ElementType::I64 => [0, 1, -1, i64::MIN, i64::MAX, 0].map(WideElement::wide_bits),
        ElementType::U64 => [0, 1, u64::MAX, u64::MIN, u64::MAX, 0],
        _ => [0, 1, u32::MAX, u32::MIN, u32::MAX, 0].map(WideElement::wide_bits),
    };
    match operator {
        // A NaN is no element.
        _ if operator == OperatorType::Sum.nan(NanRule::Ignore) => Some(zero),
        _ if operator.nan_rule() == NanRule::Ignore && !operator.tells_places() => Some(nan),
        OperatorType::Sum
        | OperatorType::SumWide
        | OperatorType::BitOr
        | OperatorType::BitXor
        | OperatorType::MaxAbs
        | OperatorType::Count
        | OperatorType::CountNan
        | OperatorType::Any
        | OperatorType::SumOfSquares
        | OperatorType::Norm
        | OperatorType::L1Norm => Some(zero),
        OperatorType::Product | OperatorType::ProductWide | OperatorType::All => Some(one),
        OperatorType::BitAnd => Some(all),
        OperatorType::Min => Some(largest),
        OperatorType::Max => Some(least),
        // A mean counts its elements. Both extrema have no neutral element in common, and the total order of floats has none.
        _ => None,
    }
}
