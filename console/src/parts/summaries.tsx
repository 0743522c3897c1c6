import type { Summary } from "@engram/sdk";
import { SUMMARY_LEVELS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { useAction, useLoaded, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";
import { SUMMARIES } from "../summary-messages.ts";
import { Badge } from "./basics.tsx";
import { usePoll } from "./receipt.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { Empty, Failure, Loading, WhenLoaded } from "./states.tsx";
import { Text } from "./text.tsx";

const texts = SUMMARIES;
const LIMIT = 50;

/** The highest level of which the conversation has summaries; 0 if it has none. */
async function highestLevel(id: string, signal: AbortSignal): Promise<number> {
  for (let level = 1; level <= SUMMARY_LEVELS_MAX; level++) {
    const { items } = await engram().summaries.list(id, { level, limit: 1 }, { signal }).page();
    if (items.length === 0) return level - 1;
  }
  return SUMMARY_LEVELS_MAX;
}

/** The summaries of a conversation, in place of its messages: those of one level, the highest unless the URL has another. */
export function Screen() {
  const id = route.value.path[1] ?? "";
  const [round, setRound] = useState(0);
  const making = useMaking(id, () => setRound((before) => before + 1));
  const highest = useLoaded((signal) => highestLevel(id, signal), [id, round]);
  const chosen = Number(route.value.query.get("level"));
  const levels = highest.value ?? 0;
  const level = chosen >= 1 && chosen <= levels ? chosen : levels;
  return (
    <section class="chat" aria-label={texts.title}>
      <div class="chat-bar">
        <a href={linkTo(["conversations", id])}>← {texts.messages}</a>
        {levels > 1 && (
          <nav class="actions" aria-label={texts.levels}>
            {Array.from({ length: levels }, (_, i) => (
              <a
                key={i}
                class="view"
                title={texts.levelText(i + 1)}
                aria-current={level === i + 1 ? "page" : undefined}
                href={linkTo(["conversations", id], { show: "summaries", level: String(i + 1) })}
              >
                {texts.level(i + 1)}
              </a>
            ))}
          </nav>
        )}
        {making.button}
      </div>
      {making.error !== undefined && <Failure error={making.error} />}
      <WhenLoaded of={highest}>
        {() =>
          level === 0 ? (
            <Empty title={texts.none}>{texts.noneText}</Empty>
          ) : (
            <Level key={`${level}/${round}`} {...{ id, level }} />
          )
        }
      </WhenLoaded>
    </section>
  );
}

/** Makes the summaries that are missing, and waits for them. */
function useMaking(id: string, done: () => void) {
  const [upTo, setUpTo] = useState<number>();
  const { error, run } = useAction();
  const isPending = upTo !== undefined;
  const pollError = usePoll(isPending, async (signal) => {
    const query = { level: 1, from_sequence: upTo ?? 1, limit: 1 };
    const { items } = await engram().summaries.list(id, query, { signal }).page();
    if (items.length === 0) return;
    setUpTo(undefined);
    done();
  });
  const make = () => run(async () => setUpTo((await engram().summaries.create(id)).last_sequence));
  return {
    error: error ?? (isPending ? pollError : undefined),
    button: (
      <>
        <button type="button" class="small" disabled={isPending} onClick={make}>
          {texts.now}
        </button>
        <span role="status">{isPending && <Badge tone="busy">{texts.pending}</Badge>}</span>
      </>
    ),
  };
}

function Level({ id, level }: { id: string; level: number }) {
  const pages = usePages(
    (signal) => engram().summaries.list(id, { level, limit: LIMIT }, { signal }),
    [id, level],
  );
  const { items, error, isLoading, hasMore, more, reload } = pages;
  return (
    <div class="virtual-list">
      <ol class="sources">
        {items.map((summary) => (
          <li key={summary.from_sequence}>
            <OneSummary of={summary} />
          </li>
        ))}
      </ol>
      {error !== undefined && <Failure error={error} retry={items.length === 0 ? reload : more} />}
      {isLoading && <Loading rows={3} />}
      {hasMore && !isLoading && (
        <button type="button" onClick={more}>
          {MESSAGES.more}
        </button>
      )}
    </div>
  );
}

/** What a part of the conversation says, each sentence with the messages that say so. */
function OneSummary({ of: summary }: { of: Summary }) {
  const { conversation_id, from_sequence, to_sequence, sentences, full, model, created_at } = summary;
  const placeOf = (sequence: number) => linkTo(["conversations", conversation_id], { at: String(sequence) });
  return (
    <>
      <p class="note">
        <a data-item href={placeOf(from_sequence)}>
          {texts.range(from_sequence, to_sequence)}
        </a>
        {!full && <span title={texts.soFarText}>{texts.soFar}</span>}
        <span>
          {model === null ? (
            texts.verbatim
          ) : (
            <>
              {texts.model} <Text of={model} />
            </>
          )}
        </span>
        <RelativeTime at={created_at} />
      </p>
      {sentences.length === 0 && <p>{texts.noSentences}</p>}
      {sentences.map(({ text, cites }, i) => (
        <p key={i}>
          <Text of={text} />{" "}
          <span class="tags">
            {cites.map(({ message_id, sequence }) => (
              <a key={message_id} class="tag" aria-label={texts.cites(sequence)} href={placeOf(sequence)}>
                #{sequence}
              </a>
            ))}
          </span>
        </p>
      ))}
    </>
  );
}
