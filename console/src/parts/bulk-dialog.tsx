import { ApiError } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { Text } from "./text.tsx";

/** Requests that run at once. */
const AT_ONCE = 4;
/** Failures that are listed. */
const LISTED_MAX = 20;

interface Run<T, R> {
  form: FormData;
  isRunning: boolean;
  total: number;
  done: R[];
  failed: { item: T; error: unknown }[];
}

/** Asks, does the same work with each item, and then says what was done and what failed. */
export function BulkDialog<T extends { id: string }, R>(props: {
  title: string;
  label: string;
  isDanger?: boolean;
  items: readonly T[];
  nameOf(item: T): string;
  /** The question, and fields of the work. */
  children: ComponentChildren;
  work(item: T, form: FormData): Promise<R>;
  /** Called with the results when the work has ended. */
  ended?(results: readonly R[]): void;
  /** What was done. */
  report(results: readonly R[]): ComponentChildren;
  /** `hasRun` says whether the work was begun. */
  close(hasRun: boolean): void;
}) {
  const { title, label, isDanger = false, items, nameOf, children, work, ended, report, close } = props;
  const [run, setRun] = useState<Run<T, R>>();
  const isClosed = useRef(false);
  useEffect(
    () => () => {
      isClosed.current = true;
    },
    [],
  );

  const start = async (these: readonly T[], form: FormData, before: readonly R[] = []) => {
    const [done, failed, left] = [[...before], [] as Run<T, R>["failed"], [...these]];
    const show = (isRunning: boolean) =>
      setRun({ form, isRunning, total: these.length + before.length, done: [...done], failed: [...failed] });
    show(true);
    const worker = async () => {
      // Closing the dialog ends the work after the requests that are under way.
      for (let item = left.shift(); item !== undefined && !isClosed.current; item = left.shift()) {
        try {
          done.push(await work(item, form));
        } catch (error) {
          failed.push({ item, error });
        }
        show(true);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (!isClosed.current) ended?.(done);
    show(false);
  };

  if (run === undefined)
    return (
      <ActionDialog
        {...{ title, label, isDanger }}
        act={async (form) => void start(items, form)}
        close={() => close(false)}
      >
        {children}
      </ActionDialog>
    );
  const { isRunning, total, done, failed, form } = run;
  return (
    <Dialog title={title} close={() => close(true)}>
      <div class="fields" aria-live="polite">
        {isRunning && (
          <p class="progress">
            <progress value={done.length + failed.length} max={total} aria-label={MESSAGES.progress} />
            <span>{MESSAGES.doneOf(String(done.length + failed.length), String(total))}</span>
          </p>
        )}
        {!isRunning && done.length > 0 && <div class="fields">{report(done)}</div>}
        {failed.length > 0 && (
          <div class="state failed">
            <strong>{MESSAGES.bulk.failed(failed.length)}</strong>
            <ul class="failures">
              {failed.slice(0, LISTED_MAX).map(({ item, error }) => (
                <li key={item.id}>
                  <Text of={nameOf(item)} />: <Text of={reasonOf(error)} />
                </li>
              ))}
            </ul>
            {failed.length > LISTED_MAX && <p>{MESSAGES.bulk.more(failed.length - LISTED_MAX)}</p>}
          </div>
        )}
      </div>
      <footer class="actions">
        {!isRunning && failed.length > 0 && (
          <button
            type="button"
            onClick={() =>
              start(
                failed.map(({ item }) => item),
                form,
                done,
              )
            }
          >
            {MESSAGES.tryAgain}
          </button>
        )}
        <button type="button" onClick={() => close(true)}>
          {isRunning ? MESSAGES.bulk.stop : MESSAGES.close}
        </button>
      </footer>
    </Dialog>
  );
}

/** Why a request failed, in one line, with its id. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : MESSAGES.unexpected;
  const { title, detail, requestId } = error;
  return `${detail ?? title}${requestId ? ` (${requestId})` : ""}`;
}
