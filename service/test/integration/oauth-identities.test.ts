import * as contracts from "@engram/spec";
import { beforeEach, describe, expect, test } from "vitest";
import { type Browser, openBrowser, type Page, refusalIn, targetOf } from "../support/browser.ts";
import { createOrganization } from "../support/client.ts";
import { selectRows } from "../support/invocations.ts";
import { bearer, openDoors, ROOT, type Tokens } from "../support/oauth.ts";
import { MARIA, openIssuer, type Person } from "../support/openid.ts";

const issuer = await openIssuer();
let subjects = 0;
/** A person whom no other test knows. */
const newPerson = (claims: Record<string, unknown> = {}): Person => {
  const sub = `person-${++subjects}`;
  return { ...MARIA, sub, email: `${sub}@example.com`, ...claims };
};
beforeEach(() => {
  issuer.faults = {};
  issuer.userinfo = {};
  issuer.person = newPerson();
});

const doorsWith = (config: Record<string, unknown> = {}) =>
  openDoors({ OIDC: JSON.stringify({ ...issuer.config, ...config }), IDENTITY_PROVIDER: issuer as never });
const doors = doorsWith();
const clientId = await doors.register();

/** A new browser at the page of consent. */
async function visit(at = doors, parameters: Record<string, string | null> = {}) {
  const browser = openBrowser(at, ROOT);
  const path = await at.authorizePath(clientId, parameters);
  return { browser, path, page: await browser.open(path) };
}

/** Presses the button, is sent to the provider, and back. */
async function signIn(browser: Browser, page: Page, decision = "provider"): Promise<Page> {
  const leaving = await browser.press(page, decision);
  return browser.open(issuer.authorize(targetOf(leaving)).href);
}

/** The page of consent of a person who has signed in. */
async function arrive(at = doors) {
  const { browser, path, page } = await visit(at);
  const back = await signIn(browser, page);
  return {
    browser,
    path,
    back,
    page: back.response.status === 303 ? await browser.open(targetOf(back)) : back,
  };
}

const signedInAs = ({ html }: Page) =>
  /Signed in as <strong><bdi class="text">([^<]*)<\/bdi><\/strong>, (\w+) of/.exec(html)?.slice(1, 3);

const addMember = async (
  owner: Awaited<ReturnType<typeof createOrganization>>,
  member: { email?: string | null; role?: "owner" | "admin" | "writer" | "reader"; name?: string } = {},
) =>
  owner.call(contracts.createMember, {
    body: { name: "Maria", role: "writer", email: issuer.person.email, ...member },
  });

async function tokensOf({ browser, page }: { browser: Browser; page: Page }): Promise<Tokens> {
  const allowed = await browser.press(page, "allow");
  const code = new URL(targetOf(allowed)).searchParams.get("code") ?? "";
  return (await (await doors.exchange(code, clientId)).json()) as Tokens;
}

