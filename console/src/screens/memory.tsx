import type { Memory } from "@engram/sdk";
import { useState } from "preact/hooks";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Facts, Screen as Frame, Id, isEmptyObject, Json, Tags } from "../parts/basics.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { TagsField } from "../parts/field.tsx";
import { changedContent, fieldTags } from "../parts/fields.ts";
import { ItemState } from "../parts/item-state.tsx";
import { ownerFacts } from "../parts/owner-facts.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Prose, Text } from "../parts/text.tsx";
import { goTo, linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.memories;
const { filterLabels, columns } = MESSAGES;

export function Screen() {
  const id = route.value.path[1] ?? "";
  const [isEditing, setEditing] = useState(false);
  const loaded = useLoaded((signal) => engram().memories.get(id, {}, { signal }), [id]);
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
          [texts.capturedFrom, memory.source && <Source of={memory.source} />],
          [filterLabels.externalId, memory.external_id && <Source of={memory.external_id} />],
          ...ownerFacts("memories", memory),
          [filterLabels.kind, memory.kind],
          [texts.summary, memory.summary && <Text of={memory.summary} />],
          [texts.enrichedBy, memory.enriched_by && <Text of={memory.enriched_by} />],
          [
            texts.index,
            <Badge key="index" tone={indexed === memory.chunks.length && indexed > 0 ? "good" : "busy"}>
              {texts.indexed(indexed, memory.chunks.length)}
            </Badge>,
          ],
          [texts.captured, <RelativeTime key="created" at={memory.created_at} />],
          [
            columns.updated,
            memory.updated_at !== memory.created_at && <RelativeTime key="updated" at={memory.updated_at} />,
          ],
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

/** Where a memory comes from, with a link if that is the id of a conversation. */
function Source({ of: source }: { of: string }) {
  const id = /\bconv_[0-9a-z]{20}\b/.exec(source)?.[0];
  if (id === undefined) return <Text of={source} />;
  return (
    <a href={linkTo(["conversations", id])}>
      <Text of={source} />
    </a>
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
