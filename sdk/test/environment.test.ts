import { Engram } from "@engram/sdk";
import { afterEach, describe, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** The URL and the key with which a client sends a request. */
async function sentBy(options: Partial<ConstructorParameters<typeof Engram>[0]> = {}) {
  let sent: Request | undefined;
  const fetch = async (request: Request) => {
    sent = request;
    return Response.json({ status: "ok" });
  };
  await new Engram({ ...options, fetch }).health.get();
  return [sent?.url, sent?.headers.get("authorization")];
}

describe("a client without a key or URL", () => {
  test("reads them from ENGRAM_API_KEY and ENGRAM_URL", async () => {
    vi.stubEnv("ENGRAM_API_KEY", "from_environment");
    vi.stubEnv("ENGRAM_URL", "http://engram.test/base/");
    new Engram();
    expect(await sentBy()).toEqual(["http://engram.test/base/health", "Bearer from_environment"]);
    expect(await sentBy({ apiKey: undefined, baseUrl: undefined })).toEqual(await sentBy());
  });

  test("uses the options that are given instead", async () => {
    vi.stubEnv("ENGRAM_API_KEY", "from_environment");
    vi.stubEnv("ENGRAM_URL", "http://engram.test");
    const given = { apiKey: "given", baseUrl: "http://other.test" };
    expect(await sentBy(given)).toEqual(["http://other.test/health", "Bearer given"]);
    expect(await sentBy({ apiKey: null })).toEqual(["http://engram.test/health", null]);
    // Not replaced by the variable: the program meant to pass a key.
    expect(() => new Engram({ apiKey: "" })).toThrow("apiKey is missing");
  });

  test.for<[string, () => void]>([
    ["without the variables", () => vi.stubEnv("ENGRAM_API_KEY", undefined)],
    ["with an empty variable", () => vi.stubEnv("ENGRAM_API_KEY", "")],
    ["without a process, as in a browser", () => vi.stubGlobal("process", undefined)],
    [
      "that denies access to the environment",
      () =>
        vi.stubGlobal("process", {
          get env(): never {
            throw new Error("NotCapable");
          },
        }),
    ],
  ])("names both ways to pass a key %s", ([, arrange]) => {
    arrange();
    let error: unknown;
    try {
      new Engram({ baseUrl: "http://engram.test" });
    } catch (thrown) {
      error = thrown;
    }
    vi.unstubAllGlobals();
    expect(error).toEqual(
      new TypeError(
        "apiKey is missing: pass a key of the service, such as engram_sk_live_…, or set ENGRAM_API_KEY",
      ),
    );
  });
});
