import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  AsOf,
  bodyProblems,
  ChunkId,
  ConversationId,
  count,
  jsonAnswer,
  jsonBody,
  MessageId,
  MetadataValues,
  mcpTools,
  RecordedAs,
  RecordRecall,
  requires,
  sdkExample,
  sdkMethod,
  Tags,
  timestamp,
  UserId,
  VISIBILITIES,
  Visibility,
  writeProblems,
} from "./common.ts";
import { Conversation, ExternalId } from "./conversations.ts";
import { EntityKind } from "./entities.ts";
import {
  CITED_CHARACTERS_MAX,
  ENTITY_VALUE_CHARACTERS_MAX,
  HIGHLIGHTS_MAX,
  KEEP_BEST_MAX,
  MIN_RELEVANCE_FOR_MODELS,
  NEIGHBORS_MAX,
  QUERY_CHARACTERS_MAX,
  QUERY_EXCLUSIONS_MAX,
  RESULT_MESSAGES_MAX,
  SEARCH_ENTITIES_MAX,
  SEARCH_RESULTS_MAX,
  SEARCH_SUMMARIES_MAX,
  TAGS_MAX,
  TEXT_CHARACTERS_MAX,
} from "./limits.ts";
import { Memory, MemoryChunk, MemorySource, OfKind } from "./memories.ts";
import { memoryTools } from "./memory-tools.ts";
import { Message, MessageRole, SpeakerName, sequence } from "./messages.ts";
import { problems } from "./problem.ts";
import { Summary } from "./summaries.ts";

/** Names of adjustments of the scores of messages. The description of the request field `priors` explains each. */
export const SEARCH_PRIORS = ["answer", "question", "time", "number", "date", "speaker", "hidden"] as const;
export const SearchPrior = z.enum(SEARCH_PRIORS);
export type SearchPrior = z.infer<typeof SearchPrior>;

/** Values of the request field `in`. */
export const CORPORA = ["conversations", "memories"] as const;
export type Corpus = (typeof CORPORA)[number];
const SEARCHED = [...CORPORA, "summaries"] as const;

/** Request fields of `search` and `searchMemories`. */
const queryFields = {
  query: z.string().min(1).max(QUERY_CHARACTERS_MAX).meta({
    description:
      'A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In `keyword` mode, every match contains each `"quoted phrase"` of the query. In `hybrid` mode, messages and memories that contain a quoted phrase rank higher. In a query of several lines, quotes have no meaning. Limits: 48 distinct words (of more, the longest are used), 16 phrases (of more, the first are used), 32 words per phrase. A longer phrase counts as plain words; in `keyword` mode it is rejected with 400.',
  }),
  exclude: z
    .array(z.string().min(1).max(TEXT_CHARACTERS_MAX))
    .max(QUERY_EXCLUSIONS_MAX)
    .optional()
    .meta({
      description:
        "Words or phrases that no match has. They count in every mode and in any form of the words. At most 16, of 32 words each. A phrase needs no quotes. Messages near a match may contain them.",
      examples: [["paypal", "gift card"]],
    }),
  mode: z.enum(["hybrid", "semantic", "keyword"]).default("hybrid").meta({
    description: "`semantic` searches by meaning, `keyword` by keywords, `hybrid` by both.",
  }),
  limit: z
    .int()
    .min(1)
    .max(SEARCH_RESULTS_MAX)
    .default(10)
    .meta({ description: "Maximum number of results." }),
};

const ValidAt = timestamp(
  "Time at which memories should hold. Memories that do not hold then, because they have ended or not begun, rank below all other results. Default: now.",
);

