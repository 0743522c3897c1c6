import { firstWords } from "../format.ts";
import { LATER } from "../later-messages.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { MemoryMarks } from "./memory-marks.tsx";
import { Text } from "./text.tsx";

/** A memory by its first words, with a link to it. By its id until they are loaded, and if it cannot be read. */
export function MemoryLink({ id }: { id: string }) {
  const { value, error } = useLoaded((signal) => engram().memories.get(id, {}, { signal }), [id]);
  if (error !== undefined)
    return (
      <>
        <code>{id}</code> <span class="note">{LATER.memory.gone}</span>
      </>
    );
  return (
    <>
      <a data-item href={linkTo(["memories", id])}>
        {value === undefined ? (
          <code>{id}</code>
        ) : (
          <Text of={firstWords(value.content) || MESSAGES.memories.without} />
        )}
      </a>{" "}
      {value && <MemoryMarks of={value} />}
    </>
  );
}
