import { AuthorizationError, type AuthRequest, CimdFetchError } from "@cloudflare/workers-oauth-provider";
import { AgentId, CONSOLE_CLIENT_ID, GRANT_SCOPES, type Grant, UserId } from "@engram/spec";
import type { Context } from "hono";
import { ApiError } from "../errors.ts";
import { tokenOwnerOf } from "../grants/records.ts";
import { createGrant } from "../grants/service.ts";
import type { AppEnv } from "../invocation.ts";
import { ProviderOutage } from "../platform/openid.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { readForm } from "./bodies.ts";
import { type OAuthContext, openOAuth } from "./context.ts";
import { beginSignIn, outagePage, providerOf, signInByAccess } from "./identities.ts";
import { type Answers, type ConsentClient, consentPage, failurePage, pageHeaders } from "./pages.ts";
import { endSession, openSession, readSession } from "./sessions.ts";
import { findSigner, type Signer } from "./signers.ts";

/** Longest URL of a request that is kept until a person decides. */
const URL_CHARACTERS_MAX = 8_192;
/** Scopes that are ticked if the client asks for none: those that a memory is of no use without. */
const SCOPES_BY_DEFAULT: Grant["scopes"] = ["read", "search"];
const NAME_CHARACTERS_MAX = 80;

/** The page at which a person signs in and decides what a client may do. */
export const showConsent = (c: Context<AppEnv>): Promise<Response> =>
  guarded(c, async () => {
    const asked = await readRequest(c);
    const signer = await signInByAccess(c, await readSession(c));
    if (signer instanceof Response) return signer;
    if (typeof signer === "string") return showFirst(c, asked, { signer: null, misfit: signer });
    return showFirst(c, asked, { signer });
  });

/** What the person decided. */
export const decideConsent = (c: Context<AppEnv>): Promise<Response> =>
  guarded(c, async () => {
    const form = new URLSearchParams(await readForm(c));
    const field = (name: string) => (form.get(name) ?? "").trim();
    const decision = field("decision");
    if (decision === "sign-out") {
      await endSession(c);
      return showFirst(c, await readRequest(c), { isOther: true });
    }
    const asked = await readRequest(c);
    if (decision === "provider" || decision === "provider-other")
      return beginSignIn(c, decision === "provider-other");
    const entered = field("key");
    // From the console, which has a link with a code. A person still has to see whom it signs in.
    if (decision === "") {
      const signer = await findSigner(c.var.caller, entered);
      return showFirst(c, asked, signer === null ? {} : { signer, code: entered });
    }
    const api = asked.oauth.server.getOAuthApi(asked.oauth.env);
    if (decision !== "allow") {
      const { headers } = await api.denyConsent(c.req.raw, field("handle"));
      return redirect(headers);
    }
    const ticked = form.getAll("scope");
    const signer = entered === "" ? await readSession(c) : await findSigner(c.var.caller, entered);
    const answers = asked.client.isConsole
      ? { scopes: [...(signer?.scopes ?? [])], agentId: "", userId: "" }
      : {
          scopes: GRANT_SCOPES.filter((scope) => ticked.includes(scope)),
          agentId: field("agent_id"),
          userId: field("user_id"),
        };
    const misfit =
      signer === null && field("signed_in") !== ""
        ? "You are not signed in any more. Sign in again."
        : misfitOf(signer, answers);
    if (signer === null || misfit !== null)
      return showPage(c, asked, { ...answers, misfit, signer: entered === "" ? signer : null });
    const headers = await allow(c, asked, { signer, answers, handle: field("handle") });
    if (signer.member !== null && entered !== "") await openSession(c, signer);
    return redirect(headers, c.res.headers.getSetCookie());
  });

/** Gives the client its grant. Resolves to the headers that send the person back to it, with the code. */
async function allow(
  c: Context<AppEnv>,
  { oauth }: Asked,
  decided: { signer: Signer; answers: Pick<Answers, "scopes" | "agentId" | "userId">; handle: string },
): Promise<Headers> {
  const { signer, answers, handle } = decided;
  const api = oauth.server.getOAuthApi(oauth.env);
  const approved = await api.approveConsent(c.req.raw, handle, { scope: answers.scopes });
  // From what was stored when the page was shown, not from the URL, which the browser has sent again.
  const client = await describe(oauth, approved.request);
  const place = await createGrant(c.var.caller, {
    signer,
    client,
    redirectUri: approved.request.redirectUri,
    scopes: answers.scopes,
    agentId: answers.agentId || null,
    userId: answers.userId || null,
  });
  const { redirectTo } = await api.completeAuthorization({
    request: approved.request,
    userId: tokenOwnerOf(place),
    scope: answers.scopes,
    metadata: null,
    props: {},
    // Each grant is a user of its own to the library.
    revokeExistingGrants: false,
  });
  approved.headers.set("location", redirectTo);
  return approved.headers;
}

