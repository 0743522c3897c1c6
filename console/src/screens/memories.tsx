import type { ListMemoriesQuery, Memory } from "@engram/sdk";
import { useEffect, useState } from "preact/hooks";
import { LATER } from "../later-messages.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { AGENT, MEMORY, UPDATED_AGO, USER } from "../parts/columns.tsx";
import { Field, TagsField } from "../parts/field.tsx";
import { fieldTags, fieldText, filledFields } from "../parts/fields.ts";
import { commonFilters, type Filter, filtered, orderFilters } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { MemoryBulk, nameOf } from "../parts/memory-bulk.tsx";
import { selectColumn, selectFocused } from "../parts/select-column.tsx";
import type { Column } from "../parts/table.tsx";
import { goTo, route } from "../route.ts";
import { useSelection } from "../selection.ts";
import { engram } from "../session.ts";
import { onKeys } from "../shortcuts.ts";

const texts = MESSAGES.memories;
const { filterLabels, columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  ...commonFilters("user_id", "agent_id"),
  { name: "kind", label: filterLabels.kind, choices: ["note", "summary"] },
  ...commonFilters("tags_any", "tags_all"),
  { name: "source", label: filterLabels.source },
  ...commonFilters("external_id", "created_after", "created_before", "valid_at", "as_of"),
  {
    ...{ name: "source_conversation_id", label: LATER.memory.fromConversation },
    placeholder: "conv_…",
  },
  { name: "source_message_id", label: LATER.memory.fromMessage, placeholder: "msg_…" },
  ...orderFilters("created_at", "updated_at"),
];

const COLUMNS: readonly Column<Memory>[] = [MEMORY, USER, AGENT, UPDATED_AGO];

export function Screen() {
  const [isOpen, setOpen] = useState(false);
  const identity = route.value.query.toString();
  const pages = usePages(
    (signal) => {
      const query = { ...filtered(FILTERS), limit: 50, include_total: true } as ListMemoriesQuery;
      return engram().memories.list(query, { signal });
    },
    [identity],
  );
  const selection = useSelection(pages.items, [identity]);
  useEffect(() => onKeys({ x: selectFocused }), []);
  return (
    <ListScreen
      texts={texts}
      actions={
        <button type="button" class="primary" onClick={() => setOpen(true)}>
          {texts.capture}
        </button>
      }
      filters={FILTERS}
      pages={pages}
      columns={[selectColumn(selection, pages.items, nameOf), ...COLUMNS]}
    >
      <MemoryBulk
        items={pages.items.filter(({ id }) => selection.ids.has(id))}
        clear={() => selection.set(false)}
        deleted={pages.reload}
      />
      {isOpen && <Capture close={() => setOpen(false)} />}
    </ListScreen>
  );
}

function Capture({ close }: { close(): void }) {
  const capture = async (form: FormData) => {
    const { id, possible_conflicts } = await engram().memories.create({
      content: fieldText(form, "content"),
      tags: fieldTags(form),
      check_conflicts: true,
      ...filledFields(form, "user_id", "agent_id"),
    });
    goTo(["memories", id], { conflicts: possible_conflicts });
  };
  return (
    <ActionDialog title={texts.capture} act={capture} close={close}>
      <label>
        <span>{columns.content}</span>
        <textarea name="content" rows={4} required />
      </label>
      <Field label={filterLabels.user} name="user_id" />
      <Field label={filterLabels.agent} name="agent_id" />
      <TagsField />
    </ActionDialog>
  );
}
