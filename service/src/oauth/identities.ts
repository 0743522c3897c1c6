import type { Context } from "hono";
import { notFound } from "../errors.ts";
import { publicUrl } from "../http/public-urls.ts";
import type { AppEnv } from "../invocation.ts";
import { createRandomText } from "../keys/secrets.ts";
import { findMemberships, type Membership } from "../members/identities.ts";
import { AccessOutage } from "../platform/access.ts";
import {
  type Identity,
  type OpenIdProvider,
  openIdProvider,
  type PendingSignIn,
  ProviderOutage,
  SignInRefused,
} from "../platform/openid.ts";
import { openIdConfig } from "../platform/openid-config.ts";
import { readForm } from "./bodies.ts";
import { choicePage, leavingPage, notSignedInPage } from "./identity-pages.ts";
import { pageHeaders } from "./pages.ts";
import { keepPending, takePending } from "./pending.ts";
import { endSession, openSession } from "./sessions.ts";
import { findMember, type Signer } from "./signers.ts";

export const CALLBACK_PATH = "/oidc/callback";
export const CHOICE_PATH = "/oidc/organization";
const ACCESS_HEADER = "cf-access-jwt-assertion";
const RETRY_SECONDS = "10";

type MemberRef = Pick<Membership, "organizationId" | "memberId">;

/** Where a sign-in goes on: the request for authorization, as the client has sent it. */
interface Returning {
  /** Path and query. */
  path: string;
}

const pathOf = (c: Context<AppEnv>): string => {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
};

/** The provider that the operator has configured; null without one. */
export function providerOf(c: Context<AppEnv>): OpenIdProvider | null {
  const config = openIdConfig(c.env);
  const { runtime, caches } = c.var.caller;
  return (
    config &&
    openIdProvider(config, {
      root: publicUrl(c),
      from: c.env.IDENTITY_PROVIDER ?? { fetch: (input, init) => fetch(input, init) },
      known: caches.openIdProviders,
      nowMs: () => runtime.nowMs(),
    })
  );
}

/**
 * Sends the person to the provider, and then back to this page.
 *
 * A page does this, because a redirect after a form counts as a target of the form: the policy of the page would have to
 * allow the provider, and all to which that one redirects.
 */
export const beginSignIn = (c: Context<AppEnv>, isOther: boolean): Promise<Response> => {
  const path = pathOf(c);
  return explained(c, path, async () => {
    const provider = providerOf(c);
    if (provider === null) throw notFound("resource");
    const { runtime } = c.var.caller;
    const pending: PendingSignIn = {
      state: createRandomText(runtime),
      nonce: createRandomText(runtime),
      verifier: createRandomText(runtime) + createRandomText(runtime),
      redirectUri: publicUrl(c) + CALLBACK_PATH,
    };
    const { href } = await provider.begin(pending, isOther);
    await keepPending(c, "sign-in", pending.state, { ...pending, path });
    c.header("refresh", `0;url=${href}`);
    return c.html(leavingPage(c, provider.name, href), 200, pageHeaders(null));
  });
};

/** The provider has sent the person back. */
export async function finishSignIn(c: Context<AppEnv>): Promise<Response> {
  const provider = providerOf(c);
  if (provider === null) throw notFound("resource");
  const { searchParams } = new URL(c.req.url);
  const [state = "", ...others] = searchParams.getAll("state");
  const pending =
    others.length === 0 ? await takePending<PendingSignIn & Returning>(c, "sign-in", state) : null;
  if (pending === null || pending.redirectUri !== publicUrl(c) + CALLBACK_PATH) return refuseUnknown(c);
  const { path } = pending;
  return explained(c, path, async () => {
    const identity = await provider.finish(pending, searchParams);
    const memberships = await findMemberships(c.var.caller, identity);
    const [only] = memberships;
    if (only === undefined) return refuseStranger(c, identity, path);
    if (memberships.length > 1) return askOrganization(c, memberships, path);
    await signIn(c, only);
    return c.redirect(publicUrl(c) + path, 303);
  });
}

/** The person has chosen one of the organizations of which they are a member. */
export async function chooseOrganization(c: Context<AppEnv>): Promise<Response> {
  const form = new URLSearchParams(await readForm(c));
  const pending = await takePending<{ members: MemberRef[] } & Returning>(
    c,
    "choice",
    form.get("token") ?? "",
  );
  const chosen = pending?.members.find(({ organizationId }) => organizationId === form.get("organization"));
  if (pending === null || chosen === undefined) return refuseUnknown(c);
  await signIn(c, chosen);
  return c.redirect(publicUrl(c) + pending.path, 303);
}

