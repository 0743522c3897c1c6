import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  AgentId,
  bodyProblems,
  Cursor,
  IdempotencyHeaders,
  id,
  jsonAnswer,
  jsonBody,
  keyProblems,
  OrganizationId,
  optionalOrNull,
  PageLimit,
  page,
  requires,
  requiresAnyKey,
  Scope,
  sdkExample,
  sdkMethod,
  shortText,
  timestamp,
  UserId,
  writeProblems,
} from "./common.ts";
import { GrantId } from "./grants.ts";
import { problems } from "./problem.ts";
import { SignInCode } from "./sign-in-codes.ts";

export const MemberId = id("Id of a member.", "member_06e3tqz8m1k4v9x2c7d0");

/** What each role may do, from the most to the least. */
export const ROLE_SCOPES = {
  owner: ["read", "write", "search", "delete", "admin"],
  admin: ["read", "write", "search", "delete", "admin"],
  writer: ["read", "write", "search", "delete"],
  reader: ["read", "search"],
} as const satisfies Record<string, readonly Scope[]>;
export const ROLES = ["owner", "admin", "writer", "reader"] as const satisfies (keyof typeof ROLE_SCOPES)[];
export const Role = z
  .enum(ROLES)
  .meta({
    description:
      "What a member may do. `reader`: read and search. `writer`: also write and delete. `admin`: everything that a key with the scope `admin` may do, except what is only for owners. `owner`: also manage owners, create keys with the scope `admin`, and delete the organization.",
  })
  .openapi("Role");
export type Role = z.infer<typeof Role>;

const MemberName = shortText("Name of the person.", "Maria Rossi");
// Whether an address exists shows only when a letter arrives, so only its shape is checked.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected
const EMAIL = /^[^\s@\u0000-\u001f\u007f-\u009f]+@[^\s@\u0000-\u001f\u007f-\u009f]+$/;
const Email = z
  .string()
  .min(3)
  .max(254)
  .regex(EMAIL, "must be an email address")
  .meta({
    description:
      "Email address, compared and returned in lower case. An identity provider that proves it signs the member in.",
    examples: ["maria@example.com"],
  });
const BoundAgent = AgentId.meta({
  description: "Bind the member to one agent, as a key can be. Not for the roles `owner` and `admin`.",
});
const BoundUser = UserId.meta({
  description: "Bind the member to one user, as a key can be. Not for the roles `owner` and `admin`.",
});

export const Member = z
  .strictObject({
    id: MemberId,
    name: MemberName,
    role: Role,
    email: Email.nullable().meta({ description: "Email address in lower case; null if none is known." }),
    issuer: z
      .string()
      .nullable()
      .meta({
        description:
          "Identity provider that signs the member in; null before the first time, and for members who use sign-in codes.",
        examples: ["https://accounts.google.com"],
      }),
    subject: z
      .string()
      .nullable()
      .meta({
        description: "Id of the person at that provider; null if `issuer` is.",
        examples: ["10769150350006150715113082367"],
      }),
    agent_id: AgentId.nullable().meta({
      description: "Agent that the member is bound to, as a key can be. Null if there is none.",
    }),
    user_id: UserId.nullable().meta({
      description: "User that the member is bound to, as a key can be. Null if there is none.",
    }),
    created_at: timestamp("Time when the member was added."),
    removed_at: timestamp("Time when the member was removed; null if they were not.").nullable(),
    last_used_at: timestamp(
      "Time of the last request of the member or a client of theirs, to the minute. Null before the first one.",
    ).nullable(),
  })
  .meta({ description: "A person of the organization." })
  .openapi("Member");
export type Member = z.infer<typeof Member>;

export const CreateMemberBody = z
  .strictObject({
    name: MemberName,
    role: Role,
    email: optionalOrNull(Email),
    agent_id: optionalOrNull(BoundAgent),
    user_id: optionalOrNull(BoundUser),
  })
  .openapi("CreateMemberBody", {
    example: { name: "Maria Rossi", role: "writer", email: "maria@example.com" },
  });

export const createMember = createRoute({
  operationId: "createMember",
  ...sdkExample(`
    const member = await engram.members.create({ name: "Maria Rossi", role: "writer" });
    const { code } = await engram.members.createSignInCode(member.id);
  `),
  method: "post",
  path: "/v1/members",
  tags: ["Members"],
  summary: "Add a member",
  description:
    "Adds a person to the organization. They have no password: they sign in with a code of `createMemberSignInCode`, or with an identity provider that proves `email`. Only keys and owners can add owners. Fails with 409 if a member has this email address.",
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateMemberBody) },
  responses: {
    201: jsonAnswer("The member.", Member),
    ...problems(...bodyProblems, "email_conflict", "idempotency_mismatch", ...writeProblems),
  },
});

export const listMembers = createRoute({
  operationId: "listMembers",
  ...sdkExample(`
    for await (const { name, role } of engram.members.list()) console.log(name, role);
  `),
  method: "get",
  path: "/v1/members",
  tags: ["Members"],
  summary: "List members",
  description: "Returns a page of the organization's members, newest first, including removed ones.",
  security: requires("admin"),
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of members.", page(Member, "MemberPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ member_id: MemberId });

