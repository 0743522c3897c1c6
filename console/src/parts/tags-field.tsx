import { MESSAGES } from "../messages.ts";

/** A field for tags, one on each line, because a tag may have commas and blanks. */
export function TagsField({ tags = [] }: { tags?: readonly string[] }) {
  return (
    <label>
      <span>
        {MESSAGES.columns.tags} <span class="note">{MESSAGES.tagsNote}</span>
      </span>
      <textarea name="tags" rows={3} defaultValue={tags.join("\n")} />
    </label>
  );
}
