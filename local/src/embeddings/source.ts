export type Embedded = Float32Array | RefusedText;

/** The result for a text that the model rejects, although it accepts others. */
export class RefusedText {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The model does not work at the moment, whatever the text. */
export class Outage extends Error {}

export interface EmbeddingSource {
  /** Maximum number of texts in the next call. */
  readonly textsMax: number;
  /** How many calls at the same time are useful. */
  readonly callsMax: number;
  /**
   * One result per text, in order.
   *
   * @throws {Outage} When no text can be embedded at the moment.
   */
  embed(texts: string[]): Promise<Embedded[]>;
  stop(): void;
}
