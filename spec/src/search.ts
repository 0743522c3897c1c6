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
      'What to look for: a question, words or code. `-word` and `-"a phrase"` exclude messages. A `"quoted phrase"` must occur in a match in `keyword` mode and ranks it higher in `hybrid` mode. Text of several lines is literal. Limits: 48 distinct words (the longest count), 16 phrases and exclusions (the first count), 32 words a phrase; a longer phrase counts as plain words, and is refused in `keyword` mode.',
  }),
  mode: z.enum(["hybrid", "semantic", "keyword"]).default("hybrid").meta({
    description: "`hybrid` by meaning and by words, `semantic` by meaning only, `keyword` by words only.",
  }),
  limit: z.int().min(1).max(SEARCH_RESULTS_MAX).default(10).meta({ description: "Most results." }),
};

/** Request fields of both searches that shape the response. */
const shaped = {
  explain: z.boolean().default(false).meta({
    description: "Answer with each match what its score is made of.",
  }),
  rerank: z.boolean().default(false).meta({
    description:
      "Order the 50 best matches again by a model that reads query and text together. Better and slower, some hundred milliseconds as a rule.",
  }),
  min_relevance: z.number().min(0).max(1).optional().meta({
    description: "Only matches of at least this `relevance`.",
  }),
  max_tokens: z.int().min(1).max(1_000_000).optional().meta({
    description:
      "Most tokens, as counted in `tokens`, that all texts answered may cost. A result that does not fit even without its neighbours is left out and counted in `omitted`.",
  }),
};

const ContextMessages = (description: string) =>
  z.int().min(0).max(CONTEXT_MESSAGES_MAX).default(2).meta({ description });

export const SearchBody = z
  .strictObject({
    ...asked,
    in: z.array(z.enum(CORPORA)).min(1).max(CORPORA.length).default(["conversations"]).meta({
      description:
        "Where to look: `conversations`, `memories` or both, then with one ranking. Other filters hold for memories as for conversations; what only conversations have (`conversation_id`, `user_id`, `roles`, `names`) leaves all memories out.",
    }),
    conversation_id: ConversationId.refine(
      (text) => !text.startsWith("mem_"),
      "is the id of a memory, not of a conversation; get the memory by its id instead",
    )
      .optional()
      .meta({ description: "Only in this conversation." }),
    agent_id: AgentId.optional().meta({ description: "Only in conversations of this agent." }),
    user_id: UserId.optional().meta({ description: "Only in conversations with this person." }),
    tags_any: Tags.optional().meta({ description: "Only in conversations with at least one of these tags." }),
    tags_all: Tags.optional().meta({ description: "Only in conversations with all of these tags." }),
    roles: z
      .array(MessageRole)
      .min(1)
      .max(4)
      .optional()
      .meta({ description: "Only messages of these roles match." }),
    names: z
      .array(SpeakerName)
      .min(1)
      .max(TAGS_MAX)
      .optional()
      .meta({ description: "Only messages whose speaker has one of these names match." }),
    metadata: MetadataValues.optional().meta({
      description:
        "Only in conversations whose metadata has all these values at the top level. At most 16 values.",
      examples: [{ ticket: "T-1029" }],
    }),
    created_after: timestamp("Only messages said at this moment or later match.").optional(),
    created_before: timestamp("Only messages said before this moment match.").optional(),
    context: z
      .strictObject({
        before: ContextMessages("Messages to answer before each match."),
        after: ContextMessages("Messages to answer after each match."),
      })
      .default({ before: 2, after: 2 })
      .meta({ description: "Neighbours to answer with each match, whatever filters say of them." }),
    priors: z
      .array(SearchPrior)
      .max(SEARCH_PRIORS.length)
      .default([...SEARCH_PRIORS])
      .meta({
        description:
          "What may speak for a message in `hybrid` mode beside its words and meaning; all unless named, none for `[]`. `answer`: the question before it fits. `question`: short questions come later. `time`, `number`: it names one and the query asks when, or how many. `date`: it was said on or soon after a date in the query. `speaker`: what others than a speaker whom the query names said comes later.",
      }),
    ...shaped,
  })
  .openapi("SearchBody", { example: { query: "When was the refund sent?", limit: 5 } });

const Highlight = z
  .strictObject({
    start: count("First UTF-16 unit, as JavaScript counts, from 0."),
    end: count("The unit behind the last."),
  })
  .openapi("Highlight");

const part = (description: string) => z.number().meta({ description });

export const SearchExplanation = z
  .strictObject({
    message: part("Its own words: BM25, 0 to 1 between the worst and the best of the 100 best messages."),
    window: part("Its words with those of two neighbours on each side, likewise."),
    conversation: part("The words of its conversation, between the worst and the best of 15."),
    chunk: part("Its meaning: cosine of the nearest chunk that holds it, among the 100 nearest."),
    answer: part("The question before it fits."),
    question: part("It is a short question."),
    time: part("It names a time, and the query asks when."),
    number: part("It names a number, and the query asks how many."),
    date: part("It was said on or soon after a date in the query."),
    speaker: part("Below 0 where the query names another speaker."),
    phrase: part("It holds a phrase that the query quotes."),
  })
  .meta({
    description:
      "With `explain`: the parts of the score, which is their sum before `rerank`. Of what only fills up behind the best of every leg the score is lower still.",
  })
  .openapi("SearchExplanation");

export type SearchExplanation = z.infer<typeof SearchExplanation>;

const Score = z
  .number()
  .meta({ description: "Orders the results of this one answer; not comparable between answers." });
