import { pipeline } from "node:stream";
import { text } from "node:stream/consumers";
import pick from "stream-json/filters/pick.js";
import streamArray from "stream-json/streamers/stream-array.js";
import type { Source } from "./importer.ts";

// With this option, the parser's tokens contain complete strings and numbers.
const WHOLE = { streamValues: false };

/**
 * Yields the items of a JSON array, or of the array under a key that matches in a JSON object.
 *
 * @throws {Error} If the file is not valid JSON.
 */
export async function* readItems(
  source: Source,
  key: string | RegExp,
): AsyncGenerator<unknown, void, undefined> {
  const isArray = (await firstCharacter(source)) === "[";
  const file = await source.open();
  const items = isArray
    ? pipeline(file, streamArray.withParserAsStream(WHOLE), ignore)
    : pipeline(
        file,
        pick.withParserAsStream({ ...WHOLE, filter: key, once: true }),
        streamArray.asStream(),
        ignore,
      );
  try {
    for await (const { value } of items as AsyncIterable<{ value: unknown }>) yield value;
  } catch (error) {
    throw new Error(`${source.name} cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  } finally {
    file.destroy();
  }
}

/**
 * As `readItems`. Also yields the value in the file itself, if that is an object without such a key.
 *
 * @throws {Error} If the file is not valid JSON.
 */
export async function* readItemsOrItem(
  source: Source,
  key: RegExp,
): AsyncGenerator<unknown, void, undefined> {
  let isEmpty = true;
  for await (const item of readItems(source, key)) {
    isEmpty = false;
    yield item;
  }
  if (!isEmpty || (await firstCharacter(source)) !== "{") return;
  const item = JSON.parse((await text(await source.open())).replace(/^\ufeff/, ""));
  if (!Object.keys(item).some((name) => key.test(name))) yield item;
}

// `pipeline` needs a callback. An error also reaches the loop that reads `items`, which handles it.
const ignore = () => {};

async function firstCharacter(source: Source): Promise<string> {
  const file = await source.open();
  try {
    for await (const chunk of file) {
      const start = String(chunk)
        .replace(/^\ufeff/, "")
        .trimStart();
      if (start !== "") return start.charAt(0);
    }
    return "";
  } finally {
    file.destroy();
  }
}
