import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { METADATA_INDEXES } from "@engram/local/indexed-values";
import { CREATE_MIGRATIONS_TABLE } from "@engram/local/migrations";
import type { Wrangler, WranglerResult } from "../../src/wrangler.ts";
import { makeFolder } from "./folders.ts";

export const ACCOUNT = { id: "0123456789abcdef0123456789abcdef", name: "Acme" };
export const MIGRATIONS = readdirSync(resolve(import.meta.dirname, "../../../migrations")).filter((name) =>
  name.endsWith(".sql"),
);
/** As in cloudflare/workers-sdk issue 8756. */
const NO_LIMITS = `CPU limits are not supported for the Free plan. Switch to a paid plan at https://dash.cloudflare.com/${ACCOUNT.id}/workers/plans to set CPU limits. [code: 100328]`;
const BUNDLE_SIZE = { raw_bytes: 1_600_000, gzip_bytes: 300_000 };

/** An account of the fake wrangler, as plain JSON that a process can save in a file. */
export interface AccountState {
  isLoggedIn: boolean;
  accounts: { id: string; name: string }[];
  plan: "paid" | "free";
  /** SQLite file of the database. */
  databaseFile: string;
  /** Location of the database; null if there is no database. */
  location: string | null;
  index: {
    dimensions: number;
    metric: string;
    vectorCount: number;
    /** Type of each metadata index by property, and the number of reads until it is listed. */
    metadataIndexes: Record<string, { type: string; looks: number }>;
  } | null;
  /** Whether there is the bucket of the archives. */
  hasBucket: boolean;
  /** Secrets of the Worker; null if there is no Worker. */
  secrets: Record<string, string> | null;
  /** Whether the database of the Worker was deleted. */
  hasLostDatabase: boolean;
  /** The address of a deployed Worker. */
  url: string;
  /** The commands that changed something, in order, without their options. */
  changes: string[];
  /** Number of reads until a new metadata index is listed. */
  looksUntilListed: number;
}

export function emptyAccount(): AccountState {
  return {
    isLoggedIn: true,
    accounts: [ACCOUNT],
    plan: "paid",
    databaseFile: join(makeFolder(), "d1.sqlite"),
    location: null,
    index: null,
    hasBucket: false,
    secrets: null,
    hasLostDatabase: false,
    url: "https://engram.acme.workers.dev",
    changes: [],
    looksUntilListed: 1,
  };
}

/** An account to which this version was deployed. Its database has only the record of the migrations. */
export function deployedAccount(): AccountState {
  const listed = Object.entries(METADATA_INDEXES).map(([name, type]) => [name, { type, looks: 0 }]);
  const account: AccountState = {
    ...emptyAccount(),
    location: "weur",
    hasBucket: true,
    index: {
      ...{ dimensions: 768, metric: "cosine", vectorCount: 3 },
      metadataIndexes: Object.fromEntries(listed),
    },
    secrets: { ADMIN_TOKEN: "engram_admin_known_to_the_worker_alone" },
  };
  query(account, CREATE_MIGRATIONS_TABLE);
  for (const name of MIGRATIONS) query(account, `INSERT INTO d1_migrations (name) VALUES ('${name}')`);
  return account;
}

/** Runs one statement on the account's database. */
export const query = (account: AccountState, sql: string) =>
  open(account, (database) => database.prepare(sql).all());

