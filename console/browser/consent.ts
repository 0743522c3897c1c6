import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { HOSTILE } from "./hostile.ts";
import type { Site } from "./pages.ts";

const CALLBACK = "http://127.0.0.1/callback";
const VERIFIER = "v".repeat(43);

/** The page at which a person allows access to an OAuth client, from its request to its token. */
export async function walkConsent({ open, url }: Site, key: string): Promise<void> {
  const client_id = await register(url, "Claude Code (engram)");
  const page = await open();
  let sentTo = "";
  await page.route(`${CALLBACK}?**`, async (route) => {
    sentTo = route.request().url();
    // Not the client, whose page would be of another origin.
    await route.fulfill({ status: 204 });
  });
  await page.goto(requestOf(url, client_id));
  await page.getByRole("heading", { name: "Allow access to Engram?" }).waitFor();
  await page.check("consent");
  await page.getByLabel("Key or sign-in link").fill("engram_sk_live_wrong");
  await page.press("Allow");
  await page.getByRole("alert").getByText("no active key").waitFor();
  await page.getByText("Only the data of one agent or one user").click();
  await page.getByLabel("User").fill("maria");
  await page.check("consent-refused");
  await page.getByLabel("Key or sign-in link").fill(key);
  await page.getByLabel("Store new ones").check();
  await page.press("Allow");
  const deadline = Date.now() + 60_000;
  while (sentTo === "" && Date.now() < deadline) await page.waitForTimeout(20);
  const code = new URL(sentTo).searchParams.get("code") ?? "";
  const answer = await fetch(`${url}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      ...{ code, client_id, redirect_uri: CALLBACK, code_verifier: VERIFIER },
    }),
  });
  assert.equal(((await answer.json()) as { scope: string }).scope, "read write search");
  await page.close();
  const signedIn = await open();
  await signedIn.signIn(key);
  await signedIn.visit("grants");
  const row = signedIn.locator("tbody tr").filter({ hasText: "Claude Code (engram)" });
  await row.getByText("read, search, write").or(row.getByText("read, write, search")).first().waitFor();
  await signedIn.check("grants-one");
  await row.getByRole("button", { name: "Disconnect" }).click();
  await signedIn.getByRole("dialog").getByRole("button", { name: "Disconnect client" }).click();
  await row.waitFor({ state: "detached" });
  await signedIn.close();
  const hostile = await open();
  for (const text of HOSTILE.slice(0, 40)) {
    await hostile.goto(requestOf(url, await register(url, text)));
    await hostile.getByRole("heading", { name: "Allow access to Engram?" }).waitFor();
    await hostile.checkRules(`consent for ${text}`);
  }
  await hostile.check("consent-hostile");
  await hostile.goto(requestOf(url, "unknown"));
  await hostile.getByRole("alert").waitFor();
  await hostile.check("consent-impossible");
  await hostile.close();
}

async function register(url: string, client_name: string): Promise<string> {
  const body = { client_name, redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" };
  const answer = await fetch(`${url}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { client_id: string }).client_id;
}

const requestOf = (url: string, client_id: string): string =>
  `${url}/authorize?${new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri: CALLBACK, state: "s", scope: "read search" },
    ...{ resource: `${url}/mcp`, code_challenge_method: "S256" },
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  })}`;
