import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  AgentId,
  Cursor,
  id,
  jsonAnswer,
  keyProblems,
  PageLimit,
  page,
  requires,
  SCOPES,
  Scope,
  sdkExample,
  sdkMethod,
  timestamp,
  UserId,
  writeProblems,
} from "./common.ts";
import { problems } from "./problem.ts";

export const GrantId = id("Id of a grant.", "grant_06e3tqz8m1k4v9x2c7d0");

/** OAuth id of the console, with which members sign in to it. */
export const CONSOLE_CLIENT_ID = "console";

/**
 * Scopes that a client can get: not `admin`, with which it could make keys that outlive its grant. Only the console gets
 * all that the member has.
 */
export const GRANT_SCOPES = SCOPES.filter((scope): scope is Exclude<Scope, "admin"> => scope !== "admin");

const ClientName = z.string().min(1).max(200);

export const Grant = z
  .strictObject({
    id: GrantId,
    key_id: ActorId.meta({
      description:
        "Key or member that it was given with. The grant ends when the key is not active any more, or the member is removed.",
    }),
    client_id: z.string().meta({
      description:
        "OAuth id of the client: the URL of its metadata document, or a text that the service or the operator gave it.",
      examples: ["https://claude.ai/oauth/mcp-oauth-client-metadata"],
    }),
    client_name: ClientName.meta({
      description: "Name that the client gives itself. Nothing proves it.",
      examples: ["Claude"],
    }),
    client_domain: z
      .string()
      .nullable()
      .meta({
        description:
          "Host of the client's metadata document, which proves whose client it is. Null if the client registered itself or was registered by the operator.",
        examples: ["claude.ai"],
      }),
    redirect_uri: z.string().meta({
      description: "URL to which the client's user was sent with the authorization code.",
      examples: ["https://claude.ai/api/mcp/auth_callback"],
    }),
    scopes: z
      .array(Scope)
      .meta({
        description:
          "Scopes that were allowed. Those that the key or the member lacks do not count. `admin` is only for the console of the service itself.",
      })
      .openapi({ uniqueItems: true }),
    agent_id: AgentId.nullable().meta({
      description:
        "Agent that the grant is bound to, besides that of its key. Null if it is not bound to one.",
    }),
    user_id: UserId.nullable().meta({
      description:
        "User that the grant is bound to, besides that of its key. Null if it is not bound to one.",
    }),
    created_at: timestamp("Time when it was given."),
    expires_at: timestamp(
      "Time from which the grant is rejected: 30 days after the client last refreshed its token. Ten minutes after it was given, if the client has not redeemed its code yet.",
    ),
  })
  .meta({ description: "What a client may do with a key, as a person has allowed over OAuth." })
  .openapi("Grant");
export type Grant = z.infer<typeof Grant>;

export const listGrants = createRoute({
  operationId: "listGrants",
  ...sdkMethod({ method: "grants.list" }),
  ...sdkExample(`
    for await (const { client_name, scopes } of engram.grants.list()) console.log(client_name, scopes);
  `),
  method: "get",
  path: "/v1/grants",
  tags: ["Grants"],
  summary: "List grants",
  description:
    "Returns a page of the grants of the organization's keys and members, newest first: which clients, such as claude.ai or ChatGPT, people have connected by signing in, and where members are signed in to the console. Includes grants whose key is no longer active, until they expire. Never returns tokens.",
  security: requires("admin"),
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of grants.", page(Grant, "GrantPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

export const deleteGrant = createRoute({
  operationId: "deleteGrant",
  ...sdkMethod({ method: "grants.delete" }),
  ...sdkExample(`
    const [grant] = await engram.grants.list().toArray({ max: 1 });
    if (grant) await engram.grants.delete(grant.id);
  `),
  method: "delete",
  path: "/v1/grants/{grant_id}",
  tags: ["Grants"],
  summary: "Delete a grant",
  description:
    "Ends a grant, with all its tokens. Once this request returns, every request of the client fails with 401. The key stays active. The client can ask a person again.",
  security: requires("admin"),
  request: { params: z.object({ grant_id: GrantId }) },
  responses: {
    200: jsonAnswer("The deleted grant.", Grant),
    ...problems("not_found", ...writeProblems),
  },
});
