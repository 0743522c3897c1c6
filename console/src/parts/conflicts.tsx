import { LATER } from "../later-messages.ts";
import { useAction } from "../load.ts";
import { replaceWith } from "../route.ts";
import { engram } from "../session.ts";
import { MemoryLink } from "./memory-link.tsx";
import { Failure } from "./states.tsx";

const texts = LATER.conflicts;

/** Memories that may contradict the one that was just stored. Each can be ended, and all can be kept. */
export function Conflicts({ memoryId, ids }: { memoryId: string; ids: readonly string[] }) {
  const { error, run } = useAction();
  if (ids.length === 0) return null;
  const left = (others: readonly string[]) => replaceWith(["memories", memoryId], { conflicts: others });
  const end = (id: string) =>
    run(async () => {
      await engram().memories.update(id, { valid_until: new Date().toISOString() });
      left(ids.filter((other) => other !== id));
    });
  return (
    <section class="card" aria-label={texts.title}>
      <header class="card-head">
        <h2>{texts.title}</h2>
        <button type="button" class="small" onClick={() => left([])}>
          {texts.dismiss}
        </button>
      </header>
      <p class="note">{texts.note}</p>
      <ul class="conflicts">
        {ids.map((id) => (
          <li key={id}>
            <span>
              <MemoryLink id={id} />
            </span>
            <button type="button" class="small" onClick={() => end(id)}>
              {texts.end}
            </button>
          </li>
        ))}
      </ul>
      {error !== undefined && <Failure error={error} />}
    </section>
  );
}
