import { useEffect, useState } from "preact/hooks";

/** How the events of the store are followed. */
export interface Following {
  isLive: boolean;
  /** Why they are not followed any more. */
  error: unknown;
  retry(): void;
}

/** What tells how the following goes. */
export interface FollowingState {
  signal: AbortSignal;
  /** Events are followed from now on. */
  begun(): void;
  failed(error: unknown): void;
}

/**
 * Follows events while the component is shown, and again whenever `inputs` changes or the user tries again.
 *
 * @param follow Runs until its signal is aborted. Null to follow nothing.
 */
export function useFollowing(
  follow: ((state: FollowingState) => Promise<void>) | null,
  inputs: readonly unknown[],
): Following {
  const [state, setState] = useState<{ isLive: boolean; error?: unknown }>({ isLive: false });
  const [round, setRound] = useState(0);
  useEffect(() => {
    setState({ isLive: false });
    if (follow === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const failed = (error: unknown) => {
      if (signal.aborted) return;
      controller.abort();
      setState({ isLive: false, error });
    };
    follow({ signal, begun: () => setState({ isLive: true }), failed }).catch(failed);
    return () => controller.abort();
  }, [JSON.stringify(inputs), round]);
  return { isLive: state.isLive, error: state.error, retry: () => setRound((before) => before + 1) };
}
