/** A client library that is measured: how it is installed, made and called. Code, since it runs where it is installed. */
export interface Anchor {
  name: string;
  /** Exact; the packed SDK of this repository has none. */
  version: string;
  /** Imports what makes a client. */
  imports: string;
  /** Makes a client of `baseUrl`. */
  create: string;
  /** Sends one POST with the client, which `signal` may abort. */
  call: string;
}

/** As it is in this repository, from its tarball. */
export const OWN = "@engram/sdk";

const messages = '[{ role: "user", content: "hello" }]';

export const ANCHORS: readonly Anchor[] = [
  {
    name: OWN,
    version: "",
    imports: 'import { Engram } from "@engram/sdk";',
    create: 'new Engram({ apiKey: "engram_sk_live_probe", baseUrl })',
    call: `client.messages.append("conv_1", { messages: ${messages} }, { signal })`,
  },
  {
    name: "openai",
    version: "7.57.0",
    imports: 'import OpenAI from "openai";',
    create: 'new OpenAI({ apiKey: "sk-probe", baseURL: baseUrl })',
    call: `client.chat.completions.create({ model: "m", messages: ${messages} }, { signal })`,
  },
  {
    name: "@anthropic-ai/sdk",
    version: "1.12.0",
    imports: 'import Anthropic from "@anthropic-ai/sdk";',
    create: 'new Anthropic({ apiKey: "sk-probe", baseURL: baseUrl })',
    call: `client.messages.create({ model: "m", max_tokens: 5, messages: ${messages} }, { signal })`,
  },
  {
    name: "stripe",
    version: "23.1.0",
    imports: 'import Stripe from "stripe";',
    create:
      'new Stripe("sk_test_probe", { host: "127.0.0.1", port: new URL(baseUrl).port, protocol: "http" })',
    call: 'client.customers.create({ name: "probe" }, { signal })',
  },
  {
    name: "resend",
    version: "6.38.0",
    imports: 'import { Resend } from "resend";',
    create: 'new Resend("re_probe", { baseUrl })',
    call: 'client.emails.send({ from: "a@example.com", to: "b@example.com", subject: "s", text: "t" })',
  },
  {
    name: "@upstash/vector",
    version: "1.2.3",
    imports: 'import { Index } from "@upstash/vector";',
    create: 'new Index({ url: baseUrl, token: "probe" })',
    call: 'client.upsert({ id: "1", vector: [1] })',
  },
  {
    name: "@getzep/zep-cloud",
    version: "3.30.0",
    imports: 'import { ZepClient } from "@getzep/zep-cloud";',
    create: 'new ZepClient({ apiKey: "z_probe", baseUrl })',
    call: 'client.thread.create({ threadId: "1", userId: "u" }, { abortSignal: signal })',
  },
  {
    name: "mem0ai",
    version: "3.3.1",
    imports: 'import MemoryClient from "mem0ai";',
    create: 'new MemoryClient({ apiKey: "m0-probe", host: baseUrl })',
    call: `client.add(${messages}, { userId: "u" })`,
  },
  {
    name: "supermemory",
    version: "4.25.4",
    imports: 'import Supermemory from "supermemory";',
    create: 'new Supermemory({ apiKey: "sm_probe", baseURL: baseUrl })',
    call: 'client.add({ content: "hello" }, { signal })',
  },
  {
    name: "@letta-ai/letta-client",
    version: "1.12.1",
    imports: 'import Letta from "@letta-ai/letta-client";',
    create: 'new Letta({ apiKey: "probe", baseURL: baseUrl })',
    call: 'client.agents.create({ name: "probe" }, { signal })',
  },
];
