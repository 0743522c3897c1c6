export interface ModelSpecification {
  /** Owner and name on Hugging Face. */
  repository: string;
  dimensions: number;
}

/** Passed as JSON in the first argument of the process. */
export interface ModelProcessOptions {
  specification: ModelSpecification;
  hub: string;
  packagesPath: string;
  modelsPath: string;
}

export interface EmbedMessage {
  id: number;
  text: string;
}

/** First `progress`, then `ready` or `failed`, then results. */
export type ModelMessage =
  | { type: "progress"; loadedBytes: number; totalBytes: number }
  | { type: "ready" }
  /** `fetched`: every file was downloaded, so the files themselves are faulty. */
  | { type: "failed"; reason: string; fetched: boolean }
  | { type: "embedded"; id: number; vector: Float32Array }
  | { type: "refused"; id: number; reason: string };
