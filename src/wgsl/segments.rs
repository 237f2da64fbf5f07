//! Which shader files make up the modules of segments.

use crate::wgsl::{kernel::Kernel, shader::ShaderKey};

impl ShaderKey {
    /// Those of its module that are no kernel's own, and neither the element's nor the operator's.
    pub(super) fn segment_files(self) -> Vec<&'static str> {
        let mut files = vec![
            "segments/segment.wgsl",
            "segments/counter.wgsl",
            "collective/acc.wgsl",
            "collective/workgroup_builtins.wgsl",
            "memory/scratch.wgsl",
            "memory/scratch_memory.wgsl",
            "reduce/job_launch.wgsl",
            "reduce/entry_memory.wgsl",
        ];
        if !self.has_own_total() {
            files.extend(["reduce/total_run.wgsl", "reduce/total_acc.wgsl"]);
        }
        let load_files = self.spec().load_files();
        if self.kernel == Kernel::SegmentChunks {
            files.push(match load_files.contains(&"reduce/load_factors.wgsl") {
                true => "segments/neighbours_apart.wgsl",
                false => "segments/neighbours_at_once.wgsl",
            });
        }
        files.extend(load_files);
        files.extend(self.load_files());
        files
    }
}
