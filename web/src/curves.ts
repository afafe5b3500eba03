// SPDX-License-Identifier: Apache-2.0
// Values over message length: time, bandwidth, or the ratio to the first run; one line per run, number of processes
// and case.
import * as Plot from "@observablehq/plot";
import { groupBy } from "./data";
import { doubtColumns, doubtLines, eitherOf, hollowMarks, hollowTold, isHollow, wholeMarks, type Doubted } from "./doubts";
import { byteTicks, bytes, counted, decimalTicks, digits, linearTicks, logTicks, si, spaced, unitOf, processes } from "./format";
import { choice, figure, grid, series, tellLengthless, type Numbers, type Series } from "./figure";
import { axisY, marginFor } from "./marks";
import type { Point } from "./contract";

export interface Dot extends Doubted {
  x: number;
  y: number;
  low: number;
  high: number;
  told: string;
  zero?: boolean;
}
const tableDigits = 5;
export interface Line {
  series: Series;
  dots: Dot[];
  binned: boolean;
}
export type View = "time" | "bandwidth" | "value" | "ratio";

const mostDots = 40,
  mostMarks = 256,
  mostSeries = 24;

/** Many dots of a line become one per bin of its axis: median, and all intervals in one. */
function binned(dots: Dot[]): Dot[] {
  const low = Math.log2(dots[0].x),
    high = Math.log2(dots[dots.length - 1].x),
    bins = new Map<number, Dot[]>();
  for (const dot of dots) {
    const bin = Math.round(((Math.log2(dot.x) - low) / Math.max(1e-9, high - low)) * (mostMarks - 1));
    const held = bins.get(bin);
    if (held) held.push(dot);
    else bins.set(bin, [dot]);
  }
  return [...bins.values()].map((held) => {
    const middle = [...held].sort((a, b) => a.y - b.y)[held.length >> 1],
      hollow = held.find((dot) => isHollow(dot.doubt));
    return {
      ...middle,
      doubt: hollow?.doubt ?? middle.doubt,
      told: hollow && hollow !== middle ? `${middle.told}\n${hollow.doubt!.status} among ${held.length} points` : middle.told,
      x: held[held.length >> 1].x,
      low: Math.min(...held.map((dot) => dot.low)),
      high: Math.max(...held.map((dot) => dot.high)),
    };
  });
}

export function line(of: Series, dots: Dot[]): Line {
  dots.sort((a, b) => a.x - b.x);
  const many = dots.length > mostMarks;
  return { series: of, dots: many ? binned(dots) : dots, binned: many };
}

