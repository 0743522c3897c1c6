import type { CreateRetentionRuleBody, RetentionPreview, RetentionRule } from "@engram/sdk";
import { RETENTION_DAYS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { RETENTION } from "../data-rules-messages.ts";
import { formatNumber } from "../format.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Facts, Screen as Frame, Time } from "../parts/basics.tsx";
import { Field } from "../parts/field.tsx";
import { fieldText } from "../parts/fields.ts";
import { ItemFilterFields, ItemFilterText, itemFilter } from "../parts/item-filter.tsx";
import { Named } from "../parts/named.tsx";
import { Empty, WhenLoaded } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";

const texts = RETENTION;
const { columns } = MESSAGES;
type Kind = RetentionRule["kind"];
type By = RetentionRule["by"];
const KINDS = Object.keys(texts.kinds) as Kind[];
/** Days that a new rule begins with: a year. */
const DEFAULT_DAYS = 365;

/** The times of a kind by which its age can count. */
function timesOf(kind: Kind): By[] {
  if (kind === "conversations") return ["created_at", "updated_at", "last_message_at"];
  return kind === "memories" ? ["created_at", "updated_at"] : ["created_at"];
}

/** Whether a rule of this kind can have conditions. */
const hasFilter = (kind: Kind): boolean => kind === "conversations" || kind === "memories";

/** What is asked before something changes. */
type Asked =
  | { action: "fill" }
  | { action: "create"; body: CreateRetentionRuleBody; preview: RetentionPreview }
  | { action: "switch" | "delete"; rule: RetentionRule };

/** The rules that say what is deleted at which age. */
export function Screen() {
  const loaded = useLoaded((signal) => engram().retention.list({ signal }), []);
  const [asked, ask] = useState<Asked>();
  const close = () => ask(undefined);
  const done = () => {
    close();
    loaded.reload();
  };
  return (
    <Frame
      title={texts.title}
      note={texts.note}
      actions={
        <button type="button" class="primary" onClick={() => ask({ action: "fill" })}>
          {texts.create}
        </button>
      }
    >
      <WhenLoaded of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={texts.none}>{texts.noneText}</Empty>
          ) : (
            <Table items={items} columns={columnsWith(ask)} label={texts.title} />
          )
        }
      </WhenLoaded>
      {asked?.action === "fill" && <Fill key="fill" ask={ask} close={close} />}
      {asked?.action === "create" && <Create key="create" {...asked} close={close} done={done} />}
      {asked?.action === "switch" && <Switch of={asked.rule} close={close} done={done} />}
      {asked?.action === "delete" && <Delete of={asked.rule} close={close} done={done} />}
    </Frame>
  );
}

const columnsWith = (ask: (asked: Asked) => void): readonly Column<RetentionRule>[] => [
  {
    title: texts.rule,
    kind: "wide",
    cell: (rule) => (
      <>
        <strong>
          <Text of={rule.name} />
        </strong>{" "}
        <Badge tone={rule.dry_run ? "plain" : "good"}>{rule.dry_run ? texts.counts : texts.deletes}</Badge>
        <What of={rule} />
      </>
    ),
  },
  {
    title: texts.lastApplied,
    kind: "minor",
    cell: ({ applied_at }) =>
      applied_at === null ? <span class="note">{texts.never}</span> : <Time at={applied_at} />,
  },
  {
    title: texts.matched,
    kind: "minor number",
    cell: ({ matched }) => matched !== null && formatNumber(matched),
  },
  {
    title: columns.operation,
    kind: "extra",
    cell: ({ operation_id }) =>
      operation_id && (
        <a href={linkTo(["operations", operation_id])}>
          {MESSAGES.show}
          <span class="only-read"> {operation_id}</span>
        </a>
      ),
  },
  {
    title: "",
    cell: (rule) => (
      <div class="actions">
        <button type="button" class="small" onClick={() => ask({ action: "switch", rule })}>
          {rule.dry_run ? texts.startDeleting : texts.stopDeleting}
        </button>
        <button type="button" class="small danger" onClick={() => ask({ action: "delete", rule })}>
          {MESSAGES.bulk.delete}
        </button>
      </div>
    ),
  },
];

/** What a rule is about, in a line, and its conditions. */
function What({ of: rule }: { of: Pick<RetentionRule, "kind" | "older_than_days" | "by" | "filter"> }) {
  const { kind, older_than_days, by, filter } = rule;
  return (
    <>
      <p class="note">
        {texts.kinds[kind]} · {texts.age(older_than_days)} · {texts.times[by]}
      </p>
      <ItemFilterText of={filter} />
    </>
  );
}

