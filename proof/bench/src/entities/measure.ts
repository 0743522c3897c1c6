import { ENTITY_KINDS, type EntityKind } from "@engram/spec";
import type { LabelledMessage } from "./set.ts";

/** A mention that a finder gives. `value` counts only for dates. */
export interface FoundMention {
  kind: EntityKind;
  start: number;
  end: number;
  value?: string;
}

export interface Finder {
  name: string;
  /** Kinds that it finds. Its other kinds are not measured. */
  kinds: readonly EntityKind[];
  find(message: Pick<LabelledMessage, "text" | "at">): readonly FoundMention[];
}

export interface KindFigures {
  mentions: number;
  /** In percent, as `recall`. Null where nothing was found. */
  precision: number | null;
  recall: number;
}

export interface Miss {
  message: string;
  kind: EntityKind;
  text: string;
  /** What is there and was not found, or what was found and is not there. */
  is: "missed" | "wrong";
}

export interface Measured {
  figures: Partial<Record<EntityKind, KindFigures>>;
  misses: Miss[];
}

/**
 * Compares what a finder finds with the labels of messages. A mention is found when its kind and both offsets agree,
 * and for a date its value, too.
 */
export function measureFinder(messages: readonly LabelledMessage[], finder: Finder): Measured {
  const counts = new Map(finder.kinds.map((kind) => [kind, { mentions: 0, given: 0, correct: 0 }]));
  const misses: Miss[] = [];
  for (const message of messages) {
    const given = new Map(finder.find(message).map((mention) => [toKey(mention), mention]));
    const labels = new Map(message.labels.map((label) => [toKey(label), label]));
    for (const [key, { kind, text }] of labels) {
      const count = counts.get(kind);
      if (count === undefined) continue;
      count.mentions += 1;
      if (given.has(key)) count.correct += 1;
      else misses.push({ message: message.name, kind, text, is: "missed" });
    }
    for (const [key, { kind, start, end }] of given) {
      const count = counts.get(kind);
      if (count === undefined) continue;
      count.given += 1;
      if (!labels.has(key)) {
        misses.push({ message: message.name, kind, text: message.text.slice(start, end), is: "wrong" });
      }
    }
  }
  const figures: Measured["figures"] = {};
  for (const kind of ENTITY_KINDS) {
    const count = counts.get(kind);
    if (count === undefined) continue;
    const { mentions, given, correct } = count;
    figures[kind] = {
      mentions,
      precision: given === 0 ? null : (100 * correct) / given,
      recall: (100 * correct) / mentions,
    };
  }
  return { figures, misses };
}

const toKey = ({ kind, start, end, value }: FoundMention): string =>
  [kind, start, end, kind === "date" ? value : ""].join(" ");
