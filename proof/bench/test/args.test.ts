import { describe, expect, test } from "vitest";
import { UsageError } from "../src/command/options.ts";
import { readArgs } from "../src/recall/args.ts";

const read = (...argv: string[]) => readArgs(argv, "/home/ada");

describe("arguments of bench:recall", () => {
  test("both scopes in hybrid mode on a service of our own, when nothing else is said", () => {
    expect(read("--data", "locomo")).toEqual({
      set: "locomo",
      dataPath: "/home/ada/locomo",
      half: undefined,
      scopes: ["own", "shared"],
      modes: ["hybrid"],
      jsonFile: undefined,
      floorsFile: undefined,
      remote: undefined,
    });
  });

  test("our own chats in place of a folder", () => {
    expect(read("--set", "chats", "--half", "dev")).toMatchObject({ dataPath: undefined, half: "dev" });
    expect(read("--data", "beam.json.gz")).toMatchObject({
      set: "transcripts",
      dataPath: "/home/ada/beam.json.gz",
    });
    expect(read("--set", "chats", "--floors", "floors.json").floorsFile).toBe("/home/ada/floors.json");
  });

  test("our own notes, which are one organization's", () => {
    expect(read("--set", "notes")).toMatchObject({ set: "notes", scopes: ["shared"] });
    expect(read("--set", "notes", "--scope", "shared").scopes).toEqual(["shared"]);
    expect(() => read("--set", "notes", "--scope", "own")).toThrow(UsageError);
  });

  test("baselines are the two plain modes, none of them asked twice", () => {
    expect(read("--data", "/d", "--baselines").modes).toEqual(["hybrid", "semantic", "keyword"]);
    expect(read("--data", "/d", "--baselines", "--mode", "keyword").modes).toEqual(["keyword", "semantic"]);
  });

  test("a running service, with an admin token or with a key for one organization", () => {
    const running = ["--data", "/d", "--json", "out.json", "--url", "http://localhost:26366"];
    expect(read(...running, "--admin-token", "t")).toMatchObject({
      jsonFile: "/home/ada/out.json",
      remote: { url: "http://localhost:26366", adminToken: "t", key: undefined },
    });
    expect(read(...running, "--key", "k", "--scope", "shared")).toMatchObject({ remote: { key: "k" } });
  });

  test.for([
    ["nothing to measure with", []],
    ["two things to measure with", ["--data", "/d", "--set", "chats"]],
    ["an unknown set", ["--set", "locomo"]],
    ["an unknown half", ["--set", "chats", "--half", "test"]],
    ["floors of half of the questions", ["--set", "chats", "--floors", "f.json", "--half", "dev"]],
    ["floors of another mode", ["--set", "chats", "--floors", "f.json", "--mode", "keyword"]],
    ["an unknown option", ["--data", "/d", "--speed"]],
    ["a value left out", ["--data"]],
    ["a stray word", ["--data", "/d", "locomo"]],
    ["an unknown scope", ["--data", "/d", "--scope", "mine"]],
    ["an unknown mode", ["--data", "/d", "--mode", "fast"]],
    ["a key without a service", ["--data", "/d", "--key", "k"]],
    ["an address that is none", ["--data", "/d", "--url", "localhost", "--key", "k"]],
    ["a service without any secret", ["--data", "/d", "--url", "http://h"]],
    ["own organizations without the admin token", ["--data", "/d", "--url", "http://h", "--key", "k"]],
  ] as const)("are refused: %s", ([, argv]) => {
    expect(() => read(...argv)).toThrow(UsageError);
  });
});