function open<T>({ databaseFile }: AccountState, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(databaseFile);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Results have the fields that a deployment reads. */
export function fakeWrangler(account: AccountState): Wrangler {
  return async (args) => {
    const command = args.join(" ");
    const [, answer] = COMMANDS.find(([start]) => command.startsWith(start)) ?? [];
    if (answer === undefined) throw new Error(`The fake does not know: wrangler ${command}`);
    const options = Object.fromEntries(
      args.flatMap((arg, i) => {
        const [, name, value] = /^--([^=]+)(?:=(.*))?$/.exec(arg) ?? [];
        return name === undefined ? [] : [[name, value ?? args[i + 1] ?? ""]];
      }),
    );
    try {
      return answer(account, options);
    } catch (error) {
      const stderr = `✘ [ERROR] ${error instanceof Error ? error.message : error}`;
      return { code: 1, stdout: JSON.stringify({ error: stderr }), stderr, report: "" };
    }
  };
}

type Answer = (account: AccountState, options: Readonly<Record<string, string>>) => WranglerResult;

const COMMANDS: [start: string, answer: Answer][] = [
  [
    "whoami --json",
    ({ isLoggedIn, accounts }) =>
      isLoggedIn
        ? json({ loggedIn: true, email: "ada@example.com", accounts })
        : { ...json({ loggedIn: false }), code: 1 },
  ],
  ["d1 list --json", ({ location }) => json(location === null ? [] : [{ uuid: "d1", name: "engram" }])],
  [
    "d1 create engram",
    (account, { location = "where D1 chooses" }) => {
      if (account.location !== null) throw new Error("A database with that name already exists");
      account.location = location;
      return changed(account, "d1 create");
    },
  ],
  [
    "d1 execute DB --remote --json --command",
    (account, { command = "" }) => json([{ results: query(account, command) }]),
  ],
  [
    "d1 execute DB --remote --yes --json --file",
    (account, { file = "" }) => {
      if (account.location === null) throw new Error("Couldn't find a D1 DB named 'engram'");
      open(account, (database) => database.exec(`BEGIN;${readFileSync(file, "utf8")}COMMIT;`));
      return changed(account, "d1 execute");
    },
  ],
  [
    "vectorize list --json",
    ({ index }) => json(index === null ? [] : [{ name: "engram", config: { ...index } }]),
  ],
  ["vectorize info engram --json", ({ index }) => json({ vectorCount: index?.vectorCount })],
  [
    "vectorize list-metadata-index engram --json",
    ({ index }) =>
      json(
        Object.entries(index?.metadataIndexes ?? {}).flatMap(([propertyName, each]) => {
          if (each.looks > 0) each.looks -= 1;
          // Capitalized in the response, although lowercase in the request.
          const indexType = `${each.type.charAt(0).toUpperCase()}${each.type.slice(1)}`;
          return each.looks > 0 ? [] : [{ propertyName, indexType }];
        }),
      ),
  ],
  [
    "vectorize create-metadata-index engram",
    (account, { propertyName = "", type = "" }) => {
      const { index } = account;
      if (index === null) throw new Error("vectorize.index_not_found [code: 3000]");
      if (Object.hasOwn(index.metadataIndexes, propertyName))
        throw new Error("the metadata index exists already");
      index.metadataIndexes[propertyName] = { type, looks: account.looksUntilListed };
      return changed(account, `create-metadata-index ${propertyName}`);
    },
  ],
  [
    "vectorize create engram --dimensions=768 --metric=cosine --json",
    (account) => {
      if (account.index !== null) throw new Error("vectorize.index.already_exists [code: 3002]");
      account.index = { dimensions: 768, metric: "cosine", vectorCount: 0, metadataIndexes: {} };
      return changed(account, "vectorize create");
    },
  ],
  [
    "r2 bucket info engram-archives --json",
    ({ hasBucket }) => {
      if (!hasBucket) throw new Error("The specified bucket does not exist. [code: 10006]");
      return json({ name: "engram-archives" });
    },
  ],
  [
    "r2 bucket create engram-archives",
    (account) => {
      if (account.hasBucket) throw new Error("The bucket you tried to create already exists [code: 10004]");
      account.hasBucket = true;
      return changed(account, "r2 bucket create");
    },
  ],
  [
    "secret list --format json",
    ({ secrets }) => {
      if (secrets === null) throw new Error('Worker "engram" not found.');
      return json(Object.keys(secrets).map((name) => ({ name })));
    },
  ],
  ["deploy --dry-run", () => reported({ version_id: null })],
  [
    "deploy",
    (account, { "secrets-file": file }) => {
      if (account.hasLostDatabase) throw new Error("The database d1 could not be found [code: 7404]");
      if (account.plan === "free") throw new Error(NO_LIMITS);
      const given = file === undefined ? {} : JSON.parse(readFileSync(file, "utf8"));
      account.secrets = { ...account.secrets, ...given };
      account.changes.push("deploy");
      const targets = [account.url, "schedule: * * * * *"];
      return { ...reported({ version_id: "v1", targets }), stdout: "Worker Startup Time: 41 ms" };
    },
  ],
];

const json = (value: unknown): WranglerResult => ({
  ...{ code: 0, stderr: "", report: "" },
  stdout: JSON.stringify(value),
});

const changed = (account: AccountState, change: string): WranglerResult => {
  account.changes.push(change);
  return json({});
};

/** wrangler's output after an upload. */
const reported = (upload: { version_id: string | null; targets?: string[] }): WranglerResult => ({
  ...json({}),
  report: JSON.stringify({ type: "deploy", ...upload, bundle_size: BUNDLE_SIZE }),
});
