//! Numbers of 64 bits, as two words: shaders/expression/wides.wgsl and doubles.wgsl have what there is of them.

use super::{Binary, Type, Unary, Value};

/// Of 64 bits, or to 64 bits.
pub(super) fn unary(op: Unary, a: Value, from: Type, to: Type) -> String {
    let call = |function: &str| format!("{function}(v{a})");
    match (op, from, to) {
        (Unary::Negate, Type::F64, _) => format!("v{a} ^ WIDE_SIGN"),
        (Unary::Negate, ..) => call("wide_negate"),
        (Unary::Not, ..) => format!("~v{a}"),
        (Unary::Abs, Type::F64, _) => format!("v{a} & ~WIDE_SIGN"),
        (Unary::Abs, Type::I64, _) => call("wide_magnitude"),
        (Unary::Abs, ..) => format!("v{a}"),
        (Unary::CountOneBits, ..) => call("wide_count_one_bits"),
        (Unary::CountLeadingZeros, ..) => call("wide_count_leading_zeros"),
        (Unary::CountTrailingZeros, ..) => call("wide_count_trailing_zeros"),
        (Unary::ReverseBits, ..) => call("wide_reverse_bits"),
        (Unary::Convert, Type::F32, _) => call("double_of_float"),
        (Unary::Convert, Type::F64, Type::F32) => call("float_of_double"),
        (Unary::Convert, Type::F64, Type::I64) => call("double_to_signed"),
        (Unary::Convert, Type::F64, _) => call("double_to_unsigned"),
        (Unary::Convert, Type::I64, Type::F64) => call("double_of_signed"),
        (Unary::Convert, Type::U64, Type::F64) => call("double_of_unsigned"),
        (Unary::Convert, Type::I64, Type::F32) => call("float_of_signed"),
        (Unary::Convert, Type::U64, Type::F32) => call("float_of_unsigned"),
        (Unary::Convert, _, Type::I32) => format!("bitcast<i32>(v{a}.x)"),
        (Unary::Convert, _, Type::U32) => format!("v{a}.x"),
        (Unary::Convert, Type::I32, _) => call("wide_of_i32"),
        (Unary::Convert, Type::Bool, Type::F64) => {
            format!("vec2<u32>(0u, select(0u, 0x3ff00000u, v{a}))")
        }
        (Unary::Convert, Type::Bool, _) => format!("vec2<u32>(select(0u, 1u, v{a}), 0u)"),
        (Unary::Convert, ..) => format!("vec2<u32>(v{a}, 0u)"),
        (Unary::Bitcast, ..) => format!("v{a}"),
    }
}

/// Of 64 bits, but that the distance of shifts is a word.
pub(super) fn binary(op: Binary, a: Value, b: Value, of: Type) -> String {
    let call = |function: &str| format!("{function}(v{a}, v{b})");
    let less = |a: Value, b: Value| match of {
        Type::I64 => format!("two_words_less(v{a} ^ WIDE_SIGN, v{b} ^ WIDE_SIGN)"),
        _ => format!("two_words_less(v{a}, v{b})"),
    };
    match (op, of) {
        (Binary::Add, Type::F64) => call("double_add"),
        (Binary::Subtract, Type::F64) => format!("double_add(v{a}, v{b} ^ WIDE_SIGN)"),
        (Binary::Multiply, Type::F64) => call("f64_multiply"),
        (Binary::Divide, Type::F64) => call("double_divide"),
        (Binary::Equal, Type::F64) => call("double_equal"),
        (Binary::Less, Type::F64) => call("double_less"),
        (Binary::LessEqual, Type::F64) => call("double_less_equal"),
        (Binary::Min, Type::F64) => call("double_min"),
        (Binary::Max, Type::F64) => call("double_max"),
        (Binary::Add, _) => call("wide_add"),
        (Binary::Subtract, _) => call("wide_subtract"),
        (Binary::Multiply, _) => call("wide_multiply"),
        (Binary::Divide, Type::I64) => call("wide_divide_signed"),
        (Binary::Remainder, Type::I64) => call("wide_remainder_signed"),
        (Binary::Divide, _) => format!("wide_divide(v{a}, v{b}).quotient"),
        (Binary::Remainder, _) => format!("wide_divide(v{a}, v{b}).rest"),
        (Binary::And, _) => format!("v{a} & v{b}"),
        (Binary::Or, _) => format!("v{a} | v{b}"),
        (Binary::Xor, _) => format!("v{a} ^ v{b}"),
        (Binary::ShiftLeft, _) => format!("shifted_left(v{a}, v{b} & 63u)"),
        (Binary::ShiftRight, Type::I64) => format!("wide_shifted_right(v{a}, v{b} & 63u)"),
        (Binary::ShiftRight, _) => format!("shifted_right(v{a}, v{b} & 63u).value"),
        (Binary::Equal, _) => call("wide_equal"),
        (Binary::Less, _) => less(a, b),
        (Binary::LessEqual, _) => format!("!{}", less(b, a)),
        (Binary::Min, _) => format!("select(v{a}, v{b}, {})", less(b, a)),
        (Binary::Max, _) => format!("select(v{a}, v{b}, {})", less(a, b)),
    }
}
