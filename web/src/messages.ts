// SPDX-License-Identifier: Apache-2.0
// Charts of messages that the points alone do not tell: puts by what completes them, rates over pairs and threads.
import * as Plot from "@observablehq/plot";
import { line, lineChart, lineNumbers } from "./curves";
import { groupBy } from "./data";
import { bytes, decimalTicks, si } from "./format";
import { figure, grid, series } from "./figure";
import { around, dotted, tip } from "./marks";
import { numberOf, records, sectionNumbers } from "./sections";
import type { PageData, Section } from "./contract";

/** Times of a put over its length, a line for each way to complete it. */
function puts(box: Element, section: Section): void {
  const ways = section.columns.filter((column) => column.key !== "run" && column.key !== "message_byte");
  for (const [run, rows] of groupBy(records(section), (row) => String(row.run))) {
    const measured = ways.filter((way) => rows.some((row) => numberOf(row[way.key]) > 0));
    const held = measured.map((way, i) => series(way.title, i));
    const lines = () =>
      measured.map((way, i) =>
        line(
          held[i],
          rows
            .filter((row) => numberOf(row[way.key]) > 0)
            .map((row) => {
              const x = numberOf(row.message_byte),
                y = numberOf(row[way.key]);
              return { x: Math.max(0.5, x), y, low: y, high: y, zero: x === 0, told: `${bytes(x)}\n${si(y, "s")}` };
            }),
        ),
      );
    figure(box, {
      chart: "messages.completion",
      title: `Put by what completes it, ${run}`,
      caption: "Of one process to another: each made sure of by itself, or all of a sample together.",
      series: held,
      draw: (width) => lineChart(lines(), { x: "message length", y: "time", unit: "s", scale: "log" }, width),
      numbers: () => lineNumbers(lines(), "message length", "time", "s"),
    });
  }
}

/** Messages per second over pairs of processes and threads of each, a line for each length. */
function rates(box: Element, section: Section): void {
  for (const [key, rows] of groupBy(records(section), (row) => `${row.benchmark}, ${row.run}`)) {
    const place = (row: (typeof rows)[0]) => `${row.pairs} x ${row.threads}`;
    const places = [...new Set(rows.map(place))];
    if (places.length < 2) continue;
    const lengths = [...new Set(rows.map((row) => numberOf(row.message_byte)))];
    const held = lengths.slice(0, 12).map((length, i) => series(bytes(length), i));
    figure(box, {
      chart: "messages.rates",
      title: `${key}: messages per second`,
      caption: "Over pairs of processes x threads of a process that send at the same time.",
      series: held,
      numbers: () => sectionNumbers({ ...section, rows: rows.map((row) => section.columns.map((column) => row[column.key])) }),
      draw: (width) => {
        const dots = rows
          .map((row) => ({ x: place(row), y: numberOf(row.message_rate_op_s), name: bytes(numberOf(row.message_byte)) }))
          .map((dot) => ({ ...dot, told: `${dot.name}, ${dot.x}\n${si(dot.y, "1/s")}` }))
          .filter((dot) => dot.y > 0 && held.some((one) => one.name === dot.name && !one.hidden));
        if (dots.length === 0) return undefined;
        const y = around(dots.map((dot) => dot.y));
        return Plot.plot({
          width,
          height: 250,
          marginLeft: 66,
          marginBottom: 36,
          marginTop: 22,
          x: { type: "point", domain: places, label: "pairs x threads →", padding: 0.4 },
          y: {
            type: "log",
            domain: y,
            grid: true,
            ticks: decimalTicks(y[0], y[1], 6),
            tickFormat: (value: number) => si(value, "1/s"),
            label: "↑ messages per second",
          },
          marks: [
            ...held
              .filter((one) => !one.hidden)
              .flatMap((one) =>
                dotted(
                  dots.filter((dot) => dot.name === one.name),
                  one,
                  "x",
                  "y",
                ),
              ),
            tip(dots, "x", "y"),
          ],
        });
      },
    });
  }
}

export function messages(place: Element, data: PageData): void {
  const of = (id: string) => data.figures.find((one) => one.id === id);
  const synchronised = of("put_synchronisation"),
    counted = of("message_rates");
  if (!synchronised && !counted) return;
  const box = grid(place);
  if (synchronised) puts(box, synchronised);
  if (counted) rates(box, counted);
}
