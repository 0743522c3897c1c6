// Limits and defaults of requests and responses, which the API reference states. docs/limits.md lists what happens when
// a request exceeds a limit. `@engram/sdk/limits` is a generated copy of this file, because the SDK does not contain
// zod: it imports nothing.

/** Size of a request body in bytes, as sent. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;
/** Nesting depth of arrays and objects in a body. */
export const BODY_DEPTH_MAX = 64;
/** Fields of objects and items of arrays in one JSON body. */
export const BODY_VALUES_MAX = 50_000;

/**
 * Size in bytes of the messages in one append, replacement or fork, or of the memories in one bulk capture. It is
 * measured after the body is parsed: content as UTF-8, all other fields as JSON. The body itself may be larger, because
 * JSON escapes such as `\u00e9` take more bytes than the characters.
 */
export const WRITE_BYTES_MAX = 2 * 1024 * 1024;

/** Messages of one append. */
export const APPEND_MESSAGES_MAX = 1_000;
/** Messages deleted by one replacement. */
export const REPLACE_MESSAGES_MAX = 10_000;
/** The field `content` of one message or memory, in bytes as UTF-8. */
export const CONTENT_BYTES_MAX = 1_000_000;
/** The field `parts` of one message, in bytes as JSON. */
export const PARTS_BYTES_MAX = 500_000;
/** Messages on one page of a list. */
export const MESSAGE_PAGE_MAX = 1_000;
/** Highest sequence number of a message. */
export const SEQUENCE_MAX = 16_777_215;

/** Characters of the title of a conversation. */
export const TITLE_CHARACTERS_MAX = 1_000;
/** Messages that `getConversation` returns with the conversation. */
export const CONVERSATION_MESSAGES_MAX = 500;
/** Messages that one fork copies. */
export const FORK_MESSAGES_MAX = 10_000;

/** Levels of summaries of a conversation. */
export const SUMMARY_LEVELS_MAX = 7;

/** Memories of one bulk capture. */
export const CAPTURE_MEMORIES_MAX = 1_000;
/** Messages that one memory cites. */
export const SOURCES_MAX = 32;
/** Characters of a quotation. */
export const QUOTE_CHARACTERS_MAX = 2_000;
/** Characters of the summary of a memory. */
export const SUMMARY_CHARACTERS_MAX = 1_000;

/** Characters of a name, an id or a tag. */
export const TEXT_CHARACTERS_MAX = 256;
/** The field `metadata` of one conversation, message or memory, in bytes as JSON. */
export const METADATA_BYTES_MAX = 16_384;
/** Tags of a conversation or a memory, and tags in one filter. */
export const TAGS_MAX = 64;
/** Metadata keys in one filter. */
export const METADATA_FILTER_KEYS_MAX = 16;
/** Items on one page of a list, except messages. */
export const PAGE_ITEMS_MAX = 100;

/** Characters of a query. */
export const QUERY_CHARACTERS_MAX = 10_000;
/** Distinct words of a query that are searched. From a longer query, the longest words are used. */
export const QUERY_WORDS_MAX = 48;
/** Quoted phrases in one query. */
export const QUERY_PHRASES_MAX = 16;
/** Words and phrases that one search excludes. */
export const QUERY_EXCLUSIONS_MAX = 16;
/** Words of a quoted phrase, or of an exclusion. */
export const PHRASE_WORDS_MAX = 32;
/** Results of one search. */
export const SEARCH_RESULTS_MAX = 50;
/** Summaries that one search returns. */
export const SEARCH_SUMMARIES_MAX = 10;
/** Characters of a message that a summary cites, in the result of a search. */
export const CITED_CHARACTERS_MAX = 1_000;
/** Neighboring messages that a search returns on each side of a match. */
export const NEIGHBORS_MAX = 20;
/** Messages in one search result. */
export const RESULT_MESSAGES_MAX = 50;
/** Search results of one context. */
export const CONTEXT_RESULTS_MAX = 20;
/** Newest memories that one context considers. */
export const CONTEXT_MEMORIES_MAX = 50;
/** Smallest budget of a context: its frame alone takes about half of it. */
export const CONTEXT_TOKENS_MIN = 300;
/** Hours after which the stable part of a context is forgotten, unless a context continues it. */
export const CONTEXT_STABLE_HOURS = 24;
/** Budget of a context without `max_tokens`. */
export const CONTEXT_TOKENS_DEFAULT = 4_000;
/** Largest budget of a context. */
export const CONTEXT_TOKENS_MAX = 100_000;
/** Results that a search can keep in spite of their relevance. */
export const KEEP_BEST_MAX = 10;
/**
 * Results below this relevance are left out where a model asks, because it would take them for answers.
 * proof/bench/README.md says how many right ones it costs.
 */
export const MIN_RELEVANCE_FOR_MODELS = 0.005;
/** Of the best results, this number is kept for a model even if their relevance is lower, and marked. */
export const KEEP_BEST_FOR_MODELS = 3;
/** The mark of a result below `MIN_RELEVANCE_FOR_MODELS`. */
export const LOW_RELEVANCE = "low relevance";
/** Highlighted ranges in one message or memory. */
export const HIGHLIGHTS_MAX = 100;

/** Lines in one import request. */
export const IMPORT_LINES_MAX = 1_000;
/**
 * Fields of objects and items of arrays in one import request, and in one of its lines. Higher than
 * `BODY_VALUES_MAX`, because a line has more fields than the message had when it was appended.
 */
export const IMPORT_VALUES_MAX = 100_000;
/** Total number of lines of an import that is sent in several requests. */
export const IMPORT_TOTAL_MAX = 1_000_000_000;
/** Days after which an unfinished import is canceled. */
export const IMPORT_DAYS_MAX = 7;

