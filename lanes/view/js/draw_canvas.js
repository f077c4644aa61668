// A large pane on a canvas. What lights up is drawn on a second one above it, so a hover never redraws the pane.
// One element, the virtual cursor, stands for the cell that is selected or focused: it is named and read out.

import { element, set, shape } from "./dom.js";
import { box, cellBox, fits } from "./geometry.js";
import { MONO } from "./measure.js";
import { createOverlay, createTrim } from "./overlay.js";
import { cellShapes } from "./picture.js";
import { labelOf } from "./scene.js";

/** @type {{get: (name: string) => string | undefined}} colours that follow the theme */
const variables = { get: (name) => (name === "none" ? undefined : `var(--lanes-${name})`) };
const MOST_PIXELS = 16e6; // of a canvas; phones refuse larger ones

/**
 * Draw a pane.
 * @param {import("./scene.js").Pane} pane
 * @param {() => Map<string, string>} palette the page's colours by name
 * @returns {import("./pane_view.js").Painter}
 */
export function drawCanvas(pane, palette) {
  const trim = createTrim();
  const overlay = createOverlay();
  const paper = shape("g", "lanes-paper");
  const base = element("canvas", "lanes-layer", { "aria-hidden": "true" });
  const glow = element("canvas", "lanes-layer", { "aria-hidden": "true" });
  const above = shape("svg", "lanes-layer", { "aria-hidden": "true", "font-size": 11 }, [
    paper,
    trim.node,
    overlay.node,
  ]);
  const row = element("div", "", { role: "row" });
  const attributes = { role: "grid", "aria-rowcount": pane.rows, "aria-colcount": pane.cols };
  const node = element("div", "lanes-grid lanes-stack", attributes, [base, glow, above, row]);
  let geometry = /** @type {any} */ (null);
  let ratio = 1;
  let here = element("div");
  let at = -1;

  /** A new element for each place: screen readers read what receives the focus, not what changes under it. */
  const stand = (cell) => {
    const { x, y, w, h } = box(geometry, Math.floor(cell / pane.cols), cell % pane.cols);
    const next = element("div", "lanes-here", {
      role: "gridcell",
      tabindex: 0,
      "data-cell": cell,
      "aria-label": labelOf(pane, cell),
    });
    set(next, { "aria-colindex": (cell % pane.cols) + 1 });
    Object.assign(next.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
    set(row, { "aria-rowindex": Math.floor(cell / pane.cols) + 1 });
    const before = here;
    const focused = before === document.activeElement;
    row.append(next);
    here = next;
    at = cell;
    if (focused) next.focus({ preventScroll: true });
    before.remove();
  };
  return {
    node,
    overlay,
    place(next) {
      geometry = next;
      ratio = Math.min(globalThis.devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (next.width * next.height)));
      Object.assign(node.style, { width: `${next.width}px`, height: `${next.height}px` });
      for (const layer of [base, glow]) {
        layer.width = Math.round(next.width * ratio);
        layer.height = Math.round(next.height * ratio);
      }
      set(above, { viewBox: `0 0 ${next.width} ${next.height}` });
      trim.draw(pane, next);
      if (at >= 0) {
        const selected = here.getAttribute("aria-selected");
        stand(at);
        set(here, { "aria-selected": selected });
      }
    },
    show(changed, lookOf, all) {
      const pen = (all ? base : glow).getContext("2d");
      if (!pen) return;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.textAlign = "center";
      pen.textBaseline = "alphabetic";
      if (all) pen.clearRect(0, 0, geometry.width, geometry.height);
      const colours = palette();
      for (const cell of changed) {
        const how = lookOf(cell);
        if (!how) continue;
        const { x, y, w, h } = cellBox(geometry, cell, how.round);
        if (!all) pen.clearRect(x - 1, y - 1, w + 2, h + 2);
        if (all || how.bold) paintCell(pen, geometry, colours, how, { x, y, w, h }, cell % pane.cols);
      }
    },
    /** On paper the pane is SVG, in the colours of paper: a printed canvas keeps those of the screen. */
    paper(on, step, lit) {
      paper.replaceChildren(...(on ? cellShapes({ pane, geometry, lit }, step, variables) : []));
    },
    cursor(cell, isSelected) {
      if (cell !== at) stand(cell);
      set(here, { "aria-selected": String(isSelected) });
    },
    focus(cell, still) {
      if (cell !== at) stand(cell);
      here.focus({ preventScroll: still });
    },
    focused(target) {
      return target === here ? at : -1;
    },
  };
}

function paintCell(pen, geometry, colours, how, { x, y, w, h }, col) {
  if (how.fill !== "none") {
    pen.fillStyle = colours.get(how.fill);
    pen.fillRect(x, y, w, h);
  }
  if (how.line !== "none" && Math.min(w, h) > 3) {
    pen.strokeStyle = colours.get(how.line);
    pen.lineWidth = how.weight;
    pen.setLineDash(how.dash ? [3, 2] : []);
    const half = how.weight / 2;
    pen.strokeRect(x + half, y + half, w - how.weight, h - how.weight);
  }
  if (!how.text || !fits(geometry, how.text, col) || w < 15) return;
  pen.font = `${how.bold ? "700 " : ""}${geometry.font}px ${MONO}`;
  pen.fillStyle = colours.get(how.tone);
  pen.fillText(how.text, x + w / 2, y + h / 2 + geometry.font * 0.36);
}
