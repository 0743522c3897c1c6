import { describe, expect, test } from "vitest";
import type { ServiceContext } from "../../src/context.ts";
import { coalesce } from "../../src/indexing/coalesce.ts";

/** A context that records the calls that reach it. */
function watched(fail: (call: string) => boolean = () => false) {
  const calls: string[] = [];
  const note = (call: string) => {
    calls.push(call);
    if (fail(call)) throw new Error(`no ${call}`);
  };
  const ctx = {
    db: {
      batch: async (list: string[]) => {
        note(`batch ${list}`);
        return list.map((sql) => ({ results: [sql] }));
      },
    },
    embedder: {
      embed: async (texts: string[]) => {
        note(`embed ${texts}`);
        return texts.map((text) => [text.length]);
      },
    },
    vectors: {
      upsert: async (organizationId: string, list: string[]) => note(`upsert ${organizationId} ${list}`),
    },
  } as unknown as ServiceContext;
  return { ctx, calls };
}

const batch = (ctx: ServiceContext, ...list: string[]) =>
  ctx.db.batch(list as unknown as D1PreparedStatement[]) as unknown as Promise<{ results: string[] }[]>;
const upsert = (ctx: ServiceContext, organizationId: string, ...list: string[]) =>
  ctx.vectors.upsert(organizationId, list as never);

describe("coalesce", () => {
  test("joins the calls of all tasks, and gives each task its own results", async () => {
    const { ctx, calls } = watched();
    const answers = await coalesce(
      ctx,
      ["a", "bb", "ccc"].map((name) => async (shared) => {
        const [, second] = await batch(shared, `${name}1`, `${name}2`);
        const [[length] = []] = await shared.embedder.embed([name]);
        await upsert(shared, name === "ccc" ? "org_2" : "org_1", name);
        return `${second?.results} ${length}`;
      }),
    );
    expect(answers).toEqual(["a2 1", "bb2 2", "ccc2 3"]);
    expect(calls).toEqual([
      "batch a1,a2,bb1,bb2,ccc1,ccc2",
      "embed a,bb,ccc",
      "upsert org_1 a,bb",
      "upsert org_2 ccc",
    ]);
  });

  test("waits for every unfinished task, and for no finished one", async () => {
    const { ctx, calls } = watched();
    await coalesce(ctx, [
      async (shared) => {
        await batch(shared, "early");
      },
      async (shared) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await batch(shared, "late");
        await batch(shared, "alone");
        await upsert(shared, "org_1");
      },
    ]);
    expect(calls).toEqual(["batch early,late", "batch alone"]);
  });

  test("sends a rejected list of texts again for each task alone", async () => {
    const { ctx, calls } = watched((call) => call.includes("poison"));
    const embed = (text: string) => async (shared: ServiceContext) =>
      shared.embedder.embed([text]).then(
        () => "taken",
        () => "refused",
      );
    expect(await coalesce(ctx, ["x", "poison", "y"].map(embed))).toEqual(["taken", "refused", "taken"]);
    expect(calls).toEqual(["embed x,poison,y", "embed x", "embed poison", "embed y"]);
  });

  test("fails a joined batch for all tasks, does not repeat it, and lets all continue", async () => {
    const { ctx, calls } = watched((call) => call === "batch a,b");
    const work = (name: string) => async (shared: ServiceContext) => {
      await batch(shared, name).catch(() => batch(shared, `${name} is given back`));
      return name;
    };
    expect(await coalesce(ctx, [work("a"), work("b")])).toEqual(["a", "b"]);
    expect(calls).toEqual(["batch a,b", "batch a is given back,b is given back"]);
  });

  test("throws the error of a task after the others have ended", async () => {
    const { ctx, calls } = watched();
    const failing = coalesce(ctx, [
      async () => {
        throw new Error("broken");
      },
      async (shared) => batch(shared, "whole"),
    ]);
    await expect(failing).rejects.toThrow("broken");
    expect(calls).toEqual(["batch whole"]);
  });
});
