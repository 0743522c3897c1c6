// The document as a generator of requests needs it: what only the service's data decides is filled in.
import { PLACE } from "./worlds.mjs";

/**
 * Query parameters that are varied together, a view each: the subsets of a dozen would be thousands of requests, and
 * some shut each other out. One with `!` is always sent.
 */
const TOGETHER = {
  getConversation: [["message_limit", "message_cursor"]],
  listAuditEvents: [
    ["limit", "include_total", "cursor"],
    ["action", "limit"],
  ],
  listConversations: [
    ["limit", "include_total", "sort", "order", "cursor"],
    ["agent_id", "user_id", "external_id"],
    ["tags_any", "tags_all", "metadata"],
    ["created_after", "created_before"],
  ],
  // Without a conversation: an unknown one has no events, which is no error.
  listEvents: [
    ["type", "limit"],
    ["agent_id", "user_id"],
  ],
  listMemories: [
    ["limit", "include_total", "sort", "order", "cursor"],
    ["agent_id", "kind", "source"],
    ["user_id", "external_id"],
    ["tags_any", "tags_all", "metadata"],
    ["created_after", "created_before"],
  ],
  listOperations: [
    ["limit", "include_total", "cursor"],
    ["type", "status"],
  ],
  listEntities: [
    ["limit", "cursor"],
    ["kind", "prefix"],
    ["conversation_id", "agent_id", "user_id"],
  ],
  // Without its cursor: a world has one mention.
  listMentions: [["limit"], ["conversation_id", "agent_id", "user_id"]],
  listUsers: [["limit", "cursor"]],
  listOrganizations: [["limit", "cursor"]],
  // Without its cursor: a world has one delivery at most.
  listDeliveries: [["limit", "status"]],
  // Without its cursor: a world has no second row before its counts are written.
  listUsage: [
    ["limit", "include_total"],
    ["from", "to"],
  ],
  listMessages: [
    ["limit", "include_total", "cursor"],
    ["from_sequence", "to_sequence"],
    ["newest", "limit"],
    ["around!", "before", "after"],
  ],
};

/**
 * A code that is used once is no value of a generator: the tests of sign-in codes redeem it. Lines of JSON and server-sent events, which specmatic neither makes nor reads: the tests of export, import and events
 * hold them against the document. Bodies of webhooks: what it takes for an invalid URL is another valid one, and a random
 * position is outside of the log.
 */
export const NOT_SHOWN = [
  ...["exportConversations", "importConversations", "streamEvents"],
  ...["createWebhook", "updateWebhook"],
  "redeemSignInCode",
];

/** Values of parameters that no schema gives. */
const PARAMETERS = {
  organization_id: PLACE.organization_id,
  key_id: PLACE.key_id,
  conversation_id: PLACE.conversation_id,
  message_id: PLACE.message_id,
  memory_id: PLACE.memory_id,
  operation_id: PLACE.operation_id,
  webhook_id: PLACE.webhook_id,
  delivery_id: PLACE.delivery_id,
  entity_id: PLACE.entity_id,
  around: PLACE.message_id,
  cursor: PLACE.cursor,
  message_cursor: PLACE.cursor,
  "if-match": "*",
  metadata: '{"ticket":"T-1029"}',
};

/** A user may have any id, but specmatic writes it into a path as it is. */
const USER_IN_PATH = { type: "string", pattern: "^[a-z0-9]{1,20}$" };

/**
 * Not sent. The operator's idempotency keys are one space, in which all worlds would meet. A random position is outside
 * of the log of events, and a request that waits for events waits for up to 25 seconds. Their tests are the service's.
 */
const NOT_SENT = {
  // More values than it takes are sent.
  listUsage: ["group_by"],
  createOrganization: ["idempotency-key"],
  putMemory: ["if-match"],
  listMessages: ["wait_seconds"],
  listEvents: ["after", "wait_seconds"],
};

/** At least one character: the rule for empty content is about another field. */
const withContent = ({ properties }) => Object.assign(properties.content, { minLength: 1 });

