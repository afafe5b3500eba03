// SPDX-License-Identifier: Apache-2.0
// Figures of what machines can do: roofline, and messages by pattern beside the published systems.
import * as Plot from "@observablehq/plot";
import { numberOf, records, sectionNumbers, type Record_ } from "./sections";
import { groupBy } from "./data";
import { decimalTicks, digits, si } from "./format";
import { element, figure, series, type Series } from "./figure";
import type { Section } from "./contract";

const giga = 1e9;

/** Kernels at the intensity of their model, under the roofs of one node. */
export function roofline(box: Element, section: Section | undefined): void {
  for (const [system, rows] of groupBy(records(section), (row) => String(row.system))) {
    const of = (kind: string) => rows.filter((row) => row.kind === kind && numberOf(kind === "slope" ? row.slope_gbyte_s : row.rate_gflop_s) > 0);
    const roofs = of("roof"), slopes = of("slope"), points = of("point");
    if (roofs.length === 0 || slopes.length === 0 || points.length === 0) continue;
    figure(box, {
      title: `Roofline of a node, ${system}`,
      caption: "Slanted: what memory and network bandwidth allow at an intensity; level: what the processors compute. Each kernel at the intensity of its model.",
      numbers: () => sectionNumbers({ ...section!, rows: section!.rows.filter((row) => row[0] === system) }),
      draw: (width) => rooflineChart(roofs, slopes, points, width),
    });
  }
}

function rooflineChart(roofs: Record_[], slopes: Record_[], points: Record_[], width: number): Element {
  const top = Math.max(...roofs.map((row) => numberOf(row.rate_gflop_s)));
  const ridges = slopes.map((row) => top / numberOf(row.slope_gbyte_s)), at = points.map((row) => numberOf(row.intensity_flop_byte));
  const x = [Math.min(1 / 16, ...at) / 1.6, Math.max(64, ...at, ...ridges) * 1.6];
  const lowest = Math.min(...points.map((row) => numberOf(row.rate_gflop_s)), x[0] * Math.min(...slopes.map((row) => numberOf(row.slope_gbyte_s))));
  const y = [lowest / 1.5, top * 2.2];
  const slanted = slopes.map((row) => {
    const slope = numberOf(row.slope_gbyte_s), end = Math.min(x[1], top / slope);
    return { name: `${row.name}, ${si(slope * giga, "B/s")}`, x1: x[0], y1: x[0] * slope, x2: end, y2: end * slope, network: row.name !== "STREAM triad" };
  });
  const level = roofs.map((row) => ({ name: `${row.name}, ${si(numberOf(row.rate_gflop_s) * giga, "flop/s")}`, y: numberOf(row.rate_gflop_s),
    x: Math.min(...slopes.map((slope) => numberOf(row.rate_gflop_s) / numberOf(slope.slope_gbyte_s))) }));
  const near = level.length > 1 && Math.max(...level.map((one) => one.y)) / Math.min(...level.map((one) => one.y)) < 2.2;
  const upper = Math.max(...level.map((one) => one.y));
  const height = Math.max(250, width * .62);
  const tilt = -Math.atan2((height - 58) / Math.log(y[1] / y[0]), (width - 86) / Math.log(x[1] / x[0])) * 180 / Math.PI;
  const told = (row: Record_) => `${row.name}\n${digits(numberOf(row.intensity_flop_byte))} flop/byte\n${si(numberOf(row.rate_gflop_s) * giga, "flop/s")}`;
  return Plot.plot({
    width, height, marginLeft: 72, marginBottom: 36, marginTop: 22, marginRight: 14,
    x: { type: "log", domain: x, ticks: decimalTicks(x[0], x[1], 6), tickFormat: (value: number) => digits(value), label: "intensity, flop per byte →" },
    y: { type: "log", domain: y, grid: true, ticks: decimalTicks(y[0], y[1], 6), tickFormat: (value: number) => si(value * giga, "flop/s"), label: "↑ speed of a node" },
    marks: [
      Plot.link(slanted, { x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: (one: { network: boolean }) => one.network ? "var(--c1)" : "var(--c0)", strokeWidth: 2, strokeDasharray: "none", clip: true }),
      Plot.ruleY(level, { y: "y", x1: "x", x2: x[1], stroke: "currentColor", strokeWidth: 1.6 }),
      ...slanted.map((one) => Plot.text([one], { x: Math.sqrt(one.x1 * one.x2), y: Math.sqrt(one.y1 * one.y2), text: "name", rotate: tilt, dy: one.network ? 11 : -9, fontSize: 10, stroke: "var(--card)", strokeWidth: 3, fill: one.network ? "var(--c1)" : "var(--c0)" })),
      ...level.map((one) => Plot.text([one], { x: x[1], y: "y", text: "name", textAnchor: "end", dy: near && one.y < upper ? 9 : -7, fontSize: 10, fill: "currentColor", stroke: "var(--card)", strokeWidth: 3 })),
      Plot.dot(points, { x: "intensity_flop_byte", y: "rate_gflop_s", fill: "var(--c4)", r: 5, symbol: "diamond" }),
      Plot.text(points, { x: "intensity_flop_byte", y: "rate_gflop_s", text: "name", dy: 13, fontSize: 11, fontWeight: 600, fill: "var(--c4)", stroke: "var(--card)", strokeWidth: 3 }),
      Plot.tip(points, Plot.pointer({ x: "intensity_flop_byte", y: "rate_gflop_s", title: told, fill: "var(--card)", stroke: "var(--line)" })),
    ],
  });
}

