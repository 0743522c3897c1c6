export interface ModelSpecification {
  /** Owner and name of the model on Hugging Face. */
  repository: string;
  dimensions: number;
}

/** Options of the model's process, passed as JSON in its first argument. */
export interface ModelProcessOptions {
  specification: ModelSpecification;
  /** Base URL for downloads: Hugging Face or a mirror. */
  hub: string;
  packagesPath: string;
  /** Folder for downloaded files. */
  modelsPath: string;
}

export interface EmbedMessage {
  id: number;
  text: string;
}

/** Messages that the model's process sends: first `progress`, then `ready` or `failed`, then results. */
export type ModelMessage =
  | { type: "progress"; loadedBytes: number; totalBytes: number }
  | { type: "ready" }
  /** `fetched`: every file was downloaded, so the files themselves are faulty. */
  | { type: "failed"; reason: string; fetched: boolean }
  | { type: "embedded"; id: number; vector: Float32Array }
  | { type: "refused"; id: number; reason: string };
