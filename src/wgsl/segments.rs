//! Which shader files make up the modules of segments.

use crate::{
    algebra::element::Packing,
    wgsl::{kernel::Kernel, shader::ShaderKey},
};

impl ShaderKey {
    /// Those of its module that are no kernel's own, and neither the element's nor the operator's.
    pub(super) fn segment_files(self) -> Vec<&'static str> {
        let mut files = vec![
            "collective/acc.wgsl",
            "collective/workgroup_builtins.wgsl",
            "memory/scratch.wgsl",
            "memory/scratch_memory.wgsl",
            "reduce/job_launch.wgsl",
            "reduce/entry_memory.wgsl",
        ];
        if self.kernel == Kernel::GroupTotals {
            files.extend(self.spec().atomic().map(|atomic| atomic.part.name));
            files.extend(self.spec().load_files());
            files.extend(self.load_files());
            return files;
        }
        files.extend(["segments/segment.wgsl", "segments/counter.wgsl"]);
        if !self.has_own_total() {
            files.extend(["reduce/total_run.wgsl", "reduce/total_acc.wgsl"]);
        }
        if self.kernel.makes_chunks() {
            files.push("segments/neighbours.wgsl");
            files.push(match self.element.packing() {
                Packing::Word if !self.has_map() => "segments/neighbours_words.wgsl",
                _ => "segments/neighbours_any.wgsl",
            });
        }
        if self.kernel == Kernel::ExactSegmentResults {
            let value = self.spec().exact_kernels().map(|exact| exact.value);
            files.extend(value.into_iter().flatten().map(|part| part.name));
        }
        files.extend(self.spec().load_files());
        files.extend(self.load_files());
        files
    }
}
