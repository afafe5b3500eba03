// SPDX-License-Identifier: Apache-2.0
// What charts tell of points that do not stand for the machine: hollow marks, lines of the text at a mark, columns of the table.
import * as Plot from "@observablehq/plot";
import type { Series } from "./figure";
import type { Point } from "./contract";

export type Doubt = Pick<Point, "status" | "doubts">;

/** A mark of a chart: what its point is in doubt for, where it is a point's. */
export interface Doubted {
  doubt?: Doubt;
}

const meanings: Record<string, string> = { unverified: "wrong data", partial: "cut short" };

/** Not measured as it should be: drawn hollow. */
export function isHollow(doubt: Doubt | undefined): boolean {
  return doubt !== undefined && doubt.status !== "ok";
}

/** Of a value over another one: what is wrong with either is wrong with it. */
export function eitherOf(point: Doubt, base: Doubt): Doubt {
  return !isHollow(point) && isHollow(base) ? { ...point, status: base.status } : point;
}

/** Lines of the text at a mark. */
export function doubtLines({ status, doubts }: Doubt): string[] {
  return [status === "ok" ? "" : status, doubts].filter(Boolean);
}

/** What a caption says of hollow marks; nothing where there are none. */
export function hollowTold(list: (Doubt | undefined)[]): string {
  const statuses = [...new Set(list.filter(isHollow).map((one) => one!.status))];
  if (statuses.length === 0) return "";
  return ` Hollow: ${statuses.map((status) => status + (meanings[status] ? ` (${meanings[status]})` : "")).join(", ")}.`;
}

/** Columns of a table of marks, where some are in doubt. */
export function doubtColumns(list: (Doubt | undefined)[]): { names: string[]; cells(doubt: Doubt | undefined): string[] } {
  const some = list.some((doubt) => doubt && doubtLines(doubt).length > 0);
  return {
    names: some ? ["status", "doubts"] : [],
    cells: (doubt) => (some ? [doubt?.status ?? "", doubt?.doubts ?? ""] : []),
  };
}

/** Marks of a series whose points were measured as they should be. */
export function wholeMarks<T extends Doubted>(list: T[], one: Series, r: number, { x, y } = { x: "x", y: "y" }): Plot.Markish {
  return Plot.dot(
    list.filter((dot) => !isHollow(dot.doubt)),
    { x, y, fill: one.color, symbol: one.symbol, r },
  );
}

/** The others; above the marks of all series, so that none hides them. */
export function hollowMarks<T extends Doubted>(list: T[], one: Series, r: number, { x, y } = { x: "x", y: "y" }): Plot.Markish {
  return Plot.dot(
    list.filter((dot) => isHollow(dot.doubt)),
    { x, y, fill: "var(--card)", stroke: one.color, strokeWidth: 1.5, symbol: one.symbol, r: r + 0.6 },
  );
}
