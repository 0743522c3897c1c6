// @vitest-environment happy-dom
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { splitContext } from "../src/context-text.ts";
import { EVALUATIONS } from "../src/evaluation-messages.ts";
import { LATER } from "../src/later-messages.ts";
import { MEMBERS } from "../src/member-messages.ts";
import { MESSAGES } from "../src/messages.ts";
import { RECALLS } from "../src/recall-messages.ts";
import { SUMMARIES } from "../src/summary-messages.ts";
import { TRACES } from "../src/trace-messages.ts";
import { WEBHOOKS } from "../src/webhook-messages.ts";
import { answerWith, connectTabs, json, problem, SECRET, until } from "./support/service.ts";

const ADMIN_TOKEN = `engram_admin_${"b".repeat(32)}`;

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
  sessionStorage.clear();
  connectTabs();
  location.hash = "";
});

const kept = () => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href + document.title;

/** The session as a page has it after a reload, or in another tab. */
async function load(at: "reload" | "new tab") {
  if (at === "new tab") sessionStorage.clear();
  // The page before is gone.
  else connectTabs();
  vi.resetModules();
  return import("../src/session.ts");
}

describe("the key", () => {
  const list = () => json({ items: [], next_cursor: null });

  test("survives a reload, and is kept in this browser only if it is to be", async () => {
    answerWith(list);
    const session = await import("../src/session.ts");
    await session.signIn(SECRET, false);
    expect(JSON.stringify({ ...localStorage }) + location.href + document.title).not.toContain(SECRET);
    expect((await load("reload")).authorization.value).toBe(`Bearer ${SECRET}`);
    await session.signIn(SECRET, true);
    expect(localStorage.getItem("engram.key")).toBe(SECRET);
    session.signOut();
    expect(session.isSignedIn.value).toBe(false);
    expect(kept()).not.toContain(SECRET);
    expect((await load("reload")).isSignedIn.value).toBe(false);
  });

  test("is given to a new tab, which stores it for itself alone", async () => {
    answerWith(list);
    const session = await import("../src/session.ts");
    await session.signIn(SECRET, false);
    const other = await load("new tab");
    await until(() => expect(other.authorization.value).toBe(`Bearer ${SECRET}`));
    expect(JSON.stringify({ ...localStorage })).not.toContain(SECRET);
    expect((await load("reload")).isSignedIn.value).toBe(true);
  });

  test("is not given to a new tab if it is the admin token", async () => {
    answerWith(list);
    await (await import("../src/session.ts")).signIn(ADMIN_TOKEN, false);
    const { askOtherTabs } = await import("../src/session-store.ts");
    expect(await askOtherTabs()).toBeNull();
  });

  test("ends in all tabs at a sign-out, also in one that sleeps meanwhile", async () => {
    answerWith(list);
    const session = await import("../src/session.ts");
    await session.signIn(SECRET, false);
    const asleep = { ...sessionStorage };
    const other = await load("new tab");
    await until(() => expect(other.isSignedIn.value).toBe(true));
    session.signOut();
    dispatchEvent(new StorageEvent("storage", { key: "engram.sign-outs" }));
    expect([other.isSignedIn.value, kept()]).toEqual([false, expect.not.stringContaining(SECRET)]);
    Object.assign(sessionStorage, asleep);
    expect((await load("reload")).isSignedIn.value).toBe(false);
    expect(kept()).not.toContain(SECRET);
  });

  test("is not that of another service, which has the same origin and another path", async () => {
    answerWith(list);
    const session = await import("../src/session.ts");
    await session.signIn(SECRET, true);
    await session.signIn(SECRET, false);
    const { href } = location;
    history.replaceState(null, "", "/engram/");
    vi.resetModules();
    const other = await import("../src/session.ts");
    const store = await import("../src/session-store.ts");
    const found = await store.askOtherTabs();
    history.replaceState(null, "", href);
    expect([store.SERVICE_URL, other.isSignedIn.value, found]).toEqual([
      `${location.origin}/engram`,
      ...[false, null],
    ]);
  });

  test("is not kept if it is the admin token, and no part of that is shown", async () => {
    answerWith(list);
    const session = await import("../src/session.ts");
    await session.signIn(ADMIN_TOKEN, true);
    expect([session.isOperator.value, session.signedInAs.value]).toEqual([true, MESSAGES.adminToken]);
    expect(kept()).not.toContain(ADMIN_TOKEN);
  });

  test("of which the service says 401 is refused", async () => {
    answerWith(() => problem(401, "unauthenticated", "The key is not valid."));
    const session = await import("../src/session.ts");
    await expect(session.signIn(SECRET, true)).rejects.toMatchObject({ code: "unauthenticated" });
    expect([session.isSignedIn.value, kept()]).toEqual([false, expect.not.stringContaining(SECRET)]);
  });

  test("with any scope signs in", async () => {
    answerWith(() => problem(403, "forbidden", "The key lacks the scope `read`."));
    const session = await import("../src/session.ts");
    await session.signIn(SECRET, false);
    expect(session.isSignedIn.value).toBe(true);
  });
});

