import type { AuditEvent } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { TRACES } from "../trace-messages.ts";
import { Copy } from "./basics.tsx";
import { KeyName, type KeyNames } from "./key-name.tsx";
import { Text } from "./text.tsx";

export const AuditAction = ({ of: { action } }: { of: AuditEvent }) => (
  <span class="audit-action">{TRACES.auditActions[action]}</span>
);

export const AuditBy = ({ of: { key_id }, names }: { of: AuditEvent; names: KeyNames }) =>
  key_id === null ? <span>{TRACES.audit.operator}</span> : <KeyName id={key_id} names={names} />;

/** The id of the request, with the way to what it changed. */
export const AuditRequest = ({ of: { request_id } }: { of: AuditEvent }) =>
  request_id === null ? null : (
    <span class="with-copy">
      <a href={linkTo(["trace", request_id])}>
        <code>{request_id}</code>
      </a>{" "}
      <Copy text={request_id} />
    </span>
  );

/** What was changed, by its name if it is a key, with a link if it has a page. */
export function AuditTarget({ of: { target_id: id }, names }: { of: AuditEvent; names: KeyNames }) {
  if (names.has(id)) return <KeyName id={id} names={names} />;
  const shown = (
    <code>
      <Text of={id} />
    </code>
  );
  return id.startsWith("wh_") ? <a href={linkTo(["webhooks", id])}>{shown}</a> : shown;
}

/** What has no column in a narrow page: who did it, and by which request. */
export const AuditMore = ({ of: event, names }: { of: AuditEvent; names: KeyNames }) => (
  <>
    <p class="for-minor note">
      {MESSAGES.columns.by} <AuditBy of={event} names={names} />
    </p>
    <div class="for-extra note">
      <AuditRequest of={event} />
    </div>
  </>
);
