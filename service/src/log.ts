import type { Meter } from "./ports/meter.ts";

/** Longest text of an error in the log: what a service behind this one says may go on for pages. */
const ERROR_CHARACTERS_MAX = 500;

type Fields = Record<string, string | number | boolean | null>;

/** The lines that one piece of work writes to the log, each a JSON object. Content and secrets stay out. */
export interface Log {
  info(event: string, fields: Fields): void;
  /** Something failed, whether or not anybody is told; `error` is whatever was thrown. */
  error(event: string, error: unknown, fields?: Fields): void;
}

/** A log whose lines all carry `shared`. */
export function createLog(shared: Fields): Log {
  return {
    info: (event, fields) => console.log(JSON.stringify({ event, ...shared, ...fields })),
    error: (event, error, fields = {}) => {
      const text = String(error).slice(0, ERROR_CHARACTERS_MAX);
      console.error(JSON.stringify({ event, ...shared, ...fields, error: text }));
    },
  };
}

/** What a piece of work took, as fields of a line. */
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
