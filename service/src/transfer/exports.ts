import type { EndLine } from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { readMoment } from "../filters/moments.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import type { ServiceLimits } from "../limits.ts";
import { assertKeyActive } from "../platform/batch.ts";
import type { Principal } from "../platform/principal.ts";
import { batch, type Statement, type Statements } from "../platform/sql.ts";
import { hasRecalls } from "../recalls/queries.ts";
import { firstKept } from "../recalls/service.ts";
import * as queries from "./exports-queries.ts";

const encoder = new TextEncoder();

/**
 * The first page is read before this resolves, so that a failure becomes an error response. Every further
 * page is read only when the client asks for more, so an export whose client does not read keeps one page
 * in memory. If reading a further page fails, the response is cut off.
 */
export async function exportData(
  caller: KeyCaller,
  {
    userId,
    after,
    asOf,
  }: { userId: string | null; after: queries.ExportPosition | null; asOf: string | undefined },
): Promise<ReadableStream<Uint8Array>> {
  const { principal, runtime } = caller;
  const { organizationId } = principal;
  const moment = await readMoment(caller, asOf);
  const exported = auditEvent(caller, principal, {
    organizationId,
    action: "data.exported",
    targetId: userId ?? organizationId,
    nowMs: runtime.nowMs(),
  });
  const first = await readPage(
    caller,
    { principal, userId, moment, after: after ?? queries.EXPORT_START },
    exported,
  );
  const ended = Promise.withResolvers<void>();
  // The export runs on after its response begins, which is when the request is logged. So it is logged
  // separately.
  const counted: { invocation: Invocation } = { invocation: caller };
  caller.defer("export", (later) => {
    counted.invocation = later;
    return ended.promise;
  });
  return toStream(writePages(counted, { principal, userId, moment }, first), ended);
}

interface ExportedData extends Omit<queries.Exported, "organizationId" | "firstRecallId"> {
  principal: Principal;
}

/** Reads a page. Checks the key again, because it may be revoked while the client reads slowly. */
function readPage(
  invocation: Invocation,
  { principal, after, ...items }: ExportedData & { after: queries.ExportPosition },
  event: Statement<void> | null = null,
): Promise<queries.ExportPage> {
  const { organizationId } = principal;
  const key = assertKeyActive({ ...principal, nowMs: invocation.runtime.nowMs() });
  return readPageAfter(invocation, { ...items, organizationId }, after, { key, event });
}

/** Reads the page after a position. @param first statements that come first in its transaction. */
export async function readPageAfter(
  { db, limits, runtime }: Invocation,
  items: Omit<queries.Exported, "firstRecallId">,
  after: queries.ExportPosition,
  first: Statements = null,
): Promise<queries.ExportPage> {
  const { organizationId } = items;
  const { page, versions, recalls } = await batch(db, {
    first,
    page: queries.exportPage(
      { ...items, firstRecallId: firstKept(runtime.nowMs()) },
      after,
      limitsOf(limits),
    ),
    versions: "version" in after || "recall" in after ? null : queries.hasVersions(organizationId),
    recalls: "recall" in after ? null : hasRecalls(organizationId),
  });
  if (page.next !== null) return page;
  return { ...page, next: versions ? queries.VERSIONS_START : recalls ? queries.RECALLS_START : null };
}

/** The limits are small, because each export whose client does not read keeps one page in memory. */
const limitsOf = ({ exportStepBytes, exportStepRows, pageValues }: ServiceLimits) => ({
  pageBytes: exportStepBytes,
  pageRows: exportStepRows,
  pageValues,
});

/** The last line, as it is sent. */
export const endLine = (end: EndLine) => encoder.encode(`${JSON.stringify(end)}\n`);

async function* writePages(
  counted: { invocation: Invocation },
  data: ExportedData,
  page: queries.ExportPage,
): AsyncGenerator<Uint8Array, void, undefined> {
  const end: EndLine = {
    ...{ type: "end", complete: true, conversations: 0, messages: 0 },
    ...{ memories: 0, memory_versions: 0, recalls: 0 },
  };
  for (let pages = 1; ; pages++) {
    end.conversations += page.counts.conversation;
    end.messages += page.counts.message;
    end.memories += page.counts.memory;
    end.memory_versions += page.counts.memory_version;
    end.recalls += page.counts.recall;
    yield page.text;
    if (page.next === null || pages === counted.invocation.limits.exportSteps) break;
    page = await readPage(counted.invocation, { ...data, after: page.next });
  }
  yield endLine({ ...end, complete: page.next === null });
}

function toStream(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  ended: PromiseWithResolvers<void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (!done) return controller.enqueue(value);
          controller.close();
          ended.resolve();
        } catch (error) {
          ended.reject(error);
          throw error;
        }
      },
      cancel: () => ended.resolve(),
    },
    // With the default of 1, the stream would take a chunk before its reader asks for one.
    { highWaterMark: 0 },
  );
}
