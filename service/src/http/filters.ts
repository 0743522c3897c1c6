import type { DeleteMemoriesBody } from "@engram/spec";
import type { z } from "@hono/zod-openapi";
import { toMs } from "./headers.ts";

type Filter = NonNullable<z.infer<typeof DeleteMemoriesBody>["filter"]>;

/** The filter of a list or a bulk change of conversations, or of memories, which alone have `kind` and `source`. */
export const toFilter = (filter: Filter) => ({
  agentId: filter.agent_id,
  userId: filter.user_id,
  kind: filter.kind,
  source: filter.source,
  tagsAny: filter.tags_any,
  tagsAll: filter.tags_all,
  createdAfterMs: toMs(filter.created_after),
  createdBeforeMs: toMs(filter.created_before),
  metadata: filter.metadata,
});
