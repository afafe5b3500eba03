// SPDX-License-Identifier: Apache-2.0
// Charts of b_eff, of parallel I/O, of scaling and of overlap.
import * as Plot from "@observablehq/plot";
import { curves, line, lineChart, lineNumbers, type Dot } from "./curves";
import { groupBy, member } from "./data";
import { doubtColumns, doubtLines, eitherOf, hollowMarks, hollowTold, isHollow, wholeMarks, type Doubt } from "./doubts";
import { byteTicks, bytes, counted, decimalTicks, digits, logTicks, si, processes } from "./format";
import { choice, figure, grid, series, type Numbers, type Series } from "./figure";
import { ftioCharts, typeCharts } from "./files";
import { marginFor, overNames, wrapped } from "./marks";
import { analysisPaths } from "./paths";
import { numberOf, records, type Record_ } from "./sections";
import type { Chunk, PageData, Point } from "./contract";

interface Context {
  runs: string[];
}
const sets = ["ring", "random", "additional"],
  giga = 1e9;

/** Best bandwidth per process of each pattern and length, over methods. */
function best(points: Point[]): Map<string, Point[]> {
  const found = new Map<string, Point[]>();
  for (const [pattern, list] of groupBy(
    points,
    (point) => `${member(point.variant, "set") ?? ""} ${member(point.variant, "pattern") ?? ""}`,
  )) {
    const tops = [...groupBy(list, (point) => String(point.length)).values()]
      .map((same) => same.reduce((a, b) => ((b.rate ?? 0) > (a.rate ?? 0) ? b : a)))
      .filter((point) => (point.rate ?? 0) > 0 && (point.length ?? 0) > 0);
    if (tops.length)
      found.set(
        pattern,
        tops.sort((a, b) => a.length! - b.length!),
      );
  }
  return found;
}

export function beff(place: Element, points: Point[], context: Context, data: PageData): void {
  const box = grid(place, true);
  const mine = points.filter((point) => point.suite === "b-eff" && point.rate);
  for (const [key, list] of groupBy(mine, (point) => `${context.runs[point.run]}, ${processes(point.processes)}`)) {
    const patterns = best(list),
      count = list[0].processes;
    if (patterns.size === 0) continue;
    const kinds = sets
      .map((name, i) => series(name, i))
      .filter((one) => [...patterns.keys()].some((pattern) => pattern.startsWith(one.name)));
    const alone: Alone = {
      name: "",
      change: (name) => {
        alone.name = name === alone.name ? "" : name;
        repaint();
      },
    };
    const repaint = figure(box, {
      chart: "beff.patterns",
      title: `Bandwidth per process by pattern, ${key}`,
      caption: `${patterns.size} patterns, each with its best method; thin: one pattern, thick: logarithmic average of rings and of random patterns. A click isolates the pattern that is pointed at, another one shows all.${hollowTold([...patterns.values()].flat())}`,
      series: kinds.length > 1 ? kinds : undefined,
      draw: (width) => beffChart(patterns, kinds, rowsOf(data, "beff_lengths", context.runs[list[0].run], count), count, width, alone),
      numbers: () => patternNumbers([...patterns].filter(([name]) => kinds.some((one) => name.startsWith(one.name) && !one.hidden))),
    });
  }
  const small = grid(place);
  for (const [key, list] of groupBy(mine, (point) => `${context.runs[point.run]}, ${processes(point.processes)}`))
    methods(small, key, rowsOf(data, "beff_methods", context.runs[list[0].run], list[0].processes));
  analysisPaths(small, data);
}

function patternNumbers(patterns: [string, Point[]][]): Numbers {
  const doubts = doubtColumns(patterns.flatMap(([, tops]) => tops));
  return {
    columns: ["pattern", "message length", "bandwidth per process", "method", ...doubts.names],
    rows: patterns.flatMap(([pattern, tops]) =>
      tops.map((point) => [
        pattern,
        bytes(point.length!),
        si(point.rate! / point.processes, "B/s", 5),
        member(point.variant, "method") ?? "",
        ...doubts.cells(point),
      ]),
    ),
  };
}