const Relevance = z.number().min(0).max(1).meta({
  description:
    "How likely it holds what the query asks for: 0 to 1, comparable between all answers. It rises with how much of the query stands in a match or within two messages of it, rare words counting more, and with how near its meaning is. In 95 of 100 cases questions about what nobody spoke of get nothing above 0.25, and questions that nobody answered nothing above 0.6.",
});
const Highlights = z.array(Highlight).max(HIGHLIGHTS_MAX).meta({
  description:
    "Where words of the query stand in its content, in order: 100 at most, of its first 100,000 UTF-16 units. Empty for what only its meaning, its neighbours or its speaker's name found.",
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
      .meta({ description: "The conversation that it was found in." })
      .openapi("ConversationSummary"),
    start_sequence: sequence("Sequence of the first message answered."),
    end_sequence: sequence("Sequence of the last message answered."),
    score: Score,
    relevance: Relevance,
    matches: z
      .array(
        z.strictObject({
          message_id: MessageId,
          sequence: sequence("Its place in the conversation."),
          score: z.number().meta({ description: "Its own score." }),
          highlights: Highlights,
          explanation: SearchExplanation.optional(),
        }),
      )
      .meta({ description: "Which of the messages matched, best first; the others are neighbours." }),
    messages: z.array(Message).max(RESULT_MESSAGES_MAX).meta({
      description:
        "The match with its neighbours, whole and verbatim, oldest first. At most 50: the windows of the best matches where there are more.",
    }),
    chunk_id: ChunkId.nullable().meta({
      description: "The chunk whose vector matched best; null for words only.",
    }),
    cut: z
      .strictObject({
        from_sequence: sequence("First sequence of the whole."),
        to_sequence: sequence("Last sequence of the whole."),
      })
      .optional()
      .meta({
        description:
          "Present when messages were left out of this result, because it would hold more than 50 or the answer would pass 2 MB. `listMessages` with this range reads them all.",
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
        "The part whose meaning matched best. Null where only words matched, while changed content waits to be indexed, and for memories indexed by an earlier version until `repairIndex`.",
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
      "What was not done; empty when everything was. `semantic`: the embedding model or vector store did not answer, so only words were searched. `semantic_partial`: meaning was searched in part only, because the filters match more than the vector store can be asked for, or too few of those nearest in meaning, or there are more conversations than a filter is compared with. `keyword_partial`: the words stand in more places than one search reads, so only the newest were searched for the most frequent words, a phrase of frequent words found fewer matches, or an exclusion left out more; or they stand in more conversations than a filter is compared with, and only those with the rarest words were. `phrase_too_long`: a quoted phrase has more than 32 words, which counted as plain words. `model_mismatch`: some have vectors of an earlier model and were searched by words only. A key that is bound to an agent gets it too when 5,000 vectors of the organization are of an earlier model. `rerank`: it was asked for and no reranking model answered, as none is there when the service runs on one machine; the order is that without it.",
  }),
  pending: count(
    "Messages and memories that meaning cannot find yet, because their vectors are not in or queries do not see them so soon; words find them. In `keyword` mode only those whose vectors are not in. A lower bound when more than 5,000 indexing jobs of the organization are queued.",
  ),
  tokens: count(
    "Upper bound of what the content of all that is answered costs a model: one token per three letters or blanks begun (a single space is free; a capital begins a word anew; letters without a vowel, or more than 24 on end, count each), per digit, per other ASCII character, and per byte of everything else.",
  ),
  omitted: count(
    "Results left out. They pass `max_tokens`, or the answer would pass 2 MB. To get them, search with a narrower filter or a smaller `context`.",
  ),
};

export const SearchAnswer = z
  .strictObject({
    results: z
      .array(SearchResult)
      .max(SEARCH_RESULTS_MAX)
      .meta({ description: "Best first. No message stands in two results." }),
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
      description: "Only memories whose metadata has all these values at the top level. At most 16 values.",
      examples: [{ ticket: "T-1029" }],
    }),
    created_after: timestamp("Only memories captured at this moment or later.").optional(),
    created_before: timestamp("Only memories captured before this moment.").optional(),
    ...shaped,
  })
  .openapi("SearchMemoriesBody", { example: { query: "How does Maria want refunds?", limit: 5 } });

export const MemorySearchAnswer = z
  .strictObject({
    results: z.array(MemoryResult).max(SEARCH_RESULTS_MAX).meta({ description: "Best first." }),
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
    "Finds memories by meaning and by words, best first, each whole, with the part that matched. Filters apply before ranking. What was captured a moment ago is found by its words; by meaning once its vectors are in, which takes seconds.",
  security: requires("search"),
  request: { body: jsonBody(SearchMemoriesBody) },
  responses: {
    200: jsonAnswer("What was found.", MemorySearchAnswer),
    ...problems(...bodyProblems, ...keyProblems),
  },
});

export const search = createRoute({
  operationId: "search",
  ...mcpTools({
    set: "conversations",
    title: "Search conversations",
    description:
      "Finds messages by meaning and by words, best first, each with its neighbours. Filters apply before ranking. What was stored a moment ago is found by its words; by meaning once its vector is in, which takes seconds.",
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
    "Finds messages by meaning and by words, best first, each with its neighbours; memories too where `in` names them. Filters apply before ranking. What was stored a moment ago is found by its words; by meaning once its vector is in, which takes seconds.",
  security: requires("search"),
  request: { body: jsonBody(SearchBody) },
  responses: {
    200: jsonAnswer("What was found.", SearchAnswer),
    ...problems(...bodyProblems, ...keyProblems),
  },
});
