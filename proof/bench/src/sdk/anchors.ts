/** A client library to measure. Contains source code, because it runs where the library is installed. */
export interface Anchor {
  name: string;
  /** The exact version; empty for this repository's SDK. */
  version: string;
  imports: string;
  /** Creates a client for `baseUrl`, with `signal` if calls do not accept one. */
  create: string;
  /** Sends one POST with the client; `signal` may abort it. */
  call: string;
  /** Where the library accepts an `AbortSignal`. */
  abort: "call" | "client" | "nothing";
}

/** The SDK of this repository, installed from its tarball. */
export const OWN = "@engram/sdk";

const messages = '[{ role: "user", content: "hello" }]';

export const ANCHORS: readonly Anchor[] = [
  {
    name: OWN,
    version: "",
    imports: 'import { Engram } from "@engram/sdk";',
    create: 'new Engram({ apiKey: "engram_sk_live_probe", baseUrl })',
    call: `client.messages.append("conv_1", { messages: ${messages} }, { signal })`,
    abort: "call",
  },
  {
    name: "openai",
    version: "7.57.0",
    imports: 'import OpenAI from "openai";',
    create: 'new OpenAI({ apiKey: "sk-probe", baseURL: baseUrl })',
    call: `client.chat.completions.create({ model: "m", messages: ${messages} }, { signal })`,
    abort: "call",
  },
  {
    name: "@anthropic-ai/sdk",
    version: "1.12.0",
    imports: 'import Anthropic from "@anthropic-ai/sdk";',
    create: 'new Anthropic({ apiKey: "sk-probe", baseURL: baseUrl })',
    call: `client.messages.create({ model: "m", max_tokens: 5, messages: ${messages} }, { signal })`,
    abort: "call",
  },
  {
    name: "stripe",
    version: "23.1.0",
    imports: 'import Stripe from "stripe";',
    create:
      'new Stripe("sk_test_probe", { host: "127.0.0.1", port: new URL(baseUrl).port, protocol: "http" })',
    call: 'client.customers.create({ name: "probe" })',
    abort: "nothing",
  },
  {
    name: "resend",
    version: "6.38.0",
    imports: 'import { Resend } from "resend";',
    create: 'new Resend("re_probe", { baseUrl })',
    call: 'client.emails.send({ from: "a@example.com", to: "b@example.com", subject: "s", text: "t" }, { signal })',
    abort: "call",
  },
  {
    name: "octokit",
    version: "5.0.5",
    imports: 'import { Octokit } from "octokit";',
    create: 'new Octokit({ auth: "probe", baseUrl })',
    call: 'client.rest.issues.create({ owner: "o", repo: "r", title: "t", request: { signal } })',
    abort: "call",
  },
  {
    name: "@clerk/backend",
    version: "3.25.0",
    imports: 'import { createClerkClient } from "@clerk/backend";',
    create: 'createClerkClient({ secretKey: "sk_test_probe", apiUrl: baseUrl })',
    call: 'client.users.createUser({ emailAddress: ["a@example.com"] })',
    abort: "nothing",
  },
  {
    name: "@upstash/vector",
    version: "1.2.3",
    imports: 'import { Index } from "@upstash/vector";',
    create: 'new Index({ url: baseUrl, token: "probe", signal })',
    call: 'client.upsert({ id: "1", vector: [1] })',
    abort: "client",
  },
  {
    name: "@upstash/redis",
    version: "1.39.0",
    imports: 'import { Redis } from "@upstash/redis";',
    create: 'new Redis({ url: baseUrl, token: "probe", signal, enableAutoPipelining: false })',
    call: 'client.set("key", "value")',
    abort: "client",
  },
  {
    name: "@upstash/qstash",
    version: "2.12.0",
    imports: 'import { Client } from "@upstash/qstash";',
    create: 'new Client({ token: "probe", baseUrl })',
    call: 'client.publishJSON({ url: "https://example.com", body: {} })',
    abort: "nothing",
  },
  {
    name: "@getzep/zep-cloud",
    version: "3.30.0",
    imports: 'import { ZepClient } from "@getzep/zep-cloud";',
    create: 'new ZepClient({ apiKey: "z_probe", baseUrl })',
    call: 'client.thread.create({ threadId: "1", userId: "u" }, { abortSignal: signal })',
    abort: "call",
  },
  {
    name: "mem0ai",
    version: "3.3.1",
    imports: 'import MemoryClient from "mem0ai";',
    create: 'new MemoryClient({ apiKey: "m0-probe", host: baseUrl })',
    call: `client.add(${messages}, { userId: "u" })`,
    abort: "nothing",
  },
  {
    name: "supermemory",
    version: "4.25.4",
    imports: 'import Supermemory from "supermemory";',
    create: 'new Supermemory({ apiKey: "sm_probe", baseURL: baseUrl })',
    call: 'client.add({ content: "hello" }, { signal })',
    abort: "call",
  },
  {
    name: "@letta-ai/letta-client",
    version: "1.12.1",
    imports: 'import Letta from "@letta-ai/letta-client";',
    create: 'new Letta({ apiKey: "probe", baseURL: baseUrl })',
    call: 'client.agents.create({ name: "probe" }, { signal })',
    abort: "call",
  },
];
