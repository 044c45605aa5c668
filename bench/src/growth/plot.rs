//! Curves in one picture: an SVG with both axes logarithmic, so that powers are straight lines.

use super::Grown;
use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
/// Room for the numbers on the left and below, and for the names on the right.
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 50.0;
const RIGHT: f64 = 230.0;
const TOP: f64 = 20.0;

/// Colours that people with colour blindness tell apart (Okabe, Ito 2008).
const COLOURS: &[&str] = &["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

const STYLE: &str =
    "text{font:12px system-ui,sans-serif;fill:#1b1f24}.grid{stroke:#dfe3e8}.curve{fill:none;stroke-width:2}";

/// A logarithmic axis: from values to places.
struct Axis {
    least: f64,
    most: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis between powers of ten around the values.
    fn around(values: impl Iterator<Item = f64> + Clone, start: f64, end: f64) -> Axis {
        let least = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let most = values.fold(0.0, f64::max).log10().ceil().max(least + 1.0);
        Axis { least, most, start, end }
    }

    fn place(&self, value: f64) -> f64 {
        self.start + (value.log10() - self.least) / (self.most - self.least) * (self.end - self.start)
    }

    /// The powers of ten on it.
    fn marks(&self) -> impl Iterator<Item = f64> {
        let (least, most) = (self.least, self.most);
        std::iter::successors(Some(least), |power| Some(power + 1.0)).take_while(move |power| *power <= most).map(exp10)
    }
}

fn exp10(power: f64) -> f64 {
    10.0_f64.powf(power)
}

/// The picture of all points that were answered; none if there is no point.
#[must_use]
pub fn plot(curves: &[Grown]) -> Option<String> {
    let lines: Vec<(&Grown, Vec<(f64, f64)>)> = curves
        .iter()
        .map(|grown| (grown, grown.answered().into_iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).collect::<Vec<_>>()))
        .filter(|(_, points)| !points.is_empty())
        .collect();
    if lines.is_empty() {
        return None;
    }
    let points = lines.iter().flat_map(|(_, points)| points);
    let x = Axis::around(points.clone().map(|point| point.0), LEFT, WIDTH - RIGHT);
    let y = Axis::around(points.map(|point| point.1), HEIGHT - BOTTOM, TOP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n\
         <style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    grid(&mut text, &x, &y);
    for (at, (grown, points)) in lines.iter().enumerate() {
        curve(&mut text, at, grown, points, &x, &y);
    }
    text.push_str("</svg>\n");
    Some(text)
}

fn grid(text: &mut String, x: &Axis, y: &Axis) {
    for mark in x.marks() {
        let at = x.place(mark);
        let (below, above) = (y.start, y.end);
        let _ = writeln!(text, "<path class=\"grid\" d=\"M{at:.1},{below}V{above}\"/>");
        let _ = writeln!(text, "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{mark}</text>", below + 18.0);
    }
    for mark in y.marks() {
        let at = y.place(mark);
        let (left, right) = (x.start, x.end);
        let _ = writeln!(text, "<path class=\"grid\" d=\"M{left},{at:.1}H{right}\"/>");
        // A power of ten, without the digits that rounding adds.
        let number = format!("{mark:.6}");
        let number = number.trim_end_matches('0').trim_end_matches('.');
        let _ =
            writeln!(text, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{number} s</text>", left - 6.0, at + 4.0);
    }
    let middle = f64::midpoint(x.start, x.end);
    let _ = writeln!(text, "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">size</text>", HEIGHT - 10.0);
}

fn curve(text: &mut String, at: usize, grown: &Grown, points: &[(f64, f64)], x: &Axis, y: &Axis) {
    let colour = COLOURS[at % COLOURS.len()];
    let places: Vec<(f64, f64)> = points.iter().map(|(size, time)| (x.place(*size), y.place(*time))).collect();
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(text, "<polyline class=\"curve\" stroke=\"{colour}\" points=\"{}\"/>", path.join(" "));
    for (x, y) in &places {
        let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    #[expect(clippy::cast_precision_loss, reason = "there are few curves")]
    let line = TOP + 16.0 * (at as f64 + 1.0);
    let left = WIDTH - RIGHT + 16.0;
    let (name, engine) = (grown.curve.name, grown.curve.engine);
    let _ = writeln!(text, "<circle cx=\"{left}\" cy=\"{}\" r=\"4\" fill=\"{colour}\"/>", line - 4.0);
    let _ = writeln!(text, "<text x=\"{}\" y=\"{line}\">{name} ({engine})</text>", left + 10.0);
}
