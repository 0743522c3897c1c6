import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { recorded } from "../recalls/service.ts";
import * as contexts from "./service.ts";

export const getContext: Handler<typeof contracts.getContext> = async (c) => {
  const { record, ...body } = c.req.valid("json");
  const { caller } = c.var;
  const context = await recorded(caller, { operation: "getContext", record, body }, () =>
    contexts.getContext(caller, contexts.toInput(body)),
  );
  return c.json(context, 200);
};
