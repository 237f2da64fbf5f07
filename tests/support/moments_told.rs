//! What moments tell, as the vectors have it.

use gridfold::Summary;

macro_rules! told {
    ($($name:ident of $element:ident by $digits:literal;)*) => {$(
        /// The fields of a line.
        pub fn $name(summary: &Summary<$element>) -> String {
            let hex = |value: $element| format!(concat!("{:#0", $digits, "x}"), value.to_bits());
            let place = |place: Option<gridfold::Place<$element>>| match place {
                Some(place) => format!("{} {}", hex(place.element), place.index),
                None => "none none".to_owned(),
            };
            format!(
                "{} {} {} {:#018x} {:#018x} {} {} {}",
                hex(summary.mean()),
                hex(summary.variance()),
                hex(summary.sample_variance()),
                summary.skewness().to_bits(),
                summary.kurtosis().to_bits(),
                place(summary.min()),
                place(summary.max()),
                summary.nans()
            )
        }
    )*};
}

told! {
    told_of_f32s of f32 by "10";
    told_of_f64s of f64 by "18";
}
