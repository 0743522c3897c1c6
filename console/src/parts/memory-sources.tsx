import type { Source } from "@engram/sdk";
import { useMemo } from "preact/hooks";
import { firstWords } from "../format.ts";
import { LATER } from "../later-messages.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { createReader, type ReadSaid } from "../said.ts";
import { Badge } from "./basics.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { Text } from "./text.tsx";

const texts = LATER.sources;
const TONES = { intact: "good", edited: "busy", deleted: "bad" } as const;

/** The messages that a memory cites: what they say, in which state they are, and the way to each. */
export function MemorySources({ memoryId, sources }: { memoryId: string; sources: readonly Source[] }) {
  const read = useMemo(createReader, [memoryId]);
  if (sources.length === 0) return null;
  return (
    <section aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p class="note">{texts.note}</p>
      <ol class="sources">
        {sources.map((source, i) => (
          <li key={i}>
            <Cited of={source} memoryId={memoryId} read={read} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Cited({ of: source, memoryId, read }: { of: Source; memoryId: string; read: ReadSaid }) {
  const { conversation_id, message_id, sequence, quote, state } = source;
  const { value } = useLoaded(
    async () => (state === "deleted" ? null : read(conversation_id, message_id)),
    [conversation_id, message_id, state],
  );
  const message = value?.message;
  const whole = message && (firstWords(message.content) || MESSAGES.conversation.partsOnly);
  const cited = quote ?? (state === "intact" ? whole : undefined);
  return (
    <>
      {cited !== undefined && (
        <blockquote>
          <Text of={cited} />
        </blockquote>
      )}
      {state === "deleted" && <p>{texts.gone}</p>}
      {state === "edited" && quote === null && <p>{texts.lost}</p>}
      <p class="note">
        <span title={texts.stateTexts[state]}>
          <Badge tone={TONES[state]}>{texts.states[state]}</Badge>
        </span>
        <a
          data-item
          href={linkTo(["conversations", conversation_id], { at: String(sequence), memory: memoryId })}
        >
          {texts.message(sequence)}
          {value?.title && (
            <>
              {" · "}
              <Text of={value.title} />
            </>
          )}
        </a>
        {message && (
          <>
            <span>{message.name === null ? MESSAGES.roles[message.role] : <Text of={message.name} />}</span>
            <RelativeTime at={message.created_at} />
          </>
        )}
      </p>
    </>
  );
}
