import type { CellAnswer, Env, Passed, PassedRequest } from "./invocation.ts";
import { UsageCounts } from "./usage/counts.ts";

/** The whole service, as a function. */
export type ServiceFetch = (
  request: Request,
  env: Env,
  ctx: ExecutionContext,
) => Response | Promise<Response>;

/** Answers a request that the Worker passes, with the whole service over the database of the cell. */
export async function answerPassed(
  fetch: ServiceFetch,
  env: Env,
  { method, url, headers, body, requestId, principal, tool }: PassedRequest,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<CellAnswer> {
  let outcome: Pick<CellAnswer, "problem" | "costs"> | undefined;
  const usage = new UsageCounts();
  const ended: Passed["ended"] = (of) => {
    outcome = of;
  };
  const context = { waitUntil, passThroughOnException: () => {}, props: {} };
  const response = await fetch(
    new Request(url, { method, headers, body }),
    {
      ...env,
      KEY_RATE_LIMIT: undefined,
      ORGANIZATION_RATE_LIMIT: undefined,
      PASSED: { requestId, principal, tool, usage, ended },
    },
    // Without the exports of the Worker: a request that only reads starts no other invocation.
    context as unknown as ExecutionContext,
  );
  if (outcome === undefined) throw new Error("the request has not ended");
  return {
    status: response.status,
    headers: [...response.headers],
    body: await response.arrayBuffer(),
    ...outcome,
    usage: usage.take(),
  };
}
