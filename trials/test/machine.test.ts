import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Idle, Machine } from "../src/support/machine.ts";

/** Work that tells when it begins and goes on, and does so when it is let. */
function worker(name: string, told: string[]) {
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  const { promise: wait, resolve: goOn } = Promise.withResolvers<void>();
  const work = async (idle: Idle) => {
    told.push(`${name} begins`);
    await idle(() => wait);
    told.push(`${name} goes on`);
    await end;
  };
  return { work, finish, goOn };
}

test("who needs the whole machine works alone, in the pauses of others, and who asked first is first", async () => {
  const told: string[] = [];
  const machine = new Machine(2);
  const [waits, measures, late] = ["waits", "measures", "late"].map((name) => worker(name, told));
  if (waits === undefined || measures === undefined || late === undefined) throw new Error("three");
  measures.goOn();
  const all = [
    machine.use(1, waits.work),
    machine.use(2, () => measures.work((wait) => wait())),
    machine.use(1, late.work),
  ];
  await turn();
  expect(told).toEqual(["waits begins", "measures begins", "measures goes on"]);
  waits.goOn();
  late.goOn();
  await turn();
  expect(told).toHaveLength(3);
  measures.finish();
  await turn();
  expect(told.slice(3)).toEqual(["late begins", "waits goes on", "late goes on"]);
  late.finish();
  waits.finish();
  await Promise.all(all);
});

test("work that fails leaves its place to others", async () => {
  const machine = new Machine(1);
  await expect(machine.use(1, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await machine.use(1, async () => "worked")).toBe("worked");
});
