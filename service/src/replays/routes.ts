import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import * as replays from "./service.ts";

export const replayRecall: Handler<typeof contracts.replayRecall> = async (c) =>
  c.json(await replays.replayRecall(c.var.caller, c.req.valid("param").recall_id), 200);
