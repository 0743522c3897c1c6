import { assertThat, nothing, type Statement, sql } from "../platform/sql.ts";
import { toAuthored } from "./queries.ts";

export const assertContentFree = (organizationId: string, id: string, contentHash: string): Statement<void> =>
  assertThat(
    "content_conflict",
    sql`NOT EXISTS (
          SELECT 1 FROM conversations AS mine
           CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.content_hash = ${contentHash}
                      AND coalesce(c.agent_id, '') = coalesce(mine.agent_id, '') AND c.deleted_at_ms IS NULL
           WHERE mine.organization_id = ${organizationId} AND mine.id = ${id} AND c.id <> ${id})`,
  );

/**
 * If the content hash changes, removes the tags and the summary that a text model wrote for the old
 * content.
 */
export function updatedMemory(input: {
  organizationId: string;
  id: string;
  contentHash: string | undefined;
  source: string | null | undefined;
  tags: string[] | undefined;
  summary: string | null | undefined;
  metadata: Record<string, unknown> | undefined;
  nowMs: number;
}): Statement<void> {
  const { source, summary } = input;
  const contentHash = input.contentHash ?? null;
  const tags = input.tags === undefined ? null : JSON.stringify(input.tags);
  const metadata = input.metadata === undefined ? null : JSON.stringify(input.metadata);
  const authored = toAuthored({ tags: tags !== null, summary: summary !== undefined });
  const isOutdated = sql`${contentHash} IS NOT NULL AND ${contentHash} <> content_hash`;
  return nothing(sql`
    UPDATE conversations
       SET content_hash = coalesce(${contentHash}, content_hash),
           source = CASE WHEN ${source !== undefined} THEN ${source ?? null} ELSE source END,
           tags = CASE WHEN ${tags} IS NOT NULL THEN ${tags} WHEN ${isOutdated} AND NOT authored & 1 THEN '[]' ELSE tags END,
           summary = CASE WHEN ${summary !== undefined} THEN ${summary ?? null}
                          WHEN ${isOutdated} AND NOT authored & 2 THEN NULL ELSE summary END,
           enriched_by = CASE WHEN ${isOutdated} THEN NULL ELSE enriched_by END,
           authored = authored | ${authored}, metadata = coalesce(${metadata}, metadata), version = version + 1,
           updated_at_ms = ${input.nowMs}
     WHERE organization_id = ${input.organizationId} AND id = ${input.id}`);
}
