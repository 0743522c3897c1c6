import type { ApiKey, ApiKeyWithSecret, CreateKeyBody, Scope } from "@engram/sdk";
import { ROTATION_OVERLAP_SECONDS_MAX } from "@engram/sdk/limits";
import { type Command, Option } from "commander";
import { readConfig } from "../config.ts";
import { contextOf } from "../context.ts";
import { examples, moment, wholeNumber } from "../options.ts";
import { count, type Output, oneLine, shownTime } from "../output.ts";
import { confirm } from "../terminal.ts";

const SCOPES: Scope[] = ["read", "write", "search", "delete", "admin"];

export function addKeys(program: Command): void {
  const keys = program
    .command("keys")
    .description("List, create, rotate and revoke keys; needs the scope admin")
    .addHelpText(...examples("engram keys", 'engram keys create "support bot" --scope read search'));
  addList(keys);
  addCreate(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addList(keys: Command): void {
  keys
    .command("list", { isDefault: true })
    .description("List keys, newest first, without their secrets")
    .addHelpText(
      ...examples(
        "engram keys",
        "engram keys list --json | jq '.items[] | select(.revoked_at == null).name'",
      ),
    )
    .action(async (_options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const found = await client().keys.list().toArray({ max: Number.POSITIVE_INFINITY });
      output.data({ items: found }, () =>
        output.list(["ID", "KEY", "STATE", "SCOPES", "LAST USE", "NAME"], found.map(row)),
      );
    });
}

const row = (key: ApiKey): string[] => [
  key.id,
  `${key.prefix}…`,
  state(key),
  key.scopes.join(","),
  key.last_used_at === null ? "never" : shownTime(key.last_used_at),
  [
    oneLine(key.name),
    ...(key.agent_id === null ? [] : [`agent ${oneLine(key.agent_id)}`]),
    ...(key.user_id === null ? [] : [`user ${oneLine(key.user_id)}`]),
  ].join(", "),
];

function state({ revoked_at, expires_at }: ApiKey): string {
  if (revoked_at !== null) return "revoked";
  if (expires_at === null) return "live";
  return Date.parse(expires_at) <= Date.now() ? "expired" : `until ${shownTime(expires_at)}`;
}

function addCreate(keys: Command): void {
  keys
    .command("create")
    .description("Create a key and print its secret, which is not shown again")
    .argument("<name>", "name of the key")
    .addOption(
      new Option("--scope <scope...>", "scopes of the key")
        .choices(SCOPES)
        .default(["read", "write", "search"]),
    )
    .option("--agent <id>", "restrict the key to the data of one agent")
    .option("--user <id>", "restrict the key to the data of one user")
    .option("--expires <time>", "time when the key expires", moment)
    .addHelpText(
      ...examples(
        'engram keys create "support bot" --scope read search --agent support-bot',
        'engram keys create "maria\'s browser" --user maria',
        "engram keys create backup --scope admin --expires 2027-01-01",
      ),
    )
    .action(
      async (
        name: string,
        options: { scope: Scope[]; agent?: string; user?: string; expires?: string },
        command: Command,
      ) => {
        const { output, client } = contextOf(command);
        const { scope: scopes, agent: agent_id, user: user_id, expires: expires_at } = options;
        const body = { name, scopes, agent_id, user_id, expires_at } as CreateKeyBody;
        printSecret(output, await client().keys.create(body));
      },
    );
}

function addRotate(keys: Command): void {
  keys
    .command("rotate")
    .description("Replace a key; the old one keeps working for a while")
    .argument("<id>", "id of the old key")
    .option(
      "--overlap <seconds>",
      "seconds that the old key keeps working",
      wholeNumber(0, ROTATION_OVERLAP_SECONDS_MAX),
      3_600,
    )
    .addHelpText(...examples("engram keys rotate key_06e3tqz8m1k4v9x2c7d0 --overlap 86400"))
    .action(async (id: string, options: { overlap: number }, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      const { prefix } = await engram.keys.get(id);
      const key = await engram.keys.rotate(id, { overlap_seconds: options.overlap });
      const profiles = profilesWith(prefix);
      printSecret(output, { ...key, profiles_with_old_key: profiles });
      output.note(`The old key ${id} works for ${count(options.overlap)} more seconds.`);
      noteProfiles(output, profiles);
    });
}

/** The secret alone goes to stdout, so that it can be piped. */
function printSecret(output: Output, key: ApiKeyWithSecret & { profiles_with_old_key?: string[] }): void {
  output.data(key, () => key.secret);
  output.note(`Created ${key.id}. Its secret is not shown again.`);
}

/** Names of the profiles that have a key with this beginning. */
const profilesWith = (prefix: string): string[] =>
  Object.entries(readConfig(process.env).profiles)
    .filter(([, { api_key }]) => api_key.startsWith(prefix))
    .map(([name]) => name);

function noteProfiles(output: Output, profiles: string[]): void {
  for (const name of profiles)
    output.note(`Profile "${name}" still has the old key. Store another one: engram login --profile ${name}`);
}

function addRevoke(keys: Command): void {
  keys
    .command("revoke")
    .description("Revoke a key at once; this cannot be undone")
    .argument("<id>", "id of the key")
    .option("--yes", "skip the confirmation")
    .addHelpText(...examples("engram keys revoke key_06e3tqz8m1k4v9x2c7d0"))
    .action(async (id: string, options: { yes?: boolean }, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      const { name, prefix } = await engram.keys.get(id);
      await confirm(`Revoke ${id}, "${oneLine(name)}"?`, options);
      const key = await engram.keys.revoke(id);
      const profiles = profilesWith(prefix);
      output.data({ ...key, profiles_with_old_key: profiles }, () => `Revoked ${key.id}.`);
      noteProfiles(output, profiles);
    });
}
