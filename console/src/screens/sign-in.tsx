import { useEffect } from "preact/hooks";
import { Lazy } from "../lazy.tsx";
import { useAction } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Logo } from "../parts/logo.tsx";
import { Failure } from "../parts/states.tsx";
import { signInAnswer, signInCode } from "../route.ts";
import { finishSignIn, leaveForSignIn, otherOrganization, signIn, signInWithCode } from "../session.ts";

/** How the sign-in code of a member begins. */
const INVITE = "engram_invite_";

export function SignIn() {
  const { isBusy, error, run } = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    return run(() => signIn(String(form.get("key")).trim(), form.has("remember")));
  };
  const code = signInCode.value;
  useEffect(() => {
    if (code === null) return;
    // The page of the sign-in takes over from here.
    if (code.startsWith(INVITE)) run(() => leaveForSignIn(code));
    else
      run(() =>
        signInWithCode(code).finally(() => {
          signInCode.value = null;
        }),
      );
  }, [code]);
  const answer = signInAnswer.value;
  useEffect(() => {
    if (answer === null) return;
    run(() =>
      finishSignIn(answer).finally(() => {
        signInAnswer.value = null;
      }),
    );
  }, [answer]);
  if (otherOrganization.value !== null)
    return <Lazy load={() => import("./switch-organization.tsx")} meanwhile={null} />;
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>
          <Logo /> {MESSAGES.signIn.title}
        </h1>
        <p class="note">{MESSAGES.signIn.text}</p>
        <label>
          <span>{MESSAGES.signIn.key}</span>
          <input
            name="key"
            type="password"
            required
            autoComplete="off"
            spellcheck={false}
            placeholder="engram_sk_live_…"
          />
        </label>
        <label class="check">
          <input name="remember" type="checkbox" />
          <span>{MESSAGES.signIn.remember}</span>
        </label>
        <p class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? MESSAGES.signIn.busy : MESSAGES.signIn.submit}
          </button>
          {isSecureContext && (
            <button type="button" disabled={isBusy} onClick={() => run(() => leaveForSignIn(null))}>
              {MESSAGES.signIn.member}
            </button>
          )}
        </p>
        {error !== undefined && <Failure error={error} />}
        <p class="note">
          {MESSAGES.signIn.where} <code>.engram/key</code>
        </p>
        <p class="links">
          <a href="https://engram.dev/start">{MESSAGES.links.guides}</a>
          <a href="docs">{MESSAGES.links.docs}</a>
          <a href="openapi.json">{MESSAGES.links.openapi}</a>
          <a href="llms.txt">{MESSAGES.links.llms}</a>
          <a href="problems">{MESSAGES.links.problems}</a>
          <a href="health">{MESSAGES.links.health}</a>
        </p>
      </form>
    </main>
  );
}
