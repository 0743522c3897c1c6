/** What must never be, named by the invariant that it breaks. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.name = "Violation";
    this.invariant = invariant;
  }
}

/** @throws {Violation} unless `holds`. */
export function expect(holds: boolean, invariant: string, what: () => string): asserts holds {
  if (!holds) throw new Violation(invariant, what());
}
