import { ConnectionError } from "./errors.ts";

/** What a line of the log tells: never a key, a header, a query or a body. */
export interface LogFields {
  /** HTTP method. */
  method: string;
  /** Path of the URL, without its query, which may hold what people said. */
  path: string;
  /** Which attempt of its call it was, from 1. */
  attempt: number;
  /** From the request to the last byte of its answer, in milliseconds. */
  durationMs: number;
  /** HTTP status; absent when no answer came. */
  status?: number;
  /** Names the request in the service's logs; absent when the answer does not say. */
  requestId?: string;
  /** Why no answer came. */
  reason?: string;
  /** How long the call waits before its next attempt, in milliseconds; absent when this was the last. */
  retryInMs?: number;
}

/** Takes a line of the log: `console` is one, and so are most loggers. */
export interface Logger {
  /** An answer that the call ends with. */
  debug(message: string, fields: LogFields): void;
  /** An attempt that is repeated. */
  warn(message: string, fields: LogFields): void;
  /** A call that ends without an answer, or with one that the service is to blame for. */
  error(message: string, fields: LogFields): void;
}

/** From which lines on the log is told; each level includes those behind it. */
export type LogLevel = "debug" | "warn" | "error";

const LEVELS: LogLevel[] = ["debug", "warn", "error"];

/** The logger, deaf to what is below a level. A logger that fails fails no call. */
export function atLevel(logger: Logger, level: LogLevel): (level: LogLevel, fields: LogFields) => void {
  const least = LEVELS.indexOf(level);
  if (least < 0) throw new TypeError(`logLevel must be one of ${LEVELS.join(", ")}`);
  return (of, fields) => {
    if (LEVELS.indexOf(of) < least) return;
    const { method, path, status, reason } = fields;
    try {
      logger[of](`engram: ${method} ${path} ${status ?? reason}`, fields);
    } catch {
      // What the caller's logger cannot take is not worth the call.
    }
  };
}

/** What the log tells of an attempt, and how loudly. */
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
