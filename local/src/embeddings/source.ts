/** What one text came to: its vector, or that the model takes other texts but not this one. */
export type Embedded = Float32Array | RefusedText;

/** A text that the model does not take, while it takes others. */
export class RefusedText {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** No text gets a vector just now, whichever it is. */
export class Outage extends Error {}

/** A model outside the Workers. */
export interface EmbeddingSource {
  /** Texts that one call may carry now. */
  readonly textsMax: number;
  /** Calls that are worth having under way at once. */
  readonly callsMax: number;
  /**
   * What each text came to, in the order of the texts.
   *
   * @throws {Outage} When no text gets a vector just now.
   */
  embed(texts: string[]): Promise<Embedded[]>;
  /** End what is under way. */
  stop(): void;
}
