import { z } from "@hono/zod-openapi";
import { ConversationId, count, MessageId, optionalOrNull } from "./common.ts";
import { CONTENT_BYTES_MAX, QUOTE_CHARACTERS_MAX, SEQUENCE_MAX, SOURCES_MAX } from "./limits.ts";

/** Stored in databases and used by clients: add states, never rename one. */
export const SOURCE_STATES = ["intact", "edited", "deleted"] as const;

const UNIT = "in UTF-16 code units, as in JavaScript strings";
const sequence = (description: string) => z.int().min(1).max(SEQUENCE_MAX).meta({ description });
const offset = (description: string) => z.int().min(0).max(CONTENT_BYTES_MAX).meta({ description });
const Quote = z.string().max(QUOTE_CHARACTERS_MAX);
const quote = "I want the refund on my card.";

const isSet = (value: unknown): boolean => value !== undefined;

export const NewSource = z
  .strictObject({
    message_id: optionalOrNull(MessageId).meta({
      description: "Id of the cited message. Or send `conversation_id` and `sequence`.",
    }),
    conversation_id: optionalOrNull(ConversationId).meta({
      description: "Conversation of the cited message, with `sequence`.",
    }),
    sequence: optionalOrNull(sequence("Sequence number of the cited message in `conversation_id`.")),
    quote: optionalOrNull(
      Quote.min(1).meta({
        description:
          "Text that the message has word for word, at most 2,000 characters. If it occurs more than once, the first place counts. Default: the whole message is cited.",
        examples: [quote],
      }),
    ),
    start: optionalOrNull(offset(`Instead of \`quote\`: offset at which the cited text starts, ${UNIT}.`)),
    end: optionalOrNull(
      offset("Offset at which it ends, in the same unit (exclusive), at most 2,000 after `start`."),
    ),
  })
  .refine(
    ({ message_id, conversation_id, sequence: place }) =>
      isSet(message_id) ? !isSet(conversation_id) && !isSet(place) : isSet(conversation_id) && isSet(place),
    "must have either `message_id`, or `conversation_id` and `sequence`",
  )
  .refine(
    ({ quote: text, start, end }) => isSet(start) === isSet(end) && !(isSet(text) && isSet(start)),
    "must have either `quote`, or `start` and `end`, or none of them",
  )
  .refine(
    ({ start = 0, end = 1 }) => start < end && end - start <= QUOTE_CHARACTERS_MAX,
    `\`end\` must be 1 to ${QUOTE_CHARACTERS_MAX.toLocaleString("en-US")} more than \`start\``,
  )
  .meta({ description: "A message that a memory cites, or a part of it." })
  .openapi("NewSource");
export type NewSource = z.infer<typeof NewSource>;

/** Of a new memory. A function, because the description of an update differs. */
export const newSources = (description: string) =>
  z
    .array(NewSource)
    .max(SOURCES_MAX)
    .meta({
      description: `${description} At most ${SOURCES_MAX}. The key must be able to read each message. A memory of a user can cite messages of that user and of no user; a memory without a user, only messages of no user. Otherwise the request fails with 400, \`errors\` names the source, and nothing is stored.`,
      examples: [[{ message_id: "msg_06e3tqz8m1k4v9x2c7d0", quote }]],
    });

export const Source = z
  .strictObject({
    conversation_id: ConversationId.meta({ description: "Conversation of the cited message." }),
    message_id: MessageId.meta({ description: "Id of the cited message." }),
    sequence: sequence("Sequence number of the cited message: its position in the conversation."),
    quote: Quote.nullable().meta({
      description:
        "The cited text, word for word. Null if the whole message is cited, once the message is deleted, and once it was edited and no longer has the text.",
      examples: [quote],
    }),
    start: count(
      `Offset in the content of the message at which \`quote\` starts, ${UNIT}. Null without \`quote\`, and once the message was edited.`,
    ).nullable(),
    end: count("Offset at which it ends (exclusive), in the same unit. Null if `start` is.").nullable(),
    state: z.enum(SOURCE_STATES).meta({
      description:
        "`intact`: the message is as it was when it was cited. `edited`: its content was changed since. `deleted`: it was deleted.",
    }),
  })
  .meta({ description: "A message that a memory cites." })
  .openapi("Source");
export type Source = z.infer<typeof Source>;

export const Sources = z.array(Source).max(SOURCES_MAX).meta({
  description:
    "Messages that the memory was derived from, in the order in which you sent them. The ids stay when a message is deleted; its text does not.",
});