/**
 * Signs in the person whom Cloudflare Access names, and ends the session of anybody else. A response asks which member
 * they are. The text says why they are none. Without an assertion of a person, who has the session stays signed in.
 */
export async function signInByAccess(
  c: Context<AppEnv>,
  session: Signer | null,
): Promise<Signer | Response | string | null> {
  const { caller } = c.var;
  const assertion = c.req.header(ACCESS_HEADER);
  if (caller.access === null || assertion === undefined) return session;
  const person = await caller.access.readPerson(assertion, caller.runtime.nowMs()).catch((error: unknown) => {
    if (!(error instanceof AccessOutage)) throw error;
    throw new ProviderOutage("the signing keys of Cloudflare Access cannot be fetched", { cause: error });
  });
  if (person === null) return session;
  const memberships = await findMemberships(caller, { ...person, organizationIds: null, role: undefined });
  if (memberships.some(({ memberId }) => memberId === session?.keyId)) return session;
  await endSession(c);
  const [only] = memberships;
  if (only === undefined)
    return `${person.email} is not a member. Use a key, or ask an admin to add a member with this email address.`;
  if (memberships.length > 1) return askOrganization(c, memberships, pathOf(c));
  await signIn(c, only);
  return findMember(caller, { organizationId: only.organizationId, keyId: only.memberId });
}

/** For the next thing that the person allows. */
const signIn = (c: Context<AppEnv>, { organizationId, memberId }: MemberRef): Promise<void> =>
  openSession(c, { organizationId, keyId: memberId }, { isOnce: true });

async function askOrganization(
  c: Context<AppEnv>,
  memberships: Membership[],
  path: string,
): Promise<Response> {
  const token = createRandomText(c.var.caller.runtime);
  const members = memberships.map(({ organizationId, memberId }) => ({ organizationId, memberId }));
  await keepPending(c, "choice", token, { members, path });
  const root = publicUrl(c);
  const page = choicePage(c, { memberships, token, action: root + CHOICE_PATH });
  return c.html(page, 200, pageHeaders(`${root}/`));
}

const refuseUnknown = (c: Context<AppEnv>): Response | Promise<Response> => {
  const detail =
    "This sign-in was not started in this browser, was already used, or is older than ten minutes. Go back to the client, and connect again";
  return c.html(notSignedInPage(c, { detail, back: null }), 400, pageHeaders(null));
};

function refuseStranger(
  c: Context<AppEnv>,
  { email, name, role }: Identity,
  path: string,
): Response | Promise<Response> {
  const who = email ?? name ?? "This account";
  const remedy =
    email === null
      ? `${role === null ? "It has no role here" : "Its email address is not verified"}. Ask an admin of your organization, or use a key`
      : role === null
        ? "It has no role here. Ask the operator of this service, or use a key"
        : "Ask an admin to add a member with this email address, and sign in again. Or use a key";
  const detail = `${who} is not a member of an organization here. ${remedy}`;
  const root = publicUrl(c);
  const page = notSignedInPage(c, { detail, back: root + path, isStranger: true });
  return c.html(page, 403, pageHeaders(`${root}/`));
}

/** Shows why the provider did not sign the person in, with a way back. */
async function explained(c: Context<AppEnv>, path: string, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const back = publicUrl(c) + path;
    const { log } = c.var.caller;
    if (error instanceof SignInRefused) {
      log.info("sign-in refused", { reason: String(error.cause).slice(0, 300) });
      return c.html(notSignedInPage(c, { detail: error.message, back }), 400, pageHeaders(null));
    }
    if (!(error instanceof ProviderOutage)) throw error;
    log.error("identity provider failed", error.cause ?? error);
    return outagePage(c, back);
  }
}

export function outagePage(
  c: Context<AppEnv>,
  back = publicUrl(c) + pathOf(c),
): Response | Promise<Response> {
  c.header("retry-after", RETRY_SECONDS);
  const detail = "The identity provider does not respond as it should. Try again later, or use a key";
  return c.html(notSignedInPage(c, { detail, back }), 503, pageHeaders(null));
}
