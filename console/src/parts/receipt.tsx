import type { Operation } from "@engram/sdk";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { Badge, Facts, Time } from "./basics.tsx";
import { Failure } from "./states.tsx";

/** Time until the next request. It grows, because a deletion may take from a second to days. */
const POLL_MS = 700;
const POLL_MAX_MS = 10_000;
const POLL_GROWTH = 1.3;

const TONES = { running: "busy", succeeded: "good", canceled: "plain", failed: "bad" } as const;

export function Status({ of: status }: { of: Operation["status"] }) {
  return <Badge tone={TONES[status]}>{MESSAGES.statuses[status]}</Badge>;
}

/** Calls `ask` again and again while `isRunning`, also after it failed. @returns Why the last call failed, if it did. */
export function usePoll(isRunning: boolean, ask: (signal: AbortSignal) => Promise<void>): unknown {
  const [error, setError] = useState<unknown>();
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!isRunning) return;
    const controller = new AbortController();
    const { signal } = controller;
    let waitMs = POLL_MS;
    let timer: ReturnType<typeof setTimeout>;
    const poll = async () => {
      const failure = await latest.current(signal).catch((reason) => reason);
      if (signal.aborted) return;
      setError(failure);
      waitMs = Math.min(waitMs * POLL_GROWTH, POLL_MAX_MS);
      timer = setTimeout(poll, waitMs);
    };
    timer = setTimeout(poll, waitMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isRunning]);
  return error;
}

/** An operation, followed to its end. */
export function useOperation(first: Operation): { operation: Operation; error: unknown } {
  const [operation, setOperation] = useState(first);
  useEffect(() => setOperation(first), [first.id]);
  const error = usePoll(operation.status === "running", async (signal) =>
    setOperation(await engram().operations.get(first.id, { signal })),
  );
  return { operation, error };
}

/** The receipt of long-running work, followed to its end. */
export const Receipt = ({ of: first }: { of: Operation }) => <ReceiptView {...useOperation(first)} />;

/** The receipt of long-running work: each step with the time at which it was done, and what it changed. */
export function ReceiptView({ operation, error }: { operation: Operation; error: unknown }) {
  const steps = stepsOf(operation);
  return (
    <section class="receipt" aria-live="polite">
      <p>
        <Status of={operation.status} />{" "}
        <a href={linkTo(["operations", operation.id])}>
          <code>{operation.id}</code>
        </a>
      </p>
      {"progress" in operation && operation.progress !== null && operation.progress !== undefined && (
        <Progress of={operation.progress} />
      )}
      <ol>
        {steps.map(([name, at]) => (
          <li key={name} class={at === null ? "open" : "done"}>
            <span>{name}</span>
            {at === null ? <span class="note">{MESSAGES.waiting}</span> : <Time at={at} />}
          </li>
        ))}
      </ol>
      <Facts of={countsOf(operation)} />
      {error !== undefined && <Failure error={error} />}
    </section>
  );
}

function Progress({ of: progress }: { of: { done: number; total: number | null } }) {
  const { done, total } = progress;
  return (
    <p class="progress">
      <progress value={total === null ? undefined : done} max={total ?? 1} aria-label={MESSAGES.progress} />
      <span>
        {total === null ? formatNumber(done) : MESSAGES.doneOf(formatNumber(done), formatNumber(total))}
      </span>
    </p>
  );
}

/** The steps in their order, each with its time. Null while it is waiting. */
function stepsOf(operation: Operation): [name: string, at: string | null][] {
  const steps: [string, string | null][] = [[MESSAGES.steps.requested, operation.created_at]];
  if ("rows_deleted_at" in operation) steps.push([MESSAGES.steps.rowsDeleted, operation.rows_deleted_at]);
  if ("vectors_deleted_at" in operation)
    steps.push([MESSAGES.steps.vectorsDeleted, operation.vectors_deleted_at]);
  steps.push([MESSAGES.steps.completed, operation.completed_at]);
  return steps;
}

/** What an operation changed so far. Numbers that are 0 are left out. */
function countsOf(operation: Operation) {
  const fields = Object.entries(operation) as [string, unknown][];
  const counts = Object.entries(MESSAGES.counts).flatMap(([name, label]) => {
    const [, value] = fields.find(([field]) => field === name) ?? [];
    return typeof value === "number" && value > 0 ? [[label, formatNumber(value)] as const] : [];
  });
  const recoverable = "recoverable_until" in operation ? operation.recoverable_until : null;
  return [
    ...counts,
    [MESSAGES.recoverable, recoverable !== null && <Time key="recoverable" at={recoverable} />] as const,
  ];
}
