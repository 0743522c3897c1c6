import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  AsOf,
  bodyProblems,
  ContextId,
  ConversationId,
  count,
  jsonAnswer,
  jsonBody,
  MetadataValues,
  mcpTools,
  RecordedAs,
  RecordRecall,
  requires,
  sdkExample,
  sdkMethod,
  UserId,
  writeProblems,
} from "./common.ts";
import {
  CONTEXT_MEMORIES_MAX,
  CONTEXT_RESULTS_MAX,
  CONTEXT_STABLE_HOURS,
  CONTEXT_TOKENS_DEFAULT,
  CONTEXT_TOKENS_MAX,
  CONTEXT_TOKENS_MIN,
  KEEP_BEST_FOR_MODELS,
  LOW_RELEVANCE,
  MESSAGE_PAGE_MAX,
  MIN_RELEVANCE_FOR_MODELS,
  QUERY_CHARACTERS_MAX,
} from "./limits.ts";
import { problems } from "./problem.ts";
import {
  FoundMemory,
  FoundMessage,
  MemoryResult,
  MessagesResult,
  SearchAnswer,
  SearchBody,
} from "./search.ts";
import { Summary } from "./summaries.ts";

const number = (value: number) => value.toLocaleString("en-US");

/** Shares of the budget. What one part does not use, the others get. */
export const CONTEXT_SHARES = { messages: 0.5, memories: 0.2, results: 0.3 };