/** The fields of a new rule. It is created after its preview. */
function Fill({ ask, close }: { ask(asked: Asked): void; close(): void }) {
  const [kind, setKind] = useState<Kind>("conversations");
  const preview = async (form: FormData) => {
    const about = {
      kind,
      older_than_days: Number(fieldText(form, "older_than_days")),
      by: fieldText(form, "by") as By,
      filter: hasFilter(kind) ? itemFilter(form) : {},
    };
    const found = await engram().retention.preview(about);
    const body = { name: fieldText(form, "name"), ...about, dry_run: form.has("dry_run") };
    ask({ action: "create", body, preview: found });
  };
  return (
    <ActionDialog title={texts.create} label={texts.preview} act={preview} close={close}>
      <Field label={columns.name} name="name" required />
      <label>
        <span>{texts.kind}</span>
        <select
          name="kind"
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}
        >
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {texts.kinds[each]}
            </option>
          ))}
        </select>
      </label>
      <Field
        label={texts.olderThanDays}
        {...{ name: "older_than_days", type: "number", min: 1, max: RETENTION_DAYS_MAX, required: true }}
        defaultValue={DEFAULT_DAYS}
      />
      <label>
        <span>{texts.by}</span>
        <select name="by">
          {timesOf(kind).map((by) => (
            <option key={by} value={by}>
              {texts.times[by]}
            </option>
          ))}
        </select>
      </label>
      {hasFilter(kind) && (
        <fieldset>
          <legend>
            {texts.only} <span class="note">{texts.onlyNote}</span>
          </legend>
          <ItemFilterFields />
        </fieldset>
      )}
      <label class="check">
        <input type="checkbox" name="dry_run" defaultChecked />
        <span>
          {texts.dryRun} <span class="note">{texts.dryRunText}</span>
        </span>
      </label>
    </ActionDialog>
  );
}

/** What the rule would delete now, before it is created. */
function Create(props: {
  body: CreateRetentionRuleBody;
  preview: RetentionPreview;
  close(): void;
  done(): void;
}) {
  const { body, preview, close, done } = props;
  const create = async () => {
    await engram().retention.create(body);
    done();
  };
  const { kind, older_than_days, by = "created_at", filter = {}, dry_run } = body;
  return (
    <ActionDialog title={texts.create} isDanger={!dry_run} act={create} close={close}>
      <p>
        <strong>
          <Text of={body.name} />
        </strong>
      </p>
      <What of={{ kind, older_than_days, by, filter }} />
      <Matches of={preview} />
      <p>{dry_run ? texts.dryRunText : texts.startText}</p>
    </ActionDialog>
  );
}

/** What a rule matches, how much of it is held, and some of it. */
function Matches({ of: { matched, held, complete, samples } }: { of: RetentionPreview }) {
  return (
    <>
      <p>{texts.willMatch(matched, complete)}</p>
      <Facts
        of={[
          [texts.held, held > 0 && formatNumber(held)],
          [
            texts.samples,
            samples.length > 0 && (
              <code key="samples">
                <Text of={samples.join(" ")} />
              </code>
            ),
          ],
        ]}
      />
    </>
  );
}

function Switch({ of: rule, close, done }: { of: RetentionRule; close(): void; done(): void }) {
  const { id, name, dry_run } = rule;
  const change = async () => {
    await engram().retention.update(id, { dry_run: !dry_run });
    done();
  };
  return (
    <ActionDialog
      title={dry_run ? texts.startDeleting : texts.stopDeleting}
      isDanger={dry_run}
      act={change}
      close={close}
    >
      <Named of={name}>{dry_run ? texts.startText : texts.stopText}</Named>
      {dry_run && <MatchesNow of={rule} />}
    </ActionDialog>
  );
}

/** What a rule that only counts would delete if it did not. */
function MatchesNow({ of: { id, kind, older_than_days, by, filter } }: { of: RetentionRule }) {
  const loaded = useLoaded(
    (signal) => engram().retention.preview({ kind, older_than_days, by, filter }, { signal }),
    [id],
  );
  return (
    <WhenLoaded of={loaded} rows={2}>
      {(preview) => <Matches of={preview} />}
    </WhenLoaded>
  );
}

function Delete({ of: { id, name }, close, done }: { of: RetentionRule; close(): void; done(): void }) {
  const remove = async () => {
    await engram().retention.delete(id);
    done();
  };
  return (
    <ActionDialog title={texts.delete} isDanger act={remove} close={close}>
      <Named of={name}>{texts.deleteText}</Named>
    </ActionDialog>
  );
}
