// SPDX-License-Identifier: Apache-2.0
// Charts of b_eff, of parallel I/O, of scaling and of overlap.
import * as Plot from "@observablehq/plot";
import { curves, line, lineChart, type Dot } from "./curves";
import { groupBy, member } from "./data";
import { byteTicks, bytes, decimalTicks, digits, si } from "./format";
import { choice, figure, grid, series, type Series } from "./figure";
import type { PageData, Point } from "./contract";

interface Context { runs: string[] }
const sets = ["ring", "random", "additional"];

/** Best bandwidth per process of each pattern and length, over methods. */
function best(points: Point[]): Map<string, Point[]> {
  const found = new Map<string, Point[]>();
  for (const [pattern, list] of groupBy(points, (point) => `${member(point.variant, "set") ?? ""} ${member(point.variant, "pattern") ?? ""}`)) {
    const tops = [...groupBy(list, (point) => String(point.length)).values()]
      .map((same) => same.reduce((a, b) => (b.rate ?? 0) > (a.rate ?? 0) ? b : a))
      .filter((point) => (point.rate ?? 0) > 0 && (point.length ?? 0) > 0);
    if (tops.length) found.set(pattern, tops.sort((a, b) => a.length! - b.length!));
  }
  return found;
}

export function beff(place: Element, points: Point[], context: Context): void {
  const box = grid(place, true);
  const mine = points.filter((point) => point.suite === "b-eff" && point.rate);
  for (const [key, list] of groupBy(mine, (point) => `${context.runs[point.run]}, ${point.processes} processes`)) {
    const patterns = best(list);
    if (patterns.size === 0) continue;
    const kinds = sets.map((name, i) => series(name, i)).filter((one) => [...patterns.keys()].some((pattern) => pattern.startsWith(one.name)));
    figure(box, {
      title: `Bandwidth per process by pattern, ${key}`,
      caption: `${patterns.size} patterns, each with its best method; thin: one pattern, thick: logarithmic average of its kind.`,
      series: kinds.length > 1 ? kinds : undefined,
      draw: (width) => beffChart(patterns, kinds, list[0].processes, width),
    });
  }
}

function average(patterns: Point[][], processes: number): Dot[] {
  return [...groupBy(patterns.flat(), (point) => String(point.length)).values()].map((same) => {
    const y = Math.exp(same.reduce((sum, point) => sum + Math.log(point.rate! / processes), 0) / same.length);
    return { x: same[0].length!, y, low: y, high: y, told: `average of ${same.length} patterns\n${bytes(same[0].length!)}\n${si(y, "B/s")} per process` };
  }).sort((a, b) => a.x - b.x);
}

