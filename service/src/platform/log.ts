import type { Meter } from "./meter.ts";
import type { Runtime } from "./runtime.ts";
import { StorageFull } from "./storage.ts";

/** Error texts are cut to this length: those of Cloudflare's services can be very long. */
const ERROR_CHARACTERS_MAX = 500;

type Fields = Record<string, string | number | boolean | null>;

/** Writes one JSON object per line, with its time and level. Callers never pass content or secrets. */
export interface Log {
  info(event: string, fields: Fields): void;
  error(event: string, error: unknown, fields?: Fields): void;
}

/** @param shared Fields of every line, such as those of the request that the lines belong to. */
export function createLog(runtime: Runtime, shared: Fields = {}): Log {
  const toLine = (level: "info" | "error", event: string, fields: Fields) =>
    JSON.stringify({ time: new Date(runtime.nowMs()).toISOString(), level, event, ...shared, ...fields });
  return {
    info: (event, fields) => console.log(toLine("info", event, fields)),
    error: (event, error, fields = {}) => {
      // Reported once, not for each request and each part of the background work.
      if (error instanceof StorageFull && error.isReported) return;
      const text = String(error).slice(0, ERROR_CHARACTERS_MAX);
      console.error(toLine("error", event, { ...fields, error: text }));
    },
  };
}

export function toFields(meter: Meter, durationMs: number): Fields {
  return {
    duration_ms: durationMs,
    d1_calls: meter.d1.count,
    rows_read: meter.rowsRead,
    rows_written: meter.rowsWritten,
    ai_calls: meter.ai.count,
    vectorize_calls: meter.vectorize.count,
  };
}
