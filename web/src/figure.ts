// SPDX-License-Identifier: Apache-2.0
// A chart with title, caption, legend and the table of its numbers, drawn when it comes near the screen.
import { bound } from "./format";
import { save } from "./save";
import { sortable } from "./sort";
import { choose, chosen } from "./state";

export interface Series {
  name: string;
  color: string;
  dash: string;
  symbol: Symbols;
  hidden: boolean;
  area?: boolean;
}
export type Symbols = "circle" | "square" | "triangle" | "diamond" | "cross" | "star";

const symbols: Symbols[] = ["circle", "square", "triangle", "diamond", "cross", "star"];
const dashes = ["none", "6 3", "2 2", "8 3 2 3", "4 4", "1 3"];
/** The symbols of the charts in a square of 9 pixels around the origin. */
const markPaths: Record<Symbols, string> = {
  circle: "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z",
  square: "M-3-3H3V3H-3Z",
  triangle: "M0-4L4 3H-4Z",
  diamond: "M0-4.5L3.2 0L0 4.5L-3.2 0Z",
  cross: "M-1.3-4H1.3V-1.3H4V1.3H1.3V4H-1.3V1.3H-4V-1.3H-1.3Z",
  star: "M0-4.6L1.1-1.5H4.4L1.8.5L2.7 3.7L0 1.8L-2.7 3.7L-1.8.5L-4.4-1.5H-1.1Z",
};
export const shownAtFirst = 6;

/** Colour, dash and symbol of the i-th series: no meaning by colour alone. */
export function series(name: string, i: number): Series {
  return {
    name,
    color: `var(--c${i % 6})`,
    symbol: symbols[i % 6],
    dash: dashes[(i + Math.floor(i / 6)) % 6],
    hidden: i >= shownAtFirst,
  };
}

export interface Spec {
  /** What kind of chart it is; plots for gnuplot stand for charts by this name (src/formats/gnuplot). */
  chart: string;
  title: string;
  caption: string;
  series?: Series[];
  /** A legend also for one series. */
  explained?: boolean;
  /** Draws for that width; nothing where there is nothing to draw. */
  draw(width: number): Element | undefined;
  /** What is drawn, in numbers. */
  numbers?(): Numbers;
}

export interface Numbers {
  columns: string[];
  rows: (string | number | null)[][];
}

interface Drawn {
  spec: Spec;
  place: HTMLElement;
  width: number;
  seen: boolean;
  table?: HTMLElement;
}

const mostNumbers = 1000;

const drawn = new Map<Element, Drawn>();
const near = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      const one = drawn.get(entry.target)!;
      one.seen = entry.isIntersecting;
      if (one.seen) paint(one);
    }
  },
  { rootMargin: "600px" },
);
const sizes = new ResizeObserver((entries) => {
  for (const entry of entries) {
    const one = drawn.get(entry.target)!;
    if (one.seen && entry.contentRect.width > 0 && Math.abs(one.width - entry.contentRect.width) > 8) paint(one);
  }
});

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (typeof child === "string" ? bound(child) : child)));
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

/** Each drawing brings the same rules. A browser looks at all tables of the page again for every style that comes or
 *  goes: the style of the page has these rules once. */
function leaveStyleToPage(picture: Element): void {
  for (const style of picture.querySelectorAll("style")) style.remove();
}

function paint(one: Drawn, force = false): void {
  const box = one.place.parentElement!;
  const hidden = box.hidden;
  box.hidden = false;
  const width = Math.floor(one.place.clientWidth);
  if (width < 40 || (!force && one.width === width)) {
    box.hidden = hidden;
    return;
  }
  one.width = width;
  const picture = one.spec.draw(width);
  if (picture) {
    describe(picture, one.spec);
    leaveStyleToPage(picture);
  }
  one.place.replaceChildren(picture ?? element("p", { class: "note" }, "Nothing to draw with this choice."));
  one.place.style.minHeight = "0";
  box.hidden = !picture && !one.spec.series?.some((some) => some.hidden);
  tellLeftOut(box.parentElement!);
  if (one.table && !one.table.hidden) fillTable(one);
}

