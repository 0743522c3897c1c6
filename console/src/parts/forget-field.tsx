import { MESSAGES } from "../messages.ts";

const texts = MESSAGES.forget;

/** What a deletion may forget. */
export type Forgotten = Exclude<keyof typeof texts, "label" | "until">;

/** A box of a deletion's form: what is deleted is then refused when it comes again. */
export const ForgetField = ({ kind }: { kind: Forgotten }) => (
  <label class="check explained">
    <input type="checkbox" name="forget" />
    <span>
      {texts.label}
      <span class="note">
        {texts[kind]} {texts.until}
      </span>
    </span>
  </label>
);

/** The option of a deletion, as the form has it. */
export const forgetOf = (form: FormData): { forget?: true } => (form.has("forget") ? { forget: true } : {});
