//! From WGSL to a [`Graph`]: each part of a text with its type.
//!
//! Literals without letters have no type of their own. They take the one that they meet, also through functions and operators, of which
//! all values are such literals.

mod values;

use super::{
    convert,
    graph::{Graph, NAMES, Operation, Type, Unary, Value},
    literal::{self, Number},
    operands::{self, Operand, is_integer},
    parse::{Form, Part, Written, parse},
};
use crate::{custom::source::Place, error::WgslError};

/// Values of an expression at most.
const MAX_NODES: usize = 1000;
/// Signs of its text at most. Parts are read by recursion, which takes up to a kilobyte of the stack for each.
const MAX_SIGNS: usize = 200;

/// What an expression is over: `x`, `y` if there are two inputs, and `z` if there are three, the index `i`, and parameters.
#[derive(Clone, Copy)]
pub(super) struct Over<'a> {
    /// The type of numbers.
    pub(super) ty: Type,
    /// Of how many an element is, if it has several.
    pub(super) components: Option<u32>,
    pub(super) inputs: u32,
    pub(super) parameters: &'a [String],
}

/// Adds an expression to a graph.
pub(super) fn read(graph: &mut Graph, text: &str, over: Over<'_>) -> Result<Value, WgslError> {
    if text.bytes().filter(u8::is_ascii_punctuation).count() > MAX_SIGNS {
        return Err(WgslError::TooLong { most: MAX_SIGNS, what: "signs" });
    }
    let is_name = |name: &str| {
        name == "i" || NAMES.contains(&name) || over.parameters.iter().any(|it| it == name)
    };
    let parts = parse(text, &is_name)?;
    let mut reader = Reader { text, parts: &parts, over, graph, found: Vec::new() };
    for part in 0..parts.len() {
        let found = reader.part(part)?;
        reader.found.push(found);
        if reader.graph.nodes().len() > MAX_NODES {
            return Err(WgslError::TooLong { most: MAX_NODES, what: "operations" });
        }
    }
    let whole = parts.len() - 1;
    match reader.can_be(whole, over.ty) {
        true => reader.value(whole, over.ty),
        false => reader.own_value(whole),
    }
}

/// The error about an expression whose value has another type, where it begins.
pub(super) fn wrong_type(text: &str, found: Type, wanted: Type) -> WgslError {
    let Place { line, column } = Place::of(text, text.len() - text.trim_start().len());
    WgslError::Value { line, column, found: found.name(), wanted: wanted.name() }
}

/// What a part is.
#[derive(Clone, Copy, Debug)]
enum Found {
    Value(Value),
    /// An element, an index, a parameter or a literal, which becomes a value where it is used.
    Leaf(Operation, Type),
    /// A number whose type is not decided.
    Number(Number),
    /// What is made of such numbers, once their type is decided.
    Open(Open),
    /// An element of several components.
    Vector(usize),
}

/// Which types there may be for numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    is_float: bool,
    /// Operations of integers made it.
    of_integers: bool,
}

struct Reader<'a> {
    text: &'a str,
    parts: &'a [Written<'a>],
    over: Over<'a>,
    graph: &'a mut Graph,
    /// Of the parts so far.
    found: Vec<Found>,
}

impl<'a> Reader<'a> {
    fn part(&mut self, part: Part) -> Result<Found, WgslError> {
        let parts = self.parts;
        let Written { form, at, .. } = &parts[part];
        match form {
            Form::Number(text) => match literal::read(text) {
                Ok((number, None)) => Ok(Found::Number(number)),
                Ok((number, Some(ty))) => {
                    number.bits(ty, text).map(|bits| Found::Leaf(Operation::Literal(bits), ty))
                }
                Err(message) => Err(message),
            }
            .map_err(|message| self.invalid(*at, message)),
            Form::Bool(value) => Ok(Found::Leaf(Operation::Literal((*value).into()), Type::Bool)),
            Form::Name(name) => self.name(*at, name),
            &Form::Unary(sign, value) => self.unary(part, sign, value),
            &Form::Binary(sign, both) => self.binary(part, sign, both),
            Form::Call(name, values) => self.call(part, name, values),
            &Form::Bitcast(ty, value) => self.bitcast(part, ty, value),
            &Form::Component(value, name) => self.component(part, value, name),
            &Form::Index(value, index) => self.index(part, value, index),
        }
    }

