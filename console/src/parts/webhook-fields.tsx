import type { Event, Webhook } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { WEBHOOKS } from "../webhook-messages.ts";
import { Field } from "./field.tsx";

const texts = WEBHOOKS;
const TYPES = Object.entries(MESSAGES.eventTypes) as [Event["type"], string][];

/** The settings of a webhook, as fields of a form. */
export function WebhookFields({ of: webhook }: { of?: Webhook }) {
  return (
    <>
      <Field
        label={texts.url}
        name="url"
        type="url"
        required
        spellcheck={false}
        placeholder="https://hooks.example.com/engram"
        defaultValue={webhook?.url ?? ""}
      />
      <fieldset class="columns">
        <legend>
          {texts.types} <span class="note">{texts.typesNote}</span>
        </legend>
        {TYPES.map(([type, label]) => (
          <label key={type} class="check">
            <input
              type="checkbox"
              name="types"
              value={type}
              defaultChecked={webhook?.types?.includes(type) ?? false}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** What the fields hold. All types are chosen by choosing none. */
export function webhookSettings(form: FormData): { url: string; types: Event["type"][] | null } {
  const types = form.getAll("types") as Event["type"][];
  return { url: String(form.get("url")).trim(), types: types.length === 0 ? null : types };
}

export const eventsOf = ({ types }: Webhook): string =>
  types === null ? texts.allTypes : types.map((type) => MESSAGES.eventTypes[type]).join(", ");
