import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import { freshIds, type Ids, requestFor, seedIds } from "../../../service/test/support/requests.ts";
import { type Build, buildOf, commitBeforeNewestMigration, currentBuild } from "./support/builds.ts";
import { checkConversation } from "./support/checks.ts";
import type { Ledger } from "./support/ledger.ts";
import { keepSecret } from "./support/log.ts";
import { type Answer, Operations } from "./support/rolling/operations.ts";
import { createSentences } from "./support/sentences.ts";
import { startTrialService, type TrialService, withDirectory } from "./support/service.ts";
import { Findings, type Trial, type TrialInput } from "./support/trial.ts";
import { until } from "./support/until.ts";

const CRON_MS = 2_000;
/** A cell sweeps within a minute of a write, and no vector has to be confirmed in it. */
const SWEEP_TIMEOUT_MS = 150_000;
const MOVED_TIMEOUT_MS = 180_000;
/** Time in which a cell has begun a move that it was called for. */
const BEGUN_MS = 5_000;
/** They act on the whole organization, are tried by themselves, or need a person. */
const NOT_CALLED = ["deleteOrganization", "moveOrganization", "redeemSignInCode"];

/** The version whose migrations the database of an organization has. */
const versionOf = ({ place, isMigrated }: Organization, { database, cell }: Versions) =>
  place === "d1" ? database : isMigrated ? "newer" : cell;

/** Which version the Worker, the cells and D1 have. */
type Versions = Record<"worker" | "cell" | "database", "older" | "newer">;

interface Step extends Versions {
  name: string;
  /** Waits for a sweep of each cell. */
  sweeps?: true;
  moves?: "begin" | "end";
}

/** A deploy migrates D1 first. After it, each call can be of either version, and all of it can be rolled back. */
const STEPS: Step[] = [
  { name: "before the deploy", worker: "older", cell: "older", database: "older" },
  { name: "D1 is migrated", worker: "older", cell: "older", database: "newer" },
  { name: "newer Worker", worker: "newer", cell: "older", database: "newer", sweeps: true, moves: "begin" },
  { name: "newer cells", worker: "older", cell: "newer", database: "newer", sweeps: true },
  { name: "rolled back", worker: "older", cell: "older", database: "newer" },
  { name: "older cells, migrated", worker: "newer", cell: "older", database: "newer", sweeps: true },
  { name: "deployed", worker: "newer", cell: "newer", database: "newer", moves: "end" },
  { name: "moves begin", worker: "newer", cell: "newer", database: "newer", moves: "begin" },
  { name: "rolled back in moves", worker: "older", cell: "older", database: "newer" },
  { name: "deployed again", worker: "newer", cell: "newer", database: "newer", moves: "end" },
];

interface Organization {
  id: string;
  key: string;
  place: "d1" | "cell";
  /** Whether a newer cell has had it. */
  isMigrated: boolean;
  ledger: Ledger;
  sentences: ReturnType<typeof createSentences>;
  /** The deletions of a conversation that are not complete. */
  deletions: string[];
}

interface Rolled {
  organizations: Organization[];
  /** Of the first organization. */
  ids: Ids | null;
  /** Operations that have succeeded before the deploy. */
  succeed: Set<string>;
  moves: { id: string; of: Organization; place: "d1" | "cell" }[];
}

export const rolling: Trial = {
  name: "rolling",
  promise:
    "While a version is deployed, a Worker of the new version works with a cell of the version before, and the reverse, also after a rollback. Each request succeeds or is refused with 503, nothing that was acknowledged is lost, cells sweep, and a move that was begun ends.",
  counts: { of: "appends to each organization in each step", long: 20, short: 5 },
  run: (input) =>
    withDirectory(async (directory) => {
      const findings = new Findings();
      const commit = input.older ?? commitBeforeNewestMigration();
      const builds = { older: buildOf(commit), newer: currentBuild() };
      findings.figure("older version", commit);
      const rolled: Rolled = { organizations: [], ids: null, succeed: new Set(), moves: [] };
      for (const [number, step] of STEPS.entries()) {
        input.progress(`rolling: ${number + 1} of ${STEPS.length}, ${step.name}`);
        const service = await startTrialService(join(directory, "data"), settingsOf(step, builds));
        try {
          await runStep(service, { step, builds, rolled, input, findings });
        } finally {
          await service.stop();
        }
      }
      return findings;
    }),
};

const settingsOf = ({ worker, cell, database }: Versions, builds: StepInput["builds"]) => ({
  cronIntervalMs: CRON_MS,
  place: "d1" as const,
  builds: { worker: builds[worker], cell: builds[cell], database: builds[database] },
});

