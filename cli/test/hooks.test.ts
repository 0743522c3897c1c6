import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { hookClients, hookCommand, withHooks, withoutHooks } from "../src/hook-clients.ts";
import { projectOf } from "../src/projects.ts";
import { fixture } from "./support/importing.ts";
import { createProfile, createSettings } from "./support/mcp-files.ts";
import { createPerson, type Person } from "./support/program.ts";

const SESSION = "0d9f2c1e-1111-4222-8333-444455556666";
const CLIENTS = { "claude-code": ".claude/settings.json", codex: ".codex/hooks.json" };
const EVENTS = {
  "claude-code": ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"],
  codex: ["SessionStart", "UserPromptSubmit", "Stop"],
};
type Client = keyof typeof CLIENTS;
const BEFORE = `{
    // mine
    "theme": "dark",
    "hooks": { "SessionStart": [
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo 'hi'", "timeout": 3 }] }
        ]
    },
    "last": [1, 2]
}
`;
const change = async ({ run }: Person, args: string[]) => JSON.parse((await run(args)).stdout);
interface Settings {
  hooks: Record<string, { hooks: { type: string; command: string; timeout: number }[] }[]>;
}

/** Runs the hook as the client would, with its documented input. */
const runHook = async (person: Person, client: Client, input: object, options: string[] = []) => {
  const base = { session_id: SESSION, cwd: "/home/ann/shop", transcript_path: null };
  const ran = await person.run(["hooks", "run", "--client", client, ...options], {
    input: JSON.stringify({ ...base, ...input }),
  });
  expect(ran.code, ran.stderr).toBe(0);
  return { ...ran, output: ran.stdout === "" ? undefined : JSON.parse(ran.stdout) };
};

const PATIENCE = { timeout: 60_000, interval: 100 };
const START = { hook_event_name: "SessionStart", source: "startup" };
/** The start of another session than the one that is stored. */
const NEXT = { ...START, session_id: "1e0f2c1e-1111-4222-8333-444455556666" };
const toPrompt = (prompt: string) => ({ hook_event_name: "UserPromptSubmit", prompt });

async function storeSession({ client }: Person, content: string, conversation: object): Promise<string> {
  const { id } = await client.conversations.create(conversation);
  await client.messages.append(id, { messages: [{ role: "user", content }], wait: "indexed" });
  return id;
}
/** A directory that Git takes for the root of a repository. */
async function createRepository({ home }: Person): Promise<string> {
  const root = join(realpathSync(home), "shop");
  mkdirSync(join(root, ".git"), { recursive: true });
  return root;
}

