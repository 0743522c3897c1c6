import type { GRANT_SCOPES, Grant } from "@engram/spec";
import type { Context } from "hono";
import { html } from "hono/html";
import { pathToRoot } from "../http/public-urls.ts";
import type { AppEnv } from "../invocation.ts";
import type { Signer } from "./signers.ts";

export type Html = ReturnType<typeof html>;

/** All texts but `id` may be chosen by an attacker. */
export interface ConsentClient {
  id: string;
  name: string;
  /** Host of the client's metadata document; null without one. */
  domain: string | null;
  isConsole: boolean;
  isOfOperator: boolean;
  redirectUri: string;
  isLoopback: boolean;
}

export interface Answers {
  scopes: Grant["scopes"];
  agentId: string;
  userId: string;
  /** Why nothing was allowed; null before the first try. */
  misfit: string | null;
  /** Who is signed in, or would be with `code`; null as long as that is open. */
  signer: Pick<Signer, "member"> | null;
  /** A sign-in code that came with the request; empty for none. */
  code: string;
  /** What the identity provider is called; null without one. */
  provider: string | null;
  /** Whether the person wants another account than the one they were signed in with. */
  isOther: boolean;
}

const SCOPE_TEXTS: Record<(typeof GRANT_SCOPES)[number], string> = {
  read: "Read conversations and memories",
  search: "Search them",
  write: "Store new ones, and change them",
  delete: "Delete them for good",
};

/** An origin without characters that would end the source in a policy. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.[\]:-]+$/;

/**
 * No script, no frame around the page, and nothing of another origin. A browser applies `form-action` to the redirect
 * after the form, too.
 *
 * @param redirectUri Null for a page without a form.
 */
export function pageHeaders(redirectUri: string | null): Record<string, string> {
  const origin = redirectUri === null ? "" : new URL(redirectUri).origin;
  const targets = redirectUri === null ? "'none'" : `'self'${PLAIN_ORIGIN.test(origin) ? ` ${origin}` : ""}`;
  return {
    "content-security-policy": [
      "default-src 'none'",
      "style-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      `form-action ${targets}`,
      "frame-ancestors 'none'",
    ].join("; "),
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}

export function consentPage(
  c: Context<AppEnv>,
  { client, answers, handle }: { client: ConsentClient; answers: Answers; handle: string },
): Html {
  const { misfit } = answers;
  const refusal = misfit === null ? "" : html`<p class="refusal" role="alert">${misfit}</p>`;
  const hidden = html`<input type="hidden" name="handle" value="${handle}" />`;
  if (client.isConsole)
    return page(
      c,
      "Sign in",
      html`<form method="post">
        <h1>${LOGO} Sign in to Engram</h1>
        ${refusal} ${hidden} ${identityOf(answers)}
        <p class="actions">
          <button type="submit" class="primary" name="decision" value="allow">Sign in</button>
          <button type="submit" name="decision" value="deny" formnovalidate>Cancel</button>
        </p>
      </form>
      ${PROVIDER_FORM}`,
    );
  return page(
    c,
    "Allow access",
    html`<form method="post">
      <h1>${LOGO} Allow access to Engram?</h1>
      <p><bdi class="text">${client.name}</bdi> asks to use what is stored here.</p>
      <dl class="facts">
        <div><dt>Who that is</dt><dd>${proofOf(client)}</dd></div>
        <div><dt>Sends you to</dt><dd><code>${new URL(client.redirectUri).host}</code></dd></div>
      </dl>
      ${client.isLoopback ? LOOPBACK_WARNING : ""}
      ${refusal} ${hidden} ${limitsOf(answers)} ${identityOf(answers)}
      <p class="actions">
        <button type="submit" class="primary" name="decision" value="allow">Allow</button>
        <button type="submit" name="decision" value="deny" formnovalidate>Deny</button>
      </p>
    </form>
    ${PROVIDER_FORM}`,
  );
}

/** The form of the button, which would otherwise be what the enter key presses in the fields of the page. */
const PROVIDER_FORM = html`<form method="post" id="provider" hidden></form>`;

const limitsOf = ({ scopes, agentId, userId }: Answers): Html => html`
  <fieldset>
    <legend>It may</legend>
    ${Object.entries(SCOPE_TEXTS).map(
      ([scope, text]) => html`<label class="check">
          <input type="checkbox" name="scope" value="${scope}"${scopes.some((one) => one === scope) ? html` checked` : ""} />
          <span>${text} <code>${scope}</code></span>
        </label>
        `,
    )}
  </fieldset>
  <details${agentId + userId === "" ? "" : html` open`}>
    <summary>Only the data of one agent or one user</summary>
    <label><span>Agent</span><input name="agent_id" value="${agentId}" autocomplete="off" spellcheck="false" /></label>
    <label><span>User</span><input name="user_id" value="${userId}" autocomplete="off" spellcheck="false" /></label>
  </details>`;

const providerButton = (name: string, isOther: boolean): Html => html`
  <p class="provider">
    <button type="submit" form="provider" name="decision" value="${isOther ? "provider-other" : "provider"}">Sign in with <bdi class="text">${name}</bdi></button>
    <span class="note">or</span>
  </p>`;

/** Who is signed in, or the field to sign in with. */
function identityOf({ signer, code, provider, isOther }: Answers): Html {
  if (signer === null)
    return html`${provider === null ? "" : providerButton(provider, isOther)}<label>
        <span>Key or sign-in link</span>
        <input name="key" type="password" required autocomplete="off" spellcheck="false" placeholder="engram_sk_live_…" />
      </label>
      <p class="note">The client does not see it. What you allow ends when the key ends.</p>`;
  const { name, role, organization } = signer.member ?? { name: "a key" };
  const place = role && html`, ${role} of <bdi class="text">${organization}</bdi>`;
  return html`<p>${code === "" ? "Signed in as" : "You will be signed in as"} <strong><bdi class="text">${name}</bdi></strong>${place}.</p>
    ${
      code === ""
        ? html`<input type="hidden" name="signed_in" value="yes" /><p><button type="submit" class="small" form="provider" name="decision" value="sign-out">Use another account</button></p>`
        : html`<input type="hidden" name="key" value="${code}" />`
    }`;
}

export const failurePage = (c: Context<AppEnv>, detail: string): Html =>
  page(
    c,
    "Not possible",
    html`<div class="question">
      <h1>${LOGO} This client cannot be connected</h1>
      <p class="refusal" role="alert">${detail}.</p>
      <p class="note">Nothing was allowed. Go back to the client and connect again.</p>
    </div>`,
  );

function proofOf({ domain, isOfOperator }: ConsentClient): Html {
  if (isOfOperator) return html`Registered by the operator of this service`;
  if (domain !== null) return html`Published by <strong>${domain}</strong>`;
  return html`<strong class="bad">Not verified</strong>: anybody can use this name`;
}

const LOOPBACK_WARNING = html`<p class="warning">Any program on this computer can take this access. Continue only if you have just started to connect from a program of yours.</p>`;

export const LOGO = html`<svg class="mark" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><rect x="2" y="3" width="16" height="3" rx="1.5" /><rect x="2" y="8.5" width="11" height="3" rx="1.5" opacity="0.75" /><rect x="2" y="14" width="14" height="3" rx="1.5" opacity="0.5" /></svg>`;

export const page = (c: Context<AppEnv>, title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <title>${title} · Engram</title>
    <link rel="stylesheet" href="${pathToRoot(c)}console/console-styles.css" />
  </head>
  <body>
    <main class="sign-in consent">
    ${body}
    </main>
  </body>
</html>
`;
