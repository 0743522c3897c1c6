import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  Cursor,
  IdempotencyHeaders,
  jsonAnswer,
  jsonBody,
  KeyId,
  keyProblems,
  optionalOrNull,
  PageLimit,
  page,
  requires,
  SCOPES,
  Scope,
  sdkExample,
  shortText,
  timestamp,
  UserId,
  writeProblems,
} from "./common.ts";
import { ROTATION_OVERLAP_SECONDS_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

const KeyName = shortText("Display name of the key.", "production worker");
const Scopes = z
  .array(Scope)
  .min(1)
  .max(SCOPES.length)
  .refine((scopes) => new Set(scopes).size === scopes.length, "must have each scope only once")
  .meta({ description: "Permissions of the key.", examples: [["read", "write", "search"]] })
  .openapi({ uniqueItems: true });
const ExpiresAt = timestamp("Time from which the key is rejected; null if it does not expire.").nullable();

export const ApiKey = z
  .strictObject({
    id: KeyId,
    name: KeyName,
    prefix: z
      .string()
      .min(1)
      .meta({
        description: "First characters of the secret, to recognize the key by.",
        examples: ["engram_sk_live_a8Xk"],
      }),
    scopes: Scopes,
    agent_id: AgentId.nullable().meta({
      description:
        "Agent that the key is bound to: the key can read and write only that agent's data. Null if it is not bound to one.",
    }),
    user_id: UserId.nullable().meta({
      description:
        "User that the key is bound to: the key can write only that user's data, and read it and what is shared. Null if it is not bound to one.",
    }),
    created_at: timestamp("Time when the key was created."),
    expires_at: ExpiresAt,
    revoked_at: timestamp("Time when the key was revoked; null if it was not.").nullable(),
    last_used_at: timestamp(
      "Time of the last request with the key, to the minute. It is written at most once a minute, so it lags by about a minute. Null before the first request.",
    ).nullable(),
    rotated_to: KeyId.nullable().meta({
      description: "Id of the key that replaces this one; null if it was not rotated.",
    }),
  })
  .meta({ description: "A key without its secret." })
  .openapi("ApiKey");
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyWithSecret = z
  .strictObject({
    ...ApiKey.shape,
    secret: z.string().meta({
      description:
        "Secret that requests send as `Authorization: Bearer`: `engram_sk_live_`, followed by letters and digits. Shown only in this response; the service stores only a hash.",
      examples: ["engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py06e3tqz8m1k4v9x2c7d04kT9wQ"],
    }),
  })
  .meta({ description: "A key with its secret, which is shown only once." })
  .openapi("ApiKeyWithSecret");
export type ApiKeyWithSecret = z.infer<typeof ApiKeyWithSecret>;

export const CreateKeyBody = z
  .strictObject({
    name: KeyName,
    scopes: Scopes,
    agent_id: optionalOrNull(AgentId).meta({
      description:
        "Bind the key to one agent: it can read and write only that agent's conversations and memories. Cannot be combined with the scope `admin`.",
    }),
    user_id: optionalOrNull(UserId).meta({
      description:
        "Bind the key to one user: it can write only that user's conversations and memories, and read them and shared ones. With `agent_id`, only those of both. Cannot be combined with the scope `admin`.",
    }),
    expires_at: ExpiresAt.optional().meta({
      description: "Time from which the key is rejected. Default: null, the key does not expire.",
    }),
  })
  .openapi("CreateKeyBody", { example: { name: "production worker", scopes: ["read", "write", "search"] } });

export const createKey = createRoute({
  operationId: "createKey",
  ...sdkExample(`
    const { secret } = await engram.keys.create({ name: "reader", scopes: ["read", "search"] });
  `),
  method: "post",
  path: "/v1/keys",
  tags: ["Keys"],
  summary: "Create a key",
  description:
    "Creates a key for the organization of the calling key. It can have only scopes that the calling key has. The secret is shown only in this response, so a repeat with the same idempotency key fails with 409, whose `detail` names the id of the key.",
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateKeyBody) },
  responses: {
    201: jsonAnswer("The key with its secret.", ApiKeyWithSecret),
    ...problems(...bodyProblems, "secret_already_shown", "idempotency_mismatch", ...writeProblems),
  },
});

export const listKeys = createRoute({
  operationId: "listKeys",
  ...sdkExample(`
    for await (const { name, last_used_at } of engram.keys.list()) console.log(name, last_used_at);
  `),
  method: "get",
  path: "/v1/keys",
  tags: ["Keys"],
  summary: "List keys",
  description:
    "Returns a page of the organization's keys, newest first, including revoked and expired ones. Never returns secrets.",
  security: requires("admin"),
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of keys.", page(ApiKey, "ApiKeyPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ key_id: KeyId });

export const getKey = createRoute({
  operationId: "getKey",
  ...sdkExample(`
    const { scopes, expires_at } = await engram.keys.get(key.id);
  `),
  method: "get",
  path: "/v1/keys/{key_id}",
  tags: ["Keys"],
  summary: "Get a key",
  description: "Returns a key, without its secret.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The key.", ApiKey), ...problems("not_found", ...keyProblems) },
});

export const revokeKey = createRoute({
  operationId: "revokeKey",
  ...sdkExample(`
    await engram.keys.revoke(key.id);
  `),
  method: "delete",
  path: "/v1/keys/{key_id}",
  tags: ["Keys"],
  summary: "Revoke a key",
  description:
    "Revokes a key. Once this request returns, every request with the revoked key fails with 401. Revoking it again has no effect. A key may revoke itself.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The revoked key.", ApiKey), ...problems("not_found", ...writeProblems) },
});

export const RotateKeyBody = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(ROTATION_OVERLAP_SECONDS_MAX).default(3_600).meta({
      description:
        "Number of seconds for which the old key stays valid; 0 ends it at once. At most 2,592,000 (30 days); default 3,600. An earlier `expires_at` of the old key still applies.",
    }),
    expires_at: ExpiresAt.optional().meta({
      description: "Time from which the new key is rejected. Default: null, the key does not expire.",
    }),
  })
  .openapi("RotateKeyBody", { example: { overlap_seconds: 3_600 } });

export const rotateKey = createRoute({
  operationId: "rotateKey",
  ...sdkExample(`
    const { secret } = await engram.keys.rotate(key.id, { overlap_seconds: 600 });
  `),
  method: "post",
  path: "/v1/keys/{key_id}/rotate",
  tags: ["Keys"],
  summary: "Rotate a key",
  description:
    "Creates another key, with an id of its own and the same name, scopes, agent and user, to replace the old one, which expires after `overlap_seconds`. The secret of the new key is shown only in this response. A key that is revoked, expired or already rotated cannot be rotated: the request fails with 404.",
  security: requires("admin"),
  request: { params, headers: IdempotencyHeaders, body: jsonBody(RotateKeyBody) },
  responses: {
    201: jsonAnswer("The new key with its secret.", ApiKeyWithSecret),
    ...problems(
      ...bodyProblems,
      "not_found",
      "secret_already_shown",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});
