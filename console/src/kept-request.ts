import type { Evaluation, Recall } from "@engram/sdk";

/** The operation and the body of a request that is kept, in a receipt or an evaluation. */
export type KeptRequest = Pick<Recall | Evaluation, "operation" | "request">;

/** Empty for a context without a query. */
export const queryOf = ({ request: { query } }: KeptRequest): string =>
  typeof query === "string" ? query : "";
