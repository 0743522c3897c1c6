import { type NewSource, type Source, WRITE_BYTES_MAX } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { KeyCaller } from "../invocation.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { batch, type Statement } from "../platform/sql.ts";
import { decodeText } from "../text/compression.ts";
import * as queries from "./queries.ts";

/** Attempts to store sources while other requests edit or delete the cited messages. */
const ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 2;
/** Searching this number of characters for a quotation takes as long as splitting one character into words. */
const SEARCHED_PER_CHARACTER = 64;

/** The sources of one memory, as a request gives them. */
export interface GivenSources {
  /** Of the field in the request, for `errors`. */
  path: string;
  /** User of the memory. */
  userId: string | null;
  sources: readonly NewSource[];
}

/** The sources of each memory of a request, and a condition of the batch that stores them. */
export interface Citations {
  sources: Source[][];
  unchanged: Statement<void>[];
}

/**
 * Finds the messages that memories cite, and stores the memories with their sources. Reads nothing if there are none.
 * Reads again if a message is edited or deleted meanwhile.
 *
 * @param write stores nothing unless `unchanged` holds, which is in its batch.
 * @throws {ApiError} `validation_failed` for a message that does not exist, that the key cannot read or that belongs to
 * another user than the memory, all in the same way, and for text that the message does not have; `payload_too_large`;
 * `unavailable` if the messages keep changing.
 */
export async function withCitations<T>(
  caller: KeyCaller,
  given: readonly GivenSources[],
  write: (citations: Citations) => Promise<T>,
): Promise<T> {
  if (given.every(({ sources }) => sources.length === 0))
    return write({ sources: given.map(() => []), unchanged: [] });
  for (let attempt = 1; ; attempt++) {
    const { refused, ...citations } = await readCitations(caller, given);
    try {
      return await write(citations);
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || error.code !== "source_changed") throw error;
      if (refused !== null) throw refused;
      if (attempt < ATTEMPTS) continue;
      throw new ApiError(
        "unavailable",
        "The cited messages kept changing while the memory was stored. Send the request again.",
        { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
  }
}

/** `refused`: why the sources cannot be stored. The batch then fails, unless it repeats an earlier request. */
async function readCitations(
  caller: KeyCaller,
  given: readonly GivenSources[],
): Promise<Citations & { refused: ApiError | null }> {
  const messages = await readMessages(caller, given);
  try {
    const sources: Source[][] = [];
    for (const { path, userId, sources: wanted } of given) {
      const found: Source[] = [];
      for (const [i, source] of wanted.entries()) {
        const message = messages.get(keyOf(source));
        const at = `${path}.${i}`;
        if (message === undefined || (message.user_id !== null && message.user_id !== userId))
          throw invalid(
            at,
            "Must be a message that the key can read, in a conversation with the user of the memory or with no user.",
          );
        found.push(await toSource(caller, source, message, at));
      }
      sources.push(found);
    }
    return {
      sources,
      unchanged: queries.assertUnchanged(caller.principal, distinct(messages)),
      refused: null,
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { sources: given.map(() => []), unchanged: [queries.REFUSED], refused: error };
  }
}

/** A message with its content, which is null if no source needs it. */
interface ReadMessage extends queries.CitedMessage {
  decoded: string | null;
}

const keyOf = ({ message_id, conversation_id, sequence }: queries.MessageReference): string =>
  message_id ?? JSON.stringify([conversation_id, sequence]);

const needsText = ({ quote, start }: NewSource): boolean => quote !== undefined || start !== undefined;

/** The messages that the key can read, by their references. */
async function readMessages(
  { db, principal }: KeyCaller,
  given: readonly GivenSources[],
): Promise<Map<string, ReadMessage>> {
  const wanted = new Map<string, queries.MessageReference & { text: boolean }>();
  for (const source of given.flatMap(({ sources }) => sources)) {
    const { message_id, conversation_id, sequence } = source;
    const text = needsText(source) || (wanted.get(keyOf(source))?.text ?? false);
    wanted.set(keyOf(source), { message_id, conversation_id, sequence, text });
  }
  const references = [...wanted];
  const lists = await batch(
    db,
    queries.citedMessages(
      principal,
      references.map(([, reference]) => reference),
      WRITE_BYTES_MAX,
    ),
  );
  const messages = new Map<string, ReadMessage>();
  for (const { place, ...row } of lists.flat()) {
    const [key] = references[place] ?? [];
    if (key === undefined) throw new Error("a message that no source names");
    const decoded = row.content === null ? null : await decodeText(row.content, row.content_encoding);
    messages.set(key, { ...row, decoded });
  }
  return messages;
}

/** Each message once: a request can name it by its id and by its place. */
const distinct = (messages: ReadonlyMap<string, ReadMessage>): ReadMessage[] => [
  ...new Map(
    [...messages.values()]
      // The one with content comes last, so that it is kept.
      .toSorted((a, b) => Number(a.content !== null) - Number(b.content !== null))
      .map((message) => [message.id, message]),
  ).values(),
];

async function toSource(
  { pace }: KeyCaller,
  source: NewSource,
  message: ReadMessage,
  at: string,
): Promise<Source> {
  const { conversation_id, id: message_id, sequence, decoded } = message;
  const place = { conversation_id, message_id, sequence, state: "intact" as const };
  if (!needsText(source)) return { ...place, quote: null, start: null, end: null };
  if (decoded === null)
    throw new ApiError(
      "payload_too_large",
      `The messages that a request quotes may have at most ${WRITE_BYTES_MAX.toLocaleString("en-US")} bytes of content. Quote fewer, or cite whole messages.`,
    );
  const { quote } = source;
  if (quote === undefined) {
    const { start = 0, end = 0 } = source;
    if (end > decoded.length)
      throw invalid(`${at}.end`, `Must be at most ${decoded.length}, the length of the message.`);
    const text = decoded.slice(start, end);
    if (!text.isWellFormed()) throw invalid(at, "Must not start or end within a character.");
    return { ...place, quote: text, start, end };
  }
  await pace.count(Math.ceil(decoded.length / SEARCHED_PER_CHARACTER));
  const start = decoded.indexOf(quote);
  if (start < 0) throw invalid(`${at}.quote`, "Must occur in the message word for word.");
  return { ...place, quote, start, end: start + quote.length };
}

const invalid = (path: string, message: string): ApiError =>
  new ApiError("validation_failed", `\`${path}\`: ${message}`, { errors: [{ path, message }] });
