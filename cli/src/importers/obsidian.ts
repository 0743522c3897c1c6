import type { NewMemory } from "@engram/sdk";
import { isMap, parseDocument } from "yaml";
import { flawOf } from "./exactness.ts";
import { inlineTags } from "./inline-tags.ts";
import { type Fields, listOf, textOf, timeOf } from "./values.ts";

/** The `source` of memories that notes become. */
export const NOTES_FROM = "obsidian";
const TAGS_MAX = 64;
const TAG_CHARACTERS_MAX = 256;
const METADATA_BYTES_MAX = 16_384;

/** Where a note stands. */
export interface NotePlace {
  /** The vault by its name: another one's note of the same path is another note. */
  vault: string;
  /** Path within the vault, its parts parted by `/`. */
  path: string;
}

/** A note as a memory, and what of it the memory does not tell apart, though the text has it. */
export interface Note {
  memory: NewMemory & { metadata: Record<string, unknown> };
  flaws: string[];
}

/**
 * The memory that a note is: the file's text as it is, front matter and links included, so that nothing is lost.
 *
 * Fields of the front matter are metadata too, and its tags and those in the text are tags.
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
      // Those of a note without any may be written by a model.
      ...(tags.length > 0 && { tags: tags.slice(0, TAGS_MAX) }),
    },
    flaws,
  };
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** What the front matter says, and the text behind it. A rule and prose at the beginning are no front matter. */
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
    // Its aliases name nothing, or too much.
  }
  return { fields: {}, body, flaw: "front matter that is no YAML" };
}

const fits = (metadata: Fields): boolean =>
  flawOf(metadata) === undefined && Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX;

function tagsOf({ tags, tag }: Fields, body: string): string[] {
  const named = [tags, tag].flatMap((value) =>
    typeof value === "string" ? value.split(/[\s,]+/) : listOf(value).map(String),
  );
  const all = [...named.map((name) => name.trim().replace(/^#/, "")), ...inlineTags(body)];
  return [...new Set(all)].filter(isTag);
}

const isTag = (tag: string): boolean =>
  tag !== "" && tag.length <= TAG_CHARACTERS_MAX && tag.isWellFormed() && !/\p{Cc}/u.test(tag);

/** When its front matter says that it was made, a date alone as of UTC; else when the file was last changed. */
function createdAtMs({ created, date }: Fields, modifiedAtMs: number): number {
  const told = [created, date]
    // Of a text without a year first, what is read as a time is a guess.
    .map((value) => (/^\d{4}-\d{2}/.test(textOf(value) ?? "") ? timeOf(value) : Number.NaN))
    .find((ms) => !Number.isNaN(ms));
  return told ?? Math.max(0, Math.floor(modifiedAtMs));
}
