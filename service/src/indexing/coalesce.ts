import type { ServiceContext } from "../context.ts";
import type { StoredVector } from "../platform/vectors.ts";

/**
 * Runs several tasks concurrently and joins the calls that they make at the same moment: one batch of
 * statements, one list of texts, one upsert. Resolves to their results, in order.
 *
 * A coalesced call is sent once every unfinished task waits for one. If it fails, it fails for all of them,
 * except for texts: these are then sent individually, because a model rejects a whole list for one bad text.
 *
 * @throws the error of the first failed task, after all have ended.
 */
export async function coalesce<Context extends ServiceContext, Result>(
  ctx: Context,
  tasks: ((shared: Context) => Promise<Result>)[],
): Promise<Result[]> {
  const barrier = new Barrier(tasks.length);
  const statements = new CoalescedCall<D1PreparedStatement, D1Result>(barrier, (list) => ctx.db.batch(list));
  const texts = new CoalescedCall<string, number[]>(barrier, (list) => ctx.embedder.embed(list), "apart");
  const upserts = new Map<string, CoalescedCall<StoredVector, null>>();
  const upsertsOf = (organizationId: string) => {
    const upsert = async (list: StoredVector[]) => {
      await ctx.vectors.upsert(organizationId, list);
      return list.map(() => null);
    };
    const call = upserts.get(organizationId) ?? new CoalescedCall(barrier, upsert);
    upserts.set(organizationId, call);
    return call;
  };
  const shared: Context = {
    ...ctx,
    // The only methods of a database that indexing uses.
    db: {
      prepare: (sql: string) => ctx.db.prepare(sql),
      batch: (list: D1PreparedStatement[]) => statements.call(list),
    } as D1Database,
    embedder: { ...ctx.embedder, embed: (list) => texts.call(list) },
    vectors: {
      ...ctx.vectors,
      upsert: async (organizationId, list) => {
        if (list.length > 0) await upsertsOf(organizationId).call(list);
      },
    },
  };
  const outcomes = await Promise.allSettled(tasks.map((task) => task(shared).finally(() => barrier.leave())));
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** Counts the running tasks. Sends the coalesced calls once every task is waiting. */
class Barrier {
  readonly calls: { send(): void }[] = [];
  #busy: number;

  constructor(busy: number) {
    this.#busy = busy;
  }

  /** More tasks run. */
  enter(count: number): void {
    this.#busy += count;
  }

  /** A task waits or has ended. */
  leave(): void {
    this.#busy -= 1;
    if (this.#busy === 0) for (const call of this.calls) call.send();
  }
}

interface PendingCall<Item, Result> {
  items: Item[];
  resolve(results: Result[]): void;
  reject(error: unknown): void;
}

/** A call that joins the items of several callers; it returns one result for each item. */
class CoalescedCall<Item, Result> {
  readonly #round: Barrier;
  readonly #call: (items: Item[]) => Promise<Result[]>;
  readonly #onFailure: "together" | "apart";
  #waiting: PendingCall<Item, Result>[] = [];

  constructor(
    barrier: Barrier,
    call: (items: Item[]) => Promise<Result[]>,
    onFailure: "together" | "apart" = "together",
  ) {
    this.#round = barrier;
    this.#call = call;
    this.#onFailure = onFailure;
    barrier.calls.push(this);
  }

  call(items: Item[]): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject });
      this.#round.leave();
    });
  }

  send(): void {
    const pending = this.#waiting;
    this.#waiting = [];
    if (pending.length > 0) void this.#answer(pending);
  }

  async #answer(pending: PendingCall<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#call(pending.flatMap(({ items }) => items));
      this.#round.enter(pending.length);
      let from = 0;
      for (const { items, resolve } of pending) {
        resolve(results.slice(from, from + items.length));
        from += items.length;
      }
    } catch (error) {
      if (this.#onFailure === "apart" && pending.length > 1) {
        await Promise.all(pending.map((single) => this.#answer([single])));
        return;
      }
      this.#round.enter(pending.length);
      for (const { reject } of pending) reject(error);
    }
  }
}
