//! The start-up probes: does the device do what the kernels stand on?

use crate::{
    algebra::float_environment::{add, multiply},
    device::{
        buffer,
        context::Context,
        readback::{Readback, Source, Staging},
    },
    error::{CreateError, ReadError},
    wgsl::{shader::PARAMS_BYTES, sources::Probe},
};
use std::ops::Neg;

/// Invocations of a probe.
pub(super) const LANES: u32 = 256;

const LABEL: &str = "gridfold probe";

/// Shuffle distances that the shader tries: 1, 2, 4 … 64.
const SHUFFLES: u32 = 7;

/// Whether `subgroup_id * subgroup_size + subgroup_invocation_id` numbers the invocations of a
/// workgroup from 0 to 255, and shuffles go by those numbers. WGSL promises the second, and the first
/// only where all subgroups are full.
pub(crate) async fn lanes(context: &Context) -> Result<Lanes, CreateError> {
    match ask(context, Probe::Lanes, &[], 0, (1 + SHUFFLES) * LANES).await {
        Ok(words) if are_sound(&words) => Ok(Lanes::Sound { in_order: are_in_order(&words) }),
        Ok(_) => Ok(Lanes::Unsound(
            "the lanes of its subgroups are not numbered as they are shuffled".to_owned(),
        )),
        // A compiler that can't do this much would refuse the kernels, too.
        Err(error @ CreateError::Refused { .. }) => Ok(Lanes::Unsound(error.to_string())),
        Err(error) => Err(error),
    }
}

/// How the lanes of subgroups are numbered.
pub(crate) enum Lanes {
    /// As kernels need it.
    Sound {
        /// Also in the order of `local_invocation_index`.
        in_order: bool,
    },
    /// What is wrong.
    Unsound(String),
}

/// Whether the device adds and multiplies floats as IEEE-754 says, in the order that is asked for, where
/// nothing is subnormal, infinite or NaN. WGSL promises neither.
pub(crate) async fn floats_are_sound(context: &Context) -> Result<bool, CreateError> {
    let triples = float_triples();
    let inputs = params_and(context, bytemuck::cast_slice(&triples))?;
    let expected = float_answers(&triples);
    let words = u32::try_from(expected.len()).expect("few");
    let answers = ask(context, Probe::Floats, &inputs, 4, words).await?;
    // The sign of a zero does not matter: no result has one.
    let same = |(&a, &b): (&u32, &u32)| a == b || (a | b) == 0x8000_0000;
    Ok(answers.iter().zip(&expected).all(same))
}

/// The bindings of parameters that are 0, and of an input.
pub(super) fn params_and(
    context: &Context,
    input: &[u8],
) -> Result<[(u32, wgpu::Buffer); 2], CreateError> {
    let params = vec![0u8; PARAMS_BYTES.next_multiple_of(16)];
    let buffer = |usage, bytes: &[u8]| {
        buffer::create_filled(context.device(), LABEL, bytes.len() as u64, usage, bytes)
    };
    Ok([
        (0, buffer(wgpu::BufferUsages::UNIFORM, &params)?),
        (2, buffer(wgpu::BufferUsages::STORAGE, input)?),
    ])
}

/// Runs a probe with these inputs, by binding, and returns the words that it wrote to `output_binding`.
pub(super) async fn ask(
    context: &Context,
    probe: Probe,
    inputs: &[(u32, wgpu::Buffer)],
    output_binding: u32,
    words: u32,
) -> Result<Vec<u32>, CreateError> {
    let device = context.device();
    let size_bytes = u64::from(words) * 4;
    let pipeline = context.pipelines().probe(probe)?;
    let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
    let output = buffer::create(device, LABEL, size_bytes, usage)?;
    let mut entries: Vec<wgpu::BindGroupEntry<'_>> = inputs
        .iter()
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding: *binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    entries.push(wgpu::BindGroupEntry {
        binding: output_binding,
        resource: output.as_entire_binding(),
    });
    let bind_group = buffer::create_with(device, LABEL, |label| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(label),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        })
    })?;
    let mut encoder = context.create_encoder(LABEL)?;
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(LABEL),
            timestamp_writes: None,
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bind_group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }
    let source = Source { buffer: &output, offset_bytes: 0, size_bytes };
    let staging = Staging::allocate(context, size_bytes)?;
    let readback: Readback<Vec<u32>> =
        staging.record(context, &mut encoder, &[source], bytemuck::pod_collect_to_vec);
    context.submit(encoder)?;
    readback.await.map_err(|error| match error {
        ReadError::DeviceLost => CreateError::DeviceLost,
        error => CreateError::Probe(error),
    })
}

/// Three floats for each lane: where roundings go wrong if they can, and some without a pattern.
fn float_triples() -> Vec<u32> {
    let power = |exponent: i32| f32::powi(2.0, exponent);
    let edges = [
        // Halfway between two floats, to the even one below and above; just above halfway; well below.
        [1.0, power(-24), power(-24)],
        [1.0 + power(-23), power(-24), -power(-24)],
        [1.0, power(-24) + power(-47), 1.0],
        [1.0, power(-25), power(-25)],
        // What a contraction would not round, and an error-free split.
        [1.0 + power(-12), 1.0 + power(-12), 1.0],
        [1.0 + power(-23), 1.5 * power(20), power(-20)],
        // The smallest results that kernels ask for, and the largest.
        [1.5 * power(-125), -power(-125), power(-125)],
        [power(-126), 1.5 * power(-103), -1.5 * power(-103)],
        [(2.0 - power(-23)) * power(123), 1.5 * power(127), -1.5 * power(127)],
        [(2.0 - power(-23)) * power(126), power(126), -power(126)],
    ];
    let mut triples: Vec<u32> =
        edges.iter().flat_map(|&[a, b, c]| [a, b, c, -a, -b, -c]).map(f32::to_bits).collect();
    let missing = 3 * LANES as usize - triples.len();
    triples.extend((LANES * CHAIN..).take(missing).map(chain_element));
    triples
}

