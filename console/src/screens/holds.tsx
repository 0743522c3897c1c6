import type { Hold, HoldFilter } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { HOLDS } from "../data-rules-messages.ts";
import { useLoaded, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Facts, Json, Time } from "../parts/basics.tsx";
import { CREATED } from "../parts/columns.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { fieldText } from "../parts/fields.ts";
import { ItemFilterFields, ItemFilterText, itemFilter } from "../parts/item-filter.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { Named } from "../parts/named.tsx";
import { WhenLoaded } from "../parts/states.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { engram } from "../session.ts";

const texts = HOLDS;
const CORPORA = Object.keys(texts.corpora) as (keyof typeof texts.corpora)[];

/** What is asked or shown in a dialog. */
type Asked = { action: "create" } | { action: "show" | "lift"; hold: Hold };

const useHolds = (status: Hold["status"]) =>
  usePages((signal) => engram().holds.list({ status, limit: PAGE_ITEMS_MAX }, { signal }), []);

/** The legal holds: the active ones first, then those that were lifted. */
export function Screen() {
  const active = useHolds("active");
  const lifted = useHolds("lifted");
  const [asked, ask] = useState<Asked>();
  const close = () => ask(undefined);
  const done = () => {
    close();
    active.reload();
    lifted.reload();
  };
  return (
    <ListScreen
      texts={texts}
      actions={
        <button type="button" class="primary" onClick={() => ask({ action: "create" })}>
          {texts.create}
        </button>
      }
      pages={active}
      columns={[...shared(ask), CREATED, actions(ask)]}
    >
      {(lifted.items.length > 0 || (lifted.error !== undefined && active.error === undefined)) && (
        <>
          <h2>{texts.lifted}</h2>
          <PagedTable
            pages={lifted}
            label={texts.lifted}
            empty={null}
            columns={[
              ...shared(ask),
              { title: texts.lifted, cell: ({ lifted_at }) => lifted_at && <Time at={lifted_at} /> },
              actions(ask),
            ]}
          />
        </>
      )}
      {asked?.action === "create" && <Create close={close} done={done} />}
      {asked?.action === "show" && <Details of={asked.hold} close={close} />}
      {asked?.action === "lift" && <Lift of={asked.hold} close={close} done={done} />}
    </ListScreen>
  );
}

const shared = (ask: (asked: Asked) => void): readonly Column<Hold>[] => [
  {
    title: texts.reason,
    kind: "wide",
    cell: (hold) => (
      <button type="button" class="link" data-item onClick={() => ask({ action: "show", hold })}>
        <Text of={hold.reason} />
      </button>
    ),
  },
  { title: texts.held, kind: "minor", cell: (hold) => <What of={hold} /> },
];

const actions = (ask: (asked: Asked) => void): Column<Hold> => ({
  title: "",
  cell: (hold) =>
    hold.status === "active" && (
      <button type="button" class="small danger" onClick={() => ask({ action: "lift", hold })}>
        {texts.lift}
      </button>
    ),
});

/** The ids or the conditions of a hold, in short. */
function What({ of: { filter, item_count } }: { of: Hold }) {
  if (filter === null) return texts.someIds(item_count ?? 0);
  const { corpus, ...conditions } = filter;
  return (
    <>
      {corpus !== undefined && <p>{texts.corpora[corpus]}</p>}
      {corpus === undefined && Object.keys(conditions).length === 0 && <p>{texts.everything}</p>}
      <ItemFilterText of={conditions} />
    </>
  );
}

/** A hold with how much it holds now, which a list does not count. */
function Details({ of: hold, close }: { of: Hold; close(): void }) {
  const loaded = useLoaded((signal) => engram().holds.get(hold.id, { signal }), [hold.id]);
  return (
    <Dialog title={texts.one} close={close}>
      <WhenLoaded of={loaded}>
        {({ ids, conversations, memories, complete, status, lifted_at, lifted_by }) => (
          <>
            <Facts
              of={[
                [texts.reason, <Text key="reason" of={hold.reason} />],
                [texts.held, <What key="held" of={hold} />],
                [texts.now, status === "active" && texts.counts(conversations, memories, complete)],
                [MESSAGES.columns.created, <Time key="created" at={hold.created_at} />],
                [texts.createdBy, <code key="by">{hold.created_by}</code>],
                [texts.lifted, lifted_at && <Time key="lifted" at={lifted_at} />],
                [texts.liftedBy, lifted_by && <code key="lifter">{lifted_by}</code>],
              ]}
            />
            {ids !== null && <Json of={ids} />}
          </>
        )}
      </WhenLoaded>
    </Dialog>
  );
}

function Create({ close, done }: { close(): void; done(): void }) {
  const create = async (form: FormData) => {
    const ids = fieldText(form, "ids").split(/\s+/).filter(Boolean);
    const corpus = fieldText(form, "corpus") as HoldFilter["corpus"] | "";
    const filter = { ...(corpus && { corpus }), ...itemFilter(form) };
    const isFiltered = ids.length === 0 || Object.keys(filter).length > 0;
    await engram().holds.create({
      reason: fieldText(form, "reason"),
      // The service refuses both, and says so.
      ...(ids.length > 0 && { ids }),
      ...(isFiltered && { filter }),
    });
    done();
  };
  return (
    <ActionDialog title={texts.create} act={create} close={close}>
      <Field label={texts.reason} name="reason" required />
      <label>
        <span>
          {texts.ids} <span class="note">{MESSAGES.tagsNote}</span>
        </span>
        <textarea name="ids" rows={2} class="code" spellcheck={false} />
      </label>
      <fieldset>
        <legend>
          {texts.matching} <span class="note">{texts.matchingNote}</span>
        </legend>
        <label>
          <span>{texts.corpus}</span>
          <select name="corpus">
            <option value="">{texts.both}</option>
            {CORPORA.map((corpus) => (
              <option key={corpus} value={corpus}>
                {texts.corpora[corpus]}
              </option>
            ))}
          </select>
        </label>
        <ItemFilterFields />
      </fieldset>
    </ActionDialog>
  );
}

function Lift({ of: hold, close, done }: { of: Hold; close(): void; done(): void }) {
  const lift = async () => {
    await engram().holds.lift(hold.id);
    done();
  };
  return (
    <ActionDialog title={texts.liftTitle} isDanger act={lift} close={close}>
      <Named of={hold.reason}>{texts.liftText}</Named>
      <What of={hold} />
    </ActionDialog>
  );
}
