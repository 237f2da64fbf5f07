//! Which shader files make up the modules of segments.

use crate::{
    algebra::{element::Packing, operator::ExactTerms},
    wgsl::{kernel::Kernel, shader::ShaderKey},
};

impl Kernel {
    /// Words of the largest accumulators of which a lane keeps the totals of four chunks, or a workgroup those of two turns: the shader's `MOST_JOINED_WORDS`.
    pub const MOST_JOINED_WORDS: u32 = 4;
    /// Words of the largest accumulators of which workgroups have memory for the totals of their chunks.
    pub const MOST_ROW_WORDS: u32 = 31;
}

impl ShaderKey {
    /// Those that end exact results of segments, whatever the operator makes of what is added up.
    pub(super) fn exact_segment_files(&self) -> impl Iterator<Item = &'static str> {
        let is_end = self.kernel == Kernel::ExactSegmentResults;
        let exact = self.spec().exact_kernels().filter(|_| is_end);
        let finish = exact.and_then(|exact| exact.terms.segments_finish());
        let rounding = exact.map(|exact| match exact.terms {
            ExactTerms::Doubles => &[
                "exact/limbs.wgsl@leading",
                "exact/round.wgsl@f64",
                "operator/f64_round.wgsl",
                "operator/f64_round.wgsl@shift",
            ][..],
            _ => &[
                "memory/result.wgsl",
                "exact/limbs.wgsl",
                "exact/limbs.wgsl@leading",
                "exact/round.wgsl",
            ],
        });
        finish.into_iter().chain(rounding.into_iter().flatten().copied())
    }

    /// Whether it makes exact sums of segments of `f64`s: a lane has one at a time, in memory of its own.
    fn is_of_exact_doubles(&self) -> bool {
        self.kernel.is_of_exact_segments()
            && self.spec().exact_kernels().is_some_and(|exact| exact.terms == ExactTerms::Doubles)
    }

    /// Those of its module that are no kernel's own, and neither the element's nor the operator's.
    pub(super) fn segment_files(&self) -> Vec<&'static str> {
        let mut files = vec![
            "collective/workgroup.wgsl@builtins",
            "memory/scratch.wgsl@memory",
            "reduce/job.wgsl@launch",
            "reduce/entry.wgsl@memory",
        ];
        if self.kernel == Kernel::GroupTotals {
            files.extend(["collective/acc.wgsl", "memory/scratch.wgsl"]);
            files.extend(self.spec().atomic().map(|atomic| atomic.part.name));
            files.extend(self.spec().load_files());
            files.extend(self.load_files());
            return files;
        }
        files.extend(["segments/segment.wgsl", "segments/places.wgsl"]);
        if self.kernel.makes_chunks() {
            files.push("segments/neighbours.wgsl");
            files.extend(match self.element.packing() {
                Packing::Word if !self.has_map() => {
                    &["segments/neighbours.wgsl@words", "memory/shifts.wgsl@words_from"][..]
                }
                _ => &["segments/neighbours.wgsl@any"],
            });
        }
        files.extend(match self.is_of_exact_doubles() {
            true => self.double_files(),
            false => self.acc_files(),
        });
        if let (Kernel::ExactSegmentResults, Some(exact)) =
            (self.kernel, self.spec().exact_kernels())
        {
            // Those of a whole sequence have its length from elsewhere.
            files.extend(exact.value.iter().map(|part| match part.name {
                "exact/variance.wgsl@population" => "segments/exact_moments.wgsl@population",
                "exact/variance.wgsl@sample" => "segments/exact_moments.wgsl@sample",
                name => name,
            }));
        }
        files.extend(self.load_files());
        files
    }

    /// What adds up exact sums of `f64`s.
    fn double_files(&self) -> Vec<&'static str> {
        let own = match self.kernel.makes_chunks() {
            true => "segments/exact_f64.wgsl@chunks",
            false => "segments/exact_f64.wgsl@runs",
        };
        vec![own, "segments/exact_f64.wgsl@items", "segments/exact_f64.wgsl@scratch"]
    }

    /// What combines accumulators, of items and of runs of them.
    fn acc_files(&self) -> Vec<&'static str> {
        let mut files = vec![
            "collective/acc.wgsl",
            "memory/scratch.wgsl",
            "segments/items.wgsl",
            "segments/counter.wgsl",
        ];
        files.push(match self.kernel.makes_chunks() {
            true => "segments/chunk_totals.wgsl",
            false => "segments/run_totals.wgsl",
        });
        if self.kernel == Kernel::SegmentResults {
            files.push("memory/result.wgsl");
        }
        if !self.has_own_total() {
            files.extend(["reduce/total.wgsl@run", "reduce/total.wgsl@acc"]);
        }
        files.extend(match self.kernel.is_of_exact_segments() {
            // Squares are made of them without rounding.
            true => &["reduce/load_elements.wgsl", "reduce/elems.wgsl@all"],
            false => self.spec().load_files(),
        });
        files
    }
}
