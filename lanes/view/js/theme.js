// The page's colours for what cannot use variables, a canvas and a saved picture, and word of when they change.

const NAMES = [
  "ink",
  "muted",
  "ground",
  "line",
  "quiet",
  "accent",
  ...Array.from({ length: 32 }, (_, lane) => String(lane)),
];

/**
 * The colours as they are now.
 * @param {Element} node of the widget
 * @returns {Map<string, string>}
 */
export function readColours(node) {
  const style = getComputedStyle(node);
  return new Map(NAMES.map((name) => [name, style.getPropertyValue(`--lanes-${name}`).trim() || "#808080"]));
}

/**
 * Call when the page may have changed its theme.
 * @param {() => void} changed
 * @returns {() => void} stops it
 */
export function watchTheme(changed) {
  const observer = new MutationObserver(changed);
  const attributes = ["class", "theme", "data-theme", "data-jp-theme-light"];
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributeFilter: attributes });
  const systems = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
  for (const system of systems) system.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    for (const system of systems) system.removeEventListener("change", changed);
  };
}
