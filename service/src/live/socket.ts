import { LIVE_CLOSE, LIVE_PROTOCOL, LIVE_TICKET_PROTOCOL } from "@engram/spec";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { ApiError } from "../errors.ts";
import { nameOperation } from "../http/handler.ts";
import { limitRates } from "../http/rate-limits.ts";
import type { AppEnv } from "../invocation.ts";
import { authorize } from "../keys/authorize.ts";
import { ADMISSION_HEADER, ORIGIN_HEADER, TICKET_HEADER } from "./hub.ts";
import { hubOf } from "./service.ts";
import type { Admission } from "./subscriptions.ts";
import { organizationOf } from "./tickets.ts";

const byKey = authorize([{ apiKey: ["read"] }]);

/** Serves `GET /v1/events/socket`. OpenAPI cannot describe a WebSocket, so it is in no contract. */
export function registerSocket(app: OpenAPIHono<AppEnv>): void {
  app.get(
    "/v1/events/socket",
    nameOperation("openEventSocket"),
    checkUpgrade,
    openByTicket,
    byKey,
    limitRates,
    async (c) => {
      const { principal } = c.var.caller;
      // `byKey` refuses requests without one.
      if (principal === null) throw new Error("a socket without a principal");
      const admission: Admission = { principal, conversationId: null };
      return open(c, principal.organizationId, { [ADMISSION_HEADER]: JSON.stringify(admission) });
    },
  );
}

const protocolsOf = (c: Context<AppEnv>): string[] =>
  (c.req.header("sec-websocket-protocol") ?? "").split(",").map((name) => name.trim());

const checkUpgrade: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isUpgrade = c.req.header("upgrade")?.toLowerCase() === "websocket";
  if (!isUpgrade || !protocolsOf(c).includes(LIVE_PROTOCOL)) {
    throw new ApiError(
      "validation_failed",
      `This is a WebSocket: send \`Upgrade: websocket\` and \`Sec-WebSocket-Protocol: ${LIVE_PROTOCOL}\`.`,
    );
  }
  await next();
};

const openByTicket: MiddlewareHandler<AppEnv> = async (c, next) => {
  const ticket = protocolsOf(c)
    .find((name) => name.startsWith(LIVE_TICKET_PROTOCOL))
    ?.slice(LIVE_TICKET_PROTOCOL.length);
  if (ticket === undefined) return next();
  const organizationId = organizationOf(ticket);
  if (organizationId === null) return refuseTicket();
  const origin = c.req.header("origin");
  return open(c, organizationId, {
    [TICKET_HEADER]: ticket,
    ...(origin === undefined ? {} : { [ORIGIN_HEADER]: origin }),
  });
};

async function open(c: Context<AppEnv>, organizationId: string, headers: HeadersInit): Promise<Response> {
  const request = new Request(c.req.url, { headers });
  request.headers.set("upgrade", "websocket");
  const hub = await hubOf(c.var.caller, c.env.HUB, organizationId);
  const response = await hub.fetch(request);
  c.var.caller.listeners.opened(organizationId);
  if (response.status === 101) return response;
  if (response.status === 403) return refuseTicket();
  throw new ApiError("unavailable", "This organization has too many sockets. Close some, then try again.", {
    retryAfterSeconds: 30,
  });
}

/** A script in a browser cannot see the HTTP status of a refused upgrade. So the socket is opened, then closed with a code. */
function refuseTicket(): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.close(
    LIVE_CLOSE.badTicket,
    "the ticket was used before, has expired, is unknown or is for another origin",
  );
  return new Response(null, {
    status: 101,
    webSocket: client,
    headers: { "sec-websocket-protocol": LIVE_PROTOCOL },
  });
}
