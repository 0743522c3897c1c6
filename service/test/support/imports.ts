import * as contracts from "@engram/spec";
import { nullsOf } from "../../../proof/support/nulls.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import type { Caller } from "./client.ts";
import { selectRows } from "./invocations.ts";

/** Lines as a body. A string is sent unchanged. */
export const toBody = (lines: unknown[]) =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
export const send = (caller: Caller, lines: unknown[], query: Record<string, string> = {}) =>
  caller.call(contracts.importLines, { rawBody: toBody(lines), query });
export const nothing = { created: 0, existing: 0 };

const TIMES = { created_at: "2026-11-02T09:30:00.000Z", updated_at: "2026-11-02T09:31:00.000Z" };

/** A conversation line; `id` is the end of its id. */
export const conversation = (id: string, more: object = {}): contracts.ConversationLine => ({
  ...nullsOf(contracts.ConversationLine),
  type: "conversation",
  id: `conv_${id.padStart(20, "0")}`,
  ...{ shared: false, tags: [], metadata: {} },
  ...{ message_count: 0, last_sequence: 0 },
  ...TIMES,
  ...more,
});

/** A message line. Its id is made of its conversation and its sequence. */
export const message = (of: string, sequence: number, more: object = {}): contracts.MessageLine => ({
  ...nullsOf(contracts.MessageLine),
  type: "message",
  id: `msg_${`${of}${sequence}`.padStart(20, "0")}`,
  conversation_id: `conv_${of.padStart(20, "0")}`,
  sequence,
  ...{ role: "user", content: `message ${sequence}`, metadata: {} },
  ...{ created_at: TIMES.created_at, stored_at: "2026-11-02T09:30:01.000Z" },
  ...more,
});

/** A memory line; `id` is the end of its id. */
export const memory = async (
  id: string,
  content: string,
  more: object = {},
): Promise<contracts.MemoryLine> => ({
  ...nullsOf(contracts.MemoryLine),
  type: "memory",
  id: `mem_${id.padStart(20, "0")}`,
  ...{ kind: "note", content, shared: false, sources: [], tags: [], metadata: {} },
  content_hash: await sha256Hex(content),
  ...TIMES,
  ...{ version: 1, stored_at: TIMES.updated_at, given: { tags: true, summary: true } },
  ...more,
});

/** Begins an import of several requests. */
export async function createImport(caller: Caller, body: object = {}) {
  const { id } = await caller.call(contracts.createImport, { body });
  const params = { operation_id: id };
  const queryAfter = (line: number, more: Record<string, string>) => ({
    ...params,
    after_line: String(line),
    ...more,
  });
  return {
    id,
    get: () => caller.call(contracts.getOperation, { params }),
    cancel: () => caller.call(contracts.cancelOperation, { params }),
    send: (after: number, lines: unknown[], more: Record<string, string> = {}) =>
      send(caller, lines, queryAfter(after, more)),
    /** The code of the problem with which the lines are rejected. */
    refuse: async (after: number, lines: unknown[], more: Record<string, string> = {}) => {
      const parts = { rawBody: toBody(lines), query: queryAfter(after, more) };
      return (await caller.fail(contracts.importLines, parts)).code;
    },
  };
}

/** All rows of an organization that an import could change, except its audit events. */
export const rowsOf = (organizationId: string) =>
  Promise.all(
    [
      "SELECT * FROM organization_counters WHERE organization_id = ?1",
      "SELECT * FROM conversations WHERE organization_id = ?1 ORDER BY id",
      "SELECT * FROM messages WHERE organization_id = ?1 ORDER BY id",
      "SELECT * FROM memory_versions WHERE organization_id = ?1 ORDER BY memory_id, version",
      "SELECT count(*) FROM index_jobs WHERE organization_id = ?1",
      "SELECT count(*) FROM enrichment_jobs WHERE organization_id = ?1",
    ].map((sql) => selectRows(sql, organizationId)),
  );
