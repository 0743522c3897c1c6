export type Embedded = Float32Array | RefusedText;

/** Result for a text that the model rejects, although it accepts others. */
export class RefusedText {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** No text can be embedded at the moment. */
export class Outage extends Error {}

export interface EmbeddingSource {
  /** Texts in one call. */
  readonly textsMax: number;
  /** Calls at the same time. */
  readonly callsMax: number;
  /** @throws {Outage} If no text can be embedded at the moment. */
  embed(texts: string[]): Promise<Embedded[]>;
  stop(): void;
}
