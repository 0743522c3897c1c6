import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CuttingProxy, type Fault, openProxy } from "../src/support/proxy.ts";

describe("the proxy of the trials", () => {
  const bodies: string[] = [];
  const target = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.writeHead(201, { "x-kind": "answer" });
    response.end("stored ".repeat(1_000));
  });
  let fate: Fault = "pass";
  let proxy: CuttingProxy;
  const post = async (body: string) => {
    const response = await fetch(`${proxy.url}/somewhere`, { method: "POST", body });
    return { status: response.status, kind: response.headers.get("x-kind"), text: await response.text() };
  };

  beforeAll(async () => {
    target.listen(0, "127.0.0.1");
    await once(target, "listening");
    proxy = await openProxy(`http://127.0.0.1:${(target.address() as AddressInfo).port}`, () => fate);
  });
  afterAll(async () => {
    await proxy.close();
    target.close();
    target.closeAllConnections();
  });

  test("forwards the whole request and response", async () => {
    fate = "pass";
    expect(await post("passed")).toEqual({ status: 201, kind: "answer", text: "stored ".repeat(1_000) });
    expect(bodies.filter((body) => body === "passed")).toHaveLength(1);
  });

  test.for([
    ["before", 0],
    ["answered", 1],
    ["amid", 1],
  ] as const)(
    "closes the client's connection for the fault %s, after %d requests to the service",
    async ([cut, times]) => {
      fate = cut;
      await expect(post(cut)).rejects.toThrow();
      expect(bodies.filter((body) => body === cut)).toHaveLength(times);
    },
  );

  test("can send a request twice and return one response", async () => {
    fate = "twice";
    expect((await post("twice")).status).toBe(201);
    expect(bodies.filter((body) => body === "twice")).toHaveLength(2);
  });
});
