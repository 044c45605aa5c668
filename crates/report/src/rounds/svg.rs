//! A round as an SVG picture, drawn without help: nothing need be installed to look at it.

use super::escaped;
use super::layout::{LINE, Layout, Rect, layout};
use super::scene::{Arrow, Box, Scene};
use std::fmt::{Arguments, Write as _};

/// How far above a box the two halves of a call that returned join.
const JOINT: f64 = 16.0;

/// How far apart the joints above a box are.
const APART: f64 = 18.0;

/// The narrowest picture: predicates need room.
const NARROWEST: f64 = 760.0;

const STYLE: &str = "\
text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1b1f24}\
.title{font:bold 14px system-ui,sans-serif}.band{fill:#f3f5f8}.level{fill:#68707c;font-size:11px}\
.box{fill:#fff;stroke:#3b4252}.popped{stroke-dasharray:5 3;fill:#fbfbf5}.place{font-weight:bold}\
.chosen{fill:#0a5ea8}.knows,.label{fill:#68707c;font-size:11px}\
.label{paint-order:stroke;stroke:#fff;stroke-width:3px}.edge{fill:none;stroke:#3b4252}\
.joint{fill:#3b4252}.back{stroke-dasharray:2 3}.new{fill:#14741c;font-weight:bold}";

/// The picture.
#[must_use]
pub fn render(scene: &Scene) -> String {
    let layout = layout(scene);
    let mut picture = Picture { scene, layout: &layout, text: String::new() };
    picture.write();
    picture.text
}

struct Picture<'a> {
    scene: &'a Scene,
    layout: &'a Layout,
    text: String,
}

