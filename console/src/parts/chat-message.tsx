import type { Message } from "@engram/sdk";
import type { ComponentChildren, FunctionComponent } from "preact";
import { now } from "../clock.ts";
import { formatDayHeading } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { resultText, shortOf, textBesideCalls, toolCallsOf } from "../tool-calls.ts";
import { MessageDetails } from "./message-view.tsx";
import { TimeOfDay } from "./relative-time.tsx";
import { Prose, Text } from "./text.tsx";
import { CallLine, Fold, ToolCallView, ToolResult, type Unfolded } from "./tool-call.tsx";

/** Characters of a system message above which it is folded. */
const SYSTEM_FOLDED_ABOVE = 240;

/**
 * A row of a conversation: a message, with the results of its tool calls. A user's message is at the right, in a frame;
 * an assistant's is plain; a system's and a tool's are folded.
 */
export function ChatMessage(props: {
  message: Message;
  /** The messages that answer its tool calls. */
  results: readonly Message[];
  /** The message of the row before. Undefined if it is not known. */
  before: Message | null | undefined;
  isTarget: boolean;
  /** Shows a text as Markdown. Null to show it as it is stored. */
  format: FunctionComponent<{ of: string }> | null;
  unfolded: Unfolded;
  /** What can be done with a message. */
  actions(message: Message): ComponentChildren;
  /** The way to the memories that cite a message. */
  memoriesOf(message: Message): ComponentChildren;
}) {
  const { message, results, before, isTarget, actions, memoriesOf } = props;
  const { role, name, sequence, created_at, updated_at } = message;
  const isContinued = before?.role === role && before.name === name && isSameDay(before, message);
  return (
    <>
      {before !== undefined && (before === null || !isSameDay(before, message)) && (
        <h2 class="day">{formatDayHeading(created_at, now.value)}</h2>
      )}
      <article
        class={`message ${role} ${isTarget ? "target" : ""} ${isContinued ? "continued" : ""}`}
        data-item
        tabIndex={-1}
      >
        <header>
          <span class={isContinued ? "only-read" : "speaker"}>
            <strong>{name === null ? MESSAGES.roles[role] : <Text of={name} />}</strong>
            {name !== null && <span class="note">{MESSAGES.roles[role]}</span>}
          </span>
          <span class="meta">
            {memoriesOf(message)}
            {updated_at !== null && <span class="note">{MESSAGES.conversation.edited}</span>}
            <TimeOfDay at={created_at} />
            <span class="note">#{sequence}</span>
          </span>
        </header>
        <div class="body">
          <Body {...props} results={results} />
        </div>
        <MessageDetails message={message} actions={actions(message)} />
      </article>
    </>
  );
}

const isSameDay = (a: Message, b: Message): boolean =>
  new Date(a.created_at).toDateString() === new Date(b.created_at).toDateString();

type BodyProps = Parameters<typeof ChatMessage>[0];

function Body({ message, results, format, unfolded, actions }: BodyProps) {
  const { id, role, tool_name } = message;
  const isFormatted = format !== null;
  if (role === "tool")
    return (
      <Fold
        {...{ id, unfolded }}
        class="call"
        line={<CallLine name={tool_name} output={resultText(message)} />}
      >
        <ToolResult of={message} isFormatted={isFormatted} about={null} />
      </Fold>
    );
  const text = textBesideCalls(message, isFormatted);
  const calls = toolCallsOf(message);
  if (text === "" && calls.length === 0 && message.parts !== null)
    return <p class="note">{MESSAGES.conversation.partsOnly}</p>;
  const prose = text !== "" && <Said of={text} format={format} />;
  if (role === "system" && text.length > SYSTEM_FOLDED_ABOVE)
    return (
      <Fold {...{ id, unfolded }} line={<Text of={shortOf(text)} />}>
        {prose}
      </Fold>
    );
  return (
    <>
      {prose}
      {calls.map((call, i) => (
        <ToolCallView
          key={i}
          id={`${id}/${i}`}
          {...{ unfolded, call, isFormatted }}
          results={results.filter(({ tool_call_id }) => tool_call_id === call.id)}
          about={(result) => <MessageDetails message={result} actions={actions(result)} />}
        />
      ))}
    </>
  );
}

function Said({ of: text, format: Formatted }: { of: string; format: BodyProps["format"] }) {
  return Formatted === null ? <Prose of={text} /> : <Formatted of={text} />;
}
