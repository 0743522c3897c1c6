import type { NewMemory } from "@engram/sdk";
import { METADATA_BYTES_MAX, TAGS_MAX } from "@engram/sdk/limits";
import { isMap, parseDocument } from "yaml";
import { flawOf } from "./exactness.ts";
import { inlineTags } from "./inline-tags.ts";
import { shortText } from "./threads.ts";
import { type Fields, listOf, textOf, timeOf } from "./values.ts";

export const NOTES_FROM = "obsidian";

export interface NotePlace {
  /** Name of the vault. Notes of different vaults can have the same path. */
  vault: string;
  /** Relative to the vault, separated by `/`. */
  path: string;
}

/** `flaws` describes tags and fields of the note that the memory lacks. */
export interface Note {
  memory: NewMemory & { metadata: Record<string, unknown> };
  flaws: string[];
}

/**
 * Converts a note to a memory. The memory's content is the unchanged text of the file, including front matter
 * and links.
 */
export function readNote(text: string, place: NotePlace, modifiedAtMs: number): Note {
  const { fields, body, flaw } = splitNote(text);
  const flaws = flaw === undefined ? [] : [flaw];
  const { tags: _, tag: __, ...rest } = fields;
  let metadata: Fields = { ...rest, ...place };
  if (!fits(metadata)) {
    metadata = { ...place };
    flaws.push("front matter that metadata cannot hold");
  }
  const tags = tagsOf(fields, body);
  if (tags.length > TAGS_MAX) flaws.push(`more than ${TAGS_MAX} tags`);
  return {
    memory: {
      content: text,
      source: NOTES_FROM,
      created_at: new Date(createdAtMs(fields, modifiedAtMs)).toISOString(),
      metadata,
      // If the note has no tags, the field is left out, so that the service's text model may write tags.
      ...(tags.length > 0 && { tags: tags.slice(0, TAGS_MAX) }),
    },
    flaws,
  };
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * Separates front matter from the rest. Front matter is YAML between two lines `---` at the start. If there
 * is prose between them, `---` is a horizontal rule.
 */
function splitNote(text: string): { fields: Fields; body: string; flaw?: string } {
  const [whole, yaml = ""] = FRONT_MATTER.exec(text) ?? [];
  if (whole === undefined) return { fields: {}, body: text };
  const body = text.slice(whole.length);
  const document = parseDocument(yaml);
  try {
    if (document.errors.length === 0) {
      return isMap(document.contents) ? { fields: document.toJS(), body } : { fields: {}, body };
    }
  } catch {
    // `toJS` throws if a YAML alias is unresolved or expands too far.
  }
  return { fields: {}, body, flaw: "front matter that is not valid YAML" };
}

const fits = (metadata: Fields): boolean =>
  flawOf(metadata) === undefined && Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX;

function tagsOf({ tags, tag }: Fields, body: string): string[] {
  const named = [tags, tag].flatMap((value) =>
    typeof value === "string" ? value.split(/[\s,]+/) : listOf(value).map(String),
  );
  const all = [...named.map((name) => name.trim().replace(/^#/, "")), ...inlineTags(body)];
  return [...new Set(all)].filter((tag) => shortText(tag) !== null);
}

/** Names of the field with a note's time: Obsidian's users and plugins write these. */
const CREATED = [
  "created",
  "date",
  "created_at",
  "createdAt",
  "date created",
  "date-created",
  "creation_date",
];

/**
 * The time in one of the fields `CREATED`, else that of the file's last change. A date without a time is in
 * UTC.
 */
function createdAtMs(fields: Fields, modifiedAtMs: number): number {
  const ownMs = CREATED.map((name) => fields[name])
    // Dates that do not start with a year are ambiguous.
    .map((value) => (/^\d{4}-\d{2}/.test(textOf(value) ?? "") ? timeOf(value) : Number.NaN))
    .find((ms) => !Number.isNaN(ms));
  return ownMs ?? Math.max(0, Math.floor(modifiedAtMs));
}