impl Picture<'_> {
    fn line(&mut self, line: Arguments<'_>) {
        writeln!(self.text, "{line}").expect("strings take any text");
    }

    fn write(&mut self) {
        let top = 34.0;
        let rows: usize = self.scene.lists.iter().map(|list| list.predicates.len() + 1).sum();
        #[expect(clippy::cast_precision_loss, reason = "there are few rows")]
        let lists = (rows + 3) as f64 * LINE;
        let (width, height) = (self.layout.width.max(NARROWEST), top + self.layout.height + lists);
        self.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">"
        ));
        self.line(format_args!("<style>{STYLE}</style>"));
        self.line(format_args!(
            "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path d=\"M0,0L8,4L0,8z\" fill=\"#3b4252\"/></marker></defs>"
        ));
        self.line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"));
        self.line(format_args!("<text class=\"title\" x=\"24\" y=\"24\">{}</text>", escaped(&self.scene.title)));
        self.line(format_args!("<g transform=\"translate(0,{top:.0})\">"));
        self.bands(width);
        for (at, arrow) in self.scene.arrows.iter().enumerate() {
            self.arrow(at, arrow);
        }
        for (node, rect) in self.scene.boxes.iter().zip(&self.layout.boxes) {
            self.node(node, *rect);
        }
        self.line(format_args!("</g>"));
        self.lists(top + self.layout.height + LINE);
        self.line(format_args!("</svg>"));
    }

    fn bands(&mut self, width: f64) {
        for band in &self.layout.bands {
            let (top, height) = (band.top, band.height);
            self.line(format_args!(
                "<rect class=\"band\" x=\"12\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"6\"/>",
                width - 24.0
            ));
            self.line(format_args!(
                "<text class=\"level\" x=\"18\" y=\"{:.1}\">level {}</text>",
                top + 13.0,
                band.level
            ));
        }
    }

    fn node(&mut self, node: &Box, rect: Rect) {
        let class = if node.popped { "box popped" } else { "box" };
        self.line(format_args!("<g><title>{}</title>", escaped(&node.tip)));
        self.line(format_args!(
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"5\"/>",
            rect.x, rect.y, rect.width, rect.height
        ));
        let lines =
            [("place", Some(&node.place)), ("chosen", node.chosen.as_ref()), ("knows", node.strongest.as_ref())];
        let mut y = rect.y + LINE;
        for (class, text) in lines {
            let Some(text) = text else { continue };
            let text = escaped(text);
            self.line(format_args!("<text class=\"{class}\" x=\"{:.1}\" y=\"{y:.1}\">{text}</text>", rect.x + 8.0));
            y += LINE;
        }
        self.line(format_args!("</g>"));
    }

    /// An arrow; the two halves of a call that returned join above the box that they lead to.
    fn arrow(&mut self, at: usize, arrow: &Arrow) {
        let goal = self.layout.boxes[arrow.to];
        let joins = arrow.from.len() > 1;
        let meeting =
            if joins { (goal.centre() + self.shift(at, arrow), goal.y - JOINT) } else { (goal.centre(), goal.y) };
        let marker = if joins { "" } else { " marker-end=\"url(#tip)\"" };
        let mut middle = meeting;
        for (from, bends) in arrow.from.iter().zip(&self.layout.bends[at]) {
            let source = self.layout.boxes[*from];
            let class = if source.bottom() > goal.y { "edge back" } else { "edge" };
            let mut path = format!("M{:.1},{:.1}", source.centre(), source.bottom());
            let mut last = (source.centre(), source.bottom());
            for (x, y) in bends.iter().copied().chain([meeting]) {
                let half = f64::midpoint(last.1, y);
                let _ = write!(path, "C{:.1},{half:.1} {x:.1},{half:.1} {x:.1},{y:.1}", last.0);
                middle = (f64::midpoint(last.0, x), half);
                last = (x, y);
            }
            self.line(format_args!("<path class=\"{class}\" d=\"{path}\"{marker}/>"));
        }
        if joins {
            let (x, y) = meeting;
            self.line(format_args!("<circle class=\"joint\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"));
            self.line(format_args!(
                "<path class=\"edge\" d=\"M{x:.1},{y:.1}L{:.1},{:.1}\" marker-end=\"url(#tip)\"/>",
                goal.centre(),
                goal.y
            ));
            middle = (x + 6.0, y + 4.0);
        }
        if !arrow.label.is_empty() {
            self.line(format_args!(
                "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}<title>{}</title></text>",
                middle.0 + 4.0,
                middle.1,
                escaped(&arrow.label),
                escaped(&arrow.tip)
            ));
        }
    }

    /// How far a joint is moved aside, so that several above one box can be told apart.
    fn shift(&self, at: usize, arrow: &Arrow) -> f64 {
        let same = |other: &&Arrow| other.to == arrow.to && other.from.len() > 1;
        let before = self.scene.arrows[..at].iter().filter(same).count();
        let all = self.scene.arrows.iter().filter(same).count();
        #[expect(clippy::cast_precision_loss, reason = "there are few joints")]
        let shift = (before as f64 - (all as f64 - 1.0) / 2.0) * APART;
        shift
    }

    fn lists(&mut self, top: f64) {
        let mut y = top + LINE;
        if self.scene.lists.is_empty() {
            self.line(format_args!("<text class=\"level\" x=\"24\" y=\"{y:.1}\">no predicates</text>"));
            return;
        }
        let note = if self.scene.unlisted > 0 {
            format!(" (and {} more, not shown)", self.scene.unlisted)
        } else {
            String::new()
        };
        self.line(format_args!(
            "<text class=\"title\" x=\"24\" y=\"{y:.1}\">predicates after this round; + marks new ones{note}</text>"
        ));
        for list in &self.scene.lists {
            y += LINE;
            self.line(format_args!("<text class=\"place\" x=\"24\" y=\"{y:.1}\">{}</text>", escaped(&list.place)));
            for predicate in &list.predicates {
                y += LINE;
                let (class, mark) = if predicate.new { ("new", "+") } else { ("old", "\u{a0}") };
                self.line(format_args!(
                    "<text class=\"{class}\" x=\"36\" y=\"{y:.1}\">{mark} {}<title>{}</title></text>",
                    escaped(&predicate.text),
                    escaped(&predicate.tip)
                ));
            }
        }
    }
}
