import { readdirSync, readFileSync } from "node:fs";
import { ENTITY_KINDS, type EntityKind } from "@engram/spec";

/** Offsets are UTF-16 code units of the message's text; `end` is exclusive. */
export interface Label {
  kind: EntityKind;
  text: string;
  start: number;
  end: number;
  /** The ISO day or month that a date means. */
  value?: string;
}

export interface LabelledMessage {
  /** `<file>:<number in it>`, for people who look one up. */
  name: string;
  half: "dev" | "held";
  at: string;
  text: string;
  labels: Label[];
}

const FOLDER = new URL("../../entities/", import.meta.url);
const TIME = /^## (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n/;
const MARK = /\{\{([a-z_]+)(?:=([\d-]+))?:|\}\}/g;

/** Reads the coding set: `proof/bench/entities/README.md` describes its format. */
export function readCodingSet(): LabelledMessage[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".txt"));
  const messages = files
    .sort()
    .flatMap((file) => parseMessages(file, readFileSync(new URL(file, FOLDER), "utf8")));
  return messages.map((message, i) => ({ ...message, half: i % 2 === 0 ? "dev" : "held" }));
}

function parseMessages(file: string, source: string): Omit<LabelledMessage, "half">[] {
  let at: string | undefined;
  return source
    .trimEnd()
    .split("\n---\n")
    .map((part, i) => {
      at = TIME.exec(part)?.[1] ?? at;
      if (at === undefined) throw new Error(`${file}: the first message has no time`);
      return { name: `${file}:${i + 1}`, at, ...parseMarks(part.replace(TIME, "")) };
    });
}

/** @throws Error for an unknown kind or a mark that is not closed */
export function parseMarks(source: string): { text: string; labels: Label[] } {
  const labels: Label[] = [];
  const open: Label[] = [];
  let text = "";
  let from = 0;
  for (const { 0: mark, 1: kind, 2: value, index } of source.matchAll(MARK)) {
    // Braces of the message itself.
    if (kind === undefined && open.length === 0) continue;
    text += source.slice(from, index);
    from = index + mark.length;
    if (kind === undefined) {
      const label = open.pop() as Label;
      label.end = text.length;
      label.text = text.slice(label.start);
    } else {
      if (!ENTITY_KINDS.includes(kind as EntityKind)) throw new Error(`Unknown kind ${kind}`);
      const label: Label = { kind: kind as EntityKind, text: "", start: text.length, end: 0 };
      if (value !== undefined) label.value = value;
      labels.push(label);
      open.push(label);
    }
  }
  if (open.length > 0) throw new Error(`A mark is not closed: ${source}`);
  return { text: text + source.slice(from), labels };
}