/** The page before any answer. */
function showFirst(
  c: Context<AppEnv>,
  asked: Asked,
  who: Partial<Pick<Answers, "signer" | "code" | "misfit" | "isOther">>,
): Promise<Response> {
  const wanted = GRANT_SCOPES.filter((scope) => asked.request.scope.includes(scope));
  const scopes = wanted.length === 0 ? SCOPES_BY_DEFAULT : wanted;
  return showPage(c, asked, { scopes, agentId: "", userId: "", misfit: null, signer: null, ...who });
}

interface Asked {
  request: AuthRequest;
  client: ConsentClient;
  oauth: OAuthContext;
}

async function readRequest(c: Context<AppEnv>): Promise<Asked> {
  const oauth = openOAuth(c);
  const { search } = new URL(c.req.url);
  if (search.length > URL_CHARACTERS_MAX)
    throw new AuthorizationError("invalid_request", { description: "The request is too long" });
  const api = oauth.server.getOAuthApi(oauth.env);
  const request = await api.parseAuthRequest(new Request(`${oauth.root}/authorize${search}`));
  return { request, client: await describe(oauth, request), oauth };
}

async function describe(oauth: OAuthContext, request: AuthRequest): Promise<ConsentClient> {
  const { clientId, redirectUri } = request;
  const found = await oauth.server.getOAuthApi(oauth.env).describeConsent(request);
  return {
    id: clientId,
    name: shownName(found.clientName),
    domain: clientId.startsWith("https://") ? new URL(clientId).host : null,
    isConsole: clientId === CONSOLE_CLIENT_ID,
    isOfOperator: Object.hasOwn(oauth.clients, clientId),
    redirectUri,
    isLoopback: found.redirectIsLoopback,
  };
}

/** Without characters that have no shape or change the direction of the text around them. */
const shownName = (name: string): string => {
  const clean = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
  return [...clean].slice(0, NAME_CHARACTERS_MAX).join("") || "A client without a name";
};

/** Why nothing can be allowed with these answers; null if it can. */
function misfitOf(
  signer: Signer | null,
  answers: Pick<Answers, "scopes" | "agentId" | "userId">,
): string | null {
  if (signer === null) return "This is no active key, and no sign-in code that was not used yet.";
  const who = signer.member === null ? "The key" : "Your account";
  if (answers.scopes.length === 0) return "Tick what the client may do.";
  const missing = answers.scopes.filter((scope) => !signer.scopes.includes(scope));
  if (missing.length > 0)
    return `${who} does not have: ${missing.join(", ")}. Untick it, or use another ${signer.member === null ? "key" : "account"}.`;
  for (const [name, given, own, schema] of [
    ["agent", answers.agentId, signer.agentId, AgentId],
    ["user", answers.userId, signer.userId, UserId],
  ] as const) {
    if (given === "") continue;
    if (!schema.safeParse(given).success) return `This is no id of one ${name}.`;
    if (own !== null && own !== given) return `${who} is bound to another ${name}.`;
  }
  return null;
}

async function showPage(
  c: Context<AppEnv>,
  { request, client, oauth }: Asked,
  given: Omit<Answers, "code" | "provider" | "isOther"> & Partial<Answers>,
) {
  const answers = { code: "", isOther: false, ...given, provider: providerOf(c)?.name ?? null };
  const { handle, headers } = await oauth.server.getOAuthApi(oauth.env).beginConsent(request);
  const page = consentPage(c, { client, answers, handle });
  for (const cookie of headers.getSetCookie()) c.header("set-cookie", cookie, { append: true });
  return c.html(
    page,
    answers.misfit === null || c.req.method === "GET" ? 200 : 400,
    pageHeaders(client.redirectUri),
  );
}

function redirect(headers: Headers, cookies: readonly string[] = []): Response {
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

/** Sends errors to the client where its redirect was proved to be its own, and otherwise shows them. */
async function guarded(c: Context<AppEnv>, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderOutage) return outagePage(c);
    const detail = detailOf(error);
    if (detail === null) throw error;
    if (error instanceof AuthorizationError && error.redirectTo !== undefined)
      return redirect(new Headers({ location: error.redirectTo, "cache-control": "no-store" }));
    return c.html(failurePage(c, detail), 400, pageHeaders(null));
  }
}

function detailOf(error: unknown): string | null {
  if (error instanceof AuthorizationError) return error.description;
  if (error instanceof CimdFetchError)
    return "The client names a document about itself that cannot be read, or that is not valid";
  if (error instanceof PreconditionFailed || (error instanceof ApiError && error.code === "unauthenticated"))
    return "The key or the sign-in code has ended; start again";
  return null;
}
