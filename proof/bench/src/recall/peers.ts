import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Progress } from "../../../support/progress.ts";
import { type InstallOptions, installPeer, peerFolder } from "../command/packages.ts";
import { openEmbedder } from "../speed/embedder.ts";
import type { DialogueSet, Question, Session } from "./dialogues.ts";

/** As many single turns as a search of Engram returns at most. */
const FOUND_MAX = 50;

interface Peer extends InstallOptions {
  title: string;
  /** What it ranks by, for the page. */
  given: string;
}

export type PeerName = "mastra" | "lancedb" | "fts5" | "postgres" | "mempalace" | "engram-search";

export const PEERS: Record<PeerName, Peer> = {
  mastra: {
    title: "Mastra, LibSQL recall",
    given: "Engram's vectors of messages; `recall` over all threads, in the order of its vector store",
  },
  lancedb: {
    title: "LanceDB, hybrid",
    given: "Engram's vectors of messages, a full-text index with default settings, its RRF reranker",
  },
  fts5: {
    title: "SQLite FTS5, `bm25()`",
    given: "the tokenizer `porter`; any word of the question may match",
  },
  postgres: {
    title: "Postgres full text and pgvector",
    given:
      "Engram's vectors of messages, `ts_rank_cd` with English stemming, fused by ranks as pgvector's README does",
    withoutDependencies: true,
  },
  mempalace: {
    title: "MemPalace",
    given:
      "Engram's vectors through `/v1/embeddings`; each message an exchange; candidates by meaning and words (`union`)",
  },
  "engram-search": {
    title: "engram-search",
    given: "Engram's vectors through its `embedder`; its BM25, names, quotes and RRF; no cross-encoder",
    withoutDependencies: true,
  },
};

export const isPeer = (name: string): name is PeerName => Object.hasOwn(PEERS, name);
export const PEER_NAMES = Object.keys(PEERS).filter(isPeer);

/** A message as every peer gets it. */
interface PeerMessage {
  id: string;
  session: string;
  role: string;
  /** `[title] name: content`, without what is missing: some find dates and topics only in the text. */
  text: string;
  createdAtMs: number;
}

/** A peer's memory of one dialogue. */
interface PeerStore {
  /** Called once or several times, with at least one message. */
  add(messages: PeerMessage[]): Promise<void>;
  /** Ids of the messages found, best first. */
  search(question: string, limit: number): Promise<string[]>;
  close(): Promise<void>;
}
interface PeerStores {
  open(name: string): Promise<PeerStore>;
  close(): Promise<void>;
}

/**
 * Store each dialogue in a memory of its own in the peer, and search for each question.
 *
 * @returns Keys of the turns that were found, best first, in the questions' order.
 * @throws {Error} with the reason when the peer cannot be installed or fails.
 */
export async function askPeer(
  name: PeerName,
  { dialogues }: DialogueSet,
  questions: readonly Question[],
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<string[][]> {
  progress(`${name}: installing`);
  await installPeer(name, PEERS[name]);
  const directory = await mkdtemp(join(tmpdir(), "engram-peers-"));
  const { createStores } = await import(join(peerFolder(name), "ranked.mjs"));
  const stores: PeerStores = await createStores(directory, openEmbedder());
  const ranked = new Map<Question, string[]>();
  try {
    for (const [index, { id, sessions }] of dialogues.entries()) {
      const store = await stores.open(`dialogue-${index}`);
      // By time, because in some sets the evidence comes first, and some systems rank equals in stored order.
      let waiting = sessions.flatMap(toMessages).sort((a, b) => a.createdAtMs - b.createdAtMs);
      const asked = questions.filter(({ dialogueId }) => dialogueId === id);
      // A question is asked when the messages before its time are stored, so no system needs a filter.
      for (const question of asked.sort((a, b) => timeOf(a) - timeOf(b))) {
        signal.throwIfAborted();
        const isEarlier = ({ createdAtMs }: PeerMessage) => createdAtMs < timeOf(question);
        const earlier = waiting.filter(isEarlier);
        waiting = waiting.filter((message) => !isEarlier(message));
        if (earlier.length > 0) await store.add(earlier);
        ranked.set(question, await store.search(question.text, FOUND_MAX));
        progress(`${name}: asked ${ranked.size} of ${questions.length} questions`);
      }
      await store.close();
    }
  } finally {
    await stores.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  return questions.map((question) => ranked.get(question) ?? []);
}

const timeOf = ({ createdBefore }: Question): number =>
  createdBefore === undefined ? Number.POSITIVE_INFINITY : Date.parse(createdBefore);

const toMessages = ({ key, title, turns }: Session): PeerMessage[] =>
  turns.map((turn) => ({
    id: turn.key,
    session: key,
    role: turn.role,
    text: `${title === undefined ? "" : `[${title}] `}${turn.name === undefined ? "" : `${turn.name}: `}${turn.content}`,
    createdAtMs: turn.createdAtMs,
  }));
