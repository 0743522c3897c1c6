import * as contracts from "@engram/spec";
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { openIsolate } from "../../src/isolate.ts";
import type { PublishedKeys } from "../../src/platform/access.ts";
import { openBrowser, type Page, refusalIn, targetOf } from "../support/browser.ts";
import { createOrganization } from "../support/client.ts";
import { bearer, openDoors, ROOT, type Tokens } from "../support/oauth.ts";
import { promptRuntime } from "../support/runtime.ts";

const TEAM = "https://team.cloudflareaccess.com";
const AUDIENCE = "a".repeat(64);
const { privateKey, publicKey } = await generateKeyPair("RS256");
const isolate = openIsolate(promptRuntime);
const jwk = { ...(await exportJWK(publicKey)), kid: "key-1", alg: "RS256" };
isolate.caches.publishedKeys.set(TEAM, createLocalJWKSet({ keys: [jwk] }) as PublishedKeys);
const bindings = { ACCESS_ISSUER: TEAM, ACCESS_AUDIENCE: AUDIENCE };
const doors = openDoors(bindings, { isolate });
const clientId = await doors.register();
const path = await doors.authorizePath(clientId);

let people = 0;
const newEmail = () => `access-${++people}@example.com`;

/** The header that Access adds to the requests of a person. */
async function asserted(email: string, claims: Record<string, unknown> = {}, key = privateKey) {
  const assertion = await new SignJWT({
    type: "app",
    email,
    sub: `sub-${email}`,
    iss: TEAM,
    aud: [AUDIENCE],
    ...claims,
  })
    .setProtectedHeader({ alg: "RS256", kid: "key-1" })
    .setIssuedAt()
    .setExpirationTime((claims.exp as number | undefined) ?? Math.floor(Date.now() / 1_000) + 60)
    .sign(key);
  return { "cf-access-jwt-assertion": assertion };
}

/** The page of consent as such a person gets it, and the browser with which they do. */
async function visit(headers: Record<string, string>, at = doors) {
  const send: typeof at.send = (url, init = {}) =>
    at.send(url, { ...init, headers: [...new Headers(init.headers), ...Object.entries(headers)] });
  const browser = openBrowser({ send }, ROOT);
  return { browser, page: await browser.open(path) };
}

const signedInAs = ({ html }: Page) =>
  /Signed in as <strong><bdi class="text">([^<]*)<\/bdi>/.exec(html)?.[1];
const addMember = async (email: string, name = "Maria") => {
  const owner = await createOrganization();
  await owner.call(contracts.createMember, { body: { name, role: "writer", email } });
  return owner;
};

