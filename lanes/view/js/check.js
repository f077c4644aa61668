// Whether a value is a scene. Everything that is drawn has passed here, so nothing later has to doubt its input.

import { LIMITS, Refusal, list, need, own, record, text, texts, whole } from "./checks.js";

export const KINDS = ["cell", "badge", "lane", "pad", ""];
export const SELECTABLE = ["cell", "badge", "lane"];
export const STYLES = ["same", "holds", "supplies", "meets"];

/** @type {WeakMap<object, object>} what was found of a value, so that nobody asks twice */
const known = new WeakMap();

/**
 * Check a value against the scene format. It never throws, whatever it is given.
 * @param {any} value what was parsed from JSON
 * @returns {{ok: true, scene: any} | {ok: false, reason: string}} reason: one part of a sentence, without its stop
 */
export function readScene(value) {
  if (typeof value !== "object" || value === null) return { ok: false, reason: "the scene is not an object" };
  if (!known.has(value)) known.set(value, checked(value));
  return /** @type {any} */ (known.get(value));
}

function checked(value) {
  try {
    checkScene(value);
    return { ok: true, scene: value };
  } catch (error) {
    return { ok: false, reason: error instanceof Refusal ? error.message : "the scene could not be read" };
  }
}

function checkScene(scene) {
  record(scene, "the scene");
  text(scene.name, LIMITS.word, "the scene's name");
  need(/^[a-z0-9-]+$/.test(scene.name), "the scene's name has other characters than a-z, 0-9 and -");
  text(scene.title, LIMITS.word, "the title");
  text(scene.caption, LIMITS.prose, "the caption");
  checkControls(scene.controls);
  const sizes = checkPool(scene.pool);
  list(scene.variants, LIMITS.variants, "variants");
  const wanted = scene.controls.reduce((product, control) => product * control.options.length, 1);
  need(scene.variants.length === wanted, `there are ${scene.variants.length} variants for ${wanted} choices`);
  const choices = new Set();
  scene.variants.forEach((variant, at) => {
    record(variant, `variant ${at}`);
    checkChoice(variant.choice, scene.controls, `the choice of variant ${at}`);
    choices.add(JSON.stringify(variant.choice));
    checkVariant(variant, scene.pool, sizes, `variant ${at}`);
  });
  need(choices.size === wanted, "two variants have one choice");
  checkChoice(scene.start, scene.controls, "the start");
}

function checkControls(controls) {
  list(controls, LIMITS.controls, "controls");
  controls.forEach((control, at) => {
    const what = `control ${at}`;
    record(control, what);
    text(control.name, LIMITS.word, `the name of ${what}`);
    text(control.label, LIMITS.word, `the label of ${what}`);
    texts(control.options, LIMITS.options, LIMITS.word, `the options of ${what}`);
    need(control.options.length > 0, `${what} has no options`);
    need(new Set(control.options).size === control.options.length, `${what} has one option twice`);
    const arch = own(control, "arch");
    if (arch === undefined) return;
    record(arch, `arch of ${what}`);
    for (const key of Object.keys(arch)) need(control.options.includes(arch[key]), `arch of ${what} is no option`);
  });
  need(new Set(controls.map((control) => control.name)).size === controls.length, "two controls have one name");
}

function checkChoice(choice, controls, what) {
  list(choice, controls.length, what);
  need(choice.length === controls.length, `${what} has not one option for each control`);
  controls.forEach((control, at) => need(control.options.includes(choice[at]), `${what} has an unknown option`));
}

/** Check the pool; return how long each column is, null for one that fits any pane. */
function checkPool(pool) {
  list(pool, LIMITS.pool, "the pool");
  let total = 0;
  return pool.map((column, at) => {
    const what = `column ${at} of the pool`;
    const packed = !Array.isArray(column);
    if (packed) record(column, what);
    const values = packed ? column.of : column;
    list(values, LIMITS.paneCells, what);
    total += values.length;
    for (const value of values) need(isValue(value), `${what} has a value that is no number, text, list or null`);
    if (packed && Array.isArray(column.at)) {
      list(column.at, LIMITS.paneCells, what);
      total += column.at.length;
      for (const index of column.at) whole(index, 0, values.length - 1, `an index of ${what}`);
    } else if (packed) whole(column.at, 0, values.length - 1, `the index of ${what}`);
    need(total <= LIMITS.poolValues, `the pool has more than ${LIMITS.poolValues} values`);
    return packed ? (Array.isArray(column.at) ? column.at.length : null) : column.length;
  });
}

function isValue(value) {
  if (value === null || isMember(value)) return true;
  return Array.isArray(value) && value.length <= LIMITS.members && value.every(isMember);
}

function isMember(value) {
  return typeof value === "string" ? value.length <= LIMITS.word : Number.isFinite(value);
}

