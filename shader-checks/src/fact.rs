//! What is known of a value without running the shader.

use naga::BuiltIn;

/// What is known of a scalar, a vector or an array, or of everything in a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// It may differ between the invocations of a workgroup.
    pub varies: bool,
    /// Whether it comes of the subgroups' layout.
    pub subgroup: Subgroup,
    /// Whether it is a number that stands in the shader.
    pub number: Number,
}

/// Whether a value comes of how the workgroup is divided into subgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subgroup {
    /// It does not.
    Unrelated,
    /// It is one of the subgroup built-in values, unchanged.
    Is(BuiltIn),
    /// It was computed from some.
    Derived,
}

/// Whether a value is a number that stands in the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Number {
    /// 0 or 1, or made of them: every subgroup has these many lanes.
    ZeroOrOne,
    /// A constant with a name.
    Named,
    /// A number without a name.
    Literal,
    /// It is known at run time only.
    Computed,
}

impl Fact {
    /// The same for the whole workgroup, and known at run time only.
    pub const UNIFORM: Self =
        Self { varies: false, subgroup: Subgroup::Unrelated, number: Number::Computed };
    /// Possibly another value in every invocation.
    pub const VARYING: Self = Self { varies: true, ..Self::UNIFORM };
    /// What a variable holds before anything is stored.
    pub const ZERO: Self = Self::number(Number::ZeroOrOne);

    /// A number that stands in the shader.
    pub const fn number(number: Number) -> Self {
        Self { varies: false, subgroup: Subgroup::Unrelated, number }
    }

    /// A built-in value.
    pub fn builtin(builtin: BuiltIn) -> Self {
        let varies = !matches!(
            builtin,
            BuiltIn::WorkGroupId
                | BuiltIn::WorkGroupSize
                | BuiltIn::NumWorkGroups
                | BuiltIn::NumSubgroups
                | BuiltIn::SubgroupSize
        );
        let subgroup = match builtin {
            BuiltIn::NumSubgroups
            | BuiltIn::SubgroupId
            | BuiltIn::SubgroupInvocationId
            | BuiltIn::SubgroupSize => Subgroup::Is(builtin),
            _ => Subgroup::Unrelated,
        };
        Self { varies, subgroup, number: Number::Computed }
    }

    /// What holds of a value that may be either, or is made of both.
    pub fn join(self, other: Self) -> Self {
        Self {
            varies: self.varies | other.varies,
            subgroup: if self.subgroup == other.subgroup {
                self.subgroup
            } else {
                Subgroup::Derived
            },
            number: self.number.max(other.number),
        }
    }

    /// The same value, where some lanes may have another.
    pub fn varying_if(self, varies: bool) -> Self {
        Self { varies: self.varies | varies, ..self }
    }

    /// Whether it comes of the subgroups' layout.
    pub fn is_of_subgroups(self) -> bool {
        self.subgroup != Subgroup::Unrelated
    }
}

impl Subgroup {
    /// What is computed from such values is no longer one of them.
    pub fn computed(self) -> Self {
        match self {
            Self::Unrelated => Self::Unrelated,
            Self::Is(_) | Self::Derived => Self::Derived,
        }
    }
}

/// What is known of a value; of a struct that is an argument, member by member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The same of all of it.
    Whole(Fact),
    /// Of each member.
    Members(Vec<Fact>),
}

impl Value {
    /// What holds of all of it.
    pub fn whole(&self) -> Fact {
        match self {
            Self::Whole(fact) => *fact,
            Self::Members(facts) => facts.iter().copied().reduce(Fact::join).unwrap_or(Fact::ZERO),
        }
    }

    /// Of member or component `index`.
    pub fn member(&self, index: u32) -> Fact {
        match self {
            Self::Whole(fact) => *fact,
            Self::Members(facts) => facts[index as usize],
        }
    }
}
