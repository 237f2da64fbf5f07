//! Statistics of a NumPy file of `f32`s, in one read of the elements. `gridfold stats` does it for every type.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "other examples use the rest")]
mod support;

use gridfold::{Context, Executor, HostSlices, Moments, Variant};
use std::error::Error;
use support::Outcome;

/// The elements of a file of version 1 with little-endian `f32`s, in the order in which they are there.
fn elements(file: &[u8]) -> Result<Vec<f32>, Box<dyn Error>> {
    let header =
        file.strip_prefix(b"\x93NUMPY\x01\x00").ok_or("it is no .npy file of version 1")?;
    let (len, rest) = header.split_first_chunk().ok_or("the header is cut off")?;
    let len = usize::from(u16::from_le_bytes(*len));
    let (header, data) = rest.split_at_checked(len).ok_or("the header is cut off")?;
    if !str::from_utf8(header)?.contains("'descr': '<f4'") {
        return Err("its elements are no little-endian f32s".into());
    }
    let (elements, cut) = data.as_chunks();
    if !cut.is_empty() {
        return Err("its last element is cut off".into());
    }
    Ok(elements.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

/// Runs the example on a device, and checks it.
pub fn example(context: &Context, _: Variant) -> Outcome {
    // What `numpy.save(file, numpy.arange(1, 5, dtype="f4"))` writes.
    let mut header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }".to_owned();
    header.push_str(&[" ".repeat(117 - header.len()).as_str(), "\n"].concat());
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(header.bytes());
    file.extend([1.0f32, 2.0, 3.0, 4.0].into_iter().flat_map(f32::to_le_bytes));

    let executor = Executor::from_context(context.clone()).host_slices(HostSlices::OnDevice);
    let summary = executor.reduce(&elements(&file)?, Moments)?.value;
    let (mean, variance) = (summary.mean(), summary.variance());
    if (mean, variance, summary.nans()) != (2.5, 1.25, 0) {
        return Err(format!("a mean of {mean} and a variance of {variance} are wrong").into());
    }
    Ok(format!("{} elements with a mean of {mean} and a variance of {variance}.", summary.len()))
}

#[allow(dead_code, reason = "tests call the example itself")]
fn main() -> Result<(), Box<dyn Error>> {
    support::on_a_device(example)
}
