// A valid request of every operation of the contract. Tests in workerd and programs in Node import this file.

/** What a test sends to an operation. */
export interface RequestParts {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | string[]>;
  body?: unknown;
  /** Sent unchanged instead of `body`. */
  rawBody?: NonNullable<RequestInit["body"]>;
  headers?: Record<string, string>;
}

/** The part of a contract, or of an OpenAPI document, that tells where a request goes. */
export interface Target {
  method: string;
  /** With `{name}` for each path parameter. */
  path: string;
  request?: { body?: { content?: Partial<Record<string, unknown>> }; [part: string]: unknown };
}

/** Builds the request that an operation describes. */
export function toRequest(target: Target, parts: RequestParts): [path: string, init: RequestInit] {
  const path = target.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parts.params?.[name] ?? ""),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  const hasBody = parts.body !== undefined || parts.rawBody !== undefined;
  const [type = "application/json"] = Object.keys(target.request?.body?.content ?? {});
  const init: RequestInit = {
    method: target.method.toUpperCase(),
    headers: { ...(hasBody ? { "content-type": type } : {}), ...parts.headers },
    ...(hasBody ? { body: parts.rawBody ?? JSON.stringify(parts.body) } : {}),
  };
  return [query.size === 0 ? path : `${path}?${query}`, init];
}

/** An existing id of each kind. */
export interface Ids {
  organization_id: string;
  key_id: string;
  member_id: string;
  grant_id: string;
  conversation_id: string;
  message_id: string;
  memory_id: string;
  operation_id: string;
  tombstone_id: string;
  hold_id: string;
  rule_id: string;
  archive_id: string;
  recall_id: string;
  evaluation_id: string;
  webhook_id: string;
  delivery_id: string;
  entity_id: string;
  request_id: string;
}

/** Ids that never existed. */
export const ABSENT: Ids = {
  organization_id: "org_00000000000000000000",
  key_id: "key_00000000000000000000",
  member_id: "member_00000000000000000000",
  grant_id: "grant_00000000000000000000",
  conversation_id: "conv_00000000000000000000",
  message_id: "msg_00000000000000000000",
  memory_id: "mem_00000000000000000000",
  operation_id: "op_00000000000000000000",
  tombstone_id: "tomb_00000000000000000000",
  hold_id: "hold_00000000000000000000",
  rule_id: "ret_00000000000000000000",
  archive_id: "arc_00000000000000000000",
  recall_id: "rcl_00000000000000000000",
  evaluation_id: "eval_00000000000000000000",
  webhook_id: "wh_00000000000000000000",
  delivery_id: "evt_00000000000000000000_1",
  entity_id: "ent_00000000000000000000000000000000",
  request_id: "req_00000000000000000000",
};

/** Calls an operation, and returns the body of its success. */
export type Call = (operationId: string, parts?: RequestParts) => Promise<unknown>;

/** How to make a request of an operation that succeeds. Its path contains the ids. */
interface Recipe {
  query?: (ids: Ids) => Record<string, string>;
  body?: (ids: Ids) => Record<string, unknown>;
  /** Creates the items that a request changes, deletes or completes, so that the next request succeeds, too. */
  fresh?: (call: Call) => Promise<Partial<Ids>>;
}

/** The id that a delivery of the first event of an organization has. */
const firstDelivery = (organizationId: string): string => `evt_${organizationId.replace("org_", "")}_1`;

const create = async (call: Call, operationId: string, parts: RequestParts): Promise<string> =>
  ((await call(operationId, parts)) as { id: string }).id;

const createConversation = async (call: Call) => ({
  conversation_id: await create(call, "createConversation", { body: {} }),
});

/** A conversation with two messages. */
async function createMessages(call: Call) {
  const params = await createConversation(call);
  const body = {
    messages: ["the walrus was here", "and left"].map((content) => ({ role: "user", content })),
    wait: "indexed",
  };
  const { message_ids } = (await call("appendMessages", { params, body })) as { message_ids: string[] };
  return { ...params, message_id: message_ids[0] ?? "" };
}

