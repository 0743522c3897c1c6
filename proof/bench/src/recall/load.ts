import pMap from "p-map";
import type { Progress } from "../../../support/progress.ts";
import type { Scope } from "./args.ts";
import type { DialogueSet, Session, Turn } from "./dialogues.ts";
import { type Access, type Memory, whenIndexed } from "./memory.ts";

export const CONCURRENCY = 4;

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
    const expected = [...library.turns.values()].reduce((sum, turns) => sum + turns.size, 0);
    const { messages } = await library.memory.index.status();
    if (messages !== expected)
      throw new Error(`Stored ${expected} messages, but the service counts ${messages}`);
    await whenIndexed(library.memory, (pending, all) =>
      progress(`${scope}: indexing, ${pending} of ${all} messages to go`),
    );
  }
  return libraries;
}

async function storeSession(library: Library, session: Session): Promise<void> {
  const { conversations, messages } = library.memory;
  const { id } = await conversations.create({
    title: session.title,
    external_id: session.key,
    agent_id: session.agentId,
    user_id: session.userId,
  });
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

/** The library of a question's dialogue. */
export function libraryOf(libraries: ReadonlyMap<string, Library>, { dialogueId }: { dialogueId: string }) {
  const library = libraries.get(dialogueId);
  if (library === undefined) throw new Error(`Dialogue ${dialogueId} was not stored`);
  return library;
}