describe("a member signs in with the identity provider", () => {
  test("from the button to the data, on the request for authorization that the client has sent", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner);
    const { browser, path, page } = await visit(doors, { state: "a b&c=d/ü+%" });
    expect(page.html).toContain('Sign in with <bdi class="text">Example</bdi>');
    const back = await signIn(browser, page);
    expect(back.response.status).toBe(303);
    expect(targetOf(back)).toBe(ROOT + path);
    const again = await browser.open(targetOf(back));
    expect(signedInAs(again)).toEqual(["Maria", "writer"]);
    expect(again.html).not.toContain('name="key"');
    const { access_token } = await tokensOf({ browser, page: again });
    const me = await (await doors.send("/v1/me", { headers: bearer(access_token) })).json();
    expect(me).toMatchObject({ key_id: id, member: { issuer: issuer.issuer, subject: issuer.person.sub } });
  });

  test("once for each thing that they allow", async () => {
    await addMember(await createOrganization());
    const { browser, page, path } = await arrive();
    const handles = [page, await browser.open(path)];
    const statuses: number[] = [];
    for (const one of handles) statuses.push((await browser.press(one, "allow")).response.status);
    expect(statuses).toEqual([302, 400]);
    expect(signedInAs(await browser.open(path))).toBeUndefined();
  });

  test("in one browser, and not in another that has the form", async () => {
    await addMember(await createOrganization());
    const { page } = await arrive();
    const other = openBrowser(doors, ROOT);
    const { response } = await other.press(page, "allow");
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  test("by their email address the first time, and by their account after that", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner);
    await arrive();
    issuer.person = { ...issuer.person, email: "other@example.com" };
    const { page } = await arrive();
    expect(signedInAs(page)).toEqual(["Maria", "writer"]);
    const { items } = await owner.call(contracts.listAuditEvents, { query: { action: "member.updated" } });
    expect(items).toMatchObject([{ target_id: id, key_id: id }]);
  });

  test("and can use another account, for which the provider asks", async () => {
    await addMember(await createOrganization(), { name: "Maria" });
    const { browser, page, path } = await arrive();
    const out = await browser.press(page, "sign-out");
    for (const one of [out, await browser.open(path)]) expect(signedInAs(one)).toBeUndefined();
    const leaving = await browser.press(out, "provider-other");
    expect(new URL(targetOf(leaving)).searchParams.get("prompt")).toBe("login");
    issuer.person = newPerson();
    await addMember(await createOrganization(), { name: "Omar" });
    const back = await browser.open(issuer.authorize(targetOf(leaving)).href);
    expect(signedInAs(await browser.open(targetOf(back)))).toEqual(["Omar", "writer"]);
  });

  test("chooses one of several organizations", async () => {
    const [first, second] = [await createOrganization("First & <b>"), await createOrganization("Second")];
    await addMember(first, { role: "reader", name: "In first" });
    await addMember(second, { role: "admin", name: "In second" });
    const { browser, page, path } = await arrive();
    expect(page.html).toContain("First &amp; &lt;b&gt;");
    expect(
      [...page.html.matchAll(/type="radio" name="organization" value="(\w+)"/g)].map(([, id]) => id).sort(),
    ).toEqual([first.organizationId, second.organizationId].sort());
    const chosen = await browser.press(page, "", { organization: second.organizationId });
    expect(targetOf(chosen)).toBe(ROOT + path);
    expect(signedInAs(await browser.open(path))).toEqual(["In second", "admin"]);
    const again = await browser.press(page, "", { organization: first.organizationId });
    expect(again.response.status).toBe(400);
  });

  test("and cannot choose an organization of others", async () => {
    await addMember(await createOrganization());
    await addMember(await createOrganization());
    const stranger = await createOrganization();
    const { browser, page } = await arrive();
    const { response } = await browser.press(page, "", { organization: stranger.organizationId });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  test("cannot allow more than their role", async () => {
    await addMember(await createOrganization(), { role: "reader" });
    const { browser, page } = await arrive();
    const { response, html } = await browser.press(page, "allow", { scope: "write" });
    expect(response.status).toBe(400);
    expect(html).toContain("does not have: write");
  });

  test("and what they allowed ends when they are removed, as does their sign-in", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner);
    const { access_token } = await tokensOf(await arrive());
    const waiting = await arrive();
    const list = () => doors.send("/v1/conversations", { headers: bearer(access_token) });
    expect((await list()).status).toBe(200);
    await owner.call(contracts.deleteMember, { params: { member_id: id } });
    expect((await list()).status).toBe(401);
    expect((await waiting.browser.press(waiting.page, "allow")).response.status).toBe(400);
    expect((await arrive()).page.response.status).toBe(403);
  });

  test("shows markup in their name as text", async () => {
    await addMember(await createOrganization(), { name: "</bdi><script>alert(1)</script>" });
    const { page } = await arrive();
    expect(page.html).not.toContain("<script");
    expect(page.html).toContain("&lt;script&gt;");
  });
});

describe("an account that is no member", () => {
  test("gets a page that leads to another account, for which the provider asks", async () => {
    const { browser, page } = await arrive();
    expect(page.html).toContain('value="provider-other"');
    const leaving = await browser.press(page, "provider-other");
    expect(new URL(targetOf(leaving)).searchParams.get("prompt")).toBe("login");
    issuer.person = newPerson();
    await addMember(await createOrganization());
    const back = await browser.open(issuer.authorize(targetOf(leaving)).href);
    expect(signedInAs(await browser.open(targetOf(back)))).toEqual(["Maria", "writer"]);
  });

  test("gets a page that names it and says what to do, with a way back", async () => {
    issuer.person = newPerson({ email: "o'malley@example.com", name: "<b>" });
    const { page, path } = await arrive();
    expect(page.response.status).toBe(403);
    expect(refusalIn(page)).toBe(
      "o&#39;malley@example.com is not a member of an organization here. Ask an admin to add a member with this email address, and sign in again. Or use a key.",
    );
    expect(page.html).toContain(`href="${(ROOT + path).replaceAll("&", "&amp;")}"`);
  });

  test("is not taken for the member whose email address it has, unless the address is verified", async () => {
    await addMember(await createOrganization());
    issuer.person = { ...issuer.person, email_verified: false, name: "<i>Eve</i>" };
    const { page } = await arrive();
    expect(refusalIn(page)).toContain("&lt;i&gt;Eve&lt;/i&gt; is not a member");
    expect(refusalIn(page)).toContain("Its email address is not verified");
  });

  test("is not taken for a member as whom another account has signed in", async () => {
    await addMember(await createOrganization());
    await arrive();
    issuer.person = { ...issuer.person, sub: `${issuer.person.sub}-other` };
    expect((await arrive()).page.response.status).toBe(403);
  });

  test("is not taken for a removed member, whose email address a new one can have", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner);
    await arrive();
    await owner.call(contracts.deleteMember, { params: { member_id: id } });
    expect((await arrive()).page.response.status).toBe(403);
    await addMember(owner, { name: "Again" });
    expect(signedInAs((await arrive()).page)).toEqual(["Again", "writer"]);
  });
});

