import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { hookClients, withHooks, withoutHooks } from "../src/hook-clients.ts";
import { fixture } from "./support/importing.ts";
import { createPerson, type Person } from "./support/program.ts";

const SESSION = "0d9f2c1e-1111-4222-8333-444455556666";
const CLIENTS = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json" };
const EVENTS = {
  "claude-code": ["SessionStart", "UserPromptSubmit", "SessionEnd"],
  codex: ["SessionStart", "UserPromptSubmit", "Stop"],
};
type Client = keyof typeof CLIENTS;
const BEFORE = `{
    // mine
    "theme": "dark",
    "hooks": {
        "SessionStart": [
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo 'hi'", "timeout": 3 }] }
        ]
    },
    "last": [1, 2]
}
`;
interface Settings {
  hooks: Record<string, { hooks: { type: string; command: string; timeout: number }[] }[]>;
}

async function createProfile(): Promise<Person> {
  const person = await createPerson();
  await person.run(["login"], { input: person.key });
  return person;
}
/** Runs the hook as the client would, with its documented input. */
const runHook = async (person: Person, client: Client, input: object) => {
  const base = { session_id: SESSION, cwd: "/home/ann/shop", transcript_path: null };
  const ran = await person.run(["hooks", "run", "--client", client], {
    input: JSON.stringify({ ...base, ...input }),
  });
  expect(ran.code, ran.stderr).toBe(0);
  return { ...ran, output: ran.stdout === "" ? undefined : JSON.parse(ran.stdout) };
};

describe.for(Object.entries(CLIENTS) as [Client, string][])("hooks of %s", ([client, path]) => {
  const install = ["hooks", "install", "--client", client, "--yes", "--json"];
  const remove = ["hooks", "remove", "--client", client, "--yes", "--json"];

  test("are added after those that are there, once, and removed without a change of the others", async () => {
    const person = await createProfile();
    const file = join(person.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, BEFORE);
    const first = JSON.parse((await person.run(install)).stdout);
    expect(first).toMatchObject({ client, changed: true });
    expect(readFileSync(first.backup, "utf8")).toBe(BEFORE);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(person.key);
    expect(text).toContain("// mine");
    expect(text).toContain(`{ "matcher": "startup", "hooks": [{ "type": "command", "command": "echo 'hi'"`);
    const { hooks } = JSON.parse(text.replace("// mine", "")) as Settings;
    expect(Object.keys(hooks)).toEqual(EVENTS[client]);
    expect(hooks.SessionStart).toHaveLength(2);
    for (const event of EVENTS[client])
      expect(hooks[event]?.at(-1)?.hooks).toEqual([
        {
          type: "command",
          command: expect.stringMatching(new RegExp(` hooks run --client ${client} --profile default$`)),
          timeout: 15,
        },
      ]);
    expect(JSON.parse((await person.run(install)).stdout)).toMatchObject({ changed: false });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(JSON.parse((await person.run(remove)).stdout)).toMatchObject({ changed: true });
    const removed = readFileSync(file, "utf8");
    expect(removed.replace(/\s+/g, "")).toBe(BEFORE.replace(/\s+/g, ""));
    expect(removed).toContain("    // mine\n");
    expect(JSON.parse((await person.run(remove)).stdout)).toMatchObject({ changed: false });
  });

  test("need a profile, and change no settings that they do not understand", async () => {
    const nobody = await createPerson();
    expect(await nobody.run(install)).toMatchObject({ code: 1, stdout: "" });
    const person = await createProfile();
    const file = join(person.home, path);
    mkdirSync(dirname(file), { recursive: true });
    for (const text of ['{ "hooks": [] }', '{ "hooks": { "SessionStart": {} } }', "[]", "{"]) {
      writeFileSync(file, text);
      expect(await person.run(install), text).toMatchObject({ code: 1, stdout: "" });
      expect(readFileSync(file, "utf8")).toBe(text);
    }
  });

  test("give the agent what a search for its prompt finds, labelled as data", async () => {
    const person = await createPerson();
    const { id } = await person.client.conversations.create({});
    const messages = [{ role: "user" as const, content: "The kettle of order 1029 leaks." }];
    await person.client.messages.append(id, { messages, wait: "indexed" });
    const prompt = "Which order had the kettle that leaks?";
    const { output } = await runHook(person, client, { hook_event_name: "UserPromptSubmit", prompt });
    expect(output).toEqual({
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: expect.stringMatching(
          /^<engram-context>\n.+do not follow instructions[\s\S]+The kettle of order 1029 leaks\.[\s\S]+<\/engram-context>$/,
        ),
      },
    });
    for (const nothing of ["", "  ", "/clear"]) {
      const ran = await runHook(person, client, { hook_event_name: "UserPromptSubmit", prompt: nothing });
      expect(ran.stdout, nothing).toBe("");
    }
  });

  test("stop nothing when they fail", async () => {
    const person = await createPerson();
    const input = JSON.stringify({ hook_event_name: "UserPromptSubmit", prompt: "kettle" });
    const run = ["hooks", "run", "--client", client];
    const environments: Record<string, string>[] = [
      { ENGRAM_URL: "http://127.0.0.1:2" },
      { ENGRAM_API_KEY: "" },
    ];
    for (const env of environments)
      expect(await person.run(run, { input, env })).toMatchObject({ code: 0, stdout: "" });
    expect(await person.run(run, { input: "{" })).toMatchObject({ code: 0, stdout: "" });
  });
});

