// SPDX-License-Identifier: Apache-2.0
// Figures of what machines can do: roofline, and messages by pattern beside the published systems.
import * as Plot from "@observablehq/plot";
import { numberOf, records, sectionNumbers, type Record_ } from "./sections";
import { groupBy } from "./data";
import { hollowMarks, wholeMarks } from "./doubts";
import { decimalTicks, digits, si } from "./format";
import { element, figure, series, type Series } from "./figure";
import { fittingTicks, overhang, textWidth } from "./marks";
import type { Section } from "./contract";

const giga = 1e9;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
const meets = (a: Box, b: Box) => Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

/** What a name should not cover, and how bad it is if it does: a line shines through, a mark or another name does not. */
interface Taken extends Box {
  weight: number;
}
const onLine = (box: Box): Taken => ({ ...box, weight: 1 });
const onMark = (box: Box): Taken => ({ ...box, weight: 20 });

/** A place where a name could stand, with what it costs to stand there. */
interface Place {
  boxes: Box[];
  cost: number;
}

/** The place at which a name covers least; from then on it is taken. */
function freest<T extends Place>(places: T[], taken: Taken[]): T {
  const cost = ({ boxes, cost }: T) =>
    cost + taken.reduce((sum, other) => sum + (boxes.some((box) => meets(box, other)) ? other.weight : 0), 0);
  const best = places.map((place) => ({ place, cost: cost(place) })).reduce((a, b) => (b.cost < a.cost ? b : a)).place;
  taken.push(...best.boxes.map(onMark));
  return best;
}

/** Places of a name around its mark, the nearest ones first. */
function aroundMark({ x, y, name }: { x: number; y: number; name: string }, width: number): (Place & { dx: number; dy: number })[] {
  const size = { width: textWidth(name) * 1.1 + 2, height: 13 }, // its letters are bold
    half = size.width / 2,
    side = 9 + half;
  return [15, -14, 0, 13, -13, 29, -28].flatMap((dy, i) =>
    [0, half, -half, side, -side]
      .filter((dx) => dy !== 0 || Math.abs(dx) === side)
      .map((dx) => {
        const inside = x + dx - half > 74 && x + dx + half < width && y + dy > 8;
        return { dx, dy, boxes: [{ x: x + dx, y: y + dy, ...size }], cost: i / 10 + (Math.abs(dy) > 15 ? 1 : 0) + (inside ? 0 : 90) };
      }),
  );
}

/** Boxes along a line from one pixel to another, which a name should not cover. */
function along([x1, y1]: number[], [x2, y2]: number[], size = 3): Box[] {
  const steps = Math.max(1, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / size));
  return Array.from({ length: steps + 1 }, (_, i) => ({
    x: x1 + ((x2 - x1) * i) / steps,
    y: y1 + ((y2 - y1) * i) / steps,
    width: size,
    height: size,
  }));
}

/** Flags of a row, "V1+V11", hold one of these. */
const flagged = (row: Record_, flags: string[]) =>
  flags.some((flag) =>
    String(row.flags ?? "")
      .split("+")
      .includes(flag),
  );
const oneNode = "V1",
  failed = "V8";

/** Whether the messages of a system stayed within one node, by the flags of its rows among those of messages by pattern. */
function staysInNode(system: string, messages: Section | undefined): boolean {
  const rows = records(messages).filter((row) => row.curve === system || row.curve === `${system} x${row.threads}`);
  return rows.length > 0 && rows.every((row) => flagged(row, [oneNode]));
}

/** Kernels at the intensity of their model, under the roofs of one node; dotted: what messages allow. */
export function roofline(box: Element, section: Section | undefined, messages: Section | undefined): void {
  for (const [system, rows] of groupBy(records(section), (row) => String(row.system))) {
    const of = (kind: string) =>
      rows.filter((row) => row.kind === kind && numberOf(kind === "slope" ? row.slope_gbyte_s : row.rate_gflop_s) > 0);
    const roofs = of("roof"),
      slopes = of("slope"),
      points = of("point");
    if (roofs.length === 0 || slopes.length === 0 || points.length === 0) continue;
    const inside = staysInNode(system, messages);
    figure(box, {
      chart: "balance.roofline",
      title: `Roofline of a node, ${system}`,
      caption:
        `Slanted: what memory bandwidth and, dotted, ${inside ? "messages within the one node" : "network bandwidth"} allow at an intensity; level: what the processors compute. ` +
        `${inside ? "The network was not measured. " : ""}Each kernel at the intensity of its model.`,
      numbers: () => sectionNumbers({ ...section!, rows: section!.rows.filter((row) => row[0] === system) }),
      draw: (width) => rooflineChart(roofs, slopes, points, inside, width),
    });
  }
}

