import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  ChunkId,
  ConversationId,
  count,
  jsonAnswer,
  jsonBody,
  keyProblems,
  MessageId,
  MetadataValues,
  mcpTools,
  requires,
  Tags,
  timestamp,
  UserId,
} from "./common.ts";
import { Conversation } from "./conversations.ts";
import {
  CONTEXT_MESSAGES_MAX,
  HIGHLIGHTS_MAX,
  QUERY_CHARACTERS_MAX,
  RESULT_MESSAGES_MAX,
  SEARCH_RESULTS_MAX,
  TAGS_MAX,
} from "./limits.ts";
import { Memory, MemoryChunk, MemorySource, OfKind } from "./memories.ts";
import { memoryTools } from "./memory-tools.ts";
import { Message, MessageRole, SpeakerName, sequence } from "./messages.ts";
import { problems } from "./problem.ts";

/** Features that adjust the score of a message. The contract explains each. */
export const SEARCH_PRIORS = ["answer", "question", "time", "number", "date", "speaker"] as const;
export const SearchPrior = z.enum(SEARCH_PRIORS);
export type SearchPrior = z.infer<typeof SearchPrior>;

/** What can be searched, by the names in the API. */
export const CORPORA = ["conversations", "memories"] as const;
export type Corpus = (typeof CORPORA)[number];

/** Request fields of both searches. */
const asked = {
  query: z.string().min(1).max(QUERY_CHARACTERS_MAX).meta({
    description:
      'Text to search for: a question, words or code. `-word` and `-"a phrase"` exclude messages that contain them. A `"quoted phrase"` must occur in a match in `keyword` mode, and ranks it higher in `hybrid` mode. A query of several lines is taken literally, without operators. Limits: 48 distinct words (the longest are used), 16 phrases and exclusions (the first are used), 32 words per phrase. A longer phrase counts as plain words; in `keyword` mode it is rejected with 400.',
  }),
  mode: z.enum(["hybrid", "semantic", "keyword"]).default("hybrid").meta({
    description:
      "`hybrid` searches by meaning and by keywords, `semantic` by meaning only, `keyword` by keywords only.",
  }),
  limit: z
    .int()
    .min(1)
    .max(SEARCH_RESULTS_MAX)
    .default(10)
    .meta({ description: "Maximum number of results." }),
};

/** Request fields of both searches that shape the response. */
const shaped = {
  explain: z.boolean().default(false).meta({
    description: "Return the components of each match's score.",
  }),
  rerank: z.boolean().default(false).meta({
    description:
      "Rerank the 50 best matches with a model that reads query and text together. More accurate but slower, usually by a few hundred milliseconds.",
  }),
  min_relevance: z.number().min(0).max(1).optional().meta({
    description: "Return only matches with at least this `relevance`.",
  }),
  max_tokens: z.int().min(1).max(1_000_000).optional().meta({
    description:
      "Maximum number of tokens that all returned texts may cost, as counted in `tokens`. A result that does not fit even without its neighbors is left out and counted in `omitted`.",
  }),
};

const ContextMessages = (description: string) =>
  z.int().min(0).max(CONTEXT_MESSAGES_MAX).default(2).meta({ description });