/** Rows of a table of b_eff that belong to a run and a number of processes. */
function rowsOf(data: PageData, id: string, run: string, count: number): Record_[] {
  const section = data.figures.find((one) => one.id === id);
  return records(section).filter((row) => row.run === run && numberOf(row.processes) === count);
}

/** Logarithmic averages per process over the lengths, as the analysis has them: of rings, of random patterns, of both. */
function averages(rows: Record_[], kind: string): Dot[] {
  return rows
    .map((row) => ({ x: numberOf(row.length_byte), y: (numberOf(row[kind]) * giga) / numberOf(row.processes) }))
    .filter(({ x, y }) => x > 0 && y > 0)
    .map(({ x, y }) => ({ x, y, low: y, high: y, told: `logarithmic average\n${bytes(x)}\n${si(y, "B/s")} per process` }));
}

/** What each method alone reaches. */
function methods(box: Element, key: string, rows: Record_[]): void {
  const groups = [...groupBy(rows, (row) => String(row.method))];
  if (groups.length < 2) return;
  const held = groups.map(([name], i) => series(name, i));
  const lines = () => groups.map(([, mine], i) => line(held[i], averages(mine, "both")));
  const axes = { x: "message length", y: "bandwidth per process", unit: "B/s", scale: "log" as const };
  figure(box, {
    chart: "beff.methods",
    title: `Methods of b_eff, ${key}`,
    caption: "Logarithmic average of the ring and of the random patterns; b_eff takes the best method of each pattern and length.",
    series: held,
    draw: (width) => lineChart(lines(), axes, width),
    numbers: () => lineNumbers(lines(), axes.x, axes.y, axes.unit),
  });
}

/** The one pattern that a reader has picked out, and what a click on a pattern does. */
interface Alone {
  name: string;
  change(name: string): void;
}

