import type { Recall, Replay } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { RECALLS } from "../recall-messages.ts";
import type { ReadItem } from "../recalled-items.ts";
import { engram } from "../session.ts";
import { AnswerNotes } from "./answer-notes.tsx";
import { Badge, Time } from "./basics.tsx";
import { RecalledItemName } from "./recalled-item.tsx";
import { Failure } from "./states.tsx";
import { Table } from "./table.tsx";

const texts = RECALLS;
const TONES = { missing: "bad", added: "good", changed: "busy", moved: "plain" } as const;

/** Replays a receipt on request. */
export function useReplay(
  { id }: Recall,
  read: ReadItem,
): { button: ComponentChildren; result: ComponentChildren } {
  const [replay, setReplay] = useState<Replay>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    setError(undefined);
    try {
      setReplay(await engram().recalls.replay(id));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return {
    button: (
      <button type="button" class="primary" disabled={isBusy} onClick={start}>
        {isBusy ? texts.replaying : texts.replay}
      </button>
    ),
    result: (
      <>
        {error !== undefined && <Failure error={error} retry={start} />}
        {replay !== undefined && <Result key={replay.replayed_at} of={replay} read={read} />}
      </>
    ),
  };
}

/** That the answer is the same, or each difference with its cause. */
function Result({ of: replay, read }: { of: Replay; read: ReadItem }) {
  const { same, differences, degraded, replayed_at } = replay;
  const rows = differences.flatMap(({ before, now, ...difference }) => {
    const item = before ?? now;
    return item === undefined ? [] : [{ ...difference, item, id: `${item.part} ${item.id}` }];
  });
  return (
    <section class="card" aria-label={texts.replayTitle}>
      <p class="search-state" role="status">
        <Badge tone={same ? "good" : "busy"}>{same ? texts.same : texts.differs(rows.length)}</Badge>
        {same && <span>{texts.sameText}</span>}
        <AnswerNotes degraded={degraded} pending={0} below_min_relevance={0} />
        <Time at={replayed_at} />
      </p>
      {!same && (
        <Table
          items={rows}
          label={texts.replayTitle}
          columns={[
            {
              title: texts.change,
              cell: ({ change }) => <Badge tone={TONES[change]}>{texts.changes[change]}</Badge>,
            },
            {
              title: texts.oneItem,
              kind: "wide",
              cell: ({ item, cause }) => (
                <>
                  <RecalledItemName of={item} read={read} />
                  <p>{texts.causes[cause]}</p>
                </>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}
