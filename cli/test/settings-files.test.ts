import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as readJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, onTestFinished, test } from "vitest";
import { sample } from "../../proof/support/scale.ts";
import { withoutValue, withValue } from "../src/json-edits.ts";
import { planInstallation, writeChange } from "../src/settings-files.ts";
import { before, createProfile, createSettings, FILES } from "./support/mcp-files.ts";
import type { Person } from "./support/program.ts";

/** Files that are unusual but valid, and what the file has besides Engram. */
const UNUSUAL: Record<string, string[]> = {
  json: [
    "",
    " \n\n",
    "{}",
    '{"KEY":null,"theme":"dark"}\n',
    '{ "KEY": {} }',
    '{\r\n\t"theme": "dark", // at night\r\n\t"KEY": {\r\n\t\t"other": { "command": "x" }, // mine\r\n\t},\r\n}\r\n',
    '{ "KEY": {\n  "other": { "command": "x" } // mine\n} /* theirs */ }\n',
    '{ "theme": [1], /* at night */ "other": 1 // mine\n}\n',
    '/* all */ { "KEY": { "engramx": {} } } // end',
  ],
  toml: [
    "",
    "# only a comment",
    'model = "x"',
    'model = "x" # mine\r\n\r\n[mcp_servers.other]\r\ncommand = "o"\r\n\r\n[tui]\r\na = 1\r\n',
    'mcp_servers = { other = { command = "o" } } # mine\nz = 1\n',
    "mcp_servers = {}\nz = 1\n",
    'mcp_servers.other.command = "o" # mine\n\n[tui]\na = 1\n',
    '[mcp_servers]\nother = { command = "o" } # mine\n\n[tui]\na = 1\n',
    's = """\n[mcp_servers.engram]\n"""\nbig = 9223372036854775807\nat = 1979-05-27T07:32:00-07:00\n[[hooks]]\na = 1\n',
  ],
};
const unusual = (client: string): string[] =>
  client === "codex"
    ? (UNUSUAL.toml as string[])
    : (UNUSUAL.json as string[]).map((text) =>
        text.replace("KEY", client === "vscode" ? "servers" : "mcpServers"),
      );

/** Whether nothing but insertions makes `after` of `before`, apart from white space at its end. */
function isWithin(before: string, after: string): boolean {
  let at = 0;
  for (const character of after) if (character === before.trimEnd()[at]) at += 1;
  return at === before.trimEnd().length;
}

/** Files that cannot be changed, and the reason. */
const REFUSED: Record<string, [text: string | Buffer, reason: RegExp][]> = {
  json: [
    ["[]", /It does not contain a JSON object\.$/],
    ['{ "KEY": [] }', /Its `KEY` is not an object\.$/],
    ['{ "KEY": "x" }', /Its `KEY` is not an object\.$/],
    ['{\n  "a": 1,\n  [', /It is not valid JSON: \w+ at line 3, column 3\.$/],
    ['{ "KEY": {}, "KEY": {} }', /Its `KEY` occurs twice\.$/],
    [Buffer.from('\ufeff{ "KEY": {} }', "utf16le"), /It is not text in UTF-8\.$/],
  ],
  toml: [
    ["a = 1\n[ broken", /It is not valid TOML: line 2: .+\.$/],
    ["mcp_servers = [1]\n", /Its `mcp_servers` is not a table\.$/],
    ['mcp_servers = "x"\n', /Its `mcp_servers` is not a table\.$/],
    [Buffer.from("a = 1\n", "utf16le"), /\.$/],
  ],
};