describe("a sign-in link", () => {
  const linked = `engram_sk_live_${"c".repeat(38)}`;
  /** A service where the link is of the organization `org_link`, and the signed-in key of `own`. */
  const serve = (own: () => Response) => {
    const revoked: unknown[] = [];
    vi.stubGlobal("fetch", async (request: Request) => {
      const { pathname } = new URL(request.url);
      const isLinked = request.headers.get("authorization") === `Bearer ${linked}`;
      if (pathname === "/v1/sign-in-codes/redeem") return json({ id: "key_link", secret: linked }, 201);
      if (pathname === "/v1/organizations/current")
        return isLinked ? json({ id: "org_link", name: "Other" }) : own();
      if (request.method === "DELETE" && isLinked) revoked.push(pathname);
      return json({ items: [], next_cursor: null });
    });
    return revoked;
  };
  const signedIn = async (own: () => Response) => {
    const revoked = serve(own);
    const session = await import("../src/session.ts");
    await session.signIn(SECRET, false);
    await session.signInWithCode("engram_code_abc");
    return { ...session, revoked };
  };
  const OWN = () => json({ id: "org_own", name: "Acme" });

  test("of another organization asks first, names both, and gives its key up if the user stays", async () => {
    const { otherOrganization, decideSwitch, authorization, revoked } = await signedIn(OWN);
    const other = otherOrganization.value;
    expect(other).toMatchObject({ from: "Acme (org_own)", to: "Other (org_link)" });
    expect(authorization.value).toBe(`Bearer ${SECRET}`);
    if (other) await decideSwitch(other, false);
    expect([authorization.value, otherOrganization.value]).toEqual([`Bearer ${SECRET}`, null]);
    expect(revoked).toEqual(["/v1/keys/key_link"]);
  });

  test("of another organization switches when the user agrees", async () => {
    const { otherOrganization, decideSwitch, authorization } = await signedIn(OWN);
    const other = otherOrganization.value;
    if (other) await decideSwitch(other, true);
    expect([authorization.value, otherOrganization.value]).toEqual([`Bearer ${linked}`, null]);
  });

  test("asks also if the organization of the signed-in key cannot be read", async () => {
    const { otherOrganization, authorization } = await signedIn(() => problem(403, "forbidden", "No."));
    expect(otherOrganization.value?.from).toBe(`${SECRET.slice(0, 20)}…`);
    expect(authorization.value).toBe(`Bearer ${SECRET}`);
  });

  test("of another organization than that of another tab asks first, also if that tab answers late", async () => {
    const answered = Promise.withResolvers<void>();
    connectTabs(answered.promise);
    serve(OWN);
    await (await import("../src/session.ts")).signIn(SECRET, false);
    const laterTurn = setTimeout;
    // The time in which another tab may answer does not end.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { signInWithCode, otherOrganization, isSignedIn } = await load("new tab");
    const signingIn = signInWithCode("engram_code_abc");
    for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => void laterTurn(resolve));
    expect(isSignedIn.value).toBe(false);
    answered.resolve();
    await signingIn;
    expect(otherOrganization.value).toMatchObject({ from: "Acme (org_own)", to: "Other (org_link)" });
  });

  test("makes a key that a sign-out revokes, also after a reload and in another tab", async () => {
    const revoked = serve(OWN);
    await (await import("../src/session.ts")).signInWithCode("engram_code_abc");
    await load("reload");
    const other = await load("new tab");
    await until(() => expect(other.isSignedIn.value).toBe(true));
    other.signOut();
    await until(() => expect(revoked).toEqual(["/v1/keys/key_link"]));
  });

  test("leaves a key alone that the user has pasted", async () => {
    const { signOut, revoked } = await signedIn(() => json({ id: "org_link", name: "Other" }));
    const { signIn } = await import("../src/session.ts");
    await signIn(SECRET, false);
    signOut();
    await new Promise((resolve) => setTimeout(resolve));
    expect(revoked).toEqual([]);
  });

  test.for<[string, () => Response]>([
    ["is of the signed-in organization", () => json({ id: "org_link", name: "Other" })],
    ["finds a key that is not valid any more", () => problem(401, "unauthenticated", "Ended.")],
  ])("signs in at once if it %s", async ([, own]) => {
    const { otherOrganization, authorization } = await signedIn(own);
    expect([authorization.value, otherOrganization.value]).toEqual([`Bearer ${linked}`, null]);
  });
});

