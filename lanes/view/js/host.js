// Pages without Python: a small model, and the mounts of the page, each drawn when it comes near the screen.

import { readScene } from "./check.js";
import { element } from "./dom.js";
import { readHash } from "./save.js";
import { choiceFor } from "./scene.js";
import widget from "./widget.js";

const NEAR = "600px";

/**
 * The model of anywidget as far as the widget uses it, with nobody behind it.
 * @param {Record<string, any>} values
 * @returns {import("./widget.js").Model}
 */
export function createModel(values) {
  const state = new Map(Object.entries(values));
  /** @type {Map<string, Set<() => void>>} */
  const handlers = new Map();
  return {
    get: (name) => state.get(name),
    set: (name, value) => {
      if (state.get(name) === value) return;
      state.set(name, value);
      for (const handler of [...(handlers.get(`change:${name}`) ?? [])]) handler();
    },
    save_changes: () => {},
    on: (event, handler) => {
      if (!handlers.has(event)) handlers.set(event, new Set());
      handlers.get(event)?.add(handler);
    },
    off: (event, handler) => {
      handlers.get(event)?.delete(handler);
    },
  };
}

function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** @type {WeakMap<Element, () => void>} */
const mounted = new WeakMap();

/**
 * Draw the scene of a mount in place of its tables; if it is broken, the tables stay and a sentence says why.
 * @param {Element} mount
 * @param {{choice: string, step: number, selection: string} | null} [asked] what a link asks for
 * @returns {boolean} whether it is drawn
 */
export function mountScene(mount, asked = null) {
  if (mounted.has(mount)) return true;
  const read = readScene(parsed(mount.getAttribute("data-scene")));
  if (!read.ok) return broken(mount, read.reason);
  const { scene } = read;
  const given = parsed(mount.getAttribute("data-state")) ?? {};
  const known = (choice) => scene.variants.find((one) => one.choice.join(".") === choice)?.choice;
  const start = Array.isArray(given.variant) ? (known(given.variant.join(".")) ?? scene.start) : scene.start;
  const choice = (asked && known(asked.choice)) ?? choiceFor(scene, start, document.documentElement.dataset.arch);
  const model = createModel({
    scene,
    variant: choice,
    selection: asked?.selection ?? given.selection ?? "",
    step: asked?.step ?? given.step ?? 0,
    group: given.group || mount.getAttribute("data-group") || "",
  });
  const fallback = [...mount.childNodes];
  mount.replaceChildren();
  try {
    const leave = widget.render({ model, el: /** @type {HTMLElement} */ (mount), link: true });
    const arch = (event) => model.set("variant", choiceFor(scene, model.get("variant"), event.detail));
    document.addEventListener("lanes:arch", arch);
    mounted.set(mount, () => {
      document.removeEventListener("lanes:arch", arch);
      leave();
      mount.replaceChildren(...fallback);
      mounted.delete(mount);
    });
  } catch {
    mount.replaceChildren(...fallback);
    return broken(mount, "the browser refused it");
  }
  return true;
}

function broken(mount, reason) {
  mounted.set(mount, () => mounted.delete(mount));
  mount.prepend(element("p", "lanes-broken", {}, [`This figure could not be drawn (${reason}); its table follows.`]));
  return false;
}

/** Draw what the link asks for at once, everything else when it comes near. */
function start() {
  const mounts = [...document.querySelectorAll(".lanes-mount")];
  const open = () => {
    const hash = readHash(location.hash);
    const named = (mount) => parsed(mount.getAttribute("data-scene"))?.name === hash?.name;
    const target = hash && mounts.find(named);
    if (!target) return;
    mounted.get(target)?.();
    mountScene(target, hash);
    target.scrollIntoView({ block: "center" });
  };
  open();
  addEventListener("hashchange", open);
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target: mount } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(mount);
        mountScene(mount);
      }
    },
    { rootMargin: NEAR },
  );
  for (const mount of mounts) observer.observe(mount);
  addEventListener("beforeprint", () => mounts.forEach((mount) => mountScene(mount)));
}

if (!Object.hasOwn(globalThis, "lanesView")) {
  const unmount = (mount) => mounted.get(mount)?.();
  Object.defineProperty(globalThis, "lanesView", { value: Object.freeze({ mount: mountScene, unmount, version: 1 }) });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
}