const resultOptions = {
  valid_at: ValidAt.optional(),
  explain: z.boolean().default(false).meta({
    description: "Whether to return the components of each match's score, as `explanation`. Default `false`.",
  }),
  rerank: z.boolean().default(false).meta({
    description:
      "Whether to order the 50 best matches again with a model that reads query and text together. More accurate but slower, usually by a few hundred milliseconds. Default `false`.",
  }),
  min_relevance: z.number().min(0).max(1).optional().meta({
    description:
      "Lowest `relevance`, 0 to 1. Results below it are left out and counted in `below_min_relevance`. Default: 0, which leaves out none.",
  }),
  keep_best: z
    .int()
    .min(0)
    .max(KEEP_BEST_MAX)
    .default(0)
    .meta({
      description: `Number of best results that are kept although their \`relevance\` is below \`min_relevance\`: in a small store, an answer in other words than the question has a low relevance. A result with the relevance 0 is never kept. At most ${KEEP_BEST_MAX}. Default 0.`,
    }),
  record: RecordRecall,
  max_tokens: z.int().min(1).max(1_000_000).optional().meta({
    description:
      "Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and memories are chosen one by one: the best matches up to half of the limit, then the best match of each other result up to 70 %, then the nearest neighbors of these, then further matches. At first, a match has at most 300 tokens: a longer one is cut to the part with the most matching words, a memory to the chunk that matches. What is left makes cut matches longer, the best one first. A result is left out, and counted in `omitted`, if none of its messages fits. Default: no limit.",
  }),
};

const Neighbors = (description: string) => z.int().min(0).max(NEIGHBORS_MAX).default(2).meta({ description });

const AS_OF_SEARCH =
  "Only what was stored at a moment of the past: a time, or a message as the id of its conversation, `:` and its sequence number. Matches are found and ranked by what is stored and indexed today. What was changed since has `edited_since`.";

export const SearchVisibility = z.array(Visibility).min(1).max(VISIBILITIES.length).meta({
  description:
    "Which conversations and memories are searched: those that are not shared (`own`), the shared ones (`shared`), or both. Default: both.",
});

/** Filters of `search`. */
const searchFilters = {
  conversation_id: ConversationId.refine(
    (text) => !text.startsWith("mem_"),
    "must not be the id of a memory; get a memory with `getMemory`",
  )
    .optional()
    .meta({ description: "Only this conversation." }),
  exclude_conversation: ExternalId.optional().meta({
    description:
      "Id or `external_id` of a conversation to leave out, such as the one whose messages the prompt has already. Its messages take the place of no result. Memories that cite it are searched.",
    examples: ["chat-17"],
  }),
  agent_id: AgentId.optional().meta({ description: "Only data of this agent." }),
  user_id: UserId.optional().meta({
    description: "Only data of this user. What is shared matches, too; other data without a user does not.",
  }),
  visibility: SearchVisibility.optional(),
  tags_any: Tags.optional().meta({
    description: "Only conversations and memories with any of these tags.",
  }),
  tags_all: Tags.optional().meta({
    description: "Only conversations and memories with all of these tags.",
  }),
  roles: z
    .array(MessageRole)
    .min(1)
    .max(4)
    .optional()
    .meta({ description: "Only matches with these roles." }),
  names: z
    .array(SpeakerName)
    .min(1)
    .max(TAGS_MAX)
    .optional()
    .meta({ description: "Only matches whose speaker has one of these names." }),
  entities: z
    .array(
      z.strictObject({
        kind: EntityKind,
        value: z
          .string()
          .min(1)
          .max(ENTITY_VALUE_CHARACTERS_MAX)
          .meta({
            description: "Value of the entity. Case and accents do not matter.",
            examples: ["src/app.ts"],
          }),
      }),
    )
    .min(1)
    .max(SEARCH_ENTITIES_MAX)
    .optional()
    .meta({
      description:
        "Only matches that mention at least one of these entities. A message is compared once it is indexed, within seconds.",
    }),
  metadata: MetadataValues.optional().meta({
    description:
      "Only conversations and memories whose `metadata` has these keys and values. They are compared at its top level. At most 16 keys.",
    examples: [{ ticket: "T-1029" }],
  }),
  created_after: timestamp("Only matches at or after this time.").optional(),
  created_before: timestamp("Only matches before this time.").optional(),
  as_of: AsOf.optional().meta({ description: AS_OF_SEARCH }),
};
export type SearchFilters = z.infer<z.ZodObject<typeof searchFilters>>;

