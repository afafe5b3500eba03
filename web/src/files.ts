// SPDX-License-Identifier: Apache-2.0
// Charts of parallel I/O that show more than points: pattern types of b_eff_io, phases and share of I/O of FTIO.
import * as Plot from "@observablehq/plot";
import { groupBy } from "./data";
import { decimalTicks, digits, si, processes } from "./format";
import { figure, series } from "./figure";
import { around, dotted, overNames, tip } from "./marks";
import { numberOf, records, sectionNumbers, type Record_ } from "./sections";
import type { PageData, Section } from "./contract";

const mega = 1e6;

/** Values of the five pattern types: what b_eff_io is the mean of. */
function types(box: Element, section: Section | undefined, several: boolean): void {
  for (const [key, rows] of groupBy(records(section), (row) => `${several ? `${row.run}, ` : ""}${processes(row.processes)}`)) {
    const accesses = ["write", "rewrite", "read"].filter((name) => rows.some((row) => row.access === name));
    const held = accesses.map((name, i) => series(name, i)),
      names = [...new Set(rows.map((row) => String(row.type)))];
    figure(box, {
      chart: "beffio.types",
      title: `b_eff_io by pattern type, ${key}`,
      series: held,
      caption: "All bytes of a type over its whole time with opening and closing. b_eff_io counts the first type twice.",
      numbers: () => sectionNumbers({ ...section!, rows: rows.map((row) => section!.columns.map((column) => row[column.key])) }),
      draw: (width) => {
        const dots = rows
          .map((row) => ({ series: String(row.access), place: String(row.type), y: numberOf(row.mbyte_s) * mega }))
          .map((dot) => ({ ...dot, told: `${dot.place}, ${dot.series}\n${si(dot.y, "B/s")}` }));
        return overNames(dots, held, { places: names, x: "pattern type", y: "bandwidth", unit: "B/s", tilted: true }, width);
      },
    });
  }
}

const parts = [
  ["I/O", "io_s"],
  ["communication", "communication_s"],
  ["computation and waiting", "rest_s"],
];

/** Where the time of the phases goes, one figure a size. */
function phases(box: Element, section: Section | undefined, several: boolean): void {
  for (const [key, rows] of groupBy(
    records(section),
    (row) => `${several ? `${row.run}, ` : ""}matrix of order ${row.order}, ${processes(row.processes)}${row.case ? `, ${row.case}` : ""}`,
  )) {
    const held = parts.map(([name], i) => ({ ...series(name, i), area: true })),
      names = rows.map((row) => String(row.phase));
    figure(box, {
      chart: "ftio.phases",
      title: `Phases of FTIO, ${key}`,
      series: held,
      caption: "Seconds of the slowest process; I/O and communication are means over the processes. Mean over the runs.",
      numbers: () => sectionNumbers({ ...section!, rows: rows.map((row) => section!.columns.map((column) => row[column.key])) }),
      draw: (width) => {
        const bars = rows.flatMap((row) =>
          held
            .map((one, i) => ({
              one,
              phase: String(row.phase),
              part: one.name,
              x: numberOf(row[parts[i][1]]),
              told: `${row.phase}: ${si(numberOf(row.time_s), "s")}\n${one.name} ${si(numberOf(row[parts[i][1]]), "s")}`,
            }))
            .filter((bar) => !bar.one.hidden && bar.x > 0),
        );
        if (bars.length === 0) return undefined;
        const longest = Math.max(...names.map((name) => bars.filter((bar) => bar.phase === name).reduce((sum, bar) => sum + bar.x, 0)));
        return Plot.plot({
          width,
          height: 54 + 30 * names.length,
          marginLeft: 84,
          marginBottom: 36,
          marginRight: 24,
          x: {
            domain: [0, longest * 1.18],
            grid: true,
            ticks: Math.max(2, Math.floor(width / 100)),
            tickFormat: (value: number) => si(value, "s"),
            label: "time →",
            labelAnchor: "right",
          },
          y: { type: "band", domain: names, label: null },
          color: { domain: held.map((one) => one.name), range: held.map((one) => one.color) },
          marks: [
            Plot.barX(
              bars,
              Plot.stackX({
                x: "x",
                y: "phase",
                fill: "part",
                order: held.map((one) => one.name),
                insetTop: 2,
                insetBottom: 2,
                insetRight: 1,
                title: "told",
                tip: { fill: "var(--card)", stroke: "var(--line)" },
              }),
            ),
            Plot.text(rows, {
              x: (row: Record_) => held.reduce((sum, one, i) => sum + (one.hidden ? 0 : numberOf(row[parts[i][1]])), 0),
              y: "phase",
              text: (row: Record_) => (held.every((one) => !one.hidden) ? si(numberOf(row.time_s), "s") : ""),
              textAnchor: "start",
              dx: 5,
              fill: "currentColor",
            }),
            Plot.ruleX([0]),
          ],
        });
      },
    });
  }
}

