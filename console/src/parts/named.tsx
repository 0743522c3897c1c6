import type { ComponentChildren } from "preact";
import { Text } from "./text.tsx";

/** What is asked about an item, below its name. */
export function Named({ of: name, children }: { of: string; children: ComponentChildren }) {
  return (
    <>
      <p>
        <strong>
          <Text of={name} />
        </strong>
      </p>
      <p>{children}</p>
    </>
  );
}