export const SearchBody = z
  .strictObject({
    ...asked,
    in: z.array(z.enum(CORPORA)).min(1).max(CORPORA.length).default(["conversations"]).meta({
      description:
        "What to search: `conversations`, `memories` or both in one ranking. Other filters apply to memories as to conversations. Filters that only conversations have (`conversation_id`, `user_id`, `roles`, `names`) exclude all memories.",
    }),
    conversation_id: ConversationId.refine(
      (text) => !text.startsWith("mem_"),
      "must not be the id of a memory; get a memory with `getMemory`",
    )
      .optional()
      .meta({ description: "Only messages of this conversation." }),
    agent_id: AgentId.optional().meta({ description: "Only messages in conversations of this agent." }),
    user_id: UserId.optional().meta({ description: "Only messages in conversations with this user." }),
    tags_any: Tags.optional().meta({
      description: "Only messages in conversations with at least one of these tags.",
    }),
    tags_all: Tags.optional().meta({ description: "Only messages in conversations with all of these tags." }),
    roles: z
      .array(MessageRole)
      .min(1)
      .max(4)
      .optional()
      .meta({ description: "Only matches with one of these roles." }),
    names: z
      .array(SpeakerName)
      .min(1)
      .max(TAGS_MAX)
      .optional()
      .meta({ description: "Only matches whose speaker has one of these names." }),
    metadata: MetadataValues.optional().meta({
      description:
        "Only messages in conversations whose metadata has all of these values at the top level. At most 16 values.",
      examples: [{ ticket: "T-1029" }],
    }),
    created_after: timestamp("Only matches said at or after this time.").optional(),
    created_before: timestamp("Only matches said before this time.").optional(),
    context: z
      .strictObject({
        before: ContextMessages("Number of messages to return before each match."),
        after: ContextMessages("Number of messages to return after each match."),
      })
      .default({ before: 2, after: 2 })
      .meta({ description: "Neighbors to return with each match. Filters do not apply to them." }),
    priors: z
      .array(SearchPrior)
      .max(SEARCH_PRIORS.length)
      .default([...SEARCH_PRIORS])
      .meta({
        description:
          "Features that may adjust the score of a message in `hybrid` mode, in addition to words and meaning. Default: all; `[]` for none. `answer`: the preceding question matches the query. `question`: short questions rank lower. `time`, `number`: the query asks when or how many, and the message contains a time or a number. `date`: the message was said on a date in the query or soon after. `speaker`: if the query names a speaker, messages by others rank lower.",
      }),
    ...shaped,
  })
  .openapi("SearchBody", { example: { query: "When was the refund sent?", limit: 5 } });

const Highlight = z
  .strictObject({
    start: count("Start offset in UTF-16 code units, as in JavaScript strings, from 0."),
    end: count("Exclusive end offset."),
  })
  .openapi("Highlight");

const part = (description: string) => z.number().meta({ description });

export const SearchExplanation = z
  .strictObject({
    message: part(
      "BM25 score of the message, scaled from 0 to 1 between the worst and the best of the 100 best messages.",
    ),
    window: part("BM25 score of the message together with two neighbors on each side, scaled likewise."),
    conversation: part(
      "BM25 score of the conversation, scaled between the worst and the best of the 15 best.",
    ),
    chunk: part(
      "Cosine similarity of the nearest chunk that contains the message, scaled over the 100 nearest chunks.",
    ),
    answer: part("The preceding question matches the query."),
    question: part("The message is a short question. Lowers the score."),
    time: part("The message contains a time, and the query asks when."),
    number: part("The message contains a number, and the query asks how many."),
    date: part("The message was said on a date in the query or soon after."),
    speaker: part("Below 0 if the query names another speaker."),
    phrase: part("The message contains a quoted phrase of the query."),
  })
  .meta({
    description:
      "Components of the score, present with `explain`. The score before `rerank` is their sum, or lower for a message that no retriever ranks among its best.",
  })
  .openapi("SearchExplanation");

export type SearchExplanation = z.infer<typeof SearchExplanation>;

const Score = z
  .number()
  .meta({ description: "Orders the results of one search. Not comparable between searches." });
const Relevance = z.number().min(0).max(1).meta({
  description:
    "Estimated probability that the result contains what the query asks for, from 0 to 1. Comparable between searches. It rises with the share of the query's words in the match or within two messages of it, rare words counting more, and with the similarity in meaning. In 95 of 100 cases, no result exceeds 0.25 if the topic never came up, and no result exceeds 0.6 if the question was never answered.",
});
const Highlights = z.array(Highlight).max(HIGHLIGHTS_MAX).meta({
  description:
    "Ranges of the content that match words of the query, in order. At most 100, all within the first 100,000 UTF-16 code units. Empty if only meaning, neighbors or the speaker's name match.",
});

