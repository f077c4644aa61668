// What the reader can take away from a scene: its picture, its table, a link to it.

import { copy, download, hashOf } from "./save.js";
import { asCsv, asMarkdown, table } from "./table.js";

const ENDINGS = { SVG: "svg", CSV: "csv", Markdown: "md" };

/**
 * The buttons at the foot.
 * @param {any} scene
 * @param {() => {variant: import("./scene.js").Variant, step: number, selection: string}} now what is shown
 * @param {() => string} drawn the picture of it
 * @param {boolean} link whether the page's address can show the scene
 * @returns {{label: string, name: string, act: () => (Promise<string> | string)}[]}
 */
export function offers(scene, now, drawn, link) {
  const file = (label, type, text) => ({
    label,
    name: `save as ${label}`,
    act: () => {
      const words = [scene.name, ...now().variant.choice].join("-").replace(/[^\w.-]+/g, "");
      download(`${words}.${ENDINGS[label]}`, type, text());
      return `${label} saved`;
    },
  });
  const copyLink = async () => {
    const { variant, step, selection } = now();
    const hash = hashOf({ name: scene.name, choice: variant.choice, step, selection });
    history.replaceState(history.state, "", hash);
    return (await copy(location.href)) ? "link copied" : "the link is in the address bar";
  };
  return [
    file("SVG", "image/svg+xml", drawn),
    file("CSV", "text/csv", () => asCsv(table(now().variant))),
    file("Markdown", "text/markdown", () => asMarkdown(table(now().variant))),
    ...(link ? [{ label: "copy link", name: "copy link to what is shown", act: copyLink }] : []),
  ];
}
