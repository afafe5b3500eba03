// SPDX-License-Identifier: Apache-2.0
// Pairs of processes as a picture: a square a pair.
import { si } from "./format";
import { choice, element, figure, grid } from "./figure";
import type { PageData } from "./contract";

/** Dark blue to yellow, as bright as the value is large, also for eyes that do not tell red from green. */
const stops = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];
function shade(share: number): string {
  const at = Math.min(stops.length - 1.001, Math.max(0, share * (stops.length - 1))),
    i = Math.floor(at);
  return `rgb(${stops[i].map((from, k) => Math.round(from + (stops[i + 1][k] - from) * (at - i))).join(" ")})`;
}

function scale(low: number, high: number, unit: string, width: number): HTMLElement {
  const bar = element("span", {
    class: "shades",
    style: `background:linear-gradient(90deg,${Array.from({ length: 9 }, (_, i) => shade(i / 8)).join(",")})`,
  });
  return element("div", { class: "scale", style: `width:${width}px` }, si(low, unit), bar, si(high, unit));
}

/** Rank by rank, as a picture: a square a pair. */
interface Order {
  ranks: number[];
  place: Map<number, number>;
  borders: number[];
  names: { name: string; from: number; to: number }[];
}

/** Ranks in the order in which they are drawn, with the borders between the groups that `groupOf` tells (hosts, switches);
 * `together`: ranks of a group stand together. */
