// Does what site/pages/running.md says, with its own code blocks, in which only paths, ports and the user are replaced:
// the unit of systemd, nginx in front, and a backup while the service is written to, with its restore.
//   node running.mjs   (in an empty folder; needs nginx, sqlite3 and, for the unit, systemd-analyze)
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { root } from "../../scripts/commands.mjs";
import { until } from "./until.mjs";

const HOST = "memory.example.com";
const page = readFileSync(join(root, "site/pages/running.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language, code]) => ({
  language,
  code,
}));
const [unit, nginx, underPath, backup, restore] = ["ini", "nginx", "nginx", "sh", "sh"].map((language, i) => {
  assert.equal(blocks[i]?.language, language, `block ${i} of running.md`);
  return blocks[i].code;
});
const data = resolve("data");
const saved = resolve("backups");
const inFolder = (code) =>
  code
    .replaceAll("/var/lib/engram", data)
    .replaceAll(/\/var\/backups\/engram\/(\$\(date \+%F\)|[\d-]+)/g, saved)
    .replaceAll("/opt/engram", root);

const children = [];
process.on("exit", () => children.forEach((child) => void child.kill("SIGKILL")));

checkUnit();
const service = await startByUnit();
await checkProxy(service);
await checkBackup(service);

function checkUnit() {
  const file = resolve("engram.service");
  writeFileSync(file, inFolder(unit).replace("User=engram", `User=${process.getuid()}`));
  try {
    execFileSync("systemd-analyze", ["verify", file], { stdio: "pipe", encoding: "utf8" });
    console.log("systemd-analyze accepts the unit");
  } catch (error) {
    if (error.code !== "ENOENT") throw new Error(`systemd-analyze: ${error.stderr}`);
    console.log("systemd-analyze is not here: the unit is only run");
  }
}

/** Runs `ExecStart` of the unit with its environment, as systemd does, but on any free port. */
async function startByUnit() {
  const value = (name) => new RegExp(`^${name}=(.*)$`, "m").exec(inFolder(unit))?.[1] ?? "";
  const [command, ...args] = value("ExecStart").replace("26366", "0").split(" ");
  const npm = existsSync(command) ? command : "npm";
  const [name, listed] = value("Environment").split("=");
  // Without TLS, and also under the path.
  const publicUrl = listed.replace("https:", "http:");
  const own = Object.entries(process.env).filter(([key]) => !/^(ENGRAM|XDG|npm)_/i.test(key));
  const env = { ...Object.fromEntries(own), HOME: data, [name]: `${publicUrl},${publicUrl}/engram` };
  mkdirSync(data, { mode: 0o700, recursive: true });
  const child = spawn(npm, args, {
    cwd: value("WorkingDirectory"),
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
  await until(() => printed.includes("Press Ctrl-C") || child.exitCode !== null, "the service starts");
  const url = /^ +URL +(\S+)$/m.exec(printed)?.[1];
  assert.ok(url, `the service does not start: ${printed}`);
  return { child, url, key: readFileSync(join(data, "key"), "utf8").trim() };
}

async function checkProxy({ url, key }) {
  const port = await freePort();
  const prefix = resolve("nginx");
  mkdirSync(prefix);
  // Its workers have another user where root starts them.
  chmodSync(prefix, 0o755);
  const server = nginx
    .replace("listen 443 ssl", `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*\n/gm, "")
    .replace("location / {", `${underPath}$&`)
    .replaceAll("http://127.0.0.1:26366", url);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${prefix}/${kind};`)
    .join("\n");
  const logs = `pid ${prefix}/pid;\nerror_log stderr crit;\n`;
  const settings = `http {\naccess_log off;\n${temporary}\n${server}\n}`;
  writeFileSync(join(prefix, "nginx.conf"), `${logs}daemon off;\nevents {}\n${settings}\n`);
  const child = spawn("nginx", ["-p", prefix, "-c", join(prefix, "nginx.conf")], { stdio: "inherit" });
  children.push(child);
  const front = `http://127.0.0.1:${port}`;
  const send = (path, init = {}) => request(`${front}${path}`, { key, host: HOST, ...init });
  await until(
    () =>
      send("/health").then(
        ({ status }) => status === 200,
        () => false,
      ),
    "nginx passes requests on",
  );
  console.log("nginx passes requests on");

  const forged = { "x-forwarded-host": "evil.example", "x-forwarded-prefix": "/evil" };
  for (const path of ["", "/engram"]) {
    const home = await send(`${path}/`, { headers: { ...forged, accept: "application/json" } });
    assert.equal(JSON.parse(home.text).links.mcp, `http://${HOST}${path}/mcp`, "the links name the proxy");
    const metadata = await send(`${path}/.well-known/oauth-protected-resource`, { headers: forged });
    assert.equal(JSON.parse(metadata.text).resource, `http://${HOST}${path}/mcp`);
  }
  assert.equal((await send("/engram")).status, 301, "the path gets its slash");
  console.log("links name the proxy, also under a path");

  const created = JSON.parse((await send("/v1/conversations", { body: { title: "behind nginx" } })).text);
  let seen = "";
  const onText = (text, outgoing) => {
    seen = text;
    if (text.includes("messages.appended")) outgoing.destroy();
  };
  const stream = send("/v1/events/stream?after=0", { onText }).catch(() => {});
  await until(() => seen.includes("conversation.created"), "an event arrives while its stream is open");
  await send(`/v1/conversations/${created.id}/messages`, {
    body: { messages: [{ role: "user", content: "hello" }] },
  });
  await until(() => seen.includes("messages.appended"), "a later event arrives on the open stream");
  await stream;
  console.log("a stream of events passes nginx at once");

  const { ticket } = JSON.parse((await send("/v1/tickets", { body: {} })).text);
  await openSocket(port, ticket);
  console.log("a WebSocket passes nginx");

  const statuses = [];
  while (!statuses.includes(429) && statuses.length < 20_000)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 200 }, () => send("/health")))).map(({ status }) => status),
    );
  assert.ok(statuses.includes(200) && statuses.includes(429), "nginx limits the rate of a key");
  console.log("nginx limits the rate of a key");
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
}

