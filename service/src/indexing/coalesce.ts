import type { ServiceContext } from "../context.ts";
import type { StoredVector } from "../platform/vectors.ts";

/**
 * Runs several tasks at the same time and joins their calls: their batches of statements become one batch, their
 * texts to embed one list, and their vectors one upsert. Resolves to the results of the tasks, in order.
 *
 * To index a short memory takes four calls to D1, one to the model and one to the vector store. Each could serve many
 * memories. This function makes ten memories need as many calls as one, while the code that indexes is written for
 * one: each task gets a context whose calls are joined. If one task fails, for example because its text cannot be
 * decoded, the others continue.
 *
 * - The joined calls are sent when every task that is not finished waits for one. While a task waits for something
 *   else, such as a single statement, the others wait too.
 * - A joined batch is one transaction. If it fails, it fails for all of its tasks.
 * - If a joined list of texts fails, it is sent again separately for each task, because a model rejects a whole list
 *   because of one text.
 *
 * @throws the error of the first failed task, after all have ended.
 */
export async function coalesce<Context extends ServiceContext, Result>(
  ctx: Context,
  tasks: ((shared: Context) => Promise<Result>)[],
): Promise<Result[]> {
  const barrier = new Barrier(tasks.length);
  const statements = new JoinedCall<D1PreparedStatement, D1Result>(barrier, (list) => ctx.db.batch(list));
  const texts = new JoinedCall<string, number[]>(barrier, (list) => ctx.embedder.embed(list), "split");
  const upserts = new Map<string, JoinedCall<StoredVector, null>>();
  const upsertsOf = (organizationId: string) => {
    const upsert = async (list: StoredVector[]) => {
      await ctx.vectors.upsert(organizationId, list);
      return list.map(() => null);
    };
    const call = upserts.get(organizationId) ?? new JoinedCall(barrier, upsert);
    upserts.set(organizationId, call);
    return call;
  };
  const shared: Context = {
    ...ctx,
    // The methods of a database that indexing uses. A prepared statement that runs outside a batch is not joined.
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
  const outcomes = await Promise.allSettled(tasks.map((task) => task(shared).finally(() => barrier.pause())));
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** Counts the tasks that run. When all of them wait, the joined calls are sent. */
class Barrier {
  readonly calls: { send(): void }[] = [];
  #running: number;

  constructor(tasks: number) {
    this.#running = tasks;
  }

  /** Call this when waiting tasks have got their results and run again. */
  resume(tasks: number): void {
    this.#running += tasks;
  }

  /** Call this when a task begins to wait for a joined call, or has ended. */
  pause(): void {
    this.#running -= 1;
    if (this.#running === 0) for (const call of this.calls) call.send();
  }
}

/** The items of one task in a joined call, and how the task gets its results. */
interface PendingCall<Item, Result> {
  items: Item[];
  resolve(results: Result[]): void;
  reject(error: unknown): void;
}

/** A call with the items of several tasks. It returns one result for each item. */
class JoinedCall<Item, Result> {
  readonly #barrier: Barrier;
  readonly #call: (items: Item[]) => Promise<Result[]>;
  readonly #onFailure: "fail" | "split";
  #waiting: PendingCall<Item, Result>[] = [];

  constructor(
    barrier: Barrier,
    call: (items: Item[]) => Promise<Result[]>,
    onFailure: "fail" | "split" = "fail",
  ) {
    this.#barrier = barrier;
    this.#call = call;
    this.#onFailure = onFailure;
    barrier.calls.push(this);
  }

  call(items: Item[]): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject });
      this.#barrier.pause();
    });
  }

  send(): void {
    const pending = this.#waiting;
    this.#waiting = [];
    if (pending.length > 0) void this.#complete(pending);
  }

  async #complete(pending: PendingCall<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#call(pending.flatMap(({ items }) => items));
      this.#barrier.resume(pending.length);
      let from = 0;
      for (const { items, resolve } of pending) {
        resolve(results.slice(from, from + items.length));
        from += items.length;
      }
    } catch (error) {
      if (this.#onFailure === "split" && pending.length > 1) {
        await Promise.all(pending.map((single) => this.#complete([single])));
        return;
      }
      this.#barrier.resume(pending.length);
      for (const { reject } of pending) reject(error);
    }
  }
}