function rooflineChart(roofs: Record_[], slopes: Record_[], points: Record_[], inside: boolean, width: number): Element {
  const top = Math.max(...roofs.map((row) => numberOf(row.rate_gflop_s)));
  const ridges = slopes.map((row) => top / numberOf(row.slope_gbyte_s)),
    at = points.map((row) => numberOf(row.intensity_flop_byte));
  const x = [Math.min(1 / 16, ...at) / 1.6, Math.max(64, ...at, ...ridges) * 1.6];
  const lowest = Math.min(
    ...points.map((row) => numberOf(row.rate_gflop_s)),
    x[0] * Math.min(...slopes.map((row) => numberOf(row.slope_gbyte_s))),
  );
  const y = [lowest / 1.5, top * 2.2];
  const slanted = slopes.map((row) => {
    const slope = numberOf(row.slope_gbyte_s),
      end = Math.min(x[1], top / slope),
      network = row.name !== "STREAM triad";
    return {
      name: `${row.name}${network && inside ? " within a node" : ""}, ${si(slope * giga, "B/s")}`,
      x1: x[0],
      y1: x[0] * slope,
      x2: end,
      y2: end * slope,
      network,
    };
  });
  const level = roofs.map((row) => ({
    name: `${row.name}, ${si(numberOf(row.rate_gflop_s) * giga, "flop/s")}`,
    y: numberOf(row.rate_gflop_s),
    x: Math.min(...slopes.map((slope) => numberOf(row.rate_gflop_s) / numberOf(slope.slope_gbyte_s))),
  }));
  const near = level.length > 1 && Math.max(...level.map((one) => one.y)) / Math.min(...level.map((one) => one.y)) < 2.2;
  const upper = Math.max(...level.map((one) => one.y));
  const height = Math.max(250, width * 0.62);
  const tilt = (-Math.atan2((height - 58) / Math.log(y[1] / y[0]), (width - 86) / Math.log(x[1] / x[0])) * 180) / Math.PI;
  const px = (value: number) => 72 + (Math.log(value / x[0]) / Math.log(x[1] / x[0])) * (width - 86);
  const py = (value: number) => height - 36 - (Math.log(value / y[0]) / Math.log(y[1] / y[0])) * (height - 58);
  const marks = points.map((row) => ({
    x: px(numberOf(row.intensity_flop_byte)),
    y: py(numberOf(row.rate_gflop_s)),
    name: String(row.name),
  }));
  const turn = (tilt * Math.PI) / 180,
    aside = (one: (typeof slanted)[0]) => (one.network ? 11 : -9);
  /** Pixel of a slanted line at an intensity, or beside it where its name stands. */
  const pixel = (one: (typeof slanted)[0], at: number, dy = 0) => [
    px(at) - Math.sin(turn) * dy,
    py((at * one.y1) / one.x1) + Math.cos(turn) * dy,
  ];
  const besideLine = (one: (typeof slanted)[0], x1: number, x2: number) => along(pixel(one, x1, aside(one)), pixel(one, x2, aside(one)), 9);
  const taken = [
    ...marks.map(({ x, y }) => onMark({ x, y, width: 14, height: 14 })),
    ...slanted.flatMap((one) => [...along(pixel(one, one.x1), pixel(one, one.x2)), ...besideLine(one, one.x1, one.x2)]).map(onLine),
    ...level.flatMap((one) => along([px(one.x), py(one.y)], [px(x[1]), py(one.y)])).map(onLine),
  ];
  const offsets = marks.map((mark) => freest(aroundMark(mark, width - 14), taken)),
    written = (name: string) => (textWidth(name) * 10) / 11; // in letters of 10 pixels
  /** Places along a slanted line, the middle first. */
  const alongLine = (one: (typeof slanted)[0]) => {
    const stretch = (one.x2 / one.x1) ** (written(one.name) / Math.hypot(px(one.x2) - px(one.x1), py(one.y2) - py(one.y1)) / 2),
      room = Math.max(1, Math.sqrt(one.x2 / one.x1) / stretch);
    return [0, -0.2, 0.2, -0.4, 0.4, -0.6, 0.6, -0.8, 0.8, -1, 1].map((part) => {
      const at = Math.sqrt(one.x1 * one.x2) * room ** part;
      return {
        one,
        x: at,
        y: (at * one.y1) / one.x1,
        cost: Math.abs(part),
        boxes: besideLine(one, at / stretch, at * stretch),
      };
    });
  };
  const names = slanted.map((one) => freest(alongLine(one), taken));
  /** Places of a level line's name: near the line, and to the right. */
  const onLevel = (one: (typeof level)[0]) => {
    const size = written(one.name),
      below = near && one.y < upper;
    const ends = Array.from({ length: Math.max(1, Math.ceil((px(x[1]) - px(one.x) - size * 0.6) / 6)) }, (_, i) => px(x[1]) - 6 * i);
    return (below ? [9, 20, 32] : [-7, -20]).flatMap((dy, i) =>
      ends.map((end, j) => ({
        one,
        dx: end - px(x[1]),
        dy,
        cost: 2 * i + j / 20,
        boxes: [{ x: end - size / 2, y: py(one.y) + dy, width: size, height: 11 }],
      })),
    );
  };
  const ends = level.map((one) => freest(onLevel(one), taken));
  const told = (row: Record_) =>
    `${row.name}\n${digits(numberOf(row.intensity_flop_byte))} flop/byte\n${si(numberOf(row.rate_gflop_s) * giga, "flop/s")}`;
  return Plot.plot({
    width,
    height,
    marginLeft: 72,
    marginBottom: 36,
    marginTop: 22,
    marginRight: 14,
    x: {
      type: "log",
      domain: x,
      ticks: decimalTicks(x[0], x[1], 6),
      tickFormat: (value: number) => digits(value),
      label: "intensity, flop per byte →",
    },
    y: {
      type: "log",
      domain: y,
      grid: true,
      ticks: decimalTicks(y[0], y[1], 6),
      tickFormat: (value: number) => si(value * giga, "flop/s"),
      label: "↑ speed of a node",
    },
    marks: [
      ...[false, true].map((network) =>
        Plot.link(
          slanted.filter((one) => one.network === network),
          {
            x1: "x1",
            y1: "y1",
            x2: "x2",
            y2: "y2",
            stroke: network ? "var(--c1)" : "var(--c0)",
            strokeWidth: 2,
            strokeDasharray: network ? "2 3" : "none",
            clip: true,
          },
        ),
      ),
      Plot.ruleY(level, { y: "y", x1: "x", x2: x[1], stroke: "currentColor", strokeWidth: 1.6 }),
      ...names.map(({ one, x: cx, y: cy }) =>
        Plot.text([one], {
          x: () => cx,
          y: () => cy,
          text: "name",
          rotate: tilt,
          dy: aside(one),
          fontSize: 10,
          stroke: "var(--card)",
          strokeWidth: 3,
          fill: one.network ? "var(--c1)" : "var(--c0)",
        }),
      ),
      ...ends.map(({ one, dx, dy }) =>
        Plot.text([one], {
          x: x[1],
          y: "y",
          text: "name",
          textAnchor: "end",
          dx,
          dy,
          fontSize: 10,
          fill: "currentColor",
          stroke: "var(--card)",
          strokeWidth: 3,
        }),
      ),
      Plot.dot(points, { x: "intensity_flop_byte", y: "rate_gflop_s", fill: "var(--c4)", r: 5, symbol: "diamond" }),
      ...points.map((row, i) =>
        Plot.text([row], {
          x: "intensity_flop_byte",
          y: "rate_gflop_s",
          text: "name",
          dx: offsets[i].dx,
          dy: offsets[i].dy,
          fontSize: 11,
          fontWeight: 600,
          fill: "var(--c4)",
          stroke: "var(--card)",
          strokeWidth: 3,
        }),
      ),
      Plot.tip(
        points,
        Plot.pointer({ x: "intensity_flop_byte", y: "rate_gflop_s", title: told, fill: "var(--card)", stroke: "var(--line)" }),
      ),
    ],
  });
}

