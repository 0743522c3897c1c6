export type Embedded = Float32Array | RefusedText;

/** The model rejects this text, although it accepts others. */
export class RefusedText {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** No text can be embedded at the moment. */
export class Outage extends Error {}

export interface EmbeddingSource {
  readonly textsMax: number;
  readonly callsMax: number;
  /** @throws {Outage} */
  embed(texts: string[]): Promise<Embedded[]>;
  stop(): void;
}
