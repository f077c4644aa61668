// What lies over the cells: outlines of what lights up, frames, heads. One path a style, however many cells it rings.

import { shape, set } from "./dom.js";
import { box, cellBox, outline, readable, runs } from "./geometry.js";
import { textWidth } from "./measure.js";

const HEAD_FONT = 11;

/**
 * The outlines of a pane, from the lowest to the topmost. Inside to outside they are ink, a gap of the ground's
 * colour, accent: so a cell can have all of them.
 * @param {import("./scene.js").Pane} pane
 * @param {import("./geometry.js").Geometry} geometry
 * @param {Map<string, Set<number>>} lit
 * @returns {{style: string, line: string, weight: number, dash: boolean, d: string}[]}
 */
export function outlines(pane, geometry, lit) {
  const gap = geometry.thin >= 2 && !geometry.merged ? 1 : 0; // the ring starts outside the cell where there is room
  const badges = (cells) => cells.filter((cell) => pane.kind[cell] === "badge");
  const others = (cells) => cells.filter((cell) => pane.kind[cell] !== "badge");
  const boxes = (cells, merged) =>
    merged
      ? runs(geometry.cols, cells).map((run) => box(geometry, run.row, run.col, run.rows, run.cols))
      : cells.map((cell) => cellBox(geometry, cell, pane.kind[cell] === "badge"));
  const found = (style) => [...(lit.get(style) ?? [])];
  const round = (cells, merged, out) => {
    const corner = geometry.merged ? 1 : 3 + Math.max(out, 0);
    return (
      outline(boxes(others(cells), merged), out, corner) + outline(boxes(badges(cells), false), out, geometry.high)
    );
  };
  const { merged } = geometry;
  const same = found("same");
  // In narrow cells an outline lies on the edge, off the digits; inside it only where a ring is outside.
  const ringed = (cell) => gap === 1 || lit.get("same")?.has(cell);
  const held = found("holds");
  const holds = merged
    ? round(held, true, 1)
    : round(held.filter(ringed), false, -1) +
      round(
        held.filter((cell) => !ringed(cell)),
        false,
        0,
      );
  return [
    {
      style: "meets",
      line: "accent",
      weight: 1.5,
      dash: false,
      d: outline(boxes(others(found("meets")), true), gap + 0.25, 4),
    },
    {
      style: "supplies",
      line: "accent",
      weight: 2,
      dash: true,
      d: outline(boxes(others(found("supplies")), true), gap + 1, 5),
    },
    { style: "holds", line: "ink", weight: 2, dash: false, d: holds },
    { style: "gap", line: "ground", weight: 1, dash: false, d: round(same, merged, merged ? 0.5 : gap - 0.5) },
    { style: "same", line: "accent", weight: 3, dash: false, d: round(same, merged, merged ? 2.5 : gap + 1.5) },
  ];
}

/** Path elements for the outlines, in their order; each is set anew only when it changed. */
export function createOverlay() {
  const paths = new Map();
  const node = shape("g", "lanes-over", { "aria-hidden": "true" });
  const focus = shape("path", "lanes-focus", { fill: "none", d: "" });
  const draw = (pane, geometry, lit) => {
    for (const { style, line, weight, dash, d } of outlines(pane, geometry, lit)) {
      let path = paths.get(style);
      if (!path) {
        path = shape("path", "", { fill: "none", "stroke-width": weight, d: "" });
        if (dash) set(path, { "stroke-dasharray": "5 3" });
        path.style.stroke = `var(--lanes-${line})`;
        paths.set(style, path);
        node.insertBefore(path, focus);
      }
      if (path.getAttribute("d") !== d) path.setAttribute("d", d);
    }
  };
  node.append(focus);
  /** Ring the cell that has the keyboard's focus; null for none. */
  const ring = (geometry, cell) => {
    const at = cell === null ? [] : [box(geometry, Math.floor(cell / geometry.cols), cell % geometry.cols)];
    focus.setAttribute("d", outline(at, 6, 8));
  };
  return { node, draw, ring };
}

/**
 * The heads of rows and columns, and the frames with their labels.
 * @param {import("./scene.js").Pane} pane
 * @param {import("./geometry.js").Geometry} geometry
 * @returns {{texts: {x: number, y: number, text: string, anchor: string, tone: string}[], frames: string}}
 */
export function trim(pane, geometry) {
  const wide = (text) => textWidth(text, HEAD_FONT);
  const across = (index, span) => {
    const from = geometry.left[index];
    const end = Math.min(index + span, geometry.cols) - 1;
    return /** @type {[number, number]} */ ([from, geometry.left[end] + geometry.wide[end]]);
  };
  const down = (index) => /** @type {[number, number]} */ ([geometry.top[index], geometry.top[index] + geometry.high]);
  const cols = readable(pane.col_heads, across, wide, true);
  const rows = readable(pane.row_heads, down, () => HEAD_FONT, false);
  const texts = [
    ...cols.map(({ at, text }) => ({ x: at, y: HEAD_FONT + 1, text, anchor: "middle", tone: "muted" })),
    ...rows.map(({ at, text }) => ({ x: geometry.left[0] - 6, y: at + 4, text, anchor: "end", tone: "muted" })),
    ...pane.frames
      .filter((frame) => frame.label)
      .map((frame) => {
        const at = box(geometry, frame.row, frame.col);
        return { x: at.x, y: at.y - 6, text: frame.label, anchor: "start", tone: "ink" };
      }),
  ];
  const frames = pane.frames.map((frame) => box(geometry, frame.row, frame.col, frame.rows, frame.cols));
  return { texts, frames: outline(frames, 2, 4) };
}

/** A group with heads and frames, drawn anew for a geometry. */
export function createTrim() {
  const node = shape("g", "lanes-trim", { "aria-hidden": "true" });
  const draw = (pane, geometry) => {
    const { texts, frames } = trim(pane, geometry);
    const lines = shape("path", "", { fill: "none", "stroke-width": 1.5, d: frames });
    lines.style.stroke = "var(--lanes-muted)";
    node.replaceChildren(
      lines,
      ...texts.map(({ x, y, text, anchor, tone }) => {
        const label = shape("text", "", { x, y, "text-anchor": anchor, "font-size": HEAD_FONT }, [text]);
        label.style.fill = `var(--lanes-${tone})`;
        return label;
      }),
    );
  };
  return { node, draw };
}
