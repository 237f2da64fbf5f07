//! A text of the user's own as naga understands it, and what it must not have.

use crate::{
    custom::{
        copies,
        source::{Place, Source},
    },
    error::WgslError,
    wgsl::text,
};
use naga::{
    Block, Expression, Function, Handle, Module, Span, Statement, TypeInner, valid::Capabilities,
};

/// A module that does nothing but compute.
pub(super) struct Checked<'t> {
    source: Source<'t>,
    pub(super) module: Module,
}

impl<'t> Checked<'t> {
    /// Reads and checks a text, which stands alone.
    pub(super) fn new(text: &'t str) -> Result<Self, WgslError> {
        if let Some(byte) = text::directive(text) {
            let Place { line, column } = Place::of(text, byte);
            return Err(WgslError::Forbidden { line, column, what: "a directive" });
        }
        let source = Source { text, begin: 0 };
        let checked = Self { source, module: source.parse(text)? };
        checked.refuse_declarations()?;
        // What is forbidden is refused before it is found to be invalid.
        for (_, function) in checked.module.functions.iter() {
            checked.refuse_in(function)?;
        }
        let info = source.validate(&checked.module, Capabilities::empty())?;
        for (handle, function) in checked.module.functions.iter() {
            if let Some(span) = copies::check(&checked.module, function, &info[handle]) {
                let Place { line, column } = source.place(Some(span));
                return Err(WgslError::Copy { line, column });
            }
        }
        Ok(checked)
    }

    fn refuse_declarations(&self) -> Result<(), WgslError> {
        let module = &self.module;
        if let Some(entry) = module.entry_points.first() {
            let span = entry.function.body.span_iter().next().map(|(_, &span)| span);
            let named = || self.source.text.find(&format!("fn {}", entry.name));
            let byte = named().or_else(|| span?.to_range().map(|range| range.start));
            let Place { line, column } = Place::of(self.source.text, byte.unwrap_or(0));
            return Err(WgslError::Forbidden { line, column, what: "an entry point" });
        }
        if let Some((handle, variable)) = module.global_variables.iter().next() {
            let what = match variable.space {
                naga::AddressSpace::WorkGroup => "a variable in workgroup memory",
                _ if variable.binding.is_some() => "a binding",
                _ => "a variable of the module",
            };
            return Err(self
                .source
                .forbidden(Some(module.global_variables.get_span(handle)), what));
        }
        if let Some((handle, _)) = module.overrides.iter().next() {
            return Err(self
                .source
                .forbidden(Some(module.overrides.get_span(handle)), "a pipeline constant"));
        }
        Ok(())
    }

    fn refuse_in(&self, function: &Function) -> Result<(), WgslError> {
        for argument in &function.arguments {
            if let TypeInner::Pointer { .. } = self.module.types[argument.ty].inner {
                let span = function.body.span_iter().next().map_or(Span::default(), |it| *it.1);
                return Err(self.source.forbidden(Some(span), "a pointer as a parameter"));
            }
        }
        for (handle, expression) in function.expressions.iter() {
            let what = match expression {
                Expression::Derivative { .. } => "a derivative",
                Expression::SubgroupBallotResult | Expression::SubgroupOperationResult { .. } => {
                    "a subgroup function"
                }
                _ => continue,
            };
            return Err(self.source.forbidden(Some(function.expressions.get_span(handle)), what));
        }
        self.refuse_in_block(&function.body)
    }

    fn refuse_in_block(&self, block: &Block) -> Result<(), WgslError> {
        for (statement, &span) in block.span_iter() {
            let what = match statement {
                Statement::Emit(_)
                | Statement::Break
                | Statement::Continue
                | Statement::Return { .. }
                | Statement::Store { .. }
                | Statement::Call { .. } => continue,
                Statement::Block(block) => {
                    self.refuse_in_block(block)?;
                    continue;
                }
                Statement::If { accept, reject, .. } => {
                    self.refuse_in_block(accept)?;
                    self.refuse_in_block(reject)?;
                    continue;
                }
                Statement::Switch { cases, .. } => {
                    cases.iter().try_for_each(|case| self.refuse_in_block(&case.body))?;
                    continue;
                }
                Statement::Loop { body, continuing, .. } => {
                    self.refuse_in_block(body)?;
                    self.refuse_in_block(continuing)?;
                    continue;
                }
                Statement::ControlBarrier(_)
                | Statement::MemoryBarrier(_)
                | Statement::WorkGroupUniformLoad { .. } => "a barrier",
                Statement::SubgroupBallot { .. }
                | Statement::SubgroupGather { .. }
                | Statement::SubgroupCollectiveOperation { .. } => "a subgroup function",
                Statement::Kill => "a `discard`",
                _ => "something that is not computing",
            };
            return Err(self.source.forbidden(Some(span), what));
        }
        Ok(())
    }

    /// The function of a name.
    pub(super) fn function(&self, name: &str) -> Option<(Handle<Function>, &Function)> {
        self.module.functions.iter().find(|(_, function)| function.name.as_deref() == Some(name))
    }

    /// Where a function is declared.
    pub(super) fn place_of(&self, function: Handle<Function>) -> Place {
        self.source.place(Some(self.module.functions.get_span(function)))
    }
}