describe.for(sample(Object.entries(FILES), 2))("settings of %s that are unusual", ([client, path]) => {
  const key = client === "vscode" ? "servers" : "mcpServers";
  const install = ["mcp", "install", "--client", client, "--yes", "--json"];
  const remove = ["mcp", "remove", "--client", client, "--yes", "--json"];
  const change = async ({ run }: Person, args: string[]) => JSON.parse((await run(args)).stdout);
  /** The settings of a client as a program reads them that keeps nothing but values. */
  const valuesOf = (text: string) => {
    const plain = text.replace(/^\ufeff/, "");
    return client === "codex" ? parseToml(plain, { integersAsBigInt: true }) : (readJson(plain) ?? {});
  };

  /** What the settings have of MCP servers, and everything else. */
  const partsOf = (text: string) => {
    const { [key]: json, mcp_servers: toml, ...others } = valuesOf(text) as Record<string, object>;
    return { others, servers: { ...json, ...toml } };
  };
  const backupsOf = (file: string) => readdirSync(dirname(file)).filter((name) => name.endsWith(".bak"));
  const removeBackups = (file: string) => {
    for (const name of backupsOf(file)) rmSync(join(dirname(file), name));
  };

  test("get the entry, keep everything else byte for byte, and are as before once it is removed", async () => {
    const { person, file } = await createSettings(path);
    for (const before of unusual(client).flatMap((text) => [text, `\ufeff${text}`])) {
      writeFileSync(file, before);
      expect(await change(person, install), before).toMatchObject({ changed: true });
      const after = readFileSync(file, "utf8");
      expect(after.startsWith("\ufeff"), before).toBe(before.startsWith("\ufeff"));
      if (before.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
      expect(isWithin(before.replace("null", ""), after), after).toBe(true);
      const { others, servers } = partsOf(after);
      expect(others).toEqual(partsOf(before).others);
      expect(servers).toMatchObject({ engram: { args: expect.arrayContaining(["mcp"]) } });
      expect(await change(person, install)).toMatchObject({ changed: false });
      expect(await change(person, remove)).toMatchObject({ changed: true });
      expect(readFileSync(file, "utf8")).toBe(before);
      expect(await change(person, remove)).toMatchObject({ changed: false });
      removeBackups(file);
    }
  });

  test("have no entry after it was installed twice, in two ways, and removed once", async () => {
    const { person, file } = await createSettings(path);
    for (const before of unusual(client)) {
      writeFileSync(file, before);
      expect(await change(person, install), before).toMatchObject({ changed: true });
      const other = await change(person, [...install, "--tools", "memories"]);
      expect(other, before).toMatchObject({ changed: true });
      expect(await change(person, remove), before).toMatchObject({ changed: true });
      expect(partsOf(readFileSync(file, "utf8")).servers, before).not.toHaveProperty("engram");
      expect(await change(person, remove), before).toMatchObject({ changed: false });
      removeBackups(file);
    }
  });

  test("are deleted when the entry is removed, if the installation created them", async () => {
    const { person, file } = await createSettings(path);
    await change(person, install);
    const { stdout } = await person.run(remove.filter((word) => word !== "--json"));
    expect(stdout).toMatch(
      /^Done\. The file had nothing else and was deleted\. Restart .+Backup of the old file: .+/,
    );
    expect(existsSync(file)).toBe(false);
    expect(await change(person, remove)).toMatchObject({ changed: false });
  });

  test("lose nothing but the entry if they were changed since", async () => {
    const { person, file } = await createSettings(path, before(client));
    await change(person, install);
    writeFileSync(file, readFileSync(file, "utf8").replace('"dark"', '"light"'));
    await change(person, remove);
    const text = before(client).replace('"dark"', '"light"');
    expect(valuesOf(readFileSync(file, "utf8"))).toEqual(valuesOf(text));
    for (const line of text.split("\n")) expect(readFileSync(file, "utf8")).toContain(line);
  });

  test("lose the servers, too, with an entry that was written by hand and is the only one", async () => {
    const { person, file } = await createSettings(path);
    const [text, rest] =
      client === "codex"
        ? [
            'a = 1 # mine\n\n[mcp_servers.engram]\nurl = "x"\n\n[mcp_servers.engram.env]\nA = "b"\n',
            "a = 1 # mine\n",
          ]
        : [`{\n  "a": 1, // mine\n  "${key}": { "engram": { "url": "x" } }\n}\n`, '{\n  "a": 1 // mine\n}\n'];
    writeFileSync(file, text);
    await change(person, remove);
    expect(readFileSync(file, "utf8")).toBe(rest);
  });

  test("stay as they are if they cannot be changed, and one line names the file and the reason", async () => {
    const { person, file } = await createSettings(path);
    const fails = async (reason: RegExp, args = install) => {
      const { code, stdout, stderr } = await person.run(args.filter((word) => word !== "--json"));
      expect({ code, stdout }, String(reason)).toEqual({ code: 1, stdout: "" });
      const line = stderr.trimEnd().split("\n").at(-1) ?? "";
      expect(line.startsWith(`${file} was not changed. `), stderr).toBe(true);
      expect(line).toMatch(reason);
    };
    for (const [text, reason] of REFUSED[client === "codex" ? "toml" : "json"] ?? []) {
      const content = typeof text === "string" ? text.replaceAll("KEY", key) : text;
      writeFileSync(file, content);
      await fails(new RegExp(reason.source.replace("KEY", key)));
      expect(readFileSync(file)).toEqual(Buffer.from(content));
    }
    writeFileSync(file, before(client));
    chmodSync(file, 0o444);
    await fails(/It is read-only\.$/);
    await change(person, remove).catch(() => {});
    expect(readFileSync(file, "utf8")).toBe(before(client));
    expect(backupsOf(file)).toEqual([]);
    rmSync(file);
    mkdirSync(file);
    await fails(/It is not a regular file\.$/);
    rmSync(file, { recursive: true });
    symlinkSync(file, file);
    await fails(/It is a symbolic link to itself\.$/);
    rmSync(file);
    symlinkSync(join(person.home, "none/dotfile"), file);
    await fails(/It is a symbolic link into a directory that does not exist\.$/);
  });
});

describe("settings of a client", () => {
  test.for([
    ['{\n  "a": 1 // mine\n}\n', '{\n  "a": 1, // mine\n  "b": 2\n}\n'],
    ['{\r\n\t"a": 1,  /* mine */\r\n}\r\n', '{\r\n\t"a": 1,  /* mine */\r\n\t"b": 2,\r\n}\r\n'],
    ['{\n  // mine\n  "a": 1\n}\n', '{\n  // mine\n  "a": 1,\n  "b": 2\n}\n'],
  ] as const)("keep a comment at the entry that it is about: %j", ([text, changed]) => {
    expect(withValue(text, ["b"], 2)).toBe(changed);
  });

  test.for([
    ['{ "a": 1, "b": 2 }', '{ "a": 1 }'],
    ['{ "b": 2, "a": 1 }', '{ "a": 1 }'],
    ['{ "b": 2 }', "{ }"],
    ['{\r\n\t"a": 1, // mine\r\n\t"b": 2\r\n}\r\n', '{\r\n\t"a": 1 // mine\r\n}\r\n'],
    ['{\n  "b": {\n    "c": 2\n  },\n  // mine\n  "a": 1,\n}\n', '{\n  // mine\n  "a": 1,\n}\n'],
    ['{\n  "a": 1,\n  "b": 2 /* mine */,\n  "c": 3\n}\n', '{\n  "a": 1,\n /* mine */\n  "c": 3\n}\n'],
  ] as const)("lose an entry, and no comment: %j", ([text, changed]) => {
    expect(withoutValue(text, ["b"])).toBe(changed);
  });

  test("are not overwritten if another program changed them between reading and writing", () => {
    const file = join(mkdtempSync(join(tmpdir(), "engram-settings-")), "settings.json");
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, "{}");
    const plan = planInstallation(file, () => '{ "a": 1 }');
    writeFileSync(file, '{ "theirs": 1 }');
    expect(() => writeChange(file, plan)).toThrow(`${file} was not changed. Another program has changed it`);
    expect(readdirSync(dirname(file))).toEqual(["settings.json"]);
    expect(readFileSync(file, "utf8")).toBe('{ "theirs": 1 }');
  });

  test("keep their permissions and their symbolic link", async () => {
    const { run, home } = await createProfile();
    mkdirSync(join(home, ".cursor"));
    writeFileSync(join(home, "dotfiles.json"), "{}\n", { mode: 0o640 });
    symlinkSync("../dotfiles.json", join(home, ".cursor/mcp.json"));
    for (const [action, text] of [
      ["install", /engram/],
      ["remove", /^\{\}\n$/],
    ] as const) {
      expect((await run(["mcp", action, "--client", "cursor", "--yes"])).code).toBe(0);
      expect(readFileSync(join(home, "dotfiles.json"), "utf8")).toMatch(text);
      expect(statSync(join(home, "dotfiles.json")).mode & 0o777).toBe(0o640);
      expect(lstatSync(join(home, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    }
  });
});
