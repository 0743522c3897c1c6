import type { IconNode } from "lucide";
import { h } from "preact";

/** An icon beside a text that says the same. */
export const Icon = ({ of: shapes }: { of: IconNode }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    {shapes.map(([shape, attributes]) => h(shape, attributes))}
  </svg>
);
