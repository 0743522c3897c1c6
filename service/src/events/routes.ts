import * as contracts from "@engram/spec";
import type { z } from "@hono/zod-openapi";
import type { Handler } from "../http/handler.ts";
import { toProblem } from "../http/problems.ts";
import { streamed } from "../http/streams.ts";
import * as events from "./service.ts";
import { openStream } from "./stream.ts";

export const listEvents: Handler<typeof contracts.listEvents> = async (c) => {
  const query = c.req.valid("query");
  const page = await events.listEvents(c.var.caller, {
    after: query.after ?? null,
    limit: query.limit ?? 100,
    waitSeconds: query.wait_seconds ?? 0,
    filter: toFilter(query),
  });
  return c.json(page, 200);
};

export const streamEvents: Handler<typeof contracts.streamEvents> = async (c) => {
  const query = c.req.valid("query");
  const { requestId, caller } = c.var;
  const { path } = c.req;
  const stream = await openStream(caller, {
    after: c.req.valid("header")["last-event-id"] ?? query.after ?? null,
    filter: toFilter(query),
    toProblem: (error) => toProblem(error, { path, requestId, log: caller.log }),
  });
  // In the contract, the type of the body is that of a single event, so the type of the stream does not match.
  return (await streamed(c, contracts.EVENT_STREAM_TYPE, stream)) as never;
};

type Filters = Omit<z.infer<typeof contracts.streamEvents.request.query>, "after">;

const toFilter = ({ type, conversation_id, agent_id, user_id }: Filters) => ({
  types: type ?? null,
  conversationId: conversation_id ?? null,
  agentId: agent_id ?? null,
  userId: user_id ?? null,
});
