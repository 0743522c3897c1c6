import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  Cursor,
  IdempotencyHeaders,
  IncludeTotal,
  jsonAnswer,
  jsonBody,
  KeyId,
  keyProblems,
  PageLimit,
  page,
  requires,
  SCOPES,
  Scope,
  shortText,
  timestamp,
} from "./common.ts";
import { ROTATION_OVERLAP_SECONDS_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

const KeyName = shortText("What people call the key.", "production worker");
const Scopes = z
  .array(Scope)
  .min(1)
  .max(SCOPES.length)
  .refine((scopes) => new Set(scopes).size === scopes.length, "each scope once")
  .meta({ description: "What the key may do.", examples: [["read", "write", "search"]] })
  .openapi({ uniqueItems: true });
const ExpiresAt = timestamp("From when on the key is refused.").nullable();

export const ApiKey = z
  .strictObject({
    id: KeyId,
    name: KeyName,
    prefix: z
      .string()
      .min(1)
      .meta({
        description: "The secret's beginning, to recognize it by.",
        examples: ["engram_sk_live_a8Xk"],
      }),
    scopes: Scopes,
    agent_id: AgentId.nullable().meta({
      description: "The one agent that the key sees and writes; null for all.",
    }),
    created_at: timestamp("When it was created."),
    expires_at: ExpiresAt,
    revoked_at: timestamp("When it was revoked.").nullable(),
    last_used_at: timestamp(
      "When a request was last made with it, to the minute: it is written at most once a minute, so a use shows about a minute later. Null until the first.",
    ).nullable(),
    rotated_to: KeyId.nullable().meta({ description: "The key that takes its place." }),
  })
  .meta({ description: "What is known of a key, without its secret." })
  .openapi("ApiKey");
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyWithSecret = z
  .strictObject({
    ...ApiKey.shape,
    secret: z.string().meta({
      description:
        "What a request sends as `Authorization: Bearer`. Shown in this answer only; we keep a hash.",
      examples: ["engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py4kT9wQ"],
    }),
  })
  .meta({ description: "A key with its secret, shown this once." })
  .openapi("ApiKeyWithSecret");
export type ApiKeyWithSecret = z.infer<typeof ApiKeyWithSecret>;

export const CreateKeyBody = z
  .strictObject({
    name: KeyName,
    scopes: Scopes,
    agent_id: AgentId.optional().meta({
      description:
        "Bind the key to one agent: it sees and writes only that agent's conversations. Not with `admin`.",
    }),
    expires_at: ExpiresAt.optional(),
  })
  .openapi("CreateKeyBody");

export const createKey = createRoute({
  operationId: "createKey",
  method: "post",
  path: "/v1/keys",
  tags: ["Keys"],
  summary: "Create a key",
  description:
    "Creates a key of the caller's organization. It can hold only scopes that the calling key holds. The secret is shown in this answer only, so a repeat under the same idempotency key answers 409 with the key's id.",
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateKeyBody) },
  responses: {
    201: jsonAnswer("The key with its secret.", ApiKeyWithSecret),
    ...problems(...bodyProblems, "secret_already_shown", "idempotency_mismatch", ...keyProblems),
  },
});

export const listKeys = createRoute({
  operationId: "listKeys",
  method: "get",
  path: "/v1/keys",
  tags: ["Keys"],
  summary: "List keys",
  description:
    "Lists the organization's keys, newest first, revoked and expired ones too. Never their secrets.",
  security: requires("admin"),
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      include_total: IncludeTotal.optional(),
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
  method: "get",
  path: "/v1/keys/{key_id}",
  tags: ["Keys"],
  summary: "Get a key",
  description: "Answers what is known of a key, without its secret.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The key.", ApiKey), ...problems("not_found", ...keyProblems) },
});

export const revokeKey = createRoute({
  operationId: "revokeKey",
  method: "delete",
  path: "/v1/keys/{key_id}",
  tags: ["Keys"],
  summary: "Revoke a key",
  description:
    "The key reads and writes nothing from this answer on, wherever it is used. Revoking it again changes nothing. A key may revoke itself.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The revoked key.", ApiKey), ...problems("not_found", ...keyProblems) },
});

export const RotateKeyBody = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(ROTATION_OVERLAP_SECONDS_MAX).default(3_600).meta({
      description:
        "How long the old key goes on working, in seconds; 0 ends it at once. An earlier expiry stays.",
    }),
    expires_at: ExpiresAt.optional().meta({ description: "Expiry of the new key; by default it has none." }),
  })
  .openapi("RotateKeyBody");

export const rotateKey = createRoute({
  operationId: "rotateKey",
  method: "post",
  path: "/v1/keys/{key_id}/rotate",
  tags: ["Keys"],
  summary: "Rotate a key",
  description:
    "Creates a key with the same name, scopes and agent, and lets the old one expire after the overlap. A revoked, expired or already rotated key cannot be rotated and answers 404.",
  security: requires("admin"),
  request: { params, headers: IdempotencyHeaders, body: jsonBody(RotateKeyBody) },
  responses: {
    201: jsonAnswer("The new key with its secret.", ApiKeyWithSecret),
    ...problems(...bodyProblems, "not_found", "secret_already_shown", "idempotency_mismatch", ...keyProblems),
  },
});
