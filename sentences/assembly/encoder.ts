/**
 * A BERT encoder with 6 layers and 12 heads, in AssemblyScript: texts become vectors. The caller writes the weights at
 * `weights`, in the order in which scripts/export.py writes them, and the ids of the tokens at `ids`.
 *
 * Weights have 7 bits and activations 8, with a scale for each column and row. Their product fits the instruction
 * `i32x4.relaxed_dot_i8x16_i7x16_add_s`, which is a single instruction on current processors. Sums of integers are
 * exact, so they are the same with and without it.
 */

const SIZE: i32 = 384;
const HEADS: i32 = 12;
const HEAD_SIZE: i32 = SIZE / HEADS;
const LAYERS: i32 = 6;
const INNER: i32 = 4 * SIZE;
const WORDS: i32 = 30522;
const EPSILON: f32 = 1e-12;
/** Rows and columns are computed in blocks of 4 and 8. */
const ROWS: i32 = 4;
const COLUMNS: i32 = 8;
/** Added to each weight, which makes it positive. */
const OFFSET: i32 = 64;
const EXCLUDED: f32 = -1e9;

/** Most tokens of a text. */
export const tokensMax: i32 = 256;

let end: usize = (__heap_base + 15) & ~15;
const place = (bytes: i32): usize => {
  const at = end;
  end += (bytes + 15) & ~15;
  return at;
};

export const ids: usize = place(4 * tokensMax);
export const vector: usize = place(4 * SIZE);
const states: usize = place(4 * tokensMax * SIZE);
const attended: usize = place(4 * tokensMax * SIZE);
/** Queries, keys and values of each token, or what the inner layer makes of it. */
const wide: usize = place(4 * tokensMax * INNER);
const keys: usize = place(4 * HEAD_SIZE * tokensMax);
const scores: usize = place(4 * tokensMax * tokensMax);
const bytes: usize = place(tokensMax * INNER);
const rowScales: usize = place(4 * tokensMax);
const rowSums: usize = place(4 * tokensMax);
export const weights: usize = end;

let at: usize = 0;
const take = (bytes: i32): usize => {
  const from = at;
  at += bytes;
  return from;
};
const takeFloats = (count: i32): usize => take(4 * count);

/** Reads `count` tokens at `ids`, at most `tokensMax`, and writes a vector of length 1 at `vector`. */
export function encode(count: i32): void {
  at = weights;
  // The rows after the last token are computed, but no token attends to them.
  const rows = (count + COLUMNS - 1) & -COLUMNS;
  embed(count, rows);
  for (let layer = 0; layer < LAYERS; layer++) {
    dense(states, SIZE, wide, 3 * SIZE, rows);
    attend(count, rows);
    dense(attended, SIZE, wide, SIZE, rows);
    addAndNormalize(wide, rows);
    dense(states, SIZE, wide, INNER, rows);
    for (let i = 0; i < rows * INNER; i += 4) v128.store(wide + 4 * i, gelu(v128.load(wide + 4 * i)));
    dense(wide, INNER, attended, SIZE, rows);
    addAndNormalize(attended, rows);
  }
  pool(count);
}

function embed(count: i32, rows: i32): void {
  const words = take(WORDS * SIZE);
  const scales = takeFloats(WORDS);
  const positions = takeFloats(tokensMax * SIZE);
  for (let row = 0; row < rows; row++) {
    const id = row < count ? load<i32>(ids + 4 * row) : 0;
    const scale = f32x4.splat(load<f32>(scales + 4 * id));
    for (let i = 0; i < SIZE; i += 4) {
      const word = f32x4.convert_i32x4_s(
        i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(v128.load32_zero(words + id * SIZE + i))),
      );
      const position = v128.load(positions + 4 * (row * SIZE + i));
      v128.store(states + 4 * (row * SIZE + i), f32x4.add(f32x4.mul(word, scale), position));
    }
  }
  normalize(rows);
}