export const SearchBody = z
  .strictObject({
    ...queryFields,
    in: z.array(z.enum(SEARCHED)).min(1).max(SEARCHED.length).default(["conversations"]).meta({
      description:
        "What to search: `conversations`, `memories` or both in one ranking. `summaries` searches conversations, too, and returns with each result the summaries of its best match: they come with the messages that they cite and never rank above them. They are those of today, so `as_of` excludes `summaries`. The filters by agent, user, tags, metadata and time apply to memories too. The filters that only conversations have (`conversation_id`, `roles`, `names`, `entities`) exclude all memories.",
    }),
    ...searchFilters,
    neighbors: z
      .strictObject({
        before: Neighbors("Messages before each match."),
        after: Neighbors("Messages after each match."),
      })
      .default({ before: 2, after: 2 })
      .meta({
        description:
          "How many neighbors of each match to return: the messages around it. Filters do not apply to them.",
      }),
    priors: z
      .array(SearchPrior)
      .max(SEARCH_PRIORS.length)
      .default([...SEARCH_PRIORS])
      .meta({
        description:
          "Adjustments of the scores, in addition to words and meaning. All but `hidden` apply in `hybrid` mode only. Default: all of them; `[]` for none. `answer`: a message after a question that matches the query ranks higher. `question`: a short question ranks lower. Both count less, the longer the messages are on average, and not at all from 180 words. `time`: if the query asks when, a message that contains a time ranks higher. `number`: if the query asks how many, a message that contains a number ranks higher. `date`: if the query names a day, week, month or year, a message said then or soon after ranks higher. `last week` counts from `created_before`, or from now. Of a day such as 3/12, both readings count half, unless the language of the query or another date tells which is meant. `speaker`: if the query names a speaker of a conversation of two, messages by the other rank lower. `hidden`: a message with the role `system` and `hidden: true` in its `metadata`, such as the hidden context of an imported chat, ranks after all others.",
      }),
    ...resultOptions,
  })
  .openapi("SearchBody", { example: { query: "When was the refund sent?", limit: 5 } });
export type SearchBody = z.infer<typeof SearchBody>;

const Highlight = z
  .strictObject({
    start: count("Start offset in UTF-16 code units, as in JavaScript strings, from 0."),
    end: count("End offset in the same unit; the character at this offset is not part of the range."),
  })
  .openapi("Highlight");

const part = (description: string) => z.number().meta({ description });

export const SearchExplanation = z
  .strictObject({
    message: part(
      "Keyword score (BM25) of the message, scaled so that the best message has 1, and the 100th best or, with fewer matches, the worst has 0. A single match has 1.",
    ),
    window: part(
      "Keyword score (BM25) of the message together with the two messages before and the two after it, scaled in the same way as `message`.",
    ),
    conversation: part(
      "Keyword score (BM25) of the whole conversation, scaled so that the best conversation has 1, and the 15th best or, with fewer matches, the worst has 0.",
    ),
    chunk: part(
      "Similarity in meaning (cosine) between the query and the nearest chunk, a group of neighboring messages that contains this one. Scaled so that the nearest chunk has 1, and the 100th nearest or, with fewer matches, the farthest has 0.",
    ),
    answer: part(
      "Above 0 if the message directly follows a short question that matches the words of the query; otherwise 0.",
    ),
    question: part("Below 0 if the message is a short question; otherwise 0."),
    time: part("Above 0 if the query asks when and the message contains a time; otherwise 0."),
    number: part("Above 0 if the query asks how many and the message contains a number; otherwise 0."),
    date: part("Above 0 if the message was said at a time that the query names, or soon after; otherwise 0."),
    speaker: part("Below 0 if the query names the other speaker of a conversation of two; otherwise 0."),
    hidden: part(
      "Below 0 if the message has the role `system` and `hidden: true` in its `metadata`; otherwise 0.",
    ),
    phrase: part("Above 0 if the message contains a quoted phrase of the query; otherwise 0."),
    validity: part("Below 0 if the result is a memory that does not hold at `valid_at`; otherwise 0."),
  })
  .meta({
    description:
      "Components of the score, present with `explain`. For a message among the 100 best by `message`, `window` or `chunk`, the score before `rerank` is their sum. For any other message, the score is lower than the sum.",
  })
  .openapi("SearchExplanation");

export type SearchExplanation = z.infer<typeof SearchExplanation>;

