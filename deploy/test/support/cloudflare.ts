import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { buffer } from "node:stream/consumers";
import { importWhole, runEach } from "./worst-splitter.ts";

export const ACCOUNT = { id: "0123456789abcdef0123456789abcdef", name: "Acme" };
const DATABASE_ID = "00000000-0000-4000-8000-000000000001";
const VERSION_ID = "00000000-0000-4000-8000-000000000002";
const NOW = "2026-11-22T00:00:00.000Z";

interface Binding {
  name: string;
  type: string;
  [key: string]: unknown;
}

/** The part of Cloudflare's API that wrangler uses to deploy, with one account in memory, on this machine. */
export interface Cloudflare {
  url: string;
  /** The requests that change something, in order: method and path within the account, or the statement. */
  writes: string[];
  /** Each upload of the Worker as wrangler sends it. */
  uploads: {
    bindings: Binding[];
    keep_bindings: string[];
    assets: unknown;
    placement: unknown;
    /** Changes of the classes of Durable Objects; absent when the script has them. */
    migrations?: { new_tag: string };
  }[];
  /** Type of each metadata index by property. */
  metadataIndexes: Record<string, string>;
  crons: string[];
  /** Whether it and its earlier versions are served on workers.dev. */
  subdomain: { enabled: boolean; previews_enabled: boolean };
  query(sql: string): Record<string, unknown>[];
  /** Replaces the database with an empty one of the same name. */
  replaceDatabase(): void;
  stop(): void;
}

/** An error response of the API. */
class ApiFailure extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface Request {
  params: string[];
  text: string;
  form(): Promise<FormData>;
}

