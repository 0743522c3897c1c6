import type { Embedder } from "../../../../local/src/embedder/embedder.ts";
import { FOUND } from "./exact.ts";
import type { Baselines } from "./measure.ts";
import { BATCH } from "./measure.ts";
import { createScan } from "./scan.mjs";
import { time } from "./statistics.ts";
import type { Matrix } from "./vectors.ts";
import type { Line, Workload } from "./workload.ts";

/** Lower bound for the time of storing rows: one plain statement, without preconditions or indexing. */
export interface BareInserts {
  /** Of each request with one row. */
  singleMs: number[];
  /** Of each request with a batch of rows. `messages` is their total number of rows. */
  batchMs: number[];
  messages: number;
}

/** Lower bound for the time of a search with all vectors in memory: embed the query and scan the vectors. */
export function memoryWork({ queries, warmUps }: Workload, matrix: Matrix, embedder: Embedder): Baselines {
  const vectors = new Map([...queries, ...warmUps].map((query) => [query, embedder.embed(query)]));
  const scan = createScan(matrix, FOUND);
  return {
    scan: (query) => scan(vectors.get(query) ?? new Float32Array()),
    embed: (query) => embedder.embed(query),
  };
}

/** A request that the service answers without database access. */
export async function emptyRequest(url: string): Promise<void> {
  const response = await fetch(`${url}/health`);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`/health answered ${response.status}`);
}

/**
 * Store the same rows with one `INSERT … SELECT … FROM json_each(?)` per request, in the service's own
 * database.
 */
export async function insertBare(url: string, { talks }: Workload, singles: number): Promise<BareInserts> {
  await send(url, "PUT");
  const rows = talks.flatMap(({ id, lines }) => lines.map((line) => toRow(id, line)));
  const singleMs: number[] = [];
  for (const row of rows.slice(0, singles)) {
    const body = JSON.stringify([{ ...row, id: `single-${row.id}` }]);
    singleMs.push((await time(() => send(url, "POST", body))).ms);
  }
  const batchMs: number[] = [];
  for (let from = 0; from < rows.length; from += BATCH) {
    const body = JSON.stringify(rows.slice(from, from + BATCH));
    batchMs.push((await time(() => send(url, "POST", body))).ms);
  }
  return { singleMs, batchMs, messages: rows.length };
}

async function send(url: string, method: "PUT" | "POST", body?: string): Promise<void> {
  const response = await fetch(`${url}/bare`, { method, ...(body === undefined ? {} : { body }) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`/bare answered ${response.status}`);
}

const toRow = (conversationId: string, { place, role, name, content, createdAtMs }: Line) => ({
  id: String(place),
  conversation_id: conversationId,
  role,
  name,
  content,
  created_at: new Date(createdAtMs).toISOString(),
});