    fn name(&self, at: usize, name: &str) -> Result<Found, WgslError> {
        let Over { ty, components, inputs, parameters } = self.over;
        if name == "i" {
            return Ok(Found::Leaf(Operation::Index, Type::U32));
        }
        let Some(input) = NAMES.iter().position(|&known| known == name) else {
            let number = parameters.iter().position(|known| known == name).unwrap_or_default();
            let word = number * if ty.is_wide() { 2 } else { 1 };
            return Ok(Found::Leaf(Operation::Argument(word), ty));
        };
        if input >= inputs as usize {
            return Err(operands::no_input(Place::of(self.text, at), input));
        }
        Ok(match components {
            Some(_) => Found::Vector(input),
            None => Found::Leaf(element_of(input, None), ty),
        })
    }

    fn component(&mut self, part: Part, value: Part, name: &str) -> Result<Found, WgslError> {
        let place = ["xyzw", "rgba"].into_iter().find_map(|names| names.find(name));
        match (self.found[value], place.filter(|_| name.len() == 1)) {
            (Found::Vector(input), Some(place)) if place < self.components() => {
                let component = element_of(input, Some(place));
                Ok(Found::Value(self.graph.add(component, self.over.ty)))
            }
            (Found::Vector(_), None) if name.chars().all(|c| "xyzwrgba".contains(c)) => {
                Err(self.vector(part))
            }
            _ => {
                let message = format!(
                    "there is no `.{name}`: a vector has x, y, z and w, as many as its components are, and a number has none"
                );
                Err(self.invalid(self.parts[part].at, message))
            }
        }
    }

    /// A component by its number.
    fn index(&mut self, part: Part, value: Part, index: Part) -> Result<Found, WgslError> {
        let Written { range: [_, end], at, .. } = self.parts[part];
        let Found::Vector(input) = self.found[value] else {
            let index = self.text.get(at..end).unwrap_or_default();
            let message = format!("a number has no elements: leave `{index}` out");
            return Err(self.invalid(at, message));
        };
        let Found::Number(Number::Integer(place)) = self.found[index] else {
            return Err(self.unsupported(part));
        };
        let place = usize::try_from(place).ok().filter(|&place| place < self.components());
        let Some(place) = place else {
            let message = format!("there are components from 0 to {}", self.components() - 1);
            return Err(self.invalid(self.parts[index].at, message));
        };
        let component = element_of(input, Some(place));
        Ok(Found::Value(self.graph.add(component, self.over.ty)))
    }

    fn unary(&mut self, part: Part, sign: &str, value: Part) -> Result<Found, WgslError> {
        match (sign, self.found[value]) {
            ("-", Found::Number(number)) => return Ok(Found::Number(number.negated())),
            ("-", Found::Leaf(Operation::Literal(bits), ty)) if ty.is_float() => {
                let sign = if ty.is_wide() { 1 << 63 } else { 1 << 31 };
                return Ok(Found::Leaf(Operation::Literal(bits ^ sign), ty));
            }
            // What is wrong with it is told of both.
            ("||", _) if !self.can_be(value, Type::Bool) => return Ok(self.found[value]),
            _ => {}
        }
        match self.open_of(&[value], sign == "~").filter(|_| matches!(sign, "-" | "~")) {
            Some(open) => Ok(Found::Open(open)),
            None => {
                let value = self.own_value(value)?;
                self.unary_of(part, sign, value).map(Found::Value)
            }
        }
    }