/** Seconds for which a list of messages waits for one. Less than the time that MCP clients give a tool. */
export const MESSAGE_WAIT_SECONDS_MAX = 20;

/** Events that one request returns. */
export const EVENTS_PAGE_MAX = 500;
/** Seconds for which a request waits for events. */
export const EVENT_WAIT_SECONDS_MAX = 25;
/** Seconds in which a ticket can be used. */
export const TICKET_SECONDS_MAX = 60;
/** Characters in one frame that a client sends over a socket. */
export const FRAME_CHARACTERS_MAX = 65_536;
/** Subscriptions of one socket. */
export const SOCKET_SUBSCRIPTIONS_MAX = 8;
/** Subscriptions and presence of one socket, with the agent and user of its key, as the service keeps them in bytes. */
export const SOCKET_STATE_BYTES_MAX = 16_384;
/** Frames that a subscription gets until the client acknowledges one. */
export const SUBSCRIPTION_FRAMES_MAX = 4;
/** Events in one frame. */
export const FRAME_EVENTS_MAX = 100;
/** Broadcasts and presence frames that a socket gets until its client sends something, such as `ping`. */
export const SOCKET_BROADCASTS_MAX = 100;
/** Maximum length of the origin of a ticket. */
export const ORIGIN_CHARACTERS_MAX = 261;
/** Maximum length of a broadcast value as JSON text. */
export const BROADCAST_CHARACTERS_MAX = 4_096;
/** The field `state` of a presence, in bytes as JSON. */
export const PRESENCE_STATE_BYTES_MAX = 1_024;
/** Seconds for which a presence that was set over HTTP lasts. */
export const PRESENCE_SECONDS_MAX = 60;
/** Presences in one conversation. */
export const PRESENCES_MAX = 100;

/** Time in which a sign-in code can be redeemed. */
export const SIGN_IN_CODE_SECONDS = 3_600;
/** Lifetime of the key that a sign-in code is redeemed for. */
export const SIGN_IN_KEY_SECONDS = 43_200;
/** Name of the keys that sign-in codes are redeemed for. */
export const SIGN_IN_KEY_NAME = "console sign-in";

/** Rules of retention of an organization. */
export const RETENTION_RULES_MAX = 50;
/** Age that a rule of retention may state, in days: a hundred years. */
export const RETENTION_DAYS_MAX = 36_500;
/** Ids that a preview of a rule of retention returns. */
export const RETENTION_SAMPLES_MAX = 10;

/** Webhooks of an organization. */
export const WEBHOOKS_MAX = 20;
/** Tests of a webhook in a minute. */
export const WEBHOOK_TESTS_MAX = 10;
/** Characters of the URL of a webhook. */
export const WEBHOOK_URL_CHARACTERS_MAX = 2_048;

/** Seconds for which the replaced secret of a key stays valid at most. */
export const ROTATION_OVERLAP_SECONDS_MAX = 2_592_000;
/** Invalid fields that one problem lists. */
export const PROBLEM_ERRORS_MAX = 100;

/** Messages and conversations that a list of entities reads to count the mentions of an entity. */
export const ENTITY_ROWS_COUNTED_MAX = 1_000;
/** Mentions by which a list of entities is sorted. */
export const ENTITY_MENTIONS_RANKED_MAX = 10_000;
/** Conversations, those that changed last, whose mentions a list of entities is sorted by. */
export const ENTITY_CONVERSATIONS_RANKED_MAX = 1_000;
/** Maximum number of characters of the prefix that a list of entities is filtered by. */
export const ENTITY_PREFIX_CHARACTERS_MAX = 100;
/** Entities that a search can be limited to. */
export const SEARCH_ENTITIES_MAX = 20;
/** Characters of an entity's value that a search is limited to: links have the longest. */
export const ENTITY_VALUE_CHARACTERS_MAX = 2_100;
/** Mentions that are found in a message. */
export const MESSAGE_MENTIONS_MAX = 64;

/** Conversations of a user, and memories of a user, that a list of users counts. */
export const USER_ITEMS_COUNTED_MAX = 1_000;

/** Characters of a message in a list of conversations. */
export const EXCERPT_CHARACTERS = 200;

/** Maximum number of memories in `possible_conflicts`. */
export const POSSIBLE_CONFLICTS_MAX = 5;
/** Maximum size of the contents that are compared for conflicts, in bytes. */
export const CONFLICT_CONTENT_BYTES_MAX = 2_000;
/** Maximum number of memories that a new one is compared with. */
export const CONFLICTS_COMPARED_MAX = 200;
/** Number of the newest memories among which those that are compared are searched. */
export const CONFLICTS_SCANNED_MAX = 1_000;

/** Days for which a receipt of recall is kept. */
export const RECALL_DAYS = 30;
/** Items of a receipt of recall: those of the largest search. */
export const RECALL_ITEMS_MAX = 2_500;

/** Evaluations of an organization. */
export const EVALUATIONS_MAX = 1_000;
/** Items that the search of an evaluation should find. */
export const EVALUATION_EXPECTED_MAX = 50;

/** Active legal holds of an organization. */
export const HOLDS_MAX = 100;
/** Conversations and memories that one legal hold names. */
export const HOLD_ITEMS_MAX = 1_000;

/** The number up to which the health of an organization counts each kind of work. */
export const WORK_COUNTED_MAX = 10_000;

/** Archives of one organization. */
export const ARCHIVES_MAX = 1_000;
/** Archives that the receipt of a deletion names. */
export const RECEIPT_ARCHIVES_MAX = 20;
/** Days after which an archive may expire, and days between two archives of a schedule. */
export const ARCHIVE_DAYS_MAX = 3_650;
