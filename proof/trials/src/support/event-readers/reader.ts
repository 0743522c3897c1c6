import { ConnectionError, Engram } from "@engram/sdk";
import { Relay } from "./relay.ts";

const WAIT_SECONDS = 5;

interface Step {
  /** Sequence of the event or message; null for a step that only moves the position. */
  sequence: number | null;
  /** Where the reader goes on when it is killed. */
  after: number;
}

type Open = (client: Engram, after: number, signal: AbortSignal) => AsyncGenerator<Step, void, undefined>;

/** The SDK's loop over a WebSocket, or over a stream where the client has none. */
export const listening: Open = async function* (client, after, signal) {
  for await (const { sequence } of client.events.listen({ after, signal }))
    yield { sequence, after: sequence };
};

/** Requests that wait, one after the other. */
export const polling: Open = async function* (client, start, signal) {
  for (let after = start; ; ) {
    const query = { after, wait_seconds: WAIT_SECONDS };
    // A cut connection and a service that starts again are what the trial is about. Anything else fails it.
    const page = await client.events.list(query, { signal, maxRetries: 0 }).catch((error: unknown) => {
      if (!(error instanceof ConnectionError)) throw error;
      return null;
    });
    if (page === null) continue;
    for (const { sequence } of page.items) yield { sequence, after: sequence };
    after = page.after;
    yield { sequence: null, after };
  }
};

/** The messages of a conversation instead of events. */
export const following = (conversationId: string): Open =>
  async function* (client, after, signal) {
    for await (const { sequence } of client.conversations.follow(conversationId, { after, signal }))
      yield { sequence, after: sequence };
  };

/** Reads through a relay of its own, from the beginning, and goes on after its position whenever it is killed. */
export class Reader {
  readonly name: string;
  readonly sequences: number[] = [];
  readonly relay: Relay;
  readonly #client: Engram;
  readonly #open: Open;
  #after = 0;
  #life = new AbortController();
  #isOver = false;
  /** Rejects if the reader fails. */
  readonly ended: Promise<void>;

  private constructor(name: string, relay: Relay, client: Engram, open: Open) {
    this.name = name;
    this.relay = relay;
    this.#client = client;
    this.#open = open;
    this.ended = this.#read();
    this.ended.catch(() => {});
  }

  static async start(
    name: string,
    { url, key, WebSocket, open }: { url: string; key: string; WebSocket?: null; open: Open },
  ): Promise<Reader> {
    const relay = await Relay.open(Number(new URL(url).port));
    const client = new Engram({
      baseUrl: relay.url,
      apiKey: key,
      ...(WebSocket === undefined ? {} : { WebSocket }),
    });
    return new Reader(name, relay, client, open);
  }

  /** Position up to which it has read. */
  get after(): number {
    return this.#after;
  }

  /** Cuts its connections, which the SDK must notice. */
  cut(): void {
    this.relay.cut();
  }

  /** Ends it as if its process were killed. It begins again after what it has kept. */
  kill(): void {
    this.#life.abort();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.kill();
    await this.ended.catch(() => {});
    this.relay.close();
  }

  async #read(): Promise<void> {
    while (!this.#isOver) {
      this.#life = new AbortController();
      const { signal } = this.#life;
      try {
        for await (const { sequence, after } of this.#open(this.#client, this.#after, signal)) {
          if (sequence !== null) this.sequences.push(sequence);
          this.#after = after;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }
}
