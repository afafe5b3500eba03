// SPDX-License-Identifier: Apache-2.0
// The page stands without this script; it adds charts, a theme button and the table of all points.
import { acceptance } from "./acceptance";
import { balance } from "./balance";
import { curves } from "./curves";
import { decode, pointsOf } from "./data";
import { element, paintAgain, paintAll } from "./figure";
import { trends } from "./history";
import { comparison } from "./more";
import { nodes } from "./nodes";
import { pairs } from "./pairs";
import { all } from "./points";
import { noise } from "./stability";
import { sortable } from "./sort";
import { choose, chosen, readState, scrollToPart } from "./state";
import { messages } from "./messages";
import { beff, io, overlap, scaling } from "./suites";
import { unitControl } from "./units";
import type { PageData, Point } from "./contract";

const root = document.documentElement;

function controls(): void {
  const theme = element("button", { type: "button" }, "Light or dark");
  if (["light", "dark"].includes(chosen("theme") ?? "")) root.dataset.theme = chosen("theme");
  theme.addEventListener("click", () => {
    const dark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = dark ? "light" : "dark";
    choose("theme", root.dataset.theme);
    paintAgain();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paintAgain);
  const print = element("button", { type: "button" }, "Print");
  print.addEventListener("click", () => window.print());
  document.querySelector("header")?.append(element("div", { class: "controls" }, unitControl(), theme, print));
}

/** Suites of the part whose charts are drawn: those of its tables. */
function partPoints(place: Element, points: Point[]): Point[] {
  const part = place.closest("section.part")?.id ?? "";
  return points.filter((point) => point.part === part);
}

function draw(place: HTMLElement, data: PageData, points: Point[]): void {
  const context = { runs: data.runs.map((run) => run.name) };
  switch (place.dataset.charts) {
    case "balance":
      return balance(place, data);
    case "curves":
      curves(place, partPoints(place, points), context);
      return place.closest("section.part")?.id === "messages" ? messages(place, data) : undefined;
    case "beff":
      return beff(place, points, context, data);
    case "io":
      return io(place, partPoints(place, points), context, data);
    case "scaling":
      return scaling(place, points, context);
    case "overlap":
      return overlap(place, data, points);
    case "noise":
      return noise(place, data);
    case "pairs":
      return pairs(place, data);
    case "nodes":
      return nodes(place, data);
    case "comparison":
      return comparison(place, data);
    case "acceptance":
      return acceptance(place, data);
    case "history":
      return trends(place, data);
    case "points":
      return all(place, points, data);
  }
}

/** A table that is wider than its box is scrolled by keyboard too. First every width is read, then all is written; a
 *  width inside of what is folded up would lay it out. */
function reachable(within: ParentNode): void {
  const boxes = [...within.querySelectorAll<HTMLElement>(".table")].filter(
    (box) => box.tabIndex !== 0 && !box.closest("details:not([open])"),
  );
  for (const box of boxes.filter((one) => one.scrollWidth > one.clientWidth)) {
    const title =
      box.closest("details")?.querySelector("summary")?.textContent ?? box.closest("section")?.querySelector("h2, h3")?.textContent;
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `Table: ${title ?? ""}`);
  }
}

/** What gets the focus, and a part that a link leads to, stand below the navigation, which has more lines on a narrow page. */
function keepClearOf(navigation: Element): void {
  new ResizeObserver(() => {
    const covers = getComputedStyle(navigation).position === "sticky";
    root.style.scrollPaddingTop = covers ? `${navigation.clientHeight}px` : "";
  }).observe(navigation);
}

/** Paper is light: charts on a canvas are painted in its colours before printing. */
function printInLight(): void {
  let theme: string | undefined;
  window.addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
    paintAll();
  });
  window.addEventListener("afterprint", () => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    paintAgain();
  });
}

async function start(): Promise<void> {
  let errors = 0;
  window.addEventListener("error", () => {
    root.dataset.errors = String(++errors);
  });
  readState();
  controls();
  const navigation = document.querySelector("nav");
  if (navigation) keepClearOf(navigation);
  document.addEventListener(
    "toggle",
    (event) => {
      reachable(event.target as Element);
      sortable(event.target as Element);
    },
    true,
  );
  const data = await decode(),
    points = pointsOf(data);
  for (const place of document.querySelectorAll<HTMLElement>(".charts"))
    try {
      draw(place, data, points);
    } catch (error) {
      root.dataset.errors = String(++errors);
      console.error(error);
      place.append(element("p", { class: "note" }, "A chart could not be drawn; its numbers are in the tables."));
    }
  printInLight();
  performance.mark("ready");
  root.dataset.ready = "1";
  scrollToPart();
  requestAnimationFrame(() => {
    reachable(document);
    sortable(document);
  });
}

/** Without its data the page says so where charts would stand. */
start().catch((error) => {
  root.dataset.errors = "1";
  console.error(error);
  for (const place of document.querySelectorAll(".charts"))
    place.append(element("p", { class: "note" }, "Charts could not be drawn; their numbers are in the tables."));
});
