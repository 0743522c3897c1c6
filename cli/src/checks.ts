import { statSync } from "node:fs";
import { type ApiError, type Engram, isEngramError, type Scope } from "@engram/sdk";
import packageJson from "../package.json" with { type: "json" };
import { type Check, fail, ok, skip, warn } from "./check-results.ts";
import { configFile } from "./config.ts";
import { type Connection, loginCommand, shownKey } from "./connection.ts";
import { connect } from "./context.ts";
import { checkHooks } from "./hook-checks.ts";
import { count, HOST_HINT, shownTime } from "./output.ts";

/** With a larger difference between the clocks, a key may have expired for the service but not for this machine. */
const CLOCK_MAX_SECONDS = 60;
const EXPIRES_SOON_DAYS = 7;
const DAY_MS = 86_400_000;
/**
 * No conversation has this id. A request for it gets 403 if the key lacks the scope, otherwise 404, so it
 * shows the key's scopes without changing anything.
 */
const NO_CONVERSATION = "conv_00000000000000000000";
const IMPATIENT = { maxRetries: 0, timeoutMs: 10_000 };

/** Makes the checks and yields their results one by one. Ends after a failure that later checks depend on. */
export async function* checkAll(connection: Connection): AsyncGenerator<Check, void, undefined> {
  yield checkProgram();
  yield* checkConfig();
  yield* await checkHooks();
  const { url, apiKey } = connection;
  const anybody = connect(url, apiKey ?? "none", IMPATIENT);
  const reached = await checkService(anybody, connection);
  yield* reached;
  if (reached.some(({ status }) => status === "fail")) return;
  yield await checkVersion(url);
  if (apiKey === undefined) {
    yield fail("key", `no key for ${url}`, `${loginCommand(connection)}, or set ENGRAM_API_KEY`);
    return;
  }
  const key = await checkKey(anybody, connection, apiKey);
  yield key;
  if (key.status === "fail") return;
  const { held, isFull } = await tryScopes(anybody);
  yield checkScopes(held);
  if (isFull) yield fail("storage", "no space left for writes", "free disk space where the service runs");
  if (held.includes("admin")) yield* await checkExpiry(anybody, apiKey);
  if (held.includes("read")) yield await checkIndex(anybody, held);
}

function checkProgram(): Check {
  return ok("program", `engram ${packageJson.version} on Node ${process.versions.node}`);
}

/**
 * Checks that other users cannot read the file with the profiles. Windows has no file modes, so nothing is
 * checked there.
 */
function checkConfig(): Check[] {
  const file = configFile(process.env);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || process.platform === "win32") return [];
  return (mode & 0o077) === 0
    ? [ok("profiles", `only you can read ${file}`)]
    : [fail("profiles", `others can read the keys in ${file}`, `chmod 600 '${file}', and rotate the keys`)];
}

async function checkService(anybody: Engram, { url, urlFrom }: Connection): Promise<Check[]> {
  const from = `${url} (from ${urlFrom})`;
  const startedAt = performance.now();
  try {
    const { response } = await anybody.health.get().withResponse();
    const tookMs = Math.round(performance.now() - startedAt);
    return [
      isPlainAndFar(url)
        ? warn("url", `${from} responds, but keys are sent unencrypted`, "use https")
        : ok("url", `${from} responds in ${tookMs} ms`),
      checkClock(response.headers.get("date")),
      await checkReady(anybody),
    ];
  } catch (error) {
    const mend = "start the service, or set another URL with --url, ENGRAM_URL or `engram login --url`";
    return [fail("url", `${from}: ${reason(error)}`, mend)];
  }
}

