// SPDX-License-Identifier: Apache-2.0
// What several charts are made of.
import * as Plot from "@observablehq/plot";
import type { Series } from "./figure";

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

/** So much of a name as a margin has room for. */
export function clipped(name: string, letters = 26): string {
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}
