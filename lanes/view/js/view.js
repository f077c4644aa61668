// A scene on the page: its parts, and what is chosen, selected, hovered and stepped to.

import { foot, segmented, slider, stepper } from "./controls.js";
import { element } from "./dom.js";
import { flow, measure } from "./measure.js";
import { createPane } from "./pane_view.js";
import { picture } from "./picture.js";
import { relate } from "./relate.js";
import { offers } from "./offers.js";
import { find, nameOf, openVariant, sentenceOf, startOf, valueOf } from "./scene.js";
import { nodes, words } from "./sentence.js";
import { readColours, watchTheme } from "./theme.js";

const ANNOUNCE_MS = 150;
const NOTHING = { panes: [], links: [], steps: [], slider: null, choice: [], start: "" };

/**
 * Build a scene inside an element.
 * @param {any} scene as `readScene` found it good
 * @param {HTMLElement} root
 * @param {{selected: (name: string) => void, chosen: (choice: string[]) => void, stepped: (step: number) => void}} tell
 * @param {boolean} link whether the page's address can show this scene
 */
export function createView(scene, root, tell, link) {
  /** @type {import("./scene.js").Variant} */
  let variant = NOTHING;
  /** @type {ReturnType<typeof createPane>[]} */
  let panes = [];
  /** @type {import("./scene.js").Place | null} */
  let selected = null;
  /** @type {import("./scene.js").Place | null} */
  let hovered = null;
  let step = 0;
  let width = 0;
  let timer = 0;
  /** @type {Map<string, string> | null} */
  let colours = null;
  const palette = () => (colours ??= readColours(root));
  const segments = scene.controls.map((control, at) =>
    segmented(control, (option) => tell.chosen(variant.choice.map((other, index) => (index === at ? option : other)))),
  );
  const moving = element("span", "lanes-moving");
  const top = element("div", "lanes-controls", {}, [...segments.map(({ node }) => node), moving]);
  const area = element("div", "lanes-panes");
  const stepLine = element("p", "lanes-stepline");
  const said = element("p", "lanes-said");
  const eye = element("div", "lanes-sentence", { "aria-hidden": "true" }, [stepLine, said]);
  const ear = element("div", "lanes-live", { "aria-live": "polite", "aria-atomic": "true" });
  const caption = element("p", "lanes-caption", {}, [
    element("b", "", {}, [/[.?!]$/.test(scene.title) ? scene.title : `${scene.title}.`]),
    ` ${scene.caption}`,
  ]);
  let range = /** @type {ReturnType<typeof slider> | null} */ (null);
  let steps = /** @type {ReturnType<typeof stepper> | null} */ (null);

  const sentence = (place) => (place ? sentenceOf(variant.panes[place.pane], place.cell) : []);
  const currentName = () => (selected ? nameOf(variant.panes[selected.pane], selected.cell) : "");
  const stepWords = () => (step > 0 ? variant.steps[step - 1] : "");
  const spoken = () =>
    [
      stepWords(),
      sentence(selected)
        .map(({ text }) => text)
        .join(""),
    ]
      .filter(Boolean)
      .join(" ");

  /** Light what belongs to the hovered cell, else to the selected one. */
  const draw = () => {
    const place = hovered ?? selected;
    const lit = place ? relate(variant, place.pane, place.cell) : [];
    panes.forEach((pane, at) => pane.light(lit[at] ?? new Map()));
    said.replaceChildren(...nodes(sentence(place)));
  };
  const settle = () => {
    draw();
    panes.forEach((pane, at) => pane.setCursor(selected?.pane === at ? selected.cell : null));
    if (!range || !variant.slider || !selected) return;
    const { on, pane, cells } = variant.slider;
    const value = valueOf(variant.panes[selected.pane], on, selected.cell);
    const index = cells.findIndex((cell) => value !== null && valueOf(variant.panes[pane], on, cell) === value);
    range.show(index, words(value), currentName());
  };
  const announce = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (ear.textContent = spoken()), ANNOUNCE_MS);
  };
  const goTo = (place) => {
    hovered = null;
    if (selected && place.pane === selected.pane && place.cell === selected.cell) return draw();
    selected = place;
    settle();
    announce();
    tell.selected(currentName());
  };
  const layOut = (next) => {
    width = next;
    root.classList.toggle("lanes-narrow", width < 520);
    const measures = variant.panes.map((pane) => measure(pane, width));
    const widths = flow(measures, width, width < 520 ? 16 : 28, globalThis.devicePixelRatio || 1);
    panes.forEach((pane, at) => pane.layOut(measures[at], widths[at], width));
  };
  const available = () => area.clientWidth || width || 720;

  const build = () => {
    steps?.stop();
    hovered = null;
    panes = variant.panes.map((pane, at) =>
      createPane(
        pane,
        {
          hover: (cell) => {
            if (cell === (hovered?.pane === at ? hovered.cell : null)) return;
            hovered = cell === null ? null : { pane: at, cell };
            draw();
          },
          select: (cell) => goTo({ pane: at, cell }),
        },
        palette,
      ),
    );
    area.replaceChildren(...panes.map(({ node }) => node));
    const sliding = variant.slider;
    range =
      sliding &&
      slider(sliding.label, sliding.cells.length, (index) => goTo({ pane: sliding.pane, cell: sliding.cells[index] }));
    steps = variant.steps.length ? stepper(variant.steps.length, tell.stepped) : null;
    moving.replaceChildren(...[steps, range].flatMap((one) => (one ? [one.node] : [])));
    scene.controls.forEach((_, at) => segments[at].show(variant.choice[at]));
    top.hidden = top.childElementCount === 1 && !moving.childElementCount;
  };
  const setStep = (next) => {
    step = Math.min(Math.max(next, 0), variant.steps.length);
    stepLine.textContent = stepWords();
    steps?.show(step);
    for (const pane of panes) pane.setStep(step);
    announce();
  };

  const drawn = () => {
    const from = area.getBoundingClientRect();
    const parts = panes.map(({ pane, node, geometry, lit }) => {
      const at = node.getBoundingClientRect();
      return { pane, geometry: geometry(), lit: lit(), x: at.left - from.left, y: at.top - from.top };
    });
    return picture({ title: scene.title, sentence: spoken(), step, colours: readColours(root), parts });
  };
  const now = () => ({ variant, step, selection: currentName() });

  root.append(top, area, eye, ear, caption, foot(offers(scene, now, drawn, link)));
  const resized = () => {
    if (area.clientWidth && area.clientWidth !== width) layOut(area.clientWidth);
  };
  let frame = 0; // in the next frame: a size that changes while sizes are being told is an error to the browser
  const sized = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(resized);
  });
  const paper = () => {
    layOut(Math.min(available(), 660));
    for (const pane of panes) pane.paper(true);
  };
  const screen = () => {
    for (const pane of panes) pane.paper(false);
    layOut(available());
  };
  sized.observe(area);
  addEventListener("beforeprint", paper);
  addEventListener("afterprint", screen);
  const unwatch = watchTheme(() => {
    colours = null;
    for (const pane of panes) pane.repaint();
  });

  return {
    /** Show a choice; false if the scene has none such. A selection that is not there gives way to the start. */
    choose(choice) {
      const next = openVariant(scene, choice);
      if (!next) return false;
      const name = currentName();
      variant = next;
      selected = find(variant, name) ?? startOf(variant);
      build();
      layOut(available());
      setStep(step);
      settle();
      return true;
    },
    /** Select a cell by name; false if there is none such. */
    select(name) {
      const place = find(variant, name);
      if (place) goTo(place);
      return Boolean(place);
    },
    setStep,
    selection: currentName,
    choice: () => variant.choice,
    step: () => step,
    dispose() {
      steps?.stop();
      clearTimeout(timer);
      sized.disconnect();
      cancelAnimationFrame(frame);
      removeEventListener("beforeprint", paper);
      removeEventListener("afterprint", screen);
      unwatch();
      root.replaceChildren();
    },
  };
}
