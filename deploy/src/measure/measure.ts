import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { callOnce, reasonOf, type Target } from "../calls.ts";
import type { Location } from "../regions.ts";
import { withTestOrganization } from "../test-organization.ts";
import { Client } from "./client.ts";
import type { FirstRequest } from "./first-request.ts";
import { type LargeAppends, measureLargeAppends } from "./large-appends.ts";
import { type Latency, measureLatency, measureRate, type Rate } from "./latency.ts";
import { BATCH_MESSAGES, MESSAGE_BYTES, type Plan } from "./plan.ts";
import { measureRows, type Rows } from "./rows.ts";
import { sentence } from "./texts.ts";
import { measureVectorLag, type VectorLag } from "./vector-lag.ts";

const QUERY_BYTES = 30;
/** Enough for a second attempt. */
export const DELETE_WAIT_MS = 2_000;

/** What is measured of a deployment. It names no account, organization, address or key, so that it can be shared. */
export interface Measurement {
  format: 1;
  measured_at: string;
  /** Of the API. */
  version: string;
  database_location: Location | null;
  placement: string;
  /** Airport codes of Cloudflare's data centers. Null if Cloudflare does not name them. */
  entered_at: string | null;
  ran_at: string | null;
  startup_ms: number | null;
  first_request: FirstRequest | null;
  /** Null if it could not be measured; `failures` has the reason. */
  append: Latency | null;
  search: Latency | null;
  append_rate: Rate | null;
  search_rate: Rate | null;
  rows: Rows | null;
  rows_in_batches: Rows | null;
  large_appends: LargeAppends | null;
  vector_lag: VectorLag | null;
  /** All requests of the measurement, and the rows that D1 reported for them, without background work. */
  requests: number;
  rows_read: number;
  rows_written: number;
  seconds: number;
  failures: { phase: string; reason: string }[];
}

export interface MeasureInput extends Target {
  adminToken: string;
  deployed: Pick<Measurement, "database_location" | "placement" | "startup_ms" | "first_request">;
  plan: Plan;
  /** Called when a phase begins. */
  started(phase: string): void;
  /** Ends the measurement early. Its organization is deleted even then. */
  signal: AbortSignal;
}

/**
 * Measures a deployment with an organization of its own, which it deletes. A phase that fails, or that the time did not
 * suffice for, does not end the measurement.
 *
 * @throws {UnexpectedAnswer} If the organization could not be created or deleted.
 */
export async function measure(input: MeasureInput): Promise<Measurement> {
  const startMs = performance.now();
  const over = AbortSignal.timeout(input.plan.totalMs);
  const target = { ...input, sleep: (ms: number) => delay(ms) };
  const { adminToken } = input;
  const name = "Measurement of a deployment";
  const figures = await withTestOrganization(
    target,
    { name, adminToken, deleteWaitMs: DELETE_WAIT_MS },
    (key) => measureFigures(input, key, over),
  );
  return {
    format: 1,
    measured_at: new Date().toISOString(),
    ...input.deployed,
    ...figures,
    seconds: Math.round((performance.now() - startMs) / 1_000),
  };
}

type Figures = Omit<Measurement, "format" | "measured_at" | "seconds" | keyof MeasureInput["deployed"]>;

async function measureFigures(input: MeasureInput, key: string, over: AbortSignal): Promise<Figures> {
  const { plan } = input;
  const signal = AbortSignal.any([input.signal, over]);
  const client = new Client(input, key, signal);
  const failures: Measurement["failures"] = [];
  const attempt = async <T>(phase: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      signal.throwIfAborted();
      input.started(phase);
      return await work();
    } catch (error) {
      input.signal.throwIfAborted();
      failures.push({ phase, reason: over.aborted ? "The time was over." : reasonOf(error) });
      return null;
    }
  };
  const service = await attempt("Service", () => describeService(input, signal));
  // While the other phases run, because Vectorize may take minutes.
  const lag = attempt("Vector lag", () => measureVectorLag(client, plan, signal));
  lag.catch(() => {});
  const phases = {
    append: await attempt("Appends", () => measureAppends(client, plan, signal)),
    search: await attempt("Searches", () => measureSearches(client, plan, signal)),
    rows: await attempt("Rows", () => measureRows(client, 1, plan, signal)),
    rows_in_batches: await attempt("Rows in batches", () =>
      measureRows(client, BATCH_MESSAGES, plan, signal),
    ),
    search_rate: await attempt("Rate of searches", () => measureSearchRate(client, plan, signal)),
    append_rate: await attempt("Rate of appends", () => measureAppendRate(client, plan, signal)),
    large_appends: await attempt("Largest appends", () => measureLargeAppends(client, plan, signal)),
    vector_lag: await lag,
  };
  return {
    version: service?.version ?? "unknown",
    entered_at: service?.entered_at ?? null,
    ran_at: service?.ran_at ?? null,
    ...phases,
    requests: client.requests,
    rows_read: client.rowsRead,
    rows_written: client.rowsWritten,
    failures,
  };
}

async function describeService(target: Target, signal: AbortSignal) {
  const answer = z.object({ info: z.object({ version: z.string() }) });
  const { data, headers } = await callOnce(target, { path: "/openapi.json", answer, signal });
  return {
    version: data.info.version,
    entered_at: /-([A-Z]{3})$/.exec(headers.get("cf-ray") ?? "")?.[1] ?? null,
    ran_at: /-([A-Z]{3})$/.exec(headers.get("cf-placement") ?? "")?.[1] ?? null,
  };
}

async function measureAppends(
  client: Client,
  { calls, callsMs: forMs, failuresMax }: Plan,
  signal: AbortSignal,
) {
  const conversationId = await client.createConversation();
  const append = () => client.append(conversationId, [sentence(MESSAGE_BYTES)]);
  return measureLatency(append, { calls, forMs, failuresMax, signal });
}

function measureSearches(client: Client, { calls, callsMs: forMs, failuresMax }: Plan, signal: AbortSignal) {
  return measureLatency(() => client.search(sentence(QUERY_BYTES)), { calls, forMs, failuresMax, signal });
}

function measureSearchRate(client: Client, plan: Plan, signal: AbortSignal) {
  const { rateCalls: calls, rateMs: forMs } = plan;
  return measureRate(() => client.search(sentence(QUERY_BYTES)), { ...plan, calls, forMs, signal });
}

async function measureAppendRate(client: Client, plan: Plan, signal: AbortSignal) {
  const { rateCalls: calls, rateMs: forMs, connections } = plan;
  const conversations = await Promise.all(
    Array.from({ length: connections }, () => client.createConversation()),
  );
  const append = (connection: number) =>
    client.append(conversations[connection] ?? "", [sentence(MESSAGE_BYTES)]);
  return measureRate(append, { ...plan, calls, forMs, signal });
}
