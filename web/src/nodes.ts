// SPDX-License-Identifier: Apache-2.0
// Nodes of a screening by their values: worst first, beside the median and how far off a node may be.
import * as Plot from "@observablehq/plot";
import { counted, digits, logTicks, si } from "./format";
import { figure, grid, series, type Series } from "./figure";
import { clipped, marginFor, tip } from "./marks";
import type { NodeTest, PageData } from "./contract";

interface Dot {
  place: number;
  value: number;
  host: string;
  verdict: string;
  told: string;
}
interface Label {
  place: number;
  value: number;
  host: string;
}

const verdicts = ["ok", "slow", "unstable", "wrong", "fast", "missing"];
const height = 260,
  marginTop = 24,
  marginBottom = 34,
  mostLabels = 8,
  lineHeight = 13;
const unitNames: Record<string, string> = { "byte/s": "B/s" };

function dotsOf(test: NodeTest, shown: (value: number) => string): Dot[] {
  const flagged = new Map(test.flagged.map((one) => [one.at, one]));
  return test.values.map((value, i) => {
    const found = flagged.get(i);
    return {
      place: i + 1,
      value,
      host: test.hosts[i],
      verdict: found?.verdict ?? "ok",
      told: `${test.hosts[i]}\n${shown(value)}${found ? `\n${found.verdict}: ${found.told.replace(/ +/g, " ")}` : ""}`,
    };
  });
}

/** What a value may be on the worse side of a median; nothing where too few nodes are there to say so. */
function limitOf(test: NodeTest, median: number): number | undefined {
  if (test.limit_percent === null) return undefined;
  return median * (1 + ((test.better === "lower" ? 1 : -1) * test.limit_percent) / 100);
}

function caption(test: NodeTest, shown: (value: number) => string, unlabelled: number): string {
  const medians = test.medians.map(
    (one) =>
      `${test.medians.length > 1 ? `${counted(one.count, "node")}${one.name ? ` of ${one.name}` : ""}: ` : `${counted(one.count, "node")}, `}median ${shown(one.value)}`,
  );
  const limit = test.limit_percent === null ? "too few to say that one stands out" : `dashed: ${digits(test.limit_percent)} % worse`;
  const without =
    test.without.length > 0
      ? ` No value: ${test.without.slice(0, mostLabels).join(", ")}${test.without.length > mostLabels ? " ..." : ""}.`
      : "";
  return `${medians.join("; ")}; ${limit}.${unlabelled > 0 ? ` ${unlabelled} more stand out than are named.` : ""}${without}`;
}

/** Names beside what stands out, worst first, moved apart where they would lie over one another. */
function labels(dots: Dot[], domain: [number, number]): Label[] {
  const of = (value: number) => marginTop + ((domain[1] - value) / (domain[1] - domain[0])) * (height - marginTop - marginBottom),
    back = (at: number) => domain[1] - ((at - marginTop) / (height - marginTop - marginBottom)) * (domain[1] - domain[0]);
  const taken: number[] = [];
  return dots
    .filter((dot) => dot.verdict !== "ok")
    .slice(0, mostLabels)
    .map((dot) => {
      let at = of(dot.value);
      const away = at > height / 2 ? -1 : 1; // from the nearer edge
      while (taken.some((one) => Math.abs(one - at) < lineHeight)) at += away;
      taken.push(at);
      return { place: dot.place, value: back(at), host: clipped(dot.host, 22) };
    });
}

function plot(test: NodeTest, dots: Dot[], held: Series[], unit: string, width: number): Element | undefined {
  const drawn = dots.filter((dot) => held.some((one) => one.name === dot.verdict && !one.hidden));
  if (drawn.length === 0) return undefined;
  const limits = test.medians.flatMap((one) => limitOf(test, one.value) ?? []),
    all = [...drawn.map((dot) => dot.value), ...test.medians.map((one) => one.value), ...limits],
    room = (Math.max(...all) - Math.min(...all) || Math.max(...all)) * 0.06,
    domain: [number, number] = [Math.min(...all) - room, Math.max(...all) + room],
    ticks = logTicks(domain[0], domain[1], unit, 5),
    shown = (value: number) => si(value, unit),
    marginLeft = marginFor(ticks.map(shown), 74),
    marginRight = 18;
  const named = labels(drawn, domain),
    middle = dots.length / 2;
  const beside = (list: Label[], right: boolean) =>
    Plot.text(list, {
      x: "place",
      y: "value",
      text: "host",
      textAnchor: right ? "start" : "end",
      dx: right ? 8 : -8,
      fill: "currentColor",
    });
  return Plot.plot({
    width,
    height,
    marginLeft,
    marginRight,
    marginTop,
    marginBottom,
    x: {
      domain: [0.5, dots.length + 0.5],
      label: "nodes, worst first →",
      ticks: Math.max(2, Math.min(dots.length, Math.floor(width / 80))),
      tickFormat: (i: number) => (Number.isInteger(i) ? String(i) : ""),
    },
    y: {
      domain,
      grid: true,
      ticks,
      tickFormat: shown,
      label: test.better === "lower" ? "↓ lower is better" : "↑ higher is better",
    },
    marks: [
      Plot.ruleY(
        test.medians.map((one) => one.value),
        { stroke: "currentColor", strokeOpacity: 0.7 },
      ),
      Plot.ruleY(limits, { stroke: "currentColor", strokeDasharray: "5 4", strokeOpacity: 0.7 }),
      ...held
        .filter((one) => !one.hidden)
        .map((one) =>
          Plot.dot(
            drawn.filter((dot) => dot.verdict === one.name),
            { x: "place", y: "value", fill: one.color, symbol: one.symbol, r: one.name === "ok" ? 2 : 4 },
          ),
        ),
      beside(
        named.filter((one) => one.place <= middle),
        true,
      ),
      beside(
        named.filter((one) => one.place > middle),
        false,
      ),
      tip(drawn, "place", "value"),
    ],
  });
}

export function nodes(place: Element, data: PageData): void {
  const box = grid(place);
  for (const { run, tests } of data.screenings)
    for (const test of tests) {
      const unit = unitNames[test.unit] ?? test.unit,
        shown = (value: number) => si(value, unit),
        dots = dotsOf(test, shown),
        flagged = dots.filter((dot) => dot.verdict !== "ok").length;
      const held = verdicts
        .map((name, i) => ({ ...series(name, i), dash: "none", hidden: false }))
        .filter((one) => dots.some((dot) => dot.verdict === one.name));
      figure(box, {
        chart: "screen.nodes",
        title: `${test.quantity} of nodes, ${data.runs[run].name}`,
        caption: caption(test, shown, Math.max(0, flagged - mostLabels)),
        series: held,
        numbers: () => ({
          columns: ["node", "value", "verdict"],
          rows: dots.map((dot) => [dot.host, si(dot.value, unit, 5), dot.verdict]),
        }),
        draw: (width) => plot(test, dots, held, unit, width),
      });
    }
}
