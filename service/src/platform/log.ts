import type { Meter } from "./meter.ts";

/** Error texts are cut to this length: those of Cloudflare's services can be very long. */
const ERROR_CHARACTERS_MAX = 500;

type Fields = Record<string, string | number | boolean | null>;

/** Writes one JSON object per line. Callers never pass content or secrets. */
export interface Log {
  info(event: string, fields: Fields): void;
  error(event: string, error: unknown, fields?: Fields): void;
}

export function createLog(shared: Fields): Log {
  return {
    info: (event, fields) => console.log(JSON.stringify({ event, ...shared, ...fields })),
    error: (event, error, fields = {}) => {
      const text = String(error).slice(0, ERROR_CHARACTERS_MAX);
      console.error(JSON.stringify({ event, ...shared, ...fields, error: text }));
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
