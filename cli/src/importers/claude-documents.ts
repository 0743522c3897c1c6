import { leftOut, type Missing } from "./importer.ts";
import { contentFlaw } from "./threads.ts";
import { type Fields, joinTexts } from "./values.ts";

/** Fields in which the tools of Claude's apps have the text of an artifact, of a file or of a change to one. */
const FIELDS = ["title", "content", "file_text", "new_str", "new_string", "widget_code"];

/** The text that Claude wrote into an artifact or a file with a call of a tool. */
export const writtenText = (input: Fields): string => joinTexts(FIELDS.map((name) => input[name]));

/**
 * Adds the texts of attached files to the text of a message, each after the name of its file. `missing` has those with
 * which the message would be too long.
 */
export function withAttachments(
  text: string,
  attachments: { name: unknown; text: unknown }[],
  place: string,
): { content: string; missing: Missing[] } {
  let content = text;
  const missing: Missing[] = [];
  for (const attachment of attachments) {
    const attached = joinTexts([attachment.text]);
    if (attached === "") continue;
    const longer = joinTexts([content, attachment.name, attached]);
    const flaw = contentFlaw(longer);
    if (flaw === undefined) content = longer;
    else missing.push(leftOut("text of an attachment", `the message would be ${flaw}`, place));
  }
  return { content, missing };
}
