// SPDX-License-Identifier: Apache-2.0
// What several charts are made of.
import * as Plot from "@observablehq/plot";
import type { Series } from "./figure";
import { linearTicks, logTicks, si, spaced } from "./format";

/** The text `told` of the mark that is pointed at. */
export function tip(dots: object[], x: string, y: string): Plot.Markish {
  return Plot.tip(dots, Plot.pointer({ x, y, title: "told", fill: "var(--card)", stroke: "var(--line)" }));
}

const paper = document.createElement("canvas").getContext("2d")!;

/** Width of a text of a chart in pixels. */
export function textWidth(text: string): number {
  paper.font = "11px system-ui, sans-serif"; // as style.css has it
  return paper.measureText(text).width;
}

const widest = (texts: string[]) => Math.max(0, ...texts.map(textWidth));

/** Left margin that holds the texts of an axis beside its ticks; charts whose texts are short keep `least`. */
export function marginFor(texts: string[], least: number): number {
  return Math.max(least, Math.ceil(widest(texts)) + 14);
}

/** Right margin that holds the half of the last text which stands beyond the last tick. */
export function overhang(texts: string[], least: number): number {
  return Math.max(least, Math.ceil(widest(texts.slice(-1)) / 2) + 4);
}

/** Ticks of a horizontal axis of `room` pixels, at most about `most`, whose texts stand apart. */
export function fittingTicks(x: number[], unit: string, log: boolean, most: number, room: number): number[] {
  const apart = (ticks: number[]) => widest(ticks.map((tick) => si(tick, unit))) + 14;
  if (log) {
    const ticks = logTicks(x[0], x[1], unit, most);
    return spaced(ticks, [x[0], x[1]], room, x[0], apart(ticks));
  }
  for (let about = most; about > 1; --about) {
    const ticks = linearTicks(x[0], x[1], unit, about);
    if (ticks.length * apart(ticks) <= room) return ticks;
  }
  return linearTicks(x[0], x[1], unit, 1);
}

/** Ends of a logarithmic axis around values, with some room. */
export function around(values: number[], room = 1.3): [number, number] {
  return [Math.min(...values) / room, Math.max(...values) * room];
}

/** A vertical axis of which every tick has its text: on a logarithmic one D3 leaves out 0.9 between 0.95 and 0.85. */
export function axisY(ticks: number[], text: (value: number) => string, label: string): Plot.Markish {
  return Plot.axisY(ticks, { text, label });
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
  axes: { places: string[]; x: string; y: string; unit: string; tilted?: boolean; text?: (place: string) => string },
  width: number,
): Element | undefined {
  const shown = held.filter((one) => !one.hidden);
  const dots = all.filter((dot) => dot.y > 0 && shown.some((one) => one.name === dot.series));
  if (dots.length === 0) return undefined;
  const y = around(dots.map((dot) => dot.y)),
    ticks = logTicks(y[0], y[1], axes.unit, 6),
    text = (value: number) => si(value, axes.unit);
  return Plot.plot({
    width,
    height: axes.tilted ? 264 : 250,
    marginLeft: marginFor(ticks.map(text), 66),
    marginBottom: axes.tilted ? 68 : 36,
    marginTop: 22,
    x: {
      type: "point",
      domain: axes.places,
      label: `${axes.x} →`,
      labelAnchor: "right",
      labelOffset: axes.tilted ? 64 : undefined,
      padding: 0.4,
      tickRotate: axes.tilted ? -30 : 0,
      tickFormat: axes.text,
    },
    y: {
      type: "log",
      domain: y,
      grid: true,
      ticks,
      tickFormat: text,
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

/** So much of a text, from its start, as stands in `room` pixels. */
function cut(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  let letters = text.length - 1;
  while (letters > 1 && textWidth(`${text.slice(0, letters)}…`) > room) --letters;
  return `${text.slice(0, letters)}…`;
}

/** A name in at most so many lines of `room` pixels, cut at the end only, so that its start can always be read. */
export function wrapped(name: string, room: number, most: number): string {
  const lines = [""];
  for (const word of name.split(" ")) {
    const held = lines[lines.length - 1],
      longer = held ? `${held} ${word}` : word;
    if (held && lines.length < most && textWidth(longer) > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => cut(line, room)).join("\n");
}

/** So much of a name as a margin has room for. */
export function clipped(name: string, letters = 26): string {
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}
