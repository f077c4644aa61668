// How a cell looks: a fill, a line and a text, by name. SVG, canvas and the saved picture all ask here.

import { valueOf } from "./scene.js";

/**
 * @typedef {{fill: string, line: string, weight: number, dash: boolean, text: string, tone: string, bold: boolean,
 *   round: boolean}} Look fill, line and tone are names of colours, "0" to "31", "ink", "quiet", ..., or "none"
 */

/**
 * The look of a cell; null where nothing is.
 * @param {import("./scene.js").Pane} pane
 * @param {number} cell
 * @param {number} step 0 shows everything
 * @param {Map<string, Set<number>> | null} lit the cells of the pane that light up, by style
 * @returns {Look | null}
 */
export function look(pane, cell, step, lit) {
  const kind = pane.kind[cell];
  if (kind === "") return null;
  const has = (style) => Boolean(lit?.get(style)?.has(cell));
  const text = pane.text[cell];
  const round = kind === "badge";
  const value = step > 0 ? valueOf(pane, "step", cell) : null;
  const uses = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "number");
  if (uses.length && Math.min(...uses) > step) {
    return { fill: "none", line: "line", weight: 1, dash: round, text: "", tone: "muted", bold: false, round };
  }
  const now = uses.includes(step);
  if (round) {
    const supplies = has("supplies");
    const tone = supplies ? "accent" : now ? "ink" : "muted";
    const bold = supplies || has("same");
    return {
      fill: "none",
      line: tone,
      weight: supplies ? 2 : now ? 1.5 : 1,
      dash: true,
      text,
      tone: supplies ? "accent" : "ink",
      bold,
      round,
    };
  }
  const line = now ? "muted" : "none";
  if (kind === "pad")
    return { fill: "none", line: now ? line : "line", weight: 1, dash: false, text, tone: "muted", bold: false, round };
  const bold = has("holds") || has("same");
  const shown = kind === "lane" ? "lane" : pane.colour;
  const fill = (shown && laneOf(pane, shown, cell)) || (has("holds") && laneOf(pane, "lane", cell)) || "quiet";
  return { fill, line, weight: 1.5, dash: false, text, tone: bold || fill !== "quiet" ? "ink" : "muted", bold, round };
}

/** The name of a lane's colour, "" if the value is no lane. */
function laneOf(pane, column, cell) {
  const value = valueOf(pane, column, cell);
  return Number.isInteger(value) && value >= 0 && value < 32 ? String(value) : "";
}