/** Titles of what has no chart over length, by the grid in which it would stand. */
const lengthless = new WeakMap<Element, string[]>();

/** The line below the charts of a grid names these, too, as having no length. */
export function tellLengthless(grid: Element, titles: string[]): void {
  lengthless.set(grid, titles);
  tellLeftOut(grid);
}

/** One line names the charts that have nothing to draw with this choice, and what has no chart over length. */
function tellLeftOut(grid: Element): void {
  const titles = [...grid.children]
    .filter((one) => one instanceof HTMLElement && one.tagName === "FIGURE" && one.hidden)
    .map((one) => one.querySelector("h3")?.textContent);
  const never = lengthless.get(grid) ?? [];
  let line = grid.querySelector(":scope > .left-out");
  if (titles.length + never.length === 0) return line?.remove();
  if (!line) line = element("p", { class: "note left-out" });
  line.textContent = [
    titles.length ? `Nothing to draw with this choice: ${titles.join(", ")}.` : "",
    never.length ? `No chart over length, as no point has one: ${never.join(", ")}.` : "",
  ]
    .filter(Boolean)
    .join(" ");
  grid.append(line);
}

function fillTable(one: Drawn): void {
  const { columns, rows } = one.spec.numbers!();
  const isNumber = columns.map((_, i) =>
    rows.every((row) => row[i] === null || typeof row[i] === "number" || /^(-|[-\d.].*)?$/.test(String(row[i]))),
  );
  const mark = (i: number): Record<string, string> => (isNumber[i] ? { class: "number" } : {});
  const head = element("tr", {}, ...columns.map((column, i) => element("th", { scope: "col", ...mark(i) }, column)));
  const body = rows
    .slice(0, mostNumbers)
    .map((row) => element("tr", {}, ...row.map((value, i) => element("td", mark(i), String(value ?? "-")))));
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
  one.table!.replaceChildren(table);
  sortable(one.table!);
  if (rows.length > mostNumbers) one.table!.append(element("p", { class: "note" }, `The first ${mostNumbers} of ${rows.length} rows.`));
}

function tableButton(one: Drawn, key: string): HTMLElement {
  const box = element("div", { class: "table chart-table", tabindex: "0", role: "group", "aria-label": `Numbers: ${one.spec.title}` });
  const button = element("button", { type: "button", "aria-expanded": "false" }, "Table");
  one.table = box;
  const show = (open: boolean) => {
    box.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) fillTable(one);
  };
  show(chosen(key) === "1");
  button.addEventListener("click", () => {
    show(box.hidden === true);
    choose(key, box.hidden ? undefined : "1");
  });
  return button;
}

function swatch(one: Series): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("width", "22");
  svg.setAttribute("height", "10");
  svg.setAttribute("aria-hidden", "true");
  if (one.area) {
    const field = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [key, value] of Object.entries({ x: "4", y: "0", width: "14", height: "10", fill: one.color }))
      field.setAttribute(key, value);
    svg.append(field);
    return svg;
  }
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const set = { x1: "0", x2: "22", y1: "5", y2: "5", stroke: one.color, "stroke-width": "2.5", "stroke-dasharray": one.dash };
  for (const [key, value] of Object.entries(set)) line.setAttribute(key, value);
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
  mark.setAttribute("d", markPaths[one.symbol]);
  mark.setAttribute("fill", one.color);
  mark.setAttribute("transform", "translate(11 5)");
  svg.append(line, mark);
  return svg;
}

/** The numbers of the series that are not as they were at first. */
function keepSeries(key: string, all: Series[], first: boolean[]): void {
  choose(key, all.flatMap((one, i) => (one.hidden === first[i] ? [] : [String(i)])).join("."));
}

function recallSeries(key: string, all: Series[]): void {
  for (const i of (chosen(key) ?? "").split(".").filter(Boolean).map(Number)) if (all[i]) all[i].hidden = !all[i].hidden;
}

