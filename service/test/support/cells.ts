import * as contracts from "@engram/spec";
import { createApp } from "../../src/app.ts";
import { answerPassed } from "../../src/cell-answers.ts";
import type { AnsweringCell, CellAnswer, Env, PassedRequest } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import { type Caller, callerOf, operator } from "./client.ts";
import { d1, env } from "./env.ts";
import { promptRuntime } from "./runtime.ts";

/** The object of an organization. */
export const cellOf = (organizationId: string) =>
  (env.CELLS as unknown as DurableObjectNamespace).getByName(organizationId);

/** Rows of D1, wherever organizations are. */
export async function selectInD1<Row>(sql: string, ...binds: unknown[]): Promise<Row[]> {
  const statement = d1.prepare(sql).bind(...binds);
  return (await statement.all<Row>()).results;
}

export const selectOneInD1 = async <Row>(sql: string, ...binds: unknown[]): Promise<Row> =>
  (await selectInD1<Row>(sql, ...binds))[0] as Row;

/** Creates an organization for one test. */
export async function createIn(
  place: contracts.Place,
): Promise<Caller & { organizationId: string; organization: contracts.Organization }> {
  const { organization, key } = await operator.call(contracts.createOrganization, {
    body: { name: "test", place },
  });
  return { ...callerOf(key.secret), organizationId: organization.id, organization };
}

/** The cells, with a record of their calls. */
export class CellCalls {
  readonly calls: ("run" | "answer")[] = [];
  readonly passed: PassedRequest[] = [];
  readonly #app = createApp(openIsolate(promptRuntime));

  readonly namespace: NonNullable<Env["CELLS"]> = {
    jurisdiction: (name) => env.CELLS.jurisdiction(name),
    getByName: (id) => {
      const cell = env.CELLS.getByName(id);
      return {
        run: (statements) => {
          this.calls.push("run");
          return cell.run(statements);
        },
        upsertVectors: (...call) => cell.upsertVectors(...call),
        queryVectors: (...call) => cell.queryVectors(...call),
        existingVectors: (...call) => cell.existingVectors(...call),
        deleteVectors: (...call) => cell.deleteVectors(...call),
        move: () => cell.move(),
        state: () => cell.state(),
        answer: (passed) => {
          this.calls.push("answer");
          this.passed.push(passed);
          return this.answer(cell, passed);
        },
      };
    },
  };

  /** For tests in which a cell fails. */
  answer = (cell: AnsweringCell, passed: PassedRequest): Promise<CellAnswer> => cell.answer(passed);

  /** The calls of the work. */
  async of(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.calls.length;
    await work();
    return this.calls.slice(before);
  }

  /** Answers a request as the Worker would by itself, with a call of the cell for each of its calls of the database. */
  answerHere(passed: PassedRequest): Promise<CellAnswer> {
    return answerPassed(this.#app.fetch, { ...env, DB: d1, CELLS: this.namespace }, passed, () => {});
  }
}
