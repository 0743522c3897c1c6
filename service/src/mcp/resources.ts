import type { Event, EventType } from "@engram/spec";
import {
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { DATA_LABEL } from "../text/message-lines.ts";
import type { CallContext } from "./calls.ts";

const PREFIX = "engram://conversations/";
/** Newest messages that a read returns. */
const MESSAGES_MAX = 20;
/** Changes of the messages that a read returns. */
const TYPES = ["messages.appended", "messages.updated", "messages.deleted"] satisfies EventType[];

type ApiContext = Pick<CallContext, "fetch" | "origin" | "credentials">;

/** Adds the conversations as resources, which clients read after a notification. */
export function addResources(server: Server, context: ApiContext): void {
  server.setRequestHandler("resources/list", () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: `${PREFIX}{conversation_id}`,
        name: "conversation",
        title: "Conversation",
        description: `The newest ${MESSAGES_MAX} messages of a conversation, oldest first. Subscribe to it to learn of new messages.`,
        mimeType: "application/json",
      },
    ],
  }));
  server.setRequestHandler("resources/read", ({ params }) => readConversation(params.uri, context));
}

/** @throws {ResourceNotFoundError} if there is no such conversation that the key may read. */
async function readConversation(uri: string, context: ApiContext): Promise<ReadResourceResult> {
  const id = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : "";
  if (!/^[\w-]+$/.test(id)) throw new ResourceNotFoundError(uri);
  const response = await get(`/v1/conversations/${id}/messages?newest=${MESSAGES_MAX}`, context);
  if (!response.ok) throw new ResourceNotFoundError(uri);
  return {
    contents: [
      { uri, mimeType: "text/plain", text: DATA_LABEL },
      { uri, mimeType: "application/json", text: await response.text() },
    ],
  };
}

/** The source of `subscriptions/listen`, which publishes nothing itself. */
interface Changes {
  bus: ServerEventBus;
  /** Closes the source, unless a subscription reads it. That closes it by itself. */
  closeUnused(): Promise<void>;
}

/**
 * The changes of conversations from now on. They come from the event stream of the API, which checks the key and ends
 * itself.
 *
 * @param onEnd is called when no further changes come.
 */
export async function openChanges(context: ApiContext, onEnd: () => void): Promise<Changes> {
  const query = new URLSearchParams({ after: "now" });
  for (const type of TYPES) query.append("type", type);
  const { ok, body } = await get(`/v1/events/stream?${query}`, context);
  let isUsed = false;
  const subscribe: ServerEventBus["subscribe"] = (listener) => {
    isUsed = true;
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    // The client learns that its subscription has ended, and subscribes again.
    void (ok && reader ? forward(reader, listener) : Promise.resolve()).catch(() => {}).finally(onEnd);
    return () => void reader?.cancel().catch(() => {});
  };
  return {
    bus: { publish: () => {}, subscribe },
    closeUnused: async () => {
      if (!isUsed) await body?.cancel();
    },
  };
}

async function forward(
  reader: ReadableStreamDefaultReader<string>,
  listener: (event: ServerEvent) => void,
): Promise<void> {
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = `${rest}${value}`.split("\n");
    rest = lines.pop() ?? "";
    const changed = lines
      .filter((line) => line.startsWith("data: "))
      .map((line) => (JSON.parse(line.slice("data: ".length)) as Partial<Event>).conversation_id)
      .filter((id) => typeof id === "string");
    for (const id of new Set(changed)) listener({ kind: "resource_updated", uri: PREFIX + id });
  }
}

const get = (path: string, { fetch, origin, credentials }: ApiContext): Promise<Response> =>
  fetch(new Request(`${origin}${path}`, { headers: credentials }));
