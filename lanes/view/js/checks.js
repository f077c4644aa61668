// Single checks of what a scene is made of. Each throws a refusal with its reason, one part of a sentence.

/** How much a scene may hold: more than a reader can use, less than a browser stumbles over. */
export const LIMITS = {
  variants: 256,
  panes: 64,
  side: 1024, // rows or columns of a pane
  paneCells: 65536,
  variantCells: 200000,
  columns: 64,
  links: 256,
  frames: 256,
  steps: 64,
  controls: 8,
  options: 12,
  pool: 4096,
  poolValues: 4000000,
  members: 4096, // of a value that is a set
  word: 200, // characters of a name, a head, an option, a value
  cellText: 40,
  prose: 4000,
};

/** Why a value is no scene. */
export class Refusal extends Error {}

/**
 * Go on only if it holds.
 * @param {any} condition
 * @param {string} reason why the scene is refused
 */
export function need(condition, reason) {
  if (!condition) throw new Refusal(reason);
}

/** A property that the object has itself: a scene may call a column "constructor". */
export function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** An object that is no list. */
export function record(value, what) {
  need(typeof value === "object" && value !== null && !Array.isArray(value), `${what} is not an object`);
}

/** A list, not too long. */
export function list(value, most, what) {
  need(Array.isArray(value), `${what} is not a list`);
  need(value.length <= most, `${what} has more than ${most} entries`);
}

/** A text, not too long. */
export function text(value, most, what) {
  need(typeof value === "string", `${what} is not a text`);
  need(value.length <= most, `${what} has more than ${most} characters`);
}

/** A list of texts. */
export function texts(value, most, longest, what) {
  list(value, most, what);
  for (const one of value) text(one, longest, `an entry of ${what}`);
}

/** A whole number in bounds. */
export function whole(value, low, high, what) {
  need(
    Number.isInteger(value) && value >= low && value <= high,
    `${what} is not a whole number from ${low} to ${high}`,
  );
}
