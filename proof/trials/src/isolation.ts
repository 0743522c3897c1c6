import pMap from "p-map";
import { createRandom } from "../../support/random.ts";
import { quantile } from "../../support/statistics.ts";
import { difference } from "./support/isolation/answers.ts";
import { Attacks, type Outcome, spend } from "./support/isolation/attack.ts";
import { type Case, isWrite, listCases, waysOf } from "./support/isolation/cases.ts";
import { listenToOthers } from "./support/isolation/live.ts";
import { type Operation, readOperations } from "./support/isolation/operations.ts";
import { isSeenBy, Owners } from "./support/isolation/owners.ts";
import { nameOf } from "./support/isolation/requester.ts";
import { readSnapshot } from "./support/isolation/snapshot.ts";
import {
  createTenants,
  mayCall,
  partsOf,
  recipeOf,
  type Tenant,
  variantsOf,
} from "./support/isolation/tenants.ts";
import { withService } from "./support/service.ts";
import { Findings, type Trial, type TrialInput } from "./support/trial.ts";

const CONCURRENCY = 8;
/**
 * How often a pair of responses is compared again without concurrent requests, before it counts as different.
 */
const QUIET_TRIES = 3;
/** How a tool call or an imported line is rejected in a successful response. */
const REFUSALS = /"isError":true|"problems":\[\{/;

export const isolation: Trial = {
  name: "isolation",
  promise:
    "No request returns or changes data of another organization, or, with a key bound to an agent or user, of another agent or user. The response for another's item equals the response for an item that never existed.",
  counts: { of: "attempts", long: 100_000, short: 5_000 },
  run: ({ count, seed, progress }) =>
    withService({}, async (service) => {
      const findings = new Findings();
      const owners = new Owners();
      // Operator endpoints take no API key.
      const operations = (await readOperations(service.url)).filter(({ scopes }) => scopes !== null);
      progress("isolation: filling organizations");
      const tenants = await createTenants(service, operations, owners, seed);
      await tryOwn(tenants, operations, owners, findings);
      progress("isolation: listening to others");
      await listenToOthers({ url: service.url, tenants, owners, seed }, findings);
      const before = await readAll(tenants);
      for (const [i, tenant] of tenants.entries()) {
        const others = tenants.filter((other) => !isSeenBy(tenant, other));
        const isFound = others.every((other) => owners.leaks(before[i] ?? "", other, "").length > 0);
        findings.expect(
          isFound,
          () =>
            `The check does not recognize the data of ${tenant.name} in a response, so a leak would go unnoticed.`,
        );
      }
      await attackAll({ tenants, operations, owners, count, seed, progress, findings });
      const after = await readAll(tenants);
      for (const [i, tenant] of tenants.entries())
        findings.expect(
          before[i] === after[i],
          () => `The data of ${tenant.name} was changed: ${difference(before[i] ?? "", after[i] ?? "")}`,
        );
      return findings;
    }),
};

const readAll = (tenants: readonly Tenant[]): Promise<string[]> => Promise.all(tenants.map(readSnapshot));

/**
 * Call every permitted operation with the tenant's own data. An operation that always fails would prove
 * nothing.
 */
async function tryOwn(
  tenants: readonly Tenant[],
  operations: readonly Operation[],
  owners: Owners,
  findings: Findings,
): Promise<void> {
  for (const tenant of tenants) {
    for (const operation of operations.filter((one) => mayCall(tenant, one))) {
      if (recipeOf(operation).notOnOwn) continue;
      for (const way of waysOf(operation))
        for (const variant of variantsOf(operation)) {
          const parts = partsOf(operation, await spend(operation, tenant), variant, null);
          if (isWrite(operation)) owners.note(JSON.stringify(parts), tenant);
          const { status, text } = await tenant.requester.send(way, operation, parts);
          const succeeded = status < 300 && !REFUSALS.test(text);
          findings.expect(
            succeeded,
            () => `${operation.id} (${nameOf(way)}) by ${tenant.name} returned ${status}: ${text}`,
          );
          const leaks = owners.leaks(text, tenant, JSON.stringify(parts));
          findings.expect(
            leaks.length === 0,
            () => `${operation.id} disclosed to ${tenant.name}: ${leaks.join(", ")}.`,
          );
          if (isWrite(operation)) owners.note(text, tenant);
        }
    }
  }
}

/** Run every case once, then random cases until the count is reached. */
async function attackAll({
  tenants,
  operations,
  owners,
  count,
  seed,
  progress,
  findings,
}: {
  tenants: readonly Tenant[];
  operations: readonly Operation[];
  owners: Owners;
  findings: Findings;
} & Pick<TrialInput, "count" | "seed" | "progress">): Promise<void> {
  const cases = listCases(operations, tenants);
  const attacks = new Attacks(owners);
  const statuses = new Map<number, number>();
  const ms = { foreign: [] as number[], strange: [] as number[] };
  const doubted: Case[] = [];
  let done = 0;
  await pMap(
    Array(count).keys(),
    async (i) => {
      const random = createRandom(`${seed} attempt ${i}`);
      const one = cases[i] ?? random.pick(cases);
      const outcome = await attacks.run(one, random, { isFresh: false });
      findings.expect(outcome.broken.length === 0, () => outcome.broken.join("\n"));
      if (outcome.differs !== null) doubted.push({ ...one, pairs: [outcome.pair] });
      done += 1;
      statuses.set(outcome.foreignAnswer.status, (statuses.get(outcome.foreignAnswer.status) ?? 0) + 1);
      if (outcome.unknownAnswer !== null) {
        ms.foreign.push(outcome.foreignAnswer.ms);
        ms.strange.push(outcome.unknownAnswer.ms);
      }
      progress(`isolation: ${done} of ${count} attempts`);
    },
    { concurrency: CONCURRENCY },
  );
  for (const [i, one] of doubted.entries()) {
    progress(`isolation: ${i} of ${doubted.length} doubts`);
    await askQuietly(attacks, one, `${seed} doubt ${i}`, findings);
  }
  findings.expect(count >= cases.length, () => `${count} attempts are too few for ${cases.length} cases.`);
  const tried = new Set(cases.map(({ operation }) => operation.id));
  findings.figure(
    "cases, each tried: operation × REST or tool × variant × place × kind of value × kind of key",
    cases.length,
  );
  findings.figure(
    "operations",
    `${tried.size} of ${operations.length} accept a value that another organization may have`,
  );
  const answered = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status} ${times}×`);
  findings.figure("responses", answered.join(", "));
  findings.figure("cases repeated alone, because other requests wrote in between", doubted.length);
  const [foreign, strange] = [quantile(ms.foreign, 0.5), quantile(ms.strange, 0.5)];
  findings.figure(
    "milliseconds at the median",
    `${foreign.toFixed(2)} for items of others, ${strange.toFixed(2)} for unknown items`,
  );
}

/**
 * Run a case without concurrent writes. Only the service's own indexing can still make the responses differ.
 */
async function askQuietly(attacks: Attacks, one: Case, seed: string, findings: Findings): Promise<void> {
  const random = createRandom(seed);
  let outcome: Outcome;
  let tries = 0;
  do {
    outcome = await attacks.run(one, random, { isFresh: true });
    tries += 1;
  } while (outcome.differs !== null && outcome.broken.length === 0 && tries < QUIET_TRIES);
  const wrong = [...outcome.broken, ...(outcome.differs === null ? [] : [outcome.differs])];
  findings.expect(wrong.length === 0, () => wrong.join("\n"));
}
