import { asNamed, mcpTools } from "./common.ts";
import { MIN_RELEVANCE_FOR_MODELS } from "./limits.ts";

/** Response fields of `searchMemories` besides the results. */
const searchState = asNamed("degraded", "pending", "tokens", "omitted", "below_min_relevance");
/** Only if a content is cut: which part of the whole it is. */
const part = {
  content_start: "memory.content_start",
  content_end: "memory.content_end",
  content_length: "memory.content_length",
};
const remembered = asNamed("id", "content", "tags", "metadata", "created_at");
const thought = { ...remembered, ...asNamed("source", "summary") };
const deleted = { id: "target_id", operation_id: "id", status: "status" };
const MAX_TOKENS = 4_000;
/** Filters of `searchMemories`. The agent is not among them: the key determines it. */
const filters = asNamed(
  ...["user_id", "tags_any", "tags_all", "metadata", "source", "kind", "created_after", "created_before"],
);

/**
 * MCP tools for operations on memories, by operation id. The tools of the set `memories` serve as an agent's
 * long-term memory. The set `thoughts` offers the same operations under the tool names of Memex, another memory
 * service, so that its users need not change their prompts. No tool has an argument for the organization or agent that
 * owns a memory, because the API key determines them. Those of the set `memories` can name the user.
 */
export const memoryTools = {
  createMemory: mcpTools(
    {
      set: "memories",
      name: "store_memory",
      title: "Store a memory",
      description:
        "Stores a fact, a decision or a preference verbatim for later. If the same content is stored already, returns its id and stores nothing. Keyword search finds it at once, semantic search within seconds.",
      idempotent: true,
      takes: asNamed("content", "tags", "metadata", "user_id", "supersedes", "sources"),
      // Results name messages by their place.
      omits: ["message_id", "start", "end"],
      gives: asNamed("id"),
    },
    {
      set: "thoughts",
      name: "capture_thought",
      title: "Capture a thought",
      description:
        "Stores a thought verbatim. If the same content is stored already, returns its id and stores nothing. Keyword search finds it at once, semantic search within seconds.",
      idempotent: true,
      takes: asNamed("content", "source", "metadata"),
      gives: asNamed("id", "created_at"),
    },
  ),
  searchMemories: mcpTools(
    {
      read_only: true,
      defaults: { max_tokens: MAX_TOKENS, min_relevance: MIN_RELEVANCE_FOR_MODELS },
      set: "memories",
      name: "recall_memory",
      title: "Recall memories",
      description:
        "Finds memories by meaning and by keywords, best first. A long one is cut to the part that matches (`content_start`, `content_end`, `content_length`); a larger `max_tokens` returns more.",
      takes: { ...asNamed("query", "exclude", "max_tokens", "min_relevance"), top_k: "limit", ...filters },
      gives: {
        results: {
          id: "memory.id",
          content: "memory.content",
          tags: "memory.tags",
          metadata: "memory.metadata",
          // Without quotations, which the messages have: `get_conversation` reads them.
          sources: ["memory.sources", asNamed("conversation_id", "sequence", "state")],
          created_at: "memory.created_at",
          ...part,
          ...asNamed("ended", "score", "relevance"),
        },
        ...searchState,
      },
    },
    {
      read_only: true,
      defaults: { max_tokens: MAX_TOKENS, min_relevance: MIN_RELEVANCE_FOR_MODELS },
      set: "thoughts",
      name: "semantic_search",
      title: "Search thoughts",
      description:
        "Finds thoughts by meaning and by keywords, best first, each with its content and the chunk that matched. A long content is cut to the part that matches (`content_start`, `content_end`, `content_length`); `get_thought` returns all of it.",
      takes: { ...asNamed("query", "max_tokens", "min_relevance"), top_k: "limit", tags: "tags_any" },
      gives: {
        results: {
          document_id: "memory.id",
          chunk_content: ["memory.content", "chunk", "memory.content_start"],
          document_content: "memory.content",
          ...part,
          score: "score",
          metadata: "memory.metadata",
        },
        ...searchState,
      },
    },
  ),
  listMemories: mcpTools(
    {
      set: "memories",
      description: "Lists memories, newest first, each with its full content.",
      defaults: { limit: 10 },
      takes: asNamed("tags_any", "limit", "cursor", "user_id"),
      gives: { items: remembered, ...asNamed("next_cursor") },
    },
    {
      set: "thoughts",
      name: "list_recent",
      title: "List recent thoughts",
      description: "Lists thoughts, newest first, each with its full content.",
      defaults: { limit: 10 },
      takes: asNamed("limit", "cursor"),
      gives: { items: thought, ...asNamed("next_cursor") },
    },
  ),
  getMemory: mcpTools({
    set: "thoughts",
    name: "get_thought",
    title: "Get a thought",
    description: "Returns a thought with its full content, however long it is.",
    takes: { id: "memory_id" },
    gives: thought,
  }),
  updateMemory: mcpTools({
    set: "memories",
    description: "Changes the given fields of a memory; omitted fields stay unchanged.",
    takes: asNamed("memory_id", "content", "tags", "metadata", "valid_until"),
    gives: asNamed("id", "updated_at"),
  }),
  deleteMemory: mcpTools(
    {
      set: "memories",
      description: "Deletes a memory at once. A deletion cannot be undone.",
      takes: asNamed("memory_id"),
      gives: deleted,
    },
    {
      set: "thoughts",
      name: "delete_thought",
      title: "Delete a thought",
      description: "Deletes a stored thought (a note) at once. A deletion cannot be undone.",
      takes: { id: "memory_id" },
      gives: deleted,
    },
  ),
};