interface StepInput {
  step: Step;
  builds: Record<"older" | "newer", Build>;
  rolled: Rolled;
  input: TrialInput;
  findings: Findings;
}

async function runStep(
  service: TrialService,
  { step, builds, rolled, input, findings }: StepInput,
): Promise<void> {
  const operations = await Operations.of(service);
  const isFirst = rolled.organizations.length === 0;
  const places = isFirst ? (["cell", "cell", "d1"] as const) : (["cell"] as const);
  for (const place of places) {
    const created = await create(operations, service, place);
    if (created !== null) rolled.organizations.push(created);
  }
  for (const organization of rolled.organizations) {
    await use(operations, organization, input.count, findings);
    organization.isMigrated ||= step.cell === "newer";
    await checkHealth(operations, organization, builds[versionOf(organization, step)], findings);
  }
  const [first] = rolled.organizations;
  if (first !== undefined) await callAll(operations, first, rolled, findings);
  if (step.sweeps) await awaitSweeps(operations, rolled, findings);
  if (step.moves === "begin") await beginMoves(operations, rolled, findings);
  if (step.moves === "end") await endMoves(operations, rolled, findings);
  for (const { key, ledger } of rolled.organizations) {
    const { broken } = await checkConversation(new Engram({ baseUrl: service.url, apiKey: key }), ledger);
    findings.expect(broken.length === 0, () => `${step.name}: ${broken.join("\n")}`);
  }
  const { answers } = operations;
  const refused = answers.filter(({ status }) => status === 503);
  const of = [...new Set(refused.map(({ operation }) => operation))].join(", ");
  findings.figure(
    `${step.name} (Worker ${step.worker}, cells ${step.cell})`,
    `${answers.length} requests, ${refused.length} refused with 503${of === "" ? "" : `: ${of}`}, ${operations.degraded} searches degraded`,
  );
  for (const { operation, status, code } of answers)
    findings.expect(
      status < 500 || (status === 503 && code === "unavailable"),
      () => `${step.name}: ${operation} was answered ${status} ${code}`,
    );
}

async function create(
  operations: Operations,
  { adminToken }: TrialService,
  place: "d1" | "cell",
): Promise<Organization | null> {
  const { body } = await operations.send(adminToken, "createOrganization", { body: { name: "test", place } });
  const { organization, key } = body as { organization?: { id: string }; key?: { secret: string } };
  if (organization === undefined || key === undefined) return null;
  keepSecret(key.secret);
  const { id = "" } = (await operations.send(key.secret, "createConversation", { body: {} })).body as {
    id?: string;
  };
  const ledger = { id, appends: [], deletions: new Map() };
  return {
    ...{ id: organization.id, key: key.secret, place, isMigrated: false },
    ...{ ledger, sentences: createSentences(organization.id), deletions: [] },
  };
}

/** Appends, searches and deletes. */
async function use(
  operations: Operations,
  { id, key, ledger, sentences, deletions }: Organization,
  count: number,
  findings: Findings,
): Promise<void> {
  const params = { conversation_id: ledger.id };
  const send = (operation: string, parts: object) => operations.send(key, operation, parts);
  for (let i = 0; i < count; i++) {
    const [first, second] = [sentences.next().value, sentences.next().value];
    const contents = [first.text, second.text];
    const append: Ledger["appends"][number] = { contents };
    ledger.appends.push(append);
    const messages = contents.map((content) => ({ role: "user", content }));
    const answer = await send("appendMessages", { params, body: { messages, wait: "indexed" } });
    if (answer.status !== 201) continue;
    const appended = answer.body as { message_ids: string[]; first_sequence: number };
    append.answer = { ids: appended.message_ids, firstSequence: appended.first_sequence };
    const searches = [
      { mode: "keyword", query: first.marker, id: appended.message_ids[0] ?? "" },
      { mode: "semantic", query: second.text, id: appended.message_ids[1] ?? "" },
    ];
    for (const { mode, query, id: expected } of searches) {
      const { status, body } = await send("search", { body: { query, mode } });
      const { degraded } = body as { degraded?: string[] };
      if (degraded !== undefined && degraded.length > 0) operations.degraded += 1;
      findings.expect(
        status !== 200 || JSON.stringify(body).includes(expected) || degraded?.length !== 0,
        () => `A ${mode} search did not find ${expected} of ${id}: ${JSON.stringify(body).slice(0, 300)}`,
      );
    }
    if (i > 0) continue;
    const message_id = appended.message_ids[0] ?? "";
    ledger.deletions.set(message_id, false);
    const deleted = await send("deleteMessage", { params: { ...params, message_id } });
    if (deleted.status < 300) ledger.deletions.set(message_id, true);
  }
  const brief = (await send("createConversation", { body: {} })).body as { id?: string };
  if (brief.id === undefined) return;
  const { body } = await send("deleteConversation", { params: { conversation_id: brief.id } });
  const { id: operation } = body as { id?: string };
  if (operation !== undefined) deletions.push(operation);
}

