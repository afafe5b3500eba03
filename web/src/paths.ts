// SPDX-License-Identifier: Apache-2.0
// b_eff along its analysis paths, over the lengths, and pattern by pattern.
import * as Plot from "@observablehq/plot";
import { line, lineChart, lineNumbers } from "./curves";
import { groupBy } from "./data";
import { bytes, si, processes } from "./format";
import { figure, series, type Series } from "./figure";
import { around, clipped, fittingTicks, overhang, tip } from "./marks";
import { numberOf, records, sectionNumbers, type Record_ } from "./sections";
import type { PageData, Section } from "./contract";

const giga = 1e9,
  sets = ["rings", "random", "both"];

/** Rows of a section by run and number of processes. */
function groups(section: Section | undefined, several: boolean): [string, Record_[]][] {
  return [...groupBy(records(section), (row) => `${several ? `${row.run}, ` : ""}${processes(row.processes)}`)];
}

function only(section: Section, rows: Record_[]): Section {
  return { ...section, rows: rows.map((row) => section.columns.map((column) => row[column.key])) };
}

/** Values on a line each, by name: one chart form for paths and for patterns. */
function strip(
  rows: { name: string; one: Series; x: number; told: string }[],
  names: string[],
  label: string,
  width: number,
): Element | undefined {
  if (rows.length === 0) return undefined;
  const letters = width < 480 ? 20 : 34,
    all = rows.map((row) => row.x),
    near = Math.max(...all) / Math.min(...all) < 10,
    x = near ? [0, Math.max(...all) * 1.05] : around(all, 1.15);
  const left = Math.min(width * 0.5, 16 + 6 * Math.max(...names.map((name) => Math.min(letters, name.length)))),
    text = (value: number) => si(value, "B/s"),
    room = width - left - 24,
    ticks = fittingTicks(x, "B/s", !near, near ? Math.max(2, Math.floor(room / 70)) : 4, room);
  return Plot.plot({
    width,
    height: 54 + 20 * new Set(names).size,
    marginLeft: left,
    marginBottom: 36,
    marginRight: overhang(ticks.map(text), 24),
    x: {
      type: near ? "linear" : "log",
      domain: x,
      grid: true,
      ticks,
      tickFormat: text,
      label: `${label} →`,
    },
    y: { type: "point", domain: names, label: null, tickFormat: (name: string) => clipped(name, letters) },
    marks: [
      Plot.ruleY(names, { stroke: "var(--line)", strokeWidth: 0.6 }),
      ...[...new Set(rows.map((row) => row.one))].map((one) =>
        Plot.dot(
          rows.filter((row) => row.one === one),
          { x: "x", y: "name", fill: one.color, symbol: one.symbol, r: 4 },
        ),
      ),
      tip(rows, "x", "name"),
    ],
  });
}

function paths(box: Element, section: Section, key: string, rows: Record_[]): void {
  const held = sets.map((name, i) => series(name, i)),
    names = rows.map((row) => String(row.path));
  figure(box, {
    chart: "beff.paths",
    title: `Analysis paths of b_eff, ${key}`,
    series: held,
    caption:
      "First line: b_eff itself, the best method and repetition at every length. Below it, what is left if one method or one repetition must do for all lengths.",
    numbers: () => sectionNumbers(only(section, rows)),
    draw: (width) =>
      strip(
        held
          .filter((one) => !one.hidden)
          .flatMap((one) =>
            rows
              .filter((row) => numberOf(row[one.name]) > 0)
              .map((row) => ({
                name: String(row.path),
                one,
                x: numberOf(row[one.name]) * giga,
                told: `${row.path}\n${one.name}: ${si(numberOf(row[one.name]) * giga, "B/s")}`,
              })),
          ),
        names,
        "bandwidth of all processes",
        width,
      ),
  });
}

function lengths(box: Element, key: string, rows: Record_[]): void {
  const held = sets.map((name, i) => series(name, i));
  const axes = { x: "message length", y: "bandwidth of all processes", unit: "B/s", scale: "log" as const };
  const lines = () =>
    held.map((one) =>
      line(
        one,
        rows
          .filter((row) => numberOf(row[one.name]) > 0 && numberOf(row.length_byte) > 0)
          .map((row) => {
            const x = numberOf(row.length_byte),
              y = numberOf(row[one.name]) * giga;
            return { x, y, low: y, high: y, told: `${one.name}\n${bytes(x)}\n${si(y, "B/s")}` };
          }),
      ),
    );
  figure(box, {
    chart: "beff.lengths",
    title: `Best of all by length, ${key}`,
    series: held,
    caption: "Logarithmic averages over the ring patterns, over the random ones, and of both.",
    draw: (width) => lineChart(lines(), axes, width),
    numbers: () => lineNumbers(lines(), axes.x, axes.y, axes.unit),
  });
}

function patterns(box: Element, section: Section, key: string, all: Record_[]): void {
  const rows = all.filter((row) => row.set === "additional" || row.set === "ring");
  if (rows.length === 0) return;
  const held = [
    ["average over lengths", "average"],
    ["at the longest", "longest"],
  ].map(([name], i) => series(name, i));
  const keys = ["average", "longest"];
  figure(box, {
    chart: "beff.patterns_by_name",
    title: `Patterns by name, ${key}`,
    series: held,
    caption: "Rings, and the patterns that b_eff lists beside its average: ping-pong, worst cycle, bi-sections, Cartesian neighbours.",
    numbers: () => sectionNumbers(only(section, all)),
    draw: (width) =>
      strip(
        held.flatMap((one, i) =>
          one.hidden
            ? []
            : rows
                .filter((row) => numberOf(row[keys[i]]) > 0)
                .map((row) => ({
                  name: String(row.pattern),
                  one,
                  x: numberOf(row[keys[i]]) * giga,
                  told: `${row.pattern}\n${one.name}: ${si(numberOf(row[keys[i]]) * giga, "B/s")}`,
                })),
        ),
        rows.map((row) => String(row.pattern)),
        "bandwidth of all processes",
        width,
      ),
  });
}

export function analysisPaths(box: Element, data: PageData): void {
  const of = (id: string) => data.figures.find((one) => one.id === id),
    several = data.runs.length > 1;
  for (const [key, rows] of groups(of("beff_paths"), several)) paths(box, of("beff_paths")!, key, rows);
  for (const [key, rows] of groups(of("beff_lengths"), several)) lengths(box, key, rows);
  for (const [key, rows] of groups(of("beff_patterns"), several)) patterns(box, of("beff_patterns")!, key, rows);
}
