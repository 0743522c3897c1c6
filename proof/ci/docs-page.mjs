// Opens the docs page in headless Chromium, pastes a key, presses "Try it out" of every operation and checks the
// responses. Then sends every other example of the document:
//   node docs-page.mjs URL KEY ADMIN_TOKEN SCREENSHOT
import assert from "node:assert/strict";
import { launchChromium } from "../../console/browser/chromium.ts";

const [url, key, adminToken, screenshot] = process.argv.slice(2);
/** Operations that need something other than the key. The last one deletes everything, including the key. */
const OTHERS = [
  ...[
    "redeemSignInCode",
    "createOrganization",
    "listOrganizations",
    "getOrganizationHealth",
    "moveOrganization",
  ],
  "deleteOrganization",
];
/** The operation may be complete before it is canceled, and the message of the example does not exist. */
const OTHER_STATUSES = { cancelOperation: "409", createEvaluation: "404" };
/** Number of operations that were tried, by method. */
const tried = {};

const document = await (await fetch(`${url}/openapi.json`)).json();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    path,
    method: method.toUpperCase(),
  })),
);
const browser = await launchChromium();
try {
  const page = await openPage();
  await paste(page, `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`, "does not accept this key");
  assert.ok(await page.getByRole("button", { name: "Authorize" }).isHidden(), "one place for the key");
  await paste(page, key, "Authorized");
  const others = operations.filter(({ operationId }) => !OTHERS.includes(operationId));
  // Swagger UI renders everything that is open at each change.
  const tags = new Set(operations.flatMap(({ tags }) => tags));
  for (const tag of tags) await toggleTag(page, tag);
  let open;
  for (const operation of others) {
    const { operationId, method } = operation;
    if (operation.tags[0] !== open) {
      if (open !== undefined) await toggleTag(page, open);
      open = operation.tags[0];
      await toggleTag(page, open);
    }
    const { section, body, status, text } = await tryOut(page, operationId, await makeThings());
    assert.match(status, new RegExp(`^(2|${OTHER_STATUSES[operationId] ?? "2"})`), operationId);
    assert.deepEqual(body, exampleBody(operation), `${operationId} shows the example of the document`);
    if (operationId === "importLines") assert.match(text, /"problems": \[\]/, "each line is imported");
    tried[method] = (tried[method] ?? 0) + 1;
    if (operationId === "search") {
      await section.evaluate((element) => element.scrollIntoView());
      await page.screenshot({ path: screenshot });
    }
    await section.locator(".opblock-summary").click();
  }
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!kept.includes(key), "the key is not kept");
  await page.checkRules();

  const codePage = await openPage();
  await paste(codePage, (await send("/v1/sign-in-codes")).code, "Authorized with a sign-in code");
  assert.match((await tryOut(codePage, "redeemSignInCode", {})).status, /^201/);
  await codePage.checkRules();

  const ownersPage = await openPage();
  await paste(ownersPage, adminToken, "Authorized as admin token");
  const created = await tryOut(ownersPage, "createOrganization", {});
  assert.match(created.status, /^201/);
  assert.match((await tryOut(ownersPage, "listOrganizations", {})).status, /^200/);
  const ids = { organization_id: /org_[a-z0-9]+/.exec(created.text)?.[0] ?? "" };
  assert.match((await tryOut(ownersPage, "moveOrganization", ids)).status, /^202/);
  assert.match((await tryOut(ownersPage, "getOrganizationHealth", ids)).status, /^200/);
  assert.match((await tryOut(ownersPage, "deleteOrganization", ids)).status, /^202/);
  await ownersPage.checkRules();
  assert.ok(tried.GET > 0 && tried.POST > 0, "operations with and without a body were tried");
  const sent = await sendExamples();
  console.log(
    `Every operation of the docs page works: ${operations.length}, and ${sent} examples of parameters; see ${screenshot}`,
  );
} finally {
  await browser.close();
}

