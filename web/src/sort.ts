// SPDX-License-Identifier: Apache-2.0
// Tables are sorted by their heads: first up, then down, then as they were.
import { prefixed } from "./format";

const prefixes: Record<string, number> = {
  p: 1e-12,
  n: 1e-9,
  u: 1e-6,
  µ: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};
const prefixOf = new RegExp(`^([pnuµmkMGTP]|[KMGT]i)(?=(?:${prefixed.join("|")})$)`);
const most = 5000; // rows that a browser moves without a pause

/** What "4.1 µs", "(0.3)" or "64 KiB" counts; nothing where a text is no number. */
export function valueOf(text: string): number | undefined {
  const found = text.trim().match(/^[(+]?(-?\d[\d.]*(?:e[+-]?\d+)?)\)?(?:\s+([A-Za-zµ%/]+))?\)?$/);
  if (!found) return undefined;
  const [, prefix] = (found[2] ?? "").match(prefixOf) ?? [];
  return Number(found[1]) * (prefix ? prefixes[prefix] : 1);
}

/** Order of two texts: numbers by value before words; what is empty comes last. */
export function compareTexts(a: string, b: string): number {
  const empty = (text: string) => /^(-|\s*)$/.test(text);
  if (empty(a) || empty(b)) return Number(empty(a)) - Number(empty(b));
  const x = valueOf(a),
    y = valueOf(b);
  if (x !== undefined && y !== undefined) return x - y;
  if (x !== undefined || y !== undefined) return x !== undefined ? -1 : 1;
  return a.localeCompare(b, "en", { numeric: true });
}

export type Order = "ascending" | "descending" | undefined;
export const next = (order: string | null): Order =>
  order === "ascending" ? "descending" : order === "descending" ? undefined : "ascending";

/** Tells at the heads which one sorts, and how. */
export function mark(head: HTMLElement, order: Order): void {
  for (const other of head.parentElement!.children) other.removeAttribute("aria-sort");
  if (order) head.setAttribute("aria-sort", order);
}

/** The text of a head becomes a button. */
export function headButton(head: HTMLElement, taken: () => void): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "sort";
  button.append(...head.childNodes);
  button.addEventListener("click", taken);
  head.append(button);
}

const first = new WeakMap<HTMLTableElement, HTMLTableRowElement[]>();

function sortBy(table: HTMLTableElement, head: HTMLTableCellElement): void {
  const body = table.tBodies[0],
    order = next(head.getAttribute("aria-sort"));
  if (!first.has(table)) first.set(table, [...body.rows]);
  const rows = [...first.get(table)!],
    column = head.cellIndex;
  const text = new Map(rows.map((row) => [row, row.cells[column]?.textContent ?? ""]));
  if (order)
    rows.sort((a, b) => {
      const [x, y] = [text.get(a)!, text.get(b)!],
        last = Number(/^(-|\s*)$/.test(x)) - Number(/^(-|\s*)$/.test(y));
      return last || (order === "ascending" ? 1 : -1) * compareTexts(x, y);
    });
  body.append(...rows);
  mark(head, order);
}

/** Every table that is not folded up. */
export function sortable(within: ParentNode): void {
  for (const table of within.querySelectorAll<HTMLTableElement>("table:not([data-sorts])")) {
    if (table.closest("details:not([open])") || table.closest(".all-points")) continue;
    const head = table.tHead?.rows,
      rows = table.tBodies[0]?.rows.length ?? 0;
    table.dataset.sorts = "";
    if (head?.length !== 1 || table.tBodies.length !== 1 || rows < 2 || rows > most) continue;
    for (const cell of head[0].querySelectorAll<HTMLTableCellElement>("th"))
      if (cell.textContent) headButton(cell, () => sortBy(table, cell));
  }
}
