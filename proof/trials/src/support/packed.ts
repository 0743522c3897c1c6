import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { findDatabases } from "./files.ts";

/** Characters of a compressed text to search for: more than two texts have in common by chance. */
const NEEDLE_CHARACTERS = 32;

/**
 * The middle part of each compressed text in these conversations and memories, as stored, keyed by the text.
 *
 * The middle, because all begin alike, and SQLite overwrites the beginning of a freed row. The service may be
 * running.
 */
export function readPacked(dataDirectory: string, ids: Iterable<string>): Map<string, string> {
  const wanted = JSON.stringify([...ids]);
  const rows = findDatabases(dataDirectory, "messages").flatMap((file) => {
    using db = new DatabaseSync(file, { readOnly: true });
    return db
      .prepare(
        `SELECT content FROM messages
          WHERE content_encoding = 'gzip+base64' AND conversation_id IN (SELECT value FROM json_each(?))`,
      )
      .all(wanted);
  });
  return new Map(
    rows.map((row) => {
      const packed = String(row.content);
      const from = Math.floor((packed.length - NEEDLE_CHARACTERS) / 2);
      const text = gunzipSync(Buffer.from(packed, "base64")).toString();
      return [text, packed.slice(from, from + NEEDLE_CHARACTERS)];
    }),
  );
}
