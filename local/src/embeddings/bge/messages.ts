export interface ModelSpecification {
  /** Owner and name on the hub. */
  repository: string;
  dimensions: number;
}

/** Options of the model's process, passed as JSON in its first argument. */
export interface ModelProcessOptions {
  specification: ModelSpecification;
  /** Base URL of the hub, up to the repository's name. */
  hub: string;
  packagesPath: string;
  /** Folder for downloaded files. */
  modelsPath: string;
}

export interface EmbedMessage {
  id: number;
  text: string;
}

/** Messages of the model's process, in this order: progress, then ready or failed, then results. */
export type ModelMessage =
  | { type: "progress"; loadedBytes: number; totalBytes: number }
  | { type: "ready" }
  /** `fetched`: every file was downloaded, so the files themselves are faulty. */
  | { type: "failed"; reason: string; fetched: boolean }
  | { type: "embedded"; id: number; vector: Float32Array }
  | { type: "refused"; id: number; reason: string };
