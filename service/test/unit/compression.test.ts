import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText, encodeText } from "../../src/text/compression.ts";
import { tireless } from "../support/pace.ts";

const utf8 = (text: string) => new TextEncoder().encode(text).byteLength;
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 500 }),
  fc
    .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), fc.nat(300))
    .map(([text, n]) => text.repeat(n)),
);

test("compression restores any text byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const { content, encoding } = await encodeText(text, tireless());
      expect(await decodeText(content, encoding)).toBe(text);
    }),
  );
});

test.for([
  "\uFEFFbegins with a mark",
  "\0".repeat(500),
  "\r\n".repeat(200),
  "e\u0301".repeat(100),
  "é".repeat(100),
  "",
])("compression restores %j", async (text) => {
  const { content, encoding, bytes } = await encodeText(text, tireless());
  expect(await decodeText(content, encoding)).toBe(text);
  expect(bytes).toBe(utf8(text));
});

test("compression is used only if it shortens the JSON sent to D1", async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const { content, encoding, bytes } = await encodeText(text, tireless());
      expect(bytes).toBe(utf8(text));
      if (encoding === "raw") expect(content).toBe(text);
      else expect(content.length).toBeLessThan(utf8(JSON.stringify(text)));
    }),
  );
  expect((await encodeText("a".repeat(128), tireless())).encoding).toBe("raw");
  expect((await encodeText("a".repeat(129), tireless())).encoding).toBe("gzip+base64");
  const printable = (byte: number) => String.fromCharCode((byte % 91) + (byte % 91 < 57 ? 35 : 36));
  const noise = Array.from(crypto.getRandomValues(new Uint8Array(2_000)), printable);
  expect((await encodeText(noise.join(""), tireless())).encoding).toBe("raw");
});

test("compression is tried for short texts only if they are repetitive, and for every long one", async () => {
  const line =
    "We moved the deploy to Thursday because Ana is away, and Ben wants to watch the graphs himself. ";
  const short = `${line}Is that fine with you, or shall we look for another day next week?`;
  expect((await encodeText(short, tireless())).encoding).toBe("raw");
  expect((await encodeText(line.repeat(2), tireless())).encoding).toBe("gzip+base64");
  expect(
    (await encodeText(line + short.toUpperCase() + [...short].reverse().join("") + short, tireless()))
      .encoding,
  ).toBe("gzip+base64");
});

test("text that another compressor has stored is read", async () => {
  const stored =
    "H4sIAAAAAAACA+XM0Q2AIAxF0VXeAMYdcAYXaKBaEiiEooTtja7h9825Tgm53BzQhRG4pjLRC3a5mgWaCyyqZ2ysGKTd3jioe/nA2aiKQWI2TscK96fdA1zdV2o8AQAA";
  const sentence = "Ana moved the deploy to Thursday, since Ben wants to watch the graphs himself. ";
  expect(await decodeText(stored, "gzip+base64")).toBe(sentence.repeat(4));
});

test("rows stored before compression, with a null encoding, are read unchanged", async () => {
  expect(await decodeText("H4sIAAAA", null)).toBe("H4sIAAAA");
});

test.for([
  ["short", 40],
  ["long", 60_000],
] as const)("a %s text is restored, and rejected with one bit changed", async ([, words]) => {
  const text = Array.from({ length: words }, (_, i) => `word ${i * 7919} said ${i}`).join("; ");
  const { content, encoding } = await encodeText(text, tireless());
  expect(encoding).toBe("gzip+base64");
  expect(await decodeText(content, encoding)).toBe(text);
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  // The checksum finds the damage even if decompression succeeds.
  for (const place of [bytes.length - 6, bytes.length >> 1]) {
    const damaged = bytes.slice();
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    const stored = btoa(Array.from(damaged, (byte) => String.fromCharCode(byte)).join(""));
    await expect(decodeText(stored, encoding)).rejects.toThrow();
  }
});
