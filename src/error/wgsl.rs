//! Errors about WGSL of the user's own.

use crate::algebra::operator_type::OperatorType;

/// A text of the user's own can't be part of a kernel. Nothing was given to a device.
///
/// Lines and columns are those of the user's text, from 1 on; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WgslError {
    /// It is no WGSL, or its types don't fit: of operators and functions naga says so, which translates all shaders for wgpu.
    #[error("line {line}, column {column}: {message}")]
    Invalid {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// What is wrong.
        message: String,
    },
    /// It has something that is the kernel's alone, or that no operator may do.
    #[error(
        "line {line}, column {column}: there is {what} in it: an operator only computes, so leave that out"
    )]
    Forbidden {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// What it has: an entry point, a variable of the module, a barrier and so on.
        what: &'static str,
    },
    /// A function is missing.
    #[error("there is no function `{function}`: define `{signature}`")]
    Missing {
        /// Its name.
        function: &'static str,
        /// How it is declared.
        signature: String,
    },
    /// A function takes or returns something else.
    #[error(
        "line {line}, column {column}: `{function}` has another form: declare it as `{signature}`"
    )]
    Signature {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// Its name.
        function: &'static str,
        /// How it is declared.
        signature: String,
    },
    /// An accumulator or a result can't be told in words.
    #[error(
        "line {line}, column {column}: the {what} of `{function}` is no number, bool, vector, or struct of these: other types can't \
         be moved between lanes"
    )]
    Type {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// The function that returns it.
        function: &'static str,
        /// Accumulator or result.
        what: &'static str,
    },
    /// An accumulator or a result is too large.
    #[error(
        "line {line}, column {column}: the {what} of `{function}` has {words} words, and there is room for {max}: make it smaller"
    )]
    TooLarge {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// The function that returns it.
        function: &'static str,
        /// Accumulator or result.
        what: &'static str,
        /// Its words of 32 bits.
        words: u32,
        /// As many as there may be.
        max: u32,
    },
    /// A struct or an array is copied as a whole, and what it was copied from is written while the copy is in use. DXC, which compiles
    /// for Windows, takes such a copy for its source.
    #[error(
        "line {line}, column {column}: a struct or array is copied from a variable that is written while the copy is in use, which a \
         compiler gets wrong: copy it member by member, as in `Pair(old.first, old.second)`"
    )]
    Copy {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
    },
    /// An operator on [`Bits`](crate::Bits), of which a device has 32 at a time.
    #[error("there are no operators of your own on Bits: reduce them as words, of type u32")]
    OfBits,
    /// The result in Rust has another size.
    #[error(
        "line {line}, column {column}: the result has {words} words in WGSL, and {bytes} bytes in Rust: give both the same layout, 4 bytes for \
         a word"
    )]
    ResultSize {
        /// The line of the function that returns it: `finish`, or `combine`.
        line: u32,
        /// The column.
        column: u32,
        /// Words of 32 bits of what it returns.
        words: u32,
        /// Bytes of the Rust type.
        bytes: usize,
    },
    /// An expression has something whose bits are not the same everywhere, or that is no part of expressions.
    #[error(
        "line {line}, column {column}: there is no `{what}` in expressions, which have the same bits everywhere: take +, -, *, /, comparisons, \
         logic, bits, casts, abs, min, max, clamp and select, or write a function for gridfold::Map::wgsl, which promises no bits"
    )]
    Unsupported {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// What it has.
        what: String,
    },
    /// An expression speaks of the elements of an input that it has not: `y` is of a second one, `z` of a third.
    #[error("line {line}, column {column}: there is no input `{name}` here: {call}")]
    NoInput {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// What it calls the input's elements.
        name: &'static str,
        /// What to call.
        call: &'static str,
    },
    /// An expression has a name that nothing has.
    #[error(
        "line {line}, column {column}: there is no `{name}`: an expression has the element `x`, its index `i`, and parameters; give it one of this name by \
         with_parameters, or in the program by --parameter"
    )]
    UnknownName {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// The name.
        name: String,
    },
    /// An expression has a word or a sign of other languages.
    #[error("line {line}, column {column}: expressions have no `{found}`: write {instead}")]
    Foreign {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// The word or the sign.
        found: String,
        /// What to write.
        instead: String,
    },
    /// An expression is too long.
    #[error(
        "the expression has more than {most} {what}: make it shorter, or write a function for gridfold::Map::wgsl, which promises no bits"
    )]
    TooLong {
        /// As many as it may have.
        most: usize,
        /// Of what.
        what: &'static str,
    },
    /// An expression's value has another type.
    #[error(
        "line {line}, column {column}: the expression is of type `{found}`: {}",
        match *.wanted {
            "bool" => "a predicate is a bool, so compare, as in `x > 0`".to_owned(),
            wanted => format!("make it `{wanted}`, as by `{wanted}(...)`, or a bool, which counts as 1 or 0"),
        }
    )]
    Value {
        /// The line that the expression begins with.
        line: u32,
        /// The column.
        column: u32,
        /// Its type.
        found: &'static str,
        /// The type that it should have.
        wanted: &'static str,
    },
    /// An operator or a function of an expression is given values of types that it does not take, or not together.
    #[error("line {line}, column {column}: `{operator}` takes {takes}, but {found}: {advice}")]
    Operands {
        /// The line of the operator.
        line: u32,
        /// Its column.
        column: u32,
        /// The operator, or the function's name.
        operator: String,
        /// What it takes.
        takes: &'static str,
        /// What it is given: each value with its type.
        found: String,
        /// What to write.
        advice: String,
    },
    /// An expression computes with an element of several components as a whole, or is one.
    #[error(
        "line {line}, column {column}: `{what}` is a vector here, and an expression computes with numbers: take its components one by one, as `x.x` or \
         `x.y`"
    )]
    Vector {
        /// The line.
        line: u32,
        /// The column.
        column: u32,
        /// The vector.
        what: String,
    },
    /// A function of the user's own of elements of several components.
    #[error(
        "there are no functions of your own of elements of several components: write an expression of their components, as \"x.x * x.y\", or give \
         an operator of your own to them"
    )]
    OfComponents,
    /// An expression's parameter can't be.
    #[error("the parameter `{name}` {what}")]
    Parameter {
        /// Its name.
        name: String,
        /// What is wrong with it, and what to do.
        what: &'static str,
    },
    /// Packed counters are not as many as there is room for.
    #[error(
        "{count} counters of {bits} bits are no word: take 1 to 16 that have 32 bits at most together, and each some"
    )]
    Counters {
        /// How many.
        count: usize,
        /// The bits of each.
        bits: u32,
    },
    /// The operator has no neutral element to put in the place of what does not count.
    #[error(
        "the operator {operator} can't leave out elements{}: choose a sum, a product, a count, a mean, a norm, bits, any, all, min, max, min-max, max-abs or the first place of one{}",
        if .operator.is_variance() { " in one read" } else { "" },
        if .operator.is_variance() { ", or give it to an Executor or an Array, which count the elements first" } else { "" }
    )]
    NoNeutral {
        /// The operator.
        operator: OperatorType,
    },
    /// The reducer has an expression already, or an operator of the user's own.
    #[error(
        "the reducer has an expression already, or an operator of your own: write one expression for both, or write it into the operator's `lift`"
    )]
    MappedTwice,
    /// The text is right by itself, but the kernel with it is not: report it with this message.
    #[error(
        "the kernel with this text is no valid shader, please report it with this message: {message}"
    )]
    Kernel {
        /// What naga says.
        message: String,
    },
}
