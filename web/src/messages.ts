// SPDX-License-Identifier: Apache-2.0
// Charts of messages that the points alone do not tell: puts by what completes them, rates over pairs and threads.
import { line, lineChart, lineNumbers } from "./curves";
import { groupBy } from "./data";
import { bytes, si } from "./format";
import { figure, grid, series } from "./figure";
import { overNames } from "./marks";
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
          .map((row) => ({ series: bytes(numberOf(row.message_byte)), place: place(row), y: numberOf(row.message_rate_op_s) }))
          .map((dot) => ({ ...dot, told: `${dot.series}, ${dot.place}\n${si(dot.y, "op/s")}` }));
        return overNames(dots, held, { places, x: "pairs x threads", y: "messages per second", unit: "op/s" }, width);
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
