import { Engram } from "@engram/sdk";
import { MEMBERS } from "./member-messages.ts";
import { SERVICE_URL, type Session } from "./session-store.ts";

/** The OAuth client that the console is to its own service. */
const CLIENT_ID = "console";
/** The address of the console without the place in it, to which the page of the sign-in returns. */
const RETURN_URL = `${SERVICE_URL}/`;
/** What the tab keeps while the page of the sign-in is open. */
const STARTED_AS = `engram.sign-in ${new URL(SERVICE_URL).pathname}`;

interface Started {
  /** Tells the answer of this sign-in from any other. */
  state: string;
  /** Proves that the code is redeemed by the tab that asked for it (PKCE, RFC 7636). */
  verifier: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/**
 * Leaves for the page on which members sign in.
 *
 * @param code Sign-in code of a link. The page shows whom it signs in before it does.
 */
export async function leaveForSignIn(code: string | null): Promise<void> {
  const started: Started = { state: randomText(), verifier: randomText() };
  sessionStorage.setItem(STARTED_AS, JSON.stringify(started));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(started.verifier));
  const asked = new URLSearchParams({
    ...{ response_type: "code", client_id: CLIENT_ID, redirect_uri: RETURN_URL, state: started.state },
    ...{ code_challenge: base64url(new Uint8Array(digest)), code_challenge_method: "S256" },
    resource: `${SERVICE_URL}/mcp`,
  });
  const page = `${SERVICE_URL}/authorize?${asked}`;
  if (code === null) return location.assign(page);
  // In the body, so that the code is in no log and in no history.
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: page, hidden: true });
  const field = Object.assign(document.createElement("input"), { name: "key", value: code });
  form.append(field);
  document.body.append(form);
  form.submit();
}

/**
 * The session of the member who has just signed in. Null if they did not.
 *
 * @param answer The query with which the page of the sign-in returned.
 * @throws {Error} if it is not the answer to what this tab asked, or if the code is not valid any more.
 */
export async function finishSignIn(answer: URLSearchParams): Promise<Session | null> {
  const started = JSON.parse(sessionStorage.getItem(STARTED_AS) ?? "null") as Started | null;
  sessionStorage.removeItem(STARTED_AS);
  if (started === null || answer.get("state") !== started.state) throw new Error(MEMBERS.unasked);
  const code = answer.get("code");
  if (code === null) return null;
  const response = await post("token", {
    ...{ grant_type: "authorization_code", client_id: CLIENT_ID, redirect_uri: RETURN_URL },
    ...{ code, code_verifier: started.verifier, resource: `${SERVICE_URL}/mcp` },
  });
  const { access_token: secret, error_description } = (await response.json()) as Record<string, string>;
  if (secret === undefined) throw new Error(error_description);
  const { member } = await new Engram({ apiKey: secret, baseUrl: SERVICE_URL }).members.me();
  return { secret, linkKeyId: null, name: member?.name ?? null };
}

/** Ends the session of a member, and what keeps them signed in on the page of the sign-in. */
export async function endSignIn(token: string): Promise<void> {
  await Promise.allSettled([
    post("token", { token, client_id: CLIENT_ID }),
    post("authorize", { decision: "sign-out" }),
  ]);
}

const post = (path: string, fields: Record<string, string>): Promise<Response> =>
  fetch(`${SERVICE_URL}/${path}`, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
