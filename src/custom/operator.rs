//! Operators of the user's own: [`CustomOperator`].

use crate::{
    algebra::{
        element::{Element, ElementType},
        operator::{Arithmetic, Combining, Operator, OperatorSpec, sealed::Sealed},
        operator_type::OperatorType,
    },
    cpu::Twin,
    custom::{
        any_operator::Own,
        glue::{Functions, NoShape, Shape},
        module::Checked,
        source::{self, Place},
    },
    error::WgslError,
    way::Mechanism,
    wgsl::{
        kernel::Kernel,
        program::{Program, Words},
        shader::ShaderKey,
        sources::Sources,
        text,
    },
};
use naga::{Function, Handle, Scalar, TypeInner, VectorSize};
use std::{any::Any, fmt, marker::PhantomData, panic::RefUnwindSafe, sync::Arc};

/// An operator of your own on elements of type `T`, with results of type `Out`: in WGSL, and, if you like, the same in Rust for the CPU.
///
/// The text declares these functions, and whatever they need:
///
/// * `fn identity() -> Acc`: the accumulator of no elements;
/// * `fn combine(a: Acc, b: Acc) -> Acc`: the accumulator of the elements of both;
/// * `fn lift(x: f32) -> Acc`: the accumulator of an element; it can be left out where an accumulator is an element;
/// * `fn finish(total: Acc) -> Out`: the result; it can be left out where the result is the accumulator.
///
/// `Acc` and `Out` stand for any number, bool or vector, or a struct of these, of up to 16 words of 32 bits. (A bool is a word.) An element comes as
/// `f32` if it is a float of up to 32 bits, as `i32` or `u32` if it is an integer of up to 32, as `vec2<u32>`, low word first,
/// if it has 64, and as a vector if it has several components. There are no operators of your own on [`Bits`](crate::Bits): making one is an error.
///
/// Operators have to keep two laws, to the bit. Combining with the identity, on either side, changes nothing. And in any grouping the same
/// comes out: `combine(a, combine(b, c))` is `combine(combine(a, b), c)`; if it is not, because it rounds, the grouping is that of
/// [`order`](crate::order), for an operator that is [`CustomOperator::ordered`].
///
/// The result has the same bits on every device as far as the operator's own arithmetic has: that of integers does. WGSL's floats promise little: a
/// device may flush subnormals, fuse operations, and take it that there are no NaNs and infinities.
///
/// The text is checked when the operator is made. It may not have entry points, variables outside of functions, bindings, pipeline
/// constants, directives, barriers, subgroup functions, or pointers as parameters; nor may it copy a struct from a variable and write
/// that variable while the copy is in use. In kernels it is never trusted: wgpu's bounds checks and loop counters stay on, so that
/// nothing in it can hang a device or read what it should not.
///
/// A device compiles each text, which takes up to seconds. So make an operator once, and give calls clones, which are cheap. Operators of equal texts share it. A context
/// keeps the 128 pipelines of users' texts that it used last.
///
/// Executors reduce by it on the GPU, if they have one, unless [`HostSlices::OnCpu`](crate::HostSlices::OnCpu) is asked for. On the CPU they need
/// [`CustomOperator::with_twin`], else they return [`PrepareError::NoTwin`](crate::PrepareError::NoTwin). Parts of a sequence ([`Partial`](crate::Partial)), groups of
/// executors, and values of expressions take operators of the library alone: the error is [`PrepareError::OwnOperator`](crate::PrepareError::OwnOperator).
/// Reducers take partials, in two passes or a single one: atomics combine no such operators, so other strategies are
/// [`PrepareError::StrategyUnfit`](crate::PrepareError::StrategyUnfit). No result is [`Precision::Exact`](crate::Precision::Exact):
/// [`PrepareError::Imprecise`](crate::PrepareError::Imprecise). Scans lift an initial value, as they do elements.
///
/// ```
/// use gridfold::{CustomOperator, Executor};
///
/// // The hash of a string: 31 * hash + byte, over all bytes in order.
/// let hash = CustomOperator::<u8, u32>::ordered(
///     "struct Hash { value: u32, factor: u32 }
///      fn identity() -> Hash { return Hash(0u, 1u); }
///      fn lift(byte: u32) -> Hash { return Hash(byte, 31u); }
///      fn combine(a: Hash, b: Hash) -> Hash {
///          return Hash(a.value * b.factor + b.value, a.factor * b.factor);
///      }
///      fn finish(hash: Hash) -> u32 { return hash.value; }",
/// )?
/// .with_twin(
///     [0u32, 1],
///     |byte| [u32::from(byte), 31],
///     |a, b| [a[0].wrapping_mul(b[1]).wrapping_add(b[0]), a[1].wrapping_mul(b[1])],
///     |hash| hash[0],
/// );
/// let executor = Executor::auto();
/// assert_eq!(executor.reduce(b"hello", hash)?.value, 99_162_322);
///
/// // What is wrong is told with its line and column.
/// let wrong = CustomOperator::<u32, u32>::commutative(
///     "fn identity() -> u32 { return 0u; }
///      fn combine(a: u32, b: u32) -> u32 { return a + c; }",
/// );
/// let error = wrong.expect_err("there is no c");
/// assert!(error.to_string().starts_with("line 2, column 53: "), "{error}");
/// # Ok::<(), gridfold::Error>(())
/// ```
pub struct CustomOperator<T, Out> {
    own: Own,
    types: PhantomData<fn(T) -> Out>,
}

