import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEmbeddingChoice } from "../../src/embeddings/choice.ts";
import { prepareEmbeddings, rememberModel } from "../../src/embeddings/embeddings.ts";
import { EmbeddingMemory } from "../../src/embeddings/memory.ts";
import { OWN_MODELS } from "../../src/embeddings/models.ts";
import { StartError } from "../../src/start/start-error.ts";

const ENDPOINT = {
  ENGRAM_EMBEDDINGS_URL: "http://localhost:11434",
  ENGRAM_EMBEDDINGS_MODEL: "nomic-embed-text",
};

describe("the variables ENGRAM_EMBEDDINGS…", () => {
  test.for([
    [{}],
    [{ ENGRAM_EMBEDDINGS: "" }],
    [{ ENGRAM_EMBEDDINGS: "", ENGRAM_EMBEDDINGS_URL: "", ENGRAM_EMBEDDINGS_MODEL: "left over" }],
  ])("leave the choice to the data directory for %j", ([env]) => {
    expect(readEmbeddingChoice(env ?? {})).toBeUndefined();
  });

  test.for(["words", "sentences"])("select the model of %s by its name", (name) => {
    expect(readEmbeddingChoice({ ENGRAM_EMBEDDINGS: name })).toBe(name);
  });

  test("select an endpoint, with or without a key", () => {
    const endpoint = { url: "http://localhost:11434/v1/embeddings", model: "nomic-embed-text" };
    expect(readEmbeddingChoice(ENDPOINT)).toEqual({ ...endpoint, apiKey: undefined });
    expect(readEmbeddingChoice({ ...ENDPOINT, ENGRAM_EMBEDDINGS_API_KEY: " sk-1\n" })).toEqual({
      ...endpoint,
      apiKey: "sk-1",
    });
  });

  test.for([
    ["http://localhost:11434", "http://localhost:11434/v1/embeddings"],
    ["http://localhost:11434/", "http://localhost:11434/v1/embeddings"],
    ["https://api.openai.com/v1", "https://api.openai.com/v1/embeddings"],
    ["https://api.openai.com/v1/", "https://api.openai.com/v1/embeddings"],
    ["https://api.openai.com/v1/embeddings", "https://api.openai.com/v1/embeddings"],
    ["https://a.example/v1beta/openai", "https://a.example/v1beta/openai/embeddings"],
    ["https://a.example/embeddings?version=2#top", "https://a.example/embeddings?version=2"],
  ])("map %s to %s", ([given = "", meant]) => {
    expect(readEmbeddingChoice({ ...ENDPOINT, ENGRAM_EMBEDDINGS_URL: given })).toMatchObject({ url: meant });
  });

  test.for<[string, Record<string, string>, RegExp]>([
    ["an unknown name", { ENGRAM_EMBEDDINGS: "gpt" }, /must be "words" or "sentences", not "gpt"/],
    ["a name of every object", { ENGRAM_EMBEDDINGS: "toString" }, /must be "words" or "sentences"/],
    ["the removed model", { ENGRAM_EMBEDDINGS: "bge-base" }, /was removed: .* set ENGRAM_EMBEDDINGS_URL to/],
    ["a name and an endpoint", { ...ENDPOINT, ENGRAM_EMBEDDINGS: "sentences" }, /not both/],
    ["an endpoint without a model", { ENGRAM_EMBEDDINGS_URL: "http://a" }, /needs ENGRAM_EMBEDDINGS_MODEL/],
    [
      "an endpoint that is not a URL",
      { ...ENDPOINT, ENGRAM_EMBEDDINGS_URL: "localhost" },
      /http or https URL/,
    ],
    [
      "an endpoint with another protocol",
      { ...ENDPOINT, ENGRAM_EMBEDDINGS_URL: "localhost:11434" },
      /http or https/,
    ],
    [
      "an endpoint that is a file",
      { ...ENDPOINT, ENGRAM_EMBEDDINGS_URL: "file:///etc/passwd" },
      /http or https/,
    ],
  ])("reject %s", ([, env, reason]) => {
    expect(() => readEmbeddingChoice(env)).toThrow(StartError);
    expect(() => readEmbeddingChoice(env)).toThrow(reason);
  });

  test.for([
    { ENGRAM_EMBEDDINGS_URL: "https://maria:s3cret@a.example/v1" },
    { ENGRAM_EMBEDDINGS_URL: "https://s3cret@a.example/v1" },
    { ENGRAM_EMBEDDINGS_API_KEY: "s3cret with blanks" },
    { ENGRAM_EMBEDDINGS_API_KEY: "s3cret\r\nx-other: header" },
    { ENGRAM_EMBEDDINGS_API_KEY: "s3crét" },
  ])("reject a secret in the wrong variable, without printing it: %j", (env) => {
    const read = () => readEmbeddingChoice({ ...ENDPOINT, ...env });
    expect(read).toThrow(StartError);
    expect(read).not.toThrow(/s3cr/);
  });
});

describe("a data directory", () => {
  const { words, sentences } = OWN_MODELS;
  let dataPath: string;
  beforeEach(() => {
    dataPath = mkdtempSync(join(tmpdir(), "engram-models-"));
  });
  afterEach(() => rmSync(dataPath, { recursive: true }));

  const chosenBy = async (choice?: "words" | "sentences") => {
    const { queue, model } = await prepareEmbeddings(choice, dataPath, () => {});
    queue?.stop();
    return model;
  };

  test("keeps the model that it was last used with, which is that of words at first", async () => {
    expect(await chosenBy()).toBe(words.model);
    rememberModel(await chosenBy("sentences"), dataPath, true);
    expect(await chosenBy()).toBe(sentences.model);
    rememberModel(await chosenBy("words"), dataPath, false);
    expect(await chosenBy()).toBe(words.model);
  });

  test("tells once that its vectors are those of another model", () => {
    expect(rememberModel(words.model, dataPath, true)).toBe(false);
    expect(readdirSync(dataPath)).toEqual([]);
    expect(rememberModel(sentences.model, dataPath, false)).toBe(true);
    expect(rememberModel(sentences.model, dataPath, false)).toBe(false);
    expect(rememberModel(words.model, dataPath, false)).toBe(true);
  });

  test("tells nothing at its first start, nor of an endpoint from before models were noted", () => {
    new EmbeddingMemory(dataPath).write("hash of an endpoint", 16);
    expect(rememberModel("endpoint/tiny/16", dataPath, false)).toBe(false);
    rmSync(join(dataPath, "embeddings.json"));
    expect(rememberModel(sentences.model, dataPath, true)).toBe(false);
  });
});
