export type Embedded = Float32Array | RefusedText;

/** A text that the model rejects, although it accepts others. */
export class RefusedText {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** No text can be embedded at the moment. */
export class Outage extends Error {}

export interface EmbeddingSource {
  /** Current upper bound on the texts of one call. */
  readonly textsMax: number;
  /** Number of concurrent calls that is useful. */
  readonly callsMax: number;
  /**
   * One result per text, in order.
   *
   * @throws {Outage} When no text can be embedded at the moment.
   */
  embed(texts: string[]): Promise<Embedded[]>;
  stop(): void;
}