/** Writes the product of the rows at `from` and the next weights. */
function dense(from: usize, size: i32, to: usize, columns: i32, rows: i32): void {
  for (let row = 0; row < rows; row++) round(from + 4 * row * size, size, row);
  const matrix = take(size * columns);
  const scales = takeFloats(columns);
  const biases = takeFloats(columns);
  for (let column = 0; column < columns; column += COLUMNS) {
    const block = matrix + column * size;
    const scale0 = v128.load(scales + 4 * column);
    const scale1 = v128.load(scales + 4 * column, 16);
    const bias0 = v128.load(biases + 4 * column);
    const bias1 = v128.load(biases + 4 * column, 16);
    for (let row = 0; row < rows; row += ROWS) {
      let a0 = i32x4.splat(0);
      let a1 = a0;
      let b0 = a0;
      let b1 = a0;
      let c0 = a0;
      let c1 = a0;
      let d0 = a0;
      let d1 = a0;
      let a = bytes + row * size;
      let b = a + size;
      let c = b + size;
      let d = c + size;
      let w = block;
      for (const stop = block + COLUMNS * size; w < stop; w += 4 * COLUMNS) {
        const w0 = v128.load(w);
        const w1 = v128.load(w, 16);
        const at0 = v128.load32_splat(a);
        const at1 = v128.load32_splat(b);
        const at2 = v128.load32_splat(c);
        const at3 = v128.load32_splat(d);
        a0 = dot(at0, w0, a0);
        a1 = dot(at0, w1, a1);
        b0 = dot(at1, w0, b0);
        b1 = dot(at1, w1, b1);
        c0 = dot(at2, w0, c0);
        c1 = dot(at2, w1, c1);
        d0 = dot(at3, w0, d0);
        d1 = dot(at3, w1, d1);
        a += 4;
        b += 4;
        c += 4;
        d += 4;
      }
      const out = to + 4 * (row * columns + column);
      const next = 4 * columns;
      write(out, row, a0, a1, scale0, scale1, bias0, bias1);
      write(out + next, row + 1, b0, b1, scale0, scale1, bias0, bias1);
      write(out + 2 * next, row + 2, c0, c1, scale0, scale1, bias0, bias1);
      write(out + 3 * next, row + 3, d0, d1, scale0, scale1, bias0, bias1);
    }
  }
}

/** Adds to each of four sums the product of four activations and four weights. */
@inline
function dot(activations: v128, positive: v128, sums: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_dot_i8x16_i7x16_add_s(activations, positive, sums);
  const low = i16x8.extmul_low_i8x16_s(activations, positive);
  const high = i16x8.extmul_high_i8x16_s(activations, positive);
  const even = v128.shuffle<i16>(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
  const odd = v128.shuffle<i16>(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
  return i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(i16x8.add(even, odd)));
}

@inline
function write(
  to: usize,
  row: i32,
  sums0: v128,
  sums1: v128,
  scale0: v128,
  scale1: v128,
  bias0: v128,
  bias1: v128,
): void {
  const offset = i32x4.splat(OFFSET * load<i32>(rowSums + 4 * row));
  const scale = v128.load32_splat(rowScales + 4 * row);
  const values0 = f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(sums0, offset)), f32x4.mul(scale, scale0));
  const values1 = f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(sums1, offset)), f32x4.mul(scale, scale1));
  v128.store(to, f32x4.add(values0, bias0));
  v128.store(to, f32x4.add(values1, bias1), 16);
}

/** Rounds a row to 8 bits, with its scale and its sum. */
function round(from: usize, size: i32, row: i32): void {
  let most = f32x4.splat(1e-20);
  for (let i = 0; i < size; i += 4) most = f32x4.max(most, f32x4.abs(v128.load(from + 4 * i)));
  const high = max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
  const steps = f32x4.splat(127 / high);
  const to = bytes + row * size;
  let sums = i32x4.splat(0);
  for (let i = 0; i < size; i += 16) {
    const next = from + 4 * i;
    const a = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(next), steps)));
    const b = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(next, 16), steps)));
    const c = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(next, 32), steps)));
    const d = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(next, 48), steps)));
    v128.store(
      to + i,
      i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)),
    );
    sums = i32x4.add(sums, i32x4.add(i32x4.add(a, b), i32x4.add(c, d)));
  }
  store<f32>(rowScales + 4 * row, high / 127);
  store<i32>(
    rowSums + 4 * row,
    i32x4.extract_lane(sums, 0) +
      i32x4.extract_lane(sums, 1) +
      i32x4.extract_lane(sums, 2) +
      i32x4.extract_lane(sums, 3),
  );
}

