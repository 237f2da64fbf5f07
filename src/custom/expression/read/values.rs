//! Parts whose types are decided, as values.

use super::{Found, Reader};
use crate::{
    custom::expression::{
        graph::{Binary, Operation, Type, Unary, Value},
        literal::Number,
        operands::{self, Operand, is_integer},
        parse::{Form, Part},
    },
    error::WgslError,
};

impl Reader<'_> {
    /// A part as a value of a type that it may have.
    pub(super) fn value(&mut self, part: Part, ty: Type) -> Result<Value, WgslError> {
        let value = match self.found[part] {
            Found::Value(value) => return Ok(value),
            Found::Leaf(operation, own) => self.graph.add(operation, own),
            Found::Vector(_) => return Err(self.vector(part)),
            Found::Number(number) => self.literal(part, number, ty)?,
            Found::Open(_) => {
                let parts = self.parts;
                match &parts[part].form {
                    &Form::Unary(sign, value) => {
                        let value = self.value(value, ty)?;
                        self.unary_of(part, sign, value)?
                    }
                    &Form::Binary(sign, both) => {
                        for part in both {
                            self.decide(part, ty)?;
                        }
                        self.binary_of(part, sign, both)?
                    }
                    Form::Call(name, values) => {
                        for &part in values {
                            self.decide(part, ty)?;
                        }
                        self.call_of(part, name, values)?
                    }
                    _ => return Err(self.unsupported(part)),
                }
            }
        };
        self.found[part] = Found::Value(value);
        Ok(value)
    }

    fn literal(&mut self, part: Part, number: Number, ty: Type) -> Result<Value, WgslError> {
        let bits = number.bits(ty, self.written(part));
        let bits = bits.map_err(|message| self.invalid(self.parts[part].range[0], message))?;
        Ok(self.graph.add(Operation::Literal(bits), ty))
    }

    pub(super) fn bool(&mut self, value: bool) -> Value {
        self.graph.add(Operation::Literal(value.into()), Type::Bool)
    }

    pub(super) fn unary_of(
        &mut self,
        part: Part,
        sign: &str,
        value: Value,
    ) -> Result<Value, WgslError> {
        let Form::Unary(_, written) = self.parts[part].form else {
            return Err(self.unsupported(part));
        };
        self.found[written] = Found::Value(value);
        operands::check_unary(self.place(part), sign, self.operand(written))?;
        let unary = if sign == "-" { Unary::Negate } else { Unary::Not };
        let ty = self.graph.ty(value);
        Ok(self.graph.add(Operation::Unary(unary, value), ty))
    }

    /// The same of two values, whose types are decided.
    pub(super) fn binary_of(
        &mut self,
        part: Part,
        sign: &str,
        both: [Part; 2],
    ) -> Result<Value, WgslError> {
        let is_chain = matches!(self.parts[both[0]].form, Form::Binary("<" | "<=" | ">" | ">=", _));
        let operands = both.map(|part| self.operand(part));
        operands::check_binary(self.place(part), sign, operands, is_chain)?;
        let [left, right] = [self.own_value(both[0])?, self.own_value(both[1])?];
        let ty = self.graph.ty(left);
        if let Operation::Literal(bits) = self.graph.nodes()[right].operation {
            let width = if ty.is_wide() { 64 } else { 32 };
            let message = match sign {
                "/" | "%" if bits == 0 && is_integer(ty) => {
                    "there is no division by zero: write another divisor".to_owned()
                }
                "<<" | ">>" if bits >= width => {
                    format!("{bits} bits are too many: of {} write 0 to {}", ty.name(), width - 1)
                }
                _ => String::new(),
            };
            if !message.is_empty() {
                return Err(self.invalid(self.parts[part].at, message));
            }
        }
        if let ("/", Some(inverse)) = (sign, self.inverse(right)) {
            return Ok(self.graph.add(Operation::Binary(Binary::Multiply, left, inverse), ty));
        }
        let mut add = |op, left, right, ty| self.graph.add(Operation::Binary(op, left, right), ty);
        Ok(match sign {
            "+" => add(Binary::Add, left, right, ty),
            "-" => add(Binary::Subtract, left, right, ty),
            "*" => add(Binary::Multiply, left, right, ty),
            "/" => add(Binary::Divide, left, right, ty),
            "%" if is_integer(ty) => add(Binary::Remainder, left, right, ty),
            "&" => add(Binary::And, left, right, ty),
            "|" => add(Binary::Or, left, right, ty),
            "^" => add(Binary::Xor, left, right, ty),
            "<<" => add(Binary::ShiftLeft, left, right, ty),
            ">>" => add(Binary::ShiftRight, left, right, ty),
            "==" => add(Binary::Equal, left, right, Type::Bool),
            "!=" => {
                let equal = add(Binary::Equal, left, right, Type::Bool);
                self.graph.add(Operation::Unary(Unary::Not, equal), Type::Bool)
            }
            "<" => add(Binary::Less, left, right, Type::Bool),
            "<=" => add(Binary::LessEqual, left, right, Type::Bool),
            ">" => add(Binary::Less, right, left, Type::Bool),
            ">=" => add(Binary::LessEqual, right, left, Type::Bool),
            // The right one counts where the left one does not decide.
            "&&" => {
                let reject = self.bool(false);
                self.graph.add(Operation::Select { condition: left, accept: right, reject }, ty)
            }
            "||" => {
                let condition = self.graph.add(Operation::Unary(Unary::Not, left), ty);
                let reject = self.bool(true);
                self.graph.add(Operation::Select { condition, accept: right, reject }, ty)
            }
            // A device makes a remainder of floats of a quotient that it rounds as it likes.
            _ => return Err(self.unsupported(part)),
        })
    }

    /// What a float is divided by, as what it is multiplied by to the same bits: there is such where both are powers of two.
    fn inverse(&mut self, divisor: Value) -> Option<Value> {
        let ty = self.graph.ty(divisor);
        let Operation::Literal(bits) = self.graph.nodes()[divisor].operation else { return None };
        let inverse = match ty {
            Type::F32 => {
                #[expect(clippy::cast_possible_truncation, reason = "a word")]
                let divisor = f32::from_bits(bits as u32);
                let inverse = 1.0 / divisor;
                let is_power = divisor.to_bits() & 0x007f_ffff == 0;
                let is_right = is_power && divisor.is_normal() && inverse.is_normal();
                is_right.then(|| inverse.to_bits().into())
            }
            Type::F64 => {
                let divisor = f64::from_bits(bits);
                let inverse = 1.0 / divisor;
                let is_power = bits & 0x000f_ffff_ffff_ffff == 0;
                let is_right = is_power && divisor.is_normal() && inverse.is_normal();
                is_right.then(|| inverse.to_bits())
            }
            _ => None,
        };
        inverse.map(|bits| self.graph.add(Operation::Literal(bits), ty))
    }

    /// A call with values whose types are decided.
    pub(super) fn call_of(
        &mut self,
        part: Part,
        name: &str,
        values: &[Part],
    ) -> Result<Value, WgslError> {
        let operands: Vec<Operand<'_>> = values.iter().map(|&part| self.operand(part)).collect();
        operands::check_call(self.place(part), name, &operands)?;
        let all: Result<Vec<Value>, WgslError> =
            values.iter().map(|&part| self.own_value(part)).collect();
        let all = all?;
        let ty = self.graph.ty(all[0]);
        let unary = |op| Operation::Unary(op, all[0]);
        let operation = match (name, &all[..]) {
            ("abs", _) => unary(Unary::Abs),
            ("countOneBits", _) => unary(Unary::CountOneBits),
            ("countLeadingZeros", _) => unary(Unary::CountLeadingZeros),
            ("countTrailingZeros", _) => unary(Unary::CountTrailingZeros),
            ("reverseBits", _) => unary(Unary::ReverseBits),
            ("min", &[a, b]) => Operation::Binary(Binary::Min, a, b),
            ("max", &[a, b]) => Operation::Binary(Binary::Max, a, b),
            ("clamp", &[a, low, high]) => {
                let raised = self.graph.add(Operation::Binary(Binary::Max, a, low), ty);
                Operation::Binary(Binary::Min, raised, high)
            }
            ("select", &[reject, accept, condition]) => {
                Operation::Select { condition, accept, reject }
            }
            _ => return Err(self.unsupported(part)),
        };
        Ok(self.graph.add(operation, ty))
    }
}