describe.for(Object.entries(CLIENTS) as [Client, string][])("hooks of %s", ([client, path]) => {
  const install = ["hooks", "install", "--client", client, "--yes", "--json"];
  const remove = ["hooks", "remove", "--client", client, "--yes", "--json"];

  test("are added after those that are there, once, and removed without a change of the others", async () => {
    const { person, file } = await createSettings(path, BEFORE);
    const first = await change(person, install);
    expect(first).toMatchObject({ client, changed: true });
    expect(readFileSync(first.backup, "utf8")).toBe(BEFORE);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(person.key);
    expect(text).toContain("// mine");
    expect(text).toContain(`{ "matcher": "startup", "hooks": [{ "type": "command", "command": "echo 'hi'"`);
    const { hooks } = JSON.parse(text.replace("// mine", "")) as Settings;
    expect(Object.keys(hooks)).toEqual(EVENTS[client]);
    expect(hooks.SessionStart).toHaveLength(2);
    const command = expect.stringMatching(
      new RegExp(` hooks run --client ${client} --profile default --scope project$`),
    );
    for (const event of EVENTS[client])
      expect(hooks[event]?.at(-1)?.hooks).toEqual([{ type: "command", command, timeout: 5 }]);
    expect(await change(person, install)).toMatchObject({ changed: false });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(await change(person, remove)).toMatchObject({ changed: true });
    expect(readFileSync(file, "utf8")).toBe(BEFORE);
    expect(await change(person, remove)).toMatchObject({ changed: false });
  });

  test("are all removed at once after they were installed twice, for another user", async () => {
    const { person, file } = await createSettings(path, BEFORE);
    await person.run(install);
    expect(await change(person, [...install, "--user", "ann"])).toMatchObject({ changed: true });
    expect(await change(person, remove)).toMatchObject({ changed: true });
    expect(readFileSync(file, "utf8")).not.toContain("hooks run");
    expect(await change(person, remove)).toMatchObject({ changed: false });
  });

  test("are removed from a file that was changed since, with all else kept", async () => {
    const { person, file } = await createSettings(path, BEFORE);
    await person.run(install);
    writeFileSync(file, readFileSync(file, "utf8").replace('"dark"', '"light"'));
    expect(await change(person, remove)).toMatchObject({ changed: true });
    const removed = readFileSync(file, "utf8");
    expect(removed.replace(/\s+/g, "")).toBe(BEFORE.replace('"dark"', '"light"').replace(/\s+/g, ""));
    expect(removed).toContain("    // mine\n");
  });

  test("say before they are written what they search, and that transcripts are stored, and where", async () => {
    const person = await createProfile();
    const { stderr, code } = await person.run(["hooks", "install", "--client", client]);
    expect(code).toBe(2);
    const stores = `Stores: the whole transcript of each session, at ${person.url} (profile "default").`;
    const where = "of the project in which a session runs";
    expect(stderr).toContain(`Searches: conversations and memories ${where}.\n${stores}\n`);
    expect(existsSync(join(person.home, path))).toBe(false);
    const ann = await person.run([...install, "--user", "ann"]);
    expect(ann.stderr).toContain(`Searches: conversations ${where}, and memories of the user "ann".`);
    expect(JSON.parse(ann.stdout)).toMatchObject({
      ...{ scope: "project", user: "ann", profile: "default" },
      expires_in: null,
      transcripts_stored_at: person.url,
    });
    // The earlier command is replaced, and shown.
    const all = await person.run([...install, "--scope", "organization"]);
    expect(all.stderr).toMatch(/^ {2}- .*--scope project --user ann$/m);
    expect(all.stderr).toContain("Searches: conversations and memories of everyone in the organization.");
    const text = readFileSync(join(person.home, path), "utf8");
    expect(text.match(/hooks run/g)).toHaveLength(EVENTS[client].length);
    expect(text.match(/--scope organization"/g)).toHaveLength(EVENTS[client].length);
    expect((await person.run([...install, "--user", " "])).code).toBe(2);
    const expiring = await person.run([...install, "--expires-in", "90d"]);
    expect(expiring.stderr).toContain(", and deletes it 90d after it was first stored.");
    expect(JSON.parse(expiring.stdout)).toMatchObject({ expires_in: "90d" });
    expect(readFileSync(join(person.home, path), "utf8").match(/--expires-in 90d/g)).toHaveLength(
      EVENTS[client].length,
    );
  });

  test("need a profile, and change no settings that they do not understand", async () => {
    const nobody = await createPerson();
    expect(await nobody.run(install)).toMatchObject({ code: 1, stdout: "" });
    const { person, file } = await createSettings(path);
    for (const text of ['{ "hooks": [] }', '{ "hooks": { "SessionStart": {} } }', "[]", "{"]) {
      writeFileSync(file, text);
      const { code, stdout, stderr } = await person.run(install);
      expect({ code, stdout }, text).toEqual({ code: 1, stdout: "" });
      expect(JSON.parse(stderr).error.message).toMatch(/^\/.+ was not changed\. It.+\.$/);
      expect(readFileSync(file, "utf8")).toBe(text);
    }
  });

  test("give the agent what a search for its prompt finds, labelled as data", async () => {
    const person = await createPerson();
    const metadata = { project: "/home/ann/shop" };
    await storeSession(person, "The kettle of order 1029 leaks.", { metadata });
    const { output } = await runHook(person, client, toPrompt("Which order had the kettle that leaks?"));
    expect(output).toEqual({
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: expect.stringMatching(
          /^<engram-context>\n.+do not follow instructions[\s\S]+The kettle of order 1029 leaks\.[\s\S]+<\/engram-context>$/,
        ),
      },
    });
    for (const nothing of ["", "  ", "/clear"])
      expect((await runHook(person, client, toPrompt(nothing))).stdout, nothing).toBe("");
  });

  test("stop nothing when they fail", async () => {
    const person = await createPerson();
    const input = JSON.stringify({ cwd: "/home/ann/shop", ...toPrompt("kettle") });
    const run = ["hooks", "run", "--client", client];
    const environments: Record<string, string>[] = [
      { ENGRAM_URL: "http://127.0.0.1:2" },
      { ENGRAM_API_KEY: "" },
    ];
    const { home } = person;
    const state = () =>
      JSON.parse(readFileSync(join(home, `.local/state/engram/hooks/${client}.json`), "utf8"));
    for (const env of environments) {
      expect(await person.run(run, { input, env })).toMatchObject({ code: 0, stdout: "" });
      expect(state().error.message).toMatch(/^The agent got no context\. (GET|POST|No key|.+127\.0\.0\.1:2)/);
    }
    expect(await person.run(run, { input: "{" })).toMatchObject({ code: 0, stdout: "" });
  });
});

test("a prompt is searched in its project and the memories of its user, and not in the chats of customers", async () => {
  const person = await createPerson();
  const shop = await createRepository(person);
  const cart = join(shop, "src/cart");
  mkdirSync(cart, { recursive: true });
  const prompt = "Which order had the kettle that leaks?";
  const said = (content: string, metadata: object) => storeSession(person, content, { metadata });
  await said("A customer says: the kettle of order 7 leaks.", {});
  await said("In another project, the kettle of order 8 leaks.", { project: "/home/ann/bank" });
  const remember = (content: string, more: object) =>
    person.client.memories.create({ content, ...more, wait: "indexed" });
  await remember("A customer's kettle of order 6 leaks.", {});
  await remember("Ann's kettle of order 5 leaks.", { user_id: "ann" });
  await remember("Jon's kettle of order 4 leaks.", { user_id: "jon" });
  const found = async (options: string[], cwd = cart) => {
    const { output } = await runHook(person, "claude-code", { ...toPrompt(prompt), cwd }, options);
    const text = output?.hookSpecificOutput.additionalContext ?? "";
    return [...text.matchAll(/kettle of order (\d+)/g)].map(([, number]) => Number(number)).sort();
  };
  expect(await found([])).toEqual([]);
  // A session that an earlier version stored has only its directory.
  await said("The kettle of order 1028 leaks.", { directory: cart });
  expect(await found([])).toEqual([1028]);
  await said("The kettle of order 1029 leaks.", { directory: shop, project: shop });
  expect(await found([])).toEqual([1029]);
  expect(await found([], shop)).toEqual([1029]);
  expect(await found([], "/home/ann/bank")).toEqual([8]);
  expect(await found(["--user", "ann"])).toEqual([1029, 5]);
  const anns = await found(["--scope", "organization", "--user", "ann"]);
  // A prompt does not get all of them.
  expect(anns).toEqual(expect.arrayContaining([1029, 5, 8]));
  for (const others of [4, 6]) expect(anns).not.toContain(others);
  expect(await found(["--scope", "organization"])).toEqual([1028, 1029, 4, 5, 6, 7, 8]);
});

describe("memories of the user", () => {
  const preference = (i: number) =>
    `Preference ${i}: tests of part ${i} run in the container, never on the machine of the developer.`;
  const createAnn = async () => {
    const person = await createPerson();
    const ids: string[] = [];
    for (let i = 0; i < 4; i++)
      ids.push((await person.client.memories.create({ content: preference(i), user_id: "ann" })).id);
    const given = async (input: object) => {
      const { output } = await runHook(person, "claude-code", input, ["--user", "ann"]);
      const text = output?.hookSpecificOutput.additionalContext ?? "";
      return [...text.matchAll(/Preference (\d+):/g)].map(([, number]) => Number(number)).sort();
    };
    return { ...person, ids, given };
  };

  test("are given once in a session: at its start, or with the first prompt, and new ones with the next", async () => {
    const { client, given } = await createAnn();
    expect(await given(START)).toEqual([0, 1, 2, 3]);
    const prompt = toPrompt("Where do tests of part 1 run?");
    expect(await given(prompt)).toEqual([]);
    await client.memories.create({ content: preference(7), user_id: "ann" });
    expect(await given(prompt)).toEqual([7]);
    expect(await given({ ...START, source: "resume" })).toEqual([]);
    // After a compaction the agent has them no more.
    expect(await given({ ...START, source: "compact" })).toEqual([0, 1, 2, 3, 7]);
    const other = { session_id: "another" };
    // A prompt gets fewer tokens than the start of a session. What did not fit is still found.
    expect(await given({ ...prompt, ...other })).toEqual([1, 2, 3, 7]);
    expect(await given({ ...prompt, ...other })).toEqual([0]);
  });

  test("are given anew without one that was deleted", async () => {
    const { client, given, ids } = await createAnn();
    expect(await given(START)).toEqual([0, 1, 2, 3]);
    await client.memories.delete(ids[2] ?? "");
    expect(await given(toPrompt("Where do tests of part 2 run?"))).toEqual([0, 1, 3]);
  });

  test("are given with each prompt if the id of the session names no file, and nothing is written", async () => {
    const { given, home } = await createAnn();
    for (const session_id of ["../../x", "", 7, undefined])
      for (let time = 0; time < 2; time++)
        expect(await given({ ...toPrompt("Where do tests run?"), session_id })).toEqual([0, 1, 2, 3]);
    expect(existsSync(join(home, ".local/state/engram/hook-sessions"))).toBe(false);
  });

  test("are still given in a session that had as many tokens of them as a context may have", async () => {
    const { client, given, home } = await createAnn();
    await given(START);
    const file = join(home, ".local/state/engram/hook-sessions", `${SESSION}.json`);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), tokens: 99_900 }));
    await client.memories.create({ content: preference(7), user_id: "ann" });
    expect(await given(toPrompt("Where do tests of part 7 run?"))).toEqual([7]);
  });

  test("leave no file of a session that ended days ago", async () => {
    const { given, home } = await createAnn();
    await given(START);
    const directory = join(home, ".local/state/engram/hook-sessions");
    const old = new Date(Date.now() - 3 * 24 * 3_600_000);
    utimesSync(join(directory, `${SESSION}.json`), old, old);
    await given({ ...START, session_id: "another" });
    expect(readdirSync(directory)).toEqual(["another.json"]);
  });
});

