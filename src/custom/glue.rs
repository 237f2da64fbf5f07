//! What stands between a user's operator and the library's files: accumulators as words, which depends on what the user's types have.

use crate::wgsl::{program::Words, text::PREFIX};
use naga::{Handle, Module, Scalar, ScalarKind, Type, TypeInner, VectorSize};

/// A type that is made of words: as it is spelt, and a value of it from words, and to words.
#[derive(Debug)]
pub(super) struct Shape {
    name: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Number(Number),
    Vector(Number, u32),
    Struct(Vec<(String, Shape)>),
}

#[derive(Clone, Copy, Debug)]
enum Number {
    U32,
    /// An `i32` or an `f32`.
    SameBits(&'static str),
    Bool,
}

impl Number {
    fn of(scalar: Scalar) -> Option<Self> {
        match (scalar.kind, scalar.width) {
            (ScalarKind::Uint, 4) => Some(Self::U32),
            (ScalarKind::Sint, 4) => Some(Self::SameBits("i32")),
            (ScalarKind::Float, 4) => Some(Self::SameBits("f32")),
            (ScalarKind::Bool, _) => Some(Self::Bool),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::SameBits(name) => name,
            Self::Bool => "bool",
        }
    }

    fn of_word(self, word: &str) -> String {
        match self {
            Self::U32 => word.to_owned(),
            Self::SameBits(name) => format!("bitcast<{name}>({word})"),
            Self::Bool => format!("{word} != 0u"),
        }
    }

    fn to_word(self, value: &str) -> String {
        match self {
            Self::U32 => value.to_owned(),
            Self::SameBits(_) => format!("bitcast<u32>({value})"),
            Self::Bool => format!("select(0u, 1u, {value})"),
        }
    }
}

/// Structs within one another at most: WGSL's own limit.
const MAX_DEPTH: u32 = 255;

/// Why a type has no shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoShape {
    /// It is not made of words.
    NotWords,
    /// It has so many words, which is more than [`Words::MAX`].
    TooLarge(u32),
}

/// The words of a type. `None` if it is not made of words.
fn words_of(module: &Module, ty: Handle<Type>) -> Option<u32> {
    // Each type once, as structs of structs may have members beyond number. A type comes after those that it has.
    let mut known: Vec<Option<(u32, u32)>> = Vec::new();
    for (_, Type { inner, .. }) in module.types.iter() {
        let words_and_depth = match inner {
            TypeInner::Scalar(scalar) => Number::of(*scalar).map(|_| (1, 0)),
            TypeInner::Vector { size, scalar } => {
                Number::of(*scalar).map(|_| (u32::from(*size as u8), 0))
            }
            TypeInner::Struct { members, .. } => members
                .iter()
                .try_fold((0u32, 0), |(words, depth), member| {
                    let (more, deeper) = (*known.get(member.ty.index())?)?;
                    Some((words.saturating_add(more), depth.max(deeper + 1)))
                })
                .filter(|&(_, depth)| depth <= MAX_DEPTH),
            _ => None,
        };
        known.push(words_and_depth);
    }
    known.get(ty.index()).copied().flatten().map(|(words, _)| words)
}

impl Shape {
    pub(super) fn of(module: &Module, ty: Handle<Type>) -> Result<Self, NoShape> {
        // Before anything is made of each word.
        match words_of(module, ty) {
            Some(words) if words > Words::MAX => Err(NoShape::TooLarge(words)),
            Some(_) => Self::of_words(module, ty).ok_or(NoShape::NotWords),
            None => Err(NoShape::NotWords),
        }
    }

    fn of_words(module: &Module, ty: Handle<Type>) -> Option<Self> {
        let Type { name, inner } = &module.types[ty];
        match inner {
            TypeInner::Scalar(scalar) => {
                let number = Number::of(*scalar)?;
                Some(Self { name: number.name().to_owned(), kind: Kind::Number(number) })
            }
            TypeInner::Vector { size, scalar } => {
                let number = Number::of(*scalar)?;
                let size = match size {
                    VectorSize::Bi => 2,
                    VectorSize::Tri => 3,
                    VectorSize::Quad => 4,
                };
                let name = format!("vec{size}<{}>", number.name());
                Some(Self { name, kind: Kind::Vector(number, size) })
            }
            TypeInner::Struct { members, .. } => {
                let of_member = |member: &naga::StructMember| {
                    Some((member.name.clone()?, Self::of_words(module, member.ty)?))
                };
                let members = members.iter().map(of_member).collect::<Option<_>>()?;
                let name = format!("{PREFIX}{}", name.as_ref()?);
                Some(Self { name, kind: Kind::Struct(members) })
            }
            _ => None,
        }
    }

    pub(super) fn words(&self) -> u32 {
        match &self.kind {
            Kind::Number(_) => 1,
            Kind::Vector(_, size) => *size,
            Kind::Struct(members) => {
                members.iter().fold(0, |words: u32, (_, shape)| words.saturating_add(shape.words()))
            }
        }
    }

