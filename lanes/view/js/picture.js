// A scene as a standalone SVG: the panes as they are laid out now, the colours of the theme written into it.

import { set, shape } from "./dom.js";
import { cellBox, fits } from "./geometry.js";
import { look } from "./look.js";
import { MONO, textWidth } from "./measure.js";
import { outlines, trim } from "./overlay.js";

const MARGIN = 16;
const LINE = 20;
const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

/**
 * Draw the picture.
 * @param {{title: string, sentence: string, step: number, colours: Map<string, string>, parts: {
 *   pane: import("./scene.js").Pane, geometry: import("./geometry.js").Geometry, lit: Map<string, Set<number>>,
 *   x: number, y: number}[]}} what x, y: where a pane lies beside the others
 * @returns {string} an SVG document
 */
export function picture({ title, sentence, step, colours, parts }) {
  const right = Math.max(320, ...parts.map(({ x, geometry }) => x + geometry.width));
  const bottom = Math.max(0, ...parts.map(({ y, geometry }) => y + LINE + geometry.height));
  const lines = wrapped(sentence, Math.floor(right / textWidth("0", 13)));
  const [width, height] = [right + 2 * MARGIN, bottom + LINE * (lines.length + 1) + 2 * MARGIN];
  const root = shape("svg", "", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  const ink = colours.get("ink") ?? "";
  const words = (text, x, y, more) =>
    shape("text", "", { x, y, fill: ink, "font-family": SANS, "font-size": 13, ...more }, [text]);
  root.append(shape("title", "", {}, [title]), shape("desc", "", {}, [sentence]));
  root.append(shape("rect", "", { width, height, fill: colours.get("ground") ?? "" }));
  for (const part of parts) {
    const group = shape("g", "", { transform: `translate(${MARGIN + part.x} ${MARGIN + part.y + LINE})` });
    group.append(
      words(part.pane.title, 0, -8, { "font-weight": 700 }),
      ...cellShapes(part, step, colours),
      ...lineWork(part, colours),
    );
    root.append(group);
  }
  lines.forEach((line, at) => root.append(words(line, MARGIN, MARGIN + bottom + LINE * (at + 1.5), {})));
  return new XMLSerializer().serializeToString(root);
}

/**
 * The cells of a pane as SVG that nothing else is needed for.
 * @param {{pane: import("./scene.js").Pane, geometry: import("./geometry.js").Geometry,
 *   lit: Map<string, Set<number>>}} part
 * @param {number} step
 * @param {{get: (name: string) => string | undefined}} colours
 * @returns {SVGElement[]}
 */
export function cellShapes({ pane, geometry, lit }, step, colours) {
  const drawn = [];
  /** @type {Map<string, string>} small cells without a line: one path for all of a colour keeps the file small */
  const tiny = new Map();
  pane.kind.forEach((_, cell) => {
    const how = look(pane, cell, step, lit);
    if (!how) return;
    const col = cell % pane.cols;
    const { x, y, w, h } = cellBox(geometry, cell, how.round);
    if (geometry.merged && how.line === "none") {
      tiny.set(how.fill, `${tiny.get(how.fill) ?? ""}M${x} ${y}h${w}v${h}h${-w}z`);
      return;
    }
    const frame = shape("rect", "", { x, y, width: w, height: h, rx: how.round ? h / 2 : Math.min(3, w / 5) });
    set(frame, {
      fill: colours.get(how.fill) ?? "none",
      stroke: colours.get(how.line) ?? "none",
      "stroke-width": how.weight,
    });
    if (how.dash) set(frame, { "stroke-dasharray": "3 2" });
    drawn.push(frame);
    if (!how.text || !fits(geometry, how.text, col)) return;
    const middle = {
      x: x + w / 2,
      y: y + h / 2 + geometry.font * 0.36,
      "text-anchor": "middle",
      fill: colours.get(how.tone) ?? "",
    };
    const style = { "font-family": MONO, "font-size": geometry.font, "font-weight": how.bold ? 700 : 400 };
    drawn.push(shape("text", "", { ...middle, ...style }, [how.text]));
  });
  return [...Array.from(tiny, ([fill, d]) => shape("path", "", { d, fill: colours.get(fill) ?? "none" })), ...drawn];
}

function lineWork({ pane, geometry, lit }, colours) {
  const { texts, frames } = trim(pane, geometry);
  const line = (d, colour, weight, dash) => {
    const path = shape("path", "", { d, fill: "none", stroke: colours.get(colour) ?? "", "stroke-width": weight });
    if (dash) set(path, { "stroke-dasharray": "5 3" });
    return path;
  };
  const heads = texts.map(({ x, y, text, anchor, tone }) =>
    shape(
      "text",
      "",
      { x, y, "text-anchor": anchor, fill: colours.get(tone) ?? "", "font-family": MONO, "font-size": 11 },
      [text],
    ),
  );
  const rings = outlines(pane, geometry, lit).filter(({ d }) => d);
  return [
    line(frames, "muted", 1.5, false),
    ...heads,
    ...rings.map((one) => line(one.d, one.line, one.weight, one.dash)),
  ];
}

function wrapped(text, most) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
