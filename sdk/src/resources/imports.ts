import type { Resources } from "../generated/client.ts";
import { IMPORT_LINES_MAX } from "../generated/limits.ts";
import type { ExportLine, ImportedLines } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/**
 * Maximum size of a request of several lines, in bytes. The service stores up to 2 MiB in one transaction, so a
 * request of this size is stored completely or not at all.
 */
const BYTES_MAX = 2_000_000;
/**
 * A line counts as at least this many bytes for each of its object fields and array items. The service accepts at most
 * 100,000 of them in a request, so `BYTES_MAX` also keeps a request below that limit.
 */
const VALUE_BYTES = 25;

/** Lines of an export, as objects or as text. */
export type ImportLines = Iterable<ExportLine | string> | AsyncIterable<ExportLine | string>;

/** Result of an import: the sum of the results of all requests that this call sent. */
export interface ImportSummary extends ImportedLines {
  /** Id of the operation that counts the lines; null for an import that fits in one request. */
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
   * Id of an import to continue: one that `createImport` returned, or that `onProgress` reported before the call was
   * interrupted. Needs the scope `read` too.
   *
   * Pass the same lines again, from the first one on. Lines that the operation has already processed are not
   * sent, except for the last 1,000: the response that listed their problems may have been lost.
   */
  operationId?: string | undefined;
  /**
   * Called after each request with the result so far. If `operationId` is given, it is also called once before the
   * first lines are sent.
   */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

const COUNTED = ["conversations", "messages", "memories", "memory_versions", "recalls"] as const;

const encoder = new TextEncoder();

/** Sends lines in as few requests as possible, one after the other. */
export async function importLines(
  client: Pick<Resources, "createImport" | "operations">,
  http: Http,
  lines: ImportLines,
  options: ImportOptions,
): Promise<ImportSummary> {
  let operationId = options.operationId ?? null;
  const imported: ImportSummary = {
    conversations: { created: 0, existing: 0 },
    messages: { created: 0, existing: 0 },
    memories: { created: 0, existing: 0 },
    memory_versions: { created: 0, existing: 0 },
    recalls: { created: 0, existing: 0 },
    problems: [],
    skipped: [],
    operation_id: operationId,
  };
  const countBefore = async () => {
    if (operationId === null) return 0;
    const before = Math.max(0, (await countTaken(client, operationId, options)) - IMPORT_LINES_MAX);
    options.onProgress?.({ ...structuredClone(imported), lines: before });
    return before;
  };
  for await (const { before, part, isLast } of parts(lines, countBefore)) {
    if (operationId === null && part.length === 0) break;
    // A single request needs no operation, because it is stored completely or not at all.
    if (operationId === null && !isLast) operationId = (await client.createImport({}, options)).id;
    const place = operationId === null ? {} : { operation_id: operationId, after_line: before, last: isLast };
    const answer = await send(http, part, place, options);
    // A service of an earlier version does not have all of these fields.
    for (const what of COUNTED) {
      imported[what].created += answer[what]?.created ?? 0;
      imported[what].existing += answer[what]?.existing ?? 0;
    }
    const placed = <Line extends { line: number }>(one: Line) => ({ ...one, line: before + one.line });
    imported.problems.push(...answer.problems.map(placed));
    imported.skipped.push(...(answer.skipped ?? []).map(placed));
    imported.operation_id = operationId;
    options.onProgress?.({ ...structuredClone(imported), lines: before + part.length });
  }
  return imported;
}

async function countTaken(
  { operations }: Pick<Resources, "operations">,
  operationId: string,
  options: ImportOptions,
): Promise<number> {
  const operation = await operations.get(operationId, options);
  return operation.type === "import" ? operation.lines_processed : 0;
}

/**
 * Splits lines into parts, one for each request. `before` is the number of lines that precede the part. Skips as many
 * lines as `countBefore` returns. A line above the size limit becomes a part of its own. If all lines are skipped, the
 * only part is empty.
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
    // `countBefore` waits for a request. It is called only after the first line has arrived, because lines that
    // Node's `readLines` emits before iteration begins would be lost.
    before ??= await countBefore();
    number += 1;
    if (number <= before) continue;
    const text = toText(line);
    // A line has at least as many of the characters `,`, `]` and `}` as fields and items, because each field and item
    // ends with one of them. If texts in the line contain more of them, the part only becomes smaller than necessary.
    const values = text.split(/[,\]}]/).length;
    const size = Math.max(encoder.encode(text).byteLength + 1, VALUE_BYTES * values);
    if (part.length === IMPORT_LINES_MAX || (part.length > 0 && bytes + size > BYTES_MAX)) {
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

/** Sends one request. It is retried without an idempotency key, because the service leaves existing items unchanged. */
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
      client.POST("/v1/imports/lines", {
        ...init,
        params: { query },
        headers: { "content-type": "application/x-ndjson" },
        // The cast is necessary because the body has the type of a single line in the OpenAPI document.
        body: body as unknown as ExportLine,
        bodySerializer: String,
      }),
    repeatable,
  );
}
