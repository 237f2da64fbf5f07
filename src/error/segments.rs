//! Errors about segments.

use crate::algebra::{element::ElementType, operator_type::OperatorType};

/// Elements that can't be reduced in segments. Nothing was recorded, and nothing of the caller's was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// Offsets in host memory that are less than the one before, or lie behind the elements.
    #[error(
        "offset {index} is {offset}, where {least} to {most} would do: give offsets that never fall, and end with the elements or before"
    )]
    Offset {
        /// Which one, from 0.
        index: u64,
        /// Its value.
        offset: u64,
        /// The one before.
        least: u64,
        /// Elements.
        most: u64,
    },
    /// Lengths in host memory that are more than the elements together.
    #[error(
        "segment {segment} has {length} elements and would end at {end}, past {most}: give lengths that add up to {most} at most"
    )]
    Lengths {
        /// The first segment that there are not enough elements for, from 0.
        segment: u64,
        /// Its length.
        length: u64,
        /// Where it would end.
        end: u64,
        /// Where it can end at most: behind the last element, and below 2^32.
        most: u64,
    },
    /// Rows that are not as long as each other.
    #[error("{len} elements are no rows of {row_len}: give whole rows, of one element at least")]
    Rows {
        /// Elements.
        len: u64,
        /// Those of a row.
        row_len: u64,
    },
    /// A shape of other elements, or of too many.
    #[error("{len} elements have no shape {shape:?}: give a shape of as many")]
    Shape {
        /// Elements.
        len: u64,
        /// The shape.
        shape: Vec<u64>,
    },
    /// A shape without elements, and so many results along its axes that no number of 64 bits tells them.
    #[error(
        "an array of shape {shape:?} has some 2^64 results or more along these axes: reduce along more axes"
    )]
    Results {
        /// The shape.
        shape: Vec<u64>,
    },
    /// There is no such axis.
    #[error("a shape of {rank} axes has no axis {axis}: choose one below {rank}")]
    Axis {
        /// The axis asked for, from 0.
        axis: usize,
        /// Axes of the shape.
        rank: usize,
    },
    /// An axis that is given twice.
    #[error("axis {axis} is given twice: give each axis once")]
    AxisTwice {
        /// The axis, from 0.
        axis: usize,
    },
    /// Keys, flags or numbers of groups that are not as many as the elements.
    #[error("there are {given} {what} for {len} elements: give one for each element")]
    Length {
        /// What they are.
        what: &'static str,
        /// How many there are.
        given: u64,
        /// Elements.
        len: u64,
    },
    /// More groups than a device takes at once.
    #[error(
        "there are {groups} groups, and a device takes at most {most}: reduce them on the CPU, or sort the elements by group, and reduce \
         runs of equal keys"
    )]
    Groups {
        /// Groups asked for.
        groups: u64,
        /// Groups at most.
        most: u64,
    },
    /// Elements that devices do not reduce in segments.
    #[error(
        "no device reduces segments of {element}: reduce them on the CPU, with Executor::cpu()"
    )]
    Element {
        /// The element type.
        element: ElementType,
    },
    /// Exact results of an operator that rounds.
    #[error(
        "there is no exact {operator} of such segments of {element} on a GPU: {}reduce them on the CPU, with Executor::cpu(), or ask for \
         Precision::Reproducible, the default, if the operator has such results",
        of_few(*.most)
    )]
    Inexact {
        /// The operator.
        operator: OperatorType,
        /// The element type.
        element: ElementType,
        /// Segments at most that a device reduces one by one, if the host knows where they are: rows, along an axis, or between offsets in host
        /// memory. 0 if it reduces none.
        most: u64,
    },
    /// Elements, or numbers of groups, in several slices, and segments that take one.
    #[error(
        "this input has {slices} slices, and a device that has the groups, or takes axes that lie apart, or has offsets and takes elements of several \
         components with a stride, takes one: copy them to one, or give rows, one axis, or offsets in host memory (Array::reduce_segments)"
    )]
    Input {
        /// Slices of the input.
        slices: usize,
    },
    /// More elements between offsets, lengths or begins on the device than it has numbers for.
    #[error(
        "{len} elements lie between offsets that a device has, and it counts {most} at most: give offsets in host memory (Array::reduce_segments), or \
         reduce parts of the elements"
    )]
    Positions {
        /// Elements.
        len: u64,
        /// Elements at most.
        most: u64,
    },
    /// Too many segments of which no binding has all elements, or steps between these that are too wide.
    #[error(
        "{segments} segments lie in several bindings each, and at most {most} are reduced alone: cut the elements between segments, or reduce \
         them on the CPU, with Executor::cpu()"
    )]
    Split {
        /// Such segments, or more than these.
        segments: u64,
        /// Such segments at most.
        most: u64,
    },
    /// The results' buffer is read, too.
    #[error("the results share a buffer with the elements or the offsets: give them another one")]
    Aliasing,
}

fn of_few(most: u64) -> String {
    match most {
        0 => String::new(),
        _ => format!(
            "give up to {most} of rows, along one axis, or between offsets in host memory, "
        ),
    }
}
