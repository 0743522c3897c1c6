import { z } from "zod";
import { DeployError } from "./deploy-error.ts";

/** A new workers.dev address first needs a DNS entry and a certificate. */
const NEW_NAME_WAIT_MS = 180_000;
/** The previous version may still respond for some seconds. */
const NEW_VERSION_WAIT_MS = 20_000;
const RETRY_MS = 2_000;
const ANSWER_TIMEOUT_MS = 45_000;
const SHOWN_CHARACTERS_MAX = 500;
/** Secrets of API keys, which are removed from responses before they are printed. */
const KEY_SECRET = /engram_sk_\w+/g;

const SENTENCE = "The deployment stored this sentence to find it again.";

export interface SmokeTest {
  url: string;
  /** If undefined, the test only checks that the service responds. */
  adminToken: string | undefined;
  fetch: typeof fetch;
  sleep(ms: number): Promise<void>;
  /** Ends the test early. The organization that the test created is deleted even then. */
  signal: AbortSignal;
}

interface Call<T> {
  method?: string;
  path: string;
  token?: string;
  body?: unknown;
  status?: number;
  answer: z.ZodType<T>;
  waitMs?: number;
  signal?: AbortSignal;
}

export class UnexpectedAnswer extends DeployError {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** @returns The checks that passed. @throws {UnexpectedAnswer} If a check failed. */
export async function smokeTest(test: SmokeTest): Promise<string[]> {
  const { signal } = test;
  const look = <T>(path: string, answer: z.ZodType<T>, waitMs = NEW_VERSION_WAIT_MS) =>
    call(test, { path, answer, waitMs, signal });
  await look("/health", z.object({ status: z.literal("ok") }), NEW_NAME_WAIT_MS);
  await look("/ready", z.object({ status: z.literal("ready") }));
  await look("/openapi.json", z.object({ openapi: z.string() }));
  await look("/docs", z.string().regex(/<html/i));
  const pages = ["/health", "/ready", "/openapi.json", "/docs"];
  if (test.adminToken === undefined) return pages;
  await storeAndFind(test, test.adminToken);
  return [...pages, "store", "find", "delete"];
}

async function storeAndFind(test: SmokeTest, adminToken: string): Promise<void> {
  const { organization, key } = await call(test, {
    path: "/v1/organizations",
    token: adminToken,
    body: { name: "Smoke test of a deployment" },
    status: 201,
    answer: z.object({ organization: z.object({ id: z.string() }), key: z.object({ secret: z.string() }) }),
    waitMs: NEW_VERSION_WAIT_MS,
    // Without the abort signal: an organization whose id was never received could not be deleted.
  });
  const failures: unknown[] = [];
  await useOrganization(test, key.secret).catch((error: unknown) => failures.push(error));
  await call(test, {
    method: "DELETE",
    path: `/v1/organizations/${organization.id}`,
    token: adminToken,
    status: 202,
    answer: z.object({ id: z.string() }),
  }).catch((error: unknown) => failures.push(error));
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new UnexpectedAnswer(failures.map(reasonOf).join("\n"));
}

async function useOrganization(test: SmokeTest, token: string): Promise<void> {
  const { signal } = test;
  const conversation = await call(test, {
    path: "/v1/conversations",
    token,
    body: { title: "Smoke test" },
    status: 201,
    answer: z.object({ id: z.string() }),
    signal,
  });
  // `indexed` is false if Workers AI or Vectorize did not respond in time.
  await call(test, {
    path: `/v1/conversations/${conversation.id}/messages`,
    token,
    body: { messages: [{ role: "user", content: SENTENCE }], wait: "indexed" },
    status: 201,
    answer: z.object({ indexed: z.literal(true) }),
    signal,
  });
  await call(test, {
    path: "/v1/search",
    token,
    body: { query: SENTENCE, mode: "keyword" },
    answer: z.object({ results: z.tuple([z.object({ conversation_id: z.literal(conversation.id) })]) }),
    signal,
  });
}

/**
 * Repeats a request whose response is wrong.
 *
 * @throws {UnexpectedAnswer} If the response is still wrong after `waitMs`, or the request may have had an
 * effect.
 */
async function call<T>(test: SmokeTest, request: Call<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await callOnce(test, request);
    } catch (error) {
      if (waitedMs >= (request.waitMs ?? 0) || mayHaveHadEffect(request, error)) throw error;
      await test.sleep(RETRY_MS);
    }
  }
}

/**
 * A write that got 401 or 404 had no effect and can be repeated: a version of the Worker that does not have
 * the admin token yet rejects it. After any other error, the write may have been applied.
 */
function mayHaveHadEffect({ body }: Call<unknown>, error: unknown): boolean {
  const isRefused = error instanceof UnexpectedAnswer && (error.status === 401 || error.status === 404);
  return body !== undefined && !isRefused;
}

async function callOnce<T>(test: SmokeTest, request: Call<T>): Promise<T> {
  const { path, body, token, status = 200, answer } = request;
  const method = request.method ?? (body === undefined ? "GET" : "POST");
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  let response: Response;
  let text: string;
  try {
    response = await test.fetch(`${test.url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
    });
    text = await response.text();
  } catch (error) {
    throw new UnexpectedAnswer(`${method} ${path} got no answer: ${reasonOf(error)}`);
  }
  const { data, success } = answer.safeParse(parsed(text));
  if (response.status === status && success) return data;
  const shownText = text.slice(0, SHOWN_CHARACTERS_MAX).replaceAll(KEY_SECRET, "engram_sk_…");
  throw new UnexpectedAnswer(`${method} ${path} answered ${response.status}: ${shownText}`, response.status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The message of a failed `fetch` is only "fetch failed"; the reason is in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
