//! The start-up probe of a device's own f64s.

use crate::{
    algebra::f64_arithmetic::{add, multiply},
    device::{
        context::Context,
        probe::{Arithmetic, CHAIN, LANES, ask, params_and},
    },
    error::CreateError,
    exact::f64_bits::{FRACTION_MASK, SIGN},
    wgsl::sources::Probe,
};

/// Whether the device adds and multiplies f64s as IEEE-754 says, as [`crate::device::probe::floats_are_sound`] asks of f32s.
/// A device that has f64s by its features, and refuses to run them, has none.
pub(crate) async fn doubles_are_sound(context: &Context) -> Result<bool, CreateError> {
    let triples = triples();
    let inputs = params_and(context, bytemuck::cast_slice(&triples))?;
    let expected = expected(&triples);
    let words = u32::try_from(2 * expected.len()).expect("few");
    match ask(context, Probe::Doubles, &inputs, 4, words).await {
        Ok(answers) => {
            let answers = answers.as_chunks().0.iter();
            let bits = answers.map(|&[low, high]| u64::from(low) | u64::from(high) << 32);
            // The sign of a zero does not matter: no result has one.
            Ok(bits.zip(&expected).all(|(a, &b)| a == b || (a | b) == SIGN))
        }
        Err(CreateError::Refused { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Three floats for each lane: where roundings go wrong if they can, and some without a pattern.
fn triples() -> Vec<u64> {
    let power = |exponent: i32| f64::powi(2.0, exponent);
    // Of exponents that `powi` may come to by way of numbers that are none.
    let tiny = |field: u64| f64::from_bits(field << 52);
    let edges = [
        // Halfway between two floats, to the even one below and above; just above halfway; well below.
        [1.0, power(-53), power(-53)],
        [1.0 + power(-52), power(-53), -power(-53)],
        [1.0, power(-53) + power(-105), 1.0],
        [1.0, power(-54), power(-54)],
        // What a contraction would not round, and an error-free split; what f32s would lose.
        [1.0 + power(-27), 1.0 + power(-27), 1.0],
        [1.0 + power(-52), 1.5 * power(50), power(-50)],
        [1.0, power(-40), power(-20)],
        [power(200), power(170), -power(200)],
        // The smallest results that kernels ask for, and the largest.
        [1.5 * tiny(2), -tiny(2), tiny(2)],
        [tiny(1), 1.5 * tiny(53), -1.5 * tiny(53)],
        [(2.0 - power(-52)) * power(1019), 1.5 * power(1023), -1.5 * power(1023)],
        [(2.0 - power(-52)) * power(1022), power(1022), -power(1022)],
    ];
    let mut triples: Vec<u64> =
        edges.iter().flat_map(|&[a, b, c]| [a, b, c, -a, -b, -c]).map(f64::to_bits).collect();
    let missing = 3 * LANES as usize - triples.len();
    triples.extend((LANES * CHAIN..).take(missing).map(chain_element));
    triples
}

/// What the shader has to answer.
fn expected(triples: &[u64]) -> Vec<u64> {
    let arithmetic = Arithmetic {
        add,
        multiply,
        significand: |x| f64::from_bits(x.to_bits() & FRACTION_MASK | 1023 << 52),
        factor: |x| {
            let (bits, field) = (x.to_bits(), x.to_bits() >> 52 & 2047);
            f64::from_bits(bits & (SIGN | FRACTION_MASK) | (539 + field % 975) << 52)
        },
        chain_element: |index| f64::from_bits(chain_element(index)),
    };
    let floats: Vec<_> = triples.iter().copied().map(f64::from_bits).collect();
    arithmetic.answers(floats.as_chunks().0).into_iter().map(f64::to_bits).collect()
}

/// As in the shader.
fn chain_element(index: u32) -> u64 {
    let scattered = index.wrapping_mul(0x9e37_79b1);
    let bits = (scattered ^ (scattered >> 15)).wrapping_mul(0x85eb_ca77);
    let low = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    let high = bits & 0x800f_ffff | (1003 + (bits >> 20 & 31)) << 20;
    u64::from(low) | u64::from(high) << 32
}
