// SPDX-License-Identifier: Apache-2.0
// The filter of the table of all points: words that a row must hold, in quotes where they hold blanks, and bounds of its
// numbers.
import type { Point } from "./contract";
import { unitOf } from "./format";

const sizes: Record<string, number> = {
  "": 1,
  b: 1,
  k: 2 ** 10,
  kib: 2 ** 10,
  ki: 2 ** 10,
  m: 2 ** 20,
  mib: 2 ** 20,
  mi: 2 ** 20,
  g: 2 ** 30,
  gib: 2 ** 30,
  gi: 2 ** 30,
};
const times: Record<string, number> = { "": 1, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };
const rates: Record<string, number> = { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 };
const bandwidths: Record<string, number> = {
  ...rates,
  "b/s": 1,
  "kb/s": 1e3,
  "mb/s": 1e6,
  "gb/s": 1e9,
  "tb/s": 1e12,
  "pb/s": 1e15,
  "mib/s": 2 ** 20,
  "gib/s": 2 ** 30,
};

/** The bound of a point's figure: its unit says whether that is a time, a bandwidth or another rate. */
export function boundOf(point: Point): string | undefined {
  const unit = unitOf(point.metric);
  return unit === "s" ? "time" : unit === "B/s" ? "bandwidth" : unit.endsWith("/s") ? "rate" : undefined;
}
const figureOf = (name: string) => (point: Point) => (boundOf(point) === name ? point.median : null);

/** What the column of bandwidths shows, also of a point whose figure is a time. */
export function bandwidthOf(point: Point): number | null {
  return boundOf(point) === "bandwidth" ? point.median : point.rate;
}

const members: Record<string, { units: Record<string, number>; of: (point: Point) => number | null }> = {
  run: { units: { "": 1 }, of: (point) => point.run + 1 }, // the number of the result on the page
  processes: { units: { "": 1 }, of: (point) => point.processes },
  length: { units: sizes, of: (point) => point.length },
  time: { units: times, of: figureOf("time") },
  bandwidth: { units: bandwidths, of: bandwidthOf },
  rate: { units: rates, of: figureOf("rate") },
};
const slack = 0.005; // a bound has three digits

type Test = (point: Point, run: string) => boolean;

function bound(word: string): Test | undefined {
  const found = word.match(/^([a-z]+)(<=|>=|<|>|=)([0-9.]+(?:e[-+]?\d+)?)([a-zµ/]*)$/);
  if (!found) return undefined;
  const member = members[found[1]],
    unit = member?.units[found[4]];
  if (!member || unit === undefined) return undefined;
  const limit = Number(found[3]) * unit,
    exact = ["run", "processes", "length"].includes(found[1]);
  const low = exact ? limit : limit * (1 - slack),
    high = exact ? limit : limit * (1 + slack);
  const holds: Record<string, (value: number) => boolean> = {
    "<=": (value) => value <= high,
    ">=": (value) => value >= low,
    "<": (value) => value < limit,
    ">": (value) => value > limit,
    "=": (value) => value >= low && value <= high,
  };
  return (point) => {
    const value = member.of(point);
    return value !== null && holds[found[2]](value);
  };
}

const member = new RegExp(`^(${Object.keys(members).join("|")})=`);

/** The words of a filter, as they were typed: blanks stand within quotes. */
export function splitWords(text: string): string[] {
  return text.match(/(?:"(?:[^"]|"")*"|\S)+/g) ?? [];
}

/** What a word in quotes looks for, in which two quotes stand for one; nothing of a word without quotes. */
function quoted(word: string): string | undefined {
  return word.match(/^"((?:[^"]|"")*)"$/)?.[1].replace(/""/g, '"');
}

/** Words that look like bounds and are none, as "length>=1X" or "size<4": each can match nothing. */
export function badWords(text: string): string[] {
  return splitWords(text.toLowerCase()).filter(
    (word) => quoted(word) === undefined && !bound(word) && (/[<>]/.test(word) || member.test(word)),
  );
}

/** The words of a row. */
function rowText(point: Point, run: string): string {
  const marks = point.marks && ` mark=${point.marks.split(" ").join(" mark=")}`;
  return `${run} ${point.suite}/${point.benchmark} ${point.variant} status=${point.status}${marks} ${point.doubts}`.toLowerCase();
}

/** What a point must pass; nothing where there are no words. */
export function filterOf(text: string): Test | undefined {
  const tests = splitWords(text.toLowerCase()).map((word): Test => {
    const words = quoted(word);
    return (words === undefined ? bound(word) : undefined) ?? ((point, run) => rowText(point, run).includes(words ?? word));
  });
  return tests.length ? (point, run) => tests.every((test) => test(point, run)) : undefined;
}