function isPlainAndFar(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** The local service sends no `Date` header; Cloudflare does. */
function checkClock(date: string | null): Check {
  const serviceMs = Date.parse(date ?? "");
  if (Number.isNaN(serviceMs)) return skip("clock", "not compared: the service sends no Date header");
  const seconds = Math.round((Date.now() - serviceMs) / 1_000);
  if (Math.abs(seconds) <= CLOCK_MAX_SECONDS) return ok("clock", "agrees with the service");
  const detail = `is ${count(Math.abs(seconds))} s ${seconds > 0 ? "fast" : "slow"}, compared with the service`;
  return warn("clock", detail, "set the clock of this machine: keys expire by the clock of the service");
}

async function checkReady(anybody: Engram): Promise<Check> {
  try {
    const { migration } = await anybody.health.ready();
    return ok("database", `up to date with ${migration}`);
  } catch (error) {
    return fail("database", reason(error), "deploy the service again, which applies missing migrations");
  }
}

async function checkVersion(url: string): Promise<Check> {
  try {
    const response = await fetch(`${url}/openapi.json`, {
      signal: AbortSignal.timeout(IMPATIENT.timeoutMs),
    });
    if (!response.ok) throw new Error(`/openapi.json responds with ${response.status}`);
    const { info } = (await response.json()) as { info: { version: string } };
    const [its, ours] = [seriesOf(info.version), seriesOf(packageJson.version)];
    const detail = `service ${info.version}, engram ${packageJson.version}`;
    return its === ours
      ? ok("versions", detail)
      : warn(
          "versions",
          detail,
          `npm install -g @engram/cli@${its}, or deploy version ${ours} of the service`,
        );
  } catch (error) {
    return warn(
      "versions",
      `the version of the service is unknown: ${reason(error)}`,
      "is this an Engram service?",
    );
  }
}

/**
 * The part of a version that is the same for compatible versions: "1" of 1.4.2, "0.4" of 0.4.2.
 *
 * @throws {Error} If the version is invalid.
 */
export function seriesOf(version: string): string {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  if (major === undefined) throw new Error(`"${version}" is not a version`);
  return major === "0" ? `0.${minor}` : major;
}

async function checkKey(engram: Engram, { url, apiKeyFrom }: Connection, apiKey: string): Promise<Check> {
  const shown = `${shownKey(apiKey)} (from ${apiKeyFrom})`;
  const refusal = await refusalOf(engram.index.status());
  // The service checks the host before the key, but not for the checks of its health.
  if (refusal?.code === "host_not_allowed") return fail("host", refusal.message, HOST_HINT);
  return refusal === undefined || refusal.code === "forbidden" || refusal.code === "not_found"
    ? ok("key", `${shown} is valid`)
    : fail("key", `${shown}: ${refusal.message}`, `engram login --url ${url}, with a valid key`);
}

/** @returns The scopes of the key, and whether the service refuses writes because its disk is nearly full. */
async function tryScopes(engram: Engram): Promise<{ held: Scope[]; isFull: boolean }> {
  const asked: [Scope, Promise<unknown>][] = [
    ["read", engram.index.status()],
    ["write", engram.conversations.update(NO_CONVERSATION, { title: "" })],
    ["search", engram.search({ query: "x", mode: "keyword", limit: 1 } as Parameters<Engram["search"]>[0])],
    ["delete", engram.conversations.delete(NO_CONVERSATION)],
    ["admin", engram.keys.list({ limit: 1 }).page()],
  ];
  // Any other error means that the request passed authorization.
  const turnedAway: readonly unknown[] = ["forbidden", "host_not_allowed", "timeout", "no_answer"];
  const answers = await Promise.all(
    asked.map(async ([scope, call]) => ({ scope, code: (await refusalOf(call))?.code })),
  );
  return {
    held: answers.flatMap(({ scope, code }) => (turnedAway.includes(code) ? [] : [scope])),
    isFull: answers.some(({ code }) => code === "insufficient_storage"),
  };
}

function checkScopes(held: Scope[]): Check {
  const needs: [Scope, string][] = [
    ["read", "conversations, memories, tail, doctor"],
    ["write", "capture, import obsidian"],
    ["search", "search"],
    ["delete", "conversations delete, memories delete"],
    ["admin", "import, export, keys, usage, console"],
  ];
  const missing = needs.filter(([scope]) => !held.includes(scope));
  const detail = held.length === 0 ? "none" : held.join(", ");
  if (missing.length === 0) return ok("scopes", detail);
  const unable = missing.map(([scope, commands]) => `${scope} (${commands})`).join(", ");
  return warn(
    "scopes",
    `${detail}; missing ${unable}`,
    "use a key with these scopes if you need these commands",
  );
}

async function checkExpiry(engram: Engram, apiKey: string): Promise<Check[]> {
  for await (const key of engram.keys.list()) {
    if (!apiKey.startsWith(key.prefix) || key.revoked_at !== null || key.expires_at === null) continue;
    const isSoon = Date.parse(key.expires_at) - Date.now() < EXPIRES_SOON_DAYS * DAY_MS;
    const detail = `the key expires ${shownTime(key.expires_at)}`;
    return [isSoon ? warn("expiry", detail, `engram keys rotate ${key.id}`) : ok("expiry", detail)];
  }
  return [];
}

async function checkIndex(engram: Engram, held: Scope[]): Promise<Check> {
  const { model, messages, pending, failed, chunks_of_other_models, last_error } =
    await engram.index.status();
  const why = last_error === null ? "" : `, last error: ${last_error.message}`;
  const repair = `engram api repairIndex${held.includes("write") ? "" : ", with a key that has the scope write"}`;
  if (failed > 0) {
    return fail(
      "index",
      `${count(failed)} of ${count(messages)} messages and memories failed to index${why}`,
      repair,
    );
  }
  if (chunks_of_other_models > 0) {
    const detail = `${count(chunks_of_other_models)} chunks have vectors of another model than ${model}`;
    return warn("index", `${detail}; only keyword search finds them`, repair);
  }
  if (pending > 0) {
    const detail = `${count(pending)} of ${count(messages)} messages and memories are not yet found by meaning${why}`;
    return warn("index", detail, "wait: the service indexes them in the background");
  }
  return ok("index", `all of ${count(messages)} messages and memories, by ${model}`);
}

async function refusalOf(
  call: PromiseLike<unknown>,
): Promise<Pick<ApiError, "code" | "message"> | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (isEngramError(error)) return { code: error.code, message: reason(error) };
    throw error;
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
