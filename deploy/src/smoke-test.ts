import { Engram, isEngramError } from "@engram/sdk";
import { DeployError } from "./deploy-error.ts";

/** A new workers.dev address first needs a DNS entry and a certificate. */
const NEW_NAME_WAIT_MS = 180_000;
/** The previous version of the Worker may still respond for some seconds. */
const NEW_VERSION_WAIT_MS = 20_000;
const RETRY_MS = 2_000;
const TIMEOUT_MS = 45_000;
const SHOWN_CHARACTERS_MAX = 500;

/** Pages of the service, and what each contains. */
const PAGES = {
  "/health": /"status":"ok"/,
  "/ready": /"status":"ready"/,
  "/openapi.json": /"openapi":/,
  "/docs": /<html/i,
};
const SENTENCE = "The deployment stored this sentence to find it again.";

export interface SmokeTest {
  url: string;
  /** If undefined, the test only checks that the service responds. */
  adminToken: string | undefined;
  fetch: typeof fetch;
  sleep(ms: number): Promise<void>;
  /** Ends the test early. The organization that the test created is deleted even then. */
  signal: AbortSignal;
}

export class CheckFailed extends DeployError {
  /** Undefined if there was no answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** The organization is still there. The message has its id, and is worth reading even after Ctrl-C. */
export class LeftOrganization extends CheckFailed {}

/** @returns The checks that passed. @throws {CheckFailed} If a check failed. */
export async function smokeTest(test: SmokeTest): Promise<string[]> {
  for (const [path, content] of Object.entries(PAGES)) {
    const waitMs = path === "/health" ? NEW_NAME_WAIT_MS : NEW_VERSION_WAIT_MS;
    await repeated(
      test,
      waitMs,
      () => look(test, path, content),
      () => true,
    );
  }
  const pages = Object.keys(PAGES);
  if (test.adminToken === undefined) return pages;
  await storeAndFind(test, clientOf(test, test.adminToken));
  return [...pages, "store", "find", "delete"];
}

const clientOf = ({ url, fetch }: SmokeTest, apiKey: string) =>
  new Engram({ baseUrl: url, apiKey, fetch, timeoutMs: TIMEOUT_MS, maxRetries: 0 });

async function storeAndFind(test: SmokeTest, operator: Engram): Promise<void> {
  // Without an abort signal: an organization whose id was never received could not be deleted.
  const { organization, key } = await repeated(
    test,
    NEW_VERSION_WAIT_MS,
    () =>
      answered(
        "POST /v1/organizations",
        operator.organizations.create({ name: "Smoke test of a deployment" }),
      ),
    // A version of the Worker that does not have the admin token yet. After any other error, the write may have been
    // applied.
    ({ status }) => status === 401 || status === 404,
  );
  let failure = "";
  try {
    await findAgain(clientOf(test, key.secret), test.signal);
  } catch (error) {
    failure = `${error instanceof Error ? error.message : error}\n`;
    throw error;
  } finally {
    const path = `/v1/organizations/${organization.id}`;
    await answered(`DELETE ${path}`, operator.organizations.delete(organization.id)).catch((error: Error) => {
      const howTo = `To delete the test organization, send DELETE ${path} with the admin token.`;
      throw new LeftOrganization(`${failure}${error.message}\n${howTo}`);
    });
  }
}

async function findAgain(engram: Engram, signal: AbortSignal): Promise<void> {
  const create = engram.conversations.create({ title: "Smoke test" }, { signal });
  const { id } = await answered("POST /v1/conversations", create);
  const path = `/v1/conversations/${id}/messages`;
  const messages = [{ role: "user" as const, content: SENTENCE }];
  const append = engram.messages.append(id, { messages, wait: "indexed" }, { signal });
  const { indexed } = await answered(`POST ${path}`, append);
  if (!indexed) throw new CheckFailed(`POST ${path}: Workers AI or Vectorize did not answer in time.`);
  const search = engram.search({ query: SENTENCE, mode: "keyword" }, { signal });
  const { results } = await answered("POST /v1/search", search);
  if (results.length !== 1) throw new CheckFailed(`POST /v1/search found ${results.length} results, not 1.`);
}

async function look({ url, fetch, signal }: SmokeTest, path: string, content: RegExp): Promise<void> {
  let response: Response;
  let text: string;
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    response = await fetch(`${url}${path}`, { redirect: "manual", signal: either });
    text = await response.text();
  } catch (error) {
    // The message of a failed `fetch` is only "fetch failed"; the reason is in `cause`.
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new CheckFailed(`GET ${path} got no answer: ${reason instanceof Error ? reason.message : reason}`);
  }
  if (response.status !== 200 || !content.test(text)) {
    const shown = text.slice(0, SHOWN_CHARACTERS_MAX);
    throw new CheckFailed(`GET ${path} answered ${response.status}: ${shown}`, response.status);
  }
}

/** @throws {CheckFailed} If the call fails. */
async function answered<T>(what: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isEngramError(error)) throw error;
    if (error.name === "ConnectionError") throw new CheckFailed(`${what} got no answer: ${error.message}`);
    throw new CheckFailed(`${what} answered ${error.status}: ${error.message}`, error.status);
  }
}

/** Repeats an attempt that fails, for at most `waitMs`. */
async function repeated<T>(
  { sleep }: SmokeTest,
  waitMs: number,
  attempt: () => Promise<T>,
  isRepeated: (error: CheckFailed) => boolean,
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await attempt();
    } catch (error) {
      if (waitedMs >= waitMs || !(error instanceof CheckFailed && isRepeated(error))) throw error;
      await sleep(RETRY_MS);
    }
  }
}
