// SPDX-License-Identifier: Apache-2.0
// Every point: scatter on a canvas, a table of which only the visible rows exist, a filter, CSV of what it lets through.
import * as Plot from "@observablehq/plot";
import { groupBy } from "./data";
import { isHollow } from "./doubts";
import { byteTicks, bytes, counted, digits, logTicks, si, unitOf } from "./format";
import { element, figure, grid } from "./figure";
import { badWords, bandwidthOf, boundOf, filterOf, splitWords } from "./filter";
import { marginFor } from "./marks";
import { compareTexts, headButton, mark, next, type Order } from "./sort";
import { choose, chosen } from "./state";
import type { PageData, Point } from "./contract";

const rowHeight = 24,
  printedRows = 200;
const titles = ["run", "benchmark", "case", "processes", "length", "value", "95 % from", "to", "99 %", "bandwidth", "status", "doubts"];

const isNumber = (column: number) => column >= 3 && column <= 9;

function cells(point: Point, runs: string[]): string[] {
  const unit = unitOf(point.metric);
  return [
    runs[point.run],
    `${point.suite}/${point.benchmark}`,
    point.variant,
    String(point.processes),
    point.length === null ? "" : bytes(point.length),
    si(point.median, unit),
    si(point.low, unit),
    si(point.high, unit),
    si(point.p99, unit),
    si(bandwidthOf(point), "B/s"),
    point.status,
    point.doubts,
  ];
}

