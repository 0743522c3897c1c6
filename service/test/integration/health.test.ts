import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { MIGRATION } from "../../src/health/service.ts";
import { send } from "../support/client.ts";
import { readAs, readProblem } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { fetchWith } from "../support/worlds.ts";

describe("health", () => {
  test("responds without a key and without the database", async () => {
    const DB = null as unknown as D1Database;
    expect(await readAs(contracts.getHealth, await fetchWith({ DB }, contracts.getHealth, {}))).toEqual({
      status: "ok",
    });
  });

  test("an unknown path gets a problem", async () => {
    for (const [path, method] of [
      ["/v1/nothing", "GET"],
      ["/healthz", "GET"],
      ["/health/live", "DELETE"],
    ] as const) {
      const problem = await readProblem(contracts.getOperation, await send(path, { method }));
      expect(problem).toMatchObject({ status: 404, code: "not_found" });
    }
  });
});

describe("readiness", () => {
  const contract = contracts.getReadiness;

  test("requires the newest migration", () => {
    expect(MIGRATION).toBe(
      env.MIGRATIONS.map(({ name }) => name)
        .sort()
        .at(-1),
    );
  });

  test("responds without a key, model or vector store", async () => {
    const without = { AI: null, VECTORIZE: null } as never;
    expect(await readAs(contract, await fetchWith(without, contract, {}))).toEqual({
      status: "ready",
      migration: MIGRATION,
    });
  });

  test("fails if the database lacks a migration, and names it", async () => {
    await env.DB.prepare("UPDATE d1_migrations SET name = 'x' || name WHERE name = ?1").bind(MIGRATION).run();
    const response = await send("/ready");
    expect(response.headers.get("retry-after")).toBe("10");
    expect(await readProblem(contract, response)).toMatchObject({
      code: "unavailable",
      detail: `The database lacks the migration ${MIGRATION}. Apply the migrations of this version.`,
    });
    await env.DB.prepare("UPDATE d1_migrations SET name = ?1 WHERE name = 'x' || ?1").bind(MIGRATION).run();
    expect((await send("/ready")).status).toBe(200);
  });

  test("fails if the database was never migrated, or does not respond", async () => {
    const DB = {
      prepare: () => {
        throw new Error("D1_ERROR: no such table: d1_migrations");
      },
    } as unknown as D1Database;
    expect(await readProblem(contract, await fetchWith({ DB }, contract, {}))).toMatchObject({
      code: "unavailable",
    });
  });

  // Load balancers and container runtimes ask an instance by its address.
  test("responds also on hosts that the deployment does not allow", async () => {
    const response = await fetchWith({ ALLOWED_HOSTS: "api.example" }, contract, {});
    expect(await readAs(contract, response)).toMatchObject({ status: "ready" });
  });
});