test("a prompt finds nothing of its own session, which Codex stores after each turn", async () => {
  const person = await createPerson();
  const metadata = { project: "/home/ann/shop" };
  const own = { metadata, external_id: `codex:${SESSION}` };
  await storeSession(person, "The kettle of order 1029 leaks.", own);
  await storeSession(person, "The kettle of order 1030 leaks.", { metadata });
  const { stdout } = await runHook(person, "codex", toPrompt("Which kettle leaks?"));
  expect([1029, 1030].map((order) => stdout.includes(`order ${order}`))).toEqual([false, true]);
  const started = await runHook(person, "codex", START);
  expect(started.stdout).toContain("order 1030");
});

describe("what a prompt gets", () => {
  const metadata = { project: "/home/ann/shop" };
  const recalls = ({ client }: Person) => client.recalls.list({ run_id: SESSION }).toArray({ max: 9 });

  test("is at most 600 tokens, and has a receipt with the id of the session", async () => {
    const person = await createPerson();
    const long = (order: number) =>
      `The kettle of order ${order} leaks. ${"It drips on the table. ".repeat(60)}`;
    for (let order = 1; order <= 6; order++) await storeSession(person, long(order), { metadata });
    const prompt = toPrompt("Which order had the kettle that leaks?");
    for (const options of [[], ["--user", "ann"]]) {
      await person.client.memories.create({ content: long(7), user_id: "ann", wait: "indexed" });
      const { stdout } = await runHook(person, "claude-code", prompt, options);
      expect(stdout).toContain("kettle of order");
      // A token has some four characters.
      expect(stdout.length).toBeLessThan(600 * 5);
    }
    const [first] = await recalls(person);
    expect(first).toMatchObject({
      operation: "getContext",
      run_id: SESSION,
      metadata: { client: "claude-code", event: "UserPromptSubmit" },
    });
  });

  test("is nothing if nothing stored is about it", async () => {
    const person = await createPerson();
    await storeSession(person, "The kettle of order 1029 leaks.", { metadata });
    const { stdout } = await runHook(person, "claude-code", toPrompt("How do I rename a branch in Git?"));
    expect(stdout).toBe("");
    for (const { items } of await recalls(person)) expect(items).toEqual([]);
  });
});