function csv(points: Point[], runs: string[]): string {
  const quoted = (value: string | number | null) =>
    /[",\n]/.test(String(value ?? "")) ? `"${String(value).replace(/"/g, '""')}"` : String(value ?? "");
  const head = "run,suite,benchmark,case,processes,length_byte,metric,median,ci_low,ci_high,p99,n,bandwidth_byte_s,status,marks";
  return (
    [
      head,
      ...points.map((point) =>
        [
          runs[point.run],
          point.suite,
          point.benchmark,
          point.variant,
          point.processes,
          point.length,
          point.metric,
          point.median,
          point.low,
          point.high,
          point.p99,
          point.n,
          point.rate,
          point.status,
          point.marks,
        ]
          .map(quoted)
          .join(","),
      ),
    ].join("\n") + "\n"
  );
}

const shortest = 0.5; // where length 0 is drawn

/** What the figures of points can be: the name of their bound in the filter, and what an axis says. */
const kinds = [
  { bound: "time", label: "time per operation" },
  { bound: "bandwidth", label: "bandwidth" },
  { bound: "rate", label: "rate" },
];
type Kind = (typeof kinds)[0] & { unit: string; points: Point[] };

/** Points whose rows tell a figure over a length, all of one unit: times, where there are none bandwidths, else the most
 *  frequent rate; nothing where there is none of these. */
function drawable(points: Point[]): Kind | undefined {
  const told = points.filter((point) => point.length !== null && (point.median ?? 0) > 0);
  for (const kind of kinds) {
    const units = groupBy(
      told.filter((point) => boundOf(point) === kind.bound),
      (point) => unitOf(point.metric),
    );
    const [most] = [...units].sort(([, a], [, b]) => b.length - a.length);
    if (most) return { ...kind, unit: most[0], points: most[1] };
  }
  return undefined;
}

/** Words of the filter for a rectangle that was drawn. */
function wordsOf({ bound, unit }: Kind, x: number[], y: number[]): string {
  const whole = (value: number) => (value < 1 ? 0 : Math.round(value));
  const least = Math.min(...x) <= shortest * 1.2 ? 0 : whole(Math.min(...x));
  const [low, high] = [Math.min(...y), Math.max(...y)].map((value) => written(value, unit));
  return `length>=${least} length<=${whole(Math.max(...x))} ${bound}>=${low} ${bound}<=${high}`;
}

/** A figure as the filter reads it. */
function written(value: number, unit: string): string {
  if (unit !== "s" && value < 1) return digits(value); // there "m" stands for a million
  const text = si(value, unit).replace("µ", "u").replace(" ", "");
  return unit === "s" || unit === "B/s" ? text : text.replace(unit, "");
}

/** A rectangle drawn with the pointer, in lengths and figures. */
function brush(
  canvas: HTMLElement,
  over: HTMLElement,
  at: (px: number, py: number) => [number, number],
  taken: (x: number[], y: number[]) => void,
): void {
  let from: [number, number] | undefined;
  const frame = (event: PointerEvent) => {
    const [left, top] = [Math.min(from![0], event.offsetX), Math.min(from![1], event.offsetY)];
    over.style.cssText = `display:block;left:${left}px;top:${top}px;width:${Math.abs(event.offsetX - from![0])}px;height:${Math.abs(event.offsetY - from![1])}px`;
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" || event.button !== 0) return; // a finger scrolls
    from = [event.offsetX, event.offsetY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (from) frame(event);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [x1, y1] = at(...from),
      [x2, y2] = at(event.offsetX, event.offsetY);
    const drawn = Math.abs(event.offsetX - from[0]) > 4 && Math.abs(event.offsetY - from[1]) > 4;
    from = undefined;
    over.style.display = "none";
    if (drawn) taken([x1, x2], [y1, y2]);
  });
}

function scatter(box: Element, points: Point[], current: () => Point[], taken: (words: string) => void): () => void {
  return figure(box, {
    chart: "points",
    title: "Figures over length of every point",
    caption:
      "One square a point, large and hollow where its status is not ok: its time as the table has it; where the rows shown hold no times, their bandwidths or rates. Draw a rectangle to see only its points, here and in the table below; the filter says which.",
    draw: (width) => {
      const kind = drawable(current());
      if (!kind) return undefined;
      const shown = kind.points;
      let low = Infinity,
        high = 0,
        longest = 1;
      for (const point of shown) {
        low = Math.min(low, point.median!);
        high = Math.max(high, point.median!);
        longest = Math.max(longest, point.length!);
      }
      const height = 300,
        ticks = logTicks(low / 1.3, high * 1.3, kind.unit),
        text = (value: number) => si(value, kind.unit),
        left = marginFor(ticks.map(text), 62),
        bottom = 38,
        right = 26,
        x = [shortest, longest * 1.1],
        y = [low / 1.3, high * 1.3];
      const axes = Plot.plot({
        width,
        height,
        marginLeft: left,
        marginBottom: bottom,
        marginTop: 22,
        marginRight: right,
        x: {
          type: "log",
          base: 2,
          domain: x,
          ticks: [0.5, ...byteTicks(2, x[1], width - 80)],
          tickFormat: (value: number) => (value < 1 ? "0" : bytes(value)),
          label: "message length →",
        },
        y: {
          type: "log",
          domain: y,
          grid: true,
          ticks,
          tickFormat: text,
          label: `↑ ${kind.label}`,
        },
        marks: [Plot.frame({ stroke: "none" })],
      });
      const canvas = element("canvas", {
        width: String(width * 2),
        height: String(height * 2),
        style: `position:absolute;left:0;top:0;width:100%;max-width:${width}px;height:auto`, // as the axes on narrower paper
      });
      const paper = canvas.getContext("2d")!;
      paper.scale(2, 2);
      paper.globalAlpha = Math.min(1, Math.max(0.08, 4000 / shown.length));
      paper.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--c0");
      const sx = (width - left - right) / Math.log(x[1] / x[0]),
        sy = (height - 22 - bottom) / Math.log(y[1] / y[0]);
      const place = (point: Point): [number, number] => [
        left + Math.log(Math.max(shortest, point.length!) / x[0]) * sx,
        height - bottom - Math.log(point.median! / y[0]) * sy,
      ];
      for (const [px, py] of shown.filter((point) => !isHollow(point)).map(place)) paper.fillRect(px - 1, py - 1, 2, 2);
      paper.globalAlpha = 1;
      paper.strokeStyle = paper.fillStyle;
      for (const [px, py] of shown.filter(isHollow).map(place)) paper.strokeRect(px - 2.5, py - 2.5, 5, 5);
      const over = element("div", { class: "brushed" });
      const at = (px: number, py: number): [number, number] => [
        x[0] * Math.exp((px - left) / sx),
        y[0] * Math.exp((height - bottom - py) / sy),
      ];
      brush(canvas, over, at, (xs, ys) => taken(wordsOf(kind, xs, ys)));
      return element("div", { style: "position:relative" }, axes, canvas, over);
    },
  });
}

const wrong = (bad: string[]) =>
  `No bound of this filter: ${bad.map((word) => `"${word}"`).join(", ")}. Bounds are processes, length, time, bandwidth, rate and run (the number of a result on this page) with <, <=, =, >= or > and a number, as length>=1K, time<5us or bandwidth>1GB/s.`;

/** What a column sorts by, where its text does not tell. */
const numbers: ((point: Point) => number | null)[] = [];
[3, 4, 5, 6, 7, 8, 9].forEach((column, i) => {
  numbers[column] = [
    (point: Point) => point.processes,
    (point: Point) => point.length,
    (point: Point) => point.median,
    (point: Point) => point.low,
    (point: Point) => point.high,
    (point: Point) => point.p99,
    bandwidthOf,
  ][i];
});

function sorted(points: Point[], runs: string[], column: number, order: Order): Point[] {
  const sign = order === "descending" ? -1 : 1,
    value = numbers[column];
  if (!order) return points;
  if (value)
    return [...points].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return x === null || y === null ? Number(x === null) - Number(y === null) : sign * (x - y);
    });
  const text = new Map(points.map((point) => [point, cells(point, runs)[column]]));
  return [...points].sort((a, b) => sign * compareTexts(text.get(a)!, text.get(b)!));
}

export function all(place: Element, points: Point[], data: PageData): void {
  const runs = data.runs.map((run) => run.name);
  let shown = points;
  const by: { column: number; order: Order } = { column: 0, order: undefined };
  const said = element("span", { role: "status" });
  const words = element("input", {
    type: "search",
    placeholder: "pingpong processes=2 length>=1K",
    "aria-label": "Filter: words that a row must have, or bounds such as processes=2, length>=1K, time<5us",
  });
  const clear = element("button", { type: "button" }, "Show all");
  const download = element("button", { type: "button" }, "Save these rows as CSV");
  place.append(element("div", { class: "choice filter" }, element("label", {}, "Filter ", words), clear, download, said));
  const repaint = scatter(
    grid(place, true),
    points,
    () => shown,
    (bounds) => {
      words.value = [...splitWords(words.value).filter((word) => !/^(length|time|bandwidth|rate)[<>=]/.test(word)), bounds].join(" ");
      apply();
    },
  );
  const body = element("tbody"),
    head = element(
      "tr",
      {},
      ...titles.map((title, i) => element("th", { scope: "col", ...(isNumber(i) ? { class: "number" } : {}) }, title)),
    );
  const frame = element(
    "div",
    { class: "all-points", tabindex: "0", role: "region", "aria-label": "Table of all points" },
    element("table", {}, element("thead", {}, head), body),
  );
  place.append(frame);

  const row = (point: Point) =>
    element("tr", {}, ...cells(point, runs).map((text, i) => element("td", isNumber(i) ? { class: "number" } : explained(point, i), text)));
  /** The column of doubts tells what its words mean. */
  const explained = (point: Point, column: number): Record<string, string> => {
    const meanings = column === titles.length - 1 ? point.marks.split(" ").map((mark) => data.flags[mark]) : [];
    return meanings.some(Boolean) ? { title: meanings.filter(Boolean).join(";\n") } : {};
  };
  const spacer = (rows: number) =>
    element(
      "tr",
      { "aria-hidden": "true" },
      element("td", { colspan: String(titles.length), style: `height:${rows * rowHeight}px;padding:0;border:0` }),
    );
  const fill = () => {
    const first = Math.max(0, Math.floor(frame.scrollTop / rowHeight) - 8);
    const last = Math.min(shown.length, first + Math.ceil(frame.clientHeight / rowHeight) + 16);
    body.replaceChildren(spacer(first), ...shown.slice(first, last).map(row), spacer(shown.length - last));
  };
  const tell = () => {
    const sampled =
      data.kept_points < data.total_points ? ` (this file holds ${data.kept_points} of ${data.total_points} points, evenly thinned)` : "";
    const skipped = shown.filter((point) => point.status === "skipped").length,
      bad = badWords(words.value);
    said.textContent = `${shown.length} of ${counted(points.length, "point")}${skipped ? `, ${skipped} of them skipped` : ""}${sampled}${bad.length ? `. ${wrong(bad)}` : shown.length ? "" : `. ${nothing()}`}`;
    words.setAttribute("aria-invalid", String(bad.length > 0));
  };
  /** Which word alone matches nothing, or that only all together do. */
  const nothing = () => {
    const alone = splitWords(words.value).find((word) => !points.some((point) => filterOf(word)!(point, runs[point.run])));
    return alone ? `No point has ${/^".*"$/.test(alone) ? alone : `"${alone}"`}.` : "No point has all of these words.";
  };
  const select = () => {
    const passes = filterOf(words.value);
    shown = sorted(passes ? points.filter((point) => passes(point, runs[point.run])) : points, runs, by.column, by.order);
  };
  const apply = () => {
    select();
    choose("filter", words.value.trim());
    frame.scrollTop = 0;
    tell();
    fill();
    repaint();
  };
  for (const [column, cell] of [...head.cells].entries())
    headButton(cell, () => {
      by.order = next(cell.getAttribute("aria-sort"));
      by.column = column;
      mark(cell, by.order);
      apply();
    });
  document.addEventListener("units", fill);
  let waiting = 0;
  words.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(apply, 120);
  });
  clear.addEventListener("click", () => {
    words.value = "";
    apply();
  });
  download.addEventListener("click", () => {
    const link = element("a", { href: URL.createObjectURL(new Blob([csv(shown, runs)], { type: "text/csv" })), download: "points.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  frame.addEventListener("scroll", () => requestAnimationFrame(fill), { passive: true });
  window.addEventListener("beforeprint", () => {
    const note = element(
      "tr",
      {},
      element(
        "td",
        { colspan: String(titles.length) },
        `The first ${Math.min(printedRows, shown.length)} of ${counted(shown.length, "row")}.`,
      ),
    );
    body.replaceChildren(...shown.slice(0, printedRows).map(row), note);
  });
  window.addEventListener("afterprint", fill);
  // A warning names its points.
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLElement>("a[data-filter]");
    if (!link) return;
    words.value = link.dataset.filter!;
    apply();
  });
  words.value = chosen("filter") ?? "";
  select();
  tell();
  fill();
}
