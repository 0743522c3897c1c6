/** Whose data a query may touch: an organization's, or one agent's of it. */
export interface Owner {
  organizationId: string;
  /** Null for all agents. */
  agentId: string | null;
}

/** A batch that checked before it wrote, found otherwise and wrote nothing. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, cause: unknown) {
    super(code, { cause });
    this.name = "Refused";
    this.code = code;
  }
}

/** D1 ends a string at 2,000,000 bytes; a list that travels as JSON is split well before. */
const LIST_BYTES_MAX = 1_500_000;

const encoder = new TextEncoder();

/**
 * Run statements as one transaction.
 *
 * @throws {Refused} with the code that a statement put into `refusals`.
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

/** Ends the batch with `code` where `condition` holds. Both are ours, never a caller's text. */
export function refuseWhen(db: D1Database, code: string, condition: string): D1PreparedStatement {
  return db.prepare(`INSERT INTO refusals (code) SELECT 'refused:${code}' WHERE ${condition}`);
}

/** A key at a moment. */
interface KeyAt {
  organizationId: string;
  keyId: string;
  nowMs: number;
}

/** Deleting an organization revokes its keys in the same batch, so that their rows say it all. */
const LIVE_KEY = `EXISTS (SELECT 1 FROM api_keys
                           WHERE organization_id = ?1 AND id = ?2 AND revoked_at_ms IS NULL
                             AND (expires_at_ms IS NULL OR expires_at_ms > ?3))`;

/** Ends the batch when the key was revoked or has expired since it was looked up. */
export const refuseDeadKey = (db: D1Database, key: KeyAt): D1PreparedStatement =>
  refuseWhen(db, "unauthenticated", `NOT ${LIVE_KEY}`).bind(key.organizationId, key.keyId, key.nowMs);

/** The statement that reads whether the key is live; unlike `refuseDeadKey` it writes nothing. */
export const liveKey = (db: D1Database, key: KeyAt): D1PreparedStatement =>
  db.prepare(`SELECT ${LIVE_KEY} AS is_live`).bind(key.organizationId, key.keyId, key.nowMs);

/** What `liveKey` answered. */
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

/** Ends the batch when the owner has no such conversation. */
export const refuseAbsentConversation = refuseAbsent("= 'conversation'");

/** Ends the batch when the owner has no such memory. */
export const refuseAbsentMemory = refuseAbsent("<> 'conversation'");

/** `items` as JSON arrays, each short enough to be one value of a statement. */
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

/** A moment of D1 as it goes on the wire. */
export const toTimestamp = (ms: number): string => new Date(ms).toISOString();
export const toTimestampOrNull = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));