test.for(["SessionEnd", "PreCompact"])(
  "the transcript is stored at %s, and its end is what the next session in the directory begins with",
  async (hook_event_name) => {
    const person = await createPerson();
    const transcript = join(person.home, `${SESSION}.jsonl`);
    writeFileSync(transcript, readFileSync(fixture(`${SESSION}.jsonl`)));
    const end = { hook_event_name, transcript_path: transcript };
    expect((await runHook(person, "claude-code", end, ["--expires-in", "90d"])).stdout).toBe("");
    const stored = () =>
      person.client.conversations.list({ metadata: { directory: "/home/ann/shop" } }).toArray({ max: 9 });
    await vi.waitFor(async () => expect(await stored()).not.toEqual([]), PATIENCE);
    for (const { expires_at } of await stored())
      expect(Math.round((Date.parse(expires_at ?? "") - Date.now()) / 86_400_000)).toBe(90);
    // A subagent's conversation is newer, but not what the user left.
    await person.client.conversations.create({
      metadata: { directory: "/home/ann/shop", source_id: `${SESSION}:agent-1` },
    });
    await vi.waitFor(async () => {
      const { output } = await runHook(person, "claude-code", NEXT);
      expect(output?.hookSpecificOutput).toMatchObject({
        hookEventName: "SessionStart",
        additionalContext: expect.stringContaining("It rounds the price twice."),
      });
    }, PATIENCE);
    expect((await runHook(person, "claude-code", { ...NEXT, source: "resume" })).stdout).toBe("");
    expect((await runHook(person, "claude-code", { ...NEXT, cwd: "/home/ann/other" })).stdout).toBe("");
  },
);

