import type { Member, Role } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { usePages } from "../load.ts";
import { MEMBERS } from "../member-messages.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Time } from "../parts/basics.tsx";
import { Bound } from "../parts/bound.tsx";
import { Field } from "../parts/field.tsx";
import { fieldText, filledFields } from "../parts/fields.ts";
import { ListScreen } from "../parts/list-screen.tsx";
import { Named } from "../parts/named.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { SERVICE_URL } from "../session-store.ts";

const texts = MEMBERS;
const { columns, keys } = MESSAGES;
const ROLES = Object.keys(texts.roles) as Role[];

/** What is asked before something changes. */
type Asked = { action: "add" } | { action: "link" | "change" | "remove"; member: Member };

/** The people of the organization. */
export function Screen() {
  const pages = usePages((signal) => engram().members.list({ limit: PAGE_ITEMS_MAX }, { signal }), []);
  const [asked, ask] = useState<Asked>();
  const close = () => {
    ask(undefined);
    pages.reload();
  };
  return (
    <ListScreen
      texts={texts}
      actions={
        <button type="button" class="primary" onClick={() => ask({ action: "add" })}>
          {texts.add}
        </button>
      }
      pages={pages}
      columns={columnsWith(ask)}
    >
      {asked?.action === "add" && <Add close={close} />}
      {asked !== undefined && asked.action !== "add" && <Change {...asked} close={close} />}
    </ListScreen>
  );
}

const columnsWith = (ask: (asked: Asked) => void): readonly Column<Member>[] => [
  {
    title: columns.name,
    kind: "wide",
    cell: ({ id, name, email }) => (
      <>
        <a data-item href={linkTo(["usage"], { key_id: id })}>
          <Text of={name} />
        </a>
        {email !== null && (
          <span class="note">
            <Text of={email} />
          </span>
        )}
      </>
    ),
  },
  {
    title: texts.role,
    cell: ({ role, removed_at }) =>
      removed_at === null ? (
        <Badge tone={role === "reader" ? "plain" : "good"}>{role}</Badge>
      ) : (
        <Badge tone="plain">{texts.removed}</Badge>
      ),
  },
  { title: columns.bound, kind: "extra", cell: (member) => <Bound to={member} /> },
  {
    title: columns.lastUsed,
    kind: "minor",
    cell: ({ last_used_at }) =>
      last_used_at === null ? <span class="note">{texts.never}</span> : <Time at={last_used_at} />,
  },
  {
    title: "",
    cell: (member) =>
      member.removed_at === null && (
        <div class="actions">
          <button type="button" class="small" onClick={() => ask({ action: "link", member })}>
            {texts.link}
          </button>
          <button type="button" class="small" onClick={() => ask({ action: "change", member })}>
            {texts.change}
          </button>
          <button type="button" class="small danger" onClick={() => ask({ action: "remove", member })}>
            {texts.remove}
          </button>
        </div>
      ),
  },
];

/** A new link with which a member signs in. */
async function linkFor(id: string): Promise<{ secret: string }> {
  const { code } = await engram().members.createSignInCode(id);
  return { secret: `${SERVICE_URL}/#/sign-in/${code}` };
}

function Add({ close }: { close(): void }) {
  const make = async (form: FormData) => {
    const { id } = await engram().members.create({
      ...{ name: fieldText(form, "name"), role: fieldText(form, "role") as Role },
      ...filledFields(form, "email", "agent_id", "user_id"),
    });
    return linkFor(id);
  };
  return (
    <SecretDialog title={texts.add} text={texts.linkOnce} make={make} close={close}>
      <Field label={columns.name} name="name" required />
      <Field label={texts.email} name="email" placeholder={MESSAGES.none} />
      <RoleField chosen="writer" />
      <Field label={keys.onlyAgent} name="agent_id" placeholder={MESSAGES.any} />
      <Field label={keys.onlyUser} name="user_id" placeholder={MESSAGES.any} />
    </SecretDialog>
  );
}

const RoleField = ({ chosen }: { chosen: Role }) => (
  <fieldset>
    <legend>{texts.role}</legend>
    {ROLES.map((role) => (
      <label key={role} class="check">
        <input type="radio" name="role" value={role} defaultChecked={role === chosen} />
        <span>
          {role} <span class="note">{texts.roles[role]}</span>
        </span>
      </label>
    ))}
  </fieldset>
);

function Change({ action, member, close }: Exclude<Asked, { action: "add" }> & { close(): void }) {
  const { id, name, role } = member;
  const { members } = engram();
  if (action === "link")
    return (
      <SecretDialog title={texts.linkTitle} text={texts.linkOnce} make={() => linkFor(id)} close={close}>
        <Named of={name}>{texts.linkText}</Named>
      </SecretDialog>
    );
  const isRemoval = action === "remove";
  const act = async (form: FormData) => {
    if (isRemoval) await members.delete(id);
    else await members.update(id, { role: fieldText(form, "role") as Role });
    close();
  };
  return (
    <ActionDialog
      title={isRemoval ? texts.removeTitle : texts.change}
      isDanger={isRemoval}
      act={act}
      close={close}
    >
      <Named of={name}>{isRemoval ? texts.removeText : texts.changeText}</Named>
      {!isRemoval && <RoleField chosen={role} />}
    </ActionDialog>
  );
}
