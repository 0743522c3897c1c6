// Opens the docs page in headless Chromium, authorizes, presses "Try it out" of every operation and looks at the answers:
//   node docs-page.mjs URL KEY ADMIN_TOKEN SCREENSHOT   (playwright-core in the working directory's node_modules)
import assert from "node:assert/strict";
import { launchChromium } from "./chromium.mjs";

const [url, key, adminToken, screenshot] = process.argv.slice(2);
/** What only the owner of the deployment may do; the last takes the key along with everything. */
const OWNERS = ["createOrganization", "deleteOrganization"];
/** The operation is complete before it can be canceled. */
const TOO_LATE = { cancelOperation: "409" };

const { paths, components } = await (await fetch(`${url}/openapi.json`)).json();
const operationIds = Object.values(paths).flatMap((path) =>
  Object.values(path).flatMap(({ operationId }) => operationId ?? []),
);
const browser = await launchChromium();
try {
  const page = await openPage();
  await authorize(page, "apiKey", key);
  for (const operationId of operationIds.filter((each) => !OWNERS.includes(each))) {
    const { operation, status } = await tryOut(page, operationId, await makeThings());
    assert.match(status, new RegExp(`^(2|${TOO_LATE[operationId] ?? "2"})`), operationId);
    if (operationId === "search") {
      await operation.evaluate((element) => element.scrollIntoView());
      await page.screenshot({ path: screenshot });
    }
    await operation.locator(".opblock-summary").click();
  }
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  assert.ok(!kept.includes(key), "the key is not kept");
  await page.checkRules();

  const ownersPage = await openPage();
  await authorize(ownersPage, "adminToken", adminToken);
  const created = await tryOut(ownersPage, "createOrganization", {});
  assert.match(created.status, /^201/);
  const ids = { organization_id: /org_[a-z0-9]+/.exec(created.text)?.[0] ?? "" };
  assert.match((await tryOut(ownersPage, "deleteOrganization", ids)).status, /^202/);
  await ownersPage.checkRules();
  console.log(`Every example of the docs page works: ${operationIds.length}; see ${screenshot}`);
} finally {
  await browser.close();
}

async function openPage() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1500 } });
  const foreign = [];
  const complaints = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) foreign.push(request.url());
  });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${url}/docs`);
  page.checkRules = () => {
    assert.deepEqual(foreign, [], "nothing is fetched from elsewhere");
    const own = complaints.filter((text) => !text.includes("a status of 409"));
    assert.deepEqual(own, [], "the page breaks no rule of its own");
  };
  return page;
}

async function authorize(page, scheme, secret) {
  await page.getByRole("button", { name: "Authorize" }).first().click();
  const dialog = page.locator(".auth-container").filter({ hasText: scheme });
  await dialog.locator("input").fill(secret);
  await dialog
    .getByRole("button", { name: "Apply credentials" })
    .or(dialog.locator("button.authorize"))
    .first()
    .click();
  await page.locator("button.btn-done").first().click();
}

/** Open an operation, put ids that exist into its path, send all else as it stands, and resolve to what came back. */
async function tryOut(page, operationId, ids) {
  const operation = page.locator(`[id^=operations-][id$=-${operationId}]`);
  await operation.locator(".opblock-summary").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  for (const [name, id] of Object.entries(ids)) {
    const field = operation.locator(`tr[data-param-name="${name}"][data-param-in="path"] input`);
    if ((await field.count()) > 0) await field.fill(id);
  }
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table .response").filter({ hasText: /\d{3}/ }).first();
  await answer.waitFor();
  const text = (await answer.textContent()) ?? "";
  return { operation, status: text.trim(), text };
}

/** Something of every kind, by the name that paths call its id; what it says is said in the examples, too. */
async function makeThings() {
  const { id } = await send("/v1/conversations", {});
  const { example } = components.schemas.AppendMessagesBody;
  const { message_ids } = await send(`/v1/conversations/${id}/messages`, example);
  const made = await send("/v1/keys", { name: "docs page", scopes: ["read"] });
  const memory = await send("/v1/memories", { content: `Captured at ${performance.now()}.` });
  const operation = await send("/v1/index/repair", {});
  return {
    ...{ conversation_id: id, message_id: message_ids[0], key_id: made.id },
    memory_id: memory.id,
    ...{ operation_id: operation.id, organization_id: operation.target_id },
  };
}

async function send(path, body) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}
