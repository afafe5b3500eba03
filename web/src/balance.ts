// SPDX-License-Identifier: Apache-2.0
// Figures of the balance analysis, from the tables that the program computed.
import * as Plot from "@observablehq/plot";
import { groupBy } from "./data";
import { decimalTicks, digits, linearTicks, si, processes, unitName } from "./format";
import { choice, element, figure, grid, series } from "./figure";
import { around, dotted, marginFor, tip, wrapped } from "./marks";
import { patterns, roofline } from "./machine";
import { numberOf, records, sectionNumbers, type Record_ } from "./sections";
import type { PageData, Section } from "./contract";

/** Names of columns in few letters; the tables have the whole ones. */
function axisName(column: string): string {
  const short: Record<string, string> = {
    hpl_gflop_s: "HPL",
    hpl_ratio: "HPL / HPL",
    dgemm_ratio: "DGEMM",
    fft_ratio: "FFT",
    ptrans_ratio_byte_flop: "PTRANS",
    stream_copy_ratio_byte_flop: "STREAM\ncopy",
    random_ring_ratio_byte_flop: "random\nring",
    inverse_random_ring_latency_per_us: "1 / ring\nlatency",
    random_access_ratio_update_flop: "Random-\nAccess",
    cup_factor: "coffee\ncup",
  };
  return (
    short[column] ??
    column
      .replace(/_(ratio|byte|update|flop|kflop|gflop|s|per|us)(?=_|$)/g, "")
      .replace(/_/g, "\n")
      .replace(/^io$/, "I/O")
  );
}

function kiviat(box: Element, data: PageData, own: Set<string>): void {
  const rows = records(data.figures.find((one) => one.id === "B4"));
  const columns = [...new Set(rows.map((row) => String(row.column)))].filter(
    (column) => !/^hpl_/.test(column) && rows.some((row) => row.column === column && row.relative !== null),
  );
  const systems = [...groupBy(rows, (row) => String(row.system))].filter(
    ([, list]) => list.filter((row) => row.relative !== null).length >= 3,
  );
  if (columns.length < 3 || systems.length < 2) return; // alone every axis is at 1
  const ordered = [...systems.filter(([name]) => own.has(name)), ...systems.filter(([name]) => !own.has(name))].slice(0, 6);
  const held = ordered.map(([name], i) => series(name, i));
  figure(box, {
    chart: "balance.columns",
    title: "Normalised columns",
    series: held,
    numbers: () => sectionNumbers(data.figures.find((one) => one.id === "B4")),
    caption:
      "Every axis is a column over its largest value among the machines compared; a gap is a value that is missing. Own machines are thick.",
    draw: (width) => {
      const angle = (i: number) => (i / columns.length) * 2 * Math.PI - Math.PI / 2;
      const at = (i: number, radius: number) => ({ x: Math.cos(angle(i)) * radius, y: -Math.sin(angle(i)) * radius });
      const rings = [0.25, 0.5, 0.75, 1].flatMap((radius) => [...columns, columns[0]].map((_, i) => ({ ...at(i, radius), ring: radius })));
      const lines = ordered.flatMap(([name, list], s) =>
        held[s].hidden
          ? []
          : [...columns, columns[0]].map((column, i) => {
              const value = list.find((row) => row.column === column)?.relative;
              return {
                name,
                s,
                value,
                ...(typeof value === "number" ? at(i, value) : { x: NaN, y: NaN }),
                told: `${name}\n${column.replace(/_/g, " ")}: ${typeof value === "number" ? digits(value) : "-"}`,
              };
            }),
      );
      if (lines.length === 0) return undefined;
      const size = Math.min(width, 460);
      return Plot.plot({
        width: size,
        height: size * 0.86,
        margin: 46,
        axis: null,
        aspectRatio: 1,
        x: { domain: [-1.32, 1.32] },
        y: { domain: [-1.32, 1.32] },
        marks: [
          Plot.line(rings, { x: "x", y: "y", z: "ring", stroke: "var(--line)", strokeWidth: 0.8 }),
          Plot.link(columns, {
            x1: 0,
            y1: 0,
            x2: (_: string, i: number) => at(i, 1).x,
            y2: (_: string, i: number) => at(i, 1).y,
            stroke: "var(--line)",
          }),
          Plot.text(columns, {
            x: (_: string, i: number) => at(i, 1.25).x,
            y: (_: string, i: number) => at(i, 1.25).y,
            text: axisName,
            fontSize: 10,
            lineAnchor: "middle",
          }),
          ...ordered.flatMap(([name], s) =>
            held[s].hidden
              ? []
              : [
                  Plot.line(
                    lines.filter((one) => one.s === s),
                    { x: "x", y: "y", stroke: held[s].color, strokeWidth: own.has(name) ? 3 : 1.3, strokeDasharray: held[s].dash },
                  ),
                  Plot.dot(
                    lines.filter((one) => one.s === s && typeof one.value === "number"),
                    { x: "x", y: "y", fill: held[s].color, symbol: held[s].symbol, r: 3 },
                  ),
                ],
          ),
          Plot.tip(
            lines.filter((one) => typeof one.value === "number"),
            Plot.pointer({ x: "x", y: "y", title: "told", fill: "var(--card)", stroke: "var(--line)" }),
          ),
        ],
      });
    },
  });
}

