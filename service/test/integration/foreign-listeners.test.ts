import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey, createOrganization, seedConversation } from "../support/client.ts";
import { ABSENT } from "../support/requests.ts";
import { connect, connectByTicket, type Reader } from "../support/socket.ts";

/** In every text of the other party. */
const THEIRS = "opal";
const SCOPES: contracts.Scope[] = ["read", "write"];

const ticketOf = async (caller: Caller, body: object = {}): Promise<string> =>
  (await caller.call(contracts.createTicket, { body })).ticket;

/** Changes a conversation in each way that listeners get to know of, with this text. */
async function change(caller: Caller, conversation_id: string, text: string): Promise<void> {
  const params = { conversation_id };
  await caller.call(contracts.setPresence, { params, body: { state: { text }, ttl_seconds: 60 } });
  const messages = [{ role: "user", content: text }];
  await caller.call(contracts.appendMessages, { params, body: { messages } });
  await caller.call(contracts.broadcast, { params, body: { value: { text } } });
}

const countOf = (reader: Reader, type: contracts.ServerFrame["type"]): number =>
  reader.frames.filter((frame) => frame.type === type).length;

/** The frames about a conversation or a subscription, without names and positions, each once. */
function framesAbout(reader: Reader, whose: string, conversationId: string): string[] {
  const frames = reader.frames.filter((frame) => {
    const { id, conversation_id } = frame as { id?: string; conversation_id?: string };
    return id?.startsWith(whose) || conversation_id === conversationId;
  });
  const plain = frames.map((frame) =>
    JSON.stringify({ ...frame, from: 0, to: 0, caught_up: true })
      .replaceAll(conversationId, "conv_…")
      .replace(`"${whose}`, '"…'),
  );
  return [...new Set(plain)].sort();
}

describe.for(["a key", "a ticket"] as const)("a socket opened with %s", (way) => {
  test.for(["another organization", "another agent", "another user"] as const)(
    "gets nothing of %s, and for its conversation the frames of an unknown one",
    async (relation) => {
      const [organization, other] = [await createOrganization(), await createOrganization()];
      const name = relation === "another user" ? "user_id" : "agent_id";
      const bind = (value: string) => createKey(organization, { scopes: SCOPES, [name]: value });
      const isElsewhere = relation === "another organization";
      const attacker = isElsewhere ? organization : await bind("own");
      const victim = isElsewhere ? other : await bind(`${THEIRS} ${name}`);
      const owner = isElsewhere ? { agent_id: `${THEIRS} agent_id`, user_id: `${THEIRS} user_id` } : {};
      const own = await seedConversation(attacker);
      const theirs = await seedConversation(victim, [], { title: THEIRS, ...owner });
      const reader =
        way === "a key"
          ? await connect(attacker.secret)
          : await connectByTicket(await ticketOf(attacker, { include_key_events: isElsewhere }));
      const filters = {
        theirs: { conversation_id: theirs, [name]: `${THEIRS} ${name}` },
        unknown: { conversation_id: ABSENT.conversation_id, [name]: "unknown" },
      };
      reader.send({ type: "subscribe", id: "all", after: "now" });
      reader.send({ type: "subscribe", id: "own", after: "now", filter: { conversation_id: own } });
      for (const [whose, values] of Object.entries(filters))
        for (const [field, value] of Object.entries(values))
          reader.send({ type: "subscribe", id: `${whose} ${field}`, filter: { [field]: value } });
      for (const { conversation_id } of [filters.theirs, filters.unknown])
        reader.send({ type: "presence", conversation_id, state: {} });
      await reader.until(() => countOf(reader, "events") >= 6 && countOf(reader, "error") === 2);
      await change(victim, theirs, THEIRS);
      // Frames come in order, so what the change above sends has arrived when these have.
      for (const times of [1, 2]) {
        await change(attacker, own, "own");
        const appended = () => reader.eventsOf("own").filter(({ type }) => type === "messages.appended");
        await reader.until(() => appended().length >= times && countOf(reader, "broadcast") >= times);
      }
      const events = reader.frames.flatMap((frame) => (frame.type === "events" ? frame.events : []));
      const prefix = organization.organizationId.replace("org_", "evt_");
      expect(events.filter(({ id }) => !id.startsWith(prefix))).toEqual([]);
      expect(events.filter(({ conversation_id }) => conversation_id === theirs)).toEqual([]);
      expect(JSON.stringify(reader.frames)).not.toContain(THEIRS);
      const about = framesAbout(reader, "theirs", theirs);
      expect(about).toEqual(framesAbout(reader, "unknown", ABSENT.conversation_id));
      expect(about).toHaveLength(3);
    },
  );
});

test("a ticket with the id of another organization is rejected as one with an unknown id", async () => {
  const [caller, other] = [await createOrganization(), await createOrganization()];
  const ticket = await ticketOf(caller);
  for (const id of [other.organizationId, ABSENT.organization_id]) {
    const forged = ticket.replace(caller.organizationId.slice(4), id.slice(4));
    expect(forged).not.toBe(ticket);
    const reader = await connectByTicket(forged);
    expect(await reader.closed).toMatchObject({ code: contracts.LIVE_CLOSE.badTicket });
    expect(reader.frames).toEqual([]);
  }
});
