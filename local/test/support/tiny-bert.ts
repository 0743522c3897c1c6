import { encodeOnnx } from "./onnx.ts";

/** A model of the tests' own in BERT's format: its answer can be computed by hand. */
export const TINY = { repository: "test/tiny-bert", dimensions: 8 };
/** Tokens that it reads of a text, the two that stand around it included. */
export const TINY_TOKENS_MAX = 16;

const WORDS = [
  "[PAD]",
  "[UNK]",
  "[CLS]",
  "[SEP]",
  ..."the a dog cat barked slept quarterly revenue ##s .".split(" "),
];
const CLS = WORDS.indexOf("[CLS]");
const SEP = WORDS.indexOf("[SEP]");

/** A number between -1 and 1 for each place, the same each time. */
const EMBEDDINGS = WORDS.map((_, word) =>
  Array.from({ length: TINY.dimensions }, (_, at) => Math.fround(Math.sin(1 + word * 7.3 + at * 2.1))),
);

/**
 * The files of its repository on the hub.
 *
 * A token's state is its own embedding plus the mean of all that the mask lets through, so that the first
 * token knows of the others and of nothing that pads them.
 */
export function tinyFiles(): Record<string, Buffer> {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  return {
    "config.json": json({
      model_type: "bert",
      architectures: ["BertModel"],
      hidden_size: TINY.dimensions,
      max_position_embeddings: TINY_TOKENS_MAX,
      vocab_size: WORDS.length,
    }),
    "tokenizer_config.json": json({
      tokenizer_class: "BertTokenizer",
      do_lower_case: true,
      model_max_length: TINY_TOKENS_MAX,
      ...{ cls_token: "[CLS]", sep_token: "[SEP]", pad_token: "[PAD]", unk_token: "[UNK]" },
    }),
    "tokenizer.json": json({
      version: "1.0",
      added_tokens: WORDS.slice(0, 4).map((content, id) => ({
        id,
        content,
        special: true,
        normalized: false,
      })),
      normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, lowercase: true },
      pre_tokenizer: { type: "BertPreTokenizer" },
      post_processor: {
        type: "TemplateProcessing",
        single: [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")],
        pair: [],
        special_tokens: {
          "[CLS]": { id: "[CLS]", ids: [CLS], tokens: ["[CLS]"] },
          "[SEP]": { id: "[SEP]", ids: [SEP], tokens: ["[SEP]"] },
        },
      },
      decoder: { type: "WordPiece", prefix: "##", cleanup: true },
      model: {
        type: "WordPiece",
        unk_token: "[UNK]",
        continuing_subword_prefix: "##",
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
      },
    }),
    "onnx/model_quantized.onnx": encodeOnnx({
      inputs: ["input_ids", "attention_mask", "token_type_ids"].map((name) => ({
        name,
        type: "int64",
        dims: ["batch", "tokens"],
      })),
      outputs: [{ name: "last_hidden_state", type: "float", dims: ["batch", "tokens", TINY.dimensions] }],
      constants: [
        {
          name: "embeddings",
          type: "float",
          dims: [WORDS.length, TINY.dimensions],
          values: EMBEDDINGS.flat(),
        },
        { name: "last", type: "int64", dims: [1], values: [2] },
        { name: "tokens", type: "int64", dims: [1], values: [1] },
      ],
      nodes: [
        { operator: "Gather", inputs: ["embeddings", "input_ids"], output: "words" },
        { operator: "Cast", inputs: ["attention_mask"], output: "mask", attributes: { to: 1 } },
        { operator: "Unsqueeze", inputs: ["mask", "last"], output: "weights" },
        { operator: "Mul", inputs: ["words", "weights"], output: "weighted" },
        { operator: "ReduceSum", inputs: ["weighted", "tokens"], output: "sum" },
        { operator: "ReduceSum", inputs: ["weights", "tokens"], output: "count" },
        { operator: "Div", inputs: ["sum", "count"], output: "mean" },
        { operator: "Add", inputs: ["words", "mean"], output: "last_hidden_state" },
      ],
    }),
  };
}

/** What the model makes of a text's words, computed by hand: the state of the first token, of length 1. */
export function tinyVector(words: string[]): number[] {
  const read = words.slice(0, TINY_TOKENS_MAX - 2).map((word) => Math.max(WORDS.indexOf(word), 1));
  const tokens = [CLS, ...read, SEP];
  const state = Array.from({ length: TINY.dimensions }, (_, at) => {
    const values = tokens.map((token) => EMBEDDINGS[token]?.[at] ?? 0);
    return (values[0] ?? 0) + values.reduce((sum, value) => sum + value, 0) / values.length;
  });
  const length = Math.hypot(...state);
  return state.map((value) => value / length);
}

function special(id: string) {
  return { SpecialToken: { id, type_id: 0 } };
}
