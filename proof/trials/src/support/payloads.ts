import { gzipSync } from "node:zlib";

const MIB = 1_048_576;
const BODY_MAX = 8 * MIB;
/** End of an endless body. It protects the trial's memory from a service without a limit. */
const ENDLESS_MAX = 128 * MIB;
/**
 * Upper bound on the data that Linux buffers for a connection whose server has stopped reading: 32 MiB on its
 * side and 4 on ours.
 */
const SOCKET_MAX = 36 * MIB;
const DEPTH = 10_000;
const KEYS = 1_000_000;
/** Nearly as many keys as a body may have. */
const KEYS_TAKEN = 49_990;
const DIGITS = 10_000_000;
const HEADERS = 10_000;

/**
 * The response to a body that is rejected before its end. workerd then closes the connection, and the unread
 * part of the response may be lost.
 */
const TOO_LARGE = [413, null];

/** A request designed to harm the service. */
export interface Payload {
  name: string;
  pieces: () => Iterable<string | Buffer>;
  /** Allowed statuses; null for a connection closed without a response. */
  expected: (number | null)[];
  /** Close our side once everything is sent. */
  endsEarly?: boolean;
  /** Upper bound on the bytes sent before the service rejects the request. */
  bytesMax?: number;
}

export function makePayloads(url: string, key: string, conversationId: string): Payload[] {
  const headTo = (path: string, ...headers: string[]) => {
    const lines = [
      `POST ${path} HTTP/1.1`,
      `host: ${new URL(url).host}`,
      `authorization: Bearer ${key}`,
      "content-type: application/json",
      ...headers,
    ];
    return `${lines.join("\r\n")}\r\n\r\n`;
  };
  const append = `/v1/conversations/${conversationId}/messages`;
  const head = (...headers: string[]) => headTo(append, ...headers);
  const sizeOf = (body: string | Buffer) => `content-length: ${Buffer.byteLength(body)}`;
  const withBody = (body: string | Buffer, ...headers: string[]) => [head(sizeOf(body), ...headers), body];
  const toMcp = (body: string) => [headTo("/mcp", sizeOf(body)), body];
  const message = (content: string) => `{"messages":[{"role":"user","content":${content}}]}`;
  const metadata = (value: string) => `{"messages":[{"role":"user","content":"a","metadata":${value}}]}`;
  const fine = message('"a"');

  return [
    { name: "body of 8 MiB + 1", pieces: () => withBody(sized(BODY_MAX + 1)), expected: TOO_LARGE },
    {
      name: "Content-Length of a terabyte",
      pieces: () => [head("content-length: 1099511627776"), fine],
      expected: [413],
    },
    {
      name: "Content-Length too long",
      pieces: () => [head(`content-length: ${fine.length + 1_000}`), fine],
      expected: [400, null],
      endsEarly: true,
    },
    {
      name: "Content-Length too short",
      pieces: () => [head(`content-length: ${fine.length - 5}`), fine],
      expected: [400],
    },
    {
      name: "Content-Length that is none",
      pieces: () => [head("content-length: many"), fine],
      expected: [400],
    },
    {
      name: "endless chunked body",
      pieces: () => endless(head("transfer-encoding: chunked")),
      expected: TOO_LARGE,
      bytesMax: 2 * BODY_MAX + SOCKET_MAX,
    },
    {
      name: "broken chunks",
      pieces: () => [head("transfer-encoding: chunked"), `zz\r\n${fine}\r\n0\r\n\r\n`],
      expected: [400, null],
    },
    {
      name: `JSON ${DEPTH} deep`,
      pieces: () => withBody(metadata(`${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`)),
      expected: [400],
    },
    { name: "JSON 4 million arrays deep", pieces: () => withBody(nested(4_000_000)), expected: [400] },
    { name: "JSON 4 million arrays deep, to MCP", pieces: () => toMcp(nested(4_000_000)), expected: [400] },
    { name: "380,000 keys", pieces: () => withBody(metadata(keys(380_000))), expected: [413] },
    { name: "380,000 keys, to MCP", pieces: () => toMcp(metadata(keys(380_000))), expected: [413] },
    { name: `${KEYS_TAKEN} keys`, pieces: () => withBody(metadata(keys(KEYS_TAKEN))), expected: [400] },
    {
      name: `${KEYS_TAKEN} keys of 150 letters`,
      pieces: () => withBody(metadata(keys(KEYS_TAKEN, "k".repeat(150)))),
      expected: [400],
    },
    {
      name: `${KEYS_TAKEN} fields that no message has`,
      pieces: () => withBody(`{"messages":[${keys(KEYS_TAKEN)}]}`),
      expected: [400],
    },
    { name: `${KEYS} keys`, pieces: () => withBody(metadata(keys(KEYS))), expected: TOO_LARGE },
    {
      name: "million equal keys",
      pieces: () => withBody(metadata(`{${'"a":1,'.repeat(KEYS)}"a":1}`)),
      expected: [413],
    },
    {
      name: `number of ${DIGITS} digits`,
      pieces: () => withBody(metadata(`{"a":${"9".repeat(DIGITS)}}`)),
      expected: TOO_LARGE,
    },
    {
      name: "number of 8 million digits",
      pieces: () => withBody(metadata(`{"a":0.${"1".repeat(8_000_000)}}`)),
      expected: [400],
    },
    { name: "duplicate keys", pieces: () => withBody(metadata('{"a":1,"a":2}')), expected: [400] },
    { name: "__proto__", pieces: () => withBody(metadata('{"__proto__":{"admin":true}}')), expected: [400] },
    {
      name: "gzip 1000:1",
      pieces: () => withBody(gzipSync(message(`"${"a".repeat(64 * MIB)}"`)), "content-encoding: gzip"),
      expected: [415],
    },
    {
      name: "a million messages",
      pieces: () => withBody(`{"messages":[${"0,".repeat(KEYS)}0]}`),
      expected: [413],
    },
    {
      name: "4 million escaped quotes",
      pieces: () => withBody(message(`"${'\\"'.repeat(4_000_000)}"`)),
      expected: [400],
    },
    { name: "half a surrogate pair", pieces: () => withBody(message('"\\ud800"')), expected: [400] },
    { name: "not UTF-8", pieces: () => withBody(Buffer.from([0x22, 0xff, 0xfe, 0x22])), expected: [400] },
    {
      name: `${HEADERS} headers, no messages`,
      pieces: () => withBody("{}", ...Array.from({ length: HEADERS }, (_, i) => `x-junk-${i}: ${i}`)),
      expected: [400, 431, null],
    },
    {
      name: "header of a megabyte",
      pieces: () => withBody(fine, `x-junk: ${"a".repeat(MIB)}`),
      expected: [400, 431, null],
    },
  ];
}

/** A valid append of exactly this number of bytes. */
function sized(bytes: number): string {
  const [before, after] = ['{"messages":[{"role":"user","content":"', '"}]}'];
  return `${before}${"a".repeat(bytes - before.length - after.length)}${after}`;
}

function keys(count: number, prefix = "k"): string {
  return `{${Array.from({ length: count }, (_, i) => `"${prefix}${i}":${i % 10}`).join(",")}}`;
}

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

function* endless(head: string): Generator<string | Buffer, void, undefined> {
  yield head;
  const chunk = Buffer.from(`10000\r\n${"a".repeat(0x1_0000)}\r\n`);
  for (let bytes = 0; bytes < ENDLESS_MAX; bytes += chunk.length) yield chunk;
}
