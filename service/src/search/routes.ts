import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { recorded } from "../recalls/service.ts";
import * as searching from "./service.ts";

export const search: Handler<typeof contracts.search> = async (c) => {
  const { record, ...body } = c.req.valid("json");
  const { caller } = c.var;
  return c.json(
    await recorded(caller, { operation: "search", record, body }, () => searching.search(caller, body)),
    200,
  );
};

export const searchMemories: Handler<typeof contracts.searchMemories> = async (c) => {
  const { record, ...body } = c.req.valid("json");
  const { caller } = c.var;
  return c.json(
    await recorded(caller, { operation: "searchMemories", record, body }, () =>
      searching.searchMemories(caller, body),
    ),
    200,
  );
};