    fn binary(&mut self, part: Part, sign: &str, both: [Part; 2]) -> Result<Found, WgslError> {
        if let [Found::Number(left), Found::Number(right)] = both.map(|part| self.found[part]) {
            match left.combined(sign, right) {
                Some(Ok(number)) => return Ok(Found::Number(number)),
                Some(Err(why)) => {
                    let message = format!("{} {why}", self.written(part));
                    return Err(self.invalid(self.parts[part].at, message));
                }
                None => {}
            }
            if let Some(is_so) = left.compared(sign, right) {
                return Ok(Found::Value(self.bool(is_so)));
            }
        }
        let is_shift = matches!(sign, "<<" | ">>");
        // The distance has a type of its own.
        let alike = if is_shift { &both[..1] } else { &both };
        if is_shift {
            self.decide(both[1], Type::U32)?;
        }
        let of_integers = is_shift
            || matches!(sign, "%" | "&" | "|" | "^")
            || sign == "/" && both.iter().all(|&part| self.can_be(part, Type::I32));
        let is_of_numbers = !matches!(sign, "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||");
        if let Some(open) = self.open_of(alike, of_integers).filter(|_| is_of_numbers) {
            return Ok(Found::Open(open));
        }
        let ty = self.common_type(alike);
        for &part in alike {
            self.decide(part, ty)?;
        }
        self.binary_of(part, sign, both).map(Found::Value)
    }

    fn call(&mut self, part: Part, name: &str, values: &[Part]) -> Result<Found, WgslError> {
        if let Some(ty) = Type::named(name) {
            let value = match self.can_be(values[0], ty) {
                true => self.value(values[0], ty)?,
                false => {
                    let value = self.own_value(values[0])?;
                    match self.graph.ty(value) == ty {
                        true => value,
                        false => convert::convert(self.graph, value, ty),
                    }
                }
            };
            return Ok(Found::Value(value));
        }
        let numbers = values.iter().map(|&value| match self.found[value] {
            Found::Number(number) => Some(number),
            _ => None,
        });
        let numbers: Option<Vec<Number>> = numbers.collect();
        if let Some(number) = numbers.and_then(|numbers| Number::called(name, &numbers)) {
            return Ok(Found::Number(number));
        }
        let alike = match (name, values) {
            ("select", &[reject, accept, condition]) => {
                let ty = self.common_type(&[condition]);
                self.decide(condition, ty)?;
                &[accept, reject][..]
            }
            _ => values,
        };
        let of_integers = operands::is_of_bits(name);
        if let Some(open) = self.open_of(alike, of_integers) {
            // What is wrong with the condition does not wait.
            if name == "select" {
                operands::check_condition(self.place(part), self.operand(values[2]))?;
            }
            return Ok(Found::Open(open));
        }
        let ty = self.common_type(alike);
        for &part in alike {
            self.decide(part, ty)?;
        }
        self.call_of(part, name, values).map(Found::Value)
    }

    fn bitcast(&mut self, part: Part, ty: &str, value: Part) -> Result<Found, WgslError> {
        let Some(to) = Type::named(ty).filter(|&to| to != Type::Bool) else {
            let message =
                format!("there is no bitcast to `{ty}`: take f32, i32, u32, f64, i64 or u64");
            return Err(self.invalid(self.parts[part].at, message));
        };
        // A literal is one of as many bits.
        let types = match to.is_wide() {
            true => [Type::I64, Type::U64, Type::F64],
            false => [Type::I32, Type::U32, Type::F32],
        };
        let is_fit = |&ty: &Type| match self.found[value] {
            Found::Number(number) => {
                number.is_integer() != ty.is_float() && number.bits(ty, "").is_ok()
            }
            Found::Open(_) => self.can_be(value, ty),
            _ => false,
        };
        let given = match types.into_iter().find(is_fit) {
            Some(ty) => self.value(value, ty)?,
            None => self.own_value(value)?,
        };
        let from = self.graph.ty(given);
        if from == Type::Bool || from.is_wide() != to.is_wide() {
            let text = self.written(value);
            let message = format!(
                "bitcast<{ty}> takes as many bits as it gives, but {text} is {}: convert, as by {ty}({text})",
                from.name()
            );
            return Err(self.invalid(self.parts[part].at, message));
        }
        let bitcast = Operation::Unary(Unary::Bitcast, given);
        Ok(Found::Value(if from == to { given } else { self.graph.add(bitcast, to) }))
    }

