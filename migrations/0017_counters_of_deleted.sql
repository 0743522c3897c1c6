-- The deletion of an organization subtracts soft-deleted rows from the counters. Before, a cancel recounted the rest.
UPDATE organization_counters
   SET (conversation_count, message_count, token_count, memory_count, memory_token_count) =
       (SELECT count(*) FILTER (WHERE c.kind = 'conversation'),
               coalesce(sum(c.message_count) FILTER (WHERE c.kind = 'conversation'), 0),
               coalesce(sum(c.token_count) FILTER (WHERE c.kind = 'conversation'), 0),
               count(*) FILTER (WHERE c.kind <> 'conversation'),
               coalesce(sum(c.token_count) FILTER (WHERE c.kind <> 'conversation'), 0)
          FROM conversations AS c
         WHERE c.organization_id = organization_counters.organization_id AND c.deleted_at_ms IS NULL)
 WHERE organization_id IN (SELECT id FROM organizations WHERE deleted_at_ms IS NOT NULL);