    /// A value of the type, made of the next of `words`.
    fn made_of(&self, words: &mut impl Iterator<Item = String>) -> String {
        let mut next = |number: Number| number.of_word(&words.next().unwrap_or_default());
        match &self.kind {
            Kind::Number(number) => next(*number),
            Kind::Vector(number, size) => {
                let values: Vec<_> = (0..*size).map(|_| next(*number)).collect();
                format!("{}({})", self.name, values.join(", "))
            }
            Kind::Struct(members) => {
                let values: Vec<_> = members.iter().map(|(_, it)| it.made_of(words)).collect();
                format!("{}({})", self.name, values.join(", "))
            }
        }
    }

    /// The words of a value of the type, added to `words`.
    fn to_words(&self, value: &str, words: &mut Vec<String>) {
        match &self.kind {
            Kind::Number(number) => words.push(number.to_word(value)),
            Kind::Vector(number, size) => {
                let places = ["x", "y", "z", "w"].iter().take(*size as usize);
                words.extend(places.map(|place| number.to_word(&format!("{value}.{place}"))));
            }
            Kind::Struct(members) => {
                for (name, shape) in members {
                    shape.to_words(&format!("{value}.{name}"), words);
                }
            }
        }
    }
}

/// What an operator is made of.
#[derive(Debug)]
pub(super) struct Functions {
    pub(super) acc: Shape,
    pub(super) out: Shape,
    /// The type of the parameter of `lift`, where there is one.
    pub(super) lifted: Option<&'static str>,
    pub(super) has_finish: bool,
}

impl Functions {
    pub(super) fn words(&self) -> Words {
        Words { acc: self.acc.words(), out: self.out.words() }
    }

    /// The user's text, with what `operator/custom.wgsl` wants beside it.
    pub(super) fn text(&self, text: &str) -> String {
        let Words { acc, out } = self.words();
        let each = |of: fn(u32) -> String| (0..acc).map(of).collect::<Vec<_>>().join(", ");
        let (name, out_name) = (&self.acc.name, &self.out.name);
        let members = each(|i| format!("w{i}: u32"));
        let made_of = self.acc.made_of(&mut (0..acc).map(|i| format!("acc.w{i}")));
        let (mut acc_words, mut out_words) = (Vec::new(), Vec::new());
        self.acc.to_words("value", &mut acc_words);
        self.out.to_words("value", &mut out_words);
        let (acc_words, out_words) = (acc_words.join(", "), out_words.join(", "));
        let (packed, unpacked) = (each(|i| format!("acc.w{i}")), each(|i| format!("words[{i}]")));
        let out_made_of = self.out.made_of(&mut (0..out).map(|i| format!("words[{i}]")));
        let element = self.lifted.unwrap_or(name);
        let missing = |function: &str| {
            format!("\nfn {PREFIX}{function}(value: {name}) -> {name} {{ return value; }}")
        };
        let lift = if self.lifted.is_none() { missing("lift") } else { String::new() };
        let finish = if self.has_finish { String::new() } else { missing("finish") };
        format!(
            "\
{text}

// What depends on the types above.
struct Acc {{ {members} }}
const ACC_WORDS = {acc}u;
const OUT_WORDS = {out}u;
alias UserElem = {element};
fn acc_to_user(acc: Acc) -> {name} {{ return {made_of}; }}
fn acc_from_user(value: {name}) -> Acc {{ return Acc({acc_words}); }}
fn out_from_user(value: {out_name}) -> array<u32, OUT_WORDS> {{
    return array<u32, OUT_WORDS>({out_words});
}}
alias UserOut = {out_name};
fn out_to_user(words: array<u32, OUT_WORDS>) -> UserOut {{ return {out_made_of}; }}
fn op_pack(acc: Acc) -> array<u32, ACC_WORDS> {{ return array<u32, ACC_WORDS>({packed}); }}
fn op_unpack(words: array<u32, ACC_WORDS>) -> Acc {{ return Acc({unpacked}); }}{lift}{finish}
"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_of_structs_are_counted_before_they_are_made() {
        let of = |levels: usize, more: &dyn Fn(usize) -> String| {
            let mut text = "struct S0 { a: u32 }\n".to_owned();
            for i in 1..=levels {
                text += &format!("struct S{i} {{ a: S{}{} }}\n", i - 1, more(i - 1));
            }
            let module = naga::front::wgsl::parse_str(&text).expect("it is WGSL");
            let (last, _) = module.types.iter().last().expect("a type");
            Shape::of(&module, last).map(|shape| shape.words())
        };
        let word = |_| ", b: u32".to_owned();
        assert_eq!(of(15, &word), Ok(16));
        assert_eq!(of(16, &word), Err(NoShape::TooLarge(17)));
        // One in the other, as many as WGSL allows, and more.
        let nothing = |_| String::new();
        assert_eq!(of(254, &nothing), Ok(1));
        assert_eq!(of(255, &nothing), Err(NoShape::NotWords));
        // Twice as many words in each.
        assert_eq!(of(27, &|i| format!(", b: S{i}")), Err(NoShape::TooLarge(1 << 27)));
    }
}