export const MessagesResult = z
  .strictObject({
    type: z.literal("messages").meta({ description: "Messages of a conversation." }),
    conversation_id: ConversationId,
    conversation: Conversation.pick({
      title: true,
      external_id: true,
      agent_id: true,
      user_id: true,
      tags: true,
      created_at: true,
    })
      .meta({ description: "The conversation of the messages." })
      .openapi("ConversationSummary"),
    start_sequence: sequence("Sequence of the first message in `messages`."),
    end_sequence: sequence("Sequence of the last message in `messages`."),
    score: Score,
    relevance: Relevance,
    matches: z
      .array(
        z.strictObject({
          message_id: MessageId,
          sequence: sequence("Position in the conversation."),
          score: z.number().meta({ description: "Score of this message." }),
          highlights: Highlights,
          explanation: SearchExplanation.optional(),
        }),
      )
      .meta({ description: "Messages that match, best first. All others in `messages` are neighbors." }),
    messages: z.array(Message).max(RESULT_MESSAGES_MAX).meta({
      description:
        "The matches and their neighbors, complete and verbatim, oldest first. At most 50; if there are more, those around the best matches.",
    }),
    chunk_id: ChunkId.nullable().meta({
      description: "Chunk whose vector matches best; null if only keywords match.",
    }),
    cut: z
      .strictObject({
        from_sequence: sequence("First sequence of the complete range."),
        to_sequence: sequence("Last sequence of the complete range."),
      })
      .optional()
      .meta({
        description:
          "Present if messages were left out, because the result would have more than 50 or the response more than 2 MB. Pass the range to `listMessages` to read all of them.",
      }),
  })
  .openapi("MessagesResult");

export type MessagesResult = z.infer<typeof MessagesResult>;

export const MemoryResult = z
  .strictObject({
    type: z.literal("memory").meta({ description: "A memory." }),
    memory: Memory,
    score: Score,
    relevance: Relevance,
    highlights: Highlights,
    chunk: MemoryChunk.omit({ indexed: true }).openapi("MatchedChunk").nullable().meta({
      description:
        "Chunk that matches best by meaning. Null if only keywords match, while changed content is not indexed yet, and for memories indexed by an earlier version until `repairIndex` is run.",
    }),
    explanation: SearchExplanation.optional(),
  })
  .openapi("MemoryResult");
export type MemoryResult = z.infer<typeof MemoryResult>;

export const SearchResult = z
  .discriminatedUnion("type", [MessagesResult, MemoryResult])
  .openapi("SearchResult");
export type SearchResult = z.infer<typeof SearchResult>;

/** Codes for incomplete results. The contract explains each. */
const DEGRADATIONS = [
  "semantic",
  "semantic_partial",
  "keyword_partial",
  "phrase_too_long",
  "model_mismatch",
  "rerank",
] as const;

/** Response fields of both searches, besides the results. */
const told = {
  degraded: z.array(z.enum(DEGRADATIONS)).meta({
    description:
      "Parts of the search that were not done; empty if it is complete. `semantic`: the embedding model or the vector store did not respond, so only keywords were searched. `semantic_partial`: semantic search is incomplete, because the filters match more than one query of the vector store can name, too few of the nearest vectors pass the filters, or there are more conversations than a filter is compared with. `keyword_partial`: the words occur in more places than one search reads. The most frequent words were searched only in the newest messages, a phrase of frequent words may have missed matches, or an exclusion may have excluded more. Or the words occur in more conversations than a filter is compared with, and only those with the rarest words were searched. `phrase_too_long`: a quoted phrase has more than 32 words, which counted as plain words. `model_mismatch`: some messages or memories have vectors of an earlier model and were searched by keywords only. A key that is bound to an agent also gets it if 5,000 vectors of the organization are of an earlier model. `rerank`: reranking was requested, but no reranking model responded. A service on a single machine has none. The order is that without reranking.",
  }),
  pending: count(
    "Number of messages and memories that semantic search cannot find yet, because their vectors are not stored or not visible to queries. Keyword search finds them. In `keyword` mode, only those without stored vectors. A lower bound if more than 5,000 indexing jobs of the organization are queued.",
  ),
  tokens: count(
    "Upper bound on the tokens that the content of all results costs a model. Counts one token for each started group of three letters or blanks, per digit, per other ASCII character, and per byte of everything else. A single space is free. A capital letter starts a new word. In a word without a vowel or with more than 24 letters, each letter counts.",
  ),
  omitted: count(
    "Number of results left out, because they exceed `max_tokens` or the response would exceed 2 MB. To get them, raise `max_tokens` or use a narrower filter; for messages, also a smaller `context`.",
  ),
};

