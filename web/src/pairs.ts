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

/** Ranks in the order in which they are drawn; by host: ranks of a host together, with the borders between hosts. */
function orderOf(present: number[], hosts: string[] | undefined, byHost: boolean): Order {
  const list = [...present],
    host = (rank: number) => hosts?.[rank] ?? "";
  const first = new Map<string, number>();
  for (const rank of list) if (!first.has(host(rank))) first.set(host(rank), first.size);
  if (byHost) list.sort((a, b) => first.get(host(a))! - first.get(host(b))! || a - b);
  const borders = list.map((_, i) => i).filter((i) => i > 0 && host(list[i]) !== host(list[i - 1]));
  const ends = [0, ...borders, list.length];
  const names = ends.slice(1).map((to, i) => ({ name: host(list[ends[i]]), from: ends[i], to }));
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

export function pairs(place: Element, data: PageData): void {
  let byHost = true;
  const repaints: (() => void)[] = [];
  const hosted = data.pairs.some((table) => new Set(table.hosts ?? []).size > 1);
  if (hosted)
    byHost =
      choice(
        place,
        "Order",
        ["by host", "by rank"],
        (word) => {
          byHost = word === "by host";
          for (const repaint of repaints) repaint();
        },
        "order",
      ) === "by host";
  const box = grid(place);
  for (const table of data.pairs)
    for (const [column, unit, title] of [
      ["latency_s", "s", "Latency"],
      ["bandwidth_byte_s", "B/s", "Bandwidth"],
    ] as const) {
      const from = table.columns.from_rank ?? [],
        to = table.columns.to_rank ?? [],
        values = table.columns[column] ?? [];
      const logs = values.filter((value) => value > 0).map(Math.log);
      if (logs.length === 0) continue;
      const low = Math.min(...logs),
        high = Math.max(...logs),
        present = [...new Set([...from, ...to])].sort((a, b) => a - b),
        ranks = present.length,
        block = table.block ?? 1,
        worst = table.columns[`worst_${column}`];
      const host = (rank: number) => (table.hosts?.[rank] ? ` (${table.hosts[rank]})` : "");
      const told = (i: number) =>
        `rank ${from[i]}${host(from[i])} to rank ${to[i]}${host(to[i])}: ${si(values[i], unit)}${worst ? `, worst of the block ${si(worst[i], unit)}` : ""}`;
      repaints.push(
        figure(box, {
          chart: "pairs",
          title: `${title} of pairs, ${data.runs[table.run].name}`,
          caption: `Row: from rank, column: to rank${hosted ? "; lines part the hosts" : ""}. ${block > 1 ? `A square is a block of ${block} ranks with the median of its pairs. ` : ""}Logarithmic shades.`,
          numbers: () => ({
            columns: ["from rank", "to rank", title.toLowerCase()],
            rows: values.map((value, i) => [from[i], to[i], value > 0 ? si(value, unit, 5) : null]),
          }),
          draw: (width) => {
            const order = orderOf(present, table.hosts, byHost),
              named = order.names.length > 0;
            const edge = named ? 44 : 26,
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
            const step = Math.max(1, Math.ceil((ranks * 22) / size));
            for (let i = 0; i < ranks; i += step) {
              paper.textAlign = "center";
              paper.fillText(String(order.ranks[i]), edge + (i + 0.5) * cell, edge - 8);
              paper.textAlign = "right";
              paper.fillText(String(order.ranks[i]), edge - 5, edge + (i + 0.5) * cell + 4);
            }
            const squares = new Map<string, number>();
            values.forEach((value, i) => {
              if (!(value > 0)) return;
              const row = order.place.get(from[i])!,
                column = order.place.get(to[i])!;
              squares.set(`${row} ${column}`, i);
              paper.fillStyle = shade((Math.log(value) - low) / Math.max(1e-12, high - low));
              const left = Math.round(column * cell),
                top = Math.round(row * cell);
              paper.fillRect(edge + left, edge + top, Math.round((column + 1) * cell) - left, Math.round((row + 1) * cell) - top);
            });
            paper.fillStyle = paper.strokeStyle = ink;
            paper.lineWidth = Math.min(2, Math.max(0.5, cell / 8));
            for (const border of order.borders) {
              const at = Math.round(border * cell) + edge;
              paper.beginPath();
              paper.moveTo(at, 0);
              paper.lineTo(at, edge + size);
              paper.moveTo(0, at);
              paper.lineTo(edge + size, at);
              paper.stroke();
            }
            paper.textAlign = "center";
            for (const one of order.names) {
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
            return element("div", {}, canvas, scale(Math.exp(low), Math.exp(high), unit, size + edge), said);
          },
        }),
      );
    }
}
