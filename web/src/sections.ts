// SPDX-License-Identifier: Apache-2.0
// Tables of the program as lists of records, and for the eye.
import { digits, unitName } from "./format";
import type { Numbers } from "./figure";
import type { Section } from "./contract";

export type Record_ = Record<string, string | number | null>;

export function records(section: Section | undefined): Record_[] {
  if (!section) return [];
  return section.rows.map((row) => Object.fromEntries(section.columns.map((column, i) => [column.key, row[i]])));
}

/** The rows of a section for the eye: without columns that only a program reads. */
export function sectionNumbers(section: Section | undefined): Numbers {
  if (!section) return { columns: [], rows: [] };
  const shown = section.columns
    .map((column, i) => ({ i, title: (column.title || column.key).replace(/_/g, " ") + (column.unit ? `, ${unitName(column.unit)}` : "") }))
    .filter(({ i }) => section.columns[i].key !== "own");
  return {
    columns: shown.map(({ title }) => title),
    rows: section.rows.map((row) => shown.map(({ i }) => (typeof row[i] === "number" ? digits(row[i] as number, 5) : row[i]))),
  };
}

export const numberOf = (value: string | number | null) => (typeof value === "number" ? value : NaN);
