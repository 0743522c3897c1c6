// A proxy before the service that gives every request that may change something a world of its own.
import { createServer } from "node:http";

/** What stands in a request for a secret, an id or a cursor of its world. */
export const PLACE = {
  key: "key-of-the-world",
  operator: "token-of-the-operator",
  organization_id: "organization-of-the-world",
  key_id: "id-of-another-key",
  conversation_id: "conversation-of-the-world",
  message_id: "message-of-the-world",
  memory_id: "memory-of-the-world",
  operation_id: "operation-of-the-world",
  webhook_id: "webhook-of-the-world",
  delivery_id: "delivery-of-the-world",
  entity_id: "entity-of-the-world",
  cursor: "cursor-of-the-world",
};

/** Between two hops only, or not what was sent. */
const NOT_FORWARDED =
  /^(host|connection|keep-alive|transfer-encoding|content-(length|encoding)|accept-encoding)$/;
/** What specmatic expects, as it says with each request. */
const EXPECTED = "specmatic-response-code";

/** Requests that share an organization at most. More could exceed its rate limit on a fast machine. */
const SHARED_MAX = 500;
/** Requests that change nothing when they succeed. */
const isRead = (method, path) => method === "GET" || path.endsWith("/search");
/** Requests that change nothing because they are refused. If one is not refused, specmatic fails. */
const isRefused = (expected) => /^4/.test(expected ?? "");

/**
 * Serve what `url` serves on another port, to an organization of its own for each request that may change
 * something. The other requests share an organization.
 *
 * So no request meets what an earlier one stored, deleted or revoked, and what stands for an id is the id
 * of something that is there.
 *
 * @returns The port, and the status of every answer with the request's method and path.
 */
export async function serveWorlds(url, adminToken) {
  const answers = [];
  const createOwnWorld = () =>
    createWorld((method, path, input) => ask(url, method, path, input), adminToken);
  let shared = { world: createOwnWorld(), requests: 0 };
  const sharedWorld = () => {
    if (shared.requests === SHARED_MAX) shared = { world: createOwnWorld(), requests: 0 };
    shared.requests += 1;
    return shared.world;
  };
  const server = createServer((request, response) => {
    forward(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      // No operation declares it.
      (error) => response.writeHead(599).end(String(error.stack)),
    );
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: server.address().port, answers, close: () => server.close() };

  async function forward(request) {
    const sent = Buffer.concat(await request.toArray()).toString("utf8");
    const [path] = request.url.split("?");
    const changesNothing = isRead(request.method, path) || isRefused(request.headers[EXPECTED]);
    const world = changesNothing ? sharedWorld() : createOwnWorld();
    const headers = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (!NOT_FORWARDED.test(name) && name !== EXPECTED) headers[name] = await world.fill(value);
    }
    const body = asExpected(path, withoutDoubles(await world.fill(sent)), request.headers[EXPECTED]);
    const target = await world.fill(request.url);
    await world.prepare(path, body, request.headers[EXPECTED]);
    const init = { method: request.method, headers, body: body === "" ? undefined : body };
    const answer = await fetch(new URL(target, url), init);
    answers.push({ method: request.method, path, status: answer.status });
    const answered = [...answer.headers].filter(([name]) => !NOT_FORWARDED.test(name));
    return { status: answer.status, headers: Object.fromEntries(answered), body: await answer.text() };
  }
}

