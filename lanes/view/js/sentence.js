// Templates: a sentence with places for values, and marks for what is bold or code.
// The template is read for marks first and values are put in afterwards, so a value never becomes a mark.

import { element } from "./dom.js";

const MARKS = /\*\*([^\n]+?)\*\*|`([^\n]+?)`/gu;
const PLACES = /\{([\p{L}\p{N}_]+)\}/gu;

/** @type {Map<string, {mark: string, parts: (string | {column: string})[]}[]>} */
const templates = new Map();

/**
 * A value as a sentence shows it.
 * @param {any} value number, string, null, or a list of either
 * @returns {string}
 */
export function words(value) {
  if (value === null || value === undefined) return "-";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/**
 * Read a template.
 * @param {string} template
 * @returns {{mark: string, parts: (string | {column: string})[]}[]} runs; mark is "", "bold" or "code"
 */
export function parse(template) {
  const before = templates.get(template);
  if (before) return before;
  const runs = [];
  let end = 0;
  for (const found of template.matchAll(MARKS)) {
    if (found.index > end) runs.push({ mark: "", parts: pieces(template.slice(end, found.index)) });
    runs.push(found[1] ? { mark: "bold", parts: pieces(found[1]) } : { mark: "code", parts: pieces(found[2]) });
    end = found.index + found[0].length;
  }
  if (end < template.length) runs.push({ mark: "", parts: pieces(template.slice(end)) });
  if (templates.size > 1000) templates.clear();
  templates.set(template, runs);
  return runs;
}

function pieces(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(PLACES)) {
    if (found.index > end) parts.push(text.slice(end, found.index));
    parts.push({ column: found[1] });
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/**
 * Put values into a template.
 * @param {string} template
 * @param {(column: string) => any} read the value of a column
 * @returns {{mark: string, text: string}[]}
 */
export function fill(template, read) {
  return parse(template).map(({ mark, parts }) => ({ mark, text: joined(parts, read) }));
}

/**
 * A filled template without its marks.
 * @param {string} template
 * @param {(column: string) => any} read
 * @returns {string}
 */
export function plain(template, read) {
  let text = "";
  for (const { parts } of parse(template)) text += joined(parts, read);
  return text;
}

function joined(parts, read) {
  let text = "";
  for (const part of parts) text += typeof part === "string" ? part : words(read(part.column));
  return text;
}

/**
 * Runs as elements: text stays text.
 * @param {{mark: string, text: string}[]} runs
 * @returns {(HTMLElement | Text)[]}
 */
export function nodes(runs) {
  return runs.map(({ mark, text }) => {
    if (!mark) return document.createTextNode(text);
    return element(mark === "bold" ? "b" : "code", mark === "bold" ? "" : "lanes-code", {}, [text]);
  });
}
