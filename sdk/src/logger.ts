import { ConnectionError } from "./errors.ts";

/** Fields of a log line. They never contain a key, a header, a query or a body. */
export interface LogFields {
  /** HTTP method. */
  method: string;
  /** Path of the URL. The query is left out because it may contain user data. */
  path: string;
  /** Number of the attempt within its call, starting at 1. */
  attempt: number;
  /** Duration of the attempt in milliseconds, including the body of the response, except for an export. */
  durationMs: number;
  /** HTTP status; absent when no response arrived. */
  status?: number;
  /** Identifies the request in the service's logs; absent when the response has no id. */
  requestId?: string;
  /** Why no response arrived: `timeout` or `no_answer`; absent when one arrived. */
  reason?: string;
  /** How long the call waits before its next attempt, in milliseconds; absent for the last attempt. */
  retryInMs?: number;
}

/** Receives log lines. `console` and most logging libraries fit. */
export interface Logger {
  /** The final response of a call, unless it is a server error. */
  debug(message: string, fields: LogFields): void;
  /** An attempt that will be retried. */
  warn(message: string, fields: LogFields): void;
  /** A call that ended without a response, or with a server error (5xx). */
  error(message: string, fields: LogFields): void;
}

/**
 * Level of a log line: `warn` for an attempt that will be retried, `error` for a call that ended without a response or
 * with a server error (5xx), `debug` for every other final response.
 */
export type LogLevel = "debug" | "warn" | "error";

const LEVELS: LogLevel[] = ["debug", "warn", "error"];

/**
 * Returns a function that passes log lines of a level or above to the logger.
 *
 * @throws {TypeError} for an unknown level.
 */
export function atLevel(logger: Logger, level: LogLevel): (level: LogLevel, fields: LogFields) => void {
  const least = LEVELS.indexOf(level);
  if (least < 0) throw new TypeError(`logLevel must be one of ${LEVELS.join(", ")}`);
  return (of, fields) => {
    if (LEVELS.indexOf(of) < least) return;
    const { method, path, status, reason } = fields;
    try {
      logger[of](`engram: ${method} ${path} ${status ?? reason}`, fields);
    } catch {
      // An error in the caller's logger must not fail the call.
    }
  };
}

export function toLine(
  { method, url }: Request,
  outcome: Response | ConnectionError,
  { attempt, startAt, waitMs }: { attempt: number; startAt: number; waitMs: number | null },
): [LogLevel, LogFields] {
  const noAnswer = outcome instanceof ConnectionError;
  const requestId = noAnswer ? null : outcome.headers.get("x-request-id");
  const isBad = noAnswer || outcome.status >= 500;
  const fields = {
    method,
    path: new URL(url).pathname,
    attempt,
    durationMs: Math.round(performance.now() - startAt),
    ...(noAnswer ? { reason: outcome.code } : { status: outcome.status }),
    ...(requestId === null ? {} : { requestId }),
    ...(waitMs === null ? {} : { retryInMs: Math.round(waitMs) }),
  };
  return [waitMs !== null ? "warn" : isBad ? "error" : "debug", fields];
}
