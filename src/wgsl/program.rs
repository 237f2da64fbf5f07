//! Users' WGSL in kernels: own operators, and expressions over elements. A number stands for each text.

use crate::{
    algebra::{
        element::{ElementType, Packing},
        operator::{Arithmetic, Combining, OperatorSpec, part},
        operator_type::OperatorType,
    },
    error::WgslError,
    wgsl::kernel::Kernel,
};
use std::{
    cmp,
    collections::{HashMap, HashSet, VecDeque, hash_map::Entry},
    fmt,
    hash::{Hash, Hasher},
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

/// A user's WGSL, checked and ready to be joined with the library's: an operator, or an expression over the elements that an operator takes.
///
/// Equal ones are one for as long as a value holds it: a map, an operator, a reducer, a plan, or a pipeline that a context keeps. The process holds
/// the last 128 in any case.
#[derive(Clone)]
pub struct Program(Arc<Definition>);

struct Definition {
    /// No other program of the process ever has it.
    number: u64,
    what: Arc<What>,
    spec: OperatorSpec,
}

/// A program that values hold.
struct Held {
    definition: Weak<Definition>,
    /// The kernels that have been checked with it: another call of the same expression need not check again.
    checked: HashSet<Kernel>,
}

/// Everything in which programs differ.
#[derive(Clone, PartialEq, Eq, Hash)]
struct What {
    text: String,
    operator: OperatorType,
    element: ElementType,
    kind: Kind,
    /// The program that kernels of exact results have in its place, if they do: squares of different constants may be equal.
    exact: Option<Program>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Operator { words: Words, commutes: bool },
    Map { inputs: u32, numbers: Numbers, is_own: bool, of_exact: bool },
}

/// The kinds of numbers in an expression, beside words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Numbers {
    pub(crate) floats: bool,
    /// Floats that the device may compute, as far as it is right.
    pub(crate) quick_floats: bool,
    /// Integers and floats of 64 bits.
    pub(crate) wides: bool,
    pub(crate) doubles: bool,
}

/// The form of an expression in kernels of exact results.
pub(crate) enum Exact {
    /// The same as in other kernels.
    Same,
    /// Another one, because these kernels square by themselves.
    Other(Program),
    /// This: others have another one.
    This,
}

/// Words of 32 bits of an operator's accumulators and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Words {
    pub(crate) acc: u32,
    pub(crate) out: u32,
}

impl Words {
    /// The most that an accumulator or a result has.
    pub(crate) const MAX: u32 = 16;
}

