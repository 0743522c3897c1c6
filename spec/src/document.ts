import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import { contracts } from "./contracts.ts";
import { problemExamples } from "./problem.ts";

const description = `Engram is a memory service for AI agents. It stores conversations verbatim, and the notes that agents decide to remember, and finds the right passage in them by meaning and by keywords.

Send a key with every request as \`Authorization: Bearer engram_sk_live_…\`. The key determines the organization (tenant) whose data a request can access. Every error is an RFC 9457 problem (\`application/problem+json\`) with a \`code\` for programs. Times are ISO 8601 in UTC. A request that creates an item may have null in every field that is null in responses; null then counts as absent. In an update, null clears the field. Values that cannot be stored exactly (a lone surrogate, an integer beyond 2^53−1) are rejected, never altered. A body holds at most 8 MiB, 50,000 object fields and array items in total, and 64 levels of nesting.

**Lists.** A list has \`items\` and \`next_cursor\`. Pass \`next_cursor\` as \`cursor\` to get the next page; it is null on the last one. Lists of conversations and memories also count all matching items on request (\`include_total\`). Webhooks, rules of retention and presences have no pages, because their number is limited. Parameters that begin with \`after\` are positions in an order that never changes: of events, of the lines of an export, and of the lines of an import. A client that keeps its position can continue after an interruption of any length.

**Writes.** A request that creates something takes an \`Idempotency-Key\`, and can then be sent again safely. An update, a replacement or a deletion needs none: sent again, it changes nothing more. Conversations and memories have versions (\`ETag\` and \`If-Match\`), because several people and agents edit them. Messages have none: they are a record of what was said, an update replaces the whole content, and \`replaceMessages\` compares the newest sequence number instead.`;

// The cast adds `identifier`, which OpenAPI 3.1 has but the library's types lack.
const license = { name: "Apache-2.0", identifier: "Apache-2.0" } as { name: string };

type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

interface Operation {
  responses?: Record<string, { $ref?: string; content?: Record<string, { examples?: object }> }>;
}

export const API_VERSION = "0.1.0";

export function openApiDocument() {
  const host = new OpenAPIHono();
  const registry = host.openAPIRegistry;
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "engram_sk_live_…",
    description:
      "Key of an organization, or the access token of an OAuth client. Each operation lists the scopes that it requires.",
  });
  registry.registerComponent("securitySchemes", "adminToken", {
    type: "http",
    scheme: "bearer",
    description:
      "Admin token: a secret that the person who deploys the service sets. It can create, read and delete every organization.",
  });
  registry.registerComponent("securitySchemes", "signInCode", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "engram_code_…",
    description: "Code of `createSignInCode`, which only `redeemSignInCode` accepts.",
  });
  for (const { code, ...example } of problemExamples) registry.registerComponent("examples", code, example);
  for (const contract of contracts as readonly RouteConfig[]) registry.registerPath(contract);
  const document = host.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Engram",
      version: API_VERSION,
      description,
      license,
    },
    servers: [{ url: ".", description: "The service that serves this document." }],
    tags: [
      { name: "Conversations", description: "Ordered lists of messages, with title, tags and metadata." },
      { name: "Messages", description: "Messages of a conversation, stored verbatim." },
      {
        name: "Summaries",
        description: "Summaries of parts of a conversation, whose sentences cite its messages.",
      },
      {
        name: "Memories",
        description: "Notes that agents decide to remember, stored apart from conversations.",
      },
      {
        name: "Entities",
        description: "Files, errors, links, dates and other things that messages mention, found by rules.",
      },
      { name: "Users", description: "Users of conversations and memories, and the deletion of their data." },
      { name: "Search", description: "Search of conversations and memories, by meaning and by keywords." },
      {
        name: "Context",
        description: "What a model needs for its next answer, in one text of a limited size.",
      },
      {
        name: "Recalls",
        description: "Receipts of what searches and contexts answered, and their replay.",
      },
      {
        name: "Evaluations",
        description: "Labelled queries: searches with what they should find, run again on request.",
      },
      { name: "Index", description: "Status and repair of the search index." },
      {
        name: "Export and import",
        description: "Export and import of conversations and memories, one JSON object per line.",
      },
      {
        name: "Archives",
        description:
          "Copies of all conversations and memories in an object store, with digests of their parts.",
      },
      { name: "Operations", description: "Work that continues after the response, with its progress." },
      {
        name: "Tombstones",
        description:
          "What deletions with `forget` left behind, so that nothing brings the deleted items back.",
      },
      {
        name: "Holds",
        description: "Legal holds: what must not be deleted or edited until somebody lifts them.",
      },
      { name: "Retention", description: "Rules that delete what has reached an age." },
      { name: "Events", description: "Changes of the organization, in order." },
      {
        name: "Live",
        description:
          "Tickets for sockets, and values for those who listen now. The socket itself, `GET /v1/events/socket`, is a WebSocket, which OpenAPI cannot describe.",
        externalDocs: {
          description: "The frames of the socket, as an AsyncAPI document",
          url: "/asyncapi.json",
        },
      },
      { name: "Webhooks", description: "URLs that events are sent to, with signatures." },
      { name: "Keys", description: "API keys, which authenticate requests, and their scopes (permissions)." },
      {
        name: "Members",
        description: "People of the organization, their roles, and how they sign in.",
      },
      {
        name: "Grants",
        description: "What OAuth clients, such as claude.ai, may do with a key. Their tokens work like keys.",
      },
      {
        name: "Audit events",
        description:
          "Who created, revoked or rotated keys, which clients got access, and who deleted or exported data.",
      },
      { name: "Usage", description: "Usage by day, key, operation and MCP tool." },
      {
        name: "Organizations",
        description: "Tenants: each owns its keys, conversations and memories, and sees only those.",
      },
      { name: "Health", description: "Whether the service is running and ready." },
    ],
  });
  shareProblems(document);
  return document;
}

/**
 * Puts each error response into `components`, under a name made of its codes. Many operations have the same ones, which
 * would otherwise be half of the document.
 */
function shareProblems({ paths, components }: Document): void {
  const shared: Record<string, object> = {};
  for (const { responses = {} } of Object.values(paths ?? {}).flatMap<Operation>(Object.values)) {
    for (const [status, response] of Object.entries(responses)) {
      const examples = response.content?.["application/problem+json"]?.examples;
      if (examples === undefined) continue;
      const name = Object.keys(examples).map(toPascalCase).join("Or");
      shared[name] = response;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  Object.assign(components ?? {}, { responses: shared });
}

const toPascalCase = (code: string): string =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
