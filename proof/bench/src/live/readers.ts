import { type Event, LIVE_PROTOCOL, type ServerFrame } from "@engram/spec";

/** A service and the key of an organization in it. */
interface Access {
  url: string;
  key: string;
}

/** Takes the events of one reader as they arrive. */
type Take = (event: Event) => void;

/** Opens a reader from the end of the log. Resolves when it is connected; after that, failures go to `fail`. */
export type OpenReader = (
  access: Access,
  input: { take: Take; fail(error: unknown): void; signal: AbortSignal },
) => Promise<void>;

const authorization = ({ key }: Access) => ({ authorization: `Bearer ${key}` });

export const openSocket: OpenReader = (access, { take, fail, signal }) => {
  // Node's WebSocket takes headers, which the types of browsers do not have.
  const options = { protocols: [LIVE_PROTOCOL], headers: authorization(access) } as unknown as string[];
  const socket = new WebSocket(`${access.url.replace("http", "ws")}/v1/events/socket`, options);
  signal.addEventListener("abort", () => socket.close(1000));
  const subscribed = Promise.withResolvers<void>();
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify({ type: "subscribe", id: "a", after: "now" }));
  });
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data)) as ServerFrame;
    if (frame.type !== "events") return;
    // The first frame comes at once, also without events.
    subscribed.resolve();
    for (const event of frame.events) take(event);
    socket.send(JSON.stringify({ type: "ack", id: "a", to: frame.to }));
  });
  socket.addEventListener("close", ({ code, reason }) => {
    const error = new Error(`The socket was closed with ${code} ${reason}`);
    subscribed.reject(error);
    if (!signal.aborted) fail(error);
  });
  return subscribed.promise;
};

export const openStream: OpenReader = async (access, { take, fail, signal }) => {
  const url = `${access.url}/v1/events/stream?after=now`;
  const { status, body } = await fetch(url, { headers: authorization(access), signal });
  if (status !== 200 || body === null) throw new Error(`The stream was answered with ${status}`);
  void readBlocks(body, take).catch((error: unknown) => {
    if (!signal.aborted) fail(error);
  });
};

async function readBlocks(body: ReadableStream<Uint8Array>, take: Take): Promise<void> {
  let text = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
    const blocks = (text + chunk).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").find((line) => line.startsWith("data: "));
      if (data !== undefined) take(JSON.parse(data.slice("data: ".length)));
    }
  }
  throw new Error("The stream ended");
}

export const openPoll: OpenReader = async (access, { take, fail, signal }) => {
  const read = async (query: string) => {
    const answer = await fetch(`${access.url}/v1/events?${query}`, {
      headers: authorization(access),
      signal,
    });
    if (!answer.ok) throw new Error(`A poll was answered with ${answer.status}`);
    return (await answer.json()) as { items: Event[]; after: number };
  };
  let { after } = await read("after=now");
  const run = async () => {
    for (;;) {
      const page = await read(`after=${after}&wait_seconds=25`);
      after = page.after;
      for (const event of page.items) take(event);
    }
  };
  void run().catch((error: unknown) => {
    if (!signal.aborted) fail(error);
  });
};
