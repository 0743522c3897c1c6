import { createRandom } from "../../../../support/random.ts";
import { createSentences } from "../sentences.ts";
import type { Findings } from "../trial.ts";
import { isSeenBy, type Owners } from "./owners.ts";
import { type Frame, TenantSocket } from "./socket.ts";
import type { Tenant } from "./tenants.ts";
import { randomId } from "./unknown-values.ts";

interface Listening {
  tenant: Tenant;
  socket: TenantSocket;
  /** How the socket was opened, for people. */
  way: string;
  /** What it asked for, as text. */
  asked: string;
  theirs: string;
  unknown: string;
}

/**
 * Every tenant listens to what others do, by key and by ticket: to their conversations, agents and users by name, and to
 * everything that it may read. It gets nothing of theirs, and for their ids the same frames as for unknown ones.
 */
export async function listenToOthers(
  { url, tenants, owners, seed }: { url: string; tenants: readonly Tenant[]; owners: Owners; seed: string },
  findings: Findings,
): Promise<void> {
  const random = createRandom(`${seed} live`);
  const sentences = createSentences(`${seed} live`);
  const word = () => sentences.next().value.marker;
  const rooms = new Map<Tenant, string>();
  for (const tenant of tenants) {
    const body = { title: word(), ...boundOf(tenant) };
    owners.note(JSON.stringify(body), tenant);
    rooms.set(tenant, (await tenant.requester.make<{ id: string }>("POST", "/v1/conversations", body)).id);
  }
  const roomOf = (tenant: Tenant) => rooms.get(tenant) ?? "";
  const listening: Listening[] = [];
  for (const tenant of tenants)
    for (const victim of victimsOf(tenant, tenants))
      for (const way of ["key", "ticket"] as const) {
        const unknown = randomId("conv", random);
        const socket =
          way === "key"
            ? tenant.requester.openSocket()
            : TenantSocket.byTicket(url, await ticketOf(tenant, { include_key_events: true }));
        const [foreign, nowhere] = [filtersOf(victim, roomOf(victim)), filtersOf(null, unknown)];
        const named = { ...nowhere, agent_id: word(), user_id: word() };
        const subscriptions = [
          { id: "all", after: "now" },
          { id: "own", after: "now", filter: { conversation_id: roomOf(tenant) } },
          ...Object.entries(foreign).map(([name, value]) => ({
            id: `theirs ${name}`,
            filter: { [name]: value },
          })),
          ...Object.keys(foreign).map((name) => ({
            id: `unknown ${name}`,
            filter: { [name]: named[name as keyof typeof named] },
          })),
        ].map((subscription) => ({ type: "subscribe", ...subscription }));
        const presences = [roomOf(victim), unknown].map((conversation_id) => ({
          type: "presence",
          conversation_id,
          state: {},
        }));
        const asked = JSON.stringify([...subscriptions, ...presences]);
        await socket.send(...subscriptions, ...presences);
        await socket.until(
          ({ frames }) => frames.filter(({ type }) => type === "error").length === 2,
          `refusal of a presence for ${tenant.name} (${way})`,
        );
        await socket.until(
          ({ frames }) => subscriptions.every(({ id }) => frames.some((frame) => frame.id === id)),
          `frame of a subscription for ${tenant.name} (${way})`,
        );
        listening.push({ tenant, socket, way, asked, theirs: roomOf(victim), unknown });
      }
  for (const tenant of tenants) await act(tenant, roomOf(tenant), word, owners);
  // In each hub, what came before these is sent before them.
  for (const { tenant, socket, way } of listening) {
    const isDone = ({ frames }: TenantSocket) =>
      socket.eventsOf("own").some(({ type }) => type === "messages.appended") &&
      frames.some(({ type, id }) => type === "broadcast" && id === "own");
    await socket.until(isDone, `event and broadcast of its own for ${tenant.name} (${way})`);
  }
  for (const tenant of tenants) await append(tenant, roomOf(tenant));
  for (const { tenant, socket, way } of listening) {
    const isDone = () => socket.eventsOf("own").filter(({ type }) => type === "messages.appended").length > 1;
    await socket.until(isDone, `second event of its own for ${tenant.name} (${way})`);
  }
  for (const one of listening) {
    judge(one, owners, findings);
    one.socket.close();
  }
  await tryTickets(url, tenants, findings);
  findings.figure("sockets that listened while others wrote", listening.length);
}

