// SPDX-License-Identifier: Apache-2.0
// How far every criterion is from its limit.
import * as Plot from "@observablehq/plot";
import { digits } from "./format";
import { figure, grid, series } from "./figure";
import { clipped } from "./marks";
import type { CriterionBar, PageData } from "./contract";

const verdicts = ["fail", "undecided", "pass", "waived", "missing", "wrong input"];
const colours = [3, 1, 2, 5, 4, 4];

/** Percent beyond the limit; its ends may lie far off where a launch is alone. */
function drawn(bars: CriterionBar[]) {
  return bars
    .filter((bar) => bar.margin !== null)
    .map((bar) => ({
      ...bar,
      at: 100 * bar.margin!,
      from: bar.low === null ? null : 100 * bar.low,
      to: bar.high === null ? null : 100 * bar.high,
      told: bar.told.replace(/; /g, "\n"),
    }));
}

export function acceptance(place: Element, data: PageData): void {
  const rows = drawn(data.acceptance ?? []);
  if (rows.length === 0) return;
  const held = verdicts
    .map((name, i) => ({ ...series(name, colours[i]), dash: "none", symbol: "square" as const, area: true, hidden: false }))
    .filter((one) => rows.some((row) => row.verdict === one.name));
  const box = grid(place, true);
  figure(box, {
    chart: "acceptance",
    title: "Distance from the limits",
    caption:
      "Bar: the value beyond its limit, to the right where it is better than asked; line: its interval. Criteria without a number are in the table.",
    series: held,
    explained: true,
    numbers: () => ({
      columns: ["criterion", "verdict", "margin, %", "from", "to"],
      rows: rows.map((row) => [
        row.id,
        row.verdict,
        digits(row.at, 3),
        row.from === null ? null : digits(row.from, 3),
        row.to === null ? null : digits(row.to, 3),
      ]),
    }),
    draw: (width) => {
      const shown = rows.filter((row) => held.some((one) => one.name === row.verdict && !one.hidden));
      if (shown.length === 0) return undefined;
      const colour = (verdict: string) => held.find((one) => one.name === verdict)!.color;
      return Plot.plot({
        width,
        height: 60 + 26 * shown.length,
        marginLeft: 170,
        marginRight: 24,
        marginTop: 8,
        marginBottom: 40,
        x: { grid: true, label: "better than the limit by, % →", ticks: Math.max(3, Math.floor(width / 140)) },
        y: { type: "band", domain: shown.map((row) => row.id), label: null, tickFormat: (name: string) => clipped(name) },
        marks: [
          Plot.barX(shown, {
            x1: 0,
            x2: "at",
            y: "id",
            fill: (row: { verdict: string }) => colour(row.verdict),
            insetTop: 4,
            insetBottom: 4,
          }),
          Plot.ruleY(
            shown.filter((row) => row.from !== null && row.to !== null),
            { x1: "from", x2: "to", y: "id", stroke: "currentColor", strokeWidth: 1.8 },
          ),
          Plot.ruleX([0], { stroke: "currentColor", strokeWidth: 1.5 }),
          Plot.tip(shown, Plot.pointerY({ x: "at", y: "id", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
        ],
      });
    },
  });
}
