import type { ListMemoriesQuery, Memory } from "@engram/sdk";
import { useState } from "preact/hooks";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Screen as Frame, Tags, Time } from "../parts/basics.tsx";
import { fieldTags, fieldText, filledFields } from "../parts/fields.ts";
import { type Filter, Filters, filterValue, toDay, toValues } from "../parts/filters.tsx";
import { Empty } from "../parts/states.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
import { TagsField } from "../parts/tags-field.tsx";
import { Text } from "../parts/text.tsx";
import { goTo, linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.memories;
const { filterLabels, columns } = MESSAGES;
/** Characters of a memory that the list shows. */
const SHOWN = 240;

const FILTERS: readonly Filter[] = [
  { name: "user_id", label: filterLabels.user },
  { name: "agent_id", label: filterLabels.agent },
  { name: "kind", label: filterLabels.kind, choices: ["note", "summary"] },
  { name: "tags_any", label: filterLabels.tagsAny, placeholder: filterLabels.commas },
  { name: "tags_all", label: filterLabels.tagsAll, placeholder: filterLabels.commas },
  { name: "source", label: filterLabels.source },
  { name: "external_id", label: filterLabels.externalId },
  { name: "created_after", label: filterLabels.after, type: "date" },
  { name: "created_before", label: filterLabels.before, type: "date" },
  {
    name: "sort",
    label: filterLabels.sort,
    placeholder: filterLabels.asIs,
    choices: ["created_at", "updated_at"],
  },
  { name: "order", label: filterLabels.order, placeholder: filterLabels.newestFirst, choices: ["asc"] },
];

const COLUMNS: readonly Column<Memory>[] = [
  {
    title: columns.content,
    kind: "wide",
    cell: ({ id, content, tags }) => (
      <>
        <a data-item class="two-lines" href={linkTo(["memories", id])}>
          <Text of={content.slice(0, SHOWN)} />
        </a>
        <Tags tags={tags} />
      </>
    ),
  },
  { title: columns.user, kind: "minor", cell: ({ user_id }) => user_id && <Text of={user_id} /> },
  { title: columns.agent, kind: "minor", cell: ({ agent_id }) => agent_id && <Text of={agent_id} /> },
  { title: columns.updated, kind: "minor", cell: ({ updated_at }) => <Time at={updated_at} /> },
];

export function Screen() {
  const [isOpen, setOpen] = useState(false);
  const { query } = route.value;
  const pages = usePages(
    (signal) => engram().memories.list({ ...toQuery(), limit: 50, include_total: true }, { signal }),
    [query.toString()],
  );
  return (
    <Frame
      title={texts.title}
      note={texts.note}
      actions={
        <button type="button" class="primary" onClick={() => setOpen(true)}>
          {texts.capture}
        </button>
      }
    >
      <Filters filters={FILTERS} />
      <PagedTable
        pages={pages}
        columns={COLUMNS}
        label={texts.title}
        empty={<Empty title={query.size > 0 ? texts.noMatch : texts.none}>{texts.noneText}</Empty>}
      />
      {isOpen && <Capture close={() => setOpen(false)} />}
    </Frame>
  );
}

function toQuery(): ListMemoriesQuery {
  return {
    user_id: filterValue("user_id"),
    agent_id: filterValue("agent_id"),
    kind: filterValue<"note">("kind"),
    source: filterValue("source"),
    external_id: filterValue("external_id"),
    tags_any: toValues(filterValue("tags_any")),
    tags_all: toValues(filterValue("tags_all")),
    created_after: toDay(filterValue("created_after")),
    created_before: toDay(filterValue("created_before")),
    sort: filterValue<"created_at">("sort"),
    order: filterValue<"asc">("order"),
  } as ListMemoriesQuery;
}

function Capture({ close }: { close(): void }) {
  const capture = async (form: FormData) => {
    const { id } = await engram().memories.create({
      content: fieldText(form, "content"),
      tags: fieldTags(form),
      ...filledFields(form, "user_id", "agent_id"),
    });
    goTo(["memories", id]);
  };
  return (
    <ActionDialog title={texts.capture} label={texts.capture} act={capture} close={close}>
      <label>
        <span>{columns.content}</span>
        <textarea name="content" rows={4} required />
      </label>
      <label>
        <span>{filterLabels.user}</span>
        <input name="user_id" autoComplete="off" />
      </label>
      <label>
        <span>{filterLabels.agent}</span>
        <input name="agent_id" autoComplete="off" />
      </label>
      <TagsField />
    </ActionDialog>
  );
}
