//! A small layered layout (Sugiyama, Tagawa, Toda 1981): longest-path layers, the order in a
//! layer by barycentres, then positions. Stack levels are bands of layers, one below the other.

use super::scene::Scene;

/// How wide a column of text is, and how high a line.
pub const COLUMN: f64 = 7.3;
/// How high a line of text is.
pub const LINE: f64 = 15.0;

/// Space inside boxes, and between them.
const PADDING: f64 = 8.0;
const GAP: f64 = 26.0;
const LAYER_GAP: f64 = 44.0;

/// Space around everything, and where a band begins.
const MARGIN: f64 = 24.0;
const BAND_GAP: f64 = 20.0;

/// How often orders and positions are improved.
const SWEEPS: usize = 8;

/// Where a box is: its top left corner and its size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rect {
    /// The left side.
    pub x: f64,
    /// The top.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Rect {
    /// The middle between left and right.
    #[must_use]
    pub fn centre(&self) -> f64 {
        self.x + self.width / 2.0
    }

    /// The lower side.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// By box.
    pub boxes: Vec<Rect>,
    /// By arrow, by source: the points between the boxes that the line goes through.
    pub bends: Vec<Vec<Vec<(f64, f64)>>>,
    /// The stack levels, outermost first: top and height.
    pub bands: Vec<Band>,
    /// The size of it all.
    pub width: f64,
    /// The size of it all.
    pub height: f64,
}

/// A stack level.
#[derive(Clone, Copy, Debug)]
pub struct Band {
    /// Which.
    pub level: usize,
    /// Where it begins.
    pub top: f64,
    /// How high it is.
    pub height: f64,
}

/// A box, or a place where a long line passes a layer.
#[derive(Clone, Debug, Default)]
struct Cell {
    layer: usize,
    rect: Rect,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// The layout of a scene.
#[must_use]
pub fn layout(scene: &Scene) -> Layout {
    let layers = layers(scene);
    let mut grid = Grid::new(scene, &layers);
    for sweep in 0..SWEEPS {
        grid.order(sweep % 2 == 0);
    }
    let bands = grid.place_rows(scene, &layers);
    grid.place_columns();
    grid.finish(scene, bands)
}

/// By box: its layer. A box is below everything that leads to it and below all boxes of
/// outer levels. An arrow that leads back does not count.
fn layers(scene: &Scene) -> Vec<usize> {
    let mut layers = vec![0_usize; scene.boxes.len()];
    let mut levels: Vec<usize> = scene.boxes.iter().map(|node| node.level).collect();
    levels.sort_unstable();
    levels.dedup();
    let mut arrows: Vec<Vec<usize>> = vec![Vec::new(); scene.boxes.len()];
    for arrow in &scene.arrows {
        arrows[arrow.to].extend(arrow.from.iter().filter(|from| **from < arrow.to));
    }
    let mut base = 0;
    for level in levels {
        let mut next = base;
        for at in (0..scene.boxes.len()).filter(|at| scene.boxes[*at].level == level) {
            let above = arrows[at].iter().filter(|from| scene.boxes[**from].level <= level);
            layers[at] = above.map(|from| layers[*from] + 1).max().unwrap_or(0).max(base);
            next = next.max(layers[at] + 1);
        }
        base = next;
    }
    layers
}

struct Grid {
    cells: Vec<Cell>,
    /// By layer: its cells from left to right.
    rows: Vec<Vec<usize>>,
    /// By arrow, by source: the cells that the line goes through.
    lines: Vec<Vec<Vec<usize>>>,
}

#[expect(clippy::cast_precision_loss, reason = "counts of boxes and columns are small")]
impl Grid {
    fn new(scene: &Scene, layers: &[usize]) -> Grid {
        let mut cells: Vec<Cell> = Vec::new();
        for (node, layer) in scene.boxes.iter().zip(layers) {
            let width = node.columns() as f64 * COLUMN + 2.0 * PADDING;
            let height = node.lines().len() as f64 * LINE + PADDING;
            cells.push(Cell { layer: *layer, rect: Rect { width, height, ..Rect::default() }, ..Cell::default() });
        }
        let mut lines = Vec::new();
        for arrow in &scene.arrows {
            let way = |from: &usize| passing(&mut cells, *from, arrow.to);
            lines.push(arrow.from.iter().map(way).collect());
        }
        let count = cells.iter().map(|cell| cell.layer + 1).max().unwrap_or(0);
        let mut rows = vec![Vec::new(); count];
        for (at, cell) in cells.iter().enumerate() {
            rows[cell.layer].push(at);
        }
        Grid { cells, rows, lines }
    }

