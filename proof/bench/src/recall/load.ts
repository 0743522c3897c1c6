import { setTimeout as sleep } from "node:timers/promises";
import pMap from "p-map";
import type { Progress } from "../../../support/progress.ts";
import type { Scope } from "./args.ts";
import type { DialogueSet, Session, Turn } from "./dialogues.ts";
import type { Access, IndexStatus, Memory, NewConversation } from "./memory.ts";

export const CONCURRENCY = 4;
const POLL_MS = 250;
/** Without progress for this long, indexing counts as stuck. */
const STALLED_MS = 300_000;

export interface Library {
  memory: Memory;
  /** Every stored turn, by conversation id and turn id. */
  turns: Map<string, Map<string, Turn>>;
  sessions: Map<string, Session>;
}

/**
 * Store every dialogue and wait until everything is indexed.
 *
 * @returns The library of each dialogue, by dialogue id: one each, or one for all, depending on the scope.
 * @throws {Error} when messages are missing, cannot be indexed, or indexing is stuck.
 */
export async function loadLibraries(
  access: Access,
  scope: Scope,
  { name, dialogues }: DialogueSet,
  progress: Progress,
): Promise<Map<string, Library>> {
  const libraries = new Map<string, Library>();
  const open = async (organization: string): Promise<Library> => ({
    memory: await access.open(organization),
    turns: new Map(),
    sessions: new Map(),
  });
  const shared = scope === "shared" ? await open(name) : undefined;
  for (const dialogue of dialogues) {
    libraries.set(dialogue.id, shared ?? (await open(`${name} ${dialogue.id}`)));
  }
  const sessions = dialogues.flatMap((dialogue) =>
    dialogue.sessions.map((session) => ({ session, library: libraries.get(dialogue.id) })),
  );
  let stored = 0;
  await pMap(
    sessions,
    async ({ session, library }) => {
      if (library !== undefined) await storeSession(library, session);
      stored += 1;
      progress(`${scope}: stored ${stored} of ${sessions.length} sessions`);
    },
    { concurrency: CONCURRENCY },
  );
  for (const library of new Set(libraries.values())) {
    await whenIndexed(library, (status) =>
      progress(`${scope}: indexing, ${status.pending} of ${status.messages} messages to go`),
    );
  }
  return libraries;
}

const toConversation = (session: Session): NewConversation => ({
  title: session.title,
  external_id: session.key,
  agent_id: session.agentId,
  user_id: session.userId,
});

async function storeSession(library: Library, session: Session): Promise<void> {
  const { conversations, messages } = library.memory;
  const { id } = await conversations.create(toConversation(session));
  await messages.append(id, {
    messages: session.turns.map((turn) => ({
      role: turn.role,
      content: turn.content,
      name: turn.name,
      tool_name: turn.toolName,
      tool_call_id: turn.toolCallId,
      external_id: turn.id,
      created_at: new Date(turn.createdAtMs).toISOString(),
    })),
  });
  library.turns.set(id, new Map(session.turns.map((turn) => [turn.id, turn])));
  library.sessions.set(session.key, session);
}

/** Resolves when everything stored has its vectors. */
async function whenIndexed(library: Library, onStatus: (status: IndexStatus) => void): Promise<void> {
  const expected = [...library.turns.values()].reduce((sum, turns) => sum + turns.size, 0);
  let pendingBefore = Number.POSITIVE_INFINITY;
  let movedAtMs = Date.now();
  for (;;) {
    const status = await library.memory.index.status();
    if (status.messages !== expected) {
      throw new Error(`Stored ${expected} messages, but the service counts ${status.messages}`);
    }
    if (status.failed > 0) {
      const reason = status.last_error?.message ?? "no reason given";
      throw new Error(`${status.failed} messages could not be indexed: ${reason}`);
    }
    if (status.pending === 0) return;
    onStatus(status);
    if (status.pending < pendingBefore) movedAtMs = Date.now();
    pendingBefore = Math.min(pendingBefore, status.pending);
    if (Date.now() - movedAtMs > STALLED_MS) {
      throw new Error(
        `Indexing stands still: ${status.pending} messages wait. ${status.last_error?.message ?? ""}`,
      );
    }
    await sleep(POLL_MS);
  }
}