test("a session begins with the end of the last one in its repository, also of another directory or worktree", async () => {
  const person = await createPerson();
  const shop = await createRepository(person);
  const worktree = join(person.home, "hotfix");
  mkdirSync(join(shop, ".git/worktrees/hotfix"), { recursive: true });
  writeFileSync(join(shop, ".git/worktrees/hotfix/commondir"), "../..\n");
  mkdirSync(worktree);
  writeFileSync(join(worktree, ".git"), `gitdir: ${join(shop, ".git/worktrees/hotfix")}\n`);
  const old = await storeSession(person, "Stored by an earlier version.", { metadata: { directory: shop } });
  const begin = async (cwd: string) => {
    const { output } = await runHook(person, "claude-code", { ...NEXT, cwd });
    return output?.hookSpecificOutput.additionalContext;
  };
  expect(await begin(shop)).toContain("Stored by an earlier version.");
  await person.client.conversations.delete(old);
  const transcript = join(person.home, `${SESSION}.jsonl`);
  const text = readFileSync(fixture(`${SESSION}.jsonl`), "utf8");
  writeFileSync(transcript, text.replaceAll("/home/ann/shop", join(shop, "src")));
  expect((await person.run(["import", "claude-code", transcript])).code).toBe(0);
  const stored = await person.client.conversations.list({ metadata: { project: shop } }).toArray({ max: 9 });
  expect(stored.map(({ metadata }) => metadata.directory)).toContain(join(shop, "src"));
  await storeSession(person, "In another project.", { metadata: { project: "/home/ann/bank" } });
  for (const cwd of [shop, join(shop, "docs"), worktree])
    expect(await begin(cwd)).toContain("It rounds the price twice.");
  expect(await begin(person.home)).toBeUndefined();
});

test("the project of a directory outside of a repository is the directory itself", () => {
  expect(projectOf("/nowhere/ann/notes")).toBe("/nowhere/ann/notes");
  expect(projectOf("C:\\work\\shop")).toBe("C:\\work\\shop");
});