    /// Orders every layer by the barycentres of the neighbours above, or below.
    fn order(&mut self, downwards: bool) {
        let count = self.rows.len();
        let mut rank = vec![0_usize; self.cells.len()];
        for row in &self.rows {
            row.iter().enumerate().for_each(|(at, cell)| rank[*cell] = at);
        }
        for step in 0..count {
            let layer = if downwards { step } else { count - 1 - step };
            let mut row = std::mem::take(&mut self.rows[layer]);
            let mut keyed: Vec<(f64, usize, usize)> = Vec::with_capacity(row.len());
            for cell in &row {
                let near = if downwards { &self.cells[*cell].above } else { &self.cells[*cell].below };
                let sum: usize = near.iter().map(|other| rank[*other]).sum();
                // Whoever has no neighbours stays where it is.
                let mean = if near.is_empty() { rank[*cell] as f64 } else { sum as f64 / near.len() as f64 };
                keyed.push((mean, rank[*cell], *cell));
            }
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            row.clear();
            row.extend(keyed.into_iter().map(|(_, _, cell)| cell));
            row.iter().enumerate().for_each(|(at, cell)| rank[*cell] = at);
            self.rows[layer] = row;
        }
    }

    /// Layers from top to bottom, with room for the titles of bands.
    fn place_rows(&mut self, scene: &Scene, layers: &[usize]) -> Vec<Band> {
        let mut bands: Vec<Band> = Vec::new();
        let mut y = MARGIN;
        for layer in 0..self.rows.len() {
            let level = layers.iter().position(|own| *own == layer).map(|at| scene.boxes[at].level);
            if let Some(level) = level.filter(|level| bands.last().is_none_or(|band| band.level != *level)) {
                if let Some(last) = bands.last_mut() {
                    y += BAND_GAP;
                    last.height = y - last.top - BAND_GAP / 2.0;
                }
                bands.push(Band { level, top: y, height: 0.0 });
                y += BAND_GAP;
            }
            let height = self.rows[layer].iter().map(|cell| self.cells[*cell].rect.height).fold(0.0, f64::max);
            for cell in &self.rows[layer] {
                let rect = &mut self.cells[*cell].rect;
                rect.y = y + (height - rect.height) / 2.0;
            }
            y += height + LAYER_GAP;
        }
        if let Some(last) = bands.last_mut() {
            last.height = y - LAYER_GAP + BAND_GAP - last.top;
        }
        bands
    }

    /// Cells from left to right: each near the middle of its neighbours, none on another.
    fn place_columns(&mut self) {
        for row in &self.rows {
            let mut x = 0.0;
            for cell in row {
                self.cells[*cell].rect.x = x;
                x += self.cells[*cell].rect.width + GAP;
            }
        }
        for sweep in 0..SWEEPS {
            let count = self.rows.len();
            for step in 0..count {
                let layer = if sweep % 2 == 0 { step } else { count - 1 - step };
                self.align(layer);
            }
        }
        let left = self.cells.iter().map(|cell| cell.rect.x).fold(f64::INFINITY, f64::min);
        for cell in &mut self.cells {
            cell.rect.x += 2.0 * MARGIN - left;
        }
    }

