// SPDX-License-Identifier: Apache-2.0
// The filter of the table of all points: words that a row must hold, and bounds of its numbers.
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
  "": 1,
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

const members: Record<string, { units: Record<string, number>; of: (point: Point) => number | null }> = {
  processes: { units: { "": 1 }, of: (point) => point.processes },
  length: { units: sizes, of: (point) => point.length },
  time: { units: times, of: figureOf("time") },
  bandwidth: { units: bandwidths, of: figureOf("bandwidth") },
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
    exact = found[1] === "processes" || found[1] === "length";
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

/** Words that look like bounds and are none, as "length>=1X" or "size<4": each can match nothing. */
export function badWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word && !bound(word) && (/[<>]/.test(word) || member.test(word)));
}

/** What a point must pass; nothing where there are no words. */
export function filterOf(text: string): Test | undefined {
  const tests = text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map(
      (word): Test =>
        bound(word) ??
        ((point, run) =>
          `${run} ${point.suite}/${point.benchmark} ${point.variant} status=${point.status}${point.marks && ` mark=${point.marks.split(" ").join(" mark=")}`}`
            .toLowerCase()
            .includes(word)),
    );
  return tests.length ? (point, run) => tests.every((test) => test(point, run)) : undefined;
}
