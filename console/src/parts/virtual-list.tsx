import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";

/** Rows above and below the visible ones that are rendered, too. */
const OVERSCAN = 5;

/**
 * A long list of rows of unknown height, of which only the visible ones are rendered.
 *
 * A row has the estimated height until it was shown. When a row above the visible ones turns out to be higher, the
 * position is corrected, so that what the user reads stays where it is.
 */
export function VirtualList(props: {
  count: number;
  estimate: number;
  /** Index of the row to show first. A new value scrolls there, and so does a new `visit`. */
  start?: number | undefined;
  visit: unknown;
  label: string;
  row(index: number): ComponentChildren;
  /** The rows that the one at `start` stands for, if the row at the index is one of them. The others are not shown. */
  runAt(index: number): { start: number; end: number } | undefined;
  /** Called with the rendered range when it changes. `end` is not part of it. */
  onRange(start: number, end: number): void;
}) {
  const { count, estimate, start, visit, onRange, runAt } = props;
  const frame = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => new Heights(estimate), [estimate]);
  heights.resize(count);
  const [position, setPosition] = useState({ top: 0, height: 800 });
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  /** The row that is kept at the top until the user scrolls. */
  const held = useRef<number>(undefined);

  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        const element = frame.current;
        if (element === null) return;
        let shift = 0;
        for (const { target } of entries) {
          const index = Number((target as HTMLElement).dataset.index);
          // A row that is partly in sight keeps its end in place, or its start if the user works in it, such as unfolds it.
          const edge = target.contains(document.activeElement)
            ? heights.offset(index + 1) - 1
            : heights.offset(index);
          const isAbove = edge < element.scrollTop + shift;
          const difference = heights.set(index, (target as HTMLElement).offsetHeight);
          if (isAbove) shift += difference;
        }
        if (held.current !== undefined) element.scrollTop = heights.offset(held.current);
        else if (shift !== 0) element.scrollTop += shift;
        redraw(0);
      }),
    [heights],
  );
  useEffect(() => () => observer.disconnect(), [observer]);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => setPosition({ top: element.scrollTop, height: element.clientHeight });
    const resize = new ResizeObserver(measure);
    resize.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      resize.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  useLayoutEffect(() => {
    if (start === undefined || frame.current === null) return;
    held.current = start;
    frame.current.scrollTop = heights.offset(start);
  }, [start, visit, heights]);

  const firstAt = Math.max(0, heights.indexAt(position.top) - OVERSCAN);
  const endAt = () => Math.min(count, heights.indexAt(position.top + position.height) + OVERSCAN + 1);
  const first = runAt(firstAt)?.start ?? firstAt;
  let end = endAt();
  let shift = 0;
  const rows = [];
  for (let index = first; index < end; ) {
    rows.push(
      <VirtualRow key={index} index={index} top={heights.offset(index)} observer={observer}>
        {props.row(index)}
      </VirtualRow>,
    );
    const next = runAt(index)?.end ?? index + 1;
    const isAbove = heights.offset(next) <= position.top;
    const difference = heights.hide(index + 1, next);
    if (isAbove) shift += difference;
    if (difference !== 0) end = Math.max(next, endAt());
    index = next;
  }
  useEffect(() => onRange(first, end), [first, end]);
  useLayoutEffect(() => {
    if (shift === 0 || frame.current === null) return;
    if (held.current !== undefined) frame.current.scrollTop = heights.offset(held.current);
    else frame.current.scrollTop += shift;
  });

  const release = () => {
    held.current = undefined;
  };
  return (
    // Reachable by keyboard because it scrolls.
    <section
      ref={frame}
      class="virtual-list"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content
      tabIndex={0}
      onWheel={release}
      onPointerDown={release}
      onKeyDown={release}
      onFocusIn={release}
    >
      <div style={{ height: `${heights.total()}px` }}>{rows}</div>
    </section>
  );
}

function VirtualRow(props: {
  index: number;
  top: number;
  observer: ResizeObserver;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    props.observer.observe(current);
    return () => props.observer.unobserve(current);
  }, [props.observer]);
  return (
    <div
      ref={element}
      class="virtual-row"
      data-index={props.index}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {props.children}
    </div>
  );
}

/** Heights of rows, with the sums of those above each. A sum is made again only after a change above it. */
class Heights {
  readonly #estimate: number;
  #heights: number[] = [];
  #offsets: number[] = [0];
  /** Offsets up to this index are current. */
  #current = 0;

  constructor(estimate: number) {
    this.#estimate = estimate;
  }

  resize(count: number): void {
    while (this.#heights.length < count) this.#heights.push(this.#estimate);
    this.#heights.length = count;
    this.#current = Math.min(this.#current, count);
  }

  /** @returns By how much the row is higher than before. */
  set(index: number, height: number): number {
    const difference = height - (this.#heights[index] ?? height);
    if (difference === 0) return 0;
    this.#heights[index] = height;
    this.#current = Math.min(this.#current, index);
    return difference;
  }

  /** Gives rows no height. @returns By how much they are higher than before. */
  hide(start: number, end: number): number {
    let difference = 0;
    for (let index = start; index < end; index++) difference += this.set(index, 0);
    return difference;
  }

  /** Distance of the row from the top of the list, in pixels. */
  offset(index: number): number {
    for (; this.#current < index; this.#current++) {
      this.#offsets[this.#current + 1] =
        (this.#offsets[this.#current] ?? 0) + (this.#heights[this.#current] ?? this.#estimate);
    }
    return this.#offsets[index] ?? 0;
  }

  total(): number {
    return this.offset(this.#heights.length);
  }

  /** The row at a distance from the top. */
  indexAt(top: number): number {
    let low = 0;
    let high = this.#heights.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offset(middle + 1) <= top) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
