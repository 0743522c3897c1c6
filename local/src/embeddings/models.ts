/** The models that need no endpoint, by the name that selects them. */
export const OWN_MODELS = {
  words: { model: "engram/use-pieces-256d-int8", dimensions: 256 },
  sentences: { model: "engram/all-minilm-l6-v2-128", dimensions: 384 },
} as const;

export type OwnModel = keyof typeof OWN_MODELS;
