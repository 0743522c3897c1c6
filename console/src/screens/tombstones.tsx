import type { Tombstone } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { LATER } from "../later-messages.ts";
import { useLoaded, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { CREATED } from "../parts/columns.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";

const texts = LATER.tombstones;
const { columns } = MESSAGES;
const NUMBERS = ["conversations", "messages", "memories"] as const;

/** What was deleted and is refused when it comes again. */
export function Screen() {
  const pages = usePages((signal) => engram().tombstones.list({ limit: 50 }, { signal }), []);
  const targets = useTargets();
  const [lifted, lift] = useState<Tombstone>();
  const listColumns: readonly Column<Tombstone>[] = [
    {
      title: texts.what,
      kind: "wide",
      cell: (tombstone) => (
        <>
          <a data-item href={linkTo(["operations", tombstone.operation_id])}>
            {texts.kinds[tombstone.kind]}
          </a>
          <Target id={targets.get(tombstone.operation_id)} />
          <p class="for-extra note">{countsOf(tombstone)}</p>
        </>
      ),
    },
    ...NUMBERS.map(
      (name): Column<Tombstone> => ({
        title: columns[name],
        kind: "extra number",
        cell: ({ [name]: count }) => formatNumber(count),
      }),
    ),
    CREATED,
    {
      title: "",
      cell: (tombstone) => (
        <div class="actions">
          <button type="button" class="small" onClick={() => lift(tombstone)}>
            {texts.lift}
          </button>
        </div>
      ),
    },
  ];
  return (
    <ListScreen texts={texts} pages={pages} columns={listColumns}>
      {lifted !== undefined && (
        <Lift
          of={lifted}
          target={targets.get(lifted.operation_id)}
          close={() => lift(undefined)}
          done={() => {
            lift(undefined);
            pages.change((before) => before.filter(({ id }) => id !== lifted.id));
          }}
        />
      )}
    </ListScreen>
  );
}

const countsOf = ({ conversations, messages, memories }: Tombstone): string =>
  texts.counts(conversations, messages, memories);

/** What the newest operations were about, by their ids: of a deletion by filter, the organization. */
function useTargets(): ReadonlyMap<string, string> {
  const { value } = useLoaded(async (signal) => {
    const { items } = await engram().operations.list({ limit: PAGE_ITEMS_MAX }, { signal }).page();
    return new Map(items.map(({ id, target_id }) => [id, target_id]));
  }, []);
  return value ?? new Map();
}

/** The id of what was deleted. Nothing for a deletion by filter, which has no id. */
const Target = ({ id }: { id: string | undefined }) =>
  id === undefined || id.startsWith("org_") ? null : (
    <code class="note">
      <Text of={id} />
    </code>
  );

function Lift(props: { of: Tombstone; target: string | undefined; close(): void; done(): void }) {
  const { of: tombstone, target, close, done } = props;
  const lift = async () => {
    await engram().tombstones.delete(tombstone.id);
    done();
  };
  return (
    <ActionDialog title={texts.liftTitle} isDanger act={lift} close={close}>
      <p>
        <strong>{texts.kinds[tombstone.kind]}</strong> <Target id={target} />
      </p>
      <p class="note">{countsOf(tombstone)}</p>
      <p>{texts.liftText}</p>
      {tombstone.kind === "user" && <p>{texts.liftUser}</p>}
      <p>{texts.liftOther}</p>
    </ActionDialog>
  );
}