/** Serves an empty account. */
export async function startCloudflare(plan: "paid" | "free" = "paid"): Promise<Cloudflare> {
  let database: { uuid: string; name: string; running_in_region: string } | undefined;
  let sqlite = new DatabaseSync(":memory:");
  let index: { name: string; config: unknown; created_on: string; modified_on: string } | undefined;
  const secrets = new Set<string>();
  /** Files for the import by their MD5, with the response for those that were imported. */
  const imports = new Map<string, { sql: string; answer?: ReturnType<typeof importFile> }>();
  const state: Pick<Cloudflare, "writes" | "uploads" | "metadataIndexes" | "crons" | "subdomain"> = {
    writes: [],
    uploads: [],
    metadataIndexes: {},
    crons: [],
    subdomain: { enabled: false, previews_enabled: false },
  };
  const worker = () => {
    const upload = state.uploads.at(-1);
    if (upload === undefined)
      throw new ApiFailure(404, 10_007, "This Worker does not exist on your account.");
    return upload;
  };
  const upload = async ({ form }: Request) => {
    const metadata = JSON.parse(String((await form()).get("metadata")));
    if (plan === "free" && metadata.limits?.cpu_ms !== undefined)
      throw new ApiFailure(400, 100_328, NO_LIMITS);
    const before = state.uploads.at(-1)?.bindings ?? [];
    const resolve = (binding: Binding) =>
      binding.type === "inherit" ? before.find(({ name }) => name === binding.name) : binding;
    state.uploads.push({ ...metadata, bindings: metadata.bindings.map(resolve) });
    for (const { name, type } of metadata.bindings) if (type === "secret_text") secrets.add(name);
  };

  const routes: [method: string, path: RegExp, answer: (request: Request) => unknown][] = [
    ["GET", /^\/user\/tokens\/verify$/, () => ({ id: "token", status: "active" })],
    ["GET", /^\/user$/, () => ({ id: "user", email: "ada@example.com" })],
    ["GET", /^\/accounts$/, () => [ACCOUNT]],
    ["GET", /^\/memberships$/, () => [{ id: "membership", roles: ["Administrator"], account: ACCOUNT }]],

    [
      "GET",
      /^\/d1\/database$/,
      () => (database === undefined ? [] : [{ uuid: database.uuid, name: database.name, created_at: NOW }]),
    ],
    [
      "POST",
      /^\/d1\/database$/,
      ({ text }) => {
        const { name, primary_location_hint = "enam" } = JSON.parse(text);
        const region = primary_location_hint.toUpperCase();
        database = { uuid: DATABASE_ID, name, running_in_region: region };
        return { ...database, created_in_region: region };
      },
    ],
    [
      "GET",
      /^\/d1\/database\/([^/]+)$/,
      ({ params: [which] }) => {
        if (database !== undefined && [database.uuid, database.name].includes(which ?? "")) return database;
        throw new ApiFailure(404, 7_404, `The database ${which} could not be found`);
      },
    ],
    [
      "POST",
      /^\/graphql$/,
      () => {
        // For `wrangler d1 info`: counts of the last day.
        state.writes.pop();
        return null;
      },
    ],
    [
      "POST",
      /^\/d1\/database\/[^/]+\/query$/,
      ({ text }) => {
        const { sql } = JSON.parse(text);
        const isRead = /^\s*SELECT/i.test(sql);
        if (!isRead) state.writes[state.writes.length - 1] = sql.trim();
        else state.writes.pop();
        const results = query(sqlite, sql);
        return results.map((rows) => ({ results: rows, success: true, meta: { duration: 0 } }));
      },
    ],
    [
      "POST",
      /^\/d1\/database\/[^/]+\/import$/,
      ({ text }) => {
        const { action, etag } = JSON.parse(text);
        const file = imports.get(etag);
        if (action === "ingest" && file !== undefined && file.answer === undefined) {
          state.writes[state.writes.length - 1] = file.sql;
          file.answer = importFile(sqlite, file.sql);
          return file.answer;
        }
        state.writes.pop();
        return file?.answer ?? { upload_url: `${url()}/upload/${etag}`, filename: `${etag}.sql` };
      },
    ],

    ["GET", /^\/vectorize\/v2\/indexes$/, () => (index === undefined ? [] : [index])],
    [
      "POST",
      /^\/vectorize\/v2\/indexes$/,
      ({ text }) => {
        index = { ...JSON.parse(text), created_on: NOW, modified_on: NOW };
        return index;
      },
    ],
    [
      "GET",
      /^\/vectorize\/v2\/indexes\/[^/]+\/info$/,
      () => ({ dimensions: 768, vectorCount: 0, processedUpToDatetime: null, processedUpToMutation: null }),
    ],
    [
      "GET",
      /^\/vectorize\/v2\/indexes\/[^/]+\/metadata_index\/list$/,
      () => ({
        metadataIndexes: Object.entries(state.metadataIndexes).map(([propertyName, type]) => ({
          propertyName,
          // Capitalized in the response, although lowercase in the request.
          indexType: `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
        })),
      }),
    ],
    [
      "POST",
      /^\/vectorize\/v2\/indexes\/[^/]+\/metadata_index\/create$/,
      ({ text }) => {
        const { propertyName, indexType } = JSON.parse(text);
        state.metadataIndexes[propertyName] = indexType;
        return { mutationId: "00000000-0000-4000-8000-000000000003" };
      },
    ],

    [
      "GET",
      /^\/workers\/services\/[^/]+$/,
      () => {
        if (state.uploads.length === 0)
          throw new ApiFailure(404, 10_090, "workers.api.error.service_not_found");
        const migration_tag = state.uploads.findLast(({ migrations }) => migrations)?.migrations?.new_tag;
        const script = { tag: "tag", tags: [], last_deployed_from: "wrangler", migration_tag };
        return { default_environment: { environment: "production", script } };
      },
    ],
    [
      "GET",
      /^\/workers\/scripts\/[^/]+\/secrets$/,
      () => worker() && [...secrets].map((name) => ({ name, type: "secret_text" })),
    ],
    ["GET", /^\/workers\/scripts\/[^/]+\/settings$/, () => ({ bindings: worker().bindings })],
    [
      "GET",
      /^\/workers\/scripts\/[^/]+\/deployments$/,
      () =>
        worker() && {
          deployments: [
            {
              id: "deployment",
              source: "wrangler",
              strategy: "percentage",
              author_email: "ada@example.com",
              created_on: NOW,
              versions: [{ version_id: VERSION_ID, percentage: 100 }],
            },
          ],
        },
    ],
    ["POST", /^\/workers\/scripts\/[^/]+\/assets-upload-session$/, () => ({ jwt: "jwt", buckets: [] })],
    [
      "PUT",
      /^\/workers\/scripts\/[^/]+$/,
      async (request) => {
        await upload(request);
        return { id: "engram", etag: "etag", tag: "tag", deployment_id: VERSION_ID, startup_time_ms: 41 };
      },
    ],
    [
      "POST",
      /^\/workers\/scripts\/[^/]+\/versions$/,
      async (request) => {
        await upload(request);
        return {
          id: VERSION_ID,
          number: 2,
          startup_time_ms: 41,
          metadata: {},
          resources: { script: { etag: "etag" } },
        };
      },
    ],
    ["POST", /^\/workers\/scripts\/[^/]+\/deployments$/, () => ({ id: "deployment" })],
    ["PATCH", /^\/workers\/scripts\/[^/]+\/script-settings$/, () => ({})],
    ["GET", /^\/workers\/subdomain$/, () => ({ subdomain: "acme" })],
    ["GET", /^\/workers\/workers\/[^/]+$/, () => ({ id: "worker", subdomain: state.subdomain })],
    [
      "POST",
      /^\/workers\/scripts\/[^/]+\/subdomain$/,
      ({ text }) => {
        state.subdomain = JSON.parse(text);
        return state.subdomain;
      },
    ],
    [
      "PUT",
      /^\/workers\/scripts\/[^/]+\/schedules$/,
      ({ text }) => {
        state.crons = JSON.parse(text).map(({ cron }: { cron: string }) => cron);
        return { schedules: [] };
      },
    ],
  ];

  async function answer(incoming: IncomingMessage): Promise<unknown> {
    const bytes = await buffer(incoming);
    const path = new URL(incoming.url ?? "", "http://api").pathname.replace(`/accounts/${ACCOUNT.id}`, "");
    const { method = "", headers } = incoming;
    for (const [allowed, pattern, handle] of routes) {
      const found = method === allowed ? pattern.exec(path) : null;
      if (found === null) continue;
      if (method !== "GET") state.writes.push(`${method} ${path}`);
      const type = { "content-type": headers["content-type"] ?? "" };
      const form = () => new Response(new Uint8Array(bytes), { headers: type }).formData();
      return handle({ params: found.slice(1), text: bytes.toString(), form });
    }
    throw new ApiFailure(404, 7_003, `The stand-in for Cloudflare does not know ${method} ${path}`);
  }

  const url = () => {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `http://127.0.0.1:${address.port}`;
  };
  const server = createServer((request, response) => {
    if (request.method === "PUT" && request.url?.startsWith("/upload/")) {
      void buffer(request).then((bytes) => {
        const etag = createHash("md5").update(bytes).digest("hex");
        imports.set(etag, { sql: bytes.toString() });
        response.writeHead(200, { etag: `"${etag}"` }).end();
      });
      return;
    }
    answer(request).then(
      (result) => respond(200, { success: true, errors: [], messages: [], result, result_info: ONE_PAGE }),
      (error: unknown) => {
        const { status, code, message } =
          error instanceof ApiFailure ? error : new ApiFailure(500, 1, `${error}`);
        respond(status, { success: false, errors: [{ code, message }], messages: [], result: null });
      },
    );
    function respond(status: number, body: unknown): void {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(state, {
    url: url(),
    query: (sql: string) => sqlite.prepare(sql).all(),
    replaceDatabase: () => {
      if (database !== undefined) database.uuid = "00000000-0000-4000-8000-00000000000f";
      sqlite = new DatabaseSync(":memory:");
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

/** As in cloudflare/workers-sdk issue 8756. */
export const NO_LIMITS = `CPU limits are not supported for the Free plan. Switch to a paid plan at https://dash.cloudflare.com/${ACCOUNT.id}/workers/plans to set CPU limits.`;

const ONE_PAGE = { page: 1, per_page: 50, count: 1, total_count: 1, total_pages: 1 };

const failure = (error: unknown) => `${error instanceof Error ? error.message : error}: SQLITE_ERROR`;

function query(sqlite: DatabaseSync, sql: string): Record<string, unknown>[][] {
  try {
    return runEach(sqlite, sql);
  } catch (error) {
    throw new ApiFailure(400, 7_500, failure(error));
  }
}

function importFile(sqlite: DatabaseSync, sql: string) {
  try {
    const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 };
    const result = { num_queries: importWhole(sqlite, sql), final_bookmark: "bookmark", meta };
    return { success: true, type: "import", status: "complete", messages: [], result };
  } catch (error) {
    return { success: true, type: "import", status: "error", errors: [failure(error)], messages: [] };
  }
}