const Score = z.number().meta({
  description:
    "Score by which the results of one search are ordered. It cannot be compared between searches; `relevance` can.",
});
const Relevance = z.number().min(0).max(1).meta({
  description:
    "Estimate of how likely the result is to answer the query, from 0 to 1. It is the geometric mean of two estimated probabilities: that a search with such a best match has found an answer at all, and that this match or a message near it holds one. It can be compared between searches. In one `mode`, it depends on the query, the best match of the result and what is stored, not on `limit` or on the other results. It rises with the similarity in meaning, and with the share of the query's words that occur in the match or within two messages of it; rare words count more. If the topic never came up, all results stay below 0.25 in 95 of 100 searches. If the topic came up but the question was never answered, they stay below 0.8 in 95 of 100.",
});
const Highlights = z.array(Highlight).max(HIGHLIGHTS_MAX).meta({
  description:
    "Ranges of the content that match words of the query, in order. At most 100, all within the first 100,000 UTF-16 code units. Empty if no word of the content matches, but its meaning, a neighboring message or the speaker's name.",
});

const partOfContent = (reader: string) => ({
  content_start: count(
    "Only if `content` is a part of the whole content: offset of its start in it, in UTF-16 code units, as in JavaScript strings.",
  ).optional(),
  content_end: count(
    "Only if `content` is a part: offset of its end in the whole content, in the same unit.",
  ).optional(),
  content_length: count(
    `Only if \`content\` is a part: length of the whole content, in the same unit. \`${reader}\` returns the whole content.`,
  ).optional(),
});

// Not `Message.extend()`: OpenAPI would then require both schemas (`allOf`). Neither allows fields that the other adds.
export const FoundMessage = z
  .strictObject({ ...Message.shape, ...partOfContent("getMessage") })
  .openapi("FoundMessage");
export type FoundMessage = z.infer<typeof FoundMessage>;

const { conversation_id: _, ...OF_SUMMARY } = Summary.shape;
export const FoundSummary = z
  .strictObject({
    ...OF_SUMMARY,
    messages: z
      .array(
        z
          .strictObject({
            message_id: MessageId,
            sequence: sequence("Sequence number of the message."),
            role: MessageRole,
            name: SpeakerName.nullable(),
            content: z.string().meta({
              description: `Content of the message. Of a longer one, the part with what is cited, at most ${CITED_CHARACTERS_MAX} characters.`,
            }),
            created_at: timestamp("Time of the message."),
          })
          .openapi("CitedMessage"),
      )
      .meta({ description: "The messages that the sentences cite, in order." }),
  })
  .openapi("FoundSummary");
export type FoundSummary = z.infer<typeof FoundSummary>;

export const MessagesResult = z
  .strictObject({
    type: z.literal("messages").meta({ description: "The result consists of messages of a conversation." }),
    conversation_id: ConversationId,
    conversation: Conversation.pick({
      title: true,
      external_id: true,
      agent_id: true,
      user_id: true,
      shared: true,
      tags: true,
      created_at: true,
    })
      .meta({ description: "The conversation of the messages." })
      .openapi("ConversationSummary"),
    start_sequence: sequence("Sequence number of the first message in `messages`."),
    end_sequence: sequence("Sequence number of the last message in `messages`."),
    score: Score,
    relevance: Relevance,
    matches: z
      .array(
        z.strictObject({
          message_id: MessageId,
          sequence: sequence("Sequence number of the message: its position in the conversation."),
          score: z.number().meta({ description: "Score of this message." }),
          highlights: Highlights,
          explanation: SearchExplanation.optional(),
        }),
      )
      .meta({ description: "Messages that match, best first. All others in `messages` are neighbors." }),
    messages: z.array(FoundMessage).max(RESULT_MESSAGES_MAX).meta({
      description:
        "The matches and their neighbors, oldest first. At most 50; if there are more, those around the best matches are returned. Without `max_tokens`, every message has its full content. With `max_tokens`, messages between the first and the last may be missing, and a long match may have only the part of its content with the matching words.",
    }),
    chunk_id: ChunkId.nullable().meta({
      description:
        "Id of the chunk (group of neighboring messages) that matches best by meaning; null if only keywords match.",
    }),
    summaries: z
      .array(FoundSummary)
      .optional()
      .meta({
        description: `The summary of level 1 that covers the best match, if it has one; none if an earlier result has it. Present only if \`in\` has \`summaries\`. At most ${SEARCH_SUMMARIES_MAX} in one response, those of the best results, and with \`max_tokens\` only those that fit besides all messages.`,
      }),
    cut: z
      .strictObject({
        from_sequence: sequence("Sequence number of the first message of the complete range."),
        to_sequence: sequence("Sequence number of the last message of the complete range."),
      })
      .optional()
      .meta({
        description:
          "Present if messages were left out, because of `max_tokens`, or because the result would have more than 50 messages or the response more than 2 MB. Pass the range to `listMessages` to read all of them.",
      }),
  })
  .openapi("MessagesResult");

