//! The kernels of selections, and which shader files make up their modules.

use crate::{
    algebra::element::ElementType,
    way::Mechanism,
    wgsl::{binding::Binding, kernel::Kernel, selected::Selected, shader::ShaderKey},
};

impl Kernel {
    /// The last of three passes that does what this single one does, or this one.
    pub(super) const fn of_three_passes(self) -> Self {
        let Self::SelectSinglePass { what } = self else { return self };
        match what {
            Selected::Flagged => Self::SelectFlagged,
            Selected::Where => Self::SelectWhere,
            Selected::Heads => Self::SelectHeads,
            Selected::Runs => Self::SelectRuns,
            Selected::Begins => Self::SelectBegins,
        }
    }

    /// The single pass that does what this last of three does, if it is one.
    pub(crate) const fn of_single_pass(self) -> Option<Self> {
        let what = match self {
            Self::SelectFlagged => Selected::Flagged,
            Self::SelectWhere => Selected::Where,
            Self::SelectHeads => Selected::Heads,
            Self::SelectRuns => Selected::Runs,
            Self::SelectBegins => Selected::Begins,
            _ => return None,
        };
        Some(Self::SelectSinglePass { what })
    }

    /// What a selection's kernel binds. A single pass has the count in the place of what passes hand to each other.
    pub(super) const fn selection_bindings(self) -> &'static [(Binding, bool)] {
        match self {
            Self::CountFlagged => &[(Binding::RightWords, true), (Binding::Scratch, false)],
            Self::CountWhere | Self::CountHeads => {
                &[(Binding::Words, true), (Binding::Scratch, false)]
            }
            Self::CountTotals => &[(Binding::Scratch, false), (Binding::Result, false)],
            Self::SelectFlagged => &[
                (Binding::Words, true),
                (Binding::RightWords, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
            ],
            Self::SelectWhere | Self::SelectHeads => {
                &[(Binding::Words, true), (Binding::Scratch, false), (Binding::Result, false)]
            }
            Self::SelectRuns | Self::SelectBegins => &[
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
                (Binding::Output, false),
            ],
            Self::SelectSinglePass { what: Selected::Flagged } => &[
                (Binding::Words, true),
                (Binding::RightWords, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
                (Binding::Accumulator, false),
            ],
            Self::SelectSinglePass { what: Selected::Where } => &[
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
                (Binding::Accumulator, false),
            ],
            Self::SelectSinglePass { what: Selected::Heads } => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
                (Binding::Accumulator, false),
            ],
            Self::SelectSinglePass { what: Selected::Runs | Selected::Begins } => &[
                (Binding::Vectors, true),
                (Binding::Words, true),
                (Binding::Scratch, false),
                (Binding::Result, false),
                (Binding::Output, false),
                (Binding::Accumulator, false),
            ],
            _ => &[],
        }
    }

    /// Whether it is of selections alone. These copy words, of whatever type: their modules are those of counts of `u32`s, or, by predicates, of
    /// counts of what the predicate is over.
    pub const fn is_selection(self) -> bool {
        matches!(
            self.of_three_passes(),
            Self::CountFlagged
                | Self::CountWhere
                | Self::CountHeads
                | Self::CountTotals
                | Self::SelectFlagged
                | Self::SelectWhere
                | Self::SelectHeads
                | Self::SelectRuns
                | Self::SelectBegins
        )
    }

    /// Whether it is the last or the only pass of a selection, which writes.
    pub const fn scatters(self) -> bool {
        matches!(
            self.of_three_passes(),
            Self::SelectFlagged
                | Self::SelectWhere
                | Self::SelectHeads
                | Self::SelectRuns
                | Self::SelectBegins
        )
    }

    /// Whether it looks at elements as they are in memory, without a predicate. For those of less than a word, of either size, there are modules of
    /// their own: those of counts of `u8`s. So there are for those of more than two words: those of counts of `[u32; 4]`s.
    pub const fn copies_items(self) -> bool {
        matches!(
            self.of_three_passes(),
            Self::CountHeads
                | Self::SelectFlagged
                | Self::SelectHeads
                | Self::SelectRuns
                | Self::SelectBegins
        )
    }

    /// Whether it selects by a predicate, which is the user's: there is no such kernel without one.
    pub const fn is_by_predicate(self) -> bool {
        matches!(self.of_three_passes(), Self::CountWhere | Self::SelectWhere)
    }
}

