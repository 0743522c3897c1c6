import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compileEncoders } from "../scripts/compile.ts";
import { Encoder } from "../src/encoder.ts";

const ASSETS = new URL("../assets/", import.meta.url);
const load = (...programs: string[]) =>
  new Encoder(
    programs.map((name) => new URL(name, ASSETS)),
    new URL("all-minilm-l6-v2.bin", ASSETS),
  );

test("the committed programs equal the compiled assembly/encoder.ts", async () => {
  const compiled = await compileEncoders();
  expect(compiled.size).toBe(2);
  for (const [name, bytes] of compiled) {
    expect(Buffer.from(bytes).equals(readFileSync(new URL(name, ASSETS))), name).toBe(true);
  }
});

describe("the encoder", () => {
  const encoder = load("encoder.wasm");
  const tokens = (count: number) => Array.from({ length: count }, (_, i) => 1_000 + ((7 * i) % 29_000));

  test("gives the same vector without the instruction that older versions of Node.js lack", () => {
    const plain = load("encoder-plain.wasm");
    for (const count of [2, 7, 64])
      expect(plain.encode(tokens(count))).toEqual(encoder.encode(tokens(count)));
  });

  test("gives a text the same vector whatever was encoded before", () => {
    const first = encoder.encode(tokens(9));
    encoder.encode(tokens(120));
    expect(encoder.encode(tokens(9))).toEqual(first);
  });

  test("takes as many tokens as it has room for, and no more", () => {
    expect(Math.hypot(...encoder.encode(tokens(encoder.tokensMax)))).toBeCloseTo(1, 5);
    expect(() => encoder.encode(tokens(encoder.tokensMax + 1))).toThrow(RangeError);
  });

  test("skips a program that this version of Node.js cannot run", () => {
    const other = load("tokenizer.json", "encoder.wasm");
    expect(other.encode(tokens(3))).toEqual(encoder.encode(tokens(3)));
    expect(() => load("tokenizer.json")).toThrow("cannot run the sentence model");
  });
});
