//! Variances of what is not NaN. There are exact ones alone: without some of its elements a sequence has other runs, and no device knows which
//! before it has counted.

use crate::{
    algebra::{
        acc_words::AccWords,
        accumulator::ExactOperator,
        element::{Element, ElementType},
        exact_total::ExactKind,
        operator::{Combining, ExactSpec, ExactTerms, Operator, OperatorSpec, part},
        operator_type::OperatorType,
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

macro_rules! nan_variances {
    (
        $($(#[$doc:meta])* $operator:ident: $degrees:literal;)*
    ) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $operator;

        impl ExactOperator for $operator {
            type Accumulator = ExactMoments;
        }

        nan_variances!(
            $operator of f32: ExactMoments,
            ExactSpec::everywhere(
                ExactTerms::NumberMoments,
                &[
                    part!("exact/value_variance.wgsl"),
                    part!($degrees),
                    part!("exact/divide.wgsl"),
                ],
            )
        );
        nan_variances!(
            $operator of f64: F64Moments,
            Some(ExactSpec { kind: ExactKind::DoubleMoments, kernels: None, counts_all: false })
        );
    )*};
    (
        $operator:ident of $element:ident: $moments:ident, $exact:expr
    ) => {
        impl Operator<$element> for $operator {
            const SPEC: OperatorSpec = spec(
                OperatorType::$operator,
                <$element as Element>::TYPE,
                &[0; <$moments as AccWords>::WORDS],
                $exact,
            );
            total_value!($element);
        }
    };
}

nan_variances! {
    /// The variance of the elements that are not NaN: the true one, rounded once, whatever [`crate::Precision`] is asked for. As NumPy's
    /// `nanvar`. NaN of nothing, of NaNs alone, and if an element is infinite. Its square root is the standard deviation (`nanstd`).
    ///
    /// Of `f64`s the CPU alone has it: an array on a device gives `PrepareError::NoExactKernel`. Devices reduce up to 1024 segments by it, one by one,
    /// if the host knows where they are.
    ///
    /// ```
    /// use gridfold::Executor;
    ///
    /// let executor = Executor::auto();
    /// assert_eq!(executor.nan_variance(&[1.0f32, f32::NAN, 3.0])?, 1.0);
    /// assert_eq!(executor.nan_sample_variance(&[1.0f32, f32::NAN, 3.0])?, 2.0);
    /// assert!(executor.nan_variance(&[f32::NAN])?.is_nan());
    /// # Ok::<(), gridfold::Error>(())
    /// ```
    #[doc(alias("nanvar", "nanstd"))]
    NanVariance: "exact/variance_of_numbers.wgsl";
    /// The variance estimated from a sample: as [`NanVariance`], but divided by one less than the number of elements that are not NaN, as
    /// NumPy's `nanvar` with `ddof=1`. NaN of less than two such elements.
    #[doc(alias("nanvar", "nanstd", "ddof"))]
    NanSampleVariance: "exact/variance_sample_of_numbers.wgsl";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Executor, Precision, SampleVariance, Variance};

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
                    exactly.reduce::<f32, Variance>(&numbers).expect("a variance").value,
                    exactly.reduce::<f32, SampleVariance>(&numbers).expect("a variance").value,
                ];
                let wide: Vec<f64> = elements.iter().map(|&element| element.into()).collect();
                let wide_numbers: Vec<f64> =
                    numbers.iter().map(|&element| element.into()).collect();
                let wide_wanted = exactly.variance(&wide_numbers).expect("a variance");
                for precision in Precision::ALL {
                    let cpu = Executor::cpu().precision(precision);
                    let found = [
                        cpu.nan_variance(&elements).expect("a variance"),
                        cpu.nan_sample_variance(&elements).expect("a variance"),
                    ];
                    assert_eq!(
                        found.map(f32::to_bits),
                        wanted.map(f32::to_bits),
                        "{len}, {every}, {precision}"
                    );
                    let found = cpu.nan_variance(&wide).expect("a variance");
                    assert_eq!(found.to_bits(), wide_wanted.to_bits(), "{len}, {every}");
                }
            }
        }
        let infinite = [1.0, f32::NAN, f32::INFINITY];
        assert!(Executor::cpu().nan_variance(&infinite).expect("a variance").is_nan());
    }

    #[test]
    fn segments_and_parts() {
        let cpu = Executor::cpu();
        let elements = [1.0f32, f32::NAN, 3.0, f32::NAN, f32::NAN, 5.0, 9.0];
        let found = cpu.reduce_segments::<f32, NanVariance>(&elements, &[0, 3, 5, 7]);
        let found = found.expect("variances");
        assert_eq!((found[0], found[2]), (1.0, 4.0));
        assert!(found[1].is_nan());
        // Of numbers: 1, 3, 5 and 9. A part has fewer elements in its accumulator than in its range.
        let (head, tail) = elements.split_at(4);
        let head = cpu.reduce_part::<f32, NanVariance>(head, 0).expect("a part");
        let tail = cpu.reduce_part::<f32, NanVariance>(tail, 4).expect("a part");
        let again = crate::Partial::<f32, NanVariance>::from_bytes(&head.to_bytes());
        let merged = again.expect("its bytes").merge(&tail).expect("neighbours");
        assert_eq!(merged.finish().expect("all of it"), 8.75);
    }
}
