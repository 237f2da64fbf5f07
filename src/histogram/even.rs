//! Where floats are among bins of nearly equal width: numbers for `shaders/histogram/bins.wgsl`, from the edges alone.

/// Counts steps from one bin before the first one: a bin is 2^`log2_bin` of them.
///
/// The step that an element x is in is told by the bits of x · `scale` + `offset`, from `begin` on. `begin` is so low that the place which they tell
/// is never below the element's own, and above it by at most `near`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct EvenPlaces {
    pub(super) scale: f32,
    pub(super) offset: f32,
    pub(super) begin: u32,
    pub(super) near: u32,
    pub(super) log2_bin: u32,
}

/// Bits of an `f32`'s fraction.
const FRACTION_BITS: u32 = 23;
/// A bin is 2^8 steps at least. So most elements are far from edges.
const LEAST_LOG2_BIN: u32 = 8;
/// Elements are near an edge within a sixteenth of a bin, at most.
const NEAR_FRACTION: f64 = 1.0 / 16.0;

impl EvenPlaces {
    /// For bins between these edges, which are ascending. `None` where they are too many, of too different widths, or so narrow
    /// beside their distance from 0 that places of `f32`s do not tell them.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "what is rounded is counted as an error; the rest is small, and not negative"
    )]
    pub(super) fn new(edges: &[f64]) -> Option<Self> {
        let (&[low, .., high], bins) = (edges, edges.len() as u64 - 1) else { return None };
        // Room for a bin before the first one, and another one behind the last.
        let log2_bins = (bins + 2).next_power_of_two().ilog2();
        let log2_bin =
            FRACTION_BITS.checked_sub(log2_bins).filter(|&log2| log2 >= LEAST_LOG2_BIN)?;
        let steps_of_bin = f64::from(1 << log2_bin);
        let scale = bins as f64 / (high - low);
        // Its own bits, and those of what it is multiplied by, are of usual sizes. Not so where an edge is infinite, or both are the same.
        if !(1e-30..=1e30).contains(&scale) {
            return None;
        }
        let uneven = (0u32..).zip(edges).map(|(number, edge)| {
            let even = (edge - low) * scale;
            (even - f64::from(number)).abs()
        });
        let uneven = uneven.fold(0.0, f64::max);
        let magnitude = low.abs().max(high.abs());
        // The scale, the product, and the offset's part of it are rounded to 24 bits, in any direction. Then what is flushed: less than
        // 2^-125 of an element, or of a product.
        let error_bins = uneven + magnitude * scale * 2f64.powi(-21) + (scale + 1.0) * 1e-37;
        // The offset and the sum are rounded to whole steps, in any direction.
        let error = (error_bins * steps_of_bin).ceil() + 4.0;
        if error * 2.0 > steps_of_bin * NEAR_FRACTION {
            return None;
        }
        // Sums have this exponent: from this number on, whose last bit is a step, to twice as much.
        let base = f64::from(1 << log2_bins) + 1.0;
        let begin = (base as f32).to_bits() - error as u32;
        let offset = (base - low * scale) as f32;
        Some(Self { scale: scale as f32, offset, begin, near: 2 * error as u32, log2_bin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bins::Bins;

    /// The bin of an element that is in one, as the shader has it: if products and sums are rounded to a number, or `away` from it.
    fn bin_of(places: EvenPlaces, edges: &[f64], x: f32, away: fn(f32) -> f32) -> (usize, bool) {
        let sum = away(away(x * places.scale) + places.offset);
        let place = sum.to_bits().wrapping_sub(places.begin);
        let is_near = place & ((1 << places.log2_bin) - 1) <= places.near;
        let last = edges.len() - 1;
        let edge = ((place >> places.log2_bin) as usize).min(last);
        let bin = edge - usize::from(is_near && edge > 0 && f64::from(x) < edges[edge]);
        (bin.min(last - 1), is_near)
    }

    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "what is near an edge is looked for")]
    fn places_tell_bins() {
        let usual = [(0.0, 1.0), (-1.0, 1.0), (-3.3, 17.0), (9.0, 11.0), (-1e-20, 1e-20)];
        let extreme = [(0.0, 1e25), (0.0, 65504.0), (1e-3, 1.1e-3), (-1e-25, 3e-26), (-3e28, 0.0)];
        let (mut all, mut near) = (0, 0);
        for (low, high) in usual.into_iter().chain(extreme) {
            for count in [1, 2, 3, 7, 254, 256, 1000, 4096, 30_000] {
                let edges = Bins::even(count, low..=high).expect("a range").edge_values();
                let Some(places) = EvenPlaces::new(&edges) else {
                    assert!(count == 30_000 || count > 250 && low > 0.0, "{count} {low} {high}");
                    continue;
                };
                let ends = edges.iter().map(|&edge| edge as f32);
                let others = (0..2000).map(|i| (low + (high - low) * f64::from(i) / 2000.0) as f32);
                for x in ends.flat_map(|x| [x, x.next_up(), x.next_down()]).chain(others) {
                    if !(low..=high).contains(&f64::from(x)) {
                        continue;
                    }
                    let wanted = edges.partition_point(|&edge| edge <= x.into()) - 1;
                    let wanted = wanted.min(edges.len() - 2);
                    for away in [|x| x, f32::next_up, f32::next_down] {
                        let (found, is_near) = bin_of(places, &edges, x, away);
                        assert_eq!(found, wanted, "{x:e} of {count} bins from {low} to {high}");
                        all += 1;
                        near += u32::from(is_near);
                    }
                }
            }
        }
        assert!(near > 100_000 && all - near > 100_000, "{near} of {all} are near an edge");
    }

    #[test]
    fn what_has_no_places() {
        for edges in [
            &[0.0, 1.0, 3.0][..],
            &[0.0, f64::INFINITY],
            &[f64::NEG_INFINITY, 0.0, f64::INFINITY],
            &[2.0, 2.0],
            &[0.0, 0.0, 1.0],
            &[1e7, 1e7 + 1.0, 1e7 + 2.0],
            &[-1e300, 0.0, 1e300],
            &[0.0, 1e-45],
        ] {
            assert_eq!(EvenPlaces::new(edges), None, "{edges:?}");
        }
        // A little uneven is even, too.
        let edges = [0.0, 1.01, 2.0, 2.99, 4.0];
        let places = EvenPlaces::new(&edges).expect("they are nearly even");
        for (x, wanted) in [(1.005, 0), (1.01, 0), (1.02, 1), (2.98, 2), (3.0, 3), (4.0, 3)] {
            assert_eq!(bin_of(places, &edges, x, |x| x).0, wanted, "{x}");
        }
    }
}
