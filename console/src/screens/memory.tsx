import type { Memory } from "@engram/sdk";
import { useState } from "preact/hooks";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Facts, Screen as Frame, Id, isEmptyObject, Json, Tags, Time } from "../parts/basics.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { TagsField } from "../parts/field.tsx";
import { changedContent, fieldTags } from "../parts/fields.ts";
import { ItemState } from "../parts/item-state.tsx";
import { ownerFacts } from "../parts/owner-facts.tsx";
import { Prose, Text } from "../parts/text.tsx";
import { goTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.memories;
const { filterLabels, columns } = MESSAGES;

export function Screen() {
  const id = route.value.path[1] ?? "";
  const [isEditing, setEditing] = useState(false);
  const loaded = useLoaded((signal) => engram().memories.get(id, { signal }), [id]);
  const memory = loaded.value;
  if (memory === undefined || loaded.error !== undefined) return <ItemState title={texts.one} of={loaded} />;
  const indexed = memory.chunks.filter((chunk) => chunk.indexed).length;
  return (
    <Frame
      title={texts.one}
      note={<Id id={id} />}
      actions={
        <>
          <button type="button" onClick={() => setEditing(true)}>
            {MESSAGES.edit}
          </button>
          <DeleteButton
            label={texts.delete}
            question={texts.deleteQuestion}
            remove={() => engram().memories.delete(id)}
            done={() => goTo(["memories"])}
          />
        </>
      }
    >
      <div class="card">
        <Prose of={memory.content} />
      </div>
      <Facts
        of={[
          [columns.tags, memory.tags.length > 0 && <Tags tags={memory.tags} />],
          [filterLabels.kind, memory.kind],
          ...ownerFacts("memories", memory),
          [filterLabels.source, memory.source && <Text of={memory.source} />],
          [filterLabels.externalId, memory.external_id && <Text of={memory.external_id} />],
          [texts.summary, memory.summary && <Text of={memory.summary} />],
          [texts.enrichedBy, memory.enriched_by && <Text of={memory.enriched_by} />],
          [
            texts.index,
            <Badge key="index" tone={indexed === memory.chunks.length && indexed > 0 ? "good" : "busy"}>
              {texts.indexed(indexed, memory.chunks.length)}
            </Badge>,
          ],
          [columns.created, <Time key="created" at={memory.created_at} />],
          [columns.updated, <Time key="updated" at={memory.updated_at} />],
        ]}
      />
      {!isEmptyObject(memory.metadata) && <h2>{filterLabels.metadata}</h2>}
      {!isEmptyObject(memory.metadata) && <Json of={memory.metadata} />}
      {memory.parts !== null && <h2>{MESSAGES.conversation.parts}</h2>}
      {memory.parts !== null && <Json of={memory.parts} />}
      {isEditing && (
        <Edit
          of={memory}
          close={() => setEditing(false)}
          done={() => {
            setEditing(false);
            loaded.reload();
          }}
        />
      )}
    </Frame>
  );
}

function Edit(props: { of: Memory; close(): void; done(): void }) {
  const { id, content, tags } = props.of;
  const save = async (form: FormData) => {
    await engram().memories.update(id, {
      // New content removes what a text model wrote, so the same content is not sent.
      ...changedContent(form, content),
      tags: fieldTags(form),
    });
    props.done();
  };
  return (
    <ActionDialog title={texts.edit} label={MESSAGES.save} act={save} close={props.close}>
      <label>
        <span>{columns.content}</span>
        <textarea name="content" rows={8} required defaultValue={content} />
      </label>
      <TagsField tags={tags} />
    </ActionDialog>
  );
}