    /// What these make together, if the type of none of them is decided, and there is one for all.
    fn open_of(&self, parts: &[Part], of_integers: bool) -> Option<Open> {
        let mut all = Open { is_float: false, of_integers };
        for &part in parts {
            match self.found[part] {
                Found::Number(number) => all.is_float |= matches!(number, Number::Float(_)),
                Found::Open(open) => {
                    all.is_float |= open.is_float;
                    all.of_integers |= open.of_integers;
                }
                Found::Value(_) | Found::Leaf(..) | Found::Vector(_) => return None,
            }
        }
        Some(all).filter(|all| !(all.is_float && all.of_integers))
    }

    /// Whether a part is of a type, or may be.
    fn can_be(&self, part: Part, ty: Type) -> bool {
        match self.found[part] {
            Found::Value(value) => self.graph.ty(value) == ty,
            Found::Leaf(_, own) => own == ty,
            Found::Number(Number::Float(_)) => ty.is_float(),
            Found::Number(_) => ty != Type::Bool,
            Found::Open(Open { is_float: true, .. }) => ty.is_float(),
            Found::Open(Open { of_integers: true, .. }) => is_integer(ty),
            Found::Open(_) => ty != Type::Bool,
            Found::Vector(_) => false,
        }
    }

    /// The type that parts meet: the first one that is decided. Where there is none, it is one that loses nothing beside the elements.
    fn common_type(&self, parts: &[Part]) -> Type {
        let decided = parts.iter().find_map(|&part| match self.found[part] {
            Found::Value(value) => Some(self.graph.ty(value)),
            Found::Leaf(_, ty) => Some(ty),
            _ => None,
        });
        let is_wide = self.over.ty.is_wide();
        decided.unwrap_or_else(|| match parts.iter().all(|&part| self.can_be(part, Type::I32)) {
            true if is_wide => Type::I64,
            true => Type::I32,
            false if self.over.ty == Type::F32 => Type::F32,
            false => Type::F64,
        })
    }

    /// Gives a part this type, if it may have it, and else its own.
    fn decide(&mut self, part: Part, ty: Type) -> Result<(), WgslError> {
        let value = match self.can_be(part, ty) {
            true => self.value(part, ty)?,
            false => self.own_value(part)?,
        };
        self.found[part] = Found::Value(value);
        Ok(())
    }

    /// A part as a value of its own type.
    fn own_value(&mut self, part: Part) -> Result<Value, WgslError> {
        self.value(part, self.common_type(&[part]))
    }

    fn components(&self) -> usize {
        self.over.components.unwrap_or_default() as usize
    }

    /// A part as it is written, with its type.
    fn operand(&self, part: Part) -> Operand<'a> {
        let Written { form, is_in_parentheses, .. } = &self.parts[part];
        let compares = matches!(form, Form::Binary("==" | "!=" | "<" | "<=" | ">" | ">=", _));
        let text = operands::shown(self.written(part));
        let is_bare_comparison = compares && !is_in_parentheses;
        Operand { text, ty: self.common_type(&[part]), is_bare_comparison }
    }

    fn written(&self, part: Part) -> &'a str {
        let [begin, end] = self.parts[part].range;
        self.text.get(begin..end).unwrap_or_default()
    }

    fn place(&self, part: Part) -> Place {
        Place::of(self.text, self.parts[part].at)
    }

    fn invalid(&self, at: usize, message: String) -> WgslError {
        let Place { line, column } = Place::of(self.text, at);
        WgslError::Invalid { line, column, message }
    }

    fn vector(&self, part: Part) -> WgslError {
        let Place { line, column } = Place::of(self.text, self.parts[part].range[0]);
        WgslError::Vector { line, column, what: self.written(part).to_owned() }
    }

    /// By its own words.
    fn unsupported(&self, part: Part) -> WgslError {
        let Place { line, column } = Place::of(self.text, self.parts[part].range[0]);
        WgslError::Unsupported { line, column, what: self.written(part).to_owned() }
    }
}

/// The element of an input, or a component of it.
fn element_of(input: usize, component: Option<usize>) -> Operation {
    match input {
        0 => Operation::X(component),
        1 => Operation::Y(component),
        _ => Operation::Z(component),
    }
}
