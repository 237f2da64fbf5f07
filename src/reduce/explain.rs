//! Plans in words.

use crate::{
    algebra::{
        operator::{Arithmetic, ExactTerms, OperatorSpec},
        precision::Precision,
    },
    plural::count,
    reduce::plan::{Ending, ReductionPlan},
    way::{AtomicScope, Strategy},
    wgsl::lanes::Lanes,
};
use std::fmt;

impl ReductionPlan {
    /// How an exact reduction adds up elements.
    fn exactly(&self, terms: ExactTerms) -> &'static str {
        match (terms, self.arithmetic) {
            (ExactTerms::Squares | ExactTerms::Products, _) => {
                "products without rounding: those of elements within 16 binades as sums of integers, \
                 all others one by one in workgroup memory"
            }
            (ExactTerms::Doubles, _) => {
                "without rounding: those within 32 binades as integers of 96 bits, all others one by one in \
                 workgroup memory"
            }
            (ExactTerms::Moments | ExactTerms::NumberMoments, _) => {
                "products without rounding, in workgroup memory"
            }
            (ExactTerms::Elements, Arithmetic::Unchecked | Arithmetic::Hardware) => {
                "without rounding: those within 19 binades as two integers each, which the device's \
                 adder makes of them, all others one by one in workgroup memory"
            }
            (ExactTerms::Elements, Arithmetic::Software) => {
                "without rounding: one by one in workgroup memory"
            }
        }
    }

    /// The plan in whole sentences, for people.
    pub fn explain(&self) -> String {
        let &Self { spec, len, block_items, .. } = self;
        let OperatorSpec { operator, element, inputs, .. } = spec;
        let blocks = self.blocks();
        let items = match inputs {
            1 => "",
            2 => "pairs of ",
            _ => "triples of ",
        };
        let mut text = format!("{operator} of {len} {items}{element}");
        if len == 0 {
            text += ": nothing to read, one workgroup writes the result of nothing.";
            return text;
        }
        let lanes = match self.ending {
            Ending::Exact => Lanes::USUAL,
            _ => Lanes::of(spec.acc_words(), spec.order_free),
        };
        let round_items = 1u64 << lanes.log2_round_items;
        text += &format!(
            ", cut into {} of {block_items} elements ({} of {round_items}), a workgroup of {} \
             invocations for each.\n",
            count(blocks, "block"),
            count(block_items / round_items, "round"),
            lanes.count,
        );
        text += match inputs {
            1 => {
                "Each invocation loads 16 bytes at a time, eight loads in flight, and folds them in registers.\n"
            }
            2 => {
                "Each invocation loads sixteen elements of either input at a time, word by word, and multiplies \
                 them in registers.\n"
            }
            _ => {
                "Each invocation loads sixteen elements of each of three inputs at a time, word by word, and folds what an \
                 expression makes of them in registers.\n"
            }
        };
        text += &match (self.subgroups, spec.exact_kernels()) {
            (Some(sizes), _) => format!(
                "A workgroup's invocations combine within subgroups of {sizes} {}{}.\n",
                if spec.combining.subgroup.is_some() {
                    "with a subgroup built-in"
                } else {
                    "by shuffles, pairwise"
                },
                if self.strategy() == Strategy::SubgroupAtomic {
                    ""
                } else {
                    ", then through workgroup memory"
                },
            ),
            (None, Some(exact)) if self.ending == Ending::Exact => {
                format!("A workgroup's invocations add {}.\n", self.exactly(exact.terms))
            }
            (None, _) => "A workgroup's invocations combine through workgroup memory.\n".to_owned(),
        };
        let launches = self.launches();
        if launches > 1 {
            text += &format!(
                "The input spans several bindings: {} in a row, each of which goes on from the one before.\n",
                count(launches as u64, "launch"),
            );
        }
        let partials = count(blocks, "partial");
        text += &match self.ending {
            Ending::SingleBlock => "That is the result: no second pass.".to_owned(),
            Ending::Fold => format!("Then one workgroup folds {partials}."),
            Ending::LastWorkgroup => {
                format!("The last workgroup to finish folds {partials}.")
            }
            Ending::Atomic { scope, float_add } => format!(
                "Each {} combines its total into one accumulator, by atomics{}, and a last dispatch \
                 makes the result of it.",
                match scope {
                    AtomicScope::Workgroup => "workgroup",
                    AtomicScope::Subgroup => "subgroup",
                },
                if float_add { " that add floats" } else { "" },
            ),
            Ending::Exact => {
                "Workgroups add their sums into copies of an accumulator, by atomics, and a last \
                 dispatch adds these up, and rounds: once."
                    .to_owned()
            }
        };
        if !self.is_reproducible() {
            text += match self.ending {
                Ending::Atomic { .. } => {
                    " Which comes first changes the rounding: the bits may differ from run to run."
                }
                _ => {
                    " The device's own additions decide on the bits: another device may have others."
                }
            };
        }
        if spec.computes_floats {
            text += match self.precision {
                Precision::Unordered => "",
                Precision::Reproducible => {
                    " The bits depend on the elements and their order alone."
                }
                Precision::Exact => " The bits depend on the elements alone.",
            };
        }
        text
    }
}

impl fmt::Display for ReductionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ending == Ending::Exact {
            f.write_str("exact, ")?;
        }
        write!(f, "{}, {}", self.strategy().name(), self.mechanism)?;
        if let Some(sizes) = self.subgroups {
            write!(f, " {sizes}")?;
        }
        write!(f, ", {} x {}", self.blocks(), self.block_items)?;
        if self.dispatches.len() != 1 {
            write!(f, ", {} dispatches", self.dispatches.len())?;
        }
        Ok(())
    }
}
