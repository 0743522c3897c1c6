/** Which model is loaded, and from where. */
export interface ModelSpecification {
  /** Owner and name on the hub. */
  repository: string;
  dimensions: number;
}

/** What the model's process is started with, as JSON in its first argument. */
export interface ModelProcessOptions {
  specification: ModelSpecification;
  /** Where the hub is, with what follows its names up to the repository. */
  hub: string;
  /** The folder that `installPackages` has answered. */
  packagesPath: string;
  /** Where fetched files are kept. */
  modelsPath: string;
}

/** What the model's process is asked for. */
export interface EmbedMessage {
  id: number;
  text: string;
}

/** What the model's process tells, in this order: progress, then ready or failed, then results. */
export type ModelMessage =
  | { type: "progress"; loadedBytes: number; totalBytes: number }
  | { type: "ready" }
  /** `fetched` when every file was there, so that it is the files that are wrong. */
  | { type: "failed"; reason: string; fetched: boolean }
  | { type: "embedded"; id: number; vector: Float32Array }
  | { type: "refused"; id: number; reason: string };