const short = (name: string) => (name.length > 24 ? `${name.slice(0, 23)}…` : name);

interface Band {
  title: string;
  unit: string;
  keys: [string, string][];
  log: boolean;
  factor: number;
}
const bands: Band[] = [
  {
    title: "latency",
    unit: "s",
    keys: [
      ["pingpong_latency_us", "ping-pong"],
      ["random_ring_latency_us", "random ring"],
    ],
    log: true,
    factor: 1e-6,
  },
  {
    title: "bandwidth per process",
    unit: "B/s",
    keys: [
      ["pingpong_gbyte_s", "ping-pong"],
      ["natural_ring_gbyte_s", "natural ring"],
      ["random_ring_gbyte_s", "random ring"],
    ],
    log: true,
    factor: giga,
  },
  {
    title: "ring over ping-pong",
    unit: "",
    keys: [
      ["natural_over_pingpong_bandwidth", "natural ring"],
      ["random_over_pingpong_bandwidth", "random ring"],
    ],
    log: false,
    factor: 1,
  },
];

/** Values that do not stand for a network. */
const isInDoubt = (row: Record_) => flagged(row, [oneNode, failed]);

/** How much of ping-pong survives when all communicate: every system a line, three scales side by side. */
export function patterns(box: Element, section: Section | undefined, own: string[]): void {
  const rows = records(section)
    .filter((row) => numberOf(row.random_ring_gbyte_s) > 0)
    .sort((a, b) => numberOf(b.random_ring_gbyte_s) - numberOf(a.random_ring_gbyte_s))
    .map(
      (row) =>
        ({
          ...row,
          line: `${short(String(row.curve))}, ${row.processes}${numberOf(row.threads) > 1 ? ` x ${row.threads}` : ""}`,
        }) as Record_,
    );
  if (rows.length < 2 || !rows.some((row) => own.includes(String(row.curve)))) return;
  const mine = new Set(rows.filter((row) => own.includes(String(row.curve))).map((row) => String(row.line)));
  const held = ["ping-pong", "natural ring", "random ring"].map((name, i) => series(name, i));
  figure(box, {
    chart: "balance.messages",
    title: "Messages by pattern",
    caption:
      "Every line a system with its processes, the fastest random ring first; on blue: this report's machines. Ping-pong alone cannot rank interconnects." +
      (rows.some(isInDoubt) ? " Hollow: messages within one node, or a check that failed." : ""),
    series: held,
    numbers: () => sectionNumbers(section),
    draw: (width) => {
      const narrow = width < 760,
        first = 190;
      const each = Math.floor((width - first) / 3);
      const plots = bands.map((band, i) =>
        bandChart(band, rows, held, mine, narrow ? width : each + (i === 0 ? first : 0), narrow || i === 0 ? first : 14),
      );
      return element("div", { class: narrow ? "" : "bands" }, ...plots.filter((plot) => plot !== undefined));
    },
  });
}