/** The entity of two messages, in a conversation of their own. */
async function createEntity(call: Call) {
  const params = await createConversation(call);
  const messages = ["example", "test"].map((end) => ({ role: "user", content: `Mail ann@host.${end}` }));
  await call("appendMessages", { params, body: { messages, wait: "indexed" } });
  const query = { kind: "email", ...params };
  const { items } = (await call("listEntities", { query })) as { items: { id: string }[] };
  return { entity_id: items[0]?.id ?? "" };
}

const createMemory = async (call: Call) => ({
  memory_id: await create(call, "createMemory", { body: newMemory() }),
});
async function createTombstone(call: Call) {
  const params = await createMemory(call);
  const id = await create(call, "deleteMemory", { params, query: { forget: "true" } });
  return { tombstone_id: id.replace("op_", "tomb_") };
}
/** It holds nothing. */
const NEW_HOLD = { reason: "Case 1", filter: { user_id: "nobody", corpus: "memories" } };
const createHold = async (call: Call) => ({
  hold_id: await create(call, "createHold", { body: NEW_HOLD }),
});
/** With an active hold, the organization could not be deleted. */
async function createLiftedHold(call: Call) {
  const params = await createHold(call);
  await call("liftHold", { params });
  return params;
}
/** Of more days than any test has data. */
const newRule = () => ({ name: "test", kind: "conversations", older_than_days: 36_000 });
const createRule = async (call: Call) => ({
  rule_id: await create(call, "createRetentionRule", { body: newRule() }),
});
async function createRecall(call: Call) {
  const body = { query: "walrus", mode: "keyword", record: true };
  return { recall_id: ((await call("search", { body })) as { recall_id: string }).recall_id };
}
const newEvaluation = () => ({
  request: { query: "walrus", mode: "keyword" },
  expected: ["msg_00000000000000000000"],
});
const createEvaluation = async (call: Call) => ({
  evaluation_id: await create(call, "createEvaluation", { body: newEvaluation() }),
});
/** Complete, so that it has lines. The service writes it after the response. */
async function createArchive(call: Call) {
  const { target_id } = (await call("createArchive", { body: {} })) as { target_id: string };
  const params = { archive_id: target_id };
  for (;;) {
    const { completed_at } = (await call("getArchive", { params })) as { completed_at: string | null };
    if (completed_at !== null) return params;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const createKey = async (call: Call) => ({
  key_id: await create(call, "createKey", { body: { name: "fresh", scopes: ["read"] } }),
});
const MEMBER = { name: "Maria", role: "writer" };
const createMember = async (call: Call) => ({
  member_id: await create(call, "createMember", { body: MEMBER }),
});
/** No operation creates grants, which people give on a page. Tests in workerd store them. */
const insertGrant = async (call: Call) => ({ grant_id: await create(call, "insertGrant", {}) });
const createWebhook = async (call: Call) => ({
  webhook_id: await create(call, "createWebhook", { body: WEBHOOK }),
});
const createImport = async (call: Call) => ({
  operation_id: await create(call, "createImport", { body: {} }),
});

/** Creates one item of each kind that a key for one agent or user can create. */
export async function seedData(
  call: Call,
): Promise<
  Pick<
    Ids,
    | "conversation_id"
    | "message_id"
    | "memory_id"
    | "entity_id"
    | "operation_id"
    | "recall_id"
    | "evaluation_id"
  >
> {
  const { conversation_id } = await createConversation(call);
  return {
    operation_id: await create(call, "deleteConversation", { params: { conversation_id } }),
    ...(await createMessages(call)),
    ...(await createMemory(call)),
    ...(await createEntity(call)),
    ...(await createRecall(call)),
    ...(await createEvaluation(call)),
  };
}

/** Creates one item of each kind in the caller's organization. */
export const seedIds = async (call: Call, organization_id: string): Promise<Ids> => ({
  organization_id,
  delivery_id: firstDelivery(organization_id),
  grant_id: ABSENT.grant_id,
  ...(await seedData(call)),
  ...(await createKey(call)),
  ...(await createTombstone(call)),
  ...(await createLiftedHold(call)),
  ...(await createRule(call)),
  ...(await createArchive(call)),
  ...(await createMember(call)),
  ...(await createWebhook(call)),
  ...(await newestRequest(call)),
});

/** The request that created the newest key. */
async function newestRequest(call: Call) {
  const { items } = (await call("listAuditEvents", { query: { action: "key.created" } })) as {
    items: { request_id: string }[];
  };
  return { request_id: items[0]?.request_id ?? "" };
}

let made = 0;
/** Text that no earlier request of this program had. */
function unique(text: string): string {
  made += 1;
  return `${text} ${made}`;
}

/** With all that a text model would write, which it would do at any time. */
const newMemory = () => ({ content: unique("the walrus likes oysters"), tags: [], summary: "Oysters." });

/** A conversation as an export has it. Its id was not used before. */
export const conversationLine = (more: object = {}): Record<string, unknown> => ({
  type: "conversation",
  id: `conv_${unique("").trim().padStart(20, "0")}`,
  ...{ external_id: null, title: "test", agent_id: null, user_id: null, tags: [], metadata: {} },
  ...{ message_count: 0, last_sequence: 0 },
  ...{ created_at: "2026-11-02T09:30:00.000Z", updated_at: "2026-11-02T09:30:00.000Z" },
  ...more,
});

/** Disabled, so that no test sends a request. */
const WEBHOOK = { url: "https://hooks.example.com/engram", enabled: false };
const messages = [{ role: "user", content: "the walrus again" }];
const inConversation = ({ conversation_id }: Ids) => ({ conversation_id });

/** A valid request of each operation. A test fails if one is missing. */
export const REQUESTS: Readonly<Record<string, Recipe>> = {
  createOrganization: { body: () => ({ name: "test" }) },
  listOrganizations: {},
  getOrganization: {},
  getOrganizationHealth: {},
  updateOrganization: { body: () => ({ on_source_deleted: "flag" }) },
  deleteOrganization: {},
  moveOrganization: { body: () => ({ place: "d1" }) },
  createKey: { body: () => ({ name: "test", scopes: ["read"] }) },
  listKeys: {},
  getKey: {},
  revokeKey: { fresh: createKey },
  rotateKey: { fresh: createKey, body: () => ({ overlap_seconds: 60 }) },
  createSignInCode: {},
  redeemSignInCode: {},
  createMember: { body: () => MEMBER },
  listMembers: {},
  getMember: {},
  updateMember: { body: () => ({ name: "M. R." }) },
  deleteMember: { fresh: createMember },
  createMemberSignInCode: {},
  getMe: {},
  listGrants: {},
  deleteGrant: { fresh: insertGrant },
  createConversation: { body: () => ({ title: "test" }) },
  listConversations: {},
  getConversation: {},
  updateConversation: { fresh: createConversation, body: () => ({ title: "changed" }) },
  deleteConversation: { fresh: createConversation },
  deleteConversations: { body: () => ({ filter: { user_id: "unknown" } }) },
  forkConversation: { body: () => ({ sequence: 1 }) },
  appendMessages: { fresh: createConversation, body: () => ({ messages }) },
  listMessages: {},
  getMessage: {},
  updateMessage: { fresh: createMessages, body: () => ({ content: "changed" }) },
  deleteMessage: { fresh: createMessages },
  replaceMessages: {
    fresh: createMessages,
    body: () => ({ expected_last_sequence: 2, from_sequence: 2, messages }),
  },
  listSummaries: {},
  createSummaries: {},
  createMemory: { body: newMemory },
  putMemory: { body: () => ({ ...newMemory(), external_id: unique("walrus") }) },
  listMemories: {},
  createMemories: { body: () => ({ memories: [newMemory()] }) },
  getMemory: {},
  listMemoryVersions: {},
  updateMemory: { fresh: createMemory, body: () => ({ content: unique("changed") }) },
  deleteMemory: { fresh: createMemory },
  deleteMemories: { body: () => ({ filter: { source: "nowhere" } }) },
  enrichMemories: { body: () => ({}) },
  listEntities: {},
  listMentions: {},
  listUsers: {},
  getUser: {},
  deleteUser: {},
  searchMemories: { body: () => ({ query: "walrus" }) },
  search: { body: (ids) => ({ query: "walrus", ...inConversation(ids) }) },
  getContext: { body: (ids) => ({ query: "walrus", ...inConversation(ids) }) },
  listRecalls: {},
  getRecall: {},
  updateRecall: { body: () => ({ outcome: "answered" }) },
  replayRecall: {},
  createEvaluation: { body: newEvaluation },
  listEvaluations: {},
  runEvaluation: {},
  deleteEvaluation: { fresh: createEvaluation },
  getIndexStatus: { query: inConversation },
  repairIndex: { body: inConversation },
  listOperations: {},
  exportData: {},
  createImport: { body: () => ({ lines: 2 }) },
  importLines: { fresh: createImport, body: () => conversationLine() },
  getOperation: {},
  cancelOperation: { fresh: createImport },
  listTombstones: {},
  deleteTombstone: { fresh: createTombstone },
  createHold: { body: () => NEW_HOLD },
  listHolds: {},
  getHold: {},
  liftHold: { fresh: createHold },
  createRetentionRule: { body: newRule },
  listRetentionRules: {},
  previewRetentionRule: { body: () => ({ kind: "conversations", older_than_days: 36_000 }) },
  getRetentionRule: {},
  updateRetentionRule: { body: () => ({ dry_run: true }) },
  deleteRetentionRule: { fresh: createRule },
  createArchive: { body: () => ({ expires_in_days: 30 }) },
  listArchives: {},
  getArchiveSchedule: {},
  setArchiveSchedule: { body: () => ({ every_days: null }) },
  getArchive: {},
  getArchiveLines: {},
  deleteArchive: { fresh: createArchive },
  listEvents: {},
  streamEvents: {},
  createTicket: { body: () => ({ ttl_seconds: 30 }) },
  broadcast: { body: () => ({ value: { typing: true } }) },
  listPresences: {},
  setPresence: { body: () => ({ state: { status: "reading" } }) },
  createWebhook: { body: () => WEBHOOK },
  listWebhooks: {},
  getWebhook: {},
  updateWebhook: { body: () => ({ enabled: false }) },
  deleteWebhook: { fresh: createWebhook },
  rotateWebhook: {},
  testWebhook: {},
  listDeliveries: {},
  resumeWebhook: {},
  skipDelivery: {},
  listAuditEvents: {},
  listUsage: { query: ({ key_id }) => ({ key_id }) },
  getHealth: {},
  getReadiness: {},
};

function recipeOf(operationId: string): Recipe {
  const recipe = REQUESTS[operationId];
  if (recipe === undefined) throw new Error(`${operationId} is missing in service/test/support/requests.ts`);
  return recipe;
}

/**
 * A valid request of an operation that uses `ids` wherever it needs an id.
 *
 * @throws {Error} If the list has no such operation.
 */
export function requestFor(operationId: string, ids: Ids): RequestParts {
  const { query, body } = recipeOf(operationId);
  return {
    params: { ...ids, user_id: "unknown" },
    query: query?.(ids) ?? {},
    ...(body === undefined ? {} : { body: body(ids) }),
  };
}

/** The ids, with those of new items for all that a request of the operation changes, deletes or completes. */
export const freshIds = async (operationId: string, ids: Ids, call: Call): Promise<Ids> => ({
  ...ids,
  ...(await recipeOf(operationId).fresh?.(call)),
});
