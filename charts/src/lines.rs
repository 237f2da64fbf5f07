//! Lines over lengths.

use crate::{Anchor, DrawError, HEADING, MARGIN, draw, palette, style, text};
use plotters::{
    coord::{
        Shift,
        ranged1d::{DefaultFormatting, KeyPointHint, Ranged},
        types::RangedCoordf64,
    },
    prelude::*,
};
use std::ops::Range;

const SIZE: (u32, u32) = (960, 520);
/// To the right of the lines.
const LEGEND: i32 = 300;

/// A chart of lines over a number that is a power of two.
#[derive(Clone, Debug)]
pub struct LineChart<'a> {
    /// What is shown.
    pub title: &'a str,
    /// On what, and how.
    pub subtitle: &'a str,
    /// Of the values.
    pub unit: &'a str,
    /// What the number below the lines counts.
    pub axis: &'a str,
    /// Of the values.
    pub scale: Scale,
    /// The legend has them in the order of their last values.
    pub lines: Vec<Line>,
    /// A value to compare with, drawn as a dashed line.
    pub reference: Option<(&'a str, f64)>,
}

/// A line of a [`LineChart`].
#[derive(Clone, Debug)]
pub struct Line {
    /// What it stands for.
    pub name: String,
    /// The logarithm to base 2 of a number, and the value there.
    pub points: Vec<(u32, f64)>,
}

/// How values are spread over the height of a chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// From 0 up.
    Linear,
    /// By decades; what is not positive has no place.
    Logarithmic,
}

impl LineChart<'_> {
    /// The chart as an SVG.
    ///
    /// # Errors
    ///
    /// [`DrawError`] if plotters can't draw it.
    pub fn svg(&self) -> Result<String, DrawError> {
        draw(SIZE, self.title, self.subtitle, |area| {
            let area = area.margin(HEADING, 0, 0, 0);
            let (chart, legend) = area.split_horizontally(SIZE.0.cast_signed() - LEGEND);
            self.draw_lines(&chart)?;
            self.draw_legend(&legend)
        })
    }

    fn draw_lines(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError> {
        let values = || {
            let points = self.lines.iter().flat_map(|line| &line.points).map(|&(_, value)| value);
            points
                .chain(self.reference.map(|(_, value)| value))
                .filter(|&value| self.has_place(value))
        };
        let lens =
            || self.lines.iter().flat_map(|line| &line.points).map(|&(len, _)| f64::from(len));
        let greatest = values().fold(f64::NAN, f64::max);
        let least = values().fold(f64::NAN, f64::min);
        let greatest = if greatest.is_nan() { 1.0 } else { greatest };
        let y = match self.scale {
            Scale::Linear => 0.0..greatest * 1.05,
            Scale::Logarithmic => {
                let least = if least.is_nan() { greatest } else { least };
                (least.log10() - 0.05).floor()..(greatest.log10() + 0.05).ceil()
            }
        };
        let x = lens().fold(f64::INFINITY, f64::min)..lens().fold(f64::NEG_INFINITY, f64::max);
        let x = match x {
            Range { start, end } if start < end => start..end,
            Range { start, end } if start == end => start - 1.0..end + 1.0,
            _ => 0.0..1.0,
        };
        let left = MARGIN + 46;
        area.draw(&text(self.unit, (left, 8), 13, palette::MUTED, Anchor::ABOVE))?;
        let mut chart = ChartBuilder::on(area)
            .margin_right(MARGIN)
            .margin_top(16)
            .x_label_area_size(54)
            .y_label_area_size(left)
            .build_cartesian_2d(
                Exponents(x.clone(), 2.0),
                Exponents(y, 1.0).or_values(self.scale),
            )?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(palette::GRID)
            .axis_style(palette::MUTED)
            .x_labels(16)
            .y_labels(10)
            .x_label_formatter(&|&exponent| format!("2{}", superscript(exponent)))
            .y_label_formatter(&|&value| match self.scale {
                Scale::Linear => format!("{value}"),
                Scale::Logarithmic => format!("{}", 10f64.powf(value)),
            })
            .label_style(style(13, palette::INK))
            .x_desc(self.axis)
            .axis_desc_style(style(13, palette::MUTED))
            .draw()?;
        if let Some((_, value)) = self.reference {
            let y = self.place(value);
            let line = [(x.start, y), (x.end, y)];
            chart.draw_series(DashedLineSeries::new(line, 6, 4, palette::MUTED.stroke_width(2)))?;
        }
        for (line, colour) in self.lines.iter().zip(palette::SERIES.into_iter().cycle()) {
            let points = line.points.iter().filter(|point| self.has_place(point.1));
            let points: Vec<_> =
                points.map(|&(len, value)| (f64::from(len), self.place(value))).collect();
            chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?;
            chart
                .draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
        }
        Ok(())
    }

    /// Names beside samples of the lines, from the one that ends highest down.
    fn draw_legend(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), DrawError> {
        let mut entries: Vec<_> = self
            .lines
            .iter()
            .zip(palette::SERIES.into_iter().cycle())
            .map(|(line, colour)| {
                let last = line.points.last().map_or(f64::NEG_INFINITY, |&(_, value)| value);
                (line.name.as_str(), colour, last)
            })
            .chain(self.reference.map(|(name, value)| (name, palette::MUTED, value)))
            .collect();
        entries.sort_by(|one, other| other.2.total_cmp(&one.2));
        for ((name, colour, _), y) in entries.into_iter().zip((28..).step_by(24)) {
            let is_reference = colour == palette::MUTED;
            let strokes: &[_] =
                if is_reference { &[(0, 6), (10, 16), (20, 26)] } else { &[(0, 26)] };
            for &(start, end) in strokes {
                area.draw(&PathElement::new([(start, y), (end, y)], colour.stroke_width(2)))?;
            }
            if !is_reference {
                area.draw(&Circle::new((13, y), 3, colour.filled()))?;
            }
            area.draw(&text(name, (36, y), 13, palette::INK, Anchor::BESIDE))?;
        }
        Ok(())
    }

    fn has_place(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }

    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        }
    }
}

/// An axis with a line at each multiple of a step, or where plotters would have one.
struct Exponents(Range<f64>, f64);

impl Exponents {
    fn or_values(self, scale: Scale) -> Axis {
        match scale {
            Scale::Linear => Axis::Values(self.0.into()),
            Scale::Logarithmic => Axis::Exponents(self),
        }
    }
}

impl Ranged for Exponents {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.0.clone()).map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        let Self(range, step) = self;
        let first = (range.start / step).ceil();
        (0..64u32)
            .map(|number| (first + f64::from(number)) * step)
            .take_while(|&value| value <= range.end)
            .collect()
    }

    fn range(&self) -> Range<f64> {
        self.0.clone()
    }
}

enum Axis {
    Values(RangedCoordf64),
    Exponents(Exponents),
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        match self {
            Self::Values(values) => values.map(value, limit),
            Self::Exponents(exponents) => exponents.map(value, limit),
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match self {
            Self::Values(values) => values.key_points(hint),
            Self::Exponents(exponents) => exponents.key_points(hint),
        }
    }

    fn range(&self) -> Range<f64> {
        match self {
            Self::Values(values) => values.range(),
            Self::Exponents(exponents) => exponents.range(),
        }
    }
}

fn superscript(number: f64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |character: char| match character.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => character,
    };
    format!("{number}").chars().map(digit).collect()
}