const short = (name: string) => name.length > 24 ? `${name.slice(0, 23)}…` : name;

interface Band { title: string; unit: string; keys: [string, string][]; log: boolean; factor: number }
const bands: Band[] = [
  { title: "latency", unit: "s", keys: [["pingpong_latency_us", "ping-pong"], ["random_ring_latency_us", "random ring"]], log: true, factor: 1e-6 },
  { title: "bandwidth per process", unit: "B/s", keys: [["pingpong_gbyte_s", "ping-pong"], ["natural_ring_gbyte_s", "natural ring"], ["random_ring_gbyte_s", "random ring"]], log: true, factor: giga },
  { title: "ring over ping-pong", unit: "", keys: [["natural_over_pingpong_bandwidth", "natural ring"], ["random_over_pingpong_bandwidth", "random ring"]], log: false, factor: 1 },
];

/** How much of ping-pong survives when all communicate: every system a line, three scales side by side. */
export function patterns(box: Element, section: Section | undefined, own: string[]): void {
  const rows = records(section).filter((row) => numberOf(row.random_ring_gbyte_s) > 0).sort((a, b) => numberOf(b.random_ring_gbyte_s) - numberOf(a.random_ring_gbyte_s))
    .map((row) => ({ ...row, line: `${short(String(row.curve))}, ${row.processes}${numberOf(row.threads) > 1 ? ` x ${row.threads}` : ""}` } as Record_));
  if (rows.length < 2 || !rows.some((row) => own.includes(String(row.curve)))) return;
  const mine = new Set(rows.filter((row) => own.includes(String(row.curve))).map((row) => String(row.line)));
  const held = ["ping-pong", "natural ring", "random ring"].map((name, i) => series(name, i));
  figure(box, {
    title: "Messages by pattern", caption: "Every line a system with its processes, the fastest random ring first; on blue: this report's machines. Ping-pong alone cannot rank interconnects.",
    series: held, numbers: () => sectionNumbers(section),
    draw: (width) => {
      const narrow = width < 760, first = 190;
      const each = Math.floor((width - first) / 3);
      const plots = bands.map((band, i) => bandChart(band, rows, held, mine, narrow ? width : each + (i === 0 ? first : 0), narrow || i === 0 ? first : 14));
      return element("div", { class: narrow ? "" : "bands" }, ...plots.filter((plot) => plot !== undefined));
    },
  });
}

function bandChart(band: Band, rows: Record_[], held: Series[], mine: Set<string>, width: number, left: number): Element | undefined {
  const dots = band.keys.flatMap(([key, name]) => {
    const one = held.find((some) => some.name === name)!;
    return one.hidden ? [] : rows.filter((row) => numberOf(row[key]) > 0).map((row) => ({ line: row.line, x: numberOf(row[key]) * band.factor, one, told: `${row.line}\n${name}: ${si(numberOf(row[key]) * band.factor, band.unit)}` }));
  });
  if (dots.length === 0) return undefined;
  const values = dots.map((dot) => dot.x), x = band.log ? [Math.min(...values) / 1.5, Math.max(...values) * 1.5] : [0, Math.max(1, ...values)];
  const names = rows.map((row) => String(row.line));
  return Plot.plot({
    width, height: 52 + 17 * names.length, marginLeft: left, marginRight: 26, marginBottom: 34, marginTop: 8,
    x: { type: band.log ? "log" : "linear", domain: x, grid: true, ticks: band.log ? decimalTicks(x[0], x[1], 4) : 4, tickFormat: (value: number) => si(value, band.unit), label: `${band.title} →` },
    y: { type: "point", domain: names, axis: null },
    marks: [
      Plot.ruleY(names, { stroke: "var(--line)", strokeWidth: .6 }),
      left > 20 ? Plot.axisY({ tickSize: 0, label: null, fontSize: 10 }) : null,
      Plot.ruleY(names.filter((name) => mine.has(name)), { stroke: "var(--c0)", strokeOpacity: .25, strokeWidth: 13 }),
      ...held.map((one) => Plot.dot(dots.filter((dot) => dot.one === one), { x: "x", y: "line", fill: one.color, symbol: one.symbol, r: 3.2 })),
      Plot.tip(dots, Plot.pointer({ x: "x", y: "line", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
    ],
  });
}
