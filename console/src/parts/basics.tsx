import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatLong, formatShort } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { Text } from "./text.tsx";

/** A screen: its title, what can be done, and its content. */
export function Screen(props: {
  title: ComponentChildren;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <>
      <header class="screen-head">
        <div>
          <h1>{props.title}</h1>
          {props.note && <p class="note">{props.note}</p>}
        </div>
        {props.actions && <div class="actions">{props.actions}</div>}
      </header>
      {props.children}
    </>
  );
}

/** A time in the user's zone, with UTC on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatLong(at)}>
      {formatShort(at)}
    </time>
  );
}

export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span class="tags">
      {tags.map((tag) => (
        <span key={tag} class="tag">
          <Text of={tag} />
        </span>
      ))}
    </span>
  );
}

/** A word for a state, coloured by how it is. */
export function Badge({
  tone,
  children,
}: {
  tone: "good" | "bad" | "busy" | "plain";
  children: ComponentChildren;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Copy({ text, label = MESSAGES.copy }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      <span aria-live="polite">{isDone ? MESSAGES.copied : label}</span>
    </button>
  );
}

/** An id in full, with a button that copies it. */
export function Id({ id }: { id: string }) {
  return (
    <span class="id">
      <code>
        <Text of={id} />
      </code>
      <Copy text={id} />
    </span>
  );
}

/** Facts in two columns: name and value. Absent values are left out. */
export function Facts({ of: facts }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** JSON of the caller's, as text. Null and empty objects are left out. */
export function Json({ of: value }: { of: unknown }) {
  return (
    // Reachable by keyboard because it scrolls.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content
    <pre class="json" tabIndex={0}>
      <Text of={JSON.stringify(value, null, 2)} />
    </pre>
  );
}

export const isEmptyObject = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.keys(value as object).length === 0);
