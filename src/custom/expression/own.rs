//! A function of the user's own in the place of an expression.

use super::graph::{NAMES, Operation};
use crate::{
    algebra::element::ElementType,
    custom::{module::Checked, operator::element_type, source::Place},
    error::WgslError,
};
use naga::{Scalar, TypeInner};

/// The function's name.
pub(super) const FUNCTION: &str = "map";

/// Checks a text that declares a function of elements of one, two or three inputs.
pub(super) fn check(text: &str, element: ElementType, inputs: u32) -> Result<Operation, WgslError> {
    let (name, element) = element_type(element);
    let given: String =
        NAMES.iter().take(inputs as usize).map(|it| format!("{it}: {name}, ")).collect();
    let signature = format!("fn {FUNCTION}({given}i: u32) -> {name}");
    let checked = Checked::new(text)?;
    let Some((handle, function)) = checked.function(FUNCTION) else {
        return Err(WgslError::Missing { function: FUNCTION, signature });
    };
    let types = &checked.module.types;
    let arguments: Vec<_> = function.arguments.iter().map(|of| &types[of.ty].inner).collect();
    let result = function.result.as_ref().map(|of| &types[of.ty].inner);
    let elements = vec![&element; inputs as usize];
    let index = TypeInner::Scalar(Scalar::U32);
    let takes_index = arguments.len() > elements.len();
    let wanted = [elements, vec![&index; usize::from(takes_index)]].concat();
    if arguments != wanted || result != Some(&element) {
        let Place { line, column } = checked.place_of(handle);
        return Err(WgslError::Signature { line, column, function: FUNCTION, signature });
    }
    Ok(Operation::Own { inputs, takes_index })
}
