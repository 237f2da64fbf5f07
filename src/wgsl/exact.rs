//! Which shader files make up the modules of exact reductions.

use crate::{
    algebra::operator::ExactKernels,
    wgsl::{
        kernel::{Kernel, Stored},
        shader::{ShaderKey, named},
    },
};

impl ShaderKey {
    /// Those of its module that are no kernel's own, and do not load elements.
    pub(super) fn exact_files(self) -> Vec<&'static str> {
        let kernels = self.spec().exact_kernels();
        let Some(ExactKernels { terms, value }) = kernels else { return Vec::new() };
        let (units, deposits) = terms.shader_files();
        let mut files = vec![units];
        match self.kernel {
            Kernel::ExactFinish { output: Stored::Value } => {
                files.extend(terms.value_files());
                files.extend(named(value));
            }
            Kernel::ExactFinish { output: Stored::Accumulator } => {
                files.extend(terms.store_file());
            }
            _ => {
                files.extend(deposits);
                files.extend(terms.window_files(self.arithmetic));
            }
        }
        files
    }
}
