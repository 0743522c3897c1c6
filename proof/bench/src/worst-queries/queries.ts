import type { SearchBody } from "@engram/sdk";
import { REPEATED, WORDS } from "./stores.ts";

export interface Query {
  name: string;
  body: SearchBody;
}

const phrase = (words: string[]) => `"${words.join(" ")}"`;
/** `count` words in an order in which they rarely or never occur. */
const mixed = (words: string[], count: number, step: number) =>
  Array.from({ length: count }, (_, i) => words[(i * step) % words.length] ?? "");
const phrases = (count: number, length: number, words = WORDS) =>
  Array.from({ length: count }, (_, i) => phrase(mixed(words, length, 2 * i + 5)));

const TEXTS: Record<string, string> = {
  "one word": "q0",
  "8 words": REPEATED.join(" "),
  "48 words": WORDS.join(" "),
  "a phrase of 2 words": phrase(["q1", "q0"]),
  "a phrase of 2 words, found": phrase(["q0", "q1"]),
  "a phrase of 8 words": phrase(mixed(WORDS, 8, 5)),
  "a phrase of 32 words": phrase(mixed(WORDS, 32, 5)),
  "a phrase of one word 32 times": phrase(Array<string>(32).fill("q0")),
  "a phrase of two words 32 times": phrase(mixed(["q0", "q1"], 32, 3)),
  "16 phrases of 2 words": phrases(16, 2).join(" "),
  "16 phrases of 32 words": phrases(16, 32).join(" "),
  "16 phrases of 32 words, of two": phrases(16, 32, ["q0", "q1", "q1", "q0", "q0"]).join(" "),
  "one word without another": "q0 -q47",
  "one word without 15 others": `q0 ${WORDS.slice(8, 23)
    .map((word) => `-${word}`)
    .join(" ")}`,
  "one word without 15 phrases": `q0 ${phrases(15, 32)
    .map((one) => `-${one}`)
    .join(" ")}`,
  "one word without 15 phrases of 2": `q0 ${phrases(15, 2)
    .map((one) => `-${one}`)
    .join(" ")}`,
};

const MODES = ["keyword", "hybrid", "semantic"] as const;

export const QUERIES: Query[] = Object.entries(TEXTS).flatMap(([name, query]) => [
  ...MODES.map((mode) => ({ name: `${name}, ${mode}`, body: { query, mode } })),
  { name: `${name}, of user messages`, body: { query, mode: "keyword" as const, roles: ["user" as const] } },
  { name: `${name}, 50 results`, body: { query, mode: "keyword" as const, limit: 50 } },
]);
