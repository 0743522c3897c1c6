/** A violated invariant. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.name = "Violation";
    this.invariant = invariant;
  }
}

/** @throws {Violation} Unless `holds`. */
export function expect(holds: boolean, invariant: string, what: () => string): asserts holds {
  if (!holds) throw new Violation(invariant, what());
}
