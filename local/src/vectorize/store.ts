import { DurableObject } from "cloudflare:workers";
import type { IndexedValues } from "../../../service/src/platform/vector-scan/filters.ts";
import { RowMemory } from "../../../service/src/platform/vector-scan/row-memory.ts";
import { Slab } from "../../../service/src/platform/vector-scan/slab.ts";
import { type Scored, TopMatches } from "../../../service/src/platform/vector-scan/top-matches.ts";
import { switches } from "../switches.ts";
import type { CheckedOptions } from "./checks.ts";
import { compileFilter } from "./filters.ts";
import { floatRows } from "./float-rows.ts";
import scanModule from "./scan.wasm";
import * as tables from "./tables.ts";

/**
 * Stores vectors in SQLite and searches them in memory.
 *
 * The first search of a namespace loads its vectors. A mutation (an upsert or deletion) is stored before its
 * call returns. Queries see mutations in order, each after the delay that `switches` had when it was stored.
 */
export class VectorStore extends DurableObject {
  readonly #sql: SqlStorage;
  readonly #slabs = new Map<string, Slab<Float32Array>>();
  #memory: RowMemory<Float32Array> | undefined;

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    tables.createTables(this.#sql);
  }

  mutate(mutation: tables.Mutation): string {
    this.#applyDue(Date.now());
    const mutationId = crypto.randomUUID();
    const visibleAtMs = Date.now() + switches.visibilityDelayMs;
    const lastVisibleAtMs = tables.selectLastVisibleAtMs(this.#sql);
    if (switches.visibilityDelayMs === 0 && lastVisibleAtMs === undefined) {
      this.#apply(mutation);
    } else {
      // Mutations stay in order even if the delay has been shortened since.
      const pending = { mutationId, mutation, visibleAtMs: Math.max(visibleAtMs, lastVisibleAtMs ?? 0) };
      this.ctx.storage.transactionSync(() => tables.insertPending(this.#sql, pending));
    }
    return mutationId;
  }

  flush(): void {
    this.#applyDue(Number.MAX_SAFE_INTEGER);
  }

  /** The vectors in the order of `ids`. Unknown and repeated ids are skipped. */
  getByIds(ids: string[]): VectorizeVector[] {
    this.#applyDue(Date.now());
    const rows = tables.selectVectors(this.#sql, ids);
    return [...new Set(ids)].flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ id, values: [...row.values], ...described(row) }];
    });
  }

  /** The matches are sorted by score, best first; matches with equal scores by id. */
  query(values: Float32Array, options: CheckedOptions): VectorizeMatches {
    this.#applyDue(Date.now());
    const slabs = this.#slabsOf(options.namespace, values.length);
    const passes = options.filter && compileFilter(options.filter);
    const best = new TopMatches(options.topK);
    this.#memoryFor(values.length).setQuery(values);
    for (const slab of slabs) slab.search(passes, best);
    const matches = this.#withDetails(best.matches, options);
    return { count: matches.length, matches };
  }

  #withDetails(matches: readonly Scored[], options: CheckedOptions): VectorizeMatch[] {
    const { returnValues, returnMetadata, namespace } = options;
    if (!returnValues && returnMetadata === "none" && namespace !== undefined && namespace !== "")
      return matches.map(({ id, score }) => ({ id, score, namespace }));
    const ids = matches.map((match) => match.id);
    const rows = tables.selectVectors(this.#sql, ids);
    return matches.map(({ id, score }) => {
      const row = rows.get(id);
      const match: VectorizeMatch = { id, score };
      if (row === undefined) return match;
      if (row.namespace !== "") match.namespace = row.namespace;
      if (returnValues) match.values = [...row.values];
      if (returnMetadata === "indexed") match.metadata = JSON.parse(row.indexed);
      if (returnMetadata === "all" && row.metadata !== null) match.metadata = JSON.parse(row.metadata);
      return match;
    });
  }

  #slabsOf(namespace: string | undefined, dimensions: number): Slab<Float32Array>[] {
    const names = namespace === undefined ? tables.selectNamespaceNames(this.#sql) : [namespace];
    return names.map((name) => this.#slabs.get(name) ?? this.#load(name, dimensions));
  }

  #load(namespace: string, dimensions: number): Slab<Float32Array> {
    const slab = new Slab(this.#memoryFor(dimensions));
    for (const row of tables.selectNamespace(this.#sql, namespace)) {
      slab.put(row.id, row.values, parseIndexed(row.indexed));
    }
    this.#slabs.set(namespace, slab);
    return slab;
  }

  #memoryFor(dimensions: number): RowMemory<Float32Array> {
    // scan.wasm is compiled from scan.wat. A test compiles it again and compares.
    this.#memory ??= new RowMemory(scanModule, floatRows(dimensions));
    return this.#memory;
  }

  #applyDue(nowMs: number): void {
    for (;;) {
      const due = tables.selectDuePending(this.#sql, nowMs);
      if (due === undefined) return;
      this.#apply(due.mutation, due.sequence);
    }
  }

  #apply(mutation: tables.Mutation, sequence?: number): void {
    const written = mutation.kind === "delete" ? [] : mutation.vectors;
    const ids = mutation.kind === "delete" ? mutation.ids : written.map((row) => row.id);
    const before = tables.selectNamespaces(this.#sql, ids);
    // The last vector of a repeated id counts.
    const rows = new Map(written.map((row) => [row.id, row]));
    this.ctx.storage.transactionSync(() => {
      if (mutation.kind === "delete") tables.deleteVectors(this.#sql, ids);
      for (const row of rows.values()) tables.upsertVector(this.#sql, row);
      if (sequence !== undefined) tables.deletePending(this.#sql, sequence);
    });
    for (const [id, namespace] of before) {
      const isGone = mutation.kind === "delete" || (rows.get(id)?.namespace ?? namespace) !== namespace;
      if (isGone) this.#slabs.get(namespace)?.delete(id);
    }
    for (const row of rows.values()) {
      this.#slabs.get(row.namespace)?.put(row.id, row.values, parseIndexed(row.indexed));
    }
  }
}

function parseIndexed(indexed: string): IndexedValues {
  return JSON.parse(indexed);
}

function described(row: tables.VectorRow): Pick<VectorizeVector, "namespace" | "metadata"> {
  return {
    ...(row.namespace !== "" && { namespace: row.namespace }),
    ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) }),
  };
}
