import { ApiError } from "../errors.ts";
import type { KeyCaller } from "../invocation.ts";
import { run } from "../platform/sql.ts";
import { type Moment, momentOfMessage } from "./moments-queries.ts";

/**
 * Reads `as_of` of a request.
 *
 * @throws {ApiError} `validation_failed` for a message that the caller cannot read.
 */
export async function readMoment(caller: KeyCaller, asOf: string | undefined): Promise<Moment | null> {
  if (asOf === undefined) return null;
  const [conversationId = "", sequence] = asOf.startsWith("conv_") ? asOf.split(":") : [];
  if (sequence === undefined) return { atMs: Date.parse(asOf), last: null };
  const moment = await run(
    caller.db,
    momentOfMessage(caller.principal, { conversationId, sequence: Number(sequence) }),
  );
  if (moment !== null) return moment;
  const message = "There is no such message.";
  throw new ApiError("validation_failed", message, { errors: [{ path: "as_of", message }] });
}
