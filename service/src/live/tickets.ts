import { createRandomText } from "../keys/secrets.ts";
import { sha256Hex } from "../platform/digest.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Admission } from "./subscriptions.ts";

const TICKET = /^engram_tk_([0-9a-z]+)_[0-9A-Za-z]{32}$/;

/** A new ticket. It names its organization, whose hub knows it. */
export const createTicketText = (runtime: Runtime, organizationId: string): string =>
  `engram_tk_${organizationId.replace(/^org_/, "")}_${createRandomText(runtime)}`;

/** The organization that a ticket names; null if the text is no ticket. */
export function organizationOf(ticket: string): string | null {
  const name = TICKET.exec(ticket)?.[1];
  return name === undefined ? null : `org_${name}`;
}

export interface StoredTicket {
  admission: Admission;
  /** The only origin of a page that may use it; null for any program. */
  origin: string | null;
  expiresAtMs: number;
}

const PREFIX = "ticket:";

/** The tickets of one organization that were not used yet. A ticket is stored as its hash. */
export class Tickets {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  async issue(ticket: string, stored: StoredTicket): Promise<void> {
    await this.#storage.put(await nameOf(ticket), stored);
  }

  /**
   * What the ticket admits to; null if it was used before, has expired, is unknown or is for another origin. It is used
   * now.
   */
  async redeem(ticket: string, origin: string | null, nowMs: number): Promise<Admission | null> {
    const name = await nameOf(ticket);
    return this.#storage.transaction(async (storage) => {
      const stored = await storage.get<StoredTicket>(name);
      await storage.delete(name);
      if (stored === undefined || stored.expiresAtMs <= nowMs) return null;
      return stored.origin === null || stored.origin === origin ? stored.admission : null;
    });
  }

  /** Deletes what has expired. Resolves to whether tickets are left. */
  async prune(nowMs: number): Promise<boolean> {
    const stored = await this.#storage.list<StoredTicket>({ prefix: PREFIX });
    const expired = [...stored].filter(([, { expiresAtMs }]) => expiresAtMs <= nowMs).map(([name]) => name);
    for (let i = 0; i < expired.length; i += 128) await this.#storage.delete(expired.slice(i, i + 128));
    return expired.length < stored.size;
  }
}

const nameOf = async (ticket: string): Promise<string> => PREFIX + (await sha256Hex(ticket));
