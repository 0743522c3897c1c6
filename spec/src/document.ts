import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import { contracts } from "./contracts.ts";
import { problemExamples } from "./problem.ts";

const description = `Engram stores the conversations of AI agents exactly as they were said, and the notes that agents decide to remember, and finds the right place in them by meaning and by words.

Every request carries a key as \`Authorization: Bearer engram_sk_live_…\`; the organization comes from the key. Every failure is an RFC 9457 problem whose \`code\` programs can read. Times are ISO 8601 in UTC. What cannot be kept exactly (a lone surrogate, an integer beyond 2^53−1) is refused, never altered. A body holds at most 8 MiB, 50,000 fields of objects and items of arrays in all, and 64 levels of them in each other.`;

// OpenAPI 3.1 added `identifier`, but the types lack it.
const license = { name: "Apache-2.0", identifier: "Apache-2.0" } as { name: string };

export const API_VERSION = "0.1.0";

export function openApiDocument() {
  const host = new OpenAPIHono();
  const registry = host.openAPIRegistry;
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "engram_sk_live_…",
    description: "A key of an organization. Each operation names the scopes that it needs.",
  });
  registry.registerComponent("securitySchemes", "adminToken", {
    type: "http",
    scheme: "bearer",
    description: "The operator's token, a secret of the deployment.",
  });
  for (const { code, value } of problemExamples) registry.registerComponent("examples", code, { value });
  for (const contract of contracts as readonly RouteConfig[]) registry.registerPath(contract);
  return host.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Engram",
      version: API_VERSION,
      description,
      license,
    },
    servers: [{ url: "/", description: "Where this document came from." }],
    tags: [
      { name: "Conversations", description: "What messages belong to." },
      { name: "Messages", description: "What was said." },
      { name: "Memories", description: "What somebody decided to remember, beside what was said." },
      { name: "Search", description: "Finding it again." },
      { name: "Index", description: "What can be found by meaning, and mending it." },
      {
        name: "Export and import",
        description: "Taking conversations and memories along, and bringing them back.",
      },
      { name: "Operations", description: "Work that goes on after its answer." },
      { name: "Keys", description: "Who may do what." },
      { name: "Audit events", description: "Who did what to keys, and who deleted or exported what." },
      { name: "Usage", description: "What each key was used for, by day." },
      { name: "Organizations", description: "Who the data belongs to." },
      { name: "Health", description: "Whether the service answers and can work." },
    ],
  });
}
