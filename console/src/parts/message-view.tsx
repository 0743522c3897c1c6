import type { FoundMessage, Message } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { MESSAGES } from "../messages.ts";
import { Facts, isEmptyObject, Json, Time } from "./basics.tsx";
import { Folded } from "./folded.tsx";
import { type Mark, Prose, Text } from "./text.tsx";

/** Characters of a tool's text above which it is folded. */
const FOLDED_ABOVE = 400;

/** A message among the results of a search: who, when, what, and what the caller stored along with it. */
export function MessageView(props: {
  message: Message | FoundMessage;
  isTarget?: boolean;
  marks?: readonly Mark[];
}) {
  const { message, isTarget = false, marks } = props;
  const { sequence, role, name, content, tool_name, created_at, updated_at } = message;
  const isFolded = role === "tool" && content.length > FOLDED_ABOVE;
  const body = <Prose of={content} {...(marks && { marks })} />;
  return (
    <article class={`message ${role} ${isTarget ? "target" : ""}`}>
      <header>
        <strong>{MESSAGES.roles[role]}</strong>
        {name !== null && <Text of={name} />}
        {tool_name !== null && (
          <code>
            <Text of={tool_name} />
          </code>
        )}
        <span class="note">#{sequence}</span>
        <Time at={created_at} />
        {updated_at !== null && <span class="note">{MESSAGES.conversation.edited}</span>}
      </header>
      {isFolded ? (
        <details>
          <summary>
            <Text of={content.slice(0, 160)} />…
          </summary>
          {body}
        </details>
      ) : (
        body
      )}
      <MessageDetails message={message} />
    </article>
  );
}

/** What is stored along with a message, folded. */
export function MessageDetails(props: {
  message: Message | FoundMessage;
  /** What can be done with the message. */
  actions?: ComponentChildren;
}) {
  const { message, actions } = props;
  const { id, tool_call_id, external_id, metadata, parts } = message;
  const summary = parts === null ? MESSAGES.conversation.details : MESSAGES.conversation.detailsWithParts;
  const hasMetadata = !isEmptyObject(metadata);
  return (
    <Folded
      class="more"
      summary={
        <summary title={summary}>
          <span aria-hidden="true">⋯</span>
          <span class="only-read">{summary}</span>
        </summary>
      }
    >
      <Facts
        of={[
          [MESSAGES.columns.id, <code key="id">{id}</code>],
          [MESSAGES.conversation.toolCall, tool_call_id && <Text of={tool_call_id} />],
          [MESSAGES.filterLabels.externalId, external_id && <Text of={external_id} />],
          [MESSAGES.conversation.stored, <Time key="stored" at={message.stored_at} />],
        ]}
      />
      {hasMetadata && <h3>{MESSAGES.filterLabels.metadata}</h3>}
      {hasMetadata && <Json of={metadata} />}
      {parts !== null && <h3>{MESSAGES.conversation.parts}</h3>}
      {parts !== null && <Json of={parts} />}
      {actions && <div class="actions">{actions}</div>}
    </Folded>
  );
}
