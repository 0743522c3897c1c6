import { expectTypeOf, test } from "vitest";
import {
  type ApiError,
  type ApiKeyWithSecret,
  type AppendedMessages,
  type ConnectionError,
  type Conversation,
  type ConversationSearchAnswer,
  type ConversationWithMessages,
  type DeleteConversationOperation,
  type Engram,
  EngramError,
  type FoundMemory,
  isEngramError,
  type List,
  type Memory,
  type MemorySearchAnswer,
  type Message,
  type MessagesResult,
  type Operation,
  type ProblemCode,
  type SearchAnswer,
  type SearchBody,
  type SearchResult,
} from "../src/index.ts";

declare const client: Engram;
const message = { role: "user", content: "hello" } as const;

test("a call awaits to the contract's answer", async () => {
  expectTypeOf(await client.conversations.create()).toEqualTypeOf<Conversation>();
  expectTypeOf(await client.conversations.get("conv_1")).toEqualTypeOf<ConversationWithMessages>();
  expectTypeOf(
    await client.messages.append("conv_1", { messages: [message] }),
  ).toEqualTypeOf<AppendedMessages>();
  expectTypeOf(await client.conversations.delete("conv_1")).toEqualTypeOf<DeleteConversationOperation>();
  expectTypeOf(await client.memories.search({ query: "refund" })).toEqualTypeOf<MemorySearchAnswer>();
  expectTypeOf((await client.organizations.create({ name: "a" })).key).toEqualTypeOf<ApiKeyWithSecret>();
});

test("an operation has the fields of its type", async () => {
  const operation = await client.operations.get("op_1");
  expectTypeOf(operation).toEqualTypeOf<Operation>();
  if (operation.type === "repair_index")
    expectTypeOf(operation.problem?.code).toEqualTypeOf<"attempts_exhausted" | undefined>();
  if (operation.type === "import") expectTypeOf(operation.lines_processed).toEqualTypeOf<number>();
  // @ts-expect-error only the operations of some types have progress
  void operation.progress;
});

test("a search returns messages by default", async () => {
  const { results } = await client.search({ query: "refund" });
  expectTypeOf(results).toEqualTypeOf<MessagesResult[]>();
  expectTypeOf(
    await client.search({ query: "refund", in: ["conversations"] }),
  ).toEqualTypeOf<ConversationSearchAnswer>();
  expectTypeOf<ConversationSearchAnswer>().toExtend<SearchAnswer>();
  const both = await client.search({ query: "refund", in: ["conversations", "memories"] });
  expectTypeOf(both.results).toEqualTypeOf<SearchResult[]>();
  for (const result of both.results) {
    if (result.type === "memory") expectTypeOf(result.memory).toEqualTypeOf<FoundMemory>();
    else expectTypeOf(result).toEqualTypeOf<MessagesResult>();
  }
  const body: SearchBody = { query: "refund" };
  expectTypeOf(await client.search(body)).toEqualTypeOf<SearchAnswer>();
});

test("a list gives its items one by one", async () => {
  expectTypeOf(client.messages.list("conv_1")).toEqualTypeOf<List<Message>>();
  for await (const item of client.messages.list("conv_1", { newest: 10 })) {
    expectTypeOf(item).toEqualTypeOf<Message>();
  }
  expectTypeOf(client.memories.list({ metadata: { ticket: "T-1" } })).toEqualTypeOf<List<Memory>>();
  const { total } = await client.conversations.list({ include_total: true }).page();
  expectTypeOf(total).toEqualTypeOf<number | null | undefined>();
});

test("what has a default need not be given, and what the contract does not know is refused", () => {
  client.search({ query: "a", neighbors: { before: 1 } });
  client.keys.rotate("key_1");
  client.conversations.list({ metadata: { ticket: "T-1", open: true } });
  // @ts-expect-error metadata is compared with strings, numbers and booleans
  client.conversations.list({ metadata: { ticket: null } });
  client.memories.deleteMany({ agent_id: "a" });
  client.memories.deleteMany({ all: true });
  // @ts-expect-error what is not to be deleted is not said so
  client.memories.deleteMany({ all: false });
  // @ts-expect-error no such kind
  client.memories.create({ content: "a", kind: "thought" });
  // @ts-expect-error no such mode
  client.search({ query: "a", mode: "fuzzy" });
  // @ts-expect-error no such role
  client.messages.append("conv_1", { messages: [{ role: "robot", content: "" }] });
  // @ts-expect-error a search takes no idempotency key
  client.search({ query: "a" }, { idempotencyKey: "mine" });
  // @ts-expect-error a message has no ETag
  client.messages.delete("conv_1", "msg_1", { ifMatch: '"7"' });
});

test("an ETag goes from an answer to a condition as it is", async () => {
  const { data, etag } = await client.conversations.get("conv_1").withResponse();
  expectTypeOf(data).toEqualTypeOf<ConversationWithMessages>();
  client.conversations.update("conv_1", { title: null }, { ifMatch: etag });
});

test("an error's class leaves it to its name which it is", (error: unknown = undefined) => {
  if (!(error instanceof EngramError)) return;
  expectTypeOf(error).toEqualTypeOf<EngramError>();
  if (error.name === "ApiError") expectTypeOf(error.type).toEqualTypeOf<string | null>();
  else expectTypeOf(error).toEqualTypeOf<ConnectionError>();
});

test("an error is narrowed by its name, and its code may be new", (error: unknown = undefined) => {
  if (!isEngramError(error)) return;
  expectTypeOf(error.idempotencyKey).toEqualTypeOf<string | null>();
  if (error.name === "ConnectionError") {
    expectTypeOf(error.code).toEqualTypeOf<"timeout" | "no_answer">();
    return;
  }
  expectTypeOf(error).toEqualTypeOf<ApiError>();
  expectTypeOf<ProblemCode>().toExtend<ApiError["code"]>();
  expectTypeOf<"a code of next year">().toExtend<ApiError["code"]>();
  expectTypeOf<number>().not.toExtend<ApiError["code"]>();
});
