// SPDX-License-Identifier: Apache-2.0
// What several charts are made of.
import * as Plot from "@observablehq/plot";
import type { Series } from "./figure";
import { decimalTicks, si } from "./format";

/** The text `told` of the mark that is pointed at. */
export function tip(dots: object[], x: string, y: string): Plot.Markish {
  return Plot.tip(dots, Plot.pointer({ x, y, title: "told", fill: "var(--card)", stroke: "var(--line)" }));
}

/** Ends of a logarithmic axis around values, with some room. */
export function around(values: number[], room = 1.3): [number, number] {
  return [Math.min(...values) / room, Math.max(...values) * room];
}

/** A line with its dots. */
export function dotted(dots: object[], one: Series, x: string, y: string): Plot.Markish[] {
  return [
    Plot.lineY(dots, { x, y, stroke: one.color, strokeDasharray: one.dash, strokeWidth: 1.8 }),
    Plot.dot(dots, { x, y, fill: one.color, symbol: one.symbol, r: 3.2 }),
  ];
}

/** A value of one of several series at a name, with the text that is told when it is pointed at. */
export interface NamedDot {
  series: string;
  place: string;
  y: number;
  told: string;
}

/** Values over names, a line for each series that is not hidden, on a logarithmic axis; nothing where there are none. */
export function overNames(
  all: NamedDot[],
  held: Series[],
  axes: { places: string[]; x: string | null; y: string; unit: string; tilted?: boolean; text?: (place: string) => string },
  width: number,
): Element | undefined {
  const shown = held.filter((one) => !one.hidden);
  const dots = all.filter((dot) => dot.y > 0 && shown.some((one) => one.name === dot.series));
  if (dots.length === 0) return undefined;
  const y = around(dots.map((dot) => dot.y));
  return Plot.plot({
    width,
    height: 250,
    marginLeft: 66,
    marginBottom: axes.tilted ? 54 : 36,
    marginTop: 22,
    x: { type: "point", domain: axes.places, label: axes.x, padding: 0.4, tickRotate: axes.tilted ? -30 : 0, tickFormat: axes.text },
    y: {
      type: "log",
      domain: y,
      grid: true,
      ticks: decimalTicks(y[0], y[1], 6),
      tickFormat: (value: number) => si(value, axes.unit),
      label: `↑ ${axes.y}`,
    },
    marks: [
      ...shown.flatMap((one) =>
        dotted(
          dots.filter((dot) => dot.series === one.name),
          one,
          "place",
          "y",
        ),
      ),
      tip(dots, "place", "y"),
    ],
  });
}

/** So much of a name as a margin has room for. */
export function clipped(name: string, letters = 26): string {
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}
