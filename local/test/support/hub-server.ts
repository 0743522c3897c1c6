import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { TINY, tinyFiles } from "./tiny-bert.ts";

/** What a hub does for one file instead of serving it. */
export type Mishap = (request: IncomingMessage, response: ServerResponse, contents: Buffer) => void;

/** A hub of the tests' own, with the tests' model on it. */
export interface HubServer {
  url: string;
  /** Names of the files that were asked for. */
  asked: string[];
  /** What happens to files, by name, until it is taken out. */
  mishaps: Map<string, Mishap>;
  close(): Promise<void>;
}

/** Serve the tests' model as the hub does, part of a file included. */
export async function openHub(): Promise<HubServer> {
  const files = tinyFiles();
  const server = createServer((request, response) => {
    const name = request.url?.split(`/${TINY.repository}/resolve/main/`)[1] ?? "";
    hub.asked.push(name);
    const contents = files[name];
    const mishap = hub.mishaps.get(name);
    if (contents === undefined) response.writeHead(404).end("Entry not found");
    else if (mishap !== undefined) mishap(request, response, contents);
    else if (request.headers.range === "bytes=0-0") {
      response.writeHead(206, { "content-range": `bytes 0-0/${contents.length}`, "content-length": 1 });
      response.end(contents.subarray(0, 1));
    } else if (name.endsWith(".onnx")) {
      response.writeHead(200, { "content-length": contents.length });
      // In two pieces with time between them, so that there is progress to see.
      response.write(contents.subarray(0, contents.length / 2));
      setTimeout(() => response.end(contents.subarray(contents.length / 2)), 150);
    } else response.writeHead(200, { "content-length": contents.length }).end(contents);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const hub: HubServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    mishaps: new Map(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return hub;
}
