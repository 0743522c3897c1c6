// The location of the database, and the placement of the Worker near it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { LOCATIONS, REGIONS } from "../src/regions.ts";
import type { Wrangler } from "../src/wrangler.ts";
import { deployedAccount, emptyAccount, fakeWrangler } from "./support/fake-wrangler.ts";
import { ROOT, removeFolders, repositoryWith, run } from "./support/run.ts";

afterAll(removeFolders);

describe("the location of a new database", () => {
  it("is left to D1 without a terminal, and the output says beforehand how to choose one", async () => {
    const account = emptyAccount();
    const given: string[][] = [];
    const real = fakeWrangler(account);
    const wrangler: Wrangler = (args) => {
      if (args.join(" ").startsWith("d1 create")) given.push([...args]);
      return real(args);
    };
    const { lines } = await run(account, { wrangler });
    expect(given).toEqual([["d1", "create", "engram"]]);
    const note = lines.findIndex((line) => line.includes("D1 creates the database near this machine"));
    expect(lines[note]).toContain("--location=wnam|enam|weur|eeur|apac|oc");
    expect(note).toBeLessThan(lines.findIndex((line) => line.includes("✓ D1 database")));
  });

  it("is the given one, without a question", async () => {
    const account = emptyAccount();
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return "";
    };
    const { lines } = await run(account, { location: "oc", ask });
    expect(account.database?.location).toBe("oc");
    expect(questions.join()).not.toContain("Location");
    expect(lines.join("\n")).not.toContain("D1 creates");
  });

  test.each([
    [["wnam"], "wnam"],
    // Where D1 creates it without a hint.
    [[""], "enam"],
    [["Ohio", "ENAM"], "enam"],
  ])("is asked for at a terminal: %j", async (answers, location) => {
    const account = emptyAccount();
    const left = [...answers];
    const ask = async (question: string) => (question.startsWith("Location") ? (left.shift() ?? "") : "");
    const { lines } = await run(account, { ask });
    expect(account.database?.location).toBe(location);
    expect(lines.join("\n")).not.toContain("D1 creates");
  });

  it("is asked for three times before the deployment stops with nothing created", async () => {
    const account = emptyAccount();
    let questions = 0;
    const ask = async (question: string) => {
      if (!question.startsWith("Location")) return "";
      questions += 1;
      return "Ohio";
    };
    const { error } = await run(account, { ask });
    expect(error?.message).toBe("The location must be one of: wnam, enam, weur, eeur, apac, oc.");
    expect(questions).toBe(3);
    expect(account.changes).toEqual([]);
  });

  it("is ignored for an existing database, and the output says so", async () => {
    const account = deployedAccount();
    const { lines } = await run(account, { location: "oc" });
    expect(lines.join("\n")).toContain("--location=oc has no effect");
    expect((await run(account, { location: "weur" })).lines.join("\n")).not.toContain("has no effect");
    expect(account.database?.location).toBe("weur");
  });
});

it("the guide lists each location with the cloud region near which the Worker runs", () => {
  const guide = readFileSync(join(ROOT, "docs/deploy.md"), "utf8");
  const rows = [...guide.matchAll(/^\| `(\w+)` \| `(\w+:[\w-]+)` \|$/gm)].map(([, ...row]) => row);
  expect(rows).toEqual(Object.entries(REGIONS).map(([location, { placement }]) => [location, placement]));
  for (const [location, { name }] of Object.entries(REGIONS))
    expect(guide).toContain(`| \`${location}\` | ${name} |`);
});

describe("the Worker's placement", () => {
  test.each(LOCATIONS)("is near a database in %s", async (location) => {
    const account = emptyAccount();
    const { lines } = await run(account, { location });
    const { placement } = REGIONS[location];
    expect(placement).toMatch(/^(aws|azure|gcp):[a-z0-9-]+$/);
    expect(account.worker?.placement).toEqual({ region: placement });
    expect(lines.join("\n")).toContain(`near ${placement}`);
  });

  it("is near an existing database, whatever location is requested", async () => {
    const account = deployedAccount();
    if (account.database) account.database.location = "apac";
    await run(account, { location: "enam" });
    expect(account.worker?.placement).toEqual({ region: REGIONS.apac.placement });
  });

  it("is uploaded with the rest of wrangler.toml unchanged, and the temporary file is deleted afterwards", async () => {
    const root = repositoryWith((toml) => toml);
    const account = deployedAccount();
    const real = fakeWrangler(account);
    let config: Record<string, unknown> = {};
    const wrangler: Wrangler = (args) => {
      if (args[0] === "deploy" && args.includes("--config"))
        config = JSON.parse(readFileSync(args[args.indexOf("--config") + 1] ?? "", "utf8"));
      return real(args);
    };
    await run(account, { root, wrangler });
    expect(config).toMatchObject({ name: "engram", limits: { cpu_ms: 30_000 }, preview_urls: false });
    expect(config.placement).toEqual({ region: REGIONS.weur.placement });
    expect(readdirSync(root).sort()).toEqual(["migrations", "service", "wrangler.toml"]);
  });

  test.each([
    ["a region", 'region = "gcp:us-east4"'],
    ["a host", 'host = "db.example.com:5432"'],
    ["no placement", 'mode = "off"'],
    ["a hint", 'mode = "smart"\nhint = "wnam"'],
  ])("is that of wrangler.toml if it sets %s", async (_, placement) => {
    const root = repositoryWith((toml) => toml.replace('mode = "smart"', placement));
    const account = emptyAccount();
    const { lines } = await run(account, { root });
    expect(account.worker).not.toBeNull();
    expect(account.worker?.placement).toBeUndefined();
    expect(lines.join("\n")).toContain("placed as wrangler.toml says");
  });

  it("is left to Cloudflare if D1 reports an unknown region", async () => {
    const account = deployedAccount();
    if (account.database) account.database.location = "moon";
    const { error, lines } = await run(account);
    expect(error).toBeUndefined();
    expect(account.worker?.placement).toBeUndefined();
    expect(lines.join("\n")).toContain("placed by Cloudflare");
  });
});
