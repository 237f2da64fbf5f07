//! Charts as SVG: lines over lengths that are powers of two, bars, columns between edges, and histograms with marks.
//!
//! A chart is one file for light and for dark surroundings. It is drawn in the light colours, and has a style sheet that puts
//! the dark ones in their place where `prefers-color-scheme` says so. Its background is opaque, so that it can be read in viewers
//! that know nothing of this.

mod bars;
mod columns;
mod histogram;
mod lines;
mod palette;

pub use bars::{Bar, BarChart};
pub use columns::ColumnChart;
pub use histogram::{Histogram, Mark};
pub use lines::{Line, LineChart, Scale};

use plotters::prelude::*;

/// What plotters finds wrong while it draws into memory.
#[derive(Debug)]
pub struct DrawError(String);

impl std::fmt::Display for DrawError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "drawing a chart: {}", self.0)
    }
}

impl std::error::Error for DrawError {}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for DrawError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self(error.to_string())
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

const FONT: &str = "system-ui, sans-serif";
const MARGIN: i32 = 24;
/// Below title and subtitle.
const HEADING: i32 = 76;

/// An SVG of this size, with a title.
fn draw(
    size: (u32, u32),
    title: &str,
    subtitle: &str,
    body: impl FnOnce(&Area<'_>) -> Result<(), DrawError>,
) -> Result<String, DrawError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&palette::BACKGROUND)?;
        area.draw(&text(title, (MARGIN, 16), 20, palette::INK, Anchor::START))?;
        area.draw(&text(subtitle, (MARGIN, 44), 13, palette::MUTED, Anchor::START))?;
        body(&area)?;
        area.present()?;
    }
    Ok(palette::with_dark_colours(&svg))
}

/// Where a text is, as seen from its position: which is at its top, or at half its height.
struct Anchor {
    horizontal: plotters::style::text_anchor::HPos,
    vertical: plotters::style::text_anchor::VPos,
}

impl Anchor {
    const START: Self = Self {
        horizontal: plotters::style::text_anchor::HPos::Left,
        vertical: plotters::style::text_anchor::VPos::Top,
    };
    const BESIDE: Self = Self {
        horizontal: plotters::style::text_anchor::HPos::Left,
        vertical: plotters::style::text_anchor::VPos::Center,
    };
    const BEFORE: Self = Self {
        horizontal: plotters::style::text_anchor::HPos::Right,
        vertical: plotters::style::text_anchor::VPos::Center,
    };
    const ABOVE: Self = Self {
        horizontal: plotters::style::text_anchor::HPos::Center,
        vertical: plotters::style::text_anchor::VPos::Bottom,
    };
}

fn text<'a>(
    text: &'a str,
    position: (i32, i32),
    size: i32,
    colour: RGBColor,
    anchor: Anchor,
) -> Text<'a, (i32, i32), &'a str> {
    let position_of = plotters::style::text_anchor::Pos::new(anchor.horizontal, anchor.vertical);
    Text::new(text, position, style(size, colour).pos(position_of))
}

fn style(size: i32, colour: RGBColor) -> TextStyle<'static> {
    (FONT, size).into_font().color(&colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> LineChart<'static> {
        LineChart {
            title: "Bandwidth & <length>",
            subtitle: "a device",
            unit: "GB/s",
            axis: "elements",
            scale: Scale::Linear,
            lines: vec![
                Line { name: "first".into(), points: vec![(10, 1.0), (20, 300.0)] },
                Line { name: "second".into(), points: vec![(10, 2.0), (20, 200.0)] },
            ],
            reference: Some(("copy", 400.0)),
        }
    }

    #[test]
    fn a_chart_has_its_texts_and_both_palettes() {
        let svg = lines().svg().expect("drawn");
        for part in [
            "Bandwidth &amp; &lt;length&gt;",
            "a device",
            "first",
            "second",
            "copy",
            "2¹⁰",
            "2²⁰",
            "GB/s",
            "elements",
        ] {
            assert!(svg.contains(part), "{part} is missing");
        }
        assert!(svg.contains("prefers-color-scheme: dark"));
        // The line that ends higher comes first in the legend.
        assert!(svg.find("first") < svg.find("second"));
    }

    #[test]
    fn bars_have_lengths_in_proportion() {
        let bar = |label: &str, value| Bar { label: label.into(), value, note: String::new() };
        let svg = BarChart {
            title: "Bars",
            subtitle: "",
            unit: "GB/s",
            bars: vec![bar("one", 100.0), bar("two", 200.0)],
            reference: None,
        }
        .svg()
        .expect("drawn");
        let widths: Vec<f64> = svg
            .lines()
            .filter(|line| {
                line.starts_with("<rect") && line.contains(&palette::hex(palette::SERIES[0]))
            })
            .map(|line| {
                let width = line.split("width=\"").nth(1).and_then(|rest| rest.split('"').next());
                width.and_then(|width| width.parse().ok()).expect("a width")
            })
            .collect();
        let [one, two] = widths[..] else { panic!("two bars, not {widths:?}") };
        assert!((two / one - 2.0).abs() < 0.02, "{one}, {two}");
    }

    #[test]
    fn nothing_to_draw_is_no_panic() {
        LineChart { lines: vec![], reference: None, ..lines() }.svg().expect("drawn");
        LineChart { scale: Scale::Logarithmic, lines: vec![], ..lines() }.svg().expect("drawn");
        BarChart { title: "", subtitle: "", unit: "", bars: vec![], reference: None }
            .svg()
            .expect("drawn");
    }
}
