import { createHash } from "node:crypto";
import { flawOf, HALF_CHARACTER } from "./exactness.ts";
import { type Entry, notUnderstood, type Source } from "./importer.ts";
import { readTextLines } from "./text-lines.ts";
import { exactMetadata, exactParts } from "./threads.ts";
import { type Fields, fieldsOf } from "./values.ts";

/** Lines are sent as they are, except those with half of a surrogate pair, which the service rejects. */
export async function* importNdjson(source: Source): AsyncGenerator<Entry, void, undefined> {
  for await (const { number, text, value } of readTextLines(source)) {
    const place = `${source.name}:${number}`;
    const { type } = fieldsOf(value);
    if (value === undefined) yield notUnderstood("line", "not JSON", place);
    else if (
      type === "conversation" ||
      type === "message" ||
      type === "memory" ||
      type === "memory_version" ||
      type === "recall"
    ) {
      const isExact = flawOf(value) !== HALF_CHARACTER;
      const line = isExact ? text : JSON.stringify(toExact(fieldsOf(value)));
      yield { type, line, place };
    } else if (type !== "end")
      yield notUnderstood(`line ${JSON.stringify(type)}`, "not part of an export", place);
  }
}

function toExact(line: Fields): Fields {
  const { type, content, parts, metadata } = line;
  const wellFormed = JSON.parse(JSON.stringify(line), (_, value) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
  const exact = { ...wellFormed, metadata: exactMetadata(fieldsOf(metadata)) };
  if (type === "conversation" || typeof content !== "string") return exact;
  const kept = exactParts(content, parts as object | null);
  const hash = { content_hash: createHash("sha256").update(exact.content).digest("hex") };
  return { ...exact, parts: kept.parts, ...(type !== "message" && hash) };
}
