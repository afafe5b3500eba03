// SPDX-License-Identifier: Apache-2.0
// The unit in which bandwidths are shown, everywhere on the page.
import { digitsOf, rateScale, rateUnits, setRateUnit } from "./format";
import { element, repaintAll } from "./figure";
import { choose, chosen } from "./state";

const factors: Record<string, number> = { "B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12 };
const ending = /(^|[\s,(])([kMGT]?B\/s)\)?$/;

/** As the program wrote it. */
const written = new WeakMap<Text, string>();

function converted(text: Text, change: (first: string) => string): void {
  if (!written.has(text)) written.set(text, text.data);
  text.data = change(written.get(text)!);
}

function convertColumn(table: HTMLTableElement, head: HTMLTableCellElement, title: Text): void {
  const first = written.get(title) ?? title.data,
    unit = first.trim().match(ending)![2],
    scale = rateScale();
  converted(title, (old) => (scale ? old.replace(unit, scale.unit) : old));
  for (const row of table.tBodies[0]?.rows ?? []) {
    const value = row.cells[head.cellIndex]?.firstChild;
    if (value instanceof Text)
      converted(value, (old) =>
        scale && /^[\d.]+(e[-+]?\d+)?$/.test(old.trim()) ? digitsOf(old.trim(), (Number(old) * factors[unit]) / scale.factor) : old,
      );
  }
}

/** The text of a head that ends in a unit, also where it was changed before. */
function titleOf(head: Element): Text | undefined {
  const walker = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
  for (let one = walker.nextNode() as Text | null; one; one = walker.nextNode() as Text | null)
    if (ending.test((written.get(one) ?? one.data).trim())) return one;
  return undefined;
}

/** Tables and cards that the program wrote. */
function convertPage(): void {
  for (const head of document.querySelectorAll<HTMLTableCellElement>("main thead th")) {
    const table = head.closest("table")!;
    if (table.closest("figure, .all-points")) continue;
    const title = titleOf(head);
    if (title) convertColumn(table, head, title);
  }
  for (const card of document.querySelectorAll(".card-value")) {
    const text = card.firstChild;
    if (!(text instanceof Text)) continue;
    const found = (written.get(text) ?? text.data).trim().match(/^([\d.]+)\s([kMGT]?B\/s)$/),
      scale = rateScale();
    if (found)
      converted(text, (old) =>
        scale
          ? old.replace(found[0], `${digitsOf(found[1], (Number(found[1]) * factors[found[2]]) / scale.factor)}\u00a0${scale.unit}`)
          : old,
      );
  }
}

export function unitControl(): HTMLElement {
  const list = element("select", { "aria-label": "Unit of bandwidths" }, ...rateUnits.map((unit) => element("option", {}, unit)));
  if (rateUnits.includes(chosen("units") ?? "")) list.value = chosen("units")!;
  setRateUnit(list.value);
  if (rateScale()) convertPage();
  list.addEventListener("change", () => {
    setRateUnit(list.value);
    choose("units", list.value === rateUnits[0] ? undefined : list.value);
    convertPage();
    repaintAll();
    document.dispatchEvent(new Event("units"));
  });
  return list;
}