function judge(
  { tenant, socket, way, asked, theirs, unknown }: Listening,
  owners: Owners,
  findings: Findings,
): void {
  const { frames } = socket;
  const who = `the socket of ${tenant.name} (${way})`;
  const leaks = owners.leaks(JSON.stringify(frames), tenant, asked);
  findings.expect(leaks.length === 0, () => `${who} got ${leaks.join(", ")}.`);
  const organization = tenant.own.organization_id.replace("org_", "evt_");
  const events = frames.flatMap((frame) => frame.events ?? []);
  const foreign = events.filter(
    ({ id, conversation_id }) => !id.startsWith(organization) || conversation_id === theirs,
  );
  findings.expect(foreign.length === 0, () => `${who} got ${JSON.stringify(foreign)}.`);
  const about = (name: string, conversation: string) =>
    [
      ...new Set(
        frames
          .filter(({ id, conversation_id }) => id?.startsWith(name) || conversation_id === conversation)
          .map((frame) => plain(frame, name, conversation)),
      ),
    ].toSorted();
  const [known, strange] = [about("theirs", theirs), about("unknown", unknown)];
  findings.expect(
    JSON.stringify(known) === JSON.stringify(strange),
    () => `${who} got ${known.join()} for another's item, but ${strange.join()} for an unknown item.`,
  );
}

/** A frame without what differs between two subscriptions: their names, their conversations and their positions. */
function plain(frame: Frame, name: string, conversation: string): string {
  const same = { ...frame, id: frame.id?.replace(name, "…"), from: 0, to: 0, caught_up: true };
  return JSON.stringify(same).replaceAll(conversation, "conv_…");
}

/** An append, a broadcast and a presence, each with a word of its own. */
async function act(tenant: Tenant, room: string, word: () => string, owners: Owners): Promise<void> {
  const path = `/v1/conversations/${room}`;
  const [value, state] = [{ case: word() }, { case: word() }];
  owners.note(JSON.stringify([value, state]), tenant);
  await tenant.requester.make("PUT", `${path}/presence`, { state, ttl_seconds: 1 });
  await append(tenant, room);
  await tenant.requester.make("POST", `${path}/broadcasts`, { value });
}

const append = (tenant: Tenant, room: string) =>
  tenant.requester.make("POST", `/v1/conversations/${room}/messages`, {
    messages: [{ role: "user", content: "Something was said." }],
  });

/** One tenant of another organization, and one of its own whose data it may not see. */
function victimsOf(tenant: Tenant, tenants: readonly Tenant[]): Tenant[] {
  const others = tenants.filter((other) => !isSeenBy(other, tenant));
  const isNear = ({ organization }: Tenant) => organization === tenant.organization;
  return [others.find((other) => !isNear(other)), others.find(isNear)].filter((one) => one !== undefined);
}

const boundOf = ({ agent, user }: Tenant) => ({
  ...(agent === null ? {} : { agent_id: agent }),
  ...(user === null ? {} : { user_id: user }),
});

const filtersOf = (victim: Tenant | null, conversation_id: string) => ({
  conversation_id,
  ...(victim === null ? {} : boundOf(victim)),
});

async function ticketOf(tenant: Tenant, body: object): Promise<string> {
  return (await tenant.requester.make<{ ticket: string }>("POST", "/v1/tickets", body)).ticket;
}

/** A ticket that names another organization is refused as one that names none. */
async function tryTickets(url: string, tenants: readonly Tenant[], findings: Findings): Promise<void> {
  const [first] = tenants;
  const other = tenants.find(({ organization }) => organization !== first?.organization);
  if (first === undefined || other === undefined) throw new Error("There is one organization only.");
  const ticket = await ticketOf(first, {});
  const ends: (string | null)[] = [];
  for (const id of [other.own.organization_id, "org_00000000000000000000"]) {
    const forged = ticket.replace(first.own.organization_id.slice(4), id.slice(4));
    const socket = TenantSocket.byTicket(url, forged);
    await socket.until(({ closed }) => closed !== null, "end of a socket with a forged ticket");
    ends.push(socket.closed);
    findings.expect(
      socket.frames.length === 0,
      () => `A forged ticket got ${JSON.stringify(socket.frames)}.`,
    );
  }
  findings.expect(
    ends[0] === ends[1] && (ends[0] ?? "").startsWith("4001"),
    () =>
      `A ticket for another's organization ended with ${ends[0]}, one for an unknown one with ${ends[1]}.`,
  );
}
