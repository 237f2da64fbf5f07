//! Modules: the files that are joined for a shader's key, and the pipeline constants of the keys that share them.

use crate::{
    algebra::{element::ElementType, operator_type::OperatorType},
    wgsl::{program::Program, shader::ShaderKey, sources::Sources, used::used},
};
use std::collections::HashMap;

/// The parts of a module's text: it is the same wherever these are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ModuleKey {
    files: Vec<&'static str>,
    program: Option<Program>,
}

impl ShaderKey {
    /// The keys of each text, sorted.
    pub fn modules() -> impl Iterator<Item = Vec<Self>> {
        let mut modules: Vec<Vec<Self>> = Vec::new();
        let mut numbers = HashMap::new();
        for key in Self::all() {
            let number = *numbers.entry(key.module()).or_insert(modules.len());
            match modules.get_mut(number) {
                Some(module) => module.push(key),
                None => modules.push(vec![key]),
            }
        }
        modules.into_iter()
    }

    /// The text's parts.
    pub(crate) fn module(&self) -> ModuleKey {
        ModuleKey { files: self.files(), program: self.program.clone() }
    }
}

impl Sources {
    /// The text of the module for `key`: the declarations that it uses.
    pub fn compose(&self, key: &ShaderKey) -> String {
        self.text_of(&key.module())
    }

    pub(crate) fn text_of(&self, ModuleKey { files, program }: &ModuleKey) -> String {
        let own = program.as_ref().map_or("", Program::text);
        let parts: Vec<_> = files.iter().map(|file| self.known(file)).collect();
        [&used(parts.iter().flat_map(|part| part.iter()), own), own].join("\n")
    }

    /// The key's constants that the module declares.
    pub(crate) fn constants_of(
        &self,
        key: &ShaderKey,
        module: &ModuleKey,
    ) -> Vec<(&'static str, f64)> {
        let mut constants = constants_of(key.operator, key.element);
        constants.retain(|(name, _)| {
            let declaration = format!("override {name}:");
            module.files.iter().any(|file| self.files[file].contains(&declaration))
        });
        constants
    }
}

/// The values of the pipeline constants by which operators and element types share a text. A text declares some of these constants.
pub fn constants_of(operator: OperatorType, element: ElementType) -> Vec<(&'static str, f64)> {
    let all = [&operator.constants(element), element.constants()].concat();
    all.into_iter().map(|(name, value)| (name, value.into())).collect()
}
