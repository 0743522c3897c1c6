import { ApiError, type Archive, type ArchiveSchedule } from "@engram/sdk";
import { ARCHIVE_DAYS_MAX, PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { ARCHIVES } from "../data-rules-messages.ts";
import { formatBytes } from "../format.ts";
import { useLoaded, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Facts, Time } from "../parts/basics.tsx";
import { Field } from "../parts/field.tsx";
import { fieldText } from "../parts/fields.ts";
import { ListScreen } from "../parts/list-screen.tsx";
import { usePoll } from "../parts/receipt.tsx";
import { Empty, Failure } from "../parts/states.tsx";
import type { Column } from "../parts/table.tsx";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";

const texts = ARCHIVES;
const { columns } = MESSAGES;

/** What is asked before something changes. */
type Asked = { action: "create" | "schedule" } | { action: "delete"; archive: Archive };

/** The copies of the organization in an object store, and when others are made. */
export function Screen() {
  const list = (signal: AbortSignal) => engram().archives.list({ limit: PAGE_ITEMS_MAX }, { signal });
  const pages = usePages(list, []);
  const schedule = useLoaded((signal) => engram().archives.getSchedule({ signal }), []);
  const [asked, ask] = useState<Asked>();
  const [hasStore, setStore] = useState(true);
  const close = () => ask(undefined);
  // An archive that is written grows until it is complete.
  usePoll(pages.items.some(isWriting), async (signal) => {
    const { items } = await list(signal).page();
    const newest = new Map(items.map((archive) => [archive.id, archive]));
    pages.change((before) => before.map((archive) => newest.get(archive.id) ?? archive));
  });
  /** Does the work of a dialog. A service without an object store is no failure: the screen says so instead. */
  const act = async (work: () => Promise<unknown>) => {
    try {
      await work();
      pages.reload();
      schedule.reload();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "not_configured")) throw error;
      setStore(false);
    }
    close();
  };
  return (
    <ListScreen
      texts={texts}
      actions={
        <>
          <button type="button" onClick={() => ask({ action: "schedule" })}>
            {texts.schedule}
          </button>
          <button type="button" class="primary" onClick={() => ask({ action: "create" })}>
            {texts.create}
          </button>
        </>
      }
      top={
        <>
          {!hasStore && <Empty title={texts.noStore}>{texts.noStoreText}</Empty>}
          {schedule.value !== undefined && <Schedule of={schedule.value} />}
          {schedule.error !== undefined && pages.error === undefined && (
            <Failure what={texts.notScheduled} error={schedule.error} retry={schedule.reload} />
          )}
        </>
      }
      pages={pages}
      columns={columnsWith(ask)}
    >
      {asked?.action === "create" && <Create act={act} close={close} />}
      {asked?.action === "schedule" && <SetSchedule of={schedule.value} act={act} close={close} />}
      {asked?.action === "delete" && (
        <ActionDialog
          title={texts.delete}
          isDanger
          act={() => act(() => engram().archives.delete(asked.archive.id))}
          close={close}
        >
          <p>
            <strong>
              <Time at={asked.archive.created_at} />
            </strong>
          </p>
          <p class="note">{contentsOf(asked.archive)}</p>
          <p>{texts.deleteText}</p>
        </ActionDialog>
      )}
    </ListScreen>
  );
}

const isWriting = ({ completed_at }: Archive): boolean => completed_at === null;

const contentsOf = ({ counts: { conversations, messages, memories } }: Archive): string =>
  texts.counts(conversations, messages, memories);

const columnsWith = (ask: (asked: Asked) => void): readonly Column<Archive>[] => [
  {
    title: columns.created,
    cell: ({ created_at, operation_id }) => (
      <a data-item href={linkTo(["operations", operation_id])}>
        <Time at={created_at} />
      </a>
    ),
  },
  {
    title: texts.contents,
    kind: "wide",
    cell: (archive) => (
      <>
        {isWriting(archive) ? (
          <Badge tone="busy">{texts.writing}</Badge>
        ) : (
          <Badge tone="good">{texts.complete}</Badge>
        )}
        <p>{contentsOf(archive)}</p>
      </>
    ),
  },
  { title: columns.size, kind: "minor number", cell: ({ stored_bytes }) => formatBytes(stored_bytes) },
  {
    title: columns.expires,
    kind: "minor",
    cell: ({ expires_at }) =>
      expires_at === null ? <span class="note">{texts.kept}</span> : <Time at={expires_at} />,
  },
  {
    title: "",
    cell: (archive) => (
      <button type="button" class="small danger" onClick={() => ask({ action: "delete", archive })}>
        {MESSAGES.bulk.delete}
      </button>
    ),
  },
];

function Schedule({ of: { every_days, keep_days, next_at } }: { of: ArchiveSchedule }) {
  if (every_days === null) return null;
  return (
    <Facts
      of={[
        [texts.schedule, `${texts.every(every_days)}, ${texts.keptFor(keep_days)}`],
        [texts.next, next_at && <Time key="next" at={next_at} />],
      ]}
    />
  );
}

interface AskedDialog {
  act(work: () => Promise<unknown>): Promise<void>;
  close(): void;
}

/** A field for a number of days that may be empty. */
const Days = (props: { name: string; label: string; note: string; value?: number | null | undefined }) => (
  <Field
    label={
      <>
        {props.label} <span class="note">{props.note}</span>
      </>
    }
    {...{ name: props.name, type: "number", min: 1, max: ARCHIVE_DAYS_MAX, defaultValue: props.value ?? "" }}
  />
);

/** The number of days in a field. Null if it is empty. */
function daysOf(form: FormData, name: string): number | null {
  const text = fieldText(form, name);
  return text === "" ? null : Number(text);
}

const Create = ({ act, close }: AskedDialog) => (
  <ActionDialog
    title={texts.create}
    close={close}
    act={(form) => act(() => engram().archives.create({ expires_in_days: daysOf(form, "expires_in_days") }))}
  >
    <p>{texts.createText}</p>
    <Days name="expires_in_days" label={texts.expiresInDays} note={texts.keepNote} />
  </ActionDialog>
);

const SetSchedule = ({ of: schedule, act, close }: AskedDialog & { of: ArchiveSchedule | undefined }) => (
  <ActionDialog
    title={texts.schedule}
    label={MESSAGES.save}
    close={close}
    act={(form) =>
      act(() =>
        engram().archives.setSchedule({
          every_days: daysOf(form, "every_days"),
          keep_days: daysOf(form, "keep_days"),
        }),
      )
    }
  >
    <Days name="every_days" label={texts.everyDays} note={texts.everyNote} value={schedule?.every_days} />
    <Days name="keep_days" label={texts.keepDays} note={texts.keepEach} value={schedule?.keep_days} />
  </ActionDialog>
);
