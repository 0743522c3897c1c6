/** The data that a query may access: an organization's, or that of one of its agents. */
export interface Owner {
  organizationId: string;
  /** Null for all agents. */
  agentId: string | null;
}

/** A precondition of a batch failed, and the batch wrote nothing. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, cause: unknown) {
    super(code, { cause });
    this.name = "Refused";
    this.code = code;
  }
}

/** D1 limits a string to 2,000,000 bytes. A list bound as JSON is split well below that. */
const LIST_BYTES_MAX = 1_500_000;

const encoder = new TextEncoder();

/**
 * Runs statements as one transaction.
 *
 * @throws {Refused} with the code that a statement inserted into `refusals`.
 */
export async function runBatch(
  db: D1Database,
  statements: D1PreparedStatement[],
): Promise<D1Result<unknown>[]> {
  try {
    return await db.batch(statements);
  } catch (error) {
    const code = /refused:(\w+)/.exec(String(error))?.[1];
    throw code === undefined ? error : new Refused(code, error);
  }
}

/** Ends the batch with `code` if `condition` holds. Neither may contain caller text. */
export function refuseWhen(db: D1Database, code: string, condition: string): D1PreparedStatement {
  return db.prepare(`INSERT INTO refusals (code) SELECT 'refused:${code}' WHERE ${condition}`);
}

interface KeyAt {
  organizationId: string;
  keyId: string;
  nowMs: number;
}

/** Deleting an organization revokes its keys in the same batch, so checking the key's row is enough. */
const LIVE_KEY = `EXISTS (SELECT 1 FROM api_keys
                           WHERE organization_id = ?1 AND id = ?2 AND revoked_at_ms IS NULL
                             AND (expires_at_ms IS NULL OR expires_at_ms > ?3))`;

/** Ends the batch if the key was revoked or has expired since it was looked up. */
export const refuseDeadKey = (db: D1Database, key: KeyAt): D1PreparedStatement =>
  refuseWhen(db, "unauthenticated", `NOT ${LIVE_KEY}`).bind(key.organizationId, key.keyId, key.nowMs);

/** Reads whether the key is active. Unlike `refuseDeadKey` it writes nothing. */
export const liveKey = (db: D1Database, key: KeyAt): D1PreparedStatement =>
  db.prepare(`SELECT ${LIVE_KEY} AS is_live`).bind(key.organizationId, key.keyId, key.nowMs);

export const isLiveKey = (result: D1Result<Record<string, unknown>> | undefined): boolean =>
  result?.results[0]?.is_live === 1;

const refuseAbsent = (kind: string) => (db: D1Database, owner: Owner, id: string) =>
  refuseWhen(
    db,
    "not_found",
    `NOT EXISTS (SELECT 1 FROM conversations
                  WHERE organization_id = ?1 AND id = ?2 AND deleted_at_ms IS NULL AND kind ${kind}
                    AND (?3 IS NULL OR agent_id = ?3))`,
  ).bind(owner.organizationId, id, owner.agentId);

export const refuseAbsentConversation = refuseAbsent("= 'conversation'");

export const refuseAbsentMemory = refuseAbsent("<> 'conversation'");

/** `items` as JSON arrays, each short enough to be one bound value. */
export function toJsonLists(items: unknown[]): string[] {
  const lists: string[] = [];
  let list: string[] = [];
  let bytes = 0;
  for (const item of items) {
    const json = JSON.stringify(item);
    const size = encoder.encode(json).byteLength + 1;
    if (bytes + size > LIST_BYTES_MAX && list.length > 0) {
      lists.push(`[${list.join(",")}]`);
      list = [];
      bytes = 0;
    }
    list.push(json);
    bytes += size;
  }
  if (list.length > 0) lists.push(`[${list.join(",")}]`);
  return lists;
}

export const toTimestamp = (ms: number): string => new Date(ms).toISOString();
export const toTimestampOrNull = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));