describe("where claims give an organization and a role", () => {
  const groups = { claim: "groups", values: { ops: "admin", staff: "writer" } };
  const mapping = async (role: unknown = groups) => {
    const owner = await createOrganization();
    return { owner, at: doorsWith({ organization: owner.organizationId, role }) };
  };

  test("a person becomes a member, with an audit event, and their role is updated at each sign-in", async () => {
    const { owner, at } = await mapping();
    issuer.person = newPerson({ groups: ["staff"], name: "Maria\u0000 \u202Eissor\u0007" });
    expect(signedInAs((await arrive(at)).page)).toEqual(["Maria issor", "writer"]);
    issuer.person = { ...issuer.person, groups: ["ops", "staff"] };
    expect(signedInAs((await arrive(at)).page)).toEqual(["Maria issor", "admin"]);
    const { items: members } = await owner.call(contracts.listMembers);
    expect(members).toMatchObject([
      { email: issuer.person.email, subject: issuer.person.sub, role: "admin" },
    ]);
    const { items } = await owner.call(contracts.listAuditEvents);
    const id = members[0]?.id;
    expect(items.filter(({ target_id }) => target_id === id).map(({ action }) => action)).toEqual([
      "member.updated",
      "member.created",
    ]);
  });

  test("a role that is updated counts for what the person has allowed before", async () => {
    const { at } = await mapping();
    issuer.person = newPerson({ groups: ["staff"] });
    const { browser, page } = await arrive(at);
    const allowed = await browser.press(page, "allow", { scope: "write" });
    const code = new URL(targetOf(allowed)).searchParams.get("code") ?? "";
    const { access_token } = (await (await at.exchange(code, clientId)).json()) as Tokens;
    const create = () =>
      at.send("/v1/conversations", {
        method: "POST",
        headers: { ...bearer(access_token), "content-type": "application/json" },
        body: "{}",
      });
    expect((await create()).status).toBe(201);
    issuer.person = { ...issuer.person, groups: ["ops"] };
    await arrive(at);
    expect((await create()).status).toBe(201);
  });

  test("nobody gets in without a role, and nobody whose claims end it", async () => {
    const { owner, at } = await mapping();
    for (const claims of [{}, { groups: ["others"] }, { groups: { ops: true } }]) {
      issuer.person = newPerson(claims);
      expect(refusalIn((await arrive(at)).page)).toContain("It has no role here");
    }
    expect((await owner.call(contracts.listMembers)).items).toEqual([]);
    issuer.person = newPerson({ groups: ["staff"] });
    await arrive(at);
    issuer.person = { ...issuer.person, groups: [] };
    expect((await arrive(at)).page.response.status).toBe(403);
  });

  test("who was removed does not come back, nor who has their email address", async () => {
    const { owner, at } = await mapping({ ...groups, default: "reader" });
    await arrive(at);
    const { items } = await owner.call(contracts.listMembers);
    await owner.call(contracts.deleteMember, { params: { member_id: items[0]?.id ?? "" } });
    const { email, sub } = issuer.person;
    for (const claims of [
      {},
      { email: `other-${email}` },
      { email_verified: false },
      { sub: `${sub}-other` },
    ]) {
      issuer.person = { ...issuer.person, email, sub, email_verified: true, ...claims };
      expect((await arrive(at)).page.response.status).toBe(403);
    }
    issuer.person = { ...issuer.person, sub: `${issuer.person.sub}-third`, email_verified: false };
    expect(signedInAs((await arrive(at)).page)?.[1]).toBe("reader");
    expect((await owner.call(contracts.listMembers)).items).toHaveLength(2);
  });

  test("a member of another organization keeps their role there", async () => {
    const { owner, at } = await mapping();
    const elsewhere = await createOrganization();
    await addMember(elsewhere, { role: "owner" });
    issuer.person = { ...issuer.person, groups: ["staff"] };
    const { browser, page } = await arrive(at);
    const chosen = await browser.press(page, "", { organization: elsewhere.organizationId });
    expect(signedInAs(await browser.open(targetOf(chosen)))?.[1]).toBe("owner");
    expect((await owner.call(contracts.listMembers)).items).toMatchObject([{ role: "writer" }]);
  });

  test("an owner gets another role, unless no owner would be left", async () => {
    const { owner, at } = await mapping();
    await addMember(owner, { role: "owner" });
    issuer.person = { ...issuer.person, groups: ["ops"] };
    expect(signedInAs((await arrive(at)).page)?.[1]).toBe("owner");
    await addMember(owner, { role: "owner", email: null });
    expect(signedInAs((await arrive(at)).page)?.[1]).toBe("admin");
  });

  test("a member who is bound to a user does not come to manage the organization", async () => {
    const { owner, at } = await mapping();
    const body = { name: "Bound", role: "reader", email: issuer.person.email, user_id: "maria" } as const;
    await owner.call(contracts.createMember, { body });
    issuer.person = { ...issuer.person, groups: ["ops"] };
    expect(signedInAs((await arrive(at)).page)).toEqual(["Bound", "reader"]);
  });

  test("of an organization that there is not, nobody becomes a member", async () => {
    const at = doorsWith({ organization: "org_0000", role: { ...groups, default: "reader" } });
    expect((await arrive(at)).page.response.status).toBe(403);
    const rows = await selectRows("SELECT id FROM api_keys WHERE organization_id = 'org_0000'");
    expect(rows).toEqual([]);
  });
});

