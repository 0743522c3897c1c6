import { formatCompact, formatNumber } from "../format.ts";

const HEIGHT = 96;
const GAP = 0.2;

export interface Bar {
  label: string;
  value: number;
}

/** Values over time as bars, with the dates below, and the highest value at the side. */
export function Bars({ bars, title }: { bars: readonly Bar[]; title: string }) {
  const highest = Math.max(...bars.map(({ value }) => value));
  const middle = bars[Math.floor(bars.length / 2)];
  return (
    <figure class="bars">
      <figcaption>
        <span>{title}</span>
        <strong>{formatCompact(bars.reduce((sum, { value }) => sum + value, 0))}</strong>
      </figcaption>
      <div class="scale note" aria-hidden="true">
        <span>{highest > 0 && formatCompact(highest)}</span>
        <span>0</span>
      </div>
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
      <div class="axis note" aria-hidden="true">
        {[bars[0], middle, bars.at(-1)].map((bar) => (
          <span key={bar?.label}>{bar?.label}</span>
        ))}
      </div>
    </figure>
  );
}
