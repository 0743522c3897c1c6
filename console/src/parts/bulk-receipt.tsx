import type { Operation } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { Facts } from "./basics.tsx";
import { usePoll } from "./receipt.tsx";
import { Failure } from "./states.tsx";

const texts = MESSAGES.bulk;
const RUNNING_MAX = 1_000;

type Deletion = Operation & { memories_flagged?: number; memories_deleted?: number };

/** What several deletions did, and how many of them are complete. One request asks about all that still run. */
export function BulkReceipt({ of: deletions, text }: { of: readonly Deletion[]; text: string }) {
  const [running, setRunning] = useState(deletions.filter(({ status }) => status === "running"));
  const error = usePoll(running.length > 0, async (signal) => {
    const all = await engram()
      .operations.list({ status: "running", limit: PAGE_ITEMS_MAX }, { signal })
      .toArray({ max: RUNNING_MAX });
    const ids = new Set(all.map(({ id }) => id));
    setRunning((before) => before.filter(({ id }) => ids.has(id)));
  });
  const total = deletions.length;
  const done = total - running.length;
  const sum = (name: "memories_flagged" | "memories_deleted") =>
    deletions.reduce((before, { [name]: count = 0 }) => before + count, 0);
  const counts = (["memories_flagged", "memories_deleted"] as const).map(
    (name) => [MESSAGES.counts[name], sum(name) > 0 && formatNumber(sum(name))] as const,
  );
  return (
    <>
      <p>
        {text} <a href={linkTo(["operations"])}>{texts.operations}</a>
      </p>
      <p class="progress">
        <progress value={done} max={total} aria-label={MESSAGES.progress} />
        <span>{texts.removed(formatNumber(done), formatNumber(total))}</span>
      </p>
      <Facts of={counts} />
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
