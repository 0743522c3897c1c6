import { type Entity, type EntityKind, type Mention, SEQUENCE_MAX } from "@engram/spec";
import { ApiError, notFound } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { toTimestamp } from "../platform/batch.ts";
import {
  type CursorScope,
  fromCursor,
  isId,
  isWhole,
  PAGE_ITEMS_DEFAULT,
  toPage,
} from "../platform/cursors.ts";
import { run } from "../platform/sql.ts";
import { findEntities } from "../text/entities/index.ts";
import { fold } from "../text/fold.ts";
import { foldValue, toEntityId } from "./mentions.ts";
import type { StoredMention } from "./mentions-queries.ts";
import * as queries from "./queries.ts";

/** The rules take up to a fifth of a second for as many characters. */
const MENTIONED_CHARACTERS_MAX = 100_000;

/** Filters, besides what the key may read. */
interface Where {
  conversationId: string | undefined;
  agentId: string | undefined;
  userId: string | undefined;
}

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** The mentions in the first `MENTIONED_CHARACTERS_MAX` characters of a message, by position. */
export async function findMentions(
  { pace }: Pick<Invocation, "pace">,
  organizationId: string,
  { content, createdAtMs }: { content: string; createdAtMs: number },
): Promise<StoredMention[]> {
  const mentioned = content.slice(0, MENTIONED_CHARACTERS_MAX);
  const mentions = await pace.run(findEntities(mentioned, new Date(createdAtMs)));
  return Promise.all(
    mentions.map(async ({ kind, start, end, value }) => {
      const folded = await foldValue(value);
      const text = content.slice(start, end);
      return {
        entity_id: await toEntityId(organizationId, kind, folded),
        kind,
        folded,
        value,
        ...(text !== value && { text }),
        start,
        end,
      };
    }),
  );
}

/** Entities as they are stored. */
export const toEntityKeys = (
  entities: { kind: EntityKind; value: string }[],
): Promise<{ kind: EntityKind; folded: string }[]> =>
  Promise.all(entities.map(async ({ kind, value }) => ({ kind, folded: await foldValue(value) })));

const EMPTY = { items: [], next_cursor: null };

/**
 * Lists entities by kind and folded value, or the most mentioned first.
 *
 * @throws {ApiError} `not_found` for an unknown conversation, `invalid_cursor`.
 */
export async function listEntities(
  caller: KeyCaller,
  input: {
    sort: queries.EntitySort;
    kind?: EntityKind | undefined;
    prefix?: string | undefined;
    where: Where;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<Page<Entity>> {
  const { principal } = caller;
  const { sort, kind, prefix, where, limit = PAGE_ITEMS_DEFAULT } = input;
  const scope: CursorScope = { list: "entities", owner: principal, parameters: [sort, kind, prefix, where] };
  const position = await fromCursor(scope, input.cursor, isPosition);
  const place = await findPlace(caller, where);
  if (place === null) return EMPTY;
  const rows = await queries.selectEntities(caller.db, place, {
    sort,
    kind: kind ?? null,
    prefix: prefix === undefined ? null : fold(prefix),
    after: position,
    limit: limit + 1,
  });
  const page = await toPage(scope, rows, {
    limit,
    positionOf: ({ kind, folded, ranked }): queries.EntityPosition => ({ kind, folded, ranked }),
  });
  const items = await Promise.all(page.items.map((row) => toEntity(principal.organizationId, row)));
  return { ...page, items: items.filter((item) => item !== null) };
}

function isPosition(position: unknown): position is queries.EntityPosition {
  const { kind, folded, ranked } = (position ?? {}) as Partial<queries.EntityPosition>;
  return isId(kind) && isId(folded) && (ranked === null || isWhole(ranked));
}

/** Null if all its mentions are in conversations that are being deleted. */
async function toEntity(organizationId: string, row: queries.EntityRow): Promise<Entity | null> {
  const { kind, folded, counted, newest } = row;
  const value = newest?.value ?? counted.value;
  const first = counted.first_ms ?? newest?.said_at_ms;
  const last = Math.max(
    newest?.said_at_ms ?? Number.NEGATIVE_INFINITY,
    counted.last_ms ?? Number.NEGATIVE_INFINITY,
  );
  if (value === null || first === undefined) return null;
  return {
    id: await toEntityId(organizationId, kind, folded),
    kind,
    value,
    mention_count: counted.isWhole ? counted.mentions : null,
    conversation_count: counted.isWhole ? counted.conversations : null,
    first_seen_at: toTimestamp(first),
    last_seen_at: toTimestamp(last),
  };
}

/**
 * Lists the mentions of an entity by conversation and sequence.
 *
 * @throws {ApiError} `not_found` for an unknown conversation, and for an entity that the caller cannot see;
 * `invalid_cursor`.
 */
export async function listMentions(
  caller: KeyCaller,
  input: { id: string; where: Where; limit: number | undefined; cursor: string | undefined },
): Promise<Page<Mention>> {
  const { db, principal } = caller;
  const { id, where, limit = PAGE_ITEMS_DEFAULT } = input;
  const scope: CursorScope = { list: "mentions", owner: principal, parameters: [id, where] };
  const position = await fromCursor(scope, input.cursor, isMentionPosition);
  const key = await run(db, queries.entityKey(principal, id));
  if (key === null) throw notFound("entity");
  const place = await findPlace(caller, where);
  if (place === null) return EMPTY;
  const after = position === null ? null : await findPosition(caller, position);
  const { mentions, scanEnd } = await queries.selectMentions(db, place, key, { after, limit: limit + 1 });
  return toPage(scope, mentions, {
    limit,
    positionOf: ({ conversation_id, sequence, start }): MentionPosition => ({
      conversationId: conversation_id,
      sequence,
      start,
    }),
    scanEnd: scanEnd === null ? null : { conversationId: scanEnd, sequence: SEQUENCE_MAX, start: 0 },
  });
}

interface MentionPosition {
  conversationId: string;
  sequence: number;
  start: number;
}

function isMentionPosition(position: unknown): position is MentionPosition {
  const { conversationId, sequence, start } = (position ?? {}) as Partial<MentionPosition>;
  return isId(conversationId) && isWhole(sequence) && isWhole(start);
}

/** Cursors have the id of the conversation: its row key would show how many other organizations have. */
async function findPosition(
  { db, principal }: KeyCaller,
  { conversationId, ...place }: MentionPosition,
): Promise<queries.MentionPosition> {
  const rowKey = await run(db, queries.conversationRowKey(principal.organizationId, conversationId));
  if (rowKey === null)
    throw new ApiError(
      "invalid_cursor",
      "The conversation of the cursor was deleted. Start with the first page again.",
    );
  return { ...place, rowKey };
}

/**
 * The conversations to list; null if the filters exclude all that the key may read.
 *
 * @throws {ApiError} `not_found` for an unknown conversation.
 */
async function findPlace({ db, principal }: KeyCaller, where: Where): Promise<queries.Place | null> {
  const { agentId = null, userId = null } = where;
  const isOther = (bound: string | null, wanted: string | null) =>
    bound !== null && wanted !== null && wanted !== bound;
  const place = { owner: principal, agentId, userId, rowKey: null };
  if (where.conversationId === undefined)
    return isOther(principal.agentId, agentId) || isOther(principal.userId, userId) ? null : place;
  const found = await run(db, queries.visibleConversation(principal, where.conversationId));
  if (found === null) throw notFound("conversation");
  const isExcluded =
    (agentId ?? found.agentId) !== found.agentId || (userId ?? found.userId) !== found.userId;
  return isExcluded ? null : { ...place, rowKey: found.rowKey };
}
