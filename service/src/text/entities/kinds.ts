import type { EntityKind } from "@engram/spec";

/** Offsets are UTF-16 code units of the verbatim text; `end` is exclusive. */
export interface Mention {
  kind: EntityKind;
  start: number;
  end: number;
  /** The verbatim text. For a date, the ISO day (`2026-03-01`) or month (`2026-03`) that it means. */
  value: string;
}

export interface Span {
  start: number;
  end: number;
}
