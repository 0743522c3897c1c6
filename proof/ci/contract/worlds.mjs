// A proxy before the service that gives every request a world of its own.
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
  cursor: "cursor-of-the-world",
};

/** Between two hops only, or not what was sent. */
const NOT_FORWARDED =
  /^(host|connection|keep-alive|transfer-encoding|content-(length|encoding)|accept-encoding)$/;
/** What specmatic expects, as it says with each request. */
const EXPECTED = "specmatic-response-code";

/**
 * Serve what `url` serves on another port, to an organization of its own for each request.
 *
 * So no request meets what an earlier one stored, deleted or revoked, and what stands for an id is the id
 * of something that is there.
 *
 * @returns The port, and the status of every answer with the request's method and path.
 */
export async function serveWorlds(url, adminToken) {
  const answers = [];
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
    const world = createWorld((method, path, input) => ask(url, method, path, input), adminToken);
    const sent = Buffer.concat(await request.toArray()).toString("utf8");
    const [path] = request.url.split("?");
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

/** An organization with one of everything, each made when it is first asked for. */
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
  const conversation = () =>
    once("conversation", async () => {
      const { id } = await createConversation();
      const messages = ["one", "two"].map((content) => ({ role: "user", content }));
      const path = `/v1/conversations/${id}/messages`;
      const { message_ids } = await askOwn("POST", path, { messages, wait: "indexed" });
      return { id, messageId: message_ids[0] };
    });

  const createMemory = (content, agent_id) => askOwn("POST", "/v1/memories", { content, agent_id });
  const memory = () => once("memory", () => createMemory("the walrus sings"));

  const repair = async ({ id } = {}) =>
    askOwn("POST", "/v1/index/repair", { conversation_id: id ?? (await conversation()).id });

  /** The cursor after the first item of the list at a URL, or a placeholder where the URL is no list. */
  const cursorOf = async (target) => {
    await Promise.all([conversation(), createConversation(), memory(), createMemory("and dances")]);
    // Repairs of one conversation would join.
    await Promise.all([createKey(), repair(), repair(await createConversation())]);
    const list = new URL(target, "http://localhost");
    const [name] = [...list.searchParams].find(([, value]) => value.startsWith(PLACE.cursor));
    list.searchParams.delete(name);
    list.searchParams.set(name.replace("cursor", "limit"), "1");
    const page = await askOwn("GET", list.pathname + list.search).catch(() => ({}));
    return (page.messages ?? page).next_cursor ?? PLACE.cursor;
  };
  const values = {
    [PLACE.key]: async () => (await organization()).key.secret,
    [PLACE.operator]: () => adminToken,
    [PLACE.organization_id]: async () => (await organization()).organization.id,
    [PLACE.key_id]: async () => (await createKey()).id,
    [PLACE.conversation_id]: async () => (await conversation()).id,
    [PLACE.message_id]: async () => (await conversation()).messageId,
    [PLACE.memory_id]: async () => (await memory()).id,
    [PLACE.operation_id]: async (target) => {
      if (!target.endsWith("/cancel")) {
        return (await askOwn("DELETE", `/v1/conversations/${(await createConversation()).id}`)).id;
      }
      // Canceled already, which is answered alike: it might be over by the time it is asked for.
      return (await askOwn("POST", `/v1/operations/${(await repair()).id}/cancel`)).id;
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
        const { content, agent_id } = JSON.parse(body);
        await createMemory(content, agent_id);
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
