import { z } from "zod";
import { call, NEW_VERSION_WAIT_MS, type RetryingTarget, withTestOrganization } from "./test-organization.ts";

/** A new workers.dev address first needs a DNS entry and a certificate. */
const NEW_NAME_WAIT_MS = 180_000;

const SENTENCE = "The deployment stored this sentence to find it again.";

export interface SmokeTest extends RetryingTarget {
  /** If undefined, the test only checks that the service responds. */
  adminToken: string | undefined;
  /** Ends the test early. The organization that the test created is deleted even then. */
  signal: AbortSignal;
}

/** @returns The checks that passed. @throws {UnexpectedAnswer} If a check failed. */
export async function smokeTest(test: SmokeTest): Promise<string[]> {
  const { signal } = test;
  const look = <T>(path: string, answer: z.ZodType<T>, waitMs = NEW_VERSION_WAIT_MS) =>
    call(test, { path, answer, waitMs, signal });
  await look("/health", z.object({ status: z.literal("ok") }), NEW_NAME_WAIT_MS);
  await look("/ready", z.object({ status: z.literal("ready") }));
  await look("/openapi.json", z.object({ openapi: z.string() }));
  await look("/docs", z.string().regex(/<html/i));
  const pages = ["/health", "/ready", "/openapi.json", "/docs"];
  if (test.adminToken === undefined) return pages;
  const organization = { name: "Smoke test of a deployment", adminToken: test.adminToken };
  await withTestOrganization(test, organization, (key) => storeAndFind(test, key));
  return [...pages, "store", "find", "delete"];
}

async function storeAndFind(test: SmokeTest, token: string): Promise<void> {
  const { signal } = test;
  const conversation = await call(test, {
    path: "/v1/conversations",
    token,
    body: { title: "Smoke test" },
    status: 201,
    answer: z.object({ id: z.string() }),
    signal,
  });
  // `indexed` is false if Workers AI or Vectorize did not respond in time.
  await call(test, {
    path: `/v1/conversations/${conversation.id}/messages`,
    token,
    body: { messages: [{ role: "user", content: SENTENCE }], wait: "indexed" },
    status: 201,
    answer: z.object({ indexed: z.literal(true) }),
    signal,
  });
  await call(test, {
    path: "/v1/search",
    token,
    body: { query: SENTENCE, mode: "keyword" },
    answer: z.object({ results: z.tuple([z.object({ conversation_id: z.literal(conversation.id) })]) }),
    signal,
  });
}