/// What a float probe's shader has to answer. In integers, because this thread's floats may be another application's.
fn float_answers(triples: &[u32]) -> Vec<u32> {
    let arithmetic = Arithmetic {
        add,
        multiply,
        significand: |x| f32::from_bits((x.to_bits() & 0x007f_ffff) | 0x3f80_0000),
        factor: |x| {
            let (bits, field) = (x.to_bits(), x.to_bits() >> 23 & 255);
            f32::from_bits(bits & 0x807f_ffff | (76 + field % 94) << 23)
        },
        chain_element: |index| f32::from_bits(chain_element(index)),
    };
    let floats: Vec<_> = triples.iter().copied().map(f32::from_bits).collect();
    arithmetic.answers(floats.as_chunks().0).into_iter().map(f32::to_bits).collect()
}

/// What a probe of floats computes with.
pub(super) struct Arithmetic<F> {
    pub(super) add: fn(F, F) -> F,
    pub(super) multiply: fn(F, F) -> F,
    /// In [1, 2).
    pub(super) significand: fn(F) -> F,
    /// With the magnitude of a factor that is left to the device.
    pub(super) factor: fn(F) -> F,
    /// As in the shader.
    pub(super) chain_element: fn(u32) -> F,
}

impl<F: Copy + Default + Neg<Output = F>> Arithmetic<F> {
    /// The shader's answers, in its order.
    pub(super) fn answers(&self, triples: &[[F; 3]]) -> Vec<F> {
        let Self { add, multiply, significand, factor, chain_element } = *self;
        let product = |a, b| multiply(significand(a), significand(b));
        let lanes = |answer: &dyn Fn(F, F, F) -> F| -> Vec<F> {
            triples.iter().map(|&[a, b, c]| answer(a, b, c)).collect()
        };
        let mut answers = [
            lanes(&|a, b, _| add(a, b)),
            lanes(&|a, b, c| add(add(a, b), c)),
            lanes(&|a, b, _| add(a, -add(add(a, b), -b))),
            lanes(&|a, b, _| product(a, b)),
            lanes(&|a, b, c| add(product(a, b), -significand(c))),
            lanes(&|a, b, _| multiply(factor(a), factor(b))),
        ]
        .concat();
        answers.extend((0..LANES).map(|lane| {
            let elements = lane * CHAIN..(lane + 1) * CHAIN;
            elements.fold(F::default(), |sum, index| add(sum, chain_element(index)))
        }));
        answers
    }
}

/// The shader's `PROBE_CHAIN`.
pub(super) const CHAIN: u32 = 256;

/// As in the shader.
fn chain_element(index: u32) -> u32 {
    let scattered = index.wrapping_mul(0x9e37_79b1);
    let bits = (scattered ^ (scattered >> 15)).wrapping_mul(0x85eb_ca77);
    (bits & 0x807f_ffff) | ((107 + (bits >> 23 & 31)) << 23)
}

/// `words`: each invocation's lane, then for each shuffle the lane that it brought.
fn are_sound(words: &[u32]) -> bool {
    let (lanes, brought) = words.split_at(LANES as usize);
    let mut sorted = lanes.to_vec();
    sorted.sort_unstable();
    sorted.iter().copied().eq(0..LANES)
        && brought.chunks_exact(lanes.len()).enumerate().all(|(shuffle, brought)| {
            lanes.iter().zip(brought).all(|(lane, brought)| lane ^ (1 << shuffle) == *brought)
        })
}

/// Whether each invocation's lane is its `local_invocation_index`.
fn are_in_order(words: &[u32]) -> bool {
    words[..LANES as usize].iter().copied().eq(0..LANES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(lanes: impl Fn(u32) -> u32, shuffled: impl Fn(u32, u32) -> u32) -> Vec<u32> {
        let masks = (0..SHUFFLES).map(|i| 1 << i);
        let lane_of = (0..LANES).map(&lanes);
        let brought = masks.flat_map(|mask| (0..LANES).map(move |i| (i, mask)));
        lane_of.chain(brought.map(|(i, mask)| shuffled(lanes(i), mask))).collect()
    }

    #[test]
    fn any_layout_of_lanes_is_sound() {
        let in_order = answers(|i| i, |lane, mask| lane ^ mask);
        let scattered = answers(|i| i.reverse_bits() >> 24, |lane, mask| lane ^ mask);
        assert!(are_sound(&in_order) && are_sound(&scattered));
        assert!(are_in_order(&in_order) && !are_in_order(&scattered));
    }

    #[test]
    fn partly_full_subgroups_are_not() {
        // 16 subgroups of 32 lanes, half full.
        let lanes = |i: u32| i / 16 * 32 + i % 16;
        assert!(!are_sound(&answers(lanes, |lane, mask| lane ^ mask)));
    }

    #[test]
    fn shuffles_by_other_numbers_are_not() {
        assert!(!are_sound(&answers(
            |i| i,
            |lane, mask| if mask == 8 { lane } else { lane ^ mask }
        )));
    }
}