/** Of each head: the values of all tokens, weighted by how well their keys match each token's query. */
function attend(count: i32, rows: i32): void {
  const stride = 3 * SIZE;
  for (let head = 0; head < HEADS; head++) {
    const query = wide + 4 * head * HEAD_SIZE;
    const key = query + 4 * SIZE;
    const value = key + 4 * SIZE;
    for (let row = 0; row < rows; row++)
      for (let i = 0; i < HEAD_SIZE; i++)
        store<f32>(keys + 4 * (i * rows + row), load<f32>(key + 4 * (row * stride + i)));
    multiply(query, stride, keys, rows, scores, rows, rows, rows, HEAD_SIZE);
    for (let row = 0; row < rows; row++) softmax(scores + 4 * row * rows, count, rows);
    multiply(scores, rows, value, stride, attended + 4 * head * HEAD_SIZE, SIZE, rows, HEAD_SIZE, rows);
  }
}

/** The product of two matrices of floats. The strides are the numbers of floats from a row to the next. */
function multiply(
  left: usize,
  leftStride: i32,
  right: usize,
  rightStride: i32,
  to: usize,
  toStride: i32,
  rows: i32,
  columns: i32,
  depth: i32,
): void {
  for (let column = 0; column < columns; column += COLUMNS) {
    for (let row = 0; row < rows; row += ROWS) {
      let a0 = f32x4.splat(0);
      let a1 = a0;
      let b0 = a0;
      let b1 = a0;
      let c0 = a0;
      let c1 = a0;
      let d0 = a0;
      let d1 = a0;
      let a = left + 4 * row * leftStride;
      let b = a + 4 * leftStride;
      let c = b + 4 * leftStride;
      let d = c + 4 * leftStride;
      let r = right + 4 * column;
      for (let i = 0; i < depth; i++) {
        const r0 = v128.load(r);
        const r1 = v128.load(r, 16);
        const at0 = v128.load32_splat(a);
        const at1 = v128.load32_splat(b);
        const at2 = v128.load32_splat(c);
        const at3 = v128.load32_splat(d);
        a0 = f32x4.add(a0, f32x4.mul(at0, r0));
        a1 = f32x4.add(a1, f32x4.mul(at0, r1));
        b0 = f32x4.add(b0, f32x4.mul(at1, r0));
        b1 = f32x4.add(b1, f32x4.mul(at1, r1));
        c0 = f32x4.add(c0, f32x4.mul(at2, r0));
        c1 = f32x4.add(c1, f32x4.mul(at2, r1));
        d0 = f32x4.add(d0, f32x4.mul(at3, r0));
        d1 = f32x4.add(d1, f32x4.mul(at3, r1));
        a += 4;
        b += 4;
        c += 4;
        d += 4;
        r += 4 * rightStride;
      }
      const out = to + 4 * (row * toStride + column);
      const next = 4 * toStride;
      v128.store(out, a0);
      v128.store(out, a1, 16);
      v128.store(out + next, b0);
      v128.store(out + next, b1, 16);
      v128.store(out + 2 * next, c0);
      v128.store(out + 2 * next, c1, 16);
      v128.store(out + 3 * next, d0);
      v128.store(out + 3 * next, d1, 16);
    }
  }
}

function softmax(row: usize, count: i32, columns: i32): void {
  for (let i = count; i < columns; i++) store<f32>(row + 4 * i, EXCLUDED);
  let most = v128.load(row);
  for (let i = 4; i < columns; i += 4) most = f32x4.max(most, v128.load(row + 4 * i));
  const high = f32x4.splat(
    max(
      max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
      max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
    ),
  );
  let sums = f32x4.splat(0);
  for (let i = 0; i < columns; i += 4) {
    const power = exp(f32x4.sub(v128.load(row + 4 * i), high));
    v128.store(row + 4 * i, power);
    sums = f32x4.add(sums, power);
  }
  const scale = f32x4.splat(1 / sum(sums));
  for (let i = 0; i < columns; i += 4) v128.store(row + 4 * i, f32x4.mul(v128.load(row + 4 * i), scale));
}

