// Keys: where the cursor of a pane goes. Cells that cannot be selected are passed over.

import { selectable } from "./scene.js";

const PAGE = 8; // rows
const ARROWS = new Map([
  ["ArrowUp", [-1, 0]],
  ["ArrowDown", [1, 0]],
  ["ArrowLeft", [0, -1]],
  ["ArrowRight", [0, 1]],
]);

/**
 * The cell that a key leads to: the same one at the edge, null if the key is not one for moving.
 * @param {import("./scene.js").Pane} pane
 * @param {number} cell
 * @param {string} key as in KeyboardEvent
 * @param {boolean} ctrl
 * @returns {number | null}
 */
export function move(pane, cell, key, ctrl) {
  const row = Math.floor(cell / pane.cols);
  const arrow = ARROWS.get(key);
  if (arrow) return ctrl ? null : walk(pane, cell, arrow[0], arrow[1]);
  const last = pane.rows * pane.cols - 1;
  if (key === "Home") return ctrl ? seek(pane, 0, last, cell) : seek(pane, row * pane.cols, cell, cell);
  if (key === "End") return ctrl ? seek(pane, last, 0, cell) : seek(pane, (row + 1) * pane.cols - 1, cell, cell);
  if (ctrl) return null;
  if (key === "PageUp") return page(pane, cell, -1);
  if (key === "PageDown") return page(pane, cell, 1);
  return null;
}

function walk(pane, cell, down, right) {
  let row = Math.floor(cell / pane.cols) + down;
  let col = (cell % pane.cols) + right;
  while (row >= 0 && row < pane.rows && col >= 0 && col < pane.cols) {
    if (selectable(pane, row * pane.cols + col)) return row * pane.cols + col;
    row += down;
    col += right;
  }
  return cell;
}

/** The first cell that can be selected, from one cell to another, both counted in. */
function seek(pane, from, to, otherwise) {
  const way = from <= to ? 1 : -1;
  for (let cell = from; cell !== to + way; cell += way) if (selectable(pane, cell)) return cell;
  return otherwise;
}

/** Eight rows on in the same column; past the edge, or where nothing is, the last cell before. */
function page(pane, cell, way) {
  const limit = Math.min(Math.max(Math.floor(cell / pane.cols) + way * PAGE, 0), pane.rows - 1);
  for (let row = limit; row !== Math.floor(cell / pane.cols); row -= way) {
    const other = row * pane.cols + (cell % pane.cols);
    if (selectable(pane, other)) return other;
  }
  return cell;
}