async function checkBackup({ child, url, key }) {
  const send = (path, body) => request(`${url}${path}`, { key, body });
  const { id } = JSON.parse((await send("/v1/conversations", { title: "kept" })).text);
  const append = (content) =>
    send(`/v1/conversations/${id}/messages`, { messages: [{ role: "user", content }] });
  await append("The refund left on Tuesday.");
  const indexed = async (at) => JSON.parse((await request(`${at}/v1/index`, { key })).text).pending === 0;
  await until(() => indexed(url), "the message is indexed");
  let isSaved = false;
  let written = 0;
  const writing = (async () => {
    for (; !isSaved; written++) await append(`Written during the backup: ${written}.`);
  })();
  await until(() => written > 20, "messages are written");
  const script = spawn("bash", ["-euo", "pipefail", "-c", inFolder(backup)], { stdio: "inherit" });
  const [code] = await once(script, "close");
  isSaved = true;
  await writing;
  assert.equal(code, 0, "the backup");
  await append("Written after the backup.");

  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
  execFileSync("bash", ["-euo", "pipefail", "-c", inFolder(restore)], { stdio: "inherit" });
  const again = await startByUnit();
  assert.equal(again.key, key, "the key is restored");
  await until(() => indexed(again.url), "the restored messages are indexed");
  const asked = { query: "money back", mode: "semantic" };
  const found = await request(`${again.url}/v1/search`, { key, body: asked });
  assert.match(found.text, /The refund left on Tuesday/);
  const list = await request(`${again.url}/v1/conversations/${id}/messages?limit=100`, { key });
  assert.doesNotMatch(list.text, /Written after the backup/);
  const sequences = JSON.parse(list.text).items.map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    Array.from({ length: sequences.length }, (_, i) => i + 1),
  );
  const ended = once(again.child, "close");
  again.child.kill("SIGTERM");
  await ended;
  console.log(`a backup during writes, with ${sequences.length} messages, is restored and found by meaning`);
}

/** Resolves to the response once it ends, or to what has arrived of a stream that `onText` reads. */
function request(url, { key, host, body, onText, headers: others }) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { authorization: `Bearer ${key}`, ...(host === undefined ? {} : { host }), ...others };
  if (text !== undefined) headers["content-type"] = "application/json";
  return new Promise((done, fail) => {
    const outgoing = http.request(
      url,
      { method: text === undefined ? "GET" : "POST", headers, agent: false },
      (response) => {
        let received = "";
        response.setEncoding("utf8").on("data", (part) => {
          received += part;
          onText?.(received, outgoing);
        });
        response.once("end", () => done({ status: response.statusCode, text: received }));
        response.once("error", fail);
      },
    );
    outgoing.once("error", fail).end(text);
  });
}

async function openSocket(port, ticket) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/events/socket`, [
    "engram.v1",
    `engram.ticket.${ticket}`,
  ]);
  const opened = new Promise((done, fail) => {
    socket.onopen = () => socket.send(JSON.stringify({ type: "subscribe", id: "all", after: 0 }));
    socket.onmessage = ({ data: frame }) => done(JSON.parse(frame));
    socket.onclose = ({ code, reason }) => fail(new Error(`the WebSocket closes: ${code} ${reason}`));
  });
  assert.ok((await opened).type);
  socket.close();
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
