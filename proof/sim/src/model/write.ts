/** When a write was requested and when it was known to be done, in steps of the clock. */
export class Write {
  readonly sent: number;
  /** Infinite while unknown: the write may be done, may be done later, or never. */
  done = Number.POSITIVE_INFINITY;
  /** Known to have no effect, now and later. */
  isRefused = false;

  constructor(sent: number) {
    this.sent = sent;
  }
}

/** The time of a read. Its result was valid at some step within it. */
export interface Span {
  begin: number;
  end: number;
}

/** A value that is overwritten as a whole, also by concurrent writes. */
export class Register<Value> {
  readonly writes: { value: Value; write: Write }[] = [];

  add(value: Value, write: Write): void {
    this.writes.push({ value, write });
  }

  /**
   * The values that a read may return: every requested one that no later write is known to have replaced
   * before the read.
   */
  possible({ begin, end }: Span): Value[] {
    const requested = this.writes.filter(({ write }) => !write.isRefused && write.sent <= end);
    return requested
      .filter(
        ({ write }) =>
          !requested.some((other) => other.write.done <= begin && other.write.sent >= write.done),
      )
      .map(({ value }) => value);
  }
}
