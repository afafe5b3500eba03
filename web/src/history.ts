// SPDX-License-Identifier: Apache-2.0
// Series over time: values with their intervals, medians of the stretches, where changes lie, what changed with them.
import * as Plot from "@observablehq/plot";
import { digits, logTicks, si } from "./format";
import { element, figure, grid, series, type Series } from "./figure";
import { around, marginFor, tip } from "./marks";
import type { PageData, Trend, Trends } from "./contract";

interface Dot {
  at: Date;
  value: number;
  low: number | null;
  high: number | null;
  text: boolean;
  told: string;
}

/** The ending of units that formats know by another name. */
const unitNames: Record<string, string> = { "byte/s": "B/s", byte: "B" };

function dotsOf(one: Trend, all: Trends, shown: (value: number, count?: number) => string): Dot[] {
  return one.entries.map((entry, i) => {
    const { run, started, text } = all.entries[entry],
      value = one.values[i];
    return {
      at: new Date(started),
      value,
      low: one.lows[i],
      high: one.highs[i],
      text,
      told: `${run}\n${started.slice(0, 10)}\n${shown(value, 4)}${text ? "\nof another program's text" : ""}`,
    };
  });
}

/** What is said of a chart under its title. */
function caption(one: Trend, threshold: number): string {
  const what = one.level === "curves" ? "All sizes together, over the median of each. " : "";
  return `${one.context}. ${what}${one.finding}. Lines: medians of stretches; grey field: within ${digits(100 * threshold)} % of the last; coloured fields: where a change lies.`;
}

function legendOf(one: Trend): { values: Series; aspects: Series[] } {
  const names = [...new Set(one.marks.map((mark) => mark.aspect))];
  return {
    values: { ...series("values", 0), dash: "none", hidden: false },
    aspects: names.map((name, i) => ({ ...series(name, i + 1), dash: "none", hidden: false })),
  };
}

function fields(one: Trend, dots: Dot[], threshold: number, y: [number, number]): Plot.Markish[] {
  const last = one.steps[one.steps.length - 1];
  const within = [
    {
      x1: dots[last.from].at,
      x2: dots[last.to].at,
      y1: Math.max(y[0], last.median / (1 + threshold)),
      y2: Math.min(y[1], last.median * (1 + threshold)),
    },
  ];
  const bands = one.changes.map((change) => ({ x1: dots[change.first - 1].at, x2: dots[change.last].at, y1: y[0], y2: y[1] }));
  return [
    Plot.rect(within, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "currentColor", fillOpacity: 0.08 }),
    Plot.rect(bands, {
      x1: "x1",
      x2: "x2",
      y1: "y1",
      y2: "y2",
      fill: one.known === null ? "var(--c4)" : "currentColor",
      fillOpacity: 0.18,
    }),
  ];
}

/** Medians of the stretches, a line each. */
function steps(one: Trend, dots: Dot[]): Plot.Markish[] {
  const lines = one.steps.map((step) => ({ x1: dots[step.from].at, x2: dots[step.to].at, y: step.median }));
  return [Plot.ruleY(lines, { x1: "x1", x2: "x2", y: "y", stroke: "var(--c4)", strokeWidth: 2 })];
}

/** At the foot of the chart: where something that was recorded differs from the entry before. */
function aspectMarks(one: Trend, dots: Dot[], aspects: Series[], foot: number): Plot.Markish[] {
  return aspects
    .filter((aspect) => !aspect.hidden)
    .map((aspect) => {
      const marks = one.marks
        .filter((mark) => mark.aspect === aspect.name)
        .map((mark) => ({ at: dots[mark.at].at, y: foot, told: `${mark.aspect}\n${mark.words}` }));
      return Plot.dot(marks, { x: "at", y: "y", fill: aspect.color, symbol: aspect.symbol, r: 4, title: "told" });
    });
}

