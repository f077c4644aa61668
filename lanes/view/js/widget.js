// The widget: a scene tied to a model, anywidget's in a notebook or the small one of a page without Python.

import { readScene } from "./check.js";
import { element } from "./dom.js";
import { createView } from "./view.js";

const NEWS = "lanes:selection"; // an event of the document: what a widget selected, for the others of its group

/**
 * @typedef {{get: (name: string) => any, set: (name: string, value: any) => void, save_changes: () => void,
 *   on: (event: string, handler: () => void) => void, off: (event: string, handler: () => void) => void}} Model
 */

/**
 * Draw a model inside an element, and keep both in step.
 * @param {{model: Model, el: HTMLElement, link?: boolean}} page link: whether the page's address can show it
 * @returns {() => void} takes everything away again
 */
function render({ model, el, link = false }) {
  const root = element("div", "lanes-view", { role: "group" });
  /** @type {ReturnType<typeof createView> | null} */
  let view = null;
  let touched = false; // by the reader: only then is the selection news to a widget that comes later

  const write = (name, value) => {
    if (JSON.stringify(model.get(name)) === JSON.stringify(value)) return;
    model.set(name, value);
    model.save_changes();
  };
  const writeAll = () => {
    if (!view) return;
    write("variant", view.choice());
    write("step", view.step());
    write("selection", view.selection());
  };
  const say = (name) => {
    touched = true;
    const group = model.get("group");
    if (group) document.dispatchEvent(new CustomEvent(NEWS, { detail: { group, name, from: model } }));
  };
  let hearing = false;
  const tell = {
    selected: (name) => {
      write("selection", name);
      if (!hearing) say(name);
    },
    chosen: (choice) => {
      if (view?.choose(choice)) writeAll();
    },
    stepped: (step) => {
      view?.setStep(step);
      writeAll();
    },
  };
  const follow = (name) => {
    hearing = true;
    view?.select(name);
    hearing = false;
  };
  const hear = (event) => {
    const { group, from, ask, name } = event.detail ?? {};
    if (!view || !group || group !== model.get("group") || from === model) return;
    if (ask) {
      if (touched) event.detail.name = view.selection();
    } else follow(name);
  };

  const build = () => {
    view?.dispose();
    view = null;
    const read = readScene(model.get("scene"));
    if (!read.ok) {
      root.replaceChildren(element("p", "lanes-said", {}, [`This figure could not be drawn: ${read.reason}.`]));
      return;
    }
    const { scene } = read;
    root.setAttribute("aria-label", scene.title);
    view = createView(scene, root, tell, link);
    if (!view.choose(model.get("variant"))) view.choose(scene.start);
    hearing = true;
    view.select(model.get("selection"));
    hearing = false;
    view.setStep(Number.isInteger(model.get("step")) ? model.get("step") : 0);
    const question = { group: model.get("group"), ask: true, name: null, from: model };
    if (question.group) document.dispatchEvent(new CustomEvent(NEWS, { detail: question }));
    if (question.name !== null) follow(question.name);
    writeAll();
  };
  const handlers = {
    "change:scene": build,
    "change:variant": () => {
      const choice = model.get("variant");
      if (!view || JSON.stringify(choice) === JSON.stringify(view.choice())) return;
      view.choose(choice);
      writeAll();
    },
    "change:selection": () => {
      if (!view || model.get("selection") === view.selection()) return;
      if (!view.select(model.get("selection"))) writeAll();
    },
    "change:step": () => {
      const step = model.get("step");
      if (!view || step === view.step()) return;
      if (Number.isInteger(step)) view.setStep(step);
      writeAll();
    },
  };

  el.append(root);
  build();
  for (const [event, handler] of Object.entries(handlers)) model.on(event, handler);
  document.addEventListener(NEWS, hear);
  return () => {
    for (const [event, handler] of Object.entries(handlers)) model.off(event, handler);
    document.removeEventListener(NEWS, hear);
    view?.dispose();
    view = null;
    root.remove();
  };
}

const widget = { render };
export default widget;
