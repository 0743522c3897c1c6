import { countCopies } from "../model/forks.ts";
import type { ConversationModel } from "../model/model.ts";
import { mustShow } from "../model/presence.ts";
import { expect } from "../violation.ts";
import type { Client, Outcome } from "./client.ts";
import { EXTERNAL_IDS, judgeAbsence, pickConversation } from "./conversations.ts";
import { deleteMessage, updateMessage } from "./messages.ts";
import { listMessages } from "./reads.ts";
import { isForgotten } from "./tombstones.ts";

/** Forks a conversation, sometimes while others change or delete messages, and sometimes reads the fork. */
export async function forkConversation(client: Client): Promise<void> {
  const { random } = client;
  const picked = pickConversation(client);
  // A fork of an empty conversation shows little.
  const source = picked?.lastSequence === 0 ? pickConversation(client) : picked;
  if (source === null) return;
  const fork = plan(client, source);
  const { origin, title } = fork;
  const { external_id } = fork.sent;
  const known = source.lastSequence;
  const name = title.writes[0]?.value;
  const asked = client.ask({
    name: "fork",
    method: "POST",
    path: `/v1/conversations/${source.id}/fork`,
    body: {
      ...(origin?.toSequence == null ? {} : { sequence: origin.toSequence }),
      ...(external_id === undefined ? {} : { external_id }),
      ...(name == null ? {} : { title: name }),
    },
    once: random.chance(0.8),
  });
  const race = random.weigh({ none: 4, edit: 5, delete: 1 });
  if (race !== "none") await disturb(client, source, race);
  const outcome = await asked;
  // A repeat may find that the source was deleted after the first delivery.
  if (!outcome.isRepeated) judgeAbsence(client, source, outcome.answer, outcome.span);
  if (outcome.answer?.status === 201) judgeFork(client, fork, known, outcome);
  else if (
    outcome.answer?.status === 409 &&
    !isForgotten(client, fork.sent.user_id, outcome.answer, outcome.span)
  )
    judgeConflict(fork, known, outcome);
  client.settle(fork.creation, outcome);
  if (fork.id !== null && random.chance(0.6)) await listMessages(client, fork);
}

/** Changes a message while it may be being copied, as another client would. */
async function disturb(client: Client, source: ConversationModel, race: "edit" | "delete"): Promise<void> {
  const { random, world } = client;
  const named = source.messages.filter(({ id }) => id !== null);
  const message = named[random.between(0, named.length - 1)];
  if (message === undefined) return;
  await world.clock.sleep(random.between(0, 25));
  await (race === "edit" ? updateMessage(client, message) : deleteMessage(client, message));
}

/** The requested fork, with a unique name that identifies it even without a response. */
function plan(client: Client, source: ConversationModel): ConversationModel {
  const { model, organization, random, step } = client;
  const marker = model.nextMarker();
  const toSequence = random.chance(0.4)
    ? null
    : random.between(0, source.lastSequence + (random.chance(0.1) ? 2 : 0));
  const externalId = { own: `fork-${marker}`, shared: random.pick(EXTERNAL_IDS), none: undefined }[
    random.weigh({ own: 4, shared: 1, none: 4 })
  ];
  const isNamed = externalId !== `fork-${marker}` || random.chance(0.3);
  const title = isNamed ? `fork ${marker}` : undefined;
  return model.addConversation(organization, marker, {
    sent: { ...source.sent, created_at: undefined, external_id: externalId },
    title,
    step,
    origin: { source, toSequence },
  });
}

/** A fork has exactly the messages of its source up to the sequence. */
function judgeFork(client: Client, fork: ConversationModel, known: number, { answer, span }: Outcome): void {
  const shown = client.judge.conversation(answer?.body, span);
  expect(shown === fork, "verbatim", () => `a fork is answered as ${shown.id}`);
  // A replayed response shows the current state.
  if (answer === null || answer.headers.has("idempotent-replayed")) return;
  const { last_sequence: last, message_count: count } = answer.body;
  const toSequence = fork.origin?.toSequence ?? null;
  expect(
    toSequence === null ? last >= known : last === toSequence,
    "sequences",
    () => `${fork.id} was to end at ${toSequence ?? `${known} or later`}, and ends at ${last}`,
  );
  const { least, most } = countCopies(fork);
  expect(
    count >= least && count <= most,
    "durable",
    () => `${fork.id} has ${count} messages of ${least} to ${most}`,
  );
  const { organization } = fork;
  const { external_id, user_id } = fork.sent;
  const holder = organization.conversations.find(
    (other) =>
      other !== fork &&
      external_id !== undefined &&
      other.sent.external_id === external_id &&
      other.sent.user_id === user_id &&
      mustShow(other, span),
  );
  expect(holder === undefined, "once", () => `${fork.id} takes the external id of ${holder?.id}`);
}

/** A conflict requires a sequence beyond the end, or an external id that may be in use. */
function judgeConflict(fork: ConversationModel, known: number, { answer }: Outcome): void {
  const { code } = answer?.body ?? {};
  const isBeyond = (fork.origin?.toSequence ?? 0) > known;
  const isShared = EXTERNAL_IDS.includes(fork.sent.external_id ?? "");
  expect(
    (code === "sequence_conflict" && isBeyond) || (code === "external_id_conflict" && isShared),
    "answers",
    () => `forking to ${fork.origin?.toSequence} as ${fork.sent.external_id} answers ${code}`,
  );
}
