import { describe, expect, test } from "vitest";
import { toExactParts, toParts } from "../src/adapters/parts.ts";
import { inPieces, itemsIn } from "../src/adapters/pieces.ts";
import type { Message, NewMessage } from "../src/index.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength;
const messageOf = (value: object, more: Partial<NewMessage> = {}): NewMessage => ({
  ...{ role: "user", content: "Look.", ...toParts(value), ...more },
});
/** New messages as the service returns them. */
const stored = (messages: NewMessage[]) => messages as unknown as Message[];
const valuesOf = (messages: NewMessage[]) => itemsIn(stored(messages)).map(({ value }) => value);

describe("a message of a framework", () => {
  test.for<[string, string]>([
    ["an image of 10 MB", "iVBORw0KGgo=".repeat(1_100_000)],
    ["text of three bytes a character", "漢".repeat(500_000)],
    ["surrogate pairs", `a${"😀".repeat(500_000)}`],
    ["text that JSON escapes", '"\\\n\u0001'.repeat(200_000)],
    ["a lone surrogate", `${"x".repeat(600_000)}\ud83d`],
  ])("with %s is divided into pieces within the service's limits, and returned equal", async ([, text]) => {
    const value = { id: "m-1", text, nested: [{ text: "b" }] };
    const pieces = await inPieces([
      messageOf(value, { external_id: "m-1", created_at: "2026-11-02T09:30:00Z" }),
    ]);
    expect(pieces.length).toBeGreaterThan(1);
    for (const { parts } of pieces) {
      expect(bytesOf(JSON.stringify(parts))).toBeLessThanOrEqual(500_000);
      expect(
        Object.values(parts ?? {})
          .join("")
          .isWellFormed(),
      ).toBe(true);
    }
    // Only the last one is the message; the others are alike in time and role.
    expect(pieces.map(({ content }) => content).join("|")).toMatch(/^\|+Look\.$/);
    expect(pieces.at(-1)?.external_id).toBe("m-1");
    expect(new Set(pieces.map(({ external_id }) => external_id)).size).toBe(pieces.length);
    expect(new Set(pieces.map(({ created_at }) => created_at)).size).toBe(1);
    expect(valuesOf(pieces)[0]).toEqual(value);
    expect(await inPieces(pieces)).toEqual(pieces);
  });

  test("with more values than one request can carry is kept as text, and returned equal", async () => {
    const value = { numbers: Array.from({ length: 60_000 }, (_, i) => i) };
    const [message, ...further] = await inPieces([messageOf(value)]);
    expect(further).toEqual([]);
    expect(Object.keys(message?.parts ?? {})).toEqual(["engram_json"]);
    expect(valuesOf([message as NewMessage])).toEqual([value]);
  });

  test("with a text over the limit is found by the beginning of the text, and returned equal", async () => {
    const text = "漢".repeat(400_000);
    const pieces = await inPieces([messageOf({ text }, { content: text })]);
    expect(pieces.at(-1)?.content).toBe("漢".repeat(333_333));
    expect(valuesOf(pieces)).toEqual([{ text }]);
  });

  test("keeps an integer above 2^53 if its values are kept exactly", () => {
    const value = { deep: [2 ** 60] };
    expect(valuesOf([{ role: "user", content: "", parts: toExactParts(value) }])).toEqual([value]);
  });

  test("is returned once for each time it was written, also if equal ones are written at once", async () => {
    const value = { text: "x".repeat(900_000) };
    const pieces = await inPieces([messageOf(value)]);
    const twice = pieces.flatMap((piece) => [piece, { ...piece }]);
    expect(valuesOf(twice)).toEqual([value, value]);
    const again = pieces.map((piece) => ({ ...piece }));
    const items = itemsIn(stored([...pieces, ...again]));
    expect(items.map(({ value }) => value)).toEqual([value, value]);
    for (const [i, piece] of pieces.entries()) expect(items[0]?.pieces[i]).toBe(piece);
  });

  test("is not returned while one of its pieces is missing", async () => {
    const pieces = await inPieces([messageOf({ text: "x".repeat(900_000) })]);
    const other = messageOf({ text: "another" });
    expect(valuesOf([...pieces.slice(0, -1), other])).toEqual([{ text: "another" }]);
    expect(valuesOf([...pieces.slice(1), other])).toEqual([{ text: "another" }]);
  });

  test("does not appear with pieces twice in one request, if an interrupted write has stored some", async () => {
    const message = messageOf({ text: "x".repeat(900_000) }, { external_id: "m-1" });
    const pieces = await inPieces([message]);
    const again = await inPieces([message, ...pieces.slice(0, 2)]);
    expect(again).toEqual(pieces);
  });
});
