/** When something was asked for and when it was known to be done, in steps of the clock. */
export class Write {
  readonly sent: number;
  /** Infinite as long as nobody knows: it may be done, or be done later, or never. */
  done = Number.POSITIVE_INFINITY;
  /** Known to have had no effect, and to have none. */
  isRefused = false;

  constructor(sent: number) {
    this.sent = sent;
  }
}

/** The time in which a read was answered: what it saw was so at some step of it. */
export interface Span {
  begin: number;
  end: number;
}

/** A value that is written as a whole, by several at once. */
export class Register<Value> {
  readonly writes: { value: Value; write: Write }[] = [];

  add(value: Value, write: Write): void {
    this.writes.push({ value, write });
  }

  /** The values that a read may answer: each that was asked for, unless one after it was done before. */
  possible({ begin, end }: Span): Value[] {
    const happened = this.writes.filter(({ write }) => !write.isRefused && write.sent <= end);
    return happened
      .filter(
        ({ write }) => !happened.some((other) => other.write.done <= begin && other.write.sent >= write.done),
      )
      .map(({ value }) => value);
  }
}