    /// Moves the cells of a layer towards the middle of their neighbours, keeping the order.
    fn align(&mut self, layer: usize) {
        let row = &self.rows[layer];
        let mut wanted: Vec<f64> = Vec::with_capacity(row.len());
        for cell in row {
            let Cell { above, below, rect, .. } = &self.cells[*cell];
            let near: Vec<f64> = above.iter().chain(below).map(|other| self.cells[*other].rect.centre()).collect();
            let centre = if near.is_empty() { rect.centre() } else { near.iter().sum::<f64>() / near.len() as f64 };
            wanted.push(centre - rect.width / 2.0);
        }
        let (mut placed, mut free) = (Vec::with_capacity(row.len()), f64::NEG_INFINITY);
        for (cell, x) in row.iter().zip(&wanted) {
            placed.push(x.max(free));
            free = x.max(free) + self.cells[*cell].rect.width + GAP;
        }
        // What was pushed to the right is moved back as a whole.
        let shift = placed.iter().zip(&wanted).map(|(x, wish)| x - wish).sum::<f64>() / row.len().max(1) as f64;
        for (cell, x) in row.iter().zip(placed) {
            self.cells[*cell].rect.x = x - shift;
        }
    }

    fn finish(self, scene: &Scene, bands: Vec<Band>) -> Layout {
        let boxes: Vec<Rect> = self.cells[..scene.boxes.len()].iter().map(|cell| cell.rect).collect();
        let point = |cell: &usize| (self.cells[*cell].rect.centre(), self.cells[*cell].rect.y);
        let turns = self.lines.iter().map(|ways| ways.iter().map(|way| way.iter().map(point).collect()).collect());
        let right = self.cells.iter().map(|cell| cell.rect.x + cell.rect.width).fold(0.0, f64::max);
        let bottom = bands.last().map_or(MARGIN, |band| band.top + band.height);
        Layout { bends: turns.collect(), boxes, bands, width: right + MARGIN, height: bottom + MARGIN }
    }
}

/// The cells in which a line passes the layers between its ends.
fn passing(cells: &mut Vec<Cell>, from: usize, to: usize) -> Vec<usize> {
    let (first, last) = (cells[from].layer, cells[to].layer);
    let (mut way, mut above) = (Vec::new(), from);
    for layer in first + 1..last {
        cells.push(Cell { layer, ..Cell::default() });
        let cell = cells.len() - 1;
        join(cells, above, cell);
        way.push(cell);
        above = cell;
    }
    if first < last {
        join(cells, above, to);
    }
    way
}

fn join(cells: &mut [Cell], above: usize, below: usize) {
    cells[above].below.push(below);
    cells[below].above.push(above);
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Arrow, Box};
    use super::*;

    /// A scene with boxes of the given levels, and arrows from earlier to later ones that a
    /// fixed seed chooses.
    fn scene(levels: &[usize], arrows: usize) -> Scene {
        let mut seed = 7_usize;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let boxes = levels.iter().map(|level| Box {
            place: "x".repeat(1 + random(30)),
            chosen: None,
            strongest: None,
            tip: String::new(),
            level: *level,
            popped: false,
        });
        let boxes: Vec<Box> = boxes.collect();
        let arrow = |_| {
            let to = 1 + random(boxes.len() - 1);
            Arrow { from: vec![random(to), random(to)], to, label: String::new(), tip: String::new() }
        };
        let arrows = (0..arrows).map(arrow).collect();
        Scene { title: String::new(), boxes, arrows, lists: Vec::new(), unlisted: 0 }
    }

    #[test]
    fn boxes_do_not_overlap_and_stay_in_their_bands() {
        let levels: Vec<usize> = (0..60).map(|at| at / 20).collect();
        let scene = scene(&levels, 90);
        let layout = layout(&scene);
        for (at, a) in layout.boxes.iter().enumerate() {
            let band = layout.bands.iter().find(|band| band.level == levels[at]).expect("every level has a band");
            assert!(a.y >= band.top && a.bottom() <= band.top + band.height, "{a:?} {band:?}");
            assert!(a.x >= 0.0 && a.x + a.width <= layout.width && a.bottom() <= layout.height);
            for b in &layout.boxes[..at] {
                let apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
                assert!(apart, "{a:?} {b:?}");
            }
        }
        for pair in layout.bands.windows(2) {
            assert!(pair[0].top + pair[0].height <= pair[1].top, "{pair:?}");
        }
    }

    #[test]
    fn arrows_lead_down() {
        let scene = scene(&[0; 30], 40);
        let layout = layout(&scene);
        for arrow in &scene.arrows {
            for from in &arrow.from {
                assert!(layout.boxes[*from].bottom() <= layout.boxes[arrow.to].y);
            }
        }
    }
}
