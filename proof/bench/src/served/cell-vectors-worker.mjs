// The product's Worker, with the vectors of a cell in place of the hub, and beside them the same ones as float32 in
// memory. JavaScript, because the types of Workers and of Node conflict in one program.
import { DurableObject } from "cloudflare:workers";
import { floatRows } from "../../../../local/src/vectorize/float-rows.ts";
import floatScan from "../../../../local/src/vectorize/scan.wasm";
import scan from "../../../../service/src/platform/cell-vectors/scan-int8.wasm";
import { CellVectors } from "../../../../service/src/platform/cell-vectors/store.ts";
import { compileFilter } from "../../../../service/src/platform/vector-scan/filters.ts";
import { RowMemory } from "../../../../service/src/platform/vector-scan/row-memory.ts";
import { Slab } from "../../../../service/src/platform/vector-scan/slab.ts";
import { TopMatches } from "../../../../service/src/platform/vector-scan/top-matches.ts";
import worker from "../../../../service/src/worker.ts";

export { Background } from "../../../../service/src/worker.ts";

const CLUSTERS = 200;
const FOUND = 100;

/** Numbers around 0, always the same ones for a seed. The sum of four has nearly a normal distribution. */
function createNormal(seed) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), 61 | bits);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  };
  return () => uniform() + uniform() + uniform() + uniform();
}

const centers = new Map();

/** A vector near the center of its cluster, with the metadata of a chunk. Five share a conversation. */
function createVector(i, dimensions) {
  const cluster = i % CLUSTERS;
  const key = `${cluster} ${dimensions}`;
  if (!centers.has(key)) centers.set(key, Array.from({ length: dimensions }, createNormal(-1 - cluster)));
  const normal = createNormal(i);
  const hash = (text) => text.padStart(32, "0");
  const metadata = {
    conversation_id: hash(`${Math.floor(i / 5)}`),
    agent: hash(`agent ${i % 7}`),
    user: hash(`user ${i % 50}`),
    kind: i % 10 === 0 ? "memory" : "conversation",
    model: hash("model"),
    day: 20_000 + (i % 365),
    last_day: 20_000 + (i % 365),
  };
  const values = centers.get(key).map((value) => value + normal() * 0.8);
  return {
    id: `chk_${`${i}`.padStart(20, "0")}.${i.toString(36)}.1.5`,
    values,
    metadata,
    textHash: hash(`${i}`),
  };
}

const QUERIES_FROM = 10_000_000;

export class Hub extends DurableObject {
  #vectors;
  #floats;

  async fetch(request) {
    const url = new URL(request.url);
    const { step, type, filter = "{}", ...numbers } = Object.fromEntries(url.searchParams);
    const [dimensions, from, to] = ["dimensions", "from", "to"].map((name) => Number(numbers[name]));
    const options = { scan, dimensions };
    if (step === "open") {
      this.#vectors = new CellVectors(this.ctx.storage, options);
      this.#floats = undefined;
    }
    if (step === "create")
      this.created = Array.from({ length: to - from }, (_, i) => createVector(from + i, dimensions));
    if (step === "upsert") this.#vectors.upsert(this.created);
    if (step === "query") {
      const { values } = createVector(QUERIES_FROM + from, dimensions);
      const ask = type === "float32" ? this.#queryFloats : this.#queryCodes;
      return Response.json(ask.call(this, values, JSON.parse(filter)).map(({ id }) => id));
    }
    return new Response(null, { status: 204 });
  }

  #queryCodes(values, filter) {
    return this.#vectors.query(values, filter);
  }

  /** A query without codes: all vectors are in memory as float32. */
  #queryFloats(values, filter) {
    this.#floats ??= this.#loadFloats(values.length);
    const { memory, slab } = this.#floats;
    memory.setQuery(Float32Array.from(values));
    const best = new TopMatches(FOUND);
    slab.search(compileFilter(filter), best);
    return best.matches;
  }

  #loadFloats(dimensions) {
    const memory = new RowMemory(floatScan, floatRows(dimensions));
    const slab = new Slab(memory);
    const rows = this.ctx.storage.sql.exec(
      "SELECT id, metadata, vector FROM cell_vectors JOIN cell_vector_values USING (number)",
    );
    for (const [id, metadata, vector] of rows.raw())
      slab.put(id, new Float32Array(vector), JSON.parse(metadata));
    return { memory, slab };
  }
}

export default {
  ...worker,
  fetch(request, env, ctx) {
    const url = new URL(request.url);
    if (url.pathname !== "/cell-vectors") return worker.fetch(request, env, ctx);
    return env.HUB.getByName(url.searchParams.get("dimensions")).fetch(request);
  },
};