function beffChart(
  patterns: Map<string, Point[]>,
  kinds: Series[],
  lengths: Record_[],
  count: number,
  width: number,
  alone: Alone,
): Element | undefined {
  const visible = kinds.filter((one) => !one.hidden);
  const of = (one: Series) => [...patterns].filter(([name]) => name.startsWith(one.name));
  const dots = visible.flatMap((one) =>
    of(one).flatMap(([name, list]) =>
      list.map((point) => ({
        x: point.length!,
        y: point.rate! / count,
        kind: one,
        name,
        doubt: point as Doubt,
        told: [
          name.replace(" ", " pattern "),
          bytes(point.length!),
          `${si(point.rate! / count, "B/s")} per process`,
          member(point.variant, "method") ?? "",
          ...doubtLines(point),
        ].join("\n"),
      })),
    ),
  );
  if (dots.length === 0) return undefined;
  const xs = dots.map((dot) => dot.x),
    ys = dots.map((dot) => dot.y);
  const low = Math.min(...ys) / 1.2,
    high = Math.max(...ys) * 1.2,
    ticks = logTicks(low, high, "B/s"),
    text = (value: number) => si(value, "B/s");
  const opacity = (dot: { name: string }) => (alone.name === "" ? 0.45 : dot.name === alone.name ? 1 : 0.08);
  const plot = Plot.plot({
    width,
    height: Math.min(460, Math.max(260, width * 0.45)),
    marginLeft: marginFor(ticks.map(text), 66),
    marginRight: 26,
    marginBottom: 38,
    marginTop: 24,
    x: {
      type: "log",
      base: 2,
      domain: [Math.min(...xs), Math.max(...xs)],
      ticks: byteTicks(Math.min(...xs), Math.max(...xs), width - 80),
      tickFormat: bytes,
      label: "message length →",
    },
    y: {
      type: "log",
      domain: [low, high],
      grid: true,
      ticks,
      tickFormat: text,
      label: "↑ bandwidth per process",
    },
    marks: [
      ...visible.flatMap((one) => [
        Plot.lineY(
          dots.filter((dot) => dot.kind === one),
          { x: "x", y: "y", z: "name", stroke: one.color, strokeOpacity: opacity, strokeWidth: alone.name ? 1.6 : 0.9 },
        ),
        Plot.lineY(averages(lengths, one.name === "ring" ? "rings" : one.name), {
          x: "x",
          y: "y",
          stroke: one.color,
          strokeWidth: 3,
          strokeOpacity: alone.name ? 0.3 : 1,
          strokeDasharray: one.dash,
        }),
        hollowMarks(
          dots.filter((dot) => dot.kind === one),
          one,
          2.6,
        ),
      ]),
      Plot.tip(dots, Plot.pointer({ x: "x", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
    ],
  });
  plot.addEventListener("click", () => {
    if (plot.value) alone.change((plot.value as { name: string }).name);
  });
  return plot;
}

const accessOrder = ["write", "rewrite", "read"];

/** One panel per pattern type: its patterns in their order, a line per access method. Where the memory of runs differs, so do
 *  their largest chunks, each at a place of its own. */
function panels(box: Element, chunks: Chunk[], context: Context): void {
  const several = new Set(chunks.map((one) => `${one.run} ${one.processes}`)).size > 1;
  const name = (one: Chunk) =>
    [several ? `${context.runs[one.run]}, ${processes(one.processes)}` : "", one.access].filter(Boolean).join(", ");
  const place = (one: Chunk) => `${one.position} ${one.name}`;
  for (const [type, list] of groupBy(chunks, (one) => one.type)) {
    const ordered = [...list].sort((a, b) => a.position - b.position || a.chunk_byte - b.chunk_byte);
    const words = new Map(ordered.map((one) => [place(one), one.name]));
    const names = [
      ...groupBy(
        [...list].sort((a, b) => accessOrder.indexOf(a.access) - accessOrder.indexOf(b.access)),
        name,
      ).keys(),
    ];
    const held = names.slice(0, 12).map((one, i) => series(one, i));
    figure(box, {
      chart: "beffio.chunks",
      title: `b_eff_io, ${type}`,
      caption:
        "Bandwidth of all processes over the chunk in the file; patterns in the order of b_eff_io. Those that are executed once or fill a segment up have no place in it.",
      series: held,
      numbers: () => ({
        columns: ["access", "chunk", "bandwidth"],
        rows: ordered
          .filter((one) => held.some((line) => line.name === name(one) && !line.hidden))
          .map((one) => [name(one), one.name, si(one.byte_s, "B/s", 5)]),
      }),
      draw: (width) => {
        const dots = ordered
          .map((one) => ({ series: name(one), place: place(one), y: one.byte_s }))
          .map((dot) => ({ ...dot, told: `${dot.series}\n${words.get(dot.place)}\n${si(dot.y, "B/s")}` }));
        const text = (key: string) => words.get(key)!;
        return overNames(
          dots,
          held,
          { places: [...words.keys()], x: "chunk in the file", y: "bandwidth", unit: "B/s", tilted: true, text },
          width,
        );
      },
    });
  }
}

export function io(place: Element, points: Point[], context: Context, data: PageData): void {
  typeCharts(grid(place), data);
  panels(grid(place), data.chunks ?? [], context); // a page may be newer than the program
  ftioCharts(grid(place), data);
  curves(
    place,
    points.filter((point) => point.suite !== "b-eff-io"),
    context,
  );
}

/** The length of a point as one of several: what has none, such as a barrier, has one key of its own, before all lengths. */
const lengthKey = (point: Point) => point.length ?? -1;
const lengthWords = (point: Point) => (point.length === null ? "no length" : bytes(point.length));

/** Time over the number of processes: four lengths of each benchmark at first, others by the legend. */
export function scaling(place: Element, points: Point[], context: Context): void {
  const usable = points.filter(
    (point) => point.metric === "time_s" && point.median && point.suite !== "b-eff" && point.suite !== "b-eff-io",
  );
  const repaints: (() => void)[] = [];
  const groups = [...groupBy(usable, (point) => `${point.suite}/${point.benchmark}`)].filter(([, list]) =>
    [...groupBy(list, (point) => `${point.run}|${point.variant}|${point.length}`).values()].some(
      (same) => new Set(same.map((point) => point.processes)).size > 1,
    ),
  );
  if (groups.length === 0) return;
  const views = ["time", "efficiency", "growth against the fewest"];
  let view = choice(place, "Show", views, (word) => {
    view = word;
    for (const repaint of repaints) repaint();
  });
  const box = grid(place);
  for (const [benchmark, list] of groups) {
    const lengths = [...new Set(list.map(lengthKey))].sort((a, b) => a - b);
    const several = new Set(list.map((one) => `${one.run}|${one.variant}`)).size;
    const offered = new Set(spread(lengths, several > 1 ? 5 : 9)),
      shown = new Set(spread([...offered], several > 1 ? 2 : 4));
    const runs = new Set(list.map((one) => one.run)).size > 1;
    const name = (point: Point) => [runs ? context.runs[point.run] : "", point.variant, lengthWords(point)].filter(Boolean).join(", ");
    const lines = [
      ...groupBy(
        list.filter((point) => offered.has(lengthKey(point))),
        name,
      ),
    ]
      .filter(([, same]) => same.length > 1)
      .slice(0, 32);
    const held = lines.map(([one, same], i) => ({ ...series(one, i), hidden: !shown.has(lengthKey(same[0])) || i >= 24 }));
    repaints.push(
      figure(box, {
        chart: "scaling",
        title: `${benchmark} over processes`,
        caption: `${list.some((point) => point.length !== null) ? `${offered.size} of ${counted(lengths.length, "length")} can be shown; the` : "The"} thin line is what the fewest processes would promise.${hollowTold(lines.flatMap(([, same]) => same))}`,
        series: held,
        draw: (width) => scalingChart(lines, held, view, width),
        numbers: () => scalingNumbers(shownLines(lines, held)),
      }),
    );
  }
}

/** Lines that are not hidden, from the fewest processes to the most. */
function shownLines(lines: [string, Point[]][], held: Series[]): { one: Series; list: Point[] }[] {
  return held
    .filter((one) => !one.hidden)
    .map((one) => ({ one, list: [...lines.find(([name]) => name === one.name)![1]].sort((a, b) => a.processes - b.processes) }));
}

function scalingNumbers(lines: { one: Series; list: Point[] }[]): Numbers {
  const doubts = doubtColumns(lines.flatMap(({ list }) => list));
  return {
    columns: ["series", "processes", "time", "over the fewest", ...doubts.names],
    rows: lines.flatMap(({ one, list }) =>
      list.map((point) => [
        one.name,
        point.processes,
        si(point.median, "s", 5),
        digits(point.median! / list[0].median!, 4),
        ...doubts.cells(point),
      ]),
    ),
  };
}

/** So many of a list, evenly, with both ends. */
function spread(list: number[], most: number): number[] {
  return list.length <= most ? list : Array.from({ length: most }, (_, i) => list[Math.round((i * (list.length - 1)) / (most - 1))]);
}

function scalingChart(lines: [string, Point[]][], held: Series[], view: string, width: number): Element | undefined {
  const efficiency = view === "efficiency",
    growth = view.startsWith("growth");
  const data = shownLines(lines, held).map(({ one, list }) => {
    const first = list[0].median!;
    const value = (time: number) => (efficiency ? first / time : growth ? time / first : time);
    return {
      one,
      dots: list.map((point) => ({
        x: point.processes,
        y: value(point.median!),
        doubt: efficiency || growth ? eitherOf(point, list[0]) : (point as Doubt),
        told: [one.name, processes(point.processes), si(point.median, "s"), ...doubtLines(point)].join("\n"),
      })),
    };
  });
  const all = data.flatMap(({ dots }) => dots);
  if (all.length === 0) return undefined;
  const low = Math.min(...all.map((dot) => dot.y)) / 1.2,
    high = Math.max(...all.map((dot) => dot.y)) * 1.2;
  const counts = [...new Set(all.map((dot) => dot.x))].sort((a, b) => a - b);
  return Plot.plot({
    width,
    height: 240,
    marginLeft: 62,
    marginBottom: 36,
    marginTop: 22,
    x: {
      type: "log",
      base: 2,
      domain: [counts[0], counts[counts.length - 1]],
      ticks: counts.length < 9 ? counts : undefined,
      tickFormat: (value: number) => digits(value, 6),
      label: "processes →",
    },
    y: efficiency
      ? {
          domain: [0, Math.max(1.05, high)],
          grid: true,
          ticks: 5,
          tickFormat: (value: number) => `${digits(100 * value)} %`,
          label: "↑ time of the fewest over time",
        }
      : {
          type: "log",
          domain: [low, high],
          grid: true,
          ticks: decimalTicks(low, high, 6),
          tickFormat: (value: number) => (growth ? digits(value) : si(value, "s")),
          label: growth ? "↑ over the fewest" : "↑ time per operation",
        },
    marks: [
      ...data.flatMap(({ one, dots }) => [
        Plot.ruleY([dots[0].y], { stroke: one.color, strokeWidth: 0.6, strokeOpacity: 0.6 }),
        Plot.lineY(dots, { x: "x", y: "y", stroke: one.color, strokeDasharray: one.dash, strokeWidth: 1.8 }),
        wholeMarks(dots, one, 3),
      ]),
      ...data.map(({ one, dots }) => hollowMarks(dots, one, 3)),
      Plot.tip(all, Plot.pointer({ x: "x", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
    ],
  });
}

type Overlap = PageData["overlap"][0];

/** Run, number of processes and case of a value: what tells the series of a benchmark apart, here with its name. */
function caseOf(one: Overlap, data: PageData, benchmark = ""): string {
  const run = data.runs.length > 1 ? data.runs[one.run].name : "";
  return [run, benchmark, processes(one.processes), one.variant].filter(Boolean).join(", ");
}

/** Names of benchmarks without their suites, where one suite alone has such a benchmark. */
function shortNames(all: Overlap[]): (benchmark: string) => string {
  const short = (name: string) => name.replace(/^.*\//, "");
  const full = groupBy(new Set(all.map((one) => one.benchmark)), short);
  return (name) => (full.get(short(name))!.length > 1 ? name : short(name));
}

/** Points of the values of overlap, whose doubts are theirs. */
function pointsOfOverlap(data: PageData, points: Point[]): (one: Overlap) => Point | undefined {
  const measured = new Set(data.overlap.map((one) => one.benchmark));
  const held = new Map<string, Point>();
  for (const point of points) {
    const benchmark = `${point.suite}/${point.benchmark}`;
    if (measured.has(benchmark)) held.set([point.run, benchmark, point.processes, point.variant, point.length].join("|"), point);
  }
  return (one) => held.get([one.run, one.benchmark, one.processes, one.variant, one.length_byte].join("|"));
}

/** Share of hidden communication of the longest messages, a bar a case of a benchmark. */
function overlapBars(box: Element, data: PageData, pointOf: (one: Overlap) => Point | undefined): void {
  const short = shortNames(data.overlap);
  const name = (one: Overlap) => caseOf(one, data, short(one.benchmark));
  const bars = [
    ...groupBy(
      data.overlap.filter((one) => one.length_byte),
      name,
    ),
  ].map(([key, list]) => {
    const longest = list.reduce((a, b) => (b.length_byte! > a.length_byte! ? b : a));
    return { key, x: longest.percent, length: bytes(longest.length_byte!), doubt: pointOf(longest) };
  });
  if (bars.length === 0) return;
  const doubts = doubtColumns(bars.map((bar) => bar.doubt));
  figure(box, {
    chart: "overlap.longest",
    title: "Overlap of the longest transfers",
    caption: `Share of the communication, or of the access to files, that ran while the processor computed.${hollowTold(bars.map((bar) => bar.doubt))}`,
    numbers: () => ({
      columns: ["benchmark", "length", "overlap, %", ...doubts.names],
      rows: bars.map((bar) => [bar.key, bar.length, digits(bar.x), ...doubts.cells(bar.doubt)]),
    }),
    draw: (width) => {
      const keys = bars.map((bar) => bar.key),
        left = Math.min(width * 0.55, marginFor(keys, 0)),
        text = (key: string) => wrapped(key, left - 14, 2),
        lines = Math.max(...keys.map((key) => text(key).split("\n").length));
      return Plot.plot({
        width,
        height: 54 + (lines > 1 ? 32 : 21) * bars.length,
        marginLeft: left,
        marginBottom: 36,
        marginRight: 44,
        x: {
          domain: [0, 100],
          grid: true,
          ticks: width < 480 ? [0, 50, 100] : 5,
          tickFormat: (value: number) => `${value} %`,
          label: "overlap →",
        },
        y: { type: "band", domain: keys, label: null, padding: 0.3, tickFormat: text },
        marks: [
          Plot.barX(
            bars.filter((bar) => !isHollow(bar.doubt)),
            { x: "x", y: "key", fill: "var(--c0)" },
          ),
          Plot.barX(
            bars.filter((bar) => isHollow(bar.doubt)),
            { x: "x", y: "key", fill: "var(--card)", stroke: "var(--c0)", strokeWidth: 1.5 },
          ),
          Plot.text(bars, { x: "x", y: "key", text: (bar: { x: number }) => `${digits(bar.x)} %`, textAnchor: "start", dx: 6 }),
          Plot.ruleX([0]),
        ],
      });
    },
  });
}

export function overlap(place: Element, data: PageData, points: Point[]): void {
  const pointOf = pointsOfOverlap(data, points);
  overlapBars(grid(place, true), data, pointOf);
  const box = grid(place);
  for (const [benchmark, list] of groupBy(
    data.overlap.filter((one) => one.length_byte !== null),
    (one) => one.benchmark,
  )) {
    const groups = [...groupBy(list, (one) => caseOf(one, data))],
      files = /^(imb-io|b-eff-io|ftio)\//.test(benchmark);
    const held = groups.map(([one], i) => series(one, i));
    const lines = () =>
      groups.map(([, same], i) =>
        line(
          held[i],
          same.map((one) => {
            const doubt = pointOf(one);
            return {
              x: Math.max(0.5, one.length_byte!),
              y: one.percent,
              low: one.percent,
              high: one.percent,
              zero: one.length_byte === 0,
              doubt,
              told: [bytes(one.length_byte!), `${digits(one.percent)} %`, ...(doubt ? doubtLines(doubt) : [])].join("\n"),
            };
          }),
        ),
      );
    figure(box, {
      chart: "overlap.lengths",
      title: benchmark,
      caption: `Share of ${files ? "the access to files" : "the communication"} that ran while the processor computed.${hollowTold(list.map(pointOf))}`,
      series: held,
      draw: (width) =>
        lineChart(
          lines(),
          { x: files ? "length of an access" : "message length", y: "overlap", unit: "percent", scale: "linear", domain: [0, 100] },
          width,
        ),
      numbers: () => lineNumbers(lines(), files ? "length of an access" : "message length", "overlap", "percent"),
    });
  }
}
