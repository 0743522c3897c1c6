import { mayOrganizationBeGone } from "../model/presence.ts";
import { expect } from "../violation.ts";
import type { Client } from "./client.ts";

/** An event of a page, and a row of the log. */
export interface ReadEvent {
  sequence: number;
  type: string;
}

const TYPES = ["conversation.created", "messages.appended", "memory.created", "operation.updated"];

/** Reads the event log of an organization while others write to it, and keeps a position, as a correct client does. */
export class EventReader {
  readonly #client: Client;
  /** The only type that it asks for; null for all. */
  readonly type: string | null;
  /** Position before the first event that it kept. */
  start = 0;
  readonly events: ReadEvent[] = [];
  #after = 0;

  constructor(client: Client) {
    this.#client = client;
    this.type = client.random.chance(0.5) ? null : client.random.pick(TYPES);
  }

  get organization(): Client["organization"] {
    return this.#client.organization;
  }

  /** Reads on until `isOver`. */
  async readUntil(isOver: () => boolean): Promise<void> {
    const { random, world } = this.#client;
    while (!isOver()) {
      await world.clock.sleep(random.between(0, 10_000));
      await this.#readPage(random.pick([0, 0, 5]));
    }
  }

  /** Reads the rest of the log. No request may fail any more. */
  async readToEnd(): Promise<void> {
    this.#client.isClear = true;
    while (!(await this.#readPage(0)));
  }

  /** Resolves to whether the log was read to its end. */
  async #readPage(waitSeconds: number): Promise<boolean> {
    const { random, organization } = this.#client;
    const limit = random.between(1, 20);
    const type = this.type === null ? "" : `&type=${this.type}`;
    const { answer, span } = await this.#client.ask({
      name: "listen",
      method: "GET",
      path: `/v1/events?after=${this.#after}&limit=${limit}&wait_seconds=${waitSeconds}${type}`,
      key: this.#key,
      expected: 410,
    });
    if (answer?.status === 410) {
      expect(
        mayOrganizationBeGone(organization, { begin: 0, end: span.end }),
        "events",
        () => `the events after ${this.#after} of ${organization.id} are gone`,
      );
      this.#beginAgain(Number(/has the sequence (\d+)/.exec(answer.body.detail)?.[1]) - 1);
      return false;
    }
    if (answer?.status !== 200) return false;
    const { items, after, caught_up } = answer.body as {
      items: ReadEvent[];
      after: number;
      caught_up: boolean;
    };
    const sequences = items.map(({ sequence }) => sequence);
    expect(
      [this.#after, ...sequences].every((one, i, all) => i === 0 || one > (all[i - 1] ?? one)) &&
        (sequences.at(-1) ?? after) <= after,
      "events",
      () => `after ${this.#after} come ${sequences.join(", ")}, and then ${after}`,
    );
    this.events.push(...items.map(({ sequence, type }) => ({ sequence, type })));
    this.#after = after;
    return caught_up;
  }

  /** The deletion of the organization was canceled after it had begun to delete the log. */
  #beginAgain(after: number): void {
    this.events.length = 0;
    this.start = after;
    this.#after = after;
  }

  /** The key that is never revoked. */
  get #key() {
    const [key] = this.#client.organization.keys;
    if (key === undefined) throw new Error("an organization without a key");
    return key;
  }
}
