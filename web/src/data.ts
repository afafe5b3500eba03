// SPDX-License-Identifier: Apache-2.0
import type { PageData, Point } from "./contract";

async function unpacked(base64: string): Promise<string> {
  const letters = atob(base64),
    bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Characters that turn the direction of what follows, a name's end or the number behind it, as what they are. */
function directionsShown(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (one) => `[U+${one.charCodeAt(0).toString(16).toUpperCase()}]`);
}

export async function decode(): Promise<PageData> {
  const element = document.getElementById("data")!;
  const text = element.textContent ?? "";
  const data = JSON.parse(directionsShown(element.dataset.encoding === "json" ? text : await unpacked(text))) as PageData;
  if (data.format !== "steelyard.report" || data.format_version !== 1) throw new Error("data of another format");
  return data;
}

export function pointsOf(data: PageData): Point[] {
  const columns = data.points,
    words = data.dictionaries;
  return columns.run.map((run, i) => ({
    run,
    suite: words.suite[columns.suite[i]],
    part: words.part[columns.suite[i]],
    benchmark: words.benchmark[columns.benchmark[i]],
    variant: words.variant[columns.variant[i]],
    metric: words.metric[columns.metric[i]],
    status: words.status[columns.status[i]],
    marks: words.marks[columns.marks[i]],
    doubts: words.doubts[columns.doubts[i]],
    processes: columns.processes[i],
    length: columns.length_byte[i],
    median: columns.median[i],
    low: columns.low[i],
    high: columns.high[i],
    p99: columns.p99[i],
    n: columns.n[i],
    rate: columns.metric[i] >= 0 && words.metric[columns.metric[i]] === "bandwidth_byte_s" ? columns.median[i] : columns.byte_s[i],
  }));
}

export function groupBy<T>(list: Iterable<T>, key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const name = key(one),
      group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}

/** Value of "name=value" in the words of a variant. */
export function member(variant: string, name: string): string | undefined {
  return variant
    .split(" ")
    .find((word) => word.startsWith(name + "="))
    ?.slice(name.length + 1);
}
