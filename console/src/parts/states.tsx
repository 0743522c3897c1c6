import { ApiError, isEngramError } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import type { Following } from "../following.ts";
import type { Loaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { isSignedIn, signOut } from "../session.ts";
import { Text } from "./text.tsx";

/**
 * Why something failed: the problem's text, what to do, and the request id for the operator. `what` says what does not
 * work if the rest of the screen does.
 */
export function Failure(props: { error: unknown; retry?: (() => void) | undefined; what?: string }) {
  const { error, retry, what } = props;
  const problem = error instanceof ApiError ? error : undefined;
  const isForbidden = problem?.code === "forbidden";
  return (
    <div class={`state ${isForbidden ? "forbidden" : "failed"}`} role="alert">
      {what !== undefined && <strong>{what}</strong>}
      <strong>
        <Text of={titleOf(error)} />
      </strong>
      {detailOf(error) !== undefined && (
        <p>
          <Text of={detailOf(error) ?? ""} />
        </p>
      )}
      {problem?.errors.map(({ path, message }) => (
        <p key={path}>
          <code>
            <Text of={path} />
          </code>{" "}
          <Text of={message} />
        </p>
      ))}
      {problem?.requestId && (
        <p class="note">
          {MESSAGES.requestId} <code>{problem.requestId}</code>
        </p>
      )}
      <div class="actions">
        {retry && !isForbidden && (
          <button type="button" onClick={retry}>
            {MESSAGES.tryAgain}
          </button>
        )}
        {isSignedIn.value && (isForbidden || problem?.code === "unauthenticated") && (
          <button type="button" onClick={signOut}>
            {MESSAGES.useAnotherKey}
          </button>
        )}
      </div>
    </div>
  );
}

function titleOf(error: unknown): string {
  if (error instanceof ApiError)
    return error.code === "forbidden" ? MESSAGES.keyMayNot : `${error.title} (${error.status})`;
  return isEngramError(error) ? MESSAGES.noAnswer : MESSAGES.unexpected;
}

function detailOf(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.detail ?? undefined;
  return error instanceof Error ? error.message : undefined;
}

/** Says that a list does not follow the changes of the store any more, and why. */
export function NotLive({ of: { error, retry } }: { of: Following }) {
  return error === undefined ? null : <Failure what={MESSAGES.notLive} error={error} retry={retry} />;
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** A part of a screen that is being loaded, is shown, or cannot be loaded. */
export function WhenLoaded<T>(props: {
  of: Loaded<T>;
  rows?: number;
  children(value: T): ComponentChildren;
}) {
  const { value, error, reload } = props.of;
  if (error !== undefined) return <Failure error={error} retry={reload} />;
  return value === undefined ? <Loading rows={props.rows} /> : props.children(value);
}

/** Stands where rows will be. */
export function Loading({ rows = 6 }: { rows?: number | undefined }) {
  return (
    <div class="skeleton" role="status" aria-label={MESSAGES.loading}>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}
