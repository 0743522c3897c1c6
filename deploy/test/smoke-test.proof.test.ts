// The smoke test, alone and at the end of the deployment, against the real service on this machine.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, inject, it, test } from "vitest";
import { LeftOrganization, type SmokeTest, smokeTest } from "../src/smoke-test.ts";
import { startDeploy } from "./support/command.ts";
import { emptyAccount } from "./support/fake-wrangler.ts";
import { ROOT, removeFolders } from "./support/folders.ts";

const service = { url: inject("url"), adminToken: inject("adminToken") };
const { signal } = new AbortController();
const JSON_TYPE = { "content-type": "application/json" };

afterAll(removeFolders);

/** The requests of a smoke test by method and path, and the organization that it created. */
interface Traffic {
  requests: string[];
  organization: string | undefined;
}

/** A fetch that calls the service and records the request, unless `instead` returns a response. */
function observed(
  traffic: Traffic,
  instead: (request: string) => Response | undefined = () => undefined,
): typeof fetch {
  return async (input, init) => {
    const sent = new Request(input, init);
    const request = `${sent.method} ${new URL(sent.url).pathname.replace(/(org|conv)_\w+/, "$1_")}`;
    traffic.requests.push(request);
    const response = instead(request) ?? (await fetch(sent));
    if (request === "POST /v1/organizations") {
      const answer: { organization?: { id: string } } = JSON.parse(await response.clone().text());
      traffic.organization = answer.organization?.id;
    }
    return response;
  };
}

const noTraffic = (): Traffic => ({ requests: [], organization: undefined });
const run = (more: Partial<SmokeTest>) =>
  smokeTest({
    url: service.url,
    adminToken: service.adminToken,
    fetch,
    sleep: async () => {},
    signal,
    ...more,
  });

/** The time when an organization was deleted; null if it was not. */
async function deletedAt(id: string | undefined): Promise<string | null> {
  const headers = { authorization: `Bearer ${service.adminToken}` };
  const response = await fetch(`${service.url}/v1/organizations/${id}`, { headers });
  // Its row may be purged already.
  return response.status === 404 ? "gone" : JSON.parse(await response.text()).deleted_at;
}

describe("the smoke test", () => {
  it("passes for a working service, and deletes its organization", async () => {
    const traffic = noTraffic();
    expect(await run({ fetch: observed(traffic) })).toEqual([
      "/health",
      "/ready",
      "/openapi.json",
      "/docs",
      "store",
      "find",
      "delete",
    ]);
    expect(await deletedAt(traffic.organization)).not.toBeNull();
  });

  it("without the admin token stores nothing", async () => {
    const traffic = noTraffic();
    await run({ adminToken: undefined, fetch: observed(traffic) });
    expect(traffic.requests).toEqual(["GET /health", "GET /ready", "GET /openapi.json", "GET /docs"]);
  });

  it("waits for a host name that does not resolve yet", async () => {
    let tries = 0;
    const slow: typeof fetch = async (input, init) => {
      tries += 1;
      if (tries < 20) throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND") });
      return fetch(input, init);
    };
    expect(await run({ adminToken: undefined, fetch: slow })).toContain("/health");
  });

  it("gives up if the host name never resolves, and says why", async () => {
    const deaf: typeof fetch = async () => {
      throw new TypeError("fetch failed", {
        cause: new Error("getaddrinfo ENOTFOUND engram.acme.workers.dev"),
      });
    };
    await expect(run({ fetch: deaf })).rejects.toThrow(
      "GET /health got no answer: getaddrinfo ENOTFOUND engram.acme.workers.dev",
    );
  });

  const CHECKS = [
    "GET /health",
    "GET /ready",
    "GET /openapi.json",
    "GET /docs",
    "POST /v1/organizations",
    "POST /v1/conversations",
    "POST /v1/conversations/conv_/messages",
    "POST /v1/search",
    "DELETE /v1/organizations/org_",
  ];

  test.each(CHECKS)("fails once when %s fails, and deletes its data", async (check) => {
    const traffic = noTraffic();
    const failing = observed(traffic, (request) =>
      request === check
        ? Response.json({ code: "internal", detail: "internal" }, { status: 500 })
        : undefined,
    );
    const id = check.replace("conv_", "\\S+").replace("org_", "\\S+");
    await expect(run({ fetch: failing })).rejects.toThrow(new RegExp(`^${id} answered 500: .*internal`));
    if (!check.startsWith("GET"))
      expect(traffic.requests.filter((request) => request === check)).toHaveLength(1);
    const isDeleted = traffic.organization === undefined || check.startsWith("DELETE");
    if (!isDeleted) expect(await deletedAt(traffic.organization)).not.toBeNull();
  });

  it("waits some seconds for a new version to accept the admin token", async () => {
    let tries = 0;
    const slow = observed(noTraffic(), (request) => {
      if (request !== "POST /v1/organizations" || ++tries > 5) return undefined;
      return Response.json({ code: "not_found" }, { status: 404 });
    });
    expect(await run({ fetch: slow })).toContain("delete");
  });

  test.each([
    ["a page of another service", "GET /health", "<html>There is nothing here yet</html>"],
    ["a database without its tables", "GET /ready", '{"status":"starting"}'],
    [
      "messages without vectors",
      "POST /v1/conversations/conv_/messages",
      '{"indexed":false}',
      "did not answer in time",
    ],
    ["a search without results", "POST /v1/search", '{"results":[]}', "found 0 results"],
  ])("fails for %s", async (_, check, body, reason = body) => {
    const status = check.endsWith("/messages") ? 201 : 200;
    const failing = observed(noTraffic(), (request) =>
      request === check ? new Response(body, { status, headers: JSON_TYPE }) : undefined,
    );
    await expect(run({ fetch: failing })).rejects.toThrow(reason);
  });

  it("deletes its data also when it is stopped", async () => {
    const stopping = new AbortController();
    const traffic = noTraffic();
    const stopped = observed(traffic, (request) => {
      if (request === "POST /v1/conversations") stopping.abort();
      return undefined;
    });
    await expect(run({ fetch: stopped, signal: stopping.signal })).rejects.toThrow();
    expect(traffic.requests.at(-1)).toBe("DELETE /v1/organizations/org_");
    expect(await deletedAt(traffic.organization)).not.toBeNull();
  });
});

