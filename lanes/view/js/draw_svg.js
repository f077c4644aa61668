// A small pane as SVG: each cell is an element that can be focused, named and read out.

import { set, shape } from "./dom.js";
import { cellBox, fits } from "./geometry.js";
import { createOverlay, createTrim } from "./overlay.js";
import { labelOf, selectable } from "./scene.js";

/**
 * Draw a pane.
 * @param {import("./scene.js").Pane} pane
 * @returns {import("./pane_view.js").Painter}
 */
export function drawSvg(pane) {
  const trim = createTrim();
  const overlay = createOverlay();
  const node = shape("svg", "lanes-grid", { role: "grid", "aria-rowcount": pane.rows, "aria-colcount": pane.cols });
  /** @type {any[]} for each cell its group, box and text, and how it looks now */
  const cells = [];
  node.append(trim.node);
  for (let row = 0; row < pane.rows; row += 1) {
    const line = shape("g", "", { role: "row", "aria-rowindex": row + 1 });
    for (let col = 0; col < pane.cols; col += 1) {
      const cell = createCell(pane, row * pane.cols + col, col);
      cells.push(cell);
      if (cell) line.append(cell.group);
    }
    if (line.querySelector("[role]")) node.append(line);
    else line.remove();
  }
  node.append(overlay.node);
  let geometry = /** @type {any} */ (null);
  let cursor = -1;
  let selected = -1;

  const mark = (cell, name, value) => cell >= 0 && cells[cell] && cells[cell].group.setAttribute(name, value);
  return {
    node,
    overlay,
    place(next) {
      geometry = next;
      set(node, {
        width: next.width,
        height: next.height,
        viewBox: `0 0 ${next.width} ${next.height}`,
        "font-size": next.font,
      });
      trim.draw(pane, next);
      cells.forEach((one, cell) => one && placeCell(one, next, pane, cell));
    },
    show(changed, lookOf) {
      for (const cell of changed) if (cells[cell]) paint(cells[cell], lookOf(cell));
    },
    cursor(cell, isSelected) {
      if (cell === cursor && isSelected === (cell === selected)) return;
      mark(cursor, "tabindex", "-1");
      mark(selected, "aria-selected", "false");
      cursor = cell;
      selected = isSelected ? cell : -1;
      mark(cursor, "tabindex", "0");
      mark(selected, "aria-selected", "true");
    },
    focus(cell, still) {
      cells[cell]?.group.focus({ preventScroll: still });
    },
    focused(target) {
      const group = target.closest("[role=gridcell]");
      return group ? Number(group.getAttribute("data-cell")) : -1;
    },
    paper() {},
  };
}

function createCell(pane, cell, col) {
  if (pane.kind[cell] === "") return null;
  const group = shape("g", "lanes-cell");
  const frame = shape("rect");
  group.append(frame);
  const text = pane.text[cell] ? shape("text", "", { "text-anchor": "middle" }, [pane.text[cell]]) : null;
  if (text) group.append(text);
  if (selectable(pane, cell)) {
    set(group, {
      role: "gridcell",
      "aria-colindex": col + 1,
      "aria-selected": "false",
      tabindex: -1,
      "data-cell": cell,
    });
    set(group, { "aria-label": labelOf(pane, cell) });
  } else set(group, { "aria-hidden": "true" });
  return { group, frame, text, room: true, now: {} };
}

function placeCell(one, geometry, pane, cell) {
  const { x, y, w, h } = cellBox(geometry, cell, pane.kind[cell] === "badge");
  set(one.frame, { x, y, width: w, height: h, rx: pane.kind[cell] === "badge" ? h / 2 : 3 });
  one.room = fits(geometry, pane.text[cell], cell % pane.cols);
  if (one.text) set(one.text, { x: x + w / 2, y: y + h / 2 + geometry.font * 0.36 });
}

/** Set what differs from the last time: a hover touches only the cells that light up or go out, and little of them. */
function paint(one, how) {
  const { frame, text, now } = one;
  const differs = (name, value) => now[name] !== value && ((now[name] = value), true);
  const colour = (name) => (name === "none" ? "none" : `var(--lanes-${name})`);
  if (differs("fill", how.fill)) frame.style.fill = colour(how.fill);
  if (differs("line", how.line)) frame.style.stroke = colour(how.line);
  if (differs("weight", how.weight)) set(frame, { "stroke-width": how.weight });
  if (differs("dash", how.dash)) set(frame, { "stroke-dasharray": how.dash ? "3 2" : "none" });
  if (!text) return;
  if (differs("tone", how.tone)) text.style.fill = colour(how.tone);
  // Bold by a line round the letters: another weight would lay the text out again, and not fit a phone's cells.
  if (differs("bold", how.bold && how.tone)) text.style.stroke = how.bold ? colour(how.tone) : "transparent";
  if (differs("shown", Boolean(how.text && one.room))) text.style.visibility = now.shown ? "visible" : "hidden";
}