interface View {
  absolute: boolean;
  linear: boolean;
}
const constantRatios = [1, 10, 100, 1000]; // byte per kflop

/** Lines of equal balance across a chart of GB/s over Tflop/s, each with the place of its name. */
function diagonals(unit: string, x: [number, number], y: [number, number]) {
  const perTera = (balance: number) => (unit === "byte/kflop" ? balance : balance * 1000); // GB/s of one Tflop/s
  const balances = unit === "byte/kflop" ? constantRatios : [0.001, 0.01, 0.1, 1];
  return balances
    .map((balance) => {
      const slope = perTera(balance),
        x1 = Math.max(x[0], y[0] / slope),
        x2 = Math.min(x[1], y[1] / slope);
      return { name: `${digits(balance)} ${unit}`, x1, x2, y1: x1 * slope, y2: x2 * slope };
    })
    .filter((line) => line.x2 > line.x1 * 1.2);
}

/** Rows of a section with a positive value over HPL. */
function drawable(section: Section | undefined, value: string): Record_[] {
  return records(section).filter((row) => numberOf(row.hpl_tflop_s) > 0 && numberOf(row[value]) > 0);
}

/** A quantity over HPL, or its absolute value with lines of equal balance: own curves in colour, references faint. */
function overPower(
  box: Element,
  relative: Section,
  absolute: Section | undefined,
  view: () => View,
  at?: Mark[],
): (() => void) | undefined {
  const kept = drawable(relative, "ratio");
  const own = kept.filter((row) => row.own === 1),
    grows = new Set(own.map((row) => row.curve)).size < own.length;
  if (own.length === 0 || (!grows && own.length === kept.length)) return undefined; // dots without a curve or a reference say no more than the table
  const unitOf = (section: Section, key: string) => section.columns.find((column) => column.key === key)?.unit ?? "";
  const held = [...new Set(own.map((row) => String(row.curve)))].map((name, i) => series(name, i));
  const chosen = () => (view().absolute && absolute ? { section: absolute, key: "value" } : { section: relative, key: "ratio" });
  return figure(box, {
    chart: "balance.ratios",
    title: relative.title,
    series: held,
    caption:
      "Over computing power. Bold: this report's machines, hollow where the value has doubts (its flags are in the table); thin: published systems. Absolute values grow along the dotted lines where the balance stays the same." +
      (at?.length ? " Crosses: read off the published curves." : ""),
    numbers: () => sectionNumbers(chosen().section),
    draw: (width) => {
      const { section, key } = chosen(),
        unit = unitOf(section, key),
        ratioUnit = unitOf(relative, "ratio");
      const rows: Record_[] = drawable(section, key).map((row) => ({
        ...row,
        told: `${row.curve}\n${processes(row.processes)}\nHPL ${digits(numberOf(row.hpl_tflop_s))} Tflop/s\n${digits(numberOf(row[key]))} ${unit}${row.remarks ? `\n${row.remarks}` : ""}`,
      }));
      const linear = view().linear && key === "ratio",
        marks = key === "ratio" ? (at ?? []) : [];
      const xs = rows.map((row) => numberOf(row.hpl_tflop_s)).concat(marks.map((mark) => mark.x)),
        ys = rows.map((row) => numberOf(row[key])).concat(marks.map((mark) => mark.y));
      const x: [number, number] = linear ? [0, Math.max(...xs) * 1.05] : around(xs, 1.5),
        y: [number, number] = linear ? [0, Math.max(...ys) * 1.08] : around(ys, 1.4);
      const lines = key === "value" && ratioUnit !== "" ? diagonals(ratioUnit, x, y) : [],
        others = rows.filter((row) => row.own !== 1);
      return Plot.plot({
        width,
        height: Math.max(220, width * 0.62),
        marginLeft: 62,
        marginBottom: 36,
        marginTop: 22,
        x: linear
          ? { domain: x, ticks: 6, label: "HPL, Tflop/s →" }
          : {
              type: "log",
              domain: x,
              ticks: decimalTicks(x[0], x[1], 5),
              tickFormat: (value: number) => digits(value),
              label: "HPL, Tflop/s →",
            },
        y: linear
          ? { domain: y, grid: true, ticks: 5, label: `↑ ${unit || "ratio"}` }
          : {
              type: "log",
              domain: y,
              grid: true,
              ticks: decimalTicks(y[0], y[1], 6),
              tickFormat: (value: number) => digits(value),
              label: `↑ ${unit || "ratio"}`,
            },
        marks: [
          Plot.link(lines, { x1: "x1", y1: "y1", x2: "x2", y2: "y2", stroke: "currentColor", strokeOpacity: 0.55, strokeDasharray: "2 3" }),
          Plot.text(lines, {
            x: "x2",
            y: "y2",
            text: "name",
            textAnchor: "end",
            dx: -4,
            dy: 11,
            fontSize: 10,
            fill: "var(--faint)",
            stroke: "var(--card)",
            strokeWidth: 3,
          }),
          Plot.line(others, { x: "hpl_tflop_s", y: key, z: "curve", stroke: "var(--c5)", strokeOpacity: 0.6, strokeWidth: 1 }),
          Plot.dot(others, { x: "hpl_tflop_s", y: key, stroke: "var(--c5)", r: 2.5 }),
          Plot.dot(marks, { x: "x", y: "y", stroke: "var(--c5)", symbol: "cross", r: 4, strokeWidth: 1.6 }),
          ...held
            .filter((one) => !one.hidden)
            .flatMap((one) => {
              const own = rows.filter((row) => row.own === 1 && row.curve === one.name);
              return [
                Plot.line(own, { x: "hpl_tflop_s", y: key, stroke: one.color, strokeWidth: 2.5 }),
                Plot.dot(own, {
                  x: "hpl_tflop_s",
                  y: key,
                  fill: (row: Record_) => (row.flags ? "var(--card)" : one.color),
                  stroke: one.color,
                  strokeWidth: 2,
                  symbol: one.symbol,
                  r: 5,
                }),
              ];
            }),
          tip([...rows.map((row) => ({ x: row.hpl_tflop_s, y: row[key], told: row.told })), ...marks], "x", "y"),
        ],
      });
    },
  });
}