export type MessagesResult = z.infer<typeof MessagesResult>;

export const FoundMemory = z
  .strictObject({ ...Memory.shape, ...partOfContent("getMemory") })
  .openapi("FoundMemory");
export type FoundMemory = z.infer<typeof FoundMemory>;

export const MemoryResult = z
  .strictObject({
    type: z.literal("memory").meta({ description: "The result is a memory." }),
    memory: FoundMemory.meta({
      description:
        "The memory. With `max_tokens`, a long one may have only the part of its content that matches.",
    }),
    ended: z.boolean().meta({
      description: "Whether the memory has ended by `valid_at`: its `valid_until` is not later.",
    }),
    score: Score,
    relevance: Relevance,
    highlights: Highlights,
    chunk: MemoryChunk.omit({ indexed: true }).openapi("MatchedChunk").nullable().meta({
      description:
        "Part of the memory that matches best by meaning. Null if only keywords match, or if changed content is not indexed yet.",
    }),
    explanation: SearchExplanation.optional(),
  })
  .openapi("MemoryResult");
export type MemoryResult = z.infer<typeof MemoryResult>;

export const SearchResult = z
  .discriminatedUnion("type", [MessagesResult, MemoryResult])
  .openapi("SearchResult");
export type SearchResult = z.infer<typeof SearchResult>;

/** Values of the response field `degraded`, whose description explains each. */
const DEGRADATIONS = [
  "semantic",
  "semantic_partial",
  "keyword_partial",
  "phrase_too_long",
  "model_mismatch",
  "rerank",
] as const;

/** Response fields of `search` and `searchMemories`, besides the results. */
const searchState = {
  degraded: z.array(z.enum(DEGRADATIONS)).meta({
    description:
      "Reasons why the results may be incomplete or less well ordered; empty if there are none. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: matches by meaning may be missing, because of the filters. They match more conversations than one query of the vector store can list, or too few of the nearest vectors match them, or the organization has more conversations than one search compares with them. `keyword_partial`: matches by keywords may be missing, because the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, or a phrase of frequent words was not found everywhere, or an exclusion may have excluded too much. With filters, only the conversations with the rarest words may have been searched. It also says that the words of a large write of the organization are still being inserted. `phrase_too_long`: a quoted phrase has more than 32 words, so it was searched as plain words. `model_mismatch`: some messages or memories have vectors of an earlier embedding model and were searched by keywords only. For a key that is bound to an agent, it may concern data of other agents, if 5,000 or more vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded; a service on a single machine has none. The results are ordered as without `rerank`.",
  }),
  pending: count(
    "Number of messages and memories that semantic search cannot find yet, because their vectors are not stored, or are stored but not yet visible to queries. Keyword search finds them. In `keyword` mode, it counts only those whose vectors are not stored. It is a lower bound if more than 5,000 indexing jobs of the organization are queued.",
  ),
  tokens: count(
    "Estimated number of tokens of the content of all results: never less than OpenAI's tokenizer o200k counts. In English and code it is about 6 % more, in Chinese, Japanese and Korean about 11 %, in other languages up to several times as much.",
  ),
  omitted: count(
    "Number of results that were left out, because all results together would exceed `max_tokens` or 2 MB. To get them, raise `max_tokens` or use a narrower filter; for messages, also fewer `neighbors`.",
  ),
  below_min_relevance: count(
    "Number of results, among the `limit` best, that were left out because their `relevance` is below `min_relevance`.",
  ),
  recall_id: RecordedAs,
};

export const SearchAnswer = z
  .strictObject({
    results: z
      .array(SearchResult)
      .max(SEARCH_RESULTS_MAX)
      .meta({ description: "Results, best first. No message is in two results." }),
    ...searchState,
  })
  .openapi("SearchAnswer");
export type SearchAnswer = z.infer<typeof SearchAnswer>;