impl<T, Out> Clone for CustomOperator<T, Out> {
    fn clone(&self) -> Self {
        Self { own: self.own.clone(), types: PhantomData }
    }
}

impl<T, Out> fmt::Debug for CustomOperator<T, Out> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomOperator")
            .field("program", &self.own.program)
            .field("has_twin", &self.own.twin.is_some())
            .finish()
    }
}

impl<T: 'static, Out: 'static> Sealed for CustomOperator<T, Out> {
    const IS_LISTED: bool = false;

    fn own(&self) -> Option<&dyn Any> {
        Some(&self.own)
    }
}

impl<T: Element, Out: CustomOut> Operator<T> for CustomOperator<T, Out> {
    /// The same for all of them. The program has its own.
    const SPEC: OperatorSpec = OperatorSpec {
        operator: OperatorType::Custom,
        element: T::TYPE,
        inputs: 1,
        #[expect(clippy::cast_possible_truncation, reason = "a few words")]
        out_words: size_of::<Out>() as u32 / 4,
        order_free: false,
        computes_floats: false,
        combining: Combining::NONE,
        exact: None,
    };
    type Out = Out;
    type Value = Out;
    fn spec(&self) -> OperatorSpec {
        *self.own.program.spec()
    }
    fn value(out: Out, _len: u64) -> Out {
        out
    }
    fn out(value: Out) -> Option<Out> {
        Some(value)
    }
}

/// The results of a [`CustomOperator`]: plain data that can be compared and printed. Implemented for every such type.
pub trait CustomOut: bytemuck::Pod + Send + Sync + fmt::Debug + PartialEq {}

impl<Out: bytemuck::Pod + Send + Sync + fmt::Debug + PartialEq> CustomOut for Out {}

impl<T: Element, Out: CustomOut> CustomOperator<T, Out> {
    /// An operator that gives the same whatever the order: `combine(a, b)` is `combine(b, a)`, to the bit.
    ///
    /// # Errors
    ///
    /// [`WgslError`], with the text's line and column: nothing was given to a device.
    pub fn commutative(wgsl: &str) -> Result<Self, WgslError> {
        Self::new(wgsl, true)
    }

    /// An operator for which the order counts: the elements of `a` in `combine(a, b)` come before those of `b`, and follow on one another.
    ///
    /// # Errors
    ///
    /// [`WgslError`], with the text's line and column: nothing was given to a device.
    pub fn ordered(wgsl: &str) -> Result<Self, WgslError> {
        Self::new(wgsl, false)
    }

    fn new(wgsl: &str, commutes: bool) -> Result<Self, WgslError> {
        const { assert!(align_of::<Out>() >= 4, "results are words, and have to be aligned so") };
        if T::TYPE == ElementType::Bits {
            return Err(WgslError::OfBits);
        }
        let checked = Checked::new(wgsl)?;
        let functions = functions(&checked, T::TYPE)?;
        let words = functions.words();
        if size_of::<Out>() != words.out as usize * 4 {
            let (words, bytes) = (words.out, size_of::<Out>());
            let result = checked.function("finish").or_else(|| checked.function("combine"));
            let place = result.map(|(handle, _)| checked.place_of(handle));
            let Place { line, column } = place.unwrap_or(Place { line: 1, column: 1 });
            return Err(WgslError::ResultSize { line, column, words, bytes });
        }
        let program = Program::operator(
            functions.text(&text::with_own_names(wgsl)),
            T::TYPE,
            words,
            commutes,
        );
        for mechanism in [Mechanism::WorkgroupMemory, Mechanism::Subgroup] {
            let key =
                ShaderKey::of_program(Kernel::Reduce, &program, mechanism, Arithmetic::Hardware);
            source::check_kernel(&Sources::default().compose(&key))?;
        }
        Ok(Self { own: Own { program, twin: None }, types: PhantomData })
    }

    /// Adds the same operator in Rust, for executors on the CPU: the accumulator of no elements, of one, of two neighbouring
    /// parts', and the result. It has to give the same bits, which gridfold can't check.
    ///
    /// Every core takes part if the feature `parallel` is on. Accumulators are plain data: a number, an array, or a struct that derives [`bytemuck::Pod`]. An ordered
    /// operator combines them in the pairwise [`order`](crate::order), as devices do, and a commutative one in any.
    #[must_use]
    pub fn with_twin<A: bytemuck::Pod + Send + Sync + RefUnwindSafe>(
        self,
        identity: A,
        lift: impl Fn(T) -> A + Send + Sync + 'static,
        combine: impl Fn(A, A) -> A + Send + Sync + 'static,
        finish: impl Fn(A) -> Out + Send + Sync + 'static,
    ) -> Self {
        let Own { program, .. } = self.own;
        let twin: Twin<T, Out, A, _> =
            Twin::new(*program.spec(), identity, (lift, combine, finish));
        Self { own: Own { program, twin: Some(Arc::new(twin)) }, types: PhantomData }
    }

