//! Which shader files make up the modules of differences.

use crate::{
    algebra::{element::ElementType, operator::Part},
    wgsl::{kernel::Kernel, shader::ShaderKey},
};

impl ShaderKey {
    /// Those of its module that are no kernel's own, and not the element's. `parts` are the operator's.
    pub(super) fn difference_files(&self, parts: &'static [Part]) -> Vec<&'static str> {
        let mut files = vec![
            "difference/differences.wgsl@items",
            "reduce/job.wgsl@launch",
            "reduce/entry.wgsl@memory",
            "collective/workgroup.wgsl@builtins",
        ];
        let (file, adds_floats) = match self.element {
            ElementType::F32 => ("difference/subtract.wgsl@f32", true),
            ElementType::F64 => ("difference/subtract.wgsl@f64", true),
            ElementType::U64 => ("difference/subtract.wgsl@u64", false),
            _ => ("difference/subtract.wgsl@u32", false),
        };
        files.push(file);
        if adds_floats && self.kernel == Kernel::Differences {
            files.extend(parts.iter().map(|part| part.name));
        }
        files
    }
}
