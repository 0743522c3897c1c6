import { MEMBERS } from "../member-messages.ts";
import { Logo } from "../parts/logo.tsx";
import { Text } from "../parts/text.tsx";
import { decideSwitch, otherOrganization } from "../session.ts";

const texts = MEMBERS.switchOrganization;

/** Asks whether a sign-in link may switch to another organization. */
export function Screen() {
  const other = otherOrganization.value;
  if (other === null) return null;
  return (
    <main class="sign-in">
      <div class="question">
        <h1>
          <Logo /> {texts.title}
        </h1>
        <p>{texts.text}</p>
        <dl>
          <dt>{texts.from}</dt>
          <dd>
            <Text of={other.from} />
          </dd>
          <dt>{texts.to}</dt>
          <dd>
            <Text of={other.to} />
          </dd>
        </dl>
        <button type="button" class="primary" onClick={() => decideSwitch(other, false)}>
          {texts.stay}
        </button>
        <button type="button" onClick={() => decideSwitch(other, true)}>
          {texts.accept}
        </button>
      </div>
    </main>
  );
}
