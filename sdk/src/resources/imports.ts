import type { Call } from "../call.ts";
import type { BeginImportBody, ExportLine, ImportedLines, Operation } from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Lines in one request. */
const LINES_MAX = 1_000;
/** Bytes in one request of several lines: below the 2 MiB that the service stores as a whole. */
const BYTES_MAX = 2_000_000;
/** Bytes that a field or item counts at least, since a request also ends at 100,000 of them. */
const VALUE_BYTES = 25;

/** Lines of an export, as objects or as the text that they were written as. */
export type ImportLines = Iterable<ExportLine | string> | AsyncIterable<ExportLine | string>;

/** What came of an import: of all lines that this call sent. */
export interface ImportSummary extends ImportedLines {
  /** The operation that counts its lines; null for an import that fits one request, which is done with its answer. */
  operation_id: string | null;
}

/** How far an import is. */
export interface ImportProgress extends ImportSummary {
  /** Lines that are done so far, those of an earlier call too. */
  lines: number;
}

/** How an import is made; times and retries are those of each of its requests. */
export interface ImportOptions extends CallOptions {
  /**
   * Go on with an import that was begun: as `beginImport` answered it, or as the progress of a call that ended
   * early told it. Give the same lines again, from the first on: those that the operation has had are not sent, but
   * for the last 1,000 of them, since the answer that told what was refused of them may have been lost. Needs the
   * scope `read` too.
   */
  operationId?: string | undefined;
  /** Told what came of all lines so far: after each request, and before the first of an import that goes on. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

const encoder = new TextEncoder();

/** Open an operation for an import of many requests. */
export function beginImport(http: Http, body: BeginImportBody, options: WriteOptions): Call<Operation> {
  return http.call(options, (client, init) =>
    client.POST("/v1/imports", { ...init, params: { header: idempotencyHeader(options) }, body }),
  );
}

/** Send lines, as many in a request as it takes, one request after the other. */
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
    // What fits one request needs none: it is stored whole, or not at all.
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

/** How many lines an import has had. */
async function countTaken(http: Http, operationId: string, options: ImportOptions): Promise<number> {
  const { progress } = await http.call(options, (client, init) =>
    client.GET("/v1/operations/{operation_id}", { ...init, params: { path: { operation_id: operationId } } }),
  );
  return progress?.done ?? 0;
}

/**
 * Lines in parts that one request may hold, each with how many come before it, from behind the first `countBefore` on;
 * a line that is too long alone. The last part is empty when there is nothing behind them.
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
    // Not sooner: lines of a file that come before anybody reads them would be lost.
    before ??= await countBefore();
    number += 1;
    if (number <= before) continue;
    const text = toText(line);
    // A field or item ends in one of these; text that holds them only makes a part smaller.
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

/** A POST that may be repeated: what is there already stays as it is. */
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
        // The contract types one line, not the text of many.
        body: body as unknown as ExportLine,
        bodySerializer: String,
      }),
    repeatable,
  );
}