/** The example of an operation's body in the document: JSON, or the text of another media type. */
function exampleBody({ operationId, requestBody }) {
  if (requestBody === undefined) return undefined;
  const [{ example, schema }] = Object.values(requestBody.content);
  const found =
    example ?? schema.example ?? document.components.schemas[schema.$ref?.split("/").at(-1)]?.example;
  assert.ok(found !== undefined, `the document has no example of the body of ${operationId}`);
  return found;
}

/** Sends each example and default of a query parameter, alone. The page sends none of them by itself. */
async function sendExamples() {
  let sent = 0;
  for (const operation of operations) {
    const { operationId, path, method, parameters = [], requestBody, security } = operation;
    const secret = security.some((way) => !("adminToken" in way)) ? key : adminToken;
    const examples = parameters.filter(({ in: place }) => place === "query").flatMap(examplesOf);
    if (examples.length === 0) continue;
    const things = await makeThings();
    const target = path.replace(/\{(\w+)\}/g, (_, name) => things[name]);
    const [mediaType] = Object.keys(requestBody?.content ?? {});
    const body = mediaType === undefined ? undefined : exampleBody(operation);
    for (const [name, value] of examples) {
      const query = new URLSearchParams([value].flat().map((each) => [name, String(each)]));
      const answer = await fetch(`${url}${target}?${query}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, ...(mediaType && { "content-type": mediaType }) },
        body: typeof body === "object" ? JSON.stringify(body) : body,
      });
      // The id of an example may be unknown.
      const isUnderstood = answer.ok || answer.status === 404;
      assert.ok(
        isUnderstood,
        `${operationId} with ${query}: ${answer.status} ${isUnderstood || (await answer.text())}`,
      );
      // A stream of events would take minutes.
      await answer.body?.cancel();
      sent += 1;
    }
  }
  return sent;
}

function examplesOf({ name, example, schema }) {
  const values = [...(schema.examples ?? []), example, schema.example, schema.default];
  return values.filter((value) => value !== undefined).map((value) => [name, value]);
}

async function openPage() {
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await browser.newPage({ viewport: { width: 1280, height: 1500 }, permissions });
  const foreign = [];
  const complaints = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${url}/docs`);
  page.checkRules = () => {
    assert.deepEqual(foreign, [], "nothing is fetched from elsewhere");
    const own = complaints.filter((text) => !/a status of (401|404|409)/.test(text));
    assert.deepEqual(own, [], "the page breaks no rule of its own");
  };
  return page;
}

/** Pastes a secret into the page's field, as a user does, and waits for the page's response. */
async function paste(page, secret, says) {
  const field = page.getByLabel("Key", { exact: true });
  await field.and(page.locator(":enabled")).waitFor();
  await page.evaluate((text) => navigator.clipboard.writeText(text), secret);
  await field.selectText();
  await field.press("ControlOrMeta+v");
  await page.locator("output").filter({ hasText: says }).waitFor();
}

/** Opens or closes the operations of a tag. */
function toggleTag(page, tag) {
  return page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
}

/** Opens an operation, fills in existing ids, sends everything else unchanged, and resolves to request and response. */
async function tryOut(page, operationId, ids) {
  const section = page.locator(`[id^=operations-][id$=-${operationId}]`);
  await section.locator(".opblock-summary").click();
  await section.getByRole("button", { name: "Try it out" }).click();
  for (const [name, id] of Object.entries(ids)) {
    const field = section.locator(`tr[data-param-name="${name}"][data-param-in="path"] input`);
    if ((await field.count()) > 0) await field.fill(id);
  }
  const shown = section.locator("textarea.body-param__text");
  const body = (await shown.count()) === 0 ? undefined : toValue(await shown.inputValue());
  await section.getByRole("button", { name: "Execute" }).click();
  const answer = section.locator(".live-responses-table .response").filter({ hasText: /\d{3}/ }).first();
  await answer.waitFor();
  const text = (await answer.textContent()) ?? "";
  return { section, body, status: text.trim(), text };
}

function toValue(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An item of every kind, by the name that paths use for its id, with texts that the examples search for. */
async function makeThings() {
  const { id } = await send("/v1/conversations", {});
  const { example } = document.components.schemas.AppendMessagesBody;
  const { message_ids } = await send(`/v1/conversations/${id}/messages`, example);
  const made = await send("/v1/keys", { name: "docs page", scopes: ["read"] });
  const member = await send("/v1/members", { name: "docs page", role: "reader" });
  const memory = await send("/v1/memories", { content: `Captured at ${performance.now()}.` });
  const operation = await send("/v1/index/repair", {});
  // An organization may have only a few webhooks.
  const { items } = await send("/v1/webhooks", undefined, "GET");
  for (const { id: old } of items) await send(`/v1/webhooks/${old}`, undefined, "DELETE");
  const webhook = await send("/v1/webhooks", { url: "https://hooks.example.com/engram", after: 0 });
  return {
    ...{ conversation_id: id, message_id: message_ids[0], key_id: made.id, member_id: member.id },
    ...{ memory_id: memory.id, webhook_id: webhook.id },
    delivery_id: await deliveryId(webhook.id),
    user_id: "user_4711",
    entity_id: await entityId(),
    tombstone_id: await tombstoneId(),
    hold_id: (await send("/v1/holds", { reason: "docs page", filter: { user_id: "nobody" } })).id,
    rule_id: await ruleId(),
    archive_id: await archiveId(),
    grant_id: await grantId(),
    evaluation_id: (
      await send("/v1/evaluations", { request: { query: "refund" }, expected: [message_ids[0]] })
    ).id,
    recall_id: (await send("/v1/search", { query: "refund", record: true })).recall_id,
    ...{ operation_id: operation.id, organization_id: operation.target_id },
  };
}

/** A grant, which a person gives to a client on a page. */
async function grantId() {
  const redirect_uri = "http://127.0.0.1/callback";
  const client = {
    redirect_uris: [redirect_uri],
    client_name: "Docs page",
    token_endpoint_auth_method: "none",
  };
  const { client_id } = await send("/register", client);
  const request = `${url}/authorize?${new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri },
    ...{ code_challenge: "c".repeat(43), code_challenge_method: "S256" },
  })}`;
  const page = await fetch(request);
  const handle = /name="handle" value="([^"]+)"/.exec(await page.text())?.[1];
  await fetch(request, {
    method: "POST",
    headers: { cookie: page.headers.getSetCookie().join("; ") },
    body: new URLSearchParams({ handle, decision: "allow", scope: "read", key }),
    redirect: "manual",
  });
  const { items } = await send("/v1/grants", undefined, "GET");
  return items[0].id;
}

/** An archive that is complete. */
async function archiveId() {
  const { target_id } = await send("/v1/archives", {});
  for (;;) {
    const { completed_at } = await send(`/v1/archives/${target_id}`, undefined, "GET");
    if (completed_at !== null) return target_id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The tombstone of a memory. */
async function tombstoneId() {
  const { id } = await send("/v1/memories", { content: `Forgotten at ${performance.now()}.` });
  await send(`/v1/memories/${id}?forget=true`, undefined, "DELETE");
  const { items } = await send("/v1/tombstones", undefined, "GET");
  return items[0].id;
}

/** A rule of retention, of which an organization may have only a few. */
async function ruleId() {
  const { items } = await send("/v1/retention", undefined, "GET");
  for (const { id: old } of items) await send(`/v1/retention/${old}`, undefined, "DELETE");
  return (await send("/v1/retention", { name: "docs page", kind: "usage", older_than_days: 36_000 })).id;
}

/** The delivery of a webhook whose host has no address, once an attempt has failed. */
async function deliveryId(webhookId) {
  for (;;) {
    const { items } = await send(`/v1/webhooks/${webhookId}/deliveries`, undefined, "GET");
    if (items.length > 0) return items[0].id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** An entity in a new conversation. */
async function entityId() {
  const { items } = await send("/v1/entities?kind=email", undefined, "GET");
  if (items.length > 0) return items[0].id;
  const { id } = await send("/v1/conversations", {});
  await send(`/v1/conversations/${id}/messages`, {
    messages: [{ role: "user", content: "Mail ann@host.example" }],
    wait: "indexed",
  });
  return entityId();
}

async function send(path, body, method = "POST") {
  const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
  const answer = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}
