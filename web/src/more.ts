// SPDX-License-Identifier: Apache-2.0
// Charts of noise, of pairs of processes and of a comparison.
import * as Plot from "@observablehq/plot";
import { groupBy } from "./data";
import { byteTicks, bytes, digits, si } from "./format";
import { element, figure, grid, series } from "./figure";
import type { PageData } from "./contract";

export function noise(place: Element, data: PageData): void {
  const box = grid(place);
  for (const run of data.runs) {
    const ends = run.noise?.detours?.class_ends_s ?? [], counts = run.noise?.detours?.counts ?? [];
    if (counts.length < 2 || counts.every((count) => count === 0)) continue;
    const classes = counts.map((count, i) => ({ count, name: i < ends.length ? `to ${si(ends[i], "s")}` : "longer" }));
    figure(box, {
      numbers: () => ({ columns: ["length of the interruption", "count"], rows: classes.map((one) => [one.name, one.count]) }),
      title: `Interruptions of ${run.name}`, caption: "How often the same work was interrupted, by the length of the interruption; square-root axis.",
      draw: (width) => Plot.plot({
        width, height: 230, marginLeft: 46, marginBottom: 52,
        x: { type: "band", domain: classes.map((one) => one.name), label: null, tickRotate: -35 },
        y: { type: "sqrt", grid: true, ticks: 5, label: "↑ count" },
        marks: [Plot.barY(classes, { x: "name", y: "count", fill: "var(--c0)", inset: 2 }), Plot.ruleY([0]),
          Plot.text(classes, { x: "name", y: "count", text: (one) => String(one.count), dy: -7 })],
      }),
    });
  }
  for (const one of data.batches) {
    figure(box, {
      numbers: () => ({ columns: ["batch", "time", "over the median"], rows: one.batches.map((value, i) => [i + 1, si(value, "s", 5), digits(value / one.median, 4)]) }),
      title: "Batches over time", caption: `${one.key}${data.runs.length > 1 ? `, ${data.runs[one.run].name}` : ""}: time over the median, in the order of time. Among the points whose batches spread most.`,
      draw: (width) => {
        const dots = one.batches.map((value, i) => ({ i: i + 1, y: value / one.median, told: `batch ${i + 1}\n${si(value, "s")}` }));
        return Plot.plot({
          width, height: 220, marginLeft: 46, marginBottom: 36,
          x: { label: "batch →", ticks: 6 }, y: { grid: true, label: "↑ over the median", ticks: 5, zero: false },
          marks: [Plot.ruleY([1], { stroke: "currentColor", strokeOpacity: .6 }), Plot.lineY(dots, { x: "i", y: "y", stroke: "var(--c0)", strokeOpacity: .4 }),
            Plot.dot(dots, { x: "i", y: "y", fill: "var(--c0)", r: 2.5 }), Plot.tip(dots, Plot.pointer({ x: "i", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" }))],
        });
      },
    });
  }
}

/** Dark blue to yellow, as bright as the value is large, also for eyes that do not tell red from green. */
const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
function shade(share: number): string {
  const at = Math.min(stops.length - 1.001, Math.max(0, share * (stops.length - 1))), i = Math.floor(at);
  return `rgb(${stops[i].map((from, k) => Math.round(from + (stops[i + 1][k] - from) * (at - i))).join(" ")})`;
}

function scale(low: number, high: number, unit: string, width: number): HTMLElement {
  const bar = element("span", { class: "shades", style: `background:linear-gradient(90deg,${Array.from({ length: 9 }, (_, i) => shade(i / 8)).join(",")})` });
  return element("div", { class: "scale", style: `width:${width}px` }, si(low, unit), bar, si(high, unit));
}

/** Rank by rank, as a picture: a square a pair. */
export function pairs(place: Element, data: PageData): void {
  const box = grid(place);
  for (const table of data.pairs)
    for (const [column, unit, title] of [["latency_s", "s", "Latency"], ["bandwidth_byte_s", "B/s", "Bandwidth"]] as const) {
      const from = table.columns.from_rank ?? [], to = table.columns.to_rank ?? [], values = table.columns[column] ?? [];
      const logs = values.filter((value) => value > 0).map(Math.log);
      if (logs.length === 0) continue;
      const low = Math.min(...logs), high = Math.max(...logs), ranks = Math.max(...from, ...to) + 1;
      const host = (rank: number) => table.hosts?.[rank] ? ` (${table.hosts[rank]})` : "";
      const told = (i: number) => `rank ${from[i]}${host(from[i])} to rank ${to[i]}${host(to[i])}: ${si(values[i], unit)}`;
      figure(box, {
        title: `${title} of pairs, ${data.runs[table.run].name}`,
        caption: "Row: from rank, column: to rank, both in the order of ranks, which keeps the ranks of a host together where the launcher fills host by host. Logarithmic shades.",
        numbers: () => ({ columns: ["from rank", "to rank", title.toLowerCase()], rows: values.map((value, i) => [from[i], to[i], value > 0 ? si(value, unit, 5) : null]) }),
        draw: (width) => {
          const edge = 26, size = Math.min(width - edge, 420), cell = size / ranks, dense = 2;
          const canvas = element("canvas", { width: String((size + edge) * dense), height: String((size + edge) * dense), style: `width:${size + edge}px;height:${size + edge}px` });
          const paper = canvas.getContext("2d")!;
          paper.scale(dense, dense);
          paper.fillStyle = getComputedStyle(document.body).color;
          paper.font = "11px system-ui, sans-serif";
          const step = Math.max(1, Math.ceil(ranks * 22 / size));
          for (let rank = 0; rank < ranks; rank += step) {
            paper.textAlign = "center";
            paper.fillText(String(rank), edge + (rank + .5) * cell, 16);
            paper.textAlign = "right";
            paper.fillText(String(rank), edge - 6, edge + (rank + .5) * cell + 4);
          }
          const places = new Map<string, number>();
          values.forEach((value, i) => {
            if (!(value > 0)) return;
            places.set(`${from[i]} ${to[i]}`, i);
            paper.fillStyle = shade((Math.log(value) - low) / Math.max(1e-12, high - low));
            const left = Math.round(to[i] * cell), top = Math.round(from[i] * cell);
            paper.fillRect(edge + left, edge + top, Math.round((to[i] + 1) * cell) - left, Math.round((from[i] + 1) * cell) - top);
          });
          const said = element("p", { class: "note" }, "Point at a square for its pair.");
          canvas.addEventListener("pointermove", (event) => {
            const i = places.get(`${Math.floor((event.offsetY - edge) / cell)} ${Math.floor((event.offsetX - edge) / cell)}`);
            if (i !== undefined) said.textContent = told(i);
          });
          return element("div", {}, canvas, scale(Math.exp(low), Math.exp(high), unit, size + edge), said);
        },
      });
    }
}

const verdicts = ["same", "faster", "slower", "unclear", "unverified"];

export function comparison(place: Element, data: PageData): void {
  if (!data.comparison) return;
  const zone = data.comparison.threshold, box = grid(place);
  for (const [benchmark, list] of groupBy(data.comparison.points.filter((point) => point.length_byte !== null), (point) => point.benchmark)) {
    const held = verdicts.map((name, i) => ({ ...series(name, [5, 2, 4, 1, 3][i]), hidden: false })).filter((one) => list.some((point) => point.verdict === one.name));
    figure(box, {
      numbers: () => ({
        columns: ["point", "message length", "new over base", "from", "to", "verdict"],
        rows: list.filter((point) => held.some((one) => one.name === point.verdict && !one.hidden)).map((point) => [point.key, bytes(point.length_byte!),
          digits(point.ratio, 4), point.low === null ? null : digits(point.low, 4), point.high === null ? null : digits(point.high, 4), point.verdict]),
      }),
      title: `${benchmark}, new over base`, caption: "Dot: ratio of the medians; line: 95 % interval; grey: differences below the threshold.", series: held, explained: true,
      draw: (width) => {
        const shown = list.filter((point) => held.some((one) => one.name === point.verdict && !one.hidden))
          .map((point) => ({ ...point, x: Math.max(.5, point.length_byte!), told: `${point.key}\n${digits(point.ratio, 4)}\n${point.verdict}` }));
        if (shown.length === 0) return undefined;
        const ends = shown.flatMap((point) => [point.ratio, point.low ?? point.ratio, point.high ?? point.ratio]).filter((value) => value > 0);
        const reach = Math.max(1.1, 1 / Math.min(...ends), ...ends) * 1.03;
        const xs = shown.map((point) => point.x), x = [Math.min(...xs) / 1.3, Math.max(...xs) * 1.3];
        return Plot.plot({
          width, height: 240, marginLeft: 46, marginBottom: 36, marginTop: 22,
          x: { type: "log", base: 2, domain: x, ticks: byteTicks(x[0], x[1], width - 60), tickFormat: bytes, label: "message length →" },
          y: { type: "log", domain: [1 / reach, reach], grid: true, ticks: [.2, .5, .8, .9, 1, 1.1, 1.25, 2, 5].filter((tick) => tick < reach && tick > 1 / reach), tickFormat: (value: number) => digits(value), label: "↑ new over base" },
          marks: [
            Plot.rect([0], { x1: x[0], x2: x[1], y1: 1 / (1 + zone), y2: 1 + zone, fill: "currentColor", fillOpacity: .09 }),
            Plot.ruleY([1], { stroke: "currentColor", strokeOpacity: .6 }),
            ...held.filter((one) => !one.hidden).flatMap((one) => {
              const mine = shown.filter((point) => point.verdict === one.name);
              return [Plot.ruleX(mine.filter((point) => point.low !== null), { x: "x", y1: "low", y2: "high", stroke: one.color, strokeWidth: 1.5 }),
                Plot.dot(mine, { x: "x", y: "ratio", fill: one.color, symbol: one.symbol, r: 3.2 })];
            }),
            Plot.tip(shown, Plot.pointer({ x: "x", y: "ratio", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
          ],
        });
      },
    });
  }
}
