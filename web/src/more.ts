// SPDX-License-Identifier: Apache-2.0
// Charts of a comparison.
import * as Plot from "@observablehq/plot";
import { groupBy } from "./data";
import { byteTicks, bytes, digits, spaced } from "./format";
import { element, figure, grid, series } from "./figure";
import { axisY } from "./marks";
import type { PageData } from "./contract";

const ratioMarks = [0.001, 0.01, 0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1, 1.01, 1.02, 1.05, 1.1, 1.25, 1.5, 2, 5, 10, 100, 1000];
const verdicts = ["same", "faster", "slower", "unclear", "unverified"];

export function comparison(place: Element, data: PageData): void {
  if (!data.comparison) return;
  const { points, points_of } = data.comparison;
  if (points.length < points_of)
    place.append(element("p", { class: "note" }, `${points.length} of ${points_of} points, those that changed before others.`));
  const zone = data.comparison.threshold,
    box = grid(place);
  for (const [benchmark, list] of groupBy(
    data.comparison.points.filter((point) => point.length_byte !== null),
    (point) => point.benchmark,
  )) {
    const held = verdicts
      .map((name, i) => ({ ...series(name, [5, 2, 4, 1, 3][i]), hidden: false }))
      .filter((one) => list.some((point) => point.verdict === one.name));
    figure(box, {
      chart: "comparison",
      numbers: () => ({
        columns: ["point", "message length", "new over base", "from", "to", "verdict"],
        rows: list
          .filter((point) => held.some((one) => one.name === point.verdict && !one.hidden))
          .map((point) => [
            point.key,
            bytes(point.length_byte!),
            digits(point.ratio, 4),
            point.low === null ? null : digits(point.low, 4),
            point.high === null ? null : digits(point.high, 4),
            point.verdict,
          ]),
      }),
      title: `${benchmark}, new over base`,
      caption: "Dot: ratio of the medians; line: 95 % interval; grey: differences below the threshold.",
      series: held,
      explained: true,
      draw: (width) => {
        const shown = list
          .filter((point) => held.some((one) => one.name === point.verdict && !one.hidden))
          .map((point) => ({
            ...point,
            x: Math.max(0.5, point.length_byte!),
            told: `${point.key}\n${digits(point.ratio, 4)}\n${point.verdict}`,
          }));
        if (shown.length === 0) return undefined;
        const ends = shown
          .flatMap((point) => [point.ratio, point.low ?? point.ratio, point.high ?? point.ratio])
          .filter((value) => value > 0);
        const height = 240,
          top = 22,
          bottom = 36;
        const reach = Math.max(1.1, 1 / Math.min(...ends), ...ends) * 1.03;
        const xs = shown.map((point) => point.x),
          x = [Math.min(...xs) / 1.3, Math.max(...xs) * 1.3],
          ticks = spaced(ratioMarks, [1 / reach, reach], height - top - bottom, 1);
        return Plot.plot({
          width,
          height,
          marginLeft: 52,
          marginBottom: bottom,
          marginTop: top,
          x: {
            type: "log",
            base: 2,
            domain: x,
            ticks: xs.includes(0.5) ? [0.5, ...byteTicks(2, x[1], width - 60)] : byteTicks(x[0], x[1], width - 60),
            tickFormat: (value: number) => (value < 1 ? "0" : bytes(value)),
            label: "message length →",
          },
          y: {
            type: "log",
            domain: [1 / reach, reach],
            grid: true,
            ticks,
          },
          marks: [
            axisY(ticks, (value) => digits(value), "↑ new over base"),
            Plot.rect([0], { x1: x[0], x2: x[1], y1: 1 / (1 + zone), y2: 1 + zone, fill: "currentColor", fillOpacity: 0.09 }),
            Plot.ruleY([1], { stroke: "currentColor", strokeOpacity: 0.6 }),
            ...held
              .filter((one) => !one.hidden)
              .flatMap((one) => {
                const mine = shown.filter((point) => point.verdict === one.name);
                return [
                  Plot.ruleX(
                    mine.filter((point) => point.low !== null),
                    { x: "x", y1: "low", y2: "high", stroke: one.color, strokeWidth: 1.5 },
                  ),
                  Plot.dot(mine, { x: "x", y: "ratio", fill: one.color, symbol: one.symbol, r: 3.2 }),
                ];
              }),
            Plot.tip(shown, Plot.pointer({ x: "x", y: "ratio", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
          ],
        });
      },
    });
  }
}
