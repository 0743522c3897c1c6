import { describe, expect, test } from "vitest";
import { ConnectionError, type Middleware } from "../src/index.ts";
import { json, problem, rejection, serve } from "./support/fault-server.ts";

const ok = json(200, { status: "ok" });

describe("middleware", () => {
  test("wraps every attempt, the first outermost, and sees request and response", async () => {
    const { attempts, client } = await serve(problem(503, "unavailable"), ok);
    const seen: string[] = [];
    const named =
      (name: string): Middleware =>
      async (request, next) => {
        seen.push(`${name} ${request.method} ${new URL(request.url).pathname}`);
        request.headers.append("x-passed", name);
        const response = await next(request);
        seen.push(`${name} ${response.status}`);
        return response;
      };
    await client({ middleware: [named("outer"), named("inner")] }).health.get();
    const once = (status: number) => [
      "outer GET /health",
      "inner GET /health",
      `inner ${status}`,
      `outer ${status}`,
    ];
    expect(seen).toEqual([...once(503), ...once(200)]);
    expect(attempts.map(({ headers }) => headers["x-passed"])).toEqual(["outer, inner", "outer, inner"]);
  });

  test("can respond without sending, and can send again", async () => {
    const { attempts, client } = await serve(problem(400, "validation_failed"), ok);
    const again: Middleware = async (request, next) => {
      const response = await next(request.clone());
      return response.ok ? response : next(request);
    };
    expect(await client({ middleware: [again] }).health.get()).toEqual({ status: "ok" });
    expect(attempts).toHaveLength(2);
    const canned: Middleware = () => Response.json({ status: "canned" });
    expect(await client({ middleware: [canned] }).health.get()).toEqual({ status: "canned" });
    expect(attempts).toHaveLength(2);
  });

  test("that throws counts as a missing response, with its error as the cause", async () => {
    const { attempts, client } = await serve(ok);
    const cause = new Error("no token today");
    const failing: Middleware = () => {
      throw cause;
    };
    const error = await rejection(client({ middleware: [failing], maxRetries: 0 }).health.get());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "no_answer", cause });
    expect(attempts).toHaveLength(0);
  });
});