export const SearchAnswer = z
  .strictObject({
    results: z
      .array(SearchResult)
      .max(SEARCH_RESULTS_MAX)
      .meta({ description: "Results, best first. No message is in two results." }),
    ...told,
  })
  .openapi("SearchAnswer");
export type SearchAnswer = z.infer<typeof SearchAnswer>;

export const SearchMemoriesBody = z
  .strictObject({
    ...asked,
    agent_id: AgentId.optional().meta({ description: "Only memories of this agent." }),
    kind: OfKind,
    source: MemorySource.optional().meta({ description: "Only memories from this source." }),
    tags_any: Tags.optional().meta({ description: "Only memories with at least one of these tags." }),
    tags_all: Tags.optional().meta({ description: "Only memories with all of these tags." }),
    metadata: MetadataValues.optional().meta({
      description:
        "Only memories whose metadata has all of these values at the top level. At most 16 values.",
      examples: [{ ticket: "T-1029" }],
    }),
    created_after: timestamp("Only memories captured at or after this time.").optional(),
    created_before: timestamp("Only memories captured before this time.").optional(),
    ...shaped,
  })
  .openapi("SearchMemoriesBody", { example: { query: "How does Maria want refunds?", limit: 5 } });

export const MemorySearchAnswer = z
  .strictObject({
    results: z.array(MemoryResult).max(SEARCH_RESULTS_MAX).meta({ description: "Results, best first." }),
    ...told,
  })
  .openapi("MemorySearchAnswer");
export type MemorySearchAnswer = z.infer<typeof MemorySearchAnswer>;

export const searchMemories = createRoute({
  operationId: "searchMemories",
  ...memoryTools.searchMemories,
  method: "post",
  path: "/v1/memories/search",
  tags: ["Memories"],
  summary: "Search memories",
  description:
    "Finds memories by meaning and by keywords, best first, each with its full content and the chunk that matched. Filters apply before ranking. Keyword search finds a memory as soon as it is stored, semantic search once its vectors are stored, within seconds.",
  security: requires("search"),
  request: { body: jsonBody(SearchMemoriesBody) },
  responses: {
    200: jsonAnswer("The results.", MemorySearchAnswer),
    ...problems(...bodyProblems, ...keyProblems),
  },
});

export const search = createRoute({
  operationId: "search",
  ...mcpTools({
    set: "conversations",
    title: "Search conversations",
    description:
      "Finds messages by meaning and by keywords, best first, each with its neighbors. Filters apply before ranking. Keyword search finds a message as soon as it is stored, semantic search once its vector is stored, within seconds.",
    read_only: true,
    defaults: { max_tokens: 4_000 },
    omits: [
      ...["priors", "explain", "explanation", "highlights", "min_relevance", "rerank", "names"],
      // Only larger responses than a tool's result have it.
      "cut",
      // Memories have tools of their own.
      ...["in", "memory"],
    ],
  }),
  method: "post",
  path: "/v1/search",
  tags: ["Search"],
  summary: "Search conversations and memories",
  description:
    "Finds messages by meaning and by keywords, best first, each with its neighbors, and memories if `in` includes them. Filters apply before ranking. Keyword search finds a message as soon as it is stored, semantic search once its vector is stored, within seconds.",
  security: requires("search"),
  request: { body: jsonBody(SearchBody) },
  responses: {
    200: jsonAnswer("The results.", SearchAnswer),
    ...problems(...bodyProblems, ...keyProblems),
  },
});
