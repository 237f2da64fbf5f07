//! Columns side by side, between edges: histograms.

use crate::{Anchor, DrawError, HEADING, MARGIN, draw, palette, text};
use plotters::prelude::*;

const SIZE: (i32, i32) = (960, 480);
/// Where the numbers of the upright axis end and the columns begin.
const BEGIN: i32 = 110;
/// Room for the numbers below the columns.
const BELOW: i32 = 40;
/// More bins than these are drawn together, as many in each column.
const MAX_COLUMNS: usize = 400;
/// Lines across the columns.
const LINES: u32 = 4;

/// A chart of how many there are between edges.
#[derive(Clone, Debug)]
pub struct ColumnChart<'a> {
    /// What is shown.
    pub title: &'a str,
    /// Of what, and how.
    pub subtitle: &'a str,
    /// One more than there are counts, ascending. Where one is infinite, all columns have the same width.
    pub edges: &'a [f64],
    /// The heights.
    pub counts: &'a [u64],
}

impl ColumnChart<'_> {
    /// The chart as an SVG.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if plotters can't draw it.
    pub fn svg(&self) -> Result<String, DrawError> {
        let bottom = SIZE.1 - BELOW;
        let top = HEADING + 16;
        let together = self.counts.len().div_ceil(MAX_COLUMNS).max(1);
        let columns: Vec<(usize, usize, u64)> = self
            .counts
            .chunks(together)
            .enumerate()
            .map(|(number, counts)| {
                let first = number * together;
                (first, first + counts.len(), counts.iter().sum())
            })
            .collect();
        let highest = columns.iter().map(|&(_, _, count)| count).max().unwrap_or(0).max(1);
        let y = |count: f64| bottom - to_pixels(f64::from(bottom - top) * count / highest as f64);
        let size = (SIZE.0.unsigned_abs(), SIZE.1.unsigned_abs());
        draw(size, self.title, self.subtitle, |area| {
            for line in 0..=LINES {
                let count = highest as f64 * f64::from(line) / f64::from(LINES);
                let ends = [(BEGIN, y(count)), (SIZE.0 - MARGIN, y(count))];
                area.draw(&PathElement::new(ends, palette::GRID.stroke_width(1)))?;
                let place = (BEGIN - 10, y(count));
                area.draw(&text(&short(count), place, 13, palette::MUTED, Anchor::BEFORE))?;
            }
            for &(first, end, count) in &columns {
                let (left, right) = (self.x(first), self.x(end));
                // A gap, where there is room for one.
                let right = if right - left > 3 { right - 1 } else { right.max(left + 1) };
                if count > 0 {
                    // What is there is seen.
                    let height = y(count as f64).min(bottom - 1);
                    let corners = [(left, height), (right, bottom)];
                    area.draw(&Rectangle::new(corners, palette::SERIES[0].filled()))?;
                }
            }
            let last = self.counts.len();
            for edge in [0, last / 2, last] {
                let value = short(self.edges[edge]);
                let place = (self.x(edge), bottom + 26);
                area.draw(&text(&value, place, 13, palette::MUTED, Anchor::ABOVE))?;
            }
            Ok(())
        })
    }

    /// Where an edge is.
    fn x(&self, edge: usize) -> i32 {
        let (low, high) = (self.edges[0], self.edges[self.counts.len()]);
        let share = match (high - low).is_finite() && high > low {
            true => (self.edges[edge] - low) / (high - low),
            false => edge as f64 / self.counts.len() as f64,
        };
        BEGIN + to_pixels(share.clamp(0.0, 1.0) * f64::from(SIZE.0 - MARGIN - BEGIN))
    }
}

/// A number in a few characters.
fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e7).contains(&size) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.3}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a share of the picture")]
fn to_pixels(value: f64) -> i32 {
    value.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(edges: &[f64], counts: &[u64]) -> String {
        let chart = ColumnChart { title: "Columns", subtitle: "of three", edges, counts };
        chart.svg().expect("drawn")
    }

    /// Of the columns, which are all rectangles but the first, the background.
    fn heights(svg: &str) -> Vec<f64> {
        let number = |tag: &str| {
            let (_, rest) = tag.split_once(" height=\"")?;
            rest.split('"').next()?.parse().ok()
        };
        svg.split("<rect").skip(2).filter_map(number).collect()
    }

    #[test]
    fn columns_have_heights_in_proportion() {
        let svg = svg(&[0.0, 1.0, 2.0, 3.0], &[100, 50, 0]);
        let [first, second] = heights(&svg)[..] else { panic!("two columns: {svg}") };
        assert!((first / second - 2.0).abs() < 0.05, "{first} {second}");
        for part in ["Columns", "of three", ">\n100", ">\n75", ">\n3"] {
            assert!(svg.contains(part), "{part} is missing: {svg}");
        }
    }

    #[test]
    fn many_bins_are_drawn_together_and_infinite_edges_somewhere() {
        let edges: Vec<f64> = (0..=5000).map(f64::from).collect();
        assert_eq!(heights(&svg(&edges, &[1; 5000])).len(), 5000usize.div_ceil(13));
        assert_eq!(heights(&svg(&[f64::NEG_INFINITY, 0.0, f64::INFINITY], &[1, 2])).len(), 2);
        assert_eq!(heights(&svg(&[1.0, 1.0], &[7])).len(), 1);
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, 0.25, -2.5, 1e9, 1e-5, 1234567.0].map(short);
        assert_eq!(texts, ["0", "1", "0.25", "-2.5", "1.000e9", "1.000e-5", "1234567"]);
    }
}
