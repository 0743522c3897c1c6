import type { Broadcast, Presence } from "@engram/spec";
import type { Owner } from "../platform/batch.ts";
import { type FindResidence, type ObjectNamespace, objectOf } from "../platform/objects.ts";
import type { Runtime } from "../platform/runtime.ts";
import { WAKER_HEADER, Waker } from "../platform/waker.ts";
import type { KeyPresence } from "./presences.ts";
import type { WaitingReader } from "./subscriptions.ts";
import type { StoredTicket } from "./tickets.ts";

/** The agent and the user of a conversation, and whether all users can read it. */
export interface BroadcastOf extends Pick<Owner, "agentId" | "userId"> {
  isShared: boolean;
}

/** The Durable Object that holds the sockets of an organization, as the Worker calls it. */
export interface Hub {
  fetch(request: Request): Promise<Response>;
  /** Sends new events to all sockets. Resolves to whether there are any. */
  poke(): Promise<boolean>;
  issueTicket(ticket: string, stored: StoredTicket): Promise<void>;
  /**
   * Sends a value to the subscriptions to its conversation, and to the streams of it, that may get it. Resolves to their
   * number.
   */
  broadcast(broadcast: Broadcast, of: BroadcastOf): Promise<number>;
  /** Makes a key present. Resolves to null if too many are present already. */
  setPresence(present: KeyPresence): Promise<Presence | null>;
  listPresences(conversationId: string, organizationId: string): Promise<Presence[]>;
}

export type HubNamespace = ObjectNamespace<Hub>;

/** Time for which an isolate does not call the hub of an organization that had no listeners. */
const WITHOUT_LISTENERS_MS = 1_000;
/** Time in which the response to a write leaves the isolate. */
const WAKE_MS = 2;

/** Which organizations have no listeners, as far as this isolate knows. */
export class Listeners {
  readonly #withoutListenersUntilMs = new Map<string, number>();

  /** The organization has a listener from now on. */
  opened(organizationId: string): void {
    this.#withoutListenersUntilMs.delete(organizationId);
  }

  /**
   * Opens a socket to the hub for a request that waits for changes. Never throws: the request also looks by itself.
   *
   * @param reader for a request that waits for events.
   */
  async openWaker(
    hubs: HubNamespace | undefined,
    {
      organizationId,
      find,
      reader,
      runtime,
    }: {
      organizationId: string;
      find: FindResidence;
      reader: WaitingReader | undefined;
      runtime: Runtime;
    },
  ): Promise<Waker> {
    // The events of a change that came while it opened are read in the first pause.
    const isChanged = reader !== undefined;
    if (hubs === undefined) return new Waker(runtime, null, isChanged);
    const headers = { upgrade: "websocket", [WAKER_HEADER]: JSON.stringify(reader ?? null) };
    const response = await findHub(hubs, organizationId, find)
      .then((hub) => hub.fetch(new Request("https://hub/", { headers })))
      .catch(() => null);
    this.opened(organizationId);
    return new Waker(runtime, response?.webSocket ?? null, isChanged);
  }

  /**
   * Sends new events of the organization to its listeners. Never throws: a hub also reads the log by itself.
   *
   * @param waking organizations whose hub the invocation calls in a moment. Not of the isolate: the timer of an
   *   invocation that is canceled never fires, and would hold back the calls of all others.
   */
  async wake(
    hubs: HubNamespace | undefined,
    organizationId: string,
    { find, nowMs, waking }: { find: FindResidence; nowMs: number; waking: Set<string> },
  ): Promise<void> {
    if (hubs === undefined || (this.#withoutListenersUntilMs.get(organizationId) ?? 0) > nowMs) return;
    if (waking.has(organizationId)) return;
    waking.add(organizationId);
    // Not before the response is sent: in a local service, hub and Worker share a thread.
    await new Promise((resolve) => setTimeout(resolve, WAKE_MS));
    waking.delete(organizationId);
    const hasListeners = await findHub(hubs, organizationId, find)
      .then((hub) => hub.poke())
      .catch(() => true);
    if (hasListeners) this.#withoutListenersUntilMs.delete(organizationId);
    else {
      // Old entries are of no use.
      if (this.#withoutListenersUntilMs.size >= 10_000) this.#withoutListenersUntilMs.clear();
      this.#withoutListenersUntilMs.set(organizationId, nowMs + WITHOUT_LISTENERS_MS);
    }
  }
}

/** The hub of an organization, which is in the same jurisdiction as its cell: events are sent through it. */
export const findHub = async (
  hubs: HubNamespace,
  organizationId: string,
  find: FindResidence,
): Promise<Hub> => objectOf(hubs, organizationId, await find(organizationId));
