import { type Entry, leftOut, type Source } from "./importer.ts";
import { readTextLines } from "./text-lines.ts";

export async function* importNdjson(source: Source): AsyncGenerator<Entry, void, undefined> {
  for await (const { number, text, value } of readTextLines(source)) {
    const place = `${source.name}:${number}`;
    const type = (value as { type?: unknown } | null | undefined)?.type;
    if (value === undefined) yield leftOut("line that is not JSON", place);
    else if (type === "conversation" || type === "message" || type === "memory") {
      yield { type, line: text, place };
    } else if (type !== "end") yield leftOut("line that is not part of an export", place);
  }
}
