import type { ServiceContext } from "../context.ts";
import type { StoredVector } from "../ports/vectors.ts";

/**
 * Runs several tasks concurrently and joins the calls that they make at the same moment: one batch of
 * statements, one list of texts, one upsert. Resolves to their results, in order.
 *
 * A joint call is sent once every unfinished task waits for one. If it fails, it fails for all of them,
 * except for texts: these are then sent individually, because a model rejects a whole list for one bad text.
 *
 * @throws the error of the first failed task, after all have ended.
 */
export async function doTogether<Context extends ServiceContext, Result>(
  ctx: Context,
  works: ((shared: Context) => Promise<Result>)[],
): Promise<Result[]> {
  const round = new Round(works.length);
  const statements = new Joint<D1PreparedStatement, D1Result>(round, (list) => ctx.db.batch(list));
  const texts = new Joint<string, number[]>(round, (list) => ctx.embedder.embed(list), "apart");
  const vectors = new Map<string, Joint<StoredVector, null>>();
  const vectorsOf = (organizationId: string) => {
    const upsert = async (list: StoredVector[]) => {
      await ctx.vectors.upsert(organizationId, list);
      return list.map(() => null);
    };
    const joint = vectors.get(organizationId) ?? new Joint(round, upsert);
    vectors.set(organizationId, joint);
    return joint;
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
        if (list.length > 0) await vectorsOf(organizationId).call(list);
      },
    },
  };
  const ends = await Promise.allSettled(works.map((work) => work(shared).finally(() => round.leave())));
  return ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
}

/** Counts the running tasks. Sends the joint calls once every task is waiting. */
class Round {
  readonly joints: { send(): void }[] = [];
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
    if (this.#busy === 0) for (const joint of this.joints) joint.send();
  }
}

interface Asked<Item, Result> {
  items: Item[];
  resolve(results: Result[]): void;
  reject(error: unknown): void;
}

/** A call that joins the items of several callers; it returns one result for each item. */
class Joint<Item, Result> {
  readonly #round: Round;
  readonly #call: (items: Item[]) => Promise<Result[]>;
  readonly #onFailure: "together" | "apart";
  #waiting: Asked<Item, Result>[] = [];

  constructor(
    round: Round,
    call: (items: Item[]) => Promise<Result[]>,
    onFailure: "together" | "apart" = "together",
  ) {
    this.#round = round;
    this.#call = call;
    this.#onFailure = onFailure;
    round.joints.push(this);
  }

  call(items: Item[]): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject });
      this.#round.leave();
    });
  }

  send(): void {
    const asked = this.#waiting;
    this.#waiting = [];
    if (asked.length > 0) void this.#answer(asked);
  }

  async #answer(asked: Asked<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#call(asked.flatMap(({ items }) => items));
      this.#round.enter(asked.length);
      let from = 0;
      for (const { items, resolve } of asked) {
        resolve(results.slice(from, from + items.length));
        from += items.length;
      }
    } catch (error) {
      if (this.#onFailure === "apart" && asked.length > 1) {
        await Promise.all(asked.map((one) => this.#answer([one])));
        return;
      }
      this.#round.enter(asked.length);
      for (const { reject } of asked) reject(error);
    }
  }
}