/** Filters of `searchMemories`. */
const memoryFilters = {
  agent_id: AgentId.optional().meta({ description: "Only memories of this agent." }),
  user_id: UserId.optional().meta({
    description: "Only memories of this user. Shared ones match, too; others without a user do not.",
  }),
  visibility: SearchVisibility.optional(),
  kind: OfKind,
  source: MemorySource.optional().meta({ description: "Only memories from this source." }),
  tags_any: Tags.optional().meta({ description: "Only memories with at least one of these tags." }),
  tags_all: Tags.optional().meta({ description: "Only memories with all of these tags." }),
  metadata: MetadataValues.optional().meta({
    description:
      "Only memories whose `metadata` has all of these keys with these values at its top level. At most 16 keys.",
    examples: [{ ticket: "T-1029" }],
  }),
  created_after: timestamp("Only memories captured at or after this time.").optional(),
  created_before: timestamp("Only memories captured before this time.").optional(),
  as_of: AsOf.optional().meta({ description: AS_OF_SEARCH }),
};
export type MemorySearchFilters = z.infer<z.ZodObject<typeof memoryFilters>>;

export const SearchMemoriesBody = z
  .strictObject({
    ...queryFields,
    ...memoryFilters,
    ...resultOptions,
  })
  .openapi("SearchMemoriesBody", { example: { query: "How does Maria want refunds?", limit: 5 } });

export const MemorySearchAnswer = z
  .strictObject({
    results: z.array(MemoryResult).max(SEARCH_RESULTS_MAX).meta({ description: "Results, best first." }),
    ...searchState,
  })
  .openapi("MemorySearchAnswer");
export type MemorySearchAnswer = z.infer<typeof MemorySearchAnswer>;

export const searchMemories = createRoute({
  operationId: "searchMemories",
  ...sdkMethod({ repeatable: true }),
  ...sdkExample(`
    const { results } = await engram.memories.search({ query: "How does Maria want refunds?", limit: 5 });
    for (const { relevance, memory } of results) console.log(relevance, memory.content);
  `),
  ...memoryTools.searchMemories,
  method: "post",
  path: "/v1/memories/search",
  tags: ["Memories"],
  summary: "Search memories",
  description:
    "Finds memories by meaning and by keywords, best first, each with its full content and the chunk that matched. Memories that hold come first: those that have ended, or not begun, follow all others. Filters apply before ranking. Keyword search finds a memory as soon as it is stored, semantic search once its vectors are stored, within seconds.",
  security: requires("search"),
  request: { body: jsonBody(SearchMemoriesBody) },
  responses: {
    200: jsonAnswer("The results.", MemorySearchAnswer),
    ...problems(...bodyProblems, ...writeProblems),
  },
});

export const search = createRoute({
  operationId: "search",
  ...sdkMethod({ method: "search", repeatable: true }),
  ...sdkExample(`
    const { results, pending, degraded } = await engram.search({ query: "When was the refund sent?", limit: 5 });
    for (const { score, messages } of results) console.log(score, messages[0]?.content);
  `),
  ...mcpTools({
    set: "conversations",
    title: "Search conversations and memories",
    description:
      "Finds messages and memories by meaning and keywords, best first. Messages come with neighbors, as lines `[sequence] time speaker: text`. `get_conversation` reads on.",
    read_only: true,
    lines: true,
    defaults: { max_tokens: 4_000, min_relevance: MIN_RELEVANCE_FOR_MODELS },
    sends: { in: [...CORPORA] },
    omits: [
      "in",
      "priors",
      "explain",
      "rerank",
      "names",
      "entities",
      "keep_best",
      "valid_at",
      "as_of",
      "edited_since",
      "record",
      "recall_id",
      "exclude_conversation",
      "visibility",
      "shared",
    ],
  }),
  method: "post",
  path: "/v1/search",
  tags: ["Search"],
  summary: "Search conversations and memories",
  description:
    "Finds messages by meaning and by keywords, best first, each with its neighbors, and memories if `in` includes them. Memories that have ended, or not begun, come last. Filters apply before ranking. Keyword search finds a message as soon as it is stored, semantic search once its vector is stored, within seconds. Case, accents and, in English and more than 20 other languages, the endings of words make no difference to keyword search.",
  security: requires("search"),
  request: { body: jsonBody(SearchBody) },
  responses: {
    200: jsonAnswer("The results.", SearchAnswer),
    ...problems(...bodyProblems, ...writeProblems),
  },
});