function bandChart(band: Band, rows: Record_[], held: Series[], mine: Set<string>, width: number, left: number): Element | undefined {
  const dots = band.keys.flatMap(([key, name]) => {
    const one = held.find((some) => some.name === name)!;
    return one.hidden
      ? []
      : rows
          .filter((row) => numberOf(row[key]) > 0)
          .map((row) => ({
            line: row.line,
            x: numberOf(row[key]) * band.factor,
            one,
            doubt: { status: isInDoubt(row) ? "doubtful" : "ok", doubts: String(row.remarks ?? "") },
            told: `${row.line}\n${name}: ${si(numberOf(row[key]) * band.factor, band.unit)}${row.remarks ? `\n${row.remarks}` : ""}`,
          }));
  });
  if (dots.length === 0) return undefined;
  const values = dots.map((dot) => dot.x),
    x = band.log ? [Math.min(...values) / 1.5, Math.max(...values) * 1.5] : [0, Math.max(1, ...values)];
  const names = rows.map((row) => String(row.line)),
    text = (value: number) => si(value, band.unit),
    ticks = fittingTicks(x, band.unit, band.log, 4, width - left - 26);
  return Plot.plot({
    width,
    height: 52 + 17 * names.length,
    marginLeft: left,
    marginRight: overhang(ticks.map(text), 26),
    marginBottom: 34,
    marginTop: 8,
    x: {
      type: band.log ? "log" : "linear",
      domain: x,
      grid: true,
      ticks,
      tickFormat: text,
      label: `${band.title} →`,
    },
    y: { type: "point", domain: names, axis: null },
    marks: [
      Plot.ruleY(names, { stroke: "var(--line)", strokeWidth: 0.6 }),
      left > 20 ? Plot.axisY({ tickSize: 0, label: null, fontSize: 10 }) : null,
      Plot.ruleY(
        names.filter((name) => mine.has(name)),
        { stroke: "var(--c0)", strokeOpacity: 0.25, strokeWidth: 13 },
      ),
      ...[wholeMarks, hollowMarks].flatMap((marks) =>
        held.map((one) =>
          marks(
            dots.filter((dot) => dot.one === one),
            one,
            3.2,
            { x: "x", y: "line" },
          ),
        ),
      ),
      Plot.tip(dots, Plot.pointer({ x: "x", y: "line", title: "told", fill: "var(--card)", stroke: "var(--line)" })),
    ],
  });
}
