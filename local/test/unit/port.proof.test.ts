import { createServer, type Server } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { DEFAULT_PORT, onPort, PortTakenError, readPort } from "../../src/start/port.ts";

const byThisProcess = `\\(pid ${process.pid}\\)`;

/** Takes a port, or any free one, until the test ends. Resolves to it, or to undefined if it is taken already. */
async function takePort(port = 0): Promise<number | undefined> {
  const server: Server = createServer();
  onTestFinished(() => void server.close());
  return new Promise((resolve) => {
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}

test("another free port is tried if one was taken between its choice and its use", async () => {
  const tried: number[] = [];
  const served = await onPort(0, async (port) => {
    tried.push(port);
    if (tried.length < 3) throw new PortTakenError(port);
    return port;
  });
  expect(tried).toHaveLength(3);
  expect(tried.at(-1)).toBe(served);
});

test("a free port is tried five times, a given port once, and neither again after another error", async () => {
  let tries = 0;
  const taken = async (port: number): Promise<never> => {
    tries += 1;
    throw new PortTakenError(port);
  };
  await expect(onPort(0, taken)).rejects.toThrow(PortTakenError);
  expect(tries).toBe(5);
  await expect(onPort(0, () => Promise.reject(new Error("other")))).rejects.toThrow("other");
  expect(tries).toBe(5);
});

test("a given port that is taken is reported with the program that uses it, and no other port is used", async () => {
  const port = await takePort();
  const serve = vi.fn(async () => "served");
  await expect(onPort(port, serve)).rejects.toThrow(
    new RegExp(
      `^Port ${port} of 127\\.0\\.0\\.1 is taken by \\S.* ${byThisProcess}\\.\n.* set PORT to another`,
    ),
  );
  expect(serve).not.toHaveBeenCalled();
});

test("if the default port is taken, the next one is used, and the output says so", async () => {
  const isOurs = (await takePort(DEFAULT_PORT)) !== undefined;
  const lines: string[] = [];
  const port = await onPort(
    readPort("PORT", ""),
    async (port) => port,
    (line) => lines.push(line),
  );
  expect(port).toBeGreaterThan(DEFAULT_PORT);
  expect(port).toBeLessThan(DEFAULT_PORT + 10);
  expect(lines).toEqual([expect.stringContaining(`Port ${DEFAULT_PORT} is taken by`)]);
  expect(lines[0]).toContain(`Using port ${port}.`);
  if (isOurs) expect(lines[0]).toMatch(new RegExp(byThisProcess));
});