/** The axis of times, as everywhere in UTC and of 24 hours: the date is in its title where all began on one day. */
function timeAxis(dots: Dot[], width: number): Plot.ScaleOptions {
  const times = dots.map((dot) => dot.at.getTime()),
    first = new Date(Math.min(...times)).toISOString(),
    last = new Date(Math.max(...times)).toISOString(),
    span_s = (Date.parse(last) - Date.parse(first)) / 1000,
    day = first.slice(0, 10),
    oneDay = day === last.slice(0, 10);
  const text = (time: Date) => {
    const [date, clock] = time.toISOString().split("T");
    if (oneDay) return clock.slice(0, span_s < 600 ? 8 : 5);
    return span_s < 8 * 86400 ? `${date.slice(5)} ${clock.slice(0, 5)}` : date;
  };
  return {
    type: "utc",
    label: `started${oneDay ? ` on ${day}` : ""}, UTC →`,
    ticks: Math.max(2, Math.floor(width / 110)),
    tickFormat: (time: Date) => text(time),
  };
}

function trend(box: Element, one: Trend, all: Trends): void {
  const unit = unitNames[one.unit] ?? one.unit,
    shown = (value: number, count = 3) => si(value, unit, count),
    dots = dotsOf(one, all, shown),
    { values, aspects } = legendOf(one);
  figure(box, {
    chart: "history.trend",
    title: `${one.name}: ${one.verdict === "too few" ? "too few runs" : one.verdict}`,
    caption: caption(one, all.threshold),
    series: aspects.length > 0 ? [values, ...aspects] : [],
    numbers: () => ({
      columns: ["run", "started", "value", "from", "to"],
      rows: dots.map((dot, i) => [
        all.entries[one.entries[i]].run,
        all.entries[one.entries[i]].started,
        shown(dot.value, 5),
        dot.low === null ? null : shown(dot.low, 5),
        dot.high === null ? null : shown(dot.high, 5),
      ]),
    }),
    draw: (width) => {
      const reach = around(
        dots.flatMap((dot) => [dot.value, dot.low ?? dot.value, dot.high ?? dot.value]),
        1.02,
      );
      const foot = reach[0] / (reach[1] / reach[0]) ** 0.08,
        y: [number, number] = [aspects.length > 0 ? foot / 1.01 : reach[0], reach[1]],
        ticks = logTicks(reach[0], reach[1], unit, 5),
        ours = dots.filter((dot) => !dot.text),
        theirs = dots.filter((dot) => dot.text);
      return Plot.plot({
        width,
        height: 274,
        marginLeft: marginFor(
          ticks.map((tick) => shown(tick)),
          62,
        ),
        marginBottom: 38,
        marginTop: 24,
        marginRight: 28, // half of the last time, "22:55:00"
        x: timeAxis(dots, width),
        y: {
          type: "log",
          domain: y,
          grid: true,
          ticks,
          tickFormat: (value: number) => shown(value),
          label: one.better === "lower" ? "↓ lower is better" : "↑ higher is better",
        },
        marks: [
          ...fields(one, dots, all.threshold, y),
          ...(values.hidden
            ? []
            : [
                Plot.ruleX(
                  dots.filter((dot) => dot.low !== null && dot.low > 0),
                  { x: "at", y1: "low", y2: "high", stroke: values.color, strokeOpacity: 0.5 },
                ),
                Plot.dot(ours, { x: "at", y: "value", fill: values.color, r: 2.6 }),
                Plot.dot(theirs, { x: "at", y: "value", stroke: values.color, fill: "var(--card)", r: 3.4 }),
              ]),
          ...steps(one, dots),
          ...aspectMarks(one, dots, aspects, foot),
          tip(dots, "at", "value"),
        ],
      });
    },
  });
}

export function trends(place: Element, data: PageData): void {
  const all = data.history;
  if (!all) return;
  if (all.charts.length < all.drawable)
    place.append(element("p", { class: "note" }, `The ${all.charts.length} worst of ${all.drawable} series are drawn.`));
  const box = grid(place);
  for (const one of all.charts) trend(box, one, all);
}
