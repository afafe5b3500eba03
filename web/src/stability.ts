// SPDX-License-Identifier: Apache-2.0
// What disturbs a run: the same work again and again, interruptions, speed and clocks over the run, batches in order.
import * as Plot from "@observablehq/plot";
import { groupBy } from "./data";
import { bytes, decimalTicks, digits, processes, si, timeTicks } from "./format";
import { figure, grid, series, type Series } from "./figure";
import { around, tip } from "./marks";
import { numberOf, records, sectionNumbers, type Record_ } from "./sections";
import type { PageData, Section } from "./contract";

const micro = 1e-6,
  nano = 1e-9;

function detours(box: Element, data: PageData): void {
  for (const run of data.runs) {
    const ends = run.noise?.detours?.class_ends_s ?? [],
      counts = run.noise?.detours?.counts ?? [];
    if (counts.length < 2 || counts.every((count) => count === 0)) continue;
    const classes = counts.map((count, i) => ({ count, name: i < ends.length ? `to ${si(ends[i], "s")}` : "longer" }));
    figure(box, {
      chart: "noise.interruptions",
      numbers: () => ({ columns: ["length of the interruption", "count"], rows: classes.map((one) => [one.name, one.count]) }),
      title: `Interruptions of ${run.name}`,
      caption: "How often the same work was interrupted, by the length of the interruption; square-root axis.",
      draw: (width) =>
        Plot.plot({
          width,
          height: 244,
          marginLeft: 46,
          marginBottom: 66,
          x: {
            type: "band",
            domain: classes.map((one) => one.name),
            label: "length of the interruption →",
            labelAnchor: "right",
            labelOffset: 62,
            tickRotate: -35,
          },
          y: { type: "sqrt", grid: true, ticks: 5, label: "↑ count" },
          marks: [
            Plot.barY(classes, { x: "name", y: "count", fill: "var(--c0)", inset: 2 }),
            Plot.ruleY([0]),
            Plot.text(classes, { x: "name", y: "count", text: (one) => String(one.count), dy: -7 }),
          ],
        }),
    });
  }
}

/** What a point is by its key, "imb-mpi1/Bcast;message_byte=64;processes=2": "2 processes, 64 B". */
function pointTold(key: string): string {
  const words = key
    .split(";")
    .slice(1)
    .map((word) => word.split("=") as [string, string]);
  const told = words.map(([name, value]) => {
    if (name === "processes") return processes(value);
    return name.endsWith("_byte") ? bytes(Number(value)) : `${name.replace(/_/g, " ")} ${value}`;
  });
  const count = words.findIndex(([name]) => name === "processes");
  return [...told.splice(count, count < 0 ? 0 : 1), ...told].join(", ");
}

