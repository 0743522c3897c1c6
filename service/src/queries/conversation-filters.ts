import type { Owner } from "./batch.ts";

/** What a list of conversations is narrowed to; all of it must hold. */
export interface ConversationFilter {
  agentId?: string | undefined;
  userId?: string | undefined;
  externalId?: string | undefined;
  tagsAny?: string[] | undefined;
  tagsAll?: string[] | undefined;
  createdAfterMs?: number | undefined;
  createdBeforeMs?: number | undefined;
  metadata?: Record<string, string | number | boolean> | undefined;
}

/** The WHERE that keeps the owner's conversations a filter allows, over `c`; binds ?1 to ?10. */
export const CONVERSATION_FILTER = `c.organization_id = ?1 AND c.deleted_at_ms IS NULL
  AND (?2 IS NULL OR c.agent_id = ?2)
  AND (?3 IS NULL OR c.agent_id = ?3)
  AND (?4 IS NULL OR c.user_id = ?4)
  AND (?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(c.tags) AS t WHERE t.value IN (SELECT value FROM json_each(?5))))
  AND (?6 IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(?6) AS w
                                  WHERE w.value NOT IN (SELECT value FROM json_each(c.tags))))
  AND (?7 IS NULL OR c.created_at_ms >= ?7)
  AND (?8 IS NULL OR c.created_at_ms < ?8)
  AND (?9 IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(?9) AS w
                                  WHERE NOT EXISTS (SELECT 1 FROM json_each(c.metadata) AS m
                                                     WHERE m.key = w.key AND m.atom = w.atom
                                                       AND (m.type IN ('true', 'false')) = (w.type IN ('true', 'false')))))
  AND (?10 IS NULL OR c.external_id = ?10)`;

/** The binds of `CONVERSATION_FILTER`. */
export function conversationFilterBinds(owner: Owner, filter: ConversationFilter): unknown[] {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  return [
    owner.organizationId,
    owner.agentId,
    filter.agentId ?? null,
    filter.userId ?? null,
    json(filter.tagsAny),
    json(filter.tagsAll),
    filter.createdAfterMs ?? null,
    filter.createdBeforeMs ?? null,
    json(filter.metadata),
    filter.externalId ?? null,
  ];
}
