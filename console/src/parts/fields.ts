/** A field of a form, without the blanks around it. Empty if it is absent. */
export const fieldText = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

/** The fields that are filled in, by name. */
export const filledFields = <Name extends string>(
  form: FormData,
  ...names: Name[]
): { [N in Name]?: string } =>
  Object.fromEntries(
    names.map((name) => [name, fieldText(form, name)]).filter(([, text]) => text !== ""),
  ) as { [N in Name]?: string };

/** A field with a tag on each line. */
export const fieldTags = (form: FormData): string[] =>
  fieldText(form, "tags")
    .split("\n")
    .map((tag) => tag.trim())
    .filter(Boolean);

/** JSON of a field. What is no JSON reaches the service as it is, whose answer says what is wrong. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The content of a text field if it was changed. A text field has no carriage returns, so they are no change. */
export function changedContent(form: FormData, before: string): { content?: string } {
  const content = String(form.get("content"));
  return content === before.replace(/\r\n?/g, "\n") ? {} : { content };
}
