import type { Memory, UpdateMemoryBody } from "@engram/sdk";
import { useState } from "preact/hooks";
import { LATER } from "../later-messages.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Facts, Screen as Frame, Id, isEmptyObject, Json, Tags, Time } from "../parts/basics.tsx";
import { Conflicts } from "../parts/conflicts.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { Field, TagsField } from "../parts/field.tsx";
import { changedContent, fieldTags } from "../parts/fields.ts";
import { ItemState } from "../parts/item-state.tsx";
import { MemoryLink } from "../parts/memory-link.tsx";
import { MemoryMarks } from "../parts/memory-marks.tsx";
import { MemorySources } from "../parts/memory-sources.tsx";
import { MemoryVersions } from "../parts/memory-versions.tsx";
import { linkFact, ownerFacts } from "../parts/owner-facts.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Prose, Text } from "../parts/text.tsx";
import { goTo, linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.memories;
const { filterLabels, columns } = MESSAGES;

export function Screen() {
  const { path, query } = route.value;
  const id = path[1] ?? "";
  const [isEditing, setEditing] = useState(false);
  const loaded = useLoaded((signal) => engram().memories.get(id, {}, { signal }), [id]);
  const memory = loaded.value;
  if (memory === undefined || loaded.error !== undefined) return <ItemState title={texts.one} of={loaded} />;
  return (
    <Frame
      title={
        <>
          {texts.one} <MemoryMarks of={memory} />
        </>
      }
      note={<Id id={id} />}
      actions={
        <>
          <button type="button" onClick={() => setEditing(true)}>
            {MESSAGES.edit}
          </button>
          <DeleteButton
            label={texts.delete}
            question={texts.deleteQuestion}
            forgets="memory"
            remove={(options) => engram().memories.delete(id, options)}
            done={() => goTo(["memories"])}
          />
        </>
      }
    >
      <Conflicts memoryId={id} ids={query.getAll("conflicts")} />
      <div class="card">
        <Prose of={memory.content} />
      </div>
      <About memory={memory} indexed={memory.chunks.map((chunk) => chunk.indexed)} />
      <MemorySources memoryId={id} sources={memory.sources} />
      <MemoryVersions id={id} updatedAt={memory.updated_at} />
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

function About({ memory, indexed }: { memory: Memory; indexed: readonly boolean[] }) {
  const { created_at, updated_at, valid_from, valid_until, occurred_at, expires_at } = memory;
  const count = indexed.filter(Boolean).length;
  return (
    <Facts
      of={[
        [columns.tags, memory.tags.length > 0 && <Tags tags={memory.tags} />],
        [texts.capturedFrom, memory.source && <Source of={memory.source} />],
        [filterLabels.externalId, memory.external_id && <Source of={memory.external_id} />],
        ...ownerFacts("memories", memory),
        [filterLabels.kind, memory.kind],
        [texts.summary, memory.summary && <Text of={memory.summary} />],
        [texts.enrichedBy, memory.enriched_by && <Text of={memory.enriched_by} />],
        [LATER.memory.validFrom, valid_from && <Time key="from" at={valid_from} />],
        [LATER.memory.validUntil, valid_until && <Time key="until" at={valid_until} />],
        [LATER.memory.occurred, occurred_at && <Time key="occurred" at={occurred_at} />],
        [LATER.memory.supersedes, memory.supersedes && <MemoryLink id={memory.supersedes} />],
        [LATER.memory.supersededBy, memory.superseded_by && <MemoryLink id={memory.superseded_by} />],
        [
          texts.index,
          <Badge key="index" tone={count === indexed.length && count > 0 ? "good" : "busy"}>
            {texts.indexed(count, indexed.length)}
          </Badge>,
        ],
        [texts.captured, <RelativeTime key="created" at={created_at} />],
        [columns.updated, updated_at !== created_at && <RelativeTime key="updated" at={updated_at} />],
        [columns.expires, expires_at && <Time key="expires" at={expires_at} />],
        linkFact(MESSAGES.navigation.places.receipts, ["receipts"], { item_id: memory.id }),
      ]}
    />
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

const TIMES = {
  valid_from: LATER.memory.validFrom,
  valid_until: LATER.memory.validUntil,
  occurred_at: LATER.memory.occurred,
};
type TimeField = keyof typeof TIMES;

/** A time as a field of the browser has it: local, to the second. Empty for none. */
function localTime(timestamp: string | null): string {
  if (timestamp === null) return "";
  const date = new Date(timestamp);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The times that were changed. The field has no milliseconds, so that an untouched one must not be sent. */
const changedTimes = (form: FormData, before: Memory): UpdateMemoryBody =>
  Object.fromEntries(
    (Object.keys(TIMES) as TimeField[]).flatMap((name) => {
      const value = String(form.get(name) ?? "");
      const isSame = value === "" ? before[name] === null : isSameTime(value, localTime(before[name]));
      return isSame ? [] : [[name, value === "" ? null : new Date(value).toISOString()]];
    }),
  );

const isSameTime = (a: string, b: string): boolean => Date.parse(a) === Date.parse(b);

function Edit(props: { of: Memory; close(): void; done(): void }) {
  const { id, content, tags } = props.of;
  const save = async (form: FormData) => {
    await engram().memories.update(id, {
      // New content removes what a text model wrote, so the same content is not sent.
      ...changedContent(form, content),
      ...changedTimes(form, props.of),
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
      <fieldset>
        <legend>
          {LATER.memory.times} <span class="note">{LATER.memory.timesNote}</span>
        </legend>
        {(Object.entries(TIMES) as [TimeField, string][]).map(([name, label]) => (
          <Field
            key={name}
            {...{ label, name, type: "datetime-local", step: 1, defaultValue: localTime(props.of[name]) }}
          />
        ))}
      </fieldset>
    </ActionDialog>
  );
}
