import type { Conversation, ListedConversation, Message } from "@engram/sdk";
import { formatNumber } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { engram } from "../session.ts";
import { wholeConversation } from "../whole-conversation.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { BulkReceipt } from "./bulk-receipt.tsx";
import { Field } from "./field.tsx";
import { fieldText } from "./fields.ts";
import { ForgetField, forgetOf } from "./forget-field.tsx";
import { tagsOf, titleOf } from "./listed-conversation.tsx";
import { saveLines } from "./save-json.ts";
import { Text } from "./text.tsx";

const texts = MESSAGES.bulk;
const EXPORT_NAME = "conversations";

interface DialogProps {
  items: readonly ListedConversation[];
  /** Changes the items of the list. */
  change(items: (before: ListedConversation[]) => ListedConversation[]): void;
  /** `hasRun` says whether the work was begun. */
  close(hasRun: boolean): void;
}

function Delete({ items, change, close }: DialogProps) {
  const messages = items.reduce((sum, { message_count }) => sum + message_count, 0);
  const work = async ({ id }: ListedConversation, form: FormData) => {
    const operation = await engram().conversations.delete(id, forgetOf(form));
    change((before) => before.filter((item) => item.id !== id));
    return operation;
  };
  return (
    <BulkDialog
      {...{ items, nameOf, work, close }}
      title={texts.deleteTitle}
      label={texts.deleteCount(items.length)}
      isDanger
      report={(done) => <BulkReceipt key={done.length} of={done} text={texts.deleted(done.length)} />}
    >
      <p>{texts.deleteQuestion(items.length, formatNumber(messages))}</p>
      <ForgetField kind="conversation" />
    </BulkDialog>
  );
}

/** Tags are changed only if the conversation has not changed since they were read, so that no tag of others is lost. */
async function changeTags(id: string, changed: (tags: readonly string[]) => string[]): Promise<Conversation> {
  const { data, etag } = await engram().conversations.get(id, { message_limit: 0 }).withResponse();
  const { messages: _, ...conversation } = data;
  const tags = changed(conversation.tags);
  if (tags.length === conversation.tags.length) return conversation;
  return engram().conversations.update(id, { tags }, { ifMatch: etag });
}

const tagsWork =
  (change: DialogProps["change"], changed: (tags: readonly string[], tag: string) => string[]) =>
  async ({ id }: ListedConversation, form: FormData) => {
    const tag = fieldText(form, "tag");
    const { tags } = await changeTags(id, (before) => changed(before, tag));
    change((before) => before.map((item) => (item.id === id ? { ...item, tags } : item)));
  };

function AddTag({ items, change, close }: DialogProps) {
  const work = tagsWork(change, (tags, tag) => [...new Set([...tags, tag])]);
  return (
    <BulkDialog
      {...{ items, nameOf, work, close }}
      title={texts.addTag}
      label={texts.addTag}
      report={(done) => texts.tagged(done.length)}
    >
      <Field label={texts.tagTo(items.length)} name="tag" required />
    </BulkDialog>
  );
}

function RemoveTag({ items, change, close }: DialogProps) {
  const work = tagsWork(change, (tags, tag) => tags.filter((each) => each !== tag));
  return (
    <BulkDialog
      {...{ items, nameOf, work, close }}
      title={texts.removeTag}
      label={texts.removeTag}
      report={(done) => texts.untagged(done.length)}
    >
      <fieldset class="tag-choice">
        <legend>{texts.tagFrom(items.length)}</legend>
        {tagsOf(items).map((tag, i) => (
          <label key={tag} class="check">
            <input type="radio" name="tag" value={tag} defaultChecked={i === 0} />
            <Text of={tag} />
          </label>
        ))}
      </fieldset>
    </BulkDialog>
  );
}

function Export({ items, close }: DialogProps) {
  const messagesIn = (all: readonly { messages: Message[] }[]) =>
    all.reduce((sum, { messages }) => sum + messages.length, 0);
  return (
    <BulkDialog
      {...{ items, nameOf, close }}
      title={texts.exportTitle}
      label={texts.export}
      work={({ id }) => wholeConversation(id)}
      ended={(all) => all.length > 0 && saveLines(EXPORT_NAME, all)}
      report={(all) => texts.exported(all.length, formatNumber(messagesIn(all)), `${EXPORT_NAME}.ndjson`)}
    >
      <p>{texts.exportText(items.length)}</p>
    </BulkDialog>
  );
}

/** What can be done with selected conversations, each in a dialog. */
export const DIALOGS = { addTag: AddTag, removeTag: RemoveTag, export: Export, delete: Delete };
const nameOf: (conversation: ListedConversation) => string = titleOf;