interface Mark {
  x: number;
  y: number;
  told: string;
}
/** What the documents read off curves that they do not tabulate. */
function quotedMarks(section: Section | undefined): Mark[] {
  return records(section).map((row) => ({
    x: numberOf(row.hpl_tflop_s),
    y: numberOf(row.ratio),
    told: `${row.system}, read off at ${digits(numberOf(row.hpl_tflop_s))} Tflop/s\n${digits(numberOf(row.ratio))} byte/kflop`,
  }));
}

/** Curves over computing power with the choice of what they show. */
function scalingCurves(place: Element, data: PageData): void {
  const of = (id: string) => data.figures.find((one) => one.id === id),
    repaints: (() => void)[] = [];
  const pairs = [
    ["B2b", "B2a"],
    ["B3b_copy", "B3a_copy"],
    ["B3b_triad", "B3a_triad"],
    ["B7b", "B7a"],
    ["B8b", "B8a"],
    ["B9b", "B9a"],
  ] as const;
  const some = pairs.filter(([id]) => drawable(of(id), "ratio").some((row) => row.own === 1));
  if (some.length === 0) return;
  const controls = element("div");
  place.append(controls);
  const view: View = { absolute: false, linear: false },
    again = () => repaints.forEach((repaint) => repaint());
  const set = (word: string) => {
    view.absolute = word === "absolute";
  };
  const axes = (word: string) => {
    view.linear = word === "linear";
  };
  set(
    choice(
      controls,
      "Curves",
      ["over HPL", "absolute"],
      (word) => {
        set(word);
        again();
      },
      "curves",
    ),
  );
  axes(
    choice(
      controls,
      "Axes of what is over HPL",
      ["logarithmic", "linear"],
      (word) => {
        axes(word);
        again();
      },
      "axes",
    ),
  );
  const box = grid(place);
  for (const [relative, absolute] of some) {
    const repaint = overPower(box, of(relative)!, of(absolute), () => view, relative === "B2b" ? quotedMarks(of("B2b_quoted")) : undefined);
    if (repaint) repaints.push(repaint);
  }
  if (repaints.length === 0) {
    controls.remove();
    box.remove();
  }
}

