import type { Operation } from "@engram/sdk";
import { useEffect, useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { Badge, Time } from "./basics.tsx";
import { Failure } from "./states.tsx";

const POLL_MS = 700;

const TONES = { running: "busy", succeeded: "good", canceled: "plain", failed: "bad" } as const;

export function Status({ of: status }: { of: Operation["status"] }) {
  return <Badge tone={TONES[status]}>{MESSAGES.statuses[status]}</Badge>;
}

/** An operation, followed to its end. */
export function useOperation(first: Operation): { operation: Operation; error: unknown } {
  const [operation, setOperation] = useState(first);
  const [error, setError] = useState<unknown>();
  useEffect(() => setOperation(first), [first.id]);
  useEffect(() => {
    if (operation.status !== "running") return;
    const timer = setTimeout(
      () => engram().operations.get(operation.id).then(setOperation, setError),
      POLL_MS,
    );
    return () => clearTimeout(timer);
  }, [operation]);
  return { operation, error };
}

/** The receipt of long-running work: each step with the time at which it was done. */
export function Receipt({ of: first }: { of: Operation }) {
  const { operation, error } = useOperation(first);
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