function batches(box: Element, data: PageData): void {
  for (const one of data.batches) {
    figure(box, {
      chart: "noise.batches",
      numbers: () => ({
        columns: ["batch", "time", "over the median"],
        rows: one.batches.map((value, i) => [i + 1, si(value, "s", 5), digits(value / one.median, 4)]),
      }),
      title: `Batches over time, ${one.key.split(";")[0]}`,
      caption: `${pointTold(one.key)}${data.runs.length > 1 ? `, ${data.runs[one.run].name}` : ""}. One of the points whose batches spread most: time over the median, in the order of time.`,
      draw: (width) => {
        const dots = one.batches.map((value, i) => ({ i: i + 1, y: value / one.median, told: `batch ${i + 1}\n${si(value, "s")}` }));
        return Plot.plot({
          width,
          height: 220,
          marginLeft: 46,
          marginBottom: 36,
          x: { label: "batch →", ticks: 6 },
          y: { grid: true, label: "↑ over the median", ticks: 5, zero: false, tickFormat: (value: number) => digits(value, 6) },
          marks: [
            Plot.ruleY([1], { stroke: "currentColor", strokeOpacity: 0.6 }),
            Plot.lineY(dots, { x: "i", y: "y", stroke: "var(--c0)", strokeOpacity: 0.4 }),
            Plot.dot(dots, { x: "i", y: "y", fill: "var(--c0)", r: 2.5 }),
            Plot.tip(dots, Plot.pointer({ x: "i", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
          ],
        });
      },
    });
  }
}

/** The class in which the given share of all counts is reached. */
function reached(rows: Record_[], share: number): number {
  const all = rows.reduce((sum, row) => sum + numberOf(row.count), 0);
  let sum = 0;
  for (const row of rows) {
    sum += numberOf(row.count);
    if (sum >= share * all) return Math.sqrt(numberOf(row.from_us) * numberOf(row.to_us)) * micro;
  }
  return NaN;
}

/** Times of the same work in 80 classes; counts on a symmetric logarithm, so that one of 2000 is still seen. */
function fixedWork(box: Element, section: Section | undefined, several: boolean): void {
  for (const [key, rows] of groupBy(
    records(section),
    (row) => `${several ? `${row.run}, ` : ""}${row.when === "start" ? "before measuring" : "at the end"}`,
  )) {
    const lines = [
      ["median", reached(rows, 0.5)],
      ["99 %", reached(rows, 0.99)],
    ] as [string, number][];
    figure(box, {
      chart: "noise.work",
      title: `Times of the same work, ${key}`,
      caption:
        "How often each time was seen, over all processes; 80 classes of equal width on a logarithmic axis, counts on a symmetric logarithmic one.",
      numbers: () => sectionNumbers({ ...section!, rows: rows.map((row) => section!.columns.map((column) => row[column.key])) }),
      draw: (width) => {
        const bars = rows
          .map((row) => ({ x1: numberOf(row.from_us) * micro, x2: numberOf(row.to_us) * micro, count: numberOf(row.count) }))
          .filter((bar) => bar.count > 0);
        if (bars.length === 0) return undefined;
        const x: [number, number] = [numberOf(rows[0].from_us) * micro, numberOf(rows[rows.length - 1].to_us) * micro],
          most = Math.max(...bars.map((bar) => bar.count));
        return Plot.plot({
          width,
          height: 240,
          marginLeft: 50,
          marginBottom: 36,
          marginTop: 34,
          marginRight: 16,
          x: {
            type: "log",
            domain: x,
            ticks: decimalTicks(x[0], x[1], 5),
            tickFormat: (value: number) => si(value, "s"),
            label: "time of the same work →",
            labelAnchor: "right",
          },
          y: {
            type: "symlog",
            domain: [0, most * 1.2],
            grid: true,
            ticks: [0, 1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7].filter((tick) => tick <= most * 1.2),
            tickFormat: (value: number) => digits(value, 6),
            label: "↑ count",
          },
          marks: [
            Plot.rect(bars, {
              x1: "x1",
              x2: "x2",
              y1: 0,
              y2: "count",
              fill: "var(--c0)",
              insetRight: 0.5,
              title: (bar: { x1: number; x2: number; count: number }) => `${si(bar.x1, "s")} to ${si(bar.x2, "s", 4)}\n${bar.count} times`,
              tip: { fill: "var(--card)", stroke: "var(--line)" },
            }),
            Plot.ruleY([0]),
            Plot.ruleX(
              lines.map(([, at]) => at),
              { stroke: "var(--c4)", strokeWidth: 1.5, strokeDasharray: "4 3" },
            ),
            ...lines.map(([name, at], i) =>
              Plot.text([name], {
                x: at,
                frameAnchor: "top",
                text: () => name,
                dy: -12 + 11 * i,
                textAnchor: at > Math.sqrt(x[0] * x[1]) ? "end" : "start",
                dx: at > Math.sqrt(x[0] * x[1]) ? -3 : 3,
                fill: "var(--c4)",
                fontWeight: 600,
              }),
            ),
          ],
        });
      },
    });
  }
}

interface Track {
  key: string;
  name: string;
  unit: number;
}
const speeds: Track[] = [
  { key: "chain_us", name: "chain of dependent operations", unit: micro },
  { key: "wide_us", name: "independent operations", unit: micro },
  { key: "c2c_ns", name: "cache line between two cores", unit: nano },
];
const clocks: Track[] = [
  { key: "median_ns", name: "median error", unit: nano },
  { key: "largest_ns", name: "largest error", unit: nano },
];

function middle(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** Marks of tracks over the time of the run. */
function tracks(rows: Record_[], all: Track[], held: Series[], value: (row: Record_, track: Track, i: number) => number) {
  return all.flatMap((track, i) =>
    held[i].hidden
      ? []
      : rows
          .filter((row) => typeof row[track.key] === "number")
          .map((row) => ({
            x: numberOf(row.at_s),
            y: value(row, track, i),
            one: held[i],
            told: `${track.name}\n${row.benchmark}\nafter ${digits(numberOf(row.at_s))} s\n${si(numberOf(row[track.key]) * track.unit, "s")}`,
          })),
  );
}

function overTime(dots: { x: number; y: number; one: Series }[], width: number, y: object, rule?: number): Element | undefined {
  if (dots.length === 0) return undefined;
  const xs = dots.map((dot) => dot.x),
    low = Math.min(0, ...xs),
    high = Math.max(...xs),
    axis = timeTicks(low, high);
  return Plot.plot({
    width,
    height: 240,
    marginLeft: 58,
    marginBottom: 36,
    marginTop: 22,
    marginRight: 20,
    x: {
      domain: high > low ? [low, high] : [low - 1, low + 1],
      ticks: axis.ticks,
      tickFormat: axis.text,
      label: "measured after the start →",
    },
    y: { grid: true, ...y },
    marks: [
      rule === undefined ? null : Plot.ruleY([rule], { stroke: "currentColor", strokeOpacity: 0.6 }),
      ...[...new Set(dots.map((dot) => dot.one))].map((one) =>
        Plot.dot(
          dots.filter((dot) => dot.one === one),
          { x: "x", y: "y", fill: one.color, symbol: one.symbol, r: 2, fillOpacity: 0.7 },
        ),
      ),
      tip(dots, "x", "y"),
    ],
  });
}

/** The probes that are taken between measurements: a drift of the clock rate of the processors shows in all of them. */
function speedOverTime(box: Element, section: Section, name: string): void {
  const rows = records(section),
    used = speeds.filter((track) => rows.some((row) => typeof row[track.key] === "number"));
  if (used.length === 0) return;
  const medians = used.map((track) =>
    middle(rows.filter((row) => typeof row[track.key] === "number").map((row) => numberOf(row[track.key]))),
  );
  const held = used.map((track, i) => ({ ...series(track.name, i), dash: "none", hidden: track.key === "c2c_ns" && used.length > 1 }));
  figure(box, {
    chart: "noise.speed",
    title: `Speed over the run, ${name}`,
    series: held,
    explained: true,
    caption:
      "Time of small pieces of work between the measurements, over its median in this run: level where nothing drifts, steps where processors change speed. What was measured in turns with others stands at the middle of their common time.",
    numbers: () => sectionNumbers(section),
    draw: (width) => {
      const dots = tracks(rows, used, held, (row, track, i) => numberOf(row[track.key]) / medians[i]),
        ys = around(
          dots.map((dot) => dot.y),
          1.02,
        );
      return overTime(
        dots,
        width,
        {
          type: "log",
          domain: ys,
          ticks: decimalTicks(ys[0], ys[1], 5),
          tickFormat: (value: number) => digits(value),
          label: "↑ over the median",
        },
        1,
      );
    },
  });
}

function clockOverTime(box: Element, section: Section, name: string): void {
  const rows = records(section),
    held = clocks.map((track, i) => ({ ...series(track.name, i), dash: "none" }));
  figure(box, {
    chart: "noise.clocks",
    title: `Clocks of the processes, ${name}`,
    series: held,
    caption:
      "How far the clocks of the processes were from that of the first when they were checked around a measurement: the drift that was left after their rates were matched.",
    numbers: () => sectionNumbers(section),
    draw: (width) => {
      const dots = tracks(rows, clocks, held, (row, track) => numberOf(row[track.key]) * track.unit).filter((dot) => dot.y > 0);
      const ys = around(dots.map((dot) => dot.y));
      return overTime(dots, width, {
        type: "log",
        domain: ys,
        ticks: decimalTicks(ys[0], ys[1], 5),
        tickFormat: (value: number) => si(value, "s"),
        label: "↑ error",
      });
    },
  });
}

export function noise(place: Element, data: PageData): void {
  const box = grid(place);
  fixedWork(
    box,
    data.figures.find((one) => one.id === "fixed_work"),
    data.runs.length > 1,
  );
  detours(box, data);
  for (const section of data.figures) {
    const name = String(records(section)[0]?.run ?? "");
    if (section.id === "speed_over_time") speedOverTime(box, section, name);
    if (section.id === "clock_over_time") clockOverTime(box, section, name);
  }
  batches(box, data);
}
