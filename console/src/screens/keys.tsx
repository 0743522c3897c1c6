import type { ApiKey, Scope } from "@engram/sdk";
import { PAGE_ITEMS_MAX, SIGN_IN_KEY_NAME, SIGN_IN_KEY_SECONDS } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Time } from "../parts/basics.tsx";
import { Bound } from "../parts/bound.tsx";
import { KeyFields, keyBody } from "../parts/key-fields.tsx";
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

/** A key, or all keys of sign-in links in one row. */
interface Row {
  id: string;
  /** The newest one, for a row of several keys. */
  key: ApiKey;
  /** Present for the row of the keys of sign-in links. */
  signIns?: readonly ApiKey[];
}

/** Another key of the name that ends as soon is no different. */
const isSignIn = ({ name, created_at, expires_at }: ApiKey): boolean =>
  name === SIGN_IN_KEY_NAME &&
  expires_at !== null &&
  Date.parse(expires_at) - Date.parse(created_at) <= SIGN_IN_KEY_SECONDS * 1_000;

/** Keys of sign-in links are one row, where the newest of them is. Each has its own below that row on request. */
function rowsOf(keys: readonly ApiKey[], isOpen: boolean): Row[] {
  const signIns = keys.filter(isSignIn);
  return keys.flatMap((key): Row[] => {
    const row = { id: key.id, key };
    if (!isSignIn(key)) return [row];
    const group = key === signIns[0] ? [{ ...row, id: SIGN_IN_KEY_NAME, signIns }] : [];
    return isOpen ? [...group, row] : group;
  });
}

export function Screen() {
  const pages = usePages((signal) => engram().keys.list({ limit: PAGE_ITEMS_MAX }, { signal }), []);
  const [asked, setAsked] = useState<Asked>();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setAsked(undefined);
    pages.reload();
  };
  return (
    <ListScreen<Row>
      texts={texts}
      actions={
        <button type="button" class="primary" onClick={() => setAsked({ action: "create" })}>
          {texts.create}
        </button>
      }
      pages={{ ...pages, items: rowsOf(pages.items, isOpen) }}
      columns={[
        {
          title: columns.name,
          kind: "wide",
          cell: ({ key: { id, name, prefix }, signIns }) =>
            signIns === undefined ? (
              <>
                <a data-item href={linkTo(["usage"], { key_id: id })}>
                  <Text of={name} />
                </a>
                <code class="note">{prefix}…</code>
              </>
            ) : (
              <>
                <strong>{texts.signIns}</strong> <Badge tone="plain">{texts.fromLinks}</Badge>
                <p class="note">{texts.signInsText}</p>
              </>
            ),
        },
        {
          title: columns.status,
          cell: ({ key, signIns }) => (signIns === undefined ? <State of={key} /> : <Active of={signIns} />),
        },
        {
          title: columns.scopes,
          kind: "minor",
          cell: ({ key }) => <span class="scopes">{key.scopes.join(", ")}</span>,
        },
        { title: columns.bound, kind: "extra", cell: ({ key }) => <Bound to={key} /> },
        {
          title: columns.expires,
          kind: "extra",
          cell: ({ key: { expires_at } }) => expires_at && <Time at={expires_at} />,
        },
        {
          title: columns.lastUsed,
          kind: "minor",
          cell: ({ key, signIns = [key] }) => {
            const last = signIns
              .flatMap(({ last_used_at }) => last_used_at ?? [])
              .sort()
              .at(-1);
            return last === undefined ? <span class="note">{texts.never}</span> : <Time at={last} />;
          },
        },
        {
          title: "",
          cell: ({ key, signIns }) => {
            if (signIns !== undefined)
              return (
                <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                  {isOpen ? MESSAGES.hide : MESSAGES.show}
                </button>
              );
            return (
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
              )
            );
          },
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

const hasExpired = ({ expires_at }: ApiKey): boolean =>
  expires_at !== null && Date.parse(expires_at) < Date.now();

function Active({ of: keys }: { of: readonly ApiKey[] }) {
  const count = keys.filter((key) => key.revoked_at === null && !hasExpired(key)).length;
  return <Badge tone={count === 0 ? "plain" : "good"}>{texts.activeOf(count, keys.length)}</Badge>;
}

function State({ of: key }: { of: ApiKey }) {
  if (key.revoked_at !== null) return <Badge tone="plain">{texts.revoked}</Badge>;
  if (hasExpired(key)) return <Badge tone="plain">{texts.expired}</Badge>;
  return key.rotated_to === null ? (
    <Badge tone="good">{texts.active}</Badge>
  ) : (
    <Badge tone="busy">{texts.rotated}</Badge>
  );
}

function Create({ close }: { close(): void }) {
  return (
    <SecretDialog title={texts.create} make={(form) => engram().keys.create(keyBody(form))} close={close}>
      <KeyFields scopes={SCOPES} />
    </SecretDialog>
  );
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
