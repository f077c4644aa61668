// A scene that was checked, opened at one variant: its panes with their columns, and its cells by name.

import { SELECTABLE } from "./check.js";
import { fill, plain, words } from "./sentence.js";

/**
 * @typedef {{name: string, title: string, note: string, rows: number, cols: number, row_gaps: number[],
 *   col_gaps: number[], row_heads: string[], col_heads: string[],
 *   frames: {row: number, col: number, rows: number, cols: number, label: string}[], kind: string[], text: string[],
 *   colour: string | null, columns: Map<string, any[]>, names: Map<string, string>,
 *   sentences: Map<string, string>}} Pane
 * @typedef {{choice: string[], panes: Pane[],
 *   links: {from: number, to: number, on: [string, string], as: string}[], steps: string[],
 *   slider: {label: string, on: string, pane: number, cells: number[]} | null, start: string}} Variant
 * @typedef {{pane: number, cell: number}} Place a cell of a variant
 */

/**
 * Open the variant of a choice.
 * @param {any} scene as `readScene` found it good
 * @param {any} choice one option for each control
 * @returns {Variant | null} null if there is no such choice
 */
export function openVariant(scene, choice) {
  if (!Array.isArray(choice)) return null;
  const same = (other) => other.length === choice.length && other.every((option, at) => option === choice[at]);
  const raw = scene.variants.find((variant) => same(variant.choice));
  if (!raw) return null;
  const panes = raw.panes.map((pane) => openPane(pane, scene.pool));
  const index = new Map(panes.map((pane, at) => [pane.name, at]));
  const links = raw.links.map((link) => ({ ...link, from: index.get(link.from), to: index.get(link.to) }));
  const slider = raw.slider && { ...raw.slider, pane: index.get(raw.slider.pane) };
  return { choice: raw.choice, panes, links, steps: raw.steps, slider, start: raw.start };
}

function openPane(pane, pool) {
  const cells = pane.rows * pane.cols;
  const column = (at) => unpacked(pool[at], cells);
  const entries = (record) => new Map(Object.keys(record).map((key) => [key, record[key]]));
  return {
    ...pane,
    kind: column(pane.kind),
    text: column(pane.text),
    columns: new Map(Object.keys(pane.columns).map((key) => [key, column(pane.columns[key])])),
    names: entries(pane.names),
    sentences: entries(pane.sentences),
  };
}

/** A column of the pool as a list: it may be stored as its distinct values and where each is used. */
function unpacked(column, cells) {
  if (Array.isArray(column)) return column;
  const { of: values, at } = column;
  return Array.isArray(at) ? at.map((index) => values[index]) : new Array(cells).fill(values[at]);
}

/**
 * A cell's value in a column; null if the pane has none of that name.
 * @param {Pane} pane
 * @param {string} column
 * @param {number} cell
 */
export function valueOf(pane, column, cell) {
  return pane.columns.get(column)?.[cell] ?? null;
}

/**
 * Whether a cell can be selected.
 * @param {Pane} pane
 * @param {number} cell
 */
export function selectable(pane, cell) {
  return SELECTABLE.includes(pane.kind[cell]);
}

/**
 * A cell's name, "" for one that cannot be selected.
 * @param {Pane} pane
 * @param {number} cell
 * @returns {string}
 */
export function nameOf(pane, cell) {
  if (!selectable(pane, cell)) return "";
  return plain(pane.names.get(pane.kind[cell]) ?? "", (column) => valueOf(pane, column, cell));
}

/**
 * What a cell says of itself: its sentence, or its name if it has none.
 * @param {Pane} pane
 * @param {number} cell
 * @returns {{mark: string, text: string}[]}
 */
export function sentenceOf(pane, cell) {
  const kind = pane.kind[cell];
  const template = pane.sentences.get(kind) || pane.names.get(kind) || "";
  return fill(template, (column) => valueOf(pane, column, cell));
}

/**
 * A cell for the ear: its name, and in few words what the picture shows of it.
 * @param {Pane} pane
 * @param {number} cell
 * @returns {string}
 */
export function labelOf(pane, cell) {
  const name = nameOf(pane, cell);
  if (pane.kind[cell] !== "cell") return name;
  if (pane.colour) return `${name}, ${pane.colour} ${words(valueOf(pane, pane.colour, cell))}`;
  return pane.text[cell] && !name.includes(pane.text[cell]) ? `${name}: ${pane.text[cell]}` : name;
}

/** @type {WeakMap<Variant, Map<string, Place>>} */
const named = new WeakMap();

/**
 * The cell of a name.
 * @param {Variant} variant
 * @param {any} name
 * @returns {Place | null}
 */
export function find(variant, name) {
  if (!named.has(variant)) named.set(variant, byName(variant));
  return named.get(variant)?.get(name) ?? null;
}

function byName(variant) {
  const found = new Map();
  variant.panes.forEach((pane, at) => {
    for (let cell = 0; cell < pane.kind.length; cell += 1) {
      const name = nameOf(pane, cell);
      if (name && !found.has(name)) found.set(name, { pane: at, cell });
    }
  });
  return found;
}

/**
 * The cell that is selected first: the variant's start, else the first that can be.
 * @param {Variant} variant
 * @returns {Place | null}
 */
export function startOf(variant) {
  return find(variant, variant.start) ?? named.get(variant)?.values().next().value ?? null;
}

/**
 * The choice for an architecture of the page's switch.
 * @param {any} scene
 * @param {string[]} choice what is chosen now
 * @param {any} arch such as "sm_75"
 * @returns {string[]}
 */
export function choiceFor(scene, choice, arch) {
  return scene.controls.map((control, at) => {
    const table = control.arch ?? {};
    return typeof arch === "string" && Object.hasOwn(table, arch) ? table[arch] : choice[at];
  });
}
