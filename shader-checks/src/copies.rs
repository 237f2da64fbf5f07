//! No struct and no array is copied whole from a variable that is written while the copy is in use.
//!
//! DXC, Microsoft's compiler of HLSL, may take such a copy for another name of its source, and does not see that the
//! source is overwritten first. So `let old = next; next = load(); add(old);` adds what was loaded. It compiles copies
//! member by member correctly: `let old = Rows(next.row0, next.row1);`. So it does numbers, vectors and matrices.
//!
//! The source is a variable of a function, or a private one of the module, or a part of one. A load of a struct or an
//! array makes a copy. The copy is in use as long as something may still read
//!
//! - the copy, a part of it, or a struct or array that has a part of it;
//! - what is computed from it without a name: naga may write that into the HLSL only where it is used. A `let` of a
//!   number, a vector or a matrix is computed where it stands;
//! - a variable that the copy was stored in, until all of that variable is overwritten;
//! - the result of a call, if the function returns what it was given, or a copy of a private variable.
//!
//! All ways through branches and loops count. A function that is given a copy uses it until it returns, so it must not
//! write the source either.
//!
//! A copy of a part minds no stores to other parts that constants tell from it: a copy of `pair.first` none to
//! `pair.second`, nor a copy of the first element of an array any to the second.
//!
//! Whether DXC errs depends on what else is in the shader, down to functions that nothing calls. So this also refuses
//! what came out right whenever it was tried: copies of parts, and most copies in variables.
//!
//! These are left out:
//!
//! - Workgroup variables, and what other lanes write there: DXC does not take memory of one lane for memory that they
//!   share. All that was tried came out right.
//! - Buffers: naga loads each member of a struct there by itself.
//! - A struct that is put together of a variable's members and stored in the same variable, as in
//!   `pair = Pair(pair.second, pair.first)`: the HLSL makes it in another variable first.
//! - What a function is given, stores in a variable, and changes there: DXC keeps these two apart.
//! - Atomics: nothing that has one can be copied.
//! - Pointers that are parameters: [`uniformity`](crate::uniformity) refuses them.
//! - What a function leaves in a private variable when it returns, and copies of its own variables that it returns.

mod site;

use crate::{
    finding::Finding,
    flow::{Root, root},
    uses::{functions, operands, taken, types},
};
use naga::{
    AddressSpace, Block, Expression, Function, GlobalVariable, Handle, Module, Statement,
    TypeInner, front::Typifier,
};
use std::{
    collections::{HashMap, HashSet},
    mem,
};

const PROBLEM: &str = "a struct or array is copied whole from a variable that is written while the \
                       copy is in use, and DXC takes the copy for the variable: copy it member by \
                       member, as in `Rows(next.row0, next.row1)`";

/// What is wrong in a module.
pub fn check(module: &Module, source: &str) -> Vec<Finding> {
    let mut callees = HashMap::new();
    let mut findings = Vec::new();
    for (handle, name, function) in functions(module) {
        let mut copies = Copies::new(module, function, &callees);
        copies.follow();
        let wrong = copies.wrong.iter().map(|&site| site::span(function, name, source, site));
        findings.extend(wrong.map(|span| Finding::new(source, name, span, PROBLEM)));
        let effects = copies.effects;
        callees.extend(handle.map(|handle| (handle, effects)));
    }
    findings
}

/// What a call does, also through the functions that it calls.
#[derive(Debug, Default)]
struct Effects {
    reads: HashSet<Handle<GlobalVariable>>,
    writes: HashSet<Handle<GlobalVariable>>,
    /// What it returns copies of.
    returns: HashSet<Source>,
}

/// What is copied.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Source {
    /// A variable, or a part of one.
    Place(Place),
    /// What a function is given as this argument.
    Argument(u32),
}

/// A variable, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    variable: Root,
    /// Members and places in arrays, from the outside in; nothing where a number is not constant.
    path: Vec<Option<u32>>,
}

