import { createServer } from "node:net";
import { expect, test } from "vitest";
import { onPort, PortTakenError } from "../../src/start/port.ts";

test("goes on to another free port when one was taken between its choice and its use", async () => {
  const tried: number[] = [];
  const served = await onPort(0, async (port) => {
    tried.push(port);
    if (tried.length < 3) throw new PortTakenError(port);
    return port;
  });
  expect(tried).toHaveLength(3);
  expect(tried.at(-1)).toBe(served);
});

test("gives up on free ports one day, on a named one at once, and on any other failure", async () => {
  let tries = 0;
  const taken = async (port: number): Promise<never> => {
    tries += 1;
    throw new PortTakenError(port);
  };
  await expect(onPort(0, taken)).rejects.toThrow(PortTakenError);
  expect(tries).toBe(5);
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await expect(onPort(port, async () => "served")).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
  server.close();
  await expect(onPort(0, () => Promise.reject(new Error("other")))).rejects.toThrow("other");
  expect(tries).toBe(5);
});