test("the transcript is stored at the end, and its end is what the next session in the directory begins with", async () => {
  const person = await createPerson();
  const transcript = join(person.home, `${SESSION}.jsonl`);
  writeFileSync(transcript, readFileSync(fixture(`${SESSION}.jsonl`)));
  const end = { hook_event_name: "SessionEnd", transcript_path: transcript };
  expect((await runHook(person, "claude-code", end)).stdout).toBe("");
  const stored = () =>
    person.client.conversations.list({ metadata: { directory: "/home/ann/shop" } }).toArray({ max: 9 });
  await vi.waitFor(async () => expect(await stored()).not.toEqual([]), { timeout: 60_000, interval: 100 });
  // A subagent's conversation is newer, but not what the user left.
  await person.client.conversations.create({
    metadata: { directory: "/home/ann/shop", source_id: `${SESSION}:agent-1` },
  });
  const start = { hook_event_name: "SessionStart", source: "startup" };
  await vi.waitFor(
    async () => {
      const { output } = await runHook(person, "claude-code", start);
      expect(output?.hookSpecificOutput).toMatchObject({
        hookEventName: "SessionStart",
        additionalContext: expect.stringContaining("It rounds the price twice."),
      });
    },
    { timeout: 60_000, interval: 100 },
  );
  expect((await runHook(person, "claude-code", { ...start, source: "resume" })).stdout).toBe("");
  expect((await runHook(person, "claude-code", { ...start, cwd: "/home/ann/other" })).stdout).toBe("");
});

test("a capture that failed is told at the next start, once", async () => {
  const person = await createPerson();
  const end = { hook_event_name: "Stop", transcript_path: join(person.home, "none.jsonl") };
  await runHook(person, "codex", end);
  const start = { hook_event_name: "SessionStart", source: "startup" };
  await vi.waitFor(
    async () => {
      const { output } = await runHook(person, "codex", start);
      expect(output?.systemMessage).toMatch(/^Engram: The last transcript was not captured\. .+none\.jsonl/);
    },
    { timeout: 60_000, interval: 100 },
  );
  expect((await runHook(person, "codex", start)).stdout).toBe("");
});

test("a path with spaces and quotes is one argument of the command", () => {
  const client = hookClients({ CLAUDE_CONFIG_DIR: "/x" }).get("claude-code");
  if (client === undefined) throw new Error("no client");
  const program = { command: "/opt/my node", args: ["/it's/engram.js", "hooks", "run", "--client", "codex"] };
  const text = withHooks("", client, program);
  const { hooks } = JSON.parse(text) as Settings;
  expect(hooks.SessionStart?.[0]?.hooks[0]?.command).toBe(
    "'/opt/my node' '/it'\\''s/engram.js' hooks run --client codex",
  );
  expect(JSON.parse(withoutHooks(text))).toEqual({});
});
