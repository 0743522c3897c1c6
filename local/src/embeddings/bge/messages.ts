export interface ModelSpecification {
  /** Owner and name on Hugging Face. */
  repository: string;
  dimensions: number;
}

/** Options of the process that runs the model, passed as JSON in its first argument. */
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

/**
 * Messages of the process that runs the model: `progress` while it loads the model; then `ready` or `failed`;
 * after `ready`, one `embedded` or `refused` for each text.
 */
export type ModelMessage =
  | { type: "progress"; loadedBytes: number; totalBytes: number }
  | { type: "ready" }
  /** `fetched`: no download failed, so the downloaded files may be faulty. */
  | { type: "failed"; reason: string; fetched: boolean }
  | { type: "embedded"; id: number; vector: Float32Array }
  | { type: "refused"; id: number; reason: string };