/// What has a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    /// An expression.
    Value(Handle<Expression>),
    /// A variable, in whatever part of it.
    Variable(Root),
}

/// That there is a copy of something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Held {
    holder: Holder,
    /// Whether it has all or a part of it as a struct or an array, and not just something that is computed from it.
    is_whole: bool,
    source: Source,
    /// Where the copy was made.
    site: Handle<Expression>,
    /// Whether the source may have been written since.
    is_stale: bool,
}

/// Follows the copies through a function.
struct Copies<'m> {
    module: &'m Module,
    function: &'m Function,
    types: Typifier,
    callees: &'m HashMap<Handle<Function>, Effects>,
    /// What may be held here; nothing where no lane comes.
    held: HashSet<Held>,
    /// The same at each `break` and `continue`, so far, of the statement that they leave or go on with.
    at_breaks: HashSet<Held>,
    at_continues: HashSet<Held>,
    effects: Effects,
    /// Where copies were made that were used too late.
    wrong: HashSet<Handle<Expression>>,
}

impl<'m> Copies<'m> {
    fn new(
        module: &'m Module,
        function: &'m Function,
        callees: &'m HashMap<Handle<Function>, Effects>,
    ) -> Self {
        Self {
            module,
            function,
            types: types(module, function),
            callees,
            held: HashSet::new(),
            at_breaks: HashSet::new(),
            at_continues: HashSet::new(),
            effects: Effects::default(),
            wrong: HashSet::new(),
        }
    }

    fn follow(&mut self) {
        for (handle, expression) in self.function.expressions.iter() {
            if let Expression::FunctionArgument(index) = *expression
                && self.is_whole(handle)
            {
                self.make(handle, Source::Argument(index));
            }
        }
        self.block(&self.function.body);
    }

    fn block(&mut self, block: &'m Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'m Statement) {
        match *statement {
            // Its condition comes at the end.
            Statement::Loop { .. } => {}
            _ => taken(statement).into_iter().for_each(|value| self.used(value)),
        }
        match *statement {
            Statement::Emit(ref range) => {
                range.clone().for_each(|expression| self.emit(expression));
            }
            Statement::Block(ref block) => self.block(block),
            Statement::If { ref accept, ref reject, .. } => {
                let before = self.held.clone();
                self.block(accept);
                let accepted = mem::replace(&mut self.held, before);
                self.block(reject);
                self.held.extend(accepted);
            }
            Statement::Switch { ref cases, .. } => {
                let before = mem::take(&mut self.held);
                let at_outer_breaks = mem::take(&mut self.at_breaks);
                let mut after = HashSet::new();
                for case in cases {
                    self.held = before.clone();
                    self.block(&case.body);
                    after.extend(mem::take(&mut self.held));
                }
                after.extend(mem::replace(&mut self.at_breaks, at_outer_breaks));
                self.held = after;
            }
            Statement::Loop { ref body, ref continuing, break_if } => {
                let outside = (mem::take(&mut self.at_breaks), mem::take(&mut self.at_continues));
                // Each round begins with what may be held before the first, or after any.
                loop {
                    let before = self.held.clone();
                    self.block(body);
                    self.held.extend(mem::take(&mut self.at_continues));
                    self.block(continuing);
                    if let Some(condition) = break_if {
                        self.used(condition);
                        self.at_breaks.extend(self.held.iter().cloned());
                    }
                    self.held.extend(before.iter().cloned());
                    if self.held == before {
                        break;
                    }
                }
                self.held = mem::replace(&mut self.at_breaks, outside.0);
                self.at_continues = outside.1;
            }
            Statement::Break => self.at_breaks.extend(mem::take(&mut self.held)),
            Statement::Continue => self.at_continues.extend(mem::take(&mut self.held)),
            Statement::Kill => self.held.clear(),
            Statement::Return { value } => {
                let returned = value.map(|value| self.of(Holder::Value(value)));
                for held in returned.into_iter().flatten() {
                    if held.is_whole && held.source.is_known_to_callers() {
                        self.effects.returns.insert(held.source);
                    }
                }
                self.held.clear();
            }
            Statement::Store { pointer, value } => self.store(pointer, value),
            Statement::Call { function, ref arguments, result } => {
                self.call(function, arguments, result);
            }
            // What else there is takes values, or is refused by `taken`.
            _ => {}
        }
    }

