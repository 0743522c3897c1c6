// A receiver of webhooks that prints new messages: `node receiver.ts`. Needs a running service, and the secret of the
// webhook in WEBHOOK_SECRET. To try it on one machine, take the one of
// `engram listen --print-secret`, and run `engram listen --forward http://localhost:3000/`.
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Engram, verifyWebhook, WebhookError, type WebhookEvent } from "@engram/sdk";
import { findService } from "../service.ts";

/** A webhook sends less than 1 kB. */
const BODY_BYTES_MAX = 20_000;

const secret = process.env.WEBHOOK_SECRET ?? "";
const engram = new Engram(await findService());

/** Ids of events that were processed, because an event can arrive again. Keep them in your database. */
const processed = new Set<string>();

if (!secret.startsWith("whsec_")) {
  console.error("Set WEBHOOK_SECRET to the secret that was shown when the webhook was created.");
  process.exit(1);
}
const server = createServer(async (request, response) => {
  response.writeHead(await receive(request)).end();
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  console.log(`Receiving webhooks at http://127.0.0.1:${port}/`);
});

/** The status to respond with. Any but 200 to 299 makes the service send the event again. */
async function receive(request: IncomingMessage): Promise<number> {
  if (!(Number(request.headers["content-length"]) <= BODY_BYTES_MAX)) return 413;
  try {
    // The signature covers the bytes of the body, so it is verified before the body is parsed.
    const event = await verifyWebhook({ headers: request.headers, body: await text(request) }, secret);
    if (!processed.has(event.id)) await handle(event);
    processed.add(event.id);
    return 204;
  } catch (error) {
    if (error instanceof WebhookError) return 400;
    console.error(String(error));
    return 500;
  }
}

/** Prints the messages of an event. An event has no content: this reads it with the key. */
async function handle({ type, conversation_id, first_sequence, last_sequence }: WebhookEvent): Promise<void> {
  if (type !== "messages.appended" || conversation_id === null) return;
  const range = { from_sequence: first_sequence ?? 1, to_sequence: last_sequence ?? 1 };
  for await (const { role, content } of engram.messages.list(conversation_id, range))
    console.log(`${role}: ${content}`);
}
