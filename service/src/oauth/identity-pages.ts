import type { Context } from "hono";
import { html } from "hono/html";
import type { AppEnv } from "../invocation.ts";
import type { Membership } from "../members/identities.ts";
import { type Html, LOGO, page } from "./pages.ts";

/** Goes on to the provider by a header of the response. */
export const leavingPage = (c: Context<AppEnv>, name: string, url: string): Html =>
  page(
    c,
    "Sign in",
    html`<div class="question">
      <h1>${LOGO} Sign in with <bdi class="text">${name}</bdi></h1>
      <p class="note">You are sent to <code>${new URL(url).host}</code>.</p>
      <p class="actions"><a class="button primary" href="${url}">Continue</a></p>
    </div>`,
  );

/** Asks a person who is a member of several organizations for which one they sign in. */
export const choicePage = (
  c: Context<AppEnv>,
  { memberships, token, action }: { memberships: Membership[]; token: string; action: string },
): Html =>
  page(
    c,
    "Choose an organization",
    html`<form method="post" action="${action}">
      <h1>${LOGO} Choose an organization</h1>
      <input type="hidden" name="token" value="${token}" />
      <fieldset>
        <legend>Sign in as a member of</legend>
        ${memberships.map(
          ({ organizationId, organizationName }, i) => html`<label class="check">
          <input type="radio" name="organization" value="${organizationId}" required${i === 0 ? html` checked` : ""} />
          <span><bdi class="text">${organizationName}</bdi> <code>${organizationId}</code></span>
        </label>
        `,
        )}
      </fieldset>
      <p class="actions"><button type="submit" class="primary">Continue</button></p>
    </form>`,
  );

/**
 * @param back URL of the page at which the person can sign in otherwise; null if it is not known.
 * @param isStranger Whether the provider has named a person who is no member. It would name the same one again.
 */
export const notSignedInPage = (
  c: Context<AppEnv>,
  { detail, back, isStranger = false }: { detail: string; back: string | null; isStranger?: boolean },
): Html =>
  page(
    c,
    "Not signed in",
    html`<form method="post" action="${back ?? ""}">
      <h1>${LOGO} You are not signed in</h1>
      <p class="refusal" role="alert">${detail}.</p>
      <p class="actions">
        ${isStranger ? html`<button type="submit" name="decision" value="provider-other">Use another account</button>` : ""}
        ${back === null ? "" : html`<a class="button" href="${back}">Back</a>`}
      </p>
    </form>`,
  );
