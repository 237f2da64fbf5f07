//! Which shader files make up the modules of differences.

use crate::{
    algebra::{element::ElementType, operator::Part},
    wgsl::{kernel::Kernel, shader::ShaderKey},
};

impl ShaderKey {
    /// Those of its module that are no kernel's own, and not the element's. `parts` are the operator's.
    pub(super) fn difference_files(&self, parts: &'static [Part]) -> Vec<&'static str> {
        let mut files = vec![
            "difference/items.wgsl",
            "reduce/job_launch.wgsl",
            "reduce/entry_memory.wgsl",
            "collective/workgroup_builtins.wgsl",
        ];
        let (file, adds_floats) = match self.element {
            ElementType::F32 => ("difference/f32.wgsl", true),
            ElementType::F64 => ("difference/f64.wgsl", true),
            ElementType::U64 => ("difference/u64.wgsl", false),
            _ => ("difference/u32.wgsl", false),
        };
        files.push(file);
        if adds_floats && self.kernel == Kernel::Differences {
            files.extend(parts.iter().map(|part| part.name));
        }
        files
    }
}