impl Program {
    /// An operator on elements of one type. `text` defines the functions that `operator/custom.wgsl` calls.
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
                parts: &[
                    part!("operator/custom.wgsl"),
                    part!("operator/range.wgsl@any"),
                    part!("operator/range.wgsl@none"),
                ],
                unchecked: None,
                software: None,
                subgroup: None,
                atomic: None,
            },
            exact: None,
        };
        let operator = OperatorType::Custom;
        let kind = Kind::Operator { words, commutes };
        Self::intern(What { text, operator, element, kind, exact: None }, spec)
    }

    /// An expression over elements of one, two or three inputs, whose values an operator takes. The operator is for the widened type. `text`
    /// defines `map_quick`, `map_checked` and `map_any`, and a function of the user's, if `is_own`. Kernels of exact results may have another one,
    /// which is for nothing else.
    pub(crate) fn map(
        text: String,
        spec: &OperatorSpec,
        element: ElementType,
        inputs: u32,
        numbers: Numbers,
        is_own: bool,
        exact: Exact,
    ) -> Self {
        let &OperatorSpec { operator, order_free, combining, .. } = spec;
        let spec = OperatorSpec {
            element,
            inputs,
            computes_floats: spec.computes_floats || numbers.quick_floats,
            // Where it is not exact there is one order.
            combining: Combining {
                unchecked: None,
                atomic: combining.atomic.filter(|_| order_free && inputs == 1),
                ..combining
            },
            ..*spec
        };
        let (of_exact, exact) = match exact {
            Exact::Same => (false, None),
            Exact::Other(other) => (false, Some(other)),
            Exact::This => (true, None),
        };
        let kind = Kind::Map { inputs, numbers, is_own, of_exact };
        Self::intern(What { text, operator, element, kind, exact }, spec)
    }

    fn intern(what: What, spec: OperatorSpec) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let mut known = known();
        if let Some(definition) = known.get(&what).and_then(|held| held.definition.upgrade()) {
            return Self(definition);
        }
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let what = Arc::new(what);
        let definition = Arc::new(Definition { number, what: what.clone(), spec });
        let held = Held { definition: Arc::downgrade(&definition), checked: HashSet::new() };
        known.insert(what, held);
        drop(known);
        let program = Self(definition);
        hold(program.clone());
        program
    }

    /// Checks a kernel with it, unless that has been done.
    pub(crate) fn check_once(
        &self,
        kernel: Kernel,
        check: impl FnOnce() -> Result<(), WgslError>,
    ) -> Result<(), WgslError> {
        let what = &self.0.what;
        if known().get(what).is_some_and(|held| held.checked.contains(&kernel)) {
            return Ok(());
        }
        check()?;
        if let Some(held) = known().get_mut(what) {
            held.checked.insert(kernel);
        }
        Ok(())
    }

    /// The operator, as plans and kernels see it.
    pub(crate) fn spec(&self) -> &OperatorSpec {
        &self.0.spec
    }

    /// The text that is joined with the library's files.
    pub(crate) fn text(&self) -> &str {
        &self.0.what.text
    }

    /// The program for kernels of exact results.
    pub(crate) fn of_exact(&self) -> &Self {
        self.0.what.exact.as_ref().unwrap_or(self)
    }

    /// Whether accumulators keep their order also within a subgroup.
    pub(crate) fn keeps_order(&self) -> bool {
        matches!(self.0.what.kind, Kind::Operator { commutes: false, .. })
    }

    /// Whether it is an operator: else kernels that read no elements have nothing of it.
    pub(crate) fn is_operator(&self) -> bool {
        matches!(self.0.what.kind, Kind::Operator { .. })
    }

    /// Whether it may have loops of the user's.
    pub(crate) fn has_own_loops(&self) -> bool {
        match self.0.what.kind {
            Kind::Operator { .. } => true,
            Kind::Map { is_own, .. } => is_own,
        }
    }

    /// Which of the ways to add floats its kernels have, for plans that have one of them.
    pub(crate) fn arithmetic(&self, arithmetic: Arithmetic) -> Arithmetic {
        match arithmetic {
            Arithmetic::Software if self.spec().computes_floats => arithmetic,
            _ => Arithmetic::Hardware,
        }
    }

    /// The shader files that load elements and lift them, without `others`.
    pub(crate) fn load_files(
        &self,
        arithmetic: Arithmetic,
        others: &[&'static str],
    ) -> Vec<&'static str> {
        let mut files = match self.0.what.kind {
            Kind::Operator { .. } => self.spec().load_files().to_vec(),
            Kind::Map { .. } => match self.spec().operator.tells_places() {
                true => vec!["expression/load.wgsl@mapped", "expression/lift.wgsl@places"],
                false => vec![
                    "expression/load.wgsl@mapped",
                    "expression/mapped.wgsl@number",
                    "expression/lift.wgsl@elements",
                ],
            },
        };
        files.extend(self.map_files());
        files.extend(self.number_files(arithmetic, others));
        files
    }

    /// The shader files that load the addends of exact sums.
    pub(crate) fn exact_load_files(
        &self,
        arithmetic: Arithmetic,
        others: &[&'static str],
    ) -> Vec<&'static str> {
        let mut files = vec!["expression/load.wgsl@exact", "expression/mapped.wgsl@number"];
        files.extend(self.map_files());
        files.extend(self.number_files(arithmetic, others));
        files
    }

    /// The files that apply the expression.
    fn map_files(&self) -> Vec<&'static str> {
        let Kind::Map { inputs, .. } = self.0.what.kind else { return Vec::new() };
        let [items, map] = match inputs {
            3 => ["expression/items.wgsl@three", "expression/map_quads.wgsl@three"],
            2 => ["expression/items.wgsl@two", "expression/map_quads.wgsl@two"],
            _ => ["expression/items.wgsl@one", "expression/map_quads.wgsl@two"],
        };
        let [bits, mapped] = match self.has_two_words() {
            true => ["expression/bits.wgsl@two_words", "expression/mapped.wgsl@two_words"],
            false => ["expression/bits.wgsl@word", "expression/mapped.wgsl@word"],
        };
        vec![map, items, bits, mapped]
    }

    /// The files of a selection by a predicate.
    pub(crate) fn predicate_files(
        &self,
        arithmetic: Arithmetic,
        others: &[&'static str],
    ) -> Vec<&'static str> {
        let bits = match self.0.what.element.packing() {
            Packing::TwoWords => "select/predicate.wgsl@two_words",
            packing if packing.is_narrow() => "select/predicate.wgsl@parts",
            _ => "select/predicate.wgsl@word",
        };
        [&[bits, "expression/mapped.wgsl@word"], &self.number_files(arithmetic, others)[..]]
            .concat()
    }

    /// Whether elements have 64 bits.
    fn has_two_words(&self) -> bool {
        self.0.what.element.packing() == Packing::TwoWords
    }

    /// The files for its numbers, without `others`: operators have some of them.
    fn number_files(&self, arithmetic: Arithmetic, others: &[&'static str]) -> Vec<&'static str> {
        let Kind::Map { numbers, .. } = self.0.what.kind else { return Vec::new() };
        let files = [numbers.float_files(arithmetic), numbers.wide_files()].concat();
        files.into_iter().filter(|file| !others.contains(file)).collect()
    }
}

impl Numbers {
    fn float_files(self, arithmetic: Arithmetic) -> Vec<&'static str> {
        if !self.floats {
            return Vec::new();
        }
        let all = [
            "element/numbers.wgsl@f32",
            "operator/f32_add.wgsl",
            "operator/key.wgsl@f32",
            "operator/f32_product.wgsl",
            "operator/f32_round.wgsl",
            "expression/floats.wgsl",
        ];
        let quick: &[_] = match (self.quick_floats, arithmetic) {
            (false, _) => &[],
            (true, Arithmetic::Software) => &["expression/floats.wgsl@software"],
            (true, _) => &["operator/f32_round.wgsl@normal", "expression/floats.wgsl@hardware"],
        };
        [&all, quick].concat()
    }

    fn wide_files(self) -> Vec<&'static str> {
        let wides = [
            "element/two_words.wgsl@less",
            "operator/f64_round.wgsl@shift",
            "operator/integer.wgsl@high_word",
            "expression/wides.wgsl",
        ];
        let doubles =
            ["operator/f64_add.wgsl", "operator/f64_product.wgsl", "expression/doubles.wgsl"];
        let rounds = ["element/numbers.wgsl@f64", "operator/f64_round.wgsl"];
        let files: [(bool, &[_]); 5] = [
            (self.wides, &wides),
            (self.doubles, &doubles),
            (self.wides && (self.doubles || self.floats), &rounds),
            (self.wides && self.floats, &["expression/wides.wgsl@floats"]),
            (self.doubles && self.floats, &["expression/doubles.wgsl@floats"]),
        ];
        files
            .into_iter()
            .filter(|(is_so, _)| *is_so)
            .flat_map(|(_, files)| files.to_vec())
            .collect()
    }
}

