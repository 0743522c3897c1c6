import { createRoute, z } from "@hono/zod-openapi";
import {
  ConversationId,
  Cursor,
  count,
  integerQuery,
  jsonAnswer,
  keyProblems,
  MessageId,
  PageLimit,
  page,
  ROW_SCAN_BOUNDS,
  requires,
  sdkExample,
  sdkMethod,
  timestamp,
  writeProblems,
} from "./common.ts";
import { SEQUENCE_MAX, SUMMARY_LEVELS_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

const sequence = (description: string) => z.int().min(1).max(SEQUENCE_MAX).meta({ description });
const offset = (which: string) =>
  z
    .int()
    .min(0)
    .nullable()
    .meta({
      description: `Where the sentence ${which} in the content of the message, in UTF-16 code units. Null if a text model wrote the sentence.`,
    });

export const SummarySentence = z
  .strictObject({
    text: z.string().meta({
      description: "The sentence.",
      examples: ["The invoices move to the new ledger on March 3."],
    }),
    cites: z
      .array(
        z
          .strictObject({
            message_id: MessageId,
            sequence: sequence("Sequence number of the message."),
            start: offset("starts"),
            end: offset("ends, exclusive,"),
          })
          .meta({ description: "A message that says what the sentence says." }),
      )
      .min(1)
      .meta({ description: "The messages that say so. All of them are in the range of the summary." }),
  })
  .openapi("SummarySentence");

export const Summary = z
  .strictObject({
    conversation_id: ConversationId,
    level: z.int().min(1).max(SUMMARY_LEVELS_MAX).meta({
      description:
        "1: a summary of messages, of 24 sequence numbers or 3,000 tokens. 2: of up to eight summaries of level 1, and so on.",
    }),
    from_sequence: sequence("Sequence number of the first message that the summary covers."),
    to_sequence: sequence("Sequence number of the last message that the summary covers."),
    source_count: count("Number of messages that it was made from; above level 1, of summaries."),
    full: z.boolean().meta({
      description:
        "Whether no later message belongs to it. False for the end of a conversation: a longer summary replaces it when the conversation has gone on.",
    }),
    sentences: z.array(SummarySentence).meta({
      description:
        "At most eight sentences in the order of the messages; none if the messages have no sentence.",
    }),
    model: z.string().nullable().meta({
      description:
        "Text model that wrote the sentences. Null if they are verbatim sentences of the messages, which no model chose.",
    }),
    rules: z.int().min(1).meta({
      description: "Version of the service's rules for summaries that made it.",
    }),
    source_hash: z.string().meta({
      description:
        "SHA-256 in hex of what it was made from. On level 1, of the JSON array with `[sequence, role, name, content]` of each message; above, of the JSON array with the `source_hash` of each summary.",
      examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    }),
    created_at: timestamp("Time when the summary was made."),
  })
  .meta({
    description:
      "A summary of a part of a conversation. It is derived from messages, each of its sentences cites some, and it is deleted when one of the messages is changed or deleted.",
  })
  .openapi("Summary");
export type Summary = z.infer<typeof Summary>;

export const QueuedSummaries = z
  .strictObject({
    conversation_id: ConversationId,
    last_sequence: z.int().min(0).max(SEQUENCE_MAX).meta({
      description: "Sequence number of the last message that the summaries will cover; 0 without messages.",
    }),
  })
  .openapi("QueuedSummaries");
export type QueuedSummaries = z.infer<typeof QueuedSummaries>;

const params = z.object({ conversation_id: ConversationId });

export const listSummaries = createRoute({
  operationId: "listSummaries",
  ...sdkExample(`
    for await (const { from_sequence, to_sequence, sentences } of engram.summaries.list(conversation.id, { level: 1 }))
      console.log(from_sequence, to_sequence, sentences.map(({ text }) => text).join(" "));
  `),
  method: "get",
  path: "/v1/conversations/{conversation_id}/summaries",
  tags: ["Summaries"],
  summary: "List summaries of a conversation",
  description: `Returns a page of summaries, by level and then in the order of the messages. The service makes them in the background: of each 24 sequence numbers once they are full, earlier if their messages have more than 3,000 tokens, and of the end of a conversation when nothing was stored for ten minutes and at least eight messages have no summary. Without a text model, the sentences are verbatim sentences of the messages. Summaries are those of today's messages: there is no \`as_of\`, and exports leave them out. ${ROW_SCAN_BOUNDS}`,
  security: requires("read"),
  request: {
    params,
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      level: integerQuery(1, SUMMARY_LEVELS_MAX, "Only summaries of this level.").optional(),
      from_sequence: integerQuery(
        1,
        SEQUENCE_MAX,
        "Only summaries that cover a message with this sequence number or a higher one.",
      ).optional(),
      to_sequence: integerQuery(
        1,
        SEQUENCE_MAX,
        "Only summaries that cover a message with this sequence number or a lower one.",
      ).optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of summaries.", page(Summary, "SummaryPage")),
    ...problems("validation_failed", "invalid_cursor", "not_found", ...keyProblems),
  },
});

export const createSummaries = createRoute({
  operationId: "createSummaries",
  ...sdkMethod({ repeatable: true }),
  ...sdkExample(`
    const { last_sequence } = await engram.summaries.create(conversation.id);
  `),
  method: "post",
  path: "/v1/conversations/{conversation_id}/summaries",
  tags: ["Summaries"],
  summary: "Summarize a conversation now",
  description:
    "Queues the summaries that a conversation lacks, up to its last message, also if the conversation does not rest. They are made after the response, usually within seconds; each sends the event `summary.created`. Summaries by earlier rules or another text model are made again. Sending the request again has no further effect while they are queued.",
  security: requires("write"),
  request: { params },
  responses: {
    202: jsonAnswer("The summaries are queued.", QueuedSummaries),
    ...problems("not_found", ...writeProblems),
  },
});