function legend(spec: Spec, key: string, repaint: () => void): HTMLElement {
  const list = element("div", { class: "legend", role: "group", "aria-label": "Series: show or hide" });
  const all = spec.series ?? [],
    first = all.map((one) => one.hidden);
  recallSeries(key, all);
  for (const one of all) {
    const button = element("button", { type: "button", "aria-pressed": String(!one.hidden) }, swatch(one), one.name);
    button.addEventListener("click", () => {
      one.hidden = !one.hidden;
      button.setAttribute("aria-pressed", String(!one.hidden));
      keepSeries(key, all, first);
      repaint();
    });
    list.append(button);
  }
  return list;
}

/** Part of the page and number of the chart in it. */
function keyOf(grid: Element): string {
  const part = grid.closest("section.part");
  return `${part?.id ?? ""}.${part?.querySelectorAll("figure").length ?? 0}`;
}

/** A text in which no line ends behind a hyphen of a short name. Behind a slash it may end in "imb-mpi1/Reduce_scatter",
 * which is long, and not in "Gflop/s". */
function unbroken(text: string): Node[] {
  const pieces = text.match(/[^\s/]+\/?|\s+|\//g) ?? [];
  return pieces.flatMap((piece): Node[] => [
    /\w-\w/.test(piece) && piece.length <= 24 ? element("span", { class: "whole" }, piece) : document.createTextNode(piece),
    ...(piece.endsWith("/") && piece.length > "Gflop/".length ? [element("wbr", {})] : []),
  ]);
}

/** A figure in `grid`; the answer paints it anew. */
export function figure(grid: Element, spec: Spec): () => void {
  const place = element("div", { class: "drawing" });
  const head = element("div", { class: "figure-head" }, element("h3", {}, ...unbroken(bound(spec.title))));
  const box = element("figure", { "data-chart": spec.chart }, head, element("figcaption", {}, ...unbroken(bound(spec.caption))), place);
  const one: Drawn = { spec, place, width: 0, seen: false };
  const repaint = () => {
    if (one.width > 0) paint(one, true);
  };
  const key = keyOf(grid);
  if ((spec.series?.length ?? 0) > (spec.explained ? 0 : 1)) box.append(legend(spec, `series.${key}`, repaint));
  const buttons = element("span", { class: "figure-buttons" });
  if (spec.numbers) {
    buttons.append(tableButton(one, `table.${key}`));
    box.append(one.table!);
  }
  for (const form of ["svg", "png"] as const) {
    const button = element("button", { type: "button", "aria-label": `${form.toUpperCase()}: ${spec.title}` }, form.toUpperCase());
    button.addEventListener("click", () => save(box, form));
    buttons.append(button);
  }
  head.append(buttons);
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

/** Buttons of which one is pressed; answers the one that is at first: the address may name another than the first,
 *  under `kind` and the part of the page. */
export function choice(place: Element, label: string, words: string[], taken: (word: string) => void, kind = "show"): string {
  const group = element("div", { class: "choice", role: "group", "aria-label": label }, label + ":");
  const key = `${kind}.${place.closest("section.part")?.id ?? ""}`;
  const first = words.includes(chosen(key) ?? "") ? chosen(key)! : words[0];
  const buttons = words.map((word) => {
    const button = element("button", { type: "button", "aria-pressed": String(word === first) }, word);
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      choose(key, word === words[0] ? undefined : word);
      taken(word);
    });
    return button;
  });
  group.append(...buttons);
  place.append(group);
  return first;
}

/** Charts on a canvas know colours, not names of colours. */
export function paintAgain(): void {
  for (const one of drawn.values()) if (one.width > 0 && one.place.querySelector("canvas")) paint(one, true);
}

/** What is drawn, anew: its units changed. */
export function repaintAll(): void {
  for (const one of drawn.values()) if (one.width > 0) paint(one, true);
}

/** Before printing every chart is there. */
export function paintAll(): void {
  for (const one of drawn.values()) {
    one.seen = true;
    paint(one, true);
  }
}