async function checkHealth(
  operations: Operations,
  { id }: Organization,
  { newestMigration }: Build,
  findings: Findings,
): Promise<void> {
  if (!operations.has("getOrganizationHealth")) return;
  const { status, body } = await operations.asOperator("getOrganizationHealth", {
    params: { organization_id: id },
  });
  const { reachable, migration } = body as { reachable?: boolean; migration?: string };
  findings.expect(
    status === 200 && reachable === true && migration === newestMigration,
    () => `The health of ${id} is ${status} ${JSON.stringify(body)}`,
  );
}

/** A request of every operation. One that succeeded before the deploy succeeds or is refused. */
async function callAll(
  operations: Operations,
  { id, key }: Organization,
  rolled: Rolled,
  findings: Findings,
): Promise<void> {
  const call = operations.callAs(key);
  const isFirst = rolled.ids === null;
  rolled.ids ??= await seedIds(call, id);
  for (const operation of operations.list().filter((name) => !NOT_CALLED.includes(name))) {
    const answer = await callOne(operations, operation, { key, ids: rolled.ids });
    if (answer === null) continue;
    if (isFirst && answer.status < 300) rolled.succeed.add(operation);
    findings.expect(
      answer.status < 300 || answer.status === 503 || !rolled.succeed.has(operation),
      () => `${operation} was answered ${answer.status} ${answer.code}, and succeeded before the deploy.`,
    );
  }
}

/** Null if an item could not be created for it. That refusal is among the answers. */
async function callOne(
  operations: Operations,
  operation: string,
  { key, ids }: { key: string; ids: Ids },
): Promise<Answer | null> {
  try {
    const fresh = await freshIds(operation, ids, operations.callAs(key));
    const parts = requestFor(operation, fresh);
    return operations.isForKeys(operation)
      ? await operations.send(key, operation, parts)
      : await operations.asOperator(operation, parts);
  } catch {
    return null;
  }
}

/** A deletion is complete when the cell has swept. */
async function awaitSweeps(operations: Operations, { organizations }: Rolled, findings: Findings) {
  for (const { id, key, deletions } of organizations) {
    const isComplete = async (operation_id: string) => {
      const { body } = await operations.send(key, "getOperation", { params: { operation_id } });
      return ((body as { completed_at?: string | null }).completed_at ?? null) !== null;
    };
    const tookMs = await until(
      async () => (await Promise.all(deletions.map(isComplete))).every(Boolean),
      SWEEP_TIMEOUT_MS,
    );
    findings.expect(Number.isFinite(tookMs), () => `Deletions of ${id} were not complete after a sweep.`);
    if (Number.isFinite(tookMs)) deletions.length = 0;
  }
}

/** Moves the second organization, which is in a cell, and the third, which is in D1, each to where it is not. */
async function beginMoves(operations: Operations, { organizations, moves }: Rolled, findings: Findings) {
  for (const of of organizations.slice(1, 3)) {
    const place = of.place === "cell" ? "d1" : "cell";
    const params = { organization_id: of.id };
    const { status, body, code } = await operations.asOperator("moveOrganization", {
      params,
      body: { place },
    });
    findings.figure(`a move to ${place} is answered`, `${status}${code === null ? "" : ` ${code}`}`);
    const { id } = body as { id?: string };
    if (status < 300 && id !== undefined) moves.push({ id, of, place });
  }
  await sleep(BEGUN_MS);
}

async function endMoves(operations: Operations, { moves }: Rolled, findings: Findings): Promise<void> {
  findings.expect(moves.length > 0, () => "No move was begun.");
  for (const { id, of, place } of moves.splice(0)) {
    const get = async () =>
      (await operations.asOperator("getOperation", { params: { operation_id: id } })).body as {
        completed_at?: string | null;
        status?: string;
      };
    await until(async () => ((await get()).completed_at ?? null) !== null, MOVED_TIMEOUT_MS);
    const operation = await get();
    findings.expect(
      operation.status === "succeeded",
      () => `The move to ${place} ends as ${JSON.stringify(operation)}`,
    );
    of.place = place;
  }
}
