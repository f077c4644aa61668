// Above a scene: segmented buttons, a slider, steps. Below it: what can be saved.

import { element, set } from "./dom.js";

const PLAY_MS = 1600; // a step stands this long while it plays

/**
 * A choice as buttons side by side: a group of radio buttons, of which one can be reached with Tab.
 * @param {{label: string, options: string[]}} control
 * @param {(option: string) => void} choose
 * @returns {{node: HTMLElement, show: (option: string) => void}}
 */
export function segmented({ label, options }, choose) {
  const buttons = options.map((option) =>
    element("button", "lanes-segment", { type: "button", role: "radio" }, [option]),
  );
  const bar = element("span", "lanes-bar", { role: "radiogroup", "aria-label": label }, buttons);
  buttons.forEach((button, at) => button.addEventListener("click", () => choose(options[at])));
  bar.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = buttons.indexOf(event.target);
    if (way === undefined || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (at + way + options.length) % options.length;
    choose(options[next]);
    buttons[next].focus();
  });
  const show = (chosen) =>
    options.forEach((option, at) => {
      set(buttons[at], { "aria-checked": String(option === chosen), tabindex: option === chosen ? 0 : -1 });
    });
  return { node: labelled(label, bar), show };
}

function labelled(label, ...nodes) {
  const name = element("span", "lanes-label", { "aria-hidden": "true" }, [label]);
  return element("span", "lanes-control", {}, [name, ...nodes]);
}

/**
 * A slider over some cells of a pane.
 * @param {string} label
 * @param {number} count of cells
 * @param {(index: number) => void} choose
 * @returns {{node: HTMLElement, show: (index: number, words: string, name: string) => void}} index -1 stays where it is
 */
export function slider(label, count, choose) {
  const input = element("input", "lanes-range", {
    type: "range",
    min: 0,
    max: count - 1,
    step: 1,
    "aria-label": label,
  });
  const shown = element("span", "lanes-value", { "aria-hidden": "true" });
  input.addEventListener("input", () => choose(Number(input.value)));
  input.addEventListener("keydown", (event) => event.stopPropagation());
  const show = (index, words, name) => {
    if (index >= 0) input.value = String(index);
    shown.textContent = words;
    set(input, { "aria-valuetext": name });
  };
  return { node: labelled(label, input, shown), show };
}

/**
 * Back, on, and play, through the steps of a scene. Step 0 shows everything.
 * @param {number} count
 * @param {(step: number) => void} choose
 * @returns {{node: HTMLElement, show: (step: number) => void, stop: () => void}}
 */
export function stepper(count, choose) {
  let step = 0;
  let timer = 0;
  const button = (words, act) => {
    const made = element("button", "lanes-button", { type: "button" }, [words]);
    made.addEventListener("click", act);
    return made;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "play";
  };
  const by = (way) => {
    stop();
    choose((step + way + count + 1) % (count + 1));
  };
  const back = button("back", () => step > 0 && by(-1));
  const on = button("next", () => by(1));
  const play = button("play", () => {
    if (timer) return stop();
    choose(step >= count ? 1 : step + 1);
    timer = setInterval(() => (step >= count ? stop() : choose(step + 1)), PLAY_MS);
    play.textContent = "pause";
  });
  play.classList.add("lanes-play");
  const where = element("span", "lanes-value lanes-step");
  const bar = element("span", "lanes-steps", { role: "group", "aria-label": "steps" }, [back, on, play, where]);
  const show = (now) => {
    step = now;
    where.textContent = now === 0 ? `all ${count} steps` : `step ${now} of ${count}`;
    set(back, { "aria-disabled": String(now === 0) });
  };
  return { node: bar, show, stop };
}

/**
 * The small buttons at the foot.
 * @param {{label: string, name: string, act: () => (Promise<string> | string)}[]} entries act returns what to say then
 * @returns {HTMLElement}
 */
export function foot(entries) {
  const said = element("span", "lanes-muted", { role: "status" });
  const buttons = entries.map(({ label, name, act }) => {
    const button = element("button", "lanes-quiet", { type: "button", "aria-label": name }, [label]);
    button.addEventListener("click", async () => {
      said.textContent = await act();
    });
    return button;
  });
  return element("div", "lanes-foot", {}, [...buttons, said]);
}
