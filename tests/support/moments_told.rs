//! What moments tell, as the vectors have it.

use gridfold::{BriefSummary, Summary};

macro_rules! told {
    ($($name:ident $brief:ident of $element:ident by $digits:literal;)*) => {$(
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

        /// The same of what is brief.
        pub fn $brief(summary: &BriefSummary<$element>) -> String {
            let hex = |value: $element| format!(concat!("{:#0", $digits, "x}"), value.to_bits());
            let place = |place: Option<gridfold::Place<$element>>| match place {
                Some(place) => format!("{} {}", hex(place.element), place.index),
                None => "none none".to_owned(),
            };
            format!(
                "{} {} {} {} {} {}",
                hex(summary.mean()),
                hex(summary.variance()),
                hex(summary.sample_variance()),
                place(summary.min()),
                place(summary.max()),
                summary.nans()
            )
        }
    )*};
}

told! {
    told_of_f32s brief_of_f32s of f32 by "10";
    told_of_f64s brief_of_f64s of f64 by "18";
}

/// A line's fields without skewness and kurtosis, which are the fourth and the fifth.
pub fn without_shape(told: &str) -> String {
    let fields: Vec<&str> = told.split([' ', ',']).collect();
    assert_eq!(fields.len(), 10, "{told}");
    [&fields[..3], &fields[5..]].concat().join(" ")
}
