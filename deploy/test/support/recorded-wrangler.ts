import { readFileSync } from "node:fs";
import { METADATA_INDEXES } from "@engram/local/indexed-values";
import type { Wrangler, WranglerResult } from "../../src/wrangler.ts";
import { ACCOUNT } from "./cloudflare.ts";
import { type DatabaseState, importInto, MIGRATIONS } from "./recorded-database.ts";
import { readRecordings } from "./recordings.ts";

/** The command that applies migrations; the file comes last. */
export const IMPORT = "d1 execute DB --remote --yes --json --file";

/** An account as the recorded wrangler sees it; plain JSON, so that a process can leave it in a file. */
export interface AccountState {
  isLoggedIn: boolean;
  accounts: { id: string; name: string }[];
  plan: "paid" | "free";
  /** Null: there is none. */
  database: DatabaseState | null;
  /** Migrations stop after this number of statements, and leave what these have made. */
  statementsMax?: number;
  index: {
    dimensions: number;
    metric: string;
    vectorCount: number;
    metadataIndexes: Record<string, string>;
    /** Created, and listed after this number of reads. */
    pending: { property: string; type: string; looks: number }[];
  } | null;
  worker: {
    secrets: Record<string, string>;
    versions: number;
    /** Of the last version, in place of wrangler.toml's. */
    placement?: unknown;
    /** The database that it is bound to has been deleted. */
    hasLostDatabase?: boolean;
  } | null;
  /** Where a deployed Worker is served. */
  url: string;
  /** What was done, in order. */
  changes: string[];
  /** Looks that a new metadata index takes to be listed. */
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

/** An account with a deployment of this version. */
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

const recordings = readRecordings();

/** A wrangler that answers as the real one was recorded to, and changes an account in memory. */
export function recordedWrangler(account: AccountState): Wrangler {
  return async (args) => {
    const command = args.join(" ");
    const found = COMMANDS.find(([start]) => command.startsWith(start));
    if (found === undefined) throw new Error(`Nothing is recorded for: wrangler ${command}`);
    return found[1](account, args);
  };
}

const COMMANDS: [
  start: string,
  answer: (account: AccountState, args: readonly string[]) => WranglerResult,
][] = [
  [
    "whoami --json",
    ({ isLoggedIn, accounts }) =>
      isLoggedIn
        ? changed(recorded("deployed", "whoami"), (login) => ({ ...login, accounts }))
        : recorded("logged out", "whoami"),
  ],
  ["d1 list --json", ({ database }) => recorded(database === null ? "empty" : "deployed", "d1 list")],
  [
    "d1 execute DB --remote --json --command SELECT name FROM d1_migrations",
    ({ database }) =>
      database?.migrations
        ? changed(recorded("deployed", "d1 execute"), ([answer]) => [
            { ...answer, results: database.migrations?.map((name) => ({ name })) },
          ])
        : recorded("database replaced", "d1 execute"),
  ],
  [
    "d1 create engram",
    (account, args) => {
      if (account.database !== null) return refused("A database with that name already exists [code: 7502]");
      const location = args.find((arg) => arg.startsWith("--location="))?.slice("--location=".length);
      account.database = { migrations: null, tables: [], organizations: 0, location: location ?? "enam" };
      return done(account, "d1 create");
    },
  ],
  [
    "d1 info DB --json",
    ({ database }) =>
      database === null
        ? refused("Couldn't find a D1 DB with name or binding 'engram'")
        : changed(recorded("deployed", "d1 info"), (info) => ({
            ...info,
            running_in_region: database.location.toUpperCase(),
          })),
  ],
  [
    "d1 execute DB --remote --json --command SELECT name FROM sqlite_schema",
    ({ database }) =>
      changed(
        recorded("half", "d1 execute DB --remote --json --command SELECT name FROM sqlite_schema"),
        ([answer]) => [{ ...answer, results: database?.tables.map((name) => ({ name })) }],
      ),
  ],
  [
    "d1 execute DB --remote --json --command SELECT count(*)",
    ({ database }) =>
      changed(recorded("half", "d1 execute DB --remote --json --command SELECT count(*)"), ([answer]) => [
        { ...answer, results: [{ count: database?.organizations }] },
      ]),
  ],
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
    ({ index }) =>
      index === null
        ? recorded("empty", "vectorize list")
        : changed(recorded("deployed", "vectorize list"), ([found]) => [
            { ...found, config: { dimensions: index.dimensions, metric: index.metric } },
          ]),
  ],
  [
    "vectorize info engram --json",
    ({ index }) =>
      changed(recorded("deployed", "vectorize info"), (info) => ({
        ...info,
        vectorCount: index?.vectorCount,
      })),
  ],
  [
    "vectorize list-metadata-index engram --json",
    ({ index }) => {
      for (const asked of index?.pending ?? []) asked.looks -= 1;
      const listed = index?.pending.filter(({ looks }) => looks <= 0) ?? [];
      for (const { property, type } of listed) if (index) index.metadataIndexes[property] = type;
      if (index) index.pending = index.pending.filter(({ looks }) => looks > 0);
      const types = index?.metadataIndexes ?? {};
      const capital = (type = "") => `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
      return changed(
        recorded("deployed", "vectorize list-metadata-index"),
        (all: { propertyName: string }[]) =>
          all
            .filter(({ propertyName }) => Object.hasOwn(types, propertyName))
            .map((each) => ({ ...each, indexType: capital(types[each.propertyName]) })),
      );
    },
  ],
  [
    "vectorize create-metadata-index engram",
    (account, args) => {
      const option = (name: string) =>
        args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";
      const [property, type] = [option("propertyName"), option("type")];
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
        ? recorded("empty", "secret list")
        : changed(recorded("deployed", "secret list"), ([secret]) =>
            Object.keys(worker.secrets).map((name) => ({ ...secret, name })),
          ),
  ],
  ["deploy --dry-run", () => recorded("deployed", "deploy --dry-run")],
  [
    "deploy",
    (account, [, ...options]) => {
      const { database, index } = account;
      if (account.worker?.hasLostDatabase) return recorded("database replaced", "deploy");
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
      if (account.plan === "free") return recorded("free plan", "deploy");
      const { worker } = account;
      account.worker = {
        secrets: { ...worker?.secrets, ...readOption("--secrets-file") },
        versions: (worker?.versions ?? 0) + 1,
        placement: readOption("--config").placement,
      };
      const result = done(
        account,
        "deploy",
        worker === null
          ? recorded("empty", "deploy --secrets-file")
          : recorded("deployed", "deploy --config"),
      );
      return { ...result, report: result.report.replace("https://engram.acme.workers.dev", account.url) };
    },
  ],
];

function recorded(when: string, command: string): WranglerResult {
  const matching = recordings.filter(
    (recording) => recording.when === when && `${recording.args.join(" ")} `.startsWith(`${command} `),
  );
  // "deploy" is also how "deploy --dry-run" begins.
  const [found] = matching.sort((a, b) => a.args.length - b.args.length);
  if (found === undefined) throw new Error(`Not recorded: ${when}: ${command}`);
  const { code, stdout, stderr, report } = found;
  return { code, stdout, stderr, report };
}

/** A recorded JSON answer with what is different in this account. */
function changed(
  result: WranglerResult,
  change: (value: ReturnType<JSON["parse"]>) => unknown,
): WranglerResult {
  return { ...result, stdout: `${JSON.stringify(change(JSON.parse(result.stdout)), null, 2)}\n` };
}

function done(account: AccountState, command: string, result = recorded("empty", command)): WranglerResult {
  account.changes.push(command);
  return result;
}

/** How wrangler says that the API refused; the reason is ours. */
function refused(reason: string): WranglerResult {
  const stderr = `✘ [ERROR] A request to the Cloudflare API failed.\n\n  ${reason}\n`;
  return { code: 1, stdout: "", stderr, report: "" };
}
