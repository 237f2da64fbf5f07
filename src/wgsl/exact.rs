//! Which shader files make up the modules of exact reductions.

use crate::{
    algebra::operator::{Arithmetic, ExactKernels, ExactTerms},
    wgsl::{
        kernel::{Kernel, Stored},
        shader::{ShaderKey, named},
    },
};

impl ShaderKey {
    /// Those of its module that are no kernel's own, and do not load elements.
    pub(super) fn exact_files(&self) -> Vec<&'static str> {
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
                files.extend(terms.store_files().into_iter().flatten());
            }
            kernel => {
                if kernel == Kernel::ExactReduce && !self.has_map() {
                    files.push("exact/load_elements.wgsl");
                }
                files.extend(deposits);
                files.extend(terms.window_files(self.arithmetic));
            }
        }
        files
    }
}

impl ExactTerms {
    /// The shader files of the window, or of its absence. That of elements, but for f64s, is of float arithmetic.
    fn window_files(self, arithmetic: Arithmetic) -> &'static [&'static str] {
        match self {
            Self::Elements if arithmetic == Arithmetic::Hardware => {
                &["exact/window.wgsl@f32", "exact/window.wgsl@moves", "exact/deposit.wgsl@group"]
            }
            Self::Doubles => {
                &["exact/window.wgsl@f64", "exact/window.wgsl@moves", "exact/deposit.wgsl@group"]
            }
            Self::Elements => &["exact/window.wgsl@none"],
            Self::Squares => &[
                "exact/window_squares.wgsl",
                "exact/element_sums.wgsl@none",
                "exact/product.wgsl@sums",
            ],
            Self::Moments | Self::NumberMoments => &[
                "exact/window_squares.wgsl",
                "exact/element_sums.wgsl@sums",
                "exact/product.wgsl@sums",
            ],
            Self::Products => &["exact/window_pairs.wgsl", "exact/product.wgsl@sums"],
        }
    }
}
