// SPDX-License-Identifier: Apache-2.0
const prefixes: [number, string][] = [
  [1e15, "P"],
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
];

/** Three significant digits in plain decimals. */
export function digits(value: number, count = 3): string {
  if (value === 0) return "0";
  const places = Math.max(0, count - 1 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(places, 20));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A value that follows from the number in a text, with as many significant digits as that has. */
export function digitsOf(text: string, value: number): string {
  const mantissa = text.replace(/e.*$/, "").replace(".", ""),
    count = Math.max(1, mantissa.replace(/^0+/, "").length),
    rounded = Number(value.toPrecision(count));
  if (rounded === 0) return "0";
  return rounded.toFixed(Math.min(20, Math.max(0, count - 1 - Math.floor(Math.log10(Math.abs(rounded))))));
}

/** Units of bandwidths: the first lets each value choose its prefix. */
export const rateUnits = ["units as fit", "MB/s", "GB/s", "MiB/s", "GiB/s"];
const rateFactors: Record<string, number> = { "MB/s": 1e6, "GB/s": 1e9, "MiB/s": 2 ** 20, "GiB/s": 2 ** 30 };
let rate: { unit: string; factor: number } | undefined;

export function setRateUnit(word: string): void {
  rate = rateFactors[word] ? { unit: word, factor: rateFactors[word] } : undefined;
}
/** The unit that the reader chose; nothing where each value has its own. */
export function rateScale(): { unit: string; factor: number } | undefined {
  return rate;
}

/** A unit as the page writes it: the program's texts are ASCII. */
export function unitName(unit: string): string {
  return unit.replace(/^(1\/)?us$/, "$1µs");
}

/** "657 MB/s", "4.1 µs"; numbers without unit and percent without prefix. */
export function si(value: number | null | undefined, unit: string, count = 3): string {
  if (value === null || value === undefined) return "-";
  if (unit === "" || unit === "percent") return digits(value, count) + (unit ? " %" : "");
  if (unit === "B/s" && rate) return `${digits(value / rate.factor, count)} ${rate.unit}`;
  if (value === 0) return `0 ${unit}`;
  const size = Math.abs(value) * (1 + 1e-12);
  const [scale, prefix] = prefixes.find(([least]) => size >= least) ?? prefixes[prefixes.length - 1];
  return `${digits(value / scale, count)} ${prefix}${unit}`;
}

export function bytes(value: number): string {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  let power = 0;
  while (power < names.length - 1 && value >= 1024) {
    value /= 1024;
    ++power;
  }
  return `${digits(value, 4)} ${names[power]}`;
}

/** Text in which no line ends between a number and its unit, as the program writes its own. */
export function bound(text: string): string {
  return text.replace(/(?<=\d) (?=(?:%|min|h|[pnuµmkMGTP]?i?(?:s|B|Hz|flop))(?:[ ,.;:/)']|$))/g, "\u00a0");
}

/** Ends of the names of metrics, and their units. */
const units: [string, string][] = [
  ["_byte_s", "B/s"],
  ["_flop_s", "flop/s"],
  ["_update_s", "update/s"],
  ["_edge_s", "edge/s"],
  ["_op_s", "op/s"],
  ["_percent", "percent"],
  ["_byte", "B"],
  ["_s", "s"],
];

/** Units that stand behind numbers with a prefix. */
export const prefixed = [...units.map(([, unit]) => unit).filter((unit) => unit !== "percent"), "Hz"];

/** Unit at the end of a metric's name. */
export function unitOf(metric: string): string {
  return units.find(([end]) => metric.endsWith(end))?.[1] ?? "";
}

/** About so many round numbers between two that are near each other. */
function evenTicks(low: number, high: number, about = 4): number[] {
  const rough = (high - low) / about,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough)!,
    ticks: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high; ++i) ticks.push(i * step);
  return ticks;
}

/** Ticks that are at least `least` apart on a logarithmic axis of `length` pixels from `low` to `high`; those near `from`
 *  are kept first. */
export function spaced(ticks: number[], [low, high]: [number, number], length: number, from: number, least = 17): number[] {
  const at = (tick: number) => (Math.log(tick / low) / Math.log(high / low)) * length,
    kept: number[] = [];
  const within = ticks
    .filter((tick) => tick >= low && tick <= high)
    .sort((a, b) => Math.abs(Math.log(a / from)) - Math.abs(Math.log(b / from)));
  for (const tick of within) if (kept.every((other) => Math.abs(at(tick) - at(other)) >= least)) kept.push(tick);
  return kept.sort((a, b) => a - b);
}

/** Round times between two, and texts that differ from tick to tick. */
export function timeTicks(low: number, high: number): { ticks: number[]; text: (value: number) => string } {
  if (!(high > low)) return { ticks: [low], text: (value) => `${digits(value, 4)} s` };
  const ticks = evenTicks(low, high),
    step = ticks.length > 1 ? ticks[1] - ticks[0] : high - low;
  const places = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return { ticks, text: (value) => `${value.toFixed(Math.min(places, 9))} s` };
}

/** Ticks at 1, 2, 5 over two decades or fewer, else at powers of ten, at most `most`. */
export function decimalTicks(low: number, high: number, most = 8): number[] {
  if (high / low < 8) return evenTicks(low, high);
  const from = Math.floor(Math.log10(low)),
    to = Math.ceil(Math.log10(high));
  const steps = to - from <= 2 ? [1, 2, 5] : [1],
    ticks: number[] = [];
  const stride = Math.max(1, Math.ceil((to - from) / most));
  for (let power = from; power <= to; power += steps.length > 1 ? 1 : stride) for (const step of steps) ticks.push(step * 10 ** power);
  return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

/** Numbers that are round in the unit in which they are told: the reader may have chosen one that is no power of ten. */
function roundIn(unit: string, low: number, high: number, ticks: (low: number, high: number) => number[]): number[] {
  const factor = unit === "B/s" && rate ? rate.factor : 1;
  return ticks(low / factor, high / factor).map((tick) => tick * factor);
}

/** Ticks of a logarithmic axis, round in the unit that is shown. */
export function logTicks(low: number, high: number, unit: string, most?: number): number[] {
  return roundIn(unit, low, high, (from, to) => decimalTicks(from, to, most));
}

/** Ticks of a linear axis, round in the unit that is shown. */
export function linearTicks(low: number, high: number, unit: string, about?: number): number[] {
  return roundIn(unit, low, high, (from, to) => evenTicks(from, to, about));
}

/** Powers of 32 between two lengths; of 1024 where there is little room. */
export function byteTicks(low: number, high: number, width: number): number[] {
  const first = Math.floor(Math.log2(low)),
    last = Math.ceil(Math.log2(high));
  const room = Math.max(2, Math.floor(width / 62));
  const step = [1, 2, 5, 10].find((one) => (last - first) / one < room) ?? 20,
    ticks: number[] = [];
  for (let power = Math.ceil(first / step) * step; power <= last; power += step) ticks.push(2 ** power);
  return ticks.filter((tick) => tick >= Math.max(1, low) && tick <= high); // no length is less than a byte
}

/** "1 point", "2 points". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** "1 process", "2 processes". */
export function processes(count: number | string | null): string {
  return `${count} process${Number(count) === 1 ? "" : "es"}`;
}
