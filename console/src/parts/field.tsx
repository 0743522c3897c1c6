import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { MESSAGES } from "../messages.ts";

/** A field of a form, with its label. */
export function Field({ label, ...input }: { label: ComponentChildren } & InputHTMLAttributes) {
  return (
    <label>
      <span>{label}</span>
      <input autoComplete="off" {...input} />
    </label>
  );
}

/** A field for tags, one on each line, because a tag may have commas and blanks. */
export function TagsField(props: { label?: string; tags?: readonly string[] }) {
  const { label = MESSAGES.columns.tags, tags = [] } = props;
  return (
    <label>
      <span>
        {label} <span class="note">{MESSAGES.tagsNote}</span>
      </span>
      <textarea name="tags" rows={3} defaultValue={tags.join("\n")} />
    </label>
  );
}