describe("a return from the provider is refused", () => {
  const returned = async () => {
    await addMember(await createOrganization());
    const { browser, page, path } = await visit();
    const leaving = await browser.press(page, "provider");
    return { browser, path, url: issuer.authorize(targetOf(leaving)) };
  };
  const UNKNOWN = /not started in this browser, was already used, or is older than ten minutes/;

  test("in another browser, which has its own sign-in, and without cookies", async () => {
    const { browser, url } = await returned();
    const other = openBrowser(doors, ROOT);
    expect(refusalIn(await other.open(url.href))).toMatch(UNKNOWN);
    for (const name of browser.cookies.keys()) other.cookies.set(name, "guessed");
    expect(refusalIn(await other.open(url.href))).toMatch(UNKNOWN);
    // It took nothing from the browser that started it.
    expect((await browser.open(url.href)).response.status).toBe(303);
  });

  test("a second time, and for all but one at once", async () => {
    const { browser, url } = await returned();
    const cookies = [...browser.cookies];
    const pages = await Promise.all(
      [1, 2, 3].map(() => {
        const same = openBrowser(doors, ROOT);
        for (const [name, value] of cookies) same.cookies.set(name, value);
        return same.open(url.href);
      }),
    );
    expect(pages.map(({ response }) => response.status).sort()).toEqual([303, 400, 400]);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(refusalIn(await browser.open(url.href))).toMatch(UNKNOWN);
  });

  test("without a state, with two, and with one of nobody", async () => {
    const { browser, url } = await returned();
    for (const change of [
      (query: URLSearchParams) => query.delete("state"),
      (query: URLSearchParams) => query.append("state", query.get("state") ?? ""),
      (query: URLSearchParams) => query.set("state", "x".repeat(32)),
    ]) {
      const changed = new URL(url);
      change(changed.searchParams);
      expect(refusalIn(await browser.open(changed.href))).toMatch(UNKNOWN);
    }
  });

  test("of another provider, and with a refusal, which the page shows", async () => {
    for (const [parameters, reason] of [
      [{ iss: "https://evil.example.com" }, "What Example says about you is not valid."],
      [{ code: null, error: "access_denied" }, "Example did not sign you in: access was denied."],
      [{ code: null, error: "<script>alert(1)</script>" }, /^Example did not sign you in: &lt;script/],
    ] as const) {
      issuer.faults = { parameters };
      const { browser, url, path } = await returned();
      const page = await browser.open(url.href);
      expect(page.response.status).toBe(400);
      expect(refusalIn(page)).toEqual(typeof reason === "string" ? reason : expect.stringMatching(reason));
      expect(page.html).toContain(`href="${(ROOT + path).replaceAll("&", "&amp;")}"`);
      expect(signedInAs(await browser.open(path))).toBeUndefined();
    }
  });

  test("to anywhere but the request that began it", async () => {
    const { browser, url, path } = await returned();
    url.searchParams.set("redirect_uri", "https://evil.example.com");
    url.searchParams.set("path", "//evil.example.com");
    const headers = { "x-forwarded-host": "evil.example.com", "x-forwarded-proto": "https" };
    expect(targetOf(await browser.open(url.href, { headers }))).toBe(ROOT + path);
  });

  test("at another address of the service than it was started at", async () => {
    const { browser, url } = await returned();
    const elsewhere = openDoors(
      { OIDC: JSON.stringify(issuer.config), IDENTITY_PROVIDER: issuer as never },
      { root: "https://other.test" },
    );
    const same = openBrowser(elsewhere, "https://other.test");
    for (const [name, value] of browser.cookies) same.cookies.set(name, value);
    expect(refusalIn(await same.open(url.pathname + url.search))).toMatch(UNKNOWN);
  });
});

