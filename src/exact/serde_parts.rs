//! Accumulators as serde's formats have them: limbs of 32 bits, the least significant first.

use super::{DecodeError, ExactDot, ExactMoments, ExactSum, accumulator::Accumulator, wide::Wide};

/// An [`ExactSum`], not yet checked.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "ExactSum", deny_unknown_fields)]
pub(super) struct SumParts {
    limbs: [u32; 10],
    flags: u32,
    len: u64,
}

impl From<ExactSum> for SumParts {
    fn from(ExactSum(Accumulator { finite, flags, len }): ExactSum) -> Self {
        Self { limbs: finite.limbs(), flags, len }
    }
}

impl TryFrom<SumParts> for ExactSum {
    type Error = DecodeError;

    fn try_from(SumParts { limbs, flags, len }: SumParts) -> Result<Self, DecodeError> {
        Self(Accumulator { finite: Wide::from_limbs(limbs), flags, len }).checked()
    }
}

/// An [`ExactDot`], not yet checked.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "ExactDot", deny_unknown_fields)]
pub(super) struct DotParts {
    limbs: [u32; 20],
    flags: u32,
    len: u64,
}

impl From<ExactDot> for DotParts {
    fn from(ExactDot(Accumulator { finite, flags, len }): ExactDot) -> Self {
        Self { limbs: finite.limbs(), flags, len }
    }
}

impl TryFrom<DotParts> for ExactDot {
    type Error = DecodeError;

    fn try_from(DotParts { limbs, flags, len }: DotParts) -> Result<Self, DecodeError> {
        Self(Accumulator { finite: Wide::from_limbs(limbs), flags, len }).checked()
    }
}

/// An [`ExactMoments`], not yet checked.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "ExactMoments", deny_unknown_fields)]
pub(super) struct MomentsParts {
    limbs: [u32; 10],
    flags: u32,
    len: u64,
    squares: [u32; 20],
}

impl From<ExactMoments> for MomentsParts {
    fn from(ExactMoments { sum, squares }: ExactMoments) -> Self {
        let SumParts { limbs, flags, len } = sum.into();
        Self { limbs, flags, len, squares: squares.limbs() }
    }
}

impl TryFrom<MomentsParts> for ExactMoments {
    type Error = DecodeError;

    fn try_from(parts: MomentsParts) -> Result<Self, DecodeError> {
        let MomentsParts { limbs, flags, len, squares } = parts;
        let finite = Wide::from_limbs(limbs);
        let sum = ExactSum(Accumulator { finite, flags, len });
        Self { sum, squares: Wide::from_limbs(squares) }.checked()
    }
}
