// Joins: which cells light up with a cell. Who holds what is in the columns; here they are only compared.

import { selectable, valueOf } from "./scene.js";

/** @type {WeakMap<object, Map<string, Map<any, number[]>>>} for each pane and column: its cells by value */
const indexes = new WeakMap();

/**
 * The cells that light up with a cell, by pane and style. The cell itself is always "same".
 * @param {import("./scene.js").Variant} variant
 * @param {number} pane the pane of the cell
 * @param {number} cell
 * @returns {Map<string, Set<number>>[]} for each pane: style -> cells
 */
export function relate(variant, pane, cell) {
  /** @type {Map<string, Set<number>>[]} */
  const lit = variant.panes.map(() => new Map());
  lit[pane].set("same", new Set([cell]));
  for (const link of variant.links) {
    if (link.from !== pane) continue;
    const value = valueOf(variant.panes[pane], link.on[0], cell);
    if (value === null) continue;
    const index = indexOf(variant.panes[link.to], link.on[1]);
    for (const member of Array.isArray(value) ? value : [value]) {
      const cells = index.get(member);
      if (!cells) continue;
      const found = lit[link.to].get(link.as) ?? new Set();
      for (const one of cells) found.add(one);
      lit[link.to].set(link.as, found);
    }
  }
  return lit;
}

/** The cells of a column by value; a cell whose value is a set stands under each member. */
function indexOf(pane, column) {
  const columns = indexes.get(pane) ?? new Map();
  indexes.set(pane, columns);
  let index = columns.get(column);
  if (index) return index;
  index = new Map();
  (pane.columns.get(column) ?? []).forEach((value, cell) => {
    if (value === null || !selectable(pane, cell)) return;
    for (const member of Array.isArray(value) ? value : [value]) {
      const cells = index.get(member);
      if (cells) cells.push(cell);
      else index.set(member, [cell]);
    }
  });
  columns.set(column, index);
  return index;
}
