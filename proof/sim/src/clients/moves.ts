import type { OperationOf, Place } from "@engram/spec";
import type { Model, MoveModel, OrganizationModel } from "../model/model.ts";
import { mayOrganizationBeGone } from "../model/presence.ts";
import { expect } from "../violation.ts";
import type { Answer, World } from "../world.ts";
import { Client } from "./client.ts";
import { OPERATOR } from "./organizations.ts";

type MoveOperation = OperationOf<"move_organization">;

/** Organizations that begin to move in a run, one after another. */
const MOVES = { 0: 2, 1: 3, 2: 2, 3: 1 };
/** Time after which the operator looks no longer at a move. Most take three minutes, and more if D1 is down. */
const PATIENCE_MS = 400_000;
/** The only jurisdiction. D1 is not in it. */
const IN_JURISDICTION = 400;

/** Moves organizations as the operator, while clients use them. */
export async function moveOrganizations(world: World, model: Model): Promise<void> {
  const { clock, random } = world;
  const count = Number(random.weigh(MOVES));
  for (let i = 0; i < count; i++) {
    await clock.sleep(random.between(0, random.pick([5_000, 60_000])));
    const client = new Client(world, model, random.pick(model.organizations));
    const move = await moveOrganization(
      client,
      random.chance(0.8) ? otherPlace(client) : client.organization.place,
    );
    if (move !== null) await followMove(client, move);
  }
}

const otherPlace = ({ organization }: Client): Place => (organization.place === "d1" ? "cell" : "d1");

/** Begins to move an organization. Resolves to null if that is not known to have begun. */
async function moveOrganization(client: Client, place: Place): Promise<MoveModel | null> {
  const { model, organization, step } = client;
  const { answer, span } = await client.ask({
    name: "move organization",
    method: "POST",
    path: `/v1/organizations/${organization.id}/move`,
    body: { place },
    key: OPERATOR,
    // It returns a move to the same place.
    isRepeatable: true,
    expected: IN_JURISDICTION,
  });
  if (answer?.status === IN_JURISDICTION)
    expect(isInJurisdiction(client), "moves", () => `${organization.id} cannot move`);
  if (answer?.status === 404)
    expect(
      mayOrganizationBeGone(organization, { ...span, begin: step }),
      "moves",
      () => `${organization.id} is unknown`,
    );
  if (answer?.status !== 202) return null;
  const known = model.moves.find(({ id }) => id === answer.body.id);
  const move = known ?? { organization, id: answer.body.id, place, shown: answer.body, isCanceled: false };
  if (known === undefined) model.moves.push(move);
  judgeMove(move, answer.body);
  return move;
}

const isInJurisdiction = ({ world, organization }: Client): boolean =>
  world.database.select(
    "SELECT 1 FROM organizations WHERE id = ?1 AND jurisdiction IS NOT NULL",
    organization.id,
  ).length > 0;

/** Looks at a move until it has ended, and perhaps cancels it. */
async function followMove(client: Client, move: MoveModel): Promise<void> {
  const { random, world } = client;
  const { clock } = world;
  const endMs = clock.nowMs() + PATIENCE_MS;
  const cancelMs = random.chance(0.3)
    ? clock.nowMs() + random.between(0, random.pick([5_000, 180_000]))
    : endMs;
  let isAsked = false;
  while (move.shown.completed_at === null && clock.nowMs() < endMs) {
    await clock.sleep(random.between(0, 20_000));
    if (clock.nowMs() < cancelMs || isAsked) await lookAt(client, move);
    else {
      isAsked = true;
      await cancelMove(client, move);
    }
  }
}

/** Resolves to whether an answer came. */
async function lookAt(client: Client, move: MoveModel): Promise<boolean> {
  const path = `/v1/operations/${move.id}`;
  const { answer } = await client.ask({ name: "look at move", method: "GET", path, key: OPERATOR });
  if (answer === null) return false;
  expect(answer.status === 200, "moves", () => `${move.id} answers ${answer.status}`);
  judgeMove(move, answer.body);
  return true;
}

async function cancelMove(client: Client, move: MoveModel): Promise<void> {
  const { answer } = await client.ask({
    name: "cancel move",
    method: "POST",
    path: `/v1/operations/${move.id}/cancel`,
    key: OPERATOR,
    isRepeatable: true,
  });
  if (answer?.status === 200) {
    judgeMove(move, answer.body);
    expect(move.shown.status === "canceled", "moves", () => `${move.id} is canceled and goes on`);
    move.isCanceled = true;
  }
  if ((await lookAt(client, move)) && answer?.status === 409)
    expect(move.shown.moved_at !== null, "moves", () => `${move.id} cannot be canceled, and has not moved`);
}

/** Checks that an answer about a move goes on from the one before. @throws {Violation} */
function judgeMove(move: MoveModel, shown: Answer["body"]): void {
  const before = move.shown;
  const { organization } = move;
  const { type, target_id, place, status, moved_at, completed_at, progress } = shown as MoveOperation;
  const isOf = type === "move_organization" && target_id === organization.id && place === move.place;
  const isNext =
    (before.status === "running" || before.status === status) &&
    (before.moved_at === null || before.moved_at === moved_at) &&
    (before.completed_at === null || completed_at !== null);
  const isWhole =
    progress.total !== null &&
    progress.done <= progress.total &&
    (status !== "succeeded" ||
      (moved_at !== null && completed_at !== null && progress.done === progress.total)) &&
    (status !== "canceled" || moved_at === null) &&
    (status !== "running" || completed_at === null);
  expect(
    isOf && isNext && isWhole,
    "moves",
    () => `${move.id} was ${JSON.stringify(before)} and is ${JSON.stringify(shown)}`,
  );
  move.shown = shown;
}

/** Checks that the operator is shown where an organization is. @throws {Violation} */
export async function judgePlace(client: Client): Promise<void> {
  const { organization } = client;
  const { answer } = await client.ask({
    name: "get organization",
    method: "GET",
    path: `/v1/organizations/${organization.id}`,
    key: OPERATOR,
  });
  expect(
    answer?.body.place === organization.place,
    "moves",
    () =>
      `${organization.id} has moved to ${organization.place} and is shown as ${JSON.stringify(answer?.body)}`,
  );
}

/** Looks once more at each move that the operator has begun. */
export async function judgeMoves(
  clientOf: (organization: OrganizationModel) => Client,
  model: Model,
): Promise<void> {
  for (const move of model.moves) await lookAt(clientOf(move.organization), move);
}
