// Where the cells of a pane lie, which cell is under a point, and the outlines round runs of cells. CSS pixels.

import { fontFor, textWidth } from "./measure.js";

/**
 * @typedef {{cols: number, rows: number, left: number[], wide: number[], top: number[], high: number, width: number,
 *   height: number, thin: number, font: number, headWide: number, headHigh: number, merged: boolean}} Geometry
 *   left, wide: of each column; top: of each row; thin: the gap between neighbours; merged: outlines go round runs
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 */

/**
 * Place the cells.
 * @param {import("./measure.js").Measure} one
 * @param {number[]} wide the width of each column
 * @param {number} rows
 * @returns {Geometry}
 */
export function place(one, wide, rows) {
  const edge = one.narrow ? 1 : 5;
  // A square cell stays square when it shrinks.
  const high = one.large && one.want[0] === one.high ? wide[0] : one.high;
  const left = running(one.colGaps, (col) => wide[col], edge + one.headWide);
  const top = running(one.rowGaps.slice(0, rows), () => high, one.headHigh + 4);
  return {
    cols: wide.length,
    rows,
    left,
    wide,
    top,
    high,
    width: left[left.length - 1] + wide[wide.length - 1] + edge,
    height: top[rows - 1] + high + 5,
    thin: Math.min(...one.colGaps.slice(1), ...one.rowGaps.slice(1), 2),
    font: fontFor(one, wide),
    headWide: one.headWide,
    headHigh: one.headHigh,
    merged: Math.min(high, ...wide) < 12,
  };
}

function running(gaps, size, start) {
  let at = start;
  return gaps.map((gap, index) => {
    const here = at + gap;
    at = here + size(index);
    return here;
  });
}

/**
 * The box of a cell, or of several from one corner to the other.
 * @param {Geometry} geometry
 * @param {number} row
 * @param {number} col
 * @param {number} [rows]
 * @param {number} [cols]
 * @returns {Box}
 */
export function box(geometry, row, col, rows = 1, cols = 1) {
  const x = geometry.left[col];
  const y = geometry.top[row];
  const end = col + cols - 1;
  return { x, y, w: geometry.left[end] + geometry.wide[end] - x, h: geometry.top[row + rows - 1] + geometry.high - y };
}

/**
 * What is drawn of a cell: a badge is lower than its row, so that its ends are round and it keeps apart from the next.
 * @param {Geometry} geometry
 * @param {number} cell
 * @param {boolean} round
 * @returns {Box}
 */
export function cellBox(geometry, cell, round) {
  const { x, y, w, h } = box(geometry, Math.floor(cell / geometry.cols), cell % geometry.cols);
  const inset = round && h >= 17 ? Math.floor((h - 15) / 3) : 0;
  return { x, y: y + inset, w, h: h - 2 * inset };
}

/**
 * The cell under a point, -1 if there is none. The gap between two neighbours belongs half to each.
 * @param {Geometry} geometry
 * @param {number} x
 * @param {number} y
 * @returns {number}
 */
export function hit(geometry, x, y) {
  const half = geometry.thin / 2;
  const col = within(geometry.left, (index) => geometry.wide[index], x, half);
  const row = within(geometry.top, () => geometry.high, y, half);
  return col < 0 || row < 0 ? -1 : row * geometry.cols + col;
}

function within(starts, size, at, half) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] - half <= at) low = middle;
    else high = middle - 1;
  }
  return at >= starts[low] - half && at < starts[low] + size(low) + half ? low : -1;
}

/**
 * Merge cells into rectangles: neighbours in a row first, then equal stretches in neighbouring rows. A gap between two
 * neighbours is no border; every cell is in exactly one rectangle.
 * @param {number} cols of the pane
 * @param {Iterable<number>} cells
 * @returns {{row: number, col: number, rows: number, cols: number}[]}
 */
export function runs(cols, cells) {
  const found = [];
  /** @type {Map<string, {row: number, col: number, rows: number, cols: number}>} stretches that end in the row above */
  let open = new Map();
  let below = new Map();
  let row = -1;
  const sorted = Int32Array.from(cells).sort();
  for (let at = 0; at < sorted.length;) {
    const start = sorted[at];
    let count = 1;
    while (sorted[at + count] === start + count && (start + count) % cols !== 0) count += 1;
    at += count;
    const here = Math.floor(start / cols);
    if (here !== row) {
      open = here === row + 1 ? below : new Map();
      below = new Map();
      row = here;
    }
    const key = `${start % cols},${count}`;
    const run = open.get(key) ?? { row: here, col: start % cols, rows: 0, cols: count };
    if (run.rows === 0) found.push(run);
    run.rows += 1;
    below.set(key, run);
  }
  return found;
}

/**
 * The path of rounded outlines, some pixels outside each box.
 * @param {Box[]} boxes
 * @param {number} out
 * @param {number} radius of the corners
 * @returns {string} "" for none
 */
export function outline(boxes, out, radius) {
  return boxes
    .map(({ x, y, w, h }) => {
      const [wide, high] = [Math.max(w + 2 * out, 0), Math.max(h + 2 * out, 0)];
      const r = Math.min(radius, wide / 2, high / 2);
      const [across, down] = [wide - 2 * r, high - 2 * r];
      const turn = (dx, dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
      const start = `M${x - out + r} ${y - out}h${across}${turn(r, r)}v${down}${turn(-r, r)}`;
      return `${start}h${-across}${turn(-r, -r)}v${-down}${turn(r, -r)}z`;
    })
    .join("");
}

/**
 * The heads of columns or rows that can be read: every one, or every second, fourth, ... where they would touch.
 * With `spread`, a head that is wider than its column spreads over the following columns that have none.
 * @param {string[]} heads
 * @param {(index: number, span: number) => [number, number]} extent where a head may be, from and to
 * @param {(text: string) => number} size of a text in that direction
 * @param {boolean} spread
 * @returns {{index: number, at: number, text: string}[]} at: the middle
 */
export function readable(heads, extent, size, spread) {
  const all = [];
  heads.forEach((text, index) => {
    if (!text) return;
    let span = 1;
    let [from, to] = extent(index, span);
    while (spread && size(text) > to - from && heads[index + span] === "") {
      span += 1;
      [from, to] = extent(index, span);
    }
    all.push({ index, text, at: (from + to) / 2 });
  });
  for (let step = 1; step < all.length; step *= 2) {
    const some = all.filter((_, at) => at % step === 0);
    const free = (one, at) =>
      at === 0 || one.at - some[at - 1].at >= (size(one.text) + size(some[at - 1].text)) / 2 + 2;
    if (some.every(free)) return some;
  }
  return all.slice(0, 1);
}

/**
 * Whether a text fits into a cell, in the font of the pane.
 * @param {Geometry} geometry
 * @param {string} text
 * @param {number} col
 */
export function fits(geometry, text, col) {
  return geometry.high >= 15 && geometry.wide[col] >= textWidth(text, geometry.font);
}