it("a smoke test that could not delete its organization prints its id and the request that deletes it", async () => {
  const traffic = noTraffic();
  const stuck = observed(traffic, (request) =>
    request.startsWith("DELETE") || request === "POST /v1/search"
      ? Response.json({ code: "unavailable" }, { status: 503 })
      : undefined,
  );
  const error = await run({ fetch: stuck }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LeftOrganization);
  expect(String(error)).toContain("POST /v1/search answered 503");
  expect(String(error)).toContain(
    `send DELETE /v1/organizations/${traffic.organization} with the admin token`,
  );
  const headers = { authorization: `Bearer ${service.adminToken}` };
  await fetch(`${service.url}/v1/organizations/${traffic.organization}`, { method: "DELETE", headers });
});

it("npm run deploy deploys, tests the deployed service and prints a command to try", async () => {
  // In a separate folder, because the saved token of an account is in the repository.
  const id = "fedcba9876543210fedcba9876543210";
  const kept = join(ROOT, "deploy/.engram", id);
  const account = { ...emptyAccount(), accounts: [{ id, name: "Acme" }], url: service.url };
  const command = startDeploy(account, [], { ENGRAM_ADMIN_TOKEN: service.adminToken });
  const { code, stdout, stderr } = await command.ended;
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(command.account().secrets).toEqual({ ADMIN_TOKEN: service.adminToken });
  expect(readFileSync(join(kept, "engram.admin-token"), "utf8").trim()).toBe(service.adminToken);
  expect(stdout).not.toContain(service.adminToken);
  expect(stdout).toContain("✓ Smoke test        /health, /ready, /openapi.json, /docs, store, find, delete");

  expect(stdout).toContain(`  MCP          ${service.url}/mcp?tools=conversations,memories\n`);
  for (const client of ["claude.ai", "ChatGPT", "Cursor", "VS Code"])
    expect(stdout).toMatch(new RegExp(`^  ${client} +\\S`, "m"));
  expect(stdout).toContain("https://engram.dev/connect");

  const line = stdout.split("\n").find((each) => each.startsWith("  curl "));
  const [, url, file, body] = /^ {2}curl -s (\S+) .*\$\(cat '(.+?)'\)" .* -d '(.+)'$/.exec(line ?? "") ?? [];
  const response = await fetch(url ?? "", {
    method: "POST",
    headers: {
      authorization: `Bearer ${readFileSync(join(ROOT, file ?? ""), "utf8").trim()}`,
      "content-type": "application/json",
    },
    body: body ?? "",
  });
  expect(response.status).toBe(201);
  rmSync(kept, { recursive: true });
});
