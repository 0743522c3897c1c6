import { formatCompact, formatNumber } from "../format.ts";

const HEIGHT = 96;
const GAP = 0.2;

export interface Bar {
  label: string;
  value: number;
}

/** Values over time as bars, with the same values as a table for screen readers. */
export function Bars({ bars, title }: { bars: readonly Bar[]; title: string }) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <figure class="bars">
      <figcaption>
        <span>{title}</span>
        <span class="note">{formatCompact(bars.reduce((sum, { value }) => sum + value, 0))}</span>
      </figcaption>
      <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {bars.map(({ label, value }, i) => {
          const height = value === 0 ? 1 : Math.max(2, (value / highest) * HEIGHT);
          return (
            <rect
              key={label}
              class={value === 0 ? "none" : undefined}
              x={i + GAP / 2}
              y={HEIGHT - height}
              width={1 - GAP}
              height={height}
            >
              <title>{`${label}: ${formatNumber(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="axis note">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
    </figure>
  );
}
