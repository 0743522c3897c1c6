import type * as contracts from "@engram/spec";
import { env } from "./env.ts";

/** Counts the reads of the log. */
export function countedLooks(): { DB: D1Database; looks: () => number } {
  let looks = 0;
  const DB = new Proxy(env.DB, {
    get(db, name) {
      if (name !== "prepare") return Reflect.get(db, name).bind(db);
      return (sql: string) => {
        if (sql.includes("AS oldest")) looks++;
        return db.prepare(sql);
      };
    },
  });
  return { DB, looks: () => looks };
}

export interface Block {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

/** Reads the blocks of a stream one after another. */
export function reading(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const blocks: Block[] = [];
  let rest = "";
  /** The next block; null at the end of the stream. */
  const next = async (): Promise<Block | null> => {
    while (blocks.length === 0) {
      const { done, value } = await reader.read();
      if (done) return null;
      const texts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = texts.pop() ?? "";
      blocks.push(...texts.map(toBlock));
    }
    return blocks.shift() ?? null;
  };
  const until = async (isLast: (block: Block) => boolean): Promise<Block[]> => {
    const read: Block[] = [];
    for (let block = await next(); block !== null; block = await next()) {
      read.push(block);
      if (isLast(block)) break;
    }
    return read;
  };
  return { next, until, rest: () => until(() => false), cancel: () => reader.cancel() };
}

const toBlock = (text: string): Block =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => !line.startsWith(":"))
      .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );
export const eventsOf = (blocks: Block[]) =>
  blocks.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data) as contracts.Event]));
export const isHeartbeat = ({ event }: Block) => event === undefined;
