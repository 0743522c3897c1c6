import { basename } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { Source } from "./importer.ts";
import { type Fields, fieldsOf, parseJson } from "./values.ts";

export interface TextLine {
  number: number;
  text: string;
  /** The line parsed as JSON. Undefined if it is not valid JSON. */
  value: unknown;
}

/** Yields the lines of a file. Skips blank lines, but counts them in `number`. */
export async function* readTextLines(source: Source): AsyncGenerator<TextLine, void, undefined> {
  let number = 0;
  for await (const read of split(source)) {
    number += 1;
    // A byte order mark is not part of the first line.
    const text = number === 1 ? read.replace(/^\uFEFF/, "") : read;
    if (text.trim() !== "") yield { number, text, value: parseJson(text) };
  }
}

/** Identifies a session: the name of its file, or the first id in the lines of standard input. */
export async function sessionIdOf(
  source: Source,
  idIn: (line: Fields) => string | undefined,
): Promise<string> {
  if (source.isUnnamed) {
    for await (const { value } of readTextLines(source)) {
      const id = idIn(fieldsOf(value));
      if (id !== undefined) return id;
    }
  }
  return basename(source.name, ".jsonl");
}

async function* split(source: Source): AsyncGenerator<string, void, undefined> {
  yield* splitLines(await source.open());
}

// Not `node:readline`: some versions also split at U+2028, which can occur inside JSON strings.
/** Yields the lines of a text in UTF-8. After a line feed at the end, the last one is empty. */
export async function* splitLines(chunks: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder("utf8");
  let pieces: string[] = [];
  for await (const chunk of chunks) {
    const [first = "", ...others] = decoder.write(chunk as Buffer).split("\n");
    pieces.push(first);
    for (const other of others) {
      yield pieces.join("");
      pieces = [other];
    }
  }
  yield pieces.join("") + decoder.end();
}
