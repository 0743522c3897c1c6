import { ConnectionError } from "./errors.ts";
import { type LogFields, type LogLevel, toLine } from "./logger.ts";
import { toApiError } from "./problem.ts";
import { answerRetryMs, backoffMs } from "./retry.ts";

/** The longest delay of `setTimeout`. With a longer one, it fires at once. */
const TIMER_MAX_MS = 2_147_483_647;

/** Milliseconds by which `setTimeout` may fire before its delay has passed by the clock. */
const TIMER_EARLY_MS = 1;

const NOTHING = new ArrayBuffer(0);

export interface Policy {
  fetch: (request: Request) => Promise<Response>;
  log: (level: LogLevel, fields: LogFields) => void;
  timeoutMs: number;
  deadlineMs: number;
  maxRetries: number;
}

/** The last response, with its body fully read, and whether an earlier attempt may have taken effect. */
export interface Sent {
  response: Response;
  mayHaveApplied: boolean;
}

/**
 * Sends a request, and repeats it until a response needs no retry, the retries are used up, or the next wait would
 * pass the deadline. Resolves to a response of any status.
 *
 * @param repeatable Whether the request is safe to repeat. By default everything except a POST without an
 *   idempotency key.
 * @throws {ConnectionError} `timeout` or `no_answer`. The reason of the request's signal when that signal aborts.
 */
export async function sendRepeatedly(
  request: Request,
  policy: Policy,
  repeatable = isRepeatable(request),
): Promise<Sent> {
  const { signal } = request;
  const deadlineAt = performance.now() + policy.deadlineMs;
  const body = await request.arrayBuffer();
  let mayHaveApplied = false;
  for (let retries = 0; ; retries += 1) {
    const startAt = performance.now();
    const limitMs = Math.min(policy.timeoutMs, deadlineAt - startAt, TIMER_MAX_MS);
    const outcome = await within(request, limitMs, (ending) =>
      exchange(copy(request, body, ending), policy.fetch),
    );
    const pauseMs = repeatable && retries < policy.maxRetries ? retryMs(outcome, retries) : null;
    const isLate = performance.now() + (pauseMs ?? 0) + TIMER_EARLY_MS >= deadlineAt;
    const waitMs = isLate ? null : pauseMs;
    policy.log(...toLine(request, outcome, { attempt: retries + 1, startAt, waitMs }));
    if (waitMs === null) {
      if (outcome instanceof ConnectionError) throw outcome;
      return { response: outcome, mayHaveApplied };
    }
    // Only a 429 guarantees that the attempt had no effect.
    mayHaveApplied ||= outcome instanceof ConnectionError || outcome.status !== 429;
    await sleep(waitMs, signal);
  }
}

/**
 * Sends a request once and resolves when the response begins. `readLines` reads its body.
 *
 * @throws {ApiError} for an error response, or one of another content type. {ConnectionError} `timeout` or
 *   `no_answer`. The reason of the request's signal when that signal aborts.
 */
export async function openLines(request: Request, type: string, policy: Policy): Promise<Response> {
  const startAt = performance.now();
  const response = await inTime(request, policy, (ending) => policy.fetch(copy(request, NOTHING, ending)));
  policy.log(...toLine(request, response, { attempt: 1, startAt, waitMs: null }));
  const { ok, headers, body } = response;
  if (!ok || body === null || !headers.get("content-type")?.startsWith(type)) {
    throw await inTime(request, policy, () =>
      toApiError(response, { idempotencyKey: null, mayHaveApplied: false }),
    );
  }
  return response;
}

/**
 * Yields each line of a response as it arrives. `timeoutMs` applies to each wait for more data.
 *
 * Ends when the response ends, and drops an incomplete last line. If the caller stops early, the connection is closed.
 *
 * @throws {ConnectionError} `timeout` or `no_answer`. The reason of the request's signal when that signal aborts.
 */