/** Rules for bodies that no schema states, one view each. */
const BODIES = {
  // A key with an agent or a user never holds `admin`.
  createKey: [
    ({ properties }) => holdOnly(properties.scopes, ["read", "write", "search", "delete"]),
    ({ properties }) => {
      delete properties.agent_id;
      delete properties.user_id;
      holdOnly(properties.scopes, ["admin"]);
    },
  ],
  createTicket: [
    ({ properties }) => Object.assign(properties, { conversation_id: only(PLACE.conversation_id) }),
  ],
  // What answers 201 without an external id that is taken, answers 200 with one.
  createConversation: [() => {}, (schema) => Object.assign(schema, { required: ["external_id"] })],
  // What answers 201 answers 200 when the content is there. Only with parts may it be empty.
  createMemory: [withContent, withContent],
  createMemories: [
    ({ properties }, { NewMemory }) => {
      properties.memories.items = structuredClone(NewMemory);
      withContent(properties.memories.items);
    },
  ],
  // What answers 201 answers 200 when the external id is there. A version is one of a memory that is there.
  putMemory: [withContent, withContent],
  // A view for each of its two successes.
  deleteConversations: [
    ({ properties }) => nameTicket(properties.filter.properties.metadata),
    ({ properties }) => nameTicket(properties.filter.properties.metadata),
  ],
  // The same, and either a filter or all.
  deleteMemories: [nameFilter, nameFilter, nameAll, nameAll],
  enrichMemories: [({ properties }) => nameTicket(properties.filter.properties.metadata)],
  forkConversation: [
    ({ properties }) => Object.assign(properties, { sequence: { type: "integer", enum: [0, 1, 2] } }),
  ],
  replaceMessages: [({ properties }) => Object.assign(properties, { expected_last_sequence: only(2) })],
  repairIndex: [
    ({ properties }) => Object.assign(properties, { conversation_id: only(PLACE.conversation_id) }),
  ],
};
/** The one success that a view of an operation expects. */
const SUCCESSES = {
  createConversation: [201, 200],
  createMemory: [201, 200],
  putMemory: [201, 200],
  deleteConversations: [200, 202],
  deleteMemories: [200, 202, 200, 202],
};

/** Longest text of a message: that a million bytes are taken and one more refused is tested elsewhere. */
const CONTENT_CHARACTERS_MAX = 10_000;

const only = (value) => ({ type: typeof value === "number" ? "integer" : "string", enum: [value] });
/** Metadata to filter by that names something: of an object without names specmatic makes an empty one. */
const nameTicket = (metadata) =>
  Object.assign(metadata, { properties: { ticket: { type: "string" } }, required: ["ticket"] });
const holdOnly = (list, values) => Object.assign(list, { items: { type: "string", enum: values } });

function nameFilter(schema) {
  delete schema.properties.all;
  schema.required = ["filter"];
  nameTicket(schema.properties.filter.properties.metadata);
}

function nameAll(schema) {
  delete schema.properties.filter;
  schema.required = ["all"];
}

/** The document in several views: the first of every operation, the others of those that one view does not show whole. */
export function viewsOf(document) {
  const prepared = JSON.parse(JSON.stringify(document), (name, value) =>
    name === "pattern" ? spellOut(value) : value,
  );
  for (const { properties } of Object.values(prepared.components.schemas)) {
    if (properties?.content) properties.content.maxLength = CONTENT_CHARACTERS_MAX;
  }
  const views = Math.max(...Object.values({ ...TOGETHER, ...BODIES }).map((each) => each.length));
  return Array.from({ length: views }, (_, view) => viewOf(structuredClone(prepared), view));
}

/** A pattern with characters for their `\u` escapes, which specmatic reads as letters. */
const spellOut = (pattern) =>
  pattern.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

function viewOf(document, view) {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { operationId } = operation;
      const isShown =
        !NOT_SHOWN.includes(operationId) &&
        (view === 0 || [TOGETHER, BODIES].some((each) => each[operationId]?.[view] !== undefined));
      if (isShown) narrow(document, operation, view);
      else delete item[method];
    }
    if (Object.keys(item).length === 0) delete document.paths[path];
  }
  return document;
}

function schemaOf({ in: place, name, schema }) {
  if (place === "path" && name === "user_id") return USER_IN_PATH;
  return PARAMETERS[name] === undefined ? schema : only(PARAMETERS[name]);
}

function narrow({ components }, operation, view) {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const together = TOGETHER[operationId]?.[view];
  operation.parameters = parameters.flatMap((parameter) => {
    const { name } = parameter;
    const isRequired = together?.includes(`${name}!`) ?? false;
    const isLeftOut = parameter.in === "query" && together !== undefined && !together.includes(name);
    if ((isLeftOut && !isRequired) || NOT_SENT[operationId]?.includes(name)) return [];
    return [
      {
        ...parameter,
        required: parameter.required || isRequired,
        schema: schemaOf(parameter),
      },
    ];
  });
  const change = BODIES[operationId]?.[view];
  if (change !== undefined) {
    const media = requestBody.content["application/json"];
    media.schema = structuredClone(components.schemas[media.schema.$ref.split("/").at(-1)]);
    delete media.schema.example;
    change(media.schema, components.schemas);
  }
  const success = SUCCESSES[operationId]?.[view];
  for (const status of Object.keys(responses)) {
    if (success !== undefined && status < 300 && Number(status) !== success) delete responses[status];
  }
}