function orderOf(present: number[], groupOf: string[] | undefined, together: boolean, sorted: boolean): Order {
  const list = [...present],
    group = (rank: number) => groupOf?.[rank] ?? "";
  const groups = [...new Set(list.map(group))];
  if (sorted) groups.sort();
  const first = new Map<string, number>(groups.map((name, i) => [name, i]));
  if (together) list.sort((a, b) => first.get(group(a))! - first.get(group(b))! || a - b);
  const borders = list.map((_, i) => i).filter((i) => i > 0 && group(list[i]) !== group(list[i - 1]));
  const ends = [0, ...borders, list.length];
  const names = ends.slice(1).map((to, i) => ({ name: group(list[ends[i]]).replace(/^.*\//, ""), from: ends[i], to }));
  return { ranks: list, place: new Map(list.map((rank, i) => [rank, i])), borders, names: first.size > 1 ? names : [] };
}

/** Text that fits into so many pixels; nothing where not even a few letters do. */
function fitted(paper: CanvasRenderingContext2D, text: string, room: number): string {
  if (paper.measureText(text).width <= room) return text;
  for (let letters = text.length - 1; letters > 1; --letters) {
    const word = `${text.slice(0, letters)}…`;
    if (paper.measureText(word).width <= room) return word;
  }
  return "";
}

/** Whether several ranks are on a host, or at a switch: else the order of hosts is that of ranks, and lines between them
 * part nothing. */
function isParted(places: string[] | undefined): boolean {
  const groups = new Set(places ?? []).size;
  return groups > 1 && groups < places!.length;
}

/** Places of the picture and which value stands there; a pair that was measured one way stands on both sides. */
function squaresOf(from: number[], to: number[], values: number[], place: Map<number, number>): Map<string, number> {
  const squares = new Map<string, number>(),
    known = (i: number) => values[i] > 0;
  values.forEach((_, i) => known(i) && squares.set(`${place.get(from[i])} ${place.get(to[i])}`, i));
  values.forEach((_, i) => {
    const other = `${place.get(to[i])} ${place.get(from[i])}`;
    if (known(i) && !squares.has(other)) squares.set(other, i);
  });
  return squares;
}

export function pairs(place: Element, data: PageData): void {
  const mostParted = 40; // hosts: lines between more hide the squares
  const repaints: (() => void)[] = [];
  const hosted = data.pairs.some((table) => isParted(table.hosts)),
    switched = data.pairs.some((table) => isParted(table.switches)),
    blocked = data.pairs.some((table) => (table.block ?? 1) > 1);
  const chosen = { order: "by rank", colour: "percent of the class", squares: "medians" };
  const offer = (kind: keyof typeof chosen, label: string, words: string[]) => {
    chosen[kind] = choice(
      place,
      label,
      words,
      (word) => {
        chosen[kind] = word;
        for (const repaint of repaints) repaint();
      },
      kind,
    );
  };
  if (hosted || switched) offer("order", "Order", [...(switched ? ["by switch"] : []), ...(hosted ? ["by host"] : []), "by rank"]);
  offer("colour", "Colour", ["percent of the class", "values"]);
  if (blocked) offer("squares", "Squares", ["medians", "worst pairs"]);
  const box = grid(place);
  for (const table of data.pairs)
    for (const [column, percents, unit, title] of [
      ["latency_s", "latency_percent", "s", "Latency"],
      ["bandwidth_byte_s", "bandwidth_percent", "B/s", "Bandwidth"],
    ] as const) {
      const from = table.columns.from_rank ?? [],
        to = table.columns.to_rank ?? [],
        values = table.columns[column] ?? [];
      if (!values.some((value) => value > 0)) continue;
      const present = [...new Set([...from, ...to])].sort((a, b) => a - b),
        ranks = present.length,
        block = table.block ?? 1,
        worst = table.columns[`worst_${column}`],
        percent = table.columns[percents] ?? [],
        worstPercent = table.columns[`worst_${percents}`],
        groups = () => (chosen.order === "by switch" ? table.switches : table.hosts),
        parted = () => isParted(groups()) && new Set(groups()).size <= mostParted;
      const host = (rank: number) => (table.hosts?.[rank] ? ` (${table.hosts[rank]})` : "");
      const share = (value: number | undefined) => (value === undefined ? "" : `, ${si(value, "percent")} of its class`);
      const told = (i: number) =>
        `rank ${from[i]}${host(from[i])} to rank ${to[i]}${host(to[i])}: ${si(values[i], unit)}${share(percent[i])}${worst ? `, worst of the block ${si(worst[i], unit)}${share(worstPercent?.[i])}` : ""}`;
      repaints.push(
        figure(box, {
          chart: "pairs",
          title: `${title} of pairs, ${data.runs[table.run].name}`,
          caption: `Row: from rank, column: to rank${isParted(table.hosts) || isParted(table.switches) ? "; lines part hosts or switches" : ""}. Percent of the median of a pair's class: within a host${isParted(table.switches) ? ", at a switch, between switches" : ", between hosts"}. ${block > 1 ? `A square is a block of ${block} ranks with the median or the worst of its pairs. ` : ""}Logarithmic shades.`,
          numbers: () => ({
            columns: ["from rank", "to rank", title.toLowerCase(), "percent of the class", ...(worst ? ["worst", "worst percent"] : [])],
            rows: values.map((value, i) => [
              from[i],
              to[i],
              value > 0 ? si(value, unit, 5) : null,
              percent[i] > 0 ? si(percent[i], "percent", 4) : null,
              ...(worst
                ? [worst[i] > 0 ? si(worst[i], unit, 5) : null, worstPercent?.[i] > 0 ? si(worstPercent[i], "percent", 4) : null]
                : []),
            ]),
          }),
          draw: (width) => {
            const bySwitch = chosen.order === "by switch",
              order = orderOf(present, groups(), chosen.order !== "by rank", bySwitch),
              named = parted() && order.names.length > 0,
              inPercent = chosen.colour === "percent of the class" && percent.some((value) => value > 0),
              medians = inPercent ? percent : values,
              least = inPercent ? worstPercent : worst,
              drawn = chosen.squares === "worst pairs" && least ? least : medians;
            const logs = drawn.filter((value) => value > 0).map(Math.log),
              low = logs.reduce((least, one) => Math.min(least, one)),
              high = logs.reduce((most, one) => Math.max(most, one));
            const letters = 7 * String(present[ranks - 1]).length, // width of the longest name of a rank
              edge = Math.max(named ? 44 : 26, letters + 8),
              size = Math.min(width - edge, 420),
              cell = size / ranks,
              dense = 2;
            const canvas = element("canvas", {
              width: String((size + edge) * dense),
              height: String((size + edge) * dense),
              style: `width:${size + edge}px;height:${size + edge}px`,
            });
            const paper = canvas.getContext("2d")!,
              ink = getComputedStyle(document.body).color;
            paper.scale(dense, dense);
            paper.fillStyle = ink;
            paper.font = "11px system-ui, sans-serif";
            const step = Math.max(1, Math.ceil((ranks * Math.max(22, letters + 6)) / size));
            for (let i = 0; i < ranks; i += step) {
              const at = edge + (i + 0.5) * cell;
              paper.textAlign = "center";
              if (at + letters / 2 <= edge + size) paper.fillText(String(order.ranks[i]), at, edge - 8);
              paper.textAlign = "right";
              paper.fillText(String(order.ranks[i]), edge - 5, edge + (i + 0.5) * cell + 4);
            }
            const squares = squaresOf(from, to, drawn, order.place);
            for (const [at, i] of squares) {
              const [row, column] = at.split(" ").map(Number);
              paper.fillStyle = shade((Math.log(drawn[i]) - low) / Math.max(1e-12, high - low));
              const left = Math.round(column * cell),
                top = Math.round(row * cell);
              paper.fillRect(edge + left, edge + top, Math.round((column + 1) * cell) - left, Math.round((row + 1) * cell) - top);
            }
            paper.fillStyle = paper.strokeStyle = ink;
            paper.lineWidth = Math.min(2, Math.max(0.5, cell / 8));
            for (const border of parted() ? order.borders : []) {
              const at = Math.round(border * cell) + edge;
              paper.beginPath();
              paper.moveTo(at, 0);
              paper.lineTo(at, edge + size);
              paper.moveTo(0, at);
              paper.lineTo(edge + size, at);
              paper.stroke();
            }
            paper.textAlign = "center";
            for (const one of named ? order.names : []) {
              const text = fitted(paper, one.name, (one.to - one.from) * cell - 6),
                at = edge + ((one.from + one.to) / 2) * cell;
              paper.fillText(text, at, 12);
              paper.save();
              paper.translate(12, at);
              paper.rotate(-Math.PI / 2);
              paper.fillText(text, 0, 0);
              paper.restore();
            }
            const said = element("p", { class: "note" }, "Point at a square for its pair.");
            canvas.addEventListener("pointermove", (event) => {
              const i = squares.get(`${Math.floor((event.offsetY - edge) / cell)} ${Math.floor((event.offsetX - edge) / cell)}`);
              if (i !== undefined) said.textContent = told(i);
            });
            return element("div", {}, canvas, scale(Math.exp(low), Math.exp(high), inPercent ? "percent" : unit, size + edge), said);
          },
        }),
      );
    }
}
