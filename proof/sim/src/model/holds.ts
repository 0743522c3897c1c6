import type { Span, Write } from "./write.ts";

/** A legal hold. What it holds is checked in the database. */
export interface HoldModel {
  /** Null until a response contained it. */
  id: string | null;
  creation: Write;
  lifts: Write[];
}

/** Whether a hold of the organization may have been active at some moment of the span. */
export const mayBeHeld = ({ holds }: { holds: HoldModel[] }, { begin, end }: Span): boolean =>
  holds.some(
    ({ creation, lifts }) =>
      !creation.isRefused && creation.sent <= end && lifts.every((lift) => lift.done > begin),
  );
