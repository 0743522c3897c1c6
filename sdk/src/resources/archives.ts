import { Archives as GeneratedArchives } from "../generated/resources.ts";
import type { ExportLine } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { ExportedLine, ExportOptions } from "./exports.ts";

const NDJSON_TYPE = "application/x-ndjson";

/** Create, read, schedule and delete archives: copies of all conversations and memories in an object store. */
export class Archives extends GeneratedArchives {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    super(http);
    this.#http = http;
  }

  /**
   * Yield each line of an archive, in order, as `export` yields them. Needs the scope `admin`.
   *
   * To restore an archive, pass the lines to
   * `import` of the client of an organization that is empty.
   *
   * @throws {ApiError} `not_found` when there is no such archive.
   * @example
   * ```ts
   * const { messages, memories } = await other.import(engram.archives.lines(archive.id));
   * ```
   */
  async *lines(
    archiveId: string,
    options: ExportOptions = {},
  ): AsyncGenerator<ExportedLine, void, undefined> {
    const { parts } = await this.get(archiveId, options);
    for (const { number } of parts) {
      for await (const text of this.partLines(archiveId, { part: number }, options)) {
        const line = JSON.parse(text) as ExportLine;
        if (line.type !== "end") yield line;
      }
    }
  }

  /**
   * Yield each line of one part of an archive as text, without its line break. Together with the line breaks, they have
   * the SHA-256 that `get` returns for the part. Needs the scope `admin`.
   *
   * @throws {ApiError} `not_found` when the archive has no such part.
   * @example
   * ```ts
   * for await (const text of engram.archives.partLines(archive.id, { part: 1 })) console.log(text);
   * ```
   */
  partLines(
    archiveId: string,
    query: { part?: number } = {},
    options: ExportOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const params = { path: { archive_id: archiveId }, query };
    return this.#http.lines(options, NDJSON_TYPE, (client, init) =>
      client.GET("/v1/archives/{archive_id}/lines", { ...init, params }),
    );
  }
}