function addAndNormalize(added: usize, rows: i32): void {
  for (let i = 0; i < rows * SIZE; i += 4)
    v128.store(states + 4 * i, f32x4.add(v128.load(states + 4 * i), v128.load(added + 4 * i)));
  normalize(rows);
}

function normalize(rows: i32): void {
  const gain = takeFloats(SIZE);
  const bias = takeFloats(SIZE);
  for (let row = 0; row < rows; row++) {
    const from = states + 4 * row * SIZE;
    let sums = f32x4.splat(0);
    for (let i = 0; i < SIZE; i += 4) sums = f32x4.add(sums, v128.load(from + 4 * i));
    const mean = f32x4.splat(sum(sums) / f32(SIZE));
    let squares = f32x4.splat(0);
    for (let i = 0; i < SIZE; i += 4) {
      const value = f32x4.sub(v128.load(from + 4 * i), mean);
      squares = f32x4.add(squares, f32x4.mul(value, value));
    }
    const scale = f32x4.splat(1 / sqrt<f32>(sum(squares) / f32(SIZE) + EPSILON));
    for (let i = 0; i < SIZE; i += 4) {
      const value = f32x4.mul(f32x4.sub(v128.load(from + 4 * i), mean), scale);
      v128.store(
        from + 4 * i,
        f32x4.add(f32x4.mul(value, v128.load(gain + 4 * i)), v128.load(bias + 4 * i)),
      );
    }
  }
}

/** The mean of the tokens, of length 1. */
function pool(count: i32): void {
  let squares: f32 = 0;
  for (let i = 0; i < SIZE; i += 4) {
    let sums = f32x4.splat(0);
    for (let row = 0; row < count; row++) sums = f32x4.add(sums, v128.load(states + 4 * (row * SIZE + i)));
    v128.store(vector + 4 * i, sums);
    squares += sum(f32x4.mul(sums, sums));
  }
  const scale = f32x4.splat(1 / sqrt<f32>(squares));
  for (let i = 0; i < SIZE; i += 4) v128.store(vector + 4 * i, f32x4.mul(v128.load(vector + 4 * i), scale));
}

@inline
function sum(values: v128): f32 {
  return (
    f32x4.extract_lane(values, 0) +
    f32x4.extract_lane(values, 1) +
    (f32x4.extract_lane(values, 2) + f32x4.extract_lane(values, 3))
  );
}

/** The Gaussian error linear unit, with tanh in place of the error function. */
@inline
function gelu(x: v128): v128 {
  const cubic = f32x4.mul(x, f32x4.add(f32x4.splat(1), f32x4.mul(f32x4.splat(0.044715), f32x4.mul(x, x))));
  const power = exp(f32x4.mul(cubic, f32x4.splat(-1.5957691216)));
  return f32x4.div(x, f32x4.add(f32x4.splat(1), power));
}

/** e to the power of each value, between those of -87 and 87: a power of two times a polynomial. */
@inline
function exp(values: v128): v128 {
  const x = f32x4.min(f32x4.max(values, f32x4.splat(-87)), f32x4.splat(87));
  const whole = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504)));
  const rest = f32x4.sub(x, f32x4.mul(whole, f32x4.splat(0.6931471806)));
  let power = f32x4.splat(1 / 120);
  power = f32x4.add(f32x4.mul(power, rest), f32x4.splat(1 / 24));
  power = f32x4.add(f32x4.mul(power, rest), f32x4.splat(1 / 6));
  power = f32x4.add(f32x4.mul(power, rest), f32x4.splat(0.5));
  power = f32x4.add(f32x4.mul(power, rest), f32x4.splat(1));
  power = f32x4.add(f32x4.mul(power, rest), f32x4.splat(1));
  return i32x4.add(power, i32x4.shl(i32x4.trunc_sat_f32x4_s(whole), 23));
}
