//! The parts of an expression: what is written where.

use super::{
    foreign,
    tokens::{Kind, Token, tokens},
};
use crate::{custom::source::Place, error::WgslError, plural::count};

/// The number of a part: those that it is made of come before.
pub(super) type Part = usize;

#[derive(Clone, Debug)]
pub(super) enum Form<'t> {
    Number(&'t str),
    Bool(bool),
    Name(&'t str),
    Unary(&'t str, Part),
    Binary(&'t str, [Part; 2]),
    Call(&'t str, Vec<Part>),
    Bitcast(&'t str, Part),
    /// By a name.
    Component(Part, &'t str),
    Index(Part, Part),
}

#[derive(Clone, Debug)]
pub(super) struct Written<'t> {
    pub(super) form: Form<'t>,
    /// Bytes of the whole, without parentheses around it.
    pub(super) range: [usize; 2],
    /// The byte of its sign, or where it begins.
    pub(super) at: usize,
    pub(super) is_in_parentheses: bool,
}

/// Functions, and how they are called: with as many values as there are commas, and one.
const CALLED: [(&str, &str); 16] = [
    ("abs", "abs(x)"),
    ("bool", "bool(x)"),
    ("clamp", "clamp(x, low, high)"),
    ("countLeadingZeros", "countLeadingZeros(x)"),
    ("countOneBits", "countOneBits(x)"),
    ("countTrailingZeros", "countTrailingZeros(x)"),
    ("f32", "f32(x)"),
    ("f64", "f64(x)"),
    ("i32", "i32(x)"),
    ("i64", "i64(x)"),
    ("max", "max(x, y)"),
    ("min", "min(x, y)"),
    ("reverseBits", "reverseBits(x)"),
    ("select", "select(otherwise, value, condition)"),
    ("u32", "u32(x)"),
    ("u64", "u64(x)"),
];

/// How tight a binary operator binds.
fn level(sign: &str) -> Option<u32> {
    Some(match sign {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | "<=" | ">" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

/// The parts of a text, of which the last one is the whole. Names are those that it may have, beside functions'.
///
/// It calls itself for what is in parentheses and behind a sign, so that a text of few signs takes little of the stack.
pub(super) fn parse<'t>(
    text: &'t str,
    is_name: &dyn Fn(&str) -> bool,
) -> Result<Vec<Written<'t>>, WgslError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { text, tokens, next: 0, open: Vec::new(), parts: Vec::new(), is_name };
    parser.binary(1)?;
    match parser.peek() {
        None => Ok(parser.parts),
        Some(token) => Err(parser.unexpected(token)),
    }
}

struct Parser<'t, 'n> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    next: usize,
    /// Parentheses that are open.
    open: Vec<Token<'t>>,
    parts: Vec<Written<'t>>,
    is_name: &'n dyn Fn(&str) -> bool,
}

impl<'t> Parser<'t, '_> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).copied()
    }

    /// The next one, if it is this sign.
    fn take(&mut self, sign: &str) -> Option<Token<'t>> {
        let token = self.peek().filter(|token| token.is(sign))?;
        self.next += 1;
        Some(token)
    }

    /// Adds a part from a byte on to the last token that was taken.
    fn add(&mut self, form: Form<'t>, begin: usize, at: usize) -> Part {
        let end = self.tokens[self.next - 1].end();
        self.parts.push(Written { form, range: [begin, end], at, is_in_parentheses: false });
        self.parts.len() - 1
    }

    /// Operations that bind as tight as `least` at least.
    fn binary(&mut self, least: u32) -> Result<Part, WgslError> {
        let begin = self.peek().map_or(self.text.len(), |token| token.at);
        let mut left = self.unary()?;
        while let Some(sign) = self.peek().filter(|token| token.kind == Kind::Sign)
            && let Some(level) = level(sign.text)
            && level >= least
        {
            self.next += 1;
            if sign.is("||") {
                // Kernels ask for it before the right one.
                self.add(Form::Unary(sign.text, left), begin, sign.at);
            }
            let right = self.binary(level + 1)?;
            left = self.add(Form::Binary(sign.text, [left, right]), begin, sign.at);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Part, WgslError> {
        match self.peek() {
            Some(sign) if ["-", "!", "~"].into_iter().any(|it| sign.is(it)) => {
                self.next += 1;
                let value = self.unary()?;
                Ok(self.add(Form::Unary(sign.text, value), sign.at, sign.at))
            }
            _ => self.postfix(),
        }
    }

    /// A value, and its components.
    fn postfix(&mut self) -> Result<Part, WgslError> {
        let begin = self.peek().map_or(self.text.len(), |token| token.at);
        let mut value = self.primary()?;
        loop {
            if self.take(".").is_some() {
                let name = self.peek().filter(|name| name.kind == Kind::Word);
                let Some(name) = name else { return Err(self.missing("a component's name")) };
                self.next += 1;
                if self.peek().is_some_and(|token| token.is("(")) {
                    return Err(self.no_call(name));
                }
                value = self.add(Form::Component(value, name.text), begin, name.at);
            } else if let Some(open) = self.take("[") {
                let index = self.within(open, "]")?;
                value = self.add(Form::Index(value, index), begin, open.at);
            } else {
                return Ok(value);
            }
        }
    }

    fn primary(&mut self) -> Result<Part, WgslError> {
        let Some(token) = self.peek() else { return Err(self.missing("a value")) };
        if let Some(open) = self.take("(") {
            let value = self.within(open, ")")?;
            self.parts[value].is_in_parentheses = true;
            return Ok(value);
        }
        match token.kind {
            Kind::Sign => Err(self.missing("a value")),
            Kind::Number => {
                self.next += 1;
                Ok(self.add(Form::Number(token.text), token.at, token.at))
            }
            Kind::Word => self.word(token),
        }
    }

    fn word(&mut self, name: Token<'t>) -> Result<Part, WgslError> {
        self.next += 1;
        let behind = self.peek();
        let is_before = |sign: &str| behind.is_some_and(|token| token.is(sign));
        if is_before("(") {
            return self.call(name);
        }
        if (self.is_name)(name.text) {
            return Ok(self.add(Form::Name(name.text), name.at, name.at));
        }
        match name.text {
            "true" | "false" => Ok(self.add(Form::Bool(name.text == "true"), name.at, name.at)),
            "bitcast" if is_before("<") => self.bitcast(name),
            _ if is_before(".") => Err(self.of_module(name)),
            _ => Err(self.unknown(name)),
        }
    }

    fn call(&mut self, name: Token<'t>) -> Result<Part, WgslError> {
        let Some(&(_, form)) = CALLED.iter().find(|(known, _)| *known == name.text) else {
            return Err(self.no_call(name));
        };
        let open = self.tokens[self.next];
        self.next += 1;
        self.open.push(open);
        let mut values = Vec::new();
        while !self.peek().is_some_and(|token| token.is(")")) {
            values.push(self.binary(1)?);
            if self.take(",").is_none() {
                break;
            }
        }
        self.close(")")?;
        let wanted = form.matches(',').count() + 1;
        if values.len() != wanted {
            let all = count(wanted as u64, "value");
            let mut message =
                format!("`{}` takes {all}, not {}: write {form}", name.text, values.len());
            if wanted == 2 && values.len() > 2 {
                message += &format!(", or {0}({0}(x, y), z)", name.text);
            }
            return Err(self.invalid(name.at, message));
        }
        Ok(self.add(Form::Call(name.text, values), name.at, name.at))
    }

    fn bitcast(&mut self, name: Token<'t>) -> Result<Part, WgslError> {
        self.next += 1;
        let ty = self.peek().filter(|ty| ty.kind == Kind::Word);
        let Some(ty) = ty else { return Err(self.missing("a type, as in `bitcast<u32>(x)`,")) };
        self.next += 1;
        let open = self.take(">").and_then(|_| self.take("("));
        let Some(open) = open else {
            let message = "a bitcast has another form: write it as in `bitcast<u32>(x)`";
            return Err(self.invalid(name.at, message.to_owned()));
        };
        let value = self.within(open, ")")?;
        Ok(self.add(Form::Bitcast(ty.text, value), name.at, name.at))
    }

    /// An expression up to the sign that closes it.
    fn within(&mut self, open: Token<'t>, sign: &str) -> Result<Part, WgslError> {
        self.open.push(open);
        let value = self.binary(1)?;
        self.close(sign)?;
        Ok(value)
    }

    fn close(&mut self, sign: &str) -> Result<(), WgslError> {
        if self.take(sign).is_some() {
            self.open.pop();
            return Ok(());
        }
        match self.peek() {
            Some(token) => Err(self.unexpected(token)),
            None => Err(self.missing(&format!("`{sign}`"))),
        }
    }

    fn invalid(&self, at: usize, message: String) -> WgslError {
        let Place { line, column } = Place::of(self.text, at);
        WgslError::Invalid { line, column, message }
    }

    fn foreign(&self, name: Token<'_>, instead: &str) -> WgslError {
        let Place { line, column } = Place::of(self.text, name.at);
        let (found, instead) = (name.text.to_owned(), instead.to_owned());
        WgslError::Foreign { line, column, found, instead }
    }

    fn unsupported(&self, name: Token<'_>) -> WgslError {
        let Place { line, column } = Place::of(self.text, name.at);
        WgslError::Unsupported { line, column, what: name.text.to_owned() }
    }

    /// The error about something that is missing where the next token is, or the end.
    fn missing(&self, what: &str) -> WgslError {
        let before = self.next.checked_sub(1).map(|before| self.tokens[before]);
        let behind = before.map(|before| format!(" behind `{}`", before.text)).unwrap_or_default();
        match (self.peek(), self.open.last()) {
            (Some(token), _) if token.is("+") => {
                self.foreign(token, "a value without a sign, or with `-`")
            }
            (Some(token), _) => {
                let message = format!("{what} is missing before `{}`: write it there", token.text);
                self.invalid(token.at, message)
            }
            (None, _) if before.is_none() => {
                self.invalid(0, "the text is empty: write an expression, as `x * x`".to_owned())
            }
            (None, Some(open)) if what.starts_with('`') => {
                let Place { line, column } = Place::of(self.text, open.at);
                let opened = format!("`{}` of line {line}, column {column}", open.text);
                let end =
                    format!("the text ends too early: write {what}, which closes the {opened}");
                self.invalid(self.text.trim_end().len(), end)
            }
            (None, _) => {
                let end = format!("the text ends too early: {what} is missing{behind}");
                self.invalid(self.text.trim_end().len(), end)
            }
        }
    }

    /// The error about what stands where an operator could, or an end.
    fn unexpected(&self, token: Token<'t>) -> WgslError {
        let before = self.tokens[self.next - 1];
        if token.kind == Kind::Word
            && !(self.is_name)(token.text)
            && let Some(instead) = foreign::word(token.text)
        {
            return self.foreign(token, instead);
        }
        let message = match (token.text, self.open.last()) {
            (")" | "]", None) => {
                format!("this `{}` closes nothing: leave it out, or open it before", token.text)
            }
            (")" | "]", Some(open)) => {
                format!("this `{}` does not close the `{}` before it", token.text, open.text)
            }
            (",", _) => {
                "expressions have a `,` between a function's values alone: write numbers with a point, as 1.5, and one \
                 expression at a time"
                    .to_owned()
            }
            ("!" | "~", _) => {
                format!("`{0}` stands before a value: write an operator between `{1}` and `{0}`", token.text, before.text)
            }
            _ => {
                let [left, right] = [before.text, token.text];
                format!("there is no operator between `{left}` and `{right}`: write one, as in `{left} * {right}`")
            }
        };
        self.invalid(token.at, message)
    }

    /// The error about a call of what is no function here.
    fn no_call(&self, name: Token<'t>) -> WgslError {
        if (self.is_name)(name.text) && !self.tokens[self.next - 1].is(".") {
            let message =
                format!("`{0}` is no function: write a product as `{0} * (...)`", name.text);
            return self.invalid(name.at, message);
        }
        match foreign::function(name.text) {
            Some(instead) => self.foreign(name, instead),
            None => self.unsupported(name),
        }
    }

    /// The error about a name before a point, as of `np.abs(x)`: it speaks of what is behind the point.
    fn of_module(&self, module: Token<'t>) -> WgslError {
        let [name, behind] = [1, 2].map(|far| self.tokens.get(self.next + far).copied());
        let Some(name) = name.filter(|name| name.kind == Kind::Word) else {
            return self.unknown(module);
        };
        if let Some((_, form)) = CALLED.iter().find(|(known, _)| *known == name.text) {
            let text = &*format!("{}.{}", module.text, name.text);
            return self
                .foreign(Token { kind: Kind::Word, text, at: module.at }, &format!("`{form}`"));
        }
        match (foreign::function(name.text), behind) {
            (Some(instead), _) => self.foreign(name, instead),
            (None, Some(behind)) if behind.is("(") => self.unsupported(name),
            _ => self.unknown(module),
        }
    }

    /// The error about a name that nothing has.
    fn unknown(&self, name: Token<'t>) -> WgslError {
        if let Some((_, form)) = CALLED.iter().find(|(known, _)| *known == name.text) {
            let message = format!("`{}` is a function: write {form}", name.text);
            return self.invalid(name.at, message);
        }
        let is_type = ["vec", "mat", "array", "atomic", "ptr"]
            .into_iter()
            .any(|it| name.text.starts_with(it));
        if is_type && self.peek().is_some_and(|token| token.is("<")) {
            return self.unsupported(name);
        }
        match foreign::word(name.text) {
            Some(instead) => self.foreign(name, instead),
            None => {
                let Place { line, column } = Place::of(self.text, name.at);
                WgslError::UnknownName { line, column, name: name.text.to_owned() }
            }
        }
    }
}