describe("behind Cloudflare Access", () => {
  test("a member is signed in by their email address, allows a client something, and stays the same member", async () => {
    const email = newEmail();
    const owner = await addMember(email.toUpperCase());
    const { browser, page } = await visit(await asserted(email));
    expect(signedInAs(page)).toBe("Maria");
    const allowed = await browser.press(page, "allow");
    const code = new URL(targetOf(allowed)).searchParams.get("code") ?? "";
    const { access_token } = (await (await doors.exchange(code, clientId)).json()) as Tokens;
    expect((await doors.send("/v1/conversations", { headers: bearer(access_token) })).status).toBe(200);
    expect((await owner.call(contracts.listMembers)).items).toMatchObject([
      { email, issuer: TEAM, subject: `sub-${email}` },
    ]);
    const renamed = await visit(await asserted(newEmail(), { sub: `sub-${email}` }));
    expect(signedInAs(renamed.page)).toBe("Maria");
  });

  test("a member of several organizations chooses one", async () => {
    const email = newEmail();
    await addMember(email, "In the first");
    const second = await addMember(email, "In the second");
    const { browser, page } = await visit(await asserted(email));
    const chosen = await browser.press(page, "", { organization: second.organizationId });
    expect(targetOf(chosen)).toBe(ROOT + path);
    expect(signedInAs(await browser.open(path))).toBe("In the second");
  });

  test("who is no member is told so, and can use a key", async () => {
    const email = newEmail();
    const owner = await createOrganization();
    const { browser, page } = await visit(await asserted(email));
    expect(page.response.status).toBe(200);
    expect(refusalIn(page)).toBe(
      `${email} is not a member. Use a key, or ask an admin to add a member with this email address.`,
    );
    expect((await browser.press(page, "allow", { key: owner.secret })).response.status).toBe(302);
  });

  test("the next person at a browser is not signed in as the one before", async () => {
    const [first, next, stranger] = [newEmail(), newEmail(), newEmail()];
    await addMember(first, "First");
    await addMember(next, "Next");
    let headers: Record<string, string> = {};
    const send: typeof doors.send = (url, init = {}) =>
      doors.send(url, { ...init, headers: [...new Headers(init.headers), ...Object.entries(headers)] });
    const browser = openBrowser({ send }, ROOT);
    for (const [email, name] of [
      [first, "First"],
      [next, "Next"],
      [stranger, undefined],
    ] as const) {
      headers = await asserted(email);
      expect(signedInAs(await browser.open(path))).toBe(name);
      expect(signedInAs(await browser.open(path))).toBe(name);
    }
    headers = {};
    expect(signedInAs(await browser.open(path))).toBeUndefined();
  });

  test("a member can use a key instead", async () => {
    const email = newEmail();
    await addMember(email);
    const owner = await createOrganization();
    const { browser, page } = await visit(await asserted(email));
    const out = await browser.press(page, "sign-out");
    expect(out.html).toContain('name="key"');
    expect((await browser.press(out, "allow", { key: owner.secret })).response.status).toBe(302);
    expect((await owner.call(contracts.listGrants)).items).toHaveLength(1);
  });
});

describe("nobody is signed in by an assertion of Cloudflare Access", () => {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  test.each<[string, Record<string, unknown>]>([
    ["for another application", { aud: ["b".repeat(64)] }],
    ["of another team", { iss: "https://other.cloudflareaccess.com" }],
    ["that has expired", { exp: nowSeconds - 1 }],
    ["of a service token", { common_name: "writer.access", sub: "" }],
    ["of a service token that has an email address", { common_name: "writer.access" }],
    ["without a subject", { sub: "" }],
    ["that is not for an application", { type: "org" }],
  ])("%s", async (_, claims) => {
    const email = newEmail();
    await addMember(email);
    const { page } = await visit(await asserted(email, claims));
    expect(page.response.status).toBe(200);
    expect(signedInAs(page)).toBeUndefined();
    expect(page.html).toContain('name="key"');
  });

  test("that another key has signed", async () => {
    const email = newEmail();
    await addMember(email);
    const other = await generateKeyPair("RS256");
    const { page } = await visit(await asserted(email, {}, other.privateKey));
    expect(signedInAs(page)).toBeUndefined();
  });

  test("where the deployment does not use Access", async () => {
    const email = newEmail();
    await addMember(email);
    const { page } = await visit(await asserted(email), openDoors());
    expect(signedInAs(page)).toBeUndefined();
  });

  test("in another header, or in a cookie", async () => {
    const email = newEmail();
    await addMember(email);
    const assertion = (await asserted(email))["cf-access-jwt-assertion"];
    for (const headers of [
      { "x-jwt-assertion": assertion },
      { cookie: `CF_Authorization=${assertion}` },
      { "cf-access-authenticated-user-email": email },
    ] as Record<string, string>[])
      expect(signedInAs((await visit(headers)).page)).toBeUndefined();
  });
});

test("signing keys of Cloudflare Access that cannot be fetched lead to a page that says so, and a status of 503", async () => {
  const down = openIsolate(promptRuntime);
  const fails = async () => {
    throw new Error("no network");
  };
  down.caches.publishedKeys.set(TEAM, fails as unknown as PublishedKeys);
  const { page } = await visit(await asserted(newEmail()), openDoors(bindings, { isolate: down }));
  expect(page.response.status).toBe(503);
  expect(refusalIn(page)).toContain("The identity provider does not respond");
});
