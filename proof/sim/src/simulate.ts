import { runActions } from "./clients/actions.ts";
import { Client } from "./clients/client.ts";
import { actAsCustodian, hasCustodians } from "./clients/custodian.ts";
import { EventReader } from "./clients/event-reader.ts";
import { moveOrganizations } from "./clients/moves.ts";
import { createOrganization, createOthers } from "./clients/organizations.ts";
import { heal, liveOrganizations, readAll } from "./heal.ts";
import { checkAudit } from "./invariants/audit.ts";
import { checkCommitted, checkRecorded } from "./invariants/committed.ts";
import { checkRead } from "./invariants/events.ts";
import { checkForgotten } from "./invariants/forgotten.ts";
import { checkGrants } from "./invariants/grants.ts";
import { checkHealed } from "./invariants/healed.ts";
import { checkHeld } from "./invariants/held.ts";
import { checkImports } from "./invariants/imports.ts";
import { checkMoves, copiesIn, followMoves, movedEver } from "./invariants/moves.ts";
import { checkCells, checkPlaces } from "./invariants/places.ts";
import { checkRecalls } from "./invariants/recalls.ts";
import { checkReceipts } from "./invariants/receipts.ts";
import { Model } from "./model/model.ts";
import { Violation } from "./violation.ts";
import { World, type WorldOptions } from "./world.ts";

/** Upper bound on the time until a text model is configured. */
const MODEL_LATE_MAX_MS = 60_000;

/** Where the organizations of a run are, by its seed. */
const PLACES = ["mixed", "d1", "cell"] as const;
type Places = (typeof PLACES)[number];

/** Changes of the service's SQL and code. */
export type Mutation = Pick<WorldOptions, "rewrite" | "rewriteCode">;

export interface Run {
  seed: number;
  steps: number;
  /** Hash of all events in order. */
  hash: string;
  trace: string[];
  /** Null when all invariants held. */
  failure: Failure | null;
}

export interface Failure {
  /** Name of the invariant, or `crash`. */
  invariant: string;
  message: string;
}

/**
 * One run: clients act under faults, then all work completes without faults, and all invariants must hold.
 */
export async function simulate(seed: number, mutation: Mutation = {}): Promise<Run> {
  const places = PLACES[seed % PLACES.length] ?? "d1";
  const world = await World.open(seed, { ...mutation, hasCells: places !== "d1" });
  const model = new Model();
  let failure: Failure | null = null;
  try {
    await run(world, model, { places, isKept: hasCustodians(seed) });
  } catch (error) {
    const invariant = error instanceof Violation ? error.invariant : "crash";
    const message = error instanceof Violation ? error.message : ((error as Error).stack ?? String(error));
    world.note(`FAILS: ${message}`);
    failure = { invariant, message };
  }
  world.close();
  const { clock, trace } = world;
  return { seed, steps: clock.step, hash: trace.digest(), trace: trace.lines, failure };
}

async function run(
  world: World,
  model: Model,
  { places, isKept }: { places: Places; isKept: boolean },
): Promise<void> {
  const { random, faults } = world;
  const check = () => {
    followMoves(world, model);
    const { databases } = world;
    for (const database of databases)
      database.without(copiesIn(world, model, database), () => {
        checkCommitted(database);
        checkRecalls(database);
        checkAudit(database);
        checkGrants(database, model);
        checkImports(database, model);
      });
    // A copy has the rows of an organization and not what was recorded of them: their order, and those that are gone.
    for (const database of databases)
      database.without(movedEver(model), () => {
        checkRecorded(database, model);
        checkForgotten(database);
        checkHeld(database);
      });
    checkReceipts(world, model);
    checkPlaces(world, model);
  };
  // Faults begin after the organizations exist.
  await during(world, async () => {
    const count = random.between(2, 3);
    for (let i = 0; i < count; i++) {
      const place = places === "mixed" ? random.pick(["d1", "cell"] as const) : places;
      const organization = await createOrganization(world, model, place);
      organization.hasCustodian = isKept;
    }
  });
  world.check = check;
  faults.start();
  let isOver = false;
  world.startEvictions(() => isOver);
  world.startCron(random.pick([10_000, 30_000, 60_000]), () => isOver);
  const isModelLate = random.chance(0.6);
  world.textModel.isConfigured = !isModelLate;
  if (isModelLate)
    world.clock.schedule(random.between(1_000, MODEL_LATE_MAX_MS), () => {
      world.textModel.isConfigured = true;
    });
  let readers: EventReader[] = [];
  await during(world, async () => {
    readers = model.organizations.map(
      (organization) => new EventReader(new Client(world, model, organization)),
    );
    const clients = model.organizations.flatMap((organization) =>
      Array.from({ length: random.between(1, 3) }, () => new Client(world, model, organization)),
    );
    const custodians = model.organizations
      .filter(({ hasCustodian }) => hasCustodian)
      .map((organization) => actAsCustodian(new Client(world, model, organization), () => isOver));
    if (places === "mixed") void world.start(() => createOthers(world, () => isOver));
    const actions = random.pick([5, 10, 20]);
    let isMoving = world.cells !== null;
    if (isMoving)
      void world
        .start(() => moveOrganizations(world, model))
        .then(() => {
          isMoving = false;
        });
    const acting = Promise.all(clients.map((client) => runActions(client, actions, () => !isMoving))).then(
      () => {
        isOver = true;
      },
    );
    await Promise.all([acting, ...custodians, ...readers.map((reader) => reader.readUntil(() => isOver))]);
  });
  check();
  faults.stop();
  await during(world, () => heal(world, model, isModelLate));
  check();
  await during(world, () => readAll(world, model));
  const live = new Set(liveOrganizations(world, model));
  readers = readers.filter(({ organization }) => live.has(organization));
  await during(world, async () => {
    for (const reader of readers) await reader.readToEnd();
  });
  for (const reader of readers) checkRead(world.databaseOf(reader.organization.id), reader);
  checkMoves(world, model);
  checkCells(world, model);
  checkHealed(world, model);
}

/** Run events until the work is done. */
async function during(world: World, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  void world.start(async () => {
    await work();
    isDone = true;
  });
  await world.runUntil(() => isDone);
}
