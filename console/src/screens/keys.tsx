import type { ApiKey, CreateKeyBody, Scope } from "@engram/sdk";
import { useState } from "preact/hooks";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Time } from "../parts/basics.tsx";
import { Field } from "../parts/field.tsx";
import { fieldText, filledFields } from "../parts/fields.ts";
import { ListScreen } from "../parts/list-screen.tsx";
import { Named } from "../parts/named.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.keys;
const { columns } = MESSAGES;
const SCOPES: readonly Scope[] = ["read", "write", "search", "delete", "admin"];
/** Time for which the old secret of a rotated key still works. */
const OVERLAP_SECONDS = 3_600;

/** What is asked before a key is changed. */
type Asked = { action: "create" } | { action: "rotate" | "revoke"; key: ApiKey };

export function Screen() {
  const pages = usePages((signal) => engram().keys.list({ limit: 50 }, { signal }), []);
  const [asked, setAsked] = useState<Asked>();
  const close = () => {
    setAsked(undefined);
    pages.reload();
  };
  return (
    <ListScreen<ApiKey>
      texts={texts}
      actions={
        <button type="button" class="primary" onClick={() => setAsked({ action: "create" })}>
          {texts.create}
        </button>
      }
      pages={pages}
      columns={[
        {
          title: columns.name,
          kind: "wide",
          cell: ({ id, name, prefix }) => (
            <>
              <a data-item href={linkTo(["usage"], { key_id: id })}>
                <Text of={name} />
              </a>
              <code class="note">{prefix}…</code>
            </>
          ),
        },
        { title: columns.status, cell: (key) => <State of={key} /> },
        {
          title: columns.scopes,
          kind: "minor",
          cell: ({ scopes }) => <span class="scopes">{scopes.join(", ")}</span>,
        },
        { title: columns.bound, kind: "extra", cell: (key) => <Bound to={key} /> },
        {
          title: columns.expires,
          kind: "extra",
          cell: ({ expires_at }) => expires_at && <Time at={expires_at} />,
        },
        {
          title: columns.lastUsed,
          kind: "minor",
          cell: ({ last_used_at }) =>
            last_used_at ? <Time at={last_used_at} /> : <span class="note">{texts.never}</span>,
        },
        {
          title: "",
          cell: (key) =>
            key.revoked_at === null && (
              <div class="actions">
                <button type="button" class="small" onClick={() => setAsked({ action: "rotate", key })}>
                  {texts.rotate}
                </button>
                <button
                  type="button"
                  class="small danger"
                  onClick={() => setAsked({ action: "revoke", key })}
                >
                  {texts.revoke}
                </button>
              </div>
            ),
        },
      ]}
    >
      {asked?.action === "create" && <Create close={close} />}
      {asked !== undefined && asked.action !== "create" && (
        <Change key_={asked.key} action={asked.action} close={close} />
      )}
    </ListScreen>
  );
}

function State({ of: { revoked_at, expires_at, rotated_to } }: { of: ApiKey }) {
  if (revoked_at !== null) return <Badge tone="plain">{texts.revoked}</Badge>;
  if (expires_at !== null && Date.parse(expires_at) < Date.now())
    return <Badge tone="plain">{texts.expired}</Badge>;
  return rotated_to === null ? (
    <Badge tone="good">{texts.active}</Badge>
  ) : (
    <Badge tone="busy">{texts.rotated}</Badge>
  );
}

function Bound({ to: { agent_id, user_id } }: { to: ApiKey }) {
  return (
    <>
      {agent_id !== null && <Text of={agent_id} />} {user_id !== null && <Text of={user_id} />}
    </>
  );
}

function Create({ close }: { close(): void }) {
  return (
    <SecretDialog title={texts.create} make={(form) => engram().keys.create(toBody(form))} close={close}>
      <Field label={columns.name} name="name" required />
      <fieldset>
        <legend>{columns.scopes}</legend>
        {SCOPES.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              defaultChecked={scope !== "admin" && scope !== "delete"}
            />
            <span>
              {scope} <span class="note">{texts.scopeText[scope]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field label={texts.onlyAgent} name="agent_id" placeholder={MESSAGES.any} />
      <Field label={texts.onlyUser} name="user_id" placeholder={MESSAGES.any} />
      <Field label={columns.expires} name="expires_at" type="datetime-local" />
    </SecretDialog>
  );
}

function toBody(form: FormData): CreateKeyBody {
  const { expires_at, ...bound } = filledFields(form, "agent_id", "user_id", "expires_at");
  return {
    ...{ name: fieldText(form, "name"), scopes: form.getAll("scopes") as Scope[], ...bound },
    ...(expires_at !== undefined && { expires_at: new Date(expires_at).toISOString() }),
  };
}

function Change(props: { key_: ApiKey; action: "rotate" | "revoke"; close(): void }) {
  const { key_: key, action, close } = props;
  const shown = <Named of={key.name}>{action === "rotate" ? texts.rotateText : texts.revokeText}</Named>;
  if (action === "rotate")
    return (
      <SecretDialog
        title={texts.rotate}
        make={() => engram().keys.rotate(key.id, { overlap_seconds: OVERLAP_SECONDS })}
        close={close}
      >
        {shown}
      </SecretDialog>
    );
  const revoke = async () => {
    await engram().keys.revoke(key.id);
    close();
  };
  return (
    <ActionDialog title={texts.revoke} isDanger act={revoke} close={close}>
      {shown}
    </ActionDialog>
  );
}
