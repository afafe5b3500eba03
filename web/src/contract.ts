// SPDX-License-Identifier: Apache-2.0
// What the program writes for the page (src/report/page_data.cpp).

export interface Section {
  id: string;
  title: string;
  text: string[];
  notes: string[];
  columns: { key: string; title: string; unit: string }[];
  rows: (string | number | null)[][];
}

export interface Noise {
  detours?: { class_ends_s?: number[]; counts?: number[] };
}

export interface PageData {
  format: "steelyard.report";
  format_version: number;
  runs: { name: string; id: string; started_utc: string; processes: number; noise: Noise | null }[];
  dictionaries: Record<"suite" | "part" | "benchmark" | "variant" | "metric" | "status" | "marks" | "doubts", string[]>; // part: of the page, for each suite
  flags: Record<string, string>; // what each mark means
  points: Record<"run" | "suite" | "benchmark" | "variant" | "metric" | "status" | "marks" | "doubts" | "processes", number[]> &
    Record<"length_byte" | "median" | "low" | "high" | "p99" | "n" | "byte_s", (number | null)[]>;
  kept_points: number;
  total_points: number;
  figures: Section[];
  batches: { run: number; key: string; median: number; batches: number[] }[];
  overlap: { run: number; benchmark: string; processes: number; variant: string; length_byte: number | null; percent: number }[];
  chunks: Chunk[];
  pairs: { run: number; hosts?: string[]; switches?: string[]; block?: number; columns: Record<string, number[]> }[]; // hosts, switches: of the ranks; block: ranks of a square
  screenings: { run: number; tests: NodeTest[] }[];
  comparison: { threshold: number; points: ComparedPoint[]; points_of: number } | null; // points_of: before they were thinned
  acceptance: CriterionBar[] | null;
  history: Trends | null;
}

/** A pattern of b_eff_io at its place among those of its type. */
export interface Chunk {
  run: number;
  processes: number;
  access: string;
  type: string;
  position: number;
  chunk_byte: number;
  name: string; // of the chunk, another one at each position
  byte_s: number;
}

/** How far a criterion is from its limit: shares of it, positive where it is better. */
export interface CriterionBar {
  id: string;
  verdict: string;
  margin: number | null;
  low: number | null;
  high: number | null;
  told: string;
}

/** A test of a screening: its nodes by value, worst first; `at` is a place among them. */
export interface NodeTest {
  quantity: string;
  unit: string;
  better: "lower" | "higher";
  limit_percent: number | null;
  medians: { value: number; count: number; name: string }[];
  hosts: string[];
  values: number[];
  flagged: { at: number; verdict: string; told: string }[];
  without: string[];
}

export interface Trends {
  threshold: number;
  entries: { run: string; started: string; text: boolean }[]; // text: of another program
  charts: Trend[];
  drawable: number;
}

/** A series; changes, steps and marks are places in its values. */
export interface Trend {
  name: string;
  context: string;
  level: string;
  unit: string;
  better: "lower" | "higher";
  verdict: string;
  finding: string;
  known: string | null;
  entries: number[];
  values: number[];
  lows: (number | null)[]; // of the intervals of the values
  highs: (number | null)[];
  steps: { from: number; to: number; median: number }[];
  changes: { first: number; last: number; ratio: number; p: number }[];
  marks: { at: number; aspect: string; words: string }[];
}

export interface ComparedPoint {
  benchmark: string;
  key: string;
  length_byte: number | null;
  ratio: number;
  low: number | null;
  high: number | null;
  verdict: string;
}

export interface Point {
  run: number;
  suite: string;
  part: string; // of the page that shows its suite
  benchmark: string;
  variant: string;
  metric: string;
  status: string;
  marks: string; // flags, for the filter
  doubts: string; // the same in words
  processes: number;
  length: number | null;
  median: number | null;
  low: number | null;
  high: number | null;
  p99: number | null;
  n: number | null;
  rate: number | null;
}
