import type * as contracts from "@engram/spec";
import type { SearchPrior } from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as searching from "./service.ts";

export const search: Handler<typeof contracts.search> = async (c) =>
  c.json(await searching.search(c.var.caller, c.req.valid("json")), 200);

/**
 * Priors (properties that rank a message higher or lower) for memories. The others do not apply: a memory has no
 * speaker and no preceding question.
 */
const MEMORY_PRIORS: SearchPrior[] = ["time", "number", "date"];

export const searchMemories: Handler<typeof contracts.searchMemories> = async (c) => {
  const answer = await searching.search(c.var.caller, {
    ...c.req.valid("json"),
    in: ["memories"],
    neighbors: { before: 0, after: 0 },
    priors: MEMORY_PRIORS,
  });
  const results = answer.results.filter((result) => result.type === "memory");
  return c.json({ ...answer, results }, 200);
};
