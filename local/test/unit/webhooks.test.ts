import { once } from "node:events";
import { createServer } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type LookupFunction,
  type Socket,
} from "node:net";
import { Request } from "miniflare";
import { expect, test } from "vitest";
import {
  AddressRefused,
  checkedLookup,
  isPublicAddress,
  isReceiverAddress,
} from "../../src/webhooks/addresses.ts";
import { readWebhookHosts } from "../../src/webhooks/hosts.ts";
import { postWebhook } from "../../src/webhooks/post.ts";

test.for([
  ...["127.0.0.1", "127.255.0.1", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.31.0.1"],
  ...["192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1"],
  ...[
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "fe80::1",
    "fd00::1",
  ],
  ...["fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "fe80::1%eth0", "name", ""],
])("webhooks may not use the address %s, which is not public", (address) =>
  expect(isPublicAddress(address)).toBe(false),
);

test.for(["1.1.1.1", "8.8.8.8", "172.32.0.1", "2606:4700:4700::1111", "2a00:1450:4001::1"])(
  "webhooks may use the address %s, which is public",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.for(["10.1.2.3", "192.168.1.1", "172.16.0.1", "100.64.0.1", "127.0.0.1", "::1", "fd00::1", "1.1.1.1"])(
  "a host that the operator allows may have the address %s",
  (address) => expect(isReceiverAddress(address)).toBe(true),
);

test.for([
  ...[
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "192.0.0.192",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
  ],
  ...[
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "::ffff:169.254.169.254",
    "::ffff:100.100.100.200",
    "::",
    "ff02::1",
    "name",
  ],
])("not even a host that the operator allows may have the address %s", (address) =>
  expect(isReceiverAddress(address)).toBe(false),
);

test.for([
  ["hooks.lan", ["hooks.lan"]],
  [" Hooks.LAN:8080 , app,", ["hooks.lan:8080", "app"]],
  [undefined, []],
] as const)("ENGRAM_WEBHOOK_HOSTS=%j allows exactly these hosts", ([value, hosts]) => {
  expect(readWebhookHosts(value)).toEqual(hosts);
});

test.for([
  ...["*", "*.lan", ".lan", "hooks.*", "169.254.169.254", "0x7f000001", "2130706433", "127.1", "10.0.0.0/8"],
  ...[
    "[::1]",
    "::1",
    "[::1]:80",
    "http://hooks.lan",
    "hooks.lan/x",
    "u@hooks.lan",
    "hooks.lan:99999",
    "hooks.lan:",
  ],
])("ENGRAM_WEBHOOK_HOSTS=%s, which is no name, stops the start", (value) => {
  expect(() => readWebhookHosts(`app,${value}`)).toThrow(value.toLowerCase());
});

const lookUp = (addresses: string[], options: object) =>
  new Promise<unknown>((resolve) => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const lookup = checkedLookup(isPublicAddress, (_name, _options, callback) => callback(null, found));
    lookup("hooks.example.com", options, (error, address) => resolve(error ?? address));
  });

test("webhooks may not use a host name if any of its addresses is not public", async () => {
  expect(await lookUp(["1.1.1.1", "127.0.0.1"], { all: true })).toBeInstanceOf(AddressRefused);
  expect(await lookUp(["::ffff:10.0.0.1"], {})).toBeInstanceOf(AddressRefused);
  expect(await lookUp([], {})).toBeInstanceOf(AddressRefused);
  expect(await lookUp(["1.1.1.1"], {})).toBe("1.1.1.1");
  expect(await lookUp(["1.1.1.1", "2606:4700::1"], { all: true })).toHaveLength(2);
});

/** A server on this machine that counts its connections. */
async function openServer() {
  const counted = { connections: 0 };
  const server = createServer().on("connection", (socket) => {
    counted.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { counted, port, close: () => server.close() };
}

type Sending = Parameters<typeof postWebhook>[1];

/** How a request ended, as the service reads it: its status, or the reason why there is none. */
async function outcomeOf(url: string, sending: Sending = {}): Promise<number | string> {
  const request = new Request(url, { method: "POST", body: "{}" });
  const { status, headers } = await postWebhook(request as never, sending);
  const stated = headers.get("engram-webhook-outcome");
  if (stated === null) return status;
  const outcome = JSON.parse(stated) as { status: number | null; error: string | null };
  return outcome.status ?? outcome.error ?? "";
}

const post = (url: string, lookup?: LookupFunction) => outcomeOf(url, lookup && { lookup });

test("webhooks do not connect to this machine, by name or by address", async () => {
  const { counted, port, close } = await openServer();
  try {
    for (const host of ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0x7f000001", "2130706433"])
      expect(await post(`https://${host}:${port}/`)).toBe("url_refused");
    expect(await post(`http://127.0.0.1:${port}/`)).toBe("url_refused");
    expect(counted.connections).toBe(0);
  } finally {
    close();
  }
});

test("webhooks resolve a host name once, and connect to the address that was checked (DNS rebinding)", async () => {
  const { counted, port, close } = await openServer();
  const answers = [[{ address: "1.1.1.1", family: 4 }], [{ address: "127.0.0.1", family: 4 }]];
  let resolved = 0;
  const rebinding = checkedLookup(isPublicAddress, (_name, _options, callback) =>
    callback(null, answers[resolved++] ?? []),
  );
  const connected: string[] = [];
  // In place of the connection to the public address, which a test must not open.
  const recorded: LookupFunction = (name, options, callback) =>
    rebinding(name, options, (error, address, family) => {
      connected.push(JSON.stringify(address));
      callback(error ?? new Error("stopped"), address, family);
    });
  try {
    await post(`https://rebinding.example.com:${port}/`, recorded);
    expect([resolved, connected.length]).toEqual([1, 1]);
    expect(connected.join()).toContain("1.1.1.1");
    expect(await post(`https://rebinding.example.com:${port}/`, rebinding)).toBe("url_refused");
    expect(counted.connections).toBe(0);
  } finally {
    close();
  }
});

test("a webhook reaches a host of this machine only if the operator allows it by name and port", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.host);
    response.writeHead(302, { location: `http://localhost:1/` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  const send = (url: string, ...hosts: string[]) => outcomeOf(url, { hosts });
  try {
    const url = `http://localhost:${port}/`;
    for (const hosts of [[], ["other"], ["localhost:1"], ["host"], ["127.0.0.1"], ["*"]])
      expect([hosts, await send(url, ...hosts)]).toEqual([hosts, "url_refused"]);
    for (const host of ["127.0.0.1", "[::1]"])
      expect(await send(`http://${host}:${port}/`, host, `${host}:${port}`)).toBe("url_refused");
    expect(seen).toEqual([]);
    // Its redirect is reported, and not followed.
    expect(await send(url, `localhost:${port}`)).toBe(302);
    expect(seen).toEqual([`localhost:${port}`]);
  } finally {
    server.close();
  }
});

/** Posts to a receiver on this machine, which gets the bytes of the connection as they are. */
async function postTo(
  receive: (socket: Socket) => void,
  { protocol = "http", timeoutMs = 60_000 }: { protocol?: "http" | "https"; timeoutMs?: number } = {},
) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.once("data", () => receive(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const outcome = await outcomeOf(`${protocol}://receiver.lan:${port}/`, {
      hosts: [`receiver.lan:${port}`],
      lookup: toLoopback,
      timeoutMs,
    });
    return { outcome, requests: sockets.length, sockets };
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

const toLoopback: LookupFunction = (_name, _options, callback) =>
  callback(null, [{ address: "127.0.0.1", family: 4 }]);

const answering = (head: string) => (socket: Socket) => socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
const UPGRADE = "connection: upgrade\r\nupgrade: websocket";

test.for([
  ["with a success", "204 No Content", 204],
  ["that it is gone", "410 Gone", 410],
  ["with a redirect, which is not followed", "302 Found\r\nlocation: http://127.0.0.1:1/", 302],
  ["with a status beyond 599", "999 Odd", 999],
  ["with the status 000", "000 Odd", 0],
  ["with another protocol", `101 Switching Protocols\r\n${UPGRADE}`, 101],
  ["with the status 101 and no other protocol", "101 Switching Protocols", 101],
  ["with an upgrade and a success", `200 OK\r\n${UPGRADE}`, 200],
] as const)("a receiver may answer %s, and the outcome is its status", async ([, head, status]) => {
  const answer = await postTo(answering(head));
  expect([answer.outcome, answer.requests]).toEqual([status, 1]);
});

test.for([
  ["with headers of 100 kB", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`],
  ["with another version of HTTP", "HTTP/9.9 200 OK\r\n\r\n"],
  ["with a header that has no name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"],
  ["with two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n"],
  ["with text", "hello\r\n\r\n"],
  ["with bytes", "\u0000\u0001\u0002\u0003"],
] as const)("a receiver that answers %s has sent no valid response", async ([, text]) => {
  expect((await postTo((socket) => socket.write(text))).outcome).toBe("invalid_response");
});

test.for([
  ["before its response", ""],
  ["in the middle of its status line", "HTTP/1.1 20"],
  ["in the middle of its headers", "HTTP/1.1 200 OK\r\nx: "],
  ["after it said to go on", "HTTP/1.1 100 Continue\r\n\r\n"],
] as const)("a receiver may close the connection %s", async ([, text]) => {
  expect((await postTo((socket) => socket.end(text))).outcome).toBe("connection_closed");
});

test("a receiver may reset the connection", async () => {
  expect((await postTo((socket) => socket.resetAndDestroy())).outcome).toBe("connection_closed");
});

test.for([
  ["answers in plain text", (socket: Socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["closes the connection", (socket: Socket) => socket.end()],
  ["resets the connection", (socket: Socket) => socket.resetAndDestroy()],
] as const)("the outcome is a failure of TLS if a receiver %s in the handshake", async ([, receive]) => {
  expect((await postTo(receive, { protocol: "https" })).outcome).toBe("tls_failed");
});

test("a receiver may listen at no port", async () => {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const sending = { hosts: [`receiver.lan:${port}`], lookup: toLoopback };
  for (const protocol of ["http", "https"])
    expect(await outcomeOf(`${protocol}://receiver.lan:${port}/`, sending)).toBe("connection_failed");
});

test("a receiver may have a name that does not resolve", async () => {
  // No resolver asks another for a name with such a long label.
  const name = `${"a".repeat(64)}.lan`;
  expect(await outcomeOf(`http://${name}/`, { hosts: [name] })).toBe("name_not_resolved");
});

test("the wait that a receiver asks for is passed on", async () => {
  const server = createServer((_, response) => response.writeHead(503, { "retry-after": "7" }).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const request = new Request(`http://receiver.lan:${port}/`, { method: "POST", body: "{}" });
  const sending = { hosts: [`receiver.lan:${port}`], lookup: toLoopback };
  const { headers } = await postWebhook(request as never, sending);
  expect(headers.get("retry-after")).toBe("7");
  server.close();
});

test.for([
  ["never answers", ""],
  ["stops in the middle of its headers", "HTTP/1.1 200 OK\r\nx: "],
  ["says to go on, and then nothing", "HTTP/1.1 100 Continue\r\n\r\n"],
] as const)("a receiver that %s is given up after the time limit", async ([, text]) => {
  expect((await postTo((socket) => socket.write(text), { timeoutMs: 100 })).outcome).toBe("timeout");
});

test("a response that never ends is not read", async () => {
  const flood = (socket: Socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n");
    const write = () => {
      while (!socket.destroyed && socket.write("x".repeat(65_536)));
    };
    socket.on("drain", write);
    write();
  };
  const { outcome, sockets } = await postTo(flood);
  expect(outcome).toBe(200);
  const [socket] = sockets;
  expect(socket?.bytesWritten).toBeLessThan(50_000_000);
});