describe("the way to the provider", () => {
  test("begins with a page that goes on without script, and that no policy of a form restricts", async () => {
    const { browser, page } = await visit();
    const leaving = await browser.press(page, "provider");
    expect(leaving.response.status).toBe(200);
    expect(leaving.response.headers.get("refresh")).toMatch(/^0;url=https:\/\/id\.example\.com\/authorize\?/);
    expect(leaving.html).not.toContain("<script");
    expect(leaving.html).toContain('<a class="button primary" href="https://id.example.com/authorize?');
    const cookies = leaving.response.headers.getSetCookie().join("\n");
    expect(cookies).toMatch(
      /^__Host-engram-sign-in-[0-9a-f]{16}=\w{32}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/m,
    );
  });

  test("names the redirect below the URL of the proxy that is listed, whatever else a request says", async () => {
    const redirectOf = async (at: ReturnType<typeof openDoors>, headers = {}) => {
      const id = await at.register();
      const answer = await at.post(await at.authorizePath(id), { decision: "provider" }, headers);
      const url = /url=(.+)$/.exec(answer.headers.get("refresh") ?? "")?.[1] ?? "";
      return new URL(url).searchParams.get("redirect_uri");
    };
    const bindings = { OIDC: JSON.stringify(issuer.config), IDENTITY_PROVIDER: issuer as never };
    const forwarded = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "example.com",
      "x-forwarded-prefix": "/engram",
    };
    const proxied = openDoors(
      { ...bindings, PUBLIC_URLS: "https://example.com/engram" },
      { root: "https://example.com/engram", at: "http://10.0.0.1", forwarded },
    );
    expect(await redirectOf(proxied)).toBe("https://example.com/engram/oidc/callback");
    expect(await redirectOf(doors, { "x-forwarded-host": "evil.example.com" })).toBe(`${ROOT}/oidc/callback`);
  });

  test("ends with a page that says that the provider is down, and a status of 503", async () => {
    const down = doorsWith({ issuer: "https://down.example.com" });
    const { browser, page, path } = await visit(down);
    const refused = await browser.press(page, "provider");
    expect(refused.response.status).toBe(503);
    expect(refused.response.headers.get("retry-after")).toBe("10");
    expect(refusalIn(refused)).toContain("The identity provider does not respond");
    expect((await browser.open(path)).html).toContain('name="key"');
    const { browser: other, page: fine } = await visit();
    const leaving = await other.press(fine, "provider");
    issuer.faults = { answers: { "/token": () => new Response("", { status: 500 }) } };
    expect((await other.open(issuer.authorize(targetOf(leaving)).href)).response.status).toBe(503);
  });

  test("is neither offered nor there without a provider", async () => {
    const without = openDoors();
    const { page, path } = await visit(without);
    expect(page.html).not.toContain("Sign in with");
    expect((await without.post(path, { decision: "provider" })).status).toBe(404);
    expect((await without.send("/oidc/callback?state=x&code=y")).status).toBe(404);
  });

  test("is limited by address, back and forth", async () => {
    const ADDRESS_RATE_LIMIT = { limit: async () => ({ success: false }) };
    const limited = openDoors({
      ...{ OIDC: JSON.stringify(issuer.config), IDENTITY_PROVIDER: issuer as never, ADDRESS_RATE_LIMIT },
    });
    const headers = { "cf-connecting-ip": "203.0.113.7" };
    expect((await limited.send("/oidc/callback?state=x", { headers })).status).toBe(429);
    expect((await limited.post("/oidc/organization", {}, headers)).status).toBe(429);
  });
});
