//! What is known of a value without running the shader.

use naga::BuiltIn;

/// What is known of a scalar, a vector or an array, or of everything in a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// It may differ between the invocations of a workgroup.
    pub varies: bool,
    /// It is the number of a lane, among those of the workgroup or of the dispatch.
    pub is_lane: bool,
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
    /// 0 or 1: every subgroup has these many lanes.
    ZeroOrOne,
    /// A constant with a name.
    Named,
    /// A number without a name, or what an operator made of numbers.
    Literal,
    /// One number after another, as a loop counts.
    Counted,
    /// It is known at run time only.
    Computed,
}

impl Fact {
    /// The same for the whole workgroup, and known at run time only.
    pub const UNIFORM: Self = Self::number(Number::Computed);
    /// Possibly another value in every invocation.
    pub const VARYING: Self = Self { varies: true, ..Self::UNIFORM };
    /// What a variable holds before anything is stored.
    pub const ZERO: Self = Self::number(Number::ZeroOrOne);

    /// A number that stands in the shader.
    pub const fn number(number: Number) -> Self {
        Self { varies: false, is_lane: false, subgroup: Subgroup::Unrelated, number }
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
        let is_lane = matches!(
            builtin,
            BuiltIn::LocalInvocationIndex
                | BuiltIn::LocalInvocationId
                | BuiltIn::GlobalInvocationId
        );
        let subgroup = match builtin {
            BuiltIn::NumSubgroups
            | BuiltIn::SubgroupId
            | BuiltIn::SubgroupInvocationId
            | BuiltIn::SubgroupSize => Subgroup::Is(builtin),
            _ => Subgroup::Unrelated,
        };
        Self { varies, is_lane, subgroup, number: Number::Computed }
    }

    /// What holds of a value that may be either, or is made of both.
    pub fn join(self, other: Self) -> Self {
        Self {
            varies: self.varies | other.varies,
            is_lane: self.is_lane | other.is_lane,
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

    /// The same value, converted or chosen: no longer one of the built-ins.
    pub fn converted(self) -> Self {
        Self { subgroup: self.subgroup.computed(), ..self }
    }

    /// Whether it is a number that stands in the shader, or one after another.
    pub fn is_constant(self) -> bool {
        self.number < Number::Computed
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
