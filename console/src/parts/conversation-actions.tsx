import type { Conversation } from "@engram/sdk";
import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { goTo } from "../route.ts";
import { engram } from "../session.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Field, TagsField } from "./field.tsx";
import { fieldTags, fieldText, filledFields } from "./fields.ts";

const texts = MESSAGES.conversation;

/** Edits the title and the tags of a conversation, and forks it. */
export function ConversationActions({ of: conversation, done }: { of: Conversation; done(): void }) {
  const [asked, setAsked] = useState<"edit" | "fork">();
  const close = () => setAsked(undefined);
  return (
    <>
      <button type="button" onClick={() => setAsked("edit")}>
        {MESSAGES.edit}
      </button>
      <button type="button" onClick={() => setAsked("fork")}>
        {texts.fork}
      </button>
      {asked === "edit" && <Edit of={conversation} done={done} close={close} />}
      {asked === "fork" && <Fork of={conversation} close={close} />}
    </>
  );
}

function Edit(props: { of: Conversation; done(): void; close(): void }) {
  const { id, title, tags } = props.of;
  const save = async (form: FormData) => {
    const newTitle = fieldText(form, "title");
    await engram().conversations.update(id, {
      title: newTitle === "" ? null : newTitle,
      tags: fieldTags(form),
    });
    props.close();
    props.done();
  };
  return (
    <ActionDialog title={texts.editTitle} label={MESSAGES.save} act={save} close={props.close}>
      <Field label={MESSAGES.columns.title} name="title" defaultValue={title ?? ""} />
      <TagsField tags={tags} />
    </ActionDialog>
  );
}

function Fork({ of: conversation, close }: { of: Conversation; close(): void }) {
  const { id, title, last_sequence } = conversation;
  const fork = async (form: FormData) => {
    const made = await engram().conversations.fork(id, {
      sequence: Number(form.get("sequence")),
      ...filledFields(form, "title"),
    });
    close();
    goTo(["conversations", made.id]);
  };
  return (
    <ActionDialog title={texts.fork} act={fork} close={close}>
      <p>{texts.forkText}</p>
      <Field
        label={texts.forkUpTo}
        {...{ name: "sequence", type: "number", min: 0, max: last_sequence, required: true }}
        defaultValue={last_sequence}
      />
      <Field label={texts.forkTitle} name="title" defaultValue={title ?? ""} />
    </ActionDialog>
  );
}
