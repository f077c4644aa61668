// How large the cells of a pane are, from what is written in them and from the width there is. CSS pixels throughout.

export const LARGE = 1024; // cells; a larger pane is drawn on a canvas
export const NARROW = 520; // a widget below this width is a phone's
export const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const CHAR = 0.61; // of the font size: the widest digit of the monospace fonts that the stylesheet names
const SMALL_FONT = 11;
const FONT = 12;
const FONT_ROOM = 4; // beside a text of the larger font: an outline inside the cell must not touch it
const TEXT_ROOM = 1; // beside a text in the narrowest cell
const BADGE_ROOM = 4; // more for the round ends of a badge
const STRETCH = 1.2; // cells grow this far beyond what they want, to fill a line
export const LEAST_PANE = 150; // for a title to be read

/**
 * @typedef {{large: boolean, narrow: boolean, chars: number[], need: number[], want: number[], high: number,
 *   fixed: number, headWide: number, headHigh: number, colGaps: number[], rowGaps: number[]}} Measure
 *   chars: of the longest text of each column; need, want: its width; fixed: what else the pane's width is;
 *   gaps: the room before each index
 */

/**
 * The font for cells: the larger one if every text fits with it.
 * @param {Measure} one
 * @param {number[]} wide the width of each column
 * @returns {number}
 */
export function fontFor(one, wide) {
  const inside = (chars, col) => textWidth("0".repeat(chars), FONT) + FONT_ROOM <= wide[col];
  const room = one.high >= 20 && one.chars.every(inside);
  return room && !one.large ? FONT : SMALL_FONT;
}

/**
 * How many CSS pixels a text of the cells' font is wide.
 * @param {string} text
 * @param {number} font
 */
export function textWidth(text, font) {
  return text.length * font * CHAR;
}

/**
 * What a pane needs and wants.
 * @param {import("./scene.js").Pane} pane
 * @param {number} width of the widget
 * @returns {Measure}
 */
export function measure(pane, width) {
  const narrow = width < NARROW;
  const large = pane.rows * pane.cols > LARGE;
  const sizes = large ? largeSizes(pane) : smallSizes(pane);
  const thin = large ? (sizes.high >= 8 ? 1 : 0) : narrow ? 1 : 2;
  const colGaps = gaps(pane.cols, pane.col_gaps, thin, large ? 3 : narrow ? 4 : 8);
  const rowGaps = gaps(pane.rows, pane.row_gaps, thin, large ? 3 : pane.row_gaps.length > 4 ? 3 : 8);
  for (const frame of pane.frames) {
    for (const col of [frame.col, frame.col + frame.cols]) if (col > 0 && col < pane.cols) atLeast(colGaps, col, 9);
    const end = frame.row + frame.rows;
    if (end < pane.rows) atLeast(rowGaps, end, 9);
    atLeast(rowGaps, frame.row, frame.label ? SMALL_FONT + 8 : frame.row > 0 ? 9 : 2);
  }
  const headChars = Math.max(0, ...pane.row_heads.map((head) => head.length));
  const headWide = headChars ? Math.ceil(textWidth("0".repeat(headChars), SMALL_FONT)) + (narrow ? 4 : 8) : 0;
  const headHigh = pane.col_heads.some(Boolean) ? SMALL_FONT + 7 : 0;
  const fixed = headWide + colGaps.reduce((sum, gap) => sum + gap, 0) + (narrow ? 2 : 10);
  return { large, narrow, ...sizes, fixed, headWide, headHigh, colGaps, rowGaps };
}

/** Cells with text: no narrower than it, and of one width for each kind of column. */
function smallSizes(pane) {
  const chars = new Map();
  const kinds = Array.from({ length: pane.cols }, (_, col) => columnKind(pane, col));
  for (let cell = 0; cell < pane.kind.length; cell += 1) {
    const kind = kinds[cell % pane.cols];
    chars.set(kind, Math.max(chars.get(kind) ?? 1, pane.text[cell].length));
  }
  const heads = new Map();
  kinds.forEach((kind, col) => heads.set(kind, Math.max(heads.get(kind) ?? 0, (pane.col_heads[col] ?? "").length)));
  const high = clamp(Math.floor(420 / pane.rows), 17, 25);
  const font = high >= 20 ? FONT : SMALL_FONT;
  const room = (kind, count, size, more) => {
    const text = textWidth("0".repeat(count), size);
    return Math.max(14, Math.ceil(text + TEXT_ROOM + (kind === "badge" ? BADGE_ROOM : 0) + more));
  };
  const wish = (kind) => {
    const head = room(kind, Math.min(heads.get(kind), 5), SMALL_FONT, 4);
    return Math.max(kind === "pad" ? 14 : 24, room(kind, chars.get(kind), font, 8), head);
  };
  return {
    high,
    chars: kinds.map((kind) => chars.get(kind)),
    need: kinds.map((kind) => room(kind, chars.get(kind), SMALL_FONT, 0)),
    want: kinds.map(wish),
  };
}

