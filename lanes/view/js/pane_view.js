// A pane on the page: its title, its painter, and what pointer and keys do on it.

import { element, set } from "./dom.js";
import { drawCanvas } from "./draw_canvas.js";
import { drawSvg } from "./draw_svg.js";
import { hit, place } from "./geometry.js";
import { look } from "./look.js";
import { LARGE, LEAST_PANE } from "./measure.js";
import { move } from "./move.js";
import { selectable } from "./scene.js";

/**
 * @typedef {{node: any, overlay: ReturnType<typeof import("./overlay.js").createOverlay>,
 *   place: (geometry: import("./geometry.js").Geometry) => void,
 *   show: (cells: Iterable<number>, lookOf: (cell: number) => any, all: boolean) => void,
 *   cursor: (cell: number, selected: boolean) => void, focus: (cell: number, still: boolean) => void,
 *   focused: (target: any) => number,
 *   paper: (on: boolean, step: number, lit: Map<string, Set<number>>) => void}} Painter
 * @typedef {{hover: (cell: number | null) => void, select: (cell: number) => void}} Actions
 */

/**
 * Put a pane together.
 * @param {import("./scene.js").Pane} pane
 * @param {Actions} actions
 * @param {() => Map<string, string>} palette
 */
export function createPane(pane, actions, palette) {
  const painter = pane.rows * pane.cols > LARGE ? drawCanvas(pane, palette) : drawSvg(pane);
  const title = element("p", "lanes-title", {}, [
    element("b", "", {}, [pane.title]),
    " ",
    element("span", "lanes-muted", {}, [pane.note]),
  ]);
  const scroller = element("div", "lanes-scroller", {}, [painter.node]);
  const node = element("div", "lanes-pane", {}, [title, scroller]);
  const every = Array.from(pane.kind.keys());
  const first = every.findIndex((cell) => selectable(pane, cell));
  set(painter.node, { "aria-label": pane.note ? `${pane.title}: ${pane.note}` : pane.title });
  /** @type {Map<string, Set<number>>} */
  let lit = new Map();
  let geometry = /** @type {any} */ (null);
  let step = 0;
  let cursor = first;
  let ringed = false;

  const plainLook = (cell) => look(pane, cell, step, null);
  const litLook = (cell) => look(pane, cell, step, lit);
  const glow = (before) => {
    const changed = new Set([...before.values(), ...lit.values()].flatMap((cells) => [...cells]));
    painter.show(changed, litLook, false);
    painter.overlay.draw(pane, geometry, lit);
  };
  const repaint = () => {
    painter.show(every, plainLook, true);
    glow(new Map());
    painter.overlay.ring(geometry, ringed ? cursor : null);
  };
  listen(
    scroller,
    pane,
    painter,
    actions,
    () => geometry,
    (cell) => {
      ringed = cell !== null;
      painter.overlay.ring(geometry, cell);
    },
  );

  return {
    node,
    pane,
    repaint,
    /** Lay the pane out; without a new geometry nothing happens. */
    layOut(measure, widths, available) {
      const next = place(measure, widths, pane.rows);
      if (JSON.stringify(next) === JSON.stringify(geometry)) return;
      geometry = next;
      painter.place(next);
      node.style.width = `${Math.min(Math.max(next.width, LEAST_PANE), available)}px`;
      scroller.classList.toggle("lanes-scrolls", next.width > available);
      repaint();
    },
    light(next) {
      const before = lit;
      lit = next;
      if (geometry) glow(before);
    },
    setStep(next) {
      step = next;
      if (geometry) repaint();
    },
    /** Where Tab enters: the selected cell, else the same element here, else where the reader was last. */
    setCursor(selected) {
      if (first < 0) return;
      const same = lit.get("same");
      cursor = selected ?? (same?.size && !same.has(cursor) ? Math.min(...same) : cursor);
      painter.cursor(cursor, selected !== null);
    },
    paper: (on) => painter.paper(on, step, lit),
    geometry: () => geometry,
    lit: () => lit,
  };
}

/**
 * What pointer and keys do. The listeners go with their nodes. Focus is heard outside the grid: Chromium lets Tab stop
 * at an SVG element that listens for it.
 */
function listen(node, pane, painter, actions, geometryOf, ring) {
  const grid = painter.node;
  const under = (event) => {
    const geometry = geometryOf();
    const area = grid.getBoundingClientRect();
    const scale = geometry.width / (area.width || 1);
    const cell = hit(geometry, (event.clientX - area.left) * scale, (event.clientY - area.top) * scale);
    return cell >= 0 && selectable(pane, cell) ? cell : null;
  };
  const on = (type, handler) => node.addEventListener(type, handler);
  grid.addEventListener("pointermove", (event) => event.pointerType !== "touch" && actions.hover(under(event)));
  grid.addEventListener("pointerleave", () => actions.hover(null));
  grid.addEventListener("click", (event) => {
    const cell = under(event);
    if (cell === null) return;
    // What has focus first is not laid out twice; where the pointer is, nothing needs to scroll.
    painter.focus(cell, true);
    actions.select(cell);
  });
  on("focusin", (event) => {
    const cell = painter.focused(event.target);
    if (cell < 0) return;
    ring(event.target.matches(":focus-visible") ? cell : null);
    actions.select(cell);
  });
  on("focusout", () => ring(null));
  on("keydown", (event) => {
    const cell = painter.focused(event.target);
    if (cell < 0 || event.altKey || event.metaKey || event.shiftKey) return;
    const enter = event.key === "Enter" || event.key === " ";
    const next = enter ? cell : move(pane, cell, event.key, event.ctrlKey);
    if (next === null) return;
    // The theme turns pages and Jupyter changes cells with these keys.
    event.preventDefault();
    event.stopPropagation();
    painter.focus(next, false);
    actions.select(next);
  });
}
