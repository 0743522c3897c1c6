import type {
  Access,
  IndexStatus,
  Memory,
  NewConversation,
  NewMessage,
  SearchAnswer,
  SearchBody,
} from "../../src/recall/memory.ts";

/** A message of a fake memory. */
export interface Stored {
  conversationId: string;
  index: number;
  message: NewMessage;
}

export interface FakeOptions {
  /** What to answer, best first. */
  rank: (query: string, stored: Stored[]) => Stored[];
  /** Of every result of a query; 0.5 unless given. */
  relevance?: (query: string) => number;
  /** Changes to what the index says of itself. */
  status?: Partial<IndexStatus>;
  degraded?: string[];
  /** What becomes of a text that is answered. */
  alter?: (content: string) => string;
}

/** The requests to a fake service, in order, for all its organizations. */
export interface Told {
  /** Names of the organizations. */
  opened: string[];
  conversations: NewConversation[];
  messages: NewMessage[];
  searches: SearchBody[];
}

/** A service without a network, which answers what `rank` says. */
export function fakeService(options: FakeOptions): Access & Told {
  const told: Told = { opened: [], conversations: [], messages: [], searches: [] };
  return {
    ...told,
    async open(name) {
      told.opened.push(name);
      return fakeMemory(options, told, `conv_${told.opened.length}`);
    },
    async close() {},
  };
}

function fakeMemory(options: FakeOptions, told: Told, prefix: string): Memory {
  const stored: Stored[] = [];
  return {
    conversations: {
      async create(conversation) {
        told.conversations.push(conversation);
        return { id: `${prefix}_${told.conversations.length}` };
      },
    },
    messages: {
      async append(conversationId, { messages }) {
        told.messages.push(...messages);
        for (const [index, message] of messages.entries()) stored.push({ conversationId, index, message });
      },
    },
    index: {
      async status() {
        const empty = { model: "fake", dimensions: 0, pending: 0, failed: 0, last_error: null };
        return { ...empty, messages: stored.length, ...options.status };
      },
    },
    async search(body) {
      told.searches.push(body);
      return answer(body, options, stored);
    },
    async askAsModel({ query, mode }) {
      const body = { query, mode, limit: 10, context: { before: 0, after: 0 } };
      return { results: answer(body, options, stored).results.map((result) => toLines(result, stored)) };
    },
  };
}

function toLines({ conversation_id, messages }: SearchAnswer["results"][number], stored: Stored[]) {
  const lines = messages.map(({ external_id, content }) => {
    const index = stored.find(
      ({ conversationId, message }) =>
        conversationId === conversation_id && message.external_id === external_id,
    )?.index;
    return `[${(index ?? 0) + 1}] 2026-01-01 00:00 Ada: ${content}`;
  });
  return { conversation_id, messages: lines };
}

/** Each hit with its neighbours, no message twice. */
function answer(body: SearchBody, options: FakeOptions, stored: Stored[]): SearchAnswer {
  const { rank, relevance = () => 0.5, degraded = [], alter = (content) => content } = options;
  const told = new Set<Stored>();
  const results: SearchAnswer["results"] = [];
  for (const hit of rank(body.query, stored)) {
    if (told.has(hit) || results.length === body.limit) continue;
    const near = stored.filter(
      (other) =>
        other.conversationId === hit.conversationId &&
        other.index >= hit.index - body.context.before &&
        other.index <= hit.index + body.context.after &&
        !told.has(other),
    );
    for (const message of near) told.add(message);
    results.push({
      conversation_id: hit.conversationId,
      relevance: relevance(body.query),
      messages: near.map(({ message }) => ({
        external_id: message.external_id,
        content: alter(message.content),
      })),
    });
  }
  return { results, degraded };
}