/// So many programs the process holds, so that a call that makes one again need not check it again.
const MAX_RECENT: usize = 128;

/// Holds a program until [`MAX_RECENT`] others have come.
fn hold(program: Program) {
    static RECENT: Mutex<VecDeque<Program>> = Mutex::new(VecDeque::new());
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    recent.push_back(program);
    let oldest = if recent.len() > MAX_RECENT { recent.pop_front() } else { None };
    // A program's end takes the lock of all programs: no other lock is held then.
    drop(recent);
    drop(oldest);
}

/// The programs that values hold. A panic while the map was locked can't have left it half changed.
fn known() -> MutexGuard<'static, HashMap<Arc<What>, Held>> {
    static KNOWN: LazyLock<Mutex<HashMap<Arc<What>, Held>>> = LazyLock::new(Mutex::default);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Definition {
    fn drop(&mut self) {
        // An equal one may have been made since the last value of this one went.
        if let Entry::Occupied(entry) = known().entry(self.what.clone())
            && entry.get().definition.strong_count() == 0
        {
            entry.remove();
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
    fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Program {
    fn cmp(&self, other: &Self) -> cmp::Ordering {
        self.0.number.cmp(&other.0.number)
    }
}

/// In short: texts are long.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "program {}", self.0.number)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_RECENT, Program, Words, known};
    use crate::{CustomOperator, ElementType, Map, Norm, Sum};

    fn texts_with(mark: &str) -> usize {
        known().keys().filter(|what| what.text.contains(mark)).count()
    }

    /// Makes as many programs as the process holds.
    fn displace_recent(text: &str) {
        for number in 0..MAX_RECENT {
            let words = Words { acc: 1, out: 1 };
            Program::operator(format!("{text} {number}"), ElementType::U32, words, true);
        }
    }

    #[test]
    fn programs_last_as_long_as_values_hold_them() {
        let map = Map::<f32>::new("x * f32(i + 987654321u)").expect("an expression");
        let mark = "987654321u";
        let first = map.program(Sum).expect("a program");
        assert_eq!(first, map.program(Sum).expect("the same"));
        // A norm has a program of squares, and one of exact results.
        let norm = map.program(Norm).expect("a program");
        assert_eq!(texts_with(mark), 3);
        let number = first.0.number;
        drop((first, norm));
        // The process holds it, so it need not be checked again.
        assert_eq!(map.program(Sum).expect("the same").0.number, number);
        displace_recent("a text");
        assert_eq!(texts_with(mark), 0);
        assert!(map.program(Sum).expect("another program").0.number > number);
        let own = "fn identity() -> u32 { return 98761234u; }
                   fn combine(a: u32, b: u32) -> u32 { return min(a, b); }";
        let own = CustomOperator::<u32, u32>::commutative(own).expect("an operator");
        assert_eq!(texts_with("98761234u"), 1);
        drop(own);
        displace_recent("another text");
        assert_eq!(texts_with("98761234u"), 0);
    }
}