/** The nine columns side by side, causes beside effects. */
function columnsSideBySide(box: Element, data: PageData, own: Set<string>): void {
  const section = data.figures.find((one) => one.id === "B4"),
    rows = records(section).filter((row) => row.relative !== null);
  const names = [...new Set(rows.map((row) => String(row.system)))].sort((a, b) => Number(own.has(b)) - Number(own.has(a)));
  const columns = [...new Set(rows.map((row) => String(row.column)))];
  const whole = names.filter((name) => rows.filter((row) => row.system === name).length >= 3);
  if (whole.length < 2 || columns.length < 3) return;
  const held = whole.slice(0, 24).map((name, i) => series(name, i));
  figure(box, {
    chart: "balance.side_by_side",
    title: "Columns side by side",
    series: held,
    numbers: () => sectionNumbers(section),
    caption:
      "Every column over its largest value among the machines compared; the table has the values. Neighbours belong together: FFT and PTRANS live on memory and network, RandomAccess on latency.",
    draw: (width) => {
      const shown = held.filter((one) => !one.hidden),
        dots = rows
          .filter((row) => shown.some((one) => one.name === row.system))
          .map(
            (row) =>
              ({
                ...row,
                x: row.column,
                y: numberOf(row.relative),
                told: `${row.system}\n${String(row.column).replace(/_/g, " ")}\n${digits(numberOf(row.value))} ${unitName(String(row.unit ?? ""))}`,
              }) as Record_,
          );
      if (dots.length === 0) return undefined;
      return Plot.plot({
        width,
        height: 290,
        marginLeft: 40,
        marginBottom: 76,
        marginTop: 20,
        marginRight: 24,
        x: {
          type: "point",
          domain: columns,
          label: null,
          tickFormat: (column: string) => axisName(column).replace("-\n", "").replace("\n", " "),
          tickRotate: -40,
          padding: 0.3,
        },
        y: { domain: [0, 1], grid: true, ticks: 5, label: "↑ over the largest" },
        marks: [
          ...shown.flatMap((one) =>
            dotted(
              dots.filter((dot) => dot.system === one.name),
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

/** Which number of processes a node needs to fill its network. */
function saturation(box: Element, section: Section | undefined): void {
  const rows = records(section).filter((row) => numberOf(row.processes_of_node) > 0 && numberOf(row.node_gbyte_s) > 0);
  const systems = [...groupBy(rows, (row) => String(row.system))].filter(([, list]) => list.length > 1);
  if (systems.length === 0) return;
  const held = systems.map(([name], i) => series(name, i));
  figure(box, {
    chart: "balance.rings_of_nodes",
    title: "Random ring by the processes of a node",
    series: held,
    numbers: () => sectionNumbers(section),
    caption: "Bandwidth of a node's processes together: where it stops growing the network of the node is full.",
    draw: (width) => {
      const lines = systems
        .map(([name, list], i) => ({
          one: held[i],
          dots: list
            .map((row) => ({
              x: numberOf(row.processes_of_node),
              y: numberOf(row.node_gbyte_s) * 1e9,
              told: `${name}\n${processes(row.processes_of_node)} of a node\n${si(numberOf(row.node_gbyte_s) * 1e9, "B/s")}`,
            }))
            .sort((a, b) => a.x - b.x),
        }))
        .filter(({ one }) => !one.hidden);
      const dots = lines.flatMap((one) => one.dots);
      if (dots.length === 0) return undefined;
      const counts = [...new Set(dots.map((dot) => dot.x))].sort((a, b) => a - b);
      const most = Math.max(...dots.map((dot) => dot.y)) * 1.08,
        ticks = linearTicks(0, most, "B/s", 6),
        text = (value: number) => si(value, "B/s");
      return Plot.plot({
        width,
        height: 240,
        marginLeft: marginFor(ticks.map(text), 66),
        marginBottom: 36,
        marginTop: 22,
        x: {
          type: "log",
          base: 2,
          domain: [counts[0] / 1.1, counts[counts.length - 1] * 1.1],
          ticks: counts,
          tickFormat: (value: number) => digits(value, 6),
          label: "processes of a node →",
        },
        y: {
          domain: [0, most],
          grid: true,
          ticks,
          tickFormat: text,
          label: "↑ random ring, per node",
        },
        marks: [...lines.flatMap(({ one, dots: list }) => dotted(list, one, "x", "y")), tip(dots, "x", "y")],
      });
    },
  });
}

/** What fits into a bar: name and number, number, nothing. */
function shareText(row: Record_, width: number): string {
  const room = numberOf(row.share) * width,
    number = `${Math.round(numberOf(row.share) * 100)} %`;
  if (room > 6.5 * (String(row.resource).length + number.length + 2)) return `${row.resource} ${number}`;
  return room > 34 ? number : "";
}

function shares(box: Element, data: PageData): void {
  const rows = records(data.figures.find((one) => one.id === "B12")).map((row) => ({
    ...row,
    bar: data.runs.length > 1 ? `${row.profile}, ${row.system}` : row.profile,
  }));
  if (rows.length === 0) return;
  const resources = [...new Set(rows.map((row) => String((row as Record_).resource)))];
  const held = resources.map((name, i) => ({ ...series(name, i), area: true }));
  const bars = [...new Set(rows.map((row) => String(row.bar)))];
  figure(box, {
    chart: "balance.times",
    title: "What the time goes into",
    caption: "Share of the time of each kind of work, resource by resource, without overlap.",
    series: held,
    numbers: () => sectionNumbers(data.figures.find((one) => one.id === "B12")),
    draw: (width) => {
      const visible = rows.filter((row) => held.some((one) => one.name === (row as Record_).resource && !one.hidden));
      if (visible.length === 0) return undefined;
      const left = Math.min(width * 0.42, marginFor(bars, 0));
      return Plot.plot({
        width,
        height: 70 + 46 * bars.length,
        marginLeft: left,
        marginBottom: 36,
        x: { domain: [0, 1], tickFormat: (value: number) => `${Math.round(value * 100)} %`, label: "share of the time →", grid: true },
        y: { type: "band", domain: bars, label: null, tickFormat: (bar: string) => wrapped(bar, left - 14, 3) },
        color: { domain: resources, range: held.map((one) => one.color) },
        marks: [
          Plot.barX(
            visible,
            Plot.stackX({
              x: "share",
              y: "bar",
              fill: "resource",
              order: resources,
              insetRight: 1,
              title: (row: Record_) => `${row.bar}: ${row.resource} ${digits(numberOf(row.share) * 100)} %`,
              tip: { fill: "var(--card)", stroke: "var(--line)" },
            }),
          ),
          Plot.text(
            visible,
            Plot.stackX({
              x: "share",
              y: "bar",
              z: "resource",
              order: resources,
              text: (row: Record_) => shareText(row, width - left - 20),
              fill: "var(--page)",
              fontWeight: 600,
              fontSize: 10,
            }),
          ),
        ],
      });
    },
  });
}

/** Values of systems on a line of logarithmic scale, own ones marked. */
function strip(
  box: Element,
  section: Section | undefined,
  value: string,
  title: string,
  caption: string,
  unit: string,
  name: string,
  limit?: number,
): void {
  const rows = records(section).filter((row) => numberOf(row[value]) > 0);
  if (!rows.some((row) => row.own === 1) || rows.length + (limit === undefined ? 0 : 1) < 2) return;
  const names = [...new Set(rows.map((row) => String(row[name])))];
  figure(box, {
    chart: "balance.bars",
    title,
    caption,
    numbers: () => sectionNumbers(section),
    draw: (width) => {
      const values = rows.map((row) => numberOf(row[value])).concat(limit ?? []);
      const x = [Math.min(...values) / 1.8, Math.max(...values) * 1.8];
      const margin = Math.min(150, width * 0.38);
      return Plot.plot({
        width,
        height: 76 + 20 * names.length,
        marginLeft: margin,
        marginBottom: 36,
        marginTop: 30,
        x: {
          type: "log",
          domain: x,
          grid: true,
          ticks: decimalTicks(x[0], x[1], 5),
          tickFormat: (tick: number) => digits(tick),
          label: `${unit} →`,
        },
        y: { type: "point", domain: names, label: null, tickFormat: (word: string) => wrapped(word, margin - 10, 1) },
        marks: [
          limit === undefined ? null : Plot.ruleX([limit], { stroke: "currentColor", strokeDasharray: "4 3" }),
          limit === undefined
            ? null
            : Plot.text([limit], {
                x: (value: number) => value,
                frameAnchor: "top",
                dy: -14,
                text: (value: number) => `${value} ${unit}`,
                fill: "currentColor",
                fontWeight: 600,
                fontSize: 11,
              }),
          Plot.dot(rows, {
            x: value,
            y: name,
            fill: (row: Record_) => (row.own === 1 ? "var(--c0)" : "none"),
            stroke: (row: Record_) => (row.own === 1 ? "var(--c0)" : "var(--c5)"),
            symbol: (row: Record_) => (row.own === 1 ? "diamond" : "circle"),
            r: (row: Record_) => (row.own === 1 ? 6 : 3.5),
          }),
          Plot.tip(
            rows,
            Plot.pointer({
              x: value,
              y: name,
              title: (row: Record_) => `${row[name]}\n${digits(numberOf(row[value]))} ${unit}`,
              fill: "var(--card)",
              stroke: "var(--line)",
            }),
          ),
        ],
        r: { type: "identity" },
      });
    },
  });
}

export function balance(place: Element, data: PageData): void {
  const box = grid(place);
  const of = (id: string) => data.figures.find((one) => one.id === id);
  const own = new Set(
    records(of("B12"))
      .map((row) => String(row.system))
      .concat(
        records(of("B11")).map((row) => String(row.system)),
        data.runs.map((run) => run.name),
      ),
  );
  kiviat(box, data, own);
  shares(box, data);
  roofline(box, of("B11"), of("B1"));
  columnsSideBySide(box, data, own);
  saturation(box, of("B15"));
  strip(
    box,
    of("B13"),
    "minutes",
    "Coffee cup: half of the memory at b_eff_io",
    "Dashed: the 5 minutes of the rule. Filled: this report's machines.",
    "min",
    "system",
    5,
  );
  strip(box, of("B17"), "b_eff_per_process_mbyte_s", "b_eff per process", "Filled: this report's machines.", "MB/s", "curve");
  scalingCurves(place, data);
  patterns(grid(place, true), of("B1"), data.runs.map((run) => run.name).concat([...own]));
}