export async function* readLines(
  request: Request,
  { body }: Response,
  policy: Policy,
): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await inTime(request, policy, () => reader.read());
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      const lines = text.includes("\n") ? `${rest}${text}`.split("\n") : [rest + text];
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    // Stop the server from sending data that is no longer read.
    await reader.cancel().catch(() => {});
  }
}

/** Runs one step of an attempt, such as reading more data, within `timeoutMs`. Throws if it fails or takes longer. */
export async function inTime<T>(
  request: Request,
  { timeoutMs }: Pick<Policy, "timeoutMs">,
  part: (ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const outcome = await within(request, Math.min(timeoutMs, TIMER_MAX_MS), part);
  if (outcome instanceof ConnectionError) throw outcome;
  return outcome;
}

function isRepeatable({ method, headers }: Request): boolean {
  return method !== "POST" || headers.has("idempotency-key");
}

/** Milliseconds to wait after this response or failure before a retry; null if the call is not retried. */
export function retryMs(
  outcome: Pick<Response, "status" | "headers"> | ConnectionError,
  retries: number,
): number | null {
  const random = Math.random();
  if (outcome instanceof ConnectionError) return backoffMs(retries, random);
  return answerRetryMs(outcome, retries, { nowMs: Date.now(), random });
}

/**
 * Runs one step of an attempt with a time limit. If the step takes longer or throws, returns a `ConnectionError`
 * instead of throwing it.
 *
 * @throws The reason of the request's signal when that signal aborts.
 */
async function within<T>(
  request: Request,
  limitMs: number,
  part: (ending: AbortSignal) => Promise<T>,
): Promise<T | ConnectionError> {
  const { signal } = request;
  signal.throwIfAborted();
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  const timer = setTimeout(() => ending.abort(), limitMs);
  try {
    return await abortable(part(ending.signal), ending.signal);
  } catch (cause) {
    signal.throwIfAborted();
    return ending.signal.aborted ? timeout(request, limitMs) : noAnswer(request, cause);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

/** Each attempt needs a new request, because the body of a request can be sent only once. */
function copy({ url, method, headers }: Request, body: ArrayBuffer, signal: AbortSignal): Request {
  return new Request(url, {
    method,
    headers,
    body: body.byteLength > 0 ? body : null,
    signal,
    // `fetch` may turn a redirected POST into a GET. The response to the GET would look like one to the POST.
    redirect: "manual",
  });
}

/** Sends the request and reads the whole body of the response, so that a truncated response counts as a failure. */
async function exchange(request: Request, fetch: Policy["fetch"]): Promise<Response> {
  const response = await fetch(request);
  // In a browser, a redirect is a response without a status and a body. `new Response` cannot copy it.
  if (response.type === "opaqueredirect") return response;
  const bytes = await response.arrayBuffer();
  return new Response(bytes.byteLength > 0 ? bytes : null, response);
}

function timeout(request: Request, limitMs: number): ConnectionError {
  const code = "timeout";
  return connectionError(request, `within ${Math.max(0, Math.round(limitMs))} ms`, { code });
}

function noAnswer(request: Request, cause: unknown): ConnectionError {
  return connectionError(request, `(${describe(cause)})`, { code: "no_answer", cause });
}

/** The message leaves out the URL's query, which may contain user data. */
function connectionError(
  { method, url, headers }: Request,
  why: string,
  init: { code: ConnectionError["code"]; cause?: unknown },
): ConnectionError {
  const idempotencyKey = headers.get("idempotency-key");
  return new ConnectionError(`No response to ${method} ${new URL(url).pathname} ${why}`, {
    ...init,
    idempotencyKey,
  });
}

/** The message of an error. Node's `fetch` throws only "fetch failed"; the reason is in the `cause` of that error. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
}

/** Settles like `promise`, or rejects as soon as `signal` aborts, even if `promise` ignores the signal. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** @throws The signal's reason as soon as the signal aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  // After an abort, a timer that is still set would keep the process alive.
  await abortable(elapsed, signal).finally(() => clearTimeout(timer));
}
