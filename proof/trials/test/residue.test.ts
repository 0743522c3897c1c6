import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readPacked } from "../src/support/packed.ts";
import { countMarkers, findTexts } from "../src/support/residue.ts";
import { createSentences, createTexts, LONG_CHARACTERS_MIN, markerEnd } from "../src/support/sentences.ts";
import { withDirectory } from "../src/support/service.ts";

test.for(["utf8", "utf16le"] as const)("countMarkers finds a marker between other bytes in %s", (encoding) =>
  withDirectory(async (directory) => {
    const { marker, text } = createSentences(encoding).next().value;
    const bytes = Buffer.from(text, encoding);
    writeFileSync(join(directory, "page"), Buffer.concat([Buffer.from([0, 255, 7]), bytes, bytes]));
    expect(countMarkers(directory)).toEqual(new Map([[markerEnd(marker), 2]]));
  }),
);

test.for(["utf8", "utf16le"] as const)(
  "findTexts finds any text in %s, up to the last byte of a file",
  (encoding) =>
    withDirectory(async (directory) => {
      const texts = ["first-text", "other-text", "no such t."];
      const bytes = texts.slice(0, 2).flatMap((text) => [7, ...Buffer.from(text, encoding)]);
      writeFileSync(join(directory, "page"), Buffer.from(bytes));
      expect(findTexts(directory, texts)).toEqual(new Set(["first-text", "other-text"]));
    }),
);

test("findTexts finds a compressed text by its stored bytes, until they are deleted", () =>
  withDirectory(async (directory) => {
    const texts = createTexts("long");
    const long = Array.from({ length: 40 }, () => texts.next().value.text).filter(
      (text) => text.length >= LONG_CHARACTERS_MIN,
    );
    expect(long).toHaveLength(4);
    using db = new DatabaseSync(join(directory, "d1.sqlite"));
    db.exec("CREATE TABLE messages (conversation_id TEXT, content TEXT, content_encoding TEXT)");
    const insert = db.prepare("INSERT INTO messages VALUES (?, ?, 'gzip+base64')");
    const contents = long.map((text) => gzipSync(text).toString("base64"));
    for (const [i, content] of contents.entries()) insert.run(`conv_${i}`, content);
    const packed = readPacked(directory, ["conv_0", "conv_1", "conv_2"]);
    expect([...packed.keys()]).toEqual(long.slice(0, 3));
    for (const [i, part] of [...packed.values()].entries())
      expect(contents[i]?.indexOf(part)).toBeGreaterThan(100);
    const parts = new Set(packed.values());
    expect(parts.size).toBe(3);
    expect(findTexts(directory, parts)).toEqual(parts);
    db.exec("DELETE FROM messages WHERE conversation_id = 'conv_1'; VACUUM");
    parts.delete(packed.get(long[1] ?? "") ?? "");
    expect(findTexts(directory, packed.values())).toEqual(parts);
  }));
