import type { Call } from "../call.ts";
import type { BeginImportBody, ExportLine, ImportedLines, ImportOperation } from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Upper bound on the lines in one request. */
const LINES_MAX = 1_000;
/**
 * Upper bound on the bytes in a request of several lines. Below the 2 MiB that the service stores as a whole.
 */
const BYTES_MAX = 2_000_000;
/** Minimum size to count per field or item: a request can have at most 100,000 of them. */
const VALUE_BYTES = 25;

/** Lines of an export, as objects or as text. */
export type ImportLines = Iterable<ExportLine | string> | AsyncIterable<ExportLine | string>;

/** Result of an import, over all lines that this call sent. */
export interface ImportSummary extends ImportedLines {
  /** The operation that counts the lines; null for an import that fits in one request. */
  operation_id: string | null;
}

/** Progress of an import. */
export interface ImportProgress extends ImportSummary {
  /** Lines processed so far, including those of earlier calls. */
  lines: number;
}

/** Options of an import. Time limits and retries apply to each of its requests. */
export interface ImportOptions extends CallOptions {
  /**
   * Resume an operation that `beginImport` returned, or that the progress of an interrupted call reported.
   * Needs the scope `read` too.
   *
   * Pass the same lines again, from the first one on. Lines that the operation has already processed are not
   * sent, except for the last 1,000: the response that listed their problems may have been lost.
   */
  operationId?: string | undefined;
  /**
   * Receives the cumulative result after each request, and once before the first request of a resumed import.
   */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

const encoder = new TextEncoder();

/** Start the operation of an import of many requests. */
export function beginImport(http: Http, body: BeginImportBody, options: WriteOptions): Call<ImportOperation> {
  return http.call(options, (client, init) =>
    client.POST("/v1/imports", { ...init, params: { header: idempotencyHeader(options) }, body }),
  );
}

/** Send lines in requests of the largest allowed size, one after the other. */
export async function importLines(
  http: Http,
  lines: ImportLines,
  options: ImportOptions,
): Promise<ImportSummary> {
  let operationId = options.operationId ?? null;
  const imported: ImportSummary = {
    conversations: { created: 0, existing: 0 },
    messages: { created: 0, existing: 0 },
    memories: { created: 0, existing: 0 },
    problems: [],
    operation_id: operationId,
  };
  const countBefore = async () => {
    if (operationId === null) return 0;
    const before = Math.max(0, (await countTaken(http, operationId, options)) - LINES_MAX);
    options.onProgress?.({ ...structuredClone(imported), lines: before });
    return before;
  };
  for await (const { before, part, isLast } of parts(lines, countBefore)) {
    if (operationId === null && part.length === 0) break;
    // A single request needs no operation: it is stored whole or not at all.
    if (operationId === null && !isLast) operationId = (await beginImport(http, {}, options)).id;
    const place = operationId === null ? {} : { operation_id: operationId, after_line: before, last: isLast };
    const answer = await send(http, part, place, options);
    for (const what of ["conversations", "messages", "memories"] as const) {
      imported[what].created += answer[what].created;
      imported[what].existing += answer[what].existing;
    }
    for (const problem of answer.problems) {
      imported.problems.push({ ...problem, line: before + problem.line });
    }
    imported.operation_id = operationId;
    options.onProgress?.({ ...structuredClone(imported), lines: before + part.length });
  }
  return imported;
}

async function countTaken(http: Http, operationId: string, options: ImportOptions): Promise<number> {
  const operation = await http.call(options, (client, init) =>
    client.GET("/v1/operations/{operation_id}", { ...init, params: { path: { operation_id: operationId } } }),
  );
  return operation.type === "import" ? operation.lines_processed : 0;
}

/**
 * Split lines into the parts of each request, each with the number of lines before it. Skips the first
 * `countBefore` lines. A line over the size limit becomes a part of its own. The last part is empty when no
 * lines remain.
 */
async function* parts(
  lines: ImportLines,
  countBefore: () => Promise<number>,
): AsyncGenerator<{ before: number; part: string[]; isLast: boolean }, void, undefined> {
  let part: string[] = [];
  let bytes = 0;
  let number = 0;
  let before: number | undefined;
  for await (const line of lines) {
    // Wait for the first line before calling `countBefore`: lines that a file emits while nothing reads it
    // would be lost.
    before ??= await countBefore();
    number += 1;
    if (number <= before) continue;
    const text = toText(line);
    // Every field or item ends in one of these characters. Counting them in text too only makes a part
    // smaller.
    const values = text.split(/[,\]}]/).length;
    const size = Math.max(encoder.encode(text).byteLength + 1, VALUE_BYTES * values);
    if (part.length === LINES_MAX || (part.length > 0 && bytes + size > BYTES_MAX)) {
      yield { before, part, isLast: false };
      before += part.length;
      part = [];
      bytes = 0;
    }
    part.push(text);
    bytes += size;
  }
  yield { before: before ?? (await countBefore()), part, isLast: true };
}

function toText(line: ExportLine | string): string {
  if (typeof line !== "string") return JSON.stringify(line);
  const text = line.replace(/\r?\n$/, "");
  if (text.includes("\n")) throw new TypeError("each item must be one line");
  return text;
}

/** This POST is safe to retry: existing items are left unchanged. */
function send(
  http: Http,
  part: string[],
  query: { operation_id?: string; after_line?: number; last?: boolean },
  options: ImportOptions,
): Promise<ImportedLines> {
  const repeatable = true;
  const body = part.map((line) => `${line}\n`).join("");
  return http.call(
    options,
    (client, init) =>
      client.POST("/v1/import", {
        ...init,
        params: { query },
        headers: { "content-type": "application/x-ndjson" },
        // The contract types a single line, not the text of many.
        body: body as unknown as ExportLine,
        bodySerializer: String,
      }),
    repeatable,
  );
}
