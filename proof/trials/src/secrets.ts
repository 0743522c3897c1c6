import { withoutTable } from "./support/files.ts";
import { waysOf } from "./support/isolation/cases.ts";
import { type Operation, readOperations } from "./support/isolation/operations.ts";
import { everyKind, type Founded, type Own } from "./support/isolation/recipes.ts";
import { type Request, Requester, type Tree, toRequest } from "./support/isolation/requester.ts";
import { partsOf, variantsOf } from "./support/isolation/tenants.ts";
import { createSentences } from "./support/sentences.ts";
import { type TrialService, withService } from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";

/** Without this table, every operation with a key fails internally, although the key is still valid. */
const TABLE = "conversations";
/** Excluded, because they would delete the data that later requests need. */
const ENDS = new Set([
  "deleteOrganization",
  "deleteConversation",
  "deleteMessage",
  "deleteMemory",
  "revokeKey",
]);

export const secrets: Trial = {
  name: "secrets",
  promise:
    "No key, token, idempotency key or content gets into the log, whatever is wrong with a request and whatever fails while it is served. See the section on the log.",
  counts: { of: "rounds", long: 20, short: 1 },
  run: ({ count, seed, progress }) =>
    withService({}, async (service) => {
      const findings = new Findings();
      const operations = (await readOperations(service.url)).filter(({ scopes }) => scopes !== null);
      const owned = await createOwn(service);
      const sentences = createSentences(`${seed} secrets`);
      const send = async (requests: Request[]) => {
        const answered: number[] = [];
        for (const { path, ...request } of requests) {
          const response = await fetch(`${service.url}${path}`, request);
          // A stream of events would last for minutes.
          if (response.headers.get("content-type") === "text/event-stream") await response.body?.cancel();
          else await response.arrayBuffer();
          answered.push(response.status);
        }
        statuses.push(...answered);
        return answered;
      };
      const statuses: number[] = [];
      for (let round = 1; round <= count; round++) {
        progress(`secrets: ${round} of ${count} rounds`);
        const marker = sentences.next().value.marker;
        const sound = soundRequests(operations, owned, marker);
        await send(sound.flatMap((request) => [request, ...spoiled(request, marker)]));
        await send(strays(service, owned.key, marker));
        const broken = await withoutTable(service.dataDirectory, TABLE, () => send(sound));
        findings.expect(broken.includes(500), () => "Nothing failed inside, so that nothing was shown.");
      }
      const answered = Object.entries(Object.groupBy(statuses, (status) => status));
      findings.figure("answered", answered.map(([status, all]) => `${status} ${all?.length}×`).join(", "));
      return findings;
    }),
};

/** An organization, its key, and an object for every kind of id. */
async function createOwn({ url, adminToken }: TrialService): Promise<{ own: Own; key: string }> {
  const operator = new Requester(url, adminToken);
  const founded = await operator.make<Founded>("POST", "/v1/organizations", { name: "secretive" });
  const { secret } = founded.key;
  return { own: await everyKind(new Requester(url, secret), founded), key: secret };
}

/** A valid request for every remaining operation, with a secret in every possible place. */
function soundRequests(
  operations: readonly Operation[],
  { own, key }: { own: Own; key: string },
  marker: string,
): Request[] {
  return operations
    .filter((operation) => !ENDS.has(operation.id))
    .flatMap((operation) =>
      waysOf(operation).map((way) => {
        const parts = partsOf(operation, own, variantsOf(operation)[0] ?? "", null);
        const request = toRequest(way, operation, { ...parts, body: marked(parts.body, marker) });
        const headers = { authorization: `Bearer ${key}`, "idempotency-key": marker, ...request.headers };
        return { ...request, headers };
      }),
    );
}

/** The same requests with an error: the key mistyped or in another place, or an invalid body. */
function spoiled({ method, path, headers, body }: Request, marker: string): Request[] {
  const key = headers.authorization?.replace("Bearer ", "") ?? "";
  const withKey = (authorization: string): Request => ({
    method,
    path,
    headers: { ...headers, authorization },
    ...(body === undefined ? {} : { body }),
  });
  const withBody = (spoilt: string, type = "application/json"): Request[] =>
    body === undefined ? [] : [{ method, path, headers: { ...headers, "content-type": type }, body: spoilt }];
  return [
    withKey(`Bearer ${key}x`),
    withKey(`Bearer ${key} ${key}`),
    withKey(`Basic ${Buffer.from(`key:${key}`).toString("base64")}`),
    withKey(key),
    { ...withKey(`Bearer ${key}`), path: `${path}${path.includes("?") ? "&" : "?"}api_key=${key}` },
    { ...withKey(`Bearer ${key}`), headers: { ...headers, "idempotency-key": marker.repeat(20) } },
    ...withBody(`{"key":"${key}","content":"${marker}`),
    ...withBody(`{"${marker}":"${key}"}`),
    ...withBody(`key=${key}&content=${marker}`, "application/x-www-form-urlencoded"),
  ];
}

/** Requests with secrets in unexpected places. */
function strays(service: TrialService, key: string, marker: string): Request[] {
  const headers = { authorization: `Bearer ${key}` };
  return [key, service.adminToken, marker].flatMap((secret) => [
    { method: "GET", path: `/${secret}`, headers },
    { method: "GET", path: `/v1/${secret}?${secret}=${secret}`, headers: {} },
    { method: "GET", path: `/v1/conversations/${secret}`, headers },
    { method: "DELETE", path: `/v1/keys/${secret}`, headers: { authorization: `Bearer ${secret}` } },
    { method: secret.slice(-6), path: "/v1/keys", headers },
  ]);
}

/** The body with the marker added to its free text. */
const marked = (body: Tree | undefined, marker: string): Tree | undefined =>
  body && JSON.parse(JSON.stringify(body).replace(/"(?=changed|This is)/g, `"${marker} `));