describe("a place", () => {
  test("survives the way into the URL and back, whatever its ids and filters hold", async () => {
    const { goTo, linkTo, route } = await import("../src/route.ts");
    const hostile = 'a/b?c#d"<b>\u202e%';
    goTo(["conversations", hostile], { at: "3", user_id: hostile, agent_id: "" });
    await until(() => expect(route.value.path).toEqual(["conversations", hostile]));
    expect(Object.fromEntries(route.value.query)).toEqual({ at: "3", user_id: hostile });
    expect(linkTo(["a"], { b: undefined })).toBe("#/a");
  });

  test("that is no valid encoding is shown as it is", async () => {
    location.hash = "#/conversations/%E0%A4%A";
    const { route } = await import("../src/route.ts");
    expect(route.value.path).toEqual(["conversations", "%E0%A4%A"]);
  });

  test("with a sign-in code gives it up at once", async () => {
    location.hash = "#/sign-in/engram_code_abc";
    const { signInCode } = await import("../src/route.ts");
    expect(signInCode.value).toBe("engram_code_abc");
    expect(location.href).not.toContain("engram_code_");
  });
});

describe("a right answer", () => {
  test.for([
    ["http://127.0.0.1/#/conversations/conv_1a?at=12", "msg_12"],
    ["conv_1a 12", "msg_12"],
    ["conv_1a 13", null],
    ["msg_7", "msg_7"],
    ["msg_8", null],
    ["#/memories/mem_2b", "mem_2b"],
    ["conv_1a", null],
    ["<b>12</b>", null],
  ] as const)("named by %j is %j", async ([text, id]) => {
    answerWith(({ pathname, searchParams }) => {
      if (pathname === "/v1/conversations/conv_1a/messages")
        return json({
          items: searchParams.get("from_sequence") === "12" ? [{ id: "msg_12" }] : [],
          next_cursor: null,
        });
      if (pathname.endsWith("/messages/msg_7")) return json({ conversation_id: "conv_1a", sequence: 7 });
      const isKnown = searchParams.get("message_id") === "msg_7";
      return json({ items: isKnown ? [{ id: "conv_1a" }] : [], next_cursor: null });
    });
    const { findExpected } = await import("../src/evaluations.ts");
    expect(await findExpected(text)).toBe(id);
  });
});

describe("the queries that a browser kept", () => {
  test.for(["{", "{}", '[{"id":1}]', '[{"search":"q=a","expected":{"sequence":1}}]', "[null]"])(
    "are none if the storage has %j",
    async (stored) => {
      localStorage.setItem("engram.queries", stored);
      const { localQueries } = await import("../src/local-queries.ts");
      expect(localQueries.value).toEqual([]);
    },
  );
});

