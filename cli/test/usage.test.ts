import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";
import { serve } from "./support/servers.ts";

describe("engram usage", () => {
  test("prints the service's figures, of which there are none yet", async () => {
    const { run } = await createPerson();
    expect(await run(["usage"])).toEqual({ code: 0, stdout: "", stderr: "No usage found.\n" });
    const { code, stdout } = await run(["usage", "--group-by", "operation", "--json"]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { items: expect.any(Array) }]);
    expect(await run(["usage", "--group-by", "agent"])).toMatchObject({ code: 2, stdout: "" });
  });

  test("prints usage by day and key, or by the requested dimensions", async () => {
    const requests: URL[] = [];
    const amounts = {
      requests: 1_200,
      messages: 3,
      message_bytes: 45,
      searches: 0,
      embeddings: 7,
      errors: 2,
    };
    const url = await serve((request, response) => {
      const asked = new URL(request.url ?? "", "http://localhost");
      requests.push(asked);
      const items = asked.searchParams.has("group_by")
        ? [
            { operation: null, tool: null, ...amounts },
            { operation: "search", tool: "search_messages", ...amounts },
          ]
        : [{ day: "2026-11-02", key_id: "key_1", ...amounts }];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ items, next_cursor: null }));
    });
    const { run } = await createPerson();
    const plain = await run(["usage", "--from", "2026-11-01", "--to", "2026-11-02", "--url", url]);
    expect(plain.stdout).toBe(
      [
        "DAY         KEY    REQUESTS  MESSAGES  BYTES  SEARCHES  EMBEDDINGS  ERRORS",
        "2026-11-02  key_1     1,200         3     45         0           7       2",
        "",
      ].join("\n"),
    );
    expect(requests[0]?.search).toBe("?from=2026-11-01&to=2026-11-02&limit=100");
    const grouped = await run(["usage", "--group-by", "tool", "operation", "--key", "key_1", "--url", url]);
    expect(grouped.stdout).toBe(
      [
        "OPERATION  TOOL             REQUESTS  MESSAGES  BYTES  SEARCHES  EMBEDDINGS  ERRORS",
        "-          -                   1,200         3     45         0           7       2",
        "search     search_messages     1,200         3     45         0           7       2",
        "",
      ].join("\n"),
    );
    expect(requests[1]?.search).toBe("?key_id=key_1&limit=100&group_by=tool&group_by=operation");
    const json = await run(["usage", "--group-by", "operation", "--json", "--url", url]);
    expect(JSON.parse(json.stdout).items).toHaveLength(2);
  });
});