    fn emit(&mut self, handle: Handle<Expression>) {
        self.forget(Holder::Value(handle));
        match self.function.expressions[handle] {
            Expression::Load { pointer } => {
                self.used(pointer);
                self.read(pointer);
                self.load(handle, pointer);
            }
            ref expression => {
                let operands = operands(expression);
                let mut inherited: Vec<Held> =
                    operands.iter().flat_map(|&operand| self.inherited(handle, operand)).collect();
                if self.is_computed_here(handle) {
                    operands.iter().for_each(|&operand| self.used(operand));
                    inherited.retain(|held| held.is_whole);
                }
                self.held.extend(inherited);
            }
        }
    }

    /// What an expression has of what its operand has.
    fn inherited(
        &self,
        handle: Handle<Expression>,
        operand: Handle<Expression>,
    ) -> impl Iterator<Item = Held> {
        let is_whole = self.is_whole(handle);
        self.of(Holder::Value(operand)).into_iter().map(move |held| Held {
            holder: Holder::Value(handle),
            is_whole: held.is_whole && is_whole,
            ..held
        })
    }

    /// `value` is loaded from where a pointer leads to.
    fn load(&mut self, value: Handle<Expression>, pointer: Handle<Expression>) {
        if !self.is_whole(value) {
            return;
        }
        let place = place(self.function, pointer);
        for held in self.of(Holder::Variable(place.variable)) {
            self.held.insert(Held { holder: Holder::Value(value), ..held });
        }
        if self.is_of_one_lane(place.variable) {
            self.make(value, Source::Place(place));
        }
    }

    fn store(&mut self, pointer: Handle<Expression>, value: Handle<Expression>) {
        let place = place(self.function, pointer);
        let stored: Vec<Held> = self
            .of(Holder::Value(value))
            .into_iter()
            // Numbers are all taken before the store, also those of which a struct or array is put together.
            .filter(|held| held.is_whole)
            .collect();
        self.write(&place);
        let holder = Holder::Variable(place.variable);
        if place.path.is_empty() {
            self.forget(holder);
        }
        // A variable is no other name of itself.
        if self.is_of_one_lane(place.variable) {
            let from_elsewhere =
                stored.into_iter().filter(|held| !held.source.is_in(place.variable));
            self.held.extend(from_elsewhere.map(|held| Held { holder, ..held }));
        }
    }

    fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) {
        arguments.iter().for_each(|&argument| self.used(argument));
        let effects = &self.callees[&function];
        for &global in &effects.reads {
            self.used_of(Holder::Variable(Root::Global(global)));
        }
        for &global in &effects.writes {
            self.write(&Place { variable: Root::Global(global), path: Vec::new() });
        }
        self.effects.reads.extend(&effects.reads);
        // What it was given lives as long as it runs. Numbers are taken before.
        for &argument in arguments {
            let given = self.of(Holder::Value(argument));
            self.wrong.extend(
                given.iter().filter(|held| held.is_stale && held.is_whole).map(|held| held.site),
            );
        }
        let Some(result) = result else { return };
        let holder = Holder::Value(result);
        self.forget(holder);
        for source in &effects.returns {
            match *source {
                Source::Argument(index) => {
                    let given = self.of(Holder::Value(arguments[index as usize]));
                    self.held.extend(
                        given
                            .into_iter()
                            .filter(|held| held.is_whole)
                            .map(|held| Held { holder, ..held }),
                    );
                }
                Source::Place(_) => self.make(result, source.clone()),
            }
        }
    }

    /// `value` becomes a copy of `source`.
    fn make(&mut self, value: Handle<Expression>, source: Source) {
        self.held.insert(Held {
            holder: Holder::Value(value),
            is_whole: true,
            source,
            site: value,
            is_stale: false,
        });
    }

    /// Whoever has a copy of a place, or of a part of it, has an old one from here on.
    fn write(&mut self, place: &Place) {
        if let Root::Global(global) = place.variable {
            self.effects.writes.insert(global);
        }
        let held = mem::take(&mut self.held).into_iter();
        self.held = held
            .map(|held| Held { is_stale: held.is_stale || held.source.overlaps(place), ..held })
            .collect();
    }

    /// The variable that a pointer leads into is read.
    fn read(&mut self, pointer: Handle<Expression>) {
        let variable = root(self.function, pointer);
        if let Root::Global(global) = variable {
            self.effects.reads.insert(global);
        }
        self.used_of(Holder::Variable(variable));
    }

    fn used(&mut self, value: Handle<Expression>) {
        self.used_of(Holder::Value(value));
    }

    fn used_of(&mut self, holder: Holder) {
        let held = self.held.iter().filter(|held| held.holder == holder && held.is_stale);
        self.wrong.extend(held.map(|held| held.site));
    }

    fn of(&self, holder: Holder) -> Vec<Held> {
        self.held.iter().filter(|held| held.holder == holder).cloned().collect()
    }

    fn forget(&mut self, holder: Holder) {
        self.held.retain(|held| held.holder != holder);
    }

    /// Whether no other lane has the variable.
    fn is_of_one_lane(&self, variable: Root) -> bool {
        match variable {
            Root::Local(_) => true,
            Root::Global(global) => {
                self.module.global_variables[global].space == AddressSpace::Private
            }
            Root::Argument => false,
        }
    }

    /// Whether it is a struct or an array.
    fn is_whole(&self, value: Handle<Expression>) -> bool {
        matches!(
            self.types[value].inner_with(&self.module.types),
            TypeInner::Struct { .. } | TypeInner::Array { .. }
        )
    }

    /// Whether the HLSL has a variable for it, which is set where the expression is emitted. It has none for pointers.
    fn is_computed_here(&self, value: Handle<Expression>) -> bool {
        let is_pointer = self.types[value].inner_with(&self.module.types).pointer_space().is_some();
        !is_pointer && self.function.named_expressions.contains_key(&value)
    }
}

impl Source {
    /// Whether it means something where the function has returned.
    fn is_known_to_callers(&self) -> bool {
        match self {
            Self::Place(place) => matches!(place.variable, Root::Global(_)),
            Self::Argument(_) => true,
        }
    }

    fn is_in(&self, variable: Root) -> bool {
        matches!(self, Self::Place(place) if place.variable == variable)
    }

    fn overlaps(&self, place: &Place) -> bool {
        match self {
            Self::Place(source) => source.overlaps(place),
            Self::Argument(_) => false,
        }
    }
}

impl Place {
    fn overlaps(&self, other: &Self) -> bool {
        let are_apart = |(a, b): (&Option<u32>, &Option<u32>)| a.is_some() && b.is_some() && a != b;
        self.variable == other.variable && !self.path.iter().zip(&other.path).any(are_apart)
    }
}

/// Where `pointer`, an expression of `function`, leads to.
fn place(function: &Function, pointer: Handle<Expression>) -> Place {
    let mut path = Vec::new();
    let mut at = pointer;
    loop {
        at = match function.expressions[at] {
            Expression::Access { base, .. } => {
                path.push(None);
                base
            }
            Expression::AccessIndex { base, index } => {
                path.push(Some(index));
                base
            }
            _ => break,
        };
    }
    path.reverse();
    Place { variable: root(function, pointer), path }
}
