//! Which shader files make up the modules of segments.

use crate::{
    algebra::element::Packing,
    wgsl::{kernel::Kernel, shader::ShaderKey},
};

impl Kernel {
    /// Words of the largest accumulators of which a lane keeps the totals of four chunks: the shader's `MOST_JOINED_WORDS`.
    pub const MOST_JOINED_WORDS: u32 = 4;
}

impl ShaderKey {
    /// Those that end exact results of segments, whatever the operator makes of what is added up.
    pub(super) fn exact_segment_files(self) -> impl Iterator<Item = &'static str> {
        let is_end = self.kernel == Kernel::ExactSegmentResults;
        let exact = self.spec().exact_kernels().filter(|_| is_end);
        let finish = exact.and_then(|exact| exact.terms.segments_finish());
        let rounding = exact.map(|_| ["exact/limbs.wgsl", "exact/round.wgsl"]);
        finish.into_iter().chain(rounding.into_iter().flatten())
    }

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
        files.extend(["segments/segment.wgsl", "segments/places.wgsl", "segments/counter.wgsl"]);
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
        if let (Kernel::ExactSegmentResults, Some(exact)) =
            (self.kernel, self.spec().exact_kernels())
        {
            // Those of a whole sequence have its length from elsewhere.
            files.extend(exact.value.iter().map(|part| match part.name {
                "exact/variance_population.wgsl" => "segments/exact_degrees_population.wgsl",
                "exact/variance_sample.wgsl" => "segments/exact_degrees_sample.wgsl",
                name => name,
            }));
        }
        files.extend(match self.kernel.is_of_exact_segments() {
            // Squares are made of them without rounding.
            true => &["reduce/load_elements.wgsl", "reduce/elems_all.wgsl"],
            false => self.spec().load_files(),
        });
        files.extend(self.load_files());
        files
    }
}
