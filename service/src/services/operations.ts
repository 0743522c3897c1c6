import type { Operation } from "@engram/spec";
import type { ServiceContext } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Owner } from "../queries/batch.ts";
import { selectOperation } from "../queries/operations.ts";

/** An operation of the owner, or any for the operator (`owner` null). @throws {ApiError} `not_found`. */
export async function getOperation(
  ctx: ServiceContext,
  input: { owner: Owner | null; id: string },
): Promise<Operation> {
  const operation = await selectOperation(ctx.db, input);
  if (operation === null) throw notFound("operation");
  return operation;
}
