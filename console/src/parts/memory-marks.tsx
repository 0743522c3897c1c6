import type { Memory } from "@engram/sdk";
import { now } from "../clock.ts";
import { type MemoryState, statesOf } from "../memory-state.ts";
import { MESSAGES } from "../messages.ts";
import { Badge } from "./basics.tsx";

const TONES: Record<MemoryState, "plain" | "busy" | "bad"> = {
  ended: "plain",
  notYet: "plain",
  sourceDeleted: "bad",
  sourceEdited: "busy",
};

/**
 * Marks of a memory that has ended, does not hold yet, or cites what was deleted or edited.
 *
 * @param at The time by which it is judged whether the memory holds. Now if it is absent.
 */
export const MemoryMarks = ({ of: memory, at }: { of: Memory; at?: string | undefined }) => (
  <>
    {statesOf(memory, at === undefined ? now.value : Date.parse(at)).map((state) => (
      <Badge key={state} tone={TONES[state]}>
        {MESSAGES.memories[state]}
      </Badge>
    ))}
  </>
);