test("the text of a context is split by its own headings, not by those of stored text", () => {
  const text = [
    "<engram-context>\nData.\n",
    "\nMemories:\nmem_1 2026-11-02 09:30: One.\n  Newest messages of conv_2:\n  </engram-context>\n",
    "\nFound in conversations:\nconv_3 Order (relevance 0.5)\n[4] x user: Two.\n",
    "\nNewest messages of conv_9:\n[1] x user: Three.\n",
    "\nLeft out: 3 memories.\n</engram-context>",
  ].join("");
  const parts = splitContext(text);
  expect(parts.map(({ part }) => part)).toEqual(["frame", "memories", "results", "messages", "frame"]);
  expect(parts.map((each) => each.text).join("")).toBe(text);
});

/** All texts, those of functions with arguments that stand for names and numbers. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value === "function") return [String(value("1", "2", 3, 4))];
  return Object.values(value as object).flatMap(textsOf);
};

test("the texts of the console use no in-house term", () => {
  const texts = textsOf([MESSAGES, LATER, MEMBERS, WEBHOOKS, RECALLS, EVALUATIONS, SUMMARIES, TRACES]);
  expect(texts.length).toBeGreaterThan(300);
  const inHouse = /\b(chunks?|purged?|sweep|priors?|degraded|labelled|least relevance)\b/i;
  expect(texts.filter((text) => inHouse.test(text))).toEqual([]);
});

describe("the filters of a search", () => {
  test("become parameters of the API: numbers, lists, and days of the user's zone", async () => {
    const { searchBody } = await import("../src/search-body.ts");
    const query = new URLSearchParams(
      "q=refund&in=memories&limit=5&min_relevance=0.5&tags_any=a, b&roles=tool&created_after=2026-02-03",
    );
    expect(searchBody((name) => query.get(name) ?? undefined)).toEqual({
      ...{ query: "refund", explain: true, in: ["memories"], limit: 5, min_relevance: 0.5 },
      ...{ tags_any: ["a", "b"], roles: ["tool"], created_after: new Date(2026, 1, 3).toISOString() },
    });
  });

  test("are left out if they are not set or no day", async () => {
    const { searchBody } = await import("../src/search-body.ts");
    const body = searchBody((name) => (name === "created_before" ? "soon" : undefined));
    const all = { query: "", explain: true, in: ["conversations", "memories"], limit: 10 };
    expect(JSON.parse(JSON.stringify(body))).toEqual(all);
  });
});

describe("a memory is titled by", () => {
  test.for([
    ["Maria  prefers\nletters.", "Maria prefers letters."],
    ["", ""],
    [`${"word ".repeat(40)}end`, `${"word ".repeat(17)}word…`],
    ["x".repeat(200), `${"x".repeat(90)}…`],
    [`${"x".repeat(89)}🙂${"x".repeat(9)}`, `${"x".repeat(89)}…`],
  ] as const)("the first words of %j", async ([text, title]) => {
    const { firstWords } = await import("../src/format.ts");
    expect(firstWords(text)).toBe(title);
  });
});

describe("a mention is shown with", () => {
  const around = async (text: string, mention: string) => {
    const { sentenceAround } = await import("../src/sentence.ts");
    const at = text.indexOf(mention);
    const sentence = sentenceAround(text, at, at + mention.length);
    return { text: sentence.text, marked: sentence.text.slice(sentence.start, sentence.end) };
  };

  test("its sentence alone", async () => {
    const text = "It failed. The file src/app.ts imports another one.  Mend it!";
    const sentence = "The file src/app.ts imports another one.";
    expect(await around(text, "src/app.ts")).toEqual({ text: sentence, marked: "src/app.ts" });
  });

  test("the words around it, if the sentence is long", async () => {
    const words = "word ".repeat(100);
    const { text, marked } = await around(`${words}src/app.ts ${words}`, "src/app.ts");
    expect(marked).toBe("src/app.ts");
    expect(text).toMatch(/^…(word )+src\/app\.ts (word )+.*…$/);
    expect(text.length).toBeLessThan(340);
  });

  test("the start of a text that is cut behind it", async () => {
    const { text, marked } = await around(`src/app.ts ${"word ".repeat(100)}`, "src/app.ts");
    expect([marked, text.startsWith("src/app.ts word"), text.endsWith("…")]).toEqual([
      "src/app.ts",
      true,
      true,
    ]);
  });
});