/** Share of I/O over the size of the matrix, beside the published runs. */
function fractions(box: Element, section: Section | undefined): void {
  const rows = records(section).filter((row) => numberOf(row.elements) > 0 && row.io_fraction !== null);
  if (!rows.some((row) => row.own === 1)) return;
  const name = (row: Record_) => `${row.own === 1 ? "" : "published: "}${row.curve}, ${processes(row.processes)}`;
  const curves = [...groupBy(rows, name)].sort(([, a], [, b]) => numberOf(b[0].own) - numberOf(a[0].own));
  const held = curves.map(([one], i) => series(one, i));
  figure(box, {
    chart: "ftio.shares",
    title: "Share of I/O in FTIO",
    series: held,
    explained: true,
    caption: "Grey: neither side dominates (0.45 to 0.55). Above it faster I/O helps most, below it faster processors or network.",
    numbers: () => sectionNumbers(section),
    draw: (width) => {
      const visible = curves
        .map(([, list], i) => ({
          one: held[i],
          dots: [...list]
            .sort((a, b) => numberOf(a.elements) - numberOf(b.elements))
            .map((row) => ({
              x: numberOf(row.elements),
              y: numberOf(row.io_fraction),
              told: `${name(row)}\n${digits(numberOf(row.elements))} elements\n${digits(100 * numberOf(row.io_fraction))} % I/O`,
            })),
        }))
        .filter(({ one }) => !one.hidden);
      const dots = visible.flatMap((one) => one.dots);
      if (dots.length === 0) return undefined;
      const x = around(
        dots.map((dot) => dot.x),
        1.6,
      );
      return Plot.plot({
        width,
        height: Math.max(230, Math.min(320, width * 0.6)),
        marginLeft: 46,
        marginBottom: 36,
        marginTop: 22,
        x: { type: "log", domain: x, ticks: decimalTicks(x[0], x[1], 6), tickFormat: plain, label: "elements of the matrix →" },
        y: {
          domain: [0, 1],
          grid: true,
          ticks: 5,
          tickFormat: (value: number) => `${Math.round(100 * value)} %`,
          label: "↑ I/O of the whole time",
        },
        marks: [
          Plot.rect([0], { x1: x[0], x2: x[1], y1: 0.45, y2: 0.55, fill: "currentColor", fillOpacity: 0.1 }),
          ...visible.flatMap(({ one, dots: list }) => dotted(list, one, "x", "y")),
          tip(dots, "x", "y"),
        ],
      });
    },
  });
}

/** 5308416 -> "5.31 M". */
function plain(value: number): string {
  const [scale, prefix] = value >= 1e9 ? [1e9, " G"] : value >= 1e6 ? [1e6, " M"] : value >= 1e3 ? [1e3, " k"] : [1, ""];
  return digits(value / (scale as number)) + prefix;
}

const sectionOf = (data: PageData, id: string) => data.figures.find((one) => one.id === id);

export function typeCharts(box: Element, data: PageData): void {
  types(box, sectionOf(data, "beffio_types"), data.runs.length > 1);
}

export function ftioCharts(box: Element, data: PageData): void {
  phases(box, sectionOf(data, "ftio_phases"), data.runs.length > 1);
  fractions(box, sectionOf(data, "B14"));
}
