import type { Presence } from "@engram/sdk";
import { useEffect, useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { engram } from "../session.ts";
import { Time } from "./basics.tsx";
import { Text } from "./text.tsx";

/** Time between two requests. A presence is a hint, so it need not be shown at once. */
const POLL_MS = 5_000;
/** Characters of a state that are shown. */
const STATE_SHOWN = 120;

/** The keys and sockets that are present in a conversation. Nothing if there are none, or if the key may not see them. */
export function Presences({ id }: { id: string }) {
  const [presences, setPresences] = useState<readonly Presence[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout>;
    const load = async () => {
      try {
        const { items } = await engram().conversations.listPresences(id, { signal });
        if (!signal.aborted) setPresences(items);
      } catch {
        if (!signal.aborted) setPresences([]);
      }
      if (!signal.aborted) timer = setTimeout(load, POLL_MS);
    };
    load();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [id]);
  if (presences.length === 0) return null;
  return (
    <ul class="presences" aria-label={MESSAGES.conversation.present}>
      {presences.map(({ id: presence, key_id, agent_id, user_id, state, since }) => (
        <li key={presence}>
          <Text of={agent_id ?? user_id ?? key_id} />{" "}
          <span class="note">
            <Text of={JSON.stringify(state).slice(0, STATE_SHOWN)} />
          </span>{" "}
          <Time at={since} />
        </li>
      ))}
    </ul>
  );
}
