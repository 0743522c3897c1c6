import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  ConversationId,
  id,
  integerQuery,
  jsonAnswer,
  KeyId,
  keyProblems,
  MemoryId,
  OperationId,
  repeatedQuery,
  requestIdHeader,
  requires,
  sdkExample,
  sdkMethod,
  timestamp,
  UserId,
} from "./common.ts";
import { EVENT_WAIT_SECONDS_MAX, EVENTS_PAGE_MAX, SEQUENCE_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

/** Stored in databases and used by clients: add types, never rename one. */
export const EVENT_TYPES = [
  "conversation.created",
  "conversation.updated",
  "conversation.deleted",
  "messages.appended",
  "messages.updated",
  "messages.deleted",
  "messages.indexed",
  "summary.created",
  "memory.created",
  "memory.updated",
  "memory.deleted",
  "operation.updated",
  "key.created",
  "key.revoked",
  "key.rotated",
] as const;
export const EventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof EventType>;

export const EventSequence = z
  .int()
  .min(0)
  .meta({
    description:
      "Position of the event in the log of the organization: 1, 2, 3, without gaps, in the order of the changes.",
    examples: [1042],
  });

const messageSequence = (description: string) =>
  z.int().min(1).max(SEQUENCE_MAX).nullable().meta({ description });

export const Event = z
  .strictObject({
    id: id("Id of the event. No other event of any organization has it.", "evt_06e3tqz8m1k4v9x2c7d0_1042"),
    sequence: EventSequence,
    type: EventType.meta({
      description:
        "What changed. `messages.indexed`: search by meaning now covers all messages up to `last_sequence`, except texts that the model rejects. `summary.created`: messages of a conversation have a summary. `operation.updated`: the status of an operation changed. `key.rotated` names the old key, and `key.created` follows for the new one. Types are added, but never renamed or removed: ignore those that you do not know.",
    }),
    conversation_id: ConversationId.nullable().meta({
      description: "The conversation, for events of conversations, messages and summaries; otherwise null.",
    }),
    memory_id: MemoryId.nullable().meta({
      description: "The memory, for events of memories; otherwise null.",
    }),
    operation_id: OperationId.nullable().meta({
      description: "The operation, for `operation.updated`; otherwise null.",
    }),
    key_id: KeyId.nullable().meta({ description: "The key, for events of keys; otherwise null." }),
    agent_id: AgentId.nullable().meta({
      description:
        "Agent of the conversation or memory; null if it has none, once it is purged, and for other events.",
    }),
    user_id: UserId.nullable().meta({
      description:
        "User of the conversation or memory; null if it has none, once it is purged, and for other events.",
    }),
    first_sequence: messageSequence(
      "Sequence number of the first message that changed, or that a summary covers. Of a conversation that was created by a fork or an import, the first of its messages. Null for other events.",
    ),
    last_sequence: messageSequence(
      "Sequence number of the last message that changed, or that a summary covers, or up to which messages are indexed. Of a conversation that was created by a fork or an import, the last of its messages. Null for other events.",
    ),
    created_at: timestamp("Time of the change."),
  })
  .meta({ description: "A change in the organization. It has ids and numbers, never content." })
  .openapi("Event");
export type Event = z.infer<typeof Event>;

export const EventPage = z
  .strictObject({
    items: z.array(Event).meta({ description: "Events in the order of their sequences. May be empty." }),
    after: EventSequence.meta({
      description:
        "Position up to which the log was read, for `after` of the next request. It covers events that the filters left out.",
      examples: [1042],
    }),
    oldest: EventSequence.meta({ description: "Sequence of the oldest event in the log.", examples: [1] }),
    caught_up: z.boolean().meta({
      description: "Whether the log was read to its end. If `false`, send the next request at once.",
    }),
  })
  .meta({ description: "A part of the event log." })
  .openapi("EventPage");
export type EventPage = z.infer<typeof EventPage>;

const After = z
  .string()
  .regex(/^(now|[0-9]{1,15})$/, "must be a whole number or `now`")
  .transform((text) => (text === "now" ? ("now" as const) : Number(text)))
  .openapi({
    description:
      "Position after which events are returned: `after` of the previous response, or the `sequence` of an event. `now`: the end of the log, for events from now on. Default: the oldest event in the log.",
  });

/** Content type of server-sent events. */
export const EVENT_STREAM_TYPE = "text/event-stream";

const filters = {
  type: repeatedQuery(
    EventType,
    EVENT_TYPES.length,
    "Only events of this type. Repeat the parameter for several types.",
  )
    .openapi({ items: { type: "string", enum: [...EVENT_TYPES] } })
    .optional(),
  conversation_id: ConversationId.optional().openapi({
    description: "Only events of this conversation and its messages.",
  }),
  agent_id: AgentId.optional().openapi({
    description: "Only events of conversations and memories of this agent.",
  }),
  user_id: UserId.optional().openapi({
    description: "Only events of conversations and memories of this user, without shared ones.",
  }),
};

export const listEvents = createRoute({
  operationId: "listEvents",
  ...sdkExample(`
    const { items, after } = await engram.events.list({ type: ["memory.created"] });
    const next = await engram.events.list({ type: ["memory.created"], after });
    console.log(items.length, next.caught_up);
  `),
  method: "get",
  path: "/v1/events",
  tags: ["Events"],
  summary: "List events",
  description:
    "Returns changes of the organization in order, each once. An event is written in the same transaction as its change: an append, a fork or an import of a conversation makes one event, and a bulk write one for each conversation or memory. A request that changes nothing makes none. The log has no last page: keep `after` of the response, and send it with the next request. With `wait_seconds`, a request without events waits for one. One request reads at most 2,400 events, so it may return none although later ones match; `caught_up` is then `false`. Events are kept for seven days, and at most a million of each organization. A position before the oldest event, or after the newest, gets 410 `cursor_expired`. Events of keys require the scope `admin`. A key that is bound to an agent or a user gets only events of its conversations, memories and operations, and of shared conversations and memories; none about a conversation or memory that is purged.",
  security: requires("read"),
  request: {
    query: z.strictObject({
      after: After.optional(),
      limit: integerQuery(
        1,
        EVENTS_PAGE_MAX,
        "Maximum number of events; a response may have fewer. Default 100.",
      ).optional(),
      wait_seconds: integerQuery(
        0,
        EVENT_WAIT_SECONDS_MAX,
        "Seconds to wait for an event if there is none yet, at most 25. A new event is returned at once, usually within milliseconds of its change. Default 0.",
      ).optional(),
      ...filters,
    }),
  },
  responses: {
    200: jsonAnswer("Events after the position.", EventPage),
    ...problems("validation_failed", "cursor_expired", ...keyProblems),
  },
});

export const streamEvents = createRoute({
  operationId: "streamEvents",
  ...sdkMethod({ method: "events.listen" }),
  ...sdkExample(`
    const { after } = await engram.events.list({ after: "now" });
    await engram.conversations.create({ title: "A change" });
    for await (const event of engram.events.listen({ after })) {
      console.log(event.sequence, event.type, event.conversation_id);
      break;
    }
  `),
  method: "get",
  path: "/v1/events/stream",
  tags: ["Events"],
  summary: "Stream events",
  description:
    "Sends the events of `listEvents` as server-sent events, first those after the position and then new ones as they happen, each usually within milliseconds of its change. `id` is the sequence of the event, `event` its type and `data` the event as JSON. After each group of events, and at least every 15 seconds, a block without data gives the position up to which the log was read, also past events that the filters left out. Keep the last `id` with the effects of the events. The stream ends itself after five minutes, or earlier if many events are read. It also ends when the connection is lost. Then send another request with the last `id`, in the header `Last-Event-ID` or as `after`, and no event is skipped or repeated. If the key is revoked or expires, or the position is deleted while the client does not read, the last block has the event `error` and the problem as its data. A stream with `conversation_id` also gets the broadcasts of that conversation, as blocks with the event `broadcast` and without `id`. A position that is deleted already gets 410 `cursor_expired` before the stream begins.",
  security: requires("read"),
  request: {
    headers: z.object({
      "last-event-id": z
        .string()
        .regex(/^[0-9]{1,15}$/, "must be a whole number")
        .transform(Number)
        .optional()
        .openapi({
          description:
            "Position after which events are sent, instead of `after`: the last `id` of the stream.",
        }),
    }),
    query: z.strictObject({ after: After.optional(), ...filters }),
  },
  responses: {
    200: {
      description: "Server-sent events. The data of each has this schema.",
      headers: requestIdHeader,
      content: { [EVENT_STREAM_TYPE]: { schema: Event } },
    },
    ...problems("validation_failed", "cursor_expired", ...keyProblems),
  },
});
