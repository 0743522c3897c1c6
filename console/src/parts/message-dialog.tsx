import type { Message, UpdateMessageBody } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { engram } from "../session.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { changedContent, fieldText, jsonOrText } from "./fields.ts";

const texts = MESSAGES.conversation;

export type MessageAction = "edit" | "delete";

/** Edits or deletes a message of a conversation. */
export function MessageDialog(props: {
  conversationId: string;
  message: Message;
  action: MessageAction;
  close(): void;
  done(): void;
}) {
  const { conversationId, message, action, close, done } = props;
  const { id, sequence, content, metadata } = message;
  const { messages } = engram();
  if (action === "delete")
    return (
      <DeleteDialog
        label={texts.deleteMessage}
        question={texts.deleteMessageQuestion(sequence)}
        forgets="message"
        remove={(options) => messages.delete(conversationId, id, options)}
        close={(isDeleted) => (isDeleted ? done() : close())}
      />
    );
  const save = async (form: FormData) => {
    const body = {
      ...changedContent(form, content),
      metadata: jsonOrText(fieldText(form, "metadata") || "{}"),
    };
    await messages.update(conversationId, id, body as UpdateMessageBody);
    done();
  };
  return (
    <ActionDialog title={texts.editMessage(sequence)} label={MESSAGES.save} act={save} close={close}>
      <label>
        <span>{MESSAGES.columns.content}</span>
        <textarea name="content" rows={8} defaultValue={content} />
      </label>
      <label>
        <span>
          {MESSAGES.filterLabels.metadata} <span class="note">JSON</span>
        </span>
        <textarea
          name="metadata"
          class="code"
          rows={4}
          spellcheck={false}
          defaultValue={JSON.stringify(metadata, null, 2)}
        />
      </label>
    </ActionDialog>
  );
}
