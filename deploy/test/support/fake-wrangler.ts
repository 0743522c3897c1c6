import { readFileSync } from "node:fs";
import { METADATA_INDEXES } from "@engram/local/indexed-values";
import type { Wrangler, WranglerResult } from "../../src/wrangler.ts";
import { ACCOUNT, NO_LIMITS } from "./cloudflare.ts";
import { type DatabaseState, importInto, MIGRATIONS } from "./fake-database.ts";

/** The command that applies migrations; the file comes last. */
export const IMPORT = "d1 execute DB --remote --yes --json --file";

/** An account of the fake wrangler, as plain JSON that a process can save in a file. */
export interface AccountState {
  isLoggedIn: boolean;
  accounts: { id: string; name: string }[];
  plan: "paid" | "free";
  /** Null if there is none. */
  database: DatabaseState | null;
  /** Migrations stop after this number of statements, and keep their effects. */
  statementsMax?: number;
  index: {
    dimensions: number;
    metric: string;
    vectorCount: number;
    metadataIndexes: Record<string, string>;
    /** Requested indexes, each of which is listed after this number of reads. */
    pending: { property: string; type: string; looks: number }[];
  } | null;
  worker: {
    secrets: Record<string, string>;
    versions: number;
    /** From the last version, in place of wrangler.toml's. */
    placement?: unknown;
    /** Whether the database of the Worker was deleted. */
    hasLostDatabase?: boolean;
  } | null;
  /** The addresses of a deployed Worker. */
  url: string;
  /** The changes, in order. */
  changes: string[];
  /** Number of reads until a new metadata index is listed. */
  looksUntilListed: number;
}

export function emptyAccount(): AccountState {
  return {
    isLoggedIn: true,
    accounts: [ACCOUNT],
    plan: "paid",
    database: null,
    index: null,
    worker: null,
    url: "https://engram.acme.workers.dev",
    changes: [],
    looksUntilListed: 1,
  };
}

/** An account to which this version was deployed. */
export function deployedAccount(): AccountState {
  return {
    ...emptyAccount(),
    database: { migrations: [...MIGRATIONS], tables: ["organizations"], organizations: 1, location: "weur" },
    index: {
      dimensions: 768,
      metric: "cosine",
      vectorCount: 3,
      metadataIndexes: { ...METADATA_INDEXES },
      pending: [],
    },
    worker: { secrets: { ADMIN_TOKEN: "engram_admin_known_to_the_worker_alone" }, versions: 1 },
  };
}

/** Results have the fields that a deployment reads. wrangler.proof.test.ts deploys with the real wrangler. */
export function fakeWrangler(account: AccountState): Wrangler {
  return async (args) => {
    const command = args.join(" ");
    const found = COMMANDS.find(([start]) => command.startsWith(start));
    if (found === undefined) throw new Error(`The fake does not know: wrangler ${command}`);
    return found[1](account, args);
  };
}

const READ = "d1 execute DB --remote --json --command SELECT";
const BUNDLE_SIZE = { raw_bytes: 1_600_000, gzip_bytes: 300_000 };