const share = (part: keyof typeof CONTEXT_SHARES, description: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .default(CONTEXT_SHARES[part])
    .meta({ description: `${description} Default ${CONTEXT_SHARES[part]}.` });

/** Why a stable part begins anew. */
const CHANGES = {
  new: "The request has no `previous`.",
  unknown_previous: `There is no such stable part, or it was not continued for ${CONTEXT_STABLE_HOURS} hours, or it belongs to another request: to another conversation, excluded conversation, user, agent, \`metadata\` or \`as_of\`, or to a key with another agent or user.`,
  edited: "A message or memory in it, or a message that a summary in it covers, was edited.",
  deleted:
    "A message or memory in it was deleted, or does not match the request any more. The deletion of a message that only a summary covers counts as `edited`.",
  ended: "A memory in it does not hold any more at `valid_at`.",
  over_share: "It has more tokens than its share, or it is full and much was stored since that is not in it.",
};
const changeList = Object.entries(CHANGES)
  .map(([change, reason]) => `- \`${change}\`: ${reason}`)
  .join("\n");

export const ContextBody = z
  .strictObject({
    query: z.string().min(1).max(QUERY_CHARACTERS_MAX).optional().meta({
      description:
        "What the model is about to answer, such as the user's last message. It is searched in conversations and memories as `search` does. Default: no search.",
    }),
    conversation_id: ConversationId.refine(
      (text) => !text.startsWith("mem_"),
      "must not be the id of a memory",
    )
      .optional()
      .meta({
        description:
          "Conversation that is being continued. Its newest messages are included. It counts as absent if it belongs to another user or agent than the request names.",
      }),
    exclude_conversation: SearchBody.shape.exclude_conversation.meta({
      description:
        "Id or `external_id` of a conversation to leave out of the search results, such as the one whose messages the prompt has already. With `shares.messages` 0, the context then has none of its messages.",
      examples: ["chat-17"],
    }),
    user_id: UserId.optional().meta({
      description:
        "Only memories and search results of this user; shared ones match, too. The newest of these memories are included.",
    }),
    visibility: SearchBody.shape.visibility.meta({
      description:
        "Which memories and search results are included: those that are not shared (`own`), the shared ones (`shared`), or both. Default: both. With `shared` alone, the newest shared memories are included without a user, too.",
    }),
    agent_id: AgentId.optional().meta({
      description:
        "Only memories and search results of this agent. With `user_id`, both must match. The newest memories are included.",
    }),
    metadata: MetadataValues.optional().meta({
      description:
        "Only memories and search results whose `metadata` has these keys and values: the metadata of the memory, or of the conversation. They are compared at its top level. At most 16 keys. The newest messages of `conversation_id` are included in any case.",
      examples: [{ project: "/home/ann/shop" }],
    }),
    as_of: AsOf.optional(),
    record: RecordRecall,
    max_tokens: z.int().min(CONTEXT_TOKENS_MIN).max(CONTEXT_TOKENS_MAX).default(CONTEXT_TOKENS_DEFAULT).meta({
      description:
        "Maximum tokens of `text`, also if it is sent as a JSON string. Tokens are counted as in `tokens`.",
    }),
    valid_at: SearchBody.shape.valid_at.meta({
      description:
        "Time at which memories should hold. Memories that do not hold then, because they have ended or not begun, come after all others, and `text` marks them. Default: now.",
    }),
    shares: z
      .strictObject({
        messages: share("messages", "Weight of the newest messages."),
        memories: share("memories", "Weight of the memories."),
        results: share("results", "Weight of the search results."),
        summaries: z.number().min(0).max(1).default(0).meta({
          description:
            "Weight of summaries of the conversation, of messages before the newest ones that are included. They are those of today: with `as_of` there are none. Default 0.",
        }),
      })
      .default({ ...CONTEXT_SHARES, summaries: 0 })
      .meta({
        description:
          "How the parts divide `max_tokens`, in proportion to their weights. What a part does not need, the others get. A part with the weight 0 is left out.",
      }),
    layout: z.enum(["single", "stable"]).default("single").meta({
      description:
        "`single`: one text, made anew for each request. `stable`: also the two texts of which it consists, for providers that cache what a prompt begins with. `stable` is to be sent before the conversation, and keeps its bytes from request to request; `dynamic` is to be sent after it.",
    }),
    previous: ContextId.nullable().optional().meta({
      description:
        "With the layout `stable`: `stable_id` of the context before, whose stable part this one continues. Default: none, so that the stable part begins anew. Ignored with the layout `single`.",
    }),
    min_relevance: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({
        description: `Lowest \`relevance\` of a search result, 0 to 1. Results below it are left out and counted. Default: ${MIN_RELEVANCE_FOR_MODELS}, but the ${KEEP_BEST_FOR_MODELS} best memories are kept whatever their relevance, and \`text\` marks those below it with "${LOW_RELEVANCE}".`,
      }),
  })
  .openapi("ContextBody", {
    example: { query: "When was the refund sent?", user_id: "user_4711", max_tokens: 2_000 },
  });

/** A request body for a context, without `record`. */
export type ContextRequest = Omit<z.output<typeof ContextBody>, "record">;

export const ContextMessage = z
  .strictObject({
    ...FoundMessage.pick({
      id: true,
      sequence: true,
      role: true,
      name: true,
      tool_call_id: true,
      tool_name: true,
      content: true,
      content_start: true,
      content_end: true,
      content_length: true,
      created_at: true,
    }).shape,
  })
  .meta({ description: "A message of a context. `getMessage` returns its other fields." })
  .openapi("ContextMessage");
export type ContextMessage = z.infer<typeof ContextMessage>;

const ContextMemory = z
  .strictObject({
    ...FoundMemory.pick({
      id: true,
      content: true,
      content_start: true,
      content_end: true,
      content_length: true,
      valid_from: true,
      valid_until: true,
      sources: true,
      created_at: true,
    }).shape,
    ended: MemoryResult.shape.ended,
    relevance: MessagesResult.shape.relevance.nullable().meta({
      description: "As in a search result. Null if the query did not find the memory, or if there is none.",
    }),
  })
  .meta({
    description:
      "A memory of a context, or the part of it that matches. `getMemory` returns its other fields.",
  })
  .openapi("ContextMemory");
export type ContextMemory = z.infer<typeof ContextMemory>;

const ContextResult = z
  .strictObject({
    conversation_id: ConversationId,
    title: MessagesResult.shape.conversation.shape.title,
    relevance: MessagesResult.shape.relevance,
    messages: z.array(ContextMessage).meta({
      description: "The messages that match and their neighbors, oldest first. Some between may be missing.",
    }),
  })
  .openapi("ContextResult");
export type ContextResult = z.infer<typeof ContextResult>;

export const ContextSummary = z
  .strictObject({
    ...Summary.pick({
      level: true,
      from_sequence: true,
      to_sequence: true,
      sentences: true,
      model: true,
      created_at: true,
    }).shape,
  })
  .meta({
    description: "A summary of messages of the conversation, or those of its sentences that are included.",
  })
  .openapi("ContextSummary");
export type ContextSummary = z.infer<typeof ContextSummary>;

const tokens = (part: string) => count(`Upper bound on the tokens of ${part} in \`text\`.`);

export const ContextAnswer = z
  .strictObject({
    text: z.string().meta({
      description:
        "One text for a prompt: memories, search results, then the newest messages, each with its id or number and its time. A memory also names the messages that it cites, as `from [3] of conv_…`, without their text: quotations are only in `memories`, and cost nothing. A sentence at its start says that it is data. The tags around it occur nowhere within it, and the further lines of a message or memory are indented, so stored text can neither end the block nor pretend to be another entry. Empty if there is nothing to include.",
    }),
    tokens: count(
      "Upper bound on the number of tokens that a model counts in `text`, also if it is sent as a JSON string. At most `max_tokens`. It is computed as in `search`.",
    ),
    messages: z
      .strictObject({
        items: z.array(ContextMessage).max(MESSAGE_PAGE_MAX).meta({
          description:
            "The newest messages of the conversation, oldest first and without a gap, except with the layout `stable` between those in `stable` and the others. A message that is longer than a quarter of this part (half, for the newest) is cut to its beginning.",
        }),
        tokens: tokens("these messages"),
        omitted: count("Number of earlier messages of the conversation that are not included."),
      })
      .meta({ description: "The newest messages. Empty without `conversation_id`." }),
    memories: z
      .strictObject({
        items: z
          .array(ContextMemory)
          .max(CONTEXT_MEMORIES_MAX + CONTEXT_RESULTS_MAX)
          .meta({
            description:
              "Memories, long ones cut to the part that matches: those that the query finds, best first, then the newest of the user or agent. Those that do not hold at `valid_at` come after all others.",
          }),
        tokens: tokens("these memories"),
        omitted: count(
          `Number of memories that did not fit, among those that the query finds and the ${CONTEXT_MEMORIES_MAX} newest.`,
        ),
      })
      .meta({
        description:
          "Memories. Without `query`, and with neither a user nor an agent in the request or the key, there are none.",
      }),
    results: z
      .strictObject({
        items: z.array(ContextResult).max(CONTEXT_RESULTS_MAX).meta({
          description:
            "What the query finds in conversations, best first. No message is in two results, or also in `messages`. A long match is cut to the part with the most matching words.",
        }),
        tokens: tokens("these results"),
        omitted: count("Number of search results that did not fit."),
        below_min_relevance: SearchAnswer.shape.below_min_relevance,
      })
      .meta({ description: "Search results in conversations. Empty without `query`." }),
    summaries: z
      .strictObject({
        items: z.array(ContextSummary).meta({
          description:
            "Summaries in the order of the messages, each message covered at most once: of higher levels at the beginning of the conversation, of lower levels towards its end. Without sentences about messages that are included.",
        }),
        tokens: tokens("these summaries"),
      })
      .optional()
      .meta({
        description:
          "Summaries of the conversation, of messages before its newest ones that are included. Present only if `shares` gives them a weight.",
      }),
    degraded: SearchAnswer.shape.degraded,
    pending: count("As in `search`. 0 without `query`."),
    recall_id: RecordedAs,
    stable: z.array(z.string()).optional().meta({
      description:
        "Only with the layout `stable`: the blocks that begin `text`, with memories, earlier messages, and summaries of what is before these. Each keeps its bytes, and new ones come at the end, until the stable part begins anew. Every request reads what is in it again, so an edited or deleted text is never in it.",
    }),
    dynamic: z.string().optional().meta({
      description:
        "Only with the layout `stable`: the block that ends `text`, with what `query` finds, other memories and the newest messages. What is in `stable` is not in it again. Empty if there is nothing to include.",
    }),
    stable_id: ContextId.nullable().optional().meta({
      description:
        "Only with the layout `stable`: what the next request sends as `previous`. It is another one whenever `stable` has changed. Null if `stable` is empty.",
    }),
    stable_changed: z
      .enum(Object.keys(CHANGES) as [keyof typeof CHANGES, ...(keyof typeof CHANGES)[]])
      .nullable()
      .optional()
      .meta({
        description: `Only with the layout \`stable\`: why the stable part began anew. Null if it begins with that of \`previous\`.\n\n${changeList}`,
      }),
  })
  .openapi("ContextAnswer");
export type ContextAnswer = z.infer<typeof ContextAnswer>;

export const getContext = createRoute({
  operationId: "getContext",
  ...sdkMethod({ method: "context", repeatable: true }),
  ...sdkExample(`
    const { text, tokens, results } = await engram.context({
      query: "When was the refund sent?",
      conversation_id: conversation.id,
      max_tokens: 2_000,
    });
    const system = \`You are a support agent.\\n\\n\${text}\`;
    console.log(system, tokens, results.omitted);
  `),
  ...mcpTools({
    set: "context",
    title: "Get context",
    description:
      "Gathers what is known for an answer, in one text of at most `max_tokens`: the newest messages of a conversation, memories of the user, and what a search for `query` finds.",
    read_only: true,
    block: true,
    defaults: { max_tokens: CONTEXT_TOKENS_DEFAULT },
    omits: [
      ...["shares", "metadata", "valid_at", "as_of", "record", "recall_id", "layout", "previous"],
      ...["exclude_conversation", "visibility"],
    ],
  }),
  method: "post",
  path: "/v1/context",
  tags: ["Context"],
  summary: "Get the context for an answer",
  description: `Gathers what a model needs for its next answer in one text of at most \`max_tokens\`, and returns the same as lists: the newest messages of a conversation, memories, and what a search finds. Each has its id, and nothing is included twice. The search considers the ${number(CONTEXT_RESULTS_MAX)} best results in conversations, and as many memories. The parts share the budget, and what did not fit is counted. All parts are read at the same time, so it takes about as long as one search.`,
  security: requires("search"),
  request: { body: jsonBody(ContextBody) },
  responses: {
    200: jsonAnswer("The context.", ContextAnswer),
    ...problems("not_found", ...bodyProblems, ...writeProblems),
  },
});
