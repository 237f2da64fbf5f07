//! A histogram: bars of equal widths, and lines that mark values.

use crate::{Anchor, DrawError, HEADING, MARGIN, draw, palette, text};
use plotters::prelude::*;

const SIZE: (i32, i32) = (960, 520);
/// Where bars begin and end.
const LEFT: i32 = MARGIN + 70;
const RIGHT: i32 = SIZE.0 - MARGIN - 20;
/// Where names of marks stand, one row for each.
const ROW: i32 = 18;
/// The foot of the bars.
const BOTTOM: i32 = SIZE.1 - 60;

/// How many values are in each of some bins of equal widths.
#[derive(Clone, Debug)]
pub struct Histogram<'a> {
    /// What is shown.
    pub title: &'a str,
    /// On what, and how.
    pub subtitle: &'a str,
    /// Where the first bin begins, and where the last one ends.
    pub range: [f64; 2],
    /// How many values are in each, from the left.
    pub counts: Vec<u64>,
    /// Values to mark by a line, with their names.
    pub marks: Vec<Mark>,
}

/// A value with a name.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Written above its line.
    pub name: String,
    /// Nothing is drawn if it is not finite.
    pub value: f64,
}

impl Histogram<'_> {
    /// The chart as an SVG.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if plotters can't draw it.
    pub fn svg(&self) -> Result<String, DrawError> {
        let marks: Vec<_> = self.marks.iter().filter(|mark| mark.value.is_finite()).collect();
        let rows = i32::try_from(marks.len()).map_err(|error| DrawError(error.to_string()))?;
        let top = HEADING + rows * ROW + 16;
        let most = self.counts.iter().copied().max().unwrap_or(0);
        let size = (SIZE.0.unsigned_abs(), SIZE.1.unsigned_abs());
        draw(size, self.title, self.subtitle, |area| {
            let bins = self.counts.len();
            let edge = |bin: usize| LEFT + pixels(bin as f64 / bins as f64, RIGHT - LEFT);
            for (bin, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                // What is there can be seen.
                let height = pixels(count as f64 / most as f64, BOTTOM - top).max(1);
                let corners = [(edge(bin), BOTTOM - height), (edge(bin + 1) - 1, BOTTOM)];
                area.draw(&Rectangle::new(corners, palette::SERIES[0].filled()))?;
            }
            let base = [(LEFT, BOTTOM), (RIGHT, BOTTOM)];
            area.draw(&PathElement::new(base, palette::MUTED))?;
            let label = |content: &str, place, anchor| {
                area.draw(&text(content, place, 13, palette::INK, anchor))
            };
            label(&most.to_string(), (LEFT - 10, top), Anchor::BEFORE)?;
            label("0", (LEFT - 10, BOTTOM), Anchor::BEFORE)?;
            let [begin, end] = self.range;
            for (value, x) in [(begin, LEFT), (end, RIGHT)] {
                if value.is_finite() && !self.counts.is_empty() {
                    label(&format!("{value}"), (x, BOTTOM + 28), Anchor::ABOVE)?;
                }
            }
            let colours = palette::SERIES[1..].iter().cycle();
            for ((mark, y), &colour) in marks.iter().zip((HEADING + ROW..).step_by(18)).zip(colours)
            {
                let share = (mark.value / 2.0 - begin / 2.0) / (end / 2.0 - begin / 2.0);
                let share = if share.is_nan() { 0.5 } else { share };
                // Beyond the bins there is a part of a deviation, perhaps.
                if !(0.0..=1.0).contains(&share) {
                    continue;
                }
                let x = LEFT + pixels(share, RIGHT - LEFT);
                let line = [(x, y), (x, BOTTOM)];
                area.draw(&PathElement::new(line, colour.stroke_width(2)))?;
                let name = format!("{} {}", mark.name, mark.value);
                let (place, anchor) = match share > 0.5 {
                    true => ((x - 6, y), Anchor::BEFORE),
                    false => ((x + 6, y), Anchor::BESIDE),
                };
                area.draw(&text(&name, place, 13, colour, anchor))?;
            }
            Ok(())
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a share of the picture's size")]
fn pixels(share: f64, room: i32) -> i32 {
    (share * f64::from(room)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_and_marks_are_drawn() {
        let chart = Histogram {
            title: "Values",
            subtitle: "of a file",
            range: [-1.0, 3.0],
            counts: vec![1, 0, 4, 2],
            marks: vec![
                Mark { name: "mean".into(), value: 1.25 },
                Mark { name: "beyond".into(), value: 9.0 },
                Mark { name: "nowhere".into(), value: f64::NAN },
            ],
        };
        let svg = chart.svg().expect("drawn");
        let bars = svg.lines().filter(|line| {
            line.starts_with("<rect") && line.contains(&palette::hex(palette::SERIES[0]))
        });
        assert_eq!(bars.count(), 3);
        assert!(svg.contains("mean 1.25") && !svg.contains("beyond") && !svg.contains("nowhere"));
    }

    #[test]
    fn nothing_to_draw_is_no_panic() {
        let chart = Histogram {
            title: "",
            subtitle: "",
            range: [f64::NAN; 2],
            counts: vec![],
            marks: vec![Mark { name: "mean".into(), value: 0.0 }],
        };
        chart.svg().expect("drawn");
        Histogram { counts: vec![0; 4], range: [2.0, 2.0], ..chart }.svg().expect("drawn");
    }
}