impl ShaderKey {
    /// Those of its module that are no kernel's own, and neither the element's nor the predicate's. Of elements of several components another one stands
    /// in for one of `own`.
    pub(super) fn selection_files(&self, own: &mut [&'static str]) -> Vec<&'static str> {
        let heads = own.iter_mut().find(|file| **file == "select/heads.wgsl@words");
        if let Some(heads) = heads.filter(|_| self.element.is_vector()) {
            *heads = "select/heads.wgsl@components";
        }
        let mut files = vec!["select/places.wgsl@positions", "reduce/job.wgsl@launch"];
        files.extend(match self.mechanism {
            Mechanism::Subgroup => {
                ["reduce/entry.wgsl@subgroups", "collective/subgroup_builtins.wgsl"]
            }
            Mechanism::WorkgroupMemory => {
                ["reduce/entry.wgsl@memory", "collective/workgroup.wgsl@builtins"]
            }
        });
        let is_narrow = self.element.packing().is_narrow();
        if self.kernel.copies_items() || self.kernel.is_by_predicate() {
            files.push(match is_narrow {
                true => "select/load.wgsl@parts",
                false if self.element.is_vector() => "select/load.wgsl@components",
                false => "select/load.wgsl@words",
            });
        }
        if self.kernel.scatters() {
            files.push(match is_narrow {
                true => "select/store.wgsl@parts",
                false if self.element.is_vector() => "select/store.wgsl@components",
                false => "select/store.wgsl@words",
            });
            files.push(match self.mechanism {
                Mechanism::Subgroup => "select/rows.wgsl@subgroups",
                Mechanism::WorkgroupMemory => "select/rows.wgsl@memory",
            });
            files.extend(match self.mechanism {
                Mechanism::Subgroup if !self.stages_positions() => {
                    &["select/emit_rows.wgsl", "select/places.wgsl@apart"][..]
                }
                _ => &["select/places.wgsl@together"],
            });
        }
        match self.kernel {
            Kernel::SelectSinglePass { what } => files.extend(self.single_pass_files(what)),
            kernel => {
                files.push("select/entries.wgsl@all");
                if kernel.scatters() {
                    match self.mechanism {
                        Mechanism::Subgroup => {
                            files.extend(["select/scatter.wgsl@subgroups", self.round_file()]);
                        }
                        Mechanism::WorkgroupMemory => files.push("select/scatter.wgsl@memory"),
                    }
                }
            }
        }
        files
    }

    /// Whether it writes what runs begin with by way of positions in workgroup memory: most elements begin none.
    fn stages_positions(&self) -> bool {
        let Kernel::SelectSinglePass { what } = self.kernel else { return false };
        self.mechanism == Mechanism::Subgroup && what.is_of_runs()
    }

    /// Whether it loads the elements of a selection as vectors, too: those of a word or two.
    pub(crate) fn selects_by_vectors(&self) -> bool {
        self.stages_positions() && self.element == ElementType::U32
    }

    /// What makes the flags of a round.
    fn round_file(&self) -> &'static str {
        let is_by_mask = self.kernel.of_three_passes() == Kernel::SelectFlagged
            && self.mechanism == Mechanism::Subgroup;
        match self.selects_by_vectors() {
            true => "select/round.wgsl@vectors",
            false if is_by_mask => "select/round.wgsl@mask",
            false => "select/round.wgsl@items",
        }
    }

    /// Those that look back as scans do: their accumulators are numbers of elements.
    fn single_pass_files(&self, what: Selected) -> Vec<&'static str> {
        let mut files = vec![
            "select/single_pass.wgsl",
            match self.mechanism {
                Mechanism::Subgroup => "select/block.wgsl@subgroups",
                Mechanism::WorkgroupMemory => "select/block.wgsl@memory",
            },
            "select/entries.wgsl@none",
            self.round_file(),
            "scan/look_back.wgsl",
            "memory/progress.wgsl",
            "collective/acc.wgsl",
            "collective/nodes.wgsl",
            "collective/nodes.wgsl@scan",
            "operator/range.wgsl@any",
            "operator/range.wgsl@none",
        ];
        if self.selects_by_vectors() {
            files.push("memory/shifts.wgsl@words_from");
        }
        if self.mechanism == Mechanism::Subgroup {
            files.push(match self.stages_positions() {
                true => "select/emit_staged.wgsl",
                false => "select/emit_at_once.wgsl",
            });
        }
        files.extend(match what.acc_words() {
            1 => ["operator/acc.wgsl@word", "select/acc.wgsl@counts"],
            _ => ["operator/acc.wgsl@two_words", "select/acc.wgsl@runs"],
        });
        files
    }
}
