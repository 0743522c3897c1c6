import type { ExportLine, ImportedLines } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** What the service takes in one request. */
const LINES_MAX = 1_000;
const BYTES_MAX = 8_388_608;

/** Lines of an export, as objects or as the text that they were written as. */
export type ImportLines = Iterable<ExportLine | string> | AsyncIterable<ExportLine | string>;

/** How far an import is. */
export interface ImportProgress extends ImportedLines {
  /** Lines that were answered for so far: an import that breaks off now may be begun again behind them. */
  lines: number;
}

/** How an import is made; times and retries are those of each of its requests. */
export interface ImportOptions extends CallOptions {
  /** Told after each request what came of all lines so far. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

const encoder = new TextEncoder();

/** Send lines, as many in a request as it takes, one request after the other. */
export async function importLines(
  http: Http,
  lines: ImportLines,
  options: ImportOptions,
): Promise<ImportedLines> {
  const imported: ImportedLines = {
    conversations: { created: 0, existing: 0 },
    messages: { created: 0, existing: 0 },
    memories: { created: 0, existing: 0 },
    problems: [],
  };
  let linesBefore = 0;
  for await (const part of parts(lines)) {
    const answer = await send(http, part, options);
    for (const what of ["conversations", "messages", "memories"] as const) {
      imported[what].created += answer[what].created;
      imported[what].existing += answer[what].existing;
    }
    for (const problem of answer.problems) {
      imported.problems.push({ ...problem, line: linesBefore + problem.line });
    }
    linesBefore += part.length;
    options.onProgress?.({ ...structuredClone(imported), lines: linesBefore });
  }
  return imported;
}

/** Lines in parts that one request may hold; a line that is too long alone. */
async function* parts(lines: ImportLines): AsyncGenerator<string[], void, undefined> {
  let part: string[] = [];
  let bytes = 0;
  for await (const line of lines) {
    const text = toText(line);
    const size = encoder.encode(text).byteLength + 1;
    if (part.length === LINES_MAX || (part.length > 0 && bytes + size > BYTES_MAX)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(text);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

function toText(line: ExportLine | string): string {
  if (typeof line !== "string") return JSON.stringify(line);
  const text = line.replace(/\r?\n$/, "");
  if (text.includes("\n")) throw new TypeError("each item must be one line");
  return text;
}

/** A POST that may be repeated: what is there already stays as it is. */
function send(http: Http, part: string[], options: ImportOptions): Promise<ImportedLines> {
  const repeatable = true;
  const body = part.map((line) => `${line}\n`).join("");
  return http.call(
    options,
    (client, init) =>
      client.POST("/v1/import", {
        ...init,
        headers: { "content-type": "application/x-ndjson" },
        // The contract types one line, not the text of many.
        body: body as unknown as ExportLine,
        bodySerializer: String,
      }),
    repeatable,
  );
}
