import { once } from "node:events";
import { createServer, request } from "node:http";
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

const post = (url: string, lookup?: LookupFunction) =>
  postWebhook(new Request(url, { method: "POST", body: "{}" }) as never, lookup && { lookup });

test("webhooks do not connect to this machine, by name or by address", async () => {
  const { counted, port, close } = await openServer();
  try {
    for (const host of ["localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0x7f000001", "2130706433"])
      expect((await post(`https://${host}:${port}/`)).status).toBe(502);
    expect((await post(`http://127.0.0.1:${port}/`)).status).toBe(502);
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
    expect((await post(`https://rebinding.example.com:${port}/`, rebinding)).status).toBe(502);
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
  const send = async (url: string, ...hosts: string[]) => {
    const request = new Request(url, { method: "POST", body: "{}" });
    return (await postWebhook(request as never, { hosts })).status;
  };
  try {
    const url = `http://localhost:${port}/`;
    for (const hosts of [[], ["other"], ["localhost:1"], ["host"], ["127.0.0.1"], ["*"]])
      expect([hosts, await send(url, ...hosts)]).toEqual([hosts, 502]);
    for (const host of ["127.0.0.1", "[::1]"])
      expect(await send(`http://${host}:${port}/`, host, `${host}:${port}`)).toBe(502);
    expect(seen).toEqual([]);
    // Its redirect is reported, and not followed.
    expect(await send(url, `localhost:${port}`)).toBe(302);
    expect(seen).toEqual([`localhost:${port}`]);
  } finally {
    server.close();
  }
});

/** Posts to a receiver on this machine, over plain HTTP, which only a test can do. Resolves to the status. */
async function postTo(receive: (socket: Socket) => void, timeoutMs = 60_000) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    socket.once("data", () => receive(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const { status, headers } = await postWebhook(
      new Request(`https://hooks.example.com:${port}/`, { method: "POST", body: "{}" }) as never,
      {
        lookup: (_name, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
        request: ((url: string, ...rest: never[]) => request(url.replace("https", "http"), ...rest)) as never,
        timeoutMs,
      },
    );
    return { status, retryAfter: headers.get("retry-after"), requests: sockets.length, sockets };
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

const answering = (head: string) => (socket: Socket) => socket.write(`HTTP/1.1 ${head}\r\n\r\n`);

test.for([
  ["with a success", "204 No Content", 204],
  ["that it is gone", "410 Gone", 410],
  ["with a redirect, which is not followed", "302 Found\r\nlocation: http://127.0.0.1:1/", 302],
  // A `Response` cannot have such a status.
  ["with a status beyond 599", "999 Odd", 502],
  ["with another protocol", "101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket", 502],
  ["with headers of 100 kB", `200 OK\r\nx: ${"a".repeat(100_000)}`, 502],
  ["with no HTTP", "hello", 502],
] as const)("a receiver may answer %s", async ([, head, status]) => {
  const answer = await postTo(answering(head));
  expect([answer.status, answer.requests]).toEqual([status, 1]);
});

test("the wait that a receiver asks for is passed on", async () => {
  expect((await postTo(answering("503 Busy\r\nretry-after: 7"))).retryAfter).toBe("7");
});

test.for([
  ["never answers", ""],
  ["stops in the middle of its headers", "HTTP/1.1 200 OK\r\nx: "],
  ["says to go on, and then nothing", "HTTP/1.1 100 Continue\r\n\r\n"],
] as const)("a receiver that %s is given up after the time limit", async ([, text]) => {
  expect((await postTo((socket) => socket.write(text), 100)).status).toBe(502);
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
  const { status, sockets } = await postTo(flood);
  expect(status).toBe(200);
  const [socket] = sockets;
  expect(socket?.bytesWritten).toBeLessThan(50_000_000);
});
