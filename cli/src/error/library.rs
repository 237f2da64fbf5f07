//! The library's errors in sentences for the program's user. The library says what happened. It also says what to do, but as its callers can do it: where they
//! alone can, the program says what its user can do.

use gridfold::{CreateError, Error, PrepareError, ReadError, SegmentError, WgslError};

const AGAIN: &str = "run it again, or choose the CPU by --adapter cpu";
const ON_CPU: &str = "choose the CPU by --adapter cpu";
const REPORT: &str = "choose the CPU by --adapter cpu, and report it";
const WAY: &str = "leave --variant and --strategy out";

/// What happened, and what to do.
pub fn sentence(error: &Error) -> String {
    let text = error.to_string();
    // The library's texts have what happened first, and a colon.
    let what = text.split_once(": ").map_or(&*text, |(what, _)| what);
    let advice = match error {
        Error::Select(_)
        | Error::Prepare(
            PrepareError::TooLong { .. }
            | PrepareError::Unsupported { .. }
            | PrepareError::NoScan { .. }
            | PrepareError::MaskLength { .. }
            | PrepareError::LengthMismatch { .. }
            | PrepareError::LengthMismatchOfThree { .. }
            | PrepareError::OutOfMemory { .. }
            | PrepareError::Histogram(_)
            | PrepareError::Segments(
                SegmentError::Offset { .. }
                | SegmentError::Lengths { .. }
                | SegmentError::Shape { .. }
                | SegmentError::Results { .. }
                | SegmentError::Axis { .. }
                | SegmentError::AxisTwice { .. }
                | SegmentError::Length { .. },
            ),
        ) => return text,
        Error::Wgsl(error) => return of_expression(error),
        // Words of others, which may have colons.
        Error::Create(CreateError::Refused { what, message })
        | Error::Prepare(
            PrepareError::Refused { what, message }
            | PrepareError::Create(CreateError::Refused { what, message }),
        ) => {
            return format!(
                "the driver refused {what}: {ON_CPU}, or another GPU, and report it with this message: {message}"
            );
        }
        Error::Prepare(PrepareError::Avoided { kernel, reason }) => {
            return format!(
                "this needs the kernel \"{kernel}\", which is wrong on this device ({reason}): {WAY}, or {ON_CPU}"
            );
        }
        Error::Read(ReadError::Map(message)) => {
            return format!("the result can't be read ({message}): {AGAIN}");
        }
        // The names of features are for callers, too.
        Error::Prepare(PrepareError::NoSubgroups) => {
            return format!("this device has no subgroups that can be used: {WAY}");
        }
        Error::Prepare(
            PrepareError::NoCoherentMemory
            | PrepareError::StrategyUnfit { .. }
            | PrepareError::Contradiction { .. },
        ) => WAY,
        Error::Prepare(PrepareError::Imprecise { .. } | PrepareError::NoExactScan { .. }) => {
            "leave --precision out"
        }
        Error::Create(CreateError::OutOfMemory { .. }) => "free some and run it again",
        Error::Create(CreateError::DeviceLost | CreateError::Probe(_))
        | Error::Prepare(PrepareError::DeviceLost)
        | Error::Read(ReadError::DeviceLost) => AGAIN,
        Error::Create(CreateError::Limit { .. })
        | Error::Prepare(
            PrepareError::BindingTooSmall { .. }
            | PrepareError::NoSelection { .. }
            | PrepareError::NoExactPart { .. }
            | PrepareError::NoExactKernel { .. }
            | PrepareError::Segments(_),
        ) => ON_CPU,
        // The program gives no cause for these.
        _ => REPORT,
    };
    format!("{what}: {advice}")
}

/// What is wrong with an expression.
pub fn of_expression(error: &WgslError) -> String {
    let clauses = [
        (", or write a function for gridfold::Map::wgsl, which promises no bits", ""),
        ("with_parameters, or in the program by --parameter", "--parameter"),
        (
            "give it two inputs by gridfold::Map2 and reduce_map2, or in the program as two",
            "give two",
        ),
        (
            "give it three inputs by gridfold::Map3 and reduce_map3, or in the program as three",
            "give three",
        ),
        (", or give it to an Executor or an Array, which count the elements first", ""),
    ];
    clauses
        .into_iter()
        .fold(error.to_string(), |text, (of_callers, own)| text.replace(of_callers, own))
}
