//! Horizontal bars, one below the other.

use crate::{Anchor, DrawError, HEADING, MARGIN, draw, palette, text};
use plotters::prelude::*;

const WIDTH: i32 = 960;
/// Of a bar and the space below it.
const PITCH: i32 = 30;
const THICKNESS: i32 = 20;
/// Where labels end and bars begin.
const BARS_BEGIN: i32 = 310;
/// Room for the column of values.
const AFTER: i32 = 190;

/// A chart of bars, from the top down.
#[derive(Clone, Debug)]
pub struct BarChart<'a> {
    /// What is shown.
    pub title: &'a str,
    /// On what, and how.
    pub subtitle: &'a str,
    /// Of the values.
    pub unit: &'a str,
    /// From the top down.
    pub bars: Vec<Bar>,
    /// A value to compare with, drawn as a line.
    pub reference: Option<(&'a str, f64)>,
}

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// Its length; nothing is drawn if it is not a positive number.
    pub value: f64,
    /// Written after the value, such as a remark on how it was measured.
    pub note: String,
}

impl BarChart<'_> {
    /// The chart as an SVG.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if plotters can't draw it.
    pub fn svg(&self) -> Result<String, DrawError> {
        let count = i32::try_from(self.bars.len()).map_err(|error| DrawError(error.to_string()))?;
        let bottom = HEADING + 26 + count * PITCH;
        let size = (WIDTH.unsigned_abs(), (bottom + MARGIN).unsigned_abs());
        let longest = self.bars.iter().map(|bar| bar.value).chain(self.reference.map(|it| it.1));
        let longest = longest.filter(|value| value.is_finite()).fold(0.0, f64::max);
        let x = |value: f64| {
            let room = f64::from(WIDTH - BARS_BEGIN - AFTER);
            let share = (value / longest).clamp(0.0, 1.0);
            BARS_BEGIN + to_pixels(if share.is_nan() { 0.0 } else { share * room })
        };
        draw(size, self.title, self.subtitle, |area| {
            let top = HEADING + 26;
            if let Some((name, value)) = self.reference {
                let name = format!("{name}: {} {}", Value(value), self.unit);
                let line = [(x(value), top - 4), (x(value), bottom)];
                area.draw(&PathElement::new(line, palette::SERIES[1].stroke_width(2)))?;
                area.draw(&text(
                    &name,
                    (x(value), top - 8),
                    13,
                    palette::SERIES[1],
                    Anchor::ABOVE,
                ))?;
            }
            for (bar, y) in self.bars.iter().zip((top..).step_by(PITCH.unsigned_abs() as usize)) {
                let middle = y + THICKNESS / 2;
                let label =
                    text(&bar.label, (BARS_BEGIN - 10, middle), 13, palette::INK, Anchor::BEFORE);
                area.draw(&label)?;
                let end = x(bar.value);
                if end > BARS_BEGIN {
                    let corners = [(BARS_BEGIN, y), (end, y + THICKNESS)];
                    area.draw(&Rectangle::new(corners, palette::SERIES[0].filled()))?;
                }
                let value =
                    if bar.value > 0.0 { Value(bar.value).to_string() } else { "–".to_string() };
                let value = format!("{value}  {}", bar.note);
                let place = (WIDTH - AFTER + 16, middle);
                area.draw(&text(value.trim_end(), place, 13, palette::INK, Anchor::BESIDE))?;
            }
            let unit = text(self.unit, (BARS_BEGIN, top - 16), 13, palette::MUTED, Anchor::BESIDE);
            Ok(area.draw(&unit)?)
        })
    }
}

/// Three significant digits.
struct Value(f64);

impl std::fmt::Display for Value {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let decimals = match self.0 {
            value if value >= 100.0 => 0,
            value if value >= 10.0 => 1,
            _ => 2,
        };
        write!(formatter, "{:.decimals$}", self.0)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a share of the picture's width")]
fn to_pixels(value: f64) -> i32 {
    value.round() as i32
}