export const getMember = createRoute({
  operationId: "getMember",
  ...sdkExample(`
    const { id } = await engram.members.create({ name: "Maria Rossi", role: "writer" });
    const { role, last_used_at } = await engram.members.get(id);
  `),
  method: "get",
  path: "/v1/members/{member_id}",
  tags: ["Members"],
  summary: "Get a member",
  description: "Returns a member.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The member.", Member), ...problems("not_found", ...keyProblems) },
});

export const UpdateMemberBody = z
  .strictObject({
    name: MemberName.optional(),
    role: Role.optional(),
    email: Email.nullable().optional().meta({
      description:
        "Email address. Another one, or null, also ends the sign-in with the identity provider so far.",
    }),
  })
  .openapi("UpdateMemberBody", { example: { role: "reader" } });

export const updateMember = createRoute({
  operationId: "updateMember",
  ...sdkExample(`
    const { id } = await engram.members.create({ name: "Maria Rossi", role: "writer" });
    await engram.members.update(id, { role: "reader" });
  `),
  method: "patch",
  path: "/v1/members/{member_id}",
  tags: ["Members"],
  summary: "Update a member",
  description:
    "Changes the fields that the body has. Another role counts from the next request on, also for the clients that the member has connected. Only keys and owners can change owners or make them, and members cannot change their own role. The agent and the user of a member cannot be changed: remove the member, and add them again.",
  security: requires("admin"),
  request: { params, body: jsonBody(UpdateMemberBody) },
  responses: {
    200: jsonAnswer("The member.", Member),
    ...problems(...bodyProblems, "not_found", "email_conflict", ...writeProblems),
  },
});

export const deleteMember = createRoute({
  operationId: "deleteMember",
  ...sdkExample(`
    const { id } = await engram.members.create({ name: "Maria Rossi", role: "writer" });
    await engram.members.delete(id);
  `),
  method: "delete",
  path: "/v1/members/{member_id}",
  tags: ["Members"],
  summary: "Remove a member",
  description:
    "Removes a member. Once this request returns, every request of the member and of the clients that they have connected fails with 401, and their sockets and streams end. Keys that the member has created stay: the audit events name them. Removing a member again has no effect. Only keys and owners can remove owners, and members cannot remove themselves.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The removed member.", Member), ...problems("not_found", ...writeProblems) },
});

export const createMemberSignInCode = createRoute({
  operationId: "createMemberSignInCode",
  ...sdkMethod({ method: "members.createSignInCode" }),
  ...sdkExample(`
    const { id } = await engram.members.create({ name: "Maria Rossi", role: "writer" });
    const { code } = await engram.members.createSignInCode(id);
    console.log(code.startsWith("engram_invite_")); // true; the link is \`\${url}/#/sign-in/\${code}\`
  `),
  method: "post",
  path: "/v1/members/{member_id}/sign-in-codes",
  tags: ["Members"],
  summary: "Create a sign-in code for a member",
  description:
    "Creates a code with which a member signs in, to the console or on the page that connects a client: the link is the URL of the service with `#/sign-in/` and the code. A code is used once, within seven days. A member has one code at most: another one replaces it. Only keys and owners can create one for an owner.",
  security: requires("admin"),
  request: { params },
  responses: { 201: jsonAnswer("The code.", SignInCode), ...problems("not_found", ...writeProblems) },
});

export const Me = z
  .strictObject({
    organization_id: OrganizationId,
    key_id: ActorId,
    grant_id: GrantId.nullable().meta({
      description: "Grant of the access token; null for a request with the key itself.",
    }),
    member: z.union([Member, z.null()]).meta({ description: "The member; null for a key." }),
    scopes: z.array(Scope).meta({ description: "What the request may do." }).openapi({ uniqueItems: true }),
    agent_id: AgentId.nullable().meta({
      description: "The only agent whose data is accessible; null for all agents.",
    }),
    user_id: UserId.nullable().meta({
      description: "The only user whose data is accessible; null for all users.",
    }),
    expires_at: timestamp(
      "Time from which the key or the access token is rejected; null if it does not expire.",
    ).nullable(),
  })
  .meta({ description: "Who sends the request, and what it may do." })
  .openapi("Me");
export type Me = z.infer<typeof Me>;

export const getMe = createRoute({
  operationId: "getMe",
  ...sdkMethod({ method: "members.me" }),
  ...sdkExample(`
    const { scopes, member } = await engram.members.me();
    console.log(scopes.join(" "), member?.name ?? "a key");
  `),
  method: "get",
  path: "/v1/me",
  tags: ["Members"],
  summary: "Get who sends the request",
  description:
    "Returns the key or the member that sends the request, and what it may do. Every key can do this.",
  security: requiresAnyKey,
  responses: { 200: jsonAnswer("The caller.", Me), ...problems(...keyProblems) },
});
