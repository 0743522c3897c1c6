import { setTimeout as sleep } from "node:timers/promises";
import { EventSocket } from "./socket.ts";

/** Code with which the service closes sockets that send too much. */
const TOO_MANY = "4029";

/** Attacks by frames of sockets, one after the other, because they share the limits of a key. Resolves to what was wrong. */
export async function attackBySockets(input: {
  url: string;
  key: string;
  /** Creates a conversation. Resolves to its id. */
  begin(): Promise<string>;
  append(conversationId: string): Promise<unknown>;
}): Promise<string | null> {
  const { url, key, begin, append } = input;
  return (
    (await sendPresence({ sockets: 20, perSecond: 20, isTooMuch: false })) ??
    (await sendPresence({ sockets: 40, perSecond: 20, isTooMuch: false })) ??
    (await sendPresence({ sockets: 40, perSecond: 90, isTooMuch: true })) ??
    (await changeSubscriptions()) ??
    (await fillSocket())
  );

  async function sendPresence(load: { sockets: number; perSecond: number; isTooMuch: boolean }) {
    const conversation_id = await begin();
    const sockets = Array.from({ length: load.sockets }, () => new EventSocket(url, key));
    for (let tenth = 0; tenth < 20; tenth++) {
      const frames = Array.from({ length: load.perSecond / 10 }, (_, i) => ({
        ...{ type: "presence", conversation_id },
        state: { tenth, i },
      }));
      for (const socket of sockets) if (socket.closed === null) await socket.send(...frames);
      await sleep(100);
    }
    const isTold = (socket: EventSocket) => socket.closed?.startsWith(TOO_MANY) === true;
    // The service may close them after the last frame.
    const [first] = sockets;
    if (load.isTooMuch && !sockets.some(isTold)) await first?.until(isTold, `close code ${TOO_MANY}`);
    // A busy service may receive the frames of two seconds in one.
    const others = sockets.filter((socket) => socket.closed !== null && !isTold(socket));
    for (const socket of sockets) socket.close();
    return others.length === 0
      ? null
      : `Sockets were closed: ${others.map(({ closed }) => closed).join(", ")}`;
  }

  async function changeSubscriptions() {
    const sockets = Array.from({ length: 20 }, () => new EventSocket(url, key));
    for (let tenth = 0; tenth < 20; tenth++) {
      for (const [i, socket] of sockets.entries())
        await socket.send(
          ...[0, 1].map((id) => ({ type: "subscribe", id: `${id}`, filter: { user_id: `${i} ${tenth}` } })),
        );
      await sleep(100);
    }
    for (const socket of sockets) socket.close();
    return null;
  }

  /** Other sockets of the organization must get their events beside it. */
  async function fillSocket() {
    const conversationId = await begin();
    const [wide, other] = [new EventSocket(url, key), new EventSocket(url, key)];
    const long = "漢".repeat(256);
    await wide.send({
      type: "presence",
      conversation_id: conversationId,
      state: { text: "x".repeat(1_000) },
    });
    for (let i = 0; i < 8; i++) {
      const filter = { conversation_id: long, agent_id: long, user_id: long };
      await wide.send({ type: "subscribe", id: `${i}${"漢".repeat(63)}`, after: "now", filter });
    }
    await wide.until(
      ({ frames }) => frames.filter(({ type }) => type !== "presence").length >= 8,
      "response",
    );
    await other.send({ type: "subscribe", id: "a", after: "now" });
    await other.until(({ frames }) => frames.length > 0, "response");
    await append(conversationId);
    await other.until((socket) => socket.eventsOf("a").length > 0, "event");
    for (const socket of [wide, other]) socket.close();
    return null;
  }
}
