import type { Turns } from "../text/pace.ts";

/**
 * Wraps a database so that the large batches of an isolate (running copy of the Worker) run one after the other. D1
 * runs calls in the order of arrival, so other calls that arrive during a large batch run before the next large batch.
 */
export function inTurns(
  db: D1Database,
  large: { turns: Turns; charactersMax: number; isBackground: boolean },
): D1Database {
  const originals = new WeakMap<
    D1PreparedStatement,
    { statement: D1PreparedStatement; characters: number }
  >();
  const measure = (statement: D1PreparedStatement, characters: number): D1PreparedStatement => {
    const measured = {
      bind: (...values: unknown[]) => measure(statement.bind(...values), charactersOf(values)),
      all: () => statement.all(),
      run: () => statement.run(),
      first: (column?: string) => (column === undefined ? statement.first() : statement.first(column)),
    } as unknown as D1PreparedStatement;
    originals.set(measured, { statement, characters });
    return measured;
  };
  const batch = async (statements: D1PreparedStatement[]) => {
    const measured = statements.map((statement) => originals.get(statement) ?? { statement, characters: 0 });
    const run = () => db.batch(measured.map(({ statement }) => statement));
    if (measured.reduce((sum, { characters }) => sum + characters, 0) <= large.charactersMax) return run();
    const owner = {};
    await large.turns.next(owner, large.isBackground);
    try {
      return await run();
    } finally {
      large.turns.end(owner);
    }
  };
  return { prepare: (sql: string) => measure(db.prepare(sql), 0), batch } as unknown as D1Database;
}

const charactersOf = (values: unknown[]): number =>
  values.reduce((sum: number, value) => sum + (typeof value === "string" ? value.length : 0), 0);
