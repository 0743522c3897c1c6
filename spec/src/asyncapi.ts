import { OpenAPIHono, type z } from "@hono/zod-openapi";
import { API_VERSION } from "./document.ts";
import {
  Acknowledge,
  BroadcastFrame,
  ErrorFrame,
  EventsFrame,
  LIVE_CLOSE,
  LIVE_PROTOCOL,
  LIVE_TICKET_PROTOCOL,
  PresenceFrame,
  SetPresence,
  Subscribe,
  Unsubscribe,
} from "./live-frames.ts";

/** Frames of the client, by the name of their message. */
const RECEIVED: Record<string, z.ZodObject> = { Subscribe, Unsubscribe, Acknowledge, SetPresence };
/** Frames of the service, by the name of their message. */
const SENT: Record<string, z.ZodObject> = { EventsFrame, ErrorFrame, BroadcastFrame, PresenceFrame };

const CLOSE_MEANINGS: Record<keyof typeof LIVE_CLOSE, string> = {
  badTicket: "The ticket was used before, has expired or is unknown. Create a new one.",
  tooLong: "A frame has more than 65,536 characters.",
  failed:
    "The service could not write to the socket, or could not read events for it for 60 seconds. Reconnect.",
  badFrame: "A frame is not one that the service receives, or exceeds what the socket or ticket allows.",
  keyEnded: "The key was revoked or has expired, or the organization is deleted. Do not reconnect.",
  tooManyFrames:
    "In a second, the client sent more than 100 frames, or the sockets of its key more than 1,000, or those of its organization more than 2,000. A service with rate limits also counts frames within these, apart from requests.",
};

const description = `Events of an Engram service over a WebSocket. The other operations, among them the same events over HTTP, are in the OpenAPI document, \`/openapi.json\`.

Open the socket with the subprotocol \`${LIVE_PROTOCOL}\`, and a key as \`Authorization: Bearer\`. A browser cannot send headers with a WebSocket: it offers a second subprotocol instead, \`${LIVE_TICKET_PROTOCOL}\` followed by a ticket of \`POST /v1/tickets\`.

Keep \`to\` of the last frame that you have processed. After a reconnect, subscribe with it as \`after\`: no event is skipped or repeated.`;

const CHANNEL = "#/channels/socket";
const reference = (path: string) => ({ $ref: path });
const messageOf = (name: string) => reference(`${CHANNEL}/messages/${name}`);

/** The frames of `GET /v1/events/socket` as an AsyncAPI document. `send` and `receive` are what the service does. */
export function asyncApiDocument() {
  const frames = { ...RECEIVED, ...SENT };
  const host = new OpenAPIHono();
  for (const [name, schema] of Object.entries(frames)) host.openAPIRegistry.register(name, schema);
  // Schemas of OpenAPI 3.1 are JSON schemas, and both documents keep them in the same place.
  const { components } = host.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
  const names = [...Object.keys(frames), "Ping", "Pong"];
  return {
    asyncapi: "3.1.0",
    info: {
      title: "Engram events",
      version: API_VERSION,
      description,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    defaultContentType: "application/json",
    servers: {
      service: {
        host: "{host}",
        protocol: "ws",
        description: "The host that serves this document. With TLS, the protocol is `wss`.",
        variables: { host: { default: "127.0.0.1:26366", description: "Host and port of the service." } },
        security: [reference("#/components/securitySchemes/apiKey")],
      },
    },
    channels: {
      socket: {
        address: "/v1/events/socket",
        title: "Socket",
        description:
          "One WebSocket, with at most 8 subscriptions. These and the presence have at most 16,384 bytes.",
        messages: Object.fromEntries(names.map((name) => [name, reference(`#/components/messages/${name}`)])),
        bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } },
        "x-close-codes": Object.entries(CLOSE_MEANINGS).map(([name, meaning]) => ({
          code: LIVE_CLOSE[name as keyof typeof LIVE_CLOSE],
          meaning,
        })),
      },
    },
    operations: {
      ...operationsOf("receive", RECEIVED),
      ...operationsOf("send", SENT),
      receivePing: {
        action: "receive",
        channel: reference(CHANNEL),
        summary: "Asks whether the connection is alive. Send one every 25 seconds.",
        messages: [messageOf("Ping")],
        reply: { channel: reference(CHANNEL), messages: [messageOf("Pong")] },
      },
    },
    components: {
      messages: {
        ...Object.fromEntries(
          Object.entries(frames).map(([name, schema]) => [
            name,
            { name, summary: schema.description, payload: reference(`#/components/schemas/${name}`) },
          ]),
        ),
        Ping: textMessage("Ping", "ping"),
        Pong: textMessage("Pong", "pong"),
      },
      schemas: components?.schemas ?? {},
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "Key of an organization with the scope `read`.",
        },
      },
    },
  };
}

const operationsOf = (action: "send" | "receive", frames: Record<string, z.ZodObject>) =>
  Object.fromEntries(
    Object.entries(frames).map(([name, schema]) => [
      `${action}${name}`,
      { action, channel: reference(CHANNEL), summary: schema.description, messages: [messageOf(name)] },
    ]),
  );

const textMessage = (name: string, text: string) => ({
  name,
  contentType: "text/plain",
  payload: { type: "string", const: text },
});
