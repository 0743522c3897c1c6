import { useEffect } from "preact/hooks";
import { useAction } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Logo } from "../parts/logo.tsx";
import { Failure } from "../parts/states.tsx";
import { Text } from "../parts/text.tsx";
import { signInCode } from "../route.ts";
import {
  decideSwitch,
  type OtherOrganization,
  otherOrganization,
  signIn,
  signInWithCode,
} from "../session.ts";

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
    run(() =>
      signInWithCode(code).finally(() => {
        signInCode.value = null;
      }),
    );
  }, [code]);
  const other = otherOrganization.value;
  if (other !== null) return <SwitchQuestion other={other} />;
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
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? MESSAGES.signIn.busy : MESSAGES.signIn.submit}
        </button>
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

function SwitchQuestion({ other }: { other: OtherOrganization }) {
  return (
    <main class="sign-in">
      <div class="question">
        <h1>
          <Logo /> {MESSAGES.switchOrganization.title}
        </h1>
        <p>{MESSAGES.switchOrganization.text}</p>
        <dl>
          <dt>{MESSAGES.switchOrganization.from}</dt>
          <dd>
            <Text of={other.from} />
          </dd>
          <dt>{MESSAGES.switchOrganization.to}</dt>
          <dd>
            <Text of={other.to} />
          </dd>
        </dl>
        <button type="button" class="primary" onClick={() => decideSwitch(other, false)}>
          {MESSAGES.switchOrganization.stay}
        </button>
        <button type="button" onClick={() => decideSwitch(other, true)}>
          {MESSAGES.switchOrganization.accept}
        </button>
      </div>
    </main>
  );
}