const COMMANDS: [
  start: string,
  answer: (account: AccountState, args: readonly string[]) => WranglerResult,
][] = [
  [
    "whoami --json",
    ({ isLoggedIn, accounts }) =>
      isLoggedIn
        ? json({ loggedIn: true, email: "ada@example.com", accounts })
        : { ...json({ loggedIn: false }), code: 1 },
  ],
  ["d1 list --json", ({ database }) => json(database === null ? [] : [{ uuid: "d1", name: "engram" }])],
  [
    `${READ} name FROM d1_migrations`,
    ({ database }) =>
      database?.migrations
        ? rows(database.migrations.map((name) => ({ name })))
        : { ...json({ error: { notes: [{ text: "no such table: d1_migrations" }] } }), code: 1 },
  ],
  [
    "d1 create engram",
    (account, args) => {
      if (account.database !== null) return refused("A database with that name already exists [code: 7502]");
      const location = optionOf(args, "location") || "enam";
      account.database = { migrations: null, tables: [], organizations: 0, location };
      return done(account, "d1 create");
    },
  ],
  [
    "d1 info DB --json",
    ({ database }) =>
      database === null
        ? refused("Couldn't find a D1 DB with name or binding 'engram'")
        : json({ running_in_region: database.location.toUpperCase() }),
  ],
  [
    `${READ} name FROM sqlite_schema`,
    ({ database }) => rows(database?.tables.map((name) => ({ name })) ?? []),
  ],
  [`${READ} count(*)`, ({ database }) => rows([{ count: database?.organizations }])],
  [
    IMPORT,
    (account, args) => {
      const { database } = account;
      if (database === null) return refused("Couldn't find a D1 DB named 'engram'");
      try {
        importInto(database, readFileSync(args.at(-1) ?? "", "utf8"), account.statementsMax);
      } catch (error) {
        return refused(`${error instanceof Error ? error.message : error}: SQLITE_ERROR [code: 7500]`);
      }
      return done(account, IMPORT);
    },
  ],
  [
    "vectorize list --json",
    ({ index }) => {
      if (index === null) return json([]);
      const { dimensions, metric } = index;
      return json([{ name: "engram", config: { dimensions, metric } }]);
    },
  ],
  ["vectorize info engram --json", ({ index }) => json({ vectorCount: index?.vectorCount })],
  [
    "vectorize list-metadata-index engram --json",
    ({ index }) => {
      for (const asked of index?.pending ?? []) asked.looks -= 1;
      const listed = index?.pending.filter(({ looks }) => looks <= 0) ?? [];
      for (const { property, type } of listed) if (index) index.metadataIndexes[property] = type;
      if (index) index.pending = index.pending.filter(({ looks }) => looks > 0);
      return json(
        Object.entries(index?.metadataIndexes ?? {}).map(([propertyName, type]) => ({
          propertyName,
          // Capitalized in the response, although lowercase in the request.
          indexType: `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
        })),
      );
    },
  ],
  [
    "vectorize create-metadata-index engram",
    (account, args) => {
      const [property, type] = [optionOf(args, "propertyName"), optionOf(args, "type")];
      const { index } = account;
      if (index === null) return refused("vectorize.index_not_found [code: 3000]");
      if (
        Object.hasOwn(index.metadataIndexes, property) ||
        index.pending.some((one) => one.property === property)
      ) {
        return refused("the metadata index exists already");
      }
      index.pending.push({ property, type, looks: account.looksUntilListed });
      return done(account, `vectorize create-metadata-index engram --propertyName=${property}`);
    },
  ],
  [
    "vectorize create engram --dimensions=768 --metric=cosine --json",
    (account) => {
      if (account.index !== null) return refused("vectorize.index.already_exists [code: 3002]");
      const shape = { dimensions: 768, metric: "cosine", vectorCount: 0 };
      account.index = { ...shape, metadataIndexes: {}, pending: [] };
      return done(account, "vectorize create engram");
    },
  ],
  [
    "secret list --format json",
    ({ worker }) =>
      worker === null
        ? { code: 1, stdout: "", stderr: '✘ [ERROR] Worker "engram" not found.', report: "" }
        : json(Object.keys(worker.secrets).map((name) => ({ name }))),
  ],
  ["deploy --dry-run", () => reported({ version_id: null })],
  [
    "deploy",
    (account, [, ...options]) => {
      const { database, index, worker } = account;
      if (worker?.hasLostDatabase) return refused("The database d1 could not be found [code: 7404]");
      const isReady =
        MIGRATIONS.every((name) => database?.migrations?.includes(name)) &&
        Object.keys(METADATA_INDEXES).every((property) =>
          Object.hasOwn(index?.metadataIndexes ?? {}, property),
        );
      if (!isReady) throw new Error("The Worker was uploaded before what it needs was there.");
      const readOption = (name: string) =>
        options.includes(name)
          ? JSON.parse(readFileSync(options[options.indexOf(name) + 1] ?? "", "utf8"))
          : {};
      if (account.plan === "free") return refused(`${NO_LIMITS} [code: 100328]`);
      account.worker = {
        secrets: { ...worker?.secrets, ...readOption("--secrets-file") },
        versions: (worker?.versions ?? 0) + 1,
        placement: readOption("--config").placement,
      };
      account.changes.push("deploy");
      const targets = [account.url, "schedule: * * * * *"];
      return { ...reported({ version_id: "v1", targets }), stdout: "Worker Startup Time: 41 ms" };
    },
  ],
];

const optionOf = (args: readonly string[], name: string): string =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";

const json = (value: unknown): WranglerResult => ({
  code: 0,
  stdout: JSON.stringify(value),
  stderr: "",
  report: "",
});

const rows = (results: unknown[]): WranglerResult => json([{ results }]);

/** wrangler's output after an upload. */
const reported = (upload: { version_id: string | null; targets?: string[] }): WranglerResult => ({
  code: 0,
  stdout: "",
  stderr: "",
  report: JSON.stringify({ type: "deploy", ...upload, bundle_size: BUNDLE_SIZE }),
});

function done(account: AccountState, change: string): WranglerResult {
  account.changes.push(change);
  return { code: 0, stdout: "", stderr: "", report: "" };
}

/** wrangler's output when the API rejects a request. */
function refused(reason: string): WranglerResult {
  const stderr = `✘ [ERROR] A request to the Cloudflare API failed.\n\n  ${reason}\n`;
  return { code: 1, stdout: "", stderr, report: "" };
}