    /// What kernels are joined with. No promise of stability.
    #[doc(hidden)]
    pub fn program(&self) -> Program {
        self.own.program.clone()
    }
}

/// What an element is in WGSL.
pub(super) fn element_type(element: ElementType) -> (&'static str, TypeInner) {
    let vector = |size, scalar| TypeInner::Vector { size, scalar };
    match element.wide() {
        ElementType::F32 => ("f32", TypeInner::Scalar(Scalar::F32)),
        ElementType::I32 => ("i32", TypeInner::Scalar(Scalar::I32)),
        // Bools, and bits by the word, too.
        ElementType::U32
        | ElementType::Bits
        | ElementType::I8
        | ElementType::U8
        | ElementType::I16
        | ElementType::U16
        | ElementType::F16
        | ElementType::BF16
        | ElementType::Bool => ("u32", TypeInner::Scalar(Scalar::U32)),
        ElementType::I64 | ElementType::U64 | ElementType::F64 | ElementType::U32x2 => {
            ("vec2<u32>", vector(VectorSize::Bi, Scalar::U32))
        }
        ElementType::U32x3 => ("vec3<u32>", vector(VectorSize::Tri, Scalar::U32)),
        ElementType::U32x4 => ("vec4<u32>", vector(VectorSize::Quad, Scalar::U32)),
        ElementType::I32x2 => ("vec2<i32>", vector(VectorSize::Bi, Scalar::I32)),
        ElementType::I32x3 => ("vec3<i32>", vector(VectorSize::Tri, Scalar::I32)),
        ElementType::I32x4 => ("vec4<i32>", vector(VectorSize::Quad, Scalar::I32)),
        ElementType::F32x2 => ("vec2<f32>", vector(VectorSize::Bi, Scalar::F32)),
        ElementType::F32x3 => ("vec3<f32>", vector(VectorSize::Tri, Scalar::F32)),
        ElementType::F32x4 => ("vec4<f32>", vector(VectorSize::Quad, Scalar::F32)),
    }
}

/// The functions that make an operator, if they fit each other.
fn functions(checked: &Checked<'_>, element: ElementType) -> Result<Functions, WgslError> {
    let module = &checked.module;
    let (element_name, element) = element_type(element);
    let missing = |function: &'static str, signature: &str| WgslError::Missing {
        function,
        signature: signature.to_owned(),
    };
    let wrong = |handle: Handle<Function>, function: &'static str, signature: &str| {
        let Place { line, column } = checked.place_of(handle);
        WgslError::Signature { line, column, function, signature: signature.to_owned() }
    };
    let form = |function: &Function| {
        let arguments: Vec<_> = function.arguments.iter().map(|argument| argument.ty).collect();
        (arguments, function.result.as_ref().map(|result| result.ty))
    };
    let shape = |handle: Handle<Function>, function: &'static str, what: &'static str, ty| {
        let Place { line, column } = checked.place_of(handle);
        let max = Words::MAX;
        Shape::of(module, ty).map_err(|why| match why {
            NoShape::NotWords => WgslError::Type { line, column, function, what },
            NoShape::TooLarge(words) => {
                WgslError::TooLarge { line, column, function, what, words, max }
            }
        })
    };

    let signature = "fn combine(a: Acc, b: Acc) -> Acc";
    let (handle, combine) =
        checked.function("combine").ok_or_else(|| missing("combine", signature))?;
    let (acc_type, acc) = match form(combine) {
        (arguments, Some(result)) if arguments == [result; 2] => {
            (result, shape(handle, "combine", "accumulator", result)?)
        }
        _ => return Err(wrong(handle, "combine", signature)),
    };

    let signature = "fn identity() -> Acc";
    let (handle, identity) =
        checked.function("identity").ok_or_else(|| missing("identity", signature))?;
    if form(identity) != (Vec::new(), Some(acc_type)) {
        return Err(wrong(handle, "identity", signature));
    }

    let signature = format!("fn lift(x: {element_name}) -> Acc");
    let lifted = match checked.function("lift") {
        None if module.types[acc_type].inner == element => None,
        None => return Err(missing("lift", &signature)),
        Some((handle, lift)) => match form(lift) {
            (arguments, Some(result))
                if result == acc_type
                    && arguments.len() == 1
                    && module.types[arguments[0]].inner == element =>
            {
                Some(element_name)
            }
            _ => return Err(wrong(handle, "lift", &signature)),
        },
    };

    let (out, has_finish) = match checked.function("finish") {
        None => (Shape::of(module, acc_type).ok(), false),
        Some((handle, finish)) => match form(finish) {
            (arguments, Some(result)) if arguments == [acc_type] => {
                (Some(shape(handle, "finish", "result", result)?), true)
            }
            _ => return Err(wrong(handle, "finish", "fn finish(total: Acc) -> Out")),
        },
    };
    let out = out.expect("the accumulator has a shape");
    Ok(Functions { acc, out, lifted, has_finish })
}