/** Ask the service for something that it has to do. @throws when it does not. */
async function ask(url, method, path, { token, body }) {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${token}`, ...type },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** An organization with one of everything, each made when it is first asked for. Lists have more. */
function createWorld(askService, adminToken) {
  const made = new Map();
  const once = (name, make) => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name);
  };
  const organization = () =>
    once("organization", () =>
      askService("POST", "/v1/organizations", { token: adminToken, body: { name: "world" } }),
    );
  const askOwn = async (method, path, body) =>
    askService(method, path, { token: (await organization()).key.secret, body });
  const createConversation = (body = {}) => askOwn("POST", "/v1/conversations", body);
  const createKey = () => askOwn("POST", "/v1/keys", { name: "another", scopes: ["read"] });
  const key = () => once("key", createKey);
  const conversation = () =>
    once("conversation", async () => {
      const { id } = await createConversation();
      const messages = ["one", "two"].map((content) => ({ role: "user", content }));
      const path = `/v1/conversations/${id}/messages`;
      const { message_ids } = await askOwn("POST", path, { messages, wait: "indexed" });
      return { id, messageId: message_ids[0] };
    });

  const createMemory = (body) => askOwn("POST", "/v1/memories", body);
  const memory = () => once("memory", () => createMemory({ content: "the walrus sings" }));

  const repair = async ({ id } = {}) =>
    askOwn("POST", "/v1/index/repair", { conversation_id: id ?? (await conversation()).id });

  const webhook = () =>
    once("webhook", () =>
      askOwn("POST", "/v1/webhooks", { url: "https://hooks.example.com/engram", enabled: false }),
    );
  /** Two entities of one conversation, the first of which has one mention. */
  const entity = () =>
    once("entity", async () => {
      const { id } = await createConversation();
      const messages = ["a", "b"].map((name) => ({ role: "user", content: `Mail ${name}@host.example` }));
      await askOwn("POST", `/v1/conversations/${id}/messages`, { messages, wait: "indexed" });
      const { items } = await askOwn("GET", `/v1/entities?kind=email&conversation_id=${id}`);
      return items[0];
    });
  const deletion = () =>
    once("deletion", async () => askOwn("DELETE", `/v1/conversations/${(await createConversation()).id}`));
  const canceled = () =>
    once("canceled", async () => askOwn("POST", `/v1/operations/${(await repair()).id}/cancel`));

  /** At least two items in every list. */
  const lists = () =>
    once("lists", async () => {
      const users = ["a", "b"].map((user_id) => createConversation({ user_id }));
      await Promise.all([
        conversation(),
        entity(),
        ...users,
        memory(),
        createMemory({ content: "and dances" }),
      ]);
      // Repairs of one conversation would join.
      await Promise.all([key(), repair(), repair(await createConversation())]);
    });

  /** The cursor after the first item of the list at a URL, or a placeholder where the URL is no list. */
  const cursorOf = async (target) => {
    await lists();
    const list = new URL(target, "http://localhost");
    const [name] = [...list.searchParams].find(([, value]) => value.startsWith(PLACE.cursor));
    list.searchParams.delete(name);
    list.searchParams.set(name.replace("cursor", "limit"), "1");
    const token = list.pathname === "/v1/organizations" ? adminToken : (await organization()).key.secret;
    const page = await askService("GET", list.pathname + list.search, { token }).catch(() => ({}));
    return (page.messages ?? page).next_cursor ?? PLACE.cursor;
  };
  const values = {
    [PLACE.key]: async () => (await organization()).key.secret,
    [PLACE.operator]: () => adminToken,
    [PLACE.organization_id]: async () => (await organization()).organization.id,
    [PLACE.key_id]: async () => (await key()).id,
    [PLACE.conversation_id]: async () => (await conversation()).id,
    [PLACE.message_id]: async () => (await conversation()).messageId,
    [PLACE.memory_id]: async () => (await memory()).id,
    [PLACE.operation_id]: async (target) => {
      // Canceled already, which is answered alike: it might be over by the time it is asked for.
      return (await (target.endsWith("/cancel") ? canceled() : deletion())).id;
    },
    [PLACE.webhook_id]: async () => (await webhook()).id,
    [PLACE.entity_id]: async () => (await entity()).id,
    // The first event of the log.
    [PLACE.delivery_id]: async () => {
      await conversation();
      return `evt_${(await organization()).organization.id.replace("org_", "")}_1`;
    },
    // Last: the rest of the URL is filled in by then.
    [PLACE.cursor]: cursorOf,
  };

  return {
    /** A text of the request with what the world has in its places. */
    async fill(text) {
      let filled = text;
      for (const [place, value] of Object.entries(values)) {
        if (filled.includes(place)) filled = filled.replaceAll(place, await value(filled));
      }
      return filled;
    },
    /** Make what a request takes for granted without naming it. */
    async prepare(path, body, expected) {
      if (path === "/v1/search") await Promise.all([conversation(), memory()]);
      if (path === "/v1/memories/search") await memory();
      if (path === "/v1/memories" && expected === "200" && body !== "") {
        const { content, agent_id, user_id, external_id } = JSON.parse(body);
        await createMemory({ content, agent_id, user_id, external_id });
      }
      if (path === "/v1/conversations" && expected === "200" && body !== "") {
        const { external_id } = JSON.parse(body);
        await createConversation({ external_id });
      }
    },
  };
}

/** A body with what decides between two successes: whether a deletion is a dry run. */
function asExpected(path, body, expected) {
  if (!/^\/v1\/(conversations|memories)\/delete$/.test(path) || !["200", "202"].includes(expected))
    return body;
  return JSON.stringify({ ...JSON.parse(body), dry_run: expected === "200" });
}

/** A body without what only words of the contract forbid, or specmatic does not heed: a scope, a place or an external id twice. */
function withoutDoubles(body) {
  let value;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  const scopes = Array.isArray(value?.scopes) ? value.scopes : [];
  const messages = Array.isArray(value?.messages) ? value.messages : [];
  const places = Array.isArray(value?.in) ? value.in : [];
  const isAgain = (message, i) =>
    messages.slice(0, i).some((earlier) => earlier?.external_id === message?.external_id);
  const isOnce = (list) => new Set(list).size === list.length;
  if (isOnce(scopes) && isOnce(places) && !messages.some(isAgain)) return body;
  return JSON.stringify({
    ...value,
    ...(scopes.length > 0 ? { scopes: [...new Set(scopes)] } : {}),
    ...(places.length > 0 ? { in: [...new Set(places)] } : {}),
    ...(messages.length > 0 ? { messages: messages.filter((message, i) => !isAgain(message, i)) } : {}),
  });
}
