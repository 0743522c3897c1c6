import type { Presence } from "@engram/spec";

/** The presence of a socket, which the runtime keeps with the socket. */
export interface SocketPresence {
  id: string;
  conversationId: string;
  /** JSON text. Null for a client that only sees the others. */
  state: string | null;
  since: string;
  /** Whether a frame was left out, because the client was silent for too long. */
  hasMissed: boolean;
  /** In a shared conversation, which the key of the socket can read as long as it is shared. */
  isGuest?: true;
}

/** The presence of a key without a socket. */
export interface KeyPresence {
  organizationId: string;
  conversationId: string;
  presence: Presence;
  expiresAtMs: number;
}

const PREFIX = "presence:";
const prefixOf = (conversationId: string): string => `${PREFIX}${conversationId}:`;

/** The presences of keys in the conversations of one organization. */
export class KeyPresences {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  async put(present: KeyPresence): Promise<void> {
    await this.#storage.put(nameOf(present), present);
  }

  /** Those in the conversation that have not expired. */
  async listIn(conversationId: string, nowMs: number): Promise<KeyPresence[]> {
    return (await this.#list(prefixOf(conversationId))).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  /** All of them, also those that have expired. */
  listAll(): Promise<KeyPresence[]> {
    return this.#list(PREFIX);
  }

  async delete(presences: KeyPresence[]): Promise<void> {
    const names = presences.map(nameOf);
    for (let i = 0; i < names.length; i += 128) await this.#storage.delete(names.slice(i, i + 128));
  }

  async #list(prefix: string): Promise<KeyPresence[]> {
    return [...(await this.#storage.list<KeyPresence>({ prefix })).values()];
  }
}

const nameOf = ({ conversationId, presence }: KeyPresence): string => prefixOf(conversationId) + presence.id;
