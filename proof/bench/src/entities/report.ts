import { ENTITY_KINDS } from "@engram/spec";
import { markdownTable } from "../command/tables.ts";
import type { Half } from "../recall/halves.ts";
import type { KindFigures, Measured, Miss } from "./measure.ts";

/** Figures of a finder, by half. */
export interface Row {
  finder: string;
  halves: Record<Half, Measured["figures"]>;
}

export interface Report {
  messages: Record<Half, number>;
  rows: Row[];
  /** Dates whose place is right, whatever day they are taken for. */
  places: Row[];
  rules: number;
}

const TITLES = { held: "Held out", dev: "Development half" };
/** Figures that count come first. */
const ORDER: readonly Half[] = ["held", "dev"];

export function formatReport({ messages, rows, places, rules }: Report): string {
  const halves = ORDER.filter((half) => messages[half] > 0);
  return `# Entities

Measured by \`npm run bench:entities\` on [the coding set](../entities/README.md), with version ${rules} of the rules: ${messages.dev} messages of the development half and ${messages.held} held out. No message of the held-out half was read while the rules were written. Its totals per kind were seen four times, and rules were changed after the first three. A mention counts as found when its kind, start and end agree, and for a date its day or month, too. Precision and recall are in percent.

${halves.map((half) => `## ${TITLES[half]}\n\n${formatHalf(rows, half)}`).join("\n\n")}

## Dates without their values

${formatPlaces(places, halves)}

compromise is version 14 with its plugin for dates. Signs around its matches, and prepositions at the start of its dates, were removed before they were compared. The set marks no weekdays, months, years or times that stand alone: compromise finds them, which counts against its precision. For quoted names, its quotations count, which include speech. Its other kinds, such as people and places, are not in the set.
`;
}

function formatHalf(rows: readonly Row[], half: Half): string {
  const names = rows.flatMap(({ finder }) => [`${finder}: precision`, "recall"]);
  const lines = ENTITY_KINDS.map((kind) => [
    `\`${kind}\``,
    String(rows[0]?.halves[half][kind]?.mentions ?? 0),
    ...rows.flatMap(({ halves }) => toCells(halves[half][kind])),
  ]);
  return markdownTable([["kind", "mentions", ...names], ...lines]);
}

function formatPlaces(places: readonly Row[], shown: readonly Half[]): string {
  const lines = places.flatMap(({ finder, halves }) =>
    shown.map((half) => [finder, TITLES[half].toLowerCase(), ...toCells(halves[half].date)]),
  );
  return markdownTable([["", "half", "precision", "recall"], ...lines], 2);
}

function toCells(figures: KindFigures | undefined): string[] {
  if (figures === undefined) return ["", ""];
  return [figures.precision, figures.recall].map((each) => each?.toFixed(1) ?? "none");
}

export const formatMiss = ({ message, kind, text, is }: Miss): string =>
  `${is.padEnd(6)} ${kind.padEnd(11)} ${message.padEnd(16)} ${JSON.stringify(text)}`;
