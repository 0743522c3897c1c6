import type { CreateKeyBody, Scope } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { Field } from "./field.tsx";
import { fieldText, filledFields } from "./fields.ts";

const texts = MESSAGES.keys;
const { columns } = MESSAGES;
/** Scopes that a new key has unless the user chooses others. */
const CHECKED: readonly Scope[] = ["read", "write", "search"];

/** Fields of a new key. */
export function KeyFields({ scopes, name }: { scopes: readonly Scope[]; name?: string }) {
  return (
    <>
      <Field label={columns.name} name="name" required defaultValue={name ?? ""} />
      <fieldset>
        <legend>{columns.scopes}</legend>
        {scopes.map((scope) => (
          <label key={scope} class="check">
            <input type="checkbox" name="scopes" value={scope} defaultChecked={CHECKED.includes(scope)} />
            <span>
              {scope} <span class="note">{texts.scopeText[scope]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field label={texts.onlyAgent} name="agent_id" placeholder={MESSAGES.any} />
      <Field label={texts.onlyUser} name="user_id" placeholder={MESSAGES.any} />
      <Field label={columns.expires} name="expires_at" type="datetime-local" />
    </>
  );
}

export function keyBody(form: FormData): CreateKeyBody {
  const { expires_at, ...bound } = filledFields(form, "agent_id", "user_id", "expires_at");
  return {
    ...{ name: fieldText(form, "name"), scopes: form.getAll("scopes") as Scope[], ...bound },
    ...(expires_at !== undefined && { expires_at: new Date(expires_at).toISOString() }),
  };
}