/** "badge", "lane" or "pad" for a column of nothing else, so that it may be of another width than the cells. */
function columnKind(pane, col) {
  let found = "";
  for (let row = 0; row < pane.rows; row += 1) {
    const kind = pane.kind[row * pane.cols + col];
    if (kind === "" || kind === found) continue;
    if (found && found !== "pad" && kind !== "pad") return "cell";
    if (found === "" || found === "pad") found = kind;
  }
  return found || "pad";
}

/** Cells on a canvas: square unless that makes a ribbon. */
function largeSizes(pane) {
  const ratio = pane.cols / pane.rows;
  let wide = clamp(Math.floor(680 / pane.cols), 2, 20);
  let high = clamp(Math.floor(640 / pane.rows), 3, 18);
  if (ratio < 4 && ratio > 0.25 && Math.min(wide, high) < 15) wide = high = Math.max(Math.min(wide, high), 4);
  const need = Math.max(Math.min(wide, Math.ceil(320 / pane.cols)), 1);
  return {
    high,
    chars: new Array(pane.cols).fill(0),
    need: new Array(pane.cols).fill(need),
    want: new Array(pane.cols).fill(wide),
  };
}

function gaps(count, wider, thin, more) {
  const found = new Array(count).fill(thin);
  found[0] = 0;
  for (const at of wider) if (at > 0 && at < count) found[at] = thin + more;
  return found;
}

function atLeast(gapsOf, at, least) {
  gapsOf[at] = Math.max(gapsOf[at], least);
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

const total = (widths) => widths.reduce((sum, width) => sum + width, 0);

/**
 * Panes left to right, on further lines where one is full; the widths of each pane's columns.
 * @param {Measure[]} measures
 * @param {number} width there is
 * @param {number} space between two panes
 * @param {number} ratio device pixels in a CSS pixel
 * @returns {number[][]} for each pane, the width of each column
 */
export function flow(measures, width, space, ratio) {
  const takes = (one, columns) => Math.max(total(columns) + one.fixed, LEAST_PANE);
  const needs = measures.map((one) => takes(one, one.need));
  /** @type {number[][]} */
  const lines = [];
  let used = Infinity;
  measures.forEach((_, at) => {
    if (used + space + needs[at] > width) {
      lines.push([]);
      used = -space;
    }
    lines[lines.length - 1].push(at);
    used += space + needs[at];
  });
  /** @type {number[][]} */
  const widths = [];
  for (const line of lines) {
    const room = width - space * (line.length - 1) - total(line.map((at) => needs[at]));
    const wish = total(line.map((at) => takes(measures[at], measures[at].want) - needs[at]));
    const share = wish > 0 ? room / wish : 0;
    for (const at of line) widths[at] = columnWidths(measures[at], share, width, ratio);
  }
  return widths;
}

/** Between need and want, in whole pixels so that edges are sharp; large panes shrink further, others scroll. */
function columnWidths(one, share, width, ratio) {
  const short = total(one.need) + one.fixed < LEAST_PANE;
  const free = total(one.want) + one.fixed <= LEAST_PANE; // its title takes the room in any case
  const part = free ? 1 : clamp(share, 0, one.large || short ? 1 : STRETCH);
  if (!one.large) return one.need.map((need, col) => Math.floor(need + part * (one.want[col] - need)));
  const wish = one.need[0] + part * (one.want[0] - one.need[0]);
  const fits = Math.min(wish, (width - one.fixed) / one.need.length);
  return new Array(one.need.length).fill(Math.max(Math.floor(fits * ratio), 1) / ratio);
}