function beffChart(patterns: Map<string, Point[]>, kinds: Series[], processes: number, width: number): Element | undefined {
  const visible = kinds.filter((one) => !one.hidden);
  const of = (one: Series) => [...patterns].filter(([name]) => name.startsWith(one.name));
  const dots = visible.flatMap((one) => of(one).flatMap(([name, list]) => list.map((point) => ({
    x: point.length!, y: point.rate! / processes, kind: one, name,
    told: `${name.replace(" ", " pattern ")}\n${bytes(point.length!)}\n${si(point.rate! / processes, "B/s")} per process\n${member(point.variant, "method") ?? ""}`,
  }))));
  if (dots.length === 0) return undefined;
  const xs = dots.map((dot) => dot.x), ys = dots.map((dot) => dot.y);
  const low = Math.min(...ys) / 1.2, high = Math.max(...ys) * 1.2;
  return Plot.plot({
    width, height: Math.min(460, Math.max(260, width * .45)), marginLeft: 66, marginBottom: 38, marginTop: 24,
    x: { type: "log", base: 2, domain: [Math.min(...xs), Math.max(...xs)], ticks: byteTicks(Math.min(...xs), Math.max(...xs), width - 80), tickFormat: bytes, label: "message length →" },
    y: { type: "log", domain: [low, high], grid: true, ticks: decimalTicks(low, high), tickFormat: (value: number) => si(value, "B/s"), label: "↑ bandwidth per process" },
    marks: [
      ...visible.flatMap((one) => [
        Plot.lineY(dots.filter((dot) => dot.kind === one), { x: "x", y: "y", z: "name", stroke: one.color, strokeOpacity: .45, strokeWidth: .9 }),
        Plot.lineY(average(of(one).map(([, list]) => list), processes), { x: "x", y: "y", stroke: one.color, strokeWidth: 3, strokeDasharray: one.dash }),
      ]),
      Plot.tip(dots, Plot.pointer({ x: "x", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
    ],
  });
}

/** One panel per pattern type: chunk sizes in order, a line per access method. */
function panels(place: Element, points: Point[], context: Context): void {
  const box = grid(place);
  const several = new Set(points.map((point) => `${point.run} ${point.processes}`)).size > 1;
  const name = (point: Point) => [several ? `${context.runs[point.run]}, ${point.processes} processes` : "", member(point.variant, "access")].filter(Boolean).join(", ");
  for (const [type, list] of groupBy(points, (point) => member(point.variant, "type") ?? "all patterns")) {
    const order = ["write", "rewrite", "read"];
    const names = [...new Set(list.map(name))].sort((a, b) => order.indexOf(a.split(", ").pop()!) - order.indexOf(b.split(", ").pop()!));
    const held = names.slice(0, 12).map((one, i) => series(one, i));
    figure(box, {
      title: `b_eff_io, ${type}`, caption: "Bandwidth of all processes over the chunk in the file; sizes in their order.", series: held,
      draw: (width) => {
        const visible = held.filter((one) => !one.hidden);
        const dots = list.map((point) => ({ chunk: point.length!, y: point.rate!, name: name(point), told: `${name(point)}\n${bytes(point.length!)}\n${si(point.rate, "B/s")}` }))
          .sort((a, b) => a.chunk - b.chunk);
        const shown = dots.filter((dot) => visible.some((one) => one.name === dot.name));
        if (shown.length === 0) return undefined;
        const low = Math.min(...shown.map((dot) => dot.y)) / 1.3, high = Math.max(...shown.map((dot) => dot.y)) * 1.3;
        return Plot.plot({
          width, height: 250, marginLeft: 62, marginBottom: 74, marginTop: 22,
          x: { type: "point", domain: [...new Set(dots.map((dot) => dot.chunk))], tickFormat: chunk, tickRotate: -40, label: null },
          y: { type: "log", domain: [low, high], grid: true, ticks: decimalTicks(low, high, 6), tickFormat: (value: number) => si(value, "B/s"), label: "↑ bandwidth" },
          marks: [
            ...visible.flatMap((one) => {
              const mine = shown.filter((dot) => dot.name === one.name);
              return [Plot.lineY(mine, { x: "chunk", y: "y", stroke: one.color, strokeDasharray: one.dash, strokeWidth: 1.6 }),
                Plot.dot(mine, { x: "chunk", y: "y", fill: one.color, symbol: one.symbol, r: 3 })];
            }),
            Plot.tip(shown, Plot.pointer({ x: "chunk", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
          ],
        });
      },
    });
  }
}

/** 1048584 -> "1 MiB + 8". */
function chunk(value: number): string {
  const rest = value % 1024;
  return rest === 8 && value > 8 ? `${bytes(value - 8)} + 8` : bytes(value);
}

export function io(place: Element, points: Point[], context: Context): void {
  const mixed = points.filter((point) => point.suite === "b-eff-io" && point.rate && point.length !== null);
  if (mixed.length) panels(place, mixed, context);
  curves(place, points.filter((point) => point.suite !== "b-eff-io"), context);
}

/** Time over the number of processes, at up to four lengths of each benchmark. */
export function scaling(place: Element, points: Point[], context: Context): void {
  const usable = points.filter((point) => point.metric === "time_s" && point.median && point.length !== null && point.suite !== "b-eff" && point.suite !== "b-eff-io");
  const repaints: (() => void)[] = [];
  const groups = [...groupBy(usable, (point) => `${point.suite}/${point.benchmark}`)]
    .filter(([, list]) => [...groupBy(list, (point) => `${point.run}|${point.variant}|${point.length}`).values()].some((same) => new Set(same.map((point) => point.processes)).size > 1));
  if (groups.length === 0) return;
  let growth = false;
  choice(place, "Show", ["time", "growth against the fewest"], (word) => {
    growth = word !== "time";
    for (const repaint of repaints) repaint();
  });
  const box = grid(place);
  for (const [benchmark, list] of groups) {
    const lengths = [...new Set(list.map((point) => point.length!))].sort((a, b) => a - b);
    const chosen = new Set([0, 1, 2, 3].map((i) => lengths[Math.round(i * (lengths.length - 1) / 3)]));
    const name = (point: Point) => [new Set(list.map((one) => one.run)).size > 1 ? context.runs[point.run] : "", point.variant, bytes(point.length!)].filter(Boolean).join(", ");
    const lines = [...groupBy(list.filter((point) => chosen.has(point.length!)), name)].filter(([, same]) => same.length > 1);
    const held = lines.slice(0, 16).map(([one], i) => series(one, i));
    repaints.push(figure(box, {
      title: `${benchmark} over processes`, caption: `${chosen.size} of ${lengths.length} lengths; the thin line is the time of the fewest.`, series: held,
      draw: (width) => scalingChart(lines, held, growth, width),
    }));
  }
}

function scalingChart(lines: [string, Point[]][], held: Series[], growth: boolean, width: number): Element | undefined {
  const data = held.filter((one) => !one.hidden).map((one) => {
    const list = [...lines.find(([name]) => name === one.name)![1]].sort((a, b) => a.processes - b.processes);
    const by = growth ? list[0].median! : 1;
    return { one, dots: list.map((point) => ({ x: point.processes, y: point.median! / by, told: `${one.name}\n${point.processes} processes\n${si(point.median, "s")}` })) };
  });
  const all = data.flatMap(({ dots }) => dots);
  if (all.length === 0) return undefined;
  const low = Math.min(...all.map((dot) => dot.y)) / 1.2, high = Math.max(...all.map((dot) => dot.y)) * 1.2;
  const counts = [...new Set(all.map((dot) => dot.x))].sort((a, b) => a - b);
  return Plot.plot({
    width, height: 240, marginLeft: 62, marginBottom: 36, marginTop: 22,
    x: { type: "log", base: 2, domain: [counts[0], counts[counts.length - 1]], ticks: counts.length < 9 ? counts : undefined, tickFormat: (value: number) => digits(value, 6), label: "processes →" },
    y: { type: "log", domain: [low, high], grid: true, ticks: decimalTicks(low, high, 6), tickFormat: (value: number) => growth ? digits(value) : si(value, "s"), label: growth ? "↑ over the fewest" : "↑ time per operation" },
    marks: [
      ...data.flatMap(({ one, dots }) => [
        Plot.ruleY([dots[0].y], { stroke: one.color, strokeWidth: .6, strokeOpacity: .6 }),
        Plot.lineY(dots, { x: "x", y: "y", stroke: one.color, strokeDasharray: one.dash, strokeWidth: 1.8 }),
        Plot.dot(dots, { x: "x", y: "y", fill: one.color, symbol: one.symbol, r: 3 }),
      ]),
      Plot.tip(all, Plot.pointer({ x: "x", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
    ],
  });
}

export function overlap(place: Element, data: PageData): void {
  const box = grid(place);
  for (const [benchmark, list] of groupBy(data.overlap.filter((one) => one.length_byte !== null), (one) => one.benchmark)) {
    const name = (one: PageData["overlap"][0]) => `${data.runs.length > 1 ? data.runs[one.run].name + ", " : ""}${one.processes} processes`;
    const groups = [...groupBy(list, name)];
    const held = groups.map(([one], i) => series(one, i));
    figure(box, {
      title: benchmark, caption: "Share of the communication that ran while the processor computed.", series: held,
      draw: (width) => lineChart(groups.map(([, same], i) => line(held[i], same.map((one) => ({
        x: Math.max(.5, one.length_byte!), y: one.percent, low: one.percent, high: one.percent, zero: one.length_byte === 0,
        told: `${bytes(one.length_byte!)}\n${digits(one.percent)} %`,
      })))), { x: "message length", y: "overlap", unit: "percent", scale: "linear", domain: [0, 100] }, width),
    });
  }
}