function extent(values: number[]): [number, number] {
  let low = Infinity,
    high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Ends of an axis at least a factor apart, so that one value alone does not fill it. */
function widened([low, high]: [number, number], factor: number): [number, number] {
  if (high / low >= factor) return [low / 1.06, high * 1.06];
  const middle = Math.sqrt(low * high),
    half = Math.sqrt(factor);
  return [middle / half, middle * half];
}

type Scale = "log" | "linear";
export interface Axes {
  x: string;
  y: string;
  unit: string;
  scale: Scale;
  ratio?: boolean;
  domain?: [number, number];
}

export function lineChart(lines: Line[], axes: Axes, width: number): Element | undefined {
  const visible = lines.filter((one) => !one.series.hidden && one.dots.length > 0);
  if (visible.length === 0) return undefined;
  const dots = visible.flatMap((one) => one.dots);
  const xs = extent(dots.map((dot) => dot.x));
  const x = xs[0] === xs[1] ? ([xs[0] / 2, xs[1] * 2] as [number, number]) : xs;
  const held = extent(dots.flatMap((dot) => [dot.low, dot.high, dot.y].filter((value) => value > 0)));
  const y = axes.domain ?? (axes.scale === "log" ? widened(held, axes.ratio ? 1.2 : 4) : ([0, held[1] * 1.05] as [number, number]));
  const zero = dots.find((dot) => dot.zero)?.x;
  const height = Math.round(Math.min(360, Math.max(210, width * 0.62)));
  const named = (value: number) => (value === zero ? "0" : bytes(value));
  const lengths = byteTicks(zero === undefined ? x[0] : x[0] * 2, x[1], width - 72);
  const ticks = axes.ratio ? ratioTicks(y, height - 58) : (axes.scale === "log" ? logTicks : linearTicks)(y[0], y[1], axes.unit, 6),
    text = (value: number) => (axes.ratio ? digits(value) : si(value, axes.unit));
  return Plot.plot({
    width,
    height,
    marginLeft: marginFor(ticks.map(text), 62),
    marginBottom: 36,
    marginRight: 26, // half of the last length, "256 KiB"
    marginTop: 22,
    x: {
      type: "log",
      base: 2,
      domain: x,
      ticks: zero === undefined ? lengths : [zero, ...lengths.filter((length) => length > zero * 3)],
      tickFormat: named,
      label: `${axes.x} →`,
      labelAnchor: "right",
    },
    y: { type: axes.scale, domain: y, grid: true, ticks },
    marks: [
      axisY(ticks, text, `↑ ${axes.y}`),
      axes.ratio ? Plot.ruleY([1], { stroke: "currentColor", strokeOpacity: 0.6 }) : null,
      ...visible.flatMap(({ series: one, dots: list }) => [
        list.length > 1 && !axes.ratio
          ? Plot.areaY(list, { x: "x", y1: "low", y2: "high", fill: one.color, fillOpacity: 0.22, clip: true })
          : null,
        list.length > 1
          ? Plot.lineY(list, { x: "x", y: "y", stroke: one.color, strokeWidth: 1.8, strokeDasharray: one.dash, clip: true })
          : null,
        list.length <= mostDots
          ? Plot.ruleX(list, { x: "x", y1: "low", y2: "high", stroke: one.color, strokeWidth: 1.4, clip: true })
          : null,
        list.length <= mostDots ? wholeMarks(list, one, 2.6) : null,
      ]),
      ...visible.map(({ series: one, dots: list }) => hollowMarks(list, one, 2.6)),
      Plot.tip(dots, Plot.pointer({ x: "x", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
    ],
  });
}

/** The dots of the lines that are shown. */
export function lineNumbers(lines: Line[], x: string, y: string, unit: string): Numbers {
  const shown = lines.filter((one) => !one.series.hidden),
    doubts = doubtColumns(shown.flatMap((one) => one.dots.map((dot) => dot.doubt)));
  const rows = shown.flatMap((one) =>
    one.dots.map((dot) => [
      one.series.name,
      dot.zero ? "0 B" : bytes(dot.x),
      ...[dot.y, dot.low, dot.high].map((value) => (unit === "" ? digits(value, tableDigits) : si(value, unit, tableDigits))),
      ...doubts.cells(dot.doubt),
    ]),
  );
  return { columns: ["series", x, y, "from", "to", ...doubts.names], rows };
}

function ratioTicks([low, high]: [number, number], length: number): number[] {
  if (high / low > 30) return decimalTicks(low, high, 6);
  const marks = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20];
  return spaced(marks, [low, high], length, 1);
}

function toldOf(point: Point, name: string, value: string): string {
  const lines = [name, point.length === null ? "" : bytes(point.length), value];
  if (point.low !== null && point.high !== null) {
    const unit = unitOf(point.metric);
    lines.push(`95 % interval ${si(point.low, unit)} to ${si(point.high, unit)}`);
  }
  if (point.p99 !== null) lines.push(`99 % ${si(point.p99, unitOf(point.metric))}`);
  if (point.n !== null) lines.push(`${point.n} batch${point.n === 1 ? "" : "es"}`);
  lines.push(...doubtLines(point));
  return lines.filter(Boolean).join("\n");
}

/** What a point shows in a view; nothing where it has no such value. */
function dotOf(point: Point, view: View, x: number, name: string, base?: Point): Dot | undefined {
  const median = point.median;
  if (median === null || median <= 0) return undefined;
  const low = point.low ?? median,
    high = point.high ?? median;
  const zero = point.length === 0;
  if (view === "ratio") {
    if (!base?.median) return undefined;
    const y = median / base.median,
      ofBase = isHollow(base) ? `\nfirst run: ${base.status}` : "";
    return {
      x,
      y,
      doubt: eitherOf(point, base),
      low: low / (base.high ?? base.median),
      high: high / (base.low ?? base.median),
      zero,
      told: toldOf(point, name, `${digits(y, 4)} of the first run`) + ofBase,
    };
  }
  if (view === "bandwidth" && unitOf(point.metric) !== "B/s") {
    if (!point.rate) return undefined;
    // Of a time the bandwidth is the inverse, of a rate of messages a multiple.
    const ends = unitOf(point.metric) === "s" ? [median / high, median / low] : [low / median, high / median];
    const told = toldOf(point, name, si(point.rate, "B/s"));
    return { x, y: point.rate, low: point.rate * ends[0], high: point.rate * ends[1], zero, doubt: point, told };
  }
  return { x, y: median, low, high, zero, doubt: point, told: toldOf(point, name, si(median, unitOf(point.metric))) };
}

interface Context {
  runs: string[];
}

/** Words that tell the series of a benchmark apart. */
function namer(points: Point[], context: Context): (point: Point) => string {
  const runs = new Set(points.map((point) => point.run)).size > 1;
  const sizes = new Set(points.map((point) => point.processes)).size > 1;
  return (point) =>
    [runs ? context.runs[point.run] : "", sizes || (!point.variant && !runs) ? `${processes(point.processes)}` : "", point.variant]
      .filter(Boolean)
      .join(", ");
}

/** Names of series: the same case of every run one after the other. */
function sideBySide(points: Point[], name: (point: Point) => string): string[] {
  const cases = groupBy(points, (point) => `${point.processes}|${point.variant}`);
  return [...new Set([...cases.values()].flatMap((list) => [...new Set(list.map(name))]))];
}

export function linesOf(points: Point[], view: View, context: Context, held: Map<string, Series>): Line[] {
  const name = namer(points, context);
  const lengths = points.filter((point) => (point.length ?? 0) > 0).map((point) => point.length!);
  const least = lengths.length ? extent(lengths)[0] : 1;
  const base = new Map(
    view === "ratio"
      ? points.filter((point) => point.run === points[0].run).map((point) => [`${point.processes}|${point.variant}|${point.length}`, point])
      : [],
  );
  const lines: Line[] = [];
  for (const [key, group] of groupBy(points, name)) {
    const one = held.get(key);
    if (!one) continue;
    const dots = group
      .map((point) =>
        dotOf(
          point,
          view,
          point.length === 0 ? least / 2 : point.length!,
          key,
          base.get(`${point.processes}|${point.variant}|${point.length}`),
        ),
      )
      .filter((dot) => dot !== undefined);
    lines.push(line(one, dots));
  }
  return lines;
}

/** Benchmarks with times or rates of which no point has a length. */
function lengthlessOf(points: Point[]): string[] {
  return [...groupBy(points, (point) => `${point.suite}/${point.benchmark}`)]
    .filter(([, list]) => list.every((point) => point.length === null) && list.some((point) => point.median && unitOf(point.metric)))
    .map(([benchmark]) => benchmark);
}

/** Small multiples, one per benchmark, with a switch of what is shown. */
export function curves(place: Element, points: Point[], context: Context): void {
  const usable = points.filter((point) => point.length !== null && point.median !== null);
  if (usable.length === 0) return;
  const times = usable.some((point) => point.metric === "time_s" && point.rate !== null);
  const runs = new Set(usable.map((point) => point.run)).size > 1;
  let view: View = times ? "time" : "value";
  const repaints: (() => void)[] = [];
  const views = [...(times ? ["time", "bandwidth"] : ["value"]), ...(runs ? ["ratio to the first run"] : [])];
  if (views.length > 1)
    view = choice(place, "Show", views, (word) => {
      view = word.split(" ")[0] as View;
      for (const repaint of repaints) repaint();
    }).split(" ")[0] as View;
  let scale: Scale = "log";
  if (times)
    scale = scaleOf(
      choice(
        place,
        "Bandwidth axis",
        ["logarithmic", "linear"],
        (word) => {
          scale = scaleOf(word);
          if (view === "bandwidth") for (const repaint of repaints) repaint();
        },
        "axis",
      ),
    );
  const box = grid(place);
  tellLengthless(box, lengthlessOf(points));
  for (const [benchmark, group] of groupBy(usable, (point) => `${point.suite}/${point.benchmark}`)) {
    const name = namer(group, context),
      names = sideBySide(group, name);
    const held = new Map(names.slice(0, mostSeries).map((one, i) => [one, series(one, i)]));
    const many = [...groupBy(group, name).values()].some((list) => list.length > mostMarks);
    const caption =
      [
        `${counted(group.length, "point")}: ${group.some((point) => point.low !== null) ? "median and 95 % interval" : "values without intervals"}`,
        names.length > mostSeries ? `${mostSeries} of ${names.length} series, the others are in the tables` : "",
        many ? `lines of more than ${mostMarks} points are drawn in ${mostMarks} bins: median, and the widest ends of the intervals` : "",
      ]
        .filter(Boolean)
        .join("; ") +
      "." +
      hollowTold(group);
    const metric = group[0].metric;
    repaints.push(
      figure(box, {
        chart: "curves",
        title: benchmark,
        caption,
        series: [...held.values()],
        draw: (width) => lineChart(linesOf(group, view, context, held), axesOf(view, metric, scale), width),
        numbers: () => {
          const axes = axesOf(view, metric, scale);
          return lineNumbers(linesOf(group, view, context, held), axes.x, axes.y, axes.unit);
        },
      }),
    );
  }
}

function scaleOf(word: string): Scale {
  return word === "linear" ? "linear" : "log";
}

/** What an axis says where the name of the metric would not do; the unit stands at its ticks. */
const axisNames = new Map([
  ["time_s", "time per operation"],
  ["message_rate_op_s", "messages"],
  ["bandwidth_byte_s", "bandwidth"],
]);

function axesOf(view: View, metric: string, bandwidth: Scale): Axes {
  if (view === "ratio") return { x: "message length", y: "over the first run", unit: "", scale: "log", ratio: true };
  if (view === "bandwidth") return { x: "message length", y: "bandwidth", unit: "B/s", scale: bandwidth };
  const unit = unitOf(metric);
  return { x: "length", y: axisNames.get(metric) ?? metric.replace(/_/g, " "), unit, scale: "log" };
}
