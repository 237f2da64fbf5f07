//! Colours: light ones to draw with, and dark ones that a style sheet puts in their place.

use plotters::style::RGBColor;
use std::fmt::Write;

pub const BACKGROUND: RGBColor = RGBColor(0xff, 0xff, 0xff);
pub const INK: RGBColor = RGBColor(0x1f, 0x23, 0x28);
pub const MUTED: RGBColor = RGBColor(0x59, 0x63, 0x6e);
pub const GRID: RGBColor = RGBColor(0xd8, 0xde, 0xe4);
/// Can be told apart with all common kinds of colour vision, after Okabe and Ito (2008), made darker where white needs it.
pub const SERIES: [RGBColor; 10] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x8a, 0x66),
    RGBColor(0xb0, 0x4f, 0x8a),
    RGBColor(0xb8, 0x80, 0x00),
    RGBColor(0x2f, 0x94, 0xcf),
    RGBColor(0x6b, 0x57, 0xc9),
    RGBColor(0x7a, 0x7a, 0x7a),
    RGBColor(0x9c, 0x2f, 0x2f),
    RGBColor(0x4d, 0x6b, 0x00),
];

/// What each colour is in dark surroundings.
const DARK: [(RGBColor, &str); 14] = [
    (BACKGROUND, "#0d1117"),
    (INK, "#f0f6fc"),
    (MUTED, "#9198a1"),
    (GRID, "#30363d"),
    (SERIES[0], "#4aa8e0"),
    (SERIES[1], "#ff8c3a"),
    (SERIES[2], "#2fc79a"),
    (SERIES[3], "#e08cbf"),
    (SERIES[4], "#e6b93c"),
    (SERIES[5], "#8fd0f5"),
    (SERIES[6], "#a99bf5"),
    (SERIES[7], "#b5b5b5"),
    (SERIES[8], "#f07a7a"),
    (SERIES[9], "#b3d94a"),
];

/// As plotters writes it.
pub fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// The SVG with a style sheet after its first tag.
pub fn with_dark_colours(svg: &str) -> String {
    let mut rules = String::new();
    for (light, dark) in DARK {
        let light = hex(light);
        for attribute in ["fill", "stroke"] {
            write!(rules, "[{attribute}=\"{light}\"]{{{attribute}:{dark}}}").expect("memory");
        }
        rules.push('\n');
    }
    let begin = svg.find("<svg").unwrap_or_default();
    let end = svg[begin..].find('>').map_or(svg.len(), |tag| begin + tag + 1);
    format!(
        "{}\n<style>\n@media (prefers-color-scheme: dark) {{\n{rules}}}\n</style>{}",
        &svg[..end],
        &svg[end..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_a_dark_one_and_no_two_are_the_same() {
        let light: std::collections::HashSet<_> =
            DARK.iter().map(|&(light, _)| hex(light)).collect();
        assert_eq!(light.len(), DARK.len());
        for colour in SERIES {
            assert!(light.contains(&hex(colour)));
        }
    }
}