function checkVariant(variant, pool, sizes, what) {
  list(variant.panes, LIMITS.panes, `panes of ${what}`);
  const names = new Set();
  let cells = 0;
  variant.panes.forEach((pane, at) => {
    checkPane(pane, pool, sizes, `pane ${at} of ${what}`);
    names.add(pane.name);
    cells += pane.rows * pane.cols;
  });
  need(names.size === variant.panes.length, `two panes of ${what} have one name`);
  need(cells <= LIMITS.variantCells, `${what} has more than ${LIMITS.variantCells} cells`);
  list(variant.links, LIMITS.links, `links of ${what}`);
  variant.links.forEach((link, at) => {
    const where = `link ${at} of ${what}`;
    record(link, where);
    need(names.has(link.from) && names.has(link.to), `${where} joins a pane that is not there`);
    texts(link.on, 2, LIMITS.word, `on of ${where}`);
    need(link.on.length === 2, `on of ${where} is not two columns`);
    need(STYLES.includes(link.as), `${where} has an unknown style`);
  });
  texts(variant.steps, LIMITS.steps, LIMITS.prose, `steps of ${what}`);
  text(variant.start, LIMITS.prose, `the start of ${what}`);
  if (variant.slider !== null) checkSlider(variant.slider, variant.panes, `the slider of ${what}`);
}

function checkSlider(slider, panes, what) {
  record(slider, what);
  text(slider.label, LIMITS.word, `the label of ${what}`);
  text(slider.on, LIMITS.word, `the column of ${what}`);
  const pane = panes.find((one) => one.name === slider.pane);
  need(pane, `${what} has a pane that is not there`);
  list(slider.cells, LIMITS.paneCells, `cells of ${what}`);
  need(slider.cells.length > 0, `${what} has no cells`);
  for (const cell of slider.cells) whole(cell, 0, pane.rows * pane.cols - 1, `a cell of ${what}`);
}

function checkPane(pane, pool, sizes, what) {
  record(pane, what);
  text(pane.name, LIMITS.word, `the name of ${what}`);
  text(pane.title, LIMITS.word, `the title of ${what}`);
  text(pane.note, LIMITS.prose, `the note of ${what}`);
  whole(pane.rows, 1, LIMITS.side, `rows of ${what}`);
  whole(pane.cols, 1, LIMITS.side, `cols of ${what}`);
  const cells = pane.rows * pane.cols;
  need(cells <= LIMITS.paneCells, `${what} has more than ${LIMITS.paneCells} cells`);
  for (const [gaps, heads, count] of [
    ["row_gaps", "row_heads", pane.rows],
    ["col_gaps", "col_heads", pane.cols],
  ]) {
    list(pane[gaps], count, `${gaps} of ${what}`);
    for (const gap of pane[gaps]) whole(gap, 0, count, `an entry of ${gaps} of ${what}`);
    texts(pane[heads], count, LIMITS.word, `${heads} of ${what}`);
    need([0, count].includes(pane[heads].length), `${heads} of ${what} has not one entry for each`);
  }
  list(pane.frames, LIMITS.frames, `frames of ${what}`);
  for (const frame of pane.frames) checkFrame(frame, pane, `a frame of ${what}`);
  const fits = (index, which) => {
    whole(index, 0, pool.length - 1, `${which} of ${what}`);
    need(sizes[index] === null || sizes[index] === cells, `${which} of ${what} has not ${cells} values`);
  };
  fits(pane.kind, "kind");
  fits(pane.text, "text");
  record(pane.columns, `columns of ${what}`);
  const columns = Object.keys(pane.columns);
  need(columns.length <= LIMITS.columns, `${what} has more than ${LIMITS.columns} columns`);
  for (const column of columns) {
    text(column, LIMITS.word, `the name of a column of ${what}`);
    fits(pane.columns[column], "a column");
  }
  need(pane.colour === null || columns.includes(pane.colour), `colour of ${what} is no column of it`);
  const kinds = new Set(distinct(pool[pane.kind]));
  for (const kind of kinds) need(KINDS.includes(kind), `${what} has a cell of an unknown kind`);
  for (const one of distinct(pool[pane.text])) text(one, LIMITS.cellText, `the text of a cell of ${what}`);
  for (const templates of ["names", "sentences"]) {
    record(pane[templates], `${templates} of ${what}`);
    for (const kind of Object.keys(pane[templates]))
      text(pane[templates][kind], LIMITS.prose, `${templates} of ${what}`);
  }
  for (const kind of SELECTABLE) need(!kinds.has(kind) || own(pane.names, kind), `${what} has no name for a ${kind}`);
}

function distinct(column) {
  return Array.isArray(column) ? column : column.of;
}

function checkFrame(frame, pane, what) {
  record(frame, what);
  text(frame.label, LIMITS.word, `the label of ${what}`);
  whole(frame.row, 0, pane.rows - 1, `row of ${what}`);
  whole(frame.col, 0, pane.cols - 1, `col of ${what}`);
  whole(frame.rows, 1, pane.rows - frame.row, `rows of ${what}`);
  whole(frame.cols, 1, pane.cols - frame.col, `cols of ${what}`);
}
