import type { Message } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { indented, resultText, shortOf, type ToolCall } from "../tool-calls.ts";
import { TimeOfDay } from "./relative-time.tsx";
import { Text } from "./text.tsx";

const texts = MESSAGES.conversation;

/** Which parts of a conversation are unfolded, also while they are out of sight. */
export type Unfolded = Set<string>;

/** A part that is folded into one line until the user opens it. */
export function Fold(props: {
  id: string;
  unfolded: Unfolded;
  class?: string;
  line: ComponentChildren;
  children: ComponentChildren;
}) {
  const { id, unfolded, line, children } = props;
  const note = ({ currentTarget: { open } }: { currentTarget: HTMLDetailsElement }) =>
    open ? unfolded.add(id) : unfolded.delete(id);
  const details = useRef<HTMLDetailsElement>(null);
  // Not a property: `toggle` comes after the change, and a rendering between both would undo it.
  useLayoutEffect(() => {
    if (details.current !== null) details.current.open = unfolded.has(id);
  }, [id]);
  return (
    <details ref={details} class={`fold ${props.class ?? ""}`} onToggle={note}>
      <summary>{line}</summary>
      {children}
    </details>
  );
}

/** A tool call as a line: its name, its arguments in short, and the beginning of its result. */
export function ToolCallView(props: {
  id: string;
  unfolded: Unfolded;
  call: ToolCall;
  /** The messages that answer it. */
  results: readonly Message[];
  isFormatted: boolean;
  /** What is stored along with a result. */
  about(result: Message): ComponentChildren;
}) {
  const { id, unfolded, call, results, isFormatted, about } = props;
  const outputs = [call.output ?? [], results.map(resultText)].flat();
  return (
    <Fold
      {...{ id, unfolded }}
      class="call"
      line={<CallLine name={call.name} input={call.input} output={outputs[0]} />}
    >
      {call.input !== "" && <Part title={texts.arguments} of={call.input} isFormatted={isFormatted} />}
      {call.output !== undefined && <Part title={texts.result} of={call.output} isFormatted={isFormatted} />}
      {results.map((result) => (
        <ToolResult key={result.id} of={result} isFormatted={isFormatted} about={about(result)} />
      ))}
      {outputs.length === 0 && <p class="note">{texts.noResult}</p>}
    </Fold>
  );
}

/** The line of a tool's call or of its result alone. */
export function CallLine(props: { name: string | null; input?: string; output?: string | undefined }) {
  const { name, input = "", output } = props;
  return (
    <>
      <code class="name">{name === null ? texts.tool : <Text of={name} />}</code>
      {input !== "" && (
        <span class="input">
          <Text of={shortOf(input)} />
        </span>
      )}
      {output !== undefined && (
        <span class="output">
          <span aria-hidden="true">→ </span>
          <Text of={shortOf(output)} />
        </span>
      )}
    </>
  );
}

/** A stored result, with what is stored along with it. */
export function ToolResult(props: { of: Message; isFormatted: boolean; about: ComponentChildren }) {
  const { of: result, isFormatted, about } = props;
  return (
    <div class="tool-result">
      <Part
        title={texts.result}
        of={resultText(result)}
        isFormatted={isFormatted}
        note={
          <>
            <TimeOfDay at={result.created_at} /> <span class="note">#{result.sequence}</span>
          </>
        }
      />
      {about}
    </div>
  );
}

function Part(props: { title: string; of: string; isFormatted: boolean; note?: ComponentChildren }) {
  const { title, of: text, isFormatted, note } = props;
  return (
    <>
      <h3>
        {title} {note}
      </h3>
      {/* Reachable by keyboard because it scrolls. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content */}
      <pre tabIndex={0}>
        <Text of={isFormatted ? indented(text) : text} />
      </pre>
    </>
  );
}
