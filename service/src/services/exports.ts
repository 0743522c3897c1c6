import type { EndLine, ExportLine } from "@engram/spec";
import type { Principal, RequestContext, ServiceContext } from "../context.ts";
import { refuseDeadKey, runBatch } from "../queries/batch.ts";
import * as queries from "../queries/exports.ts";
import { auditEvent } from "./audit-events.ts";

/** Pages of one answer: 50,000 lines at most, well within D1's 1,000 queries and a Worker's time. */
const PAGES_MAX = 100;

const COUNTED_AS = { conversation: "conversations", message: "messages", memory: "memories" } as const;

const encoder = new TextEncoder();

/**
 * Every conversation, message and memory of the organization behind a position, as lines of JSON.
 *
 * The first page is read before this resolves, so that what fails at once is answered as a problem; the
 * others as the reader takes them, one in hand and one on its way. What fails then breaks the stream off.
 */
export async function exportConversations(
  ctx: RequestContext,
  after: queries.ExportPosition | null,
): Promise<ReadableStream<Uint8Array>> {
  const { principal, runtime } = ctx;
  const { organizationId } = principal;
  const exported = auditEvent(ctx, principal, {
    organizationId,
    action: "data.exported",
    targetId: organizationId,
    nowMs: runtime.nowMs(),
  });
  const first = await readPage(ctx, principal, after ?? queries.EXPORT_START, [exported]);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  ctx.defer("export", (later) => writePages(later, principal, first, writable.getWriter()));
  return readable;
}

/** A page, to a key that is good still: a reader may take its time over many of them. */
async function readPage(
  { db, runtime }: ServiceContext,
  principal: Principal,
  after: queries.ExportPosition,
  statements: D1PreparedStatement[] = [],
): Promise<queries.ExportPage> {
  const results = await runBatch(db, [
    refuseDeadKey(db, { ...principal, nowMs: runtime.nowMs() }),
    ...statements,
    queries.exportPage(db, principal.organizationId, after),
  ]);
  return queries.readExportPage(results.at(-1));
}

async function writePages(
  ctx: ServiceContext,
  principal: Principal,
  first: queries.ExportPage,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  const end: EndLine = { type: "end", complete: true, conversations: 0, messages: 0, memories: 0 };
  try {
    let page = first;
    for (let pages = 1; ; pages++) {
      for (const { type } of page.lines) end[COUNTED_AS[type]] += 1;
      await writer.write(toText(page.lines));
      if (page.next === null || pages === PAGES_MAX) break;
      page = await readPage(ctx, principal, page.next);
    }
    await writer.write(toText([{ ...end, complete: page.next === null }]));
    await writer.close();
  } catch (error) {
    await writer.abort(error);
    throw error;
  }
}

const toText = (lines: ExportLine[]): Uint8Array =>
  encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
