import { z } from "zod";
import { type Call, callOnce, reasonOf, type Target, UnexpectedAnswer } from "./calls.ts";

/** The previous version of the Worker may still respond for some seconds. */
export const NEW_VERSION_WAIT_MS = 20_000;
const RETRY_MS = 2_000;

/** The organization is still there. The message has its id, and is worth reading even after Ctrl-C. */
export class LeftOrganization extends UnexpectedAnswer {}

export interface RetryingTarget extends Target {
  sleep(ms: number): Promise<void>;
}

/**
 * Creates an organization, and deletes it after its use, also after a failed one.
 *
 * @throws {LeftOrganization} If it could not be deleted, with all reasons if its use failed, too.
 * @throws What `use` throws.
 */
export async function withTestOrganization<T>(
  target: RetryingTarget,
  { name, adminToken }: { name: string; adminToken: string },
  use: (key: string) => Promise<T>,
): Promise<T> {
  // Without an abort signal: an organization whose id was never received could not be deleted.
  const { organization, key } = await call(target, {
    path: "/v1/organizations",
    token: adminToken,
    body: { name },
    status: 201,
    answer: z.object({ organization: z.object({ id: z.string() }), key: z.object({ secret: z.string() }) }),
    waitMs: NEW_VERSION_WAIT_MS,
  });
  const path = `/v1/organizations/${organization.id}`;
  const deletion = {
    method: "DELETE",
    path,
    token: adminToken,
    status: 202,
    answer: z.object({ id: z.string() }),
  };
  let failure = "";
  try {
    return await use(key.secret);
  } catch (error) {
    failure = `${reasonOf(error)}\n`;
    throw error;
  } finally {
    await call(target, deletion).catch((error: unknown) => {
      const howTo = `To delete the test organization, send DELETE ${path} with the admin token.`;
      throw new LeftOrganization(`${failure}${reasonOf(error)}\n${howTo}`);
    });
  }
}

/**
 * Repeats a request whose response is wrong, for at most `waitMs`.
 *
 * @throws {UnexpectedAnswer} If the response is still wrong after that, or the request may have had an effect.
 */
export async function call<T>(target: RetryingTarget, request: Call<T> & { waitMs?: number }): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await callOnce(target, request);
    } catch (error) {
      if (waitedMs >= (request.waitMs ?? 0) || mayHaveHadEffect(request, error)) throw error;
      await target.sleep(RETRY_MS);
    }
  }
}

/**
 * A write that got 401 or 404 had no effect and can be repeated: a version of the Worker that does not have
 * the admin token yet rejects it. After any other error, the write may have been applied.
 */
function mayHaveHadEffect({ body }: Call<unknown>, error: unknown): boolean {
  const isRefused = error instanceof UnexpectedAnswer && (error.status === 401 || error.status === 404);
  return body !== undefined && !isRefused;
}
