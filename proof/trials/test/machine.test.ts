import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Idle, Machine } from "../src/support/machine.ts";

/** Work that logs when it begins and continues, and waits for the test in between. */
function worker(name: string, log: string[]) {
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  const { promise: wait, resolve: goOn } = Promise.withResolvers<void>();
  const work = async (idle: Idle) => {
    log.push(`${name} begins`);
    await idle(() => wait);
    log.push(`${name} goes on`);
    await end;
  };
  return { work, finish, goOn };
}

test("a trial that needs the whole machine runs alone while others wait, in the order of requests", async () => {
  const log: string[] = [];
  const machine = new Machine(2);
  const [waits, measures, late] = ["waits", "measures", "late"].map((name) => worker(name, log));
  if (waits === undefined || measures === undefined || late === undefined) throw new Error("three");
  measures.goOn();
  const all = [
    machine.use(1, waits.work),
    machine.use(2, () => measures.work((wait) => wait())),
    machine.use(1, late.work),
  ];
  await turn();
  expect(log).toEqual(["waits begins", "measures begins", "measures goes on"]);
  waits.goOn();
  late.goOn();
  await turn();
  expect(log).toHaveLength(3);
  measures.finish();
  await turn();
  expect(log.slice(3)).toEqual(["late begins", "waits goes on", "late goes on"]);
  late.finish();
  waits.finish();
  await Promise.all(all);
});

test("a trial that fails frees its part of the machine", async () => {
  const machine = new Machine(1);
  await expect(machine.use(1, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await machine.use(1, async () => "worked")).toBe("worked");
});
