//! What users bring into kernels: operators of their own, and expressions that elements go through. As a number that stands for a text.

use crate::algebra::{
    element::ElementType,
    operator::{Arithmetic, Combining, OperatorSpec, part},
    operator_type::OperatorType,
};
use std::{
    cmp::Ordering,
    collections::HashMap,
    fmt,
    hash::{Hash, Hasher},
    sync::{Mutex, PoisonError},
};

/// WGSL that a user has brought, checked and ready to be joined with the library's: an operator, or what elements become before an operator takes them.
///
/// Equal ones are one, for as long as the process runs: a program takes as much memory as its text, and each context that uses it
/// keeps its pipelines.
#[derive(Clone, Copy)]
pub struct Program(&'static Definition);

struct Definition {
    number: usize,
    what: What,
    spec: OperatorSpec,
}

/// All that tells programs apart.
#[derive(Clone, PartialEq, Eq, Hash)]
struct What {
    text: String,
    operator: OperatorType,
    element: ElementType,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Operator { words: Words, commutes: bool },
    Map { inputs: u32, has_floats: bool, is_own: bool },
}

/// Words of 32 bits of an operator's accumulators and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Words {
    pub(crate) acc: u32,
    pub(crate) out: u32,
}

impl Words {
    /// Of an accumulator, or a result, at most.
    pub(crate) const MAX: u32 = 16;
}

impl Program {
    /// An operator on elements of one type. `text` defines what `operator/custom.wgsl` has not.
    pub(crate) fn operator(
        text: String,
        element: ElementType,
        words: Words,
        commutes: bool,
    ) -> Self {
        let identity = &[0; Words::MAX as usize][..words.acc as usize];
        let spec = OperatorSpec {
            operator: OperatorType::Custom,
            element,
            inputs: 1,
            out_words: words.out,
            order_free: commutes,
            computes_floats: false,
            combining: Combining {
                identity,
                parts: &[part!("operator/custom.wgsl"), part!("operator/any_range.wgsl")],
                unchecked: None,
                software: None,
                subgroup: None,
                atomic: None,
            },
            exact: None,
        };
        let operator = OperatorType::Custom;
        let kind = Kind::Operator { words, commutes };
        Self::intern(What { text, operator, element, kind }, spec)
    }

    /// What elements of one word, or pairs of them, become before an operator takes them. `text` defines `map_quick` and `map_any`,
    /// and a function of the user's, if `is_own`.
    pub(crate) fn map(
        text: String,
        spec: &'static OperatorSpec,
        inputs: u32,
        has_floats: bool,
        computes_floats: bool,
        is_own: bool,
    ) -> Self {
        let &OperatorSpec { operator, element, order_free, combining, .. } = spec;
        let spec = OperatorSpec {
            inputs,
            computes_floats: spec.computes_floats || computes_floats,
            // There is one order, and one rounding.
            combining: Combining {
                unchecked: None,
                atomic: combining.atomic.filter(|_| order_free && inputs == 1),
                ..combining
            },
            exact: None,
            ..*spec
        };
        let kind = Kind::Map { inputs, has_floats, is_own };
        Self::intern(What { text, operator, element, kind }, spec)
    }

    fn intern(what: What, spec: OperatorSpec) -> Self {
        static KNOWN: Mutex<Option<HashMap<&'static What, Program>>> = Mutex::new(None);
        // A panic while the map was locked can't have left it half changed.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(&program) = known.get(&what) {
            return program;
        }
        // Plans, shaders' keys and what is recorded have it, by value: nothing tells when the last one is gone.
        let definition: &'static Definition =
            Box::leak(Box::new(Definition { number: known.len(), what, spec }));
        known.insert(&definition.what, Self(definition));
        Self(definition)
    }

    /// The operator, as plans and kernels see it.
    pub(crate) fn spec(self) -> &'static OperatorSpec {
        &self.0.spec
    }

    /// What is joined with the library's files.
    pub(crate) fn text(self) -> &'static str {
        &self.0.what.text
    }

    /// Whether what is combined keeps its order also within a subgroup.
    pub(crate) fn keeps_order(self) -> bool {
        matches!(self.0.what.kind, Kind::Operator { commutes: false, .. })
    }

    /// Whether it is an operator: else kernels that read no elements have nothing of it.
    pub(crate) fn is_operator(self) -> bool {
        matches!(self.0.what.kind, Kind::Operator { .. })
    }

    /// Whether it may have loops of the user's.
    pub(crate) fn has_own_loops(self) -> bool {
        match self.0.what.kind {
            Kind::Operator { .. } => true,
            Kind::Map { is_own, .. } => is_own,
        }
    }

    /// Which of the ways to add floats its kernels have, for plans that have one of them.
    pub(crate) fn arithmetic(self, arithmetic: Arithmetic) -> Arithmetic {
        match arithmetic {
            Arithmetic::Software if self.spec().computes_floats => arithmetic,
            _ => Arithmetic::Hardware,
        }
    }

    /// The shader files that load what accumulators begin with, beside those that there are.
    pub(crate) fn load_files(
        self,
        arithmetic: Arithmetic,
        others: &[&'static str],
    ) -> Vec<&'static str> {
        let own: &[_] = match self.0.what.kind {
            Kind::Operator { .. } => self.spec().load_files(),
            Kind::Map { inputs: 2, .. } => {
                &["expression/load_mapped.wgsl", "expression/items_of_two.wgsl"]
            }
            Kind::Map { .. } => &["expression/load_mapped.wgsl", "expression/items_of_one.wgsl"],
        };
        [own, &self.expression_files(arithmetic, others)].concat()
    }

    /// Those that an expression's text refers to, beside those that there are. Operators of floats have some of the floats' files.
    pub(crate) fn expression_files(
        self,
        arithmetic: Arithmetic,
        others: &[&'static str],
    ) -> Vec<&'static str> {
        let mapped: &[_] = if self.is_operator() { &[] } else { &["expression/mapped.wgsl"] };
        let of_floats = self.float_files(arithmetic);
        let all = mapped.iter().chain(of_floats).copied();
        all.filter(|file| !others.contains(file)).collect()
    }

    /// Those of the floats of an expression.
    fn float_files(self, arithmetic: Arithmetic) -> &'static [&'static str] {
        match (self.0.what.kind, arithmetic) {
            (Kind::Map { has_floats: true, .. }, Arithmetic::Software) => &[
                "element/f32_bits.wgsl",
                "operator/f32_add.wgsl",
                "operator/f32_key.wgsl",
                "operator/f32_product.wgsl",
                "operator/f32_round.wgsl",
                "expression/floats.wgsl",
                "expression/floats_software.wgsl",
            ],
            (Kind::Map { has_floats: true, .. }, _) => &[
                "element/f32_bits.wgsl",
                "operator/f32_add.wgsl",
                "operator/f32_key.wgsl",
                "operator/f32_normal.wgsl",
                "operator/f32_product.wgsl",
                "operator/f32_round.wgsl",
                "expression/floats.wgsl",
                "expression/floats_hardware.wgsl",
            ],
            _ => &[],
        }
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.0.number == other.0.number
    }
}

impl Eq for Program {}

impl Hash for Program {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.number.hash(state);
    }
}

impl PartialOrd for Program {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Program {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.number.cmp(&other.0.number)
    }
}

/// In short: texts are long.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "program {}", self.0.number)
    }
}
