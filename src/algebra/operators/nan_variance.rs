//! Variances of what is not NaN. There are exact ones alone: without some of its elements a sequence has other runs, and no device knows which
//! before it has counted.

use crate::{
    algebra::{
        acc_words::AccWords,
        element::ElementType,
        exact_total::ExactKind,
        operator::{Combining, ExactSpec, ExactTerms, OperatorSpec, part},
        operator_type::OperatorType,
        options::{NanRule, Options},
    },
    exact::{ExactMoments, F64Moments},
};

/// An exact variance, and nothing that combines on a device.
const fn spec(
    operator: OperatorType,
    element: ElementType,
    identity: &'static [u32],
    exact: Option<ExactSpec>,
) -> OperatorSpec {
    OperatorSpec {
        operator,
        element,
        inputs: 1,
        out_words: element.words(),
        order_free: false,
        computes_floats: false,
        combining: Combining { identity, ..Combining::NONE },
        exact,
    }
}

macro_rules! specs {
    ($degrees:literal $sample:literal) => {{
        const OPERATOR: OperatorType = OperatorType::Variance.with(Options {
            nan: NanRule::Ignore,
            sample: $sample,
            ..Options::DEFAULT
        });
        [
            spec(
                OPERATOR,
                ElementType::F32,
                &[0; <ExactMoments as AccWords>::WORDS],
                ExactSpec::everywhere(
                    ExactTerms::NumberMoments,
                    &[part!("exact/variance.wgsl"), part!($degrees), part!("exact/divide.wgsl")],
                ),
            ),
            spec(
                OPERATOR,
                ElementType::F64,
                &[0; <F64Moments as AccWords>::WORDS],
                Some(ExactSpec {
                    kind: ExactKind::DoubleMoments,
                    kernels: None,
                    counts_all: false,
                }),
            ),
        ]
    }};
}

/// For `f32`s and for `f64`s.
pub(super) const OF_ALL: [OperatorSpec; 2] = specs!("exact/variance.wgsl@of_numbers" false);
pub(super) const OF_SAMPLE: [OperatorSpec; 2] =
    specs!("exact/variance.wgsl@sample_of_numbers" true);

#[cfg(test)]
mod tests {
    use crate::{Executor, Nan, Precision, Variance};

    /// They are the variances of a list without the NaNs.
    #[test]
    fn nans_are_left_out() {
        let exactly = Executor::cpu().precision(Precision::Exact);
        for len in [0, 1, 2, 5, 4095, 4096, 4097, 70_000] {
            for every in [1, 2, 3, 5000] {
                let elements: Vec<f32> = (0..len)
                    .map(|i: u32| match i % every {
                        0 if every > 1 => f32::from_bits(0x7f80_0001 | i << 31),
                        _ => (i.wrapping_mul(0x9e37_79b1) >> 9) as f32 / 3.0 - 1e6,
                    })
                    .collect();
                let numbers: Vec<f32> =
                    elements.iter().copied().filter(|element| !element.is_nan()).collect();
                let wanted = [
                    exactly.reduce(&numbers, Variance).expect("a variance").value,
                    exactly.reduce(&numbers, Variance.sample()).expect("a variance").value,
                ];
                let wide: Vec<f64> = elements.iter().map(|&element| element.into()).collect();
                let wide_numbers: Vec<f64> =
                    numbers.iter().map(|&element| element.into()).collect();
                let wide_wanted = exactly.variance(&wide_numbers).expect("a variance");
                for precision in Precision::ALL {
                    let cpu = Executor::cpu().precision(precision);
                    let found = [
                        cpu.reduce(&elements, Variance.nan(Nan::Ignore)).expect("a variance").value,
                        cpu.reduce(&elements, Variance.nan(Nan::Ignore).sample())
                            .expect("a variance")
                            .value,
                    ];
                    assert_eq!(
                        found.map(f32::to_bits),
                        wanted.map(f32::to_bits),
                        "{len}, {every}, {precision}"
                    );
                    let found =
                        cpu.reduce(&wide, Variance.nan(Nan::Ignore)).expect("a variance").value;
                    assert_eq!(found.to_bits(), wide_wanted.to_bits(), "{len}, {every}");
                }
            }
        }
        let infinite = [1.0, f32::NAN, f32::INFINITY];
        assert!(
            Executor::cpu()
                .reduce(&infinite, Variance.nan(Nan::Ignore))
                .expect("a variance")
                .value
                .is_nan()
        );
    }

    #[test]
    fn segments_and_parts() {
        let cpu = Executor::cpu();
        let elements = [1.0f32, f32::NAN, 3.0, f32::NAN, f32::NAN, 5.0, 9.0];
        let found =
            cpu.reduce_segments::<f32, _>(&elements, &[0, 3, 5, 7], Variance.nan(Nan::Ignore));
        let found = found.expect("variances");
        assert_eq!((found[0], found[2]), (1.0, 4.0));
        assert!(found[1].is_nan());
        // Of numbers: 1, 3, 5 and 9. A part has fewer elements in its accumulator than in its range.
        let (head, tail) = elements.split_at(4);
        let head = cpu.reduce_part(head, 0, Variance.nan(Nan::Ignore)).expect("a part");
        let tail = cpu.reduce_part(tail, 4, Variance.nan(Nan::Ignore)).expect("a part");
        let again = crate::Partial::<f32, Variance>::from_bytes(&head.to_bytes());
        let merged = again.expect("its bytes").merge(&tail).expect("neighbours");
        assert_eq!(merged.finish().expect("all of it"), 8.75);
    }
}