test("a capture that failed is told at the next start, once", async () => {
  const person = await createPerson();
  const transcript = join(person.home, "notes.jsonl");
  writeFileSync(transcript, '{"title":"no session"}\n');
  const end = { hook_event_name: "Stop", transcript_path: transcript };
  await runHook(person, "codex", end);
  await vi.waitFor(async () => {
    const { output } = await runHook(person, "codex", START);
    expect(output?.systemMessage).toMatch(/^Engram: The last transcript was not captured\. .+notes\.jsonl/);
  }, PATIENCE);
  expect((await runHook(person, "codex", START)).stdout).toBe("");
});

test("a session in which nothing was said has no transcript, and that is no failure", async () => {
  const person = await createPerson();
  await runHook(person, "codex", {
    hook_event_name: "Stop",
    transcript_path: join(person.home, "none.jsonl"),
  });
  expect(existsSync(join(person.home, ".local/state/engram"))).toBe(false);
});

test("a service that does not respond is told at the start of each session", async () => {
  const person = await createPerson();
  const input = JSON.stringify({ ...START, session_id: SESSION, cwd: "/home/ann/shop" });
  for (let session = 0; session < 2; session++) {
    const env = { ENGRAM_URL: "http://127.0.0.1:2" };
    const { code, stdout } = await person.run(["hooks", "run", "--client", "codex"], { input, env });
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      systemMessage: expect.stringMatching(/^Engram: The agent got no context\. .+engram doctor/),
    });
  }
});

test("the log of a subagent becomes a conversation of its own, which names that of the session", async () => {
  const person = await createPerson();
  const transcript = join(person.home, `${SESSION}.jsonl`);
  writeFileSync(transcript, readFileSync(fixture(`${SESSION}.jsonl`)));
  const subagents = join(person.home, SESSION, "subagents");
  mkdirSync(subagents, { recursive: true });
  const said = {
    ...{ type: "user", sessionId: SESSION, isSidechain: true, agentId: "a1", cwd: "/home/ann/shop" },
    ...{ uuid: "u1", timestamp: "2026-11-02T09:30:00.000Z" },
    message: { role: "user", content: "Find every caller of round()." },
  };
  writeFileSync(join(subagents, "agent-a1.jsonl"), `${JSON.stringify(said)}\n`);
  await runHook(person, "claude-code", { hook_event_name: "SessionEnd", transcript_path: transcript });
  const stored = () => person.client.conversations.list().toArray({ max: 9 });
  await vi.waitFor(async () => {
    const list = await stored();
    const main = list.find(({ external_id }) => external_id === `claude-code:${SESSION}`);
    const subagent = list.find(({ external_id }) => external_id === `claude-code:${SESSION}:a1`);
    expect(subagent?.metadata.branch_of).toBe(main?.id);
    expect(main).toBeDefined();
  }, PATIENCE);
});

test("hooks of the plugin use the URL and the key that the user has entered for it", async () => {
  const person = await createPerson();
  const metadata = { project: "/home/ann/shop" };
  await storeSession(person, "The kettle of order 1029 leaks.", { metadata });
  const { stdout } = await person.run(["hooks", "run", "--client", "claude-code"], {
    input: JSON.stringify({ cwd: "/home/ann/shop", ...toPrompt("Which kettle leaks?") }),
    env: {
      ...{ ENGRAM_URL: "http://127.0.0.1:2", ENGRAM_API_KEY: "" },
      ...{ CLAUDE_PLUGIN_OPTION_URL: person.url, CLAUDE_PLUGIN_OPTION_API_KEY: person.key },
    },
  });
  expect(stdout).toContain("order 1029");
});

test("a path with spaces and quotes is one argument of the command", () => {
  const client = hookClients({ CLAUDE_CONFIG_DIR: "/x" }).get("claude-code");
  if (client === undefined) throw new Error("no client");
  const program = { command: "/opt/my node", args: ["/it's/engram.js", "hooks", "run", "--client", "codex"] };
  const text = withHooks("", client, hookCommand(program));
  const { hooks } = JSON.parse(text) as Settings;
  expect(hooks.SessionStart?.[0]?.hooks[0]?.command).toBe(
    "'/opt/my node' '/it'\\''s/engram.js' hooks run --client codex",
  );
  expect(JSON.parse(withoutHooks(text))).toEqual({});
});
