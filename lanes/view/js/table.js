// The table of a variant: a line for each cell that can be selected, as CSV or Markdown.

import { nameOf, selectable, valueOf } from "./scene.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The head and the lines.
 * @param {import("./scene.js").Variant} variant
 * @returns {string[][]}
 */
export function table(variant) {
  const columns = [...new Set(variant.panes.flatMap((pane) => [...pane.columns.keys()]))];
  const lines = [["pane", "name", "kind", ...columns]];
  for (const pane of variant.panes) {
    for (let cell = 0; cell < pane.kind.length; cell += 1) {
      if (!selectable(pane, cell)) continue;
      const values = columns.map((column) => field(valueOf(pane, column, cell)));
      lines.push([pane.name, nameOf(pane, cell), pane.kind[cell], ...values]);
    }
  }
  return lines;
}

function field(value) {
  if (value === null) return "";
  return Array.isArray(value) ? value.join(" ") : String(value);
}

/**
 * CSV (RFC 4180, with plain newlines). A text that a spreadsheet would take for a formula gets an apostrophe.
 * @param {string[][]} lines
 * @returns {string}
 */
export function asCsv(lines) {
  return lines.map((line) => `${line.map(csvField).join(",")}\n`).join("");
}

function csvField(text) {
  const harmless = /^[=+\-@]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * A Markdown table.
 * @param {string[][]} lines
 * @returns {string}
 */
export function asMarkdown(lines) {
  const written = lines.map((line) => line.map((text) => text.replace(/\r\n|\r|\n/g, " ").replaceAll("|", "\\|")));
  written.splice(
    1,
    0,
    lines[0].map(() => "---"),
  );
  return written.map((line) => `| ${line.join(" | ")} |\n`).join("");
}
