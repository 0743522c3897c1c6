import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRepository, toRepository, whileOriginWritten } from "../origin.mjs";

const ROOT = join(import.meta.dirname, "../..");
const PACKAGES = ["sdk", "cli", "local", "sentences"];

test.for([
  ["https://github.com/someone/engram.git"],
  ["https://github.com/someone/engram"],
  ["https://token@github.com/someone/engram.git\n"],
  ["git@github.com:someone/engram.git"],
  ["ssh://git@github.com/someone/engram.git"],
  ["ssh://git@github.com:22/someone/engram"],
])("the remote %j names its repository, without what is secret", ([remote]) => {
  expect(toRepository(remote)).toBe("https://github.com/someone/engram");
});

test.for(["/srv/engram.git", "../engram", "file:///srv/someone/engram", ""])(
  "the remote %j names none",
  (remote) => {
    expect(toRepository(remote)).toBeUndefined();
  },
);

test("the repository of a workflow is the one that runs it", () => {
  expect(findRepository(ROOT, { GITHUB_REPOSITORY: "someone/engram" })).toBe(
    "https://github.com/someone/engram",
  );
  expect(findRepository(ROOT, { GITHUB_REPOSITORY: "a/b", GITHUB_SERVER_URL: "https://git.example" })).toBe(
    "https://git.example/a/b",
  );
});

test("the packages name no repository, but while they are released, and are then as before", async () => {
  const root = mkdtempSync(join(tmpdir(), "engram-origin-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const read = (base, name) => readFileSync(join(base, name, "package.json"), "utf8");
  for (const name of PACKAGES) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, "package.json"), read(ROOT, name));
    expect(JSON.parse(read(ROOT, name))).not.toHaveProperty("repository");
    expect(JSON.parse(read(ROOT, name))).not.toHaveProperty("bugs");
  }
  const released = () => PACKAGES.map((name) => JSON.parse(read(root, name)));
  const manifests = await whileOriginWritten(root, PACKAGES, "https://github.com/someone/engram", released);
  for (const [i, name] of PACKAGES.entries()) {
    expect(manifests[i]).toEqual({
      ...JSON.parse(read(ROOT, name)),
      bugs: "https://github.com/someone/engram/issues",
      repository: { type: "git", url: "git+https://github.com/someone/engram.git", directory: name },
    });
    expect(read(root, name)).toBe(read(ROOT, name));
  }
  await expect(
    whileOriginWritten(root, PACKAGES, "https://github.com/a/b", () => Promise.reject(new Error("no"))),
  ).rejects.toThrow("no");
  for (const name of PACKAGES) expect(read(root, name)).toBe(read(ROOT, name));
});
