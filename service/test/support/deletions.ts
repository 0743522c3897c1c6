import * as contracts from "@engram/spec";
import { createOrganization, seedConversation } from "./client.ts";
import { env } from "./env.ts";
import { Clock, Service, sweepUntilIdle } from "./invocations.ts";

export const TEXTS = [
  "We met at the harbour.",
  "The zeppelin lands at noon.",
  "Bring an umbrella.",
  "See you there.",
];

/** An organization with an indexed conversation, served by a service with its own clock. */
export async function openIndexed(
  bindings: ConstructorParameters<typeof Service>[0] = {},
  place?: contracts.Place,
) {
  const { secret, organizationId } = await createOrganization("test", place);
  const clock = new Clock();
  const service = new Service(bindings, clock);
  const caller = service.callerOf(secret);
  const id = await seedConversation(caller, TEXTS);
  await service.settle();
  const params = { conversation_id: id };
  const { items } = await caller.call(contracts.listMessages, { params });
  const message = { ...params, message_id: items[1]?.id ?? "" };
  const operation = (operation_id: string) =>
    caller.call(contracts.getOperation, { params: { operation_id } });
  const found = async (mode: string) => {
    const { results } = await caller.call(contracts.search, {
      body: { query: "When does the zeppelin land?", mode },
    });
    return results.flatMap(({ messages }) => messages.map(({ sequence }) => sequence)).sort();
  };
  const idle = () => sweepUntilIdle(service, clock, organizationId);
  return { secret, organizationId, clock, service, caller, id, params, message, operation, found, idle };
}

/** The database, with `before` called before each batch that holds a statement with `fragment`. */
export function databaseWith(fragment: string, before: () => Promise<void>): D1Database {
  const marked = new WeakSet<D1PreparedStatement>();
  return {
    prepare: (sql: string) => {
      const statement = env.DB.prepare(sql);
      const bind = statement.bind.bind(statement);
      statement.bind = (...values: unknown[]) => {
        const bound = bind(...values);
        if (sql.includes(fragment)) marked.add(bound);
        return bound;
      };
      return statement;
    },
    batch: async (statements: D1PreparedStatement[]) => {
      if (statements.some((statement) => marked.has(statement))) await before();
      return env.DB.batch(statements);
    },
  } as unknown as D1Database;
}

/**
 * Inserts `count` empty conversations of a user, as if they had been created one by one. Their ids begin with
 * `ids`.
 */
export async function insertConversations(
  organizationId: string,
  count: number,
  userId: string,
  ids = `conv_${userId}`,
): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO conversations (organization_id, id, user_id, created_at_ms, updated_at_ms)
       SELECT ?1, ?4 || i, ?3, i, i FROM n`,
    ).bind(organizationId, count, userId, ids),
    env.DB.prepare(
      "UPDATE organization_counters SET conversation_count = conversation_count + ?2 WHERE organization_id = ?1",
    ).bind(organizationId, count),
  ]);
}
