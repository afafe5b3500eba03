// SPDX-License-Identifier: Apache-2.0
// A chart with title, caption and legend, drawn when it comes near the screen.

export interface Series { name: string; color: string; dash: string; symbol: Symbols; hidden: boolean }
export type Symbols = "circle" | "square" | "triangle" | "diamond" | "cross" | "star";

const symbols: Symbols[] = ["circle", "square", "triangle", "diamond", "cross", "star"];
const dashes = ["none", "6 3", "2 2", "8 3 2 3", "4 4", "1 3"];
export const shownAtFirst = 6;

/** Colour, dash and symbol of the i-th series: no meaning by colour alone. */
export function series(name: string, i: number): Series {
  return {
    name, color: `var(--c${i % 6})`, symbol: symbols[i % 6], dash: dashes[(i + Math.floor(i / 6)) % 6],
    hidden: i >= shownAtFirst,
  };
}

export interface Spec {
  title: string;
  caption: string;
  series?: Series[];
  /** A legend also for one series. */
  explained?: boolean;
  /** Draws for that width; nothing where there is nothing to draw. */
  draw(width: number): Element | undefined;
}

interface Drawn { spec: Spec; place: HTMLElement; width: number; seen: boolean }

const drawn = new Map<Element, Drawn>();
const near = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const one = drawn.get(entry.target)!;
    one.seen = entry.isIntersecting;
    if (one.seen) paint(one);
  }
}, { rootMargin: "600px" });
const sizes = new ResizeObserver((entries) => {
  for (const entry of entries) {
    const one = drawn.get(entry.target)!;
    if (one.seen && Math.abs(one.width - entry.contentRect.width) > 8) paint(one);
  }
});

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Record<string, string> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** One picture for screen readers; its numbers are in the tables. */
function describe(picture: Element, spec: Spec): void {
  for (const inner of picture.querySelectorAll("[aria-label],[aria-hidden]")) {
    inner.removeAttribute("aria-label");
    inner.removeAttribute("aria-hidden");
  }
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${spec.title}. ${spec.caption}`);
}

function paint(one: Drawn, force = false): void {
  const width = Math.floor(one.place.clientWidth);
  if (width < 40 || (!force && one.width === width)) return;
  one.width = width;
  const picture = one.spec.draw(width);
  if (picture) describe(picture, one.spec);
  one.place.replaceChildren(picture ?? element("p", { class: "note" }, "Nothing to draw with this choice."));
  one.place.style.minHeight = "0";
}

function swatch(one: Series): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("width", "22");
  svg.setAttribute("height", "10");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const set = { x1: "0", x2: "22", y1: "5", y2: "5", stroke: one.color, "stroke-width": "2.5", "stroke-dasharray": one.dash };
  for (const [key, value] of Object.entries(set)) line.setAttribute(key, value);
  svg.append(line);
  return svg;
}

function legend(spec: Spec, repaint: () => void): HTMLElement {
  const list = element("div", { class: "legend", role: "group", "aria-label": "Series: show or hide" });
  for (const one of spec.series ?? []) {
    const button = element("button", { type: "button", "aria-pressed": String(!one.hidden) }, swatch(one), one.name);
    button.addEventListener("click", () => {
      one.hidden = !one.hidden;
      button.setAttribute("aria-pressed", String(!one.hidden));
      repaint();
    });
    list.append(button);
  }
  return list;
}

/** A figure in `grid`; the answer paints it anew. */
export function figure(grid: Element, spec: Spec): () => void {
  const place = element("div", { class: "drawing" });
  const box = element("figure", {}, element("h3", {}, spec.title), element("figcaption", {}, spec.caption), place);
  const one: Drawn = { spec, place, width: 0, seen: false };
  const repaint = () => { if (one.width > 0) paint(one, true); };
  if ((spec.series?.length ?? 0) > (spec.explained ? 0 : 1)) box.append(legend(spec, repaint));
  grid.append(box);
  drawn.set(place, one);
  near.observe(place);
  sizes.observe(place);
  return repaint;
}

export function grid(place: Element, wide = false): HTMLElement {
  const made = element("div", { class: wide ? "grid wide" : "grid" });
  place.append(made);
  return made;
}

/** Buttons of which one is pressed. */
export function choice(place: Element, label: string, words: string[], chosen: (word: string) => void): void {
  const group = element("div", { class: "choice", role: "group", "aria-label": label }, label + ":");
  const buttons = words.map((word, i) => {
    const button = element("button", { type: "button", "aria-pressed": String(i === 0) }, word);
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      chosen(word);
    });
    return button;
  });
  group.append(...buttons);
  place.append(group);
}

/** Charts on a canvas know colours, not names of colours. */
export function paintAgain(): void {
  for (const one of drawn.values()) if (one.width > 0 && one.place.querySelector("canvas")) paint(one, true);
}

/** Before printing every chart is there. */
export function paintAll(): void {
  for (const one of drawn.values()) {
    one.seen = true;
    paint(one, true);
  }
}
